#include "draw/shader/programs.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"

/* Every view's fragment shader, and what it has the vertex shader hand on. */
static const struct {
    const char *file;
    const char *defines;
    bool tangents; /* reads skinned_tangent, where TANGENTS is 1 */
} views[VIEW_COUNT] = {
    [VIEW_LIT] = {"lit.frag", ""},
    [VIEW_STUDIO] = {"studio.frag", "", .tangents = true},
    [VIEW_UNLIT] = {"unlit.frag", ""},
    [VIEW_NORMALS] = {"normals.frag", ""},
    [VIEW_WEIGHTS] = {"weights.frag", "#define SHOWN_WEIGHT 1\n"},
    [VIEW_BONES] = {"bone_colors.frag", "#define STRONGEST_BINDING\n"},
    [VIEW_DEPTH] = {"depth.frag", ""},
    [VIEW_UV] = {"uv.frag", ""},
    [VIEW_INFLUENCES] = {"influences.frag", "#define USED_INFLUENCES\n"},
    [VIEW_TANGENTS] = {"tangents.frag", "", .tangents = true},
    [VIEW_WEIGHT_SUM] = {"values.frag", "#define SHOWN_VALUE 0\n"}, /* enum shown_values */
    [VIEW_DISPLACEMENT] = {"values.frag", "#define SHOWN_VALUE 1\n"},
    [VIEW_STRETCH] = {"stretch.frag", "#define SHOWN_VALUE 2\n"},
    [VIEW_SPEED] = {"values.frag", "#define SHOWN_VALUE 1\n"},
    [VIEW_BONE_WEIGHT] = {"weights.frag", "#define SHOWN_WEIGHT 2\n"},
};

bool view_reads_tangents(enum view view)
{
    return views[view].tangents;
}

static bool is_same(const struct program_key *a, const struct program_key *b)
{
    const struct upload_format *one = &a->upload_format, *other = &b->upload_format;
    return a->shaders == b->shaders && a->kind == b->kind && a->view == b->view && a->influences == b->influences &&
           a->alpha == b->alpha && a->textured == b->textured && a->two_sided == b->two_sided && a->crowd == b->crowd &&
           a->morphs == b->morphs && a->maps == b->maps && a->coated == b->coated && a->tangents == b->tangents &&
           a->more_uv == b->more_uv && one->path == other->path && one->format == other->format &&
           one->skinning == other->skinning;
}

enum { MOST_MESSAGES = 16384 };

static const char *name_of(const struct shader_text *shader)
{
    return shader->files[0].shown;
}

/* The first line of an error, else the first, with what goes before it; the user's fault where they have a part. */
static void set_first_message(const char *what, const char *messages, bool has_users, struct error *err)
{
    const char *line = messages, *error = strstr(messages, "error");
    for (const char *c = messages; error && c <= error; c += strcspn(c, "\n") + 1)
        line = c;
    error_set_code(err, has_users ? EXIT_CODE_USAGE : EXIT_CODE_DIFFERS, "%s: %.*s", what, (int)strcspn(line, "\r\n"),
                   line);
}

static GLuint compile(GLenum stage, const struct shader_text *shader, struct error *err)
{
    GLuint id = gl->CreateShader(stage);
    const char *source = text_string(&shader->text);
    char driver_log[MOST_MESSAGES] = "";
    SCOPED(text) messages = {0}, numbered = {0}, what = {0};
    GLint good = 0;
    gl->ShaderSource(id, 1, &source, NULL);
    gl->CompileShader(id);
    gl->GetShaderiv(id, GL_COMPILE_STATUS, &good);
    if (good)
        return id;
    gl->GetShaderInfoLog(id, sizeof driver_log, NULL, driver_log);
    shader_text_name_files(shader, driver_log, &messages);
    shader_text_number_lines(shader, text_string(&messages), &numbered);
    if (log_is_new(text_string(&messages))) /* another program of the file says the same */
        log_error("%s does not build:\n%s\n%s", name_of(shader), text_string(&messages), text_string(&numbered));
    text_addf(&what, "shader %s does not compile", name_of(shader));
    set_first_message(text_string(&what), text_string(&messages), shader->has_users, err);
    gl->DeleteShader(id);
    return 0;
}

