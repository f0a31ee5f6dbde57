#include "pipeline/view_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "data/scene/bind_pose.h"
#include "data/vector.h"
#include "palette/palette_stage.h"

static void skin_as(const struct pipeline *p, const struct palette *palette, struct skinned *out)
{
    struct pipeline as = *p;
    as.palette = *palette;
    as.skinned = out;
    pipeline_skin(&as);
}

/* ---- the reference ----------------------------------------------------------------------------------------------- */

static void skin_reference(struct pipeline *p)
{
    struct view_values *values = p->values;
    struct palette palette = palette_create(p->scene, p->arena);
    struct bind_pose bind;
    struct error why = {0};
    struct bounds bounds = bounds_empty();
    if (!bind_pose_solve(p->scene, p->arena, &bind, &why)) {
        log_note("--view %s: there is no bind pose (%s): it is against the rest pose", view_names[p->settings->view],
                 why.text);
        bind.pose = pose_create(p->scene, p->arena);
        palette_globals(p->scene, &bind.pose);
    }
    palette_compute(p->scene, &bind.pose, p->settings->space, &palette);
    skin_as(p, &palette, values->reference);
    for (uint32_t i = 0; i < p->scene->instance_count; i++)
        bounds_add_points(&bounds, values->reference[i].positions, values->reference[i].vertex_count);
    values->radius = bounds_radius(&bounds) > 0 ? (double)bounds_radius(&bounds) : 1;
}

static bool check_range(const struct settings *s, const struct color_scale *scale, struct error *err)
{
    const double least = (double)s->range.least, most = (double)s->range.most;
    if (isnan(least))
        return true;
    if (!scale)
        return error_set(err, "--range is for --view weight-sum, displacement, stretch and speed");
    if (scale->is_logarithm && !(least > 0))
        return error_set(err, "--range: `%s` is a ratio: the range begins above 0", view_names[s->view]);
    if (scale->diverges && !(least < scale->middle && most > scale->middle))
        return error_set(err, "--range: %g, which is as it should be in `%s`, must be within", scale->middle,
                         view_names[s->view]);
    return true;
}

bool view_values_begin(struct pipeline *p, struct error *err)
{
    const struct settings *s = p->settings;
    const struct color_scale *scale = color_scale_of(s->view);
    if (!check_range(s, scale, err))
        return false;
    if (!scale)
        return true;
    struct view_values *values = p->values = ARENA_NEW(p->arena, struct view_values, 1);
    const uint32_t members = crowd_size(s) ? crowd_size(s) : 1;
    *values = (struct view_values){.scale = scale, .radius = 1};
    values->numbers = ARENA_NEW(p->arena, float, members * color_scale_total(scale, p->scene));
    values->range = s->range;
    values->has_range = !isnan(s->range.least);
    if (scale->values != VALUES_OF_WEIGHTS) {
        values->now = skinned_create(p->scene, p->arena);
        values->before = skinned_create(p->scene, p->arena);
        values->reference = skinned_create(p->scene, p->arena);
        skin_reference(p);
    }
    return true;
}

static const struct mesh *mesh_of(const struct scene *scene, uint32_t instance)
{
    return &scene->meshes[scene->instances[instance].mesh];
}

/* The instance of a mesh of that name, first in its own place; of as many the one in its place; or NO_INDEX. */
static int32_t find_partner(const struct scene *scene, uint32_t instance, const struct scene *other)
{
    for (uint32_t step = 0; step <= other->instance_count; step++) {
        const uint32_t k = step == 0 ? instance : step - 1;
        if (k < other->instance_count && strcmp(mesh_of(other, k)->label, mesh_of(scene, instance)->label) == 0)
            return (int32_t)k;
    }
    return scene->instance_count == other->instance_count ? (int32_t)instance : NO_INDEX;
}

