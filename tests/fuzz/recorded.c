/* recorded.json */
#include "data/result/recorded.h"
#include "target_json.h"

static bool rewrite(const void *data, size_t size, struct text *out)
{
    struct error err = {0};
    struct recorded recorded;
    struct arena *arena = target_arena();
    bool good = recorded_read(data, size, "recorded.json", arena, &recorded, &err);
    if (good)
        recorded_write(&recorded, out);
    arena_destroy(arena);
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return target_rewrite(rewrite, data, size);
}
