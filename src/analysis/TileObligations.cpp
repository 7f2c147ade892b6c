//===- TileObligations.cpp - Tiles fit, and fit each other ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Names.h"
#include "analysis/Obligations.h"
#include "analysis/Views.h"
#include "dialect/Ascend.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

static constexpr StringLiteral Capacity = "tile-capacity";
static constexpr StringLiteral Mismatch = "tile-mismatch";
static constexpr StringLiteral OutOfBounds = "gm-out-of-bounds";
static constexpr const char *DimNames[] = {"rows", "columns"};

static int64_t capacityOf(Value Tile, unsigned Dim) {
  auto Of = ascend::getCapacity(cast<RankedTensorType>(Tile.getType()));
  return Dim == 0 ? Of.getRows() : Of.getCols();
}

static OpFoldResult index(MLIRContext *Context, int64_t Value) {
  return IntegerAttr::get(IndexType::get(Context), Value);
}

static std::string textOrExtent(OpFoldResult Extent, unsigned Dim) {
  return Extent ? textOf(Extent) : std::string(DimNames[Dim]) + " of the tile";
}

/// Whether a tile has the extents of a window that may be short.
static bool isLoadedShort(Value Tile, unsigned Dim) {
  auto Load = Tile.getDefiningOp<ascend::LoadOp>();
  return Load && cast<RankedTensorType>(Tile.getType()).isDynamicDim(Dim);
}

/// What helps where a whole tile is combined with the last, short one of a
/// view.
static std::string paddingHint(Value A, Value B, unsigned Dim) {
  auto IsWhole = [&](Value Tile) {
    OpFoldResult Extent = tileExtent(Tile, Dim);
    return Extent && getConstantIntValue(Extent) == capacityOf(Tile, Dim);
  };
  bool Helps = (IsWhole(A) && isLoadedShort(B, Dim)) ||
               (IsWhole(B) && isLoadedShort(A, Dim));
  return Helps ? "a load with padding, as in 'load(x, w, 0)', always has the "
                 "extents of a whole tile; full_like(t, value) has those of t"
               : "";
}

/// Two tiles have the same extents.
static void addSame(Value A, Value B, Terms &T, Obligations &To) {
  for (unsigned Dim : {0, 1}) {
    OpFoldResult OfA = tileExtent(A, Dim), OfB = tileExtent(B, Dim);
    if (OfA && OfA == OfB)
      continue;
    To.push_back(equals(Mismatch,
                        std::string("equal ") + DimNames[Dim] + ": " +
                            textOrExtent(OfA, Dim) +
                            " == " + textOrExtent(OfB, Dim),
                        T.tileExtent(A, Dim), T.tileExtent(B, Dim), OfA, OfB));
    To.back().IsCode = false;
    To.back().Hint = paddingHint(A, B, Dim);
  }
}

/// What is multiplied is as long on both sides.
static void addDot(ascend::DotOp Dot, Terms &T, Obligations &To) {
  Value Lhs = Dot.getLhs(), Rhs = Dot.getRhs();
  OpFoldResult Cols = tileExtent(Lhs, 1), Rows = tileExtent(Rhs, 0);
  if (Cols && Cols == Rows)
    return;
  To.push_back(equals(Mismatch,
                      "as many columns on the left as rows on the right: " +
                          textOrExtent(Cols, 1) +
                          " == " + textOrExtent(Rows, 0),
                      T.tileExtent(Lhs, 1), T.tileExtent(Rhs, 0), Cols, Rows));
  To.back().IsCode = false;
}

/// 0 <= Size <= capacity.
static void addSize(OpFoldResult Size, Value Tile, unsigned Dim, Terms &T,
                    Obligations &To) {
  int64_t Most = capacityOf(Tile, Dim);
  MLIRContext *Context = Tile.getContext();
  To.push_back(
      atLeast(Capacity, textOf(Size) + " >= 0", T, Size, index(Context, 0)));
  To.push_back(atMost(Capacity, textOf(Size) + " <= " + std::to_string(Most), T,
                      Size, index(Context, Most)));
}

