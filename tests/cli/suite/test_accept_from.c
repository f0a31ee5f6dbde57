/* accept --from: what a run left becomes goldens without being drawn again, and nothing else does. */

#include "data/image/image.h"
#include "suite_runs.h"

#define CASES                                                                                                          \
    "  - {name: strip, model: strip.gltf, clip: linear-rotation, times: [0.25, 0.75]}\n"                               \
    "  - {name: twins, model: twins.gltf, times: [0.2]}\n"

#define RECORDED "out/check/strip/recorded.json"
#define RESULTS_JSON "out/check/results.json"
#define from(...) rigproof("accept", "--from", __VA_ARGS__)
#define from_gives(status, ...) run_gives(status, from(__VA_ARGS__))
#define from_fails(status, ...) run_fails(status, from(__VA_ARGS__))

/* Two cases without goldens, run once; the models are in the scratch folder. */
BEFORE_EACH
{
    copy_file(STRIP, "strip.gltf");
    copy_file(TWINS, "twins.gltf");
    write_suite(CASES);
    rigproof("check", "suite.yaml", NULL);
}

/* Those of `accept`, byte for byte, on a machine that cannot draw. */
SCRATCH_TEST(same_as_drawn)
{
    static const char *const no_gl[] = {"LIBGL_DRIVERS_PATH=/nowhere", "GALLIUM_DRIVER=none", "EGL_PLATFORM=none", "PATH=", NULL};
    const struct outcome *outcome = rigproof_with(&(struct run_options){.environment = no_gl}, "accept", "--from", "out/check", NULL);
    assert_string_equal(run_gives(0, outcome)->out, "strip: no golden -> 6 new files\ntwins: no golden -> 4 new files\naccepted 2 cases (10 files)\n");
    const char *taken = contents("golden");
    rigproof("check", "suite.yaml", NULL);
    assert_statuses("strip pass, twins pass");
    shell("rm -r golden");
    rigproof_gives(0, "accept", "suite.yaml", "-o", "other");
    assert_string_equal(contents("golden"), taken);
}

SCRATCH_TEST(choices_are_those_of_accept)
{
    assert_contains(from_gives(0, "out/check", "--dry-run", NULL)->out, "would accept 2 cases (10 files)\n");
    assert_false(exists("golden"));
    from_gives(0, "out/check", "--filter", "strip", NULL);
    assert_false(exists("golden/twins"));
    tint("golden/strip/0.250.png", 100, 90);
    rigproof("check", "suite.yaml", NULL);
    assert_statuses("strip fail, twins missing");
    assert_contains(from_gives(0, "out/check", "--missing", NULL)->out, "accepted 1 case (4 files)\n");
    assert_contains(from_gives(0, "out/check", NULL)->out, "strip: draw: ");
    rigproof("check", "suite.yaml", NULL);
    assert_statuses("strip pass, twins pass");
    assert_string_equal(from_gives(0, "out/check", NULL)->out, "nothing to accept\n");
    assert_contains(from_gives(1, "out/check", "--all", "--filter", "twins", NULL)->out,
                    "twins: not accepted: it is good, and of what is good a run leaves nothing\n");
    copy_file("golden/twins/recorded.json", "golden/gone/recorded.json");
    assert_contains(from_gives(0, "out/check", "--prune", NULL)->out, "obsolete, removed: gone\n");
    assert_false(exists("golden/gone"));
    assert_true(exists("golden/strip/0.250.png"));
    from_fails(2, "out/check", "--filter", "none", NULL);
    assert_contains(rigproof("accept", NULL)->err, "suite: suite.yaml\n"); /* the suite of the folder */
}

SCRATCH_TEST(a_person_accepts)
{
    const struct run_options ci = {.environment = (const char *const[]){"CI=true", NULL}};
    run_gives(2, rigproof_with(&ci, "accept", "--from", "out/check", NULL));
    assert_false(exists("golden"));
    run_gives(0, rigproof_with(&ci, "accept", "--from", "out/check", "--force", NULL));
}

