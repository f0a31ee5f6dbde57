#pragma once

#include "base/arena.h"
#include "base/text.h"
#include "data/record/matching.h"
#include "data/record/record.h"

/* The content of import.json and of a pose.json (docs/formats.md), gathered from a run or read from a file, in the
 * caller's arena. What is read is checked: counts, types, finite numbers; an error names the file and the place
 * ("nodes[3].local"). */

#define IMPORT_FORMAT "rigproof.import/1"

/* The words of the file, by the scene's enums; `up` by axis, negative ones after the three positive. */
enum { UP_WORDS = 6, ALPHA_WORDS = ALPHA_BLEND + 1, WRAP_WORDS = WRAP_MIRROR + 1 };
enum { INTERPOLATION_WORDS = INTERPOLATE_CUBIC + 1 };
extern const char *const up_words[UP_WORDS];
extern const char *const alpha_words[ALPHA_WORDS];
extern const char *const interpolation_words[INTERPOLATION_WORDS];
extern const char *const wrap_words[WRAP_WORDS];

struct node_snapshot {
    const char *name;
    const char *parent; /* name; NULL for the root */
    bool is_bone;
    mat4 local_to_parent;
};

struct bone_snapshot {
    const char *bone;       /* the node's name */
    uint32_t weights;       /* vertices it holds */
    float sum;              /* of the weights */
    vec3 centroid;          /* weighted, mesh space */
    float influence_radius; /* bone space: the farthest vertex it holds, from the bone's origin; 0 without one */
    mat4 mesh_to_bone;      /* offset matrix */
    bool follows_mesh_node;
};

/*
 * A vertex attribute as numbers that no order of the vertices changes: of each component the mean, and the means of
 * its products with x, y and z of the position (seen from the centre of the bounds, in half diagonals), to 2^-20. Of
 * faces: the sum of normal times area, and of that times the triangle's centre, over the sum of the areas.
 */
enum { ATTRIBUTE_SNAPSHOT_WIDTH = 4, MOMENTS = 4 };

struct attribute_snapshot {
    uint32_t width; /* components: 3 of a normal, 2 of texture coordinates, 4 of a colour; 0: the mesh has none */
    float moments[ATTRIBUTE_SNAPSHOT_WIDTH * MOMENTS]; /* [width][mean, by x, by y, by z] */
};

/* The vertices that a morph target moves, as numbers that no order of the vertices changes. */
struct target_snapshot {
    const char *name;
    float weight;     /* at rest */
    uint32_t moved;   /* vertices whose position it changes */
    float largest;    /* length of the largest delta of a position, mesh space */
    vec3 mean;        /* of all position deltas */
    bool has_normals;
    vec3 normal;      /* mean of all normal deltas; zeros without */
};

struct mesh_snapshot {
    const char *name;
    uint32_t node_count;
    const char **nodes;   /* that the mesh hangs on */
    const char *material;
    uint32_t vertices;
    uint32_t triangles;
    vec3 min;
    vec3 max;
    bool has_uvs;
    uint32_t morph_targets;
    uint32_t influence_slots;
    uint32_t *influences; /* [influence_slots] vertices with 0, 1, 2 ... influences; none for a rigid mesh */
    uint32_t bone_count;
    struct bone_snapshot *bones;
    struct attribute_snapshot normals; /* none in files that are older than moments */
    struct attribute_snapshot uvs;
    struct attribute_snapshot colors;
    struct attribute_snapshot tangents; /* none where the import was not asked for them */
    struct attribute_snapshot positions;
    struct attribute_snapshot faces;
    uint32_t target_count; /* morph_targets, or 0 where a file says no more than their number */
    struct target_snapshot *targets;
};

/* A texture map. Defaults are zero: no texture coordinates but the first, not moved, repeated, no filter. */
struct map_snapshot {
    const char *name;      /* "normal", "base colour" */
    const char *texture;   /* NULL: of the base colour, where it is the material's base_texture */
    bool has_strength;     /* else it is 1 */
    float strength;
    uint32_t uv;
    vec2 offset;
    bool is_scaled;        /* else it is (1, 1) */
    vec2 scale;
    float rotation;
    const char *wrap[2];
    const char *filter[2]; /* min, mag */
};

