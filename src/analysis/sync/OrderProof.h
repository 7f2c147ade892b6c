//===- OrderProof.h - Proving the order of instructions ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of the proof says, for each pipe and each instruction of the
// program, which executions of the instruction may still be running when the
// pipe starts its next one: none, some of the current iteration of all loops
// around it, some of another iteration of the outermost, and so on. Where a
// loop alternates between two slots, a second answer says of which slot they
// may be: that of the current iteration or the other one; outside of the loop,
// slot 0 or slot 1. Executing an instruction makes it open for all pipes, flags
// carry what is known from pipe to pipe, and where two paths join, what is open
// on either is open. As there are finitely many states, those at the head of a
// loop reach a fixpoint, and what holds in it holds in every iteration. Any
// number of iterations may follow from there, none as well: a loop of which
// only a condition is known is no different from one that counts.
//
// Where a cube core and a vector core work together, each executes a part of
// the program in the order of the program. What another core executes may not
// have started, which is no different from being open.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_SYNC_ORDERPROOF_H
#define BELAY_ANALYSIS_SYNC_ORDERPROOF_H

#include "analysis/sync/Footprint.h"
#include "dialect/Pipes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <map>
#include <set>

namespace belay::analysis {

/// Something that could not be shown.
struct Refusal {
  enum class Kind {
    Unordered,   ///< Op may start while Other still uses the same memory.
    RaisedAgain, ///< Op may raise a flag that Other has not awaited yet.
    WrongFlag,   ///< Op raises or awaits a flag that is not as it has to be.
    NotOfOrder,  ///< No flag and no barrier changes it.
  };
  Kind What;
  mlir::Operation *Op;
  mlir::Operation *Other = nullptr;
  /// The loop in different iterations of which the two are, or null.
  mlir::LoopLikeOpInterface CarriedBy = {};
  /// They are in iterations of the loop that have the same slot.
  bool SameSlot = false;
  std::string Message = {};
  const char *Note = ""; ///< What is at Other.
};

/// What orders the pipes of an architecture.
struct OrderRules {
  unsigned Events = 0;          ///< Of each pair of pipes of a core.
  unsigned CoreFlags = 0;       ///< Between a cube core and its vector core.
  bool VectorInterlock = false; ///< V needs no barriers.

  static OrderRules of(const targets::Arch &Arch) {
    return {Arch.userEventIds, ascend::flagsBetweenCores(Arch),
            Arch.vectorInterlock};
  }
};

class OrderProof {
public:
  OrderProof(mlir::func::FuncOp Kernel, OrderRules Rules)
      : Kernel(Kernel), Rules(Rules) {}

  /// Whether everything could be shown.
  mlir::LogicalResult run();

  llvm::ArrayRef<Refusal> refusals() const { return Refusals; }
  /// Emits all refusals as errors.
  void emitErrors() const;

  /// Pairs of instructions that share memory.
  unsigned pairs() const { return NumPairs; }
  /// Instructions, flags and barriers executed on states.
  unsigned steps() const { return NumSteps; }

private:
  /// What may be open of one instruction, as sets of relations. The first lane
  /// is all of it; then two lanes for each loop around it that alternates
  /// between slots: of these, what is of the slot of the current iteration (or
  /// slot 0), and what is of the other. Each loop is right by itself: what one
  /// of them excludes is excluded.
  using Lanes = llvm::SmallVector<Relations>;

  /// An instruction, or a wait.
  struct Item {
    mlir::Operation *Op;
    ascend::Pipe On;
    Footprint Uses; ///< Empty for a wait.
    unsigned FirstLane = 0, NumLanes = 0;
  };
  struct LoopInfo {
    Relation Depth = 0;
    unsigned FirstItem = 0, EndItem = 0;
    llvm::SmallVector<unsigned> SlotLanes;
  };

