"""action.yml and the workflows of the guide, run step by step as GitHub's runner would."""
import base64
import html
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from urllib.parse import quote

import yaml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from expressions import Expression, fill, holds
from github import ACTION, RUN_ID, GitHub, Job
from project import RIGPROOF, ROOT, Project, files_below, read, write

GUIDE = read(os.path.join(ROOT, "docs/guides/ci.md"))


WORKFLOW = re.search(r"^```yaml \.github/workflows/animation\.yml\n(.*?)^```$", GUIDE, re.S | re.M)[1]
SHARDED = read(os.path.join(ROOT, "contrib/github/sharded.yml"))


class Expressions(unittest.TestCase):
    def test_values(self):
        contexts = {"inputs": {"a": "X", "empty": ""}, "steps": {}}
        functions = {"always": lambda: True, "success": lambda: False, "hashFiles": lambda *p: "+".join(p)}
        for source, expected in (("inputs.a == 'x'", True), ("inputs.none == ''", True), ("inputs.empty || 'd'", "d"),
                                 ("inputs.a && 'y' || 'n'", "y"), ("!inputs.empty", True), ("hashFiles('a', 'b')", "a+b"),
                                 ("steps.c.outputs.hit != 'true'", True), ("'it''s' == 'it''s' && (1 == 2 || true)", True)):
            self.assertEqual(Expression(source, contexts, functions).value(), expected, source)
        self.assertEqual(fill("${{ inputs.a }}-${{ inputs.none }}", contexts, functions), "X-")
        self.assertTrue(holds("always() && inputs.a == 'X'", contexts, functions))
        self.assertFalse(holds("inputs.a == 'X'", contexts, functions))  # success() is before it
        with self.assertRaises(KeyError):
            fill("${{ secrets.token }}", contexts, functions)


class Structure(unittest.TestCase):
    """The facts of GitHub's metadata syntax."""
    action = yaml.safe_load(read(ACTION))

    def test_required_keys(self):
        for key in ("name", "description", "runs"):
            self.assertTrue(self.action[key])
        self.assertEqual(self.action["runs"]["using"], "composite")
        self.assertLessEqual(set(self.action), {"name", "author", "description", "branding", "inputs", "outputs", "runs"})
        self.assertLessEqual(set(self.action["runs"]), {"using", "steps"})
        for name, spec in self.action["inputs"].items():
            self.assertLessEqual(set(spec), {"description", "default", "required", "deprecationMessage"}, name)
            self.assertIsInstance(spec["default"], str, f"{name}: a default is a string")
        for name, spec in self.action["outputs"].items():
            self.assertEqual(set(spec), {"description", "value"}, name)

    def test_steps(self):
        ids = [step["id"] for step in self.action["runs"]["steps"] if "id" in step]
        self.assertEqual(len(ids), len(set(ids)))
        for step in self.action["runs"]["steps"]:
            self.assertLessEqual(set(step), {"name", "id", "if", "run", "shell", "env", "uses", "with", "continue-on-error",
                                             "working-directory"})
            self.assertTrue(("run" in step) != ("uses" in step))
            if "run" in step:
                self.assertEqual(step["shell"], "bash", "a composite step names its shell")
                self.assertNotIn("${{", step["run"], "what a pull request says must not become part of a script")
            else:
                self.assertRegex(step["uses"], r"^actions/[a-z/-]+@[0-9a-f]{40}$")

    def test_our_workflows(self):
        """Other people's actions by their commits, jobs that end, rights that are named; a release starts nothing but itself."""
        folder = os.path.join(ROOT, ".github/workflows")
        for name in os.listdir(folder):
            workflow = yaml.safe_load(read(os.path.join(folder, name)))
            self.assertEqual(workflow["permissions"], {"contents": "read"}, name)
            for job in workflow["jobs"].values():
                self.assertLessEqual(job["timeout-minutes"], 60, name)
                for step in job["steps"]:
                    if "uses" in step and step["uses"] != "./":
                        self.assertRegex(step["uses"], r"^actions/[a-z/-]+@[0-9a-f]{40}$", name)
            push = workflow[True].get("push")  # YAML's `on`
            self.assertIn(push, (None, {"branches": ["**"]}, {"tags": ["v[0-9]+.[0-9]+.[0-9]+"]}), name)

    def test_version(self):
        script = os.path.join(ROOT, "scripts/version")
        version = subprocess.run([script], check=True, capture_output=True, text=True).stdout.strip()
        self.assertEqual(subprocess.run([script, "v" + version], capture_output=True).returncode, 0)
        wrong = subprocess.run([script, "v" + version + ".1"], capture_output=True, text=True)
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("CMakeLists.txt has " + version, wrong.stderr)

    def test_inputs_are_used_and_declared(self):
        text = read(ACTION)
        used = set(re.findall(r"inputs\.([\w-]+)", text))
        self.assertEqual(used, set(self.action["inputs"]))
        self.assertNotIn("secrets", text)

    def test_workflows(self):
        for text in WORKFLOW, SHARDED, read(os.path.join(ROOT, ".github/workflows/action.yml")):
            given = [step["with"] for job in yaml.safe_load(text)["jobs"].values() for step in job["steps"]
                     if re.fullmatch(r"\./|.*/rigproof@v\d+", step.get("uses", ""))]
            self.assertTrue(given)
            for inputs in given:
                self.assertLessEqual(set(inputs), set(self.action["inputs"]))


