/* turntable: a full circle around a model. */
#include <math.h>

#include "base/log.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/output/sequence.h"

static struct sequence_outputs outputs;
static struct settings settings;

static struct {
    long frames;
    double loops; /* how often the clip plays during the circle */
    double fps;   /* 0: such that the clip plays at its own speed, else 24 */
} turn = {.frames = 36, .loops = 1.0};

static const struct setting turntable_options[] = {
    {"output", "OUT", "template with {frame:04}; also {model} {clip} {time}", 0, &value_text,
     VALUE_OF(outputs.pictures), .letter = 'o'},
    {"film", "OUT.apng|.mp4|.webm|.gif|.html",
     "a film, with -o or instead; .html is a page to turn the model in; .mp4, .webm\nand .gif need ffmpeg", 0,
     &value_text, VALUE_OF(outputs.film)},
    {"save-camera", "FILE", "writes the first frame's camera, for --camera @FILE", 0, &value_text,
     VALUE_OF(outputs.camera)},
    TERMINAL_SHOW_OPTION(outputs.show),
    AGAINST_OPTION,
    {"frames", "N", "frames in the circle (default 36)", 0, &value_count, VALUE_OF(turn.frames), .least = 1,
     .most = 100000},
    {"pitch", "D", "degrees the camera looks down (default 10)", 0, &value_number, VALUE_OF(settings.orbit.pitch),
     .least = -90, .most = 90},
    {"loops", "L", "how often --clip plays during the circle (default 1)", 0, &value_number, VALUE_OF(turn.loops),
     .most = 1e6},
    {"fps", "F", "frames a second of the film, or of the one that the printed ffmpeg line makes", 0, &value_number,
     VALUE_OF(turn.fps), .most = 1e6},
    {"time", "T", "hold the clip at this time instead of playing it", 0, &value_times, VALUE_OF(settings)},
    COMMAND_QUIET_OPTION,
    COMMAND_LIMIT_OPTIONS,
};

/* The clip plays `loops` times in one circle, so that the last frame leads back to the first. */
static bool turn_clip(struct sequence *sequence, struct error *err)
{
    const double held = pipeline_time(&sequence->pipeline, 0);
    const bool plays = settings_name_clip(&settings) && sequence->pipeline.plays && !settings.time_choices;
    const double seconds = pipeline_duration(&sequence->pipeline) * turn.loops;
    sequence->fps = turn.fps > 0 ? turn.fps : seconds > 0 && plays ? (double)turn.frames / seconds : 24.0;
    sequence->turn = 360;
    sequence->times = memory_new(sequence->count, sizeof *sequence->times);
    for (long i = 0; i < turn.frames; i++)
        sequence->times[i] = plays ? seconds * ((double)i / (double)turn.frames) : held;
    return sequence_draw(sequence, &held, settings.time_count, err);
}

static enum exit_code run_turntable(const struct operands *operands, struct error *err)
{
    struct sequence sequence = {.command = "turntable", .settings = &settings, .outputs = &outputs,
                                .model = operands->items[0], .count = (size_t)turn.frames};
    const bool has_clip = settings_name_clip(&settings), is_chosen = has_clip || settings.time_choices;
    if (!sequence_open_outputs(&sequence, true, "-o 'turn_{frame:04}.png' or --film turn.mp4", err))
        return EXIT_CODE_GOOD;
    if (settings.camera_kind != CAMERA_ORBIT)
        error_set(err,
                  "turntable: a fixed camera does not turn; use an orbit: --camera yaw=..,pitch=..,zoom=..,fov=..");
    else if (settings.time_count > 1)
        error_set(err, "turntable: --time holds the clip at one time, and %zu are given", settings.time_count);
    if (!is_chosen)
        settings.clip = "none";
    if (error_is_set(err))
        return EXIT_CODE_GOOD;
    if (has_clip && !settings.time_choices && turn.loops != floor(turn.loops)) /* without a time to hold it at */
        log_warning("the sequence does not loop: --loops %g ends in the middle of the clip", turn.loops);
    sequence_run_clips(&sequence, turn_clip, err);
    if (!error_is_set(err) && !is_chosen)
        log_note("without --clip: the rest pose of %s", sequence.model);
    return EXIT_CODE_GOOD;
}

const struct command command_turntable = {
    .name = "turntable", .operands = "MODEL -o 'turn_{frame:04}.png'", .summary = "a full circle around the model",
    .about = "Draws a full circle around a model. With --clip the clip plays meanwhile; without, the model stands in "
             "its rest pose.",
    COMMAND_OPTIONS(turntable_options), .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_DRAW,
    .settings = &settings, .is_limited = true, .operand_least = 1, .operand_most = 1, .run = run_turntable,
};
