/* results.json: what is said of a picture. */
#include "data/result/result.h"
#include "data/result/result_fields.h"

#include <jansson.h>
#undef JSON_INLINE /* jansson's word for `inline`; here it is a layout */

static const char *const image_state_names[IMAGE_STATE_COUNT] = {
    [IMAGE_NONE] = "none",           [IMAGE_SAME] = "same",       [IMAGE_NOISE] = "noise",
    [IMAGE_TOLERATED] = "tolerated", [IMAGE_DIFFERS] = "differs", [IMAGE_MISSING] = "missing",
    [IMAGE_SHOWN] = "shown",
};

enum { MOST_PIXELS_A_SIDE = 65535 };

/* A file beside results.json, or relative to its folder. */
static void check_path(const struct json_place *at, const char *key, const void *owner)
{
    const char *path = json_string_value(json_object_get(at->value, key));
    (void)owner;
    if (path && (path[0] == '/' || path[0] == '\0'))
        json_complain(at, key, "expected a path relative to the file's folder");
}

static void check_levels(const struct json_place *at, const char *key, const void *owner)
{
    const struct image_result *image = owner;
    for (uint32_t i = 0, last = 0; i < image->level_count; last = image->levels[i++].delta)
        if (image->levels[i].delta > 255 || image->levels[i].delta <= last)
            json_complain(at, key, "expected differences that ascend from 1 to 255");
}

static bool is_drawn(const void *owner, const struct json_place *at)
{
    (void)at;
    return ((const struct image_result *)owner)->state != IMAGE_NONE;
}

static const struct fields image_bone_fields = FIELD_TABLE(struct image_bone, JSON_INLINE,
    {"bone", FIELD_TEXT, FIELD_MEMBER(struct image_bone, bone)},
    {"mesh", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct image_bone, mesh)},
    {"pixels", FIELD_COUNT, FIELD_MEMBER(struct image_bone, pixels)},
);

static const struct fields side_fields = FIELD_TABLE(uint32_t, JSON_INLINE,
    {NULL, FIELD_COUNT, .size = sizeof(uint32_t), .most = MOST_PIXELS_A_SIDE},
);

static const struct fields level_fields = FIELD_TABLE(struct image_level, JSON_INLINE,
    {NULL, FIELD_ARRAY, .size = sizeof(struct image_level), .width = 2, .fields = &fields_of_count},
);

static const char *const image_explained_words[] = {"import", "animate", "palette", "skin", "draw", unverified_word};

/* A picture that was not drawn has nothing but its state. */
#define IMAGE(member) FIELD_MEMBER(struct image_result, member), .when = is_drawn
const struct fields image_fields = FIELD_TABLE(struct image_result, JSON_INLINE,
    {"state", FIELD_ENUM, FIELD_MEMBER(struct image_result, state), FIELD_WORDS(image_state_names)},
    {"width", FIELD_COUNT, IMAGE(width), .most = MOST_PIXELS_A_SIDE},
    {"height", FIELD_COUNT, IMAGE(height), .most = MOST_PIXELS_A_SIDE},
    {"golden", FIELD_TEXT_OR_NULL, IMAGE(golden), .check = check_path},
    {"actual", FIELD_TEXT_OR_NULL, IMAGE(actual), .check = check_path},
    {"difference", FIELD_TEXT_OR_NULL, IMAGE(difference), .check = check_path},
    {"heat", FIELD_TEXT_OR_NULL, IMAGE(heat), .check = check_path},
    {"displacement", FIELD_TEXT, IMAGE(displacement), .flags = FIELD_OMITTED, .check = check_path},
    {"candidate", FIELD_TEXT, IMAGE(candidate), .flags = FIELD_OMITTED, .check = check_path},
    {"max_delta", FIELD_COUNT, IMAGE(max_delta), .most = 255},
    {"levels", FIELD_LIST, IMAGE(levels), .flags = FIELD_OMITTED, FIELD_COUNTER(struct image_result, level_count),
     .fields = &level_fields, .most = 255, .check = check_levels},
    {"changed", FIELD_COUNT, IMAGE(changed)},
    {"foreground", FIELD_COUNT, IMAGE(foreground)},
    {"share", FIELD_SIZE_OR_NULL, IMAGE(share)},
    {"box", FIELD_ARRAY, IMAGE(box), .width = 4, .fields = &side_fields},
    {"pixelmatch", FIELD_COUNT, IMAGE(pixelmatch)},
    {"flip_p999", FIELD_SIZE_OR_NULL, IMAGE(flip_p999)},
    {"flip_max", FIELD_SIZE_OR_NULL, IMAGE(flip_max)},
    {"bones", FIELD_LIST, IMAGE(bones), FIELD_COUNTER(struct image_result, bone_count), .fields = &image_bone_fields},
    {"explained", FIELD_WORD, IMAGE(explained), .flags = FIELD_OMITTED, FIELD_WORDS(image_explained_words)},
    {"remaining", FIELD_POINTER, IMAGE(remaining), .flags = FIELD_OMITTED, .fields = &image_fields},
);
