#include "data/scene/bind_pose.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"
#include "data/bounds.h"
#include "data/vector.h"

enum fixed { FREE, ASSUMED /* by a bone that holds no vertex */, FIXED };

/* A node, as the offsets want it. */
struct joint_place {
    mat4 bone_to_scene;
    enum fixed fixed;
    uint32_t owner; /* the instance that fixed it */
    int32_t first;  /* of its bindings, or NO_INDEX */
};

/* An instance. */
struct mesh_place {
    mat4 mesh_to_scene;
    bool placed;
    uint32_t link; /* the node by which it was placed; its own first bone where it began a group */
    uint32_t top;  /* the binding of the topmost bone that holds vertices */
};

struct solving {
    const struct scene *scene;
    struct arena *arena;     /* for the time of solving */
    const struct pose *rest; /* with globals */
    mat4 *entries;           /* [binding_count] the palette at rest */
    float *sums;             /* [binding_count] of the weights; 0: holds no vertex */
    int32_t *next;           /* [binding_count] the next binding of the same node, or NO_INDEX */
    double radius;
    struct joint_place *joints; /* [node_count] */
    struct mesh_place *meshes;  /* [instance_count] */
    uint32_t *queue;            /* [instance_count] placed ones */
    uint32_t queued, taken;
};

static const struct mesh *mesh_of(const struct solving *s, uint32_t instance)
{
    return &s->scene->meshes[s->scene->instances[instance].mesh];
}

static void compute_global(const struct scene *scene, struct pose *pose, uint32_t node)
{
    int32_t parent = scene->nodes[node].parent;
    if (parent == NO_INDEX)
        memcpy(pose->node_to_scene[node], pose->local_to_parent[node], sizeof(mat4));
    else
        affine_mul(pose->node_to_scene[parent], pose->local_to_parent[node], pose->node_to_scene[node]);
}

static void compute_entries(const struct scene *scene, const struct pose *pose, mat4 *entries)
{
    for (uint32_t i = 0; i < scene->binding_count; i++)
        affine_mul(pose->node_to_scene[scene->bindings[i].node], scene->bindings[i].mesh_to_bone, entries[i]);
}

/* Finds where a vertex of the instance is at rest. */
static void rest_vertex(const struct solving *s, uint32_t instance, uint32_t vertex, vec3 out)
{
    const struct mesh *mesh = mesh_of(s, instance);
    const mat4 *entries = (const mat4 *)s->entries + s->scene->instances[instance].first_binding;
    float weights = 0;
    if (mesh->bone_count == 0) {
        affine_point(entries[0], mesh->positions[vertex], out);
        return;
    }
    memset(out, 0, sizeof(vec3));
    for (uint32_t i = mesh->influence_first[vertex]; i < mesh->influence_first[vertex + 1]; i++) {
        vec3 moved;
        affine_point(entries[mesh->influences[i].bone], mesh->positions[vertex], moved);
        for (int k = 0; k < 3; k++)
            out[k] += mesh->influences[i].weight * moved[k];
        weights += mesh->influences[i].weight;
    }
    for (int k = 0; k < 3 && weights > 0; k++)
        out[k] /= weights;
}

/* Bones with vertices go before those without, joints before a node that only holds what has no weights; then the first
 * node. */
static void find_top(struct solving *s, uint32_t index)
{
    const struct instance *instance = &s->scene->instances[index];
    const struct mesh *mesh = mesh_of(s, index);
    uint32_t first = instance->first_binding,
             count = mesh->influence_first ? mesh->influence_first[mesh->vertex_count] : 0;
    int best = -1;
    for (uint32_t k = 0; k < count; k++)
        s->sums[first + mesh->influences[k].bone] += mesh->influences[k].weight;
    for (uint32_t b = first; b < first + instance->binding_count; b++) {
        bool is_joint = mesh->bone_count > 0 && !mesh->bones[b - first].follows_mesh_node;
        int rank = !(s->sums[b] > 0) ? 0 : is_joint ? 2 : 1;
        if (rank < best ||
            (rank == best && s->scene->bindings[b].node >= s->scene->bindings[s->meshes[index].top].node))
            continue;
        best = rank;
        s->meshes[index].top = b;
    }
    memcpy(s->meshes[index].mesh_to_scene, s->entries[s->meshes[index].top], sizeof(mat4));
}

