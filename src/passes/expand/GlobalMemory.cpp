//===- GlobalMemory.cpp - Views, indices, the data cache ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/expand/GlobalMemory.h"

#include "analysis/Views.h"
#include "passes/expand/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

int64_t passes::staticStride(Value View, unsigned Dim) {
  SmallVector<int64_t> Strides;
  int64_t Offset;
  if (failed(cast<MemRefType>(View.getType())
                 .getStridesAndOffset(Strides, Offset)))
    return ShapedType::kDynamic;
  return Strides[Dim];
}

bool passes::isPackedColumn(Value View, MemRefType Buffer) {
  unsigned Rank = cast<MemRefType>(View.getType()).getRank();
  if (Rank < 2 || Buffer.getDimSize(1) != 1)
    return false;
  return Buffer.getDimSize(0) != 1 || (staticStride(View, Rank - 2) == 1 &&
                                       staticStride(View, Rank - 1) != 1);
}

unsigned passes::lineDimension(Value View, MemRefType Buffer) {
  unsigned Rank = cast<MemRefType>(View.getType()).getRank();
  return Rank - (isPackedColumn(View, Buffer) ? 2 : 1);
}

Value passes::extentOf(Nest &N, Value View, unsigned Dim) {
  auto Type = cast<MemRefType>(View.getType());
  if (!Type.isDynamicDim(Dim))
    return N.constant(Type.getDimSize(Dim));
  return N.builder().createOrFold<memref::DimOp>(N.loc(), View,
                                                 N.constant(Dim));
}

