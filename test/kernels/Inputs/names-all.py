"""Fails if a test names not every kernel file of a folder."""
import pathlib
import sys

test, folder = map(pathlib.Path, sys.argv[1:])
missing = [f.name for f in sorted(folder.glob("*.cpp")) if f"/{f.name}" not in test.read_text()]
sys.exit(f"{test} does not name {', '.join(missing)}" if missing else 0)
