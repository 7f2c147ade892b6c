//===- Matmul.h - The library's Matmul object -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_MATMUL_H
#define BELAY_ABI_MATMUL_H

#include "abi/Cube.h"

namespace belay::sim {

enum class MatrixFormat : uint8_t { ND, NZ, NDAlign, ColumnMajor };
enum class BatchLayout : uint8_t { None, BSNGD, SBNGD, BNGS1S2, Normal };

/// One operand of a Matmul object.
struct MatrixOperand {
  const void *Data = nullptr;
  Elem Type = Elem::F16;
  MatrixFormat Format = MatrixFormat::ND;
  BatchLayout Layout = BatchLayout::None;
  bool Transposed = false;
  bool IsScalar = false;
  uint64_t ScalarBits = 0;
};

/// Axes of a batch layout, as the tiling has them.
struct BatchAxes {
  int32_t B = 0, S = 0, N = 0, G = 0, D = 0;
};

/// All that a Matmul object in a kernel knows.
struct MatmulState {
  MatrixOperand A, B, Bias;
  Elem CType = Elem::F32;
  MatrixFormat CFormat = MatrixFormat::ND;
  BatchLayout CLayout = BatchLayout::None;
  // the whole matrices, this core's part of them, one step of it
  int32_t M = 0, N = 0, Ka = 0, Kb = 0, CColumns = 0;
  int32_t SingleM = 0, SingleN = 0, SingleK = 0;
  int32_t BaseM = 0, BaseN = 0, BaseK = 0;
  bool AlongN = false; // steps go along a row of C first
  bool HasBias = false;
  bool ChannelSplit = false, Relu = false, BiasPerBatch = true;
  bool Hf32 = false, Hf32TowardsZero = false;
  bool DualMaster = false; // the cube core computes, the vector cores do not
  bool PartialK = false;   // each part of K is a step of its own
  bool SplitM = false;     // each vector core gets half of a step's rows
  // Blocks of the part that are left out, by the steps along m and n.
  enum class Triangle : uint8_t { None, Upper, Lower } Keeps = Triangle::None;
  enum class Quant : uint8_t { None, Scalar, Vector } QuantBy = Quant::None;
  uint64_t QuantScalar = 0;
  const void *QuantTensor = nullptr;
  BatchAxes AAxes, BAxes, CAxes;
  void *Workspace = nullptr;
  // progress
  int32_t Next = 0;        // the step that Iterate computes next
  int32_t Held = -1;       // the step that waits for GetTensorC
  int32_t Fetched = 0;     // steps taken by asynchronous GetTensorC
  void *Results = nullptr; // what the runtime keeps of a step
};

/// Where results go.
struct MatmulTarget {
  void *Dst;
  bool Local;      // UB or L1 instead of GM
  bool Sequential; // one block after the other instead of in place
  AtomicOp Atomic;
};

struct MatmulBatch {
  uint32_t A, B;
  uint32_t StrideA, StrideB; // elements; 0: as the layout has it
  bool PartialSum;
};

} // namespace belay::sim

#endif // BELAY_ABI_MATMUL_H
