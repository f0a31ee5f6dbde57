#pragma once

/*
 * This is the one list of what a comparison can find. A row has the name in C, the code in results.json, the stage, the
 * kind where that is no difference, and what docs/formats.md says of it. Findings of one subject are said in this
 * order.
 */

enum finding_kind {
    FINDING_DIFFERENCE,
    FINDING_REPAIR,       /* only one side's import needed it: benign, and a reason of what differs */
    FINDING_VACUITY,      /* the case tests nothing: a blank frame, a clip that does not move */
    FINDING_NOT_COMPARED, /* one side alone has a part of a stage: benign */
    FINDING_CONVENTION,   /* it says how a subject's numbers were understood: benign */
    FINDING_KIND_COUNT
};

// clang-format off
#define FINDING_CODES(ROW, OTHER) \
    ROW(UP_AXIS, "up-axis", IMPORT, "the up axis is another") \
    ROW(UNIT, "unit", IMPORT, "the length of a unit is another") \
    ROW(GONE, "gone", IMPORT, "a node, mesh, material, texture, clip or camera is gone") \
    ROW(NEW, "new", IMPORT, "a node, mesh, material, texture, clip or camera is new") \
    ROW(RENAMED, "renamed", IMPORT, "something has another name and is otherwise the same") \
    ROW(NODE_PARENT, "node-parent", IMPORT, "a node is under another node") \
    ROW(NODE_PATTERN, "node-mistaken", IMPORT, "a node's rest transform is wrong in a known way") \
    ROW(NODE_LONGER, "node-longer", IMPORT, "translations of nodes are longer by one factor: another unit") \
    ROW(NODE_LOCAL, "node-transform", IMPORT, "a node's rest transform differs") \
    ROW(NODE_BONE, "node-bone", IMPORT, "of several nodes of one name another one is the bone") \
    ROW(CLIP_SPEED, "clip-speed", IMPORT, "a clip plays faster or slower") \
    ROW(CLIP_CUT, "clip-cut", IMPORT, "a clip ends earlier and has fewer keys") \
    ROW(CLIP_LENGTH, "clip-length", IMPORT, "a clip lasts longer or shorter") \
    ROW(CLIPS_LENGTH, "clips-length", IMPORT, "all clips are longer or shorter by one factor") \
    ROW(CLIP_TIMES, "clip-times", IMPORT, "all keys of a clip come earlier or later by one factor") \
    ROW(CLIP_TICKS, "clip-ticks", IMPORT, "a clip has other ticks per second") \
    ROW(CHANNEL_GONE, "channel-gone", IMPORT, "a channel is gone") \
    ROW(CHANNEL_NEW, "channel-new", IMPORT, "a channel is new") \
    ROW(MORPH_GONE, "morph-channel-gone", IMPORT, "a node's morph weights are gone from a clip") \
    ROW(MORPH_NEW, "morph-channel-new", IMPORT, "a node's morph weights are new in a clip") \
    ROW(CHANNEL_UNMATCHED, "channel-unmatched", IMPORT, "a channel finds its node on one side only") \
    ROW(MORPH_TARGETS, "morph-channel-targets", IMPORT, "a clip has weights of more or fewer morph targets") \
    ROW(KEYS_LOST, "keys-lost", IMPORT, "a component of a channel lost its keys") \
    ROW(KEYS_GAINED, "keys-gained", IMPORT, "a component of a channel gained keys") \
    ROW(KEYS_INTERPOLATION, "keys-interpolation", IMPORT, "keys are interpolated in another way") \
    ROW(KEYS_COUNTS, "keys-count", IMPORT, "keys came, went or moved in time") \
    ROW(KEYS_CHANGED, "keys-changed", IMPORT, "single keys have other values") \
    ROW(KEYS_VALUES, "keys-values", IMPORT, "the values of keys differ as a whole") \
    ROW(CHANNEL_REPAIR, "channel-repair", IMPORT, "a repair put a channel there on one side only") \
    ROW(MESH_COUNTS, "mesh-counts", IMPORT, "a mesh has more or fewer vertices or triangles") \
    ROW(MESH_UVS, "mesh-uvs", IMPORT, "one side alone has texture coordinates") \
    ROW(MESH_TARGETS, "mesh-targets", IMPORT, "a mesh has more or fewer morph targets") \
    ROW(MESH_MATERIAL, "mesh-material", IMPORT, "a mesh has another material") \
    ROW(MESH_NODES, "mesh-nodes", IMPORT, "a mesh hangs on other nodes") \
    ROW(MESH_PLACED, "mesh-placed", IMPORT, "a mesh is larger, turned or moved as a whole") \
    ROW(MESH_BOUNDS, "mesh-bounds", IMPORT, "the bounds of a mesh differ") \
    ROW(BONES_ALL, "mesh-skinned", IMPORT, "a mesh has bones on one side only") \
    ROW(BONE_GONE, "bone-gone", IMPORT, "a mesh no longer binds a bone") \
    ROW(BONE_EMPTY, "bone-empty", IMPORT, "a bone lost all its vertices") \
    ROW(BONE_FILLED, "bone-filled", IMPORT, "a bone holds vertices that held none") \
    ROW(MESH_INFLUENCES, "mesh-influences", IMPORT, "vertices have more or fewer influences, or lost their weights") \
    ROW(BONE_NEW, "bone-new", IMPORT, "a mesh binds a new bone") \
    ROW(BONES_OFFSETS, "bone-offsets", IMPORT, "one mistake changed offset matrices of several bones") \
    ROW(BONE_OFFSET, "bone-offset", IMPORT, "a bone's offset matrix is another") \
    ROW(BONE_EXCHANGED, "bone-exchanged", IMPORT, "a bone holds another one's vertices") \
    ROW(BONE_WEIGHTS, "bone-weights", IMPORT, "a bone holds other vertices, or with other weights") \
    ROW(BONE_STANDS_IN, "bone-stands-in", IMPORT, "a bone holds vertices without weights on one side only") \
    ROW(BONES_ORDER, "bones-order", IMPORT, "the bones of a mesh come in another order") \
    ROW(MESH_VERTICES, "mesh-vertices", IMPORT, "vertices moved within their bounds") \
    ROW(MESH_FACES, "mesh-faces", IMPORT, "triangles join other vertices, or are wound the other way") \
    ROW(MESH_NORMALS, "mesh-normals", IMPORT, "normals differ") \
    ROW(MESH_UV_VALUES, "mesh-uv-values", IMPORT, "texture coordinates differ") \
    ROW(MESH_COLORS, "mesh-colors", IMPORT, "vertex colours differ") \
    ROW(MESH_TANGENTS, "mesh-tangents", IMPORT, "tangents differ") \
    ROW(MESH_HAS_COLORS, "mesh-has-colors", IMPORT, "one side alone has vertex colours") \
    ROW(TARGET_NAME, "target-name", IMPORT, "a morph target has another name") \
    ROW(TARGET_MOVED, "target-moved", IMPORT, "a morph target moves more or fewer vertices") \
    ROW(TARGET_DELTAS, "target-deltas", IMPORT, "a morph target moves vertices elsewhere") \
    ROW(TARGET_NORMALS, "target-normals", IMPORT, "a morph target changes normals otherwise") \
    ROW(TARGET_WEIGHT, "target-weight", IMPORT, "a morph target rests at another weight") \
    ROW(MATERIAL_COLOR, "material-color", IMPORT, "a base colour is another") \
    ROW(MATERIAL_TEXTURE, "material-texture", IMPORT, "a base texture is another") \
    ROW(MATERIAL_WRAP, "material-wrap", IMPORT, "a base texture is wrapped in another way") \
    ROW(MATERIAL_ALPHA, "material-alpha", IMPORT, "alpha counts in another way") \
    ROW(MATERIAL_SIDES, "material-sides", IMPORT, "a material is two-sided on one side only") \
    ROW(MATERIAL_UNLIT, "material-unlit", IMPORT, "a material is unlit on one side only") \
    ROW(MAP_GONE, "map-gone", IMPORT, "a material lost a map") \
    ROW(MAP_NEW, "map-new", IMPORT, "a material has a new map") \
    ROW(MAP_TEXTURE, "map-texture", IMPORT, "a map has another texture, or wraps it in another way") \
    ROW(MAP_CHANGED, "map-changed", IMPORT, "a map has another strength, place or filter") \
    ROW(MATERIAL_FACTOR, "material-factor", IMPORT, "a factor of a material is another") \
    ROW(TEXTURE_MISSING, "texture-missing", IMPORT, "a texture can be read on one side only") \
    ROW(TEXTURE_SIZE, "texture-size", IMPORT, "a texture has another size") \
    ROW(TEXTURE_PICTURE, "texture-picture", IMPORT, "a texture shows another picture") \
    ROW(CAMERA_CHANGE, "camera", IMPORT, "a camera of the file is another") \
    OTHER(REPAIR_GONE, "repair-gone", IMPORT, REPAIR, "a repair is no longer needed") \
    OTHER(REPAIR_NEW, "repair-new", IMPORT, REPAIR, "a repair is needed now") \
    ROW(WARNING_GONE, "warning-gone", IMPORT, "a warning of the import is gone") \
    ROW(WARNING_NEW, "warning-new", IMPORT, "a warning of the import is new") \
    OTHER(WARNING_LFS, "warning-lfs", IMPORT, REPAIR, "a file is a Git LFS pointer now") \
    ROW(NOTE_TEXT, "note-text", IMPORT, "a repair or a warning says something else") \
    ROW(ORDER, "order", IMPORT, "things of the import come in another order") \
    ROW(FIRST_CLIP, "first-clip", IMPORT, "another clip is the first") \
    ROW(STOPPED, "stopped", IMPORT, "the import ended with an error") \
    ROW(IMPORT_MEASURED, "import-measured", IMPORT, "the import fails under a tighter tolerance") \
    OTHER(UNSKINNED, "unskinned", IMPORT, VACUITY, "no bone holds a vertex") \
    ROW(POSE_CLIP, "pose-clip", ANIMATE, "the pose is of another clip") \
    ROW(POSE_TIME, "pose-time", ANIMATE, "the pose is of another time") \
    ROW(POSE_NODE, "pose-node", ANIMATE, "one side alone has a node") \
    ROW(POSE_PARENT, "pose-parent", ANIMATE, "a node is under another node in the pose") \
    ROW(POSE_MORPH, "pose-morph", ANIMATE, "one side alone has a mesh's morph weights") \
    ROW(MORPH_COUNT, "morph-count", ANIMATE, "a mesh has more or fewer morph weights") \
    ROW(LOCAL, "local", ANIMATE, "a node's local transform differs") \
    ROW(MORPH_WEIGHT, "morph-weight", ANIMATE, "a morph weight differs") \
    ROW(LOCAL_SUM, "local-sum", ANIMATE, "local transforms within the tolerance add up to more") \
    ROW(LOCAL_MEASURED, "local-measured", ANIMATE, "local transforms fail under a tighter tolerance") \
    ROW(TIMES_MOVED, "times-moved", ANIMATE, "the settings would choose other times now") \
    ROW(TIMES_OUTSIDE, "times-outside", ANIMATE, "times are beyond the end of the clip") \
    OTHER(LOCALS_STILL, "locals-still", ANIMATE, VACUITY, "no local transform moves") \
    OTHER(PART_NOT_COMPARED, "part-not-compared", ANIMATE, NOT_COMPARED, "one side alone has a part of the pose") \
    OTHER(CONVENTIONS, "conventions", ANIMATE, CONVENTION, "a subject's numbers are in these conventions") \
    ROW(PALETTE_SPACE, "palette-space", PALETTE, "the palettes are in different spaces") \
    ROW(POSE_ENTRY, "pose-entry", PALETTE, "one side alone has a palette entry") \
    ROW(MESH_TAKEN, "mesh-taken", PALETTE, "a mesh is taken for a part of another") \
    ROW(GLOBAL, "global", PALETTE, "a node's global matrix differs") \
    ROW(GLOBAL_BROKEN, "global-broken", PALETTE, "a global matrix is not the parent's times the local transform") \
    ROW(ENTRY, "entry", PALETTE, "a palette entry differs") \
    ROW(ENTRY_FOLLOWS, "entry-follows", PALETTE, "palette entries differ as their parents make them") \
    ROW(MATRICES_MEASURED, "matrices-measured", PALETTE, "matrices fail under a tighter tolerance") \
    OTHER(GLOBALS_STILL, "globals-still", PALETTE, VACUITY, "local transforms move and nothing else does") \
    ROW(SKIN_MESH, "skin-mesh", SKIN, "one side alone has a skinned mesh") \
    OTHER(SKIN_PARTS, "skin-parts", SKIN, NOT_COMPARED, "a skinned mesh is in parts on one side") \
    OTHER(SKIN_ORDER, "skin-order", SKIN, NOT_COMPARED, "the vertices come in another order") \
    OTHER(SKIN_POSITIONS, "skin-positions", SKIN, NOT_COMPARED, "one side alone has the vertices of a skinned mesh") \
    ROW(SKIN_COUNT, "skin-count", SKIN, "a skinned mesh has more or fewer vertices") \
    ROW(SKIN_BOX, "skin-box", SKIN, "the box or the centroid of a skinned mesh differs") \
    ROW(SKIN_VERTEX, "skin-vertex", SKIN, "skinned vertices are elsewhere") \
    ROW(SKIN_NORMAL, "skin-normal", SKIN, "skinned normals point elsewhere") \
    ROW(SKIN_MEASURED, "skin-measured", SKIN, "skinned vertices fail under a tighter tolerance") \
    ROW(GPU_COUNT, "gpu-count", SKIN, "the GPU gives more or fewer vertices than the CPU") \
    ROW(GPU_NO_NUMBER, "gpu-no-number", SKIN, "positions on the GPU or the CPU are no numbers") \
    ROW(GPU_POSITION, "gpu-position", SKIN, "the GPU puts vertices elsewhere than the CPU") \
    ROW(GPU_LENGTH, "gpu-length", SKIN, "the GPU gives normals or tangents that are no unit vectors") \
    ROW(GPU_DIRECTION, "gpu-direction", SKIN, "the GPU turns normals or tangents otherwise than the CPU") \
    ROW(GPU_BITANGENT, "gpu-bitangent", SKIN, "the GPU gives tangents another sign than the CPU") \
    ROW(POINTS_LOST, "points-lost", SKIN, "skinned points are no numbers") \
    ROW(POINTS_MISSING, "points-missing", SKIN, "one side alone has skinned points") \
    ROW(POINTS_PLACED, "points-placed", SKIN, "all skinned points are larger, turned or moved as a whole") \
    ROW(POINTS, "points", SKIN, "skinned points are not those of the other case") \
    ROW(FRAME, "frame", DRAW, "a picture differs") \
    ROW(FRAME_SIZE, "frame-size", DRAW, "a picture has another size") \
    ROW(FRAMING, "framing", DRAW, "another camera would be chosen") \
    ROW(NEARLY_BLANK, "nearly-blank", DRAW, "next to nothing is drawn") \
    OTHER(BLANK, "blank", DRAW, VACUITY, "nothing is drawn") \
    ROW(DRAW_MEASURED, "draw-measured", DRAW, "pictures or the framing fail under a tighter tolerance")

enum finding_code {
#define FINDING_NAME(name, ...) CODE_##name,
    FINDING_CODES(FINDING_NAME, FINDING_NAME)
#undef FINDING_NAME
    FINDING_CODE_COUNT
};
// clang-format on

/* A mistake that has a name: of a matrix, of a quaternion, of a translation, of a palette. */
enum finding_why {
    WHY_NONE, WHY_IDENTITY, WHY_TRANSPOSED, WHY_INVERSE, WHY_UNMOVED, WHY_BY_COLUMNS,
    WHY_ROTATION_INVERTED, WHY_W_FIRST, WHY_W_LAST, WHY_LONGER, WHY_OTHER_BONE, FINDING_WHY_COUNT
};
extern const char *const finding_why_words[FINDING_WHY_COUNT]; /* "none", "identity" ... "other-bone" */

/* "is transposed", "are transposed": the predicate for a matrix and for several, up to WHY_BY_COLUMNS. */
extern const char *const finding_why_says[WHY_BY_COLUMNS + 1][2];

extern const char *const finding_code_ids[FINDING_CODE_COUNT];
extern const char *const finding_kind_words[FINDING_KIND_COUNT]; /* "difference", "repair" ... */

enum finding_kind finding_code_kind(enum finding_code code);
