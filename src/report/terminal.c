#include "report/terminal.h"

#include <math.h>
#include <string.h>

#include "report/escape.h"

void terminal_add(struct text *out, bool colour, enum style style, const char *value)
{
    static const char *const codes[] = {[STYLE_GOOD] = "32", [STYLE_BAD] = "1;31", [STYLE_WARN] = "33",
                                        [STYLE_INFO] = "36", [STYLE_DIM] = "2",    [STYLE_BOLD] = "1"};
    if (colour)
        text_addf(out, "\033[%sm", codes[style]);
    text_add_name(out, value);
    if (colour)
        text_add(out, "\033[0m");
}

const char *terminal_status(enum case_status status)
{
    static const char *const words[CASE_STATUS_COUNT] = {
        [CASE_PASS] = "pass",   [CASE_DRIFT] = "drift", [CASE_FAIL] = "FAIL",       [CASE_MISSING] = "MISSING",
        [CASE_ERROR] = "ERROR", [CASE_CRASH] = "CRASH", [CASE_TIMEOUT] = "TIMEOUT", [CASE_XFAIL] = "xfail",
        [CASE_SKIP] = "skip",   [CASE_UNEXPECTED_PASS] = "XPASS",
    };
    return words[status];
}

enum style terminal_status_style(enum case_status status)
{
    switch (status) {
    case CASE_PASS:
        return STYLE_GOOD;
    case CASE_DRIFT:
    case CASE_XFAIL:
        return STYLE_WARN;
    case CASE_SKIP:
        return STYLE_DIM;
    default:
        return STYLE_BAD;
    }
}

void terminal_add_figure(struct text *out, double value, const char *unit)
{
    if (isnan(value))
        text_add(out, "-");
    else
        text_addf(out, "%.3g%s", value, unit);
}

static const char *find_value(const struct fingerprint *fingerprint, const char *name)
{
    for (uint32_t i = 0; i < fingerprint->count; i++)
        if (strcmp(fingerprint->entries[i].name, name) == 0)
            return fingerprint->entries[i].value;
    return NULL;
}

static void add_fingerprint_row(const char *name, const char *golden, const char *here, struct text *out)
{
    text_add(out, "    `");
    text_add_name(out, name);
    text_add(out, "`: golden ");
    text_add_name(out, golden ? golden : "-");
    text_add(out, ", here ");
    text_add_name(out, here ? here : "-");
    text_add(out, "\n");
}

void terminal_add_fingerprint(const struct fingerprint *golden, const struct fingerprint *here, struct text *out)
{
    if (golden->count == 0 || here->count == 0 || fingerprint_equal(golden, here))
        return;
    text_add(out, "  the golden was recorded with another setup:\n");
    for (uint32_t i = 0; i < golden->count; i++) {
        const char *value = find_value(here, golden->entries[i].name);
        if (!value || strcmp(value, golden->entries[i].value) != 0)
            add_fingerprint_row(golden->entries[i].name, golden->entries[i].value, value, out);
    }
    for (uint32_t i = 0; i < here->count; i++)
        if (!find_value(golden, here->entries[i].name))
            add_fingerprint_row(here->entries[i].name, NULL, here->entries[i].value, out);
}
