/* A raw palette: float32, little-endian, and nothing else: no header, no names. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "subject/subject.h"

/* A line each, "\r" before the end of a line and empty lines at the end ignored. NULL with err set. */
static const char **read_names(const struct blob *file, const char *path, struct arena *arena, uint32_t *count,
                               struct error *err)
{
    const char *at = (const char *)file->data, *end = at + file->size;
    const char **names = ARENA_NEW(arena, const char *, SUBJECT_MOST_ITEMS);
    size_t length;
    *count = 0;
    for (uint32_t line = 1; at < end; line++) {
        const char *text = subject_next_line(&at, end, &length);
        if (memchr(text, '\0', length) || line > SUBJECT_MOST_ITEMS) {
            error_set(err, line > SUBJECT_MOST_ITEMS ? "%s: more than %d names"
                                                     : "%s: line %d is no text: a bone's name a line is wanted",
                      path, line > SUBJECT_MOST_ITEMS ? SUBJECT_MOST_ITEMS : (int)line);
            return NULL;
        }
        names[line - 1] = arena_printf(arena, "%.*s", (int)(length < 1000 ? length : 1000), text);
        *count = length > 0 ? line : *count;
    }
    if (*count == 0)
        error_set(err, "%s: no names: a bone's name a line is wanted", path);
    return *count > 0 ? names : NULL;
}

/* How many numbers a matrix has; 0 with err set. */
static size_t find_width(const struct raw_file *file, const float *numbers, uint32_t name_count, struct error *err)
{
    const size_t size = file->bytes.size, count = size / sizeof(float), most = SUBJECT_MOST_ITEMS;
    const bool is_16 = file->storage != STORAGE_ROWS3X4, is_12 = file->storage == STORAGE_UNKNOWN || !is_16;
    const bool fits_16 = is_16 && size % (16 * sizeof(float)) == 0 && count / 16 <= most;
    const bool fits_12 = is_12 && size % (12 * sizeof(float)) == 0 && count / 12 <= most;
    if (count == 0 || !(fits_16 || fits_12)) {
        error_set(err, "%s: %zu bytes are no palette: a matrix is %s bytes of float32, and there are 1 to %d of them",
                  file->name, size,
                  is_16 && is_12 ? "64 (or 48 of rows3x4)"
                  : is_16        ? "64"
                                 : "48",
                  SUBJECT_MOST_ITEMS);
        return 0;
    }
    const size_t shown = !fits_16 ? 12 : !fits_12 ? 16 : subject_palette_width(numbers, count);
    if (name_count == 0 || count == shown * name_count)
        return shown;
    if ((fits_16 && count == 16 * (size_t)name_count) || (fits_12 && count == 12 * (size_t)name_count))
        return count / name_count;
    error_set(err, "%s has %zu matrices, but %s has %u names", file->name, count / shown, file->names_name, name_count);
    return 0;
}

bool subject_read_raw(const struct raw_file *file, struct arena *arena, struct subject_answer *out, struct error *err)
{
    const size_t count = file->bytes.size / sizeof(float);
    float *numbers = ARENA_NEW(arena, float, count);
    const size_t finite = subject_read_floats(file->bytes.data, count, sizeof *numbers, numbers);
    uint32_t name_count = 0;
    const char **names = file->names_name ? read_names(&file->names, file->names_name, arena, &name_count, err) : NULL;
    const size_t width = error_is_set(err) ? 0 : find_width(file, numbers, name_count, err);
    *out = (struct subject_answer){.storage = file->storage, .head = subject_no_head};
    if (width > 0 && finite < count)
        return error_set(err, "%s: matrix %zu%s%.60s%s is not finite: it holds %s", file->name, finite / width,
                         names ? " (bone `" : "", names ? names[finite / width] : "", names ? "`)" : "",
                         isnan(numbers[finite]) ? "a NaN" : "an infinity");
    if (width > 0)
        subject_take_palette(numbers, width, (uint32_t)(count / width), names, arena, out);
    return width > 0;
}
