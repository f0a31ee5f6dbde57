#ifndef TUTORIALS_ENGINE_H
#define TUTORIALS_ENGINE_H

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "rigproof_subject.h"

/*
 * Engines as five texts teach to write them. Each has its own tables of bones, its own key search, its own way through the
 * hierarchy and its own palette (learnopengl.c, ogldev.c, gltf_article.c, palette_article.c, thesis.c). What they share is
 * loading, the mathematics, and a vertex shader with rules (load.c, maths.c, skin.c).
 *
 * Each can make the mistakes that people make when they follow these texts: --fault ID. The identifiers are those of
 * `rigproof diagnose`; what is done here is what a programmer would write, not what the diagnosis replays.
 */

// clang-format off
#define FAULTS(X) \
    X(UNIT_SCALE, "unit-scale") X(AXES_SWAPPED, "axes-swapped") X(MIRRORED, "mirrored") \
    X(PIVOTS_DROPPED, "pivots-dropped") X(PIVOTS_TWICE, "pivots-twice") X(OFFSET_MISSING, "offset-missing") \
    X(OFFSET_TRANSPOSED, "offset-transposed") X(OFFSET_INVERTED, "offset-inverted") \
    X(OFFSET_OF_OTHER_BONE, "offset-of-other-bone") X(OFFSET_FIRST_OF_SCENE, "offset-first-of-scene") \
    X(OFFSET_LAST_OF_SCENE, "offset-last-of-scene") X(REST_FOR_BIND, "rest-for-bind") X(BONES_CUT, "bones-cut") \
    X(WEIGHTS_FIRST_FOUR, "weights-first-four") X(WEIGHTS_SMALL_DROPPED, "weights-small-dropped") \
    X(WEIGHTS_NOT_RESCALED, "weights-not-rescaled") X(WEIGHTS_IN_BYTES, "weights-in-bytes") \
    X(WEIGHTS_SHUFFLED, "weights-shuffled") X(TIME_SCALE, "time-scale") X(TIME_SHIFT, "time-shift") \
    X(LOOP_RULE, "loop-rule") X(OTHER_CLIP, "other-clip") X(BACKWARDS, "backwards") X(NOT_ANIMATED, "not-animated") \
    X(LINEAR_AS_STEP, "linear-as-step") X(NLERP, "nlerp") X(LONG_WAY, "long-way") \
    X(QUATERNION_ORDER, "quaternion-order") X(QUATERNION_CONJUGATED, "quaternion-conjugated") \
    X(QUATERNION_NOT_NORMALISED, "quaternion-not-normalised") \
    X(MISSING_COMPONENT_IDENTITY, "missing-component-identity") X(MISSING_COMPONENT_ZERO, "missing-component-zero") \
    X(TSR_ORDER, "tsr-order") X(SCALE_DROPPED, "scale-dropped") X(TRANSLATION_DROPPED, "translation-dropped") \
    X(PARENT_ORDER, "parent-order") X(STALE_PARENT, "stale-parent") X(OFFSET_ORDER, "offset-order") \
    X(ROOT_INVERSE_EXTRA, "root-inverse-extra") X(ROOT_INVERSE_MISSING, "root-inverse-missing") \
    X(ROOT_INVERSE_TWICE, "root-inverse-twice") X(TRANSPOSED, "transposed") X(ONLY_ANIMATED_NODES, "only-animated-nodes") \
    X(INDEX_SHIFT, "index-shift") X(INDEX_PERMUTED, "index-permuted") X(INFLUENCE_DROPPED, "influence-dropped") \
    X(IDS_AS_FLOATS, "ids-as-floats") X(NEIGHBOUR_VERTEX, "neighbour-vertex") X(WEIGHTS_NOT_DIVIDED, "weights-not-divided") \
    X(BYTE_WEIGHTS_NOT_DIVIDED, "byte-weights-not-divided") X(NORMAL_BY_POSITION_MATRIX, "normal-by-position-matrix")
// clang-format on

#define FAULT_ENUM(symbol, id) symbol,
enum fault { FAULTS(FAULT_ENUM) FAULT_COUNT };

extern bool faults_on[FAULT_COUNT];
extern double fault_value; /* of --fault ID=VALUE; 0: none */
static inline bool makes(enum fault fault)
{
    return faults_on[fault];
}

