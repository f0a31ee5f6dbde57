/* The skinned vertices of an answer. */
#include <math.h>
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
        struct skin_snapshot box = work->answer->skin[skin_of[i]], placed;
        box.positions = box.normals = NULL;
        placed = place_skin(work, &box, back);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fmax(fabs((double)(placed.min[k] - ours->min[k])),
                                     fabs((double)(placed.max[k] - ours->max[k]))));
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
    if (s->palette.is_solved || s->nodes.is_solved)
        s->skin = s->palette.is_solved ? s->palette : s->nodes;
}

void normalise_skin(struct normalising *work)
{
    const struct pose_snapshot *reference = work->reference;
    const struct subject_answer *answer = work->answer;
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
        pose->skin[pose->skin_count] = place_skin(work, &answer->skin[skin_of[i]], &back);
        pose->skin[pose->skin_count++].mesh = reference->skin[i].mesh;
    }
    work->out->given |= SUBJECT_SKIN;
}
