#include "draw/programs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "draw/shader_source.h"

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

static const char *source_of(const char *name)
{
    for (unsigned i = 0; i < shader_source_count; i++)
        if (strcmp(shader_sources[i].name, name) == 0)
            return shader_sources[i].text;
    assert(!"no such shader file");
    return "";
}

/* What goes in front of a file, in this order; a file's number in the driver's messages is its place here, from 1. */
static const char *const vertex_parts[] = {"frame.glsl", "palette.glsl", "influences.glsl", "morph.glsl", "skinning.glsl", NULL};
static const char *const fragment_parts[] = {"frame.glsl", "surface.glsl", NULL};
static const char *const no_parts[] = {NULL};

/* A shader as GL gets it: the #version line of the file, the defines, the parts, the rest of the file. */
struct shader {
    const char *file;         /* number 0 in messages */
    const char *const *parts; /* NULL-terminated; number 1 and on */
    struct text text;
};

static void add_part(struct text *out, const char *source, int line, int number)
{
    text_addf(out, "#line %d %d\n", line, number);
    text_add(out, source);
}

/* Line numbers of messages are the files' own. */
static void assemble(struct shader *out, const char *defines)
{
    const char *source = source_of(out->file);
    const char *rest = strchr(source, '\n') + 1;
    text_add_bytes(&out->text, source, (size_t)(rest - source));
    text_add(&out->text, defines);
    for (int i = 0; out->parts[i]; i++)
        add_part(&out->text, source_of(out->parts[i]), 1, i + 1);
    add_part(&out->text, rest, 2, 0);
}

static const char *file_of_number(const struct shader *shader, unsigned long number)
{
    unsigned long count = 0;
    while (shader->parts[count])
        count++;
    return number == 0 ? shader->file : number <= count ? shader->parts[number - 1] : NULL;
}

/*
 * A driver begins a message with the file's number: "2:14(3): error" (Mesa), "2(14) : error" or "ERROR: 2:14:". The
 * name is put in its place.
 */
static void name_files(const struct shader *shader, const char *driver_log, struct text *out)
{
    static const char prefix[] = "ERROR: ";
    for (const char *c = driver_log; *c;) {
        size_t length = strcspn(c, "\n");
        length += c[length] == '\n';
        const char *number = strncmp(c, prefix, sizeof prefix - 1) == 0 ? c + sizeof prefix - 1 : c;
        char *end;
        unsigned long value = strtoul(number, &end, 10);
        bool numbered = *number >= '0' && *number <= '9' && (*end == ':' || *end == '(');
        const char *name = numbered ? file_of_number(shader, value) : NULL;
        if (name)
            text_add(out, name);
        text_add_bytes(out, name ? end : c, length - (size_t)((name ? end : c) - c));
        c += length;
    }
}

static void number_lines(struct text *out, const char *name, const char *source)
{
    int line = 1;
    for (const char *c = source; *c; line++) {
        size_t length = strcspn(c, "\n");
        text_addf(out, "%s:%-4d  %.*s\n", name, line, (int)length, c);
        c += length + (c[length] == '\n');
    }
}

/* The driver's words and the source they speak of, every line with its file and number. */
static void log_failure(const struct shader *shader, const char *message, const char *defines)
{
    struct text numbered = {0};
    text_add(&numbered, defines);
    for (int i = 0; shader->parts[i]; i++)
        number_lines(&numbered, shader->parts[i], source_of(shader->parts[i]));
    number_lines(&numbered, shader->file, source_of(shader->file));
    log_error("%s does not build:\n%s\n%s", shader->file, message, text_string(&numbered));
    text_release(&numbered);
}

static GLuint compile(const struct gl *gl, GLenum stage, struct shader *shader, const char *defines,
                      struct error *err)
{
    assemble(shader, defines);
    GLuint id = gl->CreateShader(stage);
    const char *source = text_string(&shader->text);
    gl->ShaderSource(id, 1, &source, NULL);
    gl->CompileShader(id);
    GLint good = 0;
    gl->GetShaderiv(id, GL_COMPILE_STATUS, &good);
    if (good)
        return id;
    char driver_log[4096] = "";
    gl->GetShaderInfoLog(id, sizeof driver_log, NULL, driver_log);
    struct text message = {0};
    name_files(shader, driver_log, &message);
    log_failure(shader, text_string(&message), defines);
    error_set_code(err, EXIT_CODE_DIFFERS, "shader %s does not compile: %.300s", shader->file, text_string(&message));
    text_release(&message);
    gl->DeleteShader(id);
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
    log_error("%s does not build:\n%s", what, driver_log);
    error_set_code(err, EXIT_CODE_DIFFERS, "shaders of %s do not link: %.300s", what, driver_log);
    gl->DeleteProgram(id);
    return 0;
}

/* Program of a vertex shader and a fragment shader, or 0. */
static GLuint build(const struct gl *gl, const char *defines, struct shader vertex, struct shader fragment,
                    bool captures, struct error *err)
{
    GLuint id = 0;
    GLuint vertex_id = compile(gl, GL_VERTEX_SHADER, &vertex, defines, err);
    GLuint fragment_id = vertex_id ? compile(gl, GL_FRAGMENT_SHADER, &fragment, defines, err) : 0;
    if (fragment_id)
        id = link_program(gl, vertex_id, fragment_id, captures, fragment.file, err);
    gl->DeleteShader(vertex_id); /* the program keeps what it needs; 0 is ignored */
    gl->DeleteShader(fragment_id);
    text_release(&vertex.text);
    text_release(&fragment.text);
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
    const struct shader vertex = {.file = "skin.vert", .parts = vertex_parts};
    const struct shader fragment = {.file = key->identity ? "bones.frag" : views[key->view].file,
                                    .parts = fragment_parts};
    GLuint id = build(gl, text_string(&defines), vertex, fragment, key->captures, err);
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
    const struct shader vertex = {.file = "overlay.vert", .parts = no_parts};
    const struct shader fragment = {.file = "overlay.frag", .parts = no_parts};
    if (!programs->overlay)
        programs->overlay = build(gl, "", vertex, fragment, false, err);
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
