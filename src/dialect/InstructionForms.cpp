//===- InstructionForms.cpp - What the hardware is told -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Ascend.h"
#include "targets/Target.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Of a line, of each repeat, or of each block.
enum class ReducePart { Line, Repeat, Block };
static StringRef reduceName(Combine Combine, ReducePart Part) {
  auto Choose = [&](StringRef Line, StringRef Repeat, StringRef Block) {
    return Part == ReducePart::Line     ? Line
           : Part == ReducePart::Repeat ? Repeat
                                        : Block;
  };
  switch (Combine) {
  case Combine::Sum:
    return Choose("ReduceSum", "WholeReduceSum", "BlockReduceSum");
  case Combine::Max:
    return Choose("ReduceMax", "WholeReduceMax", "BlockReduceMax");
  case Combine::Min:
    return Choose("ReduceMin", "WholeReduceMin", "BlockReduceMin");
  case Combine::Prod:
    break;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Parts of forms
//===----------------------------------------------------------------------===//

static Type elementOf(Value Operand) {
  return getElementTypeOrSelf(Operand.getType());
}

static int64_t bitsOf(Value Operand) {
  return elementOf(Operand).getIntOrFloatBitWidth();
}

namespace {
/// Fills a form.
class Describe {
public:
  Describe(Operation *Op, const targets::Arch &Arch, InstructionForm &Form)
      : Arch(Arch), Form(Form), B(Op->getContext()) {}

  void name(StringRef Name, Value Of, bool ByCount) {
    Form.Name = Name;
    Form.Element = elementOf(Of);
    Form.ByCount = ByCount;
  }

  OpFoldResult number(int64_t Number) { return B.getIndexAttr(Number); }

  void field(StringRef Name, OpFoldResult Value, int64_t Least, int64_t Most,
             int64_t Multiple = 1) {
    Form.Fields.push_back({Name, Value, Least, Most, Multiple});
  }

  void count(OpFoldResult Count, int64_t Least = 0, int64_t Multiple = 1) {
    field("count", Count, Least, INT32_MAX, Multiple);
  }

  /// Consecutive elements; of that many bits, if not the operand's own.
  InstructionAccess &line(Value Operand, bool Writes, OpFoldResult Count,
                          int64_t Bits = 0) {
    Form.Accesses.push_back({Operand, Writes, number(0), number(1), number(0),
                             1, Count, Bits ? Bits : bitsOf(Operand),
                             Arch.ubAlign});
    return Form.Accesses.back();
  }

  /// The same elements of what is read and of what is written.
  void lines(ArrayRef<Value> Read, Value Written, OpFoldResult Count) {
    for (Value Operand : Read)
      line(Operand, /*Writes=*/false, Count);
    line(Written, /*Writes=*/true, Count);
  }

  InstructionAccess &repeats(Value Operand, bool Writes, OpFoldResult Repeats,
                             OpFoldResult Stride, int64_t StrideBytes,
                             OpFoldResult Count, int64_t Bits) {
    Form.Accesses.push_back({Operand, Writes, number(0), Repeats, Stride,
                             StrideBytes, Count, Bits, Arch.ubAlign});
    return Form.Accesses.back();
  }

  /// The first \p Mask lanes of each repeat, with strides of blocks and of
  /// repeats in blocks.
  void lanes(Value Operand, bool Writes, Value Mask, Value Repeat,
             int64_t BlockStride, int64_t RowStride) {
    int64_t Block = Arch.blockBytes, Bits = bitsOf(Operand);
    OpFoldResult Count = Mask;
    // Blocks that lie apart are as many as a repeat has at most.
    if (BlockStride != 1) {
      Count = number(((Arch.blocksPerRepeat() - 1) * BlockStride + 1) * Block);
      Bits = 8;
    }
    repeats(Operand, Writes, Repeat, number(RowStride), Block, Count, Bits);
  }

  /// Of the destination, which is the first, and of what is read.
  void allLanes(ArrayRef<Value> Operands, Value Mask, Value Repeat,
                ArrayRef<int64_t> Blocks, ArrayRef<int64_t> Rows) {
    maskAndRepeat(Mask, Repeat, Operands[0]);
    for (auto [I, Operand] : llvm::enumerate(Operands))
      lanes(Operand, /*Writes=*/I == 0, Mask, Repeat, Blocks[I], Rows[I]);
  }

  void maskAndRepeat(Value Mask, Value Repeat, Value Operand) {
    field("mask", Mask, 1, Arch.repeatBytes * 8 / bitsOf(Operand));
    field("repeat", Repeat, 0, Arch.maxRepeat);
  }

  /// The space of a library function is all that its operand has.
  void work(Value Work) {
    if (Work)
      line(Work, /*Writes=*/true,
           number(cast<MemRefType>(Work.getType()).getNumElements()));
  }

  const targets::Arch &Arch;
  InstructionForm &Form;
  Builder B;
};
} // namespace

//===----------------------------------------------------------------------===//
// By count
//===----------------------------------------------------------------------===//

LogicalResult VecUnaryOp::describe(const targets::Arch &Arch,
                                   InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name(apiName(getKind()), getDst(), /*ByCount=*/true);
  D.count(getCount());
  D.lines({getSrc()}, getDst(), getCount());
  D.work(getWork());
  Form.InPlace = !getWork();
  return success();
}

LogicalResult VecBinaryOp::describe(const targets::Arch &Arch,
                                    InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name(apiName(getKind()), getDst(), /*ByCount=*/true);
  D.count(getCount());
  D.lines({getLhs(), getRhs()}, getDst(), getCount());
  D.work(getWork());
  Form.InPlace = !getWork();
  return success();
}

LogicalResult VecScalarOp::describe(const targets::Arch &Arch,
                                    InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name(scalarName(getKind()), getDst(), /*ByCount=*/true);
  D.count(getCount());
  D.lines({getSrc()}, getDst(), getCount());
  return success(!Form.Name.empty());
}

LogicalResult VecFillOp::describe(const targets::Arch &Arch,
                                  InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name("Duplicate", getDst(), /*ByCount=*/true);
  D.count(getCount());
  D.line(getDst(), /*Writes=*/true, getCount());
  return success();
}

LogicalResult VecIotaOp::describe(const targets::Arch &Arch,
                                  InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name("CreateVecIndex", getDst(), /*ByCount=*/true);
  D.count(getCount());
  D.line(getDst(), /*Writes=*/true, getCount());
  return success();
}

/// How far into its source, its first access, a gather reaches, offsets say:
/// analysis/GatheredElements.h. Until then it may be any place.
LogicalResult VecGatherOp::describe(const targets::Arch &Arch,
                                    InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name("Gather", getDst(), /*ByCount=*/true);
  D.count(getCount(), /*Least=*/1);
  D.line(getSrc(), /*Writes=*/false, D.number(INT32_MAX));
  D.lines({getOffsets()}, getDst(), getCount());
  Form.InPlace = false;
  return success();
}

LogicalResult VecCopyOp::describe(const targets::Arch &Arch,
                                  InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name("DataCopy", getDst(), /*ByCount=*/true);
  // The instruction has a length in blocks.
  int64_t PerBlock = Arch.blockBytes * 8 / bitsOf(getDst());
  D.field("count", getCount(), 0, Arch.copyMaxBlocks * PerBlock, PerBlock);
  D.lines({getSrc()}, getDst(), getCount());
  Form.InPlace = false;
  return success();
}

LogicalResult VecCastOp::describe(const targets::Arch &Arch,
                                  InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name("Cast", getDst(), /*ByCount=*/true);
  Form.From = elementOf(getSrc());
  Form.Rounding = getRound();
  D.count(getCount());
  D.lines({getSrc()}, getDst(), getCount());
  return success();
}

LogicalResult VecCompareOp::describe(const targets::Arch &Arch,
                                     InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name("Compare", getLhs(), /*ByCount=*/true);
  // What is no whole repeat is not compared.
  D.count(getCount(), 0, Arch.repeatBytes * 8 / bitsOf(getLhs()));
  D.lines({getLhs(), getRhs()}, getDst(), getCount());
  return success();
}

LogicalResult VecSelectOp::describe(const targets::Arch &Arch,
                                    InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name("Select", getDst(), /*ByCount=*/true);
  D.count(getCount());
  D.lines({getMask(), getLhs(), getRhs()}, getDst(), getCount());
  return success();
}

//===----------------------------------------------------------------------===//
// By repeats
//===----------------------------------------------------------------------===//

LogicalResult RepBinaryOp::describe(const targets::Arch &Arch,
                                    InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name(apiName(getKind()), getDst(), /*ByCount=*/false);
  D.allLanes({getDst(), getLhs(), getRhs()}, getMask(), getRepeat(),
             getBlocks(), getRows());
  return success();
}

LogicalResult RepScalarOp::describe(const targets::Arch &Arch,
                                    InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name(scalarName(getKind()), getDst(), /*ByCount=*/false);
  D.allLanes({getDst(), getSrc()}, getMask(), getRepeat(), getBlocks(),
             getRows());
  return success(!Form.Name.empty());
}

LogicalResult RepCopyOp::describe(const targets::Arch &Arch,
                                  InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name("Copy", getDst(), /*ByCount=*/false);
  D.allLanes({getDst(), getSrc()}, getMask(), getRepeat(), getBlocks(),
             getRows());
  Form.InPlace = false;
  return success();
}

LogicalResult RepReduceOp::describe(const targets::Arch &Arch,
                                    InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name(reduceName(getCombine(), ReducePart::Repeat), getSrc(),
         /*ByCount=*/false);
  if (!Arch.hasOrderOnlyValue && getCombine() != Combine::Sum && !getPlaces())
    return failure();
  D.maskAndRepeat(getMask(), getRepeat(), getSrc());
  D.lanes(getSrc(), /*Writes=*/false, getMask(), getRepeat(), 1, getRow());
  // An element, with its place beside it, for each repeat.
  int64_t Bytes = bitsOf(getDst()) / 8 * (getPlaces() ? 2 : 1);
  D.repeats(getDst(), /*Writes=*/true, getRepeat(), D.number(1), Bytes,
            D.number(Bytes), 8)
      .Alignment = Bytes;
  Form.InPlace = false;
  return success();
}

LogicalResult RepBlockReduceOp::describe(const targets::Arch &Arch,
                                         InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name(reduceName(getCombine(), ReducePart::Block), getSrc(),
         /*ByCount=*/false);
  D.field("repeat", getRepeat(), 0, Arch.maxRepeat);
  D.repeats(getSrc(), /*Writes=*/false, getRepeat(), D.number(1),
            Arch.repeatBytes, D.number(Arch.repeatBytes), 8);
  int64_t Bytes = Arch.blocksPerRepeat() * bitsOf(getDst()) / 8;
  D.repeats(getDst(), /*Writes=*/true, getRepeat(), D.number(1), Bytes,
            D.number(Bytes), 8)
      .Alignment = Bytes;
  Form.InPlace = false;
  return success();
}

LogicalResult RepBrcbOp::describe(const targets::Arch &Arch,
                                  InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name("Brcb", getDst(), /*ByCount=*/false);
  D.field("repeat", getRepeat(), 0, Arch.maxRepeat);
  int64_t Read = Arch.blocksPerRepeat() * bitsOf(getSrc()) / 8;
  D.repeats(getSrc(), /*Writes=*/false, getRepeat(), D.number(1), Read,
            D.number(Read), 8);
  D.repeats(getDst(), /*Writes=*/true, getRepeat(), D.number(1),
            Arch.repeatBytes, D.number(Arch.repeatBytes), 8);
  Form.InPlace = false;
  return success();
}

LogicalResult RepEveryOtherOp::describe(const targets::Arch &Arch,
                                        InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name("GatherMask", getDst(), /*ByCount=*/false);
  D.field("count", getCount(), 1, INT32_MAX / 2);
  D.line(getSrc(), /*Writes=*/false, getCount(), bitsOf(getSrc()) * 2);
  D.line(getDst(), /*Writes=*/true, getCount());
  Form.InPlace = false;
  return success();
}

LogicalResult RepTransposeOp::describe(const targets::Arch &Arch,
                                       InstructionForm &Form) {
  constexpr int64_t Rows = 16, MostStride = 65535;
  Describe D(*this, Arch, Form);
  D.name("TransDataTo5HD", getDst(), /*ByCount=*/false);
  // Issued as floats whatever the bits mean: it moves them unread.
  int64_t Block = int64_t(Arch.blockBytes) * 8 / bitsOf(getSrc());
  Form.Element = Block == Rows ? Type(Float16Type::get(getContext()))
                               : Type(Float32Type::get(getContext()));
  D.field("repeat", getRepeat(), 0, Arch.maxRepeat);
  D.field("destination's stride", getDstStride(), 0, MostStride);
  D.field("source's stride", getSrcStride(), 0, MostStride);
  auto Side = [&](Value Operand, bool Writes, int64_t Length, Value Stride) {
    D.repeats(Operand, Writes, getRepeat(), Stride, Arch.blockBytes,
              D.number(Length), bitsOf(Operand));
  };
  Side(getSrc(), /*Writes=*/false, (Rows - 1) * getSrcPitch() + Block,
       getSrcStride());
  Side(getDst(), /*Writes=*/true, (Block - 1) * getDstPitch() + Rows,
       getDstStride());
  Form.InPlace = false;
  return success();
}

//===----------------------------------------------------------------------===//
// Functions of the vendor's library
//===----------------------------------------------------------------------===//

/// Elements of space for a reduction of \p Count, as the API reference counts
/// them: each step leaves an element and its place for each repeat, in whole
/// blocks.
static int64_t spaceFor(int64_t Count, int64_t PerRepeat, int64_t PerBlock) {
  int64_t Space = 0;
  do {
    Count = llvm::divideCeil(Count, PerRepeat) * 2;
    Space += llvm::alignTo(Count, PerBlock);
  } while (Count > 2);
  return Space;
}

/// The most elements for whose reduction there is space.
static int64_t mostReduced(int64_t Space, int64_t PerRepeat, int64_t PerBlock) {
  int64_t Fits = 0, Most = INT32_MAX;
  while (Fits < Most) {
    int64_t Middle = Fits + (Most - Fits + 1) / 2;
    if (spaceFor(Middle, PerRepeat, PerBlock) <= Space)
      Fits = Middle;
    else
      Most = Middle - 1;
  }
  return Fits;
}

/// Elements of a buffer from a place on that is known.
static std::optional<int64_t> spaceOf(Value Operand) {
  int64_t Start = 0;
  if (auto Slice = Operand.getDefiningOp<SliceOp>()) {
    ArrayRef<int64_t> Offsets = Slice.getStaticOffsets();
    if (ShapedType::isDynamicShape(Offsets) ||
        bitsOf(Slice.getSource()) != bitsOf(Operand))
      return std::nullopt;
    Operand = Slice.getSource();
    Start =
        Offsets[0] * pitchOf(cast<MemRefType>(Operand.getType())) + Offsets[1];
  }
  return bytesOf(cast<MemRefType>(Operand.getType())) * 8 / bitsOf(Operand) -
         Start;
}

LogicalResult LibReduceOp::describe(const targets::Arch &Arch,
                                    InstructionForm &Form) {
  constexpr int64_t PlacesOfHalf = 65536;
  Describe D(*this, Arch, Form);
  D.name(reduceName(getCombine(), ReducePart::Line), getSrc(),
         /*ByCount=*/true);
  std::optional<int64_t> Space = spaceOf(getWork());
  if (!Space)
    return failure();
  int64_t PerRepeat = Arch.repeatBytes * 8 / bitsOf(getSrc());
  int64_t Most =
      mostReduced(*Space, PerRepeat, Arch.blockBytes * 8 / bitsOf(getSrc()));
  // A place has as many bits as an element.
  if (getPlace() && bitsOf(getSrc()) == 16)
    Most = std::min(Most, PlacesOfHalf);
  D.field("count", getCount(), 1, Most);
  D.line(getSrc(), /*Writes=*/false, getCount());
  int64_t Results = getPlace() ? 2 : 1;
  D.line(getDst(), /*Writes=*/true, D.number(Results)).Alignment =
      bitsOf(getDst()) / 8 * Results;
  D.line(getWork(), /*Writes=*/true, D.number(*Space));
  Form.InPlace = false;
  return success();
}

//===----------------------------------------------------------------------===//
// Scalar unit
//===----------------------------------------------------------------------===//

LogicalResult ReadScalarOp::describe(const targets::Arch &Arch,
                                     InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name("GetValue", getSrc(), /*ByCount=*/true);
  InstructionAccess &Element = D.line(getSrc(), /*Writes=*/false, D.number(1));
  Element.Start = getIndex();
  Element.Alignment = bitsOf(getSrc()) / 8;
  return success();
}

LogicalResult WriteScalarOp::describe(const targets::Arch &Arch,
                                      InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name("SetValue", getDst(), /*ByCount=*/true);
  InstructionAccess &Element = D.line(getDst(), /*Writes=*/true, D.number(1));
  Element.Start = getIndex();
  Element.Alignment = bitsOf(getDst()) / 8;
  return success();
}

LogicalResult DumpOp::describe(const targets::Arch &Arch,
                               InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name("DumpTensor", getSrc(), /*ByCount=*/true);
  D.count(getCount());
  D.line(getSrc(), /*Writes=*/false, getCount()).Start = getIndex();
  return success();
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

/// Elements that a copy may take to or from one row of a buffer.
static int64_t rowSpace(Value Operand) {
  auto Slice = Operand.getDefiningOp<SliceOp>();
  MemRefType Buffer =
      Slice ? Slice.getSource().getType() : cast<MemRefType>(Operand.getType());
  bool HasRows = Buffer.getDimSize(0) > 1 && Buffer.getDimSize(1) > 1;
  return HasRows ? pitchOf(Buffer) : Buffer.getNumElements();
}

template <typename CopyOp>
static void describeCopy(CopyOp Copy, Value Buffer, bool Writes,
                         const targets::Arch &Arch, InstructionForm &Form) {
  constexpr int64_t MostGmGap = UINT32_MAX, MostUbGap = UINT16_MAX;
  Describe D(Copy, Arch, Form);
  D.name("DataCopyPad", Buffer, /*ByCount=*/false);
  D.field("number of blocks", Copy.getBlocks(), 0, Arch.copyMaxBursts);
  D.field("length", Copy.getBytes(), 0,
          std::min<int64_t>(Arch.padCopyMaxBytes,
                            rowSpace(Buffer) * bitsOf(Buffer) / 8));
  D.field("gap in global memory", Copy.getGmGap(), 0, MostGmGap);
  D.field("gap in the buffer", Copy.getUbGap(), 0, MostUbGap);
  D.repeats(Buffer, Writes, Copy.getBlocks(), Copy.getUbGap(), Arch.blockBytes,
            Copy.getBytes(), 8)
      .FromEnd = true;
  Form.Window = {Copy.getView(),
                 SmallVector<OpFoldResult, 4>(Copy.getMixedOffsets()),
                 SmallVector<OpFoldResult, 4>(Copy.getMixedSizes()),
                 Copy.getBlocks(),
                 Copy.getBytes(),
                 Copy.getGmGap()};
}

LogicalResult CopyPadInOp::describe(const targets::Arch &Arch,
                                    InstructionForm &Form) {
  describeCopy(*this, getDst(), /*Writes=*/true, Arch, Form);
  int64_t Most = Arch.padMaxBytes * 8 / bitsOf(getDst());
  if (Value Count = getPadCount())
    Describe(*this, Arch, Form)
        .field("number of padded elements", Count, 0, Most);
  if (Value Left = getLeft()) {
    Describe(*this, Arch, Form)
        .field("number of elements padded on the left", Left, 0, Most);
    Form.Accesses.back().Before = Left;
    auto Slice = getDst().getDefiningOp<SliceOp>();
    Form.Accesses.back().StaysInRow =
        Slice && Slice.getSource().getType().getDimSize(1) > 1;
  }
  return success(Arch.hasDataCopyPad);
}

LogicalResult CopyPadOutOp::describe(const targets::Arch &Arch,
                                     InstructionForm &Form) {
  describeCopy(*this, getSrc(), /*Writes=*/false, Arch, Form);
  Form.Atomic = getCombine();
  return success(Arch.hasDataCopyPad);
}

template <typename CopyOp>
static void describeBlocks(CopyOp Copy, Value Buffer, bool Writes,
                           const targets::Arch &Arch, InstructionForm &Form) {
  int64_t Block = Arch.blockBytes * 8 / bitsOf(Buffer);
  Describe D(Copy, Arch, Form);
  D.name("DataCopy", Buffer, /*ByCount=*/true);
  D.field("count", Copy.getCount(), Block,
          std::min<int64_t>(Arch.copyMaxBlocks * Block, rowSpace(Buffer)),
          Block);
  D.line(Buffer, Writes, Copy.getCount());
  Form.Window = {Copy.getView(),
                 SmallVector<OpFoldResult, 4>(Copy.getMixedOffsets()),
                 SmallVector<OpFoldResult, 4>(Copy.getMixedSizes()),
                 D.number(1),
                 Copy.getCount(),
                 D.number(0),
                 bitsOf(Buffer) / 8};
}

LogicalResult CopyBlocksInOp::describe(const targets::Arch &Arch,
                                       InstructionForm &Form) {
  describeBlocks(*this, getDst(), /*Writes=*/true, Arch, Form);
  return success();
}

LogicalResult CopyBlocksOutOp::describe(const targets::Arch &Arch,
                                        InstructionForm &Form) {
  describeBlocks(*this, getSrc(), /*Writes=*/false, Arch, Form);
  Form.Atomic = getCombine();
  return success();
}

template <typename CopyOp>
static void describeRows(CopyOp Copy, Value Buffer, bool Writes,
                         const targets::Arch &Arch, InstructionForm &Form) {
  constexpr int64_t MostGap = UINT16_MAX;
  int64_t Bytes = Arch.blockBytes, Block = Bytes * 8 / bitsOf(Buffer);
  Describe D(Copy, Arch, Form);
  D.name("DataCopy", Buffer, /*ByCount=*/false);
  D.field("number of rows", Copy.getRows(), 1, Arch.copyMaxBursts);
  D.field("number of blocks", Copy.getBlocks(), 1,
          std::min<int64_t>(Arch.copyMaxBlocks, rowSpace(Buffer) / Block));
  D.field("gap in global memory", Copy.getGmGap(), 0, MostGap);
  D.field("gap in the buffer", Copy.getUbGap(), 0, MostGap);
  D.repeats(Buffer, Writes, Copy.getRows(), Copy.getUbGap(), Bytes,
            Copy.getBlocks(), Bytes * 8)
      .FromEnd = true;
  Form.Window = {Copy.getView(),
                 SmallVector<OpFoldResult, 4>(Copy.getMixedOffsets()),
                 SmallVector<OpFoldResult, 4>(Copy.getMixedSizes()),
                 Copy.getRows(),
                 Copy.getBlocks(),
                 Copy.getGmGap(),
                 Bytes};
  Form.Window->GapBytes = Bytes;
}

LogicalResult CopyRowsInOp::describe(const targets::Arch &Arch,
                                     InstructionForm &Form) {
  describeRows(*this, getDst(), /*Writes=*/true, Arch, Form);
  return success();
}

LogicalResult CopyRowsOutOp::describe(const targets::Arch &Arch,
                                      InstructionForm &Form) {
  describeRows(*this, getSrc(), /*Writes=*/false, Arch, Form);
  Form.Atomic = getCombine();
  return success();
}

static LogicalResult describeElement(Operation *Op, StringRef Name, Value View,
                                     ArrayRef<OpFoldResult> Offsets,
                                     const targets::Arch &Arch,
                                     InstructionForm &Form) {
  Describe D(Op, Arch, Form);
  D.name(Name, View, /*ByCount=*/true);
  Form.Window = {View,
                 SmallVector<OpFoldResult, 4>(Offsets),
                 SmallVector<OpFoldResult, 4>(Offsets.size(), D.number(1)),
                 {},
                 {},
                 {}};
  return success();
}

LogicalResult GlobalReadOp::describe(const targets::Arch &Arch,
                                     InstructionForm &Form) {
  return describeElement(*this, "GetValue", getView(), getMixedOffsets(), Arch,
                         Form);
}

LogicalResult GlobalWriteOp::describe(const targets::Arch &Arch,
                                      InstructionForm &Form) {
  return describeElement(*this, "SetValue", getView(), getMixedOffsets(), Arch,
                         Form);
}

/// A line that no element of the view is in is written back as well.
LogicalResult CacheCleanOp::describe(const targets::Arch &Arch,
                                     InstructionForm &Form) {
  Describe D(*this, Arch, Form);
  D.name("DataCacheCleanAndInvalid", getView(), /*ByCount=*/true);
  return success();
}
