/* The page: its sources from page/, the results as JSON, the pictures. Only page/report.html has placeholders. */
#include <string.h>

#include "report/escape.h"
#include "report/page_source.h"
#include "report/pictures.h"
#include "report/report.h"

/* What the page is made of. */
struct page {
    const struct results *results;
    const char *folder;
    struct text picture_index;
    struct text picture_files;
};

static const char *source(const char *name)
{
    for (unsigned i = 0; i < page_source_count; i++)
        if (strcmp(page_sources[i].name, name) == 0)
            return page_sources[i].text;
    return "";
}

static bool has_ending(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    return n >= m && strcmp(name + n - m, ending) == 0;
}

/* ---- what stands for a placeholder ----------------------------------------------------------------------------- */

static void add_title(const struct page *page, struct text *out)
{
    struct text tally = {0};
    report_tally(page->results, false, &tally);
    size_t length = strcspn(text_string(&tally), ":\n");
    text_add_bytes(out, text_string(&tally), length);
    text_add(out, " - ");
    escape_markup(page->results->suite, out);
    text_release(&tally);
}

static void add_style(const struct page *page, struct text *out)
{
    (void)page;
    text_add(out, source("report.css"));
}

static void add_scripts(const struct page *page, struct text *out)
{
    (void)page;
    for (unsigned i = 0; i < page_source_count; i++)
        if (has_ending(page_sources[i].name, ".js"))
            text_addf(out, "<script nonce=\"rigproof\">\n%s</script>\n", page_sources[i].text);
}

/* For where scripts do not run: the report of the terminal. */
static void add_text(const struct page *page, struct text *out)
{
    struct text text = {0};
    report_text(page->results, &(struct report_text_options){.folder = page->folder}, &text);
    escape_markup(text_string(&text), out);
    text_release(&text);
}

static void add_results(const struct page *page, struct text *out)
{
    struct text json = {0};
    results_write(page->results, &json);
    escape_script(text_string(&json), out);
    text_release(&json);
}

static void add_picture_index(const struct page *page, struct text *out)
{
    escape_script(text_string(&page->picture_index), out);
}

static void add_picture_files(const struct page *page, struct text *out)
{
    text_add_bytes(out, text_string(&page->picture_files), page->picture_files.size);
}

static const struct {
    const char *name;
    void (*add)(const struct page *page, struct text *out);
} placeholders[] = {
    {"{{title}}", add_title},     {"{{style}}", add_style},
    {"{{scripts}}", add_scripts}, {"{{text}}", add_text},
    {"{{results}}", add_results}, {"{{picture-index}}", add_picture_index},
    {"{{picture-files}}", add_picture_files},
};

/* Adds what stands for the placeholder at the start of `at`; returns its length. */
static size_t expand(const struct page *page, const char *at, struct text *out)
{
    for (size_t i = 0; i < sizeof placeholders / sizeof placeholders[0]; i++) {
        size_t length = strlen(placeholders[i].name);
        if (strncmp(at, placeholders[i].name, length) == 0) {
            placeholders[i].add(page, out);
            return length;
        }
    }
    text_add_bytes(out, at, 1);
    return 1;
}

void report_html(const struct results *results, const char *folder, struct text *out)
{
    struct page page = {.results = results, .folder = folder};
    pictures_embed(results, folder, &page.picture_index, &page.picture_files);
    for (const char *at = source("report.html"); *at;) {
        size_t plain = strcspn(at, "{");
        text_add_bytes(out, at, plain);
        at += plain;
        at += *at ? expand(&page, at, out) : 0;
    }
    text_release(&page.picture_index);
    text_release(&page.picture_files);
}
