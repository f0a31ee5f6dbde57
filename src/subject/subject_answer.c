/* Reads the answer of a subject line by line; nothing in it is believed. */
#include <math.h>
#include <string.h>

#include "data/json_fields.h"
#include "data/vector.h"
#include "subject/subject.h"

#include <jansson.h> /* last: it takes a name of base/json.h */

const char *const subject_part_words[SUBJECT_PARTS] = {"nodes", "palette", "skin", "picture", "import"};
const char *const storage_words[STORAGE_COUNT] = {"unknown", "columns", "rows", "rows3x4"};
const char *const bones_words[BONES_WORDS] = {"unknown", "mesh", "skin", "scene"};

unsigned subject_read_words(const struct json_place *at, const char *key)
{
    unsigned parts = 0;
    uint32_t count;
    const struct json_place list = json_read_array(at, key, &count);
    for (uint32_t i = 0; i < count && !error_is_set(at->reader->err); i++) {
        const struct json_place item = json_item(&list, i);
        const char *word = json_read_string(&item, NULL);
        for (int p = 0; p < SUBJECT_PARTS; p++)
            parts |= strcmp(word, subject_part_words[p]) == 0 ? 1u << p : 0;
    }
    return parts;
}

/* Neither missing nor null. */
static bool is_given(const struct json_place *at, const char *key)
{
    return json_has(at, key) && !json_is_null(json_object_get(at->value, key));
}

static const char *read_name(const struct json_place *at, const char *key)
{
    const char *name = json_read_string(at, key);
    if (strlen(name) > SUBJECT_LONGEST_NAME)
        json_complain(at, key, "longer than %d bytes", SUBJECT_LONGEST_NAME);
    return name;
}

static const char *read_optional_name(const struct json_place *at, const char *key)
{
    return is_given(at, key) ? read_name(at, key) : NULL;
}

/* `count` numbers, which must be there. */
static void read_vector(const struct json_place *at, const char *key, float *out, size_t count)
{
    size_t found;
    const float *numbers = subject_read_array(at, key, NULL, count, &found);
    if (numbers && found != count)
        json_complain(at, key, "expected %zu numbers, found %zu", count, found);
    else if (numbers)
        memcpy(out, numbers, count * sizeof *out);
}

static struct raw_matrix read_matrix(const struct json_place *at, const char *key)
{
    struct raw_matrix out = {0};
    size_t count;
    const float *numbers = is_given(at, key) ? subject_read_array(at, key, NULL, 16, &count) : NULL;
    if (numbers && count != 12 && count != 16)
        json_complain(at, key, "expected 12 or 16 numbers, found %zu", count);
    else if (numbers) {
        out.count = (uint32_t)count;
        memcpy(out.numbers, numbers, count * sizeof *numbers);
    }
    return out;
}

static struct json_place read_items(const struct json_place *at, const char *key, uint32_t *count)
{
    struct json_place array = json_read_array(at, key, count);
    if (*count > SUBJECT_MOST_ITEMS) {
        json_complain(at, key, "expected at most %d items, found %u", SUBJECT_MOST_ITEMS, *count);
        *count = 0;
    }
    return array;
}

static void read_transform(const struct json_place *at, struct subject_node *node)
{
    struct transform *t = &node->transform;
    const struct {
        const char *key;
        float *to;
        size_t count;
    } parts[COMPONENT_COUNT] = {{"t", t->translation, 3}, {"r", t->rotation, 4}, {"s", t->scale, 3}};
    double length = 0;
    *t = transform_identity;
    for (unsigned c = 0; c < COMPONENT_COUNT; c++)
        if (is_given(at, parts[c].key)) {
            read_vector(at, parts[c].key, parts[c].to, parts[c].count);
            node->components |= 1u << c;
        }
    for (int k = 0; k < 4; k++)
        length += (double)t->rotation[k] * (double)t->rotation[k];
    if (!(length > 1e-30))
        json_complain(at, "r", "a quaternion of length 0 is no rotation; [0, 0, 0, 1] is the identity");
}

