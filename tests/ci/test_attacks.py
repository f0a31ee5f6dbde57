"""A pull request that commits what the templates and the action keep or write: folders of caches, and links in their places.

What each would have won is looked for: a folder of the machine's that was written to, a verdict that nobody computed, native code of
the commit's that Mesa could have run."""
import os
import shutil
import subprocess
import unittest

from github import GitHub, Job
from gitlab import GitLab
from jenkins import Jenkins
from project import ROOT, Project, files_below, read, write
from test_gitlab import TEMPLATE, WHOLE

KEY = "a secret of this project"
OLD = "0123456789abcdef0123456789abcdef"  # the name of an entry that prune() would take for one of its own
REMEMBERS = WHOLE.replace("RIGPROOF_SUITE:", f"RIGPROOF_REMEMBER: 'true', RIGPROOF_CACHE_KEY: '{KEY}', RIGPROOF_SUITE:")
JENKINSFILE = os.path.join(ROOT, "contrib/jenkins/Jenkinsfile")


class Attacks(unittest.TestCase):
    def setUp(self):
        self.project = Project()
        self.victim = os.path.join(self.project.scratch, "of the machine")
        write(self.victim + "/" + OLD, "somebody's")
        os.utime(self.victim + "/" + OLD, (0, 0))
        self.before = self.state()

    def tearDown(self):
        self.project.remove()

    def state(self):
        return [(name, read(os.path.join(self.victim, name))) for name in files_below(self.victim)]

    def assert_untouched(self):
        self.assertEqual(self.state(), self.before)

    def link(self, name):
        os.makedirs(os.path.dirname(self.project.path(name)), exist_ok=True)
        os.symlink(self.victim, self.project.path(name))

    def commit(self):
        """All that is in the project, as a pull request brings it."""
        for command in (["init", "-q"], ["add", "-A", "-f"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--allow-empty", "-qm", "x"]):
            subprocess.run(["git", *command], cwd=self.project.folder, check=True, env=self.project.environment())

    def forge(self, folder):
        """Verdicts with right hashes, which the attacker's own rigproof has written by a key of his."""
        cache = self.project.path(folder)
        self.project.run("rigproof", "check", self.project.suite, "--cache", cache, "-o", self.project.scratch + "/forged",
                         RIGPROOF_CACHE_KEY="the attacker's own key")
        self.assertEqual(len([name for name in os.listdir(cache) if len(name) == 32]), 3)

    def plant(self, folder):
        """Where Mesa would look for compiled shaders."""
        write(self.project.path(folder + "/mesa_shader_cache/index"), "native code")


class OnGitLab(Attacks):
    def setUp(self):
        super().setUp()
        self.gitlab = GitLab(self.project)

    def run_job(self, text=REMEMBERS):
        os.makedirs(self.project.path("ci"), exist_ok=True)
        shutil.copy(TEMPLATE, self.project.path("ci"))
        write(self.project.path("ci/rigproof.deb"), "a package")
        write(self.project.bin + "/apt-get", "#!/bin/sh\n", 0o755)
        self.commit()
        job = self.gitlab.run_pipeline(text)["animation"]
        self.assert_untouched()
        return job

    def test_committed_verdicts(self):
        self.forge(".rigproof-verdicts")
        job = self.run_job()
        self.assertTrue(job["good"], job["log"])
        self.assertNotIn("remembered", job["log"])

    def test_committed_key(self):
        self.forge(".rigproof-verdicts")
        write(self.project.path(".rigproof-verdicts/state/rigproof/cache-key"), "k" * 32, 0o600)
        self.assertNotIn("remembered", self.run_job()["log"])

    def test_committed_link_as_cache(self):
        self.link(".rigproof-verdicts")
        self.assertTrue(self.run_job()["good"])

    def test_links_in_a_committed_cache(self):
        self.link(".rigproof-verdicts/state")
        os.symlink(self.victim + "/" + OLD, self.project.path(".rigproof-verdicts/index"))
        self.run_job()

    def test_committed_shaders(self):
        self.plant(".rigproof-shaders")
        job = self.run_job()
        self.assertTrue(job["good"], job["log"])
        self.assertEqual(files_below(job["work"] + "/.rigproof-shaders"), ["mesa_shader_cache/index"])  # Mesa was not there
        job = self.run_job(REMEMBERS.replace("RIGPROOF_SUITE:", "MESA_SHADER_CACHE_DIR: .rigproof-shaders, RIGPROOF_SUITE:"))
        self.assertEqual(job["code"], 2)
        self.assertIn("git tracks it", job["log"])

    def test_committed_link_as_output(self):
        self.link("rigproof-report")
        job = self.run_job()
        self.assertEqual(job["code"], 2)
        self.assertIn("rigproof-report is a link", job["log"])


class OnGitHub(Attacks):
    def run_job(self, **given):
        self.commit()
        job = Job(GitHub(self.project))
        job.hub.checkout(job, {})
        job.good, _ = job.run_action({"suite": self.project.suite, "remember": "true", **given})
        self.assert_untouched()
        return job

    def test_committed_verdicts(self):
        for folder in "rigproof-verdicts", "_temp/rigproof-verdicts", "cache":
            self.forge(folder)
        job = self.run_job()
        self.assertTrue(job.good, job.log)
        self.assertNotIn("remembered", job.log)

    def test_committed_cache_as_an_argument(self):
        self.forge("cache")
        job = self.run_job(remember="false", arguments="--cache cache")
        self.assertFalse(job.good)
        self.assertIn("git tracks it", job.annotations()[0])

    def test_committed_link_as_cache(self):
        self.link("cache")
        job = self.run_job(remember="false", arguments="--cache cache")
        self.assertFalse(job.good)
        self.assertIn("cache is a link", job.annotations()[0])

    def test_committed_shaders(self):
        for folder in ".cache", "rigproof-shaders", "_temp/rigproof-shaders":
            self.plant(folder)
        job = self.run_job()
        self.assertTrue(job.good, job.log)
        for folder in ".cache", "rigproof-shaders", "_temp/rigproof-shaders":
            self.assertEqual(files_below(os.path.join(job.workspace, folder)), ["mesa_shader_cache/index"])

    def test_committed_link_as_output(self):
        for name in "out", "out/check":
            with self.subTest(name):
                shutil.rmtree(self.project.path("out"), ignore_errors=True)
                self.link(name)
                job = self.run_job()
                self.assertFalse(job.good)
                self.assertIn(f"{name} is a link", job.annotations()[0])
                os.remove(self.project.path(name))

    def test_committed_link_as_merged_output(self):
        self.project.run("rigproof", "check", self.project.suite, "-o", self.project.scratch + "/artifacts/rigproof-shard-1")
        self.link("out")
        job = self.run_job(merge="true", remember="false")
        self.assertFalse(job.good)
        self.assertIn("out is a link", job.log)


class OnJenkins(Attacks):
    def run_build(self, **parameters):
        self.commit()
        build = Jenkins(self.project).run(JENKINSFILE, parameters)
        self.assert_untouched()
        return build

    def test_committed_link_as_output(self):
        self.link("rigproof-report")
        build = self.run_build()  # which begins by removing what has that name
        self.assertTrue(build.good, build.log)

    def test_committed_caches(self):
        self.forge("verdicts")
        self.plant(".cache")
        build = self.run_build(RIGPROOF_OPTIONS="--cache verdicts")
        self.assertFalse(build.good)
        self.assertIn("git tracks it", build.log)
        self.assertTrue(self.run_build().good)


class InScripts(Attacks):
    def test_committed_link_as_output(self):
        for script in "contrib/parallel/check.sh", "contrib/slurm/submit.sh":
            for name in "out", "out/here":
                with self.subTest(f"{script} {name}"):
                    shutil.rmtree(self.project.path("out"), ignore_errors=True)
                    write(self.victim + "/shard-1/results.json", "{}")
                    before = self.state()
                    self.link(name)
                    for tool in "parallel", "sbatch":
                        write(f"{self.project.bin}/{tool}", "#!/bin/sh\ntouch ran\n", 0o755)
                    said = self.project.run("sh", os.path.join(ROOT, script), self.project.suite, "-o", "out/here", code=2)
                    self.assertIn(f"{name} is a link", said)
                    self.assertEqual(self.state(), before)
                    self.assertFalse(os.path.exists(self.project.path("ran")))
                    os.remove(self.project.path(name))


if __name__ == "__main__":
    unittest.main()
