//===- Uniformity.cpp - What is the same on all cores ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Uniformity.h"

#include "dialect/Ascend.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

Uniformity::Uniformity(func::FuncOp Kernel) {
  // Loops carry values back, so it takes more than one iteration.
  bool Changed = true;
  while (Changed) {
    Changed = false;
    Kernel.walk<WalkOrder::PreOrder>(
        [&](Operation *Op) { Changed |= update(Op); });
  }
}

bool Uniformity::mark(Value Value, bool DoesVary) {
  return DoesVary && Varies.insert(Value).second;
}

bool Uniformity::controlVaries(Operation *Op) const {
  if (auto If = dyn_cast<scf::IfOp>(Op))
    return !isUniform(If.getCondition());
  if (auto For = dyn_cast<scf::ForOp>(Op))
    return !isUniform(For.getLowerBound()) || !isUniform(For.getUpperBound()) ||
           !isUniform(For.getStep());
  if (auto While = dyn_cast<scf::WhileOp>(Op))
    return !isUniform(While.getConditionOp().getCondition());
  return false;
}

Operation *Uniformity::divergenceAround(Operation *Op) const {
  for (Operation *P = Op->getParentOp(); P && !isa<func::FuncOp>(P);
       P = P->getParentOp())
    if (controlVaries(P))
      return P;
  return nullptr;
}

bool Uniformity::update(Operation *Op) {
  bool Control = controlVaries(Op), Changed = false;
  auto Flows = [&](Value From, Value To) {
    Changed |= mark(To, Control || !isUniform(From));
  };
  if (auto If = dyn_cast<scf::IfOp>(Op)) {
    for (auto [I, Result] : llvm::enumerate(If.getResults())) {
      Flows(If.thenYield().getOperand(I), Result);
      Flows(If.elseYield().getOperand(I), Result);
    }
    return Changed;
  }
  if (auto For = dyn_cast<scf::ForOp>(Op)) {
    Changed |= mark(For.getInductionVar(), Control);
    for (auto [Init, Next, Arg, Result] :
         llvm::zip_equal(For.getInitArgs(), For.getYieldedValues(),
                         For.getRegionIterArgs(), For.getResults())) {
      Flows(Init, Arg);
      Flows(Next, Arg);
      Flows(Arg, Result);
    }
    return Changed;
  }
  if (auto While = dyn_cast<scf::WhileOp>(Op)) {
    for (auto [Init, Next, Arg] :
         llvm::zip_equal(While.getInits(), While.getYieldedValues(),
                         While.getBeforeArguments())) {
      Flows(Init, Arg);
      Flows(Next, Arg);
    }
    for (auto [Value, Arg, Result] :
         llvm::zip_equal(While.getConditionOp().getArgs(),
                         While.getAfterArguments(), While.getResults())) {
      Flows(Value, Arg);
      Flows(Value, Result);
    }
    return Changed;
  }
  bool DoesVary =
      isa<ascend::CoreIndexOp, ascend::LoadOp, ascend::GatherOp>(Op);
  for (Value Operand : Op->getOperands())
    DoesVary |= !isUniform(Operand);
  for (Value Result : Op->getResults())
    Changed |= mark(Result, DoesVary);
  return Changed;
}
