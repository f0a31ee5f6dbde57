"""The robot in Blender: 11 bones, 180 vertices, two clips; robot.glb and robot.fbx are its exports.

    blender -b --factory-startup --python-exit-code 1 --python robot.py -- FOLDER      (made with Blender 3.4)
"""
import datetime
import math
import os
import sys

import numpy

for _name, _type in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if _name not in numpy.__dict__:                       # numpy 1.24 dropped the names Blender 3.4's add-ons use
        setattr(numpy, _name, _type)

import bpy                                                # noqa: E402
from mathutils import Euler, Vector                       # noqa: E402

# Bone: parent, head, tail, half width and half depth of its box, colour. Metres, z up, looking to -y.
BONES = {
    "hips":   (None,    (0, 0, 0.90), (0, 0, 1.05), 0.16, 0.11, 0),
    "chest":  ("hips",  (0, 0, 1.05), (0, 0, 1.45), 0.22, 0.13, 1),
    "head":   ("chest", (0, 0, 1.50), (0, 0, 1.80), 0.14, 0.14, 0),
}
for _side, _x in (("L", 1), ("R", -1)):
    BONES.update({
        "arm_" + _side:     ("chest", (_x * 0.30, 0, 1.42), (_x * 0.30, 0, 1.12), 0.06, 0.06, 0),
        "forearm_" + _side: ("arm_" + _side, (_x * 0.30, 0, 1.12), (_x * 0.30, 0, 0.80), 0.05, 0.05, 1),
        "leg_" + _side:     ("hips", (_x * 0.10, 0, 0.90), (_x * 0.10, 0, 0.48), 0.08, 0.08, 1),
        "shin_" + _side:    ("leg_" + _side, (_x * 0.10, 0, 0.48), (_x * 0.10, 0, 0.04), 0.07, 0.07, 0),
    })
COLOURS = (("steel", (0.24, 0.32, 0.40, 1)), ("amber", (0.85, 0.38, 0.06, 1)))
CLIPS = {"walk": 24, "wave": 24}                          # last frame


def turns(clip, frame):
    """Degrees about x and y, bone by bone. None stands still but at 0, for which the FBX exporter takes it when it simplifies."""
    swing = math.sin(2 * math.pi * frame / CLIPS[clip])
    if clip == "wave":
        lift = math.sin(math.pi * frame / CLIPS[clip])
        return {"arm_R": (0, 150 * lift), "forearm_R": (0, 35 * lift * math.sin(6 * math.pi * frame / 24)),
                "head": (0, 8 * lift), "chest": (0, -4 * lift)}
    bob = math.cos(4 * math.pi * frame / CLIPS[clip])
    out = {"chest": (3 + bob, 2 * swing)}
    for side, sign in (("L", 1), ("R", -1)):
        out["leg_" + side] = (-30 * sign * swing, 0)
        out["shin_" + side] = (22 - 22 * sign * math.cos(2 * math.pi * frame / 24), 0)
        out["arm_" + side] = (26 * sign * swing, sign * (bob - 6))
        out["forearm_" + side] = (-20 - 10 * sign * swing, 0)
    return out


def rig():
    data = bpy.data.armatures.new("rig")
    ob = bpy.data.objects.new("rig", data)
    bpy.context.collection.objects.link(ob)
    bpy.context.view_layer.objects.active = ob
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (parent, head, tail, _, _, _) in BONES.items():
        bone = data.edit_bones.new(name)
        bone.head, bone.tail, bone.roll = head, tail, 0
        bone.parent = data.edit_bones.get(parent) if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    return ob


