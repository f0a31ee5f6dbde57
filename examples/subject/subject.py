#!/usr/bin/env python3
"""A glTF evaluator as a subject of rigproof: LINEAR and STEP clips of a .gltf with its data inside, up to the clip's end."""
import base64, json, math, struct, sys

def read(gltf, accessor):
    a, size = gltf["accessors"][accessor], {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[gltf["accessors"][accessor]["type"]]
    view = gltf["bufferViews"][a["bufferView"]]
    data, at = base64.b64decode(gltf["buffers"][view["buffer"]]["uri"].split(",")[1]), view.get("byteOffset", 0) + a.get("byteOffset", 0)
    return [struct.unpack_from(f"<{size}f", data, at + 4 * size * i) for i in range(a["count"])]

def mix(a, b, u, dot, angle):
    p, q = (math.sin((1 - u) * angle) / math.sin(angle), math.sin(u * angle) / math.sin(angle)) if angle > 1e-4 else (1 - u, u)
    return [p * x + math.copysign(q, dot) * y for x, y in zip(a, b)]

def pose(model, clip, time):
    gltf = json.load(open(model))
    parents = {child: i for i, node in enumerate(gltf["nodes"]) for child in node.get("children", [])}
    nodes = [{"name": n["name"], "parent_index": parents.get(i), "t": n.get("translation", [0, 0, 0]), "r": n.get("rotation"),
              "s": n.get("scale")} for i, n in enumerate(gltf["nodes"])]
    animation = next(a for a in gltf["animations"] if a["name"] == clip) if clip else {"channels": []}
    for channel in animation["channels"]:
        sampler, path = animation["samplers"][channel["sampler"]], channel["target"]["path"]
        times, keys = [key[0] for key in read(gltf, sampler["input"])], read(gltf, sampler["output"])
        assert len(keys) == len(times), "of CUBICSPLINE nothing is known here"
        k = max(sum(t <= time for t in times) - 1, 0)
        n = k if time <= times[0] or k + 1 == len(times) or sampler.get("interpolation") == "STEP" else k + 1
        dot = sum(x * y for x, y in zip(keys[k], keys[n])) if path == "rotation" else 1
        u = (time - times[k]) / (times[n] - times[k]) if n > k else 0
        nodes[channel["target"]["node"]][path[0]] = mix(keys[k], keys[n], u, dot, math.acos(min(abs(dot), 1)))
    return nodes

for request in map(json.loads, sys.stdin):
    answer = {"protocol": "rigproof.subject/1", "name": "example.py", "gives": ["nodes"]}
    if request["request"] == "pose":
        try: answer = {"id": request["id"], "nodes": pose(request["model"], request["clip"], request["time"])}
        except Exception as why: answer = {"id": request["id"], "error": repr(why)}
    print(json.dumps(answer), flush=True)
