#include "compare/image/color_map.h"

#include <math.h>

/* L* in steps of 12; hue from 295 over 0 to 95 degrees, chroma as far as sRGB goes. Between them straight lines. */
static const uint8_t stops[][3] = {
    {0, 0, 0},     {21, 28, 69},   {68, 42, 115},   {136, 47, 135},  {205, 49, 129},
    {251, 85, 111}, {255, 147, 110}, {255, 199, 133}, {255, 243, 209},
};

enum { LAST_STOP = sizeof stops / sizeof stops[0] - 1 };

void color_map_at(float value, uint8_t rgb[static 3])
{
    float position = fminf(fmaxf(value, 0), 1) * LAST_STOP;
    int i = position < LAST_STOP ? (int)position : LAST_STOP - 1;
    float part = position - (float)i;
    for (int c = 0; c < 3; c++)
        rgb[c] = (uint8_t)((float)stops[i][c] + part * (float)(stops[i + 1][c] - stops[i][c]) + 0.5f);
}
