/*
 * results.json: a case a block; a finding, time, bone or stage a line, for `git diff`. Anyone may have written it:
 * reports of other machines are merged from files.
 */
#include "data/result/result.h"

#include <string.h>

#include "data/json_fields.h"
#include "data/result/result_fields.h"

#include <jansson.h>
#undef JSON_INLINE /* jansson's word for `inline`; here it is a layout */

const char *const case_status_names[CASE_STATUS_COUNT] = {
    [CASE_PASS] = "pass",
    [CASE_DRIFT] = "drift",
    [CASE_FAIL] = "fail",
    [CASE_MISSING] = "missing",
    [CASE_ERROR] = "error",
    [CASE_CRASH] = "crash",
    [CASE_TIMEOUT] = "timeout",
    [CASE_XFAIL] = "xfail",
    [CASE_UNEXPECTED_PASS] = "unexpected-pass",
    [CASE_SKIP] = "skip",
};

const char *const stage_state_names[STAGE_STATE_COUNT] = {
    [STAGE_NOT_COMPARED] = "not-compared",
    [STAGE_PASSED] = "passed",
    [STAGE_DIFFERS] = "differs",
    [STAGE_EXPLAINED] = "explained",
    [STAGE_UNVERIFIED] = "unverified",
};

const char stage_not_asked_for[] = "not asked for";

struct results *results_create(struct error *err)
{
    /* Address space, not memory: pages count once they are used. A case needs some 20 KiB. */
    enum { RESULTS_MIB = 2048 };
    struct arena *arena = arena_create((size_t)RESULTS_MIB << 20, err);
    if (!arena)
        return NULL;
    struct results *results = ARENA_NEW(arena, struct results, 1);
    results->arena = arena;
    results->rigproof = results->suite = results->goldens = "";
    return results;
}

void results_free(struct results *results)
{
    if (results)
        arena_destroy(results->arena);
}

/* One line: what people copy from a report must not hold another command below the first. */
static void check_command(const struct json_place *at, const char *key, const void *owner)
{
    const char *command = json_string_value(json_object_get(at->value, key));
    (void)owner;
    for (const char *c = command ? command : ""; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            json_complain(at, key, "expected a command on one line");
            break;
        }
}

static void check_bones(const struct json_place *at, const char *key, const void *owner)
{
    const struct case_result *result = owner;
    for (uint32_t i = 0; i < result->bone_count; i++)
        if (result->bones[i].time_count != result->time_count)
            json_complain(at, key, "over_time: expected a number for each of %u times, but item %u has %u",
                          result->time_count, i, result->bones[i].time_count);
}

static bool is_judged(const void *owner, const struct json_place *at)
{
    return at ? json_has(at, "facts") : ((const struct case_result *)owner)->facts != NULL;
}

