#include "foreign/foreign_files.h"

#include <math.h>
#include <string.h>

#include "base/log.h"
#include "compare/compare.h"
#include "data/affine_d.h"
#include "palette/palette_stage.h"

enum { FILE_LIMIT = 1 << 28 };

bool foreign_check_source(struct foreign_source *source, const char *operand, struct error *err)
{
    source->path = operand;
    if (source->raw && source->path)
        return error_set(err, "%s and --raw %s: only one of them may be given", source->path, source->raw);
    if (!source->raw && (source->layout >= 0 || source->bones))
        return error_set(err, "--%s is for --raw", source->bones ? "bones" : "layout");
    return true;
}

static bool read_source(struct foreign *foreign, struct error *err)
{
    const struct foreign_source *source = foreign->source;
    struct raw_file file = {
        .name = source->raw, .names_name = source->bones, .storage = (enum storage)(source->layout + 1)};
    struct blob *bytes = &file.bytes;
    bool good = file_read(foreign->name, FILE_LIMIT, bytes, err) &&
                (!source->bones || file_read(source->bones, FILE_LIMIT, &file.names, err));
    if (good && source->raw)
        good = subject_read_raw(&file, foreign->arena, &foreign->answer, err);
    else if (good && path_has_extension(foreign->name, "obj", "obj"))
        good = subject_read_obj(bytes, foreign->name, foreign->arena, &foreign->answer, err);
    else if (good)
        good = subject_read_file(bytes->data, bytes->size, foreign->name, foreign->arena, &foreign->answer, err);
    blob_release(&file.bytes);
    blob_release(&file.names);
    return good;
}

bool foreign_open(struct foreign *foreign, const struct foreign_source *source, struct error *err)
{
    *foreign = (struct foreign){
        .source = source, .name = source->raw ? source->raw : source->path, .arena = create_large_arena()};
    if (read_source(foreign, err))
        return true;
    foreign_close(foreign);
    return false;
}

void foreign_close(struct foreign *foreign)
{
    arena_destroy(foreign->arena);
    *foreign = (struct foreign){0};
}

bool foreign_suggest(const struct foreign *foreign, struct settings *settings, struct error *err)
{
    SCOPED(text) time = {0};
    const struct subject_answer *answer = &foreign->answer;
    bool good = true;
    if (answer->head.space && strcmp(answer->head.space, space_words[SPACE_ROOT]) == 0)
        settings->space = SPACE_ROOT;
    if (!answer->head.lacks_clip && !settings_name_clip(settings))
        settings->clip = answer->head.clip ? answer->head.clip : "rest";
    if (!answer->head.lacks_time && !settings->time_choices) {
        text_add_double(&time, answer->head.time);
        good = settings_set(settings, "time", arena_string(foreign->arena, text_string(&time)), err) ||
               error_prefix(err, "%s: time", foreign->name);
    }
    return good;
}

static bool read_as(const struct foreign *foreign, const struct import_snapshot *import, bool is_strict,
                    struct foreign_reading *out, struct error *err)
{
    const struct subject_answer *answer = &foreign->answer;
    const struct subject_spec spec = {.name = foreign->name, .is_file = true, .is_strict = is_strict};
    struct subject subject = {.spec = &spec};
    struct subject_solution solution = {0};
    struct resolved resolved;
    SCOPED(text) how = {0};
    const bool is_other = answer->head.space && strcmp(answer->head.space, foreign->reference->space) != 0;
    subject.hello.conventions.has_space = is_other; /* one that says the scene's may still stand in a world */
    subject.hello.conventions.space =
        is_other && strcmp(answer->head.space, space_words[SPACE_ROOT]) == 0 ? SPACE_ROOT : SPACE_SCENE;
    if (!subject_resolve(&subject, answer, foreign->reference, import, &solution, foreign->arena, &resolved, err))
        return false;
    *out = (struct foreign_reading){.held = resolved.reference};
    subject_describe_solution(&solution, &how);
    out->how = how.size > 0 ? arena_string(foreign->arena, text_string(&how)) : NULL;
    resolved.pose->space = foreign->reference->space;
    out->pose = pose_fill(resolved.pose, foreign->reference, foreign->arena);
    const struct frame *frames[] = {&solution.nodes, &solution.palette, &solution.skin};
    for (int i = 0; i < 3; i++)
        if (frames[i]->is_solved) {
            out->is_converted = true;
            out->is_turned = out->is_turned || !affine_d_near(&frames[i]->right, &affine_d_identity, 0, 0);
        }
    return true;
}

static void use_reading(struct foreign *foreign, const struct foreign_reading *reading)
{
    if (reading->how)
        log_note("%s: %s", foreign->name, reading->how);
    foreign->pose = reading->pose;
    foreign->held = reading->held;
}

bool foreign_resolve(struct foreign *foreign, struct pipeline *p, struct error *err)
{
    static const struct pose_part all = {.stages = POSE_STAGES, .vertices = true};
    const struct import_snapshot *import = import_snapshot_gather(p->scene, foreign->arena);
    struct foreign_reading strict;
    pipeline_skin(p);
    struct pose_record record = pipeline_record(p);
    record.part = &all;
    foreign->reference = pose_snapshot_gather(&record, foreign->arena);
    if (!read_as(foreign, import, true, &strict, err))
        return false;
    use_reading(foreign, &strict);
    if (!read_as(foreign, import, false, &foreign->converted, ERROR_IGNORED) || !foreign->converted.is_converted)
        foreign->converted = (struct foreign_reading){0};
    return true;
}

