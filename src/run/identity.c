#include "run/cache.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/build_id.h"
#include "base/file/file.h"
#include "base/memory.h"
#include "base/process/process.h"
#include "base/sort.h"

struct probe {
    enum backend backend;
    struct arena *arena;
    struct text out;  /* of the child */
    const char *text; /* the same, for the parent too */
    struct error err;
};

/* An object without a build id is identified by its file. linux-vdso.so.1, the kernel's, has only clocks. */
static int add_object(struct dl_phdr_info *info, size_t size, void *context)
{
    struct probe *probe = context;
    const char *path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    char id[BUILD_ID_TEXT];
    struct stat st;
    (void)size;
    if (strncmp(path, "linux-", strlen("linux-")) == 0)
        return 0;
    text_addf(&probe->out, "object %s ", *info->dlpi_name ? path_base(path) : "rigproof");
    if (build_id_find(info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum, id))
        text_addf(&probe->out, "%s\n", id);
    else if (stat(path, &st) == 0)
        text_addf(&probe->out, "%lld bytes of %lld.%09ld\n", (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                  st.st_mtim.tv_nsec);
    else
        error_set(&probe->err, "cannot tell which build of %s is loaded", path);
    return 0;
}

static bool begins_with_one(const char *text, const char *const *words)
{
    while (*words && strncmp(text, *words, strlen(*words)) != 0)
        words++;
    return *words != NULL;
}

/* Where shaders are cached and how many threads draw changes no pixel. */
static void add_environment(struct text *out)
{
    static const char *const taken[] = {
        "LP_", "GALLIVM_", "GALLIUM_", "MESA_", "LIBGL_", "EGL_", "__EGL_", "__GL", "DRI_", "DRAW_", "ST_",
        "SOFTPIPE_", "NIR_", "TGSI_", "LLVM_", "OSMESA_", "GLIBC_TUNABLES=", "RIGPROOF_KEEP_ENVIRONMENT=", "ASSIMP_",
        NULL};
    static const char *const left[] = {"LP_NUM_THREADS=", "MESA_SHADER_CACHE_", "MESA_GLSL_CACHE_", NULL};
    size_t count = 0;
    while (environ && environ[count])
        count++;
    FREED const char **sorted = memory_new(count, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = environ[i];
    sort_items(sorted, count, sizeof *sorted, compare_strings);
    for (size_t i = 0; i < count; i++)
        if (begins_with_one(sorted[i], taken) && !begins_with_one(sorted[i], left))
            text_addf(out, "environment %s\n", sorted[i]);
}

/* The lines of the first processor that say what it can do: "flags : fpu vme ... avx2". */
static void add_cpu(struct text *out, struct error *err)
{
    static const char *const taken[] = {"vendor_id",   "cpu family", "model",    "flags", "CPU implementer",
                                        "CPU variant", "CPU part",   "Features", "isa",   "cpu",
                                        NULL};
    FILE *file = fopen("/proc/cpuinfo", "re");
    FREED char *line = NULL;
    size_t capacity = 0, found = 0;
    while (file && getline(&line, &capacity, file) > 1) {
        const char *const *word = taken;
        const size_t length = strcspn(line, "\t:");
        while (*word && (strlen(*word) != length || strncmp(line, *word, length) != 0))
            word++;
        if (*word) {
            text_add(out, line);
            found++;
        }
    }
    if (file)
        fclose(file);
    if (found == 0)
        error_set(err, "/proc/cpuinfo does not tell which CPU this is");
}

static int probe_in_child(void *context)
{
    struct probe *probe = context;
    struct renderer *renderer = renderer_create(probe->backend, &probe->err);
    struct text *out = &probe->out;
    struct fingerprint fingerprint;
    if (!renderer)
        return 1;
    renderer_fingerprint(renderer_info(renderer), NULL, probe->arena, &fingerprint);
    for (uint32_t i = 0; i < fingerprint.count; i++)
        text_addf(out, "%s %s\n", fingerprint.entries[i].name, fingerprint.entries[i].value);
    dl_iterate_phdr(add_object, probe);
    add_environment(out);
    add_cpu(out, &probe->err);
    probe->text = arena_string(probe->arena, text_string(out));
    text_release(out);
    return 0;
}

bool identity_find(enum backend backend, struct text *out, struct error *err)
{
    enum { MEMORY = 16 << 20, SECONDS = 60 };
    SCOPED_ARENA arena = arena_create(MEMORY, err);
    if (!arena)
        return false;
    struct probe *probe = ARENA_NEW(arena, struct probe, 1);
    *probe = (struct probe){.backend = backend, .arena = arena};
    struct child_result result = child_run(probe_in_child, probe, &(struct child_limits){.seconds = SECONDS});
    bool good = result.end == CHILD_EXITED && result.status == 0 && !error_is_set(&probe->err);
    if (good)
        text_add(out, probe->text);
    else if (error_is_set(&probe->err))
        *err = probe->err;
    else
        error_set(err, "the process that opens a context to see what it is made of ended early%s%s",
                  *result.said ? ": " : "", result.said);
    return good;
}
