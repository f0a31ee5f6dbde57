#include "suite/case/run_case.h"
#include "suite/diff/diff.h"
#include "suite/view_values.h"

/* Vertices of a crowd, or of a shader of the user's, are others. */
bool case_draw_displacement(struct case_run *run, size_t index, const struct frame_settings *frame_settings, const char *stem,
                            struct image_result *result, struct error *err)
{
    const struct sample *sample = &run->samples[index];
    struct frame_settings shown = *frame_settings;
    if (!sample->golden || run->shaders || run->subject || crowd_size(&run->c->settings) > 0)
        return true;
    const struct sample was = case_pose_as(run, sample, pose_name_as_golden(sample->snapshot, &run->findings), sample->golden);
    const float *values = view_values_between(&run->pipeline, &was.palette, &sample->palette, run->arena, &shown);
    if (!values)
        return true;
    const struct crowd_member own = {.palette = &sample->palette, .pose = &sample->pose};
    struct gpu_model *gpu = model_gpu(run->model, run->renderer, &run->c->settings, err);
    struct posed_crowd crowd;
    struct image image = {0};
    if (!gpu || !crowd_pose(&crowd, &run->pipeline, sample->time, &sample->framed, &own, err))
        return false;
    crowd.members[0].values = values;
    const bool good = draw_crowd(run->renderer, gpu, &crowd.crowd, &shown, &image, err) &&
                      comparison_write(&image, run->options->output, stem, ".displacement.png", run->arena, &result->displacement, err);
    crowd_release(&crowd);
    image_release(&image);
    return good;
}
