//===- Verdicts.cpp - What becomes of an obligation -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Prover.h"

#include "dialect/Ascend.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

std::string analysis::describeSolution(Terms &T, const Conjunction &Violation) {
  llvm::BitVector Relevant = T.dependencies(Violation);
  SmallVector<const Terms::Named *> Shown;
  SmallVector<Linear> Small;
  for (const Terms::Named &Name : T.names()) {
    bool Occurs = llvm::any_of(Name.Expr.terms(), [&](const auto &Term) {
      return Relevant.test(Term.Variable);
    });
    if (!Occurs)
      continue;
    Shown.push_back(&Name);
    Small.push_back(Name.Expr);
  }
  Solver &S = T.solver();
  S.findSmallSolution(Violation, Small);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::interleaveComma(Shown, OS, [&](const Terms::Named *Name) {
    OS << Name->Name << " = " << S.evaluate(Name->Expr);
  });
  return Text;
}

/// A warning that a counterexample may be none: a loop may never get there.
static std::string estimatesIn(const Conjunction &Violation, Terms &T) {
  llvm::BitVector Relevant = T.dependencies(Violation);
  for (const Terms::Named &Name : T.names())
    if (auto Variable = Name.Expr.asVariable())
      if (Name.IsEstimate && Relevant.test(*Variable))
        return ", if '" + Name.Name + "' gets there: a loop changes it";
  return "";
}

InFlightDiagnostic Verdicts::decide(Operation *Op, bool Holds, StringRef Id,
                                    const Twine &Message) {
  ++Counts.Obligations;
  if (Holds) {
    ++Counts.Proven;
    return {};
  }
  ++Counts.Refused;
  return Op->emitError() << Message << " [" << Id << "]";
}

/// Whether the property can hold at all where it is asked for.
static bool isRefuted(const Obligation &What, Solver &S) {
  Solver::Scope Here(S);
  for (const Conjunction &Violation : What.Violations)
    S.assume(negate(Violation));
  return S.check({}, Solver::SmallEffort) == Solver::Answer::Contradiction;
}

/// What shows that a property fails, and what would settle it.
static SmallVector<std::string> explain(const Obligation &What,
                                        const Conjunction &Failing,
                                        Solver::Answer Answer, Terms &T) {
  SmallVector<std::string> Notes;
  std::string Values;
  if (Answer == Solver::Answer::Solvable)
    Values = describeSolution(T, Failing);
  if (!Values.empty())
    Notes.push_back("it fails for " + Values + estimatesIn(Failing, T));
  else if (Answer == Solver::Answer::Unknown)
    Notes.push_back("neither proven nor refuted: the conditions are too "
                    "complicated");
  std::string Contract =
      suggestContract(T, What, Answer == Solver::Answer::Solvable);
  if (!Contract.empty())
    Notes.push_back("'expects(" + Contract + ")' would settle it");
  if (!What.Hint.empty())
    Notes.push_back(What.Hint);
  return Notes;
}

static constexpr StringLiteral Overflow = "index-overflow";

/// A way to fail that the facts do not exclude, if there is one.
static const Conjunction *findFailing(const Obligation &What, Solver &S,
                                      Solver::Answer &Answer, unsigned Effort) {
  for (const Conjunction &Violation : What.Violations) {
    bool IsLast = Effort == Solver::FullEffort;
    Answer = S.check(Violation, Effort, /*NeedsSolution=*/IsLast);
    if (Answer != Solver::Answer::Contradiction)
      return &Violation;
  }
  return nullptr;
}

/// Whether a number fits because no argument has more elements than memory.
static bool fitsByElements(const Obligation &What, Terms &T, unsigned Effort) {
  Solver::Answer Answer;
  SmallVector<Value> Views = T.viewsWithElements();
  // One view is nearly always enough, and the others are in the way.
  for (Value View : Views) {
    Terms::Scope Here(T);
    T.assumeElements(View);
    if (!findFailing(What, T.solver(), Answer, Effort))
      return true;
  }
  if (Effort < Solver::FullEffort)
    return false;
  Terms::Scope Here(T);
  for (Value View : Views)
    T.assumeElements(View);
  return !findFailing(What, T.solver(), Answer, Effort);
}

/// What took a search once is a fact from now on. That numbers fit is not worth
/// it: it brings large numbers.
static void remember(const Obligation &What, Solver &S) {
  if (What.Id == Overflow)
    return;
  for (const Conjunction &Violation : What.Violations)
    if (Violation.size() == 1 && !S.impliesAtOnce(negate(Violation.front())))
      S.assume(negate(Violation.front()));
}

void Verdicts::prove(Operation *Op, const Obligation &What, Terms &T) {
  ++Counts.Obligations;
  Solver &S = T.solver();
  auto Answer = Solver::Answer::Contradiction;
  const Conjunction *Failing = nullptr;
  // Whatever needs little effort is tried before anything that needs much.
  for (unsigned Effort : {Solver::SmallEffort, Solver::FullEffort}) {
    Failing = findFailing(What, S, Answer, Effort);
    if (!Failing || (What.Id == Overflow && fitsByElements(What, T, Effort))) {
      ++Counts.Proven;
      remember(What, S);
      return;
    }
  }
  if (What.Id == Overflow)
    Answer = S.check(*Failing); // the last search was another one
  SmallVector<std::string> Notes = explain(What, *Failing, Answer, T);
  // A guard that always stops the kernel helps nobody.
  bool IsRefuted = What.Guard && isRefuted(What, S);
  bool IsGuarded = What.Guard && !Deny && !IsRefuted;
  InFlightDiagnostic Diag = IsGuarded ? Op->emitWarning() : Op->emitError();
  if (IsRefuted)
    Diag << "'" << What.Text << "' is false whenever this is reached";
  else
    Diag << "cannot prove '" << What.Text << "'"
         << (IsGuarded ? "; a run-time guard is inserted" : "");
  Diag << " [" << What.Id << "]";
  for (const std::string &Note : Notes)
    Diag.attachNote() << Note;
  Diag.report();

  ++(IsGuarded ? Counts.Guarded : Counts.Refused);
  if (IsGuarded) {
    OpBuilder Builder(Op);
    Value Holds = What.Guard(Builder, Op->getLoc());
    ascend::GuardOp::create(Builder, Op->getLoc(), Holds,
                            Builder.getStringAttr(What.Id),
                            Builder.getStringAttr(What.Text));
  }
  // One mistake, one message. What fails without a condition, or always, leaves
  // nothing to rely on.
  for (const Conjunction &Violation : What.Violations)
    if (!Violation.empty() && !IsRefuted)
      S.assume(negate(Violation));
}
