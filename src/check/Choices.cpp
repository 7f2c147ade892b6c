//===- Choices.cpp - Conditions that choose between numbers ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `left < tile ? left : tile` in a loop of a loop, or `if (i == last) n = tail`
// would double the paths each time. In a loop of which one iteration stands for
// all later ones (LoopProof.h), where the two ways do nothing but compute
// numbers, both are followed at once: the number becomes a symbol that is one
// of two, and a proof about it is one for each of them. Outside of loops each
// way is a path, which the clauses of a launch can name. What data decide no
// clause can name: there, both ways are always followed at once.
//
//===----------------------------------------------------------------------===//

#include "check/Interpreter.h"
#include "check/KernelState.h"
#include "llvm/ADT/FoldingSet.h"

using namespace clang;
using namespace belay::check;

/// Nothing is known of it but its type.
static bool isUnknown(const Symbol &S) { return S.MadeAt != 0; }

/// The condition, if both ways may be followed at once.
std::optional<Condition> Interpreter::bothWays(const Value &What) {
  if (!What.isNumber() || What.constant() || OneWay)
    return std::nullopt;
  std::optional<Condition> Meaning = Kernel.meaningOf(What.N);
  // A comparison of values, which are not followed: zero or not.
  if (!Meaning && symbols().any(What.N, isUnknown))
    return Condition{What.N, {}, /*Equality=*/true, /*Negated=*/true};
  if (!Meaning || (Meaning->Equality && Kernel.Found.zero(Meaning->Yes)))
    return std::nullopt;
  bool InProof = Kernel.Proving && !Proofs.empty();
  if (!InProof && !symbols().any(Meaning->Yes, [](const Symbol &S) {
        return S.From == Origin::Data && !S.Iteration;
      }))
    return std::nullopt;
  return Meaning;
}

/// A number that is the one or the other.
Value Interpreter::choose(const Condition &Of, const Value &Then,
                          const Value &Else, QualType Type, const Expr *At) {
  Value Result = Then;
  for (const Wrap *Value::*Each : {&Value::Wrapped, &Value::MayWrap,
                                   &Value::MayBeNegative, &Value::Narrowed})
    if (!(Result.*Each))
      Result.*Each = Else.*Each;
  if (Then.N == Else.N)
    return Result;
  // What is the largest so far: a choice of choices says no more.
  if (symbols().any(Of.Yes, isUnknown) &&
      (symbols().findChosen(Then.N) || symbols().findChosen(Else.N)))
    return unknown(Type, At);
  const Value &IfYes = Of.Negated ? Else : Then,
              &IfNo = Of.Negated ? Then : Else;
  Result.N = Number::symbol(
      symbols().choose({IfYes.N, IfNo.N, Of.Yes, Of.No, Of.Equality}));
  return Result;
}

/// A condition that is counted with, as in `n / tile + (n % tile > 0)`.
Value Interpreter::oneOrZero(const Value &What, const Expr *At) {
  std::optional<Condition> Meaning =
      What.isNumber() ? Kernel.meaningOf(What.N) : std::nullopt;
  if (!Meaning || What.constant() || OneWay)
    return What;
  if (std::optional<Condition> Of = bothWays(What))
    return choose(*Of, Value::number(1), Value::number(0), At->getType(), At);
  return Value::number(decide(What, At, false, 0));
}

/// Whether an expression is arithmetic on variables and members: it changes
/// nothing, and asks nothing of the device.
static bool isPlain(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Constant = dyn_cast<ConstantExpr>(E))
    return isPlain(Constant->getSubExpr());
  if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return isPlain(Subst->getReplacement());
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return (Unary->getOpcode() == UO_Minus || Unary->getOpcode() == UO_Plus) &&
           isPlain(Unary->getSubExpr());
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return (Binary->isMultiplicativeOp() || Binary->isAdditiveOp()) &&
           isPlain(Binary->getLHS()) && isPlain(Binary->getRHS());
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    const Expr *Base = Member->getBase()->IgnoreParenImpCasts();
    return isa<FieldDecl>(Member->getMemberDecl()) &&
           !Member->getMemberDecl()->getType()->isReferenceType() &&
           (isa<CXXThisExpr>(Base) || (!Member->isArrow() && isPlain(Base)));
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return isa<EnumConstantDecl>(Ref->getDecl()) ||
           (isa<VarDecl>(Ref->getDecl()) &&
            !Ref->getDecl()->getType()->isReferenceType());
  return isa<IntegerLiteral, CXXBoolLiteralExpr, FloatingLiteral>(E);
}

static bool isPlainValue(const Expr *E) {
  return E->getType()->isArithmeticType() && isPlain(E);
}

static bool isPlainNumber(const Expr *E) {
  return E->getType()->isIntegerType() && isPlain(E);
}

/// Evaluating it has no effect.
static bool isPlainComparison(const Expr *Condition) {
  const auto *Compares =
      Condition ? dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts())
                : nullptr;
  return Compares && Compares->isComparisonOp() &&
         isPlainNumber(Compares->getLHS()) && isPlainNumber(Compares->getRHS());
}

std::optional<bool> Interpreter::knownCondition(const Expr *Condition) {
  if (!isPlainComparison(Condition))
    return std::nullopt;
  std::optional<int64_t> Is = evaluate(Condition).constant();
  return Is ? std::optional(*Is != 0) : std::nullopt;
}

