"""What the measurements run on: a character of as many triangles as asked for, and pictures."""

import array
import base64
import json
import math
import random
import struct
import zlib

SEGMENTS, BONES, SECONDS, RATE = 50, 20, 2.0, 30


def capsule(path, triangles):
    """A capsule along y on a chain of bones that sways: glTF with its data within, two influences a vertex."""
    rings = triangles // (2 * SEGMENTS)
    positions, normals, joints, weights, indices = (array.array(t) for t in "ffHfH")
    for r in range(rings + 1):
        along = r / rings
        width = 0.3 * math.sqrt(max(0.0, min(1.0, 12 * along, 12 * (1 - along))))
        bone = min(along * (BONES - 1), BONES - 1 - 1e-6)
        for s in range(SEGMENTS + 1):
            x, z = math.cos(math.tau * s / SEGMENTS), math.sin(math.tau * s / SEGMENTS)
            positions.extend((width * x, 2 * along, width * z))
            normals.extend((x, 0, z))
            joints.extend((int(bone), int(bone) + 1, 0, 0))
            weights.extend((1 - bone % 1, bone % 1, 0, 0))
    for r in range(rings):
        for s in range(SEGMENTS):
            a, b = r * (SEGMENTS + 1) + s, (r + 1) * (SEGMENTS + 1) + s
            indices.extend((a, b, a + 1, a + 1, b, b + 1))
    step = 2 / (BONES - 1)
    times = array.array("f", [k / RATE for k in range(int(SECONDS * RATE) + 1)])
    turns = array.array("f")
    for t in times:
        angle = 0.06 * math.sin(math.tau * t / SECONDS)
        turns.extend((0, 0, math.sin(angle / 2), math.cos(angle / 2)))
    binds = array.array("f")
    for b in range(BONES):
        binds.extend((1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -b * step, 0, 1))
    blobs = [(positions, 5126, "VEC3"), (normals, 5126, "VEC3"), (joints, 5123, "VEC4"), (weights, 5126, "VEC4"),
             (indices, 5123, "SCALAR"), (times, 5126, "SCALAR"), (turns, 5126, "VEC4"), (binds, 5126, "MAT4")]
    views, accessors, data = [], [], b""
    for i, (values, kind, shape) in enumerate(blobs):
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(values) * values.itemsize})
        count = len(values) // {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[shape]
        accessors.append({"bufferView": i, "componentType": kind, "count": count, "type": shape})
        data += values.tobytes() + bytes(-len(data) % 4)
    accessors[0].update(min=[-0.3, 0, -0.3], max=[0.3, 2, 0.3])
    accessors[5].update(min=[0], max=[SECONDS])
    nodes = [{"name": f"bone_{b}", "translation": [0, step if b else 0, 0], **({"children": [b + 1]} if b + 1 < BONES else {})}
             for b in range(BONES)] + [{"name": "body", "mesh": 0, "skin": 0}]
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, BONES]}], "nodes": nodes,
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1, "JOINTS_0": 2, "WEIGHTS_0": 3}, "indices": 4,
                                    "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [0.8, 0.5, 0.3, 1], "metallicFactor": 0}}],
        "skins": [{"joints": list(range(BONES)), "inverseBindMatrices": 7}],
        "animations": [{"name": "sway", "samplers": [{"input": 5, "output": 6}],
                        "channels": [{"sampler": 0, "target": {"node": b, "path": "rotation"}} for b in range(BONES)]}],
        "accessors": accessors, "bufferViews": views,
        "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
    }
    path.write_text(json.dumps(document))
    return path


def photo(path, width, height, changed=None, level=6):
    """A PNG of smooth noise. `changed`: None, "slightly" (a band of a hundredth of it) or "wholly" (every pixel)."""
    chance = random.Random(1)
    steps = bytes(chance.choices((0, 1, 255, 2, 254), (8, 4, 4, 1, 1), k=3 * width * 8))
    rows = []
    for y in range(height):
        start = chance.randrange(len(steps) - 3 * width)
        row = bytearray(steps[start:start + 3 * width])
        row[:3] = bytes((110 + 40 * (changed == "wholly") + (y >> 5),) * 3)  # filter 1: each pixel from the one before
        if changed == "slightly" and height // 2 <= y < height // 2 + height // 10:
            at = 3 * (width // 2)
            for c in range(3):
                row[at + c] = (row[at + c] + 60) % 256
                row[at + 3 * (width // 10) + c] = (row[at + 3 * (width // 10) + c] - 60) % 256
        rows.append(b"\1" + bytes(row))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"".join(rows), level)) +
                     chunk(b"IEND", b""))
    return path


def repacked(path, source):
    """The same picture in other bytes: its data deflated at another level."""
    data, out, pixels = source.read_bytes(), b"\x89PNG\r\n\x1a\n", b""
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        at += 12 + size
        pixels += body if kind == b"IDAT" else b""
        if kind == b"IEND":
            packed = zlib.compress(zlib.decompress(pixels), 4)
            out += struct.pack(">I", len(packed)) + b"IDAT" + packed + struct.pack(">I", zlib.crc32(b"IDAT" + packed))
        if kind != b"IDAT":
            out += data[at - 12 - size:at]
    path.write_bytes(out)
    return path
