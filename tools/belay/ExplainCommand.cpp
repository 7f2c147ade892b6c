//===- ExplainCommand.cpp - belay explain ---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "support/Diagnostics.h"
#include "support/Spelling.h"
#include "support/Styling.h"

#include "llvm/Support/raw_ostream.h"

using namespace belay;
using namespace belay::support;
using namespace belay::tool;
using namespace llvm;

static void printIds(raw_ostream &OS) {
  Styling Style(OS);
  size_t Width = 0;
  for (const DiagInfo &Info : AllDiagnostics)
    Width = std::max(Width, Info.Name.size() + 1);
  for (const DiagInfo &Info : AllDiagnostics) {
    OS << Style.paint(Tone::Name, Info.Name);
    OS.indent(gapAfter(Info.Name, Width)) << Info.Title << '\n';
  }
}

/// Markdown as it is, for pipes; on a terminal with its marks replaced by
/// tones.
static void printPage(raw_ostream &OS, StringRef Page) {
  Styling Style(OS);
  if (!Style.isEnabled()) {
    OS << Page;
    return;
  }
  bool InCode = false;
  while (!Page.empty()) {
    auto [Line, Rest] = Page.split('\n');
    Page = Rest;
    if (Line.starts_with("```"))
      InCode = !InCode;
    else if (InCode)
      OS << "    " << Style.paint(Tone::Name, Line) << '\n';
    else if (Line.starts_with("#"))
      OS << Style.paint(Tone::Strong, Line.ltrim("# ")) << '\n';
    else
      OS << Line << '\n';
  }
}

static int unknownId(StringRef Name) {
  std::vector<std::string_view> Names;
  for (const DiagInfo &Info : AllDiagnostics)
    Names.push_back(Info.Name);
  Styling Style(errs());
  errs() << Style.paint(Tone::Strong, "belay explain: ")
         << Style.paint(Tone::Bad, "error") << ": there is no diagnostic '"
         << Name << "'" << didYouMean(nearestName(Name, Names))
         << "\n'belay explain' lists all\n";
  return ExitUsage;
}

static int runExplain(const Command &Self, const Arguments &Args) {
  if (Args.Positional.empty()) {
    printIds(outs());
    return ExitSuccess;
  }
  for (StringRef Name : Args.Positional) {
    // Copied from a message, the id may still wear its brackets.
    Name = Name.trim("[]");
    if (!findDiagnostic(Name))
      return unknownId(Name);
    printPage(outs(), getExplainPage(Name));
  }
  return ExitSuccess;
}

namespace belay::tool {
extern const Command ExplainCommand;
const Command ExplainCommand = {
    "explain", "what a diagnostic means and how to fix it",
    "[ID...]",
    R"(
Every message of Belay ends with an id in brackets, such as [gm-out-of-bounds].
This shows its page: the rule, why it matters on the device, an example that
breaks it, one that keeps it, and how to fix your code. Without an id, lists all.
)",       nullptr,
    R"(
belay explain                     # all ids
belay explain gm-out-of-bounds
)",       runExplain,
};
} // namespace belay::tool
