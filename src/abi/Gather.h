//===- Gather.h - What calls are given: gather and scatter ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_GATHER_H
#define BELAY_ABI_GATHER_H

#include "abi/Instructions.h"

namespace belay::sim {

/// One element per offset. Far is the side that the offsets (in bytes, from
/// Far + Base) point into; Near is walked lane by lane.
struct IndexedMove {
  void *Near;
  void *Far;
  uint64_t FarBytes; // 0: as far as the memory goes
  const uint32_t *Offsets;
  uint64_t Base;
  Elem T;
  bool Scatter;
  Walk W; // Operand[0] strides Near
};

/// Whole blocks of 32 bytes, eight offsets per repeat.
struct BlockGather {
  void *Dst;
  const void *Src;
  uint64_t SrcBytes;
  const uint32_t *Offsets;
  Elem T;
  uint8_t Repeat;
  uint16_t DstBlockStride, DstRepeatStride;
};

/// Keeps the elements whose bit is set, side by side.
struct MaskGather {
  void *Dst;
  const void *Src;
  const void *Pattern; // null: one of the built-in ones
  uint8_t BuiltIn;     // 1 to 7
  bool Counter;        // Count elements instead of whole repeats
  uint32_t Count;
  Elem T, PatternT;
  uint16_t Repeat;
  uint16_t SrcBlockStride, SrcRepeatStride, PatternRepeatStride;
};

} // namespace belay::sim

#endif // BELAY_ABI_GATHER_H
