//===- Conflicts.cpp - What instructions touch ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Conflicts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace belay::ascend;
using namespace belay::passes;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

scf::ForOp belay::passes::slotLoopOf(Value Slot) {
  auto Argument = dyn_cast_or_null<BlockArgument>(Slot);
  if (!Argument)
    return {};
  return dyn_cast<scf::ForOp>(Argument.getOwner()->getParentOp());
}

FailureOr<Instruction> belay::passes::describe(InstructionInterface Op) {
  Instruction Result{Op, Op.getPipe(), {}};
  SmallVector<MemoryEffects::EffectInstance> Effects;
  cast<MemoryEffectOpInterface>(Op.getOperation()).getEffects(Effects);
  for (const MemoryEffects::EffectInstance &Effect : Effects) {
    Value Operand = Effect.getValue();
    if (!Operand)
      continue;
    Access Access;
    Access.Operand = Operand;
    Access.Write = isa<MemoryEffects::Write>(Effect.getEffect());
    if (isView(Operand.getType())) {
      Access.View = Operand;
      Result.Accesses.push_back(Access);
      continue;
    }
    auto Buffer = Operand.getDefiningOp<BufferOp>();
    if (!Buffer || !Buffer.getOffset())
      return Op.emitOpError("uses a buffer that has no place in memory");
    Access.Space = *getSpace(Buffer.getBuffer().getType());
    Access.Begin = *Buffer.getOffset();
    Access.End = Access.Begin + Buffer.getSlotBytes();
    Access.SlotLoop = slotLoopOf(Buffer.getSlot());
    if (Buffer.getSlots() > 1 && !Access.SlotLoop)
      Access.End = Access.Begin + Buffer.getSlotBytes() * Buffer.getSlots();
    Result.Accesses.push_back(Access);
  }
  return Result;
}

