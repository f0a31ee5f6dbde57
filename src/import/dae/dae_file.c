#include "import/dae/dae_file.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <expat.h>

#include "base/memory.h"
#include "base/sort.h"

/* Says where an event is in the text. Expat 2.9 has deprecated the functions that are not of 64 bits everywhere. */
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
#define event_start XML_GetCurrentByteIndex64
#define event_size XML_GetCurrentByteCount64
#else
#define event_start XML_GetCurrentByteIndex
#define event_size XML_GetCurrentByteCount
#endif

struct slice dae_word(struct slice *text)
{
    const char *end = text->data + text->length, *at = text->data;
    while (at < end && strchr(" \t\r\n", *at))
        at++;
    struct slice word = {at, 0};
    while (at < end && !strchr(" \t\r\n", *at))
        at++;
    word.length = (size_t)(at - word.data);
    *text = (struct slice){at, (size_t)(end - at)};
    return word;
}

struct slice dae_attribute(const struct dae_file *file, uint32_t element, const char *name)
{
    const struct dae_element *e = &file->elements[element];
    const size_t length = strlen(name);
    for (const char *at = e->name.data + e->name.length; at < e->inside; at++) {
        if (*at == '"' || *at == '\'') { /* another one's value */
            const char *close = memchr(at + 1, *at, (size_t)(e->inside - at - 1));
            at = close ? close : e->inside;
            continue;
        }
        if (!strchr(" \t\r\n", *at) || strncmp(at + 1, name, length) != 0)
            continue;
        const char *value = at + 1 + length;
        value += strspn(value, " \t\r\n=");
        const char *close = *value == '"' || *value == '\'' ? strchr(value + 1, *value) : NULL;
        if (close && close < e->inside)
            return (struct slice){value + 1, (size_t)(close - value - 1)};
    }
    return (struct slice){NULL, 0};
}

struct slice dae_inside(const struct dae_file *file, uint32_t element)
{
    const struct dae_element *e = &file->elements[element];
    return (struct slice){e->inside, (size_t)(e->close - e->inside)};
}

static int by_id(const void *a, const void *b)
{
    const struct dae_id *x = a, *y = b;
    int order = slice_order(x->id, y->id);
    return order ? order : (x->element > y->element) - (x->element < y->element);
}

static void sort_ids(struct dae_file *file)
{
    file->by_id = memory_new(file->count, sizeof *file->by_id);
    for (uint32_t e = 1; e < file->count; e++) {
        file->elements[e].id = dae_attribute(file, e, "id");
        if (file->elements[e].id.length > 0)
            file->by_id[file->id_count++] = (struct dae_id){file->elements[e].id, e};
    }
    sort_items(file->by_id, file->id_count, sizeof *file->by_id, by_id);
}

/* Expat reads this. Its strings are left alone: elements are places in the text. */
struct reading {
    XML_Parser parser;
    struct dae_file *file;
    const char *text;
    uint32_t open;
};

static void open_element(void *context, const char *ignored_name, const char **ignored_attributes)
{
    struct reading *r = context;
    struct dae_file *file = r->file;
    const char *begin = r->text + event_start(r->parser);
    const char *inside = begin + event_size(r->parser);
    (void)ignored_name, (void)ignored_attributes;
    if ((file->count & (file->count - 1)) == 0)
        file->elements = memory_grow(file->elements, 2 * (size_t)file->count, sizeof *file->elements);
    const uint32_t e = file->count++, before = file->elements[r->open].last;
    *(before ? &file->elements[before].next : &file->elements[r->open].child) = e;
    file->elements[r->open].last = e;
    file->elements[e] = (struct dae_element){
        .name = {begin + 1, strcspn(begin + 1, " \t\r\n/>")}, .begin = begin, .inside = inside, .parent = r->open};
    r->open = e;
}

/* An element without an end tag ends where it begins: Expat gives the end of its only tag, and no bytes. */
static void close_element(void *context, const char *ignored_name)
{
    struct reading *r = context;
    struct dae_element *e = &r->file->elements[r->open];
    (void)ignored_name;
    e->close = r->text + event_start(r->parser);
    e->end = e->close + event_size(r->parser);
    r->open = e->parent;
}

/* Entities of the file's own could unfold to any size, and what is in one has no place in the text. */
static void refuse_entities(void *context, const char *name, const char *system, const char *public, int has_subset)
{
    struct reading *r = context;
    (void)name, (void)system, (void)public;
    if (!has_subset)
        return;
    r->file->problem = "it declares a document type of its own";
    XML_StopParser(r->parser, XML_FALSE);
}

/*
 * Assimp does not mind a name that is no UTF-8, and ids are compared as they stand: whatever the file says of its
 * encoding, Expat takes a byte for a character.
 */
