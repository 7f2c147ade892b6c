//===- Stages.cpp - Vector instructions between barriers ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Stages.h"
#include "passes/Conflicts.h"

using namespace mlir;
using namespace belay::ascend;
using namespace belay::passes;

bool belay::passes::isVector(Operation *Op) {
  auto Instruction = dyn_cast<InstructionInterface>(Op);
  return Instruction && Instruction.getPipe() == Pipe::V;
}

static SmallVector<MemoryEffects::EffectInstance> effectsOf(Operation *Op) {
  SmallVector<MemoryEffects::EffectInstance> Effects;
  if (auto Interface = dyn_cast<MemoryEffectOpInterface>(Op))
    Interface.getEffects(Effects);
  return Effects;
}

bool belay::passes::dependOnEachOther(Operation *A, Operation *B) {
  for (const auto &First : effectsOf(A))
    for (const auto &Second : effectsOf(B)) {
      Value Left = First.getValue(), Right = Second.getValue();
      bool Writes = isa<MemoryEffects::Write>(First.getEffect()) ||
                    isa<MemoryEffects::Write>(Second.getEffect());
      // What is no memory of the kernel is one thing: its output on a terminal.
      if (!Left && !Right && Writes)
        return true;
      if (!Left || !Right || !Writes)
        continue;
      bool Views = isView(Left.getType()) && isView(Right.getType());
      if (Left == Right || (Views && mayOverlap(Left, Right)))
        return true;
    }
  return false;
}

/// What is between loops and branches stands for itself: a loop ends a stage.
void Stages::divide(Block &Block) {
  unsigned First = All.size();
  SmallVector<Operation *> Inside;
  bool Fresh = true;
  for (Operation &Op : Block) {
    Fresh |= Op.getNumRegions() != 0;
    if (!isVector(&Op))
      continue;
    Fresh |= llvm::any_of(Fresh ? Stage() : All.back(), [&](Operation *Other) {
      return dependOnEachOther(Other, &Op);
    });
    if (Fresh)
      All.emplace_back();
    Fresh = false;
    All.back().push_back(&Op);
    Inside.push_back(&Op);
    Places[&Op].Stage = All.size() - 1;
  }
  for (Operation *Op : Inside) {
    Places[Op].First = First;
    Places[Op].Last = All.size() - 1;
  }
}

Stages::Stages(Operation *Kernel) {
  Kernel->walk([&](Block *Block) { divide(*Block); });
}

std::pair<Operation *, Operation *> Stages::around(Operation *Op) const {
  auto Found = Places.find(Op);
  if (Found == Places.end())
    return {Op, Op};
  const Stage &Stage = All[Found->second.Stage];
  return {Stage.front(), Stage.back()};
}

bool Stages::areTogether(Operation *A, Operation *B) const {
  auto First = Places.find(A), Second = Places.find(B);
  return First != Places.end() && Second != Places.end() &&
         First->second.Stage == Second->second.Stage;
}

bool Stages::isFirst(Operation *Op) const {
  auto Found = Places.find(Op);
  return Found != Places.end() && Found->second.First != Found->second.Last &&
         Found->second.Stage == Found->second.First;
}

bool Stages::isLast(Operation *Op) const {
  auto Found = Places.find(Op);
  return Found != Places.end() && Found->second.First != Found->second.Last &&
         Found->second.Stage == Found->second.Last;
}
