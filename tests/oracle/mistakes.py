"""The mistakes that an engine can make: what each does, and where a real program has it or teaches it.

The list was made from the glTF specification and from the sources, issues and tutorials of engines, without a look at
what rigproof can name. UNKNOWN are mistakes that no tool has a name for.
"""
import math

import numpy as np
from engine import (F32, Mistake, apply, compose, conjugate, decompose, dual_quaternion, hermite, lerp, linear,
      multiply,
                    quaternion_matrix, slerp, unit)

IDENTITY_Q = np.array((0, 0, 0, 1), F32)
EYE = np.eye(4, dtype=F32)
KNOWN, UNKNOWN, DRIFT = [], [], []


def known(ident, stage, sentence, seen, how=None, needs="", convention=False, **steps):
    KNOWN.append(Mistake(ident, stage, sentence, seen, how, needs, True, convention, **steps))


def unknown(ident, stage, sentence, how=None, needs="", **steps):
    UNKNOWN.append(Mistake(ident, stage, sentence, "made up", how, needs, False, False, **steps))


def axis_angle(x, y, z, degrees):
    half = math.radians(degrees) / 2
    axis = np.array((x, y, z), float)
    return np.array((*(math.sin(half) * axis / np.linalg.norm(axis)), math.cos(half)), F32)


def matrix_of(q, t=(0, 0, 0), s=(1, 1, 1)):
    return compose(np.array(t, F32), q, np.array(s, F32))


def inverse(m):
    return np.linalg.inv(m.astype(np.float64)).astype(F32) if abs(np.linalg.det(m)) > 1e-30 else EYE


def transposed(m):
    return np.ascontiguousarray(m.T)


def linear_part(m):
    only = EYE.copy()
    only[:3, :3] = m[:3, :3]
    return only


def translation_part(m):
    only = EYE.copy()
    only[:3, 3] = m[:3, 3]
    return only


def affine(m):
    """A matrix whose last row is 0 0 0 1, as a pose file can hold it."""
    m = m.copy()
    m[3] = (0, 0, 0, 1)
    return m


def rigid(m):
    """The matrix with its scale taken away."""
    t, r, _ = decompose(m)
    return compose(t, r, np.ones(3, F32))


# ---- time ----------------------------------------------------------------------------------------------------------

def moved(ident, seconds, sentence, seen):
    known(ident, "animate", sentence, seen, time=lambda p, c, t: t + seconds)


def scaled(ident, factor, sentence, seen):
    known(ident, "animate", sentence, seen, time=lambda p, c, t: t * factor)


def animated(p, node, clip=None):
    clip = clip or p.asked[0]
    return clip is not None and any((node, path) in clip.by for path in ("translation", "rotation", "scale"))


moved("time-a-frame-early-60", 1 / 60, "the pose is that of the next frame at 60 a second",
      "an update before the read, in most loops")
moved("time-a-frame-late-60", -1 / 60, "the pose is that of the frame before at 60 a second",
      "an update after the draw")
moved("time-a-frame-late-30", -1 / 30, "the pose is that of the frame before at 30 a second",
      "Ogre's listeners before frameRenderingQueued")
moved("time-a-frame-early-24", 1 / 24, "the keys begin at frame 0 where the exporter began at 1",
      "KhronosGroup/glTF-Blender-Exporter issue 322")
moved("time-offset-a-tenth", 0.1, "the clip starts a tenth of a second late", "fades that start the next clip early")
known("time-from-first-key", "animate", "time 0 is the clip's first key", "OGL GLTFAnimation.js, GLTFKit2 issue 74",
      needs="late",
      time=lambda p, c, t: (t % (c.end - c.start) + c.start if c.end > c.start else 0.0,))
known("time-channel-from-first-key", "animate", "each channel's time is counted from its own first key",
      "Babylon's normalised animation groups before 4",
      needs="late channel", when=lambda p, c, n, ch, t: t + float(ch.times[0]))
scaled("time-as-frames-24", 24, "seconds are taken for frames of 24 a second", "importers that keep ticks")
scaled("time-as-frames-30", 1 / 30, "frames of 30 a second are taken for seconds", "raylib's animFrameCounter")
scaled("time-as-frames-60", 60, "seconds are multiplied by 60", "Babylon's frames of 60 a second")
scaled("time-25-for-24", 25 / 24, "25 ticks a second stand in for 24", "learnopengl where mTicksPerSecond is 0")
scaled("time-24-for-30", 24 / 30, "a clip of 30 frames a second plays at 24", "Blender's default rate on import")
scaled("time-ntsc", 30 / 29.97, "29.97 is rounded to 30", "frame counters in an int")
scaled("time-double", 2, "the update is called twice a frame", "three.js forum: two mixers' updates")
scaled("time-half", 0.5, "the time is halved", "a clock read twice: three.js Clock.getDelta")
scaled("time-odd-ratio", 1.37, "the time runs 1.37 times as fast", "a speed that was left in")
scaled("time-milliseconds", 1000, "seconds are taken for milliseconds", "performance.now() of browsers")
known("time-reversed", "animate", "the clip plays backwards", "a rate of -1, Ogre's addTime(-dt)", time=lambda p, c,
      t: (max(c.end - t % c.end, 0.0),) if c.end else t)
known("time-frames-30", "animate", "the time is cut to frames of 30 a second",
      "raylib UpdateModelAnimation before 5.5", time=lambda p, c, t: math.floor(t * 30) / 30)
known("time-frames-24", "animate", "the time is rounded to frames of 24 a second", "baked animation textures",
      time=lambda p, c, t: round(t * 24) / 24)
known("time-frames-10", "animate", "the time is cut to frames of 10 a second", "MD2 players", time=lambda p, c,
      t: math.floor(t * 10) / 10)
known("time-zero", "animate", "the clip never advances", "a mixer that is not updated", time=lambda p, c, t: 0.0)
known("time-end", "animate", "the clip stands at its end", "clampWhenFinished with a start in the past",
      time=lambda p, c, t: (c.end,))
known("clip-other", "animate", "another clip plays", "animations by index where exporters sort them", needs="clips",
      clip=lambda p, c: c and p.model.clips[(p.model.clips.index(c) + 1) % len(p.model.clips)])
known("clip-rest", "animate", "the rest pose is shown in place of the clip", "a clip whose bones are not found",
      clip=lambda p, c: None)
known("wrap-a-frame-late", "animate", "a loop has a frame more than the clip", "frame counts as durations",
      needs="beyond",
      time=lambda p, c, t: (min(t % (c.end + 1 / 30), c.end),))
known("wrap-a-frame-early", "animate", "a loop has a frame less than the clip", "lastFrame - 1 of raylib's loaders",
      needs="beyond",
      time=lambda p, c, t: (t % max(c.end - 1 / 30, 1e-3),))
known("wrap-not", "animate", "the clip stays at its end in place of a loop", "LoopOnce", needs="beyond",
      time=lambda p, c, t: (min(t, c.end),))
known("wrap-ping-pong", "animate", "the clip goes back and forth", "LoopPingPong, Godot LOOP_PINGPONG", needs="beyond",
      time=lambda p, c, t: ((c.end - t % c.end) if int(t / c.end) % 2 else t % c.end,) if c.end else t)
known("wrap-by-channel", "animate", "each channel loops over its own keys",
      "Sascha Willems' glTF skinning example; loaders.gl", needs="beyond",
      when=lambda p, c, n, ch, t: float(ch.times[0]) + (p.asked[1] - float(ch.times[0])) % max(float(ch.times[-1] -
               ch.times[0]), 1e-6))
known("wrap-by-first-channel", "animate", "a loop is as long as the first channel",
      "cgltf users that read one sampler", needs="beyond",
      time=lambda p, c, t: (t % max(float(c.channels[0].times[-1]), 1e-3),))
known("wrap-by-all-clips", "animate", "a loop is as long as the longest clip of the file",
      "one timeline for all clips", needs="beyond clips",
      time=lambda p, c, t: (t % max(x.end for x in p.model.clips),))
known("wrap-back-to-rest", "animate", "beyond its end the clip leaves the rest pose",
      "three.js actions that are finished and not clamped", needs="beyond",
      value=lambda p, c, n, path, v, rest: rest if p.asked[1] > c.end else v)


# ---- keys and what is between them ---------------------------------------------------------------------------------

def choice(ident, sentence, seen, how, needs=""):
    known(ident, "animate", sentence, seen, how=how, needs=needs)


def slerp_long(a, b, u):
    cosine = float(np.dot(a, b))
    if abs(cosine) > 0.99999:
        return unit(lerp(a, b, u))
    angle = math.acos(max(-1, min(1, cosine)))
    return unit((math.sin((1 - u) * angle) * a + math.sin(u * angle) * b) / math.sin(angle))


def slerp_always_long(a, b, u):
    return slerp_long(a, -b if np.dot(a, b) > 0 else b, u)


def slerp_both_negated(a, b, u):
    return slerp_long(-a, -b, u)


