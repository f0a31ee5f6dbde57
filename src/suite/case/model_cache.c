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

static struct model *find(struct model_cache *cache, const char *key)
{
    for (int i = 0; i < MODEL_CACHE_SIZE; i++)
        if (cache->models[i].key && strcmp(cache->models[i].key, key) == 0)
            return &cache->models[i];
    return NULL;
}

/* An empty place, or that of the model unused for longest. */
static struct model *make_room(struct model_cache *cache)
{
    struct model *oldest = &cache->models[0];
    for (int i = 1; i < MODEL_CACHE_SIZE; i++)
        if (cache->models[i].used < oldest->used)
            oldest = &cache->models[i];
    release(oldest);
    return oldest;
}

static void load(struct model *model, const char *path, const struct settings *settings)
{
    model->scene = pipeline_import(path, settings, &model->failure);
    if (!model->scene || !(model->arena = arena_create(snapshot_bytes(model->scene), &model->failure)))
        return;
    model->snapshot = import_snapshot_gather(model->scene, model->arena);
    import_snapshot_write(model->snapshot, &model->import_json);
}

struct model *model_cache_get(struct model_cache *cache, const char *path, const struct settings *settings,
                              struct error *err)
{
    struct text key = {0};
    model_key(path, settings, &key);
    struct model *model = find(cache, text_string(&key));
    if (!model) {
        model = make_room(cache);
        model->key = key.data;
        load(model, path, settings);
    } else {
        text_release(&key);
    }
    model->used = ++cache->clock;
    if (error_is_set(&model->failure)) {
        *err = model->failure;
        return NULL;
    }
    return model;
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
