#!/usr/bin/env python3
"""SECURITY.md says who may write which folder, and each row of that table and sentence below it names tests that there are.

usage: tests/security.py ROOT BUILD
"""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
listing = set(re.findall(r"Test +#\d+: (\S+)", subprocess.run(["ctest", "-N"], cwd=sys.argv[2], check=True,
                                                                   capture_output=True, text=True).stdout))
section = (root / "SECURITY.md").read_text().split("## Who may write which folder\n")[1].split("\n## ")[0]
sources = {path: path.read_text() for path in root.glob("tests/**/test_*.*") if path.suffix in (".c", ".py")}
rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
sentences = re.findall(r"[^.|]*\(`\w+` `\w+`\)", section)
problems = []
for claim in rows + sentences:
    pairs = re.findall(r"`(\w+)` `(\w+)`", claim.split("|")[-2] if claim.startswith("|") else claim)
    if not pairs:
        problems.append(f"no test: {claim}")
    for test, function in pairs:
        name = test.split("_", 1)[1]
        own = [path for path, text in sources.items() if path.stem == f"test_{name}" and re.search(rf"\b{function}[(,)]", text)]
        if not any(listed == test or listed.startswith(test + "_") for listed in listing):
            problems.append(f"ctest has no {test}")
        if not own:
            problems.append(f"{test} has no {function}")
if len(rows) < 6 or len(sentences) < 2:
    problems.append("the table or the sentences below it are gone")
print("\n".join(problems))
sys.exit(1 if problems else 0)
