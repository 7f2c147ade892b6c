//===- OrderProof.h - Proving the order of instructions ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of the proof says, for each pipe and each instruction of the
// program, how many of the instruction's latest executions the pipe does not
// know to be complete when it starts its next one: 0 (all are complete), 1 (all
// but the latest), 2, or more. Executing an instruction makes all these numbers
// one larger, flags carry them from pipe to pipe, two ways that meet keep the
// larger one. As the numbers are bounded, the states at the head of a loop
// reach a fixpoint, and what holds in it holds in every turn.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_SYNC_ORDERPROOF_H
#define BELAY_ANALYSIS_SYNC_ORDERPROOF_H

#include "analysis/sync/Footprint.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <map>
#include <set>

namespace belay::analysis {

class OrderProof {
public:
  OrderProof(mlir::func::FuncOp Kernel, unsigned Events, bool VectorInterlock)
      : Kernel(Kernel), Events(Events), VectorInterlock(VectorInterlock) {}

  /// Reports all that it cannot show.
  mlir::LogicalResult run();

  unsigned pairs() const { return NumPairs; }

private:
  static constexpr unsigned NumPipes = 7;
  using Age = uint8_t;
  static constexpr Age Unknown = 3;
  using Ages = llvm::SmallVector<Age>;

  /// Two pipes and an event. Inside the loop that alternates it, an event
  /// stands for the one of the current turn, and `Other` for the other.
  struct Event {
    ascend::Pipe From, To;
    uint64_t Number;
    bool Relative = false, Other = false;
    auto operator<=>(const Event &) const = default;
  };
  struct State {
    std::array<Ages, NumPipes> Open; ///< By pipe and item.
    std::map<Event, Ages> Raised;
    std::set<Event> Unsure; ///< Raised on one of two ways only.
    bool operator==(const State &) const = default;
  };
  /// An instruction, or a wait.
  struct Item {
    mlir::Operation *Op;
    ascend::Pipe On;
  };

  mlir::LogicalResult prepare();
  void execute(mlir::Block &Block, State &S);
  void execute(mlir::Operation &Op, State &S);
  void execute(mlir::scf::ForOp Loop, State &S);
  void execute(mlir::scf::IfOp If, State &S);
  void instruction(unsigned Index, State &S);
  void set(ascend::FlagSetOp Op, State &S);
  void wait(ascend::FlagWaitOp Op, State &S);
  void barrier(std::optional<ascend::Pipe> Pipe, State &S);
  void happen(unsigned Index, State &S);
  void issue(ascend::Pipe Pipe, State &S);
  void enterLoop(mlir::scf::ForOp Loop, State &S);
  void nextTurn(mlir::scf::ForOp Loop, State &S);
  void leaveLoop(mlir::scf::ForOp Loop, State &S);
  State join(const State &A, const State &B) const;

  Age allowed(const Sharing &Sharing, mlir::Operation *Before,
              mlir::Operation *Now) const;
  const Sharing &sharing(unsigned A, unsigned B);
  template <typename FlagOp> Event eventOf(FlagOp Op);
  Sharing sharedEvent(mlir::Operation *Wait, ascend::FlagSetOp Set);
  /// Says what is wrong with Op and, if given, where the other side is.
  void report(mlir::Operation *Op, const llvm::Twine &Message,
              mlir::Operation *Other = nullptr, const char *Note = "");

  mlir::func::FuncOp Kernel;
  unsigned Events;
  bool VectorInterlock;

  std::vector<Item> Items;
  llvm::DenseMap<mlir::Operation *, unsigned> IndexOf;
  std::vector<std::optional<Sharing>> Sharings;
  /// Events that a loop alternates: pipes and the first of two numbers.
  llvm::DenseMap<mlir::Operation *, std::set<Event>> Alternating;
  unsigned Quiet = 0; ///< Not yet at a fixpoint.
  bool Failed = false;
  unsigned NumPairs = 0;
};

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_SYNC_ORDERPROOF_H
