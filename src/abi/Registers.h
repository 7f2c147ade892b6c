//===- Registers.h - What calls are given: vector functions -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions inside a vector function of the 3510. A register is named by
// the address of the kernel's object that stands for it; its contents are the
// model's (decision 19). An object that is not named is null.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_REGISTERS_H
#define BELAY_ABI_REGISTERS_H

#include "abi/Instructions.h"

namespace belay::sim {

/// The name of a register, a mask or an unaligned register.
using RegisterName = const void *;

enum class RegisterOp : uint8_t {
#define BELAY_REGISTER_OP(Name) Name,
#include "abi/RegisterOps.def"
};

/// An instruction between registers. Which fields count is the operation's.
struct RegisterCompute {
  RegisterOp Op;
  Elem DstType, SrcType;
  UnaryOp Unary;
  BinaryOp Binary;
  ScalarOp WithScalar;
  CompareOp Compare;
  ReduceOp Reduce;
  Rounding Round;
  bool Merge;    // lanes that the mask leaves out keep their value
  bool Saturate; // of Cast
  bool High;     // the upper half, the second bin, a decreasing order
  bool Two;      // registers of twice the length
  uint8_t Layout;
  uint32_t Count; // of a mask: lanes; a pattern; a place
  uint64_t Scalar;
  RegisterName Dst, Dst1, Src0, Src1, Mask, Carry;
};

/// How bytes of the UB become a register.
enum class LoadForm : uint8_t {
  Normal,
  Broadcast,      // one element
  Upsample,       // each element twice
  Downsample,     // every second element
  Unpack,         // zeros after each element
  Unpack4,        // three of them
  Block,          // one block of 32 bytes, again and again
  ElementToBlock, // each element fills a block
  Deinterleave,   // even elements and odd ones
  Blocks,         // blocks that lie Stride blocks apart
  Gather,         // elements by their index
  GatherBlocks,   // blocks by their offset
  UnalignedFirst, // what comes before an unaligned load
  Unaligned,
  Anywhere, // a whole unaligned load
  Mask,
  MaskUpsample,
  MaskDownsample,
};

struct RegisterLoad {
  LoadForm Form;
  Elem Type, IndexType;
  uint8_t Unit; // bytes of an element, if the form has its own; or 0
  bool Two;
  uint32_t Stride;
  RegisterName Dst, Dst1, Index, Mask, Unaligned;
};

/// How a register becomes bytes of the UB.
enum class StoreForm : uint8_t {
  Normal,
  First,      // one element, whatever the mask
  Pack,       // the lower half of each element
  Pack4,      // the lower quarter
  Interleave, // elements of two registers in turn
  Blocks,
  Scatter,
  Unaligned,     // Count elements; the rest waits in the unaligned register
  UnalignedByAr, // as many bytes as Squeeze kept
  UnalignedLast, // what waits
  Anywhere,      // a whole unaligned store
  Mask,
  MaskPack,
  MaskUnaligned,
};

struct RegisterStore {
  StoreForm Form;
  Elem Type, IndexType;
  uint8_t Unit;
  bool Two;
  uint32_t Stride, Count;
  RegisterName Src, Src1, Index, Mask, Unaligned;
};

/// Accesses inside a vector function that LocalMemBar orders.
enum class MemoryPort : uint8_t {
  VectorStore,
  VectorLoad,
  ScalarStore,
  ScalarLoad,
  VectorAll,
  ScalarAll,
};

} // namespace belay::sim

#endif // BELAY_ABI_REGISTERS_H
