//===- Tokens.cpp - The tokens of a source, before any directive ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/Tokens.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/LangStandard.h"
#include "clang/Lex/Lexer.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace belay::toolchain;

std::vector<Token> belay::toolchain::lex(StringRef Source) {
  clang::LangOptions Language;
  std::vector<std::string> Includes;
  clang::LangOptions::setLangDefaults(Language, clang::Language::CXX,
                                      Triple("x86_64"), Includes,
                                      clang::LangStandard::lang_cxx20);
  const std::string Text = Source.str(); // it has to end with a zero
  clang::Lexer Lexer(clang::SourceLocation(), Language, Text.data(),
                     Text.data(), Text.data() + Text.size());
  std::vector<Token> Tokens;
  size_t Counted = 0;
  unsigned Line = 1;
  bool InDirective = false;
  for (clang::Token Each; !Lexer.LexFromRawLexer(Each);) {
    if (Each.isAtStartOfLine())
      InDirective = Each.is(clang::tok::hash);
    if (clang::tok::isLiteral(Each.getKind()) &&
        Each.isNot(clang::tok::numeric_constant))
      continue;
    size_t End = Lexer.getBufferLocation() - Text.data();
    size_t Begin = End - Each.getLength();
    Line += StringRef(Text).slice(Counted, Begin).count('\n');
    Counted = Begin;
    bool Word = Each.is(clang::tok::raw_identifier) ||
                Each.is(clang::tok::numeric_constant) ||
                Each.is(clang::tok::coloncolon);
    for (size_t At = Begin; At < End; At = Word ? End : At + 1)
      Tokens.push_back(
          {Source.slice(At, Word ? End : At + 1), Line, InDirective});
  }
  return Tokens;
}
