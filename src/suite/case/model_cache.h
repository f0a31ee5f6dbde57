#ifndef RIGPROOF_SUITE_MODEL_CACHE_H
#define RIGPROOF_SUITE_MODEL_CACHE_H

#include "data/record/snapshot.h"
#include "draw/draw.h"
#include "suite/setting/settings.h"

/*
 * The models a worker has imported, so that the cases of one model import it once. A few stay; the one unused for
 * longest goes. A failed import is remembered too: a model that takes 30 s to time out does so once.
 */

struct model {
    struct scene *scene;
    const struct import_snapshot *snapshot;
    struct text import_json;  /* the bytes of import.json */
    struct gpu_model *gpu;    /* NULL until model_gpu() */

    /* the cache's own */
    char *key;
    struct arena *arena;
    struct error failure;
    unsigned long used;
};

enum { MODEL_CACHE_SIZE = 4 };

struct model_cache {
    struct model models[MODEL_CACHE_SIZE];
    unsigned long clock; /* counts uses */
};

/* Appends what two cases must have in common to share an import, and a worker: the path and settings of the import. */
void model_key(const char *path, const struct settings *settings, struct text *out);

/* The model, imported if need be. Owned by the cache, good until MODEL_CACHE_SIZE - 1 others were asked for. NULL with err set. */
struct model *model_cache_get(struct model_cache *cache, const char *path, const struct settings *settings,
                              struct error *err);

/* Its meshes and textures in GL's memory, uploaded as the settings say; owned by the model. NULL with err set. */
struct gpu_model *model_gpu(struct model *model, struct renderer *renderer, const struct settings *settings,
                            struct error *err);

/* Before the renderer goes. */
void model_cache_release(struct model_cache *cache);

#endif
