/* JUnit XML, as CI servers read it: a test case per case, so that the history of each can be followed. */
#include "base/file/file.h"
#include "base/file/path.h"
#include "report/escape.h"
#include "report/report.h"

enum verdict { VERDICT_PASS, VERDICT_FAILURE, VERDICT_ERROR, VERDICT_SKIPPED };

static enum verdict verdict_of(const struct case_result *result, bool strict)
{
    static const enum verdict verdicts[CASE_STATUS_COUNT] = {
        [CASE_ERROR] = VERDICT_ERROR,   [CASE_CRASH] = VERDICT_ERROR,  [CASE_TIMEOUT] = VERDICT_ERROR,
        [CASE_XFAIL] = VERDICT_SKIPPED, [CASE_SKIP] = VERDICT_SKIPPED,
    };
    enum verdict verdict = verdicts[result->status];
    return verdict == VERDICT_PASS && case_status_fails(result->status, strict) ? VERDICT_FAILURE : verdict;
}

static void add_attribute(const char *name, const char *value, struct text *out)
{
    text_addf(out, " %s=\"", name);
    escape_markup_line(value, out);
    text_add(out, "\"");
}

static void add_property(const char *name, const char *value, struct text *out)
{
    text_add(out, "<property");
    add_attribute("name", name, out);
    add_attribute("value", value, out);
    text_add(out, "/>");
}

static void add_counts(const struct results *results, struct text *out)
{
    size_t counts[4] = {0};
    for (size_t i = 0; i < results->case_count; i++)
        counts[verdict_of(&results->cases[i], results->strict)]++;
    text_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
              results->case_count + results->missing_count + results->not_run_count, counts[VERDICT_FAILURE],
              counts[VERDICT_ERROR] + results->missing_count + results->not_run_count, counts[VERDICT_SKIPPED]);
}

/* Pictures in the form that GitLab and Jenkins show beside a test. */
static void add_attachments(const struct case_result *result, const char *folder, struct text *out)
{
    SCOPED(text) paths = {0};
    for (uint32_t i = 0; i < result->time_count; i++) {
        const struct image_result *image = &result->times[i].image;
        const char *const files[] = {image->golden, image->actual, image->difference, image->heat, image->displacement};
        /* of a case that fails */
        bool is_wanted = image->state == IMAGE_DIFFERS || image->state == IMAGE_MISSING || image->state == IMAGE_SHOWN;
        for (size_t f = 0; is_wanted && f < sizeof files / sizeof files[0]; f++) {
            SCOPED(text) joined = {0};
            if (!files[f])
                continue;
            path_join(folder, files[f], &joined);
            text_add(&paths, "[[ATTACHMENT|");
            escape_markup_line(text_string(&joined), &paths);
            text_add(&paths, "]]\n");
        }
    }
    if (paths.size > 0)
        text_addf(out, "   <system-out>%s</system-out>\n", text_string(&paths));
}

static void add_case(const struct results *results, const struct case_result *result, const char *folder,
                     const char *class_name, struct text *out)
{
    static const char *const elements[] = {
        [VERDICT_FAILURE] = "failure", [VERDICT_ERROR] = "error", [VERDICT_SKIPPED] = "skipped"};
    enum verdict verdict = verdict_of(result, results->strict);
    text_add(out, "  <testcase");
    add_attribute("name", result->name, out);
    add_attribute("classname", class_name, out);
    add_attribute("file", results->suite, out);
    if (result->line > 0)
        text_addf(out, " line=\"%u\"", result->line);
    if (verdict == VERDICT_PASS && result->status == CASE_PASS && !report_is_partial(result, false) &&
        !result->subject) {
        text_add(out, "/>\n");
        return;
    }
    text_add(out, ">\n");
    if (result->subject) {
        text_add(out, "   <properties>");
        add_property("subject", result->subject, out);
        text_add(out, "</properties>\n");
    }
    SCOPED(text) line = {0};
    if (verdict == VERDICT_PASS) { /* drift, or not every stage was compared: there is something to say */
        report_case_line(result, false, &line);
        report_subject(result, &line);
        text_add(out, "   <system-out>");
        escape_markup(text_string(&line), out);
        text_add(out, "</system-out>\n");
    } else {
        report_case_sentence(result, &line);
        text_addf(out, "   <%s", elements[verdict]);
        add_attribute("message", line.size > 0 ? text_string(&line) : case_status_names[result->status], out);
        if (verdict == VERDICT_SKIPPED) {
            text_add(out, "/>\n");
        } else {
            SCOPED(text) full = {0};
            report_case_text(result, folder, false, &full);
            add_attribute("type",
                          result->stage == STAGE_NONE ? case_status_names[result->status] : stage_name(result->stage),
                          out);
            text_add(out, ">");
            escape_markup(text_string(&full), out);
            text_addf(out, "</%s>\n", elements[verdict]);
        }
        add_attachments(result, folder, out);
    }
    text_add(out, "  </testcase>\n");
}

/* Shards and cases that nobody has run: errors, since nothing is known of them. */
static void add_absent(const char *const *names, size_t count, const char *message, const char *class_name,
                       struct text *out)
{
    for (size_t i = 0; i < count; i++) {
        text_add(out, "  <testcase");
        add_attribute("name", names[i], out);
        add_attribute("classname", class_name, out);
        text_addf(out, ">\n   <error message=\"%s\"/>\n  </testcase>\n", message);
    }
}

void report_junit(const struct results *results, const char *folder, struct text *out)
{
    SCOPED(text) class_name = {0};
    size_t folders = (size_t)(path_base(results->suite) - results->suite);
    text_add_bytes(&class_name, results->suite, folders + path_stem_length(results->suite));
    text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rigproof\"");
    add_counts(results, out);
    text_add(out, " <testsuite");
    add_attribute("name", results->suite, out);
    add_counts(results, out);
    if (results->judged || results->shader_warning_count > 0)
        text_add(out, "  <properties>");
    if (results->judged)
        add_property("judged", results->judged, out);
    for (size_t i = 0; i < results->shader_warning_count; i++)
        add_property("shader-warning", results->shader_warnings[i], out);
    if (results->judged || results->shader_warning_count > 0)
        text_add(out, "</properties>\n");
    for (size_t i = 0; i < results->case_count; i++)
        add_case(results, &results->cases[i], folder, text_string(&class_name), out);
    add_absent(results->missing, results->missing_count, "its results are missing", text_string(&class_name), out);
    add_absent(results->not_run, results->not_run_count, "it was not run", text_string(&class_name), out);
    text_add(out, " </testsuite>\n</testsuites>\n");
}
