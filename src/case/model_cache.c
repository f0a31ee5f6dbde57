/* Models and subjects that a worker has, and those it was handed at its beginning. */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "case/case_inputs.h"
#include "case/run_case.h"

static void release(struct model *model)
{
    gpu_model_destroy(model->gpu);
    scene_free(model->scene);
    arena_destroy(model->arena);
    text_release(&model->import_json);
    free(model->key);
    free(model->candidate);
    *model = (struct model){0};
}

/* An empty place, or that of the model unused for longest, takes what is not there yet. */
struct model *model_cache_get(struct model_cache *cache, const char *path, const struct settings *settings,
                              struct error *err)
{
    struct text key = {0};
    struct model *model = NULL, *oldest = &cache->models[0];
    char hash[17];
    import_key(path, settings, &key);
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
        file_hash(path, hash); /* before: a file that changes meanwhile is then known to be another one */
        model->scene = pipeline_import(path, settings, &model->failure);
        const uint32_t count = model->scene ? model->scene->file_count : 0;
        const size_t room = count * (sizeof *model->files + PATH_MAX + 64);
        model->arena = model->scene ? arena_create(snapshot_bytes(model->scene) + room, &model->failure) : NULL;
        model->files = model->arena ? ARENA_NEW(model->arena, struct source, count) : NULL;
        for (uint32_t i = 0; model->arena && i < count; i++) {
            model->files[i] = source_look(model->scene->files[i], model->arena);
            bool was_read = path_is_in_model_tree(path, model->scene->files[i]);
            for (size_t k = 0; !was_read && k < settings->clips_from_count; k++)
                was_read = path_is_in_model_tree(settings->clips_from[k], model->scene->files[i]);
            model->files[i].hash = was_read ? model->files[i].hash : NULL;
            if (strcmp(model->scene->files[i], path) == 0 && *hash)
                model->files[i].hash = arena_string(model->arena, hash);
        }
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

bool model_is_same(const char *path, const struct settings *settings, const char *other_path,
                   const struct settings *other)
{
    SCOPED(text) key = {0}, other_key = {0};
    import_key(path, settings, &key);
    import_key(other_path, other, &other_key);
    return strcmp(text_string(&key), text_string(&other_key)) == 0;
}

void model_cache_forget(struct model_cache *cache)
{
    for (struct model *model = cache->models; model < cache->models + MODEL_CACHE_SIZE; model++) {
        SCOPED_ARENA arena = arena_require(16 << 20);
        bool is_same = model->arena != NULL;
        for (uint32_t i = 0; is_same && i < model->scene->file_count; i++) {
            const struct source now = source_look(model->scene->files[i], arena);
            is_same = source_equal(&model->files[i], &now);
        }
        if (!is_same)
            release(model);
    }
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
    for (int i = 0; i < SUBJECT_CACHE_SIZE; i++)
        subject_destroy(cache->subjects[i]);
}

struct subject *model_cache_subject(struct model_cache *cache, const struct subject_spec *spec)
{
    int place = 0;
    while (place < SUBJECT_CACHE_SIZE && cache->subjects[place] && cache->subjects[place]->spec != spec)
        place++;
    if (place == SUBJECT_CACHE_SIZE) { /* many subjects take turns */
        subject_destroy(cache->subjects[0]);
        memmove(cache->subjects, cache->subjects + 1, (SUBJECT_CACHE_SIZE - 1) * sizeof *cache->subjects);
        cache->subjects[--place] = NULL;
    }
    if (!cache->subjects[place])
        cache->subjects[place] = subject_create(spec);
    return cache->subjects[place];
}
