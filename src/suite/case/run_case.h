#ifndef RIGPROOF_SUITE_RUN_CASE_H
#define RIGPROOF_SUITE_RUN_CASE_H

#include "data/result/result.h"
#include "data/record/snapshot.h"
#include "suite/file/suite_file.h"

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

/* When the candidates of a run are written to the output folder. */
enum keep { KEEP_FAILED, KEEP_ALL };

struct run_options {
    const char *output;        /* folder of results and candidates */
    const char *suite_argument;/* the suite's path as typed, for commands to copy */
    const char *arguments;     /* what goes into such a command besides, quoted: " --goldens out/a", or "" */
    enum keep keep;
    enum backend backend;
    const char *rigproof;      /* version */
};

/*
 * One case from model to verdict: import -> pose -> agree -> draw -> judge. Fills a result that points into `arena`, the
 * suite and the model cache. Files are written below options->output only.
 */
void run_case(const struct suite *suite, size_t index, const struct run_options *options, struct renderer *renderer,
              struct model_cache *cache, struct arena *arena, struct case_result *result);

/* A result for a case that did not run to its end. */
void case_result_init(const struct suite_case *c, const struct run_options *options, struct arena *arena,
                      struct case_result *result);

/* "rigproof VERB SUITE OPTION VALUE ARGUMENTS", quoted for a shell: what repeats or accepts a case, or prunes. */
char *command_line(const struct run_options *options, struct arena *arena, const char *verb, const char *option,
                   const char *value);

/* Whether that entry of a case's fingerprints is of the case alone, and not of the run. */
bool case_owns(const char *name);

#endif
