"""docs/engines.md: the table, and every disagreement with its cause and with who is right."""
import fnmatch
import re

import engines_compare as compare
from engines_known import KNOWN

HEAD = """# Engines

How real engines answer where rigproof computes the same: `scripts/engines` writes this page. Each engine in
[subjects](../subjects) is a small program that speaks [the protocol of subjects](subjects.md), installed by its own script,
outside the project's two commands. It is asked for the rest pose and for at most three clips of each model, at five times each:
the start, 21, 50 and 83 %% and the end. Models are named by their public names (`assimp-testmodels/` is Debian's package).

What is compared, in the order of the stages: globals of the nodes at rest (import) and at a time (animate), the palette, the
skinned vertices. Names are matched as [subjects.md](subjects.md) says, then by place in the tree. One constant factor (a signed
permutation of axes times a scale) is solved for each model and told, not failed. Blender gives its bones another rest
orientation: there each bone may differ by a constant factor from the right, and vertices decide. An engine *agrees* where
nothing is off by more than %g of the model's extent.

Who is right is said by evaluators that use neither rigproof nor the engine: programs that follow the specifications of glTF and
COLLADA in double precision, and poses of FBX files that were evaluated without Assimp. No evaluator reads X, B3D and MD5: there
the file itself decides.
""" % compare.FAIR


MOVING = {"nlerp", "tangents-wrong", "loop-rule", "cubic-as-linear", "long-way", "step-late", "single-key"}


def known(result):
    """The row of a disagreement, or None. What interpolates does nothing at rest."""
    at_rest = result.worst[result.stage()][1] is None
    for row in KNOWN:
        if at_rest and row.cause in MOVING:
            continue
        if result.engine in row.engines.split() and result.stage() in row.stages.split() and \
                (not row.end or result.worst[result.stage()][4]) and \
                any(fnmatch.fnmatch(result.model, pattern) for pattern in row.models):
            return row
    return None


def share(value):
    if value is None:
        return ""
    if value == float("inf"):
        return "not a number"
    return "%.2g" % value


def table(tables):
    lines = ["| engine | version | models | answers | agrees | differs: import | animate | palette | skin | poses |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    for engine, (name, version), results in tables:
        readable = [r for r in results if r.refused != "rigproof cannot read it"]
        answered = [r for r in readable if r.poses]
        counts = ["%d" % sum(r.stage() == stage for r in answered) for stage in compare.STAGES]
        lines.append("| %s | %s | %d | %d | %d | %s | %d |" % (
            name, version, len(readable), len(answered), sum(r.stage() is None for r in answered), " | ".join(counts),
            sum(r.poses for r in answered)))
    return lines


def row_of(result):
    stage = result.stage()
    value, clip, at, where = result.worst[stage][:4]
    when = "at rest" if clip is None else "`%s` at %.3f s" % (clip, at)
    # The rest pose is judged as the nodes of a clip: evaluators have one kind of pose.
    mine, theirs = result.rigproof.get(stage), result.theirs.get(stage)
    return "| %s | %s | %s | %s, `%s` | %s | %s |" % (result.model, stage, share(value), when, where, share(mine), share(theirs))


ROWS = ["| model | stage | apart | where | rigproof from the evaluator | engine from the evaluator |", "|---|---|---|---|---|---|"]


def causes(tables):
    lines, untraced = [], []
    for engine, (name, _), results in tables:
        groups = {}
        for result in results:
            if result.stage():
                row = known(result)
                if row is None:
                    untraced.append(result)
                else:
                    groups.setdefault(row, []).append(result)
        if not groups:
            continue
        lines += ["", "### %s" % name]
        for row, members in groups.items():
            lines += ["", "**%s** (`%s`). %s Right: %s." % (row.title, row.cause, row.text, row.right), "", *ROWS]
            lines += [row_of(r) for r in sorted(members, key=lambda r: r.model)]
    return lines, untraced


def reason(text):
    """Without the folders and names of files, and one line."""
    return re.sub(r"'?/[^ ']*'?", "", text.splitlines()[0])[:100].strip(" '\"").replace("|", "\\|")


def refusals(tables):
    lines = []
    for _, (name, _), results in tables:
        why = {}
        for result in results:
            if (result.refused and result.refused != "rigproof cannot read it") or result.died:
                why.setdefault(reason(result.refused or result.died), []).append(result.model)
        if why:
            lines += ["", "**%s**" % name, ""] + ["- %s: %s" % (text, ", ".join(models)) for text, models in why.items()]
    return lines


def conventions(tables):
    lines = []
    for _, (name, _), results in tables:
        seen = {}
        for result in results:
            if result.left:
                seen.setdefault(result.left, []).append(result.model)
        if seen:
            lines.append("- %s: %s" % (name, "; ".join("%s in %d models" % (left, len(models)) for left, models in seen.items())))
    return lines


def markdown(tables):
    """(text, number of disagreements that nobody has traced)"""
    traced, untraced = causes(tables)
    lines = [HEAD, *table(tables), "", "## Disagreements", "", "Numbers are shares of the model's extent."]
    lines += traced or ["", "None."]
    if untraced:
        lines += ["", "### Not traced", "", "| engine " + ROWS[0], "|---" + ROWS[1]]
        lines += ["| %s %s" % (r.engine, row_of(r)) for r in untraced]
    lines += ["", "## Conventions that were solved", "", *conventions(tables)]
    lines += ["", "## Not answered", *refusals(tables)]
    return "\n".join(lines) + "\n", len(untraced)
