#include "diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/folder.h"
#include "base/sort.h"
#include "case/comparison.h"
#include "data/image/png_decode.h"
#include "data/json_fields.h"
#include "subject/subject.h"
#include "import/import.h"
#include "golden/golden.h"

enum { FILE_LIMIT = 1 << 30 };
enum kind { KIND_PNG, KIND_POSE, KIND_IMPORT, KIND_MODEL, KIND_CASE, KIND_TREE };
static const char *const kind_names[] = {"a PNG", "a pose.json", "an import.json", "a model", "a case folder",
                                         "a folder of cases"};
static const char pose_suffix[] = ".pose.json";
const char diff_nothing[] = "nothing was compared: the two have nothing in common";

/* One of two case folders. */
struct side {
    const char *folder;
    bool is_bare;       /* nothing but poses, of an engine say: no more is compared */
    const char *import; /* path of import.json, or of the one shared with other cases */
    struct recorded recorded;
};

/* One case under way. */
struct diff {
    const struct diff_options *options;
    struct comparison out;
    const struct import_snapshot *imports[2]; /* the golden's and the actual's; NULL */
    uint8_t background[4];
    struct side sides[2];
};

static void begin(struct diff *diff, const char *name, const struct diff_options *options, struct arena *arena,
                  struct case_result *result)
{
    *result = (struct case_result){
        .name = arena_string(arena, name), .model = "", .stage = STAGE_NONE, .tolerance = &options->tolerance,
    };
    *diff = (struct diff){.options = options};
    comparison_begin(&diff->out, result, &options->tolerance, options->output, arena);
}

/* The verdict, where all could be read. What one side has at some times only leaves a gap. */
static bool finish(struct diff *diff, bool good)
{
    struct judge_facts *facts = &diff->out.facts;
    for (int s = 0; s < STAGE_COUNT; s++)
        if (facts->compared[s] && facts->absent[s])
            comparison_miss(&diff->out, arena_printf(diff->out.arena, "%s: %s at some of the times",
                                                     stage_name((enum stage)s), facts->absent[s]));
    if (good)
        comparison_judge(&diff->out, diff_nothing);
    return good;
}

/* Opens the model of a pose or an import. NULL with err set. */
static void *read_snapshot(struct diff *diff, enum kind kind, const char *path, struct error *err)
{
    struct blob file;
    if (!file_read(path, FILE_LIMIT, &file, err))
        return NULL;
    void *snapshot = kind == KIND_POSE ? (void *)subject_read_pose(file.data, file.size, path, diff->out.arena, err)
                                       : (void *)import_snapshot_read(file.data, file.size, path, diff->out.arena, err);
    blob_release(&file);
    return snapshot;
}

static bool compare_imports(struct diff *diff, const char *const paths[2], uint32_t at, struct error *err)
{
    (void)at;
    const struct import_snapshot *golden = read_snapshot(diff, KIND_IMPORT, paths[0], err);
    const struct import_snapshot *actual = golden ? read_snapshot(diff, KIND_IMPORT, paths[1], err) : NULL;
    if (!actual)
        return false;
    compare_import(golden, actual, &diff->options->tolerance, &diff->out.findings);
    diff->out.facts.compared[STAGE_IMPORT] = true;
    diff->imports[0] = golden;
    diff->imports[1] = actual;
    diff->out.result->model = golden->model;
    return true;
}

static bool compare_poses(struct diff *diff, const char *const paths[2], uint32_t at, struct error *err)
{
    const struct pose_snapshot *golden = read_snapshot(diff, KIND_POSE, paths[0], err);
    const struct pose_snapshot *actual = golden ? read_snapshot(diff, KIND_POSE, paths[1], err) : NULL;
    struct case_result *result = diff->out.result;
    if (!actual)
        return false;
    result->times[at].time = golden->time;
    comparison_pose(&diff->out, &(struct pose_pair){golden, actual, diff->imports[0], diff->imports[1]}, at);
    result->clip = golden->clip;
    result->model = golden->model;
    result->radius = fmax(result->radius, (double)pose_snapshot_radius(golden));
    return true;
}

