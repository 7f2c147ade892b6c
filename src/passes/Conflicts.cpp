//===- Conflicts.cpp - What instructions touch ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Conflicts.h"
#include "dialect/Fractals.h"

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

/// The two slots of a buffer alternate.
static int64_t slotOffset(const Access &Access, const Path &Path) {
  scf::ForOp SlotLoop = Access.SlotLoop;
  for (auto [Loop, Iteration] : Path)
    if (SlotLoop && Loop == SlotLoop.getOperation())
      return (Iteration % 2) * (Access.End - Access.Begin);
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

template <typename DmaOp>
static Window windowOf(DmaOp Op, int64_t Rows, int64_t Cols) {
  Window Result;
  Result.View = Op.getView();
  Result.Offsets = Op.getMixedOffsets();
  size_t Rank = Result.Offsets.size();
  for (auto [I, Size] : llvm::enumerate(Op.getMixedSizes())) {
    int64_t Most = 1;
    if (I + 1 == Rank)
      Most = Rank == 1 ? Rows * Cols : Cols;
    else if (I + 2 == Rank)
      Most = Rows;
    Result.MostSizes.push_back(getConstantIntValue(Size).value_or(Most));
  }
  return Result;
}

template <typename DmaOp> static Window windowOf(DmaOp Op, MemRefType Buffer) {
  return windowOf(Op, Buffer.getDimSize(0), Buffer.getDimSize(1));
}

/// The same where the buffer holds fractals of a matrix.
template <typename DmaOp>
static Window windowOf(DmaOp Op, std::optional<MatrixRoom> Room) {
  return windowOf(Op, Room->Rows, Room->Cols);
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
  else if (auto In = dyn_cast<CubeInOp>(Op))
    Result = windowOf(In, operandRoom(In.getDst().getType()));
  else if (auto Out = dyn_cast<CubeOutOp>(Op))
    Result = windowOf(Out, sumRoom(Out.getSrc().getType()));
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
/// down and so many across, and another iteration has another number.
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

/// Whether windows begin at constant offsets that are far enough apart, in some
/// dimension.
static bool areConstantsApart(const Window &First, const Window &Second) {
  for (unsigned I = 0; I < First.Offsets.size(); ++I) {
    std::optional<int64_t> A = getConstantIntValue(First.Offsets[I]),
                           B = getConstantIntValue(Second.Offsets[I]);
    if (A && B &&
        (*A + First.MostSizes[I] <= *B || *B + Second.MostSizes[I] <= *A))
      return true;
  }
  return false;
}

/// Whether windows of one view are apart in the same iteration of all loops; or
/// because they belong to different iterations of a loop that counts, each of
/// which moves on by at least a window.
static bool areApart(const Access &A, const Access &B,
                     LoopLikeOpInterface Loop) {
  if (!A.Part || !B.Part || A.Part->View != B.Part->View ||
      (Loop && !Loop.isDefinedOutsideOfLoop(A.Part->View)))
    return false;
  const Window &First = *A.Part, &Second = *B.Part;
  if (areConstantsApart(First, Second))
    return true;
  auto Counting = dyn_cast_or_null<scf::ForOp>(Loop.getOperation());
  std::optional<int64_t> Step =
      Counting ? leastOf(Counting.getStep()) : std::optional<int64_t>();
  if (!Step)
    return false;
  if (areTiles(First, Second, Counting, *Step))
    return true;
  for (unsigned I = 0; I < First.Offsets.size(); ++I) {
    auto Offset = dyn_cast<Value>(First.Offsets[I]);
    if (!Offset || First.Offsets[I] != Second.Offsets[I])
      continue;
    std::optional<int64_t> Growth = growthOf(Offset, Counting);
    int64_t Most = std::max(First.MostSizes[I], Second.MostSizes[I]);
    if (Growth && *Growth > 0 && *Growth * *Step >= Most)
      return true;
  }
  return false;
}

FailureOr<Instruction> belay::passes::describe(InstructionInterface Op) {
  Instruction Result{Op, Op.getPipe(), {}, {}};
  for (auto Loop = Op->getParentOfType<LoopLikeOpInterface>(); Loop;
       Loop = Loop->getParentOfType<LoopLikeOpInterface>())
    Result.Loops.insert(Result.Loops.begin(), Loop);
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
      Access.Part = windowOf(Op);
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

/// The view that others are windows of.
static Value rootOf(Value View) {
  for (;;) {
    if (auto Window = View.getDefiningOp<ViewLikeOpInterface>())
      View = Window.getViewSource();
    else if (auto Transposed = View.getDefiningOp<memref::TransposeOp>())
      View = Transposed.getIn();
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

/// How a copy out combines with what is there, if it does.
static std::optional<Combine> combineOf(Operation *Op) {
  if (auto Out = dyn_cast<DmaOutOp>(Op))
    return Out.getCombine();
  if (auto Out = dyn_cast<CubeOutOp>(Op))
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

/// Whether accesses share memory in any iteration.
static bool mayMeet(const Access &A, const Access &B) {
  if (bool(A.View) != bool(B.View))
    return false;
  if (A.View)
    return mayOverlap(A.View, B.View);
  auto LastEnd = [](const Access &Of) {
    return Of.End + (Of.SlotLoop ? Of.End - Of.Begin : 0);
  };
  return A.Space == B.Space && A.Begin < LastEnd(B) && B.Begin < LastEnd(A);
}

/// The loops in whose iterations views are apart.
static uint32_t apartIn(const Instruction &A, const Access &First,
                        const Instruction &B, const Access &Second) {
  uint32_t Apart = 0;
  unsigned Depth = 0;
  for (auto [Loop, Other] : llvm::zip(A.Loops, B.Loops)) {
    if (Loop != Other || Depth >= 31)
      break;
    Apart |= uint32_t(areApart(First, Second, Loop)) << Depth++;
  }
  return Apart | uint32_t(areApart(First, Second, {})) << Depth;
}

SmallVector<Overlap, 1> belay::passes::overlaps(const Instruction &A,
                                                const Instruction &B) {
  SmallVector<Overlap, 1> Result;
  std::optional<Combine> Both = combineOf(A.Op);
  bool Commute = Both && Both == combineOf(B.Op);
  for (const Access &First : A.Accesses)
    for (const Access &Second : B.Accesses) {
      bool Ordered = A.On == B.On && (isForScalarUnit(A.Op, First.Operand) ||
                                      isForScalarUnit(B.Op, Second.Operand));
      if ((!First.Write && !Second.Write) || Ordered ||
          (Commute && First.View && Second.View) || !mayMeet(First, Second))
        continue;
      uint32_t Apart = First.View ? apartIn(A, First, B, Second) : 0;
      Result.push_back({&First, &Second, Apart});
    }
  return Result;
}

/// The number of the outermost loop whose iterations differ, or that of the
/// loops in which they do not.
static unsigned outermostDifference(const Path &A, const Path &B) {
  unsigned Depth = 0;
  for (auto [First, Second] : llvm::zip(A, B)) {
    if (First != Second)
      break;
    Depth += isa<LoopLikeOpInterface>(First.first);
  }
  return Depth;
}

bool belay::passes::conflict(ArrayRef<Overlap> Ways, const Path &PathA,
                             const Path &PathB) {
  for (const Overlap &Way : Ways) {
    const Access &First = *Way.First, &Second = *Way.Second;
    if (Way.Apart) {
      unsigned Depth = outermostDifference(PathA, PathB);
      if (Depth <= 31 && (Way.Apart >> Depth & 1))
        continue;
    }
    if (First.View)
      return true;
    int64_t MoveA = slotOffset(First, PathA), MoveB = slotOffset(Second, PathB);
    if (First.Begin + MoveA < Second.End + MoveB &&
        Second.Begin + MoveB < First.End + MoveA)
      return true;
  }
  return false;
}
