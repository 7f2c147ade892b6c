"""Which element types AscendC's instructions have, for the operations that become one
instruction each. `belay build` emits what it is asked for; that an instruction has no
form for a type is found by whoever compiles it. Kernels here keep to what exists."""
HALF_OR_FLOAT = {"half", "float"}
BASIC = HALF_OR_FLOAT | {"i16", "i32"}
FILLED = BASIC | {"bfloat16"}
ARITHMETIC = {"add", "sub", "mul", "max", "min", "add_scalar", "sub_scalar", "scalar_sub",
              "mul_scalar", "max_scalar", "scalar_min", "neg", "relu", "clamp",
              "broadcast_row", "broadcast_col", "col_sum", "col_max", "col_min", "shl", "shr"}
MOVES = {"load", "copy", "transpose", "transposed", "sync_cores"}


def has_form(name, dtype, arch):
    if dtype == "bfloat16" and arch == 2002:
        return False
    # The compiler knows which conversions there are, and makes others of several.
    if name.startswith("cast_") or name in MOVES:
        return True
    if name in ("full_like", "load_padded", "gather"):
        return dtype in FILLED
    if name in ARITHMETIC:
        return dtype in BASIC
    if name == "select" or name.startswith("compare"):
        return dtype in BASIC
    if name == "taken":
        return dtype == "i32"
    if name in ("and", "or", "not"):
        return dtype == "i16"
    return dtype in HALF_OR_FLOAT
