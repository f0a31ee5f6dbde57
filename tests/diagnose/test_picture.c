/* Pictures that are wrong in one way each, made here. */

#include "cmocka_setup.h"
#include "diagnose/diagnose.h"

enum { SIZE = 48 };

/* A shaded disk, off the centre and half transparent at its edge, on grey. */
static void draw_disk(struct image *image, double dx, double dy)
{
    assert_true(image_create(image, SIZE, SIZE, ANY_ERROR));
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            double across = x - 20.3 - dx, down = y - 17.6 - dy, cover = 12 - sqrt(across * across + down * down);
            cover = fmin(fmax(cover / 4, 0), 1);
            uint8_t *pixel = image->rgba + 4 * (y * SIZE + x);
            const double colors[3] = {0.9 - 0.02 * across, 0.4 + 0.02 * down, 0.3};
            for (int c = 0; c < 3; c++)
                pixel[c] = (uint8_t)lround(255 * (cover * colors[c] + (1 - cover) * 0.5));
            pixel[3] = (uint8_t)(255 - lround(100 * cover));
        }
}

static void is_named_at(struct image *ours, struct image *theirs, const char *id)
{
    SCOPED_ARENA arena = arena_require((size_t)1 << 26);
    struct diagnosis *diagnosis = diagnose_picture(ours, theirs, arena);
    assert_true(diagnosis->differ > 0);
    if (diagnosis->full_count != (id ? 1u : 0u))
        fail_msg("%s: %u, first %s %g", id ? id : "none", diagnosis->full_count,
                 diagnosis->explanation_count ? diagnosis->explanations[0].causes[0].id : "",
                 diagnosis->explanation_count ? diagnosis->explanations[0].explains : 0);
    if (id)
        assert_string_equal(diagnosis->explanations[0].causes[0].id, id);
}

/* So many times beside and below itself that it is one of those that are tried on a sample first. */
static struct image tiled(const struct image *image)
{
    enum { TIMES = 20 };
    const uint32_t edge = TIMES * SIZE;
    struct image out = {edge, edge, calloc((size_t)edge * edge, 4)};
    assert_non_null(out.rgba);
    for (uint32_t y = 0; y < edge; y++)
        for (uint32_t x = 0; x < edge; x += SIZE)
            memcpy(out.rgba + 4 * (y * edge + x), image->rgba + 4 * (y % SIZE * SIZE), 4 * SIZE);
    return out;
}

static void is_named(struct image *ours, struct image *theirs, const char *id)
{
    struct image large[2] = {tiled(ours), tiled(theirs)};
    assert_true((size_t)large[0].width * large[0].height > 1 << 19);
    is_named_at(ours, theirs, id);
    is_named_at(&large[0], &large[1], id);
    image_release(&large[0]);
    image_release(&large[1]);
}

TEST(each_mistake_of_drawing)
{
    struct image ours = {0}, theirs = {0};
    draw_disk(&ours, 0, 0);
    draw_disk(&theirs, 0, 0);
    SCOPED_ARENA arena = arena_require((size_t)1 << 26);
    assert_int_equal(diagnose_picture(&ours, &theirs, arena)->differ, 0);
    for (int y = 0; y < SIZE; y++)
        memcpy(theirs.rgba + 4 * SIZE * y, ours.rgba + 4 * SIZE * (SIZE - 1 - y), 4 * SIZE);
    is_named(&ours, &theirs, "flipped");
    for (int i = 0; i < SIZE * SIZE; i++)
        memcpy(theirs.rgba + 4 * i, ours.rgba + 4 * (i / SIZE * SIZE + SIZE - 1 - i % SIZE), 4);
    is_named(&ours, &theirs, "yaw-mirrored");
    for (int i = 0; i < 4 * SIZE * SIZE; i++)
        theirs.rgba[i] = i % 4 == 3 ? ours.rgba[i] : (uint8_t)(ours.rgba[i] * ours.rgba[i / 4 * 4 + 3] / 255);
    is_named(&ours, &theirs, "premultiplied-twice");
    for (int i = 0; i < 4 * SIZE * SIZE; i++) /* all are above the curve's straight part */
        theirs.rgba[i] =
            i % 4 == 3 ? ours.rgba[i] : (uint8_t)lround(255 * (1.055 * pow(ours.rgba[i] / 255.0, 1 / 2.4) - 0.055));
    is_named(&ours, &theirs, "srgb-twice");
    is_named(&theirs, &ours, "srgb-missing");
    image_release(&theirs);
    draw_disk(&theirs, -0.5, -0.5);
    is_named(&ours, &theirs, "half-pixel");
    image_release(&theirs);
    draw_disk(&theirs, 5, -3);
    is_named(&ours, &theirs, NULL);
    image_release(&theirs);
    image_release(&ours);
}
