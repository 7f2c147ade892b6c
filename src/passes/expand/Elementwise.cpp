//===- Elementwise.cpp - Types for which there is another form ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions that look at bits only have forms for few types: others are read
// as elements of those.
//
//===----------------------------------------------------------------------===//

#include "passes/expand/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

/// Logic works on words of 16 bits, whatever they stand for.
static constexpr int64_t WordBits = 16;

static bool isWords(MemRefType Type) {
  return Type.getElementType().isInteger(WordBits);
}

static Value wordsIn(Nest &N, Value Count, MemRefType Type) {
  int64_t Bits = Type.getElementTypeBitWidth();
  return Bits > WordBits ? N.times(Count, Bits / WordBits)
                         : N.divideUp(Count, WordBits / Bits);
}

static Value asWords(Nest &N, Value Buffer) {
  return N.slice(Buffer, 0, 0, N.builder().getIntegerType(WordBits));
}

namespace {

struct ExpandLogic : ExpandMacro<VecBinaryOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(VecBinaryOp Op, Nest &N) const override {
    MemRefType Type = Op.getDst().getType();
    if ((Op.getKind() != Binary::And && Op.getKind() != Binary::Or) ||
        isWords(Type))
      return failure();
    VecBinaryOp::create(N.builder(), Op.getLoc(), Op.getKind(),
                        asWords(N, Op.getLhs()), asWords(N, Op.getRhs()),
                        asWords(N, Op.getDst()),
                        wordsIn(N, Op.getCount(), Type));
    return success();
  }
};

struct ExpandNot : ExpandMacro<VecUnaryOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(VecUnaryOp Op, Nest &N) const override {
    MemRefType Type = Op.getDst().getType();
    if (Op.getKind() != Unary::Not || isWords(Type))
      return failure();
    VecUnaryOp::create(N.builder(), Op.getLoc(), Op.getKind(),
                       asWords(N, Op.getSrc()), asWords(N, Op.getDst()),
                       wordsIn(N, Op.getCount(), Type), Value());
    return success();
  }
};

/// Integers are chosen by their bits where only floats have a form.
struct ExpandSelect : ExpandMacro<VecSelectOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(VecSelectOp Op, Nest &N) const override {
    auto Integer =
        dyn_cast<IntegerType>(Op.getDst().getType().getElementType());
    if (!Integer || Arch.vectorRegister)
      return failure();
    Type Float = Integer.getWidth() == WordBits ? Type(N.builder().getF16Type())
                                                : N.builder().getF32Type();
    auto AsFloat = [&](Value Buffer) { return N.slice(Buffer, 0, 0, Float); };
    VecSelectOp::create(N.builder(), Op.getLoc(), Op.getMask(),
                        AsFloat(Op.getLhs()), AsFloat(Op.getRhs()),
                        AsFloat(Op.getDst()), Op.getCount());
    return success();
  }
};

/// Where elements of 8 and 64 bits cannot be filled, pairs of the ones and
/// halves of the others are. Both halves of an i64 are alike: the lowering of
/// tiles lets no other pass.
struct ExpandFill : ExpandMacro<VecFillOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(VecFillOp Op, Nest &N) const override {
    Type Element = Op.getValue().getType();
    if (Arch.vectorRegister || isSlice(Op.getDst().getType()))
      return failure();
    if (Element.isInteger(8))
      fillPairs(Op, N);
    else if (Element.isInteger(64))
      fillHalves(Op, N);
    else
      return failure();
    return success();
  }

private:
  void fillPairs(VecFillOp Op, Nest &N) const {
    OpBuilder &B = N.builder();
    Type Pair = B.getIntegerType(WordBits);
    Value Byte = arith::ExtUIOp::create(B, N.loc(), Pair, Op.getValue());
    Value Both = arith::MulIOp::create(
        B, N.loc(), Byte,
        arith::ConstantOp::create(B, N.loc(), B.getIntegerAttr(Pair, 0x101)));
    VecFillOp::create(B, Op.getLoc(), Both, N.slice(Op.getDst(), 0, 0, Pair),
                      N.divideUp(Op.getCount(), 2));
  }

  void fillHalves(VecFillOp Op, Nest &N) const {
    OpBuilder &B = N.builder();
    Type Half = B.getI32Type();
    Value Low = arith::TruncIOp::create(B, N.loc(), Half, Op.getValue());
    VecFillOp::create(B, Op.getLoc(), Low, N.slice(Op.getDst(), 0, 0, Half),
                      N.times(Op.getCount(), 2));
  }
};

/// The 310P knows rounding to the nearest half by another name.
struct ExpandCast : ExpandMacro<VecCastOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(VecCastOp Op, Nest &N) const override {
    bool Renamed = !Arch.hasCastRint && Op.getRound() == Round::Rint &&
                   (Op.getDst().getType().getElementType().isF16() ||
                    isa<IntegerType>(Op.getSrc().getType().getElementType()));
    if (!Renamed)
      return failure();
    VecCastOp::create(N.builder(), Op.getLoc(), Round::None, Op.getSrc(),
                      Op.getDst(), Op.getCount());
    return success();
  }
};

} // namespace

void passes::addElementwisePatterns(RewritePatternSet &Patterns,
                                    const targets::Arch &Arch) {
  Patterns.add<ExpandLogic, ExpandNot, ExpandSelect, ExpandFill, ExpandCast>(
      Patterns.getContext(), Arch);
}
