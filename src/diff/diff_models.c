/*
 * Two model files: what the first gives becomes a golden in a temporary folder, and the second is checked against it
 * as any case of a suite is, clip by clip. Files of different formats agree as skinned points; nothing else of them is
 * comparable.
 */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/folder.h"
#include "data/json_fields.h"
#include "diff/diff.h"
#include "run/run_suite.h"

/* The names of both files. */
struct models {
    const char *const *paths;
    const struct diff_options *options;
    struct arena *arena; /* the results' */
    struct scene *scenes[2];
    bool same_format;
    const char *folder;  /* of the first one's candidates: the goldens */
    const char *root;    /* of what is written */
    struct suite suite;  /* each case of the first file, and after it that of the second */
    size_t count;        /* of either */
    struct results *out;
};

/* Makes a folder's name of a clip: "rig|Walk 2" is "rig-walk-2", and "rig-walk-2-2" where that is taken. */
static const char *name_case(const struct models *m, const char *clip)
{
    enum { LONGEST = 100 }; /* below what file systems allow */
    char *slug = arena_printf(m->arena, "%.*s", LONGEST, *clip ? clip : "clip");
    const char *name = slug;
    for (char *c = slug; *c; c++)
        *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '-';
    for (size_t i = 0, number = 2; i < m->count; i++)
        if (strcmp(m->suite.cases[2 * i].name, name) == 0) {
            name = arena_printf(m->arena, "%s-%zu", slug, number++);
            i = (size_t)-1; /* from the first again */
        }
    return name;
}

/* The other file's clip of that name, which may be a number but no index; of files with one clip each the other. */
static const struct clip *find_other(const struct models *m, int side, const char *name)
{
    const struct scene *other = m->scenes[!side];
    if (m->scenes[0]->clip_count == 1 && m->scenes[1]->clip_count == 1)
        return &other->clips[0];
    const struct clip *clip = scene_find_clip(other, name, ERROR_IGNORED);
    return clip && name[strspn(name, "0123456789")] == '\0' && strcmp(clip->name, name) != 0 ? NULL : clip;
}

/* Both sides of a clip; NULL: what the settings play, else the rest pose. */
static void add_pair(struct models *m, const char *a, const char *b)
{
    const bool has_units = m->scenes[0]->unit_meters > 0 && m->scenes[1]->unit_meters > 0;
    struct agreement agreement = {.other = 2 * m->count};
    const struct settings *settings = m->options->settings;
    const char *name = name_case(m, a                              ? a
                                    : settings->clip               ? settings->clip
                                    : settings_name_clip(settings) ? "mix"
                                                                   : "rest");
    for (int side = 0; side < 2; side++)
        *(side ? &agreement.frame : &agreement.other_frame) = (struct point_frame){
            has_units ? m->scenes[side]->unit_meters : 1, m->scenes[side]->up_axis};
    for (int side = 0; side < 2; side++) {
        struct suite_case *c = &m->suite.cases[2 * m->count + (size_t)side];
        *c = (struct suite_case){
            .name = name, .model = m->paths[side], .model_path = m->paths[side], .settings = *settings,
            .tolerance = m->options->tolerance, .allowed = ALLOW_BLANK | ALLOW_STILL | ALLOW_UNSKINNED,
            .agrees = side && !m->same_format, .agreement = agreement};
        if (a)
            c->settings.clip = arena_string(m->arena, side ? b : a);
        else if (!settings_name_clip(settings))
            c->settings.clip = "rest";
    }
    m->count++;
}

static void add_one_sided(struct models *m, const char *clip, const char *path)
{
    struct case_result *result = &m->out->cases[m->out->case_count++];
    diff_one_sided(clip, arena_printf(m->arena, "clip `%s` is only in %s", clip, path), m->options, m->arena, result);
    result->model = m->paths[1];
}

