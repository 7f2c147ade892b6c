"""What holds for all launches of a process."""
from __future__ import annotations

#: Set by the option --belay-check of pytest: every launch runs under the sanitizer.
always_check = False


def check(wanted: bool) -> bool:
    """Whether a launch runs under the sanitizer."""
    return wanted or always_check
