//===- DecideCores.cpp - Which cores of a launch work ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads stores at the level of tiles, and the copies that they become at the
// level of instructions, so that what was decided first can be checked again on
// what is emitted.
//
//===----------------------------------------------------------------------===//

#include "analysis/Passes.h"
#include "dialect/PassTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace belay::analysis {
#define GEN_PASS_DEF_ASCENDDECIDECORES
#include "analysis/Passes.h.inc"
} // namespace belay::analysis

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using Extent = CoresAttr::Extent;

namespace {
/// What a kernel needs of its cores.
struct Need {
  /// Why one core has to do all the work, for every launch.
  Operation *Because = nullptr;
  /// Extents that have to be multiples, or one core works alone.
  SmallVector<Extent> Unless;
};

/// Is a number a multiple of another? Extents of arguments may be taken to be.
class Multiples {
public:
  Multiples(int64_t Of, bool Assume) : Of(Of), Assume(Assume) {}

  bool has(OpFoldResult Number) {
    if (std::optional<int64_t> Constant = getConstantIntValue(Number))
      return *Constant % Of == 0;
    return has(cast<Value>(Number));
  }

  SmallVector<Extent> Assumed;

private:
  bool has(Value Number);

  int64_t Of;
  bool Assume;
};

/// A store, or the copy that it has become.
struct Store {
  MemRefType View;
  Value Into;
  SmallVector<OpFoldResult> Offsets, Sizes;
  int64_t TileCols;
  bool Combines;
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
  Assumed.push_back({cast<BlockArgument>(Dim.getSource()).getArgNumber(),
                     static_cast<unsigned>(*Dim.getConstantIndex()), Of});
  return true;
}

static int64_t innerStrideOf(MemRefType View) {
  SmallVector<int64_t> Strides;
  int64_t Offset;
  return succeeded(View.getStridesAndOffset(Strides, Offset))
             ? Strides.back()
             : ShapedType::kDynamic;
}

static std::optional<Store> storeOf(Operation *Op) {
  if (auto Tile = dyn_cast<StoreOp>(Op))
    return Store{Tile.getView().getType(),
                 Tile.getView(),
                 Tile.getMixedOffsets(),
                 Tile.getMixedSizes(),
                 getCapacity(Tile.getTile().getType()).getCols(),
                 Tile.getCombine().has_value()};
  if (auto Copy = dyn_cast<DmaOutOp>(Op))
    return Store{Copy.getView().getType(),
                 Copy.getView(),
                 Copy.getMixedOffsets(),
                 Copy.getMixedSizes(),
                 Copy.getSrc().getType().getDimSize(1),
                 Copy.getCombine().has_value()};
  return std::nullopt;
}

/// Adds when the scalar unit writes part of a store; false if always.
static bool mayShare(const Store &S, SmallVectorImpl<Extent> &Unless) {
  int64_t Bytes = std::max(1u, S.View.getElementTypeBitWidth() / 8);
  int64_t Block = 32 / Bytes, Line = 64 / Bytes;
  bool PackedColumn = S.Sizes.size() > 1 && S.TileCols == 1;
  if (innerStrideOf(S.View) != 1 || PackedColumn)
    return false;
  // The end of a row of at least a block is copied once more as a block.
  std::optional<int64_t> Cols = getConstantIntValue(S.Sizes.back());
  if (Cols && *Cols >= Block)
    return true;
  // What begins with a line of the cache ends with the view. Other cores may
  // add to the same elements.
  bool OwnLine = !S.Combines && isa<BlockArgument>(S.Into) &&
                 S.View.getRank() == 1 &&
                 Multiples(Line, /*Assume=*/false).has(S.Offsets.back());
  if (OwnLine)
    return true;
  Multiples Multiple(Block, /*Assume=*/true);
  if (!Multiple.has(S.Sizes.back()))
    return false;
  for (const Extent &E : Multiple.Assumed)
    if (!llvm::is_contained(Unless, E))
      Unless.push_back(E);
  return true;
}

/// Whether rows that indices name are copied, because they are at least a block
/// each.
static bool isOfBlocks(MemRefType View, int64_t TileCols) {
  return View.getRank() > 1 && TileCols > 1 && innerStrideOf(View) == 1 &&
         !View.isDynamicDim(1) &&
         View.getDimSize(1) * View.getElementTypeBitWidth() >= 32 * 8;
}

static Need needOf(func::FuncOp Kernel, const targets::Soc &Soc) {
  Need Result;
  if (!Soc.arch->copiesWholeBlocks())
    return Result;
  Operation *Barrier = nullptr;
  Kernel.walk([&](Operation *Op) {
    bool Shares = true;
    if (std::optional<Store> Found = storeOf(Op)) {
      Shares = mayShare(*Found, Result.Unless);
    } else if (auto Tiles = dyn_cast<ScatterOp>(Op)) {
      Shares = isOfBlocks(Tiles.getView().getType(),
                          getCapacity(Tiles.getTile().getType()).getCols());
    } else if (auto Copy = dyn_cast<DmaScatterOp>(Op)) {
      Shares = isOfBlocks(Copy.getView().getType(),
                          Copy.getSrc().getType().getDimSize(1));
    } else if (isa<SyncCoresOp>(Op)) {
      Barrier = Op;
      Shares = Soc.coreSync;
    }
    if (!Shares && !Result.Because)
      Result.Because = Op;
  });
  // Cores that have returned would never come to a barrier.
  if (!Result.Because && !Result.Unless.empty())
    Result.Because = Barrier;
  return Result;
}

static CoresAttr decide(const Need &Needed, MLIRContext *Context) {
  return Needed.Because ? CoresAttr::alone(Context)
                        : CoresAttr::aloneUnless(Context, Needed.Unless);
}

/// Whether a decision leaves to one core at least what has to be left to it.
static bool isEnough(CoresAttr Cores, const Need &Needed) {
  if (Cores.isAlways())
    return true;
  SmallVector<Extent> Known = Cores.getExtents();
  return !Needed.Because && llvm::all_of(Needed.Unless, [&](const Extent &E) {
    return llvm::any_of(Known, [&](const Extent &G) {
      return G.Argument == E.Argument && G.Dim == E.Dim && G.Of % E.Of == 0;
    });
  });
}

namespace {
struct DecideCores : analysis::impl::AscendDecideCoresBase<DecideCores> {
  using AscendDecideCoresBase::AscendDecideCoresBase;

  void runOnOperation() override {
    func::FuncOp Kernel = getOperation();
    if (!Kernel->hasAttr(AscendDialect::KernelAttr) || Kernel.isDeclaration())
      return;
    const targets::Soc *Soc = socFor(Kernel);
    if (!Soc)
      return signalPassFailure();
    Need Needed = needOf(Kernel, *Soc);
    if (CoresAttr Decided = getCores(Kernel)) {
      if (isEnough(Decided, Needed))
        return;
      Operation *Why = Needed.Because ? Needed.Because : Kernel.getOperation();
      Why->emitError() << "cores of " << Soc->name
                       << " would write next to each other here, but the "
                          "kernel was decided to work on "
                       << Decided;
      return signalPassFailure();
    }
    Kernel->setAttr(AscendDialect::CoresAttrName,
                    decide(Needed, &getContext()));
    if (Needed.Because)
      Needed.Because->emitRemark()
          << "on " << Soc->name
          << " one core does all the work of this kernel, and core_count() is "
             "1: here cores would overlap, or write less than 32 bytes next to "
             "each other";
  }
};
} // namespace
