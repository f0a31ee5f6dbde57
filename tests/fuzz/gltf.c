/* The glTF file as it is read beside Assimp: buffers, accessors, samplers; and as it is written anew. */
#include <stdlib.h>

#include "import/gltf/gltf_repair.h"
#include "target.h"

enum { NUMBERS_MAX = 1 << 20 }; /* what the callers ask for is bounded by what Assimp read */

static bool is_large(const struct gltf_accessor *accessor)
{
    return (size_t)accessor->count * accessor->width > NUMBERS_MAX;
}

static void read_accessors(struct gltf_file *file)
{
    for (size_t i = 0; i < gltf_count(file, "accessors"); i++) {
        struct error err = {0};
        struct gltf_accessor accessor;
        if (!gltf_accessor_find(file, (int64_t)i, &accessor, &err) || is_large(&accessor))
            continue;
        gltf_floats(file, &accessor, &err);
        gltf_indices(file, &accessor, &err);
    }
}

static void read_sampler(struct gltf_file *file, const json_t *animation, int32_t index)
{
    struct error err = {0};
    struct gltf_sampler sampler;
    struct keys keys;
    uint32_t width = 0;
    if (!gltf_sampler_find(file, animation, index, &sampler, &err) || is_large(&sampler.input) || is_large(&sampler.output))
        return;
    struct arena *arena = target_arena();
    if (gltf_keys_read(file, &sampler, sampler.interpolation, &width, arena, &keys, &err))
        gltf_keys_agree(file, &sampler, &keys, width, false, true);
    gltf_sampler_has_negative(file, &sampler);
    arena_destroy(arena);
}

static void read_animations(struct gltf_file *file)
{
    for (size_t i = 0; i < gltf_count(file, "animations"); i++) {
        struct arena *arena = target_arena();
        json_t *animation = gltf_item(file, "animations", (int64_t)i);
        for (size_t k = 0; k < json_array_size(json_object_get(animation, "samplers")); k++)
            read_sampler(file, animation, (int32_t)k);
        gltf_targets_find(file, animation, &(struct clip){.name = "clip"}, arena);
        arena_destroy(arena);
    }
}

static void rewrite(void)
{
    struct scene scene = {.arena = target_arena(), .path = "m.gltf", .format = "gltf"};
    struct conversion c = {.scene = &scene, .repairs = REPAIR_ALL, .err = &(struct error){0}};
    struct text out = {0};
    gltf_rewrite(&c, &out);
    read_accessors(c.gltf); /* with those that were added */
    conversion_release(&c);
    text_release(&out);
    arena_destroy(scene.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {0};
    struct gltf_file file = {0};
    target_file("m.gltf", data, size);
    if (gltf_open(&file, "m.gltf", &err) && gltf_is_version_2(&file)) {
        float value[4];
        for (size_t i = 0; i < gltf_count(&file, "nodes"); i++)
            gltf_node_value(&file, (int32_t)i, COMPONENT_ROTATION, value);
        read_accessors(&file);
        rewrite();
        read_animations(&file);
    }
    gltf_close(&file);
    return 0;
}
