/* The page of `view` and of films that end in .html: one file, which asks for nothing. */
#include "cli/output/viewer_page.h"

#include <math.h>
#include <string.h>

#include "base/file/file.h"
#include "base/log.h"
#include "report/escape.h"

bool viewer_page_is_wanted(const char *path)
{
    return path && path_has_extension(path, "html", "htm");
}

/* The keys of a node of a clip that is made by sampling: its local transform at each time. */
static void set_keys(struct channel *channel, const struct transform *local, uint32_t node_count, const double *times,
                     uint32_t count, struct arena *arena)
{
    for (enum component c = 0; c < COMPONENT_COUNT; c++) {
        const uint32_t width = component_width(c);
        float *values = ARENA_NEW(arena, float, (size_t)count *width);
        for (uint32_t k = 0; k < count; k++) {
            const struct transform *at = &local[(size_t)k * node_count + (uint32_t)channel->node];
            const float *part = c == COMPONENT_TRANSLATION ? at->translation
                                : c == COMPONENT_ROTATION  ? at->rotation
                                                           : at->scale;
            memcpy(values + (size_t)k * width, part, width * sizeof *values);
        }
        channel->keys[c] = (struct keys){count, times, values, INTERPOLATE_LINEAR};
    }
}

/* Samples what the pipeline plays, as a clip. Nodes that are as at rest all the time have no channel. */
static bool sample_clip(struct pipeline *p, struct clip *out, struct error *err)
{
    enum { MOST_KEYS = 20000 };
    const struct scene *scene = p->scene;
    const double duration = pipeline_duration(p),
                 frames = fmin(ceil(duration * pipeline_frame_rate(p) - 1e-6), MOST_KEYS);
    const uint32_t count = duration > 0 ? (uint32_t)frames + 1 : 1, nodes = scene->node_count;
    double *times = ARENA_NEW(p->arena, double, count);
    struct transform *local = ARENA_NEW(p->arena, struct transform, (size_t)count * nodes);
    float *weights = ARENA_NEW(p->arena, float, (size_t)count * scene->weight_count);
    bool *moves = ARENA_NEW(p->arena, bool, nodes);
    for (uint32_t k = 0; k < count; k++) {
        times[k] = count > 1 ? duration * k / (count - 1) : 0;
        if (!pipeline_pose(p, times[k], err))
            return false;
        memcpy(local + (size_t)k * nodes, p->pose.local, nodes * sizeof *local);
        memcpy(weights + (size_t)k * scene->weight_count, p->pose.morph_weights, scene->weight_count * sizeof *weights);
        for (uint32_t n = 0; n < nodes; n++)
            moves[n] =
                moves[n] || memcmp(p->pose.local_to_parent[n], scene->nodes[n].local_to_parent, sizeof(mat4)) != 0;
    }
    *out = (struct clip){.name = p->plays, .duration = duration};
    out->channels = ARENA_NEW(p->arena, struct channel, nodes);
    for (uint32_t n = 0; n < nodes; n++)
        if (moves[n]) {
            out->channels[out->channel_count].node = (int32_t)n;
            set_keys(&out->channels[out->channel_count++], local, nodes, times, count, p->arena);
        }
    out->morphs = ARENA_NEW(p->arena, struct morph_channel, scene->instance_count);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const uint32_t width = scene->meshes[scene->instances[i].mesh].target_count;
        float *values = ARENA_NEW(p->arena, float, (size_t)count *width);
        for (uint32_t k = 0; k < count; k++)
            memcpy(values + (size_t)k * width,
                   weights + (size_t)k * scene->weight_count + scene->instances[i].first_weight,
                   width * sizeof *values);
        if (width > 0)
            out->morphs[out->morph_count++] =
                (struct morph_channel){.node = (int32_t)scene->instances[i].node, .target_count = width,
                                       .keys = {count, times, values, INTERPOLATE_LINEAR}};
    }
    return true;
}