/// The two slots of a buffer are used in turn.
static int64_t slotOffset(const Access &Access, const Path &Path) {
  scf::ForOp SlotLoop = Access.SlotLoop;
  for (auto [Loop, Turn] : Path)
    if (SlotLoop && Loop == SlotLoop.getOperation())
      return (Turn % 2) * (Access.End - Access.Begin);
  return 0;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// A number that the value is never below, if it is certainly positive.
static std::optional<int64_t> leastOf(Value Value) {
  APInt Constant;
  if (matchPattern(Value, m_ConstantInt(&Constant)))
    return Constant.getSExtValue();
  if (Value.getDefiningOp<CoreCountOp>())
    return 1;
  auto Product = Value.getDefiningOp<arith::MulIOp>();
  if (!Product)
    return std::nullopt;
  std::optional<int64_t> Lhs = leastOf(Product.getLhs()),
                         Rhs = leastOf(Product.getRhs());
  if (!Lhs || !Rhs || *Lhs < 1 || *Rhs < 1)
    return std::nullopt;
  return *Lhs * *Rhs;
}

/// By how much an offset grows when the loop's variable grows by 1.
static std::optional<int64_t> growthOf(Value Offset, scf::ForOp Loop) {
  if (Offset == Loop.getInductionVar())
    return 1;
  if (Loop.isDefinedOutsideOfLoop(Offset))
    return 0;
  Operation *Def = Offset.getDefiningOp();
  if (!Def || !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(Def))
    return std::nullopt;
  std::optional<int64_t> Lhs = growthOf(Def->getOperand(0), Loop),
                         Rhs = growthOf(Def->getOperand(1), Loop);
  if (!Lhs || !Rhs)
    return std::nullopt;
  if (isa<arith::AddIOp>(Def))
    return *Lhs + *Rhs;
  if (isa<arith::SubIOp>(Def))
    return *Lhs - *Rhs;
  APInt Factor;
  if (*Rhs == 0 && matchPattern(Def->getOperand(1), m_ConstantInt(&Factor)))
    return *Lhs * Factor.getSExtValue();
  if (*Lhs == 0 && matchPattern(Def->getOperand(0), m_ConstantInt(&Factor)))
    return *Rhs * Factor.getSExtValue();
  return std::nullopt;
}

/// A window with the most elements that it can have in each dimension: those
/// of the buffer at its other end.
namespace {
struct Window {
  Value View;
  SmallVector<OpFoldResult> Offsets;
  SmallVector<int64_t> MostSizes;
};
} // namespace

template <typename DmaOp> static Window windowOf(DmaOp Op, MemRefType Buffer) {
  Window Result;
  Result.View = Op.getView();
  Result.Offsets = Op.getMixedOffsets();
  size_t Rank = Result.Offsets.size();
  for (auto [I, Size] : llvm::enumerate(Op.getMixedSizes())) {
    int64_t Most = 1;
    if (I + 1 == Rank)
      Most = Rank == 1 ? Buffer.getNumElements() : Buffer.getDimSize(1);
    else if (I + 2 == Rank)
      Most = Buffer.getDimSize(0);
    Result.MostSizes.push_back(getConstantIntValue(Size).value_or(Most));
  }
  return Result;
}

/// Says the same of what a view is part of, if offsets need not be added.
static std::optional<Window> widen(const Window &Inner,
                                   memref::SubViewOp Part) {
  Window Outer{Part.getSource(), {}, {}};
  llvm::SmallBitVector Dropped = Part.getDroppedDims();
  unsigned Next = 0;
  for (auto [I, Offset] : llvm::enumerate(Part.getMixedOffsets())) {
    std::optional<int64_t> Stride =
        getConstantIntValue(Part.getMixedStrides()[I]);
    if (Dropped[I]) {
      Outer.Offsets.push_back(Offset);
      Outer.MostSizes.push_back(1);
      continue;
    }
    OpFoldResult Here = Inner.Offsets[Next];
    int64_t Size = Inner.MostSizes[Next++];
    bool First = isConstantIntValue(Here, 0);
    if (!Stride || !(First || (isConstantIntValue(Offset, 0) && *Stride == 1)))
      return std::nullopt;
    Outer.Offsets.push_back(First ? Offset : Here);
    Outer.MostSizes.push_back((Size - 1) * *Stride + 1);
  }
  return Outer;
}

static std::optional<Window> windowOf(Operation *Op) {
  std::optional<Window> Result;
  if (auto In = dyn_cast<DmaInOp>(Op))
    Result = windowOf(In, In.getDst().getType());
  else if (auto Out = dyn_cast<DmaOutOp>(Op))
    Result = windowOf(Out, Out.getSrc().getType());
  while (Result) {
    Operation *Def = Result->View.getDefiningOp();
    if (auto Same = dyn_cast_or_null<memref::CastOp>(Def)) {
      Result->View = Same.getSource();
      continue;
    }
    auto Part = dyn_cast_or_null<memref::SubViewOp>(Def);
    std::optional<Window> Outer =
        Part ? widen(*Result, Part) : std::optional<Window>();
    if (!Outer)
      break;
    Result = Outer;
  }
  return Result;
}

/// A multiple of the quotient, or of the remainder, of two numbers.
namespace {
struct Part {
  bool IsQuotient;
  Value Number, Divisor;
  int64_t Factor;
};
} // namespace

static std::optional<Part> partOf(OpFoldResult Offset) {
  auto Scaled = dyn_cast<Value>(Offset);
  APInt Factor(64, 1);
  if (auto Product =
          Scaled ? Scaled.getDefiningOp<arith::MulIOp>() : arith::MulIOp())
    if (matchPattern(Product.getRhs(), m_ConstantInt(&Factor)))
      Scaled = Product.getLhs();
  Operation *Def = Scaled ? Scaled.getDefiningOp() : nullptr;
  if (!isa_and_nonnull<arith::DivSIOp, arith::RemSIOp>(Def))
    return std::nullopt;
  return Part{isa<arith::DivSIOp>(Def), Def->getOperand(0), Def->getOperand(1),
              Factor.getSExtValue()};
}

/// Whether two offsets say which tile it is by its number, as so many tiles
/// down and so many across, and another turn has another number.
static bool areTiles(const Window &First, const Window &Second, scf::ForOp Loop,
                     int64_t Step) {
  std::optional<Part> Quotient, Remainder;
  for (unsigned I = 0; I < First.Offsets.size(); ++I) {
    std::optional<Part> Part = partOf(First.Offsets[I]);
    if (!Part || First.Offsets[I] != Second.Offsets[I] ||
        Part->Factor < std::max(First.MostSizes[I], Second.MostSizes[I]))
      continue;
    (Part->IsQuotient ? Quotient : Remainder) = Part;
  }
  if (!Quotient || !Remainder || Quotient->Number != Remainder->Number ||
      Quotient->Divisor != Remainder->Divisor ||
      !Loop.isDefinedOutsideOfLoop(Quotient->Divisor))
    return false;
  std::optional<int64_t> Growth = growthOf(Quotient->Number, Loop);
  return Growth && *Growth > 0 && Step > 0;
}

/// Whether windows of one view are apart because they belong to different turns
/// of a loop, each of which moves on by at least a window.
static bool areApart(Operation *A, Operation *B, scf::ForOp Loop) {
  std::optional<Window> First = windowOf(A), Second = windowOf(B);
  std::optional<int64_t> Step = leastOf(Loop.getStep());
  if (!First || !Second || !Step || First->View != Second->View ||
      !Loop.isDefinedOutsideOfLoop(First->View))
    return false;
  if (areTiles(*First, *Second, Loop, *Step))
    return true;
  for (unsigned I = 0; I < First->Offsets.size(); ++I) {
    auto Offset = dyn_cast<Value>(First->Offsets[I]);
    if (!Offset || First->Offsets[I] != Second->Offsets[I])
      continue;
    std::optional<int64_t> Growth = growthOf(Offset, Loop);
    int64_t Most = std::max(First->MostSizes[I], Second->MostSizes[I]);
    if (Growth && *Growth > 0 && *Growth * *Step >= Most)
      return true;
  }
  return false;
}

/// The view that others are windows of.
static Value rootOf(Value View) {
  for (;;) {
    if (auto Window = View.getDefiningOp<ViewLikeOpInterface>())
      View = Window.getViewSource();
    else if (auto Turned = View.getDefiningOp<memref::TransposeOp>())
      View = Turned.getIn();
    else
      return View;
  }
}

/// Whether a view is an argument of which the launcher knows what becomes of
/// it.
static bool hasRole(Value View) {
  auto Argument = dyn_cast<BlockArgument>(View);
  auto Kernel = Argument
                    ? dyn_cast<func::FuncOp>(Argument.getOwner()->getParentOp())
                    : func::FuncOp();
  return Kernel && Kernel.getArgAttr(Argument.getArgNumber(),
                                     AscendDialect::RoleAttrName);
}

bool belay::passes::mayOverlap(Value A, Value B) {
  A = rootOf(A);
  B = rootOf(B);
  return A == B || !hasRole(A) || !hasRole(B);
}

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

/// The innermost common loop of two executions in which their turns differ.
static scf::ForOp loopBetween(const Path &A, const Path &B) {
  for (auto [First, Second] : llvm::zip(A, B)) {
    if (First == Second)
      continue;
    return First.first == Second.first ? dyn_cast<scf::ForOp>(First.first)
                                       : scf::ForOp();
  }
  return {};
}

static bool overlap(const Instruction &A, const Access &First,
                    const Path &PathA, const Instruction &B,
                    const Access &Second, const Path &PathB) {
  if (bool(First.View) != bool(Second.View))
    return false;
  if (!First.View) {
    int64_t MoveA = slotOffset(First, PathA), MoveB = slotOffset(Second, PathB);
    return First.Space == Second.Space &&
           First.Begin + MoveA < Second.End + MoveB &&
           Second.Begin + MoveB < First.End + MoveA;
  }
  if (!mayOverlap(First.View, Second.View))
    return false;
  scf::ForOp Loop = loopBetween(PathA, PathB);
  return !(Loop && areApart(A.Op, B.Op, Loop));
}

/// How a copy out combines with what is there, if it does.
static std::optional<Combine> combineOf(Operation *Op) {
  if (auto Out = dyn_cast<DmaOutOp>(Op))
    return Out.getCombine();
  if (auto Scatter = dyn_cast<DmaScatterOp>(Op))
    return Scatter.getCombine();
  return std::nullopt;
}

bool belay::passes::usesScalarUnit(Operation *Op) {
  auto Scan = dyn_cast<VecScanOp>(Op);
  return isa<DmaGatherOp>(Op) || (Scan && Scan.getAxis() == Axis::Row);
}

/// The indices of a gather, and all of what is no copy.
static bool isForScalarUnit(Operation *Op, Value Operand) {
  auto Gather = dyn_cast<DmaGatherOp>(Op);
  return usesScalarUnit(Op) && (!Gather || Operand == Gather.getIndices());
}

bool belay::passes::conflict(const Instruction &A, const Path &PathA,
                             const Instruction &B, const Path &PathB) {
  std::optional<Combine> Both = combineOf(A.Op);
  bool Commute = Both && Both == combineOf(B.Op);
  for (const Access &First : A.Accesses)
    for (const Access &Second : B.Accesses) {
      bool Ordered = A.On == B.On && (isForScalarUnit(A.Op, First.Operand) ||
                                      isForScalarUnit(B.Op, Second.Operand));
      if ((First.Write || Second.Write) && !Ordered &&
          !(Commute && First.View && Second.View) &&
          overlap(A, First, PathA, B, Second, PathB))
        return true;
    }
  return false;
}
