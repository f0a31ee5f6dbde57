/* What is equal to its golden is found out without decoding the picture and reading the pose. What is not quite equal
 * is not. */

#include "suite_runs.h"

#define FRAME "golden/strip/0.250.png"
#define POSE "golden/strip/0.250.pose.json"

static void cut(const char *path, size_t by)
{
    size_t size;
    char *bytes = slurp(path, &size);
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, size - by, file), size - by);
    fclose(file);
}

static void change_a_pixel(void)
{
    tint(FRAME, 1, 3);
}

static void swap_pictures(void)
{
    copy_file("golden/strip/0.750.png", FRAME);
}

static void swap_pictures_and_hashes(void)
{
    swap_pictures();
    record_hashes("golden/strip");
}

static void cut_picture(void)
{
    cut(FRAME, 100);
}

static void change_a_number(void)
{
    tamper(POSE, "palette[0].matrix[3]", "7.5e-04");
}

static void swap_poses(void)
{
    copy_file("golden/strip/0.750.pose.json", POSE);
}

static void cut_pose(void)
{
    cut(POSE, 3);
}

SCRATCH_TEST(whatever_differs_is_found)
{
    static const struct {
        void (*change)(void);
        const char *says;
    } changes[] = {
        {change_a_pixel, "1 of 658 px, by up to 3 levels"},
        {swap_pictures, "0.250.png of the golden does not match its hash"},
        {swap_pictures_and_hashes, "frame 0.250: "},
        {cut_picture, "golden/strip/0.250.png is not a picture that can be read"},
        {change_a_number, "bone `base` (mesh `strip-mesh`) is off by"},
        {swap_poses, "0.250.pose.json of the golden does not match its hash"},
        {cut_pose, "golden/strip/0.250.pose.json: not valid JSON"},
    };
    write_suite("  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25, 0.75],\n"
                "     tolerance: {pixels: {delta: 0, share: 0}}}\n");
    accept_gives(0, NULL);
    rename("golden", "kept");
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        assert_int_equal(system("rm -rf golden && cp -r kept golden"), 0);
        changes[i].change();
        assert_contains(check_gives(1, NULL)->out, changes[i].says);
    }
}
