#define _GNU_SOURCE /* getentropy, openat, asprintf */

#include "base/file/temporaries.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file.h"

/* A film, a file of its own beside it, and room to spare. What is beyond is not removed. */
enum { MOST = 8 };

static struct {
    volatile int folder;
    const char *volatile name; /* NULL: free */
} slots[MOST];

static void remember(int folder, const char *name)
{
    for (int i = 0; i < MOST; i++)
        if (!slots[i].name) {
            slots[i].folder = folder;
            slots[i].name = name;
            return;
        }
}

void temporaries_forget(const char *name)
{
    for (int i = 0; name && i < MOST; i++)
        if (slots[i].name == name)
            slots[i].name = NULL;
}

void temporaries_remove(void)
{
    for (int i = 0; i < MOST; i++) {
        const char *name = slots[i].name;
        if (name)
            unlinkat(slots[i].folder, name, 0);
    }
}

static bool choose_letters(char letters[static 6])
{
    static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    unsigned char bytes[6];
    if (getentropy(bytes, sizeof bytes) != 0)
        return false;
    for (int i = 0; i < 6; i++)
        letters[i] = all[bytes[i] % (sizeof all - 1)];
    return true;
}

/* Remembered before it is there: a signal in between finds nothing to remove. */
int temporaries_create(int folder, const char *target, char **name)
{
    enum { TRIES = 100 };
    int fd = -1;
    if (asprintf(name, "%s" FILE_TEMPORARY "XXXXXX", target) < 0) {
        *name = NULL;
        return -1;
    }
    char *letters = *name + strlen(*name) - 6;
    for (int i = 0; fd < 0 && i < TRIES && choose_letters(letters); i++) {
        remember(folder, *name);
        fd = openat(folder, *name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0)
            temporaries_forget(*name);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

/* ---- signals --------------------------------------------------------------------------------------------------- */

static const struct {
    int number;
    const char *line;
} stops[] = {
    {SIGHUP, "error: stopped by SIGHUP; what was not complete has been removed\n"},
    {SIGINT, "error: stopped by SIGINT; what was not complete has been removed\n"},
    {SIGTERM, "error: stopped by SIGTERM; what was not complete has been removed\n"},
};

static void stop(int number)
{
    temporaries_remove();
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++)
        if (stops[i].number == number && write(STDERR_FILENO, stops[i].line, strlen(stops[i].line)) < 0)
            break;
    raise(number); /* SA_RESETHAND: its own action, when this returns */
}

void temporaries_catch_signals(void)
{
    struct sigaction action = {.sa_handler = stop, .sa_flags = (int)SA_RESETHAND}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++)
        if (sigaction(stops[i].number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(stops[i].number, &action, NULL);
    signal(SIGXFSZ, SIG_IGN);
}
