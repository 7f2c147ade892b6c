//===- OrderProof.h - Proving the order of instructions ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of the proof says, for each pipe and each instruction of the
// program, whether executions of the instruction may still be running when the
// pipe starts its next one. Where a loop alternates between two slots, its
// instructions have two answers: for the slot of the current turn and for the
// other one; outside of the loop, for slot 0 and slot 1. Executing an
// instruction makes it open for all pipes, flags carry what is known from pipe
// to pipe, two ways that meet keep what is open on either. As there are
// finitely many states, those at the head of a loop reach a fixpoint, and what
// holds in it holds in every turn.
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
  /// What may be open of one instruction, as a set of slots: bit 0 is the slot
  /// of the current turn (or slot 0), bit 1 the other.
  using Slots = uint8_t;
  using Lanes = llvm::SmallVector<Slots>;
  /// One view of an instruction: by the slots of a loop around it. Instructions
  /// outside of such loops have one, with no loop and bit 0 only.
  struct Lane {
    unsigned Item;
    mlir::Operation *Loop;
  };

  /// Two pipes and an event. Inside the loop that alternates it, an event
  /// stands for the one of the current turn, and `Other` for the other.
  struct Event {
    ascend::Pipe From, To;
    uint64_t Number;
    bool Relative = false, Other = false;
    auto operator<=>(const Event &) const = default;
  };
  struct State {
    std::array<Lanes, NumPipes> Open; ///< By pipe and lane.
    std::map<Event, Lanes> Raised;
    std::set<Event> Unsure; ///< Raised on one of two ways only.
    bool operator==(const State &) const = default;
  };
  /// An instruction, or a wait.
  struct Item {
    mlir::Operation *Op;
    ascend::Pipe On;
    unsigned FirstLane = 0, NumLanes = 0;
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

  /// Whether an execution of Before that uses what Now uses may be running.
  bool mayBeOpen(const Item &Before, const Sharing &Sharing,
                 mlir::Operation *Now, const Lanes &Open) const;
  void addLanes();
  void swapSlots(mlir::Operation *Loop, Lanes &Lanes) const;
  const Sharings &sharings(unsigned A, unsigned B);
  template <typename FlagOp> Event eventOf(FlagOp Op);
  Sharing sharedEvent(mlir::Operation *Wait, ascend::FlagSetOp Set);
  /// Says what is wrong with Op and, if given, where the other side is.
  void report(mlir::Operation *Op, const llvm::Twine &Message,
              mlir::Operation *Other = nullptr, const char *Note = "");

  mlir::func::FuncOp Kernel;
  unsigned Events;
  bool VectorInterlock;

  std::vector<Item> Items;
  std::vector<Lane> AllLanes;
  llvm::DenseMap<mlir::Operation *, unsigned> IndexOf;
  std::vector<std::optional<Sharings>> KnownSharings;
  /// Events that a loop alternates: pipes and the first of two numbers. A loop
  /// that alternates between buffers only has none.
  llvm::DenseMap<mlir::Operation *, std::set<Event>> Alternating;
  unsigned Quiet = 0; ///< Not yet at a fixpoint.
  bool Failed = false;
  unsigned NumPairs = 0;
};

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_SYNC_ORDERPROOF_H
