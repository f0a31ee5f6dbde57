/*
 * Animation tracks as animate/tracks.h has them, key by key and in double, with the mistakes that are made there.
 */
#include "diagnose/sample.h"

#include <math.h>

#include "animate/curve.h"
#include "data/vector.h"

/* Says where a time is between keys. */
struct span {
    uint32_t key;
    double u; /* 0 where the key holds; outside [0, 1] beyond the keys */
    double interval;
};

static double eased(const struct variant *variant, double u)
{
    switch (variant->at[SWITCH_EASE]) {
    case EASE_SMOOTH:
        return u * u * (3 - 2 * u);
    case EASE_SMOOTHER:
        return u * u * u * (u * (6 * u - 15) + 10);
    case EASE_SINE:
        return 0.5 - 0.5 * cos(u * GLM_PI);
    case EASE_IN:
        return u * u;
    case EASE_OUT:
        return u * (2 - u);
    default:
        return u;
    }
}

static struct span find_span(const struct keys *keys, const struct channel *channel, enum interpolation interpolation,
                             double time)
{
    const double *times = keys->times;
    uint32_t last = keys->count - 1;
    bool is_before = time<times[0], is_after = time> times[last], is_step = interpolation == INTERPOLATE_STEP;
    enum extrapolation outside = is_before ? channel->before : channel->after;
    if ((is_before || is_after) && outside == EXTRAPOLATE_REPEAT && times[last] > times[0])
        time = times[0] + wrap_time(time - times[0], times[last] - times[0], WRAP_LOOP);
    if ((is_before || is_after) && outside == EXTRAPOLATE_LINEAR && last > 0 && !is_step) {
        uint32_t key = is_before ? 0 : last - 1;
        double interval = times[key + 1] - times[key];
        if (interval > 0)
            return (struct span){key, fmin(fmax((time - times[key]) / interval, -1e15), 1e15), interval};
    }
    uint32_t passed = keys_count_until(keys, is_step ? time + fabs(time) * 0x1p-23 : time);
    uint32_t key = passed > 0 ? passed - 1 : 0;
    if (passed == 0 || key == last || is_step || time == times[key])
        return (struct span){key, 0, 0};
    double interval = times[key + 1] - times[key];
    return (struct span){key, (time - times[key]) / interval, interval};
}

/* Angles about the axes i, j, k of the order, of R = R_i R_j R_k, and back. */
static const uint8_t euler_axes[EULER_ORDERS][3] = {{2, 1, 0}, {0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {1, 2, 0}, {0, 2, 1}};

static void angles_of(const double q[4], const uint8_t axes[3], double angles[3])
{
    const int i = axes[0], j = axes[1], k = axes[2];
    const double sign = (j - i + 3) % 3 == 1 ? 1 : -1, n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double sine = 2 * (q[i] * q[k] * sign + q[j] * q[3]) / n;
    angles[0] = atan2(2 * (q[i] * q[3] - sign * q[j] * q[k]), n - 2 * (q[i] * q[i] + q[j] * q[j]));
    angles[1] = asin(fmin(fmax(sine, -1), 1));
    angles[2] = atan2(2 * (q[k] * q[3] - sign * q[i] * q[j]), n - 2 * (q[j] * q[j] + q[k] * q[k]));
}

static void blend_angles(unsigned rule, const double a[4], const double b[4], double u, double out[4])
{
    const uint8_t *axes = euler_axes[rule % EULER_ORDERS];
    double from[3], to[3], q[4] = {0, 0, 0, 1};
    angles_of(a, axes, from);
    angles_of(b, axes, to);
    for (int i = 0; i < 3; i++) {
        const double gap = rule < EULER_ORDERS ? to[i] - from[i] : remainder(to[i] - from[i], 2 * GLM_PI);
        const double half = 0.5 * (from[i] + u * gap);
        const int x = axes[i], y = (x + 1) % 3, z = (x + 2) % 3;
        const double s = sin(half), c = cos(half), was[4] = {q[0], q[1], q[2], q[3]};
        q[x] = was[x] * c + was[3] * s;
        q[y] = was[y] * c + was[z] * s;
        q[z] = was[z] * c - was[y] * s;
        q[3] = was[3] * c - was[x] * s;
    }
    memcpy(out, q, sizeof q);
}

static void blend_matrices(const double a[4], const double b[4], double u, bool is_cast, double out[4])
{
    double from[3][3], to[3][3];
    quaternion_columns(a, from);
    quaternion_columns(b, to);
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++)
            from[c][r] += u * (to[c][r] - from[c][r]);
        const double length = vec3d_length(from[c]);
        for (int r = 0; r < 3 && length > 1e-12; r++)
            from[c][r] /= length;
    }
    if (is_cast)
        quaternion_cast((const double(*)[3])from, out);
    else
        quaternion_from_columns(from, out);
}

