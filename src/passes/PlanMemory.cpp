//===- PlanMemory.cpp - Where buffers lie ---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/PassTarget.h"
#include "passes/MemoryPlan.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace belay::passes {
#define GEN_PASS_DEF_PLANMEMORY
#include "passes/Passes.h.inc"
} // namespace belay::passes

using namespace mlir;
using namespace belay;
using namespace belay::passes;

namespace {

/// A buffer that a loop fills with the same value in each iteration, and that
/// nothing else writes. It can be filled once, before the loop, if there is
/// memory for it as long as the loop runs.
class RepeatedFill {
public:
  static std::optional<RepeatedFill> find(ascend::VecFillOp Fill);
  void hoist();
  void restore();

private:
  explicit RepeatedFill(ascend::VecFillOp Fill, ascend::BufferOp Buffer)
      : Fill(Fill), Buffer(Buffer), AfterFill(Fill->getNextNode()),
        AfterBuffer(Buffer->getNextNode()), Count(Fill.getCount()),
        Filled(Fill.getValue()) {}

  ascend::VecFillOp Fill;
  ascend::BufferOp Buffer;
  Operation *AfterFill, *AfterBuffer;
  Value Count, Filled;
  SmallVector<Operation *, 2> Made;
};

} // namespace

/// The outermost loop around an operation with nothing but loops between.
static Operation *loopsAround(Operation *Op) {
  Operation *Outer = nullptr;
  for (Operation *Up = Op->getParentOp(); isa_and_nonnull<scf::ForOp>(Up);
       Up = Up->getParentOp())
    Outer = Up;
  return Outer;
}

std::optional<RepeatedFill> RepeatedFill::find(ascend::VecFillOp Fill) {
  auto Buffer = Fill.getDst().getDefiningOp<ascend::BufferOp>();
  Operation *Loop = loopsAround(Fill);
  if (!Buffer || !Loop || Buffer->getBlock() != Fill->getBlock() ||
      Buffer.getSlots() != 1)
    return std::nullopt;
  // A constant can be repeated outside; other values have to be there.
  Operation *Def = Fill.getValue().getDefiningOp();
  Region *Home = Fill.getValue().getParentRegion();
  if (!(Def && Def->hasTrait<OpTrait::ConstantLike>()) &&
      !Home->isProperAncestor(&Loop->getRegion(0)))
    return std::nullopt;
  for (Operation *User : Buffer->getUsers()) {
    auto Effects = dyn_cast<MemoryEffectOpInterface>(User);
    bool Writes = !Effects ||
                  Effects.getEffectOnValue<MemoryEffects::Write>(Fill.getDst())
                      .has_value();
    Operation *Here = Fill->getBlock()->findAncestorOpInBlock(*User);
    if (User != Fill && (Writes || !Here || Here->isBeforeInBlock(Fill)))
      return std::nullopt;
  }
  return RepeatedFill(Fill, Buffer);
}

void RepeatedFill::hoist() {
  Operation *Loop = loopsAround(Fill);
  OpBuilder Builder(Loop);
  Buffer->moveBefore(Loop);
  // With what lies between rows, which elementwise instructions read.
  MemRefType Type = Buffer.getBuffer().getType();
  Made.push_back(arith::ConstantIndexOp::create(
      Builder, Fill.getLoc(), Type.getDimSize(0) * ascend::pitchOf(Type)));
  Fill.getCountMutable().assign(Made.back()->getResult(0));
  if (Operation *Def = Filled.getDefiningOp();
      Def && Def->hasTrait<OpTrait::ConstantLike>()) {
    Made.push_back(Builder.clone(*Def));
    Fill.getValueMutable().assign(Made.back()->getResult(0));
  }
  Fill->moveBefore(Loop);
}

void RepeatedFill::restore() {
  Fill.getValueMutable().assign(Filled);
  Fill.getCountMutable().assign(Count);
  Fill->moveBefore(AfterFill);
  Buffer->moveBefore(AfterBuffer);
  for (Operation *Op : Made)
    Op->erase();
}

namespace {

/// Buffers with rows of the same length, some of which are transposed. 16 of
/// their rows lie in 16 groups of banks if they are an odd number of blocks
/// apart; that takes one block more for each.
class WiderRows {
public:
  /// Nothing if one of them has another use, for which all that lies between
  /// rows counts.
  static std::optional<WiderRows> find(ascend::BufferOp First,
                                       int64_t BlockBytes);
  void widen() { setType(Wide); }
  void restore() { setType(Narrow); }
  bool contains(ascend::BufferOp Buffer) const {
    return llvm::is_contained(Buffers, Buffer);
  }

private:
  bool add(Value Buffer);
  void setType(MemRefType Type) {
    for (ascend::BufferOp Buffer : Buffers)
      Buffer.getBuffer().setType(Type);
  }

  SmallVector<ascend::BufferOp> Buffers;
  MemRefType Narrow, Wide;
};

} // namespace