/* A compared picture: its own file as far as that is pixels, which is there already, or encoded again. */
static bool write_picture(const struct diff *diff, uint32_t at, const struct image *image, const struct blob *from,
                          const char *suffix, const char **file, struct error *err)
{
    struct text png = {0};
    const bool is_copied = png_copy(from->data, from->size, &png);
    const struct blob whole = {(unsigned char *)png.data, png.size};
    bool good = is_copied ? comparison_write_png(&diff->out, at, suffix, &whole, file, err)
                          : comparison_write(&diff->out, at, suffix, image, file, err);
    text_release(&png);
    return good;
}

static bool compare_pictures(struct diff *diff, const char *const paths[2], uint32_t at, struct error *err)
{
    struct image images[2];
    struct blob files[2];
    bool same;
    struct time_result *time = &diff->out.result->times[at];
    struct image_result *image = &time->image;
    bool good = image_read_two(images, files, paths, &same, err);
    const struct image *golden = &images[0], *actual = &images[!same];
    if (good) {
        comparison_picture(&diff->out, golden, actual, image);
        image->width = actual->width;
        image->height = actual->height;
        time->error[STAGE_DRAW] = image->share;
        diff->out.facts.compared[STAGE_DRAW] = true;
    }
    if (good && image->state == IMAGE_DIFFERS) {
        good = (!diff->out.output || (write_picture(diff, at, golden, &files[0], ".golden.png", &image->golden, err) &&
                                      write_picture(diff, at, actual, &files[1], ".png", &image->actual, err))) &&
               (!diff->options->figures || comparison_draw(&diff->out, at, golden, actual, err));
        image->explained = stage_state_names[STAGE_UNVERIFIED]; /* there is no model to draw it with */
        comparison_judge_picture(&diff->out, at, golden, actual);
    }
    for (int i = 0; i < 2; i++) {
        image_release(&images[i]);
        blob_release(&files[i]);
    }
    return good;
}

static bool (*const comparers[])(struct diff *diff, const char *const paths[2], uint32_t at, struct error *err) = {
    [KIND_PNG] = compare_pictures, [KIND_POSE] = compare_poses, [KIND_IMPORT] = compare_imports};

