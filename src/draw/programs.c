#include "draw/programs.h"

#include <stdlib.h>
#include <string.h>

#include "draw/shader_build.h"

static const char *const uniform_names[UNIFORM_COUNT] = {
    [UNIFORM_SCENE_TO_CLIP] = "scene_to_clip",   [UNIFORM_FIRST_BINDING] = "first_binding",
    [UNIFORM_FIRST_ENTRY] = "first_entry",       [UNIFORM_INSTANCE_BINDINGS] = "instance_bindings",
    [UNIFORM_FIRST_FRAME] = "first_frame",       [UNIFORM_PALETTE_ROWS] = "palette_rows",
    [UNIFORM_BASE_COLOR] = "base_color",         [UNIFORM_ALPHA_CUTOFF] = "alpha_cutoff",
    [UNIFORM_KEY_DIRECTION] = "key_direction",   [UNIFORM_FILL_DIRECTION] = "fill_direction",
    [UNIFORM_RIM_DIRECTION] = "rim_direction",   [UNIFORM_SKY_DIRECTION] = "sky_direction",
    [UNIFORM_MORPH_SLOT] = "morph_slot",         [UNIFORM_MORPH_VERTICES] = "morph_vertices",
    [UNIFORM_MORPH_SLOTS] = "morph_slots",       [UNIFORM_NEARNESS] = "nearness",
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

/* Program of a vertex shader and a fragment shader, or 0. */
static GLuint build(const struct gl *gl, const char *vertex_name, const char *fragment_name, const char *defines,
                    bool captures, struct error *err)
{
    struct shader_text vertex, fragment;
    shader_text_assemble(vertex_name, defines, &vertex);
    shader_text_assemble(fragment_name, defines, &fragment);
    GLuint id = shader_build(gl, &vertex, &fragment, captures, err);
    shader_text_release(&vertex);
    shader_text_release(&fragment);
    return id;
}

static void find_uniforms(struct program *program, const struct gl *gl)
{
    for (int i = 0; i < UNIFORM_COUNT; i++)
        program->uniforms[i] = gl->GetUniformLocation(program->id, uniform_names[i]);
    gl->UseProgram(program->id);
    for (size_t i = 0; i < sizeof samplers / sizeof samplers[0]; i++)
        gl->Uniform1i(gl->GetUniformLocation(program->id, samplers[i].sampler), (GLint)samplers[i].unit);
    GLuint block = gl->GetUniformBlockIndex(program->id, "FrameBlock");
    if (block != GL_INVALID_INDEX)
        gl->UniformBlockBinding(program->id, block, FRAME_BLOCK);
}

/* A number for each key. */
static uint64_t number_of(const struct program_key *key)
{
    uint64_t number = (uint64_t)key->view;
    number = number * INFLUENCE_FORM_COUNT + (uint64_t)key->influences;
    number = number * ALPHA_MODE_COUNT + (uint64_t)key->alpha;
    number = number * PALETTE_PATH_COUNT + (uint64_t)key->feed.path;
    number = number * PALETTE_FORMAT_COUNT + (uint64_t)key->feed.format;
    number = number * SKINNING_COUNT + (uint64_t)key->feed.skinning;
    number = number * 2 + key->textured;
    number = number * 2 + key->two_sided;
    number = number * 2 + key->captures;
    number = number * 2 + key->morphs;
    number = number * 2 + key->layered;
    return number * 2 + key->identity;
}

static void add_defines(struct text *out, const struct program_key *key, const struct palette_limits *limits)
{
    if (key->feed.path == PALETTE_SSBO)
        text_add(out, "#extension GL_ARB_shader_storage_buffer_object : require\n");
    if (key->layered)
        text_addf(out, "#extension GL_ARB_shader_viewport_layer_array : require\n"
                       "#extension GL_ARB_fragment_layer_viewport : require\n#define MOST_LAYERS %d\n", MOST_LAYERS);
    text_addf(out, "#define INFLUENCE_SETS %d\n#define TEXTURED %d\n#define TWO_SIDED %d\n#define ALPHA %d\n",
              (int)key->influences, key->textured, key->two_sided, (int)key->alpha);
    text_addf(out, "#define MORPH_TARGETS %d\n#define LAYERED %d\n", key->morphs, key->layered);
    text_addf(out, "#define PALETTE_PATH %d\n#define PALETTE_FORMAT %d\n#define PALETTE_ROWS %u\n#define SKINNING %d\n",
              (int)key->feed.path, (int)key->feed.format, limits->rows[key->feed.path], (int)key->feed.skinning);
    if (key->identity) /* the picture has two samples along a pixel's edge: its textures are one level finer */
        text_add(out, "#define STRONGEST_BINDING\n#define LOD_BIAS -1.0\n");
    else
        text_add(out, views[key->view].defines);
}

static GLuint build_skin(const struct programs *programs, const struct gl *gl, const struct program_key *key,
                         struct error *err)
{
    struct text defines = {0};
    add_defines(&defines, key, &programs->limits);
    const char *fragment = key->identity ? "bones.frag" : views[key->view].file;
    GLuint id = build(gl, "skin.vert", fragment, text_string(&defines), key->captures, err);
    text_release(&defines);
    return id;
}

const struct program *programs_get(struct programs *programs, const struct gl *gl, const struct program_key *key,
                                   struct error *err)
{
    uint64_t number = number_of(key);
    for (struct program *p = programs->skin; p; p = p->next)
        if (p->number == number)
            return p;
    GLuint id = build_skin(programs, gl, key, err);
    struct program *program = id ? calloc(1, sizeof *program) : NULL;
    if (!program) {
        gl->DeleteProgram(id);
        error_set_code(err, EXIT_CODE_DIFFERS, "a shader program: out of memory");
        return NULL;
    }
    *program = (struct program){.id = id, .number = number, .next = programs->skin};
    programs->skin = program;
    find_uniforms(program, gl);
    return program;
}

GLuint programs_overlay(struct programs *programs, const struct gl *gl, struct error *err)
{
    if (!programs->overlay)
        programs->overlay = build(gl, "overlay.vert", "overlay.frag", "", false, err);
    return programs->overlay;
}

void programs_release(struct programs *programs, const struct gl *gl)
{
    for (struct program *p = programs->skin, *next; p; p = next) {
        next = p->next;
        gl->DeleteProgram(p->id);
        free(p);
    }
    gl->DeleteProgram(programs->overlay);
    memset(programs, 0, sizeof *programs);
}
