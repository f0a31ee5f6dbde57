#include "suite/selftest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/process/process.h"
#include "draw/frame/camera.h"
#include "palette/palette_stage.h"

/* ---- the built-in scene: a tube along y, its upper half bent by the second bone ------------------------------- */

enum { RINGS = 13, SIDES = 24, TEXTURE_SIZE = 32, ARENA_BYTES = 64 << 20 };

static void add_nodes(struct scene *scene)
{
    static const char *const names[] = {"root", "lower", "upper"};
    scene->node_count = 3;
    scene->nodes = ARENA_NEW(scene->arena, struct node, 3);
    for (int i = 0; i < 3; i++) {
        scene->nodes[i].name = names[i];
        scene->nodes[i].parent = i - 1;
        scene->nodes[i].rest = transform_identity;
    }
    scene->nodes[2].rest.translation[1] = 1.0f;
    for (int i = 0; i < 3; i++)
        affine_from_transform(&scene->nodes[i].rest, scene->nodes[i].local_to_parent);
}

static void add_vertices(struct scene *scene, struct mesh *mesh)
{
    struct arena *arena = scene->arena;
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
        memcpy(mesh->positions[v], (vec3){0.4f * mesh->normals[v][0], height, 0.4f * mesh->normals[v][2]}, sizeof(vec3));
        memcpy(mesh->uvs[v], (vec2){4.0f * (float)(v % (SIDES + 1)) / SIDES, 2.0f * height}, sizeof(vec2));
        uint32_t larger = upper > 0.5f;
        mesh->influences[2 * v] = (struct influence){larger, larger ? upper : 1.0f - upper};
        mesh->influences[2 * v + 1] = (struct influence){!larger, larger ? 1.0f - upper : upper};
        mesh->influence_first[v + 1] = 2 * (v + 1);
    }
}

static void add_triangles(struct scene *scene, struct mesh *mesh)
{
    mesh->triangle_count = 2 * (RINGS - 1) * SIDES;
    mesh->indices = ARENA_NEW(scene->arena, uint32_t, 3 * mesh->triangle_count);
    uint32_t *index = mesh->indices;
    for (uint32_t ring = 0; ring + 1 < RINGS; ring++)
        for (uint32_t side = 0; side < SIDES; side++) {
            uint32_t a = ring * (SIDES + 1) + side, b = a + SIDES + 1;
            const uint32_t quad[6] = {a, b, a + 1, a + 1, b, b + 1};
            memcpy(index, quad, sizeof quad);
            index += 6;
        }
}

static void add_bones(struct scene *scene, struct mesh *mesh)
{
    mesh->bone_count = 2;
    mesh->bones = ARENA_NEW(scene->arena, struct bone, 2);
    for (uint32_t b = 0; b < 2; b++) {
        mesh->bones[b].node = b + 1;
        memcpy(mesh->bones[b].mesh_to_bone, mat4_identity, sizeof mat4_identity);
    }
    mesh->bones[1].mesh_to_bone[3][1] = -1.0f;
}

static void add_material(struct scene *scene)
{
    scene->texture_count = 1;
    scene->textures = ARENA_NEW(scene->arena, struct texture, 1);
    struct texture *texture = scene->textures;
    *texture = (struct texture){.name = "checker", .width = TEXTURE_SIZE, .height = TEXTURE_SIZE};
    texture->rgba = arena_alloc(scene->arena, TEXTURE_SIZE * TEXTURE_SIZE, 4);
    for (int i = 0; i < TEXTURE_SIZE * TEXTURE_SIZE; i++) {
        uint8_t light = (i / 8 + i / (8 * TEXTURE_SIZE)) % 2 ? 220 : 90;
        memcpy(texture->rgba + 4 * i, (uint8_t[4]){light, 160, (uint8_t)(255 - light), 255}, 4);
    }
    scene->material_count = 1;
    scene->materials = ARENA_NEW(scene->arena, struct material, 1);
    scene->materials[0] = (struct material){
        .name = "checker", .base_color = {1, 1, 1, 1}, .base_texture = 0, .alpha_cutoff = 0.5f, .two_sided = true};
}

static struct scene *make_scene(struct arena *arena)
{
    struct scene *scene = ARENA_NEW(arena, struct scene, 1);
    scene->arena = arena;
    scene->path = "self-test";
    scene->format = scene->assimp_version = "";
    scene->up_axis = 1;
    scene->up_sign = 1;
    add_nodes(scene);
    scene->mesh_count = 1;
    scene->meshes = ARENA_NEW(arena, struct mesh, 1);
    scene->meshes[0].name = "tube";
    scene_label_meshes(scene);
    add_vertices(scene, &scene->meshes[0]);
    add_triangles(scene, &scene->meshes[0]);
    add_bones(scene, &scene->meshes[0]);
    add_material(scene);
    scene->instance_count = 1;
    scene->instances = ARENA_NEW(arena, struct instance, 1);
    scene->instances[0].node = 0;
    scene_bind(scene);
    return scene;
}

