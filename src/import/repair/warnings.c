#include "import/scene/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/assimp/library.h"
#include "import/fbx/fbx_file.h"

/* From 5.4.0 on a bone's offset is of where the mesh is now. */
static void warn_fbx_skin(struct conversion *c, const struct mesh *mesh, int32_t node, enum fbx_offsets offsets)
{
    const struct scene *scene = c->scene;
    bool moved = false;
    if (offsets == FBX_OFFSETS_UNKNOWN)
        scene_note(c->scene, NOTE_WARNING, "fbx-offsets",
                   "what Assimp %s makes bone offsets of is not known: those of mesh %s are taken as they come",
                   scene->assimp_version, mesh->quoted);
    for (; node != NO_INDEX; node = scene->nodes[node].parent) {
        for (uint32_t i = 0; i < scene->clip_count && offsets != FBX_OFFSETS_BOUND; i++)
            for (uint32_t k = 0; k < scene->clips[i].channel_count; k++)
                moved = moved || (scene->clips[i].channels[k].node == node && !scene->clips[i].channels[k].is_repair);
    }
    if (moved)
        scene_note(c->scene, NOTE_WARNING, "fbx-moved-mesh",
                   "mesh %s is skinned and its node is animated: if it has moved since it was bound, Assimp %s gets the "
                   "bone offsets wrong",
                   mesh->quoted, scene->assimp_version);
}

/* FBX's InheritType: how a node takes over its parent's scale. */
enum { RrSs, RSrs, Rrs, INHERIT_TYPES };

static bool is_scaled(const float scale[3], bool only_unequal)
{
    const float tolerance = 1e-3f;
    for (int i = 0; i < 3; i++)
        if (fabsf(scale[i] - (only_unequal ? scale[0] : 1.0f)) > tolerance * fabsf(scale[0]))
            return true;
    return false;
}

/* What a node does at rest or in a clip. */
struct scaled {
    bool evenly, unevenly;
};

static struct scaled *find_scales(const struct scene *scene)
{
    struct scaled *scaled = memory_new(scene->node_count, sizeof *scaled);
    for (uint32_t n = 0; n < scene->node_count; n++)
        scaled[n] =
            (struct scaled){is_scaled(scene->nodes[n].rest.scale, false), is_scaled(scene->nodes[n].rest.scale, true)};
    for (uint32_t i = 0; i < scene->clip_count; i++)
        for (uint32_t k = 0; k < scene->clips[i].channel_count; k++) {
            const struct channel *channel = &scene->clips[i].channels[k];
            const struct keys *keys = &channel->keys[COMPONENT_SCALE];
            const bool is_cubic = keys->interpolation == INTERPOLATE_CUBIC; /* the value is between two tangents */
            for (size_t key = 0; key < keys->count && channel->node != NO_INDEX; key++) {
                const float *value = keys->values + (is_cubic ? 9 * key + 3 : 3 * key);
                scaled[channel->node].evenly = scaled[channel->node].evenly || is_scaled(value, false);
                scaled[channel->node].unevenly = scaled[channel->node].unevenly || is_scaled(value, true);
            }
        }
    return scaled;
}

/* Whether a node above the model of that name is scaled, for which its InheritType counts. Its own pivots are not above it. */
static bool takes_over(struct conversion *c, struct slice model, const struct scaled *scaled, int type)
{
    const struct scene *scene = c->scene;
    const char *name = arena_printf(scene->arena, "%.*s", (int)(model.length < 1000 ? model.length : 1000), model.data);
    bool found = false;
    for (size_t k = first_named(c, name);
         k < scene->node_count && strcmp(c->nodes_by_name[k].name, name) == 0 && type != RSrs; k++)
        for (int32_t n = scene->nodes[c->nodes_by_name[k].node].parent; n != NO_INDEX; n = scene->nodes[n].parent) {
            const bool is_own = is_pivot_of(scene->nodes[n].name, name);
            found = found || (!is_own && (type == Rrs ? scaled[n].evenly : scaled[n].unevenly));
        }
    return found;
}

/* Smoothness above 1, as modelling tools write it where they show a mesh subdivided. */
static bool is_subdivided(const struct fbx_file *file, uint32_t geometry)
{
    int64_t smoothness = 0, levels = 0;
    const uint32_t elements[] = {fbx_child(file, geometry, "Smoothness"),
                                 fbx_child(file, geometry, "PreviewDivisionLevels")};
    return elements[0] && fbx_integer(file, elements[0], 0, &smoothness) && smoothness > 1 && elements[1] &&
           fbx_integer(file, elements[1], 0, &levels) && levels > 0;
}

