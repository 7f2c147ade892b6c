//===- LowerTiles.cpp - Tiles become buffers ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers, and which of them operations may compute into. Loops and branches
// are in LowerControlFlow.cpp; what each operation on tiles becomes, in
// LowerElementwise.cpp.
//
//===----------------------------------------------------------------------===//

#include "dialect/PassTarget.h"
#include "passes/Erase.h"
#include "passes/Passes.h"
#include "passes/TileLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace belay::passes {
#define GEN_PASS_DEF_LOWERTILES
#include "passes/Passes.h.inc"
} // namespace belay::passes

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// What rows are aligned to, in bits.
static constexpr int64_t RowBits = 32 * 8;

/// Rows of tiles begin at the same elements whatever the type, so that what is
/// converted or compared stays in its place.
MemRefType TileLowering::bufferTypeFor(RankedTensorType Tile) const {
  CapacityAttr Capacity = getCapacity(Tile);
  int64_t Rows = Capacity.getRows(), Cols = Capacity.getCols();
  Type Element = Tile.getElementType();
  auto Space = MemorySpaceAttr::get(Tile.getContext(), MemorySpace::UB);
  int64_t Pitch = llvm::alignTo(Cols, RowBits / NarrowestBits);
  MemRefLayoutAttrInterface Layout;
  if (Rows > 1 && Cols > 1 && Pitch != Cols)
    Layout = StridedLayoutAttr::get(Tile.getContext(), 0, {Pitch, 1});
  return MemRefType::get({Rows, Cols}, Element, Layout, Space);
}

Value TileLowering::makeBuffer(Location Loc, MemRefType Type) {
  ++Buffers;
  return BufferOp::create(Builder, Loc, Type, IntegerAttr(),
                          Builder.getI64IntegerAttr(1), Value());
}

Location passes::unnamed(Location Loc) {
  if (auto Name = dyn_cast<NameLoc>(Loc))
    return Name.getChildLoc();
  return Loc;
}

Value TileLowering::makeWork(Location Loc, Type Element, int64_t Rows,
                             int64_t Cols) {
  Location Named = NameLoc::get(Builder.getStringAttr("work"), unnamed(Loc));
  return makeBuffer(
      Named, bufferTypeFor(RankedTensorType::get({1, Rows * Cols}, Element)));
}

Tile &TileLowering::tileOf(Value Value) {
  auto Found = Tiles.find(Value);
  assert(Found != Tiles.end() && "operands are lowered before their users");
  return Found->second;
}

void TileLowering::setTile(Value Value, const Tile &Tile) {
  Tiles[Value] = Tile;
  if (Tile.Buffer)
    ValuesInBuffer[Tile.Buffer].push_back(Value);
}

Value TileLowering::bufferOf(Value Value) {
  Tile &T = tileOf(Value);
  if (!T.Buffer) {
    T.Buffer = makeBuffer(Value.getLoc(), bufferTypeFor(T.Type));
    ValuesInBuffer[T.Buffer].push_back(Value);
    VecFillOp::create(Builder, Value.getLoc(), T.Splat, T.Buffer,
                      countOf(Value.getLoc(), T));
    mlir::Value Buffer = T.Buffer;
    // Only what follows in this block is sure to come after the fill.
    if (Value.getParentBlock() != Builder.getInsertionBlock())
      T.Buffer = {};
    return Buffer;
  }
  return T.Buffer;
}

Value TileLowering::destinationFor(Value Value) {
  auto Tile = cast<RankedTensorType>(Value.getType());
  if (mlir::Value Buffer = Preferred.lookup(Value))
    return Buffer;
  return makeBuffer(Value.getLoc(), bufferTypeFor(Tile));
}

Value TileLowering::valueOf(Location Loc, OpFoldResult Size) {
  if (auto Dynamic = dyn_cast<Value>(Size))
    return Dynamic;
  Loc = unnamed(Loc);
  return arith::ConstantIndexOp::create(
      Builder, Loc, cast<IntegerAttr>(cast<Attribute>(Size)).getInt());
}

/// Elements from the first to the last, with what lies between rows.
Value TileLowering::countOf(Location Loc, const Tile &Tile) {
  Loc = unnamed(Loc);
  MemRefType Buffer = bufferTypeFor(Tile.Type);
  if (Buffer.getDimSize(0) == 1)
    return valueOf(Loc, Tile.Cols);
  if (Buffer.getDimSize(1) == 1)
    return valueOf(Loc, Tile.Rows);
  int64_t Pitch = pitchOf(Buffer);
  if (std::optional<int64_t> Rows = getConstantIntValue(Tile.Rows))
    return arith::ConstantIndexOp::create(Builder, Loc, *Rows * Pitch);
  return arith::MulIOp::create(
      Builder, Loc, valueOf(Loc, Tile.Rows),
      arith::ConstantIndexOp::create(Builder, Loc, Pitch));
}

