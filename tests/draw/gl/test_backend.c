#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>

#include "draw/busy_scene.h"
#include "draw/gl/environment.h"
#include "draw/rendering.h"

static void hide_libraries(const char *osmesa, const char *egl)
{
    setenv("RIGPROOF_OSMESA_LIBRARY", osmesa, 1);
    setenv("RIGPROOF_EGL_LIBRARY", egl, 1);
}

static void show_libraries(void)
{
    unsetenv("RIGPROOF_OSMESA_LIBRARY");
    unsetenv("RIGPROOF_EGL_LIBRARY");
}

static void no_gl(enum backend backend, const char *const *words)
{
    struct error err = {0};
    assert_null(renderer_create(backend, &err));
    assert_int_equal(err.exit_code, EXIT_CODE_NO_GL);
    for (int i = 0; words[i]; i++)
        if (!strstr(err.text, words[i]))
            fail_msg("no \"%s\" in \"%s\"", words[i], err.text);
}

static void a_missing_library_is_named_with_what_to_install(void **state)
{
    (void)state;
    hide_libraries("libNoSuchOSMesa.so", "libNoSuchEGL.so");
    assert_false(backend_is_present(BACKEND_AUTO));
    assert_false(backend_is_present(BACKEND_OSMESA));
    assert_false(backend_is_present(BACKEND_EGL));
    no_gl(BACKEND_OSMESA, (const char *[]){"osmesa", "libNoSuchOSMesa.so", "libosmesa6", NULL});
    no_gl(BACKEND_EGL, (const char *[]){"egl", "libNoSuchEGL.so", "libegl1", "libgl1-mesa-dri", NULL});
    no_gl(BACKEND_AUTO,
          (const char *[]){"libNoSuchOSMesa.so", "libosmesa6", "libNoSuchEGL.so", "libegl1", "Fedora", NULL});
    show_libraries();
}

static void a_library_that_is_something_else_is_refused(void **state)
{
    (void)state;
    hide_libraries("libm.so.6", "libm.so.6");
    no_gl(BACKEND_OSMESA, (const char *[]){"not OSMesa", NULL});
    no_gl(BACKEND_EGL, (const char *[]){"not an EGL library", NULL});
    show_libraries();
}

static void auto_falls_back_to_egl(void **state)
{
    (void)state;
    if (!backend_is_present(BACKEND_EGL)) {
        print_message("libEGL is not installed here\n");
        skip();
    }
    setenv("RIGPROOF_OSMESA_LIBRARY", "libNoSuchOSMesa.so", 1);
    struct error err = {0};
    struct renderer *renderer = renderer_create(BACKEND_AUTO, &err);
    show_libraries();
    if (!renderer)
        fail_msg("%s", err.text);
    assert_string_equal(renderer_info(renderer)->backend, "egl");
    renderer_destroy(renderer);
}

static void a_driver_that_would_crash_mesa_is_refused(void **state)
{
    (void)state;
    setenv("GALLIUM_DRIVER", "no-such-driver", 1);
    no_gl(BACKEND_AUTO, (const char *[]){"GALLIUM_DRIVER=no-such-driver", "llvmpipe", NULL});
    unsetenv("GALLIUM_DRIVER");
}

static size_t rule_of(const char *name)
{
    for (size_t i = 0; i < environment_rule_count; i++)
        if (strcmp(environment_rules[i].name, name) == 0)
            return i;
    fail_msg("no rule for %s", name);
    return 0;
}

static void the_environment_is_set_and_what_it_was_is_remembered(void **state)
{
    (void)state;
    struct error err = {0};
    setenv("LP_NATIVE_VECTOR_WIDTH", "512", 1);
    setenv("GALLIVM_PERF", "brilinear", 1);
    setenv("LP_NUM_THREADS", "1", 1);
    assert_true(environment_apply(&err));
    assert_true(environment_apply(&err)); /* twice is once */
    assert_null(getenv("LP_NATIVE_VECTOR_WIDTH"));
    assert_string_equal(getenv("GALLIVM_PERF"), "no_aos_sampling");
    assert_string_equal(getenv("LIBGL_ALWAYS_SOFTWARE"), "1");
    assert_string_equal(getenv("GALLIUM_DRIVER"), "llvmpipe");
    assert_string_equal(getenv("LP_NUM_THREADS"), "1"); /* the user's */
    assert_string_equal(environment_before(rule_of("LP_NATIVE_VECTOR_WIDTH")), "512");
    assert_string_equal(environment_before(rule_of("GALLIVM_PERF")), "brilinear");
    assert_null(environment_before(rule_of("LP_PERF")));
    setenv("GALLIUM_DRIVER", "softpipe", 1);
    assert_true(environment_apply(&err));
    assert_string_equal(getenv("GALLIUM_DRIVER"), "softpipe"); /* a software one may be chosen */
    setenv("GALLIUM_DRIVER", "llvmpipe", 1);
}

