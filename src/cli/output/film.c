#include "cli/output/film.h"

#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/file_writer.h"
#include "cli/output/film_ffmpeg.h"
#include "data/image/apng.h"

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
    film->raw = malloc(film_ffmpeg_frame_size(&film->settings, film->format));
    return (film->raw || error_set(err, "out of memory for a frame")) &&
           film_ffmpeg_start(&film->ffmpeg, &film->settings, film->format, film->file.temporary, err);
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
    film_ffmpeg_frame(&film->settings, film->format, frame, film->raw);
    if (pipe_to_write(&film->ffmpeg, film->raw, film_ffmpeg_frame_size(&film->settings, film->format)))
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
