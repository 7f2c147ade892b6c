//===- Statements.cpp - Control flow of a kernel --------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Interpreter.h"
#include "check/KernelState.h"
#include "check/LoopProof.h"
#include "check/Runtime.h"
#include "clang/AST/Attr.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/ScopeExit.h"

using namespace clang;
using namespace belay::check;

static constexpr unsigned MostIterations = 3;

/// Inside another loop, two iterations are the first choice: iterations of
/// nested loops multiply.
unsigned Interpreter::preferredIterations() const {
  return OpenLoops > 1 ? MostIterations - 1 : MostIterations;
}

/// What a kernel asserts, all of its launches keep.
bool Interpreter::isAssertion(const Expr *Condition) const {
  const SourceManager &Sources = AST.getSourceManager();
  SourceLocation At = Condition->getBeginLoc();
  while (At.isMacroID()) {
    llvm::StringRef Name =
        Lexer::getImmediateMacroName(At, Sources, AST.getLangOpts());
    if (Name == "ASSERT" || Name == "assert")
      return true;
    At = Sources.getImmediateMacroCallerLoc(At);
  }
  return false;
}

/// Whether a condition is the same for all blocks of a launch. Inside a loop,
/// what depends on the iteration is not: one block may be in another one.
bool Interpreter::decidedAlike(const Value &What, bool Loop) {
  std::optional<Condition> Meaning =
      What.isNumber() ? Kernel.meaningOf(What.N) : std::nullopt;
  if (!Meaning)
    return false;
  return !symbols().any(Meaning->Yes, [&](const Symbol &S) {
    if (S.PerBlock)
      return true;
    switch (S.From) {
    case Origin::Launch:
    case Origin::Blocks:
      return false;
    case Origin::Derived:
      return S.Divisor == Number(); // else by what it was made from
    default:
      return !(Loop && S.Iteration);
    }
  });
}

/// Whether nothing but numbers of the launch decide a condition.
bool Interpreter::decidedByLaunch(const Value &What) {
  std::optional<Condition> Meaning =
      What.isNumber() ? Kernel.meaningOf(What.N) : std::nullopt;
  auto IsOfLaunch = [](const Symbol &S) {
    bool IsDivided = S.From == Origin::Derived && !(S.Divisor == Number());
    return !S.PerBlock &&
           (S.From == Origin::Launch || S.From == Origin::Blocks || IsDivided);
  };
  return Meaning && !symbols().any(Meaning->Yes, [&](const Symbol &S) {
    return !IsOfLaunch(S);
  });
}

bool Interpreter::either(const void *At) {
  bool Taken = Decisions.decide(At, false, true);
  Trail.push_back({Taken, false});
  return Taken;
}

/// Whether the API's own headers ask if something is wrong that is reported
/// elsewhere: belay_detail::isMistake.
bool Interpreter::asksForMistake(const Expr *Condition) const {
  const auto *Call = dyn_cast<CallExpr>(Condition->IgnoreParenImpCasts());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() &&
         Callee->getName() == "isMistake" &&
         Kernel.inOwnHeaders(Callee->getLocation());
}

/// Goes the way that the condition says, or that the plan of the path says.
bool Interpreter::decide(const Value &What, const Expr *At, bool Loop,
                         unsigned Iteration) {
  if (std::optional<int64_t> C = What.constant())
    return *C != 0;
  if (What.What == Value::Kind::Null)
    return false;
  if (What.isPointer() || What.isAddress())
    return true;
  if (asksForMistake(At))
    return false;
  bool ByApi = Kernel.inOwnHeaders(At->getBeginLoc());
  if (Loop && ByApi) {
    Kernel.unknownEverywhere(here(), "how often " + apiName() +
                                         " repeats is not followed");
    return false;
  }
  if (OneWay)
    return !Loop || Iteration == 0;
  std::optional<Condition> Meaning =
      What.isNumber() ? Kernel.meaningOf(What.N) : std::nullopt;
  if (Meaning && Meaning->Equality)
    if (std::optional<bool> Zero = Kernel.Found.zero(Meaning->Yes))
      return *Zero != Meaning->Negated;
  bool Data = !Meaning;
  // A loop runs at least once, and few times say as much as many: the loop's
  // end is decided by what recurs, see Runtime::atLoop.
  bool Preferred = !Leaving, Both = true;
  if (Loop && Kernel.Proving) {
    Preferred = true;
    Both = Iteration > 0;
  } else if (Loop) {
    Preferred = Iteration < preferredIterations();
    Both = Iteration > 0 && Iteration < MostIterations;
  } else if (auto Before = Ways.find(At);
             LastIteration && Before != Ways.end()) {
    // The last iteration is the one that is not full.
    Preferred = !Before->second;
  }
  bool Taken = Decisions.decide(At, Preferred, Both);
  Trail.push_back({Taken, decidedAlike(What, Loop)});
  Kernel.Ways.insert({At, Taken});
  if (!Loop)
    Ways[At] = Taken;
  if (!Data)
    Meaning->assume(Known, Taken);
  if (isAssertion(At))
    return Taken;
  Kernel.Found.AskedByApi = ByApi;
  if (Data)
    Kernel.Found.choseFreely(At, Taken, Loop);
  else
    Meaning->note(Kernel.Found, Taken, Loop);
  return Taken;
}

