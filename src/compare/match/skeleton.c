#include "compare/match/skeleton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/sort.h"
#include "data/vector.h"

/*
 * Files name the parent of a node. Among duplicate names it is the nearest one above in pre-order, else the last one
 * before; NO_INDEX when no earlier node has that name.
 */
static struct skeleton skeleton_create(const struct match_list *nodes, struct arena *arena)
{
    enum { STEPS = 999 };
    struct skeleton out = {.count = nodes->count,
                           .names = name_index_create(nodes, arena),
                           .parents = ARENA_NEW(arena, int32_t, nodes->count),
                           .node_to_scene = ARENA_NEW(arena, struct affine_d, nodes->count),
                           .own_radius = ARENA_NEW(arena, double, nodes->count),
                           .influence_radius = ARENA_NEW(arena, double, nodes->count)};
    for (size_t i = 0; i < nodes->count; i++) {
        const char *parent = nodes->keys[i].context;
        int32_t above = parent ? (int32_t)i - 1 : NO_INDEX;
        for (int step = 0; above != NO_INDEX && strcmp(nodes->keys[above].name, parent) != 0; step++)
            above = step < STEPS ? out.parents[above] : NO_INDEX;
        out.parents[i] = above != NO_INDEX || !parent ? above : name_find_before(&out.names, parent, i);
    }
    return out;
}

struct skeleton skeleton_of_import(const struct import_snapshot *import, struct arena *arena)
{
    const struct match_list nodes =
        MATCH_LIST(struct node_snapshot, import->nodes, import->node_count, name, parent, arena);
    struct skeleton skeleton = skeleton_create(&nodes, arena);
    struct radius_table radii = radius_table_create(import, arena);
    for (uint32_t i = 0; i < import->node_count; i++) {
        struct affine_d local = affine_d_from(import->nodes[i].local_to_parent);
        int32_t parent = skeleton.parents[i];
        skeleton.node_to_scene[i] = parent == NO_INDEX ? local : affine_d_mul(&skeleton.node_to_scene[parent], &local);
        skeleton.own_radius[i] = radius_table_find(&radii, import->nodes[i].name, NULL);
    }
    return skeleton;
}

struct skeleton skeleton_of_pose(const struct pose_snapshot *pose, struct arena *arena)
{
    const struct match_list nodes = pose_names(pose, POSE_NODES, arena);
    struct skeleton skeleton = skeleton_create(&nodes, arena);
    for (uint32_t i = 0; i < pose->node_count; i++)
        skeleton.node_to_scene[i] = affine_d_from(pose->nodes[i].node_to_scene);
    return skeleton;
}

void skeleton_measure(struct skeleton *skeleton, double least)
{
    enum { GENERATIONS = 1000 };
    for (size_t i = 0; i < skeleton->count; i++)
        skeleton->influence_radius[i] = least;
    for (size_t i = 0; i < skeleton->count; i++) {
        const struct affine_d *node = &skeleton->node_to_scene[i];
        double own = skeleton->own_radius[i] * affine_d_scale(node);
        int32_t above = (int32_t)i;
        for (int step = 0; above != NO_INDEX && step <= GENERATIONS; step++) {
            double far = own + vector_distance(node->column[3], skeleton->node_to_scene[above].column[3]);
            skeleton->influence_radius[above] = fmax(skeleton->influence_radius[above], far);
            above = skeleton->parents[above];
        }
    }
}

void skeleton_points(const struct skeleton *skeleton, size_t i, double own, double least, double points[6][3])
{
    int32_t parent = skeleton->parents[i];
    double around = parent == NO_INDEX ? 1.0 : affine_d_scale(&skeleton->node_to_scene[parent]);
    if (!(around > 0))
        around = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        double scale = affine_d_axis(&skeleton->node_to_scene[i], axis);
        if (scale < 1e-3 * around)
            scale = around;
        double far = fmax(own, least / scale);
        for (int k = 0; k < 3; k++) {
            points[2 * axis][k] = k == axis ? far : 0.0;
            points[2 * axis + 1][k] = k == axis ? -far : 0.0;
        }
    }
}

void skeleton_probe_points(const struct skeleton *skeleton, size_t i, double points[6][3])
{
    skeleton_points(skeleton, i, skeleton->own_radius[i], skeleton->influence_radius[i], points);
}

const char **import_label_meshes(const struct import_snapshot *import, struct arena *arena)
{
    const char **labels = ARENA_NEW(arena, const char *, import->mesh_count);
    for (uint32_t i = 0; i < import->mesh_count; i++)
        labels[i] = import->meshes[i].name;
    names_number(labels, import->mesh_count, arena);
    return labels;
}

struct radius_row {
    const char *bone, *mesh;
    double influence_radius;
    const vec4 *offset;
};

/* Without a mesh: of any. */
static int compare_rows(const void *a, const void *b)
{
    const struct radius_row *x = a, *y = b;
    int order = strcmp(x->bone, y->bone);
    return order != 0 || !x->mesh || !y->mesh ? order : strcmp(x->mesh, y->mesh);
}

struct radius_table radius_table_create(const struct import_snapshot *import, struct arena *arena)
{
    struct radius_table table = {0};
    size_t most = 0;
    for (uint32_t m = 0; m < import->mesh_count; m++)
        most += import->meshes[m].bone_count + import->meshes[m].node_count;
    table.rows = ARENA_NEW(arena, struct radius_row, most);
    for (uint32_t m = 0; m < import->mesh_count; m++) {
        const struct mesh_snapshot *mesh = &import->meshes[m];
        double corner[3]; /* of the mesh's box: the farthest from the origin of its node */
        for (int k = 0; k < 3; k++)
            corner[k] = fmax(fabs((double)mesh->min[k]), fabs((double)mesh->max[k]));
        for (uint32_t b = 0; b < mesh->bone_count; b++)
            table.rows[table.count++] =
                (struct radius_row){mesh->bones[b].bone, mesh->name, (double)mesh->bones[b].influence_radius,
                                    (const vec4 *)mesh->bones[b].mesh_to_bone};
        for (uint32_t n = 0; mesh->bone_count == 0 && n < mesh->node_count; n++)
            table.rows[table.count++] =
                (struct radius_row){mesh->nodes[n], mesh->name, vec3d_length(corner), mat4_identity};
    }
    sort_items(table.rows, table.count, sizeof *table.rows, compare_rows);
    return table;
}

static const struct radius_row *first_row(const struct radius_table *table, const struct radius_row *wanted)
{
    const struct radius_row *row = NULL;
    if (table->count > 0)
        row = bsearch(wanted, table->rows, table->count, sizeof *wanted, compare_rows);
    while (row && row > table->rows && compare_rows(row - 1, wanted) == 0)
        row--;
    return row;
}

double radius_table_find(const struct radius_table *table, const char *bone, const char *mesh)
{
    const struct radius_row wanted = {.bone = bone, .mesh = mesh}, *row = first_row(table, &wanted);
    double influence_radius = 0;
    for (; row && row < table->rows + table->count && compare_rows(row, &wanted) == 0; row++)
        influence_radius = fmax(influence_radius, row->influence_radius);
    return influence_radius;
}

const vec4 *radius_table_find_offset(const struct radius_table *table, const char *bone, const char *mesh)
{
    const struct radius_row *row = first_row(table, &(struct radius_row){.bone = bone, .mesh = mesh});
    return row ? row->offset : NULL;
}
