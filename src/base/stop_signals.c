#include "base/stop_signals.h"

#include <stdbool.h>
#include <stddef.h>

static const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
enum { COUNT = sizeof numbers / sizeof numbers[0] };

static bool is_ignored(int number)
{
    struct sigaction now;
    return sigaction(number, NULL, &now) != 0 || (!(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN);
}

void stop_signals_catch(void (*handler)(int number), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < COUNT; i++)
        if (!is_ignored(numbers[i]))
            sigaction(numbers[i], &action, NULL);
}

sigset_t stop_signals_set(void)
{
    sigset_t out;
    sigemptyset(&out);
    for (size_t i = 0; i < COUNT; i++)
        if (!is_ignored(numbers[i]))
            sigaddset(&out, numbers[i]);
    return out;
}
