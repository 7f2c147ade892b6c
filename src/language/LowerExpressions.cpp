//===- LowerExpressions.cpp - Expressions of kernels ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Elements.h"
#include "language/Annotations.h"
#include "language/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace belay;
using namespace belay::language;
using clang::dyn_cast;
using support::DiagId;

LoweredValue Lowering::lower(const clang::Expr *E) {
  E = E->IgnoreParens();
  if (std::optional<LoweredValue> Constant = lowerConstant(E))
    return *Constant;
  switch (E->getStmtClass()) {
  case clang::Stmt::DeclRefExprClass:
    if (const clang::ValueDecl *Variable = variableOf(E)) {
      if (auto It = Variables.find(Variable); It != Variables.end())
        return It->second;
      if (Broken.contains(Variable))
        return LoweredValue::nothing();
    }
    return refuse(E, "a variable from outside the kernel");
  case clang::Stmt::ExprWithCleanupsClass:
  case clang::Stmt::ConstantExprClass:
    return lower(clang::cast<clang::FullExpr>(E)->getSubExpr());
  case clang::Stmt::MaterializeTemporaryExprClass:
    return lower(clang::cast<clang::MaterializeTemporaryExpr>(E)->getSubExpr());
  case clang::Stmt::CXXBindTemporaryExprClass:
    return lower(clang::cast<clang::CXXBindTemporaryExpr>(E)->getSubExpr());
  case clang::Stmt::CXXDefaultArgExprClass:
    return lower(clang::cast<clang::CXXDefaultArgExpr>(E)->getExpr());
  case clang::Stmt::SubstNonTypeTemplateParmExprClass:
    return lower(
        clang::cast<clang::SubstNonTypeTemplateParmExpr>(E)->getReplacement());
  case clang::Stmt::LambdaExprClass:
    return LoweredValue::closure(clang::cast<clang::LambdaExpr>(E));
  case clang::Stmt::MemberExprClass: {
    // The two parts of a span.
    const auto *Member = clang::cast<clang::MemberExpr>(E);
    LoweredValue Base = lower(Member->getBase());
    if (Base.is(LoweredValue::Kind::Span))
      return LoweredValue::scalar(
          Base.Values[Member->getMemberDecl()->getName() == "size"]);
    return Base ? refuse(E, "a member of a structure") : Base;
  }
  case clang::Stmt::ConditionalOperatorClass:
    return lowerConditional(clang::cast<clang::ConditionalOperator>(E));
  default:
    break;
  }
  if (const auto *Binary = dyn_cast<clang::BinaryOperator>(E))
    return lowerBinary(Binary);
  if (const auto *Unary = dyn_cast<clang::UnaryOperator>(E))
    return lowerUnary(Unary);
  if (const auto *Cast = dyn_cast<clang::CastExpr>(E))
    return lowerCast(Cast);
  if (const auto *Construct = dyn_cast<clang::CXXConstructExpr>(E))
    return lowerConstruct(Construct);
  if (const auto *Call = dyn_cast<clang::CallExpr>(E))
    return lowerCall(Call);
  return refuse(E, "this expression");
}

std::optional<LoweredValue> Lowering::lowerConstant(const clang::Expr *E) {
  clang::QualType Type = E->getType();
  if (E->isValueDependent() || E->isTypeDependent() || E->isLValue())
    return std::nullopt;
  clang::Expr::EvalResult Result;
  if (Type->isIntegralOrEnumerationType() &&
      E->EvaluateAsInt(Result, AST, clang::Expr::SE_NoSideEffects)) {
    mlir::Type To = scalarType(Type, E->getExprLoc());
    if (!To)
      return LoweredValue::nothing();
    int64_t Value = Result.Val.getInt().getExtValue();
    return LoweredValue::scalar(arith::ConstantOp::create(
        Builder, loc(E->getExprLoc()), Builder.getIntegerAttr(To, Value)));
  }
  APFloat Float(0.0);
  if (Type->isRealFloatingType() && E->EvaluateAsFloat(Float, AST)) {
    mlir::Type To = Builder.getF32Type();
    bool Loses;
    Float.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &Loses);
    return LoweredValue::scalar(arith::ConstantOp::create(
        Builder, loc(E->getExprLoc()), FloatAttr::get(To, Float)));
  }
  return std::nullopt;
}

const clang::ValueDecl *Lowering::variableOf(const clang::Expr *E) {
  E = E->IgnoreParenImpCasts();
  const auto *Ref = dyn_cast<clang::DeclRefExpr>(E);
  const clang::ValueDecl *Variable = Ref ? Ref->getDecl() : nullptr;
  for (auto It = Aliases.find(Variable); It != Aliases.end();
       It = Aliases.find(Variable))
    Variable = It->second;
  return Variable;
}

