//===- Places.cpp - Where tiles of PTO lie --------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/pto/Places.h"

#include "analysis/sync/MemoryRegion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace belay;
using namespace belay::check;
using ascend::MemorySpace;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

static std::optional<SlotSum> scaled(std::optional<SlotSum> Sum,
                                     std::optional<int64_t> By) {
  if (!Sum || !By)
    return std::nullopt;
  auto Constant = llvm::checkedMul(Sum->Constant, *By);
  auto Factor = llvm::checkedMul(Sum->Factor, *By);
  if (!Constant || !Factor)
    return std::nullopt;
  return SlotSum{*Constant, *Factor, Sum->Slot};
}

static std::optional<SlotSum> added(std::optional<SlotSum> A,
                                    std::optional<SlotSum> B) {
  if (!A || !B || (A->Slot && B->Slot && A->Slot != B->Slot))
    return std::nullopt;
  auto Constant = llvm::checkedAdd(A->Constant, B->Constant);
  auto Factor = llvm::checkedAdd(A->Factor, B->Factor);
  if (!Constant || !Factor)
    return std::nullopt;
  return SlotSum{*Constant, *Factor, A->Slot ? A->Slot : B->Slot};
}

static std::optional<SlotSum> slotSumOf(Value Number, unsigned Depth) {
  if (std::optional<int64_t> Constant = getConstantIntValue(Number))
    return SlotSum{*Constant, 0, {}};
  if (analysis::alternatesIn(Number))
    return SlotSum{0, 1, Number};
  Operation *Def = Number.getDefiningOp();
  if (!Def || !Depth)
    return std::nullopt;
  auto Operand = [&](unsigned I) {
    return slotSumOf(Def->getOperand(I), Depth - 1);
  };
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(Def))
    return Operand(0);
  if (isa<arith::AddIOp>(Def))
    return added(Operand(0), Operand(1));
  if (isa<arith::MulIOp>(Def)) {
    if (auto By = getConstantIntValue(Def->getOperand(1)))
      return scaled(Operand(0), By);
    return scaled(Operand(1), getConstantIntValue(Def->getOperand(0)));
  }
  return std::nullopt;
}

