//===- TranslateVector.cpp - The vector unit ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What works on a count of elements, wherever rows end, works on one row of
// PTO: a tile of one row over the same buffer. Extents in use are values even
// where they are constants: pto-isa has shortcuts for tiles that are known to
// be full, which use more of the space for intermediate values than the plan
// has.
//
//===----------------------------------------------------------------------===//

#include "emit/pto/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::pto;

static MemRefType typeOf(Value Buffer) {
  return cast<MemRefType>(Buffer.getType());
}

/// Elements in 32 bytes, which is what a row or a packed column is a multiple
/// of.
static int64_t perBlock(MemRefType Buffer) {
  return 256 / Buffer.getElementTypeBitWidth();
}

static int64_t inBlocks(int64_t Count, MemRefType Buffer) {
  return static_cast<int64_t>(llvm::alignTo(Count, perBlock(Buffer)));
}

/// A packed column; the space for it ends with a block.
static TileShape columnOf(MemRefType Buffer, int64_t Rows, Value Valid) {
  return {inBlocks(Rows, Buffer), 1, Valid, {}, /*ColMajor=*/true};
}

static bool fits(MemRefType Buffer, int64_t Rows, int64_t Cols) {
  return Rows * Cols * Buffer.getElementTypeBitWidth() / 8 <=
         ascend::bytesOf(Buffer);
}

//===----------------------------------------------------------------------===//
// One element after the other
//===----------------------------------------------------------------------===//

/// One row over all buffers, in whole blocks of each.
TileShape Translator::rowFor(ValueRange Buffers, Value Count) {
  int64_t Elements = std::numeric_limits<int64_t>::max(), Unit = 1;
  for (Value Buffer : Buffers) {
    MemRefType Type = typeOf(Buffer);
    Unit = std::max(Unit, perBlock(Type));
    Elements = std::min(Elements, ascend::bytesOf(Type) * 8 /
                                      Type.getElementTypeBitWidth());
  }
  int64_t Span = *ascend::getBufferSpan(typeOf(Buffers.back()));
  Elements = std::min(Elements / Unit * Unit,
                      static_cast<int64_t>(llvm::alignTo(Span, Unit)));
  return {1, Elements, {}, mapped(Count)};
}

LogicalResult Translator::flat(Operation *Op, StringRef Name,
                               ValueRange Sources, Value Scalar, Value Dst,
                               Value Count, ArrayRef<NamedAttribute> Attrs) {
  SmallVector<Value> Buffers(Sources);
  Buffers.push_back(Dst);
  unsigned Bits = typeOf(Dst).getElementTypeBitWidth();
  if (Name != "tcvt" && Name != "tmov" && Bits != 16 && Bits != 32)
    return refuse(Op) << "computes with elements of 16 and 32 bits "
                         "[not-in-pto]";
  TileShape Row = rowFor(Buffers, Count);
  SmallVector<Value> Operands;
  for (Value Source : Sources)
    Operands.push_back(tileAt(Source, Row));
  if (Scalar)
    Operands.push_back(mapped(Scalar));
  Operands.push_back(tileAt(Dst, Row));
  create(Op->getLoc(), Name, Operands, Attrs);
  return success();
}

/// What combines bits does so in words of 16, of which ptoas has operations.
LogicalResult Translator::onWords(Operation *Op, StringRef Name,
                                  ValueRange Buffers, Value Count) {
  Location Loc = Op->getLoc();
  TileShape Row = rowFor(Buffers, Count);
  Row.Element = Builder.getI16Type();
  Row.Cols *= 2;
  Row.ValidCols =
      arith::MulIOp::create(Builder, Loc, Row.ValidCols, constant(Loc, 2));
  SmallVector<Value> Operands;
  for (Value Buffer : Buffers)
    Operands.push_back(tileAt(Buffer, Row));
  create(Loc, Name, Operands);
  return success();
}

