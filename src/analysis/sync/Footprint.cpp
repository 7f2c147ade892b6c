//===- Footprint.cpp - Which memory an instruction uses -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/sync/Footprint.h"
#include "dialect/Fractals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;
using namespace belay::ascend;

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// The most that a number can be, as far as its definition says.
static int64_t mostOf(Value Number, int64_t Otherwise) {
  APInt Constant;
  if (matchPattern(Number, m_ConstantInt(&Constant)))
    return Constant.getSExtValue();
  if (auto Least = Number.getDefiningOp<arith::MinSIOp>())
    if (matchPattern(Least.getRhs(), m_ConstantInt(&Constant)))
      return std::min(Constant.getSExtValue(), Otherwise);
  return Otherwise;
}

/// The window of a copy. It has at most two dimensions (W2), and no more
/// elements in them than the buffer at its other end holds (W4).
template <typename DmaOp>
static FailureOr<MemoryRegion> windowOf(DmaOp Op, int64_t Rows, int64_t Cols) {
  SmallVector<OpFoldResult> Sizes = Op.getMixedSizes();
  SmallVector<int64_t> Most(Sizes.size(), 1);
  Most.back() = Most.size() == 1 ? Rows * Cols : Cols;
  if (Most.size() > 1)
    Most[Most.size() - 2] = Rows;
  for (auto [Size, Extent] : llvm::zip_equal(Sizes, Most)) {
    std::optional<int64_t> Constant = getConstantIntValue(Size);
    Extent = Constant ? *Constant : mostOf(cast<Value>(Size), Extent);
  }
  return regionOf(Op.getView(), Op.getMixedOffsets(), Most);
}

template <typename DmaOp>
static FailureOr<MemoryRegion> windowOf(DmaOp Op, MemRefType Buffer) {
  return windowOf(Op, Buffer.getDimSize(0), Buffer.getDimSize(1));
}

/// The same where the buffer holds fractals of a matrix.
template <typename DmaOp>
static FailureOr<MemoryRegion> windowOf(DmaOp Op,
                                        std::optional<MatrixRoom> Room) {
  return windowOf(Op, Room->Rows, Room->Cols);
}

//===----------------------------------------------------------------------===//
// Parts of buffers
//===----------------------------------------------------------------------===//

namespace {
/// Rows and columns of a buffer that an instruction reaches over at most.
struct Reach {
  int64_t Rows, Cols;
};
} // namespace

/// The column that a part of a buffer begins at, if that is known.
static std::optional<int64_t> columnOf(Value Operand) {
  auto Slice = Operand.getDefiningOp<SliceOp>();
  if (!Slice || Slice.getStaticOffsets().size() != 2 ||
      ShapedType::isDynamic(Slice.getStaticOffsets()[1]))
    return std::nullopt;
  return Slice.getStaticOffsets()[1];
}

/// Of an instruction by repeats, one of whose strides takes it from row to row
/// of the buffer, or along a row, or nowhere.
static std::optional<Reach> reachOfRepeats(Value Operand, MemRefType Buffer,
                                           Value Mask, Value Repeat,
                                           int64_t BlockStride,
                                           int64_t RowStride) {
  int64_t Block = 32 * 8 / Buffer.getElementTypeBitWidth();
  int64_t Width = BlockStride == 0   ? Block
                  : BlockStride == 1 ? mostOf(Mask, 8 * Block)
                                     : 8 * Block * BlockStride;
  if (RowStride == 0)
    return Reach{1, Width};
  if (RowStride * Block != pitchOf(Buffer)) {
    // Repeats that end inside the row where they begin.
    std::optional<int64_t> Column = columnOf(Operand);
    int64_t Repeats = mostOf(Repeat, Unbounded);
    if (!Column || Repeats == Unbounded || Repeats > 255)
      return std::nullopt;
    int64_t Length = std::max<int64_t>(Repeats - 1, 0) * RowStride * Block;
    if (*Column + Length + Width > pitchOf(Buffer))
      return std::nullopt;
    return Reach{1, Length + Width};
  }
  return Reach{mostOf(Repeat, Buffer.getDimSize(0)), Width};
}

