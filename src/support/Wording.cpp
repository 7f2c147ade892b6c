//===- Wording.cpp - Lines and names in texts of findings -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Wording.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using belay::support::SourcePlace;

static std::string lineOf(const SourcePlace &Where, const SourcePlace &Context,
                          const char *Unknown) {
  if (!Where.Line)
    return Unknown;
  std::string Line = "line " + utostr(Where.Line);
  if (Where.File != Context.File)
    Line += " of " + sys::path::filename(Where.File).str();
  return Line;
}

std::string belay::support::completeText(StringRef Text,
                                         const SourcePlace &Here,
                                         const SourcePlace &Other,
                                         StringRef Buffer) {
  std::string Result;
  while (!Text.empty()) {
    size_t Open = Text.find('{');
    Result += Text.take_front(Open);
    Text = Text.substr(Open);
    if (Text.consume_front("{here}")) {
      Result += lineOf(Here, Here, "the second");
    } else if (Text.consume_front("{other}")) {
      Result += lineOf(Other, Here, "the first");
    } else if (Text.consume_front("{buffer|")) {
      auto [Else, Rest] = Text.split('}');
      Result += Buffer.empty() ? Else : Buffer;
      Text = Rest;
    } else if (!Text.empty()) {
      Result += Text.front();
      Text = Text.drop_front();
    }
  }
  return Result;
}
