/* results.json back into memory. Anyone may have written it: reports of other machines are merged from files. */
#include <jansson.h>
#include <string.h>

#include "data/json_read.h"
#include "data/result/result.h"

enum { MOST_PIXELS_A_SIDE = 65535 };

/* ---- words and numbers ----------------------------------------------------------------------------------------- */

static enum stage read_stage(const struct json_place *at, const char *key)
{
    const char *name = json_read_string(at, key);
    enum stage stage = stage_parse(name);
    if (stage == STAGE_NONE && strcmp(name, stage_name(STAGE_NONE)) != 0)
        json_complain(at, key, "no stage is called \"%.40s\"", name);
    return stage;
}

static enum case_status read_status(const struct json_place *at)
{
    enum case_status status = CASE_ERROR;
    const char *name = json_read_string(at, "status");
    if (!case_status_parse(name, &status))
        json_complain(at, "status", "no status is called \"%.40s\"", name);
    return status;
}

static enum stage_state read_stage_state(const struct json_place *at)
{
    enum stage_state state = STAGE_NOT_COMPARED;
    const char *name = json_read_string(at, "state");
    if (!stage_state_parse(name, &state))
        json_complain(at, "state", "no state of a stage is called \"%.40s\"", name);
    return state;
}

static enum image_state read_image_state(const struct json_place *at)
{
    enum image_state state = IMAGE_NONE;
    const char *name = json_read_string(at, "state");
    if (!image_state_parse(name, &state))
        json_complain(at, "state", "no state of a picture is called \"%.40s\"", name);
    return state;
}

static uint32_t read_count_up_to(const struct json_place *at, const char *key, uint32_t most)
{
    uint32_t count = json_read_count(at, key);
    if (count > most)
        json_complain(at, key, "at most %u is wanted, found %u", most, count);
    return count;
}

/* An array of which there may be no more than `most`. */
static struct json_place read_array_up_to(const struct json_place *at, const char *key, uint32_t most, uint32_t *count)
{
    struct json_place array = json_read_array(at, key, count);
    if (*count > most)
        json_complain(at, key, "at most %u items are wanted, there are %u", most, *count);
    return array;
}

/* A length, an angle, a share. */
static double read_size(const struct json_place *at, const char *key)
{
    double value = json_read_double_or_nan(at, key);
    if (value < 0.0)
        json_complain(at, key, "a number that is not negative is wanted");
    return value;
}

static bool is_null(const struct json_place *at, const char *key)
{
    return json_is_null(json_object_get(at->value, key));
}

static const char **read_strings(const struct json_place *at, const char *key, uint32_t *count)
{
    struct json_place array = json_read_array(at, key, count);
    const char **strings = JSON_NEW(&array, const char *, count);
    for (uint32_t i = 0; i < *count && !error_is_set(at->reader->err); i++) {
        struct json_place item = json_item(&array, i);
        strings[i] = json_read_string(&item, NULL);
    }
    return strings;
}

/* ---- parts of a case ------------------------------------------------------------------------------------------- */

static const struct tolerance *read_tolerance(const struct json_place *at)
{
    if (is_null(at, "tolerance"))
        return NULL;
    struct json_place place = json_read_object(at, "tolerance");
    uint32_t one = 1;
    struct tolerance *tolerance = JSON_NEW(&place, struct tolerance, &one);
    struct tolerance found = {
        .import = json_read_double(&place, "import"),
        .shell = json_read_double(&place, "shell"),
        .skin = json_read_double(&place, "skin"),
        .agree = json_read_double(&place, "agree"),
        .pixel_delta = (int)read_count_up_to(&place, "pixel_delta", 255),
        .pixel_share = json_read_double(&place, "pixel_share"),
    };
    if (!error_is_set(at->reader->err))
        *tolerance = found;
    return tolerance;
}

static void read_stages(const struct json_place *at, struct stage_result *stages)
{
    struct json_place place = json_read_object(at, "stages");
    for (int i = 0; i < STAGE_COUNT; i++) {
        struct json_place stage = json_read_object(&place, stage_name((enum stage)i));
        stages[i].state = read_stage_state(&stage);
        stages[i].summary = json_read_string_or_null(&stage, "summary");
    }
}

static struct finding read_finding(const struct json_place *at)
{
    return (struct finding){
        .stage = read_stage(at, "stage"),
        .benign = json_read_bool(at, "benign"),
        .subject = json_read_string_or_null(at, "subject"),
        .mesh = json_read_string_or_null(at, "mesh"),
        .time = json_read_double_or_nan(at, "time"),
        .displacement = read_size(at, "displacement"),
        .distance = read_size(at, "distance"),
        .degrees = read_size(at, "degrees"),
        .translation = read_size(at, "translation"),
        .scale_percent = json_read_double_or_nan(at, "scale_percent"),
        .text = json_read_string(at, "text"),
    };
}

