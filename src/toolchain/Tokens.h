//===- Tokens.h - The tokens of a source, before any directive --*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_TOKENS_H
#define BELAY_TOOLCHAIN_TOKENS_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace belay::toolchain {

struct Token {
  llvm::StringRef Text;
  unsigned Line;
  bool InDirective;

  bool is(llvm::StringRef Other) const { return Text == Other; }
  bool isIdentifier() const { return llvm::isAlpha(Text[0]) || Text[0] == '_'; }
};

/// C++ as Clang's lexer sees it before any directive is obeyed. Comments and
/// literals are left out; operators are single characters, except for "::":
/// "<<<" belongs to no version of C++. The tokens are parts of Source.
std::vector<Token> lex(llvm::StringRef Source);

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_TOKENS_H