class OnGitHub(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.caches = tempfile.mkdtemp()  # of earlier runs, as a repository has them

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.caches)

    def setUp(self):
        self.project = Project()
        self.hub = GitHub(self.project, caches=self.caches)
        self.hub.install_gh()

    def tearDown(self):
        self.project.remove()

    def run_action(self, **given):
        """In a job of its own, after a checkout."""
        job = Job(self.hub)
        self.hub.checkout(job, {})
        job.good, _ = job.run_action({"suite": self.project.suite, **{key.replace("_", "-"): value for key, value in given.items()}})
        return job

    def accept_as_told(self, text):
        """Types the command that a summary or an annotation shows."""
        text = html.unescape(text.replace("%0A", "\n"))
        command = re.search(r"gh run download .* && rigproof accept --from ci\b[^<\n]*", text)
        self.assertTrue(command, f"no command in:\n{text}")
        return self.project.run("bash", "-euc", command[0])


class Api(http.server.BaseHTTPRequestHandler):
    """Of GitHub's interface what the comment needs: git's objects and references, comments of issues."""
    def answer(self, value, status=200):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.end_headers()
        self.wfile.write(data)

    def do_any(self):
        store, parts = self.server.store, self.path.split("?")[0].split("/repos/team/game/")[1]
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "null")
        if self.headers["Authorization"] != "Bearer the-token" or store["refused"]:
            return self.answer({"message": "Resource not accessible by integration"}, 403)
        if self.command == "GET":
            return self.answer([{"id": 5, "body": text} for text in store["comments"]] if parts.startswith("issues/7/")
                               else [{"ref": name} for name in store["refs"]])
        if parts.startswith("git/refs"):
            store["refs"][body.get("ref") or parts.replace("git/", "")] = body["sha"]
        elif parts in ("issues/7/comments", "issues/comments/5"):
            self.server.store["comments"] = [body["body"]]
        else:
            sha = f"{len(store['objects']):040x}"
            store["objects"][sha] = body
            return self.answer({"sha": sha}, 201)
        return self.answer({})

    do_GET = do_POST = do_PATCH = do_any

    def log_message(self, *_):
        pass


