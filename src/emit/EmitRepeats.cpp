//===- EmitRepeats.cpp - Instructions by repeats --------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Emitter.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace belay::ascend;
using namespace belay::emit;

/// A number as the field of an instruction has it.
std::string Emitter::field(StringRef Type, Value Value) {
  std::string Text = bare(text(Value));
  APInt Constant;
  return matchPattern(Value, m_ConstantInt(&Constant))
             ? Text
             : ("static_cast<" + Type + ">(" + Text + ")").str();
}

static std::string braces(ArrayRef<int64_t> First, ArrayRef<int64_t> Second) {
  SmallVector<std::string> Numbers;
  for (ArrayRef<int64_t> Part : {First, Second})
    for (int64_t Number : Part)
      Numbers.push_back(std::to_string(Number));
  return "{" + llvm::join(Numbers, ", ") + "}";
}

void Emitter::emitRepeated(RepBinaryOp Op) {
  Out << apiName(Op.getKind()) << "(" << operand(Op.getDst()) << ", "
      << operand(Op.getLhs()) << ", " << operand(Op.getRhs()) << ", "
      << field("uint64_t", Op.getMask()) << ", "
      << field("uint8_t", Op.getRepeat()) << ", "
      << braces(Op.getBlocks(), Op.getRows()) << ");\n";
}

void Emitter::emitRepeated(RepScalarOp Op) {
  Out << apiName(Op.getKind()) << "s(" << operand(Op.getDst()) << ", "
      << operand(Op.getSrc()) << ", " << scalarFor(Op.getDst(), Op.getScalar())
      << ", " << field("uint64_t", Op.getMask()) << ", "
      << field("uint8_t", Op.getRepeat()) << ", "
      << braces(Op.getBlocks(), Op.getRows()) << ");\n";
}

void Emitter::emitRepeated(RepCopyOp Op) {
  Out << "Copy(" << operand(Op.getDst()) << ", " << operand(Op.getSrc()) << ", "
      << field("uint64_t", Op.getMask()) << ", "
      << field("uint8_t", Op.getRepeat()) << ", "
      << braces(Op.getBlocks(), Op.getRows()) << ");\n";
}

static const char *suffixOf(Combine Combine) {
  switch (Combine) {
  case Combine::Sum:
    return "Sum";
  case Combine::Max:
    return "Max";
  case Combine::Min:
    return "Min";
  case Combine::Prod:
    break;
  }
  llvm_unreachable("the verifier admits no products");
}

void Emitter::emitRepeated(RepReduceOp Op) {
  bool ValueOnly = Op.getCombine() != Combine::Sum && !Op.getPlaces();
  Out << "WholeReduce" << suffixOf(Op.getCombine()) << "("
      << operand(Op.getDst()) << ", " << operand(Op.getSrc()) << ", "
      << field("int32_t", Op.getMask()) << ", "
      << field("int32_t", Op.getRepeat()) << ", 1, 1, " << Op.getRow()
      << (ValueOnly ? ", ReduceOrder::ORDER_ONLY_VALUE" : "") << ");\n";
}

void Emitter::emitRepeated(RepBlockReduceOp Op) {
  unsigned Bits =
      getElementTypeOrSelf(Op.getSrc().getType()).getIntOrFloatBitWidth();
  Out << "BlockReduce" << suffixOf(Op.getCombine()) << "("
      << operand(Op.getDst()) << ", " << operand(Op.getSrc()) << ", "
      << field("int32_t", Op.getRepeat()) << ", " << 2048 / Bits
      << ", 1, 1, 8);\n";
}

void Emitter::emitRepeated(RepBrcbOp Op) {
  Out << "Brcb(" << operand(Op.getDst()) << ", " << operand(Op.getSrc()) << ", "
      << field("uint8_t", Op.getRepeat()) << ", {1, 8});\n";
}

/// The instruction is told up to which element it reads. It counts what it
/// keeps, which nobody asks for.
void Emitter::emitRepeated(RepEveryOtherOp Op) {
  std::string Kept = Names.fresh("kept"), Read;
  APInt Known;
  if (matchPattern(Op.getCount(), m_ConstantInt(&Known)))
    Read = std::to_string(Known.getSExtValue() * 2 - !Op.getOdd());
  else
    Read = "static_cast<uint32_t>(" + text(Op.getCount()) + " * 2" +
           (Op.getOdd() ? ")" : " - 1)");
  Out << "uint64_t " << Kept << " = 0;\n"
      << "GatherMask(" << operand(Op.getDst()) << ", " << operand(Op.getSrc())
      << ", " << (Op.getOdd() ? 2 : 1) << ", true, " << Read
      << ", {1, 1, 8, 8}, " << Kept << ");\n";
}

/// The instruction takes the addresses of 16 blocks on each side: a column of
/// words fills two.
void Emitter::emitRepeated(RepTransposeOp Op) {
  bool Words =
      getElementTypeOrSelf(Op.getSrc().getType()).getIntOrFloatBitWidth() == 32;
  StringRef Type = Words ? "float" : "half";
  auto Blocks = [&](StringRef Array, Value Buffer, const std::string &Place) {
    std::string First = operand(Buffer);
    Out << Array << "[i] = " << First << "[" << Place << "].ReinterpretCast<"
        << Type << ">();\n";
  };
  std::string To = Names.fresh("to"), From = Names.fresh("from");
  std::string DstPitch = std::to_string(Op.getDstPitch());
  Out << "LocalTensor<" << Type << "> " << To << "[16], " << From << "[16];\n"
      << "for (int64_t i = 0; i < 16; ++i) {\n";
  Out.indent();
  Blocks(From, Op.getSrc(), "i * " + std::to_string(Op.getSrcPitch()));
  Blocks(To, Op.getDst(),
         Words ? "i / 2 * " + DstPitch + " + i % 2 * 8" : "i * " + DstPitch);
  Out.unindent();
  Out << "}\n"
      << "TransDataTo5HD<" << Type << ">(" << To << ", " << From
      << ", TransDataTo5HDParams(false, false, "
      << field("uint8_t", Op.getRepeat()) << ", "
      << field("uint16_t", Op.getDstStride()) << ", "
      << field("uint16_t", Op.getSrcStride()) << "));\n";
}

void Emitter::emitRepeated(LibReduceOp Op) {
  Out << "Reduce" << suffixOf(Op.getCombine()) << "(" << operand(Op.getDst())
      << ", " << operand(Op.getSrc()) << ", " << operand(Op.getWork()) << ", "
      << field("int32_t", Op.getCount()) << (Op.getPlace() ? ", true" : "")
      << ");\n";
}
