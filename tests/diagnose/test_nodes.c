/*
 * Mistakes that some bones have, and mistakes with drift beside them. What theirs gives is made here by the pipeline's own functions
 * from changed locals, or by the replay of a form at some nodes only.
 */
#include <stdio.h>
#include <stdlib.h>

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

static bool acts_on_one(const struct form *form)
{
    for (int at = 0; at < SWITCH_COUNT; at++)
        if (form->way.at[at] && (at == SWITCH_LEFT || at == SWITCH_CONJUGATE || at == SWITCH_LOCAL_AXES || at == SWITCH_INDEX ||
                                 at == SWITCH_NODES || at >= SWITCH_SKIN))
            return false;
    return true;
}

static void try_life(struct scene *scene, double time, const struct form *form, const struct form *other, enum life life,
                     uint64_t *seed)
{
    struct bench b = bench_open(scene, 0, time);
    const struct way **of_node = ARENA_NEW(b.arena, const struct way *, scene->node_count);
    struct way way = form->way;
    if (life <= HALF) {
        uint32_t one = scene->bindings[builder_random_index(seed, scene->binding_count)].node;
        uint32_t two = scene->bindings[builder_random_index(seed, scene->binding_count)].node;
        for (uint32_t n = 0; n < scene->node_count; n++)
            of_node[n] = life == HALF ? (n % 2 ? &form->way : NULL) : n == one ? &form->way : NULL;
        if (life == TWO_BONES && one != two)
            of_node[two] = &other->way;
        way = (struct way){.of_node = of_node};
    } else if (life == ROUNDED) {
        const struct way rounded = {.at[SWITCH_KEYS] = KEYS_BITS, .number[SWITCH_KEYS] = 16};
        if (!way_join(&form->way, &rounded, &way))
            return;
    }
    bench_replay(&b, &way);
    b.theirs->left_out = builder_random_index(seed, 2) ? POSE_SKIN | POSE_NODES : POSE_SKIN | POSE_PALETTE;
    for (uint32_t i = 0; i < b.theirs->node_count; i++)
        b.theirs->nodes[i].left_out = POSE_LOCAL;
    if (life == DRIFTING)
        drift(&b, seed, 1e-4);
    struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
    if (diagnosis->differ > 0 && diagnosis->displacement > 1e-3) {
        bool is_first = false, is_there = false;
        for (uint32_t i = 0; i < diagnosis->full_count; i++) {
            bool is = names_cause(&diagnosis->explanations[i], cause_table[form->cause].id) &&
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
                   cause_table[form->cause].id, form->detail ? form->detail : "",
                   life == TWO_BONES ? cause_table[other->cause].id : "",
                   diagnosis->explanation_count ? diagnosis->explanations[0].causes[0].id : "none", diagnosis->full_count,
                   diagnosis->explanation_count ? diagnosis->explanations[0].explains : 0, diagnosis->displacement);
    }
    bench_close(&b);
}

static void every_life(const char *path, double share, uint32_t steps)
{
    struct error err = {0};
    uint64_t seed = 11;
    struct scene *scene = import_scene(path, &import_defaults, &err);
    assert_non_null(scene);
    double time = share * scene->clips[0].duration;
    struct arena *arena = arena_require((size_t)1 << 34);
    struct bench plain = bench_open(scene, 0, time);
    struct form_list list = forms_create(&plain.input, arena);
    for (uint32_t i = 0; i < list.count; i += steps) {
        const struct form *other = &list.forms[builder_random_index(&seed, list.count)];
        for (enum life life = 0; life < LIVES; life++)
            if (acts_on_one(&list.forms[i]) && (life != TWO_BONES || acts_on_one(other)))
                try_life(scene, time, &list.forms[i], other, life, &seed);
    }
    bench_close(&plain);
    arena_destroy(arena);
    scene_free(scene);
}

int main(int argc, char **argv)
{
    if (argc == 4) { /* MODEL SHARE STEPS */
        every_life(argv[1], atof(argv[2]), (uint32_t)atoi(argv[3]));
        for (int i = 0; i < LIVES; i++)
            printf("%s: %u tried, %u first, %u among, %u wrong\n", life_names[i], seen[i], right[i], among[i], wrong[i]);
        return 0;
    }
    return 0;
}
