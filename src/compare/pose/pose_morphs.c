/* Morph weights of two poses: they are the animation's, as local transforms are. */
#include <math.h>
#include <string.h>

#include "compare/match/matching.h"
#include "compare/format_number.h"
#include "compare/pose/pose_context.h"

static struct match_list list_morphs(const struct pose_snapshot *pose, struct arena *arena)
{
    struct match_list list = match_list_create(pose->morph_count, arena);
    for (uint32_t i = 0; i < pose->morph_count; i++)
        list.keys[i] = (struct match_key){pose->morphs[i].mesh, pose->morphs[i].node};
    return list;
}

static void report_one_sided(const struct pose_context *c, const struct match_list *list, const int32_t *matched,
                           const char *state)
{
    for (size_t i = 0; i < list->count; i++) {
        struct finding finding = pose_finding(c, STAGE_ANIMATE, list->keys[i].name);
        if (matched[i] == NO_INDEX)
            findings_add(c->findings, &finding, "the morph weights of mesh %s on node `%s` are %s at %s",
                         format_mesh(list->keys[i].name, c->arena), list->keys[i].context, state,
                         format_seconds(c->golden->time).text);
    }
}

/* The target as the import knows it, or NULL. */
static const struct target_snapshot *find_target(const struct pose_context *c, const char *mesh, uint32_t target)
{
    int32_t index = name_find(&c->meshes, mesh);
    const struct mesh_snapshot *imported = index == NO_INDEX ? NULL : &c->import->meshes[index];
    return imported && target < imported->target_count ? &imported->targets[target] : NULL;
}

/* The largest scale of the mesh's palette entries; 1 without any. */
static double scale_of(const struct pose_context *c, const char *mesh)
{
    double scale = 0;
    for (uint32_t i = 0; i < c->golden->palette_count; i++) {
        const struct palette_snapshot *entry = &c->golden->palette[i];
        struct affine_d mesh_to_scene = affine_d_from(entry->mesh_to_scene);
        if (strcmp(entry->mesh, mesh) == 0)
            scale = fmax(scale, affine_d_scale(&mesh_to_scene));
    }
    return scale > 0 ? scale : 1;
}

/* How far a weight of 1 moves a vertex at most: by the target's largest delta where the import knows it, else by half the
 * size of the mesh. */
static double influence_radius_of(const struct pose_context *c, const char *mesh, const struct target_snapshot *target)
{
    if (target)
        return (double)target->largest * scale_of(c, mesh);
    double radius = pose_skin_radius(c, mesh);
    return radius > 0 ? radius : c->radius;
}

static const char *describe(const struct pose_context *c, const struct bone_error *error, uint32_t index,
                            const struct target_snapshot *target, float now, float was)
{
    struct formatted_pair pair = format_numbers((double)now, (double)was);
    const char *name = target ? arena_printf(c->arena, " (`%s`)", target->name) : "";
    return arena_printf(c->arena, "morph weight %u%s of mesh %s is %s, was %s at %s, which moves vertices by %s", index,
                        name, format_mesh(error->mesh, c->arena), pair.now, pair.was,
                        format_seconds(c->golden->time).text, pose_off_by(c, error));
}

static void compare_weights(struct pose_context *c, const struct morph_weights_snapshot *was,
                            const struct morph_weights_snapshot *now, struct pose_faults *faults)
{
    for (uint32_t i = 0; i < was->count && i < now->count; i++) {
        const struct target_snapshot *target = find_target(c, was->mesh, i);
        struct bone_error error = {.bone = was->node, .mesh = was->mesh, .stage = STAGE_ANIMATE};
        error.distance =
            fabs((double)now->weights[i] - (double)was->weights[i]) * influence_radius_of(c, was->mesh, target);
        error.displacement = error.distance / c->radius;
        c->out->worst[STAGE_ANIMATE] = fmax(c->out->worst[STAGE_ANIMATE], error.displacement);
        if (!(error.displacement <= c->tolerance->shell))
            pose_add_fault(c, faults, &error, describe(c, &error, i, target, now->weights[i], was->weights[i]), "");
    }
}

void pose_compare_morphs(struct pose_context *c)
{
    struct pose_faults faults = {0};
    struct match_list golden = list_morphs(c->golden, c->arena), actual = list_morphs(c->actual, c->arena);
    if (golden.count == 0 || actual.count == 0)
        return;
    struct matching matching = match_by_name(&golden, &actual, MATCH_NEED_CONTEXT, c->arena);
    report_one_sided(c, &golden, matching.to_actual, "missing");
    report_one_sided(c, &actual, matching.to_golden, "new");
    for (size_t i = 0; i < golden.count; i++) {
        if (matching.to_actual[i] == NO_INDEX)
            continue;
        const struct morph_weights_snapshot *was = &c->golden->morphs[i];
        const struct morph_weights_snapshot *now = &c->actual->morphs[matching.to_actual[i]];
        struct finding finding = pose_finding(c, STAGE_ANIMATE, was->mesh);
        if (was->count != now->count)
            findings_add(c->findings, &finding, "mesh %s has %u morph weight%s at %s, had %u",
                         format_mesh(was->mesh, c->arena), now->count,
                         format_plural(now->count), format_seconds(c->golden->time).text, was->count);
        compare_weights(c, was, now, &faults);
    }
    pose_report_faults(c, &faults, "morph weights");
}
