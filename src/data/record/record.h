#pragma once

#include "base/text.h"
#include "data/scene/pose.h"
#include "data/scene/scene.h"

/* The file forms of what the stages produce, appended to a text. Deterministic: no clock, no paths but the model's base
 * name, floats as the shortest text that reads back. */

/* A pose at one time with what was computed from it. All pointers are borrowed. */
struct pose_record {
    const struct scene *scene;
    const char *clip; /* NULL: the rest pose */
    double time;      /* seconds, as asked for */
    enum palette_space space;
    const struct pose *pose;
    const struct palette *palette;
    const struct skinned *skinned; /* [scene->instance_count]; not looked at when `part` is without the stage skin */
    const struct pose_part *part;  /* NULL: what the form has by default */
};

/* pose.json, "rigproof.pose/1": a node, palette entry or mesh a line, by default all stages. A part that lacks nodes or
 * a stage of theirs is "rigproof.pose-part/1". */
void pose_write_json(const struct pose_record *record, struct text *out);

/* The same on one line. */
void pose_write_json_line(const struct pose_record *record, struct text *out);

/* A table for people: per node translation, Euler degrees and scale; per palette entry the same and the 3x4. By default
 * local and palette. */
void pose_write_text(const struct pose_record *record, struct text *out);

/* CSV: a row per node (stages local and global, with velocities), morph target (with local, unless only some nodes
 * are wanted) and palette entry, by default all. The stage skin has its own columns, a row per mesh or vertex, and
 * stands alone. The caller writes the header once. */
void pose_write_csv_header(const struct pose_part *part, struct text *out);
void pose_write_csv(const struct pose_record *record, struct text *out);

/* Wavefront OBJ of the posed mesh: v, vt, vn, f; one object per mesh instance, scene units and axes. */
void pose_write_obj(const struct pose_record *record, struct text *out);

/* import.json, "rigproof.import/1", also of `inspect --json`: what the importer produced, as statistics. */
void scene_write_json(const struct scene *scene, struct text *out);

/* The readable account that `inspect` prints. */
void scene_write_text(const struct scene *scene, struct text *out);

/* Euler angles in degrees of a quaternion, about fixed axes (R = Rz Ry Rx): x and z in (-180, 180], y in [-90, 90]. */
void euler_degrees(const vec4 rotation, vec3 out);

/* The first node, weight or palette entry that is not finite ("palette entry of bone `hips`, mesh `body`"); or NULL. */
const char *pose_find_not_finite(const struct pose_record *record, char buffer[static 256]);
