#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "data/affine.h"

/*
 * A scene is what the importer produced, in one arena, read-only after the import; every pointer points into the arena,
 * every index was checked. Numbers are the file's own, as Assimp hands them over, apart from the repairs that are
 * noted.
 *
 * Spaces: a vertex is in mesh space; `mesh_to_bone` (the offset or inverse bind matrix) takes it to bone space; a
 * node's `local_to_parent` takes its space to its parent's; the parent of the root is scene space.
 */

enum { NO_INDEX = -1 };

/* Topological order: parent < own index, node 0 is the root. Siblings keep the file's order (pre-order). */
struct node {
    const char *name;       /* never NULL; not always unique */
    int32_t parent;         /* NO_INDEX for the root */
    mat4 local_to_parent;   /* the rest transform, exact (may hold shear) */
    struct transform rest;  /* the same taken apart, for channels that lack a component */
    bool is_bone;           /* some mesh binds it */
};

struct influence {
    uint32_t bone; /* index into mesh.bones */
    float weight;
};

/* A joint that a mesh binds. */
struct bone {
    uint32_t node;
    mat4 mesh_to_bone;       /* offset matrix; per mesh: two meshes may bind one node with different offsets */
    bool follows_mesh_node;  /* not in the file: holds the vertices without weights (repair "unweighted") */
};

struct morph_target {
    const char *name;
    vec3 *position_deltas; /* [vertex_count] */
    vec3 *normal_deltas;   /* [vertex_count] or NULL */
    float default_weight;  /* of an instance without weights of its own */
};

struct mesh {
    const char *name;
    const char *label;  /* the name, numbered where several meshes have it: body #1 (scene_label_meshes()) */
    const char *quoted; /* that in a sentence: "body" #1 */
    uint32_t material;

    uint32_t vertex_count;
    vec3 *positions;
    vec3 *normals;   /* never NULL: smooth ones are computed where the file has none */
    vec2 *uvs;       /* NULL when the file has none; origin at the upper left, as glTF has it */
    vec2 *more_uvs;  /* a second set (surface_uv_sets()); NULL: none is asked for, nor by import_options.surfaces */
    vec4 *tangents;  /* along u, unit; w the sign of the bitangent, which is along v up (glTF 2.0, 3.7.2.1), or 0 where
                        plain  and mirrored triangles meet in a vertex: the others of each decide. NULL: not asked  for
                        by  import_options.surfaces or .tangents, or no normal map or texture coordinates */
    vec4 *colors;    /* NULL when the file has none; linear RGBA */

    uint32_t triangle_count; /* points and lines are left out */
    uint32_t *indices;       /* [3 * triangle_count], each < vertex_count */

    uint32_t bone_count;      /* 0: a rigid mesh */
    struct bone *bones;
    uint32_t
        *influence_first; /* [vertex_count + 1]: vertex v has influences [first[v], first[v + 1]); NULL when rigid */
    struct influence *influences; /* per vertex by descending weight, zero weights left out */
    /* [vertex_count * slot_count] bones in the order that the file has them, also without a weight; NULL: not known */
    uint32_t slot_count;
    uint32_t *slots;

    uint32_t target_count;
    struct morph_target *targets;
};

/* Those of a vertex; a rigid mesh's one bone holds each of its vertices whole. */
static inline const struct influence *mesh_influences(const struct mesh *mesh, uint32_t vertex, uint32_t *count)
{
    static const struct influence whole = {0, 1.0f};
    *count = mesh->influence_first ? mesh->influence_first[vertex + 1] - mesh->influence_first[vertex] : 1;
    return mesh->influence_first ? mesh->influences + mesh->influence_first[vertex] : &whole;
}

/* The most that a vertex has; 0 of a rigid mesh. */
uint32_t mesh_most_influences(const struct mesh *mesh);

