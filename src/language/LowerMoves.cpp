//===- LowerMoves.cpp - Operations of kernel.h on global memory -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "language/Annotations.h"
#include "language/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace belay;
using namespace belay::language;
using support::DiagId;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Value language::viewAt(OpBuilder &Builder, Location Loc, Value View,
                       Value Index, int64_t Dim) {
  auto Type = cast<MemRefType>(View.getType());
  int64_t Rank = Type.getRank();
  SmallVector<OpFoldResult> Offsets(Rank, Builder.getIndexAttr(0)),
      Sizes = memref::getMixedSizes(Builder, Loc, View),
      Strides(Rank, Builder.getIndexAttr(1));
  Offsets[Dim] = Index;
  Sizes[Dim] = Builder.getIndexAttr(1);
  SmallVector<int64_t> Shape(Type.getShape());
  Shape.erase(Shape.begin() + Dim);
  auto Result = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      Shape, Type, Offsets, Sizes, Strides));
  return memref::SubViewOp::create(Builder, Loc, Result, View, Offsets, Sizes,
                                   Strides);
}

/// Every Step-th index of a dimension from First on.
static Value viewEvery(OpBuilder &Builder, Location Loc, Value View,
                       int64_t Dim, Value First, Value Step) {
  Value Extent = memref::DimOp::create(Builder, Loc, View, Dim);
  // ceil((extent - first) / step)
  Value One = arith::ConstantIndexOp::create(Builder, Loc, 1);
  Value Left = arith::SubIOp::create(Builder, Loc, Extent, First);
  Value Up = arith::SubIOp::create(
      Builder, Loc, arith::AddIOp::create(Builder, Loc, Left, Step), One);
  Value Count = arith::DivSIOp::create(Builder, Loc, Up, Step);
  int64_t Rank = cast<MemRefType>(View.getType()).getRank();
  SmallVector<OpFoldResult> Offsets(Rank, Builder.getIndexAttr(0)),
      Sizes = memref::getMixedSizes(Builder, Loc, View),
      Strides(Rank, Builder.getIndexAttr(1));
  Offsets[Dim] = getAsOpFoldResult(First);
  Sizes[Dim] = Count;
  Strides[Dim] = getAsOpFoldResult(Step);
  return memref::SubViewOp::create(Builder, Loc, View, Offsets, Sizes, Strides);
}

SmallVector<unsigned> language::numbersOf(const clang::FunctionDecl *Callee) {
  SmallVector<unsigned> Numbers;
  const clang::TemplateArgumentList *Args =
      Callee->getTemplateSpecializationArgs();
  if (!Args)
    return Numbers;
  auto Add = [&](const clang::TemplateArgument &Arg) {
    if (Arg.getKind() == clang::TemplateArgument::Integral)
      Numbers.push_back(Arg.getAsIntegral().getZExtValue());
  };
  for (const clang::TemplateArgument &Arg : Args->asArray()) {
    if (Arg.getKind() != clang::TemplateArgument::Pack)
      Add(Arg);
    else
      llvm::for_each(Arg.pack_elements(), Add);
  }
  return Numbers;
}

/// The second argument, which is a constant below a number.
std::optional<unsigned> Lowering::constantDimension(const Operation &Op,
                                                    unsigned Number) {
  APInt Dimension;
  if (matchPattern(Op.Args[1].value(), m_ConstantInt(&Dimension)) &&
      Dimension.ult(Number))
    return Dimension.getZExtValue();
  Report.error(Op.Call->getArg(0)->getExprLoc(), DiagId::NotInKernels,
               "the dimension is a constant from 0 to %0")
      << Number - 1;
  return std::nullopt;
}

/// Which plane a window is in; of several dimensions of planes, its index in
/// one of them.
LoweredValue Lowering::lowerPlane(const Operation &Op) {
  ArrayRef<Value> Planes = Op.Args[0].planes();
  if (Op.Args.size() == 1)
    return LoweredValue::scalar(Planes.front());
  std::optional<unsigned> Dimension = constantDimension(Op, Planes.size());
  return Dimension ? LoweredValue::scalar(Planes[*Dimension])
                   : LoweredValue::nothing();
}

