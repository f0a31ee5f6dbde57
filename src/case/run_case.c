#include "case/run_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file_writer.h"
#include "base/sort.h"
#include "import/import.h"
#include "report/escape.h"
#include "suite/shard.h"

const char *const pictures_names[PICTURES_COUNT] = {
    [PICTURES_FAILING] = "failing", [PICTURES_ALL] = "all", [PICTURES_NONE] = "none"};

bool case_shows(const struct case_run *run, enum pictures pictures)
{
    const enum pictures asked = run->options->pictures;
    return run->options->purpose != TO_ACCEPT &&
           (asked == pictures || (asked == PICTURES_ALL && pictures == PICTURES_FAILING));
}

void case_show_golden(const struct suite *suite, const struct case_options *options, struct arena *arena,
                      struct case_result *result)
{
    struct error ignored = {0}; /* the page says that it is not there */
    struct golden golden = {0};
    if (!golden_open(&golden, suite->goldens, result->name, arena, &ignored))
        return;
    for (uint32_t i = 0; i < result->time_count; i++) {
        struct time_result *time = &result->times[i];
        const char *file = arena_printf(arena, "%s/%s.golden.png", result->name, time->label);
        SCOPED(blob) png = {0};
        if (time->image.state == IMAGE_NONE || golden_read(&golden, time->label, ".png", &png, &ignored) != GOLDEN_READ)
            continue;
        if (file_write_below(options->output, file, png.data, png.size, &ignored))
            time->image.golden = file;
    }
}

char *command_line(const struct case_options *options, struct arena *arena, const char *verb, const char *option,
                   const char *value)
{
    struct text line = {0};
    text_addf(&line, "rigproof %s ", verb);
    escape_shell(options->suite_argument, &line);
    text_addf(&line, " %s%s%s", option, value, options->arguments);
    return arena_text(arena, &line);
}

void case_result_init(const struct suite_case *c, const struct case_options *options, struct arena *arena,
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
        .subject = c->subject ? c->subject->name : NULL,
        .stage = STAGE_NONE,
        .repeat = command_line(options, arena, "check", "--filter ", c->name),
    };
}

void case_mismatch(struct case_run *run, const char *label, const char *suffix)
{
    if (!run->out.facts.mismatch)
        run->out.facts.mismatch = arena_printf(run->arena, "%s%s", label, suffix);
}

static void add(struct fingerprint *list, struct arena *arena, const char *name, const char *value)
{
    list->entries[list->count++] = (struct fingerprint_entry){name, arena_string(arena, value)};
}

bool case_owns(const char *name)
{
    if (strcmp(name, "backend") == 0 || strcmp(name, "shaders") == 0) /* settings, and facts of the renderer */
        return false;
    return setting_find(name) || strcmp(name, "model") == 0 || strcmp(name, "repairs") == 0 ||
           strncmp(name, "assimp-", 7) == 0;
}

bool note_is_first(const struct scene *scene, uint32_t note)
{
    for (uint32_t i = 0; i < note; i++)
        if (scene->notes[i].kind == scene->notes[note].kind && strcmp(scene->notes[i].id, scene->notes[note].id) == 0)
            return false;
    return true;
}

/* Lists the circumstances that pixels depend on. */
static struct fingerprint list_fingerprint(const struct case_run *run)
{
    enum { OWN = 4 };
    const struct scene *scene = run->model->scene;
    struct fingerprint renderer, list = {0};
    SCOPED(text) repairs = {0}; /* that changed something, each once, in the order of the scene's notes */
    renderer_fingerprint(renderer_info(run->renderer), run->shaders, run->arena, &renderer);
    list.entries = ARENA_NEW(run->arena, struct fingerprint_entry, renderer.count + OWN);
    memcpy(list.entries, renderer.entries, renderer.count * sizeof *list.entries);
    list.count = renderer.count;
    for (uint32_t i = 0; i < scene->note_count; i++)
        if (scene->notes[i].kind == NOTE_REPAIR && note_is_first(scene, i))
            text_addf(&repairs, "%s%s", repairs.size ? "," : "", scene->notes[i].id);
    if (repairs.size == 0)
        text_add(&repairs, "none");
    add(&list, run->arena, "profile", run->c->settings.profile == PROFILE_NATIVE ? "native" : "portable");
    add(&list, run->arena, "assimp", scene->assimp_version);
    add(&list, run->arena, "repairs", text_string(&repairs));
    add(&list, run->arena, "rigproof", run->options->rigproof);
    return list;
}

