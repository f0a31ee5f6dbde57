/* From scenes to findings: snapshots that are gathered, written and read again, and snapshots that nobody would write. */
#include <float.h>

#include "compare/compare.h"
#include "compare/require_findings.h"
#include "data/sample_snapshot.h"
#include "data/tiny_scene.h"

struct two_scenes {
    struct scene *golden, *actual;
    struct findings findings;
    struct pose_errors errors;
};

static struct two_scenes two_scenes(void)
{
    return (struct two_scenes){tiny_scene(), tiny_scene(), {.arena = arena_create((size_t)16 << 20, ANY_ERROR)}, {0}};
}

static void drop(struct two_scenes *two)
{
    scene_free(two->golden);
    scene_free(two->actual);
    arena_destroy(two->findings.arena);
}

#define TWO_SCENES RELEASED_BY(drop) struct two_scenes

/* The scene's import.json, read again. */
static struct import_snapshot *read_again(const struct scene *scene, struct arena *arena)
{
    SCOPED(text) text = {0};
    import_snapshot_write(import_snapshot_gather(scene, arena), &text);
    return assert_good(import_snapshot_read(text.data, text.size, "import.json", arena, err));
}

static void compare_scenes(struct two_scenes *two)
{
    struct arena *arena = two->findings.arena;
    compare_import(read_again(two->golden, arena), import_snapshot_gather(two->actual, arena), NULL,
                   &tolerance_defaults, &two->findings);
    findings_sort(&two->findings);
}

static void compare_poses(struct two_scenes *two)
{
    struct arena *arena = two->findings.arena;
    compare_pose(pose_snapshot_gather(&tiny_pose(two->golden, "rig|walk")->record, arena),
                 pose_snapshot_gather(&tiny_pose(two->actual, "rig|walk")->record, arena),
                 import_snapshot_gather(two->golden, arena), NULL, &two->findings, &two->errors);
    findings_sort(&two->findings);
}

TEST(what_is_written_and_read_is_equal)
{
    TWO_SCENES two = two_scenes();
    compare_scenes(&two);
    compare_poses(&two);
    assert_int_equal(two.findings.count, 0);
    assert_int_equal(two.errors.count, 4 + 3 + 1); /* nodes, entries, and the root that has none */
}

/* An offset matrix that changed is the import's fault, and what it does to the palette the palette's. */
TEST(changed_offset_goes_through_the_stages)
{
    TWO_SCENES two = two_scenes();
    two.actual->meshes[0].bones[1].mesh_to_bone[3][0] += 0.5f;
    scene_bind(two.actual);
    compare_scenes(&two);
    assert_int_equal(two.findings.count, 1);
    assert_int_equal(two.findings.items[0].code, CODE_BONE_OFFSET);
    assert_string_equal(two.findings.items[0].subject, "tip \"x\"");
    assert_string_equal(two.findings.items[0].mesh, "body part");
    assert_float_equal(two.findings.items[0].distance, 0.5, 1e-6);
    compare_poses(&two);
    assert_int_equal(findings_culprit(&two.findings), STAGE_IMPORT);
    assert_int_equal(two.findings.count, 2);
    assert_int_equal(two.findings.items[1].stage, STAGE_PALETTE);
    assert_string_equal(two.findings.items[1].subject, "tip \"x\"");
    assert_float_equal(two.findings.items[1].distance, 0.5, 1e-6);
}

