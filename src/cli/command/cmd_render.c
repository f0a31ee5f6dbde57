/* render: one frame of a model, or a sequence. */
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/log.h"
#include "cli/command.h"
#include "cli/output/sequence.h"
#include "data/image/color_scale.h"
#include "pipeline/palette_paths.h"

static struct sequence_outputs outputs;
static struct settings settings;
static struct group group;
/* what is drawn in place of the model's own pose; nothing: that */
static struct foreign_source source = {.layout = -1};
static bool beside; /* with the model's own at its left */

/* --palette all: no picture, a table. */
static void try_every_upload_format(const char *model, struct error *err)
{
    static struct path_result results[PATH_COMBINATIONS];
    struct pipeline pipeline;
    SCOPED(text) table = {0};
    size_t count = 0;
    settings.upload_format = (struct upload_format){0};
    if (!pipeline_open(&pipeline, model, &settings, err))
        return;
    FREED double *times = pipeline_times(&pipeline, &count, err);
    if (times && palette_paths_try(&pipeline, times, count, results, err)) {
        const int failed = palette_paths_write(&pipeline, count, results, &table);
        if (file_write("-", table.data, table.size, err) && failed)
            error_set_code(err, EXIT_CODE_DIFFERS, "%d upload format%s beyond the limit", failed,
                           failed == 1 ? "" : "s");
    }
    pipeline_close(&pipeline);
}

static const struct setting render_options[] = {
    {"output", "OUT.png", "the file, or a template: {model} {clip} {frame} {frame:04} {time}; - is stdout", 0,
     &value_text, VALUE_OF(outputs.pictures), .letter = 'o'},
    {"clip", "NAME|INDEX",
     "the clip (default the first); `walk` also matches `rig|walk` and `rig:walk`, and the reverse; rest (or none), "
     "bind, all; of\nseveral models one of each (repeatable)", 0, &value_texts, VALUE_OF(group.clips)},
    {"film", "OUT.apng|.mp4|.webm|.gif|.html",
     "a film, with -o or instead; without times, of the whole clip; {model} and {clip} as in -o. .html is a page\n"
     "to turn the model in; .mp4, .webm and .gif need ffmpeg", 0, &value_text, VALUE_OF(outputs.film)},
    TERMINAL_SHOW_OPTION(outputs.show),
    {"place", "turn=D,scale=F,move=X:Y:Z",
     "the model scaled, turned (around the up axis, or turn=X:Y:Z around x, then y, then z) and moved in the\n"
     "picture; of several models one of each (repeatable)", 0, &value_texts, VALUE_OF(group.places)},
    {"pose", "FILE",
     "draws this pose.json, what part of one it is, or an OBJ of skinned vertices in place of the model's own pose", 0,
     &value_text, VALUE_OF(source.path)},
    {"beside", NULL, "of --pose and --raw: the model's own pose at the left of it", 0, &value_flag, VALUE_OF(beside)},
    {"save-camera", "FILE", "writes the first frame's camera, for --camera @FILE", 0, &value_text,
     VALUE_OF(outputs.camera)},
    AGAINST_OPTION,
    FOREIGN_OPTIONS(source),
    COMMAND_QUIET_OPTION,
    COMMAND_LIMIT_OPTIONS,
};

/* A pose is of one time, and nothing else plays. */
static bool open_foreign(struct foreign *foreign, struct error *err)
{
    if (!foreign_check_source(&source, source.path, err))
        return false;
    const char *option = source.raw ? "raw" : "pose";
    if (!source.raw && !source.path)
        return !beside || error_set(err, "render: --beside is for --pose and --raw");
    if (outputs.film || settings.sheet || settings.crowd[0] || settings.upload_format.path == PALETTE_PATH_COUNT)
        return error_set(err, "render: --%s is one picture: leave --film, --sheet, --crowd and --palette all out",
                         option);
    return foreign_open(foreign, &source, err) && foreign_suggest(foreign, &settings, err);
}

