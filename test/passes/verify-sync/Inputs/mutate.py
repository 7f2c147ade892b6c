"""Takes synchronisation away and counts who notices.

  mutate.py SOC KERNEL.mlir...

Every single flag and barrier is removed in turn, then every event with all its sets
and waits: half a pair is found by counting, a whole one only by the proof. What the
proof still accepts has to be redundant; at most a tenth may be.
"""
import re
import subprocess
import sys

SYNC = re.compile(r"^\s*ascend\.(flag\.(?:set|wait) <(\w+)> to <(\w+)> event (\d+)( \+ %\w+)?|barrier)")


def optimise(text, *passes):
    return subprocess.run(
        ["belay-opt", "-", *passes], input=text, capture_output=True, text=True
    )


def events(lines):
    """Lines of each event: those that share pipes and a number."""
    groups = []
    for n, line in enumerate(lines):
        match = SYNC.match(line)
        if not match or not match[2]:
            continue
        first = int(match[4])
        numbers = {first, first + 1} if match[5] else {first}
        mine = ((match[2], match[3]), numbers, {n})
        for other in [g for g in groups if g[0] == mine[0] and g[1] & mine[1]]:
            groups.remove(other)
            mine = (mine[0], mine[1] | other[1], mine[2] | other[2])
        groups.append(mine)
    return [g[2] for g in groups]


def main():
    soc, *kernels = sys.argv[1:]
    verify = f"--ascend-verify-sync=soc={soc}"
    removed = accepted = singles = 0
    for kernel in kernels:
        done = optimise(open(kernel).read(), f"--ascend-to-core=soc={soc}")
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        assert optimise(done.stdout, verify).returncode == 0
        sync = [{n} for n, line in enumerate(lines) if SYNC.match(line)]
        flags = [s for s in sync if "flag" in lines[min(s)]]
        for gone in flags:
            text = "\n".join(x for n, x in enumerate(lines) if n not in gone)
            assert optimise(text, verify).returncode != 0, f"{kernel}: {lines[min(gone)]}"
            singles += 1
        for gone in [s for s in sync if s not in flags] + events(lines):
            text = "\n".join(x for n, x in enumerate(lines) if n not in gone)
            removed += 1
            if optimise(text, verify).returncode == 0:
                accepted += 1
                print(f"redundant in {kernel}: {lines[min(gone)].strip()}")
    print(f"single flags: {singles} removed, all noticed")
    print(f"events and barriers: {removed} removed, {accepted} redundant")
    assert accepted * 10 <= removed
    print("good")


if __name__ == "__main__":
    main()
