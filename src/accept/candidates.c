#include "accept/candidates.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/folder.h"
#include "base/file/unzip.h"
#include "base/log.h"
#include "base/names.h"
#include "data/image/image.h"
#include "case/case_inputs.h"
#include "case/run_case.h"

enum { DEEPEST = 4, MOST_RUNS = 10000 };

static const char run_again[] = "run `check` again, or check out the commit that the run was of";

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* results.json of the folder, else of those below it: artifacts of several jobs are downloaded side by side. */
static bool find_runs(const char *folder, int depth, struct folder_names *found, struct error *err)
{
    SCOPED(text) path = {0};
    SCOPED(folder_names) names = {0};
    text_addf(&path, "%s/results.json", folder);
    bool good = true, is_run = file_exists(text_string(&path));
    if (is_run) {
        found->names = memory_grow(found->names, found->count + 1, sizeof *found->names);
        found->names[found->count++] = memory_string(text_string(&path));
    }
    good = is_run || depth == DEEPEST || folder_list(folder, FOLDER_FOLDERS, &names, err);
    for (size_t i = 0; good && i < names.count && found->count < MOST_RUNS; i++) {
        path.size = 0;
        text_addf(&path, "%s/%s", folder, names.names[i]);
        good = snapshot_is_link(text_string(&path)) || find_runs(text_string(&path), depth + 1, found, err);
    }
    return good;
}

/* A folder of its own for what is in the ZIP; NULL with err set. */
static const char *unpack(struct candidates *all, const char *zip, struct error *err)
{
    char *folder = folder_make_temporary(err);
    if (!folder)
        return NULL;
    all->unpacked = memory_grow(all->unpacked, all->unpacked_count + 1, sizeof *all->unpacked);
    all->unpacked[all->unpacked_count++] = folder;
    return unzip(zip, folder, err) ? folder : NULL;
}

static bool find_in(struct candidates *all, const char *from, struct folder_names *found, struct error *err)
{
    struct stat status;
    const size_t before = found->count;
    if (stat(from, &status) != 0)
        return error_set(err, "%s: %s", from, strerror(errno));
    const char *folder = S_ISDIR(status.st_mode) ? from : unpack(all, from, err);
    return folder && find_runs(folder, 0, found, err) &&
           (found->count > before || error_set(err,
                                               "no results.json in %s, nor in a folder in it: it is not what `check` "
                                               "leaves in its output folder",
                                               from));
}

/* An artifact must not bring the suite that says where goldens are. */
static bool check_suite_place(const char *suite, const char *const *from, size_t count, struct error *err)
{
    SCOPED(text) place = {0}, folder = {0};
    bool good = file_exists(suite) ||
                error_set(err,
                          "the run's suite %s is not here: go to the folder that the run was started in, or "
                          "name the suite",
                          suite);
    folder_locate(suite, &place);
    for (size_t i = 0; good && i < count; i++) {
        folder.size = 0;
        folder_locate(from[i], &folder);
        if (folder_below(text_string(&place), text_string(&folder)))
            good = error_set(
                err, "the run's suite %s is in %s itself, which says nothing of where goldens belong: name the suite",
                suite, from[i]);
    }
    return good;
}

/* "--goldens out/a --repair none" */
static void add_overrides(struct text *out, const struct fingerprint *overrides)
{
    for (uint32_t i = 0; i < overrides->count; i++) {
        text_addf(out, "%s--%s ", i ? " " : "", overrides->entries[i].name);
        text_add_name(out, overrides->entries[i].value);
    }
    text_add(out, overrides->count ? "" : "neither --goldens nor --repair");
}

static bool open_suite(struct candidates *all, const char *path, const struct candidates_options *options,
                       struct error *err)
{
    const struct results *results = all->results;
    struct fingerprint overrides;
    all->suite = suite_open(
        path, &(struct suite_reading){.allow_outside = options->allow_outside, .goldens = options->goldens}, err);
    if (!all->suite || !suite_override(all->suite, options->goldens, options->repair, &overrides, err))
        return false;
    if (!results->suite_hash)
        return error_set(
            err,
            "results.json does not say of what suite file the run was (written by rigproof %s, or merged from runs of "
            "several): %s",
            results->rigproof, run_again);
    if (strcmp(results->suite_hash, all->suite->hash) != 0)
        return error_set(err, "the suite %s is not as it was in the run: %s", path, run_again);
    if (!fingerprint_equal(&overrides, &results->overrides)) {
        SCOPED(text) theirs = {0};
        add_overrides(&theirs, &results->overrides);
        error_set(err, "the run was made with %s: give the same", text_string(&theirs));
        return false;
    }
    return true;
}