@unittest.skipUnless(shutil.which("jq") and shutil.which("curl"), "jq or curl is missing")
class Comments(OnGitHub):
    def setUp(self):
        super().setUp()
        self.server = http.server.HTTPServer(("127.0.0.1", 0), Api)
        self.server.store = {"comments": [], "refs": {}, "objects": {}, "refused": False}
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.hub.api = f"http://127.0.0.1:{self.server.server_port}"
        self.hub.event = {"number": 7.0}

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()
        super().tearDown()

    def test_three_pictures_of_what_fails(self):
        store = self.server.store
        self.assertTrue(self.run_action(comment="true").good)
        self.assertEqual(store["comments"], [], "nothing fails and nobody was told anything")
        self.project.change_model()
        job = self.run_action(comment="true")
        self.assertFalse(job.good)
        self.assertEqual(job.annotations("notice"), [], job.log)
        self.assertIn("<p>2 cases fail.</p>", store["comments"][0])
        self.assertIn("node `tip`", store["comments"][0])
        pictures = re.findall(r'src="https://github\.invalid/team/game/blob/([0-9a-f]{40})/([^?"]*)\?raw=true"', store["comments"][0])
        tree = store["objects"][store["objects"][store["refs"]["refs/rigproof/pull-7-rigproof"]]["tree"]]["tree"]
        self.assertEqual({sha for sha, _ in pictures}, {store["refs"]["refs/rigproof/pull-7-rigproof"]})
        self.assertEqual(sorted(path for _, path in pictures), sorted(quote(entry["path"]) for entry in tree))
        self.assertEqual(len(pictures), 3 * len({path.split("/")[0] for _, path in pictures}))
        for entry in tree:
            self.assertTrue(base64.b64decode(store["objects"][entry["sha"]]["content"]).startswith(b"\x89PNG"))
        # The next run changes what was said.
        self.accept_as_told(job.summary)
        self.assertTrue(self.run_action(comment="true").good)
        self.assertEqual(len(store["comments"]), 1)
        self.assertIn("All cases are good now.", store["comments"][0])

    def test_without_the_right_or_the_wish(self):
        self.project.change_model()
        self.server.store["refused"] = True
        job = self.run_action(comment="true")
        self.assertIn("pull-requests: write", job.annotations("notice")[0])
        self.assertEqual(job.outputs["exit-code"], "1", "the check's own")
        self.server.store["refused"] = False
        self.run_action()
        self.assertEqual(self.server.store["comments"], [])


class Runs(OnGitHub):
    def test_green(self):
        self.hub = GitHub(self.project)
        jobs = self.hub.run_workflow(WORKFLOW)
        job = jobs["check"]
        self.assertFalse(job.status.failed, job.log)
        self.assertEqual(job.annotations(), [])
        self.assertIn("3 cases, all good", job.summary)
        self.assertIn(f"](https://github.invalid/team/game/actions/runs/{RUN_ID}/artifacts/1)", job.summary)
        self.assertNotIn("rigproof accept", job.summary)
        self.assertLessEqual({"report.html", "results.json", "junit.xml"}, set(files_below(self.hub.artifacts + "/rigproof")))
        # What it compiled is there for the next run, and kept once.
        kept = os.listdir(self.hub.caches)
        self.assertEqual(len(kept), 1)
        self.assertRegex(kept[0], r"^rigproof-shaders-\w+-mesa-[\w.]+-rigproof-[\d.]+-Assimp-[\d.]+-+[0-9a-f]{64}$")
        self.assertTrue(files_below(os.path.join(self.hub.caches, kept[0])))
        before = {name.split("/", 1)[1] for name in files_below(self.hub.caches) if not name.endswith(".tmp")}  # Mesa renames those
        self.hub.used.clear()
        job = self.run_action()
        self.assertTrue(job.good, job.log)
        self.assertEqual(job.outputs["failed"], "false")
        self.assertNotIn("actions/cache/save", self.hub.used)
        self.assertLessEqual(before, set(files_below(job.temp + "/rigproof-shaders")))

    def test_verdicts_are_remembered(self):
        first = self.run_action(remember="true")
        self.assertTrue(first.good, first.log)
        self.assertIn("--cache", first.log)
        self.assertNotIn("remembered", first.summary)
        self.hub.sha = "1" * 40  # the next commit goes on from there
        self.assertIn("3 cases, all good, 3 remembered", self.run_action(remember="true").summary)
        self.project.change_model()
        job = self.run_action(remember="true", shard="1/1")  # a shard has its own
        self.assertNotIn("remembered", job.summary)
        self.assertEqual(len([name for name in os.listdir(self.hub.caches) if name.startswith("rigproof-verdicts-")]), 3)
        self.assertNotIn("--cache", self.run_action().log)

    def test_red_pull_request_is_accepted(self):
        self.project.change_model()
        job = self.hub.run_workflow(WORKFLOW)["check"]
        self.assertTrue(job.status.failed)
        errors = job.annotations()
        self.assertEqual(len(errors), 2, job.log)
        self.assertTrue(errors[0].startswith("::error file=animation.yaml,line=5,title=strip%3A fail at import::"), errors[0])
        self.assertIn("node `tip`", errors[0])
        self.assertIn("--from ci --filter strip", errors[0])
        self.assertIn(f"<pre>gh run download {RUN_ID} -n rigproof -D ci &amp;&amp; rigproof accept --from ci</pre>", job.summary)
        # One case by its annotation, the other by the summary.
        self.assertIn("accepted 1 case", self.accept_as_told(errors[0]))
        self.assertIn("accepted 1 case", self.accept_as_told(job.summary))
        shutil.rmtree(self.project.path("ci"))
        job = self.hub.run_workflow(WORKFLOW)["check"]
        self.assertFalse(job.status.failed, job.log)

    def test_outputs_and_upload(self):
        self.project.change_model()
        job = self.run_action(output="my report", artifact="walk cycles", filter="twins\nstrip")
        self.assertFalse(job.good)
        self.assertEqual(job.outputs, {"failed": "true", "exit-code": "1", "report": "my report/report.html",
                                       "artifact-url": f"https://github.invalid/team/game/actions/runs/{RUN_ID}/artifacts/1"})
        self.assertEqual(len(job.annotations()), 1)
        self.assertEqual(os.listdir(self.hub.artifacts), ["walk cycles"])
        self.accept_as_told(job.summary)
        self.assertTrue(self.run_action(upload="failure", artifact="none", filter="strip").good)
        job = self.run_action(upload="never", artifact="none")  # look is red
        self.assertFalse(job.good)
        self.assertNotIn("gh run", job.summary + job.log)
        self.assertEqual(os.listdir(self.hub.artifacts), ["walk cycles"])
        self.assertFalse(self.run_action(upload="failure", artifact="red").good)
        self.assertEqual(sorted(os.listdir(self.hub.artifacts)), ["red", "walk cycles"])

    def test_missing_golden(self):
        shutil.rmtree(self.project.path("goldens/twins"))
        job = self.run_action()
        self.assertFalse(job.good)
        self.assertIn("title=twins%3A missing::", job.annotations()[0])
        self.assertIn("accepted 1 case", self.accept_as_told(job.summary))
        self.assertTrue(self.run_action().good)

    def test_drift_fails_where_strict(self):
        self.project.change_look()
        job = self.run_action()
        self.assertTrue(job.good, job.log)
        self.assertEqual(len(job.annotations("notice")), 1, job.log)
        self.assertFalse(self.run_action(strict="true").good)
        self.assertFalse(self.run_action(arguments="--strict --timeout 60").good)