/* Things were edited since, each by itself; all is refused, the case that is named or the whole run. */
SCRATCH_TEST(what_is_not_of_the_run)
{
    static const struct {
        const char *change; /* of a shell */
        int status;
        const char *says;
    } rows[] = {
        {"echo >>out/check/strip/0.250.png", 1, "strip: not accepted: out/check/strip/0.250.png is not as the run left it"},
        {"echo >>out/check/strip/0.750.pose.json", 1, "out/check/strip/0.750.pose.json is not as the run left it"},
        {"echo >>out/check/strip/import.json", 1, "out/check/strip/import.json is not as the run left it"},
        {"echo >>out/check/strip/recorded.json", 1, "out/check/strip/recorded.json is not as the run left it"},
        {"rm out/check/strip/0.750.png", 1, "out/check/strip/0.750.png, which the run left, cannot be read"},
        {"mv out/check/strip/0.750.png x && ln -s ../../../x out/check/strip/0.750.png", 1, "0.750.png is a link"},
        {"mv out/check/strip y && ln -s ../../y out/check/strip", 1, "is a link"},
        {"echo >>strip.gltf", 1, "strip: not accepted: strip.gltf is not as it was in the run: run `check` again, or check out"},
        {"rm strip.gltf", 1, "strip: not accepted: strip.gltf cannot be read, which the run read"},
        {"sed -i 's/\"label\": \"0.250\"/\"label\": \"..\\/0\"/' out/check/results.json", 1, "not of the same times"},
        {"sed -i '/\"sources\"/,/\\],/d' out/check/results.json", 1, "the run does not say that it read strip.gltf, which the case opens"},
        {"sed -i '/\"candidate\"/d' out/check/results.json", 1, "does not say what the run left of it"},
        {"sed -i '/\"candidate\"/d; s/\"status\": \"missing\"/\"status\": \"crash\"/' out/check/results.json", 1, "it did not run to its end"},
        {"sed -i '0,/\"renderer\"/s/\"renderer\": \"llvmpipe\"/\"renderer\": \"softpipe\"/' out/check/results.json", 2,
         "goldens are only accepted from llvmpipe"},
        {"echo >>suite.yaml", 2, "the suite suite.yaml is not as it was in the run"},
        {"sed -i '/\"suite_hash\"/d' out/check/results.json", 2, "does not say of what suite file the run was"},
        {"cp suite.yaml out/check && sed -i 's/\"suite\": \"suite.yaml\"/\"suite\": \"out\\/check\\/suite.yaml\"/' out/check/results.json",
         2, "is in out/check itself, which says nothing of where goldens belong"},
        {"mv suite.yaml other.yaml", 2, "the run's suite suite.yaml is not here"},
        {"echo '{' >out/check/results.json", 2, "out/check/results.json"},
        {"rm out/check/results.json", 2, "no results.json in out/check"},
    };
    copy_folder("out", "kept");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        shell("rm -rf out golden x y && cp -r kept out");
        copy_file(STRIP, "strip.gltf");
        write_suite(CASES);
        shell("%s", rows[i].change);
        const struct outcome *outcome = from("out/check", NULL);
        if (outcome->status != rows[i].status || !strstr(outcome->status == 1 ? outcome->out : outcome->err, rows[i].says))
            fail_msg("%s: exit code %d, %s%s", rows[i].change, outcome->status, outcome->out, outcome->err);
        assert_false(exists("golden/strip/recorded.json"));
    }
}

/* Puts the hash that a file has now into another. */
static void put_hash(const char *in, const char *place, const char *of)
{
    char hash[17];
    assert_true(file_hash(of, hash));
    tamper(in, place, at("\"%s\"", hash));
}

/* recorded.json that was written anew, its hash too: what it says of pictures and of the machine is looked at all the same. */
SCRATCH_TEST(a_record_that_lies)
{
    static const struct {
        const char *place, *value, *says;
    } rows[] = {
        {"frames[0].pixels", "\"0123456789abcdef\"", "0.250.png does not have the pixels that recorded.json says"},
        {"fingerprint.renderer", "\"softpipe\"", "goldens are only accepted from llvmpipe"},
        {"frames[0].pose", "\"0123456789abcdef\"", "0.250.pose.json is not as the run left it"},
        {"import_file", "\"other.import.json\"", "names the import of another model or of other settings"},
    };
    copy_folder("out", "kept");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        shell("rm -rf out golden && cp -r kept out");
        tamper(RECORDED, rows[i].place, rows[i].value);
        put_hash(RESULTS_JSON, "cases[0].candidate.recorded", RECORDED);
        assert_contains(from_gives(1, "out/check", NULL)->out, rows[i].says,
                        "\naccepted 1 case (4 files), 1 refused: mend that case or leave it out, and accept again\n");
    }
}

