/* Says which cases of a suite run and with what the command line changes, and what they are as lines. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "suite/suite_file.h"
#include "options/clip_mix.h"
#include "suite/shard.h"

/* By a filter without its `!`: its name, or that of the case which stands for it. */
static bool matches(const struct suite_case *test, const char *filter)
{
    const bool is_tag = strncmp(filter, "tag:", 4) == 0;
    bool found =
        !is_tag && (fnmatch(filter, test->name, 0) == 0 || (test->origin && fnmatch(filter, test->origin, 0) == 0));
    for (size_t t = 0; is_tag && !found && t < test->tag_count; t++)
        found = fnmatch(filter + strlen("tag:"), test->tags[t], 0) == 0;
    return found;
}

/* One of the filters that choose, if there are any, and none that excludes. */
static bool passes(const struct suite_case *test, const struct selection *selection)
{
    bool some_choose = false, chosen = false;
    for (size_t i = 0; i < selection->filter_count; i++) {
        const char *filter = selection->filters[i];
        const bool excludes = filter[0] == '!', found = matches(test, filter + excludes);
        if (excludes && found)
            return false;
        some_choose = some_choose || !excludes;
        chosen = chosen || found;
    }
    return chosen || !some_choose;
}

bool suite_may_choose(const struct suite_case *test, const struct selection *selection)
{
    struct suite_case written = *test; /* what these two match, they match in all that it stands for */
    written.name = test->origin ? test->origin : test->name;
    const size_t length = strlen(test->name);
    bool some_choose = false, may = false;
    for (size_t i = 0; i < selection->filter_count; i++) {
        const char *filter = selection->filters[i];
        const size_t fixed = strcspn(filter, "*?[\\"); /* both begin with that: NAME-..., and the filter */
        if (filter[0] == '!' && matches(&written, filter + 1))
            return false;
        some_choose = some_choose || filter[0] != '!';
        may = may || matches(&written, filter) || strncmp(filter, test->name, fixed < length ? fixed : length) == 0;
    }
    return may || !some_choose;
}

/* Appends what a filter that matches nothing was meant to be, with its prefix; it is of its own kind, a name or a
 * tag. */
static bool suggest_filter(const struct suite *suite, const char *filter, struct text *out)
{
    const bool excludes = *filter == '!', is_tag = strncmp(filter + excludes, "tag:", 4) == 0;
    const size_t before = excludes + (is_tag ? strlen("tag:") : 0);
    size_t count = 0;
    for (size_t i = 0; i < suite->case_count; i++)
        count += is_tag ? suite->cases[i].tag_count : 1;
    FREED const char **names = memory_new(count, sizeof *names);
    count = 0;
    for (size_t i = 0; i < suite->case_count; i++)
        for (size_t t = 0; t < (is_tag ? suite->cases[i].tag_count : 1); t++)
            names[count++] = is_tag ? suite->cases[i].tags[t] : suite->cases[i].name;
    SCOPED(text) near = {0};
    const bool found = !excludes && glob_suggest(filter + before, names, count, &near);
    if (found)
        text_addf(out, "%.*s%s", (int)before, filter, text_string(&near));
    return found;
}

/* An empty selection. */
static void fail_empty(const struct suite *suite, const struct selection *selection, struct error *err)
{
    SCOPED(text) near = {0};
    size_t at = 0;
    while (at < selection->filter_count && !suggest_filter(suite, selection->filters[at], &near))
        at++;
    if (near.size > 0)
        error_set(err, "%s: no case matches `%s`; did you mean `%s`?", suite->path, selection->filters[at],
                  text_string(&near));
    else if (selection->only && selection->filter_count == 0)
        error_set(err, "%s: none of the cases that are to run again is in it", suite->path);
    else
        error_set(err, "%s: none of its %zu cases matches; `rigproof check %s --list` shows them", suite->path,
                  suite->case_count, suite->path);
}

size_t suite_select(const struct suite *suite, const struct selection *selection, bool *chosen, struct error *err)
{
    size_t selected = 0, before = 0, count = 0;
    const size_t size = selection->only_count * sizeof *selection->only;
    FREED const char **only = selection->only ? memory_new(size + 1, 1) : NULL; /* sorted */
    FREED uint32_t *own = memory_new(suite->case_count, sizeof *own);
    uint32_t *shard_of = selection->shard_of ? selection->shard_of : own;
    if (size) {
        memcpy(only, selection->only, size);
        sort_items(only, selection->only_count, sizeof *only, compare_strings);
    }
    for (size_t i = 0; i < suite->case_count; i++)
        selected += chosen[i] = passes(&suite->cases[i], selection);
    if (selection->shard && selected > 0)
        shard_suite(suite, chosen, selection->balance, selection->shard_count, shard_of);
    for (size_t i = 0; i < suite->case_count; i++) {
        chosen[i] = chosen[i] && (!only || bsearch(&suite->cases[i].name, only, selection->only_count, sizeof *only,
                                                   compare_strings));
        before += chosen[i];
        chosen[i] = chosen[i] && (!selection->shard || shard_of[i] == selection->shard);
        count += chosen[i];
    }
    if (before == 0)
        fail_empty(suite, selection, err);
    return count;
}