/* The row of a setting by its place in recorded.json. */
static const struct setting *recorded_setting(int place)
{
    const struct setting *row = setting_table;
    while (row->recorded != place)
        row++;
    return row;
}

static const char *write_option(const struct case_run *run, const struct settings *s, const char *name)
{
    struct text value = {0};
    if (strcmp(name, "crowd-phase") == 0 && isnan(s->crowd_phase))
        text_add(&value, "spread");
    else if (strcmp(name, "clips-from") != 0)
        settings_write(s, name, &value);
    else
        for (size_t i = 0; i < s->clips_from_count; i++)
            text_addf(&value, "%s%s", i > 0 ? ", " : "", golden_path_of(run->suite, s->clips_from[i], run->arena));
    return arena_text(run->arena, &value);
}

/* Adds what is not in `of` with its default. */
static struct fingerprint with_defaults(const struct case_run *run, const struct fingerprint *of)
{
    struct fingerprint list = {.entries = ARENA_NEW(run->arena, struct fingerprint_entry, of->count + RECORDED_COUNT)};
    struct settings standard;
    settings_init(&standard);
    for (; list.count < of->count; list.count++)
        list.entries[list.count] = of->entries[list.count];
    for (int i = RECORDED_WHERE_GIVEN; i <= RECORDED_COUNT; i++) {
        const char *name = recorded_setting(i)->name;
        if (!fingerprint_find(of, name))
            add(&list, run->arena, name, write_option(run, &standard, name));
    }
    return list;
}

static struct fingerprint list_options(const struct case_run *run)
{
    const struct settings *s = &run->c->settings;
    struct fingerprint list = {.entries = ARENA_NEW(run->arena, struct fingerprint_entry, RECORDED_COUNT + 2)};
    const struct fingerprint none = {0}, standard = with_defaults(run, &none);
    add(&list, run->arena, "model", path_base(run->model->scene->path));
    add(&list, run->arena, "clip", run->pipeline.plays ? run->pipeline.plays : "rest");
    for (int i = 1; i <= RECORDED_COUNT; i++) {
        const char *name = recorded_setting(i)->name;
        const char *value = write_option(run, s, name), *otherwise = fingerprint_find(&standard, name);
        const bool is_crowd = strncmp(name, "crowd", 5) == 0;
        if (is_crowd ? s->crowd[0] > 0 : !otherwise || strcmp(value, otherwise) != 0)
            add(&list, run->arena, name, value);
    }
    return list;
}

/* Assimp's file: two builds may call themselves the same. */
static struct fingerprint describe_library(struct arena *arena)
{
    const struct library_file *file = import_library_file();
    struct fingerprint list = {.entries = ARENA_NEW(arena, struct fingerprint_entry, 3)};
    add(&list, arena, "assimp-file", file->name ? file->name : "unknown");
    add(&list, arena, "assimp-soname", file->soname ? file->soname : "none");
    add(&list, arena, "assimp-build-id", file->build_id ? file->build_id : "none");
    return list;
}

/* The options and the Assimp that are not as recorded, as fingerprints: they say why pictures differ. */
static void print_options(struct case_run *run)
{
    if (!run->golden.has_recorded || !run->pipeline.settings)
        return;
    const struct fingerprint own = list_options(run), library = describe_library(run->arena);
    const struct fingerprint was = with_defaults(run, &run->golden.recorded.options), now = with_defaults(run, &own);
    fingerprint_add_differing(&was, &now, run->arena, &run->out.result->golden,
                              &run->out.result->actual);
    fingerprint_add_differing(&run->golden.recorded.library, &library, run->arena, &run->out.result->golden,
                              &run->out.result->actual);
}

bool case_output(const struct case_run *run, const char *label, const char *suffix, const void *data, size_t size,
                 struct error *err)
{
    return file_write_below(run->options->output, arena_printf(run->arena, "%s/%s%s", run->c->name, label, suffix),
                            data, size, err);
}

