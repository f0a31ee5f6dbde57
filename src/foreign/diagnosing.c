#include "foreign/diagnosing.h"

#include <math.h>
#include <string.h>

#include "diagnose/variant.h"

/* Returns the time that the rate makes of another: the clip's, which a negative rate runs through from the end. */
static double clip_time(const struct pipeline *p, double seconds)
{
    const double rate = p->settings->rate;
    return rate < 0 ? (seconds - pipeline_duration(p)) * rate : seconds * rate;
}

/* The clip whose sampling is replayed; NULL where the pose is more than its samples. */
static const struct clip *clip_of(const struct pipeline *p)
{
    const struct settings *settings = p->settings;
    return settings->mix_count > 0 || p->is_still || settings->in_place ? NULL : p->clip;
}

static struct diagnosis_input input_of(const struct pipeline *p, const struct pose_snapshot *theirs, double tolerance)
{
    const struct settings *settings = p->settings;
    return (struct diagnosis_input){
        .scene = p->scene,
        .clip = clip_of(p),
        .time = clip_time(p, p->time),
        .wrap = settings->wrap,
        .previous_time = NAN,
        .pose = &p->pose,
        .space = settings->space,
        .influences = settings->influences,
        .is_dual = settings->upload_format.skinning == SKINNING_DUAL_QUATERNION,
        .theirs = theirs,
        .tolerance = tolerance,
    };
}

/* Returns whether what was found in one scene means the same in the other: both are read from one file, which may
 * change. */
static bool is_same_hierarchy(const struct scene *a, const struct scene *b)
{
    return a->node_count == b->node_count && a->binding_count == b->binding_count && a->clip_count == b->clip_count;
}

/* As a share of the radius, and of what vertices are off by that have a cause: what matrices may be off by without one,
 * where vertices cannot be made of theirs, and where they can. */
static const double DRIFT_MOST = 1e-3, DRIFT_SHARE = 0.1;

static bool is_known(const struct diagnosis *diagnosis)
{
    return diagnosis->differ == 0 || diagnosis->full_count > 0;
}

/* The model with all influences and the weights of the file. */
static bool read_whole(struct diagnosing *d, const struct pipeline *p, struct error *err)
{
    struct settings as_file = *p->settings;
    as_file.import.repairs &= ~(uint32_t)REPAIR_NORMALISE_WEIGHTS;
    d->whole = import_with_clips(p->scene->path, &as_file, true, err);
    if (!d->whole || !pipeline_begin(&d->pipeline, d->whole, p->settings, err) ||
        !pipeline_pose(&d->pipeline, p->time, err))
        return false;
    return is_same_hierarchy(d->whole, p->scene) || error_set(err, "%s has changed while it was read", p->scene->path);
}

/* From theirs' palette; where that explains nothing, as when another one is given out than is used, from what
 * explains nodes and palette. NULL: that is no single variant to compute them, and there is no palette. */
static struct diagnosis *explain_vertices(struct diagnosing *d, const struct pipeline *p,
                                          const struct pose_snapshot *theirs, bool divides, double tolerance)
{
    static const struct variant right = {0};
    const struct variant *base = d->diagnosis->compared == 0    ? NULL
                                 : d->diagnosis->full_count > 0 ? d->diagnosis->explanations[0].variant
                                                                : &right;
    struct pose_snapshot vertices = *theirs;
    struct diagnosis_input input = input_of(p, &vertices, tolerance);
    struct diagnosis *found = NULL;
    vertices.node_count = 0;
    input.sums_to_one = divides;
    input.base = &right;
    input.skins_theirs = vertices.palette_count > 0;
    if (input.skins_theirs)
        found = diagnose(&input, d->arena);
    if ((found && is_known(found)) || (!base && d->diagnosis->compared > 0))
        return found;
    vertices.palette_count = 0;
    input.base = base;
    input.skins_theirs = false;
    struct diagnosis *from_base = diagnose(&input, d->arena);
    return found && !is_known(from_base) ? found : from_base;
}

/* Nodes and palette come first: an engine may skin in a way of its own, and still make a mistake before that. Where
 * they agree or are explained, vertices are looked at on top of that. */
