/* Which cases of a suite run, and what they are as lines. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/sort.h"
#include "suite/file/suite_file.h"
#include "suite/setting/clip_mix.h"

/* ---- shards ---------------------------------------------------------------------------------------------------- */

bool shard_parse(const char *text, uint32_t *shard, uint32_t *count, struct error *err)
{
    enum { MOST = 100000 };
    unsigned long numbers[2] = {0, 0};
    const char *at = text;
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        size_t digits = strspn(at, "0123456789");
        good = digits > 0 && digits <= 6 && at[digits] == (i == 0 ? '/' : '\0');
        numbers[i] = good ? strtoul(at, NULL, 10) : 0;
        at += digits + 1;
    }
    if (!good || numbers[0] < 1 || numbers[0] > numbers[1] || numbers[1] > MOST)
        return error_set(err, "--shard: `%s` is not I/N with I from 1 to N (N at most %d)", text, MOST);
    *shard = (uint32_t)numbers[0];
    *count = (uint32_t)numbers[1];
    return true;
}

/* FNV-1a, 64 bits folded to 32 as its authors advise (www.isthe.com/chongo/tech/comp/fnv). Frozen: CI splits by it. */
static uint32_t name_hash(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    return (uint32_t)(hash >> 32 ^ hash);
}

static bool is_in_shard(const struct suite_case *test, const struct selection *selection)
{
    return selection->shard == 0 || name_hash(test->name) % selection->shard_count == selection->shard - 1;
}

/* ---- filters --------------------------------------------------------------------------------------------------- */

static const char *tag_glob(const char *filter)
{
    return strncmp(filter, "tag:", 4) == 0 ? filter + 4 : NULL;
}

static bool matches(const struct suite_case *test, const char *filter)
{
    const char *glob = tag_glob(filter);
    if (!glob)
        return fnmatch(filter, test->name, 0) == 0;
    for (size_t i = 0; i < test->tag_count; i++)
        if (fnmatch(glob, test->tags[i], 0) == 0)
            return true;
    return false;
}

/* One of the filters that choose, if there are any, and none that excludes. */
static bool passes(const struct suite_case *test, const struct selection *selection)
{
    bool some_choose = false, chosen = false;
    for (size_t i = 0; i < selection->filter_count; i++) {
        const char *filter = selection->filters[i];
        bool excludes = filter[0] == '!';
        some_choose = some_choose || !excludes;
        if (matches(test, filter + excludes)) {
            if (excludes)
                return false;
            chosen = true;
        }
    }
    return chosen || !some_choose;
}

/* ---- an empty selection ---------------------------------------------------------------------------------------- */

/* The name of a case, or of a tag, that may have been meant. */
static const char *find_near(const struct suite *suite, const char *name, bool is_tag)
{
    size_t most = suite->case_count, count = 0;
    for (size_t i = 0; is_tag && i < suite->case_count; i++)
        most += suite->cases[i].tag_count;
    const char **names = memory_new(most, sizeof *names);
    for (size_t i = 0; i < suite->case_count; i++) {
        const struct suite_case *test = &suite->cases[i];
        if (!is_tag)
            names[count++] = test->name;
        for (size_t k = 0; is_tag && k < test->tag_count; k++)
            names[count++] = test->tags[k];
    }
    const char *near = name_nearest(name, names, count);
    free(names);
    return near;
}

/* Helps where a filter was meant to be a name and is none. */
static bool fail_empty(const struct suite *suite, const struct selection *selection, struct error *err)
{
    for (size_t i = 0; i < selection->filter_count; i++) {
        const char *filter = selection->filters[i], *tag = tag_glob(filter);
        if (filter[0] == '!' || strpbrk(filter, "*?["))
            continue;
        const char *near = find_near(suite, tag ? tag : filter, tag != NULL);
        if (near)
            return error_set(err, "%s: no case %s`%s`; did you mean `%s`?", suite->path, tag ? "with the tag " : "",
                             tag ? tag : filter, near);
    }
    if (selection->only && selection->filter_count == 0)
        return error_set(err, "%s: none of the cases that are to run again is in it", suite->path);
    return error_set(err, "%s: none of its %zu cases is chosen; rigproof check --list shows them", suite->path,
                     suite->case_count);
}

