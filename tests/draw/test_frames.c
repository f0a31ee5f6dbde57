/*
 * A sequence drawn many frames in a call has the pixels of its frames drawn one at a time: with each view, on each path
 * of the palette, with morph targets, and where the order of blended surfaces changes on the way.
 */
#include "draw/renderer.h"

#include "busy_scene.h"
#include "rendering.h"

enum { FRAMES = 37 }; /* two batches and a rest */

struct sequence {
    struct renderer *renderer;
    struct hand hand;
    struct gpu_model *model;
    struct frame_request frames[FRAMES];
    struct palette palettes[FRAMES];
    struct pose poses[FRAMES];
};

/* The tube's upper half blows up, the ball's left one too. */
static void add_targets(struct hand *hand, struct mesh *mesh, uint32_t count)
{
    mesh->target_count = count;
    mesh->targets = ARENA_NEW(hand->scene->arena, struct morph_target, count);
    for (uint32_t t = 0; t < count; t++) {
        struct morph_target *target = &mesh->targets[t];
        target->name = "swell";
        target->position_deltas = ARENA_NEW(hand->scene->arena, vec3, mesh->vertex_count);
        target->normal_deltas = ARENA_NEW(hand->scene->arena, vec3, mesh->vertex_count);
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            for (int c = 0; c < 3; c++) {
                target->position_deltas[v][c] = 0.3f * mesh->positions[v][(c + (int)t) % 3];
                target->normal_deltas[v][c] = 0.1f * mesh->normals[v][(c + (int)t) % 3];
            }
    }
}

/* The bones bend on and on, and the mesh swells. */
static void pose_frame(struct sequence *s, size_t i)
{
    struct hand *hand = &s->hand;
    float turn = (float)i / FRAMES, bend = 0.3f * sinf(6.2831853f * turn);
    for (int n = 1; n <= 3; n++) {
        struct transform t = {{0.05f, 0, 0}, {0, 0, sinf(bend), cosf(bend)}, {1, 1, 1}};
        affine_from_transform(&t, hand->pose.local_to_parent[n]);
    }
    hand_pose(hand);
    for (uint32_t w = 0; w < hand->palette.weight_count; w++)
        hand->palette.morph_weights[w] = i % 5 == w ? 0.0f : turn - 0.4f * (float)w;
    s->palettes[i] = palette_copy(&hand->palette, hand->scene, hand->scene->arena);
    s->poses[i] = pose_copy(&hand->pose, hand->scene, hand->scene->arena);
}

/* The camera goes around once, so that what is blended changes its order. */
static void plan_frame(struct sequence *s, size_t i, uint32_t width, uint32_t height)
{
    float angle = 6.2831853f * (float)i / FRAMES;
    struct shot shot = busy_shot(width, height);
    memcpy(shot.camera.eye, (vec3){4.5f * sinf(angle), 1.2f, 4.5f * cosf(angle)}, sizeof(vec3));
    shot.framed = (struct bounds){{-2, -1, -1}, {2, 1, 1}};
    shot.shown_node = 2;
    shot.overlays = 0;
    snprintf(shot.label, sizeof shot.label, "bend\n%zu", i);
    s->frames[i] = (struct frame_request){&s->palettes[i], &s->poses[i], shot};
}

static struct sequence *sequence_begin(struct renderer *renderer, bool morphs)
{
    struct sequence *s = calloc(1, sizeof *s);
    s->renderer = renderer;
    s->hand = busy_scene();
    if (morphs) {
        add_targets(&s->hand, &s->hand.scene->meshes[0], 2);
        add_targets(&s->hand, &s->hand.scene->meshes[3], 3);
        hand_end(&s->hand);
    }
    for (size_t i = 0; i < FRAMES; i++) {
        pose_frame(s, i);
        plan_frame(s, i, 60, 44);
    }
    assert_good(s->model = gpu_model_create(renderer, s->hand.scene, err));
    return s;
}

static void sequence_end(struct sequence *s)
{
    gpu_model_destroy(s->model);
    hand_free(&s->hand);
    free(s);
}

/* ---- drawing both ways ------------------------------------------------------------------------------------------- */

struct kept {
    struct image images[FRAMES];
    size_t count;
};

static bool keep(void *to, size_t index, struct image *image, struct error *err)
{
    struct kept *kept = to;
    (void)err;
    assert_int_equal(index, kept->count++);
    kept->images[index] = *image;
    return true;
}

