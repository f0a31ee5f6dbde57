"""Makes cases of models, mistakes and modes, asks rigproof what is wrong with each, and judges its answers."""
import base64
import json
import os
import re
import subprocess

import numpy as np
from engine import Mistake, Player
from gltf import F32, Model, compose
from mistakes import BY_ID, DRIFT, KNOWN, UNKNOWN, mirror_name

HERE = os.path.dirname(os.path.realpath(__file__))
VISIBLE = 1e-4  # of the model's size: less is no case
EQUAL = 1e-6  # of the model's size: so much may two mistakes differ that give the same numbers
EXPLAINS = 0.99  # of the difference: an explanation of less claims nothing
LEAST_BONES = 4  # of a model for mistakes without a name: chance for one bone is often a mistake that has one
TIMES = (0.37, 0.71, 0.13, 0.93, 0.52, 0.04)
GIVEN = {"nodes": ("nodes",), "palette": ("palette",), "vertices": ("skin",), "half": ("palette",),
      "unknown-palette": ("palette",),
         "unknown-vertices": ("skin",)}
MODES = ("single", "unlisted", "nodes", "palette", "vertices", "half", "drift", "drift-alone", "bone", "subtree",
      "two", "pair", "triple",
         "unknown", "unknown-palette", "unknown-vertices")
VERDICTS = ("first", "among", "equal", "part", "none", "wrong", "passed")


def names():
    """The causes of rigproof that say a mistake, by its id, and the mistakes that a cause says."""
    by_mistake, by_cause = {}, {}
    with open(os.path.join(HERE, "names.tsv"), encoding="utf-8") as file:
        for line in list(file)[1:]:
            mistake, causes = line.rstrip("\n").split("\t")
            by_mistake[mistake] = [] if causes == "-" else causes.split(",")
            for cause in by_mistake[mistake]:
                by_cause.setdefault(cause, []).append(mistake)
    return by_mistake, by_cause


class Subject:
    """A model with its size and its poses, as far as they are made."""

    def __init__(self, path, seed):
        self.path, self.seed = path, seed
        self.model = Model(path)
        rest = Player(self.model).pose(None, 0)
        self.size = float(np.ptp(np.concatenate([v for _, n, v in rest.skin if n in self.model.skinned]),
                 0).max()) or 1.0
        self.has = features(self.model)
        self.kept = {}

    def pose(self, mistakes, clip, time, given):
        key = (tuple((m.id, None if s is None else tuple(sorted(s))) for m, s in mistakes), id(clip), time,
              "skin" in given)
        if key not in self.kept:
            if len(self.kept) > 400:
                self.kept.clear()
            self.kept[key] = Player(self.model, mistakes, self.seed).pose(clip, time, "skin" in given)
        return self.kept[key]

    def numbers(self, pose, given, half=None):
        """What is given of a pose as lengths in one array; half lists the entries of the palette that are given."""
        found = []
        if "nodes" in given:
            found += [lengths(pose.world[self.model.order], self.size),
                  lengths(pose.local[self.model.order], self.size)]
        if "palette" in given and pose.palette:
            matrices = np.array([m for *_, m in pose.palette])
            found.append(lengths(matrices if half is None else matrices[half], self.size))
        if "skin" in given:
            found += [v.ravel() for _, n, v in pose.skin if n in self.model.skinned]
        return np.concatenate(found)

    def apart(self, a, b, given, half=None):
        """The largest difference, as a share of the model's size."""
        with np.errstate(all="ignore"):
            difference = np.abs(self.numbers(a, given, half) - self.numbers(b, given, half)).max() / self.size
        return float(difference) if np.isfinite(difference) else float("nan")


def lengths(matrices, size):
    return np.concatenate([(matrices[:, :3, :3] * F32(size)).ravel(), matrices[:, :3, 3].ravel()])


