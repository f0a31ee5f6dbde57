#include "import/assimp/options.h"

#include <stdio.h>
#include <string.h>

#include <assimp/postprocess.h>

#include "base/names.h"

/*
 * Takes the word at `*at` off a list with commas, cut off at 63 bytes. Returns its place among the names; `count`: it
 * is none of them, and `*near` is the nearest or NULL.
 */
static size_t take_word(const char **at, char word[static 64], const char *const *names, size_t count,
                        const char **near)
{
    const size_t length = strcspn(*at, ",");
    size_t found = 0;
    snprintf(word, 64, "%.*s", (int)length, *at);
    *at += length;
    while (found < count && strcmp(word, names[found]) != 0)
        found++;
    *near = found == count ? name_nearest(word, names, count) : NULL;
    return found;
}

#define REPAIR_ROW(id, name, what) {name, what},
static const struct {
    const char *name, *what;
} repairs[] = {REPAIRS(REPAIR_ROW)};

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
    const char *names[REPAIR_COUNT + 2] = {"all", "none"}, *near;
    uint32_t sum = 0;
    for (unsigned i = 0; i < REPAIR_COUNT; i++)
        names[i + 2] = repairs[i].name;
    for (const char *at = text;; at++) {
        char word[64];
        const size_t found = take_word(&at, word, names, REPAIR_COUNT + 2, &near);
        if (!word[0])
            return error_set(err, "empty name in the list of repairs \"%s\"", text);
        if (near)
            return error_set(err, "unknown repair \"%s\"; did you mean \"%s\"?", word, near);
        if (found == REPAIR_COUNT + 2)
            return error_set(err, "unknown repair \"%s\"; \"all\", \"none\" or names such as \"%s\" are known", word,
                             repairs[0].name);
        if (found < 2 && strcmp(word, text) != 0)
            return error_set(err, "\"%s\" cannot be combined with other repairs", word);
        sum |= found == 0 ? REPAIR_ALL : found == 1 ? 0 : 1u << (found - 2);
        if (*at == '\0')
            break;
    }
    *bits = sum;
    return true;
}

static const char mirrors[] =
    "the scene is right-handed and its front faces are counter-clockwise, as the files have it: what "
    "your engine mirrors, it mirrors for the reference as well";

/* Steps that Assimp can take after the import, by the name of their flag; behind them its own combinations, and what
 * is refused. */
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
    const char *names[NAMES + 1] = {"none"}, *near;
    uint32_t flags = 0;
    for (size_t i = 0; i < NAMES; i++)
        names[i + 1] = steps[i].name;
    for (const char *at = text; strcmp(text, "none") != 0; at++) {
        char word[64];
        const size_t found = take_word(&at, word, names, NAMES + 1, &near);
        if (found == 0)
            return error_set(err, "`none` cannot be combined with other steps");
        if (found > NAMES)
            return error_set(err, "unknown step `%s`; %s%s%s", word,
                             near ? "did you mean `" : "there are join-identical, limit-weights, ",
                             near ? near : "realtime-quality and others, see the manual page", near ? "`?" : "");
        if (steps[found - 1].refused)
            return error_set(err, "`%s` is not supported: %s", word, steps[found - 1].refused);
        flags |= steps[found - 1].flags;
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
