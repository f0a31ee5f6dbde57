/* What pixels depend on, read out of the strings that GL gives, the CPU and the environment. */
#define _POSIX_C_SOURCE 200809L

#include "draw/renderer.h"

#include <stdio.h>

#include "rendering.h"

static int make_arena(void **state)
{
    struct error err = {0};
    *state = arena_create(1 << 20, &err);
    return *state ? 0 : -1;
}

static int drop_arena(void **state)
{
    arena_destroy(*state);
    return 0;
}

static struct fingerprint of(void **state, const char *gl_version, const char *gl_renderer)
{
    struct fingerprint fingerprint;
    fingerprint_fill(gl_version, gl_renderer, NULL, *state, &fingerprint);
    return fingerprint;
}

static void versions_are_read_out_of_the_strings(void **state)
{
    static const struct {
        const char *gl_version, *gl_renderer, *renderer, *mesa, *llvm, *bits;
    } cases[] = {
        {"4.5 (Core Profile) Mesa 22.3.6", "llvmpipe (LLVM 15.0.6, 256 bits)", "llvmpipe", "22.3.6", "15.0.6", "256"},
        {"3.3 (Core Profile) Mesa 23.2.1-1ubuntu3.1~22.04.2", "llvmpipe (LLVM 15.0.7, 128 bits)", "llvmpipe", "23.2.1",
         "15.0.7", "128"},
        {"4.5 (Core Profile) Mesa 26.0.0-devel (git-0123456789)", "llvmpipe (LLVM 21.1.2, 512 bits)", "llvmpipe",
         "26.0.0", "21.1.2", "512"},
        {"4.1 (Core Profile) Mesa 20.3.5", "softpipe", "softpipe", "20.3.5", "unknown", "unknown"},
        {"4.6.0 NVIDIA 535.54", "NVIDIA GeForce GTX 1080/PCIe/SSE2", "other", "unknown", "unknown", "unknown"},
        {"", "llvmpipe (LLVM, bits)", "llvmpipe", "unknown", "unknown", "unknown"},
        {"Mesa ", "llvmpipe (LLVM x, 64 bits", "llvmpipe", "unknown", "unknown", "64"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fingerprint fingerprint = of(state, cases[i].gl_version, cases[i].gl_renderer);
        assert_string_equal(fingerprint_find(&fingerprint, "renderer"), cases[i].renderer);
        assert_string_equal(fingerprint_find(&fingerprint, "mesa"), cases[i].mesa);
        assert_string_equal(fingerprint_find(&fingerprint, "llvm"), cases[i].llvm);
        assert_string_equal(fingerprint_find(&fingerprint, "vector_bits"), cases[i].bits);
    }
}

/* Linux's list of what the CPU can do has the word. */
static bool cpuinfo_has_fma(void)
{
    char line[8192];
    bool found = false;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !found && fgets(line, sizeof line, file))
        found = strncmp(line, "flags", 5) == 0 && strstr(line, " fma ");
    if (file)
        fclose(file);
    return found;
}

static const char *fma_with(void **state, const char *override, const char *without_sse)
{
    if (override)
        setenv("GALLIUM_OVERRIDE_CPU_CAPS", override, 1);
    if (without_sse)
        setenv("GALLIUM_NOSSE", without_sse, 1);
    struct fingerprint fingerprint = of(state, "", "llvmpipe (LLVM 15.0.6, 256 bits)");
    unsetenv("GALLIUM_OVERRIDE_CPU_CAPS");
    unsetenv("GALLIUM_NOSSE");
    return fingerprint_find(&fingerprint, "fma");
}

static void fused_multiply_add_is_the_cpus_unless_taken_away(void **state)
{
#if defined(__x86_64__)
    const char *here = cpuinfo_has_fma() ? "yes" : "no";
    static const char *const less[] = {"nosse", "sse", "sse2", "sse3", "ssse3", "sse4.1"};
    assert_string_equal(fma_with(state, NULL, NULL), here);
    assert_string_equal(fma_with(state, "avx", NULL), here); /* takes AVX-512 away, no more */
    assert_string_equal(fma_with(state, "what Mesa does not know", NULL), here);
    assert_string_equal(fma_with(state, NULL, "false"), here);
    for (size_t i = 0; i < sizeof less / sizeof less[0]; i++)
        assert_string_equal(fma_with(state, less[i], NULL), "no");
    assert_string_equal(fma_with(state, NULL, "1"), "no");
    assert_string_equal(fma_with(state, "avx", "true"), "no");
#elif defined(__aarch64__)
    (void)cpuinfo_has_fma;
    assert_string_equal(fma_with(state, NULL, NULL), "yes");
    assert_string_equal(fma_with(state, "sse2", "1"), "yes"); /* x86's */
#endif
    struct fingerprint softpipe = of(state, "", "softpipe");
    assert_string_equal(fingerprint_find(&softpipe, "fma"), "unknown");
}

static void a_renderer_has_one(void **state)
{
    struct error err = {0};
    struct fingerprint fingerprint;
    struct renderer *renderer = renderer_create(BACKEND_AUTO, &err);
    if (!renderer)
        fail_msg("%s", err.text);
    renderer_fingerprint(renderer, NULL, *state, &fingerprint);
    assert_string_equal(fingerprint_find(&fingerprint, "renderer"), "llvmpipe");
    const char *mesa = fingerprint_find(&fingerprint, "mesa"), *llvm = fingerprint_find(&fingerprint, "llvm");
    assert_non_null(strstr(renderer_info(renderer)->gl_version, mesa));
    assert_non_null(strstr(renderer_info(renderer)->gl_renderer, llvm));
    assert_true(strtol(mesa, NULL, 10) >= 17 && strtol(llvm, NULL, 10) >= 6);
    assert_true(strtol(fingerprint_find(&fingerprint, "vector_bits"), NULL, 10) >= 128);
    renderer_destroy(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_are_read_out_of_the_strings),
        cmocka_unit_test(fused_multiply_add_is_the_cpus_unless_taken_away),
        cmocka_unit_test(a_renderer_has_one),
    };
    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