static const struct field tolerance_rows[] = {
#define ROW(member, type, key, standard, largest, how)                                                                 \
    {#member, FIELD_##type, FIELD_MEMBER(struct tolerance, member), how, .most = (uint32_t)(largest)},
    TOLERANCES(ROW) PIXEL_TOLERANCES(ROW)
#undef ROW
};
static const struct fields tolerance_fields = FIELDS(struct tolerance, tolerance_rows);

/* A measure that no tolerance allows is null in the file. */
static const struct field measured_rows[] = {
#define ROW(name, member, stage, key, how, ...)                                                                        \
    {key, FIELD_SIZE_OR_NULL, TOLERANCE_##name * sizeof(double), sizeof(double), how},
    MEASURES(ROW)
#undef ROW
};
static const struct fields measured_fields = FIELDS(double[TOLERANCE_COUNT], measured_rows);

/* `shell` is of three stages: the key is told by both. */
static void write_needed_stage(struct json_writer *json, const char *key, const void *owner)
{
    json_add_string(json, key, stage_name(tolerance_stage(((const struct needed_tolerance *)owner)->key)));
}

static void read_needed_stage(const struct json_place *at, const char *key, void *owner)
{
    struct needed_tolerance *out = owner;
    const enum stage stage = stage_find(json_string_value(json_object_get(at->value, key)));
    const char *name = json_string_value(json_object_get(at->value, "tolerance"));
    enum tolerance_key found = TOLERANCE_NONE + 1;
    while (found < TOLERANCE_COUNT &&
           (tolerance_stage(found) != stage || !name || strcmp(name, tolerance_key_names[found]) != 0))
        found++;
    if (found == TOLERANCE_COUNT)
        json_complain(at, key, "expected a stage that has this tolerance");
    else
        out->key = found;
}

static const struct fields needed_fields = FIELD_TABLE(struct needed_tolerance, JSON_INLINE,
    {"tolerance", FIELD_ENUM, FIELD_MEMBER(struct needed_tolerance, key), FIELD_WORDS(tolerance_key_names)},
    {"stage", FIELD_CUSTOM, .write = write_needed_stage, .read = read_needed_stage},
    {"least", FIELD_DOUBLE, FIELD_MEMBER(struct needed_tolerance, least)},
    {"risk", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct needed_tolerance, risk)},
);

static const struct fields facts_fields = FIELD_TABLE(struct judge_facts, JSON_INLINE,
    {"missing", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct judge_facts, missing_what)},
    {"not_sampled", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct judge_facts, not_sampled), FIELD_OMITTED},
    {"mismatch", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct judge_facts, mismatch)},
    {"error", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct judge_facts, error)},
    {"setup_differs", FIELD_BOOL, FIELD_MEMBER(struct judge_facts, fingerprint_differs)},
    {"expect_fail", FIELD_BOOL, FIELD_MEMBER(struct judge_facts, expect_fail)},
);

static const struct fields stage_fields = FIELD_TABLE(struct stage_result, JSON_INLINE,
    {"state", FIELD_ENUM, FIELD_MEMBER(struct stage_result, state), FIELD_WORDS(stage_state_names)},
    {"summary", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct stage_result, summary)},
    {"by", FIELD_WORD, FIELD_MEMBER(struct stage_result, by), FIELD_OMITTED, FIELD_WORDS(stage_names)},
);

#define STAGE(which) .offset = (which) * sizeof(struct stage_result), .fields = &stage_fields
static const struct fields stages_fields = FIELD_TABLE(struct stage_result[STAGE_COUNT], JSON_LINES,
    {"import", FIELD_OBJECT, STAGE(STAGE_IMPORT)},   {"animate", FIELD_OBJECT, STAGE(STAGE_ANIMATE)},
    {"palette", FIELD_OBJECT, STAGE(STAGE_PALETTE)}, {"skin", FIELD_OBJECT, STAGE(STAGE_SKIN)},
    {"draw", FIELD_OBJECT, STAGE(STAGE_DRAW)},
);

/* null: of its own. Files of earlier versions do not say. */
const char unverified_word[] = "unverified";

static void write_explained(struct json_writer *json, const char *key, const void *owner)
{
    const struct finding *finding = owner;
    json_add_string(json, key, finding->explained != STAGE_NONE ? stage_name(finding->explained)
                               : finding->unverified            ? unverified_word
                                                                : NULL);
}

static void read_explained(const struct json_place *at, const char *key, void *owner)
{
    struct finding *out = owner;
    const json_t *value = json_object_get(at->value, key);
    const char *word = json_string_value(value);
    out->explained = stage_find(word);
    out->unverified = !value || (word && strcmp(word, unverified_word) == 0);
    if (value && !json_is_null(value) && !out->unverified && out->explained == STAGE_NONE)
        json_complain(at, key, "expected a stage, \"%s\" or null", unverified_word);
}

/* The code says it; it is in the file for who reads that without the list of codes. */
static void write_kind(struct json_writer *json, const char *key, const void *owner)
{
    json_add_string(json, key, finding_kind_words[finding_code_kind(((const struct finding *)owner)->code)]);
}

static void read_kind(const struct json_place *at, const char *key, void *owner)
{
    const char *kind = finding_kind_words[finding_code_kind(((const struct finding *)owner)->code)];
    const char *word = json_string_value(json_object_get(at->value, key));
    if (json_has(at, key) && (!word || strcmp(word, kind) != 0))
        json_complain(at, key, "expected \"%s\", which is what its code stands for", kind);
}

