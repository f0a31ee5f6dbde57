#define _POSIX_C_SOURCE 200809L /* strndup */

#include "import/convert.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

struct tag {
    const char *begin, *end; /* with its brackets */
    const char *name;
    size_t name_length;
    bool closes; /* </name> */
    bool empty;  /* <name/> */
};

/* The '>' that ends a tag; one in quotes does not. */
static const char *end_of_tag(const char *at)
{
    for (char quote = '\0'; *at && (quote || *at != '>'); at++) {
        if (quote)
            quote = *at == quote ? '\0' : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
    }
    return *at ? at + 1 : at;
}

/* The next tag from `at` on; comments, CDATA, declarations are skipped. The file ends at its first NUL. */
static bool next_tag(const char *at, struct tag *tag)
{
    static const char *const skipped[][2] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
    while ((at = strchr(at, '<')) != NULL) {
        const char *end = at[1] == '!' ? end_of_tag(at) : NULL;
        for (int i = 2; i >= 0; i--) {
            size_t begin = strlen(skipped[i][0]);
            if (strncmp(at, skipped[i][0], begin) != 0)
                continue;
            const char *mark = strstr(at + begin, skipped[i][1]);
            end = mark ? mark + strlen(skipped[i][1]) : at + strlen(at);
        }
        if (!end)
            break;
        at = end;
    }
    if (!at)
        return false;
    *tag = (struct tag){.begin = at, .end = end_of_tag(at), .closes = at[1] == '/'};
    tag->name = at + 1 + tag->closes;
    tag->name_length = strcspn(tag->name, " \t\r\n/>");
    tag->empty = !tag->closes && tag->end - at > 2 && tag->end[-2] == '/';
    return true;
}

static bool is_named(const struct tag *tag, const char *name)
{
    return tag->name_length == strlen(name) && memcmp(tag->name, name, tag->name_length) == 0;
}

/* The value of an attribute as it stands; NULL without it. The caller frees it. */
static char *attribute(const struct tag *tag, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = tag->name + tag->name_length; at < tag->end; at++) {
        if (*at == '"' || *at == '\'') { /* another one's value */
            const char *close = memchr(at + 1, *at, (size_t)(tag->end - at - 1));
            at = close ? close : tag->end;
            continue;
        }
        if (!strchr(" \t\r\n", *at) || strncmp(at + 1, name, length) != 0)
            continue;
        const char *value = at + 1 + length;
        value += strspn(value, " \t\r\n=");
        const char *close = *value == '"' || *value == '\'' ? strchr(value + 1, *value) : NULL;
        if (close && close < tag->end)
            return strndup(value + 1, (size_t)(close - value - 1));
    }
    return NULL;
}

bool dae_names_clips(const struct blob *file)
{
    struct tag tag;
    for (const char *at = (const char *)file->data; next_tag(at, &tag); at = tag.end)
        if (is_named(&tag, "animation_clip"))
            return true;
    return false;
}

struct names {
    char **items;
    size_t count;
};

static bool add_name(struct names *names, char *name, const char *what, struct error *err)
{
    names->items = memory_grow(names->items, names->count + 1, sizeof *names->items);
    names->items[names->count] = name;
    names->count += name != NULL;
    return name || error_set(err, "%s", what);
}

static void release_names(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
}

/* Length of "node/transform" in "node/transform.X" or "node/transform(3)(0)". */
static size_t transform_length(const char *target)
{
    return strcspn(target, ".(");
}

/* By transform, the whole one before its parts. */
static int by_transform(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    size_t left = transform_length(x), right = transform_length(y);
    int order = memcmp(x, y, left < right ? left : right);
    if (order == 0 && left != right)
        order = left < right ? -1 : 1;
    return order ? order : strcmp(x, y);
}

static bool check_names(struct names *samplers, struct names *targets, struct error *err)
{
    if (samplers->count > 0)
        qsort(samplers->items, samplers->count, sizeof *samplers->items, compare_strings);
    for (size_t i = 1; i < samplers->count; i++)
        if (strcmp(samplers->items[i - 1], samplers->items[i]) == 0)
            return error_set(err, "two samplers have the id \"%s\"", samplers->items[i]);
    if (targets->count > 0)
        qsort(targets->items, targets->count, sizeof *targets->items, by_transform);
    for (size_t i = 0; i < targets->count; i++) {
        const char *target = targets->items[i], *before = i > 0 ? targets->items[i - 1] : "";
        size_t length = transform_length(target);
        if (!strchr(target, '/'))
            return error_set(err, "the channel on \"%s\" moves no node", target);
        bool same = transform_length(before) == length && memcmp(before, target, length) == 0;
        if (same && (before[length] == '\0' || strcmp(before, target) == 0))
            return error_set(err, "two channels move \"%s\"", before);
    }
    return true;
}

struct joining {
    struct text *out;
    struct names samplers;
    struct names targets;
    unsigned libraries;
    bool inside; /* of <library_animations> */
    bool begun;  /* an <animation> is open */
};

/* Writes the tag or leaves it out. */
static bool join_tag(struct joining *j, const struct tag *tag, struct error *err)
{
    bool keep = true, good = true;
    if (is_named(tag, "library_animations")) {
        if (tag->closes && j->begun)
            text_add(j->out, "</animation>");
        j->inside = !tag->closes && !tag->empty;
        j->libraries += j->inside;
        j->begun = j->begun && !tag->closes;
    } else if (j->inside && is_named(tag, "animation")) {
        keep = !j->begun && !tag->closes && !tag->empty;
        j->begun = j->begun || keep;
    } else if (j->inside && is_named(tag, "sampler") && !tag->closes) {
        good = add_name(&j->samplers, attribute(tag, "id"), "a sampler has no id", err);
    } else if (j->inside && is_named(tag, "channel") && !tag->closes) {
        good = add_name(&j->targets, attribute(tag, "target"), "a channel has no target", err);
    }
    text_add_bytes(j->out, tag->begin, keep ? (size_t)(tag->end - tag->begin) : 0);
    return good;
}

bool dae_join_animations(const struct blob *file, struct text *out, struct error *err)
{
    struct joining j = {.out = out};
    struct tag tag;
    const char *at = (const char *)file->data;
    bool good = true;
    for (; good && next_tag(at, &tag); at = tag.end) {
        text_add_bytes(out, at, (size_t)(tag.begin - at));
        good = join_tag(&j, &tag, err);
    }
    text_add(out, at);
    if (good && j.libraries != 1)
        good = error_set(err, j.libraries ? "there is more than one <library_animations>"
                                          : "no <library_animations> is found");
    good = good && check_names(&j.samplers, &j.targets, err);
    release_names(&j.samplers);
    release_names(&j.targets);
    return good;
}