/* Says whether the context has the version that a shader of the user's begins with. */
static bool has_version(const struct shader_text *shader, struct error *err)
{
    const char *text = shader->files[0].text, *context = (const char *)gl->GetString(GL_SHADING_LANGUAGE_VERSION);
    long wanted = strncmp(text, "#version", 8) == 0 ? strtol(text + 8, NULL, 10) : 0;
    char *end = NULL;
    long here = context ? strtol(context, &end, 10) * 100 : 0;
    here += end && *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    return !shader->files[0].is_users || wanted <= here ||
           error_set(err,
                     "%s asks for GLSL %ld.%02ld, and the GL context here has %ld.%02ld; a newer Mesa, or the other "
                     "--backend, may have it (rigproof doctor)",
                     name_of(shader), wanted / 100, wanted % 100, here / 100, here % 100);
}

/* The linked program, or 0. */
static GLuint link(const GLuint shaders[2], const struct shader_build *build, struct error *err)
{
    GLint good = 0;
    GLuint id = 0;
    for (enum shader_captures captures = build->captures;; captures = CAPTURES_NOTHING) {
        id = gl->CreateProgram();
        for (int i = 0; i < 2; i++)
            if (shaders[i])
                gl->AttachShader(id, shaders[i]);
        if (build->vertex->has_users)
            contract_name_attributes(id);
        if (captures != CAPTURES_NOTHING)
            gl->TransformFeedbackVaryings(id, build->outputs->captured_count, build->outputs->captured,
                                          GL_INTERLEAVED_ATTRIBS);
        gl->LinkProgram(id);
        gl->GetProgramiv(id, GL_LINK_STATUS, &good);
        if (good && build->vertex->has_users && contract_move_attributes(id)) {
            gl->LinkProgram(id);
            gl->GetProgramiv(id, GL_LINK_STATUS, &good);
        }
        if (good)
            return id;
        if (captures != CAPTURES_IF_THERE)
            break;
        gl->DeleteProgram(id);
    }
    char driver_log[MOST_MESSAGES] = "";
    SCOPED(text) what = {0};
    gl->GetProgramInfoLog(id, sizeof driver_log, NULL, driver_log);
    text_addf(&what, "%s: shaders %s%s%s do not link", build->purpose, name_of(build->vertex),
              build->fragment ? " and " : "", build->fragment ? name_of(build->fragment) : "");
    if (log_is_new(text_string(&what)))
        log_error("%s:\n%s", text_string(&what), driver_log);
    set_first_message(text_string(&what), driver_log,
                      build->vertex->has_users || (build->fragment && build->fragment->has_users), err);
    gl->DeleteProgram(id);
    return 0;
}

/* The #define lines; overlays have the first alone. */
static void add_defines(struct text *out, const struct program_key *key, const struct palette_limits *limits)
{
    text_add(out, "#define RIGPROOF 1\n");
    if (key->kind == PROGRAM_OVERLAY || key->kind == PROGRAM_GROUND)
        return;
    if (key->upload_format.path == PALETTE_SSBO)
        text_add(out, "#extension GL_ARB_shader_storage_buffer_object : require\n");
    text_addf(out, "#define INFLUENCE_SETS %d\n#define TEXTURED %d\n#define TWO_SIDED %d\n#define ALPHA %d\n",
              (int)key->influences, key->textured, key->two_sided, (int)key->alpha);
    text_addf(out, "#define MAPS %u\n#define COAT %d\n", key->maps, key->coated);
    text_addf(out, "#define MORPH_TARGETS %d\n#define CROWD %d\n#define TANGENTS %d\n#define MORE_UV %d\n", key->morphs,
              key->crowd, key->tangents, key->more_uv);
    text_addf(out, "#define PALETTE_PATH %d\n#define PALETTE_FORMAT %d\n#define PALETTE_ROWS %u\n#define SKINNING %d\n",
              (int)key->upload_format.path, (int)key->upload_format.format, limits->rows[key->upload_format.path],
              (int)key->upload_format.skinning);
    if (key->kind == PROGRAM_IDENTITY) /* the picture has two samples along a pixel's edge: finer textures by a level */
        text_add(out, "#define STRONGEST_BINDING\n#define LOD_BIAS -1.0\n");
    else if (key->kind == PROGRAM_PICTURE)
        text_add(out, views[key->view].defines);
}

