"""Broken versions of a model file: its bytes, its numbers, and of glTF the JSON."""
import copy
import json
import re
import struct

WORDS = [0, 1, 2, 3, 0x7F, 0xFF, 0x100, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF, 0x7FC00000, 0x7F800000,
         0xFF800000, 0x7F7FFFFF, 1 << 24]
NUMBERS = ["0", "-0", "-1", "1", "2", "3", "255", "65535", "65536", "2147483647", "2147483648", "4294967295", "4294967296",
           "9007199254740993", "1e-45", "1e30", "3.5e38", "-1e308", "1e400", "nan", "inf", "0.5"]
VALUES = [None, True, {}, [], "", "x", -1, 0, 1, 2, 3, 255, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 0.5, -0.0, 1e-45,
          1e30, 1e300, 5120, 5121, 5123, 5125, 5126, "SCALAR", "VEC3", "VEC4", "MAT4", "STEP", "CUBICSPLINE", "LINEAR", "weights",
          "translation", "rotation", "scale"]


def break_bytes(data, random):
    data = bytearray(data)
    for _ in range(random.choice([1, 1, 2, 4, 16])):
        at = random.randrange(len(data) or 1)
        what = random.randrange(6)
        if what == 0 and data:
            data[at] ^= 1 << random.randrange(8)
        elif what == 1 and data:
            data[at] = random.randrange(256)
        elif what == 2:
            data[at:at + 4] = struct.pack("<I", random.choice(WORDS))
        elif what == 3:
            del data[at:at + random.choice([1, 4, 64, len(data)])]
        elif what == 4:
            data[at:at] = data[at:at + random.choice([1, 4, 64, 1024])]
        elif len(data) > 8:
            other = random.randrange(len(data))
            size = random.choice([4, 12, 64])
            data[at:at + size] = data[other:other + size]
    return bytes(data)


def break_numbers(data, random):
    numbers = list(re.finditer(rb"-?\b\d+(?:\.\d*)?(?:[eE][-+]?\d+)?\b", data))
    for number in sorted(random.sample(numbers, min(len(numbers), random.choice([1, 1, 2, 8]))), key=lambda n: -n.start()):
        other = random.choice(numbers).group() if random.random() < 0.3 else random.choice(NUMBERS).encode()
        data = data[:number.start()] + other + data[number.end():]
    return data


def places(value, found):
    """Every (container, key) below a value."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []:
        found.append((value, key))
        places(value[key], found)
    return found


def break_json(root, random):
    root = copy.deepcopy(root)
    for _ in range(random.choice([1, 1, 2, 3, 6])):
        all_places = places(root, [])
        if not all_places:
            break
        container, key = random.choice(all_places)
        other, other_key = random.choice(all_places)
        what = random.randrange(6)
        if what == 0:
            del container[key]
        elif what == 1 and isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        elif what == 2:
            container[key] = copy.deepcopy(other[other_key])
        elif what == 3 and isinstance(container[key], (int, float)):
            container[key] += random.choice([-1, 1, 4, 1000])
        else:
            container[key] = random.choice(VALUES)
    return root


def glb_parts(data):
    """JSON and the chunks behind it; None when it is no binary glTF."""
    if len(data) < 20 or data[:4] != b"glTF":
        return None
    size = struct.unpack_from("<I", data, 12)[0]
    try:
        return json.loads(data[20:20 + size]), data[20 + size:]
    except ValueError:
        return None


def break_glb(data, random):
    parts = glb_parts(data)
    if not parts:
        return break_bytes(data, random)
    text = json.dumps(break_json(parts[0], random)).encode()
    text += b" " * (-len(text) % 4)
    rest = parts[1]
    return struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest


def break_gltf(data, random):
    try:
        return json.dumps(break_json(json.loads(data), random)).encode()
    except ValueError:
        return break_bytes(data, random)


TEXTS = {"gltf", "x", "dae", "obj", "md5mesh", "md5anim", "smd", "bvh", "ase", "ac", "irrmesh", "xml", "ogex"}


def break_file(data, extension, random):
    ways = [break_bytes]
    ways += {"gltf": [break_gltf] * 4, "glb": [break_glb] * 4}.get(extension, [])
    if extension in TEXTS or (extension in ("fbx", "x") and b"\0" not in data[:1024]):
        ways += [break_numbers] * 2
    return random.choice(ways)(data, random)
