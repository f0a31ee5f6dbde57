#include "import/gltf/gltf_repair.h"

#include <string.h>

#include "import/import.h"

/* Bones of the mesh that are in the file; a repair may have added one for vertices without weights. */
static uint32_t file_bones(const struct mesh *mesh)
{
    uint32_t count = 0;
    while (count < mesh->bone_count && !mesh->bones[count].follows_mesh_node)
        count++;
    return count;
}

/* Bone b is joint b of the skin, if Assimp took this skin: their number and all their names say so. */
static bool skin_agrees(const struct gltf_repair *repair, const struct mesh *mesh,
                        const struct aiMesh *source, const json_t *joints)
{
    if (json_array_size(joints) != file_bones(mesh) || source->mNumBones < file_bones(mesh))
        return false;
    for (uint32_t b = 0; b < file_bones(mesh); b++) {
        char buffer[32];
        const char *name = gltf_node_name(repair->file, gltf_index_at(joints, b), buffer);
        if (!gltf_names_agree(name, source->mBones[b]->mName.data))
            return false;
    }
    return true;
}

static void bind_bones(const struct gltf_repair *repair, struct mesh *mesh, const json_t *joints)
{
    uint32_t bound = 0;
    for (uint32_t b = 0; b < file_bones(mesh); b++) {
        int32_t joint = gltf_index_at(joints, b);
        bool known = joint != GLTF_NONE && (uint32_t)joint < repair->map->file_node_count;
        int32_t node = known ? repair->map->scene_node[joint] : NO_INDEX;
        if (node == NO_INDEX || (uint32_t)node == mesh->bones[b].node)
            continue;
        mesh->bones[b].node = (uint32_t)node;
        bound++;
    }
    if (bound > 0)
        scene_note(repair->scene, NOTE_REPAIR, "name-clash",
                   "mesh %s: bound to the joint that the file names by index: %u %s", mesh->quoted, (unsigned)bound,
                   bound == 1 ? "bone" : "bones");
}

/* Which nodes some mesh binds, now that bones may have moved. */
static void mark_bones(struct scene *scene)
{
    for (uint32_t i = 0; i < scene->node_count; i++)
        scene->nodes[i].is_bone = false;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        for (uint32_t b = 0; b < scene->meshes[i].bone_count; b++)
            if (!scene->meshes[i].bones[b].follows_mesh_node)
                scene->nodes[scene->meshes[i].bones[b].node].is_bone = true;
}

void gltf_fix_joints(const struct gltf_repair *repair)
{
    if (!repair->map || !(repair->repairs & REPAIR_NAME_CLASH))
        return;
    for (uint32_t i = 0; i < repair->scene->mesh_count; i++) {
        struct mesh *mesh = &repair->scene->meshes[i];
        const json_t *skin = gltf_item(repair->file, "skins", repair->map->uses[i].skin);
        const json_t *joints = json_object_get(skin, "joints");
        if (!skin || mesh->bone_count == 0)
            continue;
        if (skin_agrees(repair, mesh, repair->source->mMeshes[i], joints))
            bind_bones(repair, mesh, joints);
        else
            scene_note(repair->scene, NOTE_WARNING, GLTF_UNREAD,
                       "mesh %s: its bones are not the joints of the file's skin, so they stay bound by name",
                       mesh->quoted);
    }
    mark_bones(repair->scene);
}
