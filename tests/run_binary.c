
#include "run_binary.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { MOST_ARGUMENTS = 64, MOST_KEPT = 8192, SECONDS = 120 };

/* Memory of the running test. */
static void *kept[MOST_KEPT];
static size_t kept_count;
static char folder[64];

void *keep(void *memory)
{
    assert_non_null(memory);
    assert_true(kept_count < MOST_KEPT);
    return kept[kept_count++] = memory;
}

const char *at(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    assert_true(length >= 0);
    return keep(text);
}

const char *scratch_path(void)
{
    return keep(realpath(folder, NULL));
}

void (*scratch_before)(void);

int scratch_enter(void **state)
{
    /* What a build server sets changes what the program does; a test that means it says so. */
    static const char *const names[] = {"CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "NO_COLOR",
                                        "RIGPROOF_ACCEPT"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
    snprintf(folder, sizeof folder, "/tmp/rigproof-test-XXXXXX");
    if (!mkdtemp(folder) || chmod(folder, 0777) != 0 || chdir(folder) != 0)
        return -1;
    if (scratch_before)
        scratch_before();
    return 0;
}

static int open_up(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    return type == FTW_D || type == FTW_DNR ? chmod(path, 0777) : 0;
}

static int delete_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    return remove(path);
}

int scratch_leave(void **state)
{
    while (kept_count > 0)
        free(kept[--kept_count]);
    if (chdir("/") != 0)
        return -1;
    nftw(folder, open_up, 16, FTW_PHYS);
    return nftw(folder, delete_one, 16, FTW_PHYS | FTW_DEPTH);
}

static char *read_stream(FILE *stream, size_t *size)
{
    size_t capacity = 1 << 16, used = 0;
    char *data = malloc(capacity);
    assert_non_null(data);
    rewind(stream);
    for (;;) {
        used += fread(data + used, 1, capacity - used - 1, stream);
        if (used + 1 < capacity)
            break;
        data = realloc(data, capacity *= 2);
        assert_non_null(data);
    }
    data[used] = '\0';
    if (size)
        *size = used;
    return keep(data);
}

static _Noreturn void become(const struct run_options *options, char **arguments, int out, int err)
{
    for (const char *const *entry = options->environment; entry && *entry; entry++)
        if (strchr(*entry, '='))
            putenv(strdup(*entry));
        else
            unsetenv(*entry);
    if (options->file_size_limit) {
        signal(SIGXFSZ, SIG_DFL); /* what the tests' own caller may have ignored */
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){(rlim_t)options->file_size_limit, (rlim_t)options->file_size_limit});
    }
    if (options->output)
        out = open(options->output, O_WRONLY);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    if (options->closed_output)
        close(STDOUT_FILENO);
    if (options->user) /* Mesa says on stderr when another user's cache cannot be written */
        setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    if (options->user && geteuid() == 0 && (setgid(options->user) != 0 || setuid(options->user) != 0))
        _exit(125);
    alarm(SECONDS);
    execv(arguments[0], arguments);
    _exit(127);
}

/* A coverage build says on stderr which counters it could not write or merge, after a test that limits files or users. */
static void drop_coverage_chatter(struct outcome *outcome)
{
#ifdef RIGPROOF_COVERAGE
    char *kept = keep(calloc(outcome->err_size + 1, 1));
    for (const char *line = outcome->err; *line;) {
        size_t length = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
        if (strncmp(line, "profiling:", 10) != 0 && strncmp(line, "libgcov", 7) != 0)
            strncat(kept, line, length);
        line += length;
    }
    outcome->err = kept;
    outcome->err_size = strlen(kept);
#else
    (void)outcome;
#endif
}

/* ---- running --------------------------------------------------------------------------------------------------- */

struct background *rigproof_start(const struct run_options *options, const char *first, ...)
{
    static char binary[] = RIGPROOF_BINARY;
    char *arguments[MOST_ARGUMENTS + 2] = {binary};
    int count = 1;
    size_t size = 0;
    struct background *run = keep(calloc(1, sizeof *run));
    va_list rest;
    va_start(rest, first);
    for (const char *a = first; a; a = va_arg(rest, const char *)) {
        assert_true(count < MOST_ARGUMENTS);
        memcpy(&arguments[count++], &a, sizeof a); /* execv wants them without const */
    }
    va_end(rest);
    FILE *command = open_memstream(&run->command, &size);
    for (int i = 0; arguments[i]; i++)
        fprintf(command, "%s%s", i ? " " : "", i ? arguments[i] : "rigproof");
    fclose(command);
    keep(run->command);
    run->out = tmpfile();
    run->err = tmpfile();
    assert_true(run->out && run->err);
    fflush(NULL);
    run->pid = fork();
    assert_true(run->pid >= 0);
    if (run->pid == 0)
        become(options, arguments, fileno(run->out), fileno(run->err));
    return run;
}

const struct outcome *rigproof_await(struct background *run)
{
    int status = 0;
    waitpid(run->pid, &status, 0);
    struct outcome *outcome = keep(calloc(1, sizeof *outcome));
    outcome->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    outcome->out = read_stream(run->out, &outcome->out_size);
    outcome->err = read_stream(run->err, &outcome->err_size);
    drop_coverage_chatter(outcome);
    outcome->command = run->command;
    fclose(run->out);
    fclose(run->err);
    return outcome;
}

