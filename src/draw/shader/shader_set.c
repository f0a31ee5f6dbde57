#include "draw/shader/shader_set.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "draw/shader/shader_source.h"

static bool find_ours(const char *name, struct shader_file *out)
{
    for (unsigned i = 0; i < shader_source_count; i++)
        if (strcmp(shader_sources[i].name, name) == 0) {
            *out = (struct shader_file){
                .name = shader_sources[i].name, .shown = shader_sources[i].name, .text = shader_sources[i].text};
            return true;
        }
    return false;
}

bool shader_set_find(const struct shader_set *set, const char *name, struct shader_file *out)
{
    for (size_t i = 0; set && i < set->count; i++)
        if (strcmp(set->files[i].name, name) == 0) {
            *out = set->files[i];
            return true;
        }
    return find_ours(name, out);
}

/* The earlier of two names that come after `name`; either may be NULL. */
static const char *nearer(const char *name, const char *next, const char *other)
{
    return strcmp(other, name) > 0 && (!next || strcmp(other, next) < 0) ? other : next;
}

bool shader_set_next(const struct shader_set *set, const char *name, struct shader_file *out)
{
    const char *next = NULL;
    for (unsigned i = 0; i < shader_source_count; i++)
        next = nearer(name, next, shader_sources[i].name);
    for (size_t i = 0; set && i < set->count; i++)
        next = nearer(name, next, set->files[i].name);
    return next && shader_set_find(set, next, out);
}

void shader_set_release(struct shader_set *set)
{
    if (set)
        arena_destroy(set->arena);
}

/* ---- warnings -------------------------------------------------------------------------------------------------- */

struct said {
    const char *what;
    struct said *next;
};

void shader_set_warn(struct shader_set *set, const char *format, ...)
{
    char what[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    for (const struct said *said = set->said; said; said = said->next)
        if (strcmp(said->what, what) == 0)
            return;
    if (!arena_fits(set->arena, 1, sizeof what + sizeof *set->said + 64))
        return;
    struct said *said = ARENA_NEW(set->arena, struct said, 1);
    *said = (struct said){arena_string(set->arena, what), set->said};
    set->said = said;
    log_warning("%s", what);
}
