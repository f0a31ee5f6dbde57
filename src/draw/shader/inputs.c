#include "draw/shader/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "data/affine.h"

enum { TEXTURE_UNIT = SAMPLER_COUNT + FALLBACK_SAMPLERS, FIRST_BINDING = 2 /* of blocks: 0 the palette, 1 zeros */ };

char type_shape(GLenum type, int *columns, int *rows)
{
    const char *name = contract_type_name(type), *digits = name + strcspn(name, "234");
    bool is_matrix = strncmp(name, "mat", 3) == 0;
    *columns = is_matrix ? digits[0] - '0' : 1;
    *rows = is_matrix && digits[1] == 'x' ? digits[2] - '0' : *digits ? digits[0] - '0' : 1;
    return name[0] == 'v' || is_matrix ? 'f' : name[0];
}

bool input_is_struct_of_bones(const char *name)
{
    char first[64];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(name, "["), name);
    return strstr(name, "].") && meaning_by_words(first) == MEANING_BONES;
}

enum meaning input_meaning(const struct shader_set *set, const char *name, float values[static 16])
{
    const char *mapped = shader_map_find(&set->map, name);
    if (mapped && shader_map_numbers(mapped, values) > 0)
        return MEANING_VALUES;
    return mapped ? meaning_by_name(mapped) : meaning_by_words(name);
}

