#include "import/dae/dae_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/convert.h"

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

bool dae_next_tag(const char *at, struct dae_tag *tag)
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
    *tag = (struct dae_tag){.begin = at, .end = end_of_tag(at), .closes = at[1] == '/'};
    tag->name.data = at + 1 + tag->closes;
    tag->name.length = strcspn(tag->name.data, " \t\r\n/>");
    tag->empty = !tag->closes && tag->end - at > 2 && tag->end[-2] == '/';
    return true;
}

bool dae_text_is(struct dae_text text, const char *expected)
{
    return text.length == strlen(expected) && memcmp(text.data, expected, text.length) == 0;
}

bool dae_tag_is(const struct dae_tag *tag, const char *name)
{
    return dae_text_is(tag->name, name);
}

struct dae_text dae_attribute(const struct dae_tag *tag, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = tag->name.data + tag->name.length; at < tag->end; at++) {
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
            return (struct dae_text){value + 1, (size_t)(close - value - 1)};
    }
    return (struct dae_text){NULL, 0};
}

/* What is read, and where it is in the tree. */
struct reading {
    struct dae_file *file;
    bool animates;          /* in <library_animations> */
    size_t source, sampler; /* the items that <accessor> and <input> belong to; NONE */
    size_t depth;
    size_t node_count;
    struct open_node {
        struct dae_text id;
        size_t depth;
    } * nodes; /* those that are open, the innermost last */
};

static const size_t none = (size_t)-1;

static struct dae_item *add_item(struct reading *r, const struct dae_tag *tag, enum dae_kind kind, struct dae_text id)
{
    struct dae_file *file = r->file;
    if ((file->count & (file->count - 1)) == 0)
        file->items = memory_grow(file->items, file->count ? 2 * file->count : 1, sizeof *file->items);
    struct dae_item *item = &file->items[file->count++];
    *item = (struct dae_item){.id = id, .kind = kind, .at = tag->begin, .content = tag->end};
    return item;
}

static struct dae_text reference(const struct dae_tag *tag)
{
    struct dae_text text = dae_attribute(tag, "source");
    bool is_local = text.length > 0 && text.data[0] == '#';
    return is_local ? (struct dae_text){text.data + 1, text.length - 1} : text;
}

static size_t whole(const struct dae_tag *tag, const char *name, size_t fallback)
{
    struct dae_text text = dae_attribute(tag, name);
    return text.data ? strtoul(text.data, NULL, 10) : fallback; /* ends at the quote */
}

static void read_animation(struct reading *r, const struct dae_tag *tag)
{
    static const char *const semantics[DAE_INPUTS] = {"INPUT", "OUTPUT", "INTERPOLATION", "IN_TANGENT", "OUT_TANGENT"};
    struct dae_item *source = r->source == none ? NULL : &r->file->items[r->source];
    if (dae_tag_is(tag, "source") || dae_tag_is(tag, "sampler")) {
        bool is_source = dae_tag_is(tag, "source");
        add_item(r, tag, is_source ? DAE_SOURCE : DAE_SAMPLER, dae_attribute(tag, "id"));
        *(is_source ? &r->source : &r->sampler) = r->file->count - 1;
    } else if (source && (dae_tag_is(tag, "float_array") || dae_tag_is(tag, "Name_array"))) {
        source->content = tag->end;
    } else if (source && dae_tag_is(tag, "accessor")) {
        source->count = whole(tag, "count", 0);
        source->stride = whole(tag, "stride", 1);
        source->offset = whole(tag, "offset", 0);
    } else if (r->sampler != none && dae_tag_is(tag, "input")) {
        for (int i = 0; i < DAE_INPUTS; i++)
            if (dae_text_is(dae_attribute(tag, "semantic"), semantics[i]))
                r->file->items[r->sampler].inputs[i] = reference(tag);
    } else if (dae_tag_is(tag, "channel")) {
        struct dae_text target = dae_attribute(tag, "target");
        const char *slash = target.length ? memchr(target.data, '/', target.length) : NULL;
        size_t length = slash ? (size_t)(slash - target.data) : target.length;
        struct dae_item *channel = add_item(r, tag, DAE_CHANNEL, (struct dae_text){target.data, length});
        channel->inputs[0] = reference(tag);
        if (slash) {
            const char *sid = slash + 1, *end = target.data + target.length, *member = sid;
            while (member < end && *member != '.' && *member != '(')
                member++;
            channel->sid = (struct dae_text){sid, (size_t)(member - sid)};
            channel->member = (struct dae_text){member, (size_t)(end - member)};
        }
    }
}

