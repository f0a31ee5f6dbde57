#define _POSIX_C_SOURCE 200809L /* access */

#include "suite/diff/diff_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/file_writer.h"
#include "base/file/folder.h"
#include "base/sort.h"
#include "compare/judge.h"
#include "data/result/recorded.h"
#include "suite/diff/bone_table.h"
#include "suite/golden/snapshot_files.h"
#include "suite/golden/shared_import.h"

/* One comparison under way. */
struct diff {
    const struct diff_options *options;
    struct arena *arena;
    struct findings findings;
    struct judge_facts facts;
    const struct import_snapshot *import; /* the golden's; NULL */
    struct bone_table table;
    uint8_t background[4];
    bool knows_background;
    struct case_result *result;
    size_t folder_length; /* of its name: what names the folder of its pictures */
};

static void begin(struct diff *diff, const char *name, const struct diff_options *options, struct arena *arena,
                  struct case_result *result)
{
    *result = (struct case_result){
        .name = arena_string(arena, name), .model = "", .stage = STAGE_NONE, .tolerance = &options->tolerance,
    };
    *diff = (struct diff){
        .options = options, .arena = arena, .findings = {.arena = arena, .tolerance = &options->tolerance}, .result = result, .folder_length = strlen(name),
    };
}

static void plan_times(struct diff *diff, uint32_t count)
{
    diff->result->time_count = count;
    diff->result->times = ARENA_NEW(diff->arena, struct time_result, count);
    diff->table = (struct bone_table){.arena = diff->arena, .time_count = count};
    for (uint32_t i = 0; i < count; i++)
        for (int s = 0; s < STAGE_COUNT; s++)
            diff->result->times[i].error[s] = NAN;
}

static void finish(struct diff *diff)
{
    bone_table_report(&diff->table, diff->result);
    judge_case(&diff->findings, &diff->facts, diff->result);
}

static void missing(struct diff *diff, const char *what)
{
    if (!diff->facts.missing)
        diff->facts.missing_what = arena_string(diff->arena, what);
    diff->facts.missing = true;
}

/* ---- import ---------------------------------------------------------------------------------------------------------- */

static struct import_snapshot *read_import(struct diff *diff, const char *path, struct error *err)
{
    struct blob file;
    if (!file_read(path, DIFF_FILE_LIMIT, &file, err))
        return NULL;
    struct import_snapshot *snapshot = import_snapshot_read(file.data, file.size, path, diff->arena, err);
    blob_release(&file);
    return snapshot;
}

static bool compare_import_files(struct diff *diff, const char *a, const char *b, struct error *err)
{
    struct import_snapshot *golden = read_import(diff, a, err);
    struct import_snapshot *actual = golden ? read_import(diff, b, err) : NULL;
    if (!actual)
        return false;
    compare_import(golden, actual, &diff->options->tolerance, &diff->findings);
    diff->facts.compared[STAGE_IMPORT] = true;
    diff->import = golden;
    diff->result->model = golden->model;
    return true;
}

bool diff_imports(const char *a, const char *b, const struct diff_options *options, struct arena *arena,
                  struct case_result *result, struct error *err)
{
    struct diff diff;
    begin(&diff, path_base(a), options, arena, result);
    if (!compare_import_files(&diff, a, b, err))
        return false;
    finish(&diff);
    return true;
}

/* ---- poses ----------------------------------------------------------------------------------------------------------- */

static struct pose_snapshot *read_pose(struct diff *diff, const char *path, struct error *err)
{
    struct blob file;
    if (!file_read(path, DIFF_FILE_LIMIT, &file, err))
        return NULL;
    struct pose_snapshot *snapshot = pose_snapshot_read(file.data, file.size, path, diff->arena, err);
    blob_release(&file);
    return snapshot;
}

