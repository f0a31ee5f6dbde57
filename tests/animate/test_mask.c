/* Which nodes a mask has, and that it leaves the others alone. */
#include "cmocka_setup.h"

#include "animate/mask.h"
#include "animate/pose_builder.h"

/*
 *  0 ─ 1 ─ 2 ─ 3
 *      │   └─ 4
 *      └─ 5 ─ 6
 *  7 hangs on 0
 */
enum { NODES = 8 };
static const int32_t parents[NODES] = {-1, 0, 1, 2, 2, 1, 5, 0};

static struct scene *tree(void)
{
    struct scene *scene = builder_scene(NODES);
    for (uint32_t n = 0; n < NODES; n++)
        scene->nodes[n].parent = parents[n];
    return scene;
}

static void owners_are(const uint32_t *bones, uint32_t count, const int32_t want[NODES])
{
    struct scene *scene = tree();
    int32_t owners[NODES];
    mask_owners(scene, bones, count, owners);
    for (uint32_t n = 0; n < NODES; n++)
        if (owners[n] != want[n])
            fail_msg("node %u belongs to %d, not %d", n, owners[n], want[n]);
    scene_free(scene);
}

static void a_bone_and_all_below_it(void **state)
{
    (void)state;
    owners_are((uint32_t[]){2}, 1, (int32_t[]){-1, -1, 0, 0, 0, -1, -1, -1});
    owners_are((uint32_t[]){6}, 1, (int32_t[]){-1, -1, -1, -1, -1, -1, 0, -1});
    owners_are((uint32_t[]){0}, 1, (int32_t[]){0, 0, 0, 0, 0, 0, 0, 0});
    owners_are(NULL, 0, (int32_t[]){-1, -1, -1, -1, -1, -1, -1, -1});
}

static void the_deeper_wins_in_any_order(void **state)
{
    (void)state;
    owners_are((uint32_t[]){1, 2}, 2, (int32_t[]){-1, 0, 1, 1, 1, 0, 0, -1});
    owners_are((uint32_t[]){2, 1}, 2, (int32_t[]){-1, 1, 0, 0, 0, 1, 1, -1});
    owners_are((uint32_t[]){3, 1, 5}, 3, (int32_t[]){-1, 1, 1, 0, 1, 2, 2, -1});
}

static void others_stay_bit_by_bit(void **state)
{
    (void)state;
    uint64_t seed = 9;
    struct scene *scene = tree();
    struct pose base = pose_create(scene, scene->arena), other = pose_create(scene, scene->arena);
    struct pose out = pose_create(scene, scene->arena);
    int32_t owners[NODES];
    random_pose(&seed, &base);
    random_pose(&seed, &other);
    for (uint32_t n = 0; n < NODES; n++) {
        set_node(&out, n, &base.local[n]);
    }
    mask_owners(scene, (uint32_t[]){5}, 1, owners);
    mask_apply(owners, 0, &other, &out);
    for (uint32_t n = 0; n < NODES; n++)
        assert_true(same_local(&out, n == 5 || n == 6 ? &other : &base, n));
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bone_and_all_below_it),
        cmocka_unit_test(the_deeper_wins_in_any_order),
        cmocka_unit_test(others_stay_bit_by_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
