#include "suite/golden/shared_import.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "data/image/image.h"
#include "data/result/recorded.h"

/* ---- the name ---------------------------------------------------------------------------------------------------- */

/* Members are told apart by NUL, which no path holds. */
static void add_member(struct text *key, const char *name, const char *value)
{
    text_add_bytes(key, "", 1);
    text_addf(key, "%s=%s", name, value);
}

/* As seen from the suite's folder: the same from whatever folder the suite is run. */
static void add_clip_file(struct text *key, const struct suite *suite, const char *path)
{
    struct text folder = {0}, relative = {0};
    struct error ignored = {0};
    path_folder(path, &folder);
    if (path_between(suite->folder, text_string(&folder), &relative, &ignored))
        text_addf(&relative, "/%s", path_base(path));
    else
        text_add(&relative, path);
    add_member(key, "clips-from", text_string(&relative));
    text_release(&folder);
    text_release(&relative);
}

/* Defaults are left out: a name stays when settings and repairs are added to the program. */
static void add_settings(struct text *key, const struct suite *suite, const struct settings *s)
{
    struct settings standard;
    const char *name, *what;
    struct text value = {0};
    settings_init(&standard);
    for (unsigned i = 0; repair_describe(i, &name, &what); i++)
        if ((s->import.repairs ^ standard.import.repairs) >> i & 1)
            add_member(key, "repair", name);
    if (s->import.assimp_flags != standard.import.assimp_flags) {
        assimp_flags_describe(s->import.assimp_flags, &value);
        add_member(key, "assimp-flags", text_string(&value));
    }
    if (s->influences != standard.influences) {
        value.size = 0;
        text_addf(&value, "%u", s->influences);
        add_member(key, "influences", text_string(&value));
    }
    for (size_t i = 0; i < s->clips_from_count; i++)
        add_clip_file(key, suite, s->clips_from[i]);
    if (s->clip_options.prefix)
        add_member(key, "clips-prefix", s->clip_options.prefix);
    if (s->clip_options.scale != standard.clip_options.scale) {
        value.size = 0;
        text_add_double(&value, s->clip_options.scale);
        add_member(key, "clips-scale", text_string(&value));
    }
    text_release(&value);
}

void shared_import_name(const struct suite *suite, const struct suite_case *c, struct text *out)
{
    enum { LONGEST = 100 }; /* with all that is added, below what file systems allow */
    struct text key = {0};
    char hash[17];
    const char *base = path_base(c->model);
    for (size_t i = 0; base[i] && i < LONGEST; i++) {
        bool is_plain = isalnum((unsigned char)base[i]) || strchr("_-", base[i]) || (base[i] == '.' && i > 0);
        text_add_bytes(out, is_plain ? &base[i] : "_", 1);
    }
    text_add(&key, c->model);
    add_settings(&key, suite, &c->settings);
    bytes_hash(key.data, key.size, hash);
    text_addf(out, "-%s" RECORDED_IMPORT_SUFFIX, hash);
    text_release(&key);
}

char *shared_import_path(const char *goldens, const char *name)
{
    struct text path = {0};
    text_addf(&path, "%s/" SHARED_IMPORTS "/%s", goldens, name);
    return path.data;
}

/* ---- trees ------------------------------------------------------------------------------------------------------- */

static bool has_file(const char *goldens, const char *name, const char *file)
{
    struct text path = {0};
    text_addf(&path, "%s/%s/%s", goldens, name, file);
    bool has = file_exists(text_string(&path));
    text_release(&path);
    return has;
}

bool shared_imports_used(const char *goldens)
{
    struct text imports = {0};
    struct error ignored = {0}; /* what cannot be read is told by who needs it */
    struct folder_names files, folders;
    bool shared = false, is_new = true;
    text_addf(&imports, "%s/" SHARED_IMPORTS, goldens);
    folder_list(text_string(&imports), FOLDER_FILES, &files, &ignored);
    for (size_t i = 0; i < files.count && !shared; i++)
        shared = recorded_is_import_name(files.names[i]);
    folder_list(goldens, FOLDER_FOLDERS, &folders, &ignored);
    for (size_t i = 0; i < folders.count && !shared && is_new; i++)
        is_new = !has_file(goldens, folders.names[i], "recorded.json");
    folder_names_release(&files);
    folder_names_release(&folders);
    text_release(&imports);
    return shared || is_new;
}

bool shared_imports_lack(const struct suite *suite)
{
    for (size_t i = 0; i < suite->case_count; i++)
        if (!suite->cases[i].agrees && has_file(suite->goldens, suite->cases[i].name, "import.json"))
            return true;
    return false;
}
