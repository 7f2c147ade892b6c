//===- LowerLoops.cpp - Loops of kernels ----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop whose number of iterations can be seen becomes scf.for: ranges of
// kernel.h, and `for` and `while` that count up or down. Every other loop
// becomes scf.while.
//
//===----------------------------------------------------------------------===//

#include "language/Annotations.h"
#include "language/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"

using namespace mlir;
using namespace belay;
using namespace belay::language;
using clang::dyn_cast;
using clang::dyn_cast_or_null;
using support::DiagId;

//===----------------------------------------------------------------------===//
// Making loops
//===----------------------------------------------------------------------===//

SmallVector<Value>
Lowering::valuesOf(ArrayRef<const clang::ValueDecl *> Carried) {
  SmallVector<Value> Values;
  for (const clang::ValueDecl *Variable : Carried)
    Values.push_back(Variables[Variable].value());
  return Values;
}

void Lowering::bind(ArrayRef<const clang::ValueDecl *> Carried,
                    ValueRange Values) {
  for (auto [Variable, Value] : llvm::zip_equal(Carried, Values))
    Variables[Variable].Values[0] = Value;
}

bool Lowering::loosenInits(SmallVectorImpl<Value> &Inits,
                           ArrayRef<Value> Results, Location Loc) {
  bool Changed = false;
  for (auto [Init, Result] : llvm::zip_equal(Inits, Results)) {
    Type Joined = joinTypes(Init.getType(), Result.getType());
    if (Joined == Init.getType())
      continue;
    Init = loosen(Init, clang::cast<RankedTensorType>(Joined), Loc);
    Changed = true;
  }
  return Changed;
}

void Lowering::makeLoop(Location Loc, Value From, Value To, Value Step,
                        StringRef Name, const clang::Stmt *Body,
                        llvm::function_ref<void(Value)> Bind) {
  auto Carried = assignedIn({Body});
  SmallVector<Value> Inits = valuesOf(Carried);
  const Env Saved = Variables;
  unsigned Errors = Report.errors();
  for (;;) {
    auto Loop = scf::ForOp::create(Builder, Loc, From, To, Step, Inits);
    Loop.getInductionVar().setLoc(
        NameLoc::get(Builder.getStringAttr(Name), Loc));
    SmallVector<Value> Results;
    {
      OpBuilder::InsertionGuard Guard(Builder);
      Block &Block = *Loop.getBody();
      if (!Block.empty())
        Block.back().erase();
      Builder.setInsertionPointToEnd(&Block);
      bind(Carried, Loop.getRegionIterArgs());
      Bind(Loop.getInductionVar());
      lower(Body);
      Results = valuesOf(Carried);
    }
    Variables = Saved;
    // An iteration may change the extents of a tile; then the loop is made anew
    // for tiles of any extent.
    if (Report.errors() == Errors && loosenInits(Inits, Results, Loc)) {
      Loop.erase();
      continue;
    }
    yield(*Loop.getBody(), Results, ValueRange(Inits).getTypes(), Loc);
    bind(Carried, Loop.getResults());
    return;
  }
}

void Lowering::makeWhile(Location Loc, const clang::Expr *Condition,
                         ArrayRef<const clang::Stmt *> Body) {
  SmallVector<const clang::Stmt *> Parts(Body);
  Parts.push_back(Condition);
  auto Carried = assignedIn(Parts);
  SmallVector<Value> Inits = valuesOf(Carried);
  const Env Saved = Variables;
  unsigned Errors = Report.errors();
  for (;;) {
    SmallVector<Type> Types(ValueRange(Inits).getTypes());
    auto Loop = scf::WhileOp::create(Builder, Loc, Types, Inits);
    SmallVector<Value> Results;
    {
      OpBuilder::InsertionGuard Guard(Builder);
      SmallVector<Location> Locs;
      for (const clang::ValueDecl *Variable : Carried)
        Locs.push_back(
            NameLoc::get(Builder.getStringAttr(Variable->getName()), Loc));
      Block *Before = Builder.createBlock(&Loop.getBefore(), {}, Types, Locs);
      bind(Carried, Before->getArguments());
      LoweredValue GoesOn = lower(Condition);
      if (!GoesOn)
        GoesOn = LoweredValue::scalar(arith::ConstantOp::create(
            Builder, Loc, Builder.getBoolAttr(false)));
      scf::ConditionOp::create(Builder, Loc, GoesOn.value(), valuesOf(Carried));
      Block *After = Builder.createBlock(&Loop.getAfter(), {}, Types, Locs);
      bind(Carried, After->getArguments());
      for (const clang::Stmt *Part : Body)
        lower(Part);
      Results = valuesOf(Carried);
    }
    Variables = Saved;
    if (Report.errors() == Errors && loosenInits(Inits, Results, Loc)) {
      Loop.erase();
      continue;
    }
    yield(Loop.getAfter().front(), Results, Types, Loc);
    bind(Carried, Loop.getResults());
    return;
  }
}

