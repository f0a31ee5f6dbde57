#include "import/scene/convert.h"

#include <string.h>

#include "base/sort.h"
#include "import/fbx/fbx_file.h"

/*
 * Models of an FBX file may share a name, which Assimp goes by: bones and channels of all of them are those of the
 * first. While it reads the file each has a name of its own, as long as the file's.
 */

static int by_slice(const void *a, const void *b)
{
    return slice_order(*(const struct slice *)a, *(const struct slice *)b);
}

static int by_temporary(const void *a, const void *b)
{
    const struct fbx_renamed *x = a, *y = b;
    return slice_order(x->temporary, y->temporary);
}

static bool is_taken(const struct slice *sorted, size_t count, struct slice name)
{
    const size_t at = lower_bound(&name, sorted, count, sizeof name, by_slice);
    return at < count && slices_are_one(sorted[at], name);
}

/* Writes digits over the end of `name` until it is none of `sorted`; `*number` counts on. False: no digits do. */
static bool write_number(char *name, size_t length, const struct slice *sorted, size_t count, uint32_t *number)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    enum { BASE = sizeof digits - 1, MOST_DIGITS = 4, TRIES = 1 << 16 };
    for (uint32_t tries = 0; tries < TRIES; tries++) {
        uint32_t rest = (*number)++;
        for (size_t i = 0; i < MOST_DIGITS && i < length; i++, rest /= BASE)
            name[length - 1 - i] = digits[rest % BASE];
        if (!is_taken(sorted, count, (struct slice){name, length}))
            return true;
    }
    return false;
}

uint32_t fbx_part_names(struct conversion *c, const struct fbx_file *file, unsigned char *data)
{
    FREED struct slice *names = memory_new(file->object_count, sizeof *names);
    uint32_t count = 0, number = 0;
    for (uint32_t i = 0, e; (e = fbx_next(file, &i, "Model")) != 0;)
        names[count++] = fbx_object_name(file, e);
    FREED struct slice *sorted = memory_new(count, sizeof *sorted);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = slice_of(copy_name(c, names[i])); /* a copy: those in the file change */
    sort_items(sorted, count, sizeof *sorted, by_slice);
    for (uint32_t i = 0; i < count; i++) {
        struct slice was = slice_of(copy_name(c, names[i]));
        const size_t first = lower_bound(&was, sorted, count, sizeof was, by_slice);
        char *name = (char *)data + (names[i].data - (const char *)file->data);
        if (was.length == 0 || was.length != names[i].length || first + 1 >= count ||
            !slices_are_one(sorted[first + 1], was) || !write_number(name, was.length, sorted, count, &number))
            continue;
        c->renamed = arena_room(c->scene->arena, c->renamed, c->renamed_count, sizeof *c->renamed);
        c->renamed[c->renamed_count++] = (struct fbx_renamed){slice_of(copy_name(c, names[i])), was.data};
    }
    sort_items(c->renamed, c->renamed_count, sizeof *c->renamed, by_temporary);
    return c->renamed_count;
}

const char *fbx_name_of(struct conversion *c, const char *name)
{
    const char *pivot = strstr(name, "_$AssimpFbx$_"), *star = strrchr(name, '*');
    const char *end = pivot ? pivot : star ? star : name + strlen(name);
    const struct fbx_renamed key = {.temporary = {name, (size_t)(end - name)}};
    const size_t at = lower_bound(&key, c->renamed, c->renamed_count, sizeof key, by_temporary);
    if (at == c->renamed_count || !slices_are_one(c->renamed[at].temporary, key.temporary))
        return name;
    return *end ? arena_printf(c->scene->arena, "%s%s", c->renamed[at].name, end) : c->renamed[at].name;
}

void fbx_restore_names(struct conversion *c)
{
    struct scene *scene = c->scene;
    if (c->renamed_count == 0)
        return;
    for (uint32_t n = 0; n < scene->node_count; n++)
        scene->nodes[n].name = fbx_name_of(c, scene->nodes[n].name);
    for (uint32_t i = 0; i < scene->camera_count; i++)
        scene->cameras[i].name = fbx_name_of(c, scene->cameras[i].name);
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        struct clip *clip = &scene->clips[i];
        for (uint32_t k = 0; k < clip->channel_count; k++)
            clip->channels[k].node_name = fbx_name_of(c, clip->channels[k].node_name);
        for (uint32_t k = 0; k < clip->morph_count; k++)
            clip->morphs[k].node_name = fbx_name_of(c, clip->morphs[k].node_name);
    }
}
