//===- Columns.cpp - Some columns of a buffer -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/expand/Patterns.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

namespace {
/// Row by row; rows that fill their space on both sides are one line.
struct ExpandEveryOther : ExpandMacro<VecEveryOtherOp> {
  using ExpandMacro::ExpandMacro;

  LogicalResult expand(VecEveryOtherOp Op, Nest &N) const override {
    int64_t Pitch = pitchOf(Op.getDst().getType());
    bool Dense = pitchOf(Op.getSrc().getType()) == 2 * Pitch &&
                 getConstantIntValue(Op.getCols()) == Pitch;
    if (Dense) {
      N.ifNotEmpty(Op.getRows(), [&] {
        take(Op, N, N.constant(0), N.times(Op.getRows(), Pitch));
      });
      return success();
    }
    N.ifNotEmpty(Op.getCols(), [&] {
      N.forEach("r", N.constant(0), Op.getRows(), 1,
                [&](Value R) { take(Op, N, R, Op.getCols()); });
    });
    return success();
  }

private:
  static void take(VecEveryOtherOp Op, Nest &N, Value Row, Value Count) {
    RepEveryOtherOp::create(
        N.builder(), Op.getLoc(), /*odd=*/false,
        N.slice(Op.getSrc(), Row, N.constant(0)),
        N.slice(Op.getDst(), N.plus(Op.getFirst(), Row), N.constant(0)), Count);
  }
};
} // namespace

void passes::addColumnPatterns(RewritePatternSet &Patterns,
                               const targets::Arch &Arch) {
  Patterns.add<ExpandEveryOther>(Patterns.getContext(), Arch);
}