static void read_findings(const struct json_place *at, struct case_result *out)
{
    uint32_t count;
    struct json_place array = read_array_up_to(at, "findings", RESULT_MAX_FINDINGS, &count);
    struct finding *findings = JSON_NEW(&array, struct finding, &count);
    for (uint32_t i = 0; i < count && !error_is_set(at->reader->err); i++) {
        struct json_place item = json_item(&array, i);
        findings[i] = read_finding(&item);
    }
    out->finding_count = count;
    out->findings = findings;
    out->findings_left_out = json_read_count(at, "findings_left_out");
}

/* A file beside results.json, or relative to its folder. */
static const char *read_path(const struct json_place *at, const char *key)
{
    const char *path = json_read_string_or_null(at, key);
    if (path && (path[0] == '/' || (path[0] == '\0' && !error_is_set(at->reader->err))))
        json_complain(at, key, "a path relative to the file's folder is wanted");
    return path;
}

static void read_image_bones(const struct json_place *at, struct image_result *image)
{
    struct json_place array = json_read_array(at, "bones", &image->bone_count);
    image->bones = JSON_NEW(&array, struct image_bone, &image->bone_count);
    for (uint32_t i = 0; i < image->bone_count && !error_is_set(at->reader->err); i++) {
        struct json_place item = json_item(&array, i);
        image->bones[i].bone = json_read_string(&item, "bone");
        image->bones[i].mesh = json_read_string_or_null(&item, "mesh");
        image->bones[i].pixels = json_read_count(&item, "pixels");
    }
}

static void read_box(const struct json_place *at, uint32_t box[static 4])
{
    uint32_t count;
    struct json_place array = json_read_array(at, "box", &count);
    if (count != 4)
        json_complain(at, "box", "x, y, width and height are wanted, there are %u numbers", count);
    for (uint32_t i = 0; i < 4 && count == 4; i++) {
        struct json_place item = json_item(&array, i);
        box[i] = read_count_up_to(&item, NULL, MOST_PIXELS_A_SIDE);
    }
}

static void read_image(const struct json_place *at, struct image_result *image)
{
    struct json_place place = json_read_object(at, "image");
    image->state = read_image_state(&place);
    if (image->state == IMAGE_NONE)
        return;
    image->width = read_count_up_to(&place, "width", MOST_PIXELS_A_SIDE);
    image->height = read_count_up_to(&place, "height", MOST_PIXELS_A_SIDE);
    image->golden = read_path(&place, "golden");
    image->actual = read_path(&place, "actual");
    image->difference = read_path(&place, "difference");
    image->heat = read_path(&place, "heat");
    image->max_delta = (int)read_count_up_to(&place, "max_delta", 255);
    image->changed = json_read_count(&place, "changed");
    image->foreground = json_read_count(&place, "foreground");
    image->share = read_size(&place, "share");
    read_box(&place, image->box);
    image->pixelmatch = json_read_count(&place, "pixelmatch");
    image->flip_p999 = read_size(&place, "flip_p999");
    image->flip_max = read_size(&place, "flip_max");
    read_image_bones(&place, image);
}

static void read_times(const struct json_place *at, struct case_result *out)
{
    struct json_place array = json_read_array(at, "times", &out->time_count);
    out->times = JSON_NEW(&array, struct time_result, &out->time_count);
    for (uint32_t i = 0; i < out->time_count && !error_is_set(at->reader->err); i++) {
        struct json_place item = json_item(&array, i);
        struct time_result *time = &out->times[i];
        time->label = json_read_string(&item, "label");
        time->time = json_read_double(&item, "time");
        struct json_place error = json_read_object(&item, "error");
        time->error[STAGE_IMPORT] = NAN;
        for (int stage = STAGE_ANIMATE; stage < STAGE_COUNT; stage++)
            time->error[stage] = read_size(&error, stage_name((enum stage)stage));
        read_image(&item, &time->image);
    }
}

static void read_bone(const struct json_place *at, uint32_t time_count, struct bone_result *bone)
{
    uint32_t count;
    bone->bone = json_read_string(at, "bone");
    bone->mesh = json_read_string_or_null(at, "mesh");
    bone->stage = read_stage(at, "stage");
    bone->time = json_read_double_or_nan(at, "time");
    bone->displacement = read_size(at, "displacement");
    bone->distance = read_size(at, "distance");
    bone->degrees = read_size(at, "degrees");
    bone->translation = read_size(at, "translation");
    bone->scale_percent = json_read_double_or_nan(at, "scale_percent");
    struct json_place array = json_read_array(at, "over_time", &count);
    if (count != time_count)
        json_complain(at, "over_time", "a number for each of %u times is wanted, there are %u", time_count, count);
    bone->over_time = JSON_NEW(&array, double, &count);
    for (uint32_t i = 0; i < count && !error_is_set(at->reader->err); i++) {
        struct json_place item = json_item(&array, i);
        bone->over_time[i] = read_size(&item, NULL);
    }
}

