/* The conventions that were solved, in words for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/vector.h"
#include "subject/resolving.h"

void subject_describe_frame(const struct frame *frame, const char *of, struct text *out)
{
    static const char letters[] = "xyz";
    const bool converts = memcmp(&frame->right, &affine_d_identity, sizeof affine_d_identity) != 0;
    const struct affine_d *map = converts ? &frame->right : &frame->left;
    char axes[3][3] = {"", "", ""};
    double size = 0.0;
    bool is_axes = true, is_plain = true;
    if (!frame->is_solved)
        return;
    text_addf(out, "%s%s ", out->size > 0 ? "; " : "", of);
    if (frame->is_root) {
        text_add(out, "are in the root's space");
        return;
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            if (map->column[c][r] != 0.0) {
                const double value = map->column[c][r];
                is_axes = is_axes && axes[r][0] == '\0' && (size == 0.0 || fabs(fabs(value) - size) < 1e-5 * size);
                size = fabs(value);
                snprintf(axes[r], sizeof axes[r], "%s%c", value < 0 ? "-" : "", letters[c]);
                is_plain = is_plain && r == c && value > 0;
            }
    is_axes = is_axes && vec3d_length(map->column[3]) <= 0.0;
    if (!is_axes) {
        text_addf(out, "are placed by a constant matrix (to %.4g, %.4g, %.4g)", map->column[3][0], map->column[3][1],
                  map->column[3][2]);
        return;
    }
    text_add(out, converts ? "are converted: " : "are placed: ");
    if (fabs(size - 1.0) > 1e-6)
        text_addf(out, "unit %.6g%s", size, is_plain ? "" : ", ");
    if (!is_plain)
        text_addf(out, "axes %s, %s, %s", axes[0], axes[1], axes[2]);
}

void subject_describe_solution(const struct subject_solution *solution, struct text *out)
{
    const struct subject_solution *s = solution;
    if (s->storage_solved)
        text_addf(out, "matrices are stored as %s", storage_words[s->storage]);
    subject_describe_frame(&s->nodes, "nodes", out);
    if (s->turns)
        text_addf(out, "%s%u node%s axes of %s own", out->size > 0 ? "; " : "", s->turn_count,
                  s->turn_count == 1 ? " has" : "s have", s->turn_count == 1 ? "its" : "their");
    subject_describe_frame(&s->palette, "palette matrices", out);
    if (!s->nodes.is_solved && !s->palette.is_solved)
        subject_describe_frame(&s->skin, "vertices", out);
    if (s->mistake[0])
        text_addf(out, "%s%s", out->size > 0 ? "; " : "", s->mistake);
    if (s->bones[0])
        text_addf(out, "%sthe palette is %s", out->size > 0 ? "; " : "", s->bones);
    if (s->vertices[0])
        text_addf(out, "%s%s", out->size > 0 ? "; " : "", s->vertices);
    if (s->strangers[0])
        text_addf(out, "%s%s", out->size > 0 ? "; " : "", s->strangers);
    if (s->names[0])
        text_addf(out, "%s%s", out->size > 0 ? "; " : "", s->names);
}
