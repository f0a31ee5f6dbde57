#include "data/result/fingerprint.h"

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

/* A copy with room for more. */
static struct fingerprint grown(const struct fingerprint *list, uint32_t more, struct arena *arena)
{
    struct fingerprint out = {list->count, ARENA_NEW(arena, struct fingerprint_entry, (size_t)list->count + more)};
    if (list->count > 0)
        memcpy(out.entries, list->entries, list->count * sizeof *list->entries);
    return out;
}

void fingerprint_add_differing(const struct fingerprint *was, const struct fingerprint *now, struct arena *arena,
                               struct fingerprint *golden, struct fingerprint *actual)
{
    *golden = grown(golden, now->count, arena);
    *actual = grown(actual, now->count, arena);
    for (uint32_t i = 0; i < now->count; i++) {
        const struct fingerprint_entry *entry = &now->entries[i];
        const char *value = fingerprint_find(was, entry->name);
        if (!value || strcmp(value, entry->value) == 0 || fingerprint_find(golden, entry->name))
            continue;
        golden->entries[golden->count++] = (struct fingerprint_entry){entry->name, value};
        actual->entries[actual->count++] = *entry;
    }
}

void fingerprint_write(struct json_writer *json, const char *key, const struct fingerprint *fingerprint)
{
    json_open_object(json, key, JSON_LINES);
    for (uint32_t i = 0; i < fingerprint->count; i++)
        json_add_string(json, fingerprint->entries[i].name, fingerprint->entries[i].value);
    json_close(json);
}
