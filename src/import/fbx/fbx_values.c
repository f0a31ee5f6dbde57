#define _GNU_SOURCE /* memmem */

#include "import/fbx/fbx_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

#include "import/convert.h"

bool fbx_is(struct fbx_text text, const char *expected)
{
    return text.length == strlen(expected) && memcmp(text.data, expected, text.length) == 0;
}

/* ---- properties -------------------------------------------------------------------------------------------------- */

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

bool fbx_string(const struct fbx_file *file, uint32_t element, unsigned n, struct fbx_text *value)
{
    struct value found;
    if (!find_value(file, element, n, &found) || (found.type != '"' && found.type != 'S'))
        return false;
    *value = (struct fbx_text){(const char *)found.data, found.size};
    return true;
}

bool fbx_letter(const struct fbx_file *file, uint32_t element, unsigned n, char *value)
{
    struct value found;
    if (!find_value(file, element, n, &found) || !strchr("0C", found.type) || found.size == 0)
        return false;
    *value = (char)found.data[0];
    return true;
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

/* A: *count { a: numbers } */
static double *text_array(const struct fbx_file *file, uint32_t element, uint32_t *count)
{
    uint32_t list = fbx_child(file, element, "a");
    struct value value;
    if (list == 0)
        return NULL;
    size_t at = file->elements[list].properties, end = file->elements[list].properties_end;
    double *numbers = memory_new((end - at) / 2 + 1, sizeof *numbers); /* a digit and a comma each */
    *count = 0;
    while (read_text(file, &at, end, &value))
        numbers[(*count)++] = strtod((const char *)value.data, NULL);
    return numbers;
}

static double *binary_array(const struct fbx_file *file, uint32_t element, uint32_t *count)
{
    enum { MOST_RATIO = 1032 }; /* of deflate */
    struct value value;
    if (!find_value(file, element, 0, &value) || !strchr("fdli", value.type) || value.encoding > 1)
        return NULL;
    const unsigned width = width_of(value.type);
    const size_t size = (size_t)value.count * width;
    if (value.encoding == 1 && size / MOST_RATIO > value.size)
        return NULL;
    double *numbers = memory_new(value.count, sizeof *numbers);
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
    for (uint32_t i = 0; good && i < value.count; i++)
        numbers[i] = number_of(value.type, bytes + (size_t)i * width);
    free(inflated);
    *count = value.count;
    if (good)
        return numbers;
    free(numbers);
    return NULL;
}

double *fbx_array(const struct fbx_file *file, uint32_t element, uint32_t *count)
{
    return file->is_binary ? binary_array(file, element, count) : text_array(file, element, count);
}

/* ---- objects and connections ------------------------------------------------------------------------------------- */

uint32_t fbx_child(const struct fbx_file *file, uint32_t element, const char *name)
{
    uint32_t child = file->elements[element].child;
    while (child != 0 && !fbx_is(file->elements[child].name, name))
        child = file->elements[child].next;
    return child;
}

struct fbx_text fbx_object_name(const struct fbx_file *file, uint32_t element)
{
    struct fbx_text name = {"", 0};
    fbx_string(file, element, 1, &name);
    if (file->is_binary) { /* NUL, 1 and the class follow it */
        const char *end = memmem(name.data, name.length, "\0\1", 2);
        name.length = end ? (size_t)(end - name.data) : name.length;
        return name;
    }
    const char *mark = memmem(name.data, name.length, "::", 2);
    size_t class = mark ? (size_t)(mark - name.data) + 2 : 0;
    return (struct fbx_text){name.data + class, name.length - class};
}

bool fbx_property(const struct fbx_file *file, uint32_t object, const char *name, unsigned count, double *values)
{
    uint32_t list = fbx_child(file, object, "Properties70");
    for (uint32_t p = list ? file->elements[list].child : 0; p != 0; p = file->elements[p].next) {
        struct fbx_text found;
        if (!fbx_string(file, p, 0, &found) || !fbx_is(found, name))
            continue;
        for (unsigned i = 0; i < count; i++)
            if (!fbx_number(file, p, 4 + i, &values[i]))
                return false;
        return true;
    }
    return false;
}

/* The first of entries of `size` bytes, which begin with a struct fbx_object and are sorted by id, that has this one. */
static uint32_t first_with(const void *entries, uint32_t count, size_t size, int64_t id)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct fbx_object *entry = (const void *)((const char *)entries + middle * size);
        if (entry->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t fbx_find(const struct fbx_file *file, int64_t id, const char *type)
{
    uint32_t at = first_with(file->objects, file->object_count, sizeof *file->objects, id);
    uint32_t element = at < file->object_count && file->objects[at].id == id ? file->objects[at].element : 0;
    return element && fbx_is(file->elements[element].name, type) ? element : 0;
}

const struct fbx_connection *fbx_connections(const struct fbx_file *file, const struct fbx_connection *list, int64_t id,
                                             uint32_t *count)
{
    uint32_t first = first_with(list, file->connection_count, sizeof *list, id);
    for (*count = 0; first + *count < file->connection_count && list[first + *count].end.id == id;)
        ++*count;
    return list + first;
}