/* Writes the text and releases it. The hash of its bytes, or NULL with err set. */
static const char *write_file(struct case_run *run, const char *label, const char *suffix, struct text *content,
                              struct error *err)
{
    char *hash = arena_alloc(run->arena, 17, 1);
    bytes_hash(content->data, content->size, hash);
    bool good = case_output(run, label, suffix, content->data, content->size, err);
    text_release(content);
    return good ? hash : NULL;
}

/* The PNG of a time, as it is; where it was not kept it is drawn again. Fills the frame but for its pose. */
static bool write_picture(struct case_run *run, size_t index, struct recorded_frame *frame, struct error *err)
{
    struct sample *sample = &run->samples[index];
    const struct blob *given = &sample->picture;
    struct image_result *shown = &run->out.result->times[index].image;
    SCOPED(image) image = {0};
    struct framing framing; /* this run's: of the golden that it may become */
    struct frame_settings ignored;
    char *pixels = arena_alloc(run->arena, 17, 1);
    if (!case_framing(run, index, false, &framing, err))
        return false;
    frame->label = sample->label;
    frame->time = sample->time;
    frame->pixels = pixels;
    frame->camera = framing.camera;
    frame->has_camera = true;
    memcpy(pixels, sample->pixels, sizeof sample->pixels);
    if (sample->candidate.size == 0) {
        if (!(given->size > 0 ? image_decode(&image, given->data, given->size, sample->label, err)
                              : case_draw_sample(run, index, false, &image, &ignored, err)))
            return false;
        image_hash(&image, pixels);
        image_encode_png(&image, PNG_GOLDEN, &sample->candidate, err);
    }
    frame->png = sample->candidate.size > 0 ? write_file(run, sample->label, ".png", &sample->candidate, err) : NULL;
    if (frame->png && (!shown->actual || sample->is_reframed))
        *(shown->actual ? &shown->candidate : &shown->actual) =
            arena_printf(run->arena, "%s/%s.png", run->c->name, sample->label);
    return frame->png != NULL;
}

/* import.json of a model is one file, with a name in each of its cases' folders where the file system has such
 * links. */
static bool write_import(struct case_run *run, struct error *err)
{
    struct model *model = run->model;
    char *name = arena_printf(run->arena, "%s/import.json", run->c->name);
    if (model->candidate && file_link_below(run->options->output, model->candidate, name))
        return true;
    free(model->candidate);
    model->candidate = memory_string(name);
    return case_output(run, "import", ".json", model->import_json.data, model->import_json.size, err);
}

/* The candidates of this run into <output>/<case>/: what accept makes the golden. */
static bool write_candidates(struct case_run *run, struct error *err)
{
    struct recorded recorded = {
        .fingerprint = run->out.result->actual,
        .options = list_options(run),
        .library = describe_library(run->arena),
        .frame_count = (uint32_t)run->count,
        .frames = ARENA_NEW(run->arena, struct recorded_frame, run->count),
    };
    const struct text *import = &run->model->import_json;
    char hash[17];
    if (crowd_size(&run->c->settings) > 0) {
        recorded.has_bounds = !bounds_is_empty(&run->extent.bounds);
        memcpy(recorded.bounds, run->extent.bounds.min, sizeof(vec3));
        memcpy(recorded.bounds + 3, run->extent.bounds.max, sizeof(vec3));
    }
    struct text text = {0};
    bytes_hash(import->data, import->size, hash);
    recorded.import_file = shared_import_name(run->suite, run->c, run->arena);
    struct candidate_hashes *hashes = ARENA_NEW(run->arena, struct candidate_hashes, 1);
    hashes->import = arena_string(run->arena, hash);
    bool good = write_import(run, err);
    for (size_t i = 0; good && i < run->count; i++) {
        struct text json = {0};
        pose_snapshot_write(run->samples[i].snapshot, &json);
        recorded.frames[i].pose = write_file(run, run->samples[i].label, ".pose.json", &json, err);
        good = recorded.frames[i].pose && write_picture(run, i, &recorded.frames[i], err);
    }
    if (good)
        recorded_write(&recorded, &text);
    hashes->recorded = good ? write_file(run, "recorded", ".json", &text, err) : NULL;
    run->out.result->candidate = hashes->recorded ? hashes : NULL;
    return hashes->recorded != NULL;
}

