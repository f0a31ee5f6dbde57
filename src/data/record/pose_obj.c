/* Wavefront OBJ of a posed mesh. */
#include "base/file/file.h"
#include "data/record/record.h"

/* OBJ has no quoting: a name ends at the line's end, and a backslash would join it with the next. */
static void add_name(struct text *out, const char *name)
{
    SCOPED(text) plain = {0};
    text_add_name(&plain, name[0] ? name : "mesh");
    for (const char *c = text_string(&plain); *c; c++)
        text_add_bytes(out, *c == ' ' || *c == '\\' ? "_" : c, 1);
}

static void add_line(struct text *out, const char *keyword, const float *values, int count)
{
    text_add(out, keyword);
    for (int i = 0; i < count; i++) {
        text_add(out, " ");
        text_add_float(out, values[i]);
    }
    text_add(out, "\n");
}

void pose_write_obj(const struct pose_record *record, struct text *out)
{
    uint32_t next_vertex = 1, next_uv = 1;
    text_add(out, "# ");
    add_name(out, path_base(record->scene->path));
    text_add(out, ", clip ");
    add_name(out, record->clip ? record->clip : "rest");
    text_add(out, ", time ");
    text_add_double(out, record->time);
    text_add(out, " s, posed on the CPU\n");
    for (uint32_t i = 0; i < record->scene->instance_count; i++) {
        const struct skinned *skinned = &record->skinned[i];
        const struct mesh *mesh = &record->scene->meshes[record->scene->instances[i].mesh];
        text_add(out, "o ");
        add_name(out, mesh->name);
        text_add(out, "\n");
        for (uint32_t v = 0; v < skinned->vertex_count; v++)
            add_line(out, "v", skinned->positions[v], 3);
        for (uint32_t v = 0; mesh->uvs && v < skinned->vertex_count; v++)
            add_line(out, "vt", (vec2){mesh->uvs[v][0], 1.0f - mesh->uvs[v][1]}, 2); /* their origin: the lower left */
        for (uint32_t v = 0; v < skinned->vertex_count; v++)
            add_line(out, "vn", skinned->normals[v], 3);
        for (uint32_t k = 0; k < 3 * mesh->triangle_count; k++) {
            unsigned vertex = next_vertex + mesh->indices[k];
            text_add(out, k % 3 == 0 ? "f " : " ");
            if (mesh->uvs)
                text_addf(out, "%u/%u/%u", vertex, next_uv + mesh->indices[k], vertex);
            else
                text_addf(out, "%u//%u", vertex, vertex);
            text_add(out, k % 3 == 2 ? "\n" : "");
        }
        next_vertex += skinned->vertex_count;
        next_uv += mesh->uvs ? skinned->vertex_count : 0;
    }
}