/* A mesh where it stands. A skinned mesh has one instance even if several nodes refer to it. */
struct instance {
    uint32_t mesh;
    uint32_t node;           /* the node the mesh hangs on */
    uint32_t first_binding;  /* into scene.bindings */
    uint32_t binding_count;  /* mesh.bone_count, or 1 for a rigid mesh */
    uint32_t first_weight;   /* of its mesh's targets' weights, into those of a pose */
    const float *weights; /* [mesh.target_count] the node's own at rest (glTF), or NULL: the targets' default weights */
};

/*
 * A binding is what a palette entry belongs to: (mesh instance, bone). Bone b of the instance's mesh is binding
 * first_binding + b. The one binding of a rigid instance is its node with the identity as offset.
 */
struct binding {
    uint32_t instance;
    uint32_t node;
    const vec4 *mesh_to_bone; /* the bone's own, in its mesh */
};

enum alpha_mode { ALPHA_OPAQUE, ALPHA_MASK, ALPHA_BLEND };

enum wrap_mode { WRAP_REPEAT, WRAP_CLAMP, WRAP_MIRROR };

struct texture {
    const char *name;    /* file name or "*0" for an embedded one */
    uint32_t width;
    uint32_t height;
    uint8_t *rgba; /* [height][width][4], first row on top, straight alpha; NULL: no base texture, nor asked for by
                      import_options.surfaces */
    bool missing;        /* could not be read: `rgba` is a checker, or NULL */
    const uint8_t *file; /* [file_size] PNG or JPEG as it is stored, where import_options.surfaces asks for it; NULL */
    size_t file_size;
    const char *hash; /* bytes_hash() as it is stored, of one that is no base texture; width and height 0: not known */
};

/* Says what a texture is to a material, and how it lies on the surface. Nothing but the base texture is drawn. */
struct material_map {
    const char *name;        /* "normal": import/scene/convert_maps.c has them all */
    int32_t texture;         /* NO_INDEX: of the base colour, which is the material's base_texture */
    float strength;          /* of a normal map its scale; 1 by default */
    uint32_t uv;             /* set of texture coordinates */
    vec2 offset;             /* KHR_texture_transform of glTF; of other formats as Assimp has them */
    vec2 scale;
    float rotation;          /* radians */
    enum wrap_mode wrap[2];  /* u, v */
    const char *filter[2];   /* where it is small, where it is large: "linear"; NULL: the file does not say */
};

/* A number, or a colour, that a material has besides. */
struct factor {
    const char *name; /* "metallic factor" */
    uint32_t width;
    vec4 values;      /* [width] */
};

/* A material's factors are numbers of one of these. */
enum shading_model { SHADING_PHONG, SHADING_METALLIC_ROUGHNESS, SHADING_SPECULAR_GLOSSINESS };

struct material {
    const char *name;
    enum shading_model shading;
    float plain_metallic;      /* where no factor says else: 1 of glTF and of what has such a factor or map, else 0 */
    vec4 base_color;           /* linear, straight alpha */
    int32_t base_texture;      /* into scene.textures, NO_INDEX for none */
    enum wrap_mode wrap[2];    /* u, v */
    enum alpha_mode alpha_mode;
    float alpha_cutoff;        /* for ALPHA_MASK */
    bool two_sided;            /* also true where the format says nothing */
    bool unlit;
    uint32_t map_count;        /* that of the base colour is one only where it does not lie plainly */
    struct material_map *maps;
    uint32_t factor_count;     /* those that are not the default */
    struct factor *factors;
};

enum interpolation { INTERPOLATE_STEP, INTERPOLATE_LINEAR, INTERPOLATE_CUBIC };

/* Says what happens outside the keys. */
enum extrapolation {
    EXTRAPOLATE_DEFAULT,  /* clamp to the nearest key (Assimp's DEFAULT names the node's rest transform; every player
                             clamps) */
    EXTRAPOLATE_CONSTANT, /* clamp to the nearest key */
    EXTRAPOLATE_LINEAR,   /* go on with the slope of the two nearest keys */
    EXTRAPOLATE_REPEAT,   /* repeat the keyed range */
};

