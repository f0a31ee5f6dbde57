#include "suite/file/yaml_tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/file/file.h"
#include "base/memory.h"

enum { MOST_BYTES = 16 << 20, DEEPEST = 32, MOST_ANCHORS = 1000, MOST_KEYS = 256, NODE_WEIGHT = 64 };

struct anchor {
    const char *name;
    const struct tree_node *node; /* NULL while it is read: an alias to it would be a circle */
};

struct composer {
    yaml_parser_t parser;
    struct tree *tree;
    struct arena *arena;
    struct error *err;
    int depth;
    size_t weight; /* of all nodes so far */
    size_t anchor_count;
    struct anchor anchors[MOST_ANCHORS];
    size_t open_count; /* what stands in lists and mappings that are not closed yet */
    size_t open_capacity;
    const struct tree_node **open;
};

/* ---- messages -------------------------------------------------------------------------------------------------- */

bool tree_error(const struct tree *tree, const struct tree_node *at, struct error *err, const char *format, ...)
{
    char text[sizeof err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_set(err, "%s:%d:%d: %s", tree->path, at->line, at->column, text);
}

#define FAIL_AT(c, mark, ...)                                                                                          \
    tree_error((c)->tree, &(struct tree_node){.line = (int)(mark).line + 1, .column = (int)(mark).column + 1},         \
               (c)->err, __VA_ARGS__)

/* Bytes that are no text have an offset and no line. */
static yaml_mark_t mark_of_offset(const struct blob *file, size_t offset)
{
    yaml_mark_t mark = {0};
    for (size_t i = 0; i < offset && i < file->size; i++) {
        mark.column += (file->data[i] & 0xc0) != 0x80;
        if (file->data[i] == '\n') {
            mark.line++;
            mark.column = 0;
        }
    }
    return mark;
}

static bool fail_as_parser_says(struct composer *c, const struct blob *file)
{
    const yaml_parser_t *p = &c->parser;
    if (error_is_set(c->err) || p->error == YAML_NO_ERROR)
        return false;
    if (p->error == YAML_MEMORY_ERROR)
        memory_exhausted("%s", c->tree->path);
    yaml_mark_t mark = p->error == YAML_READER_ERROR ? mark_of_offset(file, p->problem_offset) : p->problem_mark;
    char since[64] = "";
    if (p->context && p->context_mark.line != mark.line)
        snprintf(since, sizeof since, " that begins on line %zu", p->context_mark.line + 1);
    return FAIL_AT(c, mark, "not YAML: %s%s%s%s", p->problem ? p->problem : "unreadable", p->context ? " " : "",
                   p->context ? p->context : "", since);
}

/* ---- nodes ----------------------------------------------------------------------------------------------------- */

/* A node with so much more in it; NULL with the error set when the tree gets too large. */
static struct tree_node *add_node(struct composer *c, const yaml_event_t *event, enum tree_kind kind, size_t more)
{
    if (c->weight + more + NODE_WEIGHT > TREE_MOST_WEIGHT) {
        FAIL_AT(c, event->start_mark, "the file, or what its aliases make of it, is too large");
        return NULL;
    }
    struct tree_node *node = ARENA_NEW(c->arena, struct tree_node, 1);
    node->kind = kind;
    node->line = (int)event->start_mark.line + 1;
    node->column = (int)event->start_mark.column + 1;
    c->weight += NODE_WEIGHT + more;
    return node;
}

static void push(struct composer *c, const struct tree_node *node)
{
    if (c->open_count == c->open_capacity) {
        c->open_capacity = c->open_capacity ? 2 * c->open_capacity : 256;
        c->open = memory_grow(c->open, c->open_capacity, sizeof *c->open);
    }
    c->open[c->open_count++] = node;
}

/* `count` of what was pushed, each `step`-th since `first`. */
static const struct tree_node *const *gather(struct composer *c, size_t first, size_t count, size_t step)
{
    const struct tree_node **items = ARENA_NEW(c->arena, const struct tree_node *, count);
    for (size_t i = 0; i < count; i++)
        items[i] = c->open[first + step * i];
    return items;
}

/* ---- events ---------------------------------------------------------------------------------------------------- */

static const struct tree_node *compose(struct composer *c, const yaml_event_t *event);

/* The next event, to be deleted by the caller; false when there is none: the parser knows why. */
static bool next_event(struct composer *c, yaml_event_t *event)
{
    *event = (yaml_event_t){0};
    return yaml_parser_parse(&c->parser, event) != 0;
}

/* A name defined twice means its last definition. */
static const struct tree_node *compose_alias(struct composer *c, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    for (size_t i = c->anchor_count; i-- > 0;) {
        const struct anchor *anchor = &c->anchors[i];
        if (strcmp(anchor->name, name) != 0)
            continue;
        if (!anchor->node)
            FAIL_AT(c, event->start_mark, "the alias `%s` is inside of what it stands for", name);
        else if (c->weight + anchor->node->weight + NODE_WEIGHT > TREE_MOST_WEIGHT)
            FAIL_AT(c, event->start_mark, "the file, or what its aliases make of it, is too large");
        else {
            c->weight += anchor->node->weight;
            return anchor->node;
        }
        return NULL;
    }
    FAIL_AT(c, event->start_mark, "no anchor `%s` comes before this alias", name);
    return NULL;
}

static struct tree_node *compose_text(struct composer *c, const yaml_event_t *event)
{
    size_t length = event->data.scalar.length;
    const char *value = (const char *)event->data.scalar.value;
    if (memchr(value, '\0', length)) {
        FAIL_AT(c, event->start_mark, "a text with a NUL character");
        return NULL;
    }
    struct tree_node *node = add_node(c, event, TREE_TEXT, length);
    if (node)
        node->text = arena_string(c->arena, value);
    return node;
}

/* Composes what comes until the container ends, and pushes it. */
static bool push_one(struct composer *c, yaml_event_type_t end, bool *ended)
{
    yaml_event_t event;
    if (!next_event(c, &event))
        return false;
    *ended = event.type == end;
    const struct tree_node *node = *ended ? NULL : compose(c, &event);
    yaml_event_delete(&event);
    if (node)
        push(c, node);
    return *ended || node;
}

static bool fill_list(struct composer *c, struct tree_node *list)
{
    size_t first = c->open_count;
    bool ended = false;
    while (!ended)
        if (!push_one(c, YAML_SEQUENCE_END_EVENT, &ended))
            return false;
    list->count = c->open_count - first;
    list->items = gather(c, first, list->count, 1);
    c->open_count = first;
    return true;
}

/* The key that was pushed last, against those before it. */
static bool is_new_key(struct composer *c, size_t first)
{
    const struct tree_node *key = c->open[c->open_count - 1];
    if (key->kind != TREE_TEXT)
        return tree_error(c->tree, key, c->err, "a key must be a word");
    if ((c->open_count - first) / 2 >= MOST_KEYS)
        return tree_error(c->tree, key, c->err, "more than %d keys", MOST_KEYS);
    for (size_t i = first; i + 1 < c->open_count; i += 2)
        if (strcmp(c->open[i]->text, key->text) == 0)
            return tree_error(c->tree, key, c->err, "`%s` is there twice, also on line %d", key->text,
                              c->open[i]->line);
    return true;
}

static bool fill_mapping(struct composer *c, struct tree_node *mapping)
{
    size_t first = c->open_count;
    bool ended = false;
    for (;;) {
        if (!push_one(c, YAML_MAPPING_END_EVENT, &ended))
            return false;
        if (ended)
            break;
        if (!is_new_key(c, first) || !push_one(c, YAML_NO_EVENT, &ended))
            return false;
    }
    mapping->count = (c->open_count - first) / 2;
    mapping->keys = gather(c, first, mapping->count, 2);
    mapping->items = gather(c, first + 1, mapping->count, 2);
    c->open_count = first;
    return true;
}

static struct tree_node *compose_container(struct composer *c, const yaml_event_t *event)
{
    bool is_list = event->type == YAML_SEQUENCE_START_EVENT;
    if (c->depth == DEEPEST) {
        FAIL_AT(c, event->start_mark, "nested too deeply");
        return NULL;
    }
    struct tree_node *node = add_node(c, event, is_list ? TREE_LIST : TREE_MAPPING, 0);
    c->depth++;
    bool good = node && (is_list ? fill_list(c, node) : fill_mapping(c, node));
    c->depth--;
    return good ? node : NULL;
}

static const struct tree_node *compose(struct composer *c, const yaml_event_t *event)
{
    if (event->type == YAML_ALIAS_EVENT)
        return compose_alias(c, event);
    bool is_text = event->type == YAML_SCALAR_EVENT, is_list = event->type == YAML_SEQUENCE_START_EVENT;
    const yaml_char_t *name = is_text   ? event->data.scalar.anchor
                              : is_list ? event->data.sequence_start.anchor
                                        : event->data.mapping_start.anchor;
    const yaml_char_t *tag = is_text   ? event->data.scalar.tag
                             : is_list ? event->data.sequence_start.tag
                                       : event->data.mapping_start.tag;
    struct anchor *anchor = name ? &c->anchors[c->anchor_count] : NULL;
    size_t before = c->weight;
    if (tag || (name && c->anchor_count == MOST_ANCHORS)) {
        if (tag)
            FAIL_AT(c, event->start_mark, "the tag `%s` means nothing here", (const char *)tag);
        else
            FAIL_AT(c, event->start_mark, "more than %d anchors", MOST_ANCHORS);
        return NULL;
    }
    if (anchor) {
        *anchor = (struct anchor){.name = arena_string(c->arena, (const char *)name)};
        c->anchor_count++;
    }
    struct tree_node *node = is_text ? compose_text(c, event) : compose_container(c, event);
    if (node)
        node->weight = c->weight - before;
    if (anchor)
        anchor->node = node;
    return node;
}

/* ---- the file -------------------------------------------------------------------------------------------------- */

/* The one document: what is between its start and its end. */
static bool compose_document(struct composer *c)
{
    yaml_event_t event;
    int documents = 0;
    bool good = true;
    for (bool more = true; good && more;) {
        if (!next_event(c, &event))
            return false;
        more = event.type != YAML_STREAM_END_EVENT;
        if (event.type == YAML_DOCUMENT_START_EVENT && ++documents > 1)
            good = FAIL_AT(c, event.start_mark, "a second document begins; a suite is one");
        bool is_content = more && event.type != YAML_STREAM_START_EVENT && event.type != YAML_DOCUMENT_START_EVENT &&
                          event.type != YAML_DOCUMENT_END_EVENT;
        if (good && is_content)
            good = (c->tree->root = compose(c, &event)) != NULL;
        yaml_event_delete(&event);
    }
    return good && (documents == 1 || error_set(c->err, "%s:1:1: there is nothing in the file", c->tree->path));
}

bool yaml_tree_read(struct tree *tree, const char *path, struct arena *arena, struct error *err)
{
    struct blob file;
    *tree = (struct tree){.path = path};
    if (!file_read(path, MOST_BYTES, &file, err))
        return false;
    struct composer *c = memory_new(1, sizeof *c);
    c->tree = tree;
    c->arena = arena;
    c->err = err;
    if (!yaml_parser_initialize(&c->parser))
        memory_exhausted("%s", path);
    yaml_parser_set_input_string(&c->parser, file.data, file.size);
    bool good = compose_document(c) || fail_as_parser_says(c, &file);
    yaml_parser_delete(&c->parser);
    free(c->open);
    free(c);
    blob_release(&file);
    return good;
}

const struct tree_node *tree_get(const struct tree_node *mapping, const char *name, const struct tree_node **key)
{
    for (size_t i = 0; i < mapping->count; i++)
        if (strcmp(mapping->keys[i]->text, name) == 0) {
            if (key)
                *key = mapping->keys[i];
            return mapping->items[i];
        }
    if (key)
        *key = NULL;
    return NULL;
}
