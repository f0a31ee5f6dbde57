#include "base/process/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/process/process.h"
#include "base/text.h"

static bool may_run(const char *path)
{
    return file_exists(path) && access(path, X_OK) == 0;
}

bool program_exists(const char *name)
{
    const char *folders = getenv("PATH");
    SCOPED(text) path = {0};
    bool found = strchr(name, '/') && may_run(name);
    for (const char *at = folders ? folders : ""; *name && !strchr(name, '/') && *at && !found;) {
        const size_t length = strcspn(at, ":");
        path.size = 0;
        text_addf(&path, "%.*s/%s", length > 0 ? (int)length : 1, length > 0 ? at : ".", name);
        found = may_run(text_string(&path));
        at += length + (at[length] == ':');
    }
    return found;
}

/* Out of the way of the three streams, which may have been closed when we began. */
static int lift(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/* In the child. Returns only when it could not become the program: errno. */
static int become(const struct program_start *how)
{
    int streams[] = {how->in, how->out, how->said};
    const int nowhere = lift(open("/dev/null", O_RDWR | O_CLOEXEC));
    if (how->leads)
        setpgid(0, 0);
    if (how->folder && chdir(how->folder) != 0)
        return errno;
    for (int i = 0; i < 3; i++)
        streams[i] = streams[i] >= 0 ? lift(streams[i]) : nowhere;
    for (int i = 0; i < 3; i++)
        if (dup2(streams[i], i) < 0)
            return errno;
    for (size_t i = 0; how->env && how->env[i]; i++)
        if (putenv((char *)how->env[i]) != 0)
            return errno;
    execvp(how->argv[0], (char *const *)how->argv);
    return errno;
}

pid_t program_start(const struct program_start *how, int *reason)
{
    int why[2]; /* the reason of a failed exec; its success closes the other end */
    ssize_t n;
    if ((*reason = pipe2(why, O_CLOEXEC) == 0 ? 0 : errno))
        return 0;
    const pid_t self = getpid();
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        child_begin(self);
        const int to = lift(why[1]);
        *reason = become(how);
        _exit(write(to, reason, sizeof *reason) == sizeof *reason ? 127 : 126);
    }
    *reason = child < 0 ? errno : 0;
    close(why[1]);
    if (child > 0 && how->leads)
        setpgid(child, child); /* whoever is first */
    do
        n = read(why[0], reason, sizeof *reason);
    while (n < 0 && errno == EINTR);
    close(why[0]);
    if (child > 0 && *reason)
        child_wait(child);
    return *reason ? 0 : child;
}
