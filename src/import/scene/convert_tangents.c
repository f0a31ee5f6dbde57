/* Makes what normal maps need of a mesh: the second set of texture coordinates, and tangents. */
#include "import/scene/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "data/vector.h"

/*
 * Computed tangents are those of MikkTSpace (which glTF 2.0 names, 3.7.2.1) where a vertex belongs to one smooth
 * surface: the direction of u in each triangle, on the plane of the vertex's normal, weighted by the triangle's angle,
 * over all vertices of equal position, normal and texture coordinates, plain and mirrored texture coordinates apart. It
 * differs where triangles of both kinds share a vertex of the file, or where parts touch in a point alone: MikkTSpace
 * splits such a vertex. Here it has the tangent of the larger angle's kind, and w is 0: skinned it is zero, so that the
 * other vertices of each triangle decide. A vertex whose triangles have no area in the texture gets any tangent across
 * its normal.
 */

/* A vertex's position, and where they count its normal and texture coordinates. */
struct corner {
    float key[8];
    uint32_t vertex;
};

static int by_key(const void *a, const void *b)
{
    const struct corner *x = a, *y = b;
    for (int i = 0; i < 8; i++)
        if (x->key[i] != y->key[i])
            return x->key[i] < y->key[i] ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

uint32_t *equal_vertices(const struct mesh *mesh, const vec2 *uvs)
{
    struct corner *corners = memory_new(mesh->vertex_count, sizeof *corners), *first = corners;
    uint32_t *equal = memory_new(mesh->vertex_count, sizeof *equal);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        memcpy(&corners[v].key[0], mesh->positions[v], sizeof(vec3));
        if (uvs) {
            memcpy(&corners[v].key[3], mesh->normals[v], sizeof(vec3));
            memcpy(&corners[v].key[6], uvs[v], sizeof(vec2));
        }
        corners[v].vertex = v;
    }
    sort_items(corners, mesh->vertex_count, sizeof *corners, by_key);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        for (int k = 0; k < 8 && first != &corners[i]; k++)
            if (corners[i].key[k] != first->key[k])
                first = &corners[i];
        equal[corners[i].vertex] = first->vertex;
    }
    free(corners);
    return equal;
}

/* Takes what is along `normal` off, and makes it a unit vector. False: nothing is left. */
static bool onto_plane(const vec3 normal, double vector[3])
{
    double along = 0, length;
    for (int i = 0; i < 3; i++)
        along += vector[i] * (double)normal[i];
    for (int i = 0; i < 3; i++)
        vector[i] -= along * (double)normal[i];
    length = vec3d_length(vector);
    for (int i = 0; i < 3; i++)
        vector[i] /= length;
    return length > 1e-30 && isfinite(length);
}

/* Sums of what triangles say of a vertex: those of plain and those of mirrored texture coordinates. */
struct sums {
    double along[2][3]; /* of all that are equal, at the first */
    double angle[2];    /* of its own */
};

static void add_triangle(const struct mesh *mesh, const vec2 *uvs, const uint32_t *corners, const uint32_t *equal,
                         struct sums *sums)
{
    double edges[2][3], across[2][2], along[3];
    for (int e = 0; e < 2; e++) {
        for (int i = 0; i < 3; i++)
            edges[e][i] = (double)mesh->positions[corners[e + 1]][i] - (double)mesh->positions[corners[0]][i];
        across[e][0] = (double)uvs[corners[e + 1]][0] - (double)uvs[corners[0]][0];
        across[e][1] = (double)uvs[corners[0]][1] - (double)uvs[corners[e + 1]][1]; /* v up */
    }
    const double area = across[0][0] * across[1][1] - across[1][0] * across[0][1];
    const int mirrored = area < 0;
    if (area == 0 || !isfinite(area))
        return;
    for (int i = 0; i < 3; i++)
        along[i] = (mirrored ? -1 : 1) * (edges[0][i] * across[1][1] - edges[1][i] * across[0][1]);
    for (int k = 0; k < 3; k++) {
        const uint32_t v = corners[k], others[2] = {corners[(k + 1) % 3], corners[(k + 2) % 3]};
        double sides[2][3], here[3] = {along[0], along[1], along[2]};
        bool good = onto_plane(mesh->normals[v], here);
        for (int s = 0; s < 2; s++) {
            for (int i = 0; i < 3; i++)
                sides[s][i] = (double)mesh->positions[others[s]][i] - (double)mesh->positions[v][i];
            good = onto_plane(mesh->normals[v], sides[s]) && good;
        }
        if (!good)
            continue;
        const double angle = acos(fmin(fmax(vec3d_dot(sides[0], sides[1]), -1), 1));
        sums[v].angle[mirrored] += angle;
        for (int i = 0; i < 3; i++)
            sums[equal[v]].along[mirrored][i] += angle * here[i];
    }
}

