"""Element types: how arrays of them lie in memory, and how their values round.

A reference computes on *wide* arrays, float32 for floating types and int64 for integers,
and rounds to the element type after each operation, as kernels of the language do. For
sums, differences, products, quotients and square roots of half and bfloat16 that gives
the correctly rounded result, because float32 has more than twice their precision and
two bits more.
"""
import numpy as np

FLOATS = ("float", "half", "bfloat16")
INTS = ("i8", "i16", "i32", "i64")
TYPES = FLOATS + INTS
STORED = {"float": np.float32, "half": np.float16, "bfloat16": np.uint16,
          "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
KIND = {"float": "f32", "half": "f16", "bfloat16": "bf16",
        "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64"}
BYTES = {name: np.dtype(t).itemsize for name, t in STORED.items()}
LOWEST = {t: -np.inf for t in FLOATS} | {t: np.iinfo(STORED[t]).min for t in INTS}
HIGHEST = {t: np.inf for t in FLOATS} | {t: np.iinfo(STORED[t]).max for t in INTS}

np.seterr(all="ignore")


def wide_type(dtype):
    return np.float32 if dtype in FLOATS else np.int64


def bf16_bits(values):
    """To the nearest bfloat16, ties to even; the bits."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = (bits + (0x7FFF + ((bits >> 16) & 1))) >> 16
    return np.where(np.isnan(values), np.uint32(0x7FC0), rounded).astype(np.uint16)


def widen(stored, dtype):
    if dtype == "bfloat16":
        return (stored.astype(np.uint32) << 16).view(np.float32)
    return stored.astype(wide_type(dtype))


def narrow(values, dtype):
    """Wide values as they are stored."""
    if dtype == "bfloat16":
        return bf16_bits(values)
    return np.ascontiguousarray(values).astype(STORED[dtype])


def rounded(values, dtype):
    """Wide values, each rounded to the type."""
    if dtype == "float":
        return values.astype(np.float32, copy=False)
    if dtype == "i64":
        return values.astype(np.int64, copy=False)
    return widen(narrow(values, dtype), dtype)
