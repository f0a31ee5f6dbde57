/* check --cache: whatever a verdict depends on is in the hash, each thing changed alone; nothing else is. */

#include "suite_runs.h"

#define CACHED "--cache", "cache"

static const struct outcome *check_one(const char *const *environment, const char *name, const char *option, const char *value)
{
    return rigproof_with(&(struct run_options){.environment = environment}, "check", "suite.yaml", CACHED, "--filter", name, option,
                         value, NULL);
}

static bool remembers(const char *name)
{
    return strstr(check_one(NULL, name, NULL, NULL)->out, "1 remembered") != NULL;
}

/* A suite of all kinds of files, accepted and checked; what it was of is kept in before/. */
static void begin(void)
{
    shell("mkdir models mine mine/lib && cp '" FIXTURES "'/maps/*.png '" FIXTURES "'/maps/maps.gltf models && rm models/glow.png");
    shell("cp '" STRIP "' models && cp '" STRIP "' models/copy.gltf && cp '" STRIP "' models/clips.gltf");
    shell("(sed '1a #include \"lib/more.glsl\"' '" FIXTURES "'/shaders/toon/lit.frag) >mine/lit.frag && echo '// more' >mine/lib/more.glsl");
    spill("camera.json", "{\"format\": \"rigproof.camera/1\", \"eye\": [0, 1, 9], \"target\": [0, 1, 0], \"up\": [0, 1, 0], "
                         "\"fov_y\": 0.5, \"ortho_height\": 0, \"near\": 0.1, \"far\": 100}\n");
    write_accepted_suite("  - {name: maps, model: models/maps.gltf, time: 0, clip: rest}\n"
                         "  - {name: strip, model: models/strip.gltf, clip: linear-rotation, times: [0.25, 0.75]}\n"
                         "  - {name: borrows, model: models/strip.gltf, clips-from: models/clips.gltf, clip: linear-rotation, times: [0.25, 0.75]}\n"
                         "  - {name: shaded, model: models/copy.gltf, clip: linear-rotation, times: [0.25, 0.5], shaders: mine}\n"
                         "  - {name: saved, model: models/copy.gltf, clip: linear-rotation, times: [0.25, 0.5], camera: \"@camera.json\"}\n"
                         "  - {name: agrees, model: models/copy.gltf, clip: linear-rotation, agrees_with: strip}\n");
    shell("mkdir before && cp -r models mine golden suite.yaml camera.json before");
    assert_null(strstr(rigproof_gives(0, "check", "suite.yaml", CACHED)->out, "remembered"));
    assert_contains(rigproof_good("check", "suite.yaml", CACHED)->out, "6 cases, all good, 6 remembered");
}

static void restore(void)
{
    shell("rm -r models mine golden && cp -r before/. .");
}

struct change {
    const char *of, *name, *command; /* what changes, of which case, and how */
};

static void require_misses(const struct change *changes, size_t count)
{
    begin();
    for (size_t i = 0; i < count; i++) {
        shell("%s", changes[i].command);
        if (remembers(changes[i].name))
            fail_msg("the verdict on %s does not depend on %s", changes[i].name, changes[i].of);
        restore();
    }
    assert_contains(rigproof_good("check", "suite.yaml", CACHED)->out, "6 cases, all good, 6 remembered");
}

SCRATCH_TEST(every_file_counts)
{
    static const struct change changes[] = {
        {"the model", "strip", "printf ' ' >>models/strip.gltf"},
        {"a file beside it", "maps", "cp models/glow_b.png models/paint_n.png"},
        {"a file that it looked for", "maps", "cp models/glow_b.png models/glow.png"},
        {"a pose of the golden", "strip", "printf ' ' >>golden/strip/0.250.pose.json"},
        {"a picture of the golden", "strip", "printf ' ' >>golden/strip/0.250.png"},
        {"the record of the golden", "strip", "printf ' ' >>golden/strip/recorded.json"},
        {"the golden's import, which is shared", "strip", "for f in golden/imports/*; do printf ' ' >>$f; done"},
        {"a picture that the golden lacks", "strip", "rm golden/strip/0.250.png"},
        {"a picture more in the golden", "strip", "cp golden/strip/0.250.png golden/strip/0.250_1.png"},
        {"the golden as a whole", "strip", "rm -r golden/strip"},
        {"a clip file", "borrows", "printf ' ' >>models/clips.gltf"},
        {"a shader", "shaded", "echo >>mine/lit.frag"},
        {"what a shader includes", "shaded", "echo >>mine/lib/more.glsl"},
        {"a shader more", "shaded", "cp '" FIXTURES "'/shaders/detail/unlit.frag mine"},
        {"a saved camera", "saved", "sed -i 's/\\[0, 1, 9\\]/[0, 1, 8]/' camera.json"},
        {"the model of the case that it agrees with", "agrees", "printf ' ' >>models/strip.gltf"},
    };
    require_misses(changes, sizeof changes / sizeof *changes);
}

