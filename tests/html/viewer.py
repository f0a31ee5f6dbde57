#!/usr/bin/env python3
"""The viewer's page in a headless Chromium: its sampler and its GPU's skinning against `dump`, and how it is used (viewer.js).
   tests/html/viewer.py ROOT RIGPROOF
   tests/html/viewer.py ROOT RIGPROOF mutants    makes one small mistake after another in the page: each must be seen"""
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

root, rigproof = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
WEBGL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]

# name, model, options of view and dump, what the page is set to, times
CASES = [
    ("walker-walk", "walker/walker.glb", ["--clip", "walk"], {}, [0, 0.1, 0.23, 0.97, 1.0]),
    ("walker-wave", "walker/walker.fbx", ["--clip", "wave"], {}, [0.31]),
    ("walker-dae", "walker/walker.dae", [], {}, [0.4]),
    ("step", "strip/strip.gltf", ["--clip", "step-rotation"], {}, [0, 0.49, 0.5, 1.99]),
    ("linear", "strip/strip.gltf", ["--clip", "linear-scale"], {}, [0.125, 1.7]),
    ("cubic", "strip/strip.gltf", ["--clip", "cubic-rotation"], {}, [0.3, 0.875]),
    ("cubic-place", "strip/strip.gltf", ["--clip", "cubic-translation"], {}, [0.3, 1.1]),
    ("flip", "strip/strip.gltf", ["--clip", "flip"], {}, [0.375, 0.6]),
    ("late", "strip/strip.gltf", ["--clip", "late"], {}, [0.25, 1.2]),
    ("single", "strip/strip.gltf", ["--clip", "single"], {}, [0.5]),
    ("loop", "strip/strip.gltf", ["--clip", "linear-translation"], {}, [2.25, 4.0, -0.5]),
    ("hold", "strip/strip.gltf", ["--clip", "linear-translation", "--wrap", "clamp"], {}, [2.25]),
    ("shapes", "shapes/shapes.gltf", ["--clip", "bend"], {}, [0, 0.3, 0.75]),
    ("flick", "shapes/shapes.gltf", ["--clip", "flick"], {}, [0.2]),
    ("twins", "twins/twins.gltf", [], {}, [0.2, 0.75]),
    ("sheaf", "sheaf/sheaf.x", ["--influences", "all"], {}, [0.3, 1.1]),
    ("crowd", "crowd/crowd.glb", ["--influences", "8"], {}, [1.75]),
    ("ticks", "ticks/ticks.x", [], {}, [0.7]),
    ("curves", "curves/curves.fbx", [], {}, [0.37, 1.9]),
    ("limb", "limb/limb.dae", [], {}, [0.55]),
    ("rest", "stride/stride.gltf", ["--clip", "rest"], {}, [0]),
    ("bind", "stride/stride.gltf", ["--clip", "bind"], {}, [0]),
    ("blend", "walker/walker.glb", ["--blend", "walk:0.7", "--blend", "wave:0.3"],
     {"clip": "walk", "blend": "wave", "share": 0.3}, [0.125, 0.4]),
    ("layers", "walker/walker.glb", ["--clip", "walk", "--mask", "spine_2=wave@0.25"], {}, [0, 0.5]),
]
# Of the walker in small numbers: docs/viewer.md has the bounds.
SMALL = {"local": 1e-4, "global": 1e-3, "palette": 1e-3, "position": 8e-3, "normal": 0.06}

# Views of the page against pictures: name, model, view, options of both, options of `render`.
WALK = ["--clip", "walk", "--time", "0.26", "--camera", "eye=1.4:1.2:3,target=0:0.7:0,fov=30"]
PICTURES = [(view.replace(":", "-"), "walker/walker.glb", view, WALK, []) for view in
            ("lit", "studio", "unlit", "normals", "weights", "bones", "uv", "influences", "weight:hips", "weight-sum")]
PICTURES += [("speed", "walker/walker.glb", "speed", WALK, []), ("displacement", "walker/walker.glb", "displacement", WALK, []),
             ("stretch", "walker/walker.glb", "stretch", WALK, ["--range", "0.5..2"]),
             ("tangents", "emboss/emboss.gltf", "tangents", ["--clip", "rest", "--time", "0"], []),
             ("emboss", "emboss/emboss.gltf", "studio", ["--clip", "rest", "--time", "0"], []),
             ("maps", "maps/maps.gltf", "studio", ["--clip", "rest", "--time", "0"], [])]

