"""The command ``belay`` as a child process: no shell, bounded answers."""
from __future__ import annotations

import os
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass
from typing import IO, Optional, Sequence

from belay_npu import _home
from belay_npu._errors import BelayFailed, CompileError, ProofError, parse_messages

SECONDS = 600.0
_MOST_SAID = 1 << 20
_NOT_COMPILED, _BELAY_FAILED = 3, 5


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    status: int
    out: str
    err: str


def _read(file: IO[bytes], most: int) -> str:
    file.seek(0)
    return file.read(most).decode("utf-8", "replace")


def run(words: Sequence[str], *, text: Optional[bytes] = None,
        most_out: int = _MOST_SAID, folder: Optional[str] = None) -> Said:
    """Runs ``belay`` with these words; ``text`` is its standard input.

    Raises:
      BelayFailed: It did not end, or not by itself.
    """
    command = [str(_home.find("bin/belay")), *words]
    if any("\0" in word for word in command):
        raise ValueError("an argument holds a NUL byte")
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, \
            tempfile.TemporaryFile() as given:
        given.write(text or b"")
        given.seek(0)
        try:
            ended = subprocess.run(command, stdin=given, stdout=out, stderr=err,
                                   cwd=folder, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            raise BelayFailed(f"belay {words[0]} took more than {SECONDS:g} s") from None
        said = Said(ended.returncode, _read(out, most_out), _read(err, _MOST_SAID))
    if said.status < 0:
        raise BelayFailed(f"belay {words[0]} ended by signal {-said.status}",
                          parse_messages(said.err), said.err)
    return said


def error_of(said: Said) -> CompileError:
    """What a command that failed is raised as."""
    problems = parse_messages(said.err)
    wrong = [each for each in problems if each.severity == "error"]
    # The last line only sums up: "k.cpp was not accepted".
    causes = [each for each in wrong if each.file or len(wrong) == 1] or wrong
    report = said.err.strip() or f"belay ended with status {said.status}"
    if said.status == _BELAY_FAILED or any(p.id == "belay-failed" for p in wrong):
        return BelayFailed(report, causes, said.err)
    refused = causes and all(each.id not in ("", "compile-error") for each in causes)
    if said.status == _NOT_COMPILED and refused:
        return ProofError(report, causes, said.err)
    return CompileError(report, causes, said.err)


def read_bounded(path: "os.PathLike[str]", most: int) -> bytes:
    """A regular file's content.

    Raises:
      BelayFailed: It is larger than ``most``.
    """
    with open(pathlib.Path(path), "rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise BelayFailed(f"{path} has more than {most} bytes")
    return content
