//===- TranslateIndices.cpp - Transposes, and what indices name -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of global memory that indices name are copied one by one, as AscendC has
// them: PTO's own gathers differ in what they do with an index that names none.
//
//===----------------------------------------------------------------------===//

#include "emit/pto/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace belay;
using namespace belay::pto;

static MemRefType typeOf(Value Buffer) {
  return cast<MemRefType>(Buffer.getType());
}

void Translator::createWith(Location Loc, StringRef Name, ValueRange Ins,
                            Value Out) {
  SmallVector<Value> Operands(Ins);
  Operands.push_back(Out);
  create(Loc, Name, Operands,
         Builder.getNamedAttr("operandSegmentSizes",
                              Builder.getDenseI32ArrayAttr(
                                  {static_cast<int32_t>(Ins.size()), 1})));
}

void Translator::orderVector(Location Loc) {
  if (Who == Sync::Ours)
    pto::BarrierOp::create(Builder, Loc, Pipe::PIPE_V);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// pto-isa makes squares of 16 rows and a block after all that is planned, and
/// copies rows of them.
LogicalResult Translator::translate(ascend::VecTransposeOp Op) {
  MemRefType Src = typeOf(Op.getSrc()), Dst = typeOf(Op.getDst());
  constexpr int64_t SquareRows = 16;
  int64_t Bits = Src.getElementTypeBitWidth(), PerBlock = 256 / Bits;
  if (Bits != 16 && Bits != 32)
    return refuse(Op) << "transposes elements of 16 and 32 bits [not-in-pto]";
  int64_t Elements = llvm::alignTo(Src.getDimSize(0), SquareRows) *
                     llvm::alignTo(Src.getDimSize(1), PerBlock);
  int64_t Bytes = Elements * Bits / 8;
  if (Who == Sync::Ours && EndOfPlan + Bytes > UsableBytes)
    return refuse(Op) << "needs " << Bytes
                      << " bytes more than the plan leaves [not-in-pto]";
  if (Src.getDimSize(1) == 1 || Dst.getDimSize(1) == 1)
    return refuse(Op) << "transposes no columns [not-in-pto]";
  Location Loc = Op.getLoc();
  Value Rows = mapped(Op.getRows()), Cols = mapped(Op.getCols());
  auto Space = TileBufType::get(Builder.getContext(), 1, Elements,
                                Src.getElementType(), 1, Elements, false);
  orderVector(Loc);
  createWith(Loc, "ttrans",
             {tileAt(Op.getSrc(),
                     {Src.getDimSize(0), ascend::pitchOf(Src), Rows, Cols}),
              scratch(Loc, Space)},
             tileAt(Op.getDst(),
                    {Dst.getDimSize(0), ascend::pitchOf(Dst), Cols, Rows}));
  return success();
}

/// The last place of a buffer that an index names.
static int64_t lastPlaceOf(MemRefType Buffer) {
  return (Buffer.getDimSize(0) - 1) * ascend::pitchOf(Buffer) +
         Buffer.getDimSize(1) - 1;
}

/// ptoas 0.27 has tmaxs and tmins of floats only: integers are compared with a
/// row of the number, after all that is planned.
LogicalResult Translator::bound(Operation *Op, StringRef Name, Value Src,
                                Value Number, Value Dst, const TileShape &Row) {
  Location Loc = Op->getLoc();
  TileBufType Type = typeOfTile(Number.getType(), Row);
  if (Who == Sync::Ours && EndOfPlan + Type.getBytes() > UsableBytes)
    return refuse(Op) << "needs " << Type.getBytes()
                      << " bytes more than the plan leaves [not-in-pto]";
  bool Ours = Who == Sync::Ours;
  Value Address =
      Ours ? arith::ConstantIntOp::create(Builder, Loc, EndOfPlan, 64)
           : Value();
  Value Rows = Ours ? Row.ValidRows : constant(Loc, 1);
  Value Tile =
      AllocTileOp::create(Builder, Loc, Type, Address, Rows, Row.ValidCols);
  orderVector(Loc);
  create(Loc, "texpands", {Number, Tile});
  orderVector(Loc);
  create(Loc, Name, {Src, Tile, Dst});
  return success();
}

/// The nearest places by the vector unit, then one row of them.
LogicalResult Translator::translate(ascend::VecTakeOp Op) {
  Location Loc = Op.getLoc();
  MemRefType Dst = typeOf(Op.getDst()), Src = typeOf(Op.getSrc());
  unsigned Bits = Dst.getElementTypeBitWidth();
  bool IsLine = Dst.getDimSize(0) == 1 || Dst.getDimSize(1) == 1;
  if (Op.getByRow() || !IsLine)
    return refuse(Op) << "gathers one row or one column from one tile "
                         "[not-in-pto]";
  if (Bits != 16 && Bits != 32)
    return refuse(Op) << "gathers elements of 16 and 32 bits [not-in-pto]";
  Value Count = Dst.getDimSize(0) == 1 ? Op.getCols() : Op.getRows();
  TileShape Row = rowFor({Op.getIndices(), Op.getWork(), Op.getDst()}, Count);
  int64_t PerBlock = 256 / Src.getElementTypeBitWidth();
  TileShape All{1,
                static_cast<int64_t>(
                    llvm::alignTo(*ascend::getBufferSpan(Src), PerBlock)),
                {},
                {}};
  auto Number = [&](int64_t Value) {
    return arith::ConstantIntOp::create(Builder, Loc, Builder.getI32Type(),
                                        Value);
  };
  Value Places = tileAt(Op.getWork(), Row);
  if (failed(bound(Op, "tmax", tileAt(Op.getIndices(), Row), Number(0), Places,
                   Row)))
    return failure();
  orderVector(Loc);
  if (failed(bound(Op, "tmin", Places, Number(lastPlaceOf(Src)), Places, Row)))
    return failure();
  orderVector(Loc);
  createWith(Loc, "tgather", {tileAt(Op.getSrc(), All), Places, Places},
             tileAt(Op.getDst(), Row));
  return success();
}

//===----------------------------------------------------------------------===//
// Rows of global memory
//===----------------------------------------------------------------------===//

/// In 64 bits: an index of PTO has 32, and an index that is none must not
/// become one.
void Translator::withPlace(Location Loc, ascend::BadIndex Policy, Value Read,
                           Value Size, function_ref<void(Value)> Build) {
  Type Long = Builder.getI64Type();
  if (Read.getType() != Long)
    Read = arith::ExtSIOp::create(Builder, Loc, Long, Read);
  Value Most = arith::IndexCastOp::create(Builder, Loc, Long, Size);
  auto Number = [&](int64_t Value) {
    return arith::ConstantIntOp::create(Builder, Loc, Long, Value);
  };
  auto Place = [&](Value Of) {
    Build(arith::IndexCastOp::create(Builder, Loc, Builder.getIndexType(), Of));
  };
  auto InRange = [&]() -> Value {
    return arith::AndIOp::create(
        Builder, Loc,
        arith::CmpIOp::create(Builder, Loc, arith::CmpIPredicate::sge, Read,
                              Number(0)),
        arith::CmpIOp::create(Builder, Loc, arith::CmpIPredicate::slt, Read,
                              Most));
  };
  switch (Policy) {
  case ascend::BadIndex::Trap:
    trapUnless(Loc, InRange());
    return Place(Read);
  case ascend::BadIndex::Clamp: {
    Value Last = arith::SubIOp::create(Builder, Loc, Most, Number(1));
    Value AtLeast = arith::MaxSIOp::create(Builder, Loc, Read, Number(0));
    return Place(arith::MinSIOp::create(Builder, Loc, AtLeast, Last));
  }
  case ascend::BadIndex::Wrap: {
    Value Rest = arith::RemSIOp::create(Builder, Loc, Read, Most);
    Value Sum = arith::AddIOp::create(Builder, Loc, Rest, Most);
    return Place(arith::RemSIOp::create(Builder, Loc, Sum, Most));
  }
  case ascend::BadIndex::Zero:
    break;
  }
  auto If =
      scf::IfOp::create(Builder, Loc, InRange(), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPointToStart(If.thenBlock());
  Place(Read);
}

LogicalResult
Translator::forNamedRows(Operation *Op, ascend::BadIndex Policy, Value View,
                         Value Indices, Value Buffer, Value Count,
                         function_ref<void(Value Part, Value Row)> Build) {
  Location Loc = Op->getLoc();
  auto Argument = dyn_cast<BlockArgument>(View);
  MemRefType Memory = typeOf(Buffer), Named = typeOf(Indices);
  if (!Argument || typeOf(View).getRank() != 2 || Memory.getDimSize(1) == 1)
    return refuse(Op) << "copies named rows of an argument only, no single "
                         "elements [not-in-pto]";
  if (Who == Sync::Ptoas)
    return refuse(Op) << "copies named rows to addresses only, and ptoas "
                         "chooses these [not-in-pto]";
  // Indices are read by the scalar unit, and the plan orders copies alone.
  pto::BarrierOp::create(Builder, Loc, Pipe::PIPE_ALL);
  auto Loop = scf::ForOp::create(Builder, Loc, constant(Loc, 0), mapped(Count),
                                 constant(Loc, 1));
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPointToStart(Loop.getBody());
  Value I = Loop.getInductionVar(), Cols = extentOf(Argument, 1);
  int64_t PerBlock = 256 / Named.getElementTypeBitWidth();
  Value Line = tileAt(Indices, {1,
                                static_cast<int64_t>(llvm::alignTo(
                                    *ascend::getBufferSpan(Named), PerBlock)),
                                {},
                                {}});
  Value Read = TGetValOp::create(Builder, Loc, Named.getElementType(), Line, I);
  auto Copy = [&](Value Place) {
    int64_t Pitch = ascend::pitchOf(Memory);
    Value Bytes = arith::ConstantIntOp::create(
        Builder, Loc, Pitch * Memory.getElementTypeBitWidth() / 8, 64);
    Value At = addressOf(cast<ascend::BufferOp>(Buffer.getDefiningOp()));
    Value Number =
        arith::IndexCastOp::create(Builder, Loc, Builder.getI64Type(), I);
    Value Offset = arith::MulIOp::create(Builder, Loc, Number, Bytes);
    Value Address = arith::AddIOp::create(Builder, Loc, At, Offset);
    TileShape Row{1, Pitch, {}, Cols};
    Value Tile = AllocTileOp::create(Builder, Loc,
                                     typeOfTile(Memory.getElementType(), Row),
                                     Address, Value(), Cols);
    SmallVector<int64_t> Open(2, ShapedType::kDynamic);
    auto Type = PartitionTensorViewType::get(Builder.getContext(), Open,
                                             Memory.getElementType());
    Value Zero = constant(Loc, 0), One = constant(Loc, 1);
    Build(PartitionViewOp::create(Builder, Loc, Type, Views[View],
                                  ValueRange{Place, Zero},
                                  ValueRange{One, Cols}),
          Tile);
  };
  withPlace(Loc, Policy, Read, extentOf(Argument, 0), Copy);
  return success();
}

LogicalResult Translator::translate(ascend::DmaGatherOp Op) {
  return forNamedRows(Op, Op.getPolicy(), Op.getView(), Op.getIndices(),
                      Op.getDst(), Op.getCount(), [&](Value Part, Value Row) {
                        create(Op.getLoc(), "tload", {Part, Row});
                      });
}

/// Equal indices are written one after the other.
LogicalResult Translator::translate(ascend::DmaScatterOp Op) {
  FailureOr<SmallVector<NamedAttribute>> How = combining(Op, Op.getCombine());
  if (failed(How))
    return failure();
  return forNamedRows(Op, Op.getPolicy(), Op.getView(), Op.getIndices(),
                      Op.getSrc(), Op.getCount(), [&](Value Part, Value Row) {
                        create(Op.getLoc(), "tstore", {Row, Part}, *How);
                        pto::BarrierOp::create(Builder, Op.getLoc(),
                                               Pipe::PIPE_MTE3);
                      });
}
