#pragma once

#include "scene_by_hand.h"

/*
 * A scene that goes through most of the stage: a skinned tube of three bones with a texture, a mirrored rigid ball, a
 * masked and two blended surfaces.
 */

HAND void busy_texture(struct hand *hand)
{
    struct texture *texture = hand_texture(hand, 96, 64);
    uint32_t seed = 4;
    for (uint32_t i = 0; i < 96 * 64; i++) {
        bool dark = (i % 96 / 12 + i / 96 / 12) % 2;
        uint8_t grain = (uint8_t)(24 * hand_random(&seed));
        uint8_t rgba[4] = {(uint8_t)(dark ? 60 + grain : 200 + grain), (uint8_t)(120 + grain),
                           (uint8_t)(90 + 2 * grain), (uint8_t)(dark ? 100 : 255)};
        memcpy(texture->rgba + 4 * (size_t)i, rgba, 4);
    }
}

HAND void busy_tube(struct hand *hand)
{
    struct mesh *tube = hand_ball(hand, 0, (vec3){0, 0, 0}, (vec3){0.35f, 1.0f, 0.35f}, 40);
    hand_bones(hand, tube, 3, 1, 2);
    for (uint32_t v = 0; v < tube->vertex_count; v++) {
        float along = tube->positions[v][1] + 1; /* 0 .. 2 */
        uint32_t lower = along < 1 ? 0 : 1;
        float upper = along - (float)lower;
        upper = upper < 0 ? 0 : upper > 1 ? 1 : upper;
        tube->influences[2 * v] = (struct influence){lower, 1 - upper};
        tube->influences[2 * v + 1] = (struct influence){lower + 1, upper};
    }
}

HAND struct hand busy_scene(void)
{
    struct hand hand = hand_begin(5, 5, 4);
    struct material *materials = hand.scene->materials;
    busy_texture(&hand);
    busy_tube(&hand);
    hand_ball(&hand, 1, (vec3){1.1f, 0.2f, 0}, (vec3){0.4f, 0.5f, 0.3f}, 20);
    hand_quad(&hand, 2, -1.5f, -1, -0.5f, 0.6f, -0.4f);
    hand_ball(&hand, 3, (vec3){-0.7f, 0.5f, 0.5f}, (vec3){0.5f, 0.5f, 0.5f}, 16);
    hand_quad(&hand, 4, -0.2f, -0.9f, 1.4f, -0.1f, 0.8f);
    const uint32_t used[5] = {0, 1, 2, 3, 3};
    for (int i = 0; i < 5; i++)
        hand.scene->meshes[i].material = used[i];
    hand.scene->instances[1].node = 4;
    materials[0].base_texture = materials[2].base_texture = 0;
    memcpy(materials[1].base_color, (vec4){0.7f, 0.3f, 0.1f, 1}, sizeof(vec4));
    materials[1].two_sided = false;
    materials[2].alpha_mode = ALPHA_MASK;
    materials[3].alpha_mode = ALPHA_BLEND;
    memcpy(materials[3].base_color, (vec4){0.2f, 0.4f, 0.9f, 0.45f}, sizeof(vec4));
    hand_end(&hand);
    for (int n = 1; n <= 3; n++) {
        struct transform bend = {{0.05f, 0, 0}, {0, 0, sinf(0.15f), cosf(0.15f)}, {1, 1, 1}};
        affine_from_transform(&bend, hand.pose.local_to_parent[n]);
    }
    hand.pose.local_to_parent[4][0][0] = -1; /* mirrored, at the end of the chain */
    hand.pose.local_to_parent[4][3][0] = 2.1f;
    hand_pose(&hand);
    return hand;
}

HAND struct frame_settings busy_settings(uint32_t width, uint32_t height)
{
    struct frame_settings frame_settings = hand_settings(width, height, VIEW_LIT);
    frame_settings.overlays = OVERLAY_SKELETON;
    memcpy(frame_settings.background, (uint8_t[4]){128, 128, 128, 255}, 4);
    frame_settings.camera = (struct camera){.eye = {1.5f, 1.2f, 4.5f}, .up = {0, 1, 0}, .fov_y = 0.6f, .near_plane = 1,
                                  .far_plane = 12};
    return frame_settings;
}
