#include "suite/theirs/diagnosing.h"

#include <math.h>
#include <string.h>

static struct diagnosis *explain(const struct pipeline *p, const struct pose_snapshot *theirs, double tolerance,
                                 struct arena *arena)
{
    const struct settings *settings = p->settings;
    const struct diagnosis_input input = {
        .scene = p->scene,
        .clip = settings->mix_count > 0 || p->is_still ? NULL : p->clip,
        .time = p->time,
        .wrap = settings->wrap,
        .previous_time = NAN,
        .pose = &p->pose,
        .space = settings->space,
        .influences = settings->influences,
        .theirs = theirs,
        .tolerance = tolerance,
    };
    return diagnose(&input, arena);
}

static bool is_of_skinning(const struct cause *cause)
{
    static const char *const ids[] = {"bones-cut", "transposed", "index-shift", "index-permuted"};
    bool is_one = cause->stage == CAUSE_SKIN || strncmp(cause->id, "weights-", 8) == 0;
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        is_one = is_one || strcmp(cause->id, ids[i]) == 0;
    return is_one;
}

/* Vertices differ under matrices that agree: only what packs or uses weights, or reads the matrices, can be the cause. */
static struct diagnosis *keep_skin(const struct diagnosis *all, struct arena *arena)
{
    struct diagnosis *kept = ARENA_NEW(arena, struct diagnosis, 1);
    *kept = *all;
    kept->explanation_count = kept->full_count = 0;
    kept->explanations = ARENA_NEW(arena, struct explanation, all->explanation_count);
    for (uint32_t i = 0; i < all->explanation_count; i++) {
        const struct explanation *explanation = &all->explanations[i];
        bool fits = true;
        for (uint32_t k = 0; k < explanation->cause_count; k++)
            fits = fits && is_of_skinning(&explanation->causes[k]);
        if (fits) {
            kept->explanations[kept->explanation_count++] = *explanation;
            kept->full_count += i < all->full_count;
        }
    }
    return kept;
}

/* Nodes and palette come first: an engine may skin in a way of its own, and still make a mistake before that. Where they agree,
 * vertices are looked at alone. */
bool diagnosing_begin(struct diagnosing *d, const struct pipeline *p, const struct pose_snapshot *theirs, double tolerance,
                      struct error *err)
{
    const struct settings *settings = p->settings;
    struct pose_snapshot matrices = *theirs, vertices = *theirs;
    bool has_vertices = false;
    *d = (struct diagnosing){.arena = create_large_arena()};
    for (uint32_t i = 0; i < theirs->skin_count; i++)
        has_vertices = has_vertices || theirs->skin[i].position_count > 0;
    d->time = p->time;
    d->duration = settings->mix_count > 0 || p->is_still || !p->clip ? 0 : p->clip->duration;
    matrices.skin_count = 0;
    d->diagnosis = explain(p, &matrices, tolerance, d->arena);
    if (d->diagnosis->differ > 0 || !has_vertices)
        return true;
    vertices.node_count = vertices.palette_count = 0;
    if (settings->influences > 0) { /* which of them they used is a question then */
        d->whole = import_with_clips(p->scene->path, settings, true, err);
        if (!d->whole || !pipeline_begin(&d->pipeline, d->whole, settings, err) || !pipeline_pose(&d->pipeline, p->time, err))
            return false;
    }
    struct diagnosis *of_vertices = explain(d->whole ? &d->pipeline : p, &vertices, tolerance, d->arena);
    if (d->diagnosis->compared == 0)
        d->diagnosis = of_vertices;
    else if (of_vertices->differ > 0)
        d->diagnosis = keep_skin(of_vertices, d->arena);
    return true;
}

/* Whether it is one mistake at both times. What a shift of time is says only its distance from the time asked for. */
static bool is_same_cause(const struct diagnosing *d, const struct cause *a, const struct diagnosing *other, const struct cause *b)
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

static bool explains_too(const struct diagnosing *d, const struct explanation *explanation, const struct diagnosing *other)
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
    uint32_t count = 0;
    for (uint32_t i = 0; i < diagnosis->full_count; i++)
        if (explains_too(d, &diagnosis->explanations[i], other))
            kept[count++] = diagnosis->explanations[i];
    if (count > 0) {
        diagnosis->explanations = kept;
        diagnosis->explanation_count = diagnosis->full_count = count;
    }
}

void diagnosing_end(struct diagnosing *d)
{
    if (d->pipeline.arena)
        pipeline_end(&d->pipeline);
    scene_free(d->whole);
    arena_destroy(d->arena);
    *d = (struct diagnosing){0};
}

void diagnosing_report(const struct diagnosing *d, struct arena *arena, struct case_result *result)
{
    const struct diagnosis *diagnosis = d->diagnosis;
    const uint32_t count = diagnosis->full_count < RESULT_MAX_EXPLANATIONS ? diagnosis->full_count : RESULT_MAX_EXPLANATIONS;
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
                .detail = cause->detail ? arena_string(arena, cause->detail) : NULL,
                .remedy = arena_string(arena, cause->remedy),
            };
        }
    }
}
