//===- TranslateTiles.cpp - Tiles over buffers ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/pto/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace belay;
using namespace belay::pto;

Value Translator::addressOf(ascend::BufferOp Buffer) {
  Location Loc = Buffer.getLoc();
  Value Address = arith::ConstantIntOp::create(
      Builder, Loc, static_cast<int64_t>(*Buffer.getOffset()), 64);
  if (!Buffer.getSlot())
    return Address;
  Value Slot = arith::IndexCastOp::create(Builder, Loc, Builder.getI64Type(),
                                          mapped(Buffer.getSlot()));
  Value Bytes =
      arith::ConstantIntOp::create(Builder, Loc, Buffer.getSlotBytes(), 64);
  Value Distance = arith::MulIOp::create(Builder, Loc, Slot, Bytes);
  return arith::AddIOp::create(Builder, Loc, Address, Distance);
}

TileBufType Translator::typeOfTile(Type Element, const TileShape &Shape) {
  // ptoas changes extents of tiles that leave both open.
  bool Open = Who == Sync::Ptoas;
  auto Extent = [&](Value Valid, int64_t Space) {
    return Valid || Open ? ShapedType::kDynamic : Space;
  };
  return TileBufType::get(Builder.getContext(), Shape.Rows, Shape.Cols, Element,
                          Extent(Shape.ValidRows, Shape.Rows),
                          Extent(Shape.ValidCols, Shape.Cols), Shape.ColMajor)
      .withPad(Shape.Value);
}

/// The same memory as a tile of another type. ptoas casts the bits of what has
/// another shape, and gives no other shape to what is cast.
Value Translator::reinterpreted(Value Tile, TileBufType Type) {
  Location Loc = Tile.getLoc();
  auto Old = cast<TileBufType>(Tile.getType());
  if (Old == Type)
    return Tile;
  bool SameKind =
      Old.getElementType().isInteger() == Type.getElementType().isInteger();
  if (SameKind && Old.getBytes() == Type.getBytes())
    return TReshapeOp::create(Builder, Loc, Type, Tile);
  // Elements of the first kind in the second shape, as large as it takes.
  int64_t Bits = Old.getBytes() * 8 / (Type.getRows() * Type.getCols());
  mlir::Type Element;
  if (Old.getElementType().isInteger())
    Element = Builder.getIntegerType(Bits);
  else if (Bits == Old.getElementType().getIntOrFloatBitWidth())
    Element = Old.getElementType();
  else
    Element = Bits == 32 ? mlir::Type(Builder.getF32Type())
                         : mlir::Type(Builder.getF16Type());
  TileBufType Shaped = Type.withElement(Element);
  if (Shaped != Old)
    Tile = TReshapeOp::create(Builder, Loc, Shaped, Tile);
  return BitcastOp::create(Builder, Loc, Type, Tile);
}

/// How often the bytes of a part are in all of a buffer; 0 where they are not.
static int64_t timesOf(TileBufType Type, TileBufType All) {
  int64_t Times = All.getBytes() / Type.getBytes();
  return Times * Type.getBytes() == All.getBytes() ? Times : 0;
}

/// How much larger a cast of bits can make the elements of a type.
static int64_t mostBits(TileBufType Type, TileBufType All) {
  int64_t Width = Type.getElementType().getIntOrFloatBitWidth();
  return (All.getElementType().isInteger() ? 64 : 32) / Width;
}

/// A type for all bytes of a tile with the same elements in the same places:
/// so many times as many rows, of which no more are in use; a cast of bits
/// leaves out the rest. Nothing if there is none.
static TileBufType enlarged(TileBufType Type, TileBufType All, int64_t More) {
  int64_t Times = timesOf(Type, All);
  if (!Times || Times % More != 0)
    return {};
  int64_t Wider = Times / More;
  bool Bits = All.getElementType().isInteger();
  int64_t Width = Type.getElementType().getIntOrFloatBitWidth() * Wider;
  bool IsCast = Wider != 1 || Bits != Type.getElementType().isInteger();
  if (!llvm::isPowerOf2_64(Wider) || Wider > mostBits(Type, All) ||
      (IsCast && !Bits && Width != 16 && Width != 32))
    return {};
  bool Row = Type.getRows() == 1 && !Type.getColMajor();
  return TileBufType::get(
      Type.getContext(), Type.getSpace(), Row ? 1 : Type.getRows() * More,
      Row ? Type.getCols() * More : Type.getCols(), Type.getElementType(),
      Type.getValidRows(), Type.getValidCols(), Type.getColMajor(),
      Type.getBox(), Type.getFractal(), Type.getPad(), Type.getCompact());
}