/* a + u (b - a) of rotations by the variant's switches; `u` in [0, 1]. */
static void blend_rotation(const struct variant *variant, const double a[4], const double b[4], double u, double out[4])
{
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], side = dot < 0 ? -1 : 1, weights[2];
    unsigned blend = variant->at[SWITCH_BLEND];
    if (blend == BLEND_MATRIX || blend == BLEND_MATRIX_CAST) {
        blend_matrices(a, b, u, blend == BLEND_MATRIX_CAST, out);
        return;
    }
    if (blend >= BLEND_EULER) {
        blend_angles(blend - BLEND_EULER, a, b, u, out);
        return;
    }
    dot *= variant->at[SWITCH_SIDE] == SIDE_ANGLE ? side : 1;
    if (variant->at[SWITCH_SIDE])
        side = variant->at[SWITCH_SIDE] == SIDE_LONG ? -side : 1;
    dot *= side;
    double angle = acos(fmin(fmax(dot, -1), 1)), sine = sin(angle);
    bool is_near = blend == BLEND_NLERP_NEAR ? dot >= 0.9995 : blend == BLEND_LERP_NEAR && dot > 0.95;
    bool is_linear = blend == BLEND_NLERP || blend == BLEND_LERP || is_near || sine < 1e-9;
    weights[0] = is_linear ? 1 - u : sin((1 - u) * angle) / sine;
    weights[1] = (is_linear ? u : sin(u * angle) / sine) * side;
    for (int i = 0; i < 4; i++)
        out[i] = weights[0] * a[i] + weights[1] * b[i];
    if (blend != BLEND_LERP && !(blend == BLEND_LERP_NEAR && is_near))
        quatd_normalise(out);
}

static void hermite(const struct variant *variant, const float *from, const float *to, const struct span *span,
                    uint32_t width, double out[4])
{
    double u = span->u, v = 1 - u, out_scale = span->interval, in_scale = out_scale;
    unsigned rule = variant->at[SWITCH_TANGENTS];
    bool is_swapped = rule == TANGENTS_SWAPPED;
    if (rule == TANGENTS_RAW || rule == TANGENTS_DROPPED)
        out_scale = in_scale = rule == TANGENTS_RAW ? 1 : 0;
    if (rule == TANGENTS_BY_U || rule == TANGENTS_BY_SHARE) {
        out_scale = rule == TANGENTS_BY_U ? v : u;
        in_scale = u;
    }
    in_scale = rule == TANGENTS_NEGATED ? -in_scale : in_scale;
    const float *out_tangent = from + (is_swapped ? 0 : 2 * width), *in_tangent = to + (is_swapped ? 2 * width : 0);
    if (rule == TANGENTS_EXCHANGED) {
        out_tangent = to;
        in_tangent = from + 2 * width;
    }
    for (uint32_t i = 0; i < width; i++)
        out[i] = (1 + 2 * u) * v * v * from[width + i] + u * v * v * out_scale * out_tangent[i] +
                 u * u * (3 - 2 * u) * to[width + i] - u * u * v * in_scale * in_tangent[i];
    if (width == 4 && !variant->at[SWITCH_NORMALISE])
        quatd_normalise(out);
}

static enum interpolation interpolation_by(const struct variant *variant, enum component component,
                                           enum interpolation interpolation)
{
    unsigned curves = variant->at[SWITCH_CURVES];
    if (curves == (component == COMPONENT_ROTATION ? CURVES_ROTATION_AS_STEP : CURVES_TRANSLATION_AS_STEP))
        curves = component == COMPONENT_SCALE ? 0 : CURVES_LINEAR_AS_STEP;
    if (curves == CURVES_LINEAR)
        return INTERPOLATE_LINEAR;
    switch (interpolation) {
    case INTERPOLATE_STEP:
        return curves == CURVES_STEP_AS_LINEAR ? INTERPOLATE_LINEAR : interpolation;
    case INTERPOLATE_LINEAR:
        return curves == CURVES_LINEAR_AS_STEP ? INTERPOLATE_STEP : interpolation;
    default:
        return curves == CURVES_CUBIC_AS_LINEAR || curves == CURVES_TANGENTS_AS_KEYS ? INTERPOLATE_LINEAR
               : curves == CURVES_CUBIC_AS_STEP ? INTERPOLATE_STEP
                                                : interpolation;
    }
}

