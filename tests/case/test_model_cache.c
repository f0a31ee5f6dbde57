/* A model is imported once for all its cases. */

#include "data/scene/scene.h"
#include "run_binary.h"
#include "case/run_case.h"

static const char *const models[] = {FIXTURES "/strip/strip.gltf", FIXTURES "/twins/twins.gltf",
                                     FIXTURES "/sheaf/sheaf.x", FIXTURES "/ticks/ticks.x",
                                     FIXTURES "/strip/morph.gltf"};

static struct scene *scene_of(struct model_cache *cache, const char *path, const struct settings *settings)
{
    struct model *model = assert_good(model_cache_get(cache, path, settings, err));
    return model->scene;
}

TEST(one_model_is_imported_once)
{
    struct model_cache cache = {0};
    SCOPED(settings) settings;
    settings_init(&settings);
    struct scene *first = scene_of(&cache, models[0], &settings);
    assert_ptr_equal(scene_of(&cache, models[0], &settings), first);
    settings.width = 17; /* not of the import */
    settings.view = VIEW_NORMALS;
    assert_ptr_equal(scene_of(&cache, models[0], &settings), first);
    settings.influences = 8;
    assert_ptr_not_equal(scene_of(&cache, models[0], &settings), first);
    settings.influences = 4;
    assert_ptr_equal(scene_of(&cache, models[0], &settings), first);
    model_cache_release(&cache);
}

/* Says if the model is still there: its key is, and asking for it imports nothing. */
static bool holds(const struct model_cache *cache, const char *path)
{
    for (int i = 0; i < MODEL_CACHE_SIZE; i++)
        if (cache->models[i].key && strncmp(cache->models[i].key, path, strlen(path)) == 0)
            return true;
    return false;
}

TEST(longest_unused_goes)
{
    struct model_cache cache = {0};
    SCOPED(settings) settings;
    settings_init(&settings);
    for (int i = 0; i < 4; i++)
        scene_of(&cache, models[i], &settings);
    struct scene *kept = scene_of(&cache, models[0], &settings);
    scene_of(&cache, models[4], &settings);
    assert_true(holds(&cache, models[0]) && !holds(&cache, models[1]) && holds(&cache, models[4]));
    assert_ptr_equal(scene_of(&cache, models[0], &settings), kept);
    scene_of(&cache, models[1], &settings);
    assert_true(holds(&cache, models[0]) && !holds(&cache, models[2]) && holds(&cache, models[3]));
    model_cache_release(&cache);
}

/* A failure is remembered with its message: the file may be fixed meanwhile, the run is one. */
SCRATCH_TEST(failure_is_remembered)
{
    struct model_cache cache = {0};
    SCOPED(settings) settings;
    struct error err = {0}, again = {0};
    settings_init(&settings);
    spill("model.gltf", "{}");
    assert_null(model_cache_get(&cache, "model.gltf", &settings, &err));
    assert_contains(err.text, "model.gltf");
    unlink("model.gltf");
    assert_int_equal(symlink(models[0], "model.gltf"), 0);
    assert_null(model_cache_get(&cache, "model.gltf", &settings, &again));
    assert_string_equal(again.text, err.text);
    settings.import.repairs = 0;
    assert_non_null(scene_of(&cache, "model.gltf", &settings));
    model_cache_release(&cache);
}

TEST(keys_tell_imports_apart)
{
    SCOPED(settings) settings;
    struct text keys[6] = {{0}};
    settings_init(&settings);
    for (int i = 0; i < 6; i++) { /* each has what those before it have, and one more */
        settings.import.repairs ^= i == 1;
        settings.import.timeout_seconds = i >= 2 ? 0.5 : 10;
        settings.import.memory_mib = i >= 3 ? 7 : 512;
        settings.influences = i >= 4 ? 0 : 4;
        settings.clips_from_count = i >= 5;
        settings.clips_from[0] = "b";
        import_key("a", &settings, &keys[i]);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(text_string(&keys[i]), text_string(&keys[k]));
    }
    for (int i = 0; i < 6; i++)
        text_release(&keys[i]);
    settings.clips_from_count = 0;
}
