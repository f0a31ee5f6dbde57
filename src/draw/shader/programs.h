#pragma once

#include <stdbool.h>

#include "draw/gl/gl_functions.h"
#include "draw/shader/meanings.h"
#include "draw/shader/shader_text.h"

/* shaders/README.md as code: what a program with files of the user's declares, held against what this stage gives. */

/* Says how a mesh's influences are uploaded to the vertex shader: INFLUENCE_SETS in influences.glsl. */
enum influence_form {
    INFLUENCES_LISTED, /* any number a vertex, in a buffer texture */
    INFLUENCES_4,      /* one pair of attributes */
    INFLUENCES_8,      /* two pairs of attributes */
    INFLUENCE_FORM_COUNT,
};

/* Attribute locations in skin.vert and overlay.vert. */
enum attribute {
    ATTRIBUTE_POSITION,
    ATTRIBUTE_NORMAL,
    ATTRIBUTE_UV,
    ATTRIBUTE_COLOR,
    ATTRIBUTE_BONES,
    ATTRIBUTE_WEIGHTS,
    ATTRIBUTE_MORE_BONES,
    ATTRIBUTE_MORE_WEIGHTS,
    ATTRIBUTE_INFLUENCE_RANGE,
    ATTRIBUTE_TANGENT,
    ATTRIBUTE_MORE_UV,
    ATTRIBUTE_COUNT,
};
enum { OVERLAY_POSITION, OVERLAY_COLOR };

/*
* Programs are given these, each with its type; samplers first, each with the texture unit of its number. Those of maps,
 * directions and the rig stand in the order in which they are counted (enum surface_slot; key, fill, rim, sky; right,
 * up, front).
 */
// clang-format off
#define SAMPLER_UNIFORMS(X)                                                                                            \
    X(BASE_TEXTURE, "base_texture", GL_SAMPLER_2D) X(PALETTE, "palette", GL_SAMPLER_BUFFER)                            \
    X(INFLUENCES, "influences", GL_UNSIGNED_INT_SAMPLER_BUFFER)                                                        \
    X(BINDING_COLORS, "binding_colors", GL_SAMPLER_BUFFER) X(MORPH_DELTAS, "morph_deltas", GL_SAMPLER_BUFFER)          \
    X(MORPH_WEIGHTS, "morph_weights", GL_UNSIGNED_INT_SAMPLER_BUFFER)                                                  \
    X(SHOWN_VALUES, "shown_values", GL_SAMPLER_BUFFER)                                                                 \
    X(METALLIC_ROUGHNESS_TEXTURE, "metallic_roughness_texture", GL_SAMPLER_2D)                                         \
    X(SPECULAR_TEXTURE, "specular_texture", GL_SAMPLER_2D) X(NORMAL_TEXTURE, "normal_texture", GL_SAMPLER_2D)          \
    X(OCCLUSION_TEXTURE, "occlusion_texture", GL_SAMPLER_2D) X(EMISSIVE_TEXTURE, "emissive_texture", GL_SAMPLER_2D)    \
    X(COAT_TEXTURE, "coat_texture", GL_SAMPLER_2D) X(COAT_ROUGHNESS_TEXTURE, "coat_roughness_texture", GL_SAMPLER_2D)  \
    X(COAT_NORMAL_TEXTURE, "coat_normal_texture", GL_SAMPLER_2D)                                                       \
    X(SHADOW_TEXTURE, "shadow_texture", GL_SAMPLER_2D) X(AMBIENT_OCCLUSION, "ambient_occlusion", GL_SAMPLER_2D)
