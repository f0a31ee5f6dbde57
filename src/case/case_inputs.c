#include "case/case_inputs.h"

#include <string.h>
#include <sys/stat.h>

#include "base/names.h"
#include "base/sort.h"
#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "data/image/image.h"
#include "case/run_case.h"
#include "suite/suite_expand.h"

enum { SCRATCH = 16 << 20 };

static void give(struct case_inputs *to, const struct case_input *input)
{
    to->items = arena_room(to->arena, to->items, to->count, sizeof *to->items);
    to->items[to->count++] = *input;
}

static void give_source(struct case_inputs *to, const char *path)
{
    give(to, &(struct case_input){.kind = INPUT_FILE, .path = path, .is_source = true});
}

/* The files that count; of shaders also those below. */
static void give_files(struct case_inputs *to, enum input_kind kind, const char *folder, int depth)
{
    enum { DEEPEST = 6 };
    struct folder_names names[2] = {{0}};
    folder_list(folder, FOLDER_FILES, &names[0], ERROR_IGNORED);
    if (kind == INPUT_SHADERS && depth < DEEPEST)
        folder_list(folder, FOLDER_FOLDERS, &names[1], ERROR_IGNORED);
    for (int is_folder = 0; is_folder < 2; is_folder++) {
        for (size_t i = 0; i < names[is_folder].count; i++) {
            const char *path = arena_printf(to->arena, "%s/%s", folder, names[is_folder].names[i]);
            if (is_folder)
                give_files(to, kind, path, depth + 1);
            else if (input_counts(kind, path))
                give(to, &(struct case_input){.kind = INPUT_FILE, .path = path, .is_inside = true});
        }
        folder_names_release(&names[is_folder]);
    }
}

/* A folder, and the files in it that count. */
static void give_folder(struct case_inputs *to, enum input_kind kind, const char *folder)
{
    give(to, &(struct case_input){.kind = kind, .path = folder});
    give_files(to, kind, folder, 0);
}

/* A model that ended badly may lack any file beside it. */
static void give_settings(struct case_inputs *to, const struct suite_case *c, bool is_bad)
{
    const struct settings *s = &c->settings;
    struct text text = {0};
    path_folder(c->model_path, &text);
    const char *folder = arena_text(to->arena, &text);
    give_source(to, c->model_path);
    for (size_t i = 0; i < s->clips_from_count; i++)
        give_source(to, s->clips_from[i]);
    if (s->camera_kind == CAMERA_SAVED)
        give(to, &(struct case_input){
                     .kind = INPUT_FILE, .path = s->camera_name, .is_source = true, .is_setting = true});
    if (s->shaders)
        give_folder(to, INPUT_SHADERS, s->shaders);
    if (c->origin)
        give(to, &(struct case_input){.kind = INPUT_MODELS, .path = folder});
    if (is_bad)
        give(to, &(struct case_input){.kind = INPUT_FOLDER, .path = folder});
}

struct case_inputs case_inputs(const struct suite *suite, const struct suite_case *c, const struct case_result *result,
                               struct arena *arena)
{
    const bool is_bad = result && case_status_broke(result->status);
    struct case_inputs to = {.arena = arena};
    struct golden golden;
    SCOPED(text) path = {0};
    give_settings(&to, c, is_bad);
    if (c->agrees)
        give_settings(&to, &suite->cases[c->agreement.other], is_bad);
    for (uint32_t i = 0; result && i < result->source_count; i++) {
        path.size = 0;
        source_path(suite->folder, result->sources[i].file, &path);
        give_source(&to, arena_string(arena, path.data));
    }
    if (suite_has_golden(c)) {
        golden_peek(&golden, suite->goldens, c->name, arena, ERROR_IGNORED);
        give_folder(&to, INPUT_GOLDEN, golden.folder);
        if (golden.import)
            give(&to, &(struct case_input){.kind = INPUT_FILE, .path = golden.import});
    }
    if (c->truth)
        give(&to, &(struct case_input){.kind = INPUT_FILE, .path = c->truth});
    for (const char *const *word = c->subject ? c->subject->command : NULL; word && *word; word++) {
        path.size = 0;
        path_join(c->subject->folder ? c->subject->folder : "", *word, &path);
        if (strchr(*word, '/') || file_exists(path.data))
            give(&to, &(struct case_input){.kind = INPUT_FILE, .path = arena_string(arena, path.data)});
    }
    return to;
}

