#include "data/image/font.h"

#include "base/embedded.h"

/* Sixteen glyphs a row of font.txt, seven lines each, from the space on; the last place is empty. */
EMBEDDED(font_sheet);

bool font_covers(char character, int x, int y)
{
    enum { FIRST = ' ', LAST = '~', A_ROW = 16, LINE = A_ROW * FONT_ADVANCE /* with its end */ };
    const int glyph = (character >= FIRST && character <= LAST ? character : '?') - FIRST;
    return font_sheets[0].text[(glyph / A_ROW * FONT_HEIGHT + y) * LINE + glyph % A_ROW * FONT_ADVANCE + x] == '#';
}
