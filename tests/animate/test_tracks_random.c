/*
 * Random clips of every mixture of key times, interpolation and extrapolation, against an evaluator in double that is
 * written the plain way: one curve at a time, keys searched from the first.
 */

#include "animate/curve.h"
#include "animate/pose_builder.h"
#include "animate/tracks_layout.h"
#include "base/sort.h"

/* ---- the plain evaluator ------------------------------------------------------------------------------------- */

struct value {
    double n[4];
    double tolerance; /* grows where the formula itself magnifies rounding */
};

static const float *key_at(const struct keys *keys, uint32_t width, uint32_t index, int part)
{
    uint32_t vectors = keys->interpolation == INTERPOLATE_CUBIC ? 3 : 1;
    return keys->values + ((size_t)index * vectors + (vectors == 3 ? (uint32_t)part : 0)) * width;
}

static void slerp_in_double(const float a[4], const float b[4], double u, double out[4])
{
    double dot = 0, length_a = 0, length_b = 0;
    for (int i = 0; i < 4; i++) {
        dot += (double)a[i] * b[i];
        length_a += (double)a[i] * a[i];
        length_b += (double)b[i] * b[i];
    }
    dot /= sqrt(length_a * length_b);
    double angle = acos(fmin(fmax(dot, -1), 1));
    double from = 1 - u, to = u, square = 0;
    if (angle > 1e-9) {
        from = sin((1 - u) * angle) / sin(angle);
        to = sin(u * angle) / sin(angle);
    }
    for (int i = 0; i < 4; i++) {
        out[i] = from * a[i] + to * b[i];
        square += out[i] * out[i];
    }
    for (int i = 0; i < 4; i++)
        out[i] /= sqrt(square);
}

static struct value plain_line(const float *a, const float *b, double u, uint32_t width)
{
    struct value value = {.tolerance = 3e-7 * (1 + fabs(u))};
    double dot = 0, largest = 0;
    for (uint32_t i = 0; i < width; i++) {
        value.n[i] = a[i] + u * ((double)b[i] - a[i]);
        dot += (double)a[i] * b[i];
        largest = fmax(largest, fmax(fabs((double)a[i]), fabs((double)b[i])));
    }
    value.tolerance *= largest;
    if (width == 3)
        return value;
    const float side = dot < 0 ? -1 : 1, turned[4] = {side * b[0], side * b[1], side * b[2], side * b[3]};
    slerp_in_double(a, turned, u, value.n);
    value.tolerance = 4e-7 * (1 + fabs(u));
    return value;
}

static struct value plain_cubic(const struct keys *keys, uint32_t width, uint32_t k, double u)
{
    double interval = keys->times[k + 1] - keys->times[k];
    double weights[4] = {2 * u * u * u - 3 * u * u + 1, (u * u * u - 2 * u * u + u) * interval,
                         -2 * u * u * u + 3 * u * u, (u * u * u - u * u) * interval};
    const float *parts[4] = {key_at(keys, width, k, 1), key_at(keys, width, k, 2), key_at(keys, width, k + 1, 1),
                             key_at(keys, width, k + 1, 0)};
    struct value value = {.tolerance = 0};
    double square = 0, magnitude = 0;
    for (uint32_t i = 0; i < width; i++) {
        for (int p = 0; p < 4; p++) {
            value.n[i] += weights[p] * parts[p][i];
            magnitude = fmax(magnitude, fabs(weights[p] * parts[p][i]));
        }
        square += value.n[i] * value.n[i];
    }
    value.tolerance = 4e-7 * magnitude;
    for (uint32_t i = 0; i < 4 && width == 4; i++)
        value.n[i] /= sqrt(square);
    if (width == 4)
        value.tolerance = 1e-7 + value.tolerance / sqrt(square);
    return value;
}

static struct value plain_key(const struct keys *keys, uint32_t width, uint32_t k)
{
    const float *value = key_at(keys, width, k, 1);
    return plain_line(value, value, 0, width);
}

