#include "import/fbx/fbx_animation.h"

#include <stdlib.h>
#include <string.h>

#include "import/convert.h"

static int64_t id_of(const struct fbx_file *file, uint32_t element)
{
    int64_t id = 0;
    fbx_integer(file, element, 0, &id);
    return id;
}

/* What an AnimationCurveNode animates; false when it is nothing of ours. */
static bool read_node(const struct fbx_file *file, uint32_t node, struct fbx_animated *out, bool *is_shape)
{
    static const char *const names[COMPONENT_COUNT] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};
    static const char *const axes[3] = {"d|X", "d|Y", "d|Z"};
    uint32_t parent_count, child_count;
    const struct fbx_connection *parents = fbx_connections(file, file->by_child, id_of(file, node), &parent_count);
    const struct fbx_connection *children = fbx_connections(file, file->by_parent, id_of(file, node), &child_count);
    *out = (struct fbx_animated){.node = node};
    *is_shape = false;
    for (uint32_t i = 0; i < parent_count && out->object == 0; i++) {
        *is_shape = fbx_is(parents[i].property, "DeformPercent");
        out->component = COMPONENT_TRANSLATION;
        while (!*is_shape && out->component < COMPONENT_COUNT && !fbx_is(parents[i].property, names[out->component]))
            out->component++;
        if (out->component < COMPONENT_COUNT)
            out->object = fbx_find(file, parents[i].other, *is_shape ? "Deformer" : "Model");
    }
    for (uint32_t i = 0; i < child_count && out->object != 0; i++)
        for (int axis = 0; axis < 3; axis++)
            if (fbx_is(children[i].property, axes[axis]) ||
                (axis == 0 && fbx_is(children[i].property, "d|DeformPercent")))
                out->curves[axis] = fbx_find(file, children[i].other, "AnimationCurve");
    if (out->object != 0)
        out->name = fbx_object_name(file, out->object);
    return out->curves[0] || out->curves[1] || out->curves[2];
}

/* Of layers above the first one that animates something nothing is kept. */
static void read_layer(const struct fbx_file *file, int64_t layer, struct fbx_animation *out)
{
    const uint32_t count = out->count, shape_count = out->shape_count;
    uint32_t child_count;
    const struct fbx_connection *children = fbx_connections(file, file->by_parent, layer, &child_count);
    for (uint32_t i = 0; i < child_count; i++) {
        uint32_t node = fbx_find(file, children[i].other, "AnimationCurveNode");
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

static int compare(const void *a, const void *b)
{
    const struct fbx_animated *x = a, *y = b;
    size_t shorter = x->name.length < y->name.length ? x->name.length : y->name.length;
    int order = memcmp(x->name.data, y->name.data, shorter);
    if (order == 0)
        order = (x->name.length > y->name.length) - (x->name.length < y->name.length);
    return order ? order : (x->component > y->component) - (x->component < y->component);
}

static void read_stack(const struct fbx_file *file, uint32_t stack, struct fbx_animation *out)
{
    size_t most = 2 * (size_t)file->connection_count; /* the first layer, and another one */
    uint32_t child_count;
    const struct fbx_connection *children = fbx_connections(file, file->by_parent, id_of(file, stack), &child_count);
    double start = 0, stop = 0;
    *out = (struct fbx_animation){.list = memory_new(most, sizeof *out->list),
                                  .shapes = memory_new(most, sizeof *out->shapes)};
    fbx_property(file, stack, "LocalStart", 1, &start);
    fbx_property(file, stack, "LocalStop", 1, &stop);
    out->has_range = start != 0 || stop != 0;
    out->start = start / FBX_TICKS_PER_SECOND;
    out->stop = stop / FBX_TICKS_PER_SECOND;
    for (uint32_t i = 0; i < child_count; i++)
        if (fbx_find(file, children[i].other, "AnimationLayer"))
            read_layer(file, children[i].other, out);
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
