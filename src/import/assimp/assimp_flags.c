#include "import/import.h"

#include <stdio.h>
#include <string.h>

#include <assimp/postprocess.h>

#include "base/names.h"
#include "import/assimp/assimp_flags.h"

/* Steps that Assimp can take after the import, by the name of their flag, and what they do to the order of things. */
static const struct {
    const char *name;
    uint32_t flag;
    unsigned effects; /* enum flag_effect */
} steps[] = {
    {"calc-tangents", aiProcess_CalcTangentSpace, 0},
    {"join-identical", aiProcess_JoinIdenticalVertices, CHANGES_VERTICES},
    {"gen-normals", aiProcess_GenNormals, 0},
    {"gen-smooth-normals", aiProcess_GenSmoothNormals, 0},
    {"split-large-meshes", aiProcess_SplitLargeMeshes, CHANGES_VERTICES | CHANGES_MESHES},
    {"limit-weights", aiProcess_LimitBoneWeights, CHANGES_WEIGHTS},
    {"validate", aiProcess_ValidateDataStructure, 0},
    {"improve-cache-locality", aiProcess_ImproveCacheLocality, 0},
    {"remove-redundant-materials", aiProcess_RemoveRedundantMaterials, 0},
    {"fix-infacing-normals", aiProcess_FixInfacingNormals, 0},
    {"populate-armature-data", aiProcess_PopulateArmatureData, 0},
    {"sort-by-ptype", aiProcess_SortByPType, CHANGES_VERTICES | CHANGES_MESHES},
    {"find-degenerates", aiProcess_FindDegenerates, 0},
    {"find-invalid-data", aiProcess_FindInvalidData, CHANGES_KEYS},
    {"gen-uv-coords", aiProcess_GenUVCoords, 0},
    {"find-instances", aiProcess_FindInstances, CHANGES_MESHES},
    {"optimize-meshes", aiProcess_OptimizeMeshes, CHANGES_VERTICES | CHANGES_MESHES},
    {"optimize-graph", aiProcess_OptimizeGraph, CHANGES_VERTICES | CHANGES_MESHES | CHANGES_NODES},
    {"split-by-bone-count", aiProcess_SplitByBoneCount, CHANGES_VERTICES | CHANGES_MESHES},
    {"debone", aiProcess_Debone, CHANGES_VERTICES | CHANGES_WEIGHTS | CHANGES_MESHES},
    {"global-scale", aiProcess_GlobalScale, 0},
};

/* Assimp's own combinations. */
static const struct {
    const char *name;
    uint32_t flags;
} presets[] = {
    {"realtime-fast", aiProcessPreset_TargetRealtime_Fast},
    {"realtime-quality", aiProcessPreset_TargetRealtime_Quality},
    {"realtime-max-quality", aiProcessPreset_TargetRealtime_MaxQuality},
};

static const char mirrors[] = "the scene is right-handed and its front faces are counter-clockwise, as the files have it: what "
                              "your engine mirrors, it mirrors for the reference as well";

static const struct {
    const char *name;
    const char *why;
} refused[] = {
    {"pre-transform", "it takes the skeleton and the clips away"},
    {"make-left-handed", mirrors},
    {"flip-winding", mirrors},
    {"convert-to-left-handed", mirrors},
    {"flip-uvs", "textures are drawn with v as files have it: it would only turn them upside down"},
};

enum {
    STEPS = sizeof steps / sizeof steps[0],
    PRESETS = sizeof presets / sizeof presets[0],
    REFUSED = sizeof refused / sizeof refused[0],
};

/* The bits of a word; false with err set. */
static bool find_flag(const char *word, uint32_t *flags, struct error *err)
{
    const char *names[STEPS + PRESETS + REFUSED + 1] = {"none"};
    size_t count = 1;
    for (size_t i = 0; i < STEPS; i++) {
        names[count++] = steps[i].name;
        if (strcmp(word, steps[i].name) == 0)
            return (*flags |= steps[i].flag) != 0;
    }
    for (size_t i = 0; i < PRESETS; i++) {
        names[count++] = presets[i].name;
        if (strcmp(word, presets[i].name) == 0)
            return (*flags |= presets[i].flags) != 0;
    }
    for (size_t i = 0; i < REFUSED; i++) {
        names[count++] = refused[i].name;
        if (strcmp(word, refused[i].name) == 0)
            return error_set(err, "`%s` is not supported: %s", word, refused[i].why);
    }
    const char *near = name_nearest(word, names, count);
    return error_set(err, "no step `%s`; %s%s%s", word, near ? "did you mean `" : "there are join-identical, limit-weights, ",
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
        if (flags & steps[i].flag)
            text_addf(out, "%s%s", out->size > start ? "," : "", steps[i].name);
    if (out->size == start)
        text_add(out, "none");
}

unsigned assimp_flags_effects(uint32_t flags)
{
    unsigned effects = 0;
    for (size_t i = 0; i < STEPS; i++)
        if (flags & steps[i].flag)
            effects |= steps[i].effects;
    return effects;
}