bool viewer_content_of(struct pipeline *p, const struct bounds *bounds, struct viewer_content *out, struct error *err)
{
    const struct settings *s = p->settings;
    struct scene *scene = ARENA_COPY(p->arena, struct scene, p->scene);
    struct camera *camera = ARENA_NEW(p->arena, struct camera, 1);
    const bool is_own = !p->plays || (p->clip && s->mix_count == 0 && !s->in_place && s->rate == 1);
    if (!is_own) {
        scene->clips = ARENA_NEW(p->arena, struct clip, scene->clip_count + 1);
        memcpy(scene->clips + 1, p->scene->clips, scene->clip_count * sizeof *scene->clips);
        if (!sample_clip(p, &scene->clips[0], err))
            return false;
        scene->clip_count++;
    }
    *out = (struct viewer_content){
        .title = path_base(scene->path), .side_count = 1, .sides = {{.scene = scene, .has_clips = true}},
        .clip = is_own && p->clip ? p->clip->name : p->plays, .time = pipeline_time(p, 0),
        .fps = pipeline_frame_rate(p), .loops = s->wrap == WRAP_LOOP,
        .up_axis = p->up_axis, .up_sign = p->up_sign, .view = s->view, .overlays = s->overlays,
        .select = s->select ? s->select : s->view_bone, .framed = *bounds, .orbit = s->orbit,
    };
    /* the default of pictures: the page has its own */
    if (memcmp(s->background, (uint8_t[]){128, 128, 128, 255}, 4) != 0)
        memcpy(out->background, s->background, sizeof out->background);
    if (s->aim == AIM_AT_BONE && s->follow == FOLLOW_EVERY) {
        out->select = scene->nodes[p->target_node].name;
        out->follows = true;
    }
    if (s->camera_kind != CAMERA_ORBIT || s->aim != AIM_AT_BOUNDS || s->orbit.has_near || s->orbit.has_far ||
        s->pan[0] != 0 || s->pan[1] != 0) {
        if (!pipeline_camera(p, bounds, &s->orbit, camera, err))
            return false;
        out->camera = camera;
    }
    return true;
}

static const char policy[] =
    "default-src 'none'; img-src data: blob:; style-src 'nonce-rigproof'; script-src 'nonce-rigproof'; "
    "base-uri 'none'; form-action 'none'";

bool viewer_page_write(const struct viewer_content *content, size_t most_bytes, const char *path, struct error *err)
{
    SCOPED(text) page = {0}, json = {0};
    const char *left_out = NULL;
    if (most_bytes == 0)
        viewer_write(content, VIEWER_WHOLE, &json);
    else if (!viewer_fit(content, most_bytes, &left_out, &json, err))
        return false;
    if (left_out)
        log_note("%s: %s", path, left_out);
    text_addf(&page,
              "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" "
              "content=\"no-referrer\">\n<title>",
              policy);
    escape_markup(content->title, &page);
    text_add(&page, "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style nonce=\"rigproof\">\n");
    page_style(&page);
    viewer_style(&page);
    text_add(&page, "</style>\n</head>\n<body>\n<noscript>This page draws a model by a script, and scripts are "
                    "switched off here.</noscript>\n"
                    "<div id=\"viewer\"></div>\n<script type=\"application/json\" id=\"content\">");
    escape_script(text_string(&json), &page);
    text_add(&page, "</script>\n<script nonce=\"rigproof\">\n");
    page_script(&page);
    viewer_script(&page);
    text_add(
        &page,
        "modelViewer.open(document.getElementById('viewer'), "
        "JSON.parse(document.getElementById('content').textContent), {page: true});\n</script>\n</body>\n</html>\n");
    return file_make_parent(path, err) && file_write(path, page.data, page.size, err);
}

bool viewer_page_film(struct pipeline *p, const struct bounds *bounds, const double *times, size_t count, double turn,
                      double fps, const char *path, struct error *err)
{
    struct viewer_content content;
    struct camera *cameras = ARENA_NEW(p->arena, struct camera, count);
    if (crowd_size(p->settings) || p->override || p->is_placed)
        return error_set(err, "--film %s: a page shows one model, in its own pose and where the file has it", path);
    if (!viewer_content_of(p, bounds, &content, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct orbit orbit = p->settings->orbit;
        orbit.yaw += frame_yaw(turn, i, count);
        if (!pipeline_pose(p, times[i], err) || !pipeline_camera(p, bounds, &orbit, &cameras[i], err))
            return false;
    }
    content.time = 0;
    content.film = (struct viewer_film){(uint32_t)count, times, cameras, fps,
                                        (float)p->settings->width / (float)p->settings->height};
    if (!viewer_page_write(&content, 0, path, err))
        return false;
    log_note("film: %s, %zu frames", path, count);
    return true;
}
