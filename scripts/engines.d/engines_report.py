"""docs/engines.md: the table and the causes; docs/engines.tsv: every disagreement with its cause and with who is right."""
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
`scripts/engines --against`. `rigproof diagnose` in engines.tsv is what it says of the poses that are furthest apart; `unrepaired: NAME`
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
    """A line of engines.tsv."""
    stage = result.stage()
    value, clip, at, where = result.worst[stage][:4]
    when = "at rest" if clip is None else "%s at %.3f s" % (clip, at)
    # Evaluators of FBX have vertices only.
    mine, theirs = (side.get(stage, side.get("skin")) for side in (result.rigproof, result.theirs))
    return [row.title if row else "not traced", result.engine, result.model, stage, share(value), "%s, %s" % (when, where),
            diagnosed(result, row).replace("`", ""), share(mine), share(theirs)]


COLUMNS = ["cause", "engine", "model", "stage", "apart", "where", "diagnosed", "rigproof from the evaluator",
           "engine from the evaluator"]


def causes(tables):
    """(lines of the page, rows of the list, disagreements that nobody has traced)"""
    groups, untraced = {}, []  # by title: rows of one cause
    for _, _, results in tables:
        for result in results:
            row = known(result) if result.stage() else None
            if row:
                groups.setdefault(row.title, []).append((result, row))
            elif result.stage():
                untraced.append(result)
    lines, rows = ["| cause | right | engines and models |", "|---|---|---|"], []
    for row in list({row.title: row for row in reversed(KNOWN) if row.title in groups}.values())[::-1]:
        count = {}
        for result, _ in groups[row.title]:
            count[result.engine] = count.get(result.engine, 0) + 1
        lines.append("| %s: `%s`. %s | %s | %s |" % (row.title, row.cause, row.text, row.right,
                                                    ", ".join("%s %d" % one for one in count.items())))
        rows += [row_of(*one) for one in sorted(groups[row.title], key=lambda one: (one[0].engine, one[0].model))]
    if untraced:
        lines.append("| Not traced | | %d |" % len(untraced))
    return lines, rows + [row_of(one) for one in untraced], untraced


def reason(text):
    """Without the folders and names of files, and one line."""
    return re.sub(r"'?/[^ ']*'?", "", text.splitlines()[0])[:100].strip(" '\"")


def refusals(tables):
    """(the line of the page, rows of the list)"""
    counts, rows = [], []
    for _, (name, _), results in tables:
        refused = [r for r in results if (r.refused and r.refused != "rigproof cannot read it") or r.died]
        if refused:
            counts.append("%s %d" % (name, len(refused)))
        rows += [["not answered: " + reason(r.refused or r.died), name, r.model] + [""] * 6 for r in refused]
    return "Models: %s. Each with its reason is in [engines.tsv](engines.tsv)." % ", ".join(counts), rows


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


def report(tables):
    """(the page, the list, number of disagreements that nobody has traced)"""
    traced, rows, untraced = causes(tables)
    refused, more = refusals(tables)
    every = [r for _, _, results in tables for r in results if r.stage()]
    named = sum(bool(r.named) for r in every)
    lines = [HEAD, *table(tables), "", "## Why they differ", "",
             "The first stage that differs counts. Of %d disagreements `rigproof diagnose` explains %d alone, up to rounding; the others were"
             % (len(every), named),
             "traced by hand. Numbers are shares of the model's extent.",
             "[engines.tsv](engines.tsv) has every disagreement: how far apart, where, what `rigproof diagnose` says, and how far rigproof and the",
             "engine are from the evaluator.", "", *traced]
    lines += ["", "## Conventions that were solved", "", *conventions(tables)]
    lines += ["", "## Not answered", "", refused, NOT_ASKED.rstrip()]
    return "\n".join(lines) + "\n", "".join("\t".join(row) + "\n" for row in [COLUMNS, *rows, *more]), len(untraced)