LoweredValue Lowering::assign(const clang::Expr *Target, LoweredValue Value) {
  const clang::ValueDecl *Variable = variableOf(Target);
  auto It = Variables.find(Variable);
  if (!Value || Broken.contains(Variable))
    return LoweredValue::nothing();
  if (It == Variables.end() || It->second.TheKind != Value.TheKind ||
      !(Value.is(LoweredValue::Kind::Scalar) ||
        Value.is(LoweredValue::Kind::Tile)))
    return refuse(Target, "assigning to this");
  It->second = Value;
  return Value;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

LoweredValue Lowering::lowerBinary(const clang::BinaryOperator *E) {
  if (E->getOpcode() == clang::BO_Comma)
    return refuse(E, "the comma operator");
  if (E->getOpcode() == clang::BO_Assign)
    return assign(E->getLHS(), lower(E->getRHS()));
  if (E->isLogicalOp())
    return lowerLogical(E);
  LoweredValue Lhs = lower(E->getLHS()), Rhs = lower(E->getRHS());
  if (!Lhs || !Rhs)
    return LoweredValue::nothing();
  if (!Lhs.is(LoweredValue::Kind::Scalar) ||
      !Rhs.is(LoweredValue::Kind::Scalar))
    return refuse(E, "this operator");
  clang::BinaryOperatorKind Op = E->getOpcode();
  if (E->isCompoundAssignmentOp())
    Op = clang::BinaryOperator::getOpForCompoundAssignment(Op);
  Location Loc = loc(E->getOperatorLoc());
  Value Result = arithmetic(Op, Lhs.value(), Rhs.value(), Loc, E);
  if (!Result)
    return LoweredValue::nothing();
  if (E->isCompoundAssignmentOp())
    return assign(E->getLHS(), LoweredValue::scalar(Result));
  return LoweredValue::scalar(Result);
}

static std::optional<arith::CmpIPredicate>
intPredicate(clang::BinaryOperatorKind Op) {
  switch (Op) {
  case clang::BO_LT:
    return arith::CmpIPredicate::slt;
  case clang::BO_LE:
    return arith::CmpIPredicate::sle;
  case clang::BO_GT:
    return arith::CmpIPredicate::sgt;
  case clang::BO_GE:
    return arith::CmpIPredicate::sge;
  case clang::BO_EQ:
    return arith::CmpIPredicate::eq;
  case clang::BO_NE:
    return arith::CmpIPredicate::ne;
  default:
    return std::nullopt;
  }
}

static arith::CmpFPredicate floatPredicate(arith::CmpIPredicate Predicate) {
  switch (Predicate) {
  case arith::CmpIPredicate::slt:
    return arith::CmpFPredicate::OLT;
  case arith::CmpIPredicate::sle:
    return arith::CmpFPredicate::OLE;
  case arith::CmpIPredicate::sgt:
    return arith::CmpFPredicate::OGT;
  case arith::CmpIPredicate::sge:
    return arith::CmpFPredicate::OGE;
  case arith::CmpIPredicate::eq:
    return arith::CmpFPredicate::OEQ;
  default:
    return arith::CmpFPredicate::UNE;
  }
}

Value Lowering::arithmetic(clang::BinaryOperatorKind Op, Value Lhs, Value Rhs,
                           Location Loc, const clang::Expr *E) {
  if (Lhs.getType() != Rhs.getType()) {
    refuse(E, "mixing types in this operator");
    return {};
  }
  bool Float = isa<FloatType>(Lhs.getType());
  if (auto Predicate = intPredicate(Op)) {
    if (Float)
      return arith::CmpFOp::create(Builder, Loc, floatPredicate(*Predicate),
                                   Lhs, Rhs);
    return arith::CmpIOp::create(Builder, Loc, *Predicate, Lhs, Rhs);
  }
  // Narrow integers are for the elements of tiles; what is computed in them
  // could wrap unseen.
  bool Index = Lhs.getType().isIndex();
  switch (Op) {
  case clang::BO_Add:
    if (Float)
      return arith::AddFOp::create(Builder, Loc, Lhs, Rhs);
    if (Index)
      return arith::AddIOp::create(Builder, Loc, Lhs, Rhs);
    break;
  case clang::BO_Sub:
    if (Float)
      return arith::SubFOp::create(Builder, Loc, Lhs, Rhs);
    if (Index)
      return arith::SubIOp::create(Builder, Loc, Lhs, Rhs);
    break;
  case clang::BO_Mul:
    if (Float)
      return arith::MulFOp::create(Builder, Loc, Lhs, Rhs);
    if (Index)
      return arith::MulIOp::create(Builder, Loc, Lhs, Rhs);
    break;
  case clang::BO_Div:
    if (Float)
      return arith::DivFOp::create(Builder, Loc, Lhs, Rhs);
    if (Index)
      return arith::DivSIOp::create(Builder, Loc, Lhs, Rhs);
    break;
  case clang::BO_Rem:
    if (Index)
      return arith::RemSIOp::create(Builder, Loc, Lhs, Rhs);
    break;
  default:
    break;
  }
  if (isa<IntegerType>(Lhs.getType()))
    Report.error(E->getExprLoc(), DiagId::NarrowIndex,
                 "arithmetic in %0 could wrap; use i64")
        << E->getType() << E->getSourceRange();
  else
    refuse(E, "this operator");
  return {};
}

LoweredValue Lowering::lowerUnary(const clang::UnaryOperator *E) {
  LoweredValue Operand = lower(E->getSubExpr());
  if (!Operand)
    return Operand;
  Location Loc = loc(E->getOperatorLoc());
  if (!Operand.is(LoweredValue::Kind::Scalar))
    return refuse(E, "this operator");
  Value Old = Operand.value();
  Type Type = Old.getType();
  switch (E->getOpcode()) {
  case clang::UO_Plus:
    return Operand;
  case clang::UO_Minus:
    if (isa<FloatType>(Type))
      return LoweredValue::scalar(arith::NegFOp::create(Builder, Loc, Old));
    if (Type.isIndex())
      return LoweredValue::scalar(
          arith::SubIOp::create(Builder, Loc, index(0, Loc), Old));
    return refuse(E, "negating a narrow integer");
  case clang::UO_LNot: {
    Value True =
        arith::ConstantOp::create(Builder, Loc, Builder.getBoolAttr(true));
    return LoweredValue::scalar(arith::XOrIOp::create(Builder, Loc, Old, True));
  }
  case clang::UO_PreInc:
  case clang::UO_PostInc:
  case clang::UO_PreDec:
  case clang::UO_PostDec: {
    if (!Type.isIndex())
      return refuse(E, "counting in a type other than i64");
    Value One = index(1, Loc);
    Value New = E->isIncrementOp()
                    ? Value(arith::AddIOp::create(Builder, Loc, Old, One))
                    : Value(arith::SubIOp::create(Builder, Loc, Old, One));
    LoweredValue Result = assign(E->getSubExpr(), LoweredValue::scalar(New));
    return E->isPostfix() && Result ? Operand : Result;
  }
  default:
    return refuse(E, "this operator");
  }
}

//===----------------------------------------------------------------------===//
// What is evaluated only if a condition holds
//===----------------------------------------------------------------------===//

/// Whether it may be evaluated even if C++ would not: nothing can go wrong.
static bool isHarmless(mlir::Operation &Op) {
  return Op.getNumRegions() == 0 &&
         llvm::isa<arith::ConstantOp, arith::CmpIOp, arith::CmpFOp,
                   arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::SelectOp,
                   arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
                   arith::NegFOp, arith::MinSIOp, arith::MaxSIOp,
                   arith::MinNumFOp, arith::MaxNumFOp, arith::ExtFOp,
                   arith::TruncFOp, arith::SIToFPOp, arith::ExtUIOp,
                   arith::ExtSIOp, memref::DimOp, tensor::DimOp,
                   ascend::CoreIndexOp, ascend::CoreCountOp>(Op);
}

LoweredValue Lowering::choose(const clang::Expr *E, Value Condition,
                              llvm::function_ref<LoweredValue()> True,
                              llvm::function_ref<LoweredValue()> False) {
  for (const clang::Expr *Target : targetsIn({E}))
    if (Variables.count(variableOf(Target)))
      return refuse(Target, "assignments inside of &&, || and ?:");
  Location Loc = loc(E->getExprLoc());
  auto Inside = [&](Region &Region, llvm::function_ref<LoweredValue()> Make) {
    OpBuilder::InsertionGuard Guard(Builder);
    Builder.createBlock(&Region);
    return Make();
  };
  Region Then, Else;
  LoweredValue A = Inside(Then, True), B = Inside(Else, False);
  if (!A || !B)
    return LoweredValue::nothing();
  if (!A.is(LoweredValue::Kind::Scalar) || !B.is(LoweredValue::Kind::Scalar))
    return refuse(E, "'?:' between tiles, for which there is select");
  Block &InA = Then.front(), &InB = Else.front();
  // What the launcher computes has no branches; it computes in 128 bits.
  if (InContract ||
      (llvm::all_of(InA, isHarmless) && llvm::all_of(InB, isHarmless))) {
    for (Block *From : {&InA, &InB})
      Builder.getBlock()->getOperations().splice(Builder.getInsertionPoint(),
                                                 From->getOperations());
    return LoweredValue::scalar(
        arith::SelectOp::create(Builder, Loc, Condition, A.value(), B.value()));
  }
  Type Type = A.value().getType();
  auto If = scf::IfOp::create(Builder, Loc, Type, Condition,
                              /*withElseRegion=*/true);
  If.getThenRegion().takeBody(Then);
  yield(If.getThenRegion().front(), {A.value()}, Type, Loc);
  If.getElseRegion().takeBody(Else);
  yield(If.getElseRegion().front(), {B.value()}, Type, Loc);
  return LoweredValue::scalar(If.getResult(0));
}

LoweredValue Lowering::lowerLogical(const clang::BinaryOperator *E) {
  LoweredValue Lhs = lower(E->getLHS());
  if (!Lhs)
    return Lhs;
  bool IsAnd = E->getOpcode() == clang::BO_LAnd;
  auto Right = [&] { return lower(E->getRHS()); };
  auto Known = [&] {
    return LoweredValue::scalar(arith::ConstantOp::create(
        Builder, loc(E->getOperatorLoc()), Builder.getBoolAttr(!IsAnd)));
  };
  return IsAnd ? choose(E, Lhs.value(), Right, Known)
               : choose(E, Lhs.value(), Known, Right);
}

LoweredValue Lowering::lowerConditional(const clang::ConditionalOperator *E) {
  LoweredValue Condition = lower(E->getCond());
  if (!Condition)
    return Condition;
  return choose(
      E, Condition.value(), [&] { return lower(E->getTrueExpr()); },
      [&] { return lower(E->getFalseExpr()); });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value Lowering::convert(Value From, Type To, Location Loc) {
  Type Type = From.getType();
  if (Type == To)
    return From;
  bool FromFloat = isa<FloatType>(Type), ToFloat = isa<FloatType>(To);
  if (FromFloat && ToFloat) {
    unsigned Have = Type.getIntOrFloatBitWidth(),
             Want = To.getIntOrFloatBitWidth();
    if (Have < Want)
      return arith::ExtFOp::create(Builder, Loc, To, From);
    if (Have == Want) // half and bfloat16
      From = arith::ExtFOp::create(Builder, Loc, Builder.getF32Type(), From);
    return arith::TruncFOp::create(Builder, Loc, To, From);
  }
  if (ToFloat) {
    if (Type.isIndex())
      From =
          arith::IndexCastOp::create(Builder, Loc, Builder.getI64Type(), From);
    return arith::SIToFPOp::create(Builder, Loc, To, From);
  }
  if (FromFloat)
    return {};
  if (To.isIndex() || Type.isIndex())
    return arith::IndexCastOp::create(Builder, Loc, To, From);
  unsigned Have = Type.getIntOrFloatBitWidth(),
           Want = To.getIntOrFloatBitWidth();
  if (Have == 1)
    return arith::ExtUIOp::create(Builder, Loc, To, From);
  if (Have < Want)
    return arith::ExtSIOp::create(Builder, Loc, To, From);
  return {};
}

LoweredValue Lowering::lowerCast(const clang::CastExpr *E) {
  LoweredValue From = lower(E->getSubExpr());
  if (!From)
    return From;
  switch (E->getCastKind()) {
  case clang::CK_LValueToRValue:
  case clang::CK_NoOp:
  case clang::CK_ConstructorConversion:
  case clang::CK_UserDefinedConversion:
  case clang::CK_FunctionToPointerDecay:
    return From;
  case clang::CK_IntegralCast:
  case clang::CK_IntegralToFloating:
  case clang::CK_FloatingCast: {
    mlir::Type To = scalarType(E->getType(), E->getExprLoc());
    if (!To)
      return LoweredValue::nothing();
    if (Value Result = convert(From.value(), To, loc(E->getExprLoc())))
      return LoweredValue::scalar(Result);
    Report.error(E->getExprLoc(), DiagId::NarrowIndex,
                 "%0 becomes %1 here, which may lose bits; use i64")
        << E->getSubExpr()->getType() << E->getType() << E->getSourceRange();
    return LoweredValue::nothing();
  }
  default:
    return refuse(E, "this conversion");
  }
}

LoweredValue Lowering::lowerConstruct(const clang::CXXConstructExpr *E) {
  // Moves are what values do anyway; Moves.cpp has looked at what follows.
  if (E->getConstructor()->isCopyOrMoveConstructor())
    return lower(E->getArg(0));
  StringRef Ours = getOurClass(E->getType());
  if (ascend::elementNamed(Ours) != element_types::id::none &&
      E->getNumArgs() == 1) {
    LoweredValue From = lower(E->getArg(0));
    if (!From)
      return From;
    return LoweredValue::scalar(
        convert(From.value(), elementType(E->getType(), E->getExprLoc()),
                loc(E->getExprLoc())));
  }
  return refuse(E, "making an object of this type");
}
