#define _XOPEN_SOURCE 700 /* sigaction, clock_gettime */

#include "cli/output/terminal_query.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* ---- the terminal's state ---------------------------------------------------------------------------------------- */

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGALRM, SIGXCPU};
enum { CAUGHT = sizeof caught / sizeof caught[0] };
static struct sigaction before[CAUGHT];
static struct termios as_it_was;
static int terminal;

/* As it was, then what the signal would have done. */
static void restore(int number)
{
    const int error = errno;
    tcsetattr(terminal, TCSAFLUSH, &as_it_was);
    for (int i = 0; i < CAUGHT; i++)
        if (caught[i] == number)
            sigaction(number, &before[i], NULL);
    raise(number);
    errno = error;
}

static bool stop_echo(void)
{
    struct termios quiet;
    if (tcgetattr(terminal, &as_it_was) != 0)
        return false;
    for (int i = 0; i < CAUGHT; i++)
        if (sigaction(caught[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
            sigaction(caught[i], &(struct sigaction){.sa_handler = restore}, NULL);
    quiet = as_it_was;
    quiet.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    quiet.c_cc[VMIN] = 0;
    quiet.c_cc[VTIME] = 0;
    return tcsetattr(terminal, TCSANOW, &quiet) == 0;
}

static void echo_again(void)
{
    tcsetattr(terminal, TCSAFLUSH, &as_it_was);
    for (int i = 0; i < CAUGHT; i++)
        sigaction(caught[i], &before[i], NULL);
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

/* ESC [ PREFIX numbers LAST: the numbers, how many; 0 where there is none. */
static size_t find_numbers(const char *text, size_t size, const char *prefix, char last, unsigned *out, size_t most)
{
    const size_t length = strlen(prefix);
    for (size_t i = 0; i + length <= size; i++) {
        size_t count = 1, at = i + length;
        if (memcmp(text + i, prefix, length) != 0)
            continue;
        out[0] = 0;
        for (; at < size && ((text[at] >= '0' && text[at] <= '9') || text[at] == ';'); at++)
            if (text[at] != ';')
                out[count - 1] = out[count - 1] < 100000 ? 10 * out[count - 1] + (unsigned)(text[at] - '0') : out[count - 1];
            else if (count < most)
                out[count++] = 0;
            else
                break;
        if (at < size && text[at] == last)
            return count;
    }
    return 0;
}

struct terminal_answers terminal_parse(const char *text, size_t size)
{
    enum { MOST = 64, LARGEST = 1000, SIXEL = 4 };
    static const char yes[] = "\x1b_Gi=31;OK";
    struct terminal_answers out = {0};
    unsigned numbers[MOST];
    const size_t attributes = find_numbers(text, size, "\x1b[?", 'c', numbers, MOST);
    out.has_answered = attributes > 0;
    for (size_t i = 1; i < attributes; i++) /* the first is the terminal's class */
        out.knows_sixel = out.knows_sixel || numbers[i] == SIXEL;
    if (find_numbers(text, size, "\x1b[6;", 't', numbers, MOST) == 2 && numbers[0] > 0 && numbers[0] <= LARGEST && numbers[1] > 0 &&
        numbers[1] <= LARGEST) {
        out.cell_height = numbers[0];
        out.cell_width = numbers[1];
    }
    for (size_t i = 0; i + sizeof yes - 1 <= size; i++)
        out.knows_kitty = out.knows_kitty || memcmp(text + i, yes, sizeof yes - 1) == 0;
    return out;
}

static long milliseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

struct terminal_answers terminal_ask(bool asks_kitty, int milliseconds)
{
    static const char kitty[] = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\", rest[] = "\x1b[16t\x1b[c";
    struct terminal_answers out = {0};
    char text[4096];
    size_t size = 0;
    terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0)
        return out;
    const bool is_in_front = tcgetpgrp(terminal) == getpgrp(); /* otherwise writing would stop this process */
    if (is_in_front && stop_echo()) {
        const long end = milliseconds_now() + milliseconds;
        bool good = (!asks_kitty || write(terminal, kitty, sizeof kitty - 1) == sizeof kitty - 1) &&
                    write(terminal, rest, sizeof rest - 1) == sizeof rest - 1;
        for (long left = milliseconds; good && left > 0 && size < sizeof text && !out.has_answered; left = end - milliseconds_now()) {
            struct pollfd input = {.fd = terminal, .events = POLLIN};
            const int ready = poll(&input, 1, (int)left);
            const ssize_t n = ready > 0 ? read(terminal, text + size, sizeof text - size) : 0;
            good = (ready >= 0 && n >= 0 && (ready == 0 || n > 0)) || errno == EINTR;
            size += n > 0 ? (size_t)n : 0;
            out = terminal_parse(text, size);
        }
        echo_again();
    }
    close(terminal);
    return out;
}
