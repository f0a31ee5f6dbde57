#include "import/import.h"

#include <stdio.h>
#include <string.h>

#include <assimp/postprocess.h>

#include "base/names.h"
#include "import/assimp/library.h"

/* Takes the word at `*at` off a list with commas, cut off at 63 bytes. Returns its length. */
static size_t take_word(const char **at, char word[static 64])
{
    size_t length = strcspn(*at, ",");
    snprintf(word, 64, "%.*s", (int)length, *at);
    *at += length;
    return length;
}

/* Row i is bit i of enum repair. */
static const struct {
    const char *name;
    const char *what;
} repairs[] = {
    {"fbx-pivots", "static pivot nodes above a channel that already holds them (FBX, Assimp 5.1.0 to 5.4.3)"},
    {"name-clash", "bones and channels bound to a mesh node of the same name"},
    {"gltf-interpolation", "STEP and CUBICSPLINE lost by Assimp before 6.0.5"},
    {"gltf-integers", "integers of vertices, weights, rotations and morph weights copied bytewise"},
    {"gltf-morph", "cubic morph weights mis-sliced, negative ones clamped, those of a node at rest left out"},
    {"normalise-weights", "weights of a vertex that do not add up to 1"},
    {"unweighted", "vertices without weights, which follow the mesh node"},
    {"fbx-offsets", "bone offsets that Assimp 5.4.0 to 5.4.3 gets wrong"},
    {"fbx-root-axes", "the axis matrix that Assimp 5.4 and later put on an FBX root"},
    {"tick-rate", "clips without a tick rate: 60 ticks a second of B3D, 4800 of X whose keys fit that, else 25"},
    {"fbx-shapes", "blend shapes of FBX that rest at full weight, or are left out as they have no normals"},
    {"mdl-durations", "clips of Half-Life's MDL that last a second for every frame"},
    {"mdl-parents", "bones of Half-Life's MDL that Assimp before 5.4 lists without their parents"},
    {"dae-clips", "the clips of a COLLADA file, which Assimp leaves out, or splits where it names none"},
    {"gltf-inverse-bind", "skins without inverseBindMatrices, on which Assimp crashes: the identity for each joint"},
    {"mdl-root-axes", "the root of Half-Life's MDL, which Assimp 5.4 and later turns as if it were Quake's"},
    {"fbx-curves", "straight lines that Assimp plays between the keys of an FBX file's curves"},
    {"gltf-materials", "specular, emissive strength and anisotropy of glTF's extensions, left out by Assimp before 5.3 or 6"},
    {"shared-skin", "nodes of glTF that share a mesh and skin it differently, of which Assimp keeps one"},
    {"dae-curves", "straight lines that Assimp plays between the keys of COLLADA's BEZIER, HERMITE and STEP curves and of angles"},
    {"fbx-geometric", "the geometric transform of a skinned mesh, left out by Assimp before 5.4"},
    {"fbx-numbers", "numbers of more than 31 characters in an ASCII FBX file, which Assimp takes for 0"},
    {"b3d-meshes", "bones and clips of a B3D file with several meshes, or with meshes that are not at the origin"},
    {"ogre-keys", "translations of keys of Ogre, which are in the parent's space and not in the bone's"},
    {"gltf-pointers", "channels of glTF's KHR_animation_pointer that move a node or its morph weights, left out by Assimp"},
    {"gltf-gaps", "glTF files without a scene and accessors without a buffer view, which Assimp refuses"},
    {"dae-instances", "nested nodes, joints, second skeletons, weights and morphed meshes of COLLADA that Assimp loses or mistakes"},
    {"fbx-rotation-space", "pre- and post-rotations and orders of axes of FBX that the model says do not count"},
};

enum { REPAIR_COUNT = sizeof repairs / sizeof repairs[0] };

_Static_assert((1u << REPAIR_COUNT) - 1 == REPAIR_ALL, "one row for each bit of enum repair");

bool repair_describe(unsigned index, const char **name, const char **what)
{
    if (index >= REPAIR_COUNT)
        return false;
    *name = repairs[index].name;
    *what = repairs[index].what;
    return true;
}

bool repair_parse(const char *text, uint32_t *bits, struct error *err)
{
    const char *names[REPAIR_COUNT + 2] = {"all", "none"};
    uint32_t sum = 0;
    for (unsigned i = 0; i < REPAIR_COUNT; i++)
        names[i + 2] = repairs[i].name;
    for (const char *at = text;; at++) {
        char word[64];
        size_t length = take_word(&at, word);
        bool is_all = strcmp(word, "all") == 0, is_none = strcmp(word, "none") == 0;
        unsigned i = 0;
        while (i < REPAIR_COUNT && strcmp(word, repairs[i].name) != 0)
            i++;
        if (length == 0)
            return error_set(err, "empty name in the list of repairs \"%s\"", text);
        if (i == REPAIR_COUNT && !is_all && !is_none) {
            const char *near = name_nearest(word, names, REPAIR_COUNT + 2);
            return near ? error_set(err, "unknown repair \"%s\"; did you mean \"%s\"?", word, near)
                        : error_set(err, "unknown repair \"%s\"; \"all\", \"none\" or names such as \"%s\" are known",
                                    word, repairs[0].name);
        }
        if ((is_all || is_none) && length != strlen(text))
            return error_set(err, "\"%s\" cannot be combined with other repairs", word);
        sum |= is_all ? REPAIR_ALL : is_none ? 0 : 1u << i;
        if (*at == '\0')
            break;
    }
    *bits = sum;
    return true;
}