#define STRIP_GETS(what) "sed -i 's/name: strip,/name: strip, " what ",/' suite.yaml"
SCRATCH_TEST(every_setting_counts)
{
    static const struct change changes[] = {
        {"its times", "strip", "sed -i 's/0.25, 0.75/0.25, 0.5/' suite.yaml"},
        {"a default", "strip", "sed -i 's/64, 64/48, 48/' suite.yaml"},
        {"a tolerance", "strip", STRIP_GETS("tolerance: {shell: 1.0e-4}")},
        {"a view", "strip", STRIP_GETS("view: normals")},
        {"repairs", "strip", STRIP_GETS("repair: none")},
        {"a limit of the import", "strip", STRIP_GETS("import-memory: 2048")},
        {"what it may be", "strip", STRIP_GETS("allow: still")},
        {"stages", "strip", STRIP_GETS("stages: [animate]")},
        {"its model's name", "strip", "sed -i 's/name: strip, model: models.strip/name: strip, model: models\\/copy/' suite.yaml"},
        {"a setting of the case that it agrees with", "agrees", STRIP_GETS("influences: 8")},
    };
    require_misses(changes, sizeof changes / sizeof *changes);
}

/* A copy of a program or library in which one byte of the build id is another. */
static bool copy_as_other_build(const char *from, const char *to)
{
    static const char note[] = "\x14\0\0\0\x03\0\0\0GNU"; /* the description's 20 bytes, its type, the name */
    size_t size;
    char *file = slurp(from, &size), *found = memmem(file, size, note, sizeof note);
    if (!found)
        return false;
    found[sizeof note] ^= 1;
    spill_bytes(to, file, size);
    chmod(to, 0777);
    return true;
}

SCRATCH_TEST(machine_and_command_count)
{
    static const char *const variables[] = {"LP_FAST=1", "GALLIUM_THREAD=0", "MESA_DEBUG=silent", "GLIBC_TUNABLES=glibc.malloc.check=0"};
    static const char *const options[][2] = {
        {"--stages", "animate"}, {"--repair", "none"}, {"--timeout", "100"}, {"--memory", "2000"}};
    static const char *const harmless[] = {"LP_NUM_THREADS=2", "MESA_SHADER_CACHE_MAX_SIZE=8M", "LANG=C", "GALLIVM_DEBUG=nopt"};
    begin();
    for (size_t i = 0; i < 4; i++) {
        const char *const environment[] = {variables[i], NULL}, *const other[] = {harmless[i], NULL};
        if (strstr(check_one(environment, "strip", NULL, NULL)->out, "remembered"))
            fail_msg("the verdict does not depend on %s", variables[i]);
        if (strstr(check_one(NULL, "strip", options[i][0], options[i][1])->out, "remembered"))
            fail_msg("the verdict does not depend on %s", options[i][0]);
        if (!strstr(check_one(other, "strip", NULL, NULL)->out, "1 remembered"))
            fail_msg("the verdict depends on %s", harmless[i]);
    }
    static const char *const kept[] = {"RIGPROOF_KEEP_ENVIRONMENT=LP_NATIVE_VECTOR_WIDTH", "LP_NATIVE_VECTOR_WIDTH=128", NULL};
    assert_null(strstr(check_one(kept, "strip", NULL, NULL)->out, "remembered"));
    if (copy_as_other_build(RIGPROOF_BINARY, "other-rigproof"))
        shell("./other-rigproof check suite.yaml --cache cache --filter strip >out.txt && ! grep -q remembered out.txt");
    if (system("cp $(ldconfig -p | sed -n 's/.*libOSMesa.so.8 .*=> //p' | head -n 1) osmesa.so 2>errors") == 0) {
        static const char *const osmesa[] = {"RIGPROOF_OSMESA_LIBRARY=./osmesa.so", NULL};
        assert_true(copy_as_other_build("osmesa.so", "other.so"));
        check_one(osmesa, "strip", "--backend", "osmesa");
        assert_contains(check_one(osmesa, "strip", "--backend", "osmesa")->out, "1 remembered");
        shell("mv other.so osmesa.so");
        assert_null(strstr(check_one(osmesa, "strip", "--backend", "osmesa")->out, "remembered"));
    }
}

