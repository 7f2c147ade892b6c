//===- CorpusReport.cpp - The corpus and its score, in words --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CorpusReport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace belay;
using namespace belay::corpus;
using namespace belay::tool;
using namespace llvm;
using belay::support::Diagnostic;
using belay::support::Styling;
using belay::support::Tone;

static std::string percent(unsigned Part, unsigned Total) {
  return Total ? formatv("{0:F1} %", 100.0 * Part / Total).str() : "-";
}

static void printRow(raw_ostream &OS, StringRef Class, const ClassScore &S,
                     Checked How) {
  OS << formatv("{0,-16}{1,9}{2,10}{3,7}{4,10}{5,8}{6,14}", Class, S.Patterns,
                S.Showable, S.Found, percent(S.Found, S.Showable),
                S.SafeKernels, S.FalseAlarms);
  if (How == Checked::ByReading)
    OS << formatv("{0,8}{1,9}{2,10}", S.Requested, S.Unknown,
                  percent(S.Unknown, S.Requested));
  OS << '\n';
}

/// "gm-out-of-bounds at unsafe.cpp:21", each once; "nothing" for silence.
static std::string whatWasSaid(const report::CaseResult &Result) {
  std::vector<std::string> Said;
  for (const Diagnostic &Diag : Result.Problems) {
    std::string Text(getName(Diag.Id));
    if (Diag.Where.Line)
      Text += formatv(" at {0}:{1}", sys::path::filename(Diag.Where.File),
                      Diag.Where.Line);
    if (!is_contained(Said, Text))
      Said.push_back(std::move(Text));
  }
  return Said.empty() ? "nothing" : join(Said, ", ");
}

static StringRef describe(Outcome How) {
  switch (How) {
  case Outcome::WrongPlace:
    return "at the wrong line";
  case Outcome::WrongId:
    return "which is something else";
  default:
    return "";
  }
}

namespace {

/// Trials of one kernel of which the same was said.
struct Group {
  const Surprise *First;
  std::string Said;
  std::vector<std::string> Modes;
};

} // namespace

static std::vector<Group> groupAlike(ArrayRef<Surprise> Surprises) {
  std::vector<Group> Groups;
  for (const Surprise &Each : Surprises) {
    std::string Said = whatWasSaid(*Each.Result);
    auto Same = find_if(Groups, [&](const Group &G) {
      return G.First->Of->Case.Source == Each.Of->Case.Source &&
             G.First->Of->Case.Name == Each.Of->Case.Name && G.Said == Said;
    });
    if (Same == Groups.end())
      Same = Groups.insert(Groups.end(), {&Each, Said, {}});
    Same->Modes.push_back(
        formatv("{0} {1}", Each.Of->Arch, Each.Of->AutoSync ? "on" : "off"));
  }
  return Groups;
}

/// "missing-sync/v6-1-load-then-add", or the folder and case of an example.
static std::string nameOf(const Trial &T) {
  if (T.Of)
    return formatv("{0}/{1}", T.Of->Class,
                   sys::path::filename(T.Of->Directory));
  return formatv("{0}: {1}",
                 sys::path::filename(sys::path::parent_path(T.Case.Source)),
                 T.Case.Name);
}

static void printSurprises(raw_ostream &OS, const Styling &Style,
                           StringRef Title, ArrayRef<Surprise> Surprises,
                           Checked How) {
  if (Surprises.empty())
    return;
  OS << '\n' << Style.paint(Tone::Strong, Title) << '\n';
  for (const Group &G : groupAlike(Surprises)) {
    const Trial &T = *G.First->Of;
    OS << "  " << Style.paint(Tone::Name, nameOf(T)) << "  "
       << Style.paint(Tone::Faint, join(G.Modes, ", ")) << "\n      ";
    if (T.Unsafe && labelFor(*T.Of, How).showable())
      OS << "expected " << labelFor(*T.Of, How).Id << "; ";
    OS << "said " << G.Said;
    if (StringRef Why = describe(G.First->How); !Why.empty())
      OS << ", " << Why;
    OS << '\n';
  }
}

