/*
 * A picture that differs may show the difference of another stage. It is drawn again from the golden's pose and with
 * its materials' numbers, with our vertices, textures, shaders and settings: where that is the golden's picture, these
 * explain it. Of what remains the import explains the pixels of meshes whose looks it says differ. The rest is of its
 * own.
 */
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "data/affine.h"
#include "data/vector.h"
#include "draw/frame/camera.h"
#include "case/run_case.h"

/* The stage of the pose that differs most on its own at the sample's time, else the first that differs, or STAGE_NONE.
 * What has no displacement is said once, at the first time. */
static enum stage moved_by(const struct findings *findings, double time)
{
    enum stage first = STAGE_NONE, own = STAGE_NONE;
    const unsigned pose = 1u << STAGE_ANIMATE | 1u << STAGE_PALETTE;
    const bool is_left_out = (findings->not_asked & pose) == pose; /* the skin alone tells that the pose is another */
    double most = -1;
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        double displacement = isnan(finding->displacement) ? INFINITY : finding->displacement;
        bool is_of_pose = finding->stage == STAGE_ANIMATE || finding->stage == STAGE_PALETTE ||
                          (finding->stage == STAGE_SKIN && is_left_out);
        bool is_then = isnan(finding->displacement) || fabs(finding->time - time) <= 1e-6;
        if (!is_of_pose || !is_then || finding->benign || finding_code_kind(finding->code) != FINDING_DIFFERENCE)
            continue;
        first = first == STAGE_NONE || finding->stage < first ? finding->stage : first;
        if (finding->explained == STAGE_NONE && displacement > most) {
            own = finding->stage;
            most = displacement;
        }
    }
    return own != STAGE_NONE ? own : first;
}

static bool has_failed(const struct findings *findings, enum stage stage)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        if (finding->stage == stage && !finding->benign && finding->explained == STAGE_NONE)
            return true;
    }
    return false;
}

/* Speed is of the times around a picture's, of which there is no golden; something before the pictures is another. */
static bool is_of_other_times(const struct case_run *run)
{
    return run->c->settings.view == VIEW_SPEED && findings_culprit(&run->out.findings) != STAGE_NONE;
}

/* Returns whether bones are other nodes of their names: their colours and what is drawn over them are others then. */
static bool says_of_bones(const struct findings *findings)
{
    for (size_t i = 0; i < findings->fault_count; i++)
        if (findings->faults[i].about == FAULT_BONE)
            return true;
    return false;
}

struct sample case_pose_as(struct case_run *run, const struct sample *sample, const struct pose_snapshot *ours,
                           const struct pose_snapshot *golden)
{
    const struct scene *scene = run->pipeline.scene;
    struct sample out = *sample;
    out.pose = pose_copy(&sample->pose, scene, run->arena);
    out.palette = palette_copy(&sample->palette, scene, run->arena);
    for (uint32_t i = 0; i < ours->node_count; i++) {
        int32_t at = snapshot_find_node(golden, i, ours->nodes[i].name);
        if (at != NO_INDEX)
            memcpy(out.pose.node_to_scene[i], golden->nodes[at].node_to_scene, sizeof(mat4));
    }
    for (uint32_t i = 0; i < ours->palette_count; i++) {
        int32_t at = snapshot_find_entry(golden, i, ours->palette[i].mesh, ours->palette[i].bone);
        if (at != NO_INDEX)
            memcpy(out.palette.mesh_to_scene[i], golden->palette[at].mesh_to_scene, sizeof(mat4));
    }
    for (uint32_t i = 0, k = 0; i < scene->instance_count && golden->morph_count == ours->morph_count; i++) {
        uint32_t count = scene->meshes[scene->instances[i].mesh].target_count;
        size_t size = count * sizeof(float), first = scene->instances[i].first_weight;
        if (count == 0 || k == golden->morph_count || golden->morphs[k++].count != count)
            continue;
        memcpy(out.pose.morph_weights + first, golden->morphs[k - 1].weights, size);
        memcpy(out.palette.morph_weights + first, golden->morphs[k - 1].weights, size);
    }
    return out;
}

