#pragma once

#include "diagnose/variant.h"
#include "survival/survival.h"

/* ---- what an engine changes: altered.c ------------------------------------------------------------------------ */

/* The data that an altered model changes besides a switch of the replay. */
enum data_change {
    DATA_SAME,
    DATA_RAW_SCENE,       /* the raw scene is played: all of Assimp's faults together */
    DATA_RAW_WEIGHTS,     /* weights whose sum a repair changed are those of the file */
    DATA_RAW_ABSENT,      /* components without keys in the raw scene, and no others, have none */
    DATA_RAW_CURVES,      /* what is not linear has the importer's keys, which are points of an FBX curve */
    DATA_RATE_TRUNCATED,  /* a clip's ticks per second become a whole number */
    DATA_RATE_ZERO,       /* 0 ticks per second stay 0 */
    DATA_END_WRAPPED,     /* time = duration shows time 0: fmod() */
};

/* A row of the table of checks turns a switch of the replay and changes data. All zero: nothing is played. */
struct change {
    enum pipeline_switch at;
    unsigned value;
    double number;
    enum data_change data;
};

/* A model as an engine has it. */
struct altered_model {
    const struct change *change;
    struct scene *scene; /* a copy of which what is other is replaced */
    struct variant variant;
    bool is_other;       /* the mesh is, wherever its bones are */
    struct replay *replay;
    struct diagnosis_input input; /* of the replay */
};

/* NULL where the change has nothing to do in this model, or cannot be computed; `change` NULL: as it is. */
struct altered_model *altered_create(const struct survival_input *input, const struct change *change,
                                     struct arena *arena);

/* Poses it at a time of a clip (NO_INDEX: at rest): mesh_to_scene[binding_count]. */
void altered_pose(struct altered_model *altered, int32_t clip, double time, mat4 *mesh_to_scene);

/* Weights of a vertex add up to 1 within this. */
#define WEIGHT_SUM_TOLERANCE 1e-3
double weight_sum(const struct mesh *mesh, uint32_t vertex);

/* A bone of the file, not put there by a repair. */
static inline bool is_own_bone(const struct mesh *mesh, uint32_t bone)
{
    return !mesh->bones[bone].follows_mesh_node;
}

/* True where a node, an offset or a key has one; without it only blending turns normals by the blended matrix. */
bool has_uneven_scale(const struct scene *scene);

/* True where the raw scene's vertices, influences and channels can be held against the scene's one by one. */
bool raw_matches(const struct survival_input *input);

/* ---- how far that is off: cost.c ------------------------------------------------------------------------------- */

/* The largest distance of an altered model from the model, over the sampled times of all clips; without a clip, at
 * rest. */
struct cost {
    double units;   /* largest displacement of a vertex; INFINITY where a position is no number */
    double degrees; /* largest angle of a normal, of an altered model that blends them */
    const char *clip;
    double time;
    const char *bone; /* that holds most of the vertex; NULL: none does */
};

/*
 * costs[count]. Times of a clip are 0, its end, and the middles of 16 even parts; of many clips or vertices fewer
 * parts, 3 at least. Returns the model's radius at rest; 0 where there is no mesh, and then all costs are 0.
 */
double measure_costs(const struct survival_input *input, struct altered_model *const *altered_models, uint32_t count,
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
    int number;          /* a limit */
    struct change change;
    /*
     * False where there is nothing to say. Its effect, text and the rest are set; of what is played `cost` is how far
     * it is off, and effect, measure and share have been set by that; NULL where nothing is played or moves.
     */
    check_judge *judge;
    const char *remedy;
    const char *what;    /* of judge_cost(): what happens, before the number */
};

/* The judges of what is played; the second says it as a note, however far it is off. */
check_judge judge_cost, judge_cost_as_note;

/* The judges of what is counted, and of what is counted and played: limits.c and surroundings.c. */
check_judge judge_format, judge_import, judge_clips, judge_unskinned, judge_lost_bones, judge_scene_bones,
    judge_mesh_bones, judge_uniforms, judge_missing_bones, judge_skins, judge_influences, judge_weight_sums,
    judge_rest_pose, judge_early_end, judge_absent_keys, judge_pivots, judge_normals, judge_unit, judge_up_axis,
    judge_materials, judge_texture_size;

enum { FIFTH_ASSERTS = 1 }; /* of judge_influences() */

/* The things that judge_materials() counts; and above these, the most texels a side for judge_texture_size(). */
enum { MATERIAL_UNTEXTURED, MATERIAL_LACKS_FILE, MATERIAL_EMBEDDED };

/* Few need all of it. */
#define JUDGE(name) \
    bool name(__attribute__((unused)) const struct examination *e, __attribute__((unused)) const struct check *check, \
              __attribute__((unused)) const struct cost *cost, struct survival_finding *out)

/*
 * Sets what a check says: of a count; or of what is played, whose number is set already, with ": vertices move by up to
 * 2.88 units (145 % of the radius), those of bone `upper` at 2 s of `bend`" behind it. Returns true.
 */
bool finding_say(const struct examination *e, struct survival_finding *out, enum survival_effect effect, double measure,
                 const char *unit, double limit, const char *format, ...) __attribute__((format(printf, 7, 8)));
bool finding_say_cost(const struct examination *e, struct survival_finding *out, const struct cost *cost,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));
