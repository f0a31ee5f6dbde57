#include "foreign/reference_pose.h"

#include <math.h>

#include "pipeline/view_values.h"

static bool open_pose(struct reference_pose *out, const char *path, struct pipeline *shown, double time,
                      struct error *err)
{
    struct scene *vertices = NULL; /* those that it gives */
    if (!foreign_check_source(&out->source, path, err) || !foreign_open(&out->foreign, &out->source, err))
        return false;
    if (!pipeline_begin(&out->pipeline, shown->scene, &out->settings, err)) {
        foreign_close(&out->foreign);
        return false;
    }
    out->is_pose = true;
    if (!pipeline_pose(&out->pipeline, time, err) || !foreign_resolve(&out->foreign, &out->pipeline, err) ||
        !foreign_scene(&out->foreign, shown->scene, &vertices, err))
        return false;
    foreign_apply(&out->foreign, &out->pipeline);
    out->pipeline.scene = vertices ? vertices : shown->scene;
    return true;
}

bool reference_pose_open(struct reference_pose *out, const char *path, struct pipeline *shown, double time,
                         struct error *err)
{
    *out = (struct reference_pose){.settings = *shown->settings, .source = {.layout = -1}};
    out->settings.view = VIEW_LIT;
    out->settings.range = (struct value_range){NAN, NAN};
    out->settings.select = NULL;
    const bool is_pose = path_has_extension(path, "json", "obj");
    if ((is_pose ? open_pose(out, path, shown, time, err) : pipeline_open(&out->pipeline, path, &out->settings, err)) &&
        view_values_against(shown, &out->pipeline, err))
        return true;
    reference_pose_close(out);
    return error_prefix(err, "--against");
}

void reference_pose_close(struct reference_pose *reference)
{
    if (reference->is_pose) {
        pipeline_end(&reference->pipeline);
        foreign_close(&reference->foreign);
    } else if (reference->pipeline.scene)
        pipeline_close(&reference->pipeline);
    *reference = (struct reference_pose){0};
}
