#pragma once

#include "data/scene/scene.h"

/*
 * Skeletal animation the way the well-known tutorials do it (LearnOpenGL's Animator, ogldev 38): what the stages are
 * measured against. A recursive walk over linked nodes; channel and bone are looked up by name in a balanced tree;
 * keys are Assimp's structs, searched from the first one; slerp with acos and sin; products of 4x4 matrices with cglm.
 * Made from the same scene and clip.
 */
struct tutorial;

/* Everything is copied out of the scene; only linear keys are understood. Never NULL. */
struct tutorial *tutorial_create(const struct scene *scene, const struct clip *clip);
void tutorial_destroy(struct tutorial *tutorial);

/* Fills palette[binding_count], in the order of scene->bindings. The scene may bind a node once. */
void tutorial_palette(struct tutorial *tutorial, double time, mat4 *palette);

/* Four weights a vertex, position and normal, as the tutorials' vertex shader has it. */
struct tutorial_vertex {
    vec3 position;
    vec3 normal;
    int bones[4];
    float weights[4];
};

void tutorial_skin(const struct tutorial_vertex *vertices, uint32_t count, mat4 *palette, vec3 *positions,
                   vec3 *normals);
