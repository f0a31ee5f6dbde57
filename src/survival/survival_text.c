/* Writes the output of `inspect --for`, as lines and as rigproof.survival/1. */
#include "survival/survival.h"

#include "data/json_fields.h"

void survival_write_text(const struct survival *survival, struct text *out)
{
    for (uint32_t i = 0; i < survival->engine_count; i++) {
        const struct survival_engine_result *result = &survival->engines[i];
        uint32_t counts[EFFECT_COUNT] = {0};
        for (uint32_t k = 0; k < result->finding_count; k++)
            counts[result->findings[k].effect]++;
        text_add_name(out, survival->model);
        text_addf(out, " in %s: %s", result->engine, result->survives ? "survives" : "does not survive");
        if (counts[EFFECT_BREAKS] > 0)
            text_addf(out, ", %u break%s it", counts[EFFECT_BREAKS], counts[EFFECT_BREAKS] == 1 ? "s" : "");
        if (counts[EFFECT_CHANGES] > 0)
            text_addf(out, ", %u change%s what is seen", counts[EFFECT_CHANGES],
                      counts[EFFECT_CHANGES] == 1 ? "s" : "");
        text_add(out, "\n");
        for (int effect = EFFECT_COUNT; effect-- > 0;)
            for (uint32_t k = 0; k < result->finding_count; k++) {
                const struct survival_finding *finding = &result->findings[k];
                if ((int)finding->effect == effect)
                    text_addf(out, "  %-8s %s: %s. Remedy: %s.\n", survival_effect_names[effect], finding->check,
                              finding->text, finding->remedy);
            }
    }
}

// clang-format off
#define FINDING(member) FIELD_MEMBER(struct survival_finding, member)
static const struct fields finding_fields = FIELD_TABLE(struct survival_finding, JSON_INLINE,
    {"check", FIELD_TEXT, FINDING(check)},
    {"effect", FIELD_ENUM, FINDING(effect), .words = survival_effect_names, .word_count = EFFECT_COUNT},
    {"measure", FIELD_DOUBLE_OR_NULL, FINDING(measure)},
    {"unit", FIELD_TEXT, FINDING(unit)},
    {"limit", FIELD_DOUBLE_OR_NULL, FINDING(limit)},
    {"share", FIELD_DOUBLE_OR_NULL, FINDING(share)},
    {"clip", FIELD_TEXT_OR_NULL, FINDING(clip)},
    {"time", FIELD_DOUBLE_OR_NULL, FINDING(time)},
    {"text", FIELD_TEXT, FINDING(text)},
    {"remedy", FIELD_TEXT, FINDING(remedy)},
);

#define ENGINE(member) FIELD_MEMBER(struct survival_engine_result, member)
static const struct fields engine_fields = FIELD_TABLE(struct survival_engine_result, JSON_LINES,
    {"engine", FIELD_TEXT, ENGINE(engine)},
    {"survives", FIELD_BOOL, ENGINE(survives)},
    {"findings", FIELD_ITEMS(struct survival_engine_result, findings, finding_count, finding_fields,
                             .layout = JSON_LINES)},
);

#define SURVIVAL(member) FIELD_MEMBER(struct survival, member)
static const struct fields survival_fields = FIELD_TABLE(struct survival, JSON_LINES,
    {"model", FIELD_TEXT, SURVIVAL(model)},
    {"assimp", FIELD_TEXT, SURVIVAL(assimp_version)},
    {"radius", FIELD_DOUBLE, SURVIVAL(radius)},
    {"engines", FIELD_ITEMS(struct survival, engines, engine_count, engine_fields, .layout = JSON_LINES)},
);
// clang-format on

void survival_write_json(const struct survival *survival, struct text *out)
{
    fields_write_document(SURVIVAL_FORMAT, &survival_fields, JSON_LINES, survival, out);
}