class Inputs(OnGitHub):
    def test_what_cannot_run(self):
        for given, said in (({"suite": "no such.yaml"}, "cannot open no such.yaml: No such file or directory"),
                            ({"suite": ""}, "which suite"), ({"shard": "auto"}, "shard is I/N"),
                            ({"upload": "sometimes"}, "upload is always"), ({"arguments": "'open"}, "arguments cannot be read"),
                            ({"arguments": "--strikt"}, "unknown option --strikt"), ({"output": "a\nb=c"}, "line break")):
            job = self.run_action(**given)
            self.assertFalse(job.good)
            self.assertEqual((job.outputs["failed"], job.outputs["exit-code"]), ("true", "2"), job.log)
            self.assertEqual(len(job.annotations()), 1, job.log)
            self.assertIn(said, job.annotations()[0])
        self.assertEqual(os.listdir(self.hub.artifacts), [])

    def test_inputs_are_no_script(self):
        bad = "$(touch pwned)`touch pwned`'; touch pwned; \""
        suite = "an $(touch pwned) & 'suite'.yaml"
        shutil.copy(self.project.path(self.project.suite), self.project.path(suite))
        job = self.run_action(suite=suite, filter=f"*\n!{bad}", arguments="--timeout '6'\"0\" --jobs 2", artifact="$(touch pwned)")
        self.assertTrue(job.good, job.log)
        for given in ({"filter": bad}, {"arguments": bad}, {"jobs": bad}, {"shard": bad}, {"output": "o " + bad}, {"version": bad}):
            job = self.run_action(**given)
            self.assertNotIn("pwned", files_below(job.workspace))
        self.project.change_model()
        job = self.run_action(artifact="$(touch pwned)")
        self.accept_as_told(job.summary)
        self.assertFalse([name for name in files_below(self.project.scratch) if name.endswith("/pwned")])