/// Whether blocks and the gap after them, in blocks, are a row of a buffer.
static bool fillRow(Value Blocks, Value Gap, MemRefType Buffer) {
  int64_t Row = pitchOf(Buffer) / blockElements(Buffer.getElementType());
  std::optional<int64_t> Known = getConstantIntValue(Blocks),
                         KnownGap = getConstantIntValue(Gap);
  if (Known && KnownGap)
    return *Known + *KnownGap == Row;
  auto Rest = Gap.getDefiningOp<arith::SubIOp>();
  return Rest && getConstantIntValue(Rest.getLhs()) == Row &&
         Rest.getRhs() == Blocks;
}

/// Of one of an instruction's operands; nothing if it may be all from its
/// beginning on.
static std::optional<Reach> reachOf(Operation *Op, Value Operand,
                                    MemRefType Buffer) {
  using Result = std::optional<Reach>;
  auto ByRepeats = [&](auto Repeated, unsigned Number) {
    return reachOfRepeats(Operand, Buffer, Repeated.getMask(),
                          Repeated.getRepeat(), Repeated.getBlocks()[Number],
                          Repeated.getRows()[Number]);
  };
  auto ByCount = [&](Value Count) -> Result {
    int64_t Known = mostOf(Count, Unbounded);
    return Known <= pitchOf(Buffer) ? Result({1, Known}) : Result();
  };
  int64_t Rows = Buffer.getDimSize(0), Cols = Buffer.getDimSize(1);
  // Each row stays in its own, if the instruction goes from row to row.
  auto ByRows = [&](auto Copy, int64_t Width) -> Result {
    bool Same = static_cast<int64_t>(Copy.getPitch()) == pitchOf(Buffer);
    if (mostOf(Copy.getRows(), Unbounded) == 1)
      return Reach{1, Width};
    return Same && Rows > 1 ? Result({mostOf(Copy.getRows(), Rows), Width})
                            : Result();
  };
  return TypeSwitch<Operation *, Result>(Op)
      .Case<RepBinaryOp>([&](RepBinaryOp Binary) {
        return ByRepeats(Binary, Operand == Binary.getDst()   ? 0
                                 : Operand == Binary.getLhs() ? 1
                                                              : 2);
      })
      .Case<RepScalarOp>([&](RepScalarOp Scalar) {
        return ByRepeats(Scalar, Operand == Scalar.getDst() ? 0 : 1);
      })
      .Case<RepCopyOp>([&](RepCopyOp Copy) {
        return ByRepeats(Copy, Operand == Copy.getDst() ? 0 : 1);
      })
      .Case<RepTransposeOp>([&](RepTransposeOp Transpose) -> Result {
        return Operand == Transpose.getSrc() ? Reach{16, Cols}
                                             : Reach{Rows, 16};
      })
      .Case<VecCopyOp, VecFillOp>(
          [&](auto Line) { return ByCount(Line.getCount()); })
      // What offsets say of the source may be anywhere in it.
      .Case<VecGatherOp>([&](VecGatherOp Gather) -> Result {
        return Operand == Gather.getSrc() ? Result()
                                          : ByCount(Gather.getCount());
      })
      .Case<RepEveryOtherOp>([&](RepEveryOtherOp Every) -> Result {
        int64_t Known = mostOf(Every.getCount(), Unbounded);
        int64_t Each = Operand == Every.getSrc() ? 2 : 1;
        return Known <= pitchOf(Buffer) / Each ? Result({1, Each * Known})
                                               : Result();
      })
      .Case<LibReduceOp>([&](LibReduceOp Reduce) -> Result {
        bool One = Operand == Reduce.getDst() && !Reduce.getPlace();
        return One ? Result({1, 1}) : Result();
      })
      .Case<CubePutBlocksOp>([&](CubePutBlocksOp Put) {
        return ByRows(Put, blockElements(Buffer.getElementType()));
      })
      .Case<CubeRowsOp>(
          [&](CubeRowsOp Copy) { return ByRows(Copy, FractalRows); })
      // A copy stays in its row: ascend-verify-instructions.
      .Case<CopyBlocksInOp, CopyBlocksOutOp>([&](auto Copy) -> Result {
        return Reach{1, mostOf(Copy.getCount(), pitchOf(Buffer))};
      })
      .Case<CopyRowsInOp, CopyRowsOutOp>([&](auto Copy) -> Result {
        bool FromRowToRow = Rows > 1 && columnOf(Operand) == 0 &&
                            fillRow(Copy.getBlocks(), Copy.getUbGap(), Buffer);
        return FromRowToRow
                   ? Result({mostOf(Copy.getRows(), Rows), pitchOf(Buffer)})
                   : Result();
      })
      .Case<CopyPadInOp, CopyPadOutOp>([&](auto Copy) -> Result {
        return Reach{mostOf(Copy.getBlocks(), Rows), Cols};
      })
      .Default(Result());
}

