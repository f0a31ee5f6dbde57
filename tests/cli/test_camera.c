/* Cameras: where things come to lie in the picture, and that a saved one draws the picture again. */
#include "cli/pictures.h"

/* A flat strip that covers x from 0.5 to 1.5 and y from 0 to 4 at z = 0. */
#define STRIP FIXTURES "/strip/strip.gltf"

struct box {
    uint32_t left, top, right, bottom; /* the last ones that are covered */
};

static struct box covered(const char *path)
{
    SCOPED(image) image = read_picture(path);
    struct box box = {image.width, image.height, 0, 0};
    for (uint32_t y = 0; y < image.height; y++)
        for (uint32_t x = 0; x < image.width; x++)
            if (memcmp(image.rgba + 4 * ((size_t)y * image.width + x), image.rgba, 4) != 0) {
                box.left = x < box.left ? x : box.left;
                box.right = x > box.right ? x : box.right;
                box.top = y < box.top ? y : box.top;
                box.bottom = y;
            }
    return box;
}

/* At 10 pixels a unit, by hand: half the height is 4 units and 40 pixels. In perspective, 4 units away at 90 degrees too. */
SCRATCH_TEST(things_are_where_they_belong)
{
    static const struct {
        const char *camera, *size;
        struct box box;
    } cases[] = {
        {"eye=1:2:10,target=1:2:0,ortho=4", "80x80", {35, 20, 44, 59}},
        {"eye=1:2:4,target=1:2:0,fov=90", "80x80", {35, 20, 44, 59}},
        {"eye=1:2:10,target=1:2:0,ortho=4", "160x80", {75, 20, 84, 59}},
        {"eye=1:2:4,target=1:2:0,fov=90", "160x80", {75, 20, 84, 59}},
        {"eye=2:3:10,target=2:3:0,ortho=4", "80x80", {25, 30, 34, 69}},
        {"eye=1:2:-10,target=1:2:0,ortho=8", "80x80", {37, 30, 42, 49}}, /* 2.5 pixels to each side */
        {"eye=1:2:10,target=1:2:0,up=1:0:0,ortho=4", "80x80", {20, 35, 59, 44}},
        {"eye=0:2:10,target=0:2:0,up=1:0:0,ortho=4", "80x80", {20, 25, 59, 34}}, /* x is up: to the right of 0 is above */
        {"eye=1:1:10,target=1:1:0,up=0:-1:0,ortho=4", "80x80", {35, 30, 44, 69}},
        {"yaw=0,pitch=0,ortho=4", "80x80", {35, 20, 44, 59}}, /* the middle of the bounds is 1, 2, 0 */
        {"yaw=180,pitch=0,ortho=4", "80x80", {35, 20, 44, 59}},
        {"yaw=0,pitch=0,ortho=4,zoom=2", "80x80", {30, 0, 49, 79}},
        {"yaw=0,pitch=0,ortho=2", "80x40", {35, 0, 44, 39}},
        /* Around the bones, which rest at 1 0 0 and 1 2 0, and a point. */
        {"yaw=0,pitch=0,ortho=4,target=base", "80x80", {35, 0, 44, 39}},
        {"yaw=180,pitch=0,ortho=4,target=tip", "80x80", {35, 20, 44, 59}},
        {"yaw=0,pitch=0,ortho=4,target=2:3:0", "80x80", {25, 30, 34, 69}},
        {"yaw=180,pitch=0,ortho=4,target=2:3:0", "80x80", {45, 30, 54, 69}},
        {"eye=1:0:4,target=tip,up=0:1:0,ortho=4", "80x80", {35, 22, 44, 57}}, /* 4 high, seen from 27 degrees below: 3.58 */
        /* A quarter of the picture to the right and an eighth up: the strip goes 20 to the left and 10 down. */
        {"yaw=0,pitch=0,ortho=4,pan=0.25:0.125", "80x80", {15, 30, 24, 69}},
        {"yaw=0,pitch=0,ortho=4,pan=0.5:0", "80x80", {0, 20, 4, 59}}, /* the middle is on the border */
        {"eye=1:2:10,target=1:2:0,ortho=4,pan=-0.25:0", "160x80", {115, 20, 124, 59}},
        /* A perspective orbit around the base: the sphere's radius is sqrt(17) / 2, at 90 degrees sqrt(2) times as far away. */
        {"yaw=0,pitch=0,fov=90,target=base,zoom=1", "80x80", {33, 0, 46, 39}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rigproof_good("render", STRIP, "--clip", "none", "--size", cases[i].size, "--camera",
                      cases[i].camera, "-o", "strip.png");
        struct box box = covered("strip.png"), want = cases[i].box;
        if (memcmp(&box, &want, sizeof box) != 0)
            fail_msg("%s at %s covers %u,%u to %u,%u, not %u,%u to %u,%u", cases[i].camera, cases[i].size, box.left,
                     box.top, box.right, box.bottom, want.left, want.top, want.right, want.bottom);
    }
}

/* Of an orbit: around 1 2 0 in a distance of sqrt(17) / 2 / sin 15 degrees = 7.965. */
SCRATCH_TEST(planes_cut)
{
    const char *cameras[] = {"eye=1:2:10,target=1:2:0,ortho=4,near=11", "eye=1:2:10,target=1:2:0,far=9",
                             "yaw=0,pitch=0,near=7.97", "yaw=0,pitch=0,far=7.96", "eye=1:2:10,target=1:2:0,near=9,far=11",
                             "yaw=0,pitch=0,near=7.96,far=7.97"};
    for (int i = 0; i < 6; i++) {
        rigproof_good("render", STRIP, "--clip", "none", "--size", "40x40", "--camera", cameras[i], "-o", "strip.png");
        struct box box = covered("strip.png");
        assert_int_equal(box.left == 40, i < 4); /* nothing is left of it */
    }
    /* From above at 45 degrees the half of the strip behind the middle is cut. */
    rigproof_good("render", STRIP, "--clip", "none", "--size", "80x80", "--camera", "yaw=0,pitch=45,ortho=4,far=4.123106", "-o", "strip.png");
    struct box box = covered("strip.png");
    assert_int_equal(box.top, 26);
    assert_in_range(box.bottom, 39, 40);
}

/* In the picture alone, and in front of a camera that stands still: the strip covers x from 0.5 to 1.5 and y from 0 to 4. */
SCRATCH_TEST(a_model_is_placed)
{
    static const struct {
        const char *place;
        struct box box;
    } cases[] = {
        {"scale=1", {45, 0, 54, 39}},
        {"turn=180", {25, 0, 34, 39}},
        {"turn=0:0:90", {0, 25, 39, 34}},       /* x becomes y, y becomes -x */
        {"turn=0:0:-90", {40, 45, 79, 54}},
        {"turn=180:0:90", {40, 25, 79, 34}},    /* first y becomes -y */
        {"scale=0.5", {42, 20, 47, 39}},
        {"move=-1:-2:7", {35, 20, 44, 59}},
        {"turn=0:0:90,scale=0.5,move=2:-1:0", {40, 42, 59, 47}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rigproof_good("render", STRIP, "--clip", "none", "--size", "80x80", "--camera", "eye=0:0:10,target=0:0:0,ortho=4", "--place",
                      cases[i].place, "-o", "strip.png");
        struct box box = covered("strip.png"), want = cases[i].box;
        if (memcmp(&box, &want, sizeof box) != 0)
            fail_msg("%s covers %u,%u to %u,%u, not %u,%u to %u,%u", cases[i].place, box.left, box.top, box.right, box.bottom,
                     want.left, want.top, want.right, want.bottom);
    }
    /* An orbit frames it there, and goes around its bones there. */
    rigproof_good("render", STRIP, "--clip", "none", "--size", "80x80", "--camera", "yaw=0,pitch=0,ortho=4", "--place",
                  "turn=0:0:90,move=5:6:7", "-o", "strip.png");
    struct box box = covered("strip.png"), want = {20, 35, 59, 44};
    assert_memory_equal(&box, &want, sizeof box);
    rigproof_good("render", STRIP, "--clip", "none", "--size", "80x80", "--camera", "yaw=0,pitch=0,ortho=4,target=base", "--place",
                  "turn=0:0:90,move=5:6:7", "-o", "strip.png");
    box = covered("strip.png");
    want = (struct box){0, 35, 39, 44};
    assert_memory_equal(&box, &want, sizeof box);
}

/* How many pixels around a place are of the colour that the overlay gives the selected joint alone, red and not orange. */
static void assert_marked(const char *path, double x, double y)
{
    SCOPED(image) image = read_picture(path);
    const uint8_t *pixel = image.rgba + 4 * ((size_t)y * image.width + (size_t)x);
    if (!(pixel[0] > 200 && pixel[1] < 90))
        fail_msg("%s: at %g %g is %u %u %u, not the selected joint", path, x, y, pixel[0], pixel[1], pixel[2]);
}

/* Which moves: at each time, at the first alone, and never. */
SCRATCH_TEST(a_camera_follows_a_bone)
{
    static const struct {
        const char *camera;
        bool first, second;
    } cases[] = {{"target=foot_L,zoom=2,follow=1", true, true}, {"target=foot_L,zoom=2", true, false},
                 {"target=foot_L,zoom=2,follow=rest", false, false}, {"eye=3:2:3,target=foot_L,follow=1", true, true},
                 {"target=foot_L,pan=0.25:0,follow=1", false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rigproof_good("render", WALKER, "--clip", "walk", "--time", "0.3,0.8", "--size", "200x200", "--overlay", "skeleton",
                      "--select", "foot_L", "--camera", cases[i].camera, "--place", "turn=20", "-o", "{time}.png");
        for (int t = 0; t < 2; t++) {
            const char *path = t ? "0.800.png" : "0.300.png";
            SCOPED(image) image = read_picture(path);
            const uint8_t *middle = image.rgba + 4 * (100 * 200 + 100);
            const bool is_marked = middle[0] > 200 && middle[1] < 90;
            if (is_marked != (t ? cases[i].second : cases[i].first))
                fail_msg("%s: %s %s the joint in the middle", cases[i].camera, path, is_marked ? "has" : "has not");
            if (i == 4)
                assert_marked(path, 50, 100);
        }
    }
    rigproof_refuses("--camera target=: ", "render", WALKER, "--camera", "target=foot", "-o", "a.png");
}

SCRATCH_TEST(a_saved_camera_draws_the_same_bytes)
{
    static const char *const cameras[] = {"yaw=-50,pitch=20,zoom=1.3", "fov=0", "ortho=0.7,yaw=12",
                                          "eye=1:1.4:2.1,target=0:0.7:0.1", "eye=0.3:4:0.2,target=0:0.7:0.1,up=0.1:0.2:1",
                                          "eye=-2:1:2,target=0:0.7:0,ortho=0.9", "eye=0:5:0,target=0:0:0"};
    for (size_t i = 0; i < sizeof cameras / sizeof cameras[0]; i++) {
        rigproof_good("render", WALKER, "--size", "48x64", "--time", "0.4,0.1", "--camera", cameras[i], "--save-camera",
                      "new/camera.json", "-o", "a{time}.png");
        rigproof_good("render", WALKER, "--size", "48x64", "--time", "0.4,0.1", "--camera", "@new/camera.json",
                      "--save-camera", "again.json", "-o", "b{time}.png");
        assert_same_files("a0.400.png", "b0.400.png");
        assert_same_files("a0.100.png", "b0.100.png");
        assert_same_files("new/camera.json", "again.json");
        assert_true(count_differences("a0.400.png", "a0.100.png") > 0);
    }
    const char *surfaces = FIXTURES "/surfaces/surfaces.gltf"; /* has a camera of its own */
    rigproof_good("render", surfaces, "--camera", "file:eye", "--size", "40x40", "--save-camera", "c.json", "-o", "a.png");
    rigproof_good("render", surfaces, "--camera", "@c.json", "--size", "40x40", "-o", "b.png");
    assert_same_files("a.png", "b.png");
}

SCRATCH_TEST(a_turntable_saves_where_it_begins)
{
    rigproof_good("turntable", WALKER, "--size", "24x24", "--frames", "3", "--save-camera", "c.json", "-o", "t{frame}.png");
    rigproof_good("render", WALKER, "--size", "24x24", "--view", "studio", "--clip", "none", "--camera", "@c.json", "-o", "r.png");
    assert_same_files("t0.png", "r.png");
    const char *json = rigproof_good("render", WALKER, "--size", "8x8", "--film", "f.apng", "--save-camera", "-")->out;
    assert_contains(json, "\"format\": \"rigproof.camera/1\"");
    require_json(json, strlen(json));
}

/* recorded.json of the project's own goldens, whose camera framed the bounds of all their times. */
SCRATCH_TEST(a_recording_is_a_saved_camera)
{
    const char *golden = FIXTURES "/../golden/walker-walk";
    const char *camera = at("@%s/recorded.json", golden);
    rigproof_good("render", WALKER, "--clip", "walk", "--time", "0,0.23,0.6,1", "--size", "160x160", "-o", "a{time}.png");
    rigproof_good("render", WALKER, "--clip", "walk", "--time", "0.6", "--size", "160x160", "--camera", camera, "-o", "b.png");
    assert_same_files("a0.600.png", "b.png");
    rigproof_good("render", WALKER, "--clip", "walk", "--time", "0.6", "--size", "160x160", "-o", "c.png");
    assert_false(files_equal("b.png", "c.png")); /* framed on one time it is another camera */
}

SCRATCH_TEST(what_does_not_work_is_said)
{
    spill("bad.json", "{\"eye\": [0, 0, 1]}");
    rigproof_refuses("--camera: bad.json: target: ", "render", WALKER, "--camera", "@bad.json", "-o", "a.png");
    rigproof_refuses("--save-camera: ", "render", WALKER, "--size", "8x8", "--save-camera", "bad.json/c.json", "-o",
                     "a.png");
}

/* The axes of a model far from the origin, and crowds of any form, in pictures of any form: nothing is at the border. */
SCRATCH_TEST(axes_and_crowds_are_inside)
{
    static const char *const cases[][2] = {{"--place", "move=3:0:0"}, {"--place", "move=0:-5:2"}, {"--place", "move=0:0:0"},
                                           {"--crowd", "6x1"},        {"--crowd", "1x6"},         {"--crowd", "3x4"}};
    static const char *const sizes[] = {"120x120", "200x90", "90x200"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t s = 0; s < 3; s++) {
            bool colors[3] = {false};
            rigproof_good("render", FIXTURES "/walker/walker.glb", "--clip", "walk", "--time", "0.4", cases[i][0],
                          cases[i][1], "--overlay", "axes", "--size", sizes[s], "-o", "axes.png");
            SCOPED(image) image = read_picture("axes.png");
            const struct box box = covered("axes.png");
            for (size_t p = 0; p < (size_t)image.width * image.height; p++) {
                const uint8_t *c = image.rgba + 4 * p;
                colors[0] = colors[0] || (c[0] > 200 && c[1] < 90 && c[2] < 90);
                colors[1] = colors[1] || (c[0] < 110 && c[1] > 180 && c[2] < 90);
                colors[2] = colors[2] || (c[0] < 100 && c[1] < 150 && c[2] > 220);
            }
            assert_true(box.left > 0 && box.top > 0 && box.right + 1 < image.width && box.bottom + 1 < image.height);
            if (!colors[0] || !colors[1] || !colors[2])
                fail_msg("%s in %s: not all axes are seen", cases[i][1], sizes[s]);
        }
}
