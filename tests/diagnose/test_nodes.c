/*
 * Mistakes that some bones have, and mistakes with drift beside them. What theirs gives is made here by the pipeline's own functions
 * from changed locals, or by the replay of a guess at some nodes only.
 */

#include "diagnose/search.h"
#include "replayed.h"

enum life { ONE_BONE, TWO_BONES, HALF, ROUNDED, DRIFTING, LIVES };
static const char *const life_names[LIVES] = {"one bone", "two bones", "half", "keys of 16 bits", "drift"};
static uint32_t seen[LIVES], right[LIVES], among[LIVES], wrong[LIVES];

/* Theirs' numbers, each off by as much as floats of few bits are. */
static void drift(struct bench *b, uint64_t *seed, double size)
{
    for (uint32_t i = 0; i < b->theirs->palette_count; i++)
        for (int k = 0; k < 12; k++) {
            float *at = &b->theirs->palette[i].mesh_to_scene[k / 3][k % 3];
            *at += (float)(size * builder_random(seed, -1, 1));
        }
    for (uint32_t i = 0; i < b->theirs->node_count; i++)
        for (int k = 0; k < 12; k++)
            b->theirs->nodes[i].node_to_scene[k / 3][k % 3] += (float)(size * builder_random(seed, -1, 1));
}

static bool acts_on_one(const struct guess *guess)
{
    for (int at = 0; at < SWITCH_COUNT; at++)
        if (guess->variant.at[at] && (at == SWITCH_LEFT || at == SWITCH_CONJUGATE || at == SWITCH_LOCAL_AXES || at == SWITCH_INDEX ||
                                 at == SWITCH_NODES || at >= SWITCH_SKIN))
            return false;
    return true;
}

static void try_life(struct scene *scene, double time, const struct guess *guess, const struct guess *other, enum life life,
                     uint64_t *seed)
{
    BENCH b = bench_open(scene, 0, time);
    const struct variant **of_node = ARENA_NEW(b.arena, const struct variant *, scene->node_count);
    struct variant variant = guess->variant;
    if (life <= HALF) {
        uint32_t one = scene->bindings[builder_random_index(seed, scene->binding_count)].node;
        uint32_t two = scene->bindings[builder_random_index(seed, scene->binding_count)].node;
        for (uint32_t n = 0; n < scene->node_count; n++)
            of_node[n] = life == HALF ? (n % 2 ? &guess->variant : NULL) : n == one ? &guess->variant : NULL;
        if (life == TWO_BONES && one != two)
            of_node[two] = &other->variant;
        variant = (struct variant){.of_node = of_node};
    } else if (life == ROUNDED) {
        const struct variant rounded = {.at[SWITCH_KEYS] = KEYS_BITS, .number[SWITCH_KEYS] = 16};
        if (!variant_join(&guess->variant, &rounded, &variant))
            return;
    }
    bench_replay(&b, &variant);
    b.theirs->left_out = builder_random_index(seed, 2) ? POSE_SKIN | POSE_NODES : POSE_SKIN | POSE_PALETTE;
    for (uint32_t i = 0; i < b.theirs->node_count; i++)
        b.theirs->nodes[i].left_out = POSE_LOCAL;
    if (life == DRIFTING)
        drift(&b, seed, 1e-4);
    struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
    if (diagnosis->differ > 0 && diagnosis->displacement > 1e-3) {
        bool is_first = false, is_there = false;
        for (uint32_t i = 0; i < diagnosis->full_count; i++) {
            bool is = names_cause(&diagnosis->explanations[i], cause_table[guess->cause].id) &&
                      (life != TWO_BONES || names_cause(&diagnosis->explanations[i], cause_table[other->cause].id));
            is_first = is_first || (is && i == 0);
            is_there = is_there || is;
        }
        seen[life]++;
        right[life] += is_first;
        among[life] += is_there && !is_first;
        wrong[life] += diagnosis->full_count > 0 && !is_there;
        if (!is_there && getenv("VERBOSE"))
            printf("%s, %s: %s (%s) [%s]: first %s of %u, explains %.4f, displacement %g\n", scene->path, life_names[life],
                   cause_table[guess->cause].id, guess->detail ? guess->detail : "",
                   life == TWO_BONES ? cause_table[other->cause].id : "",
                   diagnosis->explanation_count ? diagnosis->explanations[0].causes[0].id : "none", diagnosis->full_count,
                   diagnosis->explanation_count ? diagnosis->explanations[0].explains : 0, diagnosis->displacement);
    }
}

