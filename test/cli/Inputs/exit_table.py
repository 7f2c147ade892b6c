"""The table of docs/exit-status.md is the one that `belay help` prints."""
import pathlib
import re
import subprocess
import sys

page = pathlib.Path(sys.argv[1]).read_text()
documented = re.findall(r"^\| (\d) \| (.*) \|$", page, re.MULTILINE)
said = subprocess.run(["belay", "help"], capture_output=True, text=True).stdout
printed = re.findall(r"^  (\d)  (.*)$", said, re.MULTILINE)
assert printed and documented == printed, (documented, printed)
