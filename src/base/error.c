#include "base/error.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* A message is one line: whatever a file or a driver smuggled in is escaped. */
static void flatten(char text[static ERROR_SIZE])
{
    SCOPED(text) line = {0};
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) /* drivers end their words with a line break */
        text[--length] = '\0';
    text_add_name(&line, text);
    snprintf(text, ERROR_SIZE, "%s", text_string(&line));
}

bool error_set_code(struct error *err, enum exit_code code, const char *format, ...)
{
    va_list args;
    if (error_is_set(err))
        return false;
    err->exit_code = code;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    flatten(err->text);
    return false;
}

bool error_prefix(struct error *err, const char *format, ...)
{
    const struct error below = *err;
    char prefix[ERROR_SIZE];
    const int room = ERROR_SIZE - (int)sizeof ": " - (int)strlen(below.text), half = ERROR_SIZE / 2;
    va_list args;
    assert(error_is_set(err));
    va_start(args, format);
    vsnprintf(prefix, sizeof prefix, format, args);
    va_end(args);
    snprintf(err->text, sizeof err->text, "%.*s: %s", room > half ? room : half, prefix, below.text);
    flatten(err->text);
    return false;
}

bool error_is_set(const struct error *err)
{
    return err->exit_code != EXIT_CODE_GOOD;
}