/* All frames together first, and then each alone: who draws in between would not be noticed otherwise. */
static void assert_equal_frames(struct sequence *s, const char *what)
{
    struct kept kept = {0};
    assert_good(draw_frames(s->renderer, s->model, s->frames, FRAMES, keep, &kept, err));
    assert_int_equal(kept.count, FRAMES);
    for (size_t i = 0; i < FRAMES; i++) {
        struct frame_request *frame = &s->frames[i];
        char hash[17], alone_hash[17];
        struct image alone;
        assert_good(draw_frame(s->renderer, s->model, frame->palette, frame->pose, &frame->shot, &alone, err));
        image_hash(&alone, alone_hash);
        image_hash(&kept.images[i], hash);
        image_release(&alone);
        image_release(&kept.images[i]);
        if (strcmp(hash, alone_hash) != 0)
            fail_msg("%s: frame %zu has other pixels than when it is drawn alone", what, i);
    }
}

/* ---- how often GL is called -------------------------------------------------------------------------------------- */

static struct gl real; /* what the counting functions stand before */
static size_t draws, frames_drawn, uploads;

static void count_draw(GLenum mode, GLsizei count, GLenum type, const void *indices, GLsizei instances)
{
    draws++;
    frames_drawn += (size_t)instances;
    real.DrawElementsInstanced(mode, count, type, indices, instances);
}

static void count_upload(GLenum target, GLsizeiptr size, const void *data, GLenum usage)
{
    uploads += target == GL_TEXTURE_BUFFER;
    real.BufferData(target, size, data, usage);
}

static void begin_counting(struct renderer *renderer)
{
    real = renderer->context.gl;
    draws = frames_drawn = uploads = 0;
    renderer->context.gl.DrawElementsInstanced = count_draw;
    renderer->context.gl.BufferData = count_upload;
}

static void end_counting(struct renderer *renderer)
{
    renderer->context.gl = real;
}

static bool drop(void *to, size_t index, struct image *image, struct error *err)
{
    (void)to, (void)index, (void)err;
    image_release(image);
    return true;
}

