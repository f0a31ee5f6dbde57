/* Which changes are seen, and which cases they concern. */

#include "base/file/folder.h"
#include "data/image/image.h"
#include "run_binary.h"
#include "run/watch/watch.h"

static const volatile sig_atomic_t never = 0;

static const char *absolute(const char *path)
{
    struct text text = {0};
    folder_locate(path, &text);
    return keep(text.data);
}

/* "b c/" of what was seen, as seen from here; a folder has its slash. */
static const char *seen(struct watch *watch, double seconds)
{
    struct changes changes = {0};
    struct text out = {0};
    const size_t here = strlen(absolute(".")) + 1;
    assert_true(watch_wait(watch, seconds, &never, &changes, ANY_ERROR));
    for (size_t i = 0; i < changes.count; i++)
        text_addf(&out, "%s%s%s", i ? " " : "", strlen(changes.items[i].path) > here ? changes.items[i].path + here : ".",
                  changes.items[i].is_folder ? "/" : "");
    text_add(&out, changes.everything ? " everything" : "");
    changes_release(&changes);
    return keep(out.data);
}

SCRATCH_TEST(changes_of_folders)
{
    struct watch *watch = watch_create(ANY_ERROR);
    mkdir("a", 0777);
    const char *folders[] = {absolute("a"), absolute("b/c")};
    assert_true(watch && watch_folders(watch, folders, 2, ANY_ERROR));
    assert_string_equal(seen(watch, 0), "");
    spill("a/one", "1");
    spill("a/new", "1");
    assert_string_equal(seen(watch, 5), "a/new a/one");
    rename("a/new", "a/one"); /* as editors save */
    assert_string_equal(seen(watch, 5), "a/new a/one");
    unlink("a/one"); /* before the wait, which has no end */
    assert_string_equal(seen(watch, -1), "a/one");
    mkdir("b", 0777); /* in place of b/c the folder here is watched */
    assert_string_equal(seen(watch, 5), "b/");
    assert_true(watch_folders(watch, folders, 2, ANY_ERROR));
    mkdir("b/c", 0777);
    assert_string_equal(seen(watch, 5), "b/c/");
    assert_true(watch_folders(watch, folders, 2, ANY_ERROR));
    spill("b/c/file", "1");
    assert_string_equal(seen(watch, 5), "b/c/file");
    rename("a", "gone"); /* and another in its place */
    mkdir("a", 0777);
    assert_non_null(strstr(seen(watch, 5), "a/"));
    assert_true(watch_folders(watch, folders, 2, ANY_ERROR));
    spill("gone/other", "1");
    spill("a/two", "1");
    assert_string_equal(seen(watch, 5), "a/two");
    assert_true(watch_folders(watch, folders + 1, 1, ANY_ERROR));
    spill("a/two", "1");
    assert_string_equal(seen(watch, 0.1), "");
    watch_destroy(watch);
}

/* The system's queue has an end, and so has the patience to name them. */
SCRATCH_TEST(too_much_is_everything)
{
    struct watch *watch = watch_create(ANY_ERROR);
    mkdir("a", 0777);
    const char *folders[] = {absolute("a")};
    assert_true(watch && watch_folders(watch, folders, 1, ANY_ERROR));
    for (int i = 0; i < 1200; i++) {
        char name[16];
        snprintf(name, sizeof name, "a/%d", i);
        spill(name, "");
    }
    assert_non_null(strstr(seen(watch, 5), " everything"));
    watch_destroy(watch);
}

static sig_atomic_t now = 1;

SCRATCH_TEST(a_signal_ends_the_wait)
{
    struct changes changes = {0};
    struct watch *watch = watch_create(ANY_ERROR);
    assert_true(watch_wait(watch, -1, &now, &changes, ANY_ERROR));
    assert_int_equal(changes.count, 0);
    watch_destroy(watch);
}

/* ---- cases -------------------------------------------------------------------------------------------------------- */

static struct suite *suite;
static struct dependencies dependencies;
static struct arena *arena;
static bool chosen[3] = {true, true, true};

static int enter(void **state)
{
    static struct source sources[] = {{"models/a.bin", "0"}, {"models/a.gltf", "0"}};
    static struct case_result results[] = {{.name = "one", .source_count = 2, .sources = sources}, {.name = "two"},
                                           {.name = "three", .status = CASE_ERROR}};
    static const struct results all = {.case_count = 3, .cases = results};
    int failed = scratch_enter(state);
    mkdir("models", 0777);
    mkdir("look", 0777);
    mkdir("look/lib", 0777);
    spill("models/a.gltf", "");
    spill("models/a.bin", "");
    spill("models/b.glb", "");
    symlink("b.glb", "models/link.glb");
    spill("suite.yaml", "version: 1\ngoldens: golden\ncases:\n"
                        "  - {name: one, model: models/a.gltf}\n"
                        "  - {name: two, model: models/link.glb, shaders: look}\n"
                        "  - {name: three, model: models/none.fbx}\n");
    suite = suite_read("suite.yaml", true, ANY_ERROR);
    arena = arena_create(1 << 24, ANY_ERROR);
    if (suite && arena)
        dependencies_list(suite, chosen, &all, arena, &dependencies);
    return failed || !suite || !arena;
}