/*
 * The keys of one component of one channel. Invariants: times ascending (equal times allowed), finite; values finite;
 * rotation values unit quaternions (x, y, z, w), apart from tangents.
 * INTERPOLATE_CUBIC: three values a key: in-tangent, value, out-tangent; tangents are per second (glTF 2.0, appendix
 * C).
 */
struct keys {
    uint32_t count;           /* 0: the component comes from the node's rest transform */
    const double *times;      /* [count] seconds */
    const float *values;      /* [count * (cubic ? 3 : 1) * width] */
    enum interpolation interpolation;
};

/* Returns how many keys stand at or before `time`: of several at one time all or none. */
uint32_t keys_count_until(const struct keys *keys, double time);

enum component { COMPONENT_TRANSLATION, COMPONENT_ROTATION, COMPONENT_SCALE, COMPONENT_COUNT };

/* Numbers of a value: 3, 4, 3. */
uint32_t component_width(enum component component);

/* That component of a transform, read or replaced. */
const float *component_of(const struct transform *transform, enum component component);
void component_set(struct transform *transform, enum component component, const float *values);

struct channel {
    const char *node_name;  /* as the file has it */
    int32_t node;           /* NO_INDEX when the scene has no such node: the channel moves nothing */
    struct keys keys[COMPONENT_COUNT];
    enum extrapolation before;
    enum extrapolation after;
    bool is_repair;         /* not in the file: put there by a repair (a static pivot held at the identity) */
};

/*
 * Animated morph weights of the meshes on a node: weight i of a key is target i's. Before the first key and after the
 * last these hold. Cubic keys as above, each of the three values being target_count weights.
 */
struct morph_channel {
    const char *node_name;
    int32_t node;
    uint32_t target_count;
    struct keys keys; /* width target_count */
};

struct clip {
    const char *name;        /* never empty: "clip 0" where the file has none */
    double duration;         /* seconds, >= 0 */
    double ticks_per_second; /* as Assimp says, 0 included and for what is not finite; times here are seconds already */
    uint32_t channel_count;
    struct channel *channels;
    uint32_t morph_count;
    struct morph_channel *morphs;
};

struct scene_camera {
    const char *name;
    int32_t node;       /* the camera moves with it; NO_INDEX: scene space */
    vec3 position;      /* in the node's space */
    vec3 forward;
    vec3 up;
    float fov_y;        /* radians; 0 for an orthographic camera */
    float ortho_height; /* half the height in scene units, orthographic only */
    float near_plane;
    float far_plane;
};

enum note_kind { NOTE_REPAIR, NOTE_WARNING };

/* Says what was repaired, or could not be. `text` is a sentence for people. */
struct note {
    enum note_kind kind;
    const char *id; /* the repair's name ("fbx-pivots"), or the warning's ("morph-negative") */
    const char *text;
};

struct scene {
    struct arena *arena;       /* owns all of it, this struct included */
    const char *path;          /* as given */
    const char *format;        /* lower-case extension: "glb", also of .vrm and .vrma */
    const char *assimp_version; /* "5.2.4": what the library reports */
    int up_axis;               /* 0 x, 1 y, 2 z: the file's */
    int up_sign;               /* 1 or -1 */
    double unit_meters;        /* metres per unit when the file says so, else 0 */

    uint32_t node_count;
    struct node *nodes;
    uint32_t mesh_count;
    struct mesh *meshes;
    uint32_t instance_count;
    struct instance *instances;
    uint32_t binding_count;    /* the length of a palette */
    struct binding *bindings;
    uint32_t weight_count;     /* the number of morph weights of a pose */
    uint32_t material_count;   /* at least 1 */
    struct material *materials;
    uint32_t texture_count;
    struct texture *textures;
    uint32_t clip_count;
    struct clip *clips;
    uint32_t camera_count;
    struct scene_camera *cameras;
    uint32_t note_count;
    struct note *notes;
    uint32_t file_count;       /* that were looked for, the model first: read, or not there */
    const char **files;        /* paths that can be opened, each once */
};

