#pragma once

#include "data/measure.h"
#include "diagnose/variant.h"

/*
 * Evidence is what theirs gives, found in the scene; a variant is held against it. A unit is a node with all that is
 * given of it (local, global, the entries that follow it), or a vertex. Displacements are shares of the model's radius:
 * of a matrix the largest of a point at the bone's influence radius; of a normal a hundredth of the difference, so that
 * one tolerance serves both.
 */

struct given_matrix {
    uint32_t about; /* node, or binding */
    struct matrix theirs;
    double points[4][3]; /* in the space that the matrix maps from; what is measured at */
    double scale;        /* from the space that it maps to, to scene units */
};

struct given_local {
    uint32_t node;
    struct matrix theirs;
    struct transform parts; /* of which it is made */
    double reach, scale;
};

struct given_vertex {
    uint32_t instance, vertex;
    float position[3], normal[3];
    bool has_normal;
};

struct unit {
    uint32_t node;          /* or NO_NODE: a vertex */
    int32_t local, global;  /* into the lists, or NO_INDEX */
    uint32_t first_entry;   /* into `entry_order` */
    uint32_t entry_count;
    int32_t vertex;
    double was;             /* displacement of the reference */
    bool is_finite;
};

struct evidence {
    const struct diagnosis_input *input;
    double radius;      /* of the model */
    double tolerance;
    const double *reaches; /* [binding_count] of a bone's farthest vertex, in bone space */
    double rounding; /* of theirs, where most of it is far away: floats round relative to that */
    uint32_t local_count, global_count, entry_count, vertex_count;
    struct given_local *locals;
    struct given_matrix *globals, *entries; /* entries sorted by node */
    struct given_vertex *vertices;
    uint32_t unit_count, bone_units; /* bones first, then vertices */
    uint32_t differ_count;
    struct unit *units;
    bool is_finite;
    bool is_solved; /* entries are those of evidence_solve() */
    bool is_unordered; /* vertices may come in another order than ours */
    uint32_t placed_count; /* of all of theirs */
    struct placed *placed; /* NULL: nobody has asked for the order yet */
    bool is_strict; /* a local is what the variant makes of it, and not what it makes it of */
};

/* Says how well a variant does. */
struct score {
    double worst;      /* largest displacement that is left, of units that differ or did, as in the next */
    double left, was;  /* sums of squares */
    /* units that agree now, that do not any more, and that are farther off than before */
    uint32_t explained, broken, worse_off;
    uint32_t said;     /* units that the variant says anything of */
    bool is_said;      /* of most */
    bool is_full;      /* every unit agrees */
};

/* Also notes what the reference itself is off by. */
struct evidence *evidence_gather(const struct diagnosis_input *input, struct replay *replay, struct arena *arena);

/* Makes units of what is given, by node, then the vertices, and notes what the reference is off by. */
void evidence_index(struct evidence *evidence, struct replay *replay, struct arena *arena);

/* Puts theirs' vertices in our order, where the variant makes the same set of points, however many stand at one.
 * Returns whether it does. */
bool evidence_order(struct evidence *evidence, struct replay *replay, const struct variant *variant,
                    struct arena *arena);

/* The part of theirs that is looked at. */
enum evidence_kind { EVIDENCE_LOCALS, EVIDENCE_GLOBALS, EVIDENCE_ENTRIES, EVIDENCE_VERTICES };

/* That kind alone, measured by the replay as it stands: its variant right, with what it was given. Shares the lists of
 * `whole`. */
struct evidence *evidence_only(const struct evidence *whole, enum evidence_kind kind, struct replay *replay,
                               struct arena *arena);

/* Some components (bits) of the locals alone: theirs' matrices and the replay's hold nothing else from now on. */
struct evidence *evidence_components(const struct evidence *whole, unsigned components, struct replay *replay,
                                     struct arena *arena);

/* The points of an entry of `about`. */
void evidence_entry_points(const struct evidence *evidence, struct given_matrix *entry);

/* Entries that were solved from theirs' vertices by the right weights, those that these determine, in place of all;
 * their tolerance is that of floats that were solved for: what is found by them is to be shown by the vertices. */
struct evidence *evidence_solve(const struct evidence *whole, struct replay *replay, struct arena *arena);

/* Points of a bone: its origin, and as far along each axis as its vertices reach. */
void evidence_points(const double center[3], double reach, double points[4][3]);

/* Displacement of a unit by the variant that the replay is set to; negative: the variant says nothing of it. */
double evidence_measure(const struct evidence *evidence, struct replay *replay, const struct unit *unit);

/* The same, for which stage: the largest of locals, of globals and entries, of vertices. */
void evidence_by_stage(const struct evidence *evidence, struct replay *replay, double worst[CAUSE_STAGES]);

/* Sets the replay. `stride`: every how manyth unit is looked at, besides those that differ where these are few. */
struct score evidence_score(const struct evidence *evidence, struct replay *replay, const struct variant *variant,
                            uint32_t stride);

/* Returns whether the variant agrees with a few telling units: sets the replay, and is fast where it does not. */
bool evidence_probe(const struct evidence *evidence, struct replay *replay, const struct variant *variant,
                    const uint32_t *probes, uint32_t probe_count);

/*
 * The same as a row of numbers, to compare variants with each other and with theirs: what a variant (or NULL: theirs)
 * has for what is given of every `stride`th unit, lengths in radii of the model. Returns how many; what a variant does
 * not say is as theirs.
 */
size_t evidence_numbers(const struct evidence *evidence, struct replay *replay, const struct variant *variant,
                        uint32_t stride, double *out);
size_t evidence_number_count(const struct evidence *evidence, uint32_t stride);

/* The displacement between an entry of theirs and that matrix. */
double evidence_entry_gap(const struct evidence *evidence, uint32_t entry, const struct matrix *ours);
