//===- Score.cpp - How right a checker is, site by site -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "corpus/Score.h"
#include "check/Report.h"
#include "support/Files.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace belay;
using namespace belay::corpus;
using namespace belay::support;

static constexpr StringLiteral UnsafeFile = "unsafe.cpp";

static bool isAt(const SourcePlace &Place, const std::set<unsigned> &Lines) {
  return sys::path::filename(Place.File) == UnsafeFile &&
         Lines.count(Place.Line);
}

static bool names(const Diagnostic &Diag, const std::set<unsigned> &Lines) {
  return any_of(Diag.Notes,
                [&](const DiagNote &Note) { return isAt(Note.Where, Lines); });
}

static bool standsRight(const Diagnostic &Diag, const Verdict &Expected,
                        const Marks &Lines) {
  if (!Expected.Other)
    return !Expected.Site || isAt(Diag.Where, Lines.Site);
  return (isAt(Diag.Where, Lines.Site) && names(Diag, Lines.Other)) ||
         (isAt(Diag.Where, Lines.Other) && names(Diag, Lines.Site));
}

Outcome belay::corpus::judge(const Verdict &Expected, const Marks &Lines,
                             ArrayRef<Diagnostic> Said) {
  if (!Expected.showable())
    return judgeSafe(Said, /*Foreign=*/false);
  Outcome Best = Said.empty() ? Outcome::Silent : Outcome::WrongId;
  for (const Diagnostic &Diag : Said) {
    if (getName(Diag.Id) != Expected.Id)
      continue;
    if (standsRight(Diag, Expected, Lines))
      return Outcome::Found;
    Best = Outcome::WrongPlace;
  }
  return Best;
}

Outcome belay::corpus::judgeSafe(ArrayRef<Diagnostic> Said, bool Foreign) {
  if (Said.empty())
    return Outcome::Clean;
  auto Unable = [](const Diagnostic &Diag) {
    return Diag.Id == DiagId::UnsupportedApi ||
           Diag.Id == DiagId::UnsupportedDtype ||
           Diag.Id == DiagId::CompileError ||
           Diag.Id == DiagId::LocalCapacity ||
           // So many blocks are other numbers of cores elsewhere.
           Diag.Id == DiagId::UnwrittenOutput;
  };
  return Foreign && any_of(Said, Unable) ? Outcome::NotForIt
                                         : Outcome::FalseAlarm;
}

ClassScore &ClassScore::operator+=(const ClassScore &Other) {
  Patterns += Other.Patterns;
  Showable += Other.Showable;
  Found += Other.Found;
  SafeKernels += Other.SafeKernels;
  FalseAlarms += Other.FalseAlarms;
  Requested += Other.Requested;
  Unknown += Other.Unknown;
  return *this;
}

namespace {

/// What the trials of one kernel add up to.
struct KernelScore {
  const Trial *First = nullptr;
  bool AsExpected = true;
  bool Unknown = false;
};

} // namespace

const Verdict &belay::corpus::labelFor(const Pattern &P, Checked How) {
  return How == Checked::ByReading ? P.Static : P.Dynamic;
}

/// Whether a static check does not know about the topic of the kernel's label.
static bool isUnknown(const Trial &T, const report::CaseResult &Result) {
  const belay::support::DiagInfo *Info =
      T.Of ? belay::support::findDiagnostic(T.Of->Static.Id) : nullptr;
  std::optional<check::Topic> Topic =
      Info ? check::topicOf(Info->Id) : std::nullopt;
  return Topic && any_of(Result.Verdicts, [&](const auto &V) {
           return V.Topic == check::nameOf(*Topic) &&
                  (V.Verdict == nameOf(check::Verdict::Unknown) ||
                   V.Verdict == nameOf(check::Verdict::CleanIf));
         });
}

static Expected<Outcome>
judgeTrial(const Trial &T, const report::CaseResult &Result, Checked How) {
  if (!T.Unsafe)
    return judgeSafe(Result.Problems, T.Foreign);
  Expected<std::string> Source = readFile(T.Case.Source, 1 << 20);
  if (!Source)
    return Source.takeError();
  Marks Lines = parseMarks(*Source);
  const Verdict &Wanted = labelFor(*T.Of, How);
  if (Wanted.showable() && ((Wanted.Site && Lines.Site.empty()) ||
                            (Wanted.Other && Lines.Other.empty())))
    return createStringError(formatv(
        "{0}: a line that the label speaks of has no marker", T.Case.Source));
  return judge(Wanted, Lines, Result.Problems);
}

static void addUp(Scoreboard &Board,
                  const std::map<std::string, KernelScore> &Kernels) {
  for (const auto &[_, Kernel] : Kernels) {
    const Pattern *P = Kernel.First->Of;
    ClassScore &Class = Board.Classes[P ? P->Class : "examples"];
    if (P && Board.How == Checked::ByReading && P->Static.showable()) {
      ++Class.Requested;
      Class.Unknown += Kernel.Unknown;
    }
    if (!Kernel.First->Unsafe) {
      ++Class.SafeKernels;
      Class.FalseAlarms += !Kernel.AsExpected;
      continue;
    }
    ++Class.Patterns;
    if (labelFor(*P, Board.How).showable()) {
      ++Class.Showable;
      Class.Found += Kernel.AsExpected;
    } else {
      Board.Unshowable.push_back(P);
      Class.FalseAlarms += !Kernel.AsExpected;
    }
  }
  for (const auto &[_, Class] : Board.Classes)
    Board.Total += Class;
}

Expected<Scoreboard> belay::corpus::score(ArrayRef<Trial> Trials,
                                          ArrayRef<report::CaseResult> Results,
                                          Checked How) {
  Scoreboard Board;
  Board.How = How;
  std::map<std::string, KernelScore> Kernels;
  for (const auto &[T, Result] : zip_equal(Trials, Results)) {
    Expected<Outcome> Judged = judgeTrial(T, Result, How);
    if (!Judged)
      return Judged.takeError();
    if (*Judged == Outcome::NotForIt) {
      ++Board.NotForIt;
      continue;
    }
    KernelScore &Kernel = Kernels[T.Case.Source];
    if (!Kernel.First)
      Kernel.First = &T;
    Kernel.Unknown |= isUnknown(T, Result);
    if (*Judged == Outcome::Found || *Judged == Outcome::Clean)
      continue;
    Kernel.AsExpected = false;
    (*Judged == Outcome::FalseAlarm ? Board.Alarms : Board.Misses)
        .push_back({&T, *Judged, &Result});
  }
  addUp(Board, Kernels);
  return Board;
}
