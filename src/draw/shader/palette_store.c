#include "draw/shader/programs.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "data/affine.h"
#include "data/scene/upload_format.h"

enum {
    OTHER_UNIFORMS = 16,    /* vec4s left to what else a vertex shader has as uniforms */
    MOST_BLOCK_ROWS = 4096, /* 64 KiB: buffers end with as much again, and no driver that holds more needs it */
    STORAGE_BLOCK = 0,      /* binding points: GLSL's own default */
    UNIFORM_BLOCK = 0,
};

static uint32_t limit_of(GLenum name)
{
    GLint value = 0;
    gl->GetIntegerv(name, &value);
    return value > 0 ? (uint32_t)value : 0;
}

void palette_store_create(struct palette_store *store)
{
    struct palette_limits *limits = &store->limits;
    uint32_t uniforms = limit_of(GL_MAX_VERTEX_UNIFORM_COMPONENTS) / 4;
    uint32_t block = limit_of(GL_MAX_UNIFORM_BLOCK_SIZE) / 16;
    uint32_t alignment = limit_of(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT);
    uint32_t version = 10 * limit_of(GL_MAJOR_VERSION) + limit_of(GL_MINOR_VERSION);
    bool has_storage = version >= 43 && limit_of(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS) > 0;
    *store = (struct palette_store){0};
    gl->GenBuffers(1, &store->texture.buffer);
    limits->rows[PALETTE_TBO] = limit_of(GL_MAX_TEXTURE_BUFFER_SIZE);
    limits->rows[PALETTE_UNIFORM] = uniforms > OTHER_UNIFORMS ? uniforms - OTHER_UNIFORMS : 0;
    limits->rows[PALETTE_UBO] = block < MOST_BLOCK_ROWS ? block : MOST_BLOCK_ROWS;
    limits->rows[PALETTE_SSBO] = has_storage ? limit_of(GL_MAX_SHADER_STORAGE_BLOCK_SIZE) / 16 : 0;
    limits->block_alignment = alignment > 16 ? alignment / 16 : 1;
}

/* One instance at a time, or all. */
static bool goes_by_instance(enum palette_path path)
{
    return path == PALETTE_UNIFORM || path == PALETTE_UBO;
}

/* vec4s that a path must hold at once, of the instance with most bindings or of all; a crowd's have a place each. */
static uint64_t rows_needed(const struct scene *scene, const struct upload_format *upload_format, uint32_t crowd,
                            uint32_t *largest)
{
    *largest = 0;
    for (uint32_t i = 1; i < scene->instance_count; i++)
        if (scene->instances[i].binding_count > scene->instances[*largest].binding_count)
            *largest = i;
    uint64_t bindings = scene->binding_count;
    if (goes_by_instance(upload_format->path))
        bindings = scene->instance_count ? scene->instances[*largest].binding_count : 0;
    return bindings * palette_format_rows(upload_format->format) * (crowd ? crowd : 1) + crowd;
}

bool palette_store_holds(const struct palette_store *store, const struct scene *scene,
                         const struct upload_format *upload_format, uint32_t crowd, struct error *err)
{
    static const char *const places[PALETTE_PATH_COUNT] = {
        [PALETTE_TBO] = "a buffer texture",
        [PALETTE_UNIFORM] = "a uniform array",
        [PALETTE_UBO] = "a uniform block",
        [PALETTE_SSBO] = "a storage block",
    };
    static const enum palette_path paths[] = {PALETTE_TBO, PALETTE_SSBO, PALETTE_UBO, PALETTE_UNIFORM};
    enum palette_path path = upload_format->path;
    uint32_t held = store->limits.rows[path], largest;
    const char *other = NULL;
    for (size_t i = 0; !other && i < PALETTE_PATH_COUNT; i++) {
        struct upload_format by = {.path = paths[i], .format = upload_format->format};
        if (rows_needed(scene, &by, crowd, &largest) <= store->limits.rows[paths[i]])
            other = palette_path_names[paths[i]];
    }
    uint64_t needed = rows_needed(scene, upload_format, crowd, &largest);
    if (needed <= held)
        return true;
    if (held == 0)
        return error_set(err, "--palette %s: the GL context here has none (ssbo needs GL 4.3); use %s",
                         palette_path_names[path], other ? other : "another format");
    if (crowd)
        return error_set(
            err, "--crowd: %u instances need %llu vec4 as %s; with --palette %s %s holds %u here; use %s%s", crowd,
            (unsigned long long)needed, palette_format_names[upload_format->format], palette_path_names[path],
            places[path], held, other ? "--palette " : "", other ? other : "fewer of them");
    return error_set(err, "--palette %s: %llu bones %s%s need %llu vec4 as %s; %s holds %u here; use %s",
                     palette_path_names[path],
                     (unsigned long long)(needed / palette_format_rows(upload_format->format)),
                     goes_by_instance(path) ? "of mesh " : "of all meshes",
                     goes_by_instance(path) ? scene->meshes[scene->instances[largest].mesh].quoted : "",
                     (unsigned long long)needed, palette_format_names[upload_format->format], places[path], held,
                     other ? other : "fewer bones");
}

