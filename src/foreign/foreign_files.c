#include "foreign/foreign_files.h"

#include <string.h>

#include "compare/compare.h"
#include "data/record/matching.h"
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

static bool is_obj(const char *path)
{
    char extension[16];
    path_extension(path, extension);
    return strcmp(extension, "obj") == 0;
}

static bool open_raw(struct foreign *theirs, struct error *err)
{
    const struct foreign_source *source = theirs->source;
    struct blob names;
    bool fits = false;
    if (!file_read(source->raw, FILE_LIMIT, &theirs->bytes, err))
        return false;
    for (int layout = 0; layout < RAW_LAYOUTS; layout++)
        fits = fits || ((source->layout < 0 || source->layout == layout) && raw_palette_count(theirs->bytes.size, layout) > 0);
    if (!fits)
        return error_set(err, "%s: %zu bytes are no palette: a matrix is %s bytes of float32, and there are 1 to %d of them",
                         source->raw, theirs->bytes.size,
                         source->layout < 0 ? "64 (or 48 of rows3x4)" : source->layout == RAW_ROWS3X4 ? "48" : "64",
                         RAW_MOST_MATRICES);
    if (!source->bones)
        return true;
    if (!file_read(source->bones, FILE_LIMIT, &names, err))
        return false;
    theirs->names = raw_names_read(names.data, names.size, source->bones, theirs->arena, &theirs->name_count, err);
    blob_release(&names);
    return theirs->names != NULL;
}

bool foreign_open(struct foreign *theirs, const struct foreign_source *source, struct error *err)
{
    *theirs = (struct foreign){.source = source, .name = source->raw ? source->raw : source->path, .arena = create_large_arena()};
    bool good = source->raw ? open_raw(theirs, err) : file_read(source->path, FILE_LIMIT, &theirs->bytes, err);
    if (good && !source->raw && !is_obj(source->path)) {
        theirs->pose = pose_part_read(theirs->bytes.data, theirs->bytes.size, source->path, theirs->arena, err);
        blob_release(&theirs->bytes);
        good = theirs->pose != NULL;
    }
    if (!good)
        foreign_close(theirs);
    return good;
}

void foreign_close(struct foreign *theirs)
{
    blob_release(&theirs->bytes);
    arena_destroy(theirs->arena);
    *theirs = (struct foreign){0};
}

bool foreign_suggest(const struct foreign *theirs, struct settings *settings, struct error *err)
{
    struct text time = {0};
    const struct pose_snapshot *pose = theirs->pose;
    bool good = true;
    if (pose && pose->space && strcmp(pose->space, space_words[SPACE_ROOT]) == 0)
        settings->space = SPACE_ROOT;
    if (pose && !pose->lacks_clip && !settings_name_clip(settings))
        settings->clip = pose->clip ? pose->clip : "rest";
    if (pose && !pose->lacks_time && !settings->time_choices) {
        text_add_double(&time, pose->time);
        good = settings_set(settings, "time", arena_string(theirs->arena, text_string(&time)), err) ||
               error_prefix(err, "%s: time", theirs->name);
        text_release(&time);
    }
    return good;
}

bool foreign_resolve(struct foreign *theirs, struct pipeline *p, struct error *err)
{
    static const struct pose_part all = {.stages = POSE_STAGES, .vertices = true};
    struct pose_record record;
    pipeline_skin(p);
    record = pipeline_record(p);
    record.part = &all;
    theirs->reference = pose_snapshot_gather(&record, theirs->arena);
    if (theirs->pose)
        foreign_match_pose(theirs, theirs->pose);
    else if (theirs->names)
        foreign_match_names(theirs, theirs->names, theirs->name_count);
    if (!theirs->pose)
        theirs->pose = theirs->source->raw ? raw_resolve(theirs, p->scene, err) : obj_resolve(theirs, p->scene, err);
    blob_release(&theirs->bytes);
    if (!theirs->pose)
        return false;
    theirs->pose = pose_fill(theirs->pose, theirs->reference, theirs->arena);
    return true;
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

bool foreign_describe(const struct foreign *theirs, struct text *out)
{
    const struct pose_snapshot *pose = theirs->pose, *reference = theirs->reference;
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

/* Which of theirs is the node, or NO_INDEX. */
static const int32_t *match_to_nodes(const struct pose_snapshot *reference, const struct pose_snapshot *whole, struct arena *arena)
{
    struct match_list ours = match_list_create(reference->node_count, arena), others = match_list_create(whole->node_count, arena);
    for (uint32_t i = 0; i < reference->node_count; i++)
        ours.keys[i] = (struct match_key){reference->nodes[i].name, reference->nodes[i].parent};
    for (uint32_t i = 0; i < whole->node_count; i++)
        others.keys[i] = (struct match_key){whole->nodes[i].name, whole->nodes[i].parent};
    return match_by_name(&ours, &others, MATCH_PREFER_CONTEXT, arena).to_actual;
}

static const int32_t *match_to_entries(const struct pose_snapshot *reference, const struct pose_snapshot *pose, struct arena *arena)
{
    struct match_list ours = match_list_create(reference->palette_count, arena);
    struct match_list others = match_list_create(pose->palette_count, arena);
    for (uint32_t i = 0; i < reference->palette_count; i++)
        ours.keys[i] = (struct match_key){reference->palette[i].bone, reference->palette[i].mesh};
    for (uint32_t i = 0; i < pose->palette_count; i++)
        others.keys[i] = (struct match_key){pose->palette[i].bone, pose->palette[i].mesh};
    return match_by_name(&ours, &others, MATCH_PREFER_CONTEXT, arena).to_actual;
}

/* Where an entry has its bone: G = (root) M offset^-1. */
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
    const struct foreign *theirs = numbers;
    struct arena *arena = create_large_arena();
    const struct pose_snapshot *reference = theirs->reference, *pose = theirs->pose;
    const struct pose_snapshot *whole = pose_complete(pose, reference, arena);
    const int32_t *nodes = match_to_nodes(reference, whole, arena), *entries = match_to_entries(reference, pose, arena);
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
    for (uint32_t i = 0; i < p->palette.count && theirs->has_vertices; i++)
        if (theirs->has_vertices[p->scene->bindings[i].instance])
            memcpy(p->palette.mesh_to_scene[i], mat4_identity, sizeof(mat4));
    arena_destroy(arena);
}

void foreign_apply(const struct foreign *theirs, struct pipeline *p)
{
    p->override = theirs ? replace_pose : NULL;
    p->numbers = theirs;
}
