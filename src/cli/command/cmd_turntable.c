#include <math.h>
#include <stdlib.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/command_limits.h"
#include "cli/options.h"
#include "cli/output/sequence.h"

struct turntable {
    const char *output; /* NULL: none */
    const char *film;
    const char *camera;
    long frames;
    double loops; /* how often the clip plays during the circle */
    double fps;   /* 0: such that the clip plays at its own speed, else 24 */
};

static bool clip_plays(const struct pipeline *pipeline)
{
    return pipeline->settings->clip_was_set && pipeline->plays && !pipeline->settings->time_was_set;
}

/* The clip plays `loops` times in one circle, so that the last frame leads back to the first. */
static void clip_mix(const struct turntable *turn, const struct pipeline *pipeline, struct sequence_frame *frames)
{
    const struct settings *settings = pipeline->settings;
    bool plays = clip_plays(pipeline);
    double held = settings->time_count ? settings->times[0] : 0.0;
    for (long i = 0; i < turn->frames; i++) {
        double part = (double)i / (double)turn->frames;
        frames[i].number = i;
        frames[i].extra_yaw = (float)(360.0 * part);
        frames[i].time = plays ? pipeline_duration(pipeline) * turn->loops * part : held;
    }
}

static double film_rate(const struct turntable *turn, const struct pipeline *pipeline)
{
    double seconds = pipeline_duration(pipeline) * turn->loops;
    if (turn->fps > 0)
        return turn->fps;
    return seconds > 0 && clip_plays(pipeline) ? (double)turn->frames / seconds : 24.0;
}

static void warn_of_seam(const struct turntable *turn, const struct settings *settings)
{
    if (settings->clip_was_set && !settings->time_was_set && turn->loops != floor(turn->loops))
        log_warning("the sequence does not loop: --loops %g ends in the middle of the clip", turn->loops);
}

static bool turn_model(const char *model, const struct turntable *turn, struct settings *settings, struct error *err)
{
    struct pipeline pipeline;
    if (!settings->clip_was_set && !settings->time_was_set)
        settings->clip = "rest";
    if (!pipeline_open(&pipeline, model, settings, err))
        return false;
    struct sequence_frame *frames = calloc((size_t)turn->frames, sizeof *frames);
    bool good = frames != NULL || error_set(err, "out of memory for %ld frames", turn->frames);
    if (good) {
        clip_mix(turn, &pipeline, frames);
        warn_of_seam(turn, settings);
        struct sequence sequence = {
            .command = "turntable", .model = model, .output = turn->output, .film = turn->film,
            .camera = turn->camera, .frames = frames, .count = (size_t)turn->frames, .fps = film_rate(turn, &pipeline),
        };
        good = sequence_run(&sequence, &pipeline, err);
        if (good)
            pipeline_note_pose(&pipeline);
        if (good && !settings->clip_was_set && !settings->time_was_set)
            log_note("without --clip: the rest pose of %s", model);
    }
    free(frames);
    pipeline_close(&pipeline);
    return good;
}

static bool prepare(const struct turntable *turn, const char *time, struct settings *settings, struct error *err)
{
    if (!turn->output && !turn->film)
        return error_set(err, "turntable: where to? -o 'turn_{frame:04}.png' or --film turn.mp4 is missing");
    if (settings->camera_kind != CAMERA_ORBIT)
        return error_set(err, "turntable: a camera that stands somewhere does not turn; use --camera yaw=..,pitch=..,zoom=..,fov=..");
    if (time && !setting_find("time")->set(settings, time, err))
        return false;
    return settings->time_count <= 1 || error_set(err, "turntable: --time: `%s` is several times; it holds the clip at one", time);
}

static struct turntable turn = {.frames = 36, .loops = 1.0};
static const char *time;
static double pitch = NAN; /* not given */
static struct settings settings;

static const struct option options[] = {
    {"output", 'o', OPTION_TEXT, &turn.output, "OUT", "template with {frame:04}; also {model} {clip} {time}"},
    {"film", '\0', OPTION_TEXT, &turn.film, "OUT.apng|.mp4|.webm|.gif", "a film, with -o or instead. All but .apng need ffmpeg"},
    {"save-camera", '\0', OPTION_TEXT, &turn.camera, "FILE", "writes the first frame's camera, for --camera @FILE"},
    {"frames", '\0', OPTION_COUNT, &turn.frames, "N", "frames in the circle (default 36)"},
    {"pitch", '\0', OPTION_NUMBER, &pitch, "D", "degrees the camera looks down (default 10)", -90, 90},
    {"loops", '\0', OPTION_NUMBER, &turn.loops, "L", "how often --clip plays during the circle (default 1)"},
    {"fps", '\0', OPTION_NUMBER, &turn.fps, "F", "frames a second of the film, or of the one that the printed ffmpeg line makes"},
    {"time", '\0', OPTION_TEXT, &time, "T", "hold the clip at this time instead of playing it"},
    COMMAND_LIMIT_OPTIONS,
};

static enum exit_code run_turntable(int argc, char **argv, struct error *err)
{
    struct option_list operands = {0};
    settings_init(&settings);
    enum parse_result parsed = options_parse(&command_turntable, argc, argv, &operands, err);
    if (parsed == PARSE_GO && command_limit("turntable", err) && prepare(&turn, time, &settings, err)) {
        if (!isnan(pitch))
            settings.orbit.pitch = (float)pitch;
        turn_model(operands.items[0], &turn, &settings, err);
    }
    settings_release(&settings);
    return EXIT_CODE_GOOD;
}

const struct command command_turntable = {
    .name = "turntable", .operands = "MODEL -o 'turn_{frame:04}.png'",
    .summary = "a full circle around the model",
    .about = "Draws a full circle around a model. With --clip the clip plays meanwhile; without, the model stands in its rest pose.",
    .options = options, .option_count = sizeof options / sizeof options[0],
    .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_DRAW, .settings = &settings,
    .operand_least = 1, .operand_most = 1,
    .run = run_turntable,
};
