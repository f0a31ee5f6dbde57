#pragma once

#include "foreign/foreign_files.h"

/* The pose from which --against FILE shows displacement and stretch: another model that plays the same by the same
 * settings, or a pose of the shown one, as foreign_files.h reads them (*.json, *.obj). */
struct reference_pose {
    struct settings settings; /* the shown one's; they share what they point to */
    struct pipeline pipeline;
    struct foreign_source source;
    struct foreign foreign;
    bool is_pose;
};

/* Becomes the reference of the shown pipeline's values; a pose is resolved at `time`. False with err set: closed. */
bool reference_pose_open(struct reference_pose *out, const char *path, struct pipeline *shown, double time,
                         struct error *err);
void reference_pose_close(struct reference_pose *reference); /* all zero is fine */
