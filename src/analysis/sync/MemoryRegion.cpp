//===- MemoryRegion.cpp - A part of a memory ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Why two executions of different iterations do not overlap: let L be the
// outermost loop whose iterations differ. Whatever is defined outside of L is
// the same for both. If both regions begin at the same factor times L's
// variable, and otherwise at the same values, they are as far apart as L moves
// on. A loop that does not count has no variable: what it carries is another
// value in each iteration, of which nothing is known.
//
//===----------------------------------------------------------------------===//

#include "analysis/sync/MemoryRegion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;
using namespace belay::ascend;

//===----------------------------------------------------------------------===//
// Sums of values
//===----------------------------------------------------------------------===//

/// Into += Factor * Value; false if a number does not fit.
static bool addValue(LinearOffset &Into, Value V, int64_t Factor) {
  auto Same = llvm::find_if(Into.Terms, [&](auto &T) { return T.first == V; });
  if (Same == Into.Terms.end()) {
    if (Factor)
      Into.Terms.push_back({V, Factor});
    return true;
  }
  std::optional<int64_t> Sum = llvm::checkedAdd(Same->second, Factor);
  if (!Sum)
    return false;
  Same->second = *Sum;
  if (*Sum == 0)
    Into.Terms.erase(Same);
  return true;
}

static bool addConstant(LinearOffset &Into, int64_t Constant, int64_t Factor) {
  std::optional<int64_t> Sum =
      llvm::checkedMulAdd(Constant, Factor, Into.Constant);
  Into.Constant = Sum.value_or(0);
  return Sum.has_value();
}

/// Into += Factor * Other.
static bool addSum(LinearOffset &Into, const LinearOffset &Other,
                   int64_t Factor) {
  for (auto [V, F] : Other.Terms) {
    std::optional<int64_t> Product = llvm::checkedMul(F, Factor);
    if (!Product || !addValue(Into, V, *Product))
      return false;
  }
  return addConstant(Into, Other.Constant, Factor);
}

/// Into += Factor * Value, with additions and constant factors taken apart.
static bool addParts(LinearOffset &Into, Value V, int64_t Factor,
                     unsigned Depth) {
  APInt Constant;
  if (matchPattern(V, m_ConstantInt(&Constant)))
    return addConstant(Into, Constant.getSExtValue(), Factor);
  Operation *Def = V.getDefiningOp();
  if (!Def || !Depth)
    return addValue(Into, V, Factor);
  if (isa<arith::AddIOp>(Def))
    return addParts(Into, Def->getOperand(0), Factor, Depth - 1) &&
           addParts(Into, Def->getOperand(1), Factor, Depth - 1);
  if (isa<arith::SubIOp>(Def) && Factor != INT64_MIN)
    return addParts(Into, Def->getOperand(0), Factor, Depth - 1) &&
           addParts(Into, Def->getOperand(1), -Factor, Depth - 1);
  if (isa<arith::MulIOp>(Def))
    for (unsigned I : {0, 1})
      if (matchPattern(Def->getOperand(I), m_ConstantInt(&Constant))) {
        std::optional<int64_t> Product =
            llvm::checkedMul(Factor, Constant.getSExtValue());
        return Product &&
               addParts(Into, Def->getOperand(1 - I), *Product, Depth - 1);
      }
  return addValue(Into, V, Factor);
}

static LinearOffset linearOf(OpFoldResult Offset) {
  constexpr unsigned MostDepth = 8;
  if (std::optional<int64_t> Constant = getConstantIntValue(Offset))
    return {{}, *Constant};
  Value V = cast<Value>(Offset);
  LinearOffset Sum;
  return addParts(Sum, V, 1, MostDepth) ? Sum : LinearOffset{{{V, 1}}, 0};
}

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

bool Placement::isSameAs(const Placement &Other) const {
  return Space == Other.Space && Begin == Other.Begin &&
         SlotBytes == Other.SlotBytes && Slots == Other.Slots &&
         Type == Other.Type;
}

//===----------------------------------------------------------------------===//
// Views of views
//===----------------------------------------------------------------------===//