/* A case for each clip of both, or for what the options play. */
static void plan(struct models *m)
{
    const struct scene *a = m->scenes[0], *b = m->scenes[1];
    const size_t most = a->clip_count + b->clip_count + 1;
    m->suite = (struct suite){.arena = m->arena, .path = m->out->suite, .folder = ".",
                              .cases = ARENA_NEW(m->arena, struct suite_case, 2 * most)};
    m->out->cases = ARENA_NEW(m->arena, struct case_result, 2 * most);
    const bool is_chosen = settings_name_clip(m->options->settings);
    for (uint32_t i = 0; !is_chosen && i < a->clip_count; i++) {
        const struct clip *other = find_other(m, 0, a->clips[i].name);
        if (other)
            add_pair(m, a->clips[i].name, other->name);
        else
            add_one_sided(m, a->clips[i].name, m->paths[0]);
    }
    for (uint32_t i = 0; !is_chosen && i < b->clip_count; i++)
        if (!find_other(m, 1, b->clips[i].name))
            add_one_sided(m, b->clips[i].name, m->paths[1]);
    if (m->count == 0)
        add_pair(m, NULL, NULL);
    m->suite.case_count = 2 * m->count;
}

static struct suite_run side_run(const struct models *m, int side)
{
    bool *chosen = ARENA_NEW(m->arena, bool, m->suite.case_count);
    for (size_t i = 0; i < m->count; i++)
        chosen[2 * i + (size_t)side] = true;
    return (struct suite_run){.suite = &m->suite, .chosen = chosen, .jobs = run_cores(), .timeout = 120,
                              .memory_mib = 4096,
                              .options = {.output = side ? m->root : m->folder, .suite_argument = m->out->suite,
                                          .arguments = "", .backend = m->options->settings->backend,
                                          .keep = side ? KEEP_FAILED : KEEP_ALL, .rigproof = m->options->rigproof}};
}

/* NULL with err set. */
static struct results *run_side(const struct models *m, int side, struct error *err)
{
    const struct suite_run run = side_run(m, side);
    int interrupted = 0;
    struct results *results = run_suite(&run, &interrupted, err);
    if (results && results->not_run_count > 0) {
        error_set_code(err, EXIT_CODE_DIFFERS, "%zu of %zu clip%s %s not compared", results->not_run_count,
                       m->count, m->count == 1 ? "" : "s", m->count == 1 ? "was" : "were");
        results_free(results);
        return NULL;
    }
    return results;
}

/* The second file is posed at the first one's times, whatever `auto` makes of its own keys. */
static void take_times(struct models *m, const struct results *golden)
{
    for (size_t i = 0; i < golden->case_count; i++) {
        const struct case_result *result = &golden->cases[i];
        struct settings *settings = &m->suite.cases[2 * i + 1].settings;
        if (result->time_count == 0)
            continue;
        settings->times = ARENA_NEW(m->arena, double, result->time_count);
        for (uint32_t k = 0; k < result->time_count; k++)
            settings->times[k] = result->times[k].time;
        settings->time_count = result->time_count;
        settings->time_choice = TIMES_LIST;
    }
}

/* That the models are two is no other setup. */
static void forget_model(struct fingerprint *fingerprint)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < fingerprint->count; i++)
        if (strcmp(fingerprint->entries[i].name, "model") != 0)
            fingerprint->entries[kept++] = fingerprint->entries[i];
    fingerprint->count = kept;
}