static bool compare_pose_files(struct diff *diff, const char *a, const char *b, uint32_t at, struct error *err)
{
    struct pose_snapshot *golden = read_pose(diff, a, err);
    struct pose_snapshot *actual = golden ? read_pose(diff, b, err) : NULL;
    struct pose_errors errors = {0};
    struct time_result *time = &diff->result->times[at];
    if (!actual)
        return false;
    compare_pose(golden, actual, diff->import, &diff->findings, &errors);
    time->time = golden->time;
    time->error[STAGE_ANIMATE] = errors.worst[STAGE_ANIMATE];
    time->error[STAGE_PALETTE] = errors.worst[STAGE_PALETTE];
    diff->facts.compared[STAGE_ANIMATE] = true;
    diff->facts.compared[STAGE_PALETTE] = golden->palette_count > 0;
    bone_table_add(&diff->table, &errors, at, golden->time);
    diff->result->clip = golden->clip;
    diff->result->model = golden->model;
    diff->result->radius = fmax(diff->result->radius, (double)pose_snapshot_radius(golden));
    return true;
}

bool diff_poses(const char *a, const char *b, const struct diff_options *options, struct arena *arena,
                struct case_result *result, struct error *err)
{
    struct diff diff;
    struct text label = {0};
    begin(&diff, path_base(a), options, arena, result);
    plan_times(&diff, 1);
    bool good = compare_pose_files(&diff, a, b, 0, err);
    text_add_seconds(&label, result->times[0].time);
    result->times[0].label = arena_string(arena, text_string(&label));
    text_release(&label);
    if (good)
        finish(&diff);
    return good;
}

/* ---- pictures -------------------------------------------------------------------------------------------------------- */

static bool write_picture(struct diff *diff, const char *label, const char *suffix, const struct image *image,
                          const char **file, struct error *err)
{
    struct text png = {0};
    *file = arena_printf(diff->arena, "%.*s/%s%s", (int)diff->folder_length, diff->result->name, label, suffix);
    bool good = image_encode_png(image, PNG_OUTPUT, &png, err) && folder_make(diff->options->output, err) &&
                file_write_below(diff->options->output, *file, png.data, png.size, err);
    text_release(&png);
    return good;
}

static bool diagnose(struct diff *diff, const struct image *golden, const struct image *actual, const char *label,
                     struct image_result *out, struct error *err)
{
    struct image difference = {0}, heat = {0};
    bool writes = diff->options->output != NULL;
    if (writes && (!write_picture(diff, label, ".golden.png", golden, &out->golden, err) ||
                   !write_picture(diff, label, ".png", actual, &out->actual, err)))
        return false;
    if (golden->width != actual->width || golden->height != actual->height)
        return true;
    bool good = compare_images_diagnose(golden, actual, out, writes ? &difference : NULL, writes ? &heat : NULL, err);
    if (good && writes)
        good = write_picture(diff, label, ".difference.png", &difference, &out->difference, err) &&
               write_picture(diff, label, ".heat.png", &heat, &out->heat, err);
    image_release(&difference);
    image_release(&heat);
    return good;
}

/* Where nobody says what the background is, the corner of the picture is. */
static const uint8_t *background_of(const struct diff *diff, const struct image *golden)
{
    return diff->knows_background ? diff->background : golden->rgba;
}

static bool compare_pictures(struct diff *diff, const char *a, const char *b, uint32_t at, struct error *err)
{
    struct image golden = {0}, actual = {0};
    struct time_result *time = &diff->result->times[at];
    char golden_hash[17], actual_hash[17];
    if (!image_read(&golden, a, err) || !image_read(&actual, b, err)) {
        image_release(&golden);
        return false;
    }
    bool good = true;
    image_hash(&golden, golden_hash);
    image_hash(&actual, actual_hash);
    time->image.state = IMAGE_SAME;
    if (strcmp(golden_hash, actual_hash) != 0)
        compare_images(&golden, &actual, background_of(diff, &golden), diff->options->tolerance.pixel_delta, diff->arena,
                       &time->image);
    judge_picture(&diff->options->tolerance, &time->image);
    if (time->image.state == IMAGE_DIFFERS) {
        good = diagnose(diff, &golden, &actual, time->label, &time->image, err);
        judge_image(time, &golden, &diff->findings);
    }
    time->image.width = actual.width;
    time->image.height = actual.height;
    time->error[STAGE_DRAW] = time->image.share;
    diff->facts.compared[STAGE_DRAW] = true;
    image_release(&golden);
    image_release(&actual);
    return good;
}

