//===- EmitInstructions.cpp - What the pipes do ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Emitter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay::ascend;
using namespace belay::emit;

//===----------------------------------------------------------------------===//
// Names of AscendC
//===----------------------------------------------------------------------===//

static const char *nameOf(Unary Kind) {
  switch (Kind) {
  case Unary::Abs:
    return "Abs";
  case Unary::Exp:
    return "Exp";
  case Unary::Ln:
    return "Ln";
  case Unary::Sqrt:
    return "Sqrt";
  case Unary::Rsqrt:
    return "Rsqrt";
  case Unary::Reciprocal:
    return "Reciprocal";
  case Unary::Relu:
    return "Relu";
  case Unary::Not:
    return "Not";
  case Unary::Tanh:
    return "Tanh";
  case Unary::Erf:
    return "Erf";
  case Unary::Sin:
    return "Sin";
  case Unary::Cos:
    return "Cos";
  case Unary::Floor:
    return "Floor";
  case Unary::Ceil:
    return "Ceil";
  case Unary::Round:
    return "Round";
  case Unary::Trunc:
    return "Trunc";
  }
  llvm_unreachable("all kinds are listed");
}

/// Null for what is not one instruction.
static const char *nameOf(Binary Kind) {
  switch (Kind) {
  case Binary::Add:
    return "Add";
  case Binary::Sub:
    return "Sub";
  case Binary::Mul:
    return "Mul";
  case Binary::Div:
    return "Div";
  case Binary::Max:
    return "Max";
  case Binary::Min:
    return "Min";
  case Binary::And:
    return "And";
  case Binary::Or:
    return "Or";
  case Binary::Power:
  case Binary::Shl:
  case Binary::Shr:
    return nullptr;
  }
  llvm_unreachable("all kinds are listed");
}

static bool hasScalarForm(Binary Kind) {
  return Kind == Binary::Add || Kind == Binary::Mul || Kind == Binary::Max ||
         Kind == Binary::Min;
}

static const char *nameOf(Round Round) {
  switch (Round) {
  case Round::None:
    return "RoundMode::CAST_NONE";
  case Round::Rint:
    return "RoundMode::CAST_RINT";
  case Round::Floor:
    return "RoundMode::CAST_FLOOR";
  case Round::Ceil:
    return "RoundMode::CAST_CEIL";
  case Round::Round:
    return "RoundMode::CAST_ROUND";
  case Round::Trunc:
    return "RoundMode::CAST_TRUNC";
  }
  llvm_unreachable("all modes are listed");
}

static StringRef pipeName(Pipe Pipe) { return stringifyPipe(Pipe); }

