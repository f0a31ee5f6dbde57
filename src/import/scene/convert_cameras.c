#include "import/convert.h"

#include <math.h>

#include "data/vector.h"
#include "import/assimp/library.h"

static void copy_vector(const struct aiVector3D *from, vec3 to)
{
    to[0] = from->x;
    to[1] = from->y;
    to[2] = from->z;
}

/* A unit vector, or the fallback when there is none. */
static void copy_direction(const struct aiVector3D *from, const vec3 fallback, vec3 to)
{
    copy_vector(from, to);
    double length = vec3_length(to);
    bool good = isfinite(length) && length > 0;
    for (int i = 0; i < 3; i++)
        to[i] = good ? (float)(to[i] / length) : fallback[i];
}

static bool convert_camera(struct conversion *c, struct scene_camera *camera, const struct aiCamera *source)
{
    static const vec3 forward = {0, 0, 1}, up = {0, 1, 0}; /* Assimp's own default */
    const float narrowest = 1e-3f, widest = 3.1f;
    const float aspect = source->mAspect > 0 && isfinite(source->mAspect) ? source->mAspect : 1.0f;
    const float width = source->mOrthographicWidth;
    camera->name = copy_string(c, &source->mName);
    camera->node = bind_node(c, camera->name);
    copy_vector(&source->mPosition, camera->position);
    copy_direction(&source->mLookAt, forward, camera->forward);
    copy_direction(&source->mUp, up, camera->up);
    camera->near_plane = source->mClipPlaneNear;
    camera->far_plane = source->mClipPlaneFar;
    if (width > 0 && isfinite(width)) {
        camera->ortho_height = width / aspect;
    } else {
        /* glTF gives the vertical angle, which Assimp may hand over times the aspect ratio; others the horizontal one. */
        bool multiplied = is_gltf(c) && library_gltf()->multiplies_angle;
        float angle = source->mHorizontalFOV;
        angle = multiplied ? angle / aspect : 2.0f * atanf(tanf(0.5f * angle) / aspect);
        camera->fov_y = isfinite(angle) && angle > narrowest ? fminf(angle, widest) : 0.7853982f;
    }
    return all_finite(camera->position, 3) && isfinite(camera->near_plane) && isfinite(camera->far_plane);
}

void convert_cameras(struct conversion *c)
{
    struct scene *scene = c->scene;
    scene->cameras = ARENA_NEW(scene->arena, struct scene_camera, c->source->mNumCameras);
    for (uint32_t i = 0; i < c->source->mNumCameras; i++) {
        struct scene_camera *camera = &scene->cameras[scene->camera_count];
        *camera = (struct scene_camera){.node = NO_INDEX};
        if (convert_camera(c, camera, c->source->mCameras[i]))
            scene->camera_count++;
        else
            scene_note(scene, NOTE_WARNING, "camera", "camera \"%s\" is left out: its numbers are not finite",
                       camera->name);
    }
}
