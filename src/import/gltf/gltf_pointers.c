#include "import/gltf/gltf_repair.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Returns what a channel of KHR_animation_pointer moves: "/nodes/7/rotation". NULL for any other channel. */
static const char *pointer_of(const json_t *channel)
{
    const json_t *target = json_object_get(channel, "target");
    const json_t *extension = json_object_get(json_object_get(target, "extensions"), "KHR_animation_pointer");
    return extension ? gltf_string(extension, "pointer", "") : NULL;
}

/* The index behind `list`, as in "/nodes/"; GLTF_NONE where the pointer is of something else. */
static int32_t index_in(const char *pointer, const char *list, const char **property)
{
    const size_t length = strlen(list);
    if (strncmp(pointer, list, length) != 0 || !isdigit((unsigned char)pointer[length]))
        return GLTF_NONE;
    char *end;
    const long number = strtol(pointer + length, &end, 10);
    *property = *end == '/' ? end + 1 : "";
    return number < INT32_MAX ? (int32_t)number : GLTF_NONE;
}

/* An ordinary channel that does what `channel` does. */
static json_t *channel_of(const json_t *channel, int32_t node, const char *path)
{
    return json_pack("{s:i, s:{s:i, s:s}}", "sampler", (int)gltf_index(channel, "sampler"), "target", "node", (int)node,
                     "path", path);
}

/* Appends the ordinary channels that do the same: a mesh's weights are those of each node that shows it and has none
 * of its own. False: there are none. */
static bool play(const struct gltf_file *file, const json_t *channel, const char *pointer, json_t *out)
{
    const char *property = "";
    const size_t before = json_array_size(out);
    const int32_t node = index_in(pointer, "/nodes/", &property);
    for (int path = 0; path < GLTF_PATH_COUNT && gltf_item(file, "nodes", node); path++)
        if (strcmp(property, gltf_paths[path]) == 0)
            json_array_append_new(out, channel_of(channel, node, property));
    const int32_t mesh = index_in(pointer, "/meshes/", &property);
    const bool is_weights = mesh != GLTF_NONE && strcmp(property, gltf_paths[GLTF_WEIGHTS]) == 0;
    for (size_t i = 0; is_weights && i < gltf_count(file, "nodes"); i++) {
        const json_t *json = gltf_item(file, "nodes", (int64_t)i);
        if (gltf_index(json, "mesh") == mesh && !json_object_get(json, "weights"))
            json_array_append_new(out, channel_of(channel, (int32_t)i, property));
    }
    return json_array_size(out) > before;
}

/* Lists a pointer as what it moves, indices left out: "/materials/N/emissiveFactor". */
static void list_kind(json_t *lost, const char *pointer)
{
    SCOPED(text) kind = {0};
    for (const char *at = pointer; *at; at++) {
        const bool is_digit = isdigit((unsigned char)*at), goes_on = at > pointer && isdigit((unsigned char)at[-1]);
        if (!is_digit || !goes_on)
            text_add_bytes(&kind, is_digit ? "N" : at, 1);
    }
    json_object_set_new_nocheck(lost, "KHR_animation_pointer", json_true());
    json_object_set_new_nocheck(lost, text_string(&kind), json_true());
}

size_t gltf_resolve_pointers(const struct gltf_file *file, bool plays, json_t *lost)
{
    size_t a, i, played = 0;
    json_t *animation, *channel;
    json_array_foreach(json_object_get(file->root, "animations"), a, animation)
    {
        json_t *channels = json_array();
        size_t found = 0;
        json_array_foreach(json_object_get(animation, "channels"), i, channel)
        {
            const char *pointer = pointer_of(channel);
            const bool is_played = pointer && plays && play(file, channel, pointer, channels);
            found += pointer != NULL;
            played += is_played;
            if (!pointer)
                json_array_append(channels, channel);
            else if (!is_played)
                list_kind(lost, pointer);
        }
        if (found > 0 && plays)
            json_object_set(animation, "channels", channels);
        json_decref(channels);
    }
    return played;
}
