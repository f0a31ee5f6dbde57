#include "compare/grouping.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"

struct grouping_item {
    struct finding finding;
    const char *detail;
    const char *sentence;
    bool is_said;
};

struct grouping grouping_begin(struct findings *out, const char *before, const char *after)
{
    return (struct grouping){.out = out, .before = before, .after = after};
}

void grouping_add(struct grouping *grouping, const struct finding *finding, const char *detail, const char *format, ...)
{
    struct text sentence = {0};
    va_list args;
    va_start(args, format);
    text_addv(&sentence, format, args);
    va_end(args);
    if (grouping->count == grouping->capacity) {
        grouping->capacity = grouping->capacity ? 2 * grouping->capacity : 8;
        struct grouping_item *grown = ARENA_NEW(grouping->out->arena, struct grouping_item, grouping->capacity);
        if (grouping->count > 0)
            memcpy(grown, grouping->items, grouping->count * sizeof *grown);
        grouping->items = grown;
    }
    const char *copy = arena_string(grouping->out->arena, text_string(&sentence));
    grouping->items[grouping->count++] = (struct grouping_item){*finding, detail, copy, false};
    text_release(&sentence);
}

const char *grouping_mesh(const struct grouping *grouping)
{
    const char *mesh = grouping->count > 0 ? grouping->items[0].finding.mesh : NULL;
    for (size_t i = 1; mesh && i < grouping->count; i++)
        if (!grouping->items[i].finding.mesh || strcmp(grouping->items[i].finding.mesh, mesh) != 0)
            return NULL;
    return mesh;
}

/* Untold items of one benignity, and of one detail where that is not NULL. */
struct group {
    const char *detail;
    size_t count;
    struct grouping_item **members;
};

static void find_group(const struct grouping *grouping, bool benign, const char *detail, struct group *out)
{
    out->detail = detail;
    out->count = 0;
    for (size_t i = 0; i < grouping->count; i++) {
        struct grouping_item *item = &grouping->items[i];
        if (!item->is_said && item->finding.benign == benign &&
            (!detail || (item->detail && strcmp(item->detail, detail) == 0)))
            out->members[out->count++] = item;
    }
}

static void add_name(struct text *text, const struct grouping *grouping, const struct grouping_item *item)
{
    const char *name = grouping->names_meshes ? item->finding.mesh : item->finding.subject;
    if (grouping->names_meshes)
        name_quote(name ? name : "", '`', text);
    else
        text_addf(text, "`%s`", name ? name : "");
}

/* "`a`, `b`, `c` and 9 more", without the item `skip`. */
static void add_names(struct text *text, const struct grouping *grouping, const struct group *group,
                      const struct grouping_item *skip)
{
    enum { SHOWN = 3 };
    size_t total = group->count - (skip != NULL), shown = 0;
    size_t most = total == SHOWN + 1 ? total : SHOWN; /* "and 1 more" is no shorter than its name */
    for (size_t i = 0; i < group->count && shown < most; i++) {
        if (group->members[i] == skip)
            continue;
        text_add(text, shown == 0 ? "" : shown + 1 == total ? " and " : ", ");
        add_name(text, grouping, group->members[i]);
        shown++;
    }
    if (total > shown)
        text_addf(text, " and %zu more", total - shown);
}

/* One finding for all members. Its figures are those of the largest displacement, or the first where there are none;
 * its measure is the largest. */
static void report_together(const struct grouping *grouping, const struct group *group)
{
    struct text text = {0};
    const struct grouping_item *worst = group->members[0];
    for (size_t i = 1; i < group->count; i++) {
        double most = worst->finding.displacement, displacement = group->members[i]->finding.displacement;
        if (displacement > most || (isnan(most) && !isnan(displacement)))
            worst = group->members[i];
    }
    text_addf(&text, "%s%zu%s", grouping->before, group->count, grouping->after);
    if (group->detail) {
        text_addf(&text, "%s %s (", grouping->details_are_predicates ? "" : ":", group->detail);
        add_names(&text, grouping, group, NULL);
        text_add(&text, ")");
    } else if (worst->detail) {
        const char *which = isnan(worst->finding.displacement) ? "such as" : "worst";
        text_addf(&text, "%s, %s ", grouping->details_are_predicates ? " differ" : "", which);
        add_name(&text, grouping, worst);
        text_addf(&text, ": %s; also ", worst->detail);
        add_names(&text, grouping, group, worst);
    } else {
        text_add(&text, ": ");
        add_names(&text, grouping, group, NULL);
    }
    struct finding finding = worst->finding;
    for (size_t i = 0; i < group->count; i++) {
        const struct finding *member = &group->members[i]->finding;
        group->members[i]->is_said = true;
        if (!(member->measure <= finding.measure)) {
            finding.tolerance = member->tolerance;
            finding.measure = member->measure;
        }
    }
    findings_add(grouping->out, &finding, "%s", text_string(&text));
    text_release(&text);
}

void grouping_end(struct grouping *grouping)
{
    enum { FEWEST_EQUAL = 3, MOST_SEARCHED = 2000 }; /* beyond, one group of all is what a reader gets anyway */
    struct group group = {.members = ARENA_NEW(grouping->out->arena, struct grouping_item *, grouping->count)};
    for (int benign = 0; benign <= 1; benign++) {
        for (size_t i = 0; i < grouping->count && i < MOST_SEARCHED; i++) {
            const struct grouping_item *item = &grouping->items[i];
            if (item->is_said || item->finding.benign != benign || !item->detail)
                continue;
            find_group(grouping, benign, item->detail, &group);
            if (group.count >= FEWEST_EQUAL)
                report_together(grouping, &group);
        }
        find_group(grouping, benign, NULL, &group);
        if (group.count > GROUPING_MOST)
            report_together(grouping, &group);
        for (size_t i = 0; i < group.count && group.count <= GROUPING_MOST; i++)
            findings_add(grouping->out, &group.members[i]->finding, "%s", group.members[i]->sentence);
    }
    grouping->count = 0;
}
