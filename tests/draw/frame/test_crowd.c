/* Many instances of a model in one picture, each in a pose of its own. */
#include "draw/renderer.h"
#include "draw/skinned_scene.h"

enum { MEMBERS = 5 };

/* Five poses of a scene, apart from each other. */
static struct crowd crowd_of(const struct hand *hand)
{
    uint32_t seed = 31;
    struct palette *palettes = ARENA_NEW(hand->scene->arena, struct palette, MEMBERS);
    struct crowd_member *members = ARENA_NEW(hand->scene->arena, struct crowd_member, MEMBERS);
    for (int m = 0; m < MEMBERS; m++) {
        palettes[m] = palette_create(hand->scene, hand->scene->arena);
        pose_by(&palettes[m], SIMILAR, &seed);
        for (uint32_t w = 0; w < palettes[m].weight_count; w++)
            palettes[m].morph_weights[w] = m == 1 ? 0 : (float)hand_random(&seed);
        members[m] = (struct crowd_member){.palette = &palettes[m], .place = {(float)m, -2.0f * (float)m, 0.5f}};
    }
    return (struct crowd){MEMBERS, members};
}

/* All of a crowd in one call, each as by itself and, where nothing is morphed, as skinning written down has it. */
static void assert_crowd(struct renderer *renderer, struct gpu_model *model, const struct hand *hand, bool linear)
{
    const struct crowd crowd = crowd_of(hand);
    struct skinned *all[MEMBERS], *alone = skinned_create(hand->scene, hand->scene->arena), out[MEMBERS];
    for (int m = 0; m < MEMBERS; m++)
        all[m] = skinned_create(hand->scene, hand->scene->arena);
    for (uint32_t k = 0; k < hand->scene->instance_count; k++) {
        for (int m = 0; m < MEMBERS; m++)
            out[m] = all[m][k];
        assert_good(draw_crowd_capture(renderer, model, &crowd, out, err));
        for (int m = 0; m < MEMBERS; m++) {
            const struct crowd_member *member = &crowd.members[m];
            assert_good(draw_capture(renderer, model, member->palette, &alone[k], err));
            assert_memory_equal(out[m].normals, alone[k].normals, out[m].vertex_count * sizeof(vec3));
            for (uint32_t v = 0; v < out[m].vertex_count; v++)
                for (int c = 0; c < 3; c++) {
                    if (out[m].positions[v][c] != alone[k].positions[v][c] + member->place[c])
                        fail_msg("instance %d, vertex %u: %g, alone %g", m, v, (double)out[m].positions[v][c],
                                 (double)alone[k].positions[v][c]);
                    out[m].positions[v][c] -= member->place[c];
                }
            if (linear && hand->scene->meshes[k].target_count == 0)
                assert_true(worst_of_instance(hand, member->palette, &out[m], NULL) < 1e-5);
        }
    }
}

static void every_instance_of_a_crowd_has_its_pose_and_place(void **state)
{
    static const uint32_t per_vertex[] = {3, 7, 11};
    for (size_t n = 0; n < 3; n++) {
        SCENE hand = three_meshes(30, per_vertex[n], SIMILAR);
        MODEL model = model_of(*state, &hand);
        for (int path = 0; path < PALETTE_PATH_COUNT; path++)
            for (int format = 0; format < PALETTE_FORMAT_COUNT; format++) {
                struct upload_format upload_format = {.path = (enum palette_path)path,
                                                      .format = (enum palette_format)format,
                                                      .weights = (enum weight_format)(n == 1 && format == PALETTE_TRS),
                                                      .skinning = (enum skinning)(path % 2)};
                assert_good(gpu_model_set_upload(model, &upload_format, NULL, err));
                assert_crowd(*state, model, &hand, upload_format.skinning == SKINNING_LINEAR && !upload_format.weights);
            }
    }
}

/* Two cards that overlap for the camera, blended, in either order: the far one is under the near one. */
static void crowds_are_drawn_as_their_instances_would_be(void **state)
{
    SCENE one = hand_begin(1, 1, 1), two = hand_begin(2, 2, 1);
    hand_quad(&one, 0, -0.5f, -0.5f, 0.5f, 0.5f, 0);
    hand_quad(&two, 0, -0.75f, -0.5f, 0.25f, 0.5f, -1);
    hand_quad(&two, 1, -0.25f, -0.5f, 0.75f, 0.5f, 1);
    for (int i = 0; i < 2; i++) {
        struct material *material = i ? two.scene->materials : one.scene->materials;
        material->alpha_mode = ALPHA_BLEND;
        memcpy(material->base_color, (vec4){1, 0.5f, 0, 0.4f}, sizeof(vec4));
    }
    hand_end(&one);
    hand_end(&two);
    const struct crowd_member near = {&one.palette, &one.pose, {0.25f, 0, 1}}, far = {&one.palette, &one.pose, {-0.25f, 0, -1}};
    struct frame_settings settings = hand_settings(64, 64, VIEW_LIT);
    struct image apart = draw_hand(*state, &two, &settings), ordinary = draw_hand(*state, &one, &settings), image;
    MODEL model = model_of(*state, &one);
    for (int order = 0; order < 2; order++) {
        const struct crowd_member members[2] = {order ? near : far, order ? far : near};
        assert_good(draw_crowd(*state, model, &(struct crowd){2, members}, &settings, &image, err));
        assert_same_image(&image, &apart);
        image_release(&image);
    }
    const struct crowd_member alone = {&one.palette, &one.pose, {0, 0, 0}};
    assert_good(draw_crowd(*state, model, &(struct crowd){1, &alone}, &settings, &image, err));
    assert_same_image(&image, &ordinary);
    image_release(&image);
    image_release(&apart);
    image_release(&ordinary);
}

static void a_crowd_that_is_too_large_is_told_what_holds_it(void **state)
{
    struct renderer *renderer = *state;
    const struct palette_limits real = renderer->palette.limits;
    SCENE hand = three_meshes(30, 2, SIMILAR);
    const struct crowd crowd = crowd_of(&hand);
    struct frame_settings settings = hand_settings(8, 8, VIEW_LIT);
    struct image image;
    struct error why = {0};
    MODEL model = model_of(renderer, &hand);
    assert_good(gpu_model_set_upload(model, &(struct upload_format){.path = PALETTE_UBO}, NULL, err));
    renderer->palette.limits.rows[PALETTE_UBO] = 5 * 91; /* 30 bones of 3 and a place, five times */
    assert_good(draw_crowd(renderer, model, &crowd, &settings, &image, err));
    image_release(&image);
    renderer->palette.limits.rows[PALETTE_UBO]--;
    assert_false(draw_crowd(renderer, model, &crowd, &settings, &image, &why));
    renderer->palette.limits = real;
    assert_int_equal(why.exit_code, EXIT_CODE_USAGE);
    assert_string_equal(why.text, "--crowd: 5 instances need 455 vec4 as mat3x4; with --palette ubo a uniform block holds 454 "
                                  "here; use --palette tbo");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instance_of_a_crowd_has_its_pose_and_place),
        cmocka_unit_test(crowds_are_drawn_as_their_instances_would_be),
        cmocka_unit_test(a_crowd_that_is_too_large_is_told_what_holds_it),
    };
    return cmocka_run_group_tests(tests, open_renderer, close_renderer);
}
