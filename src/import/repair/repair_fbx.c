#include "import/scene/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
void repair_fbx_offsets(struct conversion *c)
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

/* Before 5.4 the offset is the file's own, of the mesh where it hangs: the geometric transform takes its vertices
 * there. */
void repair_fbx_geometric(struct conversion *c)
{
    struct scene *scene = c->scene;
    order_geometric_rotations(c);
    if (library_fbx()->offsets != FBX_OFFSETS_BOUND)
        return;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        struct mesh *mesh = &scene->meshes[m];
        const struct node *node = c->mesh_node[m] == NO_INDEX ? NULL : &scene->nodes[c->mesh_node[m]], *above = node;
        mat4 geometric;
        memcpy(geometric, mat4_identity, sizeof mat4_identity);
        while (node && above->parent != NO_INDEX) {
            above = &scene->nodes[above->parent];
            if (!is_pivot_of(above->name, node->name) || !strstr(above->name, "_$AssimpFbx$_Geometric"))
                break;
            affine_mul(above->local_to_parent, geometric, geometric);
        }
        if (mesh->bone_count == 0 || affine_is_identity(geometric, 1e-7f))
            continue;
        bool fixed = c->repairs & REPAIR_FBX_GEOMETRIC;
        for (uint32_t b = 0; b < mesh->bone_count && fixed; b++)
            affine_mul(mesh->bones[b].mesh_to_bone, geometric, mesh->bones[b].mesh_to_bone);
        scene_note(scene, fixed ? NOTE_REPAIR : NOTE_WARNING, "fbx-geometric",
                   "mesh %s is skinned and has a geometric transform, which Assimp %s leaves out%s", mesh->quoted,
                   scene->assimp_version, fixed ? "; its bone offsets have it now" : "");
    }
}

static struct channel hold_at_identity(struct conversion *c, uint32_t node)
{
    static const float identity[COMPONENT_COUNT][4] = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    struct channel channel = {.node_name = c->scene->nodes[node].name, .node = (int32_t)node, .is_repair = true};
    for (int i = 0; i < COMPONENT_COUNT; i++) {
        float *values = ARENA_NEW(c->scene->arena, float, 4);
        memcpy(values, identity[i], sizeof identity[i]);
        channel.keys[i] = (struct keys){1, ARENA_NEW(c->scene->arena, double, 1), values, INTERPOLATE_LINEAR};
    }
    return channel;
}

/* Marks in `held` the pivots of the channels' nodes that have no channel themselves; returns how many. */
static uint32_t find_pivots(struct conversion *c, const struct clip *clip, bool *held)
{
    struct scene *scene = c->scene;
    bool *animated = memory_new(scene->node_count, sizeof *animated);
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
    free(animated);
    return count;
}

/* Assimp 5.1.0 to 5.4.3: the channel of X holds T Pre R Post S, and X_$AssimpFbx$_PreRotation and so on are still
 * above X. */
void repair_fbx_pivots(struct conversion *c)
{
    struct scene *scene = c->scene;
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        struct clip *clip = &scene->clips[i];
        bool *held = memory_new(scene->node_count, sizeof *held);
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
        free(held);
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
    struct shape_channel *channels = file ? read_channels(c, file, &count) : NULL;
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
    free(channels);
}
