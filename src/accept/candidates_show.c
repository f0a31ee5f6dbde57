/* Shows people a run that somebody else may have made: the files that are here, never its word for them. */
#include <string.h>

#include "base/file/folder.h"
#include "accept/candidates.h"

/* Reads the picture and returns where it is; NULL: it cannot be read. */
static const char *open_picture(const char *path, struct image *image, struct arena *arena)
{
    struct text place = {0};
    folder_locate(path, &place);
    const char *where = arena_text(arena, &place);
    return image_read(image, path, ERROR_IGNORED) ? where : NULL;
}

/* The pictures of a time from where they belong, and how they differ; `folder` NULL: nothing of the run can be shown. A
 * candidate with a frame of its own stands beside what the run drew in the golden's. */
static void show_time(const struct suite_case *c, const struct golden *golden, const char *folder, struct arena *arena,
                      struct time_result *time)
{
    const struct image_result was = time->image;
    struct image_result *image = &time->image;
    SCOPED(image) golden_picture = {0}, actual_picture = {0};
    const bool is_label = *time->label && snapshot_label_length(time->label) == strlen(time->label);
    const char *stem = arena_printf(arena, "%s/%s/%s", folder ? folder : "", c->name, time->label);
    const char *candidate_at =
        is_label && folder ? open_picture(arena_printf(arena, "%s.png", stem), &actual_picture, arena) : NULL;
    const char *actual_at = candidate_at;
    const bool is_reframed = candidate_at && was.candidate;
    if (is_reframed) { /* both are shown: what is compared, and what becomes the golden */
        image_release(&actual_picture);
        actual_at = open_picture(arena_printf(arena, "%s.actual.png", stem), &actual_picture, arena);
    }
    const char *golden_at =
        is_label ? open_picture(golden_path(golden, time->label, ".png"), &golden_picture, arena) : NULL;
    if (!golden_at || !actual_at)
        *image = (struct image_result){.state = IMAGE_MISSING, .width = was.width, .height = was.height};
    image->golden = golden_at;
    image->actual = actual_at;
    if (golden_at && actual_at) { /* its bones, FLIP and other pictures stay the run's word */
        compare_images(&golden_picture, &actual_picture, c->settings.background, c->tolerance.pixel_delta, arena,
                       image);
        judge_picture(&c->tolerance, image);
        image->pixelmatch = was.pixelmatch;
        image->flip_p999 = was.flip_p999;
        image->flip_max = was.flip_max;
        time->error[STAGE_DRAW] = image->share;
    }
    image->candidate = is_reframed ? candidate_at : NULL;
    image->state = suite_not_asked(c) >> STAGE_DRAW & 1 ? IMAGE_SHOWN : image->state;
}

const struct results *candidates_show(struct candidates *all)
{
    struct arena *arena = all->results->arena;
    struct results *shown = ARENA_COPY(arena, struct results, all->results);
    shown->cases = ARENA_NEW(arena, struct case_result, shown->case_count);
    for (size_t i = 0; i < shown->case_count; i++) {
        const struct case_result *said = &all->results->cases[i];
        struct case_result *result = &shown->cases[i];
        const struct suite_case *c = golden_find_case(all->suite, said->name);
        const char *folder = said->candidate && !candidates_refusal(all, said) ? all->folders[i] : NULL;
        struct golden golden;
        bool has_golden = c && golden_open(&golden, all->suite->goldens, c->name, arena, ERROR_IGNORED);
        *result = *case_result_copy(said, arena);
        result->viewer = folder ? result->viewer : NULL;
        for (uint32_t k = 0; k < result->time_count; k++)
            if (has_golden)
                show_time(c, &golden, folder, arena, &result->times[k]);
            else
                result->times[k].image = (struct image_result){.state = IMAGE_NONE};
    }
    return shown;
}