/// The fewest rows that a part can have.
static int64_t fewest(TileBufType Type, TileBufType All) {
  int64_t Times = timesOf(Type, All), Most = mostBits(Type, All);
  for (int64_t Wider = Most; Times && Wider > 1; Wider /= 2)
    if (Times % Wider == 0 && enlarged(Type, All, Times / Wider))
      return Times / Wider;
  return Times;
}

/// The first bytes of a buffer that ptoas puts somewhere, as many as a tile
/// has. How large the buffer's own tile is, all of these say in the end.
Value Translator::partFor(Value Tile, TileBufType Type) {
  auto All = cast<TileBufType>(Tile.getType());
  int64_t Bits = All.getElementType().getIntOrFloatBitWidth();
  int64_t Count = Type.getBytes() * 8 / Bits;
  Location Loc = Tile.getLoc();
  if (Count > All.getCols())
    resize(Tile, Count);
  Value First = constant(Loc, 0);
  return SubsetOp::create(Builder, Loc, Tile, ValueRange{First, First},
                          Builder.getI64ArrayAttr({1, Count}))
      .getPart();
}

/// Makes a row that ptoas puts somewhere longer. Its elements are bits then, of
/// which parts are made.
void Translator::resize(Value Tile, int64_t Cols) {
  auto Old = cast<TileBufType>(Tile.getType());
  auto Alloc = cast<AllocTileOp>(Tile.getDefiningOp());
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPoint(Alloc);
  Alloc.getValidColMutable().assign(constant(Tile.getLoc(), Cols));
  Type Element = Old.getElementType();
  if (!Element.isInteger())
    Element = Builder.getIntegerType(Element.getIntOrFloatBitWidth());
  Tile.setType(TileBufType::get(Old.getContext(), 1, Cols, Element,
                                Old.getValidRows(), Old.getValidCols()));
}

/// Parts of a buffer's tile that an operation uses, of one shape.
using SameShape = SmallVector<TReshapeOp>;

static TileBufType typeOf(TReshapeOp Shape) {
  return cast<TileBufType>(Shape.getTile().getType());
}

static Value bufferOf(TReshapeOp Shape) {
  return Shape.getSrc().getDefiningOp<SubsetOp>().getSource();
}

static TileBufType allOf(TReshapeOp Shape) {
  return cast<TileBufType>(bufferOf(Shape).getType());
}

/// By operation, the parts whose shapes are to stay the same.
static SmallVector<SameShape> findShapes(func::FuncOp Made) {
  SmallVector<SameShape> Found;
  Made.walk([&](TileInstruction Op) {
    size_t First = Found.size();
    for (Value Operand : Op->getOperands()) {
      auto Shape = Operand.getDefiningOp<TReshapeOp>();
      if (!Shape || !Shape.getSrc().getDefiningOp<SubsetOp>())
        continue;
      auto Same = llvm::find_if(
          llvm::drop_begin(Found, First), [&](const SameShape &Other) {
            return typeOf(Other.front()).getRows() == typeOf(Shape).getRows() &&
                   typeOf(Other.front()).getCols() == typeOf(Shape).getCols();
          });
      if (Same == Found.end())
        Found.push_back({Shape});
      else
        Same->push_back(Shape);
    }
  });
  return Found;
}

