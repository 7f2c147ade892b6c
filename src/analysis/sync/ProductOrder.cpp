//===- ProductOrder.cpp - Products that the hardware orders ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/sync/ProductOrder.h"

#include "dialect/Fractals.h"
#include "targets/Interlocks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;
using namespace belay::ascend;

/// Whether two numbers are the same as long as a buffer exists: a number that
/// is computed once for it, or the same arithmetic with such.
static bool areSame(Value A, Value B, BufferOp Buffer) {
  if (A == B && A.getParentBlock()->findAncestorOpInBlock(*Buffer))
    return true;
  Operation *First = A.getDefiningOp(), *Second = B.getDefiningOp();
  if (!First || !Second || !isa<arith::ArithDialect>(First->getDialect()) ||
      First->getName() != Second->getName() ||
      First->getAttrDictionary() != Second->getAttrDictionary() ||
      First->getNumOperands() != Second->getNumOperands())
    return false;
  return llvm::all_of(
      llvm::zip_equal(First->getOperands(), Second->getOperands()),
      [&](auto Pair) {
        auto [X, Y] = Pair;
        return areSame(X, Y, Buffer);
      });
}

/// Whether a number says how many fractals an extent has.
static bool countsFractals(Value Count, Value Extent) {
  if (std::optional<int64_t> Known = getConstantIntValue(Extent))
    return getConstantIntValue(Count) == llvm::divideCeil(*Known, FractalRows);
  auto Divided = Count.getDefiningOp<arith::DivSIOp>();
  auto Up = Divided ? Divided.getLhs().getDefiningOp<arith::AddIOp>()
                    : arith::AddIOp();
  return Up && getConstantIntValue(Divided.getRhs()) == FractalRows &&
         Up.getLhs() == Extent &&
         getConstantIntValue(Up.getRhs()) == FractalRows - 1;
}

/// Whether there are enough fractals, or a barrier directly before the product
/// wherever there are not.
static bool hasBarrierIfFew(CubeMmadOp Product) {
  constexpr int64_t Enough = targets::InterlockedFractals;
  std::optional<int64_t> M = getConstantIntValue(Product.getM()),
                         N = getConstantIntValue(Product.getN());
  if (M && N)
    if (llvm::divideCeil(*M, FractalRows) * llvm::divideCeil(*N, FractalRows) >=
        Enough)
      return true;
  auto If = dyn_cast_or_null<scf::IfOp>(Product->getPrevNode());
  auto Barrier =
      If ? dyn_cast<BarrierOp>(If.thenBlock()->front()) : BarrierOp();
  auto Few =
      If ? If.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  if (!Barrier || Barrier.getPipe() != Product.getPipe() || !Few ||
      Few.getPredicate() != arith::CmpIPredicate::slt ||
      getConstantIntValue(Few.getRhs()) != Enough)
    return false;
  auto Count = Few.getLhs().getDefiningOp<arith::MulIOp>();
  return Count && countsFractals(Count.getLhs(), Product.getM()) &&
         countsFractals(Count.getRhs(), Product.getN());
}

Relations analysis::orderedProducts(Operation *Before, Operation *Now) {
  auto First = dyn_cast<CubeMmadOp>(Before), Second = dyn_cast<CubeMmadOp>(Now);
  if (!First || !Second || First.getDst() != Second.getDst())
    return 0;
  auto Buffer = Second.getDst().getDefiningOp<BufferOp>();
  if (!Buffer || !areSame(First.getM(), Second.getM(), Buffer) ||
      !areSame(First.getN(), Second.getN(), Buffer) || !hasBarrierIfFew(Second))
    return 0;
  // In another iteration of a loop around the buffer, these are other sums.
  size_t Depth = loopsAround(Buffer).size();
  return Depth < LastRelation ? AnyRelation & (AnyRelation << Depth) : 0;
}

Relations analysis::separateFractals(Operation *Before, Operation *Now) {
  auto Load = dyn_cast<CubeLoadFractalsOp>(Now);
  auto Loop = dyn_cast<scf::ForOp>(Now->getParentOp());
  if (Before != Now || !Load || !Loop ||
      Load.getOuter() != Loop.getInductionVar())
    return 0;
  Value Length = Load.getTransposed() ? Load.getRows() : Load.getCols();
  size_t Depth = loopsAround(Loop).size();
  if (Depth >= LastRelation ||
      Loop->isAncestor(Length.getParentRegion()->getParentOp()) ||
      Loop->isAncestor(Load.getDst().getParentRegion()->getParentOp()))
    return 0;
  return 1u << Depth;
}
