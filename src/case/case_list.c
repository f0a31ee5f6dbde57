/* `check --list --json`: what each case would run, with clips and times as the model and the golden resolve them. */
#include <fnmatch.h>
#include <string.h>

#include "base/json.h"
#include "case/run_case.h"

/* As recorded.json has them; null: not given. */
static void add_settings(struct json_writer *json, const struct settings *settings)
{
    SCOPED(text) value = {0};
    json_open_object(json, "settings", JSON_LINES);
    for (size_t i = 0; i < setting_count; i++) {
        const struct setting *row = &setting_table[i];
        if (!row->type->write || row->not_in_suite)
            continue;
        value.size = 0;
        settings_write(settings, row->name, &value);
        const char *given = value.size > 0 ? text_string(&value) : "";
        if (row->least > 0 && (strcmp(given, "0") == 0 || strcmp(given, "0x0") == 0))
            given = row->also;
        else if (!*given || (row->type == &value_text && strcmp(given, "none") == 0))
            given = NULL;
        json_add_string(json, row->name, given);
    }
    json_close(json);
}

static void add_words(struct json_writer *json, const char *key, const char *const *words, size_t count, unsigned bits)
{
    json_open_array(json, key, JSON_INLINE);
    for (size_t i = 0; i < count; i++)
        if (bits >> (i < 32 ? i : 31) & 1)
            json_add_string(json, NULL, words[i]);
    json_close(json);
}

bool case_skips(const struct suite_case *c, struct arena *arena, const char **why)
{
    const bool is_other = c->assimp && fnmatch(c->assimp, import_library_version(), 0) != 0;
    *why = c->skip     ? c->reason
           : is_other ? arena_printf(arena, "it is for Assimp %s, this is %s", c->assimp, import_library_version())
                      : NULL;
    return c->skip || is_other;
}

static void add_case(const struct suite *suite, size_t index, struct model_cache *cache, struct json_writer *json)
{
    const struct suite_case *c = &suite->cases[index];
    SCOPED_ARENA arena = create_large_arena();
    struct error err = {0};
    struct case_result resolved = {0};
    const char *skip;
    bool good = !case_skips(c, arena, &skip) && case_resolve(suite, index, cache, arena, &resolved, &err);
    const char *folder = arena_printf(arena, "%s/%s", suite->goldens, c->name);
    json_open_object(json, NULL, JSON_LINES);
    json_add_string(json, "name", c->name);
    json_add_int(json, "line", c->line);
    json_add_string(json, "origin", c->origin);
    json_add_string(json, "model", c->model_path);
    json_add_string(json, "clip", good ? resolved.clip : NULL);
    json_open_array(json, "times", JSON_INLINE);
    for (uint32_t i = 0; good && i < resolved.time_count; i++)
        json_add_double(json, NULL, resolved.times[i].time);
    json_close(json);
    add_settings(json, &c->settings);
    add_words(json, "clips_from", c->settings.clips_from, c->settings.clips_from_count, ~0u);
    add_words(json, "tags", c->tags, c->tag_count, ~0u);
    add_words(json, "stages", stage_names + 1, STAGE_COUNT, ~suite_not_asked(c));
    json_add_string(json, "golden", suite_has_golden(c) ? folder : NULL);
    json_add_bool(json, "has_golden",
                  suite_has_golden(c) && file_exists(arena_printf(arena, "%s/recorded.json", folder)));
    json_add_string(json, "expect", c->expect_fail ? "fail" : "pass");
    json_add_string(json, "skip", skip);
    json_add_string(json, "agrees_with", c->agrees ? c->agreement.name : NULL);
    json_add_string(json, "error", error_is_set(&err) ? err.text : NULL);
    json_close(json);
}

void suite_list_json(const struct suite *suite, const bool *chosen, struct text *out)
{
    struct json_writer json = {.text = out};
    struct model_cache cache = {0};
    json_open_object(&json, NULL, JSON_LINES);
    json_add_string(&json, "format", "rigproof.list/1");
    json_add_string(&json, "suite", suite->path);
    json_add_string(&json, "goldens", suite->goldens);
    json_open_array(&json, "cases", JSON_LINES);
    for (size_t i = 0; i < suite->case_count; i++)
        if (chosen[i])
            add_case(suite, i, &cache, &json);
    json_close(&json);
    json_close(&json);
    text_add(out, "\n");
    model_cache_release(&cache);
}
