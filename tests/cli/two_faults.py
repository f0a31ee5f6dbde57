#!/usr/bin/env python3
"""Two regressions at a time, in different stages: `rigproof check` must name both, and no third.

    two_faults.py [--one] RIGPROOF SCRATCH MODEL.glb...

A model is changed in one way for the run and in others for its golden. A golden whose import.json is that of the unchanged
model and whose poses and pictures are not is what a run with a mistake in that later stage would leave: numbers and pictures
of one kind all through. Prints a table; 1 if a line of it is wrong. With --one a regression at a time, which must be named alone.
"""
import copy
import json
import math
import pathlib
import shutil
import struct
import subprocess
import sys


class Model:
    """A .glb with one buffer, whose accessors are replaced by copies with other floats."""

    def __init__(self, path):
        data = path.read_bytes()
        length = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20:20 + length])
        self.buffer = bytearray(data[28 + length:])
        moving = [sum(any(key != keys[0] for key in keys) for keys in map(self.floats, {
            a["samplers"][c["sampler"]]["output"] for c in a["channels"] if c["target"]["path"] == "rotation"}))
            for a in self.json["animations"]]
        self.clip = moving.index(max(moving))
        self.animation = self.json["animations"][self.clip]

    def write(self, path):
        text = json.dumps(self.json).encode()
        text += b" " * (-len(text) % 4)
        self.buffer += b"\0" * (-len(self.buffer) % 4)
        self.json["buffers"][0]["byteLength"] = len(self.buffer)
        text = json.dumps(self.json).encode()
        text += b" " * (-len(text) % 4)
        size = 12 + 8 + len(text) + 8 + len(self.buffer)
        path.write_bytes(struct.pack("<4sII", b"glTF", 2, size) + struct.pack("<I4s", len(text), b"JSON") + text +
                         struct.pack("<I4s", len(self.buffer), b"BIN\0") + bytes(self.buffer))

    def floats(self, index):
        accessor = self.json["accessors"][index]
        assert accessor["componentType"] == 5126, "expected floats"
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        view = self.json["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", 4 * width)
        return [list(struct.unpack_from(f"<{width}f", self.buffer, start + i * stride)) for i in range(accessor["count"])]

    def add(self, index, rows):
        """A copy of the accessor with these rows; its index."""
        accessor = copy.deepcopy(self.json["accessors"][index])
        self.buffer += b"\0" * (-len(self.buffer) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.buffer), "byteLength": 4 * sum(map(len, rows))})
        for row in rows:
            self.buffer += struct.pack(f"<{len(row)}f", *row)
        accessor.update(bufferView=len(self.json["bufferViews"]) - 1, byteOffset=0)
        for bound in ("min", "max"):
            accessor.pop(bound, None)
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def name(self, node):
        return self.json["nodes"][node].get("name", f"nodes[{node}]")

    def channels(self, path):
        """Of the clip that moves most, by node."""
        return {c["target"]["node"]: c for c in self.animation["channels"] if c["target"]["path"] == path}

    def joints(self):
        return self.json["skins"][0]["joints"]


def below(model, node):
    children = model.json["nodes"][node].get("children", [])
    return {node}.union(*(below(model, child) for child in children)) if children else {node}


def turn_keys(model, node, degrees):
    """Every key of the node's rotation: turned about x behind it."""
    channel = model.channels("rotation")[node]
    sampler = model.animation["samplers"][channel["sampler"]]
    half = math.radians(degrees) / 2
    s, c = math.sin(half), math.cos(half)
    rows = [[x * c + w * s, y * c + z * s, z * c - y * s, w * c - x * s] for x, y, z, w in model.floats(sampler["output"])]
    model.animation["samplers"].append(dict(sampler, output=model.add(sampler["output"], rows)))
    channel["sampler"] = len(model.animation["samplers"]) - 1


def drop_channel(model, node):
    model.animation["channels"].remove(model.channels("rotation")[node])


def move_rest(model, node, share):
    """A node whose translation is not animated, by a share of its distance from its parent."""
    at = model.json["nodes"][node]
    if "matrix" in at:
        at["matrix"][13] += share * max(map(abs, at["matrix"][12:15]))
    else:
        translation = at.setdefault("translation", [0, 0, 0])
        translation[1] += share * (max(map(abs, translation)) or 1)


def move_keys(model, node, share):
    """The same of one whose translation has keys."""
    channel = model.channels("translation")[node]
    sampler = model.animation["samplers"][channel["sampler"]]
    rows = model.floats(sampler["output"])
    most = max(abs(x) for row in rows for x in row) or 1
    rows = [[x, y + share * most, z] for x, y, z in rows]
    model.animation["samplers"].append(dict(sampler, output=model.add(sampler["output"], rows)))
    channel["sampler"] = len(model.animation["samplers"]) - 1