/* The folder of the run that a case is of: the last that has it, as merge_into() takes it. */
static void find_folders(struct candidates *all, const struct merge *merge)
{
    all->folders = ARENA_NEW(all->results->arena, const char *, all->results->case_count);
    for (size_t k = 0; k < merge->count; k++) {
        struct results_index index;
        results_index_make(merge->items[k], &index);
        for (size_t i = 0; i < all->results->case_count; i++)
            if (results_index_find(&index, all->results->cases[i].name))
                all->folders[i] = merge->folders[k];
        results_index_release(&index);
    }
}

bool candidates_open(struct candidates *candidates, const char *const *from, size_t count,
                     const struct candidates_options *options, struct error *err)
{
    SCOPED(folder_names) found = {0};
    bool good = true;
    *candidates = (struct candidates){.cache = memory_new(1, sizeof *candidates->cache)};
    for (size_t i = 0; good && i < count; i++)
        good = find_in(candidates, from[i], &found, err);
    good = good && merge_open(&candidates->merge, (const char *const *)found.names, found.count, err);
    if (good)
        candidates->from = candidates->merge.folders[0];
    candidates->results = good ? merge_into(&candidates->merge, candidates->from, log_warning, err) : NULL;
    good = candidates->results != NULL;
    const char *suite = options->suite ? options->suite : good ? candidates->results->suite : NULL;
    good = good && (options->suite || check_suite_place(suite, from, count, err)) &&
           open_suite(candidates, suite, options, err);
    if (good)
        find_folders(candidates, &candidates->merge);
    return good;
}

void candidates_release(struct candidates *candidates)
{
    if (candidates->cache)
        model_cache_release(candidates->cache);
    free(candidates->cache);
    suite_free(candidates->suite);
    results_free(candidates->results);
    merge_release(&candidates->merge);
    for (size_t i = 0; i < candidates->unpacked_count; i++) {
        folder_remove(candidates->unpacked[i]);
        free(candidates->unpacked[i]);
    }
    free(candidates->unpacked);
    *candidates = (struct candidates){0};
}

/* ---- what of it can be a golden ---------------------------------------------------------------------------------- */

/* A case whose files are looked at. */
struct inspection {
    struct candidates *all;
    const struct case_result *result;
    const struct suite_case *c;
    const char *folder; /* of its candidates */
    struct arena *arena, *scratch; /* of what is said; of what is read */
    struct case_result here; /* the case's clip, times and sources, by an import here */
};

/* The file when it is a plain one of that hash; NULL with *why set. */
static bool read_candidate(const struct inspection *in, const char *label, const char *suffix, const char *hash,
                           struct blob *out, const char **why)
{
    const char *path = arena_printf(in->arena, "%s/%s%s", in->folder, label, suffix);
    char now[17];
    *why = NULL;
    if (snapshot_is_link(in->folder) || snapshot_is_link(path))
        *why = arena_printf(in->arena, "%s is a link", path);
    else if (!file_read(path, GOLDEN_FILE_LIMIT, out, ERROR_IGNORED))
        *why = arena_printf(in->arena,
                            "%s, which the run left, cannot be read: download the artifact again, or run `check` again",
                            path);
    if (*why)
        return false;
    bytes_hash(out->data, out->size, now);
    if (hash && strcmp(hash, now) == 0)
        return true;
    blob_release(out);
    *why = arena_printf(in->arena, "%s is not as the run left it: download the artifact again, or run `check` again",
                        path);
    return false;
}

static const char *check_import(const struct inspection *in)
{
    const char *why, *name = path_base(in->c->model);
    struct error broken = {0};
    SCOPED(blob) file = {0};
    if (!read_candidate(in, "import", ".json", in->result->candidate->import, &file, &why))
        return why;
    const struct import_snapshot *import =
        import_snapshot_read(file.data, file.size, "import.json", in->scratch, &broken);
    return !import ? arena_string(in->arena, broken.text)
           : strcmp(import->model, name) != 0
               ? arena_printf(in->arena, "import.json is of %s, the case of %s", import->model, name)
               : NULL;
}

