#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <assimp/scene.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/file/file.h"
#include "base/memory.h"
#include "base/slice.h"
#include "base/sort.h"
#include "base/text.h"
#include "data/scene/scene.h"
#include "data/scene/surface.h"
#include "import/assimp/options.h"

/*
 * aiScene -> struct scene, inside the child process. The order of things is kept: scene->meshes[i] is mMeshes[i],
 * scene->clips[i] is mAnimations[i], a clip's channels are mChannels followed by those that repairs add, and the nodes
 * are the aiNode tree in pre-order. Weights and keys come as they are, NaN included: finish_weights() and
 * finish_clips() check them behind the glTF repairs.
 */

struct dae_file;
struct fbx_file;
struct gltf_file;
struct inherit;

struct named_node {
    const char *name;
    uint32_t node;
};

/* The arrays are the scene's arena's. */
struct conversion {
    struct scene *scene;
    const struct aiScene *source; /* NULL before Assimp has read the file */
    uint32_t repairs; /* enum repair */
    uint32_t flags;   /* aiProcess_ bits that Assimp ran with */
    bool surfaces;    /* as import_options has it, as the next */
    bool tangents;
    struct error *err;

    const struct aiNode **nodes;      /* [scene->node_count], in scene order */
    struct named_node *nodes_by_name; /* [scene->node_count], by name, then by node */
    int32_t *mesh_node;               /* [scene->mesh_count] the first node a mesh hangs on, or NO_INDEX */

    /* The file read a second time, beside Assimp, once it was asked for; until conversion_release(). */
    struct blob content;
    struct dae_file *dae;
    struct fbx_file *fbx;
    struct gltf_file *gltf;
    const char *problem; /* why it cannot be read so */

    uint32_t inherit_count; /* nodes of repair "fbx-inherit-type" */
    struct inherit *inherits;

    uint32_t renamed_count; /* by their temporary names: fbx_part_names() */
    struct fbx_renamed *renamed;

    bool is_numbered; /* names of nodes and channels begin with their number: b3d_rewrite() */
};

/* The model's own bytes, and what its format makes of them. NULL with c->problem set: they cannot be read, or are
 * too many. */
const struct blob *bytes_of(struct conversion *c);
const struct dae_file *dae_of(struct conversion *c);
struct fbx_file *fbx_of(struct conversion *c);
struct gltf_file *gltf_of(struct conversion *c);

/* The bind_shape_matrix of the skin by which a COLLADA node draws the mesh. False: it has none. */
bool dae_bind_shape(struct conversion *c, const struct mesh *mesh, uint32_t node, mat4 out);
void conversion_release(struct conversion *c);

/* A material of Ogre as Assimp is to read it: what it takes for a number and is none ("diffuse vertexcolour") it reads
 * for ever, as a file without its last brace. NULL: it cannot be read. */
FILE *ogre_open_material(const char *path);

/* These append the file as Assimp is to read it, and nothing where it may read it as it is. */
void b3d_rewrite(struct conversion *c, struct text *out);  /* repair "b3d-meshes"; may number the nodes */
void dae_rewrite(struct conversion *c, struct text *out);  /* "dae-instances" */
void fbx_rewrite(struct conversion *c, struct text *out);  /* "fbx-numbers", "fbx-shapes", "fbx-rotation-space" */
void gltf_rewrite(struct conversion *c, struct text *out); /* gltf/gltf_repair.h; an error: what it requires is not
                                                              honoured */
void x_rewrite(struct conversion *c, struct text *out);    /* "game-keys": names for frames */

/* The steps of a conversion: import.c has the order of these and which formats and repairs they are of. c->err is
 * set by those that a file may be too broken for. */
void convert_axes(struct conversion *c); /* and the unit */
bool convert_nodes(struct conversion *c);
void convert_materials(struct conversion *c);
bool convert_meshes(struct conversion *c);
bool convert_clips(struct conversion *c);
void convert_cameras(struct conversion *c);
void b3d_finish(struct conversion *c); /* takes the numbers off; bones' offsets from the mesh's node */
void gltf_fix(struct conversion *c);
void repair_dae(struct conversion *c); /* clips, curves and joints as the file has them */
void repair_fbx_curves(struct conversion *c);
void repair_fbx_geometric(struct conversion *c);
void repair_fbx_inherit_type(struct conversion *c); /* fills the nodes of fbx_put_inherit_nodes() */
void repair_fbx_offsets(struct conversion *c);
void repair_fbx_pivots(struct conversion *c);
void repair_fbx_root_axes(struct conversion *c);
void repair_fbx_shapes(struct conversion *c);
void repair_mdl_durations(struct conversion *c);
void repair_mdl_root_axes(struct conversion *c);
void repair_ogre_keys(struct conversion *c);
void repair_b3d_keys(struct conversion *c); /* repair "game-keys", as the next two; they warn where it is off */
void repair_ms3d_keys(struct conversion *c);
void repair_x_keys(struct conversion *c);
bool finish_weights(struct conversion *c); /* repairs "normalise-weights" and "unweighted" */
bool finish_clips(struct conversion *c);   /* keys are sorted, rotations unit quaternions */
void add_warnings(struct conversion *c);   /* about faults that cannot be repaired */