def slerp_absolute(a, b, u):
    cosine = abs(float(np.dot(a, b)))
    angle = math.acos(min(1, cosine))
    if angle < 1e-4:
        return unit(lerp(a, b, u))
    return unit((math.sin((1 - u) * angle) * a + math.sin(u * angle) * b) / math.sin(angle))


def near(a, b):
    return -b if np.dot(a, b) < 0 else b


def nlerp(a, b, u):
    return unit(lerp(a, near(a, b), u))


def nlerp_close(limit):
    return lambda a, b, u: nlerp(a, b, u) if abs(np.dot(a, b)) > limit else slerp(a, b, u)


def euler(q, order):
    """Angles about the axes in an order, the first applied last: of R = R_order[0] R_order[1] R_order[2]."""
    m = quaternion_matrix(unit(q)).astype(float)
    i, j, k = ("xyz".index(c) for c in order)
    sign = 1 if (i, j, k) in ((0, 1, 2), (1, 2, 0), (2, 0, 1)) else -1
    return np.array((math.atan2(-sign * m[j, k], m[k, k]), math.asin(max(-1, min(1, sign * m[i, k]))),
                     math.atan2(-sign * m[i, j], m[i, i])))


def from_euler(angles, order):
    q = IDENTITY_Q
    for angle, axis in zip(angles, order):
        q = multiply(q, axis_angle(*(1.0 if c == axis else 0.0 for c in "xyz"), math.degrees(angle)))
    return unit(q)


def euler_lerp(order):
    return lambda a, b, u: from_euler(euler(a, order) * (1 - u) + euler(b, order) * u, order)


def matrix_lerp(a, b, u):
    return decompose(np.pad(quaternion_matrix(a) * (1 - u) + quaternion_matrix(b) * u, (0, 1)) + np.diag((0, 0, 0,
             1)).astype(F32))[1]


def catmull_rom(value, k, count, u, path):
    p = [value(min(max(k + d, 0), count - 1)) for d in (-1, 0, 1, 2)]
    if path == "rotation":
        for d in (1, 2, 3):
            p[d] = near(p[d - 1], p[d])
    return hermite(p[1], (p[2] - p[0]) / 2, p[2], (p[3] - p[1]) / 2, u, 1)


choice("step-for-linear", "keys hold until the next", "Godot's Nearest; importers that lose LINEAR",
      {"kind": {"LINEAR": "STEP"}}, "linear")
choice("linear-for-step", "steps are played as straight lines", "Assimp before 6.0.5; raylib",
      {"kind": {"STEP": "LINEAR"}}, "step")
choice("linear-for-cubic", "splines are played as straight lines", "Assimp before 6.0.5; PlayCanvas-gltf issue 43",
      {"kind": {"CUBICSPLINE": "LINEAR"}}, "cubic")
choice("step-for-cubic", "splines hold each key", "loaders that know LINEAR only", {"kind": {"CUBICSPLINE": "STEP"}},
      "cubic")
choice("tangents-not-scaled", "tangents are not multiplied by the interval",
      "CesiumGS/cesium pull 10314; Babylon pull 11988",
       {"cubic": lambda p0, a, p1, b, u, d: hermite(p0, a, p1, b, u, 1)}, "cubic")
choice("tangents-times-u", "tangents are multiplied by 1 - u and u", "OGL GLTFAnimation.js cubicSplineInterpolate",
       {"cubic": lambda p0, a, p1, b, u, d: hermite(p0, a * (1 - u), p1, b * u, u, 1)}, "cubic")
choice("tangents-exchanged", "in- and out-tangents are exchanged", "readers that take the triple for out, value, in",
       {"cubic": lambda p0, a, p1, b, u, d: hermite(p0, b, p1, a, u, d)}, "cubic")
choice("tangents-zero", "tangents are left out of the spline", "ease curves in place of splines",
       {"cubic": lambda p0, a, p1, b, u, d: hermite(p0, 0 * a, p1, 0 * b, u, d)}, "cubic")
choice("tangents-negated", "in-tangents have the other sign", "handles of Bezier curves taken for tangents",
       {"cubic": lambda p0, a, p1, b, u, d: hermite(p0, a, p1, -b, u, d)}, "cubic")
choice("cubic-not-normalised", "the spline's quaternion is not normalised", "three.js issue 15950",
      {"finish": lambda q: q}, "cubic rotation")
choice("cubic-in-tangent-as-value", "the first third of the keys is read as values", "loaders that ignore the triples",
       {"kind": {"CUBICSPLINE": "LINEAR"}, "part": 0}, "cubic")
choice("smooth-keys", "a smooth curve is laid through keys that are linear", "Ogre's IM_SPLINE, Godot's Cubic",
      {"curve": catmull_rom}, "linear")
choice("ease-smoothstep", "keys are eased in and out", "shaders' smoothstep; cables.gl easings",
      {"fraction": lambda u, t, x, k: u * u * (3 - 2 * u)})
choice("ease-sine", "keys are eased by a sine", "tween libraries",
      {"fraction": lambda u, t, x, k: (1 - math.cos(math.pi * u)) / 2})
choice("ease-in", "keys are eased in by a square", "tween libraries", {"fraction": lambda u, t, x, k: u * u})
choice("key-nearest", "the nearest key is taken", "raylib's frames; Godot's Nearest",
      {"fraction": lambda u, t, x, k: 0.0 if u < 0.5 else 1.0})
choice("key-next", "the next key is taken and held", "findIndex(t > time) without -1",
      {"fraction": lambda u, t, x, k: 1.0})
choice("key-one-late", "the pair of keys is one too far", "upper_bound without -1", {"pick": lambda k, n, u: k + 1},
      "keys")
choice("key-one-early", "the pair of keys is one too early", "index - 1 twice", {"pick": lambda k, n, u: k - 1}, "keys")
choice("fraction-inverted", "the factor between keys is inverted", "mix(b, a, u)",
      {"fraction": lambda u, t, x, k: 1 - u})
choice("fraction-of-the-key", "the factor is the time by the next key's time", "learnopengl readers' questions",
       {"fraction": lambda u, t, x, k: min(float(t / x[k + 1]), 1) if x[k + 1] > 0 else 0})
choice("fraction-in-seconds", "the factor is the time since the key, not divided by the interval", "a missing division",
       {"fraction": lambda u, t, x, k: min(float(t - x[k]), 1)})
choice("fraction-in-ticks-int", "the factor is cut to eighths", "fixed point of old consoles",
      {"fraction": lambda u, t, x, k: math.floor(u * 8) / 8})
choice("after-rest", "after a channel's last key the node is at rest",
      "loops over pairs of keys that find none: Sascha Willems", {"after": "rest"}, "late end")
choice("after-first", "after a channel's last key its first one is shown", "wrapped indices", {"after": "first"},
      "late end")
choice("after-extrapolated", "after a channel's last key the last pair goes on", "OGL; learnopengl's missing clamp",
      {"after": "go on"}, "late end")
choice("after-loops", "after a channel's last key the channel starts again", "fmod by each channel's end",
      {"after": "loop"}, "late end")
choice("before-rest", "before a channel's first key the node is at rest", "loops over pairs of keys that find none",
      {"before": "rest"}, "late channel")
choice("before-extrapolated", "before a channel's first key the first pair goes back", "OGL; u that is not clamped",
      {"before": "go on"}, "late channel")
choice("before-last", "before a channel's first key the last one is shown", "wrapped indices", {"before": "last"},
      "late channel")
choice("nlerp", "quaternions are interpolated in a straight line and normalised", "PlayCanvas animation; bgfx users",
      {"turn": nlerp}, "linear rotation")
choice("lerp-not-normalised", "quaternions are interpolated in a straight line", "glTF tutorials' first step",
      {"turn": lambda a, b, u: lerp(a, near(a, b), u)}, "linear rotation")
choice("nlerp-long", "quaternions go the straight line with no look at their signs",
      "Assimp's nlerp of raw keys; glTFast issue 250",
       {"turn": lambda a, b, u: unit(lerp(a, b, u))}, "linear rotation")
choice("slerp-long", "quaternions go the long way where signs differ", "flutter_scene pull 275; mathgl pull 90",
      {"turn": slerp_long}, "linear rotation")
choice("slerp-always-long", "quaternions always go the long way", "a sign that is turned round",
      {"turn": slerp_always_long}, "linear rotation")
choice("slerp-both-negated", "both quaternions are negated where signs differ", "fastgltf issue 108",
      {"turn": slerp_both_negated}, "linear rotation")
choice("slerp-absolute", "the angle is that of the shorter way and the quaternion is not negated",
      "an abs() in slerp: flutter_scene", {"turn": slerp_absolute}, "linear rotation")
choice("nearly-nlerp", "quaternions closer than 0.9995 go the straight line", "glTF tutorial 007",
      {"turn": nlerp_close(0.9995)}, "linear rotation")
choice("nearly-nlerp-wide", "quaternions closer than 0.95 go the straight line", "id Tech's thresholds",
      {"turn": nlerp_close(0.95)}, "linear rotation")
