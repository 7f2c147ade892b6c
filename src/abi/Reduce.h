//===- Reduce.h - What calls are given: reductions --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_REDUCE_H
#define BELAY_ABI_REDUCE_H

#include "abi/Instructions.h"

namespace belay::sim {

/// What shares one result.
enum class ReduceUnit : uint8_t { Repeat, Block, Pair };

/// What a maximum or minimum of a repeat leaves, in AscendC's order.
enum class ReduceResult : uint8_t { ValueIndex, IndexValue, Value, Index };

/// One result per repeat, per block of 32 bytes, or per pair of neighbours.
struct PartReduction {
  const char *Name;
  void *Dst;
  const void *Src;
  ReduceOp Op;
  ReduceUnit Unit;
  ReduceResult Result;
  Elem DstT, SrcT;
  int32_t Repeat;
  int32_t DstRepeatStride; // in the results of one repeat
  int32_t SrcBlockStride, SrcRepeatStride;
  Walk W; // the mask; strides and repeats stand above, with the API's ranges
};

/// One result for everything.
struct FullReduction {
  const char *Name;
  void *Dst; // null: the scalar unit's register only
  const void *Src;
  void *Tmp;
  uint32_t TmpBytes;
  ReduceOp Op;
  Elem T;
  bool CountForm;
  bool CalIndex;
  int32_t Repeat;
  int32_t SrcRepeatStride;
  Walk W;
};

/// Registers that reductions leave for the scalar unit.
enum class ReduceRegister : uint8_t { Sum, Value, Index };

} // namespace belay::sim

#endif // BELAY_ABI_REDUCE_H
