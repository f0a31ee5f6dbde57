#include "import/scene/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "import/assimp/library.h"
#include "import/fbx/fbx_animation.h"

static const char pivot_mark[] = "_$AssimpFbx$_";

/*
 * Since Assimp 5.4 the axes of an FBX file are a matrix on the root, which cannot be told from a pose: it is taken off,
 * and the file keeps its own axes and numbers. With the repair off the scene is what the matrix makes of it: Y up.
 */
void repair_fbx_root_axes(struct conversion *c)
{
    struct node *root = &c->scene->nodes[0];
    if (!library_fbx()->turns_root || affine_is_identity(root->local_to_parent, 1e-6f))
        return;
    if (!(c->repairs & REPAIR_FBX_ROOT_AXES)) {
        c->scene->up_axis = 1;
        c->scene->up_sign = 1;
        return;
    }
    memcpy(root->local_to_parent, mat4_identity, sizeof mat4_identity);
    root->rest = transform_identity;
    repaired(c, "fbx-root-axes", "the axis matrix that Assimp %s put on the root is taken off: up is the file's %s%c",
             c->scene->assimp_version, c->scene->up_sign < 0 ? "-" : "", "XYZ"[c->scene->up_axis]);
}

bool is_pivot_of(const char *node, const char *base)
{
    size_t length = strlen(base);
    return strncmp(node, base, length) == 0 && strncmp(node + length, pivot_mark, strlen(pivot_mark)) == 0;
}

/* Assimp 5.4.0 to 5.4.3, and commits after it, multiplied by the local matrix P of the node above the mesh's own
 * chain where it meant the global matrix G of the mesh's node, both below the root: offset' = offset inverse(P) G. */
static void mend_offsets(struct conversion *c)
{
    struct scene *scene = c->scene;
    uint32_t mended = 0;
    if (library_fbx()->offsets != FBX_OFFSETS_OF_PARENT)
        return;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        struct mesh *mesh = &scene->meshes[m];
        const int32_t node = c->mesh_node[m];
        mat4 correction, inverse;
        if (mesh->bone_count == 0 || node == NO_INDEX)
            continue;
        int32_t above = scene->nodes[node].parent;
        while (above > 0 && is_pivot_of(scene->nodes[above].name, scene->nodes[node].name))
            above = scene->nodes[above].parent;
        memcpy(correction, mat4_identity, sizeof mat4_identity);
        for (int32_t n = node; n > 0; n = scene->nodes[n].parent)
            affine_mul(scene->nodes[n].local_to_parent, correction, correction);
        if (above > 0 && !affine_inverse(scene->nodes[above].local_to_parent, inverse))
            continue;
        if (above > 0)
            affine_mul(inverse, correction, correction);
        if (affine_is_identity(correction, 1e-7f))
            continue;
        mended++;
        for (uint32_t b = 0; b < mesh->bone_count; b++)
            affine_mul(mesh->bones[b].mesh_to_bone, correction, mesh->bones[b].mesh_to_bone);
    }
    if (mended > 0)
        scene_note(scene, NOTE_REPAIR, "fbx-offsets",
                   "the bone offsets of %u meshes, which Assimp %s gets wrong, are repaired", mended,
                   scene->assimp_version);
}

/* The geometric transform of the mesh that hangs on a node: what its pivots of that name make. */
static void geometric_transform(const struct scene *scene, const struct node *node, mat4 out)
{
    const struct node *above = node;
    memcpy(out, mat4_identity, sizeof mat4_identity);
    while (above->parent != NO_INDEX) {
        above = &scene->nodes[above->parent];
        if (!is_pivot_of(above->name, node->name) || !strstr(above->name, "_$AssimpFbx$_Geometric"))
            break;
        affine_mul(above->local_to_parent, out, out);
    }
}

/* A bone of a skin: the matrix is the mesh's in the space of the bone when it was bound. */
struct cluster {
    struct slice bone;
    int64_t id;
    uint32_t transform; /* an element */
};

static int by_bone(const void *a, const void *b)
{
    const struct cluster *x = a, *y = b;
    const int order = slice_order(x->bone, y->bone);
    return order ? order : (x->id > y->id) - (x->id < y->id);
}

