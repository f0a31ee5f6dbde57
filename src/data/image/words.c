#include "data/image/words.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/memory.h"
#include "base/utf8.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb_truetype.h>
#pragma GCC diagnostic pop

EMBEDDED(word_font);

static stbtt_fontinfo font;

static void open_font(void)
{
    const unsigned char *data = (const unsigned char *)word_fonts[0].text;
    if (!stbtt_InitFont(&font, data, stbtt_GetFontOffsetForIndex(data, 0)))
        abort(); /* the build has embedded what is no font */
}

static const stbtt_fontinfo *font_get(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_font);
    return &font;
}

/* Takes the next character off a text; a byte that is not UTF-8 is one. */
static int next_glyph(const char **text, const char *end)
{
    const size_t size = utf8_length(*text), length = size > 0 && size <= (size_t)(end - *text) ? size : 1;
    const uint32_t point = size > 0 ? utf8_code_point(*text, size) : 0xFFFD;
    *text += length;
    return stbtt_FindGlyphIndex(font_get(), (int)point);
}

static double advance(int glyph, uint32_t em)
{
    int width;
    stbtt_GetGlyphHMetrics(font_get(), glyph, &width, NULL);
    return (double)width * (double)stbtt_ScaleForMappingEmToPixels(font_get(), (float)em);
}

uint32_t words_line(uint32_t em)
{
    return em + (em + 2) / 3;
}

double words_width(const char *text, size_t length, uint32_t em)
{
    double width = 0;
    for (const char *end = text + length; text < end;)
        width += advance(next_glyph(&text, end), em);
    return width;
}

bool words_are_readable(const char *text)
{
    size_t shown = 0, missing = 0;
    for (const char *end = text + strlen(text); text < end;)
        *(next_glyph(&text, end) ? &shown : &missing) += 1;
    return shown > missing;
}

/* Straight alpha: a share of the colour over what is there. */
static void blend(uint8_t pixel[4], const uint8_t color[4], unsigned share)
{
    const unsigned over = share * color[3], under = (255 * 255 - over) * pixel[3] / 255, alpha = over + under;
    for (int c = 0; c < 3 && alpha > 0; c++)
        pixel[c] = (uint8_t)((over * color[c] + under * pixel[c] + alpha / 2) / alpha);
    pixel[3] = (uint8_t)((alpha + 127) / 255);
}

/* A glyph whose origin is at (x, y) of the baseline. */
static void draw_glyph(struct image *image, int glyph, uint32_t em, double x, long y, const uint8_t color[4])
{
    const float scale = stbtt_ScaleForMappingEmToPixels(font_get(), (float)em), shift = (float)(x - floor(x));
    int left, top, right, bottom;
    stbtt_GetGlyphBitmapBoxSubpixel(font_get(), glyph, scale, scale, shift, 0, &left, &top, &right, &bottom);
    const int width = right - left, height = bottom - top;
    if (width <= 0 || height <= 0)
        return;
    FREED uint8_t *shares = memory_new((size_t)width * (size_t)height, 1);
    stbtt_MakeGlyphBitmapSubpixel(font_get(), shares, width, height, width, scale, scale, shift, 0, glyph);
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++) {
            const long to_x = (long)floor(x) + left + column, to_y = y + top + row;
            if (to_x >= 0 && to_y >= 0 && to_x < (long)image->width && to_y < (long)image->height)
                blend(image->rgba + 4 * ((size_t)to_y * image->width + (size_t)to_x), color,
                      shares[row * width + column]);
        }
}

void words_draw(struct image *image, const char *text, size_t length, uint32_t em, uint32_t x, uint32_t y,
                const uint8_t color[4])
{
    double pen = x;
    for (const char *end = text + length; text < end && pen < image->width;) {
        const int glyph = next_glyph(&text, end);
        draw_glyph(image, glyph, em, pen, (long)y + em, color);
        pen += advance(glyph, em);
    }
}
