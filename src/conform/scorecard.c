/* The scorecard as text, JSON, a page, and a file of what is known. */
#include <math.h>
#include <string.h>

#include "base/embedded.h"
#include "base/format_number.h"
#include "base/json.h"
#include "conform/conform.h"
#include "report/escape.h"

EMBEDDED(scorecard_page);

static bool is_good(const struct case_result *result)
{
    return conform_status(result) == CONFORM_PASS;
}

static size_t count_right(const struct conform_program *program)
{
    return program->counts[CONFORM_PASS] + program->counts[CONFORM_UNEXPECTED];
}

/* The stage that differs first; NULL: it has not come to that. */
static const char *stage_of(const struct case_result *result)
{
    return result->stage >= 0 && result->stage < STAGE_COUNT ? stage_name(result->stage) : NULL;
}

/* "palette, 2.1 % of the model's radius: parent-order"; what is off first where nothing explains it, and the headline
 * where it ended before it could be compared. */
static void add_verdict(const struct case_result *result, struct text *out)
{
    const double size = case_displacement(result);
    const char *stage = case_status_broke(result->status) ? NULL : stage_of(result);
    if (stage)
        text_add(out, stage);
    if (stage && result->explanation_count > 0) {
        if (isfinite(size))
            text_addf(out, ", %s", format_displacement(size).text);
        text_add(out, ": ");
        case_add_causes(result, out);
        return;
    }
    const char *seen = stage ? result->stages[result->stage].summary : NULL;
    seen = seen ? seen : result->headline;
    text_add(out, stage ? ", no cause explains it: " : "");
    text_add_name(out, seen ? seen : "");
}

static size_t rig_count(const struct scorecard *card)
{
    return card->rule_count + card->random_count;
}

static void add_causes(const struct scorecard *card, const struct conform_program *program, struct text *out)
{
    size_t count;
    const struct conform_cause *causes = conform_causes(card, program, &count);
    for (size_t i = 0; i < count; i++)
        text_addf(out, "  %4zu  %-28s %s\n", causes[i].count, causes[i].id,
                  *causes[i].sentence ? causes[i].sentence : "nothing explains it");
}

void scorecard_text(const struct scorecard *card, bool is_quiet, struct text *out)
{
    for (size_t p = 0; p < card->program_count; p++) {
        const struct conform_program *program = &card->programs[p];
        if (!program->results)
            continue;
        text_addf(out, "%s", p > 0 ? "\n" : "");
        text_add_name(out, program->subject);
        text_add(out, "\n");
        for (size_t i = 0; i < program->results->case_count; i++) {
            const struct case_result *result = &program->results->cases[i];
            if (is_good(result) && (is_quiet || !rule_find(result->name)))
                continue;
            text_addf(out, "%-16s %s", conform_words[conform_status(result)], result->name);
            if (!conform_is_right(result)) {
                text_add(out, "  ");
                add_verdict(result, out);
            }
            text_add(out, "\n");
        }
        const size_t fails = program->counts[CONFORM_FAIL], known = program->counts[CONFORM_KNOWN];
        text_addf(out, "%zu of %zu right", count_right(program), rig_count(card));
        if (fails + known > 0)
            text_addf(out, ", %zu wrong%s", fails + known, known == 0 ? "" : fails == 0 ? ", all known" : ", of them ");
        if (known > 0 && fails > 0)
            text_addf(out, "%zu known", known);
        if (program->counts[CONFORM_SILENT] > 0)
            text_addf(out, ", %zu without an answer", program->counts[CONFORM_SILENT]);
        text_add(out, "\n");
        add_causes(card, program, out);
    }
}

