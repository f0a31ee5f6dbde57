#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((format(printf, 2, 0))) static void print(const char *prefix, const char *format, va_list args)
{
    fputs(prefix, stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void log_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print("", format, args);
    va_end(args);
}

void log_warning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
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

void log_progress(const char *what, size_t done, size_t total)
{
    enum { WIDTH = 30 };
    if (total == 0 || !isatty(STDERR_FILENO))
        return;
    if (done >= total) {
        fputs("\r\x1b[K", stderr);
        return;
    }
    char bar[WIDTH + 1];
    size_t filled = done * WIDTH / total;
    for (size_t i = 0; i < WIDTH; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r%s [%s] %zu/%zu\x1b[K", what, bar, done, total);
    fflush(stderr);
}