choice("euler-xyz", "angles about x, y, z are interpolated", "Maya and FBX curves", {"turn": euler_lerp("xyz")},
      "linear rotation")
choice("euler-zyx", "angles about z, y, x are interpolated", "FBX's XYZ order", {"turn": euler_lerp("zyx")},
      "linear rotation")
choice("euler-yxz", "angles about y, x, z are interpolated", "Unity's eulerAngles", {"turn": euler_lerp("yxz")},
      "linear rotation")
choice("matrix-lerp", "rotation matrices are interpolated", "DirectX samples; lerped mat4 palettes",
      {"turn": matrix_lerp}, "linear rotation")
choice("slerp-half", "the rotation goes half of its way", "angle = acos(dot) / 2",
      {"turn": lambda a, b, u: slerp(a, b, u / 2)}, "linear rotation")
choice("rotation-step", "rotations hold until the next key and the rest is linear", "loaders that know lerp only",
      {"turn": lambda a, b, u: a if u < 1 else b}, "linear rotation")
choice("translation-step", "translations hold until the next key and rotations do not",
      "skeletons that move at frames only",
       {"line": {"translation": lambda a, b, u: a}}, "linear translation")


# ---- what a key says -----------------------------------------------------------------------------------------------

def valued(ident, sentence, seen, path, change, needs=""):
    known(ident, "animate", sentence, seen, needs=needs or path,
          value=lambda p, c, n, at, v, rest: change(v, rest) if at == path else v)


def keyed(channel_paths, result):
    def value(p, c, n, path, v, rest):
        return result(p, n, path, v, rest) if path in channel_paths else v
    return value


valued("scale-keys-dropped", "keys of scale are ignored",
      "engines of rotations and translations; ozz' early importers", "scale", lambda v, rest: rest)
valued("scale-keys-one", "keys of scale are ignored and the scale is 1", "Doom 3's md5", "scale", lambda v,
      rest: np.ones(3, F32))
valued("translation-keys-dropped", "keys of translation are ignored", "retargeting of rotations only", "translation",
      lambda v, rest: rest)
valued("rotation-keys-dropped", "keys of rotation are ignored", "a channel name that is not known", "rotation",
      lambda v, rest: rest)
valued("keys-wxyz", "keys of rotation are read as w, x, y, z", "glm::quat's constructor; aiQuaternion", "rotation",
      lambda v, rest: v[[3, 0, 1, 2]])
valued("keys-wxyz-back", "keys of rotation are written as w first and read as x first", "glm::make_quat of wxyz data",
      "rotation", lambda v, rest: v[[1, 2, 3, 0]])
valued("keys-conjugate", "keys of rotation are conjugated", "row-vector engines: DirectX", "rotation", lambda v,
      rest: conjugate(v))
valued("keys-times-rest", "keys of rotation are multiplied on the rest rotation",
      "Ogre's keyframes, relative to the binding", "rotation", lambda v, rest: multiply(rest, v))
valued("rest-times-keys", "the rest rotation is turned by the keys", "Blender's pose bones", "rotation", lambda v,
      rest: multiply(v, rest))
valued("keys-minus-rest", "the rest rotation is taken out of the keys", "retargeting", "rotation", lambda v,
      rest: multiply(conjugate(rest), v))
valued("translation-plus-rest", "keys of translation are added to the rest translation",
      "Ogre's keyframes, three.js' JSON models", "translation", lambda v, rest: v + rest)
valued("translation-minus-rest", "the rest translation is taken from keys", "Blender's pose bones", "translation",
      lambda v, rest: v - rest)
valued("scale-times-rest", "keys of scale are multiplied by the rest scale", "Ogre's keyframes", "scale", lambda v,
      rest: v * rest)
valued("scale-keys-x", "the scale is uniform and that of x", "engines with one scale: OSG's old exporters", "scale",
      lambda v, rest: np.full(3, v[0]))
valued("scale-keys-inverse", "keys of scale are inverted", "a division", "scale", lambda v,
      rest: 1 / np.where(np.abs(v) > 1e-6, v, 1))
valued("translation-keys-hundredfold", "keys of translation are a hundred times as long", "FBX centimetres",
      "translation", lambda v, rest: v * 100)
valued("translation-keys-hundredth", "keys of translation are a hundredth as long", "FBX centimetres", "translation",
      lambda v, rest: v * F32(0.01))
valued("translation-keys-inch", "keys of translation are taken for inches", "Source engine units", "translation",
      lambda v, rest: v * F32(2.54))
valued("keys-z-up", "keys of rotation have y and z exchanged", "half of a z-up conversion", "rotation", lambda v,
      rest: np.array((v[0], -v[2], v[1], v[3])))
valued("translation-keys-z-up", "keys of translation have y and z exchanged", "half of a z-up conversion",
      "translation", lambda v, rest: np.array((v[0], -v[2], v[1])))
valued("keys-left-handed", "keys of rotation are mirrored", "Babylon's left-handed scenes", "rotation", lambda v,
      rest: np.array((v[0], -v[1], -v[2], v[3])))
valued("translation-keys-mirrored", "keys of translation are mirrored in x", "Unity's glTF importers", "translation",
      lambda v, rest: v * np.array((-1, 1, 1), F32))
valued("keys-w-negated", "the sign of w is lost", "w rebuilt from x, y, z as in md5, with the wrong sign", "rotation",
      lambda v, rest: np.array((*v[:3], -abs(v[3]))))
known("additive-on-rest", "animate", "all keys are put on top of the rest pose", "Ogre; Unreal's additive clips",
      needs="rotation",
      value=lambda p, c, n, path, v, rest: v + rest if path == "translation" else multiply(rest,
            v) if path == "rotation" else v * rest if path == "scale" else v)
known("key-first-lost", "import", "the first key of each channel is lost", "off by one in converters", needs="keys",
      keys=lambda p, n, ch, t, v, k: (t[1:], v[1:], k) if len(t) > 1 else (t, v, k))
known("key-last-lost", "import", "the last key of each channel is lost", "frame counts without the end", needs="keys",
      keys=lambda p, n, ch, t, v, k: (t[:-1], v[:-1], k) if len(t) > 1 else (t, v, k))
known("key-every-second", "import", "every second key is left out", "key reduction", needs="keys",
      keys=lambda p, n, ch, t, v, k: (t[::2], v[::2], k) if len(t) > 2 else (t, v, k))
known("keys-shifted", "import", "times and values of keys are one apart", "an off-by-one in arrays", needs="keys",
      keys=lambda p, n, ch, t, v, k: (t, np.roll(v, 1, 0), k))
known("keys-times-even", "import", "keys are spread evenly over the channel", "frames without times: raylib, MD5",
      needs="keys",
      keys=lambda p, n, ch, t, v, k: (np.linspace(t[0], t[-1], len(t)).astype(F32), v, k))
for ident, path, empty in (("unkeyed-translation-zero", "translation", np.zeros(3, F32)),
      ("unkeyed-rotation-none", "rotation", IDENTITY_Q),
                           ("unkeyed-scale-one", "scale", np.ones(3, F32))):
    known(ident, "animate", f"a node without keys of {path} has none", "learnopengl's Bone; assimp readers",
          needs="unkeyed",
          unkeyed=lambda p, c, n, at, rest, path=path, empty=empty: empty if at == path and c and animated(p, n,
                c) else rest)
known("unkeyed-all-none", "animate", "a node without a channel has no transform",
      "animated skeletons by channel list", needs="unkeyed",
      unkeyed=lambda p, c, n, at, rest: rest if at == "weights" or (c and animated(p, n, c)) else {"translation":
               np.zeros(3, F32), "rotation": IDENTITY_Q, "scale": np.ones(3, F32)}[at])
known("previous-clip-left", "animate", "nodes without keys keep the last clip's pose",
      "three.js without stopAllAction; Filament's resetBoneMatrices", needs="clips unkeyed",
      unkeyed=lambda p, c, n, at, rest: rest if at == "weights" or c is None else _of_clip(p, c, n, at, rest))


def _of_clip(p, clip, node, path, rest):
    other = p.model.clips[(p.model.clips.index(clip) + 1) % len(p.model.clips)]
    channel = other.by.get((node, path))
    if channel is None:
        return rest
    return channel.values[-1, 1] if channel.values.ndim == 3 else channel.values[-1]


# ---- local matrices ------------------------------------------------------------------------------------------------

def parts(t, r, s):
    scale = np.diag((*s, 1)).astype(F32)
    return translation_part(compose(t, IDENTITY_Q, np.ones(3, F32))), matrix_of(r), scale


def ordered(order):
    def local(p, pose, n, t, r, s, m):
        by = dict(zip("TRS", parts(t, r, s)))
        return by[order[0]] @ by[order[1]] @ by[order[2]]
    return local


