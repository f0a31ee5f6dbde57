#include "draw/shader/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/shader/shader_build.h"

static const char *const uniform_names[UNIFORM_COUNT] = {
    [UNIFORM_SCENE_TO_CLIP] = "scene_to_clip",   [UNIFORM_FIRST_BINDING] = "first_binding",
    [UNIFORM_PALETTE_ROWS] = "palette_rows",     [UNIFORM_BASE_COLOR] = "base_color",
    [UNIFORM_ALPHA_CUTOFF] = "alpha_cutoff",     [UNIFORM_KEY_DIRECTION] = "key_direction",
    [UNIFORM_FILL_DIRECTION] = "fill_direction", [UNIFORM_RIM_DIRECTION] = "rim_direction",
    [UNIFORM_SKY_DIRECTION] = "sky_direction",   [UNIFORM_MORPH_SLOT] = "morph_slot",
    [UNIFORM_MORPH_VERTICES] = "morph_vertices", [UNIFORM_NEARNESS] = "nearness",
};

static const struct {
    const char *sampler;
    enum texture_unit unit;
} samplers[] = {
    {"base_texture", UNIT_BASE_TEXTURE},
    {"palette", UNIT_PALETTE},
    {"influences", UNIT_INFLUENCES},
    {"morph_deltas", UNIT_MORPH_DELTAS},
    {"morph_weights", UNIT_MORPH_WEIGHTS},
    {"binding_colors", UNIT_BINDING_COLORS},
};

/* Every view's fragment shader, and what it has the vertex shader hand on. */
static const struct {
    const char *file;
    const char *defines;
} views[VIEW_COUNT] = {
    [VIEW_LIT] = {"lit.frag", ""},
    [VIEW_UNLIT] = {"unlit.frag", ""},
    [VIEW_NORMALS] = {"normals.frag", ""},
    [VIEW_WEIGHTS] = {"weights.frag", "#define SHOWN_WEIGHT 1\n"},
    [VIEW_BONES] = {"bone_colors.frag", "#define STRONGEST_BINDING\n"},
    [VIEW_DEPTH] = {"depth.frag", ""},
    [VIEW_UV] = {"uv.frag", ""},
    [VIEW_INFLUENCES] = {"influences.frag", "#define USED_INFLUENCES\n"},
    [VIEW_BONE_WEIGHT] = {"weights.frag", "#define SHOWN_WEIGHT 2\n"},
};

static void find_uniforms(struct program *program, const struct gl *gl)
{
    for (int i = 0; i < UNIFORM_COUNT; i++)
        program->uniforms[i] = gl->GetUniformLocation(program->id, uniform_names[i]);
    gl->UseProgram(program->id);
    for (size_t i = 0; i < sizeof samplers / sizeof samplers[0]; i++)
        gl->Uniform1i(gl->GetUniformLocation(program->id, samplers[i].sampler), (GLint)samplers[i].unit);
}

/* A number for each key of a set. */
static uint64_t number_of(const struct program_key *key)
{
    uint64_t number = (uint64_t)key->view;
    number = number * PROGRAM_KIND_COUNT + (uint64_t)key->kind;
    number = number * INFLUENCE_FORM_COUNT + (uint64_t)key->influences;
    number = number * ALPHA_MODE_COUNT + (uint64_t)key->alpha;
    number = number * PALETTE_PATH_COUNT + (uint64_t)key->upload_format.path;
    number = number * PALETTE_FORMAT_COUNT + (uint64_t)key->upload_format.format;
    number = number * SKINNING_COUNT + (uint64_t)key->upload_format.skinning;
    number = number * 2 + key->textured;
    number = number * 2 + key->two_sided;
    return number * 2 + key->morphs;
}

/* ---- texts ----------------------------------------------------------------------------------------------------- */

static void add_defines(struct text *out, const struct program_key *key, const struct palette_limits *limits)
{
    if (key->upload_format.path == PALETTE_SSBO)
        text_add(out, "#extension GL_ARB_shader_storage_buffer_object : require\n");
    text_addf(out, "#define INFLUENCE_SETS %d\n#define TEXTURED %d\n#define TWO_SIDED %d\n#define ALPHA %d\n",
              (int)key->influences, key->textured, key->two_sided, (int)key->alpha);
    text_addf(out, "#define MORPH_TARGETS %d\n", key->morphs);
    text_addf(out, "#define PALETTE_PATH %d\n#define PALETTE_FORMAT %d\n#define PALETTE_ROWS %u\n#define SKINNING %d\n",
              (int)key->upload_format.path, (int)key->upload_format.format, limits->rows[key->upload_format.path],
              (int)key->upload_format.skinning);
    if (key->kind == PROGRAM_IDENTITY) /* the picture has two samples along a pixel's edge: its textures are one level finer */
        text_add(out, "#define STRONGEST_BINDING\n#define LOD_BIAS -1.0\n");
    else if (key->kind == PROGRAM_PICTURE)
        text_add(out, views[key->view].defines);
}

/* A program's two shaders. */
struct texts {
    struct text defines;
    char purpose[64];
    struct shader_text vertex;
    struct shader_text fragment;
    bool has_fragment;
};

