/* results.json, and every report of it. */
#include "data/result.h"
#include "target_json.h"

static bool rewrite(const void *data, size_t size, struct text *out)
{
    struct error err = {0};
    struct results *results = results_read(data, size, "results.json", &err);
    if (results)
        results_write(results, out);
    results_free(results);
    return results != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return target_rewrite(rewrite, data, size);
}
