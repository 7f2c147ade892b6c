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
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::pto;

#include "emit/pto/PtoDialect.cpp.inc"
#include "emit/pto/PtoEnums.cpp.inc"
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
// Types
//===----------------------------------------------------------------------===//

static void printExtent(AsmPrinter &Printer, int64_t Extent) {
  if (ShapedType::isDynamic(Extent))
    Printer << "?";
  else
    Printer << Extent;
}

static void printView(AsmPrinter &Printer, ArrayRef<int64_t> Shape,
                      Type Element) {
  Printer << "<";
  for (int64_t Extent : Shape) {
    printExtent(Printer, Extent);
    Printer << "x";
  }
  Printer << Element << ">";
}

static ParseResult parseView(AsmParser &Parser, SmallVector<int64_t> &Shape,
                             Type &Element) {
  return failure(Parser.parseLess() || Parser.parseDimensionList(Shape) ||
                 Parser.parseType(Element) || Parser.parseGreater());
}

Type TensorViewType::parse(AsmParser &Parser) {
  SmallVector<int64_t> Shape;
  Type Element;
  if (parseView(Parser, Shape, Element))
    return {};
  return get(Parser.getContext(), Shape, Element);
}

void TensorViewType::print(AsmPrinter &Printer) const {
  printView(Printer, getShape(), getElementType());
}

Type PartitionTensorViewType::parse(AsmParser &Parser) {
  SmallVector<int64_t> Shape;
  Type Element;
  if (parseView(Parser, Shape, Element))
    return {};
  return get(Parser.getContext(), Shape, Element);
}

void PartitionTensorViewType::print(AsmPrinter &Printer) const {
  printView(Printer, getShape(), getElementType());
}

namespace {
/// What follows the shape of a tile, in any order.
struct TileOptions {
  SmallVector<int64_t> Valid;
  bool ColMajor = false;
  Pad Value = Pad::Null;
};
} // namespace

/// "valid=?x1", "blayout=col_major", "pad=1".
static ParseResult parseTileOption(AsmParser &Parser, TileOptions &Options) {
  StringRef Key, Layout;
  SMLoc At = Parser.getCurrentLocation();
  if (Parser.parseKeyword(&Key) || Parser.parseEqual())
    return failure();
  if (Key == "valid" && Options.Valid.empty())
    return Parser.parseDimensionList(Options.Valid, /*allowDynamic=*/true,
                                     /*withTrailingX=*/false);
  if (Key == "pad" && Options.Value == Pad::Null) {
    unsigned Value = 0;
    if (Parser.parseInteger(Value))
      return failure();
    if (Value > static_cast<unsigned>(Pad::Min))
      return Parser.emitError(At) << "pad is one of 0 to 3";
    Options.Value = static_cast<Pad>(Value);
    return success();
  }
  if (Key != "blayout" || Options.ColMajor)
    return Parser.emitError(At) << "'" << Key << "' is not understood";
  if (Parser.parseKeyword(&Layout))
    return failure();
  if (Layout != "col_major")
    return Parser.emitError(At) << "layout '" << Layout << "'";
  Options.ColMajor = true;
  return success();
}

Type TileBufType::parse(AsmParser &Parser) {
  SmallVector<int64_t> Shape;
  TileOptions Options;
  Type Element;
  SMLoc At = Parser.getCurrentLocation();
  if (Parser.parseLess() || Parser.parseKeyword("vec") || Parser.parseComma() ||
      Parser.parseDimensionList(Shape, /*allowDynamic=*/false) ||
      Parser.parseType(Element))
    return {};
  while (succeeded(Parser.parseOptionalComma()))
    if (parseTileOption(Parser, Options))
      return {};
  if (Parser.parseGreater())
    return {};
  SmallVector<int64_t> &Valid = Options.Valid;
  if (Valid.empty())
    Valid = Shape;
  if (Shape.size() != 2 || Valid.size() != 2) {
    Parser.emitError(At, "a tile has rows and columns");
    return {};
  }
  return Parser.getChecked<TileBufType>(At, Parser.getContext(), Shape[0],
                                        Shape[1], Element, Valid[0], Valid[1],
                                        Options.ColMajor, Options.Value);
}

