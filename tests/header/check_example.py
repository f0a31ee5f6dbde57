"""Asks a subject for poses of fixtures/strip and compares the nodes with expected.json: check_example.py STRIP COMMAND..."""
import json
import math
import subprocess
import sys

strip, command = sys.argv[1], sys.argv[2:]
cases = [c for c in json.load(open(f"{strip}/expected.json"))["cases"] if c["clip"].startswith("linear-") or c["clip"] in ("flip", "late", "single")]
requests = [{"request": "hello", "protocol": "rigproof.subject/1"}]
requests += [{"request": "pose", "id": i, "model": f"{strip}/strip.gltf", "clip": c["clip"], "clip_index": 0, "time": c["time"],
              "wants": ["nodes"]} for i, c in enumerate(cases)]
requests.append({"request": "pose", "id": "none", "model": f"{strip}/strip.gltf", "clip": "no such clip", "time": 0, "wants": []})
run = subprocess.run(command, input="".join(json.dumps(r) + "\n" for r in requests), capture_output=True, text=True, timeout=60)
answers = [json.loads(line) for line in run.stdout.splitlines()]
assert run.returncode == 0, run.stderr
assert len(answers) == len(requests), run.stderr
assert answers[0]["protocol"] == "rigproof.subject/1" and answers[0]["name"].startswith("example")
assert answers[-1]["id"] == "none" and answers[-1]["error"]


def matrix(node):
    if "local" in node:
        return node["local"][:12]
    (x, y, z, w), s, t = node.get("r") or [0, 0, 0, 1], node.get("s") or [1, 1, 1], node.get("t") or [0, 0, 0]
    r = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return [v for i in range(3) for v in [r[i][0] * s[0], r[i][1] * s[1], r[i][2] * s[2], t[i]]]


compared = 0
for case, answer in zip(cases, answers[1:]):
    assert "error" not in answer, answer
    theirs = {n["name"]: n for n in answer["nodes"]}
    for node in case["nodes"]:
        theirs_above = theirs[node["name"]]
        above = theirs_above.get("parent_index")
        assert (theirs_above.get("parent") if above is None else answer["nodes"][above]["name"]) == node["parent"], node["name"]
        worst = max(math.fabs(a - b) for a, b in zip(matrix(theirs[node["name"]]), matrix(node)))
        assert worst < 1e-5, f"{case['clip']} at {case['time']}: {node['name']} is off by {worst}"
        compared += 1
assert compared > 30, compared
print(f"{len(cases)} poses, {compared} nodes agree with expected.json")
