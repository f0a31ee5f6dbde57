/* doctor and version: what is here to draw with. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/file/file.h"
#include "base/screen.h"
#include "base/process/process.h"
#include "cli/command.h"
#include "draw/gl/environment.h"
#include "draw/frame/camera.h"
#include "palette/palette_stage.h"

/* ---- the self-test ----------------------------------------------------------------------------------------------- */

enum { SELFTEST_FRAMES = 2 };

struct selftest_result {
    struct arena *arena;     /* owns all of it */
    enum backend backend;    /* as asked for */
    bool finished;           /* a context came up and all frames were drawn */
    const char *problem;     /* why not; "" */
    struct renderer_info info; /* texts are "" without a context */
    char hash[SELFTEST_FRAMES][17]; /* of the same frame */
    struct fingerprint fingerprint;
};

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
            SCOPED(image) image = {0};
            result->finished = draw_crowd(renderer, model, &alone, &frame_settings, &image, &err);
            if (result->finished)
                image_hash(&image, result->hash[i]);
        }
        gpu_model_destroy(model);
        renderer_destroy(renderer);
    }
    result->problem = arena_string(result->arena, err.text);
    return 0;
}

/*
 * Draws a built-in scene (a bent, textured, two-bone tube) twice, in a child process: a backend that crashes is a
 * result too, and two GL libraries never share a process. Freed by arena_destroy().
 */
static const struct selftest_result *selftest_run(enum backend backend)
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

/* ---- the report -------------------------------------------------------------------------------------------------- */

enum { BACKENDS = 2 };

static const struct {
    enum backend backend;
    const char *name;
} backends[BACKENDS] = {{BACKEND_OSMESA, "osmesa"}, {BACKEND_EGL, "egl"}};

/* The result of the self-test as a whole. */
struct health {
    const struct selftest_result *result[BACKENDS];
    int working;
    bool all_equal;
    const char *used; /* what BACKEND_AUTO takes */
};

/* Returns what the variable is to be, or the place where it is kept; NULL: unset. */
static const char *value_of(size_t index)
{
    const struct environment_rule *rule = &environment_rules[index];
    return environment_is_kept(index) || rule->action == ENVIRONMENT_DEFAULT ? getenv(rule->name) : rule->value;
}

static void write_text(const struct health *health, struct error *library, struct text *out)
{
    const struct library_file *file = import_library_file();
    const char *why;
    text_addf(out, "rigproof %s\nAssimp %s: %s\n", RIGPROOF_VERSION, import_library_version(),
              error_is_set(library) ? library->text : "as this build expects it");
    text_addf(out, "  library       %s (soname %s)\n  build id      %s\n", file->name ? file->name : "not found",
              file->soname ? file->soname : "none", file->build_id ? file->build_id : "none");
    text_addf(out, "sandbox of the import: %s\n", sandbox_works(&why) ? "active" : why);
    for (int i = 0; i < BACKENDS; i++) {
        const struct selftest_result *r = health->result[i];
        if (!r->finished) {
            text_addf(out, "\nbackend %s: %s\n", backends[i].name,
                      health->working == 0 && i == BACKENDS - 1 ? "see below" : r->problem);
            continue;
        }
        text_addf(out, "\nbackend %s (%s)\n", backends[i].name, r->info.library);
        text_addf(out, "  renderer      %s\n  GL version    %s\n  GLSL version  %s\n  vendor        %s\n",
                  r->info.gl_renderer, r->info.gl_version, r->info.glsl_version, r->info.gl_vendor);
        text_addf(out, "  limits        %d texels in a texture buffer (%d palette entries), %d samples\n",
                  r->info.max_texture_buffer, r->info.max_texture_buffer / 3, r->info.max_samples);
        for (uint32_t k = 0; k < r->fingerprint.count; k++)
            text_addf(out, "  %-13s %-13s %s\n", k ? "" : "fingerprint", r->fingerprint.entries[k].name,
                      r->fingerprint.entries[k].value);
        for (int frame = 0; frame < SELFTEST_FRAMES; frame++)
            text_addf(out, "  frame %d hash  %s\n", frame + 1, r->hash[frame]);
    }
    text_add(out, "\nenvironment, before the first GL call\n");
    for (size_t i = 0; i < environment_rule_count; i++) {
        const struct environment_rule *rule = &environment_rules[i];
        const char *before = environment_before(i), *value = value_of(i);
        const char *action = environment_is_kept(i)                ? "kept as it is, by " ENVIRONMENT_KEEP
                             : rule->action == ENVIRONMENT_SET     ? "set"
                             : rule->action == ENVIRONMENT_DEFAULT ? "set unless chosen"
                                                                   : "unset";
        text_addf(out, "  %s%s%s  (%s; %s)%s%s\n", rule->name, value ? "=" : "", value ? value : "", action, rule->why,
                  before ? ", it was " : "", before ? before : "");
    }
    if (health->working == 0) /* what to install: EGL, which every distribution has */
        text_addf(out, "\nrigproof cannot draw here: %s.\n", health->result[BACKENDS - 1]->problem);
    else if (!health->all_equal)
        text_add(out,
                 "\nrigproof draws here, but not the same each time: frames that should be equal are not (FAILED).\n");
    else
        text_addf(out, "\nrigproof works here: it draws by %s, and every backend draws the same frame each time.\n",
                  health->used);
}

