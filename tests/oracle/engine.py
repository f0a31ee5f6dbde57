"""Plays a model as the glTF specification says, in single precision, with mistakes put in where they are asked for.

A mistake is a Mistake with functions by the name of the step that they change. A step calls those of the mistakes that
concern its node, so each mistake can be put on all nodes or on some.
"""
import numpy as np
from gltf import F32, compose, decompose, quaternion_matrix

STEPS = ("parent", "channel", "unkeyed", "keys", "when", "value", "trs", "local", "world", "offset", "entry", "palette",
         "weights", "vertices", "blend", "skinned", "morph", "clip", "time")


class Mistake:
    """id and stage name it, sentence says it, seen says where a real program has it.

    Other arguments are functions by the step they change, and `how`, a table of choices for the interpolation of keys.
    """

    def __init__(self, ident, stage, sentence, seen, how=None, needs="", known=True, convention=False, **steps):
        self.id, self.stage, self.sentence, self.seen = ident, stage, sentence, seen
        self.how, self.needs, self.known, self.convention = how or {}, needs, known, convention
        unknown = set(steps) - set(STEPS)
        assert not unknown, unknown
        self.steps = steps

    def local_only(self):
        """It can be put on single bones: no step of it looks at a whole mesh."""
        return not set(self.steps) & {"palette", "weights", "vertices", "blend", "skinned", "morph", "clip"}


def unit(q):
    length = np.sqrt(np.dot(q, q))
    return (q / length).astype(F32) if length > 0 else np.array((0, 0, 0, 1), F32)


def slerp(a, b, u):
    """The shorter way at a constant speed."""
    cosine = F32(np.dot(a, b))
    if cosine < 0:
        b, cosine = -b, -cosine
    if cosine > 0.99999:
        return unit(a + F32(u) * (b - a))
    angle = np.arccos(np.minimum(cosine, F32(1)))
    return unit((np.sin((1 - u) * angle) * a + np.sin(u * angle) * b) / np.sin(angle))


def lerp(a, b, u):
    return (a + F32(u) * (b - a)).astype(F32)


def hermite(p0, m0, p1, m1, u, interval):
    u2, u3 = u * u, u * u * u
    return ((2 * u3 - 3 * u2 + 1) * p0 + interval * (u3 - 2 * u2 + u) * m0 + (-2 * u3 + 3 * u2) * p1
            + interval * (u3 - u2) * m1).astype(F32)


