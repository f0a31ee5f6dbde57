#include "rigs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "animate/tracks.h"
#include "palette/palette_stage.h"

static struct scene *scene_of(uint32_t node_count)
{
    struct arena *arena = arena_create((size_t)1 << 33, NULL);
    if (!arena) {
        fputs("bench: cannot reserve memory\n", stderr);
        exit(1);
    }
    struct scene *scene = ARENA_NEW(arena, struct scene, 1);
    scene->arena = arena;
    scene->node_count = node_count;
    scene->nodes = ARENA_NEW(arena, struct node, node_count);
    scene->clip_count = 1;
    scene->clips = ARENA_NEW(arena, struct clip, 1);
    struct clip *clip = scene->clips;
    clip->name = "bench";
    clip->duration = (KEY_COUNT - 1) / key_rate;
    clip->channel_count = node_count;
    clip->channels = ARENA_NEW(arena, struct channel, node_count);
    return scene;
}

/* Room for the keys of all components of all nodes, each with times of its own, as an importer makes them. */
static void make_keys(struct scene *scene, bool own_times)
{
    for (uint32_t n = 0; n < scene->node_count; n++) {
        struct channel *channel = &scene->clips->channels[n];
        channel->node = (int32_t)n;
        channel->node_name = scene->nodes[n].name;
        for (int c = 0; c < COMPONENT_COUNT; c++) {
            double *times = ARENA_NEW(scene->arena, double, KEY_COUNT);
            float *values = ARENA_NEW(scene->arena, float, (size_t)KEY_COUNT * component_width((enum component)c));
            double shift = own_times ? (1 + (n * 3 + (uint32_t)c) % 97) / 100.0 : 0;
            for (uint32_t k = 0; k < KEY_COUNT; k++)
                times[k] = (k + (k % 7 == 3 ? shift * 0.9 : 0) + (own_times && k > 0 ? n * 1e-7 : 0)) / key_rate;
            channel->keys[c] = (struct keys){KEY_COUNT, times, values, INTERPOLATE_LINEAR};
        }
    }
}

static float *key_value(struct scene *scene, uint32_t node, enum component component, uint32_t key)
{
    return (float *)scene->clips->channels[node].keys[component].values + (size_t)key * component_width(component);
}

/* One mesh that binds every node at its rest. */
static void bind_all(struct scene *scene)
{
    struct pose pose = pose_create(scene, scene->arena);
    struct mesh *mesh = ARENA_NEW(scene->arena, struct mesh, 1);
    palette_globals(scene, &pose);
    mesh->name = "bench";
    mesh->bone_count = scene->node_count;
    mesh->bones = ARENA_NEW(scene->arena, struct bone, scene->node_count);
    for (uint32_t b = 0; b < scene->node_count; b++) {
        mesh->bones[b].node = b;
        affine_inverse(pose.node_to_scene[b], mesh->bones[b].mesh_to_bone);
    }
    scene->mesh_count = scene->instance_count = 1;
    scene->meshes = mesh;
    scene->instances = ARENA_NEW(scene->arena, struct instance, 1);
    scene_bind(scene);
}

/* ---- synthetic ----------------------------------------------------------------------------------------------- */

/* Turns, sways and breathes: no component stands still, neighbouring keys differ by a few degrees. */
static void synthetic_keys(struct scene *scene, uint32_t node)
{
    const struct transform *rest = &scene->nodes[node].rest;
    for (uint32_t k = 0; k < KEY_COUNT; k++) {
        double phase = k * (0.05 + 0.01 * (node % 7)) + node;
        double angle = 0.6 * sin(phase), axis[3] = {sin(node * 1.3), cos(node * 1.3), 0.3};
        double length = sqrt(1 + 0.09);
        float *r = key_value(scene, node, COMPONENT_ROTATION, k);
        float *t = key_value(scene, node, COMPONENT_TRANSLATION, k);
        float *s = key_value(scene, node, COMPONENT_SCALE, k);
        for (int i = 0; i < 3; i++) {
            r[i] = (float)(sin(angle / 2) * axis[i] / length);
            t[i] = rest->translation[i] + (float)(0.02 * sin(phase + i));
            s[i] = 1 + (float)(0.02 * cos(phase + i));
        }
        r[3] = (float)cos(angle / 2);
    }
}

struct scene *rig_synthetic(uint32_t bone_count, bool own_times)
{
    struct scene *scene = scene_of(bone_count);
    for (uint32_t n = 0; n < bone_count; n++) {
        struct node *node = &scene->nodes[n];
        node->name = arena_printf(scene->arena, "Armature_Bone.%04u", n);
        node->parent = n == 0 ? NO_INDEX : n % 10 ? (int32_t)n - 1 : (int32_t)(n / 20 * 10);
        node->rest = transform_identity;
        node->rest.translation[n % 3] = 0.1f;
        affine_from_transform(&node->rest, node->local_to_parent);
    }
    make_keys(scene, own_times);
    for (uint32_t n = 0; n < bone_count; n++)
        synthetic_keys(scene, n);
    bind_all(scene);
    return scene;
}

void rig_add_vertices(struct scene *scene, uint32_t vertex_count)
{
    struct mesh *mesh = scene->meshes;
    mesh->vertex_count = vertex_count;
    mesh->positions = ARENA_NEW(scene->arena, vec3, vertex_count);
    mesh->normals = ARENA_NEW(scene->arena, vec3, vertex_count);
    mesh->influence_first = ARENA_NEW(scene->arena, uint32_t, vertex_count + 1u);
    mesh->influences = ARENA_NEW(scene->arena, struct influence, 4 * (size_t)vertex_count);
    for (uint32_t v = 0; v < vertex_count; v++) {
        uint32_t bone = (uint32_t)((uint64_t)v * mesh->bone_count / vertex_count);
        for (int i = 0; i < 3; i++) {
            mesh->positions[v][i] = (float)sin(v * 0.7 + i);
            mesh->normals[v][i] = (float)(0.5773503 * (((v >> i) & 1) ? 1 : -1));
        }
        for (uint32_t i = 0; i < 4; i++)
            mesh->influences[4 * v + i] = (struct influence){(bone + i) % mesh->bone_count, 0.4f - 0.1f * (float)i};
        mesh->influence_first[v + 1] = 4 * (v + 1);
    }
}

/* ---- from a model -------------------------------------------------------------------------------------------- */

struct scene *rig_densified(const struct scene *source, const struct clip *clip)
{
    struct scene *scene = scene_of(source->node_count);
    for (uint32_t n = 0; n < source->node_count; n++) {
        scene->nodes[n] = source->nodes[n];
        scene->nodes[n].name = arena_printf(scene->arena, "%s.%u", source->nodes[n].name, n); /* once each */
    }
    make_keys(scene, false);
    struct tracks *tracks = tracks_create(source, clip, scene->arena);
    struct pose pose = pose_create(source, scene->arena);
    for (uint32_t k = 0; k < KEY_COUNT; k++) {
        tracks_sample(tracks, clip->duration * k / (KEY_COUNT - 1), &pose);
        for (uint32_t n = 0; n < source->node_count; n++) {
            memcpy(key_value(scene, n, COMPONENT_TRANSLATION, k), pose.local[n].translation, sizeof(vec3));
            memcpy(key_value(scene, n, COMPONENT_ROTATION, k), pose.local[n].rotation, sizeof(vec4));
            memcpy(key_value(scene, n, COMPONENT_SCALE, k), pose.local[n].scale, sizeof(vec3));
        }
    }
    bind_all(scene);
    return scene;
}
