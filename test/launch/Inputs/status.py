"""status.py WANTED COMMAND...: whether the command ends with that exit status."""
import subprocess
import sys

sys.exit(subprocess.run(sys.argv[2:], capture_output=True).returncode != int(sys.argv[1]))