static struct value plain_curve(const struct channel *channel, enum component component, double time)
{
    const struct keys *keys = &channel->keys[component];
    uint32_t width = component_width(component), last = keys->count - 1;
    double first_time = keys->times[0], last_time = keys->times[last];
    bool is_before = time < first_time;
    if (is_before || time > last_time) {
        enum extrapolation mode = is_before ? channel->before : channel->after;
        uint32_t k = is_before ? 0 : (last > 0 ? last - 1 : 0);
        if (mode == EXTRAPOLATE_REPEAT && last_time > first_time) {
            double cycles = floor((time - first_time) / (last_time - first_time));
            time -= cycles * (last_time - first_time);
        } else if (mode == EXTRAPOLATE_LINEAR && last > 0 && keys->interpolation != INTERPOLATE_STEP &&
                   keys->times[k + 1] > keys->times[k]) {
            double u = (time - keys->times[k]) / (keys->times[k + 1] - keys->times[k]);
            return plain_line(key_at(keys, width, k, 1), key_at(keys, width, k + 1, 1), u, width);
        } else {
            return plain_key(keys, width, is_before ? 0 : last);
        }
    }
    uint32_t k = 0;
    while (k < last && keys->times[k + 1] <= time)
        k++;
    if (k == last || keys->interpolation == INTERPOLATE_STEP)
        return plain_key(keys, width, k);
    double u = (time - keys->times[k]) / (keys->times[k + 1] - keys->times[k]);
    if (keys->interpolation == INTERPOLATE_CUBIC)
        return plain_cubic(keys, width, k, u);
    return plain_line(key_at(keys, width, k, 1), key_at(keys, width, k + 1, 1), u, width);
}

/* ---- random clips -------------------------------------------------------------------------------------------- */

enum { POOL = 3, MAX_KEYS = 12 };

struct times {
    uint32_t count;
    double at[MAX_KEYS];
};

static struct times random_times(uint64_t *seed)
{
    struct times times = {.count = 1 + builder_random_index(seed, MAX_KEYS)};
    double time = builder_random(seed, -1, 2);
    for (uint32_t i = 0; i < times.count; i++) {
        times.at[i] = time;
        if (builder_random(seed, 0, 1) > 0.15) /* else the next key stands at the same time */
            time += builder_random(seed, 0.02, 1.5);
    }
    return times;
}

static void random_curve(struct scene *scene, struct channel *channel, enum component component,
                         const struct times *times, enum interpolation interpolation, uint64_t *seed)
{
    float values[MAX_KEYS * 3 * 4];
    uint32_t width = component_width(component), vectors = interpolation == INTERPOLATE_CUBIC ? 3 : 1;
    for (uint32_t v = 0; v < times->count * vectors; v++)
        for (uint32_t i = 0; i < width; i++)
            values[v * width + i] = (float)builder_random(seed, -2, 2);
    for (uint32_t k = 0; k < times->count && width == 4; k++)
        builder_random_rotation(seed, values + (k * vectors + vectors / 2) * 4);
    builder_keys(scene, channel, component, interpolation, times->count, times->at, values);
}

static struct clip *random_clip(struct scene *scene, uint64_t *seed)
{
    struct clip *clip = builder_clip(scene, 10);
    struct times pool[POOL];
    double sharing = builder_random(seed, 0, 1.3), missing = builder_random(seed, 0, 0.3);
    enum interpolation usual = (enum interpolation)builder_random_index(seed, 3);
    for (int i = 0; i < POOL; i++)
        pool[i] = random_times(seed);
    for (uint32_t n = 0; n < scene->node_count; n++) {
        struct channel *channel = &clip->channels[n];
        bool is_usual = builder_random(seed, 0, 1) < sharing;
        uint32_t own = builder_random_index(seed, POOL); /* as in usual clips a node's components stand together */
        channel->before = is_usual ? EXTRAPOLATE_DEFAULT : (enum extrapolation)builder_random_index(seed, 4);
        channel->after = is_usual ? EXTRAPOLATE_LINEAR : (enum extrapolation)builder_random_index(seed, 4);
        for (int c = 0; c < COMPONENT_COUNT; c++) {
            if (builder_random(seed, 0, 1) < missing)
                continue;
            bool is_pooled = builder_random(seed, 0, 1) < sharing;
            uint32_t shared = is_usual ? own : builder_random_index(seed, POOL);
            struct times times = is_pooled ? pool[shared] : random_times(seed);
            random_curve(scene, channel, (enum component)c, &times,
                         is_pooled ? usual : (enum interpolation)builder_random_index(seed, 3), seed);
        }
    }
    return clip;
}

