#include "accept/candidates.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file_batch.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/memory.h"
#include "base/stop_signals.h"

/* So many files are written before they become goldens: few waits for the disk. */
enum { BATCH_FILES = 4096 };

struct acceptance {
    const struct suite *suite;
    struct results *results;
    const struct accept_options *options;
    struct arena *arena; /* the results' */
    const struct case_result *result;
    const char *shared;  /* the case's shared import.json, a name */
    size_t files;        /* of this case */
    bool is_first;       /* the case has no golden yet */
    struct text said;    /* of this case */
    struct text shared_done; /* "/name/" of shared ones that were dealt with: one is of all its cases */
    struct text place;   /* where the goldens' folder is */
    int lock; /* of the goldens' folder, once something is written; -1. What would stop the process waits from then on
               */
    sigset_t signals;    /* that were held back before */
    struct file_batch batch;
    struct text out;     /* of the cases whose files are in the batch */
    struct accept_tally tally;
};

struct undo_file {
    char *path;
    struct blob content; /* without data: it was not there */
};

struct candidate {
    const char *label, *suffix; /* of its name */
    const char *from;           /* what the run left */
    const char *to;             /* the golden */
    bool is_shared;             /* the import.json of several cases */
};

/*
 * A golden consists of these, written in this order: first the hashes of all, so that wherever a process is killed, a
 * file that is not yet the new one is told by `check`. Its import is the second.
 */
static struct candidate *list_candidates(const struct acceptance *a, size_t *count)
{
    const char *goldens = a->suite->goldens, *name = a->result->name;
    const char *output = a->options->folders ? a->options->folders[a->result - a->results->cases] : a->options->output;
    *count = 2 + 2 * (size_t)a->result->time_count;
    struct candidate *list = ARENA_NEW(a->arena, struct candidate, *count);
    for (size_t i = 0; i < *count; i++) {
        const char *label = i == 0 ? "recorded" : i == 1 ? "import" : a->result->times[i / 2 - 1].label;
        const char *suffix = i < 2 ? ".json" : i % 2 == 0 ? ".pose.json" : ".png";
        list[i] = (struct candidate){label, suffix, .is_shared = i == 1};
        list[i].from = arena_printf(a->arena, "%s/%s/%s%s", output, name, label, suffix);
        list[i].to = list[i].is_shared ? arena_printf(a->arena, "%s/" SHARED_IMPORTS "/%s", goldens, a->shared)
                                       : arena_printf(a->arena, "%s/%s/%s%s", goldens, name, label, suffix);
    }
    return list;
}

/* Fails when what is written to `path` would land outside of the goldens' folder, or where a link leads nowhere yet. */
static bool check_place(struct acceptance *a, const char *path, struct error *err)
{
    SCOPED(text) real = {0};
    struct stat status;
    if (a->place.size == 0)
        folder_locate(a->suite->goldens, &a->place);
    folder_locate(path, &real);
    bool good = true;
    if (snapshot_is_link(path) && stat(path, &status) != 0)
        good = error_set(err, "%s is a link that leads nowhere", path);
    else if (!folder_below(text_string(&real), text_string(&a->place)))
        good =
            error_set(err, "%s leads out of the goldens, to %s; --allow-outside permits it", path, text_string(&real));
    return good;
}

/* Returns whether the golden has that content, or would but for the build of Assimp, and if so asked the renderer,
 * in recorded.json. */
static bool is_as_is(const struct acceptance *a, const struct candidate *file, const struct blob *content)
{
    SCOPED(blob) old = {0};
    return file_exists(file->to) && file_read(file->to, GOLDEN_FILE_LIMIT, &old, ERROR_IGNORED) &&
           recorded_same(old.data, old.size, content->data, content->size, !a->options->all);
}

/* An earlier case may have written it; it is not in its place yet. */
static bool is_done(const struct acceptance *a, const struct candidate *file)
{
    return file->is_shared && strstr(text_string(&a->shared_done), arena_printf(a->arena, "/%s/", a->shared));
}

/* A picture's hash of pixels, eight digits: enough for people. */
static void add_picture(struct text *out, const char *path)
{
    SCOPED(image) image = {0};
    char hash[17] = "none";
    if (file_exists(path) && image_read(&image, path, ERROR_IGNORED))
        image_hash(&image, hash);
    text_addf(out, "%.8s", hash);
}

