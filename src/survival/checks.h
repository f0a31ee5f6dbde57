#ifndef RIGPROOF_SURVIVAL_CHECKS_H
#define RIGPROOF_SURVIVAL_CHECKS_H

#include "data/scene/pose.h"
#include "survival/survival.h"

/* ---- what an engine changes: variants.c ------------------------------------------------------------------------ */

/* What is other when a variant is played. */
enum play {
    PLAY_AS_IT_IS, /* with the original's morph weights, whatever moves them */
    PLAY_ROOT_REMOVED,    /* multiplied by the inverse root transform */
    PLAY_WITHOUT_MORPHS,
    PLAY_END_WRAPPED,     /* time = duration shows time 0: fmod() */
    PLAY_NORMALS_BLENDED, /* degrees are measured: normals by the blended matrix */
};

/*
 * A model as an engine has it: a copy of the scene of which one thing is other. Nodes, meshes, bones and channels are
 * copies, their arrays belong to the original until a function below replaces them.
 */
struct variant {
    struct scene scene;
    enum play play;
};

/* What a row of the table of checks changes: false where this model has nothing of that, or it cannot be computed. `number`
 * is the row's. */
typedef bool variant_maker(const struct survival_input *input, int number, struct variant *variant);

/* Few need all of it. */
#define VARY(name) \
    bool name(__attribute__((unused)) const struct survival_input *input, __attribute__((unused)) int number, \
              struct variant *variant)

/* Which offset matrix a bone has in all meshes: LearnOpenGL keeps the first of its name, ogldev the last. */
enum { OFFSET_FIRST, OFFSET_LAST };
variant_maker vary_offsets;

/* Influences of a vertex: */
enum {
    FOUR_FIRST,     /* that come, bone by bone; not rescaled */
    FOUR_ASSERTS,   /* the same, and the fifth asserts */
    FOUR_OVER_01,   /* of those above 0.1; not rescaled */
    FOUR_LARGEST,   /* rescaled to the sum of all */
    BYTES,          /* weights in bytes, divided by 255 */
    BYTES_RESCALED, /* by their sum */
};
variant_maker vary_influences;
variant_maker vary_weight_sums; /* as the file has them */

/* Ticks per second: */
enum {
    RATE_TRUNCATED, /* to a whole number */
    RATE_ZERO,      /* 0 stays 0 */
};
variant_maker vary_tick_rate;

/* Keys of a component: */
enum {
    LATE_EXTRAPOLATES, /* before the first the first pair goes on */
    LATE_IDENTITY,     /* before it from the identity at time 0 */
    ABSENT_IDENTITY,   /* without any it is the identity */
    ABSENT_ZERO,       /* the same of the translation alone: T's zero position */
    CURVES_LINEAR,     /* straight lines through the importer's keys */
};
variant_maker vary_keys;
variant_maker vary_pivots; /* $AssimpFbx$ nodes whose transforms the channels below hold too */
variant_maker vary_play;   /* `number`: enum play */

/* All of Assimp's faults together: of a copy of the raw scene. A channel moves all nodes of its name, a bone follows: */
enum {
    IMPORT_FIRST_NAME, /* the first of them */
    IMPORT_LAST_NAME,
};
variant_maker vary_import;

/* Weights of a vertex add up to 1 within this. */
#define WEIGHT_SUM_TOLERANCE 1e-3
double weight_sum(const struct mesh *mesh, uint32_t vertex);

/* A bone of the file, not put there by a repair. */
static inline bool is_own_bone(const struct mesh *mesh, uint32_t bone)
{
    return !mesh->bones[bone].follows_mesh_node;
}

/* The warning that bones have no node of their name, or NULL. */
const char *find_lost_bones(const struct scene *scene);

/* Whether a node, an offset or a key has one; without it normals by the blended matrix are off by what blending does alone. */
bool has_uneven_scale(const struct scene *scene);

/* Whether the raw scene's vertices, influences and channels can be held against the scene's one by one. */
bool raw_matches(const struct survival_input *input);

/* ---- how far that is off: cost.c ------------------------------------------------------------------------------- */

/* How far a variant is from the model, at worst over the sampled times of all clips; without a clip, of the rest pose. */
struct cost {
    double units;   /* largest displacement of a vertex; INFINITY where a position is no number */
    double degrees; /* largest angle of a normal, of a variant that blends them */
    const char *clip;
    double time;
    const char *bone; /* that holds most of the vertex; NULL: none does */
};

/*
 * costs[count]. Times of a clip are 0, its end, and the middles of 16 even parts; of many clips, variants or vertices
 * fewer parts, 3 at least. Returns the model's radius at rest; 0 where there is no mesh, and then all costs are 0.
 */
double measure_costs(const struct scene *scene, const struct variant *const *variants, uint32_t count,
                     struct arena *arena, struct cost *costs);

/* ---- the checks ------------------------------------------------------------------------------------------------ */

struct examination {
    const struct survival_input *input;
    struct arena *arena;
    double radius;
};

struct check;
typedef bool check_judge(const struct examination *e, const struct check *check, const struct cost *cost,
                         struct survival_finding *out);

/* A row of the table in examine.c. */
struct check {
    const char *id;
    unsigned engines;    /* bits, of those that behave alike */
    int number;          /* a limit, or what `vary` does */
    variant_maker *vary; /* NULL: nothing is played */
    /*
     * False where there is nothing to say. Its effect, text and the rest are set; of what is played `cost` is how far it is off,
     * and effect, measure and share have been set by that; NULL where nothing is played or moves.
     */
    check_judge *judge;
    const char *remedy;
    const char *what;    /* of judge_cost(): what happens, before the number */
};

/* The judges of what is played; the second says it as a note, however far it is off. */
check_judge judge_cost, judge_cost_as_note;

/* The judges of what is counted, and of what is counted and played: limits.c and
 * surroundings.c. */
check_judge judge_format, judge_import, judge_clips, judge_unskinned, judge_lost_bones, judge_scene_bones, judge_mesh_bones, judge_uniforms,
    judge_missing_bones, judge_skins, judge_influences, judge_weight_sums, judge_rest_pose, judge_early_end,
    judge_absent_keys, judge_pivots, judge_normals, judge_unit, judge_up_axis, judge_materials, judge_texture_size;

/* What judge_materials() counts; and above these, of judge_texture_size(), the most texels a side. */
enum { MATERIAL_UNTEXTURED, MATERIAL_LACKS_FILE, MATERIAL_EMBEDDED };

/* Few need all of it. */
#define JUDGE(name) \
    bool name(__attribute__((unused)) const struct examination *e, __attribute__((unused)) const struct check *check, \
              __attribute__((unused)) const struct cost *cost, struct survival_finding *out)

/* Sets what a check says: of a count; or of what is played, whose number is set already, with ": vertices move by up to 2.88 units (145 %
 * of the radius), those of bone `upper` at 2 s of `bend`" behind it. Returns true. */
bool finding_say(const struct examination *e, struct survival_finding *out, enum survival_effect effect, double measure,
                 const char *unit, double limit, const char *format, ...) __attribute__((format(printf, 7, 8)));
bool finding_say_cost(const struct examination *e, struct survival_finding *out, const struct cost *cost, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
