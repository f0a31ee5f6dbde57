/* Reading, writing that never leaves half a file, and names that a model must not reach. */

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "base/file/file.h"
#include "base/file/file_batch.h"
#include "base/file/file_writer.h"
#include "base/memory.h"
#include "base/process/process.h"
#include "base/text.h"
#include "run_binary.h"

static const struct child_limits soon = {.seconds = 20};

static void refuses_to_read(const char *path, size_t limit, const char *why)
{
    struct blob blob;
    assert_refused(file_read(path, limit, &blob, err), path, why);
    assert_null(blob.data);
}

SCRATCH_TEST(files_are_read_and_nothing_else)
{
    struct blob blob;
    spill("a.txt", "hello");
    mkdir("folder", 0777);
    mkfifo("pipe", 0666);
    assert_true(file_read("a.txt", 5, &blob, ANY_ERROR));
    assert_int_equal(blob.size, 5);
    assert_string_equal((char *)blob.data, "hello");
    blob_release(&blob);
    assert_null(blob.data);
    alarm(20); /* a pipe without a writer must not be waited for */
    refuses_to_read("a.txt", 4, "too large");
    refuses_to_read("missing", 100, "No such file");
    refuses_to_read("folder", 100, "folder is a folder, not a file");
    refuses_to_read("pipe", 100, "pipe is a pipe or a device, not a file");
    alarm(0);
    assert_true(file_exists("a.txt"));
    assert_false(file_exists("folder") || file_exists("missing") || file_exists(""));
}

SCRATCH_TEST(writes_a_new_file_and_replaces_an_old)
{
    assert_true(file_write("a.txt", "one", 3, ANY_ERROR));
    assert_string_equal(slurp("a.txt", NULL), "one");
    assert_true(file_write("a.txt", "two and more", 12, ANY_ERROR));
    assert_string_equal(slurp("a.txt", NULL), "two and more");
    assert_true(file_write("a.txt", NULL, 0, ANY_ERROR));
    assert_string_equal(slurp("a.txt", NULL), "");
    assert_string_equal(scratch_listing(), "a.txt"); /* no temporary is left */
}

