/* How many requests a second a subject gets that answers at once: this program itself, by rigproof_subject.h. */

#include "requests.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/process/process.h"
#include "subject/subject.h"

#define RIGPROOF_SUBJECT_IMPLEMENTATION
#include "rigproof_subject.h"

enum { BONES = 100, LEAST = 200 };

static bool answer_at_once(void *user, const struct rigproof_request *request, struct rigproof_answer *answer)
{
    static const float matrix[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1};
    char name[16], parent[16] = "";
    (void)user;
    (void)request;
    for (int i = 0; i < BONES; i++) {
        snprintf(name, sizeof name, "bone_%d", i);
        rigproof_node(answer, name, i > 0 ? parent : NULL, NULL, NULL, NULL, matrix, matrix);
        rigproof_palette(answer, "body", name, matrix);
        memcpy(parent, name, sizeof parent);
    }
    return true;
}

int requests_answer(int argc, char **argv)
{
    struct rigproof_subject subject = rigproof_subject_named("bench");
    subject.pose = answer_at_once;
    return rigproof_subject_main(argc, argv, &subject);
}

bool requests_measure(const char *self)
{
    const char *const command[] = {self, "--rigproof", NULL};
    const struct subject_spec spec = {.name = "bench", .command = command};
    struct subject_request request = {.model = self, .wrap = "loop", .wants = SUBJECT_NODES | SUBJECT_PALETTE};
    struct subject *subject = subject_create(&spec);
    struct error err = {0};
    struct subject_answer answer;
    unsigned long count = 0;
    bool good = subject_greet(subject, &err);
    const double begin = clock_seconds();
    while (good && clock_seconds() < begin + 1) {
        struct arena *arena = arena_require((size_t)1 << 28);
        good = subject_ask(subject, &request, arena, &answer, &err);
        arena_destroy(arena);
        count++;
    }
    const double rate = (double)count / (clock_seconds() - begin);
    subject_destroy(subject);
    if (!good)
        fprintf(stderr, "bench: %s\n", err.text);
    else
        printf("a subject that answers at once, nodes and palette of %d bones: %.0f requests a second (at least %d)\n",
               BONES, rate, LEAST);
    return good && rate >= LEAST;
}
