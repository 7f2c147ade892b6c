//===- Numbers.cpp - Numbers as text --------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Numbers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

std::optional<uint64_t> belay::support::parseBytes(StringRef Text) {
  uint64_t Number = 0;
  if (Text.empty() || !isDigit(Text[0]) || Text.consumeInteger(10, Number))
    return std::nullopt;
  if (!Text.consume_back("iB"))
    Text.consume_back("B");
  unsigned Shift = StringSwitch<unsigned>(Text)
                       .Case("", 0)
                       .CaseLower("k", 10)
                       .CaseLower("m", 20)
                       .CaseLower("g", 30)
                       .CaseLower("t", 40)
                       .Default(64);
  if (Shift == 64 || Number > (belay::support::MaxParsedBytes >> Shift))
    return std::nullopt;
  return Number << Shift;
}