static void json_result(struct json_writer *json, const struct case_result *result)
{
    const struct rule *rule = rule_find(result->name);
    const double size = case_displacement(result);
    json_open_object(json, NULL, JSON_INLINE);
    json_add_string(json, "rig", result->name);
    json_add_string(json, "rule", rule ? rule->sentence : NULL);
    json_add_string(json, "place", rule ? rule->place : NULL);
    json_add_string(json, "status", conform_words[conform_status(result)]);
    if (!is_good(result)) {
        json_add_string(json, "stage", stage_of(result));
        if (isfinite(size))
            json_add_double(json, "size", size);
        json_open_array(json, "causes", JSON_INLINE);
        for (uint32_t i = 0; result->explanation_count > 0 && i < result->explanations[0].cause_count; i++)
            json_add_string(json, NULL, result->explanations[0].causes[i].id);
        json_close(json);
        json_add_string(json, "headline", result->headline);
    }
    if (!conform_is_right(result)) {
        SCOPED(text) verdict = {0};
        add_verdict(result, &verdict);
        json_add_string(json, "verdict", text_string(&verdict));
    }
    json_close(json);
}

static void json_program(struct json_writer *json, const struct scorecard *card, const struct conform_program *program)
{
    size_t count;
    const struct conform_cause *causes = conform_causes(card, program, &count);
    json_open_object(json, NULL, JSON_LINES);
    json_add_string(json, "name", program->name);
    json_add_string(json, "subject", program->subject);
    json_add_string(json, "command", program->command);
    json_add_int(json, "passes", (long long)count_right(program));
    json_add_int(json, "fails", (long long)program->counts[CONFORM_FAIL]);
    json_add_int(json, "known", (long long)program->counts[CONFORM_KNOWN]);
    json_add_int(json, "no_answer", (long long)program->counts[CONFORM_SILENT]);
    json_open_array(json, "causes", JSON_LINES);
    for (size_t i = 0; i < count; i++) {
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "id", causes[i].id);
        json_add_int(json, "rigs", (long long)causes[i].count);
        json_close(json);
    }
    json_close(json);
    json_open_array(json, "rigs", JSON_LINES);
    for (size_t i = 0; i < program->results->case_count; i++)
        json_result(json, &program->results->cases[i]);
    json_close(json);
    json_close(json);
}

void scorecard_json(const struct scorecard *card, struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, JSON_LINES);
    json_add_string(&json, "format", CONFORM_FORMAT);
    json_add_string(&json, "rigproof", card->options->run.options.rigproof);
    json_add_int(&json, "rules", card->rule_count);
    json_add_int(&json, "random", card->random_count);
    json_add_int(&json, "seed", (long long)card->options->rules->seed);
    json_open_array(&json, "programs", JSON_LINES);
    for (size_t i = 0; i < card->program_count; i++)
        if (card->programs[i].results)
            json_program(&json, card, &card->programs[i]);
    json_close(&json);
    json_close(&json);
}

void scorecard_html(const struct scorecard *card, struct text *out)
{
    SCOPED(text) json = {0}, text = {0};
    const char *const page = scorecard_pages[0].text, *text_at = strstr(page, "{{text}}"),
                      *card_at = strstr(page, "{{card}}");
    scorecard_json(card, &json);
    scorecard_text(card, false, &text);
    text_add_bytes(out, page, (size_t)(text_at - page));
    escape_markup(text_string(&text), out);
    text_at += strlen("{{text}}");
    text_add_bytes(out, text_at, (size_t)(card_at - text_at));
    escape_script(text_string(&json), out);
    text_add(out, card_at + strlen("{{card}}"));
}

void scorecard_expect(const struct scorecard *card, struct text *out)
{
    text_add(out, "# what is known to fail: rigproof conform --expect FILE\n");
    for (size_t p = 0; p < card->program_count; p++) {
        const struct conform_program *program = &card->programs[p];
        for (size_t i = 0; program->results && i < program->results->case_count; i++) {
            const struct case_result *result = &program->results->cases[i];
            if (conform_is_right(result))
                continue;
            text_addf(out, "%s/%s  # ", program->name, result->name);
            add_verdict(result, out);
            text_add(out, "\n");
        }
    }
}
