//===- EmitCopies.cpp - Between global memory and buffers -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Emitter.h"

using namespace mlir;
using namespace belay::ascend;
using namespace belay::emit;

/// Copies that follow combine with what is there.
void Emitter::beginAtomic(Type Element, std::optional<Combine> Combine) {
  if (Combine)
    Out << atomicName(*Combine) << "<" << cppType(Element) << ">();\n";
}

void Emitter::endAtomic(std::optional<Combine> Combine) {
  if (Combine)
    Out << "SetAtomicNone();\n";
}

/// The number of a view's first element that an instruction touches; empty if
/// that is the tensor's.
std::string Emitter::startOf(const ViewText &View,
                             ArrayRef<OpFoldResult> Offsets) {
  std::string Start = View.Offset == "0" ? "" : View.Offset;
  for (auto [Offset, Stride] : llvm::zip_equal(Offsets, View.Strides)) {
    std::string Number = text(Offset);
    if (Number == "0")
      continue;
    Start += Start.empty() ? "" : " + ";
    Start += Stride == "1" ? Number
             : Stride.find(' ') == std::string::npos
                 ? Number + " * " + Stride
                 : Number + " * (" + Stride + ")";
  }
  return Start;
}

std::string belay::emit::tensorFrom(const std::string &Tensor,
                                    const std::string &Start) {
  return Start.empty() ? Tensor : Tensor + "[" + Start + "]";
}

LogicalResult Emitter::emitCopy(CopyPadInOp Op) {
  FailureOr<ViewText> View = viewOf(Op.getView());
  if (failed(View))
    return failure();
  std::string Element = cppType(Op.getView().getType().getElementType());
  Out << "DataCopyPad(" << operand(Op.getDst()) << ", "
      << tensorFrom(View->Tensor, startOf(*View, Op.getMixedOffsets())) << ", "
      << "DataCopyExtParams{" << field("uint16_t", Op.getBlocks()) << ", "
      << field("uint32_t", Op.getBytes()) << ", "
      << field("uint32_t", Op.getGmGap()) << ", "
      << field("uint32_t", Op.getUbGap()) << ", 0}, DataCopyPadExtParams<"
      << Element << ">{";
  if (Value Pad = Op.getPad())
    Out << "true, "
        << (Op.getLeft() ? field("uint8_t", Op.getLeft()) : std::string("0"))
        << ", " << field("uint8_t", Op.getPadCount()) << ", static_cast<"
        << Element << ">(" << bare(text(Pad)) << ")";
  else
    Out << "false, 0, 0, 0";
  Out << "});\n";
  return success();
}

LogicalResult Emitter::emitCopy(CopyPadOutOp Op) {
  FailureOr<ViewText> View = viewOf(Op.getView());
  if (failed(View))
    return failure();
  beginAtomic(Op.getView().getType().getElementType(), Op.getCombine());
  Out << "DataCopyPad("
      << tensorFrom(View->Tensor, startOf(*View, Op.getMixedOffsets())) << ", "
      << operand(Op.getSrc()) << ", DataCopyExtParams{"
      << field("uint16_t", Op.getBlocks()) << ", "
      << field("uint32_t", Op.getBytes()) << ", "
      << field("uint32_t", Op.getUbGap()) << ", "
      << field("uint32_t", Op.getGmGap()) << ", 0});\n";
  endAtomic(Op.getCombine());
  return success();
}

LogicalResult Emitter::emitCopy(CopyBlocksInOp Op) {
  FailureOr<ViewText> View = viewOf(Op.getView());
  if (failed(View))
    return failure();
  Out << "DataCopy(" << operand(Op.getDst()) << ", "
      << tensorFrom(View->Tensor, startOf(*View, Op.getMixedOffsets())) << ", "
      << field("uint32_t", Op.getCount()) << ");\n";
  return success();
}

LogicalResult Emitter::emitCopy(CopyBlocksOutOp Op) {
  FailureOr<ViewText> View = viewOf(Op.getView());
  if (failed(View))
    return failure();
  beginAtomic(Op.getView().getType().getElementType(), Op.getCombine());
  Out << "DataCopy("
      << tensorFrom(View->Tensor, startOf(*View, Op.getMixedOffsets())) << ", "
      << operand(Op.getSrc()) << ", " << field("uint32_t", Op.getCount())
      << ");\n";
  endAtomic(Op.getCombine());
  return success();
}

/// Gaps of the source come first.
LogicalResult Emitter::emitCopy(CopyRowsInOp Op) {
  FailureOr<ViewText> View = viewOf(Op.getView());
  if (failed(View))
    return failure();
  Out << "DataCopy(" << operand(Op.getDst()) << ", "
      << tensorFrom(View->Tensor, startOf(*View, Op.getMixedOffsets()))
      << ", DataCopyParams{" << field("uint16_t", Op.getRows()) << ", "
      << field("uint16_t", Op.getBlocks()) << ", "
      << field("uint16_t", Op.getGmGap()) << ", "
      << field("uint16_t", Op.getUbGap()) << "});\n";
  return success();
}

LogicalResult Emitter::emitCopy(CopyRowsOutOp Op) {
  FailureOr<ViewText> View = viewOf(Op.getView());
  if (failed(View))
    return failure();
  beginAtomic(Op.getView().getType().getElementType(), Op.getCombine());
  Out << "DataCopy("
      << tensorFrom(View->Tensor, startOf(*View, Op.getMixedOffsets())) << ", "
      << operand(Op.getSrc()) << ", DataCopyParams{"
      << field("uint16_t", Op.getRows()) << ", "
      << field("uint16_t", Op.getBlocks()) << ", "
      << field("uint16_t", Op.getUbGap()) << ", "
      << field("uint16_t", Op.getGmGap()) << "});\n";
  endAtomic(Op.getCombine());
  return success();
}

//===----------------------------------------------------------------------===//
// By the scalar unit
//===----------------------------------------------------------------------===//

LogicalResult Emitter::emitElement(GlobalReadOp Op) {
  FailureOr<ViewText> View = viewOf(Op.getView());
  if (failed(View))
    return failure();
  std::string Start = startOf(*View, Op.getMixedOffsets());
  Out << "const " << cppType(Op.getType()) << " "
      << Names.declare(Op.getValue(), "element") << " = " << View->Tensor
      << ".GetValue(" << (Start.empty() ? "0" : Start) << ");\n";
  return success();
}

LogicalResult Emitter::emitElement(GlobalWriteOp Op) {
  FailureOr<ViewText> View = viewOf(Op.getView());
  if (failed(View))
    return failure();
  std::string Start = startOf(*View, Op.getMixedOffsets());
  Out << View->Tensor << ".SetValue(" << (Start.empty() ? "0" : Start) << ", "
      << text(Op.getValue()) << ");\n";
  return success();
}

LogicalResult Emitter::emitElement(CacheCleanOp Op) {
  FailureOr<ViewText> View = viewOf(Op.getView());
  if (failed(View))
    return failure();
  Out << "DataCacheCleanAndInvalid<"
      << cppType(Op.getView().getType().getElementType()) << ", CacheLine::"
      << (Op.getAll() ? "ENTIRE_DATA_CACHE" : "SINGLE_CACHE_LINE")
      << (Soc.arch->hasDcciDst ? ", DcciDst::CACHELINE_OUT" : "") << ">("
      << tensorFrom(View->Tensor, startOf(*View, Op.getMixedOffsets()))
      << ");\n";
  return success();
}
