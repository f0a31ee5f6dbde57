#define _GNU_SOURCE /* memmem */

#include "import/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/assimp/library.h"

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
        scene_note(
            c->scene, NOTE_WARNING, "fbx-moved-mesh",
            "mesh %s is skinned and its node is animated: if it has moved since it was bound, Assimp %s gets the "
            "bone offsets wrong",
            mesh->quoted, scene->assimp_version);
}

static bool contains(const struct blob *file, const char *pattern)
{
    return memmem(file->data, file->size, pattern, strlen(pattern)) != NULL;
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

/* Whether any node above others is scaled, at rest or by a clip; with `only_unequal`, differently along its axes. */
static bool has_scale(const struct scene *scene, bool only_unequal)
{
    bool *is_parent = memory_new(scene->node_count, sizeof *is_parent);
    bool found = false;
    for (uint32_t n = 1; n < scene->node_count; n++) {
        const int32_t parent = scene->nodes[n].parent;
        is_parent[parent] = true;
        found = found || is_scaled(scene->nodes[parent].rest.scale, only_unequal);
    }
    for (uint32_t i = 0; i < scene->clip_count; i++)
        for (uint32_t k = 0; k < scene->clips[i].channel_count && !found; k++) {
            const struct channel *channel = &scene->clips[i].channels[k];
            const struct keys *keys = &channel->keys[COMPONENT_SCALE];
            bool counts = channel->node != NO_INDEX && is_parent[channel->node];
            const bool is_cubic = keys->interpolation == INTERPOLATE_CUBIC; /* the value is between two tangents */
            for (size_t key = 0; key < keys->count && counts && !found; key++)
                found = is_scaled(keys->values + (is_cubic ? 9 * key + 3 : 3 * key), only_unequal);
        }
    free(is_parent);
    return found;
}

/* What the file's objects show: a model's InheritType, curves that go on beyond their keys, caches. */
void warn_fbx(struct conversion *c, const struct fbx_file *file)
{
    static const char *const sides[] = {"Pre-Extrapolation",
                                        "Post-Extrapolation"}; /* { Type: C holds a key's value } */
    const struct fbx_element *elements = file->elements;
    bool inherit[INHERIT_TYPES] = {false}, goes_on = false, has_cache = false;
    uint32_t definitions = fbx_child(file, 0, "Definitions");
    struct fbx_text type;
    double usual = RrSs; /* of a model that does not say, unless its template says otherwise */
    for (uint32_t e = definitions ? elements[definitions].child : 0; e != 0; e = elements[e].next)
        if (fbx_string(file, e, 0, &type) && fbx_is(type, "Model"))
            fbx_property(file, fbx_child(file, e, "PropertyTemplate"), "InheritType", 1, &usual);
    for (uint32_t i = 0; i < file->object_count; i++) {
        uint32_t element = file->objects[i].element;
        double own = usual;
        fbx_property(file, element, "InheritType", 1, &own);
        for (int k = 0; k < INHERIT_TYPES && fbx_is(elements[element].name, "Model"); k++)
            inherit[k] = inherit[k] || own == k;
        for (int k = 0; k < 2; k++) {
            uint32_t side = fbx_child(file, element, sides[k]), letter = side ? fbx_child(file, side, "Type") : 0;
            goes_on = goes_on || (fbx_string(file, letter, 0, &type) && type.length > 0 && type.data[0] != 'C');
        }
        has_cache = has_cache || (fbx_string(file, element, 2, &type) && fbx_is(type, "VertexCacheDeformer"));
    }
    if ((inherit[Rrs] && has_scale(c->scene, false)) || (inherit[RrSs] && has_scale(c->scene, true)))
        scene_note(c->scene, NOTE_WARNING, "fbx-inherit-type",
                   "nodes that do not take over their parent's scale as usual (InheritType %s): Assimp ignores that",
                   inherit[Rrs] ? "Rrs" : "RrSs");
    if (c->scene->clip_count > 0 && goes_on)
        scene_note(c->scene, NOTE_WARNING, "fbx-extrapolation",
                   "curves that go on before their first or after their last key (repeated, mirrored, sloped): Assimp "
                   "holds the key's value there");
    if (contains(&c->content, "DualQuaternion") || contains(&c->content, "BlendWeights"))
        scene_note(c->scene, NOTE_WARNING, "fbx-dual-quaternion",
                   "a skin of the file means dual-quaternion skinning: Assimp hands it over as linear");
    if (has_cache)
        scene_note(
            c->scene, NOTE_WARNING, "fbx-vertex-cache",
            "meshes of the file are animated by a geometry cache, which Assimp leaves out: they stay as they rest");
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
    add_file_warnings(c);
}