static std::string eventText(uint64_t Event, StringRef Slot) {
  if (Slot.empty())
    return std::to_string(Event);
  return Event ? std::to_string(Event) + " + " + Slot.str() : Slot.str();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static int64_t pitchOf(MemRefType Buffer) {
  SmallVector<int64_t> Strides;
  int64_t Offset;
  if (failed(Buffer.getStridesAndOffset(Strides, Offset)))
    return Buffer.getDimSize(1);
  return Strides[0];
}

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

LogicalResult Emitter::emitDma(Operation *Op, Value View,
                               ArrayRef<OpFoldResult> Offsets,
                               ArrayRef<OpFoldResult> Sizes, Value Buffer,
                               bool In) {
  auto Type = cast<MemRefType>(Buffer.getType());
  FailureOr<ViewText> Text = viewOf(View);
  if (failed(Text))
    return failure();
  unsigned Rank = Sizes.size();
  std::string Start = Text->Offset == "0" ? "" : Text->Offset;
  for (unsigned I = 0; I < Rank; ++I) {
    std::string Offset = text(Offsets[I]);
    if (Offset == "0")
      continue;
    Start += Start.empty() ? "" : " + ";
    Start += Text->Strides[I] == "1" ? Offset
             : Text->Strides[I].find(' ') == std::string::npos
                 ? Offset + " * " + Text->Strides[I]
                 : Offset + " * (" + Text->Strides[I] + ")";
  }
  std::string Rows = Rank > 1 ? text(Sizes[Rank - 2]) : "1";
  std::string Cols = text(Sizes[Rank - 1]);
  std::string Stride = Rank > 1 ? Text->Strides[Rank - 2] : "0";
  std::string Inner = Text->Strides[Rank - 1];
  std::string Pitch = std::to_string(pitchOf(Type));
  if (Rank > 1 && Type.getDimSize(1) == 1) {
    // A column is packed: its elements are a row of the buffer.
    Cols = Rows;
    Inner = Stride;
    Rows = "1";
  }
  if (Type.getDimSize(0) > 4095 && Rows != "1")
    return Op->emitOpError("moves more than 4095 rows at once");
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
    if (Pad)
      Out << ", " << text(Pad);
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

//===----------------------------------------------------------------------===//
// Between extents
//===----------------------------------------------------------------------===//

LogicalResult Emitter::emitReduce(VecReduceOp Op) {
  if (Op.getCombine() == Combine::Prod)
    return Op.emitOpError("multiplies, which cannot be written in AscendC yet");
  MemRefType Src = Op.getSrc().getType();
  unsigned Which = Op.getCombine() == Combine::Sum   ? 0
                   : Op.getCombine() == Combine::Max ? 1
                                                     : 2;
  constexpr Helper Rows[] = {Helper::RowSum, Helper::RowMax, Helper::RowMin};
  constexpr Helper Cols[] = {Helper::ColSum, Helper::ColMax, Helper::ColMin};
  constexpr const char *All[] = {"ReduceSum", "ReduceMax", "ReduceMin"};
  StringRef Dst = Names.lookup(Op.getDst()), From = Names.lookup(Op.getSrc()),
            Work = Names.lookup(Op.getWork());
  // A column is packed, a single row as well: both are reduced as they lie.
  bool Flat = (Op.getAxis() == Axis::Col && Src.getDimSize(1) == 1) ||
              (Op.getAxis() == Axis::Row && Src.getDimSize(0) == 1);
  if (Flat) {
    Out << All[Which] << "(" << Dst << ", " << From << ", " << Work << ", "
        << text(Op.getAxis() == Axis::Col ? Op.getRows() : Op.getCols())
        << ");\n";
    return success();
  }
  if (Op.getAxis() == Axis::All)
    return Op.emitOpError("reduces rows and columns at once");
  bool ByRow = Op.getAxis() == Axis::Row;
  // Strides between repeats are counted in blocks, up to 255.
  constexpr Helper LongRows[] = {Helper::LongRowSum, Helper::LongRowMax,
                                 Helper::LongRowMin};
  bool Long = pitchOf(Src) * Src.getElementTypeBitWidth() / 8 / 32 > 255;
  Helper ForRows = Long ? LongRows[Which] : Rows[Which];
  Out << Uses.use(ByRow ? ForRows : Cols[Which]) << "(" << Dst << ", " << From
      << ", ";
  if (ByRow)
    Out << Work << ", ";
  Out << text(Op.getRows()) << ", " << text(Op.getCols()) << ", "
      << pitchOf(Src) << ");\n";
  return success();
}

LogicalResult Emitter::emitBroadcast(VecBroadcastOp Op) {
  MemRefType Src = Op.getSrc().getType(), Dst = Op.getDst().getType();
  std::string Args =
      (Names.lookup(Op.getDst()) + ", " + Names.lookup(Op.getSrc())).str();
  std::string Rows = text(Op.getRows()), Cols = text(Op.getCols());
  std::string Pitch = std::to_string(pitchOf(Dst));
  if (Src.getNumElements() == 1) {
    Out << Uses.use(Helper::BroadcastElement) << "(" << Args << ", "
        << (Dst.getDimSize(0) == 1   ? Cols
            : Dst.getDimSize(1) == 1 ? Rows
                                     : Rows + " * " + Pitch)
        << ");\n";
    return success();
  }
  if (Src.getDimSize(0) == 1) {
    Out << Uses.use(Helper::BroadcastRow) << "(" << Args << ", " << Rows << ", "
        << Pitch << ");\n";
    return success();
  }
  if (!Op.getWork())
    return Op.emitOpError("needs space to repeat a column");
  Out << Uses.use(Helper::BroadcastColumn) << "(" << Args << ", "
      << Names.lookup(Op.getWork()) << ", " << Rows << ", " << Cols << ", "
      << Pitch << ");\n";
  return success();
}

LogicalResult Emitter::emitArgReduce(VecArgReduceOp Op) {
  MemRefType Src = Op.getSrc().getType();
  if (!isa<FloatType>(Src.getElementType()))
    return Op.emitOpError("looks for floats only, so far");
  Out << Uses.use(Op.getCombine() == Combine::Max ? Helper::RowArgMax
                                                  : Helper::RowArgMin)
      << "(" << Names.lookup(Op.getDst()) << ", " << Names.lookup(Op.getSrc())
      << ", " << Names.lookup(Op.getWork()) << ", " << text(Op.getRows())
      << ", " << text(Op.getCols()) << ", " << pitchOf(Src) << ");\n";
  return success();
}

LogicalResult Emitter::emitScan(VecScanOp Op) {
  if (Op.getCombine() != Combine::Sum)
    return Op.emitOpError("adds only, so far");
  MemRefType Src = Op.getSrc().getType();
  Out << Uses.use(Op.getAxis() == Axis::Row ? Helper::RowScan : Helper::ColScan)
      << "(" << Names.lookup(Op.getDst()) << ", " << Names.lookup(Op.getSrc())
      << ", " << text(Op.getRows()) << ", " << text(Op.getCols()) << ", "
      << pitchOf(Src) << ");\n";
  return success();
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void Emitter::emitUnary(VecUnaryOp Op) {
  Out << nameOf(Op.getKind()) << "(" << Names.lookup(Op.getDst()) << ", "
      << Names.lookup(Op.getSrc());
  if (Value Work = Op.getWork())
    Out << ", " << Names.lookup(Work) << ".ReinterpretCast<uint8_t>()";
  Out << ", " << text(Op.getCount()) << ");\n";
}

/// A count of elements up to whole repeats, as comparisons need it.
static std::string wholeRepeats(StringRef Count, MemRefType Buffer) {
  int64_t Lanes = 256 * 8 / Buffer.getElementTypeBitWidth();
  std::string Text = std::to_string(Lanes);
  return "(" + Count.str() + " + " + std::to_string(Lanes - 1) + ") / " + Text +
         " * " + Text;
}

void Emitter::emitGuard(GuardOp Guard) {
  auto Quoted = [&](StringRef Text) {
    Out << "\"";
    llvm::printEscapedString(Text, Out);
    Out << "\"";
  };
  Out << Uses.use(Helper::Guard) << "(" << bare(text(Guard.getCondition()))
      << ", ";
  Quoted(Guard.getId());
  Out << ", ";
  Quoted(Guard.getText());
  Out << ");\n";
}

LogicalResult Emitter::emitInstruction(Operation &Op) {
  auto Name = [&](Value Value) { return Names.lookup(Value); };
  return TypeSwitch<Operation *, LogicalResult>(&Op)
      .Case<DmaInOp>([&](DmaInOp In) {
        return emitDma(In, In.getView(), In.getMixedOffsets(),
                       In.getMixedSizes(), In.getDst(), /*In=*/true);
      })
      .Case<DmaOutOp>([&](DmaOutOp To) {
        return emitDma(To, To.getView(), To.getMixedOffsets(),
                       To.getMixedSizes(), To.getSrc(), /*In=*/false);
      })
      .Case<DmaGatherOp>([&](DmaGatherOp Gather) {
        return emitIndexed(Gather, Gather.getView(), Gather.getIndices(),
                           Gather.getDst(), Gather.getPolicy(),
                           Gather.getCount(), std::nullopt, /*In=*/true);
      })
      .Case<DmaScatterOp>([&](DmaScatterOp Scatter) {
        return emitIndexed(Scatter, Scatter.getView(), Scatter.getIndices(),
                           Scatter.getSrc(), Scatter.getPolicy(),
                           Scatter.getCount(), Scatter.getCombine(),
                           /*In=*/false);
      })
      .Case<VecArgReduceOp>(
          [&](VecArgReduceOp Op) { return emitArgReduce(Op); })
      .Case<VecScanOp>([&](VecScanOp Scan) { return emitScan(Scan); })
      .Case<VecTransposeOp>([&](VecTransposeOp Turn) {
        Out << Uses.use(Helper::Turn) << "(" << Name(Turn.getDst()) << ", "
            << Name(Turn.getSrc()) << ", " << text(Turn.getRows()) << ", "
            << text(Turn.getCols()) << ", " << pitchOf(Turn.getSrc().getType())
            << ", " << pitchOf(Turn.getDst().getType()) << ");\n";
        return success();
      })
      .Case<VecIotaOp>([&](VecIotaOp Iota) {
        Out << "CreateVecIndex(" << Name(Iota.getDst()) << ", "
            << text(Iota.getStart()) << ", static_cast<uint32_t>("
            << text(Iota.getCount()) << "));\n";
        return success();
      })
      .Case<VecUnaryOp>([&](VecUnaryOp Unary) {
        emitUnary(Unary);
        return success();
      })
      .Case<VecBinaryOp>([&](VecBinaryOp Binary) -> LogicalResult {
        const char *Function = nameOf(Binary.getKind());
        if (!Function)
          return Binary.emitOpError("cannot be written in AscendC yet");
        Out << Function << "(" << Name(Binary.getDst()) << ", "
            << Name(Binary.getLhs()) << ", " << Name(Binary.getRhs()) << ", "
            << text(Binary.getCount()) << ");\n";
        return success();
      })
      .Case<VecScalarOp>([&](VecScalarOp Scalar) -> LogicalResult {
        if (!hasScalarForm(Scalar.getKind()))
          return Scalar.emitOpError("takes no scalar");
        Out << nameOf(Scalar.getKind()) << "s(" << Name(Scalar.getDst()) << ", "
            << Name(Scalar.getSrc()) << ", " << text(Scalar.getScalar()) << ", "
            << text(Scalar.getCount()) << ");\n";
        return success();
      })
      .Case<VecFillOp>([&](VecFillOp Fill) {
        Out << "Duplicate(" << Name(Fill.getDst()) << ", "
            << text(Fill.getValue()) << ", " << text(Fill.getCount()) << ");\n";
        return success();
      })
      .Case<VecCopyOp>([&](VecCopyOp Copy) {
        // Whole blocks; buffers end with one.
        MemRefType Type = Copy.getDst().getType();
        int64_t Block = 256 / Type.getElementTypeBitWidth();
        Out << "DataCopy(" << Name(Copy.getDst()) << ", " << Name(Copy.getSrc())
            << ", static_cast<uint32_t>((" << text(Copy.getCount()) << " + "
            << Block - 1 << ") / " << Block << " * " << Block << "));\n";
        return success();
      })
      .Case<VecCastOp>([&](VecCastOp Cast) {
        // The 310P knows rounding to the nearest half by another name.
        Round Mode = Cast.getRound();
        if (!Soc.arch->hasDataCopyPad && Mode == Round::Rint &&
            (Cast.getDst().getType().getElementType().isF16() ||
             isa<IntegerType>(Cast.getSrc().getType().getElementType())))
          Mode = Round::None;
        Out << "Cast(" << Name(Cast.getDst()) << ", " << Name(Cast.getSrc())
            << ", " << nameOf(Mode) << ", " << text(Cast.getCount()) << ");\n";
        return success();
      })
      .Case<VecCompareOp>([&](VecCompareOp Compare) {
        Out << "Compare(" << Name(Compare.getDst()) << ", "
            << Name(Compare.getLhs()) << ", " << Name(Compare.getRhs())
            << ", CMPMODE::"
            << StringRef(stringifyCompare(Compare.getKind())).upper() << ", "
            << wholeRepeats(text(Compare.getCount()),
                            Compare.getLhs().getType())
            << ");\n";
        return success();
      })
      .Case<VecSelectOp>([&](VecSelectOp Select) {
        Out << "Select(" << Name(Select.getDst()) << ", "
            << Name(Select.getMask()) << ", " << Name(Select.getLhs()) << ", "
            << Name(Select.getRhs()) << ", SELMODE::VSEL_TENSOR_TENSOR_MODE, "
            << text(Select.getCount()) << ");\n";
        return success();
      })
      .Case<VecReduceOp>([&](VecReduceOp Reduce) { return emitReduce(Reduce); })
      .Case<VecBroadcastOp>(
          [&](VecBroadcastOp Broadcast) { return emitBroadcast(Broadcast); })
      .Case<ReadScalarOp>([&](ReadScalarOp Read) {
        Out << "const " << cppType(Read.getType()) << " "
            << Names.declare(Read.getValue(), "element") << " = "
            << Name(Read.getSrc()) << ".GetValue(" << text(Read.getIndex())
            << ");\n";
        return success();
      })
      .Case<WriteScalarOp>([&](WriteScalarOp Write) {
        Out << Name(Write.getDst()) << ".SetValue(" << text(Write.getIndex())
            << ", " << text(Write.getValue()) << ");\n";
        return success();
      })
      .Case<FlagSetOp>([&](FlagSetOp Set) {
        Out << "SetFlag<HardEvent::" << pipeName(Set.getFrom()) << "_"
            << pipeName(Set.getTo()) << ">("
            << eventText(Set.getEvent(),
                         Set.getSlot() ? text(Set.getSlot()) : "")
            << ");\n";
        return success();
      })
      .Case<FlagWaitOp>([&](FlagWaitOp Wait) {
        Out << "WaitFlag<HardEvent::" << pipeName(Wait.getFrom()) << "_"
            << pipeName(Wait.getTo()) << ">("
            << eventText(Wait.getEvent(),
                         Wait.getSlot() ? text(Wait.getSlot()) : "")
            << ");\n";
        return success();
      })
      .Case<BarrierOp>([&](BarrierOp Barrier) {
        Out << "PipeBarrier<PIPE_"
            << (Barrier.getPipe() ? pipeName(*Barrier.getPipe()) : "ALL")
            << ">();\n";
        return success();
      })
      .Case<SyncCoresOp>([&](SyncCoresOp) {
        Out << (Alone.Because ? "PipeBarrier<PIPE_ALL>();\n" : "SyncAll();\n");
        return success();
      })
      .Case<GuardOp>([&](GuardOp Guard) {
        emitGuard(Guard);
        return success();
      })
      .Default([&](Operation *Other) -> LogicalResult {
        return Other->emitOpError("cannot be written in AscendC yet");
      });
}
