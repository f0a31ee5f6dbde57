#!/usr/bin/env python3
"""Holds scripts/bench to what it says, without timing anything: its parts, its inputs, what it makes of figures.

    bench.py ROOT RIGPROOF [BARE]
"""
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

root, rigproof = Path(sys.argv[1]).resolve(), str(Path(sys.argv[2]).resolve())
sys.path.insert(0, str(root / "bench"))
import inputs  # noqa: E402
import measure  # noqa: E402
import peers  # noqa: E402


def said_by(*command, code=0, env=None):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, env={**os.environ, **(env or {})})
    assert done.returncode == code, (command, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def test_parts():
    usage = said_by(root / "scripts/bench", "--help")
    listed = re.findall(r"^  (\w+)  ", usage, re.M)
    assert set(listed) == {"stages", "scale", *peers.PARTS}, listed
    assert all(hasattr(peers.Bench, part) for part in peers.PARTS)
    places = re.findall("^<!-- bench (\\w+) -->$", (root / "docs/performance.md").read_text(), re.M)
    assert set(places) == set(listed) - {"stages"}, places
    assert "no part or option" in said_by(root / "scripts/bench", "nothing", code=2)


def test_inputs(folder):
    lines = said_by(rigproof, "inspect", "--brief", inputs.capsule(folder / "capsule.gltf", 20000)).splitlines()
    row = dict(zip(re.split(r"  +", lines[0]), re.split(r"  +", lines[1])))
    assert (row["bones"], row["triangles"], row["clips"], row["warnings"]) == ("20", "20000", "sway 2 s", "0"), row
    photo = inputs.photo(folder / "a.png", 300, 200)
    equal = inputs.repacked(folder / "b.png", photo)
    assert photo.read_bytes() != equal.read_bytes()
    said_by(rigproof, "diff", photo, equal)
    for changed, least, most in (("slightly", 0.8, 1.2), ("wholly", 99, 100)):
        other = inputs.photo(folder / f"{changed}.png", 300, 200, changed)
        share = re.search(r"([\d.]+) %", said_by(rigproof, "diff", photo, other, code=1))
        assert share and least <= float(share[1]) <= most, (changed, share)


def cells_of(row, before=None):
    return measure.measure(row, "true", before, 0)


def test_figures():
    def taking(*walls):
        """A side whose rounds take that long, in place of a process."""
        values = iter(walls)
        return measure.Side("one", [lambda: next(values)])

    run = measure.run
    measure.run = lambda step, binary: (step(), 0.5, 100)
    try:
        goal = measure.Goal("times as fast", least=45)
        lines = cells_of(measure.Row("x", taking(1, 2, 3), [taking(50, 90, 135), taking(3, 6, 9)], goal, 3))
        assert [line[-1] for line in lines] == ["goal >= 45: 45.0 good", ""], lines
        assert [line[5] for line in lines] == ["45.0 [45.0 .. 47.5]", "3.0 [3.0 .. 3.0]"], lines
        assert lines[0][3] == "2.00 s (500.0 ms)", lines
        lines = cells_of(measure.Row("x", taking(3), [taking(2)], measure.Goal("of the other's time", most=1.0), 1))
        assert lines[0][-1] == "goal <= 1: 1.50 MISSED", lines
        lines = cells_of(measure.Row("x", taking(3), [], measure.Goal("MiB", most=120), 1))
        assert lines[0][3:] == ["100 MiB", "", "100 MiB [100 MiB .. 100 MiB]", "goal <= 120: 100 MiB good"], lines
        lines = cells_of(measure.Row("x", taking(0.25, 0.5), [], measure.Goal("seconds"), 1), before="old")
        assert lines[0][2:4] == ["500.0 ms (500.0 ms)", "250.0 ms (500.0 ms)"], lines
    finally:
        measure.run = run
    lines = cells_of(measure.Row("x", measure.Side("one", [measure.Step(["sh", "-c", "echo why >&2; exit 3"])])))
    assert lines[0][-1].endswith("exit code 3: why"), lines


def test_markdown():
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        table = measure.Table("Title", "scripts/bench x", True, measure.COLUMNS, measure.WIDTHS)
        for cells in cells_of(measure.Row("x", measure.Side("one", [measure.Step([measure.OURS])]), [], measure.Goal("seconds"))):
            table.add(cells)
    lines = out.getvalue().splitlines()
    assert lines[1] == "Title: `scripts/bench x`" and len({line.count("|") for line in lines[3:]}) == 1, lines


def test_run(folder):
    """Without peers a part still runs, checks are green, and what is not installed is named."""
    said = said_by(sys.executable, root / "bench/peers.py", "machine", "check", "--rounds", "1", "--frames", "2", "--work", folder, "--rigproof", rigproof,
                   env={"PATH": "/nowhere", **{name.upper(): "" for name in peers.Peers.installs}})
    assert "capsule of 20,000 triangles, 2 frames" in said and "failed" not in said, said
    assert said.startswith("Measured on: ") and "odiff: not installed (npm i odiff-bin)" in said and "f3d: not installed" in said, said


def test_scale(folder):
    """A check that is not green ends it."""
    lines = said_by(sys.executable, root / "bench/scale", "--cases", "100", "--work", folder, "--rigproof", rigproof,
                    "--markdown").splitlines()
    assert len({line.count("|") for line in lines[3:]}) == 1, lines
    for kind in ("with pictures", "without pictures"):
        assert all(any(line.startswith(f"| {what}, {kind} | 100 | ") for line in lines)
                   for what in ("accept", "check --list", "check", "report")), lines


def test_bare(program):
    """It ends with an error where plain GL and draw_crowd() cover other pixels."""
    lines = said_by(program, root / "fixtures/twins/twins.gltf", "1").splitlines()
    assert [len(line.split("\t")) for line in lines] == [3] * 4, lines


with tempfile.TemporaryDirectory() as place:
    test_parts()
    test_figures()
    test_markdown()
    test_inputs(Path(place))
    test_run(Path(place))
    test_scale(Path(place))
    if len(sys.argv) > 3:
        test_bare(sys.argv[3])
print("bench: every part is there, inputs are what they are called, goals are judged")
