//===- Pto.cpp - The dialect that ptoas reads -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/pto/Pto.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::pto;

/// A flag between cores: a constant, or a value.
static ParseResult
parseFlagNumber(OpAsmParser &Parser, IntegerAttr &Constant,
                std::optional<OpAsmParser::UnresolvedOperand> &Value) {
  OpAsmParser::UnresolvedOperand Operand;
  OptionalParseResult Found = Parser.parseOptionalOperand(Operand);
  if (!Found.has_value())
    return Parser.parseAttribute(Constant, Parser.getBuilder().getI32Type());
  if (succeeded(*Found))
    Value = Operand;
  return *Found;
}

static void printFlagNumber(OpAsmPrinter &Printer, Operation *,
                            IntegerAttr Constant, Value Number) {
  if (Constant)
    Printer << Constant.getInt();
  else
    Printer << Number;
}

#include "emit/pto/PtoDialect.cpp.inc"
#include "emit/pto/PtoEnums.cpp.inc"
#include "emit/pto/PtoInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "emit/pto/PtoAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "emit/pto/PtoTypes.cpp.inc"
#define GET_OP_CLASSES
#include "emit/pto/PtoOps.cpp.inc"

void PtoDialect::initialize() {
// The static analyzer takes functions that MLIR keeps here for temporaries.
#ifndef __clang_analyzer__
  addAttributes<
#define GET_ATTRDEF_LIST
#include "emit/pto/PtoAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "emit/pto/PtoTypes.cpp.inc"
      >();
#endif
  addOperations<
#define GET_OP_LIST
#include "emit/pto/PtoOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// A word, a number or another attribute; what is around them is kept as well.
static ParseResult parseForeign(DialectAsmParser &Parser, std::string &Text) {
  StringRef Word;
  APInt Number;
  Attribute Inner;
  llvm::raw_string_ostream OS(Text);
  if (succeeded(Parser.parseOptionalKeyword(&Word))) {
    OS << Word;
    if (failed(Parser.parseOptionalEqual()))
      return success();
    OS << "=";
    return parseForeign(Parser, Text);
  }
  if (OptionalParseResult Found = Parser.parseOptionalInteger(Number);
      Found.has_value()) {
    OS << Number;
    return *Found;
  }
  if (Parser.parseAttribute(Inner))
    return failure();
  Inner.print(OS);
  return success();
}

Attribute PtoDialect::parseAttribute(DialectAsmParser &Parser,
                                     Type Type) const {
  StringRef Name;
  Attribute Known;
  if (OptionalParseResult Found =
          generatedAttributeParser(Parser, &Name, Type, Known);
      Found.has_value())
    return succeeded(*Found) ? Known : Attribute();
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << Name << "<";
  bool First = true;
  if (Parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalLessGreater,
                                     [&]() -> ParseResult {
                                       if (!std::exchange(First, false))
                                         Text += ", ";
                                       std::string Part;
                                       if (parseForeign(Parser, Part))
                                         return failure();
                                       Text += Part;
                                       return success();
                                     }))
    return {};
  Text += ">";
  return ForeignAttr::get(Parser.getContext(), Text);
}

