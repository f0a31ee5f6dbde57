#include "import/convert.h"

#include <math.h>
#include <string.h>

#include "import/assimp/library_probe.h"

/* What no repair can bring back is at least said. */

/* ---- any format -------------------------------------------------------------------------------------------------- */

static uint32_t count_references(const struct conversion *c, uint32_t mesh)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < c->scene->node_count; n++)
        for (uint32_t i = 0; i < c->nodes[n]->mNumMeshes; i++)
            count += c->nodes[n]->mMeshes[i] == mesh;
    return count;
}

/* Assimp keeps one set of bones a mesh: of several nodes that skin it, the last one's. */
static void warn_shared_skins(struct conversion *c)
{
    for (uint32_t m = 0; m < c->scene->mesh_count; m++) {
        const struct mesh *mesh = &c->scene->meshes[m];
        uint32_t references = mesh->bone_count > 0 ? count_references(c, m) : 0;
        if (references > 1)
            scene_note(c->scene, NOTE_WARNING, "shared-skin",
                       "mesh %s is skinned by %u nodes; Assimp keeps the bones of one of them, and the mesh is drawn once",
                       mesh->quoted, references);
    }
}

static void warn_vertex_animation(struct conversion *c)
{
    for (uint32_t i = 0; i < c->scene->clip_count; i++)
        if (c->source->mAnimations[i]->mNumMeshChannels > 0)
            scene_note(c->scene, NOTE_WARNING, "vertex-animation",
                       "clip \"%s\" replaces whole meshes from key to key, which is not played",
                       c->scene->clips[i].name);
}

/* ---- FBX --------------------------------------------------------------------------------------------------------- */

static bool is_animated(const struct scene *scene, int32_t node)
{
    for (uint32_t i = 0; i < scene->clip_count; i++)
        for (uint32_t k = 0; k < scene->clips[i].channel_count; k++)
            if (scene->clips[i].channels[k].node == node && !scene->clips[i].channels[k].is_repair)
                return true;
    return false;
}

/* Before 6.0.0 a bone's offset leaves out the geometric transform, which Assimp makes a node of. */
static void warn_geometric(struct conversion *c, const struct mesh *mesh, int32_t node)
{
    for (int32_t n = node; n != NO_INDEX; n = c->scene->nodes[n].parent)
        if (strstr(c->scene->nodes[n].name, "_$AssimpFbx$_Geometric"))
            scene_note(c->scene, NOTE_WARNING, "fbx-geometric",
                       "mesh %s is skinned and has a geometric transform, which Assimp %s leaves out", mesh->quoted,
                       c->scene->assimp_version);
}

/* From 5.4.0 on the offsets follow from where the mesh is now instead of where it was when it was bound. */
static void warn_moved(struct conversion *c, const struct mesh *mesh, int32_t node)
{
    for (int32_t n = node; n != NO_INDEX; n = c->scene->nodes[n].parent) {
        if (!is_animated(c->scene, n))
            continue;
        scene_note(c->scene, NOTE_WARNING, "fbx-moved-mesh",
                   "mesh %s is skinned and its node is animated: if it has moved since it was bound, Assimp %s gets the "
                   "bone offsets wrong",
                   mesh->quoted, c->scene->assimp_version);
        return;
    }
}

static void warn_fbx_skins(struct conversion *c)
{
    enum fbx_offsets offsets = library_fbx()->offsets;
    for (uint32_t m = 0; m < c->scene->mesh_count; m++) {
        const struct mesh *mesh = &c->scene->meshes[m];
        if (mesh->bone_count == 0 || c->mesh_node[m] == NO_INDEX)
            continue;
        if (offsets == FBX_OFFSETS_UNKNOWN)
            scene_note(c->scene, NOTE_WARNING, "fbx-offsets",
                       "what Assimp %s makes bone offsets of is not known: those of mesh %s are taken as they come",
                       c->scene->assimp_version, mesh->quoted);
        if (offsets != FBX_OFFSETS_OF_MESH)
            warn_geometric(c, mesh, c->mesh_node[m]);
        if (offsets != FBX_OFFSETS_BOUND)
            warn_moved(c, mesh, c->mesh_node[m]);
    }
}

/* The last key of any component, and whether keys are a tick apart, as in a baked clip. */
static double last_key(const struct clip *clip, bool *baked)
{
    double last = -INFINITY;
    *baked = false;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        for (int k = 0; k < COMPONENT_COUNT; k++) {
            const struct keys *keys = &clip->channels[i].keys[k];
            if (keys->count < 3 || clip->channels[i].is_repair)
                continue;
            double step = (keys->times[keys->count - 1] - keys->times[0]) / (keys->count - 1);
            *baked = *baked || fabs(step * clip->ticks_per_second - 1.0) < 0.01;
            last = fmax(last, keys->times[keys->count - 1]);
        }
    }
    return last;
}

/* Assimp drops keys that lie a rounding error beyond the end of the stack: the last frame stands still. */
static void warn_last_frame(struct conversion *c)
{
    for (uint32_t i = 0; i < c->scene->clip_count; i++) {
        const struct clip *clip = &c->scene->clips[i];
        bool baked;
        double last = last_key(clip, &baked);
        double missing = (clip->duration - last) * clip->ticks_per_second;
        if (baked && missing > 0.5 && missing < 1.5)
            scene_note(c->scene, NOTE_WARNING, "fbx-last-frame",
                       "clip \"%s\" has a key for every frame but the last: Assimp may have dropped it",
                       clip->name);
    }
}

void add_warnings(struct conversion *c)
{
    warn_shared_skins(c);
    warn_vertex_animation(c);
    if (is_format(c, "fbx")) {
        warn_fbx_skins(c);
        warn_last_frame(c);
    }
    add_file_warnings(c);
}
