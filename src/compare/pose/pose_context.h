#pragma once

#include "compare/compare.h"
#include "compare/match/skeleton.h"
#include "data/measure.h"

/*
 * The parts of compare_pose() share this. First everything that differs is measured, whatever the tolerance: a record
 * (struct pose_difference) each. pose_describe.c makes findings of those that are beyond it.
 */

/* The state of a node of the golden, as far as the other side has it. */
struct node_state {
    int32_t other;        /* its index in the actual, or NO_INDEX */
    bool has_entry;       /* some palette entry is its */
    double local_gap;     /* how far its local transform alone moves what hangs on it, relative to the radius */
    double gap_above;     /* the largest local_gap of it and of all above it */
    bool by_import;       /* the import brings the local_gap about */
    bool hangs_elsewhere; /* it, or one above, has another parent, as the import has it on both sides */
    /* likewise how far globals are from their parents' times their locals; 0 where the golden's are */
    double residual_above;
};

/* Directions of normals that differ by less are equal; beyond that a degree counts as a thousandth of the radius. */
#define NORMAL_DEGREES 0.1
#define DEGREES_OF_TOLERANCE 1000.0

enum difference_kind {
    DIFFERS_LOCAL,  /* a node's local transform */
    DIFFERS_MORPH,  /* a morph weight */
    DIFFERS_RESIDUAL, /* a node's global that is not its parent's times its own local transform */
    DIFFERS_ENTRY,  /* a palette entry */
    DIFFERS_GLOBAL, /* the global of a node that no entry speaks for */
};

struct pose_difference {
    enum difference_kind kind;
    struct bone_result error;
    double measure;     /* what is held against the tolerance `shell` */
    uint32_t was, now;  /* indices of the nodes, entries or lists of weights */
    uint32_t target;    /* of DIFFERS_MORPH */
    int32_t node;       /* of DIFFERS_ENTRY: the golden's node, or NO_INDEX */
    bool follows;       /* of DIFFERS_ENTRY: it is what the actual's global of its node makes of it */
    bool beside;        /* of DIFFERS_ENTRY: it is what remains beside that */
    struct affine_d from; /* of DIFFERS_ENTRY: what it is off from */
    bool by_import;     /* the import brings it about */
    bool unverified;    /* it cannot be said whether it does */
};

struct pose_context {
    const struct pose_snapshot *golden;
    const struct pose_snapshot *actual;
    const struct import_snapshot *import; /* the golden's; NULL */
    const struct import_snapshot *actual_import; /* NULL: the same, or not known */
    struct findings *findings;
    struct pose_errors *out;
    struct arena *arena;
    double radius;
    double unit_meters;
    struct radius_table radii, actual_radii;
    struct skeleton golden_nodes;
    struct skeleton actual_nodes;
    struct node_state *nodes; /* [golden->node_count] */
    struct name_index meshes; /* of import, empty without one */
    struct name_index skins;  /* of golden->skin */
    size_t difference_count;
    struct pose_difference *differences; /* malloc'd */
};

/* An entry of both sides. */
struct entry_pair {
    const struct palette_snapshot *was;
    int32_t node;             /* of the golden, or NO_INDEX */
    struct affine_d mesh_was; /* mesh space -> palette space */
    struct affine_d mesh_now;
    double influence_radius;  /* palette space */
    int point_count;
    double points[8][3]; /* mesh space: what is judged by */
    double origin[3];    /* mesh space: of the bone */
};

struct entry_pair pose_entry_pair(const struct pose_context *context, const struct palette_snapshot *was,
                                  const struct palette_snapshot *now);

/* Fills the result and the differences. */
void pose_measure(struct pose_context *context);

/* Returns whether what is off by `distance` is explained by something that it is `gap` from: but for a thousandth of
 * what it is off, and for what passes by default. */
bool pose_follows(const struct pose_context *context, double gap, double distance);

/* Returns whether the import brings a difference about. A local transform, over points of the node seen from
 * `around`, its parent; sets `unverified` where nobody can tell. */
bool pose_import_explains_local(const struct pose_context *context, struct pose_difference *difference,
                                const struct affine_d *around, const double (*points)[3]);
bool pose_import_explains_morph(const struct pose_context *context, struct pose_difference *difference);

/* That a node has another parent. */
bool pose_import_explains_parent(const struct pose_context *context, uint32_t was, uint32_t now);

/* An entry that is off by `distance` from what its node makes of it; `other` is the node of the actual. */
bool pose_import_explains_entry(const struct pose_context *context, const struct entry_pair *pair,
                                const struct palette_snapshot *now, int32_t other, double distance);

/* The same for a thing that only one side has; `context` as in a match_key. */
bool pose_import_explains_one_sided(const struct pose_context *context, enum difference_kind kind, const char *name,
                                    const char *in);

/* Returns whether the import says that the mesh looks different, or that bones of this name are other nodes now. */
bool pose_import_says_of(const struct pose_context *context, enum fault_subject about, const char *name);

/* The clip of that name; NULL: there is none, or no name. */
const struct clip_snapshot *pose_find_clip(const struct import_snapshot *import, const char *name);

/* Half the diagonal of a skinned mesh of the golden; 0 when there is none of that name. */
double pose_skin_radius(const struct pose_context *context, const char *mesh);

/* A finding of this stage and time without figures. */
struct finding pose_finding(const struct pose_context *context, enum finding_code code, const char *subject);

/* Reports things that only one side has: nodes, lists of morph weights, palette entries (`kind`). `state`:
 * "missing", "new". */
void pose_report_one_sided(const struct pose_context *context, enum difference_kind kind, const struct match_list *list,
                           const int32_t *matched, const char *state);

/* Returns whether a mesh is a part of another by its name: "body-0" of "body". */
bool pose_is_part_of(const char *part, const char *whole);

/*
 * Both comparisons of two poses begin with this; the rest is zero. Where the import has meshes of one name they are
 * numbered, there and in both poses: a bone of each is then a bone of its own. Only where the poses are of one form,
 * which is that of the import.
 */
struct pose_context pose_context_of(const struct pose_snapshot *golden, const struct pose_snapshot *actual,
                                    const struct import_snapshot *import, const struct import_snapshot *actual_import,
                                    struct findings *findings, struct pose_errors *out);

/* Describes all differences: the worst in words, the rest together. */
void pose_describe(struct pose_context *context);
