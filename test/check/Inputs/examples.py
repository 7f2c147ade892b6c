"""`belay check` of every example: they are right, so nothing may be found in them."""
import pathlib
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples" / "ascendc"


def main():
    hosts = {path.with_name(path.name.replace("_host.cpp", ".cpp")): path
             for path in EXAMPLES.glob("*/*_host.cpp")}
    alone = [path for path in sorted(EXAMPLES.glob("*/*.cpp"))
             if path not in hosts and path not in hosts.values()]
    commands = [alone] + [[kernel, "--op-host", host] for kernel, host in hosts.items()]
    failed = 0
    for command in commands:
        done = subprocess.run(["belay", "check", "--time-limit", "240", *command], capture_output=True, text=True,
                              check=False)
        failed |= done.returncode
        sys.stdout.write(done.stderr)
    print(f"{len(alone) + len(hosts)} examples")
    return failed


if __name__ == "__main__":
    sys.exit(main())