def features(model):
    """What a model has, in the words of a mistake's needs, as far as a look at the file tells."""
    channels = [c for clip in model.clips for c in clip.channels]
    rest = Player(model).pose(None, 0, False).world
    primitives = [q for n in model.skinned for q in model.meshes[model.nodes[n].mesh] if q.joints is not None]
    joints = {j for skin in model.skins for j in skin.joints}
    found = {
        "clips": len(model.clips) > 1, "joints": max((len(s.joints) for s in model.skins), default=0) > 1,
        "late": any(c.times[0] > 0 or c.times[-1] < clip.end for clip in model.clips for c in clip.channels),
        "cubic": any(c.interpolation == "CUBICSPLINE" for c in channels), "step": any(c.interpolation == "STEP" for c
                 in channels),
        "linear": any(c.interpolation == "LINEAR" for c in channels), "keys": any(len(c.times) > 2 for c in channels),
        "scale": any(c.path == "scale" for c in channels) or any(np.abs(n.s - 1).max() > 1e-4 for n in model.nodes),
        "rotation": any(c.path == "rotation" for c in channels), "translation": any(c.path == "translation" for c in
                 channels),
        "mesh": any(np.abs(rest[n] - np.eye(4)).max() > 1e-4 for n in model.skinned), "morph": any(q.targets for q in
                 primitives),
        "sums": any(np.abs(q.weights.sum(1) - 1).max() > 1e-3 for q in primitives), "sets": any(q.joints.shape[1] > 4
                 for q in primitives),
        "matrix": any(n.from_matrix for n in model.nodes), "unsorted": any(s.joints != sorted(s.joints) for s in
                 model.skins),
        "root": any(np.abs(rest[r] - np.eye(4)).max() > 1e-4 for r in model.roots),
        "armature": any(model.nodes[j].parent is not None and model.nodes[j].parent not in joints for j in joints),
        "disorder": any(n.parent is not None and n.parent > n.index for n in model.nodes),
        "mirror": any(mirror_name(model.nodes[j].name) in {n.name for n in model.nodes} for j in joints),
        "blend": any((q.weights > 0).sum(1).max() > 1 for q in primitives),
    }
    return {word for word, has in found.items() if has} | OTHER_NEEDS


OTHER_NEEDS = {"beyond", "unkeyed", "channel", "end", "node", "nodes", "branch", "single"} | {str(n) for n in range(64)}


class Case:
    def __init__(self, mode, subject, mistakes, drift, clip, time, chance):
        self.mode, self.subject, self.mistakes, self.clip, self.time = mode, subject, mistakes, clip, time
        self.drift = drift
        self.given = GIVEN.get(mode, ("nodes", "palette", "skin"))
        self.pose = subject.pose(mistakes + drift, clip, time, self.given)
        entries = len(self.pose.palette)
        self.half = sorted(chance.permutation(entries)[:max(1, (entries + 1) //
                 2)]) if mode == "half" and entries else None

    def visible(self):
        """Whether the numbers that are given show it, and each of several mistakes makes a difference."""
        right = self.subject.pose([], self.clip, self.time, self.given)
        if not self.apart(self.pose, right) > VISIBLE / (100 if self.mode == "drift-alone" else 1):
            return False
        numbers = self.subject.numbers(self.pose, self.given)
        if not np.isfinite(numbers).all() or np.abs(numbers).max() > 1e5 * self.subject.size:
            return False
        if self.mode == "drift":
            without = self.subject.pose(self.mistakes, self.clip, self.time, self.given)
            beside, fault = self.apart(self.pose, without), self.apart(without, right)
            return VISIBLE / 1000 < beside < fault / 20
        if len(self.mistakes) == 1:
            return True
        for left_out in range(len(self.mistakes)):
            others = [m for k, m in enumerate(self.mistakes) if k != left_out]
            less = self.subject.pose(others + self.drift, self.clip, self.time, self.given)
            if not self.apart(self.pose, less) > 10 * VISIBLE:
                return False
        return True

    def apart(self, a, b):
        return self.subject.apart(a, b, self.given, self.half)

    def drift_named(self, found, by_mistake):
        """Whether drift alone is called by its name."""
        return self.mode == "drift-alone" and any(i in by_mistake[self.mistakes[0][0].id] for claim in found for i,
              _ in claim)

    def document(self):
        model = self.subject.model
        result = {"format": "rigproof.pose-part/1", "model": os.path.basename(self.subject.path), "space": "scene",
                  "clip": None if self.clip is None else self.clip.name, "time": self.time,
                  "matrices": "row-major 3x4, p' = M p"}
        if "nodes" in self.given:
            result["nodes"] = [node_entry(model, self.pose, n) for n in model.order]
        if "palette" in self.given:
            several = len(model.skinned) > 1
            entries = [(model.meshes[model.nodes[at].mesh][0].name if several else None, model.nodes[j].name, m)
                       for at, _, _, j, m in self.pose.palette]
            if self.mode == "half":
                entries = [entries[k] for k in self.half]
            result["palette"] = [dict(**({"mesh": mesh} if mesh else {}), bone=bone, matrix=rows(m)) for mesh, bone,
                  m in entries]
        if "skin" in self.given:
            result["skin"] = [{"mesh": q.name, "positions": [[float(c) for c in v] for v in vs]}
                              for q, n, vs in self.pose.skin if n in model.skinned]
        return result

    def label(self):
        parts = []
        for mistake, scope in self.mistakes + self.drift:
            where = "" if scope is None else "@" + "+".join(self.subject.model.nodes[n].name for n in sorted(scope))
            parts.append(mistake.id + where)
        return " + ".join(parts)