#define OTHER_UNIFORMS(X)                                                                                              \
    X(SCENE_TO_CLIP, "scene_to_clip", GL_FLOAT_MAT4) X(FIRST_BINDING, "first_binding", GL_INT)                         \
    X(PALETTE_ROWS, "palette_rows", GL_FLOAT_VEC4) X(BASE_COLOR, "base_color", GL_FLOAT_VEC4)                          \
    X(ALPHA_CUTOFF, "alpha_cutoff", GL_FLOAT) X(KEY_DIRECTION, "key_direction", GL_FLOAT_VEC3)                         \
    X(FILL_DIRECTION, "fill_direction", GL_FLOAT_VEC3) X(RIM_DIRECTION, "rim_direction", GL_FLOAT_VEC3)                \
    X(SKY_DIRECTION, "sky_direction", GL_FLOAT_VEC3) X(MORPH_SLOT, "morph_slot", GL_INT)                               \
    X(MORPH_VERTICES, "morph_vertices", GL_INT) X(NEARNESS, "nearness", GL_FLOAT_VEC4)                                 \
    X(CROWD_BINDINGS, "crowd_bindings", GL_INT) X(CROWD_PLACES, "crowd_places", GL_INT)                                \
    X(CROWD_SLOTS, "crowd_slots", GL_INT) X(FIRST_VALUE, "first_value", GL_INT)                                        \
    X(CROWD_VALUES, "crowd_values", GL_INT) X(VALUE_RANGE, "value_range", GL_FLOAT_VEC3)                               \
    X(VALUE_COLORS, "value_colors", GL_FLOAT_VEC3) X(MAP_ROWS, "map_rows", GL_FLOAT_VEC4)                              \
    X(MATERIAL_FACTORS, "material_factors", GL_FLOAT_VEC4) X(SPECULAR_FACTOR, "specular_factor", GL_FLOAT_VEC4)        \
    X(EMISSIVE_FACTOR, "emissive_factor", GL_FLOAT_VEC4) X(COAT_FACTORS, "coat_factors", GL_FLOAT_VEC3)                \
    X(EYE, "eye", GL_FLOAT_VEC4)                                                                                       \
    X(RIG_RIGHT, "rig_right", GL_FLOAT_VEC3) X(RIG_UP, "rig_up", GL_FLOAT_VEC3)                                        \
    X(RIG_FRONT, "rig_front", GL_FLOAT_VEC3) X(GROUND_CORNERS, "ground_corners", GL_FLOAT_VEC3)                        \
    X(AMBIENT_OCCLUSION_AT, "ambient_occlusion_at", GL_FLOAT_VEC4)
// clang-format on
enum uniform {
#define X(id, name, type) UNIFORM_##id,
    SAMPLER_UNIFORMS(X) SAMPLER_COUNT,
    BEFORE_OTHER_UNIFORMS = SAMPLER_COUNT - 1,
    OTHER_UNIFORMS(X) UNIFORM_COUNT,
#undef X
};

/*
* A user's shader reads these where rigproof sets nothing: textures of one mid-grey texel, 128 of 255 in each channel,
 * alpha 1 (128 128 128 255 as whole numbers, 0.5 as depth), a texture unit for each type of sampler; a block of zeros;
 * white for `base_texture` where the material has none. Made when first asked for. Zero at first.
 */
enum { FALLBACK_SAMPLERS = 36 };
struct fallbacks {
    struct buffer_texture samplers[FALLBACK_SAMPLERS];
    GLuint white, zeros;
    GLint zero_count; /* bytes of `zeros` */
};

/* "samplerCube"; NULL: not a type of sampler. */
const char *fallback_type_name(GLenum type);
/* Sets a sampler of a program in use, `count` of an array. Returns "reads mid-grey", or so; NULL: it is no sampler. */
const char *fallback_sampler(struct fallbacks *fallbacks, GLint location, GLint count, GLenum type);
GLuint fallback_base_texture(struct fallbacks *fallbacks);
void fallback_block(struct fallbacks *fallbacks, GLuint program, GLuint block);
void fallbacks_release(struct fallbacks *fallbacks);

/* Says how a mesh's influences are to be where a user's vertex shader reads them. */
struct influence_inputs {
    bool signed_bones; /* ids are read as int */
    bool minus_one;    /* slots that a vertex does not need are -1, else they repeat its first bone */
    bool float_bones;  /* ids are read as float */
    bool byte_weights; /* weights are read as whole numbers that sum up to 255 */
};

