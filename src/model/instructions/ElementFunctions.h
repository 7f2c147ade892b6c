//===- ElementFunctions.h - What happens to elements in a row ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The meaning of element-wise operations, for instructions on memory and for
// those on registers. Each is null for types that it does not have.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_ELEMENTFUNCTIONS_H
#define BELAY_MODEL_INSTRUCTIONS_ELEMENTFUNCTIONS_H

#include "model/instructions/Elementwise.h"

namespace belay::sim {

using CastFn = void (*)(void *Dst, const void *Src, size_t N, Rounding Mode,
                        bool Saturate);
using CompareFn = void (*)(uint8_t *Flags, const void *Src0, const void *Src1,
                           bool Scalar, size_t N);

UnaryFn findUnary(UnaryOp Op, Elem T);
BinaryFn findBinary(BinaryOp Op, Elem DstT, Elem SrcT,
                    const targets::Arch &Arch);
ScalarFn findScalar(ScalarOp Op, Elem DstT, Elem SrcT);
CastFn findCast(Elem To, Elem From);
CompareFn findCompare(CompareOp Op, Elem T);

/// 16-bit floats that overflowed become the largest finite ones, NaN 0.
void saturateLanes(void *Dst, size_t N, Elem T);

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_ELEMENTFUNCTIONS_H
