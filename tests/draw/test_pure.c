/*
 * The parts of the stage that need no GL: integer arithmetic (resolve, mipmaps, weights as bytes), and the fingerprint, read
 * out of the strings that GL gives, the CPU and the environment.
 */

#include "draw/renderer/renderer.h"

#include "rendering.h"

GROUP_ARENA(1 << 20)

static void assert_bytes(const uint8_t got[4], int r, int g, int b, int a)
{
    if (got[0] != r || got[1] != g || got[2] != b || got[3] != a)
        fail_msg("expected %d %d %d %d, observed %d %d %d %d", r, g, b, a, got[0], got[1], got[2], got[3]);
}

TEST(samples_are_averaged_and_laid_over_the_background)
{
    static const struct {
        uint8_t samples[4][4], background[4], wanted[4];
    } cases[] = {
        /* 44/4, 2/4 = 0.5, 1019/4 = 254.75: halves up */
        {{{10, 0, 255, 255}, {11, 0, 255, 255}, {11, 1, 255, 255}, {12, 1, 254, 255}}, {99, 99, 99, 7}, {11, 1, 255, 255}},
        {{{0}}, {1, 2, 3, 0}, {1, 2, 3, 0}}, /* nothing drawn: the background's bytes */
        {{{0}}, {201, 202, 203, 1}, {201, 202, 203, 1}},
        /* a half covered pixel keeps its colour over nothing: 510/1020 * 255 = 127.5 */
        {{{200, 100, 50, 255}, {200, 100, 50, 255}, {0}, {0}}, {0, 0, 0, 0}, {200, 100, 50, 128}},
        {{{200, 100, 50, 255}, {200, 100, 50, 255}, {0}, {0}}, {100, 100, 100, 255}, {150, 100, 75, 255}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t out[4];
        const uint8_t *w = cases[i].wanted;
        resolve_samples(cases[i].samples[0], 1, 1, 2, cases[i].background, out, 4);
        assert_bytes(out, w[0], w[1], w[2], w[3]);
    }
}

/* Against the formula of renderer.h in double, for every alpha and background alpha. */
TEST(compositing_follows_the_formula)
{
    uint32_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        uint8_t sample[4], background[4], out[4];
        sample[3] = (uint8_t)(1 + 254 * hand_random(&seed));
        for (int c = 0; c < 3; c++)
            sample[c] = (uint8_t)(hand_random(&seed) * (sample[3] + 1));
        for (int c = 0; c < 4; c++)
            background[c] = (uint8_t)(256 * hand_random(&seed));
        resolve_samples(sample, 1, 1, 1, background, out, 4);
        double a = sample[3] / 255.0, behind = (1 - a) * background[3] / 255.0, alpha = a + behind;
        assert_int_equal(out[3], (int)floor(255 * alpha + 0.5 + 1e-9));
        for (int c = 0; c < 3; c++)
            assert_int_equal(out[c], (int)floor((sample[c] + behind * background[c]) / alpha + 0.5 + 1e-9));
    }
}

/* The short ways of empty and opaque pixels are the formula's; what is nearly so takes none of them. */
TEST(uniform_pixels_follow_the_formula)
{
    static const uint8_t alphas[] = {0, 1, 254, 255};
    uint32_t seed = 1;
    for (int i = 0; i < 40000; i++) {
        uint8_t samples[4][4], background[4], out[4];
        const uint8_t usual = alphas[i % 4], odd = alphas[i / 4 % 4];
        uint32_t sum[4] = {0};
        for (int s = 0; s < 4; s++)
            for (int c = 3; c >= 0; c--) {
                samples[s][c] = c == 3 ? (s == i / 16 % 4 ? odd : usual) : (uint8_t)(hand_random(&seed) * (samples[s][3] + 1));
                sum[c] += samples[s][c];
            }
        for (int c = 0; c < 4; c++)
            background[c] = (uint8_t)(256 * hand_random(&seed));
        resolve_samples(samples[0], 1, 1, 2, background, out, 4);
        double behind = (1 - sum[3] / 1020.0) * background[3] / 255.0, alpha = sum[3] / 1020.0 + behind;
        if (sum[3] == 0) {
            assert_memory_equal(out, background, 4);
            continue;
        }
        assert_int_equal(out[3], (int)floor(255 * alpha + 0.5 + 1e-9));
        for (int c = 0; c < 3; c++)
            assert_int_equal(out[c], (int)floor((sum[c] / 4.0 + behind * background[c]) / alpha + 0.5 + 1e-9));
    }
}

TEST(numbers_are_read_low_byte_first_and_turned_top_down)
{
    const uint8_t samples[4][4] = {{1, 0, 0, 255}, {0, 2, 0, 255}, {3, 2, 1, 255}, {255, 255, 255, 0}};
    uint32_t out[6] = {7, 7, 7, 7, 7, 7};
    resolve_numbers(samples[0], 2, 2, out, 3);
    const uint32_t expected[6] = {0x010203, 0xffffff, 7, 1, 0x200, 7};
    assert_memory_equal(out, expected, sizeof expected);
}

