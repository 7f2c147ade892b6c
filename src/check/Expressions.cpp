//===- Expressions.cpp - Values of expressions ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Interpreter.h"
#include "check/KernelState.h"
#include "check/Runtime.h"

using namespace clang;
using namespace belay::check;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value Interpreter::fromScalar(const APValue &V) {
  if (V.isInt()) {
    const llvm::APSInt &I = V.getInt();
    return I.isRepresentableByInt64()
               ? Value::number(I.getExtValue())
               : Value::number(static_cast<int64_t>(I.getZExtValue()));
  }
  if (V.isFloat())
    return Value::real();
  if (V.isLValue() && V.isNullPointer())
    return Value::null();
  return {};
}

void Interpreter::fromConstant(PathId Into, const APValue &V, QualType Type) {
  if (V.isStruct()) {
    const auto *Record = Type->getAsRecordDecl();
    unsigned Base = 0;
    if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
      for (const CXXBaseSpecifier &Each : Class->bases())
        fromConstant(Into, V.getStructBase(Base++), Each.getType());
    for (const FieldDecl *Field : Record->fields())
      fromConstant(Memory.field(Into, Field),
                   V.getStructField(Field->getFieldIndex()), Field->getType());
    return;
  }
  if (V.isArray()) {
    QualType Element = AST.getAsArrayType(Type)->getElementType();
    for (unsigned I = 0; I < V.getArraySize(); ++I)
      fromConstant(Memory.element(Into, I),
                   I < V.getArrayInitializedElts() ? V.getArrayInitializedElt(I)
                                                   : V.getArrayFiller(),
                   Element);
    return;
  }
  Memory.set(Into, fromScalar(V));
}

