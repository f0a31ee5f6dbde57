/* NaN at each number that is compared, on either side: it is a difference that no tolerance allows. */
#include <float.h>

#include "compare/match/placement.h"
#include "compare/snapshot_builder.h"
#include "data/measure.h"

TEST(the_worse_of_two_is_never_nan)
{
    assert_true(worse(1, 2) == 2 && worse(2, 1) == 2 && worse(-1, 0) == 0 && worse(3, 3) == 3);
    assert_true(isinf(worse(NAN, 1)) && isinf(worse(1, NAN)) && isinf(worse(NAN, NAN)) && isinf(worse(INFINITY, NAN)));
}

/* The import's numbers, one after another: how many there are. */
static size_t import_numbers(struct import_snapshot *import, float **floats, double **doubles)
{
    size_t count = 0;
    struct mesh_snapshot *mesh = import->meshes;
    struct keys_snapshot *translation = &import->clips[0].channels[1].keys[COMPONENT_TRANSLATION];
    struct keys_snapshot *rotation = &import->clips[0].channels[1].keys[COMPONENT_ROTATION];
    float *const all[] = {&import->nodes[1].local_to_parent[3][1], &import->nodes[2].local_to_parent[1][2],
                          &mesh->min[0], &mesh->max[2], &mesh->bones[1].mesh_to_bone[2][0], &mesh->bones[1].mesh_to_bone[3][2],
                          &mesh->bones[0].sum, &mesh->bones[2].centroid[1], &translation->mean[1], &translation->rms[2],
                          &rotation->mean[3], &rotation->rms[0], &import->materials[0].base_color[2],
                          &import->cameras[0].fov_y, &mesh->normals.moments[3], &mesh->uvs.moments[1],
                          &mesh->positions.moments[2], &mesh->targets[0].largest, &mesh->targets[0].mean[1],
                          &translation->samples[4], &rotation->samples[4], &translation->times[2],
                          &import->materials[0].factors[0].values[0], &mesh->targets[0].weight};
    double *const more[] = {&import->clips[0].duration, &import->clips[1].ticks_per_second, &import->unit_meters,
                            &translation->first, &rotation->last};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        floats[count++] = all[i];
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++, count++) {
        floats[count] = NULL;
        doubles[count] = more[i];
    }
    return count;
}

/* Samples and moments, which the rig is without. */
static void fill(struct import_snapshot *import, struct arena *arena)
{
    struct mesh_snapshot *mesh = import->meshes;
    mesh->morph_targets = mesh->target_count = 1;
    mesh->targets = ARENA_NEW(arena, struct target_snapshot, 1);
    mesh->targets[0] = (struct target_snapshot){.name = "smile", .moved = 3, .largest = 0.1f, .mean = {0, 0.05f, 0}};
    mesh->normals = mesh->uvs = mesh->positions = (struct attribute_snapshot){.width = 2, .moments = {0.5f, 0.1f, 0.2f, 0.3f}};
    mesh->positions.width = mesh->normals.width = 3;
    import->samples = SAMPLES_MOST;
    for (int c = COMPONENT_TRANSLATION; c <= COMPONENT_ROTATION; c++) {
        struct keys_snapshot *keys = &import->clips[0].channels[1].keys[c];
        keys->times = ARENA_NEW(arena, float, keys->count);
        keys->samples = ARENA_NEW(arena, float, (size_t)keys->count * 3);
        keys->time_count = keys->count;
        keys->sample_count = keys->count * 3;
        for (uint32_t i = 0; i < keys->count; i++) {
            keys->times[i] = (float)(i * i) / 576.0f;
            keys->samples[3 * i + 1] = (float)i;
        }
    }
    import->materials[0].factors = ARENA_NEW(arena, struct factor_snapshot, 1);
    import->materials[0].factors[0] = (struct factor_snapshot){"metallic factor", 1, ARENA_NEW(arena, float, 1)};
    import->materials[0].factor_count = 1;
    import->materials[0].maps = ARENA_NEW(arena, struct map_snapshot, 1);
}

