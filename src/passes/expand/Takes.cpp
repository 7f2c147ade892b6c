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
    if (Dense && !Op.getByRow()) {
      Value Count = Type.getDimSize(0) == 1
                        ? Op.getCols()
                        : N.times(Op.getRows(), pitchOf(Type));
      N.ifNotEmpty(Count, [&] { take(Op, N, N.constant(0), Count); });
      return success();
    }
    N.ifNotEmpty(Op.getCols(), [&] {
      N.forEach("r", N.constant(0), Op.getRows(), 1, [&](Value R) {
        N.vectorBarrier();
        take(Op, N, R, Op.getCols());
      });
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

  static void take(VecTakeOp Op, Nest &N, Value Row, Value Count) {
    OpBuilder &B = N.builder();
    auto At = [&](Value Buffer) { return N.slice(Buffer, Row, N.constant(0)); };
    Value Offsets = At(Op.getWork()), From = At(Op.getIndices());
    int64_t Bytes = Op.getSrc().getType().getElementTypeBitWidth() / 8;
    const std::pair<Binary, int64_t> Steps[] = {
        {Binary::Max, 0}, {Binary::Min, lastPlace(Op)}, {Binary::Mul, Bytes}};
    for (auto [Kind, Number] : Steps) {
      Value Scalar =
          arith::ConstantOp::create(B, N.loc(), B.getI32IntegerAttr(Number));
      VecScalarOp::create(B, Op.getLoc(), Kind, From, Scalar, Offsets, Count);
      N.vectorBarrier();
      From = Offsets;
    }
    Value Src = Op.getByRow() ? At(Op.getSrc()) : Value(Op.getSrc());
    VecGatherOp::create(B, Op.getLoc(), Src, Offsets, At(Op.getDst()), Count);
  }
};
} // namespace

void passes::addTakePatterns(RewritePatternSet &Patterns,
                             const targets::Arch &Arch) {
  Patterns.add<ExpandTake>(Patterns.getContext(), Arch);
}
