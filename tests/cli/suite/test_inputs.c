/* Whatever a verdict depends on, broken in every way and repaired: the run's sources, --cache and --watch are asked, all three. */

#include <signal.h>

#include "suite_runs.h"

#define ONE "clip: linear-rotation, times: [0.25]"
#define STRIP_AT(folder) "model: in/" folder "/d/strip.gltf, "

/* A kind of input each, in a folder of its own: a file whose content breaks the case of that name. */
static const struct kind {
    const char *name, *file, *cases;
    bool is_source; /* candidates are made of it */
} kinds[] = {
    {"model", "in/model/d/strip.gltf", "  - {name: model, " STRIP_AT("model") ONE "}\n", true},
    {"texture", "in/texture/d/paint_n.png", "  - {name: texture, model: in/texture/d/maps.gltf, time: 0, clip: rest}\n", true},
    {"buffer", "in/buffer/d/strip.bin", "  - {name: buffer, model: in/buffer/d/beside.gltf, " ONE "}\n", true},
    {"clips", "in/clips/d/strip.gltf", "  - {name: clips, model: in/strip.gltf, clips-from: in/clips/d/strip.gltf, " ONE "}\n", true},
    {"shader", "in/shader/d/lit.frag", "  - {name: shader, model: in/strip.gltf, shaders: in/shader/d, " ONE "}\n", true},
    {"include", "in/include/d/lib/more.glsl", "  - {name: include, model: in/strip.gltf, shaders: in/include/d, " ONE "}\n", true},
    {"camera", "in/camera/d/camera.json", "  - {name: camera, model: in/strip.gltf, camera: '@in/camera/d/camera.json', " ONE "}\n", true},
    {"other", "in/other/d/strip.gltf", "  - {name: other, model: in/strip.gltf, clip: linear-rotation, agrees_with: other-two}\n"
                                       "  - {name: other-two, " STRIP_AT("other") ONE "}\n", true},
    {"beside-other", "in/beside-other/d/strip.bin",
     "  - {name: beside-other, model: in/strip.gltf, clip: linear-rotation, agrees_with: beside-two}\n"
     "  - {name: beside-two, model: in/beside-other/d/beside.gltf, " ONE "}\n", true},
    {"picture", "golden/picture/0.250.png", "  - {name: picture, model: in/strip.gltf, " ONE "}\n", false},
    {"pose", "golden/pose/0.250.pose.json", "  - {name: pose, model: in/strip.gltf, " ONE "}\n", false},
    {"record", "golden/record/recorded.json", "  - {name: record, model: in/strip.gltf, " ONE "}\n", false},
    {"import", "golden/imports/own.gltf*", "  - {name: import, model: in/own.gltf, " ONE "}\n", false},
    {"program", "in/program/d/program", "  - {name: program, model: in/strip.gltf, subject: us, " ONE "}\n", false},
};
enum { KINDS = sizeof kinds / sizeof *kinds, CASES = KINDS + 2 };

#define TWO_FILES "mkdir $D/store; mv $P $D/store/1-$B; echo broken >$D/store/2-$B; "
#define LINK TWO_FILES "ln -s store/1-$B $P"
#define TURN(link, to) "ln -sfn " to " " link
#define OTHER_FOLDER(at) "mv " at " " at ".1; cp -rp " at ".1 " at ".2; "

