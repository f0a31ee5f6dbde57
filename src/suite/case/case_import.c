#include <string.h>

#include "suite/case/case_run.h"

/* A model that has bones, none of which holds a vertex, would make every skinning test pass. */
static void check_influences(struct case_run *run)
{
    const struct scene *scene = run->model->scene;
    bool skinned = false;
    struct finding finding = finding_none;
    finding.stage = STAGE_IMPORT;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const struct mesh *mesh = &scene->meshes[i];
        skinned = skinned || mesh->bone_count > 0;
        for (uint32_t b = 0; b < mesh->bone_count; b++) /* those that only keep unweighted vertices in place do not count */
            if (run->model->snapshot->meshes[i].bones[b].weights > 0 && !mesh->bones[b].follows_mesh_node)
                return;
    }
    if (!skinned || (run->c->allowed & ALLOW_UNSKINNED))
        return;
    finding.kind = FINDING_VACUITY;
    findings_add(&run->findings, &finding, "the model has bones, but none of them holds a vertex: nothing is skinned "
                                           "(`allow: unskinned` permits that)");
}

bool case_compare_import(struct case_run *run, struct error *err)
{
    struct blob file;
    const struct text *made = &run->model->import_json;
    const struct golden *golden = &run->golden;
    check_influences(run);
    if (run->c->agrees)
        return true;
    const char *missing = !golden->exists ? "no golden" : "no golden import.json";
    if (golden->shared_import)
        missing = arena_printf(run->arena, "no golden " SHARED_IMPORTS "/%s", golden->recorded.import_file);
    enum golden_part part = case_read_golden(run, "import", ".json", golden->recorded.import, missing, &file, err);
    if (part != GOLDEN_READ)
        return part == GOLDEN_ABSENT;
    if (file.size == made->size && memcmp(file.data, made->data, made->size) == 0)
        run->golden_import = run->model->snapshot;
    else if ((run->golden_import = import_snapshot_read(file.data, file.size, golden_path(golden, "import", ".json"),
                                                        run->arena, err)))
        compare_import(run->golden_import, run->model->snapshot, &run->c->tolerance, &run->findings);
    blob_release(&file);
    run->facts.compared[STAGE_IMPORT] = run->golden_import != NULL;
    return run->golden_import != NULL;
}
