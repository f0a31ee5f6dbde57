/* The numbers of the views on a scale of colours, against closed forms. */

#include "scene_builder.h"
#include "pipeline/view_values.h"

static const double pi = 3.14159265358979323846;

enum { VERTICES = 5 };

/* Within 4e-5, relative where it is large: a speed has the rounding of floats times 240. */
static void assert_near(double actual, double expected)
{
    if (!(fabs(actual - expected) <= 4e-5 * fmax(1, fabs(expected))))
        fail_msg("%.9g, not %.9g", actual, expected);
}

/* Vertices 1, 2, 1, 0 and 3 from the z axis; two triangles, the second without area. Nodes: a root and two bones at the origin. */
static struct scene *scene_by_hand(uint32_t per_vertex, const struct influence *influences)
{
    static const float positions[VERTICES][3] = {{1, 0, 0}, {0, 2, 0}, {0, 1, 4}, {0, 0, 1}, {3, 0, 0}};
    static const uint32_t indices[6] = {0, 1, 2, 0, 4, 0};
    struct scene *scene = builder_scene(3);
    struct mesh *mesh = builder_mesh(scene, 0, VERTICES, 2);
    scene->nodes[2].parent = 0;
    scene->material_count = 1;
    scene->materials = ARENA_NEW(scene->arena, struct material, 1);
    scene->materials[0] = (struct material){.name = "material", .base_texture = NO_INDEX};
    memcpy(mesh->positions, positions, sizeof positions);
    mesh->triangle_count = 2;
    mesh->indices = ARENA_NEW(scene->arena, uint32_t, 6);
    memcpy(mesh->indices, indices, sizeof indices);
    mesh->bones[0].node = 1;
    mesh->bones[1].node = 2;
    builder_influences(scene, mesh, per_vertex, influences);
    return scene;
}

static const struct influence by_first[VERTICES] = {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}};
static const struct influence by_both[2 * VERTICES] = {{0, 0.5f}, {1, 0.5f}, {0, 0.5f}, {1, 0.5f}, {0, 0.5f},
                                                       {1, 0.5f}, {0, 0.5f}, {1, 0.5f}, {0, 0.5f}, {1, 0.5f}};

/* The first bone turns about z by a quarter in two seconds. */
static struct scene *turning(const struct influence *influences, uint32_t per_vertex)
{
    struct scene *scene = scene_by_hand(per_vertex, influences);
    struct clip *clip = builder_clip(scene, 2);
    const float half = (float)sqrt(0.5);
    builder_keys(scene, &clip->channels[1], COMPONENT_ROTATION, INTERPOLATE_LINEAR, 2, (double[]){0, 2},
                 (float[]){0, 0, 0, 1, 0, 0, half, half});
    scene_bind(scene);
    return scene;
}

/* It grows to twice its size in two seconds. */
static struct scene *growing(void)
{
    struct scene *scene = scene_by_hand(1, by_first);
    struct clip *clip = builder_clip(scene, 2);
    builder_keys(scene, &clip->channels[1], COMPONENT_SCALE, INTERPOLATE_LINEAR, 2, (double[]){0, 2}, (float[]){1, 1, 1, 2, 2, 2});
    scene_bind(scene);
    return scene;
}

static void set(struct settings *s, const char *name, const char *value)
{
    assert_good(settings_set(s, name, value, err));
}

static struct settings settings_of(const char *view)
{
    struct settings s;
    settings_init(&s);
    set(&s, "view", view);
    return s;
}

/* The numbers at a time, in `out`; what the legend says. */
static struct frame_settings values_at(struct scene *scene, const struct settings *s, double time, float *out)
{
    struct pipeline p;
    struct posed_crowd crowd;
    struct frame_settings shown = {.width = 1};
    const struct bounds one = bounds_empty();
    assert_good(pipeline_begin(&p, scene, s, err) && pipeline_pose(&p, time, err));
    const struct crowd_member own = {.palette = &p.palette, .pose = &p.pose};
    assert_good(crowd_pose(&crowd, &p, time, &one, &own, err) && view_values_add(&crowd, &p, time, &shown, err));
    assert_true(p.time == time);
    for (uint32_t m = 0; m < (crowd.crowd.count ? crowd.crowd.count : 1); m++)
        memcpy(out + m * color_scale_total(p.values->scale, scene), crowd.crowd.members[m].values,
               color_scale_total(p.values->scale, scene) * sizeof(float));
    crowd_release(&crowd);
    pipeline_end(&p);
    return shown;
}

TEST(a_turn_displaces_by_the_chord)
{
    SCENE *scene = turning(by_first, 1);
    SCOPED(settings) s = settings_of("displacement");
    float values[VERTICES];
    const struct frame_settings shown = values_at(scene, &s, 1, values);
    static const double radii[VERTICES] = {1, 2, 1, 0, 3};
    for (int v = 0; v < VERTICES; v++)
        assert_near((double)values[v], 2 * radii[v] * sin(pi / 8)); /* 45 degrees */
    assert_string_equal(shown.legend, "displacement (units)\n0 to 2.3");
    scene->unit_meters = 0.01;
    const struct frame_settings in_cm = values_at(scene, &s, 0, values);
    assert_string_equal(in_cm.legend, "displacement (cm)\n0 to 0");
}