static int leave(void **state)
{
    suite_free(suite);
    arena_destroy(arena);
    return scratch_leave(state);
}

/* "one two", with "suite" where it is to be read anew, of a file or, with a slash at its end, a folder. */
static const char *concerned(const char *path)
{
    struct changes changes = {0};
    struct text out = {0};
    bool cases[3];
    enum reread reread;
    char *name = keep(strdup(absolute(path)));
    changes_add(&changes, name, path[strlen(path) - 1] == '/');
    bool any = dependencies_find(&dependencies, suite, chosen, &changes, cases, &reread);
    for (size_t i = 0; i < 3; i++)
        if (cases[i])
            text_addf(&out, "%s%s", out.size ? " " : "", suite->cases[i].name);
    text_add(&out, reread == REREAD_ALL ? " suite" : reread == REREAD_CASES ? " cases" : "");
    assert_int_equal(any, out.size > 0);
    assert_int_equal(any, changes.count);
    changes_release(&changes);
    return out.data ? keep(out.data) : "";
}

TEST_WITH(cases_of_a_file, enter, leave)
{
    static const char *const rows[][2] = {
        {"models/a.gltf", "one three suite"}, /* three has a problem: it may be solved, by any file beside it */
        {"models/a.bin", "one three suite"},  /* what it was made of in the last run */
        {"models/b.glb", "two three suite"},
        {"models/link.glb", "two three suite"},
        {"models/none.fbx", "three suite"},
        {"models/.a.gltf.swp", ""},
        {"look/skin.vert", "two"},
        {"look/lib/noise.glsl", "two"},
        {"look/.skin.vert.swp", ""},
        {"look/skin.vert~", ""},
        {"look/4913", ""},
        {"look/", "two"},
        {"golden/one/0.250.png", "one"},
        {"golden/one/0.250.png.new-abcdef", ""},
        {"golden/two/recorded.json", "two"},
        {"golden/", "one two three suite"},
        {"suite.yaml", " suite"},
        {"other.yaml", ""},
        {"out/", ""},
        {"looks/skin.vert", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(concerned(rows[i][0]), rows[i][1]) != 0)
            fail_msg("%s: `%s`, not `%s`", rows[i][0], concerned(rows[i][0]), rows[i][1]);
}

TEST_WITH(folders_to_wait_on, enter, leave)
{
    size_t count;
    const char **folders = dependencies_folders(&dependencies, &count);
    const char *const wanted[] = {".", "models", "look", "look/lib", "golden/one", "golden/imports"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        bool is_there = false;
        for (size_t k = 0; k < count; k++)
            is_there = is_there || strcmp(folders[k], absolute(wanted[i])) == 0;
        if (!is_there && strcmp(wanted[i], "golden/imports") != 0)
            fail_msg("%s is not waited on", wanted[i]);
    }
}

/* In the middle of a save a file is not there; one that was not there before is no news. */
TEST_WITH(a_file_that_is_gone, enter, leave)
{
    struct changes changes = {0};
    unlink("models/b.glb");
    changes_add(&changes, absolute("models/b.glb"), false);
    assert_string_equal(dependencies_find_gone(&dependencies, &changes), absolute("models/b.glb"));
    spill("models/b.glb", "");
    assert_null(dependencies_find_gone(&dependencies, &changes));
    changes_release(&changes);
}

TEST_WITH(what_changed_while_it_ran, enter, leave)
{
    struct source sources[] = {{"models/a.bin", "0"}, {"models/none", NULL}};
    struct case_result result = {.name = "one", .source_count = 2, .sources = sources};
    const struct results all = {.case_count = 1, .cases = &result};
    struct changes changes = {0};
    char hash[17];
    dependencies_add_stale(suite, &all, &changes);
    assert_int_equal(changes.count, 1);
    assert_string_equal(changes.items[0].path, absolute("models/a.bin"));
    changes_release(&changes);
    assert_true(file_hash("models/a.bin", hash));
    sources[0].hash = hash;
    dependencies_add_stale(suite, &all, &changes);
    assert_int_equal(changes.count, 0);
    spill("models/none", "now it is there");
    dependencies_add_stale(suite, &all, &changes);
    assert_int_equal(changes.count, 1);
    changes_release(&changes);
}

static struct results *results_of(const char *name, enum case_status status)
{
    struct results *results = assert_good(results_create(err));
    results->cases = ARENA_NEW(results->arena, struct case_result, 1);
    results->cases[results->case_count++] = (struct case_result){.name = name, .model = "m", .status = status, .stage = STAGE_NONE};
    return results;
}

TEST_WITH(rounds_are_joined, enter, leave)
{
    struct results *all = round_join(NULL, results_of("three", CASE_PASS), suite, ANY_ERROR);
    all = round_join(all, results_of("one", CASE_FAIL), suite, ANY_ERROR);
    assert_true(all && all->case_count == 2);
    assert_string_equal(all->cases[0].name, "one");
    assert_int_equal(all->cases[1].status, CASE_PASS);
    all = round_join(all, results_of("one", CASE_PASS), suite, ANY_ERROR);
    assert_int_equal(results_count_failing(all), 0);
    results_free(all);
}
