#include "options/yaml_tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/memory.h"
#include "data/image/image.h"

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
    const struct tree_node **open;
};

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

static bool fail_as_parser_says(struct composer *c, const struct blob *file)
{
    const yaml_parser_t *p = &c->parser;
    if (error_is_set(c->err) || p->error == YAML_NO_ERROR)
        return false;
    if (p->error == YAML_MEMORY_ERROR)
        memory_exhausted("%s", c->tree->path);
    yaml_mark_t mark = {0};
    if (p->error != YAML_READER_ERROR)
        mark = p->problem_mark;
    else /* bytes that are no text have an offset and no line */
        for (size_t i = 0; i < p->problem_offset && i < file->size; i++) {
            bool ends = file->data[i] == '\n';
            mark.column = ends ? 0 : mark.column + ((file->data[i] & 0xc0) != 0x80);
            mark.line += ends;
        }
    char since[64] = "";
    if (p->context && p->context_mark.line != mark.line)
        snprintf(since, sizeof since, " that begins on line %zu", p->context_mark.line + 1);
    if (p->error != YAML_READER_ERROR && mark.index < file->size && file->data[mark.index] == '\t')
        return FAIL_AT(c, mark, "not YAML: a tab; indent with blanks");
    return FAIL_AT(c, mark, "not YAML: %s%s%s%s", p->problem ? p->problem : "unreadable", p->context ? " " : "",
                   p->context ? p->context : "", since);
}

static bool add_weight(struct composer *c, const yaml_event_t *event, size_t weight)
{
    if (c->weight + weight > TREE_MOST_WEIGHT)
        return FAIL_AT(c, event->start_mark, "the file, or what its aliases make of it, is too large");
    c->weight += weight;
    return true;
}

/* A name defined twice means its last definition. */
static const struct tree_node *compose_alias(struct composer *c, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    size_t i = c->anchor_count;
    while (i > 0 && strcmp(c->anchors[i - 1].name, name) != 0)
        i--;
    const struct tree_node *node = i > 0 ? c->anchors[i - 1].node : NULL;
    if (i == 0)
        FAIL_AT(c, event->start_mark, "no anchor `%s` comes before this alias", name);
    else if (!node)
        FAIL_AT(c, event->start_mark, "the alias `%s` is inside of what it stands for", name);
    return node && add_weight(c, event, node->weight) ? node : NULL;
}

static const struct tree_node *compose(struct composer *c, const yaml_event_t *event);

/* Checks the last key of the mapping that is open from `first` on, to which the value belongs. */
static bool check_key(struct composer *c, size_t first, const struct tree_node *value)
{
    const struct tree_node *key = c->open[c->open_count - 1];
    for (size_t i = first; i < c->open_count - 1; i += 2) {
        const struct tree_node *before = c->open[i + 1];
        if (strcmp(c->open[i]->text, key->text) != 0)
            continue;
        if (before->kind == TREE_TEXT && value->kind == TREE_TEXT)
            return tree_error(c->tree, key, c->err, "`%s` is there twice: `%s` on line %d, `%s` here", key->text,
                              before->text, c->open[i]->line, value->text);
        return tree_error(c->tree, key, c->err, "`%s` is there twice, also on line %d", key->text, c->open[i]->line);
    }
    return true;
}

/* Adds nodes until the list or the mapping ends; in a mapping keys and values take turns. */
static bool fill(struct composer *c, struct tree_node *node)
{
    const size_t first = c->open_count, step = node->kind == TREE_MAPPING ? 2 : 1;
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&c->parser, &event))
            return false;
        bool ended = event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
        const struct tree_node *child = ended ? NULL : compose(c, &event);
        yaml_event_delete(&event);
        if (ended)
            break;
        bool is_key = step == 2 && (c->open_count - first) % 2 == 0;
        if (!child)
            return false;
        if (is_key && child->kind != TREE_TEXT)
            return tree_error(c->tree, child, c->err, "a key must be a word");
        if (is_key && (c->open_count - first) / 2 >= MOST_KEYS)
            return tree_error(c->tree, child, c->err, "more than %d keys", MOST_KEYS);
        if (step == 2 && !is_key && !check_key(c, first, child))
            return false;
        c->open = memory_room(c->open, c->open_count, sizeof *c->open);
        c->open[c->open_count++] = child;
    }
    node->count = (c->open_count - first) / step;
    const struct tree_node **items = ARENA_NEW(c->arena, const struct tree_node *, node->count);
    const struct tree_node **keys = step == 2 ? ARENA_NEW(c->arena, const struct tree_node *, node->count) : NULL;
    for (size_t i = 0; i < node->count; i++) {
        items[i] = c->open[first + step * i + step - 1];
        if (keys)
            keys[i] = c->open[first + 2 * i];
    }
    node->items = items;
    node->keys = keys;
    c->open_count = first;
    return true;
}

