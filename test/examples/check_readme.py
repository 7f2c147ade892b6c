"""The first command that a newcomer types works: runs the `belay run` of README.md
as it stands there, and checks what it computed. Also holds the table of
examples/README.md to the folders."""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "model"))
sys.dont_write_bytecode = True

from harness import belay  # noqa: E402


def readme_commands():
    """The `belay run` and `belay build` commands in shell blocks of the README, as
    words."""
    text = (ROOT / "README.md").read_text()
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words[1:2] in (["run"], ["build"]) and words[0].endswith("belay"):
                yield words


def run_in(folder, words):
    """Runs a command of the README in `folder`, from where the clone is a link."""
    (folder / "examples").symlink_to(ROOT / "examples")
    words = [belay(), *words[1:]]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout}{done.stderr}"


def check_run():
    commands = list(readme_commands())
    assert commands, "README.md shows no belay run"
    first = commands[0]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # The inputs are generated, so ask for them, too.
        run_in(folder, [*first, "--keep", "kept"])
        kept = folder / "kept"
        (x,) = (np.load(p) for p in kept.glob("0-*.before.npy"))
        (y,) = (np.load(p) for p in kept.glob("1-*.before.npy"))
        z = np.load(folder / "z.npy")
        np.testing.assert_array_equal(z, x + y)
        assert z.dtype == np.float16 and z.size == 16384


def check_findings():
    """What README.md says that `belay check` prints is what it prints."""
    text = (ROOT / "README.md").read_text()
    shown = re.findall(r"```console\n\$ (belay check [^\n]*)\n(.*?)```", text, re.DOTALL)
    assert shown, "README.md shows no finding of belay check"
    for command, expected in shown:
        done = subprocess.run([belay(), *shlex.split(command)[1:]], cwd=ROOT,
                              capture_output=True, text=True)
        assert done.returncode == 1 and done.stderr == expected, done.stderr


def check_language():
    """The kernel in the README is proven, run and built by the commands below it, and
    refuses the launch that is shown there."""
    text = (ROOT / "README.md").read_text()
    (kernel,) = re.findall(r"```cpp\n(#include \"belay/kernel.h\"\n.*?)```", text, re.DOTALL)
    run, build = [words for words in readme_commands() if "softmax.cpp" in words]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "softmax.cpp").write_text(kernel)
        run_in(folder, [*run, "--keep", "kept"])
        (x,) = (np.load(p) for p in (folder / "kept").glob("0-*.before.npy"))
        e = np.exp(x - x.max(axis=1, keepdims=True))
        np.testing.assert_allclose(np.load(folder / "y.npy"), e / e.sum(axis=1, keepdims=True), rtol=1e-5)
        (folder / "examples").unlink()
        run_in(folder, build)
        assert len(list((folder / "out").glob("softmax_1024.*"))) == 3
        refused = [belay(), *run[1:-1], "f32:99x1024"]
        done = subprocess.run(refused, cwd=folder, capture_output=True, text=True)
        shown = re.search(r"^softmax.cpp:.*expects-not-met\]$", text, re.MULTILINE)
        assert done.returncode == 2 and shown[0] in done.stderr, done.stderr


def check_table():
    text = (ROOT / "examples" / "README.md").read_text()
    listed = set(re.findall(r"^\| \[\w+\]\(ascendc/([^)]*)\)", text, re.MULTILINE))
    found = {
        str(path.relative_to(ROOT / "examples" / "ascendc"))
        for path in (ROOT / "examples" / "ascendc").glob("*/*.cpp")
        if path.stem == path.parent.name
    }
    assert listed == found, f"only listed: {listed - found}; not listed: {found - listed}"


if __name__ == "__main__":
    os.environ["NO_COLOR"] = "1"
    check_run()
    check_findings()
    check_language()
    check_table()
    print("README.md and examples/README.md hold")
