"""Blender as a subject of rigproof: glTF, FBX and COLLADA through its importers, posed by its own dependency graph."""
import base64
import json
import os
import sys

import numpy

for _name, _kind in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if not hasattr(numpy, _name):  # the importers of Blender 3.4 were written for an older NumPy
        setattr(numpy, _name, _kind)

import bpy  # noqa: E402
from mathutils import Matrix  # noqa: E402

ONLY_VERTICES = "--vertices" in sys.argv
Y_UP = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))  # Blender's z is up


def flat(matrix):
    return [x for row in matrix for x in row]


def posed():
    """Objects and pose bones by their names."""
    things = {(ob.name, None): ob for ob in bpy.data.objects}
    things.update(((ob.name, bone.name), bone) for ob in bpy.data.objects if ob.pose for bone in ob.pose.bones)
    return things


def import_gltf(path):
    """Returns where things rest, as they are before the importer shows the first clip: not at the bind pose; and the
    names that it gives the clips, in their order."""
    bpy.ops.preferences.addon_enable(module="io_scene_gltf2")
    from io_scene_gltf2.blender.imp.gltf2_blender_scene import BlenderScene
    rest, clips, create = {}, [], BlenderScene.create_animations

    def note_rest(gltf):
        rest.update((key, thing.matrix_basis.copy()) for key, thing in posed().items())
        clips.extend(animation.track_name for animation in gltf.data.animations or [])
        create(gltf)

    BlenderScene.create_animations = staticmethod(note_rest)
    try:
        bpy.ops.import_scene.gltf(filepath=path, bone_heuristic="BLENDER", guess_original_bind_pose=True, merge_vertices=False)
    finally:
        BlenderScene.create_animations = staticmethod(create)
    return rest, clips


def import_fbx(path):
    bpy.ops.preferences.addon_enable(module="io_scene_fbx")
    bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0, ignore_leaf_bones=False, automatic_bone_orientation=False)


def import_dae(path):
    bpy.ops.wm.collada_import(filepath=path)


IMPORTERS = {".gltf": import_gltf, ".glb": import_gltf, ".fbx": import_fbx, ".dae": import_dae}


def load(path):
    kind = os.path.splitext(path)[1].lower()
    if kind not in IMPORTERS:
        raise ValueError("Blender has no importer for this format here")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 30
    rest, clips = IMPORTERS[kind](path) or ({}, [])
    if not bpy.data.objects:
        raise ValueError("Blender imported nothing")
    for owner in owners():
        for track in owner.animation_data.nla_tracks:
            track.mute = True
    return rest or {key: Matrix() if key[1] else thing.matrix_basis.copy() for key, thing in posed().items()}, clips


def owners():
    """Everything that an action moves: objects and the shape keys of meshes."""
    things = list(bpy.data.objects) + list(bpy.data.shape_keys)
    return [thing for thing in things if thing.animation_data]


def actions_of(owner):
    """[(clip's name, action)]: from the strips of glTF, else of FBX the actions of that object's name, else what is set."""
    found = [(track.name, strip.action) for track in owner.animation_data.nla_tracks for strip in track.strips]
    found = found or [(action.name, action) for action in bpy.data.actions if action.name.startswith(owner.name + "|")]
    return found or ([(owner.animation_data.action.name, owner.animation_data.action)] if owner.animation_data.action else [])


def mesh_name(mesh):
    """A mesh that two nodes show differently is two in Blender: face and face.001."""
    stem, _, number = mesh.name.rpartition(".")
    return stem if len(number) == 3 and number.isdigit() and stem in bpy.data.meshes else mesh.name