/* Returns whether the vertices of two meshes (the other may be NULL) are the same ones; else says why not. */
static bool is_paired(const struct mesh *a, const struct mesh *b, const char *path, struct text *why)
{
    if (!b)
        text_addf(why, "%s has no mesh %s", path, a->quoted);
    else if (a->vertex_count != b->vertex_count || a->triangle_count != b->triangle_count)
        text_addf(why, "mesh %s has %u vertices and %u triangles here, %u and %u in %s", a->quoted, a->vertex_count,
                  a->triangle_count, b->vertex_count, b->triangle_count, path);
    else if (memcmp(a->indices, b->indices, 3 * (size_t)a->triangle_count * sizeof *a->indices) != 0)
        text_addf(why, "mesh %s has other triangles in %s", a->quoted, path);
    return why->size == 0;
}

bool view_values_against(struct pipeline *p, struct pipeline *other, struct error *err)
{
    struct view_values *values = p->values;
    const struct scene *scene = p->scene;
    SCOPED(text) lines = {0};
    uint32_t paired = 0;
    if (p->settings->view != VIEW_DISPLACEMENT && p->settings->view != VIEW_STRETCH)
        return error_set(err, "it is for --view displacement and stretch");
    values->partner = ARENA_NEW(p->arena, int32_t, scene->instance_count);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const int32_t partner = find_partner(scene, i, other->scene);
        SCOPED(text) why = {0};
        const bool is_good =
            is_paired(mesh_of(scene, i), partner == NO_INDEX ? NULL : mesh_of(other->scene, (uint32_t)partner),
                      other->scene->path, &why);
        values->partner[i] = is_good ? partner : NO_INDEX;
        paired += is_good;
        if (!is_good)
            text_addf(&lines, "%s: its vertices cannot be paired\n", text_string(&why));
    }
    values->against = other;
    if (paired == 0)
        error_set(err, "no mesh is like one of %s: %.*s", p->scene->path, (int)strcspn(text_string(&lines), "\n"),
                  text_string(&lines));
    for (const char *line = text_string(&lines); *line && paired > 0; line += strcspn(line, "\n") + 1)
        log_warning("--against: %.*s and are grey", (int)strcspn(line, "\n"), line);
    return paired > 0;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Returns the skinned vertices of instance i; NULL where it has none. */
static const struct skinned *reference_of(const struct view_values *values, uint32_t i)
{
    if (!values->against)
        return &values->reference[i];
    return values->partner[i] == NO_INDEX ? NULL : &values->against->skinned[values->partner[i]];
}

