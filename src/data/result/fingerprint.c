#include "data/result/fingerprint.h"

#include <string.h>

#include "base/names.h"
#include "data/json_fields.h"

#include <jansson.h>

const char *fingerprint_find(const struct fingerprint *fingerprint, const char *name)
{
    const struct fingerprint_entry *found = NAMED(fingerprint->entries, fingerprint->count, name);
    return found ? found->value : NULL;
}

bool fingerprint_next_difference(const struct fingerprint *golden, const struct fingerprint *actual, uint32_t *at,
                                 const char **name, const char **was, const char **now)
{
    while (*at < golden->count + actual->count) {
        uint32_t i = (*at)++;
        bool is_golden = i < golden->count;
        *name = is_golden ? golden->entries[i].name : actual->entries[i - golden->count].name;
        *was = fingerprint_find(golden, *name);
        *now = fingerprint_find(actual, *name);
        if (is_golden ? !*now || strcmp(*was, *now) != 0 : !*was)
            return true;
    }
    return false;
}

bool fingerprint_equal(const struct fingerprint *a, const struct fingerprint *b)
{
    const char *name, *was, *now;
    return a->count == b->count && !fingerprint_next_difference(a, b, &(uint32_t){0}, &name, &was, &now);
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

static void write_entries(struct json_writer *json, const char *key, const void *owner)
{
    const struct fingerprint *fingerprint = owner;
    (void)key;
    for (uint32_t i = 0; i < fingerprint->count; i++)
        json_add_string(json, fingerprint->entries[i].name, fingerprint->entries[i].value);
}

static void read_entries(const struct json_place *object, const char *key, void *owner)
{
    struct fingerprint *out = owner;
    const char *name;
    json_t *value;
    uint32_t count = (uint32_t)json_object_size(object->value);
    (void)key;
    out->count = 0;
    out->entries = JSON_NEW(object, struct fingerprint_entry, &count);
    if (count == 0)
        return;
    json_object_foreach(object->value, name, value) {
        uint32_t size = (uint32_t)strlen(name) + 1;
        char *copy = JSON_NEW(object, char, &size);
        if (error_is_set(object->reader->err))
            return;
        memcpy(copy, name, size);
        out->entries[out->count++] = (struct fingerprint_entry){copy, json_read_string(object, name)};
    }
}

static void copy_entries(void *owner, struct arena *arena)
{
    struct fingerprint *copy = owner;
    *copy = grown(copy, 0, arena);
    for (uint32_t i = 0; i < copy->count; i++)
        copy->entries[i] = (struct fingerprint_entry){arena_string(arena, copy->entries[i].name),
                                                      arena_string(arena, copy->entries[i].value)};
}

const struct fields fingerprint_fields = FIELD_TABLE(struct fingerprint, JSON_LINES,
    {.type = FIELD_CUSTOM, .write = write_entries, .read = read_entries, .copy = copy_entries},
);
