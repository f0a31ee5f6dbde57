#include "suite/suite_expand.h"

#include <string.h>
#include <strings.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/names.h"
#include "base/utf8.h"

enum { LONGEST_NAME = 100 };

bool suite_is_model(const char *path)
{
    /* Extensions of files that belong to another model (animations of Doom 3 and Half-Life, Ogre's skeletons), or
     * that something else has. */
    static const char *const others[] = {"md5anim", "md5camera", "skeleton", "xml", "json",
                                         "zip",     "raw",       "prj",      "mot", "ter"};
    static const char ogre[] = ".mesh.xml";
    char extension[16];
    const size_t length = strlen(path);
    path_extension(path, extension);
    const bool is_ogre = length >= sizeof ogre && strcasecmp(path + length - sizeof ogre + 1, ogre) == 0;
    return (is_ogre || !NAMED(others, sizeof others / sizeof others[0], extension)) && import_knows(path);
}

const char *suite_case_name(const char *stem, const char *end, const char *const *names, size_t count,
                            struct arena *arena)
{
    char *whole = arena_printf(arena, "%s%s%s", stem, *stem && *end ? "-" : "", end);
    if (strlen(whole) > LONGEST_NAME)
        whole[LONGEST_NAME] = '\0';
    const char *name = whole;
    for (int number = 2; NAMED(names, count, name); number++) {
        const char *behind = arena_printf(arena, "-%d", number);
        name = arena_printf(arena, "%.*s%s", LONGEST_NAME - (int)strlen(behind), whole, behind);
    }
    return name;
}

const char *suite_clip_key(const struct scene *scene, uint32_t clip, struct arena *arena)
{
    const char *name = scene->clips[clip].name, *number = arena_printf(arena, "%u", clip);
    bool is_found = strcmp(name, "none") != 0 && scene_find_clip(scene, name, ERROR_IGNORED) == &scene->clips[clip];
    return is_found && utf8_fix(name, arena) == name ? name : number;
}

/* The text in the place of another, or of the mapping's beginning. */
static const struct tree_node *make_text(const struct tree_node *place, const char *text, struct arena *arena)
{
    struct tree_node *node = ARENA_NEW(arena, struct tree_node, 1);
    *node = (struct tree_node){
        .kind = TREE_TEXT, .line = place->line, .column = place->column, .text = text, .weight = strlen(text)};
    return node;
}

/* A copy of the mapping in which `key`, which it has, is called `name` and has that value. */
static const struct tree_node *replace(const struct tree_node *mapping, const char *key, const char *name,
                                       const char *value, struct arena *arena)
{
    struct tree_node *copy = ARENA_COPY(arena, struct tree_node, mapping);
    const struct tree_node **keys = ARENA_NEW(arena, const struct tree_node *, mapping->count);
    const struct tree_node **items = ARENA_NEW(arena, const struct tree_node *, mapping->count);
    for (size_t i = 0; i < mapping->count; i++) {
        const bool is_it = strcmp(mapping->keys[i]->text, key) == 0;
        keys[i] = is_it ? make_text(mapping->keys[i], name, arena) : mapping->keys[i];
        items[i] = is_it ? make_text(mapping->items[i], value, arena) : mapping->items[i];
    }
    copy->keys = keys;
    copy->items = items;
    return copy;
}

/* The same case with a name that ends in `end`, and so does that of the case it agrees with. */
static const struct tree_node *rename_case(const struct tree_node *mapping, const char *end, const char *const *names,
                                           size_t count, const char **name, struct arena *arena)
{
    const struct tree_node *agrees = tree_get(mapping, "agrees_with", NULL);
    const struct tree_node *other = agrees && agrees->kind == TREE_MAPPING ? tree_get(agrees, "case", NULL) : agrees;
    const struct tree_node *made;
    *name = suite_case_name(tree_get(mapping, "name", NULL)->text, end, names, count, arena);
    made = replace(mapping, "name", "name", *name, arena);
    if (!other || other->kind != TREE_TEXT)
        return made;
    const char *agreed = suite_case_name(other->text, end, NULL, 0, arena);
    if (agrees == other)
        return replace(made, "agrees_with", "agrees_with", agreed, arena);
    struct tree_node *whole = ARENA_COPY(arena, struct tree_node, made);
    const struct tree_node **items = ARENA_NEW(arena, const struct tree_node *, made->count);
    for (size_t i = 0; i < made->count; i++)
        items[i] = made->items[i] == agrees ? replace(agrees, "case", "case", agreed, arena) : made->items[i];
    whole->items = items;
    return whole;
}