/// Masks are combined as integers of 16 bits.
LogicalResult Translator::onMasks(Operation *Op, StringRef Name,
                                  ValueRange Buffers, Value Count) {
  Location Loc = Op->getLoc();
  constexpr int64_t Bits = 16, PerBlock = 16;
  int64_t Words =
      llvm::divideCeil(*ascend::getBufferSpan(typeOf(Buffers.back())), Bits);
  Value More = arith::AddIOp::create(Builder, Loc, mapped(Count),
                                     constant(Loc, Bits - 1));
  Value Used = arith::DivSIOp::create(Builder, Loc, More, constant(Loc, Bits));
  TileShape Row{
      1, static_cast<int64_t>(llvm::alignTo(Words, PerBlock)), {}, Used};
  Row.Element = Builder.getI16Type();
  SmallVector<Value> Operands;
  for (Value Buffer : Buffers)
    Operands.push_back(tileAt(Buffer, Row));
  create(Loc, Name, Operands);
  return success();
}

static bool isMask(Value Buffer) {
  return typeOf(Buffer).getElementType().isInteger(1);
}

static StringRef nameOf(ascend::Unary Kind) {
  using ascend::Unary;
  switch (Kind) {
  case Unary::Abs:
    return "tabs";
  case Unary::Exp:
    return "texp";
  case Unary::Ln:
    return "tlog";
  case Unary::Sqrt:
    return "tsqrt";
  case Unary::Rsqrt:
    return "trsqrt";
  case Unary::Reciprocal:
    return "trecip";
  case Unary::Relu:
    return "trelu";
  case Unary::Not:
    return "tnot";
  default:
    return "";
  }
}

/// Of "tadd", "tadds", "trowexpandadd": what is in the middle.
static StringRef nameOf(ascend::Binary Kind) {
  using ascend::Binary;
  switch (Kind) {
  case Binary::Add:
    return "add";
  case Binary::Sub:
    return "sub";
  case Binary::Mul:
    return "mul";
  case Binary::Div:
    return "div";
  case Binary::Max:
    return "max";
  case Binary::Min:
    return "min";
  case Binary::And:
    return "and";
  case Binary::Or:
    return "or";
  case Binary::Shl:
    return "shl";
  case Binary::Shr:
    return "shr";
  default:
    return "";
  }
}

LogicalResult Translator::translate(ascend::VecUnaryOp Op) {
  StringRef Name = nameOf(Op.getKind());
  if (Name.empty())
    return refuse(Op) << "has no " << ascend::stringifyUnary(Op.getKind())
                      << " [not-in-pto]";
  if (isMask(Op.getDst()))
    return onMasks(Op, Name, {Op.getSrc(), Op.getDst()}, Op.getCount());
  if (Name == "tnot" && typeOf(Op.getDst()).getElementTypeBitWidth() == 32)
    return onWords(Op, Name, {Op.getSrc(), Op.getDst()}, Op.getCount());
  return flat(Op, Name, Op.getSrc(), {}, Op.getDst(), Op.getCount());
}

LogicalResult Translator::translate(ascend::VecBinaryOp Op) {
  StringRef Name = nameOf(Op.getKind());
  if (Name.empty())
    return refuse(Op) << "has no " << ascend::stringifyBinary(Op.getKind())
                      << " [not-in-pto]";
  if (isMask(Op.getDst()))
    return onMasks(Op, ("t" + Name).str(),
                   {Op.getLhs(), Op.getRhs(), Op.getDst()}, Op.getCount());
  bool OnBits =
      Op.getKind() == ascend::Binary::And || Op.getKind() == ascend::Binary::Or;
  if (OnBits && typeOf(Op.getDst()).getElementTypeBitWidth() == 32)
    return onWords(Op, ("t" + Name).str(),
                   {Op.getLhs(), Op.getRhs(), Op.getDst()}, Op.getCount());
  return flat(Op, ("t" + Name).str(), {Op.getLhs(), Op.getRhs()}, {},
              Op.getDst(), Op.getCount());
}

LogicalResult Translator::translate(ascend::VecScalarOp Op) {
  StringRef Name = nameOf(Op.getKind());
  if (Name.empty())
    return refuse(Op) << "has no " << ascend::stringifyBinary(Op.getKind())
                      << " with a scalar [not-in-pto]";
  bool Bounds = Op.getKind() == ascend::Binary::Max ||
                Op.getKind() == ascend::Binary::Min;
  unsigned Bits = typeOf(Op.getDst()).getElementTypeBitWidth();
  if (Bounds && Op.getScalar().getType().isInteger() &&
      (Bits == 16 || Bits == 32)) {
    TileShape Row = rowFor({Op.getSrc(), Op.getDst()}, Op.getCount());
    return bound(Op, ("t" + Name).str(), tileAt(Op.getSrc(), Row),
                 mapped(Op.getScalar()), tileAt(Op.getDst(), Row), Row);
  }
  return flat(Op, ("t" + Name + "s").str(), Op.getSrc(), Op.getScalar(),
              Op.getDst(), Op.getCount());
}

