/* Poses as other programs hand them over: read, filled in and completed, also by one another; and held against a model. */
#include "compare/compare.h"
#include "subject/subject_pose.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char whole[] = "{\"format\": \"rigproof.pose/1\", \"model\": \"m\", \"clip\": null, \"time\": 0, \"space\": \"scene\","
                                "\"nodes\": [{\"name\": \"a\", \"parent\": null, \"t\": [0, 0, 1], \"r\": [0, 0, 0, 1], \"s\": [1, 1, 1],"
                                "\"global\": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1]}],"
                                "\"palette\": [{\"mesh\": \"m\", \"bone\": \"a\", \"matrix\": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]},"
                                "{\"mesh\": \"n\", \"bone\": \"a\", \"matrix\": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]}], \"skin\": []}";
    const struct subject_spec spec = {.name = "file", .is_file = true};
    struct error err = {0};
    struct arena *arena = target_arena();
    struct subject subject = {.spec = &spec};
    struct subject_solution solution = {0};
    struct subject_answer answer;
    struct resolved out;
    struct made made;
    const struct pose_snapshot *other = subject_read_pose(whole, sizeof whole - 1, "whole.json", arena, &err);
    const struct pose_snapshot *pose = subject_read_pose(data, size, "theirs.json", arena, &err);
    if (pose) {
        const struct pose_snapshot *sides[2] = {pose_fill(pose, other, arena), pose_fill(other, pose, arena)};
        pose_restrict(pose_complete(sides[0], other, arena), other, arena);
        pose_restrict(pose_complete(sides[1], sides[0], arena), sides[0], arena);
    }
    made_pose(&made, 0);
    err = (struct error){0};
    if (subject_read_file(data, size, "file.json", arena, &answer, &err))
        subject_resolve(&subject, &answer, &made.pose, &made.import, &solution, arena, &out, &err);
    const struct blob blob = {(unsigned char *)data, size};
    const struct raw_file lists[] = {{blob, blob, "raw", "bones", STORAGE_UNKNOWN}, {blob, {NULL, 0}, "raw", NULL, STORAGE_ROWS}};
    for (int i = 0; i < 2; i++) {
        err = (struct error){0};
        if (subject_read_raw(&lists[i], arena, &answer, &err))
            subject_resolve(&subject, &answer, &made.pose, &made.import, &solution, arena, &out, &err);
    }
    struct blob lines = {memory_new(size + 1, 1), size};
    memcpy(lines.data, data, size);
    err = (struct error){0};
    if (subject_read_obj(&lines, "posed.obj", arena, &answer, &err))
        subject_resolve(&subject, &answer, &made.pose, &made.import, &solution, arena, &out, &err);
    blob_release(&lines);
    arena_destroy(arena);
    return 0;
}
