#pragma once

#include "draw/renderer/frame_state.h"

/* Uploads what shaders/values.glsl and scale.glsl read: numbers of all of the crowd, as frame->crowd has it. Nothing
 * is done for other views, nor for the numbers of bindings. */

/* False with err set, exit code 1: GL does not hold that many. */
bool values_upload(const struct frame *frame, struct error *err);

/* `program` is in use. */
void values_bind(const struct frame *frame, uint32_t instance, const struct program *program);
