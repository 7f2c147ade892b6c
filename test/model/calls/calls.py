"""Calls of AscendC for every type of elements and of scalars, one to a line of a kernel.

A call is told by a name and its types, as "Adds count: half, scalar float". x, y, z and w are tensors of T in
UB, g is one in GM; U is a second type, where a function has two; s is a scalar of type S.
"""
TYPES = ("half", "bfloat16_t", "float", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t",
         "int64_t", "uint64_t")
ROUNDS = ("CAST_NONE", "CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC", "CAST_ODD")

UNARY = "Exp Ln Abs Reciprocal Sqrt Rsqrt Relu Not".split()
BINARY = "Add Sub Mul Div Max Min And Or AddRelu SubRelu".split()
SCALAR = "Adds Muls Maxs Mins LeakyRelu ShiftLeft ShiftRight Axpy".split()

# Calls of one type.
SINGLE = {
    **{f"{name} count": f"{name}(x, y, 64)" for name in UNARY},
    **{f"{name} mask": f"{name}(x, y, n, 1, {{1, 1, 8, 8}})" for name in UNARY},
    **{f"{name} count": f"{name}(x, y, z, 64)" for name in BINARY},
    **{f"{name} mask": f"{name}(x, y, z, n, 1, {{1, 1, 1, 8, 8, 8}})" for name in BINARY},
    "FusedMulAdd count": "FusedMulAdd(x, y, z, 64)",
    "FusedMulAddRelu count": "FusedMulAddRelu(x, y, z, 64)",
    "MulAddDst count": "MulAddDst(x, y, z, 64)",
    "Compare LT": "Compare(bits, x, y, CMPMODE::LT, 256)",
    "Compare EQ": "Compare(bits, x, y, CMPMODE::EQ, 256)",
    "Compares LT": "Compares(bits, x, s, CMPMODE::LT, 256)",
    "Select mask": "Select(x, bits, y, z, SELMODE::VSEL_CMPMASK_SPR, 64)",
    "Select tensor": "Select(x, bits, y, z, SELMODE::VSEL_TENSOR_TENSOR_MODE, 64)",
    "Select scalar": "Select(x, bits, y, s, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64)",
    "ReduceSum count": "ReduceSum(x, y, z, 64)",
    "ReduceMax count": "ReduceMax(x, y, z, 64, false)",
    "ReduceMin count": "ReduceMin(x, y, z, 64, false)",
    **{f"WholeReduce{what}": f"WholeReduce{what}(x, y, 16, 1, 1, 1, 8)" for what in ("Sum", "Max", "Min")},
    **{f"BlockReduce{what}": f"BlockReduce{what}(x, y, 1, 16, 1, 1, 8)" for what in ("Sum", "Max", "Min")},
    "PairReduceSum": "PairReduceSum(x, y, 1, 16, 1, 1, 8)",
    "RepeatReduceSum": "RepeatReduceSum(x, y, 1, 16, 0, 1, 1, 8)",
    "Gather count": "Gather(x, y, offsets, 0, 32)",
    "Gatherb": "Gatherb(x, y, offsets, 1, {1, 8})",
    "GatherMask pattern": "GatherMask(x, y, 1, false, 0, {1, 1, 8, 0}, kept)",
    "Brcb": "Brcb(x, y, 1, {1, 8})",
    "Transpose 16x16": "Transpose(x, y)",
    "TransDataTo5HD": "TransDataTo5HD<T>(rows, rows, {false, false, 1, 0, 0})",
    "CreateVecIndex count": "CreateVecIndex(x, s, 64)",
    "Duplicate mask": "Duplicate(x, s, n, 1, 1, 8)",
    "Copy mask": "Copy(x, y, n, 1, {1, 1, 8, 8})",
    "DataCopy in": "DataCopy(x, g, 64)",
    "DataCopy out": "DataCopy(g, x, 64)",
    "DataCopyPad in": "DataCopyPad(x, g, {1, 8, 0, 0, 0}, {false, 0, 0, 0})",
    "DataCopyPad out": "DataCopyPad(g, x, {1, 8, 0, 0, 0})",
    "Sort32": "Sort32(x, y, numbers, 1)",
}
# Calls of a destination T and a source U.
DOUBLE = {
    "AddReluCast count": "AddReluCast(x, u, u, 64)",
    "SubReluCast count": "SubReluCast(x, u, u, 64)",
    "MulAddDst mixed": "MulAddDst(x, u, u, 64)",
    "Axpy mixed": "Axpy(x, u, static_cast<U>(1), 64)",
}
# Calls with a scalar of a type of its own, and of a literal's.
SCALARS = {
    **{f"{name} count": f"{name}(x, y, s, 64)" for name in SCALAR},
    "Duplicate count": "Duplicate(x, s, 64)",
    "CompareScalar LT": "CompareScalar(bits, x, s, CMPMODE::LT, 256)",
}

