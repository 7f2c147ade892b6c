//===- EmitCube.cpp - Instructions of the cube core -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Fractals.h"
#include "emit/Emitter.h"

using namespace mlir;
using namespace belay::ascend;
using namespace belay::emit;

static MemRefType typeOf(Value Buffer) {
  return cast<MemRefType>(Buffer.getType());
}

/// A buffer from one of its rows on, each of so many elements.
std::string Emitter::rowOf(Value Buffer, Value Row, int64_t Elements) {
  std::string Text = operand(Buffer), First = text(Row);
  return First == "0"
             ? Text
             : Text + "[" + First + " * " + std::to_string(Elements) + "]";
}

LogicalResult Emitter::emitCube(CubeNd2NzOp Op) {
  FailureOr<ViewText> View = viewOf(Op.getView());
  if (failed(View))
    return failure();
  MemRefType Buffer = typeOf(Op.getDst());
  Out << "DataCopy("
      << rowOf(Op.getDst(), Op.getRow(), blockElements(Buffer.getElementType()))
      << ", " << tensorFrom(View->Tensor, startOf(*View, Op.getMixedOffsets()))
      << ", Nd2NzParams{1, " << field("uint16_t", Op.getRows()) << ", "
      << field("uint16_t", Op.getCols()) << ", 0, "
      << field("uint16_t", Op.getPitch()) << ", " << operandRoom(Buffer)->Rows
      << ", 1, 0});\n";
  return success();
}

/// Blocks are of 32 bytes in L1, and fractals in L0A and L0B.
LogicalResult Emitter::emitCube(CubeFillOp Op) {
  MemRefType Buffer = typeOf(Op.getDst());
  bool InL1 = isInSpace(Buffer, MemorySpace::L1);
  bool IsBytes = Buffer.getElementTypeBitWidth() == 8;
  std::string Element = IsBytes ? "half" : cppType(Buffer.getElementType());
  Out << "Fill(" << operand(Op.getDst())
      << (IsBytes ? ".ReinterpretCast<half>()" : "");
  // Elsewhere one block is all that a repeat fills, of 512 bytes.
  if (!Soc.arch->fillsByBlocks) {
    Out << ", InitConstValueParams<" << Element << ">{"
        << bytesOf(Buffer) / FractalBytes << ", static_cast<" << Element
        << ">(0)});\n";
    return success();
  }
  Out << ", InitConstValueParams<" << Element << ">{1, "
      << bytesOf(Buffer) / (InL1 ? 32 : FractalBytes) << ", 0, static_cast<"
      << Element << ">(0)});\n";
  return success();
}

/// A number of fractals, as a field.
std::string Emitter::fractals(StringRef Type, Value Number, int64_t Each) {
  std::string Text = text(Number);
  return Text == "0" ? Text
                     : "static_cast<" + Type.str() + ">(" + Text + " / " +
                           std::to_string(Each) + ")";
}

/// By fractals, of which the destination packs as many as are loaded.
void Emitter::emitFractals(CubeLoadOp Op) {
  MemRefType Buffer = typeOf(Op.getSrc());
  int64_t C0 = blockElements(Buffer.getElementType());
  Out << "LoadData(" << operand(Op.getDst()) << ", " << operand(Op.getSrc())
      << ", LoadData2DParamsV2{"
      << fractals("uint32_t", Op.getRow(), FractalRows) << ", "
      << fractals("uint32_t", Op.getCol(), C0) << ", "
      << fractals("uint16_t", Op.getRows(), FractalRows) << ", "
      << fractals("uint16_t", Op.getCols(), C0) << ", "
      << operandRoom(Buffer)->Rows / FractalRows << ", "
      << fractals("uint16_t", Op.isTransposing() ? Op.getCols() : Op.getRows(),
                  FractalRows)
      << ", " << (Op.isTransposing() ? "true" : "false") << ", 0});\n";
}

