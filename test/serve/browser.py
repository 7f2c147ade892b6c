"""A browser without a window, driven over the pipe of its own debugging protocol."""
import base64
import json
import os
import select
import subprocess
import tempfile
import time


class Browser:
    """One page of Chromium. Use as a context."""

    def __init__(self, program, width, height):
        self.folder = tempfile.TemporaryDirectory(prefix="belay-browser-", ignore_cleanup_errors=True)
        asks, self.asks = os.pipe()
        self.answers, answers = os.pipe()

        def pass_pipes():
            # The browser reads from 3 and writes to 4; neither may be lost to the other.
            high = [os.dup2(asks, 100), os.dup2(answers, 101)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", f"--window-size={width},{height}",
             "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=pass_pipes)
        os.close(asks)
        os.close(answers)
        self.heard, self.count, self.session, self.events = b"", 0, None, []
        target = self.ask("Target.createTarget", url="about:blank")
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        self.ask("Page.enable")
        self.ask("Runtime.enable")
        self.ask("Log.enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.asks)
        os.close(self.answers)
        self.folder.cleanup()

    def _message(self, seconds):
        until = time.monotonic() + seconds
        while b"\0" not in self.heard:
            if not select.select([self.answers], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.answers, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self.heard += more
        one, self.heard = self.heard.split(b"\0", 1)
        return json.loads(one)

    def ask(self, method, **params):
        """What a command answers; events that come before are kept."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.asks, json.dumps(message).encode() + b"\0")
        while True:
            said = self._message(60)
            if said.get("id") == self.count:
                if "error" in said:
                    raise RuntimeError(f"{method}: {said['error']}")
                return said["result"]
            self.events.append(said)

    def open(self, url):
        self.ask("Page.navigate", url=url)
        self.wait("location.href !== 'about:blank' && document.readyState === 'complete'")

    def value(self, expression):
        """The value of a JavaScript expression in the page."""
        done = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            raise RuntimeError(f"{expression}: {done['exceptionDetails']}")
        return done["result"].get("value")

    def wait(self, expression, seconds=60):
        """Waits until it is true."""
        until = time.monotonic() + seconds
        while not self.value(expression):
            if time.monotonic() > until:
                raise TimeoutError(f"{expression} did not become true; the page says\n"
                                   + str(self.value("document.body.innerText")))
            time.sleep(0.05)

    def complaints(self):
        """What the browser logged as errors: scripts that failed, what a policy has blocked."""
        return [event["params"] for event in self.events
                if event.get("method") == "Runtime.exceptionThrown"
                or event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error"]

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))
