/* doctor, machines without GL, and the limits of the import. */

#include <jansson.h>

#include "run_binary.h"

#define STRIP FIXTURES "/strip/strip.gltf"
#define NO_OSMESA "RIGPROOF_OSMESA_LIBRARY=/nowhere/libOSMesa.so.8"
#define NO_EGL "RIGPROOF_EGL_LIBRARY=/nowhere/libEGL.so.1"

static const struct run_options without_osmesa = {.environment = (const char *const[]){NO_OSMESA, NULL}};
static const struct run_options without_egl = {.environment = (const char *const[]){NO_EGL, NULL}};
static const struct run_options without_gl = {.environment = (const char *const[]){NO_OSMESA, NO_EGL, NULL}};

static json_t *doctor(const struct run_options *options, int status)
{
    const struct outcome *outcome = run_gives(status, rigproof_with(options, "doctor", "--json", NULL));
    json_t *root = read_json(outcome->out, outcome->out_size);
    assert_string_equal(json_string_value(json_object_get(root, "format")), "rigproof.doctor/1");
    return root;
}

/* The entry of a backend, NULL (after saying so) when it does not work on this machine. */
static const json_t *backend_of(const json_t *root, const char *name)
{
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(root, "backends"), i, entry) {
        if (strcmp(json_string_value(json_object_get(entry, "name")), name) != 0)
            continue;
        if (json_is_true(json_object_get(entry, "works")))
            return entry;
        print_message("skipped: %s does not work here: %s\n", name,
                      json_string_value(json_object_get(entry, "problem")));
        return NULL;
    }
    fail_msg("doctor does not know %s", name);
    return NULL;
}

SCRATCH_TEST(text_says_what_works)
{
    static const char *const parts[] = {
        "rigproof ", "Assimp ", "library       libassimp", "build id      ", "sandbox of the import: ", "backend osmesa",
        "backend egl", "fingerprint   renderer      llvmpipe", "GALLIVM_PERF=no_aos_sampling", "LIBGL_ALWAYS_SOFTWARE=1",
        "LP_NATIVE_VECTOR_WIDTH  (unset", "\nrigproof works here: it draws by "};
    const struct outcome *outcome = rigproof_good("doctor");
    assert_string_equal(outcome->err, "");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        assert_contains(outcome->out, parts[i]);
}

SCRATCH_TEST(json_has_one_hash_for_all)
{
    static const char *const names[] = {"osmesa", "egl"};
    const char *hash = NULL;
    json_auto_t *root = doctor(&(struct run_options){0}, 0);
    assert_true(json_is_true(json_object_get(root, "self_test")));
    const char *soname = json_string_value(json_object_get(json_object_get(root, "assimp_library"), "soname"));
    assert_int_equal(strncmp(soname, "libassimp.so.", 13), 0);
    assert_true(json_is_boolean(json_object_get(root, "sandbox")));
    assert_string_equal(json_string_value(json_object_get(json_object_get(root, "environment"), "GALLIVM_PERF")),
                        "no_aos_sampling");
    for (int b = 0; b < 2; b++) {
        const json_t *backend = backend_of(root, names[b]);
        size_t i;
        json_t *value;
        if (!backend)
            continue;
        assert_int_equal(json_array_size(json_object_get(backend, "hashes")), 2);
        assert_contains(json_string_value(json_object_get(backend, "gl_renderer")), "llvmpipe");
        json_array_foreach(json_object_get(backend, "hashes"), i, value) {
            hash = hash ? hash : json_string_value(value);
            assert_string_equal(json_string_value(value), hash);
        }
    }
    assert_non_null(hash);
}

