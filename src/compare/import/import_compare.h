#pragma once

#include "compare/compare.h"
#include "compare/match/placement.h"
#include "compare/match/skeleton.h"
#include "data/measure.h"
#include "data/result/import_change.h"

/* The parts of compare_import() share this. Things are matched first, noun by noun; then the pairs of each noun are
 * compared: members by the rules of import_fields.c, the rest by the noun's own function. Every difference becomes
 * a change, which is data; import_changes.c makes findings of them. */

/* A change is about this besides its subject: changes are said together only where it is the same. */
struct scope {
    enum noun noun;
    const char *clip;
    enum { KEYS_NONE, KEYS_TRANSLATION, KEYS_ROTATION, KEYS_SCALE, KEYS_WEIGHTS, KEYS_KIND_COUNT } keys;
    const char *extra; /* of a pattern; the name of a material's map or factor */
    bool unplayed;     /* of a clip that the case does not play: worth a note */
};

struct change {
    struct finding finding; /* code, subject, mesh, figures, measure */
    struct scope scope;
    struct import_change says;
    double most;       /* scene units: how far it moves anything at most; NAN or 0: not known */
    const char *alike; /* the same of several that differ alike; NULL: the names say all */
    bool said;
};

/* A mesh went there as a whole. */
struct mesh_placement {
    bool found;         /* its bounds are those of the golden, placed so */
    bool holds_centres; /* so are the weighted centres of its bones */
    bool is_undone;     /* its offset matrices take that back: it moves nothing */
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
    const struct import_snapshot *golden, *actual;
    const struct clip_use *use; /* NULL: every clip is played */
    const struct tolerance *tolerance;
    struct findings *out;
    struct arena *arena;
    double unit_meters; /* the golden's, 0 when not known */
    double radius; /* of the golden in scene units, > 0: half the diagonal of all meshes where they stand at rest */
    double *mesh_scale; /* [golden->mesh_count] largest scale from mesh space to scene space */
    double *time_scale; /* [golden->clip_count] all keys of the clip come so many times later; 1: they do not agree */
    struct skeleton golden_nodes, actual_nodes;
    struct mesh_placement *placements; /* [golden->mesh_count] of matched meshes */
    struct match_list was[NOUN_COUNT], now[NOUN_COUNT]; /* labels are what meshes are called: "body #1" of several */
    struct matching matched[NOUN_COUNT];
    struct renames renames[NOUN_COUNT];
    struct scope scope; /* of the changes that are added */
    size_t change_count;
    struct change *changes; /* that are not said yet */
};

/* A finding of stage import without figures. */
struct finding import_finding(const char *subject, const char *mesh);

/* Says whether `measure` is more than tolerance->import, in whose units it is: the one place that asks. INFINITY: no
 * tolerance allows it. Fills the finding's measure. */
bool import_beyond(struct import_context *c, struct finding *finding, double measure);

/* Asks the same of another tolerance of the import. */
bool import_beyond_limit(struct import_context *c, struct finding *finding, enum tolerance_key key, double measure);

/* Fills the displacement, which is also the measure, and asks whether it is beyond the tolerance. */
bool import_displaced(struct import_context *c, struct finding *finding, double distance);

/* Adds a change of the scope, which is valid until the next one. */
struct change *import_change(struct import_context *c, enum finding_code code, const struct finding *finding,
                             const char *phrase, struct value now, struct value was);

/* Adds one of no figures, which no tolerance allows. */
struct change *import_note(struct import_context *c, enum finding_code code, const char *subject, const char *mesh,
                           const char *phrase, struct value now, struct value was);

/* Adds to the sentence of the last change. */
void import_change_also(struct import_context *c, const char *phrase, struct value now, struct value was);

/* Makes findings of all changes so far. */
void import_say(struct import_context *c);

/* A change for each member that differs, by the rules of what `list` of import.json holds; "" is the import itself. */
void import_compare_fields(struct import_context *c, const char *list, const void *was, const void *now,
                           const struct finding *finding, uint32_t index);

/* Says whether no member that has a rule differs by more than 1e-4. */
bool import_are_alike(const struct import_context *c, const char *list, const void *was, const void *now);

/* Gives what the golden's `name` is called now: mostly itself, NULL for NULL. */
const char *renamed(const struct renames *renames, const char *name);

/* Says whether a name in the golden and one in the actual mean the same thing. NULL means none. */
bool same_name(const struct renames *renames, const char *golden, const char *actual);

/* Says whether the case plays a clip of the golden or of the actual; either may be NO_INDEX. */
bool import_is_played(const struct import_context *c, int32_t golden, int32_t actual);

/* The matching of nodes, also where they go by other names. */
struct matching import_match_nodes(struct import_context *c);

/* "gained the prefix `rig_`": what all renames did to the beginnings of names; NULL when it is not that simple. */
const char *import_describe_prefixes(const struct renames *renames, struct arena *arena);

/* A pointer to a string, wherever it lies. */
const char *text_at(const void *member);

/* Matches lists by the names of nodes, as bones and channels have them. */
struct matching import_match_by_node(struct import_context *c, const struct match_list *was,
                                     const struct match_list *now);

/* Adds a change for each thing of the lists that only one side has; `mesh` is that of bones. */
void import_find_one_sided(struct import_context *c, const struct match_list *was, const struct match_list *now,
                           const struct matching *matching, enum finding_code gone, enum finding_code new,
                           const char *mesh);

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
    double time_scale;       /* of the clip */
    double duration;         /* of the golden's clip */
    double parent_scale;     /* translations -> scene units */
    double influence_radius; /* scene units: of the node, for rotations */
};

/* This became of single keys, as far as both sides have samples of them. */
struct key_changes {
    const char *times;      /* "key at 0.533 s is gone": of keys that came, went or moved in time; NULL: none */
    double time_gap;        /* the largest, as a share of the clip's duration */
    const char *which;      /* "key 7 of 31": whose value changed; NULL: none did */
    const char *when;       /* " (0.233 s)", or nothing */
    const char *by;         /* "12.0°; 2 more keys changed" */
    struct finding finding; /* with the figures of the key that changed most */
};
struct key_changes import_compare_keys(const struct keys_pair *pair, bool benign); /* of their times */

/* Each says whether one may be the other under a new name. */
bool import_like_mesh(const void *context, size_t golden, size_t actual);
bool import_like_clip_name(const void *context, size_t golden, size_t actual);
bool import_like_clip(const void *context, size_t golden, size_t actual);
bool import_like_texture(const void *context, size_t golden, size_t actual);

/* Fills placements; meshes are matched. */
void import_place_meshes(struct import_context *c);

/* A local transform or an offset matrix that is another. */
struct matrix_change {
    struct finding finding;
    struct affine_d was, now;
    double length;           /* that counts as nothing in the space it maps to: 1e-4 of the radius */
    double influence_radius; /* scene units: how far the vertices are that it moves */
    bool chosen, said; /* `said`: also of one within the tolerance */
};

/* They are those of nodes, or of all bones of one mesh that both sides have. */
struct matrix_changes {
    enum finding_code code; /* CODE_NODE_LOCAL or CODE_BONE_OFFSET */
    size_t count, chosen;
    struct matrix_change *items;
    double mesh_scale; /* mesh space -> scene units */
};

/* Says what happened to several at once, else to each (import_patterns.c). */
void import_say_matrices(struct import_context *c, struct matrix_changes *changes);
