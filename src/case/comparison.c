#include "case/comparison.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/file_writer.h"
#include "base/sort.h"
#include "foreign/diagnosing.h"
#include "report/sentences.h"

void comparison_begin(struct comparison *c, struct case_result *result, const struct tolerance *tolerance,
                      const char *output, struct arena *arena)
{
    *c = (struct comparison){.arena = arena,
                             .findings = {.arena = arena, .tolerance = tolerance},
                             .bones = {.arena = arena},
                             .result = result,
                             .output = output,
                             .name = result->name};
}

static bool is_row_of(const struct bone_result *row, const struct bone_result *item)
{
    return row->stage == item->stage && strcmp(row->bone, item->bone) == 0 &&
           (row->mesh && item->mesh ? strcmp(row->mesh, item->mesh) == 0 : row->mesh == item->mesh);
}

/* Poses of one case list the same bones in one order, as a rule: of several of one name the first not yet taken. */
static struct bone_result *find_row(struct bone_table *table, const struct bone_result *item, size_t guess, uint32_t at)
{
    if (guess < table->count && is_row_of(&table->rows[guess], item))
        return &table->rows[guess];
    for (size_t i = 0; i < table->count; i++)
        if (is_row_of(&table->rows[i], item) && isnan(table->rows[i].over_time[at]))
            return &table->rows[i];
    table->rows = arena_room(table->arena, table->rows, table->count, sizeof *table->rows);
    struct bone_result *row = &table->rows[table->count++];
    *row = (struct bone_result){.bone = item->bone, .mesh = item->mesh, .stage = item->stage, .displacement = NAN};
    row->time_count = table->time_count;
    row->over_time = ARENA_NEW(table->arena, double, table->time_count);
    for (uint32_t t = 0; t < table->time_count; t++)
        row->over_time[t] = NAN;
    return row;
}

void bone_table_add(struct bone_table *table, const struct pose_errors *errors, uint32_t at, double time)
{
    for (size_t i = 0; i < errors->count; i++) {
        const struct bone_result *item = &errors->items[i];
        struct bone_result *row = find_row(table, item, i, at);
        row->over_time[at] = item->displacement;
        if (isnan(item->displacement) || item->displacement <= row->displacement)
            continue;
        const struct bone_result before = *row;
        *row = *item;
        row->time = time;
        row->over_time = before.over_time;
        row->time_count = before.time_count;
    }
}

/* Those that were never compared come last. */
static int by_displacement(const void *a, const void *b)
{
    const struct bone_result *x = a, *y = b;
    double first = isnan(x->displacement) ? -1.0 : x->displacement;
    double second = isnan(y->displacement) ? -1.0 : y->displacement;
    int order = (first < second) - (first > second);
    order = order ? order : (int)x->stage - (int)y->stage;
    order = order ? order : strcmp(x->bone, y->bone);
    return order ? order : strcmp(x->mesh ? x->mesh : "", y->mesh ? y->mesh : "");
}

void bone_table_report(struct bone_table *table, struct case_result *result)
{
    sort_items(table->rows, table->count, sizeof *table->rows, by_displacement);
    while (result->bone_count < table->count && result->bone_count < RESULT_MAX_BONES &&
           table->rows[result->bone_count].displacement > 0.0)
        result->bone_count++;
    result->bones = table->rows;
}

void comparison_plan(struct comparison *c, uint32_t count)
{
    c->bones.time_count = c->result->time_count = count;
    c->result->times = ARENA_NEW(c->arena, struct time_result, count);
    for (uint32_t i = 0; i < count; i++)
        for (int s = 0; s < STAGE_COUNT; s++)
            c->result->times[i].error[s] = NAN;
}

void comparison_miss(struct comparison *c, const char *what)
{
    if (!c->facts.missing_what)
        c->facts.missing_what = what;
}

const char not_in_theirs[] = "not given by theirs", not_in_golden[] = "not in the golden";

/* Where one side alone has a stage, the facts say so. */
static bool have_both(struct judge_facts *facts, enum stage stage, bool golden, bool actual)
{
    if (golden != actual)
        facts->absent[stage] = golden ? not_in_theirs : not_in_golden;
    return golden && actual;
}

static void not_compared(struct findings *findings, enum stage stage, const char *what, bool in_golden)
{
    struct finding finding = finding_of(CODE_PART_NOT_COMPARED);
    finding.stage = stage;
    finding.part = what;
    finding.other = in_golden ? not_in_theirs : not_in_golden;
    findings_put(findings, &finding);
}

/*
 * Finds which stages can be compared. Without meshes the global matrices alone are what there is of the palette, and
 * where nobody gives local transforms these are the first that can differ.
 */
static void find_compared(const struct pose_snapshot *golden, const struct pose_snapshot *actual,
                          struct judge_facts *facts, bool compared[STAGE_COUNT])
{
    const unsigned lacks = golden->left_out | actual->left_out;
    const bool globals_alone = (lacks & POSE_NODES) == POSE_LOCAL,
               same_space = strcmp(golden->space, actual->space) == 0;
    compared[STAGE_ANIMATE] =
        have_both(facts, STAGE_ANIMATE, !(golden->left_out & POSE_LOCAL), !(actual->left_out & POSE_LOCAL));
    compared[STAGE_PALETTE] =
        globals_alone || have_both(facts, STAGE_PALETTE, golden->palette_count > 0, actual->palette_count > 0) ||
        (golden->palette_count + actual->palette_count == 0 && !(lacks & (POSE_GLOBAL | POSE_PALETTE)));
    compared[STAGE_SKIN] = have_both(facts, STAGE_SKIN, golden->skin_count > 0, actual->skin_count > 0) && same_space;
    if (!same_space)
        facts->absent[STAGE_SKIN] = "the palettes are in different spaces";
}

