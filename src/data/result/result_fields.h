#pragma once

#include "data/json_fields.h"

/* Tables of results.json, for the files that have them alone. */

extern const struct fields image_fields; /* struct image_result */
extern const char unverified_word[];     /* in place of the stage that explains a difference */