/* Gives all that a forger changed in the case strip the hashes that it has now, up to results.json. */
static void rehash(void)
{
    for (int i = 0; i < 2; i++)
        put_hash(RECORDED, at("frames[%d].pose", i),
                 at("out/check/strip/%s.pose.json", json_at(RECORDED, at("frames[%d].label", i))));
    put_hash(RESULTS_JSON, "cases[0].candidate.import", "out/check/strip/import.json");
    put_hash(RESULTS_JSON, "cases[0].candidate.recorded", RECORDED);
}

/* Both ways to a golden refuse the case, by the same words, and write nothing of it. */
static void both_refuse(const char *name, const char *says)
{
    const char *before = exists("golden") ? contents("golden") : "";
    const struct outcome *outcome = from("out/check", "--filter", name, NULL);
    if (outcome->status != 1 || !strstr(outcome->out, at("%s: not accepted: ", name)) || !strstr(outcome->out, says))
        fail_msg("accept: wanted %s: exit code %d, %s%s", says, outcome->status, outcome->out, outcome->err);
    outcome = rigproof("review", "--terminal", NULL);
    if (outcome->status != 1 || !strstr(outcome->out, "cannot be accepted: ") || !strstr(outcome->out, says))
        fail_msg("review: wanted %s: exit code %d, %s%s", says, outcome->status, outcome->out, outcome->err);
    assert_string_equal(exists("golden") ? contents("golden") : "", before);
}

/* A run that somebody made up, with all hashes as they should be: its files are read before they become goldens. */
SCRATCH_TEST(forged_candidates)
{
    static const struct {
        const char *change; /* of a shell, in out/check/strip */
        const char *says;
    } rows[] = {
        {"echo '{' >0.250.pose.json", "0.250.pose.json: "},
        {"echo '{\"format\": \"rigproof.pose/1\"}' >0.750.pose.json", "0.750.pose.json: "},
        {"sed -i 's/\"parent\": \"[^\"]*\"/\"parent\": \"nobody\"/' 0.250.pose.json", "nobody"},
        {"cp ../twins/0.200.pose.json 0.250.pose.json", "0.250.pose.json is of twins.gltf, "},
        {"cp 0.750.pose.json 0.250.pose.json", "at 0.750 s, the case of strip.gltf, linear-rotation at 0.250 s"},
        {"sed -i 's/\"linear-rotation\"/\"idle\"/' 0.250.pose.json", "is of strip.gltf, idle at 0.250 s, the case of"},
        {"echo '[]' >import.json", "import.json: "},
        {"cp ../twins/import.json import.json", "import.json is of twins.gltf, the case of strip.gltf"},
        {"mv 0.250.png 0.300.png && mv 0.250.pose.json 0.300.pose.json && sed -i 's/\"0.250\"/\"0.300\"/' recorded.json ../results.json && "
         "sed -i 's/\"time\": 0.25,/\"time\": 0.3,/' *.json ../results.json",
         "the run is of 0.300 s, the case of 0.250 s"},
    };
    copy_folder("out", "kept");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        shell("rm -rf out golden && cp -r kept out && cd out/check/strip && %s", rows[i].change);
        rehash();
        both_refuse("strip", rows[i].says);
    }
    shell("rm -rf out && cp -r kept out");
    rehash();
    from_gives(0, "out/check", NULL);
}

/* What a run was held against is the golden that is here, or all that was said of it is of something else. */
SCRATCH_TEST(forged_goldens)
{
    static const struct {
        const char *change; /* of a shell */
        const char *says;   /* NULL: nothing is wrong */
    } rows[] = {
        {"cp out/check/strip/0.750.png out/check/strip/0.250.golden.png", "the golden picture at 0.250 s that the run compared with is not the one here"},
        {"rm out/check/strip/0.250.golden.png", "at 0.250 s that the run compared with is not the one here"},
        {"mv out/check/strip/0.250.golden.png x && ln -s ../../../x out/check/strip/0.250.golden.png", "is not the one here"},
        {"cp golden/strip/0.750.png golden/strip/0.250.png", "is not the one here"},
        {"rm golden/strip/0.250.png", "is not the one here"},
        {"sed -i '/\"image\": {/,/}/{s/\"differs\"/\"missing\"/; s/\"golden\": \"strip[^,]*,/\"golden\": null,/}' out/check/results.json", "is not the one here"},
        {"cp out/check/strip/0.250.png golden/strip/0.250.png", NULL}, /* it was accepted before */
        {"sed -i 's/0.250.golden.png/..\\/..\\/..\\/elsewhere.png/' out/check/results.json", NULL}, /* names say nothing */
    };
    from_gives(0, "out/check", NULL);
    tint("golden/strip/0.250.png", 100, 90);
    rigproof("check", "suite.yaml", NULL);
    assert_statuses("strip fail, twins pass");
    copy_folder("out", "kept");
    copy_folder("golden", "kept-golden");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        shell("rm -rf out golden x && cp -r kept out && cp -r kept-golden golden; %s", rows[i].change);
        if (rows[i].says)
            both_refuse("strip", rows[i].says);
        else
            from_gives(0, "out/check", NULL);
    }
}