/// A window that goes to a place in its tile stays inside of it.
static void addInset(ascend::LoadOp Load, Terms &T, Obligations &To) {
  Value Tile = Load.getTile();
  for (unsigned Dim : {0, 1}) {
    OpFoldResult Place = Load.getInset()[Dim], Size = windowExtent(Load, Dim),
                 Extent = tileExtent(Tile, Dim);
    if (Load.getTile().getType().isDynamicDim(Dim))
      addSize(Extent, Tile, Dim, T, To);
    To.push_back(atLeast(Capacity, textOf(Place) + " >= 0", T, Place,
                         index(Load.getContext(), 0)));
    To.push_back({Capacity,
                  sumText(Place, Size) + " <= " + textOrExtent(Extent, Dim),
                  {{less(T.tileExtent(Tile, Dim), T.of(Place) + T.of(Size))}},
                  {}});
  }
}

static void addLoad(ascend::LoadOp Load, Terms &T, Obligations &To) {
  if (!Load.getInset().empty())
    return addInset(Load, T, To);
  for (unsigned Dim : {0, 1}) {
    OpFoldResult Size = windowExtent(Load, Dim);
    int64_t Most = capacityOf(Load.getTile(), Dim);
    OpFoldResult Limit = index(Load.getContext(), Most);
    std::string Number = std::to_string(Most);
    if (getConstantIntValue(Size))
      continue; // The verifier has compared it.
    // A tile of static extents is filled, by the window or by padding.
    if (!Load.getPad() && !Load.getTile().getType().isDynamicDim(Dim))
      To.push_back(equals(Mismatch, textOf(Size) + " == " + Number, T.of(Size),
                          Most, Size, Limit));
    else
      To.push_back(
          atMost(Capacity, textOf(Size) + " <= " + Number, T, Size, Limit));
  }
}

/// What is stored was computed: the window is not larger than the tile.
static void addStore(ascend::StoreOp Store, Terms &T, Obligations &To) {
  for (unsigned Dim : {0, 1}) {
    OpFoldResult Size = windowExtent(Store, Dim);
    OpFoldResult Extent = tileExtent(Store.getTile(), Dim);
    if (Size == Extent)
      continue;
    Obligation Fits{Mismatch,
                    textOf(Size) + " <= " + textOrExtent(Extent, Dim),
                    {{less(T.tileExtent(Store.getTile(), Dim), T.of(Size))}},
                    {}};
    if (Extent)
      Fits.Guard = [=](OpBuilder &Builder, Location Loc) {
        return compare(Builder, Loc, "sle", Size, Extent);
      };
    To.push_back(Fits);
  }
}

static void addBroadcast(ascend::BroadcastOp Op, Terms &T, Obligations &To) {
  for (unsigned Dim : {0, 1}) {
    if (!isRepeated(Op, Dim))
      continue;
    if (Op.getTile().getType().isDynamicDim(Dim))
      addSize(tileExtent(Op.getTile(), Dim), Op.getTile(), Dim, T, To);
    if (!Op.getSource().getType().isDynamicDim(Dim))
      continue;
    // A capacity of 1 may hold nothing, and nothing cannot be repeated.
    OpFoldResult Extent = tileExtent(Op.getSource(), Dim);
    To.push_back(equals(Mismatch, textOrExtent(Extent, Dim) + " == 1",
                        T.tileExtent(Op.getSource(), Dim), 1, Extent,
                        index(Op.getContext(), 1)));
  }
}

/// Rows of a view as rows of a tile whose columns are not static.
static void addColumns(Value View, Value Tile, Terms &T, Obligations &To) {
  Linear Columns = T.extent(View, 1), InTile = T.tileExtent(Tile, 1);
  int64_t Most = capacityOf(Tile, 1);
  std::string Text = extentText(View, 1);
  To.push_back({Capacity,
                Text + " <= " + std::to_string(Most),
                {{less(Most, Columns)}},
                [=](OpBuilder &Builder, Location Loc) {
                  return compare(Builder, Loc, "sle",
                                 makeExtent(Builder, Loc, View, 1),
                                 index(Builder.getContext(), Most));
                }});
  if (!(Columns == InTile))
    To.push_back(equals(Mismatch, "as many columns as " + Text, Columns, InTile,
                        {}, {}));
}

