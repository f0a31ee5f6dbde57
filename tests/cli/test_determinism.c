/* The same input gives the same bytes: again, read and written, in another locale. Threads and backends are those of
 * draw_determinism and cli_false_alarm. */

#include <locale.h>

#include "data/record/snapshot.h"
#include "run_binary.h"

static const char *const models[] = {FIXTURES "/walker/walker.glb", FIXTURES "/walker/walker.fbx",
                                     FIXTURES "/walker/walker.dae", FIXTURES "/crowd/crowd.glb",
                                     FIXTURES "/twins/twins.gltf",  FIXTURES "/strip/strip.gltf",
                                     FIXTURES "/ticks/ticks.x",     FIXTURES "/strip/morph.gltf",  FIXTURES "/pieces/body.glb"};
enum { MODELS = sizeof models / sizeof models[0] };

static const struct run_options plain = {0};

static void draw(const struct run_options *options, const char *model, const char *path)
{
    run_gives(0, rigproof_with(options, "render", model, "--time", "0.4", "--size", "120x90", "--overlay", "skeleton", "-o", path, NULL));
}

SCRATCH_TEST(dumps_repeat)
{
    static const char *const formats[] = {"json", "csv", "obj"};
    for (int i = 0; i < MODELS; i++)
        for (int f = 0; f < 3; f++) {
            const char *option = f < 2 ? "--times" : "--time", *times = f < 2 ? "auto" : "0.3";
            const struct outcome *a = rigproof_good("dump", models[i], option, times, "--format", formats[f]);
            const struct outcome *b = rigproof_good("dump", models[i], option, times, "--format", formats[f]);
            assert_string_equal(a->out, b->out);
            assert_string_equal(a->err, b->err);
        }
}

SCRATCH_TEST(what_is_read_is_written_again)
{
    for (int i = 0; i < 2 * MODELS; i++) {
        const char *model = models[i / 2];
        const struct outcome *outcome = i % 2 ? rigproof_good("dump", "--json", "--time", "0.37", model)
                                              : rigproof_good("inspect", "--json", model);
        struct error err = {0};
        SCOPED(text) again = {0};
        SCOPED_ARENA arena = arena_require(256 << 20);
        if (i % 2)
            pose_snapshot_write(pose_snapshot_read(outcome->out, outcome->out_size, model, arena, &err), &again);
        else
            import_snapshot_write(import_snapshot_read(outcome->out, outcome->out_size, model, arena, &err), &again);
        assert_string_equal(err.text, "");
        assert_string_equal(text_string(&again), outcome->out);
    }
}

/* A pose does not depend on what was sampled before it. */
SCRATCH_TEST(order_of_times_does_not_matter)
{
    for (int i = 0; i < MODELS; i++) {
        rigproof_good("dump", models[i], "--time", "0,0.2,0.4,0.6", "--json", "-o", "up/{time}");
        rigproof_good("dump", models[i], "--time", "0.6,0.4,0.2,0", "--json", "-o", "down/{time}");
        rigproof_good("dump", models[i], "--time", "0.4", "--json", "-o", "alone");
        assert_same_files("up/0.200", "down/0.200");
        assert_same_files("up/0.600", "down/0.600");
        assert_same_files("up/0.400", "alone");
    }
}

SCRATCH_TEST(locale_does_not_matter)
{
    char path[512];
    if (!german_locale(path))
        skip_because("no de_DE.UTF-8, and localedef cannot make it");
    static const char *const variables[] = {"LC_ALL=de_DE.UTF-8", "LC_NUMERIC=de_DE.UTF-8", "LANG=de_DE.UTF-8"};
    static const char *const formats[] = {"text", "json", "csv", "obj"};
    draw(&plain, models[0], "a.png");
    for (int e = 0; e < 3; e++) {
        const char *const environment[] = {path, variables[e], NULL};
        struct run_options german = {.environment = environment};
        for (int f = 0; f < 4; f++)
            assert_string_equal(
                rigproof_with(&german, "dump", models[4], "--time", "0.4", "--format", formats[f], NULL)->out,
                rigproof_good("dump", models[4], "--time", "0.4", "--format", formats[f])->out);
        assert_string_equal(rigproof_with(&german, "dump", models[5], "--frames", "0..3", "--fps", "3", "--velocities",
                                          "--format", "jsonl", NULL)->out,
                            rigproof_good("dump", models[5], "--frames", "0..3", "--fps", "3", "--velocities", "--format",
                                          "jsonl")->out);
        assert_string_equal(rigproof_with(&german, "inspect", models[0], NULL)->out,
                            rigproof_good("inspect", models[0])->out);
        draw(&german, models[0], "b.png");
        assert_same_files("a.png", "b.png");
    }
}

/* The same file through a link, another folder or as an absolute path is the same model. */
SCRATCH_TEST(path_does_not_matter)
{
    assert_int_equal(symlink(models[4], "twins.gltf"), 0);
    assert_string_equal(rigproof_good("dump", "twins.gltf", "--json")->out,
                        rigproof_good("dump", models[4], "--json")->out);
    assert_string_equal(rigproof_good("dump", "./twins.gltf", "--format", "csv")->out,
                        rigproof_good("dump", models[4], "--format", "csv")->out);
    assert_string_equal(rigproof_good("inspect", "twins.gltf", "--json")->out,
                        rigproof_good("inspect", models[4], "--json")->out);
}