static void every_life(const char *path, double share, uint32_t steps)
{
    uint64_t seed = 11;
    SCENE *scene = assert_good(import_scene(path, &import_defaults, err));
    double time = share * scene->clips[0].duration;
    SCOPED_ARENA arena = arena_require((size_t)1 << 34);
    BENCH plain = bench_open(scene, 0, time);
    struct guess_list list = guesses_create(&plain.input, arena);
    for (uint32_t i = 0; i < list.count; i += steps) {
        const struct guess *other = &list.guesses[builder_random_index(&seed, list.count)];
        for (enum life life = 0; life < LIVES; life++)
            if (acts_on_one(&list.guesses[i]) && (life != TWO_BONES || acts_on_one(other)))
                try_life(scene, time, &list.guesses[i], other, life, &seed);
    }
}

/* Theirs again from locals that the test has changed, by the pipeline. */
static void from_locals(struct bench *b, struct pose *pose)
{
    palette_globals(b->scene, pose);
    palette_compute(b->scene, pose, SPACE_SCENE, &b->palette);
    bench_palette(b, &b->palette);
    for (uint32_t n = 0; n < b->scene->node_count; n++) {
        memcpy(b->theirs->nodes[n].node_to_scene, pose->node_to_scene[n], sizeof(mat4));
        b->theirs->nodes[n].left_out = POSE_LOCAL;
    }
    b->theirs->left_out = POSE_SKIN;
}

static uint32_t node_of(const struct scene *scene, const char *name)
{
    for (uint32_t n = 0; n < scene->node_count; n++)
        if (strcmp(scene->nodes[n].name, name) == 0)
            return n;
    fail_msg("no node is called %s", name);
    return 0;
}

static void set_rest(const struct scene *scene, struct pose *pose, uint32_t n)
{
    memcpy(pose->local_to_parent[n], scene->nodes[n].local_to_parent, sizeof(mat4));
}

static struct scene *open_walker(void)
{
    return assert_good(import_scene(FIXTURES "/walker/walker.glb", &import_defaults, err));
}

static const struct cause *cause_at(const struct explanation *explanation, const char *bone)
{
    for (uint32_t i = 0; i < explanation->cause_count; i++)
        for (uint32_t k = 0; k < explanation->causes[i].bone_count; k++)
            if (strcmp(explanation->causes[i].bones[k], bone) == 0)
                return &explanation->causes[i];
    fail_msg("nothing is said of %s", bone);
    return NULL;
}

/* What follows the bone differs as well, and is not named. From all that is given, and from the palette alone. */
TEST(one_bone_stays_at_rest)
{
    SCENE *scene = open_walker();
    for (int palette_alone = 0; palette_alone < 2; palette_alone++) {
        BENCH b = bench_open(scene, 0, 0.3);
        set_rest(scene, &b.pose, node_of(scene, "upper_arm_L"));
        from_locals(&b, &b.pose);
        if (palette_alone)
            b.theirs->left_out |= POSE_NODES;
        struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
        assert_true(diagnosis->differ > 1);
        assert_true(diagnosis->full_count > 0);
        assert_int_equal(diagnosis->explanations[0].cause_count, 1);
        assert_true(diagnosis->explanations[0].explains >= 1);
        assert_string_equal(cause_at(&diagnosis->explanations[0], "upper_arm_L")->id, "not-animated");
        assert_int_equal(diagnosis->explanations[0].causes[0].bone_count, 1);
    }
}