/* Twice the area, and the longest edge. */
static double area_of(const vec3 *positions, const uint32_t *corners, double *edge)
{
    const float *a = positions[corners[0]], *b = positions[corners[1]], *c = positions[corners[2]];
    double u[3], v[3], n[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (double)b[k] - (double)a[k];
        v[k] = (double)c[k] - (double)a[k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    *edge = fmax(fmax(vec3d_length(u), vec3d_length(v)), vec3_distance(b, c));
    return vec3d_length(n);
}

/* To the base 2. A triangle at rest so thin that its area is rounding has none. */
static float stretch_of(const struct view_values *values, const struct skinned *now, const struct skinned *rest,
                        const uint32_t *corners)
{
    const double rounding = 1e-6, least = 1e-9;
    double edge, ignored;
    const double was = area_of((const vec3 *)rest->positions, corners, &edge);
    const double is = area_of((const vec3 *)now->positions, corners, &ignored);
    return was > rounding * edge * fmax(edge, values->radius) ? (float)log2(fmax(is / was, least)) : NO_VALUE;
}

/* The ends of the difference: of a clip that begins anew, in one turn. */
static void speed_times(const struct pipeline *p, double time, double ends[2])
{
    const double seconds = p->is_still ? 0 : pipeline_duration(p), slack = 1e-9;
    const bool wraps = p->settings->wrap == WRAP_LOOP, is_inside = time >= 0 && time <= seconds;
    ends[0] = time - SPEED_STEP;
    ends[1] = time + SPEED_STEP;
    if (!(seconds > 0) || (!wraps && !is_inside))
        return;
    const double begins = is_inside ? 0 : seconds * floor(time / seconds + slack);
    ends[0] = fmax(ends[0], begins);
    /* the first turn alone has its end */
    ends[1] = fmin(ends[1], begins + (is_inside ? seconds : seconds * (1 - slack)));
}

/* The two poses whose difference is the speed, skinned; the pipeline is at the second. */
static bool skin_speed(struct pipeline *p, double time, double *seconds, struct error *err)
{
    double ends[2];
    speed_times(p, time, ends);
    *seconds = ends[1] - ends[0];
    for (int i = 0; i < 2; i++) {
        if (!pipeline_pose(p, ends[i], err))
            return false;
        skin_as(p, &p->palette, i ? p->values->now : p->values->before);
    }
    return true;
}

/* Fills in the values of one member: [color_scale_total()]. */
static bool fill(struct pipeline *p, const struct palette *palette, double time, float *out, struct error *err)
{
    struct view_values *values = p->values;
    const bool is_speed = values->scale == color_scale_of(VIEW_SPEED);
    double seconds = 0;
    if (is_speed && !skin_speed(p, time, &seconds, err))
        return false;
    if (!is_speed)
        skin_as(p, palette, values->now);
    if (values->against) {
        if (!pipeline_pose(values->against, time, err))
            return error_prefix(err, "--against");
        pipeline_skin(values->against);
    }
    for (uint32_t i = 0; i < p->scene->instance_count; i++) {
        const struct mesh *mesh = mesh_of(p->scene, i);
        const struct skinned *now = &values->now[i], *from = is_speed ? &values->before[i] : reference_of(values, i);
        const size_t count = color_scale_count(values->scale, p->scene, i);
        for (size_t k = 0; k < count; k++, out++)
            *out = !from      ? NO_VALUE
                   : is_speed ? (float)(vec3_distance(now->positions[k], from->positions[k]) / seconds)
                   : values->scale->values == VALUES_OF_TRIANGLES
                       ? stretch_of(values, now, from, mesh->indices + 3 * k)
                       : (float)vec3_distance(now->positions[k], from->positions[k]);
    }
    return true;
}

static void add_sums(struct pipeline *p)
{
    struct view_values *values = p->values;
    for (uint32_t m = 0; m < p->scene->instance_count; m++) {
        const struct mesh *mesh = mesh_of(p->scene, m);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            double sum = mesh->influence_first ? 0 : 1;
            for (uint32_t i = mesh->influence_first ? mesh->influence_first[v] : 0;
                 mesh->influence_first && i < mesh->influence_first[v + 1]; i++)
                sum += (double)mesh->influences[i].weight;
            values->least = fmin(values->least, sum);
            values->most = fmax(values->most, sum);
        }
    }
}

/* Before values of a picture or of all times come: the sums of weights are the same at any. */
static void begin_extremes(struct pipeline *p)
{
    struct view_values *values = p->values;
    values->least = INFINITY;
    values->most = -INFINITY;
    values->has_gaps = false;
    if (values->scale->values == VALUES_OF_WEIGHTS)
        add_sums(p);
}

static void add_extremes(struct view_values *values, const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] >= NO_VALUE) {
            values->has_gaps = true;
            continue;
        }
        const double number = values->scale->is_logarithm ? exp2((double)numbers[i]) : (double)numbers[i];
        values->least = fmin(values->least, number);
        values->most = fmax(values->most, number);
    }
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

/* The next of 1, 1.2, 1.6, 2, ... times a power of ten; what is above one by rounding alone is at it. */
static double round_up(double number)
{
    static const double steps[] = {1, 1.2, 1.6, 2, 2.4, 3.2, 4, 5, 6, 8, 10};
    const double power = pow(10, floor(log10(number))), rounding = 1 + 1e-5;
    size_t i = 0;
    while (steps[i] < 10 && steps[i] * power * rounding < number)
        i++;
    return steps[i] * power;
}