for order, where in (("SRT", "DirectX's order with column vectors"), ("TSR", "glm::scale before the rotation"),
      ("RTS", "glm::rotate before translate"),
                     ("STR", "matrices built from the left"), ("RST", "a translation last")):
    known("order-" + order.lower(), "animate", f"a local matrix is made as {' '.join(order)}", where,
          local=ordered(order))
known("local-row-vectors", "animate", "the rotation's matrix is that of row vectors",
      "D3DX quaternions in column-vector code", local=lambda p, pose, n, t, r, s, m: compose(t, conjugate(r), s))
known("nodes-conjugate", "animate", "all nodes' quaternions are conjugated", "XMMatrixRotationQuaternion",
      trs=lambda p, pose, n, t, r, s: (t, conjugate(r), s))
known("nodes-wxyz", "animate", "all nodes' quaternions are read as w, x, y, z", "glm::quat(x, y, z, w)", trs=lambda p,
      pose, n, t, r, s: (t, r[[3, 0, 1, 2]], s))
known("nodes-wxyz-back", "animate", "all nodes' quaternions are one place off", "Eigen's coeffs order", trs=lambda p,
      pose, n, t, r, s: (t, r[[1, 2, 3, 0]], s))
known("rest-wxyz", "import", "the nodes' own quaternions are read as w, x, y, z and keys are not",
      "two readers for one thing", needs="unkeyed rotation",
      unkeyed=lambda p, c, n, at, rest: rest[[3, 0, 1, 2]] if at == "rotation" else rest)
known("rest-conjugate", "import", "the nodes' own quaternions are conjugated and keys are not",
      "two readers for one thing",
      unkeyed=lambda p, c, n, at, rest: conjugate(rest) if at == "rotation" else rest)
known("nodes-scale-dropped", "animate", "nodes have no scale", "ioquake3's iqm, rigid skeletons", needs="scale",
      trs=lambda p, pose, n, t, r, s: (t, r, np.ones(3, F32)))
known("nodes-scale-uniform", "animate", "the scale of nodes is the mean of its three",
      "engines with a float scale: Urho3D's old nodes", needs="scale",
      trs=lambda p, pose, n, t, r, s: (t, r, np.full(3, s.mean())))
known("nodes-translation-hundredth", "import", "translations of nodes are a hundredth as long",
      "FBX units on nodes only", trs=lambda p, pose, n, t, r, s: (t * F32(0.01), r, s))
known("nodes-translation-dropped", "animate", "nodes have no translation", "mat3 in place of mat4", trs=lambda p,
      pose, n, t, r, s: (0 * t, r, s))
known("nodes-left-handed", "import", "nodes are mirrored in z and the skin is not", "Babylon without its root's flip",
      trs=lambda p, pose, n, t, r, s: (t * np.array((1, 1, -1), F32), np.array((-r[0], -r[1], r[2], r[3])), s))
known("nodes-mirrored-x", "import", "nodes are mirrored in x and the skin is not", "Unity's glTF importers",
      trs=lambda p, pose, n, t, r, s: (t * np.array((-1, 1, 1), F32), np.array((r[0], -r[1], -r[2], r[3])), s))
known("euler-round-trip", "animate", "rotations go through Euler angles of another order and back",
      "editors that store degrees",
      trs=lambda p, pose, n, t, r, s: (t, from_euler(euler(r, "xyz")[::-1], "zyx"), s))
known("matrix-nodes-ignored", "import", "nodes that have a matrix in the file are not moved",
      "readers of translation, rotation and scale only", needs="matrix",
      local=lambda p, pose, n, t, r, s, m: EYE if p.model.nodes[n].from_matrix else m)
known("matrix-nodes-transposed", "import", "nodes that have a matrix in the file have its rows for columns",
      "row-major matrices from glTF", needs="matrix",
      local=lambda p, pose, n, t, r, s, m: affine(transposed(m)) if p.model.nodes[n].from_matrix else m)
known("root-motion-dropped", "animate", "the root's horizontal travel is left out", "in-place clips: Unity, Unreal",
      needs="root translation",
      trs=lambda p, pose, n, t, r, s: (np.array((p.model.nodes[n].t[0], t[1], p.model.nodes[n].t[2])) if _top(p, n)
               else t, r, s))
known("root-translation-dropped", "animate", "the animated root does not travel", "skeletons pinned to the entity",
      needs="root translation",
      trs=lambda p, pose, n, t, r, s: (p.model.nodes[n].t if _top(p, n) else t, r, s))
known("translation-of-root-only", "animate", "only the root has keys of translation",
      "Unreal's skeleton translation retargeting", needs="translation",
      trs=lambda p, pose, n, t, r, s: (t if _top(p, n) else p.model.nodes[n].t, r, s))
known("blend-with-rest", "animate", "the clip has a weight of 0.75 on the rest pose",
      "three.js weights below 1; Babylon's animation weights",
      value=lambda p, c, n, path, v, rest: slerp(rest, v,
            0.75) if path == "rotation" else rest + (v - rest) * F32(0.75))


def _top(p, node):
    """The uppermost node that the clip moves."""
    at = p.model.nodes[node].parent
    while at is not None:
        if animated(p, at):
            return False
        at = p.model.nodes[at].parent
    return animated(p, node)


# ---- global matrices -----------------------------------------------------------------------------------------------

def scale_of(m):
    return np.linalg.norm(m[:3, :3], axis=0)


def compensated(p, pose, n, parent, above, local, world):
    if parent is None:
        return world
    undo = np.diag((*(1 / np.maximum(pose.s[parent], 1e-6)), 1)).astype(F32)
    return above @ (translation_part(local) @ undo @ linear_part(local))


def no_scale_inherited(p, pose, n, parent, above, local, world):
    if parent is None:
        return world
    result = rigid(above) @ local
    result[:3, 3] = (above @ local)[:3, 3]
    return result


def rotation_not_inherited(p, pose, n, parent, above, local, world):
    result = local.copy()
    result[:3, 3] = world[:3, 3]
    return result


def bones(p):
    return {j for s in p.model.skins for j in s.joints}


def without_armature(p, pose, n, parent, above, local, world):
    return local if n in bones(p) and parent is not None and parent not in bones(p) else world


def of_root(p, node):
    while p.model.nodes[node].parent is not None:
        node = p.model.nodes[node].parent
    return node


def rest_world(p, node):
    return p.right(None, 0).world[node]


def top_bone(p, node):
    """The uppermost joint above a joint."""
    found = node
    while node is not None:
        found = node if node in bones(p) else found
        node = p.model.nodes[node].parent
    return found


known("parent-order", "palette", "the parent is multiplied from the right", "row-vector code moved to columns",
      world=lambda p, pose, n, a, above, local, w: local @ above)
known("parent-none", "palette", "globals are the local transforms", "md5's object space taken for local",
      world=lambda p, pose, n, a, above, local, w: local)
known("parent-local-only", "palette", "the parent's local is taken for its global", "one level of a loop",
      world=lambda p, pose, n, a, above, local, w: pose.local[a] @ local if a is not None else local)
known("parent-stale", "palette", "the parent's global is that of the frame before",
      "nodes updated in a wrong order: bgfx samples, three.js matrixAutoUpdate",
      world=lambda p, pose, n, a, above, local, w: w if a is None else p.right(p.asked[0],
            max(p.asked[1] - 1 / 30, 0)).world[a] @ local)
known("parent-rest-if-later", "palette", "a parent behind its child in the file is still at rest",
      "loops over nodes in file order", needs="disorder",
      world=lambda p, pose, n, a, above, local, w: rest_world(p, a) @ local if a is not None and a > n else w)
known("parent-index-before", "palette", "each bone's parent is the bone before", "parents that are not stored",
      needs="branch",
      parent=lambda p, n, a: n - 1 if a is not None and n - 1 in p.model.nodes[a].children else a)
known("parent-joints-only", "palette", "nodes above the skeleton are left out",
      "raylib, learnopengl and ozz skeletons without the armature", needs="armature", world=without_armature)
known("parent-scale-compensated", "palette", "a child does not take its parent's scale",
      "Maya's segment scale compensate", needs="scale", world=compensated)
known("parent-scale-not-inherited", "palette", "scale is not passed down", "Ogre setInheritScale(false); Irrlicht",
      needs="scale", world=no_scale_inherited)
known("parent-rotation-not-inherited", "palette", "rotation is not passed down", "Ogre setInheritOrientation(false)",
      world=rotation_not_inherited)
known("root-twice", "palette", "the root's transform is applied twice", "a model matrix that has the root in it",
      needs="root", entry=lambda p, pose, mn, s, k, j, o, m: pose.world[of_root(p, j)] @ m)
known("root-inverse", "palette", "the inverse of the root's rest transform is multiplied",
      "ogldev's m_GlobalInverseTransform", needs="root", entry=lambda p, pose, mn, s, k, j, o,
      m: inverse(rest_world(p, of_root(p, j))) @ m)
known("root-inverse-missing", "palette", "the root's transform is not inverted",
      "ogldev with m_GlobalInverseTransform not inverted", needs="root", entry=lambda p, pose, mn, s, k, j, o,
      m: rest_world(p, of_root(p, j)) @ m)