TEST(two_bones_with_two_mistakes_are_two_findings)
{
    SCENE *scene = open_walker();
    BENCH b = bench_open(scene, 0, 0.3);
    const uint32_t left_arm = node_of(scene, "upper_arm_L"), right_arm = node_of(scene, "upper_arm_R"), tail = node_of(scene, "tail_1");
    set_rest(scene, &b.pose, tail);
    memcpy(b.pose.local_to_parent[left_arm], b.pose.local_to_parent[right_arm], sizeof(mat4));
    from_locals(&b, &b.pose);
    struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
    assert_true(diagnosis->full_count > 0);
    assert_int_equal(diagnosis->explanations[0].cause_count, 2);
    assert_string_equal(cause_at(&diagnosis->explanations[0], "tail_1")->id, "not-animated");
    const struct cause *other = NULL; /* a mirrored pose is also a transposed one: both are named */
    for (uint32_t i = 0; i < diagnosis->full_count; i++) {
        const struct cause *cause = cause_at(&diagnosis->explanations[i], "upper_arm_L");
        other = strcmp(cause->id, "channel-of-other-bone") == 0 ? cause : other;
    }
    assert_non_null(other);
    assert_non_null(strstr(other->detail, "upper_arm_R"));
}

TEST(two_bones_play_each_others_channel)
{
    SCENE *scene = open_walker();
    BENCH b = bench_open(scene, 0, 0.3);
    const uint32_t arm = node_of(scene, "upper_arm_L"), tail = node_of(scene, "tail_1");
    mat4 was;
    memcpy(was, b.pose.local_to_parent[arm], sizeof was);
    memcpy(b.pose.local_to_parent[arm], b.pose.local_to_parent[tail], sizeof was);
    memcpy(b.pose.local_to_parent[tail], was, sizeof was);
    from_locals(&b, &b.pose);
    struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
    assert_true(diagnosis->full_count > 0);
    assert_int_equal(diagnosis->explanations[0].cause_count, 1);
    assert_string_equal(diagnosis->explanations[0].causes[0].id, "channel-of-other-bone");
    assert_int_equal(diagnosis->explanations[0].causes[0].bone_count, 0);
}

/* A wrong offset concerns one entry, and none of the bones below. */
TEST(one_entry_lacks_its_offset)
{
    SCENE *scene = open_walker();
    BENCH b = bench_open(scene, 0, 0.3);
    const uint32_t arm = node_of(scene, "upper_arm_L");
    from_locals(&b, &b.pose);
    b.theirs->left_out |= POSE_NODES;
    for (uint32_t i = 0; i < scene->binding_count; i++)
        if (scene->bindings[i].node == arm)
            memcpy(b.theirs->palette[i].mesh_to_scene, b.pose.node_to_scene[arm], sizeof(mat4));
    struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
    assert_true(diagnosis->full_count > 0);
    assert_string_equal(cause_at(&diagnosis->explanations[0], "upper_arm_L")->id, "offset-missing");
    assert_int_equal(diagnosis->explanations[0].causes[0].bone_count, 1);
}

/* Noise of a hundred thousandth to a thousandth of the model hides no mistake that is much larger, and is told with its size. */
TEST(drift_is_told_beside_the_cause)
{
    SCENE *scene = open_walker();
    uint64_t seed = 3;
    for (double size = 1e-4; size < 2e-3; size *= 4) {
        BENCH b = bench_open(scene, 0, 0.3);
        for (uint32_t n = 0; n < scene->node_count; n++) {
            struct transform parts;
            affine_to_transform(b.pose.local_to_parent[n], &parts);
            for (int i = 0; i < 3; i++)
                parts.rotation[i] *= -1;
            affine_from_transform(&parts, b.pose.local_to_parent[n]);
        }
        from_locals(&b, &b.pose);
        drift(&b, &seed, size);
        struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
        assert_true(diagnosis->full_count > 0);
        const struct explanation *best = &diagnosis->explanations[0];
        assert_true(names_cause(best, "quaternion-conjugated"));
        assert_true(best->explains >= 0.99 && best->explains < 1);
        assert_true(best->drift.size > 0.3 * size && best->drift.size < 100 * size);
    }
}

