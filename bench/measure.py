"""Runs commands in alternation and tells their medians: wall time, processor time with that of their children, memory."""

import os
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

OURS = "rigproof"  # in a command: the binary under measurement, or the one of --before


@dataclass
class Step:
    command: list
    per: float = 1  # frames, say, that its cost is divided by
    codes: tuple = (0,)
    prepare: object = None  # called before, outside of the clock
    env: dict = field(default_factory=dict)


@dataclass
class Side:
    name: str
    steps: list


@dataclass
class Goal:
    kind: str  # a key of MEASURES
    most: float = 0  # of what should be small
    least: float = 0  # of what should be large


@dataclass
class Row:
    what: str
    ours: Side
    others: list = field(default_factory=list)
    goal: Goal = None  # of the first of the others; without others of ours alone
    rounds: int = 7


class Failed(Exception):
    pass


def run(step, binary):
    """Wall seconds, processor seconds, peak MiB of the largest process."""
    if step.prepare:
        step.prepare()
    command = [binary if part is OURS else str(part) for part in step.command]
    with tempfile.TemporaryFile() as said:
        begin = time.perf_counter()
        child = subprocess.Popen(command, stdout=said, stderr=said, stdin=subprocess.DEVNULL, env={**os.environ, **step.env})
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in step.codes:
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines() or [""]
            raise Failed(f"{' '.join(command)}: exit code {child.returncode}: {lines[-1]}")
    return wall / step.per, (usage.ru_utime + usage.ru_stime) / step.per, usage.ru_maxrss / 1024


def run_side(side, binary):
    taken = [run(step, binary) for step in side.steps]
    return sum(t[0] for t in taken), sum(t[1] for t in taken), max(t[2] for t in taken)


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def seconds(value):
    return f"{value * 1e3:.1f} ms" if value < 1 else f"{value:.2f} s"


# A figure of one round from what ours and the other took, each (wall, processor, MiB); how it is written.
MEASURES = {
    "times as fast": (lambda ours, other, clock: other[clock] / ours[clock], "{:.1f}".format),
    "of the other's time": (lambda ours, other, clock: ours[clock] / other[clock], "{:.2f}".format),
    "seconds": (lambda ours, other, clock: ours[clock], seconds),
    "MiB": (lambda ours, other, clock: ours[2], "{:.0f} MiB".format),
}


def judged(goal, value):
    """'goal >= 45: 51.2 good'"""
    if not goal or not (goal.most or goal.least):
        return ""
    shape = MEASURES[goal.kind][1]
    good = value >= goal.least if goal.least else value <= goal.most
    sign, limit = (">=", goal.least) if goal.least else ("<=", goal.most)
    return f"goal {sign} {limit:g}: {shape(value)} {'good' if good else 'MISSED'}"


def measure(row, binary, before, clock):
    """One line for ours against each of the others: the cells of COLUMNS."""
    names = [side.name for side in row.others]
    sides = [(row.ours, binary)] + [(side, binary) for side in row.others] + ([(row.ours, before)] if before else [])
    taken = [[] for _ in sides]
    try:
        for number in range(row.rounds):
            for i in range(len(sides)) if number % 2 == 0 else reversed(range(len(sides))):
                taken[i].append(run_side(*sides[i]))
    except (Failed, OSError) as failure:
        return [[row.what, " ".join(names), "", "", "", "", f"failed: {failure}"]]
    middle = lambda values, of: statistics.median(v[of] for v in values)  # noqa: E731
    is_memory = row.goal and row.goal.kind == "MiB"
    shown = (lambda values: f"{middle(values, 2):.0f} MiB") if is_memory else (
        lambda values: f"{seconds(middle(values, 0))} ({seconds(middle(values, 1))})")
    was = shown(taken[-1]) if before else ""
    lines = []
    for i, name in enumerate(names or [""]):
        goal = row.goal if i == 0 else row.goal and Goal(row.goal.kind)
        kind = goal.kind if goal else "seconds"
        rounds = list(zip(taken[0], taken[i + 1] if names else taken[0]))
        low, value, high = quartiles([MEASURES[kind][0](*pair, clock) for pair in rounds])
        shape = MEASURES[kind][1]
        ratio = f"{shape(value)} [{shape(low)} .. {shape(high)}]"
        lines.append([row.what if i == 0 else "", name, was if i == 0 else "", shown(taken[0]) if i == 0 else "",
                      shown(taken[i + 1]) if names else "", ratio, judged(goal, value)])
    return lines


COLUMNS = ["", "against", "before", "rigproof", "the other", "ratio [quartiles]", "goal"]
WIDTHS = [43, 13, 20, 20, 20, 31, 0]


class Table:
    """Written line by line, as text or Markdown."""

    def __init__(self, title, command, markdown, heads, widths):
        self.markdown, self.widths = markdown, widths
        print(f"\n{title}" + (f": `{command}`\n" if markdown else ""), flush=True)
        self.add(heads)
        if markdown:
            print(f"|{'---|' * len(heads)}", flush=True)

    def add(self, cells):
        text = "  " + " ".join(cell.ljust(width) for cell, width in zip(cells, self.widths))
        print(f"| {' | '.join(cells)} |" if self.markdown else text.rstrip(), flush=True)
