//===- Overlap.cpp - Sources and destination of one instruction -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Core.h"
#include "model/core/Device.h"
#include "sanitizer/Sanitizer.h"

namespace belay::sim {

namespace {

/// The bytes of an operand that the vector unit handles in one go.
struct Step {
  int64_t Begin, Bytes;
};

constexpr uint32_t RepeatBytes = 256;

/// How many elements of the widest operand make one step.
uint32_t stepElements(const InstructionRecord &I) {
  uint32_t Widest = 1;
  for (unsigned N = 0; N < I.NumOperands; ++N)
    Widest = std::max(Widest, bytesOf(I.Operands[N].Type));
  return RepeatBytes / Widest;
}

/// Step number R of an operand that walks its memory evenly.
Step stepOf(const OperandRecord &O, uint64_t R, uint32_t Elements) {
  auto Begin = reinterpret_cast<int64_t>(O.Address);
  auto Number = static_cast<int64_t>(R);
  if (O.Bytes.Repeats > 1)
    return {Begin + Number * O.Bytes.RepeatStride,
            static_cast<int64_t>(O.Bytes.Blocks - 1) * O.Bytes.BlockStride +
                static_cast<int64_t>(O.Bytes.BlockBytes)};
  int64_t Bytes = int64_t(Elements) * bytesOf(O.Type);
  int64_t Left = int64_t(O.Bytes.span()) - Number * Bytes;
  return {Begin + Number * Bytes, std::min(Bytes, Left)};
}

bool overlap(const Step &A, const Step &B) {
  return A.Begin < B.Begin + B.Bytes && B.Begin < A.Begin + A.Bytes;
}

} // namespace

/// A destination may not run over source bytes that a later step still reads,
/// and inside a step two operands of the same width are the same or apart.
void Sanitizer::checkOverlap(const InstructionRecord &I) {
  if (I.OverSource) {
    wording::Text T = wording::writesOverSource(I.Name);
    Shared.Out.add("operand-overlap", {&C, I.PC, ""}, {}, T.Message, T.Hint,
                   I.Operands[0]);
  }
  if (I.Kind != InstructionKind::Compute || I.On != Pipe::V ||
      I.NumOperands < 2)
    return;
  const OperandRecord &Dst = I.Operands[I.NumOperands - 1];
  uint32_t Elements = stepElements(I);
  for (unsigned N = 0; N + 1 < I.NumOperands; ++N) {
    const OperandRecord &Src = I.Operands[N];
    if (Src.Write || !Dst.Write || Src.Where != Dst.Where)
      continue;
    Step WholeDst = {reinterpret_cast<int64_t>(Dst.Address),
                     int64_t(Dst.Bytes.span())};
    Step WholeSrc = {reinterpret_cast<int64_t>(Src.Address),
                     int64_t(Src.Bytes.span())};
    bool InPlace =
        Src.Address == Dst.Address && bytesOf(Src.Type) == bytesOf(Dst.Type);
    if (InPlace || !overlap(WholeDst, WholeSrc))
      continue;
    uint64_t Steps =
        Dst.Bytes.Repeats > 1
            ? Dst.Bytes.Repeats
            : divideUp(Dst.Bytes.span() / bytesOf(Dst.Type), Elements);
    bool Bad = false;
    for (uint64_t R = 0; R < Steps && !Bad; ++R) {
      Step D = stepOf(Dst, R, Elements);
      Step Same = stepOf(Src, R, Elements);
      Bad = overlap(D, Same) && D.Begin != Same.Begin &&
            bytesOf(Dst.Type) == bytesOf(Src.Type);
      if (R + 1 < Steps)
        Bad |= overlap(D, stepOf(Src, R + 1, Elements));
    }
    if (!Bad)
      continue;
    wording::Text T = wording::partialOverlap(
        I.Name, std::to_string(std::abs(WholeDst.Begin - WholeSrc.Begin)));
    Shared.Out.add("partial-overlap", {&C, I.PC, ""}, {}, T.Message, T.Hint);
  }
}

} // namespace belay::sim
