#include "tutorial.h"

#include <cglm/cglm.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector_key { /* aiVectorKey */
    double time;
    vec3 value;
};

struct quat_key { /* aiQuatKey */
    double time;
    float w, x, y, z;
};

struct tutorial_channel {
    const char *name;
    uint32_t counts[COMPONENT_COUNT];
    struct vector_key *translations;
    struct quat_key *rotations;
    struct vector_key *scales;
};

struct tutorial_bone {
    const char *name;
    uint32_t index;
    mat4 offset;
};

struct tutorial_node {
    char name[64];
    mat4 transform;
    uint32_t child_count;
    struct tutorial_node **children;
};

struct tutorial {
    uint32_t node_count;
    struct tutorial_node *nodes;
    void *channels; /* trees keyed by name, as std::map is */
    void *bones;
};

static void *allocate(size_t count, size_t size)
{
    void *place = calloc(count ? count : 1, size);
    if (!place) {
        fputs("bench: out of memory\n", stderr);
        exit(1);
    }
    return place;
}

/* ---- making it ----------------------------------------------------------------------------------------------- */

/* Both kinds begin with their name. */
static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static struct vector_key *copy_vectors(const struct keys *keys)
{
    struct vector_key *copy = allocate(keys->count, sizeof *copy);
    for (uint32_t i = 0; i < keys->count; i++) {
        copy[i].time = keys->times[i];
        memcpy(copy[i].value, keys->values + 3 * (size_t)i, sizeof(vec3));
    }
    return copy;
}

static struct quat_key *copy_rotations(const struct keys *keys)
{
    struct quat_key *copy = allocate(keys->count, sizeof *copy);
    for (uint32_t i = 0; i < keys->count; i++) {
        const float *q = keys->values + 4 * (size_t)i;
        copy[i] = (struct quat_key){keys->times[i], q[3], q[0], q[1], q[2]};
    }
    return copy;
}

static void add_channel(struct tutorial *tutorial, const struct channel *channel)
{
    struct tutorial_channel *copy = allocate(1, sizeof *copy);
    copy->name = tutorial->nodes[channel->node].name;
    for (int c = 0; c < COMPONENT_COUNT; c++)
        copy->counts[c] = channel->keys[c].count;
    copy->translations = copy_vectors(&channel->keys[COMPONENT_TRANSLATION]);
    copy->rotations = copy_rotations(&channel->keys[COMPONENT_ROTATION]);
    copy->scales = copy_vectors(&channel->keys[COMPONENT_SCALE]);
    tsearch(copy, &tutorial->channels, compare_names);
}

static void add_bone(struct tutorial *tutorial, const struct binding *binding, uint32_t index)
{
    struct tutorial_bone *bone = allocate(1, sizeof *bone);
    bone->name = tutorial->nodes[binding->node].name;
    bone->index = index;
    memcpy(bone->offset, binding->mesh_to_bone, sizeof bone->offset);
    tsearch(bone, &tutorial->bones, compare_names);
}

static void add_child(struct tutorial_node *parent, struct tutorial_node *child)
{
    parent->children = realloc(parent->children, (parent->child_count + 1) * sizeof *parent->children);
    if (!parent->children)
        exit(1);
    parent->children[parent->child_count++] = child;
}

struct tutorial *tutorial_create(const struct scene *scene, const struct clip *clip)
{
    struct tutorial *tutorial = allocate(1, sizeof *tutorial);
    tutorial->node_count = scene->node_count;
    tutorial->nodes = allocate(scene->node_count, sizeof *tutorial->nodes);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        struct tutorial_node *node = &tutorial->nodes[i];
        snprintf(node->name, sizeof node->name, "%s", scene->nodes[i].name);
        memcpy(node->transform, scene->nodes[i].local_to_parent, sizeof node->transform);
        if (scene->nodes[i].parent != NO_INDEX)
            add_child(&tutorial->nodes[scene->nodes[i].parent], node);
    }
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].node != NO_INDEX)
            add_channel(tutorial, &clip->channels[i]);
    for (uint32_t i = 0; i < scene->binding_count; i++)
        add_bone(tutorial, &scene->bindings[i], i);
    return tutorial;
}

static void free_channel(void *place)
{
    struct tutorial_channel *channel = place;
    free(channel->translations);
    free(channel->rotations);
    free(channel->scales);
    free(channel);
}

void tutorial_destroy(struct tutorial *tutorial)
{
    tdestroy(tutorial->channels, free_channel);
    tdestroy(tutorial->bones, free);
    for (uint32_t i = 0; i < tutorial->node_count; i++)
        free(tutorial->nodes[i].children);
    free(tutorial->nodes);
    free(tutorial);
}

/* ---- one frame ----------------------------------------------------------------------------------------------- */

static void *find(const char *name, void *const *tree)
{
    void *const *found = tfind(&name, tree, compare_names);
    return found ? *found : NULL;
}

static uint32_t vector_index(const struct vector_key *keys, uint32_t count, double time)
{
    for (uint32_t i = 0; i + 1 < count; i++)
        if (time < keys[i + 1].time)
            return i;
    return count - 2;
}

