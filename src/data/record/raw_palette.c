/* float32 as they lie in a uniform buffer. */
#include <string.h>

#include "base/bytes.h"
#include "data/record/pose_part.h"

const char *const raw_layout_names[RAW_LAYOUTS] = {"columns", "rows", "rows3x4"};

static size_t numbers_of(enum raw_layout layout)
{
    return layout == RAW_ROWS3X4 ? 12 : 16;
}

uint32_t raw_palette_count(size_t size, enum raw_layout layout)
{
    const size_t bytes = sizeof(float) * numbers_of(layout);
    return size % bytes != 0 || size / bytes > RAW_MOST_MATRICES ? 0 : (uint32_t)(size / bytes);
}

void raw_palette_take(const unsigned char *bytes, uint32_t count, enum raw_layout layout, mat4 *out)
{
    const size_t numbers = numbers_of(layout);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(out[i], mat4_identity, sizeof(mat4));
        for (size_t k = 0; k < numbers; k++) {
            const size_t column = layout == RAW_COLUMNS ? k / 4 : k % 4, row = layout == RAW_COLUMNS ? k % 4 : k / 4;
            const uint32_t bits = (uint32_t)little_endian(bytes + sizeof(float) * (i * numbers + k), sizeof bits);
            memcpy(&out[i][column][row], &bits, sizeof bits);
        }
    }
}

const char **raw_names_read(const void *data, size_t size, const char *name, struct arena *arena, uint32_t *count,
                            struct error *err)
{
    const char *text = data, *end = text + size;
    const char **names = ARENA_NEW(arena, const char *, RAW_MOST_MATRICES);
    uint32_t found = 0;
    *count = 0;
    for (uint32_t line = 1; text < end; line++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((stop ? stop : end) - text);
        if (memchr(text, '\0', length)) {
            error_set(err, "%s: line %u is no text: a bone's name a line is wanted", name, line);
            return NULL;
        }
        if (line > RAW_MOST_MATRICES) {
            error_set(err, "%s: more than %d names", name, RAW_MOST_MATRICES);
            return NULL;
        }
        if (length > 0 && text[length - 1] == '\r')
            length--;
        names[line - 1] = arena_printf(arena, "%.*s", (int)(length < 1000 ? length : 1000), text);
        found = length > 0 ? line : found;
        text = stop ? stop + 1 : end;
    }
    *count = found;
    if (found == 0)
        error_set(err, "%s: no names: a bone's name a line is wanted", name);
    return found > 0 ? names : NULL;
}
