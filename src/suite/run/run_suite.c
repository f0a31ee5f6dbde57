#define _POSIX_C_SOURCE 200809L

#include "suite/run/run_suite.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process/pool.h"
#include "base/process/process.h"
#include "import/import.h"
#include "suite/golden/snapshot_files.h"
#include "suite/golden/obsolete.h"
#include "suite/case/run_case.h"

/* What begins the text of a worker without a GL context; the message follows. A result begins with '{'. */
enum { MARK_NO_GL = '!' };

/* Reserved for the memory of one case, not used: only pages that are touched count. Less where the system has limits. */
static const size_t case_memory = (size_t)1 << 34, least_case_memory = (size_t)1 << 28;

/* A case's place in the run. */
struct slot {
    struct results *document; /* a results.json of one case; owns the memory of `result` */
    struct case_result result;
    bool ended;               /* as good as it gets */
    bool has_result;          /* false: not run */
};

struct collection {
    const struct suite_run *run;
    size_t *cases;         /* [task_count] index into the suite */
    size_t task_count;
    struct slot *slots;    /* [suite->case_count] */
    struct results *results;
    size_t done;
    size_t next_line;      /* first case that `finished` has not been told of */
    struct error *err;
    bool no_gl;
};

/* ---- in a worker ------------------------------------------------------------------------------------------------------ */

struct worker {
    struct renderer *renderer;
    struct model_cache cache;
    struct error error; /* why there is no renderer */
};

/* Exit code of a worker at its limit of memory; not MEMORY_EXHAUSTED, nor any that a library uses. */
enum { MEMORY_EXCEEDED = 87 };

static void end_worker(enum limit limit)
{
    (void)limit; /* time is the pool's */
    _exit(MEMORY_EXCEEDED);
}

/* One thread a worker: the processes share the cores already. */
static void *begin_worker(void *context)
{
    const struct collection *all = context;
    struct worker *worker = memory_new(1, sizeof *worker);
    if (all->run->lock > 0)
        close(all->run->lock);
    setenv("LP_NUM_THREADS", "0", 0);
    if (!limits_watch(&(struct limits){.memory_mib = all->run->memory_mib}, end_worker, &worker->error))
        return worker;
    worker->renderer = renderer_create(all->run->options.backend, &worker->error);
    return worker;
}

static struct arena *create_case_arena(void)
{
    struct error ignored = {0};
    struct arena *arena = NULL;
    for (size_t size = case_memory; !arena && size > least_case_memory; size /= 2)
        arena = arena_create(size, &ignored);
    return arena ? arena : arena_require(least_case_memory);
}

static void run_task(void *context, void *state, size_t task, struct text *out)
{
    const struct collection *all = context;
    const struct suite_run *run = all->run;
    struct worker *worker = state;
    struct case_result result;
    if (!worker->renderer) {
        text_addf(out, "%c%s", MARK_NO_GL, worker->error.text);
        return;
    }
    struct results document = {.case_count = 1, .cases = &result, .rigproof = run->options.rigproof, .suite = "", .goldens = ""};
    document.arena = create_case_arena();
    run_case(run->suite, all->cases[task], &run->options, worker->renderer, &worker->cache, document.arena, &result);
    results_write(&document, out);
    arena_destroy(document.arena);
}

static void finish_worker(void *context, void *state)
{
    struct worker *worker = state;
    (void)context;
    model_cache_release(&worker->cache);
    renderer_destroy(worker->renderer);
    free(worker);
}

/* ---- in the parent ---------------------------------------------------------------------------------------------------- */

static void end_badly(struct collection *all, size_t index, enum case_status status, const char *headline)
{
    const struct suite_case *c = &all->run->suite->cases[index];
    struct slot *slot = &all->slots[index];
    case_result_init(c, &all->run->options, all->results->arena, &slot->result);
    slot->result.status = c->expect_fail ? CASE_XFAIL : status;
    slot->result.headline = headline;
    slot->has_result = true;
}

/* Whether a case has shaders of its own: then they are not the run's. */
static bool shaders_differ(const struct suite *suite)
{
    for (size_t i = 0; i < suite->case_count; i++)
        if (suite->cases[i].settings.shaders)
            return true;
    return false;
}

/* The run's fingerprint: what all of its cases have in common. */
static void take_fingerprint(const struct suite *suite, struct results *results, const struct fingerprint *from)
{
    bool differ = shaders_differ(suite);
    struct fingerprint *to = &results->fingerprint;
    to->entries = ARENA_NEW(results->arena, struct fingerprint_entry, from->count);
    for (uint32_t i = 0; i < from->count; i++)
        if (!case_owns(from->entries[i].name) && !(differ && strcmp(from->entries[i].name, "shaders") == 0))
            to->entries[to->count++] = from->entries[i];
}

