#include "draw/shader/palette_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/affine.h"
#include "data/pose/similarity.h"

/* ---- limits ------------------------------------------------------------------------------------------------ */

enum {
    OTHER_UNIFORMS = 16,    /* vec4s left to what else a vertex shader has as uniforms */
    MOST_BLOCK_ROWS = 4096, /* 64 KiB: buffers end with as much again, and no driver that holds more needs it */
    STORAGE_BLOCK = 0,      /* binding points: GLSL's own default */
    UNIFORM_BLOCK = 0,
};

static uint32_t limit_of(const struct gl *gl, GLenum name)
{
    GLint value = 0;
    gl->GetIntegerv(name, &value);
    return value > 0 ? (uint32_t)value : 0;
}

static bool has_storage_blocks(const struct gl *gl)
{
    int major = 0, minor = 0;
    const char *version = (const char *)gl->GetString(GL_VERSION);
    bool known = version && sscanf(version, "%d.%d", &major, &minor) == 2;
    return known && (major > 4 || (major == 4 && minor >= 3)) && limit_of(gl, GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS) > 0;
}

static void find_limits(struct palette_limits *limits, const struct gl *gl)
{
    uint32_t uniforms = limit_of(gl, GL_MAX_VERTEX_UNIFORM_COMPONENTS) / 4;
    uint32_t block = limit_of(gl, GL_MAX_UNIFORM_BLOCK_SIZE) / 16;
    uint32_t alignment = limit_of(gl, GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT);
    limits->rows[PALETTE_TBO] = limit_of(gl, GL_MAX_TEXTURE_BUFFER_SIZE);
    limits->rows[PALETTE_UNIFORM] = uniforms > OTHER_UNIFORMS ? uniforms - OTHER_UNIFORMS : 0;
    limits->rows[PALETTE_UBO] = block < MOST_BLOCK_ROWS ? block : MOST_BLOCK_ROWS;
    limits->rows[PALETTE_SSBO] = has_storage_blocks(gl) ? limit_of(gl, GL_MAX_SHADER_STORAGE_BLOCK_SIZE) / 16 : 0;
    limits->block_alignment = alignment > 16 ? alignment / 16 : 1;
}

/* One instance at a time, or all. */
static bool goes_by_instance(enum palette_path path)
{
    return path == PALETTE_UNIFORM || path == PALETTE_UBO;
}

/* The instance with the most bindings. */
static uint32_t largest_instance(const struct scene *scene)
{
    uint32_t largest = 0;
    for (uint32_t i = 1; i < scene->instance_count; i++)
        if (scene->instances[i].binding_count > scene->instances[largest].binding_count)
            largest = i;
    return largest;
}

/* vec4s that a path must hold at once. */
static uint64_t rows_needed(const struct scene *scene, const struct upload_format *upload_format)
{
    uint64_t bindings = scene->binding_count;
    if (goes_by_instance(upload_format->path))
        bindings = scene->instance_count ? scene->instances[largest_instance(scene)].binding_count : 0;
    return bindings * palette_format_rows(upload_format->format);
}

static const char *path_that_holds(const struct palette_store *store, const struct scene *scene,
                                   const struct upload_format *upload_format)
{
    static const enum palette_path paths[] = {PALETTE_TBO, PALETTE_SSBO, PALETTE_UBO, PALETTE_UNIFORM};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct upload_format other = *upload_format;
        other.path = paths[i];
        if (rows_needed(scene, &other) <= store->limits.rows[paths[i]])
            return palette_path_names[paths[i]];
    }
    return NULL;
}

