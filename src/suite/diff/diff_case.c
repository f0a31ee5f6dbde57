#define _POSIX_C_SOURCE 200809L /* access */

#include "suite/diff/diff_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file_writer.h"
#include "base/file/folder.h"
#include "base/sort.h"
#include "compare/compare.h"
#include "suite/diff/bone_table.h"
#include "suite/golden/golden.h"
#include "suite/golden/snapshot_files.h"

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
    const char *folder; /* of its pictures, below the output */
};

static void begin(struct diff *diff, const char *name, const struct diff_options *options, struct arena *arena,
                  struct case_result *result)
{
    *result = (struct case_result){
        .name = arena_string(arena, name), .model = "", .stage = STAGE_NONE, .tolerance = &options->tolerance,
    };
    *diff = (struct diff){
        .options = options, .arena = arena, .findings = {.arena = arena, .tolerance = &options->tolerance},
        .result = result, .folder = result->name,
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

/* The verdict, where all could be read. */
static bool finish(struct diff *diff, bool good)
{
    if (good) {
        bone_table_report(&diff->table, diff->result);
        judge_case(&diff->findings, &diff->facts, diff->result);
    }
    return good;
}

static void missing(struct diff *diff, const char *what)
{
    if (!diff->facts.missing)
        diff->facts.missing_what = what;
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

/* ---- pictures -------------------------------------------------------------------------------------------------------- */

/* Writes <output>/<stem><suffix>; *file becomes the name below the output. */
static bool write_picture(const struct image *image, const char *output, const char *stem, const char *suffix,
                          struct arena *arena, const char **file, struct error *err)
{
    struct text png = {0};
    *file = arena_printf(arena, "%s%s", stem, suffix);
    bool good = image_encode_png(image, PNG_OUTPUT, &png, err) && folder_make(output, err) &&
                file_write_below(output, *file, png.data, png.size, err);
    text_release(&png);
    return good;
}

bool diff_draw(const struct image *golden, const struct image *actual, const char *output, const char *stem,
               struct arena *arena, struct image_result *out, struct error *err)
{
    struct image difference = {0}, heat = {0};
    if (golden->width != actual->width || golden->height != actual->height)
        return true;
    bool good = true;
    compare_images_diagnose(golden, actual, out, output ? &difference : NULL, output ? &heat : NULL);
    if (output)
        good = write_picture(&difference, output, stem, ".difference.png", arena, &out->difference, err) &&
               write_picture(&heat, output, stem, ".heat.png", arena, &out->heat, err);
    image_release(&difference);
    image_release(&heat);
    return good;
}

/* Where nobody says what the background is, the corner of the picture is. */
static bool compare_pictures(struct diff *diff, const char *a, const char *b, uint32_t at, struct error *err)
{
    struct image golden = {0}, actual = {0};
    struct time_result *time = &diff->result->times[at];
    const char *output = diff->options->output, *stem = arena_printf(diff->arena, "%s/%s", diff->folder, time->label);
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
        compare_images(&golden, &actual, diff->knows_background ? diff->background : golden.rgba,
                       diff->options->tolerance.pixel_delta, diff->arena, &time->image);
    judge_picture(&diff->options->tolerance, &time->image);
    if (time->image.state == IMAGE_DIFFERS) {
        good = (!output ||
                (write_picture(&golden, output, stem, ".golden.png", diff->arena, &time->image.golden, err) &&
                 write_picture(&actual, output, stem, ".png", diff->arena, &time->image.actual, err))) &&
               diff_draw(&golden, &actual, output, stem, diff->arena, &time->image, err);
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

/* A case is called after the file, its pictures' folder and time without the extension. */
bool diff_files(enum kind kind, const char *a, const char *b, const struct diff_options *options, struct arena *arena,
                struct case_result *result, struct error *err)
{
    struct diff diff;
    struct text label = {0};
    begin(&diff, path_base(a), options, arena, result);
    if (kind == KIND_IMPORT)
        return finish(&diff, compare_import_files(&diff, a, b, err));
    plan_times(&diff, 1);
    diff.folder = result->times[0].label = arena_printf(arena, "%.*s", (int)path_stem_length(a), result->name);
    if (kind == KIND_PNG)
        return finish(&diff, compare_pictures(&diff, a, b, 0, err));
    bool good = compare_pose_files(&diff, a, b, 0, err);
    text_add_seconds(&label, result->times[0].time);
    result->times[0].label = arena_string(arena, text_string(&label));
    text_release(&label);
    return finish(&diff, good);
}

/* ---- case folders ------------------------------------------------------------------------------------------------------ */

static bool ends_with(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

/* One of the two folders. */
struct side {
    const char *folder;
    bool is_bare;       /* nothing but poses, of an engine say: no more is compared */
    const char *import; /* path of import.json, or of the one shared with other cases */
    struct recorded recorded;
};

static bool open_side(struct diff *diff, const char *folder, struct side *side, struct error *err)
{
    const char *recorded = arena_printf(diff->arena, "%s/recorded.json", folder);
    bool has_recorded = access(recorded, F_OK) == 0, has_import;
    struct blob file;
    *side = (struct side){.folder = folder, .import = arena_printf(diff->arena, "%s/import.json", folder)};
    has_import = access(side->import, F_OK) == 0;
    side->is_bare = !has_recorded && !has_import;
    if (!has_recorded)
        return true;
    if (!file_read(recorded, DIFF_FILE_LIMIT, &file, err))
        return false;
    bool good = recorded_read(file.data, file.size, recorded, diff->arena, &side->recorded, err);
    blob_release(&file);
    if (side->recorded.import_file && !has_import) /* a run has its own, a golden as a rule the one that it shares */
        side->import = arena_printf(diff->arena, "%s/../" SHARED_IMPORTS "/%s", folder, side->recorded.import_file);
    return good;
}

/* Whether a file is at both paths; `missing` where only one side has it and the other should. */
static bool are_there(struct diff *diff, const struct side sides[2], const char *file, const char *const paths[2])
{
    bool in_a = access(paths[0], F_OK) == 0, in_b = access(paths[1], F_OK) == 0;
    bool is_wanted = ends_with(file, ".pose.json") || !sides[in_a].is_bare;
    if (in_a != in_b && is_wanted)
        missing(diff, arena_printf(diff->arena, "%s is only in %s", file, sides[in_b].folder));
    return in_a && in_b;
}

static void compare_recorded(struct diff *diff, const struct recorded *a, const struct recorded *b)
{
    struct case_result *result = diff->result;
    const char *value = fingerprint_find(&a->options, "background");
    diff->knows_background = value && strlen(value) == 8 && strspn(value, "0123456789abcdef") == 8;
    unsigned long bits = diff->knows_background ? strtoul(value, NULL, 16) : 0;
    for (int i = 0; i < 4; i++)
        diff->background[i] = (uint8_t)(bits >> (24 - 8 * i));
    diff->facts.fingerprint_differs = !fingerprint_equal(&a->fingerprint, &b->fingerprint);
    result->golden = a->fingerprint;
    result->actual = b->fingerprint;
    fingerprint_add_differing(&a->options, &b->options, diff->arena, &result->golden, &result->actual);
    fingerprint_add_differing(&a->library, &b->library, diff->arena, &result->golden, &result->actual);
}

static int by_time(const void *a, const void *b)
{
    double x = strtod(*(const char *const *)a, NULL), y = strtod(*(const char *const *)b, NULL);
    return x != y ? (x > y) - (x < y) : strcmp(*(const char *const *)a, *(const char *const *)b);
}

/*
 * The labels of either side, ascending, each once: "0.250" of "0.250.pose.json" and "0.250.png". Poses of other programs
 * may be named after anything.
 */
static bool list_labels(struct diff *diff, const struct side sides[2], const char ***labels, uint32_t *count,
                        struct error *err)
{
    struct folder_names files[2];
    bool good = folder_list(sides[0].folder, FOLDER_FILES, &files[0], err);
    good = folder_list(sides[1].folder, FOLDER_FILES, &files[1], err) && good;
    const char **items = *labels = ARENA_NEW(diff->arena, const char *, files[0].count + files[1].count);
    *count = 0;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < files[s].count; i++) {
            const char *name = files[s].names[i];
            size_t length = snapshot_label_length(name);
            if (length == 0 || strcmp(name + length, ".png") != 0)
                length = ends_with(name, ".pose.json") ? strlen(name) - strlen(".pose.json") : 0;
            if (length > 0)
                items[(*count)++] = arena_printf(diff->arena, "%.*s", (int)length, name);
        }
    uint32_t kept = 0;
    qsort(items, *count, sizeof *items, compare_strings);
    for (uint32_t i = 0; i < *count; i++)
        if (kept == 0 || strcmp(items[kept - 1], items[i]) != 0)
            items[kept++] = items[i];
    qsort(items, kept, sizeof *items, by_time);
    *count = kept;
    folder_names_release(&files[0]);
    folder_names_release(&files[1]);
    return good;
}

typedef bool (*compare_files)(struct diff *diff, const char *a, const char *b, uint32_t at, struct error *err);

/* The files of a time, where both sides have them. */
static bool compare_both(struct diff *diff, const struct side sides[2], uint32_t at, const char *suffix,
                         compare_files compare, struct error *err)
{
    const char *file = arena_printf(diff->arena, "%s%s", diff->result->times[at].label, suffix);
    const char *const paths[2] = {arena_printf(diff->arena, "%s/%s", sides[0].folder, file),
                                  arena_printf(diff->arena, "%s/%s", sides[1].folder, file)};
    return !are_there(diff, sides, file, paths) || compare(diff, paths[0], paths[1], at, err);
}

void diff_lone_case(const char *tree, const char *name, const struct diff_options *options, struct arena *arena,
                    struct case_result *result)
{
    struct diff diff;
    begin(&diff, name, options, arena, result);
    missing(&diff, arena_printf(arena, "only in `%s`", tree));
    finish(&diff, true);
}

/*
 * What is known of the vertices gives a bone's influence radius, also where the other side, which has nothing but poses,
 * does not say.
 */
bool diff_case(const char *a, const char *b, const char *name, const struct diff_options *options, struct arena *arena,
               struct case_result *result, struct error *err)
{
    struct diff diff;
    struct side sides[2];
    const char **labels;
    uint32_t count;
    begin(&diff, name, options, arena, result);
    if (!open_side(&diff, a, &sides[0], err) || !open_side(&diff, b, &sides[1], err) ||
        !list_labels(&diff, sides, &labels, &count, err))
        return false;
    plan_times(&diff, count);
    compare_recorded(&diff, &sides[0].recorded, &sides[1].recorded);
    const char *const imports[2] = {sides[0].import, sides[1].import};
    if (are_there(&diff, sides, "import.json", imports) && !compare_import_files(&diff, imports[0], imports[1], err))
        return false;
    if (sides[1].is_bare && !sides[0].is_bare && access(imports[0], F_OK) == 0)
        diff.import = read_import(&diff, imports[0], err);
    bool good = !error_is_set(err);
    for (uint32_t i = 0; good && i < count; i++) {
        result->times[i].label = labels[i];
        result->times[i].time = strtod(labels[i], NULL);
        good = compare_both(&diff, sides, i, ".pose.json", compare_pose_files, err) &&
               compare_both(&diff, sides, i, ".png", compare_pictures, err);
    }
    return finish(&diff, good);
}
