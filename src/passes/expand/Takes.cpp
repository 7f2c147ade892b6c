//===- Takes.cpp - Gathers from buffers -----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/expand/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

namespace {
/// Offsets are made right before they are used, so that whatever the indices
/// are, they are places of the source: analysis/GatheredElements.h reads it off
/// these instructions.
struct ExpandTake : ExpandMacro<VecTakeOp> {
  using ExpandMacro::ExpandMacro;

  LogicalResult expand(VecTakeOp Op, Nest &N) const override {
    MemRefType Type = Op.getDst().getType();
    bool IsLine = Type.getDimSize(0) == 1 || Type.getDimSize(1) == 1;
    bool Dense = IsLine || getConstantIntValue(Op.getCols()) == pitchOf(Type);
    // What lies between rows becomes offsets as well, which nobody uses.
    Value Count = Type.getDimSize(0) == 1
                      ? Op.getCols()
                      : N.times(Op.getRows(), pitchOf(Type));
    if (Dense && !Op.getByRow()) {
      N.ifNotEmpty(Count, [&] {
        makeOffsets(Op, N, Count);
        gather(Op, N, N.constant(0), Count);
      });
      return success();
    }
    N.ifNotEmpty(Op.getCols(), [&] {
      makeOffsets(Op, N, Count);
      // Said again, for proofs: a row has no more than there is space for.
      Value Cols = N.atMost(Op.getCols(), Type.getDimSize(1));
      N.forEach("r", N.constant(0), Op.getRows(), 1,
                [&](Value R) { gather(Op, N, R, Cols); });
    });
    return success();
  }

private:
  /// Places of a row, or of the whole buffer.
  static int64_t lastPlace(VecTakeOp Op) {
    MemRefType Type = Op.getSrc().getType();
    int64_t Before =
        Op.getByRow() ? 0 : (Type.getDimSize(0) - 1) * pitchOf(Type);
    return Before + Type.getDimSize(1) - 1;
  }

  static void makeOffsets(VecTakeOp Op, Nest &N, Value Count) {
    OpBuilder &B = N.builder();
    Value From = Op.getIndices();
    int64_t Bytes = Op.getSrc().getType().getElementTypeBitWidth() / 8;
    const std::pair<Binary, int64_t> Steps[] = {
        {Binary::Max, 0}, {Binary::Min, lastPlace(Op)}, {Binary::Mul, Bytes}};
    for (auto [Kind, Number] : Steps) {
      Value Scalar =
          arith::ConstantOp::create(B, N.loc(), B.getI32IntegerAttr(Number));
      VecScalarOp::create(B, Op.getLoc(), Kind, From, Scalar, Op.getWork(),
                          Count);
      N.vectorBarrier();
      From = Op.getWork();
    }
  }

  static void gather(VecTakeOp Op, Nest &N, Value Row, Value Count) {
    auto At = [&](Value Buffer) { return N.slice(Buffer, Row, N.constant(0)); };
    Value Src = Op.getByRow() ? At(Op.getSrc()) : Value(Op.getSrc());
    VecGatherOp::create(N.builder(), Op.getLoc(), Src, At(Op.getWork()),
                        At(Op.getDst()), Count);
  }
};
} // namespace

void passes::addTakePatterns(RewritePatternSet &Patterns,
                             const targets::Arch &Arch) {
  Patterns.add<ExpandTake>(Patterns.getContext(), Arch);
}
