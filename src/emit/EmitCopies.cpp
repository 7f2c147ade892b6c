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

LogicalResult Emitter::checkAtomic(Operation *Op, Type Element,
                                   std::optional<Combine> Combine) {
  if (!Combine || Soc.arch->hasDataCopyPad)
    return success();
  if (*Combine != Combine::Sum)
    return Op->emitOpError() << "combines by other than a sum, for which "
                             << Soc.name << " has no atomic copies";
  if (!Element.isF32() && !Element.isF16() && !Element.isInteger(16))
    return Op->emitOpError() << "adds elements of a type for which " << Soc.name
                             << " has no atomic copies: they are float, half "
                                "or i16";
  return success();
}

/// Copies that follow combine with what is there. Where copies are whole
/// blocks, the functions that make them say so themselves.
LogicalResult Emitter::beginAtomic(Operation *Op, Type Element,
                                   std::optional<Combine> Combine) {
  if (failed(checkAtomic(Op, Element, Combine)))
    return failure();
  if (!Combine || !Soc.arch->hasDataCopyPad)
    return success();
  const char *Name = *Combine == Combine::Sum   ? "SetAtomicAdd"
                     : *Combine == Combine::Max ? "SetAtomicMax"
                                                : "SetAtomicMin";
  Out << Name << "<" << cppType(Element) << ">();\n";
  return success();
}

