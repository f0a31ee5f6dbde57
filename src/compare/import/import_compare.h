#pragma once

#include "compare/compare.h"
#include "compare/grouping.h"
#include "data/record/matching.h"
#include "compare/match/placement.h"
#include "compare/match/skeleton.h"
#include "data/measure.h"
#include "data/record/snapshot.h"
#include "data/result/verdict.h"

/* What the parts of compare_import() share. Things are matched first, noun by noun; then the pairs of each noun are
 * compared, by a table of its members and by its own function. Every difference becomes a change; import_changes.c
 * makes the sentences. */

/* The lists of an import, in the order in which they are matched. */
enum noun {
    NOUN_NODE,
    NOUN_TEXTURE,
    NOUN_MATERIAL,
    NOUN_MESH,
    NOUN_CLIP,
    NOUN_CAMERA,
    NOUN_REPAIR,
    NOUN_WARNING,
    NOUN_COUNT
};

/* What a change is about besides its subject: changes are told together only where this is the same. */
struct scope {
    enum noun noun;
    const char *clip;
    enum { KEYS_NONE, KEYS_TRANSLATION, KEYS_ROTATION, KEYS_SCALE, KEYS_WEIGHTS, KEYS_KIND_COUNT } keys;
    const char *extra; /* of a pattern; the name of a material's map or factor */
    bool unplayed;     /* of a clip that the case does not play: worth a note */
};

struct change {
    enum finding_code kind;
    struct finding finding; /* subject, mesh, figures, measure */
    struct scope scope;
    uint32_t index;        /* of the subject among its like */
    const char *now, *was; /* of a member */
    size_t count;          /* that `now` is, for a plural */
    double most;           /* scene units: how far it moves anything at most; NAN or 0: not known */
    const char *says;      /* the sentence's own part */
    const char *detail;    /* the same for several; NULL where the head of the sentence says it */
    bool told;
};

/* Where a mesh went as a whole. */
struct mesh_placement {
    bool found;         /* its bounds are those of the golden, placed so */
    bool holds_centres; /* so are the weighted centres of its bones */
    struct placement placement;
};

/* Things that go by another name now, sorted by the old one. */
struct renames {
    size_t count;
    struct rename {
        const char *was, *now;
        size_t at; /* in the golden */
    } * items;
};

struct import_context {
    const struct import_snapshot *golden;
    const struct import_snapshot *actual;
    const struct clip_use *use; /* NULL: every clip is played */
    const struct tolerance *tolerance;
    struct findings *out;
    struct arena *arena;
    double unit_meters; /* the golden's, 0 when not known */
    double radius; /* of the golden in scene units, > 0: half the diagonal of all meshes where they stand at rest */
    double *mesh_scale; /* [golden->mesh_count] largest scale from mesh space to scene space */
    struct skeleton golden_nodes;
    struct skeleton actual_nodes;
    struct mesh_placement *placements; /* [golden->mesh_count] of matched meshes */
    struct match_list was[NOUN_COUNT]; /* labels: what meshes are called in fields, "body #1" of several */
    struct match_list now[NOUN_COUNT];
    struct matching matched[NOUN_COUNT];
    struct renames renames[NOUN_COUNT];
    size_t name_count;
    const char *names[64]; /* of maps and factors */
    struct scope scope; /* of the changes that are added */
    size_t change_count, change_capacity;
    struct change *changes; /* that are not said yet */
};

/* A finding of stage import without figures. */
struct finding import_finding(const char *subject, const char *mesh);

/* Whether `measure` is more than tolerance->import, in whose units it is: the one place that asks. INFINITY: no
 * tolerance allows it. Fills the finding's measure. */
bool import_beyond(struct import_context *c, struct finding *finding, double measure);

/* The same with another tolerance of the import. */
bool import_beyond_limit(struct import_context *c, struct finding *finding, enum tolerance_key key, double measure);

/* Half of what most findings are: displacement, which is also the measure. */
bool import_displaced(struct import_context *c, struct finding *finding, double distance);

/* One more change of the scope. `says` is its own part of the sentence; `detail` the same for several, NULL for none. */
struct change *import_change(struct import_context *c, enum finding_code kind, const struct finding *finding,
                             const char *says, const char *detail);

/* The placeholders of a template, see import_changes.c. In the arena. */
const char *import_expand(struct import_context *c, const char *template, const struct change *change);

/* Makes findings of all changes so far. */
void import_say(struct import_context *c);

/* A text in the arena, for what is printed by another's function. Releases it. */
const char *import_text(struct import_context *c, struct text *text);

enum rule_type {
    RULE_COUNT,  /* uint32_t */
    RULE_FLAG,   /* bool */
    RULE_WORD,   /* const char * */
    RULE_NAME,   /* const char *, of another noun, which may have another name now; NULL for none */
    RULE_NUMBER, /* float or double */
    RULE_FLOATS, /* float[width] */
};