/* Whether a curve of an AnimationCurveNode has two values. */
static bool has_motion(const struct fbx_file *file, int64_t node)
{
    uint32_t curves, count = 0;
    const struct fbx_connection *list = fbx_connections(file, file->by_parent, node, &curves);
    bool moves = false;
    for (uint32_t i = 0; i < curves && !moves; i++) {
        const uint32_t curve = fbx_find(file, list[i].other, "AnimationCurve");
        const uint32_t keys = curve ? fbx_child(file, curve, "KeyValueFloat") : 0;
        double *values = keys ? fbx_array(file, keys, &count) : NULL;
        for (uint32_t k = 1; values && k < count; k++)
            moves = moves || values[k] != values[0];
        free(values);
    }
    return moves;
}

static void list_name(struct text *list, uint32_t index, struct slice name)
{
    enum { LISTED = 8, LONGEST = 64 };
    if (index < LISTED)
        text_addf(list, "%s%.*s", index ? ", " : "", (int)(name.length < LONGEST ? name.length : LONGEST), name.data);
    else if (index == LISTED)
        text_add(list, ", ...");
}

/* Curves of other properties than a transform, a blend shape's or a layer's weight, and surfaces that are no meshes. */
static void warn_fbx_lost(struct conversion *c, const struct fbx_file *file)
{
    struct text channels = {0}, geometries = {0};
    uint32_t lost = 0, others = 0;
    for (uint32_t i = 0; i < file->object_count; i++) {
        const struct fbx_object *object = &file->objects[i];
        const struct slice name = file->elements[object->element].name;
        struct slice type;
        uint32_t count;
        if (slice_is(name, "Geometry") && fbx_string(file, object->element, 2, &type) && !slice_is(type, "Mesh") &&
            !slice_is(type, "Shape") && !slice_is(type, "Line"))
            list_name(&geometries, others++, type);
        if (!slice_is(name, "AnimationCurveNode") || !has_motion(file, object->id))
            continue;
        const struct fbx_connection *to = fbx_connections(file, file->by_child, object->id, &count);
        for (uint32_t k = 0; k < count; k++) {
            const struct slice property = to[k].property;
            const bool is_transform = property.length > 4 && memcmp(property.data, "Lcl ", 4) == 0;
            const bool is_shape = fbx_find(file, to[k].other, "Deformer") || fbx_find(file, to[k].other, "Geometry");
            if (property.length > 0 && !is_transform && !is_shape && !slice_is(property, "Weight"))
                list_name(&channels, lost++, property);
        }
    }
    if (lost > 0)
        scene_note(c->scene, NOTE_WARNING, "fbx-channels", "%u channels move what is not played: %s", lost,
                   text_string(&channels));
    if (others > 0)
        scene_note(c->scene, NOTE_WARNING, "fbx-geometries", "%u geometries are not meshes and are not drawn: %s",
                   others, text_string(&geometries));
    text_release(&channels);
    text_release(&geometries);
}

/* What the file's objects show: a model's InheritType, caches, subdivided meshes. */
void warn_fbx(struct conversion *c, const struct fbx_file *file)
{
    struct scaled *scaled = find_scales(c->scene);
    bool inherit[INHERIT_TYPES] = {false}, has_cache = false;
    struct slice type;
    uint32_t subdivided = 0;
    for (uint32_t i = 0; i < file->object_count; i++) {
        const uint32_t element = file->objects[i].element;
        subdivided += slice_is(file->elements[element].name, "Geometry") && is_subdivided(file, element);
        if (slice_is(file->elements[element].name, "Model")) {
            const double own = fbx_model_number(file, element, "InheritType", RrSs);
            for (int k = 0; k < INHERIT_TYPES; k++)
                inherit[k] = inherit[k] || (own == k && takes_over(c, fbx_object_name(file, element), scaled, k));
        }
        has_cache = has_cache || (fbx_string(file, element, 2, &type) && slice_is(type, "VertexCacheDeformer"));
    }
    free(scaled);
    if (inherit[Rrs] || inherit[RrSs])
        scene_note(c->scene, NOTE_WARNING, "fbx-inherit-type",
                   "nodes that do not take over their parent's scale as usual (InheritType %s): Assimp ignores that",
                   inherit[Rrs] ? "Rrs" : "RrSs");
    if (blob_contains(&c->content, "DualQuaternion") || blob_contains(&c->content, "BlendWeights"))
        scene_note(c->scene, NOTE_WARNING, "fbx-dual-quaternion",
                   "a skin of the file means dual-quaternion skinning: Assimp hands it over as linear");
    warn_fbx_lost(c, file);
    if (subdivided > 0)
        scene_note(c->scene, NOTE_WARNING, "fbx-subdivision",
                   "%u meshes of the file are subdivision surfaces (Smoothness): their control meshes are drawn",
                   subdivided);
    if (has_cache)
        scene_note(c->scene, NOTE_WARNING, "fbx-vertex-cache",
                   "meshes of the file are animated by a geometry cache, which Assimp leaves out: they stay as they rest");
}

