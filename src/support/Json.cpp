//===- Json.cpp - Untrusted JSON ------------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Json.h"

using namespace llvm;
using namespace belay::support;

static constexpr unsigned MaxDepth = 64;

Expected<json::Value> belay::support::parseJson(StringRef Text) {
  unsigned Depth = 0;
  bool InString = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (InString) {
      I += C == '\\';
      InString = C != '"';
    } else if (C == '"') {
      InString = true;
    } else if (C == '[' || C == '{') {
      if (++Depth > MaxDepth)
        return createStringError("JSON nested too deeply");
    } else if ((C == ']' || C == '}') && Depth > 0) {
      --Depth;
    }
  }
  return json::parse(Text);
}

std::optional<uint64_t> belay::support::getUnsigned(const json::Object &Object,
                                                    StringRef Key,
                                                    uint64_t Max) {
  const json::Value *Member = Object.get(Key);
  if (!Member)
    return std::nullopt;
  std::optional<uint64_t> Number = Member->getAsUINT64();
  return Number && *Number <= Max ? Number : std::nullopt;
}
