/* Says which channels there are, and their values. */
#include <math.h>
#include <string.h>

#include "base/slice.h"
#include "data/vector.h"
#include "pipeline/curves.h"
#include "pipeline/velocities.h"

static const double degree = 180.0 / 3.14159265358979323846;

static const char *const space_names[CURVE_SPACES] = {"local", "global", "palette"};
static const struct {
    const char *name, *unit;
    int components;
    bool has_speed;
} kinds[CURVE_KINDS] = {
    [CURVE_TRANSLATION] = {"translation", "units", 3, false},
    [CURVE_ROTATION] = {"rotation", "", 4, false},
    [CURVE_EULER] = {"euler", "degrees", 3, false},
    [CURVE_TURN] = {"turn", "degrees", 0, true},
    [CURVE_SCALE] = {"scale", "", 3, false},
    [CURVE_VELOCITY] = {"velocity", "units a second", 3, true},
    [CURVE_ANGULAR] = {"angular", "degrees a second", 3, true},
};
static const char components[] = "xyzw";

struct plot_panel curve_panel(const struct curve_channel *channel, struct arena *arena)
{
    const char *const title = arena_printf(arena, "%s %s", space_names[channel->space], kinds[channel->kind].name);
    return (struct plot_panel){title, kinds[channel->kind].unit};
}

/* "y", "scale", "scale.x" behind the space. False where it is none. */
static bool read_kind(const char *text, size_t length, enum curve_kind *kind, int *component)
{
    const char *dot = memchr(text, '.', length);
    const size_t first = dot ? (size_t)(dot - text) : length;
    *component = -2; /* all */
    *kind = CURVE_TRANSLATION;
    if (length == 1 && strchr("xyz", *text)) {
        *component = (int)(strchr(components, *text) - components);
        return true;
    }
    while (*kind < CURVE_KINDS && !slice_is((struct slice){text, first}, kinds[*kind].name))
        (*kind)++;
    if (*kind == CURVE_KINDS)
        return false;
    if (dot) {
        const char *letter = length == first + 2 ? strchr(components, dot[1]) : NULL;
        *component = letter ? (int)(letter - components) : kinds[*kind].components;
        return *component < kinds[*kind].components;
    }
    *component = kinds[*kind].has_speed ? CURVE_SPEED : -2;
    return true;
}

static bool add(struct curve_channel *out, size_t *count, enum curve_space space, enum curve_kind kind, int component,
                struct arena *arena, struct error *err)
{
    for (size_t i = 0; i < *count; i++)
        if (out[i].space == space && out[i].kind == kind && out[i].component == component)
            return true;
    if (*count == CURVE_MOST_CHANNELS)
        return error_set(err, "--channel: no more than %d at a time", CURVE_MOST_CHANNELS);
    out[(*count)++] = (struct curve_channel){
        space, kind, component,
        component == CURVE_SPEED ? arena_printf(arena, "%s.%s", space_names[space], kinds[kind].name)
        : kind == CURVE_TRANSLATION
            ? arena_printf(arena, "%s.%c", space_names[space], components[component])
            : arena_printf(arena, "%s.%s.%c", space_names[space], kinds[kind].name, components[component])};
    return true;
}

bool curve_channels_read(const char *text, struct arena *arena, struct curve_channel *out, size_t *count,
                         struct error *err)
{
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        const char *dot = memchr(at, '.', length);
        int space = 0, component = 0;
        enum curve_kind kind = CURVE_TRANSLATION;
        while (dot && space < CURVE_SPACES && !slice_is((struct slice){at, (size_t)(dot - at)}, space_names[space]))
            space++;
        if (!dot || space == CURVE_SPACES || !read_kind(dot + 1, length - (size_t)(dot + 1 - at), &kind, &component))
            return error_set(err,
                             "--channel %.*s: it is local, global or palette, a dot, and x, y, z, translation, "
                             "rotation, euler, turn, scale, velocity or angular, such as global.y or local.rotation.w",
                             (int)length, at);
        const int first = component == -2 ? 0 : component,
                  last = component == -2 ? kinds[kind].components - 1 : component;
        for (int i = first; i <= last; i++)
            if (!add(out, count, (enum curve_space)space, kind, i, arena, err))
                return false;
        at += length;
        if (!*at)
            return true;
    }
}

/* R = Rz Ry Rx; where y is a quarter turn, z is 0. */
static double euler_of(const vec4 rotation, int component)
{
    const double x = (double)rotation[0], y = (double)rotation[1], z = (double)rotation[2], w = (double)rotation[3];
    const double sine = fmax(-1, fmin(1, 2 * (w * y - z * x)));
    const bool is_locked = fabs(sine) > 1 - 1e-9;
    if (component == 1)
        return asin(sine) * degree;
    if (component == 2)
        return is_locked ? 0 : atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) * degree;
    return is_locked ? (sine < 0 ? -2 : 2) * atan2(x, w) * degree
                     : atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) * degree;
}

void curve_values(const struct curve_channel *channel, const double *times, const struct transform *poses, size_t count,
                  double *out)
{
    const int c = channel->component;
    double turn[3], linear[3], angular[3], sign = 1;
    size_t before, after;
    for (size_t i = 0; i < count; i++) {
        const struct transform *pose = &poses[i];
        if (i > 0 && channel->kind == CURVE_ROTATION) {
            double cosine = 0;
            for (int k = 0; k < 4; k++)
                cosine += (double)pose->rotation[k] * (double)poses[i - 1].rotation[k];
            sign = cosine < 0 ? -sign : sign;
        }
        switch (channel->kind) {
        case CURVE_TRANSLATION: out[i] = (double)pose->translation[c]; break;
        case CURVE_ROTATION: out[i] = sign * (double)pose->rotation[c]; break;
        case CURVE_SCALE: out[i] = (double)pose->scale[c]; break;
        case CURVE_EULER:
            out[i] = euler_of(pose->rotation, c);
            if (i > 0 && !isnan(out[i - 1]))
                out[i] += 360 * round((out[i - 1] - out[i]) / 360);
            break;
        case CURVE_TURN:
            turn_between(poses[0].rotation, pose->rotation, turn);
            out[i] = vec3d_length(turn);
            break;
        default:
            before = i > 0 ? i - 1 : 0;
            after = i + 1 < count ? i + 1 : i;
            motion_between(&poses[before], pose, &poses[after], times[after] - times[before], linear, angular);
            memcpy(turn, channel->kind == CURVE_ANGULAR ? angular : linear, sizeof turn);
            out[i] = c == CURVE_SPEED ? vec3d_length(turn) : turn[c];
        }
    }
}
