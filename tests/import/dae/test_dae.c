/* COLLADA's curves as they are read beside Assimp. What comes of them in numbers is cli_expected's business. */
#include "import/import_fixture.h"

#include "import/dae/dae_file.h"

static struct blob fixture(void)
{
    struct blob file;
    struct error err = {0};
    assert_true(file_read(FIXTURES "/curves/curves.dae", 1 << 20, &file, &err));
    return file;
}

/* The fixture with `from`, which is there, as `to`, in all places. */
static struct text changed(const char *from, const char *to)
{
    struct blob file = fixture();
    struct text out = {0};
    const char *rest = (const char *)file.data, *at;
    assert_non_null(strstr(rest, from));
    for (; (at = strstr(rest, from)) != NULL; rest = at + strlen(from)) {
        text_add_bytes(&out, rest, (size_t)(at - rest));
        text_add(&out, to);
    }
    text_add(&out, rest);
    blob_release(&file);
    return out;
}

static struct dae_text text_of(const char *text)
{
    return (struct dae_text){text, strlen(text)};
}

static void the_file_is_read(void **state)
{
    struct blob blob = fixture();
    struct dae_file file;
    size_t count;
    dae_file_read(&blob, &file);
    const struct dae_item *base = dae_find(&file, text_of("base"), &count);
    static const enum dae_kind kinds[] = {DAE_CHANNEL,   DAE_CHANNEL, DAE_CHANNEL, DAE_CHANNEL, DAE_TRANSLATE,
                                          DAE_TRANSLATE, DAE_ROTATE,  DAE_ROTATE,  DAE_ROTATE,  DAE_TRANSLATE};
    assert_int_equal(count, 10);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(base[i].kind, kinds[i]);
    assert_true(dae_text_is(base[3].sid, "turnZ") && dae_text_is(base[3].member, ".ANGLE"));
    assert_true(dae_text_is(base[9].sid, "back"));
    const struct dae_item *sampler = dae_find_kind(&file, base[3].inputs[0], DAE_SAMPLER);
    assert_non_null(sampler);
    const struct dae_item *tangents = dae_find_kind(&file, sampler->inputs[DAE_OUT_TANGENT], DAE_SOURCE);
    assert_non_null(tangents);
    assert_int_equal(tangents->count, 3);
    assert_int_equal(tangents->stride, 2);
    double *numbers = dae_source_numbers(tangents);
    assert_non_null(numbers);
    assert_true(numbers[0] == 0.75 && numbers[2] == 1.45 && numbers[3] == 60);
    free(numbers);
    assert_null(dae_find(&file, text_of("bas"), &count));
    assert_null(dae_find_kind(&file, text_of("base"), DAE_SOURCE));
    dae_file_close(&file);
    blob_release(&blob);
}

static void cut_files_end(void **state)
{
    struct blob blob = fixture();
    for (size_t length = blob.size; length > 0; length -= length > 13 ? 13 : length) {
        struct dae_file file;
        blob.data[length] = '\0';
        dae_file_read(&blob, &file);
        for (size_t i = 0; i < file.count; i++)
            free(file.items[i].kind == DAE_SOURCE ? dae_source_numbers(&file.items[i]) : NULL);
        dae_file_close(&file);
    }
    blob_release(&blob);
}

