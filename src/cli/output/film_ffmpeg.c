#include "cli/output/film_ffmpeg.h"

#include <string.h>

#include "base/text.h"

/* Bitexact and one thread: the same frames give the same film with the same ffmpeg. */

/* RGB to what most players take for granted, with chroma that is not guessed from a corner. */
#define TO_BT709 "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int+bitexact"
#define SAY_BT709 "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"
#define VP9 "-c:v", "libvpx-vp9", "-crf", "20", "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt", "0"

static const char *const mp4[] = {"-vf", TO_BT709 ",format=yuv420p", "-c:v", "libx264", "-preset", "medium",
                                  "-crf", "17", SAY_BT709, "-movflags", "+faststart", "-f", "mp4", NULL};
static const char *const webm[] = {"-vf", TO_BT709 ",format=yuv420p", VP9, SAY_BT709, "-f", "webm", NULL};
static const char *const webm_alpha[] = {"-vf", TO_BT709 ",format=yuva420p", VP9, "-auto-alt-ref", "0", SAY_BT709,
                                         "-f", "webm", NULL};
static const char *const gif[] = {"-filter_complex",
                                  "[0:v]split[a][b];[a]palettegen=reserve_transparent=1[p];"
                                  "[b][p]paletteuse=dither=bayer:bayer_scale=4",
                                  "-loop", "0", "-f", "gif", NULL};

static bool is_transparent(const struct film_settings *settings)
{
    return settings->background[3] < 255;
}

static const char *const *encoding(const struct film_settings *settings, enum film_format format)
{
    if (format == FILM_GIF)
        return gif;
    if (format == FILM_MP4)
        return mp4;
    return is_transparent(settings) ? webm_alpha : webm;
}

/* ---- frames ---------------------------------------------------------------------------------------------------- */

static uint32_t even(enum film_format format, uint32_t edge)
{
    return format == FILM_MP4 ? edge + edge % 2 : edge;
}

size_t film_ffmpeg_frame_size(const struct film_settings *settings, enum film_format format)
{
    return 4 * (size_t)even(format, settings->width) * even(format, settings->height);
}

static void lay_over(const uint8_t *pixel, const uint8_t *background, uint8_t *out)
{
    unsigned alpha = pixel[3];
    for (int c = 0; c < 3; c++)
        out[c] = (uint8_t)((pixel[c] * alpha + background[c] * (255 - alpha) + 127) / 255);
    out[3] = 255;
}

void film_ffmpeg_frame(const struct film_settings *settings, enum film_format format, const struct image *frame,
                       uint8_t *out)
{
    static const uint8_t nothing[4] = {0};
    uint32_t width = even(format, frame->width), height = even(format, frame->height);
    if (format != FILM_MP4) {
        memcpy(out, frame->rgba, film_ffmpeg_frame_size(settings, format));
        return;
    }
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            bool is_inside = x < frame->width && y < frame->height;
            lay_over(is_inside ? frame->rgba + 4 * ((size_t)y * frame->width + x) : nothing, settings->background,
                     out + 4 * ((size_t)y * width + x));
        }
}

/* ---- the program ----------------------------------------------------------------------------------------------- */

enum { MOST_ARGUMENTS = 64 };

struct arguments {
    const char *list[MOST_ARGUMENTS + 1];
    size_t count;
};

static void add(struct arguments *arguments, const char *const *list)
{
    for (; *list && arguments->count < MOST_ARGUMENTS; list++)
        arguments->list[arguments->count++] = *list;
}

bool film_ffmpeg_start(struct pipe_to *pipe, const struct film_settings *settings, enum film_format format,
                       const char *output, struct error *err)
{
    struct text size = {0}, rate = {0}, file = {0};
    struct arguments arguments = {0};
    bool missing = false;
    text_addf(&size, "%ux%u", even(format, settings->width), even(format, settings->height));
    text_add_double(&rate, settings->fps);
    text_addf(&file, "file:%s", output); /* neither an option nor a protocol, whatever it is called */
    add(&arguments, (const char *const[]){"ffmpeg", "-nostdin", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt",
                                          "rgba", "-s", text_string(&size), "-framerate", text_string(&rate), "-i",
                                          "pipe:0", NULL});
    add(&arguments, encoding(settings, format));
    add(&arguments, (const char *const[]){"-threads", "1", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v",
                                          "+bitexact", "-y", text_string(&file), NULL});
    bool good = pipe_to_start(pipe, arguments.list, &missing, err);
    if (missing)
        error_set(err, "there is no ffmpeg in PATH: install it (Debian, Ubuntu, Fedora, Homebrew: the package ffmpeg), "
                  "or write an .apng, which needs none");
    text_release(&size);
    text_release(&rate);
    text_release(&file);
    return good;
}
