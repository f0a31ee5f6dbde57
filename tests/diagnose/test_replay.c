/* The replay without a mistake is the pipeline, on every fixture, clip and a dozen times. */

#include "replayed.h"

static void same_as_the_pipeline(struct scene *scene, uint32_t clip, double time)
{
    BENCH b = bench_open(scene, clip, time);
    struct replay *replay = replay_create(&b.input, b.arena);
    double size = 1e-6, worst = 0;
    for (uint32_t n = 0; n < scene->node_count; n++) {
        struct matrix global = replay_global(replay, n);
        for (int i = 0; i < 16; i++) {
            size = fmax(size, fabs((double)b.pose.node_to_scene[n][i / 4][i % 4]));
            worst = fmax(worst, fabs(global.at[i / 4][i % 4] - b.pose.node_to_scene[n][i / 4][i % 4]));
        }
    }
    if (!(worst <= 5e-6 * size))
        fail_msg("%s, clip %u at %g: a global is off by %g of %g", scene->path, clip, time, worst, size);
    for (uint32_t i = 0; i < scene->binding_count; i++) {
        struct matrix entry;
        assert_true(replay_entry(replay, i, &entry));
        for (int k = 0; k < 16; k++) {
            size = fmax(size, fabs((double)b.palette.mesh_to_scene[i][k / 4][k % 4]));
            worst = fmax(worst, fabs(entry.at[k / 4][k % 4] - b.palette.mesh_to_scene[i][k / 4][k % 4]));
        }
    }
    if (!(worst <= 1e-5 * size))
        fail_msg("%s, clip %u at %g: an entry is off by %g of %g", scene->path, clip, time, worst, size);
    for (uint32_t i = 0; i < scene->instance_count; i++)
        for (uint32_t v = 0; v < b.skinned[i].vertex_count; v += 7) {
            double position[3], normal[3];
            assert_true(replay_vertex(replay, i, v, position, normal));
            for (int k = 0; k < 3; k++) {
                worst = fmax(worst, fabs(position[k] - b.skinned[i].positions[v][k]));
                worst = fmax(worst, 0.1 * fabs(normal[k] - b.skinned[i].normals[v][k]));
            }
        }
    if (!(worst <= 2e-5 * size))
        fail_msg("%s, clip %u at %g: a vertex is off by %g of %g", scene->path, clip, time, worst, size);
    struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
    if (diagnosis->differ > 0 || diagnosis->explanation_count > 0)
        fail_msg("%s, clip %u at %g: a healthy pose is diagnosed", scene->path, clip, time);
}

static const char *const models[] = {"walker/walker.glb",
                                     "walker/walker.fbx",
                                     "curves/curves.fbx",
                                     "curves/pivot.fbx",
                                     "limb/limb.dae",
                                     "limb/limb.mdl",
                                     "ticks/ticks.x",
                                     "crowd/crowd.glb",
                                     "ends/ends.gltf",
                                     "twins/twins.gltf",
                                     "stride/stride.gltf",
                                     "sheaf/sheaf.x",
                                     "shapes/shapes.gltf",
                                     "strip/morph.gltf",
                                     "strip/strip.gltf",
                                     "walker/walker.dae",
                                     "pieces/steps.glb",
                                     "curves/weight.fbx",
                                     "broken/unnormalised-weights.gltf",
                                     "surfaces/surfaces.gltf"};

TEST(without_a_mistake_it_is_the_pipeline)
{
    uint32_t seen = 0;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", FIXTURES, models[i]);
        SCENE *scene = import_scene(path, &import_defaults, ANY_ERROR);
        if (!scene)
            continue;
        seen++;
        for (uint32_t c = 0; c <= scene->clip_count; c++) {
            double duration = c < scene->clip_count ? scene->clips[c].duration : 0;
            for (int t = 0; t < 12 && (t == 0 || duration > 0); t++)
                same_as_the_pipeline(scene, c, duration * t / 11);
        }
    }
    assert_true(seen >= 8);
}
