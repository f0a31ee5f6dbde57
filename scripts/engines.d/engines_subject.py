"""A subject: a program that speaks rigproof.subject/1 (docs/subjects.md)."""
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

import numpy as np


class Refused(Exception):
    """The subject answered with an error."""


class Died(Exception):
    """The subject crashed, hung or answered what is no answer."""


PIVOT = "_$AssimpFbx$_"  # nodes that Assimp puts between those of an FBX file; versions differ in what they put there


class Answer:
    """nodes: [(name, parent, 4x4)] or None; palette: [(mesh, bone, 4x4)]; skin: [(mesh, points)]."""

    def __init__(self, nodes, palette, skin):
        self.nodes = nodes and [node for node in nodes if PIVOT not in node[0]]
        self.palette, self.skin = palette, skin


def matrix(numbers, storage):
    full = np.eye(4)
    flat = np.array([np.nan if n is None else n for n in numbers], float)
    if storage == "rows3x4":
        full[:3] = flat.reshape(3, 4)
    elif storage == "rows":
        full = flat.reshape(4, 4)
    else:
        full = flat.reshape(4, 4).T
    return full


def numbers(array, folder):
    if isinstance(array, dict) and "f32" in array:
        return np.frombuffer(base64.b64decode(array["f32"]), "<f4").astype(float)
    if isinstance(array, dict):
        path = os.path.join(folder, os.path.basename(array["file"]))
        return (np.load(path) if path.endswith(".npy") else np.fromfile(path, "<f4")).astype(float).ravel()
    return np.array(array, float)


class Subject:
    def __init__(self, command, patience):
        self.command, self.patience = command, patience
        self.folder = tempfile.mkdtemp(prefix="rigproof-subject-")
        self.process, self.buffer, self.number = None, b"", 0
        self.log = open(os.path.join(self.folder, "stderr"), "wb")
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
                                        start_new_session=True)
        self.buffer = b""
        hello = self.ask({"request": "hello", "protocol": "rigproof.subject/1"})
        self.name, self.version = hello["name"], hello.get("version", "")
        self.conventions = hello.get("conventions") or {}
        self.model = self.root = None

    def restart(self):
        self.stop()
        self.start()

    def close(self):
        self.stop()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def stop(self):
        if self.process.poll() is None:
            try:
                self.process.stdin.close()
                self.process.wait(2)
            except (subprocess.TimeoutExpired, OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def ask(self, request):
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Died("ended") from error
        until = time.monotonic() + self.patience
        while b"\n" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
                raise Died("no answer in %d s" % self.patience)
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            if not data:
                code = self.process.wait()
                raise Died("ended by signal %d" % -code if code < 0 else "ended with exit code %d" % code)
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        try:
            return json.loads(line)
        except ValueError as error:
            raise Died("wrote what is no JSON: %r" % line[:80]) from error

    def pose(self, model, clip, index, at):
        self.number += 1
        request = {"request": "pose", "id": self.number, "model": model, "clip": clip, "time": at, "wrap": "hold",
                   "wants": ["nodes", "palette", "skin"], "folder": self.folder,
                   "settings": {"influences": "all"}}  # what another rigproof is told
        if index is not None:
            request["clip_index"] = index
        answer = self.ask(request)
        if "error" in answer:
            raise Refused(answer["error"])
        if answer.get("id") != self.number:
            raise Died("answered another request")
        if model != self.model:
            self.model, self.root = model, None
        return self.read(answer)

    def read(self, answer):
        storage = self.conventions.get("storage", "columns")
        nodes = answer.get("nodes")
        if nodes is not None:
            nodes = [(n.get("name") or "", n.get("parent"), matrix(n["global"], storage)) for n in nodes if n.get("global")]
        given = answer.get("palette") or []
        if isinstance(given, dict):  # one list for the scene; without names nobody knows whose they are
            rows = numbers(given["matrices"], self.folder).reshape(-1, 12 if storage == "rows3x4" else 16)
            given = [{"bone": bone, "matrix": row} for bone, row in zip(given.get("bones") or [], rows)]
        palette = [(p.get("mesh"), p.get("bone") or "", matrix(p["matrix"], storage)) for p in given]
        skin = [(s.get("mesh"), numbers(s["positions"], self.folder).reshape(-1, 3))
                for s in answer.get("skin") or [] if s.get("positions") is not None]
        if self.conventions.get("space") == "root" and nodes:  # the inverse of the root's rest stands before all: undone
            self.root = nodes[0][2] if self.root is None else self.root
            palette = [(mesh, bone, self.root @ m) for mesh, bone, m in palette]
            skin = [(mesh, points @ self.root[:3, :3].T + self.root[:3, 3]) for mesh, points in skin]
        return Answer(nodes, palette, skin)
