#pragma once

#include "base/text.h"
#include "generate/rig.h"

/* The bytes of a settled rig as glTF 2.0: with `is_binary` a GLB, else readable JSON with its buffer as a data URI. */
void gltf_write(const struct rig *rig, bool is_binary, struct text *out);
