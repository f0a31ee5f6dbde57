/* Skinned vertices as Wavefront OBJ: v and vn, an object or group a mesh. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "subject/subject.h"

/* An object of the file. */
struct object {
    const char *name;
    size_t first, count; /* of its vertices */
};

struct objects {
    size_t count, vertex_count, normal_count;
    struct object *items;
    vec3 *positions, *normals;
};

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

/* False with err set. The bytes are cut into lines. */
static bool read_objects(struct blob *bytes, const char *name, struct arena *arena, struct objects *out,
                         struct error *err)
{
    char *text = (char *)bytes->data, *end = text + bytes->size;
    size_t lines = 1;
    for (const char *c = text; c < end; c++)
        lines += *c == '\n';
    if (!arena_fits(arena, lines, 2 * sizeof(vec3) + sizeof(struct object)))
        return error_set(err, "%s: more vertices than fit in memory", name);
    *out = (struct objects){.items = ARENA_NEW(arena, struct object, lines),
                            .positions = ARENA_NEW(arena, vec3, lines),
                            .normals = ARENA_NEW(arena, vec3, lines)};
    for (size_t line = 1; text < end; line++) {
        char *stop = memchr(text, '\n', (size_t)(end - text));
        char *last = stop ? stop : end;
        *last = '\0';
        if (last > text && last[-1] == '\r')
            last[-1] = '\0';
        if ((strncmp(text, "o ", 2) == 0 || strncmp(text, "g ", 2) == 0)) {
            out->items[out->count++] = (struct object){arena_string(arena, text + 2), out->vertex_count, 0};
        } else if (strncmp(text, "v ", 2) == 0) {
            if (out->count == 0)
                out->items[out->count++] = (struct object){.first = 0};
            if (!read_vector(text + 2, out->positions[out->vertex_count++]))
                return error_set(err, "%s: line %zu: expected three finite numbers after v", name, line);
            out->items[out->count - 1].count++;
        } else if (strncmp(text, "vn ", 3) == 0 && !read_vector(text + 3, out->normals[out->normal_count++])) {
            return error_set(err, "%s: line %zu: expected three finite numbers after vn", name, line);
        }
        text = last + 1;
    }
    return out->vertex_count > 0 || error_set(err, "%s: no vertices: lines that begin with v are wanted", name);
}

bool subject_read_obj(struct blob *bytes, const char *name, struct arena *arena, struct subject_answer *out,
                      struct error *err)
{
    struct objects objects = {0};
    if (!read_objects(bytes, name, arena, &objects, err))
        return false;
    *out = (struct subject_answer){.has = SUBJECT_SKIN, .lacks_clip = true, .lacks_time = true, .is_part = true};
    out->skin = ARENA_NEW(arena, struct skin_snapshot, objects.count);
    for (size_t i = 0; i < objects.count; i++) {
        const struct object *object = &objects.items[i];
        const struct skinned given = {.vertex_count = (uint32_t)object->count,
                                      .positions = objects.positions + object->first};
        if (object->count == 0)
            continue;
        struct skin_snapshot *skin = &out->skin[out->skin_count++];
        *skin = skin_summarise(&given);
        skin->mesh = object->name;
        skin->position_count = given.vertex_count;
        skin->positions = (const vec3 *)given.positions;
        if (objects.normal_count == objects.vertex_count) {
            skin->normal_count = given.vertex_count;
            skin->normals = (const vec3 *)(objects.normals + object->first);
        }
    }
    return true;
}
