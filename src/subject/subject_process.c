/* A subject's process: pipes, limits, and how it ended. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process/process.h"
#include "base/process/program.h"
#include "base/slice.h"
#include "subject/subject.h"

enum { KEPT = 4096 /* bytes of stderr */, SHOWN_LINES = 3, LOOK_MS = 50 /* at its memory */, LAST_SECONDS = 1 };

static void close_all(const int *fds, int count)
{
    for (int i = 0; i < count; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

/* 0, or the errno of what failed. */
static int fork_program(struct subject *subject)
{
    enum { IN, OUT, SAID, PIPES };
    const struct subject_spec *spec = subject->spec;
    int fds[2 * PIPES], reason = 0;
    memset(fds, -1, sizeof fds);
    for (int i = 0; i < PIPES && !reason; i++)
        reason = pipe2(&fds[2 * i], O_CLOEXEC) == 0 ? 0 : errno;
    const struct program_start how = {.argv = spec->command, .folder = spec->folder, .env = spec->env, .leads = true,
                                      .in = fds[2 * IN], .out = fds[2 * OUT + 1], .said = fds[2 * SAID + 1]};
    subject->pid = reason ? 0 : program_start(&how, &reason);
    close_all((int[]){how.in, how.out, how.said}, 3);
    subject->in = fds[2 * IN + 1];
    subject->out = fds[2 * OUT];
    subject->said_fd = fds[2 * SAID];
    const int ours[] = {subject->in, subject->out, subject->said_fd};
    if (reason)
        close_all(ours, 3);
    for (int i = 0; i < 3 && !reason; i++)
        fcntl(ours[i], F_SETFL, fcntl(ours[i], F_GETFL) | O_NONBLOCK);
    return reason;
}

bool subject_start(struct subject *subject, struct error *err)
{
    subject->received.size = subject->said.size = 0;
    int reason = fork_program(subject);
    if (!reason)
        return true;
    subject_kill(subject);
    subject->end = SUBJECT_NOT_STARTED;
    return error_set(err, "%s: cannot start %s: %s", subject->spec->name, subject->spec->command[0], strerror(reason));
}

/* Appends what there is to read now; returns 0 at the end, 1 when there may be more later. */
static int drain(int fd, struct text *out, size_t most)
{
    char buffer[1 << 16];
    while (out->size <= most) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n > 0)
            text_add_bytes(out, buffer, (size_t)n);
        else if (n == 0)
            return 0;
        else if (errno != EINTR)
            return errno == EAGAIN || errno == EWOULDBLOCK;
    }
    return 1;
}

/* Only the end is kept, however much it says. A flood is left in the pipe for the next turn. */
static int hear(struct subject *subject)
{
    struct text *said = &subject->said;
    int more = drain(subject->said_fd, said, 2 << 16);
    if (said->size > KEPT) {
        memmove(said->data, said->data + said->size - KEPT, KEPT + 1);
        said->size = KEPT;
    }
    return more;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* ": a | b", the last lines with something on them. */
static void add_said(const struct subject *subject, struct text *out)
{
    const char *data = subject->said.data;
    struct slice lines[SHOWN_LINES];
    size_t count = 0;
    for (size_t begin = 0, end; begin < subject->said.size; begin = end + 1) {
        for (end = begin; end < subject->said.size && data[end] != '\n';)
            end++;
        size_t first = begin, last = end;
        while (first < last && is_blank(data[first]))
            first++;
        while (last > first && is_blank(data[last - 1]))
            last--;
        if (last > first)
            lines[count++ % SHOWN_LINES] = (struct slice){data + first, last - first < 200 ? last - first : 200};
    }
    const size_t shown = count < SHOWN_LINES ? count : SHOWN_LINES;
    for (size_t i = 0; i < shown; i++) {
        text_add(out, i == 0 ? "; its stderr ends with: " : " | ");
        const struct slice line = lines[(count - shown + i) % SHOWN_LINES];
        text_add_bytes(out, line.data, line.length);
    }
}

void subject_kill(struct subject *subject)
{
    if (subject->pid > 0) {
        kill(-subject->pid, SIGKILL);
        kill(subject->pid, SIGKILL);
        child_wait(subject->pid);
        close(subject->in);
        close(subject->out);
        close(subject->said_fd);
    }
    subject->pid = 0;
    arena_destroy(subject->arena);
    subject->arena = NULL;
}

/* Ends it, with a message of what it did and said. */
__attribute__((format(printf, 4, 5))) static bool end_with(struct subject *subject, enum subject_end end,
                                                           struct error *err, const char *format, ...)
{
    SCOPED(text) text = {0};
    va_list list;
    text_addf(&text, "%s: ", subject->spec->name);
    va_start(list, format);
    text_addv(&text, format, list);
    va_end(list);
    if (subject->pid > 0)
        hear(subject);
    add_said(subject, &text);
    subject_kill(subject);
    subject->end = end;
    error_set(err, "%s", text_string(&text));
    return false;
}

/* Its exit code, or a signal's negative number; it stays to be waited for. */
static bool has_ended(const struct subject *subject, int *status)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)subject->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != subject->pid)
        return false;
    *status = info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
    return true;
}

