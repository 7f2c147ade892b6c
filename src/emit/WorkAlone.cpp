//===- WorkAlone.cpp - When one core does all the work --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/WorkAlone.h"
#include "dialect/Ascend.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::emit;

namespace {
/// Is a number a multiple of another? Extents of arguments may be taken to be.
class Multiples {
public:
  Multiples(int64_t Of, bool Assume) : Of(Of), Assume(Assume) {}

  bool has(OpFoldResult Number) {
    if (std::optional<int64_t> Constant = getConstantIntValue(Number))
      return *Constant % Of == 0;
    return has(cast<Value>(Number));
  }

  SmallVector<WorkAlone::Extent> Assumed;

private:
  bool has(Value Number);

  int64_t Of;
  bool Assume;
};
} // namespace

bool Multiples::has(Value Number) {
  APInt Constant;
  if (matchPattern(Number, m_ConstantInt(&Constant)))
    return Constant.getSExtValue() % Of == 0;
  if (auto Argument = dyn_cast<BlockArgument>(Number)) {
    auto Loop = dyn_cast<scf::ForOp>(Argument.getOwner()->getParentOp());
    return Loop && Argument == Loop.getInductionVar() &&
           has(Loop.getLowerBound()) && has(Loop.getStep());
  }
  Operation *Def = Number.getDefiningOp();
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(Def))
    return has(Def->getOperand(0)) && has(Def->getOperand(1));
  if (isa<arith::MulIOp>(Def))
    return has(Def->getOperand(0)) || has(Def->getOperand(1));
  if (auto Select = dyn_cast<arith::SelectOp>(Def))
    return has(Select.getTrueValue()) && has(Select.getFalseValue());
  auto Dim = dyn_cast<memref::DimOp>(Def);
  if (!Assume || !Dim || !isa<BlockArgument>(Dim.getSource()) ||
      !Dim.getConstantIndex())
    return false;
  Assumed.push_back(
      {Dim.getSource(), static_cast<unsigned>(*Dim.getConstantIndex()), Of});
  return true;
}

static int64_t innerStrideOf(MemRefType View) {
  SmallVector<int64_t> Strides;
  int64_t Offset;
  return succeeded(View.getStridesAndOffset(Strides, Offset))
             ? Strides.back()
             : ShapedType::kDynamic;
}

/// Adds when the scalar unit writes part of a copy; false if always.
static bool mayShare(DmaOutOp Copy,
                     SmallVectorImpl<WorkAlone::Extent> &Unless) {
  MemRefType View = Copy.getView().getType(), Buffer = Copy.getSrc().getType();
  int64_t Bytes = View.getElementTypeBitWidth() / 8;
  int64_t Block = 32 / Bytes, Line = 64 / Bytes;
  SmallVector<OpFoldResult> Sizes = Copy.getMixedSizes();
  bool PackedColumn = Sizes.size() > 1 && Buffer.getDimSize(1) == 1;
  if (innerStrideOf(View) != 1 || PackedColumn)
    return false;
  // The end of a row of at least a block is copied once more as a block.
  std::optional<int64_t> Cols = getConstantIntValue(Sizes.back());
  if (Cols && *Cols >= Block)
    return true;
  // What begins with a line of the cache ends with the view.
  bool OwnLine =
      isa<BlockArgument>(Copy.getView()) && View.getRank() == 1 &&
      Multiples(Line, /*Assume=*/false).has(Copy.getMixedOffsets().back());
  if (OwnLine)
    return true;
  Multiples Whole(Block, /*Assume=*/true);
  if (!Whole.has(Sizes.back()))
    return false;
  for (const WorkAlone::Extent &Extent : Whole.Assumed)
    if (!llvm::is_contained(Unless, Extent))
      Unless.push_back(Extent);
  return true;
}

WorkAlone belay::emit::worksAlone(func::FuncOp Kernel,
                                  const targets::Soc &Soc) {
  WorkAlone Result;
  if (Soc.arch->hasDataCopyPad)
    return Result;
  Kernel.walk([&](Operation *Op) {
    bool Shares = true;
    if (auto Copy = dyn_cast<DmaOutOp>(Op))
      Shares = mayShare(Copy, Result.Unless);
    else if (auto Scatter = dyn_cast<DmaScatterOp>(Op))
      Shares = Scatter.getView().getType().getRank() > 1 &&
               Scatter.getSrc().getType().getDimSize(1) *
                       Scatter.getSrc().getType().getElementTypeBitWidth() >=
                   32 * 8;
    else if (isa<SyncCoresOp>(Op))
      Shares = Soc.coreSync;
    if (!Shares && !Result.Because)
      Result.Because = Op;
  });
  return Result;
}
