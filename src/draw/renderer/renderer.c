#include "draw/renderer/renderer.h"

#include <stdlib.h>
#include <strings.h>
#include <sys/utsname.h>

#include <xxhash.h>

#include "base/log.h"
#include "base/memory.h"

static const char *rasteriser(const char *gl_renderer)
{
    return strstr(gl_renderer, "llvmpipe") ? "llvmpipe" : strstr(gl_renderer, "softpipe") ? "softpipe" : "other";
}

struct renderer *renderer_create(enum backend backend, struct error *err)
{
    struct renderer *renderer = memory_new(1, sizeof *renderer);
    renderer->tile = RENDERER_TILE;
    if (!gl_context_open(&renderer->context, backend, err)) {
        free(renderer);
        return NULL;
    }
    struct renderer_info *info = &renderer->info;
    info->backend = renderer->context.name;
    info->library = renderer->context.library_path;
    info->gl_version = (const char *)gl->GetString(GL_VERSION);
    info->glsl_version = (const char *)gl->GetString(GL_SHADING_LANGUAGE_VERSION);
    info->gl_renderer = (const char *)gl->GetString(GL_RENDERER);
    info->gl_vendor = (const char *)gl->GetString(GL_VENDOR);
    gl->GetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &info->max_texture_buffer);
    gl->GetIntegerv(GL_MAX_SAMPLES, &info->max_samples);
    if (strcmp(rasteriser(info->gl_renderer), "other") == 0)
        log_warning("%s draws on \"%s\", which is not a software rasteriser: its pixels may differ from the goldens",
                    info->backend, info->gl_renderer);
    palette_store_create(&renderer->palette);
    renderer->programs.limits = renderer->palette.limits;
    gl->GenVertexArrays(1, &renderer->overlay_array);
    gl->GenBuffers(1, &renderer->overlay_buffer);
    /* Others are built when they are needed; one now, so that a driver that cannot is found out here. */
    const struct program_key usual = {.view = VIEW_LIT, .influences = INFLUENCES_4, .two_sided = true};
    if (!programs_get(&renderer->programs, &usual, err)) {
        err->exit_code = EXIT_CODE_NO_GL;
        renderer_destroy(renderer);
        return NULL;
    }
    return renderer;
}

static bool is_same_map(const struct shader_map *a, const struct shader_map *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = strcmp(a->entries[i].name, b->entries[i].name) == 0 &&
               strcmp(a->entries[i].value, b->entries[i].value) == 0;
    return same;
}

bool renderer_shaders(struct renderer *renderer, const char *folder, const struct shader_map *map,
                      struct shader_set **out, struct error *err)
{
    static const struct shader_map none = {0};
    map = map ? map : &none;
    *out = NULL;
    for (struct shader_set *set = renderer->shaders; folder && set; set = set->next)
        if (strcmp(set->asked, folder) == 0 && is_same_map(&set->map, map)) {
            *out = set;
            return true;
        }
    if (folder && (*out = shader_set_load(folder, err))) {
        (*out)->next = renderer->shaders;
        (*out)->map = *map;
        for (size_t i = 0; i < map->count; i++)
            (*out)->map.entries[i] = (struct shader_map_entry){arena_string((*out)->arena, map->entries[i].name),
                                                               arena_string((*out)->arena, map->entries[i].value)};
        renderer->shaders = *out;
        (*out)->holds_warnings = renderer->holds_warnings;
        for (const char *line = text_string(&(*out)->warnings); *line && !renderer->holds_warnings;
             line += strcspn(line, "\n") + 1)
            log_warning("%.*s", (int)strcspn(line, "\n"), line);
    }
    return !folder || *out;
}

const char *renderer_why_empty(const struct renderer *renderer)
{
    return *renderer->why_empty ? renderer->why_empty : NULL;
}

void renderer_hold_warnings(struct renderer *renderer)
{
    renderer->holds_warnings = true;
}

void renderer_warnings(const struct renderer *renderer, struct text *out)
{
    for (const struct shader_set *set = renderer->shaders; set; set = set->next)
        text_add(out, text_string(&set->warnings));
}

static void release_map(struct depth_map *map)
{
    target_release(&map->target);
    gl->DeleteTextures(1, &map->made);
    free(map->depths);
}

void renderer_destroy(struct renderer *renderer)
{
    if (!renderer)
        return;
    if (gl_context_use(&renderer->context, ERROR_IGNORED)) {
        programs_release(&renderer->programs);
        target_release(&renderer->target);
        release_map(&renderer->ground);
        release_map(&renderer->depths);
        palette_store_release(&renderer->palette);
        buffer_texture_release(&renderer->binding_colors);
        buffer_texture_release(&renderer->shown_values);
        buffer_texture_release(&renderer->morph_weights);
        gl->DeleteVertexArrays(1, &renderer->overlay_array);
        gl->DeleteBuffers(1, &renderer->overlay_buffer);
    }
    gl_context_close(&renderer->context);
    for (struct shader_set *set = renderer->shaders, *next; set; set = next) {
        next = set->next;
        shader_set_release(set);
    }
    free(renderer->samples);
    free(renderer);
}