void palette_pack(const mat4 matrix, enum palette_format format, float (*out)[4])
{
    struct similarity similarity;
    const char *ignored;
    if (format == PALETTE_MAT4) {
        memcpy(out, matrix, sizeof(mat4));
    } else if (format == PALETTE_TRS) {
        similarity_from_affine(matrix, &similarity, &ignored);
        memcpy(out[0], similarity.rotation, sizeof out[0]);
        memcpy(out[1], similarity.translation, sizeof similarity.translation);
        out[1][3] = similarity.scale;
    } else {
        affine_rows(matrix, (float *)out);
    }
}

/* A row for each instance of the crowd; returns the row behind. */
static size_t add_places(struct palette_store *store, const struct crowd *crowd, size_t row)
{
    for (uint32_t m = 0; m < crowd->count; m++, row++) {
        memcpy(store->rows[row], crowd->members[m].place, sizeof crowd->members[m].place);
        store->rows[row][3] = 0;
    }
    return row;
}

/*
 * Paths that hold one instance's bindings at a time have for each: those of the crowd one after the other, their
 * places. The others have all bindings of the crowd's first, of its second, ..., then the places.
 */
void palette_store_upload(struct palette_store *store, const struct scene *scene, const struct crowd *crowd,
                          const struct upload_format *upload_format)
{
    const enum palette_path path = upload_format->path;
    const GLenum target = path == PALETTE_UBO ? GL_UNIFORM_BUFFER : GL_SHADER_STORAGE_BUFFER;
    const bool one_by_one = goes_by_instance(path);
    uint32_t alignment = path == PALETTE_UBO ? store->limits.block_alignment : 1;
    uint32_t each = palette_format_rows(upload_format->format), members = crowd_members(crowd);
    size_t most = ((size_t)scene->binding_count * each + scene->instance_count) * members, row = 0;
    most += (size_t)scene->instance_count * (alignment - 1) + members;
    if (path == PALETTE_UBO) /* all of the block must lie within the buffer, wherever an instance's begins */
        most += store->limits.rows[PALETTE_UBO];
    store->upload_format = *upload_format;
    store->crowd = *crowd;
    if (most > store->capacity) {
        free(store->rows);
        store->rows = memory_new(most, sizeof *store->rows);
        store->capacity = most;
    }
    store->first_rows = memory_grow(store->first_rows, scene->instance_count + 1u, sizeof *store->first_rows);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        row = (row + alignment - 1) / alignment * alignment;
        store->first_rows[i] = (uint32_t)row;
        for (uint32_t m = 0; m < members; m++) {
            const mat4 *matrices = crowd->members[m].palette->mesh_to_scene + instance->first_binding;
            size_t to = one_by_one ? row : row + (size_t)m * scene->binding_count * each;
            for (uint32_t b = 0; b < instance->binding_count; b++, to += each)
                palette_pack(matrices[b], upload_format->format, store->rows + to);
            row = one_by_one ? to : row;
        }
        row += one_by_one ? 0 : (size_t)instance->binding_count * each;
        if (one_by_one)
            row = add_places(store, crowd, row);
    }
    if (!one_by_one)
        row = add_places(store, crowd, (size_t)scene->binding_count * each * members);
    size_t size = (path == PALETTE_UBO ? most : row) * sizeof *store->rows;
    if (path == PALETTE_TBO)
        buffer_texture_fill(&store->texture, UNIFORM_PALETTE, GL_RGBA32F, store->rows, size);
    if (path != PALETTE_UBO && path != PALETTE_SSBO)
        return;
    gl->BindBuffer(target, store->texture.buffer);
    gl->BufferData(target, (GLsizeiptr)size, store->rows, GL_STREAM_DRAW);
    if (path == PALETTE_SSBO)
        gl->BindBufferBase(target, STORAGE_BLOCK, store->texture.buffer);
}

void palette_store_bind(const struct palette_store *store, const struct scene *scene, uint32_t instance,
                        const struct program *program)
{
    const struct instance *where = &scene->instances[instance];
    const bool one_by_one = goes_by_instance(store->upload_format.path);
    uint32_t first = store->first_rows[instance], bindings = one_by_one ? where->binding_count : scene->binding_count;
    uint32_t members = crowd_members(&store->crowd);
    uint32_t rows = members * bindings * palette_format_rows(store->upload_format.format);
    gl->Uniform1i(program->uniforms[UNIFORM_FIRST_BINDING], (GLint)where->first_binding);
    gl->Uniform1i(program->uniforms[UNIFORM_CROWD_BINDINGS], (GLint)bindings);
    gl->Uniform1i(program->uniforms[UNIFORM_CROWD_PLACES], (GLint)rows);
    if (store->upload_format.path == PALETTE_UNIFORM)
        gl->Uniform4fv(program->uniforms[UNIFORM_PALETTE_ROWS], (GLsizei)(rows + store->crowd.count),
                       store->rows[first]);
    else if (store->upload_format.path == PALETTE_UBO)
        gl->BindBufferRange(GL_UNIFORM_BUFFER, UNIFORM_BLOCK, store->texture.buffer,
                            (GLintptr)(first * sizeof *store->rows),
                            (GLsizeiptr)(store->limits.rows[PALETTE_UBO] * sizeof *store->rows));
}

void palette_store_release(struct palette_store *store)
{
    buffer_texture_release(&store->texture);
    free(store->rows);
    free(store->first_rows);
    *store = (struct palette_store){0};
}
