//===- Terms.cpp - Values of a kernel as linear expressions ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Terms.h"

#include "analysis/Names.h"
#include "dialect/Ascend.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

bool analysis::isIndexLike(Type Type) {
  return Type.isIndex() || Type.isInteger(64);
}

//===----------------------------------------------------------------------===//
// Variables and scopes
//===----------------------------------------------------------------------===//

Terms::Terms(Solver &S, Operation *Op) : S(S) {
  Count = fresh();
  S.assume(atLeast(Count, 1));
  S.assume(atMost(Count, ascend::worksAlone(Op) ? 1 : MaxCores));
  // The launcher knows it, so contracts may speak of it.
  addName("core_count()", Count, /*IsArgument=*/true);
  addCoreIndex();
}

void Terms::addCoreIndex() {
  Index = fresh(Count);
  S.assume(atLeast(Index, 0));
  S.assume(less(Index, Count));
  addName("core_index()", Index, /*IsArgument=*/false);
  Congruent.push_back(Index);
}

void Terms::forget(llvm::function_ref<bool(Value)> Shall) {
  for (const Key &K : Trail)
    if (Shall(K.first))
      Memo.erase(K);
  llvm::erase_if(Trail, [&](const Key &K) { return !Memo.contains(K); });
}

void Terms::switchCore(llvm::function_ref<bool(Value)> Shared) {
  forget([&](Value V) { return !Shared(V); });
  Congruent.clear();
  NamePrefix = "other ";
  addCoreIndex();
}

bool Terms::isOwnLane(const Linear &Number) const {
  Linear Rest = Number - Index;
  return Rest == Count * Rest.factorOf(*Count.asVariable());
}

void Terms::switchIteration(Operation *Loop) {
  forget([&](Value V) {
    return Loop->isAncestor(V.getParentRegion()->getParentOp());
  });
}

void Terms::addName(std::string Name, const Linear &Expr, bool IsArgument) {
  if (!Name.empty())
    Names.push_back({NamePrefix + Name, Expr, IsArgument});
}

Terms::Scope::Scope(Terms &T)
    : T(T), Facts(T.S), NumNames(T.Names.size()), NumTrail(T.Trail.size()),
      NumCongruent(T.Congruent.size()), NumDivisions(T.Divisions.size()) {}

Terms::Scope::~Scope() {
  for (const Key &K : llvm::drop_begin(T.Trail, NumTrail))
    T.Memo.erase(K);
  T.Trail.truncate(NumTrail);
  T.Names.truncate(NumNames);
  T.Congruent.truncate(NumCongruent);
  T.Divisions.truncate(NumDivisions);
}

static void addVariables(const Linear &Expr, SmallVectorImpl<unsigned> &To) {
  for (const Linear::Term &Term : Expr.terms())
    To.push_back(Term.Variable);
}

Linear Terms::fresh(ArrayRef<Linear> From) {
  Linear Result = S.addVariable();
  // Scopes that ended have left definitions of variables that are gone.
  Definitions.resize(S.getNumVariables());
  Definitions.back().clear();
  for (const Linear &Expr : From)
    addVariables(Expr, Definitions.back());
  return Result;
}

Linear Terms::multiply(const Linear &A, const Linear &B) {
  unsigned Before = S.getNumVariables();
  Linear Result = S.multiply(A, B);
  if (S.getNumVariables() == Before)
    return Result;
  Definitions.resize(S.getNumVariables());
  Definitions.back().clear();
  addVariables(A, Definitions.back());
  addVariables(B, Definitions.back());
  assumeElements(A, B);
  return Result;
}

llvm::BitVector Terms::dependencies(const Conjunction &Of) const {
  llvm::BitVector Seen(S.getNumVariables());
  SmallVector<unsigned> Worklist;
  for (const Linear &Expr : Of)
    addVariables(Expr, Worklist);
  while (!Worklist.empty()) {
    unsigned Variable = Worklist.pop_back_val();
    if (Seen.test(Variable))
      continue;
    Seen.set(Variable);
    Worklist.append(Definitions[Variable].begin(), Definitions[Variable].end());
  }
  return Seen;
}

