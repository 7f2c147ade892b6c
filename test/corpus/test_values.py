"""What the safe kernels compute, against NumPy: a kernel that does nothing would be
an easy one to leave alone."""
import json
import os
import pathlib
import subprocess
import tempfile

import numpy as np
from corpus import patterns
from harness import SOC_OF_ARCH, main

BELAY = os.environ["BELAY"]


def run(folder, label, keep):
    """The arrays of the safe kernel, before and after, by parameter."""
    members = {**label["run"], **label.get("safe", {})}
    arch = 2201 if 2201 in label["archs"] else label["archs"][0]
    # Checked, as when the corpus is scored: both then share the compiled kernels.
    members.update(source=str(folder / "safe.cpp"), soc=SOC_OF_ARCH[arch], check=True)
    for arg in members.get("args", []):
        if "expect" in arg:
            arg["expect"] = str(folder / arg["expect"])
    case = keep / "case.json"
    case.write_text(json.dumps(members))
    subprocess.run([BELAY, "run", case, "--keep", keep], check=True, capture_output=True)
    arrays = {}
    for path in keep.glob("*.npy"):
        name, _, state = path.stem.split("-", 1)[1].partition(".")
        arrays[name, state or "after"] = np.load(path)
    return arrays


def test_values():
    checked = 0
    for folder, label in patterns():
        if "result" not in label:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            arrays = run(folder, label, pathlib.Path(scratch))
        before = {name: a for (name, state), a in arrays.items() if state == "before"}
        for name, expression in label["result"].items():
            got = arrays[name, "after"]
            wanted = eval(expression, {"np": np, **before})
            rtol = 2e-3 if got.dtype == np.float16 else 1e-5
            np.testing.assert_allclose(
                got.ravel(), np.ravel(wanted), rtol=rtol, atol=rtol, err_msg=str(folder))
            checked += 1
    assert checked, "no label has a result"


if __name__ == "__main__":
    main()
