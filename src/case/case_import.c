/* The import of a case: what it is held against, and whether it can be tested at all. */
#include <string.h>

#include "case/run_case.h"
#include "options/clip_mix.h"

static const bool *mark_clips(const struct case_run *run, const struct import_snapshot *import)
{
    struct scene names = {.path = import->model, .clip_count = import->clip_count};
    bool *plays = ARENA_NEW(run->arena, bool, import->clip_count);
    names.clips = ARENA_NEW(run->arena, struct clip, import->clip_count);
    for (uint32_t i = 0; i < import->clip_count; i++)
        names.clips[i].name = import->clips[i].name;
    clip_mix_mark(&run->c->settings, &names, plays);
    return plays;
}

void case_compare_import(struct case_run *run, const struct import_snapshot *golden,
                         const struct import_snapshot *actual)
{
    const struct clip_use use = {mark_clips(run, golden), mark_clips(run, actual)};
    compare_import(golden, actual, &use, &run->c->tolerance, &run->out.findings);
    run->out.facts.compared[STAGE_IMPORT] = true;
}

/* Returns whether others that the written case stands for have a golden. */
static bool is_new(const struct case_run *run)
{
    const struct suite *suite = run->suite;
    for (size_t i = 0; run->c->origin && i < suite->case_count; i++) {
        const struct suite_case *c = &suite->cases[i];
        if (c->origin && strcmp(c->origin, run->c->origin) == 0 &&
            file_exists(arena_printf(run->arena, "%s/%s/recorded.json", suite->goldens, c->name)))
            return true;
    }
    return false;
}

bool holds_nothing(const struct scene *scene)
{
    bool is_skinned = false;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const struct mesh *mesh = &scene->meshes[i];
        is_skinned = is_skinned || mesh->bone_count > 0;
        /* those that only keep unweighted vertices in place do not count */
        for (uint32_t k = 0; mesh->bone_count > 0 && k < mesh->influence_first[mesh->vertex_count]; k++)
            if (!mesh->bones[mesh->influences[k].bone].follows_mesh_node)
                return false;
    }
    return is_skinned;
}

bool case_check_import(struct case_run *run, struct error *err)
{
    SCOPED(blob) file = {0};
    const struct text *made = &run->model->import_json;
    const struct golden *golden = &run->golden;
    if (!(run->c->allowed & ALLOW_UNSKINNED) && holds_nothing(run->model->scene)) {
        const struct finding finding = finding_of(CODE_UNSKINNED);
        findings_put(&run->out.findings, &finding);
    }
    if (!suite_has_golden(run->c))
        return true;
    const bool asked = !(suite_not_asked(run->c) >> STAGE_IMPORT & 1);
    const char *missing = !golden->exists ? "no golden" : "no golden recorded.json";
    if (!golden->exists && is_new(run))
        missing = arena_printf(run->arena, "no golden: it is new among what `%s` of line %d stands for", run->c->origin,
                               run->c->line);
    if (golden->import)
        missing = arena_printf(run->arena, "no golden " SHARED_IMPORTS "/%s", golden->recorded.import_file);
    enum golden_part part = golden_read(golden, "import", ".json", &file, err);
    if (part == GOLDEN_ABSENT && (asked || !golden->exists))
        comparison_miss(&run->out, missing);
    if (part != GOLDEN_READ)
        return part == GOLDEN_ABSENT;
    if (file.size == made->size && memcmp(file.data, made->data, made->size) == 0)
        run->golden_import = run->model->snapshot;
    else if ((run->golden_import = import_snapshot_read(file.data, file.size, golden_path(golden, "import", ".json"),
                                                        run->arena, err)))
        case_compare_import(run, run->golden_import, run->model->snapshot);
    run->out.facts.compared[STAGE_IMPORT] = run->golden_import != NULL;
    return run->golden_import != NULL;
}