/* A key's time as often as not. */
static double random_time(const struct clip *clip, uint64_t *seed)
{
    const struct keys *keys = &clip->channels[builder_random_index(seed, clip->channel_count)]
                                   .keys[builder_random_index(seed, COMPONENT_COUNT)];
    if (keys->count == 0 || builder_random(seed, 0, 1) < 0.5)
        return builder_random(seed, -4, 16);
    return keys->times[builder_random_index(seed, keys->count)];
}

static struct scene *random_scene(uint64_t *seed)
{
    uint32_t largest = builder_random(seed, 0, 1) < 0.2 ? 90 : 25;
    struct scene *scene = builder_scene(1 + builder_random_index(seed, largest));
    for (uint32_t i = 0; i < scene->node_count; i++) {
        struct transform rest = {.translation = {(float)i, 2, 3}, .scale = {1, (float)i, 2}};
        builder_random_rotation(seed, rest.rotation);
        builder_rest(scene, i, rest);
    }
    return scene;
}

/* ---- tests --------------------------------------------------------------------------------------------------- */

static void check_component(const struct scene *scene, const struct channel *channel, enum component component,
                            double time, const struct transform *local)
{
    const float *parts[] = {local->translation, local->rotation, local->scale};
    const struct transform *rest = &scene->nodes[channel->node].rest;
    const float *rests[] = {rest->translation, rest->rotation, rest->scale};
    const float *got = parts[component];
    uint32_t width = component_width(component);
    if (channel->keys[component].count == 0) {
        assert_memory_equal(got, rests[component], width * sizeof(float));
        return;
    }
    struct value expected = plain_curve(channel, component, time);
    double dot = 0, off = 0;
    for (uint32_t i = 0; i < width; i++)
        dot += got[i] * expected.n[i];
    double side = width == 4 && dot < 0 ? -1 : 1; /* q and -q are one rotation */
    for (uint32_t i = 0; i < width; i++)
        off = fmax(off, fabs(side * got[i] - expected.n[i]));
    if (!(off <= expected.tolerance + 1e-7))
        fail_msg("component %d of %s at %.17g is off by %g, allowed is %g", (int)component, channel->node_name, time,
                 off, expected.tolerance + 1e-7);
}

/*
 * The matrix is that of affine_from_transform(), bit for bit: blends, which compose with it, agree with plain clips. Whatever was
 * sampled before, the same time gives the same bits.
 */
TEST(test_against_plain_evaluator)
{
    for (uint64_t round = 1; round <= 400; round++) {
        uint64_t seed = round * 7919;
        SCENE *scene = random_scene(&seed);
        struct clip *clip = random_clip(scene, &seed);
        struct tracks *tracks = tracks_create(scene, clip, scene->arena);
        struct pose pose = pose_create(scene, scene->arena), again = pose_create(scene, scene->arena);
        for (int i = 0; i < 60; i++) {
            double time = random_time(clip, &seed);
            tracks_sample(tracks, time, &pose);
            for (uint32_t n = 0; n < scene->node_count; n++) {
                bool is_moved = false;
                mat4 matrix;
                for (int c = 0; c < COMPONENT_COUNT; c++) {
                    check_component(scene, &clip->channels[n], (enum component)c, time, &pose.local[n]);
                    is_moved = is_moved || clip->channels[n].keys[c].count > 0;
                }
                affine_from_transform(&pose.local[n], matrix);
                assert_true(!is_moved || memcmp(pose.local_to_parent[n], matrix, sizeof matrix) == 0);
            }
            tracks_sample(tracks, random_time(clip, &seed), &again);
            tracks_sample(tracks, time, &again);
            poses_equal(&pose, &again);
        }
    }
}

/*
 * The same curves in groups (one extrapolation) and one by one (extrapolations dealt out so that neighbours differ):
 * between the keys the layout in memory never shows.
 */
TEST(test_layout_never_shows)
{
    for (uint64_t round = 1; round <= 60; round++) {
        uint64_t seed = round * 15485863;
        SCENE *scene = random_scene(&seed);
        struct clip *clip = builder_clip(scene, 10);
        struct times times = random_times(&seed);
        for (uint32_t n = 0; n < scene->node_count; n++)
            for (int c = 0; c < COMPONENT_COUNT; c++)
                random_curve(scene, &clip->channels[n], (enum component)c, &times, (enum interpolation)(round % 3),
                             &seed);
        struct tracks *grouped = tracks_create(scene, clip, scene->arena);
        for (uint32_t n = 0; n < scene->node_count; n++) {
            clip->channels[n].before = (enum extrapolation)(n % 4);
            clip->channels[n].after = (enum extrapolation)(n / 4 % 4);
        }
        struct tracks *single = tracks_create(scene, clip, scene->arena);
        struct pose a = pose_create(scene, scene->arena), b = pose_create(scene, scene->arena);
        for (int i = 0; i < 40; i++) {
            double time = builder_random(&seed, times.at[0], times.at[times.count - 1]);
            time = i < (int)times.count ? times.at[i] : time;
            tracks_sample(grouped, time, &a);
            tracks_sample(single, time, &b);
            poses_equal(&a, &b);
        }
    }
}