bool input_counts(enum input_kind kind, const char *path)
{
    static const char *const shaders[] = {"vert", "frag", "glsl", "vs", "fs"};
    const char *name = path_base(path);
    char extension[16];
    path_extension(name, extension);
    const bool is_shader = NAMED(shaders, sizeof shaders / sizeof *shaders, extension);
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
    SCOPED(text) place = {0};
    struct stat st;
    char hash[17];
    folder_locate(path, &place);
    if (file_hash(path, hash))
        source.hash = arena_string(arena, hash);
    if (source.hash || stat(path, &st) == 0)
        source.leads_to = arena_string(arena, place.data);
    return source;
}

struct source source_see(const struct source *looked, const char *file, const char *folder, struct arena *arena)
{
    struct source source = {.file = file, .hash = looked->hash};
    SCOPED(text) place = {0}, plain = {0};
    path_join(folder, file, &plain);
    if (looked->leads_to && !(looked->hash && strcmp(looked->leads_to, plain.data) == 0)) {
        path_relative(folder, looked->leads_to, &place);
        source.leads_to = arena_string(arena, place.data);
    }
    return source;
}

bool source_equal(const struct source *then, const struct source *now)
{
    const bool was_read = then->hash || !then->leads_to;
    return (!was_read || names_equal(then->hash, now->hash)) && names_equal(then->leads_to, now->leads_to);
}

bool source_is_same(const struct source *then, const char *folder, struct text *path)
{
    SCOPED_ARENA arena = arena_require(SCRATCH);
    path->size = 0;
    source_path(folder, then->file, path);
    const struct source looked = source_look(path->data, arena), now = source_see(&looked, then->file, folder, arena);
    return source_equal(then, &now);
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
    SCOPED(text) whole = {0}, out = {0};
    if (!below && strncmp(path, "../", 3) == 0)
        path_join(all->here.data, path, &whole);
    else
        source_path(all->here.data, path, &whole);
    path_relative(all->folder.data, whole.data, &out);
    return arena_string(all->run->arena, below ? below : out.data);
}

/* Adds a file. The first look at it counts: the import looked before it read. */
static void add(struct listing *all, const char *path, const struct source *looked)
{
    const char *file = name_source(all, path);
    if (NAMED(all->items, all->count, file))
        return;
    all->items = arena_room(all->run->arena, all->items, all->count, sizeof *all->items);
    const struct source now = looked ? *looked : source_look(path, all->run->arena);
    all->items[all->count++] = source_see(&now, file, all->folder.data, all->run->arena);
}

/* One that could not be imported has no files: what it has beside it is not known then. */
static void add_model(struct listing *all, const struct suite_case *c)
{
    const struct model *model = model_cache_get(all->run->cache, c->model_path, &c->settings, ERROR_IGNORED);
    for (uint32_t i = 0; model && i < model->scene->file_count; i++)
        add(all, model->scene->files[i], &model->files[i]);
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
    const struct case_inputs inputs = case_inputs(run->suite, run->c, NULL, run->arena);
    for (const struct case_input *input = inputs.items; input < inputs.items + inputs.count; input++)
        if (input->is_source)
            add(&all, input->path, NULL);
    sort_items(all.items, all.count, sizeof *all.items, compare_strings); /* by `file`, their first member */
    run->out.result->source_count = all.count;
    run->out.result->sources = all.items;
    text_release(&all.folder);
    text_release(&all.here);
}
