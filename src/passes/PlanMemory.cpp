//===- PlanMemory.cpp - Where buffers lie ---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Packing.h"
#include "passes/Passes.h"
#include "targets/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace belay::passes {
#define GEN_PASS_DEF_PLANMEMORY
#include "passes/Passes.h.inc"
} // namespace belay::passes

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

namespace {

/// One buffer, or several that take each other's place in one memory.
struct Space {
  SmallVector<BufferOp, 2> Buffers;
  int64_t Bytes = 0;
  unsigned Begin = ~0u, End = 0; ///< First and last instruction that uses it.
  bool Copied = false;           ///< A copy to or from global memory uses it.
  unsigned Slots = 1;

  scf::ForOp loop() const {
    return dyn_cast<scf::ForOp>(Buffers.front()->getParentOp());
  }
};

class Planner {
public:
  Planner(func::FuncOp Kernel, int64_t Capacity, unsigned Exact)
      : Kernel(Kernel), Capacity(Capacity), Exact(Exact) {
    number();
    Kernel.walk([&](BufferOp Buffer) { add(Buffer); });
  }

  LogicalResult plan(bool DoubleBuffer);
  void apply();

  Packing Result;
  unsigned InPlace = 0, Doubled = 0;

private:
  void number();
  void add(BufferOp Buffer);
  void mergeInPlace(bool AlsoCopied);
  void tryInPlace(Operation *Op, Value Src, Value Dst, bool AlsoCopied);
  bool fits(bool KeepCopiedApart);
  void doubleWhatFits();
  Tenant tenantFor(const Space &Space, bool KeepCopiedApart) const;
  LogicalResult complain();

  func::FuncOp Kernel;
  int64_t Capacity;
  unsigned Exact;
  std::vector<Space> Spaces;
  DenseMap<Value, unsigned> SpaceOf;
  DenseMap<Operation *, std::pair<unsigned, unsigned>> Places;
};

} // namespace

//===----------------------------------------------------------------------===//
// Lives
//===----------------------------------------------------------------------===//

/// Gives each operation its place, and those with regions their end.
void Planner::number() {
  unsigned Next = 0;
  auto Visit = [&](auto &&Self, Operation *Op) -> void {
    unsigned Begin = Next++;
    for (Region &Region : Op->getRegions())
      for (Block &Block : Region)
        for (Operation &Inner : Block)
          Self(Self, &Inner);
    Places[Op] = {Begin, Next++};
  };
  Visit(Visit, Kernel);
}

/// A buffer from outside a loop is in use as long as the loop runs: the next
/// turn needs it again.
void Planner::add(BufferOp Buffer) {
  Space Space;
  Space.Buffers.push_back(Buffer);
  Space.Bytes = Buffer.getSlotBytes();
  for (Operation *User : Buffer->getUsers()) {
    Operation *Ancestor = Buffer->getBlock()->findAncestorOpInBlock(*User);
    auto [Begin, End] = Places.lookup(Ancestor);
    Space.Begin = std::min(Space.Begin, Begin);
    Space.End = std::max(Space.End, Ancestor == User ? Begin : End);
    Space.Copied |= isa<DmaInOp, DmaOutOp>(User);
  }
  if (Space.Begin > Space.End)
    Space.Begin = Space.End = Places.lookup(Buffer).first;
  SpaceOf[Buffer.getBuffer()] = Spaces.size();
  Spaces.push_back(std::move(Space));
}

/// Lets a result take the place of an operand that nobody needs any more.
void Planner::tryInPlace(Operation *Op, Value Src, Value Dst, bool AlsoCopied) {
  if (Src.getType() != Dst.getType() ||
      Src.getParentBlock() != Dst.getParentBlock() ||
      Op->getBlock() != Dst.getParentBlock())
    return;
  auto From = SpaceOf.find(Src), To = SpaceOf.find(Dst);
  if (From == SpaceOf.end() || To == SpaceOf.end() ||
      From->second == To->second)
    return;
  Space &Old = Spaces[From->second], &New = Spaces[To->second];
  unsigned Now = Places.lookup(Op).first;
  if (Old.End != Now || New.Begin != Now ||
      (!AlsoCopied && (Old.Copied || New.Copied)))
    return;
  for (BufferOp Moved : New.Buffers) {
    Old.Buffers.push_back(Moved);
    SpaceOf[Moved.getBuffer()] = From->second;
  }
  Old.Bytes = std::max(Old.Bytes, New.Bytes);
  Old.End = New.End;
  Old.Copied |= New.Copied;
  New.Buffers.clear();
  ++InPlace;
}

