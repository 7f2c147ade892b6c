//===- Subset.cpp - What C++ a kernel may use -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule says what is wrong, and what to write instead.
//
//===----------------------------------------------------------------------===//

#include "language/Subset.h"
#include "language/Annotations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;
using namespace belay::language;
using belay::support::DiagId;

namespace {

class SubsetVisitor : public RecursiveASTVisitor<SubsetVisitor> {
public:
  SubsetVisitor(ASTContext &AST, Reporter &Report) : AST(AST), Report(Report) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitGotoStmt(GotoStmt *S) {
    return no(S->getGotoLoc(), "'goto' leaves no order that could be proven; "
                               "use for and if");
  }
  bool VisitDoStmt(DoStmt *S) {
    return no(S->getDoLoc(),
              "'do' is not there; use while, after what is to be "
              "done once in any case");
  }
  bool VisitSwitchStmt(SwitchStmt *S) {
    return no(S->getSwitchLoc(), "'switch' is not there; use if");
  }
  bool VisitBreakStmt(BreakStmt *S) {
    return no(S->getKwLoc(),
              "'break' is not there; let the condition say it, as "
              "in 'bool found = false; while (i < n && !found)'");
  }
  bool VisitContinueStmt(ContinueStmt *S) {
    return no(S->getKwLoc(),
              "'continue' is not there; put the rest of the body "
              "under if");
  }
  bool VisitCXXNewExpr(CXXNewExpr *E) {
    return no(E->getBeginLoc(), "nothing is allocated on a core; a tile is a "
                                "value, and its memory is planned");
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *E) {
    return no(E->getBeginLoc(),
              "nothing is freed on a core; memory is planned");
  }
  bool VisitAsmStmt(AsmStmt *S) {
    return no(S->getAsmLoc(), "assembly cannot be proven");
  }
  bool VisitCXXThrowExpr(CXXThrowExpr *E) {
    return no(E->getThrowLoc(), "a core has no exceptions");
  }
  bool VisitCXXTryStmt(CXXTryStmt *S) {
    return no(S->getTryLoc(), "a core has no exceptions");
  }
  bool VisitCXXReinterpretCastExpr(CXXReinterpretCastExpr *E) {
    return no(E->getBeginLoc(),
              "bits have one type; cast<T>(tile) converts values");
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *E) {
    return no(E->getExprLoc(), "there are no arrays; elements are reached by "
                               "load, store and gather");
  }
  bool VisitUnaryOperator(UnaryOperator *E) {
    if (E->getOpcode() != UO_AddrOf && E->getOpcode() != UO_Deref)
      return true;
    return no(E->getOperatorLoc(), "there are no addresses; elements are "
                                   "reached by load, store and gather");
  }
  bool VisitLambdaExpr(LambdaExpr *E) {
    for (const LambdaCapture &Capture : E->captures())
      if (Capture.capturesVariable() &&
          Capture.getCaptureKind() == LCK_ByCopy &&
          !isa<ParmVarDecl>(Capture.getCapturedVar()) &&
          !Capture.getCapturedVar()->getType().isConstQualified())
        no(Capture.getLocation(),
           "a lambda sees variables as they are when it is called; capture by "
           "reference");
    return true;
  }
  bool VisitVarDecl(VarDecl *Variable) {
    QualType Type = Variable->getType().getNonReferenceType();
    if (Variable->isStaticLocal() || Variable->getTLSKind())
      return no(Variable->getLocation(),
                "a core keeps nothing from one launch to the next");
    // The hidden variables of a range-based for.
    if (Variable->isImplicit() || Variable->isCXXForRangeDecl())
      return true;
    if (Type->isPointerType() || Type->isArrayType()) {
      Report.error(Variable->getLocation(), DiagId::NotInKernels,
                   "%0 is a pointer or array; use In<T> and Out<T> for global "
                   "memory, Tile<R, C, T> on chip")
          << Variable << Variable->getSourceRange();
      return true;
    }
    bool Narrow = Type->isIntegerType() && !Type->isBooleanType() &&
                  !Type->isEnumeralType() && AST.getTypeSize(Type) < 64;
    if (Narrow && !Variable->isConstexpr() && !comesFromTile(Variable))
      Report.error(Variable->getLocation(), DiagId::NarrowIndex,
                   "%0 has %1 bits and could wrap; use i64")
          << Variable << unsigned(AST.getTypeSize(Type));
    if (Type->isUnsignedIntegerType() && !Type->isBooleanType() &&
        !Type->isEnumeralType())
      Report.error(Variable->getLocation(), DiagId::NarrowIndex,
                   "%0 is unsigned, and its differences wrap; use i64")
          << Variable;
    return true;
  }

private:
  bool no(SourceLocation Where, llvm::StringRef Text) {
    Report.error(Where, DiagId::NotInKernels, Text);
    return true;
  }

  /// An element of a tile keeps its type; so does a scalar parameter.
  static bool comesFromTile(const VarDecl *Variable) {
    if (isa<ParmVarDecl>(Variable))
      return true;
    const Expr *Init = Variable->getInit();
    const auto *Call =
        Init ? dyn_cast<CallExpr>(Init->IgnoreImplicit()) : nullptr;
    return Call && Call->getDirectCallee() && isOurs(Call->getDirectCallee());
  }

  ASTContext &AST;
  Reporter &Report;
};

} // namespace

bool belay::language::checkSubset(const FunctionDecl *Function, ASTContext &AST,
                                  Reporter &Report) {
  unsigned Before = Report.errors();
  SubsetVisitor Visitor(AST, Report);
  for (ParmVarDecl *Param : Function->parameters())
    Visitor.VisitVarDecl(Param);
  Visitor.TraverseStmt(Function->getBody());
  checkMoves(Function, Report);
  return Report.errors() == Before;
}