/*
 * Returns how far the instance's vertices are from where its mesh_to_scene puts them when each bone that holds them
 * moves them alone: the farthest of each bone, and the worst of these bones. `entries` are those of all bindings. NULL
 * for a rigid mesh.
 */
static const double *measure(const struct solving *s, uint32_t index, const mat4 *entries, uint32_t *worst)
{
    const struct mesh *mesh = mesh_of(s, index);
    if (mesh->bone_count == 0)
        return NULL;
    double *farthest = ARENA_NEW(s->arena, double, mesh->bone_count);
    *worst = 0;
    entries += s->scene->instances[index].first_binding;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        vec3 point;
        affine_point(s->meshes[index].mesh_to_scene, mesh->positions[v], point);
        for (uint32_t i = mesh->influence_first[v]; i < mesh->influence_first[v + 1]; i++) {
            uint32_t bone = mesh->influences[i].bone;
            vec3 moved;
            affine_point(entries[bone], mesh->positions[v], moved);
            const double by[3] = {(double)moved[0] - point[0], (double)moved[1] - point[1],
                                  (double)moved[2] - point[2]};
            farthest[bone] = fmax(farthest[bone], vec3d_length(by) / s->radius);
            if (farthest[bone] > farthest[*worst])
                *worst = bone;
        }
    }
    return farthest;
}

/* Returns how far the rest pose is from where the meshes are now, and by which bone. */
static double rest_displacement(const struct solving *s, uint32_t *worst_node)
{
    double displacement = 0;
    *worst_node = 0;
    for (uint32_t i = 0; i < s->scene->instance_count; i++) {
        uint32_t worst;
        const double *farthest = measure(s, i, (const mat4 *)s->entries, &worst);
        if (!farthest || farthest[worst] <= displacement)
            continue;
        displacement = farthest[worst];
        *worst_node = mesh_of(s, i)->bones[worst].node;
    }
    return displacement;
}

/* Turned by at most 45 degrees, scaled by at most 5/4, not mirrored. */
static bool is_near(const mat4 a, const mat4 b)
{
    mat4 inverse, from_b;
    struct transform change;
    if (!affine_inverse(b, inverse) || affine_determinant(a) == 0)
        return false;
    affine_mul(inverse, a, from_b);
    affine_to_transform(from_b, &change);
    bool near = fabsf(change.rotation[3]) >= 0.92388f;
    for (int i = 0; i < 3; i++)
        near = near && change.scale[i] >= 0.8f && change.scale[i] <= 1.25f;
    return near;
}

/* The sum of squares of how far the vertices would be from the rest pose. */
static double distance_from_rest(const struct solving *s, uint32_t index, const mat4 mesh_to_scene, const mat4 follow)
{
    const struct mesh *mesh = mesh_of(s, index);
    double sum = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        vec3 rest, point;
        if (mesh->influence_first[v] == mesh->influence_first[v + 1])
            continue;
        rest_vertex(s, index, v, rest);
        affine_point(follow, rest, rest);
        affine_point(mesh_to_scene, mesh->positions[v], point);
        for (int k = 0; k < 3; k++)
            sum += ((double)point[k] - rest[k]) * ((double)point[k] - rest[k]);
    }
    return sum;
}