class Shards(OnGitHub):
    def test_shards(self):
        jobs = self.hub.run_workflow(SHARDED)
        self.assertEqual(set(jobs), {"check 1", "check 2", "check 3", "report"})
        self.assertFalse(jobs["report"].status.failed, jobs["report"].log)
        self.assertIn("3 cases, all good", jobs["report"].summary)
        self.assertIn("rigproof", os.listdir(self.hub.artifacts))
        self.assertTrue(all("--balance" not in job.log for job in jobs.values()))

        # From now on the shards are made by what the cases cost, and that is kept once.
        kept = [name for name in os.listdir(self.caches) if name.startswith("rigproof-costs-")]
        self.assertEqual(len(kept), 1)
        jobs = self.hub.run_workflow(SHARDED)
        self.assertEqual(["--balance" in job.log for job in jobs.values()], [True, True, True, False])
        self.assertFalse(jobs["report"].status.failed, jobs["report"].log)
        self.assertIn("3 cases, all good", jobs["report"].summary)

        self.project.change_model()
        jobs = self.hub.run_workflow(SHARDED)
        self.assertEqual(sum(job.status.failed for job in jobs.values()), 3)  # two shards, the report
        job = jobs["report"]
        self.assertEqual(len(job.annotations()), 2, job.log)
        page = read(self.hub.artifacts + "/rigproof/report.html")
        self.assertGreaterEqual(page.count("iVBOR"), 4)  # pictures came along
        self.assertIn("accepted 2 cases", self.accept_as_told(job.summary))
        shutil.rmtree(self.project.path("ci"))
        jobs = self.hub.run_workflow(SHARDED)
        self.assertFalse(jobs["report"].status.failed)

    def test_a_shard_that_never_came(self):
        jobs = self.hub.run_workflow(SHARDED, lost=("check 2",))
        self.assertNotIn("check 2", jobs)
        job = jobs["report"]
        self.assertTrue(job.status.failed)
        self.assertTrue(any("shard 2 of 3" in line and "missing" in line for line in job.annotations()), job.log)
        self.assertIn("shard 2 of 3", job.summary)
        shutil.rmtree(self.hub.artifacts)
        os.makedirs(self.hub.artifacts)
        jobs = self.hub.run_workflow(SHARDED, lost=("check 1", "check 2", "check 3"))
        self.assertIn("no shard has left an artifact", jobs["report"].annotations()[0])


