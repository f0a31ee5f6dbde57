#include "options/told_settings.h"

#include <string.h>

#include "base/file/folder.h"
#include "options/clip_mix.h"

static const char *const names[] = {"space",          "repair",       "assimp-flags", "influences", "view",
                                    "overlay",        "profile",      "up",           "select",     "palette",
                                    "palette-format", "skinning",     "weights",      "shader-map", "rate",
                                    "clips-scale",    "clips-prefix", "crowd",        "crowd-phase",  "place"};
enum { COUNT = sizeof names / sizeof names[0], OTHERS = 4 };

static void add(struct told_settings *told, struct arena *arena, const char *name, const char *value)
{
    told->items[told->count][0] = name;
    told->items[told->count++][1] = arena_string(arena, value);
}

static void add_path(struct told_settings *told, struct arena *arena, const char *name, const char *path)
{
    struct text absolute = {0};
    folder_locate(path, &absolute);
    add(told, arena, name, text_string(&absolute));
    text_release(&absolute);
}

struct told_settings settings_tell(const struct settings *s, struct arena *arena)
{
    static const char *const mix_names[MIX_KIND_COUNT] = {"blend", "transition", "mask", "add"};
    struct told_settings told = {0};
    struct settings defaults;
    struct text value = {0}, otherwise = {0};
    told.items = arena_alloc(arena, COUNT + OTHERS + s->mix_count + s->clips_from_count, sizeof *told.items);
    settings_init(&defaults);
    for (size_t i = 0; i < COUNT; i++) {
        value.size = otherwise.size = 0;
        settings_write(s, names[i], &value);
        settings_write(&defaults, names[i], &otherwise);
        if (strcmp(names[i], "overlay") == 0 && s->overlays != OVERLAYS_OF_VIEW) /* none may not be the view's */
            text_add(&otherwise, "chosen");
        if (value.size != otherwise.size || (value.size > 0 && memcmp(value.data, otherwise.data, value.size) != 0))
            add(&told, arena, names[i], text_string(&value));
    }
    text_release(&value);
    text_release(&otherwise);
    settings_release(&defaults);
    if (s->shaders)
        add_path(&told, arena, "shaders", s->shaders);
    if (s->in_place)
        add(&told, arena, "in-place", "true");
    if (s->clip && (s->mix_count > 0 || clip_mix_is_still(s)))
        add(&told, arena, "clip", s->clip);
    for (int kind = 0; kind < MIX_KIND_COUNT; kind++)
        for (size_t i = 0; i < s->mix_count; i++)
            if ((int)s->mix[i].kind == kind)
                add(&told, arena, mix_names[kind], s->mix[i].text);
    for (size_t i = 0; i < s->clips_from_count; i++)
        add_path(&told, arena, "clips-from", s->clips_from[i]);
    return told;
}

void settings_tell_range(struct told_settings *told, const struct value_range *range, struct arena *arena)
{
    struct text value = {0};
    text_add_float(&value, range->least);
    text_add(&value, "..");
    text_add_float(&value, range->most);
    add(told, arena, "range", text_string(&value));
    text_release(&value);
}
