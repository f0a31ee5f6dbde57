#include "import/scene/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/fbx/fbx_animation.h"

/* An FBX file as Assimp is to read it. */

/* A number of an ASCII file that is longer than this counts as 0 to Assimp. */
enum { LONGEST_NUMBER = 31 };

/* Shortens the numbers of the ASCII file `begin`. False, with nothing appended: it has none. */
static bool shorten_numbers(struct conversion *c, const char *begin, struct text *out)
{
    uint32_t count = 0;
    bool quoted = false;
    const char *at = begin, *written = begin;
    while (*at) {
        size_t length = quoted ? 0 : strspn(at, "+-.0123456789eE");
        char *end = NULL;
        const double number = length > LONGEST_NUMBER ? strtod(at, &end) : 0;
        if (end == at + length) { /* and not a line of dashes in a comment */
            text_add_bytes(out, written, (size_t)(at - written));
            text_addf(out, "%.17g", number);
            written = at + length;
            count++;
        }
        quoted = quoted != (*at == '"');
        at += length > 0 ? length : 1;
    }
    if (count > 0) {
        text_add(out, written);
        repaired(c, "fbx-numbers", "%u number%s of more than %d characters, which Assimp takes for 0, written shorter",
                 count, count > 1 ? "s" : "", LONGEST_NUMBER);
    }
    return count > 0;
}

/*
 * A model turns between its pre- and post-rotation, and in its own order of axes, only where RotationActive is set and
 * not RotationSpaceForLimitOnly. Assimp does not ask: the names of these properties are changed where they do not
 * count.
 */
static uint32_t drop_rotation_space(const struct fbx_file *file, unsigned char *data)
{
    static const char *const names[] = {"PreRotation", "PostRotation", "RotationOrder"};
    uint32_t changed = 0;
    for (uint32_t i = 0, e; (e = fbx_next(file, &i, "Model")) != 0;) {
        if (fbx_model_number(file, e, "RotationActive", 1) != 0 &&
            fbx_model_number(file, e, "RotationSpaceForLimitOnly", 0) == 0)
            continue;
        const uint32_t list = fbx_child(file, e, "Properties70"), before = changed;
        for (uint32_t p = list ? file->elements[list].child : 0; p != 0; p = file->elements[p].next) {
            struct slice name;
            double values[3] = {0};
            for (int k = 0; k < 3 && fbx_string(file, p, 0, &name); k++) {
                const bool is_it = slice_is(name, names[k]) && fbx_property(file, e, names[k], k < 2 ? 3 : 1, values);
                if (is_it && (values[0] != 0 || values[1] != 0 || values[2] != 0)) {
                    data[name.data - (const char *)file->data] ^= 0x20;
                    changed = before + 1;
                }
            }
        }
    }
    return changed;
}

/* Returns whether a curve of the three has a key within the range, give or take what Assimp does. */
static bool has_key_within(const struct fbx_file *file, const uint32_t *curves, const struct fbx_animation *range)
{
    const double slack = 10000 / FBX_TICKS_PER_SECOND;
    bool found = false;
    for (int i = 0; i < 3 && !found; i++) {
        struct bezier_curve curve;
        if (!curves[i] || !fbx_curve_read(file, curves[i], &curve))
            continue;
        found = bezier_segment(&curve, range->stop + slack) > bezier_segment(&curve, range->start - slack);
        free(curve.keys);
    }
    return found;
}

/* Counts models that only their position or scale animates, by keys that are all outside of the range. */
static uint32_t count_outside(const struct fbx_file *file, const struct fbx_animation *animation)
{
    uint32_t outside = 0;
    for (uint32_t i = 0, end; i < animation->count && animation->has_range; i = end) {
        bool is_held = false, is_within = false;
        for (end = i; end < animation->count; end++) {
            const struct fbx_animated *animated = &animation->list[end];
            if (!slices_are_one(animated->name, animation->list[i].name))
                break;
            if (animated->layer == FBX_RESTING || is_within)
                continue;
            is_held = true;
            is_within = animated->kind == COMPONENT_ROTATION || has_key_within(file, animated->curves, animation);
        }
        outside += is_held && !is_within;
    }
    return outside;
}

/* Assimp crashes on a model without keys within the range of a stack: such a stack loses its range. Returns how many
 * do. */
static uint32_t drop_ranges(struct conversion *c, const struct fbx_file *file, unsigned char *data)
{
    struct fbx_animation animation;
    uint32_t dropped = 0, stack = 0;
    for (uint32_t i = 0, e; (e = fbx_next(file, &i, "AnimationStack")) != 0;) {
        const char *name = copy_name(c, fbx_object_name(file, e));
        for (stack = 0; stack != e && fbx_animation_read(file, name, &stack, &animation) && stack != e;)
            fbx_animation_release(&animation);
        const uint32_t outside = stack == e ? count_outside(file, &animation) : 0;
        if (stack == e)
            fbx_animation_release(&animation);
        if (outside == 0)
            continue;
        const uint32_t list = fbx_child(file, e, "Properties70");
        for (uint32_t p = list ? file->elements[list].child : 0; p != 0; p = file->elements[p].next) {
            struct slice property;
            if (fbx_string(file, p, 0, &property) &&
                (slice_is(property, "LocalStart") || slice_is(property, "LocalStop")))
                data[property.data - (const char *)file->data] ^= 0x20;
        }
        warn(c, "fbx-range",
             "clip \"%s\": all keys are played, not only those in the clip's range, which holds no key of %u models: "
             "Assimp %s crashes on that",
             name, outside, c->scene->assimp_version);
        dropped++;
    }
    return dropped;
}