SCRATCH_TEST(permissions_and_links_are_the_users)
{
    struct stat st;
    mode_t before = umask(027);
    assert_true(file_write("a.txt", "x", 1, ANY_ERROR));
    umask(before);
    assert_int_equal(stat("a.txt", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    assert_int_equal(symlink("a.txt", "link"), 0);
    assert_true(file_write("link", "new", 3, ANY_ERROR));
    assert_int_equal(lstat("link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_string_equal(slurp("a.txt", NULL), "new");
}

/* A device or a pipe is written to; to replace it by a file would be a disaster for /dev/null. */
SCRATCH_TEST(devices_and_pipes_stay_what_they_are)
{
    struct stat st;
    char got[4] = "";
    assert_int_equal(symlink("/dev/full", "full") + symlink("/dev/null", "null") + mkfifo("pipe", 0666), 0);
    assert_true(file_write("null", "x", 1, ANY_ERROR));
    assert_refused(file_write("full", "x", 1, err), "No space left");
    assert_int_equal(lstat("null", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_true(file_write("pipe", "abc", 3, ANY_ERROR));
    assert_int_equal(read(reader, got, 3), 3);
    assert_string_equal(got, "abc");
    close(reader);
    assert_int_equal(stat("pipe", &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
}

static void refuses_to_write(const char *path, const char *why)
{
    assert_refused(file_write(path, "new", 3, err), path, why);
}

SCRATCH_TEST(writing_is_refused_in_words)
{
    mkdir("folder", 0777);
    spill("a.txt", "old");
    refuses_to_write("missing/a.txt", "No such file");
    refuses_to_write("a.txt/b.txt", "Not a directory");
    refuses_to_write("folder", "directory");
    assert_string_equal(scratch_listing(), "a.txt folder");
}

/* In a child, as an ordinary user: root may write anywhere. */
static int write_in_read_only_folder(void *context)
{
    struct error err = {0};
    if (geteuid() == 0 && setuid(65534) != 0)
        return 9;
    if (file_write("locked/a.txt", "new", 3, &err))
        return 1;
    return strstr(err.text, "Permission denied") ? 0 : 2;
}

/* The disk is full: here a file may have 100 bytes. */
static int write_too_much(void *context)
{
    struct error err = {0};
    char many[1000] = "";
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, 100});
    if (file_write("a.txt", many, sizeof many, &err))
        return 1;
    return strstr(err.text, "File too large") ? 0 : 2;
}

SCRATCH_TEST(failed_write_keeps_the_old_file)
{
    mkdir("locked", 0777);
    spill("locked/a.txt", "old");
    chmod("locked", 0555);
    assert_int_equal(child_run(write_in_read_only_folder, NULL, &soon).status, 0);
    assert_string_equal(slurp("locked/a.txt", NULL), "old");
    spill("a.txt", "old");
    assert_int_equal(child_run(write_too_much, NULL, &soon).status, 0);
    assert_string_equal(slurp("a.txt", NULL), "old");
    assert_string_equal(scratch_listing(), "a.txt locked");
}

/* What it was writing goes with a process that has no memory left; what its parent is writing stays. */
static int run_out_of_memory(void *context)
{
    struct file_writer writer;
    if (!file_writer_open(&writer, context, ANY_ERROR) || !file_writer_add(&writer, "new", 3, ANY_ERROR))
        return 1;
    memory_exhausted("a test of %s", "it");
}

/* A command says so by its own exit code, its children by theirs. */
static int end_as_command(void *context)
{
    memory_exit_with(2);
    if (context && child_run(end_as_command, NULL, &soon).status != 2)
        return 1;
    if (context && child_run(run_out_of_memory, context, &soon).status != MEMORY_EXHAUSTED)
        return 1;
    memory_exhausted("a test");
}

SCRATCH_TEST(a_process_without_memory_leaves_no_temporary)
{
    struct file_writer writer;
    static char name[] = "a.txt";
    spill(name, "old");
    assert_true(file_writer_open(&writer, "b.txt", ANY_ERROR));
    struct child_result result = child_run(run_out_of_memory, name, &soon);
    assert_int_equal(result.status, MEMORY_EXHAUSTED);
    assert_string_equal(result.said, "error: out of memory: a test of it");
    assert_int_equal(child_run(end_as_command, name, &soon).status, 2);
    assert_true(file_writer_close(&writer, true, ANY_ERROR));
    assert_string_equal(scratch_listing(), "a.txt b.txt");
    assert_string_equal(slurp(name, NULL), "old");
}

SCRATCH_TEST(pieces_become_one_file_in_the_end)
{
    struct file_writer writer;
    spill("a.txt", "old");
    for (int keeps = 0; keeps < 2; keeps++) {
        struct error err = {0};
        assert_true(file_writer_open(&writer, "a.txt", &err));
        assert_true(file_writer_add(&writer, "one,", 4, &err) && file_writer_add(&writer, "two", 3, &err));
        assert_string_equal(slurp("a.txt", NULL), "old");
        assert_int_equal(file_writer_close(&writer, keeps, &err), keeps);
        assert_false(error_is_set(&err));
        assert_string_equal(slurp("a.txt", NULL), keeps ? "one,two" : "old");
        assert_string_equal(scratch_listing(), "a.txt");
    }
    assert_refused(file_writer_open(&writer, "missing/new.txt", err), "cannot write missing/new.txt: No such file");
}

/* Three files, one of them in a new folder, and one to be removed. */
static void fill_batch(struct file_batch *batch)
{
    assert_true(file_batch_add(batch, "a.txt", "new", 3, ANY_ERROR) && file_batch_add(batch, "made/b.txt", "b", 1, ANY_ERROR));
    const size_t before = batch->count;
    assert_true(file_batch_add(batch, "other/c.txt", "c", 1, ANY_ERROR));
    assert_refused(file_batch_add(batch, "missing/folder/d.txt", "d", 1, err),
                   "cannot make the folder missing/folder: No such file");
    assert_true(exists("other"));
    file_batch_give_up(batch, before);
    assert_false(exists("other"));
    file_batch_remove(batch, "gone.txt");
    file_batch_remove(batch, "never.txt");
    assert_int_equal(batch->count, 4);
    assert_string_equal(slurp("a.txt", NULL), "old");
    assert_true(exists("gone.txt") && !exists("made/b.txt"));
}

SCRATCH_TEST(a_batch_is_new_as_a_whole_or_nothing_of_it)
{
    struct file_batch batch = {0};
    spill("a.txt", "old");
    spill("gone.txt", "");
    fill_batch(&batch);
    file_batch_give_up(&batch, 0);
    assert_string_equal(scratch_listing(), "a.txt gone.txt");
    assert_string_equal(slurp("a.txt", NULL), "old");
    fill_batch(&batch);
    assert_true(file_batch_commit(&batch, ANY_ERROR));
    assert_string_equal(scratch_listing(), "a.txt made");
    assert_string_equal(slurp("a.txt", NULL), "new");
    assert_string_equal(slurp("made/b.txt", NULL), "b");
    mkdir("folder", 0777); /* which no file can replace */
    spill("folder/inside", "");
    assert_true(file_batch_add(&batch, "a.txt", "newer", 5, ANY_ERROR));
    assert_true(file_batch_add(&batch, "folder", "x", 1, ANY_ERROR));
    assert_true(file_batch_add(&batch, "made/b.txt", "not this", 8, ANY_ERROR));
    assert_refused(file_batch_commit(&batch, err), "cannot write folder: ");
    file_batch_give_up(&batch, 0);
    assert_string_equal(scratch_listing(), "a.txt folder made");
    assert_string_equal(slurp("a.txt", NULL), "newer");
    assert_string_equal(slurp("made/b.txt", NULL), "b");
}

/* A file of ours is not written again, where it is what a new one would be. */
SCRATCH_TEST(a_batch_takes_files_as_they_are)
{
    struct file_batch batch = {0};
    struct stat before, after;
    mkdir("out", 0777);
    for (const char *name = "abcde"; *name; name++)
        spill((const char[]){'o', 'u', 't', '/', *name, '\0'}, "new");
    spill("a.txt", "old");
    spill("linked", "old");
    assert_int_equal(symlink("linked", "b.txt"), 0);
    assert_int_equal(link("out/c", "out/other") + stat("out/a", &before), 0);
    assert_true(file_batch_move(&batch, "a.txt", "out/a") && file_batch_move(&batch, "made/d.txt", "out/d"));
    assert_false(file_batch_move(&batch, "b.txt", "out/b"));       /* through the link */
    assert_false(file_batch_move(&batch, "c.txt", "out/c"));       /* has another name */
    assert_false(file_batch_move(&batch, "e.txt", "out/missing")); /* of a folder that cannot be made, too */
    assert_false(file_batch_move(&batch, "missing/folder/e.txt", "out/e"));
    assert_int_equal(batch.count, 2);
    assert_string_equal(slurp("a.txt", NULL), "old");
    assert_true(!exists("out/a") && exists("out/b") && exists("out/c") && exists("out/e"));
    assert_true(file_batch_commit(&batch, ANY_ERROR));
    file_batch_give_up(&batch, 0);
    assert_string_equal(scratch_listing(), "a.txt b.txt linked made out");
    assert_string_equal(slurp("a.txt", NULL), "new");
    assert_string_equal(slurp("made/d.txt", NULL), "new");
    assert_true(stat("a.txt", &after) == 0 && before.st_ino == after.st_ino);
}

SCRATCH_TEST(a_second_name_leads_nowhere_else)
{
    struct stat one, two;
    mkdir("out", 0777);
    mkdir("else", 0777);
    assert_true(file_write_below("out", "a/import.json", "x", 1, ANY_ERROR));
    assert_true(file_link_below("out", "a/import.json", "b/import.json"));
    assert_true(stat("out/a/import.json", &one) == 0 && stat("out/b/import.json", &two) == 0);
    assert_int_equal(one.st_ino, two.st_ino);
    assert_false(file_link_below("out", "a/import.json", "b/import.json")); /* is there */
    assert_false(file_link_below("out", "a/gone.json", "c/import.json"));
    assert_int_equal(symlink("../else", "out/d"), 0);
    assert_false(file_link_below("out", "a/import.json", "d/import.json"));
    assert_false(file_link_below("out", "a/import.json", "../else/import.json"));
    assert_false(exists("else/import.json"));
}

/* Also where some are on another file system. */
SCRATCH_TEST(many_files_become_new)
{
    enum { COUNT = 100 };
    struct file_batch batch = {0};
    char path[32], beyond[] = "/dev/shm/rigproof-XXXXXX", text[64];
    const bool is_beyond = mkdtemp(beyond) != NULL && symlink(beyond, "beyond") == 0;
    for (int i = 0; i < COUNT; i++) {
        snprintf(path, sizeof path, "%s/%d", is_beyond && i % 2 ? "beyond" : "here", i);
        assert_true(file_batch_add(&batch, path, path, strlen(path), ANY_ERROR));
    }
    assert_true(file_batch_commit(&batch, ANY_ERROR));
    file_batch_give_up(&batch, 0);
    for (int i = 0; i < COUNT; i++) {
        snprintf(path, sizeof path, "%s/%d", is_beyond && i % 2 ? "beyond" : "here", i);
        assert_string_equal(slurp(path, NULL), path);
    }
    snprintf(text, sizeof text, "rm -r '%s'", beyond);
    assert_true(!is_beyond || system(text) == 0);
}

static void is_not_written(const char *folder, const char *name, const char *why)
{
    assert_refused(file_write_below(folder, name, "evil", 4, err), why);
}

SCRATCH_TEST(nothing_is_written_through_a_link)
{
    mkdir("out", 0777);
    mkdir("elsewhere", 0777);
    assert_true(file_write_below("out", "a/b/c.txt", "1", 1, ANY_ERROR) &&
                file_write_below("out", "a/b/c.txt", "2", 1, ANY_ERROR));
    assert_string_equal(slurp("out/a/b/c.txt", NULL), "2");
    assert_int_equal(symlink("../elsewhere", "out/link"), 0);
    assert_int_equal(symlink("../elsewhere/new", "out/file"), 0);
    assert_int_equal(symlink("a/b/c.txt", "out/near"), 0);
    is_not_written("out", "link/c.txt", "out/link is a link");
    is_not_written("out", "link/deep/c.txt", "out/link is a link");
    is_not_written("out", "file", "out/file is a link");
    is_not_written("out", "near", "out/near is a link");
    is_not_written("out", "a/b", "is not a file");
    is_not_written("out", "a/b/c.txt/d", "cannot make the folder out/a/b/c.txt");
    is_not_written("nowhere", "a", "cannot open the folder nowhere");
    is_not_written("out", "../elsewhere/c.txt", "leads out of");
    is_not_written("out", "a/..", "is not a file");
    assert_int_equal(rmdir("elsewhere"), 0); /* it is empty */
    assert_string_equal(slurp("out/a/b/c.txt", NULL), "2");
    assert_int_equal(symlink("out", "named"), 0);
    assert_true(file_write_below("named", "a/b/c.txt", "3", 1, ANY_ERROR));
    assert_string_equal(slurp("out/a/b/c.txt", NULL), "3");
}

SCRATCH_TEST(folders_are_made)
{
    struct stat st;
    SCOPED(text) deep = {0};
    assert_true(file_make_parent("a/b/c/file.png", ANY_ERROR));
    assert_int_equal(stat("a/b/c", &st), 0);
    assert_false(exists("a/b/c/file.png"));
    assert_true(file_make_parent("a/b/c/file.png", ANY_ERROR));
    assert_true(file_make_parent("file.png", ANY_ERROR));
    assert_true(file_make_parent("/tmp/x", ANY_ERROR));
    assert_true(file_make_parent("/x", ANY_ERROR));
    assert_true(file_make_parent("", ANY_ERROR));
    text_add(&deep, "deep");
    for (int i = 0; i < 1500; i++)
        text_add(&deep, "/a");
    assert_true(file_make_parent(text_string(&deep), ANY_ERROR));
    text_add(&deep, "/file.png"); /* folders that are there are not made again, each of many */
    const clock_t begun = clock();
    for (int i = 0; i < 500; i++)
        assert_true(file_make_parent(text_string(&deep), ANY_ERROR));
    assert_true(clock() - begun < 2 * CLOCKS_PER_SEC);
    assert_true(file_make_parent("d//e/./file.png", ANY_ERROR));
    assert_true(exists("d/e"));
    spill("plain", "");
    assert_refused(file_make_parent("plain/b/file.png", err), "cannot make the folder plain");
}

TEST(paths_are_taken_apart)
{
    static const struct {
        const char *path, *base, *extension;
        size_t stem;
    } cases[] = {
        {"a/walker.glb", "walker.glb", "glb", 6}, {"walker.FBX", "walker.FBX", "fbx", 6},
        {"a.b/walker", "walker", "", 6},          {"x.tar.gz", "x.tar.gz", "gz", 5},
        {".hidden", ".hidden", "hidden", 7},      {"a/", "", "", 0},
        {"f.averyveryverylongone", "f.averyveryverylongone", "averyveryverylo", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char extension[16];
        path_extension(cases[i].path, extension);
        assert_string_equal(path_base(cases[i].path), cases[i].base);
        assert_string_equal(extension, cases[i].extension);
        assert_int_equal(path_stem_length(cases[i].path), cases[i].stem);
    }
}

TEST(files_of_one_name_are_told_apart_by_the_shortest_path)
{
    const char *const paths[] = {"a/m/hero.glb", "b/m/hero.glb", "hero.glb", "a/m/fox.glb", "x/superhero.glb"};
    const char *const ends[] = {"a/m/hero.glb", "b/m/hero.glb", "hero.glb", "fox.glb", "superhero.glb"};
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(path_distinct(paths[i], paths, 5), ends[i]);
    assert_string_equal(path_distinct("c/hero.glb", (const char *const[]){"hero.glb", "c/hero.glb"}, 2), "c/hero.glb");
    assert_string_equal(path_distinct("o/hero.glb", (const char *const[]){"o/hero.glb", "o/hero.glb"}, 2), "hero.glb");
}

static void make_model_tree(void)
{
    mkdir("secret", 0777);
    mkdir("models", 0777);
    mkdir("models/tex", 0777);
    mkdir("models-evil", 0777);
    spill("models/a.gltf", "");
    spill("models/tex/skin.png", "");
    spill("models/50%.png", "");
    spill("models/..odd.png", "");
    spill("secret/key.png", "");
    spill("models-evil/b.png", "");
    assert_int_equal(symlink("../secret/key.png", "models/link.png"), 0);
    assert_int_equal(symlink("../secret", "models/linked"), 0);
    assert_int_equal(symlink("tex/skin.png", "models/inner.png"), 0);
    assert_int_equal(symlink("models/a.gltf", "elsewhere.gltf"), 0);
}

SCRATCH_TEST(only_the_models_tree_is_read)
{
    static const struct {
        const char *name;
        const char *found; /* end of the path, NULL: refused */
        bool outside;
    } cases[] = {
        {"tex/skin.png", "/models/tex/skin.png", false},
        {"./tex/../tex/skin.png", "/models/tex/skin.png", false},
        {"inner.png", "/models/tex/skin.png", false},
        {"50%.png", "/models/50%.png", false},
        {"..odd.png", "/models/..odd.png", false},
        {"../secret/key.png", NULL, true},
        {"tex/../../secret/key.png", NULL, true},
        {"../models-evil/b.png", NULL, true}, /* the folder's name is a prefix of this one's */
        {"link.png", NULL, true},
        {"linked/key.png", NULL, true},
        {"/etc/passwd", NULL, true},
        {"/nowhere/at-all.png", NULL, true},
        {"../not-there.png", NULL, true},
        {"not-there.png", NULL, false},
        {"tex/../not-there.png", NULL, false},
        {"not..there.png", NULL, false},
        {"tex", NULL, false},
        {"", NULL, false},
    };
    make_model_tree();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *found = NULL;
        bool outside = false;
        bool good = path_inside_model_tree("models/a.gltf", cases[i].name, &found, &outside);
        if (good != (cases[i].found != NULL) || outside != cases[i].outside)
            fail_msg("`%s`: found %d, outside %d", cases[i].name, good, outside);
        if (good)
            assert_string_equal(found + strlen(found) - strlen(cases[i].found), cases[i].found);
        free(found);
    }
    /* A model behind a link: its real folder is what counts. */
    char *found = NULL, *absolute = realpath("models/tex/skin.png", NULL);
    bool outside = false;
    assert_true(path_inside_model_tree("elsewhere.gltf", absolute, &found, &outside));
    assert_string_equal(found, absolute);
    free(found);
    free(absolute);
    assert_false(path_inside_model_tree("not-there.gltf", "tex/skin.png", &found, &outside));
}

/* A pointer is a short text with a beginning of its own: neither a longer file nor one that only speaks of it. */
SCRATCH_TEST(git_lfs_pointers_are_told_from_files)
{
    static const char mark[] = "version https://git-lfs.github.com/spec/v1\n";
    static const struct {
        size_t size; /* with what follows the mark */
        const char *before;
        bool is_pointer;
    } cases[] = {{130, "", true}, {1023, "", true}, {1024, "", false}, {130, "# ", false}, {sizeof mark - 1, "", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char content[1100];
        struct error err = {0};
        SCOPED(blob) blob;
        memset(content, 'x', sizeof content);
        memcpy(content + strlen(cases[i].before), mark, sizeof mark - 1);
        memcpy(content, cases[i].before, strlen(cases[i].before));
        content[cases[i].size] = '\0';
        spill("model.glb", content);
        assert_int_equal(file_is_lfs_pointer("model.glb"), cases[i].is_pointer);
        assert_int_equal(file_read("model.glb", 4096, &blob, &err), !cases[i].is_pointer);
        if (cases[i].is_pointer)
            assert_string_equal(err.text, "model.glb is a Git LFS pointer: run `git lfs pull`");
    }
    assert_false(file_is_lfs_pointer("none.glb"));
}
