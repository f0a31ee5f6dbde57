/* Which files a case depends on: what tells whether a run is of today's files, and which cases a changed file concerns. */
#include <stdlib.h>
#include <string.h>

#include "base/file/folder.h"
#include "base/file/path.h"
#include "suite/case/run_case.h"

struct sources {
    struct case_run *run;
    struct text folder; /* of the suite, absolute */
    struct source *items;
    uint32_t count, capacity;
};

static void add(struct sources *all, const char *path, const char *hash)
{
    struct text whole = {0}, relative = {0};
    folder_locate(path, &whole);
    path_relative(text_string(&all->folder), text_string(&whole), &relative);
    const char *file = arena_string(all->run->arena, text_string(&relative));
    bool is_known = false;
    for (uint32_t i = 0; i < all->count; i++)
        is_known = is_known || strcmp(all->items[i].file, file) == 0;
    if (!is_known && all->count == all->capacity)
        all->items = memory_grow(all->items, all->capacity = 2 * all->capacity + 8, sizeof *all->items);
    if (!is_known)
        all->items[all->count++] = (struct source){file, *hash ? arena_string(all->run->arena, hash) : NULL};
    text_release(&whole);
    text_release(&relative);
}

static void add_file(struct sources *all, const char *path)
{
    char hash[17];
    file_hash(path, hash);
    add(all, path, hash);
}

/* One that could not be imported too: what it has beside it is not known then. */
static void add_model(struct sources *all, const struct suite_case *c)
{
    struct error ignored = {0};
    const struct model *model =
        c->problem ? NULL : model_cache_get(all->run->cache, c->model_path, &c->settings, &ignored);
    for (uint32_t i = 0; model && i < model->scene->file_count; i++)
        add(all, model->scene->files[i], model->hashes[i]);
    if (model && model->scene->opens_links && all->run->options->caches)
        all->run->result->not_remembered = "its model opens files over links";
    if (!model && !c->problem)
        add_file(all, c->model_path);
    for (size_t i = 0; !c->problem && i < c->settings.clips_from_count; i++)
        add_file(all, c->settings.clips_from[i]);
}

static int by_file(const void *a, const void *b)
{
    return strcmp(((const struct source *)a)->file, ((const struct source *)b)->file);
}

void case_list_sources(struct case_run *run)
{
    struct sources all = {.run = run};
    const char *path, *hash;
    folder_locate(run->suite->folder, &all.folder);
    add_model(&all, run->c);
    if (run->c->agrees)
        add_model(&all, &run->suite->cases[run->c->agreement.other]);
    for (size_t i = 0; run->shaders && (path = shader_set_path(run->shaders, i, &hash)); i++)
        add(&all, path, hash);
    if (all.count > 1)
        qsort(all.items, all.count, sizeof *all.items, by_file);
    run->result->source_count = all.count;
    run->result->sources = ARENA_NEW(run->arena, struct source, all.count);
    if (all.count > 0)
        memcpy(run->result->sources, all.items, all.count * sizeof *all.items);
    free(all.items);
    text_release(&all.folder);
}
