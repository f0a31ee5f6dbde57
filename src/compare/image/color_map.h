#ifndef RIGPROOF_COMPARE_COLOR_MAP_H
#define RIGPROOF_COMPARE_COLOR_MAP_H

#include <stdint.h>

/*
 * A colour map from 0 (black) over violet, red and orange to 1 (pale yellow), sRGB. Lightness grows evenly (CIE L* is
 * 96 times the value), so it orders the values for every eye and in grey print.
 */
void color_map_at(float value, uint8_t rgb[static 3]);

#endif
