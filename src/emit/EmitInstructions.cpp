//===- EmitInstructions.cpp - What the pipes do ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Pipes.h"
#include "emit/Emitter.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay::ascend;
using namespace belay::emit;

//===----------------------------------------------------------------------===//
// Names of AscendC
//===----------------------------------------------------------------------===//

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

static std::string eventText(uint64_t Event, StringRef Slot) {
  if (Slot.empty())
    return std::to_string(Event);
  return Event ? std::to_string(Event) + " + " + Slot.str() : Slot.str();
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// A buffer, or a part of one: what it is called, where it begins, and how its
/// bytes are read.
std::string Emitter::operand(Value Buffer) {
  auto Slice = Buffer.getDefiningOp<SliceOp>();
  if (!Slice)
    return Names.lookup(Buffer).str();
  MemRefType Source = Slice.getSource().getType();
  SmallVector<OpFoldResult> Offsets = Slice.getMixedOffsets();
  std::string Row = text(Offsets[0]), Col = text(Offsets[1]);
  int64_t Pitch = pitchOf(Source);
  if (Row != "0" && Pitch != 1)
    Row += " * " + std::to_string(Pitch);
  std::string Start = Row == "0" ? Col : Col == "0" ? Row : Row + " + " + Col;
  std::string Text = Names.lookup(Slice.getSource()).str();
  if (Start != "0")
    Text += "[" + Start + "]";
  Type Element = Slice.getType().getElementType();
  if (Element != Source.getElementType())
    Text += ".ReinterpretCast<" + cppType(Element) + ">()";
  return Text;
}

/// ShiftLeft of signed numbers keeps the sign; that of the language shifts all
/// bits, as unsigned numbers do.
void Emitter::emitShiftLeft(VecScalarOp Op) {
  std::string Unsigned =
      "uint" + std::to_string(Op.getDst().getType().getElementTypeBitWidth()) +
      "_t";
  Out << apiName(Op.getKind()) << "(" << operand(Op.getDst())
      << ".ReinterpretCast<" << Unsigned << ">(), " << operand(Op.getSrc())
      << ".ReinterpretCast<" << Unsigned << ">(), static_cast<" << Unsigned
      << ">(" << bare(text(Op.getScalar())) << "), " << text(Op.getCount())
      << ");\n";
}

void Emitter::emitBinary(VecBinaryOp Op) {
  Out << apiName(Op.getKind()) << "(" << operand(Op.getDst()) << ", "
      << operand(Op.getLhs()) << ", " << operand(Op.getRhs()) << ", ";
  if (Value Work = Op.getWork())
    Out << operand(Work) << ".ReinterpretCast<uint8_t>(), "
        << "static_cast<uint32_t>(" << text(Op.getCount()) << "));\n";
  else
    Out << text(Op.getCount()) << ");\n";
}

void Emitter::emitUnary(VecUnaryOp Op) {
  Out << apiName(Op.getKind()) << "(" << operand(Op.getDst()) << ", "
      << operand(Op.getSrc());
  if (Value Work = Op.getWork())
    Out << ", " << operand(Work) << ".ReinterpretCast<uint8_t>()";
  Out << ", " << text(Op.getCount()) << ");\n";
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

void Emitter::emitFlag(FlagSetOp Set) {
  std::string Event =
      eventText(Set.getEvent(), Set.getSlot() ? text(Set.getSlot()) : "");
  if (isBetweenCores(Set.getFrom(), Set.getTo()))
    Out << "CrossCoreSetFlag<2, PIPE_" << nameOnCore(Set.getFrom()) << ">("
        << Event << ");\n";
  else
    Out << "SetFlag<HardEvent::" << nameOnCore(Set.getFrom()) << "_"
        << nameOnCore(Set.getTo()) << ">(" << Event << ");\n";
}

void Emitter::emitFlag(FlagWaitOp Wait) {
  std::string Event =
      eventText(Wait.getEvent(), Wait.getSlot() ? text(Wait.getSlot()) : "");
  if (isBetweenCores(Wait.getFrom(), Wait.getTo()))
    Out << "CrossCoreWaitFlag<2, PIPE_S>(" << Event << ");\n";
  else
    Out << "WaitFlag<HardEvent::" << nameOnCore(Wait.getFrom()) << "_"
        << nameOnCore(Wait.getTo()) << ">(" << Event << ");\n";
}

/// A barrier for all pipes of two cores: the vector core tells, the cube core
/// answers. So neither flag is raised again before it was awaited.
void Emitter::emitBarrier(BarrierOp Barrier) {
  if (Barrier.getPipe()) {
    Out << "PipeBarrier<PIPE_" << nameOnCore(*Barrier.getPipe()) << ">();\n";
    return;
  }
  Out << "PipeBarrier<PIPE_ALL>();\n";
  if (!Part)
    return;
  unsigned Told = flagsBetweenCores(*Soc.arch), Answered = Told + 1;
  if (*Part == Core::Vector)
    Out << "CrossCoreSetFlag<2, PIPE_MTE3>(" << Told << ");\n"
        << "CrossCoreWaitFlag<2, PIPE_S>(" << Answered << ");\n";
  else
    Out << "CrossCoreWaitFlag<2, PIPE_S>(" << Told << ");\n"
        << "CrossCoreSetFlag<2, PIPE_FIX>(" << Answered << ");\n";
}

LogicalResult Emitter::emitInstruction(Operation &Op) {
  auto Name = [&](Value Value) { return operand(Value); };
  return TypeSwitch<Operation *, LogicalResult>(&Op)
      .Case<CopyPadInOp, CopyPadOutOp, CopyBlocksInOp, CopyBlocksOutOp,
            CopyRowsInOp, CopyRowsOutOp>(
          [&](auto Copy) { return emitCopy(Copy); })
      .Case<CubeNd2NzOp, CubeFillOp, CubeLoadOp, CubeLoadFractalsOp, CubeMmadOp,
            CubeFixpipeOp, CubePutBlocksOp, CubeFractalsOp, CubeRowsOp>(
          [&](auto Cube) { return emitCube(Cube); })
      .Case<GlobalReadOp, GlobalWriteOp, CacheCleanOp>(
          [&](auto Element) { return emitElement(Element); })
      .Case<VecIotaOp>([&](VecIotaOp Iota) {
        Out << "CreateVecIndex(" << Name(Iota.getDst()) << ", "
            << scalarFor(Iota.getDst(), Iota.getStart())
            << ", static_cast<uint32_t>(" << text(Iota.getCount()) << "));\n";
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
        if (Scalar.getKind() == Binary::Shl) {
          emitShiftLeft(Scalar);
          return success();
        }
        Out << apiName(Scalar.getKind())
            << (Scalar.getKind() == Binary::Shr ? "(" : "s(")
            << Name(Scalar.getDst()) << ", " << Name(Scalar.getSrc()) << ", "
            << scalarFor(Scalar.getDst(), Scalar.getScalar()) << ", "
            << text(Scalar.getCount()) << ");\n";
        return success();
      })
      .Case<VecGatherOp>([&](VecGatherOp Gather) {
        Out << "Gather(" << Name(Gather.getDst()) << ", "
            << Name(Gather.getSrc()) << ", " << Name(Gather.getOffsets())
            << ".ReinterpretCast<uint32_t>(), 0, static_cast<uint32_t>("
            << bare(text(Gather.getCount())) << "));\n";
        return success();
      })
      .Case<VecFillOp>([&](VecFillOp Fill) {
        Out << "Duplicate(" << Name(Fill.getDst()) << ", "
            << scalarFor(Fill.getDst(), Fill.getValue()) << ", "
            << text(Fill.getCount()) << ");\n";
        return success();
      })
      .Case<VecCopyOp>([&](VecCopyOp Copy) {
        Out << "DataCopy(" << Name(Copy.getDst()) << ", " << Name(Copy.getSrc())
            << ", static_cast<uint32_t>(" << bare(text(Copy.getCount()))
            << "));\n";
        return success();
      })
      .Case<VecCastOp>([&](VecCastOp Cast) {
        Out << "Cast(" << Name(Cast.getDst()) << ", " << Name(Cast.getSrc())
            << ", " << nameOf(Cast.getRound()) << ", " << text(Cast.getCount())
            << ");\n";
        return success();
      })
      .Case<VecCompareOp>([&](VecCompareOp Compare) {
        Out << "Compare(" << Name(Compare.getDst()) << ", "
            << Name(Compare.getLhs()) << ", " << Name(Compare.getRhs())
            << ", CMPMODE::"
            << StringRef(stringifyCompare(Compare.getKind())).upper() << ", "
            << text(Compare.getCount()) << ");\n";
        return success();
      })
      .Case<VecSelectOp>([&](VecSelectOp Select) {
        Out << "Select(" << Name(Select.getDst()) << ", "
            << Name(Select.getMask()) << ", " << Name(Select.getLhs()) << ", "
            << Name(Select.getRhs()) << ", SELMODE::VSEL_TENSOR_TENSOR_MODE, "
            << text(Select.getCount()) << ");\n";
        return success();
      })
      .Case<RepBinaryOp, RepScalarOp, RepCopyOp, RepReduceOp, RepBlockReduceOp,
            RepBrcbOp, RepEveryOtherOp, RepTransposeOp, LibReduceOp>(
          [&](auto Repeated) {
            emitRepeated(Repeated);
            return success();
          })
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
      .Case<DumpOp>([&](DumpOp Dump) {
        Out << "DumpTensor(" << Name(Dump.getSrc());
        if (!matchPattern(Dump.getIndex(), m_Zero()))
          Out << "[" << text(Dump.getIndex()) << "]";
        Out << ", " << Dump.getLine() << ", static_cast<uint32_t>("
            << text(Dump.getCount()) << "));\n";
        return success();
      })
      .Case<FlagSetOp, FlagWaitOp>([&](auto Flag) {
        emitFlag(Flag);
        return success();
      })
      .Case<BarrierOp>([&](BarrierOp Barrier) {
        emitBarrier(Barrier);
        return success();
      })
      .Case<SyncCoresOp>([&](SyncCoresOp) {
        // Of the cores of a block, both wait.
        Out << (Cores.isAlways() ? "PipeBarrier<PIPE_ALL>();\n"
                : Part           ? "SyncAll<false>();\n"
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
