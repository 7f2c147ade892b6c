//===- LoopProof.h - One iteration stands for all later ones ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first iterations of a loop say nothing about the later ones unless the
// later ones do the same. When a kernel is followed for the second time
// (KernelState::Proving), a loop whose end the launch decides is followed like
// this:
//
//   head 0 .. First   as they are; First is after a period, or one later
//   head First        each variable that changes gets the value it has after
//                     any number of further periods: by a constant step, or
//                     nothing is known of it but that it only grows, or only
//                     shrinks, and what it adds up to with another one: what
//                     is left, and what is done
//   one period on     the variables have to have gone on by their steps. If the
//                     state of the device is one from which a period has been
//                     followed on this path, the path ends: all that can follow
//                     has been followed. If it is a new one, it goes on from
//                     it. Where it is known that the loop goes on, it stands
//                     for heads that go on; where it is known that it ends, it
//                     ends.
//
// At every head but the first, leaving the loop is another path. So every
// number of iterations is covered, or the kernel's topics are unknown.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_LOOPPROOF_H
#define BELAY_CHECK_LOOPPROOF_H

#include "check/Runtime.h"
#include "check/Store.h"
#include <map>
#include <memory>
#include <string>

namespace belay::check {

class Interpreter;
struct KernelState;

/// One execution of a loop.
class LoopProof {
public:
  LoopProof(Interpreter &I, Runtime &Device, KernelState &Kernel,
            const clang::Stmt *Loop, const clang::Expr *Condition, bool Long);

  enum class Step : uint8_t { GoOn, Closed, Failed };
  /// Called at each head, before the condition is evaluated.
  Step atHead();
  bool isFirstHead() const { return Heads == 1; }
  /// Variables up to here outlive an iteration.
  size_t outer() const { return Outer; }
  SymbolId iteration() const { return Iteration; }
  /// The condition holds at this head.
  void goOn();
  /// Whether what follows after the loop has been followed from a state in
  /// which the pipes know no more than now.
  bool exitCovered() const { return ExitCovered; }

  static constexpr unsigned LongestPeriod = 8;
  /// So many iterations are followed one by one if the number of all is known.
  static constexpr unsigned LongestUnrolled = 16;
  /// Whether no iteration could be found that stands for the others.
  static bool isUnrolled(const KernelState &Kernel, const clang::Stmt *Loop);

private:
  struct State {
    Runtime::OrderState Order;
    std::string Values;
    /// The loop goes on from here. A tile that was loaded ahead is in its queue
    /// only then.
    bool Runs = false;
  };
  using Snapshot = Store::Snapshot;
  bool isFollowed(PathId P) const;
  const Value *find(PathId P) const;
  bool learn(const Snapshot &Before);
  bool isStep(const Number &Change) const;
  void learnWhileRunning(PathId P, const Value &Old, const Number &Change);
  bool isAsRunning(PathId P, const Value &Now) const;
  void learnCarried(PathId P, const Number &Change);
  Value carriedValue(PathId P, const Snapshot &Now, const std::string &Key,
                     const std::string &Name);
  bool keepsRelations(PathId P) const;
  /// Runs: of all iterations that this one stands for, the condition holds.
  void generalise(bool Runs);
  void assumeNotPassed();
  State stateNow(bool Runs) const;
  Value runningValue(PathId P, const Number &Periods) const;
  void follow(State From);
  bool mayFill() const;
  void moveFills(SymbolId Before);
  bool keepsFills();
  Step verify();
  Step verify(PathId P, const Value &V);
  bool goesOn() const;
  Step fail(const llvm::Twine &Why, bool OtherPeriod);

  Interpreter &I;
  Runtime &Device;
  KernelState &Kernel;
  const clang::Stmt *Loop;
  const clang::Expr *Condition; ///< May be missing.
  bool Long;                    ///< It could be followed one by one.
  bool Waited = false;          ///< For where the second iteration writes.
  unsigned Period;
  size_t Outer; ///< Variables up to here exist outside the loop.
  /// So many numbers that are not known had been made before the loop.
  unsigned Made;
  /// The first head that stands for others.
  unsigned First = 0;
  unsigned Heads = 0, Generic = 0, BarriersBefore = 0;
  std::map<unsigned, std::unique_ptr<Snapshot>> Seen;
  /// How far a variable goes in a period; nothing if that is not known.
  std::map<PathId, std::optional<Number>> Steps;
  /// What else is known of a variable without such a step.
  struct Carried {
    Number Change;     ///< In the first period.
    int Direction = 0; ///< It grows, 1, shrinks, -1, or does either.
    /// Another variable, which this one and so many times it have always the
    /// same sum with.
    std::optional<std::pair<PathId, int64_t>> With = std::nullopt;
  };
  std::map<PathId, Carried> Relations;
  /// Of a variable without such a step: what it has at heads where the loop
  /// goes on. `if (i == last) length = tail` changes it in the last iteration
  /// only.
  struct Running {
    Value First;
    Number Step;
  };
  std::map<PathId, Running> WhileRunning;
  /// At the first head that stands for any, and at the last one.
  std::map<PathId, Value> Base;
  std::unique_ptr<Snapshot> Expected;
  SymbolId Iteration = 0;
  /// What was written before the last iteration, and what each one adds to.
  std::vector<Fill> Pieces, Fills;
  /// States that were followed from.
  std::vector<State> States;
  bool ExitCovered = false;
};

} // namespace belay::check

#endif // BELAY_CHECK_LOOPPROOF_H