static FailureOr<MemoryRegion> partOfBuffer(Operation *Op, SliceOp Slice) {
  MemRefType Buffer = Slice.getSource().getType();
  bool Same = Buffer.getElementType() == Slice.getType().getElementType();
  std::optional<Reach> Reach = Same ? reachOf(Op, Slice, Buffer) : std::nullopt;
  if (!Reach)
    return regionOf(Slice.getSource());
  SmallVector<OpFoldResult> Offsets = Slice.getMixedOffsets();
  if (auto Copy = dyn_cast<CopyPadInOp>(Op); Copy && Copy.getLeft()) {
    // A column is packed, and its rows are what is copied at once.
    if (Buffer.getDimSize(1) == 1)
      return regionOf(Slice.getSource());
    // From whichever column on, it stays in its rows:
    // ascend-verify-instructions.
    Offsets[1] = IntegerAttr::get(IndexType::get(Op->getContext()), 0);
  }
  return regionOf(Slice.getSource(), Offsets, {Reach->Rows, Reach->Cols});
}

/// Rows of the fractals that a copy fills, in all blocks of columns.
static FailureOr<MemoryRegion> rowsFilled(CubeNd2NzOp Copy) {
  MemRefType Buffer = Copy.getDst().getType();
  OpFoldResult First = IntegerAttr::get(IndexType::get(Copy.getContext()), 0);
  return regionOf(Copy.getDst(), {First, OpFoldResult(Copy.getRow()), First},
                  {Buffer.getDimSize(0),
                   mostOf(Copy.getRows(), Buffer.getDimSize(1)),
                   Buffer.getDimSize(2)});
}

/// The same of a copy that fills a column of blocks.
static FailureOr<MemoryRegion> blocksFilled(CubePutBlocksOp Copy) {
  MemRefType Buffer = Copy.getDst().getType();
  OpFoldResult First = IntegerAttr::get(IndexType::get(Copy.getContext()), 0);
  return regionOf(
      Copy.getDst(),
      {OpFoldResult(Copy.getBlock()), OpFoldResult(Copy.getRow()), First},
      {1, mostOf(Copy.getRows(), Buffer.getDimSize(1)), Buffer.getDimSize(2)});
}

/// The window of a copy between a view and a part of a buffer.
template <typename CopyOp>
static FailureOr<MemoryRegion> windowOf(CopyOp Op, Value Part) {
  auto Slice = Part.getDefiningOp<SliceOp>();
  return windowOf(Op, Slice ? Slice.getSource().getType()
                            : cast<MemRefType>(Part.getType()));
}

/// One element of a view.
template <typename ElementOp>
static FailureOr<MemoryRegion> elementOf(ElementOp Op) {
  SmallVector<OpFoldResult> Offsets = Op.getMixedOffsets();
  return regionOf(Op.getView(), Offsets,
                  SmallVector<int64_t>(Offsets.size(), 1));
}

