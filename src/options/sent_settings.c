#include "options/sent_settings.h"

#include <string.h>

#include "base/file/folder.h"
#include "options/clip_mix.h"

static void add(struct sent_settings *sent, struct arena *arena, const char *name, const char *value)
{
    sent->items[sent->count][0] = name;
    sent->items[sent->count++][1] = arena_string(arena, value);
}

static void add_path(struct sent_settings *sent, struct arena *arena, const char *name, const char *path)
{
    struct text absolute = {0};
    folder_locate(path, &absolute);
    add(sent, arena, name, text_string(&absolute));
    text_release(&absolute);
}

struct sent_settings settings_sent(const struct settings *s, struct arena *arena)
{
    static const char *const mix_names[MIX_KIND_COUNT] = {"blend", "transition", "mask", "add"};
    struct sent_settings sent = {0};
    struct text value = {0};
    size_t row = 0;
    sent.items = arena_alloc(arena, setting_count + 1 + s->mix_count + s->clips_from_count, sizeof *sent.items);
    while (settings_next_changed(s, SCOPE_SENT, &row, &value))
        add(&sent, arena, setting_table[row - 1].name, text_string(&value));
    text_release(&value);
    if (s->shaders)
        add_path(&sent, arena, "shaders", s->shaders);
    if (s->in_place)
        add(&sent, arena, "in-place", "true");
    if (s->clip && (s->mix_count > 0 || clip_mix_is_still(s)))
        add(&sent, arena, "clip", s->clip);
    for (int kind = 0; kind < MIX_KIND_COUNT; kind++)
        for (size_t i = 0; i < s->mix_count; i++)
            if ((int)s->mix[i].kind == kind)
                add(&sent, arena, mix_names[kind], s->mix[i].text);
    for (size_t i = 0; i < s->clips_from_count; i++)
        add_path(&sent, arena, "clips-from", s->clips_from[i]);
    return sent;
}

void settings_send_range(struct sent_settings *sent, const struct value_range *range, struct arena *arena)
{
    struct text value = {0};
    settings_write(&(struct settings){.range = *range}, "range", &value);
    add(sent, arena, "range", text_string(&value));
    text_release(&value);
}