bool palette_store_holds(const struct palette_store *store, const struct scene *scene,
                         const struct upload_format *upload_format, struct error *err)
{
    static const char *const places[PALETTE_PATH_COUNT] = {
        [PALETTE_TBO] = "a buffer texture",
        [PALETTE_UNIFORM] = "a uniform array",
        [PALETTE_UBO] = "a uniform block",
        [PALETTE_SSBO] = "a storage block",
    };
    uint64_t needed = rows_needed(scene, upload_format);
    uint32_t held = store->limits.rows[upload_format->path];
    if (needed <= held)
        return true;
    const char *other = path_that_holds(store, scene, upload_format);
    if (held == 0)
        return error_set(err, "--palette %s: the GL context here has none (ssbo needs GL 4.3); use %s",
                         palette_path_names[upload_format->path], other ? other : "another format");
    uint64_t bones = needed / palette_format_rows(upload_format->format);
    const char *mesh = scene->meshes[scene->instances[largest_instance(scene)].mesh].quoted;
    return error_set(err, "--palette %s: %llu bones %s%s need %llu vec4 as %s; %s holds %u here; use %s",
                     palette_path_names[upload_format->path], (unsigned long long)bones,
                     goes_by_instance(upload_format->path) ? "of mesh " : "of all meshes",
                     goes_by_instance(upload_format->path) ? mesh : "", (unsigned long long)needed,
                     palette_format_names[upload_format->format], places[upload_format->path], held,
                     other ? other : "fewer bones");
}

/* ---- upload ------------------------------------------------------------------------------------------------ */

static void pack(const mat4 matrix, enum palette_format format, float (*out)[4])
{
    struct similarity similarity;
    const char *ignored;
    switch (format) {
    case PALETTE_MAT4:
        memcpy(out, matrix, sizeof(mat4));
        break;
    case PALETTE_TRS:
        similarity_from_affine(matrix, &similarity, &ignored);
        memcpy(out[0], similarity.rotation, sizeof out[0]);
        memcpy(out[1], similarity.translation, sizeof similarity.translation);
        out[1][3] = similarity.scale;
        break;
    default:
        affine_rows(matrix, (float *)out);
    }
}

static bool make_room(struct palette_store *store, size_t rows, uint32_t instances, struct error *err)
{
    if (rows > store->capacity || !store->rows) {
        free(store->rows);
        store->rows = calloc(rows + 1, sizeof *store->rows);
        store->capacity = store->rows ? rows : 0;
    }
    if (instances > store->instance_room || !store->first_rows) {
        free(store->first_rows);
        store->first_rows = calloc(instances + 1u, sizeof *store->first_rows);
        store->instance_room = store->first_rows ? instances : 0;
    }
    return (store->rows && store->first_rows) ||
           error_set_code(err, EXIT_CODE_DIFFERS, "palette of %zu rows: out of memory", rows);
}

/* Where an instance's bindings may begin. */
static uint32_t alignment_of(const struct palette_store *store)
{
    return store->upload_format.path == PALETTE_UBO ? store->limits.block_alignment : 1;
}

static size_t rows_to_upload(const struct palette_store *store, const struct scene *scene)
{
    size_t rows = (size_t)scene->binding_count * palette_format_rows(store->upload_format.format);
    rows += (size_t)scene->instance_count * (alignment_of(store) - 1);
    return store->upload_format.path == PALETTE_UBO ? rows + store->limits.rows[PALETTE_UBO] : rows;
}

/* Returns how many rows there are. */
static size_t pack_all(struct palette_store *store, const struct scene *scene, const struct palette *palette)
{
    uint32_t alignment = alignment_of(store), each = palette_format_rows(store->upload_format.format);
    size_t row = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        row = (row + alignment - 1) / alignment * alignment;
        store->first_rows[i] = (uint32_t)row;
        for (uint32_t b = 0; b < instance->binding_count; b++, row += each)
            pack(palette->mesh_to_scene[instance->first_binding + b], store->upload_format.format, store->rows + row);
    }
    return row;
}