struct factor_snapshot {
    const char *name; /* "metallic factor" */
    uint32_t width;
    float *values; /* [width] */
};

struct material_snapshot {
    const char *name;
    vec4 base_color;
    const char *base_texture; /* NULL: none */
    const char *alpha;        /* "opaque", "mask", "blend" */
    float cutoff;
    bool two_sided;
    const char *wrap[2];      /* of the base texture along u and v: "repeat", "clamp", "mirror"; NULL without one */
    bool unlit;
    uint32_t map_count;
    struct map_snapshot *maps;
    uint32_t factor_count;
    struct factor_snapshot *factors; /* those that are not the default */
};

enum { TEXTURE_MOMENTS = 3 };

struct texture_snapshot {
    const char *name;
    uint32_t width;
    uint32_t height;
    bool missing;
    bool has_moments;
    float moments[4 * TEXTURE_MOMENTS]; /* [red, green, blue, alpha from 0 to 1][mean, by x, by y from -1 to 1], to
                                           2^-20 */
    const char *hash; /* of the stored bytes, where it is not drawn; else NULL */
};

enum { KEYS_SNAPSHOT_WIDTH = 4, SAMPLES_MOST = 64 };

/*
 * The keys of one component: statistics, and samples by which a key can be named. Of an import with `samples` N, n keys
 * are sampled in blocks of ceil(n / N): each key where there are no more than N, else the means of that many keys in a
 * row.
 */
struct keys_snapshot {
    uint32_t count;            /* 0: none */
    double first;              /* seconds */
    double last;
    const char *interpolation; /* "step", "linear", "cubic" */
    uint32_t width;            /* numbers in mean and rms; 0 where there are none (morph weights) */
    float mean[KEYS_SNAPSHOT_WIDTH];
    float rms[KEYS_SNAPSHOT_WIDTH];
    uint32_t time_count;       /* of the blocks; 0: the keys are evenly spaced */
    float *times;              /* seconds, the mean of each block; to SAMPLE_TIME_STEP */
    uint32_t sample_count;     /* numbers: `width` a block, 3 of rotations; 0: all blocks are as the mean */
    float *samples;            /* rotations as axis times angle in degrees; rounded, see sample_step() */
    const struct keys *source; /* of a run, with tangents; NULL: read from a file */
};

struct channel_snapshot {
    const char *node;
    bool unmatched;
    bool is_repair;
    struct keys_snapshot keys[COMPONENT_COUNT];
};

struct morph_snapshot {
    const char *node;
    uint32_t targets;
    struct keys_snapshot weights;
};

struct clip_snapshot {
    const char *name;
    double duration;         /* seconds */
    double ticks_per_second; /* as the importer says, 0 included */
    uint32_t channel_count;
    struct channel_snapshot *channels;
    uint32_t morph_count;
    struct morph_snapshot *morphs;
};

struct camera_snapshot {
    const char *name;
    const char *node; /* NULL: scene space */
    float fov_y;
    float ortho_height;
};

struct note_snapshot {
    const char *id;
    const char *text;
};

struct import_snapshot {
    const char *model; /* base name */
    const char *up;    /* "y", "-z" */
    double unit_meters;
    uint32_t node_count;
    struct node_snapshot *nodes;
    uint32_t mesh_count;
    struct mesh_snapshot *meshes;
    uint32_t material_count;
    struct material_snapshot *materials;
    uint32_t texture_count;
    struct texture_snapshot *textures;
    uint32_t samples; /* at most of a component; 0: the file is older than they */
    uint32_t clip_count;
    struct clip_snapshot *clips;
    uint32_t camera_count;
    struct camera_snapshot *cameras;
    uint32_t repair_count;
    struct note_snapshot *repairs;
    uint32_t warning_count;
    struct note_snapshot *warnings;
};

