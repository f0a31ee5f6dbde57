#include "import/import.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>

#include "base/file/file.h"
#include "base/process/process.h"
#include "import/dae/dae_file.h"
#include "import/fbx/fbx_file.h"
#include "import/gltf/gltf_repair.h"
#include "import/refusal.h"

const struct import_options import_defaults = {
    .repairs = REPAIR_ALL,
    .timeout_seconds = 30,
    .memory_mib = 4096,
};

/* Assimp sees only the model's own folder tree, links resolved, and reads only. */
struct model_file {
    const char *path;
    const char *alias;          /* the path that Assimp is given: of a .vrm, which not all know, as of a .glb */
    const struct text *content; /* what is in the file at `path` for Assimp; NULL or empty: what is there */
    struct scene *scene;        /* whose notes say what is wrong with the files beside it */
};

static FILE *stream_of(struct aiFile *file)
{
    return (FILE *)(void *)file->UserData;
}

static size_t read_file(struct aiFile *file, char *out, size_t size, size_t count)
{
    return fread(out, size, count, stream_of(file));
}

static size_t tell(struct aiFile *file)
{
    long position = ftell(stream_of(file));
    return position < 0 ? 0 : (size_t)position;
}

static size_t size_of_file(struct aiFile *file)
{
    size_t here = tell(file);
    size_t size = fseek(stream_of(file), 0, SEEK_END) == 0 ? tell(file) : 0;
    fseek(stream_of(file), (long)here, SEEK_SET);
    return size;
}

static enum aiReturn seek(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    const int whence = origin == aiOrigin_SET ? SEEK_SET : origin == aiOrigin_CUR ? SEEK_CUR : SEEK_END;
    return fseek(stream_of(file), (long)offset, whence) == 0 ? aiReturn_SUCCESS : aiReturn_FAILURE;
}

static struct aiFile *open_file(struct aiFileIO *io, const char *path, const char *mode)
{
    const struct model_file *model = (const struct model_file *)(const void *)io->UserData;
    if (strcmp(path, model->alias) == 0)
        path = model->path;
    const bool is_allowed = mode[0] == 'r' && !strchr(mode, '+') && path_is_in_model_tree(model->path, path);
    const size_t folder = (size_t)(path_base(model->path) - model->path);
    const bool is_below = strncmp(path, model->path, folder) == 0;
    if (is_allowed || (is_below && !path_leads_out(path + folder))) /* also where a link leads out of there today */
        scene_add_file(model->scene, path);
    if (!is_allowed)
        return NULL;
    if (file_is_lfs_pointer(path)) { /* as if it were not there */
        warn(model, LFS_NOTE, "%s " LFS_POINTER, path_base(path));
        return NULL;
    }
    bool replaced = model->content && model->content->size > 0 && strcmp(path, model->path) == 0;
    const char *dot = strrchr(path, '.');
    FILE *stream = replaced ? fmemopen(model->content->data, model->content->size, "rb")
                   : dot && strcasecmp(dot, ".material") == 0 ? ogre_open_material(path)
                                                              : fopen(path, "rb");
    if (!stream)
        return NULL;
    struct aiFile *file = memory_new(1, sizeof *file);
    file->ReadProc = read_file;
    file->TellProc = tell;
    file->FileSizeProc = size_of_file;
    file->SeekProc = seek;
    file->UserData = (aiUserData)(void *)stream;
    return file;
}

static void close_file(struct aiFileIO *io, struct aiFile *file)
{
    (void)io;
    if (file)
        fclose(stream_of(file));
    free(file);
}

/* Returns whether a file is a GLB under a name of VRM: an avatar, or a clip for one. */
static bool is_vrm(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcasecmp(dot, ".vrm") == 0 || strcasecmp(dot, ".vrma") == 0);
}

bool import_knows(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') && (aiIsExtensionSupported(dot) || is_vrm(path));
}

