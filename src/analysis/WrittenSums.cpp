//===- WrittenSums.cpp - Are sums in L0C written before read? -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// L0C has no fill: the first product takes the place of what is there, if its
// `init` holds. Loops carry the flag, which means "written" where it is false.
// That is shown by induction over the iterations of each loop: it holds of what
// the loop begins with, and of what an iteration yields if it held before. A
// flag speaks of the buffer that a loop finds; of one that the loop itself
// makes, each iteration has another slot, and the flag says nothing.
//
// Which elements a product writes is said by m and n. They are required to be
// the same as long as the buffer exists, so that what one product has written
// is what the next one reads, in whichever iteration.
//
//===----------------------------------------------------------------------===//

#include "analysis/WrittenSums.h"

#include "analysis/InstructionObligations.h"
#include "dialect/Fractals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;
using ascend::BufferOp;
using ascend::CubeFixpipeOp;
using ascend::CubeFractalsOp;
using ascend::CubeMmadOp;

namespace {
/// Of one buffer of sums.
class Sums {
public:
  explicit Sums(BufferOp Buffer) : Buffer(Buffer) {}

  /// Whether a product has been written whenever an operation is reached.
  bool areWrittenBefore(Operation *Op);
  /// Whether a flag, which an operation reads, is false only if one has.
  bool areWrittenUnless(Value Flag, Operation *At);
  /// Whether a number is the same as long as the buffer exists.
  bool isFixed(Value Number);

private:
  bool areWrittenBy(Operation *Op);
  bool areWrittenBy(Block &Block) {
    return llvm::any_of(Block,
                        [&](Operation &Op) { return areWrittenBy(&Op); });
  }
  bool loopKeeps(scf::ForOp Loop, unsigned Index);

  BufferOp Buffer;
  /// Flags of loops whose induction is under way.
  SmallVector<Value> Assumed;
};
} // namespace

static std::optional<bool> constantOf(Value Flag) {
  APInt Known;
  if (!matchPattern(Flag, m_ConstantInt(&Known)))
    return std::nullopt;
  return !Known.isZero();
}

bool Sums::areWrittenBy(Operation *Op) {
  if (auto Product = dyn_cast<CubeMmadOp>(Op))
    return Product.getDst() == Buffer.getBuffer();
  // Where there was no product, zeros are written.
  auto If = dyn_cast<scf::IfOp>(Op);
  if (!If || !areWrittenBy(*If.thenBlock()))
    return false;
  return (If.elseBlock() && areWrittenBy(*If.elseBlock())) ||
         areWrittenUnless(If.getCondition(), If);
}

/// Looks at what comes before in the same and in enclosing blocks: all of it
/// has been executed, on the same buffer, as that dominates its users.
bool Sums::areWrittenBefore(Operation *Op) {
  for (; !isa<func::FuncOp>(Op); Op = Op->getParentOp())
    for (Operation *Before = Op->getPrevNode(); Before;
         Before = Before->getPrevNode())
      if (areWrittenBy(Before))
        return true;
  return false;
}

/// What a loop starts with and what it yields keep the meaning of a flag.
bool Sums::loopKeeps(scf::ForOp Loop, unsigned Index) {
  if (Loop->isAncestor(Buffer))
    return false;
  Value Carried = Loop.getRegionIterArg(Index);
  if (llvm::is_contained(Assumed, Carried))
    return true;
  Assumed.push_back(Carried);
  Operation *End = Loop.getBody()->getTerminator();
  bool Keeps = areWrittenUnless(Loop.getInitArgs()[Index], Loop) &&
               areWrittenUnless(End->getOperand(Index), End);
  // What was shown with the help of an assumption holds only while it does.
  Assumed.pop_back();
  return Keeps;
}

bool Sums::areWrittenUnless(Value Flag, Operation *At) {
  if (std::optional<bool> Known = constantOf(Flag))
    return *Known || areWrittenBefore(At);
  if (auto Loop = Flag.getDefiningOp<scf::ForOp>())
    return loopKeeps(Loop, cast<OpResult>(Flag).getResultNumber());
  auto Argument = dyn_cast<BlockArgument>(Flag);
  auto Loop = Argument
                  ? dyn_cast<scf::ForOp>(Argument.getOwner()->getParentOp())
                  : scf::ForOp();
  return Loop && Argument != Loop.getInductionVar() &&
         loopKeeps(Loop, Argument.getArgNumber() - Loop.getNumInductionVars());
}

