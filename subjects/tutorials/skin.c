#include <math.h>
#include <stdlib.h>

#include "engine.h"

/* A vertex shader on the CPU: up to four bones a vertex, as the texts pack them. */

struct vertex {
    int ids[4];
    float weights[4];
    int count;
};

static void add_influence(struct vertex *vertex, const struct vertex_rules *rules, int id, float weight)
{
    int slot = vertex->count;
    if (weight <= rules->small || (makes(WEIGHTS_SMALL_DROPPED) && weight <= 0.1f)) {
        return;
    }
    if (slot == 4) {
        if (!rules->largest_four || makes(WEIGHTS_FIRST_FOUR)) {
            return;
        }
        slot = 0;
        for (int i = 1; i < 4; i++) {
            slot = vertex->weights[i] < vertex->weights[slot] ? i : slot;
        }
        if (vertex->weights[slot] >= weight) {
            return;
        }
    } else {
        vertex->count++;
    }
    vertex->ids[slot] = id;
    vertex->weights[slot] = weight;
}

static void sort_weights_alone(struct vertex *vertex)
{
    for (int i = 1; i < vertex->count; i++) {
        for (int k = i; k > 0 && vertex->weights[k] > vertex->weights[k - 1]; k--) {
            float weight = vertex->weights[k];
            vertex->weights[k] = vertex->weights[k - 1];
            vertex->weights[k - 1] = weight;
        }
    }
}

static void pack(struct vertex *vertex, const struct vertex_rules *rules)
{
    float sum = 0;
    for (int i = 0; i < vertex->count; i++) {
        sum += vertex->weights[i];
    }
    for (int i = 0; i < vertex->count; i++) {
        float *weight = &vertex->weights[i];
        if (rules->rescales && !makes(WEIGHTS_NOT_RESCALED) && sum > 0) {
            *weight /= sum;
        }
        if (!rules->whole_precision || makes(WEIGHTS_IN_BYTES)) {
            *weight = roundf(*weight * 255) / 255;
        }
        if (makes(BYTE_WEIGHTS_NOT_DIVIDED)) {
            *weight = roundf(*weight * 255);
        }
        if (makes(IDS_AS_FLOATS)) { /* glVertexAttribPointer where glVertexAttribIPointer belongs: the float's bits */
            float number = (float)vertex->ids[i];
            memcpy(&vertex->ids[i], &number, sizeof number);
        }
    }
    if (makes(WEIGHTS_SHUFFLED)) {
        sort_weights_alone(vertex);
    }
}

static struct vertex *read_vertices(const struct aiMesh *mesh, const struct vertex_rules *rules, const int *ids)
{
    struct vertex *vertices = calloc(mesh->mNumVertices + 1, sizeof *vertices);
    for (unsigned b = 0; b < mesh->mNumBones; b++) {
        for (unsigned w = 0; w < mesh->mBones[b]->mNumWeights; w++) {
            const struct aiVertexWeight *weight = &mesh->mBones[b]->mWeights[w];
            if (weight->mVertexId < mesh->mNumVertices) {
                add_influence(&vertices[weight->mVertexId], rules, ids[b], weight->mWeight);
            }
        }
    }
    for (unsigned v = 0; v < mesh->mNumVertices; v++) {
        pack(&vertices[v], rules);
    }
    return vertices;
}

/* The inverse transpose of the upper left 3x3, but for a positive factor; no division, so that a flat matrix does no harm. */
static struct mat4 cofactors(const struct mat4 *a)
{
    const float *m = a->m;
    struct mat4 out = identity4();
    for (int c = 0; c < 3; c++) {
        const float *p = m + 4 * ((c + 1) % 3), *q = m + 4 * ((c + 2) % 3);
        for (int r = 0; r < 3; r++) {
            out.m[4 * c + r] = p[(r + 1) % 3] * q[(r + 2) % 3] - p[(r + 2) % 3] * q[(r + 1) % 3];
        }
    }
    float determinant = m[0] * out.m[0] + m[1] * out.m[1] + m[2] * out.m[2];
    for (int i = 0; i < 12 && determinant < 0; i++) {
        out.m[i] = -out.m[i];
    }
    return out;
}

/* What the shader does with one vertex: the blended matrix, and for normals its inverse transpose. */
static void shade(const struct vertex *vertex, const struct vertex_rules *rules, const struct vertex_bones *bones,
                  struct aiVector3D at, struct aiVector3D *position, struct aiVector3D *normal)
{
    const int count = makes(INFLUENCE_DROPPED) && vertex->count > 1 ? vertex->count - 1 : vertex->count;
    struct mat4 blended = {{0}};
    float sum = 0;
    *position = at;
    for (int i = 0; i < count; i++) {
        if (vertex->ids[i] >= rules->bone_limit) {
            return;
        }
        if (vertex->ids[i] < bones->count && vertex->ids[i] >= 0) {
            for (int k = 0; k < 16; k++) {
                blended.m[k] += vertex->weights[i] * bones->palette[vertex->ids[i]].m[k];
            }
            sum += vertex->weights[i];
        }
    }
    for (int k = 0; rules->gives_normals && sum > 0 && k < 16; k++) {
        blended.m[k] /= makes(WEIGHTS_NOT_DIVIDED) || makes(BYTE_WEIGHTS_NOT_DIVIDED) ? 1 : sum;
    }
    *position = apply(&blended, at, 1);
    if (rules->gives_normals) {
        struct mat4 across = cofactors(&blended);
        struct aiVector3D n = apply(makes(NORMAL_BY_POSITION_MATRIX) ? &blended : &across, *normal, 0);
        float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
        *normal = n;
        if (length > 0) {
            normal->x /= length, normal->y /= length, normal->z /= length;
        }
    }
}

bool tell_skin(struct rigproof_answer *answer, const struct aiMesh *mesh, const struct vertex_rules *rules,
               const struct vertex_bones *bones)
{
    struct vertex *vertices = read_vertices(mesh, rules, bones->ids);
    struct aiVector3D *positions = calloc(2 * (size_t)mesh->mNumVertices + 1, sizeof *positions);
    struct aiVector3D *normals = positions + mesh->mNumVertices;
    bool with_normals = rules->gives_normals && mesh->mNormals;
    for (unsigned v = 0; v < mesh->mNumVertices; v++) {
        const struct vertex *vertex = &vertices[makes(NEIGHBOUR_VERTEX) ? (v + 1) % mesh->mNumVertices : v];
        if (with_normals) {
            normals[v] = mesh->mNormals[v];
        }
        shade(vertex, rules, bones, mesh->mVertices[v], &positions[v], &normals[v]);
    }
    rigproof_skin(answer, mesh->mName.data, &positions->x, with_normals ? &normals->x : NULL, mesh->mNumVertices);
    free(positions);
    free(vertices);
    return true;
}
