/*
 * What the vertex shader computes by every way of uploading matrices and weights, of one and of many instances: a rigid and two
 * skinned meshes in random poses, and what skinning makes of them, written down here in double.
 */
#include "draw/renderer/renderer.h"
#include "draw/rendering.h"

static void random_matrix(uint32_t *seed, bool mirrored, bool uniform, mat4 out)
{
    struct transform t = transform_identity;
    double q[4], length = 0, scale = 0.5 + hand_random(seed);
    for (int i = 0; i < 4; i++) {
        q[i] = hand_random(seed) - 0.5;
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        t.rotation[i] = (float)(q[i] / sqrt(length));
    for (int i = 0; i < 3; i++) {
        t.translation[i] = (float)(hand_random(seed) - 0.5);
        t.scale[i] = (float)(uniform ? scale : 0.5 + hand_random(seed));
    }
    if (mirrored)
        t.scale[1] = -t.scale[1];
    affine_from_transform(&t, out);
}

static void add_weights(struct mesh *mesh, uint32_t per_vertex, uint32_t *seed)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        struct influence *influences = mesh->influences + (size_t)v * per_vertex;
        double total = 0;
        for (uint32_t i = 0; i < per_vertex; i++) {
            influences[i] = (struct influence){(uint32_t)(hand_random(seed) * mesh->bone_count),
                                               (float)(0.1 + hand_random(seed))};
            total += influences[i].weight;
        }
        for (uint32_t i = 0; i < per_vertex; i++)
            influences[i].weight = (float)(influences[i].weight / total);
    }
}

/* Rigid motions with one scale, matrices of any kind, every third bone mirrored. */
enum kind { SIMILAR, ANY, MIRRORED };

static void pose_by(struct palette *palette, enum kind kind, uint32_t *seed)
{
    for (uint32_t b = 0; b < palette->count; b++)
        random_matrix(seed, kind == MIRRORED && b % 3 == 0, kind == SIMILAR, palette->mesh_to_scene[b]);
}

/* A quad, a ball of `bones` bones and another of three, so that bindings begin at 0, 1 and bones + 1. */
static struct hand three_meshes(uint32_t bones, uint32_t per_vertex, enum kind kind)
{
    uint32_t seed = 17;
    struct hand hand = hand_begin(bones < 3 ? 3 : bones, 3, 1);
    hand_quad(&hand, 0, -1, -1, 1, 1, 0);
    struct mesh *large = hand_ball(&hand, 1, (vec3){0.2f, 0, 0}, (vec3){0.5f, 0.8f, 0.4f}, 12);
    struct mesh *small = hand_ball(&hand, 2, (vec3){-0.4f, 0, 0.4f}, (vec3){0.3f, 0.2f, 0.2f}, 6);
    hand_bones(&hand, large, bones, 0, per_vertex);
    hand_bones(&hand, small, 3, 0, 2);
    add_weights(large, per_vertex, &seed);
    add_weights(small, 2, &seed);
    small->target_count = 2; /* without weight, unless a test gives them some */
    small->targets = ARENA_NEW(hand.scene->arena, struct morph_target, 2);
    for (int t = 0; t < 2; t++) {
        vec3 *deltas = small->targets[t].position_deltas = ARENA_NEW(hand.scene->arena, vec3, small->vertex_count);
        for (uint32_t v = 0; v < small->vertex_count; v++)
            deltas[v][t] = small->positions[v][2];
    }
    for (uint32_t m = 0; m < 3; m++) {
        struct mesh *mesh = &hand.scene->meshes[m];
        mesh->tangents = ARENA_NEW(hand.scene->arena, vec4, mesh->vertex_count);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            for (int i = 0; i < 3; i++)
                mesh->tangents[v][i] = (float)(hand_random(&seed) - 0.5);
            mesh->tangents[v][3] = (float)(v % 3) - 1;
        }
    }
    hand_end(&hand);
    pose_by(&hand.palette, kind, &seed);
    return hand;
}

static double determinant(double m[3][4])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Inverse transpose by solving M^T x = n with Cramer's rule, normalised: another way than the shader's. */
static void expected_normal(double m[3][4], const float *normal, double out[3])
{
    double det = determinant(m), length = 0;
    for (int i = 0; i < 3; i++) {
        double replaced[3][4];
        memcpy(replaced, m, sizeof replaced);
        for (int c = 0; c < 3; c++)
            replaced[i][c] = normal[c];
        out[i] = determinant(replaced) / det;
        length += out[i] * out[i];
    }
    for (int i = 0; i < 3; i++)
        out[i] /= sqrt(length);
}

