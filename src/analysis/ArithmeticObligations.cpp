//===- ArithmeticObligations.cpp - Index arithmetic does not wrap ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Names.h"
#include "analysis/Obligations.h"
#include "dialect/Ascend.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

static constexpr StringLiteral Overflow = "index-overflow";

/// 2 to the power of Bits.
static Linear power(unsigned Bits) {
  DynamicAPInt Result(1);
  while (Bits--)
    Result *= 2;
  return Linear(Result);
}

/// The ways in which a value can need more than that many bits, with its sign.
static Choice outside(const Linear &Value, unsigned Bits) {
  Linear Limit = power(Bits - 1);
  return {{atLeast(Value, Limit)}, {less(Value, -Limit)}};
}

/// Whether a value only decides contracts. The launcher computes those, in 128
/// bits, and not the device.
static bool onlyInContracts(Operation *Op) {
  if (Op->use_empty())
    return false;
  return llvm::all_of(Op->getUsers(), [](Operation *User) {
    if (isa<ascend::ExpectsOp>(User))
      return true;
    return isa<arith::ArithDialect>(User->getDialect()) &&
           onlyInContracts(User);
  });
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

namespace {
/// Arithmetic of guards, on values that may be index or i64.
struct Maker {
  OpBuilder &Builder;
  Location Loc;
  Type Type;

  Value constant(int64_t Number) {
    return arith::ConstantOp::create(Builder, Loc,
                                     Builder.getIntegerAttr(Type, Number));
  }
  Value compare(arith::CmpIPredicate Predicate, Value A, Value B) {
    return arith::CmpIOp::create(Builder, Loc, Predicate, A, B);
  }
  template <class Op> Value make(Value A, Value B) {
    return Op::create(Builder, Loc, A, B);
  }
};
} // namespace

using Predicate = arith::CmpIPredicate;
static constexpr int64_t Most = std::numeric_limits<int64_t>::max();
static constexpr int64_t Least = std::numeric_limits<int64_t>::min();

/// B >= 0 ? A <= Most - B : A >= Least - B, and the mirror image for A - B.
static Value guardSum(Maker M, Value A, Value B, bool IsDifference) {
  Value Top = M.constant(Most), Bottom = M.constant(Least);
  Value Positive = M.compare(Predicate::sge, B, M.constant(0));
  Value Below, Above;
  if (IsDifference) {
    // Whichever is computed without need may wrap; it is not selected then.
    Above = M.compare(Predicate::sge, A, M.make<arith::AddIOp>(Bottom, B));
    Below = M.compare(Predicate::sle, A, M.make<arith::AddIOp>(Top, B));
    return arith::SelectOp::create(M.Builder, M.Loc, Positive, Above, Below);
  }
  Below = M.compare(Predicate::sle, A, M.make<arith::SubIOp>(Top, B));
  Above = M.compare(Predicate::sge, A, M.make<arith::SubIOp>(Bottom, B));
  return arith::SelectOp::create(M.Builder, M.Loc, Positive, Below, Above);
}

/// |A| <= Most / |B|. The lowest number has no absolute value and is refused,
/// which is stricter than needed by that one number.
static Value guardProduct(Maker M, Value A, Value B) {
  Value Zero = M.constant(0), One = M.constant(1);
  auto Absolute = [&](Value V) {
    return M.make<arith::MaxSIOp>(V, M.make<arith::SubIOp>(Zero, V));
  };
  Value SizeA = Absolute(A), SizeB = Absolute(B);
  Value Quotient = M.make<arith::DivSIOp>(M.constant(Most),
                                          M.make<arith::MaxSIOp>(SizeB, One));
  Value Fits = M.compare(Predicate::sle, SizeA, Quotient);
  Value Exist = M.make<arith::AndIOp>(M.compare(Predicate::sge, SizeA, Zero),
                                      M.compare(Predicate::sge, SizeB, Zero));
  return M.make<arith::AndIOp>(Fits, Exist);
}

static Value makeGuard(Operation *Op, OpBuilder &Builder, Location Loc) {
  Value A = Op->getOperand(0), B = Op->getOperand(1);
  Maker M{Builder, Loc, A.getType()};
  if (isa<arith::MulIOp>(Op))
    return guardProduct(M, A, B);
  return guardSum(M, A, B, /*IsDifference=*/isa<arith::SubIOp>(Op));
}

//===----------------------------------------------------------------------===//
// Obligations
//===----------------------------------------------------------------------===//

static void addOverflow(Operation *Op, Terms &T, Obligations &To) {
  Linear Result = T.of(Op->getResult(0));
  std::string Text = definitionOf(Op->getResult(0));
  if (onlyInContracts(Op)) {
    To.push_back({Overflow,
                  Text + " fits in 128 bits, for the launcher",
                  outside(Result, 128),
                  {}});
    return;
  }
  Obligation Fits{Overflow, Text + " fits in 64 bits", outside(Result, 64), {}};
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(Op))
    Fits.Guard = [=](OpBuilder &Builder, Location Loc) {
      return makeGuard(Op, Builder, Loc);
    };
  To.push_back(Fits);
}

