#include "import/scene/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/vector.h"

static bool convert_triangles(struct conversion *c, struct mesh *mesh, const struct aiMesh *source)
{
    mesh->vertex_count = source->mNumVertices;
    mesh->positions = ARENA_NEW(c->scene->arena, vec3, mesh->vertex_count);
    if (mesh->vertex_count > 0 && !source->mVertices)
        return error_set(c->err, "mesh %s has no positions", mesh->quoted);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (!copy_vector(&source->mVertices[v], mesh->positions[v]))
            return error_set(c->err, "mesh %s: the position of vertex %u is not finite", mesh->quoted, v);
    mesh->indices = ARENA_NEW(c->scene->arena, uint32_t, (size_t)3 * source->mNumFaces);
    for (uint32_t f = 0; f < source->mNumFaces; f++) {
        const struct aiFace *face = &source->mFaces[f];
        for (uint32_t i = 0; i < face->mNumIndices; i++)
            if (face->mIndices[i] >= mesh->vertex_count)
                return error_set(c->err, "mesh %s: face %u refers to vertex %u of %u", mesh->quoted, f,
                                 face->mIndices[i], mesh->vertex_count);
        if (face->mNumIndices == 3) /* points and lines are left out; polygons are triangles by now */
            memcpy(&mesh->indices[3 * mesh->triangle_count++], face->mIndices, 3 * sizeof(uint32_t));
    }
    return true;
}

/* Smooth normals, weighted by area, shared by vertices at the same place. Zero where there is no area. */
static void compute_normals(struct mesh *mesh)
{
    FREED uint32_t *equal = equal_vertices(mesh, NULL);
    double(*sums)[3] = memory_new(mesh->vertex_count, sizeof *sums);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corners = &mesh->indices[3 * (size_t)t];
        double a[3], b[3], normal[3]; /* twice the area times the unit normal */
        for (int i = 0; i < 3; i++) {
            a[i] = (double)mesh->positions[corners[1]][i] - (double)mesh->positions[corners[0]][i];
            b[i] = (double)mesh->positions[corners[2]][i] - (double)mesh->positions[corners[0]][i];
        }
        vec3d_cross(a, b, normal);
        for (int corner = 0; corner < 3; corner++)
            for (int i = 0; i < 3; i++)
                sums[equal[corners[corner]]][i] += normal[i];
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const double *sum = sums[equal[v]];
        double length = vec3d_length(sum);
        for (int i = 0; i < 3; i++)
            mesh->normals[v][i] = length > 0 && isfinite(length) ? (float)(sum[i] / length) : 0.0f;
    }
    free(sums);
}