Linear Terms::remember(Key K, const Linear &Expr) {
  Memo[K] = Expr;
  Trail.push_back(K);
  return Expr;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Linear Terms::of(OpFoldResult Value) {
  if (auto Constant = getConstantIntValue(Value)) {
    Constants.insert(*Constant);
    return Linear(*Constant);
  }
  return of(cast<mlir::Value>(Value));
}

Linear Terms::of(Value Value) {
  Key K(Value, Itself);
  if (auto It = Memo.find(K); It != Memo.end())
    return It->second;
  return remember(K, translate(Value));
}

void Terms::abstract(Value Value, int64_t Least, int64_t Most) {
  Linear Result = fresh();
  S.assume(atLeast(Result, Least));
  S.assume(atMost(Result, Most));
  remember({Value, Itself}, Result);
}

Linear Terms::opaque(Value Value) {
  Linear Result = fresh();
  unsigned Width =
      Value.getType().isIndex() ? 64 : Value.getType().getIntOrFloatBitWidth();
  DynamicAPInt Half(1);
  for (unsigned I = 1; I < Width; ++I)
    Half *= 2;
  S.assume(atLeast(Result, Width == 1 ? Linear(0) : Linear(-Half)));
  S.assume(Width == 1 ? atMost(Result, 1) : less(Result, Linear(Half)));
  auto Arg = dyn_cast<BlockArgument>(Value);
  bool IsArgument = Arg && isa<func::FuncOp>(Arg.getOwner()->getParentOp());
  size_t Before = Names.size();
  addName(nameOf(Value), Result, IsArgument);
  if (Names.size() > Before)
    Names.back().IsEstimate =
        !IsArgument && (Arg || isa<LoopLikeOpInterface>(Value.getDefiningOp()));
  return Result;
}

Linear Terms::translate(Value Value) {
  IntegerAttr Constant;
  if (matchPattern(Value, m_Constant(&Constant))) {
    Constants.insert(Constant.getInt());
    return Linear(Constant.getInt());
  }
  if (Operation *Op = Value.getDefiningOp())
    return translateOp(Op, Value);
  return opaque(Value);
}

Linear Terms::minMax(const Linear &A, const Linear &B, bool IsMax) {
  Linear Result = fresh({A, B});
  Linear AboveA = IsMax ? Result - A : A - Result;
  Linear AboveB = IsMax ? Result - B : B - Result;
  S.assume(AboveA);
  S.assume(AboveB);
  S.assume(Choice{{-AboveA}, {-AboveB}});
  return Result;
}

Linear Terms::oneOf(Value Cond, const Linear &True, const Linear &False) {
  if (True == False)
    return True;
  Linear Result = fresh({True, False});
  Choice Either = conjoin({equals(Result, True)}, condition(Cond, true));
  Either.append(conjoin({equals(Result, False)}, condition(Cond, false)));
  S.assume(Either);
  return Result;
}

Linear Terms::translateOp(Operation *Op, Value Value) {
  auto Operand = [&](unsigned I) { return of(Op->getOperand(I)); };
  auto Shift = [&]() -> std::optional<int64_t> {
    auto By = getConstantIntValue(Op->getOperand(1));
    return By && *By >= 0 && *By < 63 ? std::optional(int64_t(1) << *By)
                                      : std::nullopt;
  };
  // Casts and selections keep any integer; arithmetic on narrow types wraps.
  if (auto Cast = dyn_cast<arith::IndexCastOp>(Op))
    if (Value.getType().isIndex() || isIndexLike(Cast.getIn().getType()))
      if (isIndexLike(Value.getType()))
        return of(Cast.getIn());
  if (auto Cast = dyn_cast<arith::ExtSIOp>(Op))
    return of(Cast.getIn());
  if (auto Select = dyn_cast<arith::SelectOp>(Op))
    return oneOf(Select.getCondition(), of(Select.getTrueValue()),
                 of(Select.getFalseValue()));
  if (auto If = dyn_cast<scf::IfOp>(Op)) {
    unsigned I = cast<OpResult>(Value).getResultNumber();
    InBranch Here(*this);
    return oneOf(If.getCondition(), of(If.thenYield().getOperand(I)),
                 of(If.elseYield().getOperand(I)));
  }
  if (!isIndexLike(Value.getType()))
    return opaque(Value);
  return llvm::TypeSwitch<Operation *, Linear>(Op)
      .Case([&](arith::AddIOp) { return Operand(0) + Operand(1); })
      .Case([&](arith::SubIOp) { return Operand(0) - Operand(1); })
      .Case([&](arith::MulIOp) { return multiply(Operand(0), Operand(1)); })
      .Case([&](arith::MinSIOp) {
        return minMax(Operand(0), Operand(1), /*IsMax=*/false);
      })
      .Case([&](arith::MaxSIOp) {
        return minMax(Operand(0), Operand(1), /*IsMax=*/true);
      })
      .Case([&](arith::DivSIOp) {
        return divide(Operand(0), Operand(1), Rounding::Zero).Quotient;
      })
      .Case([&](arith::FloorDivSIOp) {
        return divide(Operand(0), Operand(1), Rounding::Down).Quotient;
      })
      .Case([&](arith::CeilDivSIOp) {
        return divide(Operand(0), Operand(1), Rounding::Up).Quotient;
      })
      .Case([&](arith::RemSIOp) {
        return divide(Operand(0), Operand(1), Rounding::Zero).Rest;
      })
      .Case([&](arith::ShLIOp) {
        auto By = Shift();
        return By ? Operand(0) * DynamicAPInt(*By) : opaque(Value);
      })
      .Case([&](arith::ShRSIOp) {
        auto By = Shift();
        return By ? divide(Operand(0), *By, Rounding::Down).Quotient
                  : opaque(Value);
      })
      .Case([&](arith::AndIOp) {
        // A mask of low bits is a remainder.
        auto Mask = getConstantIntValue(Op->getOperand(1));
        if (Mask && *Mask >= 0 && *Mask < MaxExtent && !(*Mask & (*Mask + 1)))
          return divide(Operand(0), *Mask + 1, Rounding::Down).Rest;
        return opaque(Value);
      })
      .Case([&](ascend::CoreIndexOp) { return Index; })
      .Case([&](ascend::CoreCountOp) { return Count; })
      .Case([&](memref::DimOp Dim) {
        auto Number = Dim.getConstantIndex();
        return Number ? extent(Dim.getSource(), *Number) : opaque(Value);
      })
      .Case([&](tensor::DimOp Dim) {
        auto Number = Dim.getConstantIndex();
        return Number && ascend::isTile(Dim.getSource().getType())
                   ? tileExtent(Dim.getSource(), *Number)
                   : opaque(Value);
      })
      .Case([&](scf::ForOp Loop) {
        return loopResult(Loop, cast<OpResult>(Value).getResultNumber());
      })
      .Case([&](scf::WhileOp Loop) {
        return whileResult(Loop, cast<OpResult>(Value).getResultNumber());
      })
      .Default([&](Operation *) { return opaque(Value); });
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

Terms::Division Terms::divide(const Linear &A, const Linear &B, Rounding Mode) {
  for (const Division &D : Divisions)
    if (D.A == A && D.B == B && D.Mode == Mode)
      return D;
  Divisions.push_back(makeDivision(A, B, Mode));
  return Divisions.back();
}

Terms::Division Terms::makeDivision(const Linear &A, const Linear &B,
                                    Rounding Mode) {
  if (B.isConstant() && B.constant() < 0) {
    Division Mirrored = divide(-A, -B, Mode);
    return {A, B, Mode, Mirrored.Quotient, -Mirrored.Rest};
  }
  Linear Q = fresh({A, B});
  Linear R = A - multiply(Q, B);
  // Of u*w / b, with u < b: that it is below w is seen at w*b, which is a
  // multiple of w as u*w is, and of b as the quotient's product is.
  if (auto Dividend = A.asVariable(); Dividend && !B.isConstant())
    for (size_t I = 0; I < S.products().size(); ++I) {
      Solver::Product P = S.products()[I];
      if (P.Value.asVariable() != Dividend)
        continue;
      multiply(P.A, B);
      multiply(P.B, B);
      break;
    }
  // The rest lies between 0 and the divisor, on the side that rounding says.
  auto Towards = [&](const Linear &Size, bool Positive) {
    return Positive ? Conjunction{R, less(R, Size)}
                    : Conjunction{-R, less(-R, Size)};
  };
  Choice Cases;
  auto Add = [&](Conjunction Where, const Linear &Size, bool Positive) {
    Where.append(Towards(Size, Positive));
    Cases.push_back(Where);
  };
  // For either sign of the divisor, if it is not known.
  for (bool Negative : {false, true}) {
    if (Negative && B.isConstant())
      continue;
    Linear Size = Negative ? -B : B;
    Conjunction Where{Size - 1};
    switch (Mode) {
    case Rounding::Down:
      Add(Where, Size, /*Positive=*/!Negative);
      break;
    case Rounding::Up:
      Add(Where, Size, /*Positive=*/Negative);
      break;
    case Rounding::Zero:
      // Also: the quotient is not farther from 0 than the dividend.
      Linear Signed = Negative ? -Q : Q;
      Add({Size - 1, A, Signed, A - Signed}, Size, /*Positive=*/true);
      Add({Size - 1, -A - 1, -Signed, Signed - A}, Size, /*Positive=*/false);
      break;
    }
  }
  // Division by zero has its own obligation; until then, nothing is known.
  if (!B.isConstant() || B.constant() == 0)
    Cases.push_back({B, -B});
  // The usual case needs no choice, which every later search would pay for. In
  // a loop over tiles, that there is a tile says that rows have tiles.
  auto IsUsual = [&](const Linear &Fact) {
    return S.impliesAtOnce(Fact) ||
           S.excludes({negate(Fact)}, Solver::SmallEffort);
  };
  if (!IsUsual(A) || !IsUsual(B - 1)) {
    S.assume(Cases);
    return {A, B, Mode, Q, R};
  }
  if (Mode == Rounding::Up)
    S.assume(Conjunction{-R, less(-R, B), Q});
  else
    S.assume(Conjunction{R, less(R, B), Q, A - Q});
  // Of a < x*b follows a / b < x.
  for (size_t I = 0; Mode != Rounding::Up && I < S.products().size(); ++I) {
    Solver::Product P = S.products()[I];
    const Linear *Other = S.areSame(P.B, B)   ? &P.A
                          : S.areSame(P.A, B) ? &P.B
                                              : nullptr;
    if (Other && S.impliesAtOnce(less(A, P.Value)))
      S.assume(less(Q, *Other));
  }
  // A number that the kernel has may be such an x, and is no product.
  if (Mode != Rounding::Up && !B.isConstant())
    for (int64_t X : Constants)
      if (X > 0 && S.impliesAtOnce(less(A, B * DynamicAPInt(X)))) {
        S.assume(less(Q, Linear(X)));
        break;
      }
  return {A, B, Mode, Q, R};
}
