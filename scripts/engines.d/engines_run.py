"""One engine over the corpus: every model it can read, its rest pose, its clips, five times each."""
import os
import sys

import engines_compare as compare
import engines_diagnose as diagnose
import engines_reference as reference
from engines_subject import Died, Refused, Subject


class Engine:
    """right: bones may differ by a constant right factor (another rest orientation); vertices decide. moving: models
    without clips are not asked for. axes: how the scene is turned as a rule, nodes' own axes left alone."""

    def __init__(self, name, kinds, command=None, patience=60, right=False, moving=False, axes=None):
        self.name, self.kinds, self.patience, self.right, self.moving = name, kinds, patience, right, moving
        self.axes = axes
        self.command = command or [os.path.join(SUBJECTS, name, "run")]

    def folder(self):
        """Of the script that installs it; None: there is nothing to install."""
        folder = os.path.dirname(self.command[0])
        return folder if os.path.dirname(folder) == SUBJECTS else None


SUBJECTS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))), "subjects")
ASSIMP = ("gltf", "glb", "fbx", "dae", "x", "b3d", "ms3d", "md5mesh")
WAYS = ("learnopengl", "ogldev", "gltf-article", "palette-article", "thesis")
ENGINES = [
    Engine("three", ("gltf", "glb", "fbx", "dae")),
    Engine("babylon", ("gltf", "glb")),
    Engine("playcanvas", ("gltf", "glb")),
    Engine("blender", ("gltf", "glb", "fbx", "dae"), patience=120, right=True),
    Engine("irrlicht", ("x", "b3d", "ms3d")),
    Engine("osg", ("dae",), axes=("x", "-z", "y")),
    Engine("filament", ("gltf", "glb")),
    *(Engine(way, ASSIMP, [os.path.join(SUBJECTS, "tutorials", "run"), way], moving=True) for way in WAYS),
]


def another_rigproof(text):
    """NAME=PROGRAM: a rigproof with another Assimp."""
    name, _, program = text.partition("=")
    return Engine(name, ASSIMP, [os.path.abspath(program), "subject"])


class Result:
    """What an engine made of a model. worst: {stage: (share of the extent, clip, time, where, "start" or "end" of the
    clip)}; named: the sets of mistakes that explain the first stage that differs, by `rigproof diagnose`; judged against the
    evaluator: {stage: share} for rigproof and for the engine."""

    MOST_EVIDENCE = 2

    def __init__(self, engine, model):
        self.engine, self.model = engine, model
        self.refused = self.died = None
        self.poses = 0
        self.worst, self.rigproof, self.theirs = {}, {}, {}
        self.unmatched, self.left, self.named = 0, "", set()
        self.evidence = {}  # {stage: [(share, clip's index, time, rigproof's answer, the engine's, frame)]}

    def stage(self):
        """The first stage that differs, or None."""
        return next((s for s in compare.STAGES if self.worst.get(s, (0,))[0] > compare.FAIR), None)

    def note(self, found, clip, at, evidence, place=""):
        self.poses += 1
        self.unmatched = max(self.unmatched, found.unmatched)
        for stage, value in found.value.items():
            if not value <= self.worst.get(stage, (-1.0,))[0]:
                self.worst[stage] = (value, clip, at, found.where[stage], place)
            if value > compare.FAIR:
                kept = sorted([*self.evidence.get(stage, []), (value, *evidence)], key=lambda one: -one[0])
                self.evidence[stage] = kept[:self.MOST_EVIDENCE]

    def diagnose(self, program, path):
        if self.stage():
            self.named = diagnose.name(program, path, [one[1:] for one in self.evidence[self.stage()]], self.stage())
        self.evidence = {}


def judge(result, truth, mine, theirs, frame, stage):
    """Holds both against the evaluator, who has the file's space and units, as rigproof has."""
    same = compare.Frame(mine)
    same.extent = frame.extent
    for into, answer, space in ((result.rigproof, mine, same), (result.theirs, theirs, frame)):
        found = compare.compare(truth, answer, space, stage)
        if truth.samples is not None and len(compare.cloud(answer)):
            value = compare.nearest(truth.samples @ space.left[:3, :3].T, compare.cloud(answer))
            found.note("skin", value / max(frame.extent * compare.scale_of(space.left), 1e-9), "samples")
        for name, value in found.value.items():
            into[name] = max(into.get(name, 0.0), value)


