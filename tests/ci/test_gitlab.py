"""contrib/gitlab as GitLab's runner would run it."""
import os
import re
import shutil
import unittest
import xml.etree.ElementTree

from gitlab import GitLab
from project import ROOT, Project, files_below, read, write

TEMPLATE = os.path.join(ROOT, "contrib/gitlab/rigproof.gitlab-ci.yml")
GUIDE = read(os.path.join(ROOT, "docs/guides/ci.md"))
SHARDED = re.search(r"^```yaml \.gitlab-ci\.yml\n(.*?)^```$", GUIDE, re.S | re.M)[1]
WHOLE = re.sub(r"^  parallel:.*\n|^animation report:\n(  .*\n)+", "", SHARDED, flags=re.M)


class Pipelines(unittest.TestCase):
    def setUp(self):
        self.project = Project()
        os.makedirs(self.project.path("ci"))
        shutil.copy(TEMPLATE, self.project.path("ci"))
        write(self.project.path("ci/rigproof.deb"), "a package")
        write(self.project.bin + "/apt-get", "#!/bin/sh\necho \"apt-get $*\"\n", 0o755)  # says what it was asked for
        self.gitlab = GitLab(self.project)
        self.gitlab.install_glab()

    def tearDown(self):
        self.project.remove()

    def accept_as_told(self, text):
        command = re.search(r"glab api .* && rigproof accept --from ci\.zip\b.*", text)
        self.assertTrue(command, f"no command in:\n{text}")
        return self.project.run("bash", "-euc", command[0])

    def test_green_then_red_then_accepted(self):
        job = self.gitlab.run_pipeline(WHOLE)["animation"]
        self.assertTrue(job["good"], job["log"])
        self.assertIn("3 cases, all good", job["log"])
        self.assertEqual(len(job["junit"]), 1)
        self.assertLessEqual({f"rigproof-report/{name}" for name in ("report.html", "results.json")}, set(files_below(job["artifacts"])))
        self.assertEqual(set(files_below(self.gitlab.caches)), set())

        self.project.change_model()
        job = self.gitlab.run_pipeline(WHOLE)["animation"]
        self.assertEqual(job["code"], 1)
        failures = [node.get("name") for node in xml.etree.ElementTree.parse(job["junit"][0]).iter("testcase") if len(node)]
        self.assertEqual(failures, ["strip", "look"])
        self.assertIn("accepted 1 case", self.accept_as_told(job["log"]))  # of the first case
        self.assertIn("accepted 1 case", self.accept_as_told(re.sub(r"--filter \w+", "", job["log"])))
        self.assertTrue(self.gitlab.run_pipeline(WHOLE)["animation"]["good"])

    def test_verdicts_are_remembered(self):
        asked = WHOLE.replace("RIGPROOF_SUITE:", "RIGPROOF_REMEMBER: 'true', RIGPROOF_CACHE_KEY: 'the key of this project', RIGPROOF_SUITE:")
        self.assertNotEqual(asked, WHOLE)
        self.assertNotIn("remembered", self.gitlab.run_pipeline(asked)["animation"]["log"])
        self.assertIn("3 cases, all good, 3 remembered", self.gitlab.run_pipeline(asked)["animation"]["log"])
        self.assertNotIn("remembered", self.gitlab.run_pipeline(WHOLE)["animation"]["log"])
        self.assertNotIn("remembered", self.gitlab.run_pipeline(asked.replace("of this", "of that"))["animation"]["log"])
        without = self.gitlab.run_pipeline(asked.replace("RIGPROOF_CACHE_KEY: 'the key of this project', ", ""))["animation"]
        self.assertEqual(without["code"], 2)
        self.assertIn("needs RIGPROOF_CACHE_KEY", without["log"])

    def test_shards(self):
        jobs = self.gitlab.run_pipeline(SHARDED)
        self.assertEqual(list(jobs), ["animation 1/3", "animation 2/3", "animation 3/3", "animation report"])
        self.assertTrue(jobs["animation report"]["good"], jobs["animation report"]["log"])
        self.assertEqual(jobs["animation report"]["junit"], [])  # the shards' are shown already
        self.assertEqual([len(jobs[f"animation {i}/3"]["junit"]) for i in (1, 2, 3)], [1, 1, 1])

        self.project.change_model()
        jobs = self.gitlab.run_pipeline(SHARDED)
        report = jobs["animation report"]
        self.assertEqual([job["code"] for job in jobs.values()].count(1), 3)
        self.assertGreaterEqual(read(report["artifacts"] + "/rigproof-report/report.html").count("iVBOR"), 4)
        self.assertIn(f"jobs/{report['id']}/artifacts", report["log"])
        self.assertIn("accepted 2 cases", self.accept_as_told(re.sub(r"--filter \w+", "", report["log"])))
        self.assertTrue(all(job["good"] for job in self.gitlab.run_pipeline(SHARDED).values()))

    def test_a_shard_that_never_came(self):
        report = self.gitlab.run_pipeline(SHARDED, lost=("animation 2/3",))["animation report"]
        self.assertEqual(report["code"], 1)
        self.assertIn("shard 2 of 3 is missing", report["log"])
        report = self.gitlab.run_pipeline(SHARDED, lost=[f"animation {i}/3" for i in (1, 2, 3)])["animation report"]
        self.assertEqual(report["code"], 2)
        self.assertIn("no shard has left results", report["log"])

    def run_with(self, **variables):
        lines = "".join(f"    {name}: {value!r}\n" for name, value in variables.items())
        return self.gitlab.run_pipeline(
            "include: {local: ci/rigproof.gitlab-ci.yml}\nanimation:\n  extends: .rigproof\n  variables:\n" + lines)["animation"]

    def test_what_cannot_run(self):
        job = self.run_with(RIGPROOF_SUITE="no such.yaml")
        self.assertEqual(job["code"], 2)
        self.assertIn("error: cannot open no such.yaml", job["log"])
        self.assertEqual(self.run_with(RIGPROOF_OPTIONS="--strict")["code"], 2)  # no suite

    def test_missing_and_drift(self):
        shutil.rmtree(self.project.path("goldens/twins"))
        job = self.run_with(RIGPROOF_SUITE="animation.yaml")
        self.assertEqual(job["code"], 1)
        self.accept_as_told(job["log"])
        self.project.change_look()
        self.assertEqual(self.run_with(RIGPROOF_SUITE="animation.yaml")["code"], 0)
        self.assertEqual(self.run_with(RIGPROOF_SUITE="animation.yaml", RIGPROOF_OPTIONS="--strict --timeout 60")["code"], 1)

    def test_variables_are_no_script(self):
        bad = '$(touch pwned)`touch pwned`"; touch pwned; "'
        shutil.copy(self.project.path("animation.yaml"), self.project.path("an 'odd' & name*.yaml"))
        for shell in "bash", "dash":
            self.gitlab.shell = shell
            job = self.run_with(RIGPROOF_SUITE="an 'odd' & name*.yaml", RIGPROOF_OPTIONS="--filter *")
            self.assertTrue(job["good"], job["log"])
            for name in "RIGPROOF_SUITE", "RIGPROOF_OPTIONS", "RIGPROOF_PACKAGE", "RIGPROOF_SHA256":
                job = self.run_with(**{"RIGPROOF_SUITE": "animation.yaml", name: bad.replace("$(", "$$(")})
                self.assertNotIn("pwned", files_below(job["work"]))

    def test_package(self):
        job = self.run_with(RIGPROOF_SUITE="animation.yaml", RIGPROOF_PACKAGE="ci/rigproof.deb")
        self.assertRegex(job["log"], r"apt-get install .*/rigproof\.deb\n")
        self.assertTrue(job["good"], job["log"])
        job = self.run_with(RIGPROOF_SUITE="animation.yaml", RIGPROOF_PACKAGE="ci/rigproof.deb", RIGPROOF_SHA256="0" * 64)
        self.assertFalse(job["good"])
        self.assertNotIn("apt-get install", job["log"])
        job = self.run_with(RIGPROOF_SUITE="animation.yaml", RIGPROOF_PACKAGE="https://a.invalid/r.deb")
        self.assertIn("needs RIGPROOF_SHA256", job["log"])


if __name__ == "__main__":
    unittest.main()
