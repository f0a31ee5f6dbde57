#include "import/fbx/fbx_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/sort.h"

/* ---- properties ---- */

/* A property: of a binary file the letter of its type and its bytes, of a text '"' or '0' and what is written there. */
struct value {
    char type;
    const unsigned char *data;
    size_t size; /* of a list: of what follows its header */
    uint32_t count, encoding;
};

static unsigned width_of(char type)
{
    return strchr("DLdl", type) ? 8 : strchr("FIfi", type) ? 4 : type == 'Y' ? 2 : 1;
}

/* Reads the property at `*at` and moves behind it. */
static bool read_binary(const struct fbx_file *file, size_t *at, size_t end, struct value *value)
{
    if (*at >= end)
        return false;
    const char type = (char)file->data[*at];
    const unsigned char *data = file->data + *at + 1;
    const size_t left = end - *at - 1;
    const bool is_number = type && strchr("YCBIFDL", type), is_list = type && strchr("fdlibc", type);
    const size_t header = is_list ? 12 : is_number ? 0 : 4;
    if ((!is_number && !is_list && type != 'S' && type != 'R') || left < header)
        return false;
    *value = (struct value){.type = type, .data = data + header, .size = width_of(type)};
    if (is_list) {
        value->count = (uint32_t)little_endian(data, 4);
        value->encoding = (uint32_t)little_endian(data + 4, 4);
        value->size = value->encoding ? (size_t)little_endian(data + 8, 4) : (size_t)value->count * width_of(type);
    } else if (!is_number) {
        value->size = (size_t)little_endian(data, 4);
    }
    if (value->size > left - header)
        return false;
    *at += 1 + header + value->size;
    return true;
}

static bool read_text(const struct fbx_file *file, size_t *at, size_t end, struct value *value)
{
    const unsigned char *text = file->data;
    while (*at < end && strchr(" \t\r\n,", text[*at]))
        ++*at;
    if (*at >= end)
        return false;
    bool is_string = text[*at] == '"';
    size_t start = *at += is_string;
    while (*at < end && (is_string ? text[*at] != '"' : !strchr(" \t\r\n,", text[*at])))
        ++*at;
    *value = (struct value){.type = is_string ? '"' : '0', .data = text + start, .size = *at - start};
    *at += is_string && *at < end;
    return true;
}

static bool find_value(const struct fbx_file *file, uint32_t element, unsigned n, struct value *value)
{
    size_t at = file->elements[element].properties, end = file->elements[element].properties_end;
    if (element == 0)
        return false;
    for (unsigned i = 0; i <= n; i++)
        if (!(file->is_binary ? read_binary(file, &at, end, value) : read_text(file, &at, end, value)))
            return false;
    return true;
}

/* A number of the binary type `type`, of either case. */
static double number_of(char type, const unsigned char *bytes)
{
    uint64_t bits = little_endian(bytes, width_of(type));
    uint32_t half = (uint32_t)bits;
    double value;
    float single;
    switch (type | 0x20) {
    case 'd':
        memcpy(&value, &bits, sizeof value);
        return value;
    case 'f':
        memcpy(&single, &half, sizeof single);
        return (double)single;
    case 'l':
        return (double)(int64_t)bits;
    case 'i':
        return (double)(int32_t)bits;
    case 'y':
        return (double)(int16_t)bits;
    default:
        return (double)bits;
    }
}

bool fbx_integer(const struct fbx_file *file, uint32_t element, unsigned n, int64_t *value)
{
    struct value found;
    if (!find_value(file, element, n, &found))
        return false;
    if (found.type == '0') /* a blank, a comma or the file's NUL ends it */
        *value = strtoll((const char *)found.data, NULL, 10);
    else if (found.type == 'L')
        *value = (int64_t)little_endian(found.data, 8);
    else if (strchr("YCBI", found.type))
        *value = (int64_t)number_of(found.type, found.data);
    else
        return false;
    return true;
}

bool fbx_number(const struct fbx_file *file, uint32_t element, unsigned n, double *value)
{
    struct value found;
    if (!find_value(file, element, n, &found) || !strchr("0YCBIFDL", found.type))
        return false;
    *value = found.type == '0' ? strtod((const char *)found.data, NULL) : number_of(found.type, found.data);
    return isfinite(*value);
}

bool fbx_string(const struct fbx_file *file, uint32_t element, unsigned n, struct slice *value)
{
    struct value found;
    if (!find_value(file, element, n, &found) || !strchr("\"0SC", found.type))
        return false;
    *value = (struct slice){(const char *)found.data, found.size};
    return true;
}

