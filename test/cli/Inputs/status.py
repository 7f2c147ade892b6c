"""status.py STATUS COMMAND...: succeeds if the command ends with that status; its output
is passed on."""
import subprocess
import sys

wanted, command = int(sys.argv[1]), sys.argv[2:]
got = subprocess.run(command).returncode
if got != wanted:
    sys.exit(f"{' '.join(command)}: status {got}, not {wanted}")