/* The largest number of a list; -1: there is none. */
static double largest_of(const struct fbx_file *file, uint32_t list)
{
    uint32_t count = 0;
    double *numbers = list ? fbx_array(file, list, &count) : NULL, largest = -1;
    for (uint32_t i = 0; numbers && i < count; i++)
        largest = fmax(largest, numbers[i]);
    free(numbers);
    return largest;
}

static bool has_material(const struct fbx_file *file, int64_t geometry)
{
    uint32_t models, children;
    bool found = false;
    const struct fbx_connection *list = fbx_connections(file, file->by_child, geometry, &models);
    for (uint32_t i = 0; i < models && !found; i++) {
        const struct fbx_connection *of_model = fbx_connections(file, file->by_parent, list[i].other, &children);
        for (uint32_t k = 0; k < children && !found; k++)
            found = fbx_find(file, of_model[k].other, "Material") != 0;
    }
    return found;
}

/*
 * Assimp loses a mesh in which an index is beyond its list, and makes a mesh for each number of a material, also where
 * the file has none: `data` gets another name for such lists of corners and polygons. Returns how many.
 */
static uint32_t hide_lists(const struct fbx_file *file, unsigned char *data)
{
    enum { MANY = 256 };
    static const struct {
        const char *layer, *list, *index;
        unsigned width;
    } kinds[] = {{"LayerElementNormal", "Normals", "NormalsIndex", 3},
                 {"LayerElementUV", "UV", "UVIndex", 2},
                 {"LayerElementColor", "Colors", "ColorIndex", 4},
                 {"LayerElementTangent", "Tangents", "TangentsIndex", 3},
                 {"LayerElementBinormal", "Binormals", "BinormalsIndex", 3},
                 {"LayerElementMaterial", NULL, "Materials", 0}};
    uint32_t hidden = 0;
    for (uint32_t i = 0, e; (e = fbx_next(file, &i, "Geometry")) != 0;)
        for (uint32_t layer = file->elements[e].child; layer != 0; layer = file->elements[layer].next)
            for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
                if (!slice_is(file->elements[layer].name, kinds[k].layer))
                    continue;
                const uint32_t list = kinds[k].list ? fbx_child(file, layer, kinds[k].list) : 0;
                const double largest = largest_of(file, fbx_child(file, layer, kinds[k].index));
                const double end = list ? fbx_array_length(file, list) / kinds[k].width : MANY;
                if (largest < end || (!list && (kinds[k].list || has_material(file, file->objects[i - 1].id))))
                    continue;
                data[file->elements[layer].name.data - (const char *)file->data] ^= 0x20;
                hidden++;
            }
    return hidden;
}

/* Text that is added before an element of the file. */
struct insertion {
    size_t at;
    struct text text;
};

/* Elements of a binary file say where they end: all that end behind an insertion end later. `data` is changed. */
static void move_ends(const struct fbx_file *file, unsigned char *data, size_t at, size_t end,
                      const struct insertion *list, size_t count, unsigned depth)
{
    enum { DEEPEST = 16 };
    const unsigned width = file->version >= 7500 ? 8 : 4, header = 3 * width + 1;
    while (depth < DEEPEST && at <= end && end - at >= header) {
        const uint64_t element_end = little_endian(data + at, width),
                       length = little_endian(data + at + 2 * width, width);
        const uint64_t inside = at + header + data[at + header - 1] + length;
        uint64_t moved = element_end;
        if (element_end <= at || element_end > end || length > end || inside > element_end)
            return;
        for (size_t i = 0; i < count; i++)
            moved += list[i].at < element_end ? list[i].text.size : 0;
        put_little_endian(data + at, moved, width);
        move_ends(file, data, (size_t)inside, (size_t)element_end, list, count, depth + 1);
        at = (size_t)element_end;
    }
}

/* `count` zeros as the list "Normals"; `at`: where a binary one begins in the new file. */
static void write_normals(const struct fbx_file *file, uint32_t count, size_t at, struct text *out)
{
    const unsigned width = file->version >= 7500 ? 8 : 4;
    const size_t length = 1 + 12 + 8 * (size_t)count, size = 3 * width + 1 + 7 + length;
    const uint64_t head[] = {at + size, 1, length}, list[] = {count, 0, 8 * (uint64_t)count};
    if (!file->is_binary) {
        text_addf(out, "Normals: *%u {\na: 0", count);
        for (uint32_t i = 1; i < count; i++)
            text_add(out, ",0");
        text_add(out, "\n}\n");
        return;
    }
    for (int n = 0; n < 3; n++)
        add_little_endian(out, head[n], width);
    text_add(out, "\7Normalsd"); /* the length of the name, the name, and the type of the list: doubles */
    for (int n = 0; n < 3; n++)
        add_little_endian(out, list[n], 4);
    for (uint32_t i = 0; i < count; i++)
        add_little_endian(out, 0, 8);
}

