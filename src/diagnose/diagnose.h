#pragma once

#include "animate/tracks.h"
#include "base/json.h"
#include "data/image/image.h"
#include "data/record/snapshot.h"

/*
 * Names the kind of mistake that turns the reference's numbers into theirs. The reference is replayed with one mistake
 * after another (causes.h has the table), then with two at once; what reproduces theirs to rounding is named, the
 * smallest first.
 */

struct variant; /* diagnose/variant.h */
struct search;  /* diagnose/search.h, as the next */
struct trial;

struct diagnosis_input {
    const struct scene *scene; /* with all influences where skinned vertices are to be explained by weights */
    /* what plays; NULL: a pose, or a mix of clips: the mistakes of sampling are then not replayed */
    const struct clip *clip;
    double time;               /* seconds, as asked for: not wrapped */
    enum wrap wrap;
    double previous_time;      /* that theirs was asked for before this one; NaN: not known */
    const struct pose *pose;   /* the reference's at that time; globals are computed again */
    enum palette_space space;  /* of both palettes and skinned vertices */
    uint32_t influences;       /* most per vertex that the reference skins with, 0: all that the scene has */
    bool is_dual;              /* the reference skins by dual quaternions */
    bool sums_to_one;          /* the reference divides weights by their sum, and the scene has them as the file does */
    /*
     * Theirs, in our conventions as far as they were solved: unit, axes and transposition are found here where they
     * were not. Nodes, entries and meshes in any order, by the scene's names; of equal names the k-th is the scene's
     * k-th. What is not given: nodes[i].left_out (POSE_LOCAL, POSE_GLOBAL), the same for all in `left_out`, entries
     * and meshes that are not there, vertices with a position_count of 0. `vertices`, `min`, `max` and `centroid` are
     * not looked at. The matrices may have any last row, and numbers that are not finite.
     */
    const struct pose_snapshot *theirs;
    /*
     * This was found in theirs' nodes and palette, where these are explained already (or the right variant, where they
     * agree) and `theirs` is the vertices: only mistakes of weights and of skinning are looked for, on top of it. NULL:
     * nothing is known.
     */
    const struct variant *base;
    bool skins_theirs; /* beside `base`: vertices are made of theirs' palette, if all of it is given */
    double tolerance; /* of a displacement as a share of the model's radius; 0: 1e-5 */
};

/* Says where in the pipeline a mistake is, and the first stage that differs. */
enum cause_stage { CAUSE_IMPORT, CAUSE_ANIMATE, CAUSE_PALETTE, CAUSE_SKIN, CAUSE_DRAW, CAUSE_STAGES };
extern const char *const cause_stage_names[CAUSE_STAGES];

enum parameter_kind {
    PARAMETER_NONE,
    PARAMETER_FACTOR,  /* a scale, a ratio of rates */
    PARAMETER_SECONDS, /* the time of the clip at which ours is theirs */
    PARAMETER_COUNT,   /* bones, influences, places in a list; may be negative */
    PARAMETER_RATE,    /* per second */
};

struct cause {
    const char *id;       /* "parent-order" */
    enum cause_stage stage;
    const char *sentence; /* "the parent is multiplied on the wrong side (local x parent)" */
    const char *remedy;   /* in the terms of the text that was probably followed */
    enum parameter_kind kind;
    double parameter;
    /* the parameter in words, or which of the cause's guesses it is: "one frame late (24 a second)"; or NULL */
    const char *detail;
    const char **bones;   /* [bone_count] the only ones that have it; NULL: all */
    uint32_t bone_count;
};

enum { CAUSES_MOST = 6 }; /* four of nodes and palette, two of the vertices */

/* The rest beside the causes of an explanation: it is small, and no unit is worse off. */
struct drift {
    double size;        /* the largest displacement, as a share of the model's radius; 0: nothing is left */
    const char *like;   /* the id of a cause that makes drift and explains this one, or NULL */
    const char *detail; /* of that: "16 bits"; or NULL */
};

/* One cause, or several at once, and how well they do. */
struct explanation {
    uint32_t cause_count;
    struct cause causes[CAUSES_MOST]; /* in the order of the stages */
    double explains;                  /* 0..1 of the sum of squared displacements; 1: all of it to rounding */
    double residual;                  /* the largest displacement that is left, as a share of the model's radius */
    uint32_t explained;               /* of the bones (or vertices) that differ; of several stages the most */
    uint32_t broken;                  /* of those that agreed, differ now */
    struct drift drift;               /* of one that is named although it does not explain all */
    const struct variant *variant;            /* NULL of a picture */
    /* the only guess of a search of all that is given, and that search; NULL: several, or of a stage */
    const struct search *search;
    const struct trial *trial;
};

enum { STARTS_MOST = 8 };

struct diagnosis {
    uint32_t compared; /* bones with anything given; of skinned vertices alone: vertices */
    uint32_t differ;
    const char *counts;     /* what: "bones", "vertices", "pixels" */
    enum cause_stage first; /* that is given and differs: animate, palette or skin */
    double displacement;    /* the largest, as a share of the model's radius */
    bool is_finite;         /* false: theirs has numbers that are not, and explanations leave these entries out */
    /*
     * Those that explain all (explains == 1), equally good; where there is none, those that leave a hundredth of the
     * sum of squares at most and make no unit worse (explains >= 0.99, `drift` says what is left); where there is none
     * either, the best partial one, never to be named as the cause. 0: nothing differs, or nothing helps.
     */
    uint32_t explanation_count;
    struct explanation *explanations;
    uint32_t full_count; /* of these are named, all or none but the partial one; 1: the cause is known */
    double tells;        /* a time of the clip at which the first two full ones differ; NaN: none, or no need */
    /* vertices that differ without a cause from what the explained palette makes of them, and by how much most */
    uint32_t unexplained_vertices;
    double unexplained_displacement;
    uint32_t start_count; /* topmost bones where the difference starts, by displacement */
    const char *starts[STARTS_MOST];
};

/* In the arena, which must not be the scene's. Everything is bounded by the scene's size and theirs. */
struct diagnosis *diagnose(const struct diagnosis_input *input, struct arena *arena);

/*
 * The same of two pictures: flipped, encoded or multiplied twice, mirrored, half a pixel off. Of explanations
 * only those in full. Only of pictures of one size, and
 * only where no number before them differs: pictures of other poses are no mistake of drawing.
 */
struct diagnosis *diagnose_picture(const struct image *ours, const struct image *theirs, struct arena *arena);

/*
 * Joins `all`, which explains nodes and palette and has their numbers, with `skin`, which was made on top of it: each
 * of theirs with each of the vertices'. `all` itself where `skin` explains nothing in full: then it says what stays
 * without a cause.
 */
struct diagnosis *diagnosis_join(struct diagnosis *all, const struct diagnosis *skin, struct arena *arena);

/* False where the cause would make another pose of the model, `then` with its time and theirs, other than theirs is.
 * True where it is not known what it makes then. */
bool diagnosis_holds(const struct explanation *explanation, const struct diagnosis_input *then, struct arena *arena);

/* Sentences for people, a line each, with "cause: ID"; nothing where nothing differs. */
void diagnosis_write_text(const struct diagnosis *diagnosis, struct text *out);

/* "; only at `arm_L`, `arm_R`", a few of them; nothing of a cause that all bones have. */
void diagnosis_write_bones(const struct cause *cause, struct text *out);

/* The members "causes", "tells", "starts", "compared", "differ" into the object that is open. */
void diagnosis_write_json(const struct diagnosis *diagnosis, struct json_writer *json);
