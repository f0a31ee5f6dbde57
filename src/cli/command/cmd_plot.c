/* plot: what bones do over time, as curves. */
#include <string.h>

#include "base/file/file.h"
#include "cli/command.h"
#include "cli/output/template.h"
#include "subject/subject.h"
#include "pipeline/curves.h"
#include "suite/suite_file.h"

enum { PLOT_SVG, PLOT_CSV, PLOT_FORMATS };
static const char *const format_names[PLOT_FORMATS] = {"svg", "csv"};

/* The values of the command line. */
static struct {
    int format; /* -1: not said */
    struct option_list bones, channels, clips, subjects;
    uint32_t width;
    const char *output;
} wanted = {.format = -1, .output = "-", .width = PLOT_WIDTH};
static struct settings settings;

/* A clip of a model; its scene is shared with the model's other clips. */
struct playing {
    struct settings settings;
    struct pipeline pipeline;
};

struct plotting {
    struct arena *arena;
    struct curve_channel channels[CURVE_MOST_CHANNELS];
    size_t channel_count;
    struct scene **scenes; /* [scene_count] */
    size_t scene_count;
    struct playing *playing; /* [playing_count] */
    size_t playing_count;
    struct subject **subjects; /* [wanted.subjects.count] */
    struct curve_source *sources; /* each clip by rigproof, then by each subject */
    size_t source_count;
};

static const struct setting options[] = {
    {"bone", "GLOB", "nodes of that name (repeatable)", 0, &value_texts, VALUE_OF(wanted.bones)},
    {"channel", "SPACE.CHANNEL,...",
     "local, global or palette, a dot, and x, y, z, translation, rotation (a quaternion), euler (degrees, x\n"
     "first), turn (degrees since the first time), scale, velocity or angular; .x, .y, .z, .w for one\n"
     "component (default global.translation; repeatable)", 0, &value_texts, VALUE_OF(wanted.channels)},
    {"clip", "NAME|INDEX", "animation, or all (repeatable; default the first of each model)", 0, &value_texts,
     VALUE_OF(wanted.clips)},
    {"subject", "COMMAND", "the same as that program answers: docs/subjects.md (repeatable)", 0, &value_texts,
     VALUE_OF(wanted.subjects)},
    {"format", "svg|csv", "a picture, or a table of all samples and keys (default as -o ends, else svg)", 0,
     &value_word, VALUE_OF(wanted.format), VALUE_WORDS(format_names), .letter = 'f'},
    {"width", "N", "of the picture in pixels (default 1000)", 0, &value_count, VALUE_OF(wanted.width),
     .least = PLOT_LEAST_WIDTH, .most = PLOT_MOST_WIDTH},
    {"output", "FILE", "write there instead of stdout", 0, &value_text, VALUE_OF(wanted.output), .letter = 'o'},
    COMMAND_QUIET_OPTION,
    COMMAND_LIMIT_OPTIONS,
};

static bool choose_channels(struct plotting *plotting, struct error *err)
{
    bool good =
        wanted.bones.count > 0 ||
        error_set(err, "plot: --bone is missing: which bones, such as --bone 'foot_*'; rigproof inspect lists them");
    if (wanted.channels.count == 0)
        wanted.channels.items[wanted.channels.count++] = "global.translation";
    for (size_t i = 0; good && i < wanted.channels.count; i++)
        good = curve_channels_read(wanted.channels.items[i], plotting->arena, plotting->channels,
                                   &plotting->channel_count, err);
    return good;
}

static bool play(struct plotting *plotting, struct scene *scene, const char *clip, struct error *err)
{
    struct playing *playing = &plotting->playing[plotting->playing_count];
    playing->settings = settings;
    playing->settings.clip = clip;
    if (!pipeline_begin(&playing->pipeline, scene, &playing->settings, err))
        return false;
    plotting->playing_count++;
    return playing->pipeline.settings->time_choices || pipeline_duration(&playing->pipeline) > 0 ||
           error_set(err,
                     "plot: nothing plays in %s: it has no clip, or none with a duration; --times, --frames choose "
                     "times without one",
                     scene->path);
}

static bool is_all(const struct scene *scene)
{
    return wanted.clips.count == 1 && strcmp(wanted.clips.items[0], "all") == 0 && scene->clip_count > 0 &&
           !scene_find_clip(scene, "all", ERROR_IGNORED);
}

static bool open_models(struct plotting *plotting, const struct operands *operands, struct error *err)
{
    bool good = true;
    size_t most = 0;
    plotting->scenes = ARENA_NEW(plotting->arena, struct scene *, operands->count);
    for (size_t i = 0; i < operands->count; i++) {
        struct scene *scene = pipeline_import(operands->items[i], &settings, err);
        if (!scene)
            return false;
        plotting->scenes[plotting->scene_count++] = scene;
        most += scene->clip_count + wanted.clips.count + 1;
    }
    /* where they stay: pipelines point to their settings */
    plotting->playing = ARENA_NEW(plotting->arena, struct playing, most);
    for (size_t i = 0; good && i < plotting->scene_count; i++) {
        const struct scene *scene = plotting->scenes[i];
        const bool all = is_all(scene);
        const size_t clips = all ? scene->clip_count : wanted.clips.count > 0 ? wanted.clips.count : 1;
        for (size_t k = 0; good && k < clips; k++)
            good = play(plotting, plotting->scenes[i],
                        all                      ? scene->clips[k].name
                        : wanted.clips.count > 0 ? wanted.clips.items[k]
                                                 : NULL,
                        err);
    }
    return good;
}

