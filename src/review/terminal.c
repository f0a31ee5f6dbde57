#include "review/review.h"

#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/screen.h"
#include "report/report.h"

static const char help[] = "a  accept: this result becomes the golden\n"
                           "A  accept this one and all that say the same\n"
                           "s  skip: leave it as it is\n"
                           "u  undo the last a or s\n"
                           "d  details: all stages, bones and files\n"
                           "j  next case that is not decided, k the previous one\n"
                           "q  quit; what was accepted stays accepted\n";

/* The next case that is not decided, around the end: forward from `at` itself on, or backward from the one before;
 * `count` when there is none. */
static size_t find_open(const struct review *review, size_t at, bool forward)
{
    for (size_t i = 0; i < review->count; i++) {
        size_t k = (at + (forward ? i : review->count - 1 - i)) % review->count;
        if (review->cases[k].decision == REVIEW_OPEN)
            return k;
    }
    return review->count;
}

static void show_case(const struct review *review, size_t at, const char *folder, bool colour, FILE *out)
{
    struct review_case *item = &review->cases[at];
    SCOPED(text) text = {0};
    size_t alike = 0;
    for (size_t i = 0; i < review->count; i++)
        alike += review->cases[i].group == item->group;
    text_addf(&text, "\n%zu/%zu ", at + 1, review->count);
    report_case_brief(item->result, folder, colour, &text);
    if (alike > 1)
        text_addf(&text, "  %zu other%s the same (A accepts all)\n", alike - 1, alike == 2 ? " says" : "s say");
    if (item->refusal)
        text_add_named(&text, "  cannot be accepted: %s\n", item->refusal);
    item->seen = true;
    terminal_print(text_string(&text), out);
}

/* The case; with `is_group` also the open ones that say the same, whose difference was seen with it. */
static void decide(struct review *review, size_t at, enum review_decision decision, bool is_group, FILE *out)
{
    struct review_case *item = &review->cases[at];
    FREED struct review_case **chosen = memory_new(review->count, sizeof *chosen);
    struct review_outcome outcome;
    SCOPED(text) said = {0};
    struct error err = {0};
    size_t count = 0;
    for (size_t i = 0; i < review->count; i++) {
        struct review_case *other = &review->cases[i];
        const bool is_same = is_group && other->group == item->group && other->decision == REVIEW_OPEN;
        other->seen = other->seen || is_same;
        if (other == item || is_same)
            chosen[count++] = other;
    }
    bool good = review_decide(review, decision, chosen, count, &outcome, &said, &err);
    if (!good)
        text_add_named(&said, "not accepted: %s\n", err.text);
    else if (outcome.refused > 0 && item->refusal)
        text_add_named(&said, "not accepted: %s\n", item->refusal);
    else if (outcome.refused > 0)
        text_addf(&said, "not accepted: %zu that cannot be\n", outcome.refused);
    terminal_print(text_string(&said), out);
}

/* The case whose decision is taken back, to be asked for again; `at` when there is none. */
static size_t undo(struct review *review, size_t at, FILE *out)
{
    SCOPED(text) said = {0};
    struct error err = {0};
    review_last_action(review, &said);
    const struct review_case *undone = review_undo(review, &err);
    if (undone)
        text_add(&said, ": undone\n");
    else if (error_is_set(&err))
        text_add_named(&said, ": not undone: %s\n", err.text);
    else
        text_add(&said, "there is nothing to undo\n");
    terminal_print(text_string(&said), out);
    return undone ? (size_t)(undone - review->cases) : at;
}

void review_in_terminal(struct review *review, const char *folder, bool colour, FILE *in, FILE *out)
{
    fputs(review->count > 0
              ? "Words and numbers are the run's own; golden and actual are the golden here and what becomes it.\n"
              : "",
          out);
    FREED char *line = NULL;
    size_t capacity = 0, at = find_open(review, 0, true), shown = review->count;
    for (char key = 0; key != 'q';) {
        bool is_done = at == review->count;
        if (!is_done && at != shown)
            show_case(review, at, folder, colour, out);
        shown = at;
        fputs(is_done                     ? "All are decided. [u to undo, q] "
              : review->cases[at].refusal ? "What now? [s,u,d,j,k,q,?] "
                                          : "Make this the golden? [a,A,s,u,d,j,k,q,?] ",
              out);
        fflush(out);
        if (getline(&line, &capacity, in) < 0)
            break;
        if (!isatty(fileno(in))) /* a terminal shows what is typed */
            fprintf(out, "%.*s\n", (int)strcspn(line, "\n"), line);
        key = line[0] && (line[1] == '\n' || line[1] == '\0') ? line[0] : '?';
        if (!is_done && (key == 'a' || key == 'A' || key == 's')) {
            decide(review, at, key == 's' ? REVIEW_SKIPPED : REVIEW_ACCEPTED, key == 'A', out);
            at = find_open(review, at, true);
        } else if (!is_done && (key == 'j' || key == 'k')) {
            at = find_open(review, key == 'j' ? at + 1 : at, key == 'j');
        } else if (!is_done && key == 'd') {
            SCOPED(text) text = {0};
            report_case_body(review->cases[at].result, folder, colour, &text);
            terminal_print(text_string(&text), out);
        } else if (key == 'u') {
            at = undo(review, at, out);
        } else if (key != 'q') {
            fputs(help, out);
        }
    }
    fputs("\n", out);
}
