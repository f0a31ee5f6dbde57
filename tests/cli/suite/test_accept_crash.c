/*
 * accept that is killed before any of its calls that change the goldens, and the order of these calls, which is what a
 * loss of power leaves things in.
 */

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "suite_runs.h"

enum { LONGEST = 256, MOST_FILES = 1024, MOST_DESCRIPTORS = 256 };

/* One traced run, and the disk as far as it is known: what was written since a sync, and what was renamed. */
struct trace {
    size_t kill_at; /* the first call is 1; 0: none */
    size_t calls;   /* that change the goldens or sync them */
    size_t renames, removals, moves, syncs;
    bool is_synced; /* the last call was a sync */
    char opened[MOST_DESCRIPTORS][LONGEST];
    size_t file_count;
    struct {
        char path[LONGEST];
        bool is_dirty;
    } files[MOST_FILES];
    char entries[MOST_FILES][LONGEST]; /* folders with renames that no sync has covered */
    size_t entry_count;
    char problem[2 * LONGEST + 64];
};

static void read_path(pid_t pid, uint64_t address, char path[LONGEST])
{
    for (size_t i = 0; i < LONGEST; i += sizeof(long)) {
        long word = ptrace(PTRACE_PEEKDATA, pid, address + i, NULL);
        memcpy(path + i, &word, sizeof word);
        if (memchr(&word, '\0', sizeof word))
            break;
    }
    path[LONGEST - 1] = '\0';
}

static bool is_golden(const char *path)
{
    return strncmp(path, "golden", 6) == 0 && (path[6] == '/' || path[6] == '\0');
}

static size_t find_file(struct trace *t, const char *path)
{
    for (size_t i = 0; i < t->file_count; i++)
        if (strcmp(t->files[i].path, path) == 0)
            return i;
    assert_true(t->file_count < MOST_FILES);
    strcpy(t->files[t->file_count].path, path);
    return t->file_count++;
}

static void changed_entry(struct trace *t, const char *path)
{
    assert_true(t->entry_count < MOST_FILES);
    strcpy(t->entries[t->entry_count], path);
    *strrchr(t->entries[t->entry_count++], '/') = '\0';
}

static void renamed(struct trace *t, const char *from, const char *to)
{
    if (!is_golden(from)) { /* a candidate, which its run did not sync, becomes a temporary */
        t->files[find_file(t, to)].is_dirty = true;
        t->moves++;
        return;
    }
    size_t file = find_file(t, from);
    if (t->files[file].is_dirty)
        snprintf(t->problem, sizeof t->problem, "%s is renamed before it is on the disk", from);
    t->renames++;
    changed_entry(t, to);
}

static void synced(struct trace *t, const char *path, bool is_whole)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->file_count; i++)
        t->files[i].is_dirty = t->files[i].is_dirty && !is_whole && strcmp(t->files[i].path, path) != 0;
    for (size_t i = 0; i < t->entry_count; i++)
        if (!is_whole && strcmp(t->entries[i], path) != 0)
            memmove(t->entries[kept++], t->entries[i], LONGEST);
    t->entry_count = kept;
    t->syncs++;
}

/* Says if the call that begins changes goldens or syncs them; then it is noted. `path` is that of an openat(). */
static bool note_call(struct trace *t, pid_t pid, const struct __ptrace_syscall_info *info, char path[LONGEST])
{
    const uint64_t nr = info->entry.nr;
    const __typeof__(info->entry.args[0]) *args = info->entry.args;
    const char *open_at = args[0] < MOST_DESCRIPTORS ? t->opened[args[0]] : "";
    char other[LONGEST] = "";
    bool is_sync = false;
    *path = '\0';
    if (nr == SYS_openat) {
        read_path(pid, args[1], path);
        if (!is_golden(path) || !(args[2] & O_CREAT))
            return false;
        find_file(t, path);
    } else if (nr == SYS_write && is_golden(open_at)) {
        t->files[find_file(t, open_at)].is_dirty = true;
    } else if ((nr == SYS_fsync && *open_at) || nr == SYS_syncfs) {
        is_sync = true;
        synced(t, open_at, nr == SYS_syncfs);
    } else if (nr == SYS_renameat || nr == SYS_renameat2) {
        read_path(pid, args[1], other);
        read_path(pid, args[3], path);
        renamed(t, other, path);
    } else if (nr == SYS_unlinkat || nr == SYS_mkdirat) {
        read_path(pid, args[1], path);
        t->removals += nr == SYS_unlinkat;
#ifdef SYS_rename
    } else if (nr == SYS_rename) {
        read_path(pid, args[0], other);
        read_path(pid, args[1], path);
        renamed(t, other, path);
    } else if (nr == SYS_unlink || nr == SYS_mkdir || nr == SYS_rmdir) {
        read_path(pid, args[0], path);
        t->removals += nr == SYS_unlink;
#endif
    } else {
        return false;
    }
    if (*path && !is_golden(path))
        return false;
    t->is_synced = is_sync;
    t->calls++;
    return true;
}

