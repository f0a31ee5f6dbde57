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
skinned vertices. Names are matched as [subjects.md](subjects.md) says. One constant factor (a signed permutation of axes times a
scale) is solved for each model and reported; it fails nothing. Nodes that Assimp puts between those of an FBX file are left out.
Blender gives its bones another rest orientation: there each bone may differ by a constant factor from the right, and vertices decide. An engine *agrees* where nothing is off by more than %g of the
model's extent.

Who is right is said by evaluators that use neither rigproof nor the engine: programs that follow the specifications of glTF and
COLLADA in double precision, and poses of FBX files that were evaluated without Assimp. No evaluator reads X, B3D, MS3D and MD5:
there the file itself decides.

The tutorials' ways are asked for models with clips only. Their Assimp is the distribution's; a row of rigproof on another Assimp is
`scripts/engines --against`. `rigproof diagnose` in the lists is what it says of the poses that are furthest apart; `unrepaired: NAME`
means that rigproof gives the engine's answer once it leaves out that repair.
""" % compare.FAIR

NOT_ASKED = """
**Not asked**

- Godot 3.2.3 (Debian's `godot3-server`) imports glTF, FBX and COLLADA in its editor only: `--path PROJECT -e -q` has imported after
  some 10 s and had not ended after 100 s, and a script (`-s`) has no importer (`PackedSceneGLTF` is not registered) and no stdin. Not
  tried: a project that the editor has imported before, and a script that reads what it left.
- OGRE 1.12.10 reads `.mesh` and `.skeleton` of its own. The corpus has none; Debian's one model of it is XML for a converter.
"""


def mistakes(result):
    """The names of all mistakes that `rigproof diagnose` has named, each set as one."""
    return [{mistake.split(" (")[0] for mistake in causes} for causes in result.named]


def known(result):
    """The row of a disagreement, or None."""
    for row in KNOWN:
        if any(fnmatch.fnmatch(result.engine, engine) for engine in row.engines.split()):
            if result.stage() in row.stages.split() and row.at in ("", result.worst[result.stage()][4]) and \
                    any(fnmatch.fnmatch(result.model, pattern) for pattern in row.models.split()) and \
                    (not row.by or any(causes & set(row.by.split(",")) for causes in mistakes(result))):
                return row
    return None


def diagnosed(result, row):
    """In the table: what the diagnosis says where it is the row's cause, and of how many equals that is one."""
    sets = mistakes(result)
    if not sets:
        return ""
    fitting = [causes for causes in sets if row and causes & {row.cause, *row.by.split(",")}] or sets
    words = " + ".join("`%s`" % one for one in sorted(min(fitting, key=lambda causes: (len(causes), sorted(causes)))))
    return words if len(sets) == 1 else "%s, one of %d" % (words, len(sets))


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
        answered = [r for r in readable if r.worst]
        counts = ["%d" % sum(r.stage() == stage for r in answered) for stage in compare.STAGES]
        lines.append("| %s | %s | %d | %d | %d | %s | %d |" % (
            name, version, len(readable), len(answered), sum(r.stage() is None for r in answered), " | ".join(counts),
            sum(r.poses for r in answered)))
    return lines


def row_of(result, row=None):
    stage = result.stage()
    value, clip, at, where = result.worst[stage][:4]
    when = "at rest" if clip is None else "`%s` at %.3f s" % (clip.replace("|", "\\|"), at)
    # Evaluators of FBX have vertices only.
    mine, theirs = (side.get(stage, side.get("skin")) for side in (result.rigproof, result.theirs))
    return "| %s | %s | %s | %s | %s, `%s` | %s | %s | %s |" % (
        result.engine, result.model, stage, share(value), when, where, diagnosed(result, row), share(mine), share(theirs))


ROWS = ["| engine | model | stage | apart | where | `rigproof diagnose` | rigproof from the evaluator | engine from the evaluator |",
        "|---|---|---|---|---|---|---|---|"]


def anchor(title):
    return re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")


def causes(tables):
    """(lines, disagreements that nobody has traced)"""
    groups, untraced = {}, []  # by title: rows of one cause
    for _, _, results in tables:
        for result in results:
            row = known(result) if result.stage() else None
            if row:
                groups.setdefault(row.title, []).append((result, row))
            elif result.stage():
                untraced.append(result)
    lines = ["| cause | right | engines and models |", "|---|---|---|"]
    ordered = list({row.title: row for row in reversed(KNOWN) if row.title in groups}.values())[::-1]
    for row in ordered:
        count = {}
        for result, _ in groups[row.title]:
            count[result.engine] = count.get(result.engine, 0) + 1
        lines.append("| [%s](#%s) | %s | %s |" % (row.title, anchor(row.title), row.right,
                                                 ", ".join("%s %d" % one for one in count.items())))
    for row in ordered:
        members = sorted(groups[row.title], key=lambda one: (one[0].engine, one[0].model))
        lines += ["", "### %s" % row.title, "", "`%s`. %s" % (row.cause, row.text), "", "Right: %s." % row.right, "",
                  "<details><summary>%d %s</summary>" % (len(members), "models" if len(members) > 1 else "model"), "", *ROWS]
        lines += [row_of(*one) for one in members] + ["", "</details>"]
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
            lines += ["", "<details><summary>%s: %d</summary>" % (name, sum(map(len, why.values()))), ""]
            lines += ["- %s: %s" % (text, ", ".join(models)) for text, models in why.items()] + ["", "</details>"]
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
    every = [r for _, _, results in tables for r in results if r.stage()]
    named = sum(bool(r.named) for r in every)
    lines = [HEAD, *table(tables), "", "## Why they differ", "",
             "The first stage that differs counts. Of %d disagreements `rigproof diagnose` explains %d alone, up to rounding; the others were"
             % (len(every), named),
             "traced by hand. Numbers are shares of the model's extent.", "", *traced]
    if untraced:
        lines += ["", "### Not traced", "", *ROWS, *map(row_of, untraced)]
    lines += ["", "## Conventions that were solved", "", *conventions(tables)]
    lines += ["", "## Not answered", *refusals(tables), NOT_ASKED.rstrip()]
    return "\n".join(lines) + "\n", len(untraced)
