#include "import/gltf/gltf_fixes.h"

#include <string.h>

#include "import/assimp/assimp_flags.h"
#include "import/gltf/gltf_repair.h"
#include "import/import.h"

static const uint32_t own_repairs =
    REPAIR_NAME_CLASH | REPAIR_GLTF_INTERPOLATION | REPAIR_GLTF_INTEGERS | REPAIR_GLTF_MORPH;

bool gltf_is_named(const struct scene *scene)
{
    return strcmp(scene->format, "gltf") == 0 || strcmp(scene->format, "glb") == 0 ||
           strcmp(scene->format, "vrm") == 0;
}

static bool fix(struct gltf_repair *repair)
{
    struct gltf_map map = {0};
    struct error why = {0};
    if (repair->effects & CHANGES_MESHES)
        scene_note(repair->scene, NOTE_WARNING, GLTF_UNREAD,
                   "repairs that go by the index of a mesh or a node are left out: --assimp-flags has rearranged them");
    else if (gltf_map_make(&map, repair->file, repair->scene, repair->source, &why))
        repair->map = &map;
    else
        scene_note(repair->scene, NOTE_WARNING, GLTF_UNREAD,
                   "nodes and meshes are found by name, not by index: %s", why.text);
    gltf_fix_clips(repair);
    gltf_fix_joints(repair);
    gltf_fix_rest(repair);
    bool good = gltf_fix_weights(repair);
    gltf_check(repair);
    repair->map = NULL;
    gltf_map_release(&map);
    return good;
}

bool gltf_fix(struct scene *scene, const struct aiScene *source, uint32_t repairs, unsigned effects,
               struct error *err)
{
    if (!gltf_is_named(scene) || !(repairs & own_repairs))
        return true;
    struct gltf_file file;
    struct error why = {0};
    bool good = true;
    if (!gltf_open(&file, scene->path, &why)) {
        scene_note(scene, NOTE_WARNING, GLTF_UNREAD,
                   "the file could not be read again, its known faults are not repaired: %s", why.text);
    } else if (gltf_is_version_2(&file)) {
        struct gltf_repair repair = {
            .scene = scene, .source = source, .file = &file, .repairs = repairs, .effects = effects, .err = err};
        good = fix(&repair);
    }
    gltf_close(&file);
    return good;
}
