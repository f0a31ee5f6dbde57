/* Cameras in files. */
#include "cmocka_setup.h"

#include <stdio.h>
#include <string.h>

#include "data/image/camera_file.h"
#include "data/result/recorded.h"

static const struct camera odd = {.eye = {0.1f, -1e-7f, 3e8f}, .target = {1.0f / 3, 2, 3}, .up = {0, 0.6f, 0.8f},
                                  .fov_y = 0.7853982f, .near_plane = 1e-5f, .far_plane = 16777217};

static void reads_back_bit_by_bit(void **state)
{
    (void)state;
    struct text text = {0};
    struct error err = {0};
    struct camera back;
    camera_file_write(&odd, &text);
    assert_true(strncmp(text_string(&text), "{\n \"format\": \"rigproof.camera/1\",\n \"eye\": [0.1, -1e-07, 3e+08],\n", 60) == 0);
    assert_true(camera_file_read(text.data, text.size, "c.json", &back, &err));
    assert_memory_equal(&back, &odd, sizeof odd);
    text_release(&text);
}

static void the_first_frame_of_a_recording(void **state)
{
    (void)state;
    struct camera other = odd, back;
    struct text text = {0};
    struct error err = {0};
    other.fov_y = 1;
    struct recorded_frame frames[] = {{.label = "0.000", .pixels = "1", .png = "2", .camera = odd},
                                      {.label = "1.000", .pixels = "1", .png = "2", .camera = other}};
    struct recorded recorded = {.frame_count = 2, .frames = frames};
    recorded_write(&recorded, &text);
    assert_true(camera_file_read(text.data, text.size, "recorded.json", &back, &err));
    assert_memory_equal(&back, &odd, sizeof odd);
    text.size = 0;
    recorded.frame_count = 0;
    recorded_write(&recorded, &text);
    assert_false(camera_file_read(text.data, text.size, "recorded.json", &back, &err));
    assert_string_equal(err.text, "recorded.json: frames: no frame, so no camera");
    text_release(&text);
}

#define POSITION "\"eye\": [1, 2, 3], \"target\": [0, 0, 0], \"up\": [0, 1, 0]"
#define REST "\"ortho_height\": 0, \"near\": 1, \"far\": 9"

static const struct {
    const char *json, *message; /* NULL: it is a camera */
} files[] = {
    {"{" POSITION ", \"fov_y\": 1, " REST "}", NULL},
    {"{" POSITION ", \"fov_y\": 0, \"ortho_height\": 4, \"near\": -1, \"far\": 0, \"more\": 1}", NULL},
    {"{\"format\": \"rigproof.pose/1\", " POSITION ", \"fov_y\": 1, " REST "}", "rigproof.camera/1"},
    {"{\"eye\": [1, 2, 1e39]}", "eye"},
    {"{\"eye\": [1, 2, \"3\"]}", "eye"},
    {"{\"eye\": [1, 2, 3, 4]}", "eye"},
    {"{" POSITION "}", "fov_y"},
    {"{" POSITION ", \"fov_y\": 3.1416, " REST "}", "fov_y: an angle from 0"},
    {"{" POSITION ", \"fov_y\": -1, " REST "}", "fov_y: an angle from 0"},
    {"{" POSITION ", \"fov_y\": 1, \"ortho_height\": -1, \"near\": 1, \"far\": 2}", "ortho_height"},
    {"{" POSITION ", \"fov_y\": 1, \"ortho_height\": 0, \"near\": 0, \"far\": 2}", "near: "},
    {"{" POSITION ", \"fov_y\": 1, \"ortho_height\": 0, \"near\": 2, \"far\": 2}", "far: "},
    {"{\"eye\": [0, 0, 1], \"target\": [0, 0, 1], \"up\": [0, 1, 0], \"fov_y\": 1, " REST "}", "looks nowhere"},
    {"{\"frames\": []}", "format"},
    {"{\"format\": \"rigproof.recorded/1\", \"frames\": [{\"camera\": null}]}", "frames[0].camera"},
    {"{\"format\": \"rigproof.recorded/1\", \"frames\": [3]}", "frames[0]"},
    {"[]", "object"},
    {"{\"eye\": [1,", "no JSON"},
    {"", "no JSON"},
};

static void what_is_no_camera_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct error err = {0};
        struct camera camera;
        bool good = camera_file_read(files[i].json, strlen(files[i].json), "c.json", &camera, &err);
        if (good != (files[i].message == NULL))
            fail_msg("%s: %s", files[i].json, good ? "was taken" : err.text);
        if (!good && (strncmp(err.text, "c.json: ", 8) != 0 || !strstr(err.text, files[i].message)))
            fail_msg("%s: `%s` does not speak of %s", files[i].json, err.text, files[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_back_bit_by_bit),
        cmocka_unit_test(the_first_frame_of_a_recording),
        cmocka_unit_test(what_is_no_camera_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
