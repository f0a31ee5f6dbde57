#pragma once

#include "base/text.h"
#include "data/scene/scene.h"

/*
 * Looks if a model survives an engine that was written after one of the field's texts, or has no more than an API
 * guarantees. Each check is a row of a table (examine.c). Where a text changes what is seen, the model is played as it
 * would play it, and its vertices are held against those of our own pipeline.
 */

enum survival_engine {
    ENGINE_LEARNOPENGL,     /* LearnOpenGL, "Skeletal Animation" */
    ENGINE_OGLDEV,          /* ogldev, tutorial 38 */
    ENGINE_GLTF_ARTICLE,    /* lisyarus' article on glTF animation */
    ENGINE_PALETTE_ARTICLE, /* a matrix palette in C++ with SDL2 and GL 4.5 */
    ENGINE_THESIS,          /* a thesis on animating human skeletons */
    ENGINE_GLES3,           /* what OpenGL ES 3.0 guarantees */
    ENGINE_WEBGL2,          /* what WebGL 2 guarantees */
    ENGINE_COUNT,
};

/* As `--for` has them, "learnopengl"; and for a heading. */
extern const char *const survival_engine_names[ENGINE_COUNT];

enum survival_effect {
    EFFECT_NOTE,    /* not seen, or only in a picture that the sentence names */
    EFFECT_CHANGES, /* the picture is another */
    EFFECT_BREAKS,  /* it stops, reads out of bounds or cannot load the file */
    EFFECT_COUNT,
};
extern const char *const survival_effect_names[EFFECT_COUNT];

/* A displacement is seen from this share of the model's radius on: 2.5 pixels where the model fills 512. */
#define SURVIVAL_VISIBLE 0.01

/* Normals are seen from this angle on: 9 levels of 255 of a diffuse light. */
#define SURVIVAL_VISIBLE_DEGREES 2.0

struct survival_finding {
    const char *check; /* its id: "influences" */
    enum survival_effect effect;
    double measure;
    const char *unit;  /* of the measure: "bones", "scene units", "degrees" */
    double limit;      /* what the engine bears, in that unit; NAN where it is not a number */
    double share;      /* of a displacement: of the model's radius; else NAN */
    const char *clip;  /* of what is measured in one: where it is largest; else NULL, which the rest pose is too */
    double time;       /* seconds, of the clip; else NAN */
    const char *text;  /* a sentence without its full stop */
    const char *remedy;
};

struct survival_engine_result {
    const char *engine;
    bool survives; /* no finding breaks it or changes what is seen */
    uint32_t finding_count;
    struct survival_finding *findings; /* as the table has them */
};

struct survival {
    const char *model; /* base name of the file */
    const char *assimp_version;
    double radius; /* of the model at rest, in scene units; 0 without a mesh */
    uint32_t engine_count;
    struct survival_engine_result *engines;
};

#define SURVIVAL_FORMAT "rigproof.survival/1"

/*
 * `raw` is what an engine's import makes of the same file: Assimp's, with no repairs but "tick-rate", which is the
 * engines' own, and "gltf-integers", without which Assimp hands over what is in memory by chance. NULL: it cannot read
 * it.
 */
struct survival_input {
    const struct scene *scene;
    const struct scene *raw;
    const char *raw_error; /* where raw is NULL */
    unsigned engines;      /* bits: 1 << enum survival_engine */
};

/* In the arena, which must be large: poses and vertices of each altered model are in it. The scenes may go. */
struct survival *survival_examine(const struct survival_input *input, struct arena *arena);

/* Returns whether all engines are survived. */
bool survival_is_good(const struct survival *survival);

/* Writes what `inspect --for` prints: a line per engine and one below it for each finding; and with --json. */
void survival_write_text(const struct survival *survival, struct text *out);
void survival_write_json(const struct survival *survival, struct text *out);
