"""Compares the options that Markdown files mention with a help text.

usage: documented-options.py HELP FILE-OR-FOLDER...
"""
import pathlib
import re
import sys

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def pages(paths):
    for path in map(pathlib.Path, paths):
        yield from sorted(path.glob("*.md")) if path.is_dir() else [path]


known = set(OPTION.findall(pathlib.Path(sys.argv[1]).read_text()))
unknown = [
    f"{page}: {option}"
    for page in pages(sys.argv[2:])
    for option in sorted(set(OPTION.findall(page.read_text())) - known)
]
sys.exit("\n".join(["not in 'belay help run':", *unknown]) if unknown else 0)
