"""Engines of the tutorials' ways against `rigproof dump`: check_tutorials.py RIGPROOF TUTORIALS FIXTURES

Without a fault each agrees with the reference; each fault changes what it answers for some model."""
import json
import math
import subprocess
import sys


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def rows(numbers, storage):
    return [numbers[4 * c + r] for r in range(3) for c in range(4)] if storage == "column" else list(numbers[:12])


def read(text):
    """Nodes, palette entries and skinned positions as lists of numbers by name."""
    pose = json.loads(text)
    storage = pose["matrices"].split("-")[0]
    out = {}
    for n in pose["nodes"]:
        out.setdefault(("node", n["name"]), rows(n["global"], storage))
    for p in pose.get("palette", []):
        out.setdefault(("palette", p["bone"]), rows(p["matrix"], storage))
    for s in pose.get("skin", []):
        for key, kind in (("positions", "skin"), ("normals", "normals")):
            out.setdefault((kind, s["mesh"]), [x for point in s.get(key, []) for x in point])
    return out


def reference(rigproof, model, clip, time, space):
    text = run(rigproof, "dump", model, "--clip", clip, "--time", str(time), "--space", space, "--format", "json", "--vertices",
               "--stage", "local,global,palette,skin", "--influences", "all")
    return read(text)


def difference(ours, theirs, stages):
    """The largest difference of a number, and where; what only one has does not count, but for numbers of an entry."""
    worst = (0, None)
    for key, numbers in theirs.items():
        if key[0] in stages and numbers and ours.get(key):
            if len(numbers) != len(ours[key]):
                return math.inf, key
            worst = max([worst] + [(abs(a - b), key) for a, b in zip(ours[key], numbers)], key=lambda w: w[0])
    return worst


# Where each way is right, and the stages in which its text has no method of its own (weights in bytes, weights dropped).
AGREES = [("strip/strip.gltf", "linear-rotation", "0.25"), ("strip/strip.gltf", "flip", "0.3"), ("walker/walker.glb", "walk", "0.3"),
          ("walker/walker.dae", "0", "0.3")]
PROVES_NO_SKIN = ("palette-article", "thesis")
# Every mistake shows on one of these; the cheap ones first.
SHOWS = [("strip/strip.gltf", "flip", "0.3"), ("strip/strip.gltf", "linear-scale", "1.7"), ("strip/strip.gltf", "linear-translation", "2"),
         ("strip/strip.gltf", "linear-rotation", "2.3"), ("stride/stride.gltf", "step", "0.3"), ("curves/pivot.fbx", "0", "0.3"),
         ("sheaf/sheaf.x", "0", "0.3"), ("ticks/ticks.x", "0", "0.3"), ("twins/twins.gltf", "turn", "0.3"), ("walker/walker.fbx", "1", "0.3"),
         ("walker/walker.dae", "0", "0.3"), ("walker/walker.glb", "walk", "0.3"), ("crowd/crowd.glb", "0", "0.3")]
NEEDS_ANOTHER_MODEL = [("ogldev", "bones-cut")]  # the fixture with so many bones has too many influences for it
STAGES = ("node", "palette", "skin", "normals")


def main():
    rigproof, tutorials, fixtures = sys.argv[1:4]
    bad, runs = [], 0
    for way in run(tutorials, "--ways").split():
        def pose(model, clip, time, *faults):
            try:
                return read(run(tutorials, "--way", way, *faults, "--pose", f"{fixtures}/{model}", clip, time))
            except RuntimeError as why:
                return str(why)
        for model, clip, time in AGREES:
            truth = reference(rigproof, f"{fixtures}/{model}", clip, time, "root" if way == "ogldev" else "scene")
            worst = difference(truth, pose(model, clip, time), STAGES[:2] if way in PROVES_NO_SKIN else STAGES)
            if worst[0] > 2e-5 or not any(k[0] == "palette" for k in truth):
                bad.append(f"{way}: {model} {clip}: {worst}")
        healthy = {}
        for fault in run(tutorials, "--way", way, "--faults").split():
            for case in SHOWS:
                runs += 1
                if case not in healthy:
                    healthy[case] = pose(*case)
                faulty = pose(*case, "--fault", fault)
                if isinstance(healthy[case], str) or isinstance(faulty, str):
                    shows = isinstance(healthy[case], str) != isinstance(faulty, str)
                else:
                    shows = difference(healthy[case], faulty, STAGES)[0] > 1e-6 or healthy[case].keys() != faulty.keys()
                if shows:
                    break
            else:
                if (way, fault) not in NEEDS_ANOTHER_MODEL:
                    bad.append(f"{way}: {fault} changes nothing")
    print("\n".join(bad) or f"tutorials: agree where they are right; every mistake shows ({runs} poses)")
    return 1 if bad or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