//===----------------------------------------------------------------------===//
// Loops that count
//===----------------------------------------------------------------------===//

namespace {

/// `i < Limit; i += Step`, or the same downwards.
struct Counting {
  const clang::Expr *Limit = nullptr;
  /// Null for 1.
  const clang::Expr *Step = nullptr;
  bool Down = false, Inclusive = false;
};

/// Collects the variables that an expression reads, in what it calls, too.
class ReadsVisitor : public clang::RecursiveASTVisitor<ReadsVisitor> {
public:
  SmallVector<const clang::DeclRefExpr *> Found;

  bool VisitDeclRefExpr(clang::DeclRefExpr *E) {
    Found.push_back(E);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *E) {
    const clang::FunctionDecl *Callee = E->getDirectCallee();
    if (Callee && getOperation(Callee).empty() && Callee->hasBody() &&
        Visited.insert(Callee).second)
      TraverseStmt(Callee->getBody());
    return true;
  }

private:
  llvm::DenseSet<const clang::FunctionDecl *> Visited;
};

} // namespace

static bool isRef(const clang::Expr *E, const clang::ValueDecl *Variable) {
  const auto *Ref =
      E ? dyn_cast<clang::DeclRefExpr>(E->IgnoreParenImpCasts()) : nullptr;
  return Ref && Ref->getDecl() == Variable;
}

/// How `Advance` and `Condition` count a variable; nothing if they do not.
static std::optional<Counting> countingOf(const clang::ValueDecl *Variable,
                                          const clang::Expr *Condition,
                                          const clang::Expr *Advance) {
  const auto *Test = dyn_cast_or_null<clang::BinaryOperator>(
      Condition ? Condition->IgnoreParenImpCasts() : nullptr);
  if (!Test || !Advance || !isRef(Test->getLHS(), Variable))
    return std::nullopt;
  Advance = Advance->IgnoreParens();
  Counting Result;
  Result.Limit = Test->getRHS();
  bool Up =
      Test->getOpcode() == clang::BO_LT || Test->getOpcode() == clang::BO_LE;
  Result.Down = !Up;
  Result.Inclusive =
      Test->getOpcode() == clang::BO_LE || Test->getOpcode() == clang::BO_GE;
  if (!Up && Test->getOpcode() != clang::BO_GT &&
      Test->getOpcode() != clang::BO_GE)
    return std::nullopt;
  if (const auto *By = dyn_cast<clang::UnaryOperator>(Advance)) {
    bool Fits = Up ? By->isIncrementOp() : By->isDecrementOp();
    return Fits && isRef(By->getSubExpr(), Variable) ? std::optional(Result)
                                                     : std::nullopt;
  }
  const auto *By = dyn_cast<clang::BinaryOperator>(Advance);
  if (!By || !isRef(By->getLHS(), Variable) ||
      By->getOpcode() != (Up ? clang::BO_AddAssign : clang::BO_SubAssign))
    return std::nullopt;
  Result.Step = By->getRHS();
  return Result;
}

