//===- Views.cpp - Extents of views and tiles -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Views.h"

#include "analysis/Names.h"
#include "analysis/Terms.h"
#include "dialect/Ascend.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Value analysis::sourceOf(Value View) {
  if (auto Part = View.getDefiningOp<ViewLikeOpInterface>())
    return Part.getViewSource();
  if (auto Transposed = View.getDefiningOp<memref::TransposeOp>())
    return Transposed.getIn();
  return {};
}

Value analysis::rootOf(Value View) {
  while (Value Source = sourceOf(View))
    View = Source;
  auto Arg = dyn_cast<BlockArgument>(View);
  return Arg && isa<func::FuncOp>(Arg.getOwner()->getParentOp()) ? View
                                                                 : Value();
}

std::optional<ascend::Role> analysis::roleOf(Value View) {
  auto Arg = dyn_cast_or_null<BlockArgument>(rootOf(View));
  if (!Arg)
    return std::nullopt;
  auto Kernel = cast<func::FuncOp>(Arg.getOwner()->getParentOp());
  auto Role = Kernel.getArgAttrOfType<ascend::RoleAttr>(
      Arg.getArgNumber(), ascend::AscendDialect::RoleAttrName);
  return Role ? std::optional(Role.getValue()) : std::nullopt;
}

bool analysis::isOnlyRead(Value View) {
  return roleOf(View) == ascend::Role::In;
}

Linear Terms::extent(Value View, unsigned Dim) {
  Key K(View, Dim);
  if (auto It = Memo.find(K); It != Memo.end())
    return It->second;
  return remember(K, translateExtent(View, Dim));
}

unsigned analysis::sourceDim(memref::SubViewOp Part, unsigned Dim) {
  llvm::SmallBitVector Dropped = Part.getDroppedDims();
  for (unsigned I = 0;; ++I)
    if (!Dropped.test(I) && Dim-- == 0)
      return I;
}

/// The largest that an extent of an argument can be. If it is the only one that
/// is open, the others say how often its elements fit.
static int64_t mostOf(MemRefType Type) {
  int64_t Others = 1;
  if (Type.getNumDynamicDims() == 1 && !llvm::is_contained(Type.getShape(), 0))
    for (int64_t Extent : Type.getShape())
      if (!ShapedType::isDynamic(Extent))
        Others *= std::min(Extent, MaxExtent / Others + 1);
  return MaxExtent / Others;
}

Linear Terms::translateExtent(Value View, unsigned Dim) {
  auto Type = cast<MemRefType>(View.getType());
  if (!Type.isDynamicDim(Dim))
    return Linear(Type.getDimSize(Dim));
  if (auto Part = View.getDefiningOp<memref::SubViewOp>())
    return of(Part.getMixedSizes()[sourceDim(Part, Dim)]);
  if (auto Transposed = View.getDefiningOp<memref::TransposeOp>())
    return extent(Transposed.getIn(),
                  Transposed.getPermutation().getDimPosition(Dim));
  if (auto Anew = View.getDefiningOp<memref::ReinterpretCastOp>())
    return of(Anew.getMixedSizes()[Dim]);
  if (auto Cast = View.getDefiningOp<memref::CastOp>())
    return extent(Cast.getSource(), Dim);
  if (roleOf(View) == ascend::Role::PerCore)
    return Count;
  Linear Result = fresh();
  S.assume(atLeast(Result, 0));
  S.assume(atMost(Result, mostOf(Type)));
  addName(extentText(View, Dim), Result, bool(rootOf(View)));
  return Result;
}

void Terms::assumeElements(Value View, ArrayRef<int64_t> Dims) {
  Linear Product(1);
  remember({View, Elements}, Product);
  // Where no extent is 0, a part of the product is not larger than all of it.
  bool IsEmpty = llvm::any_of(Dims, [&](int64_t Dim) {
    return !S.impliesAtOnce(extent(View, Dim) - 1);
  });
  for (int64_t Dim : Dims) {
    Product = multiply(Product, extent(View, Dim));
    if (!IsEmpty)
      S.assume(atMost(Product, MaxExtent));
  }
  S.assume(atMost(Product, MaxExtent));
}

