#ifndef RIGPROOF_REVIEW_SOURCE_H
#define RIGPROOF_REVIEW_SOURCE_H

/* The files of review/page/, which are added to the report's page (cmake/Embed.cmake writes the table). */
struct review_source {
    const char *name; /* "review.js" */
    const char *text; /* NUL-terminated */
};

extern const struct review_source review_sources[];
extern const unsigned review_source_count;

#endif
