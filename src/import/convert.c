#include "import/convert.h"

#include <math.h>
#include <stdlib.h>

#include <assimp/postprocess.h>

#include "import/assimp/assimp_flags.h"
#include "import/gltf/gltf_fixes.h"

/* FBX says its axes and its unit (in centimetres); COLLADA's are baked into the root: metres, Y up. */
static void convert_axes(struct conversion *c)
{
    double number;
    c->scene->up_axis = 1;
    c->scene->up_sign = 1;
    if (is_gltf(c) || is_format(c, "dae"))
        c->scene->unit_meters = 1.0;
    if (!is_format(c, "fbx"))
        return;
    if (metadata_number(c->source, "UpAxis", &number) && number >= 0 && number <= 2)
        c->scene->up_axis = (int)number;
    if (metadata_number(c->source, "UpAxisSign", &number))
        c->scene->up_sign = number < 0 ? -1 : 1;
    if (metadata_number(c->source, "UnitScaleFactor", &number) && number > 0 && isfinite(number))
        c->scene->unit_meters = c->flags & aiProcess_GlobalScale ? 1.0 : 0.01 * number;
}

static bool fix_gltf(struct conversion *c)
{
    const uint32_t wanted =
        REPAIR_NAME_CLASH | REPAIR_GLTF_INTERPOLATION | REPAIR_GLTF_INTEGERS | REPAIR_GLTF_MORPH;
    if (is_gltf(c) && (c->repairs & wanted))
        return gltf_fix(c->scene, c->source, c->repairs, assimp_flags_effects(c->flags), c->err);
    return true;
}

static void release(struct conversion *c)
{
    free(c->nodes);
    free(c->nodes_by_name);
    free(c->mesh_node);
    free(c->mesh_uv);
}

/* What Assimp was asked for besides is a part of what the scene is. */
static void report_flags(struct conversion *c)
{
    struct text names = {0};
    assimp_flags_describe(c->flags, &names);
    if (c->flags)
        scene_note(c->scene, NOTE_WARNING, "assimp-flags", "Assimp ran with %s: vertices, weights, meshes and nodes are what these made of the file's",
                   text_string(&names));
    if ((assimp_flags_effects(c->flags) & CHANGES_NODES) && is_format(c, "fbx") &&
        (c->repairs & (REPAIR_FBX_OFFSETS | REPAIR_FBX_PIVOTS)))
        scene_note(c->scene, NOTE_WARNING, "assimp-flags",
                   "the repairs fbx-offsets and fbx-pivots are left out: optimize-graph takes away the nodes they go by");
    text_release(&names);
}

bool convert_scene(struct conversion *c)
{
    convert_axes(c);
    report_flags(c);
    bool good = convert_nodes(c) && convert_materials(c) && convert_meshes(c) && check_weights_of_pose(c);
    if (good) {
        repair_fbx_shapes(c);
        good = convert_clips(c);
    }
    if (good) {
        convert_cameras(c);
        good = fix_gltf(c);
    }
    if (good) {
        repair_fbx_curves(c);
        repair_fbx_root_axes(c);
        if (!(assimp_flags_effects(c->flags) & CHANGES_NODES)) {
            repair_fbx_offsets(c);
            repair_fbx_pivots(c);
        }
        good = finish_weights(c) && finish_clips(c);
        repair_mdl_durations(c);
        repair_mdl_root_axes(c);
    }
    if (good) {
        add_warnings(c);
        scene_bind(c->scene);
    }
    release(c);
    return good;
}
