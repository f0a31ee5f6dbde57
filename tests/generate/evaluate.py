#!/usr/bin/env python3
"""Holds the truth that `rigproof generate` writes against an evaluator of the glTF 2.0 specification.

usage: evaluate.py RIGPROOF [RANDOM [SEED]]

Generates all rules' rigs and RANDOM (default 100) of each size, reads the glTF files as the specification says, in double
precision and with the sines of slerp, and compares nodes, palette and vertices at every time. Prints the largest difference
as a share of the extent; exit code 1 where one is beyond 1e-6.
"""
import base64
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

CODES = {5120: ("b", 127), 5121: ("B", 255), 5122: ("h", 32767), 5123: ("H", 65535), 5125: ("I", 4294967295), 5126: ("f", 1)}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
LIMIT = 1e-6


class Gltf:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        if data[:4] == b"glTF":
            length = struct.unpack_from("<I", data, 12)[0]
            self.json, self.bytes = json.loads(data[20:20 + length]), data[28 + length:]
        else:
            self.json = json.loads(data)
            buffers = self.json.get("buffers", [])
            self.bytes = base64.b64decode(buffers[0]["uri"].split(",")[1]) if buffers else b""

    def elements(self, view, offset, count, code, width, normalised):
        letter, most = CODES[code]
        size = struct.calcsize(letter)
        view = self.json["bufferViews"][view]
        at, stride = view.get("byteOffset", 0) + offset, view.get("byteStride", size * width)
        rows = [struct.unpack_from("<%d%s" % (width, letter), self.bytes, at + i * stride) for i in range(count)]
        return [[max(x / most, -1) for x in row] for row in rows] if normalised else [list(row) for row in rows]

    def accessor(self, index):
        a = self.json["accessors"][index]
        width, code, normalised = WIDTHS[a["type"]], a["componentType"], a.get("normalized", False)
        rows = [[0.0] * width for _ in range(a["count"])]
        if "bufferView" in a:
            rows = self.elements(a["bufferView"], a.get("byteOffset", 0), a["count"], code, width, normalised)
        if "sparse" in a:
            s = a["sparse"]
            places = self.elements(s["indices"]["bufferView"], s["indices"].get("byteOffset", 0), s["count"],
                                   s["indices"]["componentType"], 1, False)
            values = self.elements(s["values"]["bufferView"], s["values"].get("byteOffset", 0), s["count"], code, width, normalised)
            for (place,), value in zip(places, values):
                rows[place] = value
        return rows


def unit(v):
    length = math.sqrt(sum(x * x for x in v))
    return [x / length for x in v] if length > 0 else v


def slerp(a, b, u):
    dot = sum(x * y for x, y in zip(a, b))
    if dot < 0:
        b, dot = [-x for x in b], -dot
    angle = 2 * math.asin(min(1, math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b))) / 2))
    if angle < 1e-9:
        return unit([x + (y - x) * u for x, y in zip(a, b)])
    return [(x * math.sin(angle * (1 - u)) + y * math.sin(angle * u)) / math.sin(angle) for x, y in zip(a, b)]


def multiply(a, b):
    return [[sum(a[r][i] * b[i][c] for i in range(4)) for c in range(4)] for r in range(4)]


def matrix_of(node):
    if "matrix" in node:
        return [[node["matrix"][4 * c + r] for c in range(4)] for r in range(4)]
    (x, y, z, w), s, t = unit(node["rotation"]), node["scale"], node["translation"]
    turn = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return [[turn[r][c] * s[c] for c in range(3)] + [t[r]] for r in range(3)] + [[0, 0, 0, 1]]


class Pose:
    def __init__(self, gltf, clip, time):
        self.gltf, j = gltf, gltf.json
        none = {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]}
        self.nodes = [{**none, **node} for node in j["nodes"]]
        for node in self.nodes:
            if "mesh" in node and "weights" not in node:
                mesh = j["meshes"][node["mesh"]]
                node["weights"] = mesh.get("weights", [0] * len(mesh["primitives"][0].get("targets", [])))
        if clip is not None:
            self.play(j["animations"][clip], time)
        self.globals = [None] * len(self.nodes)
        self.order = []
        for root in j["scenes"][j.get("scene", 0)]["nodes"]:
            self.walk(root, [[float(r == c) for c in range(4)] for r in range(4)])

    def play(self, clip, time):
        for channel in clip["channels"]:
            target, sampler = channel["target"], clip["samplers"][channel["sampler"]]
            if "node" not in target:
                continue
            times = [row[0] for row in self.gltf.accessor(sampler["input"])]
            values, path = self.gltf.accessor(sampler["output"]), target["path"]
            if path == "weights":
                flat = [row[0] for row in values]
                width = len(flat) // len(times) // (3 if sampler["interpolation"] == "CUBICSPLINE" else 1)
                values = [flat[i:i + width] for i in range(0, len(flat), width)]
            value = self.sample(times, values, sampler["interpolation"], path, time)
            self.nodes[target["node"]][path] = unit(value) if path == "rotation" else value

    @staticmethod
    def sample(times, values, how, path, time):
        cubic = how == "CUBICSPLINE"
        at = (lambda k: values[3 * k + 1]) if cubic else (lambda k: values[k])
        if time <= times[0]:
            return at(0)
        if time >= times[-1]:
            return at(len(times) - 1)
        k = max(i for i, t in enumerate(times) if t <= time)
        d = times[k + 1] - times[k]
        u = (time - times[k]) / d
        if how == "STEP":
            return at(k)
        if cubic:
            return [(2 * u ** 3 - 3 * u ** 2 + 1) * v0 + d * (u ** 3 - 2 * u ** 2 + u) * b0 + (3 * u ** 2 - 2 * u ** 3) * v1 +
                    d * (u ** 3 - u ** 2) * a1
                    for v0, b0, v1, a1 in zip(at(k), values[3 * k + 2], at(k + 1), values[3 * k + 3])]
        if path == "rotation":
            return slerp(unit(at(k)), unit(at(k + 1)), u)
        return [a + (b - a) * u for a, b in zip(at(k), at(k + 1))]

    def walk(self, index, above):
        self.order.append(index)
        self.globals[index] = multiply(above, matrix_of(self.nodes[index]))
        for child in self.nodes[index].get("children", []):
            self.walk(child, self.globals[index])

    def palette(self, index):
        node = self.nodes[index]
        if "skin" not in node:
            return {index: self.globals[index]}, [index]
        skin = self.gltf.json["skins"][node["skin"]]
        one = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        inverse = self.gltf.accessor(skin["inverseBindMatrices"]) if "inverseBindMatrices" in skin else [one] * len(skin["joints"])
        return {j: multiply(self.globals[j], [[m[4 * c + r] for c in range(4)] for r in range(4)])
                for j, m in zip(skin["joints"], inverse)}, skin["joints"]

    def vertices(self, index):
        node = self.nodes[index]
        primitive = self.gltf.json["meshes"][node["mesh"]]["primitives"][0]
        attributes = {name: self.gltf.accessor(a) for name, a in primitive["attributes"].items()}
        points = attributes["POSITION"]
        for weight, target in zip(node["weights"], primitive.get("targets", [])):
            points = [[p + weight * d for p, d in zip(*pair)] for pair in zip(points, self.gltf.accessor(target["POSITION"]))]
        matrices, joints = self.palette(index)
        out = []
        for v, point in enumerate(points):
            influences = [(1, matrices[index])] if "skin" not in node else [
                (w, matrices[joints[j]]) for s in range(2) if "JOINTS_%d" % s in attributes
                for j, w in zip(attributes["JOINTS_%d" % s][v], attributes["WEIGHTS_%d" % s][v])]
            out.append([sum(w * (sum(m[r][i] * point[i] for i in range(3)) + m[r][3]) for w, m in influences) for r in range(3)])
        return out