/* The file's clusters by their bones' names; freed by the caller. */
static struct cluster *read_clusters(const struct fbx_file *file, uint32_t *count)
{
    struct cluster *clusters = memory_new(file->object_count, sizeof *clusters);
    *count = 0;
    for (uint32_t i = 0, e; (e = fbx_next(file, &i, "Deformer")) != 0;) {
        struct cluster cluster = {.transform = fbx_child(file, e, "Transform")};
        uint32_t children, bone = 0;
        if (!cluster.transform || !fbx_integer(file, e, 0, &cluster.id))
            continue;
        const struct fbx_connection *list = fbx_connections(file, file->by_parent, cluster.id, &children);
        for (uint32_t k = 0; k < children && !bone; k++)
            bone = fbx_find(file, list[k].other, "Model");
        if (!bone)
            continue;
        cluster.bone = fbx_object_name(file, bone);
        clusters[(*count)++] = cluster;
    }
    sort_items(clusters, *count, sizeof *clusters, by_bone);
    return clusters;
}

/* The matrix of the one cluster that binds a mesh on that node to that bone. False: there is none, or several. */
static bool bound_matrix(const struct fbx_file *file, const struct cluster *clusters, uint32_t count, const char *mesh,
                         const char *bone, mat4 out)
{
    static const char *const chain[] = {"Deformer", "Geometry", "Model", NULL};
    const struct cluster key = {.bone = slice_of(bone), .id = INT64_MIN};
    uint32_t found = 0, number_count = 0;
    for (size_t i = lower_bound(&key, clusters, count, sizeof key, by_bone);
         i < count && slices_are_one(clusters[i].bone, key.bone); i++) {
        if (!fbx_leads_to(file, clusters[i].id, chain, slice_of(mesh)))
            continue;
        FREED double *numbers = fbx_array(file, clusters[i].transform, &number_count);
        for (int k = 0; numbers && number_count == 16 && k < 16; k++)
            out[k / 4][k % 4] = (float)numbers[k];
        found += numbers && number_count == 16 && affine_is_finite(out);
    }
    return found == 1;
}

/* From 5.4 on Assimp makes an offset of where the mesh is now: it is what the file says the mesh was bound with. */
static void restore_bound_offsets(struct conversion *c)
{
    struct scene *scene = c->scene;
    const enum fbx_offsets offsets = library_fbx()->offsets;
    const struct fbx_file *file = offsets == FBX_OFFSETS_OF_PARENT || offsets == FBX_OFFSETS_OF_MESH ? fbx_of(c) : NULL;
    uint32_t count, restored = 0;
    if (!file)
        return;
    FREED struct cluster *clusters = read_clusters(file, &count);
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        struct mesh *mesh = &scene->meshes[m];
        const struct node *node = c->mesh_node[m] == NO_INDEX ? NULL : &scene->nodes[c->mesh_node[m]];
        mat4 geometric, bound, change;
        uint32_t left = 0;
        bool differs = false;
        if (node)
            geometric_transform(scene, node, geometric);
        for (uint32_t b = 0; node && b < mesh->bone_count; b++) {
            struct bone *bone = &mesh->bones[b];
            const bool is_known =
                bound_matrix(file, clusters, count, node->name, scene->nodes[bone->node].name, bound) &&
                affine_inverse(bone->mesh_to_bone, change);
            left += !is_known;
            if (!is_known)
                continue;
            affine_mul(bound, geometric, bound);
            affine_mul(change, bound, change);
            if (affine_is_identity(change, 1e-4f))
                continue;
            memcpy(bone->mesh_to_bone, bound, sizeof bound);
            differs = true;
        }
        restored += differs;
        if (left > 0)
            warn(c, "fbx-offsets",
                 "mesh %s: which matrix of the file %u of its bones are bound with is not known: if the mesh has moved "
                 "since, Assimp %s gets their offsets wrong",
                 mesh->quoted, left, scene->assimp_version);
    }
    if (restored > 0)
        repaired(c, "fbx-offsets",
                 "%u meshes have moved since they were bound: their bone offsets, which Assimp %s makes of where they "
                 "are now, are those of the file",
                 restored, scene->assimp_version);
}

void repair_fbx_offsets(struct conversion *c)
{
    mend_offsets(c);
    restore_bound_offsets(c);
}

