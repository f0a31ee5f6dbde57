/* The poses of a program under test, in our conventions. */
#include <math.h>
#include <string.h>

#include "base/log.h"
#include "data/affine.h"
#include "pipeline/curves.h"
#include "pipeline/pipeline_ask.h"

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
    const struct import_snapshot *import = import_snapshot_gather(p->scene, p->arena);
    struct subject_solution solution = {0};
    struct subject_request request;
    struct text conventions = {0};
    if (!subject_greet(source->subject, err))
        return false;
    request = pipeline_request(p, source->subject, p->scene->path, NULL, p->arena);
    request.wants &= SUBJECT_NODES | SUBJECT_PALETTE;
    if (!request.wants)
        return error_set(err, "%s gives neither nodes nor a palette: there is nothing to plot",
                         source->subject->hello.name);
    bool good = pipeline_ask_rest(p, source->subject, &request, import, &solution, p->arena, err);
    for (size_t i = 0; good && i < source->count; i++) {
        struct arena *arena = create_large_arena();
        struct subject_answer answer;
        struct resolved resolved;
        request.time = source->times[i];
        good = pipeline_pose(p, request.time, err) && subject_ask(source->subject, &request, arena, &answer, err) &&
               subject_resolve(source->subject, &answer, pipeline_gather(p, false, arena), import, &solution, p->arena,
                               &resolved, err);
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
    return good;
}