# What stands once in the page, and what is put in its place.
MUTANTS = [
    ("const side = cosine < 0 ? -1 : 1;", "const side = 1;"),
    ("const from = sine > 1e-6 ?", "const from = sine > 9 ?"),
    ("u * v * v * interval * values[a + 2 * width + i]", "u * v * v * values[a + 2 * width + i]"),
    ("if (passed === 0 || key === last || step ||", "if (passed === 0 || key === last ||"),
    ("return rest < 0 ? rest + duration : Math.abs(rest);", "return Math.abs(rest);"),
    ("    if (!loops)\n", "    if (loops && false)\n"),
    ("multiplyAffine(pose.globals, 16 * parents[n], pose.matrices, 16 * n, pose.globals, 16 * n)",
     "multiplyAffine(pose.matrices, 16 * n, pose.globals, 16 * parents[n], pose.globals, 16 * n)"),
    ("gl.uniform1i(skin.at.first_binding, instance.first_binding)", "gl.uniform1i(skin.at.first_binding, 0)"),
    ("int first = 2 * int(used.x) * vertex_count + gl_VertexID;", "int first = int(used.x) * vertex_count + gl_VertexID;"),
    ("skinned_normal = mirrored * unit_or_zero", "skinned_normal = unit_or_zero"),
    ("int(range.x) + i", "int(range.x) + min(i, 3)"),
    ("ArrowDown: () => go(at + 1)", "ArrowDown: () => go(at)"),
    ("set({share: Number(share.value)})", "set({share: 0.5})"),
    ("weights.set(node, (weights.get(node) || 0) + share * mesh.skin.weights[k])", "weights.set(node, share * mesh.skin.weights[k])"),
]


def run(*command):
    done = subprocess.run([rigproof, *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"viewer: {' '.join(map(str, command))}: {done.stderr.decode()}")
    return done.stdout.decode()


def script(text, attributes='nonce="rigproof"'):
    return f"<script {attributes}>\n{text}\n</script>\n"


def as_data(value, name):
    text = value if isinstance(value, str) else json.dumps(value)
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, "\\u%04x" % ord(letter))
    return script(text, f'type="application/json" id="{name}"')


def page_of(*arguments):
    return run("view", *arguments, "-o", "-", "--quiet")


def content_of(page):
    return re.search(r'id="content">(.*?)</script>', page, re.S).group(1)


def browser():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path and "/snap" not in os.path.realpath(path) and b"/snap/bin" not in open(path, "rb").read(1 << 16):
            return path
    print("viewer: no chromium here (Debian: the package chromium)")
    debian = os.path.exists("/etc/os-release") and re.search("^ID=debian", open("/etc/os-release").read(), re.M)
    sys.exit(1 if os.environ.get("CI") == "true" and debian else 77)


def hostile_model(folder):
    """The strip, with names that would be markup."""
    model = json.load(open(f"{root}/fixtures/strip/strip.gltf"))
    names = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a\u2028b\u2029\"'`${alert(1)}", "]]>-->\u202e&lt;"]
    for node, name in zip(model["nodes"], names):
        node["name"] = name
    for part in ("animations", "materials", "meshes"):
        for entry, name in zip(model.get(part, []), names):
            entry["name"] = name
    path = f"{folder}/hostile.gltf"
    json.dump(model, open(path, "w"))
    for buffer in model["buffers"] + model.get("images", []):
        if not buffer.get("uri", "data:").startswith("data:"):
            shutil.copy(f"{root}/fixtures/strip/{buffer['uri']}", folder)
    return path