static const double stretches[] = {1.25, 1.5, 2, 4, 16, 64, 256, 1024};
enum { STRETCHES = sizeof stretches / sizeof stretches[0] };

/* Returns which of these the range of a pose needs. */
static int stretch_step(const struct pipeline *p, const float *numbers)
{
    double beyond[STRETCHES] = {0}, all = 0, edge;
    for (uint32_t i = 0; i < p->scene->instance_count; i++) {
        const struct mesh *mesh = mesh_of(p->scene, i);
        const struct skinned *rest = reference_of(p->values, i);
        for (uint32_t t = 0; t < mesh->triangle_count; t++, numbers++) {
            if (*numbers >= NO_VALUE)
                continue;
            const double area = area_of((const vec3 *)rest->positions, mesh->indices + 3 * (size_t)t, &edge);
            all += area;
            for (int k = 0; k < STRETCHES && fabs((double)*numbers) > log2(stretches[k]) + 1e-5; k++)
                beyond[k] += area;
        }
    }
    int step = 0;
    while (step < STRETCHES - 1 && beyond[step] > 0.01 * all)
        step++;
    return step;
}

/* Returns the range of values at all times, as `least` and `most` and that step. */
static struct value_range range_found(const struct view_values *values, int step)
{
    const double half_a_byte = 1.0 / 510;
    if (values->scale->is_logarithm)
        return (struct value_range){(float)(1 / stretches[step]), (float)stretches[step]};
    if (values->scale->diverges) {
        const double most = fmax(fmax(1 - values->least, values->most - 1), 0),
                     by = most < half_a_byte ? 1 : round_up(most);
        return (struct value_range){(float)fmax(1 - by, 0), (float)(1 + by)};
    }
    return (struct value_range){0, (float)round_up(fmax(values->most, 1e-3 * values->radius))};
}

bool view_values_range_of(struct pipeline *p, const struct palette *const *palettes, const double *times, size_t count,
                          struct value_range *out, struct error *err)
{
    struct view_values *values = p->values;
    const size_t total = color_scale_total(values->scale, p->scene);
    int step = 0;
    begin_extremes(p);
    for (size_t i = 0; total > 0 && i < count; i++) {
        if (!fill(p, palettes[i], times[i], values->numbers, err))
            return false;
        add_extremes(values, values->numbers, total);
        if (values->scale->values == VALUES_OF_TRIANGLES) {
            const int needed = stretch_step(p, values->numbers);
            step = needed > step ? needed : step;
        }
    }
    *out = range_found(values, step);
    return true;
}

