"""Finds out what has no instructions yet, by trying: a kernel that is refused names
the line, the line names the operation."""
import re

from .oracle import HEADER
from .program import walk


def statement_lines(kernel):
    """Line of the file with this kernel alone -> tags of the statement there."""
    lines, tags = (HEADER + kernel.text()).splitlines(), {}
    for _, _, statement in walk(kernel.body):
        for line in statement.lines():
            if getattr(statement, "tags", ()):
                tags.update({n: statement.tags for n, x in enumerate(lines, 1) if x.strip() == line})
    # Functions and lambdas of the kernel's own: whoever calls them.
    for _, _, statement in walk(kernel.body):
        name = getattr(statement, "text", "").split("(")[0]
        for n, line in enumerate(lines, 1):
            if f"auto {name} = [&]" in line:
                tags[n] = statement.tags
            if name in kernel.helpers and f"> {name}(const" in line:
                tags.update({n + 1: statement.tags, n + 2: statement.tags})
    return tags


def blame(kernel, verdict):
    """Tags of the statements that the compiler complained about. With a function of
    two operations, the one whose text is at the place."""
    tags, found = statement_lines(kernel), []
    for number in re.findall(r"\.cpp:(\d+):\d+: error", verdict.text):
        found += tags.get(int(number), ())[:1] if len(tags.get(int(number), ())) == 1 else ()
    return found