known("root-inverse-of-top-bone", "palette", "the inverse of the top bone's rest is multiplied",
      "skeleton-space palettes: cgltf users", entry=lambda p, pose, mn, s, k, j, o,
      m: inverse(rest_world(p, top_bone(p, j))) @ m)
known("root-inverse-animated", "palette", "the inverse of the animated top bone is multiplied",
      "skeleton.root as a scene root", entry=lambda p, pose, mn, s, k, j, o,
      m: inverse(pose.world[top_bone(p, j)]) @ m)
known("root-inverse-armature", "palette", "the inverse of the node above the skeleton is multiplied",
      "armature space: Blender scripts", needs="armature",
      entry=lambda p, pose, mn, s, k, j, o, m: inverse(rest_world(p, p.model.nodes[top_bone(p,
               j)].parent)) @ m if p.model.nodes[top_bone(p, j)].parent is not None else m)


# ---- offsets and the palette ---------------------------------------------------------------------------------------

def offset(ident, stage, sentence, seen, change, needs=""):
    known(ident, stage, sentence, seen, needs=needs, offset=lambda p, s, k, j, o: change(p, s, k, j, o))


def entry(ident, sentence, seen, change, needs=""):
    known(ident, "palette", sentence, seen, needs=needs, entry=change)


offset("offset-none", "palette", "the inverse bind matrix is left out", "first steps of every tutorial", lambda p, s,
      k, j, o: EYE)
offset("offset-transposed", "import", "the inverse bind matrix is transposed", "three.js forum; mat4 read by rows",
      lambda p, s, k, j, o: affine(transposed(o)))
offset("offset-transposed-3x3", "import", "the inverse bind matrix' rotation is transposed",
      "aiMatrix4x4 copied by halves",
       lambda p, s, k, j, o: translation_part(o) @ transposed(linear_part(o)))
offset("offset-inverted", "import", "the bind matrix is used and not its inverse",
      "names that say bind pose: filament issue 764", lambda p, s, k, j, o: inverse(o))
offset("offset-twice", "palette", "the inverse bind matrix is multiplied twice", "loaders that premultiply", lambda p,
      s, k, j, o: o @ o)
offset("offset-from-rest", "import", "the inverse bind matrix is made of the rest pose",
      "three.js Skeleton.calculateInverses", lambda p, s, k, j, o: inverse(rest_world(p, j)))
offset("offset-from-local-rest", "import", "the inverse bind matrix is that of the bone's local rest",
      "a missing chain", lambda p, s, k, j, o: inverse(p.right(None, 0).local[j]))
offset("offset-translation-only", "import", "the inverse bind matrix has its translation alone",
      "bone heads in place of matrices: MilkShape", lambda p, s, k, j, o: translation_part(o))
offset("offset-rotation-only", "import", "the inverse bind matrix has no translation", "mat3", lambda p, s, k, j,
      o: linear_part(o))
offset("offset-rigid", "import", "the inverse bind matrix has no scale", "Irrlicht's joints; ozz", lambda p, s, k, j,
      o: rigid(o))
offset("offset-shifted", "import", "each bone has the inverse bind matrix of the one before",
      "a root put in front of the joints", lambda p, s, k, j, o: s.offsets[k - 1], needs="joints")
offset("offset-sorted", "import", "inverse bind matrices go with joints sorted by node",
      "KhronosGroup/glTF-Blender-IO pull 398",
       lambda p, s, k, j, o: s.offsets[sorted(s.joints).index(j)], needs="unsorted")
offset("offset-reversed", "import", "inverse bind matrices are in reverse order", "a stack of joints", lambda p, s, k,
      j, o: s.offsets[len(s.joints) - 1 - k], needs="joints")
offset("offset-scaled-hundredth", "import", "the inverse bind matrix' translation is a hundredth", "FBX units",
      lambda p, s, k, j, o: _scaled_translation(o, 0.01))
offset("offset-of-skeleton", "import", "the inverse bind matrices are relative to the top bone",
      "COLLADA2GLTF issue 95", lambda p, s, k, j, o: o @ rest_world(p, top_bone(p, j)))
entry("palette-order", "offset times global is the palette", "OpenGL code with row-vector habits: Plasma pull 1593",
      lambda p, pose, mn, s, k, j, o, m: o @ pose.world[j])
entry("palette-transposed", "palette matrices are transposed", "GL_TRUE in glUniformMatrix4fv", lambda p, pose, mn, s,
      k, j, o, m: affine(transposed(m)))
entry("palette-rotation-transposed", "the rotations of palette matrices are transposed",
      "row-major 3x3 beside a vec3", lambda p, pose, mn, s, k, j, o,
      m: translation_part(m) @ transposed(linear_part(m)))
entry("palette-no-translation", "palette matrices have no translation", "normal matrices for positions", lambda p,
      pose, mn, s, k, j, o, m: linear_part(m))
entry("palette-translation-only", "palette matrices have translation alone", "point bones", lambda p, pose, mn, s, k,
      j, o, m: translation_part(m))
entry("palette-inverted", "palette matrices are inverted", "bind and pose exchanged", lambda p, pose, mn, s, k, j, o,
      m: inverse(m))
entry("palette-no-scale", "palette matrices have no scale",
      "quaternion and translation palettes: ioquake3, bevy's old GPU skinning", lambda p, pose, mn, s, k, j, o,
      m: rigid(m))
entry("palette-local", "local times offset is the palette", "globals that are not made", lambda p, pose, mn, s, k, j,
      o, m: pose.local[j] @ o)
entry("palette-mesh-node", "the mesh node's transform is multiplied, too",
      "three.js pull 10319; skinned nodes' model matrix", lambda p, pose, mn, s, k, j, o, m: pose.world[mn] @ m,
      "mesh node")
entry("palette-mesh-node-inverse", "the palette is in the mesh node's space",
      "Filament's Animator; three.js' attached mode", lambda p, pose, mn, s, k, j, o, m: inverse(pose.world[mn]) @ m,
      "mesh node")
entry("palette-bind-shape", "the mesh node's transform is taken for a bind shape matrix",
      "COLLADA's bind_shape_matrix", lambda p, pose, mn, s, k, j, o, m: m @ pose.world[mn], "mesh node")
entry("palette-bind-shape-inverse", "the mesh node's transform is taken out of the bind",
      "glTF-Sample-Models issue 83", lambda p, pose, mn, s, k, j, o, m: m @ inverse(pose.world[mn]), "mesh node")
entry("palette-view-space", "the palette is in view space", "gl_ModelViewMatrix palettes", lambda p, pose, mn, s, k,
      j, o, m: _view(p) @ m)
entry("palette-z-up", "the palette is turned to z up", "engines with z up: Unreal, Panda3D", lambda p, pose, mn, s, k,
      j, o, m: matrix_of(axis_angle(1, 0, 0, 90)) @ m)
entry("palette-model-matrix", "a model matrix is in the palette", "entities' transforms multiplied too early",
      lambda p, pose, mn, s, k, j, o,
      m: matrix_of(axis_angle(0, 1, 0, 30), _extent(p) * np.array((1, 0, 0.5)), (1.5, 1.5, 1.5)) @ m)
entry("palette-mirrored", "the palette is mirrored in z", "left-handed scenes", lambda p, pose, mn, s, k, j, o,
      m: np.diag((1, 1, -1, 1)).astype(F32) @ m)
entry("palette-centimetres", "the palette's translations are a hundred times as long", "FBX centimetres", lambda p,
      pose, mn, s, k, j, o, m: _scaled_translation(m, 100))
entry("palette-stale", "the palette is that of the frame before", "buffers uploaded before the update", lambda p,
      pose, mn, s, k, j, o, m: _other_entry(p, mn, k, p.asked[0], max(p.asked[1] - 1 / 60, 0)))
entry("palette-rest", "the palette is that of the rest pose", "buffers uploaded once", lambda p, pose, mn, s, k, j, o,
      m: _other_entry(p, mn, k, None, 0))
entry("palette-identity", "palette matrices are the identity", "a uniform that is not set", lambda p, pose, mn, s, k,
      j, o, m: EYE)
entry("palette-zero", "palette matrices are zero", "an empty buffer", lambda p, pose, mn, s, k, j, o,
      m: np.diag((0, 0, 0, 1)).astype(F32))
entry("palette-dual-quaternions", "palette matrices went through dual quaternions",
      "dual quaternion uniforms unpacked", lambda p, pose, mn, s, k, j, o, m: rigid(m))


def _scaled_translation(m, factor):
    m = m.copy()
    m[:3, 3] *= F32(factor)
    return m


def _extent(p):
    points = np.concatenate([q.positions for n in p.model.skinned for q in p.model.meshes[p.model.nodes[n].mesh]])
    return float(np.ptp(points, 0).max()) or 1.0


