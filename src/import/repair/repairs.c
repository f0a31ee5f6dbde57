#include "import/import.h"

#include <stdio.h>
#include <string.h>

#include "base/names.h"

/* Row i is bit i of enum repair. */
static const struct {
    const char *name;
    const char *what;
} repairs[] = {
    {"fbx-pivots", "static pivot nodes above a channel that already holds them (FBX, Assimp 5.1.0 to 5.4.3)"},
    {"name-clash", "bones and channels bound to a mesh node of the same name"},
    {"gltf-interpolation", "STEP and CUBICSPLINE lost by Assimp before 6.0.5"},
    {"gltf-integers", "normalised integer weights, rotations and morph weights copied bytewise"},
    {"gltf-morph", "cubic morph weights mis-sliced, negative ones clamped, those of a node at rest left out"},
    {"normalise-weights", "weights of a vertex that do not add up to 1"},
    {"unweighted", "vertices without weights, which follow the mesh node"},
    {"fbx-offsets", "bone offsets that Assimp 5.4.0 to 5.4.3 gets wrong"},
    {"fbx-root-axes", "the axis matrix that Assimp 5.4 and later put on an FBX root"},
    {"tick-rate", "clips without a tick rate, which play at 25 ticks per second"},
    {"fbx-shapes", "blend shapes of FBX that rest at full weight"},
    {"mdl-durations", "clips of Half-Life's MDL that last a second for every frame"},
    {"mdl-parents", "bones of Half-Life's MDL that Assimp before 5.4 lists without their parents"},
    {"dae-clips", "the one animation of a COLLADA file without <animation_clip>, which Assimp splits into clips"},
    {"gltf-inverse-bind", "skins without inverseBindMatrices, on which Assimp crashes: the identity for each joint"},
    {"mdl-root-axes", "the root of Half-Life's MDL, which Assimp 5.4 and later turns as if it were Quake's"},
    {"fbx-curves", "straight lines that Assimp plays between the keys of an FBX file's curves"},
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

static bool complain(const char *word, struct error *err)
{
    const char *names[REPAIR_COUNT + 2] = {"all", "none"};
    for (unsigned i = 0; i < REPAIR_COUNT; i++)
        names[i + 2] = repairs[i].name;
    const char *near = name_nearest(word, names, REPAIR_COUNT + 2);
    if (near)
        return error_set(err, "unknown repair \"%s\"; did you mean \"%s\"?", word, near);
    return error_set(err, "unknown repair \"%s\"; \"all\", \"none\" or names such as \"%s\" are known", word,
                     repairs[0].name);
}

bool repair_parse(const char *text, uint32_t *bits, struct error *err)
{
    uint32_t sum = 0;
    for (const char *at = text;; at++) {
        char word[64];
        size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        at += length;
        bool is_all = strcmp(word, "all") == 0, is_none = strcmp(word, "none") == 0;
        unsigned i = 0;
        while (i < REPAIR_COUNT && strcmp(word, repairs[i].name) != 0)
            i++;
        if (length == 0)
            return error_set(err, "empty name in the list of repairs \"%s\"", text);
        if (i == REPAIR_COUNT && !is_all && !is_none)
            return complain(word, err);
        if ((is_all || is_none) && length != strlen(text))
            return error_set(err, "\"%s\" cannot be combined with other repairs", word);
        sum |= is_all ? REPAIR_ALL : is_none ? 0 : 1u << i;
        if (*at == '\0')
            break;
    }
    *bits = sum;
    return true;
}