static bool is_named(const struct tree_node *mapping)
{
    const struct tree_node *name = mapping->kind == TREE_MAPPING ? tree_get(mapping, "name", NULL) : NULL;
    return name && name->kind == TREE_TEXT && *name->text;
}

/* Returns how much of a pattern is a folder without signs: "models/" of "models/fox*.glb". */
static size_t fixed_length(const char *pattern)
{
    size_t length = strcspn(pattern, "*?[");
    while (length > 0 && pattern[length - 1] != '/')
        length--;
    return length;
}

/* The folder in which is looked must be one that the suite may read. */
static bool check_pattern(struct value_source *source, const struct tree_node *value)
{
    struct error why = {0};
    const char *behind = value->text + fixed_length(value->text);
    const char *fixed = arena_printf(source->arena, "%.*s", (int)(behind - value->text), value->text);
    source->key = "model";
    if (strstr(behind, ".."))
        return value_fail(source, value, "`%s`: `..` does not go with `*`", value->text);
    return suite_paths_folder(source->paths, *fixed ? fixed : ".", source->arena, &why) ||
           value_fail(source, value, "%s", why.text);
}

/* Returns the part of a file's path that is not in the pattern's folder, without an extension that all of them have. */
static const char *end_of(const char *pattern, const char *path, struct arena *arena)
{
    const char *dot = strrchr(pattern, '.'), *behind = path + fixed_length(pattern);
    const bool has_one = dot && !has_glob(dot) && !strchr(dot, '/');
    const char *slug = name_slug(
        arena_printf(arena, "%.*s", (int)(strlen(behind) - (has_one ? strlen(dot) : 0)), behind), LONGEST_NAME, arena);
    return *slug ? slug : "model";
}

bool suite_expand_model(struct value_source *source, const struct tree_node *mapping, struct expansion *out)
{
    const struct tree_node *value = mapping->kind == TREE_MAPPING ? tree_get(mapping, "model", NULL) : NULL;
    SCOPED(folder_names) files = {0};
    struct error why = {0};
    bool ignored;
    *out = (struct expansion){0};
    if (!value || value->kind != TREE_TEXT || !has_glob(value->text) || !is_named(mapping) ||
        suite_paths_file(source->paths, value->text, source->arena, &ignored, &why))
        return true;
    if (!check_pattern(source, value))
        return false;
    why = (struct error){0};
    if (!folder_glob(source->paths->folder, value->text, &files, &why))
        return value_fail(source, value, "%s", why.text);
    const char *dot = strrchr(path_base(value->text), '.');
    const char **names = ARENA_NEW(source->arena, const char *, files.count);
    const struct tree_node **mappings = ARENA_NEW(source->arena, const struct tree_node *, files.count);
    for (size_t i = 0; i < files.count; i++)
        if ((dot && !has_glob(dot)) || suite_is_model(files.names[i])) {
            const char *path = arena_string(source->arena, files.names[i]);
            const struct tree_node *made = replace(mapping, "model", "model", path, source->arena);
            mappings[out->count] = rename_case(made, end_of(value->text, path, source->arena), names, out->count,
                                               &names[out->count], source->arena);
            out->count++;
        }
    if (out->count > 0)
        out->mappings = mappings;
    return true;
}

bool suite_expand_clips(const struct scene *scene, const struct tree_node *mapping, struct arena *arena,
                        struct expansion *out, struct error *err)
{
    enum { MOST_CLIPS = 10000 };
    if (scene->clip_count == 0 || scene->clip_count > MOST_CLIPS)
        return error_set(err, "%s has %s", scene->path, scene->clip_count ? "too many clips" : "no clips");
    const char **names = ARENA_NEW(arena, const char *, scene->clip_count);
    *out = (struct expansion){ARENA_NEW(arena, const struct tree_node *, scene->clip_count), scene->clip_count};
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        const char *slug = name_slug(clip_short_name(scene->clips[i].name, arena), LONGEST_NAME, arena);
        const char *key = arena_string(arena, suite_clip_key(scene, i, arena));
        const struct tree_node *made = replace(mapping, "clips", "clip", key, arena);
        out->mappings[i] = rename_case(made, *slug ? slug : "clip", names, i, &names[i], arena);
    }
    return true;
}