/* A normal that is not finite belongs to a face without area: it becomes zero. */
static void convert_normals(struct conversion *c, struct mesh *mesh, const struct aiMesh *source)
{
    uint32_t bad = 0;
    mesh->normals = ARENA_NEW(c->scene->arena, vec3, mesh->vertex_count);
    if (!source->mNormals) {
        compute_normals(mesh);
        return;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        bad += !copy_vector(&source->mNormals[v], mesh->normals[v]);
    if (bad > 0)
        warn(c, "normals", "mesh %s: %u normals are not finite and count as zero", mesh->quoted, bad);
}

/* glTF's colours are linear, all others are what a painter saw: sRGB. */
static void convert_colors(struct conversion *c, struct mesh *mesh, const struct aiMesh *source)
{
    const struct aiColor4D *colors = source->mColors[0];
    bool is_linear = is_gltf(c);
    mesh->colors = colors ? ARENA_NEW(c->scene->arena, vec4, mesh->vertex_count) : NULL;
    for (uint32_t v = 0; colors && v < mesh->vertex_count; v++) {
        const float rgba[4] = {colors[v].r, colors[v].g, colors[v].b, colors[v].a};
        for (int i = 0; i < 4; i++) {
            float x = isfinite(rgba[i]) ? rgba[i] : 1.0f;
            mesh->colors[v][i] = is_linear || i == 3 ? x : srgb_to_linear(x);
        }
    }
}

static bool convert_bones(struct conversion *c, struct mesh *mesh, const struct aiMesh *source)
{
    uint32_t unbound = 0;
    const char *first_unbound = NULL;
    mesh->bone_count = source->mNumBones;
    mesh->bones = ARENA_NEW(c->scene->arena, struct bone, mesh->bone_count);
    for (uint32_t b = 0; b < mesh->bone_count; b++) {
        const struct aiBone *bone = source->mBones[b];
        const char *name = copy_string(c, &bone->mName);
        copy_matrix(&bone->mOffsetMatrix, mesh->bones[b].mesh_to_bone);
        if (!affine_is_finite(mesh->bones[b].mesh_to_bone))
            return error_set(c->err, "mesh %s, bone \"%s\": the offset matrix is not finite", mesh->quoted, name);
        int32_t node = bind_node(c, name);
        mesh->bones[b].node = node == NO_INDEX ? 0 : (uint32_t)node;
        if (node == NO_INDEX && unbound++ == 0)
            first_unbound = name;
        for (uint32_t w = 0; w < bone->mNumWeights; w++)
            if (bone->mWeights[w].mVertexId >= mesh->vertex_count)
                return error_set(c->err, "mesh %s, bone \"%s\": a weight is for vertex %u of %u", mesh->quoted, name,
                                 bone->mWeights[w].mVertexId, mesh->vertex_count);
    }
    if (unbound > 0)
        warn(c, "bone-without-node",
             "mesh %s: there is no node for %u of %u bones, such as \"%s\"; they stay with the root", mesh->quoted,
             unbound, mesh->bone_count, first_unbound);
    /* Assimp lists vertices by bone; we list bones by vertex. Exact zeros are dropped, the rest stays raw. */
    uint32_t *first = ARENA_NEW(c->scene->arena, uint32_t, (size_t)mesh->vertex_count + 1);
    for (uint32_t b = 0; b < source->mNumBones; b++)
        for (uint32_t w = 0; w < source->mBones[b]->mNumWeights; w++)
            if (source->mBones[b]->mWeights[w].mWeight != 0)
                first[source->mBones[b]->mWeights[w].mVertexId + 1]++;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        first[v + 1] += first[v];
    mesh->influence_first = first;
    mesh->influences = ARENA_NEW(c->scene->arena, struct influence, first[mesh->vertex_count]);
    FREED uint32_t *next = memory_new(mesh->vertex_count, sizeof *next);
    memcpy(next, first, mesh->vertex_count * sizeof *next);
    for (uint32_t b = 0; b < source->mNumBones; b++)
        for (uint32_t w = 0; w < source->mBones[b]->mNumWeights; w++) {
            const struct aiVertexWeight *weight = &source->mBones[b]->mWeights[w];
            if (weight->mWeight != 0)
                mesh->influences[next[weight->mVertexId]++] = (struct influence){b, weight->mWeight};
        }
    return true;
}

/* Zeros without a target, and where one is not finite. */
static vec3 *deltas(struct conversion *c, const struct aiVector3D *target, const struct aiVector3D *base,
                    uint32_t count)
{
    vec3 *out = ARENA_NEW(c->scene->arena, vec3, count);
    for (uint32_t v = 0; target && v < count; v++) {
        const struct aiVector3D delta = {target[v].x - base[v].x, target[v].y - base[v].y, target[v].z - base[v].z};
        copy_vector(&delta, out[v]);
    }
    return out;
}

static bool convert_targets(struct conversion *c, struct mesh *mesh, const struct aiMesh *source)
{
    mesh->target_count = source->mNumAnimMeshes;
    mesh->targets = ARENA_NEW(c->scene->arena, struct morph_target, mesh->target_count);
    for (uint32_t i = 0; i < mesh->target_count; i++) {
        const struct aiAnimMesh *shape = source->mAnimMeshes[i];
        struct morph_target *target = &mesh->targets[i];
        target->name = copy_string(c, &shape->mName);
        target->default_weight = isfinite(shape->mWeight) ? shape->mWeight : 0.0f;
        if (shape->mNumVertices != mesh->vertex_count)
            return error_set(c->err, "mesh %s: morph target \"%s\" has %u vertices instead of %u", mesh->quoted,
                             target->name, shape->mNumVertices, mesh->vertex_count);
        target->position_deltas = deltas(c, shape->mVertices, source->mVertices, mesh->vertex_count);
        if (shape->mNormals && source->mNormals)
            target->normal_deltas = deltas(c, shape->mNormals, source->mNormals, mesh->vertex_count);
    }
    return true;
}

bool convert_meshes(struct conversion *c)
{
    c->scene->mesh_count = c->source->mNumMeshes;
    c->scene->meshes = ARENA_NEW(c->scene->arena, struct mesh, c->scene->mesh_count);
    for (uint32_t i = 0; i < c->scene->mesh_count; i++) {
        const char *name = fbx_name_of(c, copy_string(c, &c->source->mMeshes[i]->mName));
        c->scene->meshes[i].name = name[0] ? name : arena_printf(c->scene->arena, "mesh %u", i);
    }
    scene_label_meshes(c->scene);
    for (uint32_t i = 0; i < c->scene->mesh_count; i++) {
        const struct aiMesh *source = c->source->mMeshes[i];
        struct mesh *mesh = &c->scene->meshes[i];
        mesh->material = source->mMaterialIndex < c->scene->material_count ? source->mMaterialIndex : 0;
        if (!convert_triangles(c, mesh, source))
            return false;
        convert_normals(c, mesh, source);
        convert_uvs(c, mesh, source);
        convert_colors(c, mesh, source);
        if ((source->mNumBones > 0 && !convert_bones(c, mesh, source)) || !convert_targets(c, mesh, source))
            return false;
    }
    uint64_t undrawn = 0; /* points and lines */
    const char *first = NULL;
    for (uint32_t i = c->scene->mesh_count; i > 0; i--) {
        const uint32_t more = c->source->mMeshes[i - 1]->mNumFaces - c->scene->meshes[i - 1].triangle_count;
        undrawn += more;
        first = more > 0 ? c->scene->meshes[i - 1].quoted : first;
    }
    if (undrawn > 0)
        warn(c, "points-and-lines", "points and lines are not drawn: %llu, first of mesh %s",
             (unsigned long long)undrawn, first);
    /* Every instance has weights of its own, so a small file could ask for more of them than there is memory. */
    enum { MOST = 1 << 24 };
    uint64_t count = 0;
    for (uint32_t i = 0; i < c->scene->instance_count; i++)
        count += c->scene->meshes[c->scene->instances[i].mesh].target_count;
    return count <= MOST || error_set(c->err, "a pose would have %llu morph weights, and at most %d are supported",
                                      (unsigned long long)count, MOST);
}
