#pragma once

#include "base/text.h"
#include "data/scene/scene.h"

/* A model in a line, for a folder full of them: what `inspect --brief` prints. */

#define BRIEF_FORMAT "rigproof.brief/1"

struct brief_clip {
    const char *name;
    double duration; /* seconds */
};

struct brief {
    const char *model; /* the path as given */
    uint32_t nodes;
    uint32_t bones; /* of the nodes */
    uint32_t meshes;
    size_t vertices, triangles; /* of all meshes */
    uint32_t most_influences;   /* of a vertex; 0: no mesh is skinned */
    uint32_t repairs, warnings; /* notes of the import */
    uint32_t clip_count;
    struct brief_clip *clips;
};

/* Names are copied: the scene may go. */
void brief_gather(const struct scene *scene, const char *name, struct arena *arena, struct brief *out);

/* A table with a line a model, under one of headings. */
void briefs_write_text(const struct brief *briefs, size_t count, struct text *out);

/* On one line. */
void brief_write_json(const struct brief *brief, struct text *out);
