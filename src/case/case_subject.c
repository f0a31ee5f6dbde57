/* The case of a subject: asked at every time, brought into our conventions, compared as any other pose. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case/run_case.h"
#include "pipeline/pipeline_ask.h"

/* The questions to the subject for one case. */
struct asking {
    struct case_run *run;
    unsigned wants;
    struct subject_request request; /* but for its time, and what it wants at the first time alone */
    struct subject_solution solution;
    struct subject_answer first;   /* at the first time, where it must be the same again */
};

/* Our own poses, or those of the case's truth, and the goldens. */
static bool pose_reference(struct case_run *run, struct error *err)
{
    for (size_t i = 0; i < run->count; i++)
        if (!(run->samples[i].reference = case_pose_sample(run, i, true, err)))
            return false;
    if (run->c->truth && !case_take_truth(run, err))
        return false;
    for (size_t i = 0; suite_has_golden(run->c) && i < run->count; i++)
        if (!case_read_pose(run, &run->samples[i], err))
            return false;
    run->out.result->radius = (double)bounds_radius(&run->extent.bounds);
    return case_find_extents(run, err);
}

/* Reads the file that it says it has written: the one that was asked for and no other. */
static bool take_file(const char *what, const char *wanted, const char *answered, const char *name, struct blob *out,
                      struct error *err)
{
    if (strcmp(answered, wanted) != 0)
        return error_set(err, "%s: its %s is not the file that was asked for", name, what);
    return file_read(wanted, SUBJECT_FILE_LIMIT, out, err) || error_prefix(err, "%s", name);
}

/* Once for a case: what an importer of its own made of the model. Not against goldens: those are of our import. */
static bool take_import(struct case_run *run, const char *wanted, const char *answered, struct error *err)
{
    SCOPED(blob) file = {0};
    if (!take_file("import", wanted, answered, run->theirs.name, &file, err))
        return false;
    run->theirs.import = import_snapshot_read(file.data, file.size, "import.json", run->arena, err);
    if (!run->theirs.import)
        return error_prefix(err, "%s", run->theirs.name);
    case_compare_import(run, run->model->snapshot, run->theirs.import);
    return true;
}

/* For the diagnosis: what was filled in with ours, or made of something else, is not theirs. */
static const struct pose_snapshot *only_given(const struct case_run *run, const struct resolved *resolved,
                                              unsigned has)
{
    struct pose_snapshot *pose = ARENA_COPY(run->arena, struct pose_snapshot, resolved->pose);
    pose->nodes = ARENA_NEW(run->arena, struct pose_node_snapshot, pose->node_count);
    for (uint32_t i = 0; i < pose->node_count; i++) {
        pose->nodes[i] = resolved->pose->nodes[i];
        pose->nodes[i].left_out |= resolved->locals_derived ? POSE_LOCAL : 0;
    }
    pose->node_count = has & SUBJECT_NODES ? pose->node_count : 0;
    pose->palette_count = has & SUBJECT_PALETTE ? pose->palette_count : 0;
    pose->skin_count = has & SUBJECT_SKIN ? pose->skin_count : 0;
    pose->left_out = (has & SUBJECT_NODES ? 0 : POSE_NODES) | (has & SUBJECT_PALETTE ? 0 : POSE_PALETTE) |
                     (has & SUBJECT_SKIN ? 0 : POSE_SKIN);
    return pose;
}

