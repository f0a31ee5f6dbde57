#include <math.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/output/sequence.h"

struct turntable {
    const char *output; /* NULL: none */
    const char *film;
    const char *camera;
    long frames;
    double loops; /* how often the clip plays during the circle */
    double fps;   /* 0: such that the clip plays at its own speed, else 24 */
};

/* Without a time to hold it at. */
static bool clip_plays(const struct pipeline *pipeline)
{
    return settings_name_clip(pipeline->settings) && pipeline->plays && !pipeline->settings->time_choices;
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

static bool turn_model(const char *model, const struct turntable *turn, struct settings *settings, struct error *err)
{
    struct pipeline pipeline;
    bool is_chosen = settings_name_clip(settings) || settings->time_choices;
    bool plays = settings_name_clip(settings) && !settings->time_choices;
    if (!is_chosen)
        settings->clip = "none";
    if (!pipeline_open(&pipeline, model, settings, err))
        return false;
    struct sequence_frame *frames = memory_new((size_t)turn->frames, sizeof *frames);
    clip_mix(turn, &pipeline, frames);
    if (plays && turn->loops != floor(turn->loops))
        log_warning("the sequence does not loop: --loops %g ends in the middle of the clip", turn->loops);
    struct sequence sequence = {
        .command = "turntable", .model = model, .output = turn->output, .film = turn->film,
        .camera = turn->camera, .frames = frames, .count = (size_t)turn->frames, .fps = film_rate(turn, &pipeline),
    };
    bool good = sequence_run(&sequence, &pipeline, err);
    if (good)
        pipeline_note_pose(&pipeline);
    if (good && !is_chosen)
        log_note("without --clip: the rest pose of %s", model);
    free(frames);
    pipeline_close(&pipeline);
    return good;
}

static struct turntable turn = {.frames = 36, .loops = 1.0};
static struct settings settings;

static const struct setting options[] = {
    {"output", "OUT", "template with {frame:04}; also {model} {clip} {time}", 0,
     &value_text, VALUE_OF(turn.output), .letter = 'o'},
    {"film", "OUT.apng|.mp4|.webm|.gif", "a film, with -o or instead. All but .apng need ffmpeg", 0,
     &value_text, VALUE_OF(turn.film)},
    {"save-camera", "FILE", "writes the first frame's camera, for --camera @FILE", 0,
     &value_text, VALUE_OF(turn.camera)},
    {"frames", "N", "frames in the circle (default 36)", 0,
     &value_count, VALUE_OF(turn.frames), .least = 1, .most = 100000},
    {"pitch", "D", "degrees the camera looks down (default 10)", 0,
     &value_number, VALUE_OF(settings.orbit.pitch), .least = -90, .most = 90},
    {"loops", "L", "how often --clip plays during the circle (default 1)", 0,
     &value_number, VALUE_OF(turn.loops), .most = 1e6},
    {"fps", "F", "frames a second of the film, or of the one that the printed ffmpeg line makes", 0,
     &value_number, VALUE_OF(turn.fps), .most = 1e6},
    {"time", "T", "hold the clip at this time instead of playing it", 0, &value_times, VALUE_OF(settings)},
    COMMAND_LIMIT_OPTIONS,
};

static enum exit_code run_turntable(const struct option_list *operands, struct error *err)
{
    if (!turn.output && !turn.film)
        error_set(err, "turntable: where to? -o 'turn_{frame:04}.png' or --film turn.mp4 is missing");
    else if (settings.camera_kind != CAMERA_ORBIT)
        error_set(err, "turntable: a camera that stands somewhere does not turn; use --camera yaw=..,pitch=..,zoom=..,fov=..");
    else if (settings.time_count > 1)
        error_set(err, "turntable: --time: %zu times; it holds the clip at one", settings.time_count);
    else
        turn_model(operands->items[0], &turn, &settings, err);
    return EXIT_CODE_GOOD;
}

const struct command command_turntable = {
    .name = "turntable", .operands = "MODEL -o 'turn_{frame:04}.png'",
    .summary = "a full circle around the model",
    .about = "Draws a full circle around a model. With --clip the clip plays meanwhile; without, the model stands in its rest pose.",
    COMMAND_OPTIONS(options),
    .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_DRAW, .settings = &settings,
    .is_limited = true, .operand_least = 1, .operand_most = 1,
    .run = run_turntable,
};