/*
 * The polynomial slerp against slerp in double with acos and sin. Measured: 1.6e-7 at most; the parts of a unit
 * quaternion are floats with steps of up to 6e-8.
 */
static const double tolerance = 2.5e-7;

static double error_at(const float a[4], const float b[4], float u)
{
    f32x4 from[4], to[4], got[4];
    double expected[4], worst = 0;
    for (int i = 0; i < 4; i++) {
        from[i] = lanes_splat(a[i]);
        to[i] = lanes_splat(b[i]);
    }
    curve_slerp(from, to, lanes_splat(u), got);
    slerp_in_double(a, b, (double)u, expected);
    for (int i = 0; i < 4; i++)
        worst = fmax(worst, fabs(got[i][2] - expected[i]));
    return worst;
}

/* Two rotations `degrees` apart about a random axis, on the same side. */
static void random_pair(uint64_t *seed, double degrees, float a[4], float b[4])
{
    float axis[4];
    builder_random_rotation(seed, a);
    builder_random_rotation(seed, axis);
    double length = sqrt((double)axis[0] * axis[0] + (double)axis[1] * axis[1] + (double)axis[2] * axis[2]);
    double half = degrees * 3.14159265358979323846 / 360, s = sin(half) / length, c = cos(half);
    double x = axis[0] * s, y = axis[1] * s, z = axis[2] * s;
    b[0] = (float)(c * a[0] + x * a[3] + y * a[2] - z * a[1]);
    b[1] = (float)(c * a[1] + y * a[3] + z * a[0] - x * a[2]);
    b[2] = (float)(c * a[2] + z * a[3] + x * a[1] - y * a[0]);
    b[3] = (float)(c * a[3] - x * a[0] - y * a[1] - z * a[2]);
}

static double worst_at(double degrees, uint64_t *seed)
{
    double worst = 0;
    for (int i = 0; i < 2000; i++) {
        float a[4], b[4];
        random_pair(seed, degrees, a, b);
        worst = fmax(worst, error_at(a, b, (float)builder_random(seed, 0, 1)));
        worst = fmax(worst, error_at(a, b, 0.5f));
        worst = fmax(worst, error_at(a, b, (float)pow(builder_random(seed, 0, 1), 20)));
        worst = fmax(worst, error_at(a, b, 1));
    }
    return worst;
}

TEST(test_accuracy)
{
    const double degrees[] = {0, 1e-6, 1e-3, 0.1, 1, 10, 45, 90, 120, 150, 179, 179.9, 179.999, 180};
    uint64_t seed = 11;
    double worst = 0;
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++)
        worst = fmax(worst, worst_at(degrees[i], &seed));
    for (int i = 0; i < 400; i++)
        worst = fmax(worst, worst_at(builder_random(&seed, 0, 180), &seed));
    print_message("off by at most %.2e\n", worst);
    assert_true(worst < tolerance);
}

/* A key pair on opposite sides of the sphere is the same arc, and huge factors stay finite and normalised. */
TEST(test_extrapolated_rotation_extremes)
{
    const float a[4] = {0, 0, 0, 1}, b[4] = {0, 0, 0.70710678f, 0.70710678f};
    const float opposite[4] = {0, 0, -0.70710678f, -0.70710678f};
    const double factors[] = {-1e300, -1e15, -3, 3, 1e6, 1e300};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        float one[4], other[4];
        extrapolate_rotation(a, b, factors[i], one);
        extrapolate_rotation(a, opposite, factors[i], other);
        assert_memory_equal(one, other, sizeof one);
        assert_true(fabsf(one[2] * one[2] + one[3] * one[3] - 1) < 1e-6f);
    }
}

static uint32_t count_plainly(const double *times, uint32_t count, double time)
{
    uint32_t passed = 0;
    for (uint32_t i = 0; i < count; i++)
        passed += times[i] <= time;
    return passed;
}