bool diagnosing_begin(struct diagnosing *d, const struct pipeline *p, const struct pose_snapshot *theirs,
                      double previous_time, double tolerance, struct error *err)
{
    const struct settings *settings = p->settings;
    bool has_vertices = false;
    *d = (struct diagnosing){.arena = create_large_arena()};
    struct pose_snapshot *matrices = ARENA_COPY(d->arena, struct pose_snapshot, theirs);
    for (uint32_t i = 0; i < theirs->skin_count; i++)
        has_vertices = has_vertices || theirs->skin[i].position_count > 0;
    d->time = clip_time(p, p->time);
    d->duration = clip_of(p) ? clip_of(p)->duration : 0;
    matrices->skin_count = 0;
    d->input = input_of(p, matrices, tolerance);
    d->input.previous_time = clip_time(p, previous_time);
    d->diagnosis = diagnose(&d->input, d->arena);
    const bool is_explained = is_known(d->diagnosis);
    if (!has_vertices ||
        (!is_explained && theirs->palette_count == 0 && !(d->diagnosis->displacement <= DRIFT_MOST)))
        return true;
    const bool divides = settings->import.repairs & REPAIR_NORMALISE_WEIGHTS;
    if ((settings->influences > 0 || divides) &&
        !read_whole(d, p, err)) /* which they used, and of what sum, is a question then */
        return false;
    struct diagnosis *of_vertices = explain_vertices(d, d->whole ? &d->pipeline : p, theirs, divides, tolerance);
    if (!of_vertices)
        return true;
    if (!is_explained) {
        if (of_vertices->full_count == 0 || d->diagnosis->displacement > DRIFT_SHARE * of_vertices->displacement)
            return true;
        for (uint32_t i = 0; i < of_vertices->full_count; i++)
            if (!(of_vertices->explanations[i].drift.size > d->diagnosis->displacement))
                of_vertices->explanations[i].drift = (struct drift){.size = d->diagnosis->displacement};
        d->diagnosis = of_vertices;
    } else if (d->diagnosis->differ > 0) {
        d->diagnosis = diagnosis_join(d->diagnosis, of_vertices, d->arena);
    } else if (d->diagnosis->compared == 0 || of_vertices->differ > 0) {
        d->diagnosis = of_vertices;
    }
    return true;
}

/* Mistakes explain all of it, and better than a unit and axes would: several of them only without one that is a
 * convention as well, and a constant matrix is no mistake beside these. */
static bool is_mistake(const struct diagnosis *diagnosis, const struct foreign *foreign)
{
    static const char *const conventions[] = {"camera-space", "unit-scale", "axes-swapped", "mirrored"};
    const struct explanation *best = diagnosis->full_count > 0 ? &diagnosis->explanations[0] : NULL;
    bool is = best && best->explains >= 1;
    for (uint32_t i = 0; is && i < best->cause_count; i++)
        for (size_t k = 0; k < sizeof conventions / sizeof *conventions; k++)
            if (strcmp(best->causes[i].id, conventions[k]) == 0)
                is = best->cause_count == 1 && !(k == 0 && foreign->converted.is_turned);
    return is;
}

bool diagnosing_file(struct diagnosing *d, const struct pipeline *p, struct foreign *foreign, double tolerance,
                     struct error *err)
{
    struct diagnosing converted;
    if (!diagnosing_begin(d, p, foreign->pose, NAN, tolerance, err))
        return false;
    const struct diagnosis *found = d->diagnosis;
    if (!foreign->converted.pose || found->differ == 0 || is_mistake(found, foreign))
        return true;
    const bool good = diagnosing_begin(&converted, p, foreign->converted.pose, NAN, tolerance, err);
    if (good && (is_known(converted.diagnosis) || !is_known(found))) {
        diagnosing_end(d);
        *d = converted;
        foreign_convert(foreign);
        return true;
    }
    diagnosing_end(&converted);
    return good;
}

/* Returns whether it is one mistake at both times. What a shift of time is says only its distance from the time
 * asked for. */
static bool is_same_cause(const struct diagnosing *d, const struct cause *a, const struct diagnosing *other,
                          const struct cause *b)
{
    double gap = 0;
    if (strcmp(a->id, b->id) != 0)
        return false;
    if (a->kind == b->kind && a->kind != PARAMETER_NONE && a->kind != PARAMETER_SECONDS)
        gap = (a->parameter - b->parameter) / fmax(fabs(a->parameter), 1e-9);
    if (a->kind == PARAMETER_SECONDS && strcmp(a->id, "time-shift") == 0) {
        gap = (a->parameter - d->time) - (b->parameter - other->time);
        gap = d->duration > 0 ? remainder(gap, d->duration) : gap;
    }
    return fabs(gap) <= 1e-3;
}

