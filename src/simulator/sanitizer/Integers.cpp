//===- Integers.cpp - Offsets that wrapped, fields that were cut -*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Core.h"
#include "core/Device.h"
#include "sanitizer/Sanitizer.h"

namespace belay::sim {

void Sanitizer::onWrap(const WrapRecord &W) {
  Wraps.push_back(W);
  if (Wraps.size() > MaxWraps)
    Wraps.pop_front();
}

void Sanitizer::onTruncation(const WrapRecord &W, uint64_t Before) {
  Shared.Out.add("field-truncated", {&C, W.PC, ""}, {},
                 std::to_string(Before) + " does not fit " + W.Type +
                     " and becomes " + std::to_string(W.Result),
                 "split the work into pieces that fit, or use the form of the "
                 "API with wider fields");
}

/// An offset comes from a wrapped result if it is that result, or a little
/// more: the position inside the tile is often added afterwards.
void Sanitizer::onOffset(uint64_t Offset, const void *PC) {
  constexpr uint64_t Near = 1 << 16;
  for (const WrapRecord &W : Wraps) {
    uint64_t Narrow = Offset & 0xffffffff;
    if (Narrow - W.Result >= Near && Offset - W.Result >= Near)
      continue;
    Shared.Out.add(
        "offset-overflow", {&C, W.PC, ""}, {&C, PC, "used as an offset"},
        std::string("the result does not fit ") + W.Type + " and wraps to " +
            std::to_string(W.Result) + ", which is then used as an offset",
        "widen the first operand: static_cast<uint64_t>(a) * b");
    return;
  }
}

} // namespace belay::sim