/* A geometric rotation turns about x, y, z, whatever the model's order of axes is, in which Assimp takes it. */
static void order_geometric_rotations(struct conversion *c)
{
    static const char *const pivots[] = {"GeometricRotation", "GeometricRotationInverse"};
    const struct fbx_file *file = c->repairs & REPAIR_FBX_GEOMETRIC ? fbx_of(c) : NULL;
    for (uint32_t i = 0, e; file && (e = fbx_next(file, &i, "Model")) != 0;) {
        const char *name = copy_name(c, fbx_object_name(file, e));
        double degrees[3], q[4];
        if (fbx_model_number(file, e, "RotationOrder", 0) == 0 || !fbx_property(file, e, pivots[0], 3, degrees))
            continue;
        fbx_euler(degrees, 0, FBX_NOT_DERIVED, q);
        for (int k = 0; k < 2; k++) {
            struct transform turn = transform_identity;
            const char *pivot = arena_printf(c->scene->arena, "%s%s%s", name, pivot_mark, pivots[k]);
            const int32_t n = scene_find_node(c->scene, pivot);
            for (int a = 0; a < 4; a++)
                turn.rotation[a] = (float)(k == 1 && a < 3 ? -q[a] : q[a]);
            if (n == NO_INDEX)
                continue;
            mat4 change;
            affine_inverse(c->scene->nodes[n].local_to_parent, change);
            affine_from_transform(&turn, c->scene->nodes[n].local_to_parent);
            affine_mul(change, c->scene->nodes[n].local_to_parent, change);
            c->scene->nodes[n].rest = turn;
            if (k == 0 && !affine_is_identity(change, 1e-5f))
                repaired(c, "fbx-geometric", "the geometric rotation of node \"%s\" is in the order XYZ", name);
        }
    }
}

/* The geometric transform of a model is of what is drawn there, and not of those that it moves as a bone: Assimp's node
 * has it. */
static void free_bones(struct conversion *c)
{
    struct scene *scene = c->scene;
    const bool fixed = c->repairs & REPAIR_FBX_GEOMETRIC;
    uint32_t freed = 0;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        for (uint32_t b = 0; b < scene->meshes[m].bone_count; b++) {
            struct bone *bone = &scene->meshes[m].bones[b];
            mat4 geometric;
            geometric_transform(scene, &scene->nodes[bone->node], geometric);
            if (affine_is_identity(geometric, 1e-7f) || !affine_inverse(geometric, geometric))
                continue;
            if (fixed)
                affine_mul(geometric, bone->mesh_to_bone, bone->mesh_to_bone);
            freed++;
        }
    }
    if (freed > 0)
        repaired_or_warn(
            c, fixed, "fbx-geometric",
            "%u bones have geometric transforms, which only what is drawn of them has: Assimp moves their meshes "
            "by them, too%s",
            freed, fixed ? "; the bone offsets take them back" : "");
}

/* Before 5.4 the offset is the file's own, of the mesh where it hangs: the geometric transform takes its vertices
 * there. */
void repair_fbx_geometric(struct conversion *c)
{
    struct scene *scene = c->scene;
    order_geometric_rotations(c);
    free_bones(c);
    if (library_fbx()->offsets != FBX_OFFSETS_BOUND)
        return;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        struct mesh *mesh = &scene->meshes[m];
        mat4 geometric;
        if (mesh->bone_count == 0 || c->mesh_node[m] == NO_INDEX)
            continue;
        geometric_transform(scene, &scene->nodes[c->mesh_node[m]], geometric);
        if (affine_is_identity(geometric, 1e-7f))
            continue;
        bool fixed = c->repairs & REPAIR_FBX_GEOMETRIC;
        for (uint32_t b = 0; b < mesh->bone_count && fixed; b++)
            affine_mul(mesh->bones[b].mesh_to_bone, geometric, mesh->bones[b].mesh_to_bone);
        repaired_or_warn(c, fixed, "fbx-geometric",
                         "mesh %s is skinned and has a geometric transform, which Assimp %s leaves out%s", mesh->quoted,
                         scene->assimp_version, fixed ? "; its bone offsets have it now" : "");
    }
}

static struct channel hold_at_identity(struct conversion *c, uint32_t node)
{
    static const float identity[COMPONENT_COUNT][4] = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    struct channel channel = {.node_name = c->scene->nodes[node].name, .node = (int32_t)node, .is_repair = true};
    for (int i = 0; i < COMPONENT_COUNT; i++) {
        float *values = ARENA_COPIES(c->scene->arena, float, identity[i], 4);
        channel.keys[i] = (struct keys){1, ARENA_NEW(c->scene->arena, double, 1), values, INTERPOLATE_LINEAR};
    }
    return channel;
}

/* Marks in `held` the pivots of the channels' nodes that have no channel themselves; returns how many. */
static uint32_t find_pivots(struct conversion *c, const struct clip *clip, bool *held)
{
    struct scene *scene = c->scene;
    FREED bool *animated = memory_new(scene->node_count, sizeof *animated);
    uint32_t count = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].node != NO_INDEX)
            animated[clip->channels[i].node] = true;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const char *name = clip->channels[i].node_name;
        if (clip->channels[i].node == NO_INDEX || strstr(name, pivot_mark))
            continue;
        const char *prefix = arena_printf(scene->arena, "%s%s", name, pivot_mark);
        for (size_t k = first_named(c, prefix); k < scene->node_count && is_pivot_of(c->nodes_by_name[k].name, name);
             k++) {
            uint32_t node = c->nodes_by_name[k].node;
            if (animated[node] || held[node])
                continue;
            held[node] = true;
            count += !affine_is_identity(scene->nodes[node].local_to_parent, 1e-7f);
        }
    }
    return count;
}

