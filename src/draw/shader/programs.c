#include "draw/shader/programs.h"

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

/* The #define lines; overlays have the first alone. */
static void add_defines(struct text *out, const struct program_key *key, const struct palette_limits *limits)
{
    text_add(out, "#define RIGPROOF 1\n");
    if (key->kind == PROGRAM_OVERLAY)
        return;
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

/* Puts the two shaders together, builds them and reads, where files of the user's are among them, what they declare. */
static bool build(const struct programs *programs, const struct gl *gl, const struct program_key *key,
                  struct program *program, struct error *err)
{
    static const struct {
        const char *vertex, *fragment, *purpose;
        enum shader_captures captures;
    } kinds[PROGRAM_KIND_COUNT] = {
        [PROGRAM_PICTURE] = {"skin.vert", NULL, NULL, CAPTURES_NOTHING},
        [PROGRAM_CAPTURE] = {"skin.vert", NULL, "capturing vertices", CAPTURES_VERTICES},
        [PROGRAM_IDENTITY] = {"skin.vert", "bones.frag", "picture of bones", CAPTURES_NOTHING},
        [PROGRAM_INPUTS] = {"skin.vert", NULL, "vertex shader", CAPTURES_IF_THERE},
        [PROGRAM_OVERLAY] = {"overlay.vert", "overlay.frag", "overlay", CAPTURES_NOTHING},
    };
    struct text defines = {0}, purpose = {0};
    struct shader_text vertex, fragment = {0};
    bool is_picture = key->kind == PROGRAM_PICTURE;
    const char *fragment_name = is_picture ? views[key->view].file : kinds[key->kind].fragment;
    add_defines(&defines, key, &programs->limits);
    text_addf(&purpose, "%s%s", is_picture ? "view " : "", is_picture ? view_names[key->view] : kinds[key->kind].purpose);
    shader_text_assemble(key->shaders, kinds[key->kind].vertex, text_string(&defines), &vertex);
    if (fragment_name)
        shader_text_assemble(key->shaders, fragment_name, text_string(&defines), &fragment);
    const struct shader_build wanted = {.vertex = &vertex, .fragment = fragment_name ? &fragment : NULL,
                                        .captures = kinds[key->kind].captures, .purpose = text_string(&purpose)};
    program->id = shader_build(gl, &wanted, err);
    bool good = program->id != 0;
    if (good && key->kind != PROGRAM_OVERLAY && (vertex.has_users || fragment.has_users)) {
        struct contract *contract = calloc(1, sizeof *contract);
        program->contract = contract;
        good = contract ? contract_read(gl, program->id, &vertex, wanted.fragment, key->shaders, contract, err)
                        : error_set_code(err, EXIT_CODE_DIFFERS, "a shader program: out of memory");
    }
    shader_text_release(&vertex);
    shader_text_release(&fragment);
    text_release(&defines);
    text_release(&purpose);
    if (good)
        find_uniforms(program, gl);
    return good;
}

/* One that does not build is kept too: the user's shaders stay as they are, and what they lack is said once. */
const struct program *programs_get(struct programs *programs, const struct gl *gl, const struct program_key *key,
                                   struct error *err)
{
    uint64_t number = number_of(key);
    struct program *program = programs->first;
    while (program && (program->number != number || program->shaders != key->shaders))
        program = program->next;
    if (!program && (program = calloc(1, sizeof *program))) {
        *program = (struct program){.shaders = key->shaders, .number = number, .next = programs->first};
        program->failed = !build(programs, gl, key, program, &program->failure);
        programs->first = program;
    }
    if (program && !program->failed)
        return program;
    if (program)
        error_set_code(err, program->failure.exit_code, "%s", program->failure.text);
    else
        error_set_code(err, EXIT_CODE_DIFFERS, "a shader program: out of memory");
    return NULL;
}

void programs_release(struct programs *programs, const struct gl *gl)
{
    for (struct program *p = programs->first, *next; p; p = next) {
        next = p->next;
        gl->DeleteProgram(p->id);
        free(p->contract);
        free(p);
    }
    memset(programs, 0, sizeof *programs);
}