/// An image of one row of points, each with all columns of a row of the matrix;
/// what goes to L0B is transposed by the way.
LogicalResult Emitter::emitCube(CubeLoadOp Op) {
  if (Soc.arch->hasLoadData2Dv2) {
    emitFractals(Op);
    return success();
  }
  MemRefType Buffer = typeOf(Op.getSrc());
  MatrixRoom Room = *operandRoom(Buffer);
  std::string Element = cppType(Buffer.getElementType());
  Out << "LoadData(" << operand(Op.getDst()) << ", " << operand(Op.getSrc())
      << ", LoadData3DParamsV2<" << Element << ">{noPadding, 1, " << Room.Rows
      << ", " << Room.Cols << ", " << field("uint16_t", Op.getCols()) << ", "
      << field("uint16_t", Op.getRows()) << ", "
      << field("uint16_t", Op.getCol()) << ", "
      << field("uint16_t", Op.getRow()) << ", 1, 1, 1, 1, 1, 1, "
      << (Op.getTransposed() ? "true" : "false") << ", false, static_cast<"
      << Element << ">(0)});\n";
  return success();
}

/// Fractals one after the other, or squares that are transposed.
LogicalResult Emitter::emitCube(CubeLoadFractalsOp Op) {
  MemRefType Buffer = typeOf(Op.getSrc());
  int64_t C0 = blockElements(Buffer.getElementType()),
          Rows = operandRoom(Buffer)->Rows;
  bool Squares = !Op.getTransposed();
  int64_t Each = Squares ? std::max(C0, FractalRows) : FractalRows;
  std::string Outer = text(Op.getOuter()),
              Width = text(Squares ? Op.getCols() : Op.getRows());
  std::string Dst = operand(Op.getDst());
  if (Outer != "0")
    Dst += "[" + Outer + " * " + Width + " * " + std::to_string(C0) + "]";
  Out << (Squares ? "LoadDataWithTranspose(" : "LoadData(") << Dst << ", "
      << operand(Op.getSrc()) << ", "
      << (Squares ? "LoadData2dTransposeParams{" : "LoadData2DParams{")
      << "static_cast<uint16_t>(" << text(Op.getRow()) << " / " << Each << " + "
      << text(Op.getCol()) << " / " << C0 << " * " << Rows / Each << "), ";
  if (Squares) {
    Out << fractals("uint8_t", Op.getCols(), C0) << ", " << Rows / Each << ", "
        << Each / FractalRows - 1 << ", 0});\n";
    return success();
  }
  Out << "static_cast<uint8_t>(" << Width << " / " << FractalRows;
  if (getConstantIntValue(Op.getCols()) != C0)
    Out << " * (" << text(Op.getCols()) << " / " << C0 << ")";
  Out << "), 1, 0, 0, false, 0});\n";
  return success();
}

LogicalResult Emitter::emitCube(CubeMmadOp Op) {
  std::string Params = "MmadParams{" + field("uint16_t", Op.getM()) + ", " +
                       field("uint16_t", Op.getN()) + ", " +
                       field("uint16_t", Op.getK()) + ", 0, false, " +
                       bare(text(Op.getInit())) + "}";
  if (Op.getAlignK()) {
    std::string Name = Names.fresh("product");
    Out << "MmadParams " << Name << " = " << Params << ";\n"
        << Name << ".kDirectionAlign = true;\n";
    Params = Name;
  }
  Out << "Mmad(" << operand(Op.getDst()) << ", " << operand(Op.getLhs()) << ", "
      << operand(Op.getRhs()) << ", " << Params << ");\n";
  return success();
}

