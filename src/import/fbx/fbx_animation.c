#include "import/fbx/fbx_animation.h"

#include <stdlib.h>
#include <string.h>

#include "import/convert.h"
#include "import/fbx/fbx_curve.h"

static int64_t id_of(const struct fbx_file *file, uint32_t element)
{
    int64_t id = 0;
    fbx_integer(file, element, 0, &id);
    return id;
}

static void find_curves(const struct fbx_file *file, struct fbx_animated *animated)
{
    static const char *const names[3] = {"d|X", "d|Y", "d|Z"};
    int64_t id = id_of(file, animated->node);
    for (uint32_t i = fbx_first_child(file, id); i < file->connection_count && file->by_parent[i].parent == id; i++) {
        const struct fbx_connection *c = &file->by_parent[i];
        for (int axis = 0; axis < 3; axis++)
            if (fbx_is(c->property, names[axis]) || (axis == 0 && fbx_is(c->property, "d|DeformPercent")))
                animated->curves[axis] = fbx_find(file, c->child, "AnimationCurve");
    }
}

/* What an AnimationCurveNode animates; false when it is nothing of ours. */
static bool read_node(const struct fbx_file *file, uint32_t node, struct fbx_animated *out, bool *is_shape)
{
    static const char *const names[COMPONENT_COUNT] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};
    int64_t id = id_of(file, node);
    for (uint32_t i = fbx_first_parent(file, id); i < file->connection_count && file->by_child[i].child == id; i++) {
        const struct fbx_connection *c = &file->by_child[i];
        *out = (struct fbx_animated){.node = node};
        *is_shape = fbx_is(c->property, "DeformPercent");
        out->object = fbx_find(file, c->parent, *is_shape ? "Deformer" : "Model");
        while (!*is_shape && out->component < COMPONENT_COUNT && !fbx_is(c->property, names[out->component]))
            out->component++;
        if (out->object == 0 || out->component == COMPONENT_COUNT)
            continue;
        out->name = fbx_object_name(file, out->object);
        find_curves(file, out);
        return out->curves[0] || out->curves[1] || out->curves[2];
    }
    return false;
}

/* Of layers above the first one that animates something nothing is kept. */
static void read_layer(const struct fbx_file *file, int64_t layer, struct fbx_animation *out)
{
    const uint32_t count = out->count, shape_count = out->shape_count;
    for (uint32_t i = fbx_first_child(file, layer); i < file->connection_count && file->by_parent[i].parent == layer;
         i++) {
        uint32_t node = fbx_find(file, file->by_parent[i].child, "AnimationCurveNode");
        struct fbx_animated animated;
        bool is_shape;
        if (node == 0 || !read_node(file, node, &animated, &is_shape))
            continue;
        if (is_shape)
            out->shapes[out->shape_count++] = animated;
        else
            out->list[out->count++] = animated;
    }
    if (out->count == count && out->shape_count == shape_count)
        return;
    if (out->layer_count++ > 0) {
        out->count = count;
        out->shape_count = shape_count;
    }
}

static int compare_text(struct fbx_text a, struct fbx_text b)
{
    int order = memcmp(a.data, b.data, a.length < b.length ? a.length : b.length);
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static int compare(const void *a, const void *b)
{
    const struct fbx_animated *x = a, *y = b;
    int order = compare_text(x->name, y->name);
    return order ? order : (x->component > y->component) - (x->component < y->component);
}

static void read_range(const struct fbx_file *file, uint32_t stack, struct fbx_animation *out)
{
    double start = 0, stop = 0;
    fbx_property(file, stack, "LocalStart", 1, &start);
    fbx_property(file, stack, "LocalStop", 1, &stop);
    out->has_range = start != 0 || stop != 0;
    out->start = start / FBX_TICKS_PER_SECOND;
    out->stop = stop / FBX_TICKS_PER_SECOND;
}

static void read_stack(const struct fbx_file *file, uint32_t stack, struct fbx_animation *out)
{
    int64_t id = id_of(file, stack);
    size_t most = 2 * (size_t)file->connection_count; /* the first layer, and another one */
    *out = (struct fbx_animation){.list = scratch_alloc(most, sizeof *out->list),
                                  .shapes = scratch_alloc(most, sizeof *out->shapes)};
    read_range(file, stack, out);
    for (uint32_t i = fbx_first_child(file, id); i < file->connection_count && file->by_parent[i].parent == id; i++) {
        int64_t layer = file->by_parent[i].child;
        if (fbx_find(file, layer, "AnimationLayer"))
            read_layer(file, layer, out);
    }
    qsort(out->list, out->count, sizeof *out->list, compare);
}

bool fbx_animation_read(const struct fbx_file *file, const char *name, uint32_t *after, struct fbx_animation *out)
{
    uint32_t e = *after ? file->elements[*after].next : 0, top = *after ? 0 : fbx_child(file, 0, "Objects");
    for (e = top ? file->elements[top].child : e; e != 0; e = file->elements[e].next) {
        if (!fbx_is(file->elements[e].name, "AnimationStack") || !fbx_is(fbx_object_name(file, e), name))
            continue;
        *after = e;
        read_stack(file, e, out);
        return true;
    }
    return false;
}

void fbx_animation_release(struct fbx_animation *animation)
{
    free(animation->list);
    free(animation->shapes);
}

const struct fbx_animated *fbx_animation_find(const struct fbx_animation *animation, struct fbx_text name,
                                              enum component component)
{
    const struct fbx_animated wanted = {.name = name, .component = component};
    const struct fbx_animated *found = bsearch(&wanted, animation->list, animation->count, sizeof wanted, compare);
    if (!found || (found > animation->list && compare(found - 1, &wanted) == 0) ||
        (found + 1 < animation->list + animation->count && compare(found + 1, &wanted) == 0))
        return NULL;
    return found;
}
