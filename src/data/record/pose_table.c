/* CSV of a pose: rows of equal columns, for plots and spreadsheets. */
#include <string.h>

#include "base/file/file.h"
#include "data/record/record.h"

enum { DEFAULT_STAGES = POSE_LOCAL | POSE_GLOBAL | POSE_PALETTE };

void pose_write_csv_header(const struct pose_part *part, struct text *out)
{
    text_add(out, "model,clip,time,");
    if (pose_part_wants(part, DEFAULT_STAGES, POSE_SKIN)) {
        text_add(out, part->vertices ? "mesh,vertex,x,y,z,nx,ny,nz\n"
                                     : "mesh,vertices,minx,miny,minz,maxx,maxy,maxz,cx,cy,cz\n");
        return;
    }
    text_add(out, "stage,mesh,bone,parent,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz,"
                  "m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23");
    text_add(out, part && part->local ? ",vx,vy,vz,wx,wy,wz\n" : "\n");
}

/* RFC 4180: a field with a comma or a quote is quoted, quotes doubled. JSON has names as they are. */
static void add_field(struct text *out, const char *value)
{
    struct text name = {0};
    text_add_name(&name, value);
    bool is_plain = !strpbrk(text_string(&name), ",\"");
    text_add(out, is_plain ? text_string(&name) : "\"");
    for (const char *c = text_string(&name); !is_plain && *c; c++)
        text_add_bytes(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    text_add(out, is_plain ? "" : "\"");
    text_release(&name);
}

static void add_floats(struct text *out, const float *values, int count)
{
    for (int i = 0; i < count; i++) {
        text_add(out, ",");
        text_add_float(out, values[i]);
    }
}

/* What all rows of one time begin with: model, clip, time. */
struct rows {
    const struct pose_record *record;
    struct text prefix;
    struct text *out;
};

static void begin_rows(struct rows *rows)
{
    const struct pose_record *record = rows->record;
    add_field(&rows->prefix, path_base(record->scene->path));
    text_add(&rows->prefix, ",");
    add_field(&rows->prefix, record->clip ? record->clip : "");
    text_add(&rows->prefix, ",");
    text_add_double(&rows->prefix, record->time);
}

static void begin_row(struct rows *rows, const char *mesh)
{
    text_add_bytes(rows->out, rows->prefix.data, rows->prefix.size);
    text_add(rows->out, ",");
    add_field(rows->out, mesh);
}

/* ---- nodes and palette ------------------------------------------------------------------------------------------- */

struct row {
    const char *stage;
    const char *mesh;
    uint32_t node;
    const struct transform *transform; /* NULL: taken from the matrix */
    const mat4 *matrix;
    const struct motion *motion;       /* NULL: none */
};

static void add_row(struct rows *rows, const struct row *row)
{
    const struct scene *scene = rows->record->scene;
    const struct pose_part *part = rows->record->part;
    int32_t parent = scene->nodes[row->node].parent;
    const char *fields[] = {row->stage, row->mesh, scene->nodes[row->node].name,
                            parent == NO_INDEX ? "" : scene->nodes[parent].name};
    struct transform taken_apart;
    const struct transform *t = row->transform;
    float matrix[12];
    if (!t) {
        affine_to_transform(*row->matrix, &taken_apart);
        t = &taken_apart;
    }
    text_add_bytes(rows->out, rows->prefix.data, rows->prefix.size);
    for (int i = 0; i < 4; i++) {
        text_add(rows->out, ",");
        add_field(rows->out, fields[i]);
    }
    affine_rows(*row->matrix, matrix);
    add_floats(rows->out, t->translation, 3);
    add_floats(rows->out, t->rotation, 4);
    add_floats(rows->out, t->scale, 3);
    add_floats(rows->out, matrix, 12);
    if (row->motion) {
        add_floats(rows->out, row->motion->linear, 3);
        add_floats(rows->out, row->motion->angular, 3);
    } else if (part && part->local) {
        text_add(rows->out, ",,,,,,");
    }
    text_add(rows->out, "\n");
}

static void add_node(struct rows *rows, uint32_t i)
{
    const struct pose *pose = rows->record->pose;
    const struct pose_part *part = rows->record->part;
    if (pose_part_wants(part, DEFAULT_STAGES, POSE_LOCAL))
        add_row(rows, &(struct row){"local", "", i, &pose->local[i], &pose->local_to_parent[i],
                                    part && part->local ? &part->local[i] : NULL});
    if (pose_part_wants(part, DEFAULT_STAGES, POSE_GLOBAL))
        add_row(rows, &(struct row){"global", "", i, NULL, &pose->node_to_scene[i],
                                    part && part->global ? &part->global[i] : NULL});
}

/* A morph target: its name as bone, the mesh's node as parent, the weight as tx; the other columns are empty. */
static void add_morph(struct rows *rows, const struct instance *instance, uint32_t target)
{
    enum { EMPTY = 21, VELOCITIES = 6 };
    const struct scene *scene = rows->record->scene;
    const struct mesh *mesh = &scene->meshes[instance->mesh];
    const struct pose_part *part = rows->record->part;
    const char *fields[] = {"morph", mesh->name, mesh->targets[target].name, scene->nodes[instance->node].name};
    text_add_bytes(rows->out, rows->prefix.data, rows->prefix.size);
    for (int i = 0; i < 4; i++) {
        text_add(rows->out, ",");
        add_field(rows->out, fields[i]);
    }
    add_floats(rows->out, &rows->record->pose->morph_weights[instance->first_weight + target], 1);
    for (int i = 0; i < EMPTY + (part && part->local ? VELOCITIES : 0); i++)
        text_add(rows->out, ",");
    text_add(rows->out, "\n");
}

static void add_morphs(struct rows *rows)
{
    const struct scene *scene = rows->record->scene;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        for (uint32_t t = 0; t < scene->meshes[scene->instances[i].mesh].target_count; t++)
            add_morph(rows, &scene->instances[i], t);
}

static void add_entry(struct rows *rows, uint32_t i)
{
    const struct scene *scene = rows->record->scene;
    const struct binding *binding = &scene->bindings[i];
    const char *mesh = scene->meshes[scene->instances[binding->instance].mesh].name;
    add_row(rows, &(struct row){"palette", mesh, binding->node, NULL, &rows->record->palette->mesh_to_scene[i], NULL});
}

/* ---- skin -------------------------------------------------------------------------------------------------------- */

static void add_vertices(struct rows *rows, const char *mesh, const struct skinned *skinned)
{
    for (uint32_t v = 0; v < skinned->vertex_count; v++) {
        begin_row(rows, mesh);
        text_addf(rows->out, ",%u", v);
        add_floats(rows->out, skinned->positions[v], 3);
        add_floats(rows->out, skinned->normals[v], 3);
        text_add(rows->out, "\n");
    }
}

static void add_bounds(struct rows *rows, const char *mesh, const struct skinned *skinned)
{
    struct skin_summary summary = skin_summarise(skinned);
    begin_row(rows, mesh);
    text_addf(rows->out, ",%u", skinned->vertex_count);
    add_floats(rows->out, summary.min, 3);
    add_floats(rows->out, summary.max, 3);
    add_floats(rows->out, summary.centroid, 3);
    text_add(rows->out, "\n");
}

static void add_skin(struct rows *rows)
{
    const struct scene *scene = rows->record->scene;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const char *mesh = scene->meshes[scene->instances[i].mesh].name;
        if (rows->record->part->vertices)
            add_vertices(rows, mesh, &rows->record->skinned[i]);
        else
            add_bounds(rows, mesh, &rows->record->skinned[i]);
    }
}

void pose_write_csv(const struct pose_record *record, struct text *out)
{
    struct rows rows = {.record = record, .out = out};
    const struct pose_part *part = record->part;
    begin_rows(&rows);
    if (pose_part_wants(part, DEFAULT_STAGES, POSE_SKIN))
        add_skin(&rows);
    for (uint32_t i = 0; i < record->scene->node_count; i++)
        if (pose_part_has(part, i))
            add_node(&rows, i);
    if (pose_part_wants(part, DEFAULT_STAGES, POSE_LOCAL) && !(part && part->nodes))
        add_morphs(&rows);
    for (uint32_t i = 0; pose_part_wants(part, DEFAULT_STAGES, POSE_PALETTE) && i < record->palette->count; i++)
        if (pose_part_has(part, record->scene->bindings[i].node))
            add_entry(&rows, i);
    text_release(&rows.prefix);
}
