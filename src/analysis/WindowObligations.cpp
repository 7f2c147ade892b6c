//===- WindowObligations.cpp - Windows lie inside their views -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Names.h"
#include "analysis/Obligations.h"
#include "analysis/Views.h"
#include "dialect/Ascend.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

static constexpr StringLiteral OutOfBounds = "gm-out-of-bounds";

/// One range of a window: from Offset, Size elements, Stride apart.
static void addRange(Value View, unsigned Dim, OpFoldResult Offset,
                     OpFoldResult Size, Terms &T, Obligations &To) {
  OpFoldResult Zero = IntegerAttr::get(IndexType::get(View.getContext()), 0);
  To.push_back(atLeast(OutOfBounds, textOf(Offset) + " >= 0", T, Offset, Zero));
  To.push_back(atLeast(OutOfBounds, textOf(Size) + " >= 0", T, Size, Zero));
  Linear End = T.of(Offset) + T.of(Size);
  To.push_back({OutOfBounds,
                sumText(Offset, Size) + " <= " + extentText(View, Dim),
                {{less(T.extent(View, Dim), End)}},
                // The offset and the extent are not negative, so their
                // difference cannot overflow, as their sum with a size might.
                [=](OpBuilder &Builder, Location Loc) -> Value {
                  Value Extent = getValueOrCreateConstantIndexOp(
                      Builder, Loc, makeExtent(Builder, Loc, View, Dim));
                  Value Start =
                      getValueOrCreateConstantIndexOp(Builder, Loc, Offset);
                  Value Left =
                      arith::SubIOp::create(Builder, Loc, Extent, Start);
                  return compare(Builder, Loc, "sle", Size, Left);
                }});
}

static void addWindow(Value View, ArrayRef<OpFoldResult> Offsets,
                      ArrayRef<OpFoldResult> Sizes, Terms &T, Obligations &To) {
  for (auto [Dim, Offset, Size] : llvm::enumerate(Offsets, Sizes))
    addRange(View, Dim, Offset, Size, T, To);
}

void analysis::addWindowObligations(Operation *Op, Terms &T, Obligations &To) {
  if (auto Load = dyn_cast<ascend::LoadOp>(Op))
    addWindow(Load.getView(), Load.getMixedOffsets(), Load.getMixedSizes(), T,
              To);
  else if (auto Store = dyn_cast<ascend::StoreOp>(Op))
    addWindow(Store.getView(), Store.getMixedOffsets(), Store.getMixedSizes(),
              T, To);
}

//===----------------------------------------------------------------------===//
// Views of views
//===----------------------------------------------------------------------===//

/// Every Stride-th element, Size of them.
static void addStrided(Value View, unsigned Dim, OpFoldResult Offset,
                       OpFoldResult Size, OpFoldResult Stride, Terms &T,
                       Obligations &To) {
  if (isOneInteger(Stride)) {
    addRange(View, Dim, Offset, Size, T, To);
    return;
  }
  MLIRContext *Context = View.getContext();
  OpFoldResult Zero = IntegerAttr::get(IndexType::get(Context), 0);
  OpFoldResult One = IntegerAttr::get(IndexType::get(Context), 1);
  To.push_back(atLeast(OutOfBounds, textOf(Offset) + " >= 0", T, Offset, Zero));
  To.push_back(atLeast(OutOfBounds, textOf(Size) + " >= 0", T, Size, Zero));
  To.push_back(atLeast(OutOfBounds, textOf(Stride) + " >= 1", T, Stride, One));
  Linear Steps = T.solver().multiply(T.of(Size) - 1, T.of(Stride));
  Linear Extent = T.extent(View, Dim);
  To.push_back({OutOfBounds,
                textOf(Offset) + " + (" + textOf(Size) + " - 1) * " +
                    textOf(Stride) + " < " + extentText(View, Dim),
                {{T.of(Size) - 1, T.of(Offset) + Steps - Extent}},
                {}});
}

/// A view that is laid over all elements of another.
static void addReinterpreted(memref::ReinterpretCastOp Cast, Terms &T,
                             Obligations &To) {
  auto Source = dyn_cast<MemRefType>(Cast.getSource().getType());
  OpFoldResult Zero = IntegerAttr::get(IndexType::get(Cast.getContext()), 0);
  OpFoldResult Offset = Cast.getMixedOffsets()[0];
  To.push_back(atLeast(OutOfBounds, textOf(Offset) + " >= 0", T, Offset, Zero));
  Solver &S = T.solver();
  Linear Last = T.of(Offset);
  Conjunction NotEmpty;
  for (auto [Size, Stride] :
       llvm::zip_equal(Cast.getMixedSizes(), Cast.getMixedStrides())) {
    To.push_back(atLeast(OutOfBounds, textOf(Size) + " >= 0", T, Size, Zero));
    To.push_back(
        atLeast(OutOfBounds, textOf(Stride) + " >= 0", T, Stride, Zero));
    NotEmpty.push_back(T.of(Size) - 1);
    Last += S.multiply(T.of(Size) - 1, T.of(Stride));
  }
  // Only of a view without gaps is it known how many elements it has.
  Conjunction Violation = NotEmpty;
  if (Source && Source.getLayout().isIdentity()) {
    Linear Elements(1);
    for (int64_t Dim = 0; Dim < Source.getRank(); ++Dim)
      Elements = S.multiply(Elements, T.extent(Cast.getSource(), Dim));
    Violation.push_back(Last - Elements);
  }
  To.push_back(
      {OutOfBounds, "the new view lies inside the old one", {Violation}, {}});
}

void analysis::addViewObligations(Operation *Op, Terms &T, Obligations &To) {
  if (auto Part = dyn_cast<memref::SubViewOp>(Op)) {
    for (auto [Dim, Offset, Size, Stride] :
         llvm::enumerate(Part.getMixedOffsets(), Part.getMixedSizes(),
                         Part.getMixedStrides()))
      addStrided(Part.getSource(), Dim, Offset, Size, Stride, T, To);
  } else if (auto Cast = dyn_cast<memref::ReinterpretCastOp>(Op)) {
    addReinterpreted(Cast, T, To);
  } else if (auto Cast = dyn_cast<memref::CastOp>(Op)) {
    // A cast to a static extent claims it.
    auto From = dyn_cast<MemRefType>(Cast.getSource().getType());
    auto Result = dyn_cast<MemRefType>(Cast.getType());
    if (!From || !Result)
      return;
    for (int64_t Dim = 0; Dim < Result.getRank(); ++Dim)
      if (From.isDynamicDim(Dim) && !Result.isDynamicDim(Dim))
        To.push_back(equals(OutOfBounds,
                            extentText(Cast.getSource(), Dim) +
                                " == " + std::to_string(Result.getDimSize(Dim)),
                            T.extent(Cast.getSource(), Dim),
                            Result.getDimSize(Dim), {}, {}));
  }
}
