//===- SyncPlanner.h - Which flags and barriers a kernel needs --*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_SYNCPLANNER_H
#define BELAY_PASSES_SYNCPLANNER_H

#include "analysis/sync/OrderProof.h"
#include "passes/SyncTrace.h"
#include "passes/expand/GlobalMemory.h"

namespace belay::passes {

/// Second, on its pipe, has to wait for First on its own.
struct Dependence {
  mlir::Operation *First, *Second;
  ascend::Pipe FirstOn, SecondOn;
  /// The outermost loop whose iterations differ, or null.
  mlir::LoopLikeOpInterface CarriedBy;
  /// Iterations of that loop which use the same slot.
  bool SameSlot = false;
};

/// Adds flags and barriers until the runs of a trace find nothing more, and
/// leaves out what is redundant.
class SyncPlanner {
public:
  SyncPlanner(mlir::func::FuncOp Kernel, analysis::OrderRules Rules)
      : Kernel(Kernel), Rules(Rules), Trace(Kernel, Rules.VectorInterlock) {
    Kernel.walk([&](ascend::DmaInOp In) {
      FillsBeforeCopies |= static_cast<bool>(In.getPad());
    });
    Kernel.walk([&](ascend::DmaOutOp Out) {
      SpreadsBeforeCopies |= spreadsElements(Out);
    });
  }

  /// Looks at the kernel as it is now; at most so many runs of it will tell
  /// what has to wait.
  mlir::LogicalResult prepare(unsigned MostRuns);

  /// Adds what the plan needs besides what is pinned, and gives all flags
  /// events.
  void complete();

  /// Makes Second wait for First: by a barrier inside one pipe, by a flag
  /// between two, or by a barrier for all where a flag alone does not do. Fails
  /// if all of that is there already. With a reason, it stays and is told.
  mlir::LogicalResult order(const Dependence &What,
                            const std::string &Reason = {});

  /// A flag shares events with no other from now on; false if it does not share
  /// any.
  bool giveOwnEvents(unsigned Flag);

  /// Before each instruction, all pipes wait.
  void orderAll();

  bool hasSlots(mlir::LoopLikeOpInterface Loop) const {
    return Trace.hasSlots(Loop);
  }
  uint64_t steps() const { return Trace.steps(); }

  SyncPlan Plan;

private:
  mlir::LogicalResult solve();
  mlir::LogicalResult fix(const Violation &Wrong);
  mlir::LogicalResult order(const Violation &Wrong);
  mlir::LogicalResult slowDown(const Violation &Wrong);
  void addFlag(Flag New);
  void giveOwnEvents();

  void prune();
  void merge();
  bool tryMerge(unsigned Kept, unsigned Gone);
  void reconsider();

  std::optional<unsigned> assignEvents(bool Share);
  bool findEvent(unsigned Flag, llvm::ArrayRef<bool> Assigned, bool Share);
  bool settle(const SyncPlan &Old, const Flag &Short);
  bool useOneEvent(const Flag &Short);
  bool shareEvent(unsigned Flag);
  void replaceByBarrier(unsigned Flag);
  unsigned eventsFor(const Flag &Flag) const;

  mlir::func::FuncOp Kernel;
  analysis::OrderRules Rules;
  SyncTrace Trace;
  bool FillsBeforeCopies = false;
  bool SpreadsBeforeCopies = false;
};

} // namespace belay::passes

#endif // BELAY_PASSES_SYNCPLANNER_H
