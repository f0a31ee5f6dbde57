#include "cli/selftest.h"

#include <math.h>
#include <string.h>

#include "base/process/process.h"
#include "draw/frame/camera.h"
#include "palette/palette_stage.h"

enum { RINGS = 13, SIDES = 24, TEXTURE_SIZE = 32, ARENA_BYTES = 64 << 20 };

static void fill_mesh(struct mesh *mesh, struct arena *arena)
{
    mesh->name = "tube";
    mesh->vertex_count = RINGS * (SIDES + 1);
    mesh->positions = ARENA_NEW(arena, vec3, mesh->vertex_count);
    mesh->normals = ARENA_NEW(arena, vec3, mesh->vertex_count);
    mesh->uvs = ARENA_NEW(arena, vec2, mesh->vertex_count);
    mesh->influence_first = ARENA_NEW(arena, uint32_t, mesh->vertex_count + 1);
    mesh->influences = ARENA_NEW(arena, struct influence, 2 * mesh->vertex_count);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        float height = 2.0f * (float)(v / (SIDES + 1)) / (RINGS - 1);
        double angle = 2.0 * acos(-1.0) * (v % (SIDES + 1)) / SIDES;
        float upper = fminf(fmaxf(2.0f * height - 1.5f, 0.0f), 1.0f);
        memcpy(mesh->normals[v], (vec3){(float)cos(angle), 0.0f, (float)sin(angle)}, sizeof(vec3));
        memcpy(mesh->positions[v], (vec3){0.4f * mesh->normals[v][0], height, 0.4f * mesh->normals[v][2]},
               sizeof(vec3));
        memcpy(mesh->uvs[v], (vec2){4.0f * (float)(v % (SIDES + 1)) / SIDES, 2.0f * height}, sizeof(vec2));
        uint32_t larger = upper > 0.5f;
        mesh->influences[2 * v] = (struct influence){larger, larger ? upper : 1.0f - upper};
        mesh->influences[2 * v + 1] = (struct influence){!larger, larger ? 1.0f - upper : upper};
        mesh->influence_first[v + 1] = 2 * (v + 1);
    }
    mesh->triangle_count = 2 * (RINGS - 1) * SIDES;
    mesh->indices = ARENA_NEW(arena, uint32_t, 3 * mesh->triangle_count);
    for (uint32_t i = 0; i < (RINGS - 1) * SIDES; i++) {
        uint32_t a = i + i / SIDES, b = a + SIDES + 1;
        memcpy(mesh->indices + 6 * i, (uint32_t[6]){a, b, a + 1, a + 1, b, b + 1}, 6 * sizeof(uint32_t));
    }
    mesh->bone_count = 2;
    mesh->bones = ARENA_NEW(arena, struct bone, 2);
    for (uint32_t b = 0; b < 2; b++) {
        mesh->bones[b].node = b + 1;
        memcpy(mesh->bones[b].mesh_to_bone, mat4_identity, sizeof mat4_identity);
    }
    mesh->bones[1].mesh_to_bone[3][1] = -1.0f;
}

static struct scene *make_scene(struct arena *arena)
{
    static const char *const names[] = {"root", "lower", "upper"};
    struct scene *scene = ARENA_NEW(arena, struct scene, 1);
    scene->arena = arena;
    scene->path = "self-test";
    scene->format = scene->assimp_version = "";
    scene->up_axis = scene->up_sign = 1;
    scene->node_count = 3;
    scene->nodes = ARENA_NEW(arena, struct node, 3);
    for (int i = 0; i < 3; i++) {
        struct node *node = &scene->nodes[i];
        *node = (struct node){.name = names[i], .parent = i - 1, .rest = transform_identity};
        node->rest.translation[1] = i == 2 ? 1.0f : 0.0f;
        affine_from_transform(&node->rest, node->local_to_parent);
    }
    scene->mesh_count = scene->instance_count = scene->texture_count = scene->material_count = 1;
    scene->meshes = ARENA_NEW(arena, struct mesh, 1);
    fill_mesh(scene->meshes, arena);
    scene_label_meshes(scene);
    struct texture *texture = scene->textures = ARENA_NEW(arena, struct texture, 1);
    *texture = (struct texture){.name = "checker", .width = TEXTURE_SIZE, .height = TEXTURE_SIZE};
    texture->rgba = arena_alloc(arena, TEXTURE_SIZE * TEXTURE_SIZE, 4);
    for (int i = 0; i < TEXTURE_SIZE * TEXTURE_SIZE; i++) {
        uint8_t light = (i / 8 + i / (8 * TEXTURE_SIZE)) % 2 ? 220 : 90;
        memcpy(texture->rgba + 4 * i, (uint8_t[4]){light, 160, (uint8_t)(255 - light), 255}, 4);
    }
    scene->materials = ARENA_NEW(arena, struct material, 1);
    scene->materials[0] = (struct material){
        .name = "checker", .base_color = {1, 1, 1, 1}, .base_texture = 0, .alpha_cutoff = 0.5f, .two_sided = true};
    scene->instances = ARENA_NEW(arena, struct instance, 1);
    scene_bind(scene);
    return scene;
}