static const struct way {
    const char *name, *before, *breaks, *mends; /* $P: the file, $D: its folder, $U: one above */
} ways[] = {
    {"edited in place", ":", "echo broken >$P", "cat before/$P >$P"},
    {"replaced by rename", ":", "echo broken >$P.new; mv $P.new $P", "cp -p before/$P $P.new; mv $P.new $P"},
    {"edited, of the same size and time", ":", "tr -c x x <before/$P >$P; touch -r before/$P $P", "cat before/$P >$P; touch -r before/$P $P"},
    {"deleted", ":", "rm $P", "cp -p before/$P $P"},
    {"its folder deleted", ":", "rm -rf $D", "cp -rp before/$D $(dirname $D)"},
    {"its folder moved away", ":", "if [ -e $D ]; then mv $D $D.away; fi", "if [ -e $D.away ]; then mv $D.away $D; fi"},
    {"the folder above moved away", ":", "if [ -e $U ]; then mv $U $U.away; fi", "if [ -e $U.away ]; then mv $U.away $U; fi"},
    {"a link to it turned", LINK, TURN("$P", "store/2-$B"), TURN("$P", "store/1-$B")},
    {"a link to it replaced by rename", LINK, "ln -s store/2-$B $D/new; mv -T $D/new $P", "ln -s store/1-$B $D/new; mv -T $D/new $P"},
    {"a link of a link turned", TWO_FILES "ln -s 1-$B $D/store/m-$B; ln -s store/m-$B $P", TURN("$D/store/m-$B", "2-$B"), TURN("$D/store/m-$B", "1-$B")},
    {"edited behind a link", LINK, "echo broken >$D/store/1-$B", "cat before/$P >$D/store/1-$B"},
    {"a link of its folder turned", OTHER_FOLDER("$D") "echo broken >$D.2/$B; ln -s $(basename $D).1 $D", TURN("$D", "$(basename $D).2"), TURN("$D", "$(basename $D).1")},
    {"a link of the folder above turned", "if [ ! -h $U ]; then " OTHER_FOLDER("$U") "ln -s $(basename $U).1 $U; fi; echo broken >$U.2/${P#$U/}",
     TURN("$U", "$(basename $U).2"), TURN("$U", "$(basename $U).1")},
};

/* Of every kind, in one script: --watch sees it as one change or as few. */
static void change_all(const char *command)
{
    SCOPED(text) script = {0};
    text_add(&script, "set -e\n");
    for (size_t i = 0; i < KINDS; i++)
        text_addf(&script, "P=$(echo before/%s); P=${P#before/}; D=${P%%/*}; B=${P##*/}; U=$(echo $P | cut -d / -f 1-2); "
                           "case $U in golden/*) U=golden;; esac; %s\n", kinds[i].file, command);
    spill("script", text_string(&script));
    shell("sh script");
}

static const struct outcome *check_cached(void)
{
    return rigproof("check", "suite.yaml", "--allow-subjects", "--cache", "cache", "-o", "out/cached", NULL);
}

/* "[...]" of a case; "" where it has none. */
static const char *sources_of(size_t kind)
{
    static const char file[] = "out/cached/results.json";
    const char *found = strstr(json_at(file, at("cases[%d]", index_of(file, "cases", "name", strcmp(kinds[kind].name, "program") == 0 ? "program@us" : kinds[kind].name))), "\"sources\":");
    return found ? at("%.*s", (int)strcspn(found, "]"), found) : "";
}

static void make_project(void)
{
    SCOPED(text) cases = {0};
    for (size_t i = 0; i < KINDS; i++)
        text_add(&cases, kinds[i].cases);
    spill("make", "set -e; rm -rf in golden out cache before suite.yaml\n"
                  "for d in model texture buffer clips shader include/d/lib camera other beside-other program; do mkdir -p in/$d/d; done\n"
                  "for f in . model/d clips/d other/d; do cp '" STRIP "' in/$f; done; cp '" STRIP "' in/own.gltf\n"
                  "cp '" FIXTURES "'/maps/*.png '" FIXTURES "'/maps/maps.gltf in/texture/d; rmdir in/include/d/lib/d\n"
                  "cp '" FIXTURES "'/shaders/toon/lit.frag in/shader/d; echo '// more' >in/include/d/lib/more.glsl\n"
                  "sed '1a #include \"lib/more.glsl\"' '" FIXTURES "'/shaders/toon/lit.frag >in/include/d/lit.frag\n"
                  "printf '#!/bin/sh\\nexec \"" RIGPROOF_BINARY "\" subject\\n' >in/program/d/program; chmod +x in/program/d/program\n"
                  "python3 - <<'END'\n"
                  "import base64, json\n"
                  "gltf = json.load(open('in/strip.gltf'))\n"
                  "data = base64.b64decode(gltf['buffers'][0]['uri'].split(',')[1])\n"
                  "gltf['buffers'][0]['uri'] = 'strip.bin'\n"
                  "for folder in 'buffer', 'beside-other':\n"
                  "    open(f'in/{folder}/d/strip.bin', 'wb').write(data)\n"
                  "    json.dump(gltf, open(f'in/{folder}/d/beside.gltf', 'w'))\n"
                  "END\n");
    shell("sh make");
    spill("in/camera/d/camera.json", "{\"format\": \"rigproof.camera/1\", \"eye\": [0, 1, 9], \"target\": [0, 1, 0], \"up\": [0, 1, 0], "
                                     "\"fov_y\": 0.5, \"ortho_height\": 0, \"near\": 0.1, \"far\": 100}\n");
    spill("suite.yaml", at("version: 1\ngoldens: golden\ndefaults: {size: [32, 32]}\nsubjects: {us: {command: [in/program/d/program]}}\ncases:\n%s",
                           text_string(&cases)));
    rigproof_gives(0, "accept", "suite.yaml", "--allow-subjects");
    shell("rm -r out; mkdir before && cp -rp in golden before");
}