/* Half and half, one bone of them turned: linear skinning goes straight, dual quaternions along the arc. */
TEST(skinning_is_that_of_the_picture)
{
    SCENE *scene = turning(by_both, 2);
    SCOPED(settings) s = settings_of("displacement");
    float values[VERTICES];
    set(&s, "wrap", "clamp");
    values_at(scene, &s, 2, values); /* a quarter */
    assert_near((double)values[4], 3 * sqrt(0.5));
    set(&s, "skinning", "dual-quaternion");
    values_at(scene, &s, 2, values);
    assert_near((double)values[4], 2 * 3 * sin(pi / 8));
}

/* One of two bones rests turned by 30 degrees against the bind pose, in which nothing is displaced. */
TEST(displacement_is_from_the_bind_pose)
{
    SCENE *scene = scene_by_hand(2, by_both);
    SCOPED(settings) s = settings_of("displacement");
    float values[VERTICES];
    struct transform turned = transform_identity;
    turned.rotation[2] = (float)sin(pi / 12);
    turned.rotation[3] = (float)cos(pi / 12);
    builder_rest(scene, 1, turned);
    scene_bind(scene);
    set(&s, "clip", "rest");
    values_at(scene, &s, 0, values);
    assert_near((double)values[4], 3 * sin(pi / 12)); /* half of it turns */
    set(&s, "clip", "bind");
    values_at(scene, &s, 0, values);
    for (int v = 0; v < VERTICES; v++)
        assert_near((double)values[v], 0);
}

TEST(morph_targets_displace)
{
    SCENE *scene = scene_by_hand(1, by_first);
    SCOPED(settings) s = settings_of("displacement");
    struct mesh *mesh = scene->meshes;
    float values[VERTICES];
    mesh->target_count = 1;
    mesh->targets = ARENA_NEW(scene->arena, struct morph_target, 1);
    mesh->targets[0].position_deltas = ARENA_NEW(scene->arena, vec3, VERTICES);
    mesh->targets[0].position_deltas[2][1] = 3;
    struct clip *clip = builder_clip(scene, 2);
    clip->morph_count = 1;
    clip->morphs = ARENA_NEW(scene->arena, struct morph_channel, 1);
    clip->morphs[0] = (struct morph_channel){.node_name = "node0", .node = 0, .target_count = 1,
                                             .keys = {2, (double[]){0, 2}, (float[]){0, 1}, INTERPOLATE_LINEAR}};
    scene_bind(scene);
    values_at(scene, &s, 1, values);
    assert_near((double)values[2], 1.5);
    assert_near((double)values[1], 0);
    set(&s, "view", "speed");
    values_at(scene, &s, 1, values);
    assert_near((double)values[2], 1.5); /* a second */
}

TEST(twice_the_size_is_four_times_the_area)
{
    SCENE *scene = growing();
    SCOPED(settings) s = settings_of("stretch");
    float values[2];
    set(&s, "wrap", "clamp");
    const struct frame_settings shown = values_at(scene, &s, 2, values);
    assert_near((double)values[0], 2); /* to the base 2 */
    assert_true(values[1] == NO_VALUE);
    assert_string_equal(shown.legend, "area / rest area\n4 to 4\nmagenta: no area");
    values_at(scene, &s, 1, values);
    assert_near((double)values[0], log2(2.25));
    ANOTHER(scene, turning(by_first, 1)); /* what only turns is not stretched */
    values_at(scene, &s, 1.3, values);
    assert_near((double)values[0], 0);
}

/* By the angular velocity; at the ends of a turn too, where the clip begins anew, and behind its end nothing moves. */
TEST(speed_is_omega_times_the_radius)
{
    SCENE *scene = turning(by_first, 1);
    SCOPED(settings) s = settings_of("speed");
    float values[VERTICES];
    static const double times[] = {0, 0.001, 1, 1.999, 2, 4, 4.5, -0.5, -2};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        const struct frame_settings shown = values_at(scene, &s, times[i], values);
        assert_near((double)values[0], pi / 4);
        assert_near((double)values[4], 3 * pi / 4);
        assert_near((double)values[3], 0);
        assert_string_equal(shown.legend, "speed (units/s)\n0 to 2.36");
    }
    set(&s, "wrap", "clamp");
    for (size_t i = 0; i < 5; i++) {
        values_at(scene, &s, times[i], values);
        assert_near((double)values[4], 3 * pi / 4);
    }
    values_at(scene, &s, 3, values);
    assert_near((double)values[4], 0);
    set(&s, "rate", "2");
    set(&s, "wrap", "loop");
    values_at(scene, &s, 0.5, values);
    assert_near((double)values[4], 2 * 3 * pi / 4);
    set(&s, "clip", "rest");
    values_at(scene, &s, 0.5, values);
    assert_near((double)values[4], 0);
}

