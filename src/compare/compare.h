#pragma once

#include "data/record/snapshot.h"
#include "data/image/frame_settings.h"
#include "data/image/image.h"
#include "data/result/result.h"

/*
 * Golden and actual -> findings. Pure: no files, no GL, no clock. What is compared and by which limit is the design of
 * the verdicts; the formulas are at their functions.
 */

/* The clips that a case plays, in either import. Differences in other clips are benign: a golden import is that of all
 * cases of a model. Nodes, meshes and materials are every case's. */
struct clip_use {
    const bool *golden, *actual;
};

/*
 * Import. Counts and names exactly, numbers by tolerance. Nodes, meshes, bones, materials and clips are matched by name
 * (several of one name in their order, nodes under the same parent first); what is evidently renamed is said once.
 * Benign are another order, repairs and warnings that came or went, and keys that only hold what the node has at rest.
 *
 * Lengths are relative to half the diagonal of all the golden's meshes where they stand at rest (without meshes: of the
 * nodes' origins). Transforms are judged by how far they move the vertices that hang on them. More than 8 of a kind,
 * and what happened to many (all offset matrices transposed), are one finding. `use` NULL: all clips are played.
 */
void compare_import(const struct import_snapshot *golden, const struct import_snapshot *actual,
                    const struct clip_use *use, const struct tolerance *tolerance, struct findings *out);

/*
 * Lists what both have, in the golden's order: nodes (animate), palette entries, nodes that no palette entry names
 * (palette, without a mesh too). For one case it is the same list at every time, which the items say nothing of.
 */
struct pose_errors {
    size_t count;
    struct bone_result *items;
    double worst[STAGE_COUNT]; /* largest displacement; 0 when all are equal */
};

/*
 * Local transforms (animate) and palette matrices (palette). Lengths are relative to the golden's radius
 * (pose_snapshot_radius()). degrees = 2 asin(min(1, |R_a - R_g|_F / (2 sqrt 2))) after scale is removed; translation:
 * of the bone's origin.
 *
 * Palette entry: the largest |M_a p - M_g p|, M the palette matrices, p in mesh space: points along the bone's axes
 * (both ways) at its influence radius in `import` (the farthest corner of a rigid mesh), at least 3 % of the radius;
 * without `import` half the diagonal of the skinned mesh. Where there are none, the corners of the mesh's box.
 *
 * Node: D = P_g (L_a - L_g), L the local transforms, P_g the golden's parent's global, over points along the node's
 * axes as far from it as the farthest vertex that hangs on it or below it. q and -q are one rotation. A global
 * matrix of a node without entry: |G_a p - G_g p| over the same points.
 *
 * Morph weight, where both have weights: |w_a - w_g| times the target's largest delta in `import`, in scene units;
 * without `import` half the diagonal of the skinned mesh. Not among the items.
 *
 * Findings are nodes whose local transform is beyond the tolerance `shell` (animate); palette entries, and nodes whose
 * global is not their parent's times their own local transform (palette); at most 16 of a kind are named, the worst.
 * Entries that are off only because of a node above are one finding, benign when that node's fault is one of the
 * palette's. Local transforms that are each within the tolerance and add up to more are a finding of animate. What only
 * one side has, another clip or time (animate) or space (palette, which is not compared then) is a finding with
 * displacement NAN. A side without any palette is compared by its nodes. Memory: findings->arena.
 *
 * What explains a finding: entries that their nodes' globals give with the golden's offsets follow from the local
 * transforms above (animate); the rest of such an entry is a finding of its own. `actual_import` is NULL where it
 * equals `import`, or is not known; else see compare/pose/pose_explain.c for what follows from it.
 */
void compare_pose(const struct pose_snapshot *golden, const struct pose_snapshot *actual,
                  const struct import_snapshot *import, const struct import_snapshot *actual_import,
                  struct findings *findings, struct pose_errors *out);

/*
 * A pose with only what there is, beside one that may have more. pose_fill() takes from `reference` what says how to
 * read it: model, clip, time, space, parents, the components that a local lacks; an entry without a mesh becomes one
 * for each of the reference's of that bone. pose_complete() adds the nodes and transforms that are not given, so that
 * poses can be compared: a global is that of the node above times the local, or stands to that above as in the
 * reference. Palette entries and skinned meshes are not added. What is not given stays marked. The result may be
 * `pose` itself.
 */
const struct pose_snapshot *pose_fill(const struct pose_snapshot *pose, const struct pose_snapshot *reference,
                                      struct arena *arena);
const struct pose_snapshot *pose_complete(const struct pose_snapshot *pose, const struct pose_snapshot *reference,
                                          struct arena *arena);

/* The pose, and its import, with the golden's names of meshes that the import found renamed: what else differs of
 * them is seen. */
const struct pose_snapshot *pose_name_as_golden(const struct pose_snapshot *pose, const struct findings *findings);
const struct import_snapshot *import_name_as_golden(const struct import_snapshot *import,
                                                    const struct findings *findings);

/* The pose without the palette entries and skinned meshes that a part does not list. */
const struct pose_snapshot *pose_restrict(const struct pose_snapshot *pose, const struct pose_snapshot *part,
                                          struct arena *arena);

/*
 * Skinned meshes of two poses whose palettes compare_pose() has compared into `out`; both are in one space. Vertex
 * counts exactly; every vertex where both files have positions (as sets of points where their numbers or order
 * differ), with its normal; else the sides of the box and the centroid. All relative to the golden's radius, and a
 * thousandth of a normal's degrees from 0.1 on; limit the tolerance `shell`. A finding says whether the palette or the
 * import (the golden's and the actual's, each may be NULL) brings it about; recomputed is the centroid, by linear
 * skinning: where one side alone is what that gives of its import and palette, the other is at fault, unless
 * `is_dual`, skinned by dual quaternions.
 */