LoweredValue Lowering::lowerViewOperation(const Operation &Op) {
  const LoweredValue &Object = Op.Args[0];
  if (Op.Name == "window.row")
    return Object.rowSpan();
  if (Op.Name == "window.col")
    return Object.colSpan();
  if (Op.Name == "window.plane")
    return lowerPlane(Op);
  if (Op.Name == "window.part")
    return LoweredValue::scalar(Object.part());
  Value View = Object.value();
  if (Op.Name == "view.size" || Op.Name == "view.rows")
    return LoweredValue::scalar(dim(View, 0, Op.Loc));
  if (Op.Name == "view.cols")
    return LoweredValue::scalar(dim(View, 1, Op.Loc));
  if (Op.Name == "view.extent") {
    std::optional<unsigned> Dimension =
        constantDimension(Op, cast<MemRefType>(View.getType()).getRank());
    return Dimension ? LoweredValue::scalar(dim(View, *Dimension, Op.Loc))
                     : LoweredValue::nothing();
  }
  if (Op.Name == "view.at")
    return LoweredValue::view(
        viewAt(Builder, Op.Loc, View, Op.Args[1].value()));
  SmallVector<unsigned> Numbers = numbersOf(Op.Callee);
  if (Op.Name == "view.slice")
    return LoweredValue::view(
        viewAt(Builder, Op.Loc, View, Op.Args[1].value(), Numbers[0]));
  if (Op.Name == "view.strided")
    return LoweredValue::view(
        viewEvery(Builder, Op.Loc, View, Numbers.empty() ? 0 : Numbers[0],
                  Op.Args[1].value(), Op.Args[2].value()));
  if (Op.Name == "view.transposed" || Op.Name == "view.permuted") {
    if (Op.Name == "view.transposed")
      Numbers = {1, 0};
    auto Order = AffineMapAttr::get(
        AffineMap::getPermutationMap(Numbers, Builder.getContext()));
    return LoweredValue::view(
        memref::TransposeOp::create(Builder, Op.Loc, View, Order));
  }
  return refuse(Op.Call, "this operation");
}

//===----------------------------------------------------------------------===//
// Loading and storing
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> Lowering::windowOf(Value View, Value Rows, Value Cols,
                                             bool Column) {
  int64_t Rank = cast<MemRefType>(View.getType()).getRank();
  if (Rank == 1)
    return {getAsOpFoldResult(Column ? Rows : Cols)};
  return {getAsOpFoldResult(Rows), getAsOpFoldResult(Cols)};
}

/// The type of a tile with the extents of two spans, or with all of its rows
/// and columns. An extent that is always the whole capacity is static.
RankedTensorType Lowering::loadedType(const Operation &Op,
                                      const LoweredValue &Rows,
                                      const LoweredValue &Cols, bool IsWhole) {
  clang::QualType Type = Op.Callee->getReturnType();
  auto Capacity = capacityOf(Type);
  SmallVector<int64_t, 2> Extents;
  const Value Sizes[] = {Rows.Values[1], Cols.Values[1]};
  for (auto [Size, Most] : llvm::zip_equal(Sizes, Capacity)) {
    APInt Known;
    bool IsFull = IsWhole || (matchPattern(Size, m_ConstantInt(&Known)) &&
                              Known.getSExtValue() == Most);
    Extents.push_back(IsFull ? Most : ShapedType::kDynamic);
  }
  Type = getTemplateArgs(Type).back().getAsType();
  mlir::Type Element = elementType(Type, Op.Call->getExprLoc());
  return Element ? ascend::getTileType(Element, Extents, Capacity)
                 : RankedTensorType();
}

LoweredValue Lowering::load(const Operation &Op, const LoweredValue &Rows,
                            const LoweredValue &Cols, Value Pad) {
  Value View = Op.Args[0].value();
  RankedTensorType Type = loadedType(Op, Rows, Cols, /*IsWhole=*/bool(Pad));
  if (!Type)
    return LoweredValue::nothing();
  bool Column = Op.Name == "load_column";
  return LoweredValue::tile(ascend::LoadOp::create(
      Builder, Op.Loc, Type, View,
      windowOf(View, Rows.Values[0], Cols.Values[0], Column),
      windowOf(View, Rows.Values[1], Cols.Values[1], Column), Pad));
}