static bool ends_with(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

static bool open_side(struct diff *diff, const char *folder, struct side *side, struct error *err)
{
    const char *recorded = arena_printf(diff->out.arena, "%s/recorded.json", folder);
    bool has_recorded = access(recorded, F_OK) == 0, has_import;
    struct blob file;
    *side = (struct side){.folder = folder, .import = arena_printf(diff->out.arena, "%s/import.json", folder)};
    has_import = access(side->import, F_OK) == 0;
    side->is_bare = !has_recorded && !has_import;
    if (!has_recorded)
        return true;
    if (!file_read(recorded, FILE_LIMIT, &file, err))
        return false;
    bool good = recorded_read(file.data, file.size, recorded, diff->out.arena, &side->recorded, err);
    blob_release(&file);
    if (side->recorded.import_file && !has_import) /* a run has its own, a golden as a rule the one that it shares */
        side->import = arena_printf(diff->out.arena, "%s/../" SHARED_IMPORTS "/%s", folder, side->recorded.import_file);
    return good;
}

/* Returns whether a file is at both paths; `missing` where only one side has it and the other should. */
static bool are_there(struct diff *diff, const char *file, const char *const paths[2])
{
    bool in_a = access(paths[0], F_OK) == 0, in_b = access(paths[1], F_OK) == 0;
    enum stage stage = ends_with(file, ".png") ? STAGE_DRAW : STAGE_IMPORT;
    bool is_wanted = ends_with(file, pose_suffix) || !diff->sides[in_a].is_bare;
    if (in_a != in_b && is_wanted)
        comparison_miss(&diff->out, arena_printf(diff->out.arena, "%s is only in %s", file, diff->sides[in_b].folder));
    else if (in_a != in_b)
        diff->out.facts.absent[stage] = in_a ? "not given by theirs" : "not in the golden";
    return in_a && in_b;
}

/* 0 s where the name is no time; "infantry" and "nancy" begin with what strtod() takes for a number. */
static double time_of(const char *label)
{
    double time = strtod(label, NULL);
    return isfinite(time) ? time : 0;
}

static int by_time(const void *a, const void *b)
{
    double x = time_of(*(const char *const *)a), y = time_of(*(const char *const *)b);
    return x != y ? (x > y) - (x < y) : compare_strings(a, b);
}

/* Returns "0.250" of "0.250.pose.json" and "0.250.png"; poses of other programs may be named after anything. NULL of
 * other files. */
static const char *label_of(const char *name, struct arena *arena)
{
    size_t length = snapshot_label_length(name);
    if (length == 0 || strcmp(name + length, ".png") != 0)
        length = ends_with(name, pose_suffix) ? strlen(name) - strlen(pose_suffix) : 0;
    return length > 0 ? arena_printf(arena, "%.*s", (int)length, name) : NULL;
}

/* Lists what either of two folders holds of one kind, as `name_of` calls it (NULL: left out), sorted, each once. */
static bool list_both(const char *const folders[2], enum folder_kind kind,
                      const char *(*name_of)(const char *name, struct arena *arena), struct arena *arena,
                      const char ***names, size_t *count, struct error *err)
{
    struct folder_names found[2];
    bool good = folder_list(folders[0], kind, &found[0], err);
    good = folder_list(folders[1], kind, &found[1], err) && good;
    *names = ARENA_NEW(arena, const char *, found[0].count + found[1].count);
    *count = 0;
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < found[s].count; i++)
            if (((*names)[*count] = name_of(found[s].names[i], arena)))
                ++*count;
        folder_names_release(&found[s]);
    }
    *count = sort_once(*names, *count);
    return good;
}

/*
 * Two case folders. What is known of the vertices gives a bone's influence radius, also where the other side, which has
 * nothing but poses, does not say.
 */
static bool diff_case(const char *const folders[2], const char *name, const struct diff_options *options,
                      struct arena *arena, struct case_result *result, struct error *err)
{
    static const struct {
        const char *suffix;
        enum kind kind;
    } files[] = {{pose_suffix, KIND_POSE}, {".png", KIND_PNG}};
    struct diff diff;
    const char **labels;
    size_t count;
    begin(&diff, name, options, arena, result);
    if (!open_side(&diff, folders[0], &diff.sides[0], err) || !open_side(&diff, folders[1], &diff.sides[1], err) ||
        !list_both(folders, FOLDER_FILES, label_of, arena, &labels, &count, err))
        return false;
    qsort(labels, count, sizeof *labels, by_time);
    comparison_plan(&diff.out, (uint32_t)count);
    const struct recorded *a = &diff.sides[0].recorded, *b = &diff.sides[1].recorded;
    const char *value = fingerprint_find(&a->options, "background");
    const bool knows_background = value && strlen(value) == 8 && strspn(value, "0123456789abcdef") == 8;
    unsigned long bits = knows_background ? strtoul(value, NULL, 16) : 0;
    diff.out.background = knows_background ? diff.background : NULL;
    for (int i = 0; i < 4; i++)
        diff.background[i] = (uint8_t)(bits >> (24 - 8 * i));
    diff.out.facts.fingerprint_differs = !fingerprint_equal(&a->fingerprint, &b->fingerprint);
    result->golden = a->fingerprint;
    result->actual = b->fingerprint;
    fingerprint_add_differing(&a->options, &b->options, arena, &result->golden, &result->actual);
    fingerprint_add_differing(&a->library, &b->library, arena, &result->golden, &result->actual);
    const char *const imports[2] = {diff.sides[0].import, diff.sides[1].import};
    if (are_there(&diff, "import.json", imports) && !compare_imports(&diff, imports, 0, err))
        return false;
    if (diff.sides[1].is_bare && !diff.sides[0].is_bare && access(imports[0], F_OK) == 0)
        diff.imports[0] = read_snapshot(&diff, KIND_IMPORT, imports[0], err);
    bool good = !error_is_set(err);
    for (uint32_t i = 0; good && i < 2 * count; i++) {
        if (i % 2 == 0) {
            result->times[i / 2].label = labels[i / 2];
            result->times[i / 2].time = time_of(labels[i / 2]);
        }
        const char *file = arena_printf(arena, "%s%s", labels[i / 2], files[i % 2].suffix);
        const char *const paths[2] = {arena_printf(arena, "%s/%s", folders[0], file),
                                      arena_printf(arena, "%s/%s", folders[1], file)};
        good = !are_there(&diff, file, paths) || comparers[files[i % 2].kind](&diff, paths, i / 2, err);
    }
    return finish(&diff, good);
}

