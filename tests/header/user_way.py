"""The way of a user in docs/guides/engine.md: an engine that multiplies local x parent is connected, check names the
cause, and the fix turns it green. user_way.py RIGPROOF TUTORIALS FIXTURES SCRATCH"""
import json
import os
import shutil
import subprocess
import sys

rigproof, tutorials, fixtures, scratch = sys.argv[1:5]
shutil.rmtree(scratch, ignore_errors=True)
os.makedirs(scratch)


def check(way, fault, *more):
    command = [tutorials, "--way", way] + (["--fault", fault] if fault else [])
    with open(f"{scratch}/engine.yaml", "w") as suite:
        suite.write(f"""version: 1
goldens: goldens
subjects:
  mine: {{command: {json.dumps(command)}}}
cases:
  - name: walk
    model: {fixtures}/walker/walker.glb
    clip: walk
    times: [0.1, 0.35]
    subject: mine
    against: reference
""")
    done = subprocess.run([rigproof, "check", f"{scratch}/engine.yaml", "--allow-outside", "-o", f"{scratch}/out", *more],
                          capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


def expect(what, condition, output):
    if not condition:
        sys.exit(f"{what}\n{output}")


status, output = check("learnopengl", None)
expect("a suite runs no program by itself", status == 2 and "--allow-subjects" in output, output)
for way in ("learnopengl", "ogldev", "gltf-article"):
    for fault, stage in (("parent-order", "palette"), ("offset-inverted", "import"), ("quaternion-order", "animate")):
        status, output = check(way, fault, "--allow-subjects")
        causes = json.load(open(f"{scratch}/out/results.json"))["cases"][0].get("causes", [])
        named = [[(c["id"], c["stage"]) for c in explanation["causes"]] for explanation in causes]
        expect(f"{way}, {fault}: {named}", status == 1 and named == [[(fault, stage)]], output)
    status, output = check(way, None, "--allow-subjects")
    expect(f"{way} without a mistake", status == 0 and output.startswith("pass"), output)
# Vertices alone differ; and an engine that drops small weights still gets its other mistakes named.
for way, fault, stage in (("learnopengl", "neighbour-vertex", "skin"), ("thesis", "parent-order", "palette")):
    status, output = check(way, fault, "--allow-subjects")
    causes = json.load(open(f"{scratch}/out/results.json"))["cases"][0].get("causes", [])
    named = [[(c["id"], c["stage"]) for c in explanation["causes"]] for explanation in causes]
    expect(f"{way}, {fault}: {named}", status == 1 and any((fault, stage) in one for one in named), output)
print("user_way: the cause is named, the fix is green")