TEST(mipmaps_are_means)
{
    const uint8_t four[4][4] = {{0, 10, 1, 255}, {1, 20, 1, 255}, {0, 30, 1, 0}, {1, 41, 2, 0}};
    uint8_t out[4];
    mipmap_reduce(four[0], 2, 2, out);
    assert_bytes(out, 1, 25, 1, 128);
    const uint8_t row[3][4] = {{3, 0, 0, 255}, {6, 0, 0, 255}, {9, 0, 0, 255}}; /* odd: all three into one */
    mipmap_reduce(row[0], 3, 1, out);
    assert_bytes(out, 6, 0, 0, 255);
    enum { WIDTH = 14, HEIGHT = 6 };
    uint8_t image[HEIGHT][WIDTH][4], half[HEIGHT / 2][WIDTH / 2][4];
    uint8_t *bytes = (uint8_t *)image;
    for (size_t i = 0; i < sizeof image; i++)
        bytes[i] = (uint8_t)(i * i * 37 + i);
    mipmap_reduce(image[0][0], WIDTH, HEIGHT, half[0][0]);
    for (int y = 0; y < HEIGHT / 2; y++)
        for (int x = 0; x < WIDTH / 2; x++)
            for (int c = 0; c < 4; c++)
                assert_int_equal(half[y][x][c], (image[2 * y][2 * x][c] + image[2 * y][2 * x + 1][c] + image[2 * y + 1][2 * x][c] +
                                                 image[2 * y + 1][2 * x + 1][c] + 2) / 4);
}

TEST(remainders_are_dealt_out_largest_first)
{
    static const struct {
        float weights[4];
        uint8_t bytes[4];
    } rows[] = {
        {{1, 0, 0, 0}, {255, 0, 0, 0}},
        {{0.5f, 0.5f, 0, 0}, {128, 127, 0, 0}},                       /* 127.5 each: the first of equals */
        {{0.25f, 0.25f, 0.25f, 0.25f}, {64, 64, 64, 63}},             /* 63.75 each: three are missing */
        {{0.7f, 0.2f, 0.1f, 0}, {178, 51, 26, 0}},                    /* 178.5, 51, 25.5: less than .5 in float */
        {{0.996f, 0.002f, 0.001f, 0.001f}, {254, 1, 0, 0}},           /* 253.98, 0.51, 0.255, 0.255 */
        {{0.5f, 0.25f, 0, 0}, {127, 64, 0, 0}},                       /* sum 0.75: 191.25, so 191 */
        {{0, 0, 0, 0}, {0, 0, 0, 0}},
        {{2, -1, 0, 0}, {255, 0, 0, 0}},                              /* cut */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct influence influences[4];
        uint8_t bytes[4];
        for (uint32_t k = 0; k < 4; k++)
            influences[k] = (struct influence){k, rows[i].weights[k]};
        weights_to_bytes(influences, 4, bytes);
        for (int k = 0; k < 4; k++)
            if (bytes[k] != rows[i].bytes[k])
                fail_msg("row %zu, weight %d: %d where %d is expected", i, k, bytes[k], rows[i].bytes[k]);
    }
}

static struct fingerprint of(const char *gl_version, const char *gl_renderer)
{
    struct fingerprint fingerprint;
    const struct renderer_info info = {.gl_version = gl_version, .gl_renderer = gl_renderer};
    renderer_fingerprint(&info, NULL, arena, &fingerprint);
    return fingerprint;
}

TEST(versions_are_read_out_of_the_strings)
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
        struct fingerprint fingerprint = of(cases[i].gl_version, cases[i].gl_renderer);
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

static const char *fma_with(const char *override, const char *without_sse)
{
    if (override)
        setenv("GALLIUM_OVERRIDE_CPU_CAPS", override, 1);
    if (without_sse)
        setenv("GALLIUM_NOSSE", without_sse, 1);
    struct fingerprint fingerprint = of("", "llvmpipe (LLVM 15.0.6, 256 bits)");
    unsetenv("GALLIUM_OVERRIDE_CPU_CAPS");
    unsetenv("GALLIUM_NOSSE");
    return fingerprint_find(&fingerprint, "fma");
}

TEST(fused_multiply_add_is_the_cpus_unless_taken_away)
{
#if defined(__x86_64__)
    const char *here = cpuinfo_has_fma() ? "yes" : "no";
    static const char *const less[] = {"nosse", "sse", "sse2", "sse3", "ssse3", "sse4.1"};
    assert_string_equal(fma_with(NULL, NULL), here);
    assert_string_equal(fma_with("avx", NULL), here); /* takes AVX-512 away, no more */
    assert_string_equal(fma_with("what Mesa does not know", NULL), here);
    assert_string_equal(fma_with(NULL, "false"), here);
    for (size_t i = 0; i < sizeof less / sizeof less[0]; i++)
        assert_string_equal(fma_with(less[i], NULL), "no");
    assert_string_equal(fma_with(NULL, "1"), "no");
    assert_string_equal(fma_with("avx", "true"), "no");
#elif defined(__aarch64__)
    (void)cpuinfo_has_fma;
    assert_string_equal(fma_with(NULL, NULL), "yes");
    assert_string_equal(fma_with("sse2", "1"), "yes"); /* x86's */
#endif
    struct fingerprint softpipe = of("", "softpipe");
    assert_string_equal(fingerprint_find(&softpipe, "fma"), "unknown");
}

TEST(a_renderer_has_one)
{
    struct fingerprint fingerprint;
    struct renderer *renderer = assert_good(renderer_create(BACKEND_AUTO, err));
    renderer_fingerprint(renderer_info(renderer), NULL, arena, &fingerprint);
    assert_string_equal(fingerprint_find(&fingerprint, "renderer"), "llvmpipe");
    const char *mesa = fingerprint_find(&fingerprint, "mesa"), *llvm = fingerprint_find(&fingerprint, "llvm");
    assert_non_null(strstr(renderer_info(renderer)->gl_version, mesa));
    assert_non_null(strstr(renderer_info(renderer)->gl_renderer, llvm));
    assert_true(strtol(mesa, NULL, 10) >= 17 && strtol(llvm, NULL, 10) >= 6);
    assert_true(strtol(fingerprint_find(&fingerprint, "vector_bits"), NULL, 10) >= 128);
    renderer_destroy(renderer);
}
