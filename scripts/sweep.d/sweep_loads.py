"""Every file gives a result or one line of error, in time, and finite numbers."""
import gzip
import os
import shutil
import tempfile

import sweep_program
from sweep_poses import in_parallel


class Load:
    def __init__(self, path, command, state, text=""):
        self.path, self.command, self.state, self.text = path, command, state, text


FINE = ("ok", "refused", "crashed in the child", "timed out in the child")


def judge(outcome):
    """(state, text): one of FINE, or what is wrong."""
    if outcome.code is None:
        return "hangs", "more than %d s" % sweep_program.PATIENCE
    if outcome.code < 0:
        return "killed by a signal", "signal %d" % -outcome.code
    strange = [line for line in outcome.lines if not line.startswith(("warning:", "note:", "error:"))
               and not line.endswith("has no clips: this is its rest pose")]
    if strange:
        return "chatter", strange[0]
    if outcome.code == 0:
        return ("ok", "") if not outcome.error else ("error with exit code 0", outcome.error)
    if outcome.code != 2:
        return "exit code %d" % outcome.code, outcome.error or ""
    if sum(line.startswith("error:") for line in outcome.lines) != 1:
        return "not one line of error", outcome.stderr[:200]
    if "crashed (" in outcome.error:
        return "crashed in the child", outcome.error
    if "timed out" in outcome.error or "took longer" in outcome.error:
        return "timed out in the child", outcome.error
    return "refused", outcome.error


def judge_json(outcome, state, text):
    if state != "ok":
        return state, text
    try:
        found = sweep_program.nulls(sweep_program.documents(outcome.stdout))
        return ("null numbers", ", ".join(sorted(set(found))[:5])) if found else (state, text)
    except ValueError as problem:
        return "bad JSON", str(problem)


def sweep_file(program, path, label):
    with tempfile.TemporaryDirectory(prefix="sweep") as folder:
        if path.endswith(".gz"):
            plain = os.path.join(folder, os.path.basename(path)[:-3])
            with gzip.open(path) as packed, open(plain, "wb") as file:
                shutil.copyfileobj(packed, file)
            path = plain
        found = []
        outcome = sweep_program.run(program, "inspect", path, "--json")
        found.append(Load(label, "inspect", *judge_json(outcome, *judge(outcome))))
        outcome = sweep_program.run(program, "dump", path, "--time", "0", "--format", "json")
        state, text = judge_json(outcome, *judge(outcome))
        if state == "ok" and sweep_program.run(program, "dump", path, "--time", "0", "--format", "json").stdout != outcome.stdout:
            state, text = "not the same twice", ""
        found.append(Load(label, "dump", state, text))
        picture = os.path.join(folder, "picture.png")
        outcome = sweep_program.run(program, "render", path, "-o", picture, "--size", "64x64")
        state, text = judge(outcome)
        if state == "ok" and not (os.path.exists(picture) and os.path.getsize(picture) > 60):
            state, text = "no picture", ""
        found.append(Load(label, "render", state, text))
        return found


def sweep_loads(folders, program, jobs):
    paths, labels = [], []
    for folder in folders:
        for where, _, files in sorted(os.walk(folder)):
            for name in sorted(files):
                paths.append(os.path.join(where, name))
                labels.append(os.path.relpath(paths[-1], folder) if folder == folders[0] else paths[-1])
    return in_parallel(jobs, sweep_file, [program] * len(paths), paths, labels)
