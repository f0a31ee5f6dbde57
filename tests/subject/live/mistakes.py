#!/usr/bin/env python3
"""A live subject with a mistake fails, and one without passes: mistakes.py RIGPROOF FIXTURES FOLDER [MODEL...]

engine.py answers for five models in the file's and one of three other conventions in turn (for those named in all four), with
each mistake in its list. One that moves a vertex or
a node by a thousandth of the model must fail; an engine without one must pass, in these and in five more conventions, and
whatever it gives. FOLDER is written to."""
import json
import math
import os
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
import engine  # noqa: E402

SUBJECTS = 64  # the most that a suite can have
ALL = "nodes,palette,skin"
JUDGED = ["file", "unit", "z-up", "mirrored"]
PARTS = ["nodes,skin", "palette,skin", "nodes,palette", "nodes", "palette", "skin"]


def rewrite(source, path, change):
    """A .glb or .gltf with its JSON changed."""
    raw = open(source, "rb").read()
    if raw[:4] != b"glTF":
        gltf = json.loads(raw)
        change(gltf)
        open(path, "w").write(json.dumps(gltf))
        return
    size = struct.unpack_from("<I", raw, 12)[0]
    gltf = json.loads(raw[20:20 + size])
    change(gltf)
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    rest = raw[20 + size:]
    open(path, "wb").write(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest)


HALF = math.sqrt(0.5)


def as_exported(gltf):
    """Centimetres and z up below the armature, as many exporters have it; and the skinned mesh's node has the same."""
    for node in gltf["nodes"]:
        if "skin" in node or node["name"] == "rig":
            node.update(rotation=[-HALF, 0, 0, HALF], scale=[0.01, 0.01, 0.01])


def under_another_root(gltf):
    """A root that turns z up into y up, and a mesh node somewhere else."""
    scene = gltf["scenes"][gltf.get("scene", 0)]
    gltf["nodes"].append({"name": "z-up", "matrix": [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1], "children": scene["nodes"]})
    scene["nodes"] = [len(gltf["nodes"]) - 1]
    for node in gltf["nodes"]:
        if "skin" in node:
            node.update(translation=[0.5, 1, -2], rotation=[0, 0.6, 0, 0.8])


def models(fixtures, folder):
    made = {"exported": ("emboss/emboss.gltf", as_exported), "below-z-up": ("strip/strip.gltf", under_another_root),
            "stride": ("stride/stride.gltf", None), "twins": ("twins/twins.gltf", None), "shapes": ("shapes/shapes.gltf", None)}
    for name, (source, change) in made.items():
        path = os.path.join(folder, name + os.path.splitext(source)[1])
        rewrite(os.path.join(fixtures, source), path, change or (lambda gltf: None))
        yield name, path


def distance(ours, theirs):
    """The farthest that a vertex or a node is from where it should be, of what is given in both."""
    pairs = [(m[3::4], theirs[0][n][3::4]) for n, m in ours[0].items()]
    pairs += [(p, q) for (_, a), (_, b) in zip(ours[2], theirs[2]) for p, q in zip(a, b)]
    return max((math.dist(p, q) for p, q in pairs), default=0)


def radius(posed):
    points = [p for _, ps in posed[2] for p in ps] or [m[3::4] for m in posed[0].values()]
    return 0.5 * math.dist([min(p[k] for p in points) for k in range(3)], [max(p[k] for p in points) for k in range(3)]) or 1


