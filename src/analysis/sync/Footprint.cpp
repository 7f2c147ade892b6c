//===- Footprint.cpp - Which memory an instruction uses -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/sync/Footprint.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;
using namespace belay::ascend;

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

scf::ForOp analysis::alternatesIn(Value Slot) {
  auto Argument = dyn_cast_or_null<BlockArgument>(Slot);
  auto Loop =
      Argument
          ? dyn_cast_or_null<scf::ForOp>(Argument.getOwner()->getParentOp())
          : scf::ForOp();
  if (!Loop || Argument == Loop.getInductionVar())
    return {};
  OpOperand *Init = Loop.getTiedLoopInit(Argument);
  APInt Start, One;
  if (!matchPattern(Init->get(), m_ConstantInt(&Start)) || !Start.isZero())
    return {};
  auto Next = Loop.getTiedLoopYieldedValue(Argument)
                  ->get()
                  .getDefiningOp<arith::SubIOp>();
  bool Toggles = Next && Next.getRhs() == Argument &&
                 matchPattern(Next.getLhs(), m_ConstantInt(&One)) &&
                 One.isOne();
  return Toggles ? Loop : scf::ForOp();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
struct Operand {
  Value Memory;
  bool Written;
};
} // namespace

static SmallVector<Operand> operandsOf(Operation *Op) {
  SmallVector<Operand> Result;
  SmallVector<MemoryEffects::EffectInstance> Effects;
  if (auto Interface = dyn_cast<MemoryEffectOpInterface>(Op))
    Interface.getEffects(Effects);
  for (auto &Effect : Effects)
    if (Effect.getValue())
      Result.push_back(
          {Effect.getValue(), isa<MemoryEffects::Write>(Effect.getEffect())});
  return Result;
}

bool analysis::writesMemory(Operation *Op) {
  return llvm::any_of(operandsOf(Op), [](Operand O) { return O.Written; });
}

Value analysis::unplacedBuffer(Operation *Op) {
  for (Operand O : operandsOf(Op)) {
    if (isView(O.Memory.getType()))
      continue;
    auto Buffer = O.Memory.getDefiningOp<BufferOp>();
    if (!Buffer || !Buffer.getOffset())
      return O.Memory;
  }
  return {};
}

