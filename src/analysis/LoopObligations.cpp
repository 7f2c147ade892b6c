//===- LoopObligations.cpp - Loops end ------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Names.h"
#include "analysis/Obligations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

static void addFor(scf::ForOp Loop, Terms &T, Obligations &To) {
  if (!isIndexLike(Loop.getStep().getType())) {
    To.push_back({"endless-loop",
                  "the loop counts in 64 bits",
                  Choice{Conjunction()},
                  {}});
    return;
  }
  Value Step = Loop.getStep(), End = Loop.getUpperBound();
  To.push_back({"endless-loop",
                textOf(Step) + " >= 1",
                {{-T.of(Step)}},
                [=](OpBuilder &Builder, Location Loc) {
                  return compare(Builder, Loc, "sge", Step,
                                 Builder.getIndexAttr(1));
                }});
  // The last variable is below the end; one more step is added to it.
  constexpr int64_t Most = std::numeric_limits<int64_t>::max();
  Linear AfterLast = T.of(End) - 1 + T.of(Step);
  To.push_back(
      {"index-overflow",
       textOf(End) + " - 1 + " + textOf(Step) + " fits in 64 bits",
       {{less(T.of(Loop.getLowerBound()), T.of(End)), less(Most, AfterLast)}},
       // The step is positive here.
       [=](OpBuilder &Builder, Location Loc) -> Value {
         Value Limit = arith::ConstantOp::create(
             Builder, Loc, Builder.getIntegerAttr(Step.getType(), Most));
         Value Left = arith::SubIOp::create(Builder, Loc, Limit, Step);
         return compare(Builder, Loc, "sle", End, Left);
       }});
}

void analysis::addLoopObligations(Operation *Op, Terms &T, Obligations &To) {
  if (auto For = dyn_cast<scf::ForOp>(Op))
    addFor(For, T, To);
  else if (auto While = dyn_cast<scf::WhileOp>(Op))
    To.push_back(
        {"endless-loop",
         "the loop ends: what its condition compares comes closer in "
         "every iteration",
         T.ends(While) ? Choice() : Choice{Conjunction()},
         {},
         /*IsCode=*/false,
         "on every way through the body that leads to another "
         "iteration, one side has to move towards the other by at "
         "least 1; if that depends on data, count: 'while (... && left "
         "> 0) { left -= 1; ... }'"});
}