def rows(matrix):
    return [float(c) for c in np.asarray(matrix)[:3].ravel()]


def node_entry(model, pose, n):
    node, parent = model.nodes[n], pose.parents[n]
    entry = {"name": node.name, "parent": None if parent is None else model.nodes[parent].name}
    if np.abs(compose(pose.t[n], pose.r[n], pose.s[n]) - pose.local[n]).max() < 1e-6 and abs(np.dot(pose.r[n],
             pose.r[n]) - 1) < 1e-5:
        entry.update(t=[float(c) for c in pose.t[n]], r=[float(c) for c in pose.r[n]], s=[float(c) for c in pose.s[n]])
    else:
        entry["local"] = rows(pose.local[n])
    entry["global"] = rows(pose.world[n])
    return entry


# ---- choosing -------------------------------------------------------------------------------------------------------

def times_for(mistake, clip, chance):
    if clip is None:
        return [0.0]
    turn = chance.randint(len(TIMES))
    fractions = TIMES[turn:] + TIMES[:turn]
    if "beyond" in mistake.needs:
        fractions = (1.37, 1.81)
    elif "late" in mistake.needs:
        fractions = (0.02, 0.97, 0.2, 0.8, 0.5)
    return [round(f * clip.end, 4) for f in fractions]


def scope_for(mode, subject, clip, chance, taken=()):
    """The bone or the subtree that a mistake is put on; None where the model has none."""
    model = subject.model
    fitting = [j for j in model.order if j in bones_of(subject) and j not in taken and any((j, p) in clip.by for p in
             ("translation", "rotation", "scale"))]
    if mode == "subtree":
        fitting = [j for j in fitting if len(below(model, j)) > 1 and model.nodes[j].parent in bones_of(subject)]
    if not fitting:
        return None
    pick = fitting[chance.randint(len(fitting))]
    return below(model, pick) if mode == "subtree" else {pick}


def bones_of(subject):
    return {j for s in subject.model.skins for j in s.joints}


def below(model, node):
    found, waiting = set(), [node]
    while waiting:
        at = waiting.pop()
        found.add(at)
        waiting += model.nodes[at].children
    return found


def pool(mode):
    if mode.startswith("unknown"):
        return UNKNOWN
    if mode == "drift-alone":
        return DRIFT
    listed = names()[0]
    fitting = [m for m in KNOWN if not m.convention and bool(listed[m.id]) == (mode != "unlisted")]
    if mode in ("bone", "subtree", "two"):
        return [m for m in fitting if m.local_only() and not {"beyond", "single"} & set(m.needs.split())]
    return [m for m in fitting if "single" not in m.needs or mode == "unlisted"]



def make(mode, mistake, subject, chance):
    """A visible case of a mistake on a model, or None."""
    if not set(mistake.needs.split()) <= subject.has or (not mistake.known and len(bones_of(subject)) < LEAST_BONES):
        return None
    clips = subject.model.clips
    clip = clips[chance.randint(len(clips))] if clips else None
    if clip is None and mode in ("bone", "subtree", "two", "drift", "drift-alone"):
        return None
    for time in times_for(mistake, clip, chance):
        for _ in range(3 if mode in ("pair", "triple", "two", "bone", "subtree") else 1):
            mistakes, drift = chosen_mistakes(mode, mistake, subject, clip, chance)
            if mistakes is None:
                return None
            case = Case(mode, subject, mistakes, drift, clip, time, chance)
            if case.visible():
                return case
    return None


