/* The order in which poses are compared, and the words they share. */
#include "compare/pose_context.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/matrix_change.h"
#include "compare/phrase.h"

/* ---- what is shared ---------------------------------------------------------------------------------------------- */

double pose_skin_radius(const struct pose_context *c, const char *mesh)
{
    double min[3], max[3];
    int32_t index = name_find(&c->skins, mesh);
    if (index == NO_INDEX)
        return 0;
    for (int k = 0; k < 3; k++) {
        min[k] = (double)c->golden->skin[index].min[k];
        max[k] = (double)c->golden->skin[index].max[k];
    }
    return 0.5 * vector_distance(min, max);
}

static double finite(double value)
{
    return fabs(value) <= DBL_MAX ? value : DBL_MAX;
}

/* Products of huge numbers may overflow; nothing that is written holds an infinity. */
static struct bone_error finite_error(const struct bone_error *error)
{
    struct bone_error e = *error;
    e.displacement = finite(e.displacement);
    e.distance = finite(e.distance);
    e.degrees = finite(e.degrees);
    e.translation = finite(e.translation);
    e.scale_percent = finite(e.scale_percent);
    return e;
}

void pose_add_error(struct pose_context *c, const struct bone_error *error)
{
    struct bone_error e = finite_error(error);
    c->out->items[c->out->count++] = e;
    c->out->worst[e.stage] = fmax(c->out->worst[e.stage], e.displacement);
}

struct finding pose_finding(const struct pose_context *c, enum stage stage, const char *subject)
{
    struct finding finding = finding_none;
    finding.stage = stage;
    finding.subject = subject;
    finding.time = c->golden->time;
    return finding;
}

const char *pose_off_by(const struct pose_context *c, const struct bone_error *error)
{
    return arena_printf(c->arena, "%s (%s)", phrase_length(error->distance, c->unit_meters).text,
                        phrase_share(error->displacement).text);
}

/* ---- faults in words --------------------------------------------------------------------------------------------- */

void pose_add_fault(const struct pose_context *c, struct pose_faults *faults, const struct bone_error *error,
                    const char *what, const char *why)
{
    if (faults->count == faults->capacity) {
        size_t capacity = faults->capacity ? 2 * faults->capacity : 16;
        struct pose_fault *items = ARENA_NEW(c->arena, struct pose_fault, capacity);
        if (faults->count > 0)
            memcpy(items, faults->items, faults->count * sizeof *items);
        faults->items = items;
        faults->capacity = capacity;
    }
    faults->items[faults->count] = (struct pose_fault){finite_error(error), faults->count, false, what, why};
    faults->count++;
}

static int worst_first(const void *a, const void *b)
{
    const struct pose_fault *x = a, *y = b;
    if (x->error.displacement != y->error.displacement)
        return x->error.displacement < y->error.displacement ? 1 : -1;
    return (x->order > y->order) - (x->order < y->order);
}

static struct finding finding_of(const struct pose_context *c, const struct bone_error *error)
{
    struct finding finding = pose_finding(c, error->stage, error->bone);
    finding.mesh = error->mesh;
    finding.displacement = error->displacement;
    finding.distance = error->distance;
    finding.degrees = error->degrees;
    finding.translation = error->translation;
    finding.scale_percent = error->scale_percent;
    return finding;
}

void pose_tell_faults(const struct pose_context *c, struct pose_faults *faults, const char *nouns)
{
    enum { MOST = 16 };
    if (faults->count > 1)
        qsort(faults->items, faults->count, sizeof *faults->items, worst_first);
    for (size_t i = 0; i < faults->count; i++) {
        const struct pose_fault *fault = &faults->items[i];
        struct finding finding = finding_of(c, &fault->error);
        finding.benign = fault->benign;
        if (i == MOST && faults->count > MOST + 1) {
            findings_add(c->findings, &finding, "%zu more %s are off by up to %s at %s", faults->count - MOST, nouns,
                         pose_off_by(c, &fault->error), phrase_time(c->golden->time).text);
            return;
        }
        findings_add(c->findings, &finding, "%s%s", fault->what, fault->why);
    }
}

/* ---- the head ---------------------------------------------------------------------------------------------------- */

static const char *name_clip(const struct pose_context *c, const char *clip)
{
    return clip ? arena_printf(c->arena, "of clip `%s`", clip) : "the bind pose";
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
