#include "import/gltf/gltf_keys.h"

#include <stdlib.h>
#include <string.h>

/* An unknown mode is LINEAR, as in Assimp. */
static enum interpolation parse_interpolation(const json_t *sampler)
{
    const char *mode = gltf_string(sampler, "interpolation", "LINEAR");
    if (strcmp(mode, "STEP") == 0)
        return INTERPOLATE_STEP;
    return strcmp(mode, "CUBICSPLINE") == 0 ? INTERPOLATE_CUBIC : INTERPOLATE_LINEAR;
}

static size_t values_per_key(enum interpolation interpolation)
{
    return interpolation == INTERPOLATE_CUBIC ? 3 : 1;
}

static size_t number_count(const struct gltf_accessor *accessor)
{
    return (size_t)accessor->count * accessor->width;
}

bool gltf_sampler_find(const struct gltf_file *file, const json_t *animation, int32_t index,
                       struct gltf_sampler *out, struct error *err)
{
    const json_t *json = json_array_get(json_object_get(animation, "samplers"), (size_t)index);
    if (index == GLTF_NONE || !json_is_object(json))
        return error_set(err, "there is no sampler %d", (int)index);
    out->interpolation = parse_interpolation(json);
    if (!gltf_accessor_find(file, gltf_index(json, "input"), &out->input, err) ||
        !gltf_accessor_find(file, gltf_index(json, "output"), &out->output, err))
        return false;
    if (out->input.width != 1 || out->input.count == 0)
        return error_set(err, "sampler %d has no key times", (int)index);
    if (out->output.count < values_per_key(out->interpolation) * out->input.count)
        return error_set(err, "sampler %d has %u values for %u keys", (int)index, (unsigned)out->output.count,
                         (unsigned)out->input.count);
    return true;
}

bool gltf_sampler_is_integer(const struct gltf_sampler *sampler)
{
    return sampler->input.component != GLTF_FLOAT || sampler->output.component != GLTF_FLOAT;
}

static float *read_numbers(struct gltf_file *file, const struct gltf_accessor *accessor, struct error *err)
{
    float *numbers = calloc(number_count(accessor) + 1, sizeof *numbers);
    if (!numbers)
        error_set(err, "out of memory");
    else if (!gltf_accessor_floats(file, accessor, numbers, err)) {
        free(numbers);
        numbers = NULL;
    }
    return numbers;
}

static bool choose_width(const struct gltf_sampler *sampler, uint32_t *width, struct error *err)
{
    size_t stored = values_per_key(sampler->interpolation) * sampler->input.count;
    size_t numbers = number_count(&sampler->output);
    if (*width == 0 && numbers % stored != 0)
        return error_set(err, "%zu morph weights do not divide into %u keys", numbers,
                         (unsigned)sampler->input.count);
    if (*width == 0)
        *width = (uint32_t)(numbers / stored);
    else if (sampler->output.width != *width || sampler->output.count < stored)
        return error_set(err, "%u values of %u numbers are not enough for %u keys",
                         (unsigned)sampler->output.count, (unsigned)sampler->output.width,
                         (unsigned)sampler->input.count);
    return true;
}

/* Copies whole keys, or of each CUBICSPLINE key the value in the middle. */
static void copy_values(const float *from, const struct gltf_sampler *sampler, enum interpolation as,
                        uint32_t width, float *to)
{
    size_t stored = values_per_key(sampler->interpolation) * width;
    size_t wanted = values_per_key(as) * width;
    size_t skip = stored > wanted ? width : 0;
    for (size_t key = 0; key < sampler->input.count; key++)
        memcpy(to + key * wanted, from + key * stored + skip, wanted * sizeof *to);
}

bool gltf_keys_read(struct gltf_file *file, const struct gltf_sampler *sampler, enum interpolation as,
                    uint32_t *width, struct arena *arena, struct keys *out, struct error *err)
{
    if (!choose_width(sampler, width, err))
        return false;
    float *seconds = read_numbers(file, &sampler->input, err);
    float *numbers = seconds ? read_numbers(file, &sampler->output, err) : NULL;
    if (numbers) {
        uint32_t count = sampler->input.count;
        double *times = ARENA_NEW(arena, double, count);
        float *values = ARENA_NEW(arena, float, values_per_key(as) * count * *width);
        for (uint32_t i = 0; i < count; i++)
            times[i] = (double)seconds[i];
        copy_values(numbers, sampler, as, *width, values);
        *out = (struct keys){.count = count, .times = times, .values = values, .interpolation = as};
    }
    free(seconds);
    free(numbers);
    return numbers != NULL;
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

/* Assimp copies floats, so they are the same bits; a NaN is like any NaN. */
static bool same_number(float in_file, float in_scene, bool clamped)
{
    if (clamped && in_file < 0.0f)
        return in_scene == 0.0f;
    return in_file == in_scene || (in_file != in_file && in_scene != in_scene);
}

static bool values_agree(const float *numbers, const struct gltf_sampler *sampler, const struct keys *keys,
                         uint32_t width, bool clamped)
{
    size_t stored = values_per_key(sampler->interpolation) * width;
    size_t given = values_per_key(keys->interpolation) * width;
    size_t skip = stored > given ? width : 0;
    for (size_t key = 0; key < keys->count; key++)
        for (size_t i = 0; i < given; i++)
            if (!same_number(numbers[key * stored + skip + i], keys->values[key * given + i], clamped))
                return false;
    return true;
}

bool gltf_keys_agree(struct gltf_file *file, const struct gltf_sampler *sampler, const struct keys *keys,
                     uint32_t width, bool count_only, bool clamped)
{
    struct error ignored = {0};
    uint32_t wanted = width;
    if (keys->count != sampler->input.count)
        return false;
    if (count_only || gltf_sampler_is_integer(sampler))
        return true;
    if (!choose_width(sampler, &wanted, &ignored))
        return false;
    if (keys->interpolation == INTERPOLATE_CUBIC && sampler->interpolation != INTERPOLATE_CUBIC)
        return false;
    float *numbers = read_numbers(file, &sampler->output, &ignored);
    bool same = numbers && values_agree(numbers, sampler, keys, width, clamped);
    free(numbers);
    return same;
}

bool gltf_sampler_has_negative(struct gltf_file *file, const struct gltf_sampler *sampler)
{
    struct error ignored = {0};
    float *numbers = read_numbers(file, &sampler->output, &ignored);
    bool negative = false;
    size_t per_key = numbers ? number_count(&sampler->output) / sampler->input.count : 0;
    size_t width = per_key / values_per_key(sampler->interpolation);
    size_t skip = sampler->interpolation == INTERPOLATE_CUBIC ? width : 0;
    for (size_t key = 0; numbers && key < sampler->input.count; key++)
        for (size_t i = 0; i < width; i++)
            negative = negative || numbers[key * per_key + skip + i] < 0.0f;
    free(numbers);
    return negative;
}

bool gltf_node_value(const struct gltf_file *file, int32_t node, enum component component,
                     float out[static 4])
{
    static const char *const names[COMPONENT_COUNT] = {"translation", "rotation", "scale"};
    static const float defaults[COMPONENT_COUNT][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 0}};
    const json_t *json = gltf_item(file, "nodes", node);
    const json_t *value = json_object_get(json, names[component]);
    if (!json || json_object_get(json, "matrix"))
        return false;
    memcpy(out, defaults[component], sizeof defaults[component]);
    if (json_array_size(value) == component_width(component))
        for (uint32_t i = 0; i < component_width(component); i++)
            out[i] = (float)json_number_value(json_array_get(value, i));
    return true;
}
