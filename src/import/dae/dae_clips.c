#define _POSIX_C_SOURCE 200809L /* strndup */

#include "import/convert.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "import/dae/dae_file.h"

/* The value of an attribute; NULL without it. The caller frees it. */
static char *attribute(const struct dae_tag *tag, const char *name)
{
    struct dae_text value = dae_attribute(tag, name);
    return value.data ? strndup(value.data, value.length) : NULL;
}

bool dae_names_clips(const struct blob *file)
{
    struct dae_tag tag;
    for (const char *at = (const char *)file->data; dae_next_tag(at, &tag); at = tag.end)
        if (dae_tag_is(&tag, "animation_clip"))
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
static bool join_tag(struct joining *j, const struct dae_tag *tag, struct error *err)
{
    bool keep = true, good = true;
    if (dae_tag_is(tag, "library_animations")) {
        if (tag->closes && j->begun)
            text_add(j->out, "</animation>");
        j->inside = !tag->closes && !tag->empty;
        j->libraries += j->inside;
        j->begun = j->begun && !tag->closes;
    } else if (j->inside && dae_tag_is(tag, "animation")) {
        keep = !j->begun && !tag->closes && !tag->empty;
        j->begun = j->begun || keep;
    } else if (j->inside && dae_tag_is(tag, "sampler") && !tag->closes) {
        good = add_name(&j->samplers, attribute(tag, "id"), "a sampler has no id", err);
    } else if (j->inside && dae_tag_is(tag, "channel") && !tag->closes) {
        good = add_name(&j->targets, attribute(tag, "target"), "a channel has no target", err);
    }
    text_add_bytes(j->out, tag->begin, keep ? (size_t)(tag->end - tag->begin) : 0);
    return good;
}

bool dae_join_animations(const struct blob *file, struct text *out, struct error *err)
{
    struct joining j = {.out = out};
    struct dae_tag tag;
    const char *at = (const char *)file->data;
    bool good = true;
    for (; good && dae_next_tag(at, &tag); at = tag.end) {
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
