/* ARRAYs of the protocol: a list of numbers, base64, a file beside. */

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "data/json_fields.h"
#include "subject/subject.h"

#include <jansson.h> /* last: it takes a name of base/json.h */

size_t subject_read_floats(const unsigned char *bytes, size_t count, size_t width, float *out)
{
    size_t finite = count;
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = little_endian(bytes + width * i, (unsigned)width);
        const uint32_t low = (uint32_t)bits;
        double value;
        if (width == sizeof low) {
            memcpy(&out[i], &low, sizeof low);
        } else {
            memcpy(&value, &bits, sizeof value);
            out[i] = (float)value;
        }
        finite = finite == count && !isfinite(out[i]) ? i : finite;
    }
    return finite;
}

struct skin_snapshot subject_skin(const char *mesh, const vec3 *positions, const vec3 *normals, uint32_t count)
{
    struct skin_snapshot out = skin_summarise(&(struct skinned){.vertex_count = count, .positions = (vec3 *)positions});
    out.mesh = mesh;
    out.positions = positions;
    out.normals = normals;
    out.position_count = count;
    out.normal_count = normals ? count : 0;
    return out;
}

static const float *read_bytes(const struct json_place *at, const char *key, const unsigned char *bytes, size_t size,
                               size_t width, size_t most, size_t *count)
{
    uint32_t room = (uint32_t)(size / width);
    if (size % width != 0)
        json_complain(at, key, "%zu bytes are no whole number of floats of %zu bytes", size, width);
    else if (size / width > most)
        json_complain(at, key, "expected at most %zu numbers, found %zu", most, size / width);
    if (error_is_set(at->reader->err))
        return NULL;
    float *out = JSON_NEW(at, float, &room);
    const size_t read = subject_read_floats(bytes, room, width, out);
    if (read < room)
        json_complain(at, key, "number %zu is not finite", read);
    *count = room;
    return read < room ? NULL : out;
}

static const float *read_base64(const struct json_place *at, const char *key, const json_t *value, size_t most,
                                size_t *count)
{
    size_t size = json_string_length(value), bytes = 0;
    unsigned char *decoded = memory_new(size / 4 * 3 + 4, 1);
    const float *out = NULL;
    if (!base64_decode(json_string_value(value), size, false, decoded, &bytes))
        json_complain(at, key, "f32 is no base64");
    else
        out = read_bytes(at, key, decoded, bytes, 4, most, count);
    free(decoded);
    return out;
}

/* Returns where the numbers of a NumPy file begin, and how wide they are; 0: not one that can be read, with a
 * complaint. */
static size_t npy_begin(const struct json_place *at, const char *key, const unsigned char *data, size_t size,
                        size_t *width)
{
    const size_t lead = size > 6 && data[6] >= 2 ? 12 : 10;
    char header[1024];
    if (size < lead || memcmp(data, "\x93NUMPY", 6) != 0 || data[6] < 1 || data[6] > 3)
        return json_complain(at, key, "the file is no .npy of version 1 to 3");
    size_t length = data[8] | (size_t)data[9] << 8;
    length |= lead == 12 ? (size_t)data[10] << 16 | (size_t)data[11] << 24 : 0;
    if (length > size - lead || length >= sizeof header)
        return json_complain(at, key, "the header of the .npy is longer than the file, or than %zu bytes",
                             sizeof header);
    memcpy(header, data + lead, length);
    header[length] = '\0';
    *width = strstr(header, "<f4") ? 4 : strstr(header, "<f8") ? 8 : 0;
    if (*width == 0 || !strstr(header, "False"))
        return json_complain(at, key, "the .npy is not of <f4 or <f8 in C's order");
    return lead + length;
}

/* A plain file in the folder itself, and no way out of it. NULL with a complaint. */
static unsigned char *read_file(const struct json_place *at, const char *key, const char *folder, const char *name,
                                size_t *size)
{
    struct stat st;
    unsigned char *data = NULL;
    if (*name == '\0' || strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || !folder) {
        json_complain(at, key, "`%.100s` is no file's bare name", name);
        return NULL;
    }
    int in = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int fd = in < 0 ? -1 : openat(in, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (in >= 0)
        close(in);
    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        json_complain(at, key, "there is no file `%.100s` in the request's folder", name);
    else if (st.st_size > SUBJECT_FILE_LIMIT)
        json_complain(at, key, "`%.100s` is larger than %d MiB", name, SUBJECT_FILE_LIMIT >> 20);
    else
        data = memory_new((size_t)st.st_size + 1, 1);
    for (*size = 0; data && *size < (size_t)st.st_size;) {
        ssize_t n = read(fd, data + *size, (size_t)st.st_size - *size);
        if (n <= 0)
            break; /* it has become shorter: what there is counts */
        *size += (size_t)n;
    }
    if (fd >= 0)
        close(fd);
    return data;
}

static const float *read_beside(const struct json_place *at, const char *key, const char *folder, const char *name,
                                size_t most, size_t *count)
{
    const char *dot = strrchr(name, '.');
    size_t size, begin = 0, width = 4;
    const float *out = NULL;
    if (!dot || (strcmp(dot, ".f32") != 0 && strcmp(dot, ".npy") != 0)) {
        json_complain(at, key, "`%.100s` is neither .f32 nor .npy", name);
        return NULL;
    }
    unsigned char *data = read_file(at, key, folder, name, &size);
    if (data && strcmp(dot, ".npy") == 0)
        begin = npy_begin(at, key, data, size, &width);
    if (data && !error_is_set(at->reader->err))
        out = read_bytes(at, key, data + begin, size - begin, width, most, count);
    free(data);
    return out;
}

/* Numbers, or lists of numbers: [x, y, z, ...] and [[x, y, z], ...] are the same. */
static const float *read_list(const struct json_place *at, const char *key, const json_t *list, size_t most,
                              size_t *count)
{
    size_t total = 0, next = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        total += json_is_array(item) ? json_array_size(item) : 1;
    }
    if (total > most) {
        json_complain(at, key, "expected at most %zu numbers, found %zu", most, total);
        return NULL;
    }
    uint32_t room = (uint32_t)total;
    float *out = JSON_NEW(at, float, &room);
    for (size_t i = 0; i < json_array_size(list) && room > 0; i++) {
        const json_t *item = json_array_get(list, i);
        const size_t inside = json_is_array(item) ? json_array_size(item) : 1;
        for (size_t k = 0; k < inside; k++) {
            const json_t *number = json_is_array(item) ? json_array_get(item, k) : item;
            out[next] = (float)json_number_value(number);
            if (!json_is_number(number) || !isfinite(out[next])) {
                json_complain(at, key, "number %zu is none, or is not finite", next);
                return NULL;
            }
            next++;
        }
    }
    *count = room;
    return out;
}

const float *subject_read_array(const struct json_place *at, const char *key, const char *folder, size_t most,
                                size_t *count)
{
    const json_t *value = error_is_set(at->reader->err) ? NULL : json_object_get(at->value, key);
    const json_t *encoded = json_object_get(value, "f32"), *file = json_object_get(value, "file");
    *count = 0;
    if (error_is_set(at->reader->err))
        return NULL;
    if (json_is_array(value))
        return read_list(at, key, value, most, count);
    if (json_is_string(encoded))
        return read_base64(at, key, encoded, most, count);
    if (json_is_string(file))
        return read_beside(at, key, folder, json_string_value(file), most, count);
    json_complain(at, key, "expected a list of numbers, {\"f32\": base64} or {\"file\": name}");
    return NULL;
}
