"""Reads glTF 2.0 and GLB into plain arrays. It is written from the specification and shares no code with rigproof."""
import base64
import json
import os
import struct
import urllib.parse

import numpy as np

F32 = np.float32
TYPES = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
COMPONENTS = {"translation": 3, "rotation": 4, "scale": 3}


class Node:
    """A node. t, r and s are its rest transform; matrix is set where the file's has more than they."""

    def __init__(self, index, json_node):
        self.index = index
        self.name = json_node.get("name") or f"nodes[{index}]"
        self.children = json_node.get("children", [])
        self.parent = None
        self.mesh = json_node.get("mesh")
        self.skin = json_node.get("skin")
        self.weights = json_node.get("weights")
        self.matrix = None
        self.from_matrix = "matrix" in json_node
        if self.from_matrix:
            matrix = np.array(json_node["matrix"], F32).reshape(4, 4).T
            self.t, self.r, self.s = decompose(matrix)
            if np.abs(compose(self.t, self.r, self.s) - matrix).max() > 1e-5 * max(1, np.abs(matrix).max()):
                self.matrix = matrix
        else:
            self.t = np.array(json_node.get("translation", (0, 0, 0)), F32)
            self.r = np.array(json_node.get("rotation", (0, 0, 0, 1)), F32)
            self.r /= np.linalg.norm(self.r) or F32(1)  # files round it to a few digits
            self.s = np.array(json_node.get("scale", (1, 1, 1)), F32)

    def rest(self, path):
        return {"translation": self.t, "rotation": self.r, "scale": self.s}[path]


class Channel:
    """Keys of one component of one node. values is [keys, width], or [keys, 3, width] of a cubic spline."""

    def __init__(self, node, path, times, values, interpolation):
        self.node, self.path, self.times, self.values, self.interpolation = node, path, times, values, interpolation


class Clip:
    def __init__(self, name, channels):
        self.name, self.channels = name, channels
        self.by = {}
        for channel in channels:
            self.by.setdefault((channel.node, channel.path), channel)
        self.start = float(min((c.times[0] for c in channels), default=0))
        self.end = float(max((c.times[-1] for c in channels), default=0))


class Primitive:
    """Vertices of one primitive: positions, joints and weights [vertices, influences], deltas of morph targets."""

    def __init__(self, name, positions, joints, weights, targets):
        self.name, self.positions, self.joints, self.weights, self.targets = name, positions, joints, weights, targets


class Skin:
    def __init__(self, joints, offsets, skeleton):
        self.joints, self.offsets, self.skeleton = joints, offsets, skeleton


def quaternion_matrix(q):
    """The rotation of a unit quaternion x, y, z, w as a 3x3 matrix for column vectors."""
    x, y, z, w = (F32(c) for c in q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]], F32)


def matrix_quaternion(m):
    """The quaternion x, y, z, w of a rotation matrix."""
    m = np.asarray(m, np.float64)
    four = np.array([1 + m[0, 0] - m[1, 1] - m[2, 2], 1 - m[0, 0] + m[1, 1] - m[2, 2],
                     1 - m[0, 0] - m[1, 1] + m[2, 2], 1 + m[0, 0] + m[1, 1] + m[2, 2]])
    largest = int(four.argmax())
    half = 2 * np.sqrt(max(four[largest], 1e-30))
    rows = {0: (half / 4, (m[0, 1] + m[1, 0]) / half, (m[0, 2] + m[2, 0]) / half, (m[2, 1] - m[1, 2]) / half),
            1: ((m[0, 1] + m[1, 0]) / half, half / 4, (m[1, 2] + m[2, 1]) / half, (m[0, 2] - m[2, 0]) / half),
            2: ((m[0, 2] + m[2, 0]) / half, (m[1, 2] + m[2, 1]) / half, half / 4, (m[1, 0] - m[0, 1]) / half),
            3: ((m[2, 1] - m[1, 2]) / half, (m[0, 2] - m[2, 0]) / half, (m[1, 0] - m[0, 1]) / half, half / 4)}
    return np.array(rows[largest], F32)


def compose(t, r, s):
    m = np.eye(4, dtype=F32)
    m[:3, :3] = quaternion_matrix(r) * np.asarray(s, F32)[None, :]
    m[:3, 3] = t
    return m