std::optional<Number> Interpreter::distance(const Expr *Condition) {
  if (!isPlainComparison(Condition))
    return std::nullopt;
  const auto *Compares = cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (Compares->getOpcode() != BO_NE)
    return std::nullopt;
  Value L = evaluate(Compares->getLHS()), R = evaluate(Compares->getRHS());
  return L.isNumber() && R.isNumber() ? std::optional(R.N - L.N) : std::nullopt;
}

bool Interpreter::assumeCondition(const Expr *Condition) {
  if (!isPlainComparison(Condition))
    return false;
  Value V = evaluate(Condition);
  auto Meaning = V.isNumber() ? Kernel.meaningOf(V.N) : std::nullopt;
  if (!Meaning)
    return V.constant().value_or(0) != 0;
  Meaning->assume(Known, true);
  return true;
}

Facts Interpreter::factsWhere(const Expr *Condition) {
  const Facts Before = Known;
  assumeCondition(Condition);
  Facts Result = Known;
  Known = Before;
  return Result;
}

std::optional<Value> Interpreter::evaluateBoth(const ConditionalOperator *E,
                                               const Value &What) {
  std::optional<Condition> Of = bothWays(What);
  auto IsValue = [&](const Expr *Way) {
    return isPlainValue(Way) || (Way->getType()->isArithmeticType() &&
                                 isAskedAgain(Way, E->getCond()));
  };
  if (!Of || !IsValue(E->getTrueExpr()) || !IsValue(E->getFalseExpr()))
    return std::nullopt;
  if (E->getType()->isFloatingType())
    return Value::real();
  Value Results[2];
  const Facts Before = Known;
  for (bool Then : {true, false}) {
    Of->assume(Known, Then);
    Results[!Then] = evaluate(Then ? E->getTrueExpr() : E->getFalseExpr());
    Known = Before;
  }
  if (!Results[0].isNumber() || !Results[1].isNumber() ||
      !Results[0].N.fits() || !Results[1].N.fits())
    return std::nullopt;
  return choose(*Of, Results[0], Results[1], E->getType(), E);
}

/// Whether an expression asks a tensor for what the condition has asked it for,
/// which has no other effect.
bool Interpreter::isAskedAgain(const Expr *E, const Expr *Condition) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(E->IgnoreParenImpCasts());
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || !Method->isConst() || !inHeaders(Method->getLocation()))
    return false;
  auto NameOf = [&](const Stmt *S) {
    llvm::FoldingSetNodeID Id;
    S->Profile(Id, AST, /*Canonical=*/true);
    return Id;
  };
  const llvm::FoldingSetNodeID Name = NameOf(Call);
  std::function<bool(const Stmt *)> StandsIn = [&](const Stmt *S) {
    return S && ((isa<CXXMemberCallExpr>(S) && NameOf(S) == Name) ||
                 llvm::any_of(S->children(), StandsIn));
  };
  return StandsIn(Condition);
}

/// The variables that a statement assigns to, if it does nothing else.
bool Interpreter::assignsOnly(const Stmt *S, const Expr *Condition,
                              SmallVectorImpl<const Expr *> &To) {
  if (!S || isa<NullStmt>(S))
    return true;
  if (const auto *Body = dyn_cast<CompoundStmt>(S))
    return llvm::all_of(Body->body(), [&](const Stmt *Each) {
      return assignsOnly(Each, Condition, To);
    });
  const auto *E = dyn_cast<Expr>(S);
  const auto *Assignment =
      E ? dyn_cast<BinaryOperator>(E->IgnoreParens()) : nullptr;
  if (!Assignment || !Assignment->isAssignmentOp() ||
      !isPlainValue(Assignment->getLHS()) ||
      !(isPlainValue(Assignment->getRHS()) ||
        isAskedAgain(Assignment->getRHS(), Condition)))
    return false;
  To.push_back(Assignment->getLHS());
  return true;
}

bool Interpreter::executeBoth(const IfStmt *If, const Value &What) {
  SmallVector<const Expr *, 4> Assigned;
  if (!assignsOnly(If->getThen(), If->getCond(), Assigned) ||
      !assignsOnly(If->getElse(), If->getCond(), Assigned) || Assigned.empty())
    return false;
  std::optional<Condition> Of = bothWays(What);
  if (!Of)
    return false;
  std::map<PathId, Value> Before, After[2];
  std::map<PathId, QualType> Types;
  for (const Expr *E : Assigned) {
    PathId To = locate(E).Path;
    const Value *Is = To ? Memory.find(To) : nullptr;
    if (!Is)
      return false;
    Before.emplace(To, *Is);
    Types[To] = E->getType();
  }
  const Facts Outside = Known;
  bool Numbers = true;
  // Which float it is makes no difference here.
  auto IsFloat = [&](PathId To) { return Types[To]->isFloatingType(); };
  for (bool Then : {true, false}) {
    Of->assume(Known, Then);
    execute(Then ? If->getThen() : If->getElse());
    for (const auto &[To, Old] : Before) {
      const Value *Is = Memory.find(To);
      Numbers = Numbers && Is &&
                (IsFloat(To) ||
                 (Is->isNumber() && Is->N.fits() && Is->What == Old.What));
      After[!Then].emplace(To, Is ? *Is : Value());
      Memory.set(To, Old);
    }
    Known = Outside;
  }
  if (!Numbers)
    return false;
  for (const auto &[To, Is] : After[0]) {
    const Value &Other = After[1].at(To);
    if (IsFloat(To))
      Memory.set(To, Value::real());
    else
      Memory.set(To, choose(*Of, Is, Other, Types[To], If->getCond()));
  }
  return true;
}
