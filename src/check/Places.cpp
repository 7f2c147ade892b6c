//===- Places.cpp - Where expressions lie, what is stored there -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Interpreter.h"
#include "check/KernelState.h"
#include "check/Runtime.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;
using namespace belay::check;

Value Interpreter::pointerTo(const Place &P) {
  if (P.Memory)
    return *P.Memory;
  return P.Path ? Value::pointer(P.Path) : Value();
}

Place Interpreter::placeAt(const Value &Pointer, const Expr *By) {
  Place Result;
  if (By)
    Result.At = By->getExprLoc();
  if (Pointer.isPointer())
    Result.Path = Pointer.Id;
  else if (Pointer.isAddress())
    Result.Memory = Pointer;
  return Result;
}

/// In a lambda, what it captured.
Value Interpreter::thisPointer() {
  const Frame &F = Frames.back();
  if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(F.Function))
    if (isLambdaCallOperator(Method))
      if (const Value *Captured = Memory.find(F.This))
        return *Captured;
  return F.This ? Value::pointer(F.This) : Value();
}

Place Interpreter::locateVariable(const ValueDecl *Decl) {
  if (const auto *Binding = dyn_cast<BindingDecl>(Decl))
    return Binding->getBinding() ? locate(Binding->getBinding()) : Place();
  for (size_t I = Frames.size(); I--;) {
    auto At = Frames[I].Variables.find(Decl);
    if (At != Frames[I].Variables.end())
      return At->second;
    // The body of a lambda sees its own frame and what it captured.
    if (!isLambdaCallOperator(
            dyn_cast_or_null<DeclContext>(Frames[I].Function)))
      break;
    auto Captured = Captures.find(Frames[I].This);
    if (Captured != Captures.end()) {
      auto Each = Captured->second.find(Decl);
      if (Each != Captured->second.end())
        return Each->second;
    }
    break;
  }
  const auto *Var = dyn_cast<VarDecl>(Decl);
  if (!Var || !Var->hasGlobalStorage())
    return {};
  auto [At, New] = Globals.try_emplace(Var->getCanonicalDecl());
  if (!New)
    return {At->second, std::nullopt};
  PathId Path = Memory.makeRoot(Var);
  At->second = Path;
  GlobalRoots.insert(Path);
  if (isObserved(Var)) { // by us
    Memory.set(Path, Value::number(1));
    return {Path, std::nullopt};
  }
  const VarDecl *Definition = nullptr;
  const Expr *Init = Var->getAnyInitializer(Definition);
  if (Var->isUsableInConstantExpressions(AST) && Definition &&
      !Init->isValueDependent()) {
    if (const APValue *V = Definition->evaluateValue()) {
      fromConstant(Path, *V, Var->getType());
      return {Path, std::nullopt};
    }
  }
  if (Init && !Init->isValueDependent())
    initialize(Path, Var->getType(), Init);
  else if (Var->getType()->isPointerType())
    Memory.set(Path, Value::null());
  return {Path, std::nullopt};
}

