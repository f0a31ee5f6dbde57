#pragma once

#include "data/record/snapshot.h"

/*
 * Poses as other programs hand them over: with only what there is.
 *
 * A file of either format, "rigproof.pose/1" or "rigproof.pose-part/1", with any of nodes, palette and skin; of a node
 * any of parent, t, r, s, local and global. A matrix has 12 numbers (row-major 3x4) or 16; of those `matrices` says the
 * storage, else it is the one that gives every last row as 0 0 0 1. Of skinned meshes positions are enough. What is not
 * given is marked in `left_out`, `components_left_out`, `parent_left_out`, `lacks_clip`, `lacks_time`, and by NULL:
 * model, space, an entry's mesh. NULL with err set: the file and the place.
 */
struct pose_snapshot *pose_part_read(const void *data, size_t size, const char *name, struct arena *arena,
                                     struct error *err);

/*
 * Raw palettes: float32, little-endian, and nothing else: no header, no names.
 */
enum raw_layout {
    RAW_COLUMNS, /* 16 numbers a matrix, column by column: glm, cglm, glTF, a GLSL mat4 */
    RAW_ROWS,    /* 16, row by row: aiMatrix4x4, XMFLOAT4X4 of column vectors */
    RAW_ROWS3X4, /* 12, the upper three rows */
    RAW_LAYOUTS
};
extern const char *const raw_layout_names[RAW_LAYOUTS]; /* "columns", "rows", "rows3x4" */

enum { RAW_MOST_MATRICES = 1 << 16 };

/* How many matrices of that layout the bytes are; 0: they are none. */
uint32_t raw_palette_count(size_t size, enum raw_layout layout);

/* [count] matrices. What stands where the last row should be 0 0 0 1 is kept: a matrix that is transposed can be
 * told by it. */
void raw_palette_take(const unsigned char *bytes, uint32_t count, enum raw_layout layout, mat4 *out);

/* Names, a line each, "\r" before the end of a line and empty lines at the end ignored. NULL with err set. */
const char **raw_names_read(const void *data, size_t size, const char *name, struct arena *arena, uint32_t *count,
                            struct error *err);
