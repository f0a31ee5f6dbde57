/* The FBX file as it is read beside Assimp: structure, clips, curves. */
#include <stdlib.h>

#include "import/fbx/fbx_animation.h"
#include "target.h"

static void read_curve(const struct fbx_file *file, uint32_t element)
{
    struct bezier_curve curve;
    if (!fbx_curve_read(file, element, &curve))
        return;
    double value, slope;
    for (int i = -1; i < 8; i++)
        bezier_evaluate(&curve, i * 0.1, i * 0.1, &value, &slope);
    free(curve.keys);
}

static void read_animation(const struct fbx_file *file, const char *name)
{
    struct fbx_animation animation;
    uint32_t after = 0;
    while (fbx_animation_read(file, name, &after, &animation)) {
        for (uint32_t i = 0; i < animation.count; i++)
            for (int k = 0; k < 3; k++)
                read_curve(file, animation.list[i].curves[k]);
        for (uint32_t i = 0; i < animation.shape_count; i++)
            read_curve(file, animation.shapes[i].curves[0]);
        fbx_animation_release(&animation);
    }
}

static void read_object(const struct fbx_file *file, uint32_t element)
{
    double numbers[3];
    struct slice name = fbx_object_name(file, element);
    fbx_property(file, element, "Lcl Rotation", 3, numbers);
    if (slice_is(file->elements[element].name, "AnimationCurve"))
        read_curve(file, element);
    if (!slice_is(file->elements[element].name, "AnimationStack"))
        return;
    char *string = target_string((const uint8_t *)name.data, name.length);
    read_animation(file, string);
    free(string);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fbx_file file = {0};
    char *bytes = target_string(data, size);
    if (!fbx_open(&file, (const unsigned char *)bytes, size))
        for (uint32_t i = 0; i < file.object_count; i++)
            read_object(&file, file.objects[i].element);
    fbx_close(&file);
    free(bytes);
    return 0;
}
