"""A subject of rigproof that plays glTF models with mistakes: subject.py SEED ID...

An id may be ID@NODE,NODE: the mistake is on these nodes alone, by their numbers in the file.
"""
import json
import os
import sys

import numpy as np
from cases import f32
from engine import Player
from gltf import Model
from mistakes import BY_ID


def chosen(arguments):
    found = []
    for argument in arguments:
        ident, _, nodes = argument.partition("@")
        found.append((BY_ID[ident], {int(n) for n in nodes.split(",")} if nodes else None))
    return found


def clip_of(model, request):
    if request.get("clip") is None:
        return None
    at = request.get("clip_index")
    named = [c for c in model.clips if c.name == request["clip"]]
    return model.clips[at] if at is not None and at < len(model.clips) else named[0]


def answer(player, request):
    model = player.model
    pose = player.pose(clip_of(model, request), request["time"], True, request.get("wrap", "loop"))
    place = {n: k for k, n in enumerate(model.order)}
    nodes = [{"name": model.nodes[n].name, "parent_index": place.get(pose.parents[n]), "local": f32(pose.local[n].T),
              "global": f32(pose.world[n].T)} for n in model.order]
    palette = [{"mesh": model.meshes[model.nodes[at].mesh][0].name, "bone": model.nodes[j].name, "matrix": f32(m.T)}
               for at, _, _, j, m in pose.palette]
    skin = [{"mesh": q.name, "positions": f32(v)} for q, _, v in pose.skin]
    return {"id": request["id"], "nodes": nodes, "palette": palette, "skin": skin}


def main():
    seed, mistakes, player = int(sys.argv[1]), chosen(sys.argv[2:]), None
    for line in sys.stdin:
        request = json.loads(line)
        if request["request"] == "hello":
            said = {"protocol": "rigproof.subject/1", "name": "oracle", "gives": ["nodes", "palette", "skin"],
                    "conventions": {"storage": "columns"}}
        else:
            try:
                if player is None or player.model.path != request["model"]:
                    player = Player(Model(request["model"]), mistakes, seed)
                with np.errstate(all="ignore"):
                    said = answer(player, request)
            except Exception as error:  # one answer costs one case
                said = {"id": request["id"], "error": f"{os.path.basename(request['model'])}: {error!r}"[:900]}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
