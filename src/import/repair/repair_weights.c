#include "import/convert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sum of weights that is further from 1 than float rounding of a few weights explains. */
static const double sum_tolerance = 1e-5;

/* Below this a sum is noise, and dividing by it makes weights of nothing. */
static const double least_sum = 1e-6;

static const float largest_weight = 1e6f;

static bool check_weights(struct conversion *c, const struct mesh *mesh)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        for (uint32_t i = mesh->influence_first[v]; i < mesh->influence_first[v + 1]; i++) {
            const struct influence *influence = &mesh->influences[i];
            const char *bone = c->scene->nodes[mesh->bones[influence->bone].node].name;
            if (!isfinite(influence->weight))
                return error_set(c->err, "mesh %s, bone \"%s\": the weight of vertex %u is not a number", mesh->quoted,
                                 bone, v);
            if (fabsf(influence->weight) > largest_weight)
                return error_set(c->err, "mesh %s, bone \"%s\": the weight of vertex %u is %g, which is no weight",
                                 mesh->quoted, bone, v, (double)influence->weight);
        }
    }
    return true;
}

static int by_bone(const void *a, const void *b)
{
    const struct influence *x = a;
    const struct influence *y = b;
    return (x->bone > y->bone) - (x->bone < y->bone);
}

static int by_weight(const void *a, const void *b)
{
    const struct influence *x = a;
    const struct influence *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return by_bone(a, b);
}

/* A vertex that a bone lists twice gets the sum; zeros go. Returns what is left, sorted by weight. */
static uint32_t tidy_vertex(struct influence *influences, uint32_t count)
{
    uint32_t kept = 0;
    qsort(influences, count, sizeof *influences, by_bone);
    for (uint32_t i = 0; i < count; i++) {
        if (kept > 0 && influences[kept - 1].bone == influences[i].bone)
            influences[kept - 1].weight += influences[i].weight;
        else
            influences[kept++] = influences[i];
    }
    count = kept;
    kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (influences[i].weight != 0)
            influences[kept++] = influences[i];
    qsort(influences, kept, sizeof *influences, by_weight);
    return kept;
}

static void tidy_mesh(struct mesh *mesh)
{
    uint32_t kept = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t start = mesh->influence_first[v];
        uint32_t count = tidy_vertex(mesh->influences + start, mesh->influence_first[v + 1] - start);
        memmove(mesh->influences + kept, mesh->influences + start, count * sizeof *mesh->influences);
        mesh->influence_first[v] = kept;
        kept += count;
    }
    mesh->influence_first[mesh->vertex_count] = kept;
}

static double sum_of_weights(const struct mesh *mesh, uint32_t vertex)
{
    double sum = 0;
    for (uint32_t i = mesh->influence_first[vertex]; i < mesh->influence_first[vertex + 1]; i++)
        sum += (double)mesh->influences[i].weight;
    return sum;
}

static void note_sums(struct conversion *c, const struct mesh *mesh, uint32_t repaired, double least, double most)
{
    char from[32], to[32];
    snprintf(from, sizeof from, "%.4g", least);
    snprintf(to, sizeof to, "%.4g", most);
    bool is_range = strcmp(from, to) != 0;
    scene_note(c->scene, NOTE_REPAIR, "normalise-weights",
               "mesh %s: the weights of %u of %u vertices added up to %s%s%s; divided by their sum", mesh->quoted,
               repaired, mesh->vertex_count, is_range ? from : "", is_range ? " to " : "", to);
}

