/* conform: programs held against the poses that the glTF specification demands. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/file_writer.h"
#include "base/file/folder.h"
#include "cli/command.h"
#include "conform/conform.h"

enum { EXIT_OF_SIGNAL = 128 };

static struct option_list rules;
static double random_count, seed, timeout_answer = 5, jobs_most, memory = 4096, timeout_rig = 120;
static int size = RIG_MEDIUM;
static const char *expect, *write_expect, *folder = "out/conform", *repair;
static bool json;

static const struct setting conform_options[] = {
    {"output", "DIR", "rigs, reports of each program, conform.json and conform.html (default out/conform)", 0,
     &value_text, VALUE_OF(folder), .letter = 'o'},
    {"rule", "GLOB", "rules whose names match (repeatable, or with commas); `none`: random rigs alone, of plain clips",
     0, &value_texts, VALUE_OF(rules)},
    {"random", "N", "random rigs besides (default 0)", 0, &value_number, VALUE_OF(random_count), .most = 1000000},
    {"seed", "N", "of the random rigs (default 0)", 0, &value_number, VALUE_OF(seed), .most = 9007199254740991.0},
    {"size", "small|medium|large", "of the random rigs (default medium)", 0, &value_word, VALUE_OF(size),
     VALUE_WORDS(rig_size_words)},
    {"expect", "FILE",
     "what is known to fail, a rig's name or glob a line: only what is new fails, or passes in spite of it", 0,
     &value_text, VALUE_OF(expect)},
    {"write-expect", "FILE", "write such a file of all that fails now", 0, &value_text, VALUE_OF(write_expect)},
    {"repair", "all|none|NAME,...", "of the program `rigproof`: its repairs", 0, &value_text, VALUE_OF(repair)},
    {"json", NULL, "rigproof.conform/1 on stdout", 0, &value_flag, VALUE_OF(json)},
    {"jobs", "N", "worker processes, each with a process of the program (default the cores)", 0, &value_number,
     VALUE_OF(jobs_most), .letter = 'j', .least = 1, .most = 100000},
    {"answer-timeout", "S", "seconds an answer may take (default 5)", 0, &value_number, VALUE_OF(timeout_answer),
     .least = 0.001, .most = 86400},
    {"timeout", "S", "seconds a rig may take (default 120; 0: no limit)", 0, &value_number, VALUE_OF(timeout_rig),
     .most = 1e6},
    {"memory", "MIB", "memory a worker process may take (default 4096; 0: no limit)", 0, &value_number,
     VALUE_OF(memory), .most = 1e6},
    COMMAND_QUIET_OPTION,
};

static bool write_all_forms(const struct scorecard *card, struct error *err)
{
    SCOPED(text) data = {0}, page = {0}, words = {0}, known = {0};
    scorecard_json(card, &data);
    scorecard_html(card, &page);
    scorecard_text(card, log_is_quiet, &words);
    scorecard_expect(card, &known);
    if (!file_write_below(folder, "conform.json", data.data, data.size, err) ||
        !file_write_below(folder, "conform.html", page.data, page.size, err))
        return false;
    fputs(text_string(json ? &data : &words), stdout);
    if (!json && !log_is_quiet)
        printf("scorecard  %s/conform.html\n", folder);
    return !write_expect ||
           (file_make_parent(write_expect, err) && file_write(write_expect, known.data, known.size, err));
}

static bool find_self(char *out, size_t room, struct error *err)
{
    const ssize_t length = readlink("/proc/self/exe", out, room - 1);
    if (length <= 0)
        return error_set(err, "conform: the path of this program cannot be found: name it `PATH subject`");
    out[length] = '\0';
    return true;
}

static enum exit_code run_conform(const struct operands *operands, struct error *err)
{
    char self[4096] = "";
    int interrupted = 0;
    struct scorecard card = {0};
    const struct generate_options rigs = {.rules = rules.items, .rule_count = rules.count, .seed = (uint64_t)seed,
                                          .size = (enum rig_size)size};
    const struct conform_options options = {
        .programs = operands->items, .program_count = operands->count, .self = self, .repair = repair, .rules = &rigs,
        .random_count = (uint32_t)random_count, .expect = expect, .timeout = timeout_answer,
        .run = {.options = {.output = folder, .rigproof = RIGPROOF_VERSION, .viewer_bytes = VIEWER_BYTES},
                .jobs = jobs_most > 0 ? (unsigned)jobs_most : run_cores(), .timeout = timeout_rig,
                .memory_mib = memory, .progress = "conform"},
    };
    enum exit_code code = EXIT_CODE_USAGE;
    if (generate_check(&rigs, err) && find_self(self, sizeof self, err) && folder_make(folder, err) &&
        conform_run(&options, &interrupted, &card, err) && write_all_forms(&card, err))
        code = card.is_good ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
    if (card.arena)
        conform_release(&card);
    if (interrupted)
        log_note("the run was interrupted");
    return code;
}

const struct command command_conform = {
    .name = "conform", .operands = "PROGRAM...",
    .summary = "hold programs against rigs whose poses glTF demands: a scorecard",
    .about = "Asks each program, a command that speaks the protocol of subjects, for every rig of `rigproof generate` "
             "at every\ntime, and compares what it answers with the truth: a line a rule, with the cause where one "
             "explains what differs.\n`rigproof` is this program itself. Writes conform.json, conform.html, and of "
             "each program results.json, report.html\nand junit.xml. Exit code 0: all right, or only what --expect "
             "knows; 1: something new; 2: usage.",
    COMMAND_OPTIONS(conform_options), .operand_least = 1, .operand_most = SIZE_MAX, .run = run_conform,
};