/// From a part to what it is a part of; false if its place cannot be told.
static bool stepOut(MemoryRegion &R, memref::SubViewOp Part) {
  SmallVector<Dimension, 2> Outer;
  llvm::SmallBitVector Dropped = Part.getDroppedDims();
  unsigned Next = 0;
  for (auto [I, Offset] : llvm::enumerate(Part.getMixedOffsets())) {
    LinearOffset Begin = linearOf(Offset);
    if (Dropped.test(I)) {
      Outer.push_back({std::move(Begin), 1});
      continue;
    }
    const Dimension &Inner = R.Dimensions[Next++];
    std::optional<int64_t> Stride =
        getConstantIntValue(Part.getMixedStrides()[I]);
    if (!Stride || *Stride < 1 || !addSum(Begin, Inner.Begin, *Stride))
      return false;
    std::optional<int64_t> Most =
        llvm::checkedMulAdd(*Stride, Inner.Most - 1, int64_t(1));
    Outer.push_back(
        {std::move(Begin), std::min(Most.value_or(Unbounded), Unbounded)});
  }
  R.Memory = Part.getSource();
  R.Dimensions = std::move(Outer);
  return true;
}

static bool stepOut(MemoryRegion &R, memref::TransposeOp Transposed) {
  SmallVector<Dimension, 2> Outer(R.Dimensions.size());
  for (auto [I, Dim] : llvm::enumerate(R.Dimensions))
    Outer[Transposed.getPermutation().getDimPosition(I)] = std::move(Dim);
  R.Memory = Transposed.getIn();
  R.Dimensions = std::move(Outer);
  return true;
}

/// One step towards the memory that a region is in. A view op that adds offsets
/// of its own has its case here.
static bool stepOut(MemoryRegion &R) {
  Operation *Def = R.Memory.getDefiningOp();
  if (auto Cast = dyn_cast_or_null<memref::CastOp>(Def)) {
    R.Memory = Cast.getSource();
    return true;
  }
  if (auto Part = dyn_cast_or_null<memref::SubViewOp>(Def))
    return stepOut(R, Part);
  if (auto Transposed = dyn_cast_or_null<memref::TransposeOp>(Def))
    return stepOut(R, Transposed);
  return false;
}

