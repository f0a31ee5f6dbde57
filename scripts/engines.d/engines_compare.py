"""Two answers held against each other: names matched, one constant left factor solved, distances measured.

Distances are shares of the model's extent. A matrix counts by its translation and by its 3x3 part relative to its own size.
"""
import itertools
import re

import numpy as np

FAIR = 1e-4  # of the extent: single precision over a chain of some twenty bones
NAMELESS = re.compile(r"nodes\[\d+\]$")  # rigproof's own, where the file gives no name
STAGES = ("import", "animate", "palette", "skin")


# ---- names --------------------------------------------------------------------------------------------------

def sanitised(name):
    return "".join(c for c in name if c not in "[].:/").replace(" ", "_")


def bare(name):
    for mark in ("|", ":"):
        name = name.rsplit(mark, 1)[-1]
    return name


def lowered(name):
    return "".join(c if c.isalnum() else "_" for c in bare(name)).lower()


RULES = (("as they are", lambda n: n), ("sanitised", sanitised), ("without a namespace", bare), ("in lower case", lowered))


def pairs(reference, subject, key):
    """[(i, j)] of entries of one name, and how many of the reference's found no partner. Entries that share a name are
    paired in their order where both have the same number of them."""
    free_r, free_s, found = set(range(len(reference))), set(range(len(subject))), []
    for _, rule in RULES:
        named = {}
        for side, free, entries in ((0, free_r, reference), (1, free_s, subject)):
            for at in sorted(free):
                named.setdefault(rule(key(entries[at])), ([], []))[side].append(at)
        for mine, theirs in named.values():
            if len(mine) == len(theirs) or (len(mine) == 1 and theirs):
                for i, j in zip(mine, theirs):
                    found.append((i, j))
                    free_r.discard(i)
                    free_s.discard(j)
    rest_r, rest_s = sorted(free_r), sorted(free_s)
    if len(rest_s) == len(rest_r) + 1:
        rest_s = rest_s[1:]  # a root of the engine's own
    elif len(rest_r) == len(rest_s) + 1:
        rest_r = rest_r[1:]
    nameless = [i for i in rest_r if NAMELESS.match(key(reference[i]))]
    if nameless and len(rest_r) == len(rest_s) and set(rest_r) <= {0, *nameless}:
        placed = found + list(zip(rest_r, rest_s))
        if one_tree(reference, subject, placed):
            return placed, len(free_r) - len(rest_r)
    return found, len(free_r)


def one_tree(reference, subject, matched):
    """Whether nodes have parents that are matched too, as far as both are told and their names are their own."""
    partner = {reference[i][0]: subject[j][0] for i, j in matched}
    names = [node[0] for node in subject]
    for i, j in matched:
        mine, theirs = reference[i][1], subject[j][1]
        if mine in partner and theirs and names.count(theirs) == 1 and names.count(partner[mine]) == 1 and partner[mine] != theirs:
            return False
    return True


def palette_pairs(reference, subject):
    """[(i, [j, ...])] and how many of the reference's found none. One by one where both lists have the same bones in the same
    order, else with every entry of that bone: one of them has to agree."""
    if len(reference) == len(subject) and all(lowered(r[1]) == lowered(s[1]) for r, s in zip(reference, subject)):
        return [(i, [i]) for i in range(len(reference))], 0
    named = {}
    for j, entry in enumerate(subject):
        named.setdefault(lowered(entry[1]), []).append(j)
    found = [(i, named[lowered(r[1])]) for i, r in enumerate(reference) if lowered(r[1]) in named]
    return found, len(reference) - len(found)


# ---- distances ----------------------------------------------------------------------------------------------

def apart(a, b, extent):
    """Of two matrices, as a share of the extent."""
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return float("inf")
    size = max(np.abs(b[:3, :3]).max(), 1e-12)
    return float(max(np.abs(a[:3, 3] - b[:3, 3]).max() / extent, np.abs(a[:3, :3] - b[:3, :3]).max() / size))


def extent_of(answer):
    clouds = [points for _, points in answer.skin if len(points)]
    if not clouds:
        clouds = [np.array([m[:3, 3] for _, _, m in answer.nodes or answer.palette])]
    if not len(clouds[0]):
        return 1.0
    low, high = np.min([c.min(0) for c in clouds], 0), np.max([c.max(0) for c in clouds], 0)
    return float(max(np.linalg.norm(high - low), 1e-6))


# ---- the constant left factor ---------------------------------------------------------------------------------

def candidates():
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1, -1), repeat=3):
            turn = np.eye(4)
            turn[:3, :3] = 0
            for row, column in enumerate(order):
                turn[row, column] = signs[row]
            yield turn


TURNS = list(candidates())


