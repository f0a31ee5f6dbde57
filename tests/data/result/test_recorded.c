/* recorded.json there and back. */
#include "cmocka_setup.h"

#include "data/result/recorded.h"

static struct fingerprint_entry machine[] = {{"renderer", "llvmpipe"}, {"mesa", "22.3.6"}};
static struct fingerprint_entry options[] = {{"clip", "walk \"fast\""}};

GROUP_ARENA((size_t)16 << 20)

static struct recorded example(struct recorded_frame frames[2])
{
    frames[0] = (struct recorded_frame){.label = "0.000", .pixels = "00112233445566aa", .png = "ffeeddccbbaa9988", .pose = "c0ffee",
                                        .camera = {.eye = {1, 2, 3}, .up = {0, 1, 0}, .fov_y = 0.5f, .near_plane = 1, .far_plane = 9},
                                        .has_camera = true};
    frames[1] = (struct recorded_frame){.label = "0.041667", .time = 1.0 / 24, .pixels = "1", .png = "2"}; /* of a case that draws nothing */
    return (struct recorded){.fingerprint = {2, machine}, .options = {1, options}, .import_file = "m.glb-0.import.json", .frame_count = 2, .frames = frames};
}

TEST(is_written_a_line_a_frame)
{
    struct recorded_frame frames[2];
    struct recorded recorded = example(frames);
    SCOPED(text) text = {0};
    recorded_write(&recorded, &text);
    assert_string_equal(
        text_string(&text),
        "{\n \"format\": \"rigproof.recorded/1\",\n"
        " \"fingerprint\": {\n  \"renderer\": \"llvmpipe\",\n  \"mesa\": \"22.3.6\"\n },\n"
        " \"options\": {\n  \"clip\": \"walk \\\"fast\\\"\"\n },\n"
        " \"import_file\": \"m.glb-0.import.json\",\n"
        " \"frames\": [\n"
        "  {\"label\": \"0.000\", \"time\": 0, \"pixels\": \"00112233445566aa\", \"png\": \"ffeeddccbbaa9988\", \"pose\": \"c0ffee\", \"camera\": "
        "{\"eye\": [1, 2, 3], \"target\": [0, 0, 0], \"up\": [0, 1, 0], \"fov_y\": 0.5, \"ortho_height\": 0, \"near\": 1, \"far\": 9}},\n"
        "  {\"label\": \"0.041667\", \"time\": 0.041666666666666664, \"pixels\": \"1\", \"png\": \"2\"}\n"
        " ]\n}\n");
}

/* What differs between builds of Assimp is kept, and not a reason to write a golden again;
 * where told so, nor is another machine. */
TEST(another_library_is_the_same_record)
{
    static struct fingerprint_entry one[] = {{"assimp-file", "libassimp.so.5.2.4"}, {"assimp-build-id", "00"}};
    static struct fingerprint_entry other[] = {{"assimp-file", "libassimp.so.6.0.5"}, {"assimp-build-id", "ff0"}};
    struct recorded_frame frames[2];
    struct recorded recorded = example(frames), back;
    SCOPED(text) first = {0}, second = {0}, third = {0}, changed = {0};
    struct text *texts[3] = {&first, &second, &third};
    recorded_write(&recorded, texts[0]);
    recorded.library = (struct fingerprint){2, one};
    recorded_write(&recorded, texts[1]);
    recorded.library.entries = other;
    recorded_write(&recorded, texts[2]);
    frames[0].camera.fov_y = 0.25f;
    recorded_write(&recorded, &changed);
    assert_true(recorded_read(texts[2]->data, texts[2]->size, "recorded.json", arena, &back, ANY_ERROR));
    assert_true(fingerprint_equal(&back.library, &recorded.library));
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            assert_true(recorded_same(texts[i]->data, texts[i]->size, texts[k]->data, texts[k]->size, false));
        assert_false(recorded_same(texts[i]->data, texts[i]->size, changed.data, changed.size, false));
        assert_false(recorded_same(changed.data, changed.size, texts[i]->data, texts[i]->size, false));
    }
    texts[2]->size = changed.size = 0;
    recorded.fingerprint.count = 1;
    recorded_write(&recorded, texts[2]);
    frames[0].camera.fov_y = 0.5f;
    recorded_write(&recorded, &changed);
    assert_false(recorded_same(texts[1]->data, texts[1]->size, texts[2]->data, texts[2]->size, true)); /* the camera */
    assert_true(recorded_same(texts[1]->data, texts[1]->size, changed.data, changed.size, true));
    assert_false(recorded_same(texts[1]->data, texts[1]->size, changed.data, changed.size, false));
}