TEST(each_of_a_crowd_has_its_own)
{
    SCENE *scene = turning(by_first, 1);
    SCOPED(settings) s = settings_of("displacement");
    float values[4 * VERTICES];
    set(&s, "crowd", "2x2");
    set(&s, "crowd-phase", "0.5");
    values_at(scene, &s, 0.25, values);
    for (int m = 0; m < 4; m++)
        assert_near((double)values[m * VERTICES + 4], 2 * 3 * sin(pi / 8 * fmod(0.25 + 0.5 * m, 2)));
}

static void ranges_are(struct scene *scene, const struct settings *s, double least, double most)
{
    static const double times[] = {0, 1, 1.9};
    struct pipeline p;
    assert_good(pipeline_begin(&p, scene, s, err) && view_values_find_range(&p, times, 3, err));
    const struct frame_settings shown = pipeline_frame_settings(&p, &(struct bounds){{0}, {1, 1, 1}}, &(struct camera){.fov_y = 1});
    assert_near((double)shown.range.least, least);
    assert_near((double)shown.range.most, most);
    assert_int_equal(shown.overlays, OVERLAY_LEGEND);
    pipeline_end(&p);
}

TEST(a_range_is_that_of_all_times)
{
    struct influence sums[VERTICES];
    memcpy(sums, by_first, sizeof sums);
    SCOPED(settings) s = settings_of("displacement");
    SCENE *scene = turning(by_first, 1);
    ranges_are(scene, &s, 0, 5); /* 6 sin(42.75 degrees) = 4.07 */
    set(&s, "view", "speed");
    ranges_are(scene, &s, 0, 2.4); /* 2.356 */
    set(&s, "range", "0..7");
    ranges_are(scene, &s, 0, 7);
    set(&s, "range", "auto");
    set(&s, "view", "stretch");
    ranges_are(scene, &s, 0.8, 1.25);
    set(&s, "view", "weight-sum");
    ranges_are(scene, &s, 0, 2);
    set(&s, "view", "stretch");
    ANOTHER(scene, growing());
    ranges_are(scene, &s, 0.25, 4);
    set(&s, "view", "weight-sum");
    sums[2].weight = 0.7f;
    ANOTHER(scene, turning(sums, 1));
    ranges_are(scene, &s, 0.68, 1.32); /* 0.3 */
    set(&s, "view", "displacement"); /* what does not move is not made of rounding */
    set(&s, "clip", "bind");
    ANOTHER(scene, turning(by_first, 1));
    ranges_are(scene, &s, 0, 0.0032); /* a thousandth of the radius, 2.69 */
}

static void fails(const char *view, const char *range, const char *says)
{
    SCOPED(settings) s = settings_of(view);
    SCENE *scene = turning(by_first, 1);
    struct pipeline p;
    set(&s, "range", range);
    assert_refused(pipeline_begin(&p, scene, &s, err), says);
}

TEST(ranges_that_cannot_be)
{
    SCOPED(settings) s = settings_of("speed");
    static const char *const wrong[] = {"1..1", "2..1", "1", "..", "0..", "a..b", "0..nan", "0..1e40", "0..1..2", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(settings_set(&s, "range", wrong[i], ANY_ERROR));
    fails("lit", "0..1", "--range is for");
    fails("stretch", "0..2", "begins above 0");
    fails("stretch", "2..4", "must be within");
    fails("weight-sum", "0..0.9", "must be within");
}

/* From the other's pose at the same time. Meshes find each other by name; those that are not alike have no number. */
TEST(against_another_model)
{
    SCENE *scene = turning(by_first, 1), *other = growing(), *unlike = growing();
    SCOPED(settings) s = settings_of("displacement"), plain;
    struct pipeline p, q, r;
    struct posed_crowd crowd;
    struct frame_settings shown;
    const struct bounds one = bounds_empty();
    settings_init(&plain);
    unlike->meshes[0].indices[1] = 3;
    assert_true(pipeline_begin(&p, scene, &s, ANY_ERROR) && pipeline_begin(&q, other, &plain, ANY_ERROR) && pipeline_begin(&r, unlike, &plain, ANY_ERROR));
    assert_refused(view_values_against(&p, &r, err), "paired");
    assert_true(view_values_against(&p, &q, ANY_ERROR) && pipeline_pose(&p, 1, ANY_ERROR));
    const struct crowd_member own = {.palette = &p.palette, .pose = &p.pose};
    assert_true(crowd_pose(&crowd, &p, 1, &one, &own, ANY_ERROR) && view_values_add(&crowd, &p, 1, &shown, ANY_ERROR));
    const double c = 3 * cos(pi / 4) - 4.5, d = 3 * sin(pi / 4); /* 3 turned by 45 degrees against 3 times 1.5 */
    assert_near((double)crowd.crowd.members[0].values[4], sqrt(c * c + d * d));
    crowd_release(&crowd);
    set(&s, "view", "speed");
    pipeline_end(&p);
    assert_true(pipeline_begin(&p, scene, &s, ANY_ERROR));
    assert_false(view_values_against(&p, &q, ANY_ERROR));
    pipeline_end(&p);
    pipeline_end(&q);
    pipeline_end(&r);
}
