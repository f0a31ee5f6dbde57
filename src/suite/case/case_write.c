/* The candidates of a run as files: what accept makes the golden. */
#include <stdlib.h>
#include <string.h>

#include "suite/case/case_run.h"
#include "suite/golden/shared_import.h"

static bool write_file(struct case_run *run, const char *label, const char *suffix, const struct text *content,
                       struct error *err)
{
    return case_output(run, label, suffix, content->data, content->size, err);
}

static const char *hash_of(struct case_run *run, const struct text *content)
{
    char hash[17];
    bytes_hash(content->data, content->size, hash);
    return arena_string(run->arena, hash);
}

static bool write_pose(struct case_run *run, size_t index, struct recorded_frame *frame, struct error *err)
{
    const struct sample *sample = &run->samples[index];
    struct text json = {0};
    if (!pipeline_pose(&run->pipeline, sample->time, err))
        return false;
    pipeline_skin(&run->pipeline);
    struct pose_record record = pipeline_record(&run->pipeline);
    pose_write_json(&record, &json);
    frame->pose = hash_of(run, &json);
    bool good = write_file(run, sample->label, ".pose.json", &json, err);
    text_release(&json);
    return good;
}

static bool write_frame(struct case_run *run, size_t index, struct recorded_frame *frame, struct error *err)
{
    const struct sample *sample = &run->samples[index];
    struct image image;
    struct frame_settings frame_settings;
    struct text png = {0};
    char hash[17];
    if (!case_draw_sample(run, index, &image, &frame_settings, err))
        return false;
    bool good = image_encode_png(&image, PNG_GOLDEN, &png, err) && write_file(run, sample->label, ".png", &png, err);
    image_hash(&image, hash);
    image_release(&image);
    if (good) {
        frame->label = sample->label;
        frame->time = sample->time;
        frame->camera = frame_settings.camera;
        frame->pixels = arena_string(run->arena, hash);
        frame->png = hash_of(run, &png);
        run->result->times[index].image.actual = arena_printf(run->arena, "%s/%s.png", run->c->name, sample->label);
    }
    text_release(&png);
    return good;
}

static bool write_recorded(struct case_run *run, const struct recorded *recorded, struct error *err)
{
    struct text json = {0};
    recorded_write(recorded, &json);
    bool good = write_file(run, "recorded", ".json", &json, err);
    text_release(&json);
    return good;
}

bool case_write(struct case_run *run, struct error *err)
{
    struct recorded recorded = {
        .fingerprint = run->result->actual,
        .options = case_options(run),
        .library = case_library(run->arena),
        .frame_count = (uint32_t)run->count,
        .frames = ARENA_NEW(run->arena, struct recorded_frame, run->count),
    };
    if (run->suite->shares_imports) {
        struct text name = {0};
        shared_import_name(run->suite, run->c, &name);
        recorded.import_file = arena_string(run->arena, text_string(&name));
        text_release(&name);
    } else {
        recorded.import = hash_of(run, &run->model->import_json);
    }
    if (!write_file(run, "import", ".json", &run->model->import_json, err))
        return false;
    for (size_t i = 0; i < run->count; i++)
        if (!write_pose(run, i, &recorded.frames[i], err) || !write_frame(run, i, &recorded.frames[i], err))
            return false;
    return write_recorded(run, &recorded, err);
}
