//===- EmitViews.cpp - Windows of global memory ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Emitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace belay::ascend;
using namespace belay::emit;

static std::string sum(const std::string &A, const std::string &B) {
  if (A == "0")
    return B;
  return B == "0" ? A : A + " + " + B;
}

/// Operands that are sums get parentheses.
static std::string product(std::string A, std::string B) {
  if (A == "0" || B == "0")
    return "0";
  if (A == "1")
    return B;
  if (B == "1")
    return A;
  for (std::string *Operand : {&A, &B})
    if (Operand->find(' ') != std::string::npos && Operand->front() != '(')
      *Operand = "(" + *Operand + ")";
  return A + " * " + B;
}

std::string Emitter::coreCount() const {
  if (!Cores.getOne())
    return "static_cast<int64_t>(GetBlockNum())";
  return Cores.isAlways() ? "1"
                          : "alone ? 1 : static_cast<int64_t>(GetBlockNum())";
}

std::string Emitter::extentOf(Value View, unsigned Dim) {
  auto Type = cast<MemRefType>(View.getType());
  if (!Type.isDynamicDim(Dim))
    return std::to_string(Type.getDimSize(Dim));
  auto Argument = cast<BlockArgument>(View);
  auto Kernel = cast<func::FuncOp>(Argument.getOwner()->getParentOp());
  auto Role = Kernel.getArgAttrOfType<RoleAttr>(Argument.getArgNumber(),
                                                AscendDialect::RoleAttrName);
  // One element for each core that works.
  if (Cores && Cores.getOne() && Role && Role.getValue() == Role::PerCore)
    return "(" + coreCount() + ")";
  return Extents.lookup({View, Dim});
}

/// An argument is dense, row by row; windows move its start and its strides.
FailureOr<ViewText> Emitter::viewOf(Value View) {
  if (isa<BlockArgument>(View)) {
    ViewText Text{Names.lookup(View).str(), "0", {}, {}};
    unsigned Rank = cast<MemRefType>(View.getType()).getRank();
    Text.Strides.assign(Rank, "1");
    for (unsigned I = 0; I < Rank; ++I)
      Text.Extents.push_back(extentOf(View, I));
    for (unsigned I = Rank - 1; I-- > 0;)
      Text.Strides[I] = product(Text.Extents[I + 1], Text.Strides[I + 1]);
    return Text;
  }
  if (auto Cast = View.getDefiningOp<memref::CastOp>())
    return viewOf(Cast.getSource());
  if (auto Transposed = View.getDefiningOp<memref::TransposeOp>()) {
    FailureOr<ViewText> Source = viewOf(Transposed.getIn());
    if (failed(Source))
      return failure();
    ViewText Text{Source->Tensor, Source->Offset, {}, {}};
    for (AffineExpr Dim : Transposed.getPermutation().getResults()) {
      unsigned From = cast<AffineDimExpr>(Dim).getPosition();
      Text.Extents.push_back(Source->Extents[From]);
      Text.Strides.push_back(Source->Strides[From]);
    }
    return Text;
  }
  auto Window = View.getDefiningOp<memref::SubViewOp>();
  if (!Window)
    return emitError(View.getLoc(), "this view cannot be written in AscendC "
                                    "yet");
  FailureOr<ViewText> Source = viewOf(Window.getSource());
  if (failed(Source))
    return failure();
  ViewText Text{Source->Tensor, Source->Offset, {}, {}};
  llvm::SmallBitVector Dropped = Window.getDroppedDims();
  for (auto [I, Offset, Size, Stride] :
       llvm::enumerate(Window.getMixedOffsets(), Window.getMixedSizes(),
                       Window.getMixedStrides())) {
    Text.Offset = sum(Text.Offset, product(text(Offset), Source->Strides[I]));
    if (Dropped.test(I))
      continue;
    Text.Extents.push_back(text(Size));
    Text.Strides.push_back(product(text(Stride), Source->Strides[I]));
  }
  return Text;
}