/*
 * Triangles are all that is asked of Assimp unless --assimp-flags says more. Not ValidateDataStructure: it refuses
 * files that are fine (all MS3D from 6.0.5 on). No properties either: with FBX_PRESERVE_PIVOTS off nodes with real
 * pivots lose their animation, and what FBX_IGNORE_UP_DIRECTION would hold back our own repair takes off, the same way
 * for every version.
 */
static const struct aiScene *read_model(struct scene *scene, const struct text *content, uint32_t flags)
{
    const char *more = is_vrm(scene->path) ? ".glb" : "";
    struct model_file model = {scene->path, arena_printf(scene->arena, "%s%s", scene->path, more), content, scene};
    struct aiFileIO files = {open_file, close_file, (aiUserData)(void *)&model};
    return aiImportFileEx(model.alias, aiProcess_Triangulate | flags, &files);
}

/* The other flags that Assimp was asked for are a part of what the scene is. */
static void report_flags(struct conversion *c)
{
    SCOPED(text) names = {0};
    assimp_flags_describe(c->flags, &names);
    if (c->flags)
        warn(c, "assimp-flags",
             "Assimp ran with %s: vertices, weights, meshes and nodes are what these made of the file's",
             text_string(&names));
    if ((assimp_flags_effects(c->flags) & CHANGES_NODES) && is_format(c, "fbx") &&
        (c->repairs & (REPAIR_FBX_OFFSETS | REPAIR_FBX_GEOMETRIC | REPAIR_FBX_PIVOTS)))
        warn(c, "assimp-flags",
             "the repairs fbx-offsets, fbx-geometric and fbx-pivots are left out: optimize-graph takes away the nodes "
             "they go by");
}

/* Says how files are rewritten before Assimp reads them; a repair of 0 is none that the whole depends on. */
static const struct {
    const char *format;
    uint32_t repair;
    void (*rewrite)(struct conversion *c, struct text *out);
} rewrites[] = {
    {"gltf", 0, gltf_rewrite},
    {"glb", 0, gltf_rewrite},
    {"fbx", 0, fbx_rewrite},
    {"b3d", 0, b3d_rewrite},
    {"x", 0, x_rewrite},
    {"dae", REPAIR_DAE_INSTANCES, dae_rewrite},
};

/* The steps that follow what Assimp has read, in this order. */
static const struct {
    const char *format; /* NULL: any */
    uint32_t repair;    /* 0: whatever repairs are on */
    unsigned against;   /* enum flag_effect: it is left out where Assimp was asked for such steps */
    bool (*convert)(struct conversion *c);
    void (*repair_by)(struct conversion *c);
} steps[] = {
    {.repair_by = convert_axes},
    {.repair_by = report_flags},
    {.convert = convert_nodes},
    {.repair_by = convert_materials},
    {.convert = convert_meshes},
    {"fbx", .repair_by = repair_fbx_shapes}, /* what rests tells what a target without keys does */
    {.convert = convert_clips},
    {.repair_by = convert_cameras},
    {"b3d", .repair_by = b3d_finish},
    {"mesh", .repair_by = repair_ogre_keys},
    {"xml", .repair_by = repair_ogre_keys},
    {"b3d", .repair_by = repair_b3d_keys},
    {"ms3d", .repair_by = repair_ms3d_keys},
    {"x", .repair_by = repair_x_keys},
    {"gltf", GLTF_FIXES, .repair_by = gltf_fix},
    {"glb", GLTF_FIXES, .repair_by = gltf_fix},
    {"dae", .repair_by = repair_dae},
    {"fbx", .repair_by = repair_fbx_curves}, /* before the repair of pivots, which adds channels */
    {"fbx", .repair_by = repair_fbx_root_axes},
    {"fbx", REPAIR_FBX_OFFSETS, CHANGES_NODES, .repair_by = repair_fbx_offsets},
    {"fbx", 0, CHANGES_NODES, .repair_by = repair_fbx_geometric},
    {"fbx", REPAIR_FBX_PIVOTS, CHANGES_NODES, .repair_by = repair_fbx_pivots},
    {"fbx", REPAIR_FBX_INHERIT_TYPE, CHANGES_NODES, .repair_by = repair_fbx_inherit_type},
    {.convert = finish_weights},
    {.convert = finish_clips},
    {"mdl", REPAIR_MDL_DURATIONS, .repair_by = repair_mdl_durations},
    {"mdl", REPAIR_MDL_ROOT_AXES, .repair_by = repair_mdl_root_axes},
    {"fbx", .repair_by = fbx_restore_names},
    {.repair_by = add_warnings},
};

