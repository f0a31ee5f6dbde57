/* Keys of a case that are settings. A suite may write a list or a mapping where the command line has one word. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/text.h"
#include "suite/file/suite_reader.h"
#include "suite/setting/camera_setting.h"

/*
 * A case may list as many times as --frames gives. All cases together are limited because they are in memory at once.
 * Goldens are named after their time, to the microsecond.
 */
enum { MOST_TIMES = 100000, MOST_TIMES_OF_SUITE = 10000000, MOST_SECONDS = 1000000 };
static const double SAME_TIME = 1e-6;

/* How a suite may write a setting. Those without a row: one value. */
static const struct {
    const char *name;
    enum form { FORM_VALUE, FORM_WORDS, FORM_FILES, FORM_FOLDER, FORM_PAIR, FORM_CAMERA, FORM_TIMES, FORM_EACH, FORM_REFUSED } form;
    const char *what; /* refused: why; each: what stands between key and value of a mapping */
} forms[] = {
    {"clips-from", FORM_FILES, NULL},
    {"blend", FORM_EACH, ":"},
    {"transition", FORM_EACH, "@"},
    {"mask", FORM_EACH, "="},
    {"add", FORM_EACH, ":"},
    {"time", FORM_TIMES, NULL},
    {"times", FORM_TIMES, NULL},
    {"repair", FORM_WORDS, NULL},
    {"assimp-flags", FORM_WORDS, NULL},
    {"size", FORM_PAIR, NULL},
    {"overlay", FORM_WORDS, NULL},
    {"camera", FORM_CAMERA, NULL},
    {"shaders", FORM_FOLDER, NULL},
    {"backend", FORM_REFUSED, "a suite does not choose what draws it; rigproof check --backend does"},
    {"sheet", FORM_REFUSED, "contact sheets are for rigproof render, not for a suite"},
};

static enum form form_of(const char *name, const char **what)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].name, name) == 0) {
            *what = forms[i].what;
            return forms[i].form;
        }
    return FORM_VALUE;
}

bool setting_is_suite_key(const struct setting *setting)
{
    const char *what = NULL;
    return form_of(setting->name, &what) != FORM_REFUSED;
}

/* The setters speak as the command line does, "--size: ...": here the key is in front. */
static bool set(struct suite_reader *reader, struct settings *settings, const struct setting *setting, const char *text,
                const struct tree_node *at)
{
    struct error why = {0};
    if (setting->set(settings, text, &why))
        return !settings->every_upload_format ||
               suite_fail(reader, at, "palette: `all` is for rigproof render, not for a suite");
    const char *colon = strncmp(why.text, "--", 2) == 0 ? strstr(why.text, ": ") : NULL;
    return suite_fail(reader, at, "%s: %s", setting->name, colon ? colon + 2 : why.text);
}

static bool read_value(struct suite_reader *reader, struct settings *settings, const struct setting *setting,
                       const struct tree_node *value)
{
    bool flag = false;
    if (setting->value_name) {
        const char *text = suite_text(reader, setting->name, value);
        return text && set(reader, settings, setting, text, value);
    }
    return suite_bool(reader, setting->name, value, &flag) && (!flag || set(reader, settings, setting, "", value));
}

/* Each element must be good alone, so that the message names its place; then all of them, with commas between. */
static bool read_words(struct suite_reader *reader, struct settings *settings, const struct setting *setting,
                       const struct tree_node *list)
{
    struct text all = {0};
    bool good = list->count > 0 || suite_fail(reader, list, "%s: the list is empty", setting->name);
    for (size_t i = 0; good && i < list->count; i++) {
        struct settings alone;
        settings_init(&alone);
        good = read_value(reader, &alone, setting, list->items[i]);
        settings_release(&alone);
        text_addf(&all, "%s%s", i ? "," : "", good ? list->items[i]->text : "");
    }
    good = good && set(reader, settings, setting, arena_string(reader->suite->arena, text_string(&all)), list);
    text_release(&all);
    return good;
}

