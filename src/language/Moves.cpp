//===- Moves.cpp - Tiles that are used after they were moved --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walk over the structured code of a kernel. After a branch, what one side
// moved counts as moved; a loop's body is walked twice, so that what an
// iteration moved is missing in the next.
//
//===----------------------------------------------------------------------===//

#include "language/Annotations.h"
#include "language/Subset.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;
using namespace belay::language;
using belay::support::DiagId;

namespace {

class MoveChecker {
public:
  explicit MoveChecker(Reporter &Report) : Report(Report) {}

  void walk(const Stmt *S) {
    if (!S)
      return;
    if (const auto *Call = dyn_cast<CallExpr>(S); Call && moves(Call))
      return;
    if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(S);
        Call && Call->getOperator() == OO_Equal)
      if (const VarDecl *Tile = tileOf(Call->getArg(0))) {
        walk(Call->getArg(1));
        Moved.erase(Tile);
        return;
      }
    if (const auto *If = dyn_cast<IfStmt>(S))
      return walkIf(If);
    if (const auto *For = dyn_cast<ForStmt>(S)) {
      walk(For->getInit());
      return walkLoop({For->getCond(), For->getBody(), For->getInc()});
    }
    if (const auto *While = dyn_cast<WhileStmt>(S))
      return walkLoop({While->getCond(), While->getBody()});
    if (const auto *For = dyn_cast<CXXForRangeStmt>(S)) {
      walk(For->getRangeInit());
      return walkLoop({For->getBody()});
    }
    if (const auto *Decls = dyn_cast<DeclStmt>(S)) {
      for (const Decl *D : Decls->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(D)) {
          walk(Variable->getInit());
          Moved.erase(Variable);
        }
      return;
    }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
      if (const VarDecl *Tile = tileOf(Ref))
        use(Ref, Tile);
      return;
    }
    for (const Stmt *Child : S->children())
      walk(Child);
  }

private:
  using State = llvm::MapVector<const VarDecl *, SourceLocation>;

  static const VarDecl *tileOf(const Expr *E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    const auto *Variable = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return Variable && getOurClass(Variable->getType()) == "Tile" ? Variable
                                                                  : nullptr;
  }

  bool moves(const CallExpr *Call) {
    const VarDecl *Tile =
        Call->isCallToStdMove() ? tileOf(Call->getArg(0)) : nullptr;
    if (!Tile)
      return false;
    use(Call->getArg(0), Tile);
    Moved[Tile] = Call->getBeginLoc();
    return true;
  }

  void use(const Expr *E, const VarDecl *Tile) {
    auto It = Moved.find(Tile);
    if (It == Moved.end() || !Reported.insert(E).second)
      return;
    Report.error(E->getExprLoc(), DiagId::UseAfterMove,
                 "%0 is used after it was moved")
        << Tile << E->getSourceRange();
    Report.note(It->second, "it was given away here");
  }

  void walkIf(const IfStmt *If) {
    walk(If->getInit());
    walk(If->getCond());
    State Before = Moved;
    walk(If->getThen());
    std::swap(Moved, Before);
    walk(If->getElse());
    join(Before);
  }

  void walkLoop(llvm::ArrayRef<const Stmt *> Parts) {
    for (int Round = 0; Round < 2; ++Round) {
      State Before = Moved;
      for (const Stmt *Part : Parts)
        walk(Part);
      join(Before);
    }
  }

  void join(const State &Other) {
    for (const auto &Entry : Other)
      Moved.insert(Entry);
  }

  Reporter &Report;
  State Moved;
  llvm::DenseSet<const Expr *> Reported;
};

} // namespace

void belay::language::checkMoves(const FunctionDecl *Function,
                                 Reporter &Report) {
  MoveChecker(Report).walk(Function->getBody());
}
