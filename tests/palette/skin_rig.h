#pragma once

#include "data/scene/pose.h"
#include "palette/dual_quaternion.h"
#include "scene_builder.h"

/* One mesh of `vertices` vertices on `bones` bones, every matrix of the palette the identity; for both ways of skinning. */
struct rig {
    struct scene *scene;
    struct mesh *mesh;
    struct palette palette;
    struct joint *joints; /* of dual quaternions */
    struct skinned *skinned;
};

static inline struct rig make_rig(uint32_t vertices, uint32_t bones)
{
    struct rig rig = {.scene = builder_scene(1)};
    rig.mesh = builder_mesh(rig.scene, 0, vertices, bones);
    scene_bind(rig.scene);
    rig.palette = palette_create(rig.scene, rig.scene->arena);
    for (uint32_t b = 0; b < rig.palette.count; b++)
        affine_from_transform(&transform_identity, rig.palette.mesh_to_scene[b]);
    rig.joints = ARENA_NEW(rig.scene->arena, struct joint, rig.palette.count);
    rig.skinned = skinned_create(rig.scene, rig.scene->arena);
    return rig;
}

static inline void drop_rig(struct rig *rig)
{
    scene_free(rig->scene);
}

/* A rig that is freed where its name ends. */
#define RIG RELEASED_BY(drop_rig) struct rig

static inline void set(vec3 out, double x, double y, double z)
{
    out[0] = (float)x;
    out[1] = (float)y;
    out[2] = (float)z;
}

static inline void assert_near(const float *got, double x, double y, double z, double tolerance)
{
    const double expected[3] = {x, y, z};
    for (int i = 0; i < 3; i++)
        if (!(fabs((double)got[i] - expected[i]) <= tolerance))
            fail_msg("(%g, %g, %g) where (%g, %g, %g) is expected", (double)got[0], (double)got[1], (double)got[2], x,
                     y, z);
}