static void report_file(struct acceptance *a, const struct candidate *file, bool is_new)
{
    struct text *out = &a->said;
    const char *what = is_new ? "new" : "rewritten", *before = ", the golden also of ";
    if (file->is_shared) {
        text_addf(out, "  " SHARED_IMPORTS "/%s: %s", a->shared, what);
        for (const struct suite_case *c = a->suite->cases; c < a->suite->cases + a->suite->case_count; c++)
            if (suite_has_golden(c) && strcmp(c->name, a->result->name) != 0 &&
                strcmp(c->model, a->result->model) == 0 &&
                strcmp(shared_import_name(a->suite, c, a->arena), a->shared) == 0) {
                text_addf(out, "%s%s", before, c->name);
                before = ", ";
            }
        text_add(out, "\n");
        return;
    }
    if (strcmp(file->suffix, ".png") != 0) {
        text_addf(out, "  %s%s: %s\n", file->label, file->suffix, what);
        return;
    }
    text_addf(out, "  %s.png: ", file->label);
    add_picture(out, file->to);
    text_add(out, " -> ");
    add_picture(out, file->from);
    text_add(out, "\n");
    const char *stem = arena_printf(a->arena, "%s/%s/%s", a->suite->goldens, a->result->name, file->label);
    for (int i = 1; file_exists(arena_printf(a->arena, "%s_%d.png", stem, i)); i++)
        text_addf(out, "  %s_%d.png: not changed by this run, but accepted: check that it is still right\n",
                  file->label, i);
}

static bool refuse(struct acceptance *a, const char *why, const char *detail)
{
    text_addf(&a->out, "%s: not accepted, %s: ", a->result->name, why);
    text_add_name(&a->out, detail ? detail : "");
    text_add(&a->out, "\n");
    a->tally.refused++;
    return true;
}

/* Two processes that write one golden would remove each other's temporaries and mix their files. */
static bool lock_goldens(struct acceptance *a, struct error *err)
{
    if (a->options->dry_run || a->lock >= 0)
        return true;
    if (!folder_make(a->suite->goldens, err))
        return false;
    const sigset_t held = stop_signals_set();
    a->lock = goldens_lock(a->suite->goldens, err);
    return a->lock >= 0 && sigprocmask(SIG_BLOCK, &held, &a->signals) == 0;
}

/* Before the file becomes another one. */
static bool note_old(const struct acceptance *a, const char *path, struct error *err)
{
    struct accept_undo *undo = a->options->undo;
    if (!undo)
        return true;
    undo->files = memory_grow(undo->files, undo->count + 1, sizeof *undo->files);
    struct undo_file *file = &undo->files[undo->count++];
    *file = (struct undo_file){.path = memory_string(path)};
    return !file_exists(path) || file_read(path, GOLDEN_FILE_LIMIT, &file->content, err);
}

/* Pictures and poses of times that the new recorded.json does not have. */
static bool remove_superseded(struct acceptance *a, const char *folder, struct error *err)
{
    const char **names;
    size_t count;
    bool good = golden_find_superseded(folder, a->result, a->arena, &names, &count, err);
    for (size_t i = 0; good && i < count; i++) {
        const char *path = arena_printf(a->arena, "%s/%s", folder, names[i]);
        good = note_old(a, path, err);
        if (good && !a->options->dry_run)
            file_batch_remove(&a->batch, path);
        text_addf(&a->said, "  %s: %s, the case has not that time\n", names[i],
                  a->options->dry_run ? "would be removed" : "removed");
        a->files++;
    }
    return good;
}

static bool accept_file(struct acceptance *a, const struct candidate *file, struct error *err)
{
    SCOPED(blob) content = {0};
    if (is_done(a, file))
        return true;
    const bool is_new = !file_exists(file->to);
    /* what a run has drawn for this alone is nobody's */
    const bool moves = !a->options->dry_run && !a->options->folders;
    bool good = (is_new && moves) || file_read(file->from, GOLDEN_FILE_LIMIT, &content, err);
    if (good && (is_new || !is_as_is(a, file, &content))) {
        if (!a->is_first || (file->is_shared && !is_new))
            report_file(a, file, is_new);
        good = note_old(a, file->to, err);
        good = good && (a->options->dry_run || (moves && file_batch_move(&a->batch, file->to, file->from)) ||
                        ((content.data || file_read(file->from, GOLDEN_FILE_LIMIT, &content, err)) &&
                         file_batch_add(&a->batch, file->to, content.data, content.size, err)));
        a->files++;
    }
    if (good && file->is_shared)
        text_addf(&a->shared_done, "/%s/", a->shared);
    return good;
}

