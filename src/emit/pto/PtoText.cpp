//===- PtoText.cpp - How types and instructions of PTO are written --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/pto/Pto.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace belay;
using namespace belay::pto;

static void printExtent(AsmPrinter &Printer, int64_t Extent) {
  if (ShapedType::isDynamic(Extent))
    Printer << "?";
  else
    Printer << Extent;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

namespace {
/// A tile's type as it is read, in either form.
struct TileText {
  std::optional<Space> Where;
  int64_t Rows = 0, Cols = 0;
  Type Element;
  SmallVector<int64_t, 2> Valid;
  bool ColMajor = false;
  Box Order = Box::None;
  int64_t Fractal = TileBufType::DefaultFractal;
  Pad Value = Pad::Null;
  int64_t Compact = 0;
  llvm::StringSet<> Seen;
};
} // namespace

template <typename Enum>
static ParseResult parseWord(AsmParser &Parser, Enum &Into, StringRef What,
                             std::optional<Enum> (*Named)(StringRef)) {
  StringRef Word;
  SMLoc At = Parser.getCurrentLocation();
  if (Parser.parseKeyword(&Word))
    return failure();
  std::optional<Enum> Found = Named(Word);
  if (!Found)
    return Parser.emitError(At) << What << " '" << Word << "'";
  Into = *Found;
  return success();
}

/// A number, or ? for one that a value says.
static ParseResult parseExtent(AsmParser &Parser, int64_t &Extent) {
  if (succeeded(Parser.parseOptionalQuestion())) {
    Extent = ShapedType::kDynamic;
    return success();
  }
  return Parser.parseInteger(Extent);
}

static ParseResult parsePad(AsmParser &Parser, SMLoc At, Pad &Into) {
  unsigned Value = 0;
  if (Parser.parseInteger(Value))
    return failure();
  if (Value > static_cast<unsigned>(Pad::Min))
    return Parser.emitError(At) << "pad is one of 0 to 3";
  Into = static_cast<Pad>(Value);
  return success();
}

static ParseResult parseBlockLayout(AsmParser &Parser, bool &ColMajor) {
  Box Layout = Box::None;
  SMLoc At = Parser.getCurrentLocation();
  if (parseWord(Parser, Layout, "layout", symbolizeBox))
    return failure();
  if (Layout == Box::None)
    return Parser.emitError(At) << "layout 'none_box'";
  ColMajor = Layout == Box::ColMajor;
  return success();
}

/// What follows an equals sign, by the word before it.
static ParseResult parseTileValue(AsmParser &Parser, StringRef Key, SMLoc At,
                                  TileText &Tile) {
  if (!Tile.Seen.insert(Key).second)
    return Parser.emitError(At) << "'" << Key << "' is there twice";
  if (Key == "loc") {
    Space Where = Space::Vec;
    if (parseWord(Parser, Where, "memory", symbolizeSpace))
      return failure();
    Tile.Where = Where;
    return success();
  }
  if (Key == "dtype")
    return Parser.parseType(Tile.Element);
  if (Key == "rows")
    return Parser.parseInteger(Tile.Rows);
  if (Key == "cols")
    return Parser.parseInteger(Tile.Cols);
  if (Key == "v_row" || Key == "v_col") {
    Tile.Valid.resize(2, ShapedType::kDynamic);
    return parseExtent(Parser, Tile.Valid[Key == "v_col"]);
  }
  if (Key == "valid" && Tile.Valid.empty())
    return Parser.parseDimensionList(Tile.Valid, /*allowDynamic=*/true,
                                     /*withTrailingX=*/false);
  if (Key == "blayout")
    return parseBlockLayout(Parser, Tile.ColMajor);
  if (Key == "slayout")
    return parseWord(Parser, Tile.Order, "layout", symbolizeBox);
  if (Key == "fractal")
    return Parser.parseInteger(Tile.Fractal);
  if (Key == "pad")
    return parsePad(Parser, At, Tile.Value);
  if (Key == "compact")
    return Parser.parseInteger(Tile.Compact);
  return Parser.emitError(At) << "'" << Key << "' is not understood";
}

/// A memory and a shape, or a word with a value.
static ParseResult parseTilePart(AsmParser &Parser, TileText &Tile) {
  StringRef Key;
  SMLoc At = Parser.getCurrentLocation();
  if (failed(Parser.parseOptionalKeyword(&Key))) {
    SmallVector<int64_t> Shape;
    if (Parser.parseDimensionList(Shape, /*allowDynamic=*/false) ||
        Parser.parseType(Tile.Element))
      return failure();
    if (Shape.size() != 2)
      return Parser.emitError(At) << "a tile has rows and columns";
    Tile.Rows = Shape[0];
    Tile.Cols = Shape[1];
    return success();
  }
  if (succeeded(Parser.parseOptionalEqual()))
    return parseTileValue(Parser, Key, At, Tile);
  Tile.Where = symbolizeSpace(Key);
  return success(Tile.Where.has_value());
}

Type TileBufType::parse(AsmParser &Parser) {
  TileText Tile;
  SMLoc At = Parser.getCurrentLocation();
  if (Parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&] {
        return parseTilePart(Parser, Tile);
      }))
    return {};
  if (Tile.Valid.empty())
    Tile.Valid = {Tile.Rows, Tile.Cols};
  if (!Tile.Where || !Tile.Element || Tile.Valid.size() != 2) {
    Parser.emitError(At, "a tile has a memory, rows and columns");
    return {};
  }
  return Parser.getChecked<TileBufType>(
      At, Parser.getContext(), *Tile.Where, Tile.Rows, Tile.Cols, Tile.Element,
      Tile.Valid[0], Tile.Valid[1], Tile.ColMajor, Tile.Order, Tile.Fractal,
      Tile.Value, Tile.Compact);
}

