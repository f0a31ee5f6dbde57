#include "compare/folding.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"

struct fold_item {
    struct finding finding;
    const char *detail;
    const char *sentence;
    bool told;
};

enum { FEWEST_EQUAL = 3, NAMES_SHOWN = 3 };

struct fold fold_begin(struct findings *out, const char *before, const char *after)
{
    return (struct fold){.out = out, .before = before, .after = after};
}

static void reserve_one(struct fold *fold)
{
    if (fold->count < fold->capacity)
        return;
    size_t capacity = fold->capacity ? 2 * fold->capacity : 8;
    struct fold_item *items = ARENA_NEW(fold->out->arena, struct fold_item, capacity);
    if (fold->count > 0)
        memcpy(items, fold->items, fold->count * sizeof *items);
    fold->items = items;
    fold->capacity = capacity;
}

void fold_add(struct fold *fold, const struct finding *finding, const char *detail, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *sentence = ARENA_NEW(fold->out->arena, char, (size_t)(n > 0 ? n : 0) + 1);
    va_start(args, format);
    vsnprintf(sentence, (size_t)(n > 0 ? n : 0) + 1, format, args);
    va_end(args);
    reserve_one(fold);
    fold->items[fold->count++] = (struct fold_item){*finding, detail, sentence, false};
}

/* ---- many in one sentence ---------------------------------------------------------------------------------------- */

/* Members of a group: untold items with this benignity, and this detail when `detail` is not NULL. */
struct group {
    bool benign;
    const char *detail;
};

static bool is_member(const struct fold_item *item, const struct group *group)
{
    return !item->told && item->finding.benign == group->benign &&
           (!group->detail || (item->detail && strcmp(item->detail, group->detail) == 0));
}

static size_t count_members(const struct fold *fold, const struct group *group)
{
    size_t count = 0;
    for (size_t i = 0; i < fold->count; i++)
        count += is_member(&fold->items[i], group);
    return count;
}

/* The largest displacement; the first where there are none. */
static size_t worst_member(const struct fold *fold, const struct group *group)
{
    size_t worst = fold->count;
    for (size_t i = 0; i < fold->count; i++) {
        if (!is_member(&fold->items[i], group))
            continue;
        if (worst == fold->count || fold->items[i].finding.displacement > fold->items[worst].finding.displacement ||
            (isnan(fold->items[worst].finding.displacement) && !isnan(fold->items[i].finding.displacement)))
            worst = i;
    }
    return worst;
}

static const char *name_of(const struct fold *fold, const struct fold_item *item)
{
    const char *name = fold->names_meshes ? item->finding.mesh : item->finding.subject;
    return name ? name : "";
}

static void add_name(struct text *text, const struct fold *fold, const struct fold_item *item)
{
    if (fold->names_meshes)
        name_quote(name_of(fold, item), '`', text);
    else
        text_addf(text, "`%s`", name_of(fold, item));
}

/* "`a`, `b`, `c` and 9 more", without item `skip`. */
static void add_names(struct text *text, const struct fold *fold, const struct group *group, size_t skip)
{
    size_t total = count_members(fold, group) - (skip < fold->count), shown = 0;
    size_t most = total == NAMES_SHOWN + 1 ? total : NAMES_SHOWN; /* "and 1 more" is no shorter than its name */
    for (size_t i = 0; i < fold->count && shown < most; i++) {
        if (i == skip || !is_member(&fold->items[i], group))
            continue;
        bool last = shown + 1 == total;
        text_add(text, shown == 0 ? "" : last ? " and " : ", ");
        add_name(text, fold, &fold->items[i]);
        shown++;
    }
    if (total > shown)
        text_addf(text, " and %zu more", total - shown);
}

/* Adds one finding for all members; its figures are the worst one's. */
static void tell_together(struct fold *fold, const struct group *group)
{
    struct text text = {0};
    size_t worst = worst_member(fold, group);
    const struct fold_item *item = &fold->items[worst];
    text_addf(&text, "%s%zu%s", fold->before, count_members(fold, group), fold->after);
    if (group->detail) {
        text_addf(&text, "%s %s (", fold->details_are_predicates ? "" : ":", group->detail);
        add_names(&text, fold, group, fold->count);
        text_add(&text, ")");
    } else if (item->detail) {
        const char *which = isnan(item->finding.displacement) ? "such as" : "worst";
        text_addf(&text, "%s, %s ", fold->details_are_predicates ? " differ" : "", which);
        add_name(&text, fold, item);
        text_addf(&text, ": %s; also ", item->detail);
        add_names(&text, fold, group, worst);
    } else {
        text_add(&text, ": ");
        add_names(&text, fold, group, fold->count);
    }
    findings_add(fold->out, &item->finding, "%s", text_string(&text));
    text_release(&text);
    for (size_t i = 0; i < fold->count; i++)
        fold->items[i].told = fold->items[i].told || is_member(&fold->items[i], group);
}

const char *fold_mesh(const struct fold *fold)
{
    const char *mesh = fold->count > 0 ? fold->items[0].finding.mesh : NULL;
    for (size_t i = 1; mesh && i < fold->count; i++)
        if (!fold->items[i].finding.mesh || strcmp(fold->items[i].finding.mesh, mesh) != 0)
            return NULL;
    return mesh;
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static void tell_equals(struct fold *fold, bool benign)
{
    enum { MOST_SEARCHED = 2000 }; /* beyond, a fold of all is what a reader gets anyway */
    for (size_t i = 0; i < fold->count && i < MOST_SEARCHED; i++) {
        struct group equals = {benign, fold->items[i].detail};
        if (equals.detail && is_member(&fold->items[i], &equals) && count_members(fold, &equals) >= FEWEST_EQUAL)
            tell_together(fold, &equals);
    }
}

static void tell_rest(struct fold *fold, bool benign)
{
    struct group rest = {benign, NULL};
    size_t count = count_members(fold, &rest);
    if (count > FOLD_MOST) {
        tell_together(fold, &rest);
        return;
    }
    for (size_t i = 0; i < fold->count; i++)
        if (is_member(&fold->items[i], &rest))
            findings_add(fold->out, &fold->items[i].finding, "%s", fold->items[i].sentence);
}

void fold_end(struct fold *fold)
{
    for (int benign = 0; benign <= 1; benign++) {
        tell_equals(fold, benign);
        tell_rest(fold, benign);
    }
    fold->count = 0;
}