/* Numbers at the ends of the range, parents that are not there, counts of 2^32 - 1. */
TEST(awkward_snapshot_is_compared)
{
    struct findings findings = {.arena = arena_create((size_t)64 << 20, ANY_ERROR)};
    static const struct import_snapshot empty_import = {.model = "", .up = "y"};
    static const struct pose_snapshot empty_pose = {.model = "", .space = "root"};
    struct pose_errors errors;
    compare_import(&sample_import, &sample_import, NULL, &tolerance_defaults, &findings);
    compare_pose(&sample_pose, &sample_pose, &sample_import, NULL, &findings, &errors);
    compare_skinned(&sample_pose, &sample_pose, &sample_import, NULL, false, &findings, &errors);
    assert_int_equal(findings.count, 0);
    compare_import(&sample_import, &empty_import, NULL, &tolerance_defaults, &findings);
    compare_import(&empty_import, &sample_import, NULL, &tolerance_defaults, &findings);
    compare_pose(&sample_pose, &empty_pose, NULL, NULL, &findings, &errors);
    compare_skinned(&sample_pose, &empty_pose, NULL, &empty_import, false, &findings, &errors);
    compare_pose(&empty_pose, &sample_pose, &sample_import, NULL, &findings, &errors);
    compare_skinned(&empty_pose, &sample_pose, &sample_import, NULL, false, &findings, &errors);
    assert_true(findings.count > 0);
    arena_destroy(findings.arena);
}

/* Every number of the sample one after the other as large, small and negative as may be: no crash, no NaN that is told. */
TEST(any_number_may_be_any)
{
    static const float awkward[] = {FLT_MAX, -FLT_MAX, FLT_TRUE_MIN, 0, 1e-30f, -1e19f};
    for (size_t n = 0; n < sizeof awkward / sizeof awkward[0]; n++) {
        struct findings findings = {.arena = arena_create((size_t)64 << 20, ANY_ERROR)};
        for (int place = 0; place < 12; place++) {
            struct import_snapshot import = sample_import;
            struct node_snapshot nodes[3];
            struct mesh_snapshot meshes[2];
            struct bone_snapshot bones[2];
            struct pose_snapshot pose = sample_pose;
            struct pose_node_snapshot pose_nodes[2];
            struct palette_snapshot palette;
            struct pose_errors errors;
            memcpy(nodes, sample_import.nodes, sizeof nodes);
            memcpy(meshes, sample_import.meshes, sizeof meshes);
            memcpy(bones, meshes[0].bones, sizeof bones);
            memcpy(pose_nodes, sample_pose.nodes, sizeof pose_nodes);
            palette = sample_pose.palette[0];
            nodes[place % 3].local_to_parent[place / 3][place % 3] = awkward[n];
            bones[place % 2].mesh_to_bone[place / 3][place % 3] = awkward[n];
            bones[place % 2].centroid[place % 3] = awkward[n];
            meshes[0].max[place % 3] = awkward[n];
            pose_nodes[place % 2].local.translation[place % 3] = awkward[n];
            pose_nodes[place % 2].node_to_scene[place / 3][place % 3] = awkward[n];
            palette.mesh_to_scene[place / 3][place % 3] = awkward[n];
            meshes[0].bones = bones;
            import.nodes = nodes;
            import.meshes = meshes;
            pose.nodes = pose_nodes;
            pose.palette = &palette;
            struct skin_snapshot skin = sample_pose.skin[0];
            skin.min[place % 3] = -fabsf(awkward[n]);
            skin.centroid[place % 3] = awkward[n];
            pose.skin = &skin;
            pose.skin_count = 1;
            compare_import(&sample_import, &import, NULL, &tolerance_defaults, &findings);
            compare_import(&import, &sample_import, NULL, &tolerance_defaults, &findings);
            compare_pose(&sample_pose, &pose, &sample_import, NULL, &findings, &errors);
            compare_skinned(&sample_pose, &pose, &sample_import, &import, false, &findings, &errors);
            compare_pose(&pose, &sample_pose, NULL, NULL, &findings, &errors);
            compare_skinned(&pose, &sample_pose, NULL, &import, false, &findings, &errors);
            for (size_t i = 0; i < errors.count; i++)
                assert_false(isnan(errors.items[i].displacement));
        }
        for (size_t i = 0; i < findings.count; i++)
            assert_true(!strstr(findings.items[i].text, "nan") && !isinf(findings.items[i].displacement));
        arena_destroy(findings.arena);
    }
}