def drop_offset(model, joint):
    """The joint's inverse bind matrix becomes the identity."""
    for skin in model.json["skins"]:
        if joint in skin["joints"]:
            rows = model.floats(skin["inverseBindMatrices"])
            rows[skin["joints"].index(joint)] = [1.0 if i % 5 == 0 else 0.0 for i in range(16)]
            skin["inverseBindMatrices"] = model.add(skin["inverseBindMatrices"], rows)


def darken(model):
    for material in model.json["materials"]:
        pbr = material.setdefault("pbrMetallicRoughness", {})
        pbr["baseColorFactor"] = [x * f for x, f in zip(pbr.get("baseColorFactor", [1, 1, 1, 1]), (0.5, 0.7, 0.9, 1))]


def rename_meshes(model):
    for mesh in model.json["meshes"]:
        mesh["name"] = "new-" + mesh.get("name", "")


def is_turning(model, node):
    keys = model.floats(model.animation["samplers"][model.channels("rotation")[node]["sampler"]]["output"])
    return max(abs(a - b) for key in keys for a, b in zip(key, keys[0])) > 1e-3


class Faults:
    """Whom to hurt: joints that hold vertices, apart from each other."""

    def __init__(self, model, weights):
        turned = [n for n in model.joints() if n in model.channels("rotation") and is_turning(model, n)]
        holding = [n for n in model.joints() if weights.get(model.name(n), 0) > 0]
        self.leaf = max((n for n in turned if n != model.joints()[0]), key=lambda n: (-len(below(model, n)), n))
        others = [n for n in turned if n != self.leaf and n in holding] or turned
        self.turned = max(others, key=lambda n: weights.get(model.name(n), 0) - len(below(model, n)))
        apart = [n for n in holding if n not in (self.leaf, self.turned)] or holding
        self.bound = max(apart, key=lambda n: (n not in below(model, self.turned), weights.get(model.name(n), 0)))


def nudge(faults):
    def change(model):
        (move_keys if faults.leaf in model.channels("translation") else move_rest)(model, faults.leaf, 2e-3)
    return change


def single_faults(f):
    """The same, of one change each: all that follows is explained."""
    def turn(degrees):
        return lambda model: turn_keys(model, f.turned, degrees)
    unbind = lambda model: drop_offset(model, f.bound)
    return [
        ("rest", [nudge(f)], [], {}, {}, {"import": f.leaf}),
        ("channel", [lambda model: drop_channel(model, f.leaf)], [], {}, {}, {"import": f.leaf}),
        ("import-keys", [turn(10)], [], {}, {}, {"import": f.turned}),
        ("import-offset", [unbind], [], {}, {}, {"import": None}), # of many meshes it may be one finding
        ("colour", [darken], [], {}, {}, {"import": None}),
        ("keys", [], [turn(10)], {}, {}, {"animate": f.turned}),
        ("offset", [], [unbind], {}, {}, {"palette": f.bound}),
        ("view", [], [], {"view": "unlit"}, {}, {"draw": None}),
    ]


def scenarios(f):
    """Name, changes of the run's model, of the golden's, the golden's and the run's keys, and what is to be named."""
    def turn(degrees):
        return lambda model: turn_keys(model, f.turned, degrees)
    unbind = lambda model: drop_offset(model, f.bound)
    gone = lambda model: drop_channel(model, f.leaf)
    unlit, skin = {"view": "unlit"}, {"shaders": "shaders"}
    return [
        ("rest-offset", [nudge(f)], [unbind], {}, {}, {"import": f.leaf, "palette": f.bound}),
        ("keys-offset", [], [turn(0.03), unbind], {}, {}, {"animate": f.turned, "palette": f.bound}),
        ("rest-keys", [nudge(f)], [turn(10)], {}, {}, {"import": f.leaf, "animate": f.turned}),
        ("channel-offset", [gone], [unbind], {}, {}, {"import": f.leaf, "palette": f.bound}),
        ("colour-keys", [darken], [turn(10)], {}, {}, {"import": None, "animate": f.turned}),
        ("name-offset", [rename_meshes], [unbind], {}, {}, {"import": None, "palette": f.bound}),
        ("colour-view", [darken], [], unlit, {}, {"import": None, "draw": None}),
        ("keys-view", [], [turn(10)], unlit, {}, {"animate": f.turned, "draw": None}),
        ("offset-view", [], [unbind], unlit, {}, {"palette": f.bound, "draw": None}),
        ("rest-skin", [nudge(f)], [], {}, skin, {"import": f.leaf, "skin": None}),
    ]


