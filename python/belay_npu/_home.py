"""Where Belay is: the folder that has bin, lib, libexec and share."""
from __future__ import annotations

import os
import pathlib
import shutil
from typing import Iterator


class NotInstalled(ImportError):
    """The command ``belay`` and its libraries were not found."""


def prefixes() -> Iterator[pathlib.Path]:
    """Folders that may have it, in the order of trust."""
    home = os.environ.get("BELAY_HOME")
    if home:
        yield pathlib.Path(home)
    library = os.environ.get("BELAY_LIBRARY")
    if library:
        yield pathlib.Path(os.path.realpath(library)).parent.parent
    here = pathlib.Path(os.path.realpath(__file__)).parent
    yield here / "home"  # a wheel
    if here.parent.name == "dist-packages":  # PREFIX/lib/python3/dist-packages/belay_npu
        yield here.parents[3]
    command = shutil.which("belay")
    if command:
        yield pathlib.Path(os.path.realpath(command)).parent.parent


def find(name: str) -> pathlib.Path:
    """A file of the installation, as ``bin/belay``.

    Raises:
      NotInstalled: No folder has it.
    """
    tried = []
    for prefix in prefixes():
        path = prefix / name
        if path.exists():
            return path
        tried.append(str(path))
    raise NotInstalled(
        f"{name} of Belay was not found; set BELAY_HOME to the folder that has "
        "bin/belay, or put bin into PATH. Tried: " + ", ".join(tried))
