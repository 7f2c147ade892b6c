//===- CubeCopies.cpp - Between global memory and the cube core -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Fractals.h"
#include "passes/expand/GlobalMemory.h"
#include "passes/expand/Patterns.h"
#include "targets/Interlocks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

namespace {

/// A window of a view, whose rows are copied at once or, where they are too far
/// apart for an instruction, one by one.
class MatrixCopy {
public:
  template <typename CopyOp>
  MatrixCopy(Nest &N, CopyOp Op, int64_t MostPitch)
      : N(N), View(Op.getView()), Offsets(Op.getMixedOffsets()),
        Sizes(Op.getMixedSizes()), Rank(Offsets.size()), MostPitch(MostPitch) {
    Cols = N.number(Sizes.back());
    Rows = Rank > 1 ? N.number(Sizes[Rank - 2]) : N.constant(1);
  }

  struct Part {
    SmallVector<OpFoldResult> Offsets, Sizes;
    Value Row, Rows, Pitch;
  };
  using Issue = llvm::function_ref<void(const Part &)>;

  void build(Issue Make) {
    N.ifNotEmpty(Cols, [&] { N.ifNotEmpty(Rows, [&] { rows(Make); }); });
  }

  Value Rows, Cols;

private:
  void rows(Issue Make) {
    // Of one row, the pitch is of no interest.
    if (Rank == 1)
      return Make(
          {Offsets, Sizes, N.constant(0), N.constant(1), N.constant(1)});
    Value Pitch = strideOf(N, View, Rank - 2);
    auto AtOnce = [&] { Make({Offsets, Sizes, N.constant(0), Rows, Pitch}); };
    auto OneByOne = [&] {
      N.forEach("r", N.constant(0), Rows, 1, [&](Value R) {
        Part One{Offsets, Sizes, R, N.constant(1), N.constant(1)};
        One.Offsets[Rank - 2] =
            getAsOpFoldResult(N.plus(N.number(Offsets[Rank - 2]), R));
        One.Sizes[Rank - 2] = N.builder().getIndexAttr(1);
        Make(One);
      });
    };
    N.ifInRange(Pitch, 1, MostPitch, AtOnce, OneByOne);
  }

  Nest &N;
  Value View;
  SmallVector<OpFoldResult> Offsets, Sizes;
  unsigned Rank;
  int64_t MostPitch;
};

/// Windows as operations take them.
struct MixedWindow {
  explicit MixedWindow(const MatrixCopy::Part &Part) {
    dispatchIndexOpFoldResults(Part.Offsets, Offsets, StaticOffsets);
    dispatchIndexOpFoldResults(Part.Sizes, Sizes, StaticSizes);
  }
  SmallVector<Value> Offsets, Sizes;
  SmallVector<int64_t> StaticOffsets, StaticSizes;
};

/// Rows of the last fractals that are not copied are zero, and so are columns
/// where fractals are narrower than they are high.
struct ExpandCubeIn : ExpandMacro<CubeInOp> {
  using ExpandMacro::ExpandMacro;

  LogicalResult expand(CubeInOp Op, Nest &N) const override {
    constexpr int64_t MostPitch = 65535;
    MatrixCopy Copy(N, Op, MostPitch);
    MemRefType Buffer = Op.getDst().getType();
    // Transposed, rows are columns of fractals.
    int64_t C0 = blockElements(Buffer.getElementType());
    fillRest(N, Copy.Rows, std::max(C0, FractalRows), Op.getDst());
    if (C0 < FractalRows)
      fillRest(N, Copy.Cols, FractalRows, Op.getDst());
    Copy.build([&](const MatrixCopy::Part &Part) {
      MixedWindow W(Part);
      CubeNd2NzOp::create(N.builder(), N.loc(), Op.getView(), W.Offsets,
                          W.Sizes, Op.getDst(), Part.Row, Part.Rows, Copy.Cols,
                          Part.Pitch, W.StaticOffsets, W.StaticSizes);
    });
    return success();
  }

  /// Where an extent does not fill its fractals, or is nothing at all.
  static void fillRest(Nest &N, Value Extent, int64_t Multiple, Value Dst) {
    auto Fill = [&] {
      CubeFillOp::create(N.builder(), N.loc(), Dst);
      N.pipeBarrier(Pipe::CubeMTE2);
    };
    std::optional<int64_t> Known = getConstantIntValue(Extent);
    if (Known && *Known > 0 && *Known % Multiple == 0)
      return;
    if (Known)
      return Fill();
    Value Rest = N.minus(N.roundUp(Extent, Multiple), Extent);
    N.ifAtLeast(Rest, 1, Fill, {});
    if (!N.isNotEmpty(Extent))
      N.ifAtLeast(N.minus(N.constant(1), Extent), 1, Fill, {});
  }
};

struct ExpandCubeOut : ExpandMacro<CubeOutOp> {
  using ExpandMacro::ExpandMacro;

