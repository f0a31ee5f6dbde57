#!/usr/bin/env python3
"""A small engine as a subject of rigproof: engine.py [MISTAKE [CONVENTION [GIVES]]]

Evaluates glTF 2.0 by its specification, with the standard library alone, and makes one of forty mistakes on the way if asked
to. It answers in a convention of its own, and gives what of nodes, palette and skin it is told to (comma between)."""
import binascii
import json
import math
import os
import struct
import sys

# A matrix is its first three rows, 12 numbers; column vectors.
ONE = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0)


def mul(a, b):
    return tuple(a[4 * r] * b[c] + a[4 * r + 1] * b[4 + c] + a[4 * r + 2] * b[8 + c] + (a[4 * r + 3] if c == 3 else 0)
                 for r in range(3) for c in range(4))


def product(*matrices):
    out = ONE
    for m in matrices:
        out = mul(out, m)
    return out


def point(m, p):
    x, y, z = p
    return (m[0] * x + m[1] * y + m[2] * z + m[3], m[4] * x + m[5] * y + m[6] * z + m[7],
            m[8] * x + m[9] * y + m[10] * z + m[11])


def inverse(m):
    a, b, c, _, d, e, f, _, g, h, i, _ = m
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if abs(det) < 1e-30:
        return ONE
    r = ((e * i - f * h) / det, (c * h - b * i) / det, (b * f - c * e) / det, (f * g - d * i) / det, (a * i - c * g) / det,
         (c * d - a * f) / det, (d * h - e * g) / det, (b * g - a * h) / det, (a * e - b * d) / det)
    t = [-sum(r[3 * k + j] * m[4 * j + 3] for j in range(3)) for k in range(3)]
    return (*r[0:3], t[0], *r[3:6], t[1], *r[6:9], t[2])


def turned(m):
    """Its upper 3x3 transposed."""
    return (m[0], m[4], m[8], m[3], m[1], m[5], m[9], m[7], m[2], m[6], m[10], m[11])


def scaling(s):
    return (s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0)


def compose(t, r, s, order="trs"):
    x, y, z, w = r
    n = x * x + y * y + z * z + w * w or 1
    f = 2 / n
    parts = {"t": (1, 0, 0, t[0], 0, 1, 0, t[1], 0, 0, 1, t[2]), "s": (s[0], 0, 0, 0, 0, s[1], 0, 0, 0, 0, s[2], 0),
             "r": (1 - f * (y * y + z * z), f * (x * y - w * z), f * (x * z + w * y), 0,
                   f * (x * y + w * z), 1 - f * (x * x + z * z), f * (y * z - w * x), 0,
                   f * (x * z - w * y), f * (y * z + w * x), 1 - f * (x * x + y * y), 0)}
    return product(*(parts[k] for k in order))


SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
TYPES = {5120: ("b", 127), 5121: ("B", 255), 5122: ("h", 32767), 5123: ("H", 65535), 5125: ("I", 1), 5126: ("f", 1)}


