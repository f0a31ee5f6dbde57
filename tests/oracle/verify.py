"""Holds the engine without mistakes against `rigproof dump`."""
import json
import subprocess

import numpy as np
from engine import Player
from gltf import Model

AGREE = 1e-5  # of the model's size


def run(paths, program):
    """Prints a line for each model; 1 where one differs."""
    worst = 0
    for path in paths:
        try:
            model = Model(path)
        except Exception as error:  # a broken file is not this program's concern
            print(f"unread\t{path}\t{error!r}")
            continue
        if model.skinned:
            apart, where = compare(model, path, program)
            worst = max(worst, apart)
            print(f"{'agrees' if apart < AGREE else 'DIFFERS'}\t{path}\t{apart:.1e}\t{where}")
    return 0 if worst < AGREE else 1


def compare(model, path, program):
    """The largest distance over at most three clips, as a share of the size, and where it is."""
    worst, place = 0.0, ""
    for number, clip in list(enumerate(model.clips))[:3] or [(None, None)]:
        for time in ([round(clip.end * f, 4) for f in (0, 0.37, 0.81, 1, 1.3)] if clip else [0.0]):
            command = [program, "dump", path, "--clip", "rest" if clip is None else str(number), "--time", repr(time),
                  "--json", "--vertices",
                       "--influences", "all"]
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            if ran.returncode:
                return 9.0, ran.stderr.strip()[-200:]
            for apart, what in distances(model, Player(model).pose(clip, time), json.loads(ran.stdout)):
                if apart > worst:
                    worst, place = apart, f"{what}, clip {number} at {time} s"
    return worst, place


def distances(model, pose, dump):
    size = max((float(np.ptp(v, 0).max()) for _, _, v in pose.skin), default=1) or 1
    for node in model.order:
        same = [n["global"] for n in dump["nodes"] if n["name"] == model.nodes[node].name]
        yield nearest(pose.world[node][:3], same) / size, f"node {model.nodes[node].name}"
    for _, _, _, joint, matrix in pose.palette:
        same = [e["matrix"] for e in dump["palette"] if e["bone"] == model.nodes[joint].name]
        yield nearest(matrix[:3], same) / size, f"palette entry {model.nodes[joint].name}"
    for primitive, _, positions in pose.skin:
        same = [s["positions"] for s in dump.get("skin", []) if s["vertices"] == len(positions)]
        yield nearest(positions, same) / size, f"mesh {primitive.name}"


def nearest(numbers, others):
    return min((float(np.abs(np.array(o).reshape(numbers.shape) - numbers).max()) for o in others), default=9.0)