/* The nearest transform that stretches nothing, with the bone where it was. */
static void keep_shape(mat4 mesh_to_scene, const mat4 mesh_to_bone)
{
    struct transform t;
    mat4 bone_to_mesh;
    vec3 was, is;
    bool exact = affine_to_transform(mesh_to_scene, &t);
    float scale = (float)cbrt(fabs((double)t.scale[0] * t.scale[1] * t.scale[2])), stretch = 0;
    for (int i = 0; i < 3; i++)
        stretch = fmaxf(stretch, fabsf(fabsf(t.scale[i]) - scale));
    if ((exact && stretch <= 1e-4f * scale) || !affine_inverse(mesh_to_bone, bone_to_mesh))
        return;
    affine_point(mesh_to_scene, bone_to_mesh[3], was);
    for (int i = 0; i < 3; i++)
        t.scale[i] = copysignf(scale, t.scale[i]);
    affine_from_transform(&t, mesh_to_scene);
    affine_point(mesh_to_scene, bone_to_mesh[3], is);
    for (int i = 0; i < 3; i++)
        mesh_to_scene[3][i] += was[i] - is[i];
}

static void choose_place(const struct solving *s, uint32_t index, mat4 out)
{
    enum { PLACES = 3 };
    const struct node *nodes = s->scene->nodes;
    uint32_t top = s->meshes[index].top, node = s->scene->bindings[top].node;
    int32_t above = nodes[node].parent; /* the skeleton */
    mat4 places[PLACES], back, follow, held;
    double best = INFINITY;
    while (above != NO_INDEX && nodes[above].is_bone)
        above = nodes[above].parent;
    memcpy(places[0], s->rest->node_to_scene[s->scene->instances[index].node], sizeof(mat4));
    memcpy(places[1], above == NO_INDEX ? mat4_identity : s->rest->node_to_scene[above], sizeof(mat4));
    memcpy(places[2], nodes[0].is_bone ? mat4_identity : s->rest->node_to_scene[0], sizeof(mat4));
/* This takes the rest pose to where the nearest node above that has its place already is now; the identity without
     * one. */
    memcpy(follow, mat4_identity, sizeof(mat4));
    for (int32_t n = nodes[node].parent; n != NO_INDEX; n = nodes[n].parent)
        if (s->joints[n].fixed == FIXED && affine_inverse(s->rest->node_to_scene[n], back)) {
            affine_mul(s->joints[n].bone_to_scene, back, follow);
            break;
        }
    affine_mul(follow, s->entries[top], held);
    memcpy(out, held, sizeof(mat4));
    keep_shape(out, s->scene->bindings[top].mesh_to_bone);
    for (int i = 0; i < PLACES; i++) {
        double distance = distance_from_rest(s, index, places[i], follow);
        if (!(distance < 0.999 * best) || !is_near(places[i], held))
            continue;
        best = distance;
        memcpy(out, places[i], sizeof(mat4));
    }
}

static void place(struct solving *s, uint32_t index, uint32_t link, const mat4 mesh_to_scene)
{
    memcpy(s->meshes[index].mesh_to_scene, mesh_to_scene, sizeof(mat4));
    s->meshes[index].placed = true;
    s->meshes[index].link = link;
    s->queue[s->queued++] = index;
}

/* By the node of a binding, where its skinned mesh has no place yet. */
static bool place_by_node(struct solving *s, uint32_t binding)
{
    const struct binding *b = &s->scene->bindings[binding];
    mat4 mesh_to_scene;
    if (s->meshes[b->instance].placed || mesh_of(s, b->instance)->bone_count == 0)
        return false;
    affine_mul(s->joints[b->node].bone_to_scene, b->mesh_to_bone, mesh_to_scene);
    place(s, b->instance, b->node, mesh_to_scene);
    return true;
}

static bool fix(struct solving *s, uint32_t binding, enum fixed how)
{
    const struct binding *b = &s->scene->bindings[binding];
    struct joint_place *joint = &s->joints[b->node];
    mat4 bone_to_mesh;
    if (joint->fixed >= how)
        return true;
    if (!affine_inverse(b->mesh_to_bone, bone_to_mesh))
        return false;
    affine_mul(s->meshes[b->instance].mesh_to_scene, bone_to_mesh, joint->bone_to_scene);
    joint->fixed = how;
    joint->owner = b->instance;
    return true;
}