/* Engines write poses alone. */
static bool is_case_folder(const char *path)
{
    struct folder_names files;
    struct error ignored = {0};
    bool is = false;
    folder_list(path, FOLDER_FILES, &files, &ignored);
    for (size_t i = 0; i < files.count && !is; i++)
        is = strcmp(files.names[i], "recorded.json") == 0 || strcmp(files.names[i], "import.json") == 0 ||
             ends_with(files.names[i], pose_suffix);
    folder_names_release(&files);
    return is;
}

static bool find_kind(const char *path, enum kind *kind, struct error *err)
{
    struct stat status;
    struct blob file;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        *kind = is_case_folder(path) ? KIND_CASE : KIND_TREE;
        return true;
    }
    if (!file_read(path, FILE_LIMIT, &file, err))
        return false;
    if (file.size >= 4 && memcmp(file.data, "\x89PNG", 4) == 0)
        *kind = KIND_PNG;
    else if (document_has_format(file.data, file.size, "rigproof.pose/") ||
        document_has_format(file.data, file.size, "rigproof.pose-part/"))
        *kind = KIND_POSE;
    else if (document_has_format(file.data, file.size, "rigproof.import/"))
        *kind = KIND_IMPORT;
    else if (import_knows(path))
        *kind = KIND_MODEL;
    else
        error_set(err,
                  "%s is neither a model that Assimp reads, nor a PNG, a pose.json or an import.json (its \"format\" "
                  "would say so)",
                  path);
    blob_release(&file);
    return !error_is_set(err);
}

static const char *copy_of(const char *name, struct arena *arena)
{
    return arena_string(arena, name);
}

static bool diff_trees(const char *const trees[2], const struct diff_options *options, struct results *results,
                       struct error *err)
{
    struct arena *arena = results->arena;
    const char **names;
    size_t most;
    bool good = list_both(trees, FOLDER_FOLDERS, copy_of, arena, &names, &most, err);
    results->cases = ARENA_NEW(arena, struct case_result, most);
    for (size_t i = 0; good && i < most; i++) {
        const char *const sides[2] = {arena_printf(arena, "%s/%s", trees[0], names[i]),
                                      arena_printf(arena, "%s/%s", trees[1], names[i])};
        bool in_a = is_case_folder(sides[0]), in_b = is_case_folder(sides[1]);
        struct diff lone;
        if (!in_a && !in_b)
            continue;
        struct case_result *result = &results->cases[results->case_count++];
        if (in_a && in_b) {
            good = diff_case(sides, names[i], options, arena, result, err);
        } else {
            begin(&lone, names[i], options, arena, result);
            comparison_miss(&lone.out, arena_printf(arena, "only in `%s`", trees[in_b]));
            finish(&lone, true);
        }
    }
    return good && (results->case_count > 0 ||
                    error_set(err, "neither %s nor %s holds a case folder (one with a recorded.json, an import.json or "
                                   "poses)", trees[0], trees[1]));
}