uint32_t fbx_array_length(const struct fbx_file *file, uint32_t element)
{
    struct value value;
    if (!find_value(file, element, 0, &value))
        return 0;
    return file->is_binary ? value.count : (uint32_t)strtoul((const char *)value.data + 1, NULL, 10); /* behind "*" */
}

double *fbx_array(const struct fbx_file *file, uint32_t element, uint32_t *count)
{
    enum { MOST_RATIO = 1032 }; /* of deflate */
    struct value value;
    if (!file->is_binary) { /* A: *count { a: numbers } */
        uint32_t list = fbx_child(file, element, "a");
        size_t at = file->elements[list].properties, end = file->elements[list].properties_end;
        double *numbers = list ? memory_new((end - at) / 2 + 1, sizeof *numbers) : NULL; /* a digit and a comma each */
        for (*count = 0; numbers && read_text(file, &at, end, &value);)
            numbers[(*count)++] = strtod((const char *)value.data, NULL);
        return numbers;
    }
    if (!find_value(file, element, 0, &value) || !strchr("fdli", value.type) || value.encoding > 1)
        return NULL;
    const unsigned width = width_of(value.type);
    const size_t size = (size_t)value.count * width;
    if (value.encoding == 1 && size / MOST_RATIO > value.size)
        return NULL;
    unsigned char *inflated = NULL;
    bool good = true;
    if (value.encoding == 1) {
        struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
        inflated = memory_new(size, 1);
        good = decompressor && libdeflate_zlib_decompress(decompressor, value.data, value.size, inflated, size, NULL) ==
                                   LIBDEFLATE_SUCCESS;
        libdeflate_free_decompressor(decompressor);
    }
    const unsigned char *bytes = inflated ? inflated : value.data;
    double *numbers = good ? memory_new(value.count, sizeof *numbers) : NULL;
    for (uint32_t i = 0; good && i < value.count; i++)
        numbers[i] = number_of(value.type, bytes + (size_t)i * width);
    free(inflated);
    *count = value.count;
    return numbers;
}

uint32_t fbx_child(const struct fbx_file *file, uint32_t element, const char *name)
{
    uint32_t child = file->elements[element].child;
    while (child != 0 && !slice_is(file->elements[child].name, name))
        child = file->elements[child].next;
    return child;
}

struct slice fbx_object_name(const struct fbx_file *file, uint32_t element)
{
    struct slice name = {"", 0};
    fbx_string(file, element, 1, &name);
    if (file->is_binary) { /* NUL, 1 and the class follow it */
        const char *end = memmem(name.data, name.length, "\0\1", 2);
        name.length = end ? (size_t)(end - name.data) : name.length;
        return name;
    }
    const char *mark = memmem(name.data, name.length, "::", 2);
    size_t class = mark ? (size_t)(mark - name.data) + 2 : 0;
    return (struct slice){name.data + class, name.length - class};
}

bool fbx_property(const struct fbx_file *file, uint32_t object, const char *name, unsigned count, double *values)
{
    uint32_t list = fbx_child(file, object, "Properties70");
    for (uint32_t p = list ? file->elements[list].child : 0; p != 0; p = file->elements[p].next) {
        struct slice found;
        if (!fbx_string(file, p, 0, &found) || !slice_is(found, name))
            continue;
        for (unsigned i = 0; i < count; i++)
            if (!fbx_number(file, p, 4 + i, &values[i]))
                return false;
        return true;
    }
    return false;
}

double fbx_model_number(const struct fbx_file *file, uint32_t object, const char *name, double fallback)
{
    uint32_t definitions = fbx_child(file, 0, "Definitions");
    struct slice type;
    for (uint32_t e = definitions ? file->elements[definitions].child : 0; e != 0; e = file->elements[e].next)
        if (fbx_string(file, e, 0, &type) && slice_is(type, "Model"))
            fbx_property(file, fbx_child(file, e, "PropertyTemplate"), name, 1, &fallback);
    fbx_property(file, object, name, 1, &fallback);
    return fallback;
}

/* ---- the structure ---- */

enum { DEEPEST = 16 };

/* Says where the reading stands. */
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

/* Returns whether an element at that depth is looked at; others are skipped with all that is in them. */
static bool is_wanted(struct slice name, unsigned depth)
{
    if (depth == 0)
        return slice_is(name, "Objects") || slice_is(name, "Connections") || slice_is(name, "Definitions");
    return depth > 1 || (name.length >= 9 && memcmp(name.data, "Animation", 9) == 0) || slice_is(name, "Model") ||
           slice_is(name, "Geometry") || slice_is(name, "Material") || slice_is(name, "Deformer") ||
           slice_is(name, "C") || slice_is(name, "ObjectType");
}