/* Places every mesh that a placed one shares a bone with, both holding vertices by it. */
static bool spread(struct solving *s, struct error *err)
{
    const struct scene *scene = s->scene;
    while (s->taken < s->queued) {
        uint32_t index = s->queue[s->taken++];
        const struct instance *instance = &scene->instances[index];
        for (uint32_t b = instance->first_binding; b < instance->first_binding + instance->binding_count; b++) {
            uint32_t node = scene->bindings[b].node;
            if (!(s->sums[b] > 0))
                continue;
            if (!fix(s, b, FIXED))
                return error_set(err, "%s has no bind pose: the offset matrix of bone `%s` of mesh %s has no inverse",
                                 scene->path, scene->nodes[node].name,
                                 name_quoted(mesh_of(s, index)->label, '`', scene->arena));
            for (int32_t k = s->joints[node].first; k != NO_INDEX; k = s->next[k])
                if (s->sums[k] > 0)
                    place_by_node(s, (uint32_t)k);
        }
    }
    return true;
}

/*
 * Groups begin with the mesh whose bone is topmost: what is below then knows where what is above went. A mesh that
 * shares with a placed one only bones without vertices of one of them is placed by these: better than none, but nothing
 * that could contradict.
 */
static bool place_all(struct solving *s, struct error *err)
{
    const struct binding *bindings = s->scene->bindings;
    uint32_t count = s->scene->binding_count, next;
    for (uint32_t n = 0; n < s->scene->node_count; n++)
        for (int32_t k = s->joints[n].first; k != NO_INDEX; k = s->next[k]) {
            uint32_t index = bindings[k].instance;
            mat4 mesh_to_scene;
            if (s->meshes[index].placed || s->meshes[index].top != (uint32_t)k || mesh_of(s, index)->bone_count == 0)
                continue;
            choose_place(s, index, mesh_to_scene);
            place(s, index, n, mesh_to_scene);
            do {
                if (!spread(s, err))
                    return false;
                for (uint32_t b = 0; b < count; b++)
                    if (s->meshes[bindings[b].instance].placed)
                        fix(s, b, ASSUMED);
                for (next = 0; next < count; next++)
                    if (s->joints[bindings[next].node].fixed != FREE && place_by_node(s, next))
                        break;
            } while (next < count);
        }
    return true;
}

/* Locals from globals. Each is seen from its parent's global as it became, so that rounding does not add up. */
static bool write_pose(const struct solving *s, struct pose *pose, struct error *err)
{
    for (uint32_t n = 0; n < pose->node_count; n++) {
        const struct joint_place *joint = &s->joints[n];
        int32_t parent = s->scene->nodes[n].parent;
        mat4 scene_to_parent;
        memcpy(scene_to_parent, mat4_identity, sizeof(mat4));
        if (joint->fixed != FREE) {
            if (parent != NO_INDEX && !affine_inverse(pose->node_to_scene[parent], scene_to_parent))
                return error_set(err, "%s has no bind pose: node `%s`, which bone `%s` hangs on, has a scale of 0",
                                 s->scene->path, s->scene->nodes[parent].name, s->scene->nodes[n].name);
            affine_mul(scene_to_parent, joint->bone_to_scene, pose->local_to_parent[n]);
            affine_to_transform(pose->local_to_parent[n], &pose->local[n]);
        }
        compute_global(s->scene, pose, n);
    }
    return true;
}

