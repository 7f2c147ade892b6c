//===- Styling.cpp - Colour on terminals only -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Styling.h"

#include <cstdlib>

using namespace belay::support;
using namespace llvm;

static bool isSet(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value && *Value;
}

Styling::Styling(const raw_ostream &OS)
    : Enabled(!isSet("NO_COLOR") &&
              (isSet("CLICOLOR_FORCE") ||
               // Asks for a terminal whose TERM knows colours.
               const_cast<raw_ostream &>(OS).has_colors())) {}

static StringRef codeOf(Tone T) {
  switch (T) {
  case Tone::Plain:
    return "";
  case Tone::Strong:
    return "\x1b[1m";
  case Tone::Faint:
    return "\x1b[2m";
  case Tone::Good:
    return "\x1b[32m";
  case Tone::Warning:
    return "\x1b[1;35m";
  case Tone::Bad:
    return "\x1b[1;31m";
  case Tone::Name:
    return "\x1b[36m";
  }
  return "";
}

Styling::Painted Styling::paint(Tone T, StringRef Text) const {
  return {Text, Enabled ? codeOf(T) : ""};
}

raw_ostream &belay::support::operator<<(raw_ostream &OS,
                                        Styling::Painted Text) {
  if (Text.Code.empty())
    return OS << Text.Text;
  return OS << Text.Code << Text.Text << "\x1b[0m";
}