void comparison_tell_conventions(struct comparison *c, const char *program, const char *conventions)
{
    struct finding finding = finding_of(CODE_CONVENTIONS);
    while (finding.stage < STAGE_DRAW && (c->findings.not_asked >> finding.stage & 1))
        finding.stage++;
    findings_add(&c->findings, &finding, "conventions of %s: %s", program, conventions);
}

void comparison_pose(struct comparison *c, const struct pose_pair *pair, uint32_t at)
{
    struct findings *findings = &c->findings;
    const struct pose_snapshot *golden = pose_fill(pair->golden, pair->actual, c->arena);
    const struct pose_snapshot *actual = pose_fill(pose_name_as_golden(pair->actual, findings), golden, c->arena);
    const struct import_snapshot *actual_import = import_name_as_golden(pair->actual_import, findings);
    struct pose_errors errors = {0};
    struct time_result *time = &c->result->times[at];
    bool compared[STAGE_COUNT] = {0};
    const struct pose_snapshot *whole = pose_complete(golden, actual, c->arena);
    actual = pose_restrict(pose_complete(actual, whole, c->arena), golden, c->arena);
    golden = pose_restrict(whole, actual, c->arena);
    find_compared(golden, actual, &c->facts, compared);
    const size_t before = findings->count;
    compare_pose(golden, actual, pair->golden_import, actual_import, findings, &errors);
    for (size_t i = before; i < findings->count; i++) /* another clip or time, whatever else is given */
        if (findings->items[i].stage == STAGE_ANIMATE && !findings->items[i].benign)
            c->facts.absent[STAGE_ANIMATE] = NULL;
    if (compared[STAGE_SKIN])
        compare_skinned(golden, actual, pair->golden_import, actual_import, pair->is_dual, findings, &errors);
    if ((golden->morph_count > 0) != (actual->morph_count > 0))
        not_compared(findings, STAGE_ANIMATE, "morph weights", golden->morph_count > 0);
    for (int s = STAGE_ANIMATE; s <= STAGE_SKIN; s++)
        if (compared[s]) { /* of the GPU's skin there is an error already; NAN: not compared */
            c->facts.compared[s] = true;
            time->error[s] = fmin(fmax(time->error[s], errors.worst[s]), DBL_MAX);
        }
    size_t count = errors.count;
    errors.count = 0;
    for (size_t i = 0; i < count; i++)
        if (!(findings->not_asked >> errors.items[i].stage & 1))
            errors.items[errors.count++] = errors.items[i];
    bone_table_add(&c->bones, &errors, at, time->time);
}

void comparison_picture(struct comparison *c, const struct image *golden, const struct image *actual,
                        struct image_result *out)
{
    const struct tolerance *tolerance = c->findings.tolerance;
    out->state = IMAGE_SAME;
    if (!image_equal(golden, actual))
        compare_images(golden, actual, c->background ? c->background : golden->rgba, tolerance->pixel_delta, c->arena,
                       out);
    judge_picture(tolerance, out);
}

void comparison_frame(struct comparison *c, uint32_t at, const struct image *golden, const struct image *actual)
{
    struct time_result *time = &c->result->times[at];
    comparison_picture(c, golden, actual, &time->image);
    time->image.width = actual->width;
    time->image.height = actual->height;
    time->error[STAGE_DRAW] = time->image.share;
    c->facts.compared[STAGE_DRAW] = true;
}

bool comparison_write_png(const struct comparison *c, uint32_t at, const char *suffix, const struct blob *png,
                          const char **file, struct error *err)
{
    *file = arena_printf(c->arena, "%s/%s%s", c->name, c->result->times[at].label, suffix);
    return file_write_below(c->output, *file, png->data, png->size, err);
}

bool comparison_write(const struct comparison *c, uint32_t at, const char *suffix, const struct image *image,
                      const char **file, struct error *err)
{
    SCOPED(text) png = {0};
    return image_encode_png(image, PNG_OUTPUT, &png, err) &&
           comparison_write_png(c, at, suffix, &(struct blob){(unsigned char *)png.data, png.size}, file, err);
}

bool comparison_draw(struct comparison *c, uint32_t at, const struct image *golden, const struct image *actual,
                     struct error *err)
{
    struct image_result *out = &c->result->times[at].image;
    SCOPED(image) difference = {0}, heat = {0};
    if (golden->width != actual->width || golden->height != actual->height)
        return true;
    compare_images_diagnose(golden, actual, out, c->output ? &difference : NULL, c->output ? &heat : NULL);
    return !c->output || (comparison_write(c, at, ".difference.png", &difference, &out->difference, err) &&
                          comparison_write(c, at, ".heat.png", &heat, &out->heat, err));
}

void comparison_judge_picture(struct comparison *c, uint32_t at, const struct image *golden, const struct image *actual)
{
    judge_image(c->result->times, at, golden, &c->findings);
    if (actual)
        diagnosing_picture(golden, actual, c->arena, c->result);
}

void comparison_judge(struct comparison *c, const char *nothing)
{
    bool any = c->facts.missing_what != NULL;
    for (int s = 0; s < STAGE_COUNT; s++)
        any = any || c->facts.compared[s];
    if (!any)
        comparison_miss(c, nothing);
    bone_table_report(&c->bones, c->result);
    judge_case(&c->findings, &c->facts, c->result);
    report_say(c->result, c->arena);
}