/* Returns whether output would come between the files of `side`, or of a case in it. */
static bool mixes(enum kind kind, const char *side, const char *output, struct arena *arena)
{
    struct text there = {0}, out = {0}, inside = {0};
    folder_locate(side, &there);
    folder_locate(output, &out);
    text_addf(&inside, "%s/%s", text_string(&out), path_base(text_string(&there)));
    const char *below = folder_below(text_string(&out), text_string(&there));
    bool mixed = below || strcmp(text_string(&inside), text_string(&there)) == 0;
    if (kind == KIND_TREE)
        mixed = below && (*below == '\0' || is_case_folder(arena_printf(arena, "%s/%.*s", text_string(&there),
                                                                        (int)strcspn(below, "/"), below)));
    text_release(&there);
    text_release(&out);
    text_release(&inside);
    return mixed;
}

/*
 * Two files or two case folders. The case says which is under test and which is the golden; pictures are called after
 * B, of a file folder and time without the extension.
 */
static bool diff_pair(enum kind kind, const char *const paths[2], const struct diff_options *options,
                      struct results *results, struct error *err)
{
    struct arena *arena = results->arena;
    results->cases = ARENA_NEW(arena, struct case_result, 1);
    results->case_count = 1;
    struct case_result *result = results->cases;
    struct text name = {0};
    struct diff diff;
    bool good;
    if (kind == KIND_CASE) {
        folder_locate(paths[1], &name); /* also where it is written "a/" or "." */
        good = diff_case(paths, path_base(text_string(&name)), options, arena, result, err);
        result->name = results->suite;
        text_release(&name);
        return good;
    }
    const char *base = path_base(paths[1]);
    bool alike = strcmp(base, path_base(paths[0])) == 0; /* "old/a.png" and "new/a.png" */
    begin(&diff, alike ? results->suite : arena_printf(arena, "%s against %s", base, path_base(paths[0])), options,
          arena, result);
    if (kind != KIND_IMPORT) {
        comparison_plan(&diff.out, 1);
        diff.out.name = result->times[0].label = arena_printf(arena, "%.*s", (int)path_stem_length(paths[1]), base);
    }
    good = comparers[kind](&diff, paths, 0, err);
    if (kind == KIND_POSE)
        result->times[0].label = snapshot_label(result->times[0].time, arena);
    return finish(&diff, good);
}

struct results *diff_paths(const char *a, const char *b, const struct foreign_source *raw,
                           const struct diff_options *options, struct error *err)
{
    enum kind kind, other = KIND_POSE;
    if (!find_kind(a, &kind, err) || (b && !find_kind(b, &other, err)))
        return NULL;
    const bool is_theirs = kind == KIND_MODEL && other == KIND_POSE;
    if (!b && !is_theirs)
        error_set(err, "%s is %s: --raw is held against a model", a, kind_names[kind]);
    else if (kind != other && !is_theirs)
        error_set(err, "%s is %s, but %s is %s", a, kind_names[kind], b, kind_names[other]);
    else if (kind != KIND_MODEL && options->has_settings)
        error_set(err, "%s is %s: options that import, pose or draw are for two models, or a model and a pose", a,
                  kind_names[kind]);
    struct results *results = error_is_set(err) ? NULL : results_create(err);
    if (!results)
        return NULL;
    const struct foreign_source source = {.path = b, .raw = raw->raw, .layout = raw->layout, .bones = raw->bones};
    results->rigproof = options->rigproof;
    results->suite = arena_printf(results->arena, "%s against %s", b ? b : raw->raw, a);
    results->goldens = arena_string(results->arena, a);
    const char *output = options->output, *const paths[] = {a, b};
    if (output && kind >= KIND_CASE &&
        (mixes(kind, a, output, results->arena) || mixes(kind, b, output, results->arena)))
        error_set(err, "-o %s is inside a compared folder: choose another folder", output);
    else if ((!output || folder_make(output, err)) &&
             (is_theirs            ? diff_foreign(a, &source, options, results, err)
              : kind == KIND_TREE  ? diff_trees(paths, options, results, err)
              : kind == KIND_MODEL ? diff_models(paths, options, results, err)
                                   : diff_pair(kind, paths, options, results, err)))
        return results;
    results_free(results);
    return NULL;
}
