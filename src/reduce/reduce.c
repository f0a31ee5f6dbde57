#include "reduce/reduce.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/file_writer.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/log.h"
#include "base/process/process.h"
#include "base/stop_signals.h"
#include "case/run_case.h"
#include "reduce/gltf_edit.h"
#include "reduce/reducing.h"

enum { MOST_CAUSES = 160, EVEN_TIMES = 12 };

/* The part of a finding that must stay: the first stage and the cause, or without a cause the stage and a tenth of
 * the size. */
struct shown {
    enum stage stage;
    char causes[MOST_CAUSES]; /* ids, "": nothing explains it */
    double size;
};

struct reducing {
    const struct reduce_options *options;
    char *folder;          /* temporary */
    json_t *truth;         /* that `generate` has written beside the model; NULL: it has not */
    struct suite *suite;   /* one case, whose model and times change; NULL with a test command */
    struct renderer *renderer;
    struct model_cache cache;
    const char *clip_given;
    struct shown wanted;
    struct gltf_edit best;
    struct text best_file; /* as it is written */
    struct reduce_evidence evidence; /* of the best */
    double time;           /* that is looked at; NaN: not known */
    enum pictures pictures; /* that examine() leaves in the folder */
    char label[32];         /* of the first time that it has seen, as in the names of pictures */
    bool has_pictures;
    struct text otherwise; /* headline of the last case that did not fail by a finding */
    uint64_t *seen;
    uint32_t seen_count;
    uint32_t tried;
    double deadline;
};

static volatile sig_atomic_t stopped;

static void note_signal(int number)
{
    (void)number;
    stopped = 1;
}

/* ---- does a file show it ---- */

static int run_words(void *context)
{
    const char *const *words = context;
    execvp(words[0], (char *const *)words);
    return 127;
}

/* The command with {} replaced by the path, words parted by blanks. */
static bool passes_test(const struct reducing *r, const char *path, struct arena *arena)
{
    struct subject_spec *spec = subject_of_command(r->options->test, arena);
    const char **words = (const char **)spec->command;
    const struct child_limits limits = {.seconds = r->options->answer_timeout};
    for (size_t i = 0; words[i]; i++) {
        const char *at = strstr(words[i], "{}");
        if (at)
            words[i] = arena_printf(arena, "%.*s%s%s", (int)(at - words[i]), words[i], path, at + 2);
    }
    const struct child_result result = child_run(run_words, words, &limits);
    return result.end == CHILD_EXITED && result.status == 0;
}

static void describe(const struct case_result *result, struct shown *out)
{
    SCOPED(text) ids = {0};
    case_add_causes(result, &ids);
    *out = (struct shown){.stage = result->stage, .size = fmax(0, case_displacement(result))};
    snprintf(out->causes, sizeof out->causes, "%s", text_string(&ids));
}

/* The finding of a file; false where the case did not fail by one. *worst: the time of the largest difference. */
static bool examine(struct reducing *r, const char *path, int32_t clip, struct shown *out, double *worst,
                    struct reduce_evidence *evidence)
{
    struct case_samples samples = {0};
    struct case_options options = {.output = r->folder,
                                   .suite_argument = "",
                                   .arguments = "",
                                   .pictures = r->pictures,
                                   .rigproof = r->options->rigproof,
                                   .samples = &samples};
    struct suite_case *c = &r->suite->cases[0];
    SCOPED_ARENA arena = create_large_arena();
    struct case_result result;
    char number[16];
    snprintf(number, sizeof number, "%d", clip);
    c->model = path_base(r->options->output);
    c->model_path = path;
    c->settings.clip = clip >= 0 ? number : r->clip_given ? r->clip_given : "none";
    model_cache_forget(&r->cache);
    run_case(r->suite, 0, &options, r->renderer, &r->cache, arena, &result);
    const bool fails = result.status == CASE_FAIL && result.stage >= 0;
    reduce_prefer_rule(r->options->model, &result);
    if (fails)
        describe(&result, out);
    for (uint32_t i = 0; fails && worst && i < result.time_count; i++)
        if (isnan(*worst) || result.times[i].error[result.stage] >= out->size)
            *worst = result.times[i].time;
    snprintf(r->label, sizeof r->label, "%s", result.time_count > 0 ? result.times[0].label : "");
    if (!fails) {
        r->otherwise.size = 0;
        text_add(&r->otherwise, result.headline ? result.headline : "the program agrees");
    }
    if (fails && evidence) {
        reduce_evidence_judge(evidence, r->options->model, &result);
        reduce_evidence_see(evidence, result.stage, &samples);
    }
    return fails;
}