void Interpreter::initialize(PathId Target, QualType Type, const Expr *Init) {
  if (!Init)
    return;
  if (Type->isReferenceType()) {
    Memory.set(Target, pointerTo(locate(Init)));
    return;
  }
  if (Type->isRecordType() || Type->isArrayType())
    construct(Init, Target);
  else
    Memory.set(Target, evaluate(Init));
}

/// KERNEL_TASK_TYPE: which kinds of cores run it.
void Interpreter::noteTask(const VarDecl *Note) {
  using belay::sim::TaskKind;
  const APValue *V = Note->evaluateValue();
  auto NumberIn = [&](unsigned Field) -> uint64_t {
    return V && V->isStruct() && V->getStructNumFields() > Field &&
                   V->getStructField(Field).isInt()
               ? V->getStructField(Field).getInt().getZExtValue()
               : 0;
  };
  constexpr unsigned KindField = 2, AnyKeyField = 3; // of sim::TaskNote
  auto Kind = static_cast<TaskKind>(NumberIn(KindField));
  if (Kind == TaskKind::Vector)
    return;
  // Of one tiling key, it says nothing of the others.
  if (Kind == TaskKind::Cube)
    Kernel.CubeAlone |= NumberIn(AnyKeyField) != 0;
  else
    Kernel.hasTwoPerBlock();
}

void Interpreter::declare(const VarDecl *Var) {
  if (const auto *Section = Var->getAttr<SectionAttr>();
      Section && Section->getName() == "belay_task")
    noteTask(Var);
  if (Var->hasGlobalStorage())
    return; // when it is used
  Place Where;
  if (Var->getType()->isReferenceType()) {
    if (Var->getInit())
      Where = locate(Var->getInit());
  } else {
    Where.Path = Memory.makeRoot(Var);
    initialize(Where.Path, Var->getType(), Var->getInit());
  }
  Frames.back().Variables[Var] = Where;
  const CXXRecordDecl *Class = Var->getType()->getAsCXXRecordDecl();
  if (Class && Where.Path && !Class->hasTrivialDestructor())
    Alive.push_back({Var, Where.Path});
  if (const auto *Parts = dyn_cast<DecompositionDecl>(Var))
    for (const BindingDecl *Part : Parts->bindings())
      if (const VarDecl *Holding = Part->getHoldingVar())
        declare(Holding);
}

/// What was declared in a block goes when the block is left, however it is.
Flow Interpreter::executeBlock(const CompoundStmt *Block) {
  size_t Outer = Alive.size();
  Flow F = Flow::Next;
  for (const Stmt *Each : Block->body())
    if (F = execute(Each); F != Flow::Next)
      break;
  while (Alive.size() > Outer) {
    auto [Var, Path] = Alive.pop_back_val();
    if (F != Flow::Stop && !Stopped)
      destroy(Path, Var->getType()->getAsCXXRecordDecl(), Var->getInit());
  }
  return Stopped ? Flow::Stop : F;
}

/// Runs the destructors that the user wrote, of the object and of its parts.
void Interpreter::destroy(PathId Object, const CXXRecordDecl *Class,
                          const Expr *Made) {
  if (!Class || !Made || inHeaders(Class->getLocation()))
    return;
  if (const CXXDestructorDecl *Destructor = Class->getDestructor())
    if (Destructor->isUserProvided() && Destructor->hasBody())
      invoke(Destructor, Made, Object, {}, 0, nullptr);
  llvm::SmallVector<const FieldDecl *> Fields(Class->fields());
  for (const FieldDecl *Field : llvm::reverse(Fields))
    if (const CXXRecordDecl *Part = Field->getType()->getAsCXXRecordDecl())
      if (Part->hasDefinition() && !Part->hasTrivialDestructor())
        destroy(Memory.field(Object, Field), Part, Made);
  for (const CXXBaseSpecifier &Base : llvm::reverse(Class->bases()))
    destroy(Object, Base.getType()->getAsCXXRecordDecl(), Made);
}

