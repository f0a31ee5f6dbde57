#include "data/fingerprint.h"

#include <string.h>

#include "base/json.h"

const char *fingerprint_find(const struct fingerprint *fingerprint, const char *name)
{
    for (uint32_t i = 0; i < fingerprint->count; i++)
        if (strcmp(fingerprint->entries[i].name, name) == 0)
            return fingerprint->entries[i].value;
    return NULL;
}

bool fingerprint_equal(const struct fingerprint *a, const struct fingerprint *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (strcmp(a->entries[i].name, b->entries[i].name) != 0 || strcmp(a->entries[i].value, b->entries[i].value) != 0)
            return false;
    return true;
}

void fingerprint_write(struct json_writer *json, const char *key, const struct fingerprint *fingerprint)
{
    json_open_object(json, key, JSON_LINES);
    for (uint32_t i = 0; i < fingerprint->count; i++)
        json_add_string(json, fingerprint->entries[i].name, fingerprint->entries[i].value);
    json_close(json);
}