static bool explains_too(const struct diagnosing *d, const struct explanation *explanation,
                         const struct diagnosing *other)
{
    for (uint32_t i = 0; i < other->diagnosis->full_count; i++) {
        const struct explanation *theirs = &other->diagnosis->explanations[i];
        bool same = theirs->cause_count == explanation->cause_count;
        for (uint32_t k = 0; same && k < explanation->cause_count; k++)
            same = is_same_cause(d, &explanation->causes[k], other, &theirs->causes[k]);
        if (same)
            return true;
    }
    return false;
}

void diagnosing_keep(struct diagnosing *d, const struct diagnosing *other)
{
    struct diagnosis *diagnosis = d->diagnosis;
    struct explanation *kept = ARENA_NEW(d->arena, struct explanation, diagnosis->explanation_count);
    const double apart = other->diagnosis->displacement;
    uint32_t count = 0;
    if (other->diagnosis->differ > 0 && apart <= fmin(DRIFT_MOST, DRIFT_SHARE * diagnosis->displacement))
        return; /* drift may look like another mistake */
    for (uint32_t i = 0; i < diagnosis->full_count; i++)
        if (other->diagnosis->differ == 0 ? diagnosis_holds(&diagnosis->explanations[i], &other->input, d->arena)
                                          : explains_too(d, &diagnosis->explanations[i], other))
            kept[count++] = diagnosis->explanations[i];
    if (count > 0 || other->diagnosis->full_count == 0) {
        diagnosis->explanations = kept;
        diagnosis->explanation_count = diagnosis->full_count = count;
    }
}

void diagnosing_end(struct diagnosing *d)
{
    pipeline_end(&d->pipeline);
    scene_free(d->whole);
    arena_destroy(d->arena);
    *d = (struct diagnosing){0};
}

/* Appends the bones that have a cause to its detail. */
static const char *detail_of(const struct cause *cause, struct arena *arena)
{
    SCOPED(text) text = {0};
    if (cause->detail)
        text_add(&text, cause->detail);
    diagnosis_write_bones(cause, &text);
    return text.size > 0 ? arena_string(arena, text.data) : NULL;
}

_Static_assert((int)CAUSES_MOST <= (int)RESULT_MAX_CAUSES, "results.json has all causes that are found");

void diagnosis_report(const struct diagnosis *diagnosis, struct arena *arena, struct case_result *result)
{
    const uint32_t count =
        diagnosis->full_count < RESULT_MAX_EXPLANATIONS ? diagnosis->full_count : RESULT_MAX_EXPLANATIONS;
    result->explanations = ARENA_NEW(arena, struct case_explanation, count);
    result->explanation_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const struct explanation *from = &diagnosis->explanations[i];
        struct case_explanation *to = &result->explanations[i];
        *to = (struct case_explanation){from->explains, from->residual, from->cause_count,
                                        ARENA_NEW(arena, struct case_cause, from->cause_count)};
        for (uint32_t k = 0; k < from->cause_count; k++) {
            const struct cause *cause = &from->causes[k];
            to->causes[k] = (struct case_cause){
                .id = arena_string(arena, cause->id),
                .stage = cause_stage_names[cause->stage],
                .sentence = arena_string(arena, cause->sentence),
                .detail = detail_of(cause, arena),
                .remedy = arena_string(arena, cause->remedy),
            };
        }
    }
}

static bool is_named(const struct diagnosis *diagnosis, const char *id)
{
    bool is = false;
    for (uint32_t i = 0; i < diagnosis->full_count; i++)
        is = is || strcmp(diagnosis->explanations[i].causes[0].id, id) == 0;
    return is;
}

void diagnosing_picture(const struct image *ours, const struct image *theirs, struct arena *arena,
                        struct case_result *result)
{
    uint32_t differ = 0, kept = 0;
    for (uint32_t t = 0; t < result->time_count; t++) {
        const struct time_result *time = &result->times[t];
        for (int s = STAGE_ANIMATE; s <= STAGE_SKIN; s++)
            if (time->error[s] > result->tolerance->shell) /* another pose makes another picture */
                return;
        differ += time->image.state == IMAGE_DIFFERS;
    }
    const struct diagnosis *diagnosis = diagnose_picture(ours, theirs, arena);
    if (differ <= 1)
        diagnosis_report(diagnosis, arena, result);
    for (uint32_t i = 0; i < result->explanation_count; i++)
        if (is_named(diagnosis, result->explanations[i].causes[0].id))
            result->explanations[kept++] = result->explanations[i];
    result->explanation_count = kept;
}