/// A window that may lie outside of the view: what of it lies inside is loaded,
/// to where it belongs in the tile.
LoweredValue Lowering::loadOr(const Operation &Op, const LoweredValue &Rows,
                              const LoweredValue &Cols, Value Outside) {
  Value View = Op.Args[0].value();
  int64_t Rank = cast<MemRefType>(View.getType()).getRank();
  Location Loc = Op.Loc;
  Value Zero = index(0, Loc);
  auto Min = [&](Value A, Value B) -> Value {
    return arith::MinSIOp::create(Builder, Loc, A, B);
  };
  auto Max = [&](Value A, Value B) -> Value {
    return arith::MaxSIOp::create(Builder, Loc, A, B);
  };
  auto Minus = [&](Value A, Value B) -> Value {
    return arith::SubIOp::create(Builder, Loc, A, B);
  };
  auto Capacity = capacityOf(Op.Callee->getReturnType());
  SmallVector<OpFoldResult> Offsets, Sizes;
  SmallVector<Value, 2> Inset;
  for (int64_t Dim : {0, 1}) {
    Value Begin = (Dim ? Cols : Rows).Values[0],
          Size = (Dim ? Cols : Rows).Values[1];
    if (Rank + Dim == 1) { // The only row.
      Inset.push_back(Zero);
      continue;
    }
    Value Extent = dim(View, Rank == 1 ? 0 : Dim, Loc);
    // That the span is not larger than the tile has its own obligation; those
    // who look at instructions see it here.
    if (!Size.getDefiningOp<arith::MinSIOp>())
      Size = Min(Size, index(Capacity[Dim], Loc));
    // Where in the tile the view begins and ends.
    Value First = Max(Min(Minus(Zero, Begin), Size), Zero);
    Value End = Max(Min(Minus(Extent, Begin), Size), First);
    Offsets.push_back(Min(Max(Begin, Zero), Extent));
    Sizes.push_back(Minus(End, First));
    Inset.push_back(First);
  }
  RankedTensorType Type = loadedType(Op, Rows, Cols, /*IsWhole=*/false);
  if (!Type)
    return LoweredValue::nothing();
  SmallVector<Value, 2> Extents;
  for (int64_t Dim : {0, 1})
    if (Type.isDynamicDim(Dim))
      Extents.push_back((Dim ? Cols : Rows).Values[1]);
  return LoweredValue::tile(ascend::LoadOp::create(
      Builder, Loc, Type, View, Offsets, Sizes, Outside, Inset, Extents));
}

/// A type of elements as the source names it.
static std::string nameOf(Type Element) {
  if (Element.isF32())
    return "float";
  if (Element.isF16())
    return "half";
  if (Element.isBF16())
    return "bfloat16";
  unsigned Bits = Element.getIntOrFloatBitWidth();
  return Bits == 1 ? "bool" : "i" + std::to_string(Bits);
}

static Type elementOf(Value View) {
  return cast<MemRefType>(View.getType()).getElementType();
}

void Lowering::store(const Operation &Op, Value View, const LoweredValue &Rows,
                     const LoweredValue &Cols, Value Tile,
                     ascend::CombineAttr Combine) {
  Type Held = cast<RankedTensorType>(Tile.getType()).getElementType();
  if (Held != elementOf(View)) {
    std::string To = nameOf(elementOf(View));
    Report.error(Op.Call->getExprLoc(), DiagId::NotInKernels,
                 "a tile of %0 cannot be stored to a view of %1; cast<%1>(...) "
                 "converts it")
        << nameOf(Held) << To;
    return;
  }
  bool Column = Op.Name == "store_column";
  ascend::StoreOp::create(
      Builder, Op.Loc, Tile, View,
      windowOf(View, Rows.Values[0], Cols.Values[0], Column),
      windowOf(View, Rows.Values[1], Cols.Values[1], Column), Combine);
}

LoweredValue Lowering::lowerLoad(const Operation &Op) {
  const auto &Args = Op.Args;
  Value View = Args[0].value();
  LoweredValue One = LoweredValue::span(index(0, Op.Loc), index(1, Op.Loc));
  auto WholeOf = [&](int64_t Dimension) {
    return LoweredValue::span(index(0, Op.Loc), dim(View, Dimension, Op.Loc));
  };
  if (Op.Name == "load_column")
    return load(Op, Args[1], One);
  if (Op.Name == "load_per_core")
    return load(
        Op, One,
        LoweredValue::span(index(0, Op.Loc),
                           ascend::CoreCountOp::create(Builder, Op.Loc)));
  if (Op.Name == "load_or") {
    Value Outside = convert(Args.back().value(), elementOf(View), Op.Loc);
    return Args.size() == 3 ? loadOr(Op, One, Args[1], Outside)
                            : loadOr(Op, Args[1], Args[2], Outside);
  }
  if (Op.Name == "load_padded") {
    Value Pad = convert(Args.back().value(), elementOf(View), Op.Loc);
    return Args.size() == 3 ? load(Op, One, Args[1], Pad)
                            : load(Op, Args[1], Args[2], Pad);
  }
  bool Rank1 = cast<MemRefType>(View.getType()).getRank() == 1;
  if (Args.size() == 1)
    return Rank1 ? load(Op, One, WholeOf(0)) : load(Op, WholeOf(0), WholeOf(1));
  return Rank1 ? load(Op, One, Args[1]) : load(Op, Args[1], Args[2]);
}