struct sample case_golden_pose(struct case_run *run, const struct sample *sample)
{
    return case_pose_as(run, sample, pose_name_as_golden(sample->snapshot, &run->out.findings), sample->golden);
}

/* The golden's material of a name that one alone has on both sides, or NULL. */
static const struct material_snapshot *golden_material(const struct case_run *run, const char *name)
{
    const struct import_snapshot *golden = run->golden_import;
    const struct scene *scene = run->pipeline.scene;
    const struct material_snapshot *found = NULL;
    uint32_t was = 0, now = 0;
    for (uint32_t i = 0; golden && i < golden->material_count; i++)
        if (strcmp(golden->materials[i].name, name) == 0) {
            found = &golden->materials[i];
            was++;
        }
    for (uint32_t i = 0; i < scene->material_count; i++)
        now += strcmp(scene->materials[i].name, name) == 0;
    return was == 1 && now == 1 ? found : NULL;
}

static int find_word(const char *word, const char *const *words, int count, int otherwise)
{
    const char *const *found = NAMED(words, (size_t)count, word);
    return found ? (int)(found - words) : otherwise;
}

/* Gives the scene the numbers of the golden's materials, as far as import.json has them. What the scene had. */
static struct material *paint_as_golden(const struct case_run *run)
{
    const struct scene *scene = run->pipeline.scene;
    struct material *kept = ARENA_COPIES(run->arena, struct material, scene->materials, scene->material_count);
    for (uint32_t i = 0; i < scene->material_count; i++) {
        struct material *now = &scene->materials[i];
        const struct material_snapshot *was = golden_material(run, now->name);
        if (!was)
            continue;
        memcpy(now->base_color, was->base_color, sizeof(vec4));
        for (int k = 0; k < 2; k++)
            now->wrap[k] = (enum wrap_mode)find_word(was->wrap[k], wrap_words, WRAP_WORDS, (int)now->wrap[k]);
        now->alpha_mode = (enum alpha_mode)find_word(was->alpha, alpha_words, ALPHA_WORDS, (int)now->alpha_mode);
        now->alpha_cutoff = was->cutoff;
        now->two_sided = was->two_sided;
    }
    return kept;
}

/* Returns whether the import says that the mesh looks different, or its material or texture does: not by what is
 * drawn as the golden has it. `label`: the mesh's. */
static bool looks_different(const struct case_run *run, const char *label, const char *material, const char *texture)
{
    for (size_t i = 0; i < run->out.findings.fault_count; i++) {
        const struct import_fault *fault = &run->out.findings.faults[i];
        const char *name = fault->unseen                    ? NULL
                           : fault->about == FAULT_MESH     ? label
                           : fault->about == FAULT_MATERIAL
                               ? (fault->in_numbers && golden_material(run, fault->name) ? NULL : material)
                           : fault->about == FAULT_TEXTURE  ? texture
                                                            : NULL;
        if (name && strcmp(name, fault->name) == 0)
            return true;
    }
    return false;
}

/* A part of a picture that a box of the scene covers; all of it where the box reaches behind the camera. */
struct screen_box {
    double least[2], most[2];
    bool uncovers; /* the mesh is gone or elsewhere: what was behind it is seen now */
};

static struct screen_box project(const struct pipeline *pipeline, const struct frame_settings *frame,
                                 const struct skin_snapshot *skin)
{
    mat4 view, projection;
    struct screen_box box = {{0, 0}, {frame->width, frame->height}, false};
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    camera_matrices(&frame->camera, (float)frame->width / (float)frame->height, view, projection);
    for (int corner = 0; corner < 8; corner++) {
        double point[4] = {0, 0, 0, 1}, eye[4] = {0}, clip[4] = {0};
        vec3 at_corner;
        for (int k = 0; k < 3; k++)
            at_corner[k] = corner >> k & 1 ? skin->max[k] : skin->min[k];
        affine_point(pipeline->place, at_corner, at_corner);
        for (int k = 0; k < 3; k++)
            point[k] = at_corner[k];
        for (int k = 0; k < 16; k++)
            eye[k % 4] += (double)view[k / 4][k % 4] * point[k / 4];
        for (int k = 0; k < 16; k++)
            clip[k % 4] += (double)projection[k / 4][k % 4] * eye[k / 4];
        if (!(clip[3] > 0))
            return box;
        const double at[2] = {(0.5 + 0.5 * clip[0] / clip[3]) * frame->width,
                              (0.5 - 0.5 * clip[1] / clip[3]) * frame->height};
        for (int k = 0; k < 2; k++) {
            least[k] = fmin(least[k], at[k] - 1);
            most[k] = fmax(most[k], at[k] + 1);
        }
    }
    return (struct screen_box){{least[0], least[1]}, {most[0], most[1]}, false};
}