size_t suite_select(const struct suite *suite, const struct selection *selection, bool *chosen, struct error *err)
{
    size_t before = 0, count = 0;
    const size_t size = selection->only_count * sizeof *selection->only;
    const char **only = selection->only ? memory_new(size + 1, 1) : NULL; /* sorted */
    if (size) {
        memcpy(only, selection->only, size);
        qsort(only, selection->only_count, sizeof *only, compare_strings);
    }
    for (size_t i = 0; i < suite->case_count; i++) {
        const struct suite_case *test = &suite->cases[i];
        bool kept = !only || bsearch(&test->name, only, selection->only_count, sizeof *only, compare_strings);
        chosen[i] = kept && passes(test, selection);
        before += chosen[i];
        chosen[i] = chosen[i] && is_in_shard(test, selection);
        count += chosen[i];
    }
    free(only);
    if (before == 0)
        fail_empty(suite, selection, err);
    return count;
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

enum { COLUMNS = 6 };

static void write_cell(struct text *out, const struct suite_case *test, int column)
{
    const struct settings *s = &test->settings;
    struct text clip = {0};
    size_t count = s->time_choice == TIMES_FRAMES ? (size_t)(s->last_frame - s->first_frame) + 1
                   : s->time_count                ? s->time_count
                                                  : 1;
    size_t start = out->size;
    switch (column) {
    case 0:
        text_add(out, test->name);
        break;
    case 1:
        text_add_name(out, test->model);
        break;
    case 2:
        clip_mix_write(s, &clip);
        text_add_name(out, text_string(&clip));
        break;
    case 3:
        if (s->time_choice == TIMES_AUTO || s->time_choice == TIMES_PLAY)
            text_add(out, s->time_choice == TIMES_AUTO ? "auto" : "play");
        else
            text_addf(out, "%zu time%s", count, count == 1 ? "" : "s");
        break;
    case 4:
        for (size_t i = 0; i < test->tag_count; i++) {
            text_add(out, i ? "," : "");
            text_add_name(out, test->tags[i]);
        }
        text_add(out, test->tag_count ? "" : "-");
        break;
    default:
        if (test->agrees)
            text_addf(out, "agrees with %s", test->agreement.name);
        if (test->assimp) {
            text_add(out, out->size > start ? "; Assimp " : "Assimp ");
            text_add_name(out, test->assimp);
            text_add(out, " only");
        }
        if (test->reason) {
            text_addf(out, "%s%s: ", out->size > start ? "; " : "", test->skip ? "skip" : "expect fail");
            text_add_name(out, test->reason);
        }
    }
    text_release(&clip);
}

/* Of what was added since, in characters: bytes that begin one. */
static size_t width_since(const struct text *text, size_t start)
{
    size_t width = 0;
    for (size_t i = start; i < text->size; i++)
        width += (text->data[i] & 0xc0) != 0x80;
    return width;
}

void suite_list(const struct suite *suite, const bool *chosen, struct text *out)
{
    size_t widths[COLUMNS] = {0};
    struct text cell = {0};
    for (size_t i = 0; i < suite->case_count; i++)
        for (int c = 0; c < COLUMNS - 1 && (!chosen || chosen[i]); c++) { /* the last needs no width */
            cell.size = 0;
            write_cell(&cell, &suite->cases[i], c);
            size_t width = width_since(&cell, 0) + 2;
            widths[c] = width > widths[c] ? width : widths[c];
        }
    text_release(&cell);
    for (size_t i = 0; i < suite->case_count; i++) {
        size_t line = out->size;
        if (chosen && !chosen[i])
            continue;
        for (int c = 0; c < COLUMNS; c++) {
            size_t start = out->size;
            write_cell(out, &suite->cases[i], c);
            while (width_since(out, start) < widths[c])
                text_add(out, " ");
        }
        while (out->size > line && out->data[out->size - 1] == ' ')
            out->data[--out->size] = '\0';
        text_add(out, "\n");
    }
}
