/* A result of one case in another arena, with all that it points to. */
#include <math.h>
#include <string.h>

#include "data/result/result.h"

static const char *copy_string(struct arena *arena, const char *text)
{
    return text ? arena_string(arena, text) : NULL;
}

static void *copy_items(struct arena *arena, const void *items, size_t count, size_t size)
{
    void *copy = arena_alloc(arena, count, size);
    if (count > 0)
        memcpy(copy, items, count * size);
    return copy;
}
#define COPY_ITEMS(arena, items, count) copy_items((arena), (items), (count), sizeof *(items))

/* As results.json has them: what is no number there is NAN. */
static void leave_numbers(double *figures, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(figures[i]))
            figures[i] = NAN;
}

static struct fingerprint copy_fingerprint(struct arena *arena, const struct fingerprint *from)
{
    struct fingerprint copy = {from->count, COPY_ITEMS(arena, from->entries, from->count)};
    for (uint32_t i = 0; i < copy.count; i++)
        copy.entries[i] = (struct fingerprint_entry){copy_string(arena, from->entries[i].name),
                                                     copy_string(arena, from->entries[i].value)};
    return copy;
}

static void copy_finding(struct arena *arena, struct finding *finding)
{
    double *const figures[] = {&finding->displacement, &finding->distance, &finding->degrees, &finding->translation,
                               &finding->scale_percent};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        leave_numbers(figures[i], 1);
    finding->subject = copy_string(arena, finding->subject);
    finding->mesh = copy_string(arena, finding->mesh);
    finding->text = copy_string(arena, finding->text);
}

static void copy_time(struct arena *arena, struct time_result *time)
{
    struct image_result *image = &time->image;
    const char **const texts[] = {&time->label, &image->golden, &image->actual, &image->difference, &image->heat};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        *texts[i] = copy_string(arena, *texts[i]);
    leave_numbers(time->error, STAGE_COUNT);
    image->bones = COPY_ITEMS(arena, image->bones, image->bone_count);
    for (uint32_t i = 0; i < image->bone_count; i++) {
        image->bones[i].bone = copy_string(arena, image->bones[i].bone);
        image->bones[i].mesh = copy_string(arena, image->bones[i].mesh);
    }
}

struct case_result *case_result_copy(const struct case_result *from, struct arena *arena)
{
    struct case_result *copy = COPY_ITEMS(arena, from, 1);
    const char **const texts[] = {&copy->name, &copy->model, &copy->clip, &copy->reason, &copy->headline,
                                  &copy->vacuity, &copy->repeat, &copy->accept};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        *texts[i] = copy_string(arena, *texts[i]);
    copy->tags = COPY_ITEMS(arena, from->tags, from->tag_count);
    for (uint32_t i = 0; i < copy->tag_count; i++)
        copy->tags[i] = copy_string(arena, copy->tags[i]);
    if (from->tolerance)
        copy->tolerance = COPY_ITEMS(arena, from->tolerance, 1);
    for (int s = 0; s < STAGE_COUNT; s++)
        copy->stages[s].summary = copy_string(arena, copy->stages[s].summary);
    copy->findings = COPY_ITEMS(arena, from->findings, from->finding_count);
    for (size_t i = 0; i < copy->finding_count; i++)
        copy_finding(arena, &copy->findings[i]);
    copy->times = COPY_ITEMS(arena, from->times, from->time_count);
    for (uint32_t i = 0; i < copy->time_count; i++)
        copy_time(arena, &copy->times[i]);
    copy->bones = COPY_ITEMS(arena, from->bones, from->bone_count);
    for (uint32_t i = 0; i < copy->bone_count; i++) {
        struct bone_result *bone = &copy->bones[i];
        bone->bone = copy_string(arena, bone->bone);
        bone->mesh = copy_string(arena, bone->mesh);
        bone->over_time = COPY_ITEMS(arena, bone->over_time, from->time_count);
    }
    copy->golden = copy_fingerprint(arena, &from->golden);
    copy->actual = copy_fingerprint(arena, &from->actual);
    return copy;
}
