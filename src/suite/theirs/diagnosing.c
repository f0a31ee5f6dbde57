#include "suite/theirs/diagnosing.h"

#include <math.h>

bool diagnosing_begin(struct diagnosing *d, const struct pipeline *p, const struct pose_snapshot *theirs, double tolerance,
                      struct error *err)
{
    const struct settings *settings = p->settings;
    const struct pipeline *used = p;
    bool has_vertices = false;
    *d = (struct diagnosing){.arena = create_large_arena()};
    for (uint32_t i = 0; i < theirs->skin_count; i++)
        has_vertices = has_vertices || theirs->skin[i].position_count > 0;
    if (has_vertices && settings->influences > 0) { /* which of them they used is a question then */
        d->whole = import_with_clips(p->scene->path, settings, true, err);
        if (!d->whole || !pipeline_begin(&d->pipeline, d->whole, settings, err) || !pipeline_pose(&d->pipeline, p->time, err))
            return false;
        used = &d->pipeline;
    }
    const struct diagnosis_input input = {
        .scene = used->scene,
        .clip = settings->mix_count > 0 || used->is_still ? NULL : used->clip,
        .time = used->time,
        .wrap = settings->wrap,
        .previous_time = NAN,
        .pose = &used->pose,
        .space = settings->space,
        .influences = settings->influences,
        .theirs = theirs,
        .tolerance = tolerance,
    };
    d->diagnosis = diagnose(&input, d->arena);
    return true;
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