void foreign_convert(struct foreign *foreign)
{
    use_reading(foreign, &foreign->converted);
}

double foreign_turned(const struct foreign *foreign, double tolerance)
{
    const struct pose_snapshot *pose = foreign->pose, *held = foreign->held;
    const double most = tolerance * (double)pose_snapshot_radius(foreign->reference);
    const int32_t *held_as = pose_match(held, pose, POSE_SKIN, foreign->arena).to_golden;
    double turned = 0;
    for (uint32_t i = 0; i < pose->skin_count; i++) {
        const struct skin_snapshot *skin = &pose->skin[i],
                                   *was = held_as[i] == NO_INDEX ? NULL : &held->skin[held_as[i]];
        for (uint32_t v = 0; was && skin->position_count == was->position_count && v < skin->position_count; v++) {
            if (!(point_distance(was->positions[v], skin->positions[v]) <= most))
                return 0;
            if (v < skin->normal_count && v < was->normal_count)
                turned = fmax(turned, vector_degrees(was->normals[v], skin->normals[v]));
        }
    }
    return turned;
}

/* True where some of it is given and the rest is not. */
static bool describe_part(const char *what, uint32_t given, uint32_t all, struct text *out)
{
    const char *before = out->size > 0 ? ", " : "";
    if (given >= all)
        text_addf(out, "%s%s", before, what);
    else if (given > 0)
        text_addf(out, "%s%u of %u %s", before, given, all, what);
    return given > 0 && given < all;
}

bool foreign_describe(const struct foreign *foreign, struct text *out)
{
    const struct pose_snapshot *pose = foreign->pose, *reference = foreign->reference;
    bool in_part = false;
    if ((pose->left_out & POSE_NODES) != POSE_NODES)
        in_part |= describe_part(pose->left_out & POSE_GLOBAL  ? "nodes (local)"
                                 : pose->left_out & POSE_LOCAL ? "nodes (global)"
                                                               : "nodes",
                                 pose->node_count, reference->node_count, out);
    if (!(pose->left_out & POSE_PALETTE))
        in_part |= describe_part("palette entries", pose->palette_count, reference->palette_count, out);
    if (!(pose->left_out & POSE_SKIN))
        in_part |= describe_part("skinned meshes", pose->skin_count, reference->skin_count, out);
    return in_part;
}

/* Finds where an entry has its bone: G = (root) M offset^-1. */
static void place_bone(const struct pipeline *p, uint32_t binding, mat4 node_to_scene)
{
    mat4 to_mesh, to_scene;
    if (!affine_inverse(p->scene->bindings[binding].mesh_to_bone, to_mesh))
        return;
    affine_mul(p->palette.mesh_to_scene[binding], to_mesh, to_scene);
    if (p->settings->space == SPACE_ROOT)
        affine_mul(p->scene->nodes[0].local_to_parent, to_scene, to_scene);
    memcpy(node_to_scene, to_scene, sizeof(mat4));
}

static void replace_pose(const void *numbers, struct pipeline *p)
{
    const struct foreign *foreign = numbers;
    SCOPED_ARENA arena = create_large_arena();
    const struct pose_snapshot *reference = foreign->reference, *pose = foreign->pose;
    const struct pose_snapshot *whole = pose_complete(pose, reference, arena);
    const int32_t *nodes = pose_match(reference, whole, POSE_NODES, arena).to_actual;
    const int32_t *entries = pose_match(reference, pose, POSE_PALETTE, arena).to_actual;
    for (uint32_t i = 0; i < p->pose.node_count; i++)
        if (nodes[i] != NO_INDEX) {
            p->pose.local[i] = whole->nodes[nodes[i]].local;
            affine_from_transform(&p->pose.local[i], p->pose.local_to_parent[i]);
            memcpy(p->pose.node_to_scene[i], whole->nodes[nodes[i]].node_to_scene, sizeof(mat4));
        }
    palette_compute(p->scene, &p->pose, p->settings->space, &p->palette);
    for (uint32_t i = 0; i < p->palette.count; i++)
        if (entries[i] != NO_INDEX) {
            memcpy(p->palette.mesh_to_scene[i], pose->palette[entries[i]].mesh_to_scene, sizeof(mat4));
            if ((pose->left_out & POSE_NODES) == POSE_NODES)
                place_bone(p, i, p->pose.node_to_scene[p->scene->bindings[i].node]);
        }
    for (uint32_t i = 0; i < p->palette.count && foreign->has_vertices; i++)
        if (foreign->has_vertices[p->scene->bindings[i].instance])
            memcpy(p->palette.mesh_to_scene[i], mat4_identity, sizeof(mat4));
}

void foreign_apply(const struct foreign *foreign, struct pipeline *p)
{
    p->override = foreign ? replace_pose : NULL;
    p->numbers = foreign;
}
