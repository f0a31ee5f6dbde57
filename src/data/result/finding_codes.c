#include "data/result/finding_codes.h"

#include "data/result/verdict.h"

#define DIFFERENCE_ID(name, id, stage, means) id,
#define OTHER_ID(name, id, stage, kind, means) id,
const char *const finding_code_ids[FINDING_CODE_COUNT] = {FINDING_CODES(DIFFERENCE_ID, OTHER_ID)};

const char *const finding_kind_words[FINDING_KIND_COUNT] = {"difference", "repair", "vacuity", "not-compared",
                                                            "convention"};

const char *const finding_why_words[FINDING_WHY_COUNT] = {
    "none",    "identity", "transposed", "inverse", "translation-lost", "by-columns", "rotation-inverted",
    "w-first", "w-last",   "longer",     "other-bone"};

const char *const finding_why_says[WHY_BY_COLUMNS + 1][2] = {
    [WHY_IDENTITY] = {"is the identity now", "are the identity now"},
    [WHY_TRANSPOSED] = {"is transposed", "are transposed"},
    [WHY_INVERSE] = {"is the inverse of what it was", "are the inverse of what they were"},
    [WHY_UNMOVED] = {"has lost its translation", "have lost their translation"},
    [WHY_BY_COLUMNS] = {"has its columns where rows belong", "have their columns where rows belong"},
};

#define DIFFERENCE_ROW(name, id, stage, means) {STAGE_##stage, FINDING_DIFFERENCE},
#define OTHER_ROW(name, id, stage, kind, means) {STAGE_##stage, FINDING_##kind},
static const struct {
    enum stage stage;
    enum finding_kind kind;
} rows[FINDING_CODE_COUNT] = {FINDING_CODES(DIFFERENCE_ROW, OTHER_ROW)};

enum finding_kind finding_code_kind(enum finding_code code)
{
    return rows[code].kind;
}

struct finding finding_of(enum finding_code code)
{
    struct finding finding = finding_none;
    finding.code = code;
    finding.stage = rows[code].stage;
    finding.benign = rows[code].kind != FINDING_DIFFERENCE && rows[code].kind != FINDING_VACUITY;
    return finding;
}
