#include "suite/case/run_case.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "report/escape.h"
#include "suite/case/case_run.h"
#include "suite/diff/diff.h"

void model_key(const char *path, const struct settings *settings, struct text *out)
{
    text_add(out, path);
    text_addf(out, "|%u|%u|%u|", settings->import.repairs, settings->import.assimp_flags, settings->influences);
    text_add_double(out, settings->import.timeout_seconds);
    text_addf(out, "|%zu", settings->import.memory_mib);
    for (size_t i = 0; i < settings->clips_from_count; i++)
        text_addf(out, "|%s", settings->clips_from[i]);
    text_addf(out, "|%s|", settings->clip_options.prefix ? settings->clip_options.prefix : "");
    text_add_double(out, settings->clip_options.scale);
}

static void release(struct model *model)
{
    gpu_model_destroy(model->gpu);
    scene_free(model->scene);
    arena_destroy(model->arena);
    text_release(&model->import_json);
    free(model->key);
    *model = (struct model){0};
}

/* An empty place, or that of the model unused for longest, takes what is not there yet. */
struct model *model_cache_get(struct model_cache *cache, const char *path, const struct settings *settings,
                              struct error *err)
{
    struct text key = {0};
    struct model *model = NULL, *oldest = &cache->models[0];
    model_key(path, settings, &key);
    for (int i = 0; i < MODEL_CACHE_SIZE; i++) {
        struct model *each = &cache->models[i];
        model = each->key && strcmp(each->key, text_string(&key)) == 0 ? each : model;
        oldest = each->used < oldest->used ? each : oldest;
    }
    if (model) {
        text_release(&key);
    } else {
        model = oldest;
        release(model);
        model->key = key.data;
        model->scene = pipeline_import(path, settings, &model->failure);
        model->arena = model->scene ? arena_create(snapshot_bytes(model->scene), &model->failure) : NULL;
        if (model->arena) {
            model->snapshot = import_snapshot_gather(model->scene, model->arena);
            import_snapshot_write(model->snapshot, &model->import_json);
        }
    }
    model->used = ++cache->clock;
    if (!error_is_set(&model->failure))
        return model;
    *err = model->failure;
    return NULL;
}

struct gpu_model *model_gpu(struct model *model, struct renderer *renderer, const struct settings *settings,
                            struct error *err)
{
    if (!model->gpu)
        model->gpu = gpu_model_create(renderer, model->scene, err);
    return model->gpu && pipeline_set_upload(settings, renderer, model->gpu, err) ? model->gpu : NULL;
}

void model_cache_release(struct model_cache *cache)
{
    for (int i = 0; i < MODEL_CACHE_SIZE; i++)
        release(&cache->models[i]);
}

char *command_line(const struct run_options *options, struct arena *arena, const char *verb, const char *option,
                   const char *value)
{
    struct text line = {0};
    text_addf(&line, "rigproof %s ", verb);
    escape_shell(options->suite_argument, &line);
    text_addf(&line, " %s%s%s", option, value, options->arguments);
    char *copy = arena_string(arena, text_string(&line));
    text_release(&line);
    return copy;
}

void case_result_init(const struct suite_case *c, const struct run_options *options, struct arena *arena,
                      struct case_result *result)
{
    *result = (struct case_result){
        .name = c->name,
        .line = (uint32_t)c->line,
        .model = c->model,
        .tolerance = &c->tolerance,
        .tag_count = (uint32_t)c->tag_count,
        .tags = c->tags,
        .reason = c->reason,
        .stage = STAGE_NONE,
        .repeat = command_line(options, arena, "check", "--filter ", c->name),
    };
}

void case_mismatch(struct case_run *run, const char *label, const char *suffix)
{
    if (!run->facts.mismatch)
        run->facts.mismatch = arena_printf(run->arena, "%s%s", label, suffix);
}

enum golden_part case_read_golden(struct case_run *run, const char *label, const char *suffix, const char *recorded,
                                  const char *missing, struct blob *out, struct error *err)
{
    char hash[17];
    enum golden_part part = golden_read(&run->golden, label, suffix, out, err);
    if (part == GOLDEN_ABSENT && !run->facts.missing) {
        run->facts.missing = true;
        run->facts.missing_what = missing;
    }
    if (part == GOLDEN_READ && recorded) {
        bytes_hash(out->data, out->size, hash);
        if (strcmp(recorded, hash) != 0)
            case_mismatch(run, label, suffix);
    }
    return part;
}

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