bool Lowering::makeCounted(Location Loc, const clang::ValueDecl *Variable,
                           const clang::Expr *Condition,
                           const clang::Expr *Advance, const clang::Stmt *Body,
                           bool IsLast) {
  auto How = countingOf(Variable, Condition, Advance);
  if (!How)
    return false;
  // The limit and the step stay the same, or it is not known when it ends.
  SmallVector<const clang::ValueDecl *> Changed = assignedIn({Body});
  Changed.push_back(Variable);
  ReadsVisitor Reads;
  Reads.TraverseStmt(const_cast<clang::Expr *>(How->Limit));
  if (How->Step)
    Reads.TraverseStmt(const_cast<clang::Expr *>(How->Step));
  bool Stays = llvm::none_of(Reads.Found, [&](const clang::DeclRefExpr *E) {
    return llvm::is_contained(Changed, variableOf(E));
  });
  unsigned Assignments =
      llvm::count_if(targetsIn({Body}), [&](const clang::Expr *E) {
        return variableOf(E) == Variable;
      });
  if (!Stays || Assignments != IsLast)
    return false;
  Value From = Variables[Variable].value();
  LoweredValue Limit = lower(How->Limit);
  LoweredValue Step =
      How->Step ? lower(How->Step) : LoweredValue::scalar(index(1, Loc));
  if (!Limit || !Step)
    return true;
  auto Add = [&](Value A, Value B) -> Value {
    return arith::AddIOp::create(Builder, Loc, A, B);
  };
  auto Sub = [&](Value A, Value B) -> Value {
    return arith::SubIOp::create(Builder, Loc, A, B);
  };
  StringRef Name = Variable->getName();
  if (!How->Down) {
    Value To =
        How->Inclusive ? Add(Limit.value(), index(1, Loc)) : Limit.value();
    makeLoop(Loc, From, To, Step.value(), Name, Body, [&](Value Counter) {
      Variables[Variable] = LoweredValue::scalar(Counter);
    });
    return true;
  }
  // Downwards: count how far it has come.
  Value Way = Sub(From, Limit.value());
  if (How->Inclusive)
    Way = Add(Way, index(1, Loc));
  makeLoop(Loc, index(0, Loc), Way, Step.value(), (Name + " down").str(), Body,
           [&](Value Come) {
             Value Now = Sub(From, Come);
             Now.setLoc(NameLoc::get(Builder.getStringAttr(Name), Loc));
             Variables[Variable] = LoweredValue::scalar(Now);
           });
  return true;
}

/// The variable of `for (i64 i = a; ...)`, or null.
static const clang::VarDecl *countedVariable(const clang::ForStmt *S) {
  const auto *Init = dyn_cast_or_null<clang::DeclStmt>(S->getInit());
  const auto *Variable = Init && Init->isSingleDecl()
                             ? dyn_cast<clang::VarDecl>(Init->getSingleDecl())
                             : nullptr;
  return Variable && Variable->hasInit() ? Variable : nullptr;
}

void Lowering::lowerFor(const clang::ForStmt *S) {
  Location Loc = loc(S->getForLoc());
  const clang::VarDecl *Variable = countedVariable(S);
  if (!S->getCond() || S->getConditionVariable()) {
    Report.error(S->getForLoc(), DiagId::NotInKernels,
                 "this loop has no condition, or a variable in it; write "
                 "'for (i64 i = first; i < last; i += step)', or a range such "
                 "as my_tiles");
    return;
  }
  if (!Variable) {
    lower(S->getInit());
    makeWhile(Loc, S->getCond(), {S->getBody(), S->getInc()});
    return;
  }
  for (const clang::Expr *Target : targetsIn({S->getBody()}))
    if (variableOf(Target) == Variable) {
      Report.error(Target->getExprLoc(), DiagId::NotInKernels,
                   "the loop's own variable %0 is assigned in its body; "
                   "declare it before the loop, and use 'while'")
          << Variable;
      return;
    }
  lower(S->getInit());
  if (!Variables.count(Variable))
    return;
  bool Scalar = Variables[Variable].is(LoweredValue::Kind::Scalar);
  if (!Scalar || !makeCounted(Loc, Variable, S->getCond(), S->getInc(),
                              S->getBody(), /*IsLast=*/false))
    makeWhile(Loc, S->getCond(), {S->getBody(), S->getInc()});
}

