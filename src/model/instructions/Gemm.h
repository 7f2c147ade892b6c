//===- Gemm.h - Products of matrices, as the cube computes them -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of additions is part of the model: every element of C starts from
// its initial value and takes its products in ascending k, each by a fused
// multiply-add in float. Integers are exact and saturate.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_GEMM_H
#define BELAY_MODEL_INSTRUCTIONS_GEMM_H

#include "abi/Types.h"

#include <vector>

namespace belay::sim {

/// Columns of C that are computed together; B and C are padded to it.
constexpr uint32_t GemmWidth = 16;

/// C[m][n] += A[m][k] * B[k][n]. A is row-major with the given stride, B and C
/// have rows of Width elements, a multiple of GemmWidth.
void multiplyFloat(float *C, const float *A, const float *B, uint32_t M,
                   uint32_t Width, uint32_t K, uint32_t AStride);

/// The same for integers of 8 bits or fewer that are given as floats: exact,
/// with C saturated to int32_t.
void multiplyInteger(int32_t *C, const float *A, const float *B, uint32_t M,
                     uint32_t Width, uint32_t K, uint32_t AStride,
                     std::vector<float> &Scratch);

/// float with the mantissa that the cube keeps of it in HF32 mode.
float toHf32(float F, uint32_t MantissaBits, bool TowardsZero);

/// Reads Count elements of type T as float.
void widen(float *Dst, const void *Src, Elem T, uint32_t Count);

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_GEMM_H
