#define _POSIX_C_SOURCE 200809L /* lstat, sigprocmask */

#include "suite/golden/accept.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "data/result/recorded.h"
#include "suite/golden/snapshot_files.h"
#include "suite/golden/obsolete.h"
#include "suite/golden/shared_import.h"

enum { SNAPSHOT_LIMIT = 1 << 30 };

struct acceptance {
    const struct suite *suite;
    struct results *results;
    const struct accept_options *options;
    const struct case_result *result;
    struct text *out;
    struct accept_tally *tally;
    size_t files; /* of this case */
    size_t new_files;
    const char *shared; /* the case's shared import.json, a name; NULL: it has its own */
    struct text told;   /* shared ones that were, for a dry run */
    int lock; /* of the goldens' folder, once something is written; -1 */
};

static char *join(const char *folder, const char *name, const char *file, const char *suffix)
{
    struct text path = {0};
    text_addf(&path, "%s/%s/%s%s", folder, name, file, suffix);
    return path.data;
}

/* Where a file of the snapshot goes. */
static char *place(const struct acceptance *a, const char *file, const char *suffix)
{
    return a->shared && strcmp(file, "import") == 0 ? shared_import_path(a->suite->goldens, a->shared)
                                                    : join(a->suite->goldens, a->result->name, file, suffix);
}

/* A golden is not written again because another build of Assimp made the same, nor, unless all are asked for, another renderer. */
static bool same_content(const struct acceptance *a, const char *path, const struct blob *content)
{
    struct blob old;
    struct error ignored = {0};
    if (!file_exists(path) || !file_read(path, SNAPSHOT_LIMIT, &old, &ignored))
        return false;
    bool same = recorded_same(old.data, old.size, content->data, content->size, !a->options->all);
    blob_release(&old);
    return same;
}

/* A picture's hash of pixels out of the bytes of a PNG, eight digits: enough for people. */
static void add_picture(struct text *out, const char *path)
{
    struct image image;
    struct error ignored = {0};
    char hash[17];
    if (!file_exists(path) || !image_read(&image, path, &ignored)) {
        text_add(out, "none");
        return;
    }
    image_hash(&image, hash);
    text_addf(out, "%.8s", hash);
    image_release(&image);
}

/* The one file is the golden of all cases that name it. */
static void report_shared(struct acceptance *a, const char *to)
{
    size_t others = 0;
    text_addf(a->out, "  " SHARED_IMPORTS "/%s: %s", a->shared, file_exists(to) ? "rewritten" : "new");
    for (size_t i = 0; i < a->suite->case_count; i++) {
        struct text name = {0};
        const struct suite_case *c = &a->suite->cases[i];
        if (c->agrees || strcmp(c->name, a->result->name) == 0 || strcmp(c->model, a->result->model) != 0)
            continue;
        shared_import_name(a->suite, c, &name);
        if (strcmp(text_string(&name), a->shared) == 0)
            text_addf(a->out, "%s%s", others++ > 0 ? ", " : ", the golden also of ", c->name);
        text_release(&name);
    }
    text_add(a->out, "\n");
    text_addf(&a->told, "/%s/", a->shared);
}

static void report_file(struct acceptance *a, const char *from, const char *to, const char *file, const char *suffix)
{
    if (a->shared && strcmp(file, "import") == 0) {
        report_shared(a, to);
        return;
    }
    text_addf(a->out, "  %s%s: ", file, suffix);
    if (strcmp(suffix, ".png") == 0) {
        add_picture(a->out, to);
        text_add(a->out, " -> ");
        add_picture(a->out, from);
        text_add(a->out, "\n");
    } else {
        text_add(a->out, file_exists(to) ? "rewritten\n" : "new\n");
    }
}

/* A further picture beside one that has changed may show what is no longer right. */
static void report_alternatives(struct acceptance *a, const char *label)
{
    for (int i = 1;; i++) {
        char suffix[24];
        snprintf(suffix, sizeof suffix, "_%d.png", i);
        char *path = join(a->suite->goldens, a->result->name, label, suffix);
        bool exists = file_exists(path);
        free(path);
        if (!exists)
            return;
        text_addf(a->out, "  %s%s: not changed by this run, but accepted: check that it is still right\n", label,
                  suffix);
    }
}

/* A dry run leaves the shared file as it was: the first case that would write it counts. */
static bool was_told(const struct acceptance *a, const char *file)
{
    struct text entry = {0};
    text_addf(&entry, "/%s/", a->shared ? a->shared : "");
    bool was = a->options->dry_run && a->shared && strcmp(file, "import") == 0 &&
               strstr(text_string(&a->told), text_string(&entry));
    text_release(&entry);
    return was;
}