static void read_node_part(struct reading *r, const struct dae_tag *tag)
{
    static const char *const kinds[] = {"translate", "rotate", "scale",
                                        "matrix",    "skew",   "lookat"}; /* in their order */
    const struct open_node *node = r->node_count > 0 ? &r->nodes[r->node_count - 1] : NULL;
    for (int i = 0; i < 6 && node && r->depth == node->depth + 1; i++)
        if (dae_tag_is(tag, kinds[i]))
            add_item(r, tag, i < 4 ? (enum dae_kind)(DAE_TRANSLATE + i) : DAE_OTHER, node->id)->sid =
                dae_attribute(tag, "sid");
    if (!dae_tag_is(tag, "node") || tag->empty)
        return;
    r->nodes = memory_grow(r->nodes, r->node_count + 1, sizeof *r->nodes); /* not `node` any more */
    r->nodes[r->node_count++] = (struct open_node){dae_attribute(tag, "id"), r->depth};
}

/* Byte by byte; texts that are not there before all. */
static int compare_texts(struct dae_text a, struct dae_text b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter > 0 ? memcmp(a.data, b.data, shorter) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

bool dae_texts_are_one(struct dae_text a, struct dae_text b)
{
    return compare_texts(a, b) == 0;
}

static int by_id(const void *a, const void *b)
{
    const struct dae_item *x = a, *y = b;
    const enum dae_kind left = x->kind < DAE_TRANSLATE ? x->kind : DAE_TRANSLATE; /* transforms as in the file */
    const enum dae_kind right = y->kind < DAE_TRANSLATE ? y->kind : DAE_TRANSLATE;
    int order = compare_texts(x->id, y->id);
    order = order ? order : (left > right) - (left < right);
    if (order == 0 && left == DAE_CHANNEL)
        order = compare_texts(x->sid, y->sid);
    if (order == 0 && left == DAE_CHANNEL)
        order = compare_texts(x->member, y->member);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

void dae_file_read(const struct blob *blob, struct dae_file *file)
{
    struct reading r = {.file = file, .source = none, .sampler = none};
    struct dae_tag tag;
    *file = (struct dae_file){0};
    for (const char *at = (const char *)blob->data; dae_next_tag(at, &tag); at = tag.end) {
        if (tag.closes) {
            r.depth -= r.depth > 0;
            r.node_count -= r.node_count > 0 && r.nodes[r.node_count - 1].depth >= r.depth;
        }
        if (dae_tag_is(&tag, "library_animations"))
            r.animates = !tag.closes && !tag.empty;
        else if (tag.closes && dae_tag_is(&tag, "source"))
            r.source = none;
        else if (tag.closes && dae_tag_is(&tag, "sampler"))
            r.sampler = none;
        else if (!tag.closes && r.animates)
            read_animation(&r, &tag);
        else if (!tag.closes)
            read_node_part(&r, &tag);
        r.depth += !tag.closes && !tag.empty;
    }
    free(r.nodes);
    if (file->count > 0)
        qsort(file->items, file->count, sizeof *file->items, by_id);
}

void dae_file_close(struct dae_file *file)
{
    free(file->items);
}

const struct dae_item *dae_find(const struct dae_file *file, struct dae_text id, size_t *count)
{
    const struct dae_item key = {.id = id}; /* before all of that id: no kind is lower, no place */
    size_t first = lower_bound(&key, file->items, file->count, sizeof key, by_id);
    *count = 0;
    while (first + *count < file->count && dae_texts_are_one(file->items[first + *count].id, id))
        ++*count;
    return *count > 0 ? &file->items[first] : NULL;
}

const struct dae_item *dae_find_kind(const struct dae_file *file, struct dae_text id, enum dae_kind kind)
{
    size_t count;
    const struct dae_item *items = dae_find(file, id, &count);
    for (size_t i = 0; i < count; i++)
        if (items[i].kind == kind)
            return &items[i];
    return NULL;
}

double *dae_numbers(const char *text, size_t count)
{
    if (count == 0 || count > strcspn(text, "<")) /* so many have no room */
        return NULL;
    double *numbers = memory_new(count, sizeof *numbers);
    for (size_t i = 0; i < count; i++) {
        char *end;
        numbers[i] = strtod(text, &end);
        if (end == text || !isfinite(numbers[i])) {
            free(numbers);
            return NULL;
        }
        text = end;
    }
    return numbers;
}

double *dae_source_numbers(const struct dae_item *source)
{
    const size_t most = (size_t)1 << 26;
    if (source->count > most || source->stride == 0 || source->stride > 32 || source->offset > most)
        return NULL;
    double *numbers = dae_numbers(source->content, source->offset + source->count * source->stride);
    if (numbers)
        memmove(numbers, numbers + source->offset, source->count * source->stride * sizeof *numbers);
    return numbers;
}
