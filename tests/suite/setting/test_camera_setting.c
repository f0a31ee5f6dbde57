/* The forms of --camera. */
#include "cmocka_setup.h"

#include <math.h>
#include <string.h>

#include "run_binary.h"
#include "suite/setting/camera_setting.h"

static const struct {
    const char *values[3]; /* one after the other */
    const char *description;
} good[] = {
    {{"yaw=45"}, "yaw=45,pitch=10,zoom=1,fov=30"},
    {{"yaw=45", "pitch=-5"}, "yaw=45,pitch=-5,zoom=1,fov=30"},
    {{"fov=0"}, "yaw=30,pitch=10,zoom=1,fov=0"},
    {{"ortho=2.5,zoom=2"}, "yaw=30,pitch=10,zoom=2,ortho=2.5"},
    {{"fov=0,ortho=2"}, "yaw=30,pitch=10,zoom=1,ortho=2"},
    {{"ortho=2", "fov=20"}, "yaw=30,pitch=10,zoom=1,fov=20"},
    {{"eye=1:-2:3.5,target=0:0:1e2"}, "eye=1:-2:3.5,target=0:0:100,fov=30"},
    {{"target=0:0:0,up=0:0:2,eye=1:2:3"}, "eye=1:2:3,target=0:0:0,up=0:0:2,fov=30"},
    {{"eye=1:2:3,target=0:0:0,fov=60,near=0.1,far=90"}, "eye=1:2:3,target=0:0:0,fov=60,near=0.1,far=90"},
    {{"eye=1:2:3,target=0:0:0,ortho=1.5,near=-4"}, "eye=1:2:3,target=0:0:0,ortho=1.5,near=-4"},
    {{"eye=1:2:3,target=0:0:0", "ortho=4"}, "eye=1:2:3,target=0:0:0,ortho=4"},
    {{"eye=1:2:3,target=0:0:0", "target=5:0:0", "fov=9"}, "eye=1:2:3,target=5:0:0,fov=9"},
    {{"eye=1:2:3,target=0:0:0", "yaw=3"}, "yaw=3,pitch=10,zoom=1,fov=30"},
    {{"yaw=3", "eye=1:2:3,target=0:0:0"}, "eye=1:2:3,target=0:0:0,fov=30"},
    {{"file:Main"}, "file:Main"},
    {{"yaw=3", "file:a,b"}, "file:a,b"},
    {{"file:Main", "zoom=2"}, "yaw=30,pitch=10,zoom=2,fov=30"},
    {{"file:Main", "fov=9"}, "yaw=30,pitch=10,zoom=1,fov=9"},
    {{"eye=1:2:3,target=0:0:0", "file:Main"}, "file:Main"},
};

static void good_cameras_are_taken(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct settings s;
        struct error err = {0};
        struct text text = {0};
        settings_init(&s);
        for (int k = 0; k < 3 && good[i].values[k]; k++)
            if (!camera_setting_parse(&s, good[i].values[k], &err))
                fail_msg("%s", err.text);
        camera_setting_describe(&s, &text);
        assert_string_equal(text_string(&text), good[i].description);
        text_release(&text);
        settings_release(&s);
    }
}

static const struct {
    const char *value, *message;
} bad[] = {
    {"eye=1:2:3", "target= is missing"},
    {"target=1:2:3,fov=30", "eye= is missing"},
    {"up=0:1:0", "eye= is missing"},
    {"eye=1:2,target=0:0:0", "`eye=1:2`: three numbers X:Y:Z are wanted"},
    {"eye=1:2:3:4,target=0:0:0", "`eye=1:2:3:4`: three numbers"},
    {"eye=1:2:,target=0:0:0", "`eye=1:2:`: three numbers"},
    {"eye=:::,target=0:0:0", "three numbers"},
    {"eye=1:nan:3,target=0:0:0", "three numbers"},
    {"eye=1:inf:3,target=0:0:0", "three numbers"},
    {"eye=1e10:0:3,target=0:0:0", "three numbers"},
    {"eye=,target=0:0:0", "`eye=`"},
    {"eye=1:2:3,target=1:2:3", "it looks nowhere"},
    {"eye=0:0:5,target=0:0:0,up=0:0:1", "along the view"},
    {"eye=0:0:5,target=0:0:0,up=0:0:-9", "along the view"},
    {"eye=0:0:5,target=0:0:0,up=0:0:0", "up is nothing"},
    {"eye=0:0:5,target=0:0:0,fov=0", "ortho=H"},
    {"eye=0:0:5,target=0:0:0,fov=30,ortho=2", "either perspective"},
    {"ortho=2,fov=30", "either perspective"},
    {"ortho=0", "1e-09 to 1e+09"},
    {"ortho=-1", "1e-09 to 1e+09"},
    {"eye=0:0:5,target=0:0:0,near=0", "near= of a perspective"},
    {"eye=0:0:5,target=0:0:0,far=-1", "far= of a perspective"},
    {"eye=0:0:5,target=0:0:0,near=3,far=3", "far= is beyond near="},
    {"near=1", "near= and far= are for a free camera"},
    {"yaw=3,eye=0:0:5,target=0:0:0", "either an orbit"},
    {"near=3,zoom=2", "either an orbit"},
    {"@no-such.json", "--camera: cannot open no-such.json"},
    {"@", "--camera: cannot open"},
    {"side", "eye=, target="},
};

static void bad_cameras_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct settings s;
        struct error err = {0};
        settings_init(&s);
        if (camera_setting_parse(&s, bad[i].value, &err))
            fail_msg("%s was taken", bad[i].value);
        assert_contains(err.text, bad[i].message);
        assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
        settings_release(&s);
    }
}

static void a_saved_camera_is_read_at_once(void **state)
{
    (void)state;
    struct settings s;
    struct error err = {0};
    struct text text = {0};
    spill("side.json", "{\"eye\": [1, 2, 3], \"target\": [0, 0, 0.5], \"up\": [0, 1, 0], \"fov_y\": 0.5, "
                       "\"ortho_height\": 0, \"near\": 0.25, \"far\": 9}");
    settings_init(&s);
    assert_true(camera_setting_parse(&s, "@./side.json", &err));
    assert_int_equal(s.camera_kind, CAMERA_SAVED);
    assert_true(s.saved_camera.eye[1] == 2 && s.saved_camera.target[2] == 0.5f && s.saved_camera.far_plane == 9);
    camera_setting_describe(&s, &text);
    assert_string_equal(text_string(&text), "@side.json");
    assert_true(camera_setting_parse(&s, "yaw=1", &err));
    assert_int_equal(s.camera_kind, CAMERA_ORBIT);
    spill("side.json", "{\"eye\": [1, 2]}");
    assert_false(camera_setting_parse(&s, "@side.json", &err));
    assert_contains(err.text, "--camera: side.json: eye: 3 finite numbers are wanted");
    text_release(&text);
    settings_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_cameras_are_taken),
        cmocka_unit_test(bad_cameras_are_refused),
        scratch_test(a_saved_camera_is_read_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
