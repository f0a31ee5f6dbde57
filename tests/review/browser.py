"""A headless Chromium, driven over its DevTools protocol on two pipes: JSON, each message ended by a NUL."""
import base64
import json
import os
import select
import shutil
import subprocess
import time


def find():
    """The browser's path, or None. A snap sees neither /tmp nor the build folder."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if not path or "/snap" in os.path.realpath(path):
            continue
        with open(path, "rb") as file:
            head = file.read(65536)
        if b"snap install" not in head and b"/snap/bin" not in head:
            return path
    return None


class Browser:
    def __init__(self, path, profile, width=1400, height=900):
        to_child, self.out = os.pipe()
        self.into, from_child = os.pipe()
        def set_pipes():
            # Out of the way first: one of them may be 3 or 4.
            a, b = os.dup(to_child), os.dup(from_child)
            os.dup2(a, 3)
            os.dup2(b, 4)
        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
             "--user-data-dir=" + profile, "--window-size=%d,%d" % (width, height), "--remote-debugging-pipe", "about:blank"],
            close_fds=False, preexec_fn=set_pipes, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.rest, self.number, self.session = b"", 0, None
        self.errors = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.enable")
        self.ask("Runtime.enable")
        self.ask("Log.enable")

    def _message(self, deadline):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.into], [], [], max(0, deadline - time.monotonic()))
            part = os.read(self.into, 1 << 16) if ready else b""
            if not part:
                raise RuntimeError("the browser is silent" if not ready else "the browser has ended")
            self.rest += part
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 60
        while True:
            answer = self._message(deadline)
            if answer.get("method") == "Runtime.exceptionThrown":
                details = answer["params"]["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description", details["text"]))
            if answer.get("method") == "Log.entryAdded" and answer["params"]["entry"]["level"] == "error":
                self.errors.append(answer["params"]["entry"]["text"])
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + answer["error"]["message"])
                return answer["result"]

    def open(self, url):
        self.ask("Page.navigate", url=url)

    def run(self, expression):
        """The value of a JavaScript expression; a promise is awaited."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(expression + ": " + details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def wait(self, expression, what=None, seconds=20):
        deadline = time.monotonic() + seconds
        while True:
            try:
                if self.run("!!(" + expression + ")"):
                    return
            except RuntimeError as error: # between two pages there is no document
                if "has ended" in str(error):
                    raise
            if time.monotonic() > deadline:
                raise AssertionError("waited in vain for " + (what or expression))
            time.sleep(0.02)

    def click(self, selector):
        """As a person does: the pointer over the middle of what is there."""
        box = self.run("(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'nearest'});"
                       "const b = e.getBoundingClientRect(); return e.disabled ? null : [b.left + b.width / 2, b.top + b.height / 2]; })()"
                       % json.dumps(selector))
        if not box:
            raise AssertionError(selector + " is disabled")
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, **({"text": key} if kind == "keyDown" and len(key) == 1 else {}))

    def text(self, selector):
        return self.run("document.querySelector(%s).textContent" % json.dumps(selector))

    def picture(self, path, width=None, height=None):
        if width:
            self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
            time.sleep(0.3)
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        os.close(self.out)
        os.close(self.into)
