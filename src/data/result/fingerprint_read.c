#include <string.h>

#include <jansson.h>

#include "data/json_read.h"
#include "data/result/fingerprint.h"

struct fingerprint fingerprint_read(const struct json_place *at, const char *key)
{
    struct json_place object = json_read_object(at, key);
    struct fingerprint fingerprint = {.count = (uint32_t)json_object_size(object.value)};
    fingerprint.entries = JSON_NEW(&object, struct fingerprint_entry, &fingerprint.count);
    const char *name;
    json_t *value;
    uint32_t i = 0;
    if (fingerprint.count == 0)
        return fingerprint;
    json_object_foreach(object.value, name, value) {
        struct json_place entry = {.reader = at->reader, .parent = &object, .key = name, .value = value};
        uint32_t size = (uint32_t)strlen(name) + 1;
        char *copy = JSON_NEW(&entry, char, &size);
        if (error_is_set(at->reader->err))
            break;
        memcpy(copy, name, size);
        fingerprint.entries[i++] = (struct fingerprint_entry){copy, json_read_string(&entry, NULL)};
    }
    fingerprint.count = i;
    return fingerprint;
}
