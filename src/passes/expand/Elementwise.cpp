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

/// The 310P knows rounding to the nearest half by another name.
struct ExpandCast : ExpandMacro<VecCastOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(VecCastOp Op, Nest &N) const override {
    bool Renamed = !Arch.hasDataCopyPad && Op.getRound() == Round::Rint &&
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
  Patterns.add<ExpandLogic, ExpandNot, ExpandSelect, ExpandCast>(
      Patterns.getContext(), Arch);
}
