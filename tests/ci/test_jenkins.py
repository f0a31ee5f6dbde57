"""contrib/jenkins/Jenkinsfile as Jenkins would run it."""
import os
import re
import shutil
import unittest
import xml.etree.ElementTree

from jenkins import Jenkins, parse_block, string_of, tokens_of
from project import ROOT, Project, files_below, read

JENKINSFILE = os.path.join(ROOT, "contrib/jenkins/Jenkinsfile")


class Groovy(unittest.TestCase):
    def test_strings(self):
        for source, expected in (("'a\\n${A}'", "a\n${A}"), ('"a ${A} \\${A}"', "a x ${A}"), ("'''it's\n\\\\n'''", "it's\n\\n")):
            self.assertEqual(string_of(source, {"A": "x"}), expected)

    def test_blocks(self):
        sh, stash = parse_block(tokens_of("sh 'a' // {\nstash(name: 'b', includes: \"c\") { d 'e', 'f' }"))
        self.assertEqual((sh.name, sh.words({}), sh.block), ("sh", ["a"], None))
        self.assertEqual((stash.named, stash.block[0].words({})), ({"name": "'b'", "includes": '"c"'}, ["e", "f"]))


class Builds(unittest.TestCase):
    def setUp(self):
        self.project = Project()
        self.jenkins = Jenkins(self.project)

    def tearDown(self):
        self.project.remove()

    def run_build(self, lost=(), **parameters):
        return self.jenkins.run(JENKINSFILE, parameters, lost)

    def accept_as_told(self):
        command = re.search(r"curl .* && rigproof accept --from ci\.zip(?= --filter)", self.jenkins.log)
        self.assertTrue(command, self.jenkins.log)
        self.jenkins.install_curl()
        return self.project.run("bash", "-euc", command[0])

    def failures(self):
        return [case.get("name") for case in xml.etree.ElementTree.fromstring(self.jenkins.junit).iter("testcase") if len(case)]

    def test_green_then_red_then_accepted(self):
        build = self.run_build()
        self.assertTrue(build.good, build.log)
        self.assertIn("3 cases, all good", build.log)
        self.assertEqual(self.failures(), [])
        self.assertIn("rigproof-report/report.html", files_below(build.archive))
        self.project.change_model()
        build = self.run_build()
        self.assertFalse(build.good)
        self.assertEqual(self.failures(), ["strip", "look"])
        self.assertGreaterEqual(read(build.archive + "/rigproof-report/report.html").count("iVBOR"), 4)
        self.assertIn("accepted 2 cases", self.accept_as_told())
        self.assertTrue(self.run_build().good)

    def test_a_shard_that_never_came(self):
        build = self.run_build(lost=("2",))
        self.assertFalse(build.good)
        self.assertIn("shard 2 of 3 is missing", build.log)
        self.assertEqual(self.failures()[0], "shard 2 of 3")
        self.assertTrue(self.failures()[1:])  # the cases that it was to run
        build = self.run_build(lost=("1", "2", "3"))
        self.assertFalse(build.good)
        self.assertIn("no shard has left results", build.log)

    def test_what_cannot_run(self):
        build = self.run_build(RIGPROOF_SUITE="no such.yaml")
        self.assertFalse(build.good)
        self.assertIn("error: cannot open no such.yaml", build.log)
        self.assertEqual(files_below(build.archive), [])

    def test_missing_and_drift(self):
        shutil.rmtree(self.project.path("goldens/twins"))
        self.assertFalse(self.run_build().good)
        self.assertEqual(self.failures(), ["twins"])
        self.assertIn("accepted 1 case", self.accept_as_told())
        self.project.change_look()
        self.assertTrue(self.run_build().good)
        self.assertFalse(self.run_build(RIGPROOF_OPTIONS="--strict --timeout 60").good)

    def test_variables_are_no_script(self):
        bad = '$(touch pwned)`touch pwned`"; touch pwned; "'
        shutil.copy(self.project.path("animation.yaml"), self.project.path("an 'odd' & name*.yaml"))
        build = self.run_build(RIGPROOF_SUITE="an 'odd' & name*.yaml", RIGPROOF_OPTIONS="--filter *")
        self.assertTrue(build.good, build.log)
        for name in "RIGPROOF_SUITE", "RIGPROOF_OPTIONS", "SHARDS":
            self.assertFalse(self.run_build(**{name: bad}).good)
        self.assertFalse([name for name in files_below(self.project.scratch) if name.endswith("pwned")])


if __name__ == "__main__":
    unittest.main()