def decompose(m):
    """Translation, rotation and scale of a matrix; shear is lost."""
    linear = np.asarray(m[:3, :3], np.float64)
    scale = np.linalg.norm(linear, axis=0)
    if np.linalg.det(linear) < 0:
        scale[0] = -scale[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        rotation = np.where(np.abs(scale) > 1e-12, linear / scale, np.eye(3))
    return np.array(m[:3, 3], F32), matrix_quaternion(rotation), scale.astype(F32)


def normalised(values, kind):
    """Integers of a normalised accessor as the numbers from -1 to 1 that they stand for."""
    top = F32(np.iinfo(kind).max)
    return np.maximum(values.astype(F32) / top, F32(-1))


class Model:
    """A file: nodes, skins, meshes and clips. order lists the nodes of the scene, parents first."""

    def __init__(self, path):
        self.path = path
        self.json, self.binary = load_json(path)
        self.buffers = {}
        self.nodes = [Node(i, n) for i, n in enumerate(self.json.get("nodes", []))]
        for node in self.nodes:
            for child in node.children:
                self.nodes[child].parent = node.index
        scenes = self.json.get("scenes", [])
        self.roots = scenes[self.json.get("scene", 0)].get("nodes", []) if scenes else [
            n.index for n in self.nodes if n.parent is None]
        self.order = self.walk()
        self.meshes = [self.read_mesh(i, m) for i, m in enumerate(self.json.get("meshes", []))]
        self.mesh_weights = [m.get("weights") for m in self.json.get("meshes", [])]
        self.skins = [self.read_skin(s) for s in self.json.get("skins", [])]
        self.clips = [self.read_clip(i, a) for i, a in enumerate(self.json.get("animations", []))]
        self.skinned = [n for n in self.order if self.nodes[n].mesh is not None and self.nodes[n].skin is not None
                        and any(p.joints is not None for p in self.meshes[self.nodes[n].mesh])]

    def walk(self):
        found, waiting = [], list(self.roots)[::-1]
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting += self.nodes[node].children[::-1]
        return found

    def buffer(self, index):
        if index not in self.buffers:
            uri = self.json["buffers"][index].get("uri")
            if uri is None:
                self.buffers[index] = self.binary
            elif uri.startswith("data:"):
                self.buffers[index] = base64.b64decode(uri.split(",", 1)[1])
            else:
                with open(os.path.join(os.path.dirname(self.path), urllib.parse.unquote(uri)), "rb") as file:
                    self.buffers[index] = file.read()
        return self.buffers[index]

    def view(self, index, offset, kind, count, width):
        """count elements of width numbers that lie in a buffer view, with its stride."""
        view = self.json["bufferViews"][index]
        data = self.buffer(view["buffer"])
        size = np.dtype(kind).itemsize * width
        stride = view.get("byteStride") or size
        start = view.get("byteOffset", 0) + offset
        if count == 0:
            return np.zeros((0, width), kind)
        raw = np.frombuffer(data, np.uint8, (count - 1) * stride + size, start)
        rows = np.lib.stride_tricks.as_strided(raw, (count, size), (stride, 1))
        return np.ascontiguousarray(rows).view(np.dtype(kind).newbyteorder("<")).reshape(count, width).astype(kind)

    def accessor(self, index, as_float=True):
        accessor = self.json["accessors"][index]
        kind, width, count = TYPES[accessor["componentType"]], WIDTHS[accessor["type"]], accessor["count"]
        if "bufferView" in accessor:
            values = self.view(accessor["bufferView"], accessor.get("byteOffset", 0), kind, count, width)
        else:
            values = np.zeros((count, width), kind)
        if "sparse" in accessor:
            sparse = accessor["sparse"]
            at = self.view(sparse["indices"]["bufferView"], sparse["indices"].get("byteOffset", 0),
                           TYPES[sparse["indices"]["componentType"]], sparse["count"], 1)[:, 0]
            values[at] = self.view(sparse["values"]["bufferView"], sparse["values"].get("byteOffset", 0),
                                   kind, sparse["count"], width)
        if not as_float:
            return values
        return normalised(values, kind) if accessor.get("normalized") else values.astype(F32)

    def read_mesh(self, index, mesh):
        name = mesh.get("name") or f"meshes[{index}]"
        primitives = []
        for number, primitive in enumerate(mesh["primitives"]):
            attributes = primitive["attributes"]
            if "POSITION" not in attributes:
                continue
            positions = self.accessor(attributes["POSITION"])
            joints = weights = None
            sets = [k for k in range(4) if f"JOINTS_{k}" in attributes and f"WEIGHTS_{k}" in attributes]
            if sets:
                joints = np.hstack([self.accessor(attributes[f"JOINTS_{k}"], False).astype(int) for k in sets])
                weights = np.hstack([self.accessor(attributes[f"WEIGHTS_{k}"]) for k in sets])
            targets = [self.accessor(t["POSITION"]) if "POSITION" in t else np.zeros_like(positions)
                       for t in primitive.get("targets", [])]
            called = name if len(mesh["primitives"]) == 1 else f"{name}-{number}"
            primitives.append(Primitive(called, positions, joints, weights, targets))
        return primitives

    def read_skin(self, skin):
        joints = skin["joints"]
        offsets = np.broadcast_to(np.eye(4, dtype=F32), (len(joints), 4, 4)).copy()
        if "inverseBindMatrices" in skin:
            given = self.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
            offsets[:len(given)] = given[:len(joints)]
        return Skin(joints, offsets, skin.get("skeleton"))

    def read_clip(self, index, animation):
        channels = []
        for channel in animation["channels"]:
            node, path = channel["target"].get("node"), channel["target"]["path"]
            sampler = animation["samplers"][channel["sampler"]]
            if node is None or path not in ("translation", "rotation", "scale", "weights"):
                continue
            times = self.accessor(sampler["input"])[:, 0]
            values = self.accessor(sampler["output"])
            interpolation = sampler.get("interpolation", "LINEAR")
            if path == "weights":
                width = values.size // len(times) // (3 if interpolation == "CUBICSPLINE" else 1)
            else:
                width = COMPONENTS[path]
            shape = (len(times), 3, width) if interpolation == "CUBICSPLINE" else (len(times), width)
            channels.append(Channel(node, path, times, values.reshape(shape), interpolation))
        return Clip(animation.get("name") or "", channels)


def load_json(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"glTF":
        return json.loads(data), None
    at, document, binary = 12, None, b""
    while at + 8 <= len(data):
        length, kind = struct.unpack_from("<I4s", data, at)
        chunk = data[at + 8:at + 8 + length]
        if kind == b"JSON":
            document = json.loads(chunk)
        elif kind == b"BIN\0" and not binary:
            binary = chunk
        at += 8 + length
    return document, binary
