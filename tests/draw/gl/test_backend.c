
#include "draw/busy_scene.h"
#include "draw/gl/environment.h"
#include "draw/rendering.h"

TEST(auto_falls_back_to_egl)
{
    if (!backend_is_present(BACKEND_EGL))
        skip_because("libEGL is not installed here");
    setenv("RIGPROOF_OSMESA_LIBRARY", "libNoSuchOSMesa.so", 1);
    struct renderer *renderer = assert_good(renderer_create(BACKEND_AUTO, err));
    unsetenv("RIGPROOF_OSMESA_LIBRARY");
    assert_string_equal(renderer_info(renderer)->backend, "egl");
    renderer_destroy(renderer);
}

static size_t rule_of(const char *name)
{
    for (size_t i = 0; i < environment_rule_count; i++)
        if (strcmp(environment_rules[i].name, name) == 0)
            return i;
    fail_msg("no rule for %s", name);
    return 0;
}

TEST(the_environment_is_set_and_what_it_was_is_remembered)
{
    setenv("LP_NATIVE_VECTOR_WIDTH", "512", 1);
    setenv("GALLIVM_PERF", "brilinear", 1);
    setenv("LP_NUM_THREADS", "1", 1);
    assert_true(environment_apply(ANY_ERROR));
    assert_true(environment_apply(ANY_ERROR)); /* twice is once */
    assert_null(getenv("LP_NATIVE_VECTOR_WIDTH"));
    assert_string_equal(getenv("GALLIVM_PERF"), "no_aos_sampling");
    assert_string_equal(getenv("LIBGL_ALWAYS_SOFTWARE"), "1");
    assert_string_equal(getenv("GALLIUM_DRIVER"), "llvmpipe");
    assert_string_equal(getenv("LP_NUM_THREADS"), "1"); /* the user's */
    assert_string_equal(environment_before(rule_of("LP_NATIVE_VECTOR_WIDTH")), "512");
    assert_string_equal(environment_before(rule_of("GALLIVM_PERF")), "brilinear");
    assert_null(environment_before(rule_of("LP_PERF")));
    setenv("GALLIUM_DRIVER", "softpipe", 1);
    assert_true(environment_apply(ANY_ERROR));
    assert_string_equal(getenv("GALLIUM_DRIVER"), "softpipe"); /* a software one may be chosen */
    setenv("GALLIUM_DRIVER", "llvmpipe", 1);
}

static void forget_environment(void)
{
    for (size_t i = 0; i < environment_rule_count; i++)
        unsetenv(environment_rules[i].name);
    unsetenv(ENVIRONMENT_KEEP);
    unsetenv("MESA_SHADER_CACHE_DISABLE");
    unsetenv("RIGPROOF_OSMESA_LIBRARY");
    unsetenv("RIGPROOF_EGL_LIBRARY");
}

TEST(kept_variables_stay_as_they_are)
{
    struct error err = {0};
    forget_environment();
    setenv(ENVIRONMENT_KEEP, "GALLIUM_OVERRIDE_CPU_CAPS,GALLIVM_PERF,LP_PERF,,", 1);
    setenv("GALLIUM_OVERRIDE_CPU_CAPS", "sse4.1", 1);
    setenv("GALLIVM_PERF", "brilinear", 1);
    setenv("GALLIUM_NOSSE", "1", 1);
    assert_true(environment_apply(&err));
    assert_string_equal(getenv("GALLIUM_OVERRIDE_CPU_CAPS"), "sse4.1");
    assert_string_equal(getenv("GALLIVM_PERF"), "brilinear");
    assert_null(getenv("LP_PERF"));
    assert_null(getenv("GALLIUM_NOSSE")); /* the others' rules hold */
    assert_string_equal(getenv("LIBGL_ALWAYS_SOFTWARE"), "1");
    assert_string_equal(getenv("MESA_SHADER_CACHE_DISABLE"), "true");
    assert_true(environment_is_kept(rule_of("GALLIVM_PERF")) && environment_is_kept(rule_of("LP_PERF")));
    assert_false(environment_is_kept(rule_of("GALLIUM_NOSSE")));
    forget_environment();
    assert_true(environment_apply(&err));
    assert_false(environment_is_kept(rule_of("GALLIVM_PERF")));
    assert_string_equal(getenv("GALLIVM_PERF"), "no_aos_sampling");
    forget_environment();
    setenv(ENVIRONMENT_KEEP, "LP_NATIVE_VECTOR_WIDTH", 1); /* one that is not set leaves the cache on */
    assert_true(environment_apply(&err));
    assert_null(getenv("MESA_SHADER_CACHE_DISABLE"));
    forget_environment();
}