/* There is nothing to repeat or accept, and no suite. What could not be made of the first file is no missing golden. */
static void take_results(struct models *m, const struct results *golden, const struct results *actual)
{
    const char *why = arena_printf(m->arena, "the files are of different formats, %s and %s", m->scenes[0]->format,
                                   m->scenes[1]->format);
    for (size_t i = 0; i < m->count; i++) {
        const enum case_status was = golden->cases[i].status;
        struct case_result *result = &m->out->cases[m->out->case_count++];
        *result = *case_result_copy(&actual->cases[i], m->arena);
        result->repeat = result->accept = NULL;
        forget_model(&result->golden);
        forget_model(&result->actual);
        for (int s = 0; s < STAGE_COUNT && !m->same_format; s++)
            if (result->stages[s].state == STAGE_NOT_COMPARED && !result->stages[s].summary)
                result->stages[s].summary = why;
        for (uint32_t k = 0; k < result->time_count && !m->options->output; k++) {
            struct image_result *image = &result->times[k].image; /* no picture is left of it */
            image->golden = image->actual = image->difference = image->heat = image->displacement = NULL;
        }
        if (case_status_broke(was)) {
            result->status = was;
            result->headline = strstr(golden->cases[i].headline, m->paths[0])
                                   ? arena_string(m->arena, golden->cases[i].headline)
                                   : arena_printf(m->arena, "%s: %s", m->paths[0], golden->cases[i].headline);
        }
    }
    m->out->fingerprint = *(struct fingerprint *)fields_copy(&fingerprint_fields, &actual->fingerprint, 1, m->arena);
}

static bool run_both(struct models *m, struct error *err)
{
    struct results *golden = run_side(m, 0, err), *actual = NULL;
    if (golden && golden->cases[0].status == CASE_ERROR && settings_name_clip(m->options->settings)) {
        error_set(err, "%s", golden->cases[0].headline); /* no such clip, as a rule */
    } else if (golden) {
        take_times(m, golden);
        actual = run_side(m, 1, err);
    }
    if (actual)
        take_results(m, golden, actual);
    for (size_t i = 0; i < m->count; i++) {
        const char *name = m->suite.cases[2 * i].name;
        snapshot_remove(arena_printf(m->arena, "%s/%s", m->folder, name), SNAPSHOT_WHOLE, ERROR_IGNORED);
        if (!m->options->output)
            snapshot_remove(arena_printf(m->arena, "%s/%s", m->root, name), SNAPSHOT_WHOLE, ERROR_IGNORED);
    }
    results_free(golden);
    results_free(actual);
    return actual != NULL;
}

/* glTF's two forms and VRM, which is one, are one format. */
static const char *format_of(const struct scene *scene)
{
    return scene_is_gltf(scene) ? "gltf" : scene->format;
}

/* The goldens are below the output, or a temporary folder; one name, so that what a killed run left is cleared. */
static bool run_below(struct models *m, struct error *err)
{
    const char *output = m->options->output;
    FREED char *made = output ? NULL : folder_make_temporary(err);
    if (!output && !made)
        return false;
    m->root = output ? output : made;
    const char *folder = arena_printf(m->arena, "%s/.golden", m->root);
    const struct suite_run run = side_run(m, 1);
    int lock = -1;
    bool good = !output || (run_may_clear(&run, err) && (lock = folder_lock(output, err)) >= 0);
    if (good && folder_make(folder, err)) {
        m->folder = m->suite.goldens = folder;
        good = run_both(m, err);
        rmdir(folder);
    }
    folder_unlock(lock);
    if (made)
        rmdir(made);
    return good && !error_is_set(err);
}

bool diff_models(const char *const paths[2], const struct diff_options *options, struct results *results,
                 struct error *err)
{
    struct models m = {.paths = paths, .options = options, .arena = results->arena, .out = results};
    /* where nobody chooses, at keys and between them */
    bool good = (options->settings->time_choices || settings_set(options->settings, "times", "auto", err)) &&
                settings_check_times(options->settings, false, err);
    for (int side = 0; good && side < 2; side++) {
        m.scenes[side] = pipeline_import(paths[side], options->settings, err);
        good = m.scenes[side] != NULL;
    }
    if (good) {
        m.same_format = strcmp(format_of(m.scenes[0]), format_of(m.scenes[1])) == 0;
        plan(&m);
        good = run_below(&m, err);
    }
    scene_free(m.scenes[0]);
    scene_free(m.scenes[1]);
    return good;
}
