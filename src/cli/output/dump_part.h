#ifndef RIGPROOF_CLI_DUMP_PART_H
#define RIGPROOF_CLI_DUMP_PART_H

#include "cli/options.h"
#include "cli/output/dump_format.h"

/* What of the poses is to be dumped, as the command line says it. */
struct dump_choice {
    struct option_list stages; /* "local", "global,palette" */
    struct option_list bones;  /* globs */
    bool velocities;
    bool vertices;
};

/*
 * What the choice means in that format; without the nodes and the velocities, which need a model. False with err set for
 * a stage that does not exist and for what cannot go together.
 */
bool dump_part_parse(const struct dump_choice *choice, const struct dump_format *format, struct pose_part *out,
                     struct error *err);

/*
 * Marks the nodes whose names one of the globs matches: malloc'd [node_count], the caller's; `*out` stays NULL without
 * globs. False with err set when a glob matches none.
 */
bool dump_part_nodes(const struct option_list *globs, const struct scene *scene, bool **out, struct error *err);

#endif
