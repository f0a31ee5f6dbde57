#include <math.h>
#include <string.h>

#include "data/affine.h"
#include "draw/draw.h"
#include "pipeline/pipeline.h"

/* Makes the matrix of a turn around an axis, which is exact at right angles. */
static void turn_matrix(int axis, double degrees, mat4 out)
{
    const double angle = degrees * (3.14159265358979323846 / 180.0), quarters = degrees / 90;
    const bool is_right = quarters == floor(quarters);
    const double c = is_right ? round(cos(angle)) : cos(angle), s = is_right ? round(sin(angle)) : sin(angle);
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    memcpy(out, mat4_identity, sizeof(mat4));
    out[a][a] = out[b][b] = (float)c;
    out[a][b] = (float)s;
    out[b][a] = (float)-s;
}

void place_matrix(const struct pipeline *p, mat4 out)
{
    const struct model_place *place = &p->settings->place;
    const float scale = place->scale > 0 ? place->scale : 1;
    mat4 turn;
    memcpy(out, mat4_identity, sizeof(mat4));
    for (int i = 0; i < 3; i++) {
        turn_matrix(i, (double)place->turn[i], turn);
        affine_mul(turn, out, out);
    }
    turn_matrix(p->up_axis, p->up_sign * (double)place->turn_up, turn);
    affine_mul(turn, out, out);
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            out[c][r] *= scale;
    memcpy(out[3], place->move, sizeof(vec3));
}

struct bounds place_bounds(const struct pipeline *p, const struct bounds *bounds)
{
    return p->is_placed && !bounds_is_empty(bounds) ? bounds_transformed(bounds, p->place) : *bounds;
}

void place_pose(const struct pipeline *p, struct palette *palette, struct pose *pose)
{
    for (uint32_t i = 0; i < palette->count; i++)
        affine_mul(p->place, palette->mesh_to_scene[i], palette->mesh_to_scene[i]);
    for (uint32_t i = 0; pose && i < pose->node_count; i++)
        affine_mul(p->place, pose->node_to_scene[i], pose->node_to_scene[i]);
}

void place_member(const struct pipeline *p, struct arena *arena, struct crowd_member *member)
{
    struct palette *palette = ARENA_NEW(arena, struct palette, 1);
    struct pose *pose = member->pose ? ARENA_NEW(arena, struct pose, 1) : NULL;
    *palette = palette_copy(member->palette, p->scene, arena);
    if (pose)
        *pose = pose_copy(member->pose, p->scene, arena);
    place_pose(p, palette, pose);
    member->palette = palette;
    member->pose = pose;
}