  /// Two pipes and an event; between cores, the scalar units of both, as it is
  /// the same flag whichever pipe raises it. Inside the loop that alternates
  /// it, an event stands for the one of the current iteration, and `Other` for
  /// the other.
  struct Event {
    ascend::Pipe From, To;
    uint64_t Number;
    bool Relative = false, Other = false;
    auto operator<=>(const Event &) const = default;
  };
  struct State {
    std::array<Lanes, ascend::NumPipes> Open; ///< By pipe and lane.
    std::map<Event, Lanes> Raised;
    std::set<Event> Unsure; ///< Raised on one of two paths only.
    bool operator==(const State &) const = default;
  };
  /// An item that an operation must not overlap, and when. One that shares
  /// memory in several ways is there as often.
  struct Conflict {
    unsigned Before;
    Relations When;
    uint16_t SlotLane; ///< Of Before: the slot has to be the same; 0 for any.
  };

  mlir::LogicalResult prepare();
  void addItem(mlir::Operation *Op);
  template <typename FlagOp> void addFlag(FlagOp Op);
  void addLanes();
  void findConflicts();
  llvm::ArrayRef<Conflict> conflictsOf(mlir::Operation *Op) const;
  uint16_t slotLaneOf(const Item &Item, mlir::LoopLikeOpInterface Loop) const;
  void addConflict(mlir::Operation *Op, unsigned Before, Sharing How);
  Sharings sharingsOf(const Item &Before, const Item &Now) const;

  void execute(mlir::Block &Block, State &S);
  void execute(mlir::Operation &Op, State &S);
  void execute(mlir::LoopLikeOpInterface Loop, State &S);
  void execute(mlir::scf::IfOp If, State &S);
  void instruction(unsigned Index, State &S);
  void set(ascend::FlagSetOp Op, State &S);
  void wait(ascend::FlagWaitOp Op, State &S);
  void barrier(std::optional<ascend::Pipe> Pipe, State &S);
  void happen(unsigned Index, State &S);
  void issue(ascend::Pipe Pipe, State &S);
  void enterLoop(mlir::LoopLikeOpInterface Loop, State &S);
  void nextIteration(mlir::LoopLikeOpInterface Loop, State &S);
  void leaveLoop(mlir::LoopLikeOpInterface Loop, State &S);
  State join(const State &A, const State &B) const;
  void age(const LoopInfo &Loop, Lanes &Open) const;
  static void swapSlots(const LoopInfo &Loop, Lanes &Open);

  /// The relations in which an execution may be running that must be over.
  Relations mayBeOpen(const Conflict &With, const Lanes &Open) const;
  template <typename FlagOp> static Event eventOf(FlagOp Op) {
    Event Result{Op.getFrom(), Op.getTo(), Op.getEvent()};
    if (ascend::isBetweenCores(Result.From, Result.To)) {
      Result.From = ascend::scalarPipeOf(ascend::coreOf(Result.From));
      Result.To = ascend::scalarPipeOf(ascend::coreOf(Result.To));
    }
    Result.Relative = bool(Op.getSlot());
    return Result;
  }
  Sharing sharedEvent(mlir::Operation *Wait, ascend::FlagSetOp Set) const;
  /// The operation's name, for messages.
  static std::string quoted(mlir::Operation *Op);
  void report(Refusal What, const llvm::Twine &Message);
  void reportConflict(Refusal What, const Conflict &With, Relations Open,
                      const llvm::Twine &Message);

  mlir::func::FuncOp Kernel;
  OrderRules Rules;

  std::vector<Item> Items;
  std::vector<unsigned> ItemOf; ///< By lane.
  llvm::DenseMap<mlir::Operation *, unsigned> IndexOf;
  llvm::DenseMap<mlir::Operation *, LoopInfo> Loops;
  /// Of instructions and of sets.
  llvm::DenseMap<mlir::Operation *, std::vector<Conflict>> Conflicts;
  /// Events that a loop alternates: pipes and the first of two numbers. A loop
  /// that alternates between buffers only has none.
  llvm::DenseMap<mlir::Operation *, std::set<Event>> Alternating;
  /// The scalar unit that waits for a flag between cores, by number.
  llvm::DenseMap<uint64_t, ascend::Pipe> Awaiting;
  unsigned Quiet = 0; ///< Not yet at a fixpoint.
  std::vector<Refusal> Refusals;
  unsigned NumPairs = 0, NumSteps = 0;
};

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_SYNC_ORDERPROOF_H
