/* Skinned vertices as Wavefront OBJ: v and vn, an object or group a mesh. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/foreign_files.h"

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
static bool read_objects(const struct foreign *theirs, struct objects *out, struct error *err)
{
    char *text = (char *)theirs->bytes.data, *end = text + theirs->bytes.size;
    size_t lines = 1;
    for (const char *c = text; c < end; c++)
        lines += *c == '\n';
    if (!arena_fits(theirs->arena, lines, 2 * sizeof(vec3) + sizeof(struct object)))
        return error_set(err, "%s: more vertices than fit in memory", theirs->name);
    *out = (struct objects){.items = ARENA_NEW(theirs->arena, struct object, lines),
                            .positions = ARENA_NEW(theirs->arena, vec3, lines), .normals = ARENA_NEW(theirs->arena, vec3, lines)};
    for (size_t line = 1; text < end; line++) {
        char *stop = memchr(text, '\n', (size_t)(end - text));
        char *last = stop ? stop : end;
        *last = '\0';
        if (last > text && last[-1] == '\r')
            last[-1] = '\0';
        if ((strncmp(text, "o ", 2) == 0 || strncmp(text, "g ", 2) == 0)) {
            out->items[out->count++] = (struct object){arena_string(theirs->arena, text + 2), out->vertex_count, 0};
        } else if (strncmp(text, "v ", 2) == 0) {
            if (out->count == 0)
                out->items[out->count++] = (struct object){.first = 0};
            if (!read_vector(text + 2, out->positions[out->vertex_count++]))
                return error_set(err, "%s: line %zu: expected three finite numbers after v", theirs->name, line);
            out->items[out->count - 1].count++;
        } else if (strncmp(text, "vn ", 3) == 0 && !read_vector(text + 3, out->normals[out->normal_count++])) {
            return error_set(err, "%s: line %zu: expected three finite numbers after vn", theirs->name, line);
        }
        text = last + 1;
    }
    return out->vertex_count > 0 || error_set(err, "%s: no vertices: lines that begin with v are wanted", theirs->name);
}

/* The object of that name; without names of the scene's, the k-th. NULL: none. */
static const struct object *find_object(const struct objects *objects, const char *name, bool has_names, uint32_t k,
                                        bool *used)
{
    for (size_t i = 0; has_names && i < objects->count; i++)
        if (!used[i] && objects->items[i].name && strcmp(objects->items[i].name, name) == 0) {
            used[i] = true;
            return &objects->items[i];
        }
    return has_names || k >= objects->count ? NULL : &objects->items[k];
}

struct pose_snapshot *obj_resolve(const struct foreign *theirs, const struct scene *scene, struct error *err)
{
    struct objects objects = {0};
    const struct pose_snapshot *reference = theirs->reference;
    if (!read_objects(theirs, &objects, err))
        return NULL;
    struct object whole = {0};
    bool *used = ARENA_NEW(theirs->arena, bool, objects.count), has_names = false;
    size_t vertices = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        vertices += reference->skin[i].vertices;
        for (size_t k = 0; k < objects.count; k++)
            has_names = has_names || (objects.items[k].name && strcmp(objects.items[k].name, reference->skin[i].mesh) == 0);
    }
    const bool in_a_row = !has_names && vertices == objects.vertex_count; /* all meshes, whatever the file's objects are */
    struct pose_snapshot *pose = ARENA_NEW(theirs->arena, struct pose_snapshot, 1);
    pose->left_out = POSE_STAGES & ~(unsigned)POSE_SKIN;
    pose->lacks_clip = pose->lacks_time = pose->is_part = true;
    pose->skin = ARENA_NEW(theirs->arena, struct skin_snapshot, scene->instance_count);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct object *object = in_a_row ? &whole : find_object(&objects, reference->skin[i].mesh, has_names, i, used);
        whole.count = reference->skin[i].vertices;
        if (object && object->count > 0) {
            struct skinned given = {.vertex_count = (uint32_t)object->count, .positions = objects.positions + object->first};
            struct skin_snapshot *skin = &pose->skin[pose->skin_count++];
            *skin = skin_summarise(&given);
            skin->mesh = reference->skin[i].mesh;
            skin->position_count = given.vertex_count;
            skin->positions = (const vec3 *)given.positions;
            if (objects.normal_count == objects.vertex_count) {
                skin->normal_count = given.vertex_count;
                skin->normals = (const vec3 *)(objects.normals + object->first);
            }
        }
        whole.first += whole.count;
    }
    if (pose->skin_count == 0)
        error_set(err, "%s: no object is called like a mesh of %s, and they are not as many", theirs->name, reference->model);
    return pose->skin_count > 0 ? pose : NULL;
}