static Sharing shareBuffers(BufferOp A, BufferOp B) {
  if (getSpace(A.getBuffer().getType()) != getSpace(B.getBuffer().getType()))
    return {};
  int64_t FirstA = *A.getOffset(), FirstB = *B.getOffset();
  int64_t EndA = FirstA + A.getSlotBytes() * A.getSlots();
  int64_t EndB = FirstB + B.getSlotBytes() * B.getSlots();
  if (EndA <= FirstB || EndB <= FirstA)
    return {};
  scf::ForOp Loop = alternatesIn(A.getSlot());
  bool InTurn = Loop && Loop == alternatesIn(B.getSlot()) && FirstA == FirstB &&
                EndA == EndB && A.getSlots() == 2 && B.getSlots() == 2 &&
                A.getSlot() == B.getSlot();
  if (InTurn)
    return {Sharing::Kind::SameSlot, Loop};
  return {Sharing::Kind::Always, {}};
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// What a view is a window of, in the end.
static Value baseOf(Value View) {
  Operation *Def = View.getDefiningOp();
  if (auto Like = dyn_cast_or_null<ViewLikeOpInterface>(Def))
    return baseOf(Like.getViewSource());
  if (auto Turned = dyn_cast_or_null<memref::TransposeOp>(Def))
    return baseOf(Turned.getIn());
  return View;
}

/// Whether a view is one of those that the launcher compares with each other:
/// it starts no kernel in which a written one overlaps another.
static bool isKeptApart(Value View) {
  auto Argument = dyn_cast<BlockArgument>(View);
  if (!Argument)
    return false;
  auto Kernel = dyn_cast<func::FuncOp>(Argument.getOwner()->getParentOp());
  return Kernel && Kernel.getArgAttrOfType<RoleAttr>(
                       Argument.getArgNumber(), AscendDialect::RoleAttrName);
}

/// The least that a positive step can be.
static int64_t leastStep(Value Step) {
  APInt Constant;
  if (matchPattern(Step, m_ConstantInt(&Constant)))
    return std::max<int64_t>(Constant.getSExtValue(), 0);
  if (Step.getDefiningOp<CoreCountOp>())
    return 1;
  if (auto Product = Step.getDefiningOp<arith::MulIOp>())
    return leastStep(Product.getLhs()) * leastStep(Product.getRhs());
  return 0;
}

namespace {
/// Factor * loop variable + what does not change in the loop.
struct Linear {
  bool Known;
  int64_t Factor;
};
} // namespace

static Linear linearIn(Value Offset, scf::ForOp Loop) {
  if (Offset == Loop.getInductionVar())
    return {true, 1};
  if (Loop.isDefinedOutsideOfLoop(Offset))
    return {true, 0};
  APInt Constant;
  if (auto Sum = Offset.getDefiningOp<arith::AddIOp>()) {
    Linear L = linearIn(Sum.getLhs(), Loop), R = linearIn(Sum.getRhs(), Loop);
    return {L.Known && R.Known, L.Factor + R.Factor};
  }
  if (auto Product = Offset.getDefiningOp<arith::MulIOp>())
    if (matchPattern(Product.getRhs(), m_ConstantInt(&Constant))) {
      Linear L = linearIn(Product.getLhs(), Loop);
      return {L.Known, L.Factor * Constant.getSExtValue()};
    }
  return {false, 0};
}

namespace {
/// What a copy touches of a view: where it begins, and the most elements that
/// it reaches over in each dimension, as its buffer holds no more.
struct Reach {
  Value Of;
  SmallVector<OpFoldResult> Offsets;
  SmallVector<int64_t> Most;
};
} // namespace

/// The same region of what the view is a part of; false if it cannot be told
/// without adding offsets up.
static bool stepOut(Reach &R, memref::SubViewOp Part) {
  Reach Out{Part.getSource(), Part.getMixedOffsets(), {}};
  llvm::SmallBitVector Dropped = Part.getDroppedDims();
  for (unsigned I = 0, Inner = 0; I < Out.Offsets.size(); ++I) {
    if (Dropped.test(I)) {
      Out.Most.push_back(1);
      continue;
    }
    std::optional<int64_t> Stride =
        getConstantIntValue(Part.getMixedStrides()[I]);
    if (!Stride || *Stride < 1)
      return false;
    if (!isConstantIntValue(R.Offsets[Inner], 0)) {
      if (*Stride != 1 || !isConstantIntValue(Out.Offsets[I], 0))
        return false;
      Out.Offsets[I] = R.Offsets[Inner];
    }
    Out.Most.push_back(*Stride * (R.Most[Inner++] - 1) + 1);
  }
  R = std::move(Out);
  return true;
}

/// Of the argument, if it can be told.
static Reach regionOf(Operation *Op) {
  auto In = dyn_cast<DmaInOp>(Op);
  auto Out = dyn_cast<DmaOutOp>(Op);
  if (!In && !Out)
    return {};
  MemRefType Buffer = In ? In.getDst().getType() : Out.getSrc().getType();
  Reach R{In ? In.getView() : Out.getView(),
          In ? In.getMixedOffsets() : Out.getMixedOffsets(),
          {}};
  R.Most.assign(R.Offsets.size(), 1);
  R.Most.back() = Buffer.getDimSize(1);
  if (R.Most.size() == 1)
    R.Most.back() *= Buffer.getDimSize(0);
  else
    R.Most[R.Most.size() - 2] = Buffer.getDimSize(0);
  for (Operation *Def = R.Of.getDefiningOp(); Def; Def = R.Of.getDefiningOp()) {
    if (auto Cast = dyn_cast<memref::CastOp>(Def))
      R.Of = Cast.getSource();
    else if (auto Part = dyn_cast<memref::SubViewOp>(Def);
             !Part || !stepOut(R, Part))
      break;
  }
  return R;
}

/// The division behind an offset that is a multiple of its quotient or of its
/// remainder, of at least a window; null for any other.
static Operation *divisionBehind(OpFoldResult Offset, int64_t Window) {
  auto Multiple = dyn_cast<Value>(Offset);
  Operation *Def = Multiple ? Multiple.getDefiningOp() : nullptr;
  APInt Factor(64, 1);
  if (auto Product = dyn_cast_or_null<arith::MulIOp>(Def))
    if (matchPattern(Product.getRhs(), m_ConstantInt(&Factor)))
      Def = Product.getLhs().getDefiningOp();
  bool Divides = isa_and_nonnull<arith::DivSIOp, arith::RemSIOp>(Def);
  return Divides && Factor.getSExtValue() >= Window ? Def : nullptr;
}

/// Whether two dimensions have the quotient and the remainder of one division.
/// Two different numbers never agree in both, so that windows do not meet in at
/// least one dimension.
static bool countsTiles(scf::ForOp Loop, int64_t Step,
                        ArrayRef<OpFoldResult> Offsets, ArrayRef<int64_t> MostA,
                        ArrayRef<int64_t> MostB) {
  SmallVector<Operation *> Divisions;
  for (auto [Offset, A, B] : llvm::zip_equal(Offsets, MostA, MostB))
    if (Operation *Division = divisionBehind(Offset, std::max(A, B)))
      Divisions.push_back(Division);
  for (Operation *Quotient : Divisions)
    for (Operation *Remainder : Divisions) {
      if (!isa<arith::DivSIOp>(Quotient) || !isa<arith::RemSIOp>(Remainder) ||
          Quotient->getOperands() != Remainder->getOperands() ||
          !Loop.isDefinedOutsideOfLoop(Quotient->getOperand(1)))
        continue;
      Linear Number = linearIn(Quotient->getOperand(0), Loop);
      if (Number.Known && Number.Factor > 0 && Step > 0)
        return true;
    }
  return false;
}

/// Whether each turn of a loop moves windows at the same offsets on by at least
/// a window, in some dimension.
static bool movesOn(scf::ForOp Loop, ArrayRef<OpFoldResult> Offsets,
                    ArrayRef<int64_t> MostA, ArrayRef<int64_t> MostB) {
  int64_t Step = leastStep(Loop.getStep());
  if (countsTiles(Loop, Step, Offsets, MostA, MostB))
    return true;
  for (unsigned I = 0; I < Offsets.size(); ++I) {
    auto Offset = dyn_cast<Value>(Offsets[I]);
    if (!Offset)
      continue;
    Linear L = linearIn(Offset, Loop);
    if (L.Known && L.Factor > 0 &&
        L.Factor * Step >= std::max(MostA[I], MostB[I]))
      return true;
  }
  return false;
}

/// The innermost loop that contains both copies, if it and all loops around it
/// move on: then windows can only be the same in one turn of it.
static scf::ForOp loopThatMovesOn(Operation *A, Operation *B) {
  Reach OfA = regionOf(A), OfB = regionOf(B);
  if (!OfA.Of || OfA.Of != OfB.Of || OfA.Offsets != OfB.Offsets)
    return {};
  scf::ForOp Innermost;
  for (auto Loop = A->getParentOfType<scf::ForOp>(); Loop;
       Loop = Loop->getParentOfType<scf::ForOp>()) {
    if (!Loop->isProperAncestor(B))
      continue;
    if (!Loop.isDefinedOutsideOfLoop(OfA.Of) ||
        !movesOn(Loop, OfA.Offsets, OfA.Most, OfB.Most))
      return {};
    if (!Innermost)
      Innermost = Loop;
  }
  return Innermost;
}

static Sharing shareViews(Operation *A, Value ViewA, Operation *B,
                          Value ViewB) {
  Value BaseA = baseOf(ViewA), BaseB = baseOf(ViewB);
  if (BaseA != BaseB && isKeptApart(BaseA) && isKeptApart(BaseB))
    return {};
  if (scf::ForOp Loop = loopThatMovesOn(A, B))
    return {Sharing::Kind::SameTurn, Loop};
  return {Sharing::Kind::Always, {}};
}

/// Additions to global memory are atomic: their order is free.
static bool addAlike(Operation *A, Operation *B) {
  auto How = [](Operation *Op) -> CombineAttr {
    if (auto Out = dyn_cast<DmaOutOp>(Op))
      return Out.getCombineAttr();
    auto Scatter = dyn_cast<DmaScatterOp>(Op);
    return Scatter ? Scatter.getCombineAttr() : CombineAttr();
  };
  return How(A) && How(A) == How(B);
}

bool analysis::readsByScalarUnit(Operation *Op) {
  if (auto Scan = dyn_cast<VecScanOp>(Op))
    return Scan.getAxis() == Axis::Row;
  return isa<DmaGatherOp>(Op);
}

/// What of an instruction the scalar unit does, while the instruction's own
/// pipe has finished what came before and does not go on: indices of a gather,
/// and running sums along rows.
static bool isDoneBetween(Operation *Op, Value Memory) {
  if (auto Scan = dyn_cast<VecScanOp>(Op))
    return Scan.getAxis() == Axis::Row;
  auto Gather = dyn_cast<DmaGatherOp>(Op);
  return Gather && Gather.getIndices() == Memory;
}

Sharings analysis::sharingsOf(Operation *A, Operation *B) {
  Sharings All;
  bool SamePipe = cast<InstructionInterface>(A).getPipe() ==
                  cast<InstructionInterface>(B).getPipe();
  for (Operand First : operandsOf(A))
    for (Operand Second : operandsOf(B)) {
      if (!First.Written && !Second.Written)
        continue;
      if (SamePipe &&
          (isDoneBetween(A, First.Memory) || isDoneBetween(B, Second.Memory)))
        continue;
      if (addAlike(A, B) && isView(First.Memory.getType()) &&
          isView(Second.Memory.getType()))
        continue;
      bool Views[] = {isView(First.Memory.getType()),
                      isView(Second.Memory.getType())};
      if (Views[0] != Views[1])
        continue;
      Sharing Now = Views[0]
                        ? shareViews(A, First.Memory, B, Second.Memory)
                        : shareBuffers(First.Memory.getDefiningOp<BufferOp>(),
                                       Second.Memory.getDefiningOp<BufferOp>());
      if (Now.When != Sharing::Kind::Never && !llvm::is_contained(All, Now))
        All.push_back(Now);
    }
  return All;
}
