//===- Footprint.cpp - Which memory an instruction uses -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/sync/Footprint.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;
using namespace belay::ascend;

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// The window of a copy. It has at most two dimensions (W2), and no more
/// elements in them than the buffer at its other end holds (W4).
template <typename DmaOp>
static FailureOr<MemoryRegion> windowOf(DmaOp Op, MemRefType Buffer) {
  SmallVector<OpFoldResult> Sizes = Op.getMixedSizes();
  SmallVector<int64_t> Most(Sizes.size(), 1);
  Most.back() =
      Most.size() == 1 ? Buffer.getNumElements() : Buffer.getDimSize(1);
  if (Most.size() > 1)
    Most[Most.size() - 2] = Buffer.getDimSize(0);
  for (auto [Size, Extent] : llvm::zip_equal(Sizes, Most))
    Extent = getConstantIntValue(Size).value_or(Extent);
  return regionOf(Op.getView(), Op.getMixedOffsets(), Most);
}

/// What an instruction uses of an operand: all of it, unless the instruction
/// says which part.
static FailureOr<MemoryRegion> partUsed(Operation *Op, Value Operand) {
  if (isView(Operand.getType())) {
    if (auto In = dyn_cast<DmaInOp>(Op))
      return windowOf(In, In.getDst().getType());
    if (auto Out = dyn_cast<DmaOutOp>(Op))
      return windowOf(Out, Out.getSrc().getType());
  }
  return regionOf(Operand);
}

static CombineAttr combineOf(Operation *Op) {
  if (auto Out = dyn_cast<DmaOutOp>(Op))
    return Out.getCombineAttr();
  auto Scatter = dyn_cast<DmaScatterOp>(Op);
  return Scatter ? Scatter.getCombineAttr() : CombineAttr();
}

/// Prefix sums along rows, and indices of a gather.
static bool isByScalarUnit(Operation *Op, Value Operand) {
  if (auto Scan = dyn_cast<VecScanOp>(Op))
    return Scan.getAxis() == Axis::Row;
  auto Gather = dyn_cast<DmaGatherOp>(Op);
  return Gather && Gather.getIndices() == Operand;
}

SmallVector<scf::ForOp, 3> analysis::loopsAround(Operation *Op) {
  SmallVector<scf::ForOp, 3> Loops;
  for (auto Loop = Op->getParentOfType<scf::ForOp>(); Loop;
       Loop = Loop->getParentOfType<scf::ForOp>())
    Loops.push_back(Loop);
  std::reverse(Loops.begin(), Loops.end());
  return Loops;
}

unsigned analysis::commonLoops(ArrayRef<scf::ForOp> A, ArrayRef<scf::ForOp> B) {
  unsigned Common = 0;
  while (Common < std::min(A.size(), B.size()) && A[Common] == B[Common])
    ++Common;
  return Common;
}

FailureOr<Footprint> analysis::footprintOf(InstructionInterface Op) {
  Footprint Result;
  Result.Loops = loopsAround(Op);
  Result.On = Op.getPipe();
  Result.Combine = combineOf(Op);
  SmallVector<MemoryEffects::EffectInstance> Effects;
  if (auto Interface = dyn_cast<MemoryEffectOpInterface>(Op.getOperation()))
    Interface.getEffects(Effects);
  for (auto &Effect : Effects) {
    Value Operand = Effect.getValue();
    if (!Operand)
      continue;
    FailureOr<MemoryRegion> Where = partUsed(Op, Operand);
    if (failed(Where))
      return failure();
    Where->Written = isa<MemoryEffects::Write>(Effect.getEffect());
    bool Scalar = isByScalarUnit(Op, Operand);
    Result.Writes |= Where->Written;
    Result.WaitsForItsPipe |= Scalar;
    Result.Uses.push_back({std::move(*Where), Scalar});
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

/// Two slots that alternate together: what shares one shares it in every other
/// iteration only.
static scf::ForOp sharedSlots(const MemoryRegion &A, const MemoryRegion &B) {
  const Placement &First = A.Place, &Second = B.Place;
  bool Together = !A.isGlobal() && First.SlotLoop && First.Slots == 2 &&
                  Second.Slots == 2 && First.Slot == Second.Slot &&
                  First.Begin == Second.Begin && First.end() == Second.end();
  return Together ? First.SlotLoop : scf::ForOp();
}

/// Of regions in the same memory; Loops are around both.
static Sharing sharingOf(const MemoryRegion &Before, const MemoryRegion &Now,
                         ArrayRef<scf::ForOp> Loops) {
  Sharing Result;
  Result.SlotLoop = sharedSlots(Before, Now);
  Result.When = areApart(Before, Now) ? 0 : AnyRelation;
  for (auto [I, Loop] : llvm::enumerate(Loops)) {
    Relations Bit = 1u << std::min<Relation>(I, LastRelation);
    bool Deeper = I >= LastRelation;
    bool Meet = !areApartAcross(Before, Now, Loop);
    Result.When = Meet     ? Result.When | Bit
                  : Deeper ? Result.When
                           : Result.When & ~Bit;
  }
  return Result;
}

Sharings analysis::sharingsOf(const Footprint &Before, const Footprint &Now) {
  Sharings All;
  bool Commute = Before.Combine && Before.Combine == Now.Combine;
  for (const Footprint::Use &First : Before.Uses)
    for (const Footprint::Use &Second : Now.Uses) {
      bool Global = First.Where.isGlobal() && Second.Where.isGlobal();
      bool Ordered =
          Before.On == Now.On && (First.ByScalarUnit || Second.ByScalarUnit);
      if ((!First.Where.Written && !Second.Where.Written) || Ordered ||
          (Commute && Global) || !shareMemory(First.Where, Second.Where))
        continue;
      Sharing How =
          sharingOf(First.Where, Second.Where,
                    ArrayRef(Before.Loops)
                        .take_front(commonLoops(Before.Loops, Now.Loops)));
      if (!How.When)
        continue;
      auto Same = llvm::find_if(All, [&](const Sharing &Other) {
        return Other.SlotLoop == How.SlotLoop;
      });
      if (Same == All.end())
        All.push_back(How);
      else
        Same->When |= How.When;
    }
  return All;
}