/* The new element, behind `*last` in its parent's list; 0 when there are too many. */
static uint32_t add(struct parser *p, const struct fbx_element *element, uint32_t parent, uint32_t *last)
{
    enum { MOST = 1 << 24 };
    struct fbx_file *file = p->file;
    if (file->element_count >= MOST)
        return fail(p, "too many elements");
    if (file->element_count == p->capacity) {
        p->capacity *= 2;
        file->elements = memory_grow(file->elements, p->capacity, sizeof *file->elements);
    }
    uint32_t index = file->element_count++;
    file->elements[index] = *element;
    *(*last ? &file->elements[*last].next : &file->elements[parent].child) = index;
    return *last = index;
}

/*
 * Elements up to `end`: where it ends, the number and length of its properties, the length of its name, the name; an
 * end of 0 closes a list. The numbers have 64 bits from version 7500 on.
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
            if (index == 0 || !parse_binary(p, index, (size_t)element_end, depth + 1))
                return false;
        }
        p->at = (size_t)element_end;
    }
    return true;
}

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
            if (!parse_text(p, index, wanted, depth + 1))
                return false;
            p->at++;
        }
    }
}

/* ---- objects and connections ---- */

/* Compares objects, or connections, which begin with one. */
static int by_id(const void *a, const void *b)
{
    const struct fbx_object *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->element > y->element) - (x->element < y->element);
}

uint32_t fbx_find(const struct fbx_file *file, int64_t id, const char *type)
{
    const struct fbx_object key = {.id = id};
    const size_t at = lower_bound(&key, file->objects, file->object_count, sizeof key, by_id);
    const bool is_there = at < file->object_count && file->objects[at].id == id;
    const uint32_t element = is_there ? file->objects[at].element : 0;
    return element && slice_is(file->elements[element].name, type) ? element : 0;
}

uint32_t fbx_next(const struct fbx_file *file, uint32_t *place, const char *type)
{
    while (*place < file->object_count) {
        const uint32_t element = file->objects[(*place)++].element;
        if (slice_is(file->elements[element].name, type))
            return element;
    }
    return 0;
}

const struct fbx_connection *fbx_connections(const struct fbx_file *file, const struct fbx_connection *list, int64_t id,
                                             uint32_t *count)
{
    const struct fbx_object key = {.id = id};
    size_t first = lower_bound(&key, list, file->connection_count, sizeof *list, by_id);
    for (*count = 0; first + *count < file->connection_count && list[first + *count].end.id == id;)
        ++*count;
    return list + first;
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
    if (p.problem)
        return p.problem;
    const struct fbx_element *elements = file->elements;
    uint32_t objects = fbx_child(file, 0, "Objects"), connections = fbx_child(file, 0, "Connections");
    file->objects = memory_new(file->element_count, sizeof *file->objects);
    file->by_child = memory_new(file->element_count, sizeof *file->by_child);
    file->by_parent = memory_new(file->element_count, sizeof *file->by_parent);
    for (uint32_t e = objects ? elements[objects].child : 0; e != 0; e = elements[e].next) {
        struct fbx_object *object = &file->objects[file->object_count];
        object->element = e;
        file->object_count += fbx_integer(file, e, 0, &object->id);
    }
    for (uint32_t e = connections ? elements[connections].child : 0; e != 0; e = elements[e].next) {
        int64_t child, parent;
        struct slice property = {"", 0};
        if (!fbx_integer(file, e, 1, &child) || !fbx_integer(file, e, 2, &parent))
            continue;
        fbx_string(file, e, 3, &property);
        file->by_child[file->connection_count] = (struct fbx_connection){{child, e}, parent, property};
        file->by_parent[file->connection_count++] = (struct fbx_connection){{parent, e}, child, property};
    }
    sort_items(file->objects, file->object_count, sizeof *file->objects, by_id);
    sort_items(file->by_child, file->connection_count, sizeof *file->by_child, by_id);
    sort_items(file->by_parent, file->connection_count, sizeof *file->by_parent, by_id);
    return NULL;
}

void fbx_close(struct fbx_file *file)
{
    free(file->elements);
    free(file->objects);
    free(file->by_child);
    free(file->by_parent);
    *file = (struct fbx_file){.data = NULL};
}

bool fbx_leads_to(const struct fbx_file *file, int64_t id, const char *const *types, struct slice name)
{
    uint32_t count;
    const struct fbx_connection *parents = fbx_connections(file, file->by_child, id, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t element = fbx_find(file, parents[i].other, types[0]);
        if (element == 0)
            continue;
        struct slice found = fbx_object_name(file, element);
        if (types[1] ? fbx_leads_to(file, parents[i].other, types + 1, name) : slices_are_one(found, name))
            return true;
    }
    return false;
}
