#ifndef RIGPROOF_IMPORT_GLTF_REPAIR_H
#define RIGPROOF_IMPORT_GLTF_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "data/scene/scene.h"
#include "import/gltf/gltf_file.h"
#include "import/gltf/gltf_map.h"
#include "import/import.h"

/* The glTF repairs behind gltf_fix(), one source each. */

struct gltf_repair {
    struct scene *scene;
    const struct aiScene *source; /* what the scene was converted from */
    struct gltf_file *file;
    const struct gltf_map *map; /* NULL when the scene's nodes are not the file's: nothing is found by index then */
    uint32_t repairs; /* enum repair */
    unsigned effects; /* enum flag_effect: what Assimp was asked to rearrange */
    struct error *err;
};

/*
 * Two faults that go with a repair of a wider name: the keys of channels that name no node are bound to a
 * node that happens to come first, and a component without keys is filled in from a decomposed matrix beside
 * one that is not, which mixes up a mirror.
 */
enum { GLTF_REPAIR_ORPHANS = REPAIR_NAME_CLASH, GLTF_REPAIR_RESTS = REPAIR_GLTF_INTERPOLATION };

/* The id of the warnings about what could not be read again. */
#define GLTF_UNREAD "gltf-unread"

/* gltf_clips.c: interpolation, integer keys, channels bound to the node the file means. Failures are
 * warnings. */
void gltf_fix_clips(const struct gltf_repair *repair);

/* gltf_joints.c: bones bound to the joint the file means. Failures are warnings. */
void gltf_fix_joints(const struct gltf_repair *repair);

/*
 * gltf_weights.c: weights stored as integers. What cannot be read again is a warning. False with repair->err
 * set when the file's weights are wrong themselves: a joint that the skin does not have, or a weight that is
 * not finite.
 */
bool gltf_fix_weights(const struct gltf_repair *repair);

/* gltf_rest.c: morph weights of nodes. What is no list of as many numbers as there are targets is ignored. */
void gltf_fix_rest(const struct gltf_repair *repair);

/* gltf_check.c: warnings about indices, joints and weights that Assimp leaves out in silence. Changes nothing. */
void gltf_check(const struct gltf_repair *repair);

/*
 * gltf_check.c: for a file that Assimp refused with `message`, or that turned out wrong: names in `err`, before what is
 * there, the encodings that extensionsRequired asks for and Assimp cannot read, and what decodes them. Nothing when there
 * are none. Draco counts only where the message says so: Assimp may be built with it.
 */
void gltf_explain_encoding(const char *path, const char *message, struct error *err);

#endif