/* A comment, another place in the suite, times of files, another folder: the same verdict, and results as of a run. */
SCRATCH_TEST(nothing_else_counts)
{
    begin();
    shell("touch models/* golden/*/* && sed -i '1i # a comment' suite.yaml && cp -r models again && rm -r models && mv again models");
    rigproof_good("check", "suite.yaml", CACHED, "-j", "1", "-o", "out/cached");
    rigproof_good("check", "suite.yaml", "-o", "out/run");
    shell("grep -c '\"remembered\": true' out/cached/results.json | grep -qx 6");
    shell("sed -e '/\"remembered\"/d' -e 's:out/cached:out/run:' out/cached/results.json | cmp - out/run/results.json");
    assert_same_files("out/cached/junit.xml", "out/run/junit.xml");
    assert_string_equal(json_at("out/cached/results.json", "cases[1].line"), "7");
    shell("mkdir moved && mv suite.yaml models mine golden camera.json moved");
    assert_contains(rigproof_good("check", "moved/suite.yaml", CACHED)->out, "6 remembered");
}

/* No entry is better than its checksum: each is a miss, and written anew. */
SCRATCH_TEST(a_broken_entry_is_none)
{
    static const char *const breaks[] = {
        "for f in cache/[0-9a-f]*; do truncate -s -5 $f; done", "for f in cache/[0-9a-f]*; do : >$f; done",
        "for f in cache/[0-9a-f]*; do sed -i 's/\"radius\": ./\"radius\": 7/' $f; done",
        "for f in cache/[0-9a-f]*; do sed -i '1s/remembered.2/remembered\\/0/' $f; done",
        "set -- cache/[0-9a-f]*; first=$1; shift; for f; do cp $first $f; done; rm $first",
        "for f in cache/[0-9a-f]*; do sed -i '1{s/0$/1/;t;s/.$/0/}' $f; done",
        "for f in cache/[0-9a-f]*; do rm $f; mkdir $f; done; rmdir cache/*/",
    };
    begin();
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        shell("%s", breaks[i]);
        assert_null(strstr(rigproof_good("check", "suite.yaml", CACHED)->out, "remembered"));
        assert_contains(rigproof_good("check", "suite.yaml", CACHED)->out, "6 remembered");
    }
    shell("mkdir old && touch -d '40 days ago' cache/0123456789abcdef0123456789abcdef cache/mine");
    rigproof_good("check", "suite.yaml", CACHED);
    shell("test ! -e cache/0123456789abcdef0123456789abcdef && test -e cache/mine");
}

/* What another wrote is none of ours, be its hashes right; two that begin at once make one key. */
SCRATCH_TEST(entries_are_signed)
{
    static const char *const theirs[] = {"RIGPROOF_CACHE_KEY=the key of somebody else", NULL};
    const char *const home[] = {at("XDG_STATE_HOME=%s/state", scratch_path()), NULL};
    begin();
    assert_null(strstr(check_one(theirs, "strip", NULL, NULL)->out, "remembered"));
    assert_contains(check_one(theirs, "strip", NULL, NULL)->out, "1 remembered");
    assert_null(strstr(check_one(NULL, "strip", NULL, NULL)->out, "remembered")); /* it is written over */
    assert_true(remembers("strip"));
    shell("rm -r cache");
    struct background *runs[6];
    for (size_t i = 0; i < 6; i++)
        runs[i] = rigproof_start(&(struct run_options){.environment = home}, "check", "suite.yaml", CACHED, "--filter", "strip", "-o",
                                 at("out/%zu", i), NULL);
    for (size_t i = 0; i < 6; i++)
        run_gives(0, rigproof_await(runs[i]));
    assert_contains(check_one(home, "strip", "--cache-strict", NULL)->out, "1 remembered");
    shell("ls state/rigproof | grep -qx cache-key && test $(ls -A state/rigproof | wc -l) = 1");
}

