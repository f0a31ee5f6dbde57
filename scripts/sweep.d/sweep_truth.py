"""What the models' poses should be, from the corpus' evaluators, in one form for all formats."""
import argparse
import json
import os
import subprocess
import sys

import numpy as np


class NoTruth(Exception):
    """The evaluators cannot say what the pose should be; the message says why."""


class Truth:
    """One pose. nodes: [(names, world)] or None; instances in the file's order; loose: {mesh node: points in no order}."""

    def __init__(self, time, nodes, instances, loose, box):
        self.time, self.nodes, self.instances, self.loose, self.box = time, nodes, instances, loose, box


class Instance:
    """bones: [(names, palette)], empty for a rigid one; points and normals in the file's order or None."""

    def __init__(self, mesh, bones, world, points=None, normals=None, unmorphed=None):
        self.mesh, self.bones, self.world = mesh, bones, world
        self.points, self.normals, self.unmorphed = points, normals, unmorphed
        self.first_use = None  # the vertices in the order in which the index list first names them, where there is one
        # Cofactor matrices, which the glTF evaluator uses, turn the normals of a mirrored mesh inside out.
        matrices = [m for _, m in bones] or ([world] if world is not None else [])
        mirrored = [np.linalg.det(m[:3, :3]) < 0 for m in matrices]
        self.mirror = -1 if matrices and all(mirrored) else 1


class Clip:
    def __init__(self, index, name, duration):
        self.index, self.name, self.duration = index, name, duration


def spread(duration):
    """Start, end, three between that are no round shares, and one beyond the end."""
    return [0.0, 0.21 * duration, 0.5 * duration, 0.83 * duration, duration, 1.25 * duration + 0.1]


# ---- glTF ---------------------------------------------------------------------------------------------------

class GltfOracle:
    def __init__(self, corpus, path):
        sys.path.insert(0, os.path.join(corpus, "oracle"))
        import gltf_oracle
        self.oracle = gltf_oracle
        self.g = gltf_oracle.Gltf(path)
        self.order = self._order()

    def _order(self):
        scenes, nodes = self.g.j.get("scenes"), self.g.nodes
        roots = scenes[self.g.j.get("scene", 0)].get("nodes", []) if scenes else \
            [i for i, p in enumerate(self.g.parent) if p == -1]
        found, stack = [], list(reversed(roots))
        while stack:
            at = stack.pop()
            found.append(at)
            stack.extend(reversed(nodes[at].get("children", [])))
        return found

    def clips(self):
        return [Clip(i, a.get("name"), self.oracle.clip_end(self.g, a)) for i, a in
                enumerate(self.g.j.get("animations", []))]

    def times(self, clip):
        return spread(clip.duration) if clip else [0.0]

    def phase(self, time):
        return ""

    def _names(self, node):
        return {self.g.nodes[node].get("name") or "nodes[%d]" % node, "nodes[%d]" % node}

    def _pose(self, clip, time):
        return self.oracle.Pose(self.g, self.g.j["animations"][clip.index] if clip else None, time)

    def _evaluate(self, pose):
        options = argparse.Namespace(scene=None, normals=True, max_influences=None, renormalize=True)
        records = self.oracle.evaluate(self.g, pose, options)
        for record in records:  # a vertex without weights follows the mesh node
            prim = self.g.j["meshes"][record["mesh"]]["primitives"][record["prim"]]
            joints, weights = self.oracle.influences(self.g, prim["attributes"])
            if record["skin"] is None or joints is None:
                continue
            free = weights.sum(1) <= 0
            if free.any():
                rest = self.g.accessor(prim["attributes"]["POSITION"])[free]
                world = pose.world[record["node"]]
                record["positions"][free] = rest @ world[:3, :3].T + world[:3, 3]
                if "normals" in record:
                    record["normals"][free] = 0
        return records

    def pose(self, clip, time):
        pose = self._pose(clip, time)
        records = self._evaluate(pose)
        plain = records
        if any(r["morph_weights"] and any(r["morph_weights"]) for r in records):
            pose.weights = [None] * len(pose.weights)
            plain = self._evaluate(pose)
        rank = {node: i for i, node in enumerate(self.order)}
        instances, box = [], []
        for record, unmorphed in sorted(zip(records, plain), key=lambda r: (rank[r[0]["node"]], r[0]["prim"])):
            bones = []
            prim = self.g.j["meshes"][record["mesh"]]["primitives"][record["prim"]]
            if record["skin"] is not None and "JOINTS_0" in prim["attributes"]:
                joints = self.g.j["skins"][record["skin"]]["joints"]
                palette = self.oracle.skin_palette(self.g, pose, record["skin"])[2]
                bones = [(self._names(j), m) for j, m in zip(joints, palette)]
            instance = Instance(self.g.j["meshes"][record["mesh"]].get("name"), bones, pose.world[record["node"]],
                                record["positions"], record.get("normals"))
            instance.node_names = self._names(record["node"])
            if "indices" in prim:
                indices = self.g.accessor(prim["indices"], as_float=False)[:, 0].astype(np.int64)
                indices = indices[indices < len(instance.points)]
                instance.first_use = indices[np.sort(np.unique(indices, return_index=True)[1])]
            if plain is not records:
                instance.unmorphed = unmorphed["positions"]
            instances.append(instance)
            if len(instance.points):
                box.append(instance.points)
        nodes = [(self._names(i), pose.world[i]) for i in self.order]
        return Truth(time, nodes, instances, None, box_of(box))