static void blend_from_identity(const struct variant *variant, enum component component, const float *first, double u,
                                double out[4])
{
    const double identity = component == COMPONENT_SCALE;
    if (component == COMPONENT_ROTATION)
        blend_rotation(variant, (double[]){0, 0, 0, 1}, (double[]){first[0], first[1], first[2], first[3]}, u, out);
    else
        for (int i = 0; i < 3; i++)
            out[i] = identity + u * (first[i] - identity);
}

/* To the nearest half float, as _Float16 has them; what is out of their range stays. */
static float as_half(float value)
{
    int exponent;
    const double fraction = frexp((double)value, &exponent);
    const int bits = exponent < -13 ? 11 + 13 + exponent : 11; /* fewer below the smallest normal one */
    return bits > 0 ? (float)ldexp(nearbyint(ldexp(fraction, bits)), exponent - bits) : 0;
}

/* Moves keys to where they would be if only so many bits of them were kept. */
static void round_keys(const struct variant *variant, const struct keys *keys, uint32_t width, uint32_t vectors,
                       float *values)
{
    const double steps = exp2(variant->number[SWITCH_KEYS]) - 1;
    for (uint32_t c = 0; c < width && variant->at[SWITCH_KEYS] == KEYS_BITS && width < 4; c++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t k = 0; k < keys->count * vectors; k++) {
            low = fmin(low, keys->values[(size_t)k * width + c]);
            high = fmax(high, keys->values[(size_t)k * width + c]);
        }
        for (uint32_t k = 0; k < 2 * vectors && high > low; k++)
            values[k * width + c] =
                (float)(low + nearbyint((values[k * width + c] - low) / (high - low) * steps) * (high - low) / steps);
    }
    for (uint32_t i = 0; i < 2 * vectors * width && variant->at[SWITCH_KEYS] == KEYS_BITS && width == 4; i++)
        values[i] = (float)(nearbyint(values[i] * (steps - 1) / 2) * 2 / (steps - 1));
    for (uint32_t i = 0; i < 2 * vectors * width && variant->at[SWITCH_KEYS] == KEYS_HALF; i++)
        values[i] = as_half(values[i]);
}

static void sample_keys(const struct variant *variant, const struct channel *channel, enum component component,
                        double time, double out[4])
{
    const struct keys *keys = &channel->keys[component];
    struct channel early = *channel;
    const bool has_curve = variant->at[SWITCH_EARLY] == EARLY_CURVE || variant->at[SWITCH_LATE] == LATE_CURVE;
    if (variant->at[SWITCH_EARLY] == EARLY_LINE || variant->at[SWITCH_EARLY] == EARLY_CURVE)
        early.before = EXTRAPOLATE_LINEAR;
    if (variant->at[SWITCH_LATE] == LATE_LINE || variant->at[SWITCH_LATE] == LATE_CURVE)
        early.after = EXTRAPOLATE_LINEAR;
    else if (variant->at[SWITCH_LATE] == LATE_REPEAT)
        early.after = EXTRAPOLATE_REPEAT;
    channel = &early;
    enum interpolation interpolation = interpolation_by(variant, component, keys->interpolation);
    uint32_t width = component_width(component), vectors = keys->interpolation == INTERPOLATE_CUBIC ? 3 : 1;
    if (variant->at[SWITCH_LATE] == LATE_FIRST && time > keys->times[keys->count - 1])
        time = keys->times[0];
    else if (variant->at[SWITCH_EARLY] == EARLY_LAST && time < keys->times[0])
        time = keys->times[keys->count - 1];
    struct span span = find_span(keys, channel, interpolation, time);
    if (variant->at[SWITCH_LATE] == LATE_FIRST_LINE && keys->count > 1 && time > keys->times[keys->count - 1]) {
        const double interval = keys->times[1] - keys->times[0];
        span = (struct span){0, interval > 0 ? (time - keys->times[0]) / interval : 0, interval};
    }
    const float *from = keys->values + (size_t)span.key * vectors * width, *to = from + vectors * width;
    float rounded[2 * 3 * 4];
    if (variant->at[SWITCH_KEYS]) {
        const bool is_last = span.key + 1 == keys->count;
        memcpy(rounded, from, vectors * width * sizeof *from);
        memcpy(rounded + vectors * width, is_last ? from : to, vectors * width * sizeof *from);
        round_keys(variant, keys, width, vectors, rounded);
        from = rounded;
        to = rounded + vectors * width;
    }
    const bool has_values = vectors == 3 && variant->at[SWITCH_CURVES] != CURVES_TANGENTS_AS_KEYS;
    const float *a = from + (has_values ? width : 0), *b = a + vectors * width;
    if (variant->at[SWITCH_CURVES] == CURVES_NEAREST && interpolation == INTERPOLATE_LINEAR)
        span.u = span.u < 0.5 ? 0 : 1;
    if (variant->at[SWITCH_CURVES] == CURVES_NEXT && interpolation == INTERPOLATE_LINEAR && span.key + 1 < keys->count)
        span = (struct span){span.key, 1, span.interval};
    bool is_beyond = span.u < 0 || span.u > 1;
    span.u = is_beyond ? span.u : eased(variant, span.u);
    if (variant->at[SWITCH_EARLY] == EARLY_IDENTITY && time < keys->times[0]) {
        blend_from_identity(variant, component, a, fmax(time / keys->times[0], 0), out);
    } else if (span.u == 0) {
        for (uint32_t i = 0; i < width; i++)
            out[i] = a[i];
    } else if (interpolation == INTERPOLATE_CUBIC && (!is_beyond || has_curve)) {
        hermite(variant, from, to, &span, width, out);
    } else if (width == 4 && is_beyond) {
        float value[4];
        extrapolate_rotation(a, b, span.u, value);
        for (int i = 0; i < 4; i++)
            out[i] = value[i];
    } else if (width == 4) {
        blend_rotation(variant, (double[]){a[0], a[1], a[2], a[3]}, (double[]){b[0], b[1], b[2], b[3]}, span.u, out);
    } else {
        for (uint32_t i = 0; i < width; i++)
            out[i] = a[i] + span.u * ((double)b[i] - a[i]);
    }
    if (width == 4 && span.u == 0 && !variant->at[SWITCH_NORMALISE])
        quatd_normalise(out);
}

