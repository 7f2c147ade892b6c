//===- Instructions.h - What calls are given: all units ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_INSTRUCTIONS_H
#define BELAY_ABI_INSTRUCTIONS_H

#include "abi/Types.h"

namespace belay::sim {

enum class UnaryOp : uint8_t {
#define BELAY_UNARY(Name) Name,
#include "abi/Ops.def"
};
enum class BinaryOp : uint8_t {
#define BELAY_BINARY(Name) Name,
#include "abi/Ops.def"
};
enum class ScalarOp : uint8_t {
#define BELAY_SCALAR(Name) Name,
#include "abi/Ops.def"
};
enum class ReduceOp : uint8_t { Sum, Max, Min };
enum class CompareOp : uint8_t { LT, GT, EQ, LE, GE, NE };
enum class Rounding : uint8_t { None, Rint, Floor, Ceil, Round, Trunc, Odd };
enum class AtomicOp : uint8_t { None, Add, Max, Min };

/// Blocks of bytes that a DMA moves. Strides are from start to start.
struct Copy {
  void *Dst;
  const void *Src;
  uint32_t Bursts;
  uint32_t BurstBytes;
  int64_t DstStride;
  int64_t SrcStride;
  // Padding written around each burst in the destination.
  uint32_t LeftPadBytes = 0;
  uint32_t RightPadBytes = 0;
  uint64_t PadBits = 0; // one element, repeated
  Elem Type = Elem::U8;
  Pipe On = Pipe::MTE2;
  const char *Name = "DataCopy";
  /// What the kernel asked for, where that is cut down to whole blocks; else 0.
  uint64_t AskedBytes = 0;
};

/// DataCopy between two memories of a core. Lengths and gaps are in the units
/// of the API, which depend on the memories; the runtime knows them.
struct LocalCopy {
  void *Dst;
  const void *Src;
  Elem DstType, SrcType;
  uint32_t Bursts, BurstLength, SrcGap, DstGap;
  uint32_t Count = 0; // elements, instead of the four above
};

struct BufferRecord;
struct QueueState;

} // namespace belay::sim

#endif // BELAY_ABI_INSTRUCTIONS_H