/* Frees the scene and all it points to. NULL is fine. */
void scene_free(struct scene *scene);

/* Fills instances' first_binding, binding_count and first_weight, makes scene.bindings, counts the weights. */
void scene_bind(struct scene *scene);

/* Fills meshes' label and quoted. */
void scene_label_meshes(struct scene *scene);

/* Index of the first bone of that name, else of the first node, or NO_INDEX. */
int32_t scene_find_node(const struct scene *scene, const char *name);

/* Likewise, of the name `prefix` followed by `name`. */
int32_t scene_find_node_behind(const struct scene *scene, const char *prefix, const char *name);

/* Likewise; when there is none err is set (the nearest name is offered). */
int32_t scene_find_bone(const struct scene *scene, const char *name, struct error *err);

/* The nodes that one of the globs matches, [node_count], freed by the caller. NULL with err set: one of them matches
 * none (the nearest name is offered). */
bool *scene_match_nodes(const struct scene *scene, const char *const *globs, size_t count, struct error *err);

/* joint[node_count]: the nodes that a skeleton consists of: the bones; in a file without any, the nodes that carry
 * meshes; in one of clips alone, the nodes that these move; and where there are none of those, all. */
void scene_joints(const struct scene *scene, bool *joint);

/*
 * The clip that `name` means: its exact name; its name without what exporters put before it, up to any `|` or `:`
 * ("rig|walk", "Armature|rig|walk" and "rig:walk" answer to "walk"), and without an FBX layer behind it ("|BaseLayer");
 * the name without what stands before it in `name` ("walk" answers to "rig|walk"); or its index in decimal. NULL with
 * err set when there is none, or when clips of different names answer to it.
 */
const struct clip *scene_find_clip(const struct scene *scene, const char *name, struct error *err);

/* A clip's name without what exporters put before and behind it: "walk" of "Armature|rig|walk|BaseLayer". In the
 * arena. */
char *clip_short_name(const char *clip, struct arena *arena);

/* At most `limit` influences a vertex (0: all): the largest stay, renormalised to the sum they had. A note says for
 * each mesh what was dropped. */
void scene_limit_influences(struct scene *scene, uint32_t limit);

/*
 * The colours of the view `bones`: colors[node_count][3], bytes as they are in the picture. A node's colour comes from
 * the hash of its name, so it stays when other bones come and go, and in every model. No two nodes of a scene have the
 * same: where names or hashes meet, the later node is hashed on, and it alone depends on the other. Each has a channel
 * of 110 or more, and one below half of that: none is black, white or grey.
 */
void bone_colors(const struct scene *scene, uint8_t (*colors)[3]);

/* Notes a file that the scene is made of, or would be if it were there. Each once. */
void scene_add_file(struct scene *scene, const char *path);

bool scene_is_gltf(const struct scene *scene);

/* The text of the first note of that id, or NULL. */
const char *scene_find_note(const struct scene *scene, const char *id);

/* Adds a note; `text` is formatted into the arena. Each (id, text) once. */
void scene_note(struct scene *scene, enum note_kind kind, const char *id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Says how the clips of another file are fitted to a scene. */
struct clip_options {
    /*
     * Translations are multiplied by it. 0: by the median ratio of the distances at which bones rest from those above
     * them in both files, where at least two bones can be compared, three quarters of the ratios are within 5 % of it,
     * and it is not within 5 % of 1.
     */
    double scale;
    /*
     * Before the node names in one of the two files. NULL: none, or the one with which every channel of every clip has
     * a node, needed by half of them or more, and by three where it ends in a letter or digit.
     */
    const char *prefix;
};

/*
 * Copies the clips of `other` into `scene`, channels bound by node name, and drops those clips that move nothing here.
 * Channels without a node of that name stay in the clip with node NO_INDEX, and a warning note lists them. What of
 * scale and prefix is applied unasked, and what was seen and is not, is a warning note too.
 */
void scene_adopt_clips(struct scene *scene, const struct scene *other, const struct clip_options *options);
