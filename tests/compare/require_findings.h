#pragma once

/* Sentences that a comparison must have said. "~" before a text stands for a benign finding. */

#include "cmocka_setup.h"

#include "data/result/verdict.h"

static inline bool is_text(const struct finding *finding, const char *text)
{
    bool benign = text[0] == '~';
    return finding->benign == benign && strcmp(finding->text, text + benign) == 0;
}

static inline void print_findings(const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        print_message("found: %s%s (%s)\n", findings->items[i].benign ? "~" : "", findings->items[i].text,
                      stage_name(findings->items[i].stage));
}

/* These and no others, in any order. */
static inline void require_findings(const struct findings *findings, enum stage stage, size_t count,
                                   const char *const *texts)
{
    bool good = findings->count == count;
    for (size_t t = 0; t < count; t++) {
        bool found = false;
        for (size_t i = 0; i < findings->count; i++)
            found = found || is_text(&findings->items[i], texts[t]);
        if (!found)
            print_message("wanted: %s\n", texts[t]);
        good = good && found;
    }
    if (!good)
        print_findings(findings);
    assert_true(good);
    for (size_t i = 0; i < findings->count; i++)
        assert_int_equal(findings->items[i].stage, stage);
}

/* This one among others. */
static inline const struct finding *require_text(const struct findings *findings, const char *text)
{
    for (size_t i = 0; i < findings->count; i++)
        if (is_text(&findings->items[i], text))
            return &findings->items[i];
    print_message("wanted: %s\n", text);
    print_findings(findings);
    assert_true(false);
    return NULL;
}

static inline const struct finding *require_code(const struct findings *findings, enum finding_code code, const char *subject)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        if (finding->code == code && (!subject || (finding->subject && strcmp(finding->subject, subject) == 0)))
            return finding;
    }
    fail_msg("nothing is found: %s of %s", finding_code_ids[code], subject ? subject : "anything");
    return NULL;
}

/* The same, and nothing else is found. */
static inline const struct finding *require_only(const struct findings *findings, enum finding_code code, const char *subject)
{
    assert_int_equal(findings->count, 1);
    return require_code(findings, code, subject);
}
