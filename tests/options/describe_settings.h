#pragma once

#include <stdio.h>

#include "options/clip_mix.h"

/* All of the settings as one line: a row of a table of tests says which part of it a value must bring. */
static inline void describe(const struct settings *s, char out[static 2048])
{
    int n = snprintf(out, 2048,
                     "clip=%s clips_from=%zu:%s influences=%u choice=%d times=%zu:", s->clip ? s->clip : "(first)",
                     s->clips_from_count, s->clips_from_count ? s->clips_from[s->clips_from_count - 1] : "",
                     s->influences, (int)s->time_choice, s->time_count);
    char repairs[16];
    snprintf(repairs, sizeof repairs, s->import.repairs == REPAIR_ALL ? "all" : "%u", s->import.repairs);
    for (size_t i = 0; i < s->time_count; i++)
        n += snprintf(out + n, 2048 - (size_t)n, "%g;", s->times[i]);
    n += snprintf(
        out + n, 2048 - (size_t)n,
        " frames=%ld..%ld fps=%g samples=%u wrap=%d space=%d repairs=%s timeout=%g memory=%zu size=%ux%u "
        "background=%02x%02x%02x%02x view=%d overlays=%u range=%g..%g yaw=%g pitch=%g zoom=%g fov=%g camera=%s up=%d path=%d "
        "format=%d skinning=%d weights=%d profile=%d backend=%d sheet=%d view_bone=%s select=%s shaders=%s flags=%u ",
        s->first_frame, s->last_frame, s->fps, s->samples ? s->samples : DEFAULT_SAMPLES, (int)s->wrap, (int)s->space, repairs,
        s->import.timeout_seconds, s->import.memory_mib, s->width, s->height, s->background[0], s->background[1],
        s->background[2], s->background[3], (int)s->view, s->overlays, (double)s->range.least, (double)s->range.most, (double)s->orbit.yaw, (double)s->orbit.pitch,
        (double)s->orbit.zoom, (double)s->orbit.fov, s->camera_name ? s->camera_name : "(orbit)", s->up_axis,
        (int)s->upload_format.path, (int)s->upload_format.format, (int)s->upload_format.skinning,
        (int)s->upload_format.weights, (int)s->profile, (int)s->backend, s->sheet,
        s->view_bone ? s->view_bone : "(none)", s->select ? s->select : "(none)", s->shaders ? s->shaders : "(ours)",
        s->import.assimp_flags);
    struct text plays = {0}, map = {0}, place = {0};
    clip_mix_write(s, &plays);
    settings_write(s, "shader-map", &map);
    settings_write(s, "place", &place);
    snprintf(out + n, 2048 - (size_t)n, "plays=(%s) rate=%g in_place=%d clips_scale=%g clips_prefix=%s crowd=%ux%u phase=%g map=(%s) place=(%s) ", text_string(&plays),
             s->rate, s->in_place, s->clip_options.scale, s->clip_options.prefix ? s->clip_options.prefix : "(none)", s->crowd[0],
             s->crowd[1], s->crowd_phase, text_string(&map), text_string(&place));
    text_release(&place);
    text_release(&plays);
    text_release(&map);
}