/* A uniform, or a member of a block, that is set by its meaning (meanings.h). */
enum { INPUTS_MOST = 48, INPUT_BLOCKS_MOST = 8 };
struct shader_input {
    enum meaning meaning;
    GLenum type;
    uint32_t count;   /* elements; 0: as many as there are, the last of a storage block */
    GLint location;   /* of a uniform */
    int block;        /* of a member, else -1; and where it is in it, in bytes: */
    GLint offset, array_stride, matrix_stride, row_major;
    float values[16]; /* of MEANING_VALUES */
    char name[64];
};
struct shader_inputs {
    struct shader_input items[INPUTS_MOST];
    int count;
    struct input_block {
        GLenum target;     /* GL_UNIFORM_BUFFER, GL_SHADER_STORAGE_BUFFER */
        GLuint binding, buffer;
        size_t size, room; /* without the last of a storage block; allocated */
        uint8_t *bytes;    /* malloc'd */
    } blocks[INPUT_BLOCKS_MOST];
    int block_count;
    struct buffer_texture texture; /* bones in a samplerBuffer */
};

/* The contract says what a program reads. */
struct contract {
    unsigned number;          /* from 1, unique, which addresses are not */
    unsigned attributes;      /* bit 1 << enum attribute */
    GLint at[ATTRIBUTE_COUNT]; /* their locations, -1: not read */
    unsigned unknown;         /* bit 1 << location of those that nothing is given for: 0 0 0 1, */
    unsigned identity[3];     /* but of a matrix its first three columns: the identity */
    int bone_slots;           /* components of `bones` */
    struct influence_inputs influences;
    unsigned palette_paths;   /* bit 1 << path; PALETTE_SSBO cannot be seen */
    uint32_t palette_rows;    /* vec4s of that array, where it is read */
    bool reads_morphs;
    bool reads_crowd;         /* the places of a crowd's instances, or how many bones are between two */
    int bones;                /* of `inputs`: the matrices of the bones, else -1 */
    struct shader_inputs inputs;
    bool captures_clip;       /* gl_Position in place of skinned_position, if it is captured from */
    bool captures_normal;
    bool writes_alpha;        /* a fragment shader of the user's writes it, which only blended surfaces have */
    char unset[160];          /* the first that stays 0: "the uniform `tint` (vec3) of my/lit.frag" */
    char file[256];           /* the user's that says so, for messages */
};
void contract_release(struct contract *contract); /* NULL is fine */

/* An attribute, a uniform or an output that a program declares and uses. */
enum { DECLARED_NAME = 256 };
struct declared {
    char name[DECLARED_NAME]; /* without [0] at its end */
    GLint location;
    GLint size;
    GLenum type;
    const char *file; /* that it stands in */
};

/* True for the name of an attribute or a uniform that programs are given. */
bool contract_knows(const char *uniform);

/* Before linking: attributes without a location get the one of their name. */
void contract_name_attributes(GLuint program);

/*
 * After linking: an attribute of another name without a location has got one that is free, which may be ours. Gives it
 * one behind ours; true: the program is to be linked again.
 */
bool contract_move_attributes(GLuint program);

/*
 * After linking. Attributes are found by their names. One whose name says nothing is what is at its location, as long
 * as all that names say are where ours are: another order of locations is another program's. False with err set, exit
 * code 2.
 */
bool attributes_read(GLuint program, const struct shader_text *vertex, struct shader_set *set, struct contract *out,
                     struct error *err);

/*
 * Reads a linked program; `fragment` may be NULL. False with err set, exit code 2, when something is declared as
 * another type than the contract has it. What rigproof does not set reads a fallback; that is warned of, and outputs
 * that go nowhere.
 */
bool contract_read(GLuint program, const struct shader_text *vertex, const struct shader_text *fragment,
                   struct fallbacks *fallbacks, struct shader_set *set, struct contract *out, struct error *err);

/*
 * Says whether a vertex shader with these inputs can draw a mesh. False with err set, exit code 2: more bones than its
 * array holds, influences that it does not read, a palette on another path. Warns of morph targets that it leaves out.
 */
bool contract_holds(const struct contract *contract, const struct mesh *mesh, enum influence_form form,
                    const struct upload_format *upload_format, struct shader_set *set, struct error *err);

/* Says whether its array holds the bones of that many instances of a mesh. */
bool contract_holds_bones(const struct contract *contract, const struct mesh *mesh, uint32_t members,
                          struct error *err);

/* Finds where a linked program, in use now, has its uniforms; -1: it does not use it, and GL ignores sets to it. */
void contract_find_uniforms(GLuint program, const struct shader_set *set, GLint uniforms[UNIFORM_COUNT]);

