//===- ExpandInstructions.cpp - Macros become instructions ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/PassTarget.h"
#include "passes/Passes.h"
#include "passes/expand/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace belay::passes {
#define GEN_PASS_DEF_EXPANDINSTRUCTIONS
#include "passes/Passes.h.inc"
} // namespace belay::passes

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

//===----------------------------------------------------------------------===//
// What several patterns build
//===----------------------------------------------------------------------===//

TypedAttr passes::neutralOf(Combine Combine, Type Element) {
  Builder B(Element.getContext());
  if (auto Float = dyn_cast<FloatType>(Element)) {
    const llvm::fltSemantics &Semantics = Float.getFloatSemantics();
    switch (Combine) {
    case Combine::Sum:
      return B.getFloatAttr(Element, 0.0);
    case Combine::Prod:
      return B.getFloatAttr(Element, 1.0);
    case Combine::Max:
      return B.getFloatAttr(Element, APFloat::getInf(Semantics, true));
    case Combine::Min:
      return B.getFloatAttr(Element, APFloat::getInf(Semantics));
    }
  }
  unsigned Bits = Element.getIntOrFloatBitWidth();
  switch (Combine) {
  case Combine::Sum:
    return B.getIntegerAttr(Element, 0);
  case Combine::Prod:
    return B.getIntegerAttr(Element, 1);
  case Combine::Max:
    return B.getIntegerAttr(Element, APInt::getSignedMinValue(Bits));
  case Combine::Min:
    return B.getIntegerAttr(Element, APInt::getSignedMaxValue(Bits));
  }
  llvm_unreachable("all ways are listed");
}

Binary passes::binaryOf(Combine Combine) {
  switch (Combine) {
  case Combine::Sum:
    return Binary::Add;
  case Combine::Max:
    return Binary::Max;
  case Combine::Min:
    return Binary::Min;
  case Combine::Prod:
    return Binary::Mul;
  }
  llvm_unreachable("all ways are listed");
}

Value passes::combineScalars(Nest &N, Combine Combine, Value A, Value B) {
  OpBuilder &Builder = N.builder();
  bool Float = isa<FloatType>(A.getType());
  switch (Combine) {
  case Combine::Sum:
    return Float ? arith::AddFOp::create(Builder, N.loc(), A, B).getResult()
                 : arith::AddIOp::create(Builder, N.loc(), A, B).getResult();
  case Combine::Prod:
    return Float ? arith::MulFOp::create(Builder, N.loc(), A, B).getResult()
                 : arith::MulIOp::create(Builder, N.loc(), A, B).getResult();
  case Combine::Max:
    return Float ? arith::MaxNumFOp::create(Builder, N.loc(), A, B).getResult()
                 : arith::MaxSIOp::create(Builder, N.loc(), A, B).getResult();
  case Combine::Min:
    return Float ? arith::MinNumFOp::create(Builder, N.loc(), A, B).getResult()
                 : arith::MinSIOp::create(Builder, N.loc(), A, B).getResult();
  }
  llvm_unreachable("all ways are listed");
}

void passes::onScalarUnit(Nest &N, function_ref<void()> Build) {
  N.flag(Pipe::V, Pipe::S);
  Build();
  N.flag(Pipe::S, Pipe::V);
}

/// Duplicate takes 16 and 32 bits everywhere, and others where vectors are in
/// registers.
static bool hasFill(const targets::Arch &Arch, Type Element) {
  unsigned Bits = Element.getIntOrFloatBitWidth();
  return Bits == 16 || Bits == 32 || Arch.vectorRegister;
}

void passes::fillLine(Nest &N, Value Value, mlir::Value Buffer,
                      mlir::Value Count) {
  if (hasFill(N.Arch, Value.getType())) {
    VecFillOp::create(N.builder(), N.loc(), Value, Buffer, Count);
    return;
  }
  onScalarUnit(N, [&] {
    N.forEach("k", N.constant(0), Count, 1, [&](mlir::Value Place) {
      WriteScalarOp::create(N.builder(), N.loc(), Value, Buffer, Place);
    });
  });
}

