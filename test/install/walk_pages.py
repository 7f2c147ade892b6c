#!/usr/bin/env python3
"""Follows pages of the documents with a Belay that was built or installed.

    test/install/walk_pages.py --prefix build/dev [PAGE...]

For writers of pages; install.packages does the same in a clean root with the packages.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from pages import PAGES, PARTS, Walk

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prefix", type=pathlib.Path, required=True, help="has bin/belay")
    parser.add_argument("pages", nargs="*", default=[f"docs/{name}.md" for name in PAGES])
    options = parser.parse_args()
    env = {k: v for k, v in os.environ.items() if not k.startswith("BELAY")}
    env.update(NO_COLOR="1", PYTHONPATH=str(ROOT / "python"),
               PATH=f"{options.prefix.resolve() / 'bin'}:/usr/bin:/bin", CMAKE_PREFIX_PATH=str(options.prefix.resolve()),
               BELAY=str(options.prefix.resolve()), CPATH=str(options.prefix.resolve() / "include"))

    def run(script, folder):
        return subprocess.run(["bash", "-c", script], cwd=folder, env=env, capture_output=True, text=True)

    for page in options.pages:
        with tempfile.TemporaryDirectory(prefix="belay-page-") as name:
            folder = pathlib.Path(name)
            for part in PARTS:
                (folder / part).symlink_to(ROOT / part)
            count = Walk(run, lambda names: None, sys.exit).page(ROOT / page, folder, name)
        print(f"{page}: {count} blocks", flush=True)


if __name__ == "__main__":
    main()
