/* Programs that behave badly cost their rigs and nothing else. */

#include "run_binary.h"

/* A program in Python that greets and then does `body` for each request, whose number of requests so far is n. */
static void write_program(const char *path, const char *body)
{
    const char *text = at("#!/usr/bin/env python3\n"
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

/* What nothing explains is told by how much of what the rest is off, as no cause does. */
SCRATCH_TEST(bad_answers_are_told)
{
    static const char *const rows[][4] = {
        {"./dies", "60", "os.abort()", "0 of 2 right, 2 without an answer"},
        {"./hangs", "2", "time.sleep(60)", "0 of 2 right, 2 without an answer"},
        {"./nonsense", "60", "print('Loading...'); answer = [1]", "0 of 2 right, 2 without an answer"},
        {"./flood", "60", "[sys.stdout.write('x' * 1000000) for _ in range(80)]", "0 of 2 right, 2 without an answer"},
        {"./stuck", "60", "answer['nodes'][0].update(t=[1, 0, 0], **{'global': [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0]})",
         "nodes-trs  animate, no cause explains it: local transform of `base` is off by"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_program(rows[i][0], rows[i][2]);
        assert_contains(run_gives(1, conform(rows[i][0], rows[i][1]))->out, rows[i][3]);
    }
}

SCRATCH_TEST(other_answers_to_the_same_are_named)
{
    write_program("dice", "pass");
    const struct outcome *outcome = run_gives(1, conform("./dice", "60"));
    assert_contains(outcome->out, "fail             nodes-trs  bad: not deterministic: it answers differently");
    assert_contains(outcome->out, "0 of 2 right, 2 wrong\n");
    assert_null(strstr(outcome->out, "nothing explains it"));
}

/* It may be known, as any other failure. */
SCRATCH_TEST(a_known_death_fails_nothing)
{
    write_program("dies", "os.abort()");
    spill("known.txt", "nodes-trs\n");
    const struct outcome *known = rigproof_good("conform", "./dies", "--rule", "nodes-trs", "--answer-timeout", "60", "--expect",
                                                "known.txt", "-o", "out");
    assert_contains(known->out, "0 of 1 right, 1 wrong, all known\nscorecard");
}

SCRATCH_TEST(a_program_that_is_not_there_is_said_once)
{
    const struct outcome *outcome = run_gives(2, conform("./nowhere", "60"));
    assert_string_equal(outcome->err, "error: there is no program `./nowhere` to be asked: name its file, or one that is on PATH\n");
}
