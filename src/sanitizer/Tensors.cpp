//===- Tensors.cpp - Operands against the tensors they came from ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Buffers.h"
#include "model/core/Core.h"
#include "model/core/Device.h"
#include "sanitizer/Sanitizer.h"

namespace belay::sim {

namespace {

/// Local tensors end where their last block does: a DMA fills whole blocks.
uint64_t endOf(const OperandRecord &O) {
  constexpr uint64_t Block = 32;
  return O.Where == Space::GM ? O.TensorBytes
                              : (O.TensorBytes + Block - 1) / Block * Block;
}

} // namespace

/// What an instruction may do with a tensor does not depend on other pipes, so
/// it is checked when it is issued.
void Sanitizer::checkTensors(const InstructionRecord &I) {
  for (unsigned N = 0; N < I.NumOperands; ++N) {
    const OperandRecord &O = I.Operands[N];
    if (O.TensorBytes == ~uint64_t(0))
      continue;
    if (const BufferRecord *B = O.Buffer;
        B && (B->State == BufferState::Free || B->Generation != O.Generation)) {
      wording::Text T = wording::useAfterFree(I.Name, O.Write);
      Shared.Out.add("use-after-free", {&C, I.PC, "used"},
                     {&C, B->LastFreedAt, "freed"}, T.Message, T.Hint, O);
      continue;
    }
    uint64_t Span = O.Bytes.span();
    if (leavesBuffer(I, O) || Span <= endOf(O))
      continue;
    wording::Text T =
        wording::tensorOutOfBounds(I.Name, O.Write, std::to_string(Span),
                                   O.Where, std::to_string(O.TensorBytes));
    Shared.Out.add("tensor-out-of-bounds", {&C, I.PC, ""}, {}, T.Message,
                   T.Hint, O);
  }
}

void Sanitizer::onSlice(const void *Address, uint64_t Bytes,
                        const BufferRecord &B, const void *PC) {
  Parts.add(Address, Bytes, B, PC);
}

/// A tensor may promise more than its buffer has: GetWithOffset and Get(len) of
/// a TBuf believe the size that they are told.
bool Sanitizer::leavesBuffer(const InstructionRecord &I,
                             const OperandRecord &O) {
  const BufferRecord *B = O.Buffer;
  const auto *First = static_cast<const uint8_t *>(O.Address);
  if (!B ||
      (First >= B->Address && First + O.Bytes.span() <= B->Address + B->Bytes))
    return false;
  wording::Text T = wording::bufferOutOfBounds(
      I.Name, O.Write, std::to_string(First - B->Address),
      std::to_string(First + O.Bytes.span() - 1 - B->Address), O.Where,
      std::to_string(B->Bytes));
  Shared.Out.add("tensor-out-of-bounds", {&C, I.PC, "used"},
                 {&C, Parts.takenAt(First + O.TensorBytes), "taken"}, T.Message,
                 T.Hint, O);
  return true;
}

/// Buffers that a queue gave out and never got back.
void Sanitizer::reportLeaks() {
  for (const Core::BufferBlock &Block : C.BufferBlocks)
    for (uint32_t N = 0; N < Block.Num; ++N) {
      const BufferRecord &B = Block.Records[N];
      if (!B.Owner || B.State == BufferState::Free)
        continue;
      wording::Text T = wording::tensorLeak();
      Shared.Out.add("tensor-leak", {&C, B.AllocatedAt, "allocated"}, {},
                     T.Message, T.Hint, B);
    }
}

} // namespace belay::sim