bool diff_pictures(const char *a, const char *b, const struct diff_options *options, struct arena *arena,
                   struct case_result *result, struct error *err)
{
    struct diff diff;
    begin(&diff, path_base(a), options, arena, result);
    plan_times(&diff, 1);
    diff.folder_length = path_stem_length(a);
    result->times[0].label = arena_printf(arena, "%.*s", (int)diff.folder_length, result->name);
    if (!compare_pictures(&diff, a, b, 0, err))
        return false;
    finish(&diff);
    return true;
}

/* ---- case folders ------------------------------------------------------------------------------------------------------ */

static bool ends_with(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

struct sides {
    const char *a;
    const char *b;
    bool bare_a; /* nothing but poses, of an engine say: no more is compared */
    bool bare_b;
    const char *import_a; /* paths of import.json, or of the one shared with other cases */
    const char *import_b;
};

static bool is_bare(struct diff *diff, const char *folder)
{
    return access(arena_printf(diff->arena, "%s/recorded.json", folder), F_OK) != 0 &&
           access(arena_printf(diff->arena, "%s/import.json", folder), F_OK) != 0;
}

/* Whether a file is at both paths; `missing` where only one side has it and the other should. */
static bool are_there(struct diff *diff, const struct sides *sides, const char *file, const char *a, const char *b)
{
    bool in_a = access(a, F_OK) == 0, in_b = access(b, F_OK) == 0;
    bool is_wanted = ends_with(file, ".pose.json") || !(in_a ? sides->bare_b : sides->bare_a);
    if (in_a != in_b && is_wanted)
        missing(diff, arena_printf(diff->arena, "%s is only in %s", file, in_a ? sides->a : sides->b));
    return in_a && in_b;
}

/* Paths of a file on both sides; false when it cannot be compared. */
static bool both_have(struct diff *diff, const struct sides *sides, const char *file, const char **a, const char **b)
{
    *a = arena_printf(diff->arena, "%s/%s", sides->a, file);
    *b = arena_printf(diff->arena, "%s/%s", sides->b, file);
    return are_there(diff, sides, file, *a, *b);
}

/* Snapshot of a run has its own, a golden as a rule the one that it shares. */
static const char *import_path(struct diff *diff, const char *folder, const struct recorded *recorded)
{
    char *own = arena_printf(diff->arena, "%s/import.json", folder);
    return !recorded->import_file || access(own, F_OK) == 0
               ? own : arena_printf(diff->arena, "%s/../" SHARED_IMPORTS "/%s", folder, recorded->import_file);
}

static bool read_recorded(struct diff *diff, const char *folder, struct recorded *out, struct error *err)
{
    char *path = arena_printf(diff->arena, "%s/recorded.json", folder);
    struct blob file;
    *out = (struct recorded){0};
    if (access(path, F_OK) != 0)
        return true;
    if (!file_read(path, DIFF_FILE_LIMIT, &file, err))
        return false;
    bool good = recorded_read(file.data, file.size, path, diff->arena, out, err);
    blob_release(&file);
    return good;
}

static void take_background(struct diff *diff, const struct recorded *recorded)
{
    const char *value = fingerprint_find(&recorded->options, "background");
    diff->knows_background = value && strlen(value) == 8 && strspn(value, "0123456789abcdef") == 8;
    unsigned long bits = diff->knows_background ? strtoul(value, NULL, 16) : 0;
    for (int i = 0; i < 4; i++)
        diff->background[i] = (uint8_t)(bits >> (24 - 8 * i));
}

static bool compare_recorded(struct diff *diff, struct sides *sides, struct error *err)
{
    struct recorded a, b;
    if (!read_recorded(diff, sides->a, &a, err) || !read_recorded(diff, sides->b, &b, err))
        return false;
    take_background(diff, &a);
    sides->import_a = import_path(diff, sides->a, &a);
    sides->import_b = import_path(diff, sides->b, &b);
    diff->facts.fingerprint_differs = !fingerprint_equal(&a.fingerprint, &b.fingerprint);
    diff->result->golden = a.fingerprint;
    diff->result->actual = b.fingerprint;
    fingerprint_add_differing(&a.options, &b.options, diff->arena, &diff->result->golden, &diff->result->actual);
    fingerprint_add_differing(&a.library, &b.library, diff->arena, &diff->result->golden, &diff->result->actual);
    return true;
}

/* "0.250" of "0.250.pose.json" and "0.250.png", or NULL. Poses of other programs may be named after anything. */
static const char *label_of(const char *name, struct arena *arena)
{
    size_t time = snapshot_label_length(name);
    if (time > 0 && strcmp(name + time, ".png") == 0)
        return arena_printf(arena, "%.*s", (int)time, name);
    if (ends_with(name, ".pose.json"))
        return arena_printf(arena, "%.*s", (int)(strlen(name) - strlen(".pose.json")), name);
    return NULL;
}

static int by_time(const void *a, const void *b)
{
    double x = strtod(*(const char *const *)a, NULL), y = strtod(*(const char *const *)b, NULL);
    return x != y ? (x > y) - (x < y) : strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct labels {
    const char **items;
    uint32_t count;
};

/* Those in a folder, beside those of the other. */
static bool add_labels(struct diff *diff, const char *folder, struct labels *labels, struct error *err)
{
    struct folder_names files;
    bool good = folder_list(folder, FOLDER_FILES, &files, err);
    const char **items = ARENA_NEW(diff->arena, const char *, labels->count + files.count);
    if (labels->count > 0)
        memcpy(items, labels->items, labels->count * sizeof *items);
    labels->items = items;
    for (size_t i = 0; i < files.count; i++) {
        const char *label = label_of(files.names[i], diff->arena);
        if (label)
            items[labels->count++] = label;
    }
    folder_names_release(&files);
    return good;
}

/* The labels of either side, ascending, each once. */
static bool list_labels(struct diff *diff, const struct sides *sides, struct labels *labels, struct error *err)
{
    uint32_t kept = 0;
    *labels = (struct labels){0};
    if (!add_labels(diff, sides->a, labels, err) || !add_labels(diff, sides->b, labels, err))
        return false;
    if (labels->count > 0)
        qsort(labels->items, labels->count, sizeof *labels->items, compare_strings);
    for (uint32_t i = 0; i < labels->count; i++)
        if (kept == 0 || strcmp(labels->items[kept - 1], labels->items[i]) != 0)
            labels->items[kept++] = labels->items[i];
    labels->count = kept;
    if (kept > 0)
        qsort(labels->items, kept, sizeof *labels->items, by_time);
    return true;
}

static bool compare_time(struct diff *diff, const struct sides *sides, uint32_t at, struct error *err)
{
    const char *a, *b, *label = diff->result->times[at].label;
    diff->result->times[at].time = strtod(label, NULL);
    if (both_have(diff, sides, arena_printf(diff->arena, "%s.pose.json", label), &a, &b) &&
        !compare_pose_files(diff, a, b, at, err))
        return false;
    return !both_have(diff, sides, arena_printf(diff->arena, "%s.png", label), &a, &b) ||
           compare_pictures(diff, a, b, at, err);
}

/* What is known of the vertices gives a bone's influence radius, also where the other side does not say. */
static bool read_influence_radii(struct diff *diff, const char *path, struct error *err)
{
    if (access(path, F_OK) == 0)
        diff->import = read_import(diff, path, err);
    return !error_is_set(err);
}

void diff_lone_case(const char *tree, const char *name, const struct diff_options *options, struct arena *arena,
                    struct case_result *result)
{
    struct diff diff;
    begin(&diff, name, options, arena, result);
    missing(&diff, arena_printf(arena, "only in `%s`", tree));
    finish(&diff);
}

bool diff_case(const char *a, const char *b, const char *name, const struct diff_options *options, struct arena *arena,
               struct case_result *result, struct error *err)
{
    struct diff diff;
    struct labels labels;
    begin(&diff, name, options, arena, result);
    struct sides sides = {a, b, is_bare(&diff, a), is_bare(&diff, b), NULL, NULL};
    if (!list_labels(&diff, &sides, &labels, err))
        return false;
    plan_times(&diff, labels.count);
    if (!compare_recorded(&diff, &sides, err))
        return false;
    if (are_there(&diff, &sides, "import.json", sides.import_a, sides.import_b) &&
        !compare_import_files(&diff, sides.import_a, sides.import_b, err))
        return false;
    if (sides.bare_b && !sides.bare_a && !read_influence_radii(&diff, sides.import_a, err))
        return false;
    for (uint32_t i = 0; i < labels.count; i++) {
        result->times[i].label = labels.items[i];
        if (!compare_time(&diff, &sides, i, err))
            return false;
    }
    finish(&diff);
    return true;
}