/* accept, of what a run has left and of what it draws itself */
static const char *const from[] = {"rigproof", "accept", "--from", "out/check", "--allow-outside", NULL};
static const char *const drawn[] = {"rigproof", "accept", "suite.yaml", "-o", "out/accept", "--allow-outside", NULL};

/* In the child. */
static void run_traced(const char *const *arguments)
{
    int said = open("said", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(said, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    unsetenv("CI");
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* it cannot look for them in a process that is traced */
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit(126);
    raise(SIGSTOP);
    execv(RIGPROOF_BINARY, (char *const *)(uintptr_t)arguments);
    _exit(127);
}

/* To its end or to its death. The exit code, -1: killed. */
static int trace_accept(struct trace *t, const char *const *arguments, size_t kill_at)
{
    char path[LONGEST] = "";
    int status, number = 0;
    *t = (struct trace){.kill_at = kill_at};
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        run_traced(arguments);
    waitpid(pid, &status, 0);
    if (WIFEXITED(status) || ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0)
        skip_because("no process can be traced here");
    while (ptrace(PTRACE_SYSCALL, pid, NULL, number) == 0 && waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
        struct __ptrace_syscall_info info;
        number = WSTOPSIG(status) == (SIGTRAP | 0x80) || WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
        if (WSTOPSIG(status) != (SIGTRAP | 0x80) || ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) <= 0)
            continue;
        if (info.op == PTRACE_SYSCALL_INFO_ENTRY && note_call(t, pid, &info, path) && t->calls == kill_at) {
            kill(pid, SIGKILL);
            waitpid(pid, &status, 0);
            return -1;
        }
        if (info.op == PTRACE_SYSCALL_INFO_EXIT && *path && info.exit.rval >= 0 && info.exit.rval < MOST_DESCRIPTORS) {
            strcpy(t->opened[info.exit.rval], path);
            *path = '\0';
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define OLD "  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25, 0.75]}\n"
#define NEW                                                                                                            \
    "  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25, 0.5], background: '102030'}\n"           \
    "  - {name: more, model: " TWINS ", times: [0.2]}\n"

/* Old goldens of one case; candidates for it and for a new one. */
static void prepare(const char *before, const char *now)
{
    write_accepted_suite(before);
    spill("golden/strip/notes.txt", "mine");
    spill("golden/strip/0.250.png.new-a1B2c3x", "mine"); /* as long as no temporary is */
    assert_int_equal(rename("golden", "old"), 0);
    copy_folder("old", "golden");
    write_suite(now);
    check_gives(1, NULL);
}

static void wipe(const char *folder)
{
    shell("rm -rf '%s'", folder);
}

/* Of a case's golden all is as in `folder`, but for temporaries, and beside the new one files of the time that it has
 * not. */
static bool is_as_in(const char *folder, const char *name)
{
    char *now = keep(strdup(contents(at("golden/%s", name))));
    size_t kept = 0;
    for (char *line = now, *end; *line; line = end) { /* "0.250.png HASH" */
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        const char *added = memmem(line, (size_t)(end - line), ".new-", 5);
        bool is_temporary = added && strcspn(added, " \n") == strlen(".new-XXXXXX");
        if (is_temporary || (strcmp(folder, "new") == 0 && memmem(line, (size_t)(end - line), "0.750", 5)))
            continue;
        memmove(now + kept, line, (size_t)(end - line));
        kept += (size_t)(end - line);
    }
    now[kept] = '\0';
    return strcmp(now, contents(at("%s/%s", folder, name))) == 0;
}

SCRATCH_TEST(killed_anywhere_it_leaves_old_or_new_or_what_check_names)
{
    static struct trace t;
    prepare(OLD, NEW);
    assert_int_equal(trace_accept(&t, from, 0), 0);
    assert_string_equal(t.problem, "");
    const size_t calls = t.calls;
    size_t olds = 0, news = 0, mixtures = 0;
    const char *good = contents("golden");
    assert_int_equal(rename("golden", "new"), 0);
    for (size_t at_call = 1; at_call <= calls; at_call++) {
        copy_folder("old", "golden");
        assert_int_equal(trace_accept(&t, from, at_call), -1);
        const bool is_old = is_as_in("old", "strip"), is_new = is_as_in("new", "strip");
        const bool is_there = exists("golden/more/recorded.json");
        olds += is_old;
        news += is_new;
        if (!is_old && !is_new) {
            const char *said = check("--filter", "strip", "-o", "other", NULL)->out;
            mixtures++;
            if (!strstr(said, "does not match its hash") && !strstr(said, "no golden"))
                fail_msg("killed at call %zu check does not see the mixture: %s", at_call, said);
        }
        if (is_there && !is_as_in("new", "more"))
            check_gives(1, "--filter", "more", "-o", "other", NULL);
        rigproof_gives(0, "accept", "--from", "out/check", "--allow-outside");
        if (strcmp(contents("golden"), good) != 0)
            fail_msg("killed at call %zu the next accept leaves\n%s\nnot\n%s", at_call, contents("golden"), good);
        wipe("golden");
    }
    assert_true(olds > 10 && news > 2 && mixtures > 2);
}

SCRATCH_TEST(temporaries_of_other_cases_go_too)
{
    static struct trace t;
    prepare(OLD, NEW);
    trace_accept(&t, from, 0);
    const size_t calls = t.calls;
    wipe("golden");
    copy_folder("old", "golden");
    trace_accept(&t, from, calls / 2);
    assert_contains(contents("golden/strip"), ".new-");
    rigproof_gives(0, "accept", "--from", "out/check", "--filter", "more", "--allow-outside");
    assert_true(is_as_in("old", "strip") && strcmp(contents("golden/strip"), contents("old/strip")) == 0);
}

/* Each file is on the disk before its name is, and the names before the process says that it is done. */
static void is_in_order(const struct trace *t, size_t renames)
{
    assert_string_equal(t->problem, "");
    assert_int_equal(t->renames, renames);
    assert_int_equal(t->entry_count, 0);
    assert_true(t->is_synced);
}

SCRATCH_TEST(data_is_on_the_disk_before_it_has_a_name)
{
    static struct trace t;
    prepare(OLD, NEW);
    assert_int_equal(trace_accept(&t, from, 0), 0);
    is_in_order(&t, 8);
    assert_int_equal(t.removals, 2); /* 0.750 */
    assert_int_equal(t.syncs, 2); /* of all data, then of all names */
}

/* What accept has drawn itself is moved: no other copy is written, and all else is as with copies. */
SCRATCH_TEST(what_it_has_drawn_is_moved_as_safely)
{
    static struct trace t;
    prepare(OLD, NEW);
    assert_int_equal(trace_accept(&t, drawn, 0), 0);
    is_in_order(&t, 8);
    assert_int_equal(t.moves, 8);
    assert_int_equal(t.removals, 2);
    assert_int_equal(t.syncs, 2);
    const size_t calls = t.calls;
    const char *good = contents("golden");
    assert_int_equal(rename("golden", "new"), 0);
    for (size_t i = 1; i <= 4; i++) {
        copy_folder("old", "golden");
        assert_int_equal(trace_accept(&t, drawn, calls * i / 5), -1);
        if (!is_as_in("old", "strip") && !is_as_in("new", "strip"))
            check_gives(1, "--filter", "strip", "-o", "other", NULL);
        /* Killed before the last removals, the case passes, and what it has left over is obsolete. */
        rigproof_gives(0, "accept", "suite.yaml", "--prune", "--allow-outside");
        assert_string_equal(contents("golden"), good);
        wipe("golden");
    }
}
