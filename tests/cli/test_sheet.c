/* Sheets: where tiles are is computed here by hand, and each is what `render` draws with the same settings. */
#include "cli/pictures.h"

#include "data/apng_read.h"
#include "data/image/words.h"
#include "suite_runs.h"

enum { SIDE = 48, GAP = 4 };
#define TILE "--size", "48x48", "--gap", "4"
#define BARE TILE, "--no-labels"
#define RENDER "--size", "48x48"
#define NEAR "--camera", "zoom=1.25" /* else what is there fills the tile */
#define TWINS FIXTURES "/twins/twins.gltf"

/* The tile in a column and a row of a sheet without words. */
static struct image tile_at(const struct image *sheet, uint32_t column, uint32_t row)
{
    struct image tile;
    assert_true(image_create(&tile, SIDE, SIDE, ANY_ERROR));
    const uint32_t x = GAP + column * (SIDE + GAP), y = GAP + row * (SIDE + GAP);
    assert_true(x + SIDE + GAP <= sheet->width && y + SIDE + GAP <= sheet->height);
    for (uint32_t i = 0; i < SIDE; i++)
        memcpy(tile.rgba + 4 * (size_t)i * SIDE, sheet->rgba + 4 * ((size_t)(y + i) * sheet->width + x), 4 * (size_t)SIDE);
    return tile;
}

static void tile_is(const struct image *sheet, uint32_t column, uint32_t row, const char *path)
{
    SCOPED(image) tile = tile_at(sheet, column, row), picture = read_picture(path);
    if (!image_equal(&tile, &picture))
        fail_msg("the tile of column %u, row %u is not %s", column, row, path);
}

static struct image read_sheet(const char *path, uint32_t columns, uint32_t rows)
{
    picture_has_size(path, columns * (SIDE + GAP) + GAP, rows * (SIDE + GAP) + GAP);
    return read_picture(path);
}