/* `given` loses what it does not give at this time. */
static bool ask(struct asking *asking, size_t index, unsigned *given, bool *derived, struct error *err)
{
    struct case_run *run = asking->run;
    struct subject *subject = run->theirs.program;
    struct sample *sample = &run->samples[index];
    struct subject_request request = asking->request;
    struct subject_picture picture;
    struct subject_answer answer;
    struct resolved resolved;
    struct framing framing;
    request.time = sample->time;
    if (request.wants & SUBJECT_PICTURE) {
        if (!case_framing(run, index, true, &framing, err))
            return false;
        picture = pipeline_picture(&run->c->settings, subject, &framing.camera, &framing.bounds, sample->frame,
                                   run->arena);
        request.picture = &picture;
    }
    if (index > 0)
        request.wants &= ~(unsigned)SUBJECT_IMPORT;
    else if (request.wants & SUBJECT_IMPORT)
        request.import_file = arena_printf(run->arena, "%s/import.json", subject->folder);
    if (!subject_ask(subject, &request, run->arena, &answer, err) ||
        !subject_resolve(subject, &answer, sample->reference, run->model->snapshot, &asking->solution,
                           run->arena, &resolved, err) ||
        ((resolved.given & SUBJECT_PICTURE) && request.picture &&
         !take_file("picture", picture.file, answer.picture, subject->spec->name, &sample->picture, err)) ||
        (request.import_file && (answer.has & SUBJECT_IMPORT) &&
         !take_import(run, request.import_file, answer.import, err)))
        return error_prefix(err, "at %s s", sample->label);
    if (index == 0)
        asking->first = answer;
    for (uint32_t i = 0; run->c->against_golden && i < resolved.pose->skin_count; i++) {
        struct skin_snapshot *skin = &resolved.pose->skin[i]; /* goldens have boxes */
        skin->positions = skin->normals = NULL;
        skin->position_count = skin->normal_count = 0;
    }
    sample->snapshot = resolved.pose;
    sample->reference = resolved.reference;
    if (!run->c->against_golden) {
        sample->golden = resolved.reference;
        sample->theirs = only_given(run, &resolved, answer.has);
    }
    *given &= resolved.given;
    *derived = *derived || resolved.locals_derived;
    return true;
}

/* But for rounding, which may depend on where an engine's clock was before. */
static bool are_same(const float *a, const float *b, size_t count)
{
    bool same = true;
    for (size_t i = 0; i < count && same; i++)
        same = !((double)fabsf(a[i] - b[i]) > 1e-5 * fmax(1, (double)fabsf(a[i])));
    return same;
}

static bool is_same_matrix(const struct raw_matrix *a, const struct raw_matrix *b)
{
    return a->count == b->count && are_same(a->numbers, b->numbers, a->count);
}

static bool is_same_answer(const struct subject_answer *a, const struct subject_answer *b)
{
    bool same = a->node_count == b->node_count && a->entry_count == b->entry_count && a->skin_count == b->skin_count;
    for (uint32_t i = 0; same && i < a->node_count; i++)
        same = are_same(a->nodes[i].transform.translation, b->nodes[i].transform.translation, 3) &&
               are_same(a->nodes[i].transform.scale, b->nodes[i].transform.scale, 3) &&
               is_same_matrix(&a->nodes[i].local, &b->nodes[i].local) &&
               is_same_matrix(&a->nodes[i].global, &b->nodes[i].global);
    for (uint32_t i = 0; same && i < a->entry_count; i++)
        same = is_same_matrix(&a->entries[i].matrix, &b->entries[i].matrix);
    for (uint32_t i = 0; same && i < a->skin_count; i++)
        same = a->skin[i].position_count == b->skin[i].position_count &&
               are_same((const float *)a->skin[i].positions, (const float *)b->skin[i].positions,
                        3 * (size_t)a->skin[i].position_count);
    return same;
}

/* An answer must not depend on what was asked before: the first time is asked for once more, after all. */
static bool ask_again(struct asking *asking, struct error *err)
{
    struct subject_request request = asking->request;
    struct subject_answer answer;
    request.time = asking->run->samples[0].time;
    request.wants &= ~(unsigned)(SUBJECT_PICTURE | SUBJECT_IMPORT);
    if (!subject_ask(asking->run->theirs.program, &request, asking->run->arena, &answer, err))
        return false;
    return is_same_answer(&asking->first, &answer) ||
           error_set_code(err, EXIT_CODE_DIFFERS,
                          "%s: not deterministic: it answers differently when it is asked for %s s again",
                          asking->run->theirs.name, asking->run->samples[0].label);
}

const struct pose_snapshot *case_ask_more(struct case_run *run, struct pipeline *pipeline, double time)
{
    const struct asking *asking = run->theirs.asking;
    const struct clip *clip = pipeline->is_still ? NULL : pipeline->clip;
    struct subject_request request = asking->request;
    struct subject_solution solution = asking->solution;
    struct subject_answer answer;
    struct resolved resolved;
    request.clip = clip ? clip->name : NULL;
    request.clip_index = clip ? (int32_t)(clip - pipeline->scene->clips) : NO_INDEX;
    request.time = time;
    request.wants &= ~(unsigned)(SUBJECT_PICTURE | SUBJECT_IMPORT);
    /* a verdict stands without its causes */
    if (!pipeline_pose(pipeline, time, ERROR_IGNORED) ||
        !subject_ask(run->theirs.program, &request, run->arena, &answer, ERROR_IGNORED) ||
        !subject_resolve(run->theirs.program, &answer, pipeline_gather(pipeline, true, run->arena),
                         run->model->snapshot, &solution, run->arena, &resolved, ERROR_IGNORED))
        return NULL;
    return only_given(run, &resolved, answer.has);
}