#define POSE_FORMAT "rigproof.pose/1"
#define POSE_PART_FORMAT "rigproof.pose-part/1" /* some stages or nodes: subject/subject.h reads it */

enum { SPACE_WORDS = SPACE_ROOT + 1 };
extern const char *const space_words[SPACE_WORDS];

struct pose_node_snapshot {
    const char *name;
    const char *parent;
    struct transform local;
    mat4 node_to_scene;
    bool has_local_motion, has_motion; /* what a dump may have besides */
    struct motion local_motion;        /* seen from its parent */
    struct motion motion;              /* from the scene */
    unsigned left_out;                 /* of POSE_LOCAL and POSE_GLOBAL: what is not to be written, or not given */
    unsigned components_left_out;      /* of a local that is given in part: 1 << enum component */
    bool parent_left_out;              /* its parent is not given */
    bool tells_index;                  /* it is to be written: */
    int32_t parent_index;              /* of a run's pose of all nodes: names need not be unique */
};

struct palette_snapshot {
    const char *mesh; /* NULL: not given */
    const char *bone;
    mat4 mesh_to_scene;
    uint32_t node; /* of a run's pose of all nodes: the bone's */
    bool is_rigid; /* of a run's pose: of a mesh without bones */
    bool is_ours;  /* of an answer: it has none and needs none, so that the reference's own stands here */
};

/* The weights of one mesh instance with morph targets. */
struct morph_weights_snapshot {
    const char *mesh;
    const char *node;
    uint32_t count;
    const float *weights; /* [count] in the targets' order */
};

struct skin_snapshot {
    const char *mesh;
    uint32_t vertices;
    vec3 min;
    vec3 max;
    vec3 centroid;
    uint32_t position_count, normal_count; /* of the vertices, which a dump may have besides */
    const vec3 *positions, *normals;
    bool is_in_order; /* vertices are known to come in the order of those that they are compared with */
};

struct pose_snapshot {
    const char *model;
    const char *clip; /* NULL: the rest pose */
    double time;
    const char *space;
    uint32_t node_count;
    struct pose_node_snapshot *nodes;
    uint32_t palette_count;
    struct palette_snapshot *palette;
    uint32_t skin_count;
    struct skin_snapshot *skin;
    uint32_t morph_count;
    struct morph_weights_snapshot *morphs;
    unsigned left_out; /* stages that are not to be written, or not given at all: their lists are empty */
    bool is_part;      /* what it does not list is not given, and not missing */
    bool lacks_clip, lacks_time; /* of a file with only what there is; `space` is NULL where it is not given */
};

/* From a run. Strings are the scene's, which must outlive it; what is not UTF-8 in them is replaced as in a file. */
struct import_snapshot *import_snapshot_gather(const struct scene *scene, struct arena *arena);
struct pose_snapshot *pose_snapshot_gather(const struct pose_record *record, struct arena *arena);

/* The bones of a run's palette as a list of names binds them: rigid meshes' are "" where a skinned mesh has a bone
 * of that name. */
struct match_list palette_names(const struct pose_snapshot *pose, struct arena *arena);

/* The nodes with their parents, the palette's bones with their meshes, or the skinned meshes of a pose; and which of
 * them is which of another's: `part` is POSE_NODES, POSE_PALETTE or POSE_SKIN. */
struct match_list pose_names(const struct pose_snapshot *pose, unsigned part, struct arena *arena);
struct matching pose_match(const struct pose_snapshot *golden, const struct pose_snapshot *actual, unsigned part,
                           struct arena *arena);

/* Summarises an instance, without its name: every vertex counts once; zeros without vertices. */
struct skin_snapshot skin_summarise(const struct skinned *skinned);

#define SAMPLE_TIME_STEP 1e-4

/* Returns how many keys a sample stands for, and how many samples there are, of `count` keys sampled `most` times at
 * most. */