/// What Clang can compute by itself: sizes, traits, template arguments.
std::optional<Value> Interpreter::foldConstant(const Expr *E) {
  auto [At, New] = Kernel.Constants.try_emplace(E);
  if (New) {
    Expr::EvalResult Result;
    if (!E->isValueDependent() && E->EvaluateAsRValue(Result, AST) &&
        (Result.Val.isInt() || Result.Val.isFloat()))
      At->second = Result.Val;
  }
  if (At->second.isAbsent() || At->second.isIndeterminate())
    return std::nullopt;
  return fromScalar(At->second);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value Interpreter::unknown(QualType Type, const Expr *At) {
  std::string Key = "fresh:" + std::to_string(Fresh++);
  Value V = makeSymbol(Key, "?", Type, Origin::Other);
  uint64_t MadeAt = uint64_t(here().getRawEncoding()) << 32 |
                    (At ? At->getBeginLoc().getRawEncoding() : 0);
  if (V.isNumber())
    V.N.forEachSymbol([&](SymbolId S) {
      symbols()[S].Made = Fresh;
      symbols()[S].MadeAt = MadeAt;
    });
  return V;
}

Value Interpreter::evaluateReference(const ValueDecl *Decl, const Expr *E) {
  if (const auto *Constant = dyn_cast<EnumConstantDecl>(Decl))
    return Value::number(Constant->getInitVal().getExtValue());
  if (const auto *Function = dyn_cast<FunctionDecl>(Decl)) {
    Value V;
    V.What = Value::Kind::Function;
    V.Callee = Function;
    return V;
  }
  if (const auto *Param = dyn_cast<TemplateParamObjectDecl>(Decl)) {
    PathId Path = Memory.makeRoot(nullptr);
    fromConstant(Path, Param->getValue(), Param->getType());
    return Value::pointer(Path);
  }
  return load(locate(E), E->getType());
}

Value Interpreter::evaluate(const Expr *E) {
  if (!spend())
    return {};
  switch (E->getStmtClass()) {
  case Stmt::IntegerLiteralClass:
  case Stmt::CharacterLiteralClass:
  case Stmt::CXXBoolLiteralExprClass:
  case Stmt::UnaryExprOrTypeTraitExprClass:
  case Stmt::TypeTraitExprClass:
  case Stmt::SizeOfPackExprClass:
  case Stmt::OffsetOfExprClass:
  case Stmt::CXXNoexceptExprClass:
  case Stmt::ConceptSpecializationExprClass:
    if (std::optional<Value> V = foldConstant(E))
      return *V;
    return unknown(E->getType(), E);
  case Stmt::ConstantExprClass:
    if (std::optional<Value> V = foldConstant(E))
      return *V;
    return evaluate(cast<ConstantExpr>(E)->getSubExpr());
  case Stmt::FloatingLiteralClass:
    return Value::real();
  case Stmt::CXXNullPtrLiteralExprClass:
  case Stmt::GNUNullExprClass:
    return Value::null();
  case Stmt::ParenExprClass:
    return evaluate(cast<ParenExpr>(E)->getSubExpr());
  case Stmt::ExprWithCleanupsClass:
    return evaluate(cast<ExprWithCleanups>(E)->getSubExpr());
  case Stmt::SubstNonTypeTemplateParmExprClass:
    return evaluate(cast<SubstNonTypeTemplateParmExpr>(E)->getReplacement());
  case Stmt::CXXDefaultArgExprClass:
    return evaluate(cast<CXXDefaultArgExpr>(E)->getExpr());
  case Stmt::CXXDefaultInitExprClass:
    return evaluate(cast<CXXDefaultInitExpr>(E)->getExpr());
  case Stmt::CXXThisExprClass:
    return thisPointer();
  case Stmt::DeclRefExprClass:
    return evaluateReference(cast<DeclRefExpr>(E)->getDecl(), E);
  case Stmt::MemberExprClass: {
    const auto *Member = cast<MemberExpr>(E);
    if (isa<EnumConstantDecl, FunctionDecl>(Member->getMemberDecl()))
      return evaluateReference(Member->getMemberDecl(), E);
    return load(locate(E), E->getType());
  }
  case Stmt::ArraySubscriptExprClass:
    return load(locate(E), E->getType());
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::CXXScalarValueInitExprClass:
    return E->getType()->isFloatingType()  ? Value::real()
           : E->getType()->isPointerType() ? Value::null()
                                           : Value::number(0);
  case Stmt::InitListExprClass: {
    const auto *List = cast<InitListExpr>(E);
    if (List->getNumInits() == 1 && !E->getType()->isRecordType() &&
        !E->getType()->isArrayType())
      return evaluate(List->getInit(0));
    if (List->getNumInits() == 0 && E->getType()->isScalarType())
      return E->getType()->isPointerType() ? Value::null() : Value::number(0);
    break;
  }
  case Stmt::MaterializeTemporaryExprClass:
    return load(locate(E), E->getType());
  case Stmt::OpaqueValueExprClass:
    if (const Expr *Source = cast<OpaqueValueExpr>(E)->getSourceExpr())
      return evaluate(Source);
    break;
  case Stmt::StmtExprClass: {
    const CompoundStmt *Body = cast<StmtExpr>(E)->getSubStmt();
    Value Last;
    for (const Stmt *Each : Body->body())
      if (const auto *Result = dyn_cast<Expr>(Each);
          Result && Each == Body->body_back())
        Last = evaluate(Result);
      else if (execute(Each) != Flow::Next)
        break;
    return Last;
  }
  default:
    break;
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return evaluateCast(Cast);
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return evaluateUnary(Unary);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return Binary->isAssignmentOp() ? assign(Binary) : evaluateBinary(Binary);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    Value Condition = evaluate(Choice->getCond());
    if (std::optional<Value> Both = evaluateBoth(Choice, Condition))
      return *Both;
    return evaluate(decide(Condition, Choice->getCond(), false, 0)
                        ? Choice->getTrueExpr()
                        : Choice->getFalseExpr());
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    Value V = call(Call, 0);
    // A function that returns a reference gives the place.
    if (E->isGLValue())
      return load(placeAt(V), E->getType());
    return V;
  }
  if (E->getType()->isRecordType() || E->getType()->isArrayType()) {
    PathId Path = Memory.makeRoot(nullptr);
    construct(E, Path);
    return Value::pointer(Path);
  }
  if (E->HasSideEffects(AST))
    giveUp(E->getBeginLoc(), "this expression is not followed");
  return unknown(E->getType(), E);
}

Value Interpreter::evaluateUnary(const UnaryOperator *E) {
  QualType Type = E->getType();
  switch (E->getOpcode()) {
  case UO_AddrOf:
    if (const auto *Ref =
            dyn_cast<DeclRefExpr>(E->getSubExpr()->IgnoreParens()))
      if (isa<FunctionDecl>(Ref->getDecl()))
        return evaluateReference(Ref->getDecl(), Ref);
    return pointerTo(locate(E->getSubExpr()));
  case UO_Deref:
    return load(placeAt(evaluate(E->getSubExpr()), E), Type);
  case UO_Plus:
  case UO_Extension:
    return evaluate(E->getSubExpr());
  case UO_Minus: {
    Value V = evaluate(E->getSubExpr());
    if (V.isNumber())
      return compute(BO_Sub, Value::number(0), V, Type, E);
    return V;
  }
  case UO_LNot:
    return negate(evaluate(E->getSubExpr()));
  case UO_Not: {
    Value V = evaluate(E->getSubExpr());
    if (std::optional<int64_t> C = V.constant())
      return convert(Value::number(~*C), AST.LongLongTy, Type, nullptr);
    return unknown(Type, E);
  }
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec: {
    Place Where = locate(E->getSubExpr());
    Value Old = load(Where, Type);
    int64_t Step = E->isIncrementOp() ? 1 : -1;
    Value New = Type->isPointerType()
                    ? offsetPointer(Old, Step, Type->getPointeeType())
                : E->getOpcode() == UO_PreDec
                    ? compute(BO_Sub, Old, Value::number(1), Type, E)
                    : compute(BO_Add, Old, Value::number(Step), Type, nullptr);
    // Where the old value is asked for first (`while (n--)`), it may be zero.
    if (E->getOpcode() == UO_PostDec && Type->isUnsignedIntegerType() &&
        New.isNumber() && !New.constant() && !inHeaders(E->getBeginLoc()) &&
        !Known.holds(New.N))
      Kernel.unknown(Topic::Overflow, E->getBeginLoc(),
                     "whether " + symbols().str(New.N) +
                         " is not below zero is not known");
    store(Where, New, Type);
    return E->isPostfix() ? Old : New;
  }
  default:
    return unknown(Type, E);
  }
}

Value Interpreter::evaluateBinary(const BinaryOperator *E) {
  BinaryOperatorKind Op = E->getOpcode();
  if (Op == BO_Comma) {
    evaluate(E->getLHS());
    return evaluate(E->getRHS());
  }
  Value L = evaluate(E->getLHS());
  if (Op == BO_LAnd || Op == BO_LOr) {
    // Where the left side decides nothing, each side is a way of its own.
    bool Left = decide(L, E->getLHS(), false, 0);
    if (Left != (Op == BO_LAnd))
      return Value::number(Left);
    return evaluate(E->getRHS());
  }
  Value R = evaluate(E->getRHS());
  QualType LT = E->getLHS()->getType(), RT = E->getRHS()->getType();
  if (LT->isPointerType() && RT->isIntegralOrEnumerationType() &&
      R.isNumber() && (Op == BO_Add || Op == BO_Sub)) {
    Device->indexed(L, R, E);
    return offsetPointer(L, Op == BO_Add ? R.N : Number() - R.N,
                         LT->getPointeeType());
  }
  if (RT->isPointerType() && LT->isIntegralOrEnumerationType() &&
      L.isNumber() && Op == BO_Add) {
    Device->indexed(R, L, E);
    return offsetPointer(R, L.N, RT->getPointeeType());
  }
  if (LT->isPointerType() && RT->isPointerType() && Op == BO_Sub) {
    Value Bytes = compute(Op, L, R, E->getType(), nullptr);
    int64_t Size = AST.getTypeSizeInChars(LT->getPointeeType()).getQuantity();
    if (!Bytes.isNumber() || Size <= 0)
      return unknown(E->getType(), E);
    std::optional<Number> Count = Bytes.N.dividedBy(Size);
    return Count ? Value::number(*Count) : unknown(E->getType(), E);
  }
  if (E->isComparisonOp()) {
    Value V = compare(Op, L, R);
    return V.isNumber() ? V : unknown(E->getType(), E);
  }
  return compute(Op, L, R, E->getType(), E);
}

Value Interpreter::assign(const BinaryOperator *E) {
  QualType Type = E->getLHS()->getType();
  if (Type->isRecordType()) {
    Place To = locate(E->getLHS());
    Place From = locate(E->getRHS());
    copyRecord(To, From, Type);
    return pointerTo(To);
  }
  if (const auto *Compound = dyn_cast<CompoundAssignOperator>(E)) {
    Value R = evaluate(E->getRHS());
    Place To = locate(E->getLHS());
    Value L = load(To, Type);
    QualType In = Compound->getComputationLHSType();
    BinaryOperatorKind Op =
        BinaryOperator::getOpForCompoundAssignment(E->getOpcode());
    Value V;
    if (Type->isPointerType() && R.isNumber()) {
      Device->indexed(L, R, E);
      V = offsetPointer(L, Op == BO_Add ? R.N : Number() - R.N,
                        Type->getPointeeType());
    } else
      V = convert(compute(Op, convert(L, Type, In, nullptr), R, In, E), In,
                  Type, E);
    store(To, V, Type);
    return V;
  }
  Value V = evaluate(E->getRHS());
  Place To = locate(E->getLHS());
  store(To, V, Type);
  return V;
}

Value Interpreter::evaluateCast(const CastExpr *E) {
  const Expr *Sub = E->getSubExpr();
  switch (E->getCastKind()) {
  case CK_LValueToRValue:
    return evaluate(Sub);
  case CK_ArrayToPointerDecay: {
    Place Array = locate(Sub);
    if (Array.Memory)
      return *Array.Memory;
    PathId First = Memory.element(Array.Path, 0);
    return First ? Value::pointer(First) : Value();
  }
  case CK_FunctionToPointerDecay:
  case CK_NoOp:
  case CK_BitCast:
  case CK_UserDefinedConversion:
  case CK_ConstructorConversion:
  case CK_BaseToDerived:
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
  case CK_PointerToIntegral:
  case CK_AddressSpaceConversion:
    return evaluate(Sub);
  case CK_IntegralToPointer: {
    Value V = evaluate(Sub);
    return V.isNumber() ? Device->tensorAt(V, here()).value_or(V) : V;
  }
  case CK_NullToPointer:
    return Value::null();
  case CK_IntegralCast:
  case CK_IntegralToBoolean:
  case CK_BooleanToSignedIntegral: {
    Value V = evaluate(Sub);
    if (Sub->getType()->isBooleanType() && !E->getType()->isBooleanType())
      V = oneOrZero(V, Sub);
    return convert(V, Sub->getType(), E->getType(), E);
  }
  case CK_PointerToBoolean: {
    Value V = evaluate(Sub);
    if (V.What == Value::Kind::Null)
      return Value::number(0);
    return V.isPointer() || V.isAddress() ? Value::number(1)
                                          : unknown(E->getType(), E);
  }
  case CK_IntegralToFloating:
  case CK_FloatingCast:
    evaluate(Sub);
    return Value::real();
  case CK_FloatingToIntegral:
    evaluate(Sub);
    if (std::optional<Value> V = foldConstant(E))
      return *V;
    return unknown(E->getType(), E);
  case CK_ToVoid:
    evaluate(Sub);
    return {};
  default:
    evaluate(Sub);
    return unknown(E->getType(), E);
  }
}