static bool compare_with_golden_import(struct case_run *run, struct error *err)
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

static bool plan_times(struct case_run *run, struct error *err)
{
    long *frames = NULL;
    double *times = pipeline_times(&run->pipeline, &run->count, &frames, err);
    struct text label = {0};
    if (!times)
        return false;
    const char **labels = ARENA_NEW(run->arena, const char *, run->count);
    run->samples = ARENA_NEW(run->arena, struct sample, run->count);
    comparison_plan(run->result, (uint32_t)run->count, run->arena);
    for (size_t i = 0; i < run->count; i++) {
        label.size = 0;
        text_add_seconds(&label, times[i]);
        run->samples[i].time = times[i];
        run->samples[i].frame = frames[i];
        labels[i] = arena_string(run->arena, text_string(&label));
        run->samples[i].label = run->result->times[i].label = labels[i];
        run->result->times[i].time = times[i];
    }
    text_release(&label);
    free(frames);
    free(times);
    qsort(labels, run->count, sizeof *labels, compare_strings);
    for (size_t i = 1; i < run->count; i++)
        if (strcmp(labels[i - 1], labels[i]) == 0)
            return error_set(err, "two of the times are both %s s", labels[i]);
    return true;
}

/* What accept may take over must be wanted, test something, and then pass. */
static void judge(struct case_run *run)
{
    struct case_result *result = run->result;
    run->facts.expect_fail = run->c->expect_fail;
    run->facts.fingerprint_differs =
        run->golden.has_recorded && !fingerprint_equal(&run->golden.recorded.fingerprint, &result->actual);
    judge_case(&run->findings, &run->facts, result);
    bool is_worth = !result->vacuity && result->stage != STAGE_SKIN && !run->c->agrees;
    if ((result->status == CASE_FAIL || result->status == CASE_MISSING) && is_worth)
        result->accept = command_line(run->options, run->arena, "accept", "--filter ", run->c->name);
}

void run_case(const struct suite *suite, size_t index, const struct run_options *options, struct renderer *renderer,
              struct model_cache *cache, struct arena *arena, struct case_result *result)
{
    struct error err = {0};
    struct case_run run = {
        .suite = suite, .c = &suite->cases[index], .options = options, .renderer = renderer, .cache = cache,
        .arena = arena, .result = result, .findings = {.arena = arena, .tolerance = &suite->cases[index].tolerance},
    };
    const struct suite_case *c = run.c;
    case_result_init(c, options, arena, result);
    bool good = c->agrees || golden_open(&run.golden, suite->goldens, c->name, arena, &err);
    run.model = good ? model_cache_get(cache, c->model_path, &c->settings, &err) : NULL;
    bool stopped_in_import = good && !run.model;
    /* The import is compared before a clip is asked for: one that is gone is the import's. */
    good = run.model && compare_with_golden_import(&run, &err) &&
           renderer_shaders(renderer, c->settings.shaders, &run.shaders, &err) &&
           pipeline_begin(&run.pipeline, run.model->scene, &c->settings, &err);
    if (good) {
        result->clip = run.pipeline.plays ? arena_string(arena, run.pipeline.plays) : NULL;
        result->golden = run.golden.recorded.fingerprint;
        result->actual = case_fingerprint(&run);
        good = plan_times(&run, &err) && case_pose(&run, &err) && case_agree(&run, &err) && case_draw(&run, &err);
    }
    if (good) {
        judge(&run);
        enum case_status status = result->status;
        bool differs = status == CASE_FAIL || status == CASE_MISSING || status == CASE_XFAIL;
        if ((differs || options->keep == KEEP_ALL) && !c->agrees)
            case_write(&run, &err);
    }
    if (error_is_set(&err)) { /* GL failed, a golden is damaged: what was found before may be the cause, and names the stage */
        struct finding finding = finding_none;
        finding.stage = STAGE_IMPORT;
        if (stopped_in_import)
            findings_add(&run.findings, &finding, "%s", err.text);
        run.facts.error = arena_string(arena, err.text);
        judge(&run);
        result->accept = NULL;
    }
    case_print_options(&run);
    if (run.pipeline.settings)
        pipeline_end(&run.pipeline);
}