/* The node that an event begins; NULL with the error set, by the parser or here. */
static const struct tree_node *compose(struct composer *c, const yaml_event_t *event)
{
    const bool is_text = event->type == YAML_SCALAR_EVENT, is_list = event->type == YAML_SEQUENCE_START_EVENT;
    const yaml_char_t *name = is_text   ? event->data.scalar.anchor
                              : is_list ? event->data.sequence_start.anchor
                                        : event->data.mapping_start.anchor;
    const yaml_char_t *tag = is_text   ? event->data.scalar.tag
                             : is_list ? event->data.sequence_start.tag
                                       : event->data.mapping_start.tag;
    const size_t length = is_text ? event->data.scalar.length : 0, before = c->weight;
    if (event->type == YAML_ALIAS_EVENT)
        return compose_alias(c, event);
    bool good = true;
    if (tag)
        good = FAIL_AT(c, event->start_mark, "the tag `%s` is not supported", (const char *)tag);
    else if (name && c->anchor_count == MOST_ANCHORS)
        good = FAIL_AT(c, event->start_mark, "more than %d anchors", MOST_ANCHORS);
    else if (!is_text && c->depth == DEEPEST)
        good = FAIL_AT(c, event->start_mark, "nested too deeply");
    else if (is_text && memchr(event->data.scalar.value, '\0', length))
        good = FAIL_AT(c, event->start_mark, "a text with a NUL character");
    if (!good || !add_weight(c, event, NODE_WEIGHT + length))
        return NULL;
    struct anchor *anchor = name ? &c->anchors[c->anchor_count++] : NULL;
    if (anchor)
        *anchor = (struct anchor){.name = arena_string(c->arena, (const char *)name)};
    struct tree_node *node = ARENA_NEW(c->arena, struct tree_node, 1);
    *node = (struct tree_node){.kind = is_text ? TREE_TEXT : is_list ? TREE_LIST : TREE_MAPPING,
                               .line = (int)event->start_mark.line + 1, .column = (int)event->start_mark.column + 1};
    if (is_text)
        node->text = arena_string(c->arena, (const char *)event->data.scalar.value);
    c->depth++;
    good = is_text || fill(c, node);
    c->depth--;
    node->weight = c->weight - before;
    if (anchor && good)
        anchor->node = node;
    return good ? node : NULL;
}

bool yaml_tree_read(struct tree *tree, const char *path, struct arena *arena, struct error *err)
{
    SCOPED(blob) file = {0};
    *tree = (struct tree){.path = path};
    return file_read(path, MOST_BYTES, &file, err) && yaml_tree_parse(tree, path, &file, arena, err);
}

bool yaml_tree_parse(struct tree *tree, const char *path, const struct blob *file, struct arena *arena,
                     struct error *err)
{
    *tree = (struct tree){.path = path};
    bytes_hash(file->data, file->size, tree->hash);
    FREED struct composer *c = memory_new(1, sizeof *c);
    c->tree = tree;
    c->arena = arena;
    c->err = err;
    if (!yaml_parser_initialize(&c->parser))
        memory_exhausted("%s", path);
    yaml_parser_set_input_string(&c->parser, file->data, file->size);
    int documents = 0;
    bool good = true;
    for (bool more = true; good && more;) {
        yaml_event_t event;
        good = yaml_parser_parse(&c->parser, &event);
        if (!good)
            break;
        more = event.type != YAML_STREAM_END_EVENT;
        if (event.type == YAML_DOCUMENT_START_EVENT && ++documents > 1)
            good = FAIL_AT(c, event.start_mark, "a second document begins; a suite is one");
        bool is_content = more && event.type != YAML_STREAM_START_EVENT && event.type != YAML_DOCUMENT_START_EVENT &&
                          event.type != YAML_DOCUMENT_END_EVENT;
        if (good && is_content)
            good = (tree->root = compose(c, &event)) != NULL;
        yaml_event_delete(&event);
    }
    if (!good)
        fail_as_parser_says(c, file);
    else if (documents == 0)
        good = error_set(err, "%s:1:1: the file is empty", path);
    yaml_parser_delete(&c->parser);
    free(c->open);
    return good;
}

const struct tree_node *tree_get(const struct tree_node *mapping, const char *name, const struct tree_node **key)
{
    if (key)
        *key = NULL;
    for (size_t i = 0; i < mapping->count; i++)
        if (strcmp(mapping->keys[i]->text, name) == 0) {
            if (key)
                *key = mapping->keys[i];
            return mapping->items[i];
        }
    return NULL;
}

void tree_write(const struct tree_node *node, struct text *out)
{
    if (!node || node->kind == TREE_TEXT)
        text_add_quoted(out, node ? node->text : "");
    else
        text_add(out, node->kind == TREE_LIST ? "[" : "{");
    for (size_t i = 0; node && node->kind != TREE_TEXT && i < node->count; i++) {
        if (node->kind == TREE_MAPPING)
            tree_write(node->keys[i], out);
        tree_write(node->items[i], out);
    }
    text_add(out, node && node->kind != TREE_TEXT ? "]" : "\n");
}