static bool is_same(const struct shown *wanted, const struct shown *now)
{
    return now->stage == wanted->stage && strcmp(now->causes, wanted->causes) == 0 &&
           (*wanted->causes || now->size >= wanted->size / 10);
}

/* Nothing is tried twice. */
static bool is_new(struct reducing *r, const struct text *file)
{
    char hash[17];
    bytes_hash(file->data, file->size, hash);
    const uint64_t key = strtoull(hash, NULL, 16);
    for (uint32_t i = 0; i < r->seen_count; i++)
        if (r->seen[i] == key)
            return false;
    r->seen = memory_room(r->seen, r->seen_count, sizeof *r->seen);
    r->seen[r->seen_count++] = key;
    return true;
}

/* Returns whether an edit shows what is wanted; its bytes are then the best. */
static bool shows_same(struct reducing *r, const struct gltf_edit *edit)
{
    SCOPED(text) file = {0}, path = {0};
    SCOPED(reduce_evidence) evidence = {0};
    SCOPED_ARENA arena = arena_require((size_t)1 << 20);
    struct error ignored = {0};
    struct shown now;
    if (!gltf_edit_write(edit, &file) || !is_new(r, &file))
        return false;
    text_addf(&path, "%s/%u.gltf", r->folder, r->tried % 8);
    r->tried++;
    if (!file_write(text_string(&path), file.data, file.size, &ignored) ||
        !(r->options->test
              ? passes_test(r, text_string(&path), arena)
              : examine(r, text_string(&path), edit->clip, &now, NULL, &evidence) && is_same(&r->wanted, &now)))
        return false;
    const struct text worse = r->best_file; /* released here with its evidence */
    const struct reduce_evidence its = r->evidence;
    r->best_file = file;
    r->evidence = evidence;
    file = worse;
    evidence = its;
    return true;
}

/* ---- the search ---- */

static bool may_go_on(const struct reducing *r)
{
    return !stopped && clock_seconds() < r->deadline;
}

static void show_progress(const struct reducing *r)
{
    if (isatty(STDERR_FILENO) && !log_is_quiet)
        fprintf(stderr, "\rreduce: %zu bytes, %u tried ", r->best_file.size, r->tried);
}

/* One candidate: what an edit has drawn from the arena is given back where it is refused. */
static bool try_without(struct reducing *r, uint32_t reduction, uint32_t first, uint32_t count)
{
    struct arena *arena = r->best.arena;
    const size_t used = arena->used;
    struct gltf_edit edit = gltf_edit_copy(&r->best);
    reduction_walk(reduction, &edit, &(struct cut){first, count, 0});
    gltf_edit_prune(&edit);
    const size_t kept = arena->used;
    const size_t columns = r->best.column_count * sizeof *edit.columns; /* memcmp() must not be handed NULL */
    const bool differs = !json_equal(edit.root, r->best.root) ||
                         (columns > 0 && memcmp(edit.columns, r->best.columns, columns) != 0),
               same = differs && shows_same(r, &edit);
    gltf_edit_release(same ? &r->best : &edit);
    r->best = same ? edit : r->best;
    arena_rewind(arena, same ? kept : used);
    show_progress(r);
    return same;
}

/* Halves, from the last to the first, then halves of these. */
static void reduce_by(struct reducing *r, uint32_t reduction)
{
    for (uint32_t chunk = reduction_count(reduction, &r->best); chunk > 0 && may_go_on(r); chunk /= 2)
        for (uint32_t end = reduction_count(reduction, &r->best); end > 0 && may_go_on(r);) {
            const uint32_t first = end > chunk ? end - chunk : 0;
            try_without(r, reduction, first, end - first);
            const uint32_t now = reduction_count(reduction, &r->best);
            end = first < now ? first : now;
        }
}

static void search(struct reducing *r)
{
    for (size_t before = SIZE_MAX; r->best_file.size < before && may_go_on(r);) {
        before = r->best_file.size;
        for (uint32_t i = 0; i < REDUCTIONS && may_go_on(r); i++)
            reduce_by(r, i);
    }
}

/* ---- begin and end ---- */

/* "out/small" of "out/small.gltf". */
static int stem_length(const char *path)
{
    return (int)(strlen(path) - strlen(path_base(path)) + path_stem_length(path));
}