def _view(p):
    """A camera that looks from the front and above."""
    return matrix_of(axis_angle(1, 0.4, 0, 25), (0, -0.2 * _extent(p), -2.5 * _extent(p)))


def _other_entry(p, mesh_node, place, clip, time):
    found = [m for mn, _, k, _, m in p.right(clip, time).palette if mn == mesh_node and k == place]
    return found[0]


def permuted(ident, sentence, seen, order, needs="joints"):
    known(ident, "palette", sentence, seen, needs=needs, palette=lambda p, pose, mn, s, m: [m[k] for k in order(p, s)])


def by_name(p, s):
    return sorted(range(len(s.joints)), key=lambda k: p.model.nodes[s.joints[k]].name)


def by_depth(p, s):
    return sorted(range(len(s.joints)), key=lambda k: p.model.order.index(s.joints[k]))


permuted("palette-shifted", "each bone has the matrix of the one before", "a root that takes place 0", lambda p,
      s: [max(k - 1, 0) for k in range(len(s.joints))])
permuted("palette-rolled", "each bone has the matrix of the next one", "ids that count from 1", lambda p,
      s: [(k + 1) % len(s.joints) for k in range(len(s.joints))])
permuted("palette-reversed", "the palette is in reverse order", "a stack of joints", lambda p,
      s: list(range(len(s.joints)))[::-1])
permuted("palette-by-name", "the palette is sorted by names", "std::map of bones: learnopengl variants", by_name)
permuted("palette-by-tree", "the palette is in the order of the tree", "ozz' depth-first joints", by_depth, "unsorted")
permuted("palette-by-node", "the palette is in the order of nodes", "node indices in place of joints", lambda p,
      s: sorted(range(len(s.joints)), key=lambda k: s.joints[k]), "unsorted")
permuted("palette-two-swapped", "two bones have exchanged matrices", "bones of one name", lambda p, s: _swapped(p, s))
for count in (4, 16, 32):
    known(f"palette-cut-{count}", "palette", f"bones from number {count} on have no matrix", "MAX_BONES",
          needs=f"joints {count}",
          palette=lambda p, pose, mn, s, m, count=count: m[:count] + [EYE] * (len(m) - count))
known("palette-last-missing", "palette", "the last bone has no matrix", "a loop to n - 1", needs="joints",
      palette=lambda p, pose, mn, s, m: m[:-1] + [EYE])
known("palette-first-missing", "palette", "the first bone has no matrix", "bone 0 as none", needs="joints",
      palette=lambda p, pose, mn, s, m: [EYE] + m[1:])


def _swapped(p, s):
    order = list(range(len(s.joints)))
    a, b = p.random("swap", len(order)).choice(len(order), 2, replace=False)
    order[a], order[b] = order[b], order[a]
    return order


# ---- mistakes of single bones --------------------------------------------------------------------------------------

def chosen(p, key, wanted):
    """One bone by chance of those that fit, else None."""
    fitting = [j for j in p.model.order if j in bones(p) and wanted(j)]
    return fitting[p.random(key).randint(len(fitting))] if fitting else None


PLACES = {"trs": 1, "local": 1, "entry": 4, "offset": 2, "parent": 0}  # where the node stands among a step's arguments


def one_bone(ident, stage, sentence, seen, wanted=None, needs="joints", **steps):
    """A mistake of one bone, which is chosen by chance of those that fit: by default of those that the clip moves."""
    def guarded(step, change):
        def changed(p, *args):
            if args[PLACES[step]] == chosen(p, ident, lambda j: wanted(p, j) if wanted else animated(p, j)):
                return change(p, *args)
            return args[-3:] if step == "trs" else args[-1]
        return changed
    known(ident, stage, sentence, seen, needs=needs + " single",
          **{step: guarded(step, f) for step, f in steps.items()})


def mirror_name(name):
    """The name of the bone on the other side."""
    for left, right in (("_L", "_R"), (".L", ".R"), ("Left", "Right"), ("left", "right"), ("_l_", "_r_"),
          ("_L_", "_R_"), ("_l", "_r"), (".l", ".r")):
        for a, b in ((left, right), (right, left)):
            if a in name:
                return name.replace(a, b)
    return None


def mirror(p, node):
    name = mirror_name(p.model.nodes[node].name)
    return next((j for j in p.model.order if p.model.nodes[j].name == name), None)


def sibling(p, node):
    others = [j for j in bones(p) if j != node and animated(p, j)]
    same = [j for j in others if p.model.nodes[j].parent == p.model.nodes[node].parent]
    return sorted(same or others)[0] if others else None


one_bone("bone-at-rest", "animate", "one bone stays at rest", "a channel whose bone is not found", trs=lambda p, pose,
      n, t, r, s: (p.model.nodes[n].t, p.model.nodes[n].r, p.model.nodes[n].s))
one_bone("bone-stale", "animate", "one bone is a frame late", "a bone outside the update list", trs=lambda p, pose, n,
      t, r, s: _trs_of(p, n, p.asked[1] - 1 / 30))
one_bone("bone-first-frame", "animate", "one bone stays at its first key", "a disabled track", trs=lambda p, pose, n,
      t, r, s: _trs_of(p, n, 0))
one_bone("bone-identity", "animate", "one bone has no local transform", "a name that is not found", local=lambda p,
      pose, n, t, r, s, m: EYE)
one_bone("bone-offset-none", "palette", "one bone has no inverse bind matrix", "a skin with one joint too many",
      offset=lambda p, s, k, j, o: EYE, needs="joints")
one_bone("bone-palette-identity", "palette", "one bone's palette entry is not set", "a bone without a node",
      entry=lambda p, pose, mn, s, k, j, o, m: EYE)
one_bone("bone-parent-is-grandparent", "palette", "one bone hangs on its grandparent", "parents lost by an exporter",
         wanted=lambda p, j: depth(p, j) > 1,
         parent=lambda p, n, a: p.model.nodes[a].parent)
one_bone("bone-channel-of-mirror", "animate", "one bone plays the channels of the other side's",
      "left and right mapped alike", wanted=lambda p, j: animated(p, j) and mirror(p, j) is not None, needs="mirror",
         trs=lambda p, pose, n, t, r, s: _trs_of(p, mirror(p, n), p.asked[1]))
one_bone("bone-channel-of-sibling", "animate", "one bone plays the channels of another",
      "indices of channels one off", wanted=lambda p, j: animated(p, j) and sibling(p, j) is not None,
         trs=lambda p, pose, n, t, r, s: _trs_of(p, sibling(p, n), p.asked[1]))
one_bone("bone-rotation-at-rest", "animate", "one bone's rotation is lost", "a channel that is not read",
      trs=lambda p, pose, n, t, r, s: (t, p.model.nodes[n].r, s))
one_bone("bone-conjugate", "animate", "one bone's rotation is conjugated", "a mirrored bone", trs=lambda p, pose, n,
      t, r, s: (t, conjugate(r), s))
one_bone("bone-scale-dropped", "animate", "one bone has no scale", "a tip that drops it", wanted=lambda p,
      j: np.abs(p.right(*p.asked).s[j] - 1).max() > 1e-3, needs="scale",
         trs=lambda p, pose, n, t, r, s: (t, r, np.ones(3, F32)))


def _trs_of(p, node, time):
    pose = p.right(p.asked[0], max(time, 0))
    return pose.t[node], pose.r[node], pose.s[node]


def leaf(p, n):
    return n in bones(p) and not any(c in bones(p) for c in p.model.nodes[n].children)


known("arms-swapped", "animate", "channels of left and right are exchanged", "mirrored rigs", needs="mirror",
      trs=lambda p, pose, n, t, r, s: _trs_of(p, mirror(p, n), p.asked[1]) if mirror(p, n) is not None else (t, r, s))
known("channels-shifted", "animate", "each channel plays on the next bone",
      "channel index for bone index: raylib forks", needs="joints",
      trs=lambda p, pose, n, t, r, s: _shifted(p, n, t, r, s))
known("tips-at-rest", "animate", "leaf bones stay at rest", "Assimp users that drop end bones", needs="joints",
      trs=lambda p, pose, n, t, r, s: (p.model.nodes[n].t, p.model.nodes[n].r, p.model.nodes[n].s) if leaf(p,
            n) else (t, r, s))
known("tips-scale-dropped", "animate", "leaf bones have no scale", "end bones without scale", needs="scale",
      trs=lambda p, pose, n, t, r, s: (t, r, np.ones(3, F32)) if leaf(p, n) else (t, r, s))
known("last-channel-lost", "animate", "the last channel is not read", "a loop to n - 1",
      channel=lambda p, c, n, path, ch: None if ch is not None and ch is c.channels[-1] else ch)


def _shifted(p, n, t, r, s):
    moving = [j for j in p.model.order if j in bones(p) and animated(p, j)]
    return _trs_of(p, moving[moving.index(n) - 1], p.asked[1]) if n in moving else (t, r, s)


# ---- skinning ------------------------------------------------------------------------------------------------------

