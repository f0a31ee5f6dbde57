#include "import/import.h"

#include <stdio.h>
#include <string.h>

#include <assimp/postprocess.h>

#include "base/names.h"
#include "import/assimp/library.h"

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

enum { NAMES = sizeof steps / sizeof steps[0], STEPS = NAMES - 8 };

/* The bits of a word; false with err set. */
static bool find_flag(const char *word, uint32_t *flags, struct error *err)
{
    const char *names[NAMES + 1] = {"none"};
    for (size_t i = 0; i < NAMES; i++) {
        names[i + 1] = steps[i].name;
        if (strcmp(word, steps[i].name) != 0)
            continue;
        *flags |= steps[i].flags;
        return !steps[i].refused || error_set(err, "`%s` is not supported: %s", word, steps[i].refused);
    }
    const char *near = name_nearest(word, names, NAMES + 1);
    return error_set(err, "no step `%s`; %s%s%s", word,
                     near ? "did you mean `" : "there are join-identical, limit-weights, ",
                     near ? near : "realtime-quality and others, see the manual page", near ? "`?" : "");
}

bool assimp_flags_parse(const char *text, uint32_t *out, struct error *err)
{
    uint32_t flags = 0;
    for (const char *at = text; strcmp(text, "none") != 0; at++) {
        char word[64];
        size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (!find_flag(word, &flags, err))
            return false;
        at += length;
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