/* A suite of one case, whose model is put in its place for each candidate. */
static bool open_suite(struct reducing *r, struct error *err)
{
    const struct suite_reading reading = {.allow_outside = true, .has_no_goldens = true};
    const struct reduce_options *o = r->options;
    SCOPED(text) text = {0}, path = {0}, absolute = {0};
    folder_locate(o->model, &absolute);
    text_add(&text, "version: 1\ncases:\n  - name: reduced\n    model: ");
    text_add_quoted(&text, text_string(&absolute));
    text_add(&text, "\n    wrap: clamp\n    influences: all\n    stages: [animate, palette, skin]\n"
                    "    tolerance: {shell: 0.0001}\n    allow: [blank, still, unskinned]\n    size: [320, 240]\n"
                    "    overlay: [skeleton, wireframe, axes]\n    times: auto\n");
    text_addf(&path, "%s/suite.yaml", r->folder);
    return file_write(text_string(&path), text.data, text.size, err) &&
           (r->suite = suite_open(text_string(&path), &reading, err)) != NULL &&
           suite_use_subject(r->suite, o->subject ? o->subject : o->against, o->against != NULL, false, err) &&
           suite_start_here(r->suite, o->answer_timeout, err);
}

static void add_time(struct settings *settings, double time)
{
    settings->time_choice = TIMES_LIST;
    settings->times = memory_grow(settings->times, settings->time_count + 1, sizeof *settings->times);
    settings->times[settings->time_count++] = time;
}

/* The worst time alone is quicker to look at. Where it has another cause there, all times stay: an engine that is right
 * at one time does not stand still. */
static bool look_at_worst(struct reducing *r, double worst, struct error *err)
{
    struct suite_case *c = &r->suite->cases[0];
    const struct settings all = c->settings;
    const struct shown shown = r->wanted;
    c->settings.times = NULL;
    c->settings.time_count = 0;
    add_time(&c->settings, worst);
    r->time = worst;
    if (examine(r, c->model_path, r->best.clip, &r->wanted, NULL, NULL) && is_same(&shown, &r->wanted)) {
        free(all.times);
        return true;
    }
    free(c->settings.times);
    c->settings = all;
    r->time = NAN;
    return examine(r, c->model_path, r->best.clip, &r->wanted, NULL, NULL) ||
           error_set(err, "%s: what differs does not show a second time: %s", r->options->model,
                     text_string(&r->otherwise));
}

/* Finds what the whole file shows, at the worst time: of the one that is given, of the truth's, of the clip's keys, or
 * of others, since half way between two keys many mistakes do not show. */
static bool find_finding(struct reducing *r, struct error *err)
{
    double worst = NAN;
    if (!(r->renderer = renderer_create(BACKEND_AUTO, err)) || !open_suite(r, err))
        return false;
    struct suite_case *c = &r->suite->cases[0];
    const char *path = c->model_path;
    size_t i;
    json_t *pose;
    if (!isnan(r->time))
        add_time(&c->settings, r->time);
    else
        json_array_foreach(json_object_get(r->truth, "poses"), i, pose)
            add_time(&c->settings, json_number_value(json_object_get(pose, "time")));
    bool shows = examine(r, path, r->best.clip, &r->wanted, &worst, NULL);
    if (!shows && c->settings.time_choice == TIMES_AUTO) {
        c->settings.time_choice = TIMES_EVEN;
        c->settings.even = EVEN_TIMES;
        shows = examine(r, path, r->best.clip, &r->wanted, &worst, NULL);
    }
    if (!shows)
        return error_set(err, "%s: it shows no difference to be reduced: %s", r->options->model,
                         text_string(&r->otherwise));
    return look_at_worst(r, worst, err);
}

/* The one that is given, else the truth's, else the first. */
static bool choose_clip(struct reducing *r, struct error *err)
{
    const json_t *clips = edit_list(r->best.root, "animations"),
                 *of_truth = json_object_get(json_array_get(json_object_get(r->truth, "poses"), 0), "clip");
    const char *given = r->options->clip ? r->options->clip
                        : of_truth       ? (json_is_string(of_truth) ? json_string_value(of_truth) : "none")
                                         : NULL;
    if (given && (strcmp(given, "none") == 0 || strcmp(given, "rest") == 0))
        r->clip_given = "none";
    else if (!given)
        r->best.clip = json_array_size(clips) > 0 ? 0 : -1;
    for (size_t i = 0; given && r->best.clip < 0 && i < json_array_size(clips); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(clips, i), "name"));
        char number[24];
        snprintf(number, sizeof number, "%zu", i);
        if ((name && strcmp(name, given) == 0) || strcmp(number, given) == 0)
            r->best.clip = (int32_t)i;
    }
    return !given || r->clip_given || r->best.clip >= 0 ||
           error_set(err, "%s: it has no clip `%s`", r->options->model, given);
}

