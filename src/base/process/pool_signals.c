#define _GNU_SOURCE /* pipe2 */

#include "base/process/pool_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static const int caught[3] = {SIGCHLD, SIGINT, SIGTERM};

static volatile sig_atomic_t stop_signal;
static volatile sig_atomic_t child_ended;
static volatile sig_atomic_t wake_end = -1;

static void note_signal(int number)
{
    int before = errno;
    if (number == SIGCHLD)
        child_ended = 1;
    else if (stop_signal == 0)
        stop_signal = number;
    ssize_t written = write(wake_end, "", 1); /* a full pipe wakes as well */
    (void)written;
    errno = before;
}

static bool is_ignored(const struct sigaction *action)
{
    return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_IGN;
}

bool pool_signals_catch(struct pool_signals *signals)
{
    if (pipe2(signals->wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    stop_signal = 0;
    child_ended = 0;
    wake_end = signals->wake[1];
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART | SA_NOCLDSTOP};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < 3; i++) {
        sigaction(caught[i], NULL, &signals->before[i]);
        if (caught[i] == SIGCHLD || !is_ignored(&signals->before[i])) /* `nohup` and shells ignore on purpose */
            sigaction(caught[i], &action, NULL);
    }
    return true;
}

bool pool_signals_child_ended(struct pool_signals *signals)
{
    char bytes[256];
    while (read(signals->wake[0], bytes, sizeof bytes) > 0)
        ;
    bool ended = child_ended;
    child_ended = 0;
    return ended;
}

int pool_signals_stop(void)
{
    return stop_signal;
}

void pool_signals_release(struct pool_signals *signals)
{
    for (int i = 0; i < 3; i++)
        sigaction(caught[i], &signals->before[i], NULL);
    wake_end = -1;
    close(signals->wake[0]);
    close(signals->wake[1]);
}