/* `unlike` components stay as Assimp has them, and that is said; the others follow. */
static void what_cannot_be_followed_is_told(void **state)
{
    static const struct {
        const char *from, *to;
        int unlike;
    } rows[] = {
        {"BEZIER", "BEZIER", 0},
        {">BEZIER BEZIER BEZIER<", ">BEZIER BSPLINE BEZIER<", 1},
        {">HERMITE HERMITE HERMITE<", ">HERMITE HERMITE CARDINAL<", 1},
        {"semantic=\"IN_TANGENT\"", "semantic=\"OTHER\"", 3},                            /* of all that need them */
        {"<input semantic=\"INTERPOLATION\" source=\"#base-turnY-ANGLE-how\"/>", "", 0}, /* linear */
        {">0.75 0 1.45 60 2.5 0<", ">0.75 0 1.45 nan 2.5 0<", 1},
        {"#base-turnZ-ANGLE-1-array\" count=\"3\" stride=\"2\"", "#base-turnZ-ANGLE-1-array\" count=\"3\" stride=\"0\"",
         1},
        {"#base-turnZ-ANGLE-1-array\" count=\"3\"", "#base-turnZ-ANGLE-1-array\" count=\"4000000000\"", 1},
        {"#base-turnZ-ANGLE-1-array\" count=\"3\"", "#base-turnZ-ANGLE-1-array\" count=\"2\"", 1},
        {"target=\"base/turnY.ANGLE\"", "target=\"base/turnY.X\"", 1},     /* an axis */
        {"target=\"base/turnY.ANGLE\"", "target=\"base/turnZ.ANGLE\"", 1}, /* twice */
        {"<translate sid=\"pivot\">", "<lookat>0 0 0 0 0 -1 0 1 0</lookat><translate sid=\"pivot\">", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct error err = {0};
        struct text text = changed(rows[i].from, rows[i].to);
        struct scene *scene = import_text("a.dae", text_string(&text), &err);
        if (!scene)
            fail_msg("%zu: %s", i, err.text);
        const char *note = note_of(scene, NOTE_WARNING, "dae-curves");
        const char *number = note ? strstr(note, "keys of ") : NULL;
        if ((number ? atoi(number + strlen("keys of ")) : 0) != rows[i].unlike)
            fail_msg("%zu: %d expected: %s", i, rows[i].unlike, note ? note : "(no note)");
        if (rows[i].unlike < 3)
            assert_non_null(note_of(scene, NOTE_REPAIR, "dae-curves"));
        scene_free(scene);
        text_release(&text);
    }
}

static void the_repair_can_be_off(void **state)
{
    struct scene *scene = load_with("curves/curves.dae", REPAIR_ALL & ~(uint32_t)REPAIR_DAE_CURVES);
    assert_contains(note_of(scene, NOTE_WARNING, "dae-curves"), "up to 1.78 units, 59.5 degrees, 1.5 of a scale off");
    assert_int_equal(scene->clips[0].channels[1].keys[COMPONENT_TRANSLATION].interpolation, INTERPOLATE_LINEAR);
    scene_free(scene);
}

/* Whole matrices, linear: nothing to follow, and nothing to tell. Nor of lines whose node stands otherwise. */
static void lines_are_left(void **state)
{
    struct error err = {0};
    struct blob file;
    assert_true(file_read(FIXTURES "/limb/limb.dae", 1 << 20, &file, &err));
    char *at = strstr((char *)file.data, "<node id=\"hip\"");
    assert_non_null(at);
    at = strstr(at, "<rotate sid=\"rotateZ\">0 0 1 0");
    assert_non_null(at);
    memcpy(at, "<scale>1 1 -1</scale><!--    ", 29);
    at = strstr(at, "</rotate>");
    memcpy(at, "      -->", strlen("</rotate>"));
    struct scene *mirrored = import_text("a.dae", (const char *)file.data, &err);
    blob_release(&file);
    if (!mirrored)
        fail_msg("%s", err.text);
    assert_null(note_of(mirrored, NOTE_WARNING, "dae-curves"));
    scene_free(mirrored);
    struct scene *scene = load("walker/walker.dae");
    assert_null(note_of(scene, NOTE_REPAIR, "dae-curves"));
    assert_null(note_of(scene, NOTE_WARNING, "dae-curves"));
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_is_read),
        cmocka_unit_test(cut_files_end),
        cmocka_unit_test(what_cannot_be_followed_is_told),
        cmocka_unit_test(the_repair_can_be_off),
        cmocka_unit_test(lines_are_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
