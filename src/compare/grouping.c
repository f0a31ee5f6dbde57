#include "compare/grouping.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"

struct grouping_item {
    struct finding finding;
    const char *detail;
    const char *sentence;
    bool told;
};

enum { FEWEST_EQUAL = 3, NAMES_SHOWN = 3 };

struct grouping grouping_begin(struct findings *out, const char *before, const char *after)
{
    return (struct grouping){.out = out, .before = before, .after = after};
}

static void reserve_one(struct grouping *grouping)
{
    if (grouping->count < grouping->capacity)
        return;
    size_t capacity = grouping->capacity ? 2 * grouping->capacity : 8;
    struct grouping_item *items = ARENA_NEW(grouping->out->arena, struct grouping_item, capacity);
    if (grouping->count > 0)
        memcpy(items, grouping->items, grouping->count * sizeof *items);
    grouping->items = items;
    grouping->capacity = capacity;
}

void grouping_add(struct grouping *grouping, const struct finding *finding, const char *detail, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *sentence = ARENA_NEW(grouping->out->arena, char, (size_t)(n > 0 ? n : 0) + 1);
    va_start(args, format);
    vsnprintf(sentence, (size_t)(n > 0 ? n : 0) + 1, format, args);
    va_end(args);
    reserve_one(grouping);
    grouping->items[grouping->count++] = (struct grouping_item){*finding, detail, sentence, false};
}

/* ---- many in one sentence ---------------------------------------------------------------------------------------- */

/* Members of a group: untold items with this benignity, and this detail when `detail` is not NULL. */
struct group {
    bool benign;
    const char *detail;
};

static bool is_member(const struct grouping_item *item, const struct group *group)
{
    return !item->told && item->finding.benign == group->benign &&
           (!group->detail || (item->detail && strcmp(item->detail, group->detail) == 0));
}

static size_t count_members(const struct grouping *grouping, const struct group *group)
{
    size_t count = 0;
    for (size_t i = 0; i < grouping->count; i++)
        count += is_member(&grouping->items[i], group);
    return count;
}

/* The largest displacement; the first where there are none. */
static size_t worst_member(const struct grouping *grouping, const struct group *group)
{
    size_t worst = grouping->count;
    for (size_t i = 0; i < grouping->count; i++) {
        if (!is_member(&grouping->items[i], group))
            continue;
        if (worst == grouping->count ||
            grouping->items[i].finding.displacement > grouping->items[worst].finding.displacement ||
            (isnan(grouping->items[worst].finding.displacement) && !isnan(grouping->items[i].finding.displacement)))
            worst = i;
    }
    return worst;
}

static const char *name_of(const struct grouping *grouping, const struct grouping_item *item)
{
    const char *name = grouping->names_meshes ? item->finding.mesh : item->finding.subject;
    return name ? name : "";
}

static void add_name(struct text *text, const struct grouping *grouping, const struct grouping_item *item)
{
    if (grouping->names_meshes)
        name_quote(name_of(grouping, item), '`', text);
    else
        text_addf(text, "`%s`", name_of(grouping, item));
}

/* "`a`, `b`, `c` and 9 more", without item `skip`. */
static void add_names(struct text *text, const struct grouping *grouping, const struct group *group, size_t skip)
{
    size_t total = count_members(grouping, group) - (skip < grouping->count), shown = 0;
    size_t most = total == NAMES_SHOWN + 1 ? total : NAMES_SHOWN; /* "and 1 more" is no shorter than its name */
    for (size_t i = 0; i < grouping->count && shown < most; i++) {
        if (i == skip || !is_member(&grouping->items[i], group))
            continue;
        bool last = shown + 1 == total;
        text_add(text, shown == 0 ? "" : last ? " and " : ", ");
        add_name(text, grouping, &grouping->items[i]);
        shown++;
    }
    if (total > shown)
        text_addf(text, " and %zu more", total - shown);
}

/* Adds one finding for all members; its figures are the worst one's, its measure the largest. */
static void report_together(struct grouping *grouping, const struct group *group)
{
    struct text text = {0};
    size_t worst = worst_member(grouping, group);
    const struct grouping_item *item = &grouping->items[worst];
    text_addf(&text, "%s%zu%s", grouping->before, count_members(grouping, group), grouping->after);
    if (group->detail) {
        text_addf(&text, "%s %s (", grouping->details_are_predicates ? "" : ":", group->detail);
        add_names(&text, grouping, group, grouping->count);
        text_add(&text, ")");
    } else if (item->detail) {
        const char *which = isnan(item->finding.displacement) ? "such as" : "worst";
        text_addf(&text, "%s, %s ", grouping->details_are_predicates ? " differ" : "", which);
        add_name(&text, grouping, item);
        text_addf(&text, ": %s; also ", item->detail);
        add_names(&text, grouping, group, worst);
    } else {
        text_add(&text, ": ");
        add_names(&text, grouping, group, grouping->count);
    }
    struct finding finding = item->finding;
    for (size_t i = 0; i < grouping->count; i++) {
        if (!is_member(&grouping->items[i], group))
            continue;
        grouping->items[i].told = true;
        if (!(grouping->items[i].finding.measure <= finding.measure)) {
            finding.tolerance = grouping->items[i].finding.tolerance;
            finding.measure = grouping->items[i].finding.measure;
        }
    }
    findings_add(grouping->out, &finding, "%s", text_string(&text));
    text_release(&text);
}

const char *grouping_mesh(const struct grouping *grouping)
{
    const char *mesh = grouping->count > 0 ? grouping->items[0].finding.mesh : NULL;
    for (size_t i = 1; mesh && i < grouping->count; i++)
        if (!grouping->items[i].finding.mesh || strcmp(grouping->items[i].finding.mesh, mesh) != 0)
            return NULL;
    return mesh;
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static void report_equals(struct grouping *grouping, bool benign)
{
    enum { MOST_SEARCHED = 2000 }; /* beyond, one group of all is what a reader gets anyway */
    for (size_t i = 0; i < grouping->count && i < MOST_SEARCHED; i++) {
        struct group equals = {benign, grouping->items[i].detail};
        if (equals.detail && is_member(&grouping->items[i], &equals) &&
            count_members(grouping, &equals) >= FEWEST_EQUAL)
            report_together(grouping, &equals);
    }
}

static void report_rest(struct grouping *grouping, bool benign)
{
    struct group remainder = {benign, NULL};
    size_t count = count_members(grouping, &remainder);
    if (count > GROUPING_MOST) {
        report_together(grouping, &remainder);
        return;
    }
    for (size_t i = 0; i < grouping->count; i++)
        if (is_member(&grouping->items[i], &remainder))
            findings_add(grouping->out, &grouping->items[i].finding, "%s", grouping->items[i].sentence);
}

void grouping_end(struct grouping *grouping)
{
    for (int benign = 0; benign <= 1; benign++) {
        report_equals(grouping, benign);
        report_rest(grouping, benign);
    }
    grouping->count = 0;
}
