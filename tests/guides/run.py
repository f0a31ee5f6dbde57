#!/usr/bin/env python3
"""Runs a page of docs as its reader would: its commands in order, in an empty folder, and holds what they print against the page.
  run.py ROOT RIGPROOF PAGE.md [project | copy]

```sh              is run, all of a page in one `bash -euo pipefail`; ```sh not-run is shown only
```text            was printed by the block before it: these lines, in this order; `...` stands for any lines, or for
                   anything in a line. ```text not-run is shown only
```yaml suite.yaml is written to suite.yaml before the next block; without a file it is shown only
<!-- needs: git parallel -->   programs without which the page is skipped (77)

The folder holds a copy of fixtures/; rigproof is on PATH, and the header of subjects is found as if it were installed. For a
page that speaks of the project's tree, `project`, it is a copy of the whole, with the binary as build/release/rigproof; for one
that belongs to a folder, `copy`, a copy of that, and the header is where the page looks for it. Each command stands on its
own line of the page, so that bash knows where one fails.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SKIPPED = 77
SECONDS = 200
MARK = "\x1e"  # before a line of our own in what is printed
KEPT = ("MESA_SHADER_CACHE_DIR", "LSAN_OPTIONS", "ASAN_OPTIONS", "LD_LIBRARY_PATH", "LIBGL_DRIVERS_PATH",
        "CMAKE_PREFIX_PATH")


def blocks_of(lines):
    """(line of the fence, word, argument, lines) of each fenced block."""
    fence = None
    for number, line in enumerate(lines, 1):
        found = re.match(r"( *)```(.*)$", line)
        if not found:
            continue
        if fence is None:
            words = found[2].split()
            fence, indent, word, argument = number, len(found[1]), (words + [""])[0], " ".join(words[1:])
        else:
            yield fence, word, argument, [inner[indent:] for inner in lines[fence:number - 1]]
            fence = None
    if fence is not None:
        raise SystemExit(f"line {fence}: this block does not end")


def script_of(blocks, count, written):
    """The page as a script: each command on the line that it has in the page, and a mark before each block."""
    script = [""] * (count + 1)
    script[0] = f"set -E; trap 'printf \"\\n{MARK}failed %s %s\\n\" \"$LINENO\" \"$BASH_COMMAND\"' ERR; exec 2>&1"
    runs = 0
    for number, word, argument, body in blocks:
        if word == "sh" and argument != "not-run":
            script[number - 1] += f"; printf '\\n{MARK}block {number}\\n'"
            script[number:number + len(body)] = body
            runs += 1
        elif word not in ("sh", "text") and argument:
            if argument.startswith("/") or ".." in argument.split("/"):
                raise SystemExit(f"line {number}: {argument} is not below the page's folder")
            os.makedirs(written, exist_ok=True)
            with open(os.path.join(written, str(number)), "w") as file:
                file.write("".join(line + "\n" for line in body))
            script[number - 1] += f"; install -D -m 644 '{written}/{number}' '{argument}'"
        elif not word:
            raise SystemExit(f"line {number}: a block without a word: sh, text or a language")
    if not runs:
        raise SystemExit("no block of this page is run")
    return "\n".join(line.removeprefix("; ") for line in script) + "\n"


def printed_of(output):
    """What each block printed, by the line of its fence, and where a command failed."""
    printed, block, failed = {}, None, None
    for line in output.split("\n"):
        if line.startswith(MARK + "block "):
            block = int(line.split()[1])
            printed[block] = []
        elif line.startswith(MARK + "failed "):
            failed = failed or line.split(" ", 2)[1:]
        elif block is not None:
            printed[block].append(line.rstrip())
    return printed, failed


def missing_of(expected, printed):
    """The first expected line that was not printed in its place, or None."""
    def same(want, got):
        return re.fullmatch(".*".join(map(re.escape, want.split("..."))), got)

    groups = [[]]
    for line in expected:
        groups.append([]) if line.strip() == "..." else groups[-1].append(line.rstrip())
    at = 0
    for group in filter(None, groups):
        best = 0
        for start in range(at, len(printed)):
            length = 0
            while length < len(group) and start + length < len(printed) and same(group[length], printed[start + length]):
                length += 1
            if length == len(group):
                break
            best = max(best, length)
        else:
            return group[best]
        at = start + length
    return None


def furnish(folder, root, programs, rigproof, whole, beside):
    """What the page finds in its folder."""
    if beside:
        shutil.copytree(beside, folder, dirs_exist_ok=True)
    places = [programs] + [os.path.join(folder, "build/release")] * whole
    for place in places:
        os.makedirs(place)
        os.symlink(os.path.realpath(rigproof), os.path.join(place, "rigproof"))
    trees = [entry for entry in os.listdir(root) if not entry.startswith((".", "build", "out"))] if whole else ["fixtures"]
    for tree in [] if beside else trees:
        path = os.path.join(root, tree)
        (shutil.copytree if os.path.isdir(path) else shutil.copy)(path, os.path.join(folder, tree))


def run(script, folder, root, rigproof, whole, beside):
    """(exit code, output) of the script in its folder."""
    programs = os.path.join(folder, "..", "bin")
    furnish(folder, root, programs, rigproof, whole, beside)
    include = os.path.join(root, "include")
    environment = {"PATH": os.path.realpath(programs) + ":" + os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8",
                   "GIT_AUTHOR_NAME": "reader", "GIT_AUTHOR_EMAIL": "reader@localhost", "GIT_COMMITTER_NAME": "reader",
                   "GIT_COMMITTER_EMAIL": "reader@localhost"}
    environment |= {} if beside else {"C_INCLUDE_PATH": include, "CPLUS_INCLUDE_PATH": include}
    environment |= {name: os.environ[name] for name in KEPT if name in os.environ}
    with tempfile.TemporaryFile("w+", errors="replace") as output:  # a file: what runs on in the background holds up nobody
        child = subprocess.Popen(["bash", "-euo", "pipefail", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                 stdout=output, start_new_session=True)
        try:
            code = child.wait(SECONDS)
        except subprocess.TimeoutExpired:
            code = f"none, stopped after {SECONDS} s"
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        output.seek(0)
        return code, output.read()


def fail(page, line, what, command, expected, printed):
    print(f"{page}:{line}: {what}\n  command:  " + "\n            ".join(command))
    if expected:
        print("  expected: " + "\n            ".join(expected))
    print("  printed:  " + "\n            ".join(printed))


def main():
    root, rigproof, page = map(os.path.abspath, sys.argv[1:4])
    with open(page, encoding="utf-8") as file:
        text = file.read()
    for program in " ".join(re.findall(r"<!-- needs: (.*?) -->", text)).split():
        if not shutil.which(program):
            print(f"{page}: skipped, no {program} here")
            sys.exit(SKIPPED)
    scratch = os.path.realpath(tempfile.mkdtemp(prefix="rigproof-guide-"))
    try:
        folder, script = os.path.join(scratch, "work"), os.path.join(scratch, os.path.basename(page))
        os.mkdir(folder)
        try:
            lines = text.split("\n")
            blocks = list(blocks_of(lines))
            with open(script, "w", encoding="utf-8") as file:
                file.write(script_of(blocks, len(lines), os.path.join(scratch, "files")))
        except SystemExit as error:
            sys.exit(f"{page}: {error}")
        code, output = run(script, folder, root, rigproof, sys.argv[4:] == ["project"],
                           os.path.dirname(page) if sys.argv[4:] == ["copy"] else None)
    finally:
        shutil.rmtree(scratch)

    printed, failed = printed_of(output)
    body = {number: lines for number, _, _, lines in blocks}
    bad, last = 0, None
    for number, word, argument, lines in blocks:
        if word == "sh":
            last = number if argument != "not-run" else 0
        elif word == "text" and argument != "not-run" and last in printed:
            missing = missing_of(lines, printed[last])
            if missing is not None:
                fail(page, number, f"not printed: {missing}", body[last], lines, printed[last])
                bad = 1
        elif word == "text" and argument != "not-run" and last is None:
            print(f"{page}:{number}: no block that is run stands before this text")
            bad = 1
    if code != 0:
        block = max(printed, default=0)
        line, command = failed or (block, "")
        fail(page, line, f"exit code {code}", [command] if command else body.get(block, []), [], printed.get(block, [output]))
        bad = 1
    print(f"{page}: {len(printed)} blocks were run")
    sys.exit(bad)


main()