/* The vertex shader; without TANGENTS and MORE_UV where it is the user's and knows nothing of them. */
static void assemble_vertex(const char *file, struct program_key *key, const struct palette_limits *limits,
                            struct text *defines, struct shader_text *out)
{
    bool tangents = false, more_uv = false;
    add_defines(defines, key, limits);
    shader_text_assemble(key->shaders, file, text_string(defines), out);
    for (int i = 0; i < out->file_count; i++) {
        tangents = tangents || shader_has_word(out->files[i].text, "skinned_tangent");
        more_uv = more_uv || shader_has_word(out->files[i].text, "surface_more_uv");
    }
    if ((!key->tangents || tangents) && (!key->more_uv || more_uv))
        return;
    key->tangents = key->tangents && tangents;
    key->more_uv = key->more_uv && more_uv;
    defines->size = 0;
    text_release(&out->text);
    assemble_vertex(file, key, limits, defines, out);
}

static bool read_contract(struct programs *programs, const struct shader_build *build, const struct program_key *key,
                          struct program *program, struct error *err)
{
    struct contract *contract = program->contract = memory_new(1, sizeof *contract);
    bool good =
        contract_read(program->id, build->vertex, build->fragment, &programs->fallbacks, key->shaders, contract, err);
    contract->captures_clip = build->outputs->is_foreign;
    contract->captures_normal = !build->outputs->is_foreign || build->outputs->captured_count > 1;
    if (good && key->crowd && !contract->reads_crowd)
        good = error_set(err,
                         "--crowd: %s does not put the instances in their places; include \"palette.glsl\", and add "
                         "crowd_place() to the position where CROWD is 1, or declare how many bones are between two "
                         "instances (`uBoneCount`)",
                         contract->file);
    return good;
}

