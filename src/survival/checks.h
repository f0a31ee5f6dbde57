#ifndef RIGPROOF_SURVIVAL_CHECKS_H
#define RIGPROOF_SURVIVAL_CHECKS_H

#include "survival/cost.h"

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
     * and effect, measure and share have been set by that; NULL where nothing is played.
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

/* ": vertices move by up to 2.88 units (145 % of the radius), those of bone `upper` at 2 s of `bend`" to the text. */
void cost_describe(const struct examination *e, const struct cost *cost, struct text *out);

/* Sets what a check of a count says. Returns true. */
bool finding_say(const struct examination *e, struct survival_finding *out, enum survival_effect effect, double measure,
                 const char *unit, double limit, const char *format, ...) __attribute__((format(printf, 7, 8)));

/* The text into the finding, in the arena; releases it. */
void finding_set_text(const struct examination *e, struct survival_finding *finding, struct text *text);

#endif
