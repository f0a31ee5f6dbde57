#include "import/fbx/fbx_animation.h"

#include <stdlib.h>

#include "base/sort.h"

const char *const fbx_properties[FBX_KINDS] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling", "DeformPercent"};
const char *const fbx_axes[FBX_KINDS] = {"d|X", "d|Y", "d|Z", "d|DeformPercent"};

static bool has_curves(const struct fbx_animated *animated)
{
    return animated->curves[0] || animated->curves[1] || animated->curves[2];
}

/* Reads what an AnimationCurveNode animates, if by no curves; false when it is nothing of ours. */
static bool read_node(const struct fbx_file *file, uint32_t node, struct fbx_animated *out)
{
    uint32_t parent_count, child_count;
    int64_t id = 0;
    fbx_integer(file, node, 0, &id);
    const struct fbx_connection *parents = fbx_connections(file, file->by_child, id, &parent_count);
    const struct fbx_connection *children = fbx_connections(file, file->by_parent, id, &child_count);
    *out = (struct fbx_animated){.node = node};
    for (uint32_t i = 0; i < parent_count && out->object == 0; i++) {
        out->kind = 0;
        while (out->kind < FBX_KINDS && !slice_is(parents[i].property, fbx_properties[out->kind]))
            out->kind++;
        if (out->kind < FBX_KINDS)
            out->object = fbx_find(file, parents[i].other, out->kind == FBX_WEIGHT ? "Deformer" : "Model");
    }
    for (uint32_t i = 0; i < child_count && out->object != 0; i++)
        for (int axis = 0; axis < FBX_KINDS; axis++)
            if (slice_is(children[i].property, fbx_axes[axis]))
                out->curves[axis % 3] = fbx_find(file, children[i].other, "AnimationCurve");
    if (out->object != 0)
        out->name = fbx_object_name(file, out->object);
    return out->object != 0;
}

static int compare(const void *a, const void *b)
{
    const struct fbx_animated *x = a, *y = b;
    const int order = slice_order(x->name, y->name);
    if (order || x->kind != y->kind)
        return order ? order : x->kind - y->kind;
    return (x->layer > y->layer) - (x->layer < y->layer);
}

/* Returns how a layer is put on those below it. Its weight has a curve where an AnimationCurveNode is connected as
 * "Weight". */
static struct fbx_layer read_layer(const struct fbx_file *file, int64_t id, uint32_t element)
{
    struct fbx_layer layer = {.weight = 100};
    double mode = FBX_ADDED, by_axis[2] = {0, 0};
    uint32_t count, curve_count;
    fbx_property(file, element, "Weight", 1, &layer.weight);
    fbx_property(file, element, "BlendMode", 1, &mode);
    fbx_property(file, element, "RotationAccumulationMode", 1, &by_axis[0]);
    fbx_property(file, element, "ScaleAccumulationMode", 1, &by_axis[1]);
    layer.mode = mode == FBX_ADDED ? FBX_ADDED : mode == FBX_BLENDED ? FBX_BLENDED : FBX_REPLACES;
    layer.adds_angles = by_axis[0] != 0;
    layer.adds_scales = by_axis[1] != 0;
    const struct fbx_connection *nodes = fbx_connections(file, file->by_parent, id, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (!slice_is(nodes[i].property, "Weight") || !fbx_find(file, nodes[i].other, "AnimationCurveNode"))
            continue;
        const struct fbx_connection *curves = fbx_connections(file, file->by_parent, nodes[i].other, &curve_count);
        for (uint32_t k = 0; k < curve_count && !layer.weight_curve; k++)
            layer.weight_curve = fbx_find(file, curves[k].other, "AnimationCurve");
    }
    return layer;
}

/* Appends what the nodes of a layer animate, as of the layer `index`. */
static void read_nodes(const struct fbx_file *file, int64_t layer, uint32_t index, struct fbx_animation *out)
{
    uint32_t count;
    const struct fbx_connection *nodes = fbx_connections(file, file->by_parent, layer, &count);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t node = fbx_find(file, nodes[k].other, "AnimationCurveNode");
        struct fbx_animated animated;
        if (node == 0 || !read_node(file, node, &animated) ||
            (!has_curves(&animated) && (index > 0 || animated.kind == FBX_WEIGHT)))
            continue;
        animated.layer = has_curves(&animated) ? index : FBX_RESTING;
        *(animated.kind == FBX_WEIGHT ? &out->shapes[out->shape_count++] : &out->list[out->count++]) = animated;
    }
}

bool fbx_animation_read(const struct fbx_file *file, const char *name, uint32_t *after, struct fbx_animation *out)
{
    const size_t most = (FBX_LAYERS + 1) * (size_t)file->connection_count; /* a node may be in each layer */
    double start = 0, stop = 0;
    uint32_t e = *after ? file->elements[*after].next : 0, top = *after ? 0 : fbx_child(file, 0, "Objects");
    uint32_t child_count;
    int64_t id = 0;
    e = top ? file->elements[top].child : e;
    while (e != 0 && (!slice_is(file->elements[e].name, "AnimationStack") || !slice_is(fbx_object_name(file, e), name)))
        e = file->elements[e].next;
    if (e == 0)
        return false;
    *after = e;
    fbx_integer(file, e, 0, &id);
    const struct fbx_connection *children = fbx_connections(file, file->by_parent, id, &child_count);
    *out = (struct fbx_animation){.list = memory_new(most, sizeof *out->list),
                                  .shapes = memory_new(most, sizeof *out->shapes)};
    fbx_property(file, e, "LocalStart", 1, &start);
    fbx_property(file, e, "LocalStop", 1, &stop);
    out->has_range = start != 0 || stop != 0;
    out->start = start / FBX_TICKS_PER_SECOND;
    out->stop = stop / FBX_TICKS_PER_SECOND;
    for (uint32_t i = 0; i < child_count; i++) {
        const uint32_t count = out->count + out->shape_count;
        const uint32_t layer = fbx_find(file, children[i].other, "AnimationLayer");
        if (layer == 0 || out->layer_count == FBX_LAYERS)
            continue;
        read_nodes(file, children[i].other, out->layer_count, out);
        if (out->layer_count == 0 || out->count + out->shape_count > count) /* one that animates nothing is left out */
            out->layers[out->layer_count++] = read_layer(file, children[i].other, layer);
    }
    sort_items(out->list, out->count, sizeof *out->list, compare);
    return true;
}

void fbx_animation_release(struct fbx_animation *animation)
{
    free(animation->list);
    free(animation->shapes);
}

const struct fbx_animated *fbx_animation_find(const struct fbx_animation *animation, struct slice name,
                                              enum component component, uint32_t layer)
{
    const struct fbx_animated wanted = {.name = name, .kind = (int)component, .layer = layer};
    const struct fbx_animated *found = bsearch(&wanted, animation->list, animation->count, sizeof wanted, compare);
    if (!found || (found > animation->list && compare(found - 1, &wanted) == 0) ||
        (found + 1 < animation->list + animation->count && compare(found + 1, &wanted) == 0))
        return NULL;
    return found;
}