/// What a view is a part of, in the end.
static Value rootOf(Value View) {
  Operation *Def = View.getDefiningOp();
  if (auto Like = dyn_cast_or_null<ViewLikeOpInterface>(Def))
    return rootOf(Like.getViewSource());
  if (auto Transposed = dyn_cast_or_null<memref::TransposeOp>(Def))
    return rootOf(Transposed.getIn());
  return View;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// The bytes of a slot from the first to the last element, if offsets are
/// constants. A region that is all of its buffer has the padding as well.
static void findBytes(MemoryRegion &R) {
  R.FirstByte = 0;
  R.EndByte = R.Place.SlotBytes;
  SmallVector<int64_t> Strides;
  int64_t Offset, First = 0, Last = 0;
  if (R.Dimensions.empty() ||
      failed(R.Place.Type.getStridesAndOffset(Strides, Offset)))
    return;
  bool All = true;
  for (auto [Dim, Stride, Size] :
       llvm::zip_equal(R.Dimensions, Strides, R.Place.Type.getShape())) {
    All &= Dim.Begin.isConstant() && !Dim.Begin.Constant && Dim.Most >= Size;
    if (!Dim.Begin.isConstant() || Dim.Begin.Constant < 0 ||
        Dim.Begin.Constant > Size || Dim.Most > Size || Stride < 0)
      return;
    First += Dim.Begin.Constant * Stride;
    Last += (Dim.Begin.Constant + Dim.Most - 1) * Stride;
  }
  if (All)
    return;
  int64_t Bits = R.Place.Type.getElementTypeBitWidth();
  R.FirstByte = First * Bits / 8;
  R.EndByte =
      std::min(R.EndByte, int64_t(llvm::divideCeil((Last + 1) * Bits, 8)));
}

FailureOr<MemoryRegion> analysis::regionOf(Value Operand,
                                           ArrayRef<OpFoldResult> Offsets,
                                           ArrayRef<int64_t> Most) {
  MemoryRegion R;
  R.Memory = Operand;
  for (auto [Offset, Extent] : llvm::zip_equal(Offsets, Most))
    R.Dimensions.push_back({linearOf(Offset), Extent});
  while (stepOut(R))
    ;
  R.Fixed = llvm::all_of(R.Dimensions, [](const Dimension &Dim) {
    return Dim.Begin.isConstant();
  });
  if (isView(Operand.getType())) {
    R.Root = rootOf(R.Memory);
    return R;
  }
  auto Buffer = rootOf(R.Memory).getDefiningOp<BufferOp>();
  if (!Buffer || !Buffer.getOffset())
    return failure();
  if (R.Memory != Buffer.getBuffer())
    R.Dimensions.clear(); // somewhere in it
  R.Place.Space = *getSpace(Buffer.getBuffer().getType());
  R.Place.Begin = *Buffer.getOffset();
  R.Place.SlotBytes = Buffer.getSlotBytes();
  R.Place.Slots = Buffer.getSlots();
  R.Place.Slot = Buffer.getSlot();
  R.Place.SlotLoop = alternatesIn(Buffer.getSlot());
  R.Place.Type = Buffer.getBuffer().getType();
  findBytes(R);
  return R;
}

FailureOr<MemoryRegion> analysis::regionOf(Value Operand) {
  auto Type = cast<MemRefType>(Operand.getType());
  SmallVector<OpFoldResult> Offsets(
      Type.getRank(), IntegerAttr::get(IndexType::get(Type.getContext()), 0));
  SmallVector<int64_t> Most(Type.getShape());
  for (int64_t &Size : Most)
    if (ShapedType::isDynamic(Size))
      Size = Unbounded;
  return regionOf(Operand, Offsets, Most);
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

bool analysis::shareMemory(const MemoryRegion &A, const MemoryRegion &B) {
  if (A.isGlobal() != B.isGlobal())
    return false;
  if (A.isGlobal())
    return A.Root == B.Root || !isKeptApart(A.Root) || !isKeptApart(B.Root);
  if (A.Place.Space != B.Place.Space)
    return false;
  auto Begin = [](const MemoryRegion &R) {
    return R.Place.Begin + R.FirstByte;
  };
  auto End = [](const MemoryRegion &R) {
    return R.Place.Begin + (R.Place.Slots - 1) * R.Place.SlotBytes + R.EndByte;
  };
  return Begin(A) < End(B) && Begin(B) < End(A);
}

//===----------------------------------------------------------------------===//
// Apart in one dimension
//===----------------------------------------------------------------------===//

/// Whether offsets of both regions count from the same point.
static bool countAlike(const MemoryRegion &A, const MemoryRegion &B) {
  if (A.Dimensions.size() != B.Dimensions.size())
    return false;
  return A.isGlobal() ? A.Memory == B.Memory : A.Place.isSameAs(B.Place);
}

/// How far To is from From, if that is a constant.
static std::optional<int64_t> distance(const LinearOffset &From,
                                       const LinearOffset &To) {
  if (From.isConstant() && To.isConstant())
    return llvm::checkedSub(To.Constant, From.Constant);
  LinearOffset Between = To;
  if (!addSum(Between, From, -1) || !Between.isConstant())
    return std::nullopt;
  return Between.Constant;
}

/// Whether intervals that begin so far from each other are disjoint.
static bool clears(int64_t Distance, int64_t MostA, int64_t MostB) {
  return Distance >= MostA || Distance <= -MostB;
}

bool analysis::areApart(const MemoryRegion &A, const MemoryRegion &B) {
  if (!countAlike(A, B))
    return false;
  for (auto [First, Second] : llvm::zip_equal(A.Dimensions, B.Dimensions)) {
    std::optional<int64_t> Distance = distance(First.Begin, Second.Begin);
    if (Distance && clears(*Distance, First.Most, Second.Most))
      return true;
  }
  return false;
}

/// The least that a step, which is positive, can be; 0 if that cannot be told.
static int64_t leastStep(Value Step) {
  APInt Constant;
  if (matchPattern(Step, m_ConstantInt(&Constant)))
    return std::max<int64_t>(Constant.getSExtValue(), 0);
  if (Step.getDefiningOp<CoreCountOp>())
    return 1;
  if (auto Product = Step.getDefiningOp<arith::MulIOp>())
    return llvm::checkedMul(leastStep(Product.getLhs()),
                            leastStep(Product.getRhs()))
        .value_or(0);
  return 0;
}

/// The least that each iteration adds to the variable of a loop; 0 if the loop
/// does not count.
static int64_t leastStep(LoopLikeOpInterface Loop) {
  auto Counting = dyn_cast<scf::ForOp>(Loop.getOperation());
  return Counting ? leastStep(Counting.getStep()) : 0;
}

/// Whether a value is the same in all iterations of a loop.
static bool isInvariant(Value V, LoopLikeOpInterface Loop, unsigned Depth = 4) {
  if (Loop.isDefinedOutsideOfLoop(V))
    return true;
  Operation *Def = V.getDefiningOp();
  return Depth && Def && isPure(Def) && !Def->getNumRegions() &&
         llvm::all_of(Def->getOperands(), [&](Value Operand) {
           return isInvariant(Operand, Loop, Depth - 1);
         });
}

/// The factor of a loop's variable in a sum of which all else is the same in
/// every iteration.
static std::optional<int64_t> factorIn(const LinearOffset &Sum,
                                       LoopLikeOpInterface Loop) {
  int64_t Factor = 0;
  for (auto [V, F] : Sum.Terms) {
    if (V == Loop.getSingleInductionVar())
      Factor = F;
    else if (!isInvariant(V, Loop))
      return std::nullopt;
  }
  return Factor;
}

/// Whether a loop carries Now past Before in one dimension: what Now begins
/// ahead in one iteration, and what an iteration adds, is at least what the
/// earlier one reaches over. Now is in a later iteration, so that it never
/// comes back.
static bool movesPast(const Dimension &Before, const Dimension &Now,
                      LoopLikeOpInterface Loop) {
  std::optional<int64_t> Factor = factorIn(Before.Begin, Loop);
  std::optional<int64_t> Distance = distance(Before.Begin, Now.Begin);
  if (!Factor || Factor != factorIn(Now.Begin, Loop) || !Distance)
    return false;
  if (*Factor == 0)
    return clears(*Distance, Before.Most, Now.Most);
  int64_t Step = leastStep(Loop);
  std::optional<int64_t> Ahead = llvm::checkedMulAdd(*Factor, Step, *Distance);
  if (!Ahead || Step == 0)
    return false;
  return *Factor > 0 ? *Ahead >= Before.Most : *Ahead <= -Now.Most;
}

/// The division whose quotient or remainder, times at least what the regions
/// reach over, is all that changes in a dimension; null if there is none.
static Operation *divisionOf(const Dimension &A, const Dimension &B,
                             LoopLikeOpInterface Loop) {
  if (A.Begin != B.Begin)
    return nullptr;
  Operation *Division = nullptr;
  for (auto [V, Factor] : A.Begin.Terms) {
    if (isInvariant(V, Loop))
      continue;
    Operation *Def = V.getDefiningOp();
    if (Division || !isa_and_nonnull<arith::DivSIOp, arith::RemSIOp>(Def) ||
        Factor < std::max(A.Most, B.Most))
      return nullptr;
    Division = Def;
  }
  return Division;
}

/// Whether two dimensions have the quotient and the remainder of one division
/// by the same number. Different numbers never agree in both, so that regions
/// are apart in at least one dimension.
static bool countTiles(const MemoryRegion &A, const MemoryRegion &B,
                       LoopLikeOpInterface Loop) {
  SmallVector<Operation *> Divisions;
  for (auto [First, Second] : llvm::zip_equal(A.Dimensions, B.Dimensions))
    if (Operation *Division = divisionOf(First, Second, Loop))
      Divisions.push_back(Division);
  for (Operation *Quotient : Divisions)
    for (Operation *Remainder : Divisions) {
      if (!isa<arith::DivSIOp>(Quotient) || !isa<arith::RemSIOp>(Remainder) ||
          Quotient->getOperands() != Remainder->getOperands() ||
          !isInvariant(Quotient->getOperand(1), Loop))
        continue;
      auto Factor = factorIn(linearOf(Quotient->getOperand(0)), Loop);
      if (Factor && *Factor != 0 && leastStep(Loop) > 0)
        return true;
    }
  return false;
}

/// Whether a number is not negative, as far as its definition says. What is
/// left up to the end of a loop around it is at least one.
static bool isNotNegative(Value Number, unsigned Depth = 6) {
  APInt Constant;
  if (matchPattern(Number, m_ConstantInt(&Constant)))
    return !Constant.isNegative();
  Operation *Def = Number.getDefiningOp();
  if (!Def || !Depth)
    return false;
  auto OperandIs = [&](unsigned I) {
    return isNotNegative(Def->getOperand(I), Depth - 1);
  };
  if (isa<arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::MinSIOp>(Def))
    return OperandIs(0) && OperandIs(1);
  if (isa<arith::MaxSIOp>(Def))
    return OperandIs(0) || OperandIs(1);
  auto Left = dyn_cast<arith::SubIOp>(Def);
  auto Argument = Left ? dyn_cast<BlockArgument>(Left.getRhs()) : nullptr;
  auto Loop = Argument
                  ? dyn_cast<scf::ForOp>(Argument.getOwner()->getParentOp())
                  : scf::ForOp();
  return Loop && Argument == Loop.getInductionVar() &&
         Left.getLhs() == Loop.getUpperBound();
}

/// The last number that the variable of a loop can be; it is never negative.
static std::optional<int64_t> lastOf(scf::ForOp Loop) {
  APInt Most;
  if (!isNotNegative(Loop.getLowerBound()))
    return std::nullopt;
  Value End = Loop.getUpperBound();
  if (auto Least = End.getDefiningOp<arith::MinSIOp>())
    End = Least.getRhs();
  if (!matchPattern(End, m_ConstantInt(&Most)) || Most.isNegative())
    return std::nullopt;
  return std::max<int64_t>(Most.getSExtValue() - 1, 0);
}

/// All that a region is in the iterations of loops inside of another one.
static MemoryRegion overInnerLoops(const MemoryRegion &Of,
                                   LoopLikeOpInterface Outer) {
  MemoryRegion R = Of;
  for (Dimension &Dim : R.Dimensions)
    llvm::erase_if(Dim.Begin.Terms, [&](auto &Term) {
      auto [V, Factor] = Term;
      auto Argument = dyn_cast<BlockArgument>(V);
      auto Loop = Argument
                      ? dyn_cast<scf::ForOp>(Argument.getOwner()->getParentOp())
                      : scf::ForOp();
      if (!Loop || Argument != Loop.getInductionVar() || Factor < 0 ||
          !Outer->isProperAncestor(Loop))
        return false;
      std::optional<int64_t> Last = lastOf(Loop);
      std::optional<int64_t> Most =
          Last ? llvm::checkedMulAdd(Factor, *Last, Dim.Most) : std::nullopt;
      if (!Most || *Most >= Unbounded)
        return false;
      Dim.Most = *Most;
      return true;
    });
  return R;
}

static bool movesOn(const MemoryRegion &Before, const MemoryRegion &Now,
                    LoopLikeOpInterface Loop) {
  for (auto [First, Second] :
       llvm::zip_equal(Before.Dimensions, Now.Dimensions))
    if (movesPast(First, Second, Loop))
      return true;
  return countTiles(Before, Now, Loop);
}

bool analysis::areApartAcross(const MemoryRegion &Before,
                              const MemoryRegion &Now,
                              LoopLikeOpInterface Loop) {
  if (!countAlike(Before, Now) ||
      (Before.isGlobal() && !isInvariant(Before.Memory, Loop)))
    return false;
  if (Before.Fixed && Now.Fixed)
    return areApart(Before, Now);
  return movesOn(Before, Now, Loop) ||
         movesOn(overInnerLoops(Before, Loop), overInnerLoops(Now, Loop), Loop);
}