std::optional<SlotSum> check::slotSumOf(Value Number) {
  constexpr unsigned MostDepth = 8;
  return ::slotSumOf(Number, MostDepth);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static std::optional<int64_t> bytesOf(Type Of) {
  if (auto Tile = dyn_cast<pto::TileBufType>(Of))
    return Tile.getBytes();
  auto Memory = dyn_cast<MemRefType>(Of);
  if (!Memory || !Memory.hasStaticShape() ||
      !Memory.getElementType().isIntOrFloat())
    return std::nullopt;
  int64_t Bits = Memory.getElementTypeBitWidth();
  for (int64_t Extent : Memory.getShape()) {
    auto Product = llvm::checkedMul(Bits, Extent);
    if (!Product)
      return std::nullopt;
    Bits = *Product;
  }
  return llvm::divideCeil(Bits, 8);
}

/// The operation that says where a tile is: what only names it anew is left
/// out.
static Operation *makerOf(Value Tile) {
  Operation *Def = Tile.getDefiningOp();
  if (auto Bind = dyn_cast_or_null<pto::BindTileOp>(Def))
    return makerOf(Bind.getSource());
  if (isa_and_nonnull<pto::TReshapeOp, pto::BitcastOp>(Def))
    return makerOf(Def->getOperand(0));
  if (auto Like = dyn_cast_or_null<ViewLikeOpInterface>(Def))
    return makerOf(Like.getViewSource());
  return Def;
}

/// A number that a value does not exceed, where one is in sight.
static std::optional<int64_t> mostOf(Value Number) {
  if (std::optional<int64_t> Constant = getConstantIntValue(Number))
    return Constant;
  auto Least = Number.getDefiningOp<arith::MinSIOp>();
  if (!Least)
    return std::nullopt;
  std::optional<int64_t> A = mostOf(Least.getLhs()), B = mostOf(Least.getRhs());
  return A && B ? std::min(*A, *B) : A ? A : B;
}

/// Reductions of rows use those rows of a tile that are in use, whatever its
/// space is; not so of their space for intermediate values.
static bool isReducedByRows(pto::AllocTileOp Alloc) {
  return llvm::all_of(Alloc->getUses(), [](OpOperand &Use) {
    return isa<pto::TRowSumOp, pto::TRowMaxOp, pto::TRowMinOp>(
               Use.getOwner()) &&
           Use.getOperandNumber() != 1;
  });
}

static int64_t usedBytesOf(pto::AllocTileOp Alloc) {
  pto::TileBufType Tile = Alloc.getTile().getType();
  std::optional<int64_t> Rows =
      Alloc.getValidRow() ? mostOf(Alloc.getValidRow()) : Tile.getValidRows();
  bool RowsInOrder = !Tile.getColMajor() || Tile.getCols() == 1;
  if (!Rows || *Rows < 0 || *Rows >= Tile.getRows() || !RowsInOrder ||
      Tile.getBox() != pto::Box::None || !isReducedByRows(Alloc))
    return Tile.getBytes();
  return Tile.getBytes() / Tile.getRows() * *Rows;
}

static PlaceOrReason atAddress(Operation *Made, Value Address, Type Of) {
  std::optional<int64_t> Bytes = bytesOf(Of);
  std::optional<SlotSum> Sum = slotSumOf(Address);
  if (!Bytes)
    return {{}, "it cannot be told how large this tile is"};
  if (!Sum || (Sum->Slot && Sum->Factor <= 0))
    return {{}, "it cannot be told at which address this tile is"};
  TilePlace Place;
  Place.Made = Made;
  Place.Space = pto::spaceOf(Of).value_or(pto::Space::Gm);
  Place.Bytes = *Bytes;
  Place.Begin = Sum->Constant;
  Place.Slot = Sum->Slot;
  Place.SlotBytes = Sum->Factor;
  return {Place, ""};
}

static PlaceOrReason placeOfAll(Value Tile) {
  Operation *Made = makerOf(Tile);
  if (auto Cast = dyn_cast_or_null<pto::PointerCastOp>(Made)) {
    if (Cast.getAddrs().size() != 1)
      return {{}, "this tile is at several addresses"};
    return atAddress(Made, Cast.getAddrs().front(), Cast.getTile().getType());
  }
  auto Alloc = dyn_cast_or_null<pto::AllocTileOp>(Made);
  if (!Alloc)
    return {{}, "it cannot be told which tile this is"};
  if (Alloc.getAddr()) {
    PlaceOrReason Found =
        atAddress(Made, Alloc.getAddr(), Alloc.getTile().getType());
    if (Found.Place)
      Found.Place->Bytes = usedBytesOf(Alloc);
    return Found;
  }
  TilePlace Place;
  Place.Made = Made;
  Place.Space = Alloc.getTile().getType().getSpace();
  Place.Bytes = Alloc.getTile().getType().getBytes();
  Place.Chosen = true;
  return {Place, ""};
}

/// The part of a tile that a value is, whatever it is named anew.
static pto::SubsetOp partOf(Value Tile) {
  Operation *Def = Tile.getDefiningOp();
  if (isa_and_nonnull<pto::TReshapeOp, pto::BitcastOp>(Def))
    return partOf(Def->getOperand(0));
  return dyn_cast_or_null<pto::SubsetOp>(Def);
}

/// The first byte of a part whose bytes lie side by side.
static std::optional<int64_t> firstByteOf(pto::SubsetOp Part) {
  pto::TileBufType Of = Part.getSource().getType(), Type = Part.getType();
  std::optional<int64_t> Row = getConstantIntValue(Part.getOffsets()[0]);
  std::optional<int64_t> Col = getConstantIntValue(Part.getOffsets()[1]);
  bool RowsInOrder = !Of.getColMajor() || Of.getCols() == 1;
  bool SideBySide = Type.getRows() == 1 || Type.getCols() == Of.getCols();
  if (!Row || !Col || !RowsInOrder || !SideBySide ||
      Of.getBox() != pto::Box::None)
    return std::nullopt;
  return (*Row * Of.getCols() + *Col) *
         Of.getElementType().getIntOrFloatBitWidth() / 8;
}

PlaceOrReason check::placeOf(Value Tile) {
  pto::SubsetOp Part = partOf(Tile);
  if (!Part) {
    PlaceOrReason Found = placeOfAll(Tile);
    if (Found.Place)
      Found.Place->UsedBytes = Found.Place->Bytes;
    return Found;
  }
  PlaceOrReason Found = placeOf(Part.getSource());
  std::optional<int64_t> First = firstByteOf(Part);
  if (!Found.Place)
    return Found;
  if (!First)
    return {{}, "it cannot be told which part of a tile this is"};
  Found.Place->FirstByte += *First;
  Found.Place->UsedBytes = Part.getType().getBytes();
  return Found;
}

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

std::optional<MemorySpace> check::memoryOf(pto::Space Space) {
  switch (Space) {
  case pto::Space::Gm:
    return std::nullopt;
  case pto::Space::Vec:
    return MemorySpace::UB;
  case pto::Space::Mat:
    return MemorySpace::L1;
  case pto::Space::Left:
    return MemorySpace::L0A;
  case pto::Space::Right:
    return MemorySpace::L0B;
  case pto::Space::Acc:
    return MemorySpace::L0C;
  case pto::Space::Bias:
    return MemorySpace::BT;
  case pto::Space::Scaling:
    return MemorySpace::FB;
  }
  llvm_unreachable("all spaces are listed");
}

int64_t check::capacityOf(pto::Space Space, const targets::Soc &Soc) {
  switch (Space) {
  case pto::Space::Gm:
    return 0;
  case pto::Space::Vec:
    return Soc.ub;
  case pto::Space::Mat:
    return Soc.l1;
  case pto::Space::Left:
    return Soc.l0a;
  case pto::Space::Right:
    return Soc.l0b;
  case pto::Space::Acc:
    return Soc.l0c;
  case pto::Space::Bias:
    return Soc.bt;
  case pto::Space::Scaling:
    return Soc.fb[0];
  }
  llvm_unreachable("all spaces are listed");
}

StringRef check::nameOf(pto::Space Space) {
  switch (Space) {
  case pto::Space::Gm:
    return "global memory";
  case pto::Space::Vec:
    return "the unified buffer";
  case pto::Space::Mat:
    return "L1";
  case pto::Space::Left:
    return "L0A";
  case pto::Space::Right:
    return "L0B";
  case pto::Space::Acc:
    return "L0C";
  case pto::Space::Bias:
    return "the bias table";
  case pto::Space::Scaling:
    return "the fixpipe buffer";
  }
  llvm_unreachable("all spaces are listed");
}
