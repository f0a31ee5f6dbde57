#include <string.h>

#include "base/file/file.h"
#include "cli/command.h"
#include "cli/output/viewer_page.h"
#include "foreign/foreign_files.h"

static const char *output;
static double most; /* MiB; 0: any size */
static struct settings settings;
static struct foreign_source raw = {.layout = -1};

static const struct setting options[] = {
    {"output", "OUT.html", "the page; - is stdout", 0, &value_text, VALUE_OF(output), .letter = 'o'},
    {"most", "MIB", "no larger than that: with smaller textures, without, then in small numbers where it has to be", 0,
     &value_number, VALUE_OF(most), .most = 1e4},
    FOREIGN_OPTIONS(raw),
    COMMAND_QUIET_OPTION,
    COMMAND_LIMIT_OPTIONS,
};

enum { FRAMED_TIMES = 9 };

/* Returns the bounds of the whole clip, or of the pose that stands. */
static bool frame_all(struct pipeline *p, struct bounds *out, struct error *err)
{
    const double duration = pipeline_duration(p);
    double times[FRAMED_TIMES];
    for (int i = 0; i < FRAMED_TIMES; i++)
        times[i] = duration * i / (FRAMED_TIMES - 1);
    return pipeline_bounds(p, times, duration > 0 ? FRAMED_TIMES : 1, out, err);
}

/* Another program's pose of the model as the second side. */
static bool add_pose(struct pipeline *p, struct foreign *foreign, struct viewer_content *content, struct error *err)
{
    const double time = pipeline_time(p, 0);
    struct viewer_pose *pose = ARENA_NEW(p->arena, struct viewer_pose, 1);
    struct pose *copy = ARENA_NEW(p->arena, struct pose, 1);
    struct palette *palette = ARENA_NEW(p->arena, struct palette, 1);
    struct scene *own = p->scene, *vertices = NULL;
    struct bounds bounds = bounds_empty();
    bool good =
        pipeline_pose(p, time, err) && foreign_resolve(foreign, p, err) && foreign_scene(foreign, own, &vertices, err);
    if (good) {
        foreign_apply(foreign, p);
        p->scene = vertices ? vertices : own;
        good = pipeline_bounds(p, &time, 1, &bounds, err);
        *copy = pose_copy(&p->pose, own, p->arena);
        *palette = palette_copy(&p->palette, own, p->arena);
        foreign_apply(NULL, p);
        p->scene = own;
    }
    *pose = (struct viewer_pose){time, copy, palette};
    bounds_add(&content->framed, &bounds);
    content->sides[1] = (struct viewer_side){.label = path_base(foreign->name), .pose_count = 1, .poses = pose,
                                             .scene = vertices ? vertices : content->sides[0].scene};
    content->side_count = 2;
    return good;
}

/* From axes and unit of one file to another's, as `diff` has it: y up from z up is (x, z, -y), from x up (-y, x, z). */
static void place_beside(const struct scene *from, const struct scene *to, mat4 out)
{
    static const int axes[3][3] = {{1, 0, 2}, {0, 1, 2}, {0, 2, 1}};
    static const float signs[3][3] = {{-1, 1, 1}, {1, 1, 1}, {1, 1, -1}};
    const bool has_units = from->unit_meters > 0 && to->unit_meters > 0;
    memset(out, 0, sizeof(mat4));
    for (int k = 0; k < 3; k++) /* number k of y up is one of either file */
        out[axes[from->up_axis][k]][axes[to->up_axis][k]] =
            signs[from->up_axis][k] * signs[to->up_axis][k] *
            (float)(has_units ? from->unit_meters / to->unit_meters : 1);
    out[3][3] = 1;
}