class Model:
    def __init__(self, path):
        raw, self.chunk, self.folder, self.read = open(path, "rb").read(), None, os.path.dirname(path), {}
        text = raw
        if raw[:4] == b"glTF":
            size = struct.unpack_from("<I", raw, 12)[0]
            text, self.chunk = raw[20:20 + size], raw[20 + size + 8:]
        g = self.gltf = json.loads(text.decode("utf-8-sig"))
        self.buffers = [self.buffer(b) for b in g.get("buffers", [])]
        self.nodes = g.get("nodes", [])
        self.parent = {c: i for i, n in enumerate(self.nodes) for c in n.get("children", [])}
        scene, todo, self.order = g["scenes"][g.get("scene", 0)], [], []
        todo = list(reversed(scene.get("nodes", [])))
        while todo:
            self.order.append(todo.pop())
            todo += reversed(self.nodes[self.order[-1]].get("children", []))
        self.clips = g.get("animations", [])
        self.joints = {j for s in g.get("skins", []) for j in s["joints"]}
        self.drawn = [n for n in self.order if "mesh" in self.nodes[n]]
        self.rest = [self.given(n) for n in self.nodes]
        self.bind = self.globals(self.rest, set())

    def buffer(self, b):
        uri = b.get("uri")
        if uri is None:
            return self.chunk
        if uri.startswith("data:"):
            return binascii.a2b_base64(uri.split(",", 1)[1])
        import urllib.parse  # half of the time that a start takes
        return open(os.path.join(self.folder, urllib.parse.unquote(uri)), "rb").read()

    def accessor(self, index):
        if index not in self.read:
            a = self.gltf["accessors"][index]
            size, (kind, most) = SIZES[a["type"]], TYPES[a["componentType"]]
            width, out = struct.calcsize(kind) * size, [(0,) * size] * a["count"]
            if "bufferView" in a:
                out = self.elements(a["bufferView"], a.get("byteOffset", 0), kind, size, width, a["count"])
            if "sparse" in a:
                s = a["sparse"]
                k = TYPES[s["indices"]["componentType"]][0]
                at = self.elements(s["indices"]["bufferView"], s["indices"].get("byteOffset", 0), k, 1, struct.calcsize(k), s["count"])
                for (i,), v in zip(at, self.elements(s["values"]["bufferView"], s["values"].get("byteOffset", 0), kind, size, width, s["count"])):
                    out[i] = v
            if a.get("normalized"):
                out = [tuple(max(x / most, -1) for x in v) for v in out]
            self.read[index] = out
        return self.read[index]

    def elements(self, view, offset, kind, size, width, count):
        v = self.gltf["bufferViews"][view]
        at, stride = v.get("byteOffset", 0) + offset, v.get("byteStride") or width
        return [struct.unpack_from(f"<{size}{kind}", self.buffers[v["buffer"]], at + stride * i) for i in range(count)]

    def given(self, node):
        if "matrix" in node:
            m = node["matrix"]
            return {"matrix": tuple(m[4 * c + r] for r in range(3) for c in range(4))}
        return {"t": node.get("translation", (0, 0, 0)), "r": node.get("rotation", (0, 0, 0, 1)), "s": node.get("scale", (1, 1, 1))}

    def name(self, n):
        return self.nodes[n].get("name", f"nodes[{n}]")

    def above(self, n):
        while n in self.parent:
            n = self.parent[n]
            yield n

    def root(self):
        return self.order[0]

    def armature(self):
        """The node above the joints that is none, where there is one; else the root."""
        tops = [self.parent.get(j) for j in self.order if j in self.joints and self.parent.get(j) not in self.joints]
        return tops[0] if tops and tops[0] is not None else self.root()

    def globals(self, locals_, mistakes, of_parent=None):
        out, matrices = {}, {}
        for n in self.order:
            l = locals_[n]
            m = l.get("matrix") or compose(l["t"], l["r"], l["s"], "tsr" if "tsr-order" in mistakes else "trs")
            if ("root-dropped" in mistakes and n == self.root()) or ("armature-dropped" in mistakes and n == self.armature()):
                m = ONE
            if "armature-twice" in mistakes and n == self.armature():
                m = mul(m, m)
            matrices[n] = m
            up = self.parent.get(n)
            above = ONE if up is None else (of_parent or out)[up]
            out[n] = mul(m, above) if "parent-order" in mistakes else mul(above, m)
        return out


def mix(a, b, u, spherical, mistakes):
    """Two keys of a component."""
    if not spherical:
        return tuple(x + (y - x) * u for x, y in zip(a, b))
    dot = sum(x * y for x, y in zip(a, b))
    if (dot < 0) != ("long-way" in mistakes):
        b, dot = tuple(-y for y in b), -dot
    angle = math.acos(max(-1.0, min(1.0, dot)))
    if "nlerp" in mistakes or math.sin(angle) < 1e-5:
        return tuple(x + (y - x) * u for x, y in zip(a, b))
    p, q = math.sin((1 - u) * angle) / math.sin(angle), math.sin(u * angle) / math.sin(angle)
    return tuple(p * x + q * y for x, y in zip(a, b))


def sample(times, keys, how, path, at, mistakes):
    cubic = how == "CUBICSPLINE"
    value = (lambda k: keys[3 * k + 1]) if cubic else (lambda k: keys[k])
    if at <= times[0][0] or len(times) == 1:
        return value(0)
    if at >= times[-1][0]:
        return value(len(times) - 1)
    k = max(i for i in range(len(times)) if times[i][0] <= at)
    length = times[k + 1][0] - times[k][0]
    u = (at - times[k][0]) / length
    if how == "STEP" or "linear-as-step" in mistakes:
        return value(k)
    if not cubic:
        return mix(value(k), value(k + 1), u, path == "rotation", mistakes)
    a, b = 2 * u ** 3 - 3 * u ** 2 + 1, u ** 3 - 2 * u ** 2 + u
    c, d = -2 * u ** 3 + 3 * u ** 2, u ** 3 - u ** 2
    return tuple(a * p + b * length * m + c * q + d * length * n
                 for p, m, q, n in zip(value(k), keys[3 * k + 2], value(k + 1), keys[3 * k + 3]))