/* The times that the settings choose, of the clip that the pipeline plays. */
static bool render_clip(struct sequence *sequence, struct error *err)
{
    if (sequence->clips > 1 && settings.time_choice == TIMES_PLAY && !(pipeline_duration(&sequence->pipeline) > 0)) {
        log_warning("clip `%s` has no duration: it is left out", settings.clip);
        return true;
    }
    sequence->times = pipeline_times(&sequence->pipeline, &sequence->count, err);
    if (sequence->times && sequence->foreign.source && sequence->count > 1)
        error_set(err, "render: %s is a pose of one time, and %zu are asked for", sequence->foreign.name,
                  sequence->count);
    if (error_is_set(err)) {
        free(sequence->times);
        return false;
    }
    sequence->fps = pipeline_film_rate(&sequence->pipeline, sequence->count);
    return sequence_draw(sequence, sequence->times, sequence->count, err);
}

/* Gives the first of several options of a name to the first model. */
static bool set_first(const struct option_list *list, const char *name, struct error *err)
{
    for (size_t k = group.count; k < list->count; k++)
        if (strcmp(list->items[k], list->items[k - 1]) != 0)
            return error_set(err, "--%s %s and --%s %s: only one of them may be given%s", name, list->items[k - 1],
                             name, list->items[k], group.count > 1 ? " for each model" : "");
    return list->count == 0 || settings_set(&settings, name, list->items[0], err);
}

/* Sets what is the first model's, and refuses what is made for one model alone. */
static bool choose_models(const struct operands *operands, struct error *err)
{
    const bool is_page = outputs.film && viewer_page_is_wanted(outputs.film);
    group.models = operands->items;
    group.count = (uint32_t)operands->count;
    if (group.count > 1 &&
        (source.path || source.raw || outputs.against || is_page || settings.crowd[0] || settings.space == SPACE_ROOT ||
         settings.upload_format.path == PALETTE_PATH_COUNT || color_scale_of(settings.view)))
        return error_set(err, "render: several models are for pictures of --space scene alone, without --pose, --raw, "
                              "--against, --crowd, --palette all, views on a scale of colours and films in .html");
    return set_first(&group.clips, "clip", err) && set_first(&group.places, "place", err);
}

static enum exit_code run_render(const struct operands *operands, struct error *err)
{
    struct sequence sequence = {.command = "render", .settings = &settings, .outputs = &outputs, .beside = beside,
                                .model = operands->items[0], .group = operands->count > 1 ? &group : NULL};
    if (!choose_models(operands, err) || !open_foreign(&sequence.foreign, err))
        return EXIT_CODE_GOOD;
    if (settings.upload_format.path == PALETTE_PATH_COUNT) {
        if (outputs.pictures || outputs.film)
            error_set(err, "render: --palette all prints a table and writes no picture: leave -o out");
        else
            try_every_upload_format(sequence.model, err);
        return EXIT_CODE_GOOD;
    }
    if (outputs.film && !settings.time_choices) /* one frame is no film */
        settings_set(&settings, "play", "true", err);
    sequence_open_outputs(&sequence, settings.time_choice == TIMES_PLAY || settings.time_choice == TIMES_FRAMES,
                          "-o OUT.png or --film OUT.mp4", err);
    bool rate_counts = outputs.film || settings.time_count > 1 || settings.time_choice == TIMES_AUTO ||
                       settings.time_choice == TIMES_EVEN;
    if (!error_is_set(err) && settings_check_times(&settings, rate_counts, err))
        sequence_run_clips(&sequence, render_clip, err);
    return EXIT_CODE_GOOD;
}

const struct command command_render = {
    .name = "render", .operands = "MODEL... -o OUT.png",
    .summary = "one frame, or a sequence: -o 'walk_{frame:04}.png'",
    .about = "Draws a model at one time or at many. The camera frames the whole sampled sequence, so frames do not "
             "jitter.\nSeveral models stand in one picture, each with a --clip and --place of its own.",
    COMMAND_OPTIONS(render_options), .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_TIME | SETTING_DRAW,
    .settings = &settings, .is_limited = true, .operand_least = 1, .operand_most = OPTION_LIST_MOST, .run = run_render,
};