/// Arguments are dense, row by row; parts of views move their strides.
Value passes::strideOf(Nest &N, Value View, unsigned Dim) {
  if (int64_t Known = staticStride(View, Dim); !ShapedType::isDynamic(Known))
    return N.constant(Known);
  if (auto Cast = View.getDefiningOp<memref::CastOp>())
    return strideOf(N, Cast.getSource(), Dim);
  if (auto Transposed = View.getDefiningOp<memref::TransposeOp>())
    return strideOf(N, Transposed.getIn(),
                    Transposed.getPermutation().getDimPosition(Dim));
  if (auto Part = View.getDefiningOp<memref::SubViewOp>()) {
    unsigned From = analysis::sourceDim(Part, Dim);
    return N.times(N.number(Part.getMixedStrides()[From]),
                   strideOf(N, Part.getSource(), From));
  }
  Value Stride = N.constant(1);
  for (unsigned I = cast<MemRefType>(View.getType()).getRank(); --I > Dim;)
    Stride = N.times(Stride, extentOf(N, View, I));
  return Stride;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

namespace {
/// Numbers, constant or not, as operations take them.
struct Mixed {
  explicit Mixed(ArrayRef<OpFoldResult> Numbers) {
    dispatchIndexOpFoldResults(Numbers, Dynamic, Static);
  }
  SmallVector<Value> Dynamic;
  SmallVector<int64_t> Static;
};
} // namespace

void passes::copyIn(Nest &N, Location Loc, Value View,
                    ArrayRef<OpFoldResult> Offsets,
                    ArrayRef<OpFoldResult> Sizes, Value Dst,
                    const CopyFields &Fields, Value Pad, Value PadCount,
                    Value Left) {
  Mixed From(Offsets), Size(Sizes);
  CopyPadInOp::create(N.builder(), Loc, View, From.Dynamic, Size.Dynamic, Dst,
                      Fields.Blocks, Fields.Bytes, Fields.GmGap, Fields.UbGap,
                      Pad, PadCount, Left, From.Static, Size.Static);
}

bool passes::spreadsElements(DmaOutOp Op) {
  MemRefType Buffer = Op.getSrc().getType();
  unsigned Bits = Buffer.getElementTypeBitWidth();
  return Op.getWork() && (Bits == 16 || Bits == 32) &&
         staticStride(Op.getView(), lineDimension(Op.getView(), Buffer)) != 1;
}

void passes::copyOut(Nest &N, Location Loc, Value Src, Value View,
                     ArrayRef<OpFoldResult> Offsets,
                     ArrayRef<OpFoldResult> Sizes, const CopyFields &Fields,
                     CombineAttr Combine) {
  Mixed To(Offsets), Size(Sizes);
  CopyPadOutOp::create(N.builder(), Loc, Src, View, To.Dynamic, Size.Dynamic,
                       Fields.Blocks, Fields.Bytes, Fields.GmGap, Fields.UbGap,
                       To.Static, Size.Static, Combine);
}

void passes::copyBlocksIn(Nest &N, Location Loc, Value View,
                          ArrayRef<OpFoldResult> Offsets,
                          ArrayRef<OpFoldResult> Sizes, Value Dst,
                          Value Count) {
  Mixed From(Offsets), Size(Sizes);
  CopyBlocksInOp::create(N.builder(), Loc, View, From.Dynamic, Size.Dynamic,
                         Dst, Count, From.Static, Size.Static);
}

void passes::copyBlocksOut(Nest &N, Location Loc, Value Src, Value View,
                           ArrayRef<OpFoldResult> Offsets,
                           ArrayRef<OpFoldResult> Sizes, Value Count,
                           CombineAttr Combine) {
  Mixed To(Offsets), Size(Sizes);
  CopyBlocksOutOp::create(N.builder(), Loc, Src, View, To.Dynamic, Size.Dynamic,
                          Count, To.Static, Size.Static, Combine);
}

void passes::copyRowsIn(Nest &N, Location Loc, Value View,
                        ArrayRef<OpFoldResult> Offsets,
                        ArrayRef<OpFoldResult> Sizes, Value Dst,
                        const RowFields &Fields) {
  Mixed From(Offsets), Size(Sizes);
  CopyRowsInOp::create(N.builder(), Loc, View, From.Dynamic, Size.Dynamic, Dst,
                       Fields.Rows, Fields.Blocks, Fields.GmGap, Fields.UbGap,
                       From.Static, Size.Static);
}

void passes::copyRowsOut(Nest &N, Location Loc, Value Src, Value View,
                         ArrayRef<OpFoldResult> Offsets,
                         ArrayRef<OpFoldResult> Sizes, const RowFields &Fields,
                         CombineAttr Combine) {
  Mixed To(Offsets), Size(Sizes);
  CopyRowsOutOp::create(N.builder(), Loc, Src, View, To.Dynamic, Size.Dynamic,
                        Fields.Rows, Fields.Blocks, Fields.GmGap, Fields.UbGap,
                        To.Static, Size.Static, Combine);
}

//===----------------------------------------------------------------------===//
// By the scalar unit
//===----------------------------------------------------------------------===//

Value passes::readGlobal(Nest &N, Value View, ArrayRef<OpFoldResult> Offsets) {
  Mixed From(Offsets);
  return GlobalReadOp::create(N.builder(), N.loc(),
                              cast<MemRefType>(View.getType()).getElementType(),
                              View, From.Dynamic, From.Static);
}

static void refresh(Nest &N, Value View, ArrayRef<OpFoldResult> Offsets,
                    ArrayRef<OpFoldResult> Sizes) {
  if (analysis::isOnlyRead(View))
    return;
  Mixed From(Offsets), Size(Sizes);
  CacheCleanOp::create(N.builder(), N.loc(), /*all=*/true, View, From.Dynamic,
                       Size.Dynamic, From.Static, Size.Static);
}

void passes::refreshCache(Nest &N, Value View, ArrayRef<OpFoldResult> Offsets,
                          MemRefType Buffer) {
  Builder &B = N.builder();
  unsigned Rank = Offsets.size();
  SmallVector<OpFoldResult> Sizes(Rank, B.getIndexAttr(1));
  Sizes.back() = B.getIndexAttr(Rank == 1 ? Buffer.getNumElements()
                                          : Buffer.getDimSize(1));
  if (Rank > 1)
    Sizes[Rank - 2] = B.getIndexAttr(Buffer.getDimSize(0));
  refresh(N, View, Offsets, Sizes);
}

static void cleanLine(Nest &N, Value View, const Mixed &Place) {
  SmallVector<int64_t> Ones(Place.Static.size(), 1);
  CacheCleanOp::create(N.builder(), N.loc(), /*all=*/false, View, Place.Dynamic,
                       ValueRange(), Place.Static, Ones);
}

void passes::writeGlobal(Nest &N, Value Element, Value View,
                         ArrayRef<OpFoldResult> Offsets, CombineAttr Combine) {
  Mixed To(Offsets);
  if (Combine) {
    cleanLine(N, View, To);
    Element = combineScalars(N, Combine.getValue(),
                             readGlobal(N, View, Offsets), Element);
  }
  GlobalWriteOp::create(N.builder(), N.loc(), Element, View, To.Dynamic,
                        To.Static);
  cleanLine(N, View, To);
}

void passes::forElements(Nest &N, ArrayRef<OpFoldResult> Offsets,
                         ArrayRef<OpFoldResult> Sizes, MemRefType Buffer,
                         ValueRange Inset, ElementBuilder Element) {
  unsigned Rank = Offsets.size();
  auto InBuffer = [&](unsigned Dim, Value Index) {
    return Inset.empty() ? Index : N.plus(Inset[Dim], Index);
  };
  Value Rows = Rank > 1 ? N.number(Sizes[Rank - 2]) : N.constant(1);
  auto Offset = [&](unsigned Dim, Value Plus) {
    return getAsOpFoldResult(N.plus(N.number(Offsets[Dim]), Plus));
  };
  N.forEach("r", N.constant(0), Rows, 1, [&](Value R) {
    N.forEach("c", N.constant(0), N.number(Sizes.back()), 1, [&](Value C) {
      SmallVector<OpFoldResult> Place(Offsets);
      Place[Rank - 1] = Offset(Rank - 1, C);
      if (Rank > 1)
        Place[Rank - 2] = Offset(Rank - 2, R);
      Element(N.plus(N.times(InBuffer(0, R), pitchOf(Buffer)), InBuffer(1, C)),
              Place);
    });
  });
}

void passes::readElements(Nest &N, Value View, ArrayRef<OpFoldResult> Offsets,
                          ArrayRef<OpFoldResult> Sizes, Value Buffer,
                          ValueRange Inset) {
  N.flag(Pipe::MTE2, Pipe::S);
  auto Type = cast<MemRefType>(Buffer.getType());
  refreshCache(N, View, Offsets, Type);
  forElements(N, Offsets, Sizes, Type, Inset,
              [&](Value To, ArrayRef<OpFoldResult> From) {
                Value Element = readGlobal(N, View, From);
                WriteScalarOp::create(N.builder(), N.loc(), Element, Buffer,
                                      To);
              });
  N.flag(Pipe::S, Pipe::MTE2);
}

//===----------------------------------------------------------------------===//
// By index
//===----------------------------------------------------------------------===//

static Value compare(Nest &N, arith::CmpIPredicate How, Value A, Value B) {
  return arith::CmpIOp::create(N.builder(), N.loc(), How, A, B);
}

/// Builds what is done with the place that an index from data names, which the
/// policy makes a place of the view's first dimension.
static void withPlace(Nest &N, BadIndex Policy, Value View, Value Indices,
                      Value Number, function_ref<void(Value)> Build) {
  OpBuilder &B = N.builder();
  Location Loc = N.loc();
  Type Element = cast<MemRefType>(Indices.getType()).getElementType();
  Value Read = ReadScalarOp::create(B, Loc, Element, Indices, Number);
  Value Index = arith::IndexCastOp::create(B, Loc, B.getIndexType(), Read);
  Value Size = extentOf(N, View, 0), Zero = N.constant(0);
  auto InRange = [&] {
    return arith::AndIOp::create(
               B, Loc, compare(N, arith::CmpIPredicate::sge, Index, Zero),
               compare(N, arith::CmpIPredicate::slt, Index, Size))
        .getResult();
  };
  switch (Policy) {
  case BadIndex::Trap:
    GuardOp::create(B, Loc, InRange(), "gm-out-of-bounds",
                    "0 <= index && index < size");
    return Build(Index);
  case BadIndex::Clamp: {
    Value Last = N.minus(Size, N.constant(1));
    Value AtLeast = arith::MaxSIOp::create(B, Loc, Index, Zero);
    return Build(arith::MinSIOp::create(B, Loc, AtLeast, Last));
  }
  case BadIndex::Wrap: {
    Value Rest = arith::RemSIOp::create(B, Loc, Index, Size);
    return Build(arith::RemSIOp::create(B, Loc, N.plus(Rest, Size), Size));
  }
  case BadIndex::Zero:
    break;
  }
  auto If = scf::IfOp::create(B, Loc, InRange(), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard Guard(B);
  B.setInsertionPoint(If.thenBlock()->getTerminator());
  Build(Index);
}

bool passes::isByRows(Value View, Value Buffer) {
  return cast<MemRefType>(View.getType()).getRank() == 2 &&
         cast<MemRefType>(Buffer.getType()).getDimSize(1) > 1 &&
         staticStride(View, 1) == 1;
}

/// The elements that an index names: one, or those of a row.
static void forNamed(Nest &N, Value View, MemRefType Buffer, Value Row,
                     Value Place, ElementBuilder Element) {
  if (cast<MemRefType>(View.getType()).getRank() == 1)
    return Element(Row, {getAsOpFoldResult(Place)});
  Value Start = N.times(Row, pitchOf(Buffer));
  N.forEach("c", N.constant(0), extentOf(N, View, 1), 1, [&](Value C) {
    Element(N.plus(Start, C), {getAsOpFoldResult(Place), getAsOpFoldResult(C)});
  });
}

static void refreshAll(Nest &N, Value View) {
  unsigned Rank = cast<MemRefType>(View.getType()).getRank();
  SmallVector<OpFoldResult> Zeros(Rank, N.builder().getIndexAttr(0)), Extents;
  for (unsigned Dim = 0; Dim < Rank; ++Dim)
    Extents.push_back(getAsOpFoldResult(extentOf(N, View, Dim)));
  refresh(N, View, Zeros, Extents);
}

void passes::gather(Nest &N, DmaGatherOp Op, RowBuilder Row) {
  Value View = Op.getView(), Dst = Op.getDst();
  bool ByRows = isByRows(View, Dst);
  N.flag(Pipe::MTE2, Pipe::S);
  if (!ByRows)
    refreshAll(N, View);
  auto Take = [&](Value To, ArrayRef<OpFoldResult> From) {
    Value Element = readGlobal(N, View, From);
    WriteScalarOp::create(N.builder(), N.loc(), Element, Dst, To);
  };
  N.forEach("i", N.constant(0), Op.getCount(), 1, [&](Value I) {
    withPlace(N, Op.getPolicy(), View, Op.getIndices(), I, [&](Value Place) {
      if (ByRows)
        return Row(I, Place);
      forNamed(N, View, Op.getDst().getType(), I, Place, Take);
    });
  });
  if (!ByRows)
    N.flag(Pipe::S, Pipe::MTE2);
}

/// Equal indices are written one after the other.
void passes::scatter(Nest &N, DmaScatterOp Op, RowBuilder Row,
                     ElementBuilder Element) {
  Value View = Op.getView();
  bool ByRows = isByRows(View, Op.getSrc());
  N.flag(Pipe::MTE3, Pipe::S);
  N.forEach("i", N.constant(0), Op.getCount(), 1, [&](Value I) {
    withPlace(N, Op.getPolicy(), View, Op.getIndices(), I, [&](Value Place) {
      if (ByRows)
        return Row(I, Place);
      forNamed(N, View, Op.getSrc().getType(), I, Place, Element);
    });
  });
}
