#define _POSIX_C_SOURCE 200809L /* sigprocmask */

#include "suite/accept.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "data/recorded.h"
#include "suite/obsolete.h"

enum { EVIDENCE_LIMIT = 1 << 30 };

struct acceptance {
    const struct suite *suite;
    const struct results *results;
    const struct accept_options *options;
    const struct case_result *result;
    struct text *out;
    struct accept_tally *tally;
    size_t files; /* of this case */
};

static char *join(const char *folder, const char *name, const char *file, const char *suffix)
{
    struct text path = {0};
    text_addf(&path, "%s/%s/%s%s", folder, name, file, suffix);
    return path.data;
}

static bool same_content(const char *path, const struct blob *content)
{
    struct blob old;
    struct error ignored = {0};
    if (!file_exists(path) || !file_read(path, EVIDENCE_LIMIT, &old, &ignored))
        return false;
    bool same = old.size == content->size && memcmp(old.data, content->data, old.size) == 0;
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

static void tell_file(struct acceptance *a, const char *from, const char *to, const char *file, const char *suffix)
{
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

/* One file of the evidence to its place among the goldens. */
static bool accept_file(struct acceptance *a, const char *file, const char *suffix, struct error *err)
{
    char *from = join(a->options->output, a->result->name, file, suffix);
    char *to = join(a->suite->goldens, a->result->name, file, suffix);
    struct blob content = {0};
    size_t told = a->out->size;
    bool good = file_read(from, EVIDENCE_LIMIT, &content, err);
    if (good && !same_content(to, &content)) {
        tell_file(a, from, to, file, suffix);
        if (!a->options->dry_run)
            good = file_make_parent(to, err) && file_write(to, content.data, content.size, err);
        if (good)
            a->files++;
        else
            a->out->data[a->out->size = told] = '\0';
    }
    blob_release(&content);
    free(from);
    free(to);
    return good;
}

static bool write_files(struct acceptance *a, struct error *err)
{
    if (!accept_file(a, "import", ".json", err))
        return false;
    for (uint32_t i = 0; i < a->result->time_count; i++)
        if (!accept_file(a, a->result->times[i].label, ".pose.json", err) ||
            !accept_file(a, a->result->times[i].label, ".png", err))
            return false;
    return accept_file(a, "recorded", ".json", err);
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
    bool good = write_files(a, err);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return good;
}

/* Why a case's result cannot become a golden, or NULL. */
static const char *refusal(const struct case_result *result)
{
    if (result->vacuous)
        return "it tests nothing";
    switch (result->status) {
    case CASE_ERROR:
    case CASE_CRASH:
    case CASE_TIMEOUT:
        return "it did not run to its end";
    default:
        return NULL;
    }
}

static bool is_wanted(const struct case_result *result, bool all)
{
    enum case_status status = result->status;
    return status == CASE_FAIL || status == CASE_MISSING || status == CASE_ERROR || status == CASE_CRASH ||
           status == CASE_TIMEOUT || (all && (status == CASE_PASS || status == CASE_DRIFT));
}

static bool accept_case(struct acceptance *a, const struct suite_case *c, struct error *err)
{
    const struct case_result *result = a->result;
    const char *why = refusal(result);
    if (c->agrees || !is_wanted(result, a->options->all))
        return true;
    if (why) {
        text_addf(a->out, "%s: not accepted, %s: %s\n", result->name, why, result->headline ? result->headline : "");
        a->tally->refused++;
        return true;
    }
    struct text files = {0}, *out = a->out;
    a->out = &files;
    a->files = 0;
    bool good = accept_files(a, err);
    a->out = out;
    if (a->files > 0)
        text_addf(out, "%s: %s%s%s\n%s", result->name, result->stage != STAGE_NONE ? stage_name(result->stage) : "",
                  result->stage != STAGE_NONE ? ": " : "", result->headline ? result->headline : "rewritten",
                  text_string(&files));
    *(a->files > 0 ? &a->tally->accepted : &a->tally->same) += 1;
    a->tally->files += a->files;
    text_release(&files);
    return good;
}

static const struct suite_case *case_of(const struct suite *suite, const char *name)
{
    for (size_t i = 0; i < suite->case_count; i++)
        if (strcmp(suite->cases[i].name, name) == 0)
            return &suite->cases[i];
    return NULL;
}

static bool prune(const struct acceptance *a, struct error *err)
{
    for (size_t i = 0; i < a->results->obsolete_count; i++)
        text_addf(a->out, "obsolete, %s: %s\n", a->options->dry_run ? "would be removed" : "removed", a->results->obsolete[i]);
    return a->options->dry_run || obsolete_prune(a->suite, a->results, err);
}

bool accept_results(const struct suite *suite, const struct results *results, const struct accept_options *options,
                    struct text *out, struct accept_tally *tally, struct error *err)
{
    const char *renderer = fingerprint_find(&results->fingerprint, "renderer");
    struct acceptance a = {.suite = suite, .results = results, .options = options, .out = out, .tally = tally};
    *tally = (struct accept_tally){0};
    if (renderer && strcmp(renderer, "llvmpipe") != 0)
        return error_set(err, "goldens are only accepted from llvmpipe, which is the same on every machine; this is %s",
                         renderer);
    for (size_t i = 0; i < results->case_count; i++) {
        const struct suite_case *c = case_of(suite, results->cases[i].name);
        a.result = &results->cases[i];
        if (c && !accept_case(&a, c, err))
            return false;
    }
    return !options->prune || prune(&a, err);
}
