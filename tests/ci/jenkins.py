"""Runs a declarative Jenkinsfile as Jenkins does: its sh steps by `sh -xe`, stages, a matrix, post, stashes, the archive."""
import os
import re
import shutil
import subprocess
import tempfile

from project import files_below, read

TOKEN = re.compile(r"""\s+|//[^\n]*|(?P<text>'''(?:\\.|[^\\])*?'''|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|"""
                   r"""(?P<name>\w+)|(?P<sign>[{}()\[\],:=])""", re.S)
ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"', "$": "$"}


class Failed(Exception):
    pass


def tokens_of(source):
    at, tokens = 0, []
    while at < len(source):
        match = TOKEN.match(source, at)
        if not match:
            raise ValueError(f"not Groovy that is known here: {source[at:at + 60]!r}")
        if match.lastgroup:
            tokens.append((match.lastgroup, match.group(match.lastgroup)))
        at = match.end()
    return tokens


def string_of(token, env):
    """Only "..." fills in ${NAME}; both have escapes, of which Groovy knows few."""
    size = 3 if token.startswith("'''") else 1
    filled = r"|\$\{(\w+)\}" if token[0] == '"' else "|((?!))"
    return re.sub(r"\\(.)" + filled, lambda m: ESCAPES[m[1]] if m[1] else env[m[2]], token[size:-size], flags=re.S)


class Statement:
    """NAME, its arguments (words with a name or without) and its block (a list of statements; None)."""

    def __init__(self, name):
        self.name, self.arguments, self.named, self.block = name, [], {}, None

    def all(self, name):
        return [statement for statement in self.block if statement.name == name]

    def one(self, name):
        found = self.all(name)
        return found[0] if found else None

    def words(self, env):
        return [string_of(token, env) for token in self.arguments]


def parse_block(tokens):
    """Statements up to the closing brace."""
    statements = []
    while tokens and tokens[0] != ("sign", "}"):
        kind, name = tokens.pop(0)
        assert kind == "name", f"{name} begins no statement"
        statement = Statement(name)
        statements.append(statement)
        inside = 0
        while tokens:
            kind, word = tokens[0]
            if (kind, word) in (("sign", "("), ("sign", ")"), ("sign", ","), ("sign", "=")):
                inside += {"(": 1, ")": -1}.get(word, 0)
            elif kind == "text":
                statement.arguments.append(word)
            elif kind == "name" and tokens[1] == ("sign", ":"):
                statement.named[word] = tokens[2][1]
                del tokens[:2]
            elif kind == "name" and not inside and not statement.arguments and not statement.named and name == "agent":
                statement.arguments.append(f"'{word}'")  # agent none
            else:
                break
            tokens.pop(0)
        if tokens and tokens[0] == ("sign", "{"):
            tokens.pop(0)
            statement.block = parse_block(tokens)
            assert tokens.pop(0) == ("sign", "}")
    return statements