def chosen_mistakes(mode, mistake, subject, clip, chance):
    first = (mistake, None)
    if mode in ("bone", "subtree"):
        scope = scope_for(mode, subject, clip, chance)
        return (None, None) if scope is None else ([(mistake, scope)], [])
    if mode == "two":
        one = scope_for("bone", subject, clip, chance)
        other = scope_for("bone", subject, clip, chance, one or ())
        if one is None or other is None:
            return None, None
        second = pool(mode)[chance.randint(len(pool(mode)))]
        return [(mistake, one), (second, other)], []
    if mode in ("pair", "triple"):
        others = [pool(mode)[k] for k in chance.choice(len(pool(mode)), 1 if mode == "pair" else 2, replace=False)]
        return ([first] + [(m, None) for m in others], []) if mistake not in others else (None, None)
    if mode == "drift":
        return [first], [(DRIFT[chance.randint(len(DRIFT) - 1)], None)]
    return [first], []


# ---- asking and judging ---------------------------------------------------------------------------------------------

def ask(program, case, folder):
    """What rigproof answers: its JSON, or a string of what went wrong."""
    path = os.path.join(folder, "theirs.pose.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(case.document(), file)
    clip = "rest" if case.clip is None else str(case.subject.model.clips.index(case.clip))
    command = [program, "diagnose", case.subject.path, path, "--clip", clip, "--time", repr(case.time),
          "--influences", "all", "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1):
        return f"exit code {ran.returncode}: {ran.stderr.strip()[-300:]}"
    return json.loads(ran.stdout)


def claims(answer):
    """The explanations that are offered as the cause, best first: each a list of (id, its parameters)."""
    found = []
    for explanation in answer.get("causes", []):
        if explanation.get("explains", 1) >= EXPLAINS:
            found.append([(cause["id"], cause) for cause in explanation["causes"]])
    return found


def same_numbers(case, claim, by_cause):
    """Whether what is claimed gives the numbers of the case in our own engine."""
    target = case.subject.pose(case.mistakes, case.clip, case.time, case.given)
    fair = EQUAL
    if case.drift and case.mistakes:
        fair += 2 * case.apart(target, case.pose)
    if len(claim) == 1 and single_claim_fits(case, claim[0], target, fair):
        return True
    scopes = sorted({None if s is None else tuple(sorted(s)) for _, s in case.mistakes}, key=str)
    options = [[(BY_ID[m], None if s is None else set(s)) for m in by_cause.get(ident, []) for s in scopes] for ident,
          _ in claim]
    combinations = [[]]
    for option in options:
        combinations = [c + [o] for c in combinations for o in option][:400]
    for mistakes in combinations:
        try:
            if mistakes and case.apart(case.subject.pose(mistakes, case.clip, case.time, case.given), target) < fair:
                return True
        except (ValueError, IndexError, KeyError, TypeError, ZeroDivisionError):
            continue  # the model has nothing that this mistake could be made on
    return False


def single_claim_fits(case, claim, target, fair):
    """Whether a cause with its parameter gives the numbers: a time, a factor of time, a clip, one factor for all."""
    ident, said = claim

    def pose(mistakes, clip, time):
        return case.subject.pose(mistakes, clip, max(time, 0.0), case.given)

    seconds, rounded = seconds_of(said)
    if case.clip is not None:
        tried = [] if seconds is None else [(pose([], case.clip, seconds), fair + rounded)]
        if ident == "time-scale" and "factor" in said:
            time = Player(case.subject.model).clip_time(case.clip, case.time * said["factor"])
            tried.append((pose([], case.clip, time), fair + 10 * EQUAL))
        if ident == "other-clip":
            tried += [(pose([], clip, case.time), fair + 10 * EQUAL) for clip in case.subject.model.clips]
        if ident == "stale-parent":
            tried += [(pose([(stale_parent(at), None)], case.clip, case.time), fair + 10 * EQUAL) for at in (0.0,
                     seconds or 0.0)]
        if any(case.apart(one, target) < near for one, near in tried):
            return True
    if ident in ("index-permuted", "index-shift") and "palette" in case.given:
        return entries_of_others(case, target)
    return ident in ("axes-swapped", "mirrored", "unit-scale") and turned_as_one(case, target)


def entries_of_others(case, target):
    """Whether each entry of the palette that is given is that of some bone."""
    right = np.array([m for *_, m in case.subject.pose([], case.clip, case.time, case.given).palette])
    theirs = np.array([m for *_, m in target.palette])
    theirs = theirs if case.half is None else theirs[case.half]
    return all(np.abs((right - one)[:, :3]).max((1, 2)).min() < 1e-5 * max(case.subject.size, 1) for one in theirs)


def stale_parent(seconds):
    """Each bone takes its parent's global of one time."""
    def world(p, pose, n, parent, above, local, made):
        return made if parent is None else p.right(p.asked[0], seconds).world[parent] @ local
    return Mistake(f"stale-parent-at-{seconds}", "palette", "", "", world=world)


def turned_as_one(case, target, everything=False):
    """Whether all that differs is multiplied by one matrix that swaps, mirrors or scales axes and does nothing else; or
    everything is, which makes it a convention."""
    right = case.subject.pose([], case.clip, case.time, case.given)
    size, pairs = case.subject.size, []
    if "nodes" in case.given:
        pairs += [(target.world[n], right.world[n]) for n in case.subject.model.order]
    if "palette" in case.given:
        pairs += [(a[-1], b[-1]) for a, b in zip(target.palette, right.palette)]
    factor = None
    for theirs, ours in pairs:
        if not everything and np.abs(lengths(theirs[None], size) - lengths(ours[None], size)).max() < 1e-5 * size:
            continue
        if abs(np.linalg.det(ours)) < 1e-20:
            return False
        one = theirs.astype(float) @ np.linalg.inv(ours.astype(float))
        factor = one if factor is None else factor
        if np.abs(lengths((one - factor)[None], size)).max() > 1e-3 * size:
            return False
    if factor is None:
        return False
    linear, scale = factor[:3, :3], np.abs(np.linalg.det(factor[:3, :3])) ** (1 / 3)
    if scale < 1e-9 or np.abs(factor[:3, 3]).max() > 1e-3 * size:
        return False
    shape = np.abs(linear) / scale
    return bool(np.abs(np.sort(shape, 1) - (0, 0, 1)).max() < 1e-3)


def seconds_of(said):
    """The time that a cause says the case is at, and how far it may be off: a sentence has four digits."""
    if "seconds" in said:
        return float(said["seconds"]), 10 * EQUAL
    found = re.search(r"ours at ([0-9.]+) s", said.get("detail") or "")
    return (float(found.group(1)), 5 * VISIBLE) if found else (None, 0)


def judge(case, answer, by_mistake, by_cause):
    """(verdict, what was claimed)."""
    if isinstance(answer, str):
        return "none", answer
    if answer["agrees"]:
        return ("first" if case.mode == "drift-alone" else "passed"), "agrees"
    found = claims(answer)
    text = "; ".join(" + ".join(i for i, _ in claim) for claim in found)
    if case.mode == "drift-alone" or case.mode.startswith("unknown"):
        if not found:
            return "none", text
        if case.drift_named(found, by_mistake):
            return "first", text
        return ("equal" if any(same_numbers(case, c, by_cause) for c in found[:3]) else "wrong"), text
    wanted = [set(by_mistake[m.id]) for m, _ in case.mistakes]
    if found and not any(matches(claim, wanted) for claim in found) and len(wanted) > 1:
        wanted = [w | equivalents(case, pair, by_mistake) for w, pair in zip(wanted, case.mistakes)]
    fits = [matches(claim, wanted) for claim in found]
    together = matches([c for claim in found for c in claim], wanted, loose=True) and answer_splits(found, wanted)
    if fits and fits[0]:
        return "first", text
    if any(fits) or together:
        return "among", text
    if any(same_numbers(case, claim, by_cause) for claim in found[:6]):
        return "equal", text
    ids = {i for claim in found for i, _ in claim}
    if len(wanted) > 1 and any(ids & w for w in wanted):
        return "part", text
    return ("wrong" if found else "none"), text


def equivalents(case, pair, by_mistake):
    """The causes of mistakes that alone give the numbers that this one gives alone."""
    subject, found = case.subject, set()
    alone = subject.pose([pair], case.clip, case.time, case.given)
    for other in KNOWN:
        if not by_mistake[other.id] or other.id == pair[0].id or (pair[1] is not None and not other.local_only()):
            continue
        if not set(other.needs.split()) <= subject.has:
            continue
        if case.apart(subject.pose([(other, pair[1])], case.clip, case.time, case.given), alone) < EQUAL:
            found |= set(by_mistake[other.id])
    return found


def answer_splits(found, wanted):
    """Whether a list of explanations can be several findings: each of one cause, for several mistakes."""
    return len(wanted) > 1 and all(len(claim) == 1 for claim in found)


def matches(claim, wanted, loose=False):
    """Whether the ids of a claim are one for each mistake, in any order."""
    ids = [i for i, _ in claim]
    if not loose and len(ids) != len(wanted):
        return False
    return all(any(i in w for i in ids) for w in wanted)


def f32(values):
    return {"f32": base64.b64encode(np.ascontiguousarray(values, "<f4").tobytes()).decode()}