def weighted(ident, sentence, seen, change, needs=""):
    known(ident, "skin", sentence, seen, needs=needs, weights=lambda p, n, q, j, w: change(p, q, j, w))


def strongest(w, count):
    order = np.argsort(-w, 1, kind="stable")[:, :count]
    kept = np.zeros_like(w)
    np.put_along_axis(kept, order, np.take_along_axis(w, order, 1), 1)
    return kept


def share(w):
    total = w.sum(1, keepdims=True)
    return (w / np.where(total > 0, total, 1)).astype(F32)


def shown(w, count):
    return np.where(np.arange(w.shape[1])[None, :] < count, w, 0).astype(F32)


weighted("weights-as-stored", "weights are not divided by their sum", "learnopengl; glTF files of bytes", lambda p, q,
      j, w: (j, q.weights), "sums")
weighted("weights-strongest", "each vertex follows its strongest bone alone", "GoldSrc's rigid bones", lambda p, q, j,
      w: (j, share(strongest(w, 1))), "blend")
weighted("weights-first", "each vertex follows its first bone alone", "joints.x", lambda p, q, j,
      w: (j, share(shown(w, 1) + 1e-20 * (np.arange(w.shape[1]) == 0))), "blend")
weighted("weights-first-not-whole", "each vertex follows its first bone with its weight", "joints.x and weights.x",
      lambda p, q, j, w: (j, shown(w, 1)), "blend")
weighted("weights-two", "only two bones count and the rest is lost", "two-bone vertices of old engines", lambda p, q,
      j, w: (j, strongest(w, 2)), "blend 3")
weighted("weights-two-whole", "only two bones count and are scaled up", "Unity's Quality Settings: 2 bones", lambda p,
      q, j, w: (j, share(strongest(w, 2))), "blend 3")
weighted("weights-three", "the fourth bone is lost", "vec3 weights", lambda p, q, j, w: (j, shown(w, 3)), "blend 4")
weighted("weights-four", "influences beyond four are lost", "JOINTS_0 only", lambda p, q, j, w: (j, shown(w, 4)),
      "sets")
weighted("weights-four-whole", "influences beyond four are lost and the rest is scaled up",
      "JOINTS_0 only, then normalised", lambda p, q, j, w: (j, share(shown(w, 4))), "sets")
weighted("weights-equal", "all bones of a vertex count alike", "weights that are not read", lambda p, q, j,
      w: (j, share((w > 0).astype(F32))), "blend")
weighted("weights-reversed", "weights are in reverse order", "a swizzle .wzyx", lambda p, q, j, w: (j, w[:, ::-1]),
      "blend")
weighted("weights-256", "bytes of weights are divided by 256", "shifts by 8", lambda p, q, j,
      w: (j, (w * F32(255 / 256)).astype(F32)))
weighted("weights-squared", "weights are squared", "a gamma curve on an unorm texture", lambda p, q, j,
      w: (j, share(w * w)), "blend")
weighted("weights-sorted-apart", "weights are sorted and ids are not", "importers' limit of influences", lambda p, q,
      j, w: (j, -np.sort(-w, 1)), "blend")
weighted("ids-shifted", "bone ids are one too large", "ids that count from 1", lambda p, q, j, w: (j + 1, w), "joints")
weighted("ids-shifted-down", "bone ids are one too small", "ids that count from 1", lambda p, q, j,
      w: (np.maximum(j - 1, 0), w), "joints")
weighted("ids-first-for-all", "all weights go to the first bone of the vertex", "joints.xxxx", lambda p, q, j,
      w: (np.repeat(j[:, :1], j.shape[1], 1), w), "blend")