/// Makes buffers larger until all parts have what they need; whether they have.
bool Translator::growForParts(ArrayRef<SameShape> Shapes,
                              SmallVectorImpl<int64_t> &More) {
  constexpr unsigned Enough = 16;
  for (unsigned I = 0; I != Enough; ++I) {
    bool Grown = false;
    More.clear();
    for (const SameShape &Same : Shapes) {
      int64_t Most = 0;
      for (TReshapeOp Shape : Same) {
        int64_t Few = fewest(typeOf(Shape), allOf(Shape));
        if (!Few)
          return false;
        Most = std::max(Most, Few);
      }
      for (TReshapeOp Shape : Same)
        if (!enlarged(typeOf(Shape), allOf(Shape), Most)) {
          TileBufType All = allOf(Shape);
          int64_t Bytes = typeOf(Shape).getBytes() * Most;
          while (Bytes < All.getBytes())
            Bytes *= 2;
          if (Bytes == All.getBytes())
            return false;
          resize(bufferOf(Shape),
                 Bytes * 8 / All.getElementType().getIntOrFloatBitWidth());
          Grown = true;
        }
      More.push_back(Most);
    }
    if (!Grown)
      return true;
  }
  return false;
}

/// Parts become other shapes of the buffer's tile: ptoas does not let what is
/// in use of a subset change.
bool Translator::settleParts() {
  // Bits become any numbers, numbers of pto-isa only others of their kind.
  for (Value Tile : llvm::make_second_range(Tiles)) {
    auto All = cast<TileBufType>(Tile.getType());
    bool Casts = llvm::any_of(Tile.getUsers(), [&](Operation *User) {
      auto Part = dyn_cast<SubsetOp>(User);
      if (!Part)
        return false;
      TileBufType Type = typeOf(cast<TReshapeOp>(*Part->user_begin()));
      return Type.getBytes() != All.getBytes() ||
             Type.getElementType() != All.getElementType();
    });
    if (Casts && !All.getElementType().isInteger())
      Tile.setType(All.withElement(Builder.getIntegerType(
          All.getElementType().getIntOrFloatBitWidth())));
  }
  SmallVector<SameShape> Shapes = findShapes(Made);
  SmallVector<int64_t> More;
  if (!growForParts(Shapes, More))
    return false;
  llvm::MapVector<Operation *, int64_t> Rows;
  for (auto [Same, Times] : llvm::zip_equal(Shapes, More))
    for (TReshapeOp Shape : Same) {
      // A mask has a bit for each element, and would not grow with them.
      bool Masked = llvm::any_of(Shape->getUsers(), [](Operation *User) {
        return isa<TCmpOp, TSelOp>(User);
      });
      if (Masked && Times != 1)
        return false;
      Rows[Shape] = Times;
    }
  // Those that the scalar unit reads are in no instruction.
  Made.walk([&](SubsetOp Part) {
    auto Shape = cast<TReshapeOp>(*Part->user_begin());
    if (!Rows.count(Shape))
      Rows[Shape] = fewest(typeOf(Shape), allOf(Shape));
  });
  for (auto [Op, Times] : Rows) {
    auto Shape = cast<TReshapeOp>(Op);
    auto Part = Shape.getSrc().getDefiningOp<SubsetOp>();
    TileBufType Type =
        Times ? enlarged(typeOf(Shape), allOf(Shape), Times) : TileBufType();
    if (!Type)
      return false;
    OpBuilder::InsertionGuard Guard(Builder);
    Builder.setInsertionPoint(Part);
    Shape.replaceAllUsesWith(reinterpreted(Part.getSource(), Type));
    Shape.erase();
    Part.erase();
  }
  return true;
}

/// A tile over one that ptoas puts somewhere. Space for intermediate values of
/// another size becomes a tile of its own.
Value Translator::reshaped(Value Buffer, TileBufType Type, Value Rows,
                           Value Cols, bool IsWork) {
  Location Loc = Buffer.getLoc();
  if (!Rows)
    Rows = constant(Loc, Type.getRows());
  if (!Cols)
    Cols = constant(Loc, Type.getCols());
  Value Tile = Tiles.lookup(Buffer);
  auto All = cast<TileBufType>(Tile.getType());
  bool Boxed = All.getBox() != Box::None;
  if ((Boxed || IsWork) && All.getBytes() != Type.getBytes()) {
    Misfits |= Boxed;
    return AllocTileOp::create(Builder, Loc, Type, Value(), Rows, Cols);
  }
  Tile = Boxed ? reinterpreted(Tile, Type)
               : TReshapeOp::create(Builder, Loc, Type, partFor(Tile, Type));
  SetValidShapeOp::create(Builder, Loc, Tile, Rows, Cols);
  return Tile;
}

