/* results.json, and every report of it. */
#include "report/report.h"
#include "target_json.h"

static void report(const struct results *results)
{
    struct text text = {0};
    const struct report_text_options options = {.folder = "out", .colour = true, .details = 2};
    report_text(results, &options, &text);
    report_junit(results, "out", &text);
    report_github_annotations(results, "suite.yaml", &text);
    report_github_summary(results, "out", &text);
    report_html(results, "out", &text);
    for (size_t i = 0; i < results->case_count; i++) {
        report_case_line(&results->cases[i], false, &text);
        report_case_text(&results->cases[i], "", false, &text);
    }
    text_release(&text);
}

static bool rewrite(const void *data, size_t size, struct text *out)
{
    struct error err = {0};
    struct results *results = results_read(data, size, "results.json", &err);
    if (results) {
        report(results);
        results_write(results, out);
    }
    results_free(results);
    return results != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return target_rewrite(rewrite, data, size);
}