static const char *fragment_of(const struct program_key *key)
{
    return key->kind == PROGRAM_OVERLAY    ? "overlay.frag"
           : key->kind == PROGRAM_IDENTITY ? "bones.frag"
                                           : views[key->view].file;
}

static void describe(const struct program_key *key, char *out, size_t size)
{
    static const char *const kinds[PROGRAM_KIND_COUNT] = {
        [PROGRAM_CAPTURE] = "capturing vertices",
        [PROGRAM_IDENTITY] = "picture of bones",
        [PROGRAM_INPUTS] = "vertex shader",
        [PROGRAM_OVERLAY] = "overlay",
    };
    if (key->kind == PROGRAM_PICTURE)
        snprintf(out, size, "view %s", view_names[key->view]);
    else
        snprintf(out, size, "%s", kinds[key->kind]);
}

static void put_together(struct texts *texts, const struct program_key *key, const struct palette_limits *limits)
{
    bool overlay = key->kind == PROGRAM_OVERLAY;
    *texts = (struct texts){.has_fragment = key->kind != PROGRAM_INPUTS && key->kind != PROGRAM_CAPTURE};
    describe(key, texts->purpose, sizeof texts->purpose);
    text_add(&texts->defines, "#define RIGPROOF 1\n");
    if (!overlay)
        add_defines(&texts->defines, key, limits);
    const char *defines = text_string(&texts->defines);
    shader_text_assemble(key->shaders, overlay ? "overlay.vert" : "skin.vert", defines, &texts->vertex);
    if (texts->has_fragment)
        shader_text_assemble(key->shaders, fragment_of(key), defines, &texts->fragment);
}

static void release_texts(struct texts *texts)
{
    shader_text_release(&texts->vertex);
    shader_text_release(&texts->fragment);
    text_release(&texts->defines);
}

/* ---- building -------------------------------------------------------------------------------------------------- */

/* What the program reads, for one with files of the user's. */
static bool inspect(const struct gl *gl, struct program *program, const struct texts *texts,
                    const struct program_key *key, struct error *err)
{
    const struct shader_text *fragment = texts->has_fragment ? &texts->fragment : NULL;
    if (key->kind == PROGRAM_OVERLAY || !(texts->vertex.has_users || (fragment && fragment->has_users)))
        return true;
    struct contract *contract = calloc(1, sizeof *contract);
    program->contract = contract;
    if (!contract)
        return error_set_code(err, EXIT_CODE_DIFFERS, "a shader program: out of memory");
    return contract_read(gl, program->id, &texts->vertex, fragment, key->shaders, contract, err);
}

static bool build(const struct programs *programs, const struct gl *gl, const struct program_key *key,
                  struct program *program, struct error *err)
{
    struct texts texts;
    put_together(&texts, key, &programs->limits);
    const struct shader_build wanted = {
        .vertex = &texts.vertex,
        .fragment = texts.has_fragment ? &texts.fragment : NULL,
        .captures = key->kind == PROGRAM_CAPTURE  ? CAPTURES_VERTICES
                    : key->kind == PROGRAM_INPUTS ? CAPTURES_IF_THERE
                                                  : CAPTURES_NOTHING,
        .purpose = texts.purpose,
    };
    program->id = shader_build(gl, &wanted, err);
    bool good = program->id != 0 && inspect(gl, program, &texts, key, err);
    release_texts(&texts);
    if (good)
        find_uniforms(program, gl);
    return good;
}

/* The user's shaders stay as they are: what they lack is said once, and known from then on. */
static void remember(struct program *program, const struct error *err)
{
    struct error *copy = malloc(sizeof *copy);
    if (copy)
        *copy = *err;
    program->failure = copy;
}

static const struct program *good_program(const struct program *program, struct error *err)
{
    if (!program->failure)
        return program;
    error_set_code(err, program->failure->exit_code, "%s", program->failure->text);
    return NULL;
}

static void release_program(struct program *program, const struct gl *gl)
{
    gl->DeleteProgram(program->id);
    free((void *)program->contract);
    free((void *)program->failure);
    free(program);
}

const struct program *programs_get(struct programs *programs, const struct gl *gl, const struct program_key *key,
                                   struct error *err)
{
    uint64_t number = number_of(key);
    struct error why = {0};
    for (struct program *p = programs->first; p; p = p->next)
        if (p->number == number && p->shaders == key->shaders)
            return good_program(p, err);
    struct program *program = calloc(1, sizeof *program);
    if (!program) {
        error_set_code(err, EXIT_CODE_DIFFERS, "a shader program: out of memory");
        return NULL;
    }
    *program = (struct program){.shaders = key->shaders, .number = number};
    if (!build(programs, gl, key, program, &why))
        remember(program, &why);
    program->next = programs->first;
    programs->first = program;
    return good_program(program, err);
}

const struct program *programs_overlay(struct programs *programs, const struct gl *gl, struct shader_set *shaders,
                                       struct error *err)
{
    return programs_get(programs, gl, &(struct program_key){.shaders = shaders, .kind = PROGRAM_OVERLAY}, err);
}

void programs_release(struct programs *programs, const struct gl *gl)
{
    for (struct program *p = programs->first, *next; p; p = next) {
        next = p->next;
        release_program(p, gl);
    }
    memset(programs, 0, sizeof *programs);
}
