"""Runs the kernels of the library and compares them with PyTorch: library.py.

kernels/tests/run [NAME...] [--soc S] [--dtypes float,half] [--schedules N] [--quick] [--summary]
"""
import argparse
import collections
import importlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
os.environ.setdefault("OMP_NUM_THREADS", "1")
import torch  # noqa: E402

import library  # noqa: E402
import references  # noqa: E402
from library import KINDS, SOCS, In, InOut, Out, Scalar  # noqa: E402


def belay():
    if "BELAY" in os.environ:
        return os.environ["BELAY"]
    built = sorted(HERE.parents[1].glob("build/*/bin/belay"), key=lambda p: p.stat().st_mtime)
    return str(built[-1]) if built else "belay"


class Stream:
    """`belay run --stream`; arrays travel as files in memory."""

    def __init__(self, schedules):
        shm = "/dev/shm" if os.path.isdir("/dev/shm") else None
        self.folder = tempfile.TemporaryDirectory(prefix="belay-library-", dir=shm)
        command = [belay(), "run", "--stream", "--deny", "--check", "--auto-sync", "off", "--optimise",
                   "off", "--counts", "--jobs", "1", "--time-limit", "120"]
        if schedules:
            command += ["--schedules", str(schedules)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, "NO_COLOR": "1"})

    def launch(self, kernel, instance, soc, blocks, arguments):
        """The answer, and what each output became."""
        specs, outputs = [], []
        for n, argument in enumerate(arguments):
            if isinstance(argument, Scalar):
                specs.append({"scalar": f"{argument.kind}={argument.value!r}"})
                continue
            source, target = f"{self.folder.name}/{n}.bin", f"{self.folder.name}/{n}.out.bin"
            data = argument.want if type(argument) is Out else argument.data
            kind = KINDS[argument.dtype if isinstance(argument, Out) else data.dtype]
            kind += ":" + "x".join(str(d) for d in data.shape)
            if not isinstance(argument, Out) or isinstance(argument, InOut):
                raw = data.flatten().view(torch.uint8).numpy() if data.numel() else b""
                pathlib.Path(source).write_bytes(raw)
            if isinstance(argument, In):
                specs.append({"in": f"{kind}={source}"})
                continue
            specs.append({"inout": f"{kind}={source}@{target}"} if isinstance(argument, InOut)
                         else {"out": f"{kind}={target}"})
            outputs.append((argument, target))
        case = {"source": str(kernel.source), "kernel": instance, "soc": soc, "blocks": blocks, "args": specs}
        self.process.stdin.write(json.dumps(case) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"belay run ended while {kernel.name} was running")
        answer = json.loads(line)
        return answer, [self.take(*o) for o in outputs] if answer["passed"] else []

    @staticmethod
    def take(argument, path):
        size = argument.want.numel() * torch.empty((), dtype=argument.dtype).element_size()
        raw = pathlib.Path(path).read_bytes()
        assert len(raw) == size, f"{path} has {len(raw)} bytes, not {size}"
        os.unlink(path)
        if not size:
            return argument, torch.empty(argument.want.shape, dtype=argument.dtype)
        got = torch.frombuffer(bytearray(raw), dtype=argument.dtype)
        return argument, got.reshape(argument.want.shape)


def shapes(arguments):
    return " ".join("x".join(map(str, (a.want if isinstance(a, Out) else a.data).shape)) or "1"
                    for a in arguments if not isinstance(a, Scalar))


def judge(kernel, answer, results):
    """What is wrong with a launch: None, or a sentence."""
    if kernel.fails:
        ids = [p["id"] for p in answer["problems"]]
        return None if kernel.fails in ids else f"expected {kernel.fails}, found {ids or 'nothing'}"
    if answer["problems"] or not answer["passed"]:
        return "; ".join(f"{p['message']} [{p['id']}]" for p in answer["problems"]) or "failed"
    for argument, got in results:
        wrong = library.difference(got, argument, kernel.rel, kernel.near)
        if wrong:
            return wrong
    return None


def run_instance(stream, kernel, dtype, instance, arch):
    """A record of all launches of one instance on one architecture."""
    record = collections.Counter()
    failures, error, counts = [], 0.0, None
    torch.manual_seed(0)
    for blocks, arguments in kernel.cases(dtype) if kernel.dtypes else kernel.cases():
        answer, results = stream.launch(kernel, instance, SOCS[arch], blocks, arguments)
        record["launches"] += 1
        wrong = judge(kernel, answer, results)
        if wrong:
            failures.append(f"blocks {blocks}, {shapes(arguments)}: {wrong}")
            if any(p["id"] == "compile-error" for p in answer["problems"]):
                break
            continue
        error = max([error, *(library.worst(got, argument) for argument, got in results)])
        elements = sum(got.numel() for _, got in results)
        if answer.get("counts") and elements >= (counts or {"elements": 1})["elements"]:
            counts = {"elements": elements, **answer["counts"]}
    return {"kernel": kernel.name, "instance": instance, "dtype": dtype, "arch": arch, "soc": SOCS[arch],
            "expectsFailure": bool(kernel.fails),
            "launches": record["launches"], "failures": failures, "error": round(error, 3),
            "counts": counts}


