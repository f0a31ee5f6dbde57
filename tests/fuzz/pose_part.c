/* Poses as other programs hand them over: read, filled in and completed, also by one another; and lists of bones' names. */
#include "compare/compare.h"
#include "data/record/pose_part.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char whole[] = "{\"format\": \"rigproof.pose/1\", \"model\": \"m\", \"clip\": null, \"time\": 0, \"space\": \"scene\","
                                "\"nodes\": [{\"name\": \"a\", \"parent\": null, \"t\": [0, 0, 1], \"r\": [0, 0, 0, 1], \"s\": [1, 1, 1],"
                                "\"global\": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1]}],"
                                "\"palette\": [{\"mesh\": \"m\", \"bone\": \"a\", \"matrix\": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]},"
                                "{\"mesh\": \"n\", \"bone\": \"a\", \"matrix\": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]}], \"skin\": []}";
    struct error err = {0}, ignored = {0};
    struct arena *arena = target_arena();
    uint32_t count;
    const struct pose_snapshot *other = pose_part_read(whole, sizeof whole - 1, "whole.json", arena, &err);
    const struct pose_snapshot *pose = pose_part_read(data, size, "theirs.json", arena, &err);
    if (pose) {
        const struct pose_snapshot *sides[2] = {pose_fill(pose, other, arena), pose_fill(other, pose, arena)};
        pose_restrict(pose_complete(sides[0], other, arena), other, arena);
        pose_restrict(pose_complete(sides[1], sides[0], arena), sides[0], arena);
    }
    raw_names_read(data, size, "bones.txt", arena, &count, &ignored);
    arena_destroy(arena);
    return 0;
}