void renderer_trim(struct renderer *renderer)
{
    if (gl_context_use(&renderer->context, ERROR_IGNORED))
        programs_trim(&renderer->programs);
}

void renderer_leave(struct renderer *renderer)
{
#ifdef RIGPROOF_SANITIZE /* leaks are looked for */
    renderer_destroy(renderer);
#endif
    if (renderer)
        shader_cache_await();
}

const struct renderer_info *renderer_info(const struct renderer *renderer)
{
    return &renderer->info;
}

static const char unknown[] = "unknown";

/* The version behind a word: "22.3.6" in "4.5 (Core Profile) Mesa 22.3.6-1ubuntu2". Packagers' endings are left off. */
static const char *version_after(const char *text, const char *word, struct arena *arena)
{
    const char *start = strstr(text, word);
    size_t length = start ? strspn(start + strlen(word), "0123456789.") : 0;
    return length ? arena_printf(arena, "%.*s", (int)length, start + strlen(word)) : unknown;
}

/* "256" in "llvmpipe (LLVM 15.0.6, 256 bits)". */
static const char *vector_bits(const char *gl_renderer, struct arena *arena)
{
    const char *end = strstr(gl_renderer, " bits"), *start = end;
    while (start && start > gl_renderer && start[-1] >= '0' && start[-1] <= '9')
        start--;
    return start != end ? arena_printf(arena, "%.*s", (int)(end - start), start) : unknown;
}

/* As `uname -m` says it, but of this program: a 32-bit one may run on a 64-bit kernel. */
static const char *architecture(struct arena *arena)
{
#if defined(__x86_64__)
    (void)arena;
    return "x86_64";
#elif defined(__aarch64__)
    (void)arena;
    return "aarch64";
#else
    struct utsname machine;
    return uname(&machine) >= 0 ? arena_string(arena, machine.machine) : unknown;
#endif
}

/*
 * Says whether llvmpipe fuses multiply and add in shaders: wherever the CPU can, unless Mesa was told to do without
 * AVX. Each value of the override takes the next capability away and all that come after it; GALLIUM_NOSSE takes them
 * all (check_cpu_caps_override in Mesa's u_cpu_detect.c). environment.c has unset both unless they are kept.
 */
static const char *fused_multiply_add(const char *gl_renderer)
{
    if (strcmp(rasteriser(gl_renderer), "llvmpipe") != 0)
        return unknown;
#if defined(__x86_64__) || defined(__i386__)
    static const char *const below_avx[] = {"nosse", "sse", "sse2", "sse3", "ssse3", "sse4.1"};
    static const char *const off[] = {"", "0", "n", "no", "f", "false"};
    const char *override = getenv("GALLIUM_OVERRIDE_CPU_CAPS"), *without = getenv("GALLIUM_NOSSE");
    bool taken = without != NULL;
    for (size_t i = 0; without && i < sizeof off / sizeof off[0]; i++)
        taken = taken && strcasecmp(without, off[i]) != 0;
    for (size_t i = 0; override && i < sizeof below_avx / sizeof below_avx[0]; i++)
        taken = taken || strcmp(override, below_avx[i]) == 0;
    __builtin_cpu_init();
    return __builtin_cpu_supports("fma") && !taken ? "yes" : "no";
#elif defined(__aarch64__)
    return "yes";
#else
    return unknown;
#endif
}

void renderer_fingerprint(const struct renderer_info *info, const struct shader_set *shaders, struct arena *arena,
                          struct fingerprint *out)
{
    SCOPED(text) all = {0};
    for (struct shader_file file = {.name = ""}; shader_set_next(shaders, file.name, &file);) {
        text_add_bytes(&all, file.name, strlen(file.name) + 1);
        text_add_bytes(&all, file.text, strlen(file.text) + 1);
    }
    XXH64_hash_t hash = XXH3_64bits(all.data, all.size);
    const struct fingerprint_entry entries[] = {
        {"renderer", rasteriser(info->gl_renderer)},
        {"mesa", version_after(info->gl_version, "Mesa ", arena)},
        {"llvm", version_after(info->gl_renderer, "LLVM ", arena)},
        {"vector_bits", vector_bits(info->gl_renderer, arena)},
        {"architecture", architecture(arena)},
        {"fma", fused_multiply_add(info->gl_renderer)},
        {"shaders", arena_printf(arena, "%016llx", (unsigned long long)hash)},
    };
    out->count = sizeof entries / sizeof entries[0];
    out->entries = ARENA_NEW(arena, struct fingerprint_entry, out->count);
    memcpy(out->entries, entries, sizeof entries);
}
