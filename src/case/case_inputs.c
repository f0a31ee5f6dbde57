#include "case/case_inputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "data/image/image.h"
#include "case/run_case.h"
#include "suite/suite_expand.h"

enum { SCRATCH = 16 << 20 };

static void give(const struct input_visitor *to, enum input_kind kind, const char *path)
{
    to->visit(to->context, &(struct case_input){.kind = kind, .path = path});
}

static void give_source(const struct input_visitor *to, const char *path, bool is_setting)
{
    to->visit(to->context,
              &(struct case_input){.kind = INPUT_FILE, .path = path, .is_source = true, .is_setting = is_setting});
}

/* The files that count; of shaders also those below. */
static void give_files(const struct input_visitor *to, enum input_kind kind, const char *folder, int depth)
{
    enum { DEEPEST = 6 };
    struct folder_names names[2] = {{0}};
    struct error ignored = {0};
    struct text path = {0};
    folder_list(folder, FOLDER_FILES, &names[0], &ignored);
    if (kind == INPUT_SHADERS && depth < DEEPEST)
        folder_list(folder, FOLDER_FOLDERS, &names[1], &ignored);
    for (size_t i = 0; i < names[0].count + names[1].count; i++) {
        const bool is_file = i < names[0].count;
        path.size = 0;
        text_addf(&path, "%s/%s", folder, is_file ? names[0].names[i] : names[1].names[i - names[0].count]);
        if (!is_file)
            give_files(to, kind, path.data, depth + 1);
        else if (input_counts(kind, path.data))
            to->visit(to->context, &(struct case_input){.kind = INPUT_FILE, .path = path.data, .is_inside = true});
    }
    folder_names_release(&names[0]);
    folder_names_release(&names[1]);
    text_release(&path);
}

/* A model that ended badly may lack any file beside it. */
static void give_settings(const struct input_visitor *to, const struct suite_case *c, bool is_bad)
{
    const struct settings *s = &c->settings;
    struct text folder = {0};
    path_folder(c->model_path, &folder);
    give_source(to, c->model_path, false);
    for (size_t i = 0; i < s->clips_from_count; i++)
        give_source(to, s->clips_from[i], false);
    if (s->camera_kind == CAMERA_SAVED)
        give_source(to, s->camera_name, true);
    if (s->shaders) {
        give(to, INPUT_SHADERS, s->shaders);
        give_files(to, INPUT_SHADERS, s->shaders, 0);
    }
    if (c->origin)
        give(to, INPUT_MODELS, folder.data);
    if (is_bad)
        give(to, INPUT_FOLDER, folder.data);
    text_release(&folder);
}

static void give_golden(const struct input_visitor *to, const struct suite *suite, const struct suite_case *c)
{
    struct golden golden;
    struct error ignored = {0};
    struct arena *arena = arena_require(SCRATCH);
    golden_peek(&golden, suite->goldens, c->name, arena, &ignored);
    give(to, INPUT_GOLDEN, golden.folder);
    give_files(to, INPUT_GOLDEN, golden.folder, 0);
    if (golden.import)
        give(to, INPUT_FILE, golden.import);
    arena_destroy(arena);
}

void case_inputs(const struct suite *suite, const struct suite_case *c, const struct case_result *result,
                 const struct input_visitor *to)
{
    const bool is_bad = result && case_status_broke(result->status);
    struct text path = {0};
    give_settings(to, c, is_bad);
    if (c->agrees)
        give_settings(to, &suite->cases[c->agreement.other], is_bad);
    for (uint32_t i = 0; result && i < result->source_count; i++) {
        path.size = 0;
        source_path(suite->folder, result->sources[i].file, &path);
        give_source(to, path.data, false);
    }
    if (suite_has_golden(c))
        give_golden(to, suite, c);
    if (c->truth)
        give(to, INPUT_FILE, c->truth);
    for (const char *const *word = c->subject ? c->subject->command : NULL; word && *word; word++) {
        path.size = 0;
        path_join(c->subject->folder ? c->subject->folder : "", *word, &path);
        if (strchr(*word, '/') || file_exists(path.data))
            give(to, INPUT_FILE, path.data);
    }
    text_release(&path);
}

bool input_counts(enum input_kind kind, const char *path)
{
    static const char *const shaders[] = {"vert", "frag", "glsl", "vs", "fs"};
    const char *name = path_base(path);
    char extension[16];
    path_extension(name, extension);
    bool is_shader = false;
    for (size_t i = 0; i < sizeof shaders / sizeof *shaders; i++)
        is_shader = is_shader || strcmp(extension, shaders[i]) == 0;
    return *name != '.' && (kind == INPUT_SHADERS  ? is_shader
                            : kind == INPUT_GOLDEN ? snapshot_is_golden(name)
                            : kind == INPUT_MODELS ? suite_is_model(path)
                                                   : kind == INPUT_FOLDER && *name && name[strlen(name) - 1] != '~');
}

