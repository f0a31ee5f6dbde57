#!/usr/bin/env python3
"""A glTF evaluator as a subject of rigproof: local transforms of LINEAR and STEP clips. rigproof check ... --subject"""
import base64, bisect, json, math, os, struct, sys

def read(gltf, folder, accessor):
    a = gltf["accessors"][accessor]
    view = gltf["bufferViews"][a["bufferView"]]
    uri = gltf["buffers"][view["buffer"]]["uri"]
    data = base64.b64decode(uri.split(",")[1]) if uri.startswith("data:") else open(os.path.join(folder, uri), "rb").read()
    size = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
    numbers = struct.unpack_from(f"<{size * a['count']}f", data, view.get("byteOffset", 0) + a.get("byteOffset", 0))
    return [numbers[i:i + size] for i in range(0, len(numbers), size)]

def mix(a, b, u, turns):
    dot = sum(x * y for x, y in zip(a, b))
    angle = math.acos(min(abs(dot), 1)) if turns else 0
    p, q = (math.sin((1 - u) * angle) / math.sin(angle), math.sin(u * angle) / math.sin(angle)) if angle > 1e-4 else (1 - u, u)
    return [p * x + (-q if turns and dot < 0 else q) * y for x, y in zip(a, b)]

def pose(model, clip, time):
    gltf, parent = json.load(open(model)), {}
    for i, node in enumerate(gltf["nodes"]):
        parent.update({child: i for child in node.get("children", [])})
    nodes = [{"name": n["name"], "parent": gltf["nodes"][parent[i]]["name"] if i in parent else None,
              "t": n.get("translation", [0, 0, 0]), "r": n.get("rotation", [0, 0, 0, 1]), "s": n.get("scale", [1, 1, 1])}
             for i, n in enumerate(gltf["nodes"])]
    animation = next(a for a in gltf["animations"] if a["name"] == clip) if clip else {"channels": []}
    for channel in animation["channels"]:
        sampler, path = animation["samplers"][channel["sampler"]], channel["target"]["path"]
        times = [k[0] for k in read(gltf, os.path.dirname(model), sampler["input"])]
        keys = read(gltf, os.path.dirname(model), sampler["output"])
        if len(keys) != len(times):
            raise ValueError("only LINEAR and STEP keys are read here")
        k = max(bisect.bisect_right(times, time) - 1, 0)
        last = k + 1 == len(times) or time <= times[0] or sampler.get("interpolation") == "STEP"
        u = 0 if last else (time - times[k]) / (times[k + 1] - times[k])
        nodes[channel["target"]["node"]][path[0]] = list(keys[k]) if last else mix(keys[k], keys[k + 1], u, path == "rotation")
    return nodes

for line in sys.stdin:
    request = json.loads(line)
    if request["request"] == "hello":
        answer = {"protocol": "rigproof.subject/1", "name": "example.py", "gives": ["nodes"]}
    else:
        try:
            answer = {"id": request["id"], "nodes": pose(request["model"], request["clip"], request["time"])}
        except Exception as why:
            answer = {"id": request["id"], "error": f"{type(why).__name__}: {why}"}
    print(json.dumps(answer), flush=True)