bool WiderRows::add(Value Operand) {
  auto Buffer = Operand.getDefiningOp<ascend::BufferOp>();
  if (!Buffer || Buffer.getBuffer().getType() != Narrow)
    return false;
  if (!contains(Buffer))
    Buffers.push_back(Buffer);
  return true;
}

std::optional<WiderRows> WiderRows::find(ascend::BufferOp First,
                                         int64_t BlockBytes) {
  WiderRows Found;
  MemRefType Type = Found.Narrow = First.getBuffer().getType();
  int64_t Bytes = Type.getElementTypeBitWidth() / 8;
  int64_t Pitch = ascend::pitchOf(Type);
  if (Type.getDimSize(0) == 1 || Type.getDimSize(1) == 1 ||
      Pitch * Bytes % (2 * BlockBytes))
    return std::nullopt;
  Found.Wide =
      MemRefType::get(Type.getShape(), Type.getElementType(),
                      StridedLayoutAttr::get(Type.getContext(), 0,
                                             {Pitch + BlockBytes / Bytes, 1}),
                      Type.getMemorySpace());
  Found.add(First.getBuffer());
  for (size_t I = 0; I < Found.Buffers.size(); ++I) {
    Value Buffer = Found.Buffers[I].getBuffer();
    for (Operation *User : Buffer.getUsers()) {
      if (isa<ascend::DmaInOp, ascend::DmaOutOp, ascend::VecTransposeOp>(User))
        continue;
      if (auto Reduce = dyn_cast<ascend::VecReduceOp>(User))
        if (Reduce.getAxis() == ascend::Axis::Row && Reduce.getSrc() == Buffer)
          continue;
      // Both have the same rows.
      auto Repeated = dyn_cast<ascend::VecRepeatedOp>(User);
      if (!Repeated || Repeated.getRepeated() == Buffer ||
          !Found.add(Repeated.getSrc()) || !Found.add(Repeated.getDst()))
        return std::nullopt;
    }
  }
  return Found;
}

/// Spends memory on speed as long as no copy has to wait for that, and no
/// result has to take an operand's place.
static bool isNotWorse(const MemoryPlan &Plan, const MemoryPlan &Than) {
  return Plan.cost() <= Than.cost() && Plan.Merged <= Than.Merged;
}

static void widenRows(func::FuncOp Kernel, const MemoryLimits &Limits,
                      int64_t BlockBytes, MemoryPlan &Best) {
  SmallVector<ascend::BufferOp> Transposed;
  Kernel.walk([&](ascend::VecTransposeOp Op) {
    for (Value Operand : {Value(Op.getSrc()), Value(Op.getDst())})
      if (auto Buffer = Operand.getDefiningOp<ascend::BufferOp>())
        Transposed.push_back(Buffer);
  });
  for (ascend::BufferOp Buffer : Transposed) {
    std::optional<WiderRows> Rows = WiderRows::find(Buffer, BlockBytes);
    if (!Rows)
      continue;
    Rows->widen();
    MemoryPlan Plan = planMemory(Kernel, Limits);
    if (isNotWorse(Plan, Best))
      Best = std::move(Plan);
    else
      Rows->restore();
  }
}

/// Fills once what loops fill again and again, if no plan gets worse by that.
static void hoistFills(func::FuncOp Kernel, const MemoryLimits &Limits,
                       MemoryPlan &Best) {
  SmallVector<ascend::VecFillOp> Fills;
  Kernel.walk([&](ascend::VecFillOp Fill) { Fills.push_back(Fill); });
  for (ascend::VecFillOp Fill : Fills) {
    std::optional<RepeatedFill> Repeated = RepeatedFill::find(Fill);
    if (!Repeated)
      continue;
    Repeated->hoist();
    MemoryPlan Plan = planMemory(Kernel, Limits);
    if (isNotWorse(Plan, Best))
      Best = std::move(Plan);
    else
      Repeated->restore();
  }
}

namespace {
struct PlanMemoryPass : passes::impl::PlanMemoryBase<PlanMemoryPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp Kernel = getOperation();
    if (Kernel.isExternal())
      return;
    const targets::Soc *Soc = ascend::socFor(Kernel, soc);
    if (!Soc)
      return signalPassFailure();
    SlotCounters Counters;
    for (ascend::MemorySpace Memory : memoriesOf(Kernel)) {
      bool InUb = Memory == ascend::MemorySpace::UB;
      MemoryLimits Limits = memoryLimitsOf(Memory, *Soc);
      Limits.DoubleBuffer = doubleBuffer;
      Limits.Exact = exact;
      if (capacity && InUb)
        Limits.Capacity = capacity;
      MemoryPlan Plan = planMemory(Kernel, Limits);
      if (InUb && Plan.fits()) {
        widenRows(Kernel, Limits, Soc->arch->blockBytes, Plan);
        hoistFills(Kernel, Limits, Plan);
      }
      if (!Plan.fits()) {
        (void)Plan.complain();
        return signalPassFailure();
      }
      Plan.apply(Counters);
      numBytes += InUb ? Plan.Result.Bytes : 0;
      numDoubled += Plan.Doubled;
      numInPlace += Plan.InPlace;
    }
  }
};
} // namespace