Place Interpreter::locate(const Expr *E) {
  if (!spend())
    return {};
  E = E->IgnoreParens();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && isObserved(Var) && !inHeaders(E->getBeginLoc()))
      giveUp(E->getBeginLoc(), "the kernel uses a variable of Belay's own");
    return locateVariable(Ref->getDecl());
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field)
      return locateVariable(Member->getMemberDecl());
    Place Of;
    if (Member->isArrow())
      Of = placeAt(evaluate(Member->getBase()), E);
    else if (Member->getBase()->isPRValue()) {
      Of.Path = Memory.makeRoot(nullptr);
      construct(Member->getBase(), Of.Path);
    } else
      Of = locate(Member->getBase());
    if (Of.Memory) {
      const ASTRecordLayout &Layout =
          AST.getASTRecordLayout(Field->getParent());
      uint64_t Bits = Layout.getFieldOffset(Field->getFieldIndex());
      Of.Memory->N = Of.Memory->N + Number(static_cast<int64_t>(Bits / 8));
      return Of;
    }
    if (!Of.Path)
      return Of;
    PathId Path = Memory.field(Of.Path, Field);
    if (Path && Field->getType()->isReferenceType())
      if (const Value *Bound = Memory.find(Path))
        return placeAt(*Bound);
    return {Path, std::nullopt};
  }
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
    Value Index = evaluate(Sub->getIdx());
    Value Base = evaluate(Sub->getBase());
    if (std::optional<Place> Word = wordOf(Base, Index, Sub->getType()))
      return *Word;
    if (Base.isPointer() && !Index.constant())
      return {0, std::nullopt, {}, Memory.parentOf(Base.Id)};
    if (!Index.isNumber())
      return {};
    Device->indexed(Base, Index, Sub);
    return placeAt(offsetPointer(Base, Index.N, Sub->getType()), E);
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->getOpcode() == UO_Deref) {
      // The same as an element: *(words + i).
      if (const auto *Sum =
              dyn_cast<BinaryOperator>(Unary->getSubExpr()->IgnoreParens());
          Sum && Sum->getOpcode() == BO_Add &&
          Sum->getLHS()->getType()->isPointerType() &&
          !Sum->HasSideEffects(AST))
        if (std::optional<Place> Word =
                wordOf(evaluate(Sum->getLHS()), evaluate(Sum->getRHS()),
                       Unary->getType()))
          return *Word;
      return placeAt(evaluate(Unary->getSubExpr()), E);
    }
    if (Unary->isIncrementDecrementOp()) {
      evaluateUnary(Unary);
      return locate(Unary->getSubExpr());
    }
    return locate(Unary->getSubExpr());
  }
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E)) {
    Place Result{Memory.makeRoot(nullptr), std::nullopt};
    initialize(Result.Path, E->getType(), Temporary->getSubExpr());
    return Result;
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getCastKind() == CK_LValueToRValue ||
        Cast->getSubExpr()->isPRValue()) {
      Place Result{Memory.makeRoot(nullptr), std::nullopt};
      initialize(Result.Path, E->getType(), E);
      return Result;
    }
    return locate(Cast->getSubExpr());
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->isAssignmentOp()) {
      evaluate(Binary);
      return locate(Binary->getLHS());
    }
    if (Binary->getOpcode() == BO_Comma) {
      evaluate(Binary->getLHS());
      return locate(Binary->getRHS());
    }
    return {};
  }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    Value Condition = evaluate(Choice->getCond());
    return locate(decide(Condition, Choice->getCond(), false, 0)
                      ? Choice->getTrueExpr()
                      : Choice->getFalseExpr());
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    Place Result;
    Value V = call(Call, 0);
    if (V.isPointer() || V.isAddress())
      return placeAt(V);
    return Result;
  }
  if (const auto *Clean = dyn_cast<FullExpr>(E))
    return locate(Clean->getSubExpr());
  if (const auto *Bind = dyn_cast<CXXBindTemporaryExpr>(E))
    return locate(Bind->getSubExpr());
  if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return locate(Subst->getReplacement());
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return locate(Default->getExpr());
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E))
    if (Opaque->getSourceExpr())
      return locate(Opaque->getSourceExpr());
  if (isa<CXXThisExpr>(E))
    return placeAt(thisPointer());
  if (E->isPRValue()) {
    Place Result{Memory.makeRoot(nullptr), std::nullopt};
    initialize(Result.Path, E->getType(), E);
    return Result;
  }
  return {};
}

Value Interpreter::load(const Place &From, QualType Type) {
  if (From.Memory) {
    touch(From, Type, /*Write=*/false);
    std::string Name = Device->nameOf(From.Memory->Id) + "[" +
                       symbols().str(From.Memory->N) + "]";
    if (!Type->isPointerType())
      return readSymbol(*From.Memory, Name, Type);
    Value Address = readSymbol(*From.Memory, Name, AST.getUIntPtrType());
    return Device->tensorAt(Address, here()).value_or(Value());
  }
  if (From.Path && !isOtherSize(From.Path, Type))
    if (const Value *V = Memory.find(From.Path)) {
      Value Result = *V;
      Result.N = Known.normal(std::move(Result.N));
      return Result;
    }
  return unknown(Type, nullptr);
}