static void ask(const struct way *way)
{
    const char *before[KINDS];
    size_t from = 0;
    make_project();
    change_all(way->before);
    check_cached();
    assert_contains(check_cached()->out, at(", %d remembered\n", CASES - 1)); /* not that of a program */
    for (size_t i = 0; i < KINDS; i++)
        before[i] = sources_of(i);
    struct background *run = rigproof_start(&(struct run_options){0}, "check", "suite.yaml", "--allow-subjects", "--watch", "-o",
                                            "out/watched", NULL);
    rigproof_says(run, run->out, &from, "ctrl-C ends it\n");
    change_all(way->breaks);
    rigproof_says(run, run->out, &from, at("red        %d of %d cases fail", CASES, CASES));
    const struct outcome *broken = check_cached();
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].is_source && strcmp(sources_of(i), before[i]) == 0)
            fail_msg("%s, %s: the sources are the same", kinds[i].name, way->name);
    if (broken->status != 1 || !strstr(broken->out, at("%d of %d cases fail", CASES, CASES)))
        fail_msg("%s: --cache is green:\n%s", way->name, broken->out);
    change_all(way->mends);
    rigproof_says(run, run->out, &from, at("green      %d cases, all good", CASES));
    kill(run->pid, SIGINT);
    run_gives(0, rigproof_await(run));
    check_cached();
    assert_contains(check_cached()->out, at(", %d remembered\n", CASES - 1));
}

static void each_kind(void **state)
{
    ask(*state);
}

/* A file that was looked for in vain: by its name, over a link, and of a name that is not UTF-8, of which nothing is remembered. */
SCRATCH_TEST(absent_files_appear)
{
    static const char *const names[] = {"absent.png", "caf\xe9.png", "more/absent.png"};
    static const char obj[] = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n";
    for (size_t i = 0; i < 3; i++) {
        size_t from = 0;
        const bool is_text = i != 1;
        shell("rm -rf m golden out cache; mkdir m");
        spill("m/a.obj", obj);
        spill("m/a.mtl", at("newmtl m\nKd 1 1 1\nmap_Kd %s\n", names[i]));
        write_accepted_suite("  - {name: it, model: m/a.obj, time: 0, clip: rest}\n");
        check_gives(0, "--cache", "cache", NULL);
        const struct outcome *again = check_gives(0, "--cache", "cache", NULL);
        assert_contains(again->out, is_text ? "1 remembered" : "Not remembered: 1 case, the name of a file beside its model is not UTF-8");
        struct background *run =
            rigproof_start(&(struct run_options){0}, "check", "suite.yaml", "--allow-outside", "--watch", "-o", "out/watched", NULL);
        rigproof_says(run, run->out, &from, "ctrl-C ends it\n");
        shell("mkdir -p m/more && cp '" FIXTURES "'/maps/glow_b.png m/there && ln -s %sthere 'm/%s'",
              i == 2 ? "../" : "", names[i]);
        rigproof_says(run, run->out, &from, "red        1 of 1 case");
        kill(run->pid, SIGINT);
        rigproof_await(run);
        check_gives(1, "--cache", "cache", NULL);
        if (is_text)
            assert_contains(result_of("it", "sources[2].leads_to"), "m/there");
    }
}

AT_START(list_ways)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        list_test(&(struct CMUnitTest){ways[i].name, each_kind, scratch_enter, scratch_leave, (void *)&ways[i]}, __LINE__);
}
