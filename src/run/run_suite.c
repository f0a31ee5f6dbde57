#include "run/run_suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/log.h"
#include "base/process/pool.h"
#include "base/process/process.h"
#include "base/sort.h"
#include "import/import.h"
#include "run/cache.h"
#include "report/publish.h"
#include "suite/shard.h"

/* A case's place in the run: in memory that the workers share. */
struct slot {
    const struct case_result *result; /* NULL: not run */
    /* a line each, that its worker's shaders were given by then; NULL: no more than before */
    const char *warnings;
    bool ended;                       /* as good as it gets */
};

struct collection {
    const struct suite_run *run;
    size_t task_count;
    size_t *cases;        /* [task_count] index into the suite */
    bool *runs;           /* [suite->case_count] */
    struct schedule_task *tasks; /* [task_count] cases of one model are a group */
    double *seconds;      /* [task_count] that the case may take */
    struct slot *slots;   /* [suite->case_count] */
    struct results *results;
    struct arena *handed; /* a part of the results' arena: what workers write */
    size_t done;
    size_t next_line;     /* first case that `finished` has not been told of */
    struct error *err;
    bool no_gl;
    int *first; /* shared: enum first_case; NULL: Mesa's cache has shaders, or there is one worker */
};

enum first_case { FIRST_NOT_BEGUN, FIRST_RUNS, FIRST_ENDED };

struct worker {
    const struct collection *all;
    struct renderer *renderer; /* opened while the first model is imported */
    struct model_cache cache;
    size_t warned;      /* bytes of warnings that were handed on */
    struct error error; /* why there is no renderer */
};

/* Exit code of a worker at its limit of memory; not MEMORY_EXHAUSTED, nor any that a library uses. */
enum { MEMORY_EXCEEDED = 87 };

static void end_worker(enum limit limit)
{
    (void)limit; /* time is the pool's */
    _exit(MEMORY_EXCEEDED);
}

unsigned run_cores(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (unsigned)cores : 1;
}

unsigned run_threads(long cores, size_t workers)
{
    enum { MOST = 4 }; /* what is not rasterising takes as long as that then */
    const size_t threads = cores > 0 && workers > 0 ? (size_t)cores / workers : 0;
    return threads < 2 ? 0 : threads < MOST ? (unsigned)threads : MOST;
}

double run_patience(double seconds)
{
    enum { MOST = 2, PART = 4 };
    return seconds > 0 && seconds < MOST * PART ? seconds / PART : MOST;
}

static void *begin_worker(void *context)
{
    const struct collection *all = context;
    struct worker *worker = memory_new(1, sizeof *worker);
    worker->all = all;
    if (all->run->lock > 0)
        close(all->run->lock);
    if (all->run->models)
        worker->cache = *all->run->models;
    const size_t workers = all->run->jobs < all->task_count ? all->run->jobs : all->task_count;
    char threads[16];
    snprintf(threads, sizeof threads, "%u", run_threads(run_cores(), workers));
    setenv("LP_NUM_THREADS", threads, 0);
    limits_watch(&(struct limits){.memory_mib = all->run->memory_mib}, end_worker, &worker->error);
    return worker;
}

static void open_renderer(void *context)
{
    struct worker *worker = context;
    worker->renderer = renderer_create(worker->all->run->options.backend, &worker->error);
    if (worker->renderer)
        renderer_hold_warnings(worker->renderer);
}

/* Mesa starts while the worker's first model is read. */
static void import_first(struct worker *worker, const struct suite_case *c)
{
    import_meanwhile(open_renderer, worker); /* an error is the case's, which asks again */
    if (!c->problem && !c->skip)
        model_cache_get(&worker->cache, c->model_path, &c->settings, ERROR_IGNORED);
    import_meanwhile(NULL, NULL);
    if (!worker->renderer && !error_is_set(&worker->error))
        open_renderer(worker);
}

/* A piece of a shared arena, taken by one addition: workers that do so at once do not meet. */
static struct arena *take_piece(struct arena *shared, size_t size)
{
    enum { HEADER = 64, SPARE = 128 }; /* of an arena: aligned, and with the room that arena_fits() asks for */
    size_t capacity = HEADER + (size + HEADER - 1) / HEADER * HEADER + SPARE;
    size_t at = __atomic_fetch_add(&shared->used, capacity, __ATOMIC_RELAXED);
    if (at > shared->capacity - capacity)
        memory_exhausted("%zu MiB of results", shared->capacity >> 20);
    struct arena *piece = (struct arena *)((char *)shared + at);
    *piece = (struct arena){.used = HEADER, .capacity = capacity};
    return piece;
}