def declared(axes):
    """The turn that conventions declare, ["x", "-z", "y"]; none: the identity."""
    turn = np.eye(4)
    for row, axis in enumerate(axes or ()):
        turn[row, :3] = [(-1 if axis[0] == "-" else 1) * (axis[-1] == one) for one in "xyz"]
    return turn


def factors(reference, subject, matched, usual):
    """(L, R): subject = L x reference x R for as many nodes as can be. L is a signed permutation x scale; R is the identity,
    or the inverse of L, where the nodes' own axes are turned and scaled too."""
    best, least = (np.eye(4), np.eye(4)), float("inf")
    if not matched:
        return best
    mine = np.array([reference[i][2] for i, _ in matched])
    theirs = np.array([subject[j][2] for _, j in matched])
    sizes = [np.cbrt(np.abs(np.linalg.det(side[:, :3, :3]))) for side in (mine, theirs)]
    spans = [np.linalg.norm(np.ptp(side[:, :3, 3], 0)) for side in (mine, theirs)]
    scales = {1.0, 0.01, 100.0, float(np.median(sizes[1] / np.maximum(sizes[0], 1e-30)))}
    scales |= {float(spans[1] / spans[0])} if spans[0] > 1e-6 and spans[1] > 1e-6 else set()
    for scale in sorted((s for s in scales if 1e-6 < s < 1e6), key=lambda s: abs(s - 1)):
        for turn in TURNS:
            left = turn.copy()
            left[:3, :3] *= scale
            for right in (np.eye(4), np.linalg.inv(left)):
                error = np.abs(left @ mine @ right - theirs)[:, :3].reshape(len(matched), -1).max(1)
                simple = (np.abs(turn - usual).max() > 0) + (scale != 1) + (right[0, 0] != 1)
                value = float(np.median(error)) + 1e-7 * simple * max(spans[1], 1.0)
                if value < least:
                    best, least = (left, right), value
    return best


def cloud(answer):
    return np.concatenate([points for _, points in answer.skin if len(points)] or [np.zeros((0, 3))])


def summary(points):
    """Each place once: importers split and join vertices."""
    points = np.unique(np.round(points, 5), axis=0)
    return np.array([points.min(0), points.max(0), points.mean(0)])


def left_factor_of_points(mine, theirs, nodes, usual):
    """The same from the vertices' box and centre: their order may differ. Of equals the one that fits the nodes [(mine, theirs)], the
    simplest, and no mirror."""
    best, least = np.eye(4), float("inf")
    mine, theirs = summary(mine), summary(theirs)
    ratio = np.linalg.norm(np.ptp(theirs, 0)) / max(np.linalg.norm(np.ptp(mine, 0)), 1e-30)
    for scale in (1.0, 0.01, 100.0, min(max(ratio, 1e-6), 1e6)):
        for turn in TURNS:
            moved = scale * mine @ turn[:3, :3].T
            moved[:2] = np.sort(moved[:2], 0)
            left = turn.copy()
            left[:3, :3] *= scale
            misfit = min([max(np.abs(left @ m @ r - t).max() for m, t in nodes) for r in (np.eye(4), np.linalg.inv(left))]) if nodes else 0
            unusual = np.abs(turn - usual).max() > 0
            complexity = 10 * min(misfit / scale, 1) + (scale != 1) + \
                unusual * (1 + 0.1 * (turn < 0).sum() + 2 * (np.linalg.det(turn) < 0))
            value = float(np.abs(moved - theirs).mean()) + 1e-4 * complexity * float(np.ptp(theirs))
            if value < least:
                best, least = left, value
    return best


def scale_of(factor):
    return float(np.cbrt(abs(np.linalg.det(factor[:3, :3]))))


def told(factor):
    """A left factor in words, empty where it is the identity."""
    scale = scale_of(factor)
    if np.abs(factor - np.eye(4)).max() < 1e-6:
        return ""
    turn = factor[:3, :3] / scale
    axes = ["%s%s" % ("-" if row[np.argmax(np.abs(row))] < 0 else "", "xyz"[int(np.argmax(np.abs(row)))]) for row in turn]
    words = [] if axes == ["x", "y", "z"] else ["(%s)" % ", ".join(axes)]
    return " ".join(words + ([] if abs(scale - 1) < 1e-6 else ["x %.4g" % scale]))


# ---- one pose -------------------------------------------------------------------------------------------------

