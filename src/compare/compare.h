#ifndef RIGPROOF_COMPARE_COMPARE_H
#define RIGPROOF_COMPARE_COMPARE_H

#include "data/evidence.h"
#include "data/image.h"
#include "data/result.h"
#include "data/verdict.h"

/*
 * Golden and actual -> findings. Pure: no files, no GL, no clock. What is compared and by which limit is the design of
 * the verdicts; the formulas are at their functions.
 */

/* ---- import ---------------------------------------------------------------------------------------------------- */

/*
 * Counts and names exactly, numbers by tolerance, in words of people: "clip `walk` is 24 times longer (25.0 s, was
 * 1.04 s)". Nodes, meshes, bones, materials and clips are matched by name (several of one name in their order, nodes
 * under the same parent first); another order is a benign finding; so are repairs and warnings that came or went.
 */
void compare_import(const struct import_evidence *golden, const struct import_evidence *actual,
                    const struct tolerance *tolerance, struct findings *out);

/* ---- animate and palette --------------------------------------------------------------------------------------- */

/* Of one bone or node at one time; figures as in struct finding. */
struct bone_error {
    const char *bone;
    const char *mesh; /* NULL: a node's local transform */
    enum stage stage; /* STAGE_ANIMATE or STAGE_PALETTE */
    double displacement, distance, degrees, translation, scale_percent;
};

/* Every node and palette entry of both, in the golden's order. */
struct pose_errors {
    size_t count;
    struct bone_error *items;
    double worst[STAGE_COUNT]; /* largest displacement; 0 when all are equal */
};

/*
 * Local transforms (animate) and palette matrices (palette). Displacement: how far the worst of the points at the shell
 * distance along the bone's axes moves, relative to the golden's radius. The shell distance of a palette entry is its
 * bone's `reach` in `import` (the mesh's farthest corner for a rigid entry), at least 3 % of the radius; of a node the
 * largest of its own and of its descendants' as seen from it. `import` NULL: half the diagonal of the skinned mesh.
 * Nodes or entries that only one side has are findings with displacement NAN.
 * Findings name every bone beyond the limit; out->items have all figures. Memory: findings->arena.
 */
void compare_pose(const struct pose_evidence *golden, const struct pose_evidence *actual,
                  const struct import_evidence *import, const struct tolerance *tolerance, struct findings *findings,
                  struct pose_errors *out);

/* ---- skin ------------------------------------------------------------------------------------------------------ */

/*
 * Positions and normals of one instance from the GPU against the CPU's. Position: distance relative to `radius`; limit
 * tolerance->skin. Normals: angle in degrees beyond 0.1 where both are unit vectors. A finding names the worst vertex
 * and the bone that holds most of it. Returns the largest displacement.
 */
double compare_skin(const struct scene *scene, const struct skinned *reference, const struct skinned *gpu,
                    double radius, double time, const struct tolerance *tolerance, struct findings *findings);

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
 * both ways (Hausdorff), relative to the radius of `golden`; limit tolerance->agree. O(n log n).
 */
double compare_points(const struct point_set *golden, const struct point_frame *golden_frame,
                      const struct point_set *actual, const struct point_frame *actual_frame, double time,
                      const struct tolerance *tolerance, struct findings *findings);

/* ---- draw ------------------------------------------------------------------------------------------------------ */

/*
 * The ladder, for pictures whose hashes differ; the first rung that holds is the state:
 *   sizes differ                                   IMAGE_DIFFERS, share 1, the other figures 0
 *   no channel differs                             IMAGE_SAME
 *   no channel differs by more than 2              IMAGE_NOISE, whatever the tolerance
 *   few pixels differ by more than pixel_delta     IMAGE_TOLERATED
 *   else                                           IMAGE_DIFFERS
 * Few is `pixel_share` of the foreground, and 4 pixels where that is less; with a share of 0 it is none. The foreground
 * is what is not `background` (RGBA, exactly) in both pictures. Alpha is a channel like the others.
 * Fills state, size (the actual's), max_delta, changed, foreground, share and box (of the changed pixels; all 0 without
 * any); sets pixelmatch and FLIP to 0; leaves files and bones alone.
 */
void compare_images(const struct image *golden, const struct image *actual, const uint8_t background[4],
                    const struct tolerance *tolerance, struct image_result *out);

/*
 * For pictures that differ, equal sizes: pixelmatch (compare/pixelmatch.h, its defaults) and FLIP figures
 * (compare/flip.h; rounded to 6 decimals, which is what they hold) into `out`; `difference` and `heat` when not NULL,
 * opaque, the caller's to release. False with err set when out of memory or sizes differ; then there are no images.
 *   difference  absolute difference times 16 on black; a difference of alpha shows in all three channels
 *   heat        FLIP's error as heat_color() (compare/heat.h): black where nothing changed
 */
bool compare_images_diagnose(const struct image *golden, const struct image *actual, struct image_result *out,
                             struct image *difference, struct image *heat, struct error *err);

#endif
