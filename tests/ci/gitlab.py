"""Runs jobs of a .gitlab-ci.yml as GitLab's runner does: a script of before_script and script, caches, artifacts, needs."""
import copy
import glob
import os
import re
import shutil
import subprocess
import tempfile

import yaml

from project import files_below, read

PROJECT_ID = "7"


def merged(base, own):
    """`extends`: maps are merged, all else is replaced."""
    result = copy.deepcopy(base)
    for key, value in own.items():
        is_map = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = merged(result[key], value) if is_map else copy.deepcopy(value)
    return result


def resolve(jobs, name):
    job = jobs[name]
    own = {key: value for key, value in job.items() if key != "extends"}
    return merged(resolve(jobs, job["extends"]), own) if "extends" in job else own


def expand(text, variables):
    return re.sub(r"\$(\w+|\{\w+\})", lambda m: variables.get(m[1].strip("{}"), ""), text)


def copy_files(source, target, names):
    for name in names:
        os.makedirs(os.path.dirname(os.path.join(target, name)), exist_ok=True)
        shutil.copy(os.path.join(source, name), os.path.join(target, name))


class GitLab:
    """A pipeline in `project`, whose repository has the .gitlab-ci.yml `text` and what it includes."""

    def __init__(self, project, shell="bash"):
        self.project, self.shell, self.ids = project, shell, 100
        self.caches, self.artifacts = (os.path.join(project.scratch, name) for name in ("caches", "artifacts"))

    def run_pipeline(self, text, lost=()):
        """{name: job}, in the order of the file; `animation 2/3` are the parts of a parallel job."""
        jobs, results = yaml.safe_load(text), {}
        for included in [jobs.pop("include")] if "include" in jobs else []:
            jobs = {**yaml.safe_load(read(self.project.path(included["local"]))), **jobs}
        for name in [name for name in jobs if not name.startswith(".") and name != "variables"]:
            spec = resolve(jobs, name)
            spec["variables"] = {**jobs.get("variables", {}), **spec.get("variables", {})}
            needed = [job for need in spec.get("needs", []) for job in results.values() if job["name"] == need]
            good_so_far = all(job["good"] for job in needed)
            if not good_so_far and spec.get("when") != "always":
                continue
            count = spec.get("parallel")
            for index in range(1, count + 1) if count else [None]:
                label = f"{name} {index}/{count}" if count else name
                gone = label in lost
                results[label] = {"name": name, "good": False, "log": "", "artifacts": None} if gone else self.run_job(name, spec, index, needed)
        return results

    def run_job(self, name, spec, index, needed):
        self.ids += 1
        folder = tempfile.mkdtemp(prefix="job ", dir=self.project.scratch)
        work = os.path.join(folder, "work space")
        shutil.copytree(self.project.folder, work, symlinks=True)
        predefined = {"CI": "true", "GITLAB_CI": "true", "CI_PROJECT_DIR": work, "CI_PROJECT_ID": PROJECT_ID, "CI_JOB_ID": str(self.ids),
                      "CI_JOB_NAME": name, "CI_NODE_TOTAL": str(spec.get("parallel", 1)), "CI_RUNNER_EXECUTABLE_ARCH": "linux/amd64"}
        if index:
            predefined["CI_NODE_INDEX"] = str(index)
        variables = {key: expand(str(value), predefined) for key, value in spec["variables"].items()}
        caches = spec.get("cache") or []
        caches = [(os.path.join(self.caches, expand(cache.get("key", "default"), predefined).replace("/", "-")), cache["paths"])
                  for cache in (caches if isinstance(caches, list) else [caches])]
        for kept, _ in caches:
            if os.path.isdir(kept):
                shutil.copytree(kept, work, dirs_exist_ok=True)
        for job in needed:
            if job["artifacts"]:
                shutil.copytree(job["artifacts"], work, dirs_exist_ok=True)
        lines = [*spec.get("before_script", []), *spec["script"]]
        script = "\n".join((["set -eo pipefail"] if self.shell == "bash" else ["set -e"]) + lines) + "\n"
        done = subprocess.run([self.shell], input=script, cwd=work, text=True, timeout=300, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env={**self.project.environment(), **predefined, **variables})
        for kept, paths in caches:
            copy_files(work, kept, [name for name in files_below(work) if name.startswith(tuple(paths))])
        return {"name": name, "id": self.ids, "good": done.returncode == 0, "code": done.returncode, "log": done.stdout,
                **self.collect(spec["artifacts"], work, done.returncode == 0)}

    def collect(self, artifacts, work, good):
        target = os.path.join(self.artifacts, str(self.ids))
        os.makedirs(target)
        for path in artifacts["paths"]:
            assert "$" not in path and path.endswith("/"), "expose_as shows no such path"
            if good or artifacts.get("when") == "always":
                copy_files(work, target, [name for name in files_below(work) if name.startswith(path)])
        reports = sorted({path for pattern in artifacts.get("reports", {}).get("junit", [])
                          for path in glob.glob(os.path.join(work, pattern), recursive=True)})
        return {"artifacts": target, "junit": reports, "work": work}

    def install_glab(self):
        """`glab api projects/ID/jobs/ID/artifacts` for the developer's machine."""
        path = os.path.join(self.project.bin, "glab")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"""#!/bin/bash
set -eu
[ "$1" = api ] && [[ $2 =~ ^projects/{PROJECT_ID}/jobs/([0-9]+)/artifacts$ ]]
cd "{self.artifacts}/${{BASH_REMATCH[1]}}"
python3 -c 'import shutil; shutil.make_archive("'"$OLDPWD"'/made", "zip", ".")'
cat "$OLDPWD/made.zip"
rm "$OLDPWD/made.zip"
""")
        os.chmod(path, 0o755)