static void write_json(const struct health *health, struct error *library, struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, JSON_LINES);
    json_add_string(&json, "format", "rigproof.doctor/1");
    json_add_string(&json, "version", RIGPROOF_VERSION);
    json_add_string(&json, "assimp", import_library_version());
    json_add_string(&json, "assimp_problem", error_is_set(library) ? library->text : NULL);
    const struct library_file *file = import_library_file();
    json_open_object(&json, "assimp_library", JSON_INLINE);
    json_add_string(&json, "file", file->name);
    json_add_string(&json, "soname", file->soname);
    json_add_string(&json, "build_id", file->build_id);
    json_close(&json);
    const char *why = NULL;
    json_add_bool(&json, "sandbox", sandbox_works(&why));
    json_add_string(&json, "backend", health->used);
    json_open_array(&json, "backends", JSON_LINES);
    for (int i = 0; i < BACKENDS; i++) {
        const struct selftest_result *r = health->result[i];
        json_open_object(&json, NULL, JSON_INLINE);
        json_add_string(&json, "name", backends[i].name);
        json_add_bool(&json, "works", r->finished);
        json_add_string(&json, "problem", r->problem[0] ? r->problem : NULL);
        json_add_string(&json, "library", r->info.library);
        json_add_string(&json, "gl_renderer", r->info.gl_renderer);
        json_add_string(&json, "gl_version", r->info.gl_version);
        json_add_string(&json, "glsl_version", r->info.glsl_version);
        json_open_object(&json, "fingerprint", JSON_INLINE);
        for (uint32_t k = 0; k < r->fingerprint.count; k++)
            json_add_string(&json, r->fingerprint.entries[k].name, r->fingerprint.entries[k].value);
        json_close(&json);
        json_open_array(&json, "hashes", JSON_INLINE);
        for (int frame = 0; r->finished && frame < SELFTEST_FRAMES; frame++)
            json_add_string(&json, NULL, r->hash[frame]);
        json_close(&json);
        json_close(&json);
    }
    json_close(&json);
    json_open_object(&json, "environment", JSON_LINES);
    for (size_t i = 0; i < environment_rule_count; i++)
        json_add_string(&json, environment_rules[i].name, value_of(i));
    json_close(&json);
    json_open_array(&json, "kept", JSON_INLINE);
    for (size_t i = 0; i < environment_rule_count; i++)
        if (environment_is_kept(i))
            json_add_string(&json, NULL, environment_rules[i].name);
    json_close(&json);
    json_add_bool(&json, "self_test", health->working > 0 && health->all_equal);
    json_close(&json);
}

static bool json;

static const struct setting options[] = {
    {"json", NULL, "the same as JSON", 0, &value_flag, VALUE_OF(json)},
};

static enum exit_code run_doctor(const struct operands *operands, struct error *err)
{
    (void)operands;
    struct health health = {.all_equal = true};
    const char *hash = NULL;
    SCOPED(text) out = {0};
    struct error library = {0};
    import_check_library(&library);
    for (int i = 0; i < BACKENDS; i++) {
        const struct selftest_result *result = health.result[i] = selftest_run(backends[i].backend);
        if (!result->finished)
            continue;
        health.working++;
        if (!health.used)
            health.used = backends[i].name;
        for (int frame = 0; frame < SELFTEST_FRAMES; frame++) {
            hash = hash ? hash : result->hash[frame];
            health.all_equal = health.all_equal && strcmp(hash, result->hash[frame]) == 0;
        }
    }
    environment_apply(ERROR_IGNORED); /* the self-test says it too, as the reason why no backend works */
    if (json)
        write_json(&health, &library, &out);
    else
        write_text(&health, &library, &out);
    if (json)
        file_write("-", out.data, out.size, err);
    else
        terminal_print(text_string(&out), stdout);
    for (int i = 0; i < BACKENDS; i++)
        arena_destroy(health.result[i]->arena);
    if (health.working == 0)
        return EXIT_CODE_NO_GL;
    return health.all_equal && !error_is_set(&library) ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
}

const struct command command_doctor = {
    .name = "doctor", .operands = "", .summary = "GL backend, renderer, versions, determinism self-test",
    .about = "Says which GL backends work here, with what environment, and draws a built-in frame twice with each: "
             "all\nhashes must be equal. Exit code 1 when they are not, 3 when no backend works.",
    COMMAND_OPTIONS(options), .run = run_doctor,
};

static enum exit_code run_version(const struct operands *operands, struct error *err)
{
    (void)operands, (void)err;
    const struct selftest_result *gl = selftest_run(BACKEND_AUTO);
    printf("rigproof %s\nAssimp %s\n", RIGPROOF_VERSION, import_library_version());
    const char *mesa = fingerprint_find(&gl->fingerprint, "mesa");
    if (mesa)
        printf("Mesa %s (%s, %s)\n", mesa, gl->info.backend, gl->info.gl_renderer);
    if (!gl->finished)
        puts("Mesa: none that draws; see rigproof doctor");
    arena_destroy(gl->arena);
    return EXIT_CODE_GOOD;
}

const struct command command_version = {
    .name = "version", .operands = "", .summary = "versions of rigproof, Assimp and Mesa",
    .about = "Prints the versions of rigproof and of the libraries that it finds here. rigproof --version is one line "
             "without Mesa.",
    .run = run_version,
};