/* The upper bone bent by 50 degrees about z. The result is in its arena, so that the parent sees it. */
static int run_in_child(void *context)
{
    struct selftest_result *result = context;
    struct renderer_info *info = &result->info;
    struct error err = {0};
    struct scene *scene = make_scene(result->arena);
    struct pose pose = pose_create(scene, scene->arena);
    struct palette palette = palette_create(scene, scene->arena);
    const struct crowd alone = {.members = &(struct crowd_member){.palette = &palette, .pose = &pose}};
    double half = 25.0 * acos(-1.0) / 180.0;
    pose.local[2].rotation[2] = (float)sin(half);
    pose.local[2].rotation[3] = (float)cos(half);
    affine_from_transform(&pose.local[2], pose.local_to_parent[2]);
    palette_globals(scene, &pose);
    palette_compute(scene, &pose, SPACE_SCENE, &palette);
    struct bounds bounds = {{-1.2f, 0, -0.5f}, {0.5f, 2, 0.5f}};
    struct orbit orbit = {.yaw = 30, .pitch = 15, .zoom = 1, .fov = 30};
    struct frame_settings frame_settings = {
        .width = 160, .height = 160, .background = {90, 90, 90, 255}, .view = VIEW_LIT, .selected_node = NO_INDEX};
    frame_settings.camera = camera_orbit(&bounds, &orbit, 1, 1, 1.0f);
    struct renderer *renderer = renderer_create(result->backend, &err);
    if (renderer) {
        const char **const texts[] = {&info->backend, &info->library, &info->gl_version, &info->glsl_version,
                                      &info->gl_renderer, &info->gl_vendor};
        *info = *renderer_info(renderer);
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
            *texts[i] = arena_string(result->arena, *texts[i]);
        renderer_fingerprint(renderer_info(renderer), NULL, result->arena, &result->fingerprint);
        struct gpu_model *model = gpu_model_create(renderer, scene, &err);
        result->finished = model != NULL;
        for (int i = 0; result->finished && i < SELFTEST_FRAMES; i++) {
            struct image image = {0};
            result->finished = draw_crowd(renderer, model, &alone, &frame_settings, &image, &err);
            if (result->finished)
                image_hash(&image, result->hash[i]);
            image_release(&image);
        }
        gpu_model_destroy(model);
        renderer_destroy(renderer);
    }
    result->problem = arena_string(result->arena, err.text);
    return 0;
}

const struct selftest_result *selftest_run(enum backend backend)
{
    char name[16];
    struct arena *arena = arena_require(ARENA_BYTES);
    struct selftest_result *result = ARENA_NEW(arena, struct selftest_result, 1);
    *result = (struct selftest_result){
        .arena = arena, .backend = backend, .problem = "", .info = {"", "", "", "", "", ""}};
    struct child_result child = child_run(run_in_child, result, &(struct child_limits){.seconds = 60});
    if (child.end == CHILD_CRASHED)
        result->problem = arena_printf(arena, "crashed (%s)", signal_name(child.status, name));
    else if (child.end == CHILD_TIMEOUT)
        result->problem = "no frame after 60 s";
    result->finished = result->finished && child.end == CHILD_EXITED;
    return result;
}
