/* Numbers that no mistake makes: nothing explains them, whatever the seed. */
#include "replayed.h"

enum { SEEDS = 40 };

static void scramble(mat4 m, uint64_t *seed, double size)
{
    for (int i = 0; i < 12; i++)
        m[i / 3][i % 3] = (float)(size * builder_random(seed, -1, 1));
}

/* Theirs: locals, globals and entries, or entries alone, or all but the bones that differ least. */
static void explain_random(struct scene *scene, double time)
{
    for (uint32_t s = 0; s < SEEDS; s++) {
        uint64_t seed = 7919 * s + 1;
        BENCH b = bench_open(scene, 0, time);
        b.theirs->left_out = s % 4 == 0 ? POSE_SKIN : s % 4 == 1 && scene->binding_count > 0 ? POSE_SKIN | POSE_NODES : POSE_SKIN | POSE_PALETTE;
        const double size = pow(10, builder_random(&seed, -3, 3));
        for (uint32_t n = 0; n < b.theirs->node_count; n++) {
            mat4 local;
            memcpy(local, b.theirs->nodes[n].node_to_scene, sizeof local);
            scramble(local, &seed, size);
            affine_to_transform(local, &b.theirs->nodes[n].local);
            scramble(b.theirs->nodes[n].node_to_scene, &seed, size);
            b.theirs->nodes[n].left_out = s % 4 == 2 ? POSE_GLOBAL : s % 4 == 3 ? POSE_LOCAL : 0;
        }
        for (uint32_t i = 0; i < b.theirs->palette_count; i++)
            scramble(b.theirs->palette[i].mesh_to_scene, &seed, size);
        struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
        assert_true(diagnosis->differ > 0);
        if (diagnosis->full_count > 0)
            fail_msg("seed %u at %g s: random numbers are explained by %s to %g", s, time,
                     diagnosis->explanations[0].causes[0].id, diagnosis->explanations[0].residual);
    }
}

/* Halfway between equal keys the long way round has no direction: 0 / 0. */
TEST(a_skeleton_whose_keys_hold)
{
    static const float held[] = {0, 0.6f, 0, 0.8f, 0, 0.6f, 0, 0.8f};
    SCENE *scene = builder_scene(4);
    struct clip *clip = builder_clip(scene, 1);
    for (uint32_t n = 0; n < 4; n++)
        builder_keys(scene, &clip->channels[n], COMPONENT_ROTATION, INTERPOLATE_LINEAR, 2, (double[]){0, 1}, held);
    explain_random(scene, 0.5);
    explain_random(scene, 0.25);
}

TEST(a_character)
{
    SCENE *walker = assert_good(import_scene(FIXTURES "/walker/walker.glb", &import_defaults, err));
    explain_random(walker, 0.3);
}
