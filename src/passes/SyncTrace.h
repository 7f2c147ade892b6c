//===- SyncTrace.h - Running a kernel to see who must wait ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_SYNCTRACE_H
#define BELAY_PASSES_SYNCTRACE_H

#include "passes/Conflicts.h"
#include "passes/SyncPlan.h"

#include "dialect/Pipes.h"

#include "llvm/ADT/BitVector.h"
#include <array>

namespace belay::passes {

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

/// Executes a kernel symbolically, with no iterations to three of each loop,
/// and looks at what each pipe knows to be complete.
class SyncTrace {
public:
  SyncTrace(mlir::func::FuncOp Kernel, bool VectorInterlock)
      : Kernel(Kernel), VectorInterlock(VectorInterlock) {}

  /// Finds all instructions, and at most so many ways to run the kernel; fails
  /// if an instruction cannot be described.
  mlir::LogicalResult prepare(unsigned MostRuns);

  std::optional<Violation> findViolation(SyncPlan &Plan);
  /// Whether there is none. Begins with the run that found the last one.
  bool accepts(SyncPlan &Plan);

  /// Whether iterations of a loop alternate between slots.
  bool hasSlots(mlir::LoopLikeOpInterface Loop) const;

  /// Instructions executed in all runs so far.
  uint64_t steps() const { return NumSteps; }

private:
  using Clock = std::array<uint32_t, ascend::NumPipes>;
  struct Epoch {
    ascend::Pipe On;
    uint32_t Time;
  };
  /// One execution of an instruction.
  struct Occurrence {
    unsigned Instruction;
    uint32_t Time;   ///< On its pipe.
    unsigned Where;  ///< Index of its path.
    unsigned Number; ///< Of all executions.
  };
  /// An instruction that touches what another one does.
  struct Partner {
    unsigned Before;
    llvm::SmallVector<Overlap, 1> Ways;
  };
  /// Pair of pipes and event; between cores, of scalar units. Flags of a plan
  /// that share it are one to the hardware.
  using FlagKey = std::tuple<ascend::Pipe, ascend::Pipe, unsigned>;
  static FlagKey keyOf(const Flag &Flag, unsigned Slot);
  /// When a flag was awaited, and before or after which operation.
  struct Wait {
    Epoch When;
    mlir::Operation *At = nullptr; ///< Null if it never was.
    unsigned Where = 0;
  };
  /// Copied at each branch of each run: nothing in it has a node of its own.
  struct State {
    std::array<Clock, ascend::NumPipes> Known = {};
    llvm::BitVector IsRaised;  ///< By event.
    std::vector<Clock> Raised; ///< What those that are tell.
  };

  /// An operation that a run has to stop at: instructions, and whatever may
  /// have flags and barriers next to it.
  struct Step {
    enum class Kind { Loop, Branch, SyncCores, Instruction };
    mlir::Operation *Op = nullptr;
    Kind What = Kind::Instruction;
    unsigned Instruction = 0;
    bool WaitsForItsPipe = false;
    unsigned Depth = 0;          ///< Loops around it.
    mlir::Block *Body = nullptr; ///< Of a loop.
    llvm::SmallVector<unsigned, 2> SetsAfter, WaitsBefore, BarriersBefore,
        Primed;
  };

  void addStep(mlir::Operation *Op);
  void findPartners();
  const Partner *partnerOf(unsigned First, unsigned Second) const;
  void lookBack(const Instruction &What, unsigned Pipe,
                const Occurrence *&Latest) const;
  bool isLatest(const Occurrence &Before, const Partner &Partner,
                const Occurrence *&Latest) const;
  void findScenarios(unsigned MostRuns);
  void countIterations(mlir::Block &Block, unsigned Depth,
                       llvm::SmallVectorImpl<unsigned> &Counts);
  unsigned enter(mlir::Operation *Loop, unsigned Depth);
  void usePlan(SyncPlan &Plan);
  void run(unsigned Which);
  void execute(mlir::Block &Block);
  void execute(const Step &Step);
  void executeLoop(const Step &Step);
  void executeInstruction(const Step &Step);
  void execute(mlir::scf::IfOp If);
  void executeAt(mlir::Operation *Op, unsigned Number, mlir::Block &Body);
  void touch(const Instruction &What);
  void set(unsigned Flag, unsigned Slot, mlir::Operation *At);
  void wait(unsigned Flag, unsigned Slot, mlir::Operation *At);
  unsigned slotFor(const Flag &Flag) const;
  void barrier(std::optional<ascend::Pipe> On);
  bool ordered(Epoch Before, ascend::Pipe P) const;
  Epoch issue(ascend::Pipe P);
  unsigned here();
  void join(State &Into, const State &Other, const Clock &OtherEnd);

  mlir::func::FuncOp Kernel;
  bool VectorInterlock;
  std::vector<Instruction> Instructions;
  /// Of each instruction, by pipe, in the order of the kernel.
  std::vector<std::array<std::vector<Partner>, ascend::NumPipes>> Partners;
  llvm::BitVector HavePartners; ///< By first and second instruction.
  std::vector<Step> Steps;
  llvm::DenseMap<mlir::Operation *, unsigned> StepOf;
  llvm::DenseMap<mlir::Block *, std::vector<unsigned>> StepsIn;
  llvm::DenseSet<mlir::Operation *> LoopsWithSlots;
  std::vector<unsigned> Scenarios; ///< No two alike for this kernel.
  unsigned LastFailing = 0;
  uint64_t NumSteps = 0;

  SyncPlan *Plan = nullptr;
  /// Of each flag of the plan and each of its slots: which of all events.
  std::vector<std::array<unsigned, 2>> EventOf;
  unsigned NumEvents = 0;
  unsigned Scenario = 0, Visits = 0; ///< Visits: loops entered so far.
  llvm::DenseMap<mlir::Operation *, unsigned> VisitsOf; ///< Of each loop.
  State Now;
  std::vector<Wait> Awaited; ///< By event; branches add up.
  Clock Issued = {};
  Path Here;
  std::vector<Path> Paths; ///< The last one is where we are, unless stale.
  bool PathIsStale = true;
  std::array<std::vector<Occurrence>, ascend::NumPipes> Past; ///< By pipe.
  /// Where those of each instruction are in it.
  std::vector<llvm::SmallVector<unsigned, 4>> PlacesOf;
  unsigned NumOccurrences = 0;
  std::optional<Violation> Found;
};

} // namespace belay::passes

#endif // BELAY_PASSES_SYNCTRACE_H
