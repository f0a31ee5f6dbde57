#include "draw/programs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "draw/shader_source.h"

static const char *const uniform_names[UNIFORM_COUNT] = {
    [UNIFORM_SCENE_TO_CLIP] = "scene_to_clip",   [UNIFORM_FIRST_BINDING] = "first_binding",
    [UNIFORM_BASE_COLOR] = "base_color",         [UNIFORM_ALPHA_CUTOFF] = "alpha_cutoff",
    [UNIFORM_KEY_DIRECTION] = "key_direction",   [UNIFORM_FILL_DIRECTION] = "fill_direction",
    [UNIFORM_RIM_DIRECTION] = "rim_direction",   [UNIFORM_SKY_DIRECTION] = "sky_direction",
};

static const struct {
    const char *sampler;
    enum texture_unit unit;
} samplers[] = {
    {"base_texture", UNIT_BASE_TEXTURE},
    {"palette", UNIT_PALETTE},
    {"influences", UNIT_INFLUENCES},
};

static const char *const view_files[VIEW_COUNT] = {
    [VIEW_LIT] = "lit.frag",
    [VIEW_UNLIT] = "unlit.frag",
    [VIEW_NORMALS] = "normals.frag",
};

static const char *source_of(const char *name)
{
    for (unsigned i = 0; i < shader_source_count; i++)
        if (strcmp(shader_sources[i].name, name) == 0)
            return shader_sources[i].text;
    assert(!"no such shader file");
    return "";
}

/*
 * The #version line of the file, the defines, the shared part if any, the rest of the file. Line numbers of messages
 * are the file's own.
 */
static void assemble(struct text *out, const char *defines, const char *shared, const char *file)
{
    const char *source = source_of(file);
    const char *rest = strchr(source, '\n') + 1;
    text_add_bytes(out, source, (size_t)(rest - source));
    text_add(out, defines);
    if (shared) {
        text_add(out, "#line 1\n");
        text_add(out, source_of(shared));
    }
    text_add(out, "#line 2\n");
    text_add(out, rest);
}

static void log_failure(const char *what, const char *driver_log, const char *source)
{
    struct text numbered = {0};
    int line = 1;
    for (const char *c = source; *c; line++) {
        size_t length = strcspn(c, "\n");
        text_addf(&numbered, "%4d  %.*s\n", line, (int)length, c);
        c += length + (c[length] == '\n');
    }
    log_error("%s does not build:\n%s\n%s", what, driver_log, text_string(&numbered));
    text_release(&numbered);
}

static GLuint compile(const struct gl *gl, GLenum stage, const char *file, const char *source, struct error *err)
{
    GLuint shader = gl->CreateShader(stage);
    gl->ShaderSource(shader, 1, &source, NULL);
    gl->CompileShader(shader);
    GLint good = 0;
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good)
        return shader;
    char driver_log[4096] = "";
    gl->GetShaderInfoLog(shader, sizeof driver_log, NULL, driver_log);
    log_failure(file, driver_log, source);
    error_set_code(err, EXIT_CODE_DIFFERS, "shader %s does not compile: %.300s", file, driver_log);
    gl->DeleteShader(shader);
    return 0;
}

static GLuint link_program(const struct gl *gl, GLuint vertex, GLuint fragment, bool captures, const char *what,
                           struct error *err)
{
    static const char *const captured[] = {"skinned_position", "skinned_normal"};
    GLuint id = gl->CreateProgram();
    gl->AttachShader(id, vertex);
    gl->AttachShader(id, fragment);
    if (captures)
        gl->TransformFeedbackVaryings(id, 2, captured, GL_INTERLEAVED_ATTRIBS);
    gl->LinkProgram(id);
    GLint good = 0;
    gl->GetProgramiv(id, GL_LINK_STATUS, &good);
    if (good)
        return id;
    char driver_log[4096] = "";
    gl->GetProgramInfoLog(id, sizeof driver_log, NULL, driver_log);
    log_failure(what, driver_log, "");
    error_set_code(err, EXIT_CODE_DIFFERS, "shaders of %s do not link: %.300s", what, driver_log);
    gl->DeleteProgram(id);
    return 0;
}

/* Program of a vertex file and a fragment file, or 0. */
static GLuint build(const struct gl *gl, const char *defines, const char *vertex_file, const char *shared,
                    const char *fragment_file, bool captures, struct error *err)
{
    struct text vertex_source = {0}, fragment_source = {0};
    assemble(&vertex_source, defines, NULL, vertex_file);
    assemble(&fragment_source, defines, shared, fragment_file);
    GLuint id = 0;
    GLuint vertex = compile(gl, GL_VERTEX_SHADER, vertex_file, text_string(&vertex_source), err);
    GLuint fragment =
        vertex ? compile(gl, GL_FRAGMENT_SHADER, fragment_file, text_string(&fragment_source), err) : 0;
    if (fragment)
        id = link_program(gl, vertex, fragment, captures, fragment_file, err);
    gl->DeleteShader(vertex); /* the program keeps what it needs; 0 is ignored */
    gl->DeleteShader(fragment);
    text_release(&vertex_source);
    text_release(&fragment_source);
    return id;
}

static void find_uniforms(struct program *program, const struct gl *gl)
{
    for (int i = 0; i < UNIFORM_COUNT; i++)
        program->uniforms[i] = gl->GetUniformLocation(program->id, uniform_names[i]);
    gl->UseProgram(program->id);
    for (size_t i = 0; i < sizeof samplers / sizeof samplers[0]; i++)
        gl->Uniform1i(gl->GetUniformLocation(program->id, samplers[i].sampler), (GLint)samplers[i].unit);
}

static size_t key_index(const struct program_key *key)
{
    size_t index = (size_t)key->view;
    index = index * INFLUENCE_FORM_COUNT + (size_t)key->influences;
    index = index * ALPHA_MODE_COUNT + (size_t)key->alpha;
    index = index * 2 + key->textured;
    index = index * 2 + key->two_sided;
    index = index * 2 + key->captures;
    return index * 2 + key->identity;
}

static void add_defines(struct text *out, const struct program_key *key)
{
    text_addf(out, "#define INFLUENCE_SETS %d\n#define TEXTURED %d\n#define TWO_SIDED %d\n#define ALPHA %d\n",
              (int)key->influences, key->textured, key->two_sided, (int)key->alpha);
    if (key->identity) /* the picture has two samples along a pixel's edge: its textures are one level finer */
        text_add(out, "#define STRONGEST_BINDING\n#define LOD_BIAS -1.0\n");
}

const struct program *programs_get(struct programs *programs, const struct gl *gl, const struct program_key *key,
                                   struct error *err)
{
    struct program *program = &programs->skin[key_index(key)];
    if (program->id)
        return program;
    struct text defines = {0};
    add_defines(&defines, key);
    const char *file = key->identity ? "bones.frag" : view_files[key->view];
    program->id = build(gl, text_string(&defines), "skin.vert", "surface.glsl", file, key->captures, err);
    text_release(&defines);
    if (!program->id)
        return NULL;
    find_uniforms(program, gl);
    return program;
}

GLuint programs_overlay(struct programs *programs, const struct gl *gl, struct error *err)
{
    if (!programs->overlay)
        programs->overlay = build(gl, "", "overlay.vert", NULL, "overlay.frag", false, err);
    return programs->overlay;
}

void programs_release(struct programs *programs, const struct gl *gl)
{
    for (size_t i = 0; i < PROGRAM_COUNT; i++)
        gl->DeleteProgram(programs->skin[i].id);
    gl->DeleteProgram(programs->overlay);
    memset(programs, 0, sizeof *programs);
}