/* Both poses of the file that is left, unless they look alike: a node without a mesh that turns is a point. */
static bool write_pictures(struct reducing *r, struct error *err)
{
    const char *output = r->options->output;
    SCOPED(text) path = {0};
    SCOPED(blob) golden = {0}, actual = {0};
    struct blob *const files[REDUCE_PICTURES] = {&golden, &actual};
    struct error missing = {0};
    struct shown now;
    r->pictures = PICTURES_FAILING;
    text_addf(&path, "%s/best.gltf", r->folder);
    if (!file_write(text_string(&path), r->best_file.data, r->best_file.size, err))
        return false;
    examine(r, text_string(&path), r->best.clip, &now, NULL, NULL);
    for (int i = 0; i < REDUCE_PICTURES; i++) {
        path.size = 0;
        text_addf(&path, "%s/%s/%s.%s.png", r->folder, r->suite->cases[0].name, r->label, reduce_pictures[i].of_case);
        file_read(text_string(&path), SIZE_MAX / 2, files[i], &missing);
    }
    r->has_pictures = !error_is_set(&missing) && (golden.size != actual.size ||
                                                  memcmp(golden.data, actual.data, golden.size) != 0);
    bool good = true;
    for (int i = 0; i < REDUCE_PICTURES && good && r->has_pictures; i++) {
        path.size = 0;
        text_addf(&path, "%.*s.%s.png", stem_length(output), output, reduce_pictures[i].name);
        good = file_write(text_string(&path), files[i]->data, files[i]->size, err);
    }
    return good;
}

static bool write_files(struct reducing *r, const struct reduce_result *sizes, struct error *err)
{
    const char *output = r->options->output;
    SCOPED(text) report = {0}, path = {0};
    if (!r->options->test && !write_pictures(r, err))
        return false;
    const struct reduce_report page = {.options = r->options, .sizes = sizes, .evidence = &r->evidence,
                                       .file = text_string(&r->best_file), .clip = r->clip_given, .time = r->time,
                                       .has_pictures = r->has_pictures};
    reduce_report_write(&page, &report);
    text_addf(&path, "%.*s.md", stem_length(output), output);
    return file_write(output, r->best_file.data, r->best_file.size, err) &&
           file_write(text_string(&path), report.data, report.size, err);
}

/* The search is long: what cannot be written is said before it. */
static bool can_write(const char *path, struct error *err)
{
    struct file_writer writer;
    return file_make_parent(path, err) && file_writer_open(&writer, path, err) &&
           (file_writer_close(&writer, false, err) || !error_is_set(err));
}

static bool run(struct reducing *r, struct reduce_result *out, struct error *err)
{
    const struct reduce_options *o = r->options;
    SCOPED(text) truth = {0};
    text_addf(&truth, "%.*s.truth.json", stem_length(o->model), o->model);
    r->truth = json_load_file(text_string(&truth), 0, NULL);
    if (!gltf_edit_open(o->model, create_large_arena(), &r->best, err) || !choose_clip(r, err) ||
        (!o->test && !find_finding(r, err)))
        return false;
    gltf_edit_prune(&r->best);
    if (!shows_same(r, &r->best))
        return error_set(err,
                         o->test ? "%s: the test does not exit with 0 for it"
                                 : "%s: what it shows is gone once it is written as one file",
                         o->model);
    SCOPED(blob) file = {0};
    if (!can_write(o->output, err) || !file_read(o->model, SIZE_MAX / 2, &file, err))
        return false;
    out->size_before = file.size;
    stop_signals_catch(note_signal, 0);
    search(r);
    out->size_after = r->best_file.size;
    out->tried = r->tried;
    out->was_stopped = !may_go_on(r);
    if (isatty(STDERR_FILENO) && !log_is_quiet)
        fputc('\n', stderr);
    return write_files(r, out, err);
}

bool reduce_run(const struct reduce_options *options, struct reduce_result *out, struct error *err)
{
    struct reducing r = {
        .options = options, .time = options->time, .pictures = PICTURES_NONE, .folder = folder_make_temporary(err),
        .deadline = clock_seconds() + options->budget};
    *out = (struct reduce_result){0};
    const bool good = r.folder && run(&r, out, err);
    model_cache_release(&r.cache);
    suite_free(r.suite);
    if (r.renderer)
        renderer_leave(r.renderer);
    if (r.folder)
        folder_remove(r.folder);
    json_decref(r.truth);
    gltf_edit_release(&r.best);
    arena_destroy(r.best.arena);
    text_release(&r.best_file);
    reduce_evidence_release(&r.evidence);
    text_release(&r.otherwise);
    free(r.seen);
    free(r.folder);
    return good;
}
