//===- SyncTrace.h - Running a kernel to see who must wait ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_SYNCTRACE_H
#define BELAY_PASSES_SYNCTRACE_H

#include "passes/Conflicts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <array>
#include <map>

namespace belay::passes {

/// A flag: raised behind one operation, awaited before another of the same
/// block. If a loop carries it, the wait belongs to the next turn: it is up
/// between turns, and so before and behind the loop as well. It is raised first
/// before the outermost loop around, and awaited last behind it.
struct Flag {
  mlir::Operation *After, *Before;
  ascend::Pipe From, To;
  mlir::scf::ForOp CarriedBy;
  /// Alternates between two events with this loop's slots.
  mlir::scf::ForOp SlotLoop;
  unsigned Event = 0;

  unsigned events() { return SlotLoop ? 2 : 1; }
  /// The outermost loop around the one that carries it, or null.
  mlir::scf::ForOp upAround();
};

/// A barrier before an operation, inside one pipe or for all.
struct Barrier {
  mlir::Operation *Before;
  std::optional<ascend::Pipe> On;
};

/// What orders the instructions of a kernel; nothing of it is in the IR yet.
struct SyncPlan {
  std::vector<Flag> Flags;
  std::vector<Barrier> Barriers;
};

/// The first thing that is wrong with a plan: what happens at First may not be
/// over when Second begins.
struct Violation {
  enum class Kind {
    Unordered, ///< Instructions that touch the same memory.
    RunAhead,  ///< A wait for a flag, and what raises it again.
  };
  struct Side {
    mlir::Operation *Op;
    ascend::Pipe On;
    Path Where;
  };
  Kind What = Kind::Unordered;
  Side First, Second;
  unsigned Flag = 0; ///< Index in the plan.
};

/// Executes a kernel symbolically, with no turns to three of each loop, and
/// looks at what each pipe knows to be complete.
class SyncTrace {
public:
  SyncTrace(mlir::func::FuncOp Kernel, bool VectorInterlock)
      : Kernel(Kernel), VectorInterlock(VectorInterlock) {}

  /// Finds all instructions; fails if one cannot be described.
  mlir::LogicalResult prepare();

  std::optional<Violation> run(SyncPlan &Plan);

  /// The loop in whose body a slot counter alternates, or null.
  bool hasSlots(mlir::scf::ForOp Loop) const;

private:
  static constexpr unsigned NumPipes = 7;
  using Clock = std::array<uint32_t, NumPipes>;
  struct Epoch {
    ascend::Pipe On;
    uint32_t Time;
  };
  struct Occurrence {
    const Instruction *What;
    Epoch When;
    Path Where;
  };
  /// Pair of pipes and event.
  using FlagKey = std::tuple<ascend::Pipe, ascend::Pipe, unsigned>;
  /// When a flag was awaited, and before or behind which operation.
  struct Wait {
    Epoch When;
    mlir::Operation *At;
    Path Where;
  };
  struct State {
    std::array<Clock, NumPipes> Known = {};
    std::map<FlagKey, Clock> Raised;
    std::map<FlagKey, Wait> Awaited;
  };

  void execute(mlir::Block &Block);
  void execute(mlir::Operation &Op);
  void execute(mlir::scf::ForOp Loop);
  void execute(mlir::scf::IfOp If);
  void touch(const Instruction &What);
  void set(unsigned Flag, unsigned Slot, mlir::Operation *At);
  void wait(unsigned Flag, unsigned Slot, mlir::Operation *At);
  unsigned slotFor(Flag &Flag) const;
  void barrier(std::optional<ascend::Pipe> On);
  bool ordered(Epoch Before, ascend::Pipe P) const;
  Epoch issue(ascend::Pipe P);
  void join(State &Into, const State &Other, const Clock &OtherEnd);

  mlir::func::FuncOp Kernel;
  bool VectorInterlock;
  llvm::DenseMap<mlir::Operation *, Instruction> Instructions;
  llvm::DenseSet<mlir::Operation *> LoopsWithSlots;

  SyncPlan *Plan = nullptr;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned, 2>> SetsAfter,
      WaitsBefore, BarriersBefore, Primed;
  unsigned Scenario = 0, Visits = 0; ///< Visits: loops entered so far.
  State Now;
  Clock Issued = {};
  Path Here;
  std::vector<Occurrence> Past;
  std::optional<Violation> Found;
};

} // namespace belay::passes

#endif // BELAY_PASSES_SYNCTRACE_H
