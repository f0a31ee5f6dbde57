#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "data/result/finding_codes.h"

/* The nouns of a comparison, that `compare` fills in and `report` shows. */

/* In the order in which they are compared: the first that differs is a culprit. */
enum stage { STAGE_IMPORT, STAGE_ANIMATE, STAGE_PALETTE, STAGE_SKIN, STAGE_DRAW, STAGE_COUNT, STAGE_NONE = -1 };

/* "none", "import", "animate", "palette", "skin", "draw". */
extern const char *const stage_names[1 + STAGE_COUNT];
const char *stage_name(enum stage stage);
enum stage stage_find(const char *name); /* STAGE_NONE: there is none of that name, or it is NULL */

/*
 * Says how much may differ: the one list of tolerances. Lengths are fractions of the model's radius. A row has the
 * member and key of results.json, its type (DOUBLE or COUNT), its key in a suite, the default, the largest, and
 * FIELD_OMITTED where results.json has it only when it is not 0.
 *
 *     import      numbers of import.json: lengths by the radius, others by their size
 *     shell       animate, palette, skin: how far a point moves
 *     skin        GPU against CPU
 *     agree       point sets of a case and the case it agrees with
 *     framing     the camera that the run chooses against the golden's: lengths by the radius, angles in radians
 *     influences  of a mesh's vertices that may have another number of influences
 *     keys        of a component of a channel, that may come or go
 *     pixel_delta largest difference of a channel that does not count
 *     pixel_share of the foreground that may differ by more
 */
// clang-format off
#define TOLERANCES(ROW)                                                                                                \
    ROW(import, DOUBLE, "import", 1e-5, 1, 0)                                                                          \
    ROW(shell, DOUBLE, "shell", 1e-5, 1, 0)                                                                            \
    ROW(skin, DOUBLE, "skin", 1e-5, 1, 0)                                                                              \
    ROW(agree, DOUBLE, "agree", 1e-5, 1, 0)                                                                            \
    ROW(framing, DOUBLE, "framing", 1e-4, 1, 0)                                                                        \
    ROW(influences, DOUBLE, "influences", 0, 1, FIELD_OMITTED)                                                         \
    ROW(keys, COUNT, "keys", 0, 1000000, FIELD_OMITTED)
#define PIXEL_TOLERANCES(ROW) /* below `pixels` of a suite */ \
    ROW(pixel_delta, COUNT, "delta", 8, 255, 0)                                                                        \
    ROW(pixel_share, DOUBLE, "share", 0.0002, 1, 0)

/*
 * This is the list of what is measured: a row has its name, the tolerance that it is held against, its stage, its key
 * in results.json with the flags of that, what is still sane, what goes unseen beyond that, and what is said where it
 * alone is known to differ. Importers, compilers and rasterisers differ by much less than what is sane; what one sees
 * or feels in a game is more. A thousandth of the radius is 1 mm of a person who is 2 m tall.
 */
#define MEASURES(ROW)                                                                                                  \
    ROW(IMPORT, import, IMPORT, "import", 0, 1e-3, "hides keys, weights or bounds that are visibly others",            \
        "what was imported differs")                                                                                   \
    ROW(LOCAL, shell, ANIMATE, "animate", 0, 1e-3, "of the model's radius hides a wrong limb",                         \
        "local transforms differ") /* and morph weights */                                                             \
    ROW(SHELL, shell, PALETTE, "palette", 0, 1e-3, "of the model's radius hides a wrong limb", "matrices differ")      \
    ROW(SKIN, skin, SKIN, "skin", 0, 1e-3, "of the model's radius hides a shader that skins wrongly",                  \
        "the GPU's vertices differ from the CPU's")                                                                    \
    ROW(AGREE, agree, SKIN, "agree", 0, 1e-3, "of the model's radius hides a wrong limb",                              \
        "skinned points are not the same")                                                                             \
    ROW(PIXEL_SHARE, pixel_share, DRAW, "pixel_share", 0, 1e-2, "of the foreground hides a hand that is missing",      \
        "pictures differ")                                                                                             \
    ROW(FRAMING, framing, DRAW, "framing", 0, 1e-2, "hides a camera that shows something else", "the framing changed") \
    ROW(SKINNED, shell, SKIN, "skinned", FIELD_OMITTED, 1e-3, "of the model's radius hides a wrong limb",              \
        "skinned meshes differ") /* from the golden's */                                                               \
    ROW(INFLUENCES, influences, IMPORT, "influences", FIELD_OMITTED, 1e-2,                                             \
        "of the vertices hides a bone whose weights are gone", "vertices have another number of influences")           \
    ROW(KEYS, keys, IMPORT, "keys", FIELD_OMITTED, 2, "keys of a channel hide a movement that is gone",                \
        "keys came or went")