static const char mirrors[] =
    "the scene is right-handed and its front faces are counter-clockwise, as the files have it: what "
    "your engine mirrors, it mirrors for the reference as well";

/* Steps that Assimp can take after the import, by the name of their flag; behind them its own combinations, and what is refused. */
static const struct {
    const char *name;
    uint32_t flags;
    unsigned effects;    /* enum flag_effect: what it does to the order of things */
    const char *refused; /* why */
} steps[] = {
    {"calc-tangents", aiProcess_CalcTangentSpace},
    {"join-identical", aiProcess_JoinIdenticalVertices, CHANGES_VERTICES},
    {"gen-normals", aiProcess_GenNormals},
    {"gen-smooth-normals", aiProcess_GenSmoothNormals},
    {"split-large-meshes", aiProcess_SplitLargeMeshes, CHANGES_VERTICES | CHANGES_MESHES},
    {"limit-weights", aiProcess_LimitBoneWeights, CHANGES_WEIGHTS},
    {"validate", aiProcess_ValidateDataStructure},
    {"improve-cache-locality", aiProcess_ImproveCacheLocality},
    {"remove-redundant-materials", aiProcess_RemoveRedundantMaterials},
    {"fix-infacing-normals", aiProcess_FixInfacingNormals},
    {"populate-armature-data", aiProcess_PopulateArmatureData},
    {"sort-by-ptype", aiProcess_SortByPType, CHANGES_VERTICES | CHANGES_MESHES},
    {"find-degenerates", aiProcess_FindDegenerates},
    {"find-invalid-data", aiProcess_FindInvalidData, CHANGES_KEYS},
    {"gen-uv-coords", aiProcess_GenUVCoords},
    {"find-instances", aiProcess_FindInstances, CHANGES_MESHES},
    {"optimize-meshes", aiProcess_OptimizeMeshes, CHANGES_VERTICES | CHANGES_MESHES},
    {"optimize-graph", aiProcess_OptimizeGraph, CHANGES_VERTICES | CHANGES_MESHES | CHANGES_NODES},
    {"split-by-bone-count", aiProcess_SplitByBoneCount, CHANGES_VERTICES | CHANGES_MESHES},
    {"debone", aiProcess_Debone, CHANGES_VERTICES | CHANGES_WEIGHTS | CHANGES_MESHES},
    {"global-scale", aiProcess_GlobalScale},
    {"realtime-fast", aiProcessPreset_TargetRealtime_Fast},
    {"realtime-quality", aiProcessPreset_TargetRealtime_Quality},
    {"realtime-max-quality", aiProcessPreset_TargetRealtime_MaxQuality},
    {"pre-transform", .refused = "it takes the skeleton and the clips away"},
    {"make-left-handed", .refused = mirrors},
    {"flip-winding", .refused = mirrors},
    {"convert-to-left-handed", .refused = mirrors},
    {"flip-uvs", .refused = "textures are drawn with v as files have it: it would only turn them upside down"},
};

enum { REFUSED = 5, PRESETS = 3, NAMES = sizeof steps / sizeof steps[0], STEPS = NAMES - PRESETS - REFUSED };

bool assimp_flags_parse(const char *text, uint32_t *out, struct error *err)
{
    uint32_t flags = 0;
    for (const char *at = text; strcmp(text, "none") != 0; at++) {
        char word[64];
        const char *names[NAMES + 1] = {"none"};
        size_t found = 0;
        take_word(&at, word);
        while (found < NAMES && strcmp(word, steps[found].name) != 0)
            found++;
        for (size_t i = 0; i < NAMES; i++)
            names[i + 1] = steps[i].name;
        if (strcmp(word, "none") == 0)
            return error_set(err, "`none` cannot be combined with other steps");
        if (found == NAMES) {
            const char *near = name_nearest(word, names, NAMES + 1);
            return error_set(err, "unknown step `%s`; %s%s%s", word,
                             near ? "did you mean `" : "there are join-identical, limit-weights, ",
                             near ? near : "realtime-quality and others, see the manual page", near ? "`?" : "");
        }
        if (steps[found].refused)
            return error_set(err, "`%s` is not supported: %s", word, steps[found].refused);
        flags |= steps[found].flags;
        if (*at == '\0')
            break;
    }
    if ((flags & aiProcess_GenNormals) && (flags & aiProcess_GenSmoothNormals))
        return error_set(err, "`gen-normals` and `gen-smooth-normals` exclude each other");
    *out = flags & ~(uint32_t)aiProcess_Triangulate;
    return true;
}

void assimp_flags_describe(uint32_t flags, struct text *out)
{
    size_t start = out->size;
    for (size_t i = 0; i < STEPS; i++)
        if (flags & steps[i].flags)
            text_addf(out, "%s%s", out->size > start ? "," : "", steps[i].name);
    if (out->size == start)
        text_add(out, "none");
}

unsigned assimp_flags_effects(uint32_t flags)
{
    unsigned effects = 0;
    for (size_t i = 0; i < STEPS; i++)
        if (flags & steps[i].flags)
            effects |= steps[i].effects;
    return effects;
}
