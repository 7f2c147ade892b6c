//===- LowerStatements.cpp - Statements of kernels ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "language/Annotations.h"
#include "language/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace belay;
using namespace belay::language;
using clang::dyn_cast;
using clang::dyn_cast_or_null;
using clang::isa;
using support::DiagId;

void Lowering::lower(const clang::Stmt *S) {
  if (!S || isa<clang::NullStmt>(S))
    return;
  if (const auto *E = dyn_cast<clang::Expr>(S)) {
    lower(E);
    return;
  }
  switch (S->getStmtClass()) {
  case clang::Stmt::CompoundStmtClass:
    for (const clang::Stmt *Child : S->children())
      if (!HasReturned)
        lower(Child);
    return;
  case clang::Stmt::AttributedStmtClass:
    return lower(clang::cast<clang::AttributedStmt>(S)->getSubStmt());
  case clang::Stmt::DeclStmtClass:
    for (const clang::Decl *D : clang::cast<clang::DeclStmt>(S)->decls())
      if (const auto *Variable = dyn_cast<clang::VarDecl>(D))
        lowerVariable(Variable);
    return; // Types and static_asserts have been Sema's.
  case clang::Stmt::IfStmtClass:
    return lowerIf(clang::cast<clang::IfStmt>(S));
  case clang::Stmt::ForStmtClass:
    return lowerFor(clang::cast<clang::ForStmt>(S));
  case clang::Stmt::WhileStmtClass:
    return lowerWhile(clang::cast<clang::WhileStmt>(S));
  case clang::Stmt::CXXForRangeStmtClass:
    return lowerRangeFor(clang::cast<clang::CXXForRangeStmt>(S));
  case clang::Stmt::ReturnStmtClass:
    return lowerReturn(clang::cast<clang::ReturnStmt>(S));
  default:
    refuse(S, "this statement");
  }
}

void Lowering::lowerVariable(const clang::VarDecl *Variable) {
  if (!Variable->hasInit()) {
    Report.error(Variable->getLocation(), DiagId::NotInKernels,
                 "%0 has no value; a kernel reads nothing that nobody wrote")
        << Variable;
    Broken.insert(Variable);
    return;
  }
  // A reference to a variable is another name for it.
  if (Variable->getType()->isLValueReferenceType())
    if (const clang::ValueDecl *Target = variableOf(Variable->getInit())) {
      Aliases[Variable] = Target;
      return;
    }
  LoweredValue Value = lower(Variable->getInit());
  if (!Value) {
    Broken.insert(Variable);
    return;
  }
  // The emitted kernel keeps the author's names.
  if (!Value.Values.empty())
    if (mlir::Operation *Op = Value.value().getDefiningOp();
        Op && !InsideOurs && isa<FileLineColLoc>(Op->getLoc()))
      Op->setLoc(NameLoc::get(Builder.getStringAttr(Variable->getName()),
                              Op->getLoc()));
  Variables[Variable] = Value;
}

void Lowering::lowerReturn(const clang::ReturnStmt *S) {
  if (Depth == 0) {
    if (S->getRetValue())
      Report.error(S->getReturnLoc(), DiagId::NotInKernels,
                   "a kernel returns nothing; what it computes goes to "
                   "parameters, as Out<float> y");
    else
      refuse(S, "'return' from a kernel");
    return;
  }
  if (Builder.getBlock() != ReturnBlock) {
    Report.error(S->getReturnLoc(), DiagId::NotInKernels,
                 "'return' inside of a loop or branch; let the function end "
                 "with it");
    return;
  }
  Returned = S->getRetValue() ? lower(S->getRetValue()) : LoweredValue::empty();
  HasReturned = true;
}

//===----------------------------------------------------------------------===//
// What control flow carries
//===----------------------------------------------------------------------===//

namespace {

/// Collects the targets of assignments.
class AssignedVisitor : public clang::RecursiveASTVisitor<AssignedVisitor> {
public:
  llvm::SetVector<const clang::Expr *> Targets;