/* How far a tangent is from what a matrix makes of it, less what is along the normal; 0 where next to nothing is left of it. */
static double tangent_error(double m[3][4], const float *tangent, const double normal[3], const float *got)
{
    double moved[3], along = 0, length = 0, size = 0, off = 0;
    for (int r = 0; r < 3; r++) {
        moved[r] = m[r][0] * tangent[0] + m[r][1] * tangent[1] + m[r][2] * tangent[2];
        along += moved[r] * normal[r];
        size += moved[r] * moved[r];
    }
    for (int r = 0; r < 3; r++) {
        moved[r] -= along * normal[r];
        length += moved[r] * moved[r];
    }
    if (tangent[3] == 0) /* of plain and mirrored triangles */
        return fabs((double)got[0]) + fabs((double)got[1]) + fabs((double)got[2]) + fabs((double)got[3]);
    if (length < 0.01 * size || size < 0.001)
        return 0;
    for (int r = 0; r < 3; r++)
        off += (moved[r] / sqrt(length) - got[r]) * (moved[r] / sqrt(length) - got[r]);
    return sqrt(off) + fabs((determinant(m) < 0 ? -1.0 : 1.0) * tangent[3] - got[3]);
}

/*
 * The worst distance of an instance's vertices, held by `in_place` instead of their mesh's influences unless NULL; or a tenth
 * of that of their normals and tangents where the blend is not near singular.
 */
static double worst_of_instance(const struct hand *hand, const struct palette *palette, const struct skinned *got,
                                const struct influence *in_place)
{
    static const struct influence whole = {0, 1};
    const struct instance *where = &hand->scene->instances[got->instance];
    const struct mesh *mesh = &hand->scene->meshes[where->mesh];
    double worst = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t first = mesh->bone_count ? mesh->influence_first[v] : 0;
        uint32_t count = mesh->bone_count ? mesh->influence_first[v + 1] - first : 1;
        const struct influence *held = in_place ? in_place + first : mesh->bone_count ? mesh->influences + first : &whole;
        double m[3][4] = {{0}}, off = 0, turned = 0, normal[3];
        for (uint32_t i = 0; i < count; i++)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 4; c++)
                    m[r][c] += (double)held[i].weight * palette->mesh_to_scene[where->first_binding + held[i].bone][c][r];
        for (int r = 0; r < 3; r++) {
            double p = m[r][3];
            for (int c = 0; c < 3; c++)
                p += m[r][c] * mesh->positions[v][c];
            off += (p - got->positions[v][r]) * (p - got->positions[v][r]);
        }
        worst = fmax(worst, sqrt(off));
        if (fabs(determinant(m)) < 0.02)
            continue;
        expected_normal(m, mesh->normals[v], normal);
        for (int r = 0; r < 3; r++)
            turned += (normal[r] - got->normals[v][r]) * (normal[r] - got->normals[v][r]);
        worst = fmax(worst, 0.1 * sqrt(turned));
        if (got->tangents)
            worst = fmax(worst, 0.1 * tangent_error(m, mesh->tangents[v], normal, got->tangents[v]));
    }
    return worst;
}

/* Of all instances; `in_place` of instance 1. */
static double worst_of(struct renderer *renderer, struct gpu_model *model, const struct hand *hand,
                       const struct influence *in_place)
{
    double worst = 0;
    for (uint32_t k = 0; k < hand->scene->instance_count; k++) {
        struct skinned *skinned = skinned_create(hand->scene, hand->scene->arena);
        memset(skinned[k].positions, 0xff, skinned[k].vertex_count * sizeof(vec3));
        assert_good(draw_capture(renderer, model, &hand->palette, &skinned[k], err));
        worst = fmax(worst, worst_of_instance(hand, &hand->palette, &skinned[k], k == 1 ? in_place : NULL));
    }
    assert_true(isfinite(worst));
    return worst;
}

static void hash_of(struct renderer *renderer, struct gpu_model *model, const struct hand *hand, char out[17])
{
    SCOPED(image) image;
    struct frame_settings frame_settings = hand_settings(96, 96, VIEW_LIT);
    assert_good(draw_frame(renderer, model, &hand->palette, &hand->pose, &frame_settings, &image, err));
    assert_memory_not_equal(image.rgba, image.rgba + 4 * (96 * 48 + 48), 4); /* something is drawn */
    image_hash(&image, out);
}

TEST(every_number_of_influences_is_summed)
{
    static const uint32_t influences[] = {1, 2, 4, 5, 8, 9, 12, 40};
    for (size_t i = 0; i < sizeof influences / sizeof influences[0]; i++)
        for (int kind = SIMILAR; kind <= MIRRORED; kind++) {
            HAND_SCENE hand = three_meshes(50, influences[i], (enum kind)kind);
            struct mesh *mesh = &hand.scene->meshes[1];
            for (uint32_t v = 1; kind == ANY && v <= mesh->vertex_count; v++) /* 0, 1, ..., 0 of them: vertices differ */
                mesh->influence_first[v] = mesh->influence_first[v - 1] + v % (influences[i] + 1);
            MODEL model = model_of(*state, &hand);
            assert_true(worst_of(*state, model, &hand, NULL) < 1e-5);
        }
}