/* Notes the stages that are not among what it gives. */
static void mark_given(struct case_run *run, unsigned given)
{
    unsigned stages = (run->theirs.import ? 1u << STAGE_IMPORT : 0) |
                      (given & SUBJECT_NODES ? 1u << STAGE_ANIMATE | 1u << STAGE_PALETTE : 0) |
                      (given & SUBJECT_PALETTE ? 1u << STAGE_PALETTE : 0) |
                      (given & SUBJECT_SKIN ? 1u << STAGE_SKIN : 0) | (given & SUBJECT_PICTURE ? 1u << STAGE_DRAW : 0);
    for (int s = 0; s < STAGE_COUNT; s++)
        if (!(stages >> s & 1) && !(run->out.findings.not_asked >> s & 1))
            run->theirs.not_given |= 1u << s;
    run->out.findings.not_asked |= run->theirs.not_given;
}

static void tell(struct asking *asking, bool derived)
{
    SCOPED(text) text = {0};
    subject_describe_solution(&asking->solution, &text);
    if (derived)
        text_addf(&text, "%slocal transforms are made of the globals", text.size > 0 ? "; " : "");
    if (text.size > 0)
        comparison_tell_conventions(&asking->run->out, asking->run->theirs.name, text_string(&text));
}

/* A process of this worker that is running and has said who it is. */
static bool greet(struct asking *asking, struct error *err)
{
    struct case_run *run = asking->run;
    struct subject *subject = run->theirs.program = model_cache_subject(run->cache, run->c->subject);
    if (!subject_greet(subject, err))
        return false;
    const struct subject_hello *hello = &subject->hello;
    run->theirs.name = arena_string(run->arena, hello->name);
    run->out.result->subject = hello->version ? arena_printf(run->arena, "%s %s", hello->name, hello->version)
                                          : arena_string(run->arena, hello->name);
    const unsigned not_asked = run->out.findings.not_asked;
    asking->wants = hello->gives;
    if ((not_asked >> STAGE_ANIMATE & 1) && (not_asked >> STAGE_PALETTE & 1))
        asking->wants &= ~(unsigned)(SUBJECT_NODES | SUBJECT_PALETTE);
    if (not_asked >> STAGE_SKIN & 1)
        asking->wants &= ~(unsigned)SUBJECT_SKIN;
    if (not_asked >> STAGE_DRAW & 1)
        asking->wants &= ~(unsigned)SUBJECT_PICTURE;
    if ((not_asked >> STAGE_IMPORT & 1) || run->c->against_golden)
        asking->wants &= ~(unsigned)SUBJECT_IMPORT;
    return true;
}

bool case_subject_pose(struct case_run *run, struct error *err)
{
    struct asking *asking = run->theirs.asking = ARENA_NEW(run->arena, struct asking, 1);
    unsigned given = SUBJECT_ALL;
    bool derived = false;
    asking->run = run;
    if (!greet(asking, err) || !pose_reference(run, err))
        return false;
    asking->request = pipeline_request(&run->pipeline, run->theirs.program, run->c->model_path,
                                      &run->golden_extent.range, run->arena);
    asking->request.wants = asking->wants;
    if (!pipeline_ask_rest(&run->pipeline, run->theirs.program, &asking->request, run->model->snapshot,
                           &asking->solution, run->arena, err))
        return false;
    for (size_t i = 0; i < run->count; i++)
        if (!ask(asking, i, &given, &derived, err))
            return false;
    if (run->c->truth && !ask_again(asking, err))
        return false;
    if (given == 0 && !run->theirs.import)
        return error_set(err, "%s: gives none of nodes, palette, skin and picture at all times of the case",
                         run->c->subject->name);
    mark_given(run, given);
    for (size_t i = 0; i < run->count; i++) {
        const struct sample *sample = &run->samples[i];
        const struct pose_pair pair = {sample->golden, sample->snapshot, run->model->snapshot, run->theirs.import};
        if (pair.golden)
            comparison_pose(&run->out, &pair, (uint32_t)i);
    }
    tell(asking, derived);
    return true;
}