static const struct fields finding_fields = FIELD_TABLE(struct finding, JSON_INLINE,
    {"code", FIELD_ENUM, FIELD_MEMBER(struct finding, code), FIELD_WORDS(finding_code_ids)},
    {"stage", FIELD_ENUM, FIELD_MEMBER(struct finding, stage), FIELD_WORDS(stage_names), .first_word = STAGE_NONE},
    {"benign", FIELD_BOOL, FIELD_MEMBER(struct finding, benign)},
    {"subject", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct finding, subject)},
    {"mesh", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct finding, mesh)},
    {"clip", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct finding, clip), FIELD_OMITTED},
    {"part", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct finding, part), FIELD_OMITTED},
    {"time", FIELD_DOUBLE_OR_NULL, FIELD_MEMBER(struct finding, time)},
    {"displacement", FIELD_SIZE_OR_NULL, FIELD_MEMBER(struct finding, displacement)},
    {"distance", FIELD_SIZE_OR_NULL, FIELD_MEMBER(struct finding, distance)},
    {"degrees", FIELD_SIZE_OR_NULL, FIELD_MEMBER(struct finding, degrees)},
    {"translation", FIELD_SIZE_OR_NULL, FIELD_MEMBER(struct finding, translation)},
    {"scale_percent", FIELD_DOUBLE_OR_NULL, FIELD_MEMBER(struct finding, scale_percent)},
    {"other", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct finding, other), FIELD_OMITTED},
    {"why", FIELD_ENUM, FIELD_MEMBER(struct finding, why), FIELD_OMITTED, FIELD_WORDS(finding_why_words)},
    {"axis", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct finding, axis), FIELD_OMITTED},
    {"reach", FIELD_DOUBLE, FIELD_MEMBER(struct finding, reach), FIELD_OMITTED},
    {"now", FIELD_DOUBLE, FIELD_MEMBER(struct finding, now), FIELD_OMITTED},
    {"was", FIELD_DOUBLE, FIELD_MEMBER(struct finding, was), FIELD_OMITTED},
    {"index", FIELD_COUNT, FIELD_MEMBER(struct finding, index), FIELD_OMITTED},
    {"count", FIELD_COUNT, FIELD_MEMBER(struct finding, count), FIELD_OMITTED},
    {"of", FIELD_COUNT, FIELD_MEMBER(struct finding, of), FIELD_OMITTED},
    {"instance", FIELD_COUNT, FIELD_MEMBER(struct finding, instance), FIELD_OMITTED},
    {"also", FIELD_ITEMS(struct finding, also, also_count, fields_of_text, .flags = FIELD_OMITTED)},
    {"text", FIELD_TEXT, FIELD_MEMBER(struct finding, text)},
    {"kind", FIELD_CUSTOM, .write = write_kind, .read = read_kind},
    {"tolerance", FIELD_ENUM, FIELD_MEMBER(struct finding, tolerance), FIELD_OPTIONAL,
     FIELD_WORDS(tolerance_key_names)},
    {"measure", FIELD_SIZE_OR_NULL, FIELD_MEMBER(struct finding, measure), FIELD_OPTIONAL},
    {"explained", FIELD_CUSTOM, .write = write_explained, .read = read_explained},
);

static const struct fields error_fields = FIELD_TABLE(double[STAGE_COUNT], JSON_INLINE,
    {"animate", FIELD_SIZE_OR_NULL, .offset = STAGE_ANIMATE * sizeof(double)},
    {"palette", FIELD_SIZE_OR_NULL, .offset = STAGE_PALETTE * sizeof(double)},
    {"skin", FIELD_SIZE_OR_NULL, .offset = STAGE_SKIN * sizeof(double)},
    {"draw", FIELD_SIZE_OR_NULL, .offset = STAGE_DRAW * sizeof(double)},
);

static const struct fields time_fields = FIELD_TABLE(struct time_result, JSON_INLINE,
    {"label", FIELD_TEXT, FIELD_MEMBER(struct time_result, label)},
    {"time", FIELD_DOUBLE, FIELD_MEMBER(struct time_result, time)},
    {"error", FIELD_OBJECT, FIELD_MEMBER(struct time_result, error), .fields = &error_fields},
    {"image", FIELD_OBJECT, FIELD_MEMBER(struct time_result, image), .fields = &image_fields},
);