/* Says whether it is one: bones that hold a mesh's vertices move them alike. */
static bool check(const struct solving *s, const struct pose *pose, struct error *err)
{
    enum { LISTED = 4 };
    const struct scene *scene = s->scene;
    const double *farthest = NULL;
    uint32_t index = 0, worst = 0, count = 0;
    mat4 *entries = ARENA_NEW(s->arena, mat4, scene->binding_count);
    compute_entries(scene, pose, entries);
    for (; index < scene->instance_count; index++) {
        farthest = measure(s, index, (const mat4 *)entries, &worst);
        if (farthest && farthest[worst] > BIND_TOLERANCE)
            break;
    }
    if (index == scene->instance_count)
        return true;
    const struct mesh *mesh = mesh_of(s, index);
    const char *name = name_quoted(mesh->label, '`', scene->arena);
    uint32_t owner = s->joints[mesh->bones[worst].node].owner;
    SCOPED(text) list = {0};
    for (uint32_t b = 0; b < mesh->bone_count; b++)
        if (farthest[b] > BIND_TOLERANCE && count++ < LISTED)
            text_addf(&list, "%s`%s` (%.3g %%)", count > 1 ? ", " : "", scene->nodes[mesh->bones[b].node].name,
                      100 * farthest[b]);
    if (count > LISTED)
        text_addf(&list, " and %u more", count - LISTED);
    if (owner == index)
        error_set(
            err,
            "%s has no bind pose: the offset matrices of mesh %s contradict each other; a bone is there twice, off "
            "by a share of the model's radius: %s",
            scene->path, name, text_string(&list));
    else
        error_set(
            err,
            "%s has no bind pose: the offset matrices of meshes %s and %s contradict each other: where they agree "
            "on bone `%s`, others are off by a share of the model's radius: %s",
            scene->path, name_quoted(mesh_of(s, owner)->label, '`', scene->arena), name,
            scene->nodes[s->meshes[index].link].name, text_string(&list));
    return false;
}

bool bind_pose_solve(const struct scene *scene, struct arena *arena, struct bind_pose *out, struct error *err)
{
    size_t bytes = ((size_t)1 << 16) + (size_t)scene->node_count * 192 + (size_t)scene->binding_count * 192 +
                   (size_t)scene->instance_count * 512;
    SCOPED_ARENA scratch = arena_require(bytes);
    *out = (struct bind_pose){.pose = pose_create(scene, arena)};
    for (uint32_t n = 0; n < scene->node_count; n++)
        compute_global(scene, &out->pose, n);
    struct pose rest = pose_copy(&out->pose, scene, arena);
    struct solving s = {
        .scene = scene,
        .arena = scratch,
        .rest = &rest,
        .entries = ARENA_NEW(scratch, mat4, scene->binding_count),
        .sums = ARENA_NEW(scratch, float, scene->binding_count),
        .next = ARENA_NEW(scratch, int32_t, scene->binding_count),
        .joints = ARENA_NEW(scratch, struct joint_place, scene->node_count),
        .meshes = ARENA_NEW(scratch, struct mesh_place, scene->instance_count),
        .queue = ARENA_NEW(scratch, uint32_t, scene->instance_count),
    };
    compute_entries(scene, &rest, s.entries);
    for (uint32_t i = 0; i < scene->instance_count; i++)
        find_top(&s, i);
    for (uint32_t n = 0; n < scene->node_count; n++)
        s.joints[n].first = NO_INDEX;
    for (uint32_t b = scene->binding_count; b-- > 0;) {
        s.next[b] = s.joints[scene->bindings[b].node].first;
        s.joints[scene->bindings[b].node].first = (int32_t)b;
    }
    struct bounds bounds = bounds_empty();
    for (uint32_t i = 0; i < scene->instance_count; i++)
        for (uint32_t v = 0; v < mesh_of(&s, i)->vertex_count; v++) {
            vec3 point;
            rest_vertex(&s, i, v, point);
            bounds_add_points(&bounds, (const vec3 *)&point, 1);
        }
    s.radius = fmax((double)bounds_radius(&bounds), 1e-30);
    uint32_t worst_node;
    out->is_rest = rest_displacement(&s, &worst_node) <= BIND_TOLERANCE;
    bool good = out->is_rest || (place_all(&s, err) && write_pose(&s, &out->pose, err) && check(&s, &out->pose, err));
    if (good && !out->is_rest)
        out->displacement = rest_displacement(&s, &out->worst_node);
    return good;
}
