/* The skinned vertices of an answer. */
#include <string.h>

#include "data/bounds.h"
#include "data/vector.h"
#include "subject/resolving.h"

static void map_point(const struct affine_d *map, const vec3 point, vec3 out)
{
    double to[3];
    affine_d_point(map, (const double[3]){point[0], point[1], point[2]}, to);
    for (int k = 0; k < 3; k++)
        out[k] = (float)to[k];
}

/* Their mesh in our space. Of a box without its vertices the map of its corners. */
static struct skin_snapshot place_skin(const struct resolving *work, const struct skin_snapshot *theirs,
                                       const struct affine_d *back)
{
    struct skin_snapshot out = *theirs;
    struct affine_d turn = *back, inverse;
    if (theirs->positions) {
        vec3 *positions = ARENA_NEW(work->arena, vec3, theirs->position_count);
        vec3 *normals = theirs->normals ? ARENA_NEW(work->arena, vec3, theirs->normal_count) : NULL;
        for (uint32_t v = 0; v < theirs->position_count; v++)
            map_point(back, theirs->positions[v], positions[v]);
        affine_d_inverse(back, &inverse);
        for (int k = 0; k < 12; k++)
            turn.column[k / 3][k % 3] = k < 9 ? inverse.column[k % 3][k / 3] : 0.0;
        for (uint32_t v = 0; normals && v < theirs->normal_count; v++) {
            map_point(&turn, theirs->normals[v], normals[v]);
            float length = (float)vec3_length(normals[v]);
            for (int k = 0; k < 3 && length > 0; k++)
                normals[v][k] /= length;
        }
        out = subject_skin(theirs->mesh, (const vec3 *)positions, (const vec3 *)normals, theirs->position_count);
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

/* Returns how far a mesh is from ours: its vertices, where they are as many, else the middle of its box, or without
 * vertices its centroid. Stops beyond `most`. */
static double mesh_distance(const struct skin_snapshot *theirs, const struct skin_snapshot *ours,
                            const struct affine_d *back, double most)
{
    const bool by_vertex = theirs->positions && theirs->vertices == ours->vertices && ours->positions;
    const struct skin_snapshot *both[] = {theirs, ours};
    const uint32_t count = by_vertex ? ours->vertices : 1;
    double worst = 0.0;
    vec3 point, middle[2];
    for (int k = 0; k < 6; k++)
        middle[k / 3][k % 3] = theirs->positions ? 0.5f * (both[k / 3]->min[k % 3] + both[k / 3]->max[k % 3])
                                                 : both[k / 3]->centroid[k % 3];
    const vec3 *from = by_vertex ? theirs->positions : &middle[0], *to = by_vertex ? ours->positions : &middle[1];
    for (uint32_t v = 0; v < count && worst <= most; v++) {
        map_point(back, from[v], point);
        worst = worse(worst, point_distance(point, to[v]));
    }
    return worst;
}

/* Returns the matrix that brings their vertices to ours; what is declared is undone too. */
static struct affine_d back_of(const struct resolving *work, const struct affine_d *left)
{
    struct affine_d back, theirs = affine_d_mul(&work->of_palette, left);
    affine_d_inverse(&theirs, &back);
    return back;
}

/* Returns whether that places all meshes where ours are, to a thousandth of the extent. */
static bool skin_fits(const struct resolving *work, const int32_t *skin_of, const struct affine_d *left)
{
    const double most = 1e-3 * work->extent;
    const struct affine_d back = back_of(work, left);
    for (uint32_t i = 0; i < work->reference->skin_count; i++)
        if (skin_of[i] != NO_INDEX &&
            !(mesh_distance(&work->answer->skin[skin_of[i]], &work->reference->skin[i], &back, most) <= most))
            return false;
    return true;
}

static double diagonal_of(struct skin_snapshot *list, uint32_t count)
{
    const struct bounds box = pose_snapshot_bounds(&(struct pose_snapshot){.skin = list, .skin_count = count});
    return bounds_is_empty(&box) ? 0 : 2 * (double)bounds_radius(&box);
}

/* The unit that the sizes of all meshes together show. */
static double scale_of(const struct resolving *work)
{
    const double ours = diagonal_of(work->reference->skin, work->reference->skin_count),
                 theirs = diagonal_of(work->answer->skin, work->answer->skin_count);
    return work->subject->hello.conventions.unit > 0 || !(ours > 0) ? 1 : frame_unit(theirs / ours, 1e-3);
}

/* The next axes, from `*which` to `end`, that bring all meshes to ours in the unit that their sizes show; false:
 * none. */
static bool next_axes(const struct resolving *work, const int32_t *skin_of, int *which, int end, struct affine_d *axes)
{
    const double scale = scale_of(work);
    while (*which < end && scale > 0) {
        *axes = frame_axes((*which)++, scale);
        if (skin_fits(work, skin_of, axes))
            return true;
    }
    return false;
}

/* Says whether their vertices are ours by number in some axes: then another order is none that they may have. */
static bool are_in_order(const struct resolving *work, const int32_t *skin_of)
{
    struct affine_d axes;
    int which = 0;
    bool by_number = work->reference->skin_count > 0;
    for (uint32_t i = 0; i < work->reference->skin_count && by_number; i++) {
        const struct skin_snapshot *theirs = skin_of[i] == NO_INDEX ? NULL : &work->answer->skin[skin_of[i]],
                                   *ours = &work->reference->skin[i];
        by_number = theirs && theirs->positions && ours->positions && theirs->vertices == ours->vertices;
    }
    return by_number && next_axes(work, skin_of, &which, 48, &axes);
}

/* Returns whether what is given besides can be in those axes and that unit. */
static bool others_hold(const struct resolving *work, const struct frame *axes)
{
    const struct frame placed = {.left = axes->left, .right = affine_d_identity};
    bool hold = true;
    for (int part = 0; part < 2; part++) {
        const struct frame_pairs *seen = &work->solution->seen[part];
        hold = hold && (!(work->answer->has & (part ? SUBJECT_PALETTE : SUBJECT_NODES)) || frame_holds(seen, axes) ||
                        frame_holds(seen, &placed));
    }
    return hold;
}

/* Axes and a unit that bring all meshes to ours. */
static void solve_axes(struct resolving *work, const int32_t *skin_of, bool is_alone)
{
    struct affine_d axes;
    int which = 0;
    const int end = work->subject->hello.conventions.has_axes ? 1 : 48;
    while (!work->subject->spec->is_strict && next_axes(work, skin_of, &which, end, &axes)) {
        const struct frame tried = {is_alone, true, axes, axes, false},
                           placed = {.left = axes, .right = affine_d_identity};
        if (is_alone ? resolving_is_mistake(work, &placed, "vertices") : !others_hold(work, &tried))
            continue;
        work->solution->skin = tried;
        return;
    }
}

/* As nodes and palette have it, where they are given; where these do not show it yet, each answer tells anew. */
static void solve_skin(struct resolving *work, const int32_t *skin_of)
{
    struct subject_solution *s = work->solution;
    const bool has_nodes = work->answer->has & SUBJECT_NODES, has_palette = work->answer->has & SUBJECT_PALETTE;
    const struct frame base = has_nodes ? s->nodes : frame_identity;
    work->is_vouched = skin_fits(work, skin_of, &base.left);
    if (s->skin.is_known)
        return;
    s->skin = base;
    s->skin.is_known = work->is_vouched && (!has_nodes || s->nodes.is_known);
    if (work->is_vouched)
        return;
    if (!has_nodes && s->palette.is_solved && !work->is_suspect && skin_fits(work, skin_of, &s->palette.left))
        s->skin = s->palette;
    else if (!(has_nodes && s->nodes.is_known) && !(has_palette && s->palette.is_known))
        solve_axes(work, skin_of, !has_nodes && !has_palette);
}

/* Without a name (NULL) each mesh counts. */
static bool is_called(const struct skin_snapshot *skin, const char *name)
{
    return !name || (skin->mesh && strcmp(skin->mesh, name) == 0);
}

static uint32_t count_called(const struct skin_snapshot *list, uint32_t count, const char *name)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += is_called(&list[i], name);
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
        if (is_called(&list[i], name)) {
            out.vertices += list[i].vertices;
            has_positions = has_positions && list[i].positions;
            has_normals = has_normals && has_positions && list[i].normals;
        }
    vec3 *positions = ARENA_NEW(arena, vec3, has_positions ? out.vertices : 0);
    vec3 *normals = ARENA_NEW(arena, vec3, has_normals ? out.vertices : 0);
    for (uint32_t i = 0, next = 0; i < count; i++) {
        const struct skin_snapshot *one = &list[i];
        if (!is_called(one, name) || one->vertices == 0)
            continue;
        bounds_add_points(&box, &one->min, 1);
        bounds_add_points(&box, &one->max, 1);
        for (int k = 0; k < 3; k++)
            sum[k] += (double)one->centroid[k] * one->vertices;
        if (has_positions)
            memcpy(positions + next, one->positions, one->vertices * sizeof(vec3));
        if (has_normals)
            memcpy(normals + next, one->normals, one->vertices * sizeof(vec3));
        next += one->vertices;
    }
    for (int k = 0; k < 3 && out.vertices > 0; k++) {
        out.min[k] = box.min[k];
        out.max[k] = box.max[k];
        out.centroid[k] = (float)(sum[k] / out.vertices);
    }
    out.position_count = has_positions ? out.vertices : 0;
    out.normal_count = has_normals ? out.vertices : 0;
    out.positions = has_positions ? (const vec3 *)positions : NULL;
    out.normals = has_normals ? (const vec3 *)normals : NULL;
    return out;
}

/* An importer splits a mesh by its materials, an engine need not: where it has fewer of a name, all of that name are
 * one, in the reference and in its answer. */
static void join_parts(struct resolving *work, struct subject_answer *answer)
{
    const struct pose_snapshot *was = work->reference;
    struct pose_snapshot *pose = ARENA_COPY(work->arena, struct pose_snapshot, was);
    struct skin_snapshot *theirs = ARENA_COPIES(work->arena, struct skin_snapshot, answer->skin, answer->skin_count);
    pose->skin = ARENA_NEW(work->arena, struct skin_snapshot, was->skin_count);
    pose->skin_count = 0;
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
                if (is_called(&theirs[k], name)) {
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

/* All vertices in a row, where names tell nothing and there are as many in other portions: the reference's meshes
 * again. */
static bool cut_meshes(const struct resolving *work, struct subject_answer *answer)
{
    const struct pose_snapshot *reference = work->reference;
    const struct skin_snapshot whole = join(answer->skin, answer->skin_count, NULL, work->arena);
    uint32_t ours = 0;
    for (uint32_t i = 0; i < reference->skin_count; i++)
        ours += reference->skin[i].vertices;
    if (!whole.positions || whole.vertices != ours)
        return false;
    answer->skin = ARENA_NEW(work->arena, struct skin_snapshot, reference->skin_count);
    answer->skin_count = reference->skin_count;
    for (uint32_t i = 0, first = 0; i < reference->skin_count; i++) {
        const struct skin_snapshot *part = &reference->skin[i];
        answer->skin[i] = subject_skin(part->mesh, whole.positions + first,
                                       whole.normals ? whole.normals + first : NULL, part->vertices);
        first += part->vertices;
    }
    return true;
}

/* Theirs of each of ours. Where names do not tell and there are as many: in the order of the nodes. */
static int32_t *match_meshes(struct resolving *work, const struct match_list *ours)
{
    struct match_list theirs = match_list_create(work->answer->skin_count, work->arena);
    bool complete = true;
    for (uint32_t i = 0; i < theirs.count; i++)
        theirs.keys[i].name = work->answer->skin[i].mesh ? work->answer->skin[i].mesh : "";
    resolving_rename(work, ours, &theirs, false);
    int32_t *skin_of = match_by_name(ours, &theirs, MATCH_PREFER_CONTEXT, work->arena).to_actual;
    for (uint32_t i = 0; i < ours->count; i++)
        complete = complete && skin_of[i] != NO_INDEX;
    for (uint32_t i = 0; i < ours->count && !complete && theirs.count == ours->count; i++)
        skin_of[i] = (int32_t)i;
    return skin_of;
}

bool resolve_skin(struct resolving *work)
{
    struct subject_answer *answer = ARENA_COPY(work->arena, struct subject_answer, work->answer);
    join_parts(work, answer);
    work->answer = answer;
    const struct pose_snapshot *reference = work->reference;
    struct pose_snapshot *pose = work->out->pose;
    const struct match_list ours = pose_names(reference, POSE_SKIN, work->arena);
    const int32_t *skin_of = match_meshes(work, &ours);
    if (!resolving_any(skin_of, ours.count) && cut_meshes(work, answer))
        skin_of = match_meshes(work, &ours);
    if (!resolving_known(work, "skinned meshes", &ours, skin_of, answer->skin_count,
                         answer->skin_count > 0 ? answer->skin[0].mesh : NULL))
        return false;
    solve_skin(work, skin_of);
    work->solution->is_in_order = work->solution->is_in_order || are_in_order(work, skin_of);
    const struct affine_d back = back_of(work, &work->solution->skin.left);
    pose->skin = ARENA_NEW(work->arena, struct skin_snapshot, reference->skin_count);
    pose->skin_count = 0;
    for (uint32_t i = 0; i < reference->skin_count; i++) {
        if (skin_of[i] == NO_INDEX)
            continue;
        struct skin_snapshot *skin = &pose->skin[pose->skin_count++];
        const struct skin_snapshot *was = &reference->skin[i];
        *skin = place_skin(work, &answer->skin[skin_of[i]], &back);
        skin->mesh = was->mesh;
        skin->is_in_order = work->solution->is_in_order;
        if (skin->vertices == was->vertices || work->subject->spec->is_file)
            continue;
        /* Engines split and join vertices as they like: they are compared as points, or by the box alone. */
        resolving_note(work, NOTE_VERTICES, "vertices are compared as points: %u of the engine, %u of the file",
                       skin->vertices, was->vertices);
        if (!skin->positions && skin->vertices > 0)
            memcpy(skin->centroid, was->centroid, sizeof(vec3));
        if (skin->vertices > 0)
            skin->vertices = was->vertices;
    }
    pose->left_out &= ~(unsigned)POSE_SKIN;
    work->out->given |= SUBJECT_SKIN;
    return true;
}
