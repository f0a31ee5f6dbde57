#include "base/process/pipe_to.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/process/process.h"
#include "base/process/program.h"

/* Keeps what signals did before; SIGCHLD, ignored, would hide how the program ended. */
static struct sigaction pipe_before, child_before;

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
    int input[2], reason;
    if (pipe2(input, O_CLOEXEC) != 0)
        return errno;
    const int said = out->said ? fileno(out->said) : -1;
    out->input = input[1];
    out->pid = program_start(
        &(struct program_start){.argv = argv, .in = input[0], .out = is_shown ? STDOUT_FILENO : -1, .said = said},
        &reason);
    close(input[0]);
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
