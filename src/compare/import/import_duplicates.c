/* Nodes of one name. Bones are told by name, so only the nodes themselves say which of several is the bone. */
#include <string.h>

#include "compare/import/import_context.h"

/* The node of this name that is a bone in `actual`, and is matched to one in the golden that is none; or NO_INDEX. */
static int32_t bone_in_its_place(const struct import_context *c, const char *name)
{
    for (size_t i = 0; i < c->nodes.golden_count; i++) {
        int32_t actual = c->nodes.to_actual[i];
        if (actual != NO_INDEX && strcmp(c->golden->nodes[i].name, name) == 0 && !c->golden->nodes[i].is_bone &&
            c->actual->nodes[actual].is_bone)
            return actual;
    }
    return NO_INDEX;
}

static const char *place_of(const struct import_context *c, const struct node_snapshot *node)
{
    return node->parent ? arena_printf(c->arena, "under `%s`", node->parent) : "at the root";
}

void import_compare_duplicates(const struct import_context *c)
{
    struct grouping grouping = grouping_begin(c->out, "", " bones are other nodes of their names");
    for (size_t i = 0; i < c->nodes.golden_count; i++) {
        const struct node_snapshot *was = &c->golden->nodes[i];
        int32_t same = c->nodes.to_actual[i];
        if (!was->is_bone || same == NO_INDEX || c->actual->nodes[same].is_bone)
            continue;
        int32_t other = bone_in_its_place(c, was->name);
        if (other == NO_INDEX)
            continue; /* the mesh has lost the bone, which is told there */
        struct finding finding = import_finding(was->name);
        const char *place = place_of(c, &c->actual->nodes[other]), *place_before = place_of(c, was);
        if (strcmp(place, place_before) == 0)
            grouping_add(&grouping, &finding, NULL, "bone `%s` is another node of its name now: there are several %s",
                         was->name, place);
        else
            grouping_add(&grouping, &finding, NULL, "bone `%s` is the node %s now, was the one %s", was->name, place,
                         place_before);
    }
    grouping_end(&grouping);
}
