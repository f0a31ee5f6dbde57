#include "cli/template.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

/* How {frame} and {time} are to come out. */
enum mode { MODE_FRAME, MODE_SHEET, MODE_FFMPEG };

static void add_clip(const char *clip, struct text *out)
{
    for (const char *c = clip ? clip : "none"; *c; c++)
        text_add_bytes(out, strchr("/\\|:*?\"<>{} ", *c) || iscntrl((unsigned char)*c) ? "_" : c, 1);
}

static void add_time(double time, struct text *out)
{
    char digits[64];
    snprintf(digits, sizeof digits, "%.6f", time);
    size_t n = strlen(digits);
    while (digits[n - 1] == '0' && digits[n - 4] != '.') /* three decimals stay */
        digits[--n] = '\0';
    text_add(out, digits);
}

/* {frame} or {frame:04}: the digits after the colon are a width, with a leading 0 for zeros. */
static bool add_frame(const char *format, size_t length, long frame, enum mode mode, struct text *out)
{
    int width = 0;
    bool zeros = length > 0 && format[0] == '0';
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)format[i]) || i >= 2)
            return false;
        width = 10 * width + (format[i] - '0');
    }
    if (mode == MODE_SHEET)
        text_add(out, "sheet");
    else if (mode == MODE_FFMPEG)
        text_addf(out, width ? "%%0%dd" : "%%d", width);
    else if (zeros)
        text_addf(out, "%0*ld", width, frame);
    else
        text_addf(out, "%*ld", width, frame);
    return true;
}

static bool add_placeholder(const char *name, size_t length, const struct template_values *values, enum mode mode,
                            struct text *out)
{
    if (length == 5 && strncmp(name, "model", 5) == 0)
        text_add_bytes(out, path_base(values->model), path_stem_length(values->model));
    else if (length == 4 && strncmp(name, "clip", 4) == 0)
        add_clip(values->clip, out);
    else if (length == 4 && strncmp(name, "time", 4) == 0 && mode == MODE_SHEET)
        text_add(out, "sheet");
    else if (length == 4 && strncmp(name, "time", 4) == 0)
        add_time(values->time, out);
    else if (length == 5 && strncmp(name, "frame", 5) == 0)
        return add_frame("", 0, values->frame, mode, out);
    else if (length > 6 && strncmp(name, "frame:", 6) == 0)
        return add_frame(name + 6, length - 6, values->frame, mode, out);
    else
        return false;
    return true;
}

static bool expand(const char *template, const struct template_values *values, enum mode mode, struct text *out,
                   struct error *err)
{
    for (const char *c = template; *c;) {
        const char *close = *c == '{' ? strchr(c, '}') : NULL;
        if (!close) {
            text_add_bytes(out, c++, 1);
            continue;
        }
        size_t length = (size_t)(close - c) - 1;
        if (!add_placeholder(c + 1, length, values, mode, out))
            return error_set(err, "-o: no placeholder {%.*s}; there are {model}, {clip}, {frame}, {frame:04} and {time}",
                             (int)length, c + 1);
        c = close + 1;
    }
    return true;
}

bool template_expand(const char *template, const struct template_values *values, struct text *out, struct error *err)
{
    return expand(template, values, MODE_FRAME, out, err);
}

bool template_expand_sheet(const char *template, const struct template_values *values, struct text *out, struct error *err)
{
    return expand(template, values, MODE_SHEET, out, err);
}

bool template_varies(const char *template)
{
    return strstr(template, "{frame}") || strstr(template, "{frame:") || strstr(template, "{time}");
}

/* In single quotes for a shell. */
static void add_quoted(const char *text, struct text *out)
{
    text_add(out, "'");
    for (const char *c = text; *c; c++)
        if (*c == '\'')
            text_add(out, "'\\''");
        else
            text_add_bytes(out, c, 1);
    text_add(out, "'");
}

bool template_film_command(const char *template, const struct template_values *first, double fps, struct text *out,
                           struct error *err)
{
    struct text pattern = {0};
    bool has_frame = strstr(template, "{frame}") || strstr(template, "{frame:");
    bool good = has_frame && !strstr(template, "{time}") && expand(template, first, MODE_FFMPEG, &pattern, err);
    if (good) {
        text_add(out, "ffmpeg -framerate ");
        text_add_double(out, fps);
        text_addf(out, " -start_number %ld -i ", first->frame);
        add_quoted(text_string(&pattern), out);
        text_add(out, " -pix_fmt yuv420p film.mp4");
    }
    text_release(&pattern);
    return good;
}
