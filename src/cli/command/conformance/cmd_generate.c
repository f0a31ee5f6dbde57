/* generate: models that show one rule of glTF each, or mix many at random, with their poses. */
#include <stdio.h>

#include "base/screen.h"
#include "cli/command.h"
#include "generate/generate.h"

static struct option_list rules;
static double seed = -1, count = 100;
static int size = RIG_MEDIUM;
static bool is_binary, lists;
static const char *folder;

static const struct setting generate_options[] = {
    {"output", "DIR", "folder of the models, their poses and a suite.yaml", 0, &value_text, VALUE_OF(folder),
     .letter = 'o'},
    {"rule", "GLOB",
     "rules whose names match (repeatable, or with commas); of random rigs the groups that they mix, or `none`", 0,
     &value_texts, VALUE_OF(rules)},
    {"seed", "N", "random rigs of that seed in place of the rules' own", 0, &value_number, VALUE_OF(seed),
     .most = 9007199254740991.0},
    {"count", "N", "how many random rigs (default 100)", 0, &value_number, VALUE_OF(count), .least = 1,
     .most = 1000000},
    {"size", "small|medium|large", "of random rigs: 2 to 6, 8 to 30 or 40 to 120 joints (default medium)", 0,
     &value_word, VALUE_OF(size), VALUE_WORDS(rig_size_words)},
    {"glb", NULL, "write GLB in place of glTF with embedded buffers", 0, &value_flag, VALUE_OF(is_binary)},
    {"list", NULL, "list the rules with their sentences and places in the specification, and write nothing", 0,
     &value_flag, VALUE_OF(lists)},
    COMMAND_LIMIT_OPTIONS,
    COMMAND_QUIET_OPTION,
};

static void list_rules(const struct generate_options *options)
{
    struct text text = {0};
    for (uint32_t i = 0; i < rule_count(); i++)
        if (generate_chooses(options, rule_at(i)))
            text_addf(&text, "%-32s  %s (%s)\n", rule_at(i)->name, rule_at(i)->sentence, rule_at(i)->place);
    terminal_print(text_string(&text), stdout);
    text_release(&text);
}

static enum exit_code run_generate(const struct operands *operands, struct error *err)
{
    (void)operands;
    const struct generate_options options = {
        .rules = rules.items, .rule_count = rules.count, .has_rules = seed < 0, .seed = seed >= 0 ? (uint64_t)seed : 0,
        .count = seed >= 0 ? (uint32_t)count : 0, .size = (enum rig_size)size, .is_binary = is_binary, .folder = folder,
    };
    if (!generate_check(&options, err))
        return EXIT_CODE_USAGE;
    if (lists)
        return list_rules(&options), EXIT_CODE_GOOD;
    if (!folder)
        return error_set(err, "generate: -o DIR is missing"), EXIT_CODE_USAGE;
    const uint32_t written = generate_write(&options, err);
    if (written > 0 && !log_is_quiet)
        printf("%u rig%s in %s: rigproof check --subject PROGRAM %s/suite.yaml\n", written, written == 1 ? "" : "s",
               folder, folder);
    return written > 0 ? EXIT_CODE_GOOD : EXIT_CODE_USAGE;
}

const struct command command_generate = {
    .name = "generate", .operands = "-o DIR",
    .summary = "models that show one rule of glTF each, or random, with true poses",
    .about = "Writes glTF files that show one rule of the specification each, with the poses that it demands, computed "
             "from\ntheir description alone: NAME.gltf, NAME.truth.json and a suite.yaml that checks them. With --seed "
             "random ones:\nthe same seed gives the same bytes everywhere.",
    COMMAND_OPTIONS(generate_options), .is_limited = true, .run = run_generate,
};