static bool has_box(const struct pose_snapshot *pose, const struct skin_snapshot *skin)
{
    for (uint32_t i = 0; i < pose->skin_count; i++)
        if (strcmp(pose->skin[i].mesh, skin->mesh) == 0 && memcmp(pose->skin[i].min, skin->min, sizeof(vec3)) == 0 &&
            memcmp(pose->skin[i].max, skin->max, sizeof(vec3)) == 0)
            return true;
    return false;
}

/* The import's findings about meshes, for looking up pixels. */
struct import_looks {
    bool *binding; /* [scene->binding_count] whether its mesh looks different */
    size_t count;
    struct screen_box *boxes; /* where the golden's meshes were that look different, or are gone */
};

static struct import_looks import_looks_of(struct case_run *run, const struct sample *sample,
                                           const struct frame_settings *frame)
{
    const struct scene *scene = run->pipeline.scene;
    const struct import_snapshot *import = run->golden_import;
    struct import_looks out = {.binding = ARENA_NEW(run->arena, bool, scene->binding_count)};
    for (uint32_t i = 0; i < scene->binding_count; i++) {
        uint32_t mesh = scene->instances[scene->bindings[i].instance].mesh;
        const struct mesh_snapshot *ours = &run->model->snapshot->meshes[mesh];
        const char *texture = NULL;
        for (uint32_t m = 0; m < run->model->snapshot->material_count; m++)
            if (strcmp(run->model->snapshot->materials[m].name, ours->material) == 0)
                texture = run->model->snapshot->materials[m].base_texture;
        out.binding[i] = looks_different(run, findings_old_mesh(&run->out.findings, scene->meshes[mesh].label),
                                         ours->material, texture);
    }
    uint32_t skins = import && sample->golden ? sample->golden->skin_count : 0;
    out.boxes = ARENA_NEW(run->arena, struct screen_box, skins);
    for (uint32_t i = 0; i < skins; i++) {
        const struct skin_snapshot *skin = &sample->golden->skin[i];
        bool is_other_mesh = looks_different(run, skin->mesh, NULL, NULL), differs = is_other_mesh;
        for (uint32_t m = 0; m < import->mesh_count && !differs; m++)
            differs = strcmp(import->meshes[m].name, skin->mesh) == 0 &&
                      looks_different(run, NULL, import->meshes[m].material, NULL);
        if (differs && skin->vertices > 0) {
            out.boxes[out.count] = project(&run->pipeline, frame, skin);
            out.boxes[out.count++].uncovers = is_other_mesh && !has_box(sample->snapshot, skin);
        }
    }
    return out;
}

/* A pixel of a mesh that looks different, of which an edge may share the pixel beside; or where such a mesh was. */
static bool is_explained(const struct import_looks *looks, const uint32_t *binding_at, const struct image *image,
                         uint32_t x, uint32_t y)
{
    for (uint32_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < image->height; v++)
        for (uint32_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < image->width; u++) {
            uint32_t binding = binding_at[(size_t)v * image->width + u];
            if (binding > 0 && looks->binding[binding - 1])
                return true;
        }
    for (size_t i = 0; i < looks->count; i++) {
        const struct screen_box *box = &looks->boxes[i];
        bool is_open = binding_at[(size_t)y * image->width + x] == 0 || box->uncovers;
        if (is_open && x >= box->least[0] && x <= box->most[0] && y >= box->least[1] && y <= box->most[1])
            return true;
    }
    return false;
}

