#include "base/log.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/screen.h"

bool log_is_quiet;
static bool progress_is_shown; /* a line of this process, on a terminal, that has no end yet */

/* Whatever names are in it: a message may have several lines, and none of them is a command. */
__attribute__((format(printf, 2, 0))) static void print(const char *prefix, const char *format, va_list args)
{
    SCOPED(text) raw = {0}, lines = {0};
    text_addv(&raw, format, args);
    text_add(&lines, prefix);
    text_add_lines(&lines, text_string(&raw));
    text_add(&lines, "\n");
    log_progress_clear();
    terminal_print(text_string(&lines), stderr);
}

void log_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!log_is_quiet)
        print("", format, args);
    va_end(args);
}

void log_warning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!log_is_quiet)
        print("warning: ", format, args);
    va_end(args);
}

void log_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print("error: ", format, args);
    va_end(args);
}

/* Hashes of what was said; a place without one is 0. */
enum { SAID_MOST = 256 };
static uint64_t said_here[SAID_MOST], *said = said_here;

void log_share(void)
{
    const size_t size = sizeof said_here;
    if (said == said_here) {
        void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        said = shared == MAP_FAILED ? said_here : shared;
    }
    memset(said, 0, size);
}

bool log_is_new(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (const char *c = text; *c; c++)
        hash = (hash ^ (uint8_t)*c) * 0x100000001b3u;
    hash += hash == 0;
    for (size_t i = 0; i < SAID_MOST; i++) {
        uint64_t found = 0, *place = &said[(hash + i) % SAID_MOST];
        if (__atomic_compare_exchange_n(place, &found, hash, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return true;
        if (found == hash)
            return false;
    }
    return true;
}

void log_progress(const char *what, size_t done, size_t total)
{
    enum { WIDTH = 30 };
    char bar[WIDTH + 1], line[128];
    if (total == 0 || log_is_quiet || !isatty(STDERR_FILENO))
        return;
    if (done >= total) {
        log_progress_clear();
        return;
    }
    size_t words = (size_t)snprintf(line, sizeof line, "%s [] %zu/%zu", what, done, total);
    size_t columns = terminal_size(stderr).columns;
    columns = columns > 0 ? columns : 80;
    size_t width = columns > words + WIDTH ? WIDTH : columns > words ? columns - words - 1 : 0;
    for (size_t i = 0; i < width; i++)
        bar[i] = i < done * width / total ? '#' : '.';
    bar[width] = '\0';
    fprintf(stderr, "\r%s [%s] %zu/%zu\x1b[K", what, bar, done, total);
    fflush(stderr);
    progress_is_shown = true;
}

void log_progress_clear(void)
{
    if (progress_is_shown)
        fputs("\r\x1b[K", stderr);
    progress_is_shown = false;
}

bool log_has_colour(void)
{
    return isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
}
