//===- Windows.cpp - Memory that operands of PTO are ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/pto/Model.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::check;
using ascend::MemorySpace;
using ascend::MemorySpaceAttr;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static MemRefType bytesType(int64_t Bytes, MemorySpace Space, Builder &B) {
  return MemRefType::get({Bytes}, B.getI8Type(), MemRefLayoutAttrInterface(),
                         MemorySpaceAttr::get(B.getContext(), Space));
}

/// All of a memory, so that addresses of its tiles can be compared.
Value OrderModel::spaceBuffer(pto::Space Space) {
  Value &Buffer = Buffers[static_cast<unsigned>(Space)];
  if (Buffer)
    return Buffer;
  constexpr int64_t More = int64_t(1) << 48; // than addresses there are
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPointToStart(&Made.getBody().front());
  Buffer = ascend::BufferOp::create(
      Builder, Kernel.getLoc(),
      bytesType(More, *check::memoryOf(Space), Builder),
      Builder.getI64IntegerAttr(0), Builder.getI64IntegerAttr(1), Value());
  return Buffer;
}

/// Two slots that a loop alternates between.
Value OrderModel::slotBuffer(const TilePlace &Place) {
  return ascend::BufferOp::create(
      Builder, Kernel.getLoc(),
      bytesType(Place.SlotBytes, *check::memoryOf(Place.Space), Builder),
      Builder.getI64IntegerAttr(Place.Begin), Builder.getI64IntegerAttr(2),
      numberOf(Place.Slot));
}

Value OrderModel::bytes(Value Buffer, int64_t First, int64_t Count) {
  auto Number = [&](int64_t Of) -> OpFoldResult {
    return Builder.getIndexAttr(Of);
  };
  return memref::SubViewOp::create(Builder, Kernel.getLoc(), Buffer,
                                   {Number(First)}, {Number(Count)},
                                   {Number(1)});
}

