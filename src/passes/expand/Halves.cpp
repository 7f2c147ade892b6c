//===- Halves.cpp - Reductions without an instruction for them ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No instruction multiplies across lanes, and none combines integers across
// them. But lanes of one block can be combined with those of another: each row
// is folded to one repeat, then half by half to one block. Its elements get a
// block of their own each (Brcb), so that halves of blocks can be combined
// again, until all lanes of one block have the result.
//
//===----------------------------------------------------------------------===//

#include "passes/expand/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

namespace {

/// How the space is divided, in elements: for each row the lanes of a repeat,
/// and later a block for each of its last elements; then a block for each row.
struct Halves {
  Halves(const targets::Arch &Arch, MemRefType Src)
      : Lanes(Arch.repeatBytes * 8 / Src.getElementTypeBitWidth()),
        Block(Arch.blockBytes * 8 / Src.getElementTypeBitWidth()),
        Rows(Src.getDimSize(1) == 1 ? 1 : Src.getDimSize(0)),
        AtOnce(std::min(Rows, Block)),
        Blocks(AtOnce * std::max(Lanes, Block * Block)) {}

  int64_t size() const { return Blocks + AtOnce * Block; }

  int64_t Lanes, Block;
  /// Of the whole buffer, whose rows are one line if it has one column.
  int64_t Rows;
  /// Rows that are combined together: results of them begin whole blocks.
  int64_t AtOnce;
  /// Where the blocks of rows begin.
  int64_t Blocks;
};

class Combination {
public:
  Combination(VecReduceOp Op, Nest &N)
      : Op(Op), N(N), Src(Op.getSrc().getType()), At(N.Arch, Src),
        Work(Op.getWork()),
        Kept(N.slice(Work, N.constant(0), N.constant(At.Blocks))) {}

  void build(Value Rows, Value Cols) {
    N.forChunks("r", Rows, At.Rows, At.AtOnce, [&](Value R, Value Now) {
      // The rows after these use the same space.
      if (At.Rows > At.AtOnce)
        N.vectorBarrier();
      N.ifNotEmpty(Now, [&] {
        foldToRepeats(R, Now, Cols);
        halve(Work, blocksPerRepeat(), Kept, At.Block, Now);
        N.vectorBarrier();
        int64_t PerRepeat = blocksPerRepeat();
        RepBrcbOp::create(N.builder(), Op.getLoc(), Kept, Work,
                          N.times(Now, At.Block / PerRepeat));
        Value Dst = N.slice(Op.getDst(), R, N.constant(0));
        if (At.Rows == 1)
          return halve(Work, At.Block, Dst, /*Last=*/1, Now);
        halve(Work, At.Block, Kept, At.Block, Now);
        takeFirsts(Dst, Now);
      });
    });
  }

private:
  /// What is combined with it changes nothing.
  void fillWithNeutral(Value Rows) {
    Value Neutral = arith::ConstantOp::create(
        N.builder(), N.loc(), neutralOf(Op.getCombine(), Src.getElementType()));
    fillLine(N, Neutral, Work, N.times(Rows, At.Lanes));
  }

  void combine(Value A, Value B, Value Dst, Value Mask, Value Repeats,
               ArrayRef<int64_t> Strides) {
    N.vectorBarrier();
    RepBinaryOp::create(N.builder(), Op.getLoc(), binaryOf(Op.getCombine()), A,
                        B, Dst, Mask, Repeats, ArrayRef<int64_t>{1, 1, 1},
                        Strides);
  }

  /// The elements of each row from \p R on, repeat by repeat.
  void foldToRepeats(Value R, Value Now, Value Cols) {
    fillWithNeutral(Now);
    int64_t Pitch = pitchOf(Src) / At.Block, Repeat = blocksPerRepeat();
    bool Line = Src.getDimSize(1) == 1;
    auto Fold = [&](Value From, Value To, Value Rows, int64_t Stride) {
      N.forEach("c", N.constant(0), Cols, At.Lanes, [&](Value C) {
        Value Part = Line ? N.slice(Op.getSrc(), C, N.constant(0))
                          : N.slice(Op.getSrc(), From, C);
        combine(To, Part, To, N.partOf(Cols, N.constant(0), C, At.Lanes), Rows,
                {Repeat, Repeat, Stride});
      });
    };
    if (At.Rows == 1)
      return Fold(R, Work, N.constant(1), Repeat);
    if (Pitch <= N.Arch.maxRepeat)
      return Fold(R, Work, Now, Pitch);
    // Strides between repeats do not reach from row to row.
    N.forEach("r", N.constant(0), Now, 1, [&](Value K) {
      Fold(N.plus(R, K), N.slice(Work, N.constant(0), N.times(K, At.Lanes)),
           N.constant(1), Repeat);
    });
  }

  /// Combines \p Blocks blocks of each row, which follow each other, to one.
  /// Of that the first \p Last elements go to \p Dst, row by row.
  void halve(Value From, int64_t Blocks, Value Dst, int64_t Last, Value Rows) {
    for (int64_t Half = Blocks / 2; Half > 0; Half /= 2) {
      bool Ends = Half == 1;
      combine(From, N.slice(From, 0, Half * At.Block), Ends ? Dst : From,
              N.constant(Ends ? Last : Half * At.Block), Rows,
              {Ends ? 1 : Blocks, Blocks, Blocks});
    }
  }

  /// The first element of each block, by taking every other one again and
  /// again.
  void takeFirsts(Value Dst, Value Rows) {
    Value From = Kept, To = Work;
    for (int64_t Left = At.Block / 2; Left > 0; Left /= 2) {
      N.vectorBarrier();
      RepEveryOtherOp::create(N.builder(), Op.getLoc(), /*odd=*/false, From,
                              Left == 1 ? Dst : To, N.times(Rows, Left));
      std::swap(From, To);
    }
  }

  int64_t blocksPerRepeat() const { return N.Arch.blocksPerRepeat(); }

  VecReduceOp Op;
  Nest &N;
  MemRefType Src;
  Halves At;
  Value Work, Kept;
};

} // namespace

int64_t passes::halvedElements(const targets::Arch &Arch, Combine How,
                               MemRefType Src) {
  Type Element = Src.getElementType();
  bool Float = Element.isF16() || Element.isF32();
  bool Fits = Float ? How == Combine::Prod
                    : Element.isInteger(16) || Element.isInteger(32);
  return Fits ? Halves(Arch, Src).size() : 0;
}

void passes::combineByHalves(Nest &N, VecReduceOp Op, Value Rows, Value Cols) {
  Combination(Op, N).build(Rows, Cols);
}