/* "vec3". */
const char *contract_type_name(GLenum type);

/* A name without [0] at its end. */
void shader_cut_index(char *name);

/* Inputs by meaning (inputs.c). */

/* The first word of a type's name, f i u or b for what it is made of; its columns and rows: 1 and 3 of vec3. */
char type_shape(GLenum type, int *columns, int *rows);

/* "bones[3].matrix": arrays of structs are not set. For error_set(): the file, the name. */
bool input_is_struct_of_bones(const char *name);
#define STRUCTS_OF_BONES                                                                                               \
    "%s: `%s` is in an array of structs, which rigproof does not fill; declare the matrices as an array of their own"

/* Returns what a name of a shader stands for, by the set's map or by its words; `values` are numbers of the map. */
enum meaning input_meaning(const struct shader_set *set, const char *name, float values[static 16]);

/* Notes a uniform or a member of a block; false with err set, exit code 2: too many, a second one of bones. */
bool inputs_add(struct contract *contract, const struct shader_input *input, const char *file, struct error *err);

/*
 * Reads the blocks of a program of which a member is known, all but PaletteBlock; the others read zeros, and are warned
 * of.
 */
bool inputs_read_blocks(GLuint program, const struct shader_text *vertex, const struct shader_text *fragment,
                        struct fallbacks *fallbacks, struct shader_set *set, struct contract *out, struct error *err);

void inputs_release(struct shader_inputs *inputs);

/* The GLSL programs: one per key, which becomes a few #define lines after the #version of the files. */

/* Says how many vec4s of palette GL holds on each path; 0: it has no such path. */
struct palette_limits {
    uint32_t rows[PALETTE_PATH_COUNT];
    uint32_t block_alignment; /* where the range of a uniform block may begin, in vec4s */
};

enum program_kind {
    PROGRAM_PICTURE,  /* a view */
    PROGRAM_CAPTURE,  /* transform feedback of skinned_position and skinned_normal, interleaved */
    PROGRAM_IDENTITY, /* bones.frag in place of the view's file: numbers of bindings, one sample a pixel */
    PROGRAM_DEPTH_MAP, /* depth_map.frag in place of the view's file: of VIEW_STUDIO */
    PROGRAM_GROUND,
    PROGRAM_INPUTS,   /* skin.vert alone, never drawn with: for its contract */
    PROGRAM_OVERLAY,
    PROGRAM_KIND_COUNT,
};

struct program_key {
    struct shader_set *shaders; /* NULL: ours */
    enum program_kind kind;
    struct upload_format upload_format; /* its weights are the attributes' business: programs do not differ */
    enum view view;
    enum influence_form influences;
    enum alpha_mode alpha;
    bool textured;
    bool two_sided;
    unsigned maps; /* of VIEW_STUDIO: bit 1 << enum surface_slot */
    bool coated;   /* COAT, of VIEW_STUDIO: the material has a clear coat */
    bool morphs; /* the mesh has targets: MORPH_TARGETS in morph.glsl */
    bool crowd;  /* CROWD in palette.glsl */
    bool more_uv;  /* MORE_UV: the mesh has second texture coordinates, and the view reads them */
    bool tangents; /* TANGENTS: the mesh has them, and the view reads them or they are captured */
};

bool view_reads_tangents(enum view view);

struct program {
    GLuint id;
    GLint uniforms[UNIFORM_COUNT];      /* where they are */
    struct contract *contract;          /* NULL: all of its files are ours */
    bool tangents;                      /* it hands on skinned_tangent */
    bool failed;                        /* it did not build: told once on stderr, then remembered */
    struct error failure;
    struct program_key key;
    struct program *next;
};

struct programs {
    struct program *first; /* those built so far, the one used last first */
    struct palette_limits limits;
    struct fallbacks fallbacks;
};

/*
 * The program of a key, built when first asked for; owned by `programs`. NULL with err set when it does not build, the
 * driver's log and the source on stderr. Exit code 1: ours does not; 2: the user's does not, or not keep to the
 * contract.
 */
const struct program *programs_get(struct programs *programs, const struct program_key *key, struct error *err);

/* Frees programs that were not used lately; they are built again when needed. Pointers to programs are invalid then. */
void programs_trim(struct programs *programs);
void programs_release(struct programs *programs);

