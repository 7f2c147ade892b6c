//===- VerifyInstructions.cpp - Can the hardware execute this? ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Freshness.h"
#include "analysis/GatheredElements.h"
#include "analysis/InstructionObligations.h"
#include "analysis/Passes.h"
#include "analysis/Views.h"
#include "analysis/WrittenSums.h"
#include "dialect/PassTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseSet.h"

namespace belay::analysis {
#define GEN_PASS_DEF_VERIFYINSTRUCTIONS
#include "analysis/Passes.h.inc"
} // namespace belay::analysis

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

namespace {
/// What is known of a kernel's numbers, in two ways. Nearly all obligations
/// need only the bounds of extents, which are minima, and the loops over them:
/// these are in a solver of their own, where what an extent is computed from is
/// not known. What they do not settle is asked with all that is known.
class Knowledge {
public:
  explicit Knowledge(Operation *Kernel)
      : Few(FewFacts, Kernel), All(AllFacts, Kernel) {}

  Terms &few() { return Few; }
  Terms &all() { return All; }

  void assume(Value Condition) { All.assume(Condition, true); }
  /// Looks for bounds of a number, and for whether it can be known.
  void define(Operation *Op);

  class Scope {
  public:
    Scope(Knowledge &K, Region *Entered = nullptr);

  private:
    Terms::Scope InFew, InAll;
  };

private:
  bool isSimple(Value Number);

  Solver FewFacts, AllFacts;
  Terms Few, All;
  /// Numbers that are constants, bounded, or computed from such.
  llvm::DenseSet<Value> Simple;
};

/// Walks over a kernel in the order of execution, as the proof of tiles does.
class Walk {
public:
  Walk(func::FuncOp Kernel, const targets::Soc &Soc, bool HasHoistedGuards)
      : Soc(Soc), HasHoistedGuards(HasHoistedGuards), Known(Kernel),
        Cache(Kernel) {}

  void visit(Block &Block) {
    for (Operation &Op : Block)
      visitOp(&Op);
  }

  unsigned Instructions = 0, Properties = 0, Few = 0;
  bool Failed = false;

private:
  void visitOp(Operation *Op);
  void visitInstruction(ascend::InstructionInterface Op);
  void visitBuffer(ascend::BufferOp Buffer);
  using Stated = llvm::function_ref<Obligations(Terms &)>;
  void prove(Operation *Op, StringRef Name, Stated State);
  void visitRead(ascend::GlobalReadOp Read);
  void visitWrite(ascend::GlobalWriteOp Write);
  void refuse(Operation *Op, const Twine &Message);

  const targets::Soc &Soc;
  bool HasHoistedGuards;
  Knowledge Known;
  Freshness Cache;
};
} // namespace

//===----------------------------------------------------------------------===//
// Knowledge
//===----------------------------------------------------------------------===//

bool Knowledge::isSimple(Value Number) {
  return getConstantIntValue(Number) || Simple.contains(Number);
}

void Knowledge::define(Operation *Op) {
  // A number that depends on a condition.
  if (auto If = dyn_cast<scf::IfOp>(Op)) {
    if (isSimple(If.getCondition()))
      for (Value Result : If.getResults()) {
        unsigned I = cast<OpResult>(Result).getResultNumber();
        if (isSimple(If.thenYield().getOperand(I)) &&
            isSimple(If.elseYield().getOperand(I)))
          Simple.insert(Result);
      }
    return;
  }
  if (Op->getNumResults() != 1 || !isa<arith::ArithDialect>(Op->getDialect()))
    return;
  Value Result = Op->getResult(0);
  if (llvm::all_of(Op->getOperands(), [&](Value V) { return isSimple(V); })) {
    Simple.insert(Result);
    return;
  }
  auto Min = dyn_cast<arith::MinSIOp>(Op);
  std::optional<int64_t> Most =
      Min ? getConstantIntValue(Min.getRhs()) : std::nullopt;
  if (!Most || !Result.getType().isIndex())
    return;
  for (int64_t Least : {1, 0})
    if (AllFacts.check({less(All.of(Result), Least)}) ==
        Solver::Answer::Contradiction) {
      Few.abstract(Result, Least, *Most);
      Simple.insert(Result);
      return;
    }
}

