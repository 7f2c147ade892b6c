"""`belay run --stream`: launches in the simulator, thousands in one process."""
import json
import os
import pathlib
import queue
import subprocess
import tempfile
import threading

import numpy as np

from .kernel import ARCHS
from .values import KIND, STORED

# Compiling included; a launch alone has its own limit.
PATIENCE = 300


class Lost(Exception):
    """The command went away, or said nothing for too long."""


class Stream:
    """A command under way. Arrays travel as files in memory."""

    def __init__(self, belay, check=True):
        self.belay, self.check = belay, check
        self.process = None
        self.folder = tempfile.TemporaryDirectory(prefix="belay-exhaust-", dir="/dev/shm")
        self.path = pathlib.Path(self.folder.name)

    def start(self):
        self.errors = open(self.path / "stderr", "w+b")
        command = [self.belay, "run", "--stream", "--deny", "--auto-sync", "off", "--optimise", "off",
                   "--jobs", "1", "--time-limit", "20"] + ["--check"] * self.check
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors, env={**os.environ, "NO_COLOR": "1"})
        self.answers = queue.Queue()
        threading.Thread(target=self.listen, args=(self.process, self.answers), daemon=True).start()

    @staticmethod
    def listen(process, answers):
        for line in process.stdout:
            answers.put(line)
        answers.put(None)

    def ask(self, kernel, arch, launches):
        """Sends launches, each (sizes, cores, arrays of all views); answers come later."""
        if not self.process:
            self.start()
        lines = []
        for slot, (sizes, cores, arrays) in enumerate(launches):
            case = {"source": kernel.text, "kernel": kernel.instance, "soc": ARCHS[arch],
                    "blocks": cores, "args": self.arguments(kernel, slot, sizes, arrays)}
            lines.append(json.dumps(case))
        try:
            self.process.stdin.write(("\n".join(lines) + "\n").encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # heard of when the answer does not come

    def arguments(self, kernel, slot, sizes, arrays):
        args = []
        for n, param in enumerate(kernel.params):
            if param not in kernel.views():
                value = param.of(sizes)
                args.append({"scalar": f"{KIND[param.dtype]}={value!r}"})
                continue
            if param.role == "PerCore":
                continue
            array = arrays[param.name]
            kind = f"{KIND[param.dtype]}:{'x'.join(map(str, array.shape))}"
            source, target = f"{self.path}/{slot}.{n}.bin", f"{self.path}/{slot}.{n}.out.bin"
            if param.role == "Out":
                args.append({"out": f"{kind}={target}"})
                continue
            if isinstance(array, np.memmap):
                source = array.filename
            else:
                array.tofile(source)
            args.append({"in": f"{kind}={source}"} if param.role == "In"
                        else {"inout": f"{kind}={source}@{target}"})
        return args

    def hear(self):
        """The next answer."""
        try:
            line = self.answers.get(timeout=PATIENCE)
        except queue.Empty:
            line = None
        if line is None:
            self.stop()
            raise Lost
        return json.loads(line)

    def output(self, kernel, slot, view, shape):
        """What a launch wrote. The file goes, so that nobody takes it for another's."""
        path = self.path / f"{slot}.{kernel.params.index(view)}.out.bin"
        array = np.fromfile(path, STORED[view.dtype]).reshape(shape)
        path.unlink()
        return array

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def close(self):
        self.stop()
        self.folder.cleanup()
