/*
 * Every form of every cause is replayed on fixtures, handed over as theirs in several parts, and must be among what explains it,
 * whatever else does; alone where nothing else can.
 */
#include <stdio.h>
#include <stdlib.h>

#include "replayed.h"

enum { PARTS = 4 };
static const char *const part_names[PARTS] = {"all", "palette", "nodes", "vertices"};

/* What theirs gives of it. */
static void give(struct bench *b, int part, bool is_twisted)
{
    static const unsigned left_out[PARTS] = {0, POSE_NODES | POSE_SKIN, POSE_PALETTE | POSE_SKIN, POSE_NODES | POSE_PALETTE};
    b->theirs->left_out = left_out[part];
    for (uint32_t i = 0; i < b->theirs->node_count; i++)
        b->theirs->nodes[i].left_out = (left_out[part] & POSE_NODES) | (is_twisted ? POSE_LOCAL : 0);
}

static uint32_t tried, alone, missed, first;

static void hand_over(struct bench *b, const struct form *form, int part)
{
    const char *id = cause_table[form->cause].id;
    give(b, part, form->way.at[SWITCH_LOCAL] != 0); /* no translation, rotation and scale are a transposed matrix */
    struct diagnosis *diagnosis = diagnose(&b->input, b->arena);
    bool is_there = false;
    if (diagnosis->differ == 0)
        return;
    tried++;
    for (uint32_t i = 0; i < diagnosis->full_count; i++)
        is_there = is_there || names_cause(&diagnosis->explanations[i], id);
    alone += is_there && diagnosis->full_count == 1;
    first += diagnosis->full_count > 0 && names_cause(&diagnosis->explanations[0], id);
    if (!is_there && getenv("VERBOSE"))
        printf("%s %s: %s (%s) is not found: %u full, first %s, displacement %g\n", b->scene->path, part_names[part], id,
               form->detail ? form->detail : "", diagnosis->full_count,
               diagnosis->explanation_count ? diagnosis->explanations[0].causes[0].id : "none", diagnosis->displacement);
    missed += !is_there;
    if (is_there && diagnosis->full_count > 1 && getenv("VERBOSE")) {
        printf("%s %s: %s (%s) is one of", b->scene->path, part_names[part], id, form->detail ? form->detail : "");
        for (uint32_t i = 0; i < diagnosis->full_count; i++)
            printf(" %s", diagnosis->explanations[i].causes[0].id);
        printf("\n");
    }
}

/* Every `steps`th form from `from` on, each in one part of what theirs may give, or with 1 step in all. */
static void every_form(const char *model, uint32_t clip, double share, uint32_t from, uint32_t steps)
{
    char path[512];
    struct error err = {0};
    snprintf(path, sizeof path, "%s/%s", model[0] == '/' ? "" : FIXTURES, model);
    struct scene *scene = import_scene(path, &import_defaults, &err);
    assert_non_null(scene);
    double time = clip < scene->clip_count ? share * scene->clips[clip].duration : 0;
    struct arena *arena = arena_require((size_t)1 << 34);
    struct bench plain = bench_open(scene, clip, time);
    struct form_list list = forms_create(&plain.input, arena);
    for (uint32_t i = from; i < list.count; i += steps) {
        bool is_short = list.forms[i].way.at[SWITCH_INDEX] && scene->binding_count < 4;
        if (is_short || (list.forms[i].way.at[SWITCH_TIME] && i % 7))
            continue; /* of a list of two, what is shifted in is half of all */
        for (int part = 0; part < PARTS; part++) {
            if (steps > 1 && i / steps % PARTS != (uint32_t)part)
                continue;
            struct bench b = bench_open(scene, clip, time);
            bench_replay(&b, &list.forms[i].way);
            hand_over(&b, &list.forms[i], part);
            bench_close(&b);
        }
    }
    bench_close(&plain);
    arena_destroy(arena);
    scene_free(scene);
}

static void what_was_done_is_among_what_explains_it(void **state)
{
    static const struct {
        const char *model;
        uint32_t clip;
        double share;
    } cases[] = {{"walker/walker.glb", 0, 0.37},  {"curves/curves.fbx", 0, 0.61}, {"limb/limb.dae", 0, 0.3},
                 {"shapes/shapes.gltf", 0, 0.45}, {"stride/stride.gltf", 0, 0.2}, {"strip/strip.gltf", 0, 0.77}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        every_form(cases[i].model, cases[i].clip, cases[i].share, (uint32_t)i, 6);
    assert_true(tried >= 100);
    assert_true(alone >= tried * 8 / 10);
    assert_int_equal(missed, 0);
}

int main(int argc, char **argv)
{
    if (argc == 5) { /* MODEL CLIP SHARE STEPS: all that can be said of a model */
        every_form(argv[1], (uint32_t)atoi(argv[2]), atof(argv[3]), 0, (uint32_t)atoi(argv[4]));
        printf("%u tried, %u missed, %u alone, %u first\n", tried, missed, alone, first);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_done_is_among_what_explains_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
