#define _GNU_SOURCE /* memmem */

#include "import/fbx/fbx_file.h"

#include <stdlib.h>
#include <string.h>

#include "import/convert.h"

enum { DEEPEST = 16 };

/* Where the reading stands. */
struct parser {
    struct fbx_file *file;
    size_t at;
    uint32_t capacity;
    const char *problem; /* NULL: none so far */
};

static bool fail(struct parser *p, const char *problem)
{
    p->problem = problem;
    return false;
}

/* Whether an element at that depth is looked at; others are skipped with all that is in them. */
static bool is_wanted(struct fbx_text name, unsigned depth)
{
    if (depth == 0)
        return fbx_is(name, "Objects") || fbx_is(name, "Connections") || fbx_is(name, "Definitions");
    return depth > 1 || (name.length >= 9 && memcmp(name.data, "Animation", 9) == 0) || fbx_is(name, "Model") ||
           fbx_is(name, "Geometry") || fbx_is(name, "Deformer") || fbx_is(name, "C") || fbx_is(name, "ObjectType");
}

static bool has_wanted_children(struct fbx_text name, unsigned depth)
{
    return depth != 1 || !fbx_is(name, "Geometry");
}

/* The new element, behind `*last` in its parent's list; 0 when there are too many. */
static uint32_t add(struct parser *p, const struct fbx_element *element, uint32_t parent, uint32_t *last)
{
    enum { MOST = 1 << 24 };
    struct fbx_file *file = p->file;
    if (file->element_count >= MOST) {
        p->problem = "too many elements";
        return 0;
    }
    if (file->element_count == p->capacity) {
        p->capacity *= 2;
        file->elements = memory_grow(file->elements, p->capacity, sizeof *file->elements);
    }
    uint32_t index = file->element_count++;
    file->elements[index] = *element;
    *(*last ? &file->elements[*last].next : &file->elements[parent].child) = index;
    return *last = index;
}

/* ---- binary ------------------------------------------------------------------------------------------------------ */

/*
 * Elements up to `end`: where it ends, the number and length of its properties, the length of its name, the name; an end
 * of 0 closes a list. The numbers have 64 bits from version 7500 on.
 */
static bool parse_binary(struct parser *p, uint32_t parent, size_t end, unsigned depth)
{
    struct fbx_file *file = p->file;
    const unsigned width = file->version >= 7500 ? 8 : 4, header = 3 * width + 1;
    uint32_t last = 0;
    if (depth > DEEPEST)
        return fail(p, "elements are nested too deep");
    while (end - p->at >= header) {
        const unsigned char *at = file->data + p->at;
        uint64_t element_end = little_endian(at, width), length = little_endian(at + 2 * width, width);
        struct fbx_element element = {.name = {(const char *)at + header, at[header - 1]}};
        if (element_end == 0)
            return true;
        element.properties = p->at + header + element.name.length;
        if (element_end > end || element.properties > element_end || length > element_end - element.properties)
            return fail(p, "an element does not fit into the one around it");
        element.properties_end = element.properties + (size_t)length;
        if (is_wanted(element.name, depth)) {
            uint32_t index = add(p, &element, parent, &last);
            p->at = element.properties_end;
            if (index == 0 ||
                (has_wanted_children(element.name, depth) && !parse_binary(p, index, (size_t)element_end, depth + 1)))
                return false;
        }
        p->at = (size_t)element_end;
    }
    return true;
}

/* ---- ASCII ------------------------------------------------------------------------------------------------------- */

/* Moves over blanks, ends of lines and comments. */
static void skip_blanks(struct parser *p)
{
    const char *text = (const char *)p->file->data;
    for (; p->at < p->file->size; p->at++) {
        if (text[p->at] == ';')
            while (p->at < p->file->size && text[p->at] != '\n')
                p->at++;
        else if (!strchr(" \t\r\n", text[p->at]))
            return;
    }
}

/*
 * Moves over the properties to what comes behind them: they end with the line, unless a comma stands at its end or at
 * the beginning of the next one.
 */
static void skip_properties(struct parser *p)
{
    const char *text = (const char *)p->file->data;
    bool after_comma = false;
    while (p->at < p->file->size) {
        char c = text[p->at];
        if (c == '{' || c == '}')
            return;
        if (c == '\n') {
            size_t line_end = p->at;
            skip_blanks(p);
            if (!after_comma && (p->at >= p->file->size || text[p->at] != ',')) {
                p->at = line_end;
                return;
            }
            continue;
        }
        if (c == '"') {
            const char *quote = memchr(text + p->at + 1, '"', p->file->size - p->at - 1);
            p->at = quote ? (size_t)(quote - text) : p->file->size - 1;
        }
        if (c != ' ' && c != '\t' && c != '\r')
            after_comma = c == ',';
        p->at++;
    }
}