unsigned suite_not_asked(const struct suite_case *c)
{
    return c->stages ? ~c->stages & ((1u << STAGE_COUNT) - 1) : 0;
}

void suite_stages_write(unsigned stages, struct text *out)
{
    const char *before = "";
    for (int s = 0; s < STAGE_COUNT; s++)
        if (stages >> s & 1) {
            text_addf(out, "%s%s", before, stage_name((enum stage)s));
            before = ",";
        }
}

enum { COLUMNS = 6 };

static void write_cells(const struct suite_case *test, struct text cells[static COLUMNS])
{
    const struct settings *s = &test->settings;
    SCOPED(text) clip = {0};
    struct text *special = &cells[5];
    size_t count = s->time_choice == TIMES_FRAMES ? settings_frame_count(s)
                   : s->time_count                ? s->time_count
                                                  : 1;
    for (int c = 0; c < COLUMNS; c++)
        cells[c].size = 0;
    text_add(&cells[0], test->name);
    text_add_name(&cells[1], test->model);
    if (test->all_clips)
        text_add(&clip, "all");
    else
        clip_mix_write(s, &clip);
    text_add_name(&cells[2], text_string(&clip));
    if (s->time_choice == TIMES_AUTO || s->time_choice == TIMES_PLAY)
        text_add(&cells[3], s->time_choice == TIMES_AUTO ? "auto" : "play");
    else if (s->time_choice == TIMES_EVEN)
        text_addf(&cells[3], "even:%u", s->even);
    else
        text_addf(&cells[3], "%zu time%s", count, count == 1 ? "" : "s");
    for (size_t i = 0; i < test->tag_count; i++) {
        text_add(&cells[4], i ? "," : "");
        text_add_name(&cells[4], test->tags[i]);
    }
    text_add(&cells[4], test->tag_count ? "" : "-");
    text_add(special, "");
    if (test->agrees)
        text_addf(special, "agrees with %s", test->agreement.name);
    if (test->assimp) {
        text_add(special, special->size ? "; Assimp " : "Assimp ");
        text_add_name(special, test->assimp);
        text_add(special, " only");
    }
    if (test->stages) {
        text_add(special, special->size ? "; only " : "only ");
        suite_stages_write(test->stages, special);
    }
    if (test->problem) {
        text_addf(special, "%scannot run: ", special->size ? "; " : "");
        text_add_name(special, test->problem);
    }
    if (test->reason) {
        text_addf(special, "%s%s: ", special->size ? "; " : "", test->skip ? "skip" : "expect fail");
        text_add_name(special, test->reason);
    }
}

void suite_list(const struct suite *suite, const bool *chosen, struct text *out)
{
    size_t widths[COLUMNS] = {0};
    struct text cells[COLUMNS] = {0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < suite->case_count; i++) {
            if (chosen && !chosen[i])
                continue;
            write_cells(&suite->cases[i], cells);
            for (int c = 0; c < COLUMNS; c++) {
                size_t width = utf8_count(text_string(&cells[c])) + 2;
                if (pass == 0)
                    widths[c] = width > widths[c] ? width : widths[c];
                else
                    text_addf(out, "%s%*s", text_string(&cells[c]), (int)(widths[c] + 2 - width), "");
            }
            while (pass == 1 && out->data[out->size - 1] == ' ')
                out->data[--out->size] = '\0';
            text_add(out, pass == 1 ? "\n" : "");
        }
    for (int c = 0; c < COLUMNS; c++)
        text_release(&cells[c]);
}

bool suite_override(struct suite *suite, const char *goldens, const char *repair, struct fingerprint *overrides,
                    struct error *err)
{
    struct settings given;
    settings_init(&given);
    if (repair && !settings_set(&given, "repair", repair, err))
        return false;
    *overrides = (struct fingerprint){.entries = ARENA_NEW(suite->arena, struct fingerprint_entry, 2)};
    if (goldens) {
        suite->goldens = arena_string(suite->arena, goldens);
        overrides->entries[overrides->count++] = (struct fingerprint_entry){"goldens", suite->goldens};
    }
    for (size_t i = 0; repair && i < suite->case_count; i++)
        suite->cases[i].settings.import.repairs = given.import.repairs;
    if (repair)
        overrides->entries[overrides->count++] =
            (struct fingerprint_entry){"repair", arena_string(suite->arena, repair)};
    return true;
}

bool suite_has_golden(const struct suite_case *c)
{
    return !c->agrees && (!c->subject || c->against_golden);
}