static const struct fields size_fields = FIELD_TABLE(double, JSON_INLINE,
    {NULL, FIELD_SIZE_OR_NULL, .size = sizeof(double)},
);

static const struct fields bone_fields = FIELD_TABLE(struct bone_result, JSON_INLINE,
    {"bone", FIELD_TEXT, FIELD_MEMBER(struct bone_result, bone)},
    {"mesh", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct bone_result, mesh)},
    {"stage", FIELD_ENUM, FIELD_MEMBER(struct bone_result, stage), FIELD_WORDS(stage_names), .first_word = STAGE_NONE},
    {"time", FIELD_DOUBLE_OR_NULL, FIELD_MEMBER(struct bone_result, time)},
    {"displacement", FIELD_SIZE_OR_NULL, FIELD_MEMBER(struct bone_result, displacement)},
    {"distance", FIELD_SIZE_OR_NULL, FIELD_MEMBER(struct bone_result, distance)},
    {"degrees", FIELD_SIZE_OR_NULL, FIELD_MEMBER(struct bone_result, degrees)},
    {"translation", FIELD_SIZE_OR_NULL, FIELD_MEMBER(struct bone_result, translation)},
    {"scale_percent", FIELD_DOUBLE_OR_NULL, FIELD_MEMBER(struct bone_result, scale_percent)},
    {"over_time", FIELD_ITEMS(struct bone_result, over_time, time_count, size_fields)},
);

const char *const curve_spaces[2] = {"local", "global"}, *const curve_sides[CURVE_SIDES] = {"golden", "actual"};

#define CURVE_SAMPLE(member) FIELD_MEMBER(struct curve_sample_result, member)
static const struct fields curve_sample_fields = FIELD_TABLE(struct curve_sample_result, JSON_INLINE,
    {"time", FIELD_DOUBLE, CURVE_SAMPLE(time)},
    {"golden", FIELD_FLOATS, CURVE_SAMPLE(golden), .width = CURVE_NUMBERS},
    {"actual", FIELD_FLOATS, CURVE_SAMPLE(actual), .width = CURVE_NUMBERS},
);

static const struct fields curve_point_fields = FIELD_TABLE(struct curve_point_result, JSON_INLINE,
    {"time", FIELD_DOUBLE, FIELD_MEMBER(struct curve_point_result, time)},
    {"at", FIELD_FLOATS, FIELD_MEMBER(struct curve_point_result, at), .width = CURVE_NUMBERS},
);

static const struct fields curve_line_fields = FIELD_TABLE(struct curve_line, JSON_LINES,
    {"side", FIELD_WORD, FIELD_MEMBER(struct curve_line, side), FIELD_WORDS(curve_sides)},
    {"points", FIELD_ITEMS(struct curve_line, points, point_count, curve_point_fields, .most = CURVE_MOST_SAMPLES,
                           .layout = JSON_LINES)},
    {"keys", FIELD_ITEMS(struct curve_line, keys, key_count, size_fields, .flags = FIELD_OMITTED,
                         .most = CURVE_MOST_SAMPLES)},
);

#define CURVE(member) FIELD_MEMBER(struct case_curve, member)
static const struct fields curve_fields = FIELD_TABLE(struct case_curve, JSON_LINES,
    {"bone", FIELD_TEXT, CURVE(bone)},
    {"space", FIELD_WORD, CURVE(space), FIELD_WORDS(curve_spaces)},
    {"samples", FIELD_ITEMS(struct case_curve, samples, sample_count, curve_sample_fields, .most = CURVE_MOST_SAMPLES,
                            .layout = JSON_LINES)},
    {"lines", FIELD_ITEMS(struct case_curve, lines, line_count, curve_line_fields, .flags = FIELD_OMITTED,
                          .most = CURVE_SIDES, .layout = JSON_LINES)},
    {"line_note", FIELD_TEXT_OR_NULL, CURVE(line_note), FIELD_OMITTED},
);

