//===- SimplifyTiles.cpp - Canonicalize all but arithmetic on tiles -------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace belay::passes {
#define GEN_PASS_DEF_SIMPLIFYTILES
#include "passes/Passes.h.inc"
} // namespace belay::passes

using namespace mlir;
using namespace belay;

/// Arithmetic on tiles, masks among them.
static bool computesTile(Operation *Op) {
  return isa<arith::ArithDialect, math::MathDialect>(Op->getDialect()) &&
         llvm::any_of(Op->getResultTypes(), ascend::isTile);
}

namespace {
struct SimplifyTilesPass
    : belay::passes::impl::SimplifyTilesBase<SimplifyTilesPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *Context) override {
    RewritePatternSet All(Context);
    for (Dialect *Each : Context->getLoadedDialects())
      Each->getCanonicalizationPatterns(All);
    for (RegisteredOperationName Each : Context->getRegisteredOperations())
      Each.getCanonicalizationPatterns(All, Context);
    Patterns = FrozenRewritePatternSet(std::move(All));
    return success();
  }

  void runOnOperation() override {
    SmallVector<Operation *> Others;
    getOperation()->walk([&](Operation *Op) {
      if (Op != getOperation() && !computesTile(Op))
        Others.push_back(Op);
    });
    GreedyRewriteConfig Config;
    Config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    (void)applyOpPatternsGreedily(Others, Patterns, Config);
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>(
        [](Operation *Op) {
          if (isOpTriviallyDead(Op))
            Op->erase();
        });
  }

private:
  FrozenRewritePatternSet Patterns;
};
} // namespace