static void forget_environment(void)
{
    for (size_t i = 0; i < environment_rule_count; i++)
        unsetenv(environment_rules[i].name);
    unsetenv(ENVIRONMENT_KEEP);
    unsetenv("MESA_SHADER_CACHE_DISABLE");
}

static void kept_variables_stay_as_they_are(void **state)
{
    (void)state;
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
}

static void a_kept_variable_that_is_not_set_leaves_the_cache_on(void **state)
{
    (void)state;
    struct error err = {0};
    forget_environment();
    setenv(ENVIRONMENT_KEEP, "LP_NATIVE_VECTOR_WIDTH", 1);
    assert_true(environment_apply(&err));
    assert_null(getenv("MESA_SHADER_CACHE_DISABLE"));
    forget_environment();
}

static void an_unknown_name_to_keep_is_told(void **state)
{
    (void)state;
    forget_environment();
    setenv(ENVIRONMENT_KEEP, "LP_PERF,GALLIUM_OVERRIDE_CPU_CAP", 1);
    no_gl(BACKEND_AUTO,
          (const char *[]){ENVIRONMENT_KEEP, "\"GALLIUM_OVERRIDE_CPU_CAP\"",
                           "did you mean GALLIUM_OVERRIDE_CPU_CAPS?", NULL});
    setenv(ENVIRONMENT_KEEP, "PATH", 1);
    no_gl(BACKEND_AUTO, (const char *[]){"\"PATH\"", NULL});
    forget_environment();
}

static void vectors_that_crash_mesa_are_not_kept(void **state)
{
    (void)state;
    static const char *const bad[] = {"512", "", "0", "256 "};
    struct error err = {0};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        forget_environment();
        setenv(ENVIRONMENT_KEEP, "LP_NATIVE_VECTOR_WIDTH", 1);
        setenv("LP_NATIVE_VECTOR_WIDTH", bad[i], 1);
        no_gl(BACKEND_AUTO, (const char *[]){"LP_NATIVE_VECTOR_WIDTH=", "128 or 256", NULL});
    }
    setenv("LP_NATIVE_VECTOR_WIDTH", "256", 1);
    assert_true(environment_apply(&err));
    setenv("LP_NATIVE_VECTOR_WIDTH", "128", 1);
    assert_true(environment_apply(&err));
    forget_environment();
}

static void info_describes_the_context(void **state)
{
    (void)state;
    for (enum backend backend = BACKEND_OSMESA; backend <= BACKEND_EGL; backend++) {
        if (!backend_is_present(backend))
            continue;
        struct renderer *renderer = NULL;
        assert_good(renderer = renderer_create(backend, err));
        const struct renderer_info *info = renderer_info(renderer);
        assert_string_equal(info->backend, backend == BACKEND_EGL ? "egl" : "osmesa");
        assert_non_null(strstr(info->library, backend == BACKEND_EGL ? "EGL" : "OSMesa"));
        assert_non_null(strstr(info->gl_renderer, "llvmpipe"));
        assert_true(info->is_software);
        assert_true(info->gl_version[0] >= '3' && info->glsl_version && info->gl_vendor);
        assert_true(info->max_texture_buffer >= 65536 && info->max_uniform_components >= 1024);
        assert_true(info->max_samples >= 1);
        renderer_destroy(renderer);
    }
}

/* Two contexts live side by side and take turns. */
static void renderers_do_not_disturb_each_other(void **state)
{
    (void)state;
    struct renderer *renderers[3] = {NULL};
    enum backend other = backend_is_present(BACKEND_EGL) ? BACKEND_EGL : BACKEND_AUTO;
    SCENE hand = busy_scene();
    struct frame_settings frame_settings = busy_settings(100, 80);
    char first[17] = "", hash[17];
    assert_good(renderers[0] = renderer_create(BACKEND_AUTO, err));
    assert_good(renderers[1] = renderer_create(other, err));
    assert_good(renderers[2] = renderer_create(other, err));
    for (int i = 0; i < 6; i++) {
        PICTURE image = draw_hand(renderers[i % 3], &hand, &frame_settings);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_library_is_named_with_what_to_install),
        cmocka_unit_test(a_library_that_is_something_else_is_refused),
        cmocka_unit_test(a_driver_that_would_crash_mesa_is_refused),
        cmocka_unit_test(the_environment_is_set_and_what_it_was_is_remembered),
        cmocka_unit_test(kept_variables_stay_as_they_are),
        cmocka_unit_test(a_kept_variable_that_is_not_set_leaves_the_cache_on),
        cmocka_unit_test(an_unknown_name_to_keep_is_told),
        cmocka_unit_test(vectors_that_crash_mesa_are_not_kept),
        cmocka_unit_test(auto_falls_back_to_egl),
        cmocka_unit_test(info_describes_the_context),
        cmocka_unit_test(renderers_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
