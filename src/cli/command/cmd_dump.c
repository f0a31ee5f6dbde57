#include <stdlib.h>

#include "base/file/file_writer.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/output/template.h"
#include "pipeline/pipeline.h"
#include "pipeline/velocities.h"

enum { PIECE = 1 << 18 }; /* bytes that are written at once */

enum { DUMP_TEXT, DUMP_JSON, DUMP_JSONL, DUMP_CSV, DUMP_OBJ, DUMP_FORMATS };
static const char *const format_names[DUMP_FORMATS] = {"text", "json", "jsonl", "csv", "obj"};
static const struct dump_format {
    unsigned stages;   /* enum pose_stage: what it shows by default; 0: it has no parts */
    bool has_vertices; /* knows --vertices */
    bool one_pose;     /* a file holds one pose */
    void (*write)(const struct pose_record *record, struct text *out);
} formats[DUMP_FORMATS] = {
    [DUMP_TEXT] = {POSE_LOCAL | POSE_PALETTE, false, false, pose_write_text},
    [DUMP_JSON] = {POSE_STAGES, true, false, pose_write_json},
    [DUMP_JSONL] = {POSE_STAGES, true, false, pose_write_json_line},
    [DUMP_CSV] = {POSE_LOCAL | POSE_GLOBAL | POSE_PALETTE, true, false, pose_write_csv},
    [DUMP_OBJ] = {0, false, true, pose_write_obj},
};
static const char *const stage_names[] = {"local", "global", "palette", "skin"}; /* bit i of enum pose_stage */

/* The values of the command line. */
static struct {
    int format;               /* -1: not said */
    unsigned stages;          /* enum pose_stage; 0: not said */
    struct option_list bones; /* globs */
    bool velocities, vertices, json;
    const char *output; /* template: one file for all times, or one each when the name varies */
} wanted = {.format = -1, .output = "-"};
static struct settings settings;

/* A dump under way. */
struct dump {
    const char *model;
    const struct dump_format *format;
    struct pipeline pipeline;
    struct pose_part part;
    bool *nodes; /* [node_count], those that a glob matches; NULL without globs */
    double *times;
    size_t count;
    struct velocities *velocities; /* NULL when not wanted */
};

/* Chooses what goes together in that format, before the model is read. */
static bool choose_part(struct dump *dump, struct error *err)
{
    const bool is_csv = wanted.format == DUMP_CSV, has_bones = wanted.bones.count > 0;
    const char *name = format_names[wanted.format];
    unsigned stages = wanted.stages;
    dump->format = &formats[wanted.format];
    if ((stages || has_bones || wanted.velocities || wanted.vertices) && dump->format->stages == 0)
        return error_set(err,
                         "--format %s: it is the whole mesh; --stage, --bone, --velocities and --vertices are for the "
                         "other formats",
                         name);
    if (wanted.vertices && !dump->format->has_vertices)
        return error_set(err, "--vertices: --format csv, json and jsonl can hold them, %s does not", name);
    if (stages == 0) {
        stages = dump->format->stages;
        if (has_bones)
            stages &= ~(unsigned)POSE_SKIN; /* who asks for a bone does not ask for meshes */
        else if (wanted.vertices)
            stages = is_csv ? POSE_SKIN : stages | POSE_SKIN;
    }
    dump->part = (struct pose_part){.stages = stages, .vertices = wanted.vertices};
    if (is_csv && (stages & POSE_SKIN) && stages != POSE_SKIN)
        return error_set(err,
                         "--stage skin: as CSV it has other columns than the rest; dump it into a file of its own");
    if (wanted.vertices && !(stages & POSE_SKIN))
        return error_set(err, "--vertices are those of the stage skin: add --stage skin");
    if (wanted.velocities && !(stages & POSE_NODES))
        return error_set(err, "--velocities are those of nodes: add --stage local or --stage global");
    if (has_bones && stages == POSE_SKIN)
        return error_set(err, "--bone: the stage skin is of whole meshes");
    return true;
}

static bool choose_nodes(struct dump *dump, struct error *err)
{
    if (wanted.bones.count)
        dump->part.nodes = dump->nodes =
            scene_match_nodes(dump->pipeline.scene, wanted.bones.items, wanted.bones.count, err);
    return !wanted.bones.count || dump->nodes;
}

static struct template_values values_of(const void *context, size_t i)
{
    const struct dump *dump = context;
    return (struct template_values){dump->model, dump->pipeline.plays, pipeline_frame_number(&dump->pipeline, i),
                                    dump->times[i]};
}

/* Names must be well formed and differ, before anything is written. */
static bool prepare(struct dump *dump, struct error *err)
{
    const bool separate = template_varies(wanted.output);
    dump->times = pipeline_times(&dump->pipeline, &dump->count, err);
    if (!dump->times)
        return false;
    if (dump->count > 1 && !separate && dump->format->one_pose)
        return error_set(err, "dump: %zu OBJ files need names that differ: put {frame} or {time} into -o", dump->count);
    if (!template_names_differ(wanted.output, values_of, dump, separate ? dump->count : 1, err) ||
        !choose_nodes(dump, err))
        return false;
    if (!wanted.velocities)
        return true;
    dump->velocities = velocities_create(&dump->pipeline, dump->times, dump->count, err);
    if (!dump->velocities)
        return false;
    dump->part.local = dump->velocities->local;
    dump->part.global = dump->velocities->global;
    return true;
}