void TileBufType::print(AsmPrinter &Printer) const {
  Printer << "<vec, " << getRows() << "x" << getCols() << "x"
          << getElementType();
  if (getValidRows() != getRows() || getValidCols() != getCols()) {
    Printer << ", valid=";
    printExtent(Printer, getValidRows());
    Printer << "x";
    printExtent(Printer, getValidCols());
  }
  if (getColMajor())
    Printer << ", blayout=col_major";
  if (getPad() != Pad::Null)
    Printer << ", pad=" << static_cast<unsigned>(getPad());
  Printer << ">";
}

LogicalResult TileBufType::verify(function_ref<InFlightDiagnostic()> EmitError,
                                  int64_t Rows, int64_t Cols, Type Element,
                                  int64_t ValidRows, int64_t ValidCols,
                                  bool ColMajor, Pad) {
  if (!Element.isIntOrFloat() || Element.getIntOrFloatBitWidth() < 8)
    return EmitError() << "a tile has elements of whole bytes, not " << Element;
  if (Rows <= 0 || Cols <= 0)
    return EmitError() << "a tile has rows and columns";
  // What lies side by side fills blocks.
  int64_t Bits = Element.getIntOrFloatBitWidth() * (ColMajor ? Rows : Cols);
  constexpr int64_t BlockBits = 256;
  if (Bits % BlockBits != 0)
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

LogicalResult TLoadOp::verify() {
  if (getSrc().getType().getElementType() !=
      getDst().getType().getElementType())
    return emitOpError("changes the element type");
  return success();
}

LogicalResult TStoreOp::verify() {
  if (getSrc().getType().getElementType() !=
      getDst().getType().getElementType())
    return emitOpError("changes the element type");
  return success();
}

LogicalResult TCvtOp::verify() {
  TileBufType From = getSrc().getType(), To = getDst().getType();
  if (From.getRows() != To.getRows() || From.getCols() != To.getCols())
    return emitOpError("has tiles of one shape");
  return success();
}

static int64_t bitsOf(TileBufType Tile) {
  return Tile.getRows() * Tile.getCols() *
         Tile.getElementType().getIntOrFloatBitWidth();
}

LogicalResult TReshapeOp::verify() {
  if (bitsOf(getSrc().getType()) != bitsOf(getTile().getType()))
    return emitOpError("changes how many bytes a tile has");
  return success();
}

LogicalResult TFillPadInplaceOp::verify() {
  if (getDst().getType().getPad() == Pad::Null)
    return emitOpError("has a value for what is not in use");
  if (getSrc().getType().getRows() != getDst().getType().getRows() ||
      getSrc().getType().getCols() != getDst().getType().getCols())
    return emitOpError("has tiles of one shape");
  return success();
}

LogicalResult SetValidShapeOp::verify() {
  TileBufType Type = getSource().getType();
  if (!ShapedType::isDynamic(Type.getValidRows()) ||
      !ShapedType::isDynamic(Type.getValidCols()))
    return emitOpError("is for tiles whose type leaves both extents open");
  return success();
}

/// A bit for each element of the first row that a tile has.
static bool isMaskFor(TileBufType Mask, TileBufType Tile) {
  return Mask.getElementType().isInteger(8) &&
         Mask.getRows() == Tile.getRows() &&
         Mask.getCols() * 8 >= Tile.getCols();
}

LogicalResult TCmpOp::verify() {
  TileBufType Type = getSrc0().getType();
  if (Type.getElementType() != getSrc1().getType().getElementType())
    return emitOpError("compares tiles of one element type");
  if (!isMaskFor(getDst().getType(), Type))
    return emitOpError("has a bit for each element");
  // pto-isa compares 32-bit integers for equality, whatever is asked.
  if (Type.getElementType().isInteger() && getCmpMode() != CmpMode::EQ &&
      getCmpMode() != CmpMode::NE)
    return emitOpError("compares integers for equality only");
  return success();
}

LogicalResult TSelOp::verify() {
  TileBufType Type = getDst().getType();
  if (getSrc0().getType() != Type || getSrc1().getType() != Type)
    return emitOpError("has tiles of one type");
  if (!isMaskFor(getMask().getType(), Type))
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
    if (auto Tile = dyn_cast<TileBufType>(Type))
      Type = Tile.getElementType();
    else if (isa<IndexType>(Type))
      return true;
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
