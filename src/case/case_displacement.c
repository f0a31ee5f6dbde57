#include <math.h>

#include "case/run_case.h"
#include "pipeline/view_values.h"

/* The vertices of a sample against those that the golden's pose makes; NULL where it has none. In the arena. */
static const float *displaced(struct case_run *run, const struct sample *sample, struct arena *arena,
                              struct value_range *found)
{
    if (!sample->golden)
        return NULL;
    const struct sample was = case_golden_pose(run, sample);
    return view_values_between(&run->pipeline, &was.palette, &sample->palette, arena, found);
}

/* One range for the pictures of all times. */
static double largest_of_case(struct case_run *run)
{
    struct value_range found;
    double most = 0;
    for (size_t i = 0; i < run->count; i++) {
        struct arena *arena = create_large_arena();
        if (displaced(run, &run->samples[i], arena, &found))
            most = fmax(most, (double)found.most);
        arena_destroy(arena);
    }
    return most;
}

/* Vertices of a crowd, or of a shader of the user's, are others. */
bool case_draw_displacement(struct case_run *run, size_t index, const struct frame_settings *frame_settings,
                            struct error *err)
{
    const double rounding = 1e-5; /* of the radius */
    const struct sample *sample = &run->samples[index];
    struct frame_settings shown = *frame_settings;
    struct value_range found;
    if (run->shaders || run->subject || crowd_size(&run->c->settings) > 0)
        return true;
    const float *values = displaced(run, sample, run->arena, &found);
    if (!values || (double)found.most <= rounding * (double)bounds_radius(&run->bounds))
        return true;
    run->moved = isnan(run->moved) ? largest_of_case(run) : run->moved;
    view_values_show_between(&run->pipeline, &found, run->moved, &shown);
    const struct crowd_member own = {.palette = &sample->palette, .pose = &sample->pose};
    struct gpu_model *gpu = model_gpu(run->model, run->renderer, &run->c->settings, err);
    struct posed_crowd crowd;
    struct image image = {0};
    if (!gpu || !crowd_pose(&crowd, &run->pipeline, sample->time, &sample->framed, &own, err))
        return false;
    crowd.members[0].values = values;
    const bool good = draw_crowd(run->renderer, gpu, &crowd.crowd, &shown, &image, err) &&
                      comparison_write(&run->out, (uint32_t)index, ".displacement.png", &image,
                                       &run->out.result->times[index].image.displacement, err);
    crowd_release(&crowd);
    image_release(&image);
    return good;
}
