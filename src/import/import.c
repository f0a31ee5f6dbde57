#define _GNU_SOURCE /* stat, access */

#include "import/import.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/process/process.h"
#include "import/convert.h"

const struct import_options import_defaults = {
    .repairs = REPAIR_ALL,
    .timeout_seconds = 30,
    .memory_mib = 4096,
};

/* Lives in the arena, so that the parent reads what the child wrote. */
struct task {
    const char *path;
    struct arena *arena;
    uint32_t repairs, flags;
    struct error err;
    struct scene *scene;
};

static int run_task(void *context)
{
    struct task *task = context;
    struct scene *scene = assimp_load(task->path, task->repairs, task->flags, task->arena, &task->err);
    task->scene = error_is_set(&task->err) ? NULL : scene;
    return task->scene ? 0 : 1;
}

/* Why there is no scene. */
static bool explain(const struct child_result *result, const struct task *task, const struct import_options *options,
                    struct error *err)
{
    char name[16], said[sizeof result->said + 2] = "";
    if (result->said[0])
        snprintf(said, sizeof said, ": %s", result->said);
    switch (result->end) {
    case CHILD_NO_START:
        return error_set(err, "cannot start the import process: %s", strerror(result->status));
    case CHILD_TIMEOUT:
        return error_set(err, "no result after %g s (--import-timeout)", options->timeout_seconds);
    case CHILD_CRASHED:
        if (result->status == SIGSYS && said[0])
            return error_set(err, "%s, which the import's sandbox forbids: this file may be an attack (SECURITY.md)",
                             said + 2);
        return error_set(err, "crashed (%s)%s", signal_name(result->status, name), said);
    case CHILD_EXITED:
        break;
    }
    if (result->status == MEMORY_EXHAUSTED)
        return error_set(err, "needs more than %zu MiB (--import-memory)", options->memory_mib);
    if (error_is_set(&task->err))
        return error_set(err, "%s", task->err.text);
    return error_set(err, "the import process ended with status %d%s", result->status, said);
}

struct scene *import_scene(const char *path, const struct import_options *options, struct error *err)
{
    enum { LEAST_ARENA_MIB = 1 };
    size_t mib = options->memory_mib > LEAST_ARENA_MIB ? options->memory_mib : LEAST_ARENA_MIB;
    struct error why = {0};
    struct stat status;
    if (!file_exists(path)) { /* what can be said without a child */
        if (stat(path, &status) != 0 || (S_ISREG(status.st_mode) && access(path, R_OK) != 0))
            error_set(err, "%s", strerror(errno));
        error_set(err, "not a file");
        error_prefix(err, "import of %s", path);
        return NULL;
    }
    struct arena *arena = arena_create(mib << 20, &why);
    if (!arena) {
        error_set(
            err,
            "import of %s: %s. --import-memory reserves this much address space, of which only what is used costs "
            "memory: raise the limit (ulimit -v), or give less, as in --import-memory %zu",
            path, why.text, mib > 1024 ? (size_t)512 : mib / 2);
        return NULL;
    }
    struct task *task = ARENA_NEW(arena, struct task, 1);
    *task = (struct task){arena_string(arena, path), arena, options->repairs, options->assimp_flags};
    struct child_limits limits = {options->timeout_seconds, options->memory_mib << 20, .sandboxed = true};
    struct child_result result = child_run(run_task, task, &limits);
    if (result.end == CHILD_EXITED && result.status == 0 && task->scene)
        return task->scene;
    explain(&result, task, options, err);
    error_prefix(err, "import of %s", path);
    arena_destroy(arena);
    return NULL;
}
