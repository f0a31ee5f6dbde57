/* Files that are broken, each in one way: refused in one line, reported, or repaired. Never NaN, never half a file. */

#include <dirent.h>

#include "run_binary.h"

enum kind {
    REFUSED,  /* exit code 2 and one line */
    REPORTED, /* that, or a result with a warning */
    REPAIRED,   /* a result; the numbers are test_expected's business */
};

static const struct {
    const char *file;
    enum kind kind;
    const char *says; /* in the error or warning */
} cases[] = {
    {"accessor-past-buffer.gltf", REFUSED, ""},
    {"channel-past-nodes.gltf", REFUSED, ""},
    {"cyclic-nodes.gltf", REFUSED, ""},
    {"empty.glb", REFUSED, ""},
    {"empty.gltf", REFUSED, ""},
    {"huge-count.gltf", REFUSED, ""},
    {"missing-buffer.gltf", REFUSED, "not-there.bin"},
    {"missing-joint.gltf", REFUSED, ""},
    {"missing-mesh.gltf", REFUSED, ""},
    {"missing-node.gltf", REFUSED, ""},
    {"missing-scene-node.gltf", REFUSED, ""},
    {"not-a-model.glb", REFUSED, ""},
    {"truncated.fbx", REFUSED, ""},
    {"truncated.glb", REFUSED, ""},
    {"truncated.gltf", REFUSED, ""},
    {"index-out-of-range.gltf", REPORTED, ""},
    {"inf-keys.gltf", REPORTED, "tip"},
    {"joint-out-of-range.gltf", REPORTED, ""},
    {"nan-positions.gltf", REPORTED, "vertex 4"},
    {"nan-weights.gltf", REPORTED, ""},
    {"deep-nodes.gltf", REPAIRED, ""},
    {"missing-texture.gltf", REPAIRED, "not-there.png"},
    {"rotation-i16.gltf", REPAIRED, ""},
    {"texture-outside.gltf", REPAIRED, "outside the model's folder"},
    {"unnormalised-weights.gltf", REPAIRED, ""},
    {"unweighted.gltf", REPAIRED, ""},
    {"weights-u16.gltf", REPAIRED, ""},
    {"weights-u8.gltf", REPAIRED, ""},
    {"zero-duration.gltf", REPAIRED, ""},
    {"no-inverse-bind.glb", REPAIRED, ""},
    {"shared-skin.gltf", REPAIRED, ""},
    {"late-keys.gltf", REPAIRED, ""},
    {"pointers.gltf", REPAIRED, ""},
    {"no-scene.gltf", REPAIRED, ""},
    {"no-view.gltf", REPAIRED, ""},
    {"no-inverse-bind.gltf", REPAIRED, ""},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void is_refused(const struct outcome *outcome, int i)
{
    run_fails(2, outcome);
    assert_contains(outcome->err, cases[i].file, cases[i].says);
    assert_null(find_not_finite(outcome->err));
    if (strstr(outcome->err, "crashed"))
        fail_msg("%s: %s", cases[i].file, outcome->err);
    assert_string_equal(scratch_listing(), "");
}

/* Warnings are lines that start with the word; nothing else is on stderr. */
static size_t count_warnings(const struct outcome *outcome)
{
    size_t warnings = 0;
    for (const char *line = outcome->err; *line; line += strcspn(line, "\n") + 1) {
        if (strncmp(line, "warning: ", 9) != 0)
            fail_msg("%s: %s", outcome->command, line);
        warnings++;
    }
    return warnings;
}

/* `text` is what the run made, where it is text. */
static void is_good(const struct outcome *outcome, int i, const char *text, bool speaks)
{
    run_gives(0, outcome);
    size_t warnings = count_warnings(outcome);
    if (text && find_not_finite(text))
        fail_msg("%s: %.40s", outcome->command, find_not_finite(text));
    if (speaks && cases[i].kind == REPORTED && warnings == 0)
        fail_msg("%s: no warning", outcome->command);
    if (speaks && cases[i].kind == REPAIRED)
        assert_contains(outcome->err, cases[i].says);
}

static bool may_be_refused(int i, const struct outcome *outcome)
{
    return cases[i].kind == REFUSED || (cases[i].kind != REPAIRED && outcome->status != 0);
}

TEST(every_file_has_its_case)
{
    DIR *folder = opendir(FIXTURES "/broken");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        bool known = entry->d_name[0] == '.' || strcmp(entry->d_name, "README.md") == 0 ||
                     strcmp(entry->d_name, "expected.json") == 0;
        for (int i = 0; i < CASES; i++)
            known = known || strcmp(cases[i].file, entry->d_name) == 0;
        if (!known)
            fail_msg("%s has no case here", entry->d_name);
    }
    closedir(folder);
}

static const char *path_of(int i)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/broken/%s", FIXTURES, cases[i].file);
    return path;
}

SCRATCH_TEST(inspect_refuses_or_tells)
{
    for (int i = 0; i < CASES; i++) {
        const struct outcome *text = rigproof("inspect", path_of(i), NULL);
        const struct outcome *json = rigproof("inspect", "--json", path_of(i), NULL);
        assert_int_equal(text->status, json->status);
        if (may_be_refused(i, text)) {
            is_refused(text, i);
            is_refused(json, i);
            continue;
        }
        is_good(text, i, text->out, false);
        is_good(json, i, json->out, false);
        require_json(json->out, json->out_size);
        if (cases[i].kind == REPORTED && strstr(text->out, "\nwarnings: none"))
            fail_msg("%s: no warning", text->command);
    }
}

/* A file, or a line; the importer's faults are there without repairs, but then too nothing that is no number gets out. */
SCRATCH_TEST(dump_and_render_refuse_or_write)
{
    static const char *const formats[] = {"text", "json", "csv", "obj", "picture", "unrepaired"};
    for (int i = 0; i < CASES; i++)
        for (int f = 0; f < 6; f++) {
            const struct outcome *outcome =
                f == 4   ? rigproof("render", path_of(i), "--time", "0.5", "--size", "24x24", "-o", "out", NULL)
                : f == 5 ? rigproof("dump", path_of(i), "--time", "0.5", "--json", "--repair", "none", "-o", "out", NULL)
                         : rigproof("dump", path_of(i), "--time", "0.5", "--format", formats[f], "-o", "out", NULL);
            if (f < 5 ? may_be_refused(i, outcome) : outcome->status != 0) {
                if (f < 5)
                    is_refused(outcome, i);
                run_fails(2, outcome);
                continue;
            }
            size_t size = 0;
            const char *text = slurp("out", &size);
            if (f < 5)
                is_good(outcome, i, f < 4 ? text : NULL, true);
            if (f == 1 || f == 5)
                require_json(text, size);
            if (f == 5 && (find_not_finite(text) || strstr(text, "null, null")))
                fail_msg("%s writes what is no number", outcome->command);
            assert_string_equal(scratch_listing(), "out");
            unlink("out");
        }
}

SCRATCH_TEST(fault_of_a_clip_file_is_the_clip_files)
{
    const struct outcome *outcome =
        rigproof_fails(2, "dump", FIXTURES "/pieces/body.glb", "--clips-from", FIXTURES "/broken/truncated.glb");
    assert_contains(outcome->err, "truncated.glb");
    outcome =
        rigproof_fails(2, "inspect", FIXTURES "/pieces/body.glb", "--clips-from", FIXTURES "/broken/inf-keys.gltf");
    assert_contains(outcome->err, "inf-keys.gltf");
}
