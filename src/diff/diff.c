#include "diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/folder.h"
#include "base/sort.h"
#include "case/comparison.h"
#include "data/image/image.h"
#include "data/json_fields.h"
#include "subject/subject.h"
#include "import/import.h"
#include "golden/golden.h"

enum kind { KIND_PNG, KIND_POSE, KIND_IMPORT, KIND_MODEL, KIND_CASE, KIND_TREE };
static const char pose_suffix[] = ".pose.json";
const char diff_nothing[] = "nothing was compared: the two have nothing in common";

/* One case under way. */
struct diff {
    const struct diff_options *options;
    struct comparison out;
    const struct import_snapshot *imports[2]; /* the golden's and the actual's; NULL */
    struct settings setup;   /* the background that the golden was recorded with */
    struct golden sides[2];  /* of two case folders */
    bool is_bare[2];         /* nothing but poses, of an engine say: no more is compared */
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

void diff_one_sided(const char *name, const char *missing, const struct diff_options *options, struct arena *arena,
                    struct case_result *result)
{
    struct diff lone;
    begin(&lone, name, options, arena, result);
    comparison_miss(&lone.out, missing);
    finish(&lone, true);
}

/* Reads a pose or an import. NULL with err set. */
static const void *read_snapshot(struct diff *diff, enum kind kind, const char *path, struct error *err)
{
    SCOPED(blob) file = {0};
    if (!file_read(path, GOLDEN_FILE_LIMIT, &file, err))
        return NULL;
    return kind == KIND_POSE ? (void *)subject_read_pose(file.data, file.size, path, diff->out.arena, err)
                             : (void *)import_snapshot_read(file.data, file.size, path, diff->out.arena, err);
}

static bool compare_imports(struct diff *diff, const char *const paths[2], uint32_t at, struct error *err)
{
    (void)at;
    for (int side = 0; side < 2; side++)
        if (!(diff->imports[side] = read_snapshot(diff, KIND_IMPORT, paths[side], err)))
            return false;
    compare_import(diff->imports[0], diff->imports[1], NULL, &diff->options->tolerance, &diff->out.findings);
    diff->out.facts.compared[STAGE_IMPORT] = true;
    diff->out.result->model = diff->imports[0]->model;
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
    SCOPED(text) png = {0};
    const bool is_copied = png_copy(from->data, from->size, &png);
    const struct blob whole = {(unsigned char *)png.data, png.size};
    return is_copied ? comparison_write_png(&diff->out, at, suffix, &whole, file, err)
                     : comparison_write(&diff->out, at, suffix, image, file, err);
}

static bool compare_pictures(struct diff *diff, const char *const paths[2], uint32_t at, struct error *err)
{
    struct image images[2];
    struct blob files[2];
    bool same;
    struct image_result *image = &diff->out.result->times[at].image;
    bool good = image_read_two(images, files, paths, &same, err);
    const struct image *golden = &images[0], *actual = &images[!same];
    if (good)
        comparison_frame(&diff->out, at, golden, actual);
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

/* The kinds that can be compared. Files have a name in a case folder, a stage, and a function that compares two. */
static const struct {
    const char *name, *suffix;
    enum stage stage;
    bool (*compare)(struct diff *diff, const char *const paths[2], uint32_t at, struct error *err);
} kinds[] = {
    [KIND_PNG] = {"a PNG", ".png", STAGE_DRAW, compare_pictures},
    [KIND_POSE] = {"a pose.json", pose_suffix, STAGE_NONE, compare_poses},
    [KIND_IMPORT] = {"an import.json", ".json", STAGE_IMPORT, compare_imports},
    [KIND_MODEL] = {.name = "a model"},
    [KIND_CASE] = {.name = "a case folder"},
    [KIND_TREE] = {.name = "a folder of cases"},
};

/* A file of both case folders; one that is in one of them only is missing where the other should have it. */
static bool compare_part(struct diff *diff, enum kind kind, const char *label, uint32_t at, struct error *err)
{
    const char *suffix = kinds[kind].suffix;
    const char *const paths[2] = {golden_path(&diff->sides[0], label, suffix),
                                  golden_path(&diff->sides[1], label, suffix)};
    const bool in_a = access(paths[0], F_OK) == 0, in_b = access(paths[1], F_OK) == 0;
    if (in_a && in_b)
        return kinds[kind].compare(diff, paths, at, err);
    if (in_a != in_b && (kind == KIND_POSE || !diff->is_bare[in_a]))
        comparison_miss(&diff->out, arena_printf(diff->out.arena, "%s%s is only in %s", label, suffix,
                                                 diff->sides[in_b].folder));
    else if (in_a != in_b)
        diff->out.facts.absent[kinds[kind].stage] = in_a ? not_in_theirs : not_in_golden;
    return true;
}

static bool ends_with(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
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

/* Lists what either of two folders holds, sorted, each once: of files the labels of times, or the folders. */
static bool list_both(const char *const folders[2], enum folder_kind kind, struct arena *arena, const char ***names,
                      size_t *count, struct error *err)
{
    struct folder_names found[2];
    bool good = folder_list(folders[0], kind, &found[0], err);
    good = folder_list(folders[1], kind, &found[1], err) && good;
    *names = ARENA_NEW(arena, const char *, found[0].count + found[1].count);
    *count = 0;
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < found[s].count; i++) {
            const char *name = found[s].names[i];
            name = kind == FOLDER_FILES ? label_of(name, arena) : arena_string(arena, name);
            if (name)
                (*names)[(*count)++] = name;
        }
        folder_names_release(&found[s]);
    }
    *count = sort_once(*names, *count);
    return good;
}

/* The circumstances of both, of which pixels depend. */
static void take_setups(struct diff *diff)
{
    const struct recorded *a = &diff->sides[0].recorded, *b = &diff->sides[1].recorded;
    struct case_result *result = diff->out.result;
    const char *background = fingerprint_find(&a->options, "background");
    if (background && settings_set(&diff->setup, "background", background, ERROR_IGNORED))
        diff->out.background = diff->setup.background;
    diff->out.facts.fingerprint_differs = !fingerprint_equal(&a->fingerprint, &b->fingerprint);
    result->golden = a->fingerprint;
    result->actual = b->fingerprint;
    fingerprint_add_differing(&a->options, &b->options, diff->out.arena, &result->golden, &result->actual);
    fingerprint_add_differing(&a->library, &b->library, diff->out.arena, &result->golden, &result->actual);
}

/*
 * Two case folders. What is known of the vertices gives a bone's influence radius, also where the other side, which has
 * nothing but poses, does not say.
 */
static bool diff_case(const char *const folders[2], const char *name, const struct diff_options *options,
                      struct arena *arena, struct case_result *result, struct error *err)
{
    struct diff diff;
    const char **labels;
    size_t count;
    begin(&diff, name, options, arena, result);
    for (int i = 0; i < 2; i++) {
        if (!golden_open_folder(&diff.sides[i], folders[i], arena, err))
            return false;
        diff.is_bare[i] = !diff.sides[i].has_recorded && !file_exists(golden_path(&diff.sides[i], "import", ".json"));
    }
    if (!list_both(folders, FOLDER_FILES, arena, &labels, &count, err))
        return false;
    sort_items(labels, count, sizeof *labels, by_time);
    comparison_plan(&diff.out, (uint32_t)count);
    take_setups(&diff);
    const char *import = golden_path(&diff.sides[0], "import", ".json");
    bool good = compare_part(&diff, KIND_IMPORT, "import", 0, err);
    if (good && diff.is_bare[1] && !diff.is_bare[0] && file_exists(import))
        good = (diff.imports[0] = read_snapshot(&diff, KIND_IMPORT, import, err)) != NULL;
    for (uint32_t i = 0; good && i < count; i++) {
        result->times[i].label = labels[i];
        result->times[i].time = time_of(labels[i]);
        good = compare_part(&diff, KIND_POSE, labels[i], i, err) && compare_part(&diff, KIND_PNG, labels[i], i, err);
    }
    return finish(&diff, good);
}

/* Engines write poses alone. */
static bool is_case_folder(const char *path)
{
    SCOPED(folder_names) files = {0};
    bool is = false;
    folder_list(path, FOLDER_FILES, &files, ERROR_IGNORED);
    for (size_t i = 0; i < files.count && !is; i++)
        is = strcmp(files.names[i], "recorded.json") == 0 || strcmp(files.names[i], "import.json") == 0 ||
             ends_with(files.names[i], pose_suffix);
    return is;
}

static bool find_kind(const char *path, enum kind *kind, struct error *err)
{
    struct stat status;
    SCOPED(blob) file = {0};
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        *kind = is_case_folder(path) ? KIND_CASE : KIND_TREE;
        return true;
    }
    if (!file_read(path, GOLDEN_FILE_LIMIT, &file, err))
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
    return !error_is_set(err);
}