LogicalResult Translator::translate(ascend::VecFillOp Op) {
  return flat(Op, "texpands", {}, Op.getValue(), Op.getDst(), Op.getCount());
}

LogicalResult Translator::translate(ascend::VecCopyOp Op) {
  return flat(Op, "tmov", Op.getSrc(), {}, Op.getDst(), Op.getCount());
}

LogicalResult Translator::translate(ascend::VecCastOp Op) {
  static constexpr RoundMode Modes[] = {RoundMode::NONE,  RoundMode::RINT,
                                        RoundMode::FLOOR, RoundMode::CEIL,
                                        RoundMode::ROUND, RoundMode::TRUNC};
  auto Mode = RoundModeAttr::get(Builder.getContext(),
                                 Modes[static_cast<unsigned>(Op.getRound())]);
  return flat(Op, "tcvt", Op.getSrc(), {}, Op.getDst(), Op.getCount(),
              Builder.getNamedAttr("rmode", Mode));
}

/// A bit for each element of a row.
static TileShape maskFor(const TileShape &Row, OpBuilder &Builder) {
  constexpr int64_t PerBlock = 32;
  TileShape Mask{1,
                 static_cast<int64_t>(
                     llvm::alignTo(llvm::divideCeil(Row.Cols, 8), PerBlock)),
                 {},
                 {}};
  Mask.Element = Builder.getIntegerType(8, /*isSigned=*/false);
  return Mask;
}

LogicalResult Translator::translate(ascend::VecCompareOp Op) {
  static constexpr CmpMode Modes[] = {CmpMode::LT, CmpMode::GT, CmpMode::EQ,
                                      CmpMode::LE, CmpMode::GE, CmpMode::NE};
  if (!PacksMasks)
    return refuse(Op) << "has no masks of bits for this SoC [not-in-pto]";
  CmpMode Mode = Modes[static_cast<unsigned>(Op.getKind())];
  bool Equality = Mode == CmpMode::EQ || Mode == CmpMode::NE;
  if (typeOf(Op.getLhs()).getElementType().isInteger() && !Equality)
    return refuse(Op) << "compares integers for equality only [not-in-pto]";
  TileShape Row = rowFor({Op.getLhs(), Op.getRhs()}, Op.getCount());
  TileShape Mask = maskFor(Row, Builder);
  if (Mask.Cols > ascend::bytesOf(typeOf(Op.getDst())))
    return refuse(Op) << "has no room for this mask [not-in-pto]";
  create(Op.getLoc(), "tcmp",
         {tileAt(Op.getLhs(), Row), tileAt(Op.getRhs(), Row),
          tileAt(Op.getDst(), Mask)},
         Builder.getNamedAttr("cmpMode",
                              CmpModeAttr::get(Builder.getContext(), Mode)));
  return success();
}

void Translator::orderBefore(Operation *Op) {
  auto Before = dyn_cast_or_null<ascend::BarrierOp>(Op->getPrevNode());
  bool Waits =
      Before && (!Before.getPipe() || Before.getPipe() == ascend::Pipe::V);
  if (!Waits)
    orderVector(Op->getLoc());
}

/// tsel keeps an address in a block of its own, for which an earlier tsel has
/// to be complete.
LogicalResult Translator::translate(ascend::VecSelectOp Op) {
  TileShape Row =
      rowFor({Op.getLhs(), Op.getRhs(), Op.getDst()}, Op.getCount());
  TileShape Mask = maskFor(Row, Builder);
  constexpr int64_t BlockBytes = 32;
  if (Who == Sync::Ours && EndOfPlan + BlockBytes > UsableBytes)
    return refuse(Op)
           << "needs 32 bytes more than the plan leaves [not-in-pto]";
  if (Mask.Cols > ascend::bytesOf(typeOf(Op.getMask())))
    return refuse(Op) << "has no room for this mask [not-in-pto]";
  auto Block = TileBufType::get(Builder.getContext(), 1, BlockBytes,
                                Mask.Element, 1, BlockBytes, false);
  orderBefore(Op);
  create(Op.getLoc(), "tsel",
         {tileAt(Op.getMask(), Mask), tileAt(Op.getLhs(), Row),
          tileAt(Op.getRhs(), Row), scratch(Op.getLoc(), Block),
          tileAt(Op.getDst(), Row)});
  return success();
}

