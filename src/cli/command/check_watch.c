#include "cli/command/suite_command.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/file/file_writer.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/log.h"
#include "base/stop_signals.h"
#include "data/image/image.h"
#include "report/report.h"
#include "report/publish.h"
#include "run/watch/watch.h"

static volatile sig_atomic_t stopped;

struct watching {
    struct watch *watch;
    struct results *whole; /* of all cases, each by its last run */
    struct model_cache models;
    enum exit_code code;
    struct show show;
};

static const char run_file[] = "run.js"; /* what the page asks: src/report/page/watch.js */

static void stop(int number)
{
    stopped = number;
}

/* "changed    fixtures/walker/walker.glb, suite.yaml and 3 more", as seen from here. */
static void tell_changes(const struct changes *changes)
{
    enum { SHOWN = 3 };
    SCOPED(text) here = {0}, line = {0}, name = {0};
    folder_locate(".", &here);
    for (size_t i = 0; i < changes->count && i < SHOWN; i++) {
        name.size = 0;
        path_relative(text_string(&here), changes->items[i].path, &name);
        text_add(&line, i ? ", " : "");
        text_add_name(&line, text_string(&name));
    }
    if (changes->count > SHOWN)
        text_addf(&line, " and %zu more", changes->count - SHOWN);
    printf("\nchanged    %s\n", changes->everything ? "much: all is looked at again" : text_string(&line));
    fflush(stdout);
}

/* The reports of all cases; then what tells an open page that there are others. */
static bool write_reports(struct results *results, struct error *err)
{
    const struct publish_options publishing = {.quiet = true, .local = true};
    const char *output = suite_command.run.options.output;
    SCOPED(text) text = {0};
    char hash[17];
    results_write(results, &text);
    bytes_hash(text.data, text.size, hash);
    text.size = 0;
    text_addf(&text, "rigproofRun('%s');\n", hash);
    return publish(results, output, &publishing, err) && file_write_below(output, run_file, text.data, text.size, err);
}

/* A few models stay in this process, from where workers have them: the edited shader is seen at once. */
static void keep_models(struct watching *w, const bool *cases)
{
    const struct suite *suite = suite_command.suite;
    const struct suite_case *kept[MODEL_CACHE_SIZE] = {NULL};
    size_t count = 0;
    suite_command.run.models = NULL;
    if (suite_command.run.cache) /* a model that was read before the run began may be of a file that is no more */
        return;
    for (size_t i = 0; i < suite->case_count; i++) {
        const struct suite_case *c = &suite->cases[i];
        bool is_known = !cases[i] || c->skip || c->problem;
        for (size_t k = 0; k < count && !is_known; k++)
            is_known = model_is_same(kept[k]->model_path, &kept[k]->settings, c->model_path, &c->settings);
        if (!is_known && count == MODEL_CACHE_SIZE)
            return;
        if (!is_known)
            kept[count++] = c;
    }
    for (size_t k = 0; k < count; k++) /* the worker that needs one that is missing says why */
        model_cache_get(&w->models, kept[k]->model_path, &kept[k]->settings, ERROR_IGNORED);
    suite_command.run.models = &w->models;
}

/* False with err set where nothing can be run any more. */
static bool run_round(struct watching *w, const bool *cases, struct error *err)
{
    const double begin = clock_seconds();
    const size_t warned = w->whole ? w->whole->shader_warning_count : 0;
    int interrupted = 0;
    size_t count = 0;
    SCOPED(text) tally = {0};
    for (size_t i = 0; i < suite_command.suite->case_count; i++)
        count += cases[i];
    if (count == 0 && w->whole) /* a file came that is no case */
        return true;
    keep_models(w, cases);
    suite_command.run.chosen = cases;
    suite_command.run.complete = suite_command.run.complete && !w->whole;
    struct results *results = suite_command_run(&interrupted, err);
    if (interrupted) {
        stopped = interrupted;
        results_free(results);
        return true;
    }
    w->whole = results ? round_join(w->whole, results, suite_command.suite, err) : NULL;
    if (!w->whole)
        return false;
    w->whole->reloads = true;
    for (size_t i = warned; i < w->whole->shader_warning_count; i++)
        log_warning("%s", w->whole->shader_warnings[i]);
    const bool good = results_good(w->whole);
    w->code = good ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
    report_tally(w->whole, false, &tally);
    if (!write_reports(w->whole, err))
        return false;
    log_progress_clear();
    SCOPED(text) word = {0};
    terminal_add(&word, w->show.colour, good ? STYLE_GOOD : STYLE_BAD, good ? "green" : "red");
    printf("%s%s%.*s (%zu ran, %.2f s)\n", text_string(&word), good ? "      " : "        ",
           (int)strcspn(text_string(&tally), "\n"), text_string(&tally), count, clock_seconds() - begin);
    fflush(stdout);
    return true;
}