/// Whether a variable is accessed as one of another size.
bool Interpreter::isOtherSize(PathId P, QualType Type) const {
  const ValueDecl *D = Memory.declOf(P);
  QualType Own = D ? D->getType() : QualType();
  return !Own.isNull() && Own->isArithmeticType() && Type->isArithmeticType() &&
         AST.getTypeSize(Own) != AST.getTypeSize(Type);
}

void Interpreter::store(const Place &To, Value V, QualType Type) {
  if (To.Path) {
    if (const FieldDecl *Field = Memory.fieldOf(To.Path);
        Field && Field->isBitField())
      V = inBits(std::move(V), Field);
    if (isOtherSize(To.Path, Type))
      V = unknown(Memory.declOf(To.Path)->getType(), nullptr);
    else if (const ValueDecl *D = Memory.declOf(To.Path);
             D && D->getType()->isFloatingType() && Type->isIntegerType())
      V = Value::real(); // its bits
    else if (D && D->getType()->isUnsignedIntegerType() &&
             Type->isSignedIntegerType())
      V = readAs(std::move(V), D->getType(), Memory.nameOf(To.Path));
    Memory.set(To.Path, std::move(V));
    clearOverlaid(To.Path);
  } else if (To.Memory) {
    touch(To, Type, /*Write=*/true);
    Device->wroteScalar(*To.Memory);
  } else {
    storeSomewhere(To);
  }
}

/// What a field of some bits keeps of a number.
Value Interpreter::inBits(Value V, const FieldDecl *Field) {
  unsigned Width = Field->getBitWidthValue();
  bool Signed = Field->getType()->isSignedIntegerOrEnumerationType();
  if (!V.isNumber() || !Width || Width >= 62)
    return V;
  if (std::optional<int64_t> C = V.constant()) {
    llvm::APInt Bits(Width, static_cast<uint64_t>(*C), false, true);
    return Value::number(Signed ? Bits.getSExtValue()
                                : static_cast<int64_t>(Bits.getZExtValue()));
  }
  int64_t Most = (int64_t(1) << (Signed ? Width - 1 : Width)) - 1;
  if (Known.holds(Number(Most) - V.N) &&
      Known.holds(V.N - Number(Signed ? -Most - 1 : 0)))
    return V;
  return unknown(Field->getType(), nullptr);
}

/// Other members of a union that the place is in.
void Interpreter::clearOverlaid(PathId P) {
  for (; P; P = Memory.parentOf(P))
    if (const FieldDecl *Field = Memory.fieldOf(P);
        Field && Field->getParent()->isUnion())
      for (PathId Other : Memory.partsOf(Memory.parentOf(P)))
        if (Other != P)
          Memory.clear(Other);
}

/// A store to an element that is not known, or through a pointer that is not.
void Interpreter::storeSomewhere(const Place &To) {
  if (To.Within)
    Memory.clear(To.Within);
  else if (!Frames.empty() && !inHeaders(Frames.back().Function->getLocation()))
    giveUp(To.At.isValid() ? To.At : here(),
           "where a value is stored is not followed");
}

/// The whole of a structure, which may lie in global memory.
void Interpreter::copyRecord(const Place &To, const Place &From,
                             QualType Type) {
  if (To.Memory) {
    if (From.Memory)
      touch(From, Type, /*Write=*/false);
    touch(To, Type, /*Write=*/true);
    return Device->wroteScalar(*To.Memory);
  }
  if (!To.Path)
    return storeSomewhere(To);
  if (From.Memory)
    readStructure(To.Path, Type, From);
  else if (From.Path)
    Memory.copy(From.Path, To.Path);
  else
    Memory.clear(To.Path);
  if (auto Captured = Captures.find(From.Path);
      From.Path && Captured != Captures.end()) {
    auto Same = Captured->second;
    Captures[To.Path] = std::move(Same);
  }
  clearOverlaid(To.Path);
}

/// Functions of the API say themselves what they touch.
void Interpreter::touch(const Place &Where, QualType Type, bool Write) {
  const FunctionDecl *In = Frames.empty() ? nullptr : Frames.back().Function;
  if (!In || inHeaders(In->getLocation()) || Type->isIncompleteType())
    return;
  int64_t Bytes = AST.getTypeSizeInChars(Type).getQuantity();
  Device->touch(*Where.Memory, Bytes, Write, Where.At);
}
