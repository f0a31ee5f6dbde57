/*
 * Every guess of every cause is replayed on fixtures, handed over as theirs in several parts, and must be among what explains it,
 * whatever else does; alone where nothing else can.
 */

#include "replayed.h"

enum { PARTS = 4 };
static const char *const part_names[PARTS] = {"all", "palette", "nodes", "vertices"};

/* Theirs gives this of it. */
static void give(struct bench *b, int part, bool is_twisted)
{
    static const unsigned left_out[PARTS] = {0, POSE_NODES | POSE_SKIN, POSE_PALETTE | POSE_SKIN,
                                             POSE_NODES | POSE_PALETTE};
    b->theirs->left_out = left_out[part];
    for (uint32_t i = 0; i < b->theirs->node_count; i++)
        b->theirs->nodes[i].left_out = (left_out[part] & POSE_NODES) | (is_twisted ? POSE_LOCAL : 0);
}

static uint32_t tried, alone, missed, first;

static void hand_over(struct bench *b, const struct guess *guess, int part)
{
    const char *id = cause_table[guess->cause].id;
    give(b, part,
         guess->variant.at[SWITCH_LOCAL] != 0); /* no translation, rotation and scale are a transposed matrix */
    struct diagnosis *diagnosis = diagnose(&b->input, b->arena);
    const bool is_there = is_named(diagnosis, id);
    if (diagnosis->differ == 0)
        return;
    tried++;
    alone += is_there && diagnosis->full_count == 1;
    first += diagnosis->full_count > 0 && names_cause(&diagnosis->explanations[0], id);
    if (!is_there && getenv("VERBOSE"))
        printf("%s %s: %s (%s) is not found: %u full, first %s, displacement %g\n", b->scene->path, part_names[part],
               id, guess->detail ? guess->detail : "", diagnosis->full_count,
               diagnosis->explanation_count ? diagnosis->explanations[0].causes[0].id : "none",
               diagnosis->displacement);
    missed += !is_there;
    if (is_there && diagnosis->full_count > 1 && getenv("VERBOSE")) {
        printf("%s %s: %s (%s) is one of", b->scene->path, part_names[part], id, guess->detail ? guess->detail : "");
        for (uint32_t i = 0; i < diagnosis->full_count; i++)
            printf(" %s", diagnosis->explanations[i].causes[0].id);
        printf("\n");
    }
}

/* Every `steps`th guess from `from` on, each in one part of what theirs may give, or with 1 step in all. */
static void every_guess(const char *model, uint32_t clip, double share, uint32_t from, uint32_t steps)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", model[0] == '/' ? "" : FIXTURES, model);
    SCENE *scene = assert_good(import_scene(path, &import_defaults, err));
    double time = clip < scene->clip_count ? share * scene->clips[clip].duration : 0;
    SCOPED_ARENA arena = arena_require((size_t)1 << 34);
    BENCH plain = bench_open(scene, clip, time);
    struct guess_list list = guesses_create(&plain.input, arena);
    for (uint32_t i = from; i < list.count; i += steps) {
        bool is_short = list.guesses[i].variant.at[SWITCH_INDEX] && scene->binding_count < 12;
        if (is_short || (list.guesses[i].variant.at[SWITCH_TIME] && i % 7))
            continue; /* of a list of two or three, what is shifted in is too much of all */
        for (int part = 0; part < PARTS; part++) {
            if (steps > 1 && i / steps % PARTS != (uint32_t)part)
                continue;
            BENCH b = bench_open(scene, clip, time);
            bench_replay(&b, &list.guesses[i].variant);
            hand_over(&b, &list.guesses[i], part);
        }
    }
}