static void read_bones(const struct json_place *at, struct case_result *out)
{
    struct json_place array = read_array_up_to(at, "bones", RESULT_MAX_BONES, &out->bone_count);
    out->bones = JSON_NEW(&array, struct bone_result, &out->bone_count);
    for (uint32_t i = 0; i < out->bone_count && !error_is_set(at->reader->err); i++) {
        struct json_place item = json_item(&array, i);
        read_bone(&item, out->time_count, &out->bones[i]);
    }
}

/* One line: what people copy from a report must not hold another command below the first. */
static const char *read_command(const struct json_place *at, const char *key)
{
    const char *command = json_read_string_or_null(at, key);
    for (const char *c = command ? command : ""; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            json_complain(at, key, "a command on one line is wanted");
            break;
        }
    return command;
}

static void read_case(const struct json_place *at, struct case_result *out)
{
    *out = (struct case_result){0};
    out->name = json_read_string(at, "name");
    out->line = json_read_count(at, "line");
    out->model = json_read_string(at, "model");
    out->clip = json_read_string_or_null(at, "clip");
    out->tags = read_strings(at, "tags", &out->tag_count);
    out->status = read_status(at);
    out->reason = json_read_string_or_null(at, "reason");
    out->stage = read_stage(at, "stage");
    out->headline = json_read_string_or_null(at, "headline");
    out->vacuous = json_read_bool(at, "vacuous");
    out->vacuity = json_has(at, "vacuity") ? json_read_string_or_null(at, "vacuity") : NULL;
    out->radius = json_read_double(at, "radius");
    out->tolerance = read_tolerance(at);
    read_stages(at, out->stages);
    read_findings(at, out);
    read_times(at, out);
    read_bones(at, out);
    out->golden = fingerprint_read(at, "golden");
    out->actual = fingerprint_read(at, "actual");
    out->repeat = read_command(at, "repeat");
    out->accept = read_command(at, "accept");
}

bool case_result_read(const void *data, size_t size, const char *name, struct arena *arena, struct case_result *out,
                      struct error *err)
{
    struct json_reader reader;
    if (json_reader_open(&reader, data, size, name, arena, err))
        read_case(&reader.root, out);
    json_reader_close(&reader);
    if (!error_is_set(err))
        return true;
    *out = (struct case_result){0};
    return false;
}

/* ---- the file -------------------------------------------------------------------------------------------------- */

static void read_shard(const struct json_place *at, struct results *out)
{
    if (is_null(at, "shard"))
        return;
    struct json_place shard = json_read_object(at, "shard");
    out->shard = json_read_count(&shard, "number");
    out->shard_count = json_read_count(&shard, "of");
    if (out->shard == 0 || out->shard > out->shard_count)
        json_complain(at, "shard", "there is no shard %u of %u", out->shard, out->shard_count);
}

static void read_cases(const struct json_place *at, struct results *out)
{
    uint32_t count;
    struct json_place array = json_read_array(at, "cases", &count);
    out->cases = JSON_NEW(&array, struct case_result, &count);
    for (uint32_t i = 0; i < count && !error_is_set(at->reader->err); i++) {
        struct json_place item = json_item(&array, i);
        read_case(&item, &out->cases[i]);
    }
    out->case_count = count;
}

static void read_results(const struct json_place *root, struct results *out)
{
    uint32_t obsolete, not_run;
    json_require_format(root, RESULTS_FORMAT);
    out->rigproof = json_read_string(root, "rigproof");
    out->suite = json_read_string(root, "suite");
    out->goldens = json_read_string(root, "goldens");
    out->strict = json_read_bool(root, "strict");
    read_shard(root, out);
    out->fingerprint = fingerprint_read(root, "fingerprint");
    read_cases(root, out);
    if (json_has(root, "not_run")) {
        out->not_run = read_strings(root, "not_run", &not_run);
        out->not_run_count = not_run;
    }
    out->obsolete = read_strings(root, "obsolete", &obsolete);
    out->obsolete_count = obsolete;
    if (json_has(root, "prune"))
        out->prune = read_command(root, "prune");
}

/* The shortest thing that takes memory is an empty string in a list: 3 bytes of the file, 40 of the arena. */
static struct results *create_for(size_t size, struct error *err)
{
    enum { ARENA_BYTES_PER_BYTE = 32, SPARE = 1 << 20 };
    struct arena *arena = arena_create(size * ARENA_BYTES_PER_BYTE + SPARE, err);
    struct results *results = arena ? ARENA_NEW(arena, struct results, 1) : NULL;
    if (results)
        results->arena = arena;
    return results;
}

struct results *results_read(const void *data, size_t size, const char *name, struct error *err)
{
    struct json_reader reader;
    struct results *results = error_is_set(err) ? NULL : create_for(size, err);
    if (!results)
        return NULL;
    if (json_reader_open(&reader, data, size, name, results->arena, err))
        read_results(&reader.root, results);
    json_reader_close(&reader);
    if (!error_is_set(err))
        return results;
    results_free(results);
    return NULL;
}