/// Whether a loop is only left from its inside.
static bool isEndless(const Expr *Cond) {
  const Expr *E = Cond ? Cond->IgnoreParenImpCasts() : nullptr;
  if (const auto *Bool = dyn_cast_or_null<CXXBoolLiteralExpr>(E))
    return Bool->getValue();
  if (const auto *Number = dyn_cast_or_null<IntegerLiteral>(E))
    return Number->getValue() != 0;
  return !E;
}

Flow Interpreter::executeLoop(const Stmt *Loop, const Expr *Cond,
                              const VarDecl *CondVar, const Stmt *Inc,
                              const Stmt *Body, bool BodyFirst) {
  if (Kernel.Proving && !OneWay)
    return proveLoop(Loop, Cond, CondVar, Inc, Body, BodyFirst);
  bool Unknown = false;
  const bool Endless = isEndless(Cond);
  size_t FactsBefore = Known.all().size();
  llvm::scope_exit Close([&, Outer = LastIteration] {
    OpenLoops -= Unknown;
    LastIteration = Outer;
  });
  for (unsigned Iteration = 0;; ++Iteration) {
    if (!spend())
      return Flow::Stop;
    if (!BodyFirst || Iteration > 0) {
      if (CondVar)
        declare(CondVar);
      Symbolic = false;
      Value V = Cond ? evaluate(Cond) : Value::number(1);
      if (Stopped)
        return Flow::Stop;
      // Also if a decision of an earlier iteration implies it.
      bool Decided = (Symbolic || Endless) && Known.all().size() > FactsBefore;
      if (!Unknown && ((!V.constant() && V.isNumber()) || Decided)) {
        Unknown = true;
        ++OpenLoops;
        Kernel.AnyOpenLoop = true;
      }
      if (!Endless &&
          !decide(V, Cond, true, BodyFirst ? Iteration - 1 : Iteration))
        break;
      // What was decided inside the loop keeps it running: further iterations
      // say nothing new, and all ways out of it are other paths.
      if (Decided && Iteration > MostIterations) {
        Kernel.CutLoops.insert(Loop);
        stop();
        return Flow::Stop;
      }
      LastIteration =
          Unknown ? Iteration + 1 >= preferredIterations() : LastIteration;
    }
    Flow F = execute(Body);
    if (F == Flow::Return)
      Kernel.LeftLoops.insert(Loop);
    if (F == Flow::Return || F == Flow::Stop)
      return F;
    if (F == Flow::Break)
      break;
    if (Inc)
      evaluate(cast<Expr>(Inc));
  }
  Kernel.LeftLoops.insert(Loop);
  return Stopped ? Flow::Stop : Flow::Next;
}

/// As executeLoop, but so that what is seen holds for every number of
/// iterations; see LoopProof.h.
Flow Interpreter::proveLoop(const Stmt *Loop, const Expr *Cond,
                            const VarDecl *CondVar, const Stmt *Inc,
                            const Stmt *Body, bool BodyFirst) {
  std::optional<LoopProof> Proof;
  const bool Endless = isEndless(Cond);
  size_t FactsBefore = Known.all().size();
  llvm::scope_exit Close([&] {
    if (Proof)
      Proofs.pop_back();
  });
  for (unsigned Done = 0;; ++Done) {
    if (!spend())
      return Flow::Stop;
    if (!BodyFirst || Done) {
      if (Proof) {
        if (Kernel.Joins)
          Device->widenAccesses();
        LoopProof::Step S = Proof->atHead();
        if (S == LoopProof::Step::Closed)
          Device->atClosedLoop();
        if (S != LoopProof::Step::GoOn ||
            (Kernel.Joins &&
             wasVisited(Loop, Proof->outer(), Proof->iteration()))) {
          stop();
          return Flow::Stop;
        }
      }
      if (CondVar)
        declare(CondVar);
      Symbolic = false;
      Value V = Cond ? evaluate(Cond) : Value::number(1);
      if (Stopped)
        return Flow::Stop;
      bool Decided = (Symbolic || Endless) &&
                     (Kernel.ProvesEarly || Known.all().size() > FactsBefore);
      bool Long = !Endless && V.constant() &&
                  Done >= LoopProof::LongestUnrolled &&
                  !LoopProof::isUnrolled(Kernel, Loop);
      bool New = !Proof && (!V.constant() || Decided || Long);
      if (New) {
        Proof.emplace(*this, *Device, Kernel, Loop,
                      CondVar || Endless ? nullptr : Cond, Long);
        if (Long || Endless) // until a path shows that it ends
          Kernel.CutLoops.insert(Loop);
        Proof->atHead();
        Proofs.push_back(Loop);
      }
      bool MayEnd = !Proof || !Proof->exitCovered();
      if (!Endless && !decide(V, Cond, true, MayEnd ? 1 : 0)) {
        if (New && !BodyFirst && decidedByLaunch(V))
          Kernel.Found.ranEmpty(Kernel.meaningOf(V.N)->required());
        break;
      }
      if (Proof)
        Proof->goOn();
    }
    Flow F = execute(Body);
    if (F == Flow::Return)
      Kernel.LeftLoops.insert(Loop);
    if (F == Flow::Return || F == Flow::Stop)
      return F;
    if (F == Flow::Break)
      break;
    if (Inc)
      evaluate(cast<Expr>(Inc));
  }
  Kernel.LeftLoops.insert(Loop);
  return Stopped ? Flow::Stop : Flow::Next;
}

