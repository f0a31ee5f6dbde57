#include "suite/case/case_run.h"
#include "suite/golden/shared_import.h"

#include <stdlib.h>
#include <string.h>

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

static bool read_golden(struct case_run *run, const struct blob *file, struct error *err)
{
    char *path = golden_path(&run->golden, "import", ".json");
    run->golden_import = import_snapshot_read(file->data, file->size, path, run->arena, err);
    free(path);
    return run->golden_import != NULL;
}

static bool same_bytes(const struct blob *file, const struct text *text)
{
    return file->size == text->size && memcmp(file->data, text->data, text->size) == 0;
}

bool case_compare_import(struct case_run *run, struct error *err)
{
    struct blob file;
    check_influences(run);
    if (run->c->agrees)
        return true;
    switch (golden_read(&run->golden, "import", ".json", &file, err)) {
    case GOLDEN_UNREADABLE:
        return false;
    case GOLDEN_ABSENT:
        if (run->golden.shared_import)
            case_missing(run, "no golden " SHARED_IMPORTS "/%s", run->golden.recorded.import_file);
        else
            case_missing(run, run->golden.exists ? "no golden import.json" : "no golden");
        return true;
    case GOLDEN_READ:
        break;
    }
    bool good = true;
    if (!case_is_as_recorded(run->golden.recorded.import, &file))
        case_mismatch(run, "import", ".json");
    if (same_bytes(&file, &run->model->import_json))
        run->golden_import = run->model->snapshot;
    else if ((good = read_golden(run, &file, err)))
        compare_import(run->golden_import, run->model->snapshot, &run->c->tolerance, &run->findings);
    run->facts.compared[STAGE_IMPORT] = good;
    blob_release(&file);
    return good;
}