void Lowering::lowerWhile(const clang::WhileStmt *S) {
  Location Loc = loc(S->getWhileLoc());
  if (S->getConditionVariable()) {
    refuse(S, "a variable in the condition of a loop");
    return;
  }
  // `while (i < n) { ...; i += step; }` counts, too.
  const auto *Test =
      dyn_cast<clang::BinaryOperator>(S->getCond()->IgnoreParenImpCasts());
  const auto *Block = dyn_cast<clang::CompoundStmt>(S->getBody());
  const clang::ValueDecl *Variable =
      Test ? variableOf(Test->getLHS()) : nullptr;
  const clang::Stmt *Last =
      Block ? (Block->body_empty() ? nullptr : Block->body_back())
            : S->getBody();
  const auto *Advance = dyn_cast_or_null<clang::Expr>(Last);
  auto It = Variables.find(Variable);
  if (Advance && It != Variables.end() &&
      It->second.is(LoweredValue::Kind::Scalar) &&
      makeCounted(Loc, Variable, S->getCond(), Advance, S->getBody(),
                  /*IsLast=*/true))
    return;
  makeWhile(Loc, S->getCond(), {S->getBody()});
}

//===----------------------------------------------------------------------===//
// Ranges of kernel.h
//===----------------------------------------------------------------------===//

namespace {
/// The windows of a view: plane by plane, and in each of them row by row of
/// windows; all of them for each of some parts. A window's number is taken
/// apart from its column on, which the proofs can follow.
class WindowNumbers {
public:
  WindowNumbers(OpBuilder &Builder, Location Loc, Value View, int64_t Rows,
                int64_t Cols, int64_t Parts)
      : Builder(Builder), Loc(Loc), View(View), Rows(Rows), Cols(Cols),
        Parts(Parts), Rank(cast<MemRefType>(View.getType()).getRank()) {
    for (int64_t Dim = 0; Dim < Rank; ++Dim)
      Extents.push_back(getValueOrCreateConstantIndexOp(
          Builder, Loc, memref::getMixedSize(Builder, Loc, View, Dim)));
    Across = ceilDiv(Extents[Rank - 1], Cols);
    Down = ceilDiv(Extents[Rank - 2], Rows);
  }

  Value all() {
    if (Rank > 2)
      return ofAllPlanes();
    Value Lines =
        Parts == 1 ? Down : make<arith::MulIOp>(Down, constant(Parts));
    return make<arith::MulIOp>(Lines, Across);
  }

  LoweredValue at(Value Number) {
    Value Row = make<arith::DivSIOp>(Number, Across),
          Col = make<arith::RemSIOp>(Number, Across);
    Value Outer = constant(0);
    // Where there is nothing outside of rows, the quotient is 0.
    if (Rank > 2 || Parts > 1) {
      Outer = make<arith::DivSIOp>(Row, Down);
      Row = make<arith::RemSIOp>(Row, Down);
    }
    SmallVector<Value, 2> Planes;
    Value Rowwise = View;
    for (int64_t Dim = Rank - 3; Dim >= 0; --Dim) {
      bool IsLast = Dim == 0 && Parts == 1;
      Planes.push_back(IsLast ? Outer
                              : make<arith::RemSIOp>(Outer, Extents[Dim]));
      Outer = IsLast ? constant(0) : make<arith::DivSIOp>(Outer, Extents[Dim]);
    }
    std::reverse(Planes.begin(), Planes.end());
    for (Value Index : Planes)
      Rowwise = viewAt(Builder, Loc, Rowwise, Index);
    return LoweredValue::window(Rowwise, span(Row, Extents[Rank - 2], Rows),
                                span(Col, Extents[Rank - 1], Cols), Outer,
                                Planes);
  }

private:
  /// Where no extent is 0, there are no more windows than elements; otherwise
  /// the product of the others might be too large.
  Value ofAllPlanes() {
    Value NotEmpty;
    for (Value Extent : Extents) {
      Value Here = arith::CmpIOp::create(
          Builder, Loc, arith::CmpIPredicate::sge, Extent, constant(1));
      NotEmpty = NotEmpty ? make<arith::AndIOp>(NotEmpty, Here) : Here;
    }
    auto Count = [&](OpBuilder &, Location) {
      Value Planes = Parts == 1
                         ? Extents[0]
                         : make<arith::MulIOp>(Extents[0], constant(Parts));
      for (int64_t Dim = 1; Dim < Rank - 2; ++Dim)
        Planes = make<arith::MulIOp>(Planes, Extents[Dim]);
      Value Lines = make<arith::MulIOp>(Planes, Down);
      scf::YieldOp::create(Builder, Loc, make<arith::MulIOp>(Lines, Across));
    };
    auto None = [&](OpBuilder &, Location) {
      scf::YieldOp::create(Builder, Loc, constant(0));
    };
    return scf::IfOp::create(Builder, Loc, NotEmpty, Count, None).getResult(0);
  }