/* A matrix of NaN spoils the vertices it moves and no others, whatever fills the unused slots. */
TEST(an_unused_bone_may_be_nan)
{
    for (uint32_t per_vertex = 1; per_vertex <= 9; per_vertex += 4) {
        HAND_SCENE hand = three_meshes(3, per_vertex, SIMILAR);
        struct mesh *mesh = &hand.scene->meshes[1];
        for (uint32_t i = 0; i < mesh->vertex_count * per_vertex; i++)
            mesh->influences[i].bone = 1 + i % 2;
        hand.palette.mesh_to_scene[1][0][0] = NAN;
        MODEL model = model_of(*state, &hand);
        assert_true(worst_of(*state, model, &hand, NULL) < 1e-5);
    }
}

/* Scales beyond what floats can square, and a bone that flattens onto z = 0. */
TEST(normals_survive_any_scale)
{
    static const float scales[] = {1e-18f, 1e-6f, 1, 1e6f, 1e15f, 0};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        HAND_SCENE hand = hand_begin(1, 1, 1);
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
TEST(every_path_and_format_gives_the_same_picture)
{
    static const uint32_t per_vertex[] = {3, 7, 11};
    for (size_t n = 0; n < 3; n++) {
        HAND_SCENE hand = three_meshes(40, per_vertex[n], SIMILAR);
        char first[17], hash[17];
        MODEL model = model_of(*state, &hand);
        hash_of(*state, model, &hand, first);
        for (int path = 0; path < PALETTE_PATH_COUNT; path++)
            for (int format = 0; format < PALETTE_FORMAT_COUNT; format++) {
                if (n > 0 && format != (path + (int)n) % PALETTE_FORMAT_COUNT) /* how rows are read is no matter of influences */
                    continue;
                struct upload_format upload_format = {.path = (enum palette_path)path,
                                                      .format = (enum palette_format)format};
                assert_good(gpu_model_set_upload(model, &upload_format, NULL, err));
                double worst = worst_of(*state, model, &hand, NULL);
                if (!(worst < 1e-5))
                    fail_msg("%s %s: off by %g", palette_path_names[path], palette_format_names[format], worst);
                if (n > 0 || format == PALETTE_TRS)
                    continue;
                hash_of(*state, model, &hand, hash);
                assert_string_equal(hash, first);
            }
    }
}

TEST(trs_refuses_what_it_cannot_hold)
{
    HAND_SCENE hand = three_meshes(5, 2, SIMILAR);
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
TEST(what_is_too_much_is_said_in_words)
{
    struct renderer *renderer = *state;
    const struct palette_limits real = renderer->palette.limits;
    HAND_SCENE hand = three_meshes(300, 2, SIMILAR);
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
TEST(a_path_holds_what_it_says)
{
    struct renderer *renderer = *state;
    static const enum palette_path paths[] = {PALETTE_UNIFORM, PALETTE_UBO};
    for (int i = 0; i < 2; i++) {
        struct upload_format upload_format = {.path = paths[i], .format = PALETTE_MAT4};
        uint32_t bones = renderer->palette.limits.rows[paths[i]] / 4;
        HAND_SCENE hand = three_meshes(bones, 4, SIMILAR);
        for (uint32_t v = 0; v < hand.scene->meshes[1].vertex_count; v++)
            hand.scene->meshes[1].influences[4 * v].bone = bones - 1 - v;
        MODEL model = model_of(renderer, &hand);
        assert_good(gpu_model_set_upload(model, &upload_format, NULL, err));
        assert_true(worst_of(renderer, model, &hand, NULL) < 1e-5);
    }
}

TEST(indices_are_as_wide_as_the_bones_need)
{
    static const struct {
        uint32_t bones;
        unsigned bits;
    } rows[] = {{1, 8}, {256, 8}, {257, 16}, {65536, 16}, {65537, 32}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t per_vertex = 2; per_vertex <= 6; per_vertex += 4) {
            HAND_SCENE hand = three_meshes(rows[i].bones, per_vertex, SIMILAR);
            for (uint32_t v = 0; v < hand.scene->meshes[1].vertex_count; v++)
                hand.scene->meshes[1].influences[per_vertex * v + v % per_vertex].bone = rows[i].bones - 1;
            MODEL model = model_of(*state, &hand);
            assert_int_equal(model->meshes[1].bone_size * 8, rows[i].bits);
            assert_true(worst_of(*state, model, &hand, NULL) < 1e-5);
        }
}

/* The GPU has the very bytes: slots, two sets of slots, the list; and back again. */
TEST(bytes_reach_the_shader)
{
    static const uint32_t per_vertex[] = {3, 7, 11};
    for (size_t n = 0; n < 3; n++) {
        HAND_SCENE hand = three_meshes(40, per_vertex[n], SIMILAR);
        FREED struct influence *rounded = weights_rounded(&hand.scene->meshes[1]);
        hand.scene->meshes[2].influences[0] = (struct influence){0, 1}; /* of mesh 2 only what rounding leaves alone */
        for (uint32_t i = 0; i < 2 * hand.scene->meshes[2].vertex_count; i++)
            hand.scene->meshes[2].influences[i].weight = i % 2 ? 0 : 1;
        MODEL model = model_of(*state, &hand);
        assert_good(gpu_model_set_upload(model, &(struct upload_format){.weights = WEIGHTS_UNORM8}, NULL, err));
        assert_true(worst_of(*state, model, &hand, rounded) < 1e-5);
        assert_true(worst_of(*state, model, &hand, NULL) > 1e-4);
        assert_good(gpu_model_set_upload(model, &(struct upload_format){0}, NULL, err));
        assert_true(worst_of(*state, model, &hand, NULL) < 1e-5);
    }
}

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

TEST(every_instance_of_a_crowd_has_its_pose_and_place)
{
    static const uint32_t per_vertex[] = {3, 7, 11};
    for (size_t n = 0; n < 3; n++) {
        HAND_SCENE hand = three_meshes(30, per_vertex[n], SIMILAR);
        MODEL model = model_of(*state, &hand);
        for (unsigned path = 0; path < PALETTE_PATH_COUNT; path++) {
            const struct upload_format upload_format = {.path = (enum palette_path)path,
                                                        .format = (enum palette_format)((path + n) % PALETTE_FORMAT_COUNT),
                                                        .weights = (enum weight_format)(n == 1 && path == PALETTE_UNIFORM),
                                                        .skinning = (enum skinning)((path + n) % 2)};
            assert_good(gpu_model_set_upload(model, &upload_format, NULL, err));
            assert_crowd(*state, model, &hand, upload_format.skinning == SKINNING_LINEAR && !upload_format.weights);
        }
    }
}

/* Two cards that overlap for the camera, blended, in either order: the far one is under the near one. */
TEST(crowds_are_drawn_as_their_instances_would_be)
{
    HAND_SCENE one = hand_begin(1, 1, 1), two = hand_begin(2, 2, 1);
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
    const struct crowd_member alone = {&one.palette, &one.pose, {0, 0, 0}};
    SCOPED(image) apart = draw_hand(*state, &two, &settings), ordinary = draw_hand(*state, &one, &settings);
    MODEL model = model_of(*state, &one);
    for (uint32_t i = 0; i < 3; i++) {
        const struct crowd_member members[][2] = {{far, near}, {near, far}, {alone}};
        SCOPED(image) image = {0};
        assert_good(draw_crowd(*state, model, &(struct crowd){i < 2 ? 2 : 1, members[i]}, &settings, &image, err));
        assert_same_image(&image, i < 2 ? &apart : &ordinary);
    }
}

TEST(a_crowd_that_is_too_large_is_told_what_holds_it)
{
    struct renderer *renderer = *state;
    const struct palette_limits real = renderer->palette.limits;
    HAND_SCENE hand = three_meshes(30, 2, SIMILAR);
    const struct crowd crowd = crowd_of(&hand);
    struct frame_settings settings = hand_settings(8, 8, VIEW_LIT);
    SCOPED(image) image = {0};
    struct error why = {0};
    MODEL model = model_of(renderer, &hand);
    assert_good(gpu_model_set_upload(model, &(struct upload_format){.path = PALETTE_UBO}, NULL, err));
    renderer->palette.limits.rows[PALETTE_UBO] = 5 * 91; /* 30 bones of 3 and a place, five times */
    assert_good(draw_crowd(renderer, model, &crowd, &settings, &image, err));
    renderer->palette.limits.rows[PALETTE_UBO]--;
    assert_false(draw_crowd(renderer, model, &crowd, &settings, &(struct image){0}, &why));
    renderer->palette.limits = real;
    assert_int_equal(why.exit_code, EXIT_CODE_USAGE);
    assert_string_equal(why.text, "--crowd: 5 instances need 455 vec4 as mat3x4; with --palette ubo a uniform block holds 454 "
                                  "here; use --palette tbo");
}

GROUP(open_renderer, close_renderer)
