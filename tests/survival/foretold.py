"""What `inspect --for` foretells, held against engines that are written the texts' way: foretold.py RIGPROOF TUTORIALS FIXTURES

The engines of subjects/tutorials share nothing with rigproof but Assimp. Where one thing is wrong with a model, their vertices are as
far from rigproof's as it says, in the clip and at the time that it says; where several are, no farther than their sum."""
import base64
import json
import math
import struct
import subprocess
import sys

# Fixture, way. Left out: what a text's engine breaks on, what is drawn without a bone, and what the engine clamps (late keys, L and O).
MODELS = [("walker/walker.glb", "learnopengl"), ("walker/walker.glb", "thesis"), ("walker/walker.glb", "palette-article"),
          ("walker/walker.fbx", "ogldev"), ("walker/walker.dae", "ogldev"), ("walker/walker.fbx", "thesis"),
          ("sheaf/sheaf.x", "learnopengl"), ("sheaf/sheaf.x", "thesis"), ("sheaf/sheaf.x", "palette-article"),
          ("stride/stride.gltf", "learnopengl"), ("stride/stride.gltf", "ogldev"), ("twins/twins.gltf", "palette-article"),
          ("twins/twins.gltf", "ogldev"), ("limb/limb.mdl", "ogldev"), ("limb/limb.mdl", "thesis"),
          ("crowd/crowd.glb", "thesis"), ("broken/unnormalised-weights.gltf", "learnopengl")]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120).stdout


def points(array):
    numbers = array
    if isinstance(array, dict):
        data = base64.b64decode(array["f32"])
        numbers = struct.unpack(f"<{len(data) // 4}f", data)
    elif numbers and isinstance(numbers[0], list):
        return numbers
    return [numbers[i:i + 3] for i in range(0, len(numbers), 3)]


def measured(rigproof, tutorials, model, way, imported, when):
    """The largest distance of a skinned vertex at these pairs of clip and time."""
    skinned = [m["name"] for m in imported["meshes"] if m.get("bones")]
    names = [clip["name"] for clip in imported["clips"]]
    worst = 0
    with subprocess.Popen([tutorials, "--way", way], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        def ask(request):
            engine.stdin.write(json.dumps(request) + "\n")
            engine.stdin.flush()
            return json.loads(engine.stdout.readline())

        ask({"request": "hello", "protocol": "rigproof.subject/1"})
        for clip, time in when:
            pose = json.loads(run(rigproof, "dump", model, "--clip", clip, "--time", repr(time), "--influences", "all", "--stage",
                                  "skin", "--vertices", "--format", "json"))
            theirs = ask({"request": "pose", "id": 1, "model": model, "clip": clip, "clip_index": names.index(clip), "time": time,
                          "wants": ["skin"]})["skin"]
            ours = [mesh for mesh in pose["skin"] if mesh["mesh"] in skinned]
            assert len(ours) == len(theirs), f"{len(theirs)} meshes, not {len(ours)}"
            for a, b in zip(ours, theirs):
                p, q = points(a["positions"]), points(b["positions"])
                assert len(p) == len(q), f"{len(q)} vertices, not {len(p)}"
                worst = max([worst] + [math.dist(x, y) for x, y in zip(p, q)])
        engine.stdin.close()
    return worst


def main(rigproof, tutorials, fixtures):
    wrong = 0
    for name, way in MODELS:
        model = f"{fixtures}/{name}"
        told = json.loads(run(rigproof, "inspect", "--for", way, "--json", model))
        findings = [f for f in told["engines"][0]["findings"] if f["unit"] == "scene units" and f["check"] not in ("loop-end", "rest-pose")]
        costs = [f["measure"] for f in findings]
        imported = json.loads(run(rigproof, "inspect", "--json", model))
        when = {(f["clip"], f["time"]) for f in findings} or {(clip["name"], 0.4 * clip["duration"]) for clip in imported["clips"]}
        asked = measured(rigproof, tutorials, model, way, imported, sorted(when))
        largest, slack = max(costs, default=0), 1e-4 * told["radius"]
        if len(costs) > 1:
            good = asked <= sum(costs) + slack
        else:
            good = abs(asked - largest) <= 1e-3 * largest + slack
        wrong += not good
        print(f"{'ok' if good else 'WRONG'} {name} {way}: {asked:.6g} units, foretold {', '.join(f'{c:.6g}' for c in costs) or 'nothing'}")
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:]))