/// Gather and scatter: indices from data are handled by the policy, but the
/// nearest row of a view without rows does not exist.
static void addIndexed(Value View, Value Indices, Value Tile,
                       ascend::BadIndex Policy, Terms &T, Obligations &To) {
  bool ByRows = cast<MemRefType>(View.getType()).getRank() == 2;
  if (!ByRows) {
    addSame(Indices, Tile, T, To);
  } else {
    unsigned Along = capacityOf(Indices, 1) == 1 ? 0 : 1;
    OpFoldResult Named = tileExtent(Indices, Along);
    OpFoldResult Rows = tileExtent(Tile, 0);
    if (!Named || Named != Rows)
      To.push_back(equals(
          Mismatch,
          "as many indices as rows: " + textOrExtent(Named, Along) +
              " == " + textOrExtent(Rows, 0),
          T.tileExtent(Indices, Along), T.tileExtent(Tile, 0), Named, Rows));
    if (cast<RankedTensorType>(Tile.getType()).isDynamicDim(1))
      addColumns(View, Tile, T, To);
  }
  if (Policy != ascend::BadIndex::Clamp && Policy != ascend::BadIndex::Wrap)
    return;
  Conjunction Empty{-T.extent(View, 0)};
  for (unsigned Dim : {0, 1})
    Empty.push_back(T.tileExtent(Indices, Dim) - 1);
  To.push_back({OutOfBounds,
                extentText(View, 0) + " >= 1",
                {Empty},
                [=](OpBuilder &Builder, Location Loc) {
                  return compare(Builder, Loc, "sge",
                                 makeExtent(Builder, Loc, View, 0),
                                 index(Builder.getContext(), 1));
                }});
}

/// A gather from a tile: each row by its own indices, and no nearest column
/// where there is none. A row that all indices are for is there.
static void addTake(ascend::TakeOp Op, Terms &T, Obligations &To) {
  Value Source = Op.getSource(), Indices = Op.getIndices();
  OpFoldResult Rows = tileExtent(Source, 0);
  if (capacityOf(Source, 0) > 1) {
    OpFoldResult Named = tileExtent(Indices, 0);
    if (!Named || Named != Rows)
      To.push_back(equals(
          Mismatch,
          "as many rows of indices as rows: " + textOrExtent(Named, 0) +
              " == " + textOrExtent(Rows, 0),
          T.tileExtent(Indices, 0), T.tileExtent(Source, 0), Named, Rows));
  } else if (Op.getSource().getType().isDynamicDim(0)) {
    To.push_back(equals(Mismatch, textOrExtent(Rows, 0) + " == 1",
                        T.tileExtent(Source, 0), 1, Rows,
                        index(Op.getContext(), 1)));
  }
  if (Op.getPolicy() != ascend::BadIndex::Clamp &&
      Op.getPolicy() != ascend::BadIndex::Wrap)
    return;
  OpFoldResult Cols = tileExtent(Source, 1);
  Conjunction Empty{-T.tileExtent(Source, 1)};
  for (unsigned Dim : {0, 1})
    Empty.push_back(T.tileExtent(Indices, Dim) - 1);
  Obligation AnyColumn{
      "local-out-of-bounds", textOrExtent(Cols, 1) + " >= 1", {Empty}, {}};
  if (Cols)
    AnyColumn.Guard = [=](OpBuilder &Builder, Location Loc) {
      return compare(Builder, Loc, "sge", Cols, index(Builder.getContext(), 1));
    };
  To.push_back(AnyColumn);
}

