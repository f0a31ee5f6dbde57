/* pose.json */
#include "data/evidence.h"
#include "target_json.h"

static bool rewrite(const void *data, size_t size, struct text *out)
{
    struct error err = {0};
    struct arena *arena = target_arena();
    struct pose_evidence *evidence = pose_evidence_read(data, size, "pose.json", arena, &err);
    if (evidence) {
        pose_evidence_radius(evidence);
        pose_evidence_write(evidence, out);
    }
    arena_destroy(arena);
    return evidence != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return target_rewrite(rewrite, data, size);
}