/* Its output has ended before an answer: how did it go? It gets a moment to end by itself. */
static bool end_early(struct subject *subject, struct error *err)
{
    const struct timespec pause = {0, 2000000};
    const double deadline = clock_seconds() + LAST_SECONDS;
    char name[16];
    int status = 0;
    bool ended = false;
    while (!(ended = has_ended(subject, &status)) && clock_seconds() < deadline)
        nanosleep(&pause, NULL);
    if (!ended)
        return end_with(subject, SUBJECT_CRASHED, err, "closed its stdout before it had answered");
    if (status < 0)
        return end_with(subject, SUBJECT_CRASHED, err, "crashed (%s)", signal_name(-status, name));
    return end_with(subject, SUBJECT_CRASHED, err, "ended with exit code %d before it had answered", status);
}

/* Resident memory of a process group, MiB; 0 where it is not known. */
static double group_memory(pid_t group)
{
    double pages = 0;
#ifdef __linux__
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    while (processes && (entry = readdir(processes))) {
        char path[64], line[1024];
        int of = 0;
        long resident = 0;
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
            continue;
        snprintf(path, sizeof path, "/proc/%.20s/stat", entry->d_name);
        FILE *file = fopen(path, "r");
        size_t size = file ? fread(line, 1, sizeof line - 1, file) : 0;
        if (file)
            fclose(file);
        line[size] = '\0';
        const char *after = strrchr(line, ')'); /* a name may hold anything */
        if (after &&
            sscanf(after + 1, " %*c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %*u %*u %ld",
                   &of, &resident) == 2 &&
            of == group)
            pages += (double)resident;
    }
    if (processes)
        closedir(processes);
#else
    (void)group;
#endif
    return pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

/* The first line, taken out of what was received; false while there is none. What is blank before it does not count. */
static bool next_line(struct subject *subject, size_t *searched, struct text *line)
{
    struct text *received = &subject->received;
    size_t blank = 0;
    while (*searched == 0 && blank < received->size && is_blank(received->data[blank]))
        blank++;
    if (blank > 0) {
        received->size -= blank;
        memmove(received->data, received->data + blank, received->size + 1);
    }
    char *end =
        received->size > *searched ? memchr(received->data + *searched, '\n', received->size - *searched) : NULL;
    *searched = received->size;
    if (!end)
        return false;
    size_t size = (size_t)(end - received->data), kept = size;
    while (is_blank(received->data[kept - 1]))
        kept--;
    line->size = 0;
    text_add_bytes(line, received->data, kept);
    received->size -= size + 1;
    memmove(received->data, end + 1, received->size + 1);
    return true;
}

/* One line out, as far as it is taken: false when it does not read any more, which its output will tell. */
static void send(struct subject *subject, const struct text *request, size_t *sent)
{
    ssize_t n = write(subject->in, request->data + *sent, request->size - *sent);
    if (n > 0)
        *sent += (size_t)n;
    else if (n < 0 && errno == EPIPE)
        *sent = request->size;
}

/* Anything but blanks, besides what was asked for. */
static bool has_more(const struct subject *subject)
{
    return subject->received.size > 0 && strspn(subject->received.data, " \t\r\n") < subject->received.size;
}

static bool exchange(struct subject *subject, const struct text *request, struct text *line, struct error *err)
{
    const double timeout = subject->spec->timeout > 0 ? subject->spec->timeout : 20.0;
    const double memory = subject->spec->memory_mib > 0 ? subject->spec->memory_mib : 4096.0;
    const double deadline = clock_seconds() + timeout;
    double look = clock_seconds() + 1e-3 * LOOK_MS,
           last = INFINITY; /* last: nobody is left to answer, but its children */
    size_t sent = 0, searched = 0;
    bool hears = true;
    int status;
    drain(subject->out, &subject->received, KEPT);
    if (has_more(subject))
        return end_with(subject, SUBJECT_GARBAGE, err, "wrote to its stdout without being asked");
    subject->received.size = 0;
    for (;;) {
        struct pollfd fds[] = {{subject->out, POLLIN, 0},
                               {hears ? subject->said_fd : -1, POLLIN, 0},
                               {sent < request->size ? subject->in : -1, POLLOUT, 0}};
        poll(fds, 3, clock_poll_timeout(deadline < look ? deadline : look));
        if (fds[2].revents)
            send(subject, request, &sent);
        if (fds[1].revents)
            hears = hear(subject);
        int open = fds[0].revents ? drain(subject->out, &subject->received, SUBJECT_LINE_LIMIT) : 1;
        if (next_line(subject, &searched, line))
            break;
        double now = clock_seconds();
        if (now >= look && isinf(last) && has_ended(subject, &status))
            last = now + LAST_SECONDS;
        if (!open || now >= last)
            return end_early(subject, err);
        if (subject->received.size > SUBJECT_LINE_LIMIT)
            return end_with(subject, SUBJECT_GARBAGE, err, "answered with a line of more than %d MiB",
                            SUBJECT_LINE_LIMIT >> 20);
        if (now >= deadline)
            return end_with(subject, SUBJECT_TIMED_OUT, err, "gave no answer within %g s", timeout);
        if (now >= look && group_memory(subject->pid) > memory)
            return end_with(subject, SUBJECT_CRASHED, err, "took more than %.6g MiB of memory", memory);
        look = now >= look ? now + 1e-3 * LOOK_MS : look;
    }
    return !has_more(subject) || end_with(subject, SUBJECT_GARBAGE, err, "answered with more than one line");
}

bool subject_exchange(struct subject *subject, const struct text *request, struct text *line, struct error *err)
{
    struct sigaction before;
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, &before);
    bool good = exchange(subject, request, line, err);
    sigaction(SIGPIPE, &before, NULL);
    return good;
}
