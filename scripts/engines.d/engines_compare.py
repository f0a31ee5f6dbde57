"""Two answers held against each other: names matched, one constant left factor solved, distances measured.

Distances are shares of the model's extent. A matrix counts by its translation and by its 3x3 part relative to its own size.
"""
import itertools

import numpy as np

FAIR = 1e-4  # of the extent: single precision over a chain of some twenty bones
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
    if free_r and len(free_r) == len(free_s):  # names are lost: by their places in the tree
        return found + list(zip(sorted(free_r), sorted(free_s))), 0
    return found, len(free_r)


def palette_pairs(reference, subject):
    """Mesh by mesh in the order of both lists where the counts agree, else by bone's name alone."""
    if len(reference) == len(subject) and all(lowered(r[1]) == lowered(s[1]) for r, s in zip(reference, subject)):
        return [(i, i) for i in range(len(reference))], 0
    exact, missing = pairs(reference, subject, lambda entry: entry[1])
    if not missing:
        return exact, 0
    first = {}
    for j, entry in enumerate(subject):
        first.setdefault(lowered(entry[1]), j)
    found = [(i, first[lowered(r[1])]) for i, r in enumerate(reference) if lowered(r[1]) in first]
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


def left_factor(reference, subject, matched):
    """The similarity L (signed permutation x scale) with subject = L x reference for as many nodes as can be."""
    best, least = np.eye(4), float("inf")
    if not matched:
        return best
    mine = np.array([reference[i][2] for i, _ in matched])
    theirs = np.array([subject[j][2] for _, j in matched])
    scales = np.cbrt(np.abs(np.linalg.det(theirs[:, :3, :3])) / np.maximum(np.abs(np.linalg.det(mine[:, :3, :3])), 1e-30))
    for scale in {1.0, 0.01, 100.0, float(np.median(scales))}:
        for turn in TURNS:
            factor = turn.copy()
            factor[:3, :3] *= scale
            error = np.abs(factor @ mine - theirs)[:, :3].reshape(len(matched), -1).max(1)
            value = float(np.median(error)) + 1e-9 * (np.abs(turn - np.eye(4)).max() > 0) + 1e-9 * (scale != 1)
            if value < least:
                best, least = factor, value
    return best


def cloud(answer):
    return np.concatenate([points for _, points in answer.skin if len(points)] or [np.zeros((0, 3))])


def left_factor_of_points(mine, theirs):
    """The same from vertices: one by one where both have as many, else by their box and centre."""
    if len(mine) != len(theirs):
        mine, theirs = (np.array([c.min(0), c.max(0), c.mean(0)]) for c in (mine, theirs))
    best, least = np.eye(4), float("inf")
    ratio = np.linalg.norm(np.ptp(theirs, 0)) / max(np.linalg.norm(np.ptp(mine, 0)), 1e-30)
    for scale in (1.0, 0.01, 100.0, ratio):
        for turn in TURNS:
            moved = scale * mine @ turn[:3, :3].T
            if len(mine) == 3:
                moved[:2] = np.sort(moved[:2], 0)
            value = float(np.abs(moved - theirs).mean()) * (1 + 1e-6 * (scale != 1) + 1e-6 * (np.abs(turn - np.eye(4)).max() > 0))
            if value < least:
                best, least = turn.copy(), value
                best[:3, :3] *= scale
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
    """What is common to all times of a model: the left factor, and where asked a constant right factor per node."""

    def __init__(self, reference, subject, right=False):
        self.extent = extent_of(reference)
        self.left = np.eye(4)
        matched = []
        clouds = (cloud(reference), cloud(subject))
        if subject.nodes and reference.nodes:
            matched, _ = pairs(reference.nodes, subject.nodes, lambda n: n[0])
            self.left = left_factor(reference.nodes, subject.nodes, matched)
            if right and all(map(len, clouds)):
                self.left = left_factor_of_points(*clouds)
        elif subject.palette and reference.palette:
            matched, _ = palette_pairs(reference.palette, subject.palette)
            self.left = left_factor(reference.palette, subject.palette, matched)
        self.right = None
        if right and subject.nodes and reference.nodes:
            self.right = {subject.nodes[j][0]: np.linalg.pinv(self.left @ reference.nodes[i][2]) @ subject.nodes[j][2]
                          for i, j in matched}

    def node(self, name, matrix):
        own = self.left @ matrix
        return own @ self.right.get(name, np.eye(4)) if self.right is not None else own


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
    """Vertex by vertex where the counts agree mesh by mesh, else each vertex against the nearest."""
    same = len(reference) == len(subject) and all(len(r[1]) == len(s[1]) for r, s in zip(reference, subject))
    if same:
        for (name, mine), (_, theirs) in zip(reference, subject):
            if len(mine):
                moved = mine @ frame.left[:3, :3].T
                found.note("skin", float(np.abs(moved - theirs).max()) / extent, name)
        return
    mine = np.concatenate([points for _, points in reference if len(points)] or [np.zeros((0, 3))])
    theirs = np.concatenate([points for _, points in subject if len(points)] or [np.zeros((0, 3))])
    if len(mine) and len(theirs) and np.isfinite(theirs).all():
        moved = mine @ frame.left[:3, :3].T
        found.note("skin", max(nearest(moved, theirs), nearest(theirs, moved)) / extent, "cloud")


def compare(reference, subject, frame, stage="animate"):
    """The first answer is the reference's. Nodes count for `stage`: import for the rest pose."""
    found, scale = Found(), scale_of(frame.left)
    extent = frame.extent * scale
    if subject.nodes and reference.nodes:
        matched, found.unmatched = pairs(reference.nodes, subject.nodes, lambda n: n[0])
        for i, j in matched:
            name = subject.nodes[j][0]
            found.note(stage, apart(frame.node(name, reference.nodes[i][2]), subject.nodes[j][2], extent), reference.nodes[i][0])
    if subject.palette and reference.palette and frame.right is None:
        matched, _ = palette_pairs(reference.palette, subject.palette)
        back = np.linalg.inv(frame.left)
        for i, j in matched:
            mine, theirs = frame.left @ reference.palette[i][2], subject.palette[j][2]
            # mesh space is the file's, or turned and scaled like the scene
            value = min(apart(mine, theirs, extent), apart(mine @ back, theirs, extent))
            found.note("palette", value, reference.palette[i][1])
    if subject.skin and reference.skin:
        compare_skin(reference.skin, subject.skin, frame, found, extent)
    return found
