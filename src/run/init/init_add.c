/* Cases that are added to a suite that is there. */
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/memory.h"
#include "run/init/init.h"

enum { LARGEST = 16 << 20 };

/* The keys of times among the defaults; they were read with the suite, so that nothing can be wrong with them. */
static void take_times(const struct tree_node *defaults, struct arena *arena, struct settings *settings)
{
    struct error ignored = {0};
    struct value_source source = {.arena = arena, .err = &ignored};
    settings->time_choice = TIMES_AUTO;
    for (size_t i = 0; defaults && i < defaults->count; i++) {
        const struct setting *row = setting_find(defaults->keys[i]->text);
        if (row && row->group == SETTING_TIME)
            value_read(&source, row, settings, defaults->items[i]);
    }
}

bool init_open(struct init *init, const char *path, struct settings *settings, struct error *err)
{
    struct suite *suite = suite_read(path, false, err);
    init->output = path;
    init->suite = suite;
    if (!suite)
        return false;
    take_times(suite->defaults, suite->arena, settings);
    init->names = memory_new(suite->case_count, sizeof *init->names);
    for (size_t i = 0; i < suite->case_count; i++)
        init->names[init->name_count++] = suite->cases[i].name;
    return true;
}

static bool has_model(const struct suite *suite, const char *path)
{
    SCOPED(text) own = {0}, other = {0};
    bool found = false;
    folder_locate(path, &own);
    for (size_t i = 0; i < suite->case_count && !found; i++) {
        other.size = 0;
        folder_locate(suite->cases[i].model_path, &other);
        found = strcmp(text_string(&own), text_string(&other)) == 0;
    }
    return found;
}

void init_drop_known(struct init *init)
{
    size_t kept = 0;
    struct left_out known = {0};
    for (size_t i = 0; i < init->model_count; i++)
        if (has_model(init->suite, init->models[i].path))
            init_leave_out(&known, init->models[i].path);
        else
            init->models[kept++] = init->models[i];
    init->model_count = kept;
    if (kept > 0)
        init->models[0].is_counterpart = false; /* of none that is examined */
    init_report_left_out(init, &known, arena_printf(init->arena, "in %s already", init->output), "model");
}

/* The list of cases where it is the last thing in the file, so that more can stand behind it; NULL: it is not. */
static const struct tree_node *last_list(const struct tree_node *root)
{
    const struct tree_node *list = root->kind == TREE_MAPPING ? tree_get(root, "cases", NULL) : NULL;
    return list && root->items[root->count - 1] == list && list->kind == TREE_LIST && list->count > 0 ? list : NULL;
}

/* Lines of two blanks and more, moved so that `- ` stands in the column. */
static void add_indented(struct text *out, const char *lines, int column)
{
    for (const char *line = lines; *line;) {
        const size_t length = strcspn(line, "\n") + 1;
        if (length > 1)
            text_addf(out, "%*s%.*s", column, "", (int)length - 2, line + 2);
        else
            text_add(out, "\n");
        line += length;
    }
}

/* Read again, it has the old cases and behind them the new ones, whatever stood at its end. */
static bool is_added(const struct init *init, const char *path, const struct blob *file, size_t before)
{
    struct tree tree;
    const struct tree_node *list =
        yaml_tree_parse(&tree, path, file, init->suite->arena, ERROR_IGNORED) ? last_list(tree.root) : NULL;
    if (!list || list->count != before + init->case_count)
        return false;
    for (size_t i = before; i < list->count; i++) {
        const struct tree_node *name =
            list->items[i]->kind == TREE_MAPPING ? tree_get(list->items[i], "name", NULL) : NULL;
        if (!name || name->kind != TREE_TEXT ||
            strcmp(name->text, init->names[init->name_count - list->count + i]) != 0)
            return false;
    }
    return true;
}

bool init_append(struct init *init, struct text *out, struct error *err)
{
    struct suite_paths paths;
    struct tree tree;
    SCOPED(blob) file = {0};
    SCOPED(text) cases = {0};
    const char *path = init->output;
    if (!suite_paths_open(&paths, path, false, init->arena, err) || !file_read(path, LARGEST, &file, err))
        return false;
    const struct tree_node *list =
        yaml_tree_parse(&tree, path, &file, init->suite->arena, err) ? last_list(tree.root) : NULL;
    const int column = list && list->items[0]->column > 2 ? list->items[0]->column - 3 : 0;
    init_write_cases(init, &paths, &cases);
    text_add_bytes(out, file.data, file.size);
    text_add(out, file.size > 0 && file.data[file.size - 1] == '\n' ? "\n" : "\n\n");
    add_indented(out, text_string(&cases), column);
    const struct blob whole = {(unsigned char *)out->data, out->size};
    const bool good = list && is_added(init, path, &whole, list->count);
    if (!good && !error_is_set(err)) {
        error_set(err, "init: %s is written so that no cases can be added at its end: put those above into its `cases`",
                  path);
        out->size = 0;
        text_add(out, text_string(&cases));
    }
    return good;
}