/// By the scalar unit: for the other pipes, part of the vector unit's work.
LogicalResult Translator::translate(ascend::VecIotaOp Op) {
  Location Loc = Op.getLoc();
  Type Element = typeOf(Op.getDst()).getElementType();
  if (!Element.isInteger(16) && !Element.isInteger(32))
    return refuse(Op) << "counts in integers of 16 and 32 bits [not-in-pto]";
  auto Hand = [&](Pipe From, Pipe To) {
    if (Who == Sync::Ptoas)
      return;
    SetFlagOp::create(Builder, Loc, From, To, Event::EVENT_ID0);
    WaitFlagOp::create(Builder, Loc, From, To, Event::EVENT_ID0);
  };
  Value Tile = tileAt(Op.getDst(), rowFor(Op.getDst(), Op.getCount()));
  Hand(Pipe::PIPE_V, Pipe::PIPE_S);
  create(Loc, "tci", {mapped(Op.getStart()), Tile});
  Hand(Pipe::PIPE_S, Pipe::PIPE_V);
  return success();
}

//===----------------------------------------------------------------------===//
// Rows and columns
//===----------------------------------------------------------------------===//

static StringRef nameOf(ascend::Combine How) {
  switch (How) {
  case ascend::Combine::Sum:
    return "sum";
  case ascend::Combine::Max:
    return "max";
  case ascend::Combine::Min:
    return "min";
  case ascend::Combine::Prod:
    return "";
  }
  llvm_unreachable("unknown combination");
}

/// One number for each row of a tile whose rows are rows of the buffer.
LogicalResult Translator::reduceRows(ascend::VecReduceOp Op, TileShape Source) {
  MemRefType Dst = typeOf(Op.getDst()), Work = typeOf(Op.getWork());
  // Rows that are longer than a repeat are folded to one, beside each other.
  int64_t PerRepeat = 8 * perBlock(Work);
  int64_t Folded = Source.Cols > PerRepeat ? Source.Rows : 1;
  if (Who == Sync::Ours && !fits(Work, Folded, PerRepeat))
    return refuse(Op) << "needs more space for these rows than the plan has "
                         "[not-in-pto]";
  // Both have as many rows. The source may have none after its last row; what
  // is in use says where it ends. One number is the first of a row.
  TileShape Result = columnOf(Dst, Source.Rows, Source.ValidRows);
  if (Source.Rows == 1)
    Result = {1, perBlock(Dst), Source.ValidRows, constant(Op.getLoc(), 1)};
  Source.Rows = Result.Rows;
  if (!fits(Dst, Result.Rows, 1))
    return refuse(Op) << "has no such column [not-in-pto]";
  TileShape Space{Folded, PerRepeat, {}, {}};
  Space.IsWork = true;
  // The plan does not order space that instructions for short rows leave alone.
  if (Folded == 1)
    orderBefore(Op);
  create(Op.getLoc(), ("trow" + nameOf(Op.getCombine())).str(),
         {tileAt(Op.getSrc(), Source), tileAt(Op.getWork(), Space),
          tileAt(Op.getDst(), Result)});
  return success();
}