static bool convert_scene(struct conversion *c)
{
    const unsigned effects = assimp_flags_effects(c->flags);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if ((steps[i].format && !is_format(c, steps[i].format)) || (steps[i].against & effects) ||
            (steps[i].repair && !(c->repairs & steps[i].repair)))
            continue;
        if (steps[i].repair_by)
            steps[i].repair_by(c);
        else if (!steps[i].convert(c))
            return false;
    }
    scene_bind(c->scene);
    return true;
}

void conversion_release(struct conversion *c)
{
    if (c->dae)
        dae_file_close(c->dae);
    if (c->fbx)
        fbx_close(c->fbx);
    if (c->gltf)
        gltf_close(c->gltf);
    blob_release(&c->content);
}

static bool read_and_convert(struct conversion *c)
{
    SCOPED(text) content = {0};
    for (size_t i = 0; i < sizeof rewrites / sizeof rewrites[0]; i++)
        if (is_format(c, rewrites[i].format) && (!rewrites[i].repair || (c->repairs & rewrites[i].repair)))
            rewrites[i].rewrite(c, &content);
    c->source = error_is_set(c->err) ? NULL : read_model(c->scene, &content, c->flags);
    if (!c->source && !error_is_set(c->err))
        import_explain_refusal(c, aiGetErrorString());
    const bool good = c->source && convert_scene(c);
    aiReleaseImport(c->source);
    return good;
}

struct scene *assimp_load(const char *path, const struct import_options *options, struct arena *arena,
                          struct error *err)
{
    if (!library_check_key(sizeof(struct aiQuatKey), library_gltf()->key_size, err))
        return NULL;
    char extension[16];
    path_extension(path, extension);
    struct scene *scene = ARENA_NEW(arena, struct scene, 1);
    scene->arena = arena;
    scene->path = arena_string(arena, path);
    scene_add_file(scene, path);
    scene->format = is_vrm(path) ? "glb" : arena_string(arena, extension);
    scene->assimp_version = arena_string(arena, import_library_version());
    struct conversion c = {.scene = scene,
                           .repairs = options->repairs,
                           .flags = options->assimp_flags,
                           .surfaces = options->surfaces,
                           .tangents = options->tangents,
                           .err = err};
    const bool good = read_and_convert(&c);
    conversion_release(&c);
    return good ? scene : NULL;
}

/* An import that runs. It lives in the arena, so that the parent reads what the child wrote. */
struct task {
    const char *path;
    struct import_options options;
    struct arena *arena;
    struct child child;
    struct error err;
    struct scene *scene;
};

static int run_task(void *context)
{
    struct task *task = context;
    struct scene *scene = assimp_load(task->path, &task->options, task->arena, &task->err);
    task->scene = error_is_set(&task->err) ? NULL : scene;
    return task->scene ? 0 : 1;
}

/* Why there is no scene. */
static bool explain(const struct child_result *result, const struct task *task, struct error *err)
{
    char name[16], said[sizeof result->said + 2] = "";
    if (result->said[0])
        snprintf(said, sizeof said, ": %s", result->said);
    switch (result->end) {
    case CHILD_NO_START:
        return error_set(err, "cannot start the import process: %s", strerror(result->status));
    case CHILD_TIMEOUT:
        return error_set(err, "no result after %g s (--import-timeout)", task->options.timeout_seconds);
    case CHILD_CRASHED:
        if (result->status == SIGSYS && said[0])
            return error_set(err, "%s, which the import's sandbox forbids: this file may be an attack (SECURITY.md)",
                             said + 2);
        return error_set(err, "crashed (%s)%s", signal_name(result->status, name), said);
    case CHILD_EXITED:
        break;
    }
    if (result->status == MEMORY_EXHAUSTED)
        return error_set(err, "needs more than %zu MiB (--import-memory)", task->options.memory_mib);
    if (error_is_set(&task->err))
        return error_set(err, "%s", task->err.text);
    return error_set(err, "the import process ended with status %d%s", result->status, said);
}