class Run:
    """Suites of one model each: cases by subject."""

    def __init__(self, rigproof, folder, paths):
        self.rigproof, self.folder, self.subjects, self.cases = rigproof, folder, {}, []
        self.models = {name: (path, engine.Model(path)) for name, path in paths}

    def moments(self, name):
        model = self.models[name][1]
        clip = max(range(len(model.clips)), key=lambda c: len(model.clips[c]["channels"]), default=None)
        if clip is None:
            return None, [0.0]
        end = engine.times_of(model, clip)[1]
        return clip, [round(0.21 * end, 3), round(0.63 * end, 3)]

    def visible(self, name, mistake):
        """How far it moves anything, in radii."""
        model = self.models[name][1]
        clip, times = self.moments(name)
        worst = 0
        for time in times:
            right, wrong = engine.pose(model, clip, time, set()), engine.pose(model, clip, time, {mistake})
            worst = max(worst, distance(right, wrong) / radius(right))
        return worst

    def of_mesh_space(self, name):
        """Only vertices show that a palette is in the mesh's space, and it is one factor only where there is one mesh."""
        model = self.models[name][1]
        return [ALL, "palette,skin"] if sum("skin" in model.nodes[n] for n in model.drawn) == 1 else []

    def add(self, name, mistake, convention, gives=ALL):
        subject = "-".join((mistake or "healthy", convention, "all" if gives == ALL else gives.replace(",", "-")))
        self.subjects[subject] = ["python3", "-S", "-E", os.path.join(HERE, "engine.py"), mistake or "-", convention, gives]
        self.cases.append((name, subject))

    def check(self):
        """The status of each case."""
        results = {}
        for name in self.models:
            of_model = [s for n, s in self.cases if n == name]
            for at in range(0, len(of_model), SUBJECTS):
                results.update(self.check_some(name, of_model[at:at + SUBJECTS]))
        return results

    def check_some(self, name, subjects):
        suite, out = os.path.join(self.folder, "suite.yaml"), os.path.join(self.folder, "out")
        clip, times = self.moments(name)
        case = {"name": name, "model": self.models[name][0], "times": times, "subject": subjects,
                "clip": str(clip) if clip is not None else "none"}
        with open(suite, "w") as file:
            json.dump({"version": 1, "goldens": "golden", "subjects": {s: {"command": self.subjects[s]} for s in subjects},
                       "defaults": {"size": [16, 16]}, "cases": [case]}, file)
        done = subprocess.run([self.rigproof, "check", suite, "--allow-subjects", "--allow-outside", "-j2", "-q", "-o", out,
                               "--pictures", "none"], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(done.stderr)
        return {tuple(r["name"].split("@")[:2]): r for r in json.load(open(os.path.join(out, "results.json")))["cases"]}


def main():
    rigproof, fixtures, folder = sys.argv[1:4]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    named = sys.argv[4:]
    paths = [("m%d" % i, os.path.abspath(p)) for i, p in enumerate(named)]
    run = Run(os.path.abspath(rigproof), os.path.abspath(folder), paths or list(models(fixtures, folder)))
    faulty, counts, wrong = [], {}, []
    for name in run.models:
        for convention in engine.CONVENTIONS:
            for gives in [ALL] + PARTS if convention != "mesh-space" else run.of_mesh_space(name):
                run.add(name, "", convention, gives)
        for mistake in engine.MISTAKES:
            if run.visible(name, mistake) > 1e-3:
                turn = 1 + len(faulty) // 2 % (len(JUDGED) - 1)
                faulty += [(name, mistake, convention) for convention in (JUDGED if named else [JUDGED[0], JUDGED[turn]])]
    for case in faulty:
        run.add(*case)
    results = run.check()
    for (name, subject), result in results.items():
        is_healthy = subject.startswith("healthy-")
        good = (result["status"] == "pass") if is_healthy else result["status"] == "fail"
        key = ("healthy" if is_healthy else "faulty", "right" if good else "wrong")
        counts[key] = counts.get(key, 0) + 1
        if not good:
            wrong.append(f"{name} {subject}: {result['status']}: {str(result['headline'])[:200]}")
    seen = {m for _, m, _ in faulty}
    print("\n".join(wrong))
    print("never visible:", sorted(set(engine.MISTAKES) - seen))
    print(len(seen), "mistakes,", counts)
    return 1 if wrong or len(results) != len(run.cases) else 0


if __name__ == "__main__":
    sys.exit(main())
