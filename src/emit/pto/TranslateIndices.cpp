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
                            Value Out, ArrayRef<NamedAttribute> Attrs) {
  SmallVector<Value> Operands(Ins);
  Operands.push_back(Out);
  SmallVector<NamedAttribute> All(Attrs);
  All.push_back(Builder.getNamedAttr(
      "operandSegmentSizes",
      Builder.getDenseI32ArrayAttr({static_cast<int32_t>(Ins.size()), 1})));
  create(Loc, Name, Operands, All);
}

void Translator::orderVector(Location Loc) {
  if (Who == Sync::Ours)
    pto::BarrierOp::create(Builder, Loc, Pipe::PIPE_V);
}

/// What works on rows of a tile, one after the other, needs to know where they
/// are.
bool Translator::hasRows(Operation *Op) {
  if (Who == Sync::Ours)
    return true;
  refuse(Op)
      << "has rows of a tile at addresses only, and ptoas chooses these; "
         "--sync ours has [not-in-pto]";
  return false;
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

/// All of a buffer, as one row.
static TileShape allOf(MemRefType Buffer) {
  int64_t PerBlock = 256 / Buffer.getElementTypeBitWidth();
  int64_t Span = *ascend::getBufferSpan(Buffer);
  return {1, static_cast<int64_t>(llvm::alignTo(Span, PerBlock)), {}, {}};
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
LogicalResult Translator::takeRow(ascend::VecTakeOp Op, Value Src,
                                  Value Indices, Value Places, Value Dst,
                                  const TileShape &Row, int64_t Last) {
  Location Loc = Op.getLoc();
  auto Number = [&](int64_t Value) {
    return arith::ConstantIntOp::create(Builder, Loc, Builder.getI32Type(),
                                        Value);
  };
  if (failed(bound(Op, "tmax", Indices, Number(0), Places, Row)))
    return failure();
  orderVector(Loc);
  if (failed(bound(Op, "tmin", Places, Number(Last), Places, Row)))
    return failure();
  orderVector(Loc);
  createWith(Loc, "tgather", {Src, Places, Places}, Dst);
  return success();
}

/// One row of the result after the other, each of places in all of the source
/// or in a row of it.
LogicalResult Translator::takeRows(ascend::VecTakeOp Op) {
  Location Loc = Op.getLoc();
  MemRefType Src = typeOf(Op.getSrc()), Dst = typeOf(Op.getDst());
  if (ascend::pitchOf(typeOf(Op.getIndices())) != ascend::pitchOf(Dst) ||
      ascend::pitchOf(typeOf(Op.getWork())) != ascend::pitchOf(Dst))
    return refuse(Op) << "gathers rows that are as far apart as those of the "
                         "indices [not-in-pto]";
  if (!hasRows(Op))
    return failure();
  Value Cols = mapped(Op.getCols());
  auto Loop = scf::ForOp::create(Builder, Loc, constant(Loc, 0),
                                 mapped(Op.getRows()), constant(Loc, 1));
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPointToStart(Loop.getBody());
  Value R = Loop.getInductionVar();
  // The number that places are compared with is written again for each row.
  orderVector(Loc);
  auto RowOf = [&](Value Buffer) { return rowAt(Buffer, R, Cols); };
  bool ByRow = Op.getByRow();
  Value From = ByRow ? rowAt(Op.getSrc(), R, constant(Loc, Src.getDimSize(1)))
                     : tileAt(Op.getSrc(), allOf(Src));
  return takeRow(Op, From, RowOf(Op.getIndices()), RowOf(Op.getWork()),
                 RowOf(Op.getDst()), {1, ascend::pitchOf(Dst), {}, Cols},
                 ByRow ? Src.getDimSize(1) - 1 : lastPlaceOf(Src));
}

LogicalResult Translator::translate(ascend::VecTakeOp Op) {
  MemRefType Dst = typeOf(Op.getDst()), Src = typeOf(Op.getSrc());
  unsigned Bits = Dst.getElementTypeBitWidth();
  if (Bits != 16 && Bits != 32)
    return refuse(Op) << "gathers elements of 16 and 32 bits [not-in-pto]";
  bool IsLine = Dst.getDimSize(0) == 1 || Dst.getDimSize(1) == 1;
  if (!IsLine || (Op.getByRow() && Dst.getDimSize(1) != 1))
    return takeRows(Op);
  if (Op.getByRow() && Dst.getDimSize(0) != 1)
    return refuse(Op) << "gathers no column from rows [not-in-pto]";
  Value Count = Dst.getDimSize(0) == 1 ? Op.getCols() : Op.getRows();
  TileShape Row = rowFor({Op.getIndices(), Op.getWork(), Op.getDst()}, Count);
  return takeRow(Op, tileAt(Op.getSrc(), allOf(Src)),
                 tileAt(Op.getIndices(), Row), tileAt(Op.getWork(), Row),
                 tileAt(Op.getDst(), Row), Row, lastPlaceOf(Src));
}

/// Row by row: what pto-isa picks from a tile has no gaps between rows.
LogicalResult Translator::translate(ascend::VecEveryOtherOp Op) {
  if (!hasRows(Op))
    return failure();
  Location Loc = Op.getLoc();
  Value Zero = constant(Loc, 0), One = constant(Loc, 1);
  Value Twice = arith::MulIOp::create(Builder, Loc, mapped(Op.getCols()),
                                      constant(Loc, 2));
  auto Loop = scf::ForOp::create(Builder, Loc, Zero, mapped(Op.getRows()), One);
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPointToStart(Loop.getBody());
  Value R = Loop.getInductionVar();
  Value To = arith::AddIOp::create(Builder, Loc, mapped(Op.getFirst()), R);
  // pto-isa asks that all of the destination is in use.
  MemRefType Dst = typeOf(Op.getDst());
  Value All = constant(Loc, Dst.getDimSize(0) == 1
                                ? allOf(Dst).Cols
                                : static_cast<int64_t>(ascend::pitchOf(Dst)));
  createWith(Loc, "tgather", rowAt(Op.getSrc(), R, Twice),
             rowAt(Op.getDst(), To, All),
             Builder.getNamedAttr("maskPattern",
                                  ForeignAttr::get(Builder.getContext(),
                                                   "mask_pattern<P0101>")));
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
  if (!hasRows(Op))
    return failure();
  // Indices are read by the scalar unit, and the plan orders copies alone.
  if (Who == Sync::Ours)
    pto::BarrierOp::create(Builder, Loc, Pipe::PIPE_ALL);
  auto Loop = scf::ForOp::create(Builder, Loc, constant(Loc, 0), mapped(Count),
                                 constant(Loc, 1));
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPointToStart(Loop.getBody());
  Value I = Loop.getInductionVar(), Cols = extentOf(Argument, 1);
  Value Line = tileAt(Indices, allOf(Named));
  Value Read = TGetValOp::create(Builder, Loc, Named.getElementType(), Line, I);
  auto Copy = [&](Value Place) {
    Value Tile = rowAt(Buffer, I, Cols);
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
                        if (Who == Sync::Ours)
                          pto::BarrierOp::create(Builder, Op.getLoc(),
                                                 Pipe::PIPE_MTE3);
                      });
}
