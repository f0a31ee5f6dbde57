/* CSV of a pose: rows of equal columns, for plots and spreadsheets. */

#include "base/file/file.h"
#include "data/record/snapshot.h"

static struct pose_part part_of(const struct pose_part *part)
{
    return part ? *part : (struct pose_part){.stages = POSE_LOCAL | POSE_GLOBAL | POSE_PALETTE};
}

void pose_write_csv_header(const struct pose_part *wanted, struct text *out)
{
    const struct pose_part part = part_of(wanted);
    text_add(out, "model,clip,time,");
    if (part.stages & POSE_SKIN)
        text_add(out, part.vertices ? "mesh,vertex,x,y,z,nx,ny,nz\n"
                                    : "mesh,vertices,minx,miny,minz,maxx,maxy,maxz,cx,cy,cz\n");
    else
        text_addf(out,
                  "stage,mesh,bone,parent,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz,"
                  "m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23%s\n",
                  part.local ? ",vx,vy,vz,wx,wy,wz" : "");
}

static void add_floats(struct text *out, const float *values, int count)
{
    for (int i = 0; i < count; i++) {
        text_add(out, ",");
        text_add_float(out, values[i]);
    }
}

/* The columns that all rows of one time begin with: model, clip, time. */
struct rows {
    const struct pose_record *record;
    struct pose_part part;
    struct text prefix;
    struct text *out;
};

static void begin_row(struct rows *rows, const char *const *fields, int count)
{
    text_add_bytes(rows->out, rows->prefix.data, rows->prefix.size);
    for (int i = 0; i < count; i++) {
        text_add(rows->out, ",");
        text_add_csv(rows->out, fields[i]);
    }
}

/* Adds the row of a node. A NULL `transform` is taken from the matrix; `motions` are of all nodes, NULL: none. */
static void add_row(struct rows *rows, const char *stage, const char *mesh, uint32_t node,
                    const struct transform *transform, const mat4 matrix, const struct motion *motions)
{
    const struct scene *scene = rows->record->scene;
    const char *parent = scene->nodes[node].parent == NO_INDEX ? "" : scene->nodes[scene->nodes[node].parent].name;
    struct transform taken_apart;
    float numbers[12];
    if (!transform)
        affine_to_transform(matrix, &taken_apart);
    const struct transform *t = transform ? transform : &taken_apart;
    begin_row(rows, (const char *const[]){stage, mesh, scene->nodes[node].name, parent}, 4);
    affine_rows(matrix, numbers);
    add_floats(rows->out, t->translation, 3);
    add_floats(rows->out, t->rotation, 4);
    add_floats(rows->out, t->scale, 3);
    add_floats(rows->out, numbers, 12);
    if (motions) {
        add_floats(rows->out, motions[node].linear, 3);
        add_floats(rows->out, motions[node].angular, 3);
    } else if (rows->part.local) {
        text_add(rows->out, ",,,,,,");
    }
    text_add(rows->out, "\n");
}

/* A row per mesh, or per vertex. */
static void add_skin(struct rows *rows)
{
    const struct scene *scene = rows->record->scene;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const char *mesh = scene->meshes[scene->instances[i].mesh].name;
        const struct skinned *skinned = &rows->record->skinned[i];
        if (!rows->part.vertices) {
            struct skin_snapshot summary = skin_summarise(skinned);
            begin_row(rows, &mesh, 1);
            text_addf(rows->out, ",%u", skinned->vertex_count);
            add_floats(rows->out, summary.min, 3);
            add_floats(rows->out, summary.max, 3);
            add_floats(rows->out, summary.centroid, 3);
            text_add(rows->out, "\n");
        }
        for (uint32_t v = 0; rows->part.vertices && v < skinned->vertex_count; v++) {
            begin_row(rows, &mesh, 1);
            text_addf(rows->out, ",%u", v);
            add_floats(rows->out, skinned->positions[v], 3);
            add_floats(rows->out, skinned->normals[v], 3);
            text_add(rows->out, "\n");
        }
    }
}

void pose_write_csv(const struct pose_record *record, struct text *out)
{
    struct rows rows = {.record = record, .part = part_of(record->part), .out = out};
    const struct scene *scene = record->scene;
    const struct pose_part *part = &rows.part;
    const struct pose *pose = record->pose;
    text_add_csv(&rows.prefix, path_base(scene->path));
    text_add(&rows.prefix, ",");
    text_add_csv(&rows.prefix, record->clip ? record->clip : "");
    text_add(&rows.prefix, ",");
    text_add_double(&rows.prefix, record->time);
    if (part->stages & POSE_SKIN)
        add_skin(&rows);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (pose_part_has(part, i) && part->stages & POSE_LOCAL)
            add_row(&rows, "local", "", i, &pose->local[i], pose->local_to_parent[i], part->local);
        if (pose_part_has(part, i) && part->stages & POSE_GLOBAL)
            add_row(&rows, "global", "", i, NULL, pose->node_to_scene[i], part->global);
    }
    /* Morph targets: their name as bone, the mesh's node as parent, the weight as tx; the other columns are empty. */
    for (uint32_t i = 0; part->stages & POSE_LOCAL && !part->nodes && i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        const char *node = scene->nodes[instance->node].name;
        for (uint32_t t = 0; t < mesh->target_count; t++) {
            begin_row(&rows, (const char *const[]){"morph", mesh->name, mesh->targets[t].name, node}, 4);
            add_floats(out, &pose->morph_weights[instance->first_weight + t], 1);
            text_addf(out, ",,,,,,,,,,,,,,,,,,,,,%s\n", part->local ? ",,,,,," : "");
        }
    }
    for (uint32_t i = 0; part->stages & POSE_PALETTE && i < record->palette->count; i++) {
        const struct binding *binding = &scene->bindings[i];
        if (pose_part_has(part, binding->node))
            add_row(&rows, "palette", scene->meshes[scene->instances[binding->instance].mesh].name, binding->node, NULL,
                    record->palette->mesh_to_scene[i], NULL);
    }
    text_release(&rows.prefix);
}