/* A subject's pose has its own names for model and clip. */
static const char *check_pose(const struct inspection *in, const struct recorded_frame *frame)
{
    static const char rest[] = "its rest pose";
    const char *why, *name = arena_printf(in->arena, "%s.pose.json", frame->label), *model = path_base(in->c->model);
    struct error broken = {0};
    SCOPED(blob) file = {0};
    if (!read_candidate(in, frame->label, ".pose.json", frame->pose, &file, &why))
        return why;
    const struct pose_snapshot *pose = pose_snapshot_read(file.data, file.size, name, in->scratch, &broken);
    if (!pose)
        return arena_string(in->arena, broken.text);
    const char *clip = pose->clip ? pose->clip : rest, *wanted = in->here.clip ? in->here.clip : rest;
    const char *label = snapshot_label(pose->time, in->arena);
    if (strcmp(label, frame->label) != 0 ||
        (!in->c->subject &&
         (strcmp(pose->model, model) != 0 || strcmp(clip, wanted) != 0)))
        why = arena_printf(in->arena, "%s is of %s, %s at %s s, the case of %s, %s at %s s", name, pose->model, clip,
                           label, model, wanted, frame->label);
    return why;
}

/* A picture is compared by the hash of its pixels, which must be its own. */
static const char *check_picture(const struct inspection *in, const struct recorded_frame *frame)
{
    SCOPED(blob) file = {0};
    SCOPED(image) image = {0};
    char pixels[17] = "";
    const char *why;
    if (!read_candidate(in, frame->label, ".png", frame->png, &file, &why))
        return why;
    if (image_decode(&image, file.data, file.size, frame->label, ERROR_IGNORED))
        image_hash(&image, pixels);
    return strcmp(pixels, frame->pixels) == 0
               ? NULL
               : arena_printf(in->arena, "%s/%s.png does not have the pixels that recorded.json says", in->folder,
                              frame->label);
}

/* The golden here must be what the run compared with, or, once it was accepted, what the run left. */
static const char *check_golden(const struct inspection *in, const struct golden *golden,
                                const struct time_result *time, const struct recorded_frame *frame)
{
    char here[17];
    const char *other = NULL;
    SCOPED(blob) file = {0};
    file_hash(golden_path(golden, time->label, ".png"), here);
    if (strcmp(here, frame->png) == 0)
        return NULL;
    if (time->image.golden)
        read_candidate(in, time->label, ".golden.png", here, &file, &other);
    return other || (time->image.state == IMAGE_MISSING && *here)
               ? arena_printf(in->arena,
                              "the golden picture at %s s that the run compared with is not the one here: %s",
                              time->label, run_again)
               : NULL;
}

/* recorded.json says of the others what they are; results.json of recorded.json. */
static const char *check_files(const struct inspection *in)
{
    const struct case_result *result = in->result;
    struct recorded recorded = {0};
    struct golden golden;
    struct error broken = {0};
    SCOPED(blob) file = {0};
    const char *why;
    if (!read_candidate(in, "recorded", ".json", result->candidate->recorded, &file, &why))
        return why;
    if (!recorded_read(file.data, file.size, "recorded.json", in->arena, &recorded, &broken))
        return arena_string(in->arena, broken.text);
    const char *renderer = fingerprint_find(&recorded.fingerprint, "renderer");
    if (!renderer || strcmp(renderer, "llvmpipe") != 0)
        return arena_printf(
            in->arena, "goldens are only accepted from llvmpipe, which is the same on every machine; this is of %s",
            renderer ? renderer : "an unknown renderer");
    if (strcmp(shared_import_name(in->all->suite, in->c, in->arena), recorded.import_file) != 0)
        return "its recorded.json names the import of another model or of other settings: run `check` again";
    if (!golden_open(&golden, in->all->suite->goldens, in->c->name, in->scratch, &broken))
        return arena_string(in->arena, broken.text);
    why = check_import(in);
    if (!why && recorded.frame_count != result->time_count)
        return "results.json and recorded.json are not of the same times";
    if (!why && recorded.frame_count != in->here.time_count)
        return arena_printf(in->arena, "the run is of other times than the case: %s", run_again);
    for (uint32_t i = 0; !why && i < recorded.frame_count; i++) {
        const struct recorded_frame *frame = &recorded.frames[i];
        const char *label = frame->label;
        if (strcmp(result->times[i].label, label) != 0 || !*label || snapshot_label_length(label) != strlen(label))
            return "results.json and recorded.json are not of the same times";
        if (strcmp(in->here.times[i].label, label) != 0)
            return arena_printf(in->arena, "the run is of %s s, the case of %s s: %s", label, in->here.times[i].label,
                                run_again);
        why = check_pose(in, frame);
        why = why ? why : check_picture(in, frame);
        why = why ? why : check_golden(in, &golden, &result->times[i], frame);
    }
    return why;
}