/* Assimp 5.1.0 to 5.4.3: the channel of X holds T Pre R Post S, and X_$AssimpFbx$_PreRotation and so on are still
 * above X. */
void repair_fbx_pivots(struct conversion *c)
{
    struct scene *scene = c->scene;
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        struct clip *clip = &scene->clips[i];
        FREED bool *held = memory_new(scene->node_count, sizeof *held);
        uint32_t count = find_pivots(c, clip, held), before = clip->channel_count;
        struct channel *channels = clip->channels;
        if (count > 0) {
            clip->channels = ARENA_NEW(scene->arena, struct channel, (size_t)before + scene->node_count);
            memcpy(clip->channels, channels, before * sizeof *channels);
            for (uint32_t n = 0; n < scene->node_count; n++)
                if (held[n])
                    clip->channels[clip->channel_count++] = hold_at_identity(c, n);
            scene_note(scene, NOTE_REPAIR, "fbx-pivots",
                       "clip \"%s\": %u pivot nodes, whose transforms the channels below them hold already, stay at "
                       "the identity while it plays",
                       clip->name, count);
        }
    }
}

/*
 * FBX blend shapes at rest. Assimp gives a shape that is alone in its channel the weight 1, whatever the file says. The
 * file's DeformPercent is searched for by the channel's name, which exporters give the shape too; otherwise it rests at
 * 0.
 */
struct shape_channel {
    struct slice name;
    double percent;
};

/* The channels of the file, freed by the caller. */
static struct shape_channel *read_channels(struct conversion *c, const struct fbx_file *file, uint32_t *count)
{
    struct shape_channel *channels = memory_new(file->object_count, sizeof *channels);
    for (uint32_t i = 0; i < file->object_count; i++) {
        uint32_t element = file->objects[i].element;
        struct slice type;
        if (!fbx_string(file, element, 2, &type) || !slice_is(type, "BlendShapeChannel"))
            continue;
        struct shape_channel *channel = &channels[(*count)++];
        *channel = (struct shape_channel){.name = fbx_object_name(file, element)};
        if (!fbx_number(file, fbx_child(file, element, "DeformPercent"), 0, &channel->percent) ||
            fabs(channel->percent) > 1e6)
            channel->percent = 0;
        uint32_t list = fbx_child(file, element, "FullWeights"), weight_count = 0, uneven = 0;
        double *weights = list ? fbx_array(file, list, &weight_count) : NULL;
        for (uint32_t k = 0; weights && k < weight_count; k++)
            uneven += !(fabs(weights[k] - 100.0) < 1e-3);
        free(weights);
        if (uneven > 0)
            warn(c, "fbx-full-weights",
                 "blend shape \"%.256s\" has a weight of its own for each vertex, or shapes on the way (FullWeights): "
                 "Assimp ignores that",
                 copy_name(c, channel->name));
    }
    return channels;
}

void repair_fbx_shapes(struct conversion *c)
{
    uint32_t targets = 0, count = 0;
    for (uint32_t m = 0; m < c->scene->mesh_count; m++)
        targets += c->scene->meshes[m].target_count;
    if (targets == 0)
        return;
    if (c->repairs & REPAIR_FBX_SHAPES)
        repaired(c, "fbx-shapes", "%u blend shape%s at rest as the file says, not at full weight", targets,
                 targets > 1 ? "s" : "");
    const struct fbx_file *file = fbx_of(c);
    FREED struct shape_channel *channels = file ? read_channels(c, file, &count) : NULL;
    for (uint32_t m = 0; m < c->scene->mesh_count && (c->repairs & REPAIR_FBX_SHAPES); m++)
        for (uint32_t t = 0; t < c->scene->meshes[m].target_count; t++) {
            struct morph_target *target = &c->scene->meshes[m].targets[t];
            const struct shape_channel *best = NULL;
            /* Assimp 5.3 and later put the channel's name and a dot before the shape's. Of several channels it is
             * the one with the longest name: blink.L is not blink's. */
            for (uint32_t i = 0; i < count; i++) {
                struct slice name = channels[i].name;
                bool fits = strlen(target->name) >= name.length && memcmp(target->name, name.data, name.length) == 0 &&
                            (target->name[name.length] == '\0' || target->name[name.length] == '.');
                best = fits && (!best || name.length >= best->name.length) ? &channels[i] : best;
            }
            target->default_weight = best ? (float)(best->percent / 100.0) : 0.0f;
        }
}
