//===- Json.cpp - Untrusted JSON ------------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Json.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace belay::support;

static constexpr unsigned MaxDepth = 64;

/// The text of a string, without its quotes, from the one that begins it.
static StringRef stringAt(StringRef Text) {
  size_t End = 1;
  while (End < Text.size() && Text[End] != '"')
    End += Text[End] == '\\' ? 2 : 1;
  return Text.substr(1, End - 1);
}

/// What LLVM's parser does not look at: the depth, as it recurses, and members
/// that an object has twice, of which it takes one.
static Error checkShape(StringRef Text) {
  SmallVector<StringSet<>, 16> Members;
  while (!Text.empty()) {
    char C = Text.front();
    if (C == '[' || C == '{') {
      if (Members.size() >= MaxDepth)
        return createStringError("JSON nested too deeply");
      Members.emplace_back();
    } else if ((C == ']' || C == '}') && !Members.empty()) {
      Members.pop_back();
    } else if (C == '"') {
      StringRef String = stringAt(Text);
      Text = Text.drop_front(std::min(String.size() + 2, Text.size()));
      if (!Text.ltrim().starts_with(":") || Members.empty())
        continue;
      Expected<json::Value> Key = json::parse(("\"" + String + "\"").str());
      if (!Key)
        return Key.takeError();
      if (!Members.back().insert(Key->getAsString().value_or("")).second)
        return createStringError(
            formatv("the member \"{0}\" is there twice", String));
      continue;
    }
    Text = Text.drop_front();
  }
  return Error::success();
}

Expected<json::Value> belay::support::parseJson(StringRef Text) {
  if (Error E = checkShape(Text))
    return E;
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
