/* The order in which poses are compared. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "compare/pose/pose_context.h"

/* Returns whether the entries from `first` on are those of an instance of the mesh; `count` becomes their number. */
static bool are_entries_of(const struct mesh_snapshot *mesh, const struct pose_snapshot *pose, uint32_t first,
                           uint32_t *count)
{
    *count = mesh->bone_count > 0 ? mesh->bone_count : 1;
    bool fits = *count <= pose->palette_count - first;
    for (uint32_t i = 0; fits && i < *count; i++) {
        const struct palette_snapshot *entry = &pose->palette[first + i];
        bool holds = mesh->bone_count > 0 && strcmp(mesh->bones[i].bone, entry->bone) == 0;
        for (uint32_t n = 0; mesh->bone_count == 0 && !holds && n < mesh->node_count; n++)
            holds = strcmp(mesh->nodes[n], entry->bone) == 0;
        fits = holds && strcmp(entry->mesh, mesh->name) == 0;
    }
    return fits;
}

/* The pose with the meshes' labels; those with morph targets among the instances have a list of weights each. NULL
 * where the import does not fit the pose. */
static const struct pose_snapshot *label_pose(const struct import_snapshot *import, const char **labels,
                                              const struct pose_snapshot *pose, struct arena *arena)
{
    struct pose_snapshot *out = ARENA_COPY(arena, struct pose_snapshot, pose);
    struct morph_weights_snapshot *morphs = ARENA_NEW(arena, struct morph_weights_snapshot, pose->morph_count);
    bool *used = ARENA_NEW(arena, bool, import->mesh_count);
    uint32_t entry = 0, morph = 0, count = 0;
    out->palette = ARENA_NEW(arena, struct palette_snapshot, pose->palette_count);
    out->skin = ARENA_NEW(arena, struct skin_snapshot, pose->skin_count);
    for (uint32_t i = 0; i < pose->skin_count; i++) {
        uint32_t m = 0;
        while (m < import->mesh_count && (used[m] || !are_entries_of(&import->meshes[m], pose, entry, &count)))
            m++;
        if (m == import->mesh_count)
            return NULL;
        used[m] = import->meshes[m].bone_count > 0; /* skinned ones stand in one place */
        out->skin[i] = pose->skin[i];
        out->skin[i].mesh = labels[m];
        for (uint32_t last = entry + count; entry < last; entry++) {
            out->palette[entry] = pose->palette[entry];
            out->palette[entry].mesh = labels[m];
        }
        if (import->meshes[m].morph_targets > 0 && morph++ < pose->morph_count) {
            morphs[morph - 1] = pose->morphs[morph - 1];
            morphs[morph - 1].mesh = labels[m];
        }
    }
    out->morphs = morph == pose->morph_count ? morphs : out->morphs;
    return entry == pose->palette_count ? out : NULL;
}

static const struct import_snapshot *label_import(const struct import_snapshot *import, const char **labels,
                                                  struct arena *arena)
{
    struct import_snapshot *out = ARENA_COPY(arena, struct import_snapshot, import);
    out->meshes = ARENA_NEW(arena, struct mesh_snapshot, import->mesh_count);
    for (uint32_t i = 0; i < import->mesh_count; i++) {
        out->meshes[i] = import->meshes[i];
        out->meshes[i].name = labels[i];
    }
    return out;
}

static void label_meshes(struct pose_context *c)
{
    bool differ = false;
    if (!c->import || c->import->mesh_count < 2 || c->golden->skin_count != c->actual->skin_count ||
        c->golden->morph_count != c->actual->morph_count)
        return;
    const char **labels = import_label_meshes(c->import, c->arena);
    for (uint32_t i = 0; i < c->import->mesh_count; i++)
        differ = differ || strcmp(labels[i], c->import->meshes[i].name) != 0;
    const struct pose_snapshot *golden = differ ? label_pose(c->import, labels, c->golden, c->arena) : NULL;
    const struct pose_snapshot *actual = golden ? label_pose(c->import, labels, c->actual, c->arena) : NULL;
    if (!actual)
        return;
    c->import = label_import(c->import, labels, c->arena);
    if (c->actual_import)
        c->actual_import = label_import(c->actual_import, import_label_meshes(c->actual_import, c->arena), c->arena);
    c->golden = golden;
    c->actual = actual;
}

