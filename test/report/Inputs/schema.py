"""Holds what belay writes against docs/report.schema.json."""
import json
import pathlib
import subprocess
import sys

ROOT, WORK = map(pathlib.Path, sys.argv[1:])
sys.path.insert(0, str(ROOT / "test/launch"))
import schema  # noqa: E402

SCHEMA = json.loads((ROOT / "docs/report.schema.json").read_text())
ADD = ROOT / "examples/ascendc/add/add.cpp"
UNSAFE = ROOT / "corpus/missing-sync/v6-1-load-then-add/unsafe.cpp"
ARGUMENTS = ["--in", "f16:1024=ones", "--in", "f16:1024=ones", "--out", f"f16:1024={WORK}/z.npy", "--scalar", "u32=1024"]
BROKEN = WORK / "broken.cpp"
BROKEN.write_text('#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void f(GM_ADDR x) { nothing(); }\n')


def report(*words):
    done = subprocess.run(["belay", *map(str, words), "--format", "json"], capture_output=True, text=True)
    value = json.loads(done.stdout)
    wrong = list(schema.mistakes(value, SCHEMA))
    if wrong or value["exitStatus"] != done.returncode:
        sys.exit(f"{words}: {wrong or (value['exitStatus'], done.returncode)}")
    return value


passed = report("run", ADD, *ARGUMENTS, "--counts", "--time")
assert passed["passed"] and {"counts", "time"} <= passed["cases"][0].keys()
same = report("run", ADD, *ARGUMENTS[:4], "--out", "f16:1024", *ARGUMENTS[6:], "--expect", f"{WORK}/z.npy")
assert same["cases"][0]["outputs"][0]["comparison"]["passed"]
found = report("run", UNSAFE, "--check", "--in", "f32:512=ones", "--out", "f32:512")
assert found["cases"][0]["problems"][0]["other"]["line"] == 15
assert report("run", BROKEN, "--inout", "f32:8=ones")["exitStatus"] == 3
checked = report("check", UNSAFE)
assert {each["verdict"] for each in checked["cases"][0]["verdicts"]} >= {"finding", "clean", "clean if"}
assert report("check", ROOT / "examples/kernels/axpy.cpp")["passed"]
assert report("check", BROKEN)["exitStatus"] == 3

# Of belay build: proven, guarded, refused, no C++, and nothing but a template.
CARELESS = WORK / "careless.cpp"
CARELESS.write_text("""#include "belay/kernel.h"
using namespace belay;
[[belay::kernel]] void careless(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, load(x, span<64>(w.col().begin, 64)));
}
""")


def proof(*words):
    value = report("build", *words)
    (case,) = value["cases"]
    (verdict,) = case["verdicts"]
    assert value["passed"] == case["passed"] == (not case["problems"]), value
    return value["exitStatus"], verdict["verdict"], [(each["id"], each["line"]) for each in case["problems"]], case["kernel"]


assert proof(ROOT / "examples/kernels/axpy.cpp") == (0, "clean", [], "axpy")
assert proof(CARELESS) == (0, "unknown", [], "careless")
assert proof(CARELESS, "--deny") == (3, "finding", [("gm-out-of-bounds", 6)], "")
assert proof(ROOT / "test/language/Inputs/mixed_operands.cpp") == (3, "finding", [("compile-error", 7)], "")
value = report("build", ROOT / "examples/kernels/relu.cpp")
assert value["exitStatus"] == 3 and not value["passed"] and value["cases"][0]["problems"], value

# A run says what was not proven, too: each case, though they share one build. AscendC has no proof.
CASE = {"source": str(CARELESS), "blocks": 1, "args": [{"in": "f32:64=ones"}, {"out": "f32:64"}]}
TWICE = WORK / "twice.json"
TWICE.write_text(json.dumps({"cases": [{**CASE, "name": "one"}, {**CASE, "name": "two"}]}))
for case in report("run", TWICE)["cases"]:
    assert case["proof"]["verdict"] == "unknown" and case["proof"]["reasons"][0]["line"] == 6, case
proven = report("run", ROOT / "examples/kernels/axpy.cpp", "--in", "f32:64=ones", "--inout", "f32:64=ones",
                "--scalar", "f32=2")
assert proven["cases"][0]["proof"] == {"topic": "proof", "verdict": "clean", "reasons": []}
assert "proof" not in passed["cases"][0]
said = subprocess.run(["belay", "run", TWICE, "--format", "sarif"], capture_output=True, text=True)
kinds = [each.get("kind") for each in json.loads(said.stdout)["runs"][0]["results"]]
assert kinds == ["open", "open"], kinds

for change in ({"passed": 1}, {"exitStatus": 6}, {"more": True}, {"cases": [{**checked["cases"][0], "verdicts": 1}]},
               {"cases": [{key: value for key, value in passed["cases"][0].items() if key != "outputs"}]}):
    if not list(schema.mistakes({**checked, **change}, SCHEMA)):
        sys.exit(f"{change} is not noticed")
