#!/usr/bin/python3
"""belay bench on a foreign set, read from a small checkout of our own in NPUKernelBench's form.

    test_foreign.py BELAY
"""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test/public"), str(ROOT / "test/model")]
from test_try_npukernelbench import add_task  # noqa: E402

BELAY = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else "belay"
TASK = "npukernelbench/level1/Math/Neg"
# Right, safe and as plain as it gets.
KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void neg(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  GlobalTensor<DTYPE_X> from, to;
  from.SetGlobalBuffer((__gm__ DTYPE_X *)x, t.count);
  to.SetGlobalBuffer((__gm__ DTYPE_X *)y, t.count);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, 8192);
  pipe.InitBuffer(out, 1, 8192);
  DataCopyExtParams how{1, uint32_t(t.count * sizeof(DTYPE_X)), 0, 0, 0};
  DataCopyPadExtParams<DTYPE_X> pad{false, 0, 0, 0};
  LocalTensor<DTYPE_X> a = in.AllocTensor<DTYPE_X>();
  DataCopyPad(a, from, how, pad);
  in.EnQue(a);
  a = in.DeQue<DTYPE_X>();
  LocalTensor<DTYPE_X> b = out.AllocTensor<DTYPE_X>();
  Muls(b, a, DTYPE_X(-1), t.count);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<DTYPE_X>();
  DataCopyPad(to, b, how);
  out.FreeTensor(b);
}
"""
WAIT = "  in.EnQue(a);\n  a = in.DeQue<DTYPE_X>();\n"
# Edits of the kernel, and what becomes of it.
MUTANTS = {
    "right": ("", "", "passed"),
    "wrong": ("DTYPE_X(-1)", "DTYPE_X(1)", "wrong"),
    "race": (WAIT, "", "unsafe"),
    "overrun": ("uint32_t(t.count * sizeof(DTYPE_X))", "uint32_t(t.count * sizeof(DTYPE_X) + 32)", "unsafe"),
    "syntax": ("Muls(", "Mulls(", "not-compiled"),
    "reads_results": ("  GET_TILING_DATA", '#include "../../results/0/1.npy"\n  GET_TILING_DATA', "not-compiled"),
    "reads_checkout": ("#include", '#include "CHECKOUT/tasks/level1/Math/Neg/validation/module.py"\n#include', "not-compiled"),
}


class Foreign(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="foreign-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.checkout = self.folder / "checkout"
        add_task(self.checkout, "level1/Math/Neg", "-from.GetValue(i)", "neg")
        self.set = f"npukernelbench:{self.checkout}"

    def belay(self, *arguments, status=0):
        done = subprocess.run([str(BELAY), "bench", *map(str, arguments), "--store", str(self.folder / "bench.db")],
                              cwd=self.folder, capture_output=True, text=True, timeout=600,
                              env={**os.environ, "NO_COLOR": "1"})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def run_all(self):
        self.belay("run", "--tasks", self.set, "--candidates", "candidates", "--largest", "400")
        self.belay("report", "-o", "report")
        rows = csv.DictReader(io.StringIO((self.folder / "report/results.csv").read_text()))
        results = json.loads((self.folder / "report/results.json").read_text())["results"]
        return {row["sample"]: row for row in rows}, {r["sample"]: r["result"] for r in results}

    def test_projects(self):
        self.assertIn(TASK, self.belay("tasks", "--tasks", self.set))
        # What the set's own Python prints is no part of a verdict.
        module = self.checkout / "tasks/level1/Math/Neg/validation/module.py"
        module.write_text("print('true or not')\n" + module.read_text())
        self.belay("answers", "--tasks", self.set, "-o", "candidates")
        answer = self.folder / "candidates" / TASK / "answer"
        for name, (old, new, _) in MUTANTS.items():
            self.assertIn(old, KERNEL)
            project = answer.parent / name
            for part in ("op_host", "op_kernel"):
                (project / part).mkdir(parents=True)
            (project / "op_host/neg.cpp").write_text((answer / "op_host/neg.cpp").read_text())
            (project / "op_kernel/neg.cpp").write_text(KERNEL.replace(old, new.replace("CHECKOUT", str(self.checkout))))
        (answer.parent / "no_host/op_kernel").mkdir(parents=True)
        (answer.parent / "no_host/op_host").mkdir()
        (answer.parent / "no_host/op_kernel/neg.cpp").write_text(KERNEL)
        rows, results = self.run_all()
        for name, (_, _, verdict) in {**MUTANTS, "no_host": (0, 0, "not-compiled")}.items():
            with self.subTest(name):
                self.assertEqual(rows[name]["verdict"], verdict, results[name])
        self.assertEqual(float(rows["right"]["score"]), 1)
        right = results["right"]
        self.assertTrue(right["sealed"] and right["sandbox"] and not right["timed"], right)
        self.assertEqual(right["cases"]["publicRight"], 2)
        # The answer sends its result through the scalar unit's cache and leaves it there.
        self.assertTrue(results["answer"]["correct"], results["answer"])
        # Nothing of this machine is in a record.
        for name, result in results.items():
            self.assertNotIn("/results", json.dumps(result["problems"]), name)
            self.assertNotIn("/belay-", json.dumps(result), name)
        self.assertIn("byte for byte", self.belay("replay", rows["race"]["key"][:16], "--tasks", self.set, "--largest", "400"))

    def test_reference_that_cannot_run(self):
        module = self.checkout / "tasks/level1/Math/Neg/validation/module.py"
        module.write_text("import no_such_module\n" + module.read_text())
        self.belay("answers", "--tasks", self.set, "-o", "candidates")
        rows, results = self.run_all()
        self.assertEqual(rows["answer"]["verdict"], "unjudged")
        self.assertIn("no_such_module", json.dumps(results["answer"]))
        # A set that is not there.
        self.belay("tasks", "--tasks", "npukernelbench:/no/such/folder", status=2)


if __name__ == "__main__":
    unittest.main()
