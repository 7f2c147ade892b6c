//===- Vector.h - What calls are given: vectors, copies ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_VECTOR_H
#define BELAY_ABI_VECTOR_H

#include "abi/Instructions.h"

namespace belay::sim {

/// SELMODE of Select, in the API's order.
enum class SelectMode : uint8_t { CmpMask, Scalar, Tensor };

/// What the sources of Select and Compare are besides a vector. ScalarFirst is
/// for Select alone.
enum class Second : uint8_t { Vector, Scalar, ScalarFirst };

/// DataCopyPad into local memory. Lengths and source gaps are in bytes.
struct PadCopy {
  void *Dst;
  const void *Src;
  uint32_t Bursts;
  uint32_t BurstBytes;
  int64_t SrcGap;       // bytes, end to start
  int64_t DstGap;       // blocks of 32 bytes, end to start
  uint32_t Left, Right; // elements
  uint64_t PadBits;
  Elem Type;
  bool UsePadBits; // isPad
  bool Compact;    // bursts without gaps, padded once at the end
  bool Global;     // the destination is global memory: no padding
};

/// A copy out of NZ fractals into plain matrices. Strides are from start to
/// start, in bytes.
struct NzToNd {
  void *Dst;
  const void *Src;
  uint32_t Matrices, Rows, Columns;
  uint64_t SrcMatrixStride, SrcColumnStride;
  uint64_t DstMatrixStride, DstRowStride;
  Elem Type;
};

/// One dimension of a sliced copy, in elements of the dimension below.
struct Slice {
  uint32_t Start, End, Stride, BurstBlocks, Shape;
};

/// A copy of up to five dimensions with padding (NDDMA), innermost first.
struct MultiCopy {
  void *Dst;
  const void *Src;
  Elem Type;
  uint32_t Dims;
  uint64_t SrcStride[5]; // elements
  uint32_t DstStride[5];
  uint32_t Size[5];
  uint32_t Left[5], Right[5];
  uint64_t PadBits;
  bool Nearest; // pads repeat the nearest element
};

/// What a scalar does to a word of global memory in one step.
enum class GlobalAtomic : uint8_t { Add, Max, Min, Exchange, Compare };

/// One argument of printf.
struct PrintArg {
  enum class Kind : uint8_t { Signed, Unsigned, Real, Text, Pointer } What;
  union {
    int64_t Integer;
    double Real;
    const void *Address;
  };
};

/// A tensor that DumpTensor prints.
struct Dump {
  const void *Data;
  Elem Type;
  uint32_t Tag, Count;
  uint32_t Dims;
  const uint32_t *Shape;
};

} // namespace belay::sim

#endif // BELAY_ABI_VECTOR_H
