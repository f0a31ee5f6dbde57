#pragma once

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "subject/resolve_answer.h"

/*
 * A reference made by hand: root, hips, spine, chest, head in a chain, all but the root bones of one mesh, each turned by
 * its own angle; a second mesh that hips and head hold. `palette` is global times an offset.
 */
enum { POSE_NODES_COUNT = 5, POSE_ENTRIES = 6, POSE_VERTICES = 8 };

struct made {
    struct pose_snapshot pose;
    struct import_snapshot import;
    struct pose_node_snapshot nodes[POSE_NODES_COUNT];
    struct node_snapshot import_nodes[POSE_NODES_COUNT];
    struct palette_snapshot palette[POSE_ENTRIES];
    struct bone_snapshot bones[POSE_ENTRIES];
    struct mesh_snapshot meshes[2];
    struct skin_snapshot skin;
    vec3 positions[POSE_VERTICES], normals[POSE_VERTICES];
};

static const char *const made_names[POSE_NODES_COUNT] = {"rig:root", "rig:hips", "rig:spine.001", "rig:chest",
                                                         "rig:head"};

static inline void made_pose(struct made *m, double time)
{
    static const int entry_node[POSE_ENTRIES] = {1, 2, 3, 4, 1, 4};
    memset(m, 0, sizeof *m);
    for (int i = 0; i < POSE_NODES_COUNT; i++) {
        struct pose_node_snapshot *node = &m->nodes[i];
        const float half = (float)(0.1 + 0.13 * i + 0.2 * time * (i > 0)), turn = sinf(half);
        node->name = made_names[i];
        node->parent = i > 0 ? made_names[i - 1] : NULL;
        node->parent_index = i - 1;
        node->local =
            (struct transform){{0.3f * (float)i, 1.0f + 0.1f * (float)i, 0.2f}, {0, 0, 0, cosf(half)}, {1, 1, 1}};
        node->local.rotation[i % 3] = turn;
        mat4 local;
        affine_from_transform(&node->local, local);
        if (i > 0)
            affine_mul(m->nodes[i - 1].node_to_scene, local, node->node_to_scene);
        else
            memcpy(node->node_to_scene, local, sizeof local);
        m->import_nodes[i] = (struct node_snapshot){.name = made_names[i], .parent = node->parent, .is_bone = i > 0};
        memcpy(m->import_nodes[i].local_to_parent, local, sizeof local);
    }
    for (int i = 0; i < POSE_ENTRIES; i++) {
        const struct transform offset = {{0.1f * (float)i, -0.7f, 0.4f}, {0, 0.6f, 0, 0.8f}, {1, 1, 1}};
        m->bones[i] =
            (struct bone_snapshot){.bone = made_names[entry_node[i]], .weights = 5, .sum = 5, .influence_radius = 1};
        affine_from_transform(&offset, m->bones[i].mesh_to_bone);
        m->palette[i] = (struct palette_snapshot){.mesh = i < 4 ? "body" : "hat", .bone = made_names[entry_node[i]], .node = (uint32_t)entry_node[i]};
        affine_mul(m->nodes[entry_node[i]].node_to_scene, m->bones[i].mesh_to_bone, m->palette[i].mesh_to_scene);
    }
    for (int i = 0; i < 2; i++)
        m->meshes[i] =
            (struct mesh_snapshot){.name = i ? "hat" : "body", .bone_count = i ? 2 : 4, .bones = &m->bones[4 * i]};
    for (int v = 0; v < POSE_VERTICES; v++)
        for (int k = 0; k < 3; k++) {
            m->positions[v][k] = (float)(k + 1) * (v >> k & 1 ? 2.0f : -1.0f) + 0.1f * (float)v;
            m->normals[v][k] = k == v % 3;
        }
    m->skin = skin_summarise(&(struct skinned){0, POSE_VERTICES, m->positions, m->normals});
    m->skin.mesh = "body";
    m->skin.positions = (const vec3 *)m->positions;
    m->skin.normals = (const vec3 *)m->normals;
    m->skin.position_count = m->skin.normal_count = POSE_VERTICES;
    m->import = (struct import_snapshot){.model = "made",
                                         .node_count = POSE_NODES_COUNT,
                                         .nodes = m->import_nodes,
                                         .mesh_count = 2,
                                         .meshes = m->meshes};
    m->pose = (struct pose_snapshot){.model = "made",
                                     .clip = "walk",
                                     .time = time,
                                     .space = space_words[SPACE_SCENE],
                                     .node_count = POSE_NODES_COUNT,
                                     .nodes = m->nodes,
                                     .palette_count = POSE_ENTRIES,
                                     .palette = m->palette,
                                     .skin_count = 1,
                                     .skin = &m->skin};
}
