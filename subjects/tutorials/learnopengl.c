#include <math.h>
#include <stdlib.h>

#include "engine.h"

/*
 * LearnOpenGL, "Skeletal Animation": one map of bone names for the scene, in which the first offset of a name stays; channels
 * without a bone get a number too (ReadMissingBones); a copy of the hierarchy that is walked by recursion; 100 matrices.
 * Ticks per second are an integer; time goes round with fmod, so that the end shows the beginning. Before the first key the line
 * through the first two goes on; at the last one an assert fails.
 */

enum { MAX_BONES = 100 };

struct bone_info {
    const char *name;
    struct mat4 offset;
};

static struct bone_info *infos;
static const char **names;
static int info_count;

/* Where each node was in the frame before, by name; for those who walk from the wrong end. */
struct last_frame {
    const struct aiNode *node;
    struct mat4 global;
};

static struct last_frame *last;
static int last_count;

static int find_info(const char *name)
{
    for (int i = 0; i < info_count; i++) {
        if (strcmp(infos[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static int add_info(const char *name, struct mat4 offset)
{
    infos = realloc(infos, (size_t)(info_count + 1) * sizeof *infos);
    names = realloc(names, (size_t)(info_count + 1) * sizeof *names);
    infos[info_count] = (struct bone_info){name, offset};
    names[info_count] = name;
    return info_count++;
}

static bool load(const struct aiScene *scene, struct rigproof_answer *answer)
{
    (void)answer;
    info_count = 0;
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        for (unsigned b = 0; b < scene->mMeshes[m]->mNumBones; b++) {
            const char *name = scene->mMeshes[m]->mBones[b]->mName.data;
            struct mat4 offset = offset_of(scene, scene->mMeshes[m], b);
            int id = find_info(name);
            if (id < 0) {
                add_info(name, offset);
            } else if (makes(OFFSET_LAST_OF_SCENE)) {
                infos[id].offset = offset;
            }
        }
    }
    return true;
}

static void read_missing_bones(const struct aiAnimation *clip)
{
    for (unsigned c = 0; clip && c < clip->mNumChannels; c++) {
        if (find_info(clip->mChannels[c]->mNodeName.data) < 0) {
            add_info(clip->mChannels[c]->mNodeName.data, identity4());
        }
    }
}

/* GetPositionIndex and its like end with assert(0) where no key comes after the time. Who holds the end has to take it out. */
static void check_end(double time, double end)
{
    asserted = time >= end && !makes(LOOP_RULE) ? "no key comes after the time" : asserted;
}

static struct aiVector3D interpolate_vector(const struct aiVectorKey *keys, unsigned count, double time, bool is_scale)
{
    if (is_missing(count)) {
        return missing_vector(is_scale);
    }
    if (count == 1) {
        return keys[0].mValue;
    }
    unsigned k = 0;
    while (k + 2 < count && time >= keys[k + 1].mTime) {
        k++;
    }
    check_end(time, keys[count - 1].mTime);
    return blend(keys[k].mValue, keys[k + 1].mValue, share_of_line(time, keys[k].mTime, keys[k + 1].mTime));
}

static struct aiQuaternion interpolate_rotation(const struct aiQuatKey *keys, unsigned count, double time)
{
    if (is_missing(count)) {
        return (struct aiQuaternion){.w = 1};
    }
    if (count == 1) {
        return stored(keys[0].mValue);
    }
    unsigned k = 0;
    while (k + 2 < count && time >= keys[k + 1].mTime) {
        k++;
    }
    check_end(time, keys[count - 1].mTime);
    return turn(stored(keys[k].mValue), stored(keys[k + 1].mValue), share_of_line(time, keys[k].mTime, keys[k + 1].mTime));
}

static struct mat4 update(const struct aiNodeAnim *bone, double time)
{
    struct aiVector3D t = {0, 0, 0};
    if (!makes(TRANSLATION_DROPPED)) {
        t = interpolate_vector(bone->mPositionKeys, bone->mNumPositionKeys, time, false);
    }
    return compose(t, interpolate_rotation(bone->mRotationKeys, bone->mNumRotationKeys, time),
                   interpolate_vector(bone->mScalingKeys, bone->mNumScalingKeys, time, true));
}

static struct mat4 *last_of(const struct aiNode *node)
{
    for (int i = 0; i < last_count; i++) {
        if (last[i].node == node) {
            return &last[i].global;
        }
    }
    last = realloc(last, (size_t)(last_count + 1) * sizeof *last);
    last[last_count].node = node;
    last[last_count].global = identity4();
    return &last[last_count++].global;
}

struct frame {
    const struct aiAnimation *clip;
    double time;
    struct mat4 *final_bones;
    struct rigproof_answer *answer; /* NULL: only last frame's globals are computed */
};

static void calculate_bone_transform(const struct frame *frame, const struct aiNode *node, struct mat4 parent)
{
    const struct aiNodeAnim *bone = channel_of(frame->clip, node);
    struct mat4 local = bone ? update(bone, frame->time) : rest_of(node, frame->clip != NULL);
    struct mat4 global = joined(parent, local);
    struct mat4 handed_on = global;
    int id = find_info(node->mName.data);
    if (makes(ROOT_INVERSE_EXTRA) && id >= 0) {
        const struct aiNode *root = node;
        while (root->mParent) {
            root = root->mParent;
        }
        frame->final_bones[id] =
            multiply(inverse(from_assimp(&root->mTransformation)), entry_of(global, infos[id].offset));
    } else if (id >= 0) {
        frame->final_bones[id] = entry_of(global, infos[id].offset);
    }
    if (frame->answer) {
        tell_node(frame->answer, node, local, global);
        handed_on = makes(STALE_PARENT) ? *last_of(node) : global;
    } else {
        *last_of(node) = global;
    }
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        calculate_bone_transform(frame, node->mChildren[i], handed_on);
    }
}

static double ticks_at(const struct aiAnimation *clip, double seconds)
{
    double rate = rate_of((int)clip->mTicksPerSecond);
    double ticks = seconds_asked(clip, seconds, clip->mTicksPerSecond) * rate;
    return makes(LOOP_RULE) ? fmin(ticks, clip->mDuration) : clip->mDuration > 0 ? fmod(ticks, clip->mDuration) : 0;
}

static bool pose(const struct aiScene *scene, const struct aiAnimation *clip, const struct rigproof_request *request,
                 struct rigproof_answer *answer)
{
    read_missing_bones(clip);
    int count = info_count > 0 ? info_count : 1;
    struct mat4 *final_bones = calloc((size_t)count, sizeof *final_bones);
    struct mat4 *uploaded = calloc((size_t)count, sizeof *uploaded);
    int *ids = calloc((size_t)count, sizeof *ids);
    last_count = 0;
    for (int i = 0; i < info_count; i++) {
        final_bones[i] = identity4();
    }
    struct frame before = {clip, clip ? ticks_at(clip, request->time - 1.0 / 30) : 0, final_bones, NULL};
    struct frame now = {clip, clip ? ticks_at(clip, request->time) : 0, final_bones, answer};
    if (makes(STALE_PARENT)) {
        calculate_bone_transform(&before, scene->mRootNode, placement);
    }
    calculate_bone_transform(&now, scene->mRootNode, placement);
    const int limit = info_count < MAX_BONES ? info_count : MAX_BONES;
    for (int i = 0; i < limit; i++) {
        uploaded[i] = final_bones[place_of(i, info_count, names)];
    }
    rigproof_palette_flat(answer, uploaded->m, (size_t)limit, names);
    static const struct vertex_rules rules = {.whole_precision = true, .bone_limit = MAX_BONES};
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        for (unsigned b = 0; b < mesh->mNumBones; b++) {
            ids[b] = find_info(mesh->mBones[b]->mName.data);
        }
        if (mesh->mNumBones > 0) {
            struct vertex_bones bones = {ids, uploaded, limit};
            tell_skin(answer, mesh, &rules, &bones);
        }
    }
    free(final_bones);
    free(uploaded);
    free(ids);
    return true;
}

static const enum fault cannot[] = {
    OFFSET_FIRST_OF_SCENE, BONES_CUT,           WEIGHTS_FIRST_FOUR,        WEIGHTS_NOT_RESCALED, ROOT_INVERSE_MISSING,
    ROOT_INVERSE_TWICE,    WEIGHTS_NOT_DIVIDED, NORMAL_BY_POSITION_MATRIX, FAULT_COUNT};

const struct engine learnopengl = {
    .way = "learnopengl",
    .space = "scene",
    .storage = "columns",
    .bones = "scene",
    .import_flags = aiProcess_Triangulate | aiProcess_GenSmoothNormals,
    .rate = 0,
    .load = load,
    .pose = pose,
    .cannot = cannot,
    .traits = "offset-first-of-scene bones-cut weights-first-four weights-not-divided time-scale loop-rule before-first-key "
              "step-as-linear cubic-as-linear",
};