/// What reads after it may rely on; all of the view where a size is not known.
static FailureOr<MemoryRegion> cleanedBy(CacheCleanOp Clean) {
  SmallVector<int64_t> Most;
  for (auto [Dim, Size] : llvm::enumerate(Clean.getMixedSizes())) {
    int64_t Extent = Clean.getView().getType().getDimSize(Dim);
    std::optional<int64_t> Known = getConstantIntValue(Size);
    if (!Known && ShapedType::isDynamic(Extent))
      return regionOf(Clean.getView());
    Most.push_back(Known ? *Known : Extent);
  }
  return regionOf(Clean.getView(), Clean.getMixedOffsets(), Most);
}

static FailureOr<MemoryRegion> partOfView(Operation *Op, Value View) {
  using Region = FailureOr<MemoryRegion>;
  return TypeSwitch<Operation *, Region>(Op)
      .Case<DmaInOp>(
          [](DmaInOp In) { return windowOf(In, In.getDst().getType()); })
      .Case<DmaOutOp>(
          [](DmaOutOp Out) { return windowOf(Out, Out.getSrc().getType()); })
      .Case<CopyPadInOp, CopyBlocksInOp, CopyRowsInOp>(
          [](auto In) { return windowOf(In, In.getDst()); })
      .Case<CopyPadOutOp, CopyBlocksOutOp, CopyRowsOutOp>(
          [](auto Out) { return windowOf(Out, Out.getSrc()); })
      .Case<CubeInOp, CubeNd2NzOp>([](auto In) {
        return windowOf(In, operandRoom(In.getDst().getType()));
      })
      .Case<CubeOutOp, CubeFixpipeOp>([](auto Out) {
        return windowOf(Out, sumRoom(Out.getSrc().getType()));
      })
      .Case<CacheCleanOp>([](CacheCleanOp Clean) { return cleanedBy(Clean); })
      .Case<GlobalReadOp, GlobalWriteOp>(
          [](auto Element) { return elementOf(Element); })
      .Default([&](Operation *) { return regionOf(View); });
}

/// What an instruction uses of an operand: all of it, unless the instruction
/// says which part.
static FailureOr<MemoryRegion> partUsed(Operation *Op, Value Operand) {
  if (isView(Operand.getType()))
    return partOfView(Op, Operand);
  if (auto Slice = Operand.getDefiningOp<SliceOp>())
    return partOfBuffer(Op, Slice);
  if (auto Copy = dyn_cast<CubeNd2NzOp>(Op))
    return rowsFilled(Copy);
  if (auto Copy = dyn_cast<CubePutBlocksOp>(Op);
      Copy && Operand == Copy.getDst())
    return blocksFilled(Copy);
  return regionOf(Operand);
}

static CombineAttr combineOf(Operation *Op) {
  if (auto Out = dyn_cast<DmaOutOp>(Op))
    return Out.getCombineAttr();
  if (auto Out = dyn_cast<CopyPadOutOp>(Op))
    return Out.getCombineAttr();
  if (auto Out = dyn_cast<CopyBlocksOutOp>(Op))
    return Out.getCombineAttr();
  if (auto Out = dyn_cast<CopyRowsOutOp>(Op))
    return Out.getCombineAttr();
  if (auto Out = dyn_cast<CubeOutOp>(Op))
    return Out.getCombineAttr();
  if (auto Out = dyn_cast<CubeFixpipeOp>(Op))
    return Out.getCombineAttr();
  auto Scatter = dyn_cast<DmaScatterOp>(Op);
  return Scatter ? Scatter.getCombineAttr() : CombineAttr();
}

/// Prefix sums along rows, and indices of a gather.
static bool isByScalarUnit(Operation *Op, Value Operand) {
  if (auto Scan = dyn_cast<VecScanOp>(Op))
    return Scan.getAxis() == Axis::Row;
  auto Gather = dyn_cast<DmaGatherOp>(Op);
  return Gather && Gather.getIndices() == Operand;
}