/* The palette in GL's memory, by path and upload format (data/scene/upload_format.h, shaders/palette.glsl). */

struct palette_store {
    struct palette_limits limits;
    struct upload_format upload_format;        /* of what is uploaded */
    struct buffer_texture texture; /* its buffer is of every path but the array of uniforms */
    float (*rows)[4];        /* malloc'd; [room] what is uploaded, as vec4s */
    size_t capacity;
    uint32_t *first_rows;    /* malloc'd; [instance_count] where an instance's bindings begin in it */
    struct crowd crowd;      /* that was uploaded, for arrays of the user's shaders; the caller's */
};

void palette_store_create(struct palette_store *store);
void palette_store_release(struct palette_store *store);

/* Says whether GL holds the scene's bindings so. False with err set, exit code 2: needed, held, a path that does. */
bool palette_store_holds(const struct palette_store *store, const struct scene *scene,
                         const struct upload_format *upload_format, uint32_t crowd, struct error *err);

/* Uploads a palette that is held; the next draws use it, while it lives. Of trs the matrices must be similarities. */
void palette_store_upload(struct palette_store *store, const struct scene *scene, const struct crowd *crowd,
                          const struct upload_format *upload_format);

/* Sets what a program, in use, needs to find an instance's bindings. */
void palette_store_bind(const struct palette_store *store, const struct scene *scene, uint32_t instance,
                        const struct program *program);

/* A binding's matrix in a palette format. */
void palette_pack(const mat4 matrix, enum palette_format format, float (*out)[4]);

/* Inputs of the user's shaders are set to these besides the bones. */
struct input_values {
    mat4 projection, view, scene_to_clip;
    float time;
};

/* Sets all inputs of a program, in use, for an instance of the palette that was uploaded. */
void inputs_set(struct contract *contract, const struct palette_store *store, const struct scene *scene,
                uint32_t instance, const struct input_values *values);

/* Reads what a vertex shader of the user's hands on, and checks who reads it. */

/* Captures of skinned_position, skinned_normal and any skinned_tangent, by transform feedback, interleaved; of a
 * foreign shader what stands for them. */
enum shader_captures {
    CAPTURES_NOTHING,
    CAPTURES_VERTICES,
    CAPTURES_IF_THERE, /* so that what leads to them alone is seen to be used; where they are not handed on, nothing */
};

enum { OUTPUTS_MOST = 16, OUTPUT_NAME = 128 };
struct shader_outputs {
    struct shader_output {
        char name[OUTPUT_NAME];
        GLenum type;
        GLint location; /* that it is declared with, else -1 */
    } items[OUTPUTS_MOST];
    int count;
    bool is_foreign; /* of the user's, none of them has a name of ours: written for another program */
    const struct shader_map *map; /* of the user's set, of a foreign shader */
    bool has_tangents; /* skinned_tangent is one of ours */
    const char *captured[3];
    GLsizei captured_count;
};

struct shader_build {
    const struct shader_text *vertex;
    const struct shader_text *fragment; /* NULL: none, to see what the vertex shader declares */
    const struct shader_outputs *outputs;
    enum shader_captures captures;
    const char *purpose; /* "view lit", for messages */
    bool is_fitted;      /* the fragment shader is ours, fitted to the outputs */
};

/* Reads what a compiled vertex shader hands on; its names live in `out`. A foreign shader's normal is captured only
 * where the map says which output is one: a name proves nothing. */
void outputs_read(GLuint vertex_shader, const struct shader_text *vertex, const struct program_key *key,
                  struct shader_outputs *out);

/*
 * Lines that have a fragment shader of ours read a foreign shader's outputs, by their names and types. A normal or
 * texture coordinate that is not handed on is zero, a colour white: warned of.
 */
void outputs_fit(const struct shader_outputs *outputs, const struct shader_build *build, const struct program_key *key,
                 struct text *out);

/*
 * Says whether it hands on what is read: Mesa links without a word when it does not. GL 3.3 does not list a shader's
 * outputs; but it captures no other. False with err set, exit code 2; other errors show when it is linked with the
 * fragment shader.
 */
bool hands_on(GLuint vertex_shader, const struct shader_build *build, struct error *err);