/*
 * Times first..last into one file. Text and JSON lines follow one another, CSV gets one header, JSON of several becomes
 * a list. Memory does not grow with their number.
 */
static bool write_file(struct dump *dump, size_t first, size_t last, struct error *err)
{
    const bool is_list = wanted.format == DUMP_JSON && last > first;
    const struct template_values values = values_of(dump, first);
    struct file_writer writer;
    SCOPED(text) path = {0}, text = {0};
    const bool is_open = template_open(wanted.output, TEMPLATE_NAME, &values, &path, err) &&
                         file_writer_open(&writer, text_string(&path), err);
    bool good = is_open;
    if (wanted.format == DUMP_CSV)
        pose_write_csv_header(&dump->part, &text);
    text_add(&text, is_list ? "[\n" : "");
    for (size_t i = first; good && i <= last; i++) {
        text_add(&text, is_list && i > first ? ",\n" : "");
        good = dump->velocities ? velocities_step(dump->velocities, i, err)
                                : pipeline_pose(&dump->pipeline, dump->times[i], err);
        if (!good)
            break;
        if (dump->format->stages == 0 || (dump->part.stages & POSE_SKIN))
            pipeline_skin(&dump->pipeline);
        struct pose_record record = pipeline_record(&dump->pipeline);
        record.part = dump->format->stages ? &dump->part : NULL;
        dump->format->write(&record, &text);
        if (is_list)
            text.size--; /* the line break after the document */
        if (text.size >= PIECE) {
            good = file_writer_add(&writer, text.data, text.size, err);
            text.size = 0;
        }
    }
    text_add(&text, is_list ? "\n]\n" : "");
    good = good && file_writer_add(&writer, text.data, text.size, err);
    if (is_open)
        good = file_writer_close(&writer, good, err);
    return good;
}

static const struct setting options[] = {
    {"format", "text|json|jsonl|csv|obj", "text: tables for people; json: rigproof.pose/1; jsonl: the same,\n"
     "a time a line; csv: a row per time and node or palette entry;\n"
     "obj: the posed mesh (default as -o ends, else text)", 0,
     &value_word, VALUE_OF(wanted.format), VALUE_WORDS(format_names), .letter = 'f'},
    {"json", NULL, "the same as --format json", 0, &value_flag, VALUE_OF(wanted.json)},
    {"stage", "STAGE[,STAGE...]", "local, global, palette, skin (default what the format has; repeatable)", 0,
     &value_bits, VALUE_OF(wanted.stages), VALUE_WORDS(stage_names), .kind = VALUE_BITS_ADD},
    {"bone", "GLOB", "nodes of that name, and their palette entries, only (repeatable)", 0,
     &value_texts, VALUE_OF(wanted.bones)},
    {"velocities", NULL, "of nodes, in units and degrees a second, between the sampled times", 0,
     &value_flag, VALUE_OF(wanted.velocities)},
    {"vertices", NULL, "positions and normals with the stage skin", 0, &value_flag, VALUE_OF(wanted.vertices)},
    {"output", "FILE", "write there instead of stdout; {frame} or {time} make one file per time", 0,
     &value_text, VALUE_OF(wanted.output), .letter = 'o'},
    COMMAND_QUIET_OPTION,
    COMMAND_LIMIT_OPTIONS,
};

static enum exit_code run_dump(const struct operands *operands, struct error *err)
{
    struct dump dump = {.model = operands->items[0]};
    if (!settings_check_times(&settings, false, err))
        return EXIT_CODE_USAGE;
    if (wanted.json)
        wanted.format = DUMP_JSON;
    else if (wanted.format < 0) /* "walk.csv" is csv */
        wanted.format = template_format(wanted.output, format_names, DUMP_FORMATS, DUMP_TEXT);
    if (!choose_part(&dump, err) || !pipeline_open(&dump.pipeline, dump.model, &settings, err))
        return EXIT_CODE_USAGE;
    bool good = prepare(&dump, err);
    const size_t step = template_varies(wanted.output) ? 1 : dump.count;
    for (size_t i = 0; good && i < dump.count; i += step)
        good = write_file(&dump, i, i + step - 1, err);
    if (good) {
        pipeline_note_pose(&dump.pipeline);
        pipeline_note_times(&dump.pipeline, dump.times, dump.count);
    }
    free(dump.nodes);
    free(dump.times);
    pipeline_close(&dump.pipeline);
    return EXIT_CODE_GOOD;
}

const struct command command_dump = {
    .name = "dump", .operands = "MODEL --time T",
    .summary = "palette and pose at a time or many: text, json, csv or obj",
    .about = "Prints local pose, global pose, palette and skin of a model at one time or many, or writes the mesh "
             "posed on\nthe CPU. Many times in one file: text and JSON lines follow one another, CSV has one header, "
             "JSON is a list.",
    COMMAND_OPTIONS(options), .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_TIME, .settings = &settings,
    .is_limited = true, .operand_least = 1, .operand_most = 1, .run = run_dump,
};
