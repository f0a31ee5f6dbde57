#include "cli/output/clip_list.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "cli/output/template.h"

/* Makes the name of a file of a clip's. It is not cut within a character, of which the bytes behind the first begin
 * with the bits 10. */
static char *file_name_of(const struct clip_list *before, const char *clip)
{
    enum { LONGEST = 100 };
    struct text base = {0}, name = {0};
    template_add_clip(*clip ? clip : "clip", &base);
    size_t length = base.size < LONGEST ? base.size : LONGEST;
    while (length > 0 && length < base.size && ((unsigned char)base.data[length] & 0xc0) == 0x80)
        length--;
    for (size_t number = 1, taken = 1; taken; number++) {
        name.size = taken = 0;
        text_addf(&name, "%.*s", (int)length, text_string(&base));
        if (number > 1)
            text_addf(&name, "_%zu", number);
        for (size_t i = 0; i < before->count && !taken; i++)
            taken = strcasecmp(before->items[i].file_name, text_string(&name)) == 0;
    }
    char *copy = memory_string(text_string(&name));
    text_release(&base);
    text_release(&name);
    return copy;
}

/* The name or the index by which the clip is found, in the scene's or the item's memory. */
static const char *find_name(const struct scene *scene, uint32_t index, char *number, struct error *err)
{
    const struct clip *clip = &scene->clips[index];
    struct error ignored = {0};
    if (scene_find_clip(scene, clip->name, &ignored) == clip)
        return clip->name;
    if (scene_find_clip(scene, number, &ignored) == clip)
        return number;
    error_set(err, "--clip all: clip %u, `%s`, cannot be named: others have its name and its number", index,
              clip->name);
    return NULL;
}

bool clip_list_make(const struct scene *scene, const char *clip, struct clip_list *out, struct error *err)
{
    enum { DIGITS = 12 };
    struct error ignored = {0};
    const bool is_all = clip && strcmp(clip, "all") == 0 && !scene_find_clip(scene, clip, &ignored);
    const uint32_t count = is_all ? scene->clip_count : 0;
    *out = (struct clip_list){0, memory_new(count ? count : 1, sizeof *out->items)};
    if (count == 0)
        out->items[out->count++] = (struct clip_item){is_all ? "rest" : clip, NULL};
    for (uint32_t i = 0; i < count; i++) {
        /* The number and the file's name are one allocation each; the number is kept behind the name. */
        char number[DIGITS];
        struct text digits = {0};
        text_addf(&digits, "%u", i);
        memcpy(number, text_string(&digits), digits.size + 1);
        text_release(&digits);
        const char *name = find_name(scene, i, number, err);
        if (!name) {
            clip_list_release(out);
            return false;
        }
        char *file_name = file_name_of(out, scene->clips[i].name);
        if (name == number) {
            const size_t length = strlen(file_name) + 1;
            file_name = memory_grow(file_name, length + DIGITS, 1);
            name = memcpy(file_name + length, number, DIGITS);
        }
        out->items[out->count++] = (struct clip_item){name, file_name};
    }
    return true;
}

void clip_list_release(struct clip_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].file_name);
    free(list->items);
    *list = (struct clip_list){0};
}