TEST(what_was_done_is_among_what_explains_it)
{
    static const struct {
        const char *model;
        uint32_t clip;
        double share;
    } cases[] = {{"walker/walker.glb", 0, 0.37},  {"curves/curves.fbx", 0, 0.61}, {"limb/limb.dae", 0, 0.3},
                 {"shapes/shapes.gltf", 0, 0.45}, {"stride/stride.gltf", 0, 0.2}, {"strip/strip.gltf", 0, 0.77}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        every_guess(cases[i].model, cases[i].clip, cases[i].share, (uint32_t)i, 10);
    assert_true(tried >= 60);
    assert_true(alone >= tried * 8 / 10);
    assert_int_equal(missed, 0);
}

/* The vertices, the palette or the nodes are others than by the right variant. */
static bool is_seen(struct scene *scene, uint32_t clip, double time, const struct guess *guess)
{
    BENCH b = bench_open(scene, clip, time);
    bench_replay(&b, &guess->variant);
    return diagnose(&b.input, b.arena)->differ > 0;
}

/* Two guesses at once, drawn at random of those that each do something: what is named explains all, and holds both where neither is hidden by the other. */
static void pairs_of(const char *model, uint32_t clip, double share, uint32_t count, uint32_t seen[3])
{
    char path[512];
    uint64_t seed = 42;
    snprintf(path, sizeof path, "%s/%s", model[0] == '/' ? "" : FIXTURES, model);
    SCENE *scene = assert_good(import_scene(path, &import_defaults, err));
    double time = share * scene->clips[clip].duration;
    SCOPED_ARENA arena = arena_require((size_t)1 << 34);
    BENCH plain = bench_open(scene, clip, time);
    struct guess_list list = guesses_create(&plain.input, arena);
    while (count > 0) {
        const struct guess *a = &list.guesses[builder_random_index(&seed, list.count)];
        const struct guess *b = &list.guesses[builder_random_index(&seed, list.count)];
        struct variant variant;
        if (a->cause == b->cause || a->is_alone || b->is_alone || !variant_join(&a->variant, &b->variant, &variant) ||
            a->variant.at[SWITCH_LOCAL] || b->variant.at[SWITCH_LOCAL] || !is_seen(scene, clip, time, a) ||
            !is_seen(scene, clip, time, b))
            continue;
        BENCH both = bench_open(scene, clip, time);
        bench_replay(&both, &variant);
        struct diagnosis *diagnosis = diagnose(&both.input, both.arena);
        const struct explanation *best = diagnosis->explanations;
        bool is_right = false;
        for (uint32_t i = 0; i < diagnosis->full_count; i++)
            is_right = is_right || (names_cause(&best[i], cause_table[a->cause].id) &&
                                    names_cause(&best[i], cause_table[b->cause].id));
        bool is_single = diagnosis->full_count > 0 && best[0].cause_count == 1;
        if (diagnosis->differ > 0) {
            count--;
            seen[is_right ? 0 : is_single ? 1 : 2]++;
            if (!is_right && !is_single && getenv("VERBOSE"))
                printf("%s: %s (%s) + %s (%s): %u full, first %s %s, displacement %g\n", path, cause_table[a->cause].id,
                       a->detail ? a->detail : "", cause_table[b->cause].id, b->detail ? b->detail : "",
                       diagnosis->full_count, diagnosis->explanation_count ? best[0].causes[0].id : "none",
                       diagnosis->explanation_count && best[0].cause_count > 1 ? best[0].causes[1].id : "",
                       diagnosis->displacement);
        }
    }
}

TEST(two_at_once_are_found)
{
    uint32_t seen[3] = {0};
    pairs_of("walker/walker.glb", 0, 0.37, 5, seen);
    pairs_of("limb/limb.dae", 0, 0.3, 5, seen);
    assert_true(seen[0] >= 8);
    assert_true(seen[2] == 0);
}

/* What is not in the table is not named: one bone turned and all that follows it, all turned by a little each, one wrong entry. */
TEST(other_faults_have_no_name)
{
    uint64_t seed = 7;
    SCENE *scene = assert_good(import_scene(FIXTURES "/walker/walker.glb", &import_defaults, err));
    for (int round = 0; round < 3; round++) {
        BENCH b = bench_open(scene, 0, 0.37 * scene->clips[0].duration);
        uint32_t bone = builder_random_index(&seed, scene->node_count - 3) + 3;
        for (uint32_t n = 0; n < scene->node_count; n++) {
            struct transform turn = transform_identity;
            builder_random_rotation(&seed, turn.rotation);
            turn.translation[1] = (float)builder_random(&seed, -0.1, 0.1);
            mat4 by;
            affine_from_transform(&turn, by);
            if (round % 3 == 0 ? n == bone : round % 3 == 1)
                affine_mul(b.theirs->nodes[n].node_to_scene, by, b.theirs->nodes[n].node_to_scene);
        }
        if (round % 3 == 2)
            b.theirs->palette[bone % b.theirs->palette_count].mesh_to_scene[3][0] += 0.3f;
        struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
        assert_true(diagnosis->differ > 0);
        assert_int_equal(diagnosis->full_count, 0);
        assert_true(diagnosis->start_count > 0);
    }
}

int main(int argc, char **argv)
{
    if (argc == 5) { /* MODEL CLIP SHARE STEPS: all that can be said of a model */
        uint32_t seen[3] = {0};
        pairs_of(argv[1], (uint32_t)atoi(argv[2]), atof(argv[3]), 40, seen);
        printf("pairs: %u right, %u by a single, %u not\n", seen[0], seen[1], seen[2]);
        every_guess(argv[1], (uint32_t)atoi(argv[2]), atof(argv[3]), 0, (uint32_t)atoi(argv[4]));
        printf("%u tried, %u missed, %u alone, %u first\n", tried, missed, alone, first);
        return 0;
    }
    return run_listed(argc, argv);
}
