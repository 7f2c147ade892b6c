//===- TranslateOrder.cpp - Flags and barriers ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/pto/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::pto;

static std::optional<Pipe> pipeOf(ascend::Pipe Old) {
  switch (Old) {
  case ascend::Pipe::S:
  case ascend::Pipe::CubeS:
    return Pipe::PIPE_S;
  case ascend::Pipe::V:
    return Pipe::PIPE_V;
  case ascend::Pipe::M:
    return Pipe::PIPE_M;
  case ascend::Pipe::MTE1:
    return Pipe::PIPE_MTE1;
  case ascend::Pipe::MTE2:
  case ascend::Pipe::CubeMTE2:
    return Pipe::PIPE_MTE2;
  case ascend::Pipe::MTE3:
    return Pipe::PIPE_MTE3;
  case ascend::Pipe::FIX:
    return Pipe::PIPE_FIX;
  default:
    return std::nullopt;
  }
}

LogicalResult Translator::translateFlag(Operation *Op, ascend::Pipe From,
                                        ascend::Pipe To, int64_t Event,
                                        Value Slot, bool Sets) {
  bool BetweenCores = ascend::isBetweenCores(From, To);
  if (Who == Sync::Ptoas && !BetweenCores)
    return success();
  std::optional<Pipe> Src = pipeOf(From), Dst = pipeOf(To);
  if (!Src || !Dst)
    return refuse(Op) << "has no such pipes [not-in-pto]";
  if (BetweenCores) {
    coreFlag(Op->getLoc(), *Src, Event, Slot, Sets);
    return success();
  }
  bool Scalar = *Src == Pipe::PIPE_S || *Dst == Pipe::PIPE_S;
  if (Scalar && ReservesScalarEvent)
    ++Event;
  constexpr int64_t Events = 8;
  if (Event >= Events || (Slot && Event + 1 >= Events))
    return refuse(Op)
           << "has only eight events between two pipes, and uses one "
              "of them itself [not-in-pto]";
  Location Loc = Op->getLoc();
  if (!Slot) {
    auto Id = static_cast<pto::Event>(Event);
    if (Sets)
      SetFlagOp::create(Builder, Loc, *Src, *Dst, Id);
    else
      WaitFlagOp::create(Builder, Loc, *Src, *Dst, Id);
    return success();
  }
  Value Id =
      arith::AddIOp::create(Builder, Loc, mapped(Slot), constant(Loc, Event));
  if (Sets)
    SetFlagDynOp::create(Builder, Loc, *Src, *Dst, Id);
  else
    WaitFlagDynOp::create(Builder, Loc, *Src, *Dst, Id);
  return success();
}

/// Flags between cores are ours whoever places the others: ptoas has none. What
/// awaits one is the scalar unit, and with it all that its core issues later.
void Translator::coreFlag(Location Loc, Pipe From, int64_t Flag, Value Slot,
                          bool Sets) {
  IntegerAttr Constant = Builder.getI32IntegerAttr(Flag);
  Value Number;
  if (Slot) {
    Constant = {};
    Number =
        arith::AddIOp::create(Builder, Loc, mapped(Slot), constant(Loc, Flag));
  }
  if (Sets)
    SyncSetOp::create(Builder, Loc, From, Constant, IntegerAttr(), Number);
  else
    SyncWaitOp::create(Builder, Loc, Pipe::PIPE_S, Constant, Number);
}

LogicalResult Translator::translate(ascend::BarrierOp Op) {
  bool BothCores = IsPart && !Op.getPipe();
  if (Who == Sync::Ptoas && !BothCores)
    return success();
  std::optional<Pipe> On =
      Op.getPipe() ? pipeOf(*Op.getPipe()) : Pipe::PIPE_ALL;
  if (!On)
    return refuse(Op) << "has no such pipe [not-in-pto]";
  Location Loc = Op.getLoc();
  pto::BarrierOp::create(Builder, Loc, *On);
  if (!BothCores)
    return success();
  // As in AscendC: the vector core tells, the cube core answers.
  int64_t Told = CoreFlags, Answered = CoreFlags + 1;
  bool IsCube = Runs == ascend::Core::Cube;
  if (IsCube)
    coreFlag(Loc, Pipe::PIPE_S, Told, {}, /*Sets=*/false);
  coreFlag(Loc, IsCube ? Pipe::PIPE_FIX : Pipe::PIPE_MTE3,
           IsCube ? Answered : Told, {}, /*Sets=*/true);
  if (!IsCube)
    coreFlag(Loc, Pipe::PIPE_S, Answered, {}, /*Sets=*/false);
  return success();
}