#define CAUSE(member) FIELD_MEMBER(struct case_cause, member)
static const struct fields cause_fields = FIELD_TABLE(struct case_cause, JSON_INLINE,
    {"id", FIELD_TEXT, CAUSE(id)},
    {"stage", FIELD_TEXT, CAUSE(stage)},
    {"sentence", FIELD_TEXT, CAUSE(sentence)},
    {"detail", FIELD_TEXT_OR_NULL, CAUSE(detail), FIELD_OMITTED},
    {"remedy", FIELD_TEXT, CAUSE(remedy)},
);

#define EXPLANATION(member) FIELD_MEMBER(struct case_explanation, member)
static const struct fields explanation_fields = FIELD_TABLE(struct case_explanation, JSON_INLINE,
    {"explains", FIELD_SIZE_OR_NULL, EXPLANATION(explains)},
    {"residual", FIELD_SIZE_OR_NULL, EXPLANATION(residual)},
    {"causes", FIELD_ITEMS(struct case_explanation, causes, cause_count, cause_fields, .most = RESULT_MAX_CAUSES)},
);

#define SOURCE(member) FIELD_MEMBER(struct source, member)
static const struct fields source_fields = FIELD_TABLE(struct source, JSON_INLINE,
    {"file", FIELD_TEXT, SOURCE(file)},
    {"hash", FIELD_TEXT_OR_NULL, SOURCE(hash)},
    {"leads_to", FIELD_TEXT_OR_NULL, SOURCE(leads_to), FIELD_OMITTED},
);

#define CANDIDATE(member) FIELD_MEMBER(struct candidate_hashes, member)
static const struct fields candidate_fields = FIELD_TABLE(struct candidate_hashes, JSON_INLINE,
    {"recorded", FIELD_TEXT, CANDIDATE(recorded)}, {"import", FIELD_TEXT, CANDIDATE(import)},
);

#define CASE(member) FIELD_MEMBER(struct case_result, member)
#define CASE_LIST(member, counter, ...) FIELD_ITEMS(struct case_result, member, counter, __VA_ARGS__)
static const struct fields case_fields = FIELD_TABLE(struct case_result, JSON_LINES,
    {"name", FIELD_TEXT, CASE(name)},
    {"line", FIELD_COUNT, CASE(line)},
    {"model", FIELD_TEXT, CASE(model)},
    {"clip", FIELD_TEXT_OR_NULL, CASE(clip)},
    {"subject", FIELD_TEXT_OR_NULL, CASE(subject), FIELD_OMITTED},
    {"tags", CASE_LIST(tags, tag_count, fields_of_text)},
    {"status", FIELD_ENUM, CASE(status), FIELD_WORDS(case_status_names)},
    {"reason", FIELD_TEXT_OR_NULL, CASE(reason)},
    {"stage", FIELD_ENUM, CASE(stage), FIELD_WORDS(stage_names), .first_word = STAGE_NONE},
    {"headline", FIELD_TEXT_OR_NULL, CASE(headline)},
    {"vacuous", FIELD_BOOL, CASE(vacuous)},
    {"vacuity", FIELD_TEXT_OR_NULL, CASE(vacuity), FIELD_OPTIONAL},
    {"remembered", FIELD_BOOL, CASE(remembered), .flags = FIELD_OMITTED},
    {"not_remembered", FIELD_TEXT_OR_NULL, CASE(not_remembered), FIELD_OMITTED},
    {"radius", FIELD_DOUBLE, CASE(radius)},
    {"cost", FIELD_COUNT, CASE(cost), FIELD_OMITTED},
    {"import_cost", FIELD_COUNT, CASE(import_cost), FIELD_OMITTED},
    {"tolerance", FIELD_POINTER, CASE(tolerance), .fields = &tolerance_fields},
    {"passes_from", FIELD_TEXT_OR_NULL, CASE(passes_from), FIELD_OMITTED},
    {"needed", CASE_LIST(needed, needed_count, needed_fields, .flags = FIELD_OMITTED, .most = TOLERANCE_COUNT)},
    {"measured", FIELD_OBJECT, CASE(measured), .fields = &measured_fields, .when = is_judged},
    {"facts", FIELD_POINTER, CASE(facts), FIELD_OMITTED, .fields = &facts_fields},
    {"stages", FIELD_OBJECT, CASE(stages), .fields = &stages_fields},
    {"findings", CASE_LIST(findings, finding_count, finding_fields, .most = RESULT_MAX_FINDINGS, .layout = JSON_LINES)},
    {"findings_left_out", FIELD_COUNT, CASE(findings_left_out)},
    {"times", CASE_LIST(times, time_count, time_fields, .layout = JSON_LINES)},
    {"bones", CASE_LIST(bones, bone_count, bone_fields, .most = RESULT_MAX_BONES, .check = check_bones,
                        .layout = JSON_LINES)},
    {"curve", FIELD_POINTER, CASE(curve), FIELD_OMITTED, .fields = &curve_fields},
    {"viewer", FIELD_TEXT_OR_NULL, CASE(viewer), FIELD_OMITTED},
    {"viewer_note", FIELD_TEXT_OR_NULL, CASE(viewer_note), FIELD_OMITTED},
    {"golden", FIELD_OBJECT, CASE(golden), .fields = &fingerprint_fields},
    {"actual", FIELD_OBJECT, CASE(actual), .fields = &fingerprint_fields},
    {"causes", CASE_LIST(explanations, explanation_count, explanation_fields, .flags = FIELD_OMITTED,
                         .most = RESULT_MAX_EXPLANATIONS, .layout = JSON_LINES)},
    {"causes_of_golden", FIELD_BOOL, CASE(explains_golden), .flags = FIELD_OMITTED},
    {"sources", CASE_LIST(sources, source_count, source_fields, .flags = FIELD_OMITTED, .layout = JSON_LINES)},
    {"candidate", FIELD_POINTER, CASE(candidate), FIELD_OMITTED, .fields = &candidate_fields},
    {"repeat", FIELD_TEXT_OR_NULL, CASE(repeat), .check = check_command},
    {"accept", FIELD_TEXT_OR_NULL, CASE(accept), .check = check_command},
);

