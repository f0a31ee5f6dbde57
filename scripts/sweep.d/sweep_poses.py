"""Poses of rigproof against those of the evaluators."""
import concurrent.futures
import copy
import os

import numpy as np

import sweep_program
import sweep_truth
from sweep_result import Result

EVALUATED = (".gltf", ".glb", ".dae")
KINDS = EVALUATED + (".fbx",)


# ---- distances ----------------------------------------------------------------------------------------------

def shift(mine, theirs, corners):
    """How far a matrix displaces the corners of the rest mesh's box from where the other one puts them."""
    d = mine - theirs
    return float(np.linalg.norm(corners @ d[:3, :3].T + d[:3, 3], axis=1).max())


def node_shift(mine, theirs, extent):
    """Translation, and the 3x3 part relative to its own size times the extent."""
    size = max(np.abs(theirs[:3, :3]).max(), 1e-30)
    return float(max(np.abs(mine[:3, 3] - theirs[:3, 3]).max(), np.abs(mine - theirs)[:3, :3].max() / size * extent))


def unique(points):
    return np.unique(points, axis=0)


def farthest(of, among, most=4000):
    """Largest distance of a point of the first set to the nearest of the second."""
    if not len(of):
        return 0.0
    if not len(among):
        return float("inf")
    if len(of) > most:
        of = of[np.linspace(0, len(of) - 1, most).astype(int)]
    worst, step = 0.0, max(1, 4_000_000 // len(among))
    for i in range(0, len(of), step):
        square = ((of[i:i + step, None, :] - among[None, :, :]) ** 2).sum(2).min(1)
        worst = max(worst, float(square.max()))
    return worst ** 0.5


# ---- one pose -----------------------------------------------------------------------------------------------

def bones_fit(mine, theirs):
    return bool(mine.skinned) == bool(theirs.bones) and \
        all(any(name in names for names, _ in theirs.bones) for name, _ in mine.bones if mine.skinned
            and name not in theirs.node_names)


def same_size(a, b):
    return b.points is None or len(a.points) == len(b.points) or \
        (b.first_use is not None and len(a.points) == len(b.first_use))


def pair_instances(mine, theirs):
    """[(mine, theirs)] and how many stay without a partner: in order when that fits, else the nearest that is free."""
    if len(mine) == len(theirs) and all(bool(a.skinned) == bool(b.bones) for a, b in zip(mine, theirs)) and \
            all(same_size(a, b) for a, b in zip(mine, theirs)):
        return list(zip(mine, theirs)), 0
    pairs, free = [], list(theirs)
    for a in mine:
        fitting = [b for b in theirs if bones_fit(a, b)]
        if not a.skinned:
            fitting = [b for b in fitting if a.bones[0][0] in b.node_names] or fitting
        sized = [b for b in fitting if same_size(a, b)]
        choice = next(([b for b in c if any(b is f for f in free)] for c in (sized, fitting)
                       if any(b is f for b in c for f in free)), sized or fitting)
        if choice:  # none is free: a mesh of many materials has become many
            best = min(choice, key=lambda b: worst_shift(a, b))
            pairs.append((a, best))
            free = [b for b in free if b is not best]
    return pairs, len(free)


def pair_bones(mine, theirs):
    """By place when both have the same number of joints, else by name; bones of the unweighted follow the mesh node."""
    if not mine.skinned:
        return [(mine.bones[0][1], theirs.world)] if theirs.world is not None else []
    by_place = len(mine.bones) == len(theirs.bones)
    pairs = []
    for i, (name, matrix) in enumerate(mine.bones):
        if by_place and name in theirs.bones[i][0]:
            pairs.append((matrix, theirs.bones[i][1]))
            continue
        named = [m for names, m in theirs.bones if name in names]
        if named:
            pairs.append((matrix, named[0]))
        elif theirs.world is not None and name in theirs.node_names:
            pairs.append((matrix, theirs.world))
    return pairs


def worst_shift(mine, theirs):
    return max((shift(m, t, mine.corners) for m, t in pair_bones(mine, theirs)), default=0.0)


def pair_nodes(mine, theirs):
    """In pre-order; the importer's own root (several roots, axes of COLLADA) has no partner."""
    if len(mine) == len(theirs):
        return [(m, t) for (_, m), (_, t) in zip(mine, theirs)], 0
    if len(mine) == len(theirs) + 1:
        return [(m, t) for (_, m), (_, t) in zip(mine[1:], theirs)], 0
    names = [name for name, _ in mine]
    pairs = [(m, t) for name, m in mine for known, t in theirs if name in known and names.count(name) == 1]
    return pairs, len(theirs) - len(pairs)


def compare_pose(mine, truth, extent, morphed=frozenset()):
    """{quantity: displacement in scene units} and remarks. `morphed`: nodes whose mesh has morph targets."""
    found, remarks = {}, set()

    def note(quantity, value):
        if not np.isfinite(value):
            value = float("inf")
        found[quantity] = max(found.get(quantity, 0.0), value)

    if truth.nodes is not None:
        pairs, alone = pair_nodes(mine.nodes, truth.nodes)
        if alone:
            remarks.add("%d nodes without partner" % alone)
        for m, t in pairs:
            note("nodes", node_shift(m, t, extent))
    pairs, alone = pair_instances(mine.instances, truth.instances) if truth.nodes is not None else \
        fbx_pairs(mine.instances, truth.instances)
    if alone:
        remarks.add("%d mesh instances without partner" % alone)
        note("instances", float("inf"))
    for a, b in pairs:
        for m, t in pair_bones(a, b):
            note("palette", shift(m, t, a.corners))
        if b.points is not None:
            compare_points(a, b, note, remarks)
    if truth.loose and mine.instances:
        ours = unique(np.concatenate([i.points for i in mine.instances]))
        for name, points in truth.loose.items():
            note("morphed" if name in morphed else "vertices", farthest(unique(points), ours))
        if truth.nodes is not None:  # the FBX truth is a sample
            note("vertices", farthest(ours, unique(np.concatenate(list(truth.loose.values())))))
    return found, remarks


def fbx_pairs(mine, theirs):
    """Skins only, and the first that knows all the bones; one skin may have become many meshes."""
    pairs = []
    for a in mine:
        fitting = [b for b in theirs if a.skinned and all(any(n in names for names, _ in b.bones) for n, _ in a.bones
                                                         if not n.startswith(a.mesh))]
        if fitting:
            pairs.append((a, min(fitting, key=lambda b: len(b.bones))))
    return pairs, 0


def in_order_of(a, b):
    """`b` in the order of `a`'s vertices: the file's before Assimp 5.3, that of their first use from then on."""
    if b.first_use is None or len(b.first_use) != len(a.points):
        return b
    used = copy.copy(b)
    for name in ("points", "normals", "unmorphed"):
        if getattr(b, name) is not None:
            setattr(used, name, getattr(b, name)[b.first_use])
    if len(a.points) != len(b.points):
        return used
    return min((b, used), key=lambda x: np.abs(a.points - x.points).max() if len(a.points) else 0.0)


def compare_points(a, b, note, remarks):
    b = in_order_of(a, b)
    if len(a.points) == len(b.points):
        distance = float(np.linalg.norm(a.points - b.points, axis=1).max()) if len(b.points) else 0.0
        note("vertices" if b.unmorphed is None else "morphed", distance)
        if b.unmorphed is not None and np.linalg.norm(a.points - b.unmorphed, axis=1).max() < 1e-6 * np.abs(a.points).max():
            remarks.add("the base shape is right")
        if b.normals is not None and a.normals is not None and len(a.normals) == len(b.normals):
            sized = np.linalg.norm(b.normals, axis=1) > 0.5
            if sized.any():
                note("normals", float(np.linalg.norm(a.normals - b.mirror * b.normals, axis=1)[sized].max()))
    else:
        remarks.add("%d vertices, %d in the file: as point sets" % (len(a.points), len(b.points)))
        note("vertices", farthest(unique(a.points), unique(b.points)))


# ---- one model ----------------------------------------------------------------------------------------------

def extent_of(truths, posed):
    boxes = [t.box for t in truths if t.box is not None]
    if boxes:
        size = np.max([b[1] for b in boxes], 0) - np.min([b[0] for b in boxes], 0)
    else:
        places = np.array([m[:3, 3] for p in posed for _, m in p.nodes])
        size = places.max(0) - places.min(0)
    return float(size.max()) or 1.0


def sweep_clip(program, path, scene, oracle, clip, label):
    times = oracle.times(clip)
    truths = [oracle.pose(clip, t) for t in times]
    choice = "none" if clip is None or not scene["clips"] else clip.index
    posed = sweep_program.poses(program, path, scene, choice, times)
    extent = extent_of(truths, posed)
    results = {}
    raw, raw_refusal = unrepaired(program, path, choice, times)
    morphed = {node for mesh in scene["meshes"] if mesh["morph_targets"] for node in mesh["nodes"]}
    for which, poses in (("", posed), ("raw", raw)):
        for pose, truth in zip(poses, truths):
            found, remarks = compare_pose(pose, truth, extent, morphed)
            for quantity, value in found.items():
                quantity += oracle.phase(truth.time)
                result = results.setdefault(quantity, Result(label, clip.name if clip else "none", quantity, extent))
                relative = value if quantity.startswith("normals") else value / extent
                if which:
                    result.raw = max(result.raw, relative)
                elif relative >= result.value:
                    result.value, result.time = relative, truth.time
                if not which:
                    result.remarks |= remarks
    for result in results.values():
        result.raw = float("inf") if raw_refusal else result.raw
    return list(results.values())


def unrepaired(program, path, choice, times):
    """What Assimp alone makes of it; without repairs a file may be unreadable, and then there is only the refusal."""
    try:
        scene = sweep_program.inspect(program, path, "--repair", "none")
        return sweep_program.poses(program, path, scene, choice, times, "--repair", "none"), None
    except sweep_program.Refused as refusal:
        return [], str(refusal)


def sweep_model(corpus, program, path):
    models = os.path.join(corpus, "models")
    label = os.path.relpath(path, models) if path.startswith(models) else path
    try:
        scene = sweep_program.inspect(program, path)
    except sweep_program.Refused as refusal:
        return [Result.refused(label, str(refusal))]
    try:
        oracle = sweep_truth.oracle_for(corpus, path)
    except Exception as problem:  # what the evaluator cannot read is listed, not judged
        return [Result.without_truth(label, "%s: %s" % (type(problem).__name__, problem))]
    try:
        results = []
        for clip in oracle.clips() or [None]:
            results += sweep_clip(program, path, scene, oracle, clip, label)
        return results or [Result.without_truth(label, "nothing to compare: no skin and no mesh")]
    except sweep_truth.NoTruth as reason:
        return [Result.without_truth(label, str(reason))]
    except Exception as problem:  # one model must not end the sweep; it is a failure in the table
        return [Result.broken(label, "%s: %s" % (type(problem).__name__, problem))]


def find_models(corpus, more, names):
    """Every model of the corpus, and of the other folders those that need no pose written down earlier."""
    found = []
    for top, kinds in [(os.path.join(corpus, "models"), KINDS)] + [(m, EVALUATED) for m in more]:
        for folder, _, files in os.walk(top):
            found += [os.path.join(folder, f) for f in files if f.lower().endswith(kinds)]
    if names:
        found = [f for f in found if any(n in f for n in names)]
    return sorted(found)


def in_parallel(jobs, function, *columns):
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        return [result for results in pool.map(function, *columns) for result in results]


def sweep_poses(corpus, more, program, names, jobs):
    models = find_models(corpus, more, names)
    return in_parallel(jobs, sweep_model, [corpus] * len(models), [program] * len(models), models)


# ---- geometry that the authoring tool exported --------------------------------------------------------------

# The tools export in their own unit and axes; which of these fits is printed.
AXES = {"": np.eye(3), "z to y up": np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], float),
        "y to z up": np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], float)}
