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
    return;
  }
  // A reference to a variable is another name for it.
  if (Variable->getType()->isLValueReferenceType())
    if (const clang::ValueDecl *Target = variableOf(Variable->getInit())) {
      Aliases[Variable] = Target;
      return;
    }
  Thing Value = lower(Variable->getInit());
  if (!Value)
    return;
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
    refuse(S, "'return' from a kernel");
    return;
  }
  Returned = S->getRetValue() ? lower(S->getRetValue()) : Thing::empty();
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
    // Lambdas write to what they have captured.
    if (const auto *Method = dyn_cast<clang::CXXMethodDecl>(Callee))
      if (Method->getParent()->isLambda() && Method->hasBody())
        TraverseStmt(Method->getBody());
    return true;
  }
};

} // namespace

SmallVector<const clang::ValueDecl *>
Lowering::assignedIn(ArrayRef<const clang::Stmt *> Statements) {
  AssignedVisitor Visitor;
  for (const clang::Stmt *S : Statements)
    if (S)
      Visitor.TraverseStmt(const_cast<clang::Stmt *>(S));
  llvm::SetVector<const clang::ValueDecl *> Found;
  for (const clang::Expr *Target : Visitor.Targets) {
    const clang::ValueDecl *Variable = variableOf(Target);
    auto It = Variables.find(Variable);
    if (It != Variables.end() && (It->second.is(Thing::Kind::Scalar) ||
                                  It->second.is(Thing::Kind::Tile)))
      Found.insert(Variable);
  }
  return Found.takeVector();
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

void Lowering::lowerIf(const clang::IfStmt *S) {
  if (S->isConstexpr()) {
    if (auto Taken = S->getNondiscardedCase(AST))
      lower(*Taken);
    return;
  }
  if (S->getInit())
    lower(S->getInit());
  Thing Condition = lower(S->getCond());
  if (!Condition)
    return;
  Location Loc = loc(S->getIfLoc());
  auto Carried = assignedIn({S->getThen(), S->getElse()});

  // Both branches yield the same types: a tile that one of them changes has
  // dynamic extents afterwards.
  SmallVector<Type> Types;
  for (const clang::ValueDecl *Variable : Carried) {
    Type Type = Variables[Variable].value().getType();
    if (auto Tile = dyn_cast<RankedTensorType>(Type)) {
      ascend::CapacityAttr Capacity = ascend::getCapacity(Tile);
      Type = ascend::getTileType(Tile.getElementType(),
                                 {ShapedType::kDynamic, ShapedType::kDynamic},
                                 {Capacity.getRows(), Capacity.getCols()});
    }
    Types.push_back(Type);
  }
  bool HasElse = S->getElse() || !Carried.empty();
  auto If = scf::IfOp::create(Builder, Loc, Types, Condition.value(), HasElse);
  Env Saved = Variables;
  auto Branch = [&](Region &Region, const clang::Stmt *Body) {
    if (Region.empty())
      return;
    OpBuilder::InsertionGuard Guard(Builder);
    Block &Block = Region.front();
    if (!Block.empty())
      Block.back().erase();
    Builder.setInsertionPointToEnd(&Block);
    lower(Body);
    SmallVector<Value> Results;
    for (auto [Variable, Type] : llvm::zip_equal(Carried, Types)) {
      Value Result = Variables[Variable].value();
      if (auto Tile = dyn_cast<RankedTensorType>(Type))
        Result = loosen(Result, Tile, Loc);
      Results.push_back(Result);
    }
    scf::YieldOp::create(Builder, Loc, Results);
    Variables = Saved;
  };
  Branch(If.getThenRegion(), S->getThen());
  Branch(If.getElseRegion(), S->getElse());
  for (auto [Variable, Result] : llvm::zip_equal(Carried, If.getResults()))
    Variables[Variable].Values[0] = Result;
}

void Lowering::makeLoop(Location Loc, Value From, Value To, Value Step,
                        StringRef Name, const clang::Stmt *Body,
                        llvm::function_ref<void(Value)> Bind) {
  auto Carried = assignedIn({Body});
  SmallVector<Value> Inits;
  for (const clang::ValueDecl *Variable : Carried) {
    Value Init = Variables[Variable].value();
    if (auto Tile = dyn_cast<RankedTensorType>(Init.getType())) {
      // A round may change the extents.
      ascend::CapacityAttr Capacity = ascend::getCapacity(Tile);
      Init = loosen(
          Init,
          ascend::getTileType(Tile.getElementType(),
                              {ShapedType::kDynamic, ShapedType::kDynamic},
                              {Capacity.getRows(), Capacity.getCols()}),
          Loc);
    }
    Inits.push_back(Init);
  }
  auto Loop = scf::ForOp::create(Builder, Loc, From, To, Step, Inits);
  Loop.getInductionVar().setLoc(NameLoc::get(Builder.getStringAttr(Name), Loc));
  Env Saved = Variables;
  {
    OpBuilder::InsertionGuard Guard(Builder);
    Block &Block = *Loop.getBody();
    if (!Block.empty())
      Block.back().erase();
    Builder.setInsertionPointToEnd(&Block);
    for (auto [Variable, Arg] :
         llvm::zip_equal(Carried, Loop.getRegionIterArgs()))
      Variables[Variable].Values[0] = Arg;
    Bind(Loop.getInductionVar());
    lower(Body);
    SmallVector<Value> Results;
    for (auto [Variable, Arg] :
         llvm::zip_equal(Carried, Loop.getRegionIterArgs())) {
      Value Result = Variables[Variable].value();
      if (auto Tile = dyn_cast<RankedTensorType>(Arg.getType()))
        Result = loosen(Result, Tile, Loc);
      Results.push_back(Result);
    }
    scf::YieldOp::create(Builder, Loc, Results);
  }
  Variables = Saved;
  for (auto [Variable, Result] : llvm::zip_equal(Carried, Loop.getResults()))
    Variables[Variable].Values[0] = Result;
}

/// The variable of `for (i64 i = a; i < b; i += c)`, or null.
static const clang::VarDecl *countedVariable(const clang::ForStmt *S) {
  const auto *Init = dyn_cast_or_null<clang::DeclStmt>(S->getInit());
  const auto *Variable = Init && Init->isSingleDecl()
                             ? dyn_cast<clang::VarDecl>(Init->getSingleDecl())
                             : nullptr;
  return Variable && Variable->hasInit() ? Variable : nullptr;
}

void Lowering::lowerFor(const clang::ForStmt *S) {
  const clang::VarDecl *Variable = countedVariable(S);
  const auto *Condition = dyn_cast_or_null<clang::BinaryOperator>(
      S->getCond() ? S->getCond()->IgnoreParenImpCasts() : nullptr);
  const clang::Expr *Advance =
      S->getInc() ? S->getInc()->IgnoreParens() : nullptr;
  const auto *Increment = dyn_cast_or_null<clang::UnaryOperator>(Advance);
  const auto *Add = dyn_cast_or_null<clang::BinaryOperator>(Advance);
  auto IsVariable = [&](const clang::Expr *E) {
    const auto *Ref = dyn_cast<clang::DeclRefExpr>(E->IgnoreParenImpCasts());
    return Ref && Ref->getDecl() == Variable;
  };
  bool Counts = (Increment && Increment->isIncrementOp() &&
                 IsVariable(Increment->getSubExpr())) ||
                (Add && Add->getOpcode() == clang::BO_AddAssign &&
                 IsVariable(Add->getLHS()));
  bool Bounded = Condition &&
                 (Condition->getOpcode() == clang::BO_LT ||
                  Condition->getOpcode() == clang::BO_LE) &&
                 IsVariable(Condition->getLHS());
  if (!Variable || !Counts || !Bounded) {
    Report.error(S->getForLoc(), DiagId::NotInKernels,
                 "the trip count of this loop cannot be seen; write 'for (i64 "
                 "i = first; i < last; i += step)', or a range such as "
                 "my_tiles");
    return;
  }
  Thing From = lower(Variable->getInit()), To = lower(Condition->getRHS());
  Location Loc = loc(S->getForLoc());
  Thing Step = Add ? lower(Add->getRHS()) : Thing::scalar(index(1, Loc));
  if (!From || !To || !Step)
    return;
  Value Last = To.value();
  if (Condition->getOpcode() == clang::BO_LE)
    Last = arith::AddIOp::create(Builder, Loc, Last, index(1, Loc));
  auto Changed = assignedIn({S->getBody()});
  AssignedVisitor Visitor;
  Visitor.TraverseStmt(const_cast<clang::Stmt *>(S->getBody()));
  for (const clang::Expr *Target : Visitor.Targets)
    if (variableOf(Target) == Variable) {
      Report.error(Target->getExprLoc(), DiagId::NotInKernels,
                   "the loop's own variable %0 is assigned in its body")
          << Variable;
      return;
    }
  makeLoop(
      Loc, From.value(), Last, Step.value(), Variable->getName(), S->getBody(),
      [&](Value Counter) { Variables[Variable] = Thing::scalar(Counter); });
}

//===----------------------------------------------------------------------===//
// Ranges of kernel.h
//===----------------------------------------------------------------------===//

void Lowering::lowerRangeFor(const clang::CXXForRangeStmt *S) {
  const clang::Expr *Init = S->getRangeInit()->IgnoreImplicit();
  const auto *Call = dyn_cast<clang::CallExpr>(Init);
  const clang::FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  StringRef Name = Callee ? getOperation(Callee) : StringRef();
  if (!Name.consume_front("range.")) {
    Report.error(S->getForLoc(), DiagId::NotInKernels,
                 "a kernel goes through tiles, my_tiles, my_rows or my_spans, "
                 "not through %0")
        << Init->getType();
    return;
  }
  Thing Range = lower(Call->getArg(0));
  if (!Range)
    return;
  const clang::VarDecl *Variable = S->getLoopVariable();
  auto Most = capacityOf(Variable->getType().getNonReferenceType());
  Location Loc = loc(S->getForLoc());
  bool Mine = Name != "tiles";
  auto Rows = Most.front(), Cols = Most.back();

  // What is counted, in steps of how many.
  Value Extent =
      Range.is(Thing::Kind::View) ? dim(Range.value(), 0, Loc) : Range.value();
  int64_t Each = Name == "my_rows" ? Rows : Cols;
  Value Across;
  if (Name == "my_tiles_2d") {
    auto CeilDiv = [&](Value N, int64_t By) -> Value {
      Value Up = arith::AddIOp::create(Builder, Loc, N, index(By - 1, Loc));
      return arith::DivSIOp::create(Builder, Loc, Up, index(By, Loc));
    };
    Across = CeilDiv(dim(Range.value(), 1, Loc), Cols);
    Extent = arith::MulIOp::create(Builder, Loc, CeilDiv(Extent, Rows), Across);
    Each = 1;
  }
  Value Step = index(Each, Loc), From = index(0, Loc), By = Step;
  if (Mine) {
    From = arith::MulIOp::create(
        Builder, Loc, ascend::CoreIndexOp::create(Builder, Loc), Step);
    By = arith::MulIOp::create(Builder, Loc,
                               ascend::CoreCountOp::create(Builder, Loc), Step);
  }
  auto Rest = [&](Value Of, Value Begin, int64_t Most) -> Value {
    Value Left = arith::SubIOp::create(Builder, Loc, Of, Begin);
    return arith::MinSIOp::create(Builder, Loc, Left, index(Most, Loc));
  };
  makeLoop(
      Loc, From, Extent, By, Variable->getName(), S->getBody(), [&](Value I) {
        if (!Range.is(Thing::Kind::View)) {
          Variables[Variable] = Thing::span(I, Rest(Extent, I, Each));
          return;
        }
        Thing Row = Thing::span(index(0, Loc), index(1, Loc)), Col = Row;
        if (Name == "my_tiles") {
          Col = Thing::span(I, Rest(Extent, I, Cols));
        } else if (Name == "my_rows") {
          Row = Thing::span(I, Rest(Extent, I, Rows));
          Col = Thing::span(index(0, Loc), index(Cols, Loc));
        } else {
          auto Begin = [&](Value N, int64_t Size) -> Value {
            return arith::MulIOp::create(Builder, Loc, N, index(Size, Loc));
          };
          Value R =
              Begin(arith::DivSIOp::create(Builder, Loc, I, Across), Rows);
          Value C =
              Begin(arith::RemSIOp::create(Builder, Loc, I, Across), Cols);
          Row = Thing::span(R, Rest(dim(Range.value(), 0, Loc), R, Rows));
          Col = Thing::span(C, Rest(dim(Range.value(), 1, Loc), C, Cols));
        }
        Variables[Variable] = Thing::window(Range.value(), Row, Col);
      });
}