/* What is of two versions, of before and of after the change, is not kept; the film goes on meanwhile. */
SCRATCH_TEST(what_changes_during_a_run_is_not_kept)
{
    begin();
    shell("rm -r cache && cp '" FIXTURES "'/walker/walker.glb . && echo '  - {name: film, model: walker.glb, clip: walk, "
          "size: [768, 768], times: {from: 0, to: 2, fps: 30}}' >>suite.yaml && cp suite.yaml before");
    struct background *run = rigproof_start(&(struct run_options){0}, "check", "suite.yaml", CACHED, "--pictures",
                                            "all", "-j", "2", "-o", "out/slow", NULL);
    for (int i = 0; i < 20000 && !exists("out/slow/strip/0.750.golden.png"); i++)
        usleep(1000);
    shell("printf ' ' >>golden/strip/0.250.pose.json");
    assert_contains(run_gives(1, rigproof_await(run))->err, "not remembered: files of theirs were changed");
    restore();
    assert_false(remembers("strip"));
    assert_true(remembers("strip"));
}

/* A folder above the model that is a link: the path as named counts, and where it leads. */
SCRATCH_TEST(a_link_above_the_model_counts)
{
    begin();
    shell("mv models v1 && cp -rp v1 v2 && cp v2/glow_b.png v2/paint_n.png && ln -s v1 models");
    assert_false(remembers("maps"));
    assert_true(remembers("maps"));
    assert_string_equal(json_at("out/check/results.json", "cases[0].sources[0].file"), "models/glow.png");
    assert_string_equal(json_at("out/check/results.json", "cases[0].sources[1].leads_to"), "v1/maps.gltf");
    shell("ln -sfn v2 models");
    run_gives(1, check_one(NULL, "maps", NULL, NULL));
    shell("cp -p v1/paint_n.png v2 && ln -sfn v2 models");
    assert_false(remembers("maps")); /* the same bytes, elsewhere */
    assert_true(remembers("maps"));
}

/* What fails, what is under test, and what leads out of the model's folder is run each time. */
SCRATCH_TEST(some_are_never_remembered)
{
    begin();
    shell("mv models/paint_n.png linked.png && ln -s ../linked.png models/paint_n.png");
    run_gives(1, check_one(NULL, "maps", NULL, NULL));
    rigproof_gives(0, "accept", "suite.yaml", "--filter", "maps");
    for (int i = 0; i < 2; i++)
        assert_contains(check_one(NULL, "maps", NULL, NULL)->out, "Not remembered: 1 case, a file beside its model cannot be read\n");
    restore();
    const struct outcome *run = rigproof_good("check", "suite.yaml", CACHED, "--subject", "'" RIGPROOF_BINARY "' subject", "--filter", "strip");
    assert_contains(run->out, "Not remembered: 1 case, it runs a program under test\n");
    shell("sed -i 's/\"rotation\"/\"scale\"/' models/strip.gltf || true; printf '{' >models/strip.gltf");
    for (int i = 0; i < 2; i++)
        assert_null(strstr(run_gives(1, check_one(NULL, "strip", NULL, NULL))->out, "remembered"));
}

/* Shards fill one folder; a whole run takes from it what they left, one changed model is the only one that runs. */
SCRATCH_TEST(shards_and_one_change)
{
    begin();
    shell("rm -r cache");
    rigproof_good("check", "suite.yaml", CACHED, "--shard", "1/2", "-o", "out/1");
    rigproof_good("check", "suite.yaml", CACHED, "--shard", "2/2", "-o", "out/2");
    assert_contains(rigproof_good("check", "suite.yaml", CACHED)->out, "6 cases, all good, 6 remembered");
    rigproof_good("check", "suite.yaml", CACHED, "--shard", "2/2", "-o", "out/2");
    assert_contains(rigproof_good("report", "out/1/results.json", "out/2/results.json")->out, " remembered");
    shell("printf ' ' >>models/maps.gltf");
    assert_contains(rigproof_good("check", "suite.yaml", CACHED)->out, "6 cases, all good, 5 remembered");
    assert_null(strstr(json_at("out/check/results.json", "cases[0]"), "remembered"));
    rigproof_refuses("--cache: ", "check", "suite.yaml", "--cache", "suite.yaml");
}