def gather(clouds):
    return {name: np.concatenate(parts) for name, parts in clouds.items() if sum(map(len, parts))}


def box_of(clouds):
    if not clouds:
        return None
    return np.array([np.min([p.min(0) for p in clouds], 0), np.max([p.max(0) for p in clouds], 0)])


# ---- COLLADA ------------------------------------------------------------------------------------------------

class DaeOracle:
    def __init__(self, corpus, path):
        self.script, self.path = os.path.join(corpus, "oracle", "dae_oracle.py"), path
        self.summary = self._run("--list")
        self.curved = bool(set(self.summary["interpolation"]) & {"BEZIER", "HERMITE", "BSPLINE", "CARDINAL"})
        self.keyed = self._keyed() if self.curved else []

    def _run(self, *arguments):
        done = subprocess.run([sys.executable, self.script, self.path, *arguments], capture_output=True, timeout=300)
        if done.returncode:
            raise NoTruth("dae_oracle: " + done.stderr.decode().strip().splitlines()[-1])
        return json.loads(done.stdout)

    def _keyed(self):
        """Some of the times at which every curve has a key: there curves and lines are the same."""
        sys.path.insert(0, os.path.dirname(self.script))
        import dae_oracle
        curves = [c for all_of in dae_oracle.Dae(self.path).channels.values() for _, c in all_of if len(c["t"]) > 1]
        times = sorted(set.intersection(*[set(map(float, c["t"])) for c in curves])) if curves else []
        return times if len(times) <= 5 else [times[i * (len(times) - 1) // 4] for i in range(5)]

    def clips(self):
        return [Clip(0, None, self.summary["duration"])] if self.summary["targets"] else []

    def times(self, clip):
        return self.keyed + spread(clip.duration) if clip else [0.0]

    def phase(self, time):
        return " between keys" if self.curved and time not in self.keyed else ""

    def pose(self, clip, time):
        arguments = ["--time", repr(time), "--all", "--renormalize"] + ([] if clip else ["--rest"])
        frame = self._run(*arguments)["frames"][0]
        nodes = [({n["name"], n["id"], n["sid"]} - {None}, np.array(n["world"])) for n in frame["nodes"]]
        skins = {}
        for joint in frame["joints"]:
            names = {joint["name"], joint["id"], joint["node_name"]} - {None}
            skins.setdefault(joint["skin"], []).append((names, np.array(joint["palette"])))
        instances, loose = [], {}
        for mesh in frame["meshes"]:
            points = np.array(mesh["sample"], float).reshape(-1, 4)[:, 1:]
            bones = skins.get(mesh["skin"], []) if mesh["skin"] is not None else []
            instances.append(Instance(mesh["name"], bones, nodes[mesh["node"]][1]))
            instances[-1].node_names = nodes[mesh["node"]][0]
            loose.setdefault(mesh["name"], []).append(points)
        return Truth(time, nodes, instances, gather(loose), box_of([p for ps in loose.values() for p in ps if len(p)]))


# ---- FBX ----------------------------------------------------------------------------------------------------

class FbxExpected:
    """Poses written down earlier: at times of their own, with a sample of the control points."""

    def __init__(self, corpus, path):
        relative = os.path.relpath(path, os.path.join(corpus, "models"))
        name = "".join(c if c.isalnum() or c == "." else "_" for c in relative) + ".json"
        with open(os.path.join(corpus, "expected", "fbx", name), encoding="utf-8") as file:
            self.document = json.load(file)
        self.start = self.document["start"]

    def clips(self):
        return [Clip(0, self.document["stack"], self.document["end"] - self.document["start"])]

    def phase(self, time):
        frames = (time + self.start) * self.document["fps"]
        return " between frames" if abs(frames - round(frames)) > 1e-6 else ""

    def times(self, clip):
        return [frame["time"] for frame in self.document["frames"]]

    def pose(self, clip, time):
        frame = next(f for f in self.document["frames"] if f["time"] == time)
        skins, instances, loose = {}, [], {}
        for joint in frame["joints"]:
            skins.setdefault(joint["skin"], []).append(({joint["name"]}, np.array(joint["palette"])))
        for bones in skins.values():
            instances.append(Instance(None, bones, None))
            instances[-1].node_names = set()
        for mesh in frame["meshes"]:
            points = np.array(mesh["sample"], float)
            if points.size:
                loose.setdefault(mesh["name"], []).append(points.reshape(-1, points.shape[-1])[:, -3:])
        box = np.array(frame["bbox"], float) if frame["bbox"] else None
        return Truth(time, None, instances, gather(loose), box)


def oracle_for(corpus, path):
    kind = path.rsplit(".", 1)[-1].lower()
    return {"gltf": GltfOracle, "glb": GltfOracle, "dae": DaeOracle, "fbx": FbxExpected}[kind](corpus, path)