static void addDivision(Operation *Op, Terms &T, Obligations &To) {
  Value A = Op->getOperand(0), B = Op->getOperand(1);
  Linear Dividend = T.of(A), Divisor = T.of(B);
  To.push_back({"division-by-zero",
                textOf(B) + " != 0",
                {{Divisor, -Divisor}},
                [=](OpBuilder &Builder, Location Loc) {
                  Maker M{Builder, Loc, B.getType()};
                  return M.compare(Predicate::ne, B, M.constant(0));
                }});
  // The lowest number has no opposite.
  To.push_back({Overflow,
                textOf(A) + " / " + textOf(B) + " fits in 64 bits",
                {{atMost(Dividend, -power(63)), Divisor + 1, -Divisor - 1}},
                [=](OpBuilder &Builder, Location Loc) {
                  Maker M{Builder, Loc, B.getType()};
                  return M.compare(Predicate::ne, B, M.constant(-1));
                }});
}

/// An index that becomes a narrower integer keeps its value.
static void addNarrowing(arith::IndexCastOp Cast, Terms &T, Obligations &To) {
  unsigned Bits = Cast.getType().getIntOrFloatBitWidth();
  Linear Value = T.of(Cast.getIn());
  mlir::Value In = Cast.getIn();
  To.push_back({Overflow,
                textOf(In) + " fits in " + std::to_string(Bits) + " bits",
                outside(Value, Bits),
                [=](OpBuilder &Builder, Location Loc) -> mlir::Value {
                  int64_t Limit = int64_t(1) << (Bits - 1);
                  Maker M{Builder, Loc, In.getType()};
                  return M.make<arith::AndIOp>(
                      M.compare(Predicate::slt, In, M.constant(Limit)),
                      M.compare(Predicate::sge, In, M.constant(-Limit)));
                }});
}

void analysis::addArithmeticObligations(Operation *Op, Terms &T,
                                        Obligations &To) {
  if (Op->getNumResults() != 1)
    return;
  if (auto Cast = dyn_cast<arith::IndexCastOp>(Op)) {
    if (Cast.getType().isInteger() &&
        Cast.getType() != Cast.getIn().getType() &&
        Cast.getType().getIntOrFloatBitWidth() < 64)
      addNarrowing(Cast, T, To);
    return;
  }
  if (!isIndexLike(Op->getResult(0).getType()))
    return;
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp>(Op))
    addOverflow(Op, T, To);
  else if (isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp,
               arith::CeilDivSIOp, arith::DivUIOp, arith::RemUIOp,
               arith::CeilDivUIOp>(Op))
    addDivision(Op, T, To);
}
