/* The order in which poses are compared. */
#include <math.h>
#include <string.h>

#include "compare/phrase.h"
#include "compare/pose_context.h"

/* ---- the head ---------------------------------------------------------------------------------------------------- */

static const char *name_clip(const struct pose_context *c, const char *clip)
{
    return clip ? arena_printf(c->arena, "of clip `%s`", clip) : "the rest pose";
}

/* Poses that are not of the same moment cannot be expected to agree: that is said first. */
static void compare_heads(const struct pose_context *c)
{
    const struct pose_evidence *was = c->golden, *now = c->actual;
    struct finding finding = pose_finding(c, STAGE_ANIMATE, was->clip);
    if (!was->clip != !now->clip || (was->clip && strcmp(was->clip, now->clip) != 0))
        findings_add(c->findings, &finding, "the pose is %s, was %s", name_clip(c, now->clip), name_clip(c, was->clip));
    if (fabs(was->time - now->time) > 1e-6)
        findings_add(c->findings, &finding, "the pose is of %s, was of %s", phrase_time(now->time).text,
                     phrase_time(was->time).text);
    finding.stage = STAGE_PALETTE;
    if (strcmp(was->space, now->space) != 0)
        findings_add(c->findings, &finding, "the palette is in %s space, was in %s space: they are not compared",
                     now->space, was->space);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static struct name_index index_meshes(const struct import_evidence *import, struct arena *arena)
{
    struct match_list list = match_list_create(import ? import->mesh_count : 0, arena);
    for (size_t i = 0; i < list.count; i++)
        list.keys[i] = (struct match_key){import->meshes[i].name, NULL};
    return name_index_create(&list, arena);
}

static struct name_index index_skins(const struct pose_evidence *pose, struct arena *arena)
{
    struct match_list list = match_list_create(pose->skin_count, arena);
    for (size_t i = 0; i < list.count; i++)
        list.keys[i] = (struct match_key){pose->skin[i].mesh, NULL};
    return name_index_create(&list, arena);
}

/* How far from each node its vertices are: as the import says, else half the size of what is bound to it. */
static void measure_reach(struct pose_context *c)
{
    struct skeleton *skeleton = &c->golden_nodes;
    for (size_t i = 0; i < skeleton->count; i++)
        skeleton->own_reach[i] = reach_find(&c->reaches, c->golden->nodes[i].name, NULL);
    for (uint32_t i = 0; i < c->golden->palette_count; i++) {
        int32_t node = name_find(&skeleton->names, c->golden->palette[i].bone);
        if (node == NO_INDEX)
            continue;
        c->nodes[node].has_entry = true;
        double scale = daffine_scale(&skeleton->node_to_scene[node]);
        if (!c->import && scale > 0)
            skeleton->own_reach[node] =
                fmax(skeleton->own_reach[node], pose_skin_radius(c, c->golden->palette[i].mesh) / scale);
    }
    skeleton_measure(skeleton, 0.03 * c->radius);
}

void compare_pose(const struct pose_evidence *golden, const struct pose_evidence *actual,
                  const struct import_evidence *import, const struct tolerance *tolerance, struct findings *findings,
                  struct pose_errors *out)
{
    struct arena *arena = findings->arena;
    struct pose_context c = {
        .golden = golden,
        .actual = actual,
        .import = import,
        .tolerance = tolerance,
        .findings = findings,
        .out = out,
        .arena = arena,
        .radius = (double)pose_evidence_radius(golden),
        .unit_meters = import && import->unit_meters > 0 ? import->unit_meters : 0.0,
        .golden_nodes = skeleton_of_pose(golden, arena),
        .actual_nodes = skeleton_of_pose(actual, arena),
        .nodes = ARENA_NEW(arena, struct node_state, golden->node_count),
        .meshes = index_meshes(import, arena),
        .skins = index_skins(golden, arena),
    };
    struct pose_faults faults = {0};
    if (import)
        c.reaches = reach_table_create(import, arena);
    *out = (struct pose_errors){
        .items = ARENA_NEW(arena, struct bone_error,
                           2 * (size_t)golden->node_count + golden->palette_count + actual->palette_count)};
    measure_reach(&c);
    compare_heads(&c);
    pose_compare_locals(&c);
    pose_compare_morphs(&c);
    pose_compare_globals(&c, &faults);
    if (strcmp(golden->space, actual->space) == 0)
        pose_compare_palette(&c, &faults);
    pose_add_globals(&c, &faults);
    pose_tell_faults(&c, &faults, "matrices");
}