LogicalResult Translator::translate(ascend::VecReduceOp Op) {
  if (nameOf(Op.getCombine()).empty())
    return refuse(Op) << "has no products of a row [not-in-pto]";
  Location Loc = Op.getLoc();
  MemRefType Src = typeOf(Op.getSrc());
  int64_t Rows = Src.getDimSize(0), Pitch = ascend::pitchOf(Src);
  Value UsedRows = mapped(Op.getRows()), UsedCols = mapped(Op.getCols());
  bool Column = Src.getDimSize(1) == 1;
  ascend::Axis Axis = Op.getAxis();
  if (Axis == ascend::Axis::Row && Column && Rows > 1) // nothing to combine
    return flat(Op, "tmov", Op.getSrc(), {}, Op.getDst(), Op.getRows());
  if (Column && Rows > 1) // a column is a row
    return reduceRows(Op, {1, inBlocks(Rows, Src), constant(Loc, 1), UsedRows});
  if (Axis == ascend::Axis::Row || Rows == 1) {
    if (Axis == ascend::Axis::Col)
      return flat(Op, "tmov", Op.getSrc(), {}, Op.getDst(), Op.getCols());
    return reduceRows(Op, {Rows, Rows == 1 ? inBlocks(Pitch, Src) : Pitch,
                           UsedRows, UsedCols});
  }
  if (Axis == ascend::Axis::Col) {
    MemRefType Dst = typeOf(Op.getDst());
    create(Loc, ("tcol" + nameOf(Op.getCombine())).str(),
           {tileAt(Op.getSrc(), {Rows, Pitch, UsedRows, UsedCols}),
            tileAt(Op.getDst(),
                   {1, inBlocks(Dst.getDimSize(1), Dst), {}, UsedCols})});
    return success();
  }
  // All of it: one row, if nothing lies between rows.
  if (!matchPattern(Op.getCols(), m_ConstantInt(nullptr)) ||
      getConstantIntValue(Op.getCols()) != Pitch)
    return refuse(Op) << "combines a whole tile only if its rows have no gaps "
                         "[not-in-pto]";
  Value All = arith::MulIOp::create(Builder, Loc, UsedRows, UsedCols);
  return reduceRows(Op, {1, Rows * Pitch, constant(Loc, 1), All});
}

LogicalResult Translator::translate(ascend::VecBroadcastOp Op) {
  Location Loc = Op.getLoc();
  MemRefType Src = typeOf(Op.getSrc()), Dst = typeOf(Op.getDst());
  Value Rows = mapped(Op.getRows()), Cols = mapped(Op.getCols());
  TileShape To{Dst.getDimSize(0), ascend::pitchOf(Dst), Rows, Cols};
  bool OneColumn = Dst.getDimSize(1) == 1;
  if (Src.getDimSize(1) != 1) {
    TileShape From{1, inBlocks(Src.getDimSize(1), Src), {}, Cols};
    create(Loc, "tcolexpand",
           {tileAt(Op.getSrc(), From), tileAt(Op.getDst(), To)});
    return success();
  }
  if (Src.getDimSize(0) == 1) { // one element
    if (!OneColumn && Dst.getDimSize(0) != 1)
      return refuse(Op) << "repeats one element in one row only [not-in-pto]";
    To = {1,
          inBlocks(OneColumn ? Dst.getDimSize(0) : Dst.getDimSize(1), Dst),
          {},
          OneColumn ? Rows : Cols};
    Rows = constant(Loc, 1);
  }
  TileShape From = columnOf(Src, Src.getDimSize(0), Rows);
  create(Loc, "trowexpand",
         {tileAt(Op.getSrc(), From), tileAt(Op.getDst(), To)});
  return success();
}

/// All rows, whatever is in use: pto-isa expands full tiles in one instruction,
/// and reads others with the scalar unit.
LogicalResult Translator::translate(ascend::VecSpreadOp Op) {
  MemRefType Src = typeOf(Op.getSrc()), Dst = typeOf(Op.getDst());
  int64_t Rows = inBlocks(Src.getDimSize(0), Src);
  if (Who == Sync::Ours &&
      (!fits(Src, Rows, 1) || !fits(Dst, Rows, perBlock(Dst))))
    return refuse(Op) << "needs more space for these rows than the plan has "
                         "[not-in-pto]";
  create(Op.getLoc(), "trowexpand",
         {tileAt(Op.getSrc(), {Rows, 1, {}, {}, /*ColMajor=*/true}),
          tileAt(Op.getDst(), {Rows, perBlock(Dst), {}, {}})});
  return success();
}

