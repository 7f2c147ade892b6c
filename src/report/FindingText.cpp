//===- FindingText.cpp - Names and lines for what was found ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FindingText.h"
#include "support/SourceFiles.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace belay::report;
using belay::support::SourcePlace;

static bool isNameChar(char C) { return isAlnum(C) || C == '_'; }

/// The text up to the bracket that closes, or to the first comma outside of
/// brackets.
static StringRef takeArgument(StringRef Text) {
  unsigned Depth = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (Depth == 0 && (C == ',' || C == ')'))
      return Text.take_front(I);
    if (C == '(' || C == '[' || C == '{')
      ++Depth;
    else if ((C == ')' || C == ']' || C == '}') && Depth)
      --Depth;
    else if (C == ';')
      break;
  }
  return {};
}

/// Names, members and elements, but no calls and no arithmetic: those name
/// nothing that a reader could look for.
static bool isNameLike(StringRef Text) {
  if (Text.empty() || !(isAlpha(Text[0]) || Text[0] == '_'))
    return false;
  return all_of(Text, [](char C) {
    return isNameChar(C) || C == '.' || C == '[' || C == ']' || C == ':' ||
           C == '-' || C == '>' || C == '+' || C == '%' || C == ' ';
  });
}

/// The arguments of a call, which follow a name and its template arguments.
static StringRef argumentsOf(StringRef Text) {
  Text = Text.drop_while(isNameChar).ltrim();
  if (Text.starts_with("<")) {
    int Depth = 0;
    size_t I = 0;
    do {
      Depth += Text[I] == '<' ? 1 : Text[I] == '>' ? -1 : 0;
    } while (++I < Text.size() && Depth > 0 && Text[I] != ';');
    Text = Text.drop_front(I).ltrim();
  }
  return Text.consume_front("(") ? Text : StringRef();
}

std::string belay::report::firstArgumentAt(const SourcePlace &Where) {
  if (Where.File.empty() || !Where.Line || !Where.Column)
    return {};
  std::optional<std::string> File = support::readSource(Where.File);
  if (!File)
    return {};
  StringRef Text = support::fromLine(*File, Where.Line);
  StringRef Argument =
      takeArgument(argumentsOf(Text.drop_front(
                       std::min<size_t>(Where.Column - 1, Text.size()))))
          .trim();
  Argument.consume_front("this->");
  return isNameLike(Argument) ? Argument.str() : std::string();
}

std::string belay::report::ordinal(uint64_t Number) {
  const char *Suffix = "th";
  if (Number % 100 / 10 != 1)
    Suffix = Number % 10 == 1   ? "st"
             : Number % 10 == 2 ? "nd"
             : Number % 10 == 3 ? "rd"
                                : "th";
  return utostr(Number) + Suffix;
}
