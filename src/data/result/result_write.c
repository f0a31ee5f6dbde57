/* results.json: a case a block; a finding, time, bone or stage a line, for `git diff`. */
#include "base/json.h"
#include "data/result/result.h"

static void write_strings(struct json_writer *json, const char *key, const char *const *strings, size_t count,
                          enum json_layout layout)
{
    json_open_array(json, key, layout);
    for (size_t i = 0; i < count; i++)
        json_add_string(json, NULL, strings[i]);
    json_close(json);
}

static void write_stages(struct json_writer *json, const struct stage_result *stages)
{
    json_open_object(json, "stages", JSON_LINES);
    for (int i = 0; i < STAGE_COUNT; i++) {
        json_open_object(json, stage_name((enum stage)i), JSON_INLINE);
        json_add_string(json, "state", stage_state_name(stages[i].state));
        json_add_string(json, "summary", stages[i].summary);
        json_close(json);
    }
    json_close(json);
}

static void write_findings(struct json_writer *json, const struct case_result *result)
{
    json_open_array(json, "findings", JSON_LINES);
    for (size_t i = 0; i < result->finding_count; i++) {
        const struct finding *finding = &result->findings[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "stage", stage_name(finding->stage));
        json_add_bool(json, "benign", finding->benign);
        json_add_string(json, "subject", finding->subject);
        json_add_string(json, "mesh", finding->mesh);
        json_add_double(json, "time", finding->time);
        json_add_double(json, "displacement", finding->displacement);
        json_add_double(json, "distance", finding->distance);
        json_add_double(json, "degrees", finding->degrees);
        json_add_double(json, "translation", finding->translation);
        json_add_double(json, "scale_percent", finding->scale_percent);
        json_add_string(json, "text", finding->text);
        json_close(json);
    }
    json_close(json);
    json_add_int(json, "findings_left_out", (long long)result->findings_left_out);
}

static void write_image_bones(struct json_writer *json, const struct image_result *image)
{
    json_open_array(json, "bones", JSON_INLINE);
    for (uint32_t i = 0; i < image->bone_count; i++) {
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "bone", image->bones[i].bone);
        json_add_string(json, "mesh", image->bones[i].mesh);
        json_add_int(json, "pixels", image->bones[i].pixels);
        json_close(json);
    }
    json_close(json);
}

/* A picture that was not drawn has nothing but its state. */
static void write_image(struct json_writer *json, const struct image_result *image)
{
    json_open_object(json, "image", JSON_INLINE);
    json_add_string(json, "state", image_state_name(image->state));
    if (image->state != IMAGE_NONE) {
        json_add_int(json, "width", image->width);
        json_add_int(json, "height", image->height);
        json_add_string(json, "golden", image->golden);
        json_add_string(json, "actual", image->actual);
        json_add_string(json, "difference", image->difference);
        json_add_string(json, "heat", image->heat);
        json_add_int(json, "max_delta", image->max_delta);
        json_add_int(json, "changed", image->changed);
        json_add_int(json, "foreground", image->foreground);
        json_add_double(json, "share", image->share);
        json_open_array(json, "box", JSON_INLINE);
        for (int i = 0; i < 4; i++)
            json_add_int(json, NULL, image->box[i]);
        json_close(json);
        json_add_int(json, "pixelmatch", image->pixelmatch);
        json_add_double(json, "flip_p999", image->flip_p999);
        json_add_double(json, "flip_max", image->flip_max);
        write_image_bones(json, image);
    }
    json_close(json);
}

static void write_times(struct json_writer *json, const struct case_result *result)
{
    json_open_array(json, "times", JSON_LINES);
    for (uint32_t i = 0; i < result->time_count; i++) {
        const struct time_result *time = &result->times[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "label", time->label);
        json_add_double(json, "time", time->time);
        json_open_object(json, "error", JSON_INLINE);
        for (int stage = STAGE_ANIMATE; stage < STAGE_COUNT; stage++)
            json_add_double(json, stage_name((enum stage)stage), time->error[stage]);
        json_close(json);
        write_image(json, &time->image);
        json_close(json);
    }
    json_close(json);
}

