
#include "suite_runs.h"

#include <ftw.h>
#include <jansson.h>

#include "base/file/file.h"
#include "data/image/image.h"

void write_suite(const char *cases)
{
    spill("suite.yaml", at("version: 1\ngoldens: golden\ndefaults: {size: [64, 64]}\ncases:\n%s", cases));
}

void write_accepted_suite(const char *cases)
{
    write_suite(cases);
    accept_gives(0, NULL);
}

enum { MOST_FILES = 1024 };

static const char *lines[MOST_FILES];
static size_t line_count;
static bool with_times;

static int visit(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    char hash[17] = "folder", times[80] = "";
    size_t size = 0;
    if (ftw->level == 0)
        return 0;
    if (S_ISREG(st->st_mode)) {
        const char *data = slurp(path, &size);
        bytes_hash(data, size, hash);
    }
    if (with_times)
        snprintf(times, sizeof times, " %lu %lld.%09ld", (unsigned long)st->st_ino, (long long)st->st_mtim.tv_sec,
                 st->st_mtim.tv_nsec);
    assert_true(line_count < MOST_FILES);
    lines[line_count++] = at("%s %s%s\n", path, hash, times);
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names as seen from the folder, so that listings of two folders can be compared. */
static const char *list(const char *folder, bool times)
{
    struct text all = {0};
    line_count = 0;
    with_times = times;
    assert_int_equal(nftw(folder, visit, 16, FTW_PHYS), 0);
    qsort(lines, line_count, sizeof *lines, by_text);
    for (size_t i = 0; i < line_count; i++)
        text_add(&all, lines[i] + strlen(folder) + 1);
    text_add(&all, "");
    return keep(all.data);
}

const char *contents(const char *folder)
{
    return list(folder, false);
}

const char *snapshot(const char *folder)
{
    return list(folder, true);
}

void copy_file(const char *from, const char *to)
{
    size_t size;
    const char *data = slurp(from, &size);
    spill_bytes(to, data, size);
}

void copy_folder(const char *from, const char *to)
{
    assert_int_equal(system(at("cp -r '%s' '%s'", from, to)), 0);
}

static json_t *load(const char *file)
{
    json_error_t why;
    json_t *root = json_load_file(file, 0, &why);
    if (!root)
        fail_msg("%s:%d: %s", file, why.line, why.text);
    return root;
}

/* One step into a value: `key` or `[index]`, which are left in *key ("" for an index) and *index; *place goes on behind. */
static json_t *step(json_t *value, const char **place, char key[static 64], size_t *index)
{
    if (**place == '[') {
        *index = strtoul(*place + 1, NULL, 10);
        *key = '\0';
        *place += strcspn(*place, "]") + 1;
        value = json_array_get(value, *index);
    } else {
        size_t length = strcspn(*place, ".[");
        snprintf(key, 64, "%.*s", (int)length, *place);
        *place += length;
        value = json_object_get(value, key);
    }
    *place += **place == '.';
    return value;
}

static json_t *find(json_t *value, const char *file, const char *place)
{
    const char *rest = place;
    char key[64];
    size_t index;
    while (value && *rest)
        value = step(value, &rest, key, &index);
    if (!value)
        fail_msg("%s has no %s", file, place);
    return value;
}

static char *text_at(json_t *root, const char *file, const char *place)
{
    json_t *value = find(root, file, place);
    char *text = keep(json_is_string(value) ? strdup(json_string_value(value))
                                            : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT));
    json_decref(root);
    return text;
}

const char *json_at(const char *file, const char *place)
{
    return text_at(load(file), file, place);
}

const char *said(const struct outcome *outcome, const char *place)
{
    return text_at(read_json(outcome->out, outcome->out_size), "stdout", place);
}

static void set_hash(json_t *object, const char *key, const char *file)
{
    size_t size;
    char hash[17];
    if (!exists(file))
        return;
    char *data = slurp(file, &size);
    bytes_hash(data, size, hash);
    json_object_set_new(object, key, json_string(hash));
}

static void set_pixels(json_t *frame, const char *file)
{
    struct image image;
    struct error ignored = {0};
    char hash[17];
    if (!image_read(&image, file, &ignored))
        return;
    image_hash(&image, hash);
    image_release(&image);
    json_object_set_new(frame, "pixels", json_string(hash));
}

void record_hashes(const char *folder)
{
    const char *path = at("%s/recorded.json", folder);
    if (!exists(path))
        return;
    json_t *root = load(path), *frame;
    size_t i;
    json_array_foreach(json_object_get(root, "frames"), i, frame) {
        const char *label = json_string_value(json_object_get(frame, "label"));
        set_hash(frame, "pose", at("%s/%s.pose.json", folder, label));
        set_hash(frame, "png", at("%s/%s.png", folder, label));
        set_pixels(frame, at("%s/%s.png", folder, label));
    }
    assert_int_equal(json_dump_file(root, path, JSON_INDENT(1) | JSON_PRESERVE_ORDER), 0);
    json_decref(root);
}