/* As an importer or an engine has it that keeps samples in place of keys. */
static void sample_component(const struct variant *variant, const struct channel *channel, enum component component,
                             double time, double out[4])
{
    double rate = variant->number[SWITCH_RESAMPLE], from[4] = {0}, to[4] = {0};
    const struct keys *keys = &channel->keys[component];
    if (!variant->at[SWITCH_RESAMPLE] || keys->count < 2) {
        sample_keys(variant, channel, component, time, out);
        return;
    }
    double before = floor(time * rate + 1e-6) / rate, u = fmin(fmax((time - before) * rate, 0), 1);
    sample_keys(variant, channel, component, before, from);
    sample_keys(variant, channel, component, fmin(before + 1 / rate, fmax(keys->times[keys->count - 1], before)), to);
    if (component == COMPONENT_ROTATION)
        blend_rotation(variant, from, to, u, out);
    else
        for (int i = 0; i < 3; i++)
            out[i] = from[i] + u * (to[i] - from[i]);
}

/* A component without keys. */
static void fill_missing(const struct variant *variant, const struct node *node, enum component component,
                         struct local_parts *out)
{
    const unsigned missing = variant->at[SWITCH_MISSING];
    const bool is_missing = missing & 1u << component;
    const double factor =
        variant->at[SWITCH_KEY_SCALE] == REST_BY_FACTOR ? variant->number[SWITCH_KEY_SCALE] : 1;
    if (component == COMPONENT_ROTATION)
        for (int i = 0; i < 4; i++)
            out->rotation[i] = is_missing ? i == 3 : node->rest.rotation[i];
    else if (component == COMPONENT_TRANSLATION)
        for (int i = 0; i < 3; i++)
            out->translation[i] = is_missing ? 0 : factor * node->rest.translation[i];
    else
        for (int i = 0; i < 3; i++)
            out->scale[i] = is_missing ? !(missing & MISSING_AS_ZERO) : node->rest.scale[i];
}

/* A key in other axes: its vector, or that of a quaternion as a mirror has it; a scale stays positive. */
static void turn_key(const struct variant *variant, enum component component, double value[4])
{
    const struct matrix axes = matrix_axes(variant->at[SWITCH_KEY_AXES] - AXES);
    const double was[3] = {value[0], value[1], value[2]};
    const double sign = component == COMPONENT_ROTATION ? matrix_determinant(&axes) : 1;
    const unsigned which = (unsigned)variant->number[SWITCH_KEY_AXES];
    if (which != KEYS_ALL && component != (which == KEYS_TRANSLATION ? COMPONENT_TRANSLATION : COMPONENT_ROTATION))
        return;
    for (int r = 0; r < 3; r++) {
        value[r] = 0;
        for (int c = 0; c < 3; c++)
            value[r] += (component == COMPONENT_SCALE ? fabs(axes.at[c][r]) : sign * axes.at[c][r]) * was[c];
    }
}

