"""docs/causes.md has every cause as the tables of src/diagnose have it: documented.py ROOT [--write]"""
import re
import sys

ROW = re.compile(r'\{\{?"([a-z0-9-]+)", CAUSE_([A-Z]+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+),\s*\\?\s*((?:"(?:[^"\\]|\\.)*"\s*)+)[,}]')


def joined(literals):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals)).replace("|", "\\|").replace("*", "\\*")


def rows(root):
    stages = ["IMPORT", "ANIMATE", "PALETTE", "SKIN", "DRAW"]
    found = []
    for name in ("causes.c", "picture.c"):
        with open(f"{root}/src/diagnose/{name}", encoding="utf-8") as file:
            text = file.read().replace("\\\n", "\n")
        found += [(stages.index(s), f"| `{i}` | {s.lower()} | {joined(a)} | {joined(b)} |") for i, s, a, b in ROW.findall(text)]
    return [row for _, row in sorted(found, key=lambda pair: pair[0])]


def main():
    path = f"{sys.argv[1]}/docs/causes.md"
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("|---")) + 1
    last = first + sum(line.startswith("| `") for line in lines[first:])
    expected = rows(sys.argv[1])
    if "--write" in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines[:first] + expected + lines[last:]) + "\n")
        return 0
    for row in sorted(set(expected) ^ set(lines[first:last])):
        print(("docs/causes.md lacks: " if row in expected else "src/diagnose has no such row: ") + row)
    return int(len(expected) < 60 or expected != lines[first:last])


if __name__ == "__main__":
    sys.exit(main())
