#define _POSIX_C_SOURCE 200809L

#include "base/clock.h"

#include <time.h>

double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int clock_poll_timeout(double deadline)
{
    double left = deadline - clock_seconds();
    if (left <= 0)
        return 0;
    return left < 3600 ? (int)(left * 1000) + 1 : 3600 * 1000;
}