class Model:
    def __init__(self, path):
        self.rest, self.clips = load(path)
        self.names_meshes = path.lower().endswith((".gltf", ".glb"))  # of other formats objects have the name
        self.actions = [(owner, actions_of(owner)) for owner in owners()]
        for _, actions in self.actions:
            for name, _ in actions:
                if name not in self.clips:
                    self.clips.append(name)

    def play(self, clip, index, time):
        if clip is None and self.clips:
            raise ValueError("the importers leave the scene at a clip's first frame: there is no rest pose beside the clips")
        scene = bpy.context.scene
        if not self.clips:  # nothing has moved since the import
            return
        rate = scene.render.fps / scene.render.fps_base
        for owner, _ in self.actions:
            owner.animation_data.action = None
        for key, thing in posed().items():
            if key in self.rest:
                thing.matrix_basis = self.rest[key]
        frame = 0.0
        if clip is not None:
            self.choose(clip, index)
            frame = time * rate
        scene.frame_set(int(frame // 1), subframe=frame - frame // 1)

    def choose(self, clip, index):
        """Sets the actions of the clip: by its name, by a part of it (FBX: object|clip|layer), by its place in the file."""
        def exact(name):
            return name == clip

        def part(name):
            return clip in name or clip.split("|")[-1] in name.split("|")

        def place(name):
            return index is not None and index < len(self.clips) and self.clips[index] == name

        for fits in (place, exact, part) if self.names_meshes else (exact, part, place):  # names need not be unique
            chosen = [(owner, action) for owner, actions in self.actions for name, action in actions if fits(name)]
            for owner, action in reversed(chosen):
                owner.animation_data.action = action
            if chosen:
                return
        raise ValueError("no clip %r in %r" % (clip, self.clips))

    def answer(self):
        graph = bpy.context.evaluated_depsgraph_get()
        nodes, skin = [], []
        shapes = {bone.custom_shape for ob in bpy.data.objects if ob.pose for bone in ob.pose.bones}
        for ob in bpy.context.scene.objects:  # in the file's order, unlike bpy.data's
            if ob in shapes:  # how the importer shows bones
                continue
            made = ob.evaluated_get(graph)
            world = Y_UP @ made.matrix_world
            nodes.append({"name": ob.name, "parent": ob.parent.name if ob.parent else None, "global": flat(world)})
            for bone in made.pose.bones if made.pose else []:
                nodes.append({"name": bone.name, "parent": bone.parent.name if bone.parent else ob.name,
                              "global": flat(world @ bone.matrix)})
            if ob.type == "MESH":
                skin.append(self.vertices(mesh_name(ob.data) if self.names_meshes else ob.name, made, world))
        return {"skin": skin} if ONLY_VERTICES else {"nodes": nodes, "skin": skin}

    @staticmethod
    def vertices(name, made, world):
        mesh = made.to_mesh()
        points = numpy.empty(3 * len(mesh.vertices), "<f4")
        mesh.vertices.foreach_get("co", points)
        turned = numpy.array(world, "<f8")
        points = points.reshape(-1, 3) @ turned[:3, :3].T + turned[:3, 3]
        made.to_mesh_clear()
        return {"mesh": name, "vertices": len(points),
                "positions": {"f32": base64.b64encode(points.astype("<f4").tobytes()).decode()}}


def say(answers, answer):
    answers.write((json.dumps(answer, allow_nan=False) + "\n").encode())
    answers.flush()


def main():
    answers, path, model, why = os.fdopen(3, "wb"), None, None, None
    for line in sys.stdin:
        request = json.loads(line)
        if request["request"] == "hello":
            say(answers, {"protocol": "rigproof.subject/1", "name": "Blender", "version": bpy.app.version_string,
                          "gives": ["skin"] if ONLY_VERTICES else ["nodes", "skin"], "conventions": {"storage": "rows", "space": "scene"}})
            continue
        try:
            if request["model"] != path:
                path, model, why = request["model"], None, None
                try:
                    model = Model(path)
                except Exception as error:  # noqa: BLE001 (add-ons raise anything)
                    why = "cannot read the model: %s" % (str(error).strip().splitlines() or ["?"])[-1]
            if why:
                raise ValueError(why)
            model.play(request.get("clip"), request.get("clip_index"), request["time"])
            say(answers, {"id": request["id"], **model.answer()})
        except Exception as error:  # noqa: BLE001
            say(answers, {"id": request["id"], "error": str(error)[:900] or "an error without a text"})


main()