/* Assimp drops a shape without normals. Returns how many got zeros; `data`, the file's, is changed. */
static uint32_t add_normals(const struct fbx_file *file, unsigned char *data, struct text *out)
{
    const size_t header = file->is_binary ? (file->version >= 7500 ? 25 : 13) : 0;
    FREED struct insertion *list = memory_new(file->object_count, sizeof *list);
    uint32_t count = 0;
    size_t added = 0;
    for (uint32_t i = 0; i < file->element_count; i++) { /* in the file's order */
        struct slice type;
        const bool is_shape =
            slice_is(file->elements[i].name, "Geometry") && fbx_string(file, i, 2, &type) && slice_is(type, "Shape");
        const uint32_t vertices = is_shape ? fbx_child(file, i, "Vertices") : 0;
        uint32_t numbers = 0;
        if (vertices == 0 || fbx_child(file, i, "Normals") || count == file->object_count)
            continue;
        free(fbx_array(file, vertices, &numbers));
        list[count].at = (size_t)((const unsigned char *)file->elements[vertices].name.data - file->data) - header;
        write_normals(file, numbers, list[count].at + added, &list[count].text);
        added += list[count++].text.size;
    }
    if (count > 0 && file->is_binary)
        move_ends(file, data, 27, file->size, list, count, 0);
    size_t at = 0;
    for (uint32_t i = 0; i < count; at = list[i++].at) {
        text_add_bytes(out, data + at, list[i].at - at);
        text_add_bytes(out, list[i].text.data, list[i].text.size);
        text_release(&list[i].text);
    }
    text_add_bytes(out, data + at, count > 0 ? file->size - at : 0);
    return count;
}

struct fbx_file *fbx_of(struct conversion *c)
{
    const struct blob *bytes = c->fbx ? NULL : bytes_of(c);
    if (bytes) {
        c->fbx = ARENA_NEW(c->scene->arena, struct fbx_file, 1);
        c->problem = fbx_open(c->fbx, bytes->data, bytes->size);
    }
    return c->problem ? NULL : c->fbx;
}

void fbx_rewrite(struct conversion *c, struct text *out)
{
    const struct fbx_file *file = fbx_of(c);
    SCOPED(text) whole = {0};
    const uint32_t turned =
        file && (c->repairs & REPAIR_FBX_ROTATION_SPACE) ? drop_rotation_space(file, c->content.data) : 0;
    const uint32_t parted = file && (c->repairs & REPAIR_NAME_CLASH) ? fbx_part_names(c, file, c->content.data) : 0;
    const uint32_t flags = file && (c->repairs & REPAIR_FBX_CURVES) ? fbx_curves_hide_flags(file, c->content.data) : 0;
    const uint32_t ranges = file && (c->repairs & REPAIR_FBX_CURVES) ? drop_ranges(c, file, c->content.data) : 0;
    const uint32_t lists = file && (c->repairs & REPAIR_FBX_NUMBERS) ? hide_lists(file, c->content.data) : 0;
    const uint32_t shapes = file && (c->repairs & REPAIR_FBX_SHAPES) ? add_normals(file, c->content.data, &whole) : 0;
    if (turned > 0)
        repaired(c, "fbx-rotation-space",
                 "%u models turn without their pre- and post-rotation and in the order XYZ, as RotationActive or "
                 "RotationSpaceForLimitOnly says",
                 turned);
    if (parted > 0)
        repaired(c, "name-clash",
                 "%u models share their names with others: each has its own bones and channels, where Assimp takes "
                 "those of the first of a name",
                 parted);
    if (flags > 0)
        repaired(c, "fbx-curves",
                 "%u curves with flags that are negative numbers, on which Assimp loses a curve, are read", flags);
    if (lists > 0)
        repaired(
            c, "fbx-numbers",
            "%u lists of normals, texture coordinates, colours or materials of meshes are left out: they name what "
            "the file does not have",
            lists);
    if (shapes > 0)
        repaired(c, "fbx-shapes", "%u blend shape%s without normals, which Assimp %s leaves out", shapes,
                 shapes > 1 ? "s" : "", c->scene->assimp_version);
    const char *content = shapes > 0 ? text_string(&whole) : (const char *)c->content.data;
    const bool has_numbers = content && !c->fbx->is_binary && (c->repairs & REPAIR_FBX_NUMBERS);
    if ((!has_numbers || !shorten_numbers(c, content, out)) && turned + parted + flags + ranges + lists + shapes > 0)
        text_add_bytes(out, content, shapes > 0 ? whole.size : c->content.size);
}
