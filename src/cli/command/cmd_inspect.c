#include "base/file/file.h"
#include "cli/command.h"
#include "data/record/bones.h"
#include "data/record/record.h"
#include "suite/pipeline.h"

static bool json, bones;
static const char *output = "-";
static struct settings settings;

static const struct setting options[] = {
    {"bones", NULL, "the bones as a tree, with what they hold of each mesh", 0, &value_flag, VALUE_OF(bones)},
    {"json", NULL, "the same as JSON (rigproof.import/1; with --bones rigproof.bones/1)", 0,
     &value_flag, VALUE_OF(json)},
    {"output", "FILE", "write there instead of stdout", 0, &value_text, VALUE_OF(output), .letter = 'o'},
    COMMAND_LIMIT_OPTIONS,
};

static enum exit_code run_inspect(const struct option_list *operands, struct error *err)
{
    struct scene *scene = import_with_clips(operands->items[0], &settings, false, err);
    struct text text = {0};
    if (!scene)
        return EXIT_CODE_USAGE;
    if (bones)
        (json ? bones_write_json : bones_write_text)(scene, &text);
    else
        (json ? scene_write_json : scene_write_text)(scene, &text);
    if (file_make_parent(output, err))
        file_write(output, text.data, text.size, err);
    text_release(&text);
    scene_free(scene);
    return EXIT_CODE_GOOD;
}

const struct command command_inspect = {
    .name = "inspect", .operands = "MODEL",
    .summary = "what is in the file: nodes, bones, clips, influences, repairs, warnings",
    .about = "Prints what the importer made of a model file: nodes and bones as a tree, meshes with their influences,\n"
             "materials, clips with their channels and keys, and what had to be repaired or could not be.",
    COMMAND_OPTIONS(options),
    .is_limited = true, .setting_groups = SETTING_IMPORT, .settings = &settings, .operand_least = 1, .operand_most = 1,
    .run = run_inspect,
};