void convert_maps(struct conversion *c, struct material *material, const struct aiMaterial *source);
/* and tangents, behind the normals */
void convert_uvs(struct conversion *c, struct mesh *mesh, const struct aiMesh *source);

/* For every vertex the first at its place, with texture coordinates also of equal ones and an equal normal;
 * malloc'd. */
uint32_t *equal_vertices(const struct mesh *mesh, const vec2 *uvs);

#define repaired(c, ...) scene_note((c)->scene, NOTE_REPAIR, __VA_ARGS__)
#define warn(c, ...) scene_note((c)->scene, NOTE_WARNING, __VA_ARGS__)

/* A repair's note; where the repair is turned off, the warning of the same fault. */
#define repaired_or_warn(c, is_repaired, ...)                                                                          \
    scene_note((c)->scene, (is_repaired) ? NOTE_REPAIR : NOTE_WARNING, __VA_ARGS__)

/* The time of the last key of any channel; -INFINITY when there is none. */
double clip_last_key(const struct clip *clip);

/* The seconds that a clip of Half-Life's MDL lasts. */
double mdl_duration(const struct clip *clip);

/* A node of Assimp's tree, and its parent's place among the others: NO_INDEX for the root. */
struct placed_node {
    const struct aiNode *node;
    int32_t parent;
};

/* Puts bones below their mParent in `order`, a tree in pre-order. Returns how many moved; 0 when parents form a
 * cycle. */
uint32_t mdl_parents(struct placed_node *order, uint32_t count);

/* Puts nodes into the tree of an FBX file, malloc'd anew, that take back the scale of a parent (repair
 * "fbx-inherit-type"). Warns of models where that cannot be. */
void fbx_put_inherit_nodes(struct conversion *c, struct placed_node **order, size_t *count);

/* A model of an FBX file that shares its name, under the one that it has while Assimp reads the file. */
struct fbx_renamed {
    struct slice temporary;
    const char *name;
};

/* Gives models of one name names of their own in `data`, the file's bytes (repair "name-clash"); returns how many. */
uint32_t fbx_part_names(struct conversion *c, const struct fbx_file *file, unsigned char *data);

/* The file's name of a node or a channel that Assimp names; and all of the scene become those. */
const char *fbx_name_of(struct conversion *c, const char *name);
void fbx_restore_names(struct conversion *c);

/* Returns whether `node` is one of the pivots that Assimp puts above the node `base` of an FBX file. */
bool is_pivot_of(const char *node, const char *base);

/* The node that a bone or a channel means by its name; NO_INDEX when there is none. */
int32_t bind_node(struct conversion *c, const char *name);

/* The place in nodes_by_name[] of the first whose name is not before `name`; and those of that name, *count of them. */
size_t first_named(const struct conversion *c, const char *name);
const struct named_node *nodes_named(const struct conversion *c, const char *name, size_t *count);

/* The texture that a material refers to by `name`: read once; as pixels where it is a base texture, or with
 * c->surfaces. What cannot be read is noted, and a checker stands for a base texture. */
int32_t convert_texture(struct conversion *c, const char *name, bool is_base);

/* The texture of a type that a material has, and how it lies; not its name nor its index. False: there is none. */
bool read_map(struct conversion *c, const struct aiMaterial *source, unsigned type, unsigned index,
              struct material_map *out, const char **texture);
bool read_base_map(struct conversion *c, const struct aiMaterial *source, struct material_map *out,
                   const char **texture);
/* whose base colour is the diffuse one */
bool is_specular_glossy(struct conversion *c, const struct aiMaterial *source);
bool map_is_moved(const struct material_map *map);

/* aiGetMaterialFloat and aiGetMaterialInteger have no body to link before Assimp 6: the ...Array functions do.
 * False, with `values` left alone: not there, not as many, or not finite. */
bool get_floats(const struct aiMaterial *source, const char *key, unsigned type, unsigned index, unsigned count,
                float *values);
bool get_int(const struct aiMaterial *source, const char *key, unsigned type, unsigned index, int *value);

/* Adds a name to those that a note lists, the `index`-th: at most `most` of them, each cut short, then an ellipsis. */
void list_name(struct text *list, size_t index, size_t most, const char *quote, struct slice name);

/* Copies in the scene's arena; of a name at most 1000 bytes. */
const char *copy_name(struct conversion *c, struct slice name);
const char *copy_string(struct conversion *c, const struct aiString *string);
void copy_matrix(const struct aiMatrix4x4 *from, mat4 to);

/* False, with `to` left alone, when it is not finite. */
bool copy_vector(const struct aiVector3D *from, vec3 to);

bool is_format(const struct conversion *c, const char *extension);
bool is_gltf(const struct conversion *c);

/* The first entry of that name in the file's metadata that has data, or NULL. */
const struct aiMetadataEntry *metadata_of(const struct conversion *c, const char *key);