SmallVector<LoopLikeOpInterface, 3> analysis::loopsAround(Operation *Op) {
  SmallVector<LoopLikeOpInterface, 3> Loops;
  for (auto Loop = Op->getParentOfType<LoopLikeOpInterface>(); Loop;
       Loop = Loop->getParentOfType<LoopLikeOpInterface>())
    Loops.push_back(Loop);
  std::reverse(Loops.begin(), Loops.end());
  return Loops;
}

unsigned analysis::commonLoops(ArrayRef<LoopLikeOpInterface> A,
                               ArrayRef<LoopLikeOpInterface> B) {
  unsigned Common = 0;
  while (Common < std::min(A.size(), B.size()) && A[Common] == B[Common])
    ++Common;
  return Common;
}

FailureOr<Footprint> analysis::footprintOf(InstructionInterface Op) {
  Footprint Result;
  Result.Loops = loopsAround(Op);
  Result.On = Op.getPipe();
  Result.Combine = combineOf(Op);
  SmallVector<MemoryEffects::EffectInstance> Effects;
  if (auto Interface = dyn_cast<MemoryEffectOpInterface>(Op.getOperation()))
    Interface.getEffects(Effects);
  for (auto &Effect : Effects) {
    Value Operand = Effect.getValue();
    if (!Operand)
      continue;
    FailureOr<MemoryRegion> Where = partUsed(Op, Operand);
    if (failed(Where))
      return failure();
    Where->Written = isa<MemoryEffects::Write>(Effect.getEffect());
    bool Scalar = isByScalarUnit(Op, Operand);
    Result.Writes |= Where->Written;
    Result.WaitsForItsPipe |= Scalar;
    Result.Uses.push_back({std::move(*Where), Scalar});
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

/// Two slots that alternate together: what shares one shares it in every other
/// iteration only.
static scf::ForOp sharedSlots(const MemoryRegion &A, const MemoryRegion &B) {
  const Placement &First = A.Place, &Second = B.Place;
  bool Together = !A.isGlobal() && First.SlotLoop && First.Slots == 2 &&
                  Second.Slots == 2 && First.Slot == Second.Slot &&
                  First.Begin == Second.Begin && First.end() == Second.end();
  return Together ? First.SlotLoop : scf::ForOp();
}

/// Of regions in the same memory; Loops are around both.
static Sharing sharingOf(const MemoryRegion &Before, const MemoryRegion &Now,
                         ArrayRef<LoopLikeOpInterface> Loops) {
  Sharing Result;
  Result.SlotLoop = sharedSlots(Before, Now);
  Result.When = areApart(Before, Now) ? 0 : AnyRelation;
  for (auto [I, Loop] : llvm::enumerate(Loops)) {
    Relations Bit = 1u << std::min<Relation>(I, LastRelation);
    bool Deeper = I >= LastRelation;
    bool Meet = !areApartAcross(Before, Now, Loop);
    Result.When = Meet     ? Result.When | Bit
                  : Deeper ? Result.When
                           : Result.When & ~Bit;
  }
  return Result;
}

Sharings analysis::sharingsOf(const Footprint &Before, const Footprint &Now) {
  Sharings All;
  bool Commute = Before.Combine && Before.Combine == Now.Combine;
  for (const Footprint::Use &First : Before.Uses)
    for (const Footprint::Use &Second : Now.Uses) {
      bool Global = First.Where.isGlobal() && Second.Where.isGlobal();
      bool Ordered =
          Before.On == Now.On && (First.ByScalarUnit || Second.ByScalarUnit);
      if ((!First.Where.Written && !Second.Where.Written) || Ordered ||
          (Commute && Global) || !shareMemory(First.Where, Second.Where))
        continue;
      Sharing How =
          sharingOf(First.Where, Second.Where,
                    ArrayRef(Before.Loops)
                        .take_front(commonLoops(Before.Loops, Now.Loops)));
      if (!How.When)
        continue;
      auto Same = llvm::find_if(All, [&](const Sharing &Other) {
        return Other.SlotLoop == How.SlotLoop;
      });
      if (Same == All.end())
        All.push_back(How);
      else
        Same->When |= How.When;
    }
  return All;
}