static uint32_t quat_index(const struct quat_key *keys, uint32_t count, double time)
{
    for (uint32_t i = 0; i + 1 < count; i++)
        if (time < keys[i + 1].time)
            return i;
    return count - 2;
}

static float scale_factor(double last, double next, double time)
{
    return (float)((time - last) / (next - last));
}

static void interpolate_vector(const struct vector_key *keys, uint32_t count, double time, vec3 out)
{
    if (count == 1) {
        memcpy(out, keys[0].value, sizeof(vec3));
        return;
    }
    uint32_t i = vector_index(keys, count, time);
    vec3 from, to;
    memcpy(from, keys[i].value, sizeof from);
    memcpy(to, keys[i + 1].value, sizeof to);
    glm_vec3_lerp(from, to, scale_factor(keys[i].time, keys[i + 1].time, time), out);
}

/* glm::slerp and aiQuaternion::Interpolate. Not cglm's: it takes the first of two keys closer than 4e-4 radians. */
static void slerp(versor from, versor to, float u, versor out)
{
    float cosine = glm_quat_dot(from, to), side = 1;
    if (cosine < 0) {
        cosine = -cosine;
        side = -1;
    }
    float from_weight = 1 - u, to_weight = u;
    if (1 - cosine > 1e-6f) {
        float angle = acosf(cosine), sine = sinf(angle);
        from_weight = sinf((1 - u) * angle) / sine;
        to_weight = sinf(u * angle) / sine;
    }
    for (int i = 0; i < 4; i++)
        out[i] = from_weight * from[i] + side * to_weight * to[i];
}

static void interpolate_rotation(const struct quat_key *keys, uint32_t count, double time, versor out)
{
    uint32_t i = count == 1 ? 0 : quat_index(keys, count, time), j = count == 1 ? 0 : i + 1;
    versor from = {keys[i].x, keys[i].y, keys[i].z, keys[i].w};
    versor to = {keys[j].x, keys[j].y, keys[j].z, keys[j].w};
    float u = i == j ? 0 : scale_factor(keys[i].time, keys[j].time, time);
    slerp(from, to, u, out);
    glm_quat_normalize(out);
}

static void local_transform(const struct tutorial_channel *channel, double time, mat4 out)
{
    vec3 position, scale;
    versor rotation;
    mat4 translation_matrix, rotation_matrix, scale_matrix;
    interpolate_vector(channel->translations, channel->counts[COMPONENT_TRANSLATION], time, position);
    glm_translate_make(translation_matrix, position);
    interpolate_rotation(channel->rotations, channel->counts[COMPONENT_ROTATION], time, rotation);
    glm_quat_mat4(rotation, rotation_matrix);
    interpolate_vector(channel->scales, channel->counts[COMPONENT_SCALE], time, scale);
    glm_scale_make(scale_matrix, scale);
    glm_mat4_mul(translation_matrix, rotation_matrix, out);
    glm_mat4_mul(out, scale_matrix, out);
}

static void walk(struct tutorial *tutorial, struct tutorial_node *node, double time, mat4 parent, mat4 *palette)
{
    mat4 local, global;
    const struct tutorial_channel *channel = find(node->name, &tutorial->channels);
    if (channel)
        local_transform(channel, time, local);
    else
        glm_mat4_copy(node->transform, local);
    glm_mat4_mul(parent, local, global);
    struct tutorial_bone *bone = find(node->name, &tutorial->bones);
    if (bone)
        glm_mat4_mul(global, bone->offset, palette[bone->index]);
    for (uint32_t i = 0; i < node->child_count; i++)
        walk(tutorial, node->children[i], time, global, palette);
}

void tutorial_palette(struct tutorial *tutorial, double time, mat4 *palette)
{
    mat4 identity = GLM_MAT4_IDENTITY_INIT;
    walk(tutorial, &tutorial->nodes[0], time, identity, palette);
}

/* ---- vertices ------------------------------------------------------------------------------------------------ */

void tutorial_skin(const struct tutorial_vertex *vertices, uint32_t count, mat4 *palette, vec3 *positions,
                   vec3 *normals)
{
    for (uint32_t v = 0; v < count; v++) {
        vec4 position = {vertices[v].position[0], vertices[v].position[1], vertices[v].position[2], 1};
        vec4 normal = {vertices[v].normal[0], vertices[v].normal[1], vertices[v].normal[2], 0};
        vec4 total_position = {0}, total_normal = {0}, part;
        for (int i = 0; i < 4; i++) {
            if (vertices[v].bones[i] == -1)
                continue;
            glm_mat4_mulv(palette[vertices[v].bones[i]], position, part);
            glm_vec4_muladds(part, vertices[v].weights[i], total_position);
            glm_mat4_mulv(palette[vertices[v].bones[i]], normal, part);
            glm_vec4_muladds(part, vertices[v].weights[i], total_normal);
        }
        glm_vec4_copy3(total_position, positions[v]);
        glm_vec3_normalize_to(total_normal, normals[v]);
    }
}