static bool read_files(struct suite_reader *reader, struct settings *settings, const struct setting *setting,
                       const struct tree_node *value)
{
    struct value_list list;
    if (!suite_list_of(reader, setting->name, &value, &list))
        return false;
    for (size_t i = 0; i < list.count; i++) {
        struct error why = {0};
        const char *name = suite_text(reader, setting->name, list.items[i]);
        if (!name)
            return false;
        const char *path = suite_paths_file(&reader->paths, name, reader->suite->arena, &why);
        if (!path)
            return suite_fail(reader, list.items[i], "%s: %s", setting->name, why.text);
        if (!set(reader, settings, setting, path, list.items[i]))
            return false;
    }
    return true;
}

/* A folder in the suite's tree, or none. */
static bool read_folder(struct suite_reader *reader, struct settings *settings, const struct setting *setting,
                        const struct tree_node *value)
{
    struct error why = {0};
    const char *path = suite_text(reader, setting->name, value);
    if (path && strcmp(path, "none") != 0) {
        path = suite_paths_folder(&reader->paths, path, reader->suite->arena, &why);
        if (!path)
            return suite_fail(reader, value, "%s: %s", setting->name, why.text);
    }
    return path && set(reader, settings, setting, path, value);
}

/* One value; a list of them; a mapping, {walk: 0.7, wave: 0.3} for walk:0.7 and wave:0.3, or a list of such. */
static bool read_each(struct suite_reader *reader, struct settings *settings, const struct setting *setting,
                      const char *mark, const struct tree_node *value)
{
    if (value->kind != TREE_LIST && value->kind != TREE_MAPPING)
        return read_value(reader, settings, setting, value);
    if (value->count == 0)
        return suite_fail(reader, value, "%s: there is nothing in it", setting->name);
    for (size_t i = 0; i < value->count; i++) {
        const struct tree_node *item = value->items[i];
        const char *text = value->kind == TREE_MAPPING ? suite_text(reader, setting->name, item) : NULL;
        if (value->kind == TREE_LIST && item->kind == TREE_LIST)
            return suite_fail(reader, item, "%s: a list in a list", setting->name);
        if (value->kind == TREE_LIST && !read_each(reader, settings, setting, mark, item))
            return false;
        if (value->kind == TREE_MAPPING &&
            (!text || !set(reader, settings, setting,
                           arena_printf(reader->suite->arena, "%s%s%s", value->keys[i]->text, mark, text), item)))
            return false;
    }
    return true;
}

/* [320, 240] is 320x240. */
static bool read_pair(struct suite_reader *reader, struct settings *settings, const struct setting *setting,
                      const struct tree_node *list)
{
    if (list->count != 2)
        return suite_fail(reader, list, "%s: a width and a height are wanted", setting->name);
    const char *first = suite_text(reader, setting->name, list->items[0]);
    const char *second = first ? suite_text(reader, setting->name, list->items[1]) : NULL;
    return second && set(reader, settings, setting, arena_printf(reader->suite->arena, "%sx%s", first, second), list);
}

/* ---- camera ---------------------------------------------------------------------------------------------------- */

/* A saved camera is a file in the suite's tree. */
static bool read_saved_camera(struct suite_reader *reader, struct settings *settings, const struct setting *setting,
                              const char *name, const struct tree_node *at)
{
    struct error why = {0};
    const char *path = suite_paths_file(&reader->paths, name, reader->suite->arena, &why);
    if (!path)
        return suite_fail(reader, at, "%s: %s", setting->name, why.text);
    return set(reader, settings, setting, arena_printf(reader->suite->arena, "@%s", path), at);
}

/* The camera that is somewhere else, alone in its mapping. */
static bool read_camera_elsewhere(struct suite_reader *reader, struct settings *settings, const struct setting *setting,
                                  const struct tree_node *parts, size_t i)
{
    bool is_saved = strcmp(parts->keys[i]->text, "saved") == 0;
    if (parts->count > 1)
        return suite_fail(reader, parts->keys[i], "%s: a %s has no other parts", setting->name,
                          is_saved ? "saved camera" : "camera of the file");
    const char *text = suite_text(reader, setting->name, parts->items[i]);
    if (!text)
        return false;
    if (is_saved)
        return read_saved_camera(reader, settings, setting, text, parts->items[i]);
    return set(reader, settings, setting, arena_printf(reader->suite->arena, "file:%s", text), parts->items[i]);
}