weighted("ids-four-bits", "bone ids lose their upper bits", "packed ids", lambda p, q, j, w: (j & 15, w), "joints 16")
weighted("ids-second-set-lost", "the second set's ids are those of the first", "a copied accessor", lambda p, q, j,
      w: (np.hstack([j[:, :4]] * (j.shape[1] // 4)), w), "sets")
known("skin-none", "skin", "vertices stay in the bind pose", "a shader without skinning", blend=lambda m, j, w, v: v)
known("skin-none-mesh-node", "skin", "vertices follow the mesh's node", "skinned meshes drawn as rigid ones",
      skinned=lambda p, n, q, v: apply(p.right(*p.asked).world[n], q.positions), needs="mesh node")
known("skin-w-zero", "skin", "translations of the palette do not count", "vec4(position, 0.0)", blend=lambda m, j, w,
      v: np.einsum("vij,vj->vi", np.einsum("vk,vkij->vij", w, m[j])[:, :3, :3], v))
known("skin-twice", "skin", "vertices are skinned twice", "CPU and GPU skinning together", blend=lambda m, j, w,
      v: linear(m, j, w, linear(m, j, w, v)))
known("skin-dual-quaternion", "skin", "vertices are skinned by dual quaternions",
      "three.js DUAL_QUATERNION_SKINNING; Blender's preserve volume", blend=dual_quaternion, needs="blend")
known("skin-mesh-node-too", "skin", "the mesh node's transform is applied to skinned vertices",
      "glTF viewers before the rule: Animation_Skin_02", needs="mesh node", skinned=lambda p, n, q,
      v: apply(p.right(*p.asked).world[n], v))
known("skin-added", "skin", "skinned vertices are added to those of the bind pose", "offsets in place of positions",
      blend=lambda m, j, w, v: v + linear(m, j, w, v))
known("skin-scaled-hundredth", "import", "vertices are a hundredth as large and the skeleton is not",
      "FBX units on meshes only", vertices=lambda p, n, q, v: v * F32(0.01))
known("skin-z-up", "import", "vertices are turned to z up and the skeleton is not", "axis conversion of meshes only",
      vertices=lambda p, n, q, v: v[:, [0, 2, 1]] * np.array((1, -1, 1), F32))
known("skin-mirrored", "import", "vertices are mirrored in x and the skeleton is not", "left-handed meshes",
      vertices=lambda p, n, q, v: v * np.array((-1, 1, 1), F32))
known("morphs-dropped", "skin", "morph targets do not count", "engines without morph targets", needs="morph",
      morph=lambda p, n, w: 0 * w)
known("morphs-full", "skin", "morph targets count at full weight", "weights that are not read", needs="morph",
      morph=lambda p, n, w: 0 * w + 1)
known("morphs-shifted", "skin", "weights of morph targets are one off", "a base shape in the list", needs="morph",
      morph=lambda p, n, w: np.roll(w, 1))
known("order-vertices-reversed", "import", "an exporter reorders the vertices",
      "meshoptimizer; rebuilt index buffers", skinned=lambda p, n, q, v: v[::-1], convention=True)


# ---- mistakes without a name ---------------------------------------------------------------------------------------

def odd_turn(p, key, node, degrees):
    chance = p.random(key, node)
    return axis_angle(*(chance.rand(3) * 2 - 1 + 1e-3), degrees * (0.5 + chance.rand()))


def is_bone(p, n):
    return n in bones(p)


def turned(ident, sentence, change, needs=""):
    unknown(ident, "animate", sentence, needs=needs, trs=lambda p, pose, n, t, r,
          s: (t, change(p, n, r), s) if is_bone(p, n) else (t, r, s))


def depth(p, n):
    count = 0
    while p.model.nodes[n].parent is not None:
        n, count = p.model.nodes[n].parent, count + 1
    return count


def angle_changed(change):
    def of(p, n, r):
        r = unit(r if r[3] >= 0 else -r)
        angle = 2 * math.acos(max(-1, min(1, float(r[3]))))
        if angle < 1e-6:
            return r
        return axis_angle(*r[:3], math.degrees(change(angle)))
    return of


def twist(r, keep):
    along = unit(np.array((0, r[1], 0, r[3]), F32)) if abs(r[1]) + abs(r[3]) > 1e-6 else IDENTITY_Q
    return along if keep else multiply(r, conjugate(along))


turned("odd-wobble", "each bone wobbles by its own small turn", lambda p, n,
      r: multiply(r, odd_turn(p, "wobble", n, 5)))
turned("odd-noise", "each bone is turned by chance before its rotation", lambda p, n,
      r: multiply(odd_turn(p, "noise", n, 2), r))
turned("odd-damped", "rotations have 0.9 of their angle", angle_changed(lambda a: a * 0.9))
turned("odd-limit", "rotations stop at 20 degrees", angle_changed(lambda a: min(a, math.radians(20))))
turned("odd-angle-steps", "angles go in steps of 5 degrees",
      angle_changed(lambda a: math.radians(5 * round(math.degrees(a) / 5))))
turned("odd-angle-curve", "angles go along a sine", angle_changed(lambda a: 1.3 * math.sin(a)))
turned("odd-turn-7", "each bone is turned by 7 degrees more about an odd axis", lambda p, n,
      r: multiply(r, axis_angle(1, 2, 3, 7)))
turned("odd-no-twist", "bones do not twist", lambda p, n, r: twist(r, False))
turned("odd-twist-only", "bones twist and do not swing", lambda p, n, r: twist(r, True))
turned("odd-components-rounded", "components of quaternions are rounded to 0.1", lambda p, n,
      r: unit(np.round(r * 10) / 10 + np.array((0, 0, 0, 1e-6), F32)))
turned("odd-x-doubled", "the x of quaternions is doubled", lambda p, n, r: unit(r * np.array((2, 1, 1, 1), F32)))
turned("odd-absolute", "components of quaternions have lost their signs", lambda p, n, r: np.abs(r))
turned("odd-depth-turn", "bones turn the more the deeper they are", lambda p, n,
      r: multiply(r, axis_angle(0, 0, 1, 1.5 * depth(p, n))))
unknown("odd-stretch", "animate", "bones are 7 percent too long by chance", trs=lambda p, pose, n, t, r,
      s: (t * F32(1 + 0.14 * p.random("stretch", n).rand()) if is_bone(p, n) else t, r, s))
unknown("odd-translation-jitter", "animate", "bones have moved by chance", trs=lambda p, pose, n, t, r,
      s: (t + F32(0.02 * _extent(p)) * (p.random("jitter", n).rand(3) - 0.5).astype(F32) if is_bone(p, n) else t, r,
         s))
unknown("odd-scale-pulse", "animate", "scales pulse by their own phase", trs=lambda p, pose, n, t, r,
      s: (t, r, s * F32(1 + 0.06 * math.sin(3.1 * n + 1)) if is_bone(p, n) else s))
unknown("odd-time-by-bone", "animate", "each bone has a time of its own", when=lambda p, c, n, ch,
      t: min(max(t + 0.2 * (p.random("time", n).rand() - 0.5), 0), c.end))
unknown("odd-lag-by-depth", "animate", "deeper bones come later", when=lambda p, c, n, ch,
      t: max(t - 0.013 * depth(p, n), 0))
unknown("odd-smoothed", "animate", "poses are averaged over time with odd weights", trs=lambda p, pose, n, t, r,
      s: (t, _smoothed(p, n, r), s))
unknown("odd-blend-by-bone", "animate", "bones are between clip and rest by chance", trs=lambda p, pose, n, t, r,
      s: (t, slerp(p.model.nodes[n].r, r, float(p.random("blend", n).rand())) if is_bone(p, n) else r, s))
unknown("odd-sag", "palette", "bones sag by the square of their depth", world=lambda p, pose, n, a, above, local,
      w: _dropped(p, w, 0.002 * depth(p, n) ** 2))
unknown("odd-floor", "palette", "bones are kept above a floor", world=lambda p, pose, n, a, above, local,
      w: _floored(p, w))
unknown("odd-shear", "palette", "locals are sheared by depth", local=lambda p, pose, n, t, r, s,
      m: m @ _sheared(0.02 * (1 + n % 3)) if is_bone(p, n) else m)
unknown("odd-neighbour", "palette", "each palette entry has a tenth of its neighbour's", palette=lambda p, pose, mn,
      s, m: [F32(0.9) * m[k] + F32(0.1) * m[k - 1] for k in range(len(m))])
unknown("odd-half-identity", "palette", "palette entries are half way to the identity in chance shares",
      palette=lambda p, pose, mn, s,
      m: [x + F32(0.3 * p.random("half", k).rand()) * (EYE - x) for k, x in enumerate(m)])
unknown("odd-squared", "palette", "palette entries are multiplied with the next one's rotation", palette=lambda p,
      pose, mn, s, m: [m[k] @ linear_part(m[(k * 7 + 3) % len(m)]) for k in range(len(m))], needs="joints")
unknown("odd-elements-rounded", "palette", "elements of the palette are rounded to 0.05", palette=lambda p, pose, mn,
      s, m: [np.round(x * 20) / 20 for x in m])
unknown("odd-mirrored-some", "palette", "palette entries of some bones are mirrored", palette=lambda p, pose, mn, s,
      m: [np.diag((-1, 1, 1, 1)).astype(F32) @ x if p.random("mirror", k).rand() < 0.4 else x for k, x in
         enumerate(m)], needs="joints")
unknown("odd-offset-shear", "import", "inverse bind matrices are sheared", offset=lambda p, s, k, j,
      o: o @ _sheared(0.05 * (1 + k % 4)))
unknown("odd-offset-noise", "import", "inverse bind matrices have noise", offset=lambda p, s, k, j,
      o: o + np.pad(0.02 * (p.random("offset", k).rand(3, 3) - 0.5), ((0, 1), (0, 1))).astype(F32))
unknown("odd-weights-power", "skin", "weights are raised to 1.7", needs="blend", weights=lambda p, n, q, j,
      w: (j, share(np.power(np.maximum(w, 0), F32(1.7)))))
unknown("odd-weights-uniform", "skin", "weights are a fifth uniform over odd bones", weights=lambda p, n, q, j,
      w: (np.hstack([j, (j[:, :1] * 3 + 1) % (j.max() + 1)]), np.hstack([w * F32(0.8), np.full((len(w), 1), 0.2,
         F32)])), needs="joints")
unknown("odd-vertices-noise", "skin", "vertices have noise", skinned=lambda p, n, q,
      v: v + (0.01 * _extent(p) * (p.random("vertices").rand(*v.shape) - 0.5)).astype(F32))
unknown("odd-vertices-inflated", "skin", "vertices are inflated about their middle by a curve", skinned=lambda p, n,
      q, v: v.mean(0) + (v - v.mean(0)) * (1 + F32(0.05) * np.sin(7 * (v - v.mean(0)) / F32(_extent(p)))))
unknown("odd-vertices-twisted", "skin", "vertices are twisted about y by their height", skinned=lambda p, n, q,
      v: _twisted(p, v))
unknown("odd-vertices-neighbours", "skin", "vertices are drawn to the next ones in the file", skinned=lambda p, n, q,
      v: F32(0.8) * v + F32(0.2) * np.roll(v, 1, 0))
unknown("odd-vertices-grid", "skin", "vertices are on a coarse grid", skinned=lambda p, n, q,
      v: np.round(v / F32(0.03 * _extent(p))) * F32(0.03 * _extent(p)))


def _smoothed(p, n, r):
    clip, time = p.asked
    a, b = p.right(clip, max(time - 0.05, 0)).r[n], p.right(clip, max(time - 0.13, 0)).r[n]
    return unit(F32(0.6) * r + F32(0.3) * near(r, a) + F32(0.1) * near(r, b))


def _dropped(p, w, share_of_extent):
    w = w.copy()
    w[1, 3] -= F32(share_of_extent * _extent(p))
    return w


def _floored(p, w):
    w = w.copy()
    w[1, 3] = max(w[1, 3], F32(0.3 * _extent(p)))
    return w


def _sheared(amount):
    m = EYE.copy()
    m[0, 1] = F32(amount)
    return m


def _twisted(p, v):
    angle = 0.4 * v[:, 1] / _extent(p)
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * v[:, 0] + s * v[:, 2], v[:, 1], c * v[:, 2] - s * v[:, 0]], 1)


# ---- drift ---------------------------------------------------------------------------------------------------------

def quantised(bits):
    def keys(p, n, ch, times, values, kind):
        if ch.path == "rotation":
            top = 2 ** (bits - 1) - 1
            return times, (np.round(values * top) / top).astype(F32), kind
        low, high = values.min(0), values.max(0)
        step = np.where(high > low, (high - low) / (2 ** bits - 1), 1)
        return times, (low + np.round((values - low) / step) * step).astype(F32), kind
    return keys


def drift(ident, sentence, seen, **steps):
    DRIFT.append(Mistake(ident, "animate", sentence, seen, None, "", True, True, **steps))


def baked(rate):
    def keys(p, n, ch, times, values, kind):
        from engine import interpolate
        at = np.arange(0, math.floor(float(times[-1]) * rate) + 2) / rate
        made = np.array([interpolate(ch, times, values, kind, min(t, float(times[-1])), {}) for t in at], F32)
        return at.astype(F32), made, "LINEAR"
    return keys


drift("drift-keys-16", "keys are quantised to 16 bits", "meshoptimizer, ACL, glTF's normalised shorts",
      keys=quantised(16))
drift("drift-keys-half", "keys are half floats", "GPU animation buffers", keys=lambda p, n, ch, t, v,
      k: (t, v.astype(np.float16).astype(F32), k))
drift("drift-baked-60", "clips are baked at 60 frames a second", "Unreal's import", keys=baked(60))
drift("drift-time-milliseconds", "the time is rounded to milliseconds", "integer clocks", time=lambda p, c,
      t: round(t, 3))
drift("drift-time-float", "the time has 12 bits", "a float that has run for hours", time=lambda p, c,
      t: float(np.float32(t + 4096) - 4096))
drift("drift-keys-12", "keys are quantised to 12 bits", "Unreal's compression", keys=quantised(12))

BY_ID = {m.id: m for m in KNOWN + UNKNOWN + DRIFT}
assert len(BY_ID) == len(KNOWN) + len(UNKNOWN) + len(DRIFT)
