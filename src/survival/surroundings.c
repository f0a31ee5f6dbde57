/* The checks of the file and of what surrounds the skeleton: format, importer, unit, axes, textures. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "survival/checks.h"

/* ---- files ----------------------------------------------------------------------------------------------------- */

JUDGE(judge_format)
{
    const struct scene *scene = e->input->scene;
    return !scene_is_gltf(scene) &&
           finding_say(e, out, EFFECT_BREAKS, 1, "files", 0, "a .%s file, and it reads glTF alone", scene->format);
}

/* Repairs with a check of their own, and those that move no vertex or what is not drawn. */
static const char *const said_elsewhere[] = {"fbx-pivots", "fbx-curves", "dae-curves", "gltf-interpolation",
                                             "normalise-weights", "unweighted"};
static const char *const not_seen[] = {"tick-rate", "gltf-materials", "fbx-shapes", "gltf-morph"};

/* Appends the ids of what was repaired; false where all of it is said elsewhere. */
static bool list_faults(const struct scene *scene, struct text *out)
{
    bool is_new = false;
    for (uint32_t i = 0; i < scene->note_count; i++) {
        const struct note *note = &scene->notes[i];
        if (note->kind != NOTE_REPAIR || NAMED(not_seen, sizeof not_seen / sizeof *not_seen, note->id) ||
            strstr(text_string(out), note->id))
            continue;
        text_addf(out, "%s%s", out->size > 0 ? ", " : "", note->id);
        is_new = is_new || !NAMED(said_elsewhere, sizeof said_elsewhere / sizeof *said_elsewhere, note->id);
    }
    return is_new;
}

JUDGE(judge_import)
{
    const char *version = e->input->scene->assimp_version;
    struct text list = {0};
    const bool is_wrong = list_faults(e->input->scene, &list);
    const char *ids = arena_text(e->arena, &list);
    if (!e->input->raw)
        return finding_say(e, out, EFFECT_BREAKS, 1, "files", 0, "what Assimp %s alone makes of it is of no use: %s",
                           version, e->input->raw_error);
    if (strstr(ids, "gltf-integers")) /* what it reads is not in the file */
        return finding_say(e, out, EFFECT_CHANGES, 1, "files", 0,
                           "Assimp %s takes whole numbers for floats (%s): what is drawn is noise", version, ids);
    if (is_wrong && !raw_matches(e->input))
        return finding_say(e, out, EFFECT_CHANGES, 1, "files", 0,
                           "Assimp %s imports it wrong (%s), with other meshes or clips", version, ids);
    return is_wrong && cost && finding_say_cost(e, out, cost, "Assimp %s imports it wrong (%s)", version, ids);
}

JUDGE(judge_clips)
{
    return e->input->scene->clip_count == 0 &&
           finding_say(e, out, EFFECT_BREAKS, 0, "clips", 1,
                       "no clip, and it takes the first without asking (mAnimations[0])");
}

JUDGE(judge_unit)
{
    const double unit = e->input->scene->unit_meters;
    char size[48] = "";
    if (!(unit > 0) || fabs(unit - 1) < 1e-6)
        return false;
    if (e->radius > 0)
        snprintf(size, sizeof size, " (%.4g units across)", 2 * e->radius);
    return finding_say(e, out, EFFECT_CHANGES, unit, "metres per unit", 1,
                       "a unit is %.4g m: where it is taken for a metre, the model is %.4g times too large%s", unit,
                       1 / unit, size);
}

JUDGE(judge_up_axis)
{
    const struct scene *scene = e->input->scene;
    const bool is_over = scene->up_axis == 1 && scene->up_sign < 0;
    return (scene->up_axis != 1 || is_over) &&
           finding_say(e, out, EFFECT_CHANGES, is_over ? 180 : 90, "degrees", 0,
                       "%s%c is up, and it takes y: the model lies %s", scene->up_sign < 0 ? "-" : "",
                       "xyz"[scene->up_axis], is_over ? "upside down" : "on its side");
}

static const struct texture *base_texture(const struct scene *scene, const struct material *material)
{
    return material->base_texture == NO_INDEX ? NULL : &scene->textures[material->base_texture];
}

static bool material_fits(const struct texture *texture, int kind)
{
    switch (kind) {
    case MATERIAL_UNTEXTURED:
        return !texture;
    case MATERIAL_LACKS_FILE:
        return texture && texture->missing;
    case MATERIAL_EMBEDDED:
        return texture && texture->name[0] == '*';
    default: /* a number of texels */
        return texture && !texture->missing && fmax(texture->width, texture->height) > kind;
    }
}

/* Materials of the meshes that stand somewhere, which `fit`; the first one, and its texture. */
static uint32_t count_materials(const struct examination *e, int kind, const struct material **first,
                                const struct texture **texture)
{
    const struct scene *scene = e->input->scene;
    bool *used = ARENA_NEW(e->arena, bool, scene->material_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        used[scene->meshes[scene->instances[i].mesh].material] = true;
    for (uint32_t m = 0; m < scene->material_count; m++)
        if (used[m] && material_fits(base_texture(scene, &scene->materials[m]), kind) && count++ == 0)
            *first = &scene->materials[m];
    *texture = count > 0 ? base_texture(scene, *first) : NULL;
    return count;
}

JUDGE(judge_materials)
{
    const struct material *first = NULL;
    const struct texture *texture;
    const uint32_t count = count_materials(e, check->number, &first, &texture);
    return count > 0 &&
           finding_say(e, out, EFFECT_CHANGES, count, "materials", 0, "%u material%s %s, such as `%s`%s", count,
                       count == 1 ? " has" : "s have", check->what, texture ? texture->name : first->name,
                       texture ? "" : ": it reads none but that, and they are black");
}

JUDGE(judge_texture_size)
{
    const struct material *first = NULL;
    const struct texture *texture;
    return count_materials(e, check->number, &first, &texture) > 0 &&
           finding_say(e, out, EFFECT_NOTE, fmax(texture->width, texture->height), "texels", check->number,
                       "texture `%s` is %u x %u, and no more than %d is guaranteed (most devices have 4096)",
                       texture->name, texture->width, texture->height, check->number);
}