static void take_result(struct collection *all, size_t index, const struct text *text)
{
    struct slot *slot = &all->slots[index];
    struct error err = {0};
    if (text->size > 0 && text->data[0] == MARK_NO_GL) {
        all->no_gl = true;
        error_set_code(all->err, EXIT_CODE_NO_GL, "%s", text->data + 1);
        return;
    }
    slot->document = results_read(text_string(text), text->size, "result of a worker", &err);
    if (!slot->document || slot->document->case_count != 1) {
        end_badly(all, index, CASE_ERROR, arena_string(all->results->arena, err.text));
        return;
    }
    slot->result = slot->document->cases[0];
    slot->has_result = true;
    if (all->results->fingerprint.count == 0)
        take_fingerprint(all->run->suite, all->results, &slot->result.actual);
}

static double timeout_of(const struct collection *all, size_t index)
{
    double own = all->run->suite->cases[index].timeout;
    return own > 0 ? own : all->run->timeout;
}

/* What a worker was writing when it ended. */
static void clear_case(const struct collection *all, size_t index)
{
    struct text folder = {0};
    struct error ignored = {0}; /* the next run tries again */
    text_addf(&folder, "%s/%s", all->run->options.output, all->run->suite->cases[index].name);
    snapshot_remove_temporaries(text_string(&folder), &ignored);
    text_release(&folder);
}

static void take_end(struct collection *all, size_t index, enum pool_end end, int status, const struct text *text)
{
    char name[16];
    struct arena *arena = all->results->arena;
    if (end == POOL_DONE)
        take_result(all, index, text);
    else if (end == POOL_TIMEOUT)
        end_badly(all, index, CASE_TIMEOUT,
                  arena_printf(arena, "no result after %g s (%s)", timeout_of(all, index),
                               all->run->suite->cases[index].timeout > 0 ? "the case's timeout" : "--timeout"));
    else if (end == POOL_CRASHED && status == -1 - MEMORY_EXCEEDED)
        end_badly(all, index, CASE_CRASH,
                  arena_printf(arena, "needs more than %.6g MiB (--memory)", all->run->memory_mib));
    else if (end == POOL_CRASHED && status == -1 - MEMORY_EXHAUSTED)
        end_badly(all, index, CASE_CRASH, "the worker ran out of memory");
    else if (end == POOL_CRASHED && status < 0)
        end_badly(all, index, CASE_CRASH, arena_printf(arena, "the worker ended with exit code %d", -1 - status));
    else if (end == POOL_CRASHED)
        end_badly(all, index, CASE_CRASH, arena_printf(arena, "the worker crashed (%s)", signal_name(status, name)));
}

/* Reports the cases that are ready, as far as all before them are. */
static void report_in_order(struct collection *all)
{
    for (; all->next_line < all->run->suite->case_count && all->slots[all->next_line].ended; all->next_line++) {
        const struct slot *slot = &all->slots[all->next_line];
        if (slot->has_result && all->run->finished)
            all->run->finished(all->run->context, &slot->result);
    }
}

static bool task_ended(void *context, size_t task, enum pool_end end, int status, const struct text *text)
{
    struct collection *all = context;
    size_t index = all->cases[task];
    struct slot *slot = &all->slots[index];
    take_end(all, index, end, status, text);
    if (end != POOL_DONE)
        clear_case(all, index);
    slot->ended = true;
    all->done++;
    if (all->run->progress && end != POOL_NOT_RUN)
        all->run->progress(all->run->context, all->done, all->task_count);
    report_in_order(all);
    return !all->no_gl && !(all->run->fail_fast && slot->has_result && case_status_fails(slot->result.status, false));
}

/* ---- before and after --------------------------------------------------------------------------------------------------- */

/* Why a case is not run, or NULL. */
static const char *reason_to_skip(const struct suite_case *c, struct arena *arena)
{
    if (c->skip)
        return c->reason;
    if (c->assimp && fnmatch(c->assimp, import_library_version(), 0) != 0)
        return arena_printf(arena, "it is for Assimp %s, this is %s", c->assimp, import_library_version());
    return NULL;
}

static void skip_case(struct collection *all, size_t index, const char *reason)
{
    struct slot *slot = &all->slots[index];
    case_result_init(&all->run->suite->cases[index], &all->run->options, all->results->arena, &slot->result);
    slot->result.status = CASE_SKIP;
    slot->result.reason = reason;
    slot->result.repeat = NULL;
    slot->has_result = slot->ended = true;
}

/* Chosen cases become tasks, in groups of one model; the others are over before they begin. */
static void clip_mix(struct collection *all, const char **groups)
{
    const struct suite *suite = all->run->suite;
    for (size_t i = 0; i < suite->case_count; i++) {
        const struct suite_case *c = &suite->cases[i];
        const char *reason = reason_to_skip(c, all->results->arena);
        struct text key = {0};
        if (!all->run->chosen[i]) {
            all->slots[i].ended = true;
        } else if (reason) {
            skip_case(all, i, reason);
        } else {
            model_key(c->model_path, &c->settings, &key);
            groups[all->task_count] = arena_string(all->results->arena, text_string(&key));
            all->cases[all->task_count++] = i;
        }
        text_release(&key);
    }
}