bool inputs_add(struct contract *contract, const struct shader_input *input, const char *file, struct error *err)
{
    struct shader_inputs *inputs = &contract->inputs;
    if (inputs->count == INPUTS_MOST)
        return error_set(err, "%s: more than %d uniforms that are set by their names", file, INPUTS_MOST);
    if (input->meaning == MEANING_BONES && contract->bones >= 0)
        return error_set(err, "%s: `%s` and `%s` both take the bones' matrices; declare only one", file,
                         inputs->items[contract->bones].name, input->name);
    if (input->meaning == MEANING_BONES)
        contract->bones = inputs->count;
    contract->reads_crowd |= input->meaning == MEANING_BONE_COUNT;
    inputs->items[inputs->count++] = *input;
    return true;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* Both kinds of blocks have these. */
static const struct block_kind {
    const char *name;
    GLenum blocks, members, target;
} block_kinds[] = {
    {"uniform block", GL_UNIFORM_BLOCK, GL_UNIFORM, GL_UNIFORM_BUFFER},
    {"storage block", GL_SHADER_STORAGE_BLOCK, GL_BUFFER_VARIABLE, GL_SHADER_STORAGE_BUFFER},
};

/* A block as it is read. */
struct block {
    const struct block_kind *kind;
    GLuint resource;
    char name[256];
    const char *file;
    int unknown; /* members */
};

/* A member; its own name without the block's. An array of which its name says nothing is what the block's name says. */
static bool add_member(const struct shader_set *set, struct block *block, struct shader_input *member, char *name,
                       struct contract *out, struct error *err)
{
    shader_cut_index(name);
    const char *dot = strchr(name, '.');
    member->meaning = input_meaning(set, dot && shader_map_find(&set->map, dot + 1) ? dot + 1 : name, member->values);
    if (member->count != 1 && !meaning_fits(member->meaning, contract_type_name(member->type), member->count) &&
        meaning_by_words(block->name) == MEANING_BONES)
        member->meaning = MEANING_BONES;
    if (input_is_struct_of_bones(name))
        return error_set(err, STRUCTS_OF_BONES, block->file, name);
    const bool fits = meaning_fits(member->meaning, contract_type_name(member->type), member->count);
    const bool is_known = fits && member->type != GL_SAMPLER_BUFFER;
    block->unknown += !is_known;
    snprintf(member->name, sizeof member->name, "%.63s", name);
    return !is_known || inputs_add(out, member, block->file, err);
}

static bool read_members(GLuint program, struct block *block, const struct shader_set *set, struct contract *out,
                         struct error *err)
{
    static const GLenum asked[] = {GL_BLOCK_INDEX,  GL_TYPE,          GL_ARRAY_SIZE,  GL_OFFSET,
                                   GL_ARRAY_STRIDE, GL_MATRIX_STRIDE, GL_IS_ROW_MAJOR};
    GLint count = 0;
    bool good = true;
    gl->GetProgramInterfaceiv(program, block->kind->members, GL_ACTIVE_RESOURCES, &count);
    for (GLuint i = 0; good && i < (GLuint)count; i++) {
        char name[256];
        GLint facts[7];
        gl->GetProgramResourceiv(program, block->kind->members, i, 7, asked, 7, NULL, facts);
        if (facts[0] != (GLint)block->resource)
            continue;
        gl->GetProgramResourceName(program, block->kind->members, i, sizeof name, NULL, name);
        struct shader_input member = {.location = -1, .block = out->inputs.block_count, .type = (GLenum)facts[1],
                                      .count = (uint32_t)facts[2], .offset = facts[3], .array_stride = facts[4],
                                      .matrix_stride = facts[5], .row_major = facts[6]};
        good = add_member(set, block, &member, name, out, err);
    }
    return good;
}

/* A block of which a member is known. */
static bool keep_block(GLuint program, const struct block *from, struct contract *out, struct error *err)
{
    static const GLenum asked[] = {GL_BUFFER_DATA_SIZE, GL_BUFFER_BINDING};
    struct shader_inputs *inputs = &out->inputs;
    struct input_block block = {.target = from->kind->target};
    GLint facts[2] = {0};
    if (inputs->block_count == INPUT_BLOCKS_MOST)
        return error_set(err, "%s: more than %d blocks with matrices", out->file, INPUT_BLOCKS_MOST);
    gl->GetProgramResourceiv(program, from->kind->blocks, from->resource, 2, asked, 2, NULL, facts);
    block.size = (size_t)facts[0];
    block.binding = (GLuint)facts[1];
    if (block.target == GL_UNIFORM_BUFFER) {
        block.binding = FIRST_BINDING + (GLuint)inputs->block_count;
        gl->UniformBlockBinding(program, from->resource, block.binding);
    }
    gl->GenBuffers(1, &block.buffer);
    inputs->blocks[inputs->block_count++] = block;
    return true;
}

static bool read_block(GLuint program, struct block *block, struct fallbacks *fallbacks, struct shader_set *set,
                       struct contract *out, struct error *err)
{
    const int before = out->inputs.count;
    if (!read_members(program, block, set, out, err))
        return false;
    const bool is_kept = out->inputs.count > before;
    if (is_kept && !keep_block(program, block, out, err))
        return false;
    if (!is_kept && block->kind->target == GL_UNIFORM_BUFFER)
        fallback_block(fallbacks, program, block->resource);
    if (block->unknown > 0)
        shader_set_warn(set, "%s `%s` of %s is not one that rigproof sets: %s stays 0", block->kind->name, block->name,
                        block->file, is_kept ? "what else it has" : "it");
    if (!is_kept && !*out->unset)
        snprintf(out->unset, sizeof out->unset, "the %s `%.60s` of %.60s", block->kind->name, block->name, block->file);
    return true;
}

bool inputs_read_blocks(GLuint program, const struct shader_text *vertex, const struct shader_text *fragment,
                        struct fallbacks *fallbacks, struct shader_set *set, struct contract *out, struct error *err)
{
    for (int k = 0; k < 2 && gl->GetProgramInterfaceiv; k++) {
        struct block block = {.kind = &block_kinds[k]};
        GLint count = 0;
        gl->GetProgramInterfaceiv(program, block.kind->blocks, GL_ACTIVE_RESOURCES, &count);
        gl_clear_errors(); /* of a context without storage blocks */
        for (block.resource = 0; block.resource < (GLuint)count; block.resource++) {
            gl->GetProgramResourceName(program, block.kind->blocks, block.resource, sizeof block.name, NULL,
                                       block.name);
            block.file = shader_text_file_of(vertex, fragment, block.name)->shown;
            block.unknown = 0;
            if (strcmp(block.name, "PaletteBlock") != 0 && !read_block(program, &block, fallbacks, set, out, err))
                return false;
        }
    }
    return true;
}

void inputs_release(struct shader_inputs *inputs)
{
    for (int i = 0; i < inputs->block_count; i++) {
        gl->DeleteBuffers(1, &inputs->blocks[i].buffer);
        free(inputs->blocks[i].bytes);
    }
    buffer_texture_release(&inputs->texture);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Computes what a meaning is set to: a matrix, or what of its first column is needed. */
static void value_of(const struct shader_input *input, const struct input_values *values, float bone_count, mat4 out)
{
    const enum meaning meaning = input->meaning;
    const bool is_clip = meaning == MEANING_VIEW_PROJECTION || meaning == MEANING_MODEL_VIEW_PROJECTION;
    memcpy(out, meaning == MEANING_PROJECTION                                    ? values->projection
                : meaning == MEANING_VIEW || meaning == MEANING_MODEL_VIEW ? values->view
                : is_clip                                                  ? values->scene_to_clip
                                                                           : mat4_identity,
           sizeof(mat4));
    if (meaning == MEANING_TIME)
        out[0][0] = values->time;
    if (meaning == MEANING_BONE_COUNT)
        out[0][0] = bone_count;
    for (int i = 0; meaning == MEANING_CAMERA_POSITION && i < 3; i++) { /* the view turns and moves */
        out[0][i] = 0;
        out[0][3] = 1;
        for (int k = 0; k < 3; k++)
            out[0][i] -= values->view[i][k] * values->view[3][k];
    }
}

/*
 * One element in memory, where columns are `stride` bytes apart (rows, where it is row-major). A mat3x4 holds the
 * matrix's three rows as its columns, which is how shaders keep matrices of bones in it.
 */
static void write_element(const struct shader_input *input, const mat4 m, int stride, bool row_major, uint8_t *to)
{
    int columns, rows;
    char kind = type_shape(input->type, &columns, &rows);
    bool is_transposed = input->type == GL_FLOAT_MAT3x4;
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < rows; r++) {
            float value = is_transposed ? m[r][c] : m[c][r];
            int32_t whole = (int32_t)value;
            memcpy(to + (row_major ? r * stride + 4 * c : c * stride + 4 * r),
                   kind == 'f' ? (void *)&value : (void *)&whole, 4);
        }
}

static void set_uniform(const struct shader_input *input, GLsizei count, const void *data)
{
    const PFNGLUNIFORMMATRIX4FVPROC matrices[2][2] = {{gl->UniformMatrix3fv, gl->UniformMatrix3x4fv},
                                                      {gl->UniformMatrix4x3fv, gl->UniformMatrix4fv}};
    const PFNGLUNIFORM1FVPROC floats[] = {gl->Uniform1fv, gl->Uniform2fv, gl->Uniform3fv, gl->Uniform4fv};
    const PFNGLUNIFORM1UIVPROC uints[] = {gl->Uniform1uiv, gl->Uniform2uiv, gl->Uniform3uiv, gl->Uniform4uiv};
    const PFNGLUNIFORM1IVPROC ints[] = {gl->Uniform1iv, gl->Uniform2iv, gl->Uniform3iv, gl->Uniform4iv};
    int columns, rows;
    const char kind = type_shape(input->type, &columns, &rows);
    if (columns > 1)
        matrices[columns - 3][rows - 3](input->location, count, GL_FALSE, data);
    else if (kind == 'f')
        floats[rows - 1](input->location, count, data);
    else if (kind == 'u')
        uints[rows - 1](input->location, count, data);
    else
        ints[rows - 1](input->location, count, data);
}

/* The matrices of the instance's bones, for each member of the crowd, moved to its place; malloc'd. */
static mat4 *bones_of(const struct palette_store *store, const struct instance *where, uint32_t members)
{
    mat4 *bones = memory_new((size_t)members * where->binding_count, sizeof *bones), *to = bones;
    for (uint32_t m = 0; m < members; m++) {
        const struct crowd_member *member = &store->crowd.members[m];
        for (uint32_t b = 0; b < where->binding_count; b++, to++) {
            memcpy(*to, member->palette->mesh_to_scene[where->first_binding + b], sizeof(mat4));
            for (int i = 0; i < 3 && store->crowd.count > 0; i++)
                (*to)[3][i] += member->place[i];
        }
    }
    return bones;
}

static void fill_texture(struct contract *contract, const struct palette_store *store, const mat4 *bones, size_t count)
{
    const enum palette_format format = store->upload_format.format;
    size_t each = palette_format_rows(format);
    FREED float(*texels)[4] = memory_new(count * each, sizeof *texels);
    for (size_t b = 0; b < count; b++)
        palette_pack(bones[b], format, texels + b * each);
    buffer_texture_fill(&contract->inputs.texture, TEXTURE_UNIT, GL_RGBA32F, texels, count * each * sizeof *texels);
    gl->ActiveTexture(GL_TEXTURE0);
    gl->Uniform1i(contract->inputs.items[contract->bones].location, TEXTURE_UNIT);
}

/* Elements [0, count) of an input, all from `matrices`. */
static void set_input(struct contract *contract, const struct shader_input *input, const mat4 *matrices, size_t count)
{
    int columns, rows;
    type_shape(input->type, &columns, &rows);
    if (input->block >= 0) {
        struct input_block *block = &contract->inputs.blocks[input->block];
        for (size_t i = 0; i < count; i++)
            write_element(input, matrices[i], columns > 1 ? input->matrix_stride : 0, input->row_major,
                          block->bytes + input->offset + i * (size_t)input->array_stride);
        return;
    }
    size_t size = 4 * (size_t)columns * (size_t)rows;
    FREED uint8_t *data = memory_new(count, size);
    for (size_t i = 0; i < count; i++)
        write_element(input, matrices[i], 4 * rows, false, data + i * size);
    set_uniform(input, (GLsizei)count, data);
}

/* Room for all of a block, zeros at first. */
static void prepare_block(struct contract *contract, int number, size_t bones)
{
    struct input_block *block = &contract->inputs.blocks[number];
    const struct shader_input *input = contract->bones >= 0 ? &contract->inputs.items[contract->bones] : NULL;
    size_t room = block->size;
    if (input && input->block == number) {
        size_t needed = (size_t)input->offset + bones * (size_t)input->array_stride;
        room = needed > room ? needed : room;
    }
    if (room > block->room) {
        free(block->bytes);
        block->bytes = memory_new(room, 1);
        block->room = room;
    }
}

void inputs_set(struct contract *contract, const struct palette_store *store, const struct scene *scene,
                uint32_t instance, const struct input_values *values)
{
    const struct instance *where = &scene->instances[instance];
    struct shader_inputs *inputs = &contract->inputs;
    const uint32_t members = crowd_members(&store->crowd);
    const size_t count = (size_t)members * where->binding_count;
    FREED mat4 *bones = contract->bones >= 0 ? bones_of(store, where, members) : NULL;
    for (int i = 0; i < inputs->block_count; i++)
        prepare_block(contract, i, count);
    for (int i = 0; i < inputs->count; i++) {
        const struct shader_input *input = &inputs->items[i];
        mat4 value;
        if (input->meaning == MEANING_BONES && input->type == GL_SAMPLER_BUFFER) {
            fill_texture(contract, store, (const mat4 *)bones, count);
        } else if (input->meaning == MEANING_BONES) {
            set_input(contract, input, (const mat4 *)bones,
                      input->count && input->count < count ? input->count : count);
        } else if (input->meaning == MEANING_TEXTURE) {
            gl->Uniform1i(input->location, UNIFORM_BASE_TEXTURE);
        } else {
            int columns, rows;
            type_shape(input->type, &columns, &rows);
            value_of(input, values, (float)where->binding_count, value);
            for (int c = 0; input->meaning == MEANING_VALUES && c < columns; c++)
                memcpy(value[c], input->values + c * rows, (size_t)rows * sizeof(float));
            set_input(contract, input, (const mat4 *)&value, 1);
        }
    }
    for (int i = 0; i < inputs->block_count; i++) {
        const struct input_block *block = &inputs->blocks[i];
        gl->BindBuffer(block->target, block->buffer);
        gl->BufferData(block->target, (GLsizeiptr)block->room, block->bytes, GL_STREAM_DRAW);
        gl->BindBufferBase(block->target, block->binding, block->buffer);
    }
}
