#include "suite/case/model_cache.h"

#include <stdlib.h>
#include <string.h>

#include "suite/pipeline.h"

void model_key(const char *path, const struct settings *settings, struct text *out)
{
    text_add(out, path);
    text_addf(out, "|%u|%u|%u|", settings->import.repairs, settings->import.assimp_flags, settings->influences);
    text_add_double(out, settings->import.timeout_seconds);
    text_addf(out, "|%zu", settings->import.memory_mib);
    for (size_t i = 0; i < settings->clips_from_count; i++)
        text_addf(out, "|%s", settings->clips_from[i]);
    text_addf(out, "|%s|", settings->clip_options.prefix ? settings->clip_options.prefix : "");
    text_add_double(out, settings->clip_options.scale);
}

static void release(struct model *model)
{
    gpu_model_destroy(model->gpu);
    scene_free(model->scene);
    arena_destroy(model->arena);
    text_release(&model->import_json);
    free(model->key);
    *model = (struct model){0};
}

/* An empty place, or that of the model unused for longest, takes what is not there yet. */
struct model *model_cache_get(struct model_cache *cache, const char *path, const struct settings *settings,
                              struct error *err)
{
    struct text key = {0};
    struct model *model = NULL, *oldest = &cache->models[0];
    model_key(path, settings, &key);
    for (int i = 0; i < MODEL_CACHE_SIZE; i++) {
        struct model *each = &cache->models[i];
        model = each->key && strcmp(each->key, text_string(&key)) == 0 ? each : model;
        oldest = each->used < oldest->used ? each : oldest;
    }
    if (model) {
        text_release(&key);
    } else {
        model = oldest;
        release(model);
        model->key = key.data;
        model->scene = pipeline_import(path, settings, &model->failure);
        model->arena = model->scene ? arena_create(snapshot_bytes(model->scene), &model->failure) : NULL;
        if (model->arena) {
            model->snapshot = import_snapshot_gather(model->scene, model->arena);
            import_snapshot_write(model->snapshot, &model->import_json);
        }
    }
    model->used = ++cache->clock;
    if (!error_is_set(&model->failure))
        return model;
    *err = model->failure;
    return NULL;
}

struct gpu_model *model_gpu(struct model *model, struct renderer *renderer, const struct settings *settings,
                            struct error *err)
{
    if (!model->gpu)
        model->gpu = gpu_model_create(renderer, model->scene, err);
    return model->gpu && pipeline_set_upload(settings, renderer, model->gpu, err) ? model->gpu : NULL;
}

void model_cache_release(struct model_cache *cache)
{
    for (int i = 0; i < MODEL_CACHE_SIZE; i++)
        release(&cache->models[i]);
}
