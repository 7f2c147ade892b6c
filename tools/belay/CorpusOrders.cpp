//===- CorpusOrders.cpp - belay corpus --schedules ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CorpusReport.h"

#include "llvm/Support/FormatVariadic.h"

using namespace belay;
using namespace belay::corpus;
using namespace belay::tool;
using namespace llvm;
using belay::support::Styling;
using belay::support::Tone;

static void printRow(raw_ostream &OS, StringRef Class, const OrderScore &S) {
  OS << formatv("{0,-16}{1,10}{2,7}{3,7}{4,11}{5,7}{6,11}{7,11}\n", Class,
                S.RaceFree, S.Same, S.Racy, S.Different, S.Flags,
                S.FlagsDifferent, S.NoResult);
}

static void printTrials(raw_ostream &OS, const Styling &Style,
                        const OrderBoard &Board, StringRef Title,
                        OrderVerdict Said, OrderEffect Seen) {
  bool First = true;
  for (const OrderTrial &Each : Board.Trials) {
    if (Each.Said != Said || Each.Seen != Seen)
      continue;
    if (First)
      OS << '\n' << Style.paint(Tone::Strong, Title) << '\n';
    First = false;
    OS << "  " << Style.paint(Tone::Name, Each.Of->str()) << '\n';
    for (const belay::support::Diagnostic &Diag : Each.Reordered->Problems)
      OS << "      " << Diag.Message << '\n';
  }
}

void belay::tool::printOrders(raw_ostream &OS, const OrderBoard &Board) {
  Styling Style(OS);
  std::string Head = formatv("{0,-16}{1,10}{2,7}{3,7}{4,11}{5,7}{6,11}{7,11}",
                             "class", "race-free", "same", "racy", "different",
                             "flags", "different", "no result");
  OS << Style.paint(Tone::Strong, Head) << '\n';
  for (const auto &[Class, Row] : Board.Classes)
    printRow(OS, Class, Row);
  printRow(OS, "total", Board.Total);
  printTrials(OS, Style, Board, "called race-free, but the order matters",
              OrderVerdict::RaceFree, OrderEffect::Differs);
  printTrials(OS, Style, Board, "called racy, but no order tried shows it",
              OrderVerdict::Racy, OrderEffect::None);
}