static bool parse_text(struct parser *p, uint32_t parent, bool keep, unsigned depth)
{
    struct fbx_file *file = p->file;
    const char *text = (const char *)file->data;
    uint32_t last = 0;
    if (depth > DEEPEST)
        return fail(p, "elements are nested too deep");
    for (;;) {
        skip_blanks(p);
        if (p->at >= file->size || text[p->at] == '}')
            return depth == 0 ? p->at >= file->size || fail(p, "a brace is closed that was not opened")
                              : p->at < file->size || fail(p, "the file ends within an element");
        const char *colon = memchr(text + p->at, ':', file->size - p->at);
        struct fbx_element element = {.name = {text + p->at, colon ? (size_t)(colon - text) - p->at : 0}};
        if (!colon || element.name.length > 255)
            return fail(p, "an element without a name");
        p->at += element.name.length + 1;
        element.properties = p->at;
        skip_properties(p);
        element.properties_end = p->at;
        bool wanted = keep && is_wanted(element.name, depth);
        uint32_t index = wanted ? add(p, &element, parent, &last) : 0;
        if (wanted && index == 0)
            return false;
        if (p->at < file->size && text[p->at] == '{') {
            p->at++;
            if (!parse_text(p, index, wanted && has_wanted_children(element.name, depth), depth + 1))
                return false;
            p->at++;
        }
    }
}

/* ---- objects and connections --------------------------------------------------------------------------------------- */

/* Of objects, and of connections, which begin with one. */
static int by_id(const void *a, const void *b)
{
    const struct fbx_object *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->element > y->element) - (x->element < y->element);
}

static void index_file(struct fbx_file *file)
{
    const struct fbx_element *elements = file->elements;
    uint32_t objects = fbx_child(file, 0, "Objects"), connections = fbx_child(file, 0, "Connections");
    file->objects = memory_new(file->element_count, sizeof *file->objects);
    file->by_child = memory_new(file->element_count, sizeof *file->by_child);
    file->by_parent = memory_new(file->element_count, sizeof *file->by_parent);
    for (uint32_t e = objects ? elements[objects].child : 0; e != 0; e = elements[e].next) {
        struct fbx_object object = {.element = e};
        if (fbx_integer(file, e, 0, &object.id))
            file->objects[file->object_count++] = object;
    }
    for (uint32_t e = connections ? elements[connections].child : 0; e != 0; e = elements[e].next) {
        int64_t child, parent;
        struct fbx_text property = {"", 0};
        if (!fbx_integer(file, e, 1, &child) || !fbx_integer(file, e, 2, &parent))
            continue;
        fbx_string(file, e, 3, &property);
        file->by_child[file->connection_count] = (struct fbx_connection){{child, e}, parent, property};
        file->by_parent[file->connection_count++] = (struct fbx_connection){{parent, e}, child, property};
    }
    qsort(file->objects, file->object_count, sizeof *file->objects, by_id);
    qsort(file->by_child, file->connection_count, sizeof *file->by_child, by_id);
    qsort(file->by_parent, file->connection_count, sizeof *file->by_parent, by_id);
}

const char *fbx_open(struct fbx_file *file, const unsigned char *data, size_t size)
{
    static const char magic[] = "Kaydara FBX Binary";
    enum { HEADER = 27, FIRST_CAPACITY = 1024 };
    *file = (struct fbx_file){.data = data, .size = size, .element_count = 1};
    struct parser p = {.file = file, .capacity = FIRST_CAPACITY};
    file->elements = memory_new(p.capacity, sizeof *file->elements);
    file->is_binary = size >= HEADER && memcmp(data, magic, sizeof magic - 1) == 0;
    if (file->is_binary) {
        file->version = (uint32_t)little_endian(data + HEADER - 4, 4);
        p.at = HEADER;
        parse_binary(&p, 0, size, 0);
    } else {
        const char *version = memmem(data, size, "FBXVersion:", 11);
        file->version = version ? (uint32_t)strtoul(version + 11, NULL, 10) : 0;
        parse_text(&p, 0, true, 0);
    }
    if (!p.problem && file->version < 7000)
        p.problem = "its version is not 7";
    if (!p.problem)
        index_file(file);
    return p.problem;
}

void fbx_close(struct fbx_file *file)
{
    free(file->elements);
    free(file->objects);
    free(file->by_child);
    free(file->by_parent);
    *file = (struct fbx_file){.data = NULL};
}
