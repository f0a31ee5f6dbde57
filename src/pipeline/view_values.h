#pragma once

#include "data/image/color_scale.h"
#include "pipeline/pipeline.h"

/*
 * The numbers of the views on a scale of colours, in double from the vertices that the CPU skins (palette/skin.h,
 * palette/dual_quaternion.h), in the palette's space and the scene's units:
 *
 *     weight-sum    the sum of a vertex's weights
 *     displacement  |p - r|, with p where a vertex is and r where the reference has it
 *     stretch       |(b - a) x (c - a)| of a triangle over the same of the reference
 *     speed         |p(t + h) - p(t - h)| / 2h, with h = SPEED_STEP; never beyond the ends of the clip's turn, where
 *                   it begins anew
 *
 * The reference is the bind pose, the rest pose where there is no bind pose, or another pipeline.
 */
#define SPEED_STEP (1.0 / 240)

struct view_values {
    const struct color_scale *scale;
    struct value_range range;  /* what settings or view_values_find_range() said */
    bool has_range;
    struct pipeline *against;  /* NULL: the bind pose */
    int32_t *partner;          /* [instance_count] of `against`; NO_INDEX: its vertices are not paired */
    struct skinned *reference; /* [instance_count]; of `against` its own */
    struct skinned *now, *before;
    double radius;             /* of the reference */
    float *numbers;            /* of all members of a crowd */
    double least, most;        /* of these, but for gaps */
    bool has_gaps;
};

/* Into pipeline->values, in its arena; NULL for other views. False with err set: what --range cannot be. */
bool view_values_begin(struct pipeline *pipeline, struct error *err);

/*
 * Another pipeline, which must live as long and is posed at the same times, becomes the reference. Meshes are paired
 * by name, and where names differ by order; their vertices by order, if they are as many and the triangles the same.
 * What is not paired is warned of. False with err set: nothing is, or the view has no reference.
 */
bool view_values_against(struct pipeline *pipeline, struct pipeline *other, struct error *err);

/*
 * The range of all times, unless the settings have one, for a sequence that does not flicker: of the displacement and
 * the speed from 0 to the largest, rounded up to two digits; of the sum of weights as far from 1 as any; of the
 * stretch 1/r to r with r of 1.25, 1.5, 2, 4, 16, 64, ... such that a hundredth of the area at most is beyond.
 */
bool view_values_find_range(struct pipeline *pipeline, const double *times, size_t count, struct error *err);

/* Appends what the numbers of pipeline->values are: "speed (m/s)". */
void view_values_name(const struct pipeline *pipeline, struct text *out);

/* The same range of palettes at these times: [count]. */
bool view_values_range_of(struct pipeline *pipeline, const struct palette *const *palettes, const double *times,
                          size_t count, struct value_range *out, struct error *err);

/*
 * Returns how far a palette takes the vertices of the pipeline's model from where another one does, as of the view
 * `displacement`: the numbers, in the arena, and the least and the largest of them. And that view into frame settings:
 * with a range from 0 to `most`, rounded up, and its legend.
 */
const float *view_values_between(const struct pipeline *pipeline, const struct palette *was, const struct palette *is,
                                 struct arena *arena, struct value_range *found);
void view_values_show_between(const struct pipeline *pipeline, const struct value_range *found, double most,
                              struct frame_settings *out);

/* The legend names so a view whose shader has the colours: "largest weight", "depth (m)". */
void view_values_name_scale(const struct pipeline *pipeline, struct frame_settings *frame_settings);

/* Into all members of a posed crowd; into the frame settings what the legend says. The pipeline is left at `time`. */
bool view_values_add(struct posed_crowd *crowd, struct pipeline *pipeline, double time,
                     struct frame_settings *frame_settings, struct error *err);
