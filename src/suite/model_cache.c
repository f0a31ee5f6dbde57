#include "suite/model_cache.h"

#include <stdlib.h>
#include <string.h>

#include "suite/pipeline.h"

void model_key(const char *path, const struct settings *settings, struct text *out)
{
    text_add(out, path);
    text_addf(out, "|%u|%u|", settings->import.repairs, settings->influences);
    text_add_double(out, settings->import.timeout_seconds);
    text_addf(out, "|%zu", settings->import.memory_mib);
    for (size_t i = 0; i < settings->clips_from_count; i++)
        text_addf(out, "|%s", settings->clips_from[i]);
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

/* The most that an account of a scene takes, bones and keys included; what is not touched costs nothing. */
static size_t evidence_size(const struct scene *scene)
{
    size_t channels = 0;
    for (uint32_t i = 0; i < scene->clip_count; i++)
        channels += scene->clips[i].channel_count + scene->clips[i].morph_count + 1;
    return ((size_t)4 << 20) + 1024 * channels + 512 * ((size_t)scene->node_count + scene->binding_count) +
           8 * 1024 * ((size_t)scene->mesh_count + scene->material_count + scene->texture_count) + 64 * (size_t)scene->note_count;
}

static void load(struct model *model, const char *path, const struct settings *settings)
{
    model->scene = pipeline_import(path, settings, &model->failure);
    if (!model->scene || !(model->arena = arena_create(evidence_size(model->scene), &model->failure)))
        return;
    model->evidence = import_evidence_gather(model->scene, model->arena);
    import_evidence_write(model->evidence, &model->import_json);
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

struct gpu_model *model_gpu(struct model *model, struct renderer *renderer, struct error *err)
{
    if (!model->gpu)
        model->gpu = gpu_model_create(renderer, model->scene, err);
    return model->gpu;
}

void model_cache_release(struct model_cache *cache)
{
    for (int i = 0; i < MODEL_CACHE_SIZE; i++)
        release(&cache->models[i]);
}