/// What ptoas puts somewhere: one row over all of a buffer, or a matrix.
Value Translator::tileOf(ascend::BufferOp Buffer) {
  Location Loc = Buffer.getLoc();
  auto Memory = cast<MemRefType>(Buffer.getBuffer().getType());
  if (ascend::getSpace(Memory) != ascend::MemorySpace::UB) {
    TileBufType Type = typeOfMatrix(Memory, /*Transposed=*/false, {}, {});
    return AllocTileOp::create(Builder, Loc, Type, Value(),
                               constant(Loc, Type.getRows()),
                               constant(Loc, Type.getCols()));
  }
  Type Element = Memory.getElementType();
  int64_t Span = *ascend::getBufferSpan(Memory);
  if (Element.isInteger(1)) {
    Element = Builder.getIntegerType(8, /*isSigned=*/false);
    Span = llvm::divideCeil(Span, 8);
  }
  int64_t PerBlock = 256 / Element.getIntOrFloatBitWidth();
  TileShape Row{1, static_cast<int64_t>(llvm::alignTo(Span, PerBlock)), {}, {}};
  return AllocTileOp::create(Builder, Loc, typeOfTile(Element, Row), Value(),
                             constant(Loc, 1), constant(Loc, Row.Cols));
}

Value Translator::place(Value Buffer, TileBufType Type, Value Rows, Value Cols,
                        bool IsWork) {
  if (Who == Sync::Ptoas)
    return reshaped(Buffer, Type, Rows, Cols, IsWork);
  auto Owner = cast<ascend::BufferOp>(Buffer.getDefiningOp());
  return AllocTileOp::create(Builder, Owner.getLoc(), Type, addressOf(Owner),
                             Rows, Cols);
}

Value Translator::tileAt(Value Buffer, const TileShape &Shape) {
  Type Element = Shape.Element;
  if (!Element)
    Element = cast<MemRefType>(Buffer.getType()).getElementType();
  return place(Buffer, typeOfTile(Element, Shape), Shape.ValidRows,
               Shape.ValidCols, Shape.IsWork);
}

/// A row of a buffer that has an address, of which so many columns are in use.
Value Translator::rowAt(Value Buffer, Value Row, Value Cols) {
  Location Loc = Buffer.getLoc();
  auto Memory = cast<MemRefType>(Buffer.getType());
  int64_t Pitch = ascend::pitchOf(Memory);
  if (Memory.getDimSize(0) == 1) // the only row ends with a block
    Pitch = static_cast<int64_t>(
        llvm::alignTo(Pitch, 256 / Memory.getElementTypeBitWidth()));
  TileBufType Type = typeOfTile(Memory.getElementType(), {1, Pitch, {}, Cols});
  Value Bytes = arith::ConstantIntOp::create(
      Builder, Loc, Pitch * Memory.getElementTypeBitWidth() / 8, 64);
  Value Number =
      arith::IndexCastOp::create(Builder, Loc, Builder.getI64Type(), Row);
  Value Offset = arith::MulIOp::create(Builder, Loc, Number, Bytes);
  Value At = addressOf(cast<ascend::BufferOp>(Buffer.getDefiningOp()));
  Value Address = arith::AddIOp::create(Builder, Loc, At, Offset);
  return AllocTileOp::create(Builder, Loc, Type, Address, Value(), Cols);
}

/// A tile after all that is planned. Nothing else is there, but what uses it
/// has to order that itself.
Value Translator::scratch(Location Loc, TileBufType Type) {
  Value Address =
      Who == Sync::Ours
          ? arith::ConstantIntOp::create(Builder, Loc, EndOfPlan, 64)
          : Value();
  return AllocTileOp::create(Builder, Loc, Type, Address, Value(), Value());
}
