#include "base/process/pipe_to.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/process/process.h"

/* Keeps what signals did before; SIGCHLD, ignored, would hide how the program ended. */
static struct sigaction pipe_before, child_before;

/* Out of the way of the three streams, which may have been closed when we began. */
static int lift(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

static void release(struct pipe_to *pipe)
{
    if (pipe->input >= 0)
        close(pipe->input);
    if (pipe->said)
        fclose(pipe->said);
    sigaction(SIGPIPE, &pipe_before, NULL);
    sigaction(SIGCHLD, &child_before, NULL);
    *pipe = (struct pipe_to){.input = -1};
}

/* 0, or the errno of what failed. */
static int start(struct pipe_to *out, const char *const *argv, bool is_shown)
{
    int input[2], answer[2] = {-1, -1};
    if (pipe2(input, O_CLOEXEC) != 0)
        return errno;
    out->input = input[1];
    int said = out->said ? fileno(out->said) : -1;
    pid_t self = getpid();
    fflush(NULL);
    out->pid = pipe2(answer, O_CLOEXEC) == 0 ? fork() : -1;
    int reason = out->pid < 0 ? errno : 0;
    if (out->pid == 0) { /* becomes the program, or says the reason on `answer` */
        child_begin(self);
        int nowhere = lift(open("/dev/null", O_WRONLY | O_CLOEXEC)), from = lift(input[0]);
        said = said >= 0 ? lift(said) : nowhere;
        int to = lift(answer[1]);
        dup2(from, STDIN_FILENO);
        if (!is_shown)
            dup2(nowhere, STDOUT_FILENO);
        dup2(said, STDERR_FILENO);
        execvp(argv[0], (char *const *)argv);
        reason = errno;
        _exit(write(to, &reason, sizeof reason) == sizeof reason ? 127 : 126);
    }
    close(input[0]);
    close(answer[1]);
    if (!reason) { /* that of the exec: its success closes the other end */
        ssize_t n;
        do
            n = read(answer[0], &reason, sizeof reason);
        while (n < 0 && errno == EINTR);
        reason = n == sizeof reason ? reason : 0;
        if (reason)
            child_wait(out->pid);
    }
    close(answer[0]);
    return reason;
}

bool pipe_to_start(struct pipe_to *pipe, const char *const *argv, bool is_shown, bool *missing, struct error *err)
{
    *pipe = (struct pipe_to){.input = -1, .name = argv[0], .said = tmpfile()};
    if (pipe->said)
        fcntl(fileno(pipe->said), F_SETFD, FD_CLOEXEC);
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, &pipe_before);
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, &child_before);
    int reason = start(pipe, argv, is_shown);
    *missing = reason == ENOENT;
    if (reason)
        release(pipe);
    return reason == 0 || (!*missing && error_set(err, "cannot start %s: %s", argv[0], strerror(reason)));
}

bool pipe_to_write(struct pipe_to *pipe, const void *data, size_t size)
{
    return write_all(pipe->input, data, size);
}

bool pipe_to_finish(struct pipe_to *pipe, struct error *err)
{
    char why[512] = "", line[512], buffer[16];
    const char *name = pipe->name;
    bool closed = close(pipe->input) == 0;
    pipe->input = -1;
    int status = child_wait(pipe->pid);
    if (pipe->said)
        rewind(pipe->said);
    while (pipe->said && fgets(line, sizeof line, pipe->said)) { /* the last with something on it */
        line[strcspn(line, "\r\n")] = '\0';
        if (line[strspn(line, " \t")] != '\0')
            snprintf(why, sizeof why, "%s", line);
    }
    if (why[0] == '\0' && status != -1 && WIFSIGNALED(status))
        snprintf(why, sizeof why, "it was ended by %s", signal_name(WTERMSIG(status), buffer));
    else if (why[0] == '\0')
        snprintf(why, sizeof why, "it ended with exit code %d", status == -1 ? -1 : WEXITSTATUS(status));
    release(pipe);
    return (closed && status == 0) || error_set(err, "%s: %s", name, why);
}

void pipe_to_abandon(struct pipe_to *pipe)
{
    if (pipe->pid <= 0)
        return;
    kill(pipe->pid, SIGKILL);
    child_wait(pipe->pid);
    release(pipe);
}
