//===- Prover.cpp - All proofs of one kernel ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Prover.h"

#include "analysis/Cores.h"
#include "dialect/Ascend.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

namespace {
/// Walks over a kernel in the order of execution. What is known at a place is
/// in T; it grows with every contract and condition on the way and shrinks
/// again where their scope ends.
class Walk {
public:
  Walk(func::FuncOp Kernel, const Uniformity &U, Verdicts &V)
      : T(S, Kernel), U(U), V(V) {}

  void visit(Block &Block);

private:
  void visitOp(Operation *Op);
  void visitRegion(Region &Region);
  bool isContradiction() { return S.check() == Solver::Answer::Contradiction; }

  Solver S;
  Terms T;
  const Uniformity &U;
  Verdicts &V;
};
} // namespace

void Walk::visit(Block &Block) {
  // Guards are inserted on the way, before the operation that is visited.
  for (Operation &Op : llvm::make_early_inc_range(Block))
    visitOp(&Op);
}

void Walk::visitRegion(Region &Region) {
  if (Region.empty())
    return;
  Terms::Scope Here(T);
  T.enter(Region);
  if (isContradiction()) {
    // Nothing, and what other cores would do where one does all the work, is no
    // mistake.
    bool IsEmpty = llvm::hasSingleElement(Region.front());
    if (!IsEmpty && !ascend::worksAlone(Region.getParentOp()))
      Region.getParentOp()->emitWarning()
          << "this code is never reached: conditions around it contradict each "
             "other [contradiction]";
    return;
  }
  visit(Region.front());
}

void Walk::visitOp(Operation *Op) {
  if (!isKnown(Op)) {
    V.decide(Op, false, "unknown-operation",
             "nothing is known of '" + Op->getName().getStringRef() +
                 "' in kernels");
    return;
  }
  for (const Obligation &What : obligationsOf(Op, T))
    V.prove(Op, What, T);
  proveRole(Op, U, T, V);
  if (auto Guard = dyn_cast<ascend::GuardOp>(Op))
    T.assume(Guard.getCondition(), true);
  if (auto Expects = dyn_cast<ascend::ExpectsOp>(Op)) {
    bool Excluded;
    {
      Terms::Scope Here(T);
      T.assume(Expects.getCondition(), true);
      Excluded = isContradiction();
    }
    InFlightDiagnostic Diag = V.decide(
        Op, !Excluded, "contradiction",
        "no launch fulfils this together with what is expected before it");
    if (Excluded && ascend::worksAlone(Op))
      Diag.attachNote() << "one core does all the work of this kernel on the "
                           "target, so core_count() is 1";
    if (!Excluded)
      T.assume(Expects.getCondition(), true);
  }
  for (Region &Region : Op->getRegions())
    visitRegion(Region);
}

ProofCounts analysis::proveKernel(func::FuncOp Kernel, bool Deny) {
  Verdicts V(Deny);
  Uniformity U(Kernel);
  Walk(Kernel, U, V).visit(Kernel.front());
  proveBarriers(Kernel, U, V);
  proveDisjointness(Kernel, U, V);
  if (V.counts().Guarded && !V.counts().Refused)
    hoistGuards(Kernel);
  return V.counts();
}