static void write_bones(struct json_writer *json, const struct case_result *result)
{
    json_open_array(json, "bones", JSON_LINES);
    for (uint32_t i = 0; i < result->bone_count; i++) {
        const struct bone_result *bone = &result->bones[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "bone", bone->bone);
        json_add_string(json, "mesh", bone->mesh);
        json_add_string(json, "stage", stage_name(bone->stage));
        json_add_double(json, "time", bone->time);
        json_add_double(json, "displacement", bone->displacement);
        json_add_double(json, "distance", bone->distance);
        json_add_double(json, "degrees", bone->degrees);
        json_add_double(json, "translation", bone->translation);
        json_add_double(json, "scale_percent", bone->scale_percent);
        json_open_array(json, "over_time", JSON_INLINE);
        for (uint32_t t = 0; t < result->time_count; t++)
            json_add_double(json, NULL, bone->over_time[t]);
        json_close(json);
        json_close(json);
    }
    json_close(json);
}

static void write_tolerance(struct json_writer *json, const struct tolerance *tolerance)
{
    if (!tolerance) {
        json_add_string(json, "tolerance", NULL);
        return;
    }
    json_open_object(json, "tolerance", JSON_INLINE);
    json_add_double(json, "import", tolerance->import);
    json_add_double(json, "shell", tolerance->shell);
    json_add_double(json, "skin", tolerance->skin);
    json_add_double(json, "agree", tolerance->agree);
    json_add_int(json, "pixel_delta", tolerance->pixel_delta);
    json_add_double(json, "pixel_share", tolerance->pixel_share);
    json_close(json);
}

static void write_case(struct json_writer *json, const struct case_result *result)
{
    json_open_object(json, NULL, JSON_LINES);
    json_add_string(json, "name", result->name);
    json_add_int(json, "line", result->line);
    json_add_string(json, "model", result->model);
    json_add_string(json, "clip", result->clip);
    write_strings(json, "tags", result->tags, result->tag_count, JSON_INLINE);
    json_add_string(json, "status", case_status_name(result->status));
    json_add_string(json, "reason", result->reason);
    json_add_string(json, "stage", stage_name(result->stage));
    json_add_string(json, "headline", result->headline);
    json_add_bool(json, "vacuous", result->vacuous);
    json_add_string(json, "vacuity", result->vacuity);
    json_add_double(json, "radius", result->radius);
    write_tolerance(json, result->tolerance);
    write_stages(json, result->stages);
    write_findings(json, result);
    write_times(json, result);
    write_bones(json, result);
    fingerprint_write(json, "golden", &result->golden);
    fingerprint_write(json, "actual", &result->actual);
    json_add_string(json, "repeat", result->repeat);
    json_add_string(json, "accept", result->accept);
    json_close(json);
}

void case_result_write(const struct case_result *result, struct text *out)
{
    struct json_writer json = {.text = out};
    write_case(&json, result);
    out->data[--out->size] = '\0'; /* the newline that ends a document */
}

static void write_shard(struct json_writer *json, const struct results *results)
{
    if (results->shard == 0) {
        json_add_string(json, "shard", NULL);
        return;
    }
    json_open_object(json, "shard", JSON_INLINE);
    json_add_int(json, "number", results->shard);
    json_add_int(json, "of", results->shard_count);
    json_close(json);
}

void results_write(const struct results *results, struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, JSON_LINES);
    json_add_string(&json, "format", RESULTS_FORMAT);
    json_add_string(&json, "rigproof", results->rigproof);
    json_add_string(&json, "suite", results->suite);
    json_add_string(&json, "goldens", results->goldens);
    json_add_bool(&json, "strict", results->strict);
    write_shard(&json, results);
    fingerprint_write(&json, "fingerprint", &results->fingerprint);
    json_open_array(&json, "cases", JSON_LINES);
    for (size_t i = 0; i < results->case_count; i++)
        write_case(&json, &results->cases[i]);
    json_close(&json);
    if (results->not_run_count > 0)
        write_strings(&json, "not_run", results->not_run, results->not_run_count, JSON_LINES);
    write_strings(&json, "obsolete", results->obsolete, results->obsolete_count, JSON_LINES);
    if (results->prune)
        json_add_string(&json, "prune", results->prune);
    json_close(&json);
}
