/* Cases -> the text of a suite, as a person would write it. */
#include <ctype.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/names.h"
#include "suite/suite_file.h"
#include "run/init/init.h"

/* As a plain scalar where no reader of YAML could take it for anything else, else in quotes. */
static void add_scalar(struct text *out, const char *value)
{
    static const char *const others[] = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
    bool is_plain = isalpha((unsigned char)value[0]) || value[0] == '_' || value[0] == '/' ||
                    (value[0] == '.' && strchr(value, '/'));
    for (const char *c = value; *c && is_plain; c++)
        is_plain =
            isalnum((unsigned char)*c) || strchr("_-./|@+", *c) || (*c == ' ' && c[1] && c[1] != ' ' && c[1] != '-');
    if (is_plain && !NAMED(others, sizeof others / sizeof others[0], value))
        text_add(out, value);
    else
        text_add_quoted(out, value);
}

const char *init_goldens(const struct init *init)
{
    const char *base = path_base(init->output);
    const int stem = (int)path_stem_length(init->output);
    const bool is_plain = strcmp(init->output, "-") == 0 || strncmp(base, "suite", (size_t)stem) == 0;
    return is_plain ? "goldens" : arena_printf(init->arena, "%.*s-goldens", stem, base);
}

/* The model seen from the suite; where the suite may not read it there, from the root. */
static const char *write_path(struct init *init, const struct suite_paths *paths, const char *path)
{
    SCOPED(text) folder = {0}, from = {0}, to = {0}, out = {0};
    bool absent;
    path_folder(path, &folder);
    folder_locate(paths->folder, &from);
    folder_locate(text_string(&folder), &to);
    path_relative(text_string(&from), text_string(&to), &out);
    const char *seen = strcmp(text_string(&out), ".") == 0
                           ? path_base(path)
                           : arena_printf(init->arena, "%s/%s", text_string(&out), path_base(path));
    if (!suite_paths_file(paths, seen, init->arena, &absent, ERROR_IGNORED)) {
        init->is_outside = true;
        seen = arena_printf(init->arena, "%s/%s", text_string(&to), path_base(path));
    }
    return seen;
}

static void write_agreement(const struct init_case *c, struct text *out)
{
    const bool has_frame = c->unit < 1 || c->unit > 1 || c->up_axis != 1;
    text_addf(out, "    agrees_with: %s%s", has_frame ? "{case: " : "", c->counterpart);
    if (c->unit < 1 || c->unit > 1) {
        text_add(out, ", unit: ");
        text_add_double(out, c->unit);
    }
    if (c->up_axis != 1)
        text_addf(out, ", up: %c", "xyz"[c->up_axis]);
    text_add(out, has_frame ? "}\n" : "\n");
    if (c->agree)
        text_addf(out, "    tolerance: {agree: %s}    # of the radius; it was %.2g: formats differ between keys\n",
                  c->agree, c->measured);
}

static void write_case(const struct init_case *c, const char *model, struct text *out)
{
    text_addf(out, "  - name: %s\n    model: ", c->name);
    add_scalar(out, model);
    text_add(out, "\n    clip: ");
    add_scalar(out, c->clip);
    text_add(out, "\n");
    if (c->times)
        text_addf(out, "    times: [%s]    # some move between even ones alone\n", c->times);
    if (c->unseen)
        text_addf(out, "    # at these times is not seen to move: %s\n", c->unseen);
    if (c->shows_skeleton)
        text_add(out, "    overlay: skeleton    # no mesh is in the file\n");
    if (c->counterpart)
        write_agreement(c, out);
    if (c->allowed == (ALLOW_STILL | ALLOW_UNSKINNED))
        text_add(out, "    allow: [still, unskinned]    # nothing moves, and no bone holds a vertex\n");
    else if (c->allowed)
        text_add(out, c->allowed == ALLOW_STILL ? "    allow: still    # nothing moves in this clip\n"
                                                : "    allow: unskinned    # no bone holds a vertex\n");
}

void init_write_cases(struct init *init, const struct suite_paths *paths, struct text *out)
{
    for (size_t i = 0, written = 0; i < init->model_count; i++) {
        const struct init_model *model = &init->models[i];
        const char *path = model->case_count > 0 ? write_path(init, paths, model->path) : NULL;
        for (size_t k = 0; k < model->case_count; k++) {
            if (k == 0) {
                text_add(out, written++ > 0 ? "\n  # " : "  # ");
                text_add_name(out, path_base(model->path));
                text_addf(out, ": %s\n", model->found);
            }
            write_case(&model->cases[k], path, out);
        }
    }
}

bool init_write(struct init *init, struct text *out, struct error *err)
{
    static const char *const compared[] = {
        [COMPARE_RIG] = "what skeleton and skin do; exact: every stage, visible: what is seen",
        [COMPARE_VISIBLE] = "skin and pixels; exact: every stage, rig: skeleton and skin",
    };
    const struct settings *s = init->settings;
    struct suite_paths paths;
    if (!suite_paths_open(&paths, init->output, false, init->arena, err))
        return false;
    text_add(out,
             "# What is tested: models, clips, times. `rigproof init` wrote it once, from here on it is yours.\n"
             "# Every key: formats.md of rigproof's docs, installed in share/doc/rigproof.\nversion: 1\ngoldens: ");
    add_scalar(out, init_goldens(init));
    text_addf(out, "\n\ndefaults:              # for every case that does not say otherwise\n  size: %ux%u\n", s->width,
              s->height);
    if (s->time_choice == TIMES_EVEN)
        text_addf(out, "  times: {even: %u}     # of each clip, from its beginning to its end\n", s->even);
    else
        text_add(out, "  times: auto          # keys of each clip, and the middle between two\n");
    if (init->compare != COMPARE_EXACT)
        text_addf(out, "  compare: %-12s# %s\n", compare_names[init->compare], compared[init->compare]);
    text_add(out, "\ncases:\n");
    init_write_cases(init, &paths, out);
    if (init->left_out.size > 0)
        text_addf(out, "\n# Left out, without bones and clips (--static takes them):\n%s",
                  text_string(&init->left_out));
    return true;
}
