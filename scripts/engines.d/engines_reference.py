"""rigproof's own answers, and those of the corpus' evaluators, in the form of a subject's."""
import json
import os
import subprocess

import numpy as np

import sweep_truth
from engines_subject import Answer

SHARES = (0.0, 0.21, 0.5, 0.83, 1.0)  # of a clip
MOST_CLIPS = 3
PATIENCE = 120


def affine(rows):
    full = np.eye(4)
    full[:3] = np.array(rows, float).reshape(3, 4)
    return full


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, timeout=PATIENCE, check=False)
    return done.stdout if done.returncode == 0 else None


def clips(program, model):
    """[(name, index, [times])] of a model, None where it cannot be read."""
    printed = run(program, "inspect", "--json", model)
    if printed is None:
        return None
    found = json.loads(printed)["clips"]
    picked = list(enumerate(found))
    if len(picked) > MOST_CLIPS:
        picked = [picked[0], picked[len(picked) // 2], picked[-1]]
    return [(clip["name"], index, [share * clip["duration"] for share in SHARES]) for index, clip in picked]


def poses(program, model, clip, times):
    """[Answer] at the times; clip None: the rest pose."""
    which = "rest" if clip is None else str(clip)
    printed = run(program, "dump", model, "--clip", which, "--times", ",".join(repr(t) for t in times), "--format",
                  "jsonl", "--stage", "global,palette,skin", "--vertices", "--wrap", "clamp", "--influences", "all")
    if printed is None:
        return None
    found = []
    for line in printed.splitlines():
        pose = json.loads(line)
        found.append(Answer([(n["name"], n.get("parent"), affine(n["global"])) for n in pose["nodes"]],
                            [(p["mesh"], p["bone"], affine(p["matrix"])) for p in pose["palette"]],
                            [(s["mesh"], np.array(s["positions"], float).reshape(-1, 3)) for s in pose["skin"]]))
    return found


def plain(names):
    """Of several names of one thing, the file's own."""
    return min(names, key=lambda name: (name.startswith("nodes["), name), default="")


class Evaluator:
    """The corpus' independent evaluators; none for X, B3D and MD5."""

    def __init__(self, corpus, path):
        self.truth, self.clips = None, []
        try:
            self.truth = sweep_truth.oracle_for(corpus, path)
            self.clips = self.truth.clips()
        except Exception:  # noqa: BLE001 (no evaluator for this file, or it cannot read it)
            self.truth = None

    def times(self, index):
        """Poses of FBX files are written down for certain times only."""
        if isinstance(self.truth, sweep_truth.FbxExpected):
            known = [t for t in self.truth.times(None) if t >= 0]
            return [known[i * (len(known) - 1) // 4] for i in range(5)] if len(known) > 5 else known
        return None

    def pose(self, index, at):
        """An Answer, or None where nobody knows."""
        if self.truth is None or (index is None and isinstance(self.truth, sweep_truth.FbxExpected)):
            return None
        try:
            clip = None if index is None else self.clips[index]
            truth = self.truth.pose(clip, at)
        except Exception:  # noqa: BLE001
            return None
        nodes = None
        if truth.nodes is not None:
            nodes = [(plain(names), None, world) for names, world in truth.nodes]
        palette = []
        for instance in truth.instances:
            palette += [(instance.mesh, plain(names), m)
                        for names, m in instance.bones]
        skin = [(i.mesh, i.points) for i in truth.instances if i.points is not None]
        answer = Answer(nodes, palette, skin)
        answer.samples = np.concatenate(list(truth.loose.values())) if truth.loose else None  # some vertices, in no order
        return answer


def readable(path):
    return os.path.splitext(path)[1].lower().lstrip(".")
