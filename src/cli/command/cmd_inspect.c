#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/log.h"
#include "base/screen.h"
#include "cli/command.h"
#include "data/record/bones.h"
#include "data/record/brief.h"
#include "data/record/record.h"
#include "pipeline/pipeline.h"
#include "survival/survival.h"

static bool json, bones, brief;
enum { NOT_ASKED = 1 << 30, ALL_ENGINES = 0 };
static unsigned engines = NOT_ASKED; /* of --for, bits: 1 << enum survival_engine */
static const char *output = "-";
static struct settings settings;
enum { NAMES_CLIPS, NAMES_BONES };
static const char *const name_kinds[] = {"clips", "bones"};
static int names = -1;

static const struct setting options[] = {
    {"brief", NULL, "a line a model: counts, most influences, repairs, warnings, clips with their seconds", 0,
     &value_flag, VALUE_OF(brief)},
    {"bones", NULL, "the bones as a tree, with what they hold of each mesh", 0, &value_flag, VALUE_OF(bones)},
    {"for", "ENGINE,...",
     "whether the model survives an engine written after a text or with what an API guarantees:\n"
     "learnopengl, ogldev, gltf-article, palette-article, thesis, gles3, webgl2, or all;\n"
     "exit code 1 where something breaks it or changes what is seen",
     0, &value_bits, VALUE_OF(engines), .words = survival_engine_names, .word_count = ENGINE_COUNT, .also = "all"},
    {"names", "clips|bones", "these names alone, a line each", 0, &value_word, VALUE_OF(names),
     VALUE_WORDS(name_kinds)},
    {"json", NULL,
     "the same as JSON (rigproof.import/1; with --bones rigproof.bones/1; with --brief\n"
     "a list of rigproof.brief/1; with --for rigproof.survival/1); of several models a list",
     0, &value_flag, VALUE_OF(json)},
    {"output", "FILE", "write there instead of stdout", 0, &value_text, VALUE_OF(output), .letter = 'o'},
    COMMAND_LIMIT_OPTIONS,
};

/* The engines' import is Assimp's alone: survival.h says with which repairs. */
static enum exit_code write_survival(const struct scene *scene, const char *path, struct text *out)
{
    struct settings plain = settings;
    struct error why = {0};
    SCOPED_ARENA arena = create_large_arena();
    plain.import.repairs &= REPAIR_TICK_RATE | REPAIR_GLTF_INTEGERS;
    struct scene *raw = import_with_clips(path, &plain, false, &why);
    const struct survival_input input = {
        scene, raw, why.text, engines == ALL_ENGINES ? (1u << ENGINE_COUNT) - 1 : engines};
    const struct survival *survival = survival_examine(&input, arena);
    const bool is_good = survival_is_good(survival);
    (json ? survival_write_json : survival_write_text)(survival, out);
    scene_free(raw);
    return is_good ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
}

/* For scripts and the completion of command lines. */
static void write_names(const struct scene *scene, struct text *out)
{
    const uint32_t count = names == NAMES_CLIPS ? scene->clip_count : scene->node_count;
    for (uint32_t i = 0; i < count; i++) {
        if (names == NAMES_BONES && !scene->nodes[i].is_bone)
            continue;
        text_add_name(out, names == NAMES_CLIPS ? scene->clips[i].name : scene->nodes[i].name);
        text_add(out, "\n");
    }
}

/* Writes a model among several: a document of a list, or a part of the text. Returns its exit code. */
static enum exit_code write_model(const struct scene *scene, const char *path, bool is_list, struct text *out)
{
    enum exit_code code = EXIT_CODE_GOOD;
    if (out->size > 0 && names < 0)
        text_add(out, json ? ",\n" : "\n");
    if (names >= 0)
        write_names(scene, out);
    else if (engines != NOT_ASKED)
        code = write_survival(scene, path, out);
    else if (bones)
        (json ? bones_write_json : bones_write_text)(scene, out);
    else
        (json ? scene_write_json : scene_write_text)(scene, out);
    if (json && is_list)
        out->size--; /* the line break after the document */
    return code;
}

static void write_briefs(const struct brief *briefs, size_t count, struct text *out)
{
    if (!json)
        briefs_write_text(briefs, count, out);
    for (size_t i = 0; json && i < count; i++) {
        text_add(out, i > 0 ? ",\n" : "");
        brief_write_json(&briefs[i], out);
        out->size--;
    }
}

/* Models one after the other; of several the readable ones are printed, and those that are not are an error each. */
static enum exit_code run_inspect(const struct operands *operands, struct error *err)
{
    const bool is_list = operands->count > 1 || brief;
    enum exit_code code = EXIT_CODE_GOOD;
    SCOPED(text) items = {0}, text = {0};
    SCOPED_ARENA arena = create_large_arena();
    struct brief *briefs = ARENA_NEW(arena, struct brief, operands->count);
    size_t count = 0;
    if (brief + bones + (engines != NOT_ASKED) + (names >= 0) > 1 || (names >= 0 && json))
        error_set(err, "--brief, --bones, --for and --names exclude each other, and --names is no JSON");
    for (size_t i = 0; i < operands->count && !error_is_set(err); i++) {
        struct error why = {0};
        struct scene *scene = import_with_clips(operands->items[i], &settings, false, &why);
        if (scene && brief)
            brief_gather(scene, operands->items[i], arena, &briefs[count++]);
        else if (scene)
            code = write_model(scene, operands->items[i], is_list, &items) ? EXIT_CODE_DIFFERS : code;
        else if (operands->count == 1)
            *err = why;
        else
            log_error("%s", why.text);
        code = scene ? code : EXIT_CODE_DIFFERS;
        scene_free(scene);
    }
    if (brief)
        write_briefs(briefs, count, &items);
    text_add(&text, json && is_list ? "[\n" : "");
    text_add_bytes(&text, text_string(&items), items.size);
    text_add(&text, !json || !is_list ? "" : items.size > 0 ? "\n]\n" : "]\n");
    if (!error_is_set(err) && !json && !brief && strcmp(output, "-") == 0 && terminal_size(stdout).columns > 0)
        terminal_print(text_string(&text), stdout);
    else if (!error_is_set(err) && file_make_parent(output, err))
        file_write(output, text.data, text.size, err);
    return code;
}

const struct command command_inspect = {
    .name = "inspect", .operands = "MODEL...", .summary = "what is in the file: nodes, bones, clips, repairs, warnings",
    .about = "Prints what the importer made of a model file: nodes and bones as a tree, meshes with their "
             "influences,\n"
             "materials, clips with their channels and keys, and what had to be repaired or could not be. Of several\n"
             "models those that can be read; the exit code is 1 where one cannot. With --for: what engines make of it.",
    COMMAND_OPTIONS(options), .is_limited = true, .setting_groups = SETTING_IMPORT, .settings = &settings,
    .operand_least = 1, .operand_most = SIZE_MAX, .run = run_inspect,
};
