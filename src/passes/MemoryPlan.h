//===- MemoryPlan.h - Where buffers can lie ---------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_MEMORYPLAN_H
#define BELAY_PASSES_MEMORYPLAN_H

#include "passes/Packing.h"
#include "passes/Stages.h"
#include "targets/Target.h"

#include "dialect/Loops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace belay::passes {

/// What a plan has to keep to.
struct MemoryLimits {
  ascend::MemorySpace Memory;
  int64_t Capacity;
  unsigned Exact;    ///< Buffers up to which all orders are tried.
  bool DoubleBuffer; ///< Copied buffers get two slots in loops.
  bool Barriers;     ///< The vector unit needs them between its instructions.
};

/// What a SoC gives a kernel of one memory.
MemoryLimits memoryLimitsOf(ascend::MemorySpace Memory,
                            const targets::Soc &Soc);

/// The memories in which a kernel has buffers.
llvm::SmallVector<ascend::MemorySpace> memoriesOf(mlir::func::FuncOp Kernel);

/// By the body of a loop, what counts its slots.
using SlotCounters = llvm::DenseMap<mlir::Block *, mlir::Value>;

/// Which results may take an operand's place: none, as an instruction that
/// writes the bank it reads is slower; those in no buffer that is copied, in
/// none that is copied in both directions then, or all.
enum class Merging { None, NotCopied, OneWay, All };

/// Where the buffers of a kernel lie in one memory. Nothing of it is in the IR
/// before apply().
class MemoryPlan {
public:
  /// Spends memory on fewer barriers if AvoidBarriers.
  MemoryPlan(mlir::func::FuncOp Kernel, MemoryLimits Limits, Merging Merging,
             bool AvoidBarriers);

  /// Fewer is better: first what does not fit, then what has to wait for
  /// copies, then barriers.
  unsigned cost() const;
  bool fits() const { return Result.Bytes <= Limits.Capacity; }
  /// Moves buffers by half the span of the banks, where there is room for
  /// that, so that what one instruction touches lies in different groups.
  void stagger();
  /// Says which buffers are needed at the same time where most are.
  mlir::LogicalResult complain();
  /// Memories whose slots alternate in the same loop share a counter.
  void apply(SlotCounters &Counters);

  Packing Result;
  Merging Merged;
  unsigned InPlace = 0, Doubled = 0;

private:
  /// One buffer, or several that take each other's place in one memory.
  struct Space {
    llvm::SmallVector<ascend::BufferOp, 2> Buffers;
    int64_t Bytes = 0;
    /// First and last instruction that uses it.
    unsigned Begin = ~0u, End = 0;
    /// The same, with the whole stages of these.
    unsigned From = ~0u, To = 0;
    /// Copies from and to global memory use it.
    bool CopiedIn = false, CopiedOut = false;
    /// Used in the first, in the last stage of an iteration.
    bool InFirst = false, InLast = false;
    unsigned Slots = 1;

    bool isCopied() const { return CopiedIn || CopiedOut; }
    /// The loop that can alternate between slots of it: one that counts.
    mlir::scf::ForOp loop() const;
    void join(const Space &Other);
  };

  void number();
  void add(ascend::BufferOp Buffer);
  void use(Space &Space, mlir::Operation *User, mlir::Block *Home);
  void mergeInPlace(Merging Which);
  void tryInPlace(mlir::Operation *Op, mlir::Value Src, mlir::Value Dst,
                  Merging Which);
  bool isUsedBeside(const Space &Space, mlir::Operation *Op) const;
  bool pack(bool KeepCopiedApart);
  void doubleWhatFits();
  void plan(Merging Merging);
  Tenant tenantFor(const Space &Space, bool KeepCopiedApart) const;
  llvm::SmallVector<bool> otherHalf();

  mlir::func::FuncOp Kernel;
  MemoryLimits Limits;
  std::optional<Stages> Together;
  bool CopiedApart = true; ///< As the result has it.
  std::vector<Space> Spaces;
  llvm::DenseMap<mlir::Value, unsigned> SpaceOf;
  llvm::DenseMap<mlir::Operation *, std::pair<unsigned, unsigned>> Places;
};

/// The best plan: copies that overlap with work count more than barriers. One
/// that merges less is better, as copies have to wait for less.
MemoryPlan planMemory(mlir::func::FuncOp Kernel, const MemoryLimits &Limits);

} // namespace belay::passes

#endif // BELAY_PASSES_MEMORYPLAN_H