const char *import_of(const char *folder)
{
    json_t *root = load(at("%s/recorded.json", folder));
    const char *file = json_string_value(json_object_get(root, "import_file"));
    const char *path = file ? at("%.*simports/%s", (int)(path_base(folder) - folder), folder, file) : at("%s/import.json", folder);
    json_decref(root);
    return path;
}

/* The hashes are those of the golden that a file is of. */
static void record_hashes_beside(const char *file)
{
    if (strcmp(path_base(file), "recorded.json") != 0)
        record_hashes(at("%.*s", (int)(path_base(file) - file - 1), file));
}

void tamper(const char *file, const char *place, const char *value)
{
    json_t *root = load(file), *container = root, *made = json_loads(value, JSON_DECODE_ANY, NULL);
    const char *rest = place;
    char key[64];
    size_t index;
    assert_non_null(made);
    for (;;) {
        json_t *inner = step(container, &rest, key, &index);
        if (!inner)
            fail_msg("%s has no %s", file, place);
        if (!*rest)
            break;
        container = inner;
    }
    assert_int_equal(*key ? json_object_set_new(container, key, made) : json_array_set_new(container, index, made), 0);
    assert_int_equal(json_dump_file(root, file, JSON_INDENT(1) | JSON_PRESERVE_ORDER), 0);
    json_decref(root);
    record_hashes_beside(file);
}

int index_of(const char *file, const char *list, const char *key, const char *text)
{
    json_t *root = load(file), *item;
    size_t i;
    int found = -1;
    json_array_foreach(find(root, file, list), i, item)
        if (found < 0 && strcmp(json_string_value(json_object_get(item, key)), text) == 0)
            found = (int)i;
    json_decref(root);
    if (found < 0)
        fail_msg("%s has no %s whose %s is %s", file, list, key, text);
    return found;
}

const char *result_of(const char *name, const char *place)
{
    static const char file[] = "out/check/results.json";
    return json_at(file, at("cases[%d].%s", index_of(file, "cases", "name", name), place));
}

static void require_value(const char *what, const char *place, const char *is, const char *wanted, const char *file,
                          int line)
{
    if (strcmp(is, wanted) == 0)
        return;
    print_error("%s of %s is %s, not %s\n", place, what, is, wanted);
    _fail(file, line);
}

void require_values(const char *(*value_of)(const char *what, const char *place), const char *what,
                    const char *const *pairs, const char *file, int line)
{
    for (; *pairs; pairs += 2)
        require_value(what, pairs[0], value_of(what, pairs[0]), pairs[1], file, line);
}

void require_said(const struct outcome *outcome, const char *const *pairs, const char *file, int line)
{
    for (; *pairs; pairs += 2)
        require_value(outcome->command, pairs[0], said(outcome, pairs[0]), pairs[1], file, line);
}

const char *statuses(const char *results)
{
    struct text all = {0};
    json_t *root = load(results), *item;
    size_t i;
    json_array_foreach(json_object_get(root, "cases"), i, item)
        text_addf(&all, "%s%s %s", i ? ", " : "", json_string_value(json_object_get(item, "name")),
                  json_string_value(json_object_get(item, "status")));
    json_decref(root);
    text_add(&all, "");
    return keep(all.data);
}

void tint(const char *png, unsigned count, int by)
{
    struct image image;
    struct error err = {0};
    unsigned done = 0;
    if (!image_read(&image, png, &err))
        fail_msg("%s", err.text);
    for (size_t i = 4; i < 4 * (size_t)image.width * image.height && done < count; i += 4)
        if (memcmp(image.rgba + i, image.rgba, 4) != 0) {
            int red = image.rgba[i];
            image.rgba[i] = (uint8_t)(red + by <= 255 ? red + by : red - by);
            done++;
        }
    assert_int_equal(done, count);
    assert_true(image_write_png(&image, png, PNG_GOLDEN, &err));
    image_release(&image);
    record_hashes_beside(png);
}

bool assimp_needs_no_repair(void)
{
    bool newer = strstr(rigproof_good("--version")->out, "(Assimp 6") != NULL;
    if (newer)
        print_message("skipped: Assimp 6 has no need of these repairs\n");
    return newer;
}

bool has_backend(const char *name)
{
    const struct outcome *outcome = rigproof("render", FIXTURES "/strip/strip.gltf", "--size", "8x8", "--backend", name, "-o",
                                             "probe.png", NULL);
    if (outcome->status == 3)
        print_message("skipped: no %s\n", name);
    return outcome->status != 3;
}

const struct run_options on_github = {
    .environment = (const char *const[]){"GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=summary.md", NULL}};

int verdict_enter(void **state)
{
    if (scratch_enter(state) != 0)
        return -1;
    write_accepted_suite(TWO_CASES);
    return 0;
}