static void read_nodes(const struct json_place *at, struct subject_answer *out)
{
    struct json_place array = read_items(at, "nodes", &out->node_count);
    out->nodes = JSON_NEW(&array, struct subject_node, &out->node_count);
    for (uint32_t i = 0; i < out->node_count && !error_is_set(at->reader->err); i++) {
        struct json_place item = json_item(&array, i);
        struct subject_node *node = &out->nodes[i];
        node->name = read_name(&item, "name");
        node->parent = read_optional_name(&item, "parent");
        node->has_parent = json_has(&item, "parent");
        node->parent_index = NO_INDEX;
        if (is_given(&item, "parent_index")) {
            const uint32_t parent = json_read_count(&item, "parent_index");
            node->parent_index = (int32_t)parent;
            if (parent >= out->node_count)
                json_complain(&item, "parent_index", "there are %u nodes", out->node_count);
        }
        node->local = read_matrix(&item, "local");
        node->global = read_matrix(&item, "global");
        read_transform(&item, node);
    }
}

/* 48 numbers are 3 or 4 matrices: of 16 each most end with 1, whichever way they are stored. */
size_t subject_palette_width(const float *numbers, size_t count, enum storage storage, const uint32_t *matrices)
{
    size_t ends = 0;
    bool fits[17] = {false};
    for (size_t width = 12; width <= 16; width += 4)
        fits[width] = count % width == 0 && count / width <= SUBJECT_MOST_ITEMS &&
                      (storage == STORAGE_UNKNOWN || (storage == STORAGE_ROWS3X4) == (width == 12)) &&
                      (!matrices || count == width * *matrices);
    for (size_t i = 15; i < count; i += 16)
        ends += fabsf(numbers[i] - 1) <= 1e-4f;
    return fits[16] && (!fits[12] || matrices || 2 * ends > count / 16) ? 16 : fits[12] ? 12 : 0;
}

void subject_set_palette(const float *numbers, size_t width, uint32_t count, const char *const *bones,
                          struct arena *arena, struct subject_answer *out)
{
    out->has |= SUBJECT_PALETTE;
    out->entry_count = count;
    out->entries = ARENA_NEW(arena, struct subject_entry, count);
    for (uint32_t i = 0; i < count; i++) {
        out->entries[i] = (struct subject_entry){.bone = bones ? bones[i] : NULL, .matrix.count = (uint32_t)width};
        memcpy(out->entries[i].matrix.numbers, numbers + i * width, width * sizeof *numbers);
    }
}

static void read_flat_palette(const struct json_place *at, const char *folder, struct subject_answer *out)
{
    struct json_place palette = json_read_object(at, "palette"), names;
    uint32_t name_count = 0;
    size_t count = 0;
    const float *numbers = subject_read_array(&palette, "matrices", folder, 16 * (size_t)SUBJECT_MOST_ITEMS, &count);
    const bool named = is_given(&palette, "bones");
    if (named)
        names = read_items(&palette, "bones", &name_count);
    if (error_is_set(at->reader->err))
        return;
    const size_t width = subject_palette_width(numbers, count, STORAGE_UNKNOWN, named ? &name_count : NULL);
    if (width == 0) {
        json_complain(&palette, "matrices", "%zu numbers are no matrices of 12 or 16%s", count,
                      named ? ", one for each of `bones`" : "");
        return;
    }
    const char **bones = named ? JSON_NEW(&names, const char *, &name_count) : NULL;
    for (uint32_t i = 0; i < name_count; i++) {
        const struct json_place item = json_item(&names, i);
        bones[i] = read_name(&item, NULL);
    }
    if (!error_is_set(at->reader->err))
        subject_set_palette(numbers, width, (uint32_t)(count / width), bones, at->reader->arena, out);
}

static void read_palette(const struct json_place *at, const char *folder, struct subject_answer *out)
{
    if (!json_is_array(json_object_get(at->value, "palette"))) {
        read_flat_palette(at, folder, out);
        return;
    }
    struct json_place array = read_items(at, "palette", &out->entry_count);
    out->entries = JSON_NEW(&array, struct subject_entry, &out->entry_count);
    for (uint32_t i = 0; i < out->entry_count && !error_is_set(at->reader->err); i++) {
        struct json_place item = json_item(&array, i);
        struct subject_entry *entry = &out->entries[i];
        entry->mesh = read_optional_name(&item, "mesh");
        entry->bone = read_name(&item, "bone");
        entry->matrix = read_matrix(&item, "matrix");
        if (entry->matrix.count == 0)
            json_complain(&item, "matrix", "missing");
    }
}

