"""Sends lines to a command one by one, each only after the last was answered."""
import subprocess
import sys

with subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
    for line in filter(str.strip, sys.stdin):
        child.stdin.write(line)
        child.stdin.flush()
        assert child.stdout.readline().startswith("{")
    child.stdin.close()
    assert child.stdout.read() == ""