static const char *name_model(const struct plotting *plotting, const struct scene *scene)
{
    const char **paths = ARENA_NEW(plotting->arena, const char *, plotting->scene_count);
    for (size_t i = 0; i < plotting->scene_count; i++)
        paths[i] = plotting->scenes[i]->path;
    return path_distinct(scene->path, paths, plotting->scene_count);
}

/* Returns what distinguishes a source from the others: the file, the clip, the program. */
static const char *name_source(const struct plotting *plotting, const struct pipeline *p, const char *program)
{
    struct text name = {0};
    bool has_clips = false;
    for (size_t i = 0; i < plotting->playing_count; i++)
        has_clips = has_clips || strcmp(plotting->playing[i].pipeline.plays ? plotting->playing[i].pipeline.plays : "",
                                        p->plays ? p->plays : "") != 0;
    if (plotting->scene_count > 1)
        text_add(&name, name_model(plotting, p->scene));
    if (has_clips && p->plays)
        text_addf(&name, "%s%s", name.size ? " " : "", p->plays);
    if (wanted.subjects.count > 0)
        text_addf(&name, "%s%s", name.size ? " " : "", program);
    return arena_text(plotting->arena, &name);
}

static bool sample(struct plotting *plotting, struct error *err)
{
    const size_t programs = 1 + wanted.subjects.count;
    bool good = true;
    plotting->sources = ARENA_NEW(plotting->arena, struct curve_source, programs * plotting->playing_count);
    plotting->subjects = ARENA_NEW(plotting->arena, struct subject *, programs);
    for (size_t i = 0; i < wanted.subjects.count; i++)
        plotting->subjects[i] = subject_create(subject_of_command(wanted.subjects.items[i], plotting->arena));
    for (size_t i = 0; good && i < plotting->playing_count; i++)
        for (size_t s = 0; good && s < programs; s++) {
            struct curve_source *source = &plotting->sources[plotting->source_count++];
            struct pipeline *p = &plotting->playing[i].pipeline;
            source->pipeline = p;
            source->subject = s > 0 ? plotting->subjects[s - 1] : NULL;
            source->name = name_source(plotting, p, s > 0 ? source->subject->spec->name : "reference");
            good = curve_sample(source, wanted.bones.items, wanted.bones.count, plotting->channels,
                                plotting->channel_count, err);
        }
    return good;
}

static bool write_plot(const struct plotting *plotting, struct error *err)
{
    struct plot plot = {.width = wanted.width};
    SCOPED(text) title = {0}, out = {0};
    const struct pipeline *first = &plotting->playing[0].pipeline;
    for (size_t i = 0; i < plotting->scene_count; i++)
        text_addf(&title, "%s%s", i == 0 ? "" : i + 1 == plotting->scene_count ? " and " : ", ",
                  name_model(plotting, plotting->scenes[i]));
    if (plotting->playing_count == plotting->scene_count && first->plays)
        text_addf(&title, ", %s", first->plays);
    plot.title = text_string(&title);
    bool good = curve_plot(plotting->sources, plotting->source_count, plotting->channels, plotting->channel_count,
                           plotting->arena, &plot, err);
    if (good) {
        (wanted.format == PLOT_CSV ? plot_csv : plot_svg)(&plot, &out);
        good = file_make_parent(wanted.output, err) && file_write(wanted.output, out.data, out.size, err);
    }
    return good;
}

static enum exit_code run_plot(const struct operands *operands, struct error *err)
{
    struct plotting plotting = {.arena = create_large_arena()};
    if (wanted.format < 0)
        wanted.format = template_format(wanted.output, format_names, PLOT_FORMATS, PLOT_SVG);
    if (settings_check_times(&settings, false, err) && choose_channels(&plotting, err) &&
        open_models(&plotting, operands, err) && sample(&plotting, err))
        write_plot(&plotting, err);
    for (size_t i = 0; plotting.subjects && i < wanted.subjects.count; i++)
        subject_destroy(plotting.subjects[i]);
    for (size_t i = 0; i < plotting.playing_count; i++)
        pipeline_end(&plotting.playing[i].pipeline);
    for (size_t i = 0; i < plotting.scene_count; i++)
        scene_free(plotting.scenes[i]);
    arena_destroy(plotting.arena);
    return error_is_set(err) ? EXIT_CODE_USAGE : EXIT_CODE_GOOD;
}

const struct command command_plot = {
    .name = "plot", .operands = "MODEL... --bone GLOB", .summary = "what bones do over time, as curves: svg or csv",
    .about = "Draws translation, rotation, scale or velocity of bones over time, keys marked: of one clip or several, "
             "of several\nmodels, of a program under test beside rigproof's own. Without --times or --frames the clip "
             "is sampled 60 times a\nsecond and at the keys of the bones.",
    COMMAND_OPTIONS(options), .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_TIME, .settings = &settings,
    .is_limited = true, .operand_least = 1, .operand_most = 16, .run = run_plot,
};
