//===- Slices.cpp - Parts of a TBuf with sizes of their own ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sanitizer/Slices.h"

#include "core/Core.h"
#include "core/Device.h"
#include "sanitizer/Pieces.h"
#include "sanitizer/Sanitizer.h"

namespace belay::sim {

bool Slices::cross(const Slice &A, const Slice &B) {
  return A.Buffer == B.Buffer &&
         ((A.Begin < B.Begin && B.Begin < A.End && A.End < B.End) ||
          (B.Begin < A.Begin && A.Begin < B.End && B.End < A.End));
}

void Slices::add(const void *Address, uint64_t Bytes, const BufferRecord &B,
                 const void *PC) {
  const auto *Begin = static_cast<const uint8_t *>(Address);
  Slice &New = ByEnd[Begin + Bytes];
  New = {Begin, Begin + Bytes, &B, PC};
  for (const auto &[End, S] : ByEnd)
    if (cross(S, New)) {
      Contents.try_emplace(&B, B.Bytes);
      return;
    }
}

void Slices::write(const InstructionRecord &I, const Slice *Through, Byte &B) {
  if (Through && B.Last && cross(*B.Last, *Through)) {
    B.Lost = B.Last;
    Overwrites[B.Last] = {Through, I.PC, I.Name, I.On};
  } else if (!Through || B.Lost == Through) {
    B.Lost = nullptr;
  }
  B.Last = Through;
}

bool Slices::access(const InstructionRecord &I, const OperandRecord &O,
                    Loss &L) {
  if (Contents.empty() || !O.Buffer)
    return false;
  auto It = Contents.find(O.Buffer);
  if (It == Contents.end())
    return false;
  const auto *First = static_cast<const uint8_t *>(O.Address);
  const Slice *Through = find(First + O.TensorBytes);
  const Slice *Lost = nullptr;
  forEachPiece(O.Bytes, [&](uint64_t Offset, uint64_t Bytes) {
    int64_t Begin = First - O.Buffer->Address + static_cast<int64_t>(Offset);
    for (int64_t At = Begin; At < Begin + static_cast<int64_t>(Bytes); ++At) {
      if (At < 0 || At >= static_cast<int64_t>(It->second.size()))
        continue;
      Byte &B = It->second[static_cast<size_t>(At)];
      if (O.Write)
        write(I, Through, B);
      else if (Through && B.Lost == Through && B.Last != Through)
        Lost = Through;
    }
  });
  if (!Lost)
    return false;
  const Overwrite &X = Overwrites[Lost];
  L = {Lost, X.Over, X.PC, X.Name, X.On};
  return true;
}

/// Sources first: an instruction may read what it then overwrites.
void Sanitizer::checkSlices(const InstructionRecord &I) {
  Slices::Loss L;
  for (bool Writes : {false, true})
    for (unsigned N = 0; N < I.NumOperands; ++N) {
      const OperandRecord &O = I.Operands[N];
      if (O.Write != Writes || !Parts.access(I, O, L))
        continue;
      auto Range = [&](const Slices::Slice &S) {
        const uint8_t *Base = O.Buffer->Address;
        return std::to_string(S.Begin - Base) + " to " +
               std::to_string(S.End - 1 - Base);
      };
      wording::Text T =
          wording::sliceOverlap(I.Name, Range(*L.From), Range(*L.Over));
      Shared.Out.add(
          "slice-overlap", {&C, I.PC, "read"},
          {&C, L.OverwrittenAt, wording::roleOf({L.Name, L.On, true})},
          T.Message, T.Hint, O);
    }
}

} // namespace belay::sim