/* ---- drawing it ---------------------------------------------------------------------------------------------- */

/* Bends the upper bone by 50 degrees about z. */
static void pose_scene(const struct scene *scene, struct pose *pose, struct palette *palette)
{
    double half = 25.0 * acos(-1.0) / 180.0;
    pose->local[2].rotation[2] = (float)sin(half);
    pose->local[2].rotation[3] = (float)cos(half);
    affine_from_transform(&pose->local[2], pose->local_to_parent[2]);
    palette_globals(scene, pose);
    palette_compute(scene, pose, SPACE_SCENE, palette);
}

static void copy_info(struct selftest_result *result, const struct renderer_info *info)
{
    snprintf(result->library, sizeof result->library, "%s", info->library);
    snprintf(result->gl_version, sizeof result->gl_version, "%s", info->gl_version);
    snprintf(result->glsl_version, sizeof result->glsl_version, "%s", info->glsl_version);
    snprintf(result->gl_renderer, sizeof result->gl_renderer, "%s", info->gl_renderer);
    snprintf(result->gl_vendor, sizeof result->gl_vendor, "%s", info->gl_vendor);
    result->max_texture_buffer = info->max_texture_buffer;
    result->max_samples = info->max_samples;
}

static void copy_fingerprint(struct selftest_result *result, const struct renderer *renderer, struct arena *arena)
{
    struct fingerprint fingerprint;
    renderer_fingerprint(renderer, NULL, arena, &fingerprint);
    for (uint32_t i = 0; i < fingerprint.count && i < SELFTEST_ENTRIES; i++) {
        struct selftest_entry *entry = &result->entries[result->entry_count++];
        snprintf(entry->name, sizeof entry->name, "%s", fingerprint.entries[i].name);
        snprintf(entry->value, sizeof entry->value, "%s", fingerprint.entries[i].value);
    }
}

static bool draw_twice(struct renderer *renderer, struct scene *scene, struct selftest_result *result, struct error *err)
{
    struct pose pose = pose_create(scene, scene->arena);
    struct palette palette = palette_create(scene, scene->arena);
    struct gpu_model *model = gpu_model_create(renderer, scene, err);
    bool good = model != NULL;
    pose_scene(scene, &pose, &palette);
    struct bounds bounds = {{-1.2f, 0, -0.5f}, {0.5f, 2, 0.5f}};
    struct orbit orbit = {.yaw = 30, .pitch = 15, .zoom = 1, .fov = 30};
    struct frame_settings frame_settings = {
        .width = 160, .height = 160, .background = {90, 90, 90, 255}, .view = VIEW_LIT, .selected_node = NO_INDEX};
    frame_settings.camera = camera_orbit(&bounds, &orbit, 1, 1, 1.0f);
    for (int i = 0; good && i < SELFTEST_FRAMES; i++) {
        struct image image;
        good = draw_frame(renderer, model, &palette, &pose, &frame_settings, &image, err);
        if (good) {
            image_hash(&image, result->hash[i]);
            image_release(&image);
        }
    }
    gpu_model_destroy(model);
    return good;
}

struct job {
    enum backend backend;
    struct arena *arena;
    struct selftest_result *result; /* in the arena, so that the parent sees it */
};

static int run_in_child(void *context)
{
    const struct job *job = context;
    struct error err = {0};
    struct renderer *renderer = renderer_create(job->backend, &err);
    if (renderer) {
        copy_info(job->result, renderer_info(renderer));
        copy_fingerprint(job->result, renderer, job->arena);
        job->result->finished = draw_twice(renderer, make_scene(job->arena), job->result, &err);
        renderer_destroy(renderer);
    }
    snprintf(job->result->problem, sizeof job->result->problem, "%s", err.text);
    return 0;
}

void selftest_run(enum backend backend, struct selftest_result *result)
{
    struct error err = {0};
    char name[16];
    *result = (struct selftest_result){.present = backend_is_present(backend)};
    struct arena *arena = arena_create(ARENA_BYTES, &err);
    if (!arena) {
        snprintf(result->problem, sizeof result->problem, "%s", err.text);
        return;
    }
    struct job job = {backend, arena, ARENA_NEW(arena, struct selftest_result, 1)};
    *job.result = *result;
    struct child_result child = child_run(run_in_child, &job, &(struct child_limits){.seconds = 60});
    *result = *job.result;
    if (child.end == CHILD_CRASHED)
        snprintf(result->problem, sizeof result->problem, "crashed (%s)", signal_name(child.status, name));
    else if (child.end == CHILD_TIMEOUT)
        snprintf(result->problem, sizeof result->problem, "no frame after 60 s");
    if (child.end != CHILD_EXITED)
        result->finished = false;
    arena_destroy(arena);
}