Knowledge::Scope::Scope(Knowledge &K, Region *Entered)
    : InFew(K.Few), InAll(K.All) {
  if (!Entered)
    return;
  K.All.enter(*Entered);
  Operation *Parent = Entered->getParentOp();
  if (auto If = dyn_cast<scf::IfOp>(Parent)) {
    if (K.isSimple(If.getCondition()))
      K.Few.enter(*Entered);
    return;
  }
  auto Loop = dyn_cast<scf::ForOp>(Parent);
  if (!Loop || !K.isSimple(Loop.getLowerBound()) ||
      !K.isSimple(Loop.getUpperBound()) || !K.isSimple(Loop.getStep()))
    return;
  K.Few.enter(*Entered);
  K.Simple.insert(Loop.getInductionVar());
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

static std::string textOf(Type Type) {
  std::string Text;
  llvm::raw_string_ostream(Text) << Type;
  return Text;
}

/// What is wrong is no mistake of the kernel, which has been accepted.
void Walk::refuse(Operation *Op, const Twine &Message) {
  Failed = true;
  Op->emitError() << Message << "; this is an error of Belay ["
                  << UnprovenInstruction << "]";
}

void Walk::visitBuffer(ascend::BufferOp Buffer) {
  ++Properties;
  if (!hasValidSlot(Buffer))
    refuse(Buffer,
           "cannot prove that the slot is one of " + Twine(Buffer.getSlots()));
  int64_t End = Buffer.getOffset().value_or(0) +
                Buffer.getSlots() * Buffer.getSlotBytes();
  int64_t Most =
      ascend::usableBytes(Soc, *ascend::getSpace(Buffer.getBuffer().getType()));
  if (End > Most)
    refuse(Buffer, "the buffer ends at byte " + Twine(End) +
                       " of a memory of " + Twine(Most));
}

static bool holds(const Obligation &What, Terms &T, unsigned Effort) {
  return llvm::all_of(What.Violations, [&](const Conjunction &Violation) {
    // In code that is never reached, what contradicts need not be related.
    if (Effort < Solver::FullEffort)
      return T.solver().excludes(Violation, Effort);
    return T.solver().check(Violation, Effort) == Solver::Answer::Contradiction;
  });
}

void Walk::visitRead(ascend::GlobalReadOp Read) {
  if (isOnlyRead(Read.getView()))
    return;
  ++Properties;
  Knowledge::Scope Here(Known);
  if (llvm::none_of(Cache.before(Read), [&](ascend::CacheCleanOp Clean) {
        return holds(isCleaned(Read, Clean, Known.all()), Known.all(),
                     Solver::FullEffort);
      }))
    refuse(Read, "cannot prove that the data cache was cleaned of what is read "
                 "after it was written last");
}

void Walk::visitWrite(ascend::GlobalWriteOp Write) {
  ++Properties;
  if (!isCleanedAfter(Write))
    refuse(Write, "what is written stays in the data cache of this core");
}

void Walk::visitInstruction(ascend::InstructionInterface Op) {
  ++Instructions;
  ascend::InstructionForm Form;
  if (failed(Op.describe(*Soc.arch, Form)))
    return refuse(Op, "'" + Op->getName().getStringRef() +
                          "' is no single instruction of " + Soc.arch->name);
  ++Properties;
  if (!exists(Form, *Soc.arch))
    refuse(Op, Twine(Soc.arch->name) + " has no " + Form.Name + " of " +
                   textOf(Form.Element));
  ++Properties;
  if (!boundGathered(Op, *Soc.arch, Form))
    return refuse(Op, "cannot prove what the offsets of " + Form.Name + " are");
  prove(Op, Form.Name, [&](Terms &T) { return obligationsOf(Form, T); });
  prove(Op, Form.Name,
        [&](Terms &T) { return gatheredObligations(Op, *Soc.arch, T); });
  ++Properties;
  if (!readsWrittenSums(Op))
    return refuse(Op, "cannot prove that the sums that " + Form.Name +
                          " reads have been written");
  prove(Op, Form.Name, [&](Terms &T) { return writtenSumsObligations(Op, T); });
}

/// What is stated is translated for one instruction and of no use to the next.
void Walk::prove(Operation *Op, StringRef Name, Stated State) {
  Knowledge::Scope Here(Known);
  Obligations Quick = State(Known.few()), Full;
  for (auto [I, What] : llvm::enumerate(Quick)) {
    ++Properties;
    if (holds(What, Known.few(), Solver::SmallEffort)) {
      ++Few;
      continue;
    }
    if (Full.empty())
      Full = State(Known.all());
    // What a guard before a loop has checked for all iterations is not known in
    // the loop; src/analysis/HoistGuards.cpp has shown it.
    if (HasHoistedGuards && What.Id == GuardedWindow)
      continue;
    if (!holds(Full[I], Known.all(), Solver::LastEffort))
      refuse(Op, "cannot prove that " + Name + " has " + What.Text);
  }
}

void Walk::visitOp(Operation *Op) {
  if (auto Guard = dyn_cast<ascend::GuardOp>(Op))
    Known.assume(Guard.getCondition());
  else if (auto Expects = dyn_cast<ascend::ExpectsOp>(Op))
    Known.assume(Expects.getCondition());
  else if (auto Buffer = dyn_cast<ascend::BufferOp>(Op))
    visitBuffer(Buffer);
  else if (auto Instruction = dyn_cast<ascend::InstructionInterface>(Op))
    visitInstruction(Instruction);
  if (auto Read = dyn_cast<ascend::GlobalReadOp>(Op))
    visitRead(Read);
  else if (auto Write = dyn_cast<ascend::GlobalWriteOp>(Op))
    visitWrite(Write);
  for (Region &Region : Op->getRegions()) {
    if (Region.empty())
      continue;
    Knowledge::Scope Here(Known, &Region);
    visit(Region.front());
  }
  Known.define(Op);
}

/// Guards of windows that stand before a loop, for all of its iterations.
static bool hasHoistedGuards(func::FuncOp Kernel) {
  return Kernel
      .walk([](ascend::GuardOp Guard) {
        return Guard.getId() == GuardedWindow &&
                       isa<scf::IfOp>(Guard->getParentOp())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct VerifyInstructionsPass
    : analysis::impl::VerifyInstructionsBase<VerifyInstructionsPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp Kernel = getOperation();
    if (Kernel.isExternal())
      return;
    const targets::Soc *Soc = ascend::socFor(Kernel, soc);
    if (!Soc)
      return signalPassFailure();
    Walk Proof(Kernel, *Soc, hasHoistedGuards(Kernel));
    Proof.visit(Kernel.front());
    NumInstructions += Proof.Instructions;
    NumProperties += Proof.Properties;
    NumQuick += Proof.Few;
    if (Proof.Failed)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
