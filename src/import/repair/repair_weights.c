#include "import/scene/convert.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "data/affine.h"

/* A sum of weights that is further from 1 than float rounding of a few weights explains. */
static const double sum_tolerance = 1e-5;

/* Below this a sum is noise, and dividing by it makes weights of nothing. */
static const double least_sum = 1e-6;

static const float largest_weight = 1e6f;

static int by_bone(const void *a, const void *b)
{
    const struct influence *x = a, *y = b;
    return (x->bone > y->bone) - (x->bone < y->bone);
}

static int by_weight(const void *a, const void *b)
{
    const struct influence *x = a, *y = b;
    return x->weight != y->weight ? (x->weight < y->weight) - (x->weight > y->weight) : by_bone(a, b);
}

/* A vertex that a bone lists twice gets the sum; zeros go. What is left is sorted by weight. */
static void tidy_mesh(struct mesh *mesh)
{
    uint32_t kept = 0, start = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const uint32_t first = kept, end = mesh->influence_first[v + 1];
        struct influence *all = mesh->influences;
        sort_items(all + start, end - start, sizeof *all, by_bone);
        for (uint32_t i = start; i < end;) {
            struct influence sum = all[i++];
            for (; i < end && all[i].bone == sum.bone; i++)
                sum.weight += all[i].weight;
            if (sum.weight != 0)
                all[kept++] = sum;
        }
        sort_items(all + first, kept - first, sizeof *all, by_weight);
        mesh->influence_first[v] = first;
        start = end;
    }
    mesh->influence_first[mesh->vertex_count] = kept;
}

static void normalise(struct conversion *c, struct mesh *mesh)
{
    uint32_t mended = 0, hopeless = 0;
    double least = INFINITY, most = -INFINITY;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const uint32_t first = mesh->influence_first[v], end = mesh->influence_first[v + 1];
        double sum = 0;
        for (uint32_t i = first; i < end; i++)
            sum += (double)mesh->influences[i].weight;
        if (first == end || fabs(sum - 1.0) <= sum_tolerance)
            continue;
        if (sum < least_sum) {
            hopeless++;
            continue;
        }
        mended++;
        least = fmin(least, sum);
        most = fmax(most, sum);
        for (uint32_t i = first; i < end; i++)
            mesh->influences[i].weight = (float)((double)mesh->influences[i].weight / sum);
    }
    if (mended > 0) {
        const char *from = arena_printf(c->scene->arena, "%.6g", least);
        const char *to = arena_printf(c->scene->arena, "%.6g", most);
        bool is_range = strcmp(from, to) != 0;
        repaired(c, "normalise-weights",
                 "mesh %s: the weights of %u of %u vertices added up to %s%s%s; divided by their sum", mesh->quoted,
                 mended, mesh->vertex_count, is_range ? from : "", is_range ? " to " : "", to);
    }
    if (hopeless > 0)
        warn(c, "weight-sum", "mesh %s: the weights of %u vertices add up to nothing or less and stay as they are",
             mesh->quoted, hopeless);
}

/* Where a node holds vertices without weights: mesh space is the node's. COLLADA has them in the bind shape, which as
 * the joints is in the space of the scene, below Assimp's axes at the root. */
static void place_unweighted(struct conversion *c, const struct mesh *mesh, uint32_t node, mat4 out)
{
    mat4 shape, global, inverse;
    memcpy(out, mat4_identity, sizeof mat4_identity);
    if (!is_format(c, "dae") || !dae_bind_shape(c, mesh, node, shape))
        return;
    memcpy(global, mat4_identity, sizeof global);
    for (const struct node *n = &c->scene->nodes[node]; n->parent != NO_INDEX; n = &c->scene->nodes[n->parent])
        affine_mul(n->local_to_parent, global, global);
    if (affine_inverse(global, inverse))
        affine_mul(inverse, shape, out);
}

/* One more bone, which stays with the mesh node, holds the vertices without weights. */
static void repair_unweighted(struct conversion *c, uint32_t index)
{
    struct mesh *mesh = &c->scene->meshes[index];
    struct arena *arena = c->scene->arena;
    const uint32_t *old = mesh->influence_first;
    uint32_t unweighted = 0, next = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        unweighted += old[v] == old[v + 1];
    if (unweighted == 0)
        return;
    if (!(c->repairs & REPAIR_UNWEIGHTED) || c->mesh_node[index] == NO_INDEX) {
        warn(c, "unweighted", "mesh %s: %u of %u vertices have no weights; a palette collapses them to the origin",
             mesh->quoted, unweighted, mesh->vertex_count);
        return;
    }
    uint32_t node = (uint32_t)c->mesh_node[index];
    struct bone *bones = ARENA_NEW(arena, struct bone, (size_t)mesh->bone_count + 1);
    memcpy(bones, mesh->bones, mesh->bone_count * sizeof *bones);
    bones[mesh->bone_count] = (struct bone){.node = node, .follows_mesh_node = true};
    place_unweighted(c, mesh, node, bones[mesh->bone_count].mesh_to_bone);
    uint32_t *first = ARENA_NEW(arena, uint32_t, (size_t)mesh->vertex_count + 1);
    struct influence *influences = ARENA_NEW(arena, struct influence, (size_t)old[mesh->vertex_count] + unweighted);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        for (uint32_t i = old[v]; i < old[v + 1]; i++)
            influences[next++] = mesh->influences[i];
        if (old[v] == old[v + 1])
            influences[next++] = (struct influence){mesh->bone_count, 1.0f};
        first[v + 1] = next;
    }
    mesh->bones = bones;
    mesh->bone_count++;
    mesh->influence_first = first;
    mesh->influences = influences;
    repaired(c, "unweighted", "mesh %s: %u of %u vertices have no weights and follow the node \"%s\"", mesh->quoted,
             unweighted, mesh->vertex_count, c->scene->nodes[node].name);
}

bool finish_weights(struct conversion *c)
{
    for (uint32_t i = 0; i < c->scene->mesh_count; i++) {
        struct mesh *mesh = &c->scene->meshes[i];
        if (mesh->bone_count == 0)
            continue;
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            for (uint32_t k = mesh->influence_first[v]; k < mesh->influence_first[v + 1]; k++) {
                const struct influence *influence = &mesh->influences[k];
                const char *bone = c->scene->nodes[mesh->bones[influence->bone].node].name;
                if (!isfinite(influence->weight))
                    return error_set(c->err, "mesh %s, bone \"%s\": the weight of vertex %u is not a number",
                                     mesh->quoted, bone, v);
                if (fabsf(influence->weight) > largest_weight)
                    return error_set(c->err,
                                     "mesh %s, bone \"%s\": the weight of vertex %u is %g, too large for a weight",
                                     mesh->quoted, bone, v, (double)influence->weight);
            }
        tidy_mesh(mesh);
        if (c->repairs & REPAIR_NORMALISE_WEIGHTS)
            normalise(c, mesh);
        repair_unweighted(c, i);
    }
    return true;
}