/* The golden says where it was drawn, not where it was accepted. */
SCRATCH_TEST(the_fingerprint_is_the_runs)
{
    tamper(RECORDED, "fingerprint.mesa", "\"21.0.0\"");
    put_hash(RESULTS_JSON, "cases[0].candidate.recorded", RECORDED);
    from_gives(0, "out/check", NULL);
    json_is("golden/strip/recorded.json", "fingerprint.mesa", "21.0.0");
}

/* All that a model was made of: textures here, which are files beside it. */
SCRATCH_TEST(files_beside_a_model)
{
    copy_folder(FIXTURES "/maps", "maps");
    write_suite("  - {name: maps, model: maps/maps.gltf, times: [0], allow: [still]}\n");
    rigproof("check", "suite.yaml", NULL);
    static const char texture[] = "maps/glow.png";
    assert_contains(json_at(RESULTS_JSON, "cases[0].sources"), "maps/maps.gltf");
    json_is(RESULTS_JSON, "cases[0].sources[0].file", texture);
    copy_folder("out", "kept");
    for (int i = 0; i < 2; i++) { /* one that is not in the list might be any other */
        tamper("out/check/results.json", "cases[0].sources[0].hash", "null");
        if (i == 0)
            tamper("out/check/results.json", "cases[0].sources[0].file", "\"maps/no.png\"");
        both_refuse("maps", i ? "maps/glow.png was not there in the run" : "the run does not say that it read maps/glow.png, which the case opens");
        shell("rm -r out && mv kept out && cp -r out kept");
    }
    shell("echo >>%s", texture);
    assert_contains(from_gives(1, "out/check", NULL)->out, at("maps: not accepted: %s is not as it was in the run", texture));
    assert_int_equal(unlink(texture), 0);
    rigproof("check", "suite.yaml", NULL); /* and of one that is looked for in vain */
    spill(texture, "now it is there");
    assert_contains(from_gives(1, "out/check", NULL)->out, at("maps: not accepted: %s was not there in the run", texture));
}

SCRATCH_TEST(overrides_are_given_again)
{
    rigproof("check", "suite.yaml", "--goldens", "else", "--repair", "none", NULL);
    assert_contains(from_fails(2, "out/check", NULL)->err, "the run was made with --goldens else --repair none: give the same");
    from_fails(2, "out/check", "--goldens", "golden", "--repair", "none", NULL);
    from_gives(0, "out/check", "--goldens", "else", "--repair", "none", NULL);
    assert_false(exists("golden"));
    rigproof("check", "suite.yaml", "--goldens", "else", "--repair", "none", NULL);
    assert_statuses("strip pass, twins pass");
}

/* Shards side by side, as a CI's artifacts are downloaded, and as a ZIP of them; the suite is named by the run or by hand. */
SCRATCH_TEST(several_runs_are_one)
{
    rigproof("check", "suite.yaml", "-o", "artifacts/one", "--filter", "strip", NULL);
    rigproof("check", "suite.yaml", "-o", "artifacts/two/out/check", "--filter", "twins", NULL);
    assert_contains(from_gives(0, "artifacts", "--dry-run", NULL)->out, "would accept 2 cases");
    assert_contains(from_gives(0, "artifacts/one", "--from", "artifacts/two", "--dry-run", NULL)->out, "would accept 2 cases");
    shell("cd artifacts && python3 -m zipfile -c ../all.zip one two && cd one && python3 -m zipfile -c ../../one.zip .");
    assert_contains(from_gives(0, "all.zip", "--dry-run", NULL)->out, "would accept 2 cases");
    rigproof_gives(0, "accept", "./suite.yaml", "--from", "one.zip");
    assert_true(exists("golden/strip/recorded.json"));
    assert_false(exists("golden/twins"));
    spill("two.yaml", slurp("suite.yaml", NULL));
    rigproof("check", "two.yaml", "-o", "artifacts/three", NULL);
    from_fails(2, "artifacts", NULL);
}