/* Files of the run that are others now. */
static const char *check_sources(const struct inspection *in)
{
    const struct suite *suite = in->all->suite;
    SCOPED(text) path = {0}, folder = {0};
    const char *why = NULL;
    folder_locate(suite->folder, &folder);
    for (uint32_t i = 0; !why && i < in->result->source_count; i++) {
        const struct source *source = &in->result->sources[i];
        if (!source_is_same(source, folder.data, &path))
            why = arena_printf(in->arena, "%s %s: %s", source->file,
                               !source->hash && !source->leads_to ? "was not there in the run"
                               : file_exists(path.data)           ? "is not as it was in the run"
                                                                  : "cannot be read, which the run read",
                               run_again);
    }
    return why;
}

/* A list of sources that lacks a file, its model above all, says nothing of it. */
static const char *check_listed(const struct inspection *in)
{
    for (uint32_t i = 0; i < in->here.source_count; i++) {
        const struct source *opened = &in->here.sources[i];
        if (opened->hash && !NAMED(in->result->sources, in->result->source_count, opened->file))
            return arena_printf(in->arena, "the run does not say that it read %s, which the case opens: %s",
                                opened->file, run_again);
    }
    return NULL;
}

static const char *check_all(struct inspection *in)
{
    struct error err = {0};
    const size_t index = (size_t)(in->c - in->all->suite->cases);
    const char *why = check_sources(in);
    if (!why && !case_resolve(in->all->suite, index, in->all->cache, in->scratch, &in->here, &err))
        return arena_printf(in->arena, "nobody can say whether the run is of this case: %s", err.text);
    why = why ? why : check_listed(in);
    return why ? why : check_files(in);
}

const char *candidates_refusal(struct candidates *candidates, const struct case_result *result)
{
    struct arena *arena = candidates->results->arena;
    struct inspection in = {
        .all = candidates, .result = result, .c = golden_find_case(candidates->suite, result->name), .arena = arena};
    const char *detail, *why = accept_refusal(result, &detail);
    if (!in.c)
        return "the suite has no case of this name that has a golden";
    if (why)
        return arena_printf(arena, "%s: %s", why, detail ? detail : "");
    if (!result->candidate)
        return result->status == CASE_PASS || result->status == CASE_DRIFT
                   ? "it is good, and of what is good a run leaves nothing"
                   : "results.json does not say what the run left of it: run `check` again";
    in.folder = arena_printf(arena, "%s/%s", candidates->folders[result - candidates->results->cases], result->name);
    SCOPED_ARENA scratch = in.scratch = create_large_arena();
    return check_all(&in);
}

/* ---- accepting --------------------------------------------------------------------------------------------------- */

/* A run that goes on there would change what was looked at. Those that were downloaded have no lock. */
static bool lock_folders(const struct candidates *all, int *locks, struct error *err)
{
    for (size_t i = 0; !error_is_set(err) && i < all->merge.count; i++)
        if (file_exists(arena_printf(all->results->arena, "%s/" FOLDER_LOCK, all->merge.folders[i])))
            locks[i] = folder_lock(all->merge.folders[i], err);
    return !error_is_set(err);
}

bool candidates_accept(struct candidates *candidates, const bool *chosen, const struct accept_options *options,
                       struct text *out, struct accept_tally *tally, struct error *err)
{
    const struct results *all = candidates->results;
    struct results taken = *all; /* those of the cases that can become goldens */
    struct accept_options mine = *options;
    size_t refused = 0, most = 0;
    for (size_t i = 0; i < all->case_count; i++)
        most += !chosen || chosen[i];
    const char **folders = ARENA_NEW(all->arena, const char *, most);
    FREED int *locks = memory_new(candidates->merge.count, sizeof *locks);
    for (size_t i = 0; i < candidates->merge.count; i++)
        locks[i] = -1;
    taken.cases = ARENA_NEW(all->arena, struct case_result, most);
    taken.case_count = taken.obsolete_count = 0;
    mine.folders = folders;
    *tally = (struct accept_tally){0};
    bool good = lock_folders(candidates, locks, err);
    for (size_t i = 0; good && i < all->case_count; i++) {
        const struct case_result *result = &all->cases[i];
        if ((chosen && !chosen[i]) || !accept_takes(options, result) ||
            !golden_find_case(candidates->suite, result->name))
            continue;
        const char *why = candidates_refusal(candidates, result);
        if (why) {
            text_addf(out, "%s: not accepted: ", result->name);
            text_add_name(out, why);
            text_add(out, "\n");
            refused++;
            continue;
        }
        folders[taken.case_count] = candidates->folders[i];
        taken.cases[taken.case_count++] = *result;
    }
    good = good && (!options->prune || obsolete_find(candidates->suite, &taken, err)) &&
           accept_results(candidates->suite, &taken, &mine, out, tally, err);
    tally->refused += refused;
    for (size_t i = 0; i < candidates->merge.count; i++)
        folder_unlock(locks[i]);
    return good;
}