/* Judges the case. What accept may take over must be wanted, test something, and then pass. */
static void judge(struct case_run *run)
{
    struct case_result *result = run->out.result;
    for (int s = 0; s < STAGE_COUNT; s++) {
        if (!(run->out.findings.not_asked >> s & 1))
            continue;
        run->out.facts.compared[s] = false;
        run->out.facts.absent[s] = stage_not_asked_for;
        if (run->theirs.not_given >> s & 1)
            run->out.facts.absent[s] = arena_printf(run->arena, "not given by %s",
                                                run->theirs.name ? run->theirs.name : run->c->subject->name);
        if (s == STAGE_DRAW && run->theirs.shows)
            run->out.facts.absent[s] = run->theirs.shows;
        for (uint32_t i = 0; i < result->time_count; i++)
            result->times[i].error[s] = NAN;
    }
    run->out.facts.expect_fail = run->c->expect_fail;
    run->out.facts.fingerprint_differs =
        run->golden.has_recorded && !fingerprint_equal(&run->golden.recorded.fingerprint, &result->actual);
    /* A model without meshes that is to agree with another, say. */
    comparison_judge(&run->out, "nothing was compared: the model has nothing of the stages that the case asks for");
    bool is_worth = !result->vacuity && !case_skins_wrongly(result) && suite_has_golden(run->c);
    if ((result->status == CASE_FAIL || result->status == CASE_MISSING) && is_worth)
        result->accept = command_line(run->options, run->arena, "accept", "--filter ", run->c->name);
}

/* The golden is opened, too. */
static bool import_model(struct case_run *run, struct error *err)
{
    const struct suite_case *c = run->c;
    if (c->problem)
        return error_set(err, "%s", c->problem);
    run->reached_import =
        !suite_has_golden(c) || golden_open(&run->golden, run->suite->goldens, c->name, run->arena, err);
    run->model = run->reached_import ? model_cache_get(run->cache, c->model_path, &c->settings, err) : NULL;
    return run->model != NULL;
}

/* Does all that comes before the first pose. The import is compared before a clip is asked for: one that is gone is the
 * import's. */
static bool begin(struct case_run *run, struct error *err)
{
    const struct suite_case *c = run->c;
    struct case_result *result = run->out.result;
    if (!import_model(run, err) || !case_check_import(run, err) ||
        (run->renderer && !renderer_shaders(run->renderer, c->settings.shaders, &c->settings.shader_map, &run->shaders,
                                            err)) ||
        !pipeline_begin(&run->pipeline, run->model->scene, &c->settings, err))
        return false;
    result->clip = run->pipeline.plays ? arena_string(run->arena, run->pipeline.plays) : NULL;
    if (run->renderer) {
        result->golden = run->golden.recorded.fingerprint;
        result->actual = list_fingerprint(run);
    }
    return case_times(run, err);
}

bool case_resolve(const struct suite *suite, size_t index, struct model_cache *cache, struct arena *arena,
                  struct case_result *result, struct error *err)
{
    const struct suite_case *c = &suite->cases[index];
    struct case_run run = {
        .suite = suite, .c = c, .arena = arena, .cache = cache, .options = &(struct case_options){0}};
    comparison_begin(&run.out, result, &c->tolerance, NULL, arena);
    const bool good = begin(&run, err);
    case_list_sources(&run);
    pipeline_end(&run.pipeline);
    return good;
}

/* Notes the work of the case. */
static void note_cost(const struct case_run *run)
{
    const struct scene *scene = run->model->scene;
    const struct settings *s = &run->c->settings;
    const uint64_t crowd = crowd_size(s) > 0 ? crowd_size(s) : 1;
    struct case_work work = {.frames = run->count, .file_bytes = model_bytes(run->c->model_path)};
    work.pixels = work.frames * s->width * s->height;
    work.transforms = work.frames * (scene->node_count + (uint64_t)scene->binding_count);
    for (uint32_t i = 0; i < scene->instance_count; i++)
        work.vertices += work.frames * scene->meshes[scene->instances[i].mesh].vertex_count * (1 + crowd);
    for (uint32_t i = 0; i < scene->texture_count; i++)
        work.texels += (uint64_t)scene->textures[i].width * scene->textures[i].height;
    for (uint32_t i = 0; i < scene->clip_count; i++)
        for (uint32_t k = 0; k < scene->clips[i].channel_count; k++)
            for (int c = 0; c < COMPONENT_COUNT; c++)
                work.keys += scene->clips[i].channels[k].keys[c].count;
    run->out.result->cost = cost_of_case(&work);
    run->out.result->import_cost = cost_of_import(&work);
}

