/* The skinned vertices of an answer. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/bounds.h"
#include "data/vector.h"
#include "subject/normalise.h"

static void map_point(const struct map *map, const vec3 point, vec3 out)
{
    for (int r = 0; r < 3; r++)
        out[r] = (float)(map->m[r][0] * (double)point[0] + map->m[r][1] * (double)point[1] +
                         map->m[r][2] * (double)point[2] + map->m[r][3]);
}

/* Their mesh in our space. Of a box without its vertices the map of its corners. */
static struct skin_snapshot place_skin(const struct normalising *work, const struct skin_snapshot *theirs,
                                       const struct map *back)
{
    struct skin_snapshot out = *theirs;
    struct map turn = *back, inverse;
    if (theirs->positions) {
        vec3 *positions = ARENA_NEW(work->arena, vec3, theirs->position_count);
        vec3 *normals = theirs->normals ? ARENA_NEW(work->arena, vec3, theirs->normal_count) : NULL;
        for (uint32_t v = 0; v < theirs->position_count; v++)
            map_point(back, theirs->positions[v], positions[v]);
        map_inverse(back, &inverse);
        for (int k = 0; k < 9; k++)
            turn.m[k / 3][k % 3] = inverse.m[k % 3][k / 3];
        turn.m[0][3] = turn.m[1][3] = turn.m[2][3] = 0.0;
        for (uint32_t v = 0; normals && v < theirs->normal_count; v++) {
            map_point(&turn, theirs->normals[v], normals[v]);
            float length = (float)vec3_length(normals[v]);
            for (int k = 0; k < 3 && length > 0; k++)
                normals[v][k] /= length;
        }
        out = skin_summarise(&(struct skinned){0, theirs->position_count, positions, normals});
        out.positions = (const vec3 *)positions;
        out.normals = (const vec3 *)normals;
        out.position_count = theirs->position_count;
        out.normal_count = normals ? theirs->normal_count : 0;
    } else if (theirs->vertices > 0) {
        struct bounds box = bounds_empty();
        for (int corner = 0; corner < 8; corner++) {
            vec3 point,
                at = {corner & 1 ? theirs->max[0] : theirs->min[0], corner & 2 ? theirs->max[1] : theirs->min[1],
                      corner & 4 ? theirs->max[2] : theirs->min[2]};
            map_point(back, at, point);
            bounds_add_points(&box, (const vec3 *)&point, 1);
        }
        memcpy(out.min, box.min, sizeof(vec3));
        memcpy(out.max, box.max, sizeof(vec3));
        map_point(back, theirs->centroid, out.centroid);
    }
    return out;
}

/* How far the boxes and centroids of all meshes are from ours, relative to the extent: the largest. */
static double skin_distance(const struct normalising *work, const int32_t *skin_of, const struct map *back)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < work->reference->skin_count; i++) {
        const struct skin_snapshot *ours = &work->reference->skin[i];
        if (skin_of[i] == NO_INDEX)
            continue;
        const struct skin_snapshot *theirs = &work->answer->skin[skin_of[i]];
        const struct skin_snapshot placed = place_skin(work, theirs, back);
        for (int k = 0; k < 3; k++) {
            if (theirs->positions) /* the box of a turned box is larger than what is in it */
                worst = fmax(worst, fmax(fabs((double)(placed.min[k] - ours->min[k])),
                                         fabs((double)(placed.max[k] - ours->max[k]))));
            else
                worst = fmax(worst, fabs((double)(placed.centroid[k] - ours->centroid[k])));
        }
    }
    return worst / work->extent;
}

/* The frame of the palette or of the nodes, or axes and a unit, whichever fits. */
static void solve_skin(struct normalising *work, const int32_t *skin_of)
{
    struct subject_solution *s = work->solution;
    const struct frame plain = {.left = map_identity, .right = map_identity};
    const struct frame *tried[] = {&plain, &s->palette, &s->nodes};
    struct map back;
    if (s->skin.is_known)
        return;
    s->skin = plain;
    for (int i = 0; i < 3; i++) {
        if (i > 0 && !tried[i]->is_known)
            continue;
        map_inverse(&tried[i]->left, &back);
        if (skin_distance(work, skin_of, &back) < 1e-3) {
            s->skin = *tried[i];
            s->skin.is_known = true;
            return;
        }
    }
    if (s->palette.is_known || s->nodes.is_known) {
        s->skin = s->palette.is_known ? s->palette : s->nodes;
        s->skin.is_known = false;
    }
}

static uint32_t count_called(const struct skin_snapshot *list, uint32_t count, const char *name)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += list[i].mesh && strcmp(list[i].mesh, name) == 0;
    return found;
}