/// Whether a view has all elements of an argument, in whichever order.
static bool isArgument(Value View) {
  if (!isa<MemRefType>(View.getType()))
    return false;
  if (auto Permuted = View.getDefiningOp<memref::TransposeOp>())
    View = Permuted.getIn();
  return rootOf(View) == View;
}

void Terms::assumeElements(const Linear &A, const Linear &B) {
  llvm::BitVector Relevant = dependencies({A, B});
  auto IsRelevant = [&](Value View, int64_t Dim) {
    auto It = Memo.find({View, unsigned(Dim)});
    auto Variable = It != Memo.end() ? It->second.asVariable() : std::nullopt;
    return Variable && Relevant.test(*Variable);
  };
  // To multiply adds to the trail.
  for (size_t I = 0; I < Trail.size(); ++I) {
    Value View = Trail[I].first;
    if (!isArgument(View) || Memo.contains({View, Elements}))
      continue;
    auto Type = cast<MemRefType>(View.getType());
    size_t Open = 0;
    for (int64_t Dim = 0; Dim < Type.getRank(); ++Dim)
      Open += Type.isDynamicDim(Dim) && IsRelevant(View, Dim);
    if (Open >= 2 && Open == size_t(Type.getNumDynamicDims()))
      assumeElements(View, llvm::to_vector(llvm::seq<int64_t>(Type.getRank())));
  }
}

SmallVector<Value> Terms::viewsWithElements() const {
  llvm::SetVector<Value> Views;
  for (const Key &K : Trail)
    if (isArgument(K.first) &&
        cast<MemRefType>(K.first.getType()).getNumDynamicDims() >= 2)
      Views.insert(K.first);
  return Views.takeVector();
}

void Terms::assumeElements(Value View) {
  int64_t Rank = cast<MemRefType>(View.getType()).getRank();
  if (!Memo.contains({View, Elements}))
    assumeElements(View, llvm::to_vector(llvm::seq<int64_t>(Rank)));
}

