"""What the proofs read is what runs: for each instruction of the final IR, as many places
of the compiled kernel issue it in the simulator, and no place issues anything else.

By hand: test/kernels/test_instructions.py
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "model"))
from harness import SOC_OF_ARCH, belay  # noqa: E402

# Kernel -> launches that take every branch together.
KERNELS = {
    "softmax<100>": [["--in", f"f32:{n}x100=normal:1", "--out", f"f32:{n}x100"] for n in (17,)],
    "vec_add<float, 256>": [["--in", f"f32:{n}=normal:1", "--in", f"f32:{n}=normal:2", "--out", f"f32:{n}"]
                            for n in (3, 269, 600)],
    "along_all<float, Oob::zero, 4, 40, 16>": [["--in", f"f32:{n}x40=normal:1", "--in", f"i32:{n}x16=randint:1:-5:45",
                                                "--out", f"f32:{n}x16"] for n in (19,)],
    # Rows that begin whole blocks apart, or do not, and rows of less than a block.
    "copied<half, 3, 32>": [["--in", f"f16:7x{n}=normal:1", "--out", f"f16:7x{n}"] for n in (80, 88, 5)],
    # Whole fractals, tails, no k at all, and rows that are too far apart for one copy.
    "matmul<half, 32, 48, 64>": [
        ["--in", f"f16:{m}x{k}=normal:1", "--in", f"f16:{k}x{n}=normal:2", "--out", f"f16:{m}x{n}"]
        for m, n, k in ((40, 50, 80), (3, 5, 0), (2, 3, 65536), (2, 65536, 2))],
}
# Those that are no examples.
SOURCES = {"along_all": HERE / "Inputs" / "takes.cpp", "copied": HERE / "Inputs" / "around.cpp"}
# Kernels that not all architectures have.
ONLY = {"copied<half, 3, 32>": (2002,), "matmul<half, 32, 48, 64>": (2201,)}
# What no launch can reach here: rows more than 2^32 elements apart are stored one by one,
# and the smallest such output has 16 GiB.
OUT_OF_REACH = {"matmul<half, 32, 48, 64>": collections.Counter(Fixpipe=1)}
NAMES = {"cube.nd2nz": "DataCopy", "cube.fill": "Fill", "cube.load": "LoadData", "cube.mmad": "Mmad",
         "cube.fixpipe": "Fixpipe", "copy_pad.in": "DataCopyPad", "copy_pad.out": "DataCopyPad", "copy_blocks.in": "DataCopy",
         "copy_blocks.out": "DataCopy", "copy_rows.in": "DataCopy", "copy_rows.out": "DataCopy", "flag.set": "SetFlag", "flag.wait": "WaitFlag", "barrier": "PipeBarrier",
         "rep.brcb": "Brcb", "rep.every_other": "GatherMask", "vec.fill": "Duplicate", "vec.copy": "DataCopy",
         "vec.gather": "Gather", "vec.compare": "Compare", "vec.select": "Select", "vec.cast": "Cast",
         "scalar.read": "GetValue", "scalar.write": "SetValue", "gm.read": "GlobalTensor::GetValue",
         "gm.write": "GlobalTensor::SetValue",
         "cache.clean": "DataCacheCleanAndInvalid"}
# Of operations whose kind names the instruction: with a scalar, reduced, and as it is.
KINDS = {"rep.scalar": "{}s", "vec.scalar": "{}s", "rep.reduce": "WholeReduce{}",
         "rep.block_reduce": "BlockReduce{}", "rep.binary": "{}",
         "vec.binary": "{}", "vec.unary": "{}"}
# Values and declarations, which issue nothing.
SILENT = {"buffer", "slice", "core_index", "core_count", "expects"}


def in_the_ir(source, kernel, soc):
    """Instruction -> how many operations are it."""
    text = subprocess.run([belay(), "build", source, "--kernel", kernel, "--soc", soc, "--deny", "--emit", "core-ir"],
                          capture_output=True, text=True, check=True).stdout
    found = collections.Counter()
    for name, kind in re.findall(r"^\s*(?:%\S+ = )?ascend\.([a-z0-9_.]+)(?: <([a-z]+)>)?", text, re.MULTILINE):
        if name in KINDS:
            found[KINDS[name].format(kind.capitalize())] += 1
        elif name not in SILENT:
            found[NAMES[name]] += 1
    return found


def executed(source, kernel, soc, launches, folder):
    """Instruction -> how many places of the code issued it."""
    places = collections.defaultdict(set)
    for number, launch in enumerate(launches):
        trace = pathlib.Path(folder) / f"trace{number}"
        subprocess.run([belay(), "run", source, "--kernel", kernel, "--soc", soc, "--deny", "--optimise", "off",
                        "--trace", str(trace), *launch], capture_output=True, text=True, check=True)
        for file in trace.parent.glob(trace.name + ".*"):
            for line in file.read_text().splitlines():
                record = json.loads(line)
                places[record["name"]].add(record["pc"])
    return collections.Counter({name: len(where) for name, where in places.items()})


def main():
    failed = 0
    for kernel, launches in KERNELS.items():
        name = kernel.split("<")[0]
        source = str(SOURCES.get(name) or ROOT / "examples" / "kernels" / f"{name}.cpp")
        for arch, soc in SOC_OF_ARCH.items():
            if arch not in ONLY.get(kernel, (arch,)):
                continue
            with tempfile.TemporaryDirectory(prefix="belay-test-") as folder:
                read, ran = in_the_ir(source, kernel, soc), executed(source, kernel, soc, launches, folder)
            same = read == ran + OUT_OF_REACH.get(kernel, collections.Counter())
            failed += not same
            print(f"{'ok  ' if same else 'FAIL'} {kernel} on {arch}: {read.total()} instructions")
            if not same:
                print(f"     read {dict(read - ran)}, executed {dict(ran - read)}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