/* Without AVX there is no fused multiply-add: llvmpipe says 128 bits, and the last bits of some pixels are others. */
SCRATCH_TEST(kept_environment_reaches_mesa)
{
    static const char *const environment[] = {"RIGPROOF_KEEP_ENVIRONMENT=GALLIUM_OVERRIDE_CPU_CAPS,LP_DEBUG",
                                              "GALLIUM_OVERRIDE_CPU_CAPS=sse4.1", NULL};
    const struct run_options older = {.environment = environment};
    json_auto_t *root = doctor(&older, 0);
    const json_t *kept = json_object_get(root, "kept"), *values = json_object_get(root, "environment");
    assert_int_equal(json_array_size(kept), 2);
    assert_string_equal(json_string_value(json_array_get(kept, 0)), "LP_DEBUG");
    assert_string_equal(json_string_value(json_array_get(kept, 1)), "GALLIUM_OVERRIDE_CPU_CAPS");
    assert_string_equal(json_string_value(json_object_get(values, "GALLIUM_OVERRIDE_CPU_CAPS")), "sse4.1");
#ifdef __x86_64__
    const json_t *osmesa = backend_of(root, "osmesa"), *egl = backend_of(root, "egl");
    const json_t *backend = osmesa ? osmesa : egl, *fingerprint = json_object_get(backend, "fingerprint");
    assert_contains(json_string_value(json_object_get(backend, "gl_renderer")), "128 bits");
    assert_string_equal(json_string_value(json_object_get(fingerprint, "vector_bits")), "128");
    assert_string_equal(json_string_value(json_object_get(fingerprint, "fma")), "no");
#endif
    const struct outcome *text = run_gives(0, rigproof_with(&older, "doctor", NULL));
    assert_contains(text->out, "GALLIUM_OVERRIDE_CPU_CAPS=sse4.1  (kept as it is, by RIGPROOF_KEEP_ENVIRONMENT;",
                    "LP_DEBUG  (kept as it is", "GALLIUM_NOSSE  (unset;");
}

/* An unknown driver crashes OSMesa: it is refused before. */
SCRATCH_TEST(an_environment_that_cannot_be_is_refused)
{
    const struct run_options foreign = {.environment = (const char *const[]){"GALLIUM_DRIVER=radeonsi", NULL}};
    assert_contains(run_fails(3, rigproof_with(&foreign, "render", STRIP, "-o", "x.png", NULL))->err,
                    "GALLIUM_DRIVER=radeonsi");
    assert_string_equal(scratch_listing(), "");
    const struct run_options bogus = {
        .environment = (const char *const[]){"RIGPROOF_KEEP_ENVIRONMENT=LP_PERFS", NULL}};
    const struct outcome *outcome = run_fails(3, rigproof_with(&bogus, "render", STRIP, "-o", "x.png", NULL));
    assert_contains(outcome->err, "RIGPROOF_KEEP_ENVIRONMENT: \"LP_PERFS\"", "did you mean LP_PERF?");
    run_gives(3, rigproof_with(&bogus, "doctor", NULL));
}

SCRATCH_TEST(missing_backend_is_a_finding_not_a_failure)
{
    json_auto_t *all = doctor(&(struct run_options){0}, 0);
    bool both = backend_of(all, "osmesa") && backend_of(all, "egl");
    if (!both)
        skip();
    json_auto_t *egl_only = doctor(&without_osmesa, 0);
    assert_string_equal(json_string_value(json_object_get(egl_only, "backend")), "egl");
    json_auto_t *osmesa_only = doctor(&without_egl, 0);
    assert_string_equal(json_string_value(json_object_get(osmesa_only, "backend")), "osmesa");
    run_gives(0, rigproof_with(&without_osmesa, "render", STRIP, "--size", "32x32", "-o", "egl.png", NULL));
    run_gives(0, rigproof_with(&without_egl, "render", STRIP, "--size", "32x32", "-o", "osmesa.png", NULL));
    assert_same_files("egl.png", "osmesa.png");
}

