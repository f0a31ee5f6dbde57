"""Disagreements that were traced: the cause, which engines, stages and models, and who is right.

A row holds for a model where the first stage that differs is one of its stages; with `by`, where `rigproof diagnose` names one of
these mistakes; with `at`, where it differs most at the clip's start or end. Patterns of models alone (no `by`) are for what was
traced by hand. The first row that holds counts; rows of one title are one cause.
"""
from collections import namedtuple

Row = namedtuple("Row", "cause engines stages models title text right by at", defaults=("", ""))

ALL = "animate palette skin"
WAYS = "learnopengl ogldev gltf-article palette-article thesis"
ASSIMPS = "Assimp-*"
RIGHT = "rigproof, and the evaluator"


def rows(row, *others):
    """The same cause for others too: (engines, stages, models, by)."""
    return [row, *(row._replace(engines=engines, stages=stages, models=models, by=by) for engines, stages, models, by in others)]


KNOWN = [
    # rigproof is wrong, or nobody knows
    Row("import", "three", "import skin", "*cubes_with_outofrange_float.fbx", "A number of 78 digits",
        "A coordinate is written as -0.4999... with 78 digits. Assimp takes a number of more than 31 characters for 0, so that "
        "one corner of the "
        "cube is on another; three.js reads it.", "the engine. rigproof is wrong here, on account of Assimp"),
    *rows(Row("weights-not-rescaled", "playcanvas", "skin", "*CesiumMan.glb *RiggedFigure.gltf", "Weights are not rescaled",
              "The weights of a vertex add up to as little as 0.18. rigproof divides by their sum and says so "
              "(`normalise-weights`); the others do not.",
              "undecided: such a file is invalid, and glTF demands no repair"),
          (WAYS.replace("thesis", ""), "skin", "*", "unrepaired: normalise-weights,weights-not-divided")),
    Row("invalid-file", "three", "skin", "*IncorrectVertexArrays/Cube.gltf", "Arrays of vertices that do not fit each other",
        "The file's accessors are longer than its buffer; rigproof takes what is there.", "undecided: the file is invalid"),
    Row("bone-without-node", WAYS, "skin", "*anim_test.x", "Bones without a node",
        "Two of the file's four bones have no node. rigproof leaves their vertices with the root and says so; a palette that is "
        "filled from the tree has no matrix for "
        "them.", "undecided: the file is invalid"),
    Row("layers", "three blender", "animate", "*maya_anim_layers_*", "Animation layers",
        "The file adds several layers. Importers read one of them for each curve, not the same.",
        "neither: rigproof is 0.2 from the evaluator too (a known deviation of scripts/sweep)"),
    Row("inherit-type", "three blender", "import " + ALL, "*rrss_* *scale_no_inherit_* *mixed_inherit_*",
        "A child that does not take its parent's scale",
        "FBX' InheritType says how scales go down the tree. Assimp ignores it; three.js and Blender follow it in part.",
        "neither: rigproof is off as well (a known deviation of scripts/sweep)"),
    Row("time-scale", "irrlicht", "animate", "ticks/*", "Ticks without a rate",
        "The file does not say how many ticks a second has. The subject takes the 4800 of DirectX' documentation; rigproof "
        "takes 25 and says so.",
        "undecided: the file does not say"),
    # Other Assimps under rigproof
    Row("import", ASSIMPS, "palette skin", "*max_transformed_skin_* *maya_instanced_skin_* *maya_transformed_skin_* *rrss_*",
        "Offsets of a mesh that has moved since it was bound",
        "Assimp from 5.4 on makes an FBX offset from where the mesh stands, and what it was bound to is lost.",
        "rigproof on the older Assimp, and the evaluator (a known deviation of scripts/sweep)"),
    Row("shared-skin", "blender", "skin", "*InfiniteSkinnedTentacle.glb", "One mesh on nodes with different skins",
        "84 nodes share a mesh and have a skin each. Blender shows all 84 in one place; rigproof, three.js and Babylon.js "
        "agree.", RIGHT),
    Row("unused-vertices", "blender " + ASSIMPS, "skin",
        "*Accessor_Sparse_03.gltf *Accessor_SparseType_05.gltf *Node_Attribute_* *Node_NegativeScale_*",
        "Vertices that no triangle uses", "Blender and Assimp from 5.4 on leave them out, rigproof on Assimp 5.2 keeps them.",
        "both: nothing of them is drawn"),
    # Which bone
    *rows(Row("joints-by-name", "playcanvas", "palette", "*", "Skins and joints are told apart by names",
              "Bones and channels are looked up by name, where several nodes have one; and two skins with joints of the same "
              "names count as one. rigproof "
              "binds joints by index (`name-clash`, "
              "`shared-skin`).", RIGHT + "; names need not be unique in glTF", "joints-by-name,offset-first-of-scene"),
          (WAYS, "palette", "*",
           "joints-by-name,offset-first-of-scene,offset-last-of-scene,offset-of-other-bone,unrepaired: shared-skin"),
          (WAYS, ALL,
           "*robot.glb *sphere_rig_advanced.fbx *Instancing_08.gltf *Instancing_09.gltf *Animation_Skin_11.gltf "
           "*InfiniteSkinnedTentacle.glb", ""),
          ("playcanvas", "skin", "*InfiniteSkinnedTentacle.glb", ""),
          ("blender", "animate", "*robot.glb twins/*", "")),
    Row("bones-cut", WAYS, "palette skin", "*", "Bones after the hundredth",
        "LearnOpenGL's shader has 100 matrices, the palette article's 128; what follows others stays where it is.",
        RIGHT, "bones-cut"),
    # Influences
    *rows(Row("weights-first-four", "playcanvas babylon three blender", "skin",
              "*quad_skin.glb *influences8.glb *RiggedFigure.dae *animation_with_skeleton.fbx crowd/* *SimpleRig_cube.fbx "
              "*Simple_SI_Rigging_Done.fbx",
              "More than four influences", "The engine has four (Babylon.js eight) weights a vertex; rigproof was asked for all. Which four these are differs.", RIGHT),
          (WAYS.replace("thesis", ""), "skin", "*", "weights-first-four,weights-small-dropped,influence-dropped"),
          (WAYS, "skin",
           "*barbarian* *influences8.glb *weights_u16.glb *weights_u8.glb *RiggedFigure.dae *animation_with_skeleton.fbx", "")),
    *rows(Row("weights-small-dropped", "thesis", "skin", "*", "Weights up to 0.1 are dropped",
              "The thesis leaves them out and does not rescale the others.", RIGHT,
              "weights-small-dropped"),
          ("thesis", "skin", "*Fox.glb *pab/skeleton.fbx *BCN_Epileptic.X", "")),
    *rows(Row("weights-in-bytes", "palette-article", "skin", "*", "Weights in bytes",
              "The article packs four weights of 8 bits, which is off by up to 1/255 of what a bone does.",
              RIGHT, "weights-in-bytes,weights-not-divided"),
          ("palette-article", "skin", "*Fox.glb *pab/skeleton.fbx *BCN_Epileptic.X *Testwuson.X", "")),
    Row("gltf-integers", WAYS, "animate skin",
        "*Accessor_SparseType_0[34].gltf *Animation_SamplerType_0?.gltf *Animation_SkinType_0?.gltf *Animation_NodeMisc_02.gltf",
        "Normalised integers", "Assimp copies weights and rotations that are stored as integers byte by byte; rigproof repairs that (`gltf-integers`).", RIGHT),
    # The clip's ends
    *rows(Row("loop-rule", "filament", "animate", "*", "The end shows the beginning",
              "`applyAnimation`, LearnOpenGL, ogldev and the thesis take the time modulo the duration, so that the end of a "
              "clip is its first frame.",
              "rigproof, and the evaluator: the last key holds at the end", "", "end"),
          (WAYS, ALL, "*", "loop-rule")),
    *rows(Row("before-first-key", "palette-article", ALL, "*", "Before the first key of a channel",
              "The palette article interpolates from the identity there, LearnOpenGL prolongs the line through the first two keys.",
              "rigproof, and the evaluator: the first key holds before it", "", "start"),
          ("learnopengl", ALL, "*", "")),
    # LearnOpenGL's end is its beginning, which is before the first key
    Row("loop-rule", "learnopengl", ALL, "*gltf_spider_animated.gltf *astro_maya.dae *anims_with_full_* *box_nested_animation.dae *anim_test.x",
        "The end shows the beginning", "", ""),
    Row("late-start", "osg", ALL, "*box_nested_animation.dae *astro_maya.dae", "A clip whose keys start late ends early",
        "OpenSceneGraph's duration is last key minus first key, and time stops there: a key before the end, where the first is "
        "at 0.042 s. Before the end both agree.", RIGHT),
    Row("channel-ends", "three", ALL, "limb/limb.dae", "Channels of one node end at different times",
        "`knee` turns about y until 0.5 s and stays at -30 degrees; its channel about z lasts until 1.5 s. three.js fills in "
        "the missing keys of y and shows -7.5 "
        "degrees at the end.", "rigproof: COLLADA holds the last value"),
    Row("other-clip", "irrlicht", "animate", "*Testwuson.X", "All clips are joined into one",
        "Irrlicht puts the keys of every `AnimationSet` into one list; keys of three sets share their times, and what lies "
        "between two keys of one time is no number or "
        "zero.", "rigproof: the file has three clips"),
    Row("single-key-ignored", "filament", "animate", "*Animation_NodeMisc_03.gltf", "A channel of one key is ignored",
        "The node keeps the transform of the file.", "rigproof, and the evaluator: one key is the value at every time"),
    Row("step-late", "filament", "animate", "*Animation_Node_03.gltf", "STEP changes after its key",
        "At the very time of a key, gltfio shows the value of the key before.", RIGHT),
    # Rotations
    *rows(Row("nlerp", "playcanvas blender", ALL, "*", "Rotations are interpolated by components",
              "The four numbers are interpolated and normalised (PlayCanvas' `AnimCache`; Blender has a curve for each), which "
              "leads or lags by up to 0.1 of a matrix "
              "element between distant keys. glTF demands the spherical interpolation.", RIGHT, "nlerp"),
          ("playcanvas", "animate skin",
           "*Accessor_SparseType_0?.gltf *Animation_NodeMisc_04.gltf *Instancing_1?.gltf *BoxAnimated.glb *gltf_simple_skin.gltf "
           "*InfiniteSkinnedTentacle.glb *gltf_frog.gltf", ""),
          ("blender", "animate skin",
           "*Accessor_SparseType_0?.gltf *Animation_NodeMisc_0?.gltf *Animation_Node_01.gltf *Animation_SamplerType_0?.gltf "
           "*Instancing_1?.gltf "
           "*06_parent-inverse-anim.gltf *07_nla-anim.gltf *AnimatedTriangle.gltf *BoxAnimated.glb *RiggedFigure.gltf "
           "*RiggedSimple.glb *CesiumMan.glb *gltf_frog.gltf "
           "*imple_skin.gltf *SimpleSkin.gltf limb/* walker/* pieces/*", "")),
    Row("nlerp", "irrlicht", ALL, "*anim_test.x *BCN_Epileptic.X *sheaf.x", "Near quaternions are interpolated by components",
        "`quaternion::slerp` is linear and does not normalise where the dot product is above 0.95, so that matrices shrink by "
        "up to 1e-4 (`sheaf.x`: 0.005, its keys being "
        "further apart).", "rigproof: X asks for quaternions of rotations"),
    Row("quaternion-not-normalised", "three babylon filament", ALL,
        "*SimpleSkin.gltf *simple_skin.gltf *simple_skin_step.gltf *AnimatedTriangle.gltf *Animation_SamplerType_01.gltf "
        "*Accessor_SparseType_03.gltf",
        "Quaternions are used as stored",
        "The file's rotations are rounded to three digits or to bytes, and are not of unit length: matrices made of them scale "
        "by 0.02 to 0.4 %.",
        "rigproof, and the evaluator, who normalise; glTF demands unit quaternions, so the file is at fault"),
    Row("long-way", "three blender", "animate", "*anims_with_full_rotations_between_keys.DAE",
        "Turns of more than half between two keys",
        "COLLADA turns by angles, here by up to 1440 degrees from key to key. three.js and Blender make a rotation of each key "
        "and go the short way.", RIGHT),
    Row("tracks-averaged", "three", ALL, "*astro_maya.dae *seymour.dae", "Several channels of one joint are averaged",
        "`rotateX`, `rotateY` and `rotateZ` become three tracks of one `quaternion`, and the mixer takes their mean: where Y "
        "alone turns from -4.57 to 4.57 degrees, three.js "
        "goes to -1.52, a third of the way.", RIGHT),
    *rows(Row("matrix-interpolated", "osg", ALL, "*", "A matrix channel is interpolated number by number",
              "A COLLADA channel of 16 numbers has no rotation to interpolate, and the standard interpolates each number. "
              "OpenSceneGraph does; bones shrink between distant "
              "keys. Assimp, Blender and three.js take each key apart into translation, rotation and scale, as exporters mean "
              "it.",
              "OpenSceneGraph by the letter of COLLADA; rigproof by what exporters mean. At the keys both are the "
              "same", "matrix-interpolated"),
          ("osg", ALL, "*RiggedSimple.dae *RiggedFigure.dae limb/* walker/* *pab/walk.dae *pab/skeleton.dae", "")),
    # Curves
    Row("tangents-wrong", "filament", "animate",
        "*Animation_Node_04.gltf *Animation_Node_05.gltf *interpolation_test.gltf *06_parent-inverse-anim.gltf strip/strip.gltf",
        "Tangents are multiplied by the share of the interval",
        "A CUBICSPLINE tangent belongs multiplied by the time between its keys; gltfio multiplies it by how far the time is "
        "between them, 0 to 1. `Animation_Node_04` at 1.66 s: "
        "y is -0.0151066, by the specification -0.0228888, and 0.66 times that is gltfio's.", RIGHT),
    *rows(Row("tangents-wrong", "blender", "animate skin", "*", "Tangents of CUBICSPLINE are left out",
              "The importer keeps the keys' values and none of their tangents.", RIGHT, "tangents-wrong"),
          ("blender", "animate skin",
           "*Animation_Node_04.gltf *Animation_Node_05.gltf *interpolation_test.gltf *03_all_animations.gltf *01_cs_*.gltf "
           "strip/strip.gltf", "")),
    Row("tangents-wrong", "osg", ALL, "*BoxAnimated.dae *CesiumMilkTruck.dae", "BEZIER curves without their tangents",
        "OpenSceneGraph goes from key to key by 3u2 - 2u3, u being the share of the interval, whatever the tangents: a wheel of "
        "`CesiumMilkTruck.dae`, whose curve is straight, "
        "is at 277.359 degrees at 0.2625 s (u = 0.3) and belongs at 276.380; the box of `BoxAnimated.dae` at 3.078 s is at y "
        "1.3421 and belongs at 1.3591. `seymour.dae` it "
        "follows to 1e-7.", RIGHT),
    Row("full-weights", "blender", "skin", "*blender440_shape_weight_anim_*",
        "Weights of a blend shape that differ from vertex to vertex",
        "Assimp ignores them, Blender does not.", "the engine. rigproof is wrong here (a known deviation of scripts/sweep)"),
    Row("not-animated", "blender", "animate", "*maya_instanced_skin_* *maya_transformed_skin_*",
        "The node of a skinned mesh stands still",
        "The node is animated and moves no vertex, since bones hold all of them. Blender leaves it at rest; the vertices "
        "agree.", "both: nothing that is seen moves"),
    Row("not-animated", "blender", "animate", "*pab/walk.dae", "An action for each object",
        "Blender's COLLADA importer makes one of each object's channels. The subject plays the one of the clip's name, "
        "`Camera01`, and the bones rest.",
        "rigproof, and the evaluator: a file without `<animation_clip>` has one animation"),
    Row("cubic-as-linear", "blender", ALL, "*.dae", "COLLADA by Blender's importer",
        "It makes Blender's own curves of the file's keys and tangents.", "rigproof, and the evaluator, where it has the file"),
    Row("pivots-dropped", "three blender", ALL,
        "*maya_child_pivots_* *maya_null_pivots_* *maya_pivot_offset_* *maya_split_pivot_* *maya_zero_scale_pivot_*",
        "Animated nodes lose their pivots",
        "The node has rotation or scaling pivots and offsets. They are there at rest and not while a clip plays.",
        "rigproof, and the evaluator: geometry that Maya exported at the same frame agrees with it (scripts/sweep, obj)"),
    *rows(Row("cubic-as-linear", WAYS, ALL, "*", "Curves are played as straight lines",
              "The importer takes the keys and leaves out what is between them: tangents, or the step. So does Assimp, and "
              "rigproof repairs it (`fbx-curves`, `dae-curves`, "
              "`gltf-interpolation`). three.js and Blender bring an FBX rotation's three curves to one list of times "
              "besides.", RIGHT,
              "cubic-as-linear,step-as-linear,unrepaired: fbx-curves,unrepaired: dae-curves,unrepaired: "
              "gltf-interpolation,resampled"),
          (WAYS, ALL, "*maya_child_pivots_*", ""),
          ("three blender", ALL, "*.fbx", ""),
          ("three", ALL, "*.dae", "unrepaired: dae-curves")),
    Row("pivots-twice", WAYS, ALL, "*", "FBX pivots are applied twice",
        "Assimp 5.1 to 5.4 keeps the static pivot nodes above a channel that has them already; rigproof repairs that "
        "(`fbx-pivots`).", RIGHT,
        "pivots-twice,unrepaired: fbx-pivots"),
    # How files are read
    *rows(Row("geometric-transform", "three blender", "import " + ALL, "*max_transformed_skin_*",
              "The geometric transform of a skinned mesh",
              "Assimp leaves it out of skinned meshes, and rigproof repairs that (`fbx-geometric`); three.js and Blender apply "
              "it differently.", RIGHT),
          (WAYS, "import " + ALL, "*", "unrepaired: fbx-geometric")),
    Row("light-raised", "three", "import", "*blender_293_barbarian_*", "A light one unit too high",
        "three.js makes a `DirectionalLight` at (0, 1, 0) and applies the file's transform to that: `Sun` is off by its own y "
        "axis. Bones and meshes agree.", "rigproof: the file's transform is the node's"),
    Row("look-at", "three", "import", "*pab/walk.fbx", "The target of a camera is the camera's child",
        "The FBX loader hangs `Camera01.Target` below `Camera01`, where the file has both below the root, and turns the camera "
        "to it.", "rigproof: the file says where they hang"),
    Row("instance-transform", "three", "skin", "*teapot_instancenodes.DAE", "An instanced node loses its own transform",
        "A node with one `<instance_node>` becomes a copy of that node with the matrix of its own in place of the "
        "copy's.", RIGHT + ": both transforms apply"),
    Row("decimal-comma", "three osg", "import " + ALL, "*/teapots.DAE */earthCylindrical.DAE", "Numbers with a comma",
        "The file's exporter wrote `<unit meter=\"0,010000\"/>` and all other numbers in its country's way. three.js reads 0 "
        "and scales everything to nothing; OpenSceneGraph "
        "reads whole numbers; Assimp takes the comma for a point.", "rigproof by what is meant; the file is invalid"),
    Row("import", "babylon", "skin", "*Accessor_Sparse_02.gltf", "Sparse positions",
        "One mesh's positions are the other's with a sparse part of their own. Babylon.js is 0.1 off.", RIGHT),
    Row("import", "filament", "animate", "*Accessor_Sparse_00.gltf *Accessor_SparseType_0[012].gltf",
        "Sparse accessors of keys are not read",
        "gltfio takes the bufferView behind an accessor and leaves out its sparse part.", RIGHT),
]