/* Any direction across the normal, for a vertex whose triangles have no area in the texture. */
static void any_tangent(const vec3 normal, double out[3])
{
    int least = fabsf(normal[1]) < fabsf(normal[0]) ? 1 : 0;
    if (fabsf(normal[2]) < fabsf(normal[least]))
        least = 2;
    for (int i = 0; i < 3; i++)
        out[i] = i == least;
    onto_plane(normal, out);
}

static void compute_tangents(struct mesh *mesh, const vec2 *uvs)
{
    static const double SLIVER = 0.05; /* radians that do not count */
    FREED uint32_t *equal = equal_vertices(mesh, uvs);
    FREED struct sums *sums = memory_new(mesh->vertex_count, sizeof *sums);
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        add_triangle(mesh, uvs, &mesh->indices[3 * (size_t)t], equal, sums);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const int mirrored = sums[v].angle[1] > sums[v].angle[0];
        const double *along = sums[equal[v]].along[mirrored];
        double tangent[3] = {along[0], along[1], along[2]};
        if (!onto_plane(mesh->normals[v], tangent))
            any_tangent(mesh->normals[v], tangent);
        for (int i = 0; i < 3; i++)
            mesh->tangents[v][i] = (float)tangent[i];
        mesh->tangents[v][3] = fmin(sums[v].angle[0], sums[v].angle[1]) > SLIVER ? 0.0f : mirrored ? -1.0f : 1.0f;
    }
}

/* The file's, as Assimp hands them over: bitangents of its own, along v up. */
static void take_tangents(struct mesh *mesh, const struct aiMesh *source)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        vec3 tangent, bitangent = {0};
        double along[3], across[3], other[3], normal[3], length;
        for (int i = 0; i < 3; i++)
            normal[i] = mesh->normals[v][i];
        bool good = copy_vector(&source->mTangents[v], tangent) && vec3_length(tangent) > 0;
        copy_vector(&source->mBitangents[v], bitangent);
        for (int i = 0; i < 3; i++) {
            along[i] = good ? (double)tangent[i] : 0;
            other[i] = bitangent[i];
        }
        if (!good)
            any_tangent(mesh->normals[v], along);
        length = vec3d_length(along);
        vec3d_cross(normal, along, across);
        for (int i = 0; i < 3; i++)
            mesh->tangents[v][i] = (float)(along[i] / length);
        mesh->tangents[v][3] = vec3d_dot(across, other) < 0 ? -1.0f : 1.0f;
    }
}

/* Assimp puts the origin of UVs at the lower left. Where the mesh has no such set, its first one. */
static vec2 *copy_set(struct conversion *c, const struct mesh *mesh, const struct aiMesh *source, uint32_t set)
{
    if (set >= AI_MAX_NUMBER_OF_TEXTURECOORDS || !source->mTextureCoords[set])
        set = 0;
    const struct aiVector3D *uvs = source->mTextureCoords[set];
    vec2 *out = uvs ? ARENA_NEW(c->scene->arena, vec2, mesh->vertex_count) : NULL;
    for (uint32_t v = 0; uvs && v < mesh->vertex_count; v++) {
        const vec2 uv = {uvs[v].x, 1.0f - uvs[v].y};
        if (isfinite(uv[0]) && isfinite(uv[1]))
            memcpy(out[v], uv, sizeof uv);
    }
    return out;
}

void convert_uvs(struct conversion *c, struct mesh *mesh, const struct aiMesh *source)
{
    const struct material *material = &c->scene->materials[mesh->material];
    struct surface surface;
    uint32_t sets[2];
    surface_uv_sets(material, sets);
    mesh->uvs = copy_set(c, mesh, source, sets[0]);
    if (!c->surfaces && !c->tangents)
        return;
    surface_of(c->scene, material, &surface);
    if (sets[1] != sets[0])
        mesh->more_uvs = copy_set(c, mesh, source, sets[1]);
    const struct surface_map *map = &surface.maps[SURFACE_NORMAL];
    if (map->texture == NO_INDEX)
        map = &surface.maps[SURFACE_COAT_NORMAL];
    const bool wants = c->tangents || (c->surfaces && map->texture != NO_INDEX);
    const bool has_tangents = source->mTangents && source->mBitangents && source->mNormals;
    const vec2 *uvs = (const vec2 *)(map->uv && mesh->more_uvs ? mesh->more_uvs : mesh->uvs);
    if (!wants || (!uvs && !has_tangents))
        return;
    mesh->tangents = ARENA_NEW(c->scene->arena, vec4, mesh->vertex_count);
    if (has_tangents) {
        take_tangents(mesh, source);
        return;
    }
    FREED vec2 *placed = memory_new(mesh->vertex_count, sizeof *placed); /* as the texture lies */
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (int i = 0; i < 2; i++) {
            const float *row = map->to_texture[i], at = row[0] * uvs[v][0] + row[1] * uvs[v][1] + row[2];
            placed[v][i] = isfinite(at) ? at : 0;
        }
    compute_tangents(mesh, (const vec2 *)placed);
}