TEST(what_gives_no_gl_is_told)
{
    static const char osmesa[] = "RIGPROOF_OSMESA_LIBRARY", egl[] = "RIGPROOF_EGL_LIBRARY", keep[] = ENVIRONMENT_KEEP;
    static const char width[] = "LP_NATIVE_VECTOR_WIDTH";
    static const struct {
        enum backend backend;
        const char *set[2][2], *says[5];
    } rows[] = {
        {BACKEND_OSMESA, {{osmesa, "libNoSuchOSMesa.so"}}, {"osmesa", "libNoSuchOSMesa.so", "libosmesa6"}},
        {BACKEND_EGL, {{egl, "libNoSuchEGL.so"}}, {"egl", "libNoSuchEGL.so", "libegl1", "libgl1-mesa-dri"}},
        {BACKEND_AUTO,
         {{osmesa, "libNoSuchOSMesa.so"}, {egl, "libNoSuchEGL.so"}},
         {"libNoSuchOSMesa.so", "libosmesa6", "libNoSuchEGL.so", "libegl1", "Fedora"}},
        {BACKEND_OSMESA, {{osmesa, "libm.so.6"}}, {"libm.so.6 has no OSMesaGetProcAddress"}},
        {BACKEND_EGL, {{egl, "libm.so.6"}}, {"libm.so.6 has no eglGetProcAddress"}},
        {BACKEND_AUTO, {{"GALLIUM_DRIVER", "no-such-driver"}}, {"GALLIUM_DRIVER=no-such-driver", "llvmpipe"}},
        {BACKEND_AUTO,
         {{keep, "LP_PERF,GALLIUM_OVERRIDE_CPU_CAP"}},
         {keep, "\"GALLIUM_OVERRIDE_CPU_CAP\"", "did you mean GALLIUM_OVERRIDE_CPU_CAPS?"}},
        {BACKEND_AUTO, {{keep, "PATH"}}, {"\"PATH\""}},
        {BACKEND_AUTO, {{keep, width}, {width, "512"}}, {"LP_NATIVE_VECTOR_WIDTH=512", "128 or 256"}},
        {BACKEND_AUTO, {{keep, width}, {width, ""}}, {"LP_NATIVE_VECTOR_WIDTH=", "128 or 256"}},
        {BACKEND_AUTO, {{keep, width}, {width, "256 "}}, {"LP_NATIVE_VECTOR_WIDTH=256 ", "128 or 256"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct error err = {0};
        forget_environment();
        for (int s = 0; s < 2 && rows[i].set[s][0]; s++)
            setenv(rows[i].set[s][0], rows[i].set[s][1], 1);
        assert_true(i > 2 || !backend_is_present(rows[i].backend));
        assert_null(renderer_create(rows[i].backend, &err));
        assert_int_equal(err.exit_code, EXIT_CODE_NO_GL);
        for (int k = 0; k < 5 && rows[i].says[k]; k++)
            if (!strstr(err.text, rows[i].says[k]))
                fail_msg("no \"%s\" in \"%s\"", rows[i].says[k], err.text);
    }
    for (int bits = 128; bits <= 256; bits += 128) { /* vectors that do not crash Mesa may be kept */
        setenv(keep, width, 1);
        setenv(width, bits == 128 ? "128" : "256", 1);
        assert_true(environment_apply(ANY_ERROR));
    }
    forget_environment();
}

TEST(info_describes_the_context)
{
    for (enum backend backend = BACKEND_OSMESA; backend <= BACKEND_EGL; backend++) {
        if (!backend_is_present(backend))
            continue;
        struct renderer *renderer = assert_good(renderer_create(backend, err));
        const struct renderer_info *info = renderer_info(renderer);
        assert_string_equal(info->backend, backend == BACKEND_EGL ? "egl" : "osmesa");
        assert_non_null(strstr(info->library, backend == BACKEND_EGL ? "EGL" : "OSMesa"));
        assert_non_null(strstr(info->gl_renderer, "llvmpipe"));
        assert_true(info->gl_version[0] >= '3' && info->glsl_version && info->gl_vendor);
        assert_true(info->max_texture_buffer >= 65536);
        assert_true(info->max_samples >= 1);
        renderer_destroy(renderer);
    }
}

/* Two contexts live side by side and take turns. */
TEST(renderers_do_not_disturb_each_other)
{
    struct renderer *renderers[3] = {NULL};
    enum backend other = backend_is_present(BACKEND_EGL) ? BACKEND_EGL : BACKEND_AUTO;
    HAND_SCENE hand = busy_scene();
    struct frame_settings frame_settings = busy_settings(100, 80);
    char first[17] = "", hash[17];
    assert_good(renderers[0] = renderer_create(BACKEND_AUTO, err));
    assert_good(renderers[1] = renderer_create(other, err));
    assert_good(renderers[2] = renderer_create(other, err));
    for (int i = 0; i < 6; i++) {
        SCOPED(image) image = draw_hand(renderers[i % 3], &hand, &frame_settings);
        image_hash(&image, hash);
        if (i == 0)
            memcpy(first, hash, sizeof first);
        assert_string_equal(first, hash);
        if (i == 3) {
            renderer_destroy(renderers[0]);
            renderers[0] = renderers[1];
        }
    }
    renderer_destroy(renderers[1]);
    renderer_destroy(renderers[2]);
}
