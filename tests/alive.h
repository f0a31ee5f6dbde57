#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include "base/process/process.h"

/* Says if a process is there and not merely waiting to be collected: where process 1 collects nobody, orphans stay. */
static inline bool is_alive(pid_t pid)
{
    char path[64], stat[512] = "";
    if (kill(pid, 0) != 0)
        return false;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return kill(pid, 0) == 0; /* no /proc here, or it went just now */
    bool read = fgets(stat, sizeof stat, file) != NULL;
    fclose(file);
    const char *name_end = strrchr(stat, ')');
    return !(read && name_end && (name_end[2] == 'Z' || name_end[2] == 'X'));
}

/* Waits up to 20 s. */
static inline bool is_gone_soon(pid_t pid)
{
    double deadline = clock_seconds() + 20;
    while (is_alive(pid)) {
        if (clock_seconds() > deadline)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    return true;
}
