#include "import/convert.h"

#include <math.h>

#include "data/vector.h"
#include "import/assimp/library_probe.h"

/* glTF files give the vertical angle; Assimp hands over that angle times the aspect ratio, every other
 * importer the horizontal one. */
static float vertical_angle(const struct conversion *c, const struct aiCamera *source)
{
    float aspect = source->mAspect > 0 && isfinite(source->mAspect) ? source->mAspect : 1.0f;
    float angle = source->mHorizontalFOV;
    if (is_gltf(c))
        angle = library_gltf()->multiplies_angle ? angle / aspect : 2.0f * atanf(tanf(0.5f * angle) / aspect);
    else
        angle = 2.0f * atanf(tanf(0.5f * angle) / aspect);
    const float narrowest = 1e-3f;
    const float widest = 3.1f;
    return isfinite(angle) && angle > narrowest ? fminf(angle, widest) : 0.7853982f;
}

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
    static const vec3 forward = {0, 0, 1}; /* Assimp's own default */
    static const vec3 up = {0, 1, 0};
    camera->name = copy_string(c, &source->mName);
    camera->node = bind_node(c, camera->name);
    copy_vector(&source->mPosition, camera->position);
    copy_direction(&source->mLookAt, forward, camera->forward);
    copy_direction(&source->mUp, up, camera->up);
    float width = source->mOrthographicWidth;
    if (width > 0 && isfinite(width)) {
        float aspect = source->mAspect > 0 && isfinite(source->mAspect) ? source->mAspect : 1.0f;
        camera->ortho_height = width / aspect;
    } else {
        camera->fov_y = vertical_angle(c, source);
    }
    camera->near_plane = source->mClipPlaneNear;
    camera->far_plane = source->mClipPlaneFar;
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
