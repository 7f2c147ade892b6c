"""test/public/try-npukernelbench, on a small checkout of our own: it tells right kernels
from wrong ones, and by which rule it chooses."""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from harness import belay, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "test/public/try-npukernelbench"

HOST = """
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(NAMETilingData)
TILING_DATA_FIELD_DEF(uint32_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(NAME, NAMETilingData)
static ge::graphStatus tile(gert::TilingContext *context) {
  NAMETilingData tiling;
  tiling.set_count(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(1);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
} // namespace optiling
namespace ops {
class NAME : public OpDef {
public:
  explicit NAME(const char *name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16});
    this->AICore().SetTiling(optiling::tile);
  }
};
OP_ADD(NAME);
} // namespace ops
"""
# What calls the operator on a device is not compiled.
API = '#include "opdev/op_log.h"\n#error not for us\n'
KERNEL = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void KERNEL(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                             GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  GlobalTensor<DTYPE_X> from, to;
  from.SetGlobalBuffer((__gm__ DTYPE_X *)x, t.count);
  to.SetGlobalBuffer((__gm__ DTYPE_X *)y, t.count);
  for (uint32_t i = 0; i < t.count; ++i)
    to.SetValue(i, VALUE);
}
"""
MODULE = """
import torch
import torch_npu
import kernel_gen_ops
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.FUNCTION(x)
class ModelNew(torch.nn.Module):
    def forward(self, x):
        return kernel_gen_ops.anything(x)
def get_init_inputs(param, device=None):
    return []
def get_inputs(param, device=None):
    return [torch.rand(eval(param["shape"]), dtype=getattr(torch, param["dtype"]))]
"""
CASES = "case_id;shape;dtype\n0;[3, 5];float32\n1;[8, 100];float16\n"


def add_task(checkout, place, value, function):
    folder = checkout / "tasks" / place
    name = folder.name
    kernel = {"Neg": "neg", "SinMath": "sin_math"}[name]
    files = {
        f"answer/0/op_host/{kernel}.cpp": HOST.replace("NAME", name),
        f"answer/0/op_host/aclnn_{kernel}.cpp": API,
        f"answer/0/op_kernel/{kernel}.cpp": KERNEL.replace("KERNEL", kernel)
        .replace("VALUE", value),
        "validation/module.py": MODULE.replace("FUNCTION", function),
        "validation/test_cases.csv": CASES,
    }
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def try_it(checkout, *options):
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(checkout), "--belay", belay(), *options],
        capture_output=True, text=True,
    )
    return done.returncode, done.stdout + done.stderr


def test_right_and_wrong():
    with tempfile.TemporaryDirectory(prefix="belay-test-") as folder:
        checkout = pathlib.Path(folder)
        add_task(checkout, "level1/Math/Neg", "-from.GetValue(i)", "neg")
        answers = checkout / "answers.json"
        status, text = try_it(checkout, "--json", str(answers), "--largest", "400")
        assert status == 0, text
        assert "| level1 Math | 1 | 1 |" in text
        assert "2 of 2 cases are right; 1 ran with smaller shapes" in text
        results = json.loads(answers.read_text())
        assert [r["right"] for r in results] == [True, True]

        add_task(checkout, "level1/Math/SinMath", "from.GetValue(i)", "sin")
        status, text = try_it(checkout, "SinMath")
        assert status == 1 and "WRONG" in text and "largest error" in text, text
        add_task(checkout, "level1/Math/SinMath", "from.GetValue(i + t.count)", "sin")
        status, text = try_it(checkout, "SinMath", "--case", "0")
        assert status == 1 and "1 x [gm-out-of-bounds] op_kernel/sin_math.cpp:11" in text, text


def test_choice():
    sys.path.insert(0, str(ROOT / "tasks/foreign"))
    from npukernelbench import choice

    with tempfile.TemporaryDirectory(prefix="belay-test-") as folder:
        checkout = pathlib.Path(folder)
        names = [f"ForeachOp{chr(ord('A') + i)}" for i in range(9)]
        places = [f"level2/Foreach/{name}" for name in names]
        places += [f"level1/Math/{c}" for c in "BDAC"]
        places += ["level2/Activation/" + n for n in ("DequantSwigluQuant", "Zero", "Fast")]
        places += ["level3/Sort/TopK"]
        for place in places:
            (checkout / "tasks" / place / "answer/0/op_kernel").mkdir(parents=True)
        (checkout / "tasks/level1/Math/AA").mkdir()  # has no answer
        chosen = [task.name for task in choice.choose(checkout)]
        assert chosen == ["A", "D", "Fast", "ForeachOpA", "ForeachOpI"], chosen


def test_reading():
    """What the set's Python sees as pandas and SciPy would show it, and what bindings make of numbers."""
    sys.path.insert(0, str(ROOT / "tasks/foreign"))
    from npukernelbench import calls, dilogarithm, launch, reference
    import numpy as np
    import torch

    assert reference.column_values(["true", "False", "FALSE"]) == [True, False, False]
    assert reference.column_values(["true", "2"]) == ["true", "2"]
    half, log2 = math.pi**2 / 12, math.log(2)
    for z, want in [(0, 2 * half), (0.25, 0.97846939293030611), (0.5, half - log2**2 / 2), (1, 0), (2, -half),
                    (4, -1.9393754207667087)]:
        got = dilogarithm.spence(np.array(float(z)))
        assert abs(got - want) < 1e-13, (z, got, want)
    assert np.isnan(dilogarithm.spence(np.array(-1.0)))
    assert dilogarithm.spence(np.ones(2, np.float16)).dtype == np.float32
    tensors = [torch.zeros(3, dtype=torch.int32)]
    called = calls.CALLS["ForeachMulScalarList"](tensors, torch.tensor([2], dtype=torch.int32))
    assert called.inputs[1].dtype == torch.int64
    called = calls.CALLS["TopKV3"](torch.zeros(2, 8, dtype=torch.float16), 3, 1, True, True)
    assert called.outputs[1].dtype == torch.int32
    assert called.result(called.outputs, {})[1].dtype == torch.int64
    assert launch.plain(torch.tensor(0.5)) == 0.5


if __name__ == "__main__":
    main()