bool sample_is_filled(const struct node *node, const struct channel *channel, enum component component)
{
    const struct keys *keys = &channel->keys[component];
    const float *rest = component == COMPONENT_ROTATION      ? node->rest.rotation
                        : component == COMPONENT_TRANSLATION ? node->rest.translation
                                                             : node->rest.scale;
    bool is = keys->count == 1 && keys->interpolation != INTERPOLATE_CUBIC;
    for (uint32_t i = 0; is && i < component_width(component); i++)
        is = fabsf(keys->values[i] - rest[i]) <= 1e-5f * fmaxf(1, fabsf(rest[i]));
    return is;
}

static void sample_parts(const struct variant *variant, const struct node *node, const struct channel *channel,
                         const struct node *channel_node, double time, struct local_parts *out)
{
    double *parts[COMPONENT_COUNT] = {out->translation, out->rotation, out->scale};
    out->is_keyed = true;
    out->has_rotation = false;
    for (int c = 0; c < COMPONENT_COUNT; c++) {
        const struct keys *keys = &channel->keys[c];
        const uint32_t count = keys->count;
        double value[4];
        const bool is_filled =
            variant->at[SWITCH_FILLED] && sample_is_filled(channel_node, channel, (enum component)c);
        const bool is_early = count > 0 && variant->at[SWITCH_EARLY] == EARLY_REST && time < keys->times[0];
        const bool is_late = count > 0 && variant->at[SWITCH_LATE] == LATE_REST && time > keys->times[count - 1];
        if (count == 0 || is_filled || (count == 1 && variant->at[SWITCH_SINGLE]) || is_early || is_late) {
            fill_missing(variant, node, (enum component)c, out);
            continue;
        }
        sample_component(variant, channel, (enum component)c, time, value);
        if (variant->at[SWITCH_KEY_AXES])
            turn_key(variant, (enum component)c, value);
        for (int i = 0; i < 3 && c == COMPONENT_TRANSLATION && variant->at[SWITCH_KEY_SCALE] == BY_FACTOR; i++)
            value[i] *= variant->number[SWITCH_KEY_SCALE];
        memcpy(parts[c], value, component_width((enum component)c) * sizeof *value);
        out->has_rotation = out->has_rotation || c == COMPONENT_ROTATION;
    }
}

/* A matrix a key: the matrices of both keys, number by number. */
static void sample_matrices(const struct variant *variant, const struct node *node, const struct channel *channel,
                            const struct node *channel_node, double time, struct local_parts *out)
{
    const struct keys *keys = NULL;
    for (int c = 0; c < COMPONENT_COUNT; c++)
        if (!keys || channel->keys[c].count > keys->count)
            keys = &channel->keys[c];
    if (keys->count == 0)
        return;
    struct span span = find_span(keys, channel, INTERPOLATE_LINEAR, time);
    struct variant plain = *variant;
    struct local_parts a = *out, b = *out;
    plain.at[SWITCH_CURVES] = 0;
    if (span.u == 0)
        return;
    sample_channel(&plain, node, channel, channel_node, keys->times[span.key], &a);
    sample_channel(&plain, node, channel, channel_node, keys->times[span.key + 1], &b);
    for (int i = 0; i < 16; i++)
        out->matrix.at[i / 4][i % 4] =
            a.matrix.at[i / 4][i % 4] + span.u * (b.matrix.at[i / 4][i % 4] - a.matrix.at[i / 4][i % 4]);
}

void sample_channel(const struct variant *variant, const struct node *node, const struct channel *channel,
                    const struct node *channel_node, double time, struct local_parts *out)
{
    sample_parts(variant, node, channel, channel_node, time, out);
    sample_compose(variant, node, out);
    if (variant->at[SWITCH_CURVES] == CURVES_MATRIX)
        sample_matrices(variant, node, channel, channel_node, time, out);
}

struct matrix sample_components(const struct local_parts *local, unsigned components)
{
    static const double still[] = {0, 0, 0}, upright[] = {0, 0, 0, 1}, whole[] = {1, 1, 1};
    return matrix_from_parts(components & 1u << COMPONENT_TRANSLATION ? local->translation : still,
                      components & 1u << COMPONENT_ROTATION ? local->rotation : upright,
                      components & 1u << COMPONENT_SCALE ? local->scale : whole, 0);
}