Value OrderModel::tileOf(Operation &Op, Value Tile) {
  PlaceOrReason Found = placeOf(Tile);
  if (!Found.Place) {
    gap(&Op, Found.Reason);
    return {};
  }
  TilePlace Place = *Found.Place;
  if (Place.Space == pto::Space::Gm) {
    gap(&Op, "it cannot be told in which memory this tile is");
    return {};
  }
  if (Place.Chosen) {
    auto [At, New] = ChosenAt.try_emplace(Place.Made, NextChosen);
    if (New)
      NextChosen += llvm::alignTo(Place.Bytes, 32);
    Place.Begin = At->second;
  }
  auto Same = llvm::find_if(
      Tiles, [&](const TilePlace &Other) { return Other.Made == Place.Made; });
  if (Same == Tiles.end())
    Tiles.push_back(Place);
  // Said elsewhere; the order of what is not there is not asked.
  if (Place.Begin < 0 || Place.Begin > (int64_t(1) << 41))
    return {};
  if (!Place.Slot)
    return bytes(spaceBuffer(Place.Space), Place.Begin + Place.FirstByte,
                 Place.UsedBytes);
  if (Place.Bytes > Place.SlotBytes) {
    gap(&Op, "the two slots of this tile overlap");
    return {};
  }
  return bytes(slotBuffer(Place), Place.FirstByte, Place.UsedBytes);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Value OrderModel::rootOf(Value Pointer, Type) {
  if (auto Add = Pointer.getDefiningOp<pto::AddPtrOp>())
    return Numbers.lookupOrNull(Add.getResult());
  return Numbers.lookupOrNull(Pointer);
}

/// The most that a size can be, as far as its definition says.
static std::optional<int64_t> mostOf(OpFoldResult Size) {
  if (std::optional<int64_t> Constant = getConstantIntValue(Size))
    return Constant;
  if (auto Least = cast<Value>(Size).getDefiningOp<arith::MinSIOp>())
    for (Value Operand : Least->getOperands())
      if (std::optional<int64_t> Constant = getConstantIntValue(Operand))
        return Constant;
  return std::nullopt;
}

/// No more elements are copied than a tile has. That windows are no larger than
/// their tiles is not asked here.
static int64_t mostOfTile(Type Tile, unsigned FromLast) {
  if (auto Buffer = dyn_cast_or_null<pto::TileBufType>(Tile)) {
    int64_t Rows = Buffer.getRows(), Cols = Buffer.getCols();
    if (Buffer.getColMajor() || Rows == 1 || Cols == 1 || FromLast > 1)
      return Rows * Cols;
    return FromLast ? Rows : Cols;
  }
  if (auto Memory = dyn_cast_or_null<MemRefType>(Tile);
      Memory && Memory.hasStaticShape())
    return Memory.getNumElements();
  return int64_t(1) << 40;
}

Value OrderModel::windowOf(Operation &Op, Value Part, Type Tile) {
  auto Partition = Part.getDefiningOp<pto::PartitionViewOp>();
  auto Sub = Part.getDefiningOp<memref::SubViewOp>();
  if (!Partition && !Sub)
    return Numbers.lookupOrNull(Part);
  Value Source = Numbers.lookupOrNull(Partition ? Value(Partition.getSource())
                                                : Value(Sub.getSource()));
  if (!Source)
    return {};
  SmallVector<OpFoldResult> Offsets, Sizes, Strides;
  if (Partition) {
    Offsets.assign(Partition.getOffsets().begin(),
                   Partition.getOffsets().end());
    Sizes.assign(Partition.getSizes().begin(), Partition.getSizes().end());
    Strides.assign(Sizes.size(), Builder.getIndexAttr(1));
  } else {
    Offsets = Sub.getMixedOffsets();
    Sizes = Sub.getMixedSizes();
    Strides = Sub.getMixedStrides();
  }
  unsigned Rank = Sizes.size();
  for (auto [I, Size] : llvm::enumerate(Sizes)) {
    int64_t Most = mostOf(Size).value_or(mostOfTile(Tile, Rank - 1 - I));
    Size = Builder.getIndexAttr(std::max<int64_t>(Most, 0));
  }
  return memref::SubViewOp::create(Builder, Op.getLoc(), Source,
                                   numbersOf(Offsets), Sizes,
                                   numbersOf(Strides));
}

Value OrderModel::memoryOf(Operation &Op, Value Operand, Type Tile) {
  if (pto::spaceOf(Operand.getType()) != pto::Space::Gm)
    return tileOf(Op, Operand);
  Value Window = windowOf(Op, Operand, Tile);
  if (!Window)
    gap(&Op, "it cannot be told which part of global memory this is");
  return Window;
}

/// A view of a pointer: extents are those of the program, or open.
static Value makeView(OpBuilder &Builder, Location Loc, Value Root,
                      OpFoldResult Offset, ArrayRef<OpFoldResult> Sizes,
                      ArrayRef<OpFoldResult> Strides) {
  SmallVector<int64_t> Open(Sizes.size(), ShapedType::kDynamic), Shape;
  for (OpFoldResult Size : Sizes)
    Shape.push_back(getConstantIntValue(Size).value_or(ShapedType::kDynamic));
  for (auto [I, Stride] : llvm::enumerate(Strides))
    Open[I] = getConstantIntValue(Stride).value_or(ShapedType::kDynamic);
  auto Of = cast<MemRefType>(Root.getType());
  int64_t Begin = getConstantIntValue(Offset).value_or(ShapedType::kDynamic);
  auto Type =
      MemRefType::get(Shape, Of.getElementType(),
                      StridedLayoutAttr::get(Builder.getContext(), Begin, Open),
                      Of.getMemorySpace());
  return memref::ReinterpretCastOp::create(Builder, Loc, Type, Root, Offset,
                                           Sizes, Strides);
}

/// Whether an operation only names memory; then it is in the model.
bool OrderModel::translateView(Operation &Op) {
  Location Loc = Op.getLoc();
  if (auto Make = dyn_cast<pto::MakeTensorViewOp>(Op)) {
    Value Root = rootOf(Make.getPtr(), {});
    SmallVector<OpFoldResult> Shape(Make.getShape().begin(),
                                    Make.getShape().end());
    SmallVector<OpFoldResult> Strides(Make.getStrides().begin(),
                                      Make.getStrides().end());
    if (Root)
      Numbers.map(Make.getView(),
                  makeView(Builder, Loc, Root, Builder.getIndexAttr(0),
                           numbersOf(Shape), numbersOf(Strides)));
    return true;
  }
  if (auto Add = dyn_cast<pto::AddPtrOp>(Op)) {
    Value Root = rootOf(Add.getPtr(), {});
    OpFoldResult Open = Builder.getIndexAttr(1);
    if (Root)
      Numbers.map(Add.getResult(),
                  makeView(Builder, Loc, Root,
                           numberOf(OpFoldResult(Add.getOffset())), {Open},
                           {Open}));
    return true;
  }
  if (auto Cast = dyn_cast<memref::ReinterpretCastOp>(Op)) {
    if (Value Root = Numbers.lookupOrNull(Cast.getSource()))
      Numbers.map(Cast.getResult(),
                  makeView(Builder, Loc, Root,
                           numberOf(Cast.getMixedOffsets().front()),
                           numbersOf(Cast.getMixedSizes()),
                           numbersOf(Cast.getMixedStrides())));
    return true;
  }
  if (auto Sub = dyn_cast<memref::SubViewOp>(Op)) {
    if (Value Source = Numbers.lookupOrNull(Sub.getSource()))
      Numbers.map(Sub.getResult(),
                  memref::SubViewOp::create(Builder, Loc, Source,
                                            numbersOf(Sub.getMixedOffsets()),
                                            numbersOf(Sub.getMixedSizes()),
                                            numbersOf(Sub.getMixedStrides())));
    return true;
  }
  if (auto Cast = dyn_cast<memref::CastOp>(Op)) {
    if (Value Source = Numbers.lookupOrNull(Cast.getSource()))
      Numbers.map(Cast.getResult(), Source);
    return true;
  }
  return isa<pto::PartitionViewOp, pto::AllocTileOp, pto::SubsetOp,
             pto::TReshapeOp, pto::BitcastOp, pto::BindTileOp,
             pto::PointerCastOp>(Op);
}
