#include <stdlib.h>

#include "base/file/file.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/output/sequence.h"
#include "suite/palette_paths.h"

/* Where to; each may be NULL, not all. */
struct outputs {
    const char *pictures;
    const char *film;
    const char *camera;
};

static bool render(const char *model, const struct outputs *outputs, const struct settings *settings, struct error *err)
{
    struct pipeline pipeline;
    long *numbers = NULL;
    size_t count = 0;
    if (!pipeline_open(&pipeline, model, settings, err))
        return false;
    double *times = pipeline_times(&pipeline, &count, &numbers, err);
    struct sequence_frame *frames = times ? memory_new(count, sizeof *frames) : NULL;
    for (size_t i = 0; frames && i < count; i++)
        frames[i] = (struct sequence_frame){.number = numbers[i], .time = times[i]};
    struct sequence sequence = {
        .command = "render", .model = model, .output = outputs->pictures, .film = outputs->film,
        .camera = outputs->camera, .frames = frames, .count = count, .fps = pipeline_film_rate(&pipeline, count),
    };
    bool good = frames && sequence_run(&sequence, &pipeline, err);
    if (good)
        pipeline_note_pose(&pipeline);
    free(frames);
    free(numbers);
    free(times);
    pipeline_close(&pipeline);
    return good;
}

static bool print_table(const struct pipeline *pipeline, size_t times, const struct path_result *results,
                        struct error *err)
{
    struct text table = {0};
    int failed = 0;
    for (int i = 0; i < PATH_COMBINATIONS; i++)
        failed += palette_path_fails(&results[i]);
    palette_paths_write(pipeline, times, results, &table);
    bool good = file_write("-", table.data, table.size, err);
    text_release(&table);
    return good && (!failed || error_set_code(err, EXIT_CODE_DIFFERS, "%d upload format%s beyond the limit",
                                              failed, failed == 1 ? "" : "s"));
}

/* --palette all: no picture, a table. */
static bool try_every_upload_format(const char *model, struct settings *settings, struct error *err)
{
    static struct path_result results[PATH_COMBINATIONS];
    struct pipeline pipeline;
    size_t count = 0;
    settings->upload_format = (struct upload_format){0};
    if (!pipeline_open(&pipeline, model, settings, err))
        return false;
    double *times = pipeline_times(&pipeline, &count, NULL, err);
    bool good = times && palette_paths_try(&pipeline, times, count, results, err) &&
                print_table(&pipeline, count, results, err);
    free(times);
    pipeline_close(&pipeline);
    return good;
}

static struct outputs outputs;
static struct settings settings;

static const struct setting options[] = {
    {"output", "OUT.png", "the file, or a template: {model} {clip} {frame} {frame:04} {time}; - is stdout", 0,
     &value_text, VALUE_OF(outputs.pictures), .letter = 'o'},
    {"film", "OUT.apng|.mp4|.webm|.gif", "a film, with -o or instead; without times, of the whole clip. All but .apng need ffmpeg", 0,
     &value_text, VALUE_OF(outputs.film)},
    {"save-camera", "FILE", "writes the first frame's camera, for --camera @FILE", 0,
     &value_text, VALUE_OF(outputs.camera)},
    COMMAND_LIMIT_OPTIONS,
};

static enum exit_code run_render(const struct option_list *operands, struct error *err)
{
    const char *model = operands->items[0];
    if (settings.upload_format.path == PALETTE_PATH_COUNT) {
        if (outputs.pictures || outputs.film)
            error_set(err, "render: --palette all prints a table and writes no picture: leave -o out");
        else
            try_every_upload_format(model, &settings, err);
        return EXIT_CODE_GOOD;
    }
    if (!outputs.pictures && !outputs.film)
        error_set(err, "render: where to? -o OUT.png or --film OUT.mp4 is missing");
    else if (outputs.film && !settings.time_choices) /* one frame is no film */
        settings_set(&settings, "play", "true", err);
    bool rate_counts = outputs.film || settings.time_count > 1 || settings.time_choice == TIMES_AUTO;
    if (!error_is_set(err) && settings_check_times(&settings, rate_counts, err))
        render(model, &outputs, &settings, err);
    return EXIT_CODE_GOOD;
}

const struct command command_render = {
    .name = "render", .operands = "MODEL -o OUT.png",
    .summary = "one frame, or a sequence: -o 'walk_{frame:04}.png'",
    .about = "Draws a model at one time or at many. The camera frames the whole sampled sequence, so frames do not jitter.",
    COMMAND_OPTIONS(options),
    .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_TIME | SETTING_DRAW, .settings = &settings,
    .is_limited = true, .operand_least = 1, .operand_most = 1,
    .run = run_render,
};
