//===- Diagnostics.cpp - Printing of reports, pages -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Diagnostics.h"
#include "support/DiagnosticLevel.h"
#include "support/SourceFiles.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace belay::support;
using namespace llvm;

namespace {

struct Page {
  StringLiteral Name;
  StringLiteral Text;
};
// Generated from docs/errors by cmake/EmbedPages.cmake.
constexpr Page Pages[] = {
#include "support/ErrorPages.inc"
};

} // namespace

static Styling::Painted label(const Styling &Style, Severity Level) {
  switch (Level) {
  case Severity::Note:
    return Style.paint(Tone::Name, "note");
  case Severity::Warning:
    return Style.paint(Tone::Warning, "warning");
  case Severity::Error:
    return Style.paint(Tone::Bad, "error");
  }
  llvm_unreachable("severity outside its enumeration");
}

static void printPlace(raw_ostream &OS, const SourcePlace &Where,
                       const Styling &Style) {
  std::string Text = Where.File.empty() ? "belay" : Where.File;
  if (Where.Line)
    Text += ":" + utostr(Where.Line);
  if (Where.Line && Where.Column)
    Text += ":" + utostr(Where.Column);
  OS << Style.paint(Tone::Strong, Text + ": ");
}

/// The line is read from the file again: reports outlive the child process that
/// ran the kernel, and most runs end without one.
static void printSourceLine(raw_ostream &OS, const SourcePlace &Where,
                            const Styling &Style) {
  if (Where.File.empty() || !Where.Line)
    return;
  std::optional<std::string> File = readSource(Where.File);
  if (!File)
    return;
  StringRef Text = fromLine(*File, Where.Line).split('\n').first.rtrim();
  if (Text.trim().empty())
    return;
  OS << "  " << Text << '\n';
  if (!Where.Column || Where.Column > Text.size())
    return;
  OS << "  ";
  for (char C : Text.take_front(Where.Column - 1))
    OS << (C == '\t' ? '\t' : ' ');
  OS << Style.paint(Tone::Good, "^") << '\n';
}

void belay::support::printDiagnostic(raw_ostream &OS, const Diagnostic &Diag,
                                     const Styling &Style) {
  printDiagnosticAs(OS, getInfo(Diag.Id).Level, Diag, Style);
}

void belay::support::printDiagnosticAs(raw_ostream &OS, Severity Level,
                                       const Diagnostic &Diag,
                                       const Styling &Style) {
  const DiagInfo &Info = getInfo(Diag.Id);
  printPlace(OS, Diag.Where, Style);
  OS << label(Style, Level) << ": "
     << (Diag.Message.empty() ? StringRef(Info.Title) : StringRef(Diag.Message))
     << Style.paint(Tone::Faint, " [" + std::string(Info.Name) + "]") << '\n';
  printSourceLine(OS, Diag.Where, Style);
  for (const DiagNote &Note : Diag.Notes) {
    printPlace(OS, Note.Where, Style);
    OS << label(Style, Severity::Note) << ": " << Note.Message << '\n';
    printSourceLine(OS, Note.Where, Style);
  }
  if (!Diag.Help.empty()) {
    printPlace(OS, {}, Style);
    OS << Style.paint(Tone::Good, "help") << ": " << Diag.Help << '\n';
  }
}

void belay::support::printExplainHint(raw_ostream &OS,
                                      ArrayRef<Diagnostic> Diags,
                                      const Styling &Style) {
  std::set<DiagId> Seen;
  for (const Diagnostic &Diag : Diags) {
    if (!Seen.insert(Diag.Id).second)
      continue;
    OS << (Seen.size() == 1 ? "for details and fixes: " : ", ")
       << Style.paint(Tone::Strong,
                      "belay explain " + std::string(getName(Diag.Id)));
  }
  if (!Seen.empty())
    OS << '\n';
}

StringRef belay::support::getExplainPage(StringRef Name) {
  for (const Page &P : Pages)
    if (P.Name == Name)
      return P.Text;
  return {};
}

std::vector<StringRef> belay::support::allExplainPages() {
  std::vector<StringRef> Names;
  for (const Page &P : Pages)
    Names.push_back(P.Name);
  return Names;
}