static void draw_and_count(struct sequence *s)
{
    begin_counting(s->renderer);
    assert_good(draw_frames(s->renderer, s->model, s->frames, FRAMES, drop, NULL, err));
    end_counting(s->renderer);
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void each_view_is_equal(void **state)
{
    struct sequence *s = sequence_begin(*state, false);
    for (int view = 0; view < VIEW_COUNT; view++) {
        for (size_t i = 0; i < FRAMES; i++)
            s->frames[i].shot.view = (enum view)view;
        assert_equal_frames(s, view_names[view]);
    }
    sequence_end(s);
}

static void each_path_is_equal(void **state)
{
    struct sequence *s = sequence_begin(*state, false);
    for (int path = 0; path < PALETTE_PATH_COUNT; path++) {
        struct feed feed = {.path = (enum palette_path)path};
        feed.format = path == PALETTE_UNIFORM ? PALETTE_MAT4 : PALETTE_MAT3X4;
        feed.skinning = path == PALETTE_UBO ? SKINNING_DUAL_QUATERNION : SKINNING_LINEAR;
        if (path != PALETTE_SSBO || s->renderer->palette.limits.rows[PALETTE_SSBO] > 0) {
            assert_good(gpu_model_feed(s->model, &feed, NULL, err));
            assert_equal_frames(s, palette_path_names[path]);
        }
    }
    sequence_end(s);
}

static void morphed_frames_are_equal(void **state)
{
    struct sequence *s = sequence_begin(*state, true);
    assert_equal_frames(s, "morph targets");
    sequence_end(s);
}

static void overlays_are_equal(void **state)
{
    struct sequence *s = sequence_begin(*state, true);
    for (int bit = 0; bit < OVERLAY_COUNT; bit++) {
        for (size_t i = 0; i < FRAMES; i++)
            s->frames[i].shot.overlays = 1u << bit;
        assert_equal_frames(s, overlay_names[bit]);
    }
    sequence_end(s);
}

/* A part is what is uploaded together; a batch what one call draws. */
static void small_limits_are_equal(void **state)
{
    struct renderer *renderer = *state;
    const struct palette_limits limits = renderer->palette.limits;
    const int most_texels = renderer->info.max_texture_buffer;
    struct sequence *s = sequence_begin(renderer, true);
    uint32_t rows = s->hand.scene->binding_count * palette_format_rows(PALETTE_MAT3X4);
    renderer->palette.limits.rows[PALETTE_TBO] = 5 * rows + 1;
    assert_equal_frames(s, "five frames in the palette");
    renderer->palette.limits.rows[PALETTE_TBO] = rows;
    assert_equal_frames(s, "one frame in the palette");
    renderer->palette.limits = limits;
    renderer->info.max_texture_buffer = 3 * (int)(s->hand.scene->instance_count + s->hand.scene->weight_count);
    assert_equal_frames(s, "three frames in the morph weights");
    renderer->info.max_texture_buffer = most_texels;
    assert_good(gpu_model_feed(s->model, &(struct feed){.path = PALETTE_UBO}, NULL, err));
    renderer->palette.limits.rows[PALETTE_UBO] = 4 * 3 * palette_format_rows(PALETTE_MAT3X4);
    assert_equal_frames(s, "four frames in the block");
    renderer->palette.limits = limits;
    sequence_end(s);
}

/* What is not drawn on layers is drawn all the same. */
static void fallbacks_are_equal(void **state)
{
    struct renderer *renderer = *state;
    struct sequence *s = sequence_begin(renderer, false);
    for (size_t i = 0; i < FRAMES; i++)
        s->frames[i].shot.profile = PROFILE_NATIVE;
    assert_equal_frames(s, "native");
    for (size_t i = 0; i < FRAMES; i++)
        s->frames[i].shot.profile = PROFILE_PORTABLE;
    renderer_set_tile(renderer, 40);
    assert_equal_frames(s, "tiles");
    renderer_set_tile(renderer, RENDERER_TILE);
    bool had = renderer->has_layers;
    renderer->has_layers = false;
    draw_and_count(s);
    assert_int_equal(frames_drawn / draws, 1);
    renderer->has_layers = had;
    sequence_end(s);
}

/*
 * 37 frames are batches of 13, 13 and 11. Three surfaces are opaque or masked: a call each and batch. Two are blended, of
 * which a frame has two ranks with two sides each; the calls grow with every change of order, but not with the frames.
 */
static void a_call_draws_many_frames(void **state)
{
    struct renderer *renderer = *state;
    struct sequence *s = sequence_begin(renderer, false);
    if (!renderer->has_layers) {
        sequence_end(s);
        skip();
    }
    draw_and_count(s);
    assert_int_equal(uploads, 1); /* of all palettes */
    assert_int_equal(frames_drawn, FRAMES * (3 + 2 * 2));
    assert_true(draws >= 3 * (3 + 2 * 2));
    assert_true(draws <= 3 * 3 + 2 * 2 * (3 + 4)); /* the order changes four times at most, in 37 steps around */
    sequence_end(s);
}

static bool take_eighteen(void *to, size_t index, struct image *image, struct error *err)
{
    size_t *taken = to;
    image_release(image);
    ++*taken;
    return index != 17 || error_set(err, "enough");
}

static void the_taker_ends_it(void **state)
{
    struct sequence *s = sequence_begin(*state, false);
    struct error err = {0};
    size_t taken = 0;
    assert_false(draw_frames(s->renderer, s->model, s->frames, FRAMES, take_eighteen, &taken, &err));
    assert_string_equal(err.text, "enough");
    assert_int_equal(taken, 18);
    sequence_end(s);
}

static void nothing_and_one_are_sequences(void **state)
{
    struct sequence *s = sequence_begin(*state, false);
    struct kept kept = {0};
    assert_good(draw_frames(s->renderer, s->model, s->frames, 0, keep, &kept, err));
    assert_int_equal(kept.count, 0);
    assert_good(draw_frames(s->renderer, s->model, s->frames, 1, keep, &kept, err));
    assert_int_equal(kept.count, 1);
    image_release(&kept.images[0]);
    sequence_end(s);
}

static void a_bad_size_is_told(void **state)
{
    struct sequence *s = sequence_begin(*state, false);
    struct error err = {0};
    struct kept kept = {0};
    for (size_t i = 0; i < FRAMES; i++)
        s->frames[i].shot.width = 0;
    assert_false(draw_frames(s->renderer, s->model, s->frames, FRAMES, keep, &kept, &err));
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
    assert_int_equal(kept.count, 0);
    sequence_end(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_view_is_equal),
        cmocka_unit_test(each_path_is_equal),
        cmocka_unit_test(morphed_frames_are_equal),
        cmocka_unit_test(overlays_are_equal),
        cmocka_unit_test(small_limits_are_equal),
        cmocka_unit_test(fallbacks_are_equal),
        cmocka_unit_test(a_call_draws_many_frames),
        cmocka_unit_test(the_taker_ends_it),
        cmocka_unit_test(nothing_and_one_are_sequences),
        cmocka_unit_test(a_bad_size_is_told),
    };
    return cmocka_run_group_tests(tests, open_renderer, close_renderer);
}
