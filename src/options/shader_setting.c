#include <stdlib.h>
#include <string.h>

#include "base/file/path.h"
#include "base/file/file.h"
#include "base/memory.h"
#include "base/names.h"
#include "options/settings.h"

/* A suite's case says none where the defaults have a folder. */
static bool read_dir(struct value_source *source, void *target, const struct tree_node *value)
{
    struct settings *s = target;
    struct error why = {0};
    SCOPED(text) real = {0};
    const char *path = value_string(source, value);
    if (!path)
        return false;
    s->shaders = NULL;
    if (source->row->also && strcmp(path, source->row->also) == 0)
        return true;
    path = source->paths ? suite_paths_folder(source->paths, path, source->arena, &why) : path;
    if (!path)
        return value_fail(source, value, "%s", why.text);
    bool good = path_real_folder(path, &real, &why);
    s->shaders = path;
    return good || value_absent(source, value, why.text);
}

/* An entry of the map; both texts live on. */
static bool add_entry(struct value_source *source, struct settings *s, const struct tree_node *at, const char *name,
                      const char *what)
{
    struct error why = {0};
    if (s->shader_map.count == SHADER_MAP_MOST)
        return value_fail(source, at, "at most %d names", SHADER_MAP_MOST);
    if (NAMED(s->shader_map.entries, s->shader_map.count, name))
        return value_fail(source, at, "`%s` is there twice", name);
    if (!shader_map_check(what, &why))
        return value_fail(source, at, "%s", why.text);
    s->shader_map.entries[s->shader_map.count++] = (struct shader_map_entry){name, what};
    return true;
}

/* {u_time: time, u_tint: [1, 0, 0]} */
static bool read_names(struct value_source *source, void *target, const struct tree_node *value)
{
    if (!value_is_mapping(source, value))
        return false;
    for (size_t i = 0; i < value->count; i++) {
        const struct tree_node *item = value->items[i];
        SCOPED(text) what = {0};
        bool good = item->kind == TREE_TEXT || item->kind == TREE_LIST;
        if (item->kind == TREE_TEXT)
            text_add(&what, item->text);
        for (size_t k = 0; good && item->kind == TREE_LIST && k < item->count; k++) {
            good = item->items[k]->kind == TREE_TEXT;
            text_addf(&what, "%s%s", k ? ":" : "", good ? item->items[k]->text : "");
        }
        good = good ? add_entry(source, target, item, value->keys[i]->text,
                                arena_string(source->arena, text_string(&what)))
                    : value_fail(source, item, "expected a word, a number or a list of numbers");
        if (!good)
            return false;
    }
    return true;
}

static const struct value_type value_dir = {read_dir, NULL, FORM_TEXT},
                               value_names_of = {read_names, NULL, FORM_MAPPING};

const struct setting shader_parts[SHADER_PARTS] = {
    {"dir", NULL, "the folder", 0, &value_dir, 0, 0, NULL, .also = "none"},
    {"attributes", NULL, "what attributes of the vertex shader are: {a_joints: bones}", 0, &value_names_of, 0, 0, NULL},
    {"outputs", NULL, "what outputs of the vertex shader are: {Normal0: normal}", 0, &value_names_of, 0, 0, NULL},
    {"uniforms", NULL, "what uniforms are set to: {u_time: time, u_tint: [1, 0, 0]}", 0, &value_names_of, 0, 0, NULL},
};

/* A folder, or the mapping. */
static bool read_shaders(struct value_source *source, void *target, const struct tree_node *value)
{
    struct settings *s = target;
    if (source->tree)
        s->shader_map.count = 0; /* the defaults' */
    if (value->kind != TREE_MAPPING)
        return read_dir(source, target, value);
    s->shaders = NULL;
    return value_read_fields(source, shader_parts, SHADER_PARTS, target, value) &&
           (s->shaders || tree_get(value, "dir", NULL) || value_fail(source, value, "`dir` is missing"));
}

/* Its own name alone. */
static void write_shaders(const struct setting *row, const void *target, struct text *out)
{
    const struct settings *s = target;
    SCOPED(text) path = {0};
    path_join("", s->shaders ? s->shaders : row->also, &path); /* without what is at its end */
    text_add(out, path_base(text_string(&path)));
}

/* a_joints=bones,u_tint=1:0:0 */
static bool read_map(struct value_source *source, void *target, const struct tree_node *value)
{
    struct settings *s = target;
    const char *text = value_string(source, value);
    if (!text)
        return false;
    free(s->shader_map_text);
    s->shader_map.count = 0;
    s->shader_map_text = memory_string(text);
    for (char *c = s->shader_map_text, *next; c; c = next) {
        next = strchr(c, ',');
        if (next)
            *next++ = '\0';
        char *equals = strchr(c, '=');
        if (!equals || equals == c)
            return value_fail(source, value, "`%s` is not NAME=WHAT, as in a_joints=bones or u_tint=1:0:0", c);
        *equals = '\0';
        if (!add_entry(source, s, value, c, equals + 1))
            return false;
    }
    return true;
}

static void write_map(const struct setting *row, const void *target, struct text *out)
{
    const struct shader_map *map = &((const struct settings *)target)->shader_map;
    (void)row;
    for (size_t i = 0; i < map->count; i++)
        text_addf(out, "%s%s=%s", i ? "," : "", map->entries[i].name, map->entries[i].value);
}

const struct value_type value_shaders = {read_shaders, write_shaders, FORM_TEXT | FORM_MAPPING};
const struct value_type value_shader_map = {read_map, write_map, FORM_TEXT};
