"""Disagreements that were traced: which engines, which stages and models, the cause, and who is right.

A row holds for a model where the first stage that differs is one of its stages and, with `end`, where it differs most at the
clip's end. The first row that holds counts. Causes have the names of `rigproof diagnose` where it has one.
"""
from collections import namedtuple

Row = namedtuple("Row", "engines stages models cause title text right end", defaults=(False,))

EVERY = ("*",)
UNNORMALISED = ("*SimpleSkin.gltf", "*simple_skin.gltf", "*simple_skin_step.gltf", "*AnimatedTriangle.gltf",
                "*Animation_SamplerType_01.gltf", "*Accessor_SparseType_03.gltf")
MANY_INFLUENCES = ("*quad_skin.glb", "*influences8.glb", "*RiggedFigure.dae", "*animation_with_skeleton.fbx", "crowd/*",
                   "*SimpleRig_cube.fbx", "*Simple_SI_Rigging_Done.fbx")
PIVOTS = ("*maya_child_pivots_*", "*maya_null_pivots_*", "*maya_pivot_offset_*", "*maya_split_pivot_*", "*maya_zero_scale_pivot_*")

KNOWN = [
    # rigproof, on account of Assimp
    Row("three babylon blender", "palette skin", ("*Animation_Skin_11.gltf", "*InfiniteSkinnedTentacle.glb"),
        "shared-skin", "One mesh on nodes with different skins",
        "glTF lets nodes share a mesh and give it a skin each. Assimp keeps the last skin and one of the nodes, "
        "so that rigproof shows one of 2 (or 84) instances; it warns of `shared-skin`. The instance that is left "
        "has the right palette.",
        "the engine. rigproof is wrong here, and says so"),
    Row("osg", "animate palette skin", ("*seymour.dae",), "cubic-as-linear",
        "BEZIER curves of COLLADA",
        "Assimp joins the keys of a COLLADA curve with straight lines, and rigproof plays them so; it warns of "
        "`dae-curves`. OpenSceneGraph follows the curve: it is 1e-7 of the extent from the evaluator on "
        "`seymour.dae`, where rigproof is 0.26 off.",
        "OpenSceneGraph. rigproof is wrong between keys, and says so"),
    Row("osg", "import animate palette skin", ("*astro_maya.dae", "*BoxAnimated.dae", "*CesiumMilkTruck.dae"), "cubic-as-linear",
        "BEZIER curves of COLLADA that OpenSceneGraph follows otherwise",
        "Both are off the evaluator, or it has no vertices of the model.", "undecided"),
    Row("osg", "animate palette skin", ("*RiggedSimple.dae", "*RiggedFigure.dae", "limb/*", "walker/*", "*pab/walk.dae", "*pab/skeleton.dae"),
        "matrix-by-numbers", "A matrix channel is interpolated number by number",
        "A COLLADA channel of 16 numbers has no rotation to interpolate, and the standard interpolates each "
        "number. OpenSceneGraph does, 4e-8 from an evaluator that does too; bones shrink between distant keys. "
        "Assimp, Blender and three.js take each key apart into translation, rotation and scale, as exporters mean"
        " it.",
        "OpenSceneGraph by the letter of COLLADA; rigproof by what exporters mean. At the keys both are the same"),
    # Rotations
    Row("three babylon filament", "animate palette skin", UNNORMALISED, "quaternion-not-normalised", "Quaternions are used as stored",
        "The file's rotations are rounded to three digits or to bytes, and are not of unit length: matrices made "
        "of them scale by 0.02 to 0.4 %.",
        "rigproof and the evaluator, who normalise; glTF demands unit quaternions, so the file is at fault"),
    Row("playcanvas", "palette", ("*robot.glb", "*Animation_Skin_11.gltf", "*Instancing_08.gltf", "*Instancing_09.gltf"), "offset-of-other-bone",
        "Skins and joints are told apart by names",
        "Bones are looked up by name below the root, where several nodes have one name the first; and two skins "
        "with joints of the same names count as one, so that both nodes of `Instancing_08` get the same palette. "
        "rigproof binds joints by index.",
        "rigproof and the evaluator; names need not be unique in glTF"),
    Row("playcanvas", "skin", ("*CesiumMan.glb", "*RiggedFigure.gltf"), "weights-not-rescaled", "Weights are not rescaled",
        "The weights of a vertex add up to as little as 0.18. rigproof divides by their sum and says so; "
        "PlayCanvas does not.",
        "undecided: such a file is invalid"),
    Row("playcanvas babylon three blender", "skin", MANY_INFLUENCES, "weights-first-four", "More than four influences",
        "The engine has four (Babylon.js eight) weights a vertex; rigproof was asked for all.", "rigproof and the evaluator"),
    Row("playcanvas", "animate", EVERY, "nlerp", "Rotations are interpolated by components",
        "`AnimCache` interpolates the four numbers and normalises, which leads or lags by up to 0.1 of a matrix "
        "element between distant keys (0.015 at a quarter of 90 degrees). glTF demands the spherical "
        "interpolation.",
        "rigproof and the evaluator"),
    Row("playcanvas", "skin", ("*Accessor_SparseType_0?.gltf", "*Animation_NodeMisc_04.gltf", "*Instancing_1?.gltf", "*BoxAnimated.glb",
                               "*gltf_simple_skin.gltf", "*InfiniteSkinnedTentacle.glb"), "nlerp", "Rotations are interpolated by components (nodes without names)",
        "As above; the nodes have no names to compare them by.", "rigproof and the evaluator"),
    Row("three blender", "animate", ("*anims_with_full_rotations_between_keys.DAE",), "long-way", "Turns of more than half between two keys",
        "COLLADA turns by angles, here by up to 1440 degrees from key to key. three.js and Blender make a "
        "rotation of each key and go the short way.",
        "rigproof and the evaluator"),
    Row("three", "animate palette skin", ("limb/limb.dae",), "channel-ends", "Channels of one node end at different times",
        "`knee` turns about y until 0.5 s and stays at -30 degrees; its channel about z lasts until 1.5 s. "
        "three.js fills in the missing keys of y and shows -7.5 degrees at the end.", "rigproof: COLLADA holds the last value"),
    Row("three osg", "import animate palette skin", ("*/teapots.DAE", "*/earthCylindrical.DAE"), "decimal-comma",
        "Numbers with a comma",
        "The file's exporter wrote `<unit meter=\"0,010000\"/>` and all other numbers in its country's way. "
        "three.js reads 0 and scales everything to nothing; OpenSceneGraph reads whole numbers; Assimp takes the "
        "comma for a point.", "rigproof by what is meant; the file is invalid"),
    Row("osg", "import", ("*/sphere.dae", "*/sphere_triangulate.dae"), "not-solvable", "A ball has no axes",
        "One node that holds a ball: the factor between the spaces cannot be solved. The vertices agree.", "both"),
    Row("osg", "import", ("*box_nested_animation.dae",), "axes", "The turn of the axes stands on another node",
        "Assimp puts it on the root node `Scene`, OpenSceneGraph on none. All nodes below agree.", "both"),
    Row("babylon", "skin", ("*Accessor_Sparse_02.gltf",), "import", "Sparse positions",
        "One mesh's positions are the other's with a sparse part of their own. Babylon.js is 0.1 off.", "rigproof and the evaluator"),
    Row("three", "skin", ("*IncorrectVertexArrays/Cube.gltf",), "invalid-file", "Arrays of vertices that do not fit each other",
        "The file's accessors are longer than its buffer; rigproof takes what is there.", "undecided: the file is invalid"),
    Row("three blender", "import", ("*max_transformed_skin_*",), "geometric-transform", "The geometric transform of a skinned mesh",
        "Assimp leaves it out of skinned meshes, three.js applies it differently.", "neither: a known deviation of scripts/sweep"),
    Row("blender", "animate skin", ("*Animation_Node_04.gltf", "*Animation_Node_05.gltf", "*interpolation_test.gltf", "*03_all_animations.gltf",
                                    "*01_cs_*.gltf"),
        "tangents-wrong", "Tangents of CUBICSPLINE are left out",
        "The importer keeps the keys' values and none of their tangents.", "rigproof and the evaluator"),
    Row("blender", "animate skin", ("*.gltf", "*Fox.glb", "*BoxAnimated.glb", "*RiggedSimple.glb", "*CesiumMan.glb", "synthetic/*.glb",
                                    "walker/walker.glb", "pieces/*", "*RiggedSimple.dae", "*RiggedFigure.dae"),
        "nlerp", "Rotations are interpolated by components",
        "Blender has a curve for each of the four numbers and normalises: off by the same amounts as PlayCanvas.", "rigproof and the evaluator"),
    Row("irrlicht", "animate palette skin", ("*anim_test.x", "*BCN_Epileptic.X", "*sheaf.x"), "nlerp",
        "Near quaternions are interpolated by components",
        "`quaternion::slerp` is linear and does not normalise where the dot product is above 0.95, so that "
        "matrices shrink by up to 1e-4 (`sheaf.x`: 0.005, its keys being further apart).", "rigproof: X asks for quaternions of rotations"),
    Row("irrlicht", "animate", ("*Testwuson.X",), "other-clip", "All clips are joined into one",
        "Irrlicht puts the keys of every `AnimationSet` into one list; keys of three sets share their times, and what "
        "lies between two keys of one time is no number or zero.", "rigproof: the file has three clips"),
    Row("irrlicht", "animate", ("ticks/*",), "time-scale", "Ticks without a rate",
        "The file does not say how many ticks a second has. The subject takes the 4800 of DirectX' documentation;"
        " rigproof takes 25 and says so.", "undecided: the file does not say"),
    # Filament
    Row("filament", "animate", ("*Accessor_Sparse_00.gltf", "*Accessor_SparseType_00.gltf", "*Accessor_SparseType_01.gltf",
                                "*Accessor_SparseType_02.gltf"), "import", "Sparse accessors of keys are not read",
        "gltfio takes the bufferView behind an accessor and leaves out its sparse part.", "rigproof and the evaluator"),
    Row("filament", "animate", EVERY, "loop-rule", "The end shows the beginning",
        "`applyAnimation` takes the time modulo the duration: what it shows at the end of `robot.glb`'s clip is "
        "rigproof's first frame, to 7e-7.", "rigproof and the evaluator: the last key holds at the end", True),
    Row("filament", "animate", ("*Animation_Node_03.gltf",), "step-late", "STEP changes after its key",
        "At the very time of a key, gltfio shows the value of the key before.", "rigproof and the evaluator"),
    Row("filament", "animate", ("*Animation_NodeMisc_03.gltf",), "single-key", "A channel of one key is ignored",
        "The node keeps the transform of the file.", "rigproof and the evaluator: one key is the value at every time"),
    Row("filament", "animate", ("*Animation_Node_04.gltf", "*Animation_Node_05.gltf", "*interpolation_test.gltf", "*06_parent-inverse-anim.gltf",
                                "*strip.gltf"),
        "tangents-wrong", "Tangents are multiplied by the share of the interval",
        "A CUBICSPLINE tangent belongs multiplied by the time between its keys; gltfio multiplies it by how far "
        "the time is between them, 0 to 1. `Animation_Node_04` at 1.66 s: y is -0.0151066, by the specification "
        "-0.0228888, and 0.66 times that is gltfio's.",
        "rigproof and the evaluator"),
    # FBX
    Row("blender", "animate palette skin", ("*.dae",), "cubic-as-linear", "COLLADA by Blender's importer",
        "It makes Blender's own curves of the file's; rigproof plays BEZIER curves as straight lines.",
        "undecided: see the distances, where the evaluator has the file"),
    Row("blender", "skin", ("*Accessor_Sparse_03.gltf", "*Accessor_SparseType_05.gltf", "*Node_Attribute_*", "*Node_NegativeScale_*"),
        "unused-vertices",
        "Vertices that no triangle uses", "Blender leaves them out, rigproof keeps them.", "both: nothing of them is drawn"),
    Row("blender", "animate", ("*robot.glb",), "joints-by-name", "Names that repeat",
        "Joints and mesh nodes share eight names; Blender renames the second ones (`Torso.001`), and the "
        "comparison by name fails.",
        "undecided: nothing of the file is wrong, and Blender's vertices were not compared bone by bone"),
    Row("three blender", "animate palette skin", PIVOTS, "pivots-dropped", "Animated nodes lose their pivots",
        "The node has rotation or scaling pivots and offsets. They are there at rest and not while a clip plays.",
        "rigproof: geometry that Maya exported at the same frame agrees with it (scripts/sweep, obj)"),
    Row("three blender", "animate", ("*maya_anim_layers_*",), "layers", "Animation layers",
        "The file adds several layers. three.js and Assimp read one of them for each curve, not the same.",
        "neither: rigproof is 0.2 from the evaluator too (a known deviation of scripts/sweep)"),
    Row("three blender", "import animate palette skin", ("*rrss_*", "*scale_no_inherit_*", "*mixed_inherit_*"), "inherit-type",
        "A child that does not take its parent's scale",
        "FBX' InheritType says how scales go down the tree. Assimp ignores it; three.js follows it in part.",
        "neither: rigproof is off as well (a known deviation of scripts/sweep)"),
    Row("three blender", "animate palette skin", ("*.fbx",), "cubic-as-linear", "Curves of FBX are played as straight lines",
        "The engine's importer takes the keys and leaves out the tangents (or the step) between them; rigproof "
        "repairs what Assimp leaves out in the same way (`fbx-curves`).", "rigproof, where the evaluator has the file; its distance is in the table"),
    Row("three", "skin animate", ("curves/weight.fbx", "*sphereBlendShapeAnimation.fbx"), "cubic-as-linear", "Curves of blend shapes",
        "As above, for the weight of a shape.", "rigproof"),
]