/* Files of times that the golden does not have any more go last. */
static bool accept_files(struct acceptance *a, const struct candidate *files, size_t count, struct error *err)
{
    const char *goldens = a->suite->goldens, *folder = arena_printf(a->arena, "%s/%s", goldens, a->result->name);
    bool good = true;
    a->is_first = true;
    for (size_t i = 0; i < count; i++)
        a->is_first = a->is_first && (files[i].is_shared || !file_exists(files[i].to));
    for (size_t i = 0; good && i < count; i++)
        good = accept_file(a, &files[i], err);
    return good && remove_superseded(a, folder, err);
}

/* Puts what was written in its place, and says so. */
static bool commit(struct acceptance *a, struct text *out, struct accept_tally *tally, struct error *err)
{
    bool good = file_batch_commit(&a->batch, err);
    if (good) {
        text_add_bytes(out, text_string(&a->out), a->out.size);
        *tally = a->tally;
    }
    a->out.size = 0;
    a->tally = *tally;
    return good;
}

const char *accept_refusal(const struct case_result *result, const char **detail)
{
    *detail = result->vacuity ? result->vacuity : result->headline;
    return result->vacuity               ? "it tests nothing"
           : case_skins_wrongly(result)  ? "the GPU does not skin as the CPU does, which no golden can repair"
           : case_status_broke(result->status)       ? "it did not run to its end"
                                         : NULL;
}

/* A case that lacks a golden and can have none is taken too: it is refused by its name, not passed over. */
bool accept_takes(const struct accept_options *options, const struct case_result *result)
{
    const enum case_status status = result->status;
    const char *detail;
    const bool lacks = result->facts && result->facts->missing_what && accept_refusal(result, &detail);
    return status == CASE_MISSING || case_status_broke(status) ||
           (status == CASE_FAIL && (!options->missing || lacks)) ||
           ((status == CASE_PASS || status == CASE_DRIFT) && options->all);
}

static bool accept_case(struct acceptance *a, const struct suite_case *c, struct error *err)
{
    const struct case_result *result = a->result;
    const struct accept_options *options = a->options;
    const char *detail, *why = accept_refusal(result, &detail);
    const char *folder = arena_printf(a->arena, "%s/%s", a->suite->goldens, result->name);
    struct error outside = {0}, ignored = {0};
    SCOPED(blob) import = {0};
    size_t count;
    if (!accept_takes(options, result))
        return true;
    a->shared = shared_import_name(a->suite, c, a->arena);
    const struct candidate *files = list_candidates(a, &count);
    if (why)
        return refuse(a, why, detail);
    bool changes_others = options->missing && !is_done(a, &files[1]) && file_exists(files[1].to) &&
                          file_read(files[1].from, GOLDEN_FILE_LIMIT, &import, &ignored) &&
                          !is_as_is(a, &files[1], &import);
    if (changes_others)
        return refuse(a, "the import that it shares with other cases differs from their golden", a->shared);
    bool stays = options->allow_outside || check_place(a, folder, &outside);
    for (size_t i = 0; stays && !options->allow_outside && i < count; i++) /* what is no link is where its folder is */
        stays = (!files[i].is_shared && !snapshot_is_link(files[i].to)) || check_place(a, files[i].to, &outside);
    if (!stays)
        return refuse(a, "links are not followed", outside.text);
    const size_t before = a->batch.count;
    a->files = a->said.size = 0;
    if (!lock_goldens(a, err) || !accept_files(a, files, count, err)) {
        file_batch_give_up(&a->batch, before);
        return false;
    }
    if (a->files > 0) { /* "strip: import: offset matrix of `tip`: 12.0°" and a line a file; all new is a line */
        const char *stage = result->stage != STAGE_NONE ? stage_name(result->stage) : "";
        text_addf(&a->out, "%s: %s%s", result->name, stage, *stage ? ": " : "");
        text_add_name(&a->out, result->headline ? result->headline : "rewritten");
        if (a->is_first)
            text_addf(&a->out, " -> %zu new files", a->files);
        text_add(&a->out, "\n");
        text_add_bytes(&a->out, text_string(&a->said), a->said.size);
    }
    *(a->files > 0 ? &a->tally.accepted : &a->tally.same) += 1;
    a->tally.files += a->files;
    return true;
}