/* A member that is compared: what is said when it differs. */
struct rule {
    enum finding_code kind;
    enum rule_type type;
    size_t offset, size; /* FIELD_MEMBER() */
    const char *says[3]; /* of a flag: false now, true now; of a name: none now, none before, another; else the first */
    const char *detail[3]; /* the same for several; NULL: as `says` */
    double least;          /* a number is relative to itself, or to this where that is more; 0: it is absolute */
    double factor;         /* a number is told times this; 0: 1 */
    uint32_t width;
    enum noun noun;                            /* of a name */
    const char *const *words, *const *told_as; /* of a word: how its list's words are told */
    bool joins;                                /* the finding of the rule before, where there is one */
    bool otherwise; /* only where the rules before it, back to the last that is not so, found nothing */
};

void import_compare_members(struct import_context *c, const struct rule *rules, size_t count, const void *was,
                            const void *now, const struct finding *finding, uint32_t index);

#define COMPARE_MEMBERS(c, rules, was, now, finding, index)                                                            \
    import_compare_members((c), (rules), sizeof(rules) / sizeof *(rules), (was), (now), (finding), (index))

/* What the golden's `name` is called now: mostly itself. NULL for NULL. */
const char *renamed(const struct renames *renames, const char *name);

/* Whether a name in the golden and one in the actual mean the same thing. NULL means none. */
bool same_name(const struct renames *renames, const char *golden, const char *actual);

/* Whether the case plays a clip of the golden or of the actual; either may be NO_INDEX. */
bool import_is_played(const struct import_context *c, int32_t golden, int32_t actual);

/* The matching of nodes, also where they go by other names. */
struct matching import_match_nodes(struct import_context *c);

/* "gained the prefix `rig_`": what all renames did to the beginnings of names; NULL when it is not that simple. */
const char *import_describe_prefixes(const struct renames *renames, struct arena *arena);

/* Lists by the names of nodes matched, as bones and channels are: [count] structs of `size` whose first member it is. */
struct matching import_match_by_node(struct import_context *c, const void *was, size_t was_count, const void *now,
                                     size_t now_count, size_t size);

/* A change of that kind for each of such structs that is not matched. */
void import_find_unmatched(struct import_context *c, const int32_t *matched, const void *items, size_t count,
                           size_t size, enum finding_code kind, const char *mesh);

/* The label of a mesh of the golden. */
const char *mesh_label(const struct import_context *c, const struct mesh_snapshot *golden);

/* Each compares the pair of the golden's item `was` and the actual's `now`, or all where it has no such arguments. */
void import_compare_nodes(struct import_context *c);
void import_compare_lengths(struct import_context *c);
void import_compare_channels(struct import_context *c, size_t was, size_t now);
void import_compare_mesh(struct import_context *c, size_t was, size_t now);
void import_compare_bones(struct import_context *c, size_t was, size_t now);
void import_compare_attributes(struct import_context *c, size_t was, size_t now);
void import_compare_material(struct import_context *c, size_t was, size_t now);
void import_compare_texture(struct import_context *c, size_t was, size_t now);

/* The keys of one component of a node, with what surrounds them. */
struct keys_pair {
    struct import_context *c;
    int kind; /* KEYS_TRANSLATION ... KEYS_WEIGHTS */
    const char *node;
    const struct keys_snapshot *was, *now;
    double time_scale;       /* of the clip: 1, or how many times longer it is now, keys and all */
    double duration;         /* of the golden's clip */
    double parent_scale;     /* translations -> scene units */
    double influence_radius; /* scene units: of the node, for rotations */
};

/* What became of single keys, as far as both sides have samples of them. */
struct key_changes {
    const char *times; /* "key at 0.533 s is gone": of keys that came, went or moved in time; NULL: none */
    double time_gap;   /* the largest, as a share of the clip's duration */
    const char *says;  /* "key 7 of 31 of `spine`'s rotation in `walk` (0.233 s) changed by 12.0°"; NULL: no value did */
    const char *detail;
    struct finding finding; /* with the figures of the key that changed most */
};
struct key_changes import_compare_keys(const struct keys_pair *pair, bool benign); /* of their times */

/* Whether one may be the other under a new name. */
bool import_like_mesh(const void *context, size_t golden, size_t actual);
bool import_like_clip_name(const void *context, size_t golden, size_t actual);
bool import_like_clip(const void *context, size_t golden, size_t actual);
bool import_like_material(const void *context, size_t golden, size_t actual);
bool import_like_texture(const void *context, size_t golden, size_t actual);

/* Fills placements; meshes are matched. */
void import_place_meshes(struct import_context *c);

/* A local transform or an offset matrix that is another. */
struct matrix_change {
    struct finding finding;
    struct affine_d was;
    struct affine_d now;
    double length;           /* that counts as nothing in the space it maps to: 1e-4 of the radius */
    double influence_radius; /* scene units: how far the vertices are that it moves */
    bool chosen, told;
};

/* Those of all nodes, or of the bones of one mesh. */
struct matrix_changes {
    enum finding_code kind; /* CODE_NODE_LOCAL or CODE_BONE_OFFSET */
    size_t count, chosen;
    struct matrix_change *items;
    size_t bones;                  /* of the mesh, on both sides */
    const struct affine_d *others; /* [bones] the golden's matrices, for finding exchanged ones */
    const char **names;            /* [bones] */
    double mesh_scale;             /* mesh space -> scene units */
};

/* What happened to several at once, else to each (import_patterns.c). */
void import_say_matrices(struct import_context *c, struct matrix_changes *changes);