/// The next multiple; counts are not negative.
Value TileLowering::roundUp(Location Loc, Value Count, int64_t Multiple) {
  Loc = unnamed(Loc);
  auto Number = [&](int64_t Value) {
    return arith::ConstantIndexOp::create(Builder, Loc, Value);
  };
  Value More =
      Builder.createOrFold<arith::AddIOp>(Loc, Count, Number(Multiple - 1));
  Value Parts =
      Builder.createOrFold<arith::DivSIOp>(Loc, More, Number(Multiple));
  return Builder.createOrFold<arith::MulIOp>(Loc, Parts, Number(Multiple));
}

void TileLowering::copy(Location Loc, const Tile &From, Value To) {
  if (From.Splat) {
    VecFillOp::create(Builder, Loc, From.Splat, To, countOf(Loc, From));
    return;
  }
  if (From.Buffer == To)
    return;
  ++Copies;
  // Copies are of whole blocks; buffers end with one.
  int64_t Bits = cast<MemRefType>(To.getType()).getElementTypeBitWidth();
  VecCopyOp::create(Builder, Loc, From.Buffer, To,
                    roundUp(Loc, countOf(Loc, From), RowBits / Bits));
}

//===----------------------------------------------------------------------===//
// Computing into a buffer that is in use
//===----------------------------------------------------------------------===//

/// Whether only one of two operations is executed.
static bool areAlternatives(Operation *A, Operation *B) {
  for (Operation *Up = A; Up; Up = Up->getParentOp()) {
    auto If = dyn_cast_or_null<scf::IfOp>(Up->getParentOp());
    if (!If || !If->isProperAncestor(B))
      continue;
    Region *Other = Up->getParentRegion() == &If.getThenRegion()
                        ? &If.getElseRegion()
                        : &If.getThenRegion();
    return Other->findAncestorOpInRegion(*B) != nullptr;
  }
  return false;
}

bool TileLowering::isFreeAt(Value Buffer, Operation *Def) {
  for (Value Stored : ValuesInBuffer.lookup(Buffer))
    for (Operation *User : Stored.getUsers()) {
      if (areAlternatives(User, Def))
        continue;
      auto Place = Order.find(User);
      if (Place == Order.end() || Place->second > Order.lookup(Def))
        return false;
    }
  return true;
}

/// Whether an operation may write where it reads. What becomes a function of
/// the vendor's library may not.
static bool worksInPlace(Operation *Op, Value Result) {
  if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(Op))
    return true;
  if (isa<math::TanhOp, math::ErfOp, math::SinOp, math::CosOp, math::FloorOp,
          math::CeilOp, math::TruncOp, math::RoundOp, math::PowFOp>(Op))
    return false;
  if (!Op->hasTrait<OpTrait::Elementwise>() || Op->getNumResults() != 1)
    return false;
  Type Element = cast<ShapedType>(Result.getType()).getElementType();
  return llvm::all_of(Op->getOperandTypes(), [&](Type Type) {
    auto Shaped = dyn_cast<ShapedType>(Type);
    return !Shaped || Shaped.getElementType() == Element;
  });
}