bool view_values_find_range(struct pipeline *p, const double *times, size_t count, struct error *err)
{
    const uint32_t members = crowd_size(p->settings) ? crowd_size(p->settings) : 1;
    struct value_range all = {0, -INFINITY}, one;
    const struct palette *palette = &p->palette;
    if (!p->values || p->values->has_range)
        return true;
    for (size_t i = 0; i < count * members; i++) {
        const double time = crowd_time(p, times[i / members], (uint32_t)(i % members));
        if (!pipeline_pose(p, time, err) || !view_values_range_of(p, &palette, &time, 1, &one, err))
            return false;
        if (one.most > all.most)
            all = one;
    }
    p->values->range = all;
    p->values->has_range = true;
    return true;
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static const char *unit_of(const struct scene *scene)
{
    static const struct {
        double meters;
        const char *name;
    } units[] = {{1, "m"}, {0.01, "cm"}, {0.001, "mm"}, {0.0254, "in"}, {0.3048, "ft"}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (fabs(scene->unit_meters - units[i].meters) < 1e-6 * units[i].meters)
            return units[i].name;
    return "units";
}

static void name_scale(const struct pipeline *p, const struct color_scale *scale, struct text *out)
{
    text_add(out, scale->what);
    if (scale->unit)
        text_addf(out, " (%s%s)", unit_of(p->scene), scale->unit);
}

void view_values_name(const struct pipeline *p, struct text *out)
{
    name_scale(p, p->values->scale, out);
}

void view_values_name_scale(const struct pipeline *p, struct frame_settings *out)
{
    const struct color_scale *scale = legend_scale_of(out->view);
    SCOPED(text) name = {0};
    if (!scale || scale->values != VALUES_OF_SHADER)
        return;
    if (out->view == VIEW_BONE_WEIGHT)
        text_addf(&name, "weight of %.40s\ngrey: none", p->settings->view_bone);
    else
        name_scale(p, scale, &name);
    snprintf(out->legend, sizeof out->legend, "%s", text_string(&name));
}

/* "speed (m/s)", "0 to 1.82" */
static void write_legend(const struct pipeline *p, struct frame_settings *out)
{
    const struct view_values *values = p->values;
    char least[24], most[24], numbers[56] = "";
    SCOPED(text) name = {0};
    view_values_name(p, &name);
    color_scale_write(values->least, sizeof least, least);
    color_scale_write(values->most, sizeof most, most);
    if (values->least <= values->most)
        snprintf(numbers, sizeof numbers, "\n%s to %s", least, most);
    const char *gaps = !values->has_gaps                              ? ""
                       : values->scale->values == VALUES_OF_TRIANGLES ? "\nmagenta: no area"
                                                                      : "\ngrey: not paired";
    snprintf(out->legend, sizeof out->legend, "%s%s%s", text_string(&name), numbers, gaps);
}

const float *view_values_between(const struct pipeline *p, const struct palette *was, const struct palette *is,
                                 struct arena *arena, struct value_range *found)
{
    const struct color_scale *scale = color_scale_of(VIEW_DISPLACEMENT);
    struct view_values values = {
        .scale = scale, .now = skinned_create(p->scene, arena), .reference = skinned_create(p->scene, arena)};
    struct pipeline of = *p;
    float *numbers = ARENA_NEW(arena, float, color_scale_total(scale, p->scene));
    of.values = &values;
    skin_as(&of, was, values.reference);
    fill(&of, is, p->time, numbers, ERROR_IGNORED); /* nothing is posed, so that nothing fails */
    begin_extremes(&of);
    add_extremes(&values, numbers, color_scale_total(scale, p->scene));
    *found = (struct value_range){(float)values.least, (float)fmax(values.most, 0)};
    return numbers;
}

void view_values_show_between(const struct pipeline *p, const struct value_range *found, double most,
                              struct frame_settings *out)
{
    struct view_values values = {.scale = color_scale_of(VIEW_DISPLACEMENT), .most = most};
    struct pipeline of = *p;
    of.values = &values;
    out->view = VIEW_DISPLACEMENT;
    out->overlays = OVERLAY_LEGEND;
    out->range = range_found(&values, 0);
    values.least = (double)found->least;
    values.most = (double)found->most;
    write_legend(&of, out);
}

bool view_values_add(struct posed_crowd *crowd, struct pipeline *p, double time, struct frame_settings *frame_settings,
                     struct error *err)
{
    struct view_values *values = p->values;
    const uint32_t members = crowd->crowd.count ? crowd->crowd.count : 1;
    if (!values)
        return true;
    const size_t total = color_scale_total(values->scale, p->scene);
    begin_extremes(p);
    for (uint32_t m = 0; m < members && total > 0; m++) {
        float *numbers = values->numbers + m * total;
        const double at = crowd->crowd.count ? crowd_time(p, time, m) : time;
        if (!fill(p, crowd->palettes[m], at, numbers, err))
            return false;
        add_extremes(values, numbers, total);
        crowd->members[m].values = numbers;
    }
    write_legend(p, frame_settings);
    return p->settings->view != VIEW_SPEED || pipeline_pose(p, time, err);
}
