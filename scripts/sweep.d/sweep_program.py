"""Running rigproof and reading what it prints."""
import json
import os
import subprocess
import tempfile

import numpy as np

PATIENCE = 60  # seconds that no command may take


class Outcome:
    """What a run of the program came to."""

    def __init__(self, code, stdout, stderr):
        self.code, self.stdout, self.stderr = code, stdout, stderr

    @property
    def lines(self):
        return [line for line in self.stderr.splitlines() if line]

    @property
    def error(self):
        return next((line for line in self.lines if line.startswith("error:")), None)


def run(program, *arguments):
    try:
        done = subprocess.run([program, *arguments], capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return Outcome(None, b"", "")
    return Outcome(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def _no_constant(word):
    raise ValueError("%s in JSON" % word)


def documents(data):
    """The JSON documents that follow each other in `data`; NaN and Infinity raise ValueError."""
    text, decoder, at, found = data.decode("utf-8"), json.JSONDecoder(parse_constant=_no_constant), 0, []
    while at < len(text):
        document, at = decoder.raw_decode(text, at)
        found.append(document)
        while at < len(text) and text[at].isspace():
            at += 1
    return found


NULL_IS_A_VALUE = {"parent", "clip", "base_texture", "unit_meters", "node"}


def nulls(value, key=""):
    """Keys that hold null where a number belongs (a number that was not finite)."""
    if value is None:
        return [] if key in NULL_IS_A_VALUE else [key]
    if isinstance(value, dict):
        return [bad for k, v in value.items() for bad in nulls(v, k)]
    if isinstance(value, list):
        return [bad for v in value for bad in nulls(v, key + "[]")]
    return []


def affine(rows):
    matrix = np.eye(4)
    matrix[:3] = np.array(rows, float).reshape(3, 4)
    return matrix


class Instance:
    """A mesh where it stands: its palette entries and its posed vertices."""

    def __init__(self, mesh, bones, corners):
        self.mesh, self.bones, self.corners = mesh, bones, corners  # bones: [(name, 4x4)]; corners: of the rest mesh
        self.skinned = False
        self.points = self.normals = None


class Pose:
    def __init__(self, document, scene):
        self.time = document["time"]
        self.nodes = [(n["name"], affine(n["global"])) for n in document["nodes"]]
        self.instances = _instances(document, scene)


def _instances(document, scene):
    """Palette entries follow each other by instance; how many an instance has is the number of its mesh's bones."""
    entries, at, found = document["palette"], 0, []
    for skin in document["skin"]:
        for mesh in scene["meshes"]:
            bones = [b["bone"] for b in mesh.get("bones", [])]
            if mesh["name"] != skin["mesh"] or mesh["vertices"] != skin["vertices"]:
                continue
            mine = entries[at:at + max(1, len(bones))]
            if not bones or [e["bone"] for e in mine] == bones:
                break
        else:
            raise ValueError("mesh %s of the pose is not in the import" % skin["mesh"])
        low, high = np.array(mesh["min"], float), np.array(mesh["max"], float)
        corners = np.array([[(low, high)[i >> k & 1][k] for k in range(3)] for i in range(8)])
        instance = Instance(mesh["name"], [(e["bone"], affine(e["matrix"])) for e in mine], corners)
        instance.skinned = bool(bones)
        found.append(instance)
        at += len(mine)
    if at != len(entries):
        raise ValueError("%d palette entries, the meshes have %d" % (len(entries), at))
    return found


def _read_obj(path):
    points, normals = [], []
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("o "):
                points.append([])
                normals.append([])
            elif line.startswith("v "):
                points[-1].append([float(x) for x in line.split()[1:4]])
            elif line.startswith("vn "):
                normals[-1].append([float(x) for x in line.split()[1:4]])
    return ([np.array(p, float).reshape(-1, 3) for p in points], [np.array(n, float).reshape(-1, 3) for n in normals])


class Refused(Exception):
    """The program could not read the model; the message is its error line."""


def inspect(program, path, *options):
    outcome = run(program, "inspect", path, "--json", *options)
    if outcome.code != 0:
        raise Refused(outcome.error or "exit code %s" % outcome.code)
    return documents(outcome.stdout)[0]


def poses(program, path, scene, clip, times, *options):
    """Pose at each time, vertices included."""
    common = ["--clip", str(clip), "--time", ",".join(repr(float(t)) for t in times), "--wrap", "clamp", "--influences",
              "all", *options]
    outcome = run(program, "dump", path, "--format", "jsonl", *common)
    if outcome.code != 0:
        raise Refused(outcome.error or "exit code %s" % outcome.code)
    found = [Pose(document, scene) for document in documents(outcome.stdout)]
    with tempfile.TemporaryDirectory(prefix="sweep") as folder:
        outcome = run(program, "dump", path, "--format", "obj", "-o", os.path.join(folder, "{frame}.obj"), *common)
        if outcome.code != 0:
            raise Refused(outcome.error or "exit code %s" % outcome.code)
        for i, pose in enumerate(found):
            points, normals = _read_obj(os.path.join(folder, "%d.obj" % i))
            if len(points) != len(pose.instances):
                raise ValueError("%d objects in the OBJ, %d in the JSON" % (len(points), len(pose.instances)))
            for instance, p, n in zip(pose.instances, points, normals):
                instance.points, instance.normals = p, n
    return found
