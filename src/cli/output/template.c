#include "cli/output/template.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/sort.h"
#include "report/escape.h"

/* {frame} or {frame:04}: the digits after the colon are a width, with a leading 0 for zeros. */
static bool add_frame(const char *format, size_t length, long frame, enum template_mode mode, struct text *out)
{
    int width = 0;
    if (length > 2 || strspn(format, "0123456789") < length)
        return false;
    for (size_t i = 0; i < length; i++)
        width = 10 * width + (format[i] - '0');
    if (mode == TEMPLATE_SHEET)
        text_add(out, "sheet");
    else if (mode == TEMPLATE_FFMPEG)
        text_addf(out, width ? "%%0%dd" : "%%d", width);
    else
        text_addf(out, length > 0 && format[0] == '0' ? "%0*ld" : "%*ld", width, frame);
    return true;
}

void template_add_clip(const char *name, struct text *out)
{
    for (const char *n = name; *n; n++) {
        bool is_first_dot = n == name && *n == '.'; /* ".." is a folder, and a hidden file is not looked for */
        text_add_bytes(out, is_first_dot || strchr("/\\|:*?\"<>{} ", *n) || iscntrl((unsigned char)*n) ? "_" : n, 1);
    }
}

bool template_expand(const char *template, enum template_mode mode, const struct template_values *values,
                     struct text *out, struct error *err)
{
    for (const char *c = template, *close; *c; c = close + 1) {
        close = *c == '{' ? strchr(c, '}') : NULL;
        if (!close) {
            text_add(out, *c == '%' && mode == TEMPLATE_FFMPEG ? "%" : ""); /* ffmpeg reads %% as a percent sign */
            text_add_bytes(out, close = c, 1);
            continue;
        }
        size_t length = (size_t)(close - c) - 1;
        bool good = true;
        if (strncmp(c, "{model}", 7) == 0)
            text_add_bytes(out, path_base(values->model), path_stem_length(values->model));
        else if (strncmp(c, "{clip}", 6) == 0)
            template_add_clip(values->clip ? values->clip : "rest", out);
        else if (strncmp(c, "{time}", 6) == 0 && mode == TEMPLATE_SHEET)
            text_add(out, "sheet");
        else if (strncmp(c, "{time}", 6) == 0)
            text_add_seconds(out, values->time);
        else if (strncmp(c, "{frame}", 7) == 0)
            add_frame("", 0, values->frame, mode, out);
        else
            good =
                length > 6 && strncmp(c, "{frame:", 7) == 0 && add_frame(c + 7, length - 6, values->frame, mode, out);
        if (!good)
            return error_set(err,
                             "-o: no placeholder {%.*s}; there are {model}, {clip}, {frame}, {frame:04} and {time}",
                             (int)length, c + 1);
    }
    return true;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(text_string(a), text_string(b));
}

bool template_names_differ(const char *template, struct template_values (*values_of)(const void *context, size_t i),
                           const void *context, size_t count, struct error *err)
{
    FREED struct text *names = memory_new(count, sizeof *names);
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        struct template_values values = values_of(context, i);
        good = template_expand(template, TEMPLATE_NAME, &values, &names[i], err);
    }
    if (good)
        sort_items(names, count, sizeof *names, by_text);
    for (size_t i = 1; good && i < count; i++)
        if (strcmp(text_string(&names[i - 1]), text_string(&names[i])) == 0)
            good = error_set(err, "-o %s: two frames would both be %s", template, text_string(&names[i]));
    for (size_t i = 0; i < count; i++)
        text_release(&names[i]);
    return good;
}

bool template_varies(const char *template)
{
    return strstr(template, "{frame}") || strstr(template, "{frame:") || strstr(template, "{time}");
}

int template_format(const char *template, const char *const *words, int count, int otherwise)
{
    const char *dot = strrchr(path_base(template), '.');
    const char *const *found = NAMED(words, (size_t)count, dot ? dot + 1 : NULL);
    return found ? (int)(found - words) : otherwise;
}

bool template_open(const char *template, enum template_mode mode, const struct template_values *values,
                   struct text *path, struct error *err)
{
    struct stat st;
    if (!template_expand(template, mode, values, path, err) || !file_make_parent(text_string(path), err))
        return false;
    if (!template_varies(template) || lstat(text_string(path), &st) != 0 || !S_ISLNK(st.st_mode))
        return true;
    return error_set(err, "-o %s: %s is a link, and a sequence is not written through links: remove it", template,
                     text_string(path));
}

bool template_check_picture(const char *template, struct error *err)
{
    static const char *const others[] = {"apng", "gif", "mp4", "webm", "jpg",  "jpeg",
                                         "bmp",  "tga", "tif", "tiff", "webp", "exr"};
    enum { FILMS = 4 };
    char extension[16] = "";
    path_extension(template ? template : "", extension);
    const char *const *other = NAMED(others, sizeof others / sizeof others[0], extension);
    if (other && other - others < FILMS)
        return error_set(err, "-o %s: pictures are PNG: a film is --film %s", template, template);
    return !other || error_set(err, "-o %s: pictures are PNG: name them .png", template);
}

bool template_film_command(const char *template, const struct template_values *first, double fps, struct text *out,
                           struct error *err)
{
    SCOPED(text) pattern = {0};
    bool has_frame = strstr(template, "{frame}") || strstr(template, "{frame:");
    bool good =
        has_frame && !strstr(template, "{time}") && template_expand(template, TEMPLATE_FFMPEG, first, &pattern, err);
    if (good) {
        text_add(out, "ffmpeg -framerate ");
        text_add_double(out, fps);
        text_addf(out, " -start_number %ld -i ", first->frame);
        escape_shell_quoted(text_string(&pattern), out);
        text_add(out, " -pix_fmt yuv420p film.mp4");
    }
    return good;
}
