/* What the vertex shader computes by every way of uploading matrices and weights. */
#include "draw/renderer.h"
#include "draw/skinned_scene.h"

static void hash_of(struct renderer *renderer, struct gpu_model *model, const struct hand *hand, char out[17])
{
    struct image image;
    struct frame_settings frame_settings = hand_settings(96, 96, VIEW_LIT);
    assert_good(draw_frame(renderer, model, &hand->palette, &hand->pose, &frame_settings, &image, err));
    assert_memory_not_equal(image.rgba, image.rgba + 4 * (96 * 48 + 48), 4); /* something is drawn */
    image_hash(&image, out);
    image_release(&image);
}

static void every_number_of_influences_is_summed(void **state)
{
    static const uint32_t influences[] = {1, 2, 4, 5, 8, 9, 12, 40};
    for (size_t i = 0; i < sizeof influences / sizeof influences[0]; i++)
        for (int kind = SIMILAR; kind <= MIRRORED; kind++) {
            SCENE hand = three_meshes(50, influences[i], (enum kind)kind);
            struct mesh *mesh = &hand.scene->meshes[1];
            for (uint32_t v = 1; kind == ANY && v <= mesh->vertex_count; v++) /* 0, 1, ..., 0 of them: vertices differ */
                mesh->influence_first[v] = mesh->influence_first[v - 1] + v % (influences[i] + 1);
            MODEL model = model_of(*state, &hand);
            assert_true(worst_of(*state, model, &hand, NULL) < 1e-5);
        }
}

/* A matrix of NaN spoils the vertices it moves and no others, whatever fills the unused slots. */
static void an_unused_bone_may_be_nan(void **state)
{
    for (uint32_t per_vertex = 1; per_vertex <= 9; per_vertex += 4) {
        SCENE hand = three_meshes(3, per_vertex, SIMILAR);
        struct mesh *mesh = &hand.scene->meshes[1];
        for (uint32_t i = 0; i < mesh->vertex_count * per_vertex; i++)
            mesh->influences[i].bone = 1 + i % 2;
        hand.palette.mesh_to_scene[1][0][0] = NAN;
        MODEL model = model_of(*state, &hand);
        assert_true(worst_of(*state, model, &hand, NULL) < 1e-5);
    }
}

/* Scales beyond what floats can square, and a bone that flattens onto z = 0. */
static void normals_survive_any_scale(void **state)
{
    static const float scales[] = {1e-18f, 1e-6f, 1, 1e6f, 1e15f, 0};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        SCENE hand = hand_begin(1, 1, 1);
        struct mesh *mesh = hand_ball(&hand, 0, (vec3){0, 0, 0}, (vec3){1, 1, 1}, 8);
        hand_end(&hand);
        for (int c = 0; c < 3; c++)
            hand.palette.mesh_to_scene[0][c][c] = scales[i] > 0 ? scales[i] : c < 2;
        struct skinned *skinned = skinned_create(hand.scene, hand.scene->arena);
        MODEL model = model_of(*state, &hand);
        assert_good(draw_capture(*state, model, &hand.palette, skinned, err));
        for (uint32_t v = 0; v < skinned->vertex_count; v++)
            for (int c = 0; c < 3; c++) {
                float n = mesh->normals[v][c], flat = c < 2 || n == 0 ? 0 : n > 0 ? 1.0f : -1.0f;
                assert_true(fabsf(skinned->normals[v][c] - (scales[i] > 0 ? n : flat)) < 1e-5f);
            }
    }
}

/* 4, 8 and any number of influences a vertex. */
static void every_path_and_format_gives_the_same_picture(void **state)
{
    static const uint32_t per_vertex[] = {3, 7, 11};
    for (size_t n = 0; n < 3; n++) {
        SCENE hand = three_meshes(40, per_vertex[n], SIMILAR);
        char first[17], hash[17];
        MODEL model = model_of(*state, &hand);
        hash_of(*state, model, &hand, first);
        for (int path = 0; path < PALETTE_PATH_COUNT; path++)
            for (int format = 0; format < PALETTE_FORMAT_COUNT; format++) {
                struct upload_format upload_format = {.path = (enum palette_path)path,
                                                      .format = (enum palette_format)format};
                assert_good(gpu_model_set_upload(model, &upload_format, NULL, err));
                double worst = worst_of(*state, model, &hand, NULL);
                if (!(worst < 1e-5))
                    fail_msg("%s %s: off by %g", palette_path_names[path], palette_format_names[format], worst);
                hash_of(*state, model, &hand, hash);
                if (format != PALETTE_TRS)
                    assert_string_equal(hash, first);
            }
    }
}

static void trs_refuses_what_it_cannot_hold(void **state)
{
    SCENE hand = three_meshes(5, 2, SIMILAR);
    struct image image;
    struct frame_settings frame_settings = hand_settings(8, 8, VIEW_LIT);
    const struct upload_format trs = {.format = PALETTE_TRS};
    MODEL model = model_of(*state, &hand);
    assert_good(gpu_model_set_upload(model, &trs, NULL, err));
    for (int c = 0; c < 3; c++)
        hand.palette.mesh_to_scene[3][1][c] *= 1.01f; /* instance 1, bone 2, node 2 */
    struct error err = {0};
    assert_false(draw_frame(*state, model, &hand.palette, &hand.pose, &frame_settings, &image, &err));
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
    assert_non_null(strstr(err.text, "bone \"node2\" of mesh \"mesh1\" has a scale that is not uniform"));
}

