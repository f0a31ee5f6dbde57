/* Files without a form of their own: a raw palette, which is float32 and nothing else, with a list of names; skinned
 * vertices as Wavefront OBJ, of which v, vn, objects and groups count. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "subject/subject.h"

/* Takes a line off a text that ends at `end`: its length is without its end. */
static const char *next_line(const char **at, const char *end, size_t *length)
{
    const char *line = *at, *stop = memchr(line, '\n', (size_t)(end - line));
    *length = (size_t)((stop ? stop : end) - line);
    *length -= *length > 0 && line[*length - 1] == '\r';
    *at = stop ? stop + 1 : end;
    return line;
}

/* A line each, "\r" before the end of a line and empty lines at the end ignored. NULL with err set. */
static const char **read_names(const struct blob *file, const char *path, struct arena *arena, uint32_t *count,
                               struct error *err)
{
    const char *at = (const char *)file->data, *end = at + file->size;
    const char **names = ARENA_NEW(arena, const char *, SUBJECT_MOST_ITEMS);
    size_t length;
    *count = 0;
    for (uint32_t line = 1; at < end; line++) {
        const char *text = next_line(&at, end, &length);
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

/* Returns how many numbers a matrix has; 0 with err set. */
static size_t find_width(const struct raw_file *file, const float *numbers, uint32_t name_count, struct error *err)
{
    const size_t size = file->bytes.size, count = size / sizeof(float);
    const size_t shown = subject_palette_width(numbers, count, file->storage, NULL),
                 width = name_count > 0 ? subject_palette_width(numbers, count, file->storage, &name_count) : shown;
    if (count == 0 || shown == 0 || size % sizeof(float) != 0)
        error_set(err, "%s: %zu bytes are no palette: a matrix is %s bytes of float32, and there are 1 to %d of them",
                  file->name, size,
                  file->storage == STORAGE_UNKNOWN   ? "64 (or 48 of rows3x4)"
                  : file->storage == STORAGE_ROWS3X4 ? "48"
                                                     : "64",
                  SUBJECT_MOST_ITEMS);
    else if (width == 0)
        error_set(err, "%s has %zu matrices, but %s has %u names", file->name, count / shown, file->names_name,
                  name_count);
    return error_is_set(err) ? 0 : width;
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
        subject_set_palette(numbers, width, (uint32_t)(count / width), names, arena, out);
    return width > 0;
}

static bool read_vector(const char *text, vec3 out)
{
    char *end;
    for (int k = 0; k < 3; k++, text = end) {
        out[k] = strtof(text, &end);
        if (end == text || !isfinite(out[k]))
            return false;
    }
    return true;
}

bool subject_read_obj(struct blob *bytes, const char *name, struct arena *arena, struct subject_answer *out,
                      struct error *err)
{
    enum { POSITION, NORMAL, KINDS };
    static const char *const words[KINDS] = {"v ", "vn "};
    const char *at = (const char *)bytes->data, *end = at + bytes->size, *mesh = NULL;
    size_t lines = 1, meshes = 2, length; /* vertices may come before the first object */
    uint32_t counts[KINDS] = {0, 0};
    bool is_new = true;
    for (const char *c = at; c < end; c++) {
        lines += *c == '\n';
        meshes += *c == '\n' && (c[1] == 'o' || c[1] == 'g');
    }
    if (!arena_fits(arena, lines, KINDS * sizeof(vec3)) || !arena_fits(arena, meshes, sizeof *out->skin))
        return error_set(err, "%s: more vertices than fit in memory", name);
    vec3 *vectors[KINDS] = {ARENA_NEW(arena, vec3, lines), ARENA_NEW(arena, vec3, lines)};
    *out = (struct subject_answer){.has = SUBJECT_SKIN, .head = subject_no_head};
    out->skin = ARENA_NEW(arena, struct skin_snapshot, meshes);
    for (size_t number = 1; at < end; number++) {
        char *line = (char *)next_line(&at, end, &length);
        line[length] = '\0';
        if (strncmp(line, "o ", 2) == 0 || strncmp(line, "g ", 2) == 0) {
            mesh = arena_string(arena, line + 2);
            is_new = true;
        }
        for (int k = 0; k < KINDS; k++) {
            const size_t word = strlen(words[k]);
            if (strncmp(line, words[k], word) != 0)
                continue;
            if (!read_vector(line + word, vectors[k][counts[k]++]))
                return error_set(err, "%s: line %zu: expected three finite numbers after %.*s", name, number,
                                 (int)word - 1, words[k]);
            if (k == POSITION) {
                out->skin_count += is_new;
                out->skin[out->skin_count - 1].mesh = mesh;
                out->skin[out->skin_count - 1].vertices++;
                is_new = false;
            }
        }
    }
    const bool has_normals = counts[NORMAL] == counts[POSITION];
    for (uint32_t i = 0, first = 0; i < out->skin_count; first += out->skin[i++].vertices)
        out->skin[i] = subject_skin(out->skin[i].mesh, (const vec3 *)vectors[POSITION] + first,
                                    has_normals ? (const vec3 *)vectors[NORMAL] + first : NULL, out->skin[i].vertices);
    return out->skin_count > 0 || error_set(err, "%s: no vertices: lines that begin with v are wanted", name);
}