def clip_poses(result, subject, engine, program, path, evaluator, frame, clip):
    name, index, times = clip
    times = (evaluator.times(index) or times) if index == 0 else times
    answers = reference.poses(program, path, index, times)
    if answers is None:
        return
    for at, mine in zip(times, answers):
        theirs = subject.pose(path, name, index, at)
        if frame is None:
            frame = compare.Frame(mine, theirs, engine.right, engine.axes or subject.conventions.get("axes"))
            result.left = compare.told(frame.left)
        found = compare.compare(mine, theirs, frame)
        result.note(found, name, at, (index, at, mine, theirs, frame),
                    "end" if at == times[-1] else "start" if at == times[0] else "")
        truth = evaluator.pose(index, at)
        if truth is not None:
            judge(result, truth, mine, theirs, frame, "animate")


def one_model(subject, engine, program, corpus, path, public):
    result = Result(engine.name, public)
    clips = reference.clips(program, path)
    if clips is None:
        result.refused = "rigproof cannot read it"
        return result
    if engine.moving and not clips:
        return None
    evaluator = reference.Evaluator(corpus, path)
    frame = None
    try:
        rest = reference.poses(program, path, None, [0.0])
        try:
            theirs = subject.pose(path, None, None, 0.0)
        except Refused:
            if not clips:
                raise
            theirs = None
        if rest and theirs:
            frame = compare.Frame(rest[0], theirs, engine.right, engine.axes or subject.conventions.get("axes"))
            result.left = compare.told(frame.left)
            result.note(compare.compare(rest[0], theirs, frame, "import"), None, 0.0, (None, 0.0, rest[0], theirs, frame))
            truth = evaluator.pose(None, 0.0)
            if truth is not None:
                judge(result, truth, rest[0], theirs, frame, "import")
        for clip in clips:
            clip_poses(result, subject, engine, program, path, evaluator, frame, clip)
    except Refused as why:
        result.refused = str(why)
    except (ArithmeticError, ValueError, KeyError, TypeError) as why:  # an answer that is none
        result.died = "answers what cannot be compared: %s" % why
    except Died as why:
        result.died = str(why)
        subject.restart()
    result.diagnose(program, path)
    return result


def told(result):
    """The mistakes that were named, in one line: "nlerp", "a + b or c"."""
    return " or ".join(sorted(" + ".join(sorted(causes)) for causes in result.named))


def run(engine, program, corpus, models, progress=sys.stderr):
    """(name and version, [Result])"""
    subject, results = Subject(engine.command, engine.patience), []
    identity = (subject.name, subject.version)
    try:
        for path, public in models:
            if reference.readable(path) not in engine.kinds:
                continue
            done = one_model(subject, engine, program, corpus, path, public)
            if not done:
                continue
            results.append(done)
            verdict = "refused" if done.refused else "died" if done.died else done.stage() or "agrees"
            shares = " ".join("%s %.2g" % (s, v[0]) for s, v in done.worst.items())
            print("%-10s %-10s %s %s [%s]" % (engine.name, verdict, public, done.refused or done.died or shares, told(done)),
                  file=progress, flush=True)
    finally:
        subject.close()
    return identity, results


# ---- the corpus -------------------------------------------------------------------------------------------------

NOT_MODELS = ("invalid", "models/glTF/", "testmodels/glTF/", "SchemaFailures", "wrongTypes", "IndexOutOfRange")  # or glTF 1
KINDS = {kind for engine in ENGINES for kind in engine.kinds}


def models(roots, only):
    """[(path, public name)] of every model that an engine can read. roots: [(folder, what stands before its names)]"""
    found = []
    for root, prefix in roots:
        for folder, below, files in os.walk(root):
            below.sort()
            for name in sorted(files):
                path = os.path.join(folder, name)
                public = prefix + os.path.relpath(path, root)
                if reference.readable(path) in KINDS and not any(part in public for part in NOT_MODELS) and \
                        (not only or any(part in public for part in only)):
                    found.append((path, public))
    return found