// clang-format on

typedef double tolerance_DOUBLE;
typedef int tolerance_COUNT;
struct tolerance {
#define ROW(member, type, key, standard, most, flags) tolerance_##type member;
    TOLERANCES(ROW) PIXEL_TOLERANCES(ROW)
#undef ROW
};
extern const struct tolerance tolerance_defaults;

/* The limits that measures are held against. */
enum tolerance_key {
    TOLERANCE_NONE, /* no tolerance allows it: a name, a count, a thing that is missing */
#define ROW(name, ...) TOLERANCE_##name,
    MEASURES(ROW)
#undef ROW
    TOLERANCE_COUNT
};

/* The member of a `tolerance` that sets it: "none", "import", "shell" ... "pixel_share". */
extern const char *const tolerance_key_names[TOLERANCE_COUNT];

/* Words for a measure that is known to be beyond its tolerance and no more: "matrices differ". */
const char *tolerance_differs(enum tolerance_key key);

/* The stage whose measures it is held against; STAGE_NONE for TOLERANCE_NONE. */
enum stage tolerance_stage(enum tolerance_key key);

/* Returns what a measure may be at most; 0 for TOLERANCE_NONE. */
double tolerance_of(const struct tolerance *tolerance, enum tolerance_key key);

/* Returns what a tolerance may be set to at most. */
double tolerance_most(enum tolerance_key key);

/* Says what goes unseen under a tolerance so wide; NULL: it is a sane one. */
const char *tolerance_risk(enum tolerance_key key, double tolerance);

/*
 * One thing that moved. Names come from a model: whoever writes HTML or XML escapes them. Figures that do not apply
 * are NAN.
 */
struct finding {
    enum finding_code code;
    enum stage stage;     /* the code's, but for what any stage may lack */
    bool benign;          /* worth knowing, no failure: an order, a repair that was no longer needed */
    const char *subject;  /* the bone, node, mesh, clip, material; NULL for none */
    const char *mesh;     /* of a bone; NULL */
    const char *clip;     /* of a channel; NULL */
    const char *part;     /* of the subject: "rotation" of a channel, "normal" of a map, "mesh" of what is gone; NULL */
    double time;          /* seconds; NAN when not of one time */
    double displacement;  /* relative to the radius */
    double distance;      /* the same in scene units */
    double degrees;
    double translation;   /* scene units */
    double scale_percent; /* largest change of a scale */
    const char *text;     /* the sentence, which report/ makes of all this at the end; "" before */
    enum tolerance_key tolerance;
    double measure;       /* in the unit of its tolerance: it is no failure where that is at least this; INFINITY */
    /* the earlier stage whose difference brings it about, as recomputed; STAGE_NONE: it is of its own */
    enum stage explained;
    bool unverified;      /* nothing is there to recompute it with: it may follow from an earlier stage's difference */
    const char *other;    /* a second name: of the bone that moves most, of the clip that plays instead; NULL */
    enum finding_why why; /* the mistake, where it has a name */
    const char *axis;     /* of the degrees: "x", "-x"; NULL: another one */
    double reach;         /* scene units: how far from the bone the vertices are that follow it; 0: not known */
    double now, was;      /* what is counted or weighed, and what it was; 0 where nothing is */
    uint32_t index;       /* of the vertex, the morph target or the picture */
    uint32_t count, of;   /* how many things it speaks of (0: one), out of how many (0: all) */
    uint32_t instance;    /* of a crowd, from 1 on; 0: there is no crowd */
    uint32_t also_count;
    const char **also;    /* the first of the others that it speaks of */
    const struct import_change *import; /* of the import: what changed; NULL, also where its text was read */
};