void passes::fillBeforeCopy(Nest &N, DmaInOp Op) {
  if (!Op.getPad())
    return;
  MemRefType Type = Op.getDst().getType();
  SmallVector<OpFoldResult> Sizes = Op.getMixedSizes();
  Value Cols = N.number(Sizes.back());
  Value Rows =
      Sizes.size() > 1 ? N.number(Sizes[Sizes.size() - 2]) : N.constant(1);
  auto Missing = [&](int64_t Of, Value Extent) {
    return N.minus(N.constant(Of), Extent);
  };
  bool IsLine = Type.getDimSize(0) == 1 || Type.getDimSize(1) == 1;
  Value Left = IsLine ? Missing(Type.getNumElements(), N.times(Rows, Cols))
                      : N.plus(Missing(Type.getDimSize(0), Rows),
                               Missing(Type.getDimSize(1), Cols));
  int64_t Count =
      IsLine ? Type.getNumElements() : Type.getDimSize(0) * pitchOf(Type);
  N.ifNotEmpty(Left, [&] {
    N.flag(Pipe::MTE2, Pipe::V);
    fillLine(N, Op.getPad(), Op.getDst(), N.constant(Count));
    N.flag(Pipe::V, Pipe::MTE2);
  });
}

void passes::copyLine(Nest &N, Value From, Value To, Value Count) {
  int64_t Bits = cast<MemRefType>(To.getType()).getElementTypeBitWidth();
  VecCopyOp::create(N.builder(), N.loc(), From, To,
                    N.roundUp(Count, N.Arch.blockBytes * 8 / Bits));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

void passes::keepOrigin(Operation *Macro, Operation *Before) {
  StringRef Name = AscendDialect::OriginAttrName;
  Attribute Origin = Macro->getDiscardableAttr(Name);
  if (!Origin)
    return;
  Operation *New = Before ? Before->getNextNode() : &Macro->getBlock()->front();
  for (; New != Macro; New = New->getNextNode())
    New->setDiscardableAttr(Name, Origin);
}

static bool isMacro(Operation *Op) {
  return isa<DmaInOp, DmaOutOp, CubeInOp, CubeOutOp, DmaGatherOp, DmaScatterOp,
             VecReduceOp, VecBroadcastOp, VecSpreadOp, VecRepeatedOp,
             VecArgReduceOp, VecExtremesOp, VecPlacesOp, VecScanOp,
             VecTransposeOp, VecEveryOtherOp, VecTakeOp, VecClearOp, CubePutOp,
             CubeGetOp>(Op);
}

LogicalResult passes::expandInstructions(func::FuncOp Kernel,
                                         const targets::Arch &Arch) {
  RewritePatternSet Patterns(Kernel.getContext());
  addElementwisePatterns(Patterns, Arch);
  addColumnPatterns(Patterns, Arch);
  if (Arch.copiesWholeBlocks())
    addBlockCopyPatterns(Patterns, Arch);
  else
    addCopyPatterns(Patterns, Arch);
  addBroadcastPatterns(Patterns, Arch);
  addCubePatterns(Patterns, Arch);
  addOneCorePatterns(Patterns, Arch);
  addReductionPatterns(Patterns, Arch);
  addScalarPatterns(Patterns, Arch);
  addTakePatterns(Patterns, Arch);
  walkAndApplyPatterns(Kernel, std::move(Patterns));
  WalkResult Expanded = Kernel.walk([&](Operation *Op) {
    if (!isMacro(Op))
      return WalkResult::advance();
    Op->emitOpError("has no instructions on this architecture");
    return WalkResult::interrupt();
  });
  return failure(Expanded.wasInterrupted());
}

namespace {
struct ExpandInstructionsPass
    : passes::impl::ExpandInstructionsBase<ExpandInstructionsPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp Kernel = getOperation();
    if (Kernel.isExternal())
      return;
    const targets::Soc *Soc = ascend::socFor(Kernel, soc);
    if (!Soc || failed(expandInstructions(Kernel, *Soc->arch)))
      return signalPassFailure();
  }
};
} // namespace