/* Checks what can be said of a file without a child. */
static bool can_start(const char *path, struct error *err)
{
    if (!file_exists(path))
        return import_explain_path(path, err);
    return !file_is_lfs_pointer(path) || error_set(err, "%s " LFS_POINTER, path);
}

static struct task *start(const char *path, const struct import_options *options, struct error *err)
{
    enum { LEAST_ARENA_MIB = 1, MANY = 3 };
    static unsigned imports;
    const size_t mib = options->memory_mib > LEAST_ARENA_MIB ? options->memory_mib : LEAST_ARENA_MIB;
    struct error why = {0};
    struct arena *arena = can_start(path, err) ? arena_create(mib << 20, &why) : NULL;
    if (!arena) {
        error_set(err,
                  "import of %s: %s. --import-memory reserves this much address space, of which only what is used "
                  "costs memory: raise the limit (ulimit -v), or give less, as in --import-memory %zu",
                  path, why.text, mib > 1024 ? (size_t)512 : mib / 2);
        return NULL;
    }
    if (++imports == MANY)
        library_learn();
    struct task *task = ARENA_NEW(arena, struct task, 1);
    *task = (struct task){.path = arena_string(arena, path), .options = *options, .arena = arena};
    task->child = child_start(run_task, task,
                              &(struct child_limits){.seconds = options->timeout_seconds,
                                                     .memory_bytes = options->memory_mib << 20,
                                                     .sandboxed = true});
    return task;
}

static struct scene *finish(struct task *task, struct error *err)
{
    const struct child_result result = child_await(&task->child);
    if (result.end == CHILD_EXITED && result.status == 0 && task->scene)
        return task->scene;
    explain(&result, task, err);
    error_prefix(err, "import of %s", task->path);
    arena_destroy(task->arena);
    return NULL;
}

enum { AHEAD_MOST = 16 };
static struct task *ahead[AHEAD_MOST]; /* begun, and not yet asked for */

static bool is_task(const struct task *task, const char *path, const struct import_options *o)
{
    const struct import_options *t = &task->options;
    return strcmp(task->path, path) == 0 && t->repairs == o->repairs && t->timeout_seconds == o->timeout_seconds &&
           t->memory_mib == o->memory_mib && t->assimp_flags == o->assimp_flags && t->surfaces == o->surfaces &&
           t->tangents == o->tangents;
}

void import_ahead(const char *path, const struct import_options *options)
{
    struct task **place = ahead;
    while (place < ahead + AHEAD_MOST && *place)
        place++;
    if (place < ahead + AHEAD_MOST)
        *place = start(path, options, ERROR_IGNORED); /* import_scene() finds it again */
}

static struct {
    void (*work)(void *context);
    void *context;
} meanwhile;

void import_meanwhile(void (*work)(void *context), void *context)
{
    meanwhile.work = work;
    meanwhile.context = context;
}

struct scene *import_scene(const char *path, const struct import_options *options, struct error *err)
{
    struct task *task = NULL;
    for (struct task **place = ahead; place < ahead + AHEAD_MOST && !task; place++)
        if (*place && is_task(*place, path, options)) {
            task = *place;
            *place = NULL;
        }
    task = task ? task : start(path, options, err);
    if (task && meanwhile.work)
        meanwhile.work(meanwhile.context);
    import_meanwhile(NULL, NULL);
    return task ? finish(task, err) : NULL;
}