RootWindow Terms::window(Value View, ArrayRef<Linear> Offsets,
                         ArrayRef<Linear> Sizes) {
  SmallVector<RootWindow::Range, 4> Ranges;
  for (auto [Offset, Size] : llvm::zip_equal(Offsets, Sizes))
    Ranges.push_back({Offset, Size, std::nullopt});
  for (;;) {
    if (auto Part = View.getDefiningOp<memref::SubViewOp>()) {
      SmallVector<RootWindow::Range, 4> Composed;
      for (auto [Offset, Size, Stride] :
           llvm::zip_equal(Part.getMixedOffsets(), Part.getMixedSizes(),
                           Part.getMixedStrides()))
        Composed.push_back({of(Offset), 1, std::nullopt});
      for (auto [Dim, Range] : llvm::enumerate(Ranges)) {
        unsigned I = sourceDim(Part, Dim);
        Linear Stride = of(Part.getMixedStrides()[I]);
        // In steps of as many as there are cores, all elements are where the
        // first is, modulo that number.
        if (Stride == Count)
          Composed[I].Lane = Composed[I].Offset;
        else if (Range.Lane && isOneInteger(Part.getMixedStrides()[I]))
          Composed[I].Lane = *Range.Lane + Composed[I].Offset;
        Composed[I].Offset += multiply(Range.Offset, Stride);
        Composed[I].Size = multiply(Range.Size - 1, Stride) + 1;
      }
      Ranges = Composed;
      View = Part.getSource();
    } else if (auto Transposed = View.getDefiningOp<memref::TransposeOp>()) {
      SmallVector<RootWindow::Range, 4> Before(Ranges.size());
      for (auto [Dim, Range] : llvm::enumerate(Ranges))
        Before[Transposed.getPermutation().getDimPosition(Dim)] = Range;
      Ranges = Before;
      View = Transposed.getIn();
    } else if (auto Cast = View.getDefiningOp<memref::CastOp>()) {
      View = Cast.getSource();
    } else {
      break;
    }
  }
  Value Root = rootOf(View);
  if (Root == View)
    return {Root, Ranges};
  return {Root, std::nullopt};
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// What a window of a view of that rank says of an extent of its tile.
static OpFoldResult windowExtent(ArrayRef<OpFoldResult> Sizes,
                                 RankedTensorType Tile, unsigned Dim) {
  if (Sizes.size() >= 2)
    return Sizes[Sizes.size() - 2 + Dim];
  unsigned Along = ascend::getCapacity(Tile).getCols() == 1 ? 0 : 1;
  if (Dim == Along)
    return Sizes[0];
  return IntegerAttr::get(IndexType::get(Tile.getContext()), 1);
}

OpFoldResult analysis::windowExtent(Operation *Op, unsigned Dim) {
  if (auto Load = dyn_cast<ascend::LoadOp>(Op))
    return ::windowExtent(Load.getMixedSizes(), Load.getTile().getType(), Dim);
  auto Store = cast<ascend::StoreOp>(Op);
  return ::windowExtent(Store.getMixedSizes(), Store.getTile().getType(), Dim);
}

/// The one of Sizes that is the extent Dim, where there is one for each of
/// those that IsOpen.
static OpFoldResult openExtent(ValueRange Sizes, unsigned Dim,
                               llvm::function_ref<bool(unsigned)> IsOpen) {
  unsigned At = Dim == 1 && IsOpen(0) ? 1 : 0;
  return At < Sizes.size() ? OpFoldResult(Sizes[At]) : OpFoldResult();
}

namespace {
/// An extent of a tile.
struct Extent {
  Value Tile;
  unsigned Dim = 0;
};
} // namespace

/// The extent of another tile from which this one comes, if it does.
static Extent originOf(Value Tile, unsigned Dim) {
  if (auto Arg = dyn_cast<BlockArgument>(Tile)) {
    if (auto Loop = dyn_cast<scf::WhileOp>(Arg.getOwner()->getParentOp());
        Loop && Arg.getOwner() == Loop.getAfterBody())
      return {Loop.getConditionOp().getArgs()[Arg.getArgNumber()], Dim};
    // A loop keeps the extents of what it carries: see addYield().
    if (auto Loop =
            dyn_cast<LoopLikeOpInterface>(Arg.getOwner()->getParentOp()))
      if (OpOperand *Init = Loop.getTiedLoopInit(Arg))
        return {Init->get(), Dim};
    return {};
  }
  return llvm::TypeSwitch<Operation *, Extent>(Tile.getDefiningOp())
      .Case<ascend::BroadcastOp, ascend::ReduceOp, ascend::ArgReduceOp,
            ascend::ScanOp, tensor::CastOp>(
          [&](auto Op) { return Extent{Op.getSource(), Dim}; })
      .Case([&](ascend::TransposeOp Op) {
        return Extent{Op.getSource(), 1 - Dim};
      })
      .Case([&](ascend::TakeOp Op) { return Extent{Op.getIndices(), Dim}; })
      .Case([&](ascend::DotOp Op) {
        return Extent{Dim == 0 ? Op.getLhs() : Op.getRhs(), Dim};
      })
      .Case([&](ascend::GatherOp Op) -> Extent {
        // Indices for rows are one row or one column of them.
        if (Op.getView().getType().getRank() == 1)
          return {Op.getIndices(), Dim};
        if (Dim == 1)
          return {};
        RankedTensorType Indices = Op.getIndices().getType();
        bool IsColumn = ascend::getCapacity(Indices).getCols() == 1;
        return {Op.getIndices(), IsColumn ? 0u : 1u};
      })
      .Case([&](scf::ForOp Op) {
        unsigned I = cast<OpResult>(Tile).getResultNumber();
        return Extent{Op.getInitArgs()[I], Dim};
      })
      .Case([&](scf::WhileOp Op) -> Extent {
        // What the condition makes is another tile in each iteration.
        unsigned I = cast<OpResult>(Tile).getResultNumber();
        auto Arg = dyn_cast<BlockArgument>(Op.getConditionOp().getArgs()[I]);
        bool IsCarried = Arg && Arg.getOwner() == Op.getBeforeBody();
        return IsCarried ? Extent{Arg, Dim} : Extent();
      })
      .Default([&](Operation *Op) {
        return Extent{firstElementwiseOperand(Op), Dim};
      });
}

OpFoldResult analysis::tileExtent(Value Tile, unsigned Dim) {
  auto Type = cast<RankedTensorType>(Tile.getType());
  if (!Type.isDynamicDim(Dim))
    return IntegerAttr::get(IndexType::get(Type.getContext()),
                            Type.getDimSize(Dim));
  auto IsDynamic = [&](unsigned I) { return Type.isDynamicDim(I); };
  if (auto Load = Tile.getDefiningOp<ascend::LoadOp>())
    return Load.getInset().empty()
               ? windowExtent(Load, Dim)
               : openExtent(Load.getExtents(), Dim, IsDynamic);
  if (auto Splat = Tile.getDefiningOp<ascend::SplatOp>())
    return openExtent(Splat.getSizes(), Dim, IsDynamic);
  if (auto Iota = Tile.getDefiningOp<ascend::IotaOp>())
    return openExtent(Iota.getSizes(), Dim, IsDynamic);
  if (auto Broadcast = Tile.getDefiningOp<ascend::BroadcastOp>()) {
    auto IsOpen = [&](unsigned I) {
      return isRepeated(Broadcast, I) && IsDynamic(I);
    };
    if (IsOpen(Dim))
      return openExtent(Broadcast.getSizes(), Dim, IsOpen);
  }
  if (auto If = Tile.getDefiningOp<scf::IfOp>()) {
    // The usual case, in which nothing has to be split: both ways agree.
    unsigned I = cast<OpResult>(Tile).getResultNumber();
    OpFoldResult Then = tileExtent(If.thenYield().getOperand(I), Dim);
    return Then == tileExtent(If.elseYield().getOperand(I), Dim)
               ? Then
               : OpFoldResult();
  }
  Extent Origin = originOf(Tile, Dim);
  return Origin.Tile ? tileExtent(Origin.Tile, Origin.Dim) : OpFoldResult();
}

bool analysis::isRepeated(ascend::BroadcastOp Op, unsigned Dim) {
  auto Of = [&](RankedTensorType Type) {
    ascend::CapacityAttr Capacity = ascend::getCapacity(Type);
    return Dim == 0 ? Capacity.getRows() : Capacity.getCols();
  };
  return Of(Op.getSource().getType()) == 1 && Of(Op.getTile().getType()) != 1;
}

Value analysis::firstElementwiseOperand(Operation *Op) {
  if (!OpTrait::hasElementwiseMappableTraits(Op))
    return {};
  for (Value Operand : Op->getOperands())
    if (isa<RankedTensorType>(Operand.getType()))
      return Operand;
  return {};
}

Linear Terms::tileExtent(Value Tile, unsigned Dim) {
  Key K(Tile, Dim);
  if (auto It = Memo.find(K); It != Memo.end())
    return It->second;
  return remember(K, translateTileExtent(Tile, Dim));
}

Linear Terms::translateTileExtent(Value Tile, unsigned Dim) {
  if (OpFoldResult Known = analysis::tileExtent(Tile, Dim))
    return of(Known);
  if (auto If = Tile.getDefiningOp<scf::IfOp>()) {
    unsigned I = cast<OpResult>(Tile).getResultNumber();
    return oneOf(If.getCondition(),
                 tileExtent(If.thenYield().getOperand(I), Dim),
                 tileExtent(If.elseYield().getOperand(I), Dim));
  }
  if (Extent Origin = originOf(Tile, Dim); Origin.Tile)
    return tileExtent(Origin.Tile, Origin.Dim);
  if (auto Gather = Tile.getDefiningOp<ascend::GatherOp>())
    if (Dim == 1 && Gather.getView().getType().getRank() == 2)
      return extent(Gather.getView(), 1);
  Linear Result = fresh();
  ascend::CapacityAttr Capacity =
      ascend::getCapacity(cast<RankedTensorType>(Tile.getType()));
  S.assume(atLeast(Result, 0));
  S.assume(atMost(Result, Dim == 0 ? Capacity.getRows() : Capacity.getCols()));
  return Result;
}
