/* A suite file, whose models are all `m.glb`. */
#include "suite/suite_file.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {0};
    struct text list = {0};
    target_file("m.glb", "", 0);
    target_file("suite.yaml", data, size);
    static const char *const none[] = {"\1"}; /* which imports no model */
    const struct selection nothing = {.filters = none, .filter_count = 1};
    struct suite *suite = suite_open("suite.yaml", &(struct suite_reading){.selection = &nothing}, &err);
    if (suite) {
        static const char *const filters[] = {"*", "!tag:slow"};
        const struct selection selection = {.filters = filters, .filter_count = 2, .shard = 1, .shard_count = 2};
        bool *chosen = ARENA_NEW(suite->arena, bool, suite->case_count);
        suite_select(suite, &selection, chosen, &err);
        suite_list(suite, chosen, &list);
    }
    suite_free(suite);
    text_release(&list);
    return 0;
}