def body(ob):
    """Each bone's box in three rings; the ring at its head is half its parent's."""
    vertices, faces, slots, weights = [], [], [], []
    for name, (parent, head, tail, width, depth, colour) in BONES.items():
        first, head, tail = len(vertices), Vector(head), Vector(tail)
        for ring in range(4):
            centre = head.lerp(tail, (0.02, 0.2, 0.8, 0.98)[ring])
            for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                narrow = 0.8 if ring in (0, 3) else 1
                vertices.append(centre + Vector((x * width * narrow, y * depth * narrow, 0)))
                weights.append({name: 0.6, parent: 0.4} if ring == 0 and parent else {name: 1.0})
        sign = tail.z > head.z
        for ring in range(3):
            for k in range(4):
                a, b = first + 4 * ring + k, first + 4 * ring + (k + 1) % 4
                face = (a, b, b + 4, a + 4)
                faces.append(face if sign else face[::-1])
        for end in ((3, 2, 1, 0), (12, 13, 14, 15)):
            face = tuple(first + k for k in end)
            faces.append(face if sign else face[::-1])
        slots += [colour] * 14
    mesh = bpy.data.meshes.new("robot")
    mesh.from_pydata(vertices, [], faces)
    for face, slot in zip(mesh.polygons, slots):
        face.material_index = slot
    for name, colour in COLOURS:
        material = bpy.data.materials.new(name)
        material.use_nodes = True
        shader = material.node_tree.nodes["Principled BSDF"]
        shader.inputs["Base Color"].default_value = colour
        mesh.materials.append(material)
    out = bpy.data.objects.new("robot", mesh)
    bpy.context.collection.objects.link(out)
    for name in BONES:
        out.vertex_groups.new(name=name)
    for index, groups in enumerate(weights):
        for name, weight in groups.items():
            out.vertex_groups[name].add([index], weight, "REPLACE")
    out.parent = ob
    out.modifiers.new("rig", "ARMATURE").object = ob


def action(ob, clip, last):
    ob.animation_data_create()
    ob.animation_data.action = bpy.data.actions.new(clip)
    ob.animation_data.action.use_fake_user = True
    for frame in range(0, last + 1, 2):
        angles = turns(clip, frame)
        for bone in ob.pose.bones:
            x, y = (math.radians(a) for a in angles.get(bone.name, (0, 0)))
            rest = bone.bone.matrix_local.to_3x3()
            bone.rotation_mode = "QUATERNION"
            bone.rotation_quaternion = (rest.inverted() @ Euler((x, y, 0)).to_matrix() @ rest).to_quaternion()
            bone.keyframe_insert("rotation_quaternion", frame=frame, group=bone.name)
    for curve in ob.animation_data.action.fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


def export(ob, folder):
    for module in ("io_scene_gltf2", "io_scene_fbx"):
        bpy.ops.preferences.addon_enable(module=module)
    from io_scene_fbx import export_fbx_bin
    header = export_fbx_bin.fbx_header_elements           # without the clock
    export_fbx_bin.fbx_header_elements = lambda root, data, time=None: header(root, data, datetime.datetime(2024, 1, 1))
    ob.animation_data.action = None
    for bone in ob.pose.bones:
        bone.matrix_basis.identity()
    bpy.context.scene.frame_end = max(CLIPS.values())
    bpy.ops.export_scene.fbx(filepath=os.path.join(folder, "robot.fbx"), object_types={"ARMATURE", "MESH"},
                             add_leaf_bones=False, bake_anim_use_all_actions=True, bake_anim_use_nla_strips=False,
                             bake_anim_step=2.0, bake_anim_simplify_factor=0.01,
                             bake_anim_force_startend_keying=False, use_armature_deform_only=True)
    for clip in CLIPS:
        track = ob.animation_data.nla_tracks.new()
        track.name = clip
        track.strips.new(clip, 0, bpy.data.actions[clip])
    bpy.ops.export_scene.gltf(filepath=os.path.join(folder, "robot.glb"), export_format="GLB", export_yup=True,
                              export_force_sampling=False, export_texcoords=False)


bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps, bpy.context.scene.frame_start = 24, 0
robot = rig()
body(robot)
for _clip, _last in CLIPS.items():
    action(robot, _clip, _last)
export(robot, os.path.abspath(sys.argv[sys.argv.index("--") + 1]))
