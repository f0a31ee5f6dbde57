"""What was found, for people (Markdown) and for programs (TSV)."""
import collections
import os

from sweep_known import known
from sweep_loads import FINE
from sweep_result import LIMIT, NORMAL_LIMIT


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(cell(c) for c in row) + " |" for row in rows]) + "\n"


def number(value):
    return "%.2g" % value


def pose_rows(results, state):
    for r in sorted((r for r in results if r.state == state), key=lambda r: (r.model, r.clip or "", r.quantity)):
        explained = known(r) if state == "known" else None
        remark = "; ".join(sorted(r.remarks) + ([r.text] if r.text else []))
        yield [r.model, r.clip, r.quantity, number(r.value), number(r.raw), "%.4g" % r.time, number(r.extent)] + \
            (list(explained) if explained else [remark])


NO_QUANTITY = ("refused", "without truth", "broken")
POSE_HEADS = ["model", "clip", "quantity", "deviation", "unrepaired", "at time", "extent"]


def summary_rows(results):
    for quantity in sorted({r.quantity for r in results if r.quantity not in NO_QUANTITY}):
        mine = [r for r in results if r.quantity == quantity]
        states = collections.Counter(r.state for r in mine)
        agreeing = [r.value for r in mine if r.state == "agrees"]
        yield [quantity, len(mine), states["agrees"], number(max(agreeing)) if agreeing else "-", states["known"],
               states["FAILURE"]]


def write_poses(results, title, out):
    models = {r.model for r in results}
    failing = {r.model for r in results if r.state == "FAILURE"}
    out.append("## %s\n" % title)
    aside = sum(r.quantity in ("refused", "without truth") for r in results)
    out.append("%d compared, %d refused or without truth, %d with a failure.\n" % (len(models) - aside, aside, len(failing)))
    out.append(table(["quantity", "clips", "agree", "worst that agrees", "known", "failures"], summary_rows(results)))
    for state, heading, last in (("FAILURE", "Failures", ["remark"]), ("known", "Known deviations", ["fault", "why"])):
        rows = list(pose_rows(results, state))
        if rows:
            out.append("### %s\n" % heading)
            out.append(table(POSE_HEADS + last, rows))
    for quantity, heading in (("refused", "Refused by the importer"), ("without truth", "Not compared")):
        rows = [[r.model, r.text] for r in results if r.quantity == quantity]
        if rows:
            out.append("### %s\n" % heading)
            out.append(table(["model", "why"], rows))


def write_loads(loads, out):
    if not loads:
        return
    out.append("## Loads\n")
    count = collections.Counter((l.command, l.state) for l in loads)
    states = list(FINE) + sorted({l.state for l in loads} - set(FINE))
    out.append("%d files.\n" % len({l.path for l in loads}))
    out.append(table(["command"] + states, [[c] + [count[c, s] for s in states] for c in ("inspect", "dump", "render")]))
    for heading, rows in (("Failures", [l for l in loads if l.state not in FINE]),
                          ("Crashed or timed out in the child", [l for l in loads if l.state in FINE[2:] and
                                                                 l.command == "inspect"])):
        if rows:
            out.append("### %s\n" % heading)
            out.append(table(["file", "command", "state", "text"], [[l.path, l.command, l.state, l.text] for l in rows]))
    by_file = collections.defaultdict(dict)
    for l in loads:
        by_file[l.path][l.command] = l
    uneven = [[p, c, l.text] for p, all_of in by_file.items() for c, l in all_of.items()
              if all_of["inspect"].state == "ok" and l.state == "refused"]
    if uneven:
        out.append("### Read, but refused by a command\n")
        out.append(table(["file", "command", "text"], uneven))


def write_tsv(results, loads, path):
    with open(path, "w", encoding="utf-8") as file:
        file.write("what\tmodel\tclip\tquantity\tdeviation\tunrepaired\ttime\textent\tstate\tfault\tremark\n")
        for r in results:
            row = known(r) if r.state == "known" else None
            file.write("\t".join(["pose", r.model, r.clip or "", r.quantity, "%.6g" % r.value, "%.6g" % r.raw,
                                  "%.9g" % r.time, "%.6g" % r.extent, r.state, row[0] if row else "",
                                  "; ".join(sorted(r.remarks)) + r.text]) + "\n")
        for l in loads:
            file.write("\t".join(["load", l.path, "", l.command, "", "", "", "", l.state, "", l.text.replace("\t", " ")]) + "\n")


def write(poses, objs, loads, folder):
    out = ["# Sweep\n",
           "Deviations are relative to the extent (the longest edge of the box of all sampled poses); the limit is %g. "
           "A palette entry deviates by how far it displaces a corner of its mesh's rest box; a node by its translation, or by "
           "its 3x3 part relative to that part's size; a normal by its difference (limit %g).\n" % (LIMIT, NORMAL_LIMIT)]
    write_poses(poses, "Poses", out)
    if objs:
        write_poses(objs, "Exported geometry", out)
    write_loads(loads, out)
    failures = sum(r.state == "FAILURE" for r in poses + objs) + sum(l.state not in FINE for l in loads)
    deviations = sum(r.state == "known" for r in poses + objs)
    out.append("%d failures, %d known deviations.\n" % (failures, deviations))
    text = "\n".join(out)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "sweep.md"), "w", encoding="utf-8") as file:
        file.write(text)
    write_tsv(poses + objs, loads, os.path.join(folder, "sweep.tsv"))
    print(text)
    return 1 if failures else 0
