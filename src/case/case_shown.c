/* Pictures of what passes: `check --pictures all`. */
#include "base/file/file_writer.h"
#include "case/run_case.h"

const char *const pictures_names[PICTURES_COUNT] = {
    [PICTURES_FAILING] = "failing", [PICTURES_ALL] = "all", [PICTURES_NONE] = "none"};

static const char golden_suffix[] = ".golden.png";

bool case_shows(const struct case_run *run, enum pictures pictures)
{
    const enum pictures asked = run->options->pictures;
    return run->options->purpose != TO_ACCEPT &&
           (asked == pictures || (asked == PICTURES_ALL && pictures == PICTURES_FAILING));
}

bool case_show_frame(struct case_run *run, size_t index, const struct blob *png, const struct image *actual,
                     struct error *err)
{
    struct image_result *image = &run->out.result->times[index].image;
    const uint32_t at = (uint32_t)index;
    /* it has pictures, or will have */
    const bool differs = image->state == IMAGE_DIFFERS || image->state == IMAGE_MISSING;
    if (!case_shows(run, PICTURES_ALL) || differs)
        return true;
    if (png->size == 0)
        image->state = IMAGE_SHOWN;
    else if (!comparison_write_png(&run->out, at, golden_suffix, png, &image->golden, err))
        return false;
    return image->state == IMAGE_SAME || comparison_write(&run->out, at, ".actual.png", actual, &image->actual, err);
}

void case_show_golden(const struct suite *suite, const struct case_options *options, struct arena *arena,
                      struct case_result *result)
{
    struct error ignored = {0}; /* the page says that it is not there */
    struct golden golden = {0};
    if (!golden_open(&golden, suite->goldens, result->name, arena, &ignored))
        return;
    for (uint32_t i = 0; i < result->time_count; i++) {
        struct time_result *time = &result->times[i];
        const char *file = arena_printf(arena, "%s/%s%s", result->name, time->label, golden_suffix);
        struct blob png = {0};
        if (time->image.state == IMAGE_NONE || golden_read(&golden, time->label, ".png", &png, &ignored) != GOLDEN_READ)
            continue;
        if (file_write_below(options->output, file, png.data, png.size, &ignored))
            time->image.golden = file;
        blob_release(&png);
    }
}
