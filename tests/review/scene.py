"""A run with failing cases in a scratch folder, and `rigproof review` of it as a person starts it."""
import hashlib
import http.client
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

RIGPROOF, FIXTURES = None, None

# Two that differ in the same words, three without a golden, one that passes, one whose model is not there.
BEFORE = """version: 1
goldens: golden
defaults: {size: [64, 64]}
cases:
  - {name: bend, model: strip.gltf, clip: linear-rotation, times: [0.25, 0.75]}
  - {name: bend-late, model: strip.gltf, clip: linear-rotation, times: [0.75]}
  - {name: still, model: strip.gltf, clip: linear-rotation, times: [0.5]}
"""
AFTER = BEFORE.replace("times: [0.25, 0.75]", "times: [0.25, 0.75], influences: 1").replace("times: [0.75]", "times: [0.75], influences: 1") + """
  - {name: new-a, model: strip.gltf, clip: linear-rotation, times: [0.3]}
  - {name: new-b, model: strip.gltf, clip: linear-rotation, times: [0.4]}
  - {name: new-c, model: strip.gltf, clip: linear-rotation, times: [0.6]}
  - {name: broken, model: broken.gltf}
"""
NAMES = ["bend", "bend-late", "new-a", "new-b", "new-c", "broken"]  # as the session numbers them


def rigproof(*arguments, **options):
    environment = {name: value for name, value in os.environ.items() if name not in ("CI", "GITHUB_ACTIONS")}
    environment.update(options.pop("environment", {}))
    return subprocess.run([RIGPROOF, *arguments], capture_output=True, text=True, env=environment, timeout=60, **options)


def make_run(folder):
    os.makedirs(folder)
    shutil.copytree(os.path.join(FIXTURES, "strip"), folder, dirs_exist_ok=True)
    with open(os.path.join(folder, "broken.gltf"), "w") as file:
        file.write("{")
    for suite, command, code in ((BEFORE, "accept", 0), (AFTER, "check", 1)):
        with open(os.path.join(folder, "suite.yaml"), "w") as file:
            file.write(suite)
        done = rigproof(command, "suite.yaml", cwd=folder)
        if done.returncode != code:
            raise AssertionError("%s gave %d: %s%s" % (command, done.returncode, done.stdout, done.stderr))


def contents(folder):
    """All files below a folder with a hash of each."""
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(path, name), "rb") as file:
                found[os.path.relpath(os.path.join(path, name), folder)] = hashlib.sha256(file.read()).hexdigest()
    return found


class Review:
    """A review that serves its page."""

    def __init__(self, folder, *arguments, hangup=signal.SIG_DFL):
        environment = {name: value for name, value in os.environ.items() if name != "CI"}
        self.process = subprocess.Popen([RIGPROOF, "review", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        stdin=subprocess.DEVNULL, text=True, env=environment,
                                        preexec_fn=lambda: signal.signal(signal.SIGHUP, hangup))
        self.url = self.process.stdout.readline().strip()
        match = re.fullmatch(r"http://(127\.0\.0\.1):(\d+)/([0-9a-f]{32})/", self.url)
        if not match:
            self.process.kill()
            raise AssertionError("no address: " + self.url + self.process.communicate()[1])
        self.port, self.token = int(match[2]), match[3]
        self.host = "127.0.0.1:%d" % self.port

    def ask(self, path="", method="GET", body=None, headers=None, token=None):
        """status, headers, body"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, "/%s/%s" % (self.token if token is None else token, path), body, headers or {})
        answer = connection.getresponse()
        found = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return found

    def act(self, action, body=""):
        status, _, answer = self.ask(action, "POST", body)
        if status != 200:
            raise AssertionError("%s: %d %s" % (action, status, answer))
        return json.loads(answer)

    def end(self, number=signal.SIGTERM):
        """exit code, what it printed after the address, stderr"""
        if self.process.poll() is None and number:
            self.process.send_signal(number)
        out, err = self.process.communicate(timeout=20)
        return self.process.returncode, out, err


class Scene(unittest.TestCase):
    """Each test begins with the goldens and results of one run."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.mkdtemp(prefix="rigproof-review-")
        cls.kept, cls.folder = os.path.join(cls.scratch, "kept"), os.path.join(cls.scratch, "run")
        make_run(cls.kept)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def setUp(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.kept, self.folder, symlinks=True)
        self.goldens = os.path.join(self.folder, "golden")
        self.before = contents(self.goldens)
        self.reviews = []

    def tearDown(self):
        for review in self.reviews:
            if review.process.poll() is None:
                review.end(signal.SIGKILL)
            review.process.stdout.close()
            review.process.stderr.close()

    def review(self, *arguments, **how):
        self.reviews.append(Review(self.folder, *arguments, **how))
        return self.reviews[-1]

    def changed(self):
        """Cases whose golden is not as it was, and "imports"."""
        after = contents(self.goldens)
        return sorted({path.split("/")[0] for path in after.keys() | self.before.keys() if after.get(path) != self.before.get(path)})


def main():
    global RIGPROOF, FIXTURES
    RIGPROOF, FIXTURES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    unittest.main(module="__main__", argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