void compare_skinned(const struct pose_snapshot *golden, const struct pose_snapshot *actual,
                     const struct import_snapshot *import, const struct import_snapshot *actual_import, bool is_dual,
                     struct findings *findings, struct pose_errors *out);

/*
 * Positions, normals and tangents of one instance from the GPU against the CPU's. Position: distance relative to
 * `radius`; limit the tolerance `skin` and on top of it `rounding` (scene units), unless the tolerance is 0. Normals,
 * where the CPU's is not zero: the length must be 1 within 0.001; the angle in degrees has the limit 0.1, or 1000
 * times the tolerance `skin` where that is wider; tangents likewise, and their w must be equal. Returns the largest
 * displacement; INFINITY where a position is no number, or the counts differ.
 */
double compare_skin(const struct scene *scene, const struct skinned *reference, const struct skinned *gpu,
                    double radius, double rounding, double time, struct findings *findings);

/* Axes and unit that bring a point set into another file's space. */
struct point_frame {
    double unit; /* metres a unit, or any common measure; 1 */
    int up_axis; /* 0 x, 1 y, 2 z */
};

struct point_set {
    const vec3 *points;
    size_t count;
};

/*
 * Two importers' skinned vertices as point sets: the largest distance from a point of one to the nearest of the other,
 * both ways (Hausdorff), relative to the radius of `golden`; limit the tolerance `agree`. O(n log n). Both are turned y
 * up, from z up by (x, z, -y), from x up by (-y, x, z), and brought to the common unit; distances in findings are in
 * the golden's. INFINITY when a point is no number or only one set is empty.
 */
double compare_points(const struct point_set *golden, const struct point_frame *golden_frame,
                      const struct point_set *actual, const struct point_frame *actual_frame, double time,
                      struct findings *findings);

/*
 * Finds how far two pictures that are not equal are apart: the numbers of pixels by the largest difference of a
 * channel, alpha too (in the arena), the foreground, which is all but what is `background` (RGBA, exactly) in both, and
 * the box of the pixels that differ by more than `tolerated`. The state of equal pixels is IMAGE_SAME without levels,
 * that of other sizes IMAGE_DIFFERS with a share of 1; all others are judge_picture()'s. Leaves files and bones alone;
 * other figures become 0.
 */
void compare_images(const struct image *golden, const struct image *actual, const uint8_t background[4],
                    int tolerated, struct arena *arena, struct image_result *out);

/*
 * For pictures of equal sizes: pixelmatch and FLIP figures (compare/image/image_metrics.h; rounded to 6 decimals) into
 * `out`; `difference` (absolute difference times 16 on black; that of alpha shows in all three channels) and `heat`
 * (FLIP's error as color_map_at()) when not NULL, opaque, the caller's to release.
 */
void compare_images_diagnose(const struct image *golden, const struct image *actual, struct image_result *out,
                             struct image *difference, struct image *heat);

/*
 * Returns how far a camera is from the golden's: the largest of how far the eye, the planes and half the height of an
 * orthographic view moved, relative to `radius`, and how far it turned and its angle changed, in radians. Into `how`,
 * unless NULL, what makes a hundredth of that or more: "the camera would stand 0.12 units (3 % of the model's radius)
 * further away, turned by 10.0°".
 */
double compare_cameras(const struct camera *golden, const struct camera *actual, double radius, struct text *how);

/*
 * The judge. The first stage that differs is a culprit. A later one is explained where every finding of it is: those
 * who compare it recompute it from what the earlier stages gave (struct finding's `explained`). What remains makes it
 * another culprit. What a verdict needs is in the result, so that it can be judged again under other tolerances.
 *
 * Fills status, stage, states of stages, findings, measured, facts, needed and about of the result, whose sentences
 * are report_say()'s; result->times must have their images' states, and result->tolerance is what it is judged by. All
 * is in findings->arena.
 */
void judge_case(struct findings *findings, const struct judge_facts *facts, struct case_result *result);

/*
 * The state of a picture that compare_images() measured; `changed` and `share` with it. The first rung that holds:
 *   no channel differs                             IMAGE_SAME
 *   no channel differs by more than 2              IMAGE_NOISE, whatever the tolerance
 *   few pixels differ by more than pixel_delta     IMAGE_TOLERATED
 *   else                                           IMAGE_DIFFERS
 * Few is `pixel_share` of the foreground, and 4 pixels where that is less; with a share of 0 it is none. Other sizes,
 * missing pictures and those that were not drawn stay as they are.
 */
void judge_picture(const struct tolerance *tolerance, struct image_result *image);

/* A frame that differs as a finding of the draw stage, with the bones that moved it. Of `golden` the size counts: where
 * it is another, that is what is said. NULL: of the same size. */
void judge_image(const struct time_result *times, uint32_t at, const struct image *golden, struct findings *findings);

/* Returns whether the result holds what judge_again() needs: those of earlier versions do not. */
bool judge_can_repeat(const struct case_result *result);

/*
 * Judges a result again as a run under these tolerances would have judged it: same status, same culprit. What is beyond
 * them and was within those of the run is one finding for each tolerance. A case that was not judged (a crash, a
 * skipped one) stays as it is. Texts are in the arena; `tolerance` must outlive the result.
 */
void judge_again(struct case_result *result, const struct tolerance *tolerance, struct arena *arena);
