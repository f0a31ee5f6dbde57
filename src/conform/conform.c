#include "conform/conform.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/names.h"
#include "base/sort.h"
#include "diagnose/diagnose.h"
#include "report/publish.h"

enum { EXPECT_LIMIT = 4 << 20, LONGEST_NAME = 60 };

/* The program's own command where it is this one. */
static const char *full_command(const struct conform_options *options, const char *command, struct arena *arena)
{
    if (strcmp(command, "rigproof") == 0)
        return arena_printf(arena, "'%s' subject --influences all%s%s", options->self,
                            options->repair ? " --repair " : "", options->repair ? options->repair : "");
    return command;
}

/* Lines "GLOB" or "GLOB/GLOB", the program's name and the rig's; what follows a # is a comment. */
static bool is_expected(const char *lines, const char *program, const char *rig)
{
    for (const char *line = lines; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        char row[512];
        size_t length = strcspn(line, "#\r\n");
        while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t'))
            length--;
        if (length == 0 || length >= sizeof row)
            continue;
        memcpy(row, line, length);
        row[length] = '\0';
        char *slash = strchr(row, '/');
        if (slash)
            *slash = '\0';
        if ((!slash || fnmatch(row, program, 0) == 0) && fnmatch(slash ? slash + 1 : row, rig, 0) == 0)
            return true;
    }
    return false;
}

static bool make_suite(const struct conform_options *options, const struct conform_program *program,
                       const char *expected, struct suite **out, struct error *err)
{
    const struct suite_reading reading = {.allow_outside = true, .has_no_goldens = true};
    SCOPED(text) path = {0};
    text_addf(&path, "%s/rigs/suite.yaml", options->run.options.output);
    struct suite *suite = *out = suite_open(text_string(&path), &reading, err);
    if (!suite || !suite_use_subject(suite, full_command(options, program->command, suite->arena), false, false, err))
        return false;
    for (size_t i = 0; i < suite->case_count; i++) {
        struct suite_case *c = &suite->cases[i];
        c->expect_fail = expected && is_expected(expected, program->name, c->name);
        c->reason = c->expect_fail ? "known: --expect" : c->reason;
    }
    return suite_start_here(suite, options->timeout, err);
}

/* Rules' rigs, then random ones, in one folder with one suite. */
static bool write_rigs(const struct conform_options *options, struct scorecard *card, struct error *err)
{
    SCOPED(text) folder = {0};
    text_addf(&folder, "%s/rigs", options->run.options.output);
    struct generate_options rigs = *options->rules;
    rigs.folder = text_string(&folder);
    rigs.has_rules = true;
    rigs.count = card->random_count = options->random_count;
    const uint32_t count = generate_write(&rigs, err);
    card->rule_count = count - card->random_count;
    return count > 0;
}

static void count(struct conform_program *program)
{
    for (size_t i = 0; i < program->results->case_count; i++) {
        const struct case_result *result = &program->results->cases[i];
        program->counts[conform_status(result)]++;
        if (result->subject && strcmp(program->subject, program->name) == 0)
            program->subject = result->subject;
    }
}

static bool run_rigs(const struct conform_options *options, const struct suite *suite, const char *folder,
                     struct conform_program *program, int *interrupted, struct error *err)
{
    struct suite_run run = options->run;
    bool *chosen = ARENA_NEW(suite->arena, bool, suite->case_count);
    memset(chosen, true, suite->case_count);
    run.suite = suite;
    run.chosen = chosen;
    run.options.output = folder;
    run.options.suite_argument = suite->path;
    run.options.arguments = "";
    struct results *results = run_suite(&run, interrupted, err);
    program->results = results ? results_copy(results, err) : NULL; /* the suite's end is not theirs */
    results_free(results);
    if (program->results)
        program->results->viewer_bytes = run.options.viewer_bytes;
    return program->results != NULL;
}

