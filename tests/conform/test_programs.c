/* Programs that behave badly cost their rigs and nothing else. */
#include "cmocka_setup.h"

#include <string.h>
#include <sys/stat.h>

#include "run_binary.h"

/* A program in Python that greets and then does `body` for each request, whose number of requests so far is n. */
static void write_program(const char *path, const char *body)
{
    char text[2000];
    snprintf(text, sizeof text,
             "#!/usr/bin/env python3\n"
             "import json, sys, time, os\n"
             "n = 0\n"
             "for line in sys.stdin:\n"
             "    q = json.loads(line)\n"
             "    if q['request'] == 'hello':\n"
             "        print(json.dumps({'protocol': 'rigproof.subject/1', 'name': 'bad', 'gives': ['nodes']}), flush=True)\n"
             "        continue\n"
             "    n += 1\n"
             "    answer = {'id': q['id'], 'nodes': [{'name': 'base', 't': [n, 0, 0], 'r': [0, 0, 0, 1], 's': [1, 1, 1],\n"
             "              'global': [1, 0, 0, n, 0, 1, 0, 0, 0, 0, 1, 0]}]}\n"
             "    %s\n"
             "    print(json.dumps(answer), flush=True)\n",
             body);
    spill(path, text);
    chmod(path, 0755);
}

static const struct outcome *conform(const char *program, const char *seconds)
{
    return rigproof("conform", program, "--rule", "nodes-trs", "--rule", "nodes-matrix", "--answer-timeout", seconds, "-o", "out", NULL);
}

SCRATCH_TEST(a_program_that_dies_has_no_answer)
{
    write_program("dies", "os.abort()");
    assert_contains(require_status(conform("./dies", "60"), 1, __FILE__, __LINE__)->out, "0 of 2 right, 2 without an answer");
}

SCRATCH_TEST(a_program_that_hangs_has_no_answer)
{
    write_program("hangs", "time.sleep(60)");
    assert_contains(require_status(conform("./hangs", "2"), 1, __FILE__, __LINE__)->out, "0 of 2 right, 2 without an answer");
}

SCRATCH_TEST(nonsense_is_no_answer)
{
    write_program("nonsense", "print('Loading...'); answer = [1]");
    assert_contains(require_status(conform("./nonsense", "60"), 1, __FILE__, __LINE__)->out, "0 of 2 right, 2 without an answer");
}

SCRATCH_TEST(a_flood_is_no_answer)
{
    write_program("flood", "[sys.stdout.write('x' * 1000000) for _ in range(80)]");
    assert_contains(require_status(conform("./flood", "60"), 1, __FILE__, __LINE__)->out, "0 of 2 right, 2 without an answer");
}

SCRATCH_TEST(other_answers_to_the_same_are_named)
{
    write_program("dice", "pass");
    assert_contains(require_status(conform("./dice", "60"), 1, __FILE__, __LINE__)->out, "not deterministic");
}

/* The line says by how much of what the rest is off, as no cause does. */
SCRATCH_TEST(what_nothing_explains_is_told_as_it_is_seen)
{
    write_program("stuck", "answer['nodes'][0].update(t=[1, 0, 0], **{'global': [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0]})");
    assert_contains(require_status(conform("./stuck", "60"), 1, __FILE__, __LINE__)->out,
                    "nodes-trs  animate, no cause explains it: local transform of `base` is off by");
}

SCRATCH_TEST(a_program_that_is_not_there_is_said_once)
{
    const struct outcome *outcome = require_status(conform("./nowhere", "60"), 2, __FILE__, __LINE__);
    assert_string_equal(outcome->err, "error: there is no program `./nowhere` to be asked: name its file, or one that is on PATH\n");
}
