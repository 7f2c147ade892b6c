"""Which element types AscendC's instructions have, for the operations that become one
instruction each. `belay build` emits what it is asked for; that an instruction has no
form for a type is found by whoever compiles it. Kernels here keep to what exists."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASTS = ROOT / "src" / "simulator" / "instructions" / "Casts.def"
NAMES = {"F32": "float", "F16": "half", "BF16": "bfloat16",
         "S8": "i8", "S16": "i16", "S32": "i32", "S64": "i64"}
MODES = {"R": "nearest", "F": "floor", "C": "ceil", "A": "away", "T": "zero"}

HALF_OR_FLOAT = {"half", "float"}
BASIC = HALF_OR_FLOAT | {"i16", "i32"}
FILLED = BASIC | {"bfloat16"}
ARITHMETIC = {"add", "sub", "mul", "max", "min", "add_scalar", "sub_scalar", "scalar_sub",
              "mul_scalar", "max_scalar", "scalar_min", "neg", "relu", "clamp",
              "broadcast_row", "broadcast_col", "col_sum", "col_max", "col_min", "shl", "shr"}
MOVES = {"load", "copy", "transpose", "transposed", "sync_cores"}


def read_casts():
    """(arch, from, to) -> rounding modes"""
    text = CASTS.read_text().replace("BELAY_ROUNDED", "R | F | C | A | T")
    found = {}
    for arch, source, target, modes in re.findall(
            r"^BELAY_CAST\((\d+), (\w+), (\w+), ([^)]*)\)", text, re.MULTILINE):
        if source in NAMES and target in NAMES:
            found[int(arch), NAMES[source], NAMES[target]] = set(modes.split(" | "))
    return found


CONVERSIONS = read_casts()


def has_cast(name, target, arch):
    """name is cast_SOURCE or cast_SOURCE_MODE."""
    _, source, *mode = name.split("_")
    modes = CONVERSIONS.get((arch, source, target), set())
    if not mode:
        # What is lost is rounded to the nearest; the 310P calls that N.
        return bool(modes & {"N", "R"})
    return any(MODES.get(m) == mode[0] for m in modes)


def has_form(name, dtype, arch):
    if name.startswith("cast_"):
        return has_cast(name, dtype, arch)
    if name in MOVES:
        return True
    if name in ("full_like", "load_padded", "gather"):
        return dtype in FILLED
    if name in ARITHMETIC:
        return dtype in BASIC
    if name == "select" or name.startswith("compare"):
        return dtype in (BASIC if arch == 3510 else HALF_OR_FLOAT)
    if name in ("and", "or", "not"):
        return dtype == "i16"
    return dtype in HALF_OR_FLOAT
