/* A raw palette: float32, little-endian, and nothing else: no header, no names. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "subject/subject.h"

/* A line each, "\r" before the end of a line and empty lines at the end ignored. NULL with err set. */
static const char **read_names(const struct blob *file, const char *path, struct arena *arena, uint32_t *count,
                               struct error *err)
{
    const char *text = (const char *)file->data, *end = text + file->size;
    const char **names = ARENA_NEW(arena, const char *, SUBJECT_MOST_ITEMS);
    *count = 0;
    for (uint32_t line = 1; text < end; line++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((stop ? stop : end) - text);
        if (memchr(text, '\0', length)) {
            error_set(err, "%s: line %u is no text: a bone's name a line is wanted", path, line);
            return NULL;
        }
        if (line > SUBJECT_MOST_ITEMS) {
            error_set(err, "%s: more than %d names", path, SUBJECT_MOST_ITEMS);
            return NULL;
        }
        length -= length > 0 && text[length - 1] == '\r';
        names[line - 1] = arena_printf(arena, "%.*s", (int)(length < 1000 ? length : 1000), text);
        *count = length > 0 ? line : *count;
        text = stop ? stop + 1 : end;
    }
    if (*count == 0)
        error_set(err, "%s: no names: a bone's name a line is wanted", path);
    return *count > 0 ? names : NULL;
}

static float *read_floats(const struct blob *bytes, struct arena *arena)
{
    const size_t count = bytes->size / sizeof(float);
    float *out = ARENA_NEW(arena, float, count);
    for (size_t i = 0; i < count; i++) {
        const unsigned char *from = bytes->data + sizeof(float) * i;
        const uint32_t bits =
            (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
        memcpy(&out[i], &bits, sizeof bits);
    }
    return out;
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
    const float *numbers = read_floats(&file->bytes, arena);
    const size_t count = file->bytes.size / sizeof(float);
    uint32_t name_count = 0;
    const char **names = file->names_name ? read_names(&file->names, file->names_name, arena, &name_count, err) : NULL;
    const size_t width = error_is_set(err) ? 0 : find_width(file, numbers, name_count, err);
    *out = (struct subject_answer){.storage = file->storage, .lacks_clip = true, .lacks_time = true, .is_part = true};
    for (size_t i = 0; i < count && width > 0; i++)
        if (!isfinite(numbers[i]))
            return error_set(err, "%s: matrix %zu%s%.60s%s is not finite: it holds %s", file->name, i / width,
                             names ? " (bone `" : "", names ? names[i / width] : "", names ? "`)" : "",
                             isnan(numbers[i]) ? "a NaN" : "an infinity");
    if (width > 0)
        subject_take_palette(numbers, width, (uint32_t)(count / width), names, arena, out);
    return width > 0;
}
