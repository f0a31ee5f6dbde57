#ifndef RIGPROOF_COMPARE_IMPORT_OFFSETS_H
#define RIGPROOF_COMPARE_IMPORT_OFFSETS_H

#include "compare/import/import_context.h"
#include "compare/match/matrix_change.h"

/* The offset matrices of one mesh: what happened to all of them at once, else to each. */

/* One bone whose offset matrix changed. */
struct offset_change {
    struct finding finding;
    const char *bone;
    struct affine_d was; /* mesh space -> bone space */
    struct affine_d now;
    double bone_scale; /* bone space -> scene units */
    double influence_radius;      /* scene units: how far its vertices are from it */
    bool told;
};

struct offset_changes {
    const char *mesh; /* in a sentence: mesh_text() */
    size_t bones; /* of the mesh, on both sides */
    size_t count; /* of items: those whose matrices differ */
    struct offset_change *items;
    const struct affine_d *others; /* [bones] the golden's matrices, for finding exchanged ones */
    const char **names;           /* [bones] */
    double mesh_scale;            /* mesh space -> scene units */
};

/* Adds what is common to several bones to `together` (one item a mesh), the others to `each`. */
void report_offsets(const struct import_context *context, struct offset_changes *changes, struct grouping *together,
                  struct grouping *each);

#endif