/* Puts the two shaders together, builds them and reads, where files of the user's are among them, what they declare. */
static bool build(struct programs *programs, const struct program_key *asked, struct program *program,
                  struct error *err)
{
    static const struct {
        const char *vertex, *fragment, *purpose;
        enum shader_captures captures;
    } kinds[PROGRAM_KIND_COUNT] = {
        [PROGRAM_PICTURE] = {"skin.vert", NULL, NULL, CAPTURES_NOTHING},
        [PROGRAM_CAPTURE] = {"skin.vert", NULL, "capturing vertices", CAPTURES_VERTICES},
        [PROGRAM_IDENTITY] = {"skin.vert", "bones.frag", "picture of bones", CAPTURES_NOTHING},
        [PROGRAM_DEPTH_MAP] = {"skin.vert", "depth_map.frag", "shadow", CAPTURES_NOTHING},
        [PROGRAM_GROUND] = {"ground.vert", "ground.frag", "ground", CAPTURES_NOTHING},
        [PROGRAM_INPUTS] = {"skin.vert", NULL, "vertex shader", CAPTURES_IF_THERE},
        [PROGRAM_OVERLAY] = {"overlay.vert", "overlay.frag", "overlay", CAPTURES_NOTHING},
    };
    SCOPED(text) defines = {0}, purpose = {0}, fitted = {0};
    struct shader_text vertex, fragment = {0};
    struct shader_outputs outputs = {0};
    struct program_key fitting = *asked;
    const struct program_key *key = &fitting;
    bool is_picture = key->kind == PROGRAM_PICTURE;
    const char *fragment_name = is_picture ? views[key->view].file : kinds[key->kind].fragment;
    text_addf(&purpose, "%s%s", is_picture ? "view " : "",
              is_picture ? view_names[key->view] : kinds[key->kind].purpose);
    assemble_vertex(kinds[key->kind].vertex, &fitting, &programs->limits, &defines, &vertex);
    if (fragment_name)
        shader_text_assemble(key->shaders, fragment_name, text_string(&defines), &fragment);
    struct shader_build wanted = {.vertex = &vertex, .fragment = fragment_name ? &fragment : NULL, .outputs = &outputs,
                                  .captures = kinds[key->kind].captures, .purpose = text_string(&purpose)};
    GLuint shaders[2] = {has_version(&vertex, err) ? compile(GL_VERTEX_SHADER, &vertex, err) : 0};
    if (shaders[0])
        outputs_read(shaders[0], &vertex, key, &outputs);
    if (shaders[0] && fragment_name && outputs.is_foreign && !fragment.files[0].is_users) { /* ours, for theirs */
        text_add(&fitted, text_string(&defines));
        outputs_fit(&outputs, &wanted, key, &fitted);
        text_release(&fragment.text);
        shader_text_assemble(key->shaders, fragment_name, text_string(&fitted), &fragment);
        wanted.is_fitted = true;
    }
    bool lacks = shaders[0] && wanted.is_fitted && !hands_on(shaders[0], &wanted, err); /* the compiler says it worse */
    if (shaders[0] && fragment_name && !lacks && has_version(&fragment, err))
        shaders[1] = compile(GL_FRAGMENT_SHADER, &fragment, err);
    if (shaders[0] && (shaders[1] || !fragment_name) && (!vertex.has_users || hands_on(shaders[0], &wanted, err)))
        program->id = link(shaders, &wanted, err);
    for (int i = 0; i < 2; i++)
        gl->DeleteShader(shaders[i]); /* the program keeps what it needs; 0 is ignored */
    bool good = program->id != 0;
    program->tangents = key->tangents;
    if (good && key->kind != PROGRAM_OVERLAY && key->kind != PROGRAM_GROUND && (vertex.has_users || fragment.has_users))
        good = read_contract(programs, &wanted, key, program, err);
    text_release(&vertex.text);
    text_release(&fragment.text);
    if (good)
        contract_find_uniforms(program->id, key->shaders, program->uniforms);
    return good;
}

/* One that does not build is kept too: the user's shaders stay as they are, and what they lack is said once. */
const struct program *programs_get(struct programs *programs, const struct program_key *key, struct error *err)
{
    struct program **place = &programs->first, *program;
    while (*place && !is_same(&(*place)->key, key))
        place = &(*place)->next;
    program = *place;
    if (program)
        *place = program->next;
    else {
        program = memory_new(1, sizeof *program);
        *program = (struct program){.key = *key};
        program->failed = !build(programs, key, program, &program->failure);
    }
    program->next = programs->first; /* those used last come first */
    programs->first = program;
    if (!program->failed)
        return program;
    error_set_code(err, program->failure.exit_code, "%s", program->failure.text);
    return NULL;
}

/* Those that were used last stay. */
static void drop(struct programs *programs, size_t kept)
{
    struct program **place = &programs->first;
    for (; *place && kept > 0; kept--)
        place = &(*place)->next;
    for (struct program *p = *place, *next; p; p = next) {
        next = p->next;
        gl->DeleteProgram(p->id);
        contract_release(p->contract);
        free(p);
    }
    *place = NULL;
}

void programs_trim(struct programs *programs)
{
    enum { KEPT = 6 };
    drop(programs, KEPT);
}

void programs_release(struct programs *programs)
{
    drop(programs, 0);
    fallbacks_release(&programs->fallbacks);
    memset(programs, 0, sizeof *programs);
}
