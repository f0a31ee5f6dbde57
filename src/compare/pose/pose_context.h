#ifndef RIGPROOF_COMPARE_POSE_CONTEXT_H
#define RIGPROOF_COMPARE_POSE_CONTEXT_H

#include "compare/compare.h"
#include "compare/match/skeleton.h"

/* What the parts of compare_pose() share. */

/* What is known of a node of the golden, as far as the other side has it. */
struct node_state {
    int32_t other;      /* its index in the actual, or NO_INDEX */
    bool has_entry;     /* some palette entry is its */
    double local_gap;   /* how far its local transform alone moves what hangs on it, relative to the radius */
    double global_gap;  /* how far its global matrix is off, likewise */
    bool moved;         /* its own local transform differs, or one above it */
    bool broken;        /* its global is not its parent's times its local, or one above it is not */
};

/* One thing that differs, to be told in words. */
struct pose_fault {
    struct bone_error error;
    size_t order;       /* as found */
    bool benign;        /* its reason is told as a fault of the same stage */
    const char *what;   /* the sentence up to the figures */
    const char *why;    /* what goes after them; "" */
};

struct pose_faults {
    size_t count;
    size_t capacity;
    struct pose_fault *items;
};

struct pose_context {
    const struct pose_snapshot *golden;
    const struct pose_snapshot *actual;
    const struct import_snapshot *import; /* NULL */
    const struct tolerance *tolerance;
    struct findings *findings;
    struct pose_errors *out;
    struct arena *arena;
    double radius;
    double unit_meters;
    struct radius_table radii;
    struct skeleton golden_nodes;
    struct skeleton actual_nodes;
    struct node_state *nodes;  /* [golden->node_count] */
    struct name_index meshes;  /* of import, empty without one */
    struct name_index skins;   /* of golden->skin */
};

/* Half the diagonal of a skinned mesh of the golden; 0 when there is none of that name. */
double pose_skin_radius(const struct pose_context *context, const char *mesh);

void pose_add_error(struct pose_context *context, const struct bone_error *error);
void pose_add_fault(const struct pose_context *context, struct pose_faults *faults, const struct bone_error *error,
                    const char *what, const char *why);

/* Adds findings: the worst in words, the rest as one. `nouns` names the rest ("nodes"). */
void pose_report_faults(const struct pose_context *context, struct pose_faults *faults, const char *nouns);

/* A finding of this stage and time without figures. */
struct finding pose_finding(const struct pose_context *context, enum stage stage, const char *subject);

/* The rest of a finding: "off by 12.3 mm (0.9 % of the model's radius)". In the arena. */
const char *pose_off_by(const struct pose_context *context, const struct bone_error *error);

/* ---- the parts, in their order ----------------------------------------------------------------------------------- */

/* Local transforms. Fills nodes[].other and .moved. */
void pose_compare_locals(struct pose_context *context);

/* Morph weights, where both sides have any. A weight counts by how far it moves a vertex. */
void pose_compare_morphs(struct pose_context *context);

/* Global matrices: fills nodes[].global_gap and .broken, adds faults that begin there. Items of nodes without entry are
 * added by pose_add_globals(), after those of the palette. */
void pose_compare_globals(struct pose_context *context, struct pose_faults *faults);
void pose_add_globals(struct pose_context *context, struct pose_faults *faults);

/* Palette entries; those that only follow from a node that is told already are one finding. */
void pose_compare_palette(struct pose_context *context, struct pose_faults *faults);

#endif