  LogicalResult expand(CubeOutOp Op, Nest &N) const override {
    constexpr int64_t MostPitch = UINT32_MAX;
    MatrixCopy Copy(N, Op, MostPitch);
    Copy.build([&](const MatrixCopy::Part &Part) {
      MixedWindow W(Part);
      CubeFixpipeOp::create(N.builder(), N.loc(), Op.getSrc(), Part.Row,
                            Op.getPitch(), Op.getView(), W.Offsets, W.Sizes,
                            Part.Rows, Copy.Cols, Part.Pitch, W.StaticOffsets,
                            W.StaticSizes, Op.getCombineAttr());
    });
    return success();
  }
};

/// Where no instruction loads all of a right operand: by rows of fractals in
/// L0B, one after the other.
struct ExpandCubeLoad : ExpandMacro<CubeLoadOp> {
  using ExpandMacro::ExpandMacro;

  LogicalResult expand(CubeLoadOp Op, Nest &N) const override {
    if (!Op.isRight() || Arch.hasLoadData2Dv2)
      return failure();
    auto Src = cast<MemRefType>(Op.getSrc().getType());
    if (Op.isTransposing() &&
        Src.getElementTypeBitWidth() >=
            static_cast<unsigned>(Arch.loadTransposeMinBits))
      return failure();
    int64_t C0 = blockElements(Src.getElementType());
    if (Op.isTransposing()) {
      byStep(N, Op, Op.getRow(), Op.getRows(), C0);
      return success();
    }
    // Fractals follow each other where there are as many rows as fit.
    int64_t Rows = operandRoom(Src)->Rows;
    N.ifInRange(
        Op.getRows(), Rows, Rows,
        [&] {
          CubeLoadFractalsOp::create(N.builder(), N.loc(), Op.getSrc(),
                                     Op.getRow(), Op.getCol(), N.constant(Rows),
                                     Op.getCols(), Op.getDst(), N.constant(0),
                                     /*transposed=*/true, Op.getOneCore());
        },
        [&] { byStep(N, Op, Op.getCol(), Op.getCols(), C0); });
    return success();
  }

  /// Steps of k, each of which is one row of fractals in L0B.
  static void byStep(Nest &N, CubeLoadOp Op, Value First, Value Extent,
                     int64_t Step) {
    Value Row = Op.getRow(), Col = Op.getCol(), Rows = Op.getRows(),
          Cols = Op.getCols();
    N.forEach("s", N.constant(0), N.divideDown(Extent, Step), 1, [&](Value S) {
      Value Begin = N.plus(First, N.times(S, Step));
      (Op.getTransposed() ? Col : Row) = Begin;
      (Op.getTransposed() ? Cols : Rows) = N.constant(Step);
      CubeLoadFractalsOp::create(N.builder(), N.loc(), Op.getSrc(), Row, Col,
                                 Rows, Cols, Op.getDst(), S, Op.getTransposed(),
                                 Op.getOneCore());
    });
  }
};

/// The cube orders products that are added to the same sums, if these have
/// enough fractals; otherwise a barrier does.
struct GuardProduct : OpRewritePattern<CubeMmadOp> {
  GuardProduct(MLIRContext *Context, const targets::Arch &Arch)
      : OpRewritePattern(Context), Arch(Arch) {}

  LogicalResult matchAndRewrite(CubeMmadOp Op,
                                PatternRewriter &Rewriter) const override {
    // The only product in its sums has none before it.
    Operation *Buffer = Op.getDst().getDefiningOp();
    auto IsOther = [&](Operation *User) {
      return User != Op && isa<CubeMmadOp>(User);
    };
    if (Buffer && Buffer->getBlock() == Op->getBlock() &&
        llvm::none_of(Op.getDst().getUsers(), IsOther))
      return failure();
    Nest N(Rewriter, Op, Arch);
    Value Rows = N.divideUp(Op.getM(), FractalRows),
          Cols = N.divideUp(Op.getN(), FractalRows);
    std::optional<int64_t> M = getConstantIntValue(Rows),
                           C = getConstantIntValue(Cols);
    if (M && C && *M * *C >= targets::InterlockedFractals)
      return failure();
    Value Count = arith::MulIOp::create(Rewriter, N.loc(), Rows, Cols);
    Value Few =
        arith::CmpIOp::create(Rewriter, N.loc(), arith::CmpIPredicate::slt,
                              Count, N.constant(targets::InterlockedFractals));
    auto If = scf::IfOp::create(Rewriter, N.loc(), Few);
    OpBuilder::InsertionGuard Guard(Rewriter);
    Rewriter.setInsertionPointToStart(If.thenBlock());
    N.pipeBarrier(Op.getPipe());
    return success();
  }

  const targets::Arch &Arch;
};

} // namespace

void passes::addCubePatterns(RewritePatternSet &Patterns,
                             const targets::Arch &Arch) {
  Patterns.add<ExpandCubeIn, ExpandCubeOut, ExpandCubeLoad, GuardProduct>(
      Patterns.getContext(), Arch);
}
