/* Skinned vertices as Wavefront OBJ: v and vn, an object or group a mesh. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "subject/subject.h"

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
        char *line = (char *)subject_next_line(&at, end, &length);
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