/* A second model, with what it plays. It is placed beside the first, and must outlive the content. */
static bool add_model(struct pipeline *other, struct viewer_content *content, struct error *err)
{
    struct viewer_content its;
    struct bounds bounds;
    if (!frame_all(other, &bounds, err) || !viewer_content_of(other, &bounds, &its, err))
        return false;
    other->is_placed = strcmp(content->sides[0].scene->format, its.sides[0].scene->format) != 0;
    if (other->is_placed)
        place_beside(its.sides[0].scene, content->sides[0].scene, other->place);
    bounds = place_bounds(other, &bounds);
    bounds_add(&content->framed, &bounds);
    content->sides[1] = its.sides[0];
    content->sides[1].place = &other->place;
    content->side_count = 2;
    const char *const paths[] = {content->sides[0].scene->path, content->sides[1].scene->path};
    for (size_t i = 0; i < 2; i++)
        content->sides[i].label = path_distinct(paths[i], paths, 2);
    return true;
}

static bool check(const char *b, struct error *err)
{
    const char *unfit = settings.shaders ? "shaders" : settings.crowd[0] ? "crowd" : settings.sheet ? "sheet" : NULL;
    if (!output)
        return error_set(err, "view: no output is named; add -o OUT.html");
    if (unfit)
        return error_set(err, "view: --%s is not for a page; leave it out", unfit);
    if (settings.upload_format.skinning == SKINNING_DUAL_QUATERNION)
        return error_set(err, "view: the page skins linearly; leave --skinning out");
    const struct model_place *place = &settings.place;
    if (place->scale != 0 || memcmp(place->turn, (float[3]){0}, sizeof place->turn) != 0 || place->turn_up != 0 ||
        memcmp(place->move, (float[3]){0}, sizeof place->move) != 0)
        return error_set(err, "view: --place is not for a page, where the camera goes around the model; leave it out");
    if (settings.space == SPACE_ROOT)
        return error_set(err, "view: the page shows scene space; leave --space out");
    return foreign_check_source(&raw, b && path_has_extension(b, "json", "obj") ? b : NULL, err) &&
           (!raw.raw || !b || error_set(err, "view: %s and --raw %s: only one of them may be given", b, raw.raw));
}

static enum exit_code run_view(const struct operands *operands, struct error *err)
{
    const char *b = operands->count > 1 ? operands->items[1] : NULL;
    struct foreign foreign = {0};
    struct pipeline pipeline, other;
    struct viewer_content content;
    struct bounds bounds;
    bool has_other = false;
    if (!check(b, err) || !settings_check_times(&settings, true, err))
        return EXIT_CODE_GOOD;
    const bool is_pose = raw.path || raw.raw;
    settings_prefer_view(&settings, VIEW_STUDIO);
    settings.import.surfaces = true;
    if (is_pose && (!foreign_open(&foreign, &raw, err) || !foreign_suggest(&foreign, &settings, err)))
        return EXIT_CODE_GOOD;
    if (pipeline_open(&pipeline, operands->items[0], &settings, err)) {
        bool good = frame_all(&pipeline, &bounds, err) && viewer_content_of(&pipeline, &bounds, &content, err);
        if (good && is_pose)
            good = add_pose(&pipeline, &foreign, &content, err);
        else if (good && b)
            good = has_other = pipeline_open(&other, b, &settings, err);
        good = good && (!has_other || add_model(&other, &content, err));
        if (good && viewer_page_write(&content, (size_t)(most * 1048576), output, err))
            pipeline_note_pose(&pipeline);
        if (has_other)
            pipeline_close(&other);
        pipeline_close(&pipeline);
    }
    if (foreign.source)
        foreign_close(&foreign);
    return EXIT_CODE_GOOD;
}

const struct command command_view = {
    .name = "view", .operands = "MODEL [B] -o OUT.html",
    .summary = "a page with the model to turn around, its clips, bones and weights",
    .about = "Writes one HTML file that shows the model in any browser with WebGL 2: it asks for nothing else. Clips "
             "play and\nblend, a click names bones and weights, and numbers of a bone are shown at any time. B is a "
             "second model, or\nanother program's pose.json or OBJ of the first (--raw: its palette): both are shown "
             "over or beside each other.",
    COMMAND_OPTIONS(options), .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_TIME | SETTING_DRAW,
    .settings = &settings, .is_limited = true, .operand_least = 1, .operand_most = 2, .run = run_view,
};
