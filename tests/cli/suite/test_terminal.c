/* What somebody sees who runs check on a terminal: a bar that goes on, failures as they come, colours. */

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "suite_runs.h"

enum { COLUMNS = 60 };

static int open_terminal(char *name, size_t size)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    struct winsize window = {.ws_row = 24, .ws_col = COLUMNS};
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0 || ptsname_r(terminal, name, size) != 0)
        skip_because("no pseudo terminals");
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &window), 0);
    return terminal;
}

static _Noreturn void become_check(const char *terminal, const char *variable)
{
    setsid();
    int fd = open(terminal, O_RDWR);
    for (int i = 0; i < 3; i++)
        dup2(fd, i);
    putenv((char *)variable);
    alarm(60);
    execl(RIGPROOF_BINARY, "rigproof", "check", "suite.yaml", "--allow-outside", "-j", "1", (char *)NULL);
    _exit(127);
}

/* All that check prints; reading fails when the other end is closed. */
static char *check_on_terminal(const char *variable)
{
    enum { MOST = 1 << 16 };
    char name[64], *out = keep(calloc(MOST + 1, 1));
    int terminal = open_terminal(name, sizeof name), status;
    size_t size = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        become_check(name, variable);
    for (ssize_t n = 1; n != 0 && size < MOST; size += n > 0 ? (size_t)n : 0)
        if ((n = read(terminal, out + size, MOST - size)) < 0 && errno != EINTR)
            break;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 1);
    close(terminal);
    return out;
}

/* What is left on the screen at the end, without colours. Of controls there are line ends, \r, ESC [ K and ESC [ ... m. */
static char *screen_of(const char *printed)
{
    char *screen = keep(calloc(strlen(printed) + 1, 1)), *line = screen, *at = screen;
    for (const char *c = printed; *c; c++) {
        size_t length = *c == '\x1b' ? strcspn(c, "Km") : 0;
        if (length > 0) {
            if (c[length] == 'K')
                memset(at, 0, strlen(at));
            c += length;
        } else if (*c == '\r') {
            at = line;
        } else if (*c == '\n') {
            at += strlen(at);
            *at++ = '\n';
            line = at;
        } else {
            *at++ = *c;
        }
    }
    return screen;
}

/* A bar that is too long for its line would leave a trace for every case. */
VERDICT_TEST(failures_stand_on_lines_of_their_own)
{
    tint("golden/strip/0.250.png", 100, 90);
    const char *printed = check_on_terminal("TERM=xterm"), *screen = screen_of(printed);
    assert_contains(printed, "\rcheck [", "\x1b[1;31mFAIL\x1b[0m     strip  ");
    assert_true(strncmp(screen, "FAIL     strip  frame 0.250: ", 29) == 0);
    assert_contains(screen, "\n\nFAIL     strip: frame 0.250: ");
    assert_lacks(screen, "check [", "pass     twins");
    for (const char *bar = printed; (bar = strstr(bar, "\rcheck ["));) {
        const char *end = strstr(++bar, "\x1b[K");
        assert_true(end && end - bar < COLUMNS);
    }
    for (const char *line = screen; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] != '\0'))
        if (strcspn(line, "\n") > COLUMNS && !strstr(line, "rigproof "))
            fail_msg("wider than the terminal: %.*s", (int)strcspn(line, "\n"), line);
    assert_contains(screen, "\n             "); /* below the value of a label */
    printed = check_on_terminal("NO_COLOR=1");
    assert_contains(printed, "FAIL     strip  frame");
    assert_null(strstr(printed, "\x1b[0m"));
}
