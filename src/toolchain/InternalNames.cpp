//===- InternalNames.cpp - Names of one file that others have to find -----===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/InternalNames.h"

#include "toolchain/Tokens.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace belay::toolchain;

std::string belay::toolchain::nameInternals(StringRef Source, StringRef Name) {
  std::vector<Token> Tokens = lex(Source);
  std::string Result;
  size_t Done = 0; // bytes of the source
  auto ReplaceUntil = [&](const char *Begin, const char *End, const Twine &By) {
    Result += Source.slice(Done, Begin - Source.data());
    Result += By.str();
    Done = End - Source.data();
  };
  for (size_t I = 0; I + 1 < Tokens.size(); ++I) {
    const Token &T = Tokens[I];
    if (T.InDirective)
      continue;
    if (T.is("namespace") && Tokens[I + 1].is("{"))
      ReplaceUntil(T.Text.begin(), T.Text.end(), "inline namespace " + Name);
    // Other words may stand between: static inline __global__.
    if (!T.is("static"))
      continue;
    size_t Next = I + 1;
    while (Next < Tokens.size() && Tokens[Next].isIdentifier() &&
           !Tokens[Next].is("__global__"))
      ++Next;
    if (Next < Tokens.size() && Tokens[Next].is("__global__"))
      ReplaceUntil(T.Text.begin(), T.Text.end(), "");
  }
  return Result + Source.drop_front(Done).str();
}