  template <typename Op> Value make(Value A, Value B) {
    return Op::create(Builder, Loc, A, B);
  }
  Value constant(int64_t Number) {
    return arith::ConstantIndexOp::create(Builder, Loc, Number);
  }
  Value ceilDiv(Value N, int64_t By) {
    return make<arith::DivSIOp>(make<arith::AddIOp>(N, constant(By - 1)),
                                constant(By));
  }
  LoweredValue span(Value Number, Value Extent, int64_t Each) {
    Value Begin = make<arith::MulIOp>(Number, constant(Each));
    // Without a tail, nothing has to be known of where a window begins.
    std::optional<int64_t> Known = getConstantIntValue(Extent);
    if (Known && *Known > 0 && *Known % Each == 0)
      return LoweredValue::span(Begin, constant(Each));
    Value Left = make<arith::SubIOp>(Extent, Begin);
    return LoweredValue::span(Begin,
                              make<arith::MinSIOp>(Left, constant(Each)));
  }

  OpBuilder &Builder;
  Location Loc;
  Value View;
  int64_t Rows, Cols, Parts, Rank;
  SmallVector<Value, 4> Extents;
  /// Windows in a row and in a column of a plane.
  Value Across, Down;
};
} // namespace

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
  LoweredValue Range = lower(Call->getArg(0));
  if (!Range)
    return;
  const clang::VarDecl *Variable = S->getLoopVariable();
  auto Most = capacityOf(Variable->getType().getNonReferenceType());
  Location Loc = loc(S->getForLoc());
  bool Mine = Name != "tiles" && Name != "tiles_between";
  auto Rows = Most.front(), Cols = Most.back();

  // What is counted, in steps of how many.
  std::optional<WindowNumbers> Windows;
  if (Name == "my_windows")
    Windows.emplace(Builder, Loc, Range.value(), Rows, Cols, /*Parts=*/1);
  if (Name == "my_parts")
    Windows.emplace(Builder, Loc, Range.value(), Rows, Cols,
                    numbersOf(Callee)[2]);
  Value Extent = Windows ? Windows->all()
                 : Range.is(LoweredValue::Kind::View)
                     ? dim(Range.value(), 0, Loc)
                     : Range.value();
  int64_t Each = Windows ? 1 : Name == "my_rows" ? Rows : Cols;
  Value Step = index(Each, Loc), From = index(0, Loc), By = Step;
  if (Name == "tiles_between") {
    LoweredValue To = lower(Call->getArg(1));
    if (!To)
      return;
    From = Extent;
    Extent = To.value();
  }
  if (Mine) {
    From = arith::MulIOp::create(
        Builder, Loc, ascend::CoreIndexOp::create(Builder, Loc), Step);
    By = arith::MulIOp::create(Builder, Loc,
                               ascend::CoreCountOp::create(Builder, Loc), Step);
  }
  auto Rest = [&](Value Begin) -> Value {
    Value Left = arith::SubIOp::create(Builder, Loc, Extent, Begin);
    return arith::MinSIOp::create(Builder, Loc, Left, index(Each, Loc));
  };
  makeLoop(
      Loc, From, Extent, By, Variable->getName(), S->getBody(), [&](Value I) {
        if (Windows) {
          Variables[Variable] = Windows->at(I);
          return;
        }
        LoweredValue Own = LoweredValue::span(I, Rest(I));
        LoweredValue One = LoweredValue::span(index(0, Loc), index(1, Loc));
        LoweredValue All = LoweredValue::span(index(0, Loc), index(Cols, Loc));
        if (!Range.is(LoweredValue::Kind::View))
          Variables[Variable] = Own;
        else
          Variables[Variable] = LoweredValue::window(
              Range.value(), Name == "my_rows" ? Own : One,
              Name == "my_rows" ? All : Own, index(0, Loc));
      });
}