/* A link would lead what is removed and written to somebody else's files, a golden's even. */
static bool check_no_link(const char *path, struct error *err)
{
    struct stat st;
    if (lstat(path, &st) != 0 || !S_ISLNK(st.st_mode))
        return true;
    return error_set(err, "%s is a link, and what a run leaves is not written through links; remove it", path);
}

/* The reports, now: file_write_below() would refuse them after the whole run. */
static bool check_reports(const char *output, struct error *err)
{
    static const char *const names[] = {"results.json", "report.html", "junit.xml"};
    bool good = true;
    for (size_t i = 0; good && i < sizeof names / sizeof names[0]; i++) {
        struct text path = {0};
        text_addf(&path, "%s/%s", output, names[i]);
        good = check_no_link(text_string(&path), err);
        text_release(&path);
    }
    return good;
}

/* What an earlier run left of these cases would be taken for this one's. */
static bool clear_output(const struct collection *all, struct error *err)
{
    const char *output = all->run->options.output;
    bool good = check_reports(output, err) && snapshot_remove_temporaries(output, err);
    for (size_t i = 0; good && i < all->task_count; i++) {
        struct text folder = {0};
        text_addf(&folder, "%s/%s", output, all->run->suite->cases[all->cases[i]].name);
        good = check_no_link(text_string(&folder), err) && snapshot_remove(text_string(&folder), err);
        text_release(&folder);
    }
    return good;
}

static bool run_pool(struct collection *all, const char *const *groups, double *seconds, int *interrupted, struct error *err)
{
    for (size_t i = 0; i < all->task_count; i++)
        seconds[i] = timeout_of(all, all->cases[i]);
    struct pool pool = {
        .task_count = all->task_count, .groups = groups, .workers = all->run->jobs, .task_seconds = seconds,
        .context = all, .begin = begin_worker, .run = run_task, .finish = finish_worker, .ended = task_ended,
    };
    report_in_order(all);
    backend_is_present(all->run->options.backend); /* opens the library here, once, instead of in every worker */
    return pool_run(&pool, interrupted, err) && !all->no_gl;
}

/* The slots become the results' list; what was not run is left out. */
static bool gather(struct collection *all, struct error *err)
{
    const struct suite *suite = all->run->suite;
    struct results *results = all->results;
    results->cases = ARENA_NEW(results->arena, struct case_result, suite->case_count);
    results->not_run = ARENA_NEW(results->arena, const char *, suite->case_count);
    for (size_t i = 0; i < suite->case_count; i++) {
        if (all->slots[i].has_result)
            results->cases[results->case_count++] = all->slots[i].result;
        else if (all->run->chosen[i])
            results->not_run[results->not_run_count++] = suite->cases[i].name;
    }
    if (!all->run->complete || results->not_run_count > 0)
        return true;
    bool good = obsolete_find(suite, results, err);
    if (results->obsolete_count > 0)
        results->prune = prune_command(&all->run->options, results->arena);
    return good;
}

/* The documents of the workers own what the results point to: they go with the results' arena, so all is copied. */
static struct results *detach(struct collection *all, struct error *err)
{
    struct text json = {0};
    results_write(all->results, &json);
    struct results *copy = results_read(text_string(&json), json.size, "results", err);
    text_release(&json);
    return copy;
}

static void release(struct collection *all)
{
    for (size_t i = 0; all->slots && i < all->run->suite->case_count; i++)
        results_free(all->slots[i].document);
    results_free(all->results);
    free(all->slots);
    free(all->cases);
}

struct results *run_suite(const struct suite_run *run, int *interrupted, struct error *err)
{
    size_t count = run->suite->case_count;
    struct collection all = {
        .run = run, .err = err, .slots = calloc(count, sizeof *all.slots), .cases = calloc(count, sizeof *all.cases),
        .results = results_create(err),
    };
    const char **groups = calloc(count, sizeof *groups);
    double *seconds = calloc(count, sizeof *seconds);
    struct results *results = NULL;
    if (all.slots && all.cases && all.results && groups && seconds) {
        all.results->rigproof = run->options.rigproof;
        all.results->suite = run->options.suite_argument;
        all.results->goldens = run->suite->goldens;
        clip_mix(&all, groups);
        if (clear_output(&all, err) && run_pool(&all, groups, seconds, interrupted, err) && gather(&all, err))
            results = detach(&all, err);
    } else {
        error_set(err, "out of memory for %zu cases", count);
    }
    free(groups);
    free(seconds);
    release(&all);
    return results;
}
