//===- Tails.cpp - The bytes after arguments, compared --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runner/Tails.h"

#include "model/core/Device.h"
#include "model/core/Failure.h"

#include <algorithm>
#include <cstring>

namespace belay::sim {

/// No value that a kernel would store by the byte: not zero, no small number,
/// and as a float of any width neither round nor NaN.
static constexpr uint8_t Untouched = 0x9d;

void Tails::add(const GlobalBuffer &B, size_t Page) {
  uint64_t Used = B.Bytes + B.Slack;
  if (B.Writable && Used % Page)
    All.push_back(
        {&B, B.Address + Used, B.Address + (Used + Page - 1) / Page * Page});
}

void Tails::fill() const {
  for (const Tail &T : All)
    std::memset(T.Begin, Untouched, static_cast<size_t>(T.End - T.Begin));
}

void Tails::check() const {
  for (const Tail &T : All) {
    const uint8_t *At = std::find_if(
        T.Begin, T.End, [](uint8_t Byte) { return Byte != Untouched; });
    if (At == T.End)
      continue;
    auto Offset = static_cast<unsigned long long>(At - T.Of->Address);
    fail("gm-out-of-bounds", nullptr,
         "run it with --check, which names the line",
         "a pointer wrote byte %llu of '%s', which has %llu bytes", Offset,
         T.Of->Name, static_cast<unsigned long long>(T.Of->Bytes));
  }
}

} // namespace belay::sim