void dae_file_read(const struct blob *blob, struct dae_file *file)
{
    const char *text = (const char *)blob->data;
    const bool has_mark = strncmp(text, "\xef\xbb\xbf", 3) == 0;
    struct reading r = {XML_ParserCreate("ISO-8859-1"), file, text + (has_mark ? 3 : 0), 0};
    const size_t length = strlen(r.text);
    if (!r.parser)
        memory_exhausted("no parser of XML");
    *file = (struct dae_file){1, memory_new(1, sizeof *file->elements)};
    file->elements[0] =
        (struct dae_element){{text, 0}, {NULL, 0}, text, text, r.text + length, r.text + length, 0, 0, 0, 0};
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, open_element, close_element);
    XML_SetStartDoctypeDeclHandler(r.parser, refuse_entities);
    if (memchr(blob->data, '\0', blob->size) || length > INT_MAX)
        file->problem = "it is not UTF-8";
    else if (XML_Parse(r.parser, r.text, (int)length, XML_TRUE) != XML_STATUS_OK && !file->problem)
        file->problem = XML_ErrorString(XML_GetErrorCode(r.parser));
    XML_ParserFree(r.parser);
    if (file->problem)
        file->count = 1, file->elements[0].child = 0;
    sort_ids(file);
}

void dae_file_close(struct dae_file *file)
{
    free(file->elements);
    free(file->by_id);
}

bool dae_is(const struct dae_file *file, uint32_t element, const char *name)
{
    return slice_is(file->elements[element].name, name);
}

bool dae_is_below(const struct dae_file *file, uint32_t element, uint32_t above)
{
    const char *at = file->elements[element].begin;
    return at >= file->elements[above].begin && at < file->elements[above].end;
}

static uint32_t named(const struct dae_file *file, uint32_t element, const char *name)
{
    while (element != 0 && !dae_is(file, element, name))
        element = file->elements[element].next;
    return element;
}

uint32_t dae_child(const struct dae_file *file, uint32_t element, const char *name)
{
    return named(file, file->elements[element].child, name);
}

uint32_t dae_next(const struct dae_file *file, uint32_t element, const char *name)
{
    return named(file, file->elements[element].next, name);
}

uint32_t dae_following(const struct dae_file *file, uint32_t element, const char *name)
{
    do
        element++;
    while (element < file->count && !dae_is(file, element, name));
    return element < file->count ? element : 0;
}

uint32_t dae_find(const struct dae_file *file, struct slice id, const char *name)
{
    const struct dae_id key = {id, 0};
    const size_t first = lower_bound(&key, file->by_id, file->id_count, sizeof key, by_id);
    size_t i = first;
    for (; i < file->id_count && slices_are_one(file->by_id[i].id, id); i++)
        if (dae_is(file, file->by_id[i].element, name))
            return file->by_id[i].element;
    return i > first ? file->by_id[first].element : 0;
}

uint32_t dae_reference(const struct dae_file *file, uint32_t element, const char *attribute, const char *name)
{
    struct slice text = dae_attribute(file, element, attribute);
    bool is_local = text.length > 0 && text.data[0] == '#';
    return is_local ? dae_find(file, (struct slice){text.data + 1, text.length - 1}, name) : 0;
}

uint32_t dae_input(const struct dae_file *file, uint32_t element, const char *semantic)
{
    uint32_t input = dae_child(file, element, "input");
    while (input != 0 && !slice_is(dae_attribute(file, input, "semantic"), semantic))
        input = dae_next(file, input, "input");
    return input ? dae_reference(file, input, "source", "source") : 0;
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

static size_t whole(const struct dae_file *file, uint32_t element, const char *name, size_t fallback)
{
    struct slice text = element ? dae_attribute(file, element, name) : (struct slice){NULL, 0};
    return text.data ? strtoul(text.data, NULL, 10) : fallback; /* ends at the quote */
}

struct dae_source dae_source_of(const struct dae_file *file, uint32_t element)
{
    static const char *const arrays[] = {"float_array", "Name_array", "IDREF_array"};
    uint32_t array = 0, accessor = element ? dae_child(file, element, "technique_common") : 0;
    accessor = accessor ? dae_child(file, accessor, "accessor") : 0;
    for (int i = 0; i < 3 && element && !array; i++)
        array = dae_child(file, element, arrays[i]);
    return (struct dae_source){array ? dae_inside(file, array) : slice_of(""), whole(file, accessor, "count", 0),
                               whole(file, accessor, "stride", 1), whole(file, accessor, "offset", 0)};
}

double *dae_source_numbers(const struct dae_source *source)
{
    const size_t most = (size_t)1 << 26;
    if (source->count > most || source->stride == 0 || source->stride > 32 || source->offset > most)
        return NULL;
    double *numbers = dae_numbers(source->content.data, source->offset + source->count * source->stride);
    if (numbers)
        memmove(numbers, numbers + source->offset, source->count * source->stride * sizeof *numbers);
    return numbers;
}