class Installs(unittest.TestCase):
    """On a machine without rigproof: apt-get, curl and sudo are stand-ins that unpack and copy."""

    def setUp(self):
        self.project = Project()
        self.releases = os.path.join(self.project.scratch, "releases")
        self.hub = GitHub(self.project, server="file://" + quote(self.releases))
        self.root = os.path.join(self.project.scratch, "root")
        os.remove(os.path.join(self.project.bin, "rigproof"))
        os.makedirs(self.root + "/usr/bin")
        stand_in = self.project.bin + "/"
        write(stand_in + "sudo", '#!/bin/sh\n[ "$1" = -n ] && shift\nexec "$@"\n', 0o755)
        write(stand_in + "apt-get", f"""#!/bin/sh
case "$*" in *install*) ;; *) exit 0 ;; esac
for file; do :; done
dpkg-deb -x "$file" '{self.root}' && ln -s '{self.root}/usr/bin/rigproof' '{stand_in}rigproof'
""", 0o755)
        self.action_folder = os.path.join(self.project.scratch, "the action")
        shutil.copytree(os.path.join(ROOT, "contrib/github"), self.action_folder + "/contrib/github")
        shutil.copy(os.path.join(ROOT, "CMakeLists.txt"), self.action_folder)
        os.makedirs(self.action_folder + "/scripts")
        shutil.copy(os.path.join(ROOT, "scripts/version"), self.action_folder + "/scripts")

    def tearDown(self):
        self.project.remove()

    def make_package(self, path):
        tree = os.path.join(self.project.scratch, "tree")
        write(tree + "/DEBIAN/control", "Package: rigproof\nVersion: 1\nArchitecture: all\nMaintainer: a <a@b>\nDescription: a\n")
        os.makedirs(tree + "/usr/bin", exist_ok=True)
        if not os.path.lexists(tree + "/usr/bin/rigproof"):
            os.symlink(RIGPROOF, tree + "/usr/bin/rigproof")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        subprocess.run(["dpkg-deb", "-b", tree, path], check=True, stdout=subprocess.DEVNULL)
        return subprocess.run(["sha256sum", path], check=True, capture_output=True, text=True).stdout.split()[0]

    def make_release(self, version, checksum=None):
        facts = dict(line.replace('"', "").split("=", 1) for line in read("/etc/os-release").splitlines() if "=" in line)
        architecture = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout.strip()
        name = f"rigproof_{version}_{facts['ID']}{facts.get('VERSION_ID', '')}_{architecture}.deb"
        folder = f"{self.releases}/team/rigproof/releases/download/v{version}"
        sum_ = self.make_package(f"{folder}/{name}")
        write(f"{folder}/SHA256SUMS", f"{'0' * 64}  rigproof_{version}_other_{architecture}.deb\n{checksum or sum_} *{name}\n")

    def run_action(self, ref="", code=0, **given):
        job = Job(self.hub, action_folder=self.action_folder)
        self.hub.checkout(job, {})
        good, _ = job.run_action({"suite": "animation.yaml", "filter": "twins", **given},
                                 repository="team/rigproof" if ref else "", ref=ref)
        self.assertEqual(good, code == 0, job.log)
        return job

    @property
    def own_version(self):
        return re.search(r"^project\(rigproof VERSION ([\d.]+)", read(os.path.join(ROOT, "CMakeLists.txt")), re.M)[1]

    def test_release(self):
        self.make_release(self.own_version)
        self.run_action(ref="v1")
        self.assertTrue(os.path.lexists(self.root + "/usr/bin/rigproof"))
        self.assertIn("rigproof", self.run_action(ref="v1").log)  # there already: nothing is downloaded

    def test_token(self):
        """It goes to GitHub, and to nobody else."""
        log = os.path.join(self.project.scratch, "curl.log")
        write(self.project.bin + "/curl", f"""#!/bin/sh
printf '%s\\n' "$*" >>'{log}'
exec {shutil.which("curl")} "$@"
""", 0o755)
        self.make_release("7.8.9")
        self.run_action(ref="v1", version="7.8.9")
        asked = read(log).splitlines()
        self.assertEqual(len(asked), 2)
        for line in asked:
            self.assertIn("Authorization: Bearer the-token", line)
        os.remove(log)
        os.remove(os.path.join(self.project.bin, "rigproof"))
        package = os.path.join(self.project.scratch, "elsewhere.deb")
        self.run_action(package="file://" + quote(package), sha256=self.make_package(package))
        self.assertNotIn("the-token", read(log))

    def test_named_version(self):
        self.make_release("7.8.9")
        self.run_action(ref="main", version="v7.8.9")

    def test_wrong_checksum(self):
        self.make_release("7.8.9", checksum="1" * 64)
        job = self.run_action(ref="v1", version="7.8.9", code=1)
        self.assertIn("the package's checksum is not 111", job.annotations()[0])
        self.assertFalse(os.path.lexists(self.root + "/usr/bin/rigproof"))

    def test_no_such_release(self):
        self.assertIn("cannot download", self.run_action(ref="v1", version="9.9.9", code=1).annotations()[0])
        write(f"{self.releases}/team/rigproof/releases/download/v9.9.9/SHA256SUMS", f"{'0' * 64}  rigproof_9.9.9_sarge_m68k.deb\n")
        self.assertIn("release 9.9.9 has no rigproof_9.9.9_", self.run_action(ref="v1", version="9.9.9", code=1).annotations()[0])

    def test_package(self):
        sum_ = self.make_package(self.project.path("tools/rigproof.deb"))
        url = "file://" + quote(self.project.path("tools/rigproof.deb"))
        self.assertIn("checksum", self.run_action(package=url, code=1).annotations()[0])
        self.assertIn("is not 00", self.run_action(package=url, sha256="00", code=1).annotations()[0])
        self.assertIn("there is no package", self.run_action(package="no.deb", code=1).annotations()[0])
        self.run_action(package=url, sha256=sum_.upper())
        os.remove(self.project.bin + "/rigproof")
        self.run_action(package="tools/rigproof.deb")

    def test_build(self):
        write(self.action_folder + "/scripts/setup", "#!/bin/sh\n: >\"$(dirname \"$0\")/was-run\"\n", 0o755)
        write(self.project.bin + "/cmake", f"#!/bin/sh\nmkdir -p build/release && ln -sf '{RIGPROOF}' build/release/rigproof\n", 0o755)
        self.run_action(ref="main")
        self.assertTrue(os.path.exists(self.action_folder + "/scripts/was-run"))


if __name__ == "__main__":
    unittest.main()
