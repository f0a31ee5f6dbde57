#define _POSIX_C_SOURCE 200809L

#include "base/process/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/process/process.h"
#include "base/file/file_writer.h"

static struct limits watched;
static double deadline;
static void (*at_limit)(enum limit limit);

/* The KiB after a label of /proc/self/status; 0 when it is not there. */
static double kib_after(const char *status, const char *label)
{
    const char *place = strstr(status, label);
    return place ? strtod(place + strlen(label), NULL) : 0;
}

static double used_mib(void)
{
    char status[16384]; /* the groups of the user come first */
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t size = fd >= 0 ? read(fd, status, sizeof status - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (size < 0)
        return 0;
    status[size] = '\0';
    return (kib_after(status, "\nVmRSS:") + kib_after(status, "\nVmSwap:")) / 1024;
}

static void end(enum limit limit)
{
    temporaries_remove();
    at_limit(limit);
}

static void look(void)
{
    if (watched.memory_mib > 0 && used_mib() > watched.memory_mib)
        end(LIMIT_MEMORY);
    if (watched.seconds > 0 && clock_seconds() >= deadline)
        end(LIMIT_TIME);
}

static void *watch(void *started)
{
    sem_post(started);
    for (;;) {
        look();
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    return NULL;
}

bool limits_watch(const struct limits *limits, void (*reached)(enum limit limit), struct error *err)
{
    pthread_t thread;
    sigset_t all, before;
    static sem_t started;
    watched = *limits;
    at_limit = reached;
    deadline = clock_seconds() + limits->seconds;
    if (limits->seconds <= 0 && limits->memory_mib <= 0)
        return true;
    look(); /* at least once, however short the work is */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* handlers run in the other threads */
    sem_init(&started, 0, 0);
    int reason = pthread_create(&thread, NULL, watch, &started);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (reason != 0)
        return error_set(err, "cannot start the thread that watches time and memory: %s", strerror(reason));
    pthread_detach(thread);
    while (sem_wait(&started) != 0) /* a process forked meanwhile could find locks that the new thread holds */
        ;
    return true;
}