/// Lets Value be computed into Buffer, if that loses nothing.
void TileLowering::prefer(Value Value, mlir::Value Buffer) {
  Operation *Def = Value.getDefiningOp();
  if (!Def || Preferred.count(Value) || Tiles.count(Value) ||
      isa<SplatOp, arith::ConstantOp>(Def) || !isFreeAt(Buffer, Def))
    return;
  bool ReadsIt =
      llvm::any_of(ValuesInBuffer.lookup(Buffer), [&](mlir::Value Stored) {
        return llvm::any_of(Stored.getUsers(), [&](Operation *User) {
          return User == Def || Def->isProperAncestor(User);
        });
      });
  if (ReadsIt && !worksInPlace(Def, Value))
    return;
  Preferred[Value] = Buffer;
  ValuesInBuffer[Buffer].push_back(Value);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

Tile passes::tileWithSizes(RankedTensorType Type, ValueRange Sizes) {
  Builder B(Type.getContext());
  Tile Tile{Type,
            {},
            {},
            B.getIndexAttr(Type.getDimSize(0)),
            B.getIndexAttr(Type.getDimSize(1))};
  unsigned Next = 0;
  if (Type.isDynamicDim(0))
    Tile.Rows = Sizes[Next++];
  if (Type.isDynamicDim(1))
    Tile.Cols = Sizes[Next++];
  return Tile;
}

LogicalResult TileLowering::lower(Operation &Op) {
  Builder.setInsertionPoint(&Op);
  if (auto Loop = dyn_cast<scf::ForOp>(Op))
    return lower(Loop);
  if (auto Loop = dyn_cast<scf::WhileOp>(Op))
    return lower(Loop);
  if (auto If = dyn_cast<scf::IfOp>(Op))
    return lower(If);
  bool OnTiles = llvm::any_of(Op.getOperandTypes(), isTile) ||
                 llvm::any_of(Op.getResultTypes(), isTile);
  if (!OnTiles && !Op.getNumRegions())
    return success();
  if (Op.getNumRegions())
    return Op.emitOpError("is not known to the lowering of tiles");
  if (Op.hasTrait<OpTrait::IsTerminator>())
    return success();
  eraseLater(Op);
  if (isRoundedByCast(Op))
    return success();
  return TypeSwitch<Operation *, LogicalResult>(&Op)
      .Case<LoadOp, StoreOp, BroadcastOp, ReduceOp, ArgReduceOp, ScanOp,
            TransposeOp, TakeOp, IotaOp, GatherOp, ScatterOp, PrintOp, ToL1Op,
            FromL0COp>([&](auto Specific) { return lower(Specific); })
      .Case<SplatOp>([&](SplatOp Splat) {
        Tile Tile = tileWithSizes(Splat.getTile().getType(), Splat.getSizes());
        Tile.Splat = Splat.getValue();
        setTile(Splat.getTile(), Tile);
        return success();
      })
      .Case<tensor::CastOp>([&](tensor::CastOp Cast) {
        // Only how much of the extents is known to the type.
        Tile Same = tileOf(Cast.getSource());
        Same.Type = llvm::cast<RankedTensorType>(Cast.getType());
        setTile(Cast.getResult(), Same);
        return success();
      })
      .Case<tensor::DimOp>([&](tensor::DimOp Dim) -> LogicalResult {
        std::optional<int64_t> Index = Dim.getConstantIndex();
        if (!Index)
          return Dim.emitOpError("needs a constant dimension");
        const Tile &Tile = tileOf(Dim.getSource());
        Dim.replaceAllUsesWith(
            valueOf(Dim.getLoc(), *Index ? Tile.Cols : Tile.Rows));
        return success();
      })
      .Case<tensor::ExtractOp>([&](tensor::ExtractOp Extract) {
        const Tile &Tile = tileOf(Extract.getTensor());
        Location Loc = Extract.getLoc();
        if (Tile.Splat) {
          Extract.replaceAllUsesWith(Tile.Splat);
          return success();
        }
        Value Row = Extract.getIndices()[0], Col = Extract.getIndices()[1];
        int64_t Pitch = pitchOf(bufferTypeFor(Tile.Type));
        Value Start = Builder.createOrFold<arith::MulIOp>(
            Loc, Row, arith::ConstantIndexOp::create(Builder, Loc, Pitch));
        Value Index = Builder.createOrFold<arith::AddIOp>(Loc, Start, Col);
        Value Read = ReadScalarOp::create(Builder, Loc, Extract.getType(),
                                          Tile.Buffer, Index);
        Extract.replaceAllUsesWith(Read);
        return success();
      })
      .Default([&](Operation *Other) { return lowerElementwise(*Other); });
}

LogicalResult TileLowering::lower(Block &Block) {
  for (Operation &Op : llvm::make_early_inc_range(Block))
    if (failed(lower(Op)))
      return failure();
  return success();
}

void TileLowering::noteElement(RankedTensorType Tile) {
  int64_t Bits = Tile.getElementType().getIntOrFloatBitWidth();
  CapacityAttr Capacity = getCapacity(Tile);
  if (Bits >= 8 && Capacity.getRows() > 1 && Capacity.getCols() > 1)
    NarrowestBits = std::min(NarrowestBits, Bits);
}

LogicalResult TileLowering::run() {
  if (!Kernel.getBody().hasOneBlock())
    return Kernel.emitError("a kernel has structured control flow");
  if (failed(moveConditions()))
    return failure();
  expandTakes();
  if (failed(promote()))
    return failure();
  expandRounding();
  expandArgReduce();
  expandChoices();
  Kernel.walk([&](Operation *Op) {
    for (Type Type : Op->getResultTypes())
      if (isTile(Type))
        noteElement(cast<RankedTensorType>(Type));
  });
  unsigned Place = 0;
  Kernel.walk<WalkOrder::PreOrder>([&](Operation *Op) { Order[Op] = Place++; });
  if (failed(lower(Kernel.getBody().front())))
    return failure();
  eraseTogether(Dead);
  return success();
}

namespace {
struct LowerTilesPass : passes::impl::LowerTilesBase<LowerTilesPass> {
  using Base::Base;

  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    const targets::Soc *Soc = ascend::socFor(getOperation(), soc);
    if (!Soc)
      return signalPassFailure();
    TileLowering Lowering(getOperation(), *Soc->arch);
    if (failed(Lowering.run()))
      return signalPassFailure();
    numBuffers += Lowering.Buffers;
    numCopies += Lowering.Copies;
  }
};
} // namespace
