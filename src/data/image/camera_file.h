#ifndef RIGPROOF_DATA_CAMERA_FILE_H
#define RIGPROOF_DATA_CAMERA_FILE_H

#include "data/image/frame_settings.h"
#include "data/json_fields.h"

/*
 * A camera in a file of its own, "rigproof.camera/1", and as a member of others. Floats read back bit by bit, so a
 * saved camera draws the picture it was saved from.
 */

extern const struct fields camera_fields;

void camera_file_write(const struct camera *camera, struct text *out);

/*
 * Reads such a file, the camera object of a recorded.json alone, or a whole recorded.json, of which it is the first
 * frame's. False with err set for what no camera can be: near not before far or, in perspective, not before the eye, an
 * angle of 180 degrees or more, eye and target the same. `name` is for messages.
 */
bool camera_file_read(const void *data, size_t size, const char *name, struct camera *out, struct error *err);

#endif