/* A finding without figures. */
extern const struct finding finding_none;

/* The same with the code, its stage, and benign where the code's kind is. */
struct finding finding_of(enum finding_code code);

enum fault_subject {
    FAULT_NODE,
    FAULT_BONE,
    FAULT_CHANNEL,
    FAULT_CLIP,
    FAULT_MESH,
    FAULT_MATERIAL,
    FAULT_TEXTURE,
    FAULT_OTHER
};

/* The subject of a failing finding of the import (of a bone: that it is another node of its name), also of each
 * where many are one finding: it may explain what later stages find of the same. Names are the golden's; of a mesh
 * its label. */
struct import_fault {
    enum fault_subject about;
    bool unseen;      /* no picture shows it: a map that is not drawn; offset matrices, which the palette shows */
    bool in_numbers;  /* import.json has all of it: a colour, but not a texture */
    const char *name; /* of a channel the node; of clips NULL: all of them */
    const char *now;  /* of a mesh that was renamed and is said to be no more than that; NULL */
    const char *clip; /* of a channel; NULL */
    int keys;         /* of a channel: 0 translation, 1 rotation, 2 scale, 3 morph weights; -1: all of it */
    /* of a channel, scene units: how far its keys move what hangs on the node at most; INFINITY: not known */
    double most;
};

/* A growing list; items and texts are in the arena. */
struct findings {
    struct arena *arena;
    const struct tolerance *tolerance; /* which measures are worth a finding; NULL: the defaults */
    double unit_meters;                /* of lengths; 0: not known */
    struct finding *items;
    size_t count;
    unsigned not_asked;                /* 1 << enum stage: nothing is found of these, but that the case tests nothing */
    double measured[TOLERANCE_COUNT]; /* the largest finite measure seen for each tolerance, within it or not */
    size_t fault_count;
    struct import_fault *faults;
};

/*
 * Adds a copy. After the import, one without a displacement, which is found at every time as it was at the first, is
 * added once. NULL where it is not added.
 */
struct finding *findings_put(struct findings *findings, const struct finding *finding);

/* The same with the words of somebody else: `format` makes its text. */
void findings_add(struct findings *findings, const struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void findings_add_fault(struct findings *findings, const struct import_fault *fault);

/* The golden's name of a mesh, which a fault may say has another name now. */
const char *findings_old_mesh(const struct findings *findings, const char *mesh);

/*
 * Takes note of what was measured, and says whether it is beyond the tolerance: then it is worth a finding. This is
 * the one place where measures meet tolerances while comparing. What is not finite is beyond every tolerance and noted
 * nowhere.
 */
bool findings_measure(struct findings *findings, enum tolerance_key key, double measure);

/*
 * Looks if each explanation holds: it does not where the stage that is to explain a finding has nothing that fails.
 * What was not verified is of its own where no earlier stage fails; vacuity follows from what fails before. To be
 * called before findings_sort().
 */
void findings_settle(struct findings *findings);

/* Stages in order; within a stage those that fail before benign ones, those of their own before what is not verified
 * and what is explained, differences before vacuity, which they may have brought about, then the largest displacement
 * first (NAN, which stands for missing or uncountable things, before all), then the order in which they were added. */
void findings_sort(struct findings *findings);

/* The first stage with a finding that is not benign, or STAGE_NONE. */
enum stage findings_culprit(const struct findings *findings);
