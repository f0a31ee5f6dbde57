"""What mistake makes an engine's pose of rigproof's, in the words of `rigproof diagnose`."""
import json
import os
import subprocess
import tempfile

import numpy as np

import engines_compare as compare

PATIENCE = 60
SHELL = "5e-5"  # of the model's radius, half of what counts as a difference
UNREPAIRED = "unrepaired: "
# What another curve between the same keys may look like at a few times.
AS_GOOD_AS_ANY = {"time-shift", "time-scale", "resampled", "matrix-interpolated", "single-key-ignored", "pivots-twice"}


def rows(matrix):
    return [float(number) for number in matrix[:3].ravel()]


def nodes_of(mine, theirs, frame):
    """Theirs as ours. Of a name that stands several times all or none are listed: the k-th is the k-th."""
    back = np.linalg.inv(frame.left)
    partner = dict(compare.pairs(mine.nodes, theirs.nodes, lambda node: node[0])[0])
    lost = {node[0] for i, node in enumerate(mine.nodes) if i not in partner}
    found = []
    for i, node in enumerate(mine.nodes):
        if node[0] in lost:
            continue
        name, _, matrix = theirs.nodes[partner[i]]
        own = frame.all if frame.right is None else frame.right.get(name, np.eye(4))
        found.append({"name": node[0], "global": rows(back @ matrix @ np.linalg.inv(own))})
    return found


def palette_of(mine, theirs, frame, extent):
    back, found = np.linalg.inv(frame.left), []
    for i, candidates in compare.palette_pairs(mine.palette, theirs.palette)[0]:
        mesh, bone, own = mine.palette[i]
        ways = [way for j in candidates for way in (back @ theirs.palette[j][2], back @ theirs.palette[j][2] @ frame.left)]
        found.append({"mesh": mesh, "bone": bone, "matrix": rows(min(ways, key=lambda way: compare.apart(own, way, extent)))})
    return found


def skin_of(mine, theirs, frame):
    """None where importers have split or joined vertices."""
    if len(mine.skin) != len(theirs.skin) or any(len(m[1]) != len(t[1]) for m, t in zip(mine.skin, theirs.skin)):
        return None
    back = np.linalg.inv(frame.left)[:3, :3]
    return [{"mesh": name, "positions": (points @ back.T).tolist()} for (name, _), (_, points) in zip(mine.skin, theirs.skin)]


def part(stage, mine, theirs, frame):
    """The answer up to the stage as rigproof.pose-part/1."""
    document = {"format": "rigproof.pose-part/1"}
    if mine.nodes and theirs.nodes and stage != "skin":
        document["nodes"] = nodes_of(mine, theirs, frame)
    if mine.palette and theirs.palette and stage == "palette" and frame.right is None:
        document["palette"] = palette_of(mine, theirs, frame, frame.extent)
    if stage == "skin" and mine.skin and theirs.skin:
        document["skin"] = skin_of(mine, theirs, frame)
    return document if document.get("nodes") or document.get("palette") or document.get("skin") else None


def word(cause):
    """A shift of time counts with its length: whatever moves along one curve is where it was at some time."""
    return "%s (%s)" % (cause["id"], cause["detail"]) if cause["id"] in ("time-shift", "time-scale") else cause["id"]


def explained(program, model, clip, at, path, options):
    """The sets of mistakes that explain all of it; {} in it: none is needed. Else an empty list."""
    which = ["--clip", "rest"] if clip is None else ["--clip", str(clip), "--time", repr(at), "--wrap", "clamp"]
    done = subprocess.run([program, "diagnose", model, path, "--json", "--shell", SHELL, "--influences", "all", *which, *options],
                          capture_output=True, timeout=PATIENCE, check=False)
    try:
        told = json.loads(done.stdout)
    except ValueError:
        return set()
    if told["agrees"]:
        return {frozenset()} if told["compared"] else set()
    return {frozenset(map(word, one["causes"])) for one in told["causes"] if one["explains"] >= 1}


def repairs(program, model):
    done = subprocess.run([program, "inspect", "--json", model], capture_output=True, timeout=PATIENCE, check=False)
    return list(dict.fromkeys(repair["id"] for repair in json.loads(done.stdout)["repairs"])) if done.stdout else []


def bases(program, model):
    """[(what rigproof leaves undone, its options)]: an engine may have a fault of Assimp that rigproof repairs."""
    made = repairs(program, model)
    yield frozenset(), []
    for one in made if len(made) > 1 else []:
        yield frozenset([UNREPAIRED + one]), ["--repair", ",".join(r for r in made if r != one)]
    if made:
        yield frozenset(UNREPAIRED + one for one in made), ["--repair", "none"]


def common(each):
    """The sets of which some part explains every pose: a loop's end shows at the end alone."""
    fitting = {causes for causes in set.union(*each) if all(any(part <= causes for part in sets) for sets in each)}
    return {causes for causes in fitting if not any(part < causes for part in fitting)}


def name(program, model, evidence, stage):
    """The sets of mistakes that explain every pose of the evidence: [(clip, time, mine, theirs, frame)]."""
    documents = [(clip, at, part(stage, mine, theirs, frame)) for clip, at, mine, theirs, frame in evidence]
    documents, named = [one for one in documents if one[2]], set()
    with tempfile.TemporaryDirectory() as folder:
        for number, one in enumerate(documents):
            with open(os.path.join(folder, "%d.json" % number), "w", encoding="utf-8") as file:
                json.dump(one[2], file)
        for left, options in bases(program, model) if documents else ():
            if left and named and not all(AS_GOOD_AS_ANY & {word.split(" ")[0] for word in causes} for causes in named):
                break  # a mistake explains it without a fault of Assimp's
            each = [explained(program, model, clip, at, os.path.join(folder, "%d.json" % number), options)
                    for number, (clip, at, _) in enumerate(documents)]
            if frozenset() in set.intersection(*each):  # nothing else is needed, or there is too little for a diagnosis
                named |= {left} if left else set()
            else:
                named |= {left | causes for causes in common(each) if causes not in named}
    return named