/* Reads the suite anew. One with a mistake is not taken; results stay where its cases are the same. */
static bool reread(struct watching *w, bool keeps_cases)
{
    struct suite_command before = suite_command;
    struct error why = {0};
    if (!suite_command_open(suite_command.run.options.suite_argument, &why)) {
        log_error("%s; the suite stays as it was", why.text);
        suite_command_release();
        suite_command = before;
        return false;
    }
    struct suite_command now = suite_command;
    keeps_cases = keeps_cases && before.suite->case_count == now.suite->case_count;
    for (size_t i = 0; keeps_cases && i < now.suite->case_count; i++)
        keeps_cases = strcmp(before.suite->cases[i].name, now.suite->cases[i].name) == 0;
    suite_command = before;
    suite_command_release();
    suite_command = now;
    if (!keeps_cases) {
        results_free(w->whole);
        w->whole = NULL;
    }
    return true;
}

/* Waits for changes since the last round, and finds what they concern. False with err set. */
static bool wait_for_change(struct watching *w, const struct dependencies *dependencies, struct changes *changes,
                            bool *cases, enum reread *how, struct error *err)
{
    const struct suite *suite = suite_command.suite;
    const bool *chosen = suite_command.chosen;
    const char *gone;
    if (w->whole)
        dependencies_add_stale(suite, w->whole, changes);
    while (!stopped && !dependencies_find(dependencies, suite, chosen, changes, cases, how))
        if (!watch_wait(w->watch, -1, &stopped, changes, err))
            return false;
    for (int i = 0; i < 20 && !stopped && (gone = dependencies_find_gone(dependencies, changes)); i++) {
        if (i == 0)
            log_note("%s is not there now: waiting for it", gone);
        if (!watch_wait(w->watch, 0.1, &stopped, changes, err))
            return false;
        dependencies_find(dependencies, suite, chosen, changes, cases, how);
    }
    return true;
}

/* From now on changes of what the cases depend on are noted. */
static bool look(struct watching *w, struct arena *arena, struct dependencies *dependencies, struct error *err)
{
    size_t count;
    dependencies_list(suite_command.suite, suite_command.chosen, w->whole, arena, dependencies);
    const char **folders = dependencies_folders(dependencies, &count);
    return watch_folders(w->watch, folders, count, err);
}

/* Waits, and runs what is concerned. The first turn, which runs all, looks before, so that no change is lost. */
static bool take_turn(struct watching *w, struct error *err)
{
    enum { MEMORY = 1 << 30 };
    SCOPED_ARENA arena = arena_create(MEMORY, err);
    struct dependencies dependencies;
    SCOPED(changes) changes = {0};
    enum reread how = REREAD_NOT;
    bool is_first = !w->whole;
    bool *cases = arena ? ARENA_NEW(arena, bool, suite_command.suite->case_count) : NULL;
    bool good = arena && look(w, arena, &dependencies, err);
    if (good && is_first)
        good = run_round(w, suite_command.chosen, err);
    else if (good)
        good = wait_for_change(w, &dependencies, &changes, cases, &how, err);
    if (good && !stopped && !is_first) {
        tell_changes(&changes);
        model_cache_forget(&w->models);
        /* a folder that has come is waited on before anything of it is read */
        good = look(w, arena, &dependencies, err);
        if (good && (how == REREAD_NOT || reread(w, how == REREAD_CASES)))
            good = look(w, arena, &dependencies, err) && run_round(w, w->whole ? cases : suite_command.chosen, err);
    }
    return good;
}

enum exit_code check_watch(struct error *err)
{
    struct watching w = {.code = EXIT_CODE_DIFFERS, .watch = watch_create(err)};
    SCOPED(text) page = {0};
    w.show = (struct show){
        .failing_only = true, .strict = suite_command.strict, .colour = log_has_colour(), .causes = true};
    suite_command.run.finished = suite_command_show;
    suite_command.run.progress = "check";
    suite_command.run.context = &w.show;
    stop_signals_catch(stop, SA_RESTART);
    bool good = w.watch && take_turn(&w, err);
    if (good && !stopped) {
        path_join(suite_command.run.options.output, "report.html", &page);
        printf("report     %s, which loads itself again after each change; ctrl-C ends it\n", text_string(&page));
        fflush(stdout);
    }
    while (good && !stopped)
        good = take_turn(&w, err);
    page.size = 0;
    path_join(suite_command.run.options.output, run_file, &page);
    remove(text_string(&page));
    model_cache_release(&w.models);
    results_free(w.whole);
    watch_destroy(w.watch);
    return good ? w.code : EXIT_CODE_USAGE;
}