TEST(names_of_imports_are_plain)
{
    assert_true(recorded_is_import_name("walker.glb-1.import.json"));
    static const char *const others[] = {"", "import.json", ".import.json", "../x.import.json", "a/x.import.json", ".x.import.json", "x.json"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(recorded_is_import_name(others[i]));
}

TEST(reads_back)
{
    static struct fingerprint_entry was[] = {{"clip", "rest"}, {"shaders", "none"}};
    struct recorded_frame frames[2];
    struct recorded recorded = example(frames), back;
    SCOPED(text) text = {0};
    recorded.options = (struct fingerprint){2, was};
    memcpy(recorded.bounds, (float[]){-1, 0, -2.5f, 1, 3, 0}, sizeof recorded.bounds);
    recorded.has_bounds = true;
    recorded_write(&recorded, &text);
    assert_true(recorded_read(text.data, text.size, "recorded.json", arena, &back, ANY_ERROR));
    assert_true(fingerprint_equal(&recorded.fingerprint, &back.fingerprint));
    assert_int_equal(back.options.count, 2);
    assert_string_equal(fingerprint_find(&back.options, "clip"), "rest");
    assert_string_equal(fingerprint_find(&back.options, "shaders"), "none");
    assert_int_equal(back.frame_count, 2);
    const struct recorded_frame *frame = recorded_find(&back, "0.041667");
    assert_true(frame && frame->time == 1.0 / 24 && !frame->pose);
    assert_string_equal(frame->pixels, "1");
    assert_string_equal(frame->png, "2");
    assert_string_equal(recorded_find(&back, "0.000")->pose, "c0ffee");
    assert_true(recorded_find(&back, "0.000")->has_camera && !frame->has_camera && back.has_bounds);
    assert_memory_equal(&recorded_find(&back, "0.000")->camera, &frames[0].camera, sizeof frames[0].camera);
    assert_memory_equal(back.bounds, recorded.bounds, sizeof back.bounds);
    assert_string_equal(back.import_file, "m.glb-0.import.json");
    assert_null(recorded_find(&back, "0.042"));
}

static void refuse(const char *json, const char *part)
{
    struct recorded out;
    assert_refused(recorded_read(json, strlen(json), "x/recorded.json", arena, &out, err), "x/recorded.json", part);
}

TEST(refuses_what_it_is_not)
{
    refuse("{\"format\": \"rigproof.pose/1\"}", "rigproof.recorded/1");
    refuse("{\"format\": \"rigproof.recorded/1\", \"options\": {}, \"frames\": []}", "fingerprint");
    refuse("{\"format\": \"rigproof.recorded/1\", \"fingerprint\": {\"mesa\": 22}, \"options\": {}, \"frames\": []}", "mesa");
    refuse("{\"format\": \"rigproof.recorded/1\", \"fingerprint\": {}, \"options\": {}, \"import_file\": \"m.import.json\", \"frames\": [{\"label\": \"0.000\"}]}",
           "frames[0].time");
    refuse("[", "recorded.json");
    refuse("{\"format\": \"rigproof.recorded/1\", \"fingerprint\": {}, \"options\": {}, \"import_file\": \"m.import.json\", \"frames\": [{\"label\": \"0.000\", \"time\": 1, "
           "\"pixels\": \"\", \"png\": \"\"}]}", "frames[0].time");
    refuse("{\"format\": \"rigproof.recorded/1\", \"fingerprint\": {}, \"options\": {}, \"import_file\": \"m.import.json\", \"frames\": [{\"label\": \"1.000\", \"time\": 1, "
           "\"pixels\": \"\", \"png\": \"\", \"camera\": {\"eye\": [0, 0, 1], \"target\": [0, 0, 0], \"up\": [0, 1, 0], \"fov_y\": 1, "
           "\"ortho_height\": 0, \"near\": 0, \"far\": 1}}]}", "frames[0].camera.near");
}

TEST(fingerprints_differ_by_name_value_and_number)
{
    struct fingerprint_entry other[] = {{"renderer", "llvmpipe"}, {"mesa", "25.0.7"}};
    struct fingerprint a = {2, machine}, b = {2, other}, c = {1, machine}, none = {0, NULL};
    assert_true(fingerprint_equal(&a, &a));
    assert_false(fingerprint_equal(&a, &b));
    assert_false(fingerprint_equal(&a, &c));
    assert_false(fingerprint_equal(&a, &none));
    assert_string_equal(fingerprint_find(&b, "mesa"), "25.0.7");
    assert_null(fingerprint_find(&b, "llvm"));
}

/* Options that are not as recorded are listed; never a name twice. */
TEST(differing_options_are_added)
{
    struct fingerprint golden = {1, (struct fingerprint_entry[]){{"mesa", "22"}}};
    struct fingerprint actual = {1, (struct fingerprint_entry[]){{"mesa", "23"}}};
    const struct fingerprint was = {4, (struct fingerprint_entry[]){{"view", "lit"}, {"up", "y"}, {"mesa", "1"}, {"gone", "1"}}};
    const struct fingerprint now = {4, (struct fingerprint_entry[]){{"view", "unlit"}, {"up", "y"}, {"mesa", "2"}, {"new", "1"}}};
    fingerprint_add_differing(&was, &now, arena, &golden, &actual);
    assert_int_equal(golden.count, 2);
    assert_int_equal(actual.count, 2);
    assert_string_equal(fingerprint_find(&golden, "mesa"), "22");
    assert_string_equal(fingerprint_find(&golden, "view"), "lit");
    assert_string_equal(fingerprint_find(&actual, "view"), "unlit");
}