LogicalResult Translator::translate(ascend::VecRepeatedOp Op) {
  StringRef Kind = nameOf(Op.getKind());
  Location Loc = Op.getLoc();
  MemRefType Src = typeOf(Op.getSrc()), Repeated = typeOf(Op.getRepeated());
  Value Rows = mapped(Op.getRows()), Cols = mapped(Op.getCols());
  TileShape FullTile{Src.getDimSize(0), ascend::pitchOf(Src), Rows, Cols};
  TileShape Part = {1, inBlocks(Repeated.getDimSize(1), Repeated), {}, Cols};
  bool Blocks = Op.getAxis() == ascend::Axis::Col;
  if (Blocks)
    Part = {inBlocks(Src.getDimSize(0), Repeated), perBlock(Repeated), Rows,
            constant(Loc, perBlock(Repeated))};
  bool Commutes = Op.getKind() != ascend::Binary::Sub &&
                  Op.getKind() != ascend::Binary::Div;
  if (Op.getReversed() && !Commutes && !Blocks)
    return refuse(Op) << "has what is repeated by columns on the right only "
                         "[not-in-pto]";
  Value A = tileAt(Op.getSrc(), FullTile), B = tileAt(Op.getRepeated(), Part);
  if (Op.getReversed() && Blocks)
    std::swap(A, B);
  create(Loc, ((Blocks ? "trowexpand" : "tcolexpand") + Kind).str(),
         {A, B, tileAt(Op.getDst(), FullTile)});
  return success();
}

//===----------------------------------------------------------------------===//
// Single elements
//===----------------------------------------------------------------------===//

LogicalResult Translator::translate(ascend::ReadScalarOp Op) {
  MemRefType Src = typeOf(Op.getSrc());
  Value Tile = tileAt(Op.getSrc(),
                      {1, inBlocks(*ascend::getBufferSpan(Src), Src), {}, {}});
  auto Read = TGetValOp::create(Builder, Op.getLoc(), Src.getElementType(),
                                Tile, mapped(Op.getIndex()));
  Map.map(Op.getValue(), Read.getValue());
  return success();
}

LogicalResult Translator::translate(ascend::WriteScalarOp Op) {
  MemRefType Dst = typeOf(Op.getDst());
  Value Tile = tileAt(Op.getDst(),
                      {1, inBlocks(*ascend::getBufferSpan(Dst), Dst), {}, {}});
  create(Op.getLoc(), "tsetval",
         {mapped(Op.getIndex()), mapped(Op.getValue()), Tile});
  return success();
}

/// Whether all masks are where they are expected; to all other operations their
/// elements are no elements.
static bool hasMasksInPlace(Operation &Op) {
  auto Has = [](ValueRange Buffers) {
    return llvm::any_of(Buffers, [](Value Buffer) {
      auto Type = dyn_cast<MemRefType>(Buffer.getType());
      return Type && Type.getElementType().isInteger(1);
    });
  };
  if (isa<ascend::VecUnaryOp, ascend::VecBinaryOp>(Op))
    return true;
  if (auto Compare = dyn_cast<ascend::VecCompareOp>(Op))
    return !Has({Compare.getLhs(), Compare.getRhs()});
  if (auto Select = dyn_cast<ascend::VecSelectOp>(Op))
    return !Has({Select.getLhs(), Select.getRhs(), Select.getDst()});
  return !Has(Op.getOperands());
}

LogicalResult Translator::translateVector(Operation &Op) {
  if (!hasMasksInPlace(Op))
    return refuse(&Op) << "has masks from comparisons only [not-in-pto]";
  return TypeSwitch<Operation *, LogicalResult>(&Op)
      .Case<ascend::VecUnaryOp, ascend::VecBinaryOp, ascend::VecScalarOp,
            ascend::VecFillOp, ascend::VecCopyOp, ascend::VecCastOp,
            ascend::VecCompareOp, ascend::VecSelectOp, ascend::VecIotaOp,
            ascend::VecReduceOp, ascend::VecBroadcastOp, ascend::VecSpreadOp,
            ascend::VecRepeatedOp, ascend::VecTransposeOp, ascend::VecTakeOp,
            ascend::VecEveryOtherOp, ascend::DmaGatherOp, ascend::DmaScatterOp,
            ascend::ReadScalarOp, ascend::WriteScalarOp>(
          [&](auto Known) { return translate(Known); })
      .Default([&](Operation *Other) {
        return refuse(Other)
               << "has nothing for this (" << Other->getName().stripDialect()
               << ") [not-in-pto]";
      });
}