def gap(a, b):
    return max((abs(x - y) for x, y in zip(a, b)), default=0)


def compare(gltf, clip, pose):
    """The largest difference of a pose, as a share of its extent."""
    mine = Pose(gltf, clip, pose["time"])
    named = [(gltf.json["nodes"][i].get("name", "node %d" % i), i) for i in mine.order]
    assert sorted(n for n, _ in named) == sorted(n["name"] for n in pose["nodes"]), "other nodes"
    flat = [x for node in pose["nodes"] for x in node["global"][3::4]] + [x for s in pose["skin"] for p in s["positions"] for x in p]
    extent = max(max(flat) - min(flat), 1e-3)
    pairs = [(g, [x for row in mine.globals[i][:3] for x in row]) for g, i in pair(pose["nodes"], named, "name", "global")]
    meshes = [i for i in mine.order if "mesh" in mine.nodes[i]]
    assert len(meshes) == len(pose["skin"]), "other meshes"
    assert len(pose["palette"]) == sum(len(mine.palette(i)[1]) for i in meshes), "another palette"
    free = list(pose["skin"])
    for i in meshes:
        name = gltf.json["meshes"][mine.nodes[i]["mesh"]]["name"]
        points = mine.vertices(i)
        best = min((s for s in free if s["mesh"] == name), key=lambda s: max(map(gap, s["positions"], points)))
        free.remove(best)
        pairs += zip(best["positions"], points)
    for entry in pose["palette"]:
        candidates = [m for i in meshes for j, m in mine.palette(i)[0].items()
                      if gltf.json["nodes"][j].get("name", "node %d" % j) == entry["bone"]]
        pairs.append(min(((entry["matrix"], [x for row in m[:3] for x in row]) for m in candidates), key=lambda p: gap(*p)))
    return max(gap(a, b) / max(extent, max(map(abs, a))) for a, b in pairs)


def pair(theirs, named, name, value):
    """Of several nodes of one name each with the nearest that is free is enough: their order is another one in the file."""
    free = list(named)
    for node in theirs:
        at = next(k for k, (n, _) in enumerate(free) if n == node[name])
        yield node[value], free.pop(at)[1]


def check(folder):
    worst, count = 0.0, 0
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".truth.json"):
            continue
        stem = os.path.join(folder, name[:-len(".truth.json")])
        gltf = Gltf(stem + (".gltf" if os.path.exists(stem + ".gltf") else ".glb"))
        with open(stem + ".truth.json", encoding="utf-8") as file:
            poses = json.load(file)["poses"]
        with open(os.path.join(folder, "suite.yaml"), encoding="utf-8") as file:
            clip = file.read().split("name: %s\n" % os.path.basename(stem))[1].split("clip: ")[1].split()[0]
        for pose in poses:
            off = compare(gltf, None if clip == "none" else int(clip), pose)
            worst, count = max(worst, off), count + 1
            if not off <= LIMIT:
                print("%s at %g s: off by %.3g of the extent" % (stem, pose["time"], off))
    return worst, count


def main():
    program, random, seed = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "100", sys.argv[3] if len(sys.argv) > 3 else "1"
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        runs = [["rules"]] + [[size, "--seed", seed, "--count", random, "--size", size, "--glb"] for size in ("small", "medium")]
        for number, (name, *arguments) in enumerate(runs):
            folder = os.path.join(scratch, str(number))
            subprocess.run([program, "generate", "-o", folder, "-q", *arguments], check=True)
            worst, count = check(folder)
            print("%s: %d poses, off by at most %.3g of the extent" % (name, count, worst))
            failed = failed or not worst <= LIMIT or count == 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
