"""Deviations that a reader of Assimp's scene cannot repair: the importer has thrown away what it would need.

Each row: (part of the model's path, quantities, fault, the most it may deviate relative to the extent, why). A quantity
answers for its "between ..." twin too. The limits are what Assimp 5.2.5 gives, rounded up: a deviation that grows is a
failure again. They hold for the times that the sweep takes. Rows of LATER count from Assimp 5.4 on.
"""
ALL_AT_ONCE = "the evaluator plays all animations at once, the file's clips play a part of them each"
DUAL = "dual-quaternion skinning is handed over as linear"
FULL_WEIGHTS = "weights of a blend shape that differ from vertex to vertex are ignored"
INFINITE = float("inf")

# Set from what the program says of itself.
assimp_version = (5, 2, 4)

KNOWN = [
    # COLLADA
    ("anims_with_full_rotations_between_keys.DAE", "nodes palette vertices", "float32", 1.5e-4,
     "keys of angles up to 1440 degrees are right to 1e-4 degrees; a chain of 64 nodes adds that up"),
    ("library_animation_clips.dae", "nodes palette vertices", "oracle", 2.1, ALL_AT_ONCE),
    # FBX: what is ignored
    ("max_transformed_skin_", "obj", "F8", 1e-4, "3ds Max's own export is 0.01 units off the file"),
    ("maya_dq_weights_", "vertices", "F11", 0.04, DUAL),
    ("maya_dq_weights_", "obj", "F11", 0.2, DUAL),
    ("maya_dual_quaternion_7500_ascii.fbx", "vertices", "F11", 0.2, DUAL),
    # FBX: blend shapes
    ("blender440_shape_weight_anim", "morphed obj", "F13", 0.6, FULL_WEIGHTS),
]

LATER = [
    ("library_animation_clips.dae", "nodes palette vertices", "C2", INFINITE, "two clips from 5.4 on; the evaluator plays all as one"),
]


def known(result):
    """(fault, why) when the deviation is one of the table and no larger than it says, else None."""
    name = result.quantity
    names = {name} if " between " not in name else {name.split()[0], name.split()[0] + "-between"}
    for part, quantities, fault, most, why in KNOWN + (LATER if assimp_version >= (5, 4) else []):
        if part in result.model and names & set(quantities.split()) and result.value <= most:
            return fault, why
    return None
