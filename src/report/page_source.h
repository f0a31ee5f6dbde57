#ifndef RIGPROOF_REPORT_PAGE_SOURCE_H
#define RIGPROOF_REPORT_PAGE_SOURCE_H

/* The files of report/page/, embedded at build time (cmake/Embed.cmake writes the table). */
struct page_source {
    const char *name; /* "report.html" */
    const char *text; /* NUL-terminated */
};

extern const struct page_source page_sources[];
extern const unsigned page_source_count;

#endif
