/* What the program writes of the fixtures is read and written again to the same bytes. */
#include "cmocka_setup.h"

#include "data/record/snapshot.h"
#include "run_binary.h"

enum { ROOM = 256 << 20 };

static const char *const models[] = {
    FIXTURES "/walker/walker.glb", FIXTURES "/walker/walker.fbx",      FIXTURES "/walker/walker.dae",
    FIXTURES "/strip/strip.gltf",  FIXTURES "/strip/morph.gltf",       FIXTURES "/crowd/crowd.glb",
    FIXTURES "/twins/twins.gltf",  FIXTURES "/pieces/body.glb",        FIXTURES "/pieces/steps.glb",
    FIXTURES "/ticks/ticks.x",     FIXTURES "/broken/unweighted.gltf",
};

static void written_again_it_is_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        for (int is_pose = 0; is_pose < 2; is_pose++) {
            const struct outcome *outcome = is_pose ? rigproof_good("dump", "--json", "--time", "0.37", models[i])
                                                    : rigproof_good("inspect", "--json", models[i]);
            struct error err = {0};
            struct text again = {0};
            struct arena *arena = arena_require(ROOM);
            if (is_pose)
                pose_snapshot_write(pose_snapshot_read(outcome->out, outcome->out_size, models[i], arena, &err), &again);
            else
                import_snapshot_write(import_snapshot_read(outcome->out, outcome->out_size, models[i], arena, &err), &again);
            assert_string_equal(err.text, "");
            assert_string_equal(text_string(&again), outcome->out);
            text_release(&again);
            arena_destroy(arena);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {scratch_test(written_again_it_is_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
