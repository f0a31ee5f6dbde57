#ifndef RIGPROOF_SUITE_CAMERA_SETTING_H
#define RIGPROOF_SUITE_CAMERA_SETTING_H

#include "base/text.h"
#include "suite/setting/settings.h"

/*
 * The values of --camera and of a suite's `camera`:
 *
 *     yaw=D,pitch=D,zoom=Z,fov=D       an orbit; fov=0 is orthographic, ortho=H too, and sees H above and below
 *     eye=X:Y:Z,target=X:Y:Z           a free camera; up=X:Y:Z, fov=D or ortho=H, near=N, far=N as well
 *     file:NAME                        a camera of the model file
 *     @FILE                            a saved one (data/image/camera_file.h), read at once
 *
 * Parts that are not named stay as they were, so a case adds to the camera of the defaults; a part of an orbit makes an
 * orbit of what was something else, eye, target and up a free camera.
 */
bool camera_setting_parse(struct settings *settings, const char *value, struct error *err);

/* Whether a part, "yaw=30", is well formed; `length` without what follows. */
bool camera_setting_check_part(const char *part, size_t length, struct error *err);

/* Which camera it is, for recorded.json: what --camera would want, of a saved one the base name alone. */
void camera_setting_describe(const struct settings *settings, struct text *out);

#endif
