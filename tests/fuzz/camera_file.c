/* A camera in a file of its own, or in a recorded.json. */
#include "data/image/camera_file.h"
#include "target_json.h"

static bool rewrite(const void *data, size_t size, struct text *out)
{
    struct error err = {0};
    struct camera camera;
    bool good = camera_file_read(data, size, "camera.json", &camera, &err);
    if (good)
        camera_file_write(&camera, out);
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return target_rewrite(rewrite, data, size);
}
