#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/names.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/template.h"
#include "suite/pipeline.h"

struct format {
    const char *name;
    void (*write)(const struct pose_record *record, struct text *out);
};

static const struct format formats[] = {
    {"text", pose_write_text},
    {"json", pose_write_json},
    {"csv", pose_write_csv},
    {"obj", pose_write_obj},
};

static const struct format *find_format(const char *name, struct error *err)
{
    const char *names[sizeof formats / sizeof formats[0]];
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        names[i] = formats[i].name;
        if (strcmp(name, formats[i].name) == 0)
            return &formats[i];
    }
    const char *near = name_nearest(name, names, sizeof formats / sizeof formats[0]);
    error_set(err, "--format: no `%s`%s%s%s; there are: text, json, csv, obj", name, near ? "; did you mean `" : "",
              near ? near : "", near ? "`?" : "");
    return NULL;
}

/* Where the results go: one file for all times, or one each when the name varies. */
struct sink {
    const struct format *format;
    const char *output;
    struct text text;
};

static void add_pose(struct sink *sink, const struct pose_record *record)
{
    if (sink->format->write == pose_write_csv && sink->text.size == 0)
        pose_write_csv_header(&sink->text);
    sink->format->write(record, &sink->text);
}

static bool flush(struct sink *sink, const struct template_values *values, struct error *err)
{
    struct text path = {0};
    bool good = template_expand(sink->output, values, &path, err);
    good = good && (strcmp(text_string(&path), "-") == 0 || file_make_parent(text_string(&path), err));
    good = good && file_write(text_string(&path), sink->text.data, sink->text.size, err);
    text_release(&path);
    text_release(&sink->text);
    return good;
}

/* What is to be dumped. */
struct plan {
    size_t count;
    double *times;
    long *frames;
    struct template_values *values; /* [count] */
};

static void release_plan(struct plan *plan)
{
    free(plan->times);
    free(plan->frames);
    free(plan->values);
}

static bool make_plan(struct plan *plan, const struct pipeline *pipeline, const char *model, struct error *err)
{
    *plan = (struct plan){0};
    plan->times = pipeline_times(pipeline, &plan->count, &plan->frames, err);
    plan->values = plan->times ? calloc(plan->count, sizeof *plan->values) : NULL;
    for (size_t i = 0; plan->values && i < plan->count; i++)
        plan->values[i] = (struct template_values){model, pipeline->plays, plan->frames[i], plan->times[i]};
    return plan->values != NULL || error_set(err, "out of memory for %zu times", plan->count);
}

static bool dump_all(struct pipeline *pipeline, const struct plan *plan, struct sink *sink, struct error *err)
{
    bool separate = template_varies(sink->output);
    bool good = true;
    if (plan->count > 1 && !separate && sink->format->write == pose_write_obj)
        return error_set(err, "dump: %zu OBJ files need names that differ: put {frame} or {time} into -o", plan->count);
    if (!template_names_differ(sink->output, plan->values, separate ? plan->count : 1, err))
        return false;
    for (size_t i = 0; good && i < plan->count; i++) {
        good = pipeline_pose(pipeline, plan->times[i], err);
        if (!good)
            break;
        pipeline_skin(pipeline);
        struct pose_record record = pipeline_record(pipeline);
        add_pose(sink, &record);
        if (separate || i + 1 == plan->count)
            good = flush(sink, &plan->values[i], err);
    }
    text_release(&sink->text);
    return good;
}

enum exit_code cmd_dump(int argc, char **argv, struct error *err)
{
    const char *format_name = "text";
    bool json = false;
    struct sink sink = {.output = "-"};
    struct settings settings;
    const struct option options[] = {
        {"format", 'f', OPTION_TEXT, &format_name, "text|json|csv|obj", "text: tables for people (default); json: rigproof.pose/1;\n"
         "                                    csv: a row per node and palette entry; obj: the posed mesh"},
        {"json", '\0', OPTION_FLAG, &json, NULL, "the same as --format json"},
        {"output", 'o', OPTION_TEXT, &sink.output, "FILE", "write there instead of stdout; {frame} or {time} make one file per time"},
    };
    struct command_line line = {
        .command = "dump", .operands = "MODEL --time T",
        .about = "Prints local pose, global pose and palette of a model at a time, or writes the mesh posed on the CPU.\n"
                 "Several times in one file: text and JSON documents follow one another, CSV has one header.",
        .options = options, .option_count = sizeof options / sizeof options[0],
        .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_TIME, .settings = &settings,
        .operand_least = 1, .operand_most = 1,
    };
    settings_init(&settings);
    enum parse_result parsed = options_parse(&line, argc, argv, err);
    sink.format = parsed == PARSE_GO ? find_format(json ? "json" : format_name, err) : NULL;
    struct pipeline pipeline;
    if (sink.format && pipeline_open(&pipeline, line.operand[0], &settings, err)) {
        struct plan plan;
        if (make_plan(&plan, &pipeline, line.operand[0], err))
            dump_all(&pipeline, &plan, &sink, err);
        release_plan(&plan);
        pipeline_close(&pipeline);
    }
    settings_release(&settings);
    return EXIT_CODE_GOOD;
}
