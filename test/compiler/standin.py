"""An installation of CANN that consists of a stand-in; see StandIn.c.

Environment: BELAY is the command, BELAY_STANDIN the compiled stand-in.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BELAY = os.environ["BELAY"]
STANDIN = os.environ["BELAY_STANDIN"]
RTC_STANDIN = os.environ.get("BELAY_RTC_STANDIN", "")

KERNEL = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y) {
  AscendC::TPipe pipe;
}
"""


class Cann:
    """A folder with the stand-in as bisheng and ld.lld."""

    def __init__(self, root, bin_dir="bin", version="Version=9.9.1\n"):
        self.root = pathlib.Path(root)
        folder = self.root / bin_dir
        folder.mkdir(parents=True)
        (self.root / "standin").mkdir(exist_ok=True)
        for name in ("bisheng", "ld.lld"):
            shutil.copy(STANDIN, folder / name)
        if bin_dir != "bin":
            # The stand-in looks two folders up for its settings.
            (folder.parent / "standin").symlink_to(self.root / "standin")
        (self.root / "version.info").write_text(version)

    def set(self, name, text):
        (self.root / "standin" / name).write_text(text)

    def mode(self, text):
        self.set("mode", text)

    def calls(self):
        """The command lines so far, each a list of words."""
        log = self.root / "standin" / "log"
        if not log.exists():
            return []
        return [line.split("\t") for line in log.read_text().splitlines()]

    def escaped(self):
        return (self.root / "standin" / "escape").exists()


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="belay-test")
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(os.path.realpath(self.folder.name))
        self.cann = Cann(self.path / "cann")
        self.env = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("ASCEND_")
        }
        self.env.update(
            BELAY_CACHE_DIR=str(self.path / "cache"),
            HOME=str(self.path),
            NO_COLOR="1",
        )

    def write(self, name, text=KERNEL):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def belay(self, *args, cann=True, **keywords):
        words = [BELAY, "compile", *map(str, args)]
        if cann:
            words += ["--cann", str(self.cann.root)]
        keywords.setdefault("env", self.env)
        keywords.setdefault("cwd", self.path)
        return subprocess.run(words, capture_output=True, text=True, **keywords)

    def compile(self, *args, **keywords):
        """Without the check, unless it is asked for: parsing costs a second."""
        if not any(str(arg).startswith("--check") for arg in args):
            args += ("--check", "off")
        ran = self.belay(*args, "--format", "json", **keywords)
        return ran.returncode, json.loads(ran.stdout)

    def problems(self, report):
        return [problem["id"] for problem in report["problems"]]