struct pose_context pose_context_of(const struct pose_snapshot *golden, const struct pose_snapshot *actual,
                                    const struct import_snapshot *import, const struct import_snapshot *actual_import,
                                    struct findings *findings, struct pose_errors *out)
{
    struct pose_context c = {
        .golden = golden,
        .actual = actual,
        .import = import,
        .actual_import = import ? actual_import : NULL,
        .findings = findings,
        .out = out,
        .arena = findings->arena,
        .radius = (double)pose_snapshot_radius(golden),
        .unit_meters = import && import->unit_meters > 0 ? import->unit_meters : 0.0,
    };
    label_meshes(&c);
    return c;
}

double pose_skin_radius(const struct pose_context *c, const char *mesh)
{
    int32_t index = name_find(&c->skins, mesh);
    return index == NO_INDEX ? 0 : 0.5 * point_distance(c->golden->skin[index].min, c->golden->skin[index].max);
}

/* The names, and how far from each node its vertices are: as the import says, else half the size of what is bound to
 * it. */
static void measure_influence_radii(struct pose_context *c)
{
    const struct match_list meshes =
        c->import ? MATCH_NAMES(c->import->meshes, c->import->mesh_count, c->arena) : (struct match_list){0};
    const struct match_list skins = pose_names(c->golden, POSE_SKIN, c->arena);
    struct skeleton *skeleton = &c->golden_nodes;
    c->meshes = name_index_create(&meshes, c->arena);
    c->skins = name_index_create(&skins, c->arena);
    if (c->import)
        c->radii = radius_table_create(c->import, c->arena);
    if (c->actual_import)
        c->actual_radii = radius_table_create(c->actual_import, c->arena);
    for (size_t i = 0; i < skeleton->count; i++)
        skeleton->own_radius[i] = radius_table_find(&c->radii, c->golden->nodes[i].name, NULL);
    for (uint32_t i = 0; i < c->golden->palette_count; i++) {
        int32_t node = name_find(&skeleton->names, c->golden->palette[i].bone);
        if (node == NO_INDEX)
            continue;
        c->nodes[node].has_entry = true;
        double scale = affine_d_scale(&skeleton->node_to_scene[node]);
        if (!c->import && scale > 0)
            skeleton->own_radius[node] =
                fmax(skeleton->own_radius[node], pose_skin_radius(c, c->golden->palette[i].mesh) / scale);
    }
    skeleton_measure(skeleton, 0.03 * c->radius);
}

void compare_pose(const struct pose_snapshot *golden, const struct pose_snapshot *actual,
                  const struct import_snapshot *import, const struct import_snapshot *actual_import,
                  struct findings *findings, struct pose_errors *out)
{
    struct arena *arena = findings->arena;
    struct pose_context c = pose_context_of(golden, actual, import, actual_import, findings, out);
    c.golden_nodes = skeleton_of_pose(golden, arena);
    c.actual_nodes = skeleton_of_pose(actual, arena);
    c.nodes = ARENA_NEW(arena, struct node_state, golden->node_count);
    *out = (struct pose_errors){
        .items = ARENA_NEW(arena, struct bone_result,
                           2 * (size_t)golden->node_count + golden->palette_count + actual->palette_count)};
    findings->unit_meters = c.unit_meters > 0 ? c.unit_meters : findings->unit_meters;
    measure_influence_radii(&c);
    /* of poses that cannot be expected to agree */
    struct finding finding = pose_finding(&c, CODE_POSE_CLIP, golden->clip);
    bool is_gone = c.actual_import && pose_find_clip(c.import, golden->clip) &&
                   !pose_find_clip(c.actual_import, golden->clip);
    finding.explained = is_gone ? STAGE_IMPORT : STAGE_NONE;
    finding.clip = golden->clip;
    /* the pipeline ends before the findings do */
    finding.other = actual->clip ? arena_string(arena, actual->clip) : NULL;
    if (!names_equal(golden->clip, actual->clip))
        findings_put(findings, &finding);
    finding = pose_finding(&c, CODE_POSE_TIME, golden->clip);
    finding.now = actual->time;
    if (fabs(golden->time - actual->time) > 1e-6)
        findings_put(findings, &finding);
    finding = pose_finding(&c, CODE_PALETTE_SPACE, golden->clip);
    finding.part = golden->space;
    finding.other = actual->space;
    if (strcmp(golden->space, actual->space) != 0)
        findings_put(findings, &finding);
    pose_measure(&c);
    pose_describe(&c);
    free(c.differences);
}
