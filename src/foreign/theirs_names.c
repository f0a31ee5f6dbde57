/* Other programs call bones as they like: three.js drops dots, exporters put a namespace before. */
#include "base/log.h"
#include "subject/resolve.h"
#include "foreign/foreign_files.h"

void foreign_match_names(const struct foreign *theirs, const char **names, uint32_t count)
{
    const struct pose_snapshot *reference = theirs->reference;
    const char **ours = ARENA_NEW(theirs->arena, const char *, reference->node_count);
    struct text how = {0};
    for (uint32_t i = 0; i < reference->node_count; i++)
        ours[i] = reference->nodes[i].name;
    subject_rename(ours, reference->node_count, names, count, NULL, theirs->arena, &how);
    if (how.size > 0)
        log_note("%s: %s", theirs->source->bones ? theirs->source->bones : theirs->name, text_string(&how));
    text_release(&how);
}

void foreign_match_pose(const struct foreign *theirs, const struct pose_snapshot *pose)
{
    const uint32_t nodes = pose->node_count, count = 2 * nodes + pose->palette_count;
    const char **names = ARENA_NEW(theirs->arena, const char *, count);
    for (uint32_t i = 0; i < nodes; i++) {
        names[i] = pose->nodes[i].name;
        names[nodes + i] = pose->nodes[i].parent;
    }
    for (uint32_t i = 0; i < pose->palette_count; i++)
        names[2 * nodes + i] = pose->palette[i].bone;
    foreign_match_names(theirs, names, count);
    for (uint32_t i = 0; i < nodes; i++) {
        pose->nodes[i].name = names[i];
        pose->nodes[i].parent = names[nodes + i];
    }
    for (uint32_t i = 0; i < pose->palette_count; i++)
        pose->palette[i].bone = names[2 * nodes + i];
}
