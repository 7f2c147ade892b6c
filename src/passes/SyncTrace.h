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
/// block. If a loop carries it, the wait belongs to the next turn.
struct Flag {
  mlir::Operation *After, *Before;
  ascend::Pipe From, To;
  mlir::scf::ForOp CarriedBy;
  /// Alternates between two events with this loop's slots.
  mlir::scf::ForOp SlotLoop;
  unsigned Event = 0;

  unsigned events() { return SlotLoop ? 2 : 1; }
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

/// The first thing that is wrong with a plan.
struct Violation {
  enum class Kind {
    Unordered, ///< First may still run when Second touches the same memory.
    RunAhead,  ///< Flag may be raised again before it was awaited.
  };
  Kind What = Kind::Unordered;
  const Instruction *First = nullptr, *Second = nullptr;
  Path FirstPath, SecondPath;
  unsigned Flag = 0; ///< Index in the plan.
};

/// Executes a kernel symbolically, each loop two or three turns, and looks at
/// what each pipe knows to be complete.
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
  struct State {
    std::array<Clock, NumPipes> Known = {};
    std::map<FlagKey, Clock> Raised;
    std::map<FlagKey, Epoch> Awaited;
  };

  void execute(mlir::Block &Block);
  void execute(mlir::Operation &Op);
  void execute(mlir::scf::ForOp Loop);
  void execute(mlir::scf::IfOp If);
  void touch(const Instruction &What);
  void set(unsigned Flag, unsigned Slot);
  void wait(unsigned Flag, unsigned Slot);
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
  State Now;
  Clock Issued = {};
  Path Here;
  std::vector<Occurrence> Past;
  std::optional<Violation> Found;
};

} // namespace belay::passes

#endif // BELAY_PASSES_SYNCTRACE_H
