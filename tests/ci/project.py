"""A team's repository with a suite, and the machines on which pipelines check it."""
import json
import os
import shutil
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RIGPROOF = os.environ["RIGPROOF"]
SUITE = """version: 1
goldens: goldens
defaults: {size: [64, 64]}
cases:
  - {name: strip, model: assets/strip.gltf, clip: linear-rotation, times: [0.25, 0.75]}
  - {name: twins, model: assets/twins.gltf, times: [0.2]}
  - {name: look, model: assets/look.gltf, clip: mixed, times: [0.5], shaders: look}
"""
# What a sanitized build and a test's machine need; nothing else of the developer's environment is seen by a pipeline.
HOME = tempfile.TemporaryDirectory(prefix="rigproof home ")  # where Mesa keeps compiled shaders if nobody says where
PASSED_ON = ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS")


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def files_below(folder):
    return sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names)


class Project:
    """The repository `folder`, with accepted goldens; `scratch` is its test's, `bin` what every machine has on its PATH."""

    suite = "animation.yaml"

    def __init__(self):
        self.scratch = tempfile.mkdtemp(prefix="rigproof ci ")
        self.folder = os.path.join(self.scratch, "a project")
        self.bin = os.path.join(self.scratch, "bin")
        os.makedirs(self.bin)
        os.symlink(RIGPROOF, os.path.join(self.bin, "rigproof"))
        accepted = os.path.join(HOME.name, "project")  # once for all tests
        if not os.path.exists(accepted):
            self.make()
            shutil.copytree(self.folder, accepted)
        else:
            shutil.copytree(accepted, self.folder)

    def make(self):
        fixtures = os.path.join(ROOT, "fixtures")
        for name, model in (("strip", "strip"), ("twins", "twins"), ("look", "strip")):
            write(self.path(f"assets/{name}.gltf"), read(f"{fixtures}/{model}/{model}.gltf"))
        write(self.path("look/lit.frag"), read(f"{fixtures}/shaders/toon/lit.frag"))
        write(self.path(self.suite), SUITE)
        self.run("rigproof", "accept", self.suite, "--output", os.path.join(self.scratch, "accepted"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def remove(self):
        shutil.rmtree(self.scratch)

    def environment(self, *folders):
        kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        path = ":".join([*folders, self.bin, "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"])
        return {**kept, "PATH": path, "HOME": HOME.name, "LANG": "C.UTF-8", "TMPDIR": self.scratch}

    def run(self, *command, code=0, folder=None, **more):
        """On a developer's machine, where nothing of a CI is set."""
        done = subprocess.run(command, cwd=folder or self.folder, env={**self.environment(), **more}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        assert done.returncode == code, f"{command} gave {done.returncode}, not {code}:\n{done.stdout}"
        return done.stdout

    def change_model(self):
        """A pull request: a bone of two models goes elsewhere."""
        for name in ("strip", "look"):
            model = json.loads(read(self.path(f"assets/{name}.gltf")))
            tip = next(node for node in model["nodes"] if node["name"] == "tip")
            tip["translation"] = [0.25, 2, 0]
            write(self.path(f"assets/{name}.gltf"), json.dumps(model))

    def change_look(self):
        """A pull request: a shader's constant, by so little that pixels drift and no more."""
        shader = read(self.path("look/lit.frag"))
        assert "? 1.0 :" in shader
        write(self.path("look/lit.frag"), shader.replace("? 1.0 :", "? 0.995 :"))