Flow Interpreter::executeRangeFor(const CXXForRangeStmt *Loop) {
  for (const Stmt *S : {static_cast<const Stmt *>(Loop->getInit()),
                        static_cast<const Stmt *>(Loop->getRangeStmt()),
                        static_cast<const Stmt *>(Loop->getBeginStmt()),
                        static_cast<const Stmt *>(Loop->getEndStmt())})
    if (S && execute(S) == Flow::Stop)
      return Flow::Stop;
  for (unsigned Iteration = 0;; ++Iteration) {
    Value V = evaluate(Loop->getCond());
    if (!spend())
      return Flow::Stop;
    if (!V.constant() && !V.isPointer() && Kernel.Proving)
      giveUp(Loop->getBeginLoc(), "how often the loop runs is not followed");
    Kernel.AnyOpenLoop |= !V.constant();
    if (!decide(V, Loop->getCond(), true, Iteration))
      return Flow::Next;
    execute(Loop->getLoopVarStmt());
    Flow F = execute(Loop->getBody());
    if (F == Flow::Return || F == Flow::Stop)
      return F;
    if (F == Flow::Break)
      return Flow::Next;
    evaluate(Loop->getInc());
  }
}

Flow Interpreter::executeSwitch(const SwitchStmt *Switch) {
  if (Switch->getInit())
    execute(Switch->getInit());
  Value Chosen = evaluate(Switch->getCond());
  const SwitchCase *Target = nullptr, *Default = nullptr;
  SmallVector<const SwitchCase *> Cases;
  for (const SwitchCase *C = Switch->getSwitchCaseList(); C;
       C = C->getNextSwitchCase())
    Cases.push_back(C);
  for (const SwitchCase *C : llvm::reverse(Cases)) {
    if (isa<DefaultStmt>(C)) {
      Default = C;
      continue;
    }
    if (cast<CaseStmt>(C)->caseStmtIsGNURange()) {
      giveUp(C->getBeginLoc(), "a range of cases is not followed");
      return Flow::Stop;
    }
    Value Is = compare(BO_EQ, Chosen, evaluate(cast<CaseStmt>(C)->getLHS()));
    if (!Is.isNumber())
      Is = unknown(AST.BoolTy, Switch->getCond());
    if (decide(Is, Switch->getCond(), false, 0)) {
      Target = C;
      break;
    }
  }
  if (!Target)
    Target = Default;
  if (!Target)
    return Flow::Next;
  // From the label on, through the labels that follow.
  auto Holds = [&](const Stmt *S) {
    while (const auto *Case = dyn_cast<SwitchCase>(S)) {
      if (Case == Target)
        return true;
      S = Case->getSubStmt();
    }
    return false;
  };
  const auto *Body = dyn_cast<CompoundStmt>(Switch->getBody());
  if (!Body || none_of(Body->body(), Holds)) {
    giveUp(Target->getBeginLoc(), "a case inside another statement is not "
                                  "followed");
    return Flow::Stop;
  }
  bool Running = false;
  for (const Stmt *S : Body->body()) {
    Running |= Holds(S);
    if (!Running)
      continue;
    Flow F = execute(S);
    if (F == Flow::Break)
      return Flow::Next;
    if (F != Flow::Next)
      return F;
  }
  return Flow::Next;
}