const char *rigproof_said(FILE *stream)
{
    enum { MOST = 1 << 20 };
    char *text = keep(calloc(MOST, 1));
    assert_true(pread(fileno(stream), text, MOST - 1, 0) >= 0);
    return text;
}

const char *rigproof_says(struct background *run, FILE *stream, size_t *from, const char *part)
{
    char *text = keep(calloc(1 << 20, 1));
    for (int i = 0; i < 6000; i++) {
        assert_true(pread(fileno(stream), text, (1 << 20) - 1, 0) >= 0);
        const char *begin = text + (*from < strlen(text) ? *from : strlen(text)), *found = strstr(begin, part);
        if (found) {
            const char *between = at("%.*s", (int)(found - begin), begin);
            *from = (size_t)(found - text) + strlen(part);
            return between;
        }
        if (kill(run->pid, 0) != 0)
            break;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    kill(run->pid, SIGINT);
    fail_msg("`%s` was not printed behind: %s\nstderr: %s", part, text + *from, rigproof_said(run->err));
    return NULL;
}

/* ---- what is demanded of a run --------------------------------------------------------------------------------- */

const struct outcome *require_status(const struct outcome *outcome, int status, const char *file, int line)
{
    if (outcome->status != status) {
        print_error("%s\nexit code %d, not %d; stderr: %.2000s\n", outcome->command, outcome->status, status,
                    outcome->err);
        _fail(file, line);
    }
    return outcome;
}

const struct outcome *require_error(const struct outcome *outcome, int status, const char *file, int line)
{
    require_status(outcome, status, file, line);
    bool good = strncmp(outcome->err, "error: ", 7) == 0 && count_lines(outcome->err) == 1 &&
                outcome->err[outcome->err_size - 1] == '\n' && outcome->out_size == 0;
    if (!good) {
        print_error(
            "%s\nnot one line that starts with \"error: \", or something on stdout; stderr: %.2000s\nstdout: %.500s\n",
            outcome->command, outcome->err, outcome->out);
        _fail(file, line);
    }
    return outcome;
}

void require_parts(const char *text, const char *const *parts, bool held, const char *file, int line)
{
    for (; *parts; parts++)
        if ((strstr(text, *parts) != NULL) != held) {
            print_error("\"%s\" is %sin: %.3000s\n", *parts, held ? "not " : "", text);
            _fail(file, line);
        }
}

size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n' || text[1] == '\0';
    return lines;
}

const char *find_not_finite(const char *text)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    for (const char *c = text; *c; c++) {
        if (c > text && !strchr(" ,[\n\t:", c[-1]))
            continue;
        const char *word = *c == '-' || *c == '+' ? c + 1 : c;
        size_t length = strcspn(word, " ,]}\n\t(");
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            if (length == strlen(words[i]) && strncasecmp(word, words[i], length) == 0)
                return c;
    }
    return NULL;
}

json_t *read_json(const char *text, size_t size)
{
    json_error_t why;
    json_t *read = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    if (!read)
        fail_msg("line %d, column %d: %s in: %.2000s", why.line, why.column, why.text, text);
    return read;
}

void require_json(const char *text, size_t size)
{
    json_decref(read_json(text, size));
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static int is_visible(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

const char *scratch_listing(void)
{
    struct dirent **entries = NULL;
    char *line = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&line, &size);
    int count = scandir(".", &entries, is_visible, alphasort);
    for (int i = 0; i < count; i++) {
        fprintf(stream, "%s%s", i ? " " : "", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    fclose(stream);
    return keep(line);
}

char *slurp(const char *path, size_t *size)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        fail_msg("there is no %s", path);
    char *data = read_stream(stream, size);
    fclose(stream);
    return data;
}

void spill_bytes(const char *path, const void *bytes, size_t size)
{
    char parent[1024];
    for (const char *c = path; *c && (c = strchr(c + 1, '/'));) {
        snprintf(parent, sizeof parent, "%.*s", (int)(c - path), path);
        mkdir(parent, 0777);
    }
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

void spill(const char *path, const char *content)
{
    spill_bytes(path, content, strlen(content));
}

void shell(const char *format, ...)
{
    char *command = NULL;
    va_list arguments;
    va_start(arguments, format);
    assert_true(vasprintf(&command, format, arguments) >= 0);
    va_end(arguments);
    if (system(keep(command)) != 0)
        fail_msg("%s", command);
}

bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool files_equal(const char *a, const char *b)
{
    size_t size_a = 0, size_b = 0;
    const char *data_a = slurp(a, &size_a), *data_b = slurp(b, &size_b);
    return size_a == size_b && memcmp(data_a, data_b, size_a) == 0;
}

void assert_same_files(const char *a, const char *b)
{
    if (!files_equal(a, b))
        fail_msg("%s and %s differ", a, b);
}

/* ---- locale ------------------------------------------------------------------------------------------------------ */

bool german_locale(char path[static 512])
{
    char here[400];
    locale_t there = newlocale(LC_ALL_MASK, "de_DE.UTF-8", (locale_t)0);
    snprintf(path, 512, "LOCPATH");
    if (there) {
        freelocale(there);
        return true;
    }
    if (!getcwd(here, sizeof here))
        return false;
    snprintf(path, 512, "LOCPATH=%s", here);
    return system("localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 >/dev/null 2>&1") <= 1 && exists("de_DE.UTF-8/LC_NUMERIC");
}