/* 3 where something is to be drawn, but a mistake in the command line or the model is found before; numbers need none. */
SCRATCH_TEST(no_gl_is_exit_code_3)
{
    static const struct {
        const struct run_options *options;
        const char *arguments[6];
        int status;
    } rows[] = {
        {&without_gl, {"render", STRIP, "-o", "x.png"}, 3},
        {&without_gl, {"turntable", STRIP, "-o", "x{frame}.png"}, 3},
        {&without_gl, {"render", STRIP, "-o", "new/x.png", "--sheet"}, 3},
        {&without_osmesa, {"render", STRIP, "-o", "x.png", "--backend", "osmesa"}, 3},
        {&without_egl, {"render", STRIP, "-o", "x.png", "--backend", "egl"}, 3},
        {&without_gl, {"render", "missing.glb", "-o", "x.png"}, 2},
        {&without_gl, {"render", STRIP, "-o", "x.png", "--time", "0,1"}, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const *a = rows[i].arguments;
        const struct outcome *outcome = rigproof_with(rows[i].options, a[0], a[1], a[2], a[3], a[4], a[5], NULL);
        run_fails(rows[i].status, outcome);
        assert_contains(outcome->err, rows[i].status == 3 ? "install" : "");
        assert_string_equal(scratch_listing(), "");
    }
    const char *err = rigproof_with(&without_gl, "render", STRIP, "-o", "x.png", NULL)->err;
    assert_contains(err, "libosmesa6", "libegl1", "/nowhere/libOSMesa.so.8");
    run_gives(0, rigproof_with(&without_gl, "dump", STRIP, "--time", "0.5", NULL));
    run_gives(0, rigproof_with(&without_gl, "inspect", STRIP, NULL));
}

SCRATCH_TEST(doctor_without_gl_still_speaks)
{
    const struct outcome *outcome = run_gives(3, rigproof_with(&without_gl, "doctor", NULL));
    const char *last = strstr(outcome->out, "\nrigproof cannot draw here: ");
    assert_non_null(last);
    assert_string_equal(outcome->err, "");
    assert_contains(last, "libegl1"); /* not OSMesa, which later systems do not offer */
    assert_ptr_equal(strstr(outcome->out, "libegl1"), strstr(last, "libegl1")); /* it is said once */
    json_auto_t *root = doctor(&without_gl, 3);
    assert_true(json_is_false(json_object_get(root, "self_test")));
    assert_true(json_is_null(json_object_get(root, "backend")));
}

/* Takes any importer longer than a hundredth of a second and more than 16 MiB. */
static void write_large_model(const char *path)
{
    enum { VERTICES = 200000 };
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < VERTICES; i++)
        fprintf(file, "v %d.%04d %d 0.%d\n", i % 977, i % 10000, i / 977, i % 7);
    for (int i = 3; i <= VERTICES; i++)
        fprintf(file, "f %d %d %d\n", i - 2, i - 1, i);
    assert_int_equal(fclose(file), 0);
}

SCRATCH_TEST(an_import_has_limits)
{
    write_large_model("large.obj");
    rigproof_refuses("import of large.obj: no result after 0.01 s (--import-timeout)", "inspect", "large.obj",
                     "--import-timeout", "0.01");
    rigproof_fails(2, "render", "large.obj", "--import-timeout", "0.01", "-o", "x.png");
    rigproof_refuses("--import-memory", "dump", "large.obj", "--import-memory", "16", "-o", "x.txt");
    assert_string_equal(scratch_listing(), "large.obj");
    rigproof_good("inspect", "large.obj", "--import-memory", "1024");
}

SCRATCH_TEST(crash_of_the_importer_is_told)
{
    const struct outcome *outcome = rigproof("inspect", FIXTURES "/broken/no-inverse-bind.gltf", "--repair", "none", NULL);
    if (outcome->status == 0)
        skip_because("this Assimp reads no-inverse-bind.gltf");
    run_fails(2, outcome);
    assert_contains(outcome->err, "no-inverse-bind.gltf: crashed (SIGSEGV)");
}

/* A driver that the user chose is what draws, and what doctor names. */
SCRATCH_TEST(a_chosen_driver_is_told)
{
    const struct run_options softpipe = {.environment = (const char *const[]){"GALLIUM_DRIVER=softpipe", NULL}};
    const char *out = rigproof_with(&softpipe, "doctor", NULL)->out;
    assert_contains(out, "  GALLIUM_DRIVER=softpipe  (set unless chosen; ");
    assert_contains(rigproof_with(&softpipe, "doctor", "--json", NULL)->out, "\"GALLIUM_DRIVER\": \"softpipe\"");
    assert_contains(rigproof("doctor", NULL)->out, "  GALLIUM_DRIVER=llvmpipe  (set unless chosen; ");
}
