//===- PromoteTypes.cpp - Elements without instructions -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vector unit does not compute with every type that it can copy. bfloat16
// is computed as float and rounded once for each operation, as the host twin
// does it; so is what the scalar unit does with half.
//
//===----------------------------------------------------------------------===//

#include "passes/TileLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

static Type elementOf(Type Tile) {
  return cast<RankedTensorType>(Tile).getElementType();
}

static bool isConversion(Operation *Op) {
  return isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::FPToSIOp,
             arith::ExtSIOp, arith::TruncIOp>(Op);
}

/// Whether an operation computes with the elements of its tiles.
static bool computes(Operation *Op) {
  if (isConversion(Op) || isa<arith::ConstantOp>(Op))
    return false;
  return isa<ReduceOp, ScanOp, ArgReduceOp>(Op) ||
         Op->hasTrait<OpTrait::Elementwise>();
}

static bool needsFloat(Operation *Op, Type Element) {
  if (Element.isBF16())
    return true;
  auto Reduce = dyn_cast<ReduceOp>(Op);
  bool ByScalarUnit =
      isa<ScanOp>(Op) || (Reduce && Reduce.getCombine() == Combine::Prod);
  // Rounded as integers, which half has no conversion for.
  bool Rounds =
      isa<math::RoundEvenOp, math::RoundOp>(Op) && !isRoundedByCast(*Op);
  return Element.isF16() && (ByScalarUnit || Rounds);
}

/// Integers that the vector unit has no arithmetic for.
LogicalResult TileLowering::checkElements(Operation *Op) {
  for (Type Type : Op->getOperandTypes()) {
    if (!isTile(Type))
      continue;
    auto Integer = dyn_cast<IntegerType>(elementOf(Type));
    if (!Integer || Integer.getWidth() == 1 || Integer.getWidth() == 16 ||
        Integer.getWidth() == 32 ||
        isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(Op))
      continue;
    return Op->emitError() << "the vector unit does not compute with i"
                           << Integer.getWidth()
                           << "; convert to i32 or to half before, and back "
                              "behind";
  }
  return success();
}

void TileLowering::promote(Operation *Op) {
  Builder.setInsertionPoint(Op);
  Location Loc = unnamed(Op->getLoc());
  Type Float = Builder.getF32Type();
  auto AsFloat = [&](Type Tile) {
    return cast<RankedTensorType>(Tile).clone(Float);
  };
  for (OpOperand &Operand : Op->getOpOperands()) {
    Type Type = Operand.get().getType();
    if (!isTile(Type) || !isa<FloatType>(elementOf(Type)))
      continue;
    if (auto Splat = Operand.get().getDefiningOp<SplatOp>()) {
      Value Scalar =
          arith::ExtFOp::create(Builder, Loc, Float, Splat.getValue());
      Operand.set(SplatOp::create(Builder, Loc, AsFloat(Type), Scalar,
                                  Splat.getSizes()));
      continue;
    }
    Operand.set(
        arith::ExtFOp::create(Builder, Loc, AsFloat(Type), Operand.get()));
  }
  Builder.setInsertionPointAfter(Op);
  for (Value Result : Op->getResults()) {
    Type Type = Result.getType();
    if (!isTile(Type) || !isa<FloatType>(elementOf(Type)))
      continue;
    Result.setType(AsFloat(Type));
    auto Back = arith::TruncFOp::create(Builder, Op->getLoc(), Type, Result);
    Result.replaceAllUsesExcept(Back, Back);
  }
}

LogicalResult TileLowering::promote() {
  SmallVector<Operation *> Narrow;
  WalkResult Known = Kernel.walk([&](Operation *Op) {
    for (Type Type : Op->getResultTypes())
      if (isTile(Type) && elementOf(Type).isBF16() && !Arch.hasBf16) {
        Op->emitError("this architecture has no bfloat16; use half or float");
        return WalkResult::interrupt();
      }
    if (!computes(Op))
      return WalkResult::advance();
    if (!Arch.vectorRegister && failed(checkElements(Op)))
      return WalkResult::interrupt();
    for (Type Type : Op->getOperandTypes())
      if (isTile(Type) && needsFloat(Op, elementOf(Type))) {
        Narrow.push_back(Op);
        break;
      }
    return WalkResult::advance();
  });
  for (Operation *Op : Narrow)
    promote(Op);
  return failure(Known.wasInterrupted());
}