/*
 * With an empty cache all workers would compile the same shaders at once. So the first case is run alone, and the
 * others, which then find most of what they need, wait for it, run_patience() at most.
 */
static void await_first_case(const struct collection *all, double seconds)
{
    int state = FIRST_NOT_BEGUN;
    if (!all->first ||
        __atomic_compare_exchange_n(all->first, &state, FIRST_RUNS, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return;
    for (double end = clock_seconds() + run_patience(seconds); state == FIRST_RUNS && clock_seconds() < end;) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        state = __atomic_load_n(all->first, __ATOMIC_ACQUIRE);
    }
}

static void end_first_case(const struct collection *all)
{
    if (!all->first || __atomic_load_n(all->first, __ATOMIC_ACQUIRE) == FIRST_ENDED)
        return;
    shader_cache_await();
    __atomic_store_n(all->first, FIRST_ENDED, __ATOMIC_RELEASE);
}

/* The result goes to where the parent sees it, unless the worker ends before. The text is why there is no GL. */
static void run_task(void *context, void *state, size_t task, struct text *out)
{
    const struct collection *all = context;
    struct worker *worker = state;
    struct case_result result;
    if (!worker->renderer && !error_is_set(&worker->error))
        import_first(worker, &all->run->suite->cases[all->cases[task]]);
    if (!worker->renderer) {
        text_add(out, worker->error.text);
        return;
    }
    SCOPED_ARENA arena = create_large_arena();
    await_first_case(all, all->seconds[task]);
    run_case(all->run->suite, all->cases[task], &all->run->options, worker->renderer, &worker->cache, arena, &result);
    end_first_case(all);
    renderer_trim(worker->renderer);
    size_t before = arena->used;
    case_result_copy(&result, arena); /* as large as the other copy will be */
    all->slots[all->cases[task]].result = case_result_copy(&result, take_piece(all->handed, arena->used - before));
    SCOPED(text) warnings = {0};
    renderer_warnings(worker->renderer, &warnings);
    if (warnings.size > worker->warned)
        all->slots[all->cases[task]].warnings =
            arena_string(take_piece(all->handed, warnings.size + 1), text_string(&warnings));
    worker->warned = warnings.size;
}

static void finish_worker(void *context, void *state)
{
    FREED struct worker *worker = state;
    (void)context;
    model_cache_release(&worker->cache);
    renderer_leave(worker->renderer);
}

/* A result that no worker gave. */
static struct case_result *make_result(struct collection *all, size_t index, enum case_status status)
{
    struct case_result *result = ARENA_NEW(all->results->arena, struct case_result, 1);
    case_result_init(&all->run->suite->cases[index], &all->run->options, all->results->arena, result);
    result->status = status;
    all->slots[index].result = result;
    return result;
}

/*
 * A worker that did not end well has left no result, but temporaries of what it was writing. `status` is the pool's; a
 * task that was not begun has no headline.
 */
static void end_badly(struct collection *all, size_t task, enum pool_end end, int status)
{
    size_t index = all->cases[task];
    const struct suite_run *run = all->run;
    const struct suite_case *c = &run->suite->cases[index];
    struct arena *arena = all->results->arena;
    char name[16]; /* what stays of temporaries, the next run tries to remove */
    snapshot_remove(arena_printf(arena, "%s/%s", run->options.output, c->name), SNAPSHOT_TEMPORARIES, ERROR_IGNORED);
    all->slots[index].result = NULL;
    if (end == POOL_NOT_RUN)
        return;
    struct case_result *result = make_result(all, index, end == POOL_TIMEOUT ? CASE_TIMEOUT : CASE_CRASH);
    result->status = c->expect_fail ? CASE_XFAIL : result->status;
    if (end == POOL_TIMEOUT)
        result->headline = arena_printf(arena, "no result after %g s (%s)", all->seconds[task],
                                        c->timeout > 0 ? "the case's timeout" : "--timeout");
    else if (status == -1 - MEMORY_EXCEEDED)
        result->headline = arena_printf(arena, "needs more than %.6g MiB (--memory)", run->memory_mib);
    else if (status == -1 - MEMORY_EXHAUSTED)
        result->headline = "the worker ran out of memory";
    else if (status < 0)
        result->headline = arena_printf(arena, "the worker ended with exit code %d", -1 - status);
    else
        result->headline = arena_printf(arena, "the worker crashed (%s)", signal_name(status, name));
}

/* Lists the warnings of the workers' shaders, each once, in an order that does not depend on who ran what. */
static void list_warnings(struct collection *all)
{
    struct results *results = all->results;
    size_t most = 0, count = 0;
    for (size_t i = 0; i < all->run->suite->case_count; i++)
        for (const char *c = all->slots[i].warnings; c && *c; c++)
            most += *c == '\n';
    const char **list = results->shader_warnings = ARENA_NEW(results->arena, const char *, most);
    for (size_t i = 0; i < all->run->suite->case_count; i++)
        for (const char *line = all->slots[i].warnings; line && *line; line += strcspn(line, "\n") + 1)
            list[count++] = arena_printf(results->arena, "%.*s", (int)strcspn(line, "\n"), line);
    results->shader_warning_count = sort_once(list, count);
}

/* Reports the cases that are ready, as far as all before them are. */
static void report_in_order(struct collection *all)
{
    for (; all->next_line < all->run->suite->case_count && all->slots[all->next_line].ended; all->next_line++)
        if (all->slots[all->next_line].result && all->run->finished)
            all->run->finished(all->run->context, all->slots[all->next_line].result);
}

/* Notes what all cases of the run have in common, from one of them: without the shaders where a case has its own. */
static void note_common(struct collection *all, const struct fingerprint *from)
{
    struct fingerprint *common = &all->results->fingerprint;
    bool shaders_differ = false;
    if (common->count > 0)
        return;
    for (size_t i = 0; i < all->run->suite->case_count; i++)
        shaders_differ = shaders_differ || all->run->suite->cases[i].settings.shaders;
    common->entries = ARENA_NEW(all->results->arena, struct fingerprint_entry, from->count);
    for (uint32_t i = 0; i < from->count; i++)
        if (!case_owns(from->entries[i].name) && !(shaders_differ && strcmp(from->entries[i].name, "shaders") == 0))
            common->entries[common->count++] = from->entries[i];
}

static bool task_ended(void *context, size_t task, enum pool_end end, int status, const struct text *text)
{
    struct collection *all = context;
    struct slot *slot = &all->slots[all->cases[task]];
    if (end != POOL_DONE)
        end_badly(all, task, end, status);
    else if (text->size > 0)
        all->no_gl = !error_set_code(all->err, EXIT_CODE_NO_GL, "%s", text_string(text));
    else
        note_common(all, &slot->result->actual);
    slot->ended = true;
    all->done++;
    if (all->run->progress && end != POOL_NOT_RUN)
        log_progress(all->run->progress, all->done, all->task_count);
    report_in_order(all);
    return !all->no_gl && !(all->run->fail_fast && slot->result && case_status_fails(slot->result->status, false));
}

/* Cases that are not chosen, or skipped, are over before they begin. */
static void choose(struct collection *all)
{
    const struct suite *suite = all->run->suite;
    for (size_t i = 0; i < suite->case_count; i++) {
        const struct suite_case *c = &suite->cases[i];
        const char *why;
        all->runs[i] = !case_skips(c, all->results->arena, &why) && all->run->chosen[i];
        all->slots[i].ended = !all->runs[i];
        if (!all->runs[i] && all->run->chosen[i]) {
            struct case_result *result = make_result(all, i, CASE_SKIP);
            result->repeat = NULL;
            result->reason = why;
        }
    }
}

/* So are those whose verdict is remembered. */
static void recall(struct collection *all, struct cache *cache)
{
    for (size_t i = 0; cache && i < all->run->suite->case_count; i++) {
        struct slot *slot = &all->slots[i];
        const bool shows = all->run->options.pictures == PICTURES_ALL;
        struct case_result *found = NULL;
        if (all->runs[i] && (!shows || suite_has_golden(&all->run->suite->cases[i]))) /* else nobody has its pictures */
            found = cache_find(cache, i, all->results->arena);
        if (!found)
            continue;
        if (shows)
            case_show_golden(all->run->suite, &all->run->options, all->results->arena, found);
        slot->result = found;
        slot->ended = true;
        all->runs[i] = false;
        note_common(all, &slot->result->actual);
    }
}

/* The others become tasks. */
static void plan(struct collection *all)
{
    const struct suite *suite = all->run->suite;
    FREED struct shard_case *costs = memory_new(suite->case_count, sizeof *costs);
    all->task_count = shard_costs(suite, all->runs, all->run->earlier, costs, all->cases);
    for (size_t i = 0; i < all->task_count; i++) {
        const struct suite_case *c = &suite->cases[all->cases[i]];
        all->seconds[i] = c->timeout > 0 ? c->timeout : all->run->timeout;
        all->tasks[i] = (struct schedule_task){costs[i].model, costs[i].cost, costs[i].import_cost};
    }
}

/*
 * Files that an earlier run left of these cases would be taken for this one's. A link would lead what is removed and
 * written to somebody else's files, a golden's even; file_write_below() would refuse those in the reports' places after
 * the whole run.
 */
static bool clear_output(const struct collection *all, struct error *err)
{
    const struct suite *suite = all->run->suite;
    const char *output = all->run->options.output;
    bool good = snapshot_remove(output, SNAPSHOT_TEMPORARIES, err);
    for (size_t i = 0; good && i < PUBLISH_COUNT + suite->case_count; i++) {
        const char *name = i < PUBLISH_COUNT ? publish_names[i] : suite->cases[i - PUBLISH_COUNT].name;
        if (i >= PUBLISH_COUNT && !all->runs[i - PUBLISH_COUNT])
            continue;
        const char *path = arena_printf(all->results->arena, "%s/%s", output, name);
        if (snapshot_is_link(path))
            return error_set(err, "%s is a link, and results are not written through links; remove it", path);
        good = i < PUBLISH_COUNT || snapshot_remove(path, SNAPSHOT_WHOLE, err);
    }
    return good;
}

bool run_may_clear(const struct suite_run *run, struct error *err)
{
    const char *output = run->options.output, *foreign = NULL;
    SCOPED(text) path = {0};
    bool is_run = false;
    for (int i = 0; i < 2 && !is_run; i++) {
        path.size = 0;
        text_addf(&path, "%s/%s", output, i ? FOLDER_LOCK : "results.json");
        is_run = file_exists(text_string(&path));
    }
    for (size_t i = 0; !is_run && !foreign && i < run->suite->case_count; i++) {
        path.size = 0;
        text_addf(&path, "%s/%s/recorded.json", output, run->suite->cases[i].name);
        if (run->chosen[i] && file_exists(text_string(&path)))
            foreign = run->suite->cases[i].name;
    }
    return !foreign ||
           error_set(err, "-o %s holds %s, which was not written by a run: choose another folder", output, foreign);
}

struct results *run_suite(const struct suite_run *run, int *interrupted, struct error *err)
{
    size_t count = run->suite->case_count;
    struct arena *arena = create_large_arena();
    struct collection all = {
        .run = run, .err = err, .results = ARENA_NEW(arena, struct results, 1),
        .cases = ARENA_NEW(arena, size_t, count), .tasks = ARENA_NEW(arena, struct schedule_task, count),
        .seconds = ARENA_NEW(arena, double, count), .runs = ARENA_NEW(arena, bool, count),
        .slots = ARENA_NEW(arena, struct slot, count),
        .handed = take_piece(arena, arena->capacity / 2),
    };
    *all.results = (struct results){.arena = arena, .rigproof = run->options.rigproof,
                                    .suite_hash = run->suite->hash, .overrides = run->overrides,
                                    .suite = run->options.suite_argument, .goldens = run->suite->goldens};
    choose(&all);
    log_share();
    bool cleared = clear_output(&all, err);
    struct cache *cache = cleared && run->cache ? cache_open(run->cache, run, err) : NULL;
    if (cleared && (cache || !run->cache)) {
        recall(&all, cache);
        plan(&all);
        if (run->jobs > 1 && all.task_count > 1 && shader_cache_is_empty())
            all.first = ARENA_NEW(arena, int, 1);
        const struct pool pool = {
            .task_count = all.task_count, .tasks = all.tasks, .workers = run->jobs, .task_seconds = all.seconds,
            .context = &all, .begin = begin_worker, .run = run_task, .finish = finish_worker, .ended = task_ended,
        };
        report_in_order(&all);
        if (run->jobs > 1 && all.task_count > 1)
            backend_is_present(run->options.backend); /* opens the library here, once, instead of in every worker */
        bool good = pool_run(&pool, interrupted, err) && !all.no_gl;
        struct results *results = all.results;
        results->cases = ARENA_NEW(arena, struct case_result, count);
        results->not_run = ARENA_NEW(arena, const char *, count);
        for (size_t i = 0; i < count; i++) {
            if (all.slots[i].result)
                results->cases[results->case_count++] = *all.slots[i].result;
            else if (run->chosen[i])
                results->not_run[results->not_run_count++] = run->suite->cases[i].name;
        }
        list_warnings(&all);
        if (cache)
            cache_store(cache, results);
        cache_close(cache);
        struct error why = {0};
        if (good && run->complete && results->not_run_count == 0 && !obsolete_find(run->suite, results, &why)) {
            log_warning("goldens that no case uses are not looked for: %s", why.text);
            results->obsolete_count = 0;
        }
        if (results->obsolete_count > 0)
            results->prune = command_line(&run->options, arena, "accept", "--prune", "");
        if (good)
            return results;
    }
    results_free(all.results);
    return NULL;
}
