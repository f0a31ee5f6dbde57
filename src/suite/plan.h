#ifndef RIGPROOF_SUITE_PLAN_H
#define RIGPROOF_SUITE_PLAN_H

#include "animate/player.h"
#include "data/bind_pose.h"
#include "suite/settings.h"

/* What the settings say of clips and bones, with the scene they are in: a plan for animate's player. */
struct plan_of_settings {
    struct plan plan;
    const struct clip *clip; /* the first part's: whose frame rate counts; NULL: a pose */
    /*
     * In words: "walk", "walk:0.7+wave:0.3", "walk -> idle@0.5..0.8"; with ", BONE=CLIP@OFFSET" for a mask and
     * ", add CLIP:WEIGHT" for an additive layer, in the order given. Times in seconds, clips by their names in the scene.
     * `rest` and `bind` are those poses. NULL for the rest pose and nothing else.
     */
    const char *description;
    bool is_still;                /* nothing moves: the rest or the bind pose alone */
    const struct bind_pose *bind; /* NULL where it is not asked for */
};

/*
 * Everything in the arena. False with err set when a clip or bone does not exist (near names are listed), or the bind pose
 * that is asked for.
 */
bool plan_make(const struct settings *settings, const struct scene *scene, struct arena *arena,
               struct plan_of_settings *out, struct error *err);

/* Frames a second: the settings', else the clip's (10 to 240 ticks per second), else 24. `clip` may be NULL. */
double plan_frame_rate(const struct settings *settings, const struct clip *clip);

#endif
