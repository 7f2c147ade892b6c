//===- Score.h - How right a checker is, site by site -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pattern counts as found if the expected diagnostic stands at the marked
// line, on every target and in every mode that its label names. "Something was
// reported" is worth nothing: a report at the wrong line sends the author to
// the wrong place.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CORPUS_SCORE_H
#define BELAY_CORPUS_SCORE_H

#include "corpus/Trials.h"
#include <map>

namespace belay::corpus {

enum class Outcome {
  Found,      ///< The expected id, at its line.
  WrongPlace, ///< The expected id, elsewhere.
  WrongId,    ///< Something else.
  Silent,     ///< Nothing, though there is a defect.
  Clean,      ///< Nothing, and there is nothing.
  FalseAlarm, ///< Something, though there is nothing.
  NotForIt,   ///< The kernel cannot run on this target and need not.
};

/// Compares what was said of one kernel with what should have been. A race has
/// two sides, and which of them comes first may depend on the run: with
/// Verdict::Other the two marked lines may stand in either order.
Outcome judge(const Verdict &Expected, const Marks &Lines,
              llvm::ArrayRef<support::Diagnostic> Said);

/// The same for a kernel that is right.
Outcome judgeSafe(llvm::ArrayRef<support::Diagnostic> Said, bool Foreign);

struct ClassScore {
  unsigned Patterns = 0; ///< Of these,
  unsigned Showable = 0; ///< a run (or the source) can show so many,
  unsigned Found = 0;    ///< and so many were found.
  unsigned SafeKernels = 0, FalseAlarms = 0;
  /// Of all kernels with a label that can be shown: a static check says that it
  /// does not know, about the topic of the label.
  unsigned Requested = 0, Unknown = 0;

  ClassScore &operator+=(const ClassScore &Other);
};

/// A trial that did not come out as its label says.
/// Which checker is measured, and so which label counts.
enum class Checked { ByRunning, ByReading };
const Verdict &labelFor(const Pattern &P, Checked How);

struct Surprise {
  const Trial *Of;
  Outcome How;
  const report::CaseResult *Result;
};

struct Scoreboard {
  /// By class; examples have a class of that name.
  std::map<std::string, ClassScore> Classes;
  ClassScore Total;
  std::vector<Surprise> Misses, Alarms;
  /// Patterns that no run can show.
  std::vector<const Pattern *> Unshowable;
  unsigned NotForIt = 0;
  Checked How = Checked::ByRunning;

  bool perfect() const { return Misses.empty() && Alarms.empty(); }
};

llvm::Expected<Scoreboard> score(llvm::ArrayRef<Trial> Trials,
                                 llvm::ArrayRef<report::CaseResult> Results,
                                 Checked How = Checked::ByRunning);

} // namespace belay::corpus

#endif // BELAY_CORPUS_SCORE_H