/* Fills in what the file does not say, or says as null. */
static void complete_case(struct case_result *result)
{
    for (int key = 0; key < TOLERANCE_COUNT; key++)
        if (isnan(result->measured[key]))
            result->measured[key] = INFINITY;
    for (size_t i = 0; i < result->finding_count; i++) {
        struct finding *finding = &result->findings[i];
        if (finding->tolerance == TOLERANCE_LOCAL && finding->stage != STAGE_ANIMATE) /* three are `shell` */
            finding->tolerance = finding->stage == STAGE_SKIN ? TOLERANCE_SKINNED : TOLERANCE_SHELL;
        if (finding->tolerance == TOLERANCE_NONE || isnan(finding->measure))
            finding->measure = INFINITY;
    }
    for (uint32_t i = 0; i < result->time_count; i++)
        result->times[i].error[STAGE_IMPORT] = NAN;
    if (!result->facts)
        return;
    struct judge_facts *facts = (struct judge_facts *)result->facts;
    for (int s = 0; s < STAGE_COUNT; s++) {
        facts->compared[s] = result->stages[s].state != STAGE_NOT_COMPARED;
        facts->absent[s] = facts->compared[s] ? NULL : result->stages[s].summary;
    }
}

struct case_result *case_result_copy(const struct case_result *result, struct arena *arena)
{
    struct case_result *copy = fields_copy(&case_fields, result, 1, arena);
    copy->about = NULL; /* it is the maker's memory; the sentences are made by now */
    complete_case(copy);
    return copy;
}

static void write_shard(struct json_writer *json, const char *key, const void *owner)
{
    const struct results *results = owner;
    if (results->shard == 0) {
        json_add_string(json, key, NULL);
        return;
    }
    json_open_object(json, key, JSON_INLINE);
    json_add_int(json, "number", results->shard);
    json_add_int(json, "of", results->shard_count);
    json_close(json);
}