class Frame:
    """What is common to all times of a model: the factors, and where asked a constant right factor per node."""

    def __init__(self, reference, subject=None, right=False, axes=None):
        self.extent = extent_of(reference)
        self.left = self.all = np.eye(4)
        self.right, self.usual = None, declared(axes)
        if subject is not None:
            self.solve(reference, subject, right)

    def solve(self, reference, subject, right):
        matched = []
        clouds = (cloud(reference), cloud(subject))
        if subject.nodes and reference.nodes:
            matched, _ = pairs(reference.nodes, subject.nodes, lambda n: n[0])
            if len(matched) > 1 and not right and all(apart(reference.nodes[i][2], subject.nodes[j][2], self.extent) < FAIR for i, j in matched):
                return  # nothing is to be solved
            self.left, self.all = factors(reference.nodes, subject.nodes, matched, self.usual)
        elif subject.palette and reference.palette:
            entries, _ = palette_pairs(reference.palette, subject.palette)
            self.left, _ = factors(reference.palette, subject.palette, [(i, j[0]) for i, j in entries], self.usual)
        if right and not all(map(len, clouds)):  # nothing tells it from the factors of the bones
            self.left = self.all = np.eye(4)
        elif all(map(len, clouds)) and (right or len(matched) < 2):
            nodes = [(reference.nodes[i][2], subject.nodes[j][2]) for i, j in matched]
            self.left = left_factor_of_points(*clouds, [] if right else nodes, self.usual)
            own = np.linalg.inv(self.left)
            turned = sum(np.abs(self.left @ mine @ own - theirs).max() for mine, theirs in nodes)
            self.all = own if turned < sum(np.abs(self.left @ mine - theirs).max() for mine, theirs in nodes) else np.eye(4)
        if right and subject.nodes and reference.nodes:
            self.right = {subject.nodes[j][0]: np.linalg.pinv(self.left @ reference.nodes[i][2]) @ subject.nodes[j][2]
                          for i, j in matched}

    def node(self, name, matrix):
        return self.left @ matrix @ (self.all if self.right is None else self.right.get(name, np.eye(4)))


class Found:
    """Largest distances of one pose, and at which entry."""

    def __init__(self):
        self.value, self.where, self.unmatched, self.count = {}, {}, 0, {}

    def note(self, stage, value, where):
        self.count[stage] = self.count.get(stage, 0) + 1
        if not value <= self.value.get(stage, -1.0):
            self.value[stage], self.where[stage] = value, where


def nearest(of, among, most=400):
    """Largest distance of a point of the first set to the nearest of the second."""
    if not len(of) or not len(among):
        return 0.0
    of = of[np.linspace(0, len(of) - 1, min(most, len(of))).astype(int)]
    return max(float(((among - point) ** 2).sum(1).min()) for point in of) ** 0.5


def compare_skin(reference, subject, frame, found, extent):
    """Vertex by vertex where the counts agree mesh by mesh. Where they do not, or importers have changed the order: each
    vertex against the nearest. Meshes that the engine leaves out are left out."""
    names = {name: len(points) for name, points in subject}
    if len(subject) < len(reference) and all((name, count) in [(r[0], len(r[1])) for r in reference] for name, count in names.items()):
        reference = [(name, points) for name, points in reference if names.get(name) == len(points)]
    if len(reference) == len(subject) and all(len(r[1]) == len(s[1]) for r, s in zip(reference, subject)):
        far = [(float(np.abs(mine @ frame.left[:3, :3].T - theirs).max()) / extent, name)
               for (name, mine), (_, theirs) in zip(reference, subject) if len(mine)]
        if not far or max(far)[0] < FAIR:
            for value, name in far:
                found.note("skin", value, name)
            return
    mine, theirs = (np.concatenate([points for _, points in side if len(points)] or [np.zeros((0, 3))])
                    for side in (reference, subject))
    if len(mine) and len(theirs):
        moved = mine @ frame.left[:3, :3].T
        value = max(nearest(moved, theirs), nearest(theirs, moved)) if np.isfinite(theirs).all() else float("inf")
        found.note("skin", value / extent, "nearest vertices")


def compare(reference, subject, frame, stage="animate"):
    """The first answer is the reference's. Nodes count for `stage`: import for the rest pose."""
    found, scale = Found(), scale_of(frame.left)
    extent = max(frame.extent * scale, 1e-9)
    if subject.nodes and reference.nodes:
        matched, found.unmatched = pairs(reference.nodes, subject.nodes, lambda n: n[0])
        for i, j in matched:
            name = subject.nodes[j][0]
            found.note(stage, apart(frame.node(name, reference.nodes[i][2]), subject.nodes[j][2], extent), reference.nodes[i][0])
    if subject.palette and reference.palette and frame.right is None:
        matched, _ = palette_pairs(reference.palette, subject.palette)
        back = np.linalg.inv(frame.left)
        for i, j in matched:
            mine = frame.left @ reference.palette[i][2]
            # mesh space is the file's, or turned and scaled like the scene
            value = min(apart(own, subject.palette[one][2], extent) for one in j for own in (mine, mine @ back))
            found.note("palette", value, reference.palette[i][1])
    if subject.skin and reference.skin:
        compare_skin(reference.skin, subject.skin, frame, found, extent)
    return found