# Each call is a function of its own, which keeps the compiler's work in proportion to their number.
HEAD = """#include "kernel_operator.h"
using namespace AscendC;
struct Given {
  TBuf<TPosition::VECCALC> b0, b1, b2, b3, b4;
  GM_ADDR gm;
  LocalTensor<uint8_t> bits;
  LocalTensor<uint32_t> offsets, numbers;
  uint64_t n = 16, kept = 0, rows[16];
};
#define CALL(Number, Type, Other, Scalar, ...) __attribute__((noinline)) __aicore__ void call##Number(Given &given) { \\
  using T = Type; using U = Other; using S = Scalar; auto &[b0, b1, b2, b3, b4, gm, bits, offsets, numbers, n, kept, \\
  rows] = given; LocalTensor<T> x = b0.Get<T>(), y = b1.Get<T>(), z = b2.Get<T>(); LocalTensor<U> u = b1.Get<U>(); \\
  GlobalTensor<T> g; g.SetGlobalBuffer((__gm__ T *)gm); S s = static_cast<S>(1); __VA_ARGS__; }
"""
TAIL = """
extern "C" __global__ __aicore__ void calls(GM_ADDR gm, uint32_t first, uint32_t end) {
  TPipe pipe; Given given; given.gm = gm;
  auto &[b0, b1, b2, b3, b4, memory, bits, offsets, numbers, n, kept, rows] = given;
  pipe.InitBuffer(b0, 8192); pipe.InitBuffer(b1, 8192); pipe.InitBuffer(b2, 8192); pipe.InitBuffer(b3, 8192);
  pipe.InitBuffer(b4, 8192);
  for (int i = 0; i < 5; ++i) {
    LocalTensor<int32_t> words = (i == 0 ? b0 : i == 1 ? b1 : i == 2 ? b2 : i == 3 ? b3 : b4).Get<int32_t>();
    Duplicate(words, static_cast<int32_t>(0), 2048);
  }
  PipeBarrier<PIPE_ALL>();
  bits = b3.Get<uint8_t>(); offsets = b4.Get<uint32_t>(); numbers = offsets;
  for (int i = 0; i < 16; ++i) rows[i] = (uint64_t)b0.Get<half>()[i * 16].GetPhyAddr();
  for (uint32_t which = first; which < end; ++which) switch (which) {
"""


def all_calls():
    """(name, T, U, S, call) of each."""
    for name, call in SINGLE.items():
        for element in TYPES:
            yield f"{name}: {element}", element, element, element, call
    for name, call in DOUBLE.items():
        for to in TYPES:
            for source in TYPES:
                if to != source:
                    yield f"{name}: {to}, {source}", to, source, to, call
    for name, call in SCALARS.items():
        for element in TYPES:
            for scalar in TYPES:
                yield f"{name}: {element}, scalar {scalar}", element, element, scalar, call
    for to in TYPES:
        for source in TYPES:
            for mode in ROUNDS:
                yield (f"Cast {mode}: {to}, {source}", to, source, to,
                       f"Cast(x, u, RoundMode::{mode}, 64)")


def kernel(chosen):
    """The text of a kernel with the calls of these numbers, which it makes by their place among them, and which
    line has which."""
    every, lines = list(all_calls()), {}
    text = HEAD
    for place, number in enumerate(chosen):
        _, element, other, scalar, call = every[number]
        text += f"CALL({place}, {element}, {other}, {scalar}, {call})\n"
        lines[text.count("\n")] = number
    cases = "".join(f"  case {place}: call{place}(given); break;\n" for place in range(len(chosen)))
    return f"{text}{TAIL}{cases}  }}\n}}\n", lines
