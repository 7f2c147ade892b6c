//===- GatheredElements.cpp - How far a gather reaches --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions are looked at in the order of the kernel. That they have their
// effects in this order, ascend-verify-sync has shown.
//
//===----------------------------------------------------------------------===//

#include "analysis/GatheredElements.h"

#include "analysis/InstructionObligations.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;

static BufferOp bufferOf(Value Operand) {
  if (auto Slice = Operand.getDefiningOp<SliceOp>())
    Operand = Slice.getSource();
  return Operand.getDefiningOp<BufferOp>();
}

/// Whether an operation may change what is in a buffer.
static bool mayWrite(Operation *Op, BufferOp Buffer) {
  if (isa<BarrierOp, FlagSetOp, FlagWaitOp, GuardOp, BufferOp>(Op))
    return false;
  auto Interface = dyn_cast<MemoryEffectOpInterface>(Op);
  if (Op->getNumRegions() || !Interface)
    return true;
  SmallVector<MemoryEffects::EffectInstance> Effects;
  Interface.getEffects(Effects);
  return llvm::any_of(Effects, [&](const auto &Effect) {
    if (!isa<MemoryEffects::Write>(Effect.getEffect()))
      return false;
    Value Operand = Effect.getValue();
    if (!Operand)
      return true;
    if (isView(Operand.getType()))
      return false;
    BufferOp Written = bufferOf(Operand);
    return !Written || !analysis::areApart(Written, Buffer);
  });
}

namespace {
/// What happens to the offsets before a gather, the last step first.
class Steps {
public:
  explicit Steps(VecGatherOp Gather)
      : Gather(Gather), At(Gather), Buffer(bufferOf(Gather.getOffsets())) {}

  /// The constant that the step before combines all offsets with in that way.
  std::optional<int64_t> before(Binary Kind) {
    if (!Buffer || Done)
      return std::nullopt;
    Operation *Last = At->getPrevNode();
    while (Last && !mayWrite(Last, Buffer))
      Last = Last->getPrevNode();
    auto Step = dyn_cast_or_null<VecScalarOp>(Last);
    APInt Number;
    if (!Step || Step.getKind() != Kind ||
        Step.getDst() != Gather.getOffsets() ||
        Step.getCount() != Gather.getCount() ||
        !matchPattern(Step.getScalar(), m_ConstantInt(&Number)))
      return std::nullopt;
    At = Step;
    // What it starts from is something else, and nobody knows what.
    Done = Step.getSrc() != Gather.getOffsets();
    return Number.getSExtValue();
  }

private:
  VecGatherOp Gather;
  Operation *At;
  BufferOp Buffer;
  bool Done = false;
};
} // namespace

std::optional<int64_t> analysis::gatheredElements(VecGatherOp Gather,
                                                  const targets::Arch &Arch) {
  int64_t Bytes =
      getElementTypeOrSelf(Gather.getSrc().getType()).getIntOrFloatBitWidth() /
      8;
  Steps Steps(Gather);
  std::optional<int64_t> Factor = Steps.before(Binary::Mul);
  if (Factor != Bytes)
    return std::nullopt;
  std::optional<int64_t> Most = Steps.before(Binary::Min);
  std::optional<int64_t> Least = Steps.before(Binary::Max);
  int64_t Highest = std::min<int64_t>(Arch.highestOffset(Bytes), INT32_MAX);
  if (!Most || Least != 0 || *Most < 0 || *Most > Highest / Bytes)
    return std::nullopt;
  return *Most + 1;
}

bool analysis::boundGathered(Operation *Op, const targets::Arch &Arch,
                             InstructionForm &Form) {
  auto Gather = dyn_cast<VecGatherOp>(Op);
  if (!Gather)
    return true;
  std::optional<int64_t> Elements = gatheredElements(Gather, Arch);
  if (!Elements)
    return false;
  InstructionAccess &Source = Form.Accesses.front();
  assert(Source.Operand == Gather.getSrc() && !Source.Writes);
  Source.Count = Builder(Op->getContext()).getIndexAttr(*Elements);
  return true;
}
