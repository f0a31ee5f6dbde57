#ifndef RIGPROOF_SUITE_DIFF_CASE_H
#define RIGPROOF_SUITE_DIFF_CASE_H

#include "data/image/image.h"
#include "suite/diff/diff.h"

/*
 * One comparison of files -> one case_result, memory in `arena`. False with err set (exit code 2) when a file is damaged; one that
 * only one side has is a finding or makes the case `missing`. Where a folder has poses and nothing else, poses are compared.
 */

enum { DIFF_FILE_LIMIT = 1 << 30 };

bool diff_case(const char *a, const char *b, const char *name, const struct diff_options *options, struct arena *arena,
               struct case_result *result, struct error *err);

/* A case that only one of two trees has. */
void diff_lone_case(const char *tree, const char *name, const struct diff_options *options, struct arena *arena,
                    struct case_result *result);

enum kind { KIND_PNG, KIND_POSE, KIND_IMPORT, KIND_CASE, KIND_TREE };

/* Two files of a kind: pictures, poses or imports. */
bool diff_files(enum kind kind, const char *a, const char *b, const struct diff_options *options, struct arena *arena,
                struct case_result *result, struct error *err);

/*
 * The figures of two pictures that differ, and what differs as <output>/<stem>.difference.png and .heat.png; output NULL:
 * the figures alone. Nothing where the sizes differ.
 */
bool diff_draw(const struct image *golden, const struct image *actual, const char *output, const char *stem,
               struct arena *arena, struct image_result *out, struct error *err);

#endif