void TileBufType::print(AsmPrinter &Printer) const {
  Printer << "<" << stringifySpace(getSpace()) << ", " << getRows() << "x"
          << getCols() << "x" << getElementType();
  if (getValidRows() != getRows() || getValidCols() != getCols()) {
    Printer << ", valid=";
    printExtent(Printer, getValidRows());
    Printer << "x";
    printExtent(Printer, getValidCols());
  }
  if (getColMajor())
    Printer << ", blayout=col_major";
  if (getBox() != Box::None)
    Printer << ", slayout=" << stringifyBox(getBox());
  if (getFractal() != DefaultFractal)
    Printer << ", fractal=" << getFractal();
  if (getPad() != Pad::Null)
    Printer << ", pad=" << static_cast<unsigned>(getPad());
  if (getCompact())
    Printer << ", compact=" << getCompact();
  Printer << ">";
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

namespace {
/// The inside of `ins(...)` or `outs(...)`.
struct OperandText {
  SmallVector<OpAsmParser::UnresolvedOperand, 4> Operands;
  SmallVector<Type, 4> Types;
};
} // namespace

/// `%a, %b {attributes} : type, type`, also `%a : type, %b : type`.
static ParseResult parseOperands(OpAsmParser &Parser, OperandText &Into,
                                 NamedAttrList &Attrs) {
  if (Parser.parseLParen())
    return failure();
  for (;;) {
    // A group of operands, and attributes after the last.
    do {
      OpAsmParser::UnresolvedOperand Operand;
      OptionalParseResult Found = Parser.parseOptionalOperand(Operand);
      if (!Found.has_value())
        break;
      if (failed(*Found))
        return failure();
      Into.Operands.push_back(Operand);
    } while (succeeded(Parser.parseOptionalComma()));
    if (Parser.parseOptionalAttrDict(Attrs) || Parser.parseColon())
      return failure();
    do {
      if (Parser.parseType(Into.Types.emplace_back()))
        return failure();
    } while (Into.Types.size() < Into.Operands.size() &&
             succeeded(Parser.parseOptionalComma()));
    if (failed(Parser.parseOptionalComma()))
      return Parser.parseRParen();
  }
}

ParseResult pto::parseInsOuts(OpAsmParser &Parser, OperationState &Result,
                              bool Segments) {
  OperandText Ins, Outs;
  SMLoc At = Parser.getCurrentLocation();
  if (Parser.parseKeyword("ins") ||
      parseOperands(Parser, Ins, Result.attributes) ||
      Parser.parseKeyword("outs") ||
      parseOperands(Parser, Outs, Result.attributes) ||
      Parser.parseOptionalAttrDict(Result.attributes) ||
      Parser.resolveOperands(Ins.Operands, Ins.Types, At, Result.operands) ||
      Parser.resolveOperands(Outs.Operands, Outs.Types, At, Result.operands))
    return failure();
  if (Segments)
    Result.addAttribute("operandSegmentSizes",
                        Parser.getBuilder().getDenseI32ArrayAttr(
                            {static_cast<int32_t>(Ins.Operands.size()),
                             static_cast<int32_t>(Outs.Operands.size())}));
  return success();
}

void pto::printInsOuts(OpAsmPrinter &Printer, Operation *Op, AttrPlace Place) {
  auto Instruction = cast<TileInstruction>(Op);
  size_t NumIns = Op->getNumOperands() - Instruction.getNumOuts();
  auto Attributes = [&] {
    Printer.printOptionalAttrDict(Op->getAttrs(), {"operandSegmentSizes"});
  };
  bool Any = llvm::any_of(Op->getAttrs(), [](NamedAttribute Attr) {
    return Attr.getName() != "operandSegmentSizes";
  });
  auto Print = [&](StringRef Word, OperandRange Operands, bool WithAttrs) {
    Printer << " " << Word << "(" << Operands;
    if (WithAttrs && Any && Place == AttrPlace::InInsAsOperand)
      Printer << ",";
    if (WithAttrs)
      Attributes();
    Printer << " : ";
    llvm::interleaveComma(Operands.getTypes(), Printer);
    Printer << ")";
  };
  // After a comma only where there is nothing else that it could follow.
  bool AtEnd = Place == AttrPlace::AtEnd ||
               (Place == AttrPlace::InInsAsOperand && NumIns != 1);
  Print("ins", Op->getOperands().take_front(NumIns), !AtEnd);
  Print("outs", Op->getOperands().drop_front(NumIns), false);
  if (AtEnd)
    Attributes();
}

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

std::optional<Space> pto::spaceOf(Type Type) {
  if (auto Tile = dyn_cast<TileBufType>(Type))
    return Tile.getSpace();
  if (isa<PartitionTensorViewType, TensorViewType, PtrType>(Type))
    return Space::Gm;
  auto Memory = dyn_cast<MemRefType>(Type);
  if (!Memory)
    return std::nullopt;
  auto Named = dyn_cast_or_null<SpaceAttr>(Memory.getMemorySpace());
  return Named ? Named.getValue() : Space::Gm;
}

/// As in the table of pto-isa.
static Pipe pipeOfCopy(Space From, Space To) {
  if (From == Space::Acc || To == Space::Scaling)
    return Pipe::PIPE_FIX;
  if (From == Space::Mat)
    return To == Space::Gm ? Pipe::PIPE_MTE3 : Pipe::PIPE_MTE1;
  if (From == Space::Vec)
    return To == Space::Gm    ? Pipe::PIPE_MTE3
           : To == Space::Vec ? Pipe::PIPE_V
                              : Pipe::PIPE_FIX;
  return Pipe::PIPE_MTE2;
}

Pipe pto::pipeByMemories(Operation &Op) {
  Space To = spaceOf(Op.getOperands().back().getType()).value_or(Space::Vec);
  std::optional<Space> From = spaceOf(Op.getOperands().front().getType());
  // What fills a tile, and what gathers into it.
  bool Copies = From && !isa<TFillPadInplaceOp, MGatherOp>(Op);
  if (!Copies)
    return To == Space::Vec ? Pipe::PIPE_V : Pipe::PIPE_MTE2;
  return pipeOfCopy(*From, To);
}
