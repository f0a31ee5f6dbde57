#pragma once

#include <stdbool.h>

/*
 * A small bitmap font of our own, for words over rendered pictures, which goldens hold: printable ASCII, each glyph 5
 * wide and 7 high with one column and one row to the next; small letters that hang stand on the line of the others.
 */
enum { FONT_WIDTH = 5, FONT_HEIGHT = 7, FONT_ADVANCE = FONT_WIDTH + 1 };

/* Says whether the glyph covers column x from the left, row y from the top. All but printable ASCII looks like `?`. */
bool font_covers(char character, int x, int y);