/* Reads the picture that its picture is held against: the reference's, or the golden; empty where there is none. */
static bool read_opponent(struct case_run *run, size_t index, struct image *out, struct frame_settings *frame,
                          struct error *err)
{
    const char *label = run->samples[index].label;
    SCOPED(blob) png = {0};
    if (!suite_has_golden(run->c))
        return case_draw_sample(run, index, true, out, frame, err);
    enum golden_part part = golden_read(&run->golden, label, ".png", &png, err);
    return part == GOLDEN_ABSENT ||
           (part == GOLDEN_READ &&
            image_decode(out, png.data, png.size, golden_path(&run->golden, label, ".png"), err));
}

static bool write_both(struct case_run *run, uint32_t at, const struct image *golden, const struct image *actual,
                       struct error *err)
{
    struct image_result *image = &run->out.result->times[at].image;
    return comparison_write(&run->out, at, ".golden.png", golden, &image->golden, err) &&
           comparison_write(&run->out, at, ".actual.png", actual, &image->actual, err);
}

/* Draws its matrices as rigproof does. */
static bool draw_matrices(struct case_run *run, const struct sample *sample, const struct frame_settings *frame,
                          struct image *out, struct error *err)
{
    struct sample theirs = case_pose_as(run, sample, sample->reference, sample->snapshot);
    theirs.framed = sample->framed;
    return case_draw_as(run, &theirs, frame, out, err);
}

/* Both are shown side by side, whether or not they are compared: an engine shades as it likes. Who gives no picture is
 * seen all the same where its matrices are wrong. */
static bool draw_sample(struct case_run *run, size_t index, bool is_given, struct error *err)
{
    const bool compares = is_given && (suite_has_golden(run->c) || run->c->subject->compares_pictures);
    const struct sample *sample = &run->samples[index];
    const uint32_t at = (uint32_t)index;
    struct time_result *time = &run->out.result->times[index];
    SCOPED(image) golden = {0}, actual = {0};
    struct frame_settings frame;
    bool good = read_opponent(run, index, &golden, &frame, err) &&
                (is_given
                     ? image_decode(&actual, sample->picture.data, sample->picture.size, run->c->subject->name, err)
                     : draw_matrices(run, sample, &frame, &actual, err));
    time->image.state = !good ? IMAGE_NONE : compares ? IMAGE_MISSING : IMAGE_SHOWN;
    time->image.width = actual.width;
    time->image.height = actual.height;
    if (good && compares && golden.rgba)
        comparison_frame(&run->out, at, &golden, &actual);
    const bool differs = time->image.state == IMAGE_DIFFERS;
    if (good && golden.rgba && (differs || !compares || case_shows(run, PICTURES_ALL))) {
        good = (!run->out.output || write_both(run, at, &golden, &actual, err)) &&
               (!differs || comparison_draw(&run->out, at, &golden, &actual, err));
        if (good && differs)
            comparison_judge_picture(&run->out, at, &golden, &actual);
    }
    return good && !error_is_set(err);
}

static bool is_off(const struct case_run *run, size_t index)
{
    const double *error = run->out.result->times[index].error;
    return error[STAGE_ANIMATE] > run->c->tolerance.shell || error[STAGE_PALETTE] > run->c->tolerance.shell;
}

bool case_subject_draw(struct case_run *run, struct error *err)
{
    const bool compares = suite_has_golden(run->c) || run->c->subject->compares_pictures;
    bool has_pictures = false;
    for (size_t i = 0; i < run->count; i++)
        if (run->samples[i].picture.size > 0) {
            has_pictures = true;
            if (!draw_sample(run, i, true, err))
                return false;
        }
    if (has_pictures && !compares) {
        run->out.findings.not_asked |= 1u << STAGE_DRAW;
        run->theirs.shows = "shown beside the reference, not compared";
    }
    for (size_t i = 0; i < run->count && !has_pictures && !run->c->against_golden; i++)
        if ((is_off(run, i) || case_shows(run, PICTURES_ALL)) && case_shows(run, PICTURES_FAILING)) {
            run->theirs.shows = arena_printf(run->arena, "not given by %s; its matrices are drawn beside the reference",
                                      run->theirs.name);
            if (!draw_sample(run, i, false, err))
                return false;
        }
    return true;
}