static void addExtract(tensor::ExtractOp Op, Terms &T, Obligations &To) {
  if (!ascend::isTile(Op.getTensor().getType()))
    return;
  for (unsigned Dim : {0, 1}) {
    OpFoldResult At = Op.getIndices()[Dim];
    OpFoldResult Extent = tileExtent(Op.getTensor(), Dim);
    To.push_back(atLeast("local-out-of-bounds", textOf(At) + " >= 0", T, At,
                         index(Op.getContext(), 0)));
    Obligation Inside{"local-out-of-bounds",
                      textOf(At) + " < " + textOrExtent(Extent, Dim),
                      {{atMost(T.tileExtent(Op.getTensor(), Dim), T.of(At))}},
                      {}};
    if (Extent)
      Inside.Guard = [=](OpBuilder &Builder, Location Loc) {
        return compare(Builder, Loc, "slt", At, Extent);
      };
    To.push_back(Inside);
  }
}

/// A cast to a static extent claims it.
static void addCast(tensor::CastOp Cast, Terms &T, Obligations &To) {
  auto Type = dyn_cast<RankedTensorType>(Cast.getType());
  if (!ascend::isTile(Cast.getSource().getType()) || !Type)
    return;
  for (unsigned Dim : {0, 1}) {
    OpFoldResult Extent = tileExtent(Cast.getSource(), Dim);
    if (Type.isDynamicDim(Dim) || getConstantIntValue(Extent))
      continue;
    int64_t Claimed = Type.getDimSize(Dim);
    To.push_back(equals(
        Mismatch, textOrExtent(Extent, Dim) + " == " + std::to_string(Claimed),
        T.tileExtent(Cast.getSource(), Dim), Claimed, Extent,
        index(Cast.getContext(), Claimed)));
  }
}

/// What a loop carries keeps its extents.
static void addYield(scf::YieldOp Yield, Terms &T, Obligations &To) {
  auto Loop = dyn_cast<LoopLikeOpInterface>(Yield->getParentOp());
  if (!Loop)
    return;
  for (auto [Arg, Next] :
       llvm::zip_equal(Loop.getRegionIterArgs(), Yield.getOperands()))
    if (ascend::isTile(Arg.getType()))
      addSame(Arg, Next, T, To);
}

void analysis::addTileObligations(Operation *Op, Terms &T, Obligations &To) {
  if (Value First = firstElementwiseOperand(Op)) {
    for (Value Operand : Op->getOperands())
      if (Operand != First && isa<RankedTensorType>(Operand.getType()))
        addSame(First, Operand, T, To);
    return;
  }
  auto AddSizes = [&](auto Made) {
    for (unsigned Dim : {0, 1})
      if (Made.getTile().getType().isDynamicDim(Dim))
        addSize(tileExtent(Made.getTile(), Dim), Made.getTile(), Dim, T, To);
  };
  llvm::TypeSwitch<Operation *>(Op)
      .Case([&](ascend::LoadOp Load) { addLoad(Load, T, To); })
      .Case([&](ascend::StoreOp Store) { addStore(Store, T, To); })
      .Case<ascend::SplatOp, ascend::IotaOp>(AddSizes)
      .Case([&](ascend::BroadcastOp B) { addBroadcast(B, T, To); })
      .Case([&](ascend::GatherOp G) {
        addIndexed(G.getView(), G.getIndices(), G.getTile(), G.getPolicy(), T,
                   To);
      })
      .Case([&](ascend::ScatterOp S) {
        addIndexed(S.getView(), S.getIndices(), S.getTile(), S.getPolicy(), T,
                   To);
      })
      .Case([&](ascend::TakeOp Take) { addTake(Take, T, To); })
      .Case([&](ascend::DotOp Dot) { addDot(Dot, T, To); })
      .Case([&](tensor::CastOp Cast) { addCast(Cast, T, To); })
      .Case([&](tensor::ExtractOp Extract) { addExtract(Extract, T, To); })
      .Case([&](scf::YieldOp Yield) { addYield(Yield, T, To); });
}
