/* CSV and OBJ: what other programs read. */
#include <string.h>

#include "base/file.h"
#include "data/record.h"

void pose_write_csv_header(struct text *out)
{
    text_add(out, "model,clip,time,stage,mesh,bone,parent,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz,"
                  "m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n");
}

/* RFC 4180: a field with a comma, a quote or a line break is quoted, quotes doubled. */
static void add_field(struct text *out, const char *value)
{
    if (!strpbrk(value, ",\"\r\n")) {
        text_add(out, value);
        return;
    }
    text_add(out, "\"");
    for (const char *c = value; *c; c++) {
        text_add_bytes(out, c, 1);
        if (*c == '"')
            text_add(out, "\"");
    }
    text_add(out, "\"");
}

static void add_floats(struct text *out, const float *values, int count)
{
    for (int i = 0; i < count; i++) {
        text_add(out, ",");
        text_add_float(out, values[i]);
    }
}

struct row {
    const char *stage;
    const char *mesh;
    const char *bone;
    const char *parent;
    const struct transform *transform; /* NULL: taken from the matrix */
    const mat4 *matrix;
};

/* The columns that every row has. */
static void add_head(const struct pose_record *record, const struct row *row, struct text *out)
{
    add_field(out, path_base(record->scene->path));
    text_add(out, ",");
    add_field(out, record->clip ? record->clip : "");
    text_add(out, ",");
    text_add_double(out, record->time);
    const char *fields[] = {row->stage, row->mesh, row->bone, row->parent};
    for (int i = 0; i < 4; i++) {
        text_add(out, ",");
        add_field(out, fields[i]);
    }
}

static void add_row(const struct pose_record *record, const struct row *row, struct text *out)
{
    struct transform taken_apart;
    const struct transform *t = row->transform;
    float rows[12];
    if (!t) {
        affine_to_transform(*row->matrix, &taken_apart);
        t = &taken_apart;
    }
    add_head(record, row, out);
    add_floats(out, t->translation, 3);
    add_floats(out, t->rotation, 4);
    add_floats(out, t->scale, 3);
    affine_rows(*row->matrix, rows);
    add_floats(out, rows, 12);
    text_add(out, "\n");
}

/* A morph target: its name as bone, the mesh's node as parent, the weight as tx; the other columns are empty. */
static void add_morph_rows(const struct pose_record *record, struct text *out)
{
    enum { EMPTY = 21 };
    const struct scene *scene = record->scene;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        for (uint32_t t = 0; t < mesh->target_count; t++) {
            const struct row row = {"morph", mesh->name, mesh->targets[t].name, scene->nodes[instance->node].name, NULL, NULL};
            add_head(record, &row, out);
            add_floats(out, &record->pose->morph_weights[instance->first_weight + t], 1);
            for (int k = 0; k < EMPTY; k++)
                text_add(out, ",");
            text_add(out, "\n");
        }
    }
}

void pose_write_csv(const struct pose_record *record, struct text *out)
{
    const struct scene *scene = record->scene;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const struct node *node = &scene->nodes[i];
        const char *parent = node->parent == NO_INDEX ? "" : scene->nodes[node->parent].name;
        add_row(record, &(struct row){"local", "", node->name, parent, &record->pose->local[i], &record->pose->local_to_parent[i]}, out);
        add_row(record, &(struct row){"global", "", node->name, parent, NULL, &record->pose->node_to_scene[i]}, out);
    }
    add_morph_rows(record, out);
    for (uint32_t i = 0; i < record->palette->count; i++) {
        const struct binding *binding = &scene->bindings[i];
        const struct node *node = &scene->nodes[binding->node];
        const char *mesh = scene->meshes[scene->instances[binding->instance].mesh].name;
        const char *parent = node->parent == NO_INDEX ? "" : scene->nodes[node->parent].name;
        add_row(record, &(struct row){"palette", mesh, node->name, parent, NULL, &record->palette->mesh_to_scene[i]}, out);
    }
}

/* ---- OBJ ----------------------------------------------------------------------------------------------------- */

/* OBJ has no quoting: a name ends at the line's end, and blanks are made visible. */
static void add_name(struct text *out, const char *name)
{
    for (const char *c = name[0] ? name : "mesh"; *c; c++)
        text_add_bytes(out, (unsigned char)*c <= ' ' ? "_" : c, 1);
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

static void add_faces(struct text *out, const struct mesh *mesh, uint32_t v0, uint32_t t0)
{
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++) {
        unsigned v = v0 + mesh->indices[i];
        text_add(out, i % 3 == 0 ? "f " : " ");
        if (mesh->uvs)
            text_addf(out, "%u/%u/%u", v, t0 + mesh->indices[i], v);
        else
            text_addf(out, "%u//%u", v, v);
        if (i % 3 == 2)
            text_add(out, "\n");
    }
}

void pose_write_obj(const struct pose_record *record, struct text *out)
{
    uint32_t next_vertex = 1, next_uv = 1;
    text_add(out, "# ");
    add_name(out, path_base(record->scene->path));
    text_add(out, ", clip ");
    add_name(out, record->clip ? record->clip : "none");
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
            add_line(out, "vt", (vec2){mesh->uvs[v][0], 1.0f - mesh->uvs[v][1]}, 2); /* OBJ's origin is the lower left */
        for (uint32_t v = 0; v < skinned->vertex_count; v++)
            add_line(out, "vn", skinned->normals[v], 3);
        add_faces(out, mesh, next_vertex, next_uv);
        next_vertex += skinned->vertex_count;
        next_uv += mesh->uvs ? skinned->vertex_count : 0;
    }
}
