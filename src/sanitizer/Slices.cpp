//===- Slices.cpp - Parts of a TBuf with sizes of their own ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sanitizer/Slices.h"

#include "model/core/Core.h"
#include "model/core/Device.h"
#include "sanitizer/Pieces.h"
#include "sanitizer/Sanitizer.h"
#include <algorithm>

namespace belay::sim {

bool Slices::cross(const Slice &A, const Slice &B) {
  return A.Buffer == B.Buffer &&
         ((A.Begin < B.Begin && B.Begin < A.End && A.End < B.End) ||
          (B.Begin < A.Begin && A.Begin < B.End && B.End < A.End));
}

void Slices::add(const void *Address, uint64_t Bytes, const BufferRecord &B,
                 const void *PC) {
  const auto *Begin = static_cast<const uint8_t *>(Address);
  // What starts outside of its buffer is no part of it.
  uint64_t Offset = reinterpret_cast<uintptr_t>(Begin) -
                    reinterpret_cast<uintptr_t>(B.Address);
  if (!B.Address || Offset > B.Bytes || Bytes > LocalMemories::SlotBytes)
    return;
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
    Losses[B.Last] = {B.Last, Through, I.PC, I.Name, I.On};
  } else if (!Through || B.Lost == Through) {
    B.Lost = nullptr;
  }
  B.Last = Through;
}

template <typename Fn>
void Slices::forEachByte(const OperandRecord &O, Fn Visit) {
  const auto *First = static_cast<const uint8_t *>(O.Address);
  // An address of a list says nothing of its tensor.
  auto It = O.Buffer ? Contents.find(O.Buffer)
                     : std::find_if(Contents.begin(), Contents.end(),
                                    [&](const auto &Each) {
                                      const BufferRecord &B = *Each.first;
                                      return First >= B.Address &&
                                             First < B.Address + B.Bytes;
                                    });
  if (It == Contents.end())
    return;
  const uint8_t *Base = It->first->Address;
  const Slice *Through = O.Buffer ? find(First + O.TensorBytes) : nullptr;
  forEachPiece(O.Bytes, [&](uint64_t Offset, uint64_t Bytes) {
    int64_t Begin = First - Base + static_cast<int64_t>(Offset);
    for (int64_t At = Begin; At < Begin + static_cast<int64_t>(Bytes); ++At)
      if (At >= 0 && At < static_cast<int64_t>(It->second.size()))
        Visit(It->second[static_cast<size_t>(At)],
              reinterpret_cast<uint64_t>(Base + At), Through);
  });
}

Slices::LostBytes Slices::reads(const InstructionRecord &I) {
  LostBytes Lost;
  if (Contents.empty())
    return Lost;
  for (unsigned N = 0; N < I.NumOperands; ++N)
    if (!I.Operands[N].Write)
      forEachByte(I.Operands[N],
                  [&](const Byte &B, uint64_t Address, const Slice *Through) {
                    if (!Through || B.Lost != Through || B.Last == Through)
                      return;
                    Lost.Addresses.push_back(Address);
                    Lost.How = &Losses[Through];
                  });
  return Lost;
}

void Slices::writes(const InstructionRecord &I) {
  if (Contents.empty())
    return;
  for (unsigned N = 0; N < I.NumOperands; ++N)
    if (I.Operands[N].Write)
      forEachByte(I.Operands[N], [&](Byte &B, uint64_t, const Slice *Through) {
        write(I, Through, B);
      });
}

/// Bytes that are lost have no value for the instruction that reads them, and
/// their own for whoever reads them through the slice that they belong to now.
/// Returns those that had one.
std::vector<uint64_t> Sanitizer::hideLost(const Slices::LostBytes &Lost) {
  std::vector<uint64_t> Hidden;
  for (uint64_t At : Lost.Addresses) {
    if (undefinedBytes(At, At + 1))
      continue;
    assignBytes(At, At + 1, true);
    Hidden.push_back(At);
  }
  return Hidden;
}

/// What the instruction wrote itself stays as it left it.
void Sanitizer::showLost(const InstructionRecord &I,
                         std::vector<uint64_t> Hidden) {
  for (unsigned N = 0; N < I.NumOperands && !Hidden.empty(); ++N) {
    const OperandRecord &O = I.Operands[N];
    if (!O.Write || O.Where == Space::GM)
      continue;
    auto Base = reinterpret_cast<uint64_t>(O.Address);
    forEachPiece(O.Bytes, [&](uint64_t Offset, uint64_t Bytes) {
      std::erase_if(Hidden, [&](uint64_t At) {
        return At >= Base + Offset && At < Base + Offset + Bytes;
      });
    });
  }
  for (uint64_t At : Hidden)
    assignBytes(At, At + 1, false);
}

void Sanitizer::reportLost(const Root &From) {
  const Slices::Loss &L = *From.Lost;
  const BufferRecord &B = *L.From->Buffer;
  auto Range = [&](const Slices::Slice &S) {
    return std::to_string(S.Begin - B.Address) + " to " +
           std::to_string(S.End - 1 - B.Address);
  };
  wording::Text T =
      wording::sliceOverlap(From.Name, Range(*L.From), Range(*L.Over));
  Shared.Out.add("slice-overlap", {&C, From.PC, "read"},
                 {&C, L.OverwrittenAt, wording::roleOf({L.Name, L.On, true})},
                 T.Message, T.Hint, B);
}

} // namespace belay::sim