/// Whether a statement is there to leave a loop or a function: then the work is
/// on the other way.
static bool leaves(const Stmt *S) {
  if (const auto *Block = dyn_cast<CompoundStmt>(S))
    return !Block->body_empty() && leaves(Block->body_back());
  return isa<ContinueStmt, BreakStmt, ReturnStmt>(S);
}

Flow Interpreter::execute(const Stmt *S) {
  if (!S)
    return Flow::Next;
  if (!spend())
    return Flow::Stop;
  switch (S->getStmtClass()) {
  case Stmt::CompoundStmtClass:
    return executeBlock(cast<CompoundStmt>(S));
  case Stmt::NullStmtClass:
    return Flow::Next;
  case Stmt::DeclStmtClass:
    for (const Decl *D : cast<DeclStmt>(S)->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D))
        declare(Var);
    return Stopped ? Flow::Stop : Flow::Next;
  case Stmt::IfStmtClass: {
    const auto *If = cast<IfStmt>(S);
    if (If->getInit())
      execute(If->getInit());
    if (If->getConditionVariable())
      declare(If->getConditionVariable());
    if (If->isConsteval())
      return execute(If->isNegatedConsteval() ? If->getThen() : If->getElse());
    Leaving = !If->getElse() && leaves(If->getThen());
    Value V = evaluate(If->getCond());
    if (Stopped)
      return Flow::Stop;
    if (executeBoth(If, V)) {
      Leaving = false;
      return Stopped ? Flow::Stop : Flow::Next;
    }
    bool Taken = decide(V, If->getCond(), false, 0);
    Leaving = false;
    return execute(Taken ? If->getThen() : If->getElse());
  }
  case Stmt::ForStmtClass: {
    const auto *For = cast<ForStmt>(S);
    if (For->getInit() && execute(For->getInit()) == Flow::Stop)
      return Flow::Stop;
    return executeLoop(S, For->getCond(), For->getConditionVariable(),
                       For->getInc(), For->getBody(), false);
  }
  case Stmt::WhileStmtClass: {
    const auto *While = cast<WhileStmt>(S);
    return executeLoop(S, While->getCond(), While->getConditionVariable(),
                       nullptr, While->getBody(), false);
  }
  case Stmt::DoStmtClass: {
    const auto *Do = cast<DoStmt>(S);
    return executeLoop(S, Do->getCond(), nullptr, nullptr, Do->getBody(), true);
  }
  case Stmt::CXXForRangeStmtClass:
    return executeRangeFor(cast<CXXForRangeStmt>(S));
  case Stmt::SwitchStmtClass:
    return executeSwitch(cast<SwitchStmt>(S));
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
    return execute(cast<SwitchCase>(S)->getSubStmt());
  case Stmt::BreakStmtClass:
    return Flow::Break;
  case Stmt::ContinueStmtClass:
    return Flow::Continue;
  case Stmt::ReturnStmtClass: {
    const Expr *Result = cast<ReturnStmt>(S)->getRetValue();
    if (!Result)
      return Flow::Return;
    QualType Type = Frames.back().Function->getReturnType();
    if (Type->isReferenceType()) {
      Value V = pointerTo(locate(Result));
      Frames.back().Returned = V;
    } else if (Type->isRecordType()) {
      construct(Result, Frames.back().Result);
    } else {
      Value V = evaluate(Result);
      Frames.back().Returned = V;
    }
    return Stopped ? Flow::Stop : Flow::Return;
  }
  case Stmt::AttributedStmtClass:
    return execute(cast<AttributedStmt>(S)->getSubStmt());
  case Stmt::LabelStmtClass:
    return execute(cast<LabelStmt>(S)->getSubStmt());
  case Stmt::GotoStmtClass:
    giveUp(S->getBeginLoc(), "goto is not followed");
    return Flow::Stop;
  default:
    break;
  }
  if (const auto *E = dyn_cast<Expr>(S)) {
    Alone = E->IgnoreParenImpCasts()->IgnoreImplicit();
    if (E->getType()->isRecordType() && E->isPRValue()) {
      PathId Into = Memory.makeRoot(nullptr);
      construct(E, Into);
    } else if (E->isGLValue() && !E->getType()->isFunctionType() &&
               isa<CallExpr>(E->IgnoreParens())) {
      call(cast<CallExpr>(E->IgnoreParens()), 0);
    } else {
      evaluate(E);
    }
    return Stopped ? Flow::Stop : Flow::Next;
  }
  // Assembly, try blocks and the like may do anything.
  giveUp(S->getBeginLoc(), isa<AsmStmt>(S) ? "inline assembly is not followed"
                                           : "this statement is not followed");
  return Flow::Stop;
}
