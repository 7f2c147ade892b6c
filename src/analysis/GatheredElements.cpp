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

#include "mlir/Dialect/SCF/IR/SCF.h"
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

static bool writes(Operation *Op, BufferOp Buffer) {
  if (isa<BarrierOp, FlagSetOp, FlagWaitOp, GuardOp, BufferOp, scf::YieldOp>(
          Op))
    return false;
  auto Interface = dyn_cast<MemoryEffectOpInterface>(Op);
  if (!Interface)
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

/// Whether an operation, or one inside of it, may change what is in a buffer.
static bool mayWrite(Operation *Op, BufferOp Buffer) {
  return Op
      ->walk([&](Operation *Inside) {
        bool IsHarmless = isa<scf::ForOp, scf::IfOp>(Inside) ||
                          (!Inside->getNumRegions() && !writes(Inside, Buffer));
        return IsHarmless ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// The last operation before another that may have written to a buffer. What a
/// loop around the latter writes, it may have written in the iteration before.
static Operation *lastWriter(Operation *Before, BufferOp Buffer) {
  for (Operation *At = Before;;) {
    while (Operation *Previous = At->getPrevNode()) {
      if (mayWrite(Previous, Buffer))
        return Previous;
      At = Previous;
    }
    At = At->getParentOp();
    if (!isa<scf::ForOp, scf::IfOp>(At) ||
        (isa<scf::ForOp>(At) && mayWrite(At, Buffer)))
      return nullptr;
  }
}

namespace {
/// What happens to the offsets before a gather, the last step first.
class Steps {
public:
  explicit Steps(VecGatherOp Gather)
      : At(Gather), Buffer(bufferOf(Gather.getOffsets())) {}

  /// The constant that the step before combines all offsets with in that way.
  std::optional<int64_t> before(Binary Kind) {
    // A part of a buffer may read its bytes as other elements.
    if (!Buffer || IsFirst ||
        !Buffer.getBuffer().getType().getElementType().isInteger(32))
      return std::nullopt;
    auto Step = dyn_cast_or_null<VecScalarOp>(lastWriter(At, Buffer));
    APInt Number;
    if (!Step || Step.getKind() != Kind ||
        Step.getDst() != Buffer.getBuffer() ||
        (Count && Step.getCount() != Count) ||
        !matchPattern(Step.getScalar(), m_ConstantInt(&Number)))
      return std::nullopt;
    At = Step;
    Count = Step.getCount();
    // What it starts from is something else, and nobody knows what.
    IsFirst = Step.getSrc() != Step.getDst();
    return Number.getSExtValue();
  }

  Value count() { return Count; }

private:
  Operation *At;
  BufferOp Buffer;
  Value Count;
  bool IsFirst = false;
};
} // namespace

std::optional<analysis::GatheredElements>
analysis::gatheredElements(VecGatherOp Gather, const targets::Arch &Arch) {
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
  return GatheredElements{*Most + 1, Steps.count()};
}

bool analysis::boundGathered(Operation *Op, const targets::Arch &Arch,
                             InstructionForm &Form) {
  auto Gather = dyn_cast<VecGatherOp>(Op);
  if (!Gather)
    return true;
  std::optional<GatheredElements> Elements = gatheredElements(Gather, Arch);
  if (!Elements)
    return false;
  InstructionAccess &Source = Form.Accesses.front();
  assert(Source.Operand == Gather.getSrc() && !Source.Writes);
  Source.Count = Builder(Op->getContext()).getIndexAttr(Elements->Number);
  return true;
}

analysis::Obligations analysis::gatheredObligations(Operation *Op,
                                                    const targets::Arch &Arch,
                                                    Terms &T) {
  auto Gather = dyn_cast<VecGatherOp>(Op);
  auto Elements = Gather ? gatheredElements(Gather, Arch) : std::nullopt;
  if (!Elements)
    return {};
  Linear Begin;
  if (auto Slice = Gather.getOffsets().getDefiningOp<SliceOp>()) {
    SmallVector<OpFoldResult> Place = Slice.getMixedOffsets();
    Begin =
        T.of(Place[0]) * DynamicAPInt(pitchOf(Slice.getSource().getType())) +
        T.of(Place[1]);
  }
  Linear End = Begin + T.of(Gather.getCount());
  Obligations Result;
  Result.push_back({UnprovenInstruction,
                    "offsets that are all inside of its source",
                    {{less(Begin, 0)}, {less(T.of(Elements->Count), End)}},
                    {},
                    /*IsCode=*/false});
  return Result;
}