/* Where fewer vec4s are held than here, the message counts and names a path that holds them. */
static void what_is_too_much_is_said_in_words(void **state)
{
    struct renderer *renderer = *state;
    const struct palette_limits real = renderer->palette.limits;
    SCENE hand = three_meshes(300, 2, SIMILAR);
    MODEL model = model_of(renderer, &hand);
    static const struct {
        struct upload_format upload_format;
        uint32_t rows[PALETTE_PATH_COUNT]; /* tbo, uniform, ubo, ssbo */
        const char *says;
    } rows[] = {
        {{.path = PALETTE_UNIFORM}, {10000, 899, 10000, 10000},
         "--palette uniform: 300 bones of mesh \"mesh1\" need 900 vec4 as mat3x4; a uniform array holds 899 here; "
         "use tbo"},
        {{.path = PALETTE_UNIFORM, .format = PALETTE_MAT4}, {10000, 1199, 10000, 10000}, "need 1200 vec4 as mat4"},
        {{.path = PALETTE_UBO, .format = PALETTE_TRS}, {10000, 10000, 599, 10000},
         "--palette ubo: 300 bones of mesh \"mesh1\" need 600 vec4 as trs; a uniform block holds 599 here; use tbo"},
        {{.path = PALETTE_TBO}, {911, 10000, 10000, 10000},
         "--palette tbo: 304 bones of all meshes need 912 vec4 as mat3x4; a buffer texture holds 911 here; use ssbo"},
        {{.path = PALETTE_SSBO}, {911, 899, 900, 0},
         "--palette ssbo: the GL context here has none (ssbo needs GL 4.3); use ubo"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct error err = {0};
        memcpy(renderer->palette.limits.rows, rows[i].rows, sizeof rows[i].rows);
        bool held = gpu_model_set_upload(model, &rows[i].upload_format, NULL, &err);
        renderer->palette.limits = real;
        assert_false(held);
        assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
        if (!strstr(err.text, rows[i].says))
            fail_msg("says: %s\nnot:  %s", err.text, rows[i].says);
    }
    assert_true(worst_of(renderer, model, &hand, NULL) < 1e-5); /* upload format as before */
}

/* As many bones as a path holds, to the last. */
static void a_path_holds_what_it_says(void **state)
{
    struct renderer *renderer = *state;
    static const enum palette_path paths[] = {PALETTE_UNIFORM, PALETTE_UBO};
    for (int i = 0; i < 2; i++) {
        struct upload_format upload_format = {.path = paths[i], .format = PALETTE_MAT4};
        uint32_t bones = renderer->palette.limits.rows[paths[i]] / 4;
        SCENE hand = three_meshes(bones, 4, SIMILAR);
        for (uint32_t v = 0; v < hand.scene->meshes[1].vertex_count; v++)
            hand.scene->meshes[1].influences[4 * v].bone = bones - 1 - v;
        MODEL model = model_of(renderer, &hand);
        assert_good(gpu_model_set_upload(model, &upload_format, NULL, err));
        assert_true(worst_of(renderer, model, &hand, NULL) < 1e-5);
    }
}

static void indices_are_as_wide_as_the_bones_need(void **state)
{
    static const struct {
        uint32_t bones;
        unsigned bits;
    } rows[] = {{1, 8}, {256, 8}, {257, 16}, {65536, 16}, {65537, 32}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t per_vertex = 2; per_vertex <= 6; per_vertex += 4) {
            SCENE hand = three_meshes(rows[i].bones, per_vertex, SIMILAR);
            for (uint32_t v = 0; v < hand.scene->meshes[1].vertex_count; v++)
                hand.scene->meshes[1].influences[per_vertex * v + v % per_vertex].bone = rows[i].bones - 1;
            MODEL model = model_of(*state, &hand);
            assert_int_equal(model->meshes[1].bone_size * 8, rows[i].bits);
            assert_true(worst_of(*state, model, &hand, NULL) < 1e-5);
        }
}

/* The GPU has the very bytes: slots, two sets of slots, the list; and back again. */
static void bytes_reach_the_shader(void **state)
{
    static const uint32_t per_vertex[] = {3, 7, 11};
    for (size_t n = 0; n < 3; n++) {
        SCENE hand = three_meshes(40, per_vertex[n], SIMILAR);
        struct influence *rounded = weights_rounded(&hand.scene->meshes[1]);
        hand.scene->meshes[2].influences[0] = (struct influence){0, 1}; /* of mesh 2 only what rounding leaves alone */
        for (uint32_t i = 0; i < 2 * hand.scene->meshes[2].vertex_count; i++)
            hand.scene->meshes[2].influences[i].weight = i % 2 ? 0 : 1;
        MODEL model = model_of(*state, &hand);
        assert_good(gpu_model_set_upload(model, &(struct upload_format){.weights = WEIGHTS_UNORM8}, NULL, err));
        assert_true(worst_of(*state, model, &hand, rounded) < 1e-5);
        assert_true(worst_of(*state, model, &hand, NULL) > 1e-4);
        assert_good(gpu_model_set_upload(model, &(struct upload_format){0}, NULL, err));
        assert_true(worst_of(*state, model, &hand, NULL) < 1e-5);
        free(rounded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_influences_is_summed),
        cmocka_unit_test(an_unused_bone_may_be_nan),
        cmocka_unit_test(normals_survive_any_scale),
        cmocka_unit_test(every_path_and_format_gives_the_same_picture),
        cmocka_unit_test(trs_refuses_what_it_cannot_hold),
        cmocka_unit_test(what_is_too_much_is_said_in_words),
        cmocka_unit_test(a_path_holds_what_it_says),
        cmocka_unit_test(indices_are_as_wide_as_the_bones_need),
        cmocka_unit_test(bytes_reach_the_shader),
    };
    return cmocka_run_group_tests(tests, open_renderer, close_renderer);
}
