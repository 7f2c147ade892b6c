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
    return "Power";
  case Binary::Shl:
    return "ShiftLeft";
  case Binary::Shr:
    return "ShiftRight";
  }
  llvm_unreachable("all kinds are listed");
}

static bool hasScalarForm(Binary Kind) {
  return Kind == Binary::Add || Kind == Binary::Mul || Kind == Binary::Max ||
         Kind == Binary::Min || Kind == Binary::Shl || Kind == Binary::Shr;
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
// Between extents
//===----------------------------------------------------------------------===//

/// The functions of one way to combine.
namespace {
struct CombineHelpers {
  Helper Rows, LongRows, ScalarRows, Cols, RowScan, ColScan;
  const char *All; ///< AscendC's own; null if there is none.
};
} // namespace

static CombineHelpers helpersFor(Combine Combine) {
  switch (Combine) {
  case Combine::Sum:
    return {Helper::RowSum, Helper::LongRowSum, Helper::ScalarRowSum,
            Helper::ColSum, Helper::RowCumSum,  Helper::ColCumSum,
            "ReduceSum"};
  case Combine::Max:
    return {Helper::RowMax, Helper::LongRowMax, Helper::ScalarRowMax,
            Helper::ColMax, Helper::RowCumMax,  Helper::ColCumMax,
            "ReduceMax"};
  case Combine::Min:
    return {Helper::RowMin, Helper::LongRowMin, Helper::ScalarRowMin,
            Helper::ColMin, Helper::RowCumMin,  Helper::ColCumMin,
            "ReduceMin"};
  case Combine::Prod:
    return {Helper::ScalarRowProd,
            Helper::ScalarRowProd,
            Helper::ScalarRowProd,
            Helper::ColProd,
            Helper::RowCumProd,
            Helper::ColCumProd,
            nullptr};
  }
  llvm_unreachable("all ways are listed");
}

LogicalResult Emitter::emitReduce(VecReduceOp Op) {
  MemRefType Src = Op.getSrc().getType();
  CombineHelpers Use = helpersFor(Op.getCombine());
  StringRef Dst = Names.lookup(Op.getDst()), From = Names.lookup(Op.getSrc()),
            Work = Names.lookup(Op.getWork());
  // A column is packed, a single row as well: both are reduced as they lie.
  bool Flat = (Op.getAxis() == Axis::Col && Src.getDimSize(1) == 1) ||
              (Op.getAxis() == Axis::Row && Src.getDimSize(0) == 1);
  bool ByRow = Op.getAxis() == Axis::Row || Flat;
  if (Op.getAxis() == Axis::All)
    return Op.emitOpError("reduces rows and columns at once");
  // The vector unit reduces floats; it has sums, maxima and minima.
  bool ByScalarUnit =
      ByRow && (!Use.All || !isa<FloatType>(Src.getElementType()));
  std::string Count =
      text(Op.getAxis() == Axis::Col ? Op.getRows() : Op.getCols());
  if (Flat && !ByScalarUnit) {
    Out << Use.All << "(" << Dst << ", " << From << ", " << Work << ", "
        << Count << ");\n";
    return success();
  }
  // Strides between repeats are counted in blocks, up to 255.
  bool Long = pitchOf(Src) * Src.getElementTypeBitWidth() / 8 / 32 > 255;
  Helper ForRows = ByScalarUnit ? Use.ScalarRows
                   : Long       ? Use.LongRows
                                : Use.Rows;
  Out << Uses.use(ByRow ? ForRows : Use.Cols) << "(" << Dst << ", " << From
      << ", ";
  if (ByRow && !ByScalarUnit)
    Out << Work << ", ";
  Out << (Flat ? "1" : text(Op.getRows())) << ", "
      << (Flat ? Count : text(Op.getCols())) << ", " << pitchOf(Src) << ");\n";
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

/// Whether the vector unit can turn all of a buffer: 16 by 16 elements of 16
/// bits at a time, at most 255 times in a row.
static bool isOfBlocks(MemRefType Buffer) {
  constexpr int64_t Block = 16;
  return Buffer.getElementTypeBitWidth() == Block &&
         Buffer.getDimSize(0) % Block == 0 &&
         Buffer.getDimSize(1) % Block == 0 &&
         Buffer.getDimSize(1) / Block <= 255;
}

static Helper helperFor(VecRepeatedOp Op) {
  bool Col = Op.getAxis() == Axis::Col;
  switch (Op.getKind()) {
  case Binary::Add:
    return Col ? Helper::AddColumn : Helper::AddRow;
  case Binary::Sub:
    if (Op.getReversed())
      return Col ? Helper::ColumnMinus : Helper::RowMinus;
    return Col ? Helper::SubColumn : Helper::SubRow;
  case Binary::Mul:
    return Col ? Helper::MulColumn : Helper::MulRow;
  case Binary::Div:
    if (Op.getReversed())
      return Col ? Helper::ColumnOver : Helper::RowOver;
    return Col ? Helper::DivColumn : Helper::DivRow;
  case Binary::Max:
    return Col ? Helper::MaxColumn : Helper::MaxRow;
  case Binary::Min:
    return Col ? Helper::MinColumn : Helper::MinRow;
  default:
    llvm_unreachable("the verifier admits no other");
  }
}

void Emitter::emitRepeated(VecRepeatedOp Op) {
  Out << Uses.use(helperFor(Op)) << "(" << Names.lookup(Op.getDst()) << ", "
      << Names.lookup(Op.getSrc()) << ", " << Names.lookup(Op.getRepeated())
      << ", " << text(Op.getRows()) << ", " << text(Op.getCols()) << ", "
      << pitchOf(Op.getSrc().getType()) << ");\n";
}

void Emitter::emitExtremes(VecExtremesOp Op) {
  Out << Uses.use(Op.getCombine() == Combine::Max ? Helper::RowExtremesMax
                                                  : Helper::RowExtremesMin)
      << "(" << Names.lookup(Op.getDst()) << ", " << Names.lookup(Op.getSrc())
      << ", " << text(Op.getRows()) << ", " << text(Op.getCols()) << ", "
      << pitchOf(Op.getSrc().getType()) << ");\n";
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
  MemRefType Src = Op.getSrc().getType();
  CombineHelpers Use = helpersFor(Op.getCombine());
  Out << Uses.use(Op.getAxis() == Axis::Row ? Use.RowScan : Use.ColScan) << "("
      << Names.lookup(Op.getDst()) << ", " << Names.lookup(Op.getSrc()) << ", "
      << text(Op.getRows()) << ", " << text(Op.getCols()) << ", "
      << pitchOf(Src) << ");\n";
  return success();
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Logic works on words of 16 bits, whatever they stand for.
std::string Emitter::words(Value Buffer) {
  return (Names.lookup(Buffer) + ".ReinterpretCast<uint16_t>()").str();
}

static std::string numberOfWords(std::string Count, MemRefType Buffer) {
  int64_t Bits = Buffer.getElementTypeBitWidth();
  if (Bits == 16)
    return Count;
  if (Bits > 16)
    return Count + " * " + std::to_string(Bits / 16);
  int64_t PerWord = 16 / Bits;
  return "(" + Count + " + " + std::to_string(PerWord - 1) + ") / " +
         std::to_string(PerWord);
}

void Emitter::emitBinary(VecBinaryOp Op) {
  bool Logic = Op.getKind() == Binary::And || Op.getKind() == Binary::Or;
  auto Operand = [&](Value Buffer) {
    return Logic ? words(Buffer) : Names.lookup(Buffer).str();
  };
  Out << nameOf(Op.getKind()) << "(" << Operand(Op.getDst()) << ", "
      << Operand(Op.getLhs()) << ", " << Operand(Op.getRhs()) << ", ";
  if (Value Work = Op.getWork())
    Out << Names.lookup(Work) << ".ReinterpretCast<uint8_t>(), "
        << "static_cast<uint32_t>(" << text(Op.getCount()) << "));\n";
  else
    Out << (Logic ? numberOfWords(text(Op.getCount()), Op.getDst().getType())
                  : text(Op.getCount()))
        << ");\n";
}

void Emitter::emitUnary(VecUnaryOp Op) {
  if (Op.getKind() == Unary::Not) {
    Out << "Not(" << words(Op.getDst()) << ", " << words(Op.getSrc()) << ", "
        << numberOfWords(text(Op.getCount()), Op.getDst().getType()) << ");\n";
    return;
  }
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

/// Fills are of 16 or 32 bits where the vector unit has no registers: two bytes
/// at once, or the halves of 64 bits, which are the same (ascend-lower-tiles).
void Emitter::emitFill(VecFillOp Fill) {
  Type Element = Fill.getDst().getType().getElementType();
  std::string Dst = Names.lookup(Fill.getDst()).str();
  std::string Value = text(Fill.getValue()), Count = text(Fill.getCount());
  bool Halves = !Soc.arch->vectorRegister;
  if (Halves && Element.isInteger(8))
    Out << "Duplicate(" << Dst << ".ReinterpretCast<int16_t>(), "
        << "static_cast<int16_t>(static_cast<uint8_t>(" << bare(Value)
        << ") * 0x101), static_cast<int32_t>((" << Count << " + 1) / 2));\n";
  else if (Halves && Element.isInteger(64))
    Out << "Duplicate(" << Dst << ".ReinterpretCast<int32_t>(), "
        << "static_cast<int32_t>(" << bare(Value) << "), static_cast<int32_t>("
        << Count << " * 2));\n";
  else
    Out << "Duplicate(" << Dst << ", " << Value << ", " << Count << ");\n";
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
      .Case<VecExtremesOp>([&](VecExtremesOp Extremes) {
        emitExtremes(Extremes);
        return success();
      })
      .Case<VecPlacesOp>([&](VecPlacesOp Places) {
        Out << Uses.use(Helper::Places) << "(" << Name(Places.getDst()) << ", "
            << Name(Places.getSrc()) << ", " << text(Places.getRows())
            << ");\n";
        return success();
      })
      .Case<VecSpreadOp>([&](VecSpreadOp Spread) {
        Out << Uses.use(Helper::Spread) << "(" << Name(Spread.getDst()) << ", "
            << Name(Spread.getSrc()) << ", " << text(Spread.getRows())
            << ");\n";
        return success();
      })
      .Case<VecRepeatedOp>([&](VecRepeatedOp Repeated) {
        emitRepeated(Repeated);
        return success();
      })
      .Case<VecScanOp>([&](VecScanOp Scan) { return emitScan(Scan); })
      .Case<VecTransposeOp>([&](VecTransposeOp Turn) {
        Out << Uses.use(isOfBlocks(Turn.getSrc().getType()) ? Helper::TurnBlocks
                                                            : Helper::Turn)
            << "(" << Name(Turn.getDst()) << ", " << Name(Turn.getSrc()) << ", "
            << text(Turn.getRows()) << ", " << text(Turn.getCols()) << ", "
            << pitchOf(Turn.getSrc().getType()) << ", "
            << pitchOf(Turn.getDst().getType()) << ");\n";
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
      .Case<VecBinaryOp>([&](VecBinaryOp Binary) {
        emitBinary(Binary);
        return success();
      })
      .Case<VecScalarOp>([&](VecScalarOp Scalar) -> LogicalResult {
        if (!hasScalarForm(Scalar.getKind()))
          return Scalar.emitOpError("takes no scalar");
        bool Shift =
            Scalar.getKind() == Binary::Shl || Scalar.getKind() == Binary::Shr;
        Out << nameOf(Scalar.getKind()) << (Shift ? "(" : "s(")
            << Name(Scalar.getDst()) << ", " << Name(Scalar.getSrc()) << ", "
            << text(Scalar.getScalar()) << ", " << text(Scalar.getCount())
            << ");\n";
        return success();
      })
      .Case<VecFillOp>([&](VecFillOp Fill) {
        emitFill(Fill);
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
        // Integers are chosen by their bits where only floats have a form.
        Type Element = Select.getDst().getType().getElementType();
        StringRef View;
        if (isa<IntegerType>(Element) && !Soc.arch->vectorRegister)
          View = Element.isInteger(16) ? ".ReinterpretCast<half>()"
                                       : ".ReinterpretCast<float>()";
        Out << "Select(" << Name(Select.getDst()) << View << ", "
            << Name(Select.getMask()) << ", " << Name(Select.getLhs()) << View
            << ", " << Name(Select.getRhs()) << View
            << ", SELMODE::VSEL_TENSOR_TENSOR_MODE, " << text(Select.getCount())
            << ");\n";
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
        Out << (Cores.isAlways() ? "PipeBarrier<PIPE_ALL>();\n"
                                 : "SyncAll();\n");
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