/* Keys of 16 bits alone, and beside another mistake: what they are is told. */
TEST(rounded_keys_are_told_as_drift)
{
    SCENE *scene = open_walker();
    BENCH b = bench_open(scene, 0, 0.3);
    const struct variant variant = {.at[SWITCH_KEYS] = KEYS_BITS, .number[SWITCH_KEYS] = 16, .at[SWITCH_PRODUCT] = PRODUCT_REVERSED};
    bench_replay(&b, &variant);
    b.theirs->left_out = POSE_SKIN | POSE_NODES;
    struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
    assert_int_equal(diagnosis->full_count, 1);
    assert_int_equal(diagnosis->explanations[0].cause_count, 1);
    assert_string_equal(diagnosis->explanations[0].causes[0].id, "offset-order");
    assert_non_null(diagnosis->explanations[0].drift.like);
    assert_string_equal(diagnosis->explanations[0].drift.like, "keys-quantised");
}

/* Where one bone moves many a time is near: within a twelfth of what it is off by is no evidence. */
TEST(a_time_that_is_only_near_is_no_cause)
{
    SCENE *scene = open_walker();
    const uint32_t tail = node_of(scene, "tail_1");
    for (uint32_t i = 0; i < scene->clips[0].channel_count; i++)
        if (scene->clips[0].channels[i].node != (int32_t)tail)
            scene->clips[0].channels[i].node = NO_INDEX;
    for (int is_near = 0; is_near < 2; is_near++) {
        BENCH b = bench_open(scene, 0, 0.3), early = bench_open(scene, 0, 0.3 + 1.0 / 24);
        struct transform now, then, odd = transform_identity;
        mat4 turn;
        affine_to_transform(b.pose.local_to_parent[tail], &now);
        affine_to_transform(early.pose.local_to_parent[tail], &then);
        double dot = 0;
        for (int i = 0; i < 4; i++)
            dot += (double)now.rotation[i] * (double)then.rotation[i];
        odd.rotation[1] = (float)sin(acos(fmin(fabs(dot), 1)) / 12);
        odd.rotation[3] = sqrtf(1 - odd.rotation[1] * odd.rotation[1]);
        affine_from_transform(&odd, turn);
        memcpy(b.pose.local_to_parent[tail], early.pose.local_to_parent[tail], sizeof(mat4));
        if (is_near)
            affine_mul(b.pose.local_to_parent[tail], turn, b.pose.local_to_parent[tail]);
        from_locals(&b, &b.pose);
        b.theirs->left_out |= POSE_NODES;
        struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
        assert_true(diagnosis->displacement > 1e-3);
        assert_int_equal(diagnosis->full_count > 0, !is_near);
    }
}

TEST(most_forms_are_found_at_some_bones_and_with_drift)
{
    every_life(FIXTURES "/walker/walker.glb", 0.37, 31);
    every_life(FIXTURES "/limb/limb.dae", 0.3, 41);
    for (int life = 0; life < LIVES; life++) {
        if (life == TWO_BONES) /* of which one is often inert */
            continue;
        assert_true(seen[life] >= 8);
        assert_true(10 * (right[life] + among[life]) >= 8 * seen[life]);
        assert_true(10 * wrong[life] <= seen[life]);
    }
}

int main(int argc, char **argv)
{
    if (argc == 4) { /* MODEL SHARE STEPS: how often each guess is found */
        every_life(argv[1], atof(argv[2]), (uint32_t)atoi(argv[3]));
        for (int i = 0; i < LIVES; i++)
            printf("%s: %u tried, %u first, %u among, %u wrong\n", life_names[i], seen[i], right[i], among[i], wrong[i]);
        return 0;
    }
    return run_listed(argc, argv);
}
