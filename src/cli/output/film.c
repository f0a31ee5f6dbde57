#include "cli/output/film.h"

#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/file_writer.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/process/pipe_to.h"
#include "data/image/image.h"

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

/* By the extension of the file. */
static const struct film_format {
    const char *extension;
    const char *const *arguments;      /* of ffmpeg; NULL: ours */
    const char *const *with_alpha;     /* where the background is transparent */
    bool is_opaque;                    /* and of even sizes */
    double most_fps;                   /* 0: any */
} formats[] = {
    {"apng", NULL, NULL, false, 0},
    {"mp4", mp4, mp4, true, 0},
    {"webm", webm, webm_alpha, false, 0},
    {"gif", gif, gif, false, 50},
};

struct film {
    struct film_settings settings;
    const struct film_format *format;
    uint32_t width, height; /* of a raw frame */
    struct file_writer file;
    struct apng apng;      /* ours */
    struct pipe_to ffmpeg; /* the others */
    uint8_t *raw;          /* a frame for it */
};

/* Appends a list that ends with NULL. */
static void add(const char **arguments, size_t *count, const char *const *list)
{
    while (*list)
        arguments[(*count)++] = *list++;
    arguments[*count] = NULL;
}

static bool start_ffmpeg(struct film *film, struct error *err)
{
    const struct film_settings *settings = &film->settings;
    SCOPED(text) size = {0}, rate = {0}, file = {0};
    const char *arguments[64]; /* twice as many as the longest list has */
    size_t count = 0;
    bool missing = false;
    film->raw = memory_new((size_t)film->width * film->height, 4);
    text_addf(&size, "%ux%u", film->width, film->height);
    text_add_double(&rate, settings->fps);
    text_addf(&file, "file:%s", film->file.temporary); /* neither an option nor a protocol, whatever it is called */
    add(arguments, &count,
        (const char *const[]){"ffmpeg", "-nostdin", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-s",
                              text_string(&size), "-framerate", text_string(&rate), "-i", "pipe:0", NULL});
    add(arguments, &count, settings->background[3] < 255 ? film->format->with_alpha : film->format->arguments);
    add(arguments, &count,
        (const char *const[]){"-threads", "1", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact",
                              "-y", text_string(&file), NULL});
    bool good = pipe_to_start(&film->ffmpeg, arguments, false, &missing, err);
    if (missing)
        error_set(err, "there is no ffmpeg in PATH: install it (Debian, Ubuntu, Fedora, Homebrew: the package ffmpeg), "
                  "or write an .apng, which needs none");
    return good;
}

static bool release(struct film *film, bool good, struct error *err)
{
    if (!good)
        error_prefix(err, "--film %s", film->settings.path);
    apng_release(&film->apng);
    free(film->raw);
    free(film);
    return good;
}

struct film *film_open(const struct film_settings *settings, struct error *err)
{
    struct film *film = memory_new(1, sizeof *film);
    char extension[16];
    film->settings = *settings;
    film->ffmpeg.input = -1;
    path_extension(settings->path, extension);
    const struct film_format *found = NAMED(formats, sizeof formats / sizeof formats[0], extension);
    const struct film_format *format = film->format = found ? found : formats;
    film->width = settings->width + (format->is_opaque ? settings->width % 2 : 0);
    film->height = settings->height + (format->is_opaque ? settings->height % 2 : 0);
    bool good = false;
    if (!found)
        error_set(err, "unknown film format: .apng, .mp4, .webm and .gif can be written");
    else if (format->most_fps > 0 && settings->fps > format->most_fps)
        error_set(
            err,
            "a GIF counts in hundredths of a second and plays at most 50 frames in one: use --fps, or another format");
    else if (file_make_parent(settings->path, err) && file_writer_open(&film->file, settings->path, err)) {
        good = !format->arguments;
        if (good)
            apng_begin(&film->apng, settings->count, settings->fps);
        else if (!film->file.temporary) /* it would have to be read back while ffmpeg writes it */
            error_set(err, "it exists and is not a file: ffmpeg cannot write to it");
        else
            good = start_ffmpeg(film, err);
        if (!good)
            file_writer_close(&film->file, false, err);
    }
    return good || release(film, false, err) ? film : NULL;
}

bool film_add(struct film *film, const struct image *frame, struct error *err)
{
    struct text *bytes = &film->apng.bytes;
    const uint8_t *background = film->settings.background;
    static const uint8_t nothing[4] = {0};
    bool good;
    if (film->format->arguments) {
        uint8_t *out = film->raw;
        if (!film->format->is_opaque)
            memcpy(out, frame->rgba, 4 * (size_t)film->width * film->height);
        /* over the background, also beyond an odd size */
        for (uint32_t y = 0; film->format->is_opaque && y < film->height; y++)
            for (uint32_t x = 0; x < film->width; x++, out += 4) {
                bool is_inside = x < frame->width && y < frame->height;
                const uint8_t *pixel = is_inside ? frame->rgba + 4 * ((size_t)y * frame->width + x) : nothing;
                for (int c = 0; c < 3; c++)
                    out[c] = (uint8_t)((pixel[c] * pixel[3] + background[c] * (255 - pixel[3]) + 127) / 255);
                out[3] = 255;
            }
        good = pipe_to_write(&film->ffmpeg, film->raw, 4 * (size_t)film->width * film->height);
        if (!good && pipe_to_finish(&film->ffmpeg, err)) /* when it reads no more, its end says why */
            error_set(err, "ffmpeg stopped reading");
    } else { /* written as it grows */
        good = apng_add(&film->apng, frame, err) && file_writer_add(&film->file, bytes->data, bytes->size, err);
        bytes->size = 0;
    }
    return good || error_prefix(err, "--film %s", film->settings.path);
}

bool film_close(struct film *film, struct error *err)
{
    bool good = !film->format->arguments || pipe_to_finish(&film->ffmpeg, err);
    return release(film, file_writer_close(&film->file, good, err) && good, err);
}

void film_abandon(struct film *film)
{
    if (!film)
        return;
    pipe_to_abandon(&film->ffmpeg);
    file_writer_close(&film->file, false, ERROR_IGNORED);
    release(film, true, ERROR_IGNORED);
}
