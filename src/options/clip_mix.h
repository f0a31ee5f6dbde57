#pragma once

#include "animate/player.h"
#include "data/scene/bind_pose.h"
#include "options/settings.h"

/* The clips and bones of the settings, found in a scene: a clip mix for animate's player. */
struct resolved_mix {
    struct clip_mix clip_mix;
    const struct clip *clip; /* the first part's: whose frame rate counts; NULL: a pose */
    /*
     * In words: "walk", "walk:0.7+wave:0.3", "walk -> idle@0.5..0.8"; with ", BONE=CLIP@OFFSET" for a mask and ", add
     * CLIP:WEIGHT" for an additive layer, in the order given. Times in seconds, clips by their names in the scene.
     * `rest` and `bind` are those poses. NULL for the rest pose and nothing else.
     */
    const char *description;
    bool is_still;                /* nothing moves: the rest or the bind pose alone */
    const struct bind_pose *bind; /* NULL where it is not asked for */
};

/* Everything in the arena. False with err set when a clip, a bone or the bind pose that is asked for does not exist. */
bool clip_mix_resolve(const struct settings *settings, const struct scene *scene, struct arena *arena,
                      struct resolved_mix *out, struct error *err);

/* Frames a second: the settings', else the clip's (10 to 240 ticks per second), else 24. `clip` may be NULL. */
double clip_mix_frame_rate(const struct settings *settings, const struct clip *clip);

/* Refuses a blend with a clip or a transition, and weights that are all 0. `at` is the case of a suite. */
bool clip_mix_check(const struct settings *settings, struct value_source *source, const struct tree_node *at);

/* Writes the clips as asked for: "walk", "walk:0.7+wave:0.3", "walk -> idle@0.5..0.8, hips=idle, add wave:1". */
void clip_mix_write(const struct settings *settings, struct text *out);

/* Finds which clips of the scene the settings name, whether or not they can be played: plays[scene->clip_count]. */
void clip_mix_mark(const struct settings *settings, const struct scene *scene, bool *plays);

/* Returns whether nothing but the rest or the bind pose was asked for. */
bool clip_mix_is_still(const struct settings *settings);