/* Returns whether the times are the golden's and the settings would choose others. */
static bool run_once(const struct suite *suite, size_t index, const struct case_options *options, bool chooses_times,
                     struct renderer *renderer, struct model_cache *cache, struct arena *arena,
                     struct case_result *result)
{
    struct error err = {0};
    struct case_run run = {
        .suite = suite, .c = &suite->cases[index], .options = options, .renderer = renderer, .cache = cache,
        .arena = arena, .chooses_times = chooses_times, .moved = NAN, .extent = {.bounds = bounds_empty()},
    };
    const struct suite_case *c = run.c;
    case_result_init(c, options, arena, result);
    comparison_begin(&run.out, result, &c->tolerance, case_shows(&run, PICTURES_FAILING) ? options->output : NULL,
                     arena);
    run.out.background = c->settings.background;
    run.out.findings.not_asked = suite_not_asked(c);
    bool good = begin(&run, &err) &&
                (c->subject ? case_subject_pose(&run, &err) && case_subject_draw(&run, &err)
                            : case_pose(&run, &err) && case_draw(&run, &err));
    const bool stopped_in_import = run.reached_import && !run.model;
    if (good) {
        case_check_times(&run);
        judge(&run);
        case_find_causes(&run);
        if (options->samples)
            *options->samples = (struct case_samples){run.samples, run.count};
        enum case_status status = result->status;
        bool differs = status == CASE_FAIL || status == CASE_MISSING || status == CASE_XFAIL;
        if ((status != CASE_FAIL || case_show_failure(&run, &err)) && (differs || options->keep == KEEP_ALL) &&
            suite_has_golden(c) && options->pictures != PICTURES_NONE)
            write_candidates(&run, &err);
    }
    if (error_is_set(
            &err)) { /* GL failed, a golden is damaged: what was found before may be the cause, and names the stage */
        const struct finding finding = finding_of(CODE_STOPPED);
        if (stopped_in_import)
            findings_add(&run.out.findings, &finding, "%s", err.text);
        run.out.facts.error = arena_string(arena, err.text);
        judge(&run);
        result->accept = NULL;
        if (run.theirs.program && result->status == CASE_ERROR)
            result->status = run.theirs.program->end == SUBJECT_CRASHED        ? CASE_CRASH
                             : run.theirs.program->end == SUBJECT_TIMED_OUT ? CASE_TIMEOUT
                             : err.exit_code == EXIT_CODE_DIFFERS              ? CASE_FAIL /* it differs from itself */
                                                                               : CASE_ERROR;
    }
    if (run.model)
        note_cost(&run);
    for (size_t i = 0; i < run.count; i++) {
        blob_release(&run.samples[i].picture);
        text_release(&run.samples[i].candidate);
    }
    print_options(&run);
    case_list_sources(&run);
    pipeline_end(&run.pipeline);
    return run.times_moved;
}

void run_case(const struct suite *suite, size_t index, const struct case_options *options, struct renderer *renderer,
              struct model_cache *cache, struct arena *arena, struct case_result *result)
{
    bool moved = run_once(suite, index, options, false, renderer, cache, arena, result);
    const enum case_status status = result->status;
    bool is_taken = status == CASE_FAIL || status == CASE_MISSING || options->keep == KEEP_ALL;
    if (!moved || options->purpose != TO_ACCEPT || !is_taken)
        return;
    run_once(suite, index, options, true, renderer, cache, arena, result);
    bool fails = result->status == CASE_FAIL || result->status == CASE_MISSING;
    if (fails &&
        (status == CASE_FAIL || status == CASE_MISSING)) /* `--missing` takes what lacked a golden, not what differed */
        result->status = status;
}
