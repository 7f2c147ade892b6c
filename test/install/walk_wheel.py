#!/usr/bin/env python3
"""Makes the wheel, installs it in a fresh environment, and follows docs/python.md there.

    test/install/walk_wheel.py --build build/dev

The environment sees the system's NumPy, but no `belay` in PATH, no variable of Belay and
none of the sources: what the module uses is what the wheel carries.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import tempfile
import zipfile

from walk_packages import said, ten_lines
from walk_readme import ROOT, fail


def check_wheel(path):
    """What it says about itself."""
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        (metadata,) = [n for n in names if n.endswith(".dist-info/METADATA")]
        text = wheel.read(metadata).decode()
    for need in ("clang-22", "libLLVM.so.22.1", "GLIBC (>="):
        if f"Requires-External: {need}" not in text:
            fail(f"METADATA does not say that {need} is needed:\n{text}")
    for part in ("bin/belay", "libexec/belay/belay-checker", "lib/libbelay.so.1",
                 "lib/belay/libsleefgnuabi.so.3"):
        if f"belay_npu/home/{part}" not in names:
            fail(f"the wheel has no {part}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="belay-wheel-test-") as name:
        top = pathlib.Path(name)
        print(said(ROOT / "scripts/make-wheel", options.build, "-o", top), end="", flush=True)
        (wheel,) = top.glob("*.whl")
        check_wheel(wheel)
        said("/usr/bin/python3", "-m", "venv", "--system-site-packages", top / "venv")
        env = {k: v for k, v in os.environ.items() if not k.startswith(("BELAY", "PYTHON"))}
        env.update(PATH="/usr/bin:/bin", NO_COLOR="1", BELAY_CACHE_DIR=str(top / "cache"))
        python = top / "venv/bin/python"
        said(python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", wheel, env=env)
        shutil.copy2(ROOT / "examples/kernels/softmax.cpp", top)
        (top / "ten.py").write_text(ten_lines())
        print(said(python, "ten.py", env=env, cwd=top).splitlines()[0])
        print(said(python, "-m", "belay_npu", "--version", env=env), end="")
        said(python, "-m", "belay_npu", "doctor", env=env)
        used = said(python, "-c", "import belay_npu._home as h; print(h.find('bin/belay'))", env=env)
        if not used.startswith(str(top / "venv")):
            fail(f"the module uses {used}")
        broken = subprocess.run([python, "-c", "import belay_npu as b; b.kernel('softmax.cpp', 'nothing')()"],
                                env=env, cwd=top, capture_output=True, text=True)
        if broken.returncode == 0:
            fail("a kernel that does not exist was run")
        said(python, "-m", "pip", "uninstall", "-q", "-y", "belay-npu", env=env)
        left = list((top / "venv").glob("lib/*/site-packages/belay*"))
        if left:
            fail(f"pip uninstall leaves {left}")
        print("wheel: installed, followed docs/python.md, uninstalled")


if __name__ == "__main__":
    main()