/* Gives the picture the golden's pixels where the import explains the difference. */
static bool take_import_away(struct case_run *run, const struct sample *shown, const struct frame_settings *frame,
                             const struct image *golden, struct image *image, struct error *err)
{
    struct import_looks looks = import_looks_of(run, shown, frame);
    FREED uint32_t *binding_at = case_draw_bindings(run, shown, frame, err);
    for (uint32_t y = 0; binding_at && y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++) {
            size_t at = 4 * ((size_t)y * image->width + x);
            if (memcmp(image->rgba + at, golden->rgba + at, 4) != 0 && is_explained(&looks, binding_at, image, x, y))
                memcpy(image->rgba + at, golden->rgba + at, 4);
        }
    return binding_at != NULL;
}

/* Draws, compares, and says what remains. */
static bool compare_remaining(struct case_run *run, const struct sample *shown, const struct frame_settings *frame,
                              const struct image *golden, const struct image *image, struct image_result *out,
                              struct error *err)
{
    *out = (struct image_result){.width = image->width, .height = image->height};
    comparison_picture(&run->out, golden, image, out);
    return out->state != IMAGE_DIFFERS || case_find_bones(run, shown, frame, golden, image, out, err);
}

bool case_explain_picture(struct case_run *run, size_t index, const struct frame_settings *frame,
                          const struct image *golden, const struct image *actual, struct error *err)
{
    const struct sample *sample = &run->samples[index];
    const struct findings *findings = &run->out.findings;
    struct image_result *result = &run->out.result->times[index].image,
                        *rest = ARENA_NEW(run->arena, struct image_result, 1);
    enum stage stage = moved_by(findings, sample->time);
    bool knows_pose = sample->golden && sample->golden->palette_count > 0 && !crowd_size(run->pipeline.settings) &&
                      strcmp(sample->golden->space, sample->snapshot->space) == 0;
    bool has_looks = false, paints = false, good = true;
    for (size_t i = 0; i < findings->fault_count; i++) {
        const struct import_fault *fault = &findings->faults[i];
        paints = paints || (fault->about == FAULT_MATERIAL && fault->in_numbers && golden_material(run, fault->name));
        has_looks = has_looks || (fault->about >= FAULT_MESH && fault->about <= FAULT_TEXTURE && !fault->unseen);
    }
    if ((stage != STAGE_NONE && !knows_pose) || (!sample->golden && has_failed(findings, STAGE_IMPORT))) {
        result->explained = stage_state_names[STAGE_UNVERIFIED];
        return true;
    }
    const bool poses = stage != STAGE_NONE, draws = poses || paints;
    struct sample shown = poses ? case_golden_pose(run, sample)
                                : *sample;
    SCOPED(image) image = {0};
    if (draws) {
        const struct scene *scene = run->pipeline.scene;
        const struct material *kept = paint_as_golden(run);
        good = case_draw_as(run, &shown, frame, &image, err);
        memcpy(scene->materials, kept, scene->material_count * sizeof *kept);
        good = good && compare_remaining(run, &shown, frame, golden, &image, rest, err);
        stage = poses ? stage : STAGE_IMPORT;
    } else if ((good = image_create(&image, actual->width, actual->height, err)))
        memcpy(image.rgba, actual->rgba, 4 * (size_t)actual->width * actual->height);
    bool remains = good && (!draws || rest->state == IMAGE_DIFFERS);
    if (remains && has_looks) {
        stage = STAGE_IMPORT;
        good = take_import_away(run, &shown, frame, golden, &image, err) &&
               compare_remaining(run, &shown, frame, golden, &image, rest, err);
        remains = rest->state == IMAGE_DIFFERS;
    }
    result->remaining = draws || has_looks ? rest : NULL;
    if (!remains)
        result->explained = stage_name(stage);
    else if (has_failed(findings, STAGE_SKIN) || says_of_bones(findings) ||
             is_of_other_times(run)) /* of theirs no picture can be drawn */
        result->explained = stage_state_names[STAGE_UNVERIFIED];
    return good;
}