/* A point may be a list: [1, 2, 3] is 1:2:3. */
static bool add_camera_part(struct suite_reader *reader, const char *key, const struct tree_node *value, struct text *out)
{
    size_t start = out->size;
    struct error why = {0};
    bool is_list = value->kind == TREE_LIST &&
                   (strcmp(key, "eye") == 0 || strcmp(key, "target") == 0 || strcmp(key, "up") == 0);
    text_addf(out, "%s=", key);
    for (size_t i = 0; i < (is_list ? value->count : 1); i++) {
        const char *text = suite_text(reader, "camera", is_list ? value->items[i] : value);
        if (!text)
            return false;
        text_addf(out, "%s%s", i ? ":" : "", text);
    }
    if (camera_setting_check_part(out->data + start, out->size - start, &why))
        return true;
    return suite_fail(reader, value, "%s", why.text + strlen("--"));
}

/* All parts at once, which sets no other: so a case adds to the camera of the defaults. */
static bool read_camera(struct suite_reader *reader, struct settings *settings, const struct setting *setting,
                        const struct tree_node *parts)
{
    static const char *const names[] = {"yaw", "pitch", "zoom", "fov",  "ortho", "eye",
                                        "target", "up", "near", "far",  "file",  "saved"};
    enum { ELSEWHERE = 10, COUNT = 12 };
    struct text all = {0};
    bool good = parts->count > 0 || suite_fail(reader, parts, "%s: the mapping is empty", setting->name);
    for (size_t i = 0; good && i < parts->count; i++) {
        const struct tree_node *key = parts->keys[i];
        size_t part = 0;
        while (part < COUNT && strcmp(names[part], key->text) != 0)
            part++;
        if (part >= ELSEWHERE) {
            text_release(&all);
            return part < COUNT ? read_camera_elsewhere(reader, settings, setting, parts, i)
                                : suite_fail_unknown(reader, key, "unknown key", key->text, names, COUNT);
        }
        text_add(&all, i ? "," : "");
        good = add_camera_part(reader, names[part], parts->items[i], &all);
    }
    good = good && set(reader, settings, setting, text_string(&all), parts);
    text_release(&all);
    return good;
}

/* ---- times ----------------------------------------------------------------------------------------------------- */

bool suite_is_time_key(const char *name)
{
    return strcmp(name, "time") == 0 || strcmp(name, "times") == 0 || strcmp(name, "frames") == 0 ||
           strcmp(name, "play") == 0;
}

bool suite_has_time_key(const struct tree_node *mapping)
{
    for (size_t i = 0; i < mapping->count; i++)
        if (suite_is_time_key(mapping->keys[i]->text))
            return true;
    return false;
}

bool suite_count_times(struct suite_reader *reader, const struct tree_node *at, size_t count)
{
    reader->time_count += count;
    return reader->time_count <= MOST_TIMES_OF_SUITE ||
           suite_fail(reader, at, "the cases list more than %d times", MOST_TIMES_OF_SUITE);
}

static bool fail_time(struct suite_reader *reader, const struct tree_node *at, const char *key, double time,
                      const char *what)
{
    struct text number = {0};
    text_add_double(&number, time);
    suite_fail(reader, at, "%s: %s %s", key, text_string(&number), what);
    text_release(&number);
    return false;
}

/* Neither out of reach nor twice. */
static bool check_times(struct suite_reader *reader, const struct tree_node *at, const char *key,
                        const struct settings *settings)
{
    size_t count = settings->time_count;
    double *sorted = malloc((count + 1) * sizeof *sorted);
    bool good = sorted || suite_fail(reader, at, "%s: out of memory", key);
    if (good && count > 0) {
        memcpy(sorted, settings->times, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, compare_doubles);
    }
    for (size_t i = 0; good && i < count; i++)
        if (fabs(sorted[i]) > MOST_SECONDS)
            good = fail_time(reader, at, key, sorted[i], "is more than 1000000 seconds");
        else if (i > 0 && sorted[i] - sorted[i - 1] < SAME_TIME)
            good = fail_time(reader, at, key, sorted[i], "is there twice, or times are nearer than a microsecond");
    free(sorted);
    return good;
}

