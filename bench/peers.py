#!/usr/bin/env python3
"""Measures rigproof against what else does the job, in pairs that alternate; medians, and quartiles of the ratio.

A figure is wall time, with processor time of all processes and threads in parentheses. Peers are found on PATH, or by the
environment: F3D, ODIFF, PIXELMATCH, COMPARE (ImageMagick's). docs/performance.md says what each part is.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import inputs
from measure import COLUMNS, OURS, WIDTHS, Goal, Row, Side, Step, Table, measure, quartiles, run

ROOT = Path(__file__).resolve().parent.parent
SIZE = 512
DIFFERS = (0, 1)


# ---- peers -------------------------------------------------------------------------------------------------------------

def native_odiff(path):
    """npm's `odiff` is a script that starts Node.js to start the program: it is that alone that is charged."""
    real = Path(path).resolve()
    found = [p for p in real.parents[2].glob("@odiff/*/odiff*") if os.access(p, os.X_OK)] if len(real.parents) > 2 else []
    return str(found[0]) if found else str(path)


class Peers:
    installs = {"f3d": "apt install f3d xvfb", "odiff": "npm i odiff-bin", "pixelmatch": "npm i pixelmatch",
                "compare": "apt install imagemagick"}

    def __init__(self):
        self.display = None
        self.paths = {name: os.environ.get(name.upper()) or shutil.which(name) for name in self.installs}
        if self.paths["odiff"]:
            self.paths["odiff"] = native_odiff(self.paths["odiff"])
        if not os.environ.get("DISPLAY") and not shutil.which("Xvfb"):
            self.paths["f3d"] = None

    def has(self, *names):
        return all(self.paths[name] for name in names)

    def missing(self, *names):
        return "; ".join(f"{n}: not installed ({self.installs[n]})" for n in names if not self.paths[n])

    def start_display(self):
        """One for all runs, so that F3D is not charged for it."""
        if self.display or not self.has("f3d") or not shutil.which("Xvfb"):
            return
        self.display = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        os.environ["DISPLAY"] = ":" + self.display.stdout.readline().strip()

    def stop(self):
        if self.display:
            self.display.terminate()
            self.display.wait()

    def f3d(self, model, out):
        return Step([self.paths["f3d"], model, f"--output={out}", f"--resolution={SIZE},{SIZE}", "--dry-run", "--quiet"])

    def odiff(self, a, b, out=None):
        return Step([self.paths["odiff"], a, b] + ([out] if out else []), codes=(0, 22))

    def pixelmatch(self, a, b, out=None):
        return Step([self.paths["pixelmatch"], a, b] + ([out] if out else []), codes=(0, 66))

    def compare(self, a, b, out=None):
        return Step([self.paths["compare"], "-metric", "AE", a, b, out or "null:"], codes=DIFFERS)

    def sides(self, title, names, steps):
        """A side of those that are there; the others as lines."""
        return ([Side(title, [step() for step in steps])], []) if self.has(*names) else ([], [self.missing(*names)])


# ---- parts -------------------------------------------------------------------------------------------------------------