void PtoDialect::printAttribute(Attribute Attr,
                                DialectAsmPrinter &Printer) const {
  if (auto Foreign = dyn_cast<ForeignAttr>(Attr))
    Printer << Foreign.getText();
  else
    (void)generatedAttributePrinter(Attr, Printer);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LogicalResult TileBufType::verify(function_ref<InFlightDiagnostic()> EmitError,
                                  Space Where, int64_t Rows, int64_t Cols,
                                  Type Element, int64_t ValidRows,
                                  int64_t ValidCols, bool ColMajor, Box Order,
                                  int64_t, Pad, int64_t) {
  if (!Element.isIntOrFloat() || Element.getIntOrFloatBitWidth() < 8)
    return EmitError() << "a tile has elements of whole bytes, not " << Element;
  // More than any memory has, so that products of the two fit.
  constexpr int64_t Most = int64_t(1) << 24;
  if (Rows <= 0 || Cols <= 0 || Rows > Most || Cols > Most)
    return EmitError() << "a tile has rows and columns";
  // What lies side by side fills blocks.
  int64_t Bits = Element.getIntOrFloatBitWidth() * (ColMajor ? Rows : Cols);
  constexpr int64_t BlockBits = 256;
  bool Flat = Where == Space::Vec && Order == Box::None;
  if (Flat && Bits % BlockBits != 0)
    return EmitError() << (ColMajor ? "a column" : "a row")
                       << " of a tile is a multiple of 32 bytes";
  auto Fits = [](int64_t Valid, int64_t Space) {
    return ShapedType::isDynamic(Valid) || (Valid >= 0 && Valid <= Space);
  };
  if (!Fits(ValidRows, Rows) || !Fits(ValidCols, Cols))
    return EmitError() << "more of a tile is in use than it has";
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult MakeTensorViewOp::verify() {
  size_t Rank = getView().getType().getShape().size();
  if (getShape().size() != Rank || getStrides().size() != Rank)
    return emitOpError("has one extent and one stride for each dimension");
  return success();
}

LogicalResult PartitionViewOp::verify() {
  size_t Rank = getSource().getType().getShape().size();
  if (getOffsets().size() != Rank || getSizes().size() != Rank ||
      getPart().getType().getShape().size() != Rank)
    return emitOpError("has one offset and one size for each dimension");
  if (getSource().getType().getElementType() !=
      getPart().getType().getElementType())
    return emitOpError("changes the element type");
  return success();
}

LogicalResult AllocTileOp::verify() {
  TileBufType Type = getTile().getType();
  if (ShapedType::isDynamic(Type.getValidRows()) != !!getValidRow() ||
      ShapedType::isDynamic(Type.getValidCols()) != !!getValidCol())
    return emitOpError("has a value for each extent that its type leaves open, "
                       "and for no other");
  return success();
}

/// Of a tile, a window or a number.
static Type elementOf(Type Of) {
  if (auto Tile = dyn_cast<TileBufType>(Of))
    return Tile.getElementType();
  if (auto Part = dyn_cast<PartitionTensorViewType>(Of))
    return Part.getElementType();
  return getElementTypeOrSelf(Of);
}

/// What ptoas has placed has no shape that Belay knows.
static TileBufType tileOf(Value Tile) {
  return dyn_cast<TileBufType>(Tile.getType());
}

LogicalResult TLoadOp::verify() {
  if (elementOf(getSrc().getType()) != elementOf(getDst().getType()))
    return emitOpError("changes the element type");
  return success();
}

LogicalResult TStoreOp::verify() {
  // The cube's sums are converted on their way.
  if (spaceOf(getSrc().getType()) != Space::Acc &&
      elementOf(getSrc().getType()) != elementOf(getDst().getType()))
    return emitOpError("changes the element type");
  return success();
}

LogicalResult TCvtOp::verify() {
  TileBufType From = tileOf(getSrc()), To = tileOf(getDst());
  if (From && To &&
      (From.getRows() != To.getRows() || From.getCols() != To.getCols()))
    return emitOpError("has tiles of one shape");
  return success();
}

LogicalResult TReshapeOp::verify() {
  TileBufType From = tileOf(getSrc()), To = tileOf(getTile());
  if (From && To && From.getBytes() != To.getBytes())
    return emitOpError("changes how many bytes a tile has");
  return success();
}

/// What is in use of a part of a tile, along one dimension. As in ptoas, a tile
/// that is larger than what is in use repeats it.
static int64_t usedOfPart(int64_t Used, Value Offset, int64_t Size) {
  std::optional<int64_t> From = getConstantIntValue(Offset);
  if (ShapedType::isDynamic(Used) || !From)
    return ShapedType::kDynamic;
  if (Used == 0)
    return 0;
  return std::min(Size, Used - ((*From % Used) + Used) % Used);
}

LogicalResult SubsetOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> Where,
                                         Adaptor Of,
                                         SmallVectorImpl<Type> &Types) {
  auto Tile = dyn_cast<TileBufType>(Of.getSource().getType());
  auto Sizes = llvm::to_vector(Of.getSizes().getAsRange<IntegerAttr>());
  if (!Tile || Sizes.size() != 2 || Of.getOffsets().size() != 2)
    return emitOptionalError(Where, "a part of a tile has a row and a column, "
                                    "and as many rows and columns");
  int64_t Rows = Sizes[0].getInt(), Cols = Sizes[1].getInt();
  if (Rows <= 0 || Cols <= 0 || Rows > Tile.getRows() || Cols > Tile.getCols())
    return emitOptionalError(Where, "a part of a tile is within the tile");
  Types.push_back(TileBufType::get(
      Tile.getContext(), Tile.getSpace(), Rows, Cols, Tile.getElementType(),
      usedOfPart(Tile.getValidRows(), Of.getOffsets()[0], Rows),
      usedOfPart(Tile.getValidCols(), Of.getOffsets()[1], Cols),
      Tile.getColMajor(), Tile.getBox(), Tile.getFractal(), Tile.getPad(),
      Tile.getCompact()));
  return success();
}

LogicalResult SubsetOp::verify() {
  TileBufType Tile = getSource().getType(), Part = getPart().getType();
  int64_t Most[] = {Tile.getRows() - Part.getRows(),
                    Tile.getCols() - Part.getCols()};
  for (auto [Offset, Last] : llvm::zip_equal(getOffsets(), Most))
    if (std::optional<int64_t> From = getConstantIntValue(Offset);
        From && (*From < 0 || *From > Last))
      return emitOpError("is within its tile");
  return success();
}

/// Flags between cores have one number.
static LogicalResult verifyCoreFlag(Operation *Op, bool Constant,
                                    Value Number) {
  if (Constant == !!Number)
    return Op->emitOpError("has a constant or a value for its flag");
  return success();
}

LogicalResult SyncSetOp::verify() {
  if (std::optional<uint32_t> Mode = getFftsMode(); Mode && *Mode > 2)
    return emitOpError("has modes 0 to 2");
  return verifyCoreFlag(*this, getEventId().has_value(), getEventIdDyn());
}

LogicalResult SyncWaitOp::verify() {
  return verifyCoreFlag(*this, getEventId().has_value(), getEventIdDyn());
}

LogicalResult TFillPadInplaceOp::verify() {
  TileBufType From = tileOf(getSrc()), To = tileOf(getDst());
  if (!From || !To)
    return success();
  if (To.getPad() == Pad::Null)
    return emitOpError("has a value for what is not in use");
  if (From.getRows() != To.getRows() || From.getCols() != To.getCols())
    return emitOpError("has tiles of one shape");
  return success();
}

LogicalResult SetValidShapeOp::verify() {
  TileBufType Type = tileOf(getSource());
  if (Type && (!ShapedType::isDynamic(Type.getValidRows()) ||
               !ShapedType::isDynamic(Type.getValidCols())))
    return emitOpError("is for tiles whose type leaves both extents open");
  return success();
}

/// A bit for each element of the first row that a tile has.
static bool isMaskFor(TileBufType Mask, TileBufType Tile) {
  return elementOf(Mask).isInteger(8) && Mask.getRows() == Tile.getRows() &&
         Mask.getCols() * 8 >= Tile.getCols();
}

LogicalResult TCmpOp::verify() {
  TileBufType Type = tileOf(getSrc0()), Mask = tileOf(getDst());
  if (elementOf(getSrc0().getType()) != elementOf(getSrc1().getType()))
    return emitOpError("compares tiles of one element type");
  if (Type && Mask && !isMaskFor(Mask, Type))
    return emitOpError("has a bit for each element");
  // pto-isa compares 32-bit integers for equality, whatever is asked.
  CmpMode Mode = getCmpMode().value_or(CmpMode::EQ);
  if (elementOf(getSrc0().getType()).isInteger() && Mode != CmpMode::EQ &&
      Mode != CmpMode::NE)
    return emitOpError("compares integers for equality only");
  return success();
}

LogicalResult TSelOp::verify() {
  TileBufType Type = tileOf(getDst()), Mask = tileOf(getMask());
  if (!Type || !Mask)
    return success();
  if (getSrc0().getType() != Type || getSrc1().getType() != Type)
    return emitOpError("has tiles of one type");
  if (!isMaskFor(Mask, Type))
    return emitOpError("has a bit for each element");
  return success();
}

static auto tilesOf(Operation &Op) {
  SmallVector<TileBufType> Tiles;
  for (Type Type : Op.getOperandTypes())
    if (auto Tile = dyn_cast<TileBufType>(Type))
      Tiles.push_back(Tile);
  return Tiles;
}

bool pto::haveOneElementType(Operation &Op) {
  Type Element;
  auto Agrees = [&](Type Type) {
    if (isa<IndexType>(Type))
      return true;
    Type = elementOf(Type);
    if (!Element)
      Element = Type;
    return Element == Type;
  };
  return llvm::all_of(Op.getOperandTypes(), Agrees) &&
         llvm::all_of(Op.getResultTypes(), Agrees);
}

bool pto::areRowMajor(Operation &Op) {
  return llvm::none_of(tilesOf(Op),
                       [](TileBufType Tile) { return Tile.getColMajor(); });
}

bool pto::haveSameValid(Operation &Op) {
  auto Agree = [](int64_t A, int64_t B) {
    return A == B || ShapedType::isDynamic(A) || ShapedType::isDynamic(B);
  };
  SmallVector<TileBufType> Tiles = tilesOf(Op);
  return llvm::all_of(Tiles, [&](TileBufType Tile) {
    return Agree(Tile.getValidRows(), Tiles.front().getValidRows()) &&
           Agree(Tile.getValidCols(), Tiles.front().getValidCols());
  });
}

bool pto::isProduct(Operation &Op) {
  OperandRange Operands = Op.getOperands();
  TileBufType Sums = tileOf(Operands.back());
  OperandRange Factors = Operands.drop_back();
  if (Factors.size() == 3) {
    if (Factors.front().getType() != Operands.back().getType())
      return false;
    Factors = Factors.drop_front();
  }
  TileBufType Lhs = tileOf(Factors[0]), Rhs = tileOf(Factors[1]);
  if (!Lhs || !Rhs || !Sums)
    return true;
  return Lhs.getSpace() == Space::Left && Rhs.getSpace() == Space::Right &&
         Sums.getSpace() == Space::Acc && Lhs.getRows() == Sums.getRows() &&
         Lhs.getCols() == Rhs.getRows() && Rhs.getCols() == Sums.getCols() &&
         Lhs.getElementType() == Rhs.getElementType();
}
