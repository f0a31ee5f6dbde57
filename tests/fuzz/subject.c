/* A program under test says this: a line of hello, and a line for each pose after it, understood with what hello
 * declares. */
#include "subject/subject_pose.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *end = memchr(data, '\n', size);
    const struct subject_spec spec = {.name = "subject"};
    struct subject subject = {.spec = &spec};
    struct subject_solution solution = {0};
    struct arena *arena = target_arena();
    struct error err = {0};
    struct text line = {0}, told = {0};
    text_add_bytes(&line, (const char *)data, end ? (size_t)(end - (const char *)data) : size);
    bool good = subject_read_hello(&line, "subject", arena, &subject.hello, &err);
    for (int time = 0; good && end; time++) {
        const char *begin = end + 1, *last = (const char *)data + size;
        struct subject_answer answer;
        struct resolved out;
        struct made made;
        bool refused;
        end = memchr(begin, '\n', (size_t)(last - begin));
        line.size = 0;
        text_add_bytes(&line, begin, (size_t)((end ? end : last) - begin));
        made_pose(&made, time);
        good = subject_read_answer(&line, "subject", 7, NULL, arena, &answer, &refused, &err) &&
               subject_resolve(&subject, &answer, &made.pose, &made.import, &solution, arena, &out, &err);
    }
    subject_describe_solution(&solution, &told);
    text_release(&line);
    text_release(&told);
    arena_destroy(arena);
    return 0;
}
