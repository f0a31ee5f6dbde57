/*
 * Same scene, same bytes: on a second draw, on the other backend, with any number of rasteriser threads, with vectors
 * of half the width. Mesa reads its environment once, so every variant is drawn in a process of its own; this one never
 * opens GL.
 */

#include "base/process/process.h"
#include "busy_scene.h"
#include "draw/gl/environment.h"
#include "rendering.h"

enum { FRAMES = 4 };

struct variant {
    enum backend backend;
    const char *name;   /* an environment variable, and its value; NULL: as it is */
    const char *value;
    char (*hashes)[17]; /* [FRAMES], in shared memory */
};

static bool draw_all(struct renderer *renderer, struct gpu_model *model, const struct hand *hand, char (*hashes)[17])
{
    static const uint32_t sizes[FRAMES][2] = {{320, 240}, {320, 240}, {257, 131}, {64, 500}};
    for (int i = 0; i < FRAMES; i++) {
        struct frame_settings frame_settings = busy_settings(sizes[i][0], sizes[i][1]);
        SCOPED(image) image;
        frame_settings.view = i == 3 ? VIEW_NORMALS : VIEW_LIT;
        if (!draw_frame(renderer, model, &hand->palette, &hand->pose, &frame_settings, &image, ANY_ERROR))
            return false;
        image_hash(&image, hashes[i]);
    }
    return true;
}

static int draw_variant(void *context)
{
    const struct variant *variant = context;
    struct error err = {0};
    setenv(ENVIRONMENT_KEEP, "LP_NATIVE_VECTOR_WIDTH", 1);
    if (variant->value)
        setenv(variant->name, variant->value, 1);
    HAND_SCENE hand = busy_scene();
    struct renderer *renderer = renderer_create(variant->backend, &err);
    struct gpu_model *model = renderer ? gpu_model_create(renderer, hand.scene, &err) : NULL;
    bool good = model && draw_all(renderer, model, &hand, variant->hashes);
    gpu_model_destroy(model);
    renderer_destroy(renderer);
    return good ? 0 : 1;
}

static void hashes_of(struct arena *arena, enum backend backend, const char *name, const char *value,
                      char (**hashes)[17])
{
    struct variant variant = {backend, name, value, arena_alloc(arena, FRAMES, sizeof(char[17]))};
    struct child_limits limits = {.seconds = 120};
    struct child_result result = child_run(draw_variant, &variant, &limits);
    assert_int_equal(result.end, CHILD_EXITED);
    assert_int_equal(result.status, 0);
    *hashes = variant.hashes;
}

TEST(every_variant_draws_the_same_bytes)
{
    static const struct {
        const char *name, *value;
    } settings[] = {{"LP_NUM_THREADS", NULL}, {"LP_NUM_THREADS", "0"}, {"LP_NUM_THREADS", "1"},
                    {"LP_NUM_THREADS", "2"},  {"LP_NUM_THREADS", "7"}, {"LP_NATIVE_VECTOR_WIDTH", "128"}};
    static const char *const names[] = {"auto", "osmesa", "egl"};
    SCOPED_ARENA arena = arena_create(1 << 20, ANY_ERROR);
    char(*reference)[17] = NULL;
    int drawn = 0;
    assert_non_null(arena);
    for (enum backend backend = BACKEND_OSMESA; backend <= BACKEND_EGL; backend++) {
        if (!backend_is_present(backend)) {
            print_message("[  SKIPPED ] backend %s is not installed here\n", names[backend]);
            continue;
        }
        for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++) {
            char(*hashes)[17];
            hashes_of(arena, backend, settings[s].name, settings[s].value, &hashes);
            assert_string_equal(hashes[0], hashes[1]);
            assert_string_not_equal(hashes[0], hashes[2]);
            for (int i = 0; reference && i < FRAMES; i++)
                if (strcmp(reference[i], hashes[i]) != 0)
                    fail_msg("%s, %s=%s, frame %d: %s instead of %s", names[backend], settings[s].name,
                             settings[s].value ? settings[s].value : "(unset)", i, hashes[i], reference[i]);
            reference = reference ? reference : hashes;
            drawn++;
        }
    }
    assert_true(drawn > 0);
}