void belay::tool::printScore(raw_ostream &OS, const Scoreboard &Board) {
  Styling Style(OS);
  std::string Head =
      formatv("{0,-16}{1,9}{2,10}{3,7}{4,10}{5,8}{6,14}", "class", "patterns",
              "showable", "found", "recall", "safe", "false alarms");
  if (Board.How == Checked::ByReading)
    Head += formatv("{0,8}{1,9}{2,10}", "asked", "unknown", "").str();
  OS << Style.paint(Tone::Strong, Head) << '\n';
  for (const auto &[Class, Row] : Board.Classes)
    printRow(OS, Class, Row, Board.How);
  printRow(OS, "total", Board.Total, Board.How);
  if (Board.How == Checked::ByReading)
    OS << formatv("\nfalse alarms: {0} of the kernels that are right; unknown: "
                  "{1} of the kernels asked\n",
                  percent(Board.Total.FalseAlarms, Board.Total.SafeKernels),
                  percent(Board.Total.Unknown, Board.Total.Requested));
  if (Board.NotForIt)
    OS << formatv("\n{0} runs of examples left out: the kernel is not for that "
                  "architecture\n",
                  Board.NotForIt);
  if (!Board.Unshowable.empty()) {
    OS << '\n'
       << Style.paint(Tone::Strong, Board.How == Checked::ByReading
                                        ? "The source does not show"
                                        : "No run can show")
       << '\n';
    for (const Pattern *P : Board.Unshowable)
      OS << "  " << Style.paint(Tone::Name, P->Id) << "  "
         << labelFor(*P, Board.How).None << '\n';
  }
  printSurprises(OS, Style, "Missed", Board.Misses, Board.How);
  printSurprises(OS, Style, "False alarms", Board.Alarms, Board.How);
}

static json::Object toJson(const ClassScore &S) {
  return json::Object{{"patterns", S.Patterns},
                      {"showable", S.Showable},
                      {"found", S.Found},
                      {"safeKernels", S.SafeKernels},
                      {"falseAlarms", S.FalseAlarms},
                      {"asked", S.Requested},
                      {"unknown", S.Unknown}};
}

static json::Array toJson(ArrayRef<Surprise> Surprises, Checked How) {
  json::Array Result;
  for (const Surprise &Each : Surprises) {
    json::Object Entry{{"kernel", nameOf(*Each.Of)},
                       {"arch", Each.Of->Arch},
                       {"autoSync", Each.Of->AutoSync},
                       {"said", whatWasSaid(*Each.Result)}};
    if (Each.Of->Of)
      Entry["id"] = Each.Of->Of->Id;
    if (Each.Of->Unsafe)
      Entry["expected"] = labelFor(*Each.Of->Of, How).Id;
    Result.push_back(std::move(Entry));
  }
  return Result;
}

void belay::tool::printScoreJson(raw_ostream &OS, const Scoreboard &Board) {
  json::Object Classes;
  for (const auto &[Class, Row] : Board.Classes)
    Classes[Class] = toJson(Row);
  json::Array Unshowable;
  for (const Pattern *P : Board.Unshowable)
    Unshowable.push_back(
        json::Object{{"id", P->Id}, {"reason", labelFor(*P, Board.How).None}});
  OS << formatv("{0:2}\n", json::Value(json::Object{
                               {"perfect", Board.perfect()},
                               {"classes", std::move(Classes)},
                               {"total", toJson(Board.Total)},
                               {"unshowable", std::move(Unshowable)},
                               {"misses", toJson(Board.Misses, Board.How)},
                               {"falseAlarms", toJson(Board.Alarms, Board.How)},
                               {"notForTheirTarget", Board.NotForIt},
                           }));
}

void belay::tool::printPatterns(raw_ostream &OS, ArrayRef<Pattern> Patterns) {
  Styling Style(OS);
  StringRef Class;
  for (const Pattern &P : Patterns) {
    if (P.Class != Class)
      OS << (Class.empty() ? "" : "\n") << Style.paint(Tone::Strong, P.Class)
         << '\n';
    Class = P.Class;
    std::string Id = formatv("  {0,-6}", P.Id);
    OS << Style.paint(Tone::Name, Id) << ' ' << P.Description << '\n';
  }
}
