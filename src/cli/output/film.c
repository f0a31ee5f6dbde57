#include "cli/output/film.h"

#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/file_writer.h"
#include "base/process/pipe_to.h"
#include "data/image/apng.h"

enum film_format { FILM_APNG, FILM_MP4, FILM_WEBM, FILM_GIF };

/* ---- ffmpeg ---------------------------------------------------------------------------------------------------- */

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

static size_t frame_size(const struct film_settings *settings, enum film_format format)
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

static void make_frame(const struct film_settings *settings, enum film_format format, const struct image *frame,
                       uint8_t *out)
{
    static const uint8_t nothing[4] = {0};
    uint32_t width = even(format, frame->width), height = even(format, frame->height);
    if (format != FILM_MP4) {
        memcpy(out, frame->rgba, frame_size(settings, format));
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

static bool run_ffmpeg(struct pipe_to *pipe, const struct film_settings *settings, enum film_format format,
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

/* ---- films ----------------------------------------------------------------------------------------------------- */

struct film {
    struct film_settings settings;
    enum film_format format;
    struct file_writer file;
    struct apng apng;        /* FILM_APNG */
    struct pipe_to ffmpeg;   /* the others */
    uint8_t *raw;            /* a frame for it */
};

static bool choose_format(const struct film_settings *settings, enum film_format *format, struct error *err)
{
    static const char *const extensions[] = {
        [FILM_APNG] = "apng", [FILM_MP4] = "mp4", [FILM_WEBM] = "webm", [FILM_GIF] = "gif"};
    char extension[16];
    path_extension(settings->path, extension);
    for (int i = 0; i < 4; i++)
        if (strcmp(extension, extensions[i]) == 0) {
            *format = (enum film_format)i;
            return *format != FILM_GIF || settings->fps <= 50 ||
                   error_set(err, "a GIF counts in hundredths of a second and plays at most 50 frames in one: use "
                             "--fps, or another format");
        }
    return error_set(err, "no film of that kind: .apng, .mp4, .webm and .gif can be written");
}

/* What is no file would have to be read back while it is written. */
static bool open_file(struct film *film, struct error *err)
{
    if (!file_make_parent(film->settings.path, err) || !file_writer_open(&film->file, film->settings.path, err))
        return false;
    if (film->file.temporary || film->format == FILM_APNG)
        return true;
    file_writer_close(&film->file, false, err);
    return error_set(err, "it is there and is no file: ffmpeg cannot write to it");
}

static bool start_ffmpeg(struct film *film, struct error *err)
{
    film->raw = malloc(frame_size(&film->settings, film->format));
    return (film->raw || error_set(err, "out of memory for a frame")) &&
           run_ffmpeg(&film->ffmpeg, &film->settings, film->format, film->file.temporary, err);
}

static void release(struct film *film)
{
    apng_release(&film->apng);
    free(film->raw);
    free(film);
}

static bool fail(const struct film_settings *settings, struct error *err)
{
    return error_prefix(err, "--film %s", settings->path);
}

struct film *film_open(const struct film_settings *settings, struct error *err)
{
    struct film *film = calloc(1, sizeof *film);
    if (!film) {
        error_set(err, "out of memory for a film");
        return NULL;
    }
    film->settings = *settings;
    film->ffmpeg.input = -1;
    if (!choose_format(settings, &film->format, err) || !open_file(film, err)) {
        fail(settings, err);
        release(film);
        return NULL;
    }
    if (film->format == FILM_APNG)
        apng_begin(&film->apng, settings->count, settings->fps);
    else if (!start_ffmpeg(film, err)) {
        fail(settings, err);
        film_abandon(film);
        return NULL;
    }
    return film;
}

/* Written as it grows. */
static bool add_to_apng(struct film *film, const struct image *frame, struct error *err)
{
    struct text *bytes = &film->apng.bytes;
    bool good = apng_add(&film->apng, frame, err) && file_writer_add(&film->file, bytes->data, bytes->size, err);
    bytes->size = 0;
    return good;
}

/* When it reads no more, its end says why. */
static bool add_to_ffmpeg(struct film *film, const struct image *frame, struct error *err)
{
    make_frame(&film->settings, film->format, frame, film->raw);
    if (pipe_to_write(&film->ffmpeg, film->raw, frame_size(&film->settings, film->format)))
        return true;
    return pipe_to_finish(&film->ffmpeg, err) ? error_set(err, "ffmpeg stopped reading") : false;
}

bool film_add(struct film *film, const struct image *frame, struct error *err)
{
    bool good = film->format == FILM_APNG ? add_to_apng(film, frame, err) : add_to_ffmpeg(film, frame, err);
    return good || fail(&film->settings, err);
}

bool film_close(struct film *film, struct error *err)
{
    bool good = film->format == FILM_APNG || pipe_to_finish(&film->ffmpeg, err);
    good = file_writer_close(&film->file, good, err) && good;
    if (!good)
        fail(&film->settings, err);
    release(film);
    return good;
}

void film_abandon(struct film *film)
{
    struct error ignored = {0};
    if (!film)
        return;
    pipe_to_abandon(&film->ffmpeg);
    file_writer_close(&film->file, false, &ignored);
    release(film);
}