bool Sums::isFixed(Value Number) {
  // In a block around the buffer, nothing is computed again.
  if (Number.getParentBlock()->findAncestorOpInBlock(*Buffer))
    return true;
  Operation *Op = Number.getDefiningOp();
  return Op && isa<arith::ArithDialect>(Op->getDialect()) &&
         llvm::all_of(Op->getOperands(),
                      [&](Value Operand) { return isFixed(Operand); });
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static SmallVector<CubeMmadOp> productsIn(Value Buffer) {
  SmallVector<CubeMmadOp> Products;
  for (Operation *User : Buffer.getUsers())
    if (auto Product = dyn_cast<CubeMmadOp>(User))
      Products.push_back(Product);
  return Products;
}

/// The sums that an instruction reads; null if it reads none.
static Value sumsReadBy(Operation *Op) {
  if (auto Product = dyn_cast<CubeMmadOp>(Op))
    return constantOf(Product.getInit()) == true ? Value() : Product.getDst();
  if (auto Copy = dyn_cast<CubeFixpipeOp>(Op))
    return Copy.getSrc();
  if (auto Copy = dyn_cast<CubeFractalsOp>(Op))
    return Copy.getSrc();
  return {};
}

bool analysis::readsWrittenSums(Operation *Op) {
  if (!isa<CubeMmadOp, CubeFixpipeOp, CubeFractalsOp>(Op))
    return llvm::none_of(Op->getOperandTypes(), [](Type Type) {
      auto Buffer = dyn_cast<MemRefType>(Type);
      return Buffer && ascend::isInSpace(Buffer, ascend::MemorySpace::L0C);
    });
  Value Read = sumsReadBy(Op);
  if (!Read)
    return true;
  auto Buffer = Read.getDefiningOp<BufferOp>();
  if (!Buffer)
    return false;
  Sums S(Buffer);
  for (CubeMmadOp Product : productsIn(Read))
    if (!S.isFixed(Product.getM()) || !S.isFixed(Product.getN()))
      return false;
  auto Product = dyn_cast<CubeMmadOp>(Op);
  return Product ? S.areWrittenUnless(Product.getInit(), Product)
                 : S.areWrittenBefore(Op);
}

static void add(Obligations &To, std::string Text, Choice Violations) {
  To.push_back({UnprovenInstruction,
                std::move(Text),
                std::move(Violations),
                {},
                /*IsCode=*/false});
}

/// Fractals lie as m says: sums that were written with one m are read with the
/// same.
Obligations analysis::writtenSumsObligations(Operation *Op, Terms &T) {
  Obligations Result;
  Value Read = sumsReadBy(Op);
  if (!Read)
    return Result;
  for (CubeMmadOp Writer : productsIn(Read)) {
    if (Writer == Op)
      continue;
    Linear Rows = T.of(Writer.getM()), Cols = T.of(Writer.getN());
    if (auto Product = dyn_cast<CubeMmadOp>(Op)) {
      Linear M = T.of(Product.getM());
      add(Result, "the m of the other products in its sums",
          {{less(M, Rows)}, {less(Rows, M)}});
      add(Result, "no more columns than have been written",
          {{less(Cols, T.of(Product.getN()))}});
      continue;
    }
    // The field is a multiple of the rows of a fractal, which is an obligation
    // of its own.
    auto AddCopy = [&](const Linear &EndRow, const Linear &EndCol,
                       const Linear &Pitch) {
      add(Result, "no more rows than have been written",
          {{less(Rows, EndRow)}});
      add(Result, "no more columns than have been written",
          {{less(Cols, EndCol)}});
      add(Result, "the pitch with which products have written",
          {{less(Pitch, Rows)},
           {less(Rows + (ascend::FractalRows - 1), Pitch)}});
    };
    if (auto Copy = dyn_cast<CubeFixpipeOp>(Op))
      AddCopy(T.of(Copy.getRow()) + T.of(Copy.getRows()), T.of(Copy.getCols()),
              T.of(Copy.getSrcPitch()));
    if (auto Copy = dyn_cast<CubeFractalsOp>(Op))
      AddCopy(T.of(Copy.getRow()) + T.of(Copy.getRows()),
              T.of(Copy.getBlocks()) * DynamicAPInt(ascend::FractalRows),
              T.of(Copy.getPitch()));
  }
  return Result;
}