static void check_around(const struct timeline *timeline, double time)
{
    const double around[] = {nextafter(time, -INFINITY), time, nextafter(time, INFINITY)};
    for (int i = 0; i < 3; i++)
        assert_int_equal(timeline_count_until(timeline, around[i]),
                         count_plainly(timeline->times, timeline->count, around[i]));
}

static void check(const double *times, uint32_t count)
{
    SCOPED_ARENA arena = arena_create(1 << 24, NULL);
    struct timeline timeline = timeline_create(times, count, arena);
    uint64_t seed = 7;
    for (uint32_t i = 0; i < count; i++) {
        check_around(&timeline, times[i]);
        if (i + 1 < count)
            check_around(&timeline, times[i] + 0.5 * (times[i + 1] - times[i]));
    }
    for (int i = 0; i < 200; i++)
        check_around(&timeline, builder_random(&seed, times[0] - 1, times[count - 1] + 1));
    assert_int_equal(timeline_count_until(&timeline, NAN), 0);
    assert_int_equal(timeline_count_until(&timeline, -INFINITY), 0);
    assert_int_equal(timeline_count_until(&timeline, INFINITY), count);
}

TEST(test_known_lists)
{
    check((double[]){3.5}, 1);
    check((double[]){-1, -1}, 2);
    check((double[]){0, 1}, 2);
    check((double[]){0, 1, 1, 1, 2}, 5);
    check((double[]){0, 0, 0, 5, 5, 5}, 6);
    check((double[]){0, 1e-300, 2e-300, 1}, 4);
    check((double[]){502, 502.000007, 503}, 3);
    check((double[]){0, 5e-324, 1e-323}, 3);
    check((double[]){0, 1e-9, 2e-9, 3e-9, 4e-9, 1e9}, 6); /* all but one in one bucket */
    check((double[]){-1e308, 0, 1e308}, 3);               /* the range overflows */
}

TEST(test_even_spacing)
{
    const double rates[] = {24, 25, 30, 1000, 29.97, 7};
    double times[601];
    for (int r = 0; r < 6; r++) {
        for (int i = 0; i < 601; i++)
            times[i] = 0.3 + i / rates[r];
        check(times, 601);
    }
}

TEST(test_random_lists)
{
    uint64_t seed = 42;
    double times[64];
    for (int round = 0; round < 300; round++) {
        uint32_t count = 1 + builder_random_index(&seed, 64);
        double power = builder_random(&seed, 0.1, 12); /* from even to badly clustered */
        for (uint32_t i = 0; i < count; i++)
            times[i] = pow(builder_random(&seed, 0, 1), power) * 10;
        for (uint32_t i = 1; i < count; i += 5)
            times[i] = times[i - 1];
        qsort(times, count, sizeof *times, compare_doubles);
        check(times, count);
    }
}

/* A duration that was printed, or rounded to a float by an importer, is the end; what is farther away is not. */
TEST(test_wrap)
{
    static const struct {
        double time, duration, loop, hold;
    } rows[] = {
        {0, 2, 0, 0},
        {1.5, 2, 1.5, 1.5},
        {2, 2, 2, 2}, /* the end is sampled as it is */
        {2.5, 2, 0.5, 2},
        {4, 2, 0, 2},
        {-0.5, 2, 1.5, 0},
        {-2, 2, 0, 0},
        {7, 0, 0, 0},
        {NAN, 2, 0, 0},
        {INFINITY, 2, 0, 0},
        {3.33332992, 3.33332983, 3.33332983, 3.33332983},
        {1000.001, 1000, 1000, 1000},
        {0.0416670, 0.0416666, 0.0416666, 0.0416666}, /* six decimals of it */
        {-1e-17, 2, 0, 0},
        {-4e-7, 2, 0, 0},
        {1.9999999, 2, 1.9999999, 1.9999999},
        {2.00001, 2, 1e-5, 2},
        {-1e-5, 2, 1.99999, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double loop = wrap_time(rows[i].time, rows[i].duration, WRAP_LOOP);
        assert_true(fabs(loop - rows[i].loop) < 1e-12 && !signbit(loop));
        assert_true(wrap_time(rows[i].time, rows[i].duration, WRAP_HOLD) == rows[i].hold);
    }
    assert_true(wrap_time(2, 2, WRAP_LOOP) == 2 && wrap_time(4, 2, WRAP_LOOP) == 0);
}
