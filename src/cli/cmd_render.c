#include <stdlib.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/sequence.h"

static bool render(const char *model, const char *output, const struct settings *settings, struct error *err)
{
    struct pipeline pipeline;
    long *numbers = NULL;
    size_t count = 0;
    if (!pipeline_open(&pipeline, model, settings, err))
        return false;
    double *times = pipeline_times(&pipeline, &count, &numbers, err);
    struct sequence_frame *frames = times ? calloc(count, sizeof *frames) : NULL;
    for (size_t i = 0; frames && i < count; i++)
        frames[i] = (struct sequence_frame){.number = numbers[i], .time = times[i]};
    struct sequence sequence = {
        .command = "render", .model = model, .output = output, .frames = frames, .count = count,
        .fps = pipeline_frame_rate(&pipeline),
    };
    bool good = frames && sequence_run(&sequence, &pipeline, err);
    free(frames);
    free(numbers);
    free(times);
    pipeline_close(&pipeline);
    return good;
}

enum exit_code cmd_render(int argc, char **argv, struct error *err)
{
    const char *output = NULL;
    struct settings settings;
    const struct option options[] = {
        {"output", 'o', OPTION_TEXT, &output, "OUT.png", "the file, or a template: {model} {clip} {frame} {frame:04} {time}; - is stdout"},
    };
    struct command_line line = {
        .command = "render", .operands = "MODEL -o OUT.png",
        .about = "Draws a model at one time or at many. The camera frames the whole sampled sequence, so frames do not jitter.",
        .options = options, .option_count = sizeof options / sizeof options[0],
        .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_TIME | SETTING_DRAW, .settings = &settings,
        .operand_least = 1, .operand_most = 1,
    };
    settings_init(&settings);
    enum parse_result parsed = options_parse(&line, argc, argv, err);
    if (parsed == PARSE_GO && !output)
        error_set(err, "render: where to? -o OUT.png is missing");
    else if (parsed == PARSE_GO && settings_check_times(&settings, settings.time_count > 1 || settings.time_choice == TIMES_AUTO, err))
        render(line.operand[0], output, &settings, err);
    settings_release(&settings);
    return EXIT_CODE_GOOD;
}
