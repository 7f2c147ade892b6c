//===- Integers.cpp - Offsets that wrapped, fields that were cut ----------===//
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

constexpr uint64_t Modulus = uint64_t(1) << 32;

int64_t compute(char Op, int64_t A, int64_t B) {
  __int128 Exact = Op == '+'   ? static_cast<__int128>(A) + B
                   : Op == '-' ? static_cast<__int128>(A) - B
                               : static_cast<__int128>(A) * B;
  return static_cast<int64_t>(Exact);
}

/// Whether Value may come from a result that wrapped: it is that result, or a
/// little more, since the position inside the tile is often added afterwards.
bool follows(uint64_t Value, uint64_t Result) {
  constexpr uint64_t Near = 1 << 16;
  return (Value % Modulus) - Result < Near || Value - Result < Near;
}

/// The same for a number below zero, which may have been multiplied, in 64 bits
/// or in 32.
bool followsNegative(uint64_t Value, uint64_t Result) {
  constexpr uint64_t Near = 1 << 16, Most = 1 << 20;
  if (Result < Modulus / 2 || Result >= Modulus)
    return false;
  if (Value >= Modulus)
    return Value / Result <= Most && Value % Result < Near;
  uint64_t Below = Modulus - Value, Step = Modulus - Result;
  return Value >= Modulus / 2 && Below % Step == 0 && Below / Step <= Most;
}

} // namespace

/// The numbers that an operand may stand for.
std::vector<int64_t> Sanitizer::meaningsOf(int64_t Operand) const {
  std::vector<int64_t> All = {Operand};
  for (const Wrap &X : Wraps)
    if (X.W.Result == static_cast<uint64_t>(Operand) % Modulus)
      All.insert(All.end(), X.Exact.begin(), X.Exact.end());
  return All;
}

/// Unsigned arithmetic may go below zero and come back: then the result is
/// right, and nothing is lost.
void Sanitizer::onWrap(const WrapRecord &W) {
  constexpr size_t MostMeanings = 8;
  ++WrapCounts[W.PC].Wraps;
  Wrap X = {W, {}};
  if (W.Op)
    for (int64_t A : meaningsOf(W.Left))
      for (int64_t B : meaningsOf(W.Right)) {
        int64_t Exact = compute(W.Op, A, B);
        if (static_cast<uint64_t>(Exact) == W.Result)
          return;
        if (X.Exact.size() < MostMeanings)
          X.Exact.push_back(Exact);
      }
  Wraps.push_back(std::move(X));
  if (Wraps.size() > MaxWraps)
    Wraps.pop_front();
}

void Sanitizer::onTruncation(const WrapRecord &W, uint64_t Before) {
  // A cast has a name of its own for its type.
  std::string Type = W.Type, Mark = "belay::cast ";
  if (size_t At = Type.find(Mark); At != std::string::npos)
    Type.erase(At, Mark.size());
  wording::Text T = wording::truncated(std::to_string(Before), Type,
                                       std::to_string(W.Result));
  Shared.Out.add("field-truncated", {&C, W.PC, ""}, {}, T.Message, T.Hint);
}

void Sanitizer::onOffset(uint64_t Offset, const void *PC) {
  checkWrap(Offset, PC, "used as an offset");
}

void Sanitizer::onGap(uint64_t Bytes, const void *PC) {
  checkWrap(Bytes, PC, "used as a stride");
}

/// Hashes and random numbers wrap all the time, and now and then one of them
/// happens to look like an offset. An offset that wraps does so every time.
void Sanitizer::checkWrap(uint64_t Value, const void *PC, const char *Use) {
  constexpr uint64_t Share = 4;
  for (const auto &[W, Exact] : Wraps) {
    if (!follows(Value, W.Result) && !followsNegative(Value, W.Result))
      continue;
    WrapCount &N = WrapCounts[W.PC];
    if (++N.Used * Share < N.Wraps)
      continue;
    wording::Text T = wording::wrapped(W.Type, std::to_string(W.Result), Use);
    Shared.Out.add("offset-overflow", {&C, W.PC, ""}, {&C, PC, Use}, T.Message,
                   T.Hint);
    return;
  }
}

} // namespace belay::sim