std::string Emitter::spareText(Type Element) {
  return "ub.GetWithOffset<" + cppType(Element) + ">(" +
         std::to_string(SpareBytes * 8 / Element.getIntOrFloatBitWidth()) +
         ", " + std::to_string(Bytes) + ")";
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

static std::string tensorFrom(const std::string &Tensor,
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
    Out << "true, 0, " << field("uint8_t", Op.getPadCount()) << ", static_cast<"
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
  Type Element = Op.getView().getType().getElementType();
  if (failed(beginAtomic(Op, Element, Op.getCombine())))
    return failure();
  Out << "DataCopyPad("
      << tensorFrom(View->Tensor, startOf(*View, Op.getMixedOffsets())) << ", "
      << operand(Op.getSrc()) << ", DataCopyExtParams{"
      << field("uint16_t", Op.getBlocks()) << ", "
      << field("uint32_t", Op.getBytes()) << ", "
      << field("uint32_t", Op.getUbGap()) << ", "
      << field("uint32_t", Op.getGmGap()) << ", 0});\n";
  if (Op.getCombine())
    Out << "SetAtomicNone();\n";
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
      << (Soc.arch->hasDataCopyPad ? ", DcciDst::CACHELINE_OUT" : "") << ">("
      << tensorFrom(View->Tensor, startOf(*View, Op.getMixedOffsets()))
      << ");\n";
  return success();
}

//===----------------------------------------------------------------------===//
// Copies of whole blocks
//===----------------------------------------------------------------------===//

LogicalResult Emitter::emitDma(Operation *Op, Value View,
                               ArrayRef<OpFoldResult> Offsets,
                               ArrayRef<OpFoldResult> Sizes, Value Buffer,
                               bool In) {
  auto Type = cast<MemRefType>(Buffer.getType());
  FailureOr<ViewText> Text = viewOf(View);
  if (failed(Text))
    return failure();
  unsigned Rank = Sizes.size();
  std::string Start = startOf(*Text, Offsets);
  std::string Rows = Rank > 1 ? text(Sizes[Rank - 2]) : "1";
  std::string Cols = text(Sizes[Rank - 1]);
  std::string Stride = Rank > 1 ? Text->Strides[Rank - 2] : "0";
  std::string Inner = Text->Strides[Rank - 1];
  std::string Pitch = std::to_string(pitchOf(Type));
  if (Rank > 1 && Type.getDimSize(1) == 1) {
    // A column is packed: its elements are a row of the buffer. A window may
    // have no column at all.
    Cols = Cols == "1" ? Rows : Rows + " * " + Cols;
    Inner = Stride;
    Rows = "1";
  }
  if (Rows == "1") {
    Stride = Cols;
    Pitch = Cols;
  }
  std::string Global =
      Start.empty() ? Text->Tensor : Text->Tensor + "[" + Start + "]";
  std::string Local = Names.lookup(Buffer).str();
  std::string Window = Rows + ", " + Cols + ", " + Stride + ", " + Pitch;
  if (Inner != "1") {
    if (!In && cast<DmaOutOp>(Op).getCombine())
      return Op->emitOpError("combines elements that do not lie side by side, "
                             "which cannot be written in AscendC yet");
    Out << Uses.use(In ? Helper::CopyInStrided : Helper::CopyOutStrided) << "("
        << (In ? Local : Global) << ", " << (In ? Global : Local) << ", "
        << (In ? "" : spareText(Type.getElementType()) + ", ") << Window << ", "
        << Inner << ");\n";
    return success();
  }
  if (In) {
    Value Pad = cast<DmaInOp>(Op).getPad();
    Out << Uses.use(Pad ? Helper::CopyInPadded : Helper::CopyIn) << "(" << Local
        << ", " << Global << ", " << Window;
    if (Pad) {
      std::string Element = cppType(Type.getElementType());
      bool IsNarrow = !Type.getElementType().isInteger(32) &&
                      isa<IntegerType>(Type.getElementType());
      Out << ", "
          << (IsNarrow ? "static_cast<" + Element + ">(" + bare(text(Pad)) + ")"
                       : text(Pad));
    }
    Out << ");\n";
    return success();
  }
  std::optional<Combine> Combine = cast<DmaOutOp>(Op).getCombine();
  if (failed(beginAtomic(Op, Type.getElementType(), Combine)))
    return failure();
  bool Blocks = !Soc.arch->hasDataCopyPad;
  Out << Uses.use(Blocks && Combine ? Helper::AddOut : Helper::CopyOut) << "("
      << Global << ", " << Local << ", "
      << (Blocks ? spareText(Type.getElementType()) + ", " : "") << Window
      << ");\n";
  if (Combine && !Blocks)
    Out << "SetAtomicNone();\n";
  return success();
}

static const char *policyName(BadIndex Policy) {
  switch (Policy) {
  case BadIndex::Trap:
    return "BadIndex::trap";
  case BadIndex::Clamp:
    return "BadIndex::clamp";
  case BadIndex::Zero:
    return "BadIndex::skip";
  case BadIndex::Wrap:
    return "BadIndex::wrap";
  }
  llvm_unreachable("all policies are listed");
}

LogicalResult Emitter::emitIndexed(Operation *Op, Value View, Value Indices,
                                   Value Buffer, BadIndex Policy, Value Count,
                                   std::optional<Combine> Combine, bool In) {
  FailureOr<ViewText> Text = viewOf(View);
  if (failed(Text))
    return failure();
  auto Type = cast<MemRefType>(Buffer.getType());
  bool Rows = Text->Extents.size() == 2;
  if (Text->Strides.back() != "1")
    return Op->emitOpError("names elements that do not lie side by side, "
                           "which cannot be written in AscendC yet");
  if (failed(beginAtomic(Op, Type.getElementType(), Combine)))
    return failure();
  if (Combine && !Rows)
    return Op->emitOpError("combines single elements, which cannot be written "
                           "in AscendC yet");
  Helper Which = Rows ? (In ? Helper::GatherRows : Helper::ScatterRows)
                      : (In ? Helper::GatherElements : Helper::ScatterElements);
  std::string Global = Text->Tensor;
  if (Text->Offset != "0")
    Global += "[" + Text->Offset + "]";
  StringRef Local = Names.lookup(Buffer);
  bool Blocks = !Soc.arch->hasDataCopyPad;
  bool AddsBlocks = Blocks && Combine;
  Uses.use(Helper::Guard);
  Uses.use(Helper::PlaceOf);
  if (Rows)
    Uses.use(In           ? Helper::CopyIn
             : AddsBlocks ? Helper::AddOut
                          : Helper::CopyOut);
  if (AddsBlocks)
    Which = Helper::ScatterAddRows;
  Out << Uses.use(Which) << "<" << policyName(Policy) << ">("
      << (In ? Local : StringRef(Global)) << ", "
      << (In ? StringRef(Global) : Local) << ", " << Names.lookup(Indices)
      << ", ";
  if (Rows && !In && Blocks)
    Out << spareText(Type.getElementType()) << ", ";
  Out << text(Count) << ", " << Text->Extents[0];
  if (Rows)
    Out << ", " << Text->Extents[1] << ", " << Text->Strides[0] << ", "
        << pitchOf(Type);
  Out << ");\n";
  if (Combine && !Blocks)
    Out << "SetAtomicNone();\n";
  return success();
}
