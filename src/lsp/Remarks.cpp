//===- Remarks.cpp - What is said about lines of a source
//---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace belay;
using namespace belay::lsp;
using namespace llvm;
using llvm::lsp::DiagnosticSeverity;
using llvm::lsp::Position;
using llvm::lsp::Range;

//===----------------------------------------------------------------------===//
// Findings and messages
//===----------------------------------------------------------------------===//

static DiagnosticSeverity severityNamed(StringRef Name) {
  if (Name == "warning")
    return DiagnosticSeverity::Warning;
  if (Name == "note" || Name == "remark")
    return DiagnosticSeverity::Information;
  return DiagnosticSeverity::Error;
}

/// Lines of other files are part of the text.
static void setPlace(Remark &R, const belay::support::SourcePlace &Where,
                     StringRef Path) {
  if (Where.File.empty() || Where.File == Path) {
    R.Line = Where.Line;
    R.Column = Where.Column;
    return;
  }
  R.Message = (sys::path::filename(Where.File) + ":" + Twine(Where.Line) +
               ": " + R.Message)
                  .str();
}

Remark belay::lsp::toRemark(const belay::support::Diagnostic &Diag,
                            StringRef Path) {
  const belay::support::DiagInfo &Info = belay::support::getInfo(Diag.Id);
  Remark R;
  R.Severity = severityNamed(belay::support::nameOf(Info.Level));
  R.Id = Info.Name;
  R.Message = Diag.Message.empty() ? std::string(Info.Title) : Diag.Message;
  R.Help = Diag.Help;
  R.Insert = Diag.Where.File == Path ? Diag.Insert : "";
  R.Notes = Diag.Notes;
  setPlace(R, Diag.Where, Path);
  return R;
}

namespace {
/// "file:3:5: error: text", taken apart.
struct Message {
  belay::support::SourcePlace Where;
  StringRef Severity, Text;
};
} // namespace

static std::optional<Message> parseMessage(StringRef Line) {
  for (StringRef Severity : {"fatal error", "error", "warning", "note"}) {
    size_t At = Line.find((": " + Severity + ": ").str());
    if (At == StringRef::npos)
      continue;
    Message M;
    M.Severity = Severity;
    M.Text = Line.drop_front(At + Severity.size() + 4);
    StringRef Place = Line.take_front(At);
    // A name may have colons, so numbers are taken from the end.
    unsigned Number;
    for (int Count = 0; Count < 2; ++Count) {
      auto [Rest, Last] = Place.rsplit(':');
      if (Last.getAsInteger(10, Number))
        break;
      M.Where.Column = M.Where.Line;
      M.Where.Line = Number;
      Place = Rest;
    }
    M.Where.File = Place.str();
    return M;
  }
  return std::nullopt;
}

/// Takes "[id]" off the end of a text.
static std::string takeId(StringRef &Text) {
  size_t At = Text.rfind(" [");
  if (At == StringRef::npos || !Text.ends_with("]"))
    return "";
  StringRef Name = Text.drop_front(At + 2).drop_back();
  if (!belay::support::findDiagnostic(Name))
    return "";
  Text = Text.take_front(At);
  return Name.str();
}

std::vector<Remark> belay::lsp::parseMessages(StringRef Text, StringRef Path) {
  std::vector<Remark> Remarks;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    if (Line.consume_front("belay: help: ")) {
      if (!Remarks.empty())
        Remarks.back().Help = Line.str();
      continue;
    }
    std::optional<Message> M = parseMessage(Line);
    if (!M)
      continue;
    if (M->Severity == "note") {
      if (!Remarks.empty())
        Remarks.back().Notes.push_back({M->Where, M->Text.str()});
      continue;
    }
    Remark &R = Remarks.emplace_back();
    R.Severity = severityNamed(M->Severity);
    R.Id = takeId(M->Text);
    R.Message = M->Text.str();
    setPlace(
        R, M->Where.File == "belay" ? belay::support::SourcePlace() : M->Where,
        Path);
  }
  return Remarks;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

StringRef belay::lsp::lineOf(StringRef Text, unsigned Line) {
  for (; Line > 1; --Line) {
    size_t End = Text.find_first_of("\r\n");
    if (End == StringRef::npos)
      return "";
    Text = Text.drop_front(End);
    if (!Text.consume_front("\r\n"))
      Text = Text.drop_front();
  }
  return Text.take_front(Text.find_first_of("\r\n"));
}

/// The units that UTF-16 has for a piece of UTF-8: two for what UTF-8 has four
/// bytes for, one for any other character, or byte that is none.
static int unitsOf(StringRef Piece) {
  int Units = 0;
  for (unsigned char C : Piece)
    Units += (C & 0xc0) == 0x80 ? 0 : C >= 0xf0 ? 2 : 1;
  return Units;
}

Range belay::lsp::rangeOf(const Remark &About, StringRef Text) {
  unsigned Line = std::max(1u, About.Line);
  StringRef Source = lineOf(Text, Line);
  size_t From = About.Column
                    ? About.Column - 1
                    : std::min(Source.find_first_not_of(" \t"), Source.size());
  From = std::min(From, Source.size());
  size_t To = Source.size();
  if (About.Column) {
    To = From;
    while (To < Source.size() && (isAlnum(Source[To]) || Source[To] == '_'))
      ++To;
    To = std::max(To, std::min(From + 1, Source.size()));
  }
  int Row = static_cast<int>(Line) - 1;
  return Range(Position(Row, unitsOf(Source.take_front(From))),
               Position(Row, unitsOf(Source.take_front(To))));
}
