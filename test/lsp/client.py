"""An editor, as far as `belay lsp` can tell: speaks the protocol over pipes."""
import json
import os
import pathlib
import queue
import subprocess
import threading
import time

BELAY = os.environ["BELAY"]
SOURCE = pathlib.Path(os.environ["BELAY_SOURCE"])


class Client:
    def __init__(self, *options):
        self.process = subprocess.Popen([BELAY, "lsp", *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.came, self.errors, self.next_id = queue.Queue(), [], 0
        self.replies, self.published = {}, {}
        for target in (self._read, self._read_errors):
            threading.Thread(target=target, daemon=True).start()

    def _read(self):
        try:
            self._read_messages()
        except ValueError as wrong:  # not JSON, not UTF-8
            self.errors.append(f"the server sent what is no message: {wrong}\n")
        self.came.put(None)

    def _read_messages(self):
        out = self.process.stdout
        while True:
            length = None
            while (line := out.readline().strip()):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length is None:
                return
            self.came.put(json.loads(out.read(length)))

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line.decode("utf-8", "replace"))

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, **params):
        self.send({"method": method, "params": params})

    def _step(self, deadline, what):
        try:
            message = self.came.get(timeout=max(0.001, deadline - time.monotonic()))
        except queue.Empty:
            raise AssertionError(f"no {what} came in time; stderr: {''.join(self.errors[-5:])}") from None
        if message is None:
            raise AssertionError(f"the server ended, or is not understood, before {what} came; "
                                 f"stderr: {''.join(self.errors[-20:])}")
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published.setdefault(message["params"]["uri"], []).append(message["params"])
        elif "id" in message:
            self.replies[message["id"]] = message

    def call(self, method, seconds=20, **params):
        """The result of a request."""
        self.next_id += 1
        mine = self.next_id
        self.send({"id": mine, "method": method, "params": params})
        deadline = time.monotonic() + seconds
        while mine not in self.replies:
            self._step(deadline, f"reply to {method}")
        reply = self.replies.pop(mine)
        if "error" in reply:
            raise AssertionError(f"{method}: {reply['error']}")
        return reply["result"]

    def diagnostics(self, uri, version, count=1, seconds=20):
        """What was published about a version, once so many answers have come."""
        deadline = time.monotonic() + seconds
        while True:
            found = [p for p in self.published.get(uri, []) if p.get("version") == version]
            if len(found) >= count:
                return found[-1]["diagnostics"]
            self._step(deadline, f"diagnostics of version {version} of {uri}")

    def start(self):
        return self.call("initialize", processId=os.getpid(), rootUri=None, capabilities={})

    def open(self, uri, text, version=1):
        self.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "cpp",
                                                          "version": version, "text": text})

    def change(self, uri, text, version):
        self.notify("textDocument/didChange", textDocument={"uri": uri, "version": version},
                    contentChanges=[{"text": text}])

    def save(self, uri):
        self.notify("textDocument/didSave", textDocument={"uri": uri})

    def stop(self, seconds=30):
        """Says goodbye; the exit status."""
        self.call("shutdown")
        self.notify("exit")
        return self.process.wait(seconds)

    def close(self):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()


def uri_of(path):
    return pathlib.Path(path).resolve().as_uri()