static void read_shard(const struct json_place *at, const char *key, void *owner)
{
    struct results *out = owner;
    if (json_is_null(json_object_get(at->value, key)))
        return;
    struct json_place shard = json_read_object(at, key);
    out->shard = json_read_count(&shard, "number");
    out->shard_count = json_read_count(&shard, "of");
    if (out->shard == 0 || out->shard > out->shard_count)
        json_complain(at, key, "there is no shard %u of %u", out->shard, out->shard_count);
}

static void check_partition(const struct json_place *at, const char *key, const void *owner)
{
    const struct results *results = owner;
    if (results->partition_count != results->shard_count)
        json_complain(at, key, "%zu lists of cases, but the run has %u shards", results->partition_count,
                      results->shard_count);
}

static const struct fields shard_cases_fields = FIELD_TABLE(struct shard_cases, JSON_INLINE,
    {NULL, FIELD_ITEMS(struct shard_cases, names, count, fields_of_text)},
);

#define RUN(member) FIELD_MEMBER(struct results, member)
#define RUN_LINES(member, counter, ...)                                                                                \
    FIELD_ITEMS(struct results, member, counter, __VA_ARGS__, .layout = JSON_LINES)
static const struct fields results_fields = FIELD_TABLE(struct results, JSON_LINES,
    {"rigproof", FIELD_TEXT, RUN(rigproof)},
    {"suite", FIELD_TEXT, RUN(suite)},
    {"suite_hash", FIELD_TEXT_OR_NULL, RUN(suite_hash), FIELD_OMITTED},
    {"overrides", FIELD_OBJECT, RUN(overrides), FIELD_OMITTED, FIELD_COUNTER(struct results, overrides.count),
     .fields = &fingerprint_fields},
    {"goldens", FIELD_TEXT, RUN(goldens)},
    {"strict", FIELD_BOOL, RUN(strict)},
    {"judged", FIELD_TEXT_OR_NULL, RUN(judged), FIELD_OMITTED},
    {"shard", FIELD_CUSTOM, .write = write_shard, .read = read_shard},
    {"partition", RUN_LINES(partition, partition_count, shard_cases_fields, .flags = FIELD_OMITTED,
                            .check = check_partition)},
    {"fingerprint", FIELD_OBJECT, RUN(fingerprint), .fields = &fingerprint_fields},
    {"cases", RUN_LINES(cases, case_count, case_fields)},
    {"not_run", RUN_LINES(not_run, not_run_count, fields_of_text, .flags = FIELD_OMITTED)},
    {"missing", RUN_LINES(missing, missing_count, fields_of_text, .flags = FIELD_OMITTED)},
    {"shader_warnings", RUN_LINES(shader_warnings, shader_warning_count, fields_of_text, .flags = FIELD_OMITTED)},
    {"obsolete", RUN_LINES(obsolete, obsolete_count, fields_of_text)},
    {"prune", FIELD_TEXT_OR_NULL, RUN(prune), FIELD_OMITTED, .check = check_command},
);

struct results *results_copy(const struct results *results, struct error *err)
{
    struct results *copy = results_create(err);
    struct arena *arena = copy ? copy->arena : NULL;
    if (!copy)
        return NULL;
    *copy = *(struct results *)fields_copy(&results_fields, results, 1, arena);
    copy->arena = arena;
    for (size_t i = 0; i < copy->case_count; i++)
        complete_case(&copy->cases[i]);
    return copy;
}

void results_write(const struct results *results, struct text *out)
{
    fields_write_document(RESULTS_FORMAT, &results_fields, JSON_LINES, results, out);
}

/* The shortest thing that takes memory is an empty string in a list: 3 bytes of the file, 40 of the arena. */
struct results *results_read(const void *data, size_t size, const char *name, struct error *err)
{
    enum { ARENA_BYTES_PER_BYTE = 32, SPARE = 1 << 20 };
    struct arena *arena = error_is_set(err) ? NULL : arena_create(size * ARENA_BYTES_PER_BYTE + SPARE, err);
    if (!arena)
        return NULL;
    struct results *results = fields_read_document(data, size, name, RESULTS_FORMAT, &results_fields, arena, err);
    if (!results) {
        arena_destroy(arena);
        return NULL;
    }
    results->arena = arena;
    for (size_t i = 0; i < results->case_count; i++)
        complete_case(&results->cases[i]);
    return results;
}