static const vec3 *read_points(const struct json_place *at, const char *key, const char *folder, uint32_t *count)
{
    size_t numbers;
    const float *values = subject_read_array(at, key, folder, 3 * (size_t)SUBJECT_MOST_VERTICES, &numbers);
    if (values && numbers % 3 != 0)
        json_complain(at, key, "%zu numbers are not 3 a vertex", numbers);
    *count = values ? (uint32_t)(numbers / 3) : 0;
    return (const vec3 *)(const void *)values;
}

static void read_skin(const struct json_place *at, const char *folder, struct subject_answer *out)
{
    struct json_place array = read_items(at, "skin", &out->skin_count);
    out->skin = JSON_NEW(&array, struct skin_snapshot, &out->skin_count);
    for (uint32_t i = 0; i < out->skin_count && !error_is_set(at->reader->err); i++) {
        struct json_place item = json_item(&array, i);
        struct skin_snapshot *skin = &out->skin[i];
        const char *mesh = read_optional_name(&item, "mesh");
        if (is_given(&item, "positions")) {
            uint32_t count;
            const vec3 *positions = read_points(&item, "positions", folder, &count);
            *skin = subject_skin(NULL, positions, NULL, count);
            if (is_given(&item, "normals"))
                skin->normals = read_points(&item, "normals", folder, &skin->normal_count);
            if (skin->normals && skin->normal_count != count)
                json_complain(&item, "normals", "%u normals of %u positions", skin->normal_count, count);
            if (is_given(&item, "vertices") && json_read_count(&item, "vertices") != count)
                json_complain(&item, "vertices", "there are %u positions", count);
        } else {
            skin->vertices = json_read_count(&item, "vertices");
            read_vector(&item, "min", skin->min, 3);
            read_vector(&item, "max", skin->max, 3);
            read_vector(&item, "centroid", skin->centroid, 3);
            for (int k = 0; k < 3; k++)
                if (skin->min[k] > skin->max[k])
                    json_complain(&item, "min", "is greater than max");
        }
        skin->mesh = mesh;
    }
}

void subject_read_parts(const struct json_place *at, const char *folder, struct subject_answer *out)
{
    if (out->has & SUBJECT_NODES)
        read_nodes(at, out);
    if (out->has & SUBJECT_PALETTE)
        read_palette(at, folder, out);
    if (out->has & SUBJECT_SKIN)
        read_skin(at, folder, out);
}

/* A line as JSON, an object. The reader is to be closed in either case. */
static bool open_line(struct json_reader *reader, const struct text *line, const char *name, struct arena *arena,
                      struct error *err)
{
    if (line->size == 0 || line->data[0] != '{') {
        reader->root.value = NULL;
        return error_set(err, "%s: answered `%.80s`, which is no JSON object; what is for people goes to stderr", name,
                         line->size > 0 ? line->data : "");
    }
    return json_reader_open(reader, line->data, line->size, name, arena, err);
}

bool subject_read_answer(const struct text *line, const char *name, unsigned long id, const char *folder,
                         struct arena *arena, struct subject_answer *out, bool *refused, struct error *err)
{
    struct json_reader reader;
    *out = (struct subject_answer){0};
    *refused = false;
    if (open_line(&reader, line, name, arena, err)) {
        const struct json_place *root = &reader.root;
        const json_t *said = json_object_get(root->value, "id");
        if (!json_is_number(said) || json_number_value(said) < (double)id || json_number_value(said) > (double)id)
            error_set(err, "%s: the answer's id is not %lu, the request's", name, id);
        else if (is_given(root, "error")) {
            const char *text = json_read_string(root, "error");
            *refused = !error_is_set(err);
            error_set(err, "%s says: %.900s", name, *text ? text : "(nothing)");
        }
        for (int i = 0; i < SUBJECT_PARTS && !error_is_set(err); i++)
            out->has |= is_given(root, subject_part_words[i]) ? 1u << i : 0;
        subject_read_parts(root, folder, out);
        if (out->has & SUBJECT_PICTURE)
            out->picture = json_read_string(root, "picture");
        if (out->has & SUBJECT_IMPORT)
            out->import = json_read_string(root, "import");
    }
    json_reader_close(&reader);
    return !error_is_set(err);
}