static bool check_count(struct suite_reader *reader, const struct tree_node *at, const char *key, double count)
{
    return count <= MOST_TIMES || suite_fail(reader, at, "%s: more than %d times", key, MOST_TIMES);
}

/* `to` counts when it is a frame, whatever the division makes of it. */
static bool read_range(struct suite_reader *reader, struct suite_case *test, const char *key,
                       const struct tree_node *value)
{
    double from = 0, to = NAN, fps = NAN;
    const struct number_field fields[] = {
        {.name = "from", .least = -MOST_SECONDS, .most = MOST_SECONDS, .target = &from},
        {.name = "to", .least = -MOST_SECONDS, .most = MOST_SECONDS, .target = &to},
        {.name = "fps", .least = 0.001, .most = 100000, .target = &fps},
    };
    if (!suite_numbers(reader, key, value, fields, 3))
        return false;
    if (isnan(to) || isnan(fps))
        return suite_fail(reader, value, "%s: a range wants `to` and `fps`", key);
    if (to < from)
        return suite_fail(reader, value, "%s: `to` is before `from`", key);
    double count = floor((to - from) * fps + 0.5e-6) + 1;
    if (!check_count(reader, value, key, count))
        return false;
    struct settings *s = &test->settings;
    free(s->times);
    s->time_count = 0;
    s->times = calloc((size_t)count, sizeof *s->times);
    if (!s->times)
        return suite_fail(reader, value, "%s: out of memory", key);
    for (; s->time_count < (size_t)count; s->time_count++)
        s->times[s->time_count] = from + (double)s->time_count / fps;
    s->time_choice = TIMES_LIST;
    s->time_was_set = true;
    test->times_are_a_range = true;
    return true;
}

static bool read_times(struct suite_reader *reader, struct suite_case *test, const struct setting *setting,
                       const struct tree_node *value)
{
    struct settings *s = &test->settings;
    bool is_list = value->kind == TREE_LIST;
    if (value->kind == TREE_MAPPING)
        return read_range(reader, test, setting->name, value);
    if (is_list && !check_count(reader, value, setting->name, (double)value->count))
        return false;
    bool good = is_list ? read_words(reader, s, setting, value) : read_value(reader, s, setting, value);
    return good && check_count(reader, value, setting->name, (double)s->time_count) &&
           check_times(reader, value, setting->name, s);
}

/* ---- any ------------------------------------------------------------------------------------------------------- */

bool suite_read_setting(struct suite_reader *reader, struct suite_case *test, const struct setting *setting,
                        const struct tree_node *value)
{
    const char *what = NULL;
    enum form form = form_of(setting->name, &what);
    struct settings *settings = &test->settings;
    if (form == FORM_REFUSED)
        return suite_fail(reader, value, "%s: %s", setting->name, what);
    if (form == FORM_EACH)
        return read_each(reader, settings, setting, what, value);
    if (form == FORM_TIMES)
        return read_times(reader, test, setting, value) && suite_count_times(reader, value, settings->time_count);
    if (form == FORM_FILES)
        return read_files(reader, settings, setting, value);
    if (form == FORM_FOLDER)
        return read_folder(reader, settings, setting, value);
    if (form == FORM_WORDS && value->kind == TREE_LIST)
        return read_words(reader, settings, setting, value);
    if (form == FORM_PAIR && value->kind == TREE_LIST)
        return read_pair(reader, settings, setting, value);
    if (form == FORM_CAMERA && value->kind == TREE_MAPPING)
        return read_camera(reader, settings, setting, value);
    if (form == FORM_CAMERA && value->kind == TREE_TEXT && value->text[0] == '@')
        return read_saved_camera(reader, settings, setting, value->text + 1, value);
    return read_value(reader, settings, setting, value);
}