static void normalise(struct conversion *c, struct mesh *mesh)
{
    uint32_t repaired = 0;
    uint32_t hopeless = 0;
    double least = INFINITY;
    double most = -INFINITY;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double sum = sum_of_weights(mesh, v);
        if (mesh->influence_first[v] == mesh->influence_first[v + 1] || fabs(sum - 1.0) <= sum_tolerance)
            continue;
        if (sum < least_sum) {
            hopeless++;
            continue;
        }
        repaired++;
        least = fmin(least, sum);
        most = fmax(most, sum);
        for (uint32_t i = mesh->influence_first[v]; i < mesh->influence_first[v + 1]; i++)
            mesh->influences[i].weight = (float)((double)mesh->influences[i].weight / sum);
    }
    if (repaired > 0)
        note_sums(c, mesh, repaired, least, most);
    if (hopeless > 0)
        scene_note(c->scene, NOTE_WARNING, "weight-sum",
                   "mesh %s: the weights of %u vertices add up to nothing or less and stay as they are", mesh->quoted,
                   hopeless);
}

/* One more bone, which stays with the mesh node: mesh space is that node's space. */
static uint32_t add_following_bone(struct conversion *c, struct mesh *mesh, uint32_t node)
{
    struct bone *bones = ARENA_NEW(c->scene->arena, struct bone, (size_t)mesh->bone_count + 1);
    memcpy(bones, mesh->bones, mesh->bone_count * sizeof *bones);
    struct bone *bone = &bones[mesh->bone_count];
    bone->node = node;
    bone->follows_mesh_node = true;
    memcpy(bone->mesh_to_bone, mat4_identity, sizeof mat4_identity);
    mesh->bones = bones;
    return mesh->bone_count++;
}

static uint32_t count_unweighted(const struct mesh *mesh)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        count += mesh->influence_first[v] == mesh->influence_first[v + 1];
    return count;
}

static void hold_unweighted(struct conversion *c, struct mesh *mesh, uint32_t node, uint32_t unweighted)
{
    uint32_t bone = add_following_bone(c, mesh, node);
    const uint32_t *old_first = mesh->influence_first;
    const struct influence *old = mesh->influences;
    uint32_t *first = ARENA_NEW(c->scene->arena, uint32_t, (size_t)mesh->vertex_count + 1);
    struct influence *influences =
        ARENA_NEW(c->scene->arena, struct influence, (size_t)old_first[mesh->vertex_count] + unweighted);
    uint32_t next = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        first[v] = next;
        for (uint32_t i = old_first[v]; i < old_first[v + 1]; i++)
            influences[next++] = old[i];
        if (next == first[v])
            influences[next++] = (struct influence){bone, 1.0f};
    }
    first[mesh->vertex_count] = next;
    mesh->influence_first = first;
    mesh->influences = influences;
}

static void repair_unweighted(struct conversion *c, uint32_t index)
{
    struct mesh *mesh = &c->scene->meshes[index];
    uint32_t unweighted = count_unweighted(mesh);
    if (unweighted == 0)
        return;
    if (!(c->repairs & REPAIR_UNWEIGHTED) || c->mesh_node[index] == NO_INDEX) {
        scene_note(c->scene, NOTE_WARNING, "unweighted",
                   "mesh %s: %u of %u vertices have no weights; a palette collapses them to the origin", mesh->quoted,
                   unweighted, mesh->vertex_count);
        return;
    }
    uint32_t node = (uint32_t)c->mesh_node[index];
    hold_unweighted(c, mesh, node, unweighted);
    scene_note(c->scene, NOTE_REPAIR, "unweighted",
               "mesh %s: %u of %u vertices have no weights and follow the node \"%s\"", mesh->quoted, unweighted,
               mesh->vertex_count, c->scene->nodes[node].name);
}

bool finish_weights(struct conversion *c)
{
    for (uint32_t i = 0; i < c->scene->mesh_count; i++) {
        struct mesh *mesh = &c->scene->meshes[i];
        if (mesh->bone_count == 0)
            continue;
        if (!check_weights(c, mesh))
            return false;
        tidy_mesh(mesh);
        if (c->repairs & REPAIR_NORMALISE_WEIGHTS)
            normalise(c, mesh);
        repair_unweighted(c, i);
    }
    return true;
}
