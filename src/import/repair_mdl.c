#include "import/convert.h"

#include <math.h>

/*
 * Half-Life's MDL. Assimp makes a sequence's duration its number of frames times its frame rate, in ticks that are frames:
 * a walk of 26 frames at 30 a second, which takes 25 / 30 s, would last 26 s and stand still for most of them. The keys
 * are right, one for every frame.
 */

static double last_key(const struct clip *clip)
{
    double last = -1;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        for (int k = 0; k < COMPONENT_COUNT; k++) {
            const struct keys *keys = &clip->channels[i].keys[k];
            if (keys->count > 0)
                last = fmax(last, keys->times[keys->count - 1]);
        }
    return last;
}

double mdl_duration(const struct clip *clip)
{
    double last = last_key(clip), frames = last * clip->ticks_per_second + 1;
    return last >= 0 && fabs(clip->duration - frames) < 1e-6 * frames ? last : clip->duration;
}

void repair_mdl_durations(struct conversion *c)
{
    for (uint32_t i = 0; is_format(c, "mdl") && i < c->scene->clip_count; i++) {
        struct clip *clip = &c->scene->clips[i];
        double duration = mdl_duration(clip);
        if (duration == clip->duration || !(c->repairs & REPAIR_MDL_DURATIONS))
            continue;
        scene_note(c->scene, NOTE_REPAIR, "mdl-durations",
                   "clip \"%s\" lasts %.6g s, to its last frame, where Assimp says %.6g s", clip->name, duration, clip->duration);
        clip->duration = duration;
    }
}