static int read_word(const struct json_place *at, const char *key, const char *const *words, int first, int count)
{
    if (!is_given(at, key))
        return 0;
    const char *word = json_read_string(at, key);
    for (int i = first; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    json_complain(at, key, "`%.60s` is none of its words", word);
    return 0;
}

/* ["x", "z", "-y"]: a row each. */
static void read_axes(const struct json_place *at, struct subject_conventions *out)
{
    uint32_t count;
    struct json_place list = json_read_array(at, "axes", &count);
    unsigned seen = 0;
    memcpy(out->axes, mat4_identity, sizeof(mat4));
    for (uint32_t i = 0; i < count && count == 3 && !error_is_set(at->reader->err); i++) {
        struct json_place item = json_item(&list, i);
        const char *word = json_read_string(&item, NULL), *letter = word + (*word == '-' || *word == '+');
        int axis = letter[0] >= 'x' && letter[0] <= 'z' && letter[1] == '\0' ? letter[0] - 'x' : 3;
        seen |= 1u << axis;
        for (int k = 0; k < 3; k++)
            out->axes[k][i] = k != axis ? 0.0f : *word == '-' ? -1.0f : 1.0f;
    }
    if (seen != 7)
        json_complain(at, "axes", "expected x, y and z, each once, with a sign or without");
    out->has_axes = seen == 7;
}

static void read_conventions(const struct json_place *root, struct subject_conventions *out)
{
    struct json_place at = json_read_object(root, "conventions");
    out->storage = (enum storage)read_word(&at, "storage", storage_words, STORAGE_COLUMNS, STORAGE_COUNT);
    out->bones = read_word(&at, "bones", bones_words, BONES_PER_MESH, BONES_WORDS);
    out->has_space = is_given(&at, "space");
    out->space = (enum palette_space)read_word(&at, "space", space_words, 0, SPACE_WORDS);
    if (is_given(&at, "axes"))
        read_axes(&at, out);
    if (is_given(&at, "unit")) {
        const json_t *unit = json_object_get(at.value, "unit");
        out->unit = json_number_value(unit);
        if (!(out->unit >= 1e-9 && out->unit <= 1e9))
            json_complain(&at, "unit", "expected a number from 1e-9 to 1e9");
    }
    if (is_given(&at, "names")) {
        struct json_place names = json_read_object(&at, "names");
        out->strip = read_optional_name(&names, "strip");
    }
}

bool subject_read_hello(const struct text *line, const char *name, struct arena *arena, struct subject_hello *out,
                        struct error *err)
{
    enum { LONGEST = 200 };
    struct json_reader reader;
    *out = (struct subject_hello){.gives = SUBJECT_NODES | SUBJECT_PALETTE | SUBJECT_SKIN};
    if (open_line(&reader, line, name, arena, err)) {
        const struct json_place *root = &reader.root;
        const char *protocol = json_read_string(root, "protocol");
        if (strcmp(protocol, SUBJECT_PROTOCOL) != 0)
            json_complain(root, "protocol", "expected \"" SUBJECT_PROTOCOL "\", found \"%.60s\"", protocol);
        out->name = json_read_string(root, "name");
        out->version = is_given(root, "version") ? json_read_string(root, "version") : NULL;
        if (*out->name == '\0' || strlen(out->name) > LONGEST || (out->version && strlen(out->version) > LONGEST))
            json_complain(root, "name", "expected 1 to %d bytes, and a version of no more", LONGEST);
        if (is_given(root, "gives"))
            out->gives = subject_read_words(root, "gives");
        if (is_given(root, "conventions"))
            read_conventions(root, &out->conventions);
    }
    json_reader_close(&reader);
    return !error_is_set(err);
}