TEST(an_import_with_nan_differs)
{
    float *floats[64];
    double *doubles[64];
    struct two_imports two;
    for (size_t i = 0, count = 1; i < 2 * count; i++) {
        two = two_rigs();
        fill(two.golden, two.arena);
        fill(two.actual, two.arena);
        count = import_numbers(i % 2 ? two.golden : two.actual, floats, doubles);
        if (floats[i / 2])
            *floats[i / 2] = NAN;
        else
            *doubles[i / 2] = NAN;
        compare_import(two.golden, two.actual, NULL, &tolerance_defaults, &two.findings);
        if (findings_culprit(&two.findings) != STAGE_IMPORT)
            fail_msg("number %zu of %zu is NaN in %s: nothing is found", i / 2, count, i % 2 ? "the golden" : "theirs");
        for (size_t k = 0; k < two.findings.count; k++)
            assert_false(isinf(two.findings.items[k].displacement));
        arena_destroy(two.arena);
    }
}

TEST(a_pose_with_nan_differs)
{
    static const float weights[] = {0.5f};
    for (int i = 0; i < 2 * 14; i++) {
        struct two_poses two = two_rig_poses();
        vec3 points[2][2] = {{{0, 1, 0}, {1, 0, 0}}, {{0, 1, 0}, {1, 0, 0}}}, normals[2][2] = {{{0, 1, 0}, {1, 0, 0}}, {{0, 1, 0}, {1, 0, 0}}};
        float own[] = {0.5f};
        struct morph_weights_snapshot morphs[] = {{"body", "rig", 1, weights}, {"body", "rig", 1, own}};
        struct pose_snapshot *both[] = {two.golden, two.actual};
        const bool has_points = i / 2 >= 12;
        for (int k = 0; k < 2; k++) {
            both[k]->morphs = &morphs[k];
            both[k]->morph_count = 1;
            both[k]->skin[0].positions = has_points ? points[k] : NULL;
            both[k]->skin[0].normals = has_points ? normals[k] : NULL;
            both[k]->skin[0].position_count = both[k]->skin[0].normal_count = has_points ? 2 : 0;
            both[k]->skin[0].vertices = has_points ? 2 : 2000;
        }
        struct pose_snapshot *pose = i % 2 && i / 2 != 11 ? two.golden : two.actual;
        struct skin_snapshot *skin = pose->skin;
        float *const at[] = {&pose->nodes[2].local.translation[1], &pose->nodes[2].local.rotation[3],
                             &pose->nodes[4].local.scale[0], &pose->nodes[0].node_to_scene[3][0],
                             &pose->nodes[3].node_to_scene[1][1], &pose->palette[0].mesh_to_scene[3][2],
                             &pose->palette[2].mesh_to_scene[0][0], &skin->min[0], &skin->max[1], &skin->centroid[2],
                             &pose->nodes[1].node_to_scene[2][2], own, &points[pose == two.actual][1][2],
                             &normals[pose == two.actual][1][0]};
        *at[i / 2] = NAN;
        compare_pose(two.golden, two.actual, two.import, NULL, &two.findings, &two.errors);
        compare_skinned(two.golden, two.actual, two.import, NULL, false, &two.findings, &two.errors);
        if (findings_culprit(&two.findings) == STAGE_NONE)
            fail_msg("number %d is NaN in %s: nothing is found", i / 2, i % 2 ? "the golden" : "theirs");
        for (size_t k = 0; k < two.findings.count; k++)
            if (isinf(two.findings.items[k].displacement))
                fail_msg("number %d: %s", i / 2, two.findings.items[k].text);
        arena_destroy(two.arena);
    }
}

TEST(a_camera_with_nan_differs)
{
    const struct camera camera = {.eye = {0, 0, 5}, .target = {0, 0, 0}, .up = {0, 1, 0}, .fov_y = 0.8f, .near_plane = 1, .far_plane = 9};
    for (int i = 0; i < 4; i++) {
        SCOPED(text) how = {0};
        struct camera broken = camera;
        float *const at[] = {&broken.eye[2], &broken.fov_y, &broken.up[1], &broken.far_plane};
        *at[i] = NAN;
        assert_false(compare_cameras(&camera, &broken, 1, &how) <= tolerance_defaults.framing);
    }
}
