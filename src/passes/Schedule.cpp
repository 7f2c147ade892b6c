//===- Schedule.cpp - An order in which few have to wait ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/PassTarget.h"
#include "passes/MemoryPlan.h"
#include "passes/Passes.h"

namespace belay::passes {
#define GEN_PASS_DEF_SCHEDULE
#include "passes/Passes.h.inc"
} // namespace belay::passes

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

namespace {

/// Instructions that follow each other with nothing but arithmetic between
/// them.
class Run {
public:
  explicit Run(ArrayRef<Operation *> Ops);

  /// Moves all to before End.
  void reorder(Operation *End);

private:
  struct Node {
    Operation *Op;
    SmallVector<unsigned, 4> Later; ///< What depends on it.
    unsigned Open = 0;              ///< Of what it depends on.
    unsigned Stage = 0; ///< Barriers that are needed before it at least.
    bool Done = false;
  };

  void order(unsigned First, unsigned Second);
  unsigned next() const;
  void place(Operation *Op, Operation *End);

  SmallVector<Node> Nodes;
  DenseSet<Operation *> Waiting; ///< Not placed yet.
};

} // namespace

/// All that arithmetic of the same block makes of an instruction's results.
static DenseSet<Operation *> consequencesOf(Operation *Op) {
  DenseSet<Operation *> Seen;
  SmallVector<Operation *> Left(Op->getUsers());
  while (!Left.empty()) {
    Operation *User = Left.pop_back_val();
    if (User->getBlock() == Op->getBlock() && Seen.insert(User).second &&
        !isa<InstructionInterface>(User))
      Left.append(User->user_begin(), User->user_end());
  }
  return Seen;
}

Run::Run(ArrayRef<Operation *> Ops) {
  for (Operation *Op : Ops) {
    Waiting.insert(Op);
    if (isa<InstructionInterface>(Op))
      Nodes.push_back({Op, {}, 0, 0, false});
  }
  for (unsigned First = 0; First < Nodes.size(); ++First) {
    DenseSet<Operation *> Users = consequencesOf(Nodes[First].Op);
    for (unsigned Second = First + 1; Second < Nodes.size(); ++Second)
      if (Users.contains(Nodes[Second].Op) ||
          dependOnEachOther(Nodes[First].Op, Nodes[Second].Op))
        order(First, Second);
  }
}

void Run::order(unsigned First, unsigned Second) {
  Node &A = Nodes[First], &B = Nodes[Second];
  A.Later.push_back(Second);
  ++B.Open;
  unsigned Barrier = isVector(A.Op) && isVector(B.Op) ? 1 : 0;
  B.Stage = std::max(B.Stage, A.Stage + Barrier);
}

/// Copies in as early as they can, copies out as late; between them, whatever
/// needs fewest barriers before it.
unsigned Run::next() const {
  auto Key = [&](unsigned I) {
    auto Pipe = cast<InstructionInterface>(Nodes[I].Op).getPipe();
    bool Out = Pipe == Pipe::MTE3 || Pipe == Pipe::FIX;
    unsigned Class = Pipe == Pipe::MTE2 ? 0 : Out ? 2 : 1;
    return std::tuple(Class, Nodes[I].Stage, I);
  };
  unsigned Best = ~0u;
  for (unsigned I = 0; I < Nodes.size(); ++I)
    if (!Nodes[I].Done && !Nodes[I].Open && (Best == ~0u || Key(I) < Key(Best)))
      Best = I;
  return Best;
}

/// What it is computed from goes before it.
void Run::place(Operation *Op, Operation *End) {
  if (!Waiting.erase(Op))
    return;
  for (Value Operand : Op->getOperands())
    if (Operation *Def = Operand.getDefiningOp())
      place(Def, End);
  Op->moveBefore(End);
}

void Run::reorder(Operation *End) {
  SmallVector<Operation *> Rest;
  for (Operation &Op : *End->getBlock())
    if (Waiting.contains(&Op))
      Rest.push_back(&Op);
  for (unsigned Left = Nodes.size(); Left > 0; --Left) {
    Node &Now = Nodes[next()];
    Now.Done = true;
    place(Now.Op, End);
    for (unsigned Later : Now.Later)
      --Nodes[Later].Open;
  }
  for (Operation *Op : Rest)
    place(Op, End);
}

/// Whether an operation can change places with others: instructions, space for
/// them, and arithmetic.
static bool canMove(Operation *Op) {
  return !Op->getNumRegions() && !Op->hasTrait<OpTrait::IsTerminator>() &&
         (isa<InstructionInterface, BufferOp>(Op) || isPure(Op));
}

static void schedule(Block &Block) {
  SmallVector<Operation *> Ops;
  for (Operation &Op : llvm::make_early_inc_range(Block)) {
    if (canMove(&Op)) {
      Ops.push_back(&Op);
      continue;
    }
    Run(Ops).reorder(&Op);
    Ops.clear();
  }
}

namespace {
struct SchedulePass : passes::impl::ScheduleBase<SchedulePass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp Kernel = getOperation();
    if (Kernel.isExternal())
      return;
    const targets::Soc *Soc = ascend::socFor(Kernel, soc);
    if (!Soc)
      return signalPassFailure();
    // Of all memories; what does not fit costs more than all else.
    auto CostOfPlans = [&] {
      uint64_t Cost = 0;
      for (MemorySpace Memory : memoriesOf(Kernel)) {
        MemoryLimits Limits = memoryLimitsOf(Memory, *Soc);
        if (capacity && Memory == MemorySpace::UB)
          Limits.Capacity = capacity;
        Cost += planMemory(Kernel, Limits).cost();
      }
      return Cost;
    };
    SmallVector<std::pair<Block *, SmallVector<Operation *>>> Before;
    Kernel.walk([&](Block *Block) {
      SmallVector<Operation *> Ops;
      for (Operation &Op : *Block)
        Ops.push_back(&Op);
      Before.push_back({Block, std::move(Ops)});
    });
    uint64_t Cost = CostOfPlans();
    for (auto &[Block, Ops] : Before)
      schedule(*Block);
    if (CostOfPlans() <= Cost)
      return;
    // More is alive at the same time: too much.
    ++numKept;
    for (auto &[Block, Ops] : Before)
      for (Operation *Op : Ops)
        Op->moveBefore(Block, Block->end());
  }
};
} // namespace