static void upload(const struct palette_store *store, const struct gl *gl, size_t rows)
{
    static const GLenum targets[PALETTE_PATH_COUNT] = {
        [PALETTE_TBO] = GL_TEXTURE_BUFFER,
        [PALETTE_UBO] = GL_UNIFORM_BUFFER,
        [PALETTE_SSBO] = GL_SHADER_STORAGE_BUFFER,
    };
    GLenum target = targets[store->upload_format.path];
    if (store->upload_format.path == PALETTE_UNIFORM)
        return;
    gl->BindBuffer(target, store->buffer);
    gl->BufferData(target, (GLsizeiptr)(rows * sizeof *store->rows), store->rows, GL_STREAM_DRAW);
    if (store->upload_format.path == PALETTE_SSBO)
        gl->BindBufferBase(target, STORAGE_BLOCK, store->buffer);
    if (store->upload_format.path != PALETTE_TBO)
        return;
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_PALETTE);
    gl->BindTexture(GL_TEXTURE_BUFFER, store->texture);
    gl->TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, store->buffer);
}

bool palette_store_upload(struct palette_store *store, const struct gl *gl, const struct scene *scene,
                          const struct palette *palette, const struct upload_format *upload_format, struct error *err)
{
    store->upload_format = *upload_format;
    size_t rows = rows_to_upload(store, scene);
    if (!make_room(store, rows, scene->instance_count, err))
        return false;
    size_t used = pack_all(store, scene, palette);
    upload(store, gl, upload_format->path == PALETTE_UBO ? rows : used);
    return true;
}

bool palette_store_keep_matrices(struct palette_store *store, const struct palette *palette, struct error *err)
{
    if (palette->count > store->matrix_capacity || !store->matrices) {
        free(store->matrices);
        store->matrices = calloc(palette->count + 1u, sizeof *store->matrices);
        store->matrix_capacity = store->matrices ? palette->count : 0;
    }
    if (!store->matrices)
        return error_set_code(err, EXIT_CODE_DIFFERS, "palette of %u matrices: out of memory", palette->count);
    memcpy(store->matrices, palette->mesh_to_scene, palette->count * sizeof *store->matrices);
    return true;
}

static void set_matrices(const struct palette_store *store, const struct gl *gl, const struct instance *instance,
                         GLint location)
{
    gl->UniformMatrix4fv(location, (GLsizei)instance->binding_count, GL_FALSE,
                         store->matrices[instance->first_binding][0]);
}

void palette_store_bind(const struct palette_store *store, const struct gl *gl, const struct scene *scene,
                        uint32_t instance, const struct program *program)
{
    const struct instance *where = &scene->instances[instance];
    uint32_t first = store->first_rows[instance];
    uint32_t rows = where->binding_count * palette_format_rows(store->upload_format.format);
    gl->Uniform1i(program->uniforms[UNIFORM_FIRST_BINDING], (GLint)where->first_binding);
    if (store->upload_format.path == PALETTE_UNIFORM)
        gl->Uniform4fv(program->uniforms[UNIFORM_PALETTE_ROWS], (GLsizei)rows, store->rows[first]);
    else if (store->upload_format.path == PALETTE_UBO) /* all of the block must lie within the buffer */
        gl->BindBufferRange(GL_UNIFORM_BUFFER, UNIFORM_BLOCK, store->buffer, (GLintptr)(first * sizeof *store->rows),
                            (GLsizeiptr)(store->limits.rows[PALETTE_UBO] * sizeof *store->rows));
    if (program->contract && program->contract->matrices >= 0)
        set_matrices(store, gl, where, program->contract->matrices);
}

/* ---- the store --------------------------------------------------------------------------------------------- */

void palette_store_create(struct palette_store *store, const struct gl *gl)
{
    *store = (struct palette_store){0};
    find_limits(&store->limits, gl);
    gl->GenBuffers(1, &store->buffer);
    gl->GenTextures(1, &store->texture);
}

void palette_store_release(struct palette_store *store, const struct gl *gl)
{
    gl->DeleteTextures(1, &store->texture);
    gl->DeleteBuffers(1, &store->buffer);
    free(store->rows);
    free(store->first_rows);
    free(store->matrices);
    *store = (struct palette_store){0};
}