class Bench:
    def __init__(self, given):
        self.given, self.peers = given, Peers()
        self.work = Path(given.work).resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.clock = 1 if given.cpu else 0

    def find(self, name):
        return next(iter(sorted(Path(self.given.models).rglob(name))), None) if self.given.models else None

    def models(self):
        made = self.work / "capsule-20000.gltf"
        rows = [("CesiumMan", self.find("CesiumMan.glb")), ("Fox", self.find("Fox.glb")),
                ("capsule of 20,000 triangles", inputs.capsule(made, 20000)), ("crowd", ROOT / "fixtures/crowd/crowd.glb")]
        return [(name, path) for name, path in rows if path]

    def table(self, title, rows, missing=(), clock=None):
        """Measures, and writes each line as it comes. Ratios are of the clock that was asked for, or of one that tells more."""
        left_out = (() if self.given.before else ("before",)) + (() if any(row.others for row in rows) else ("against", "the other"))
        shown = [i for i, name in enumerate(COLUMNS) if name not in left_out]
        table = Table(title, f"scripts/bench {self.part}", self.given.markdown, [COLUMNS[i] for i in shown], [WIDTHS[i] for i in shown])
        for row in rows:
            row.rounds = self.given.rounds or row.rounds
            for cells in measure(row, self.given.rigproof, self.given.before, self.clock if clock is None else clock):
                table.add([cells[i] for i in shown])
        for line in dict.fromkeys(missing):
            print(f"\n{line}" if self.given.markdown else f"  {line}", flush=True)

    def case(self, model, frames, size=SIZE, keys=""):
        """The check of a suite of one case, whose goldens are made. Other keys of the case with a comma before them."""
        folder = self.work / f"check-{Path(model).stem}-{frames}-{size}{''.join(c for c in keys if c.isalnum())}"
        folder.mkdir(exist_ok=True)
        shutil.copy(model, folder)
        (folder / "suite.yaml").write_text(
            "version: 1\ngoldens: goldens\ncases:\n"
            f"  - {{name: one, model: {Path(model).name}, size: [{size}, {size}], times: even:{frames}{keys}}}\n")
        run(Step([OURS, "accept", "-q", "--all", "--force", folder / "suite.yaml", "-o", folder / "out"]), self.given.rigproof)
        return Step([OURS, "check", "-q", "-j1", folder / "suite.yaml", "-o", folder / "out"], per=frames)

    def settings(self):
        """What a case costs otherwise, of what it costs as it is."""
        def side(name, *given):
            return Side(name, [self.case(ROOT / "fixtures/walker/walker.glb", self.given.frames, *given)])

        usual, rows = side(f"{SIZE}x{SIZE} lit"), []
        for what, size, keys in (("256x256", 256, ""), ("128x128", 128, ""), ("view: unlit", SIZE, ", view: unlit"),
                                 ("view: normals", SIZE, ", view: normals"),
                                 ("no pictures", SIZE, ", stages: [import, animate, palette, skin]")):
            rows.append(Row(what, side(OURS, size, keys), [usual], Goal("of the other's time")))
        self.table(f"The walker, {self.given.frames} frames, each", rows)

    def check(self):
        rows, missing = [], []
        self.peers.start_display()
        for name, model in self.models():
            theirs, out = self.work / f"f3d-{Path(model).stem}.png", self.work / "f3d.png"
            if self.peers.has("f3d"):
                run(self.peers.f3d(model, theirs), None)
            others = []
            for tool in ("odiff", "compare"):
                side, lacks = self.peers.sides(f"F3D + {tool}", ("f3d", tool), (
                    lambda: self.peers.f3d(model, out), lambda: getattr(self.peers, tool)(theirs, out)))
                others += side
                missing += lacks
            goal = Goal("times as fast", least=45) if others and others[0].name == "F3D + odiff" else Goal(
                "times as fast" if others else "seconds")
            rows.append(Row(f"{name}, {self.given.frames} frames", Side(OURS, [self.case(model, self.given.frames)]), others, goal))
            if name in ("CesiumMan", "crowd"):
                rows.append(Row(f"{name}, 1 frame", Side(OURS, [self.case(model, 1)]), others,
                                Goal(rows[-1].goal.kind)))
        self.table(f"A green check, per frame of {SIZE}x{SIZE}", rows, missing)

    def pictures(self):
        """(what, a, b): equal ones are other bytes."""
        out = []
        for size, (width, height) in {"1080p": (1920, 1080), "4K": (3840, 2160)}.items():
            def drawn(name, *options):
                path = self.work / f"{size}-{name}.png"
                run(Step([OURS, "render", "-q", ROOT / "fixtures/walker/walker.glb", "-o", path, "--clip", "walk",
                          "--size", f"{width}x{height}", *options]), self.given.rigproof)
                return path

            def noise(name, changed=None):
                return inputs.photo(self.work / f"{size}-{name}.png", width, height, changed)

            for kind, a, others in (
                    ("render", drawn("render", "--time", "0.2"), (
                        ("slightly", drawn("moved", "--time", "0.23")), ("wholly", drawn("other", "--background", "20A0F0")))),
                    ("photo", noise("photo"), (
                        ("slightly", noise("photo-slightly", "slightly")), ("wholly", noise("photo-wholly", "wholly"))))):
                out.append((f"{kind} {size}, equal", a, inputs.repacked(self.work / f"{size}-{kind}-repacked.png", a)))
                out += [(f"{kind} {size}, {how} different", a, b) for how, b in others]
        return out

    def diff(self):
        rows, missing, picture = [], [], self.work / "diff.png"
        for what, a, b in self.pictures():
            for written in (None, picture) if "render" in what and "different" in what else (None,):
                others = []
                slow = "slightly" in what and "render" in what and not written
                for tool in ("odiff",) + (("pixelmatch", "compare") if slow else ()):
                    side, lacks = self.peers.sides(tool, (tool,), (lambda: getattr(self.peers, tool)(a, b, written),))
                    others += side
                    missing += lacks
                has_odiff = others and others[0].name == "odiff"
                goal = Goal("of the other's time" if others else "seconds", most=1.0 if has_odiff and not written else 0)
                if written and not others:
                    continue
                ours = Step([OURS, "diff", "-q", a, b] + (["-o", self.work / "diff"] if written else []), codes=DIFFERS)
                rows.append(Row(what + (", written" if written else ""), Side(OURS, [ours]), others, goal, 3 if slow else 7))
        self.table("Two pictures (their decoding included)", rows, missing)

    def start(self):
        warm, cold = self.work / "shaders-warm", self.work / "shaders-cold"
        walker, suite = ROOT / "fixtures/walker/walker.glb", ROOT / "golden/suite.yaml"
        picture = [OURS, "render", "-q", walker, "-o", self.work / "first.png"]
        forget = lambda: shutil.rmtree(cold, ignore_errors=True)  # noqa: E731
        of_warm, of_cold = {"MESA_SHADER_CACHE_DIR": str(warm)}, {"MESA_SHADER_CACHE_DIR": str(cold)}
        run(Step(picture, env=of_warm), self.given.rigproof)
        check = [OURS, "check", "-q", suite, "-o", self.work / "out", "--filter", "walker-*"]
        run(Step(check, env=of_warm), self.given.rigproof)
        everything = Step([OURS, "check", "-q", "-j1", suite, "-o", self.work / "out"], env=of_warm)
        for _ in range(3): # Mesa finds all of its shaders only then
            run(everything, self.given.rigproof)
        rows = [
            Row("--version", Side(OURS, [Step([OURS, "--version"])]), [], Goal("seconds")),
            Row("first picture, 512x512, warm cache", Side(OURS, [Step(picture, env=of_warm)]), [],
                Goal("seconds", most=0.08), 15),
            Row("first picture, empty cache", Side(OURS, [Step(picture, env=of_cold, prepare=forget)]), [], Goal("seconds")),
            Row("walker's cases, 2 workers, warm cache", Side(OURS, [Step(check + ["-j2"], env=of_warm)]), [], Goal("seconds")),
            Row("walker's cases, 1 worker, empty cache", Side(OURS, [Step(check + ["-j1"], env=of_cold, prepare=forget)]), [],
                Goal("seconds")),
            Row("walker's cases, 2 workers, empty cache", Side(OURS, [Step(check + ["-j2"], env=of_cold, prepare=forget)]), [],
                Goal("seconds")),
            Row("memory of a worker, fixtures", Side(OURS, [everything]), [], Goal("MiB", most=120), 1),
        ]
        self.table("Start", rows)

    def suite_of(self, count):
        """A suite with its goldens, as bench/make-suite has it."""
        folder = self.work / f"suite-{count}"
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([ROOT / "bench/make-suite", str(count), folder], check=True)
        run(Step([OURS, "accept", "-q", "--force", folder / "suite.yaml", "-o", folder / "out"]), self.given.rigproof)
        return folder

    def cache(self):
        count = self.given.cases or 3000
        said = subprocess.run([self.given.rigproof, "check", "--help"], capture_output=True, text=True).stdout
        if "--cache" not in said:
            print("\ncache: this rigproof has no check --cache")
            return
        self.given.before, before = None, self.given.before
        folder = self.suite_of(count)
        memory, model = folder / "cache", sorted((folder / "models").glob("*.gltf"))[0]
        check = [OURS, "check", "-q", folder / "suite.yaml", "-o", folder / "out"]

        def change():
            model.write_text(model.read_text() + "\n")

        first = Step(check + ["--cache", memory], prepare=lambda: shutil.rmtree(memory, ignore_errors=True))
        again, changed = Step(check + ["--cache", memory]), Step(check + ["--cache", memory], prepare=change)
        alike = sum(model.name in line for line in (folder / "suite.yaml").read_text().splitlines())
        self.table("What is remembered", [
            Row(f"{count} cases, without --cache", Side(OURS, [Step(check)]), [], Goal("seconds"), 1),
            Row(f"{count} cases, empty cache", Side(OURS, [first]), [], Goal("seconds"), 1),
            Row(f"{count} cases, unchanged", Side(OURS, [again]), [], Goal("seconds", most=1), 5),
            Row(f"{count} cases, a model of {alike} changed", Side(OURS, [changed]), [], Goal("seconds"), 3)])
        self.given.before = before

    def accept(self):
        rows = []
        for count in [self.given.cases] if self.given.cases else [500, 3000]:
            folder = self.suite_of(count)
            fresh = folder / "fresh"
            forget = lambda fresh=fresh: shutil.rmtree(fresh, ignore_errors=True)  # noqa: E731
            accept = Step([OURS, "accept", "-q", "--force", folder / "suite.yaml", "-o", folder / "out", "--goldens", fresh],
                          prepare=forget)
            check = Step([OURS, "check", "-q", folder / "suite.yaml", "-o", folder / "out"])
            rows.append(Row(f"accept of {count} cases", Side(OURS, [accept]), [Side("check", [check])],
                            Goal("of the other's time", most=1.5), 3 if count <= 500 else 1))
        self.table("accept over check, wall time", rows, clock=0)  # accept waits for the disk

    def limit(self):
        """What bench/bare.c says, medians over its runs, and what a frame more costs a check."""
        program, column = ROOT / "build/release/bench/rigproof-bare", 2 if self.given.cpu else 1
        heads = ["", "bare llvmpipe", "without read-back", "empty fragment shader", "draw_crowd()", "over bare", "check", "over bare"]
        widths = [29, 14, 18, 22, 13, 10, 8, 9]
        clock = "processor time of all threads" if self.given.cpu else "wall time"
        table = Table(f"The limit, milliseconds a frame, {clock}", f"scripts/bench {self.part}", self.given.markdown, heads, widths)
        for name, model in self.models():
            said = subprocess.run([program, model], capture_output=True, text=True, check=True).stdout
            bare, unread, empty, ours = (float(line.split("\t")[column]) for line in said.splitlines())
            few, many = self.case(model, self.given.frames), self.case(model, 5 * self.given.frames)
            few.per = many.per = 1
            rounds = [(run(few, self.given.rigproof)[self.clock], run(many, self.given.rigproof)[self.clock])
                      for _ in range(self.given.rounds or 5)]
            check = quartiles([(more - less) * 1e3 / (4 * self.given.frames) for less, more in rounds])[1]
            table.add([name] + [f"{v:.2f}" for v in (bare, unread, empty, ours, ours / bare, check, check / bare)])

    def machine(self):
        """What the figures are of."""
        def first(command):
            try:
                said = subprocess.run(command, capture_output=True, text=True)
                return next((line.strip() for line in (said.stdout + said.stderr).splitlines() if any(c.isdigit() for c in line)), "?")
            except OSError:
                return "?"

        paths = self.peers.paths
        cpus = [line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line]
        said = [f"{os.cpu_count()} cores, {cpus[0] if cpus else os.uname().machine}"]
        ours = subprocess.run([self.given.rigproof, "version"], capture_output=True, text=True).stdout
        said += [line.strip() for line in ours.splitlines() if line.strip()]
        for name, option in (("f3d", "--version"), ("odiff", "--version"), ("compare", "-version")):
            said += [first([paths[name], option]).removeprefix("Version: ").split(" Q16")[0].split(" - ")[0]] if paths[name] else []
        if paths["pixelmatch"]:
            package = Path(paths["pixelmatch"]).resolve().parents[1] / "package.json"
            said.append("pixelmatch " + (json.loads(package.read_text())["version"] if package.exists() else "?"))
        print("Measured on: " + "; ".join(said), flush=True)
        if self.given.cpu:
            print("\nThe machine did other things too: ratios are of processor time, and wall times lie.", flush=True)


PARTS = ("machine", "check", "limit", "diff", "start", "settings", "cache", "accept")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="+", choices=PARTS, metavar="PART")
    parser.add_argument("--rigproof", default=str(ROOT / "build/release/rigproof"))
    parser.add_argument("--before", help="another binary of rigproof, for a column of what it took")
    parser.add_argument("--models", help="a folder that holds CesiumMan.glb and Fox.glb")
    parser.add_argument("--work", default=str(ROOT / "build/bench"))
    parser.add_argument("--rounds", type=int, help="in place of each line's own")
    parser.add_argument("--frames", type=int, default=30, help="of a check, in `check` and `limit`")
    parser.add_argument("--cases", type=int, help="of `cache` and `accept`, in place of 3,000 and 500")
    parser.add_argument("--cpu", action="store_true", help="ratios of processor time: for a machine that does other things too")
    parser.add_argument("--markdown", action="store_true")
    given = parser.parse_args()
    bench = Bench(given)
    try:
        for bench.part in given.parts:
            getattr(bench, bench.part)()
    finally:
        bench.peers.stop()


if __name__ == "__main__":
    sys.exit(main())
