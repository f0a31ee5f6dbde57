"""Runs workflows and composite actions as GitHub's runner does: their shell for real, other actions as stand-ins."""
import fnmatch
import glob
import hashlib
import itertools
import os
import re
import shutil
import subprocess
import tempfile

import yaml

from expressions import fill, holds, show
from project import ROOT, files_below, read

RUN_ID = "4711"
ACTION = os.path.join(ROOT, "action.yml")


def parse_command_file(text):
    """GITHUB_OUTPUT and GITHUB_ENV: NAME=VALUE, and NAME<<END lines END."""
    values, lines = {}, iter(text.splitlines())
    for line in lines:
        many = re.match(r"^([^=]+?)<<(.+)$", line)
        if many:
            values[many[1]] = "\n".join(itertools.takewhile(lambda l, end=many[2]: l != end, lines))
        else:
            name, value = line.split("=", 1)
            values[name] = value
    return values


class Status:
    """Of the steps so far, for success() and failure()."""

    def __init__(self):
        self.failed = False

    def functions(self, job):
        return {"always": lambda: True, "success": lambda: not self.failed, "failure": lambda: self.failed,
                "cancelled": lambda: False, "hashFiles": job.hash_files}


class Job:
    """A fresh machine: workspace, temporary folder, log, summary."""

    def __init__(self, hub, event_env=None, action_folder=ROOT):
        self.hub, self.action_folder = hub, action_folder
        self.folder = tempfile.mkdtemp(prefix="job ", dir=hub.project.scratch)
        self.workspace, self.temp = (os.path.join(self.folder, name) for name in ("work space", "_temp"))
        os.makedirs(self.workspace)
        os.makedirs(self.temp)
        self.env, self.path, self.log, self.summary, self.outputs = dict(event_env or {}), [], "", "", {}
        self.status = Status()
        self.contexts = {
            "github": {"run_id": RUN_ID, "sha": self.hub.sha, "action_repository": "", "action_ref": "", "repository": "team/game",
                       "token": "the-token", "event": hub.event},
            "runner": {"os": "Linux", "temp": self.temp}, "env": self.env, "matrix": {}, "strategy": {}, "needs": {},
            "steps": {}, "inputs": {}}

    def hash_files(self, *patterns):
        found = sorted({path for pattern in patterns if pattern
                        for path in glob.glob(os.path.join(self.workspace, pattern), recursive=True) if os.path.isfile(path)})
        if not found:
            return ""
        return hashlib.sha256("".join(hashlib.sha256(read(path).encode()).hexdigest() for path in found).encode()).hexdigest()

    # ---- steps

    def run_steps(self, steps, contexts, status):
        for step in steps:
            functions = status.functions(self)
            if not holds(step.get("if", "success()"), contexts, functions):
                continue
            filled = {key: {name: fill(show(value), contexts, functions) for name, value in step.get(key, {}).items()}
                      for key in ("env", "with")}
            if "uses" in step:
                good, outputs = self.use(step["uses"], filled["with"], filled["env"])
            else:
                good, outputs = self.run_shell(fill(step["run"], contexts, functions), step, filled["env"], contexts)
            if "id" in step:
                contexts["steps"][step["id"]] = {"outputs": outputs, "outcome": "success" if good else "failure"}
            if not good and step.get("continue-on-error") is not True:
                status.failed = True

    def run_shell(self, script, step, env, contexts):
        names = ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")
        files = {name: os.path.join(self.temp, name.lower()) for name in names}
        for path in files.values():
            open(path, "w").close()
        script_file = os.path.join(self.temp, "step.sh")
        with open(script_file, "w", encoding="utf-8") as file:
            file.write(script)
        environment = {
            **self.hub.project.environment(*reversed(self.path)), "CI": "true", "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": self.workspace, "GITHUB_RUN_ID": RUN_ID, "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_REPOSITORY": "team/game", "GITHUB_SERVER_URL": self.hub.server, "GITHUB_API_URL": self.hub.api, "RUNNER_TEMP": self.temp, "RUNNER_OS": "Linux",
            "GITHUB_ACTION_PATH": contexts.get("action_path", ""), **files, **self.env, **env}
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail"] if step.get("shell") == "bash" else ["bash", "-e"]
        done = subprocess.run([*shell, script_file], cwd=self.workspace, env=environment, text=True, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.log += done.stdout
        self.env.update(parse_command_file(read(files["GITHUB_ENV"])))
        self.path += read(files["GITHUB_PATH"]).split("\n")[:-1]
        self.summary += read(files["GITHUB_STEP_SUMMARY"])
        return done.returncode == 0, parse_command_file(read(files["GITHUB_OUTPUT"]))

    def use(self, uses, given, env):
        name = uses.split("@")[0]
        self.hub.used.append(name)
        if name.endswith("/rigproof"):
            return self.run_action(given, repository=name, ref=uses.split("@")[1], env=env)
        return self.hub.stand_ins[name](self, given)

    def run_action(self, given, repository="", ref="", env=None):
        action = yaml.safe_load(read(ACTION))
        unknown = set(given) - set(action["inputs"])
        assert not unknown, f"no such inputs: {unknown}"
        contexts = {**self.contexts, "steps": {}, "action_path": self.action_folder,
                    "inputs": {name: given.get(name, show(spec.get("default"))) for name, spec in action["inputs"].items()},
                    "github": {**self.contexts["github"], "action_repository": repository, "action_ref": ref}}
        del contexts["matrix"], contexts["strategy"], contexts["needs"]  # an action does not see these
        status = Status()
        self.env.update(env or {})
        self.run_steps(action["runs"]["steps"], contexts, status)
        functions = status.functions(self)
        self.outputs = {name: fill(spec["value"], contexts, functions) for name, spec in action["outputs"].items()}
        return not status.failed, self.outputs

    def annotations(self, kind="error"):
        return [line for line in self.log.splitlines() if line.startswith(f"::{kind} ")]


class GitHub:
    """The service: caches and artifacts of all jobs of a run."""

    def __init__(self, project, server="https://github.invalid", caches=None):
        self.project, self.server, self.used, self.api = project, server, [], "https://api.invalid"
        self.event = {}  # what started the run
        self.sha = "0" * 40
        self.artifacts = os.path.join(project.scratch, "artifacts")
        self.caches = caches or os.path.join(project.scratch, "caches")
        os.makedirs(self.artifacts, exist_ok=True)
        os.makedirs(self.caches, exist_ok=True)
        self.stand_ins = {
            "actions/checkout": self.checkout, "actions/cache/restore": self.restore, "actions/cache/save": self.save,
            "actions/upload-artifact": self.upload, "actions/download-artifact": self.download}

    # ---- a workflow: jobs in the order of their `needs`, a machine for each entry of a matrix

    def run_workflow(self, text, lost=()):
        """All jobs by name ("check 2" in a matrix); `lost` machines vanish before their first step."""
        workflow, jobs, results = yaml.safe_load(text), {}, {}
        for name, spec in workflow["jobs"].items():
            needs = [spec["needs"]] if isinstance(spec.get("needs"), str) else spec.get("needs", [])
            assert all(need in results for need in needs), f"{name} is before what it needs"
            status = Status()
            status.failed = not all(results[need] for need in needs)
            axes = spec.get("strategy", {}).get("matrix", {})
            entries = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]
            results[name] = True
            for index, entry in enumerate(entries):
                label = " ".join([name, *map(str, entry.values())])
                job = Job(self)
                functions = status.functions(job)
                job.contexts["matrix"] = {key: float(value) if isinstance(value, int) else value for key, value in entry.items()}
                job.contexts["strategy"] = {"job-index": float(index), "job-total": float(len(entries))}
                job.contexts["needs"] = {need: {"result": "success" if results[need] else "failure"} for need in needs}
                if label in lost:
                    results[name] = False
                    continue
                if not holds(spec.get("if", "success()"), {key: job.contexts[key] for key in ("github", "needs")}, functions):
                    continue
                jobs[label] = job
                job.run_steps(spec["steps"], job.contexts, job.status)
                results[name] = results[name] and not job.status.failed
        return jobs

    # ---- other actions

    def checkout(self, job, given):
        shutil.copytree(self.project.folder, job.workspace, symlinks=True, dirs_exist_ok=True)
        return True, {}

    def cache_folder(self, key):
        return os.path.join(self.caches, key.replace("/", "%"))

    def restore(self, job, given):
        prefixes = [given["key"], *given.get("restore-keys", "").split()]
        outputs = {"cache-primary-key": given["key"]}
        for prefix in prefixes:
            for key in sorted(os.listdir(self.caches)):
                if key == prefix.replace("/", "%") or (prefix != given["key"] and key.startswith(prefix.replace("/", "%"))):
                    if given.get("lookup-only") != "true":
                        shutil.copytree(os.path.join(self.caches, key), given["path"], dirs_exist_ok=True)
                    return True, {**outputs, "cache-hit": show(prefix == given["key"])}
        return True, outputs

    def save(self, job, given):
        shutil.copytree(given["path"], self.cache_folder(given["key"]))
        return True, {}

    def upload(self, job, given):
        """Hidden files stay behind; NTFS must have every name."""
        source = os.path.join(job.workspace, given["path"])
        names = [name for name in files_below(source) if not any(part.startswith(".") for part in name.split("/"))]
        bad = [name for name in names + [given["name"]] if re.search(r'[":<>|*?\r\n]', name)]
        assert not bad and "/" not in given["name"], f"upload-artifact refuses {bad or given['name']}"
        assert names, "upload-artifact warns: nothing to upload"
        target = os.path.join(self.artifacts, given["name"])
        assert not os.path.exists(target) or given.get("overwrite") == "true", "the artifact exists"
        shutil.rmtree(target, ignore_errors=True)
        for name in names:
            os.makedirs(os.path.dirname(os.path.join(target, name)), exist_ok=True)
            shutil.copy(os.path.join(source, name), os.path.join(target, name))
        return True, {"artifact-url": f"{self.server}/team/game/actions/runs/{RUN_ID}/artifacts/1"}

    def download(self, job, given):
        """By a pattern: each into a folder of its name. One that alone matches, too."""
        for name in fnmatch.filter(os.listdir(self.artifacts), given["pattern"]):
            shutil.copytree(os.path.join(self.artifacts, name), os.path.join(job.workspace, given["path"], name))
        return True, {}

    def install_gh(self):
        """`gh run download` for the developer's machine."""
        path = os.path.join(self.project.bin, "gh")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"""#!/bin/bash
set -eu
[ "$1 $2 $3" = "run download {RUN_ID}" ]
shift 3
[ "$3" = -D ]
cd "{self.artifacts}"
into=$OLDPWD/$4
case $1 in
-n) mkdir -p "$into" && cp -r "$2/." "$into" ;;
-p) mkdir -p "$into" && cp -r $2 "$into" ;;
*) exit 1 ;;
esac
""")
        os.chmod(path, 0o755)