/* All of that name as one, with vertices where all have them. */
static struct skin_snapshot join(const struct skin_snapshot *list, uint32_t count, const char *name,
                                 struct arena *arena)
{
    struct skin_snapshot out = {.mesh = name};
    struct bounds box = bounds_empty();
    bool has_positions = true, has_normals = true;
    double sum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++)
        if (list[i].mesh && strcmp(list[i].mesh, name) == 0) {
            out.vertices += list[i].vertices;
            has_positions = has_positions && list[i].positions;
            has_normals = has_normals && list[i].normals;
        }
    vec3 *positions = ARENA_NEW(arena, vec3, has_positions ? out.vertices : 0);
    vec3 *normals = ARENA_NEW(arena, vec3, has_positions && has_normals ? out.vertices : 0);
    for (uint32_t i = 0, next = 0; i < count; i++) {
        const struct skin_snapshot *one = &list[i];
        if (!one->mesh || strcmp(one->mesh, name) != 0 || one->vertices == 0)
            continue;
        bounds_add_points(&box, &one->min, 1);
        bounds_add_points(&box, &one->max, 1);
        for (int k = 0; k < 3; k++)
            sum[k] += (double)one->centroid[k] * one->vertices;
        if (has_positions)
            memcpy(positions + next, one->positions, one->vertices * sizeof(vec3));
        if (has_positions && has_normals)
            memcpy(normals + next, one->normals, one->vertices * sizeof(vec3));
        next += one->vertices;
    }
    for (int k = 0; k < 3 && out.vertices > 0; k++) {
        out.min[k] = box.min[k];
        out.max[k] = box.max[k];
        out.centroid[k] = (float)(sum[k] / out.vertices);
    }
    out.positions = has_positions ? (const vec3 *)positions : NULL;
    out.normals = has_positions && has_normals ? (const vec3 *)normals : NULL;
    out.position_count = out.positions ? out.vertices : 0;
    out.normal_count = out.normals ? out.vertices : 0;
    return out;
}

/* An importer splits a mesh by its materials, an engine need not: where it has fewer of a name, all of that name are one, in
 * the reference and in its answer. */
static void join_parts(struct normalising *work, struct subject_answer *answer)
{
    const struct pose_snapshot *was = work->reference;
    struct pose_snapshot *pose = ARENA_NEW(work->arena, struct pose_snapshot, 1);
    struct skin_snapshot *theirs = ARENA_NEW(work->arena, struct skin_snapshot, answer->skin_count);
    *pose = *was;
    pose->skin = ARENA_NEW(work->arena, struct skin_snapshot, was->skin_count);
    pose->skin_count = 0;
    memcpy(theirs, answer->skin, answer->skin_count * sizeof *theirs);
    for (uint32_t i = 0; i < was->skin_count; i++) {
        const char *name = was->skin[i].mesh;
        const uint32_t ours = count_called(was->skin, was->skin_count, name);
        const uint32_t parts = ours > 1 ? count_called(answer->skin, answer->skin_count, name) : 0;
        if (parts == 0 || parts >= ours) {
            pose->skin[pose->skin_count++] = was->skin[i];
        } else if (count_called(pose->skin, pose->skin_count, name) == 0) {
            bool is_first = true;
            pose->skin[pose->skin_count++] = join(was->skin, was->skin_count, name, work->arena);
            for (uint32_t k = 0; k < answer->skin_count; k++)
                if (theirs[k].mesh && strcmp(theirs[k].mesh, name) == 0) {
                    theirs[k] = is_first ? join(answer->skin, answer->skin_count, name, work->arena)
                                         : (struct skin_snapshot){0};
                    is_first = false;
                }
        }
    }
    if (pose->skin_count == was->skin_count)
        return;
    answer->skin = theirs;
    work->reference = pose;
}

void normalise_skin(struct normalising *work)
{
    struct subject_answer *answer = ARENA_NEW(work->arena, struct subject_answer, 1);
    *answer = *work->answer;
    join_parts(work, answer);
    work->answer = answer;
    const struct pose_snapshot *reference = work->reference;
    struct pose_snapshot *pose = work->out->pose;
    const char **ours = ARENA_NEW(work->arena, const char *, reference->skin_count);
    const char **theirs = ARENA_NEW(work->arena, const char *, answer->skin_count);
    int32_t *skin_of = ARENA_NEW(work->arena, int32_t, reference->skin_count);
    struct text ignored = {0};
    struct map back;
    bool named = true;
    for (uint32_t i = 0; i < answer->skin_count; i++) {
        theirs[i] = answer->skin[i].mesh;
        named = named && theirs[i];
    }
    for (uint32_t i = 0; i < reference->skin_count; i++)
        ours[i] = reference->skin[i].mesh;
    subject_match_names(ours, reference->skin_count, theirs, answer->skin_count, NULL, skin_of, &ignored);
    text_release(&ignored);
    bool complete = true;
    for (uint32_t i = 0; i < reference->skin_count; i++)
        complete = complete && skin_of[i] != NO_INDEX;
    for (uint32_t i = 0; i < reference->skin_count && !complete && answer->skin_count == reference->skin_count; i++)
        skin_of[i] = (int32_t)i; /* called otherwise, but as many: in the order of the nodes */
    solve_skin(work, skin_of);
    map_inverse(&work->solution->skin.left, &back);
    pose->skin = ARENA_NEW(work->arena, struct skin_snapshot, reference->skin_count);
    pose->skin_count = 0;
    for (uint32_t i = 0; i < reference->skin_count; i++) {
        if (skin_of[i] == NO_INDEX)
            continue;
        struct skin_snapshot *skin = &pose->skin[pose->skin_count++];
        const struct skin_snapshot *was = &reference->skin[i];
        *skin = place_skin(work, &answer->skin[skin_of[i]], &back);
        skin->mesh = was->mesh;
        if (skin->vertices == was->vertices)
            continue;
        /* Engines split and join vertices as they like: they are compared as points, or by the box alone. */
        snprintf(work->solution->vertices, sizeof work->solution->vertices,
                 "vertices are compared as points: %u of the engine, %u of the file", skin->vertices, was->vertices);
        if (!skin->positions && skin->vertices > 0)
            memcpy(skin->centroid, was->centroid, sizeof(vec3));
        if (skin->vertices > 0)
            skin->vertices = was->vertices;
    }
    work->out->given |= SUBJECT_SKIN;
}
