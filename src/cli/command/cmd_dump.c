#include <stdlib.h>

#include "cli/command.h"
#include "cli/command_limits.h"
#include "cli/options.h"
#include "cli/output/dump_format.h"
#include "cli/output/dump_part.h"
#include "cli/output/template.h"
#include "suite/pipeline.h"
#include "suite/velocities.h"

/* A dump under way: what, of which model, where to. */
struct dump {
    const struct dump_format *format;
    const struct dump_choice *choice;
    const char *model;
    const char *output; /* template: one file for all times, or one each when the name varies */
    bool separate;
    struct pipeline pipeline;
    struct pose_part part;
    bool *nodes;
    double *times;
    long *frames;
    size_t count;
    struct velocities *velocities; /* NULL when not wanted */
};

static struct template_values values_of(const struct dump *dump, size_t i)
{
    return (struct template_values){dump->model, dump->pipeline.plays, dump->frames[i],
                                    dump->times[i]};
}

/* Names must be well formed and differ, before anything is written. */
static bool check_names(const struct dump *dump, struct error *err)
{
    size_t names = dump->separate ? dump->count : 1;
    if (dump->count > 1 && !dump->separate && dump->format->one_pose)
        return error_set(err, "dump: %zu OBJ files need names that differ: put {frame} or {time} into -o", dump->count);
    struct template_values *values = calloc(names, sizeof *values);
    if (!values)
        return error_set(err, "out of memory for %zu times", names);
    for (size_t i = 0; i < names; i++)
        values[i] = values_of(dump, i);
    bool good = template_names_differ(dump->output, values, names, err);
    free(values);
    return good;
}

static bool clip_mix(struct dump *dump, struct error *err)
{
    dump->times = pipeline_times(&dump->pipeline, &dump->count, &dump->frames, err);
    dump->separate = template_varies(dump->output);
    if (!dump->times || !check_names(dump, err) ||
        !dump_part_nodes(&dump->choice->bones, dump->pipeline.scene, &dump->nodes, err))
        return false;
    dump->part.nodes = dump->nodes;
    if (!dump->choice->velocities)
        return true;
    dump->velocities = velocities_create(&dump->pipeline, dump->times, dump->count, err);
    if (!dump->velocities)
        return false;
    dump->part.local = dump->velocities->local;
    dump->part.global = dump->velocities->global;
    return true;
}

static bool add_pose(struct dump *dump, size_t i, struct dump_file *file, struct error *err)
{
    bool good = dump->velocities ? velocities_step(dump->velocities, i, err)
                                 : pipeline_pose(&dump->pipeline, dump->times[i], err);
    if (!good)
        return false;
    if (dump->format->stages == 0 || (dump->part.stages & POSE_SKIN))
        pipeline_skin(&dump->pipeline);
    struct pose_record record = pipeline_record(&dump->pipeline);
    record.part = dump->format->stages ? &dump->part : NULL;
    return dump_file_add(file, &record, err);
}

/* Times first..last into one file. */
static bool write_file(struct dump *dump, size_t first, size_t last, struct error *err)
{
    struct dump_file file = {.format = dump->format, .part = &dump->part, .several = last > first};
    struct template_values values = values_of(dump, first);
    struct text path = {0};
    bool open = template_expand(dump->output, &values, &path, err) &&
                template_check_no_link(dump->output, text_string(&path), err) && dump_file_open(&file, text_string(&path), err);
    bool good = open;
    for (size_t i = first; good && i <= last; i++)
        good = add_pose(dump, i, &file, err);
    if (open)
        good = dump_file_close(&file, good, err);
    text_release(&file.text);
    text_release(&path);
    return good;
}

static bool write_files(struct dump *dump, struct error *err)
{
    bool good = true;
    if (!dump->separate)
        return write_file(dump, 0, dump->count - 1, err);
    for (size_t i = 0; good && i < dump->count; i++)
        good = write_file(dump, i, i, err);
    return good;
}

static void run(struct dump *dump, const struct settings *settings, struct error *err)
{
    if (!dump_part_parse(dump->choice, dump->format, &dump->part, err) ||
        !pipeline_open(&dump->pipeline, dump->model, settings, err))
        return;
    if (clip_mix(dump, err) && write_files(dump, err))
        pipeline_note_pose(&dump->pipeline);
    free(dump->nodes);
    free(dump->times);
    free(dump->frames);
    pipeline_close(&dump->pipeline);
}

static const char *format_name;
static bool json;
static struct dump_choice choice;
static struct dump dump = {.choice = &choice, .output = "-"};
static struct settings settings;

static const struct option options[] = {
    {"format", 'f', OPTION_TEXT, &format_name, "text|json|jsonl|csv|obj",
     "text: tables for people; json: rigproof.pose/1; jsonl: the same,\n"
     "a time a line; csv: a row per time and node or palette entry;\n"
     "obj: the posed mesh (default as -o ends, else text)"},
    {"json", '\0', OPTION_FLAG, &json, NULL, "the same as --format json"},
    {"stage", '\0', OPTION_LIST, &choice.stages, "STAGE[,STAGE...]", "local, global, palette, skin (default what the format has; repeatable)"},
    {"bone", '\0', OPTION_LIST, &choice.bones, "GLOB", "nodes of that name, and their palette entries, only (repeatable)"},
    {"velocities", '\0', OPTION_FLAG, &choice.velocities, NULL, "of nodes, in units and degrees a second, between the sampled times"},
    {"vertices", '\0', OPTION_FLAG, &choice.vertices, NULL, "positions and normals with the stage skin"},
    {"output", 'o', OPTION_TEXT, &dump.output, "FILE", "write there instead of stdout; {frame} or {time} make one file per time"},
    COMMAND_LIMIT_OPTIONS,
};

static enum exit_code run_dump(int argc, char **argv, struct error *err)
{
    struct option_list operands = {0};
    settings_init(&settings);
    enum parse_result parsed = options_parse(&command_dump, argc, argv, &operands, err);
    bool good = parsed == PARSE_GO && command_limit("dump", err) && settings_check_times(&settings, false, err);
    if (!format_name)
        format_name = dump_format_of_file(dump.output);
    dump.format = good ? dump_format_find(json ? "json" : format_name, err) : NULL;
    dump.model = operands.items[0];
    if (dump.format)
        run(&dump, &settings, err);
    settings_release(&settings);
    return EXIT_CODE_GOOD;
}

const struct command command_dump = {
    .name = "dump", .operands = "MODEL --time T",
    .summary = "palette and pose at a timestamp or many: text, json, jsonl, csv or obj",
    .about = "Prints local pose, global pose, palette and skin of a model at one time or many, or writes the mesh posed on\n"
             "the CPU. Many times in one file: text and JSON lines follow one another, CSV has one header, JSON is a list.",
    .options = options, .option_count = sizeof options / sizeof options[0],
    .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_TIME, .settings = &settings,
    .operand_least = 1, .operand_most = 1,
    .run = run_dump,
};