def build(folder):
    model_of = lambda path: f"{root}/fixtures/{path}"
    cases, contents, first = [], [], None
    for name, path, options, state, times in CASES:
        page = page_of(model_of(path), *options)
        first = first or page
        contents.append(script(content_of(page), f'type="application/json" id="content-{name}"'))
        records = json.loads(run("dump", model_of(path), *options, "--time", ",".join(map(str, times)), "--vertices", "--json", "--quiet"))
        cases.append({"name": name, "state": state, "limits": {}, "records": records if isinstance(records, list) else [records]})
    whole = len(content_of(first))
    small = page_of(model_of("walker/walker.glb"), "--clip", "walk", "--most", whole * 0.75 / 1048576)
    contents.append(script(content_of(small), 'type="application/json" id="content-small"'))
    cases.append({"name": "small", "state": {}, "limits": SMALL, "records": cases[0]["records"]})
    # Another program's pose: the walk a little later.
    theirs = f"{folder}/theirs.json"
    run("dump", model_of("walker/walker.glb"), "--clip", "walk", "--time", "0.3", "--stage", "palette", "--json", "-o", theirs, "--quiet")
    later = json.loads(run("dump", model_of("walker/walker.glb"), "--clip", "walk", "--time", "0.3", "--vertices", "--json", "--quiet"))
    pair = page_of(model_of("walker/walker.glb"), theirs, "--clip", "walk", "--time", "0.25")
    contents.append(script(content_of(pair), 'type="application/json" id="content-pair"'))
    later["nodes"] = []
    contents.append(as_data({"posed": later}, "pair"))
    contents.append(script(content_of(page_of(hostile_model(folder))), 'type="application/json" id="content-hostile"'))
    pictures = []
    for name, path, view, options, more in PICTURES:
        file = f"{folder}/picture.png"
        run("render", model_of(path), "--view", view, *options, *more, "--background", "00000000", "--size", "400x400", "-o", file, "--quiet")
        content = "view-" + os.path.basename(path)
        if content not in [picture["content"] for picture in pictures]:
            page = page_of(model_of(path), "--background", "00000000", *options)
            contents.append(script(content_of(page), f'type="application/json" id="content-{content}"'))
        with open(file, "rb") as png:
            pictures.append({"name": name, "content": content, "view": view.split(":")[0], "uri": "data:image/png;base64," + base64.b64encode(png.read()).decode()})
    contents.append(as_data(pictures, "pictures"))
    two = page_of(model_of("walker/walker.glb"), model_of("walker/walker.fbx"), "--clip", "walk", "--time", "0.25")
    contents.append(script(content_of(two), 'type="application/json" id="content-two"'))
    same = []
    for version in ("old", "new"):
        os.makedirs(f"{folder}/{version}/models")
        same.append(shutil.copy(model_of("strip/strip.gltf"), f"{folder}/{version}/models/hero.gltf"))
        for name in os.listdir(model_of("strip")):
            if not name.endswith(".gltf"):
                shutil.copy(model_of("strip/" + name), f"{folder}/{version}/models")
    contents.append(script(content_of(page_of(*same)), 'type="application/json" id="content-same"'))
    film = f"{folder}/film.html"
    run("turntable", model_of("walker/walker.glb"), "--clip", "walk", "--frames", "4", "--film", film, "--quiet")
    contents.append(script(content_of(open(film).read()), 'type="application/json" id="content-film"'))
    tests = lambda name: open(f"{root}/tests/html/{name}.js").read()
    first = first.replace("<head>\n", "<head>\n" + script(tests("early"), ""), 1)
    start = "modelViewer.open(document.getElementById('viewer')"
    assert start in first
    first = first.replace(start, "if (false) " + start)
    return first.replace("</body>", "".join(contents) + as_data(cases, "cases") + script(tests("harness")) + script(tests("viewer")) + "</body>")


def judge(chromium, folder, page):
    with open(f"{folder}/page.html", "w") as file:
        file.write(page)
    command = [chromium, "--headless", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run", *WEBGL, f"--user-data-dir={folder}/profile",
               "--window-size=1400,1000", "--virtual-time-budget=300000", "--enable-logging=stderr", "--dump-dom", f"file://{folder}/page.html"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=380)
    found = re.search(r'<pre id="outcome">(.*?)</pre>', done.stdout.decode(errors="replace"), re.S)
    log = done.stderr.decode(errors="replace").splitlines()
    said = found.group(1) if found else "nothing was said:\n" + "\n".join(line for line in log if "CONSOLE" in line)
    return said, bool(re.search("^done [1-9]", said, re.M) and not re.search("^FAIL", said, re.M))


def main():
    chromium = browser()
    with tempfile.TemporaryDirectory() as folder:
        page = build(folder)
        if len(sys.argv) > 3:
            survivors = 0
            for find, replace in MUTANTS:
                assert page.count(find) == 1, find
                said, good = judge(chromium, folder, page.replace(find, replace))
                survivors += good
                print("SURVIVES" if good else "seen", repr(replace), *re.findall("^FAIL.*", said, re.M)[:1], flush=True)
            sys.exit(1 if survivors else 0)
        said, good = judge(chromium, folder, page)
    print(said)
    sys.exit(0 if good else 1)


main()