/* One program on all rigs, with its reports. */
static bool ask(const struct conform_options *options, struct scorecard *card, struct conform_program *program,
                const char *expected, int *interrupted, struct error *err)
{
    struct suite *suite = NULL;
    const char *folder = arena_printf(card->arena, "%s/%s", options->run.options.output, program->name);
    bool good = make_suite(options, program, expected, &suite, err) && folder_make(folder, err) &&
                run_rigs(options, suite, folder, program, interrupted, err);
    suite_free(suite);
    for (int format = 0; good && format < PUBLISH_COUNT; format++)
        good = publish_file(program->results, (enum publish_format)format, folder, NULL, err);
    if (good) {
        count(program);
        card->is_good = card->is_good && results_good(program->results);
    }
    return good;
}

/* That of its folder, which no program before it has. */
static const char *name_of(const struct scorecard *card, size_t index)
{
    const char *slug = name_slug(card->programs[index].command, LONGEST_NAME, card->arena);
    const char *name = *slug ? slug : "program";
    for (size_t i = 0; i < index; i++)
        if (strcmp(card->programs[i].name, name) == 0)
            return arena_printf(card->arena, "%s-%zu", name, index + 1);
    return name;
}

bool conform_run(const struct conform_options *options, int *interrupted, struct scorecard *out, struct error *err)
{
    SCOPED(blob) expected = {0};
    *out = (struct scorecard){.arena = create_large_arena(), .options = options,
                              .program_count = options->program_count, .is_good = true};
    out->programs = ARENA_NEW(out->arena, struct conform_program, options->program_count);
    if (options->expect && !file_read(options->expect, EXPECT_LIMIT, &expected, err))
        return error_prefix(err, "--expect");
    bool good = write_rigs(options, out, err);
    for (size_t i = 0; good && i < options->program_count && !*interrupted; i++) {
        struct conform_program *program = &out->programs[i];
        program->command = options->programs[i];
        program->name = program->subject = name_of(out, i);
        good = ask(options, out, program, (const char *)expected.data, interrupted, err);
    }
    out->is_good = out->is_good && !*interrupted;
    return good;
}

void conform_release(struct scorecard *card)
{
    for (size_t i = 0; i < card->program_count && card->programs; i++)
        results_free(card->programs[i].results);
    arena_destroy(card->arena);
}

const char *const conform_words[CONFORM_STATUSES] = {"no-answer", "pass", "unexpected-pass", "known", "fail"};

enum conform_status conform_status(const struct case_result *result)
{
    static const enum conform_status of[CASE_STATUS_COUNT] = {
        [CASE_PASS] = CONFORM_PASS,
        [CASE_DRIFT] = CONFORM_PASS,
        [CASE_UNEXPECTED_PASS] = CONFORM_UNEXPECTED,
        [CASE_XFAIL] = CONFORM_KNOWN,
        [CASE_FAIL] = CONFORM_FAIL,
    };
    return of[result->status];
}

bool conform_is_right(const struct case_result *result)
{
    const enum conform_status status = conform_status(result);
    return status == CONFORM_PASS || status == CONFORM_UNEXPECTED;
}

static int by_count(const void *a, const void *b)
{
    const struct conform_cause *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->id, y->id);
}

static void add_cause(struct conform_cause *causes, size_t *used, const char *id, const char *sentence)
{
    size_t i = 0;
    while (i < *used && strcmp(causes[i].id, id) != 0)
        i++;
    if (i == *used)
        causes[(*used)++] = (struct conform_cause){id, sentence, 0};
    causes[i].count++;
}

struct conform_cause *conform_causes(const struct scorecard *card, const struct conform_program *program,
                                     size_t *count_out)
{
    const struct results *results = program->results;
    struct conform_cause *causes =
        ARENA_NEW(card->arena, struct conform_cause, CAUSES_MOST * (results->case_count + 1));
    *count_out = 0;
    for (size_t i = 0; i < results->case_count; i++) {
        const struct case_result *result = &results->cases[i];
        if (conform_is_right(result) || case_status_broke(result->status) || result->stage < 0)
            continue; /* one that differs from itself has no stage, nor has a known crash */
        if (result->explanation_count == 0)
            add_cause(causes, count_out, "none", "");
        for (uint32_t k = 0; result->explanation_count > 0 && k < result->explanations[0].cause_count; k++)
            add_cause(causes, count_out, result->explanations[0].causes[k].id,
                      result->explanations[0].causes[k].sentence);
    }
    sort_items(causes, *count_out, sizeof *causes, by_count);
    return causes;
}