static bool diff_trees(const char *const trees[2], const struct diff_options *options, struct results *results,
                       struct error *err)
{
    struct arena *arena = results->arena;
    const char **names;
    size_t most;
    bool good = list_both(trees, FOLDER_FOLDERS, arena, &names, &most, err);
    results->cases = ARENA_NEW(arena, struct case_result, most);
    for (size_t i = 0; good && i < most; i++) {
        const char *const sides[2] = {arena_printf(arena, "%s/%s", trees[0], names[i]),
                                      arena_printf(arena, "%s/%s", trees[1], names[i])};
        bool in_a = is_case_folder(sides[0]), in_b = is_case_folder(sides[1]);
        if (!in_a && !in_b)
            continue;
        struct case_result *result = &results->cases[results->case_count++];
        if (in_a && in_b)
            good = diff_case(sides, names[i], options, arena, result, err);
        else
            diff_one_sided(names[i], arena_printf(arena, "only in `%s`", trees[in_b]), options, arena, result);
    }
    return good && (results->case_count > 0 ||
                    error_set(err, "neither %s nor %s holds a case folder (one with a recorded.json, an import.json or "
                                   "poses)", trees[0], trees[1]));
}

/* Returns whether output would come between the files of `side`, or of a case in it. */
static bool mixes(enum kind kind, const char *side, const char *output, struct arena *arena)
{
    SCOPED(text) there = {0}, out = {0}, inside = {0};
    folder_locate(side, &there);
    folder_locate(output, &out);
    text_addf(&inside, "%s/%s", text_string(&out), path_base(text_string(&there)));
    const char *below = folder_below(text_string(&out), text_string(&there));
    bool mixed = below || strcmp(text_string(&inside), text_string(&there)) == 0;
    if (kind == KIND_TREE)
        mixed = below && (*below == '\0' || is_case_folder(arena_printf(arena, "%s/%.*s", text_string(&there),
                                                                        (int)strcspn(below, "/"), below)));
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
    SCOPED(text) name = {0};
    struct diff diff;
    bool good;
    if (kind == KIND_CASE) {
        folder_locate(paths[1], &name); /* also where it is written "a/" or "." */
        good = diff_case(paths, path_base(text_string(&name)), options, arena, result, err);
        result->name = results->suite;
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
    good = kinds[kind].compare(&diff, paths, 0, err);
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
        error_set(err, "%s is %s: --raw is held against a model", a, kinds[kind].name);
    else if (kind != other && !is_theirs)
        error_set(err, "%s is %s, but %s is %s", a, kinds[kind].name, b, kinds[other].name);
    else if (kind != KIND_MODEL && options->has_settings)
        error_set(err, "%s is %s: options that import, pose or draw are for two models, or a model and a pose", a,
                  kinds[kind].name);
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
