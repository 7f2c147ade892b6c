//===- Roots.cpp - Where bytes without a value come from ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Core.h"
#include "model/core/Device.h"
#include "sanitizer/Pieces.h"
#include "sanitizer/Sanitizer.h"

#include <algorithm>

namespace belay::sim {

namespace {

constexpr uint64_t RootBytes = 32;

uint64_t keyOf(Space S, uint64_t Offset) {
  return uint64_t(static_cast<unsigned>(S)) << 32 | Offset / RootBytes;
}

uint64_t offsetOf(const Core &C, const OperandRecord &O) {
  return static_cast<uint64_t>(static_cast<const uint8_t *>(O.Address) -
                               C.Memories.base(O.Where));
}

} // namespace

/// The first byte without a value that an operand reads, as an offset in its
/// local memory; all ones if there is none.
uint64_t Sanitizer::firstUndefined(const OperandRecord &O) {
  uint64_t Found = ~uint64_t(0), Base = offsetOf(C, O);
  const ByteSet &Set = Values.undefined(O.Where);
  forEachPiece(O.Bytes, [&](uint64_t Offset, uint64_t Bytes) {
    uint64_t At = Base + Offset, End = At + Bytes;
    if (At >= Found || !Set.intersects(At, End))
      return;
    while (!Set.contains(At))
      ++At;
    Found = std::min(Found, At);
  });
  return Found;
}

/// What a report names besides the place where the bytes are let out. Bytes
/// that came from elsewhere without a value keep the root that they had there.
/// Otherwise the write that ended in front of them was too short, if there was
/// one in the same buffer; or else this instruction is the first to read them.
Root Sanitizer::rootOf(const InstructionRecord &I) {
  for (unsigned N = 0; N < I.NumOperands; ++N) {
    const OperandRecord &O = I.Operands[N];
    if (O.Write || O.Where == Space::GM)
      continue;
    uint64_t At = firstUndefined(O);
    if (At == ~uint64_t(0))
      continue;
    if (auto It = Roots.find(keyOf(O.Where, At)); It != Roots.end())
      return It->second;
    const auto &Shadow = Locals[static_cast<unsigned>(O.Where)];
    const uint8_t *Address = C.Memories.base(O.Where) + At;
    if (!Shadow || !At || !O.Buffer || Address <= O.Buffer->Address)
      break;
    const AccessHistory &H = Shadow->at(static_cast<uint32_t>(At - 1));
    if (!H.WriteTime)
      break;
    const Site &S = Sites[H.WriteSite];
    return {S.PC, S.Name, S.On, /*TooShort=*/true};
  }
  return {I.PC, I.Name, I.On, false};
}

/// What an instruction has written without a value has the root of its sources.
void Sanitizer::noteRoot(const InstructionRecord &I, const Root &From) {
  for (unsigned N = 0; N < I.NumOperands; ++N) {
    const OperandRecord &O = I.Operands[N];
    if (!O.Write || O.Where == Space::GM)
      continue;
    uint64_t Base = offsetOf(C, O);
    const ByteSet &Set = Values.undefined(O.Where);
    forEachPiece(O.Bytes, [&](uint64_t Offset, uint64_t Bytes) {
      uint64_t At = (Base + Offset) / RootBytes * RootBytes;
      for (; At < Base + Offset + Bytes; At += RootBytes)
        if (Set.intersects(At, At + RootBytes))
          Roots[keyOf(O.Where, At)] = From;
    });
  }
}

/// How many bytes without a value the sources of an instruction hold.
uint64_t Sanitizer::undefinedIn(const InstructionRecord &I) {
  uint64_t Sum = 0;
  for (unsigned N = 0; N < I.NumOperands; ++N) {
    const OperandRecord &O = I.Operands[N];
    if (O.Write)
      continue;
    bool Global = O.Where == Space::GM;
    uint64_t Base =
        Global ? reinterpret_cast<uint64_t>(O.Address) : offsetOf(C, O);
    forEachPiece(O.Bytes, [&](uint64_t Offset, uint64_t Bytes) {
      uint64_t At = Base + Offset;
      Sum += Global ? Shared.Values.countUndefined(At, At + Bytes)
                    : Values.undefined(O.Where).count(At, At + Bytes);
    });
  }
  return Sum;
}

void Sanitizer::reportUndefined(const InstructionRecord &I, const Root &From,
                                const char *Where, uint64_t Bytes) {
  if (From.Lost)
    return reportLost(From);
  About Source;
  for (unsigned N = 0; N < I.NumOperands && !Source.Address; ++N)
    if (!I.Operands[N].Write && readsUndefined(I.Operands[N]))
      Source = I.Operands[N];
  wording::Text T =
      wording::uninitialised(I.Name, Where, std::to_string(Bytes));
  Side Other;
  if (From.PC != I.PC)
    Other = {&C, From.PC,
             std::string(From.TooShort ? "written up to them by "
                                       : "read first by ") +
                 From.Name + " on " + nameOf(From.On)};
  Shared.Out.add("uninitialised-read", {&C, I.PC, ""}, Other, T.Message, T.Hint,
                 Source);
}

} // namespace belay::sim
