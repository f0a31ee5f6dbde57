/* The poses of a program under test, in our conventions. */
#include <math.h>
#include <string.h>

#include "base/file/folder.h"
#include "base/log.h"
#include "data/affine.h"
#include "subject/resolve_answer.h"
#include "pipeline/curves.h"

static const struct pose_snapshot *reference_pose(struct pipeline *p, double time, struct arena *arena,
                                                  struct error *err)
{
    if (!pipeline_pose(p, time, err))
        return NULL;
    struct pose_record record = pipeline_record(p);
    pipeline_skin(p);
    return pose_snapshot_gather(&record, arena);
}

/* Conventions are solved at the rest pose, where no animation can be taken for one. Who gives none shows them in its
 * first pose. */
static bool ask_rest(const struct curve_source *source, struct subject_request request,
                     const struct import_snapshot *import, struct subject_solution *solution, struct error *err)
{
    struct arena *arena = source->pipeline->arena;
    struct settings settings = *source->pipeline->settings;
    struct error ignored = {0};
    struct subject_answer answer;
    struct resolved resolved;
    struct pipeline rest;
    request.clip = NULL;
    request.clip_index = NO_INDEX;
    request.time = 0;
    settings.clip = "none";
    if (!subject_ask(source->subject, &request, arena, &answer, err))
        return source->subject->end == SUBJECT_REFUSED && ((*err = (struct error){0}), true);
    if (!pipeline_begin(&rest, source->pipeline->scene, &settings, &ignored))
        return true;
    const struct pose_snapshot *reference = reference_pose(&rest, 0, arena, &ignored);
    if (reference)
        subject_resolve(source->subject, &answer, reference, import, solution, arena, &resolved, &ignored);
    pipeline_end(&rest);
    return true;
}

static void take(const struct curve_source *source, size_t i, const struct pose_snapshot *pose)
{
    static const struct transform unknown = {{NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}, {NAN, NAN, NAN}};
    for (size_t t = 0; t < source->target_count; t++) {
        struct curve_target *target = &source->targets[t];
        const bool is_entry = target->space == CURVE_PALETTE;
        const unsigned stage = is_entry ? POSE_PALETTE : target->space == CURVE_LOCAL ? POSE_LOCAL : POSE_GLOBAL;
        target->poses[i] = unknown;
        const int32_t at = pose->left_out & stage ? NO_INDEX
                           : is_entry             ? snapshot_find_entry(pose, target->index, target->mesh, target->bone)
                                                  : snapshot_find_node(pose, target->index, target->bone);
        if (at == NO_INDEX)
            continue;
        const struct pose_node_snapshot *node = is_entry ? NULL : &pose->nodes[at];
        if (is_entry)
            affine_to_transform(pose->palette[at].mesh_to_scene, &target->poses[i]);
        else if (!(node->left_out & stage) && target->space == CURVE_LOCAL)
            target->poses[i] = node->local;
        else if (!(node->left_out & stage))
            affine_to_transform(node->node_to_scene, &target->poses[i]);
    }
}

bool curve_sample_subject(struct curve_source *source, struct error *err)
{
    struct pipeline *p = source->pipeline;
    const struct clip *clip = p->is_still ? NULL : p->clip;
    const struct import_snapshot *import = import_snapshot_gather(p->scene, p->arena);
    struct subject_solution solution = {0};
    struct text model = {0}, conventions = {0};
    folder_locate(p->scene->path, &model);
    struct subject_request request = {.model = text_string(&model),
                                      .clip = clip ? clip->name : NULL,
                                      .clip_index = clip ? (int32_t)(clip - p->scene->clips) : NO_INDEX,
                                      .holds = p->settings->wrap == WRAP_HOLD};
    bool good = subject_greet(source->subject, err);
    request.wants = good ? source->subject->hello.gives & (SUBJECT_NODES | SUBJECT_PALETTE) : 0;
    if (good && !request.wants)
        good = error_set(err, "%s gives neither nodes nor a palette: there is nothing to plot",
                         source->subject->hello.name);
    good = good && (p->is_still || ask_rest(source, request, import, &solution, err));
    for (size_t i = 0; good && i < source->count; i++) {
        struct arena *arena = create_large_arena();
        struct subject_answer answer;
        struct resolved resolved;
        request.time = source->times[i];
        const struct pose_snapshot *reference = reference_pose(p, source->times[i], arena, err);
        good = reference && subject_ask(source->subject, &request, arena, &answer, err) &&
               subject_resolve(source->subject, &answer, reference, import, &solution, p->arena, &resolved, err);
        if (good)
            take(source, i, resolved.pose);
        else
            error_prefix(err, "at %g s", source->times[i]);
        arena_destroy(arena);
    }
    subject_describe_solution(&solution, &conventions);
    if (good && conventions.size > 0)
        log_note("conventions of %s: %s", source->name, text_string(&conventions));
    text_release(&conventions);
    text_release(&model);
    return good;
}
