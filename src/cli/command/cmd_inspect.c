#include <string.h>

#include "base/file/file.h"
#include "cli/command.h"
#include "cli/command_limits.h"
#include "cli/options.h"
#include "data/record/bones.h"
#include "data/record/record.h"
#include "suite/pipeline.h"

static bool json, bones;
static const char *output = "-";
static struct settings settings;

static const struct option options[] = {
    {"bones", '\0', OPTION_FLAG, &bones, NULL, "the bones as a tree, with what they hold of each mesh"},
    {"json", '\0', OPTION_FLAG, &json, NULL, "the same as JSON (rigproof.import/1; with --bones rigproof.bones/1)"},
    {"output", 'o', OPTION_TEXT, &output, "FILE", "write there instead of stdout"},
    COMMAND_LIMIT_OPTIONS,
};

static enum exit_code run_inspect(int argc, char **argv, struct error *err)
{
    struct option_list operands = {0};
    settings_init(&settings);
    enum parse_result parsed = options_parse(&command_inspect, argc, argv, &operands, err);
    struct scene *scene = parsed == PARSE_GO && command_limit("inspect", err) ? import_with_clips(operands.items[0], &settings, false, err) : NULL;
    if (scene) {
        struct text text = {0};
        if (bones)
            (json ? bones_write_json : bones_write_text)(scene, &text);
        else
            (json ? scene_write_json : scene_write_text)(scene, &text);
        if (strcmp(output, "-") == 0 || file_make_parent(output, err))
            file_write(output, text.data, text.size, err);
        text_release(&text);
    }
    scene_free(scene);
    settings_release(&settings);
    return EXIT_CODE_GOOD;
}

const struct command command_inspect = {
    .name = "inspect", .operands = "MODEL",
    .summary = "what is in the file: nodes, bones, clips, influences, repairs, warnings",
    .about = "Prints what the importer made of a model file: nodes and bones as a tree, meshes with their influences,\n"
             "materials, clips with their channels and keys, and what had to be repaired or could not be.",
    .options = options, .option_count = sizeof options / sizeof options[0],
    .setting_groups = SETTING_IMPORT, .settings = &settings, .operand_least = 1, .operand_most = 1,
    .run = run_inspect,
};