  bool shouldVisitImplicitCode() const { return true; }
  bool VisitBinaryOperator(clang::BinaryOperator *E) {
    if (E->isAssignmentOp())
      Targets.insert(E->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *E) {
    if (E->isIncrementDecrementOp())
      Targets.insert(E->getSubExpr());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *E) {
    // Whatever is passed as a reference that is not const may be assigned.
    const clang::FunctionDecl *Callee = E->getDirectCallee();
    if (!Callee)
      return true;
    bool Member =
        isa<clang::CXXOperatorCallExpr>(E) && isa<clang::CXXMethodDecl>(Callee);
    if (Member && !clang::cast<clang::CXXMethodDecl>(Callee)->isConst())
      Targets.insert(E->getArg(0));
    for (unsigned I = 0; I < Callee->getNumParams(); ++I) {
      clang::QualType Type = Callee->getParamDecl(I)->getType();
      unsigned Arg = I + Member;
      if (Type->isLValueReferenceType() &&
          !Type.getNonReferenceType().isConstQualified() &&
          Arg < E->getNumArgs())
        Targets.insert(E->getArg(Arg));
    }
    // Lambdas write to what they have captured, and functions call lambdas.
    if (getOperation(Callee).empty() && Callee->hasBody() &&
        Visited.insert(Callee).second)
      TraverseStmt(Callee->getBody());
    return true;
  }

private:
  llvm::DenseSet<const clang::FunctionDecl *> Visited;
};

} // namespace

SmallVector<const clang::Expr *>
Lowering::targetsIn(ArrayRef<const clang::Stmt *> Statements) {
  AssignedVisitor Visitor;
  for (const clang::Stmt *S : Statements)
    if (S)
      Visitor.TraverseStmt(const_cast<clang::Stmt *>(S));
  return Visitor.Targets.takeVector();
}

SmallVector<const clang::ValueDecl *>
Lowering::assignedIn(ArrayRef<const clang::Stmt *> Statements) {
  llvm::SetVector<const clang::ValueDecl *> Found;
  for (const clang::Expr *Target : targetsIn(Statements)) {
    const clang::ValueDecl *Variable = variableOf(Target);
    auto It = Variables.find(Variable);
    if (It != Variables.end() && (It->second.is(LoweredValue::Kind::Scalar) ||
                                  It->second.is(LoweredValue::Kind::Tile)))
      Found.insert(Variable);
  }
  return Found.takeVector();
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void Lowering::lowerIf(const clang::IfStmt *S) {
  if (S->isConstexpr()) {
    if (auto Taken = S->getNondiscardedCase(AST))
      lower(*Taken);
    return;
  }
  if (S->getInit())
    lower(S->getInit());
  LoweredValue Condition = lower(S->getCond());
  if (!Condition)
    return;
  Location Loc = loc(S->getIfLoc());
  auto Carried = assignedIn({S->getThen(), S->getElse()});

  bool HasElse = S->getElse() || !Carried.empty();
  auto Branch = [&](Region &Region, const clang::Stmt *Body) {
    Env Saved = Variables;
    OpBuilder::InsertionGuard Guard(Builder);
    Builder.createBlock(&Region);
    if (Body)
      lower(Body);
    SmallVector<Value> Results;
    for (const clang::ValueDecl *Variable : Carried)
      Results.push_back(Variables[Variable].value());
    Variables = Saved;
    return Results;
  };
  // What the branches yield is known once they are lowered.
  Region Then, Else;
  SmallVector<Value> InThen = Branch(Then, S->getThen()), InElse;
  if (HasElse)
    InElse = Branch(Else, S->getElse());
  SmallVector<Type> Types;
  for (auto [A, B] : llvm::zip_equal(InThen, InElse))
    Types.push_back(joinTypes(A.getType(), B.getType()));
  auto If = scf::IfOp::create(Builder, Loc, Types, Condition.value(), HasElse);
  If.getThenRegion().takeBody(Then);
  yield(If.getThenRegion().front(), InThen, Types, Loc);
  if (HasElse) {
    If.getElseRegion().takeBody(Else);
    yield(If.getElseRegion().front(), InElse, Types, Loc);
  }
  for (auto [Variable, Result] : llvm::zip_equal(Carried, If.getResults()))
    Variables[Variable].Values[0] = Result;
}

Type Lowering::joinTypes(Type A, Type B) {
  auto Tile = dyn_cast<RankedTensorType>(A);
  if (A == B || !Tile)
    return A;
  SmallVector<int64_t, 2> Extents(Tile.getShape());
  for (int64_t I : {0, 1})
    if (Extents[I] != clang::cast<RankedTensorType>(B).getDimSize(I))
      Extents[I] = ShapedType::kDynamic;
  ascend::CapacityAttr Capacity = ascend::getCapacity(Tile);
  return ascend::getTileType(Tile.getElementType(), Extents,
                             {Capacity.getRows(), Capacity.getCols()});
}

void Lowering::yield(Block &Block, ArrayRef<Value> Values, TypeRange Types,
                     Location Loc) {
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPointToEnd(&Block);
  SmallVector<Value> Results;
  for (auto [Value, Type] : llvm::zip_equal(Values, Types)) {
    auto Tile = dyn_cast<RankedTensorType>(Type);
    Results.push_back(Tile ? loosen(Value, Tile, Loc) : Value);
  }
  scf::YieldOp::create(Builder, Loc, Results);
}
