#!/usr/bin/env python3
"""Walks README.md as a newcomer does: from a clean clone, and from an install tree.

    test/install/walk_readme.py --build build/dev [--whole]

The clone has the files that git knows, and nothing else. Its build/release is what
`cmake --install` makes of the given build, which stands for the 20 minutes that
`cmake --build` takes. The install tree is walked alone: no clone, no build, only what
was installed, moved to another place. In both, every command of the README's shell
blocks runs as it stands there, and what its console blocks show is what is printed.

Then `belay corpus` scores the same from the build tree and from the install tree: for
one pattern of each class, or with --whole for all of them.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Commands that change the machine or take long; each has a stand-in below.
SETUP, CONFIGURE, BUILD = "scripts/setup-debian", "cmake --preset release", "cmake --build --preset release"


def fail(text):
    sys.exit(f"walk_readme: {text}")


class Readme:
    """What README.md tells its readers to do."""

    def __init__(self, path):
        self.text = path.read_text()

    def blocks(self, kind):
        return re.findall(rf"^```{kind}\n(.*?)^```", self.text, re.DOTALL | re.MULTILINE)

    def commands(self):
        """The lines of all shell blocks, continued ones joined, without comments."""
        for block in self.blocks("sh"):
            for line in block.replace("\\\n", " ").splitlines():
                line = re.sub(r"\s+#.*", "", line).strip()
                if line and not line.startswith("#"):
                    yield line

    def shown(self):
        """(command, what it prints) of console blocks."""
        for block in self.blocks("console"):
            first, rest = block.split("\n", 1)
            yield first.removeprefix("$ "), rest

    def kernel(self):
        (text,) = [b for b in self.blocks("cpp") if '#include "belay/kernel.h"' in b]
        return text


class Place:
    """A folder in which the README is followed with one `belay`."""

    def __init__(self, folder, prefix, cache):
        self.folder, self.prefix = folder, prefix
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("BELAY")}
        self.env.update(NO_COLOR="1", BELAY_CACHE_DIR=str(cache))
        self.env["PATH"] = f"{prefix / 'bin'}:/usr/bin:/bin"

    def run(self, command, status=0):
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.env,
                              capture_output=True, text=True)
        if done.returncode != status:
            fail(f"in {self.folder}: {command}\nstatus {done.returncode}, not {status}\n"
                 f"{done.stdout}{done.stderr}")
        return done

    def walk(self, readme):
        (self.folder / "softmax.cpp").write_text(readme.kernel())
        count = 0
        for command in readme.commands():
            if command in (SETUP, CONFIGURE, BUILD) or command.startswith("export PATH"):
                continue
            self.run(command)
            count += 1
        for command, expected in readme.shown():
            done = self.run(command, status=1)
            if done.stderr != expected:
                fail(f"in {self.folder}: {command} prints\n{done.stderr}\nnot\n{expected}")
            count += 1
        for name in ("z.npy", "y.npy", "out/softmax_1024.cpp", "out/softmax_1024.h", "out/softmax_1024.json"):
            if not (self.folder / name).is_file():
                fail(f"in {self.folder}: no {name} was made")
        return count

    def compiles_host_program(self):
        """One include folder and one library folder are all that a program needs."""
        self.run(f"clang++-22 -std=c++20 -fsyntax-only -I{self.prefix}/include "
                 f"{ROOT}/examples/host/hello/hello.cpp")

    def score(self, how, ids):
        chosen = " ".join(f"--id {each}" for each in ids)
        done = subprocess.run(["bash", "-c", f"belay corpus {how} {chosen} --json"],
                              cwd=self.folder, env=self.env, capture_output=True, text=True)
        if done.returncode not in (0, 1) or not done.stdout:
            fail(f"belay corpus {how}: status {done.returncode}\n{done.stderr}")
        return without_places(json.loads(done.stdout))


def without_places(value):
    """The same without what depends on time, or on where the tree is."""
    if isinstance(value, dict):
        return {k: without_places(v) for k, v in value.items() if "econds" not in k}
    if isinstance(value, list):
        return [without_places(v) for v in value]
    if isinstance(value, str):
        return re.sub(r"/\S*/(corpus|examples)/", r"\1/", value)
    return value


def make_clone(folder):
    """The files of the work tree that git knows."""
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, check=True)
    for name in filter(None, names.stdout.decode().split("\0")):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).exists():
            shutil.copy2(ROOT / name, target, follow_symlinks=False)


def install(build, prefix):
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True,
                   stdout=subprocess.DEVNULL)
    # What `cmake --install` leaves in the build folder.
    (build / "install_manifest.txt").unlink(missing_ok=True)


def check_uninstall(build, prefix):
    """The target uninstall leaves nothing of what was installed, and what others put there."""
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True,
                   stdout=subprocess.DEVNULL)
    other = prefix / "share" / "doc" / "other"
    other.write_text("not Belay's\n")
    subprocess.run(["cmake", f"-DBUILD={build}", "-P", ROOT / "cmake/Uninstall.cmake"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    (build / "install_manifest.txt").unlink(missing_ok=True)
    left = [path for path in prefix.rglob("*") if not path.is_dir()]
    if left != [other] or (prefix / "bin").exists():
        fail(f"after uninstall these are left: {left}")


def check_setup(clone):
    """The commands that are not run exist as the README names them."""
    if not os.access(clone / SETUP, os.X_OK):
        fail(f"{SETUP} is not there, or no program")
    listed = subprocess.run(["cmake", "--list-presets"], cwd=clone, capture_output=True, text=True)
    if '"release"' not in listed.stdout:
        fail("CMakePresets.json has no preset 'release'")


def one_of_each_class(corpus):
    """The first pattern of each class."""
    chosen = {}
    for path in sorted(corpus.glob("*/*/case.json")):
        chosen.setdefault(path.parents[1].name, json.loads(path.read_text())["id"])
    return sorted(chosen.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--whole", action="store_true", help="score the whole corpus")
    options = parser.parse_args()
    build = options.build.resolve()
    readme = Readme(ROOT / "README.md")
    for command in (SETUP, CONFIGURE, BUILD):
        if command not in list(readme.commands()):
            fail(f"README.md does not say '{command}'")
    with tempfile.TemporaryDirectory(prefix="belay-readme-") as name:
        top = pathlib.Path(name)
        clone, moved = top / "clone", top / "moved" / "belay"
        make_clone(clone)
        check_setup(clone)
        install(build, clone / "build" / "release")
        from_clone = Place(clone, clone / "build" / "release", top / "cache")
        print(f"clone: {from_clone.walk(readme)} commands of the README work", flush=True)

        check_uninstall(build, top / "gone")
        install(build, top / "prefix")
        moved.parent.mkdir()
        (top / "prefix").rename(moved)
        shutil.rmtree(clone)
        away = top / "away"
        away.mkdir()
        for part in ("examples", "corpus"):
            (away / part).symlink_to(moved / "share" / "belay" / part)
        from_install = Place(away, moved, top / "cache")
        print(f"install tree: {from_install.walk(readme)} commands of the README work", flush=True)
        from_install.compiles_host_program()

        from_build = Place(top, build, top / "cache")
        ids = [] if options.whole else one_of_each_class(ROOT / "corpus")
        for how in ("--dynamic", "--static"):
            here, there = from_build.score(how, ids), from_install.score(how, ids)
            if here != there:
                fail(f"belay corpus {how} scores differently:\nbuild tree   {json.dumps(here)}\n"
                     f"install tree {json.dumps(there)}")
            print(f"belay corpus {how}: the same from both, {summary(here)}", flush=True)


def summary(score):
    total = score.get("total", score)
    return ", ".join(f"{k} {v}" for k, v in total.items() if isinstance(v, (int, float)))


if __name__ == "__main__":
    main()
