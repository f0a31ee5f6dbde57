/* Every upload format on fixtures: what holds stays within its limit and gives the pictures it must. */

#include "cmocka_setup.h"
#include "pipeline/palette_paths.h"

static struct path_result results[PATH_COMBINATIONS];

static void try_model(const char *model, uint32_t influences, const char *times, struct text *table)
{
    struct error err = {0};
    SCOPED(settings) settings;
    struct pipeline pipeline;
    size_t count = 0;
    settings_init(&settings);
    settings.influences = influences;
    assert_true(settings_set(&settings, "times", times, &err));
    assert_true(settings_set(&settings, "size", "48x48", &err));
    if (!pipeline_open(&pipeline, model, &settings, &err))
        fail_msg("%s", err.text);
    double *list = pipeline_times(&pipeline, &count, &err);
    if (!palette_paths_try(&pipeline, list, count, results, &err))
        fail_msg("%s: %s", model, err.text);
    palette_paths_write(&pipeline, count, results, table);
    free(list);
    pipeline_close(&pipeline);
}

/* All hold but trs where a bone's scale has directions; matrices sent whole are the same numbers on every path. */
static void assert_all_good(const char *table, bool trs_holds)
{
    for (int i = 0; i < PATH_COMBINATIONS; i++) {
        const struct path_result *r = &results[i];
        bool holds = trs_holds || r->upload_format.format != PALETTE_TRS;
        if (r->holds != holds || palette_path_fails(r))
            fail_msg("row %d:\n%s", i, table);
        if (!holds) {
            assert_non_null(strstr(r->why, "is not uniform"));
            continue;
        }
        assert_true(r->worst <= r->limit && isfinite(r->limit));
        for (int k = 0; k < i; k++) {
            const struct path_result *other = &results[k];
            bool alike = other->upload_format.weights == r->upload_format.weights &&
                         other->upload_format.skinning == r->upload_format.skinning &&
                         (other->upload_format.format == PALETTE_TRS) == (r->upload_format.format == PALETTE_TRS);
            if (alike && (other->worst != r->worst || other->pixels != r->pixels))
                fail_msg("rows %d and %d:\n%s", k, i, table);
        }
        if (r->upload_format.weights == WEIGHTS_FLOAT)
            assert_true(r->limit > 1e-5 && r->limit < (r->upload_format.format == PALETTE_TRS ? 2e-4 : 2e-5));
        else
            assert_true(r->limit > 1e-5 && r->limit < 0.05 && r->worst > 1e-6);
    }
}

/* The table: the plainest first; reasons once, as footnotes. */
TEST(a_skeleton_is_fed_every_way_it_can)
{
    SCOPED(text) table = {0};
    try_model(FIXTURES "/twins/twins.gltf", 4, "0.75", &table);
    const char *text = text_string(&table);
    assert_all_good(text, false);
    assert_non_null(strstr(text, "twins.gltf, clip turn, 1 time, 9 bindings, 48x48 pixels\n\n"
                                 "path     format  weights skinning         worst       limit     pixels\n"
                                 "tbo      mat3x4  float   linear           "));
    assert_non_null(strstr(text, "tbo      trs     float   linear           cannot (1)\n"));
    assert_non_null(strstr(text, "\n(1) --palette-format trs holds only rotation, translation and uniform scale, but "));
    assert_null(strstr(text, "\n(2) "));
    assert_non_null(strstr(text, "\n48 combinations: 32 good, 16 cannot hold the model, 0 failed\n"));
}

TEST(many_influences_are_fed_every_way)
{
    SCOPED(text) table = {0};
    try_model(FIXTURES "/sheaf/sheaf.x", 0, "0.5", &table);
    assert_all_good(text_string(&table), true);
}

TEST(what_is_beyond_its_limit_fails)
{
    assert_false(palette_path_fails(&(struct path_result){.holds = true, .pixels = 5}));
    assert_true(palette_path_fails(&(struct path_result){.holds = true, .pixels = 5, .pixels_must_equal = true}));
    assert_true(palette_path_fails(&(struct path_result){.holds = true, .beyond = true}));
    assert_false(palette_path_fails(&(struct path_result){.holds = false, .beyond = true, .pixels_must_equal = true}));
}