/* One file of the candidates to its place among the goldens. */
static bool accept_file(struct acceptance *a, const char *file, const char *suffix, struct error *err)
{
    char *from = join(a->options->output, a->result->name, file, suffix);
    char *to = place(a, file, suffix);
    struct blob content = {0};
    size_t told = a->out->size;
    bool good = file_read(from, SNAPSHOT_LIMIT, &content, err);
    if (good && !same_content(a, to, &content) && !was_told(a, file)) {
        bool is_new = !file_exists(to);
        report_file(a, from, to, file, suffix);
        if (!a->options->dry_run)
            good = file_make_parent(to, err) && file_write(to, content.data, content.size, err);
        if (good && strcmp(suffix, ".png") == 0)
            report_alternatives(a, file);
        a->files += good;
        a->new_files += good && is_new;
        if (!good)
            a->out->data[a->out->size = told] = '\0';
    }
    blob_release(&content);
    free(from);
    free(to);
    return good;
}

typedef bool (*with_file)(struct acceptance *a, const char *file, const char *suffix, struct error *err);

/*
 * What a golden consists of, in the order in which it is written: first the hashes of all, so that wherever a process is
 * killed, a file that is not yet the new one is told by `check`.
 */
static bool each_file(struct acceptance *a, with_file with, struct error *err)
{
    if (!with(a, "recorded", ".json", err) || !with(a, "import", ".json", err))
        return false;
    for (uint32_t i = 0; i < a->result->time_count; i++)
        if (!with(a, a->result->times[i].label, ".pose.json", err) ||
            !with(a, a->result->times[i].label, ".png", err))
            return false;
    return true;
}

/* ---- links ------------------------------------------------------------------------------------------------------- */

/* Fails when what is written to `path` would land outside of the goldens' folder, or where a link leads nowhere yet. */
static bool check_place(const struct acceptance *a, const char *path, struct error *err)
{
    struct text goldens = {0}, real = {0};
    struct stat st;
    bool dangles = lstat(path, &st) == 0 && S_ISLNK(st.st_mode) && stat(path, &st) != 0;
    folder_locate(a->suite->goldens, &goldens);
    folder_locate(path, &real);
    bool good = true;
    if (dangles)
        good = error_set(err, "%s is a link that leads nowhere", path);
    else if (!folder_below(text_string(&real), text_string(&goldens)))
        good = error_set(err, "%s leads out of the goldens, to %s; --allow-outside permits it", path, text_string(&real));
    text_release(&goldens);
    text_release(&real);
    return good;
}

static bool check_file(struct acceptance *a, const char *file, const char *suffix, struct error *err)
{
    char *path = place(a, file, suffix);
    bool good = check_place(a, path, err);
    free(path);
    return good;
}

/* A golden's folder or a file in it may be a link; what is not among the goldens is not ours to write. */
static bool stays_among_goldens(struct acceptance *a, struct error *err)
{
    struct text folder = {0};
    text_addf(&folder, "%s/%s", a->suite->goldens, a->result->name);
    bool good = a->options->allow_outside || (check_place(a, text_string(&folder), err) && each_file(a, check_file, err));
    text_release(&folder);
    return good;
}

/* ---- a case ------------------------------------------------------------------------------------------------------ */

/* What a run that was killed has left in the golden, and among the shared ones. */
static bool clear_temporaries(const struct acceptance *a, struct error *err)
{
    struct text folder = {0};
    text_addf(&folder, "%s/%s", a->suite->goldens, a->result->name);
    bool good = a->options->dry_run || snapshot_remove_temporaries(text_string(&folder), err);
    folder.size = 0;
    text_addf(&folder, "%s/" SHARED_IMPORTS, a->suite->goldens);
    good = good && (a->options->dry_run || !a->shared || snapshot_remove_temporaries(text_string(&folder), err));
    text_release(&folder);
    return good;
}

/* The import.json that the case had before it shared one. */
static bool remove_own_import(const struct acceptance *a, struct error *err)
{
    char *own = join(a->suite->goldens, a->result->name, "import", ".json");
    bool good = a->options->dry_run || !a->shared || snapshot_remove_file(own, err);
    free(own);
    return good;
}

/* Two processes that write one golden would remove each other's temporaries and mix their files. */
static bool lock_goldens(struct acceptance *a, struct error *err)
{
    if (a->options->dry_run || a->lock >= 0)
        return true;
    if (!folder_make(a->suite->goldens, err))
        return false;
    a->lock = folder_wait_lock(a->suite->goldens, err);
    return a->lock >= 0;
}

/* A golden is written as a whole: being stopped waits for its end. */
static bool accept_files(struct acceptance *a, struct error *err)
{
    static const int stops[] = {SIGHUP, SIGINT, SIGTERM};
    sigset_t held, before;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++)
        sigaddset(&held, stops[i]);
    sigprocmask(SIG_BLOCK, &held, &before);
    bool good = clear_temporaries(a, err) && each_file(a, accept_file, err) && remove_own_import(a, err);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return good;
}

/* Why a case's result cannot become a golden, or NULL. */
static const char *refusal(const struct case_result *result)
{
    if (result->vacuity)
        return "it tests nothing";
    if (result->stage == STAGE_SKIN)
        return "the GPU does not skin as the CPU does, which no golden can repair";
    switch (result->status) {
    case CASE_ERROR:
    case CASE_CRASH:
    case CASE_TIMEOUT:
        return "it did not run to its end";
    default:
        return NULL;
    }
}