LoweredValue Lowering::lowerStore(const Operation &Op) {
  const auto &Args = Op.Args;
  Value Stored = Args.back().value();
  LoweredValue One = LoweredValue::span(index(0, Op.Loc), index(1, Op.Loc));
  ascend::CombineAttr Combine;
  if (Op.Name.starts_with("store_add"))
    Combine =
        ascend::CombineAttr::get(Builder.getContext(), ascend::Combine::Sum);
  if (Op.Name == "store_window" || Op.Name == "store_add_window") {
    const LoweredValue &Window = Args[0];
    store(Op, Window.value(), Window.rowSpan(), Window.colSpan(), Stored,
          Combine);
  } else if (Op.Name == "store_column") {
    store(Op, Args[0].value(), Args[1], One, Stored);
  } else if (Op.Name == "store" || Op.Name == "store_add") {
    bool Rank1 = Args.size() == 3;
    store(Op, Args[0].value(), Rank1 ? One : Args[1], Rank1 ? Args[1] : Args[2],
          Stored, Combine);
  } else { // store_scalar, store_per_core
    Value View = Args[0].value();
    Value Where = Op.Name == "store_scalar"
                      ? Args[1].value()
                      : Value(ascend::CoreIndexOp::create(Builder, Op.Loc));
    Type Element = elementOf(View);
    Value Tile = ascend::SplatOp::create(
        Builder, Op.Loc, ascend::getTileType(Element, {1, 1}, {1, 1}),
        convert(Stored, Element, Op.Loc), ValueRange());
    store(Op, View, One, LoweredValue::span(Where, index(1, Op.Loc)), Tile);
  }
  return LoweredValue::empty();
}

ascend::BadIndexAttr Lowering::policyOf(const Operation &Op) {
  return ascend::BadIndexAttr::get(
      Builder.getContext(),
      static_cast<ascend::BadIndex>(enumArgument(Op.Callee, "Oob")));
}

/// A gather from a tile.
LoweredValue Lowering::lowerTake(const Operation &Op) {
  Value Source = Op.Args[0].value();
  Type Element = cast<RankedTensorType>(Source.getType()).getElementType();
  unsigned Bits = Element.getIntOrFloatBitWidth();
  if (Bits != 16 && Bits != 32) {
    Report.error(Op.Call->getExprLoc(), DiagId::NotInKernels,
                 "the vector unit gathers elements of 16 and 32 bits, not of "
                 "%0; cast the tile before, or gather from a view")
        << nameOf(Element) << Op.Call->getArg(0)->getSourceRange();
    return LoweredValue::nothing();
  }
  return LoweredValue::tile(ascend::TakeOp::create(
      Builder, Op.Loc, policyOf(Op), Source, Op.Args[1].value()));
}

LoweredValue Lowering::lowerMove(const Operation &Op) {
  const auto &Args = Op.Args;
  if (Op.Name.starts_with("load"))
    return lowerLoad(Op);
  if (Op.Name.starts_with("store"))
    return lowerStore(Op);
  ascend::BadIndexAttr Policy = policyOf(Op);
  if (Op.Name == "scatter_add") {
    ascend::ScatterOp::create(
        Builder, Op.Loc, Policy, Args[2].value(), Args[0].value(),
        Args[1].value(),
        ascend::CombineAttr::get(Builder.getContext(), ascend::Combine::Sum));
    return LoweredValue::empty();
  }
  // gather: as many rows as there are indices.
  auto Indices = cast<RankedTensorType>(Args[1].value().getType());
  auto Capacity = capacityOf(Op.Callee->getReturnType());
  SmallVector<int64_t, 2> Extents(Indices.getShape());
  if (cast<MemRefType>(Args[0].value().getType()).getRank() == 2)
    Extents[1] = Capacity[1];
  return LoweredValue::tile(ascend::GatherOp::create(
      Builder, Op.Loc,
      ascend::getTileType(elementOf(Args[0].value()), Extents, Capacity),
      Policy, Args[0].value(), Args[1].value()));
}
