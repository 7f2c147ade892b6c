"""Kernels with one mistake each, and their twins without it.

    // id: text             this line is refused, with that id and that text
    // guarded id: text     this line is guarded, and refused with --deny
    //= code                 instead of the last line of code before it, fixes it
    //+ code                 in addition, fixes it

Nothing else may be reported, and nothing at all once everything is fixed.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

source = pathlib.Path(sys.argv[1])
options = sys.argv[2:]
lines = source.read_text().splitlines()


def report(file, *more):
    """{line: [(severity, id, text)]} of a build."""
    run = subprocess.run(
        ["belay", "build", file, *options, *more], capture_output=True, text=True
    )
    found = {}
    for line in run.stderr.splitlines():
        match = re.match(r".*?:(\d+):\d+: (error|warning): (.*) \[([a-z-]+)\]$", line)
        if match:
            found.setdefault(int(match[1]), []).append((match[2], match[4], match[3]))
        elif re.match(r"(\S+:\d+:\d+|belay\b[^:]*): (error|warning): ", line):
            found.setdefault(0, []).append(("error", "", line))
    return run, found


wanted, fixed, at = {}, [], None
for number, line in enumerate(lines, 1):
    mark = re.search(r"// (guarded )?([a-z0-9-]+): (.*)$", line)
    if mark and not line.startswith("// "):
        wanted[number] = ("warning" if mark[1] else "error", mark[2], mark[3])
    repair = re.match(r"\s*//([=+]) (.*)$", line)
    if repair and repair[1] == "=":
        fixed[at] = repair[2]
    elif line.strip() and not line.strip().startswith("//"):
        at = len(fixed)
    fixed.append(repair[2] if repair and repair[1] == "+" else line)

problems = []
denied = "error"
for mode, severity in ((), "warning"), (("--deny",), denied):
    run, found = report(source, *mode)
    for number, (level, id, text) in wanted.items():
        level = denied if mode else level
        if not any((level, id) == (s, i) and text in t for s, i, t in found.get(number, [])):
            problems.append(f"{number}: no {level} [{id}] {text}: {found.get(number)}")
    for number in found.keys() - wanted.keys():
        problems.append(f"{number}: nothing is wrong here: {found[number]}")
    refused = mode != () or any(w[0] == "error" for w in wanted.values())
    if run.returncode != (3 if refused else 0):
        problems.append(f"exit status {run.returncode} {mode}")
    if problems:
        break

with tempfile.TemporaryDirectory() as folder:
    twin = pathlib.Path(folder) / source.name
    twin.write_text("\n".join(fixed) + "\n")
    run, found = report(twin, "--deny")
    for number, what in sorted(found.items()):
        problems.append(f"{number}: fixed, and still: {what}\n    {fixed[number - 1]}")
    if run.returncode:
        problems.append(f"fixed: exit status {run.returncode}")
if problems:
    sys.exit("\n".join(problems))
print(f"{len(wanted)} mistakes found, {len(wanted)} twins silent")