void Planner::mergeInPlace(bool AlsoCopied) {
  Kernel.walk([&](Operation *Op) {
    if (auto Unary = dyn_cast<VecUnaryOp>(Op)) {
      tryInPlace(Op, Unary.getSrc(), Unary.getDst(), AlsoCopied);
    } else if (auto Scalar = dyn_cast<VecScalarOp>(Op)) {
      tryInPlace(Op, Scalar.getSrc(), Scalar.getDst(), AlsoCopied);
    } else if (auto Binary = dyn_cast<VecBinaryOp>(Op)) {
      tryInPlace(Op, Binary.getLhs(), Binary.getDst(), AlsoCopied);
      tryInPlace(Op, Binary.getRhs(), Binary.getDst(), AlsoCopied);
    }
  });
  llvm::erase_if(Spaces, [](const Space &S) { return S.Buffers.empty(); });
  SpaceOf.clear();
  for (auto [I, Space] : llvm::enumerate(Spaces))
    for (BufferOp Buffer : Space.Buffers)
      SpaceOf[Buffer.getBuffer()] = I;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// What copies touch is in flight while the rest of the loop's turn, or the
/// next, works on other buffers: sharing its memory would make them wait.
Tenant Planner::tenantFor(const Space &Space, bool KeepCopiedApart) const {
  Tenant Tenant{Space.Bytes * Space.Slots, Space.Begin, Space.End};
  scf::ForOp Loop = Space.loop();
  if (Loop && Space.Copied && (KeepCopiedApart || Space.Slots > 1))
    std::tie(Tenant.Begin, Tenant.End) = Places.lookup(Loop);
  return Tenant;
}

bool Planner::fits(bool KeepCopiedApart) {
  SmallVector<Tenant> Tenants;
  for (const Space &Space : Spaces)
    Tenants.push_back(tenantFor(Space, KeepCopiedApart));
  Result = pack(Tenants, Exact, Capacity);
  return Result.Bytes <= Capacity;
}

/// Inner loops first: they run most often.
void Planner::doubleWhatFits() {
  SmallVector<std::pair<unsigned, Space *>> Candidates;
  for (Space &Space : Spaces) {
    unsigned Depth = 0;
    for (Operation *Up = Space.loop(); Up; Up = Up->getParentOp())
      Depth += isa<scf::ForOp>(Up);
    if (Depth && Space.Copied)
      Candidates.push_back({Depth, &Space});
  }
  llvm::stable_sort(Candidates, [](const auto &A, const auto &B) {
    return A.first > B.first;
  });
  Packing Best = Result;
  for (auto [Depth, Space] : Candidates) {
    Space->Slots = 2;
    if (fits(/*KeepCopiedApart=*/true)) {
      Best = Result;
      ++Doubled;
    } else {
      Space->Slots = 1;
    }
  }
  Result = Best;
}

LogicalResult Planner::plan(bool DoubleBuffer) {
  mergeInPlace(/*AlsoCopied=*/false);
  if (fits(/*KeepCopiedApart=*/true)) {
    if (DoubleBuffer)
      doubleWhatFits();
    return success();
  }
  if (fits(/*KeepCopiedApart=*/false))
    return success();
  mergeInPlace(/*AlsoCopied=*/true);
  if (fits(/*KeepCopiedApart=*/false))
    return success();
  return complain();
}

/// Says which buffers are needed at the same time where most are.
LogicalResult Planner::complain() {
  int64_t Most = 0;
  unsigned Where = 0;
  for (const Space &At : Spaces) {
    int64_t Bytes = 0;
    for (const Space &Space : Spaces)
      if (Space.Begin <= At.Begin && At.Begin <= Space.End)
        Bytes += Space.Bytes;
    if (Bytes > Most) {
      Most = Bytes;
      Where = At.Begin;
    }
  }
  InFlightDiagnostic Error = Kernel.emitError()
                             << "'" << Kernel.getName() << "' needs "
                             << std::max(Most, Result.Bytes)
                             << " bytes of the unified buffer, and " << Capacity
                             << " are there [local-capacity]";
  SmallVector<const Space *> Alive;
  for (const Space &Space : Spaces)
    if (Space.Begin <= Where && Where <= Space.End)
      Alive.push_back(&Space);
  llvm::stable_sort(Alive, [](const Space *A, const Space *B) {
    return A->Bytes > B->Bytes;
  });
  for (const Space *Space : Alive) {
    BufferOp First = Space->Buffers.front();
    MemRefType Type = First.getBuffer().getType();
    Error.attachNote(First.getLoc())
        << Space->Bytes << " bytes for " << Type.getDimSize(0) << "x"
        << Type.getDimSize(1) << " of " << Type.getElementType();
  }
  return Error;
}

//===----------------------------------------------------------------------===//
// Writing it down
//===----------------------------------------------------------------------===//

/// A loop that counts 0, 1, 0, 1 beside its own variable.
static Value addSlotCounter(scf::ForOp &Loop) {
  IRRewriter Rewriter(Loop->getContext());
  Rewriter.setInsertionPoint(Loop);
  Location Loc =
      NameLoc::get(StringAttr::get(Loop->getContext(), "slot"), Loop.getLoc());
  Value Zero = arith::ConstantIndexOp::create(Rewriter, Loc, 0);
  auto Toggle = [&](OpBuilder &Builder, Location,
                    ArrayRef<BlockArgument> New) -> SmallVector<Value> {
    Location Plain = Loop.getLoc();
    Value One = arith::ConstantIndexOp::create(Builder, Plain, 1);
    return {arith::SubIOp::create(Builder, Plain, One, New.front())};
  };
  FailureOr<LoopLikeOpInterface> With = Loop.replaceWithAdditionalYields(
      Rewriter, Zero, /*replaceInitOperandUsesInLoop=*/false, Toggle);
  Loop = cast<scf::ForOp>(With->getOperation());
  BlockArgument Slot = Loop.getRegionIterArgs().back();
  Slot.setLoc(Loc);
  return Slot;
}

void Planner::apply() {
  DenseMap<Block *, Value> Counters;
  for (auto [Space, Offset] : llvm::zip_equal(Spaces, Result.Offsets)) {
    for (BufferOp Buffer : Space.Buffers) {
      Buffer.setOffset(Offset);
      if (Space.Slots == 1)
        continue;
      // The body moves to a new loop with the first counter.
      Value &Counter = Counters[Buffer->getBlock()];
      if (!Counter) {
        auto Loop = cast<scf::ForOp>(Buffer->getParentOp());
        Value Slot = addSlotCounter(Loop);
        Counters[Buffer->getBlock()] = Slot;
        Buffer.getSlotMutable().assign(Slot);
      } else {
        Buffer.getSlotMutable().assign(Counter);
      }
      Buffer.setSlots(Space.Slots);
    }
  }
}

namespace {
struct PlanMemoryPass : passes::impl::PlanMemoryBase<PlanMemoryPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp Kernel = getOperation();
    if (Kernel.isExternal())
      return;
    const targets::Soc *Soc = targets::findSoc(soc);
    if (!Soc) {
      Kernel.emitError() << "there is no SoC '" << soc << "'";
      return signalPassFailure();
    }
    // Where copies are of whole blocks, emitted code keeps space for the rest.
    int64_t Usable =
        targets::usableUb(*Soc) - (Soc->arch->hasDataCopyPad ? 0 : 256);
    Planner Planner(Kernel, capacity ? capacity : Usable, exact);
    if (failed(Planner.plan(doubleBuffer)))
      return signalPassFailure();
    Planner.apply();
    numBytes += Planner.Result.Bytes;
    numDoubled += Planner.Doubled;
    numInPlace += Planner.InPlace;
  }
};
} // namespace
