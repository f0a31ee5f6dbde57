/* pose.json */
#include "data/record/snapshot.h"
#include "target_json.h"

static bool rewrite(const void *data, size_t size, struct text *out)
{
    struct error err = {0};
    struct arena *arena = target_arena();
    struct pose_snapshot *snapshot = pose_snapshot_read(data, size, "pose.json", arena, &err);
    if (snapshot) {
        pose_snapshot_radius(snapshot);
        pose_snapshot_write(snapshot, out);
    }
    arena_destroy(arena);
    return snapshot != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return target_rewrite(rewrite, data, size);
}