SCRATCH_TEST(hostile_archives)
{
    static const struct {
        const char *name, *says;
    } rows[] = {
        {"up", "../x: it leads out of the archive"},    {"absolute", "it leads out of the archive"},
        {"dots", "it leads out of the archive"},        {"slashes", "it leads out of the archive"},
        {"back", "it leads out of the archive"},        {"link", "it is a link"},
        {"pipe", "it is a link, or no file"},           {"twice", "results.json: it is there twice"},
        {"bomb", "the archive holds more than it should"}, {"encrypted", "results.json: it is encrypted"},
        {"cut", ""},                                    {"damaged", "it is damaged"},
        {"many", "more than"},                          {"nothing", "no results.json in"},
    };
    spill("make.py",
          "import os, stat, zipfile, warnings\n"
          "warnings.simplefilter('ignore')\n"
          "def make(name, *entries, kind=None):\n"
          "    with zipfile.ZipFile(name + '.zip', 'w', zipfile.ZIP_DEFLATED) as z:\n"
          "        for entry, data in entries:\n"
          "            info = zipfile.ZipInfo(entry)\n"
          "            info.compress_type = zipfile.ZIP_DEFLATED\n"
          "            info.create_system = 3\n"
          "            info.external_attr = ((kind or stat.S_IFREG) | 0o644) << 16\n"
          "            z.writestr(info, data)\n"
          "    return bytearray(open(name + '.zip', 'rb').read())\n"
          "make('up', ('../x', 'a')); make('absolute', (os.getcwd() + '/away', 'a')); make('dots', ('a/../../x', 'a'))\n"
          "make('slashes', ('a//x', 'a')); make('back', ('..\\\\x', 'a'))\n"
          "make('link', ('out', '/etc'), kind=stat.S_IFLNK); make('pipe', ('out', ''), kind=stat.S_IFIFO)\n"
          "make('twice', ('results.json', 'a'), ('results.json', 'b'))\n"
          "make('bomb', ('results.json', bytes(100 << 20))); make('nothing', ('readme', 'a'))\n"
          "make('many', *[(str(i), '') for i in range(200001)])\n"
          "data = make('encrypted', ('results.json', 'a' * 100))\n"
          "for mark, place in ((b'PK\\3\\4', 6), (b'PK\\1\\2', 8)):\n"
          "    data[data.index(mark) + place] |= 1\n"
          "open('encrypted.zip', 'wb').write(data)\n"
          "data = make('cut', ('results.json', 'a' * 100)); open('cut.zip', 'wb').write(data[:60])\n"
          "data = make('damaged', ('results.json', bytes(range(256)))); data[60] ^= 255; open('damaged.zip', 'wb').write(data)\n");
    shell("python3 make.py && mkdir tmp");
    static const char *const here[] = {"TMPDIR=tmp", NULL};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct outcome *outcome = rigproof_with(&(struct run_options){.environment = here}, "accept", "--from",
                                                      at("%s.zip", rows[i].name), NULL);
        if (outcome->status != 2 || !strstr(outcome->err, rows[i].says) || count_lines(outcome->err) != 1)
            fail_msg("%s: exit code %d, %s", rows[i].name, outcome->status, outcome->err);
        assert_string_equal(contents("tmp"), "");
        assert_false(exists("x") || exists("away"));
    }
    shell("cd out/check && python3 -m zipfile -c ../../good.zip .");
    rigproof_with(&(struct run_options){.environment = here}, "accept", "--from", "good.zip", NULL);
    assert_true(exists("golden/strip/0.250.png"));
    assert_string_equal(contents("tmp"), "");
}

/* A disk that is full: each file is the new one or is not there, and nothing else is left. */
SCRATCH_TEST(nothing_half_written)
{
    const struct outcome *outcome = rigproof_with(&(struct run_options){.file_size_limit = 3000}, "accept", "--from", "out/check", NULL);
    assert_int_not_equal(outcome->status, 0);
    assert_null(strstr(contents("golden"), ".new-"));
    from_gives(0, "out/check", NULL);
    rigproof("check", "suite.yaml", NULL);
    assert_statuses("strip pass, twins pass");
}