/* A mesh that Assimp makes of the nodes where a file has none. COLLADA's own meshes have names, and may leave materials. */
static bool is_made_of_nodes(const struct conversion *c)
{
    const struct scene *scene = c->scene;
    return scene->mesh_count == 1 && c->mesh_node[0] == 0 && scene->meshes[0].bone_count > 0 &&
           (scene->meshes[0].bone_count >= scene->node_count ||
            strcmp(scene->materials[0].name, "SkeletonMaterial") == 0 ||
            (is_format(c, "dae") && c->source->mMeshes[0]->mName.length == 0));
}

void add_warnings(struct conversion *c)
{
    for (uint32_t m = 0; m < c->scene->mesh_count;
         m++) { /* of several nodes that skin a mesh the last one's bones stay */
        const struct mesh *mesh = &c->scene->meshes[m];
        uint32_t references = 0;
        const bool is_split = (is_gltf(c) && (c->repairs & REPAIR_SHARED_SKIN)) ||
                              (is_format(c, "dae") && (c->repairs & REPAIR_DAE_INSTANCES)); /* the same bones */
        for (uint32_t n = 0; n < c->scene->node_count && mesh->bone_count > 0 && !is_split; n++)
            for (uint32_t i = 0; i < c->nodes[n]->mNumMeshes; i++)
                references += c->nodes[n]->mMeshes[i] == m;
        if (references > 1)
            scene_note(
                c->scene, NOTE_WARNING, "shared-skin",
                "mesh %s is skinned by %u nodes; Assimp keeps the bones of one of them, and the mesh is drawn once",
                mesh->quoted, references);
    }
    for (uint32_t i = 0; i < c->scene->clip_count && i < c->source->mNumAnimations; i++)
        if (c->source->mAnimations[i]->mNumMeshChannels > 0)
            scene_note(c->scene, NOTE_WARNING, "vertex-animation",
                       "clip \"%s\" replaces whole meshes from key to key, which is not played",
                       c->scene->clips[i].name);
    for (uint32_t m = 0; m < c->scene->mesh_count && is_format(c, "fbx"); m++)
        if (c->scene->meshes[m].bone_count > 0 && c->mesh_node[m] != NO_INDEX)
            warn_fbx_skin(c, &c->scene->meshes[m], c->mesh_node[m], library_fbx()->offsets);
    /* Assimp drops keys that lie a rounding error beyond the end of the stack: the last frame of a baked clip stands still. */
    for (uint32_t i = 0; i < c->scene->clip_count && is_format(c, "fbx"); i++) {
        const struct clip *clip = &c->scene->clips[i];
        double last = -INFINITY;
        bool baked = false; /* keys are a tick apart */
        for (uint32_t k = 0; k < clip->channel_count * COMPONENT_COUNT; k++) {
            const struct channel *channel = &clip->channels[k / COMPONENT_COUNT];
            const struct keys *keys = &channel->keys[k % COMPONENT_COUNT];
            if (keys->count < 3 || channel->is_repair)
                continue;
            double step = (keys->times[keys->count - 1] - keys->times[0]) / (keys->count - 1);
            baked = baked || fabs(step * clip->ticks_per_second - 1.0) < 0.01;
            last = fmax(last, keys->times[keys->count - 1]);
        }
        double missing = (clip->duration - last) * clip->ticks_per_second;
        if (baked && missing > 0.5 && missing < 1.5)
            scene_note(c->scene, NOTE_WARNING, "fbx-last-frame",
                       "clip \"%s\" has a key for every frame but the last: Assimp may have dropped it", clip->name);
    }
    if (is_made_of_nodes(c))
        scene_note(c->scene, NOTE_WARNING, "no-mesh",
                   "the file has no mesh that Assimp %s reads: what is drawn is one that Assimp makes of the skeleton",
                   c->scene->assimp_version);
    add_file_warnings(c);
}
