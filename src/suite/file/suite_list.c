/* The cases of a suite as lines. */
#include <string.h>

#include "suite/file/suite_file.h"
#include "suite/setting/mix_options.h"

enum { COLUMNS = 6, LINE_COLUMNS = COLUMNS - 1 }; /* the last needs no width */

static void add_times(struct text *out, const struct settings *settings)
{
    size_t count = settings->time_count ? settings->time_count : 1;
    if (settings->time_choice == TIMES_FRAMES)
        count = (size_t)(settings->last_frame - settings->first_frame) + 1;
    if (settings->time_choice == TIMES_AUTO || settings->time_choice == TIMES_PLAY)
        text_add(out, settings->time_choice == TIMES_AUTO ? "auto" : "play");
    else
        text_addf(out, "%zu time%s", count, count == 1 ? "" : "s");
}

static void add_tags(struct text *out, const struct suite_case *test)
{
    for (size_t i = 0; i < test->tag_count; i++) {
        text_add(out, i ? "," : "");
        text_add_name(out, test->tags[i]);
    }
    if (test->tag_count == 0)
        text_add(out, "-");
}

static void add_note(struct text *out, const struct suite *suite, const struct suite_case *test)
{
    const char *between = "";
    if (test->agrees) {
        text_addf(out, "agrees with %s", suite->cases[test->agreement.other].name);
        between = "; ";
    }
    if (test->assimp) {
        text_addf(out, "%sAssimp ", between);
        text_add_name(out, test->assimp);
        text_add(out, " only");
        between = "; ";
    }
    if (test->reason) {
        text_addf(out, "%s%s: ", between, test->skip ? "skip" : "expect fail");
        text_add_name(out, test->reason);
    }
}

static void add_cell(struct text *out, const struct suite *suite, const struct suite_case *test, int column)
{
    struct text clip = {0};
    switch (column) {
    case 0:
        text_add(out, test->name);
        break;
    case 1:
        text_add_name(out, test->model);
        break;
    case 2:
        mix_option_write(&test->settings, &clip);
        text_add_name(out, text_string(&clip));
        break;
    case 3:
        add_times(out, &test->settings);
        break;
    case 4:
        add_tags(out, test);
        break;
    default:
        add_note(out, suite, test);
    }
    text_release(&clip);
}

/* In characters: bytes that begin one. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += (*text & 0xc0) != 0x80;
    return width;
}

static void measure(const struct suite *suite, const bool *chosen, size_t widths[static LINE_COLUMNS])
{
    struct text cell = {0};
    for (size_t i = 0; i < suite->case_count; i++)
        for (int c = 0; c < LINE_COLUMNS && (!chosen || chosen[i]); c++) {
            cell.size = 0;
            text_add(&cell, "");
            add_cell(&cell, suite, &suite->cases[i], c);
            size_t width = width_of(text_string(&cell));
            widths[c] = width > widths[c] ? width : widths[c];
        }
    text_release(&cell);
}

static void add_line(struct text *out, const struct suite *suite, const struct suite_case *test,
                     const size_t widths[static LINE_COLUMNS])
{
    size_t first = out->size;
    for (int c = 0; c < COLUMNS; c++) {
        size_t begin = out->size;
        add_cell(out, suite, test, c);
        for (size_t width = width_of(text_string(out) + begin); c < LINE_COLUMNS && width < widths[c] + 2; width++)
            text_add(out, " ");
    }
    while (out->size > first && out->data[out->size - 1] == ' ')
        out->data[--out->size] = '\0';
    text_add(out, "\n");
}

void suite_list(const struct suite *suite, const bool *chosen, struct text *out)
{
    size_t widths[LINE_COLUMNS] = {0};
    measure(suite, chosen, widths);
    for (size_t i = 0; i < suite->case_count; i++)
        if (!chosen || chosen[i])
            add_line(out, suite, &suite->cases[i], widths);
}
