"""Shows Belay's diagnostics in the reports of pytest.

It is loaded with the package; ``-p no:belay`` leaves it out. ``--belay-check`` runs all
kernels under the sanitizer. A test that failed with an
exception of Belay gets a section with each problem, its source line, its notes and its
help.
"""
from __future__ import annotations

from typing import Any, Generator, List

import pytest

from belay_npu import _defaults
from belay_npu._errors import BelayError, Problem

_MOST_BYTES = 4 << 20


def pytest_addoption(parser: Any) -> None:
    """``pytest --belay-check`` runs every kernel under the sanitizer."""
    parser.getgroup("belay").addoption(
        "--belay-check", action="store_true", help="run all kernels under Belay's sanitizer")


def pytest_configure(config: Any) -> None:
    """Takes the option over."""
    if config.getoption("--belay-check", default=False):
        _defaults.always_check = True


def _line_of(problem: Problem) -> str:
    """The line of the source, if it can be read."""
    try:
        with open(problem.file, "rb") as file:
            lines = file.read(_MOST_BYTES).decode("utf-8", "replace").splitlines()
        return lines[problem.line - 1] if problem.line > 0 else ""
    except (OSError, ValueError, IndexError):
        return ""


def describe(error: BelayError) -> str:
    """What an exception of Belay says, for people."""
    lines: List[str] = []
    for problem in error.problems:
        lines.append(str(problem))
        source = _line_of(problem)
        if source:
            lines.append(f"{problem.line:5} | {source}")
        for note in problem.notes:
            place = f"{note.file}:{note.line}: " if note.line else ""
            lines.append(f"{place}note: {note.message}")
        if problem.help:
            lines.append(f"help: {problem.help}")
    ids = sorted({problem.id for problem in error.problems if problem.id})
    if ids:
        lines.append(f"belay explain {' '.join(ids)}")
    return "\n".join(lines)


def _make_report(item: Any, call: Any) -> Generator[None, Any, None]:
    """Adds a section to the report of a test that failed with an exception of Belay."""
    outcome = yield
    error = call.excinfo.value if call.excinfo is not None else None
    if isinstance(error, BelayError) and error.problems:
        outcome.get_result().sections.append(("Belay", describe(error)))


# Not as a decorator, whose type some versions of pytest do not tell.
pytest_runtest_makereport = pytest.hookimpl(hookwrapper=True)(_make_report)
