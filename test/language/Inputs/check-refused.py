"""Compares what `belay build` refuses with the comments `// id: text` of a file."""
import pathlib
import re
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
wanted = {}
for number, line in enumerate(source.read_text().splitlines(), 1):
    match = re.search(r"// ([a-z-]+): (.*)$", line)
    if match and "RUN" not in line:
        wanted[number] = match.groups()

result = subprocess.run(["belay", "build", source], capture_output=True, text=True)
assert result.returncode == 1, result
found = {}
for line in result.stderr.splitlines():
    match = re.match(r".*?:(\d+):\d+: error: (.*) \[([a-z-]+)\]$", line)
    if match:
        found.setdefault(int(match[1]), []).append((match[3], match[2]))

problems = []
for number, (id, text) in wanted.items():
    if not any(id == i and text in t for i, t in found.get(number, [])):
        problems.append(f"{number}: not refused as [{id}] {text}: {found.get(number)}")
for number in found.keys() - wanted.keys():
    problems.append(f"{number}: refused, but nothing is wrong: {found[number]}")
if problems:
    sys.exit("\n".join(problems) + "\n" + result.stderr)
print(f"{len(wanted)} mistakes refused")