/* Deletes what is listed, the files of a golden only, and folders that are empty then. False with err set when
 * something stays. */
static bool prune(const struct suite *suite, const struct results *results, struct error *err)
{
    bool good = true;
    for (size_t i = 0; i < results->obsolete_count; i++) {
        const char *path = arena_printf(results->arena, "%s/%s", suite->goldens, results->obsolete[i]);
        bool is_file = strchr(results->obsolete[i], '/') != NULL;
        good = (is_file ? snapshot_remove_file(path, err) : snapshot_remove(path, SNAPSHOT_WHOLE, err)) && good;
    }
    return good;
}

bool accept_results(const struct suite *suite, struct results *results, const struct accept_options *options,
                    struct text *out, struct accept_tally *tally, struct error *err)
{
    const char *renderer = fingerprint_find(&results->fingerprint, "renderer");
    struct acceptance a = {.suite = suite, .results = results, .options = options, .arena = results->arena,
                           .lock = -1};
    *tally = (struct accept_tally){0};
    if (options->undo)
        *options->undo = (struct accept_undo){.goldens = memory_string(suite->goldens)};
    if (renderer && strcmp(renderer, "llvmpipe") != 0)
        return error_set(err, "goldens are only accepted from llvmpipe, which is the same on every machine; this is %s",
                         renderer);
    bool good = true;
    for (size_t i = 0; good && i < results->case_count; i++) {
        const struct suite_case *c = golden_find_case(suite, results->cases[i].name);
        a.result = &results->cases[i];
        good = !c || (c->is_gone && options->prune) || accept_case(&a, c, err); /* its golden goes below */
        if (good && a.batch.count >= BATCH_FILES)
            good = commit(&a, out, tally, err);
    }
    good = commit(&a, out, tally, err) && good; /* also when a case cannot be written: those before it are whole */
    if (good && options->prune && results->obsolete_count > 0) {
        /* Looked for again: what was accepted may need a shared import that no case named before. */
        good = lock_goldens(&a, err) && (options->dry_run || obsolete_find(suite, results, err));
        for (size_t i = 0; good && i < results->obsolete_count; i++) {
            text_addf(out, "obsolete, %s: ", options->dry_run ? "would be removed" : "removed");
            text_add_name(out, results->obsolete[i]);
            text_add(out, "\n");
        }
        good = good && (options->dry_run || prune(suite, results, err));
    }
    if (a.lock >= 0)
        sigprocmask(SIG_SETMASK, &a.signals, NULL);
    folder_unlock(a.lock);
    text_release(&a.shared_done);
    text_release(&a.place);
    text_release(&a.said);
    text_release(&a.out);
    return good;
}

bool accept_take_back(const struct accept_undo *undo, struct error *err)
{
    struct file_batch batch = {0};
    SCOPED(text) folder = {0};
    const int lock = undo->count > 0 ? goldens_lock(undo->goldens, err) : -1;
    bool good = undo->count == 0 || lock >= 0;
    for (size_t i = 0; good && i < undo->count; i++) {
        const struct undo_file *file = &undo->files[i];
        if (file->content.data)
            good = file_batch_add(&batch, file->path, file->content.data, file->content.size, err);
        else
            file_batch_remove(&batch, file->path);
    }
    good = good && file_batch_commit(&batch, err);
    for (size_t i = 0; good && i < undo->count; i++) {
        folder.size = 0;
        path_folder(undo->files[i].path, &folder);
        rmdir(text_string(&folder)); /* fails where something is in it */
    }
    file_batch_give_up(&batch, 0);
    folder_unlock(lock);
    return good;
}

void accept_undo_release(struct accept_undo *undo)
{
    for (size_t i = 0; i < undo->count; i++) {
        free(undo->files[i].path);
        blob_release(&undo->files[i].content);
    }
    free(undo->files);
    free(undo->goldens);
    *undo = (struct accept_undo){0};
}
