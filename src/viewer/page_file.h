#ifndef RIGPROOF_VIEWER_PAGE_FILE_H
#define RIGPROOF_VIEWER_PAGE_FILE_H

/* The files of viewer/page/, embedded at build time (cmake/Embed.cmake writes the table). */
struct page_file {
    const char *name; /* "model.js" */
    const char *text; /* NUL-terminated */
};

extern const struct page_file page_files[];
extern const unsigned page_file_count;

#endif
