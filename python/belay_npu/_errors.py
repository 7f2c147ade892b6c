"""What can be wrong, in Python's own types."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple


@dataclass(frozen=True)
class Note:
    """A second place that explains a problem."""

    message: str
    file: str = ""
    line: int = 0
    column: int = 0


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong; ``explain(problem.id)`` tells how to fix it."""

    id: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    severity: str = "error"
    notes: Tuple[Note, ...] = ()
    help: str = ""

    def __str__(self) -> str:
        place = self.file or "belay"
        if self.line:
            place += f":{self.line}"
        if self.line and self.column:
            place += f":{self.column}"
        tail = f" [{self.id}]" if self.id else ""
        return f"{place}: {self.severity}: {self.message}{tail}"


class BelayError(Exception):
    """All that Belay raises of its own. ``problems`` says what is wrong."""

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message.rstrip("\n"))
        self.problems: Tuple[Problem, ...] = tuple(problems)


class CompileError(BelayError):
    """A kernel was not compiled. ``problems`` says why, ``log`` what was said."""

    def __init__(self, report: str, problems: Sequence[Problem] = (),
                 log: str = "") -> None:
        super().__init__(report, problems)
        self.log = log


class ProofError(CompileError):
    """The kernel is C++, and Belay refuses it: something is not proven, or the
    kernel language does not have it."""


class BelayFailed(CompileError):
    """Belay or the machine failed, which says nothing about the kernel."""


class ContractError(BelayError, ValueError):
    """A launch that the kernel does not admit; it was not started.

    ``id`` is one of docs/launch.md ("expects-not-met"), or "argument-mismatch".
    ``file`` and ``line`` are those of the ``expects``, where it is one, or of what
    needs the condition. ``problems`` has all conditions that are not met.
    """

    def __init__(self, id: str, message: str, file: str = "", line: int = 0,
                 others: Sequence[Problem] = ()) -> None:
        super().__init__(f"{message} [{id}]", [Problem(id, message, file, line), *others])
        self.id = id
        self.file = file
        self.line = line


class Violation(BelayError):
    """What went wrong while a kernel ran: ``findings``, each with its line."""

    def __init__(self, report: str, findings: Sequence[Problem]) -> None:
        super().__init__(report, findings)

    @property
    def findings(self) -> Tuple[Problem, ...]:
        """The same as ``problems``."""
        return self.problems


_LINE = re.compile(r"(.*?): (error|warning|note|help): (.*)")
_PLACE = re.compile(r"(.*?):(\d{1,9})(?::(\d{1,9}))?\Z")
_ID = re.compile(r"(.*) \[([a-z0-9-]{1,64})\]\Z")
_LONGEST_LINE = 16384


def _place(text: str) -> Tuple[str, int, int]:
    found = _PLACE.match(text)
    if found:
        return found[1], int(found[2]), int(found[3] or 0)
    return ("" if text == "belay" else text), 0, 0


def parse_messages(text: str) -> Tuple[Problem, ...]:
    """The problems in what a command of Belay has printed.

    All commands print as compilers do: ``file:line:column: error: text [id]``, then
    notes and a line of help.
    """
    problems: List[Problem] = []
    notes: List[Note] = []
    help = ""

    def finish() -> None:
        nonlocal notes, help
        if problems and (notes or help):
            last = problems.pop()
            problems.append(Problem(last.id, last.message, last.file, last.line,
                                    last.column, last.severity, tuple(notes), help))
        notes, help = [], ""

    for line in text.splitlines():
        found = _LINE.match(line[:_LONGEST_LINE])
        if not found:
            continue
        file, number, column = _place(found[1])
        if found[2] == "note":
            notes.append(Note(found[3], file, number, column))
        elif found[2] == "help":
            help = found[3]
        else:
            finish()
            message, id = found[3], ""
            tagged: Optional[re.Match[str]] = _ID.match(message)
            if tagged:
                message, id = tagged[1], tagged[2]
            problems.append(Problem(id, message, file, number, column, found[2]))
    finish()
    return tuple(problems)