uint32_t sample_block(uint32_t count, uint32_t most);
uint32_t sample_blocks(uint32_t count, uint32_t most);

/* To which multiples a component's samples are rounded: hundredths of a degree; others to a thousandth of the decade
 * that they range over, or what floats hold of the largest. `count` numbers in samples of `width`. */
double sample_step(const float *samples, uint32_t count, uint32_t width, bool is_rotation);

/* Fills times and samples from keys with `width` numbers a value, 4 at most, in blocks for at most `most` samples;
 * in the arena. */
void keys_sample(const struct keys *keys, uint32_t width, bool is_rotation, uint32_t most, struct arena *arena,
                 struct keys_snapshot *out);

/*
 * The keys that samples of at most `most` stand for, to be played again, rounded as they were recorded. A sample of
 * several keys that `now` (keys of a run; NULL) has too stands for these; another one is one key of its mean, which
 * `*is_coarse` tells. False with `why`: nothing is recorded that could be played.
 */
bool keys_restore(const struct keys_snapshot *keys, const struct keys *now, bool is_rotation, uint32_t most,
                  struct arena *arena, struct keys *out, bool *is_coarse, const char **why);

/* Samples the keys of all clips, with the largest number of samples for which the file has room. */
void import_sample_keys(struct import_snapshot *import, struct arena *arena);

/* Counts how many vertices have 0, 1, 2 ... influences, the last all with that many or more, added to `counts`; returns
 * the number of counts up to the last that is not 0. */
enum { INFLUENCE_SLOTS = 17 };
uint32_t count_influences(const struct mesh *mesh, uint32_t counts[static INFLUENCE_SLOTS]);

/* Bytes of arena that a gathering takes at most, for either. */
size_t snapshot_bytes(const struct scene *scene);

/* The bytes of the files. scene_write_json() and pose_write_json() are these after a gathering. */
void import_snapshot_write(const struct import_snapshot *snapshot, struct text *out);
void pose_snapshot_write(const struct pose_snapshot *snapshot, struct text *out);

/* The members of import.json, by which imports are also compared, and those of morph weights in a pose.json. */
extern const struct fields import_snapshot_fields, morph_weights_fields;

/* From a file's bytes; `name` is for messages. NULL with err set. Unknown keys are ignored; of import.json, `reach`,
 * `moments`, `targets`, `wrap`, `maps`, `factors`, `unlit`, `hash`, `samples`, `cameras`, `repairs` and `warnings`
 * may be missing, of pose.json `morphs`, `palette` and `skin`. */
struct import_snapshot *import_snapshot_read(const void *data, size_t size, const char *name, struct arena *arena,
                                             struct error *err);
struct pose_snapshot *pose_snapshot_read(const void *data, size_t size, const char *name, struct arena *arena,
                                         struct error *err);

/* Returns whether these bytes are what pose_snapshot_write() makes of it, and pose_snapshot_read() would give the
 * same again: the quick way to what nearly every golden is. */
bool pose_snapshot_is_in(const struct pose_snapshot *snapshot, const void *data, size_t size);

/* Checks what no table sees: that each parent is a node; `name` is the file's. */
bool pose_snapshot_check_parents(const struct pose_snapshot *pose, const char *name, struct error *err);

/* The node of that name, or the palette entry of that mesh and bone (an entry without a mesh is any mesh's): of several
 * the one at `guess`, else the first. NO_INDEX: there is none. */
int32_t snapshot_find_node(const struct pose_snapshot *pose, uint32_t guess, const char *name);
int32_t snapshot_find_entry(const struct pose_snapshot *pose, uint32_t guess, const char *mesh, const char *bone);

/* The box of all skinned vertices; without any, of the nodes' origins. */
struct bounds pose_snapshot_bounds(const struct pose_snapshot *pose);

/* Half its diagonal: what displacements are measured against. At least 1e-9, so that it may be divided by; 1 where all
 * is in one point. */
float pose_snapshot_radius(const struct pose_snapshot *pose);