def ant_glob(pattern, names):
    return [name for name in names if re.fullmatch(re.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*"), name)]


class Jenkins:
    def __init__(self, project):
        self.project, self.stashes, self.build = project, {}, 11
        self.archive = os.path.join(project.scratch, "archive")

    def run(self, path, parameters=None, lost=()):
        """All of a build; `lost` are values of the matrix's axis whose agents vanish."""
        pipeline = parse_block(tokens_of(read(path)))[0]
        assert pipeline.name == "pipeline"
        for required in ("agent", "stages"):
            assert pipeline.one(required), f"a declarative pipeline has {required}"
        self.good, self.log, self.junit, self.stashes, self.lost = True, "", None, {}, lost
        self.build += 1
        shutil.rmtree(self.archive, ignore_errors=True)
        env = {"BUILD_URL": f"https://jenkins.invalid/job/game/{self.build}/", "BUILD_NUMBER": str(self.build),
               "JENKINS_URL": "https://jenkins.invalid/", "JOB_NAME": "game", "CI": "true"}
        for statement in pipeline.one("environment").block:
            env[statement.name] = string_of(statement.arguments[0], env)
        env.update(parameters or {})
        for stage in pipeline.one("stages").all("stage"):
            self.run_stage(stage, env)
        self.run_post(pipeline, env, None)
        return self

    def run_stage(self, stage, env):
        matrix = stage.one("matrix")
        assert matrix and matrix.one("agent"), "only a matrix is known here"
        axis = matrix.one("axes").one("axis")
        name = axis.one("name").words(env)[0]
        values = axis.one("values").words(env)
        for value in values:
            cell = {**env, name: value}
            work = self.workspace(checkout=True)
            for inner in matrix.one("stages").all("stage"):
                try:
                    if value in self.lost:
                        raise Failed("the agent went away")
                    self.run_steps(inner.one("steps").block, cell, work)
                except Failed:
                    self.good = False
                if value not in self.lost:
                    self.run_post(inner, cell, work)

    def run_post(self, owner, env, work):
        post = owner.one("post")
        for condition in post.block if post else []:
            assert condition.name == "always"
            try:
                self.run_steps(condition.block, env, work)
            except Failed:
                self.good = False

    def workspace(self, checkout):
        work = os.path.join(tempfile.mkdtemp(prefix="agent ", dir=self.project.scratch), "workspace@2")
        if checkout:
            shutil.copytree(self.project.folder, work, symlinks=True)
        else:
            os.makedirs(work)
        return work

    def run_steps(self, steps, env, work):
        for step in steps:
            getattr(self, "step_" + step.name)(step, env, work)

    # ---- steps

    def step_node(self, step, env, _work):
        self.run_steps(step.block, env, self.workspace(checkout=False))

    def step_sh(self, step, env, work):
        script = os.path.join(os.path.dirname(work), "script.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write(step.words(env)[0])
        done = subprocess.run(["dash", "-xe", script], cwd=work, text=True, timeout=300, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env={**self.project.environment(), **env, "WORKSPACE": work})
        self.log += done.stdout
        if done.returncode:
            raise Failed(f"script returned exit code {done.returncode}")

    def step_catchError(self, step, env, work):
        try:
            self.run_steps(step.block, env, work)
        except Failed as error:
            self.log += f"{string_of(step.named['message'], env)}: {error}\n"
            self.good = False

    def step_stash(self, step, env, work):
        names = ant_glob(string_of(step.named["includes"], env), files_below(work))
        self.stashes[string_of(step.named["name"], env)] = {name: open_bytes(os.path.join(work, name)) for name in names}

    def step_unstash(self, step, env, work):
        name = step.words(env)[0]
        if name not in self.stashes:
            raise Failed(f"No such saved stash '{name}'")
        write_all(work, self.stashes[name])

    def step_junit(self, step, env, work):
        path = os.path.join(work, string_of(step.named["testResults"], env))
        self.junit = read(path) if os.path.exists(path) else None

    def step_archiveArtifacts(self, step, env, work):
        names = ant_glob(string_of(step.named["artifacts"], env), files_below(work))
        write_all(self.archive, {name: open_bytes(os.path.join(work, name)) for name in names})

    def install_curl(self):
        """The developer's curl, which knows the archive as Jenkins serves it: a folder as a ZIP with its name in it."""
        path = os.path.join(self.project.bin, "curl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"""#!/bin/bash
set -eu
[ "$1 $3" = "-fLo --netrc-optional" ]
[ "$4" = 'https://jenkins.invalid/job/game/{self.build}/artifact/rigproof-report/*zip*/ci.zip' ]
out=$PWD/$2
cd '{self.archive}'
python3 -c 'import shutil, sys; shutil.make_archive(sys.argv[1][:-4], "zip", ".", "rigproof-report")' "$out"
""")
        os.chmod(path, 0o755)


def open_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def write_all(folder, files):
    for name, data in files.items():
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