def suite(cases, times):
    head = {"version": 1, "goldens": "golden", "defaults": {"size": [96, 96], "times": times}}
    return json.dumps(dict(head, cases=cases))


def run(rigproof, *args):
    return subprocess.run([rigproof, *map(str, args)], capture_output=True, text=True)


def main():
    is_single = sys.argv[1] == "--one"
    rigproof, scratch, *models = sys.argv[1 + is_single:]
    scratch = pathlib.Path(scratch)
    table, golden, actual = [], [], []
    for folder in ("golden", "out"): # of a run before
        shutil.rmtree(scratch / folder, ignore_errors=True)
    (scratch / "golden-models").mkdir(parents=True, exist_ok=True)
    (scratch / "shaders").mkdir(exist_ok=True)
    shaders = pathlib.Path(__file__).resolve().parents[1] / "must-fail" / "normals-long"
    for file in shaders.iterdir():
        (scratch / "shaders" / file.name).write_bytes(file.read_bytes())
    for path in map(pathlib.Path, models):
        base = Model(path)
        imported = json.loads(run(rigproof, "inspect", "--json", path).stdout)
        weights = {}
        for mesh in imported["meshes"]:
            for bone in mesh["bones"]:
                weights[bone["bone"]] = weights.get(bone["bone"], 0) + bone["sum"]
        for name, changes, golden_changes, golden_keys, keys, wanted in (single_faults if is_single else scenarios)(Faults(base, weights)):
            case = f"{path.stem.lower().replace('_', '-')}-{name}"
            for folder, which in ((scratch, changes), (scratch / "golden-models", golden_changes)):
                model = Model(path)
                for change in which:
                    change(model)
                model.write(folder / f"{case}.glb")
            golden.append(dict({"name": case, "model": f"golden-models/{case}.glb", "clip": base.clip}, **golden_keys))
            actual.append(dict({"name": case, "model": f"{case}.glb", "clip": base.clip}, **keys))
            table.append((case, {stage: node if node is None else base.name(node) for stage, node in wanted.items()}, path))
    times = [0, 0.3, 0.7]
    (scratch / "golden.yaml").write_text(suite(golden, times))
    (scratch / "suite.yaml").write_text(suite(actual, times))
    accepted = run(rigproof, "accept", scratch / "golden.yaml", "--missing", "--force", "-o", scratch / "out" / "accept")
    if accepted.returncode:
        sys.exit(accepted.stdout + accepted.stderr)
    for case, _, path in table: # the import is that of the model as it is
        record = json.loads((scratch / "golden" / case / "recorded.json").read_text())
        base = run(rigproof, "inspect", "--json", path).stdout.replace(json.dumps(path.name), json.dumps(f"{case}.glb"), 1)
        (scratch / "golden" / "imports" / record["import_file"]).write_text(base)
    checked = run(rigproof, "check", scratch / "suite.yaml", "-o", scratch / "out" / "check")
    results = json.loads((scratch / "out" / "check" / "results.json").read_text())
    by_name, wrong = {each["name"]: each for each in results["cases"]}, 0
    for case, wanted, _ in table:
        result = by_name[case]
        named = {stage for stage, each in result["stages"].items() if each["state"] == "differs"}
        missed = [f"{stage}: {node}" for stage, node in wanted.items() if node and not any(
            f["stage"] == stage and f["subject"] == node and not f["explained"] and not f["benign"] for f in result["findings"])]
        good = named == set(wanted) and not missed and all(f"`{node}`" in result["headline"] for node in wanted.values() if node)
        moved_by = result["stages"]["draw"].get("by") # the matrix that is gone moves far more than what else differs
        good = good and not ("palette" in wanted and moved_by == "animate")
        wrong += not good
        print(f"{'ok ' if good else 'BAD'} {case:32} {' + '.join(f'{s} {n or str()}' for s, n in wanted.items())}")
        print(f"      {' '.join(s + ' ' + e['state'] + (' by ' + e['by'] if 'by' in e else '') + ';' for s, e in result['stages'].items())}")
        print(f"      {result['headline']}")
        if missed:
            print(f"      not named: {', '.join(missed)}")
    print(f"{len(table) - wrong} of {len(table)} right")
    if checked.returncode != 1:
        sys.exit(checked.stdout + checked.stderr)
    sys.exit(1 if wrong else 0)


main()