/* The rest pose once more, under what is keyed. */
static void add_to_rest(unsigned rule, const struct node *node, struct local_parts *local)
{
    const double rest[4] = {node->rest.rotation[0], node->rest.rotation[1], node->rest.rotation[2],
                            node->rest.rotation[3]};
    const double keyed[4] = {local->rotation[0], local->rotation[1], local->rotation[2], local->rotation[3]};
    for (int i = 0; i < 3 && (rule == ADDITIVE_PARTS || rule == ADDITIVE_TRANSLATION); i++)
        local->translation[i] += node->rest.translation[i];
    for (int i = 0; i < 3 && rule == ADDITIVE_PARTS; i++)
        local->scale[i] *= node->rest.scale[i];
    if (rule == ADDITIVE_PARTS || rule == ADDITIVE_ROTATION)
        quatd_mul(rest, keyed, local->rotation);
    else if (rule == ADDITIVE_ROTATION_RIGHT)
        quatd_mul(keyed, rest, local->rotation);
}

/* The translation of the topmost node, which travels with the model. */
static void drop_travel(unsigned rule, const struct node *node, double t[3])
{
    for (int i = 0; i < 3; i++)
        if (!(rule == TRANSLATION_ROOT_Y && i == 1) && !(rule == TRANSLATION_ROOT_Z && i == 2))
            t[i] = node->rest.translation[i];
}

static void order_quaternion(unsigned rule, double q[4])
{
    const double was[4] = {q[0], q[1], q[2], q[3]};
    for (int i = 0; i < 4 && rule; i++)
        q[i] = rule == QUATERNION_W_FIRST  ? was[(i + 3) % 4] /* stored w x y z, read as x y z w */
               : rule == QUATERNION_W_LAST ? was[(i + 1) % 4]
                                           : (i < 3 ? -was[i] : was[i]);
}

void sample_turn_rest(const struct variant *variant, struct node *node)
{
    double q[4] = {node->rest.rotation[0], node->rest.rotation[1], node->rest.rotation[2], node->rest.rotation[3]};
    order_quaternion(variant->at[SWITCH_QUATERNION] % OF_ALL, q);
    for (int i = 0; i < 4; i++)
        node->rest.rotation[i] = (float)q[i];
    affine_from_transform(&node->rest, node->local_to_parent);
}

void sample_compose(const struct variant *variant, const struct node *node, struct local_parts *local)
{
    double *t = local->translation, *q = local->rotation;
    const unsigned translation = variant->at[SWITCH_TRANSLATION] % OF_ALL, scale = variant->at[SWITCH_SCALE] % OF_ALL;
    const unsigned additive = variant->at[SWITCH_ADDITIVE];
    const bool turns = variant->at[SWITCH_ROTATION] > (local->has_rotation ? 0 : OF_ALL);
    if (variant->at[SWITCH_QUATERNION] < OF_REST && (local->has_rotation || variant->at[SWITCH_QUATERNION] > OF_ALL))
        order_quaternion(variant->at[SWITCH_QUATERNION] % OF_ALL, q);
    for (int i = 0; i < 4 && turns; i++)
        q[i] = variant->at[SWITCH_ROTATION] % OF_ALL == ROTATION_REST ? (double)node->rest.rotation[i] : i == 3;
    for (int i = 0; i < 3; i++) {
        if (translation == TRANSLATION_ZERO)
            t[i] = 0;
        else if (translation == TRANSLATION_REST || (translation == TRANSLATION_ROOT_ONLY && !local->is_topmost))
            t[i] = node->rest.translation[i];
        if (scale)
            local->scale[i] = scale == SCALE_ONE ? 1 : (double)node->rest.scale[i];
    }
    if (translation >= TRANSLATION_ROOT && local->is_topmost)
        drop_travel(translation, node, t);
    add_to_rest(additive, node, local);
    local->matrix = matrix_from_parts(t, q, local->scale, variant->at[SWITCH_ORDER] % OF_ALL);
    const struct matrix rest = matrix_from((const float(*)[4])node->local_to_parent);
    if (additive == ADDITIVE_LEFT)
        local->matrix = matrix_mul(&rest, &local->matrix);
    else if (additive == ADDITIVE_RIGHT)
        local->matrix = matrix_mul(&local->matrix, &rest);
}
