"""Belay accepts the calls of accepted.txt, and refuses the others: with an error when a kernel is compiled, or
with unsupported-dtype or unsupported-api when it runs. test/public/try-calls compares the table with the vendor's
headers; --write writes it anew."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from calls import all_calls, kernel  # noqa: E402
from harness import ROOT, SOC_OF_ARCH, belay  # noqa: E402
from table import read, write  # noqa: E402

MACROS = {2002: ["200", "__DAV_M200__", "__DAV_VEC__"], 2201: ["220", "__DAV_C220__", "__DAV_VEC__"],
          3510: ["310", "__DAV_C310__", "__DAV_3510__", "__DAV_VEC__"]}
PLACE = re.compile(r"^([^:\n]*):(\d+):\d+: (?:error|note): ", re.M)


def compiling(arch, chosen, file):
    """Those of the calls that compile. An error in a template is reported once."""
    cce, *macros = MACROS[arch]
    command = [os.environ.get("BELAY_CLANG", "clang++-22"), "-std=c++17", "-fsyntax-only", "-w", "-ferror-limit=0",
               f"-I{ROOT / 'src'}", f"-I{ROOT / 'src/ascendc'}", f"-I{ROOT / 'include'}",
               f"-D__NPU_ARCH__={arch}", f"-D__CCE_AICORE__={cce}", "-DBELAY_SIMULATOR=1",
               "-DBELAY_CORE_TYPE=AIV", *(f"-D{name}=1" for name in macros), str(file)]
    while True:
        text, lines = kernel(sorted(chosen))
        file.write_text(text)
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        if done.returncode == 0:
            return chosen
        wrong = {lines[int(line)] for place, line in PLACE.findall(done.stderr)
                 if place == str(file) and int(line) in lines}
        if not wrong:
            raise AssertionError(f"the calls do not compile: {done.stderr[:2000]}")
        chosen = chosen - wrong


class Stream:
    """One process that compiles the kernel once and answers each launch."""

    def __init__(self, arch, file):
        self.arch, self.file = arch, file
        self.process = subprocess.Popen([belay(), "run", "--stream"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def launch(self, first, end):
        """What is found when the calls of a range are made."""
        case = {"source": str(self.file), "soc": SOC_OF_ARCH[self.arch], "blocks": 1, "args": [
            {"inout": "u8:65536=zeros"}, {"scalar": f"u32={first}"}, {"scalar": f"u32={end}"}]}
        self.process.stdin.write(json.dumps(case) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return [] if answer["passed"] else answer["problems"] or [{"id": "failed", "message": str(answer)[:500]}]

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)


def running(arch, chosen, expected, file, step):
    """Those of the calls that run, and those that are stopped by anything but their types. What is expected to
    run does so in one launch; the others stop a launch each, and of these every step-th is tried."""
    order = sorted(chosen, key=lambda number: (number not in expected, number))
    file.write_text(kernel(order)[0])
    together = len(chosen & expected)
    stream = Stream(arch, file)
    alone = [*range(0, together if stream.launch(0, together) else 0), *range(together, len(order), step)]
    problems = {order[place]: stream.launch(place, place + 1) for place in alone}
    stream.close()
    tried = {*order[:together], *problems}
    return {number for number in tried if not problems.get(number)}, {
        number: each for number, each in problems.items()
        if each and not {problem["id"] for problem in each} <= {"unsupported-dtype", "unsupported-api"}}


def accepted(arch, step):
    names = [name for name, *_ in all_calls()]
    table = read(str(arch))
    with tempfile.TemporaryDirectory(prefix="belay-calls") as folder:
        file = pathlib.Path(folder).resolve() / "calls.cpp"
        chosen = compiling(arch, set(range(len(names))), file)
        expected = {number for number, name in enumerate(names) if name in table}
        run, other = running(arch, chosen, expected, file, step)
    for number, problems in other.items():
        print(f"{arch} {names[number]}: refused as {problems[0]['id']}: {problems[0]['message']}")
    return {names[number] for number in run}, len(other)


def main():
    wrong = 0
    writes = "--write" in sys.argv  # all of them, which takes minutes
    for arch in map(int, [each for each in sys.argv[1:] if each != "--write"] or SOC_OF_ARCH):
        ours, strange = accepted(arch, 1 if writes else 5)
        if writes:
            write(str(arch), ours)
        table = read(str(arch))
        for name in sorted(ours ^ table):
            print(f"{arch} {name}: {'accepted' if name in ours else 'refused'}, against accepted.txt")
        wrong += len(ours ^ table) + strange
        print(f"{arch}: {len(list(all_calls()))} calls, {len(ours)} accepted, {len(ours ^ table)} against the table")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