struct mat4 {
    float m[16]; /* column-major: m[4 * column + row] */
};

struct mat4 identity4(void);
struct mat4 multiply(struct mat4 a, struct mat4 b);
struct mat4 transpose(struct mat4 a);
struct mat4 inverse(struct mat4 a);
struct mat4 from_assimp(const struct aiMatrix4x4 *a); /* theirs is row-major */
struct aiVector3D apply(const struct mat4 *a, struct aiVector3D v, float w);
/* T R S, or what the faults make of it. */
struct mat4 compose(struct aiVector3D t, struct aiQuaternion r, struct aiVector3D s);
/* As read from the file, and from one key to the next. */
struct aiQuaternion stored(struct aiQuaternion q);
struct aiQuaternion turn(struct aiQuaternion a, struct aiQuaternion b, float u);
struct aiVector3D blend(struct aiVector3D a, struct aiVector3D b, float u);

/* The share of the way from one key to the next; below 0 before the first, for those who do not clamp it. */
float share(double time, double before, double behind);
float share_of_line(double time, double before, double behind);

/* An assert of the text that failed; NULL: none did. */
extern const char *asserted;

/* How a text packs influences into a vertex and what its shader does with them. */
struct vertex_rules {
    bool whole_precision; /* no bytes */
    bool rescales;        /* weights sum up to 1 after some were left out */
    bool largest_four;    /* not the first that come */
    float small;          /* weights up to this one are dropped */
    int bone_limit;       /* ids from here on give the position as it is */
    bool gives_normals;
};

/* A bone of a mesh, under the number that the vertices know it by. */
struct vertex_bones {
    const int *ids; /* [mesh.mNumBones] */
    const struct mat4 *palette;
    int count;
};

bool tell_skin(struct rigproof_answer *answer, const struct aiMesh *mesh, const struct vertex_rules *rules,
               const struct vertex_bones *bones);

struct engine {
    const char *way, *space, *storage, *bones;
    unsigned import_flags;
    bool converts; /* units and axes as it loads; else by a matrix that the model is placed with */
    double rate;   /* what it takes for ticks per second where it makes the mistake; 0: ticks for seconds */
    bool (*load)(const struct aiScene *scene, struct rigproof_answer *answer);
    bool (*pose)(const struct aiScene *scene, const struct aiAnimation *clip, const struct rigproof_request *request,
                 struct rigproof_answer *answer);
    const enum fault *cannot; /* mistakes that this way has no place for; ends with FAULT_COUNT */
    const char *traits;       /* causes that are the text's own where a model shows them */
};

extern const struct engine learnopengl, ogldev, gltf_article, palette_article, thesis;
extern const struct engine *running;

/* The model is placed by this: the identity, but for faults. */
extern struct mat4 placement;

/* The model as this way imports it, with what faults do to it; NULL with the answer failed. */
const struct aiScene *import_model(const char *path, const struct engine *engine, struct rigproof_answer *answer);

/* Which clip plays, and its time in seconds and ticks per second, all as faults have it. */
double seconds_asked(const struct aiAnimation *clip, double seconds, double rate);
double rate_of(double rate);

struct mat4 offset_of(const struct aiScene *scene, const struct aiMesh *mesh, unsigned bone);
const struct aiNodeAnim *channel_of(const struct aiAnimation *clip, const struct aiNode *node);
/* The matrix of a node that no channel moves. */
struct mat4 rest_of(const struct aiNode *node, bool has_clip);
/* Whether a component with so many keys counts as one that has none. */
bool is_missing(unsigned keys);
struct aiVector3D missing_vector(bool is_scale);

/* Parent and child; a palette entry of a bone; the place in a list of `count` that entry i is read from. */
struct mat4 joined(struct mat4 parent, struct mat4 local);
struct mat4 entry_of(struct mat4 global, struct mat4 offset);
int place_of(int i, int count, const char *const *names);

void tell_node(struct rigproof_answer *answer, const struct aiNode *node, struct mat4 local, struct mat4 global);
void tell_entry(struct rigproof_answer *answer, const char *mesh, const char *bone, struct mat4 matrix);

#endif