UNITS = (1.0, 0.01, 100.0, 0.0254, 1 / 0.0254, 2.54, 1 / 2.54)


def load_obj(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return np.array([[float(x) for x in line.split()[1:4]] for line in file if line.startswith("v ")])


def both_ways(a, b):
    return max(farthest(a, b), farthest(b, a))


def sweep_obj(corpus, program, path, obj, stack, frame, fps):
    label = "%s %s" % (os.path.relpath(path, os.path.join(corpus, "models")), os.path.basename(obj))
    try:
        scene = sweep_program.inspect(program, path)
        start = sweep_truth.FbxExpected(corpus, path).start
        clip = stack if stack != "-" else "0" if scene["clips"] else "none"
        reference = load_obj(obj)
        result = Result(label, clip, "obj", 1.0)
        for options in ((), ("--repair", "none")):
            pose = sweep_program.poses(program, path, scene if not options else
                                       sweep_program.inspect(program, path, *options), clip, [frame / fps - start],
                                       *options)[0]
            ours = unique(np.concatenate([i.points for i in pose.instances]))
            distance, unit, axes = min((both_ways(ours, unique(reference @ turn.T * unit)) / unit, unit, name)
                                       for unit in UNITS for name, turn in AXES.items())
            extent = float((reference.max(0) - reference.min(0)).max())
            if options:
                result.raw = distance / extent
            else:
                result.value, result.extent, result.time = distance / extent, extent * unit, pose.time
                result.remarks = {r for r in (axes, "unit %g" % unit if unit != 1 else "") if r}
        return [result]
    except Exception as problem:
        return [Result.broken(label, "%s: %s" % (type(problem).__name__, problem))]


def sweep_objs(corpus, program, names, jobs):
    jobs_list = []
    with open(os.path.join(corpus, "oracle", "fbx_obj_frames.tsv"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            fbx, obj, stack, frame, fps = line.rstrip("\n").split("\t")
            where = os.path.join(corpus, "models", "ufbx", "data")
            if os.path.exists(os.path.join(where, fbx)) and (not names or any(n in fbx for n in names)):
                jobs_list.append((corpus, program, os.path.join(where, fbx), os.path.join(where, obj), stack, float(frame),
                                  float(fps)))
    return in_parallel(jobs, sweep_obj, *zip(*jobs_list)) if jobs_list else []
