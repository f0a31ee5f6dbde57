#include "compare/pose/pose_context.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/format_number.h"

/* ---- what is shared ---------------------------------------------------------------------------------------------- */

double pose_skin_radius(const struct pose_context *c, const char *mesh)
{
    double min[3], max[3];
    int32_t index = name_find(&c->skins, mesh);
    if (index == NO_INDEX)
        return 0;
    for (int k = 0; k < 3; k++) {
        min[k] = (double)c->golden->skin[index].min[k];
        max[k] = (double)c->golden->skin[index].max[k];
    }
    return 0.5 * vector_distance(min, max);
}

static double finite(double value)
{
    return fabs(value) <= DBL_MAX ? value : DBL_MAX;
}

/* Products of huge numbers may overflow; nothing that is written holds an infinity. */
static struct bone_error finite_error(const struct bone_error *error)
{
    struct bone_error e = *error;
    e.displacement = finite(e.displacement);
    e.distance = finite(e.distance);
    e.degrees = finite(e.degrees);
    e.translation = finite(e.translation);
    e.scale_percent = finite(e.scale_percent);
    return e;
}

void pose_add_error(struct pose_context *c, const struct bone_error *error)
{
    struct bone_error e = finite_error(error);
    c->out->items[c->out->count++] = e;
    c->out->worst[e.stage] = fmax(c->out->worst[e.stage], e.displacement);
}

struct finding pose_finding(const struct pose_context *c, enum stage stage, const char *subject)
{
    struct finding finding = finding_none;
    finding.stage = stage;
    finding.subject = subject;
    finding.time = c->golden->time;
    return finding;
}

const char *pose_off_by(const struct pose_context *c, const struct bone_error *error)
{
    return arena_printf(c->arena, "%s (%s)", format_length(error->distance, c->unit_meters).text,
                        format_displacement(error->displacement).text);
}

/* ---- faults in words --------------------------------------------------------------------------------------------- */

void pose_add_fault(const struct pose_context *c, struct pose_faults *faults, const struct bone_error *error,
                    const char *what, const char *why)
{
    if (faults->count == faults->capacity) {
        size_t capacity = faults->capacity ? 2 * faults->capacity : 16;
        struct pose_fault *items = ARENA_NEW(c->arena, struct pose_fault, capacity);
        if (faults->count > 0)
            memcpy(items, faults->items, faults->count * sizeof *items);
        faults->items = items;
        faults->capacity = capacity;
    }
    faults->items[faults->count] = (struct pose_fault){finite_error(error), faults->count, false, what, why};
    faults->count++;
}

static int worst_first(const void *a, const void *b)
{
    const struct pose_fault *x = a, *y = b;
    if (x->error.displacement != y->error.displacement)
        return x->error.displacement < y->error.displacement ? 1 : -1;
    return (x->order > y->order) - (x->order < y->order);
}

static struct finding finding_of(const struct pose_context *c, const struct bone_error *error)
{
    struct finding finding = pose_finding(c, error->stage, error->bone);
    finding.mesh = error->mesh;
    finding.displacement = error->displacement;
    finding.distance = error->distance;
    finding.degrees = error->degrees;
    finding.translation = error->translation;
    finding.scale_percent = error->scale_percent;
    return finding;
}

void pose_report_faults(const struct pose_context *c, struct pose_faults *faults, const char *nouns)
{
    enum { MOST = 16 };
    if (faults->count > 1)
        qsort(faults->items, faults->count, sizeof *faults->items, worst_first);
    for (size_t i = 0; i < faults->count; i++) {
        const struct pose_fault *fault = &faults->items[i];
        struct finding finding = finding_of(c, &fault->error);
        finding.benign = fault->benign;
        if (i == MOST && faults->count > MOST + 1) {
            findings_add(c->findings, &finding, "%zu more %s are off by up to %s at %s", faults->count - MOST, nouns,
                         pose_off_by(c, &fault->error), format_seconds(c->golden->time).text);
            return;
        }
        findings_add(c->findings, &finding, "%s%s", fault->what, fault->why);
    }
}