static bool is_wanted(const struct case_result *result, const struct accept_options *options)
{
    enum case_status status = result->status;
    if (options->missing)
        return status == CASE_MISSING;
    return status == CASE_FAIL || status == CASE_MISSING || status == CASE_ERROR || status == CASE_CRASH ||
           status == CASE_TIMEOUT || (options->all && (status == CASE_PASS || status == CASE_DRIFT));
}

static bool refuse(struct acceptance *a, const char *why, const char *detail)
{
    text_addf(a->out, "%s: not accepted, %s: ", a->result->name, why);
    text_add_name(a->out, detail ? detail : "");
    text_add(a->out, "\n");
    a->tally->refused++;
    return true;
}

/* "strip: import: offset matrix of `tip`: 12.0°" and a line a file. A golden that is all new is a line. */
static void report_case(const struct acceptance *a, const struct text *files, struct text *out)
{
    const struct case_result *result = a->result;
    const char *headline = result->headline ? result->headline : "rewritten";
    if (a->files == 0)
        return;
    text_addf(out, "%s: ", result->name);
    if (result->stage != STAGE_NONE)
        text_addf(out, "%s: ", stage_name(result->stage));
    text_add_name(out, headline);
    if (a->new_files == a->files && a->files > 2 * (size_t)result->time_count) /* the import may be there, of another case */
        text_addf(out, " -> %zu new files\n", a->files);
    else
        text_addf(out, "\n%s", text_string(files));
}

/* Whether cases that have a golden would get another import by it. */
static bool changes_others(struct acceptance *a)
{
    char *from = join(a->options->output, a->result->name, "import", ".json"), *to = place(a, "import", ".json");
    struct blob content = {0};
    struct error ignored = {0};
    bool changes = a->shared && file_exists(to) && file_read(from, SNAPSHOT_LIMIT, &content, &ignored) &&
                   !same_content(a, to, &content);
    blob_release(&content);
    free(from);
    free(to);
    return changes;
}

static bool accept_wanted(struct acceptance *a, struct error *err)
{
    const char *why = refusal(a->result);
    struct error outside = {0};
    if (!why && a->options->missing && changes_others(a))
        return refuse(a, "the import that it shares with other cases differs from their golden", a->shared);
    if (why)
        return refuse(a, why, a->result->vacuity ? a->result->vacuity : a->result->headline);
    if (!stays_among_goldens(a, &outside))
        return refuse(a, "links are not followed", outside.text);
    struct text files = {0}, *out = a->out;
    a->out = &files;
    a->files = a->new_files = 0;
    bool good = lock_goldens(a, err) && accept_files(a, err);
    a->out = out;
    report_case(a, &files, out);
    *(a->files > 0 ? &a->tally->accepted : &a->tally->same) += 1;
    a->tally->files += a->files;
    text_release(&files);
    return good;
}

static bool accept_case(struct acceptance *a, const struct suite_case *c, struct error *err)
{
    struct text shared = {0};
    if (c->agrees || !is_wanted(a->result, a->options))
        return true;
    if (a->suite->shares_imports)
        shared_import_name(a->suite, c, &shared);
    a->shared = shared.data;
    bool good = accept_wanted(a, err);
    text_release(&shared);
    return good;
}

static const struct suite_case *case_of(const struct suite *suite, const char *name)
{
    for (size_t i = 0; i < suite->case_count; i++)
        if (strcmp(suite->cases[i].name, name) == 0)
            return &suite->cases[i];
    return NULL;
}

/* Looked for again: what was accepted may need a shared import that no case named before. */
static bool prune(struct acceptance *a, struct error *err)
{
    if (a->results->obsolete_count == 0)
        return true;
    if (!lock_goldens(a, err) || (!a->options->dry_run && !obsolete_find(a->suite, a->results, err)))
        return false;
    for (size_t i = 0; i < a->results->obsolete_count; i++) {
        text_addf(a->out, "obsolete, %s: ", a->options->dry_run ? "would be removed" : "removed");
        text_add_name(a->out, a->results->obsolete[i]);
        text_add(a->out, "\n");
    }
    return a->options->dry_run || obsolete_prune(a->suite, a->results, err);
}

bool accept_results(const struct suite *suite, struct results *results, const struct accept_options *options,
                    struct text *out, struct accept_tally *tally, struct error *err)
{
    const char *renderer = fingerprint_find(&results->fingerprint, "renderer");
    struct acceptance a = {.suite = suite, .results = results, .options = options, .out = out, .tally = tally, .lock = -1};
    *tally = (struct accept_tally){0};
    if (renderer && strcmp(renderer, "llvmpipe") != 0)
        return error_set(err, "goldens are only accepted from llvmpipe, which is the same on every machine; this is %s",
                         renderer);
    bool good = true;
    for (size_t i = 0; good && i < results->case_count; i++) {
        const struct suite_case *c = case_of(suite, results->cases[i].name);
        a.result = &results->cases[i];
        good = !c || accept_case(&a, c, err);
    }
    good = good && (!options->prune || prune(&a, err));
    folder_unlock(a.lock);
    text_release(&a.told);
    return good;
}
