#include "viewer/packer.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Fills up to where an array may begin, so that a browser reads it in place, and returns that. */
static size_t align(struct packer *packer)
{
    static const char zeros[8];
    text_add_bytes(&packer->bytes, zeros, (8 - packer->bytes.size % 8) % 8);
    return packer->bytes.size;
}

static void refer(struct packer *packer, const char *key, const char *type, size_t at, size_t count)
{
    json_open_array(&packer->json, key, JSON_INLINE);
    json_add_string(&packer->json, NULL, type);
    json_add_int(&packer->json, NULL, (long long)at);
    json_add_int(&packer->json, NULL, (long long)count);
}

static void pack_bytes(struct packer *packer, const char *key, const char *type, const void *values, size_t size,
                       size_t count)
{
    refer(packer, key, type, align(packer), count);
    json_close(&packer->json);
    text_add_bytes(&packer->bytes, values, size * count);
}

/* Offset and step of the numbers k, k + width, ... in steps of -most..most, or where `most` is 0 over -1..1. */
static void find_range(const float *values, size_t count, uint32_t width, uint32_t k, float *offset, float *step)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = k; i < count; i += width) {
        low = fmin(low, (double)values[i]);
        high = fmax(high, (double)values[i]);
    }
    *offset = high >= low ? (float)low : 0;
    *step = high > low ? (float)((high - low) / 65535) : 0;
}

void pack_floats(struct packer *packer, const char *key, const float *values, size_t count, uint32_t width,
                 enum exactness exactness)
{
    float offset[4] = {0}, step[4] = {0};
    if (packer->form != VIEWER_QUANTISED || exactness == EXACT || width > 4) {
        pack_bytes(packer, key, "f4", values, sizeof *values, count);
        return;
    }
    const bool is_range = exactness == OF_RANGE, is_byte = exactness == OF_UNIT8;
    const double most = is_range ? 65535 : is_byte ? 127 : 32767;
    refer(packer, key, is_range ? "u2" : is_byte ? "i1" : "i2", align(packer), count);
    for (uint32_t k = 0; k < width; k++) {
        step[k] = (float)(1 / most);
        if (is_range)
            find_range(values, count, width, k, &offset[k], &step[k]);
    }
    json_add_floats(&packer->json, NULL, offset, width);
    json_add_floats(&packer->json, NULL, step, width);
    json_close(&packer->json);
    for (size_t i = 0; i < count; i++) {
        const double by = step[i % width], at = by > 0 ? round(((double)values[i] - offset[i % width]) / by) : 0;
        const int whole = (int)fmin(fmax(at, is_range ? 0 : -most), most);
        const uint8_t bytes[2] = {(uint8_t)whole, (uint8_t)(whole >> 8)};
        text_add_bytes(&packer->bytes, bytes, is_byte ? 1 : 2);
    }
}

void pack_times(struct packer *packer, const char *key, const double *times, uint32_t count)
{
    if (packer->time_count != count || memcmp(packer->times, times, count * sizeof *times) != 0) {
        packer->times = times;
        packer->time_count = count;
        packer->times_at = align(packer);
        text_add_bytes(&packer->bytes, times, count * sizeof *times);
    }
    refer(packer, key, "f8", packer->times_at, count);
    json_close(&packer->json);
}

void pack_indices(struct packer *packer, const char *key, const uint32_t *values, size_t count)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = values[i] > most ? values[i] : most;
    const int size = most < 1 << 8 ? 1 : most < 1 << 16 ? 2 : 4;
    refer(packer, key, size == 1 ? "u1" : size == 2 ? "u2" : "u4", align(packer), count);
    json_close(&packer->json);
    for (size_t i = 0; i < count; i++) {
        const uint8_t bytes[4] = {(uint8_t)values[i], (uint8_t)(values[i] >> 8), (uint8_t)(values[i] >> 16),
                                  (uint8_t)(values[i] >> 24)};
        text_add_bytes(&packer->bytes, bytes, (size_t)size);
    }
}

void pack_matrices(struct packer *packer, const char *key, const void *first, size_t stride, size_t count)
{
    FREED float(*rows)[12] = memory_new(count, sizeof *rows);
    for (size_t i = 0; i < count; i++)
        affine_rows((const vec4 *)((const char *)first + i * stride), rows[i]);
    pack_bytes(packer, key, "f4", rows, sizeof(float), 12 * count);
}
