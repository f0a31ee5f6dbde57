#include "compare/compare.h"
void compare_pose(const struct pose_evidence *golden, const struct pose_evidence *actual,
                  const struct import_evidence *import, const struct tolerance *tolerance, struct findings *findings,
                  struct pose_errors *out){(void)golden;(void)actual;(void)import;(void)tolerance;(void)findings;(void)out;}
double compare_skin(const struct scene *scene, const struct skinned *reference, const struct skinned *gpu, double radius,
                    double time, const struct tolerance *tolerance, struct findings *findings){(void)scene;(void)reference;(void)gpu;(void)radius;(void)time;(void)tolerance;(void)findings;return 0;}
double compare_points(const struct point_set *golden, const struct point_frame *golden_frame,
                      const struct point_set *actual, const struct point_frame *actual_frame, double time,
                      const struct tolerance *tolerance, struct findings *findings){(void)golden;(void)golden_frame;(void)actual;(void)actual_frame;(void)time;(void)tolerance;(void)findings;return 0;}
