#pragma once

#include "base/error.h"
#include "data/scene/scene.h"

/* The clips that a command plays one after the other: `--clip all`, or the one that is asked for. */
struct clip_list {
    size_t count;
    struct clip_item {
        const char *clip; /* as --clip has it; NULL: none was named */
        char *file_name;  /* of its files, in place of {clip}; no two are alike, in capitals or not. NULL: what plays */
    } *items;
};

/* "all" where no clip answers to it stands for all of the scene's clips; of a scene without any, for its rest pose.
 * False with err set where a clip cannot be named, because other clips have its name and its index. */
bool clip_list_make(const struct scene *scene, const char *clip, struct clip_list *out, struct error *err);
void clip_list_release(struct clip_list *list);