/* ---- sources ----------------------------------------------------------------------------------------------------- */

void source_path(const char *folder, const char *file, struct text *out)
{
    text_addf(out, "%s%s%s", *file == '/' ? "" : folder, *file == '/' ? "" : "/", file);
}

struct source source_look(const char *path, struct arena *arena)
{
    struct source source = {.file = path};
    struct text place = {0};
    struct stat st;
    char hash[17];
    folder_locate(path, &place);
    if (file_hash(path, hash))
        source.hash = arena_string(arena, hash);
    if (source.hash || stat(path, &st) == 0)
        source.leads_to = arena_string(arena, place.data);
    text_release(&place);
    return source;
}

struct source source_see(const struct source *looked, const char *file, const char *folder, struct arena *arena)
{
    struct source source = {.file = file, .hash = looked->hash};
    struct text place = {0}, plain = {0};
    path_join(folder, file, &plain);
    if (looked->leads_to && !(looked->hash && strcmp(looked->leads_to, plain.data) == 0)) {
        path_relative(folder, looked->leads_to, &place);
        source.leads_to = arena_string(arena, place.data);
    }
    text_release(&place);
    text_release(&plain);
    return source;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool source_equal(const struct source *then, const struct source *now)
{
    const bool was_read = then->hash || !then->leads_to;
    return (!was_read || same_text(then->hash, now->hash)) && same_text(then->leads_to, now->leads_to);
}

bool source_is_same(const struct source *then, const char *folder, struct text *path)
{
    struct arena *arena = arena_require(SCRATCH);
    path->size = 0;
    source_path(folder, then->file, path);
    const struct source looked = source_look(path->data, arena), now = source_see(&looked, then->file, folder, arena);
    bool same = source_equal(then, &now);
    arena_destroy(arena);
    return same;
}

struct listing {
    struct case_run *run;
    struct text folder, here; /* of the suite, and the working one: where they are */
    struct source *items;
    uint32_t count;
};

/* A path as named, seen from the suite's folder. Only a ".." at its beginning can be taken by the letter. */
static const char *name_source(const struct listing *all, const char *path)
{
    const char *given = all->run->suite->folder;
    const char *below = strcmp(given, ".") != 0 ? folder_below(path, given) : *path == '/' ? NULL : path;
    struct text whole = {0}, out = {0};
    if (!below && strncmp(path, "../", 3) == 0)
        path_join(all->here.data, path, &whole);
    else
        source_path(all->here.data, path, &whole);
    path_relative(all->folder.data, whole.data, &out);
    below = arena_string(all->run->arena, below ? below : out.data);
    text_release(&whole);
    text_release(&out);
    return below;
}

/* Adds a file. The first look at it counts: the import looked before it read. */
static void add(struct listing *all, const char *path, const struct source *looked)
{
    const char *file = name_source(all, path);
    for (uint32_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i].file, file) == 0)
            return;
    all->items = memory_room(all->items, all->count, sizeof *all->items);
    const struct source now = looked ? *looked : source_look(path, all->run->arena);
    all->items[all->count++] = source_see(&now, file, all->folder.data, all->run->arena);
}

static void add_named(void *context, const struct case_input *input)
{
    if (input->is_source)
        add(context, input->path, NULL);
}

/* One that could not be imported has no files: what it has beside it is not known then. */
static void add_model(struct listing *all, const struct suite_case *c)
{
    struct error ignored = {0};
    const struct model *model = model_cache_get(all->run->cache, c->model_path, &c->settings, &ignored);
    for (uint32_t i = 0; model && i < model->scene->file_count; i++)
        add(all, model->scene->files[i], &model->files[i]);
}

static int by_file(const void *a, const void *b)
{
    return strcmp(((const struct source *)a)->file, ((const struct source *)b)->file);
}

void case_list_sources(struct case_run *run)
{
    struct listing all = {.run = run};
    struct source shader = {0};
    if (run->c->problem)
        return;
    folder_locate(run->suite->folder, &all.folder);
    folder_locate(".", &all.here);
    add_model(&all, run->c);
    if (run->c->agrees)
        add_model(&all, &run->suite->cases[run->c->agreement.other]);
    for (size_t i = 0; run->shaders && (shader.file = shader_set_path(run->shaders, i, &shader.hash)); i++) {
        const struct source now = source_look(shader.file, run->arena);
        shader.leads_to = now.leads_to;
        add(&all, shader.file, &shader);
    }
    case_inputs(run->suite, run->c, NULL, &(struct input_visitor){add_named, &all});
    if (all.count > 1)
        qsort(all.items, all.count, sizeof *all.items, by_file);
    run->out.result->source_count = all.count;
    run->out.result->sources = ARENA_NEW(run->arena, struct source, all.count);
    if (all.count > 0)
        memcpy(run->out.result->sources, all.items, all.count * sizeof *all.items);
    free(all.items);
    text_release(&all.folder);
    text_release(&all.here);
}
