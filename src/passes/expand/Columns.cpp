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
/// Row by row; rows that fill their space on both sides are one line. The only
/// row of a buffer has no pitch: a second one would not begin with a block.
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
      if (Op.getSrc().getType().getDimSize(0) == 1)
        return N.ifNotEmpty(Op.getRows(),
                            [&] { take(Op, N, N.constant(0), Op.getCols()); });
      N.forEach("r", N.constant(0), Op.getRows(), 1,
                [&](Value R) { take(Op, N, R, Op.getCols()); });
    });
    return success();
  }

private:
  static void take(VecEveryOtherOp Op, Nest &N, Value Row, Value Count) {
    Value From = N.slice(Op.getSrc(), Row, N.constant(0));
    bool OneRow = Op.getDst().getType().getDimSize(0) == 1;
    Value To = OneRow ? N.constant(0) : N.plus(Op.getFirst(), Row);
    RepEveryOtherOp::create(N.builder(), Op.getLoc(), /*odd=*/false, From,
                            N.slice(Op.getDst(), To, N.constant(0)), Count);
  }
};
} // namespace

void passes::addColumnPatterns(RewritePatternSet &Patterns,
                               const targets::Arch &Arch) {
  Patterns.add<ExpandEveryOther>(Patterns.getContext(), Arch);
}
