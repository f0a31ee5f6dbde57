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

static void a_program_that_dies_has_no_answer(void **state)
{
    write_program("dies", "os.abort()");
    assert_contains(require_status(conform("./dies", "60"), 1, __FILE__, __LINE__)->out, "0 of 2 right, 2 without an answer");
}

static void a_program_that_hangs_has_no_answer(void **state)
{
    write_program("hangs", "time.sleep(60)");
    assert_contains(require_status(conform("./hangs", "2"), 1, __FILE__, __LINE__)->out, "0 of 2 right, 2 without an answer");
}

static void nonsense_is_no_answer(void **state)
{
    write_program("nonsense", "print('Loading...'); answer = [1]");
    assert_contains(require_status(conform("./nonsense", "60"), 1, __FILE__, __LINE__)->out, "0 of 2 right, 2 without an answer");
}

static void a_flood_is_no_answer(void **state)
{
    write_program("flood", "[sys.stdout.write('x' * 1000000) for _ in range(80)]");
    assert_contains(require_status(conform("./flood", "60"), 1, __FILE__, __LINE__)->out, "0 of 2 right, 2 without an answer");
}

static void other_answers_to_the_same_are_named(void **state)
{
    write_program("dice", "pass");
    const struct outcome *outcome = require_status(conform("./dice", "60"), 1, __FILE__, __LINE__);
    assert_contains(outcome->out, "fail             nodes-trs  bad: not deterministic: it answers differently");
    assert_contains(outcome->out, "0 of 2 right, 2 wrong\n");
    assert_null(strstr(outcome->out, "nothing explains it"));
}

/* It may be known, as any other failure. */
static void a_known_death_fails_nothing(void **state)
{
    write_program("dies", "os.abort()");
    spill("known.txt", "nodes-trs\n");
    const struct outcome *known = rigproof_good("conform", "./dies", "--rule", "nodes-trs", "--answer-timeout", "60", "--expect",
                                                "known.txt", "-o", "out");
    assert_contains(known->out, "0 of 1 right, 1 wrong, all known\nscorecard");
}

/* The line says by how much of what the rest is off, as no cause does. */
static void what_nothing_explains_is_told_as_it_is_seen(void **state)
{
    write_program("stuck", "answer['nodes'][0].update(t=[1, 0, 0], **{'global': [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0]})");
    assert_contains(require_status(conform("./stuck", "60"), 1, __FILE__, __LINE__)->out,
                    "nodes-trs  animate, no cause explains it: local transform of `base` is off by");
}

static void a_program_that_is_not_there_is_said_once(void **state)
{
    const struct outcome *outcome = require_status(conform("./nowhere", "60"), 2, __FILE__, __LINE__);
    assert_string_equal(outcome->err, "error: there is no program `./nowhere` to be asked: name its file, or one that is on PATH\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(a_program_that_dies_has_no_answer),
        scratch_test(a_program_that_hangs_has_no_answer),
        scratch_test(nonsense_is_no_answer),
        scratch_test(a_flood_is_no_answer),
        scratch_test(other_answers_to_the_same_are_named),
        scratch_test(a_known_death_fails_nothing),
        scratch_test(what_nothing_explains_is_told_as_it_is_seen),
        scratch_test(a_program_that_is_not_there_is_said_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