LogicalResult Emitter::emitCube(CubeFixpipeOp Op) {
  FailureOr<ViewText> View = viewOf(Op.getView());
  if (failed(View))
    return failure();
  Type Stored = Op.getView().getType().getElementType(),
       Sum = typeOf(Op.getSrc()).getElementType();
  StringRef Rounding = Stored.isF16()    ? "F322F16"
                       : Stored.isBF16() ? "F322BF16"
                                         : "NoQuant";
  std::string Sizes = field("uint16_t", Op.getCols()) + ", " +
                      field("uint16_t", Op.getRows()) + ", " +
                      field("uint16_t", Op.getSrcPitch()) + ", " +
                      field("uint32_t", Op.getPitch());
  std::string Params = "FixpipeParamsV220{" + Sizes + ", " +
                       "false, QuantMode_t::" + Rounding.str() +
                       ", 0, 1, 0, 0, 0}";
  // Where L0A is NZ, the rounding is no parameter of the constructor.
  if (Soc.arch->leftIsNz) {
    Params = Names.fresh("out");
    Out << "FixpipeParamsArch3510<CO2Layout::ROW_MAJOR> " << Params << "("
        << Sizes << ");\n"
        << Params << ".quantPre = QuantMode_t::" << Rounding << ";\n";
  }
  beginAtomic(Stored, Op.getCombine());
  Out << "Fixpipe<" << cppType(Stored) << ", " << cppType(Sum)
      << ", CFG_ROW_MAJOR>("
      << tensorFrom(View->Tensor, startOf(*View, Op.getMixedOffsets())) << ", "
      << rowOf(Op.getSrc(), Op.getRow(), FractalRows) << ", " << Params
      << ");\n";
  endAtomic(Op.getCombine());
  return success();
}

//===----------------------------------------------------------------------===//
// Where one core has both units
//===----------------------------------------------------------------------===//

LogicalResult Emitter::emitCube(CubePutBlocksOp Op) {
  MemRefType Buffer = typeOf(Op.getDst());
  int64_t C0 = blockElements(Buffer.getElementType());
  std::string Dst = operand(Op.getDst()), Block = text(Op.getBlock()),
              Row = text(Op.getRow());
  std::string Place;
  if (Block != "0")
    Place = Block + " * " + std::to_string(operandRoom(Buffer)->Rows * C0);
  if (Row != "0")
    Place += (Place.empty() ? "" : " + ") + Row + " * " + std::to_string(C0);
  if (!Place.empty())
    Dst += "[" + Place + "]";
  Out << "DataCopy(" << Dst << ", " << operand(Op.getSrc())
      << ", DataCopyParams{" << field("uint16_t", Op.getRows()) << ", 1, "
      << static_cast<int64_t>(Op.getPitch()) / C0 - 1 << ", 0});\n";
  return success();
}

/// Gaps are in fractals of the source, and in blocks of the destination.
LogicalResult Emitter::emitCube(CubeFractalsOp Op) {
  MemRefType Buffer = typeOf(Op.getDst());
  int64_t RowBlocks = FractalRows / blockElements(Buffer.getElementType());
  std::string Rows = text(Op.getRows());
  Out << "DataCopy(" << operand(Op.getDst()) << ", "
      << rowOf(Op.getSrc(), Op.getRow(), FractalRows) << ", DataCopyParams{"
      << field("uint16_t", Op.getBlocks()) << ", "
      << fractals("uint16_t", Op.getRows(), FractalRows)
      << ", static_cast<uint16_t>((" << text(Op.getPitch()) << " - " << Rows
      << ") / " << FractalRows << "), static_cast<uint16_t>(("
      << sumRoom(Buffer)->Rows << " - " << Rows << ") * " << RowBlocks
      << ")}, DataCopyEnhancedParams{BlockMode::BLOCK_MODE_MATRIX, "
         "DeqScale::DEQ_NONE, 0, 0, false, pad_t::PAD_NONE, 0});\n";
  return success();
}

LogicalResult Emitter::emitCube(CubeRowsOp Op) {
  MemRefType Buffer = typeOf(Op.getSrc());
  int64_t Block = blockElements(Buffer.getElementType()),
          RowBlocks = FractalRows / Block;
  auto Length = static_cast<int64_t>(Op.getLength()),
       Pitch = static_cast<int64_t>(Op.getPitch());
  Out << "DataCopy(" << operand(Op.getDst()) << ", "
      << rowOf(Op.getSrc(), Op.getBlock(), sumRoom(Buffer)->Rows * FractalRows)
      << ", DataCopyParams{" << field("uint16_t", Op.getRows()) << ", "
      << Length << ", " << RowBlocks - Length << ", " << Pitch / Block - Length
      << "});\n";
  return success();
}