def multiply(a, b):
    """Quaternion product a b: b turns first."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return np.array((aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
                     aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz), F32)


def conjugate(q):
    return np.array((-q[0], -q[1], -q[2], q[3]), F32)


def interpolate(channel, times, values, kind, time, how):
    """The value of a channel, or None where a mistake leaves the node at rest."""
    path = channel.path
    kind = how.get("kind", {}).get(kind, kind)
    cubic = values.ndim == 3
    stored = (lambda k: values[k, how.get("part", 1)]) if cubic else (lambda k: values[k])
    value = (lambda k: unit(stored(k))) if path == "rotation" and not cubic and not how.get("raw") else stored
    count = len(times)
    outside = "before" if time < times[0] else "after" if time > times[-1] else None
    rule = how.get(outside, "hold") if outside else None
    if count == 1 or rule == "hold":
        return value(0 if outside == "before" else -1)
    if rule == "rest":
        return None
    if rule in ("first", "last"):
        return value(0 if rule == "first" else -1)
    if rule == "loop":
        time = times[0] + (time - times[0]) % (times[-1] - times[0])
    k = int(min(max(np.searchsorted(times, F32(time), "right") - 1, 0), count - 2))
    interval = F32(times[k + 1] - times[k])
    u = F32((F32(time) - times[k]) / interval) if interval > 0 else F32(0)
    if "fraction" in how:
        u = F32(how["fraction"](u, F32(time), times, k))
    if "pick" in how:
        k = int(min(max(how["pick"](k, count, u), 0), count - 2))
    if kind == "STEP":
        return value(k if u < 1 else k + 1)
    if kind == "CUBICSPLINE" and cubic:
        spline = how.get("cubic", hermite)
        result = spline(values[k, 1], values[k, 2], values[k + 1, 1], values[k + 1, 0], u, interval)
        return how.get("finish", unit)(result) if path == "rotation" else result
    if "curve" in how:
        result = how["curve"](value, k, count, u, path)
        return unit(result) if path == "rotation" else result
    if path == "rotation":
        return how.get("turn", slerp)(value(k), value(k + 1), u)
    return how.get("line", {}).get(path, how.get("move", lerp))(value(k), value(k + 1), u)


class Pose:
    """What a player made of a model at a time.

    palette lists (mesh node, skin, place, joint node, matrix), skin lists (primitive, mesh node, positions).
    """

    def __init__(self, count):
        self.t, self.r, self.s = np.zeros((count, 3), F32), np.zeros((count, 4), F32), np.ones((count, 3), F32)
        self.local = np.broadcast_to(np.eye(4, dtype=F32), (count, 4, 4)).copy()
        self.world = self.local.copy()
        self.palette, self.skin, self.parents = [], [], {}


class Player:
    """Plays one model with the mistakes [(mistake, None for all nodes or a set of nodes)]."""

    def __init__(self, model, mistakes=(), seed=1):
        self.model, self.mistakes, self.seed = model, list(mistakes), seed
        self.kept, self.right_poses = {}, {}
        self.steps = {step: [(m.steps[step], scope) for m, scope in self.mistakes if step in m.steps] for step in STEPS}
        self.hows = {}

    def random(self, *key):
        """A generator of numbers that depend on the seed and the key alone."""
        text = repr((self.seed,) + key).encode()
        state = 2166136261
        for byte in text:
            state = (state ^ byte) * 16777619 % 2**32
        return np.random.RandomState(state)

    def of(self, step, node=None):
        return [f for f, scope in self.steps[step] if scope is None or (node is not None and node in scope)]

    def how(self, node):
        if node not in self.hows:
            merged = {}
            for mistake, scope in self.mistakes:
                if scope is None or node in scope:
                    merged.update(mistake.how)
            self.hows[node] = merged
        return self.hows[node]

    def right(self, clip, time, skin=False):
        """The pose without a mistake, which some mistakes mix into theirs."""
        key = (None if clip is None else id(clip), round(float(time), 9), skin)
        if key not in self.right_poses:
            self.right_poses[key] = Player(self.model, (), self.seed).pose(clip, time, skin)
        return self.right_poses[key]

    def keys(self, node, channel):
        key = (node, id(channel))
        if key not in self.kept:
            found = channel.times, channel.values, channel.interpolation
            for f in self.of("keys", node):
                found = f(self, node, channel, *found)
            self.kept[key] = found
        return self.kept[key]

    def sample(self, clip, node, path, rest, time):
        channel = clip.by.get((node, path)) if clip else None
        for f in self.of("channel", node):
            channel = f(self, clip, node, path, channel)
        if channel is None:
            for f in self.of("unkeyed", node):
                rest = f(self, clip, node, path, rest)
            return rest
        times, values, kind = self.keys(node, channel)
        for f in self.of("when", node):
            time = f(self, clip, node, channel, time)
        value = interpolate(channel, times, values, kind, time, self.how(node))
        if value is None:
            return rest
        for f in self.of("value", node):
            value = f(self, clip, node, path, np.asarray(value, F32), rest)
        return np.asarray(value, F32)

    def clip_time(self, clip, time, node=None, wrap="loop"):
        """Where in the clip a time is. The end itself is the end."""
        if clip is None:
            return 0.0
        for f in self.of("time", node):
            time = f(self, clip, time)
            if isinstance(time, tuple):  # it has wrapped it already
                return time[0]
        if time > clip.end:
            time = time % clip.end if wrap == "loop" and clip.end > 0 else clip.end
        return max(time, 0.0)

    def pose(self, clip, time, skin=True, wrap="loop"):
        model = self.model
        pose = Pose(len(model.nodes))
        self.asked, self.wrap = (clip, time), wrap
        for f in self.of("clip"):
            clip = f(self, clip)
        for index in model.order:
            self.pose_local(pose, clip, index, self.clip_time(clip, time, index, wrap))
        for index in model.order:
            self.pose_world(pose, index)
        for mesh_node in model.skinned:
            self.pose_palette(pose, mesh_node)
        if skin:
            self.pose_skin(pose, clip, self.clip_time(clip, time, None, wrap))
        return pose

    def pose_local(self, pose, clip, index, time):
        node = self.model.nodes[index]
        t = self.sample(clip, index, "translation", node.t, time)
        r = self.sample(clip, index, "rotation", node.r, time)
        s = self.sample(clip, index, "scale", node.s, time)
        before = t, r, s
        for f in self.of("trs", index):
            t, r, s = (np.asarray(v, F32) for v in f(self, pose, index, t, r, s))
        changed = any(a is not b and not np.array_equal(a, b) for a, b in zip(before, (t, r, s)))
        moved = changed or (clip and any((index, path) in clip.by for path in ("translation", "rotation", "scale")))
        local = node.matrix if node.matrix is not None and not moved else compose(t, r, s)
        for f in self.of("local", index):
            local = np.asarray(f(self, pose, index, t, r, s, local), F32)
        pose.t[index], pose.r[index], pose.s[index] = t, r, s
        pose.local[index] = local

    def pose_world(self, pose, index):
        parent = self.model.nodes[index].parent
        for f in self.of("parent", index):
            parent = f(self, index, parent)
        pose.parents[index] = parent
        above = pose.world[parent] if parent is not None else np.eye(4, dtype=F32)
        world = above @ pose.local[index]
        for f in self.of("world", index):
            world = np.asarray(f(self, pose, index, parent, above, pose.local[index], world), F32)
        pose.world[index] = world

    def pose_palette(self, pose, mesh_node):
        skin = self.model.skins[self.model.nodes[mesh_node].skin]
        matrices = []
        for place, joint in enumerate(skin.joints):
            offset = skin.offsets[place]
            for f in self.of("offset", joint):
                offset = np.asarray(f(self, skin, place, joint, offset), F32)
            matrix = pose.world[joint] @ offset
            for f in self.of("entry", joint):
                matrix = np.asarray(f(self, pose, mesh_node, skin, place, joint, offset, matrix), F32)
            matrices.append(matrix)
        for f in self.of("palette"):
            matrices = f(self, pose, mesh_node, skin, matrices)
        for place, joint in enumerate(skin.joints):
            pose.palette.append((mesh_node, skin, place, joint, np.asarray(matrices[place], F32)))

    def morph_weights(self, clip, mesh_node, time):
        node = self.model.nodes[mesh_node]
        rest = node.weights or self.model.mesh_weights[node.mesh]
        count = max((len(p.targets) for p in self.model.meshes[node.mesh]), default=0)
        rest = np.array(rest if rest else [0] * count, F32)
        value = self.sample(clip, mesh_node, "weights", rest, time)
        for f in self.of("morph"):
            value = f(self, mesh_node, value)
        return value

    def pose_skin(self, pose, clip, time):
        for mesh_node in self.model.order:
            node = self.model.nodes[mesh_node]
            if node.mesh is None:
                continue
            for primitive in self.model.meshes[node.mesh]:
                positions = primitive.positions.copy()
                if primitive.targets:
                    for weight, delta in zip(self.morph_weights(clip, mesh_node, time), primitive.targets):
                        positions = (positions + F32(weight) * delta).astype(F32)
                for f in self.of("vertices"):
                    positions = np.asarray(f(self, mesh_node, primitive, positions), F32)
                if mesh_node in self.model.skinned and primitive.joints is not None:
                    positions = self.skin_vertices(pose, mesh_node, primitive, positions)
                else:
                    positions = apply(pose.world[mesh_node], positions)
                pose.skin.append((primitive, mesh_node, positions))

    def skin_vertices(self, pose, mesh_node, primitive, positions):
        matrices = np.array([m for at, _, _, _, m in pose.palette if at == mesh_node], F32)
        joints, weights = primitive.joints, whole(primitive.weights)
        for f in self.of("weights"):
            joints, weights = f(self, mesh_node, primitive, joints, weights)
        joints = np.clip(joints, 0, len(matrices) - 1)
        blends = self.of("blend")
        positions = (blends[-1] if blends else linear)(matrices, joints, weights, positions)
        for f in self.of("skinned"):
            positions = np.asarray(f(self, mesh_node, primitive, positions), F32)
        return positions


def apply(matrix, points):
    return (points @ matrix[:3, :3].T + matrix[:3, 3]).astype(F32)


def whole(weights):
    """Weights that add up to 1."""
    total = weights.sum(1, keepdims=True)
    return np.where(total > 0, weights / np.where(total > 0, total, 1), weights).astype(F32)


def linear(matrices, joints, weights, positions):
    """Linear blend skinning."""
    blended = np.einsum("vk,vkij->vij", weights, matrices[joints])
    return (np.einsum("vij,vj->vi", blended[:, :3, :3], positions) + blended[:, :3, 3]).astype(F32)


def dual_quaternion(matrices, joints, weights, positions):
    """Dual quaternion skinning of rotations and translations; scale is lost."""
    reals, duals = [], []
    for matrix in matrices:
        _, q, _ = decompose(matrix)
        q = unit(q)
        reals.append(q)
        duals.append(0.5 * multiply(np.array((*matrix[:3, 3], 0), F32), q))
    reals, duals = np.array(reals), np.array(duals)
    real, dual = reals[joints], duals[joints]
    sign = np.where(np.einsum("vki,vi->vk", real, real[:, 0]) < 0, -1, 1) * weights
    real, dual = np.einsum("vk,vki->vi", sign, real), np.einsum("vk,vki->vi", sign, dual)
    length = np.linalg.norm(real, axis=1, keepdims=True)
    real, dual = real / length, dual / length
    axis, w = real[:, :3], real[:, 3:]
    turned = positions + 2 * np.cross(axis, np.cross(axis, positions) + w * positions)
    moved = 2 * (w * dual[:, :3] - dual[:, 3:] * axis + np.cross(axis, dual[:, :3]))
    return (turned + moved).astype(F32)