def chosen(names):
    for path in sorted(HERE.glob("*.py")):
        if path.stem not in ("library", "references", "runner"):
            importlib.import_module(path.stem)
    for kernel in library.KERNELS:
        category = kernel.name.split("/")[0]
        short = kernel.name.split("/")[1]
        if not names or {kernel.name, category, short, short.split(":")[0], short.split(":")[-1]} & set(names):
            yield kernel


def commit():
    """What the tree is at, for records; nothing outside of a checkout."""
    done = subprocess.run(["git", "-C", str(HERE), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return done.stdout.strip()


def key(record):
    return record["kernel"], record["instance"], record["arch"], record["expectsFailure"]


def read_records(path):
    """What --json wrote; of one instance, the last."""
    lines = path.read_text().splitlines() if path and path.exists() else []
    return list({key(r): r for r in map(json.loads, lines)}.values())


def summary(kernels, records):
    """Lines about what was run: references, architectures, and kernels that are not for all of them."""
    wrong = {r["kernel"] for r in records if r["failures"]}
    run = {r["kernel"] for r in records} - wrong
    covered = {c for k in kernels if k.name in run for c in k.covers}
    path = library.ROOT.parent / "networks" / "results.json"
    networks = json.loads(path.read_text())["networks"] if path.exists() else []
    total = sum(map(len, references.ALL.values()))
    yield (f"{len(run)} kernels right in all that was run, {len(wrong)} wrong; of {total} references they cover "
           f"{len(covered)}" + (f", and networks, which networks/results.json records, {len(networks)}" if networks else ""))
    for arch, soc in SOCS.items():
        of_arch = [r for r in records if r["arch"] == arch]
        without = collections.Counter(k.name.split("/")[0] for k in {k.name: k for k in kernels}.values()
                                      if arch not in k.archs)
        yield (f"{soc}: {len(of_arch)} instances, {sum(r['launches'] for r in of_arch)} launches, "
               f"{sum(bool(r['failures']) for r in of_arch)} failed"
               + (f"; not for it: {', '.join(f'{n} of {c}' for c, n in sorted(without.items()))}" if without else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", help="kernels or categories; default: all")
    parser.add_argument("--soc", help="only this SoC, or the architecture of this number")
    parser.add_argument("--dtypes", help="only these element types")
    parser.add_argument("--schedules", type=int, default=0, help="random orders of the pipes")
    parser.add_argument("--all", action="store_true", help="all kernels, as without a name")
    parser.add_argument("--summary", action="store_true", help="failures, and figures of the whole run")
    parser.add_argument("--quick", action="store_true",
                        help="each kernel in one type on one architecture, another for the next kernel;\n"
                             "some of those with products")
    parser.add_argument("--json", type=pathlib.Path,
                        help="add a record of each instance to this file; what is there is not run again")
    arguments = parser.parse_args()
    if arguments.all and arguments.names:
        parser.error("--all and names of kernels")
    archs = [a for a, soc in SOCS.items() if not arguments.soc or arguments.soc in (soc, str(a))]
    stream, records, failed, started = Stream(arguments.schedules), [], 0, time.time()
    done, at = {key(r) for r in read_records(arguments.json)}, commit()
    for number, kernel in enumerate(k for k in chosen(arguments.names) if k.quick or not arguments.quick):
        todo = [(dtype, instance, arch) for dtype, instance in kernel.instances()
                for arch in kernel.archs_of(dtype)
                if arch in archs and (not arguments.dtypes or not dtype or dtype in arguments.dtypes.split(","))]
        if arguments.schedules and kernel.unordered:
            continue
        if arguments.quick and todo:
            todo = [todo[number % len(todo)]]
        for dtype, instance, arch in todo:
            if (kernel.name, instance, arch, bool(kernel.fails)) in done:
                continue
            record = run_instance(stream, kernel, dtype, instance, arch)
            records.append({**record, "commit": at})
            if arguments.json:
                with arguments.json.open("a") as out:
                    out.write(json.dumps(records[-1]) + "\n")
            failed += bool(record["failures"])
            state = "FAILED" if record["failures"] else "ok"
            if record["failures"] or not arguments.summary:
                print(f"{state} {kernel.name} {instance} {SOCS[arch]}: {record['launches']} launches, "
                      f"error {record['error']} eps", flush=True)
            for text in record["failures"][:4]:
                print("    " + text[:1500], flush=True)
    if not arguments.names:
        tested = {kernel.source for kernel in library.KERNELS}
        for path in sorted(set(library.ROOT.glob("*/*.cpp")) - tested):
            print(f"FAILED {path}: nobody tests it")
            failed += 1
    stream.process.stdin.close()
    if arguments.summary:
        print("\n".join(summary(list(chosen(arguments.names)), records)))
    print(f"{len(records)} instances, {sum(r['launches'] for r in records)} launches, {failed} failed, "
          f"{time.time() - started:.0f} s")
    sys.exit(1 if failed or not records else 0)