/* Its tiles in reading order are these pictures. */
static void sheet_is(const char *path, uint32_t columns, const char *const *pictures, uint32_t count)
{
    SCOPED(image) sheet = read_sheet(path, columns, (count + columns - 1) / columns);
    for (uint32_t i = 0; i < count; i++)
        tile_is(&sheet, i % columns, i / columns, pictures[i]);
}
#define SHEET_IS(path, columns, ...)                                                                                   \
    sheet_is(path, columns, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Draws a word as it is on the page or a tile: white or a share of it. */
static struct image draw_word(const char *word, uint32_t em, const uint8_t background[4], int percent)
{
    struct image image;
    uint8_t ink[4] = {0, 0, 0, 255};
    assert_true(image_create(&image, (uint32_t)words_width(word, strlen(word), em) - 1, words_line(em), ANY_ERROR));
    for (size_t i = 0; i < (size_t)image.width * image.height; i++)
        memcpy(image.rgba + 4 * i, background, 4);
    for (int c = 0; c < 3; c++)
        ink[c] = (uint8_t)((percent * 255 + (100 - percent) * background[c]) / 100);
    words_draw(&image, word, strlen(word), em, 0, 0, ink);
    return image;
}

static bool contains(const struct image *image, const struct image *part)
{
    for (uint32_t y = 0; y + part->height <= image->height; y++)
        for (uint32_t x = 0; x + part->width <= image->width; x++) {
            uint32_t row = 0;
            while (row < part->height && memcmp(part->rgba + 4 * (size_t)row * part->width,
                                                image->rgba + 4 * ((size_t)(y + row) * image->width + x), 4 * (size_t)part->width) == 0)
                row++;
            if (row == part->height)
                return true;
        }
    return false;
}

/* Returns whether a line of the picture begins with a word. */
static bool has_word(const struct image *image, const char *word, uint32_t em)
{
    static const uint8_t backgrounds[2][4] = {{0x1e, 0x20, 0x24, 255}, {0x80, 0x80, 0x80, 255}};
    bool found = false;
    for (int i = 0; i < 4 && !found; i++) {
        SCOPED(image) part = draw_word(word, em, backgrounds[i / 2], i % 2 ? 70 : 100);
        found = contains(image, &part);
    }
    return found;
}

static void sheet_has(const char *path, const char *const *words, size_t count)
{
    SCOPED(image) sheet = read_picture(path);
    for (size_t i = 0; i < count; i++)
        if (!has_word(&sheet, words[i], 11))
            fail_msg("%s does not say \"%s\"", path, words[i]);
}
#define SHEET_SAYS(path, ...) \
    sheet_has(path, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* ---- clips --------------------------------------------------------------------------------------------------------- */

SCRATCH_TEST(every_clip_at_six_times)
{
    static const char *const clips[] = {"idle", "walk", "wave"};
    rigproof_good("sheet", WALKER, BARE, "--view", "lit", "--save-camera", "all.json", "-o", "all.png");
    SCOPED(image) sheet = read_sheet("all.png", 6, 3);
    for (uint32_t row = 0; row < 3; row++) {
        rigproof_good("render", WALKER, RENDER, "--clip", clips[row], "--times", "even:6", "--camera", "@all.json", "-o", "t{frame}.png");
        for (uint32_t column = 0; column < 6; column++) {
            tile_is(&sheet, column, row, at("t%u.png", column));
        }
    }
    /* the camera frames all clips, whichever comes last */
    rigproof_good("sheet", WALKER, BARE, "--view", "lit", "--clip", "wave", "--clip", "idle", "--time", "0.6", "--save-camera", "a.json", "-o", "a.png");
    rigproof_good("sheet", WALKER, BARE, "--view", "lit", "--clip", "idle", "--clip", "wave", "--time", "0.6", "--save-camera", "b.json", "-o", "b.png");
    assert_same_files("a.json", "b.json");
    /* a camera that is told how near to be is that of render, which frames the whole sequence too */
    rigproof_good("sheet", WALKER, BARE, "--clip", "walk", "--time", "0,0.5", "--view", "depth", NEAR, "-o", "walk.png");
    rigproof_good("render", WALKER, RENDER, "--clip", "walk", "--time", "0,0.5", "--view", "depth", NEAR, "-o", "w{frame}.png");
    SHEET_IS("walk.png", 2, "w0.png", "w1.png");
}

SCRATCH_TEST(clips_are_chosen_by_globs)
{
    rigproof_good("sheet", WALKER, BARE, "--view", "unlit", "--clip", "wa*", "--time", "0.25", "-o", "two.png");
    rigproof_good("sheet", FIXTURES "/walker/walker.fbx", BARE, "--view", "unlit", "--clip", "wa*", "--time", "0.25", "-o", "prefix.png");
    rigproof_good("sheet", WALKER, BARE, "--view", "unlit", "--clip", "walk", "--clip", "wave", "--time", "0.25", "-o", "named.png");
    picture_has_size("two.png", 2 * (SIDE + GAP) + GAP, SIDE + 2 * GAP);
    picture_has_size("prefix.png", 2 * (SIDE + GAP) + GAP, SIDE + 2 * GAP);
    assert_same_files("two.png", "named.png");
    rigproof_refuses("no clip of " WALKER " is called `run*`", "sheet", WALKER, "--clip", "run*", "-o", "no.png");
    assert_contains(rigproof_good("sheet", WALKER, BARE, "--time", "0", "--most", "2", "-o", "most.png")->err,
                    "2 of 3 clips are shown; --most 3 shows all");
}

SCRATCH_TEST(a_still_clip_is_one_tile)
{
    rigproof_good("sheet", FIXTURES "/strip/strip.gltf", BARE, "--clip", "single", "--clip", "flip", "-o", "still.png");
    picture_has_size("still.png", 6 * (SIDE + GAP) + GAP, 2 * (SIDE + GAP) + GAP);
    SCOPED(image) sheet = read_picture("still.png");
    const uint8_t page[] = {0x1e, 0x20, 0x24, 255};
    for (uint32_t column = 0; column < 6; column++)
        assert_int_equal(memcmp(sheet.rgba + 4 * ((size_t)GAP * sheet.width + GAP + column * (SIDE + GAP)), page, 4) == 0, column > 0);
    rigproof_good("sheet", FIXTURES "/strip/strip.gltf", BARE, "--clip", "single", "--time", "0,0.5", "-o", "asked.png");
    picture_has_size("asked.png", 2 * (SIDE + GAP) + GAP, SIDE + 2 * GAP);
    rigproof_good("sheet", FIXTURES "/pieces/steps.glb", BARE, "-o", "nodes.png"); /* without a mesh, but it moves */
    picture_has_size("nodes.png", 3 * (SIDE + GAP) + GAP, 2 * (SIDE + GAP) + GAP);
}

/* What all tiles of a model show together reaches nearly to two borders of a tile, and past none. */
SCRATCH_TEST(figures_fill_their_tiles)
{
    static const struct { const char *model, *size; uint32_t width, height; } cases[] = {
        {WALKER, "96x96", 96, 96}, {WALKER, "96x48", 96, 48}, {FIXTURES "/limb/limb.dae", "48x96", 48, 96}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const uint32_t width = cases[c].width, height = cases[c].height;
        uint32_t least[2] = {width, height}, most[2] = {0, 0};
        rigproof_good("sheet", cases[c].model, "--size", cases[c].size, "--gap", "4", "--no-labels", "--view", "unlit", "-o", "full.png");
        SCOPED(image) sheet = read_picture("full.png");
        for (uint32_t y = 0; y < sheet.height; y++)
            for (uint32_t x = 0; x < sheet.width; x++) {
                const uint8_t *p = sheet.rgba + 4 * ((size_t)y * sheet.width + x);
                const uint32_t at[2] = {(x + width) % (width + 4), (y + height) % (height + 4)};
                const bool is_page = p[0] == 0x1e && p[1] == 0x20 && p[2] == 0x24, is_background = p[0] == 0x80 && p[1] == 0x80 && p[2] == 0x80;
                for (int i = 0; i < 2 && !is_page && !is_background; i++) {
                    least[i] = at[i] < least[i] ? at[i] : least[i];
                    most[i] = at[i] > most[i] ? at[i] : most[i];
                }
            }
        assert_true(least[0] > 0 && least[1] > 0 && most[0] + 1 < width && most[1] + 1 < height);
        const double wide = (most[0] + 1.0 - least[0]) / width, high = (most[1] + 1.0 - least[1]) / height;
        if (!((wide > high ? wide : high) > 0.85))
            fail_msg("%s fills %g x %g of %s", cases[c].model, wide, high, cases[c].size);
    }
}

SCRATCH_TEST(words_say_what_a_tile_is)
{
    rigproof_good("sheet", WALKER, "--size", "150x64", "--view", "lit", "--clip", "walk", "--clip", "idle", "--time", "0,0.5", "-o", "words.png");
    SHEET_SAYS("words.png", "walk (1 s)", "idle (2 s)", "0.000 s", "0.500 s", "lit, 30 bones, 3444 triangles, 3 clips");
    SCOPED(image) sheet = read_picture("words.png");
    assert_true(has_word(&sheet, "walker.glb", 16));
    assert_false(has_word(&sheet, "wave", 11));
    rigproof_good("sheet", WALKER, "--size", "150x64", "--clip", "walk", "--frames", "3..4", "--fps", "12", "-o", "frames.png");
    SHEET_SAYS("frames.png", "0.250 s", "frame 3", "frame 4");
}

/* ---- bones, blends, views, cameras ---------------------------------------------------------------------------------- */

SCRATCH_TEST(every_bone_has_a_tile)
{
    rigproof_good("sheet", WALKER, BARE, "--view", "weight:shin_*", "--view", "weight:head", NEAR, "-o", "bones.png");
    rigproof_good("render", WALKER, RENDER, "--view", "weight:shin_L", NEAR, "-o", "l.png");
    rigproof_good("render", WALKER, RENDER, "--view", "weight:shin_R", NEAR, "-o", "r.png");
    rigproof_good("render", WALKER, RENDER, "--view", "weight:head", NEAR, "-o", "h.png");
    SHEET_IS("bones.png", 2, "l.png", "r.png", "h.png");
    /* inspect: 30 bones, of which the root holds no vertex */
    assert_contains(rigproof_good("sheet", WALKER, "--size", "130x40", "--view", "weight:*", "--most", "3", "-o", "most.png")->err,
                    "3 of 29 bones are shown; --most 29 shows all");
    SHEET_SAYS("most.png", "hips", "spine_1", "spine_2", "475 vert., max 1.00", "165 vert., max 0.35");
    rigproof_refuses("--view weight:paw*: no bone of", "sheet", WALKER, "--view", "weight:paw*", "-o", "no.png");
}

/* A thumb is seen as something in the middle, not as a dot. */
SCRATCH_TEST(bones_are_seen_from_near)
{
    static const char *const options[][2] = {{"--quiet", "far.png"}, {"--close", "near.png"}};
    size_t colored[2] = {0};
    double middle[2][2] = {{0}};
    for (int i = 0; i < 2; i++) {
        rigproof_good("sheet", WALKER, BARE, "--view=weight:thumb_L", "--camera=yaw=60", "--clip=none", "--time=0", options[i][0], "--save-camera", "c.json", "-o", options[i][1]);
        SCOPED(image) sheet = read_sheet(options[i][1], 1, 1);
        for (uint32_t y = 0; y < sheet.height; y++)
            for (uint32_t x = 0; x < sheet.width; x++) {
                const uint8_t *p = sheet.rgba + 4 * ((size_t)y * sheet.width + x);
                const bool is_colored = abs(p[0] - p[1]) > 40 || abs(p[1] - p[2]) > 40;
                colored[i] += is_colored;
                middle[i][0] += is_colored * (double)x;
                middle[i][1] += is_colored * (double)y;
            }
        rigproof_good("render", WALKER, RENDER, "--clip=none", "--view", "weight:thumb_L", "--camera", "@c.json", "-o", "r.png");
        tile_is(&sheet, 0, 0, "r.png");
    }
    assert_true(colored[0] > 0 && colored[1] > 20 * colored[0]);
    for (int k = 0; k < 2; k++)
        assert_true(fabs(middle[1][k] / (double)colored[1] - (GAP + SIDE / 2)) < SIDE / 6);
    /* from the right the left thumb is behind the body */
    rigproof_good("sheet", WALKER, "--size=150x100", "--gap=4", "--view=weight:thumb_*", "--camera=yaw=240", "--clip=none", "--time=0", "--close", "--save-camera",
                  "c.json", "-o", "turned.png");
    SHEET_SAYS("turned.png", "thumb_L", "thumb_R", "from yaw +180");
    rigproof_good("render", WALKER, RENDER, "--clip=none", "--view", "weight:thumb_L", "--camera", "@c.json", "-o", "r.png");
    SCOPED(image) picture = read_picture("r.png");
    size_t seen = 0;
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
        seen += abs(picture.rgba[4 * i] - picture.rgba[4 * i + 1]) > 40 || abs(picture.rgba[4 * i + 1] - picture.rgba[4 * i + 2]) > 40;
    assert_true(seen > colored[1] / 4);
}

SCRATCH_TEST(blend_is_swept)
{
    static const char *const walk[] = {"walk:1", "walk:0.5", "walk:0"}, *const wave[] = {"wave:0", "wave:0.5", "wave:1"};
    rigproof_good("sheet", WALKER, BARE, "--view", "lit", "--blend", "walk,wave", "--steps", "3", "--time", "0,0.25", "--save-camera", "c.json",
                  "-o", "sweep.png");
    SCOPED(image) sheet = read_sheet("sweep.png", 3, 2);
    for (uint32_t step = 0; step < 3; step++) {
        rigproof_good("render", WALKER, RENDER, "--blend", walk[step], "--blend", wave[step], "--time", "0,0.25", "--camera", "@c.json", "-o",
                      "s{frame}.png");
        tile_is(&sheet, step, 0, "s0.png");
        tile_is(&sheet, step, 1, "s1.png");
    }
    rigproof_good("render", WALKER, RENDER, "--clip", "walk", "--time", "0", "--camera", "@c.json", "-o", "walk.png");
    tile_is(&sheet, 0, 0, "walk.png");
    rigproof_good("sheet", WALKER, BARE, "--view", "lit", "--blend", "walk:0.5", "--blend", "wave:0.5", "--time", "0,0.25", "-o", "one.png");
    picture_has_size("one.png", 2 * (SIDE + GAP) + GAP, SIDE + 2 * GAP);
}

SCRATCH_TEST(views_and_cameras_cross)
{
    static const char *const views[] = {"studio", "normals", "bones"}, *const cameras[] = {"yaw=0,zoom=1.25", "yaw=90,pitch=40,zoom=1.25"};
    rigproof_good("sheet", WALKER, BARE, "--clip", "wave", "--time", "0.5", "--view", "studio,normals,bones", "--camera", cameras[0], "--camera",
                  cameras[1], "-o", "both.png");
    SCOPED(image) sheet = read_sheet("both.png", 2, 3);
    for (uint32_t row = 0; row < 3; row++)
        for (uint32_t column = 0; column < 2; column++) {
            rigproof_good("render", WALKER, RENDER, "--clip", "wave", "--time", "0.5", "--view", views[row], "--camera", cameras[column], "-o",
                          "one.png");
            tile_is(&sheet, column, row, "one.png");
        }
}

/* The colours of a view on a scale mean the same in all tiles, other settings of render count too. */
SCRATCH_TEST(range_is_that_of_all_tiles)
{
    rigproof_good("sheet", WALKER, BARE, "--view", "displacement", "--clip", "walk", "--time", "0,0.5", "--overlay", "none", NEAR, "-o", "all.png");
    rigproof_good("render", WALKER, RENDER, "--view", "displacement", "--clip", "walk", "--time", "0,0.5", "--overlay", "none", NEAR, "-o", "{frame}.png");
    SHEET_IS("all.png", 2, "0.png", "1.png");
    /* in words it is said once, below the tiles, which have no legend of their own then */
    rigproof_good("sheet", WALKER, "--size", "96x96", "--gap", "4", "--view", "displacement", "--clip", "walk", "--time", "0,0.5", NEAR, "-o", "said.png");
    SCOPED(image) sheet = read_picture("said.png");
    assert_true(has_word(&sheet, "displacement (m):", 11));
    rigproof_good("sheet", WALKER, "--size", "96x96", "--gap", "4", "--view", "displacement", "--clip", "walk", "--time", "0,0.5", "--overlay", "none", NEAR, "-o",
                  "bare.png");
    SCOPED(image) bare = read_picture("bare.png");
    assert_true(sheet.width == bare.width && sheet.height > bare.height);
    for (uint32_t y = 0; y < bare.height - GAP; y++)
        assert_memory_equal(sheet.rgba + 4 * (size_t)y * sheet.width, bare.rgba + 4 * (size_t)y * bare.width, 4 * (size_t)bare.width);
    rigproof_good("sheet", WALKER, BARE, "--view", "lit", "--clip", "walk", "--time", "0.5", "--crowd", "2x1", "--overlay", "skeleton",
                  "--skinning", "dual-quaternion", "-o", "crowd.png");
    rigproof_good("render", WALKER, RENDER, "--clip", "walk", "--time", "0.5", "--crowd", "2x1", "--overlay", "skeleton", "--skinning",
                  "dual-quaternion", "-o", "c.png");
    SHEET_IS("crowd.png", 1, "c.png");
}

/* ---- models -------------------------------------------------------------------------------------------------------- */

SCRATCH_TEST(each_model_has_its_camera)
{
    rigproof_good("sheet", WALKER, TWINS, FIXTURES "/walker/walker.fbx", FIXTURES "/pieces/steps.glb", BARE, NEAR, "--columns", "2", "-o", "models.png");
    rigproof_good("render", WALKER, RENDER, NEAR, "--view", "studio", "-o", "a.png");
    rigproof_good("render", TWINS, RENDER, NEAR, "--view", "studio", "-o", "b.png");
    rigproof_good("render", FIXTURES "/walker/walker.fbx", RENDER, NEAR, "--view", "studio", "-o", "c.png");
    rigproof_good("render", FIXTURES "/pieces/steps.glb", RENDER, NEAR, "--view", "studio", "--overlay", "skeleton", "-o", "d.png");
    SHEET_IS("models.png", 2, "a.png", "b.png", "c.png", "d.png"); /* without triangles the last has its skeleton */
    rigproof_good("sheet", WALKER, TWINS, BARE, "-o", "{model}.png");
    assert_true(exists("walker.png") && exists("twins.png"));
}

SCRATCH_TEST(one_broken_model_does_not_cost_the_others)
{
    const struct outcome *outcome =
        rigproof("sheet", WALKER, FIXTURES "/broken/empty.glb", "--size", "150x120", "-o", "two.png", NULL);
    assert_int_equal(outcome->status, 2);
    assert_contains(outcome->err, "error: 1 of 2 models cannot be drawn; their tiles say why");
    SHEET_SAYS("two.png", "walker.glb", "empty.glb", "import of");
    rigproof_fails(2, "sheet", FIXTURES "/broken/empty.glb", "-o", "one.png");
    assert_false(exists("one.png"));
}

/* ---- before and after ---------------------------------------------------------------------------------------------- */

/* Each channel of the third is 16 times what it differs by; opaque. */
static void is_difference(const struct image *sheet, uint32_t row)
{
    SCOPED(image) before = tile_at(sheet, 0, row), after = tile_at(sheet, 1, row), difference = tile_at(sheet, 2, row);
    size_t changed = 0;
    for (size_t i = 0; i < 4 * (size_t)SIDE * SIDE; i++) {
        const int delta = 16 * abs(before.rgba[i] - after.rgba[i]);
        assert_int_equal(difference.rgba[i], i % 4 == 3 ? 255 : delta > 255 ? 255 : delta);
        changed += delta > 0;
    }
    assert_true(changed > 0);
}

SCRATCH_TEST(before_and_after_of_two_files)
{
    copy_file(FIXTURES "/limb/limb.dae", "before.dae");
    const struct outcome *same = rigproof_good("sheet", FIXTURES "/limb/limb.dae", BARE, "--before", "before.dae", "--time", "0,0.5", "-o", "same.png");
    assert_contains(same->err, "all 2 rows have the same pixels before and after");
    SCOPED(image) unchanged = read_sheet("same.png", 3, 2);
    for (uint32_t row = 0; row < 2; row++) {
        SCOPED(image) black = tile_at(&unchanged, 2, row);
        assert_int_equal(count_others(&black, (const uint8_t[]){0, 0, 0, 255}), 0);
    }
    /* the walker's other clip is another pose */
    const struct outcome *differs = rigproof_good("sheet", FIXTURES "/walker/walker-wave.dae", BARE, "--before", FIXTURES "/walker/walker.dae",
                                                  "--time", "0,0.4", "--save-camera", "c.json", "-o", "differs.png");
    assert_contains(differs->err, "2 of 2 rows differ");
    SCOPED(image) sheet = read_sheet("differs.png", 3, 2);
    rigproof_good("render", FIXTURES "/walker/walker.dae", RENDER, "--time", "0,0.4", "--camera", "@c.json", "-o", "b{frame}.png");
    rigproof_good("render", FIXTURES "/walker/walker-wave.dae", RENDER, "--time", "0,0.4", "--camera", "@c.json", "-o", "a{frame}.png");
    tile_is(&sheet, 0, 0, "b0.png");
    tile_is(&sheet, 1, 0, "a0.png");
    tile_is(&sheet, 0, 1, "b1.png");
    tile_is(&sheet, 1, 1, "a1.png");
    is_difference(&sheet, 0);
    is_difference(&sheet, 1);
}

/* Another unit is no difference: centimetres and metres are framed alike. */
SCRATCH_TEST(units_do_not_hide_a_model)
{
    const struct outcome *outcome = rigproof_good("sheet", FIXTURES "/walker/walker.fbx", BARE, "--before", WALKER, "--clip", "walk", "--time",
                                                  "0,0.5", "--view", "lit", "-o", "units.png");
    assert_contains(outcome->err, "each is framed on its own");
    SCOPED(image) sheet = read_sheet("units.png", 3, 2);
    rigproof_good("render", WALKER, RENDER, "--clip", "walk", "--time", "0,0.5", "-o", "m{frame}.png");
    tile_is(&sheet, 0, 0, "m0.png");
    tile_is(&sheet, 0, 1, "m1.png");
}

SCRATCH_TEST(what_is_not_there_before_is_said)
{
    copy_file(TWINS, "b.gltf");
    rigproof_good("sheet", WALKER, "--size", "150x100", "--before", "b.gltf", "--clip", "wave", "--time", "0", "-o", "no-clip.png");
    SHEET_SAYS("no-clip.png", "nothing to compare", "before", "after", "b.gltf", "b.gltf has no clip", "wave, 0.000 s");
}

SCRATCH_TEST(only_rows_that_differ)
{
    char *text = slurp(FIXTURES "/limb/limb.dae", NULL);
    char *key = strstr(text, ">15 -30<"); /* the knee's keys at 0 and 0.5 s */
    assert_non_null(key);
    memcpy(key, ">15 -99<", 8);
    spill("before.dae", text);
    assert_contains(rigproof_good("sheet", FIXTURES "/limb/limb.dae", BARE, "--before", "before.dae", "--different", "--time", "0,0.5,0.4", "-o",
                                  "two.png")->err, "2 of 3 rows differ");
    SCOPED(image) sheet = read_sheet("two.png", 3, 2);
    is_difference(&sheet, 0);
    is_difference(&sheet, 1);
    rigproof_good("sheet", WALKER, BARE, "--before", WALKER, "--different", "--time", "0,0.5", "-o", "none.png");
    picture_has_size("none.png", (SIDE + GAP) * 3 + GAP, GAP);
}

SCRATCH_TEST(another_build_draws_the_same)
{
    const struct outcome *outcome =
        rigproof_good("sheet", WALKER, BARE, "--build", RIGPROOF_BINARY, "--clip", "w*", "--times", "even:2", "--overlay", "skeleton,label", "--influences", "1",
                      "--camera", "yaw=200", "-o", "build.png");
    assert_contains(outcome->err, "all 4 rows have the same pixels before and after");
    rigproof_good("sheet", WALKER, BARE, "--build", RIGPROOF_BINARY, "--blend", "walk,wave", "--steps", "2", "--time", "0.3", "--view", "speed", "-o", "speed.png");
    SCOPED(image) sheet = read_sheet("speed.png", 3, 2);
    SCOPED(image) black = tile_at(&sheet, 2, 1);
    assert_int_equal(count_others(&black, (const uint8_t[]){0, 0, 0, 255}), 0);
    rigproof_refuses("--build", "sheet", WALKER, BARE, "--build", "/bin/false", "-o", "no.png");
    assert_false(exists("no.png"));
}

/* Tiles of a film play their clips from the beginning to the end and again: render's frames of --play, each at its turn. */
SCRATCH_TEST(film_plays_every_tile)
{
    enum { RATE = 4, FRAMES = 8 }; /* idle 2 s; walk 1 s: 4 frames, wave 1.5 s: 6 */
    static const char *const clips[] = {"idle", "walk", "wave"};
    static const uint32_t counts[] = {8, 4, 6};
    rigproof_good("sheet", WALKER, BARE, "--view", "lit", "--fps", "4", "--columns", "3", "--save-camera", "c.json", "--film", "all.apng");
    for (int i = 0; i < 3; i++)
        rigproof_good("render", WALKER, RENDER, "--clip", clips[i], "--play", "--fps", "4", "--camera", "@c.json", "-o", "{clip}{frame}.png");
    size_t size = 0;
    const char *bytes = slurp("all.apng", &size);
    SCOPED(apng_read) film;
    apng_read(bytes, size, &film);
    assert_int_equal(film.frame_count, FRAMES);
    assert_true(film.delay[0] == 1 && film.delay[1] == RATE);
    for (uint32_t f = 0; f < FRAMES; f++)
        for (uint32_t i = 0; i < 3; i++) {
            tile_is(&film.frames[f], i, 0, at("%s%u.png", clips[i], f % counts[i]));
        }
}

/* ---- usage --------------------------------------------------------------------------------------------------------- */

SCRATCH_TEST(layout_is_as_asked)
{
    rigproof_good("sheet", WALKER, "--size", "24x16", "--gap", "3", "--no-labels", "--clip", "walk", "--times", "even:5", "--columns", "2", "--page",
                  "336699", "-o", "layout.png");
    picture_has_size("layout.png", 2 * 24 + 3 * 3, 3 * 16 + 4 * 3);
    SCOPED(image) sheet = read_picture("layout.png");
    static const uint8_t page[] = {0x33, 0x66, 0x99, 0xff};
    assert_memory_equal(sheet.rgba, page, 4);
    assert_memory_equal(sheet.rgba + 4 * ((size_t)sheet.width * sheet.height - 20), page, 4); /* no sixth tile */
    size_t size = 0;
    const char *bytes = slurp("layout.png", &size);
    const struct outcome *piped = rigproof_good("sheet", WALKER, "--size", "24x16", "--gap", "3", "--no-labels", "--clip", "walk", "--times",
                                                "even:5", "--columns", "2", "--page", "336699", "-o", "-");
    assert_int_equal(piped->out_size, size);
    assert_memory_equal(piped->out, bytes, size);
}

SCRATCH_TEST(sheet_is_shown_on_a_terminal)
{
    const struct outcome *shown = rigproof_good("sheet", WALKER, BARE, "--clip", "walk", "--time", "0,0.5", "--show=blocks");
    assert_contains(shown->out, "\xe2\x96\x80"); /* half blocks, two pixels a line */
    assert_true(count_lines(shown->out) > 10 && count_lines(shown->out) <= (SIDE + 2 * GAP) / 2 + 1);
    assert_string_equal(scratch_listing(), "");
}

SCRATCH_TEST(mistakes_are_told)
{
    static const char *const cases[][6] = {
        {"no output is named", WALKER},
        {"pictures are PNG", WALKER, "-o", "a.jpg"},
        {"pictures are PNG", WALKER, "-o", "a.mp4"},
        {"--sheet is for rigproof render", WALKER, "-o", "a.png", "--sheet"},
        {"--different is for --before and --build", WALKER, "-o", "a.png", "--different"},
        {"--view: no `lita`", WALKER, "-o", "a.png", "--view=lit,lita"},
        {"--camera", WALKER, "-o", "a.png", "--camera=yaw=x"},
        {"is not CLIP,CLIP", WALKER, "-o", "a.png", "--blend=walk,"},
        {"`run`", WALKER, "-o", "a.png", "--blend=walk,run"},
        {"--before is another file of one MODEL", WALKER, TWINS, "-oa.png", "--before=x"},
        {"one of them", WALKER, "-o", "a.png", "--film=a.apng"},
        {"--film is of one MODEL", WALKER, TWINS, "--film=a.apng"},
        {"unknown film format", WALKER, "--film=a.avi"},
        {"would be", WALKER, "-o", "a.png", "--size=8192x8192"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        rigproof_refuses(cases[i][0], "sheet", cases[i][1], cases[i][2], cases[i][3], cases[i][4], cases[i][5]);
    assert_string_equal(scratch_listing(), "");
}