def times_of(model, clip):
    ends = [t[0] for s in model.clips[clip]["samplers"] for t in model.accessor(s["input"])]
    return (min(ends), max(ends)) if ends else (0, 0)


def animate(model, clip, time, mistakes):
    """Local transforms, and weights of morph targets by node."""
    locals_ = [dict(l) for l in model.rest]
    weights = {n: list(model.nodes[n].get("weights") or model.gltf["meshes"][model.nodes[n]["mesh"]].get("weights") or [])
               for n in model.drawn}
    if clip is None or "not-animated" in mistakes:
        return locals_, weights
    if "other-clip" in mistakes:
        clip = (clip + 1) % len(model.clips)
    end = times_of(model, clip)[1]
    time = end - time if "backwards" in mistakes else time / 2 if "time-scale" in mistakes else time + 0.1 if "time-shift" in mistakes else time
    for channel in model.clips[clip]["channels"]:
        n, path = channel["target"].get("node"), channel["target"]["path"]
        sampler = model.clips[clip]["samplers"][channel["sampler"]]
        if n is None:
            continue
        times, keys = model.accessor(sampler["input"]), model.accessor(sampler["output"])
        if path == "weights":
            size = len(keys) // len(times)
            keys = [tuple(k[0] for k in keys[i:i + size // (3 if sampler.get("interpolation") == "CUBICSPLINE" else 1)])
                    for i in range(0, len(keys), size // (3 if sampler.get("interpolation") == "CUBICSPLINE" else 1))]
        value = sample(times, keys, sampler.get("interpolation", "LINEAR"), path, time, mistakes)
        if path == "weights":
            weights[n] = list(value)
            continue
        if "matrix" in locals_[n]:
            locals_[n] = {"t": (0, 0, 0), "r": (0, 0, 0, 1), "s": (1, 1, 1)}
        if path == "rotation" and "quaternion-order" in mistakes:
            value = (*value[1:], value[0])
        if path == "rotation" and "quaternion-conjugated" in mistakes:
            value = (*(-x for x in value[:3]), value[3])
        if path == "translation" and "key-unit" in mistakes:
            value = tuple(0.01 * x for x in value)
        if path == "translation" and "key-axes" in mistakes:
            value = (value[0], value[2], -value[1])
        if (path == "scale" and "scale-dropped" in mistakes) or (path == "translation" and "translation-dropped" in mistakes):
            continue
        locals_[n][path[0]] = value
    if "components-missing" in mistakes:
        moved = {}
        for channel in model.clips[clip]["channels"]:
            moved.setdefault(channel["target"].get("node"), set()).add(channel["target"]["path"][0])
        for n, paths in moved.items():
            if n is not None and paths & {"t", "r", "s"}:
                for path, value in (("t", (0, 0, 0)), ("r", (0, 0, 0, 1)), ("s", (1, 1, 1))):
                    if path not in paths:
                        locals_[n][path] = value
    return locals_, weights


VIEW = (0.8, 0, -0.6, 0.3, 0.24, 0.92, 0.32, -1.1, 0.552, -0.4, 0.736, -4, )


def in_front(model, n, globals_, mistakes):
    """What is multiplied into the palette of the mesh on a node from the left, by mistake."""
    root, rig = globals_[model.root()], globals_[model.armature()]
    return {"mesh-node-extra": globals_[n], "mesh-node-inverse": inverse(globals_[n]), "root-inverse-extra": inverse(root),
            "root-extra": root, "armature-inverse": inverse(rig), "camera-space": VIEW}.get(next(iter(mistakes), ""), ONE)


def behind(model, n, globals_, mistakes):
    """The same of vertices alone, after they were skinned."""
    up = model.parent.get(n)
    local = mul(inverse(globals_[up]), globals_[n]) if up is not None else globals_[n]
    return {"vertices-by-mesh-node": globals_[n], "vertices-by-mesh-local": local, "vertices-by-root-inverse": inverse(globals_[model.root()]),
            "vertices-by-armature": globals_[model.armature()], "vertices-in-camera-space": VIEW, "vertices-in-metres": scaling(0.01),
            "vertices-z-up": (1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0), "vertices-mirrored": (-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0),
            }.get(next(iter(mistakes), ""), ONE)


def palette_of(model, n, globals_, mistakes):
    skin = model.gltf["skins"][model.nodes[n]["skin"]]
    joints, count = skin["joints"], len(skin["joints"])
    offsets = [ONE] * count
    if "inverseBindMatrices" in skin:
        offsets = [tuple(m[4 * c + r] for r in range(3) for c in range(4)) for m in model.accessor(skin["inverseBindMatrices"])]
    change = {"offset-missing": lambda o: ONE, "offset-transposed": turned, "offset-inverted": inverse,
              "offset-unit": lambda o: tuple(x * (0.01 if i % 4 == 3 else 1) for i, x in enumerate(o))}.get(next(iter(mistakes), ""))
    offsets = [change(o) for o in offsets[:count]] if change else offsets[:count]
    if "offset-of-other" in mistakes:
        offsets = offsets[1:] + offsets[:1]
    out, front = [], in_front(model, n, globals_, mistakes)
    for j, o in zip(joints, offsets):
        m = mul(o, globals_[j]) if "offset-order" in mistakes else mul(globals_[j], o)
        out.append(mul(front, turned(m) if "palette-transposed" in mistakes else m))
    if "index-shift" in mistakes:
        out = out[1:] + out[:1]
    return joints, out[::-1] if "index-reversed" in mistakes else out


def vertices_of(model, n, primitive, palette, globals_, weights, mistakes):
    at = primitive["attributes"]
    positions = [list(p) for p in model.accessor(at["POSITION"])]
    for w, target in zip(weights, primitive.get("targets", [])):
        if w and "POSITION" in target and "morph-dropped" not in mistakes:
            for p, d in zip(positions, model.accessor(target["POSITION"])):
                p[0] += w * d[0]
                p[1] += w * d[1]
                p[2] += w * d[2]
    after = behind(model, n, globals_, mistakes)
    if palette is None or "JOINTS_0" not in at:
        m = after if palette is not None else globals_[n] if "vertices-by" in "".join(mistakes) else mul(after, globals_[n])
        return [point(m, p) for p in positions]
    if "not-skinned" in mistakes:
        return [point(after, p) for p in positions]
    sets = [k[7:] for k in at if k.startswith("JOINTS_")]
    joints = [sum(v, ()) for v in zip(*(model.accessor(at["JOINTS_" + k]) for k in sets))]
    shares = [sum(v, ()) for v in zip(*(model.accessor(at["WEIGHTS_" + k]) for k in sets))]
    if "neighbour-vertex" in mistakes:
        joints, shares = joints[1:] + joints[:1], shares[1:] + shares[:1]
    out = []
    for p, ids, ws in zip(positions, joints, shares):
        total = sum(ws) or 1
        pairs = [(0 if "ids-zero" in mistakes else j, w / total) for j, w in zip(ids, ws) if w]
        if "first-influence" in mistakes:
            pairs = pairs[:1]
        if "influence-dropped" in mistakes:
            pairs = sorted(pairs, key=lambda jw: -jw[1])[:max(1, len(pairs) - 1)]
        if "weights-shuffled" in mistakes:
            pairs = [(j, pairs[i - 1][1]) for i, (j, _) in enumerate(pairs)]
        x = y = z = 0.0
        for j, w in pairs:
            q = point(palette[j], p)
            x, y, z = x + w * q[0], y + w * q[1], z + w * q[2]
        out.append(point(after, (x, y, z)))
    return out


def pose(model, clip, time, mistakes):
    """(globals by node, [(node, mesh, joints, palette)], [(mesh, vertices)]) in the file's own space."""
    locals_, weights = animate(model, clip, time, mistakes)
    globals_ = model.globals(locals_, mistakes, model.bind if "stale-parent" in mistakes else None)
    palettes, skin = [], []
    for n in model.drawn:
        node, palette = model.nodes[n], None
        mesh = model.gltf["meshes"][node["mesh"]]
        if "skin" in node:
            joints, palette = palette_of(model, n, globals_, mistakes)
            palettes.append((n, mesh.get("name"), joints, palette))
        for primitive in mesh["primitives"]:
            skin.append((mesh.get("name"), vertices_of(model, n, primitive, palette, globals_, weights[n], mistakes)))
    return globals_, palettes, skin


MISTAKES = [
    "parent-order", "stale-parent", "tsr-order", "root-dropped", "armature-dropped", "armature-twice", "nlerp", "long-way",
    "linear-as-step", "other-clip", "not-animated", "backwards", "time-scale", "time-shift", "quaternion-order",
    "quaternion-conjugated", "key-unit", "key-axes", "scale-dropped", "translation-dropped", "components-missing",
    "mesh-node-extra", "mesh-node-inverse", "root-inverse-extra", "root-extra", "armature-inverse", "camera-space",
    "offset-missing", "offset-transposed", "offset-inverted", "offset-unit", "offset-of-other", "offset-order",
    "palette-transposed", "index-shift", "index-reversed",
    "vertices-by-mesh-node", "vertices-by-mesh-local", "vertices-by-root-inverse", "vertices-by-armature",
    "vertices-in-camera-space", "vertices-in-metres", "vertices-z-up", "vertices-mirrored",
    "morph-dropped", "not-skinned", "ids-zero", "first-influence", "influence-dropped", "weights-shuffled", "neighbour-vertex"]

Z_UP = (1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0)
LEFT_HANDED = (-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0)
# theirs = left * ours * inverse(right); what is declared; how matrices are stored; whether the palette is in the mesh's space.
CONVENTIONS = {
    "file": (ONE, ONE, {}, "columns", False),
    "unit": (scaling(0.01), scaling(0.01), {}, "rows", False),
    "z-up": (Z_UP, Z_UP, {}, "rows3x4", False),
    "left-handed": (LEFT_HANDED, ONE, {}, "columns", False),
    "mesh-space": (ONE, ONE, {}, "columns", True),
    "hundred": (scaling(100), scaling(100), {}, "columns", False),
    "mirrored": (LEFT_HANDED, LEFT_HANDED, {}, "rows", False),
    "declared": (product(scaling(0.01), Z_UP), product(scaling(0.01), Z_UP),
                 {"unit": 0.01, "axes": ["x", "-z", "y"], "storage": "columns", "space": "scene"}, "columns", False),
    "root": (ONE, ONE, {"space": "root", "storage": "rows3x4"}, "rows3x4", False),
}


def store(m, how):
    four = (*m, 0, 0, 0, 1)
    return list(m) if how == "rows3x4" else list(four) if how == "rows" else [four[4 * r + c] for c in range(4) for r in range(4)]


def answer(model, clip, time, mistakes, convention, gives):
    left, right, declared, how, in_mesh = CONVENTIONS[convention]
    globals_, palettes, skin = pose(model, clip, time, mistakes)
    back, out, root = inverse(right), {}, ONE
    if declared.get("space") == "root":
        root = inverse(model.bind[model.root()])
    if "nodes" in gives:
        place = {n: i for i, n in enumerate(model.order)}
        out["nodes"] = [{"name": model.name(n), "parent_index": place.get(model.parent.get(n)),
                         "global": store(product(left, globals_[n], back), how)} for n in model.order]
    if "palette" in gives:
        out["palette"] = [{"mesh": None if "lists" in gives else mesh, "bone": model.name(j),
                           "matrix": store(product(left, root, inverse(globals_[n]) if in_mesh else ONE, m, back), how)}
                          for n, mesh, joints, palette in palettes for j, m in zip(joints, palette)]
    if "skin" in gives:
        out["skin"] = [{"mesh": mesh, "positions": {"f32": binascii.b2a_base64(struct.pack(
            f"<{3 * len(ps)}f", *(x for p in ps for x in point(mul(left, root), p))), newline=False).decode()}} for mesh, ps in skin]
    return out


def main():
    mistake, convention, gives = (sys.argv[1:] + ["", "file", "nodes,palette,skin"][len(sys.argv) - 1:])[:3]
    models = {}
    for request in map(json.loads, sys.stdin):
        said = {"protocol": "rigproof.subject/1", "name": "live", "gives": gives.split(","), "conventions": CONVENTIONS[convention][2]}
        if request["request"] == "pose":
            try:
                path = request["model"]
                models[path] = models.get(path) or Model(path)
                said = {"id": request["id"], **answer(models[path], request.get("clip_index"), request["time"], {mistake}, convention, gives)}
            except Exception as why:  # noqa: BLE001
                said = {"id": request["id"], "error": repr(why)}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
