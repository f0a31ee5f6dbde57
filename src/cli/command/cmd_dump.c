#include <stdlib.h>

#include "cli/command.h"
#include "cli/output/dump_file.h"
#include "cli/output/template.h"
#include "suite/pipeline.h"
#include "suite/velocities.h"

/* A dump under way: what, of which model, where to. */
struct dump {
    int format; /* -1: not said */
    struct dump_choice choice;
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

static struct template_values values_of(const void *context, size_t i)
{
    const struct dump *dump = context;
    return (struct template_values){dump->model, dump->pipeline.plays, dump->frames[i], dump->times[i]};
}

/* Names must be well formed and differ, before anything is written. */
static bool prepare(struct dump *dump, struct error *err)
{
    dump->times = pipeline_times(&dump->pipeline, &dump->count, &dump->frames, err);
    if (!dump->times)
        return false;
    dump->separate = template_varies(dump->output);
    if (dump->count > 1 && !dump->separate && dump_formats[dump->format].one_pose)
        return error_set(err, "dump: %zu OBJ files need names that differ: put {frame} or {time} into -o", dump->count);
    if (!template_names_differ(dump->output, values_of, dump, dump->separate ? dump->count : 1, err) ||
        !dump_part_nodes(&dump->choice.bones, dump->pipeline.scene, &dump->nodes, err))
        return false;
    dump->part.nodes = dump->nodes;
    if (!dump->choice.velocities)
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
    if (dump_formats[dump->format].stages == 0 || (dump->part.stages & POSE_SKIN))
        pipeline_skin(&dump->pipeline);
    struct pose_record record = pipeline_record(&dump->pipeline);
    record.part = dump_formats[dump->format].stages ? &dump->part : NULL;
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

static struct dump dump = {.format = -1, .output = "-"};
static bool json;
static struct settings settings;

static const struct setting options[] = {
    {"format", "text|json|jsonl|csv|obj", "text: tables for people; json: rigproof.pose/1; jsonl: the same,\n"
     "a time a line; csv: a row per time and node or palette entry;\n"
     "obj: the posed mesh (default as -o ends, else text)", 0,
     &value_word, VALUE_OF(dump.format), VALUE_WORDS(dump_format_names), .letter = 'f'},
    {"json", NULL, "the same as --format json", 0, &value_flag, VALUE_OF(json)},
    {"stage", "STAGE[,STAGE...]", "local, global, palette, skin (default what the format has; repeatable)", 0,
     &value_bits, VALUE_OF(dump.choice.stages), VALUE_WORDS(dump_stage_names), .kind = VALUE_BITS_ADD},
    {"bone", "GLOB", "nodes of that name, and their palette entries, only (repeatable)", 0,
     &value_texts, VALUE_OF(dump.choice.bones)},
    {"velocities", NULL, "of nodes, in units and degrees a second, between the sampled times", 0,
     &value_flag, VALUE_OF(dump.choice.velocities)},
    {"vertices", NULL, "positions and normals with the stage skin", 0, &value_flag, VALUE_OF(dump.choice.vertices)},
    {"output", "FILE", "write there instead of stdout; {frame} or {time} make one file per time", 0,
     &value_text, VALUE_OF(dump.output), .letter = 'o'},
    COMMAND_LIMIT_OPTIONS,
};

static enum exit_code run_dump(const struct option_list *operands, struct error *err)
{
    if (!settings_check_times(&settings, false, err))
        return EXIT_CODE_USAGE;
    if (json)
        dump.format = DUMP_JSON;
    else if (dump.format < 0)
        dump.format = dump_format_of_file(dump.output);
    dump.model = operands->items[0];
    if (!dump_part_choose(&dump.choice, dump.format, &dump.part, err) ||
        !pipeline_open(&dump.pipeline, dump.model, &settings, err))
        return EXIT_CODE_USAGE;
    bool good = prepare(&dump, err) && (dump.separate || write_file(&dump, 0, dump.count - 1, err));
    for (size_t i = 0; good && dump.separate && i < dump.count; i++)
        good = write_file(&dump, i, i, err);
    if (good)
        pipeline_note_pose(&dump.pipeline);
    free(dump.nodes);
    free(dump.times);
    free(dump.frames);
    pipeline_close(&dump.pipeline);
    return EXIT_CODE_GOOD;
}

const struct command command_dump = {
    .name = "dump", .operands = "MODEL --time T",
    .summary = "palette and pose at a timestamp or many: text, json, jsonl, csv or obj",
    .about = "Prints local pose, global pose, palette and skin of a model at one time or many, or writes the mesh posed on\n"
             "the CPU. Many times in one file: text and JSON lines follow one another, CSV has one header, JSON is a list.",
    COMMAND_OPTIONS(options),
    .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_TIME, .settings = &settings,
    .is_limited = true, .operand_least = 1, .operand_most = 1,
    .run = run_dump,
};
